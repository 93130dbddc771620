"""Notebook 04. The infinite feature vector, cut off."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian
from kernelkit.panel.controls import Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed
from kernelkit.plots import GREEN, INK, ORANGE

Z = np.linspace(-4, 4, 201)[:, None]  # where the curves are drawn
CLOSE = 0.001  # "enough terms": less than this is missing


def terms_needed(ratio):
    """How many terms at z = x, for |x|/σ = ratio, until less than 0.001 of k(x, x) = 1 is missing.

    The terms φ_j(x)² = e^{−t} t^j/j! with t = (x/σ)² are Poisson probabilities.
    """
    t = ratio**2
    terms = np.exp(-t) * np.cumprod(np.append(1, t / np.arange(1, 200)))
    return int(np.argmax(np.cumsum(terms) > 1 - CLOSE)) + 1


def compute(x, sigma, terms):
    k = Gaussian(sigma)
    phi = k.feature_map(degree=terms - 1)
    at_x = phi(x)
    return SimpleNamespace(
        x=x, sigma=sigma, terms=terms, k=k(Z, [x]), cut=phi(Z) @ at_x, bound=phi.remainder([x], Z),
        missing=1 - float(at_x @ at_x), bound_at_x=phi.remainder(x, x), ratio=x / sigma, needed=terms_needed(x / sigma),
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.075, 0.14, 0.5, 0.72), xlim=(-4, 4), ylim=(-0.65, 1.45), xlabel="$z$")
    ax.set_yticks([-0.5, 0, 0.5, 1])
    ax.set_title("solid: $k(x, z)$\ndashed: the cut series, its bound shaded", size=11)
    ax.axhline(0, color=INK, linewidth=0.8)
    band = ax.add_collection(PolyCollection([], facecolor=ORANGE, alpha=0.2, linewidth=0, animated=True))
    place = ax.plot([], [], ":", color=INK, linewidth=1.2, animated=True)[0]
    letter = ax.text(0, -0.58, "$x$", size=14, color=INK, ha="center", animated=True)
    k = ax.plot(Z[:, 0], 0 * Z[:, 0], color=GREEN, linewidth=3, animated=True)[0]
    cut = ax.plot(Z[:, 0], 0 * Z[:, 0], "--", color=ORANGE, animated=True)[0]
    count = figure.add_axes((0.68, 0.14, 0.3, 0.72), xlim=(0, 6), ylim=(0, 65), xlabel=r"$|x|\,/\,\sigma$")
    count.set_title("terms needed at $z = x$\nfor an error below 0.001", size=11)
    ratios = np.linspace(0, 6, 121)
    count.plot(ratios, [terms_needed(r) for r in ratios], color=INK)
    count.text(0.4, 52, "enough", color=INK)
    count.text(3.7, 8, "too few", color=INK)
    dot = count.plot([], [], "D", ms=10, color=ORANGE, clip_on=False, animated=True)[0]
    return {"band": band, "place": place, "letter": letter, "k": k, "cut": cut, "dot": dot}


def draw(parts, state):
    parts["k"].set_ydata(state.k)
    parts["cut"].set_ydata(np.clip(state.cut, -9, 9))
    low, high = np.clip([state.cut - state.bound, state.cut + state.bound], -9, 9)
    z = Z[:, 0]
    parts["band"].set_verts([np.column_stack([np.append(z, z[::-1]), np.append(low, high[::-1])])])
    parts["place"].set_data([state.x, state.x], [-0.45, 1.3])
    parts["letter"].set_x(state.x)
    parts["dot"].set_data([state.ratio], [state.terms])


def describe(state):
    bound = f"says at most {state.bound_at_x:.4f}" if state.bound_at_x <= 1 else "is above 1 and says nothing"
    start = (
        f"x = {state.x:.2f}, σ = {state.sigma:.2f}, so |x|/σ = {state.ratio:.2f}. At z = x the first {state.terms} "
        f"term{'s' * (state.terms > 1)} add up to {1 - state.missing:.4f} instead of 1: {abs(state.missing):.4f} is "
        f"missing (the bound {bound}). "
    )
    if state.terms >= state.needed:
        return start + f"That is enough for an error below 0.001; {state.needed} would do."
    return start + f"An error below 0.001 takes {state.needed} terms."


def code(x, sigma, terms):
    return (
        "from kernelkit import Gaussian\n\n"
        f"x, z = {typed(x)}, 1.0\nk = Gaussian({typed(sigma)})\n"
        f"phi = k.feature_map(degree={terms - 1})  # {terms} terms\n"
        "print(phi(x) @ phi(z), k(x, z), phi.remainder(x, z))"
    )


series = Explorer(
    title="The infinite feature vector, cut off",
    controls=(
        Slider("x", "point x", 1.2, 0.0, 3.0, 0.05),
        Slider("sigma", "width σ", 1.0, 0.5, 3.0, 0.05),
        Slider("terms", "terms kept", 3, 1, 60, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "x at the origin": {"x": 0.0, "terms": 1},
        "Seven terms": {"terms": 7},
        "Far out": {"x": 3.0, "sigma": 0.5, "terms": 30},
        "Far out, enough": {"x": 3.0, "sigma": 0.5, "terms": 57},
    },
    question=Question(
        "Keep x and the three terms, and make σ half as wide. What happens to the cut series?",
        ("it comes closer to k", "it misses more of k", "nothing: three terms are three terms"),
        1,
        "Only x/σ enters: halving σ is the same as doubling x and z, and far from the origin more powers matter.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
