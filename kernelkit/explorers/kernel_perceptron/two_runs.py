"""Notebook 06. The run in w and the run in a."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import KernelPerceptron, Monomials, Polynomial, PrimalPerceptron
from kernelkit.explorers.shared.perceptron_runs import DATA, ORDER, PASSES, data_code, mixed_data, run_of, seed_of
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import GREEN, GREY, PURPLE

SHOWN = 40
RATES = {
    "η = 1": ("1.0", 1.0), "η = 0.1": ("0.1", 0.1),
    "η = 1/√(t+1)": ("lambda t: 1 / np.sqrt(t + 1)", lambda t: 1 / np.sqrt(t + 1)),
    "η = 1/(t+1)": ("lambda t: 1 / (t + 1)", lambda t: 1 / (t + 1)),
}  # fmt: skip


@lru_cache(maxsize=64)
def _both_runs(data, degree, rate, random_state):
    common = {"rate": RATES[rate][1], "max_passes": PASSES, "random_state": random_state}
    models = (PrimalPerceptron(Monomials(degree), **common), KernelPerceptron(Polynomial(degree), **common))
    return tuple(run_of(model, *mixed_data(data), SHOWN) for model in models)


def compute(data, degree, rate, order, seed):
    X, _ = mixed_data(data)
    primal, dual = _both_runs(data, degree, rate, seed_of(order, seed))
    steady = _both_runs(data, degree, "η = 1", seed_of(order, seed))[0].points
    pairs = zip([*primal.points, None], [*steady, None], strict=False)
    return SimpleNamespace(
        rate=rate, in_w=primal.points, in_a=dual.points, steady=steady, over=primal.over,
        W=primal.iterates, from_a=dual.iterates @ Monomials(degree)(X),
        parting=next((t for t, (p, s) in enumerate(pairs, 1) if p != s), None),
    )  # fmt: skip


def build(figure):
    top = figure.add_axes((0.1, 0.53, 0.88, 0.37), ylabel="point")
    top.set(ylim=(-2, 43), yticks=[1, 20, 40])
    low = figure.add_axes((0.1, 0.125, 0.88, 0.3), xlabel="mistake number t")
    for x, text, colour in ((0, "○ run in w", GREEN), (0.19, "● run in a", PURPLE)):
        top.text(x, 1.06, text, color=colour, transform=top.transAxes)
    low.set_title(r"every weight: line $w_t$, dot $\Phi^\top a_t$", size=11)
    return {
        "top": top, "low": low,
        "note": top.text(0.4, 1.06, "", color=GREY, transform=top.transAxes, animated=True),
        "steady": top.plot([], [], "x", color=GREY, ms=9, mew=1.6, animated=True, zorder=2)[0],
        "in_w": top.plot([], [], "o", color="none", mec=GREEN, mew=2, ms=11, animated=True, zorder=3)[0],
        "in_a": top.plot([], [], "o", color=PURPLE, ms=5, animated=True, zorder=4)[0],
        "lines": low.add_collection(LineCollection([], colors=GREEN, linewidths=1.2, animated=True, zorder=2)),
        "dots": low.plot([], [], "o", color=PURPLE, ms=3, animated=True, zorder=3)[0],
    }  # fmt: skip


def draw(parts, state):
    other = state.rate != "η = 1"
    shown = {"in_w": state.in_w, "in_a": state.in_a, "steady": state.steady if other else []}
    for name, points in shown.items():
        parts[name].set_data(np.arange(1, len(points) + 1), np.array(points) + 1)
    parts["note"].set_text("× the same run with η = 1" if other else "")
    t = np.arange(len(state.W))
    parts["lines"].set_segments([np.column_stack([t, w]) for w in state.W.T])
    parts["dots"].set_data(np.tile(t, state.W.shape[1]), state.from_a.T.ravel())
    longest = max(map(len, shown.values()))
    return _frame(parts["top"], parts["low"], 20 if longest <= 20 else SHOWN, _reach(np.abs(state.W).max()))


def _reach(v):
    return next(s * 10.0**e for e in range(-2, 9) for s in (1, 2, 3, 5) if s * 10.0**e >= v)


def _frame(top, low, ends, reach):
    if getattr(top, "fixed", None) != (ends, reach):
        top.fixed = (ends, reach)
        ticks = range(0, ends + 1, ends // 10)
        top.set(xlim=(-0.3, ends + 0.7), xticks=ticks, xticklabels=[])
        low.set(xlim=(-0.3, ends + 0.7), xticks=ticks, ylim=(-1.1 * reach, 1.1 * reach))
        low.set_yticks([-reach, 0, reach], [f"{v:g}".replace("-", "−") for v in (-reach, 0, reach)])
    return top.fixed


def describe(state):
    same = "the same points in the same order" if state.in_w == state.in_a else "different points"
    many = f"{len(state.in_w)} mistakes" if state.over else f"The first {len(state.in_w)} mistakes"
    gap = np.abs(state.W - state.from_a).max()
    said = f"{many} in w and in a: {same}; largest difference of w and Φᵀa: {gap:.6f}. "
    if state.rate == "η = 1":
        return said + ("Then every point is right." if state.over else "The run goes on.")
    if state.parting is None:
        return said + f"With {state.rate} instead of η = 1 the list of mistakes is the same; only w is scaled."
    return said + f"With {state.rate} instead of η = 1 the list of mistakes differs from number {state.parting} on."


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
    describe=describe,
    code=code,
    scenes={
        "A tenth": {"rate": "η = 0.1"},
        "Falling rate": {"rate": "η = 1/(t+1)"},
        "Random order": {"order": "random"},
        "No end": {"data": "16 points", "degree": 1},
    },
    question=Question(
        "The rate is now 1. With a rate of 0.1 throughout, started at w = 0, which mistakes will be made?",
        ("about ten times as many", "the same ones, in the same order", "other ones, about as many"),
        1,
        "Every step is a tenth, so w and all outputs are a tenth, and no sign changes. Only a rate that changes during "
        "the run makes other mistakes.",
    ),
)  # fmt: skip
