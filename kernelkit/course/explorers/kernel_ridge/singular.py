"""Notebook 03. Singular K, and λ → 0."""

from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Polynomial, datasets
from kernelkit.course.explorers.drawing.ridge_curves import GRID
from kernelkit.course.panel.controls import NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, HLine, Line, Segments, Text, powers_of_ten, signed
from kernelkit.course.panel.numbers import THIN, short, tens
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREEN, GREY, PURPLE, sign_colours

FLOOR = 1e-10  # eigenvalues below are drawn on this line
SIZES = powers_of_ten("", FLOOR / 5, 2e3, lambda v: "1" if v == 1 else tens(round(np.log10(v))), most=4)


def compute(n, degree, noise, lam, shift):
    X, y = datasets.cubic(n, noise)
    X, k = X / 3, Polynomial(degree)
    K, D = k(X), k.feature_map().dim(1)
    model = KernelRidge(k, lam).fit(X, y)
    values, U = np.linalg.eigh(K)
    rank = min(n, D)  # the points are distinct, so no other rank is possible
    flat = U[:, : n - rank]  # Kv = 0 for every combination v of these
    a = model.a_ + shift * flat @ (flat.T @ (-1.0) ** np.arange(n))
    h = k(GRID[:, None], X) @ a
    r, largest = y - K @ a, float(np.abs(a).max())
    return SimpleNamespace(X=X[:, 0], y=y, D=D, rank=rank, a=a, h=h, values=values[::-1], r=r, largest=largest)


def picture(s):
    rows, limit = np.arange(1, s.n + 1), standard(s.largest)
    largest = short(s.largest).replace(THIN, r"$\,$")  # in formulas no font has a thin space
    curve = Axes(
        "predictions, and what they miss",
        Axis("$x$", -1.05, 1.05, (-1, 0, 1)),
        Axis("", -4.2, 4.2, (-4, -2, 0, 2, 4)),
        Segments((s.X, s.y - s.r), (s.X, s.y), sign_colours(s.r), width=2.5, name="stems"),
        Line(GRID, s.h, tell="h({x}) = {y}"),
        Dots(s.X, s.y, GREY, size=6.5),
        width=6,
    )
    spectrum = Axes(
        "eigenvalues of $K$ by size (× is 0)",
        Axis("", 0, 21, ()),
        SIZES,
        Dots(rows[: s.rank], np.maximum(s.values[: s.rank], FLOOR), GREEN, size=6, edge=GREEN, rim=1),
        Dots(rows[s.rank :], FLOOR, GREY, marker="x", size=7, rim=2),
        HLine(s.lam, PURPLE, width=1.4, style="--"),
        Text(20.9, s.lam, "λ", PURPLE, side="right", up="bottom"),
        name="eigenvalues",
        width=5,
    )
    weights = Axes(
        f"dual weights $a_i$, the largest {largest}",
        Axis("training points, from left to right", 0, 21, (1, 5, 10, 15, 20)),
        signed("", limit, short if limit < 1e5 else _power, room="−5·10⁵"),
        Bars(rows, s.a, name="bars"),
        name="weights",
    )
    return [[curve, spectrum], [curve, weights]]


def _power(value):
    """5·10⁵, short enough for an axis."""
    digit, power = f"{abs(value):.0e}".split("e")
    sign, digit = "−" * (value < 0), "" if digit == "1" else f"{digit}·"
    return f"{sign}{digit}{tens(power)}" if value else "0"


def readout(s):
    return {
        "λ": short(s.lam),
        "features D": s.D,
        "rank of K": f"{s.rank} of {s.n}",
        "largest miss": f"{np.abs(s.r).max():.2f}",
        "largest |aᵢ|": short(s.largest),
    }


def _tell_eigenvalue(state, x, y):
    i = round(x)
    if not 1 <= i <= state.n:
        return ""
    return f"eigenvalue {i}: {short(state.values[i - 1]) if i <= state.rank else 0}"


def _tell_weight(state, x, y):
    i = round(x)
    return f"a = {short(state.a[i - 1])}" if 1 <= i <= state.n else ""


code = """
import numpy as np
from kernelkit import *
from kernelkit import datasets

X, y = datasets.cubic({n}, noise={noise!r})
X = X / 3  # into [−1, 1]
k = Polynomial({degree})
a = KernelRidge(k, lam={lam!r}).fit(X, y).a_
values, U = np.linalg.eigh(k(X))
flat = U[:, : max(0, len(X) - k.feature_map().dim(1))]  # Kv = 0 for their combinations v
a = a + {shift!r} * flat @ (flat.T @ (-1.0) ** np.arange(len(X)))
print(values[::-1])
print(a)
print(k(X) @ a - y)
"""

singular = panel(
    compute,
    picture,
    readout,
    code,
    Slider("n", "points n", 12, 2, 20, 1),
    Slider("degree", "degree p", 3, 1, 6, 1),
    Slider("noise", "noise in y", 0.3, 0.0, 0.5, 0.05),
    Slider("lam", "λ", 1.0, 1e-8, 10.0, 0.25, log=True),
    Slider("shift", "add shift · v", 0.0, 0.0, 10.0, 0.5, when=lambda v: v["n"] > v["degree"] + 1),
    title="Singular K, and λ → 0",
    shows="On the left are the targets over x, the curve h(x), and a line from each target to the curve. On the "
    "right are, above, the eigenvalues of K by size on a scale of powers of ten, with a cross where one is 0 "
    "and a dashed line at λ, and below the dual weight of each point.",
    tell={"eigenvalues": _tell_eigenvalue, "weights": _tell_weight},
    film=("lam",),
    scenes={
        "λ near 0": {"lam": 1e-6},
        "No noise": {"noise": 0.0, "lam": 1e-6},
        "n ≤ D: K invertible": {"n": 4, "lam": 1e-6},
        "Another a": {"lam": 0.01, "shift": 10.0},
    },
    question=NoQuestion(because="the text just above asks what the curve and the dual weights do"),
)
