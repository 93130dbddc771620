"""Notebook 04. The infinite feature vector, cut off."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Fill, HLine, Line, Text
from kernelkit.course.panel.numbers import amount, read_off
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

Z = np.linspace(-4, 4, 201)[:, None]  # where the curves are drawn
RATIOS = np.linspace(0, 6, 601)
SERIES = "the cut series; shaded: where $k$ can lie"
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
        k=k(Z, [x]),
        cut=phi(Z) @ at_x,
        bound=phi.remainder([x], Z),
        sum_at_x=float(at_x @ at_x),
        bound_at_x=phi.remainder(x, x),
        ratio=x / sigma,
        needed=terms_needed(x / sigma),
    )


def picture(s):
    z = Z[:, 0]
    low, high = np.clip([s.cut - s.bound, s.cut + s.bound], -9, 9)
    curves = Axes(
        "",
        Axis("$z$", -4, 4),
        Axis("", -0.65, 1.45, (-0.5, 0, 0.5, 1)),
        HLine(0),
        Fill(z, high, PURPLE, low=low),
        Line(s.x, [-0.45, 1.15], width=1.2, style=":"),
        Line(z, s.k, GREEN, width=3, label="$k(x, z)$"),
        Line(z, np.clip(s.cut, -9, 9), PURPLE, width=2.4, style="--", label=SERIES),
        Line(s.x, [s.sum_at_x, 1], width=3.5, cap="butt"),
        Text(s.x, -0.59, "$x$", side="center"),
        Text(min(s.x, 2.4), 1.2, f"missing: {_small(1 - s.sum_at_x)}", INK, side="center", name="missing"),
        name="curves",
        width=2,
    )
    count = Axes(
        "terms needed at $z = x$ for\nan error below 0.001; ♦: now",
        Axis(r"$|x|\,/\,\sigma$", 0, 6),
        Axis("", 0, 65),
        *_enough(),
        Dots(s.ratio, s.terms, PURPLE, marker="D", size=10, rim=1, clip=False),
        name="count",
    )
    return [[curves, count]]


@cache
def _enough():
    """Over |x|/σ the terms that are needed."""
    needed = [terms_needed(ratio) for ratio in RATIOS]
    return [
        Fill(RATIOS, needed, GREY, alpha=0.15),
        Line(RATIOS, needed),
        Text(0.4, 52, "enough", INK),
        Text(3.6, 8, "too few", INK),
    ]


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
        f"x, z = {x!r}, 1.0\nk = Gaussian({sigma!r})\n"
        f"phi = k.feature_map(degree={terms - 1})  # {terms} terms\n"
        "print(phi(x) @ phi(z), k(x, z), phi.remainder(x, z))"
    )


series = panel(
    compute,
    picture,
    readout,
    code,
    Slider("x", "point x", 1.2, 0.0, 3.0, 0.05),
    Slider("sigma", "width σ", 1.0, 0.5, 3.0, 0.05),
    Slider("terms", "terms kept", 3, 1, 60, 1),
    title="The infinite feature vector, cut off",
    shows="On the left, over z, the bump k(x, z) in green, the sum of the first terms dashed in purple, and a shaded "
    "band where k can lie; the black bar is what is missing at z = x. On the right the number of terms that an error "
    "below 0.001 needs at z = x, over |x|/σ, with a diamond at the present choice.",
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
