"""Notebook 17. Few terms by forward selection, few terms by L1, small weights on all of them by L2."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.hospital import L2_LAMS, STEPS, every_term, penalised, run_of, written
from kernelkit.course.panel.controls import Choice, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, HLine, Line, Text, VLine, VSpan
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.sketch import Sketch, compared
from kernelkit.course.plots import GREEN, GREY, INK

K = np.arange(1, STEPS + 1)
ROWS = 9  # terms whose times are shown
LOSSES = 0.055, 0.37
FORWARD, L1, AGAIN, L2 = "forward selection", "L1", "its terms, not shrunk", "L2, all terms"
PLACES = {"u": "u, across the head", "v": "v, along the head"}  # whose letters alone say little
TICKS = 1, 5, 10, 15, 20, 25, 30
WIDE = 0.4, STEPS + 0.6


def compute(degree, count, kept, lam):
    path, l2 = penalised(degree, count)
    allowed = [max((i for i, row in enumerate(path) if row.kept <= k)) for k in K]
    at = [path[i] for i in allowed]  # the smallest λ that keeps no more
    run = run_of(4, degree, count)
    sets = {FORWARD: [{step.term for step in run[:k]} for k in K], L1: [set(row.terms) for row in at]}
    own, its = (order(sets[name]) for name in (FORWARD, L1))
    i = int(np.abs(np.log(l2[:, 0] / lam)).argmin())
    return SimpleNamespace(
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


def picture(s):
    forward, l1, again = (s.loss[name] for name in (FORWARD, L1, AGAIN))
    losses = Axes(
        "",
        Axis("", *WIDE, TICKS, ("",) * len(TICKS)),
        Axis("residual, new heads", *LOSSES, (0.06, 0.1, 0.2, 0.3), ("0.06", "0.1", "0.2", "0.3"), log=True),
        VLine(s.kept, GREY, width=1),
        Line(K[: len(forward)], forward, width=1.6, marker="o", size=3.5, label=FORWARD),
        Line(K[: len(l1)], l1, GREEN, width=1.6, marker="s", size=3.5, label=L1, name="l1"),
        Line(K[: len(again)], again, GREEN, width=1.8, style=":", label=AGAIN, name="again"),
        HLine(s.l2[1], GREY, width=1.6, style="--", label=L2),
        Dots(s.kept, forward[s.kept - 1], size=10, rim=1.0),
        Dots(s.kept, l1[s.kept - 1], GREEN, marker="s", size=10, rim=1.0, name="l1 now"),
        name="losses",
        place=(0.315, 0.535, 0.665, 0.385),
        left=-0.12,
        spacing=1.0,
    )
    times = Axes(
        "",
        Axis("terms kept", *WIDE, TICKS),
        Axis("", ROWS - 0.4, -0.6, range(len(s.rows)), map(_name, s.rows)),
        Text(0.305, 0.49, "nine of the terms", INK, side="right", up="bottom", of="figure"),
        VLine(s.kept, GREY, width=1),
        _times(s, FORWARD, -0.2, INK),
        _times(s, L1, 0.2, GREEN, name="l1 bars"),
        VSpan(s.kept + 0.5, STEPS + s.kept + 0.5, "white", alpha=0.72),
        name="times",
        place=(0.315, 0.125, 0.665, 0.36),
        dress=_near_label,
    )
    return [[losses, times]]


def _times(s, way, beside, color, name=""):
    """In the row of each term, beside its middle, a bar where this way of choosing has it."""
    cells = np.array([(i, k) for i, term in enumerate(s.rows) for k in K if term in s.sets[way][k - 1]])
    rows, numbers = cells.reshape(-1, 2).T
    return Bars(rows + beside, 1, color, base=numbers - 0.5, lying=True, width=0.32, name=name)


def _near_label(ax):
    ax.xaxis.labelpad = 1


def _name(term):
    return PLACES.get(written(term), written(term))


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


penalties = panel(
    compute,
    picture,
    readout,
    code,
    Choice("degree", "kind", 1, {"single features": 1, "and products of two": 2}),
    Choice("count", "learned from", 12, {"12 patients": 12, "4, few pixels": 4}),
    Slider("kept", "terms kept", 10, 1, STEPS, 1),
    Slider("lam", "λ of L2", 1.0, float(L2_LAMS[-1]), float(L2_LAMS[0]), 0.5, log=True),
    title="Select, or penalise?",
    shows="Above, the mean squared residual on new heads over the number of terms kept, from 1 to 30: black for "
    "forward selection, green for L1, dotted for the terms of L1 fitted again without a penalty, and a dashed line "
    "for L2 with all terms. Below, a row for each of nine terms: a black bar where forward selection has it, a green "
    "bar where L1 has it.",
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
