"""Notebook 05. One point at a time."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.field import level_lines
from kernelkit.course.explorers.drawing.shades import class_points, plane, probability_shades, value_at
from kernelkit.course.explorers.drawing.two_descents import GX, GY, LAST, from_zero, objectives, planes, run, steps
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Field, Text, signed
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREEN, GREY, PURPLE
from kernelkit.models.logistic import sigmoid

DATA, DEGREE, LAM = "mixture", 3, 0.01
BOXES = {"objective": (0.545, 0.145, 0.44, 0.745), "da": (0.545, 0.59, 0.44, 0.3), "dq": (0.545, 0.145, 0.44, 0.3)}
PALE = "#BBBBBB"  # of the bars of points without a ring


def compute(n, solver, multiple, show, t):
    r = run(DATA, n, DEGREE, LAM, solver, multiple)
    before = max(t - 1, 0)
    point, dq = r.visited[before] if r.visited and t else None, r.q[t] - r.q[before]
    return SimpleNamespace(
        r=r,
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


def picture(s):
    changes = _changes(s, "da", "the step changed $a_j$ by"), _changes(s, "dq", "and the output $h(X_j)$ by")
    return [[_plane(s), _objective(s), *changes]]


def _plane(s):
    """The probabilities, the boundary after the step and before it, and rings around the points that it is about."""
    r, compared = s.r, s.alone and s.show == "change"
    return plane(
        "",
        GX,
        GY,
        Field(s.H, probability_shades),
        level_lines(GX, GY, s.H),
        level_lines(GX, GY, s.H_before, width=1.2, style="--"),
        Dots(0, 0, GREY, marker="+", size=11, rim=1.6),
        *class_points(r.X, r.y),
        _ring(r.X[s.point], PURPLE, "ring") if s.alone else None,
        _ring(r.X[s.other], GREEN, "other") if compared else None,
        Text(0, 1.025, f"after step {s.t}; dashed: before it" if s.t else "before the first step", of="axes"),
        name="plane",
        place=(0.012, 0.07, 0.448, 0.826),
    )


def _ring(place, colour, name):
    return Dots(*place[:, None], "none", size=17, edge=colour, rim=2.4, name=name)


def _objective(s):
    """The objective at each step; nothing while the right shows what a step changed."""
    axes = {"name": "objective", "place": BOXES["objective"]}
    if s.show == "change":
        return Axes("", _points(s), bare=True, **axes)
    return Axes("objective per point", steps(), from_zero(s.r.loss.max()), *objectives(s.r, s.t), **axes)


def _changes(s, name, title):
    """By how much the step changed something of each point; nothing while the right shows the objective."""
    axes, changes = {"name": name, "place": BOXES[name]}, getattr(s, name)
    if s.show == "objective":
        return Axes(bare=True, **axes)
    limit = standard(max(np.abs(changes).max(), 0.01))  # round, so that a step seldom moves anything but the bars
    bars = Bars(np.arange(1, s.n + 1), changes, _colours(s), width=0.8, name=f"{name} bars")
    return Axes(title, _points(s, name == "dq"), signed("", limit), bars, **axes)


def _points(s, named=False):
    """A horizontal axis of the training points."""
    ticks = 1, *range(5, s.n + 1, 5)
    return Axis("training point $j$" if named else "", 0.2, s.n + 0.8, ticks, None if named else [""] * len(ticks))


def _colours(s):
    """Bars in the colour of the ring of their point."""
    rings = {s.point: PURPLE, s.other: GREEN}
    return [rings.get(j, PALE) if s.alone else PURPLE for j in range(s.n)]


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


def _right(state, x, y):
    """The objective, or the change at the nearest bar; y is then a part of the height of all."""
    if state.show == "objective":
        t = min(max(round(x), 0), state.t)
        return f"after {t} step{'s' * (t != 1)}: {state.r.loss[0][t]:.4f}"
    j = min(max(round(x), 1), state.n)
    low, high = 0.3 / 0.745, 1 - 0.3 / 0.745  # where the lower bars end, and the upper ones begin
    changes = state.dq if y < low else state.da if y > high else None
    return "" if changes is None else f"point {j}: {short(changes[j - 1])}"


one_point = panel(
    compute,
    picture,
    readout,
    code,
    Stepper("t", "step t", LAST, 32),
    Choice("show", "on the right", "objective", {"the objective": "objective", "what it changed": "change"}),
    Choice("solver", "a step sees", "sgd", {"one point: SGD": "sgd", "all points": "gd"}),
    Slider("multiple", "step size × L", 1.0, 0.25, 4.0, 0.25),
    Slider("n", "points n", 16, 6, 30, 2, more=True),
    title="One point at a time",
    shows="On the left the plane with the points of two classes and the probabilities as colours; a purple ring marks "
    "the visited point, the solid line is the boundary after the step and the dashed line the one before it. On "
    "the right is the objective at each step, or, as bars, by how much the step changed each aⱼ and each "
    "output.",
    tell={"plane": _probability, "objective": _right},
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
