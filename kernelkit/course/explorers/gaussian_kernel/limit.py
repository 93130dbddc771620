"""Notebook 04. From polynomial kernels to the Gaussian kernel."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off, short, typed
from kernelkit.course.panel.parts import curves
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.kernels import Bell, Conjugate

Z = np.linspace(-4, 4, 201)[:, None]  # where the curves are drawn
T = np.linspace(-4, 2.5, 261)
INNER = np.abs(T) <= 2 + 1e-9  # where the gap is measured


def polynomial_bump(p, sigma):
    """f(x) (1 + xᵀz/(pσ²))^p f(z): a kernel for every p, on its way to the Gaussian."""
    return Conjugate(Bell(sigma), (1 / (p * sigma**2) * Linear() + 1) ** p)


def _gap(places, one, other):
    """Where two curves are farthest apart: (place, height of the one, height of the other)."""
    at = np.abs(one - other).argmax()
    return float(places[at]), float(one[at]), float(other[at])


def compute(p, x, sigma):
    power, bump = (1 + T / p) ** p, polynomial_bump(p, sigma)(Z, [x])
    k = Gaussian(sigma)(Z, [x])
    widest, widest_bump = _gap(T[INNER], power[INNER], np.exp(T[INNER])), _gap(Z[:, 0], bump, k)
    return SimpleNamespace(
        p=p,
        x=x,
        sigma=sigma,
        power=power,
        bump=bump,
        k=k,
        widest=widest,
        widest_bump=widest_bump,
        gap=abs(widest[1] - widest[2]),
        gap_bump=abs(widest_bump[1] - widest_bump[2]),
    )


WIDE, DASHED = {"color": GREEN, "linewidth": 3}, {"color": PURPLE, "linestyle": "--", "linewidth": 2.4}


def build(figure):
    axes = figure.subplot_mosaic([["powers", "bumps"]])
    powers, bumps = axes.values()
    powers.set(xlim=(-4, 2.5), ylim=(-3.4, 13), xlabel=r"$t = xz/\sigma^2$")
    powers.axvspan(-2, 2, color=GREY, alpha=0.12, linewidth=0)
    powers.text(-1.9, 12, "$|t| \\leq 2$", color=INK)
    bumps.set(xlim=(-4, 4), ylim=(-0.65, 1.45), xlabel="$z$", xticks=[-4, -2, 0, 2, 4], yticks=[-0.5, 0, 0.5, 1])
    for ax in (powers, bumps):
        ax.axhline(0, color=INK, linewidth=0.8)
    exponential, power = curves(powers, {"$e^t$": WIDE, "$(1 + t/p)^p$": DASHED}).values()
    exponential.set_data(T, np.exp(T))
    place = bumps.plot([], [], ":", color=INK, linewidth=1.2, animated=True)[0]
    k, bump = curves(bumps, {"$k(x, z)$": WIDE, "$f(x)\\,(1 + t/p)^p f(z)$": DASHED}).values()
    return axes | {
        "power": power,
        "k": k,
        "bump": bump,
        "place": place,
        "letter": bumps.text(0, -0.59, "$x$", ha="center", animated=True),
        "gap": _measure(powers, 1.75, 7.5, "right"),  # widest at t = 2, for every p
        "gap_bump": _measure(bumps, -3.8, 1.25, "left"),
    }


def _measure(ax, x, y, ha):
    """A bar where two curves are farthest apart, and its length in words."""
    bar = ax.plot([], [], color=INK, linewidth=3.5, solid_capstyle="butt", animated=True)[0]
    return bar, ax.text(x, y, "", color=INK, ha=ha, animated=True)


def draw(parts, state):
    parts["power"].set_data(T, np.clip(state.power, -99, 99))
    parts["place"].set_data([state.x, state.x], [-0.45, 1.3])
    parts["letter"].set_x(state.x)
    parts["k"].set_data(Z[:, 0], state.k)
    parts["bump"].set_data(Z[:, 0], np.clip(state.bump, -9, 9))
    for name, (place, *ends) in (("gap", state.widest), ("gap_bump", state.widest_bump)):
        bar, length = parts[name]
        bar.set_data([place, place], ends)
        length.set_text(f"largest gap {abs(ends[0] - ends[1]):.3f}")


def readout(state):
    return {
        "degree p": state.p,
        "gap to eᵗ for |t| ≤ 2": amount(state.gap),
        "gap to the Gaussian": amount(state.gap_bump),
        "there |t| = |xz|/σ²": short(abs(state.x * state.widest_bump[0]) / state.sigma**2, 2),
    }


def tell_powers(state, x, y):
    return f"t = {read_off(x)}: eᵗ = {read_off(np.exp(x))}, dashed {read_off((1 + x / state.p) ** state.p)}"


def tell_bumps(state, x, y):
    k, bump = (np.interp(x, Z[:, 0], curve) for curve in (state.k, state.bump))
    return f"z = {read_off(x)}: k = {read_off(k)}, dashed {read_off(bump)}"


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
        Slider("p", "degree p", 10, 1, 100, 1),
        Slider("x", "point x", 1.0, 0.0, 3.0, 0.05),
        Slider("sigma", "width σ", 1.0, 0.5, 2.0, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left eᵗ in green and the polynomial (1 + t/p)ᵖ, dashed, over t = xz/σ². On the right, over z, the "
    "Gaussian bump around x in green and the polynomial kernel, dashed. A black bar in each picture is the largest "
    "gap, on the left within the shaded |t| ≤ 2.",
    code=code,
    tell={"powers": tell_powers, "bumps": tell_bumps},
    motion=True,
    film=("p",),
    scenes={
        "Degree 20": {"p": 20},
        "A straight line": {"p": 1},
        "Degree 100": {"p": 100},
        "Degree 100, far out": {"p": 100, "x": 3.0},
    },
    question=Question(
        "p grows from 10 to 100, while x moves from 1 to 3. How near to the Gaussian is the polynomial kernel then?",
        ("about ten times as near", "not even as near as now", "about as near as now"),
        1,
        "(1 + t/p)ᵖ ≈ eᵗ·(1 − t²/2p). Near z = x, t = x²/σ² grows from 1 to 9, far beyond the right end of the left "
        "picture. So t² becomes 81 times as large, and p only ten times.",
        scene="Degree 100, far out",
    ),
)
