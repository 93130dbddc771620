"""Notebook 04. From polynomial kernels to the Gaussian kernel."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear
from kernelkit.kernels import Bell, Conjugate
from kernelkit.panel.controls import Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed
from kernelkit.plots import GREEN, INK, PURPLE

Z = np.linspace(-4, 4, 201)[:, None]  # where the curves are drawn
T = np.linspace(-4, 2.5, 261)
INNER = np.abs(T) <= 2 + 1e-9  # where the gap is measured


def polynomial_bump(p, sigma):
    """f(x) (1 + xᵀz/(pσ²))^p f(z): a kernel for every p, on its way to the Gaussian."""
    return Conjugate(Bell(sigma), (1 / (p * sigma**2) * Linear() + 1) ** p)


def compute(p, x, sigma):
    power, bump = (1 + T / p) ** p, polynomial_bump(p, sigma)(Z, [x])
    k = Gaussian(sigma)(Z, [x])
    return SimpleNamespace(
        p=p, x=x, sigma=sigma, power=power, bump=bump, k=k,
        gap=float(np.abs(power - np.exp(T))[INNER].max()), gap_bump=float(np.abs(bump - k).max()),
    )  # fmt: skip


def build(figure):
    left = figure.add_axes(
        (0.07, 0.14, 0.4, 0.7), xlim=(-4, 2.5), ylim=(-3.4, 13), xlabel=r"$t = x^\top z\,/\,\sigma^2$"
    )
    left.set_title("solid: $e^t$\ndashed: $(1 + t/p)^p$", size=11)
    left.axhline(0, color=INK, linewidth=0.8)
    left.plot(T, np.exp(T), color=GREEN, linewidth=3)
    power = left.plot(T, 0 * T, "--", color=PURPLE, animated=True)[0]
    right = figure.add_axes((0.56, 0.14, 0.42, 0.7), xlim=(-4, 4), ylim=(-0.65, 1.45), xlabel="$z$")
    right.set_title("the same times $f(x)\\,f(z)$:\nsolid: the Gaussian around $x$", size=11)
    right.set_yticks([-0.5, 0, 0.5, 1])
    right.axhline(0, color=INK, linewidth=0.8)
    place = right.plot([], [], ":", color=INK, linewidth=1.2, animated=True)[0]
    letter = right.text(0, -0.58, "$x$", size=14, color=INK, ha="center", animated=True)
    k = right.plot(Z[:, 0], 0 * Z[:, 0], color=GREEN, linewidth=3, animated=True)[0]
    bump = right.plot(Z[:, 0], 0 * Z[:, 0], "--", color=PURPLE, animated=True)[0]
    return {"power": power, "place": place, "letter": letter, "k": k, "bump": bump}


def draw(parts, state):
    parts["power"].set_ydata(np.clip(state.power, -99, 99))
    parts["place"].set_data([state.x, state.x], [-0.45, 1.3])
    parts["letter"].set_x(state.x)
    parts["k"].set_ydata(state.k)
    parts["bump"].set_ydata(np.clip(state.bump, -9, 9))


def describe(state):
    return (
        f"Degree p = {state.p}: for |t| ≤ 2 the polynomial (1 + t/p)ᵖ is at most {state.gap:.3f} away from eᵗ. "
        f"Times f(x)·f(z), around x = {state.x:.2f} with σ = {state.sigma:.2f}, it is at most {state.gap_bump:.3f} "
        "away from the Gaussian."
    )


def code(p, x, sigma):
    return (
        "from kernelkit import Gaussian, Linear\nfrom kernelkit.kernels import Bell, Conjugate\n\n"
        f"p, sigma, x, z = {p}, {typed(sigma)}, {typed(x)}, 1.0\n"
        "polynomial = (1 / (p * sigma**2) * Linear() + 1) ** p\n"
        "k_p = Conjugate(Bell(sigma), polynomial)\n"
        "print(k_p(x, z), Gaussian(sigma)(x, z))"
    )


limit = Explorer(
    title="From polynomial kernels to the Gaussian kernel",
    controls=(
        Slider("p", "degree p", 2, 1, 100, 1),
        Slider("x", "point x", 1.0, 0.0, 3.0, 0.05),
        Slider("sigma", "width σ", 1.0, 0.5, 2.0, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "A straight line": {"p": 1},
        "Degree 10": {"p": 10},
        "Degree 20": {"p": 20},
        "Degree 100, far out": {"p": 100, "x": 3.0},
    },
    question=Question(
        "The degree p goes from 10 to 20. What happens to the largest gap between (1 + t/p)ᵖ and eᵗ for |t| ≤ 2?",
        ("it stays about the same", "it is about half as large", "it is a thousand times smaller"),
        1,
        "(1 + t/p)ᵖ ≈ eᵗ·(1 − t²/2p): the gap falls like 1/p, slowly. The limit is an idea, not a way to compute.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
