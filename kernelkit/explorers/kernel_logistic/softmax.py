"""Notebook 05. Three classes."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, OneVsRest, Polynomial, datasets
from kernelkit.explorers.shared.boundary import decision_on_grid, grid
from kernelkit.explorers.shared.shades import COLOURS, REACH, build_lines, build_shading, class_shades
from kernelkit.models.logistic import sigmoid
from kernelkit.models.multiclass import softmax as softmax_of
from kernelkit.panel.controls import Choice, Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import INK, contour_lines

CLASS_MARKERS = ("o", "s", "^")
SX, SY = grid((-REACH, -REACH), (REACH, REACH), 52)


def arms(n=90, random_state=0):
    """Two inputs; classes 0, 1, 2 are three arms of a spiral."""
    rng = np.random.default_rng(random_state)
    y, radius = np.arange(n) % 3, rng.uniform(0.25, 2.2, n)
    angle = 2 * np.pi * y / 3 + 1.2 * radius + 0.2 * rng.standard_normal(n)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def blobs(n=90, random_state=0):
    """Two inputs; classes 0, 1, 2 are three round clouds in a row, so that the middle one has no side of its own."""
    rng = np.random.default_rng(random_state)
    y = np.arange(n) % 3
    return np.column_stack([1.3 * (y - 1), 0.6 * (y - 1)]) + 0.42 * rng.standard_normal((n, 2)), y


def petals():
    """Two inputs, the scaled length and width of the petals of three kinds of iris; every second flower."""
    X, y = datasets.iris()
    return X[::2, 2:], y[::2]


def _kernel(kernel, degree, sigma):
    return Gaussian(sigma) if kernel == "gaussian" else Polynomial(degree)


@lru_cache(maxsize=32)
def _three(data, kernel, degree, sigma, lam, model):
    """The points, the fitted model and its probabilities over the plane."""
    X, y = {"arms": arms, "blobs": blobs, "petals": petals}[data]()
    k = _kernel(kernel, degree, sigma)
    fitted = (KernelSoftmax(k, lam) if model == "softmax" else OneVsRest(KernelLogistic(k, lam))).fit(X, y)
    H = np.stack([decision_on_grid(one, SX, SY) for one in _one_by_one(fitted)], axis=-1)
    return X, y, fitted, class_probabilities(fitted, H)


def _one_by_one(fitted):
    """A model of two classes for each of the three, with the h_c of the class."""
    if isinstance(fitted, OneVsRest):
        return fitted.models_
    models = [KernelLogistic(fitted.kernel) for _ in range(3)]
    for c, model in enumerate(models):
        model.X_, model.a_, model.n_features_in_ = fitted.X_, fitted.a_[:, c], 2
    return models


def class_probabilities(fitted, H):
    """Of softmax: they add up to 1. Of one against the rest: three separate s(h_c), which need not."""
    if isinstance(fitted, KernelSoftmax):
        return softmax_of(H.reshape(-1, 3)).reshape(H.shape)
    return sigmoid(H)


def compute(points, data, model, kernel, degree, sigma, lam):
    X, y, fitted, P = _three(data, kernel, degree, sigma, lam, model)
    z = np.array(points[0])
    return SimpleNamespace(
        X=X, y=y, P=P, z=z, p=class_probabilities(fitted, fitted.decision_function(z[None]))[0], model=model,
        wrong=1 - fitted.score(X, y),
    )  # fmt: skip


def build(figure):
    plane = figure.add_axes((0.02, 0.04, 0.515, 0.86), xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    plane.set(xticks=[], yticks=[], title="drag z")
    for side in plane.spines.values():
        side.set_visible(True)
    bars = figure.add_axes((0.63, 0.13, 0.35, 0.66), xlim=(-0.6, 2.6), ylim=(0, 1.12))
    bars.set(xticks=[0, 1, 2], yticks=[0, 0.5, 1])
    bars.set_xticks([0, 1, 2], ["● 0", "■ 1", "▲ 2"])
    for tick, colour in zip(bars.get_xticklabels(), COLOURS, strict=True):
        tick.set_color(colour)
    bars.set_xlabel("class")
    return {
        "plane": plane, "bars": bars, "shades": build_shading(plane, (-REACH, -REACH), (REACH, REACH)),
        "lines": build_lines(plane)[0],
        "points": [
            plane.plot([], [], m, color=c, mec="white", mew=0.7, ms=7.5, animated=True, zorder=3)[0]
            for m, c in zip(CLASS_MARKERS, COLOURS, strict=True)
        ],
        "z": plane.plot([], [], "X", color=INK, mec="white", mew=1.2, ms=13, animated=True, zorder=5)[0],
        "columns": bars.add_collection(PolyCollection([], facecolors=COLOURS, animated=True)),
        "numbers": [bars.text(c, 0, "", ha="center", animated=True) for c in range(3)],
        "heads": [bars.text(0, y, "", transform=bars.transAxes, animated=True) for y in (1.21, 1.1)],
    }  # fmt: skip


def draw(parts, state):
    total = state.P.sum(axis=2, keepdims=True)
    parts["shades"].set_data(class_shades(state.P / total))
    top = np.sort(state.P, axis=2)
    lead = state.P - np.where(top[..., 2:] > state.P, top[..., 2:], top[..., 1:2])
    parts["lines"].set_segments([line for c in range(3) for line in contour_lines(SX, SY, lead[..., c], (0.0,))[0]])
    for c, marks in enumerate(parts["points"]):
        marks.set_data(*state.X[state.y == c].T)
    parts["z"].set_data(*state.z[:, None])
    parts["columns"].set_verts([[(c - 0.36, 0), (c - 0.36, p), (c + 0.36, p), (c + 0.36, 0)] for c, p in
                                enumerate(state.p)])  # fmt: skip
    for c, (number, p) in enumerate(zip(parts["numbers"], state.p, strict=True)):
        number.set(text=f"{p:.2f}", position=(c, p + 0.02))
    heads = ("softmax at z", "sum 1.00") if state.model == "softmax" else (
        "one against the rest at z", f"sum {state.p.sum():.2f}")  # fmt: skip
    for head, words in zip(parts["heads"], heads, strict=True):
        head.set_text(words)


def describe(state):
    p, best = state.p, int(state.p.argmax())
    at = f"({state.z[0]:.2f}, {state.z[1]:.2f})"
    said = ", ".join(f"{v:.2f}" for v in p)
    winner = f"class {best} wins" if np.ptp(p) > 0.02 else "no class stands out"
    text = f"At z = {at} {winner}: the three say {said}. "
    if state.model == "softmax":
        text += "They add up to 1, because softmax divides by their sum. "
    else:
        text += f"They are three separate answers to “is it you?” and add up to {p.sum():.2f}. "
    return text + f"{round(state.wrong * len(state.y))} of the {len(state.y)} points are on a wrong side."


def code(points, data, model, kernel, degree, sigma, lam):
    k, z = _kernel(kernel, degree, sigma), [[float(v) for v in points[0]]]
    source = "kernelkit.explorers.kernel_logistic.softmax"
    head = f"from kernelkit import *\nfrom {source} import {data}\n\nX, y = {data}()\n"
    if model == "softmax":
        return head + f"model = KernelSoftmax({k!r}, lam={lam!r}).fit(X, y)\nprint(model.predict_proba({z}))"
    return "from kernelkit.models.logistic import sigmoid\n" + head + (
        f"model = OneVsRest(KernelLogistic({k!r}, lam={lam!r})).fit(X, y)\nprint(sigmoid(model.decision_function({z})))"
    )


MIDDLE = {"data": "blobs", "kernel": "polynomial", "points": ((0.0, 0.0),)}


softmax = Explorer(
    title="Three classes",
    controls=(
        Points("points", "move", ((0.6, 1.4),), (-2.5, -2.5), (2.5, 2.5), "plane", ("coordinate 1", "coordinate 2"),
               ("z",)),
        Choice("data", "data", "arms", {"three arms": "arms", "three clouds in a row": "blobs",
                                        "iris petals": "petals"}),
        Choice("model", "model", "softmax", {"softmax": "softmax", "one against the rest": "rest"}),
        Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "polynomial": "polynomial"}),
        Slider("sigma", "width σ", 0.6, 0.1, 3.0, 0.1, when=lambda v: v["kernel"] == "gaussian"),
        Slider("degree", "degree p", 1, 1, 4, 1, when=lambda v: v["kernel"] == "polynomial"),
        Slider("lam", "λ", 0.1, 1e-3, 10.0, 0.25, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Straight lines, softmax": MIDDLE,
        "Straight lines, one by one": MIDDLE | {"model": "rest"},
        "Far away": {"points": ((-2.4, 2.4),), "sigma": 0.3},
        "Iris": {"data": "petals", "points": ((0.7, 0.7),)},
    },
    question=Question(
        "You drag z far away from all points, with a Gaussian kernel of small σ. What do the three probabilities "
        "become?",
        ("1, 0 and 0", "each near 1/3", "each near 1/2"),
        1,
        "There every k(X_i, z) is near 0, so the three h_c are near 0, and softmax of equal numbers is 1/3 each.",
    ),
    size=(7.2, 3.9),
)  # fmt: skip
