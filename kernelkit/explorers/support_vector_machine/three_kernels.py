"""Notebook 07. Three kernels on sixteen points."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial, datasets
from kernelkit.explorers.shared import boundary as plane
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import contour_lines

SPAN = (-3.0, -3.0), (3.0, 3.0)
SIDE, UPWARD = plane.grid(*SPAN, 90)


def _kernels(sigma, degree, offset):
    return Linear(), Polynomial(degree, offset), Gaussian(sigma)


def compute(C, sigma, degree, offset, level):
    X, y = datasets.sixteen()
    machines = []
    for kernel in _kernels(sigma, degree, offset):
        model = KernelSVM(kernel, C).fit(X, y)
        inside = (model.multipliers_ > 0) & (model.multipliers_ < C)
        H = plane.decision_on_grid(model, SIDE, UPWARD)
        lower, upper = contour_lines(SIDE, UPWARD, H, (-level, level))
        machines.append(SimpleNamespace(
            H=H, support=model.support_, on_margin=np.flatnonzero(inside),
            wrong=int(np.sum(model.predict(X) != y)), lines=[*lower, *upper],
        ))  # fmt: skip
    return SimpleNamespace(X=X, y=y, C=C, sigma=sigma, degree=degree, offset=offset, level=level, machines=machines)


def build(figure):
    parts = {"planes": []}
    for i in range(3):
        ax = figure.add_axes((0.01 + 0.332 * i, 0.13, 0.316, 0.316 * 7.2 / 3.1), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        parts["planes"].append(plane.build(ax, *SPAN) | {
            "title": ax.text(0.5, 1.03, "", transform=ax.transAxes, size=12, ha="center", animated=True),
            "note": ax.text(0.5, -0.04, "", transform=ax.transAxes, size=11, ha="center", va="top", animated=True),
        })  # fmt: skip
    return parts


def draw(parts, state):
    offset = f" + {state.offset:g}" if state.offset else ""
    titles = ("linear", f"polynomial (xᵀz{offset}){'⁰¹²³⁴'[state.degree]}", f"Gaussian, σ = {state.sigma:.2f}")
    for part, m, title in zip(parts["planes"], state.machines, titles, strict=True):
        plane.draw(part, SIDE, UPWARD, m.H, state.X, state.y, support=m.support, on_margin=m.on_margin)
        part["margins"].set_segments(m.lines)
        part["title"].set_text(title)
        part["note"].set_text(f"{len(m.support)} support vectors, {m.wrong} wrong")


def describe(state):
    counts = ", ".join(str(len(m.support)) for m in state.machines)
    errors = ", ".join(str(m.wrong) for m in state.machines)
    where = "filled points, if any, lie on these lines" if state.level == 1 else "no filled point lies on these lines"
    return (
        f"C = {short(state.C)}. Linear, polynomial, Gaussian: {counts} support vectors, {errors} of 16 points wrong. "
        f"Dashed: h = ±{state.level:g}; {where}."
    )


def code(C, sigma, degree, offset, level):
    kernels = ", ".join(map(repr, _kernels(sigma, degree, offset)))
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.sixteen()\nfor kernel in ({kernels}):\n"
        f"    svm = KernelSVM(kernel, C={C:g}).fit(X, y)\n"
        f"    inside = (svm.multipliers_ > 0) & (svm.multipliers_ < {C:g})\n"
        "    print(kernel, len(svm.support_), svm.score(X, y), svm.decision_function(X)[inside].round(2))"
    )


three_kernels = Explorer(
    title="Three kernels on sixteen points",
    controls=(
        Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
        Slider("degree", "degree p", 3, 2, 4, 1),
        Choice("offset", "offset c", 1.0, {"c = 1": 1.0, "c = 0 (coef0=0)": 0.0}),
        Slider("sigma", "width σ", 1.0, 0.3, 3.0, 0.05),
        Choice("level", "dashed lines at", 1.0, {"h = ±1": 1.0, "h = ±0.5 (the slip)": 0.5}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Lecture C's poly": {"offset": 0.0},
        "Lines at ±0.5": {"level": 0.5},
        "Expensive mistakes": {"C": 100.0},
        "Narrow": {"sigma": 0.4},
    },
    question=Question(
        "With the offset c = 0 and p = 2 the kernel is (xᵀz)². Where does h take the same value as at x?",
        ("at −x", "at 2x", "nowhere else"),
        0,
        "((−x)ᵀz)² is (xᵀz)², so h(−x) = h(x): the picture looks the same when it is turned upside down. Set c = 0 and "
        "p = 2 and check.",
    ),
    size=(7.2, 3.1),
)
