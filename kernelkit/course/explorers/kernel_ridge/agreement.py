"""Notebook 03. Primal, dual and kernel ridge: one model."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.ridge_curves import GRID
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Boxes, Dots, Line, Text
from kernelkit.course.panel.numbers import amount, short
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.latex import plain

COLOURS = INK, PURPLE, GREEN  # of the three forms
PALE = "#BBBBBB", "#9FD6C4"
LIMITS = {"cubic": 3.4, "sine": 1.7, "step": 1.7}  # of y: every point is inside
DEGREES = range(9)  # of the features


def _sample(data, n):
    X, y = getattr(datasets, data)(n)
    return X / 3, y


def compute(data, degree, n, lam):
    X, y = _sample(data, n)
    k = Polynomial(degree)
    phi = k.feature_map()
    models = [PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)]
    curves = np.array([model.fit(X, y).predict(GRID[:, None]) for model in models])
    w, recovered = models[0].w_, models[2].primal_weights(phi)
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        curves=curves,
        apart=float(max(np.ptp(curves, axis=0).max(), np.abs(w - recovered).max())),
        w=w,
        names=phi.names_from(["x"]),
        recovered=recovered,
        error=float(np.sqrt(np.mean((models[2].predict(X) - y) ** 2))),
    )


def picture(s):
    return [[_curves(s), _systems(s), _weights(s)]]


def _curves(s):
    primal, dual, kernel = s.curves
    high = LIMITS[s.data]
    return Axes(
        "",
        Axis("$x$", -1.05, 1.05, (-1, 0, 1)),
        Axis("", -high, high, range(-int(high), int(high) + 1)),
        *_names(),
        Line(GRID, primal, COLOURS[0], width=9, alpha=0.3),
        Line(GRID, dual, COLOURS[1], width=4, style="--", tell="h({x}) = {y}"),
        Dots(GRID[::8], kernel[::8], COLOURS[2], marker="D", size=4.5, edge=COLOURS[2], rim=1),
        Dots(s.X, s.y, GREY, size=5, name="points"),
        name="ax",
        place=(0.075, 0.135, 0.5, 0.735),
    )


@cache
def _names():
    """Of the three curves, and what is beside them."""
    forms = (0.075, "primal: wide, grey"), (0.26, "dual: dashes"), (0.415, "kernel: diamonds")
    return (
        *(Text(x, 0.925, words, colour, of="figure") for (x, words), colour in zip(forms, COLOURS, strict=True)),
        Text(0.655, 0.925, "systems to solve, to scale", of="figure"),
        Text(0.655, 0.41, r"weights: grey $w$, hatched $\Phi^\top a$", of="figure"),
    )


def _systems(s):
    """The matrices of the equations, as squares whose sides are to scale; a unit is a pixel."""
    sizes, places = {"primal": len(s.w), "dual, kernel": s.n}, (0, 120)
    sides = [100 * size / max(sizes.values()) for size in sizes.values()]
    return Axes(
        "",
        Axis("", -1, 230),
        Axis("", -1, 101.6),
        Boxes(
            [(x, 0, side, side) for x, side in zip(places, sides, strict=True)],
            PALE,
            edge=INK,
            join="miter",
            name="squares",
            rim=1,
        ),
        *(
            Text(x, -9, f"{form}:\n{size} × {size}", up="top", spacing=1.3)
            for x, (form, size) in zip(places, sizes.items(), strict=True)
        ),
        place=(0.655, 0.6, 0.33, 0.27),
        bare=True,
    )


def _weights(s):
    limit, places, look = (
        standard(1.05 * np.abs(s.w).max()),
        np.arange(len(s.w)),
        {"width": 0.4, "edge": INK, "rim": 0.6},
    )
    ticks = -limit, 0, limit
    return Axes(
        "",
        Axis("power of $x$ in the feature", -0.7, len(DEGREES) - 0.3, DEGREES),
        Axis("", -limit, limit, ticks, map(short, ticks), zero=True),
        Bars(places - 0.2, s.w, PALE[0], **look),
        Bars(places + 0.2, s.recovered, PALE[1], hatch="////", **look),
        name="bars",
        place=(0.655, 0.135, 0.33, 0.25),
    )


def readout(state):
    return {
        "equations, primal form": len(state.w),
        "equations, dual and kernel forms": state.n,
        "curves and weights differ by": amount(state.apart, 6),
        "distance from the points": f"{state.error:.2f}",
    }


def _tell_weight(state, x, y):
    i = round(x)
    return f"weight of {plain(state.names[i])}: {short(state.w[i])}, twice" if 0 <= i < len(state.w) else ""


code = """
import numpy as np
from kernelkit import *
from kernelkit import datasets

X, y = datasets.{data}({n})
X = X / 3  # into [−1, 1]
Z = np.linspace(-1, 1, 161)[:, None]
k = Polynomial({degree})
phi, lam = k.feature_map(), {lam!r}
models = PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)
curves = [model.fit(X, y).predict(Z) for model in models]
print(np.ptp(curves, axis=0).max())
print(models[0].w_, models[2].primal_weights(phi))
"""

agreement = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
    Slider("degree", "degree p", 3, 1, 8, 1),
    Slider("n", "points n", 20, 5, 80, 1),
    Slider("lam", "λ", 0.1, 1e-3, 100.0, 0.05, log=True),
    title="Primal, dual and kernel ridge: one model",
    shows="On the left the points over x and three curves on top of one another: a wide grey band, dashes and "
    "diamonds for the primal, dual and kernel forms. On the right the systems to solve as squares, to scale, and "
    "below them the weights w next to Φᵀa, in pairs of bars. The distance is a root mean square.",
    tell={"bars": _tell_weight},
    film=("lam",),
    scenes={
        "Many points": {"n": 80},
        "More features than points": {"degree": 8, "n": 5},
        "Straight line": {"degree": 1, "data": "step"},
        "Sine, degree 7": {"n": 80, "data": "sine", "degree": 7, "lam": 0.01},
        "Strong λ": {"lam": 100.0},
    },
    question=NoQuestion(because="the text just above asks whether 80 weights still draw a cubic"),
)
