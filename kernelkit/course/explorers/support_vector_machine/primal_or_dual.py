"""Notebook 07. The primal, one point at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelMachine, Monomials, Polynomial, PrimalSVM, datasets
from kernelkit.course.explorers.drawing.boundary import grid, points, sides
from kernelkit.course.explorers.drawing.machines import tell_h
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Dots, Line, Text
from kernelkit.course.panel.numbers import fixed, short, thousands
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

N, PASSES = 60, 50
LOW, HIGH = (-2.6, -2.6), (2.6, 2.6)
ACROSS, UP = grid(LOW, HIGH, 80)
STEPS = np.arange(1, N * PASSES + 1)
AT = np.unique(np.round(np.geomspace(1, N * PASSES, 40)).astype(int))  # the iterates that are looked at
EARLY, HUNDRED = (int(np.searchsorted(AT, t)) for t in (10, 100))
DATA = {"crossing": "crossing", "rings": "rings", "moons": "moons"}
FLOOR = 1e-6  # the lowest end of the curves


@lru_cache(maxsize=8)
def _data(data):
    return getattr(datasets, data)(N)


@lru_cache(maxsize=16)
def _features(degree):
    return Monomials(degree)(plane_points(ACROSS, UP))


def objective(W, Phi, y, lam):
    """(1/n) Σ max(0, 1 − y_i wᵀΦ(X_i)) + λ‖w‖² for each row w of W."""
    return np.maximum(0, 1 - y * (W @ Phi.T)).mean(axis=1) + lam * np.sum(W**2, axis=1)


@lru_cache(maxsize=16)
def run(data, degree, lam, order):
    """After each step t = 1, 2, …: the last w, the mean of the last half, their objectives. And the dual's optimum."""
    X, y = _data(data)
    phi = Monomials(degree)
    steps = list(PrimalSVM(phi, lam, PASSES, order).steps(X, y))
    W = np.array([step.iterate for step in steps])
    sums = np.vstack([0 * W[:1], np.cumsum(W, axis=0)])
    mean = (sums[STEPS + 1] - sums[STEPS // 2 + 1]) / (STEPS - STEPS // 2)[:, None]
    k = Polynomial(degree)
    a = KernelMachine(k, "hinge", lam=2 * N * lam).fit(X, y).a_
    best = 2 * lam * float(a @ y - a @ (k(X) @ a) / 2)  # the dual of C Σ hinge + ½‖w‖², times 2λ = 1/(nC)
    values = [objective(v, phi(X), y, lam) for v in (W[1:], mean)]
    return SimpleNamespace(last=W[1:], mean=mean, values=values, best=best, w=phi(X).T @ a, steps=steps[1:])


def compute(data, degree, lam, order, step):
    X, y = _data(data)
    r = run(data, degree, lam, order)
    t = int(AT[min(step, len(AT) - 1)])
    H = [(_features(degree) @ w).reshape(len(UP), len(ACROSS)) for w in (r.mean[t - 1], r.last[t - 1], r.w)]
    return SimpleNamespace(
        X=X,
        y=y,
        t=t,
        values=r.values,
        best=r.best,
        H=H,
        visited=r.steps[t - 1].moved,
        pulled=r.steps[t - 1].cost > 0,
        now=[float(v[t - 1]) for v in r.values],
    )


# ---- the picture ------------------------------------------------------------------------------

NAMES = (  # of the boundaries
    Line([], [], GREY, width=2.2, style=":", label="last w"),
    Line([], [], INK, width=2.2, label="mean"),
    Line([], [], GREEN, width=2.2, style="--", label="optimum"),
)
WALKS = ("last w", GREY, 1.0, "o"), ("mean of last half", INK, 2.4, "s")  # of the objectives
CURVES = (0.585, 0.135, 0.405, 0.766)  # where these are


def picture(s):
    return [[_plane(s), _objectives(s), LEGEND]]


def _plane(s):
    mean, last, best = s.H
    field, of_mean, of_best = sides(ACROSS, UP, mean, s.X, best, margin=None, colour=GREEN)
    where = "inside its margin, it pulls" if s.pulled else "beyond its margin, no pull"
    return Axes(
        "",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        *NAMES,
        field,
        of_mean,
        Contours(ACROSS, UP, last, color=GREY, style=":", name="last"),
        of_best,
        *points(s.X, s.y),
        Dots(*s.X[[s.visited]].T, "none", marker="D", size=13, edge=PURPLE, rim=2.4),
        Text(0, 1.125, f"step {s.t}: {where}", PURPLE, of="axes"),
        name="axes",
        place=(0.012, 0.035, 0.432, 0.796),
        bare=True,
    )


def _objectives(s):
    """Both objectives at each step, with whole decades for a whole run."""
    top = int(np.ceil(np.log10(max(v.max() for v in s.values))))
    decades = [10.0**e for e in range(-6, top + 1, 2)]
    above = [np.maximum(v[: s.t] - s.best, FLOOR) for v in s.values]
    walks = [*zip(above, WALKS, strict=True)]
    return Axes(
        "objective above the optimum",
        Axis("step $t$", 0.8, N * PASSES * 1.3, (1, 10, 100, 1000), ("1", "10", "100", "1000"), log=True),
        Axis("", 0.7 * FLOOR, 10.0**top, decades, map(short, decades), log=True),
        *(Line(STEPS[: s.t], values, colour, width=width) for values, (_, colour, width, _) in walks),
        *(_mark(s.t, values[-1], colour, mark) for values, (_, colour, _, mark) in walks),
        name="objective",
        place=CURVES,
        dress=_near_label,
    )


def _near_label(ax):
    ax.xaxis.labelpad = 0


def _mark(x, y, colour, marker):
    return Dots(x, y, colour, marker=marker, size=8, edge=colour, rim=1)


def _legend():
    """Axes over those of the objectives, with what their curves are."""
    legend = Axes("", place=CURVES, bare=True)
    for y, (name, colour, width, mark) in zip((0.95, 0.865), WALKS, strict=True):
        legend += Line([0.43, 0.53], y, colour, width=width)
        legend += _mark(0.48, y, colour, mark)
        legend += Text(0.56, y, name, colour, up="center")
    return legend


LEGEND = _legend()


# ---- the words --------------------------------------------------------------------------------


def readout(state):
    last, mean, best = (_four_digits(v) for v in (*state.now, state.best))
    return {
        "step": thousands(state.t),
        "objective at the last w": last,
        "at the mean of the last half": mean,
        "at the optimum": best,
        "C of the dual": short(1 / (2 * N * state.lam)),
    }


def _four_digits(v):
    """A positive number to four digits, the last ones also if they are 0: 0.4820."""
    return thousands(fixed(v, max(0, 3 - int(np.floor(np.log10(v))))))


def _tell_step(state, x, y):
    t = int(min(max(round(x), 1), state.t))
    last, mean = (short(v[t - 1] - state.best, 2) for v in state.values)
    return f"t = {t}: last +{last}, mean +{mean}"


def code(data, degree, lam, order, step):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({N})\nPhi = Monomials({degree})(X)\n"
        f"W = np.array(list(PrimalSVM(Monomials({degree}), {lam:g}, {PASSES}, {order}).steps(X, y)))\n"
        f"t = {AT[min(step, len(AT) - 1)]}\n"
        "for w in (W[t], W[t // 2 + 1 : t + 1].mean(axis=0)):\n"
        f"    print(np.maximum(0, 1 - y * (Phi @ w)).mean() + {lam:g} * w @ w)\n"
        f"dual = KernelMachine(Polynomial({degree}), 'hinge', lam=2 * {N} * {lam:g}).fit(X, y)\n"
        "print(dual.objective_ / len(y))"
    )


primal_or_dual = panel(
    compute,
    picture,
    readout,
    code,
    Stepper("step", "moment", len(AT) - 1, HUNDRED),
    Choice("data", "data", "crossing", DATA, more=True),
    Slider("degree", "degree p", 2, 1, 4, 1),
    Slider("lam", "λ", 0.01, 0.001, 1.0, 0.25, log=True),
    Slider("order", "random seed", 0, 0, 9, 1, more=True),
    title="The primal, one point at a time",
    shows="On the left the plane with the points of two classes and three boundaries: solid that of the mean of the "
    "last half of the steps, dotted that of the last w, dashed and green that of the optimum; a purple diamond "
    "marks the point visited last. On the right is how far the objective is above the optimum at each step, on "
    "logarithmic axes.",
    film=("step",),
    scenes={
        "The first steps": {"step": EARLY},
        "All steps": {"step": len(AT) - 1},
        "Strong penalty": {"step": len(AT) - 1, "lam": 1.0},
        "Degree 1": {"step": len(AT) - 1, "degree": 1},
    },
    question=Question(
        "With λ = 0.01, the objective at the last w is 0.0033 above its optimum after 3000 steps. How far above its "
        "optimum is it after 3000 steps with λ = 1?",
        ("farther above it", "about as far above it", "much closer to it"),
        2,
        "Step t has the step size 1/(2λ(t + 1)). With λ = 1 it is a hundredth of what it was, so w jumps far less "
        "around the optimum, and the objective ends only 0.0001 above it. The jumps look large because the axis is "
        "logarithmic. The optimum itself is higher, 0.482 instead of 0.057, because a long w is expensive.",
        "Strong penalty",
    ),
    tell={"axes": lambda state, x, y: tell_h(ACROSS, UP, state.H[0], (x, y)), "objective": _tell_step},
)
