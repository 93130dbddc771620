"""Notebook 06. The run in w and the run in a."""

from functools import lru_cache
from itertools import zip_longest
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import KernelPerceptron, Monomials, Polynomial, PrimalPerceptron
from kernelkit.course.explorers.data.perceptron_runs import (
    DATA,
    ORDER,
    PASSES,
    data_code,
    mixed_data,
    run_of,
    seed_of,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, short
from kernelkit.course.panel.parts import reframed, standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

SHOWN = 40
RATES = {
    "η = 1": ("1.0", 1.0),
    "η = 0.1": ("0.1", 0.1),
    "η = 1/√(t+1)": ("lambda t: 1 / np.sqrt(t + 1)", lambda t: 1 / np.sqrt(t + 1)),
    "η = 1/(t+1)": ("lambda t: 1 / (t + 1)", lambda t: 1 / (t + 1)),
}


@lru_cache(maxsize=64)
def _both_runs(data, degree, rate, random_state):
    common = {"rate": RATES[rate][1], "max_passes": PASSES, "random_state": random_state}
    (X, y), phi, k = mixed_data(data), Monomials(degree), Polynomial(degree)
    in_w, in_a = PrimalPerceptron(phi, **common), KernelPerceptron(k, **common)
    return run_of(in_w, phi(X), X, y, SHOWN), run_of(in_a, k(X), X, y, SHOWN)


def compute(data, degree, rate, order, seed):
    phi, (X, _) = Monomials(degree), mixed_data(data)
    primal, dual = _both_runs(data, degree, rate, seed_of(order, seed))
    W, from_a = primal.iterates, dual.iterates @ phi(X)
    both = min(len(W), len(from_a))
    steady = _both_runs(data, degree, "η = 1", seed_of(order, seed))[0]
    return SimpleNamespace(
        rate=rate,
        in_w=primal.points,
        in_a=dual.points,
        steady=steady.points,
        over=primal.over,
        n=len(X),
        W=W,
        from_a=from_a,
        gap=float(np.abs(W[:both] - from_a[:both]).max()),
        steady_w=steady.iterates[-1],
        names=phi.names(2),
        parting=_parting(primal.points, steady.points),
    )


def _parting(one, other):
    """The number of the first mistake at which two runs differ; None where they are the same."""
    return next((t for t, (i, j) in enumerate(zip_longest(one, other), 1) if i != j), None)


def build(figure):
    top = figure.add_axes((0.095, 0.6, 0.885, 0.305))
    top.set_xlabel("number of the mistake", labelpad=1)
    top.set_ylabel("at point")
    low = figure.add_axes((0.095, 0.105, 0.885, 0.295))
    low.set_ylabel("weight")
    low.tick_params(axis="x", labelsize="medium")
    low.axhline(0, color=INK, lw=0.8)
    look = {"transform": top.transAxes, "va": "bottom"}
    for x, text, colour in ((0, "○ run in $w$", GREEN), (0.17, "● run in $a$", PURPLE)):
        top.text(x, 1.07, text, color=colour, **look)
    below = {"transform": low.transAxes, "va": "bottom", "animated": True}
    return {
        "top": top,
        "low": low,
        "note": top.text(0.34, 1.07, "", color=GREY, animated=True, **look),
        "steady": top.plot([], [], "x", color=GREY, ms=9, mew=1.6, animated=True, zorder=5)[0],
        "in_w": top.plot([], [], "o", color="none", mec=GREEN, mew=2, ms=11, animated=True, zorder=3)[0],
        "in_a": top.plot([], [], "o", color=PURPLE, ms=5, animated=True, zorder=4)[0],
        "says": low.text(0, 1.07, "", **below),
        "bars": low.add_collection(PolyCollection([], facecolors="#BFDFD7", edgecolors=GREEN, lw=1.6, animated=True)),
        "dots": low.plot([], [], "o", color=PURPLE, ms=6, animated=True, zorder=3)[0],
        "steady w": low.plot([], [], "x", color=GREY, ms=9, mew=1.6, animated=True, zorder=5)[0],
    }


def draw(parts, state):
    other = state.rate != "η = 1"
    shown = {"in_w": state.in_w, "in_a": state.in_a, "steady": state.steady if other else []}
    for name, points in shown.items():
        parts[name].set_data(np.arange(1, len(points) + 1), np.array(points) + 1)
    parts["note"].set_text("× the same run with η = 1" if other else "")
    w, features = state.W[-1], np.arange(1, state.W.shape[1] + 1)
    parts["bars"].set_verts([[(j - 0.3, 0), (j + 0.3, 0), (j + 0.3, v), (j - 0.3, v)] for j, v in enumerate(w, 1)])
    parts["dots"].set_data(features, state.from_a[-1])
    parts["steady w"].set_data(*((features, state.steady_w) if other else ([], [])))
    cross = ", × with η = 1" if other else ""
    parts["says"].set_text(rf"after mistake {len(state.in_w)}: bars $w$, dots $\Phi^\top a$" + cross)
    longest = max(map(len, shown.values()))
    _frames(parts, state, 20 if longest <= 20 else SHOWN, np.abs([w, state.steady_w if other else w]).max())


def _frames(parts, state, ends, most):
    top, low, n, names = parts["top"], parts["low"], state.n, state.names
    if reframed(top, ends, n):
        top.set(xlim=(0.2, ends + 0.8), xticks=[1, *range(ends // 10, ends + 1, ends // 10)][ends < 40 :])
        top.set(ylim=(-0.06 * n, 1.14 * n), yticks=[1, n // 2, n])
    if reframed(low, float(most), len(names)):
        tick = standard(most / 2)
        low.set(xlim=(0.4, len(names) + 0.6), ylim=(-1.15 * most, 1.15 * most))
        low.set_yticks([-tick, 0, tick], [short(v) for v in (-tick, 0, tick)])
        few = len(names) <= 10
        ticks = range(1, len(names) + 1) if few else [1, *range(5, len(names) + 1, 5)]
        low.set_xticks(ticks, [f"${name}$" for name in names] if few else [str(j) for j in ticks])
        low.set_xlabel("" if few else "number of the feature", labelpad=2)


def readout(state):
    return {
        "mistakes in w": len(state.in_w),
        "mistakes in a": len(state.in_a),
        "all points right at the end": {True: "yes", False: "no"}[state.over],
        "largest |w − Φᵀa|": amount(state.gap),
        "unlike η = 1 from mistake": state.parting,
    }


def code(data, degree, rate, order, seed):
    common = f"rate={RATES[rate][0]}, max_passes={PASSES}, random_state={seed_of(order, seed)}"
    return (
        "import numpy as np\nfrom itertools import islice\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"{data_code(data)}phi, k = Monomials({degree}), Polynomial({degree})\n"
        f"in_w = PrimalPerceptron(phi, {common})\nin_a = KernelPerceptron(k, {common})\n"
        f"in_w, in_a = ([*islice(model.steps(X, y), {SHOWN} + 1)] for model in (in_w, in_a))\n"
        "print('point of each mistake:', [step.moved + 1 for step in in_a[1:]])\n"
        "W, A = np.array(in_w), np.array(in_a)  # one row after each mistake\n"
        "print('largest difference:', np.abs(W - A @ phi(X)).max().round(6))"
    )


def _mistake(state, x, y):
    t = round(x)
    return f"mistake {t}: point {state.in_w[t - 1] + 1}" if 1 <= t <= len(state.in_w) else ""


def _weight(state, x, y):
    j = min(max(round(x), 1), len(state.names)) - 1
    return f"w = {short(state.W[-1][j])}, Φᵀa = {short(state.from_a[-1][j])}"


two_runs = Explorer(
    title="The run in w and the run in a",
    controls=(
        Choice("data", "data", "moons", tuple(DATA)),
        Slider("degree", "degree p", 3, 1, 6, 1),
        Choice("rate", "rate", "η = 1", tuple(RATES)),
        *ORDER,
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Above, each mistake has a column, and the height of its mark is the training point: green rings are the "
    "run in w, purple dots the run in a. Below, bars are the weights w at the end and dots the weights Φᵀa. "
    "Grey crosses are the same run with η = 1, where the rate is another.",
    code=code,
    tell={"top": _mistake, "low": _weight},
    film=("degree",),
    scenes={
        "A tenth": {"rate": "η = 0.1"},
        "Falling rate": {"rate": "η = 1/(t+1)"},
        "Random order": {"order": "random"},
        "No end": {"data": "16 points", "degree": 1},
    },
    question=Question(
        "The rate is now 1. Which mistakes will the two runs make if every step has the rate 0.1?",
        ("the same mistakes, in the same order", "about as many, but at other points", "about ten times as many"),
        0,
        "Every step is a tenth as long, so w and all outputs are a tenth of what they were, and no sign changes. Only "
        "a rate that changes during the run can lead to other mistakes.",
        "A tenth",
    ),
)
