"""Notebook 01. A linear model draws a curve."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.explorers.shared.polynomial_models import draw_weights, weight_axes
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import GREEN, GREY, INK

GRID = np.linspace(-1, 1, 161)
CURVES = {"sine": datasets.sine, "cubic": datasets.cubic, "step": datasets.step}


def compute(data, degree, lam, n, noise):
    X, y = CURVES[data](n, noise)
    true_x, true_y = CURVES[data](300, 0.0, random_state=1)
    model = PrimalRidge(Monomials(degree), lam).fit(X / 3, y)
    miss, off = model.predict(X / 3) - y, model.predict(true_x / 3) - true_y
    return SimpleNamespace(
        x=X[:, 0] / 3, y=y, true_x=true_x[:, 0] / 3, true_y=true_y, h=model.predict(GRID[:, None]),
        w=model.w_, names=Monomials(degree).names_from(["x"]), degree=degree, lam=lam,
        training=float(np.sqrt(np.mean(miss**2))), truth=float(np.sqrt(np.mean(off**2))),
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.52, 0.75))
    ax.set(xlim=(-1.05, 1.05), ylim=(-3.2, 3.2), xlabel="$x$", xticks=[-1, 0, 1], yticks=[-3, 0, 3])
    ax.set_ylabel("$y$", rotation=0)
    ax.yaxis.set_label_coords(-0.06, 0.75)
    ax.set_title("points, true curve (dashed), fit")
    true = ax.plot([], [], "--", color=GREY, animated=True, linewidth=1.6)[0]
    fit = ax.plot([], [], "-", color=GREEN, animated=True, linewidth=2.5)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True)[0]
    weights, bars = weight_axes(figure, (0.74, 0.13, 0.23, 0.75))
    weights.set_title("weights $w$", x=0.5, ha="center")
    return {"axes": ax, "true": true, "fit": fit, "dots": dots, "weights": weights, "bars": bars}


def draw(parts, state):
    parts["true"].set_data(state.true_x, state.true_y)
    parts["fit"].set_data(GRID, state.h)
    parts["dots"].set_data(state.x, state.y)
    return draw_weights(parts["weights"], parts["bars"], state.w, state.names)


def describe(state):
    return (
        f"Degree {state.degree}, λ = {_short(state.lam)}: {len(state.w)} weights for {len(state.x)} points. The curve "
        f"misses the points by {state.training:.3f} and the true curve by {state.truth:.3f} (root mean square); "
        f"the largest weight is {np.abs(state.w).max():.3g}."
    )


def _short(lam):
    return f"{lam:.2g}".replace("e-0", "e-")


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
        Slider("lam", "penalty λ", 1e-6, 1e-6, 10.0, 0.25, log=True, readout=".1e"),
        Slider("n", "points n", 20, 6, 60, 1),
        Slider("noise", "noise", 0.3, 0.0, 0.6, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Just right": {"degree": 3},
        "Too wild": {"degree": 12, "n": 13},
        "Tamed by λ": {"degree": 12, "n": 13, "lam": 0.01},
        "A sine": {"data": "sine", "degree": 7, "n": 30, "noise": 0.1},
        "A jump": {"data": "step", "degree": 9, "n": 40, "noise": 0.1},
    },
    question=Question(
        "The dashed curve has degree 3. With hardly any penalty, for which degree from 1 to 12 is the error on the "
        "points themselves smallest?",
        ("degree 3, the right one", "degree 12, the largest", "it goes up and down"),
        1,
        "A polynomial of degree 11 is also one of degree 12, with a weight 0. So the best fit to the points cannot get "
        "worse with the degree; the distance from the true curve can, and does.",
    ),
)  # fmt: skip
