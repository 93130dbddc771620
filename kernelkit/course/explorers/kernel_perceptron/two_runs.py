"""Notebook 06. The run in w and the run in a."""

from functools import lru_cache
from itertools import zip_longest
from types import SimpleNamespace

import numpy as np

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
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Text
from kernelkit.course.panel.numbers import amount, short
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREEN, GREY, PURPLE

SHOWN = 40
CROSS = {"marker": "x", "size": 9, "edge": GREY, "rim": 1.6}  # of the run with η = 1
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


def picture(s):
    other = s.rate != "η = 1"
    return [[_mistakes(s, other)], [_weights(s, other)]]


def _mistakes(s, other):
    """Each mistake has a column, and its mark is as high as its point."""
    n = s.n
    ends = 20 if max(map(len, (s.in_w, s.in_a, s.steady if other else []))) <= 20 else SHOWN
    return Axes(
        "",
        Axis("number of the mistake", 0.2, ends + 0.8, [1, *range(ends // 10, ends + 1, ends // 10)][ends < 40 :]),
        Axis("at point", -0.06 * n, 1.14 * n, (1, n // 2, n)),
        Text(0, 1.07, "○ run in $w$", GREEN, up="bottom", of="axes"),
        Text(0.17, 1.07, "● run in $a$", PURPLE, up="bottom", of="axes"),
        Text(0.34, 1.07, "× the same run with η = 1", GREY, up="bottom", of="axes") if other else None,
        _in_turn(s.in_w, "none", size=11, edge=GREEN, rim=2),
        _in_turn(s.in_a, PURPLE, size=5, edge=PURPLE, rim=1),
        _in_turn(s.steady, GREY, **CROSS) if other else None,
        name="top",
        place=(0.095, 0.6, 0.885, 0.305),
        dress=_near_label,
    )


def _near_label(ax):
    ax.xaxis.labelpad = 1


def _in_turn(points, colour, **look):
    return Dots(np.arange(1, len(points) + 1), np.array(points) + 1, colour, **look)


def _weights(s, other):
    """The weights at the end."""
    w, D = s.W[-1], len(s.names)
    most = float(np.abs([w, s.steady_w if other else w]).max())
    tick, few, features = standard(most / 2), D <= 10, np.arange(1, D + 1)
    ticks = features if few else [1, *range(5, D + 1, 5)]
    names = [f"${name}$" for name in s.names] if few else [str(j) for j in ticks]
    cross = ", × with η = 1" if other else ""
    return Axes(
        "",
        Axis("", 0.4, D + 0.6, ticks, names),
        Axis("weight", -1.15 * most, 1.15 * most, (-tick, 0, tick), map(short, (-tick, 0, tick)), zero=True),
        None if few else Text(0.5, -0.2287, "number of the feature", side="center", up="top", of="axes"),
        Text(0, 1.07, rf"after mistake {len(s.in_w)}: bars $w$, dots $\Phi^\top a$" + cross, up="bottom", of="axes"),
        Bars(features, w, "#BFDFD7", width=0.6, edge=GREEN, rim=1.6, name="bars"),
        Dots(features, s.from_a[-1], PURPLE, size=6, edge=PURPLE, rim=1, name="dots"),
        Dots(features, s.steady_w, GREY, **CROSS) if other else None,
        name="low",
        place=(0.095, 0.105, 0.885, 0.295),
        dress=_large_names,
    )


def _large_names(ax):
    ax.tick_params(axis="x", labelsize="medium")


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


two_runs = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "moons", tuple(DATA)),
    Slider("degree", "degree p", 3, 1, 6, 1),
    Choice("rate", "rate", "η = 1", tuple(RATES)),
    *ORDER,
    title="The run in w and the run in a",
    shows="Above, each mistake has a column, and the height of its mark is the training point: green rings are the "
    "run in w, purple dots the run in a. Below, bars are the weights w at the end and dots the weights Φᵀa. "
    "Grey crosses are the same run with η = 1, where the rate is another.",
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
