"""Notebook 05. Steps that are too long."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.two_descents import from_zero, objectives, run, steps
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line, Text
from kernelkit.course.panel.numbers import bracketed, fixed, short
from kernelkit.course.plots import GREY, INK, PURPLE
from kernelkit.models.logistic import sigmoid

N, LAM, LAST = 24, 0.01, 40
SIZES = np.linspace(0, 4.25, 86)  # of a step, times L
PROMISE = SIZES**2 / 2 - SIZES  # J changes by at most −m(1 − m/2) ‖∇J‖²/L in a step of m/L


def change_along(r, t, L, sizes):
    """By how much steps of size m/L from w_t change J, in units of ‖∇J‖²/L; 0 where the gradient is 0."""
    w, f, y = r.W[t], r.f[t], r.y
    gradient = r.Phi.T @ (sigmoid(f) - (y + 1) / 2) + LAM * w
    square = gradient @ gradient
    if square < 1e-20:
        return 0 * sizes
    moved = -np.outer(sizes / L, r.Phi @ gradient)  # every f(X_i), for every size
    # log(1 + e^{−u−δ}) − log(1 + e^{−u}) = log(1 + s(−u)(e^{−δ} − 1)), also for tiny δ
    loss = np.log1p(sigmoid(-y * f) * np.expm1(-y * moved)).sum(axis=1)
    penalty = LAM / 2 * ((sizes / L) ** 2 * square - 2 * sizes / L * (w @ gradient))
    return (loss + penalty) / (square / L)


def compute(data, degree, multiple, t):
    r = run(data, N, degree, LAM, "gd", multiple, "inside")
    plain = run(data, N, degree, LAM, "gd", 1.0, "inside")
    L = multiple / r.step
    return SimpleNamespace(
        r=r,
        plain=plain.loss[0],
        along=change_along(r, t, L, SIZES),
        lands=float(change_along(r, t, L, np.array([multiple]))[0]),
        rises=int(np.sum(np.diff(r.loss[0][: t + 1]) > 1e-9)),
    )


SIZE = Axis("size of the next step", 0, 4.25, range(5), ("0", "1/L", "2/L", "3/L", "4/L"))
CHANGE = Axis("", -4.5, 4.75, (-4, -2, 0, 2, 4), map(short, (-4, -2, 0, 2, 4)))


def picture(s):
    m, loss = s.multiple, s.r.loss[:, : LAST + 1]
    promise = Axes(
        "change of the objective $J$ in the next\n" + r"step, in units of $\|\nabla J\|^2/L$",
        SIZE,
        CHANGE,
        *_promise(),
        Line(SIZES, s.along, width=2.4),
        Line(m, [0, s.lands], width=1.4, style=":"),
        Dots(m, s.lands, size=8, edge=INK, rim=1.0),
        dress=_grey_beyond,
        name="promise",
        place=(0.085, 0.145, 0.375, 0.735),
    )
    height = from_zero(max(loss.max(), s.plain.max()))
    place = (0.57, 0.145, 0.415, 0.735)
    objective = Axes("objective per point", steps(LAST), height, *objectives(s.r, s.t), name="objective", place=place)
    if m != 1:
        objective += Line(np.arange(LAST + 1), s.plain[: LAST + 1], GREY, width=1.2)
        objective += Text(LAST, s.plain[LAST] + 0.02 * height.high, "with 1/L", GREY, side="right")
    return [[promise, objective]]


@cache
def _promise():
    """What L promises of a step, and where that is nothing."""
    return [
        HLine(0),
        Line(SIZES, PROMISE, PURPLE, style="--"),
        Text(2.1, 4.65, "$J$ may\nrise", GREY, up="top"),
        Text(1.9, 0.2, "dashed: an\nupper bound", PURPLE, side="right"),
        Text(0.1, -4.3, "line: what $J$ does", up="bottom"),
    ]


def _grey_beyond(ax):
    """A background, which no line of the frame is below."""
    if not ax.patches:  # it is drawn once
        ax.axvspan(2, 4.25, color="#F1F1F1", lw=0)


def readout(state):
    return {
        "step size": f"{short(state.multiple)}/L",
        "objective per point": f"{state.r.loss[0][state.t]:.4f}",
        "steps that raised it": f"{state.rises} of {state.t}",
        "next change of J": f"{fixed(state.lands)} ‖∇J‖²/L",
        "‖w − Φᵀa‖": fixed(state.r.apart[state.t], 4),
    }


def code(data, degree, multiple, t):
    r = run(data, N, degree, LAM, "gd", multiple, "inside")
    w0, a0 = (bracketed(str(round(float(v), 6)) for v in values) for values in (r.W[0], r.A[0]))
    return (
        "from itertools import islice\nimport numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({N})\nX = X - X.mean(axis=0)\nX = X / np.abs(X).max()\nk = Polynomial({degree})\n"
        f"K, lam = k(X), {LAM}\nL = np.linalg.norm(K, 2) / 4 + lam\n"
        f'same = {{"lam": lam, "solver": "gd", "step": {multiple!r} / L}}\n'
        f"w0 = {w0}\na0 = {a0}\n"
        f"W = np.array(list(islice(PrimalLogistic(k.feature_map(), **same).steps(X, y, w0), {t} + 1)))\n"
        f"A = np.array(list(islice(KernelLogistic(k, **same).steps(X, y, a0), {t} + 1)))\n"
        "J = np.logaddexp(0, -y * (A @ K)).sum(axis=1) + lam / 2 * (A @ K * A).sum(axis=1)\n"
        "print('objective per point:', (J / len(y)).round(4))\n"
        "print('w and a apart:', np.abs(W - A @ k.feature_map()(X)).max().round(6))"
    )


def _change(state, x, y):
    i = int(np.abs(SIZES - x).argmin())
    return f"{short(SIZES[i])}/L: {short(state.along[i], 2)}, at most {short(PROMISE[i], 2)}"


def _objective(state, x, y):
    t = min(max(round(x), 0), state.t)
    return f"after {t} step{'s' * (t != 1)}: {state.r.loss[0][t]:.4f}"


step_size = panel(
    compute,
    picture,
    readout,
    code,
    Slider("multiple", "step size × L", 1.0, 0.25, 4.0, 0.25),
    Stepper("t", "step t", LAST, 20),
    Choice("data", "data", "rings", ("rings", "crossing", "moons", "mixture")),
    Slider("degree", "degree p", 1, 1, 5, 1),
    title="Steps that are too long",
    shows="On the left the size of the next step across and the change of J upwards: the solid line is what J does, "
    "the dashed line an upper bound, a dot is where the step lands, and a grey background begins at 2/L. On the "
    "right is the objective at each step, in w as a wide line and in a as a dashed one, and a thin grey line "
    "for steps of 1/L.",
    tell={"promise": _change, "objective": _objective},
    film=("multiple",),
    scenes={
        "Short steps": {"multiple": 0.25},
        "Just below 2/L": {"multiple": 1.75},
        "Beyond 2/L": {"multiple": 3.0},
        "A crossing, 4/L": {"multiple": 4.0, "data": "crossing", "degree": 4},
    },
    question=Question(
        "With steps beyond 2/L the objective J may rise. On the data “crossing”, at degree 4, what does it do with "
        "steps of 4/L?",
        ("it falls, farther than with 1/L", "it jumps up and down", "it rises with every step"),
        0,
        "L is the largest bend that J can have. J has it in one direction only, and only while every probability is "
        "½. Here the run moves in other directions, too, and the probabilities are far from ½. So J bends much less "
        "and falls even with steps of 4/L, farther than with 1/L. The size 1/L is safe, but not always the fastest.",
        "A crossing, 4/L",
    ),
)
