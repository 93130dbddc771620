"""Notebook 04. Which partial sums are kernels?"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, HSpan, Line, Segments, Text
from kernelkit.course.panel.numbers import read_off, short
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

R = np.linspace(0, 4, 161)
REACHES = np.linspace(0.05, 2, 79)
TALL = 3  # where the axis of the sums ends
FLOOR = 2.3  # where the axis of the eigenvalues ends below
ZERO = 1e-11  # an eigenvalue this small is only rounding


def exponential_sum(t, degree):
    """Σ_{j ≤ degree} t^j/j!, entry by entry."""
    term, total = np.ones_like(t), np.ones_like(t)
    for j in range(1, degree + 1):
        term = term * t / j
        total = total + term
    return total


def eigenvalues(degree, reach, count):
    """Of the Gram matrices of points from −reach to reach, the correct split and the sum in r²: (2, count), rising."""
    X = np.linspace(-reach, reach, count)
    f = np.exp(-(X**2) / 2)
    in_r2 = exponential_sum(-((X[:, None] - X) ** 2) / 2, degree)
    split = np.outer(f, f) * exponential_sum(np.outer(X, X), degree)
    found = np.linalg.eigvalsh([split, in_r2])
    return np.where(np.abs(found) > ZERO, found, 0)


def compute(degree, spread, count):
    split, in_r2 = eigenvalues(degree, spread, count)
    gaps = 2 * spread * np.arange(1, count) / (count - 1)
    cut, entries = (exponential_sum(-(r**2) / 2, degree) for r in (R, gaps))
    lowest = np.array([eigenvalues(degree, reach, count)[:, 0] for reach in REACHES]).T
    return SimpleNamespace(in_r2=in_r2, split=split, cut=cut, gaps=gaps, entries=entries, lowest=lowest)


EDGE = {"size": 10, "rim": 1, "clip": False}  # of the picture, where those are that lie beyond it


def picture(s):
    return [[_sums(s), _lowest(s)]]


def _sums(s):
    inside = np.abs(s.entries) <= TALL
    return Axes(
        "",
        Axis(r"distance $r$, in units of $\sigma$", 0, 4, range(5)),
        Axis("", -TALL, TALL),
        *_kernel(),
        Line(R, np.clip(s.cut, -99, 99), PURPLE, width=2.4, style="--", label="sum in $r^2$"),
        Segments((s.gaps, 0), (s.gaps, s.entries), width=1.2),
        Dots(s.gaps[inside], s.entries[inside], size=9, rim=1, clip=False, label="pairs"),
        Dots(s.gaps[s.entries < -TALL], 0.2 - TALL, marker="v", **EDGE),
        Dots(s.gaps[s.entries > TALL], TALL - 0.2, marker="^", **EDGE),
        name="sums",
        place=(0.07, 0.145, 0.4, 0.75),
    )


@cache
def _kernel():
    """The Gaussian, and where each kernel stays."""
    return [
        HSpan(-1, 1, GREY, alpha=0.13),
        HLine(0),
        Text(3.95, -0.93, "kernels stay here", INK, side="right", up="bottom"),
        Line(R, np.exp(-(R**2) / 2), GREEN, width=3, label="$k$"),
    ]


def _lowest(s):
    now = s.split[0], s.in_r2[0]
    split, in_r2 = np.clip(s.lowest, -99, 99)
    return Axes(
        "",
        Axis("points from −reach to reach", 0, 2.1, (0, 0.5, 1, 1.5, 2)),
        Axis("smallest eigenvalue", -FLOOR, 1.7, (-2, -1, 0, 1)),
        HSpan(-9, 0, GREY, alpha=0.13),
        HLine(0),
        Text(0.05, -FLOOR + 0.1, "below 0: not a kernel", INK),
        Line(REACHES, split, GREEN, width=3, label="correct split"),
        Line(REACHES, in_r2, PURPLE, width=2.4, style="--", label="sum in $r^2$"),
        *_now(s.spread, now[0], GREEN),
        *_now(s.spread, now[1], PURPLE),
        Text(0.05, 1.45, f"smallest eigenvalue {short(now[0], 4)}", GREEN),
        Text(0.05, 1.17, f"smallest eigenvalue {short(now[1], 4)}", PURPLE),
        name="lowest",
        place=(0.565, 0.145, 0.42, 0.75),
    )


def _now(spread, value, colour):
    """A diamond on a curve, or at the edge of the picture an arrow to it."""
    place, look = (spread, max(value, 0.2 - FLOOR), colour), {"size": 11, "rim": 1}
    inside = value > -FLOOR
    return [
        Dots(*place, marker="D", **look) if inside else None,
        None if inside else Dots(*place, marker="v", **look),
    ]


def readout(state):
    return {
        "degree m": state.degree,
        "points": f"{len(state.in_r2)} from −{state.spread:.2f} to {state.spread:.2f}",
        "smallest eigenvalue, sum in r²": short(state.in_r2[0], 4),
        "correct split": short(state.split[0], 4),
    }


def tell_sums(state, x, y):
    return f"r = {read_off(x)}: k = {read_off(np.exp(-(x**2) / 2))}, sum {read_off(np.interp(x, R, state.cut))}"


def tell_lowest(state, x, y):
    split, in_r2 = (np.interp(x, REACHES, lowest) for lowest in state.lowest)
    return f"reach {read_off(x)}: {read_off(in_r2)}, correct split {read_off(split)}"


code = """
import numpy as np
from math import factorial
from kernelkit import Gaussian

X = np.linspace(-{spread!r}, {spread!r}, {count})[:, None]
s = (X - X.T) ** 2 / 2
in_r2 = sum((-s) ** j / factorial(j) for j in range({degree} + 1))
Phi = Gaussian(1.0).feature_map(degree={degree})(X)
print(np.linalg.eigvalsh(in_r2)[0])
print(np.linalg.eigvalsh(Phi @ Phi.T)[0])     # 0 up to rounding
"""

signs = panel(
    compute,
    picture,
    readout,
    code,
    Slider("degree", "up to degree m", 2, 0, 7, 1),
    Slider("spread", "reach", 0.9, 0.2, 2.0, 0.05),
    Slider("count", "points n", 3, 2, 9, 1),
    title="Which partial sums are kernels?",
    shows="On the left, over the distance r in units of σ, the Gaussian in green and the sum in r², dashed, with a "
    "dot for each distance of two points; the shaded strip is where kernels stay. On the right the smallest "
    "eigenvalue of the Gram matrix over how far the points reach: green for the correct split, dashed purple for the "
    "sum in r².",
    tell={"sums": tell_sums, "lowest": tell_lowest},
    film=("degree",),
    scenes={
        "Linear term": {"degree": 1},
        "Linear, two points": {"degree": 1, "count": 2},
        "Two far apart": {"degree": 2, "spread": 1.5, "count": 2},
        "Looks fine": {"degree": 6},
        "…pulled apart": {"degree": 6, "spread": 2.0},
    },
    question=Question(
        "The series in r² is cut to 1 − r²/2σ². Which three points on a line give its Gram matrix a negative "
        "eigenvalue?",
        ("any three, however close", "only three that span more than 2σ", "only three that span less than 2σ"),
        0,
        "Any three do. A Φ for it would keep all distances, as r/σ, so it would put three points on a straight line. "
        "But all would have length 1, and a line meets a sphere in two points at most. With only two points it takes "
        "r > 2σ.",
        scene="Linear term",
    ),
)
