"""Notebook 04. From polynomial kernels to the Gaussian kernel."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, HLine, Line, Text, VSpan
from kernelkit.course.panel.numbers import amount, read_off, short
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
        power=power,
        bump=bump,
        k=k,
        widest=widest,
        widest_bump=widest_bump,
        gap=abs(widest[1] - widest[2]),
        gap_bump=abs(widest_bump[1] - widest_bump[2]),
    )


WIDE, DASHED = {"width": 3}, {"width": 2.4, "style": "--"}


def picture(s):
    powers = Axes(
        "",
        Axis(r"$t = xz/\sigma^2$", -4, 2.5),
        Axis("", -3.4, 13),
        *_exponential(),
        Line(T, np.clip(s.power, -99, 99), PURPLE, **DASHED, label="$(1 + t/p)^p$"),
        *_measured(s.widest, 1.75, 7.5, "right"),  # widest at t = 2, for every p
        name="powers",
    )
    bumps = Axes(
        "",
        Axis("$z$", -4, 4, (-4, -2, 0, 2, 4)),
        Axis("", -0.65, 1.45, (-0.5, 0, 0.5, 1)),
        HLine(0),
        Line(s.x, [-0.45, 1.3], width=1.2, style=":"),
        Line(Z[:, 0], s.k, GREEN, **WIDE, label="$k(x, z)$"),
        Line(Z[:, 0], np.clip(s.bump, -9, 9), PURPLE, **DASHED, label=r"$f(x)\,(1 + t/p)^p f(z)$"),
        *_measured(s.widest_bump, -3.8, 1.25, "left"),
        Text(s.x, -0.59, "$x$", side="center"),
        name="bumps",
    )
    return [[powers, bumps]]


@cache
def _exponential():
    return [
        VSpan(-2, 2, GREY, alpha=0.12),
        HLine(0),
        Text(-1.9, 12, r"$|t| \leq 2$", INK),
        Line(T, np.exp(T), GREEN, **WIDE, label="$e^t$"),
    ]


def _measured(widest, x, y, side):
    """A bar where two curves are farthest apart, and its length in words."""
    place, one, other = widest
    words = f"largest gap {abs(one - other):.3f}"
    return Line(place, [one, other], width=3.5, cap="butt"), Text(x, y, words, INK, side=side)


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


code = """
from kernelkit import Gaussian, Linear
from kernelkit.kernels import Bell, Conjugate

p, sigma, x, z = {p}, {sigma!r}, {x!r}, 1.0
polynomial = (1 / (p * sigma**2) * Linear() + 1) ** p
k_p = Conjugate(Bell(sigma), polynomial)
print(k_p(x, z), Gaussian(sigma)(x, z))
"""

limit = panel(
    compute,
    picture,
    readout,
    code,
    Slider("p", "degree p", 10, 1, 100, 1),
    Slider("x", "point x", 1.0, 0.0, 3.0, 0.05),
    Slider("sigma", "width σ", 1.0, 0.5, 2.0, 0.05),
    title="From polynomial kernels to the Gaussian kernel",
    shows="On the left eᵗ in green and the polynomial (1 + t/p)ᵖ, dashed, over t = xz/σ². On the right, over z, the "
    "Gaussian bump around x in green and the polynomial kernel, dashed. A black bar in each picture is the largest "
    "gap, on the left within the shaded |t| ≤ 2.",
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
