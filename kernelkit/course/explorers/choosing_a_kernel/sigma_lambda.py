"""Notebook 10. The map of σ and λ: leave-one-out, folds and the test, and the fit at the place that was clicked."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.noisy_curve import (
    DATA,
    LEFT,
    NOISE,
    TEST_STATE,
    TESTS,
    fit,
    fitted,
    gaussian,
    heights,
    sample,
)
from kernelkit.course.explorers.drawing.curves import GRID, dots, tell_curve, true_curve, truth
from kernelkit.course.explorers.drawing.log_map import LogMap, shades
from kernelkit.course.explorers.drawing.trail import trail_over
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Image
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.study.folds import splits

DARK = -1.1, 0.2  # the logarithms of the errors that are white and black
PLACES = LogMap(np.linspace(-1, 1, 21), np.linspace(-4, 1, 21), shades("Greys", *DARK))
SIGMAS, LAMS = 10**PLACES.x, 10**PLACES.y
MAPS = {"leave-one-out": "alone", "5 folds": "folds", "test error": "test"}
NAMES = {"alone": "leave-one-out error", "folds": "mean error of 5 folds", "test": "test error"}
FOLDS, NEAR = 5, 1.1  # within a tenth of the smallest error


@lru_cache(maxsize=64)
def maps(data, n, noise, number):
    """The error at every (σ, λ), each (21, 21) with a row for each λ: left out alone, in folds, and on the test."""
    columns = [errors(data, n, noise, number, sigma, LAMS) for sigma in SIGMAS]
    return {kind: np.array([c[kind] for c in columns]).T for kind in MAPS.values()}


def errors(data, n, noise, number, sigma, lams):
    """All λ of one σ from one eigen-decomposition; a fold left out has the residuals (G⁻¹ of its block)⁻¹ a."""
    (x, y), (z, t) = sample(data, n, noise, number), sample(data, TESTS, noise, TEST_STATE)
    values, U = np.linalg.eigh(gaussian(x, x, sigma))
    shrink = 1 / (np.maximum(values, 0) + np.reshape(lams, (-1, 1)))  # (λ, n)
    inverse = (U * shrink[:, None]) @ U.T  # (λ, n, n)
    a = inverse @ y
    alone = a / np.einsum("lii->li", inverse)
    folds = [test for _, test in splits(y, FOLDS, 0)]
    blocks = [np.linalg.solve(inverse[:, test[:, None], test], a[:, test, None])[..., 0] for test in folds]
    return {
        "alone": np.mean(alone**2, axis=1),
        "folds": np.mean([np.mean(block**2, axis=1) for block in blocks], axis=0),
        "test": np.mean((t - a @ gaussian(x, z, sigma)) ** 2, axis=1),
    }


def compute(data, sigma, lam, kind, whole, n, noise, number, visited=()):
    x, y = sample(data, n, noise, number)
    a = fitted(x, y, sigma, lam)
    every = maps(data, n, noise, number)
    M = every[kind]
    row, column = best = np.unravel_index(M.argmin(), M.shape)
    here = errors(data, n, noise, number, sigma, [lam])
    return SimpleNamespace(
        x=x,
        y=y,
        h=gaussian(GRID[:, 0], x, sigma) @ a,
        M=M,
        visited=visited or ((sigma, lam),),
        here=float(here[kind][0]),
        test=float(here["test"][0]),
        best=best if whole else None,
        star=PLACES.numbers(best) if whole else None,
        least=M.min(),
        there=every["test"][row, column],
    )


WITHIN = Axis("$x$", -3, 3, range(-3, 4))  # where the points are, and the fresh ones
KEY = fit(label="h"), truth(label="truth"), dots(label="data")
SIGMA = PLACES.axis("x", "width $σ$", (-1, 0, 1), ("0.1", "1", "10"))
LAM = PLACES.axis("y", "penalty $λ$", (-4, -2, 0), ("10⁻⁴", "10⁻²", "1"))


def picture(s):
    marks = truth(true_curve(s.data)), fit(s.h), dots(s.x, s.y)
    curve = Axes("", WITHIN, heights(s.data), *KEY, *marks, name="axes", place=LEFT)
    plane = PLACES.axes(
        SIGMA,
        LAM,
        (s.sigma, s.lam),
        np.log10(s.M),
        s.visited,
        best=s.best,
        level=np.log10(NEAR * s.least),
        legend="★ smallest error; line: 10 % more; dark: large" if s.best else "light: small error",
        place=(0.585, 0.13, 0.33, 0.78),
    )
    return [[curve, plane, _scale()]]


@cache
def _scale():
    """The shades of the errors beside the map."""
    shown = Image(PLACES.shade(np.linspace(*DARK, 256))[:, None], (0, 1, *DARK))
    errors = Axis("", *DARK, np.log10([0.1, 0.3, 1]), ("0.1", "0.3", "1"))
    return Axes("", Axis(ticks=()), errors, shown, place=(0.93, 0.13, 0.015, 0.78), dress=_on_the_right)


def _on_the_right(ax):
    ax.spines[:].set_visible(False)
    ax.yaxis.tick_right()


def readout(state):
    return {
        "noise²": short(state.noise**2, 2),
        NAMES[state.kind]: short(state.here, 2),
        "test error": short(state.test, 2),
        "smallest on the map (★)": _written(state.least, state.star) if state.star else None,
        "test error at ★": read_off(state.there) if state.star else None,
    }


def _written(error, place):
    sigma, lam = place
    return f"{read_off(error)} at σ = {short(sigma, 2)}, λ = {short(lam, 2)}"


def code(data, sigma, lam, kind, whole, n, noise, number):
    lines = ["import numpy as np", "from kernelkit import Gaussian, KernelRidge, datasets"]
    lines += ["from kernelkit.study.selection import grid", ""]
    lines += [f"X, y = datasets.{data}({n}, {noise:g}, random_state={number})"]
    lines += [f"Z, t = datasets.{data}({TESTS}, {noise:g}, random_state={TEST_STATE})"]
    lines += [f"model = KernelRidge(Gaussian({typed(sigma)}), lam={typed(lam)}).fit(X, y)"]
    lines += ["print('test error', np.mean((t - model.predict(Z)) ** 2))"]
    if kind != "test":
        folds = "'leave-one-out'" if kind == "alone" else f"{FOLDS}, random_state=0"
        lines += ["sigmas, lams = 10 ** np.linspace(-1, 1, 21), 10 ** np.linspace(-4, 1, 21)"]
        lines += [f"found = grid(model, X, y, {folds}, kernel__sigma=sigmas, lam=lams)"]
        lines += ["print(found.best, found.mean.min())"]
    return "\n".join(lines)


def _chosen(state, x, y):
    sigma, lam = PLACES.chosen(x, y)
    return {"sigma": sigma, "lam": lam}


def _tell_map(state, x, y):
    place = PLACES.nearest(x, y)
    sigma, lam = PLACES.numbers(place)
    said = f"σ = {short(sigma, 2)}, λ = {short(lam, 2)}"
    if state.best is None:
        return said
    more = "lowest" if place == state.best else f"★ + {short(state.M[place] - state.least, 2)}"
    return f"{said}: {short(state.M[place], 2)}, {more}"


sigma_lambda = panel(
    compute,
    picture,
    readout,
    code,
    DATA,
    Slider("sigma", "width σ", 1.0, 0.1, 10.0, 0.1, log=True),
    Slider("lam", "penalty λ", 0.1, 0.0001, 10.0, 0.25, log=True),
    Choice("kind", "map of", "alone", MAPS),
    Switch("whole", "the whole map", False),
    Slider("n", "points n", 30, 10, 60, 5, more=True),
    NOISE,
    Slider("number", "sample no.", 1, 1, 20, 1, more=True),
    title="The map of σ and λ",
    shows="On the left the fit h over x as a green line, the truth as a dotted line and the points as dots. On the "
    "right a plane of the width σ and the penalty λ, both on scales of powers of ten, where a lighter place has a "
    "smaller error. The green ring is the pair of the fit, and dots are the pairs that were visited.",
    film=("sigma", "lam"),
    scenes={
        "Twice σ": {"sigma": 1.99526, "whole": True},
        "Twice σ, another λ": {"sigma": 1.99526, "lam": 0.0001, "whole": True},
        "Folds": {"kind": "folds", "whole": True},
        "The test": {"kind": "test", "whole": True},
        "Ten points": {"n": 10, "whole": True},
    },
    question=Question(
        "σ = 1 and λ = 0.1 give a good fit. Now σ must be 2. Which λ repairs most of the damage?",
        ("a larger one", "a smaller one", "none, because such wide bumps cannot bend"),
        1,
        "Wide bumps are stiff, and λ makes the curve stiffer still. With a thousandth of λ it can bend enough. So the "
        "good places form a valley that runs diagonally, because only σ and λ together say how much h can bend.",
        scene="Twice σ, another λ",
    ),
    tell={"axes": lambda state, x, y: tell_curve(x, h=state.h, truth=true_curve(state.data)), "map": _tell_map},
    click={"map": _chosen},
    trail=trail_over("sigma", "lam", "kind", "whole"),
    motion=True,
)
