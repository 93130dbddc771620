"""Notebook 17. Few terms by forward selection, few terms by L1, small weights on all of them by L2."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.course.explorers.data.hospital import L2_LAMS, STEPS, every_term, penalised, run_of, written
from kernelkit.course.panel.controls import Choice, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import curves, reframed
from kernelkit.course.panel.sketch import Sketch, compared
from kernelkit.course.plots import GREEN, GREY, INK

K = np.arange(1, STEPS + 1)
ROWS = 9  # terms whose times are shown
LOSSES = 0.055, 0.37
FORWARD, L1, AGAIN, L2 = "forward selection", "L1", "its terms, not shrunk", "L2, all terms"
PLACES = {"u": "u, across the head", "v": "v, along the head"}  # whose letters alone say little
LANES = ((FORWARD, -0.36), (L1, 0.04))  # where in the row of a term the bars begin


def compute(degree, count, kept, lam):
    path, l2 = penalised(degree, count)
    allowed = [max((i for i, row in enumerate(path) if row.kept <= k)) for k in K]
    at = [path[i] for i in allowed]  # the smallest λ that keeps no more
    run = run_of(4, degree, count)
    sets = {FORWARD: [{step.term for step in run[:k]} for k in K], L1: [set(row.terms) for row in at]}
    own, its = (order(sets[name]) for name in (FORWARD, L1))
    i = int(np.abs(np.log(l2[:, 0] / lam)).argmin())
    return SimpleNamespace(
        kept=kept,
        degree=degree,
        count=count,
        loss={
            FORWARD: np.array([step.held_out for step in run]),
            L1: np.array([row.held_out for row in at]),
            AGAIN: np.array([row.again for row in at]),
        },
        l1=at[kept - 1],
        l2=l2[i],
        sets=sets,
        rows=list(dict.fromkeys(term for pair in zip(own, its, strict=False) for term in pair))[:ROWS],
        every=len(every_term(degree)),
    )


def order(sets):
    """All terms of some sets, in the order in which they come."""
    return list(dict.fromkeys(term for terms in sets for term in sorted(terms)))


def build(figure):
    losses = figure.add_axes((0.315, 0.535, 0.665, 0.385), xlim=(0.4, STEPS + 0.6), ylim=LOSSES)
    times = figure.add_axes((0.315, 0.125, 0.665, 0.36), xlim=(0.4, STEPS + 0.6), ylim=(ROWS - 0.4, -0.6))
    losses.set(xticks=[1, 5, 10, 15, 20, 25, 30], xticklabels=[], yscale="log")
    times.set(xticks=[1, 5, 10, 15, 20, 25, 30], xlabel="terms kept")
    losses.minorticks_off()
    losses.set_yticks([0.06, 0.1, 0.2, 0.3], ["0.06", "0.1", "0.2", "0.3"])
    times.xaxis.labelpad = 1
    losses.set_ylabel("residual, new heads")
    figure.text(0.305, 0.49, "nine of the terms", color=INK, ha="right", va="bottom")
    looks = {
        FORWARD: {"color": INK, "marker": "o", "ms": 3.5, "lw": 1.6},
        L1: {"color": GREEN, "marker": "s", "ms": 3.5, "lw": 1.6},
        AGAIN: {"color": GREEN, "ls": ":", "lw": 1.8},
        L2: {"color": GREY, "ls": "--", "lw": 1.6},
    }
    now = {"ls": "none", "mec": "white", "ms": 10, "animated": True, "zorder": 5}
    return {
        "losses": losses,
        "times": times,
        "lines": (lines := curves(losses, looks, columns=4, left=-0.12, spacing=1.0)),
        "l1": lines[L1],
        "again": lines[AGAIN],
        "now": losses.plot([], [], "o", color=INK, **now)[0],
        "l1 now": losses.plot([], [], "s", color=GREEN, **now)[0],
        "here": [ax.axvline(1, color=GREY, lw=1, animated=True, zorder=0) for ax in (losses, times)],
        "bars": times.add_collection(PolyCollection([], animated=True, linewidth=0, facecolor=INK)),
        "l1 bars": times.add_collection(PolyCollection([], animated=True, linewidth=0, facecolor=GREEN)),
        "later": times.axvspan(1, 2, color="white", alpha=0.72, lw=0, zorder=3, animated=True),
    }


def draw(parts, state):
    lines = parts["lines"]
    for name in (FORWARD, L1, AGAIN):
        lines[name].set_data(K[: len(state.loss[name])], state.loss[name])
    lines[L2].set_data([0.4, STEPS + 0.6], [state.l2[1]] * 2)
    for mark, name in (("now", FORWARD), ("l1 now", L1)):
        parts[mark].set_data([state.kept], [state.loss[name][state.kept - 1]])
    for line in parts["here"]:
        line.set_xdata([state.kept] * 2)
    parts["later"].set(x=state.kept + 0.5, width=STEPS)
    for bars, (name, begin) in zip(("bars", "l1 bars"), LANES, strict=True):
        cells = [(i, k) for i, term in enumerate(state.rows) for k in K if term in state.sets[name][k - 1]]
        parts[bars].set_verts([_box(k, i + begin) for i, k in cells])
    if reframed(parts["times"], state.degree, state.count):
        parts["times"].set_yticks(range(len(state.rows)), [_name(term) for term in state.rows])


def _name(term):
    return PLACES.get(written(term), written(term))


def _box(k, top):
    left, right, bottom = k - 0.5, k + 0.5, top + 0.32
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def readout(state):
    own, its, again = (state.loss[name][state.kept - 1] for name in (FORWARD, L1, AGAIN))
    shared = len(state.sets[FORWARD][state.kept - 1] & state.sets[L1][state.kept - 1])
    return {
        "terms in both": f"{shared} of at most {state.kept}",
        "residual, forward selection": fixed(own, 3),
        "L1": f"{fixed(its, 3)} at λ = {short(state.l1.lam)}",
        "its terms, not shrunk": fixed(again, 3),
        "L2": f"{fixed(state.l2[1], 3)} at λ = {short(state.l2[0])} with all {state.every} terms",
    }


def terms(number):
    return "1 term" if number == 1 else f"{number} terms"


def _choose(state, x, y):
    return {"kept": _number(x)}


def _number(x):
    return int(np.clip(round(x), 1, STEPS))


def _tell_losses(state, x, y):
    k = _number(x)
    return f"{terms(k)}: forward {fixed(state.loss[FORWARD][k - 1], 3)}, L1 {fixed(state.loss[L1][k - 1], 3)}"


def _tell_times(state, x, y):
    row = int(np.clip(round(y), 0, len(state.rows) - 1))
    name = FORWARD if y < row else L1
    when = [k for k in K if state.rows[row] in state.sets[name][k - 1]]
    return f"{name}: from {terms(when[0])} on" if when else f"{name}: not up to {STEPS}"


def judge(drawn, values):
    """How near the sketch is to the curve of L1."""
    state = compute(**values)
    return (
        f"Your sketch {compared(drawn, K, state.loss[L1])}. At four terms L1 has {fixed(state.loss[L1][3], 3)}, and "
        f"forward selection {fixed(state.loss[FORWARD][3], 3)}."
    )


def code(degree, count, kept, lam):
    state = compute(degree, count, kept, lam)
    return (
        "import numpy as np\n"
        "from kernelkit.course.explorers.data.hospital import every_term, standard, written\n"
        "from kernelkit.study.terms import lasso\n\n"
        f"terms = every_term({degree})\n"
        f"Phi, y, Phi_new, y_new = standard({degree}, {count})\n"
        f"w = lasso(Phi, y, {state.l1.lam:g}, tol=1e-4)\n"
        "print(np.mean((y_new - Phi_new @ w) ** 2))\n"
        "for j in np.argsort(-np.abs(w))[: np.sum(w != 0)]:\n"
        "    print(written(terms[j]), w[j])\n"
        f"w = np.linalg.solve(Phi.T @ Phi + {state.l2[0]:g} * np.eye(len(terms)), Phi.T @ y)\n"
        "print(np.mean((y_new - Phi_new @ w) ** 2))"
    )


penalties = Explorer(
    title="Select, or penalise?",
    controls=(
        Choice("degree", "kind", 1, {"single features": 1, "and products of two": 2}),
        Choice("count", "learned from", 12, {"12 patients": 12, "4, few pixels": 4}),
        Slider("kept", "terms kept", 10, 1, STEPS, 1),
        Slider("lam", "λ of L2", 1.0, float(L2_LAMS[-1]), float(L2_LAMS[0]), 0.5, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Above, the mean squared residual on new heads over the number of terms kept, from 1 to 30: black for "
    "forward selection, green for L1, dotted for the terms of L1 fitted again without a penalty, and a dashed line "
    "for L2 with all terms. Below, a row for each of nine terms: a black bar where forward selection has it, a green "
    "bar where L1 has it.",
    code=code,
    film=("kept",),
    scenes={
        "Four terms": {"kept": 4},
        "Few pixels, all products": {"degree": 2, "count": 4, "kept": 20, "lam": 316.228},
        "L2 let loose": {"degree": 2, "count": 4, "kept": 20, "lam": 0.01},
        "Products, 12 patients": {"degree": 2, "kept": 12, "lam": 316.228},
    },
    question=Sketch(
        "The black curve is the residual of forward selection. Sketch the residual of L1 with the λ that keeps the "
        "same number of terms.",
        "curve",
        "losses",
        tuple((float(k), 0.25) for k in (1, 4, 10, 20, 30)),
        (1.0, 0.06),
        (30.0, 0.35),
        judge,
        "L1 also shrinks the weights that it keeps. At the λ that leaves four terms, all four weights are too small, "
        "two of them by far. Where more terms are kept, λ is smaller, and the two curves meet.",
        scene="Four terms",
        hides=("l1", "again", "l1 now", "l1 bars"),
    ),
    tell={"losses": _tell_losses, "times": _tell_times},
    click={"losses": _choose, "times": _choose},
    size=(7.0, 3.6),
)
