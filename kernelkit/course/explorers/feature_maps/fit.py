"""Notebook 01. A linear model draws a curve."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.polynomial_models import weights
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Segments
from kernelkit.course.panel.numbers import amount
from kernelkit.course.plots import GREEN, GREY, INK

GRID = np.linspace(-1, 1, 161)
CURVES = {"sine": datasets.sine, "cubic": datasets.cubic, "step": datasets.step}


def compute(data, degree, lam, n, noise):
    X, y = CURVES[data](n, noise)
    true_x, true_y = CURVES[data](300, 0.0, random_state=1)
    model = PrimalRidge(Monomials(degree), lam).fit(X / 3, y)
    clean = CURVES[data](n, 0.0)[1]
    at, off = model.predict(X / 3), model.predict(true_x / 3) - true_y
    return SimpleNamespace(
        x=X[:, 0] / 3,
        y=y,
        true_x=true_x[:, 0] / 3,
        true_y=true_y,
        h=model.predict(GRID[:, None]),
        at=at,
        w=model.w_,
        names=Monomials(degree).names_from(["x"]),
        training=float(np.sqrt(np.mean((at - y) ** 2))),
        scatter=float(np.sqrt(np.mean((y - clean) ** 2))),
        truth=float(np.sqrt(np.mean(off**2))),
    )


def picture(s):
    curve = Axes(
        "the fit $h$ (solid), the points, the true curve (dashed)",
        Axis("$x$", -1.05, 1.05, (-1, -0.5, 0, 0.5, 1)),
        Axis("", -3.2, 3.2, range(-3, 4)),
        Segments((s.x, s.y), (s.x, s.at), GREY),
        Line(s.true_x, s.true_y, GREY, width=1.8, style="--"),
        Line(GRID, s.h, GREEN, width=2.6, tell="h({x}) = {y}"),
        Dots(s.x, s.y, INK, size=5.5, edge=INK, rim=1),
        name="curve",
        width=8,
    )
    return [[curve, weights(s.w, s.names, longest="√924·x¹²", width=3)]]


def readout(s):
    return {
        "weights": len(s.w),
        "distance from the points": amount(s.training),
        "distance from the true curve": amount(s.truth),
        "true curve from the points": amount(s.scatter),
    }


code = """
from kernelkit import *
from kernelkit import datasets

X, y = datasets.{data}(n={n}, noise={noise:g})
model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X / 3, y)
print(model.feature_map.names(1))
print(model.w_.round(3))
print(((model.predict(X / 3) - y) ** 2).mean() ** 0.5)
"""

fit = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
    Slider("degree", "degree p", 1, 1, 12, 1),
    Slider("lam", "penalty λ", 1e-6, 1e-6, 10.0, 0.25, log=True),
    Slider("n", "points n", 20, 6, 60, 1, more=True),
    Slider("noise", "noise", 0.3, 0.0, 0.6, 0.05, more=True),
    title="A linear model draws a curve",
    shows="On the left the points over x, the green curve of the fit, the dashed true curve, and a thin line from "
    "each point to the fit. On the right a bar for the weight of each feature. Distances are root mean squares.",
    film=("degree",),
    scenes={
        "Just right": {"degree": 3},
        "Degree 12": {"degree": 12},
        "Too wild": {"degree": 12, "n": 13},
        "A little λ": {"degree": 12, "n": 13, "lam": 0.01},
        "A sine": {"data": "sine", "degree": 7, "n": 30, "noise": 0.1},
        "A jump": {"data": "step", "degree": 9, "n": 40, "noise": 0.1},
    },
    question=Question(
        "The dashed curve has degree 3. Which degree of the fit comes nearest to the points themselves?",
        ("degree 1, the simplest", "degree 3, the right one", "degree 12, the largest"),
        2,
        "Degree 1 misses the points by 0.841, degree 3 by 0.174 and degree 12 by 0.106. A polynomial of degree 11 is "
        "also one of degree 12, with a weight 0, so the best fit to the points cannot get worse with the degree. The "
        "distance from the true curve can: it is 0.132 at degree 3 and 0.404 at degree 12.",
        scene="Degree 12",
    ),
)
