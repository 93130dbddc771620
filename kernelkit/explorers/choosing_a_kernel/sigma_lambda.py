"""Notebook 10. The map of σ and λ: leave-one-out, folds and the test, and the fit at the place that was clicked."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.explorers.shared.curves import GRID, tell_curve, true_curve
from kernelkit.explorers.shared.log_map import LogMap
from kernelkit.explorers.shared.noisy_curve import (
    DATA,
    NOISE,
    TEST_STATE,
    TESTS,
    draw_fit,
    fit_axes,
    fitted,
    gaussian,
    sample,
)
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import short, typed
from kernelkit.panel.parts import key
from kernelkit.study.folds import splits

PLACES = LogMap(np.linspace(-1, 1, 21), np.linspace(-4, 1, 21))
SIGMAS, LAMS = 10**PLACES.x, 10**PLACES.y
MAPS = {"none yet": "none", "leave-one-out": "alone", "5 folds": "folds", "test error": "test"}
FOLDS, NEAR = 5, 1.1  # within a tenth of the smallest error


@lru_cache(maxsize=64)
def maps(data, n, noise, number):
    """The error at every (σ, λ), each (21, 21) with a row for each λ: left out alone, in folds, and on the test."""
    (x, y), (z, t) = sample(data, n, noise, number), sample(data, TESTS, noise, TEST_STATE)
    folds = [test for _, test in splits(y, FOLDS, 0)]
    columns = [_column(x, y, z, t, sigma, folds) for sigma in SIGMAS]
    return {kind: np.array([c[kind] for c in columns]).T for kind in ("alone", "folds", "test")}


def _column(x, y, z, t, sigma, folds):
    """All λ of one σ from one eigen-decomposition; a fold left out has the residuals (G⁻¹ of its block)⁻¹ a."""
    values, U = np.linalg.eigh(gaussian(x, x, sigma))
    shrink = 1 / (np.maximum(values, 0) + LAMS[:, None])  # (λ, n)
    inverse = (U * shrink[:, None]) @ U.T  # (λ, n, n)
    a = inverse @ y
    alone = a / np.einsum("lii->li", inverse)
    blocks = [np.linalg.solve(inverse[:, test[:, None], test], a[:, test, None])[..., 0] for test in folds]
    return {
        "alone": np.mean(alone**2, axis=1),
        "folds": np.mean([np.mean(block**2, axis=1) for block in blocks], axis=0),
        "test": np.mean((t - a @ gaussian(x, z, sigma)) ** 2, axis=1),
    }


def compute(data, sigma, lam, kind, n, noise, number):
    x, y = sample(data, n, noise, number)
    a = fitted(x, y, sigma, lam)
    z, t = sample(data, TESTS, noise, TEST_STATE)
    test = float(np.mean((t - gaussian(z, x, sigma) @ a) ** 2))
    state = SimpleNamespace(
        data=data, sigma=sigma, lam=lam, kind=kind, x=x, y=y, test=test, best=None, h=gaussian(GRID[:, 0], x, sigma) @ a
    )
    if kind != "none":
        every = maps(data, n, noise, number)
        state.M = every[kind]
        row, column = state.best = np.unravel_index(state.M.argmin(), state.M.shape)
        state.least, state.there, state.lowest = state.M.min(), every["test"][row, column], every["test"].min()
    return state


def build(figure):
    parts = fit_axes(figure.add_axes((0.06, 0.13, 0.43, 0.78)))
    key(parts["axes"], {"h": parts["fit"], "truth": parts["truth"], "data": parts["dots"]})
    ax = figure.add_axes((0.585, 0.13, 0.40, 0.78))
    ax.set(xlabel="width $σ$", ylabel="penalty $λ$")
    ax.set_xticks([-1, 0, 1], ["0.1", "1", "10"])
    ax.set_yticks([-4, -2, 0], ["10⁻⁴", "10⁻²", "1"])
    ax.yaxis.labelpad = 1
    return parts | PLACES.build(ax, cmap="Greys", vmin=-1.1, vmax=0.2)


def draw(parts, state):
    draw_fit(parts, state.data, state.h, state.x, state.y)
    here = state.sigma, state.lam
    if state.best is None:
        PLACES.draw(parts, here)
    else:
        level = np.log10(NEAR * state.least)
        PLACES.draw(parts, here, np.log10(state.M), state.best, level, "light: small error; line: 10 % above ★")


def describe(state):
    said = f"At σ = {short(state.sigma, 2)}, λ = {short(state.lam, 2)} (○) the test error is {short(state.test, 2)}."
    if state.best is None:
        return said
    sigma, lam = PLACES.numbers(state.best)
    name = {"alone": "Leave-one-out", "folds": f"{FOLDS} folds", "test": "The test itself"}[state.kind]
    chooses = "choose" if state.kind == "folds" else "chooses"
    said += f" {name} {chooses} σ = {short(sigma, 2)}, λ = {short(lam, 2)} (★), where it says "
    said += f"{short(state.least, 2)}"
    if state.kind == "test":
        return said + ": a choice nobody can make, for these points are not known."
    lowest = short(state.lowest, 2)
    return f"{said}; on fresh points it is {short(state.there, 2)}, and {lowest} is the best of the map."


def code(data, sigma, lam, kind, n, noise, number):
    lines = ["import numpy as np", "from kernelkit import Gaussian, KernelRidge, datasets"]
    lines += ["from kernelkit.study.selection import grid", ""]
    lines += [f"X, y = datasets.{data}({n}, {noise:g}, random_state={number})"]
    lines += [f"Z, t = datasets.{data}({TESTS}, {noise:g}, random_state={TEST_STATE})"]
    lines += [f"model = KernelRidge(Gaussian({typed(sigma)}), lam={typed(lam)}).fit(X, y)"]
    lines += ["print('test error', np.mean((t - model.predict(Z)) ** 2))"]
    if kind in ("alone", "folds"):
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
    return said if state.best is None else f"{said}: {short(state.M[place], 2)}"


sigma_lambda = Explorer(
    title="The map of σ and λ",
    controls=(
        DATA,
        Slider("sigma", "width σ", 1.0, 0.1, 10.0, 0.1, log=True),
        Slider("lam", "penalty λ", 0.1, 0.0001, 10.0, 0.25, log=True),
        Choice("kind", "map", "none", MAPS),
        Slider("n", "points n", 30, 10, 60, 5),
        NOISE,
        Slider("number", "sample no.", 1, 1, 20, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Twice σ": {"sigma": 1.99526, "kind": "alone"},
        "Twice σ, another λ": {"sigma": 1.99526, "lam": 0.0001, "kind": "alone"},
        "Folds": {"kind": "folds"},
        "The test": {"kind": "test"},
        "Ten points": {"n": 10, "kind": "alone"},
    },
    question=Question(
        "σ = 1 and λ = 0.1 fit well. Now σ must be 2. Which λ repairs most of the damage?",
        ("a larger one", "a smaller one", "none: only σ says how smooth h is"),
        1,
        "Wide bumps are stiff, and λ made them stiffer. With a thousandth of it they bend enough. Good places form "
        "a valley that runs askew: only σ and λ together say how much the model may bend.",
        scene="Twice σ, another λ",
    ),
    tell={"axes": lambda state, x, y: tell_curve(x, h=state.h, truth=true_curve(state.data)), "map": _tell_map},
    click={"map": _chosen},
    motion=True,
)
