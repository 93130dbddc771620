"""Notebook 05. One point at a time."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.course.explorers.drawing.field import Field
from kernelkit.course.explorers.drawing.shades import probability_shades, value_at
from kernelkit.course.explorers.drawing.two_descents import (
    GX,
    GY,
    LAST,
    build_curves,
    draw_curves,
    frame_from_zero,
    planes,
    run,
)
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import reframed, standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.models.logistic import sigmoid

DATA, DEGREE, LAM = "mixture", 3, 0.01
BOXES = {"objective": (0.545, 0.145, 0.44, 0.745), "da": (0.545, 0.59, 0.44, 0.3), "dq": (0.545, 0.145, 0.44, 0.3)}
SHOWN = {"objective": ("objective",), "change": ("da", "dq")}
PALE = "#BBBBBB"  # of the bars of points without a ring


def compute(n, solver, multiple, show, t):
    r = run(DATA, n, DEGREE, LAM, solver, multiple)
    before = max(t - 1, 0)
    point, dq = r.visited[before] if r.visited and t else None, r.q[t] - r.q[before]
    return SimpleNamespace(
        r=r,
        t=t,
        n=n,
        show=show,
        point=point,
        alone=point is not None,
        other=None if point is None else _most_of_the_others(dq, point),
        H=planes(r, t, DATA, n, DEGREE)[1],
        H_before=planes(r, before, DATA, n, DEGREE)[1],
        da=r.A[t] - r.A[before],
        dq=dq,
        rise=r.loss[1][t] - r.loss[1][before],
    )


def _most_of_the_others(dq, point):
    """The point other than the visited one whose output changed most."""
    return int(np.where(np.arange(len(dq)) == point, 0, np.abs(dq)).argmax())


def build(figure):
    plane = figure.add_axes((0.012, 0.07, 0.448, 0.826))
    objective = figure.add_axes(BOXES["objective"])
    parts = {
        "plane": plane,
        "field": Field(plane, GX, GY, probability_shades),
        "ring": plane.plot([], [], "o", color="none", mec=PURPLE, mew=2.4, ms=17, animated=True, zorder=5)[0],
        "other": plane.plot([], [], "o", color="none", mec=GREEN, mew=2.4, ms=17, animated=True, zorder=5)[0],
        "origin": plane.plot(0, 0, "+", color=GREY, ms=11, mew=1.6, animated=True, zorder=2.5)[0],
        "says": plane.text(0, 1.025, "", transform=plane.transAxes, animated=True),
        "objective": objective,
        "curves": build_curves(objective),
    }
    for name, title in (("da", "the step changed $a_j$ by"), ("dq", "and the output $h(X_j)$ by")):
        ax = figure.add_axes(BOXES[name])
        ax.set_title(title)
        ax.axhline(0, color=INK, lw=0.8)
        parts[name] = ax
        parts[f"{name} bars"] = ax.add_collection(PolyCollection([], lw=0, animated=True))
    parts["da"].tick_params(labelbottom=False)
    parts["dq"].set_xlabel("training point $j$")
    return parts


def draw(parts, state):
    r = state.r
    parts["field"].show(state.H)
    parts["field"].lines(state.H)
    parts["field"].lines(state.H_before, dashed=True)
    parts["field"].points(r.X, r.y)
    parts["ring"].set_data(*r.X[[] if state.point is None else [state.point]].T)
    compared = state.point is not None and state.show == "change"
    parts["other"].set_data(*r.X[[state.other] if compared else []].T)
    parts["says"].set_text(f"after step {state.t}; dashed: before it" if state.t else "before the first step")
    draw_curves(parts["curves"], r.loss, state.t)
    for name in ("da", "dq"):
        bars = enumerate(getattr(state, name), 1)
        parts[f"{name} bars"].set_verts([[(j - 0.4, 0), (j + 0.4, 0), (j + 0.4, v), (j - 0.4, v)] for j, v in bars])
        parts[f"{name} bars"].set_facecolors(_colours(state))
    _turn_to(parts, state.show)
    if state.show == "change":
        for name in ("da", "dq"):
            _bar_frame(parts[name], getattr(state, name))
    else:
        frame_from_zero(parts["objective"], r.loss.max())


def _colours(state):
    """Bars in the colour of the ring of their point."""
    if state.point is None:
        return [PURPLE] * state.n
    return [{state.point: PURPLE, state.other: GREEN}.get(j, PALE) for j in range(state.n)]


def _turn_to(parts, show):
    """On the right the objective, or what the last step changed; the other axes stand beside the picture."""
    if reframed(parts["plane"], show):
        for name, (left, *rest) in BOXES.items():
            here = name in SHOWN[show]
            parts[name].set_visible(here)
            parts[name].set_position((left if here else left + 2, *rest))


def _bar_frame(ax, changes):
    """Round limits, so that a step seldom moves anything but the bars."""
    n, top = len(changes), standard(max(np.abs(changes).max(), 0.01))
    if reframed(ax, n, top):
        ax.set(xlim=(0.2, n + 0.8), xticks=[1, *range(5, n + 1, 5)], ylim=(-1.05 * top, 1.05 * top))
        ax.set_yticks([-top, 0, top], [short(v) for v in (-top, 0, top)])


def readout(state):
    return {
        "point visited": state.point + 1 if state.alone else None,
        "its aᵢ changed by": short(state.da[state.point]) if state.alone else None,
        "largest change of an output": short(np.abs(state.dq).max()),
        "objective per point": f"{state.r.loss[1][state.t]:.4f}",
        "objective changed by": fixed(state.rise, 4, sign="+"),
    }


def code(n, solver, multiple, show, t):
    r = run(DATA, n, DEGREE, LAM, solver, multiple)
    return (
        "from itertools import islice\nimport numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{DATA}({n})\nX = X - X.mean(axis=0)\nX = X / np.abs(X).max()\nk = Polynomial({DEGREE})\n"
        f'model = KernelLogistic(k, lam={LAM}, solver="{solver}", step={r.step:.6g}, random_state=0)\n'
        f"A = np.array(list(islice(model.steps(X, y), {t} + 1)))  # one row after each step\n"
        "if len(A) > 1:\n    before, after = A[-2:]\n    print('a changed by', (after - before).round(3))\n"
        "    print('h changed by', (k(X) @ (after - before)).round(3))"
    )


def _probability(state, x, y):
    return f"P(+1) = {sigmoid(value_at(GX, GY, state.H, x, y)):.2f}"


def _objective(state, x, y):
    t = min(max(round(x), 0), state.t)
    return f"after {t} step{'s' * (t != 1)}: {state.r.loss[0][t]:.4f}"


def _bar(name):
    def tell(state, x, y):
        j = min(max(round(x), 1), state.n)
        return f"point {j}: {short(getattr(state, name)[j - 1])}"

    return tell


one_point = Explorer(
    title="One point at a time",
    controls=(
        Stepper("t", "step t", LAST, 32),
        Choice("show", "on the right", "objective", {"the objective": "objective", "what it changed": "change"}),
        Choice("solver", "a step sees", "sgd", {"one point: SGD": "sgd", "all points": "gd"}),
        Slider("multiple", "step size × L", 1.0, 0.25, 4.0, 0.25),
        Slider("n", "points n", 16, 6, 30, 2, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points of two classes and the probabilities as colours; a purple ring marks "
    "the visited point, the solid line is the boundary after the step and the dashed line the one before it. On "
    "the right is the objective at each step, or, as bars, by how much the step changed each aⱼ and each "
    "output.",
    code=code,
    tell={"plane": _probability, "objective": _objective, "da": _bar("da"), "dq": _bar("dq")},
    film=("t",),
    scenes={
        "What it changed": {"show": "change"},
        "Smaller steps": {"multiple": 0.25, "t": 100},
        "Longer steps": {"multiple": 4.0, "t": 100},
        "All points at once": {"solver": "gd"},
    },
    question=Question(
        "The ringed point was just visited, and only its own aᵢ changed (but for a tiny shrinking by λ). Which "
        "output changed most?",
        ("its own", "that of its nearest neighbour", "that of a point farther out"),
        2,
        "Output j moves by the change of aᵢ, times k(Xᵢ, Xⱼ). A cubic kernel is largest for points that are far out "
        "from the + in the direction of Xᵢ, such as the one with the green ring. All n outputs move, so a step costs "
        "O(n).",
        "What it changed",
    ),
)
