"""Notebook 01. A linear model draws a curve."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.polynomial_models import draw_weights, tell_weight, weight_bars
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off
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
        noise=float(np.sqrt(np.mean((y - clean) ** 2))),
        truth=float(np.sqrt(np.mean(off**2))),
    )


def build(figure):
    axes = figure.subplot_mosaic([["curve", "weights"]], width_ratios=(8, 3))
    ax = axes["curve"]
    ax.set(title="the fit $h$ (solid), the points, the true curve (dashed)", xlabel="$x$")
    ax.set(xlim=(-1.05, 1.05), xticks=[-1, -0.5, 0, 0.5, 1], ylim=(-3.2, 3.2), yticks=range(-3, 4))
    return axes | {
        "misses": ax.add_collection(LineCollection([], color=GREY, linewidth=1, animated=True)),
        "true": ax.plot([], [], "--", color=GREY, animated=True, linewidth=1.8)[0],
        "fit": ax.plot([], [], "-", color=GREEN, animated=True, linewidth=2.6)[0],
        "dots": ax.plot([], [], "o", color=INK, ms=5.5, animated=True)[0],
        "bars": weight_bars(axes["weights"], "√924·x¹²"),
    }


def draw(parts, state):
    parts["true"].set_data(state.true_x, state.true_y)
    parts["fit"].set_data(GRID, state.h)
    parts["dots"].set_data(state.x, state.y)
    parts["misses"].set_segments(np.stack([np.column_stack([state.x] * 2), np.column_stack([state.y, state.at])], 2))
    draw_weights(parts["bars"], state.w, state.names)


def readout(state):
    return {
        "weights": len(state.w),
        "distance from the points": amount(state.training),
        "distance from the true curve": amount(state.truth),
        "true curve from the points": amount(state.noise),
    }


def _tell_curve(state, x, y):
    return f"h({read_off(x)}) = {read_off(np.interp(x, GRID, state.h))}"


def code(data, degree, lam, n, noise):
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}(n={n}, noise={noise:g})\n"
        f"model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X / 3, y)\n"
        "print(model.feature_map.names(1))\nprint(model.w_.round(3))\n"
        "print(((model.predict(X / 3) - y) ** 2).mean() ** 0.5)"
    )


fit = Explorer(
    title="A linear model draws a curve",
    controls=(
        Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
        Slider("degree", "degree p", 1, 1, 12, 1),
        Slider("lam", "penalty λ", 1e-6, 1e-6, 10.0, 0.25, log=True),
        Slider("n", "points n", 20, 6, 60, 1, more=True),
        Slider("noise", "noise", 0.3, 0.0, 0.6, 0.05, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the points over x, the green curve of the fit, the dashed true curve, and a thin line from "
    "each point to the fit. On the right a bar for the weight of each feature. Distances are root mean squares.",
    code=code,
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
    tell={"curve": _tell_curve, "weights": tell_weight},
)
