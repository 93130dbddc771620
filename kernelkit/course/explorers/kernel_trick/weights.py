"""Notebook 02. Do the constants matter?"""

from functools import cache
from math import comb
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Line, Segments, Text
from kernelkit.course.panel.numbers import amount, read_off, short
from kernelkit.course.plots import GREEN, GREY, PURPLE
from kernelkit.features import Function

GRID = np.linspace(-1, 1, 161)[:, None]
SEEN = 0.05  # the largest difference is marked if it is larger
DATA = {"sine": datasets.sine, "cubic": datasets.cubic, "step": datasets.step}


def plain_monomials(p):
    """Φ(x) = (1, x, …, x^p) for one input, without any weights."""
    return Function(lambda X: X ** np.arange(p + 1))


def compute(data, p, lam):
    X, y = DATA[data](30, 0.15, random_state=1)
    X = X / 3
    weighted = KernelRidge(Polynomial(p), lam).fit(X, y).predict(GRID)
    plain = PrimalRidge(plain_monomials(p), lam).fit(X, y).predict(GRID)
    root = np.sqrt([comb(p, j) for j in range(p + 1)])
    return SimpleNamespace(X=X, y=y, weighted=weighted, plain=plain, root=root)


def picture(s):
    x, reach = GRID[:, 0], 2 if np.abs(s.y).max() < 2.2 else 3  # limits that seldom move: for flat and for steep data
    most, high = (5, 4) if s.p <= 5 else (9, 12)
    curves = Axes(
        "two fits of the same polynomials",
        Axis("$x$", -1.05, 1.05, (-1, -0.5, 0, 0.5, 1)),
        Axis("", -1.1 * reach, 1.1 * reach, range(-reach, reach + 1)),
        *_names(),
        Segments((x, s.weighted), (x, s.plain), "#D5D5D5", width=3),
        Dots(s.X[:, 0], s.y, GREY, size=5, edge=GREY, rim=1),
        Line(x, s.weighted, GREEN, width=2.6),
        Line(x, s.plain, PURPLE, width=2.2, style="--"),
        *_gap(s),
        name="curves",
        place=(0.065, 0.135, 0.55, 0.775),
    )
    bars = Axes(
        "constant of $x^j$ in Φ",
        Axis("power $j$ of $x$", -0.7, most + 0.7, range(most + 1)),
        Axis("", 0, high, range(0, high + 1, high // 4)),
        Bars(range(s.p + 1), s.root, GREEN, width=0.8),
        Line((-0.5, s.p + 0.5), 1, PURPLE, style="--"),
        name="bars",
        place=(0.69, 0.135, 0.295, 0.775),
    )
    return [[curves, bars]]


@cache
def _names():
    return (
        Text(0.03, 0.95, "constants from $(xz+1)^p$: solid", GREEN, up="center", of="axes"),
        Text(0.03, 0.88, r"plain $1, x, \ldots, x^p$: dashed", PURPLE, up="center", of="axes"),
    )


def _gap(s):
    """A bar from one fit to the other where they are farthest apart, if that is seen."""
    i = np.abs(s.weighted - s.plain).argmax()
    x, both = GRID[[i, i], 0], (s.weighted[i], s.plain[i])
    if abs(both[0] - both[1]) <= SEEN:
        return None, None
    return Line(x, both, width=1.6, name="gap"), Dots(x, both, marker="_", size=9, rim=1.6)


def readout(state):
    return {
        "degree p": state.p,
        "λ": short(state.lam),
        "largest difference of the fits": amount(np.abs(state.weighted - state.plain).max()),
        "largest constant in Φ": f"√{comb(state.p, state.p // 2)} ≈ {state.root.max():.2f}",
    }


def _tell_curves(state, x, y):
    both = [np.interp(x, GRID[:, 0], h) for h in (state.weighted, state.plain)]
    return f"solid {read_off(both[0])}, dashed {read_off(both[1])}"


def _tell_constant(state, x, y):
    j = int(np.clip(round(x), 0, state.p))
    return f"√{comb(state.p, j)} ≈ {state.root[j]:.2f}"


code = """
import numpy as np
from kernelkit import KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.features import Function

X, y = datasets.{data}(30, 0.15, random_state=1)
X = X / 3
weighted = KernelRidge(Polynomial({p}), {lam!r}).fit(X, y)
plain = PrimalRidge(Function(lambda X: X ** np.arange({p} + 1)), {lam!r}).fit(X, y)
print(weighted.predict([[0.5]]), plain.predict([[0.5]]))
"""

weights = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "sine", tuple(DATA)),
    Slider("p", "degree p", 5, 1, 9, 1),
    Slider("lam", "penalty λ", 1.0, 1e-6, 100.0, 0.1, log=True),
    title="Do the constants matter?",
    shows="On the left the points over x and two fits of polynomials: solid with the constants of the kernel in Φ, "
    "dashed with plain powers. Grey lines join them, and where they are clearly apart, a black bar marks the largest "
    "difference. On the right the constant of each power of x, with a dashed line at 1.",
    film=("lam",),
    scenes={
        "Almost no penalty": {"lam": 1e-6},
        "Strong penalty": {"lam": 10.0},
        "Degree 1": {"p": 1},
    },
    question=NoQuestion(because="the text just above asks when the two fits agree"),
    tell={"curves": _tell_curves, "bars": _tell_constant},
    motion=True,
)
