"""Notebook 05. Linear, polynomial and Gaussian boundaries."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelLogistic, Polynomial, datasets
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid
from kernelkit.course.explorers.drawing.field import level_lines
from kernelkit.course.explorers.drawing.shades import class_points, plane, probability_shades, value_at
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Field, Image, Text
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
        names=["linear", f"polynomial, p = {degree}", f"Gaussian, σ = {short(sigma)}"],
        wrong=[1 - model.score(X, y) for model in models],
        new=[1 - model.score(Z, z) for model in models],
        surest=sigmoid(np.abs(H[2]).max()),
    )


UNSURE = np.linspace(0.002, 0.998, 200)
WIDE = 217.3334 / 700  # planes and the key below them, as parts of the picture
KEY = Axes(  # what the shades mean
    "",
    Axis("", 0, 1, ()),
    Axis("", 0, 1, ()),
    Image(probability_shades(np.log(UNSURE / (1 - UNSURE))[None])[..., :3] / 255, (0, 1, 0, 1), smooth=True),
    Text(-0.02, 0.42, "● P(+1) = 0", BLUE, side="right", up="center"),
    Text(1.02, 0.42, "P(+1) = 1 ■", ORANGE, up="center"),
    Text(0.5, 0.42, "½", side="center", up="center"),
    place=(241.3334 / 700, 8 / 302, WIDE, 14.6992 / 302),
    bare=True,
)


def picture(s):
    return [[*(_plane(s, i) for i in range(3)), KEY]]


def _plane(s, i):
    """One of the models: its probabilities as shades, lines where they are ½ and where one class has 90 %."""
    H = s.H[i]
    where = _where_it_says_something(H) if i == 2 else H
    looks = {"width": (1.2, 2.2, 1.2), "style": ("--", "-", "--")}
    return plane(
        f"{s.names[i]}, wrong:\ntraining {percent(s.wrong[i])}, new {percent(s.new[i])}",
        GX,
        GY,
        Field(H, probability_shades),
        level_lines(GX, GY, where, (-SURE, 0.0, SURE), **looks),
        *class_points(s.X, s.y, 5.5),
        name=NAMES[i],
        place=(8 / 700 + i / 3, 38.6992 / 302, WIDE, 220.4885 / 302),
    )


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


boundaries = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "half_planes", {name.replace("_", " "): name for name in NOISE}),
    Slider("n", "points n", 60, 20, 120, 10, more=True),
    Slider("lam", "λ", 0.1, 1e-4, 100.0, 0.25, log=True),
    Slider("degree", "degree p", 3, 2, 8, 1),
    Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.1),
    title="Linear, polynomial and Gaussian boundaries",
    shows="Three planes with the same points of two classes, blue dots and orange squares, and from left to right the "
    "linear, the polynomial and the Gaussian model. The colour is the probability of the orange class, blue "
    "near 0, white at ½ and orange near 1. The solid line is where it is ½, the dashed lines are where one "
    "class has 90 %.",
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
