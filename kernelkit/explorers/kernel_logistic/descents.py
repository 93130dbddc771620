"""Notebook 05. Two descents: steps in w, steps in a."""

from types import SimpleNamespace

import numpy as np

from kernelkit.explorers.shared.field import Field
from kernelkit.explorers.shared.shades import amount_shades, probability_shades, value_at
from kernelkit.explorers.shared.two_descents import (
    GX,
    GY,
    LAST,
    apart,
    frame_from_zero,
    planes,
    run,
    said_of_objective,
)
from kernelkit.models.logistic import sigmoid
from kernelkit.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import short
from kernelkit.plots import INK, PURPLE

DATA = "mixture"
NONE = 1e-6  # a difference below it is rounding
PLANES = {"in_w": "P(+1), steps in $w$", "in_a": "P(+1), steps in $a$", "gap": "difference of the two"}


def compute(start, n, degree, lam, t):
    r = run(DATA, n, degree, lam, start=start)
    in_w, in_a = planes(r, t, DATA, n, degree)
    gap = np.abs(sigmoid(in_w) - sigmoid(in_a))
    return SimpleNamespace(r=r, t=t, n=n, start=start, in_w=in_w, in_a=in_a, gap=gap)


def build(figure):
    parts = {"planes": []}
    shades = probability_shades, probability_shades, lambda gap: amount_shades(2 * gap, PURPLE)
    for i, ((name, title), paint) in enumerate(zip(PLANES.items(), shades, strict=True)):
        ax = parts[name] = figure.add_axes((0.012 + 0.331 * i, 0.35, 0.314, 0.578))
        ax.set_title(title, color=PURPLE if name == "gap" else INK, pad=4)
        parts["planes"].append(Field(ax, GX, GY, paint, size=6.5))
    middle = {"ha": "center", "va": "bottom", "color": PURPLE, "animated": True}
    parts["none"] = parts["gap"].text(0.5, 0.03, "", transform=parts["gap"].transAxes, **middle)
    below = parts["apart"] = figure.add_axes((0.31, 0.115, 0.67, 0.155), xlim=(-1, LAST + 1))
    words = "distance of\n$w_t$ and $\\Phi^\\top a_t$"
    below.text(-0.1, 0.5, words, color=PURPLE, ha="right", va="center", transform=below.transAxes)
    below.text(-0.045, -0.13, "step $t$", ha="right", va="top", transform=below.transAxes)
    parts["curve"] = below.plot([], [], color=PURPLE, lw=2.4, animated=True, clip_on=False)[0]
    parts["now"] = below.plot([], [], "o", color=PURPLE, ms=7, animated=True, clip_on=False)[0]
    return parts


def draw(parts, state):
    r, t = state.r, state.t
    for plane, H in zip(parts["planes"], (state.in_w, state.in_a, state.gap), strict=True):
        plane.show(H)
        plane.points(r.X, r.y)
    for plane, H in zip(parts["planes"][:2], (state.in_w, state.in_a), strict=True):
        plane.lines(H)
    parts["none"].set_text("0 everywhere" if state.gap.max() < NONE else "")
    parts["curve"].set_data(np.arange(t + 1), r.apart[: t + 1])
    parts["now"].set_data([t], [r.apart[t]])
    frame_from_zero(parts["apart"], max(0.9, r.apart.max()))


def describe(state):
    r, t = state.r, state.t
    text = f"After {t} step{'s' * (t != 1)} of size 1/L, {apart(r, t)}. "
    text += f"The objective per point is {said_of_objective(r, t)}. "
    if state.start != "outside":
        return text + "Both began at 0." if state.start == "zero" else text + "Both began at the same w = Φᵀa."
    if not r.beyond:
        return text + f"With n = {state.n} points and D = {r.D} features every w is some Φᵀa: there is no outside."
    most = f"{state.gap.max():.2f}"
    elsewhere = f"elsewhere they differ by up to {most}" if most != "0.00" else "by now they agree elsewhere too"
    return text + (
        f"w began with a part of length {short(r.apart[0])} that no Φᵀa has: the data cannot see it, only λ shrinks "
        f"it. At the {state.n} points both forms say the same, {elsewhere}."
    )


def code(start, n, degree, lam, t):
    r = run(DATA, n, degree, lam, start=start)
    w0, a0 = ([round(float(v), 6) for v in values] if start != "zero" else None for values in (r.W[0], r.A[0]))
    return (
        "from itertools import islice\nimport numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{DATA}({n})\nX = X - X.mean(axis=0)\nX = X / np.abs(X).max()\nk = Polynomial({degree})\n"
        f'same = {{"lam": {lam!r}, "solver": "gd", "step": {r.step:.6g}}}  # 1/L\n'
        f"primal, dual = PrimalLogistic(k.feature_map(), **same), KernelLogistic(k, **same)\n"
        f"w0, a0 = {w0}, {a0}\n"
        f"w = next(islice(primal.steps(X, y, w0), {t}, None)).iterate\n"
        f"a = next(islice(dual.steps(X, y, a0), {t}, None)).iterate\n"
        "print(np.linalg.norm(w - k.feature_map()(X).T @ a))"
    )


def _probability(name):
    return lambda state, x, y: f"P(+1) = {sigmoid(value_at(GX, GY, getattr(state, name), x, y)):.2f}"


def _gap(state, x, y):
    return f"they differ by {value_at(GX, GY, state.gap, x, y):.2f}"


def _distance(state, x, y):
    t = min(max(round(x), 0), state.t)
    return f"after {t} steps: {short(round(state.r.apart[t], 4))}"


STARTS = {"w = 0, a = 0": "zero", "w = Φᵀa": "inside", "w not in the span": "outside"}

descents = Explorer(
    title="Two descents: steps in w, steps in a",
    controls=(
        Stepper("t", "step t", LAST, 20),
        Choice("start", "start", "zero", STARTS),
        Slider("n", "points n", 8, 6, 30, 2),
        Slider("degree", "degree p", 3, 1, 5, 1),
        Slider("lam", "λ", 0.01, 1e-3, 1.0, 0.25, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    tell={"in_w": _probability("in_w"), "in_a": _probability("in_a"), "gap": _gap, "apart": _distance},
    scenes={
        "Another start": {"start": "inside"},
        "Out of reach": {"start": "outside"},
        "100 steps on": {"start": "outside", "t": 100},
        "λ pulls it back": {"start": "outside", "t": 100, "lam": 1.0},
        "No outside": {"start": "outside", "degree": 2},
    },
    question=Question(
        "w starts with a part that no Φᵀa can have, and a starts as close to it as possible. Where do the two models "
        "agree?",
        ("nowhere", "at the training points", "everywhere"),
        1,
        "That part u has Φu = 0: it changes no output at a training point, so no step sees it. Elsewhere uᵀΦ(z) "
        "counts: the third picture is white at the points and darkest far from them, at the lower left and the upper "
        "edge.",
        "Out of reach",
    ),
)
