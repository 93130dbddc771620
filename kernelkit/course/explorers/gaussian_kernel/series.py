"""Notebook 04. The infinite feature vector, cut off."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off, typed
from kernelkit.course.panel.parts import curves
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

Z = np.linspace(-4, 4, 201)[:, None]  # where the curves are drawn
RATIOS = np.linspace(0, 6, 601)
CLOSE = 0.001  # "enough terms": less than this is missing


def terms_needed(ratio):
    """How many terms at z = x, for |x|/σ = ratio, until less than 0.001 of k(x, x) = 1 is missing.

    The terms φ_j(x)² = e^{−m} m^j/j! with m = (x/σ)² are Poisson probabilities of mean m.
    """
    m = ratio**2
    terms = np.exp(-m) * np.cumprod(np.append(1, m / np.arange(1, 200)))
    return int(np.argmax(np.cumsum(terms) > 1 - CLOSE)) + 1


def compute(x, sigma, terms):
    k = Gaussian(sigma)
    phi = k.feature_map(degree=terms - 1)
    at_x = phi(x)
    return SimpleNamespace(
        x=x,
        sigma=sigma,
        terms=terms,
        k=k(Z, [x]),
        cut=phi(Z) @ at_x,
        bound=phi.remainder([x], Z),
        sum_at_x=float(at_x @ at_x),
        bound_at_x=phi.remainder(x, x),
        ratio=x / sigma,
        needed=terms_needed(x / sigma),
    )


def build(figure):
    axes = figure.subplot_mosaic([["curves", "count"]], width_ratios=(2, 1))
    return axes | _build_curves(axes["curves"]) | {"dot": _build_count(axes["count"])}


def _build_curves(ax):
    ax.set(xlim=(-4, 4), ylim=(-0.65, 1.45), xlabel="$z$", yticks=[-0.5, 0, 0.5, 1])
    ax.axhline(0, color=INK, linewidth=0.8)
    band = ax.add_collection(PolyCollection([], facecolor=PURPLE, alpha=0.16, linewidth=0, animated=True))
    place = ax.plot([], [], ":", color=INK, linewidth=1.2, animated=True)[0]
    wide, dashed = {"color": GREEN, "linewidth": 3}, {"color": PURPLE, "linestyle": "--", "linewidth": 2.4}
    k, cut = curves(ax, {"$k(x, z)$": wide, "the cut series; shaded: where $k$ can lie": dashed}).values()
    return {
        "band": band,
        "place": place,
        "letter": ax.text(0, -0.59, "$x$", ha="center", animated=True),
        "k": k,
        "cut": cut,
        "missing": ax.plot([], [], color=INK, linewidth=3.5, solid_capstyle="butt", animated=True)[0],
        "lost": ax.text(0, 1.2, "", color=INK, ha="center", animated=True),
    }


def _build_count(ax):
    needed = [terms_needed(r) for r in RATIOS]
    ax.set(xlim=(0, 6), ylim=(0, 65), xlabel=r"$|x|\,/\,\sigma$")
    ax.set_title("terms needed at $z = x$ for\nan error below 0.001; ♦: now")
    ax.plot(RATIOS, needed, color=INK)
    ax.fill_between(RATIOS, needed, color=GREY, alpha=0.15, linewidth=0)
    ax.text(0.4, 52, "enough", color=INK)
    ax.text(3.6, 8, "too few", color=INK)
    return ax.plot([], [], "D", ms=10, color=PURPLE, mec="white", clip_on=False, animated=True)[0]


def draw(parts, state):
    z = Z[:, 0]
    parts["k"].set_data(z, state.k)
    parts["cut"].set_data(z, np.clip(state.cut, -9, 9))
    low, high = np.clip([state.cut - state.bound, state.cut + state.bound], -9, 9)
    parts["band"].set_verts([np.column_stack([np.append(z, z[::-1]), np.append(low, high[::-1])])])
    parts["place"].set_data([state.x, state.x], [-0.45, 1.15])
    parts["letter"].set_x(state.x)
    parts["missing"].set_data([state.x, state.x], [state.sum_at_x, 1])
    parts["lost"].set(text=f"missing: {_small(1 - state.sum_at_x)}", x=min(state.x, 2.4))
    parts["dot"].set_data([state.ratio], [state.terms])


def _small(amount):
    """An amount to four decimals, or to six where four make it 0.001; what is smaller is said, not shown as 0."""
    if amount >= 0.00005:
        return f"{amount:.6f}" if amount < 0.001 <= round(amount, 4) else f"{amount:.4f}"
    return "less than 0.0001" if amount >= 1e-6 else "less than a millionth"


def readout(state):
    return {
        "|x|/σ": f"{state.ratio:.2f}",
        "terms": state.terms,
        "missing at z = x": amount(1 - state.sum_at_x, 6),
        "bound for it": amount(state.bound_at_x, 6),
        "terms for less than 0.001": state.needed,
    }


def tell_curves(state, x, y):
    k, cut = (np.interp(x, Z[:, 0], curve) for curve in (state.k, state.cut))
    return f"z = {read_off(x)}: k = {read_off(k)}, series {read_off(cut)}"


def tell_count(state, x, y):
    return f"|x|/σ = {read_off(x)}: {terms_needed(max(x, 0))} terms"


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
    readout=readout,
    shows="On the left, over z, the bump k(x, z) in green, the sum of the first terms dashed in purple, and a shaded "
    "band where k can lie; the black bar is what is missing at z = x. On the right the number of terms that an error "
    "below 0.001 needs at z = x, over |x|/σ, with a diamond at the present choice.",
    code=code,
    tell={"curves": tell_curves, "count": tell_count},
    film=("terms",),
    scenes={
        "σ half as wide": {"sigma": 0.5},
        "Seven terms": {"terms": 7},
        "A millionth": {"terms": 11},
        "x at the origin": {"x": 0.0, "terms": 1},
        "Far out": {"x": 3.0, "sigma": 0.5, "terms": 30},
        "Far out, enough": {"x": 3.0, "sigma": 0.5, "terms": 57},
    },
    question=Question(
        "At z = x, where k = 1, less than 0.001 is missing after seven terms. After how many terms is less than "
        "0.000001 missing?",
        ("11, four more", "70, ten times as many", "7000, a thousand times as many"),
        0,
        "Term j, counted from 0, is the term before times (x/σ)²/j, which is 1.44/j here. With four more terms the "
        "first missing one is smaller by the factors 1.44/8, 1.44/9, 1.44/10 and 1.44/11. Together these are less "
        "than a thousandth, so 11 terms are enough.",
        scene="A millionth",
    ),
)
