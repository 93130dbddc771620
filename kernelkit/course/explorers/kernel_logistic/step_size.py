"""Notebook 05. Steps that are too long."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.two_descents import (
    build_curves,
    draw_curves,
    frame_from_zero,
    run,
)
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
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
        t=t,
        multiple=multiple,
        plain=plain.loss[0],
        along=change_along(r, t, L, SIZES),
        lands=float(change_along(r, t, L, np.array([multiple]))[0]),
        rises=int(np.sum(np.diff(r.loss[0][: t + 1]) > 1e-9)),
    )


def build(figure):
    left = figure.add_axes((0.085, 0.145, 0.375, 0.735), xlim=(0, 4.25), ylim=(-4.5, 4.75))
    left.set(xticks=range(5), xticklabels=["0", "1/L", "2/L", "3/L", "4/L"], yticks=[-4, -2, 0, 2, 4])
    left.set_yticklabels([short(v) for v in (-4, -2, 0, 2, 4)])
    left.set_xlabel("size of the next step")
    left.set_title("change of the objective $J$ in the next\n" + r"step, in units of $\|\nabla J\|^2/L$")
    left.axvspan(2, 4.25, color="#F1F1F1", lw=0)
    left.text(2.1, 4.65, "$J$ may\nrise", color=GREY, va="top")
    left.axhline(0, color=INK, lw=0.8)
    left.plot(SIZES, PROMISE, "--", color=PURPLE)
    left.text(1.9, 0.2, "dashed: an\nupper bound", color=PURPLE, ha="right")
    left.text(0.1, -4.3, "line: what $J$ does", va="bottom")
    right = figure.add_axes((0.57, 0.145, 0.415, 0.735))
    return {
        "promise": left,
        "objective": right,
        "curves": build_curves(right, LAST),
        "plain": right.plot([], [], color=GREY, lw=1.2, animated=True)[0],
        "plain name": right.text(0, 0, "with 1/L", color=GREY, animated=True, ha="right"),
        "along": left.plot([], [], color=INK, lw=2.4, animated=True)[0],
        "size": left.plot([], [], ":", color=INK, lw=1.4, animated=True)[0],
        "lands": left.plot([], [], "o", color=INK, ms=8, animated=True)[0],
    }


def draw(parts, state):
    m, other = state.multiple, state.multiple != 1
    parts["along"].set_data(SIZES, state.along)
    parts["size"].set_data([m, m], [0, state.lands])
    parts["lands"].set_data([m], [state.lands])
    draw_curves(parts["curves"], state.r.loss, state.t)
    parts["plain"].set_data(*((np.arange(LAST + 1), state.plain[: LAST + 1]) if other else ([], [])))
    top = frame_from_zero(parts["objective"], max(state.r.loss[:, : LAST + 1].max(), state.plain.max()))
    parts["plain name"].set(position=(LAST, state.plain[LAST] + 0.02 * top), text="with 1/L" if other else "")


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


step_size = Explorer(
    title="Steps that are too long",
    controls=(
        Slider("multiple", "step size × L", 1.0, 0.25, 4.0, 0.25),
        Stepper("t", "step t", LAST, 20),
        Choice("data", "data", "rings", ("rings", "crossing", "moons", "mixture")),
        Slider("degree", "degree p", 1, 1, 5, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the size of the next step across and the change of J upwards: the solid line is what J does, "
    "the dashed line an upper bound, a dot is where the step lands, and a grey background begins at 2/L. On the "
    "right is the objective at each step, in w as a wide line and in a as a dashed one, and a thin grey line "
    "for steps of 1/L.",
    code=code,
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
