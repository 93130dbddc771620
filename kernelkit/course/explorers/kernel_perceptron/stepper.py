"""Notebook 06. One mistake at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelPerceptron, Polynomial
from kernelkit.course.explorers.data.perceptron_runs import (
    DATA,
    ORDER,
    PASSES,
    data_code,
    mixed_data,
    run_of,
    seed_of,
)
from kernelkit.course.explorers.drawing.boundary import grid, points, sides
from kernelkit.course.explorers.drawing.shades import value_at
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Contours, Dots, Text
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.plots import BLUE, INK, ORANGE, PURPLE

LAST = 40  # mistakes that can be stepped through
LOW, HIGH = (-2.6, -2.6), (2.6, 2.6)


def _kernel(family, degree, sigma):
    return {"line": Polynomial(1), "polynomial": Polynomial(degree), "gaussian": Gaussian(sigma)}[family]


@lru_cache(maxsize=64)
def _kernel_run(data, kernel, random_state):
    model, (X, y) = KernelPerceptron(kernel, max_passes=PASSES, random_state=random_state), mixed_data(data)
    return run_of(model, kernel(X), X, y, LAST)


@lru_cache(maxsize=8)
def _grid_gram(data, kernel):
    """k between every point of the grid and every training point."""
    x, y = grid(LOW, HIGH, 90)
    return x, y, kernel.gram(plane_points(x, y), mixed_data(data)[0])


def compute(data, family, degree, sigma, order, seed, step):
    kernel = _kernel(family, degree, sigma)
    X, y = mixed_data(data)
    run = _kernel_run(data, kernel, seed_of(order, seed))
    step = min(step, len(run.points))
    a, before = run.iterates[step], run.iterates[max(step - 1, 0)]
    x_grid, y_grid, K_grid = _grid_gram(data, kernel)
    H = (K_grid @ np.column_stack([a, before])).reshape(len(y_grid), len(x_grid), 2)
    K, i = kernel.gram(X, X), run.points[step - 1] if step else None
    right, was_right = y * (K @ a) > 0, y * (K @ before) > 0
    return SimpleNamespace(
        X=X,
        y=y,
        a=a,
        x_grid=x_grid,
        y_grid=y_grid,
        H=H[..., 0],
        H_before=H[..., 1],
        step=step,
        begun=i is not None,
        point=i,
        number=run.passes[step],
        margin=0.0 if i is None else float(y[i] * (K[i] @ before)),
        wrong=int(np.sum(~right)),
        spoiled=np.flatnonzero(was_right & ~right),
        still=np.flatnonzero(~was_right & ~right) if step else [],
        last_step=len(run.points),
        most=np.abs(run.iterates).max(),
    )


def picture(s):
    here = [s.point] if s.begun else []
    return [[_plane(s, here), _bars(s, here)]]


def _plane(s, here):
    return Axes(
        "",
        Axis("$x_1$", LOW[0], HIGH[0], (-2, 2)),
        Axis("$x_2$", LOW[1], HIGH[1], (-2, 2)),
        *sides(s.x_grid, s.y_grid, s.H, s.X, margin=None),
        Contours(s.x_grid, s.y_grid, s.H_before, width=1.3, style="--"),
        *points(s.X, s.y, on_margin=np.flatnonzero(s.a)),
        _ring(*s.X[here].T, 17),
        Dots(*s.X[s.still].T, INK, marker="x", size=9, rim=0.8, name="wrong"),
        Dots(*s.X[s.spoiled].T, INK, marker="x", size=13, rim=2, name="spoiled"),
        Text(0, 1.025, _says(s), of="axes"),
        name="plane",
        place=(0.055, 0.085, 0.446, 0.8216),
        dress=_names_between_ticks,
    )


def _names_between_ticks(ax):
    ax.xaxis.labelpad = ax.yaxis.labelpad = -12
    ax.yaxis.label.set_rotation(0)


def _ring(x, y, size):
    return Dots(x, y, "none", size=size, edge=PURPLE, rim=2.4)


def _says(s):
    says = f"mistake {s.step}; dashed: before it" if s.step else "before the first mistake"
    says += "; × wrong" if len(s.still) or len(s.spoiled) else ""
    return says + (", bold: newly" if len(s.spoiled) else "")


def _bars(s, here):
    """Limits that hold for a whole run, so that a step moves nothing but the bars."""
    n, top = len(s.y), next(t for t in (2, 4, 8, 20, 80) if s.most < 0.8 * t)
    ticks = -top, -top // 2, 0, top // 2, top
    return Axes(
        "",
        Axis("training point", 0, n + 1, (1, n // 2, n)),
        Axis("", -top, top, ticks, [str(abs(v)) for v in ticks], zero=True),
        Text(0, 1.0195, "mistakes at each point (ring: this one)", of="axes"),
        Text(0.98, 0.98, "■ class +1", ORANGE, side="right", up="top", of="axes"),
        Text(0.98, 0.02, "● class −1", BLUE, side="right", up="bottom", of="axes"),
        Bars(np.arange(1, n + 1), s.a, width=0.8),
        _ring(np.array(here) + 1.0, s.a[here], 11),
        name="axes",
        place=(0.575, 0.145, 0.41, 0.75),
    )


def readout(state):
    return {
        "mistake at point": state.point + 1 if state.begun else None,
        "in pass": state.number if state.begun else None,
        "y·h before the repair": fixed(state.margin, 3) if state.begun else None,
        "points with a mistake so far": f"{np.count_nonzero(state.a)} of {len(state.y)}",
        "points wrong now": f"{state.wrong}, {len(state.spoiled)} of them newly",
    }


def code(data, family, degree, sigma, order, seed, step):
    model = KernelPerceptron(_kernel(family, degree, sigma), max_passes=PASSES, random_state=seed_of(order, seed))
    return (
        "import numpy as np\nfrom itertools import islice\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"{data_code(data)}model = {model!r}\n"
        f"*_, last = islice(model.steps(X, y), {step} + 1)  # after {step} mistakes, or at the end\n"
        "a = last.iterate\nprint(np.flatnonzero(a) + 1, a[a != 0])\n"
        "print('points still wrong:', np.sum(y * (model.kernel(X) @ a) <= 0))"
    )


def _output(state, x, y):
    return f"h = {short(value_at(state.x_grid, state.y_grid, state.H, x, y))}"


def _count(state, x, y):
    i = min(max(round(x), 1), len(state.y)) - 1
    return f"point {i + 1}: {abs(state.a[i]):.0f} mistake{'s' * int(abs(state.a[i]) != 1)}"


stepper = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "moons", tuple(DATA)),
    Choice(
        "family",
        "kernel",
        "gaussian",
        {
            "a line, xᵀz + 1": "line",
            "polynomial, (xᵀz + 1)ᵖ": "polynomial",
            "Gaussian": "gaussian",
        },
    ),
    Slider("degree", "degree p", 2, 2, 6, 1, when=lambda v: v["family"] == "polynomial"),
    Slider("sigma", "width σ", 0.7, 0.2, 2.0, 0.05, when=lambda v: v["family"] == "gaussian"),
    *ORDER,
    Stepper("step", "mistake", LAST, 6),
    title="One mistake at a time",
    shows="On the left the plane with the points of two classes, blue dots and orange squares, and the predicted "
    "class as a colour; the solid line is the boundary, the dashed line that before the last repair. A ring "
    "marks the point of the mistake, a dark dot each point with a mistake, a cross a point that the repair left "
    "wrong. On the right a bar for each point counts its mistakes, upwards for the orange class.",
    tell={"plane": _output, "axes": _count},
    film=("step",),
    scenes={
        "Start": {"step": 0},
        "Rings": {"data": "rings", "family": "polynomial", "step": 5},
        "One repair more": {"step": 7},
        "Cubic moons": {"family": "polynomial", "degree": 3, "step": 12},
        "A line, 16 points": {"data": "16 points", "family": "line", "step": 20},
        "Random order": {"order": "random", "seed": 3},
    },
    question=Question(
        "After six repairs 3 of the 40 points are still wrong. How many will be wrong after the seventh repair?",
        ("2, because one of them is repaired", "3, as now", "12, many more than now"),
        2,
        "The repaired point is of class −1, so the repair lowers h all around it. Twelve points of class +1 are near "
        "enough to come out wrong, and all twelve were right before. They get a cross.",
        "One repair more",
    ),
)
