"""Notebook 05. Linear, polynomial and Gaussian boundaries."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelLogistic, Polynomial, datasets
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid
from kernelkit.course.explorers.drawing.field import Field
from kernelkit.course.explorers.drawing.shades import probability_shades, value_at
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.plots import BLUE, ORANGE
from kernelkit.models.logistic import sigmoid

REACH = 3.6
NOISE = {"half_planes": 0.4, "rings": 0.25, "crossing": 0.25, "moons": 0.3, "mixture": None}
GX, GY = grid((-REACH, -REACH), (REACH, REACH), 80)
SURE = float(np.log(9))  # s(h) = 0.9
NEW = 400
NAMES = ("linear", "polynomial", "gaussian")


@lru_cache(maxsize=16)
def _data(data, n):
    """Points to learn from and new ones, around the middle of the former."""
    make, noise = getattr(datasets, data), {} if NOISE[data] is None else {"noise": NOISE[data]}
    (X, y), (Z, z) = make(n, **noise), make(NEW, random_state=1, **noise)
    return X - X.mean(axis=0), y, Z - X.mean(axis=0), z


def compute(data, n, lam, degree, sigma):
    X, y, Z, z = _data(data, n)
    models = [KernelLogistic(k, lam).fit(X, y) for k in (Polynomial(1), Polynomial(degree), Gaussian(sigma))]
    H = [decision_on_grid(model, GX, GY) for model in models]
    return SimpleNamespace(
        X=X,
        y=y,
        H=H,
        lam=lam,
        names=["linear", f"polynomial, p = {degree}", f"Gaussian, σ = {short(sigma)}"],
        wrong=[1 - model.score(X, y) for model in models],
        new=[1 - model.score(Z, z) for model in models],
        surest=sigmoid(np.abs(H[2]).max()),
    )


def build(figure):
    axes = figure.subplot_mosaic([[*NAMES], [".", "key", "."]], height_ratios=(15, 1))
    axes["key"].set_axis_off()
    _build_key(axes["key"])
    return axes | {
        "planes": [Field(axes[name], GX, GY, probability_shades, size=5.5) for name in NAMES],
        "words": [axes[name].set_title("name\nerrors", animated=True) for name in NAMES],
    }


def _build_key(ax):
    """What the shades mean."""
    h = np.log((p := np.linspace(0.002, 0.998, 200)) / (1 - p))
    ax.imshow(probability_shades(h[None]), aspect="auto", extent=(0, 1, 0, 1))
    for x, side, words, colour in ((-0.02, "right", "● P(+1) = 0", BLUE), (1.02, "left", "P(+1) = 1 ■", ORANGE)):
        ax.text(x, 0.42, words, ha=side, va="center", color=colour, in_layout=False)
    ax.text(0.5, 0.42, "½", ha="center", va="center", in_layout=False)


def draw(parts, state):
    for i, (plane, H) in enumerate(zip(parts["planes"], state.H, strict=True)):
        plane.show(H)
        H = _where_it_says_something(H) if i == 2 else H
        plane.lines(H)
        plane.lines(H, (-SURE, SURE), dashed=True)
        plane.points(state.X, state.y)
        errors = f"training {percent(state.wrong[i])}, new {percent(state.new[i])}"
        parts["words"][i].set_text(f"{state.names[i]}, wrong:\n{errors}")


def _where_it_says_something(H):
    """h of a Gaussian kernel without the places far from all points, where it is flat and 0 up to rounding."""
    return np.ma.masked_where(np.hypot(*np.gradient(H)) < 0.001 * np.abs(H).max(), H)


def readout(state):
    linear, polynomial, gaussian = map(percent, state.new)
    return {
        "λ": short(state.lam),
        "linear test error": linear,
        "polynomial test error": polynomial,
        "Gaussian test error": gaussian,
        "surest Gaussian probability": percent(state.surest),
    }


def code(data, n, lam, degree, sigma):
    noise = "" if NOISE[data] is None else f", noise={NOISE[data]}"
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({n}{noise})\nZ, z = datasets.{data}({NEW}, random_state=1{noise})\n"
        "X, Z = X - X.mean(axis=0), Z - X.mean(axis=0)\n"
        f"for k in (Polynomial(1), Polynomial({degree}), Gaussian({sigma!r})):\n"
        f"    model = KernelLogistic(k, lam={lam!r}).fit(X, y)\n"
        "    print(k, model.score(X, y), model.score(Z, z), model.predict_proba(Z[:1]))"
    )


def _probability(i):
    return lambda state, x, y: f"P(+1) = {sigmoid(value_at(GX, GY, state.H[i], x, y)):.2f}"


boundaries = Explorer(
    title="Linear, polynomial and Gaussian boundaries",
    controls=(
        Choice("data", "data", "half_planes", {name.replace("_", " "): name for name in NOISE}),
        Slider("n", "points n", 60, 20, 120, 10, more=True),
        Slider("lam", "λ", 0.1, 1e-4, 100.0, 0.25, log=True),
        Slider("degree", "degree p", 3, 2, 8, 1),
        Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Three planes with the same points of two classes, blue dots and orange squares, and from left to right the "
    "linear, the polynomial and the Gaussian model. The colour is the probability of the orange class, blue "
    "near 0, white at ½ and orange near 1. The solid line is where it is ½, the dashed lines are where one "
    "class has 90 %.",
    code=code,
    tell={name: _probability(i) for i, name in enumerate(NAMES)},
    film=("lam",),
    scenes={
        "Small σ": {"sigma": 0.3},
        "Rings": {"data": "rings"},
        "A tiny λ": {"data": "mixture", "lam": 1e-4, "degree": 8, "sigma": 0.2},
        "A large λ": {"data": "moons", "lam": 100.0},
        "Mixture, 120 points": {"data": "mixture", "lam": 1.0, "sigma": 0.9, "n": 120},
    },
    question=NoQuestion(
        because="the text just above asks about the rings, and what a Gaussian does far away is known by then"
    ),
    size=(7.0, 3.02),
)
