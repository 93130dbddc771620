"""Notebook 07: small multiples along σ, and three kernels on sixteen points."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial, datasets
from kernelkit.explorers import boundary as plane
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Question, Slider
from kernelkit.explorers.svm_boundary import ACROSS, HIGH, LOW, bayes, fresh, sample, short, wrong
from kernelkit.plots import GREEN, GREY, PURPLE, contour_lines

# ---- small multiples along σ ----------------------------------------------------------------

SIGMAS = (0.1, 0.3, 0.7, 2.0, 6.0)
EVERY = 2  # every second line of the grid is enough for a small picture


def _strip_compute(data, C):
    (X, y), (Z, t) = sample(data), fresh(data)
    x, up = ACROSS[::EVERY], plane.grid(LOW, HIGH, 120)[1][::EVERY]
    machines, a = [], None
    for sigma in SIGMAS:
        model = KernelSVM(Gaussian(sigma), C).fit(X, y, start=a)
        a = model.a_  # the next width starts from here
        machines.append(SimpleNamespace(
            sigma=sigma, H=plane.decision_on_grid(model, x, up), support=model.support_,
            train=wrong(model.decision_function(X), y), test=wrong(model.decision_function(Z), t),
        ))  # fmt: skip
    H, error = bayes() if data == "mixture" else (None, None)
    return SimpleNamespace(
        x=x, up=up, X=X, y=y, C=C, machines=machines, best=error, bayes=None if H is None else H[::EVERY, ::EVERY]
    )


def _strip_build(figure):
    planes = []
    for i, sigma in enumerate(SIGMAS):
        place = (0.012 + 0.332 * (i % 3), 0.53 - 0.485 * (i // 3), 0.305, 0.41)
        ax = figure.add_axes(place, xticks=[], yticks=[])
        ax.set_title(f"σ = {sigma:g}", size=11, pad=4)
        ax.spines[:].set_visible(False)
        parts = plane.build(ax, LOW, HIGH)
        for label in (-1, 1):
            parts[label].set(markersize=3.6, markeredgewidth=0.3)
        parts["boundary"].set_linewidth(1.8)
        planes.append(parts)
    ax = figure.add_axes((0.735, 0.125, 0.245, 0.33), xscale="log", xlim=(0.07, 9), ylim=(0, 0.47))
    ax.set(yticks=[0, 0.2, 0.4], yticklabels=["0", "20 %", "40 %"], xlabel="width σ")
    ax.set_xticks([0.1, 1], ["0.1", "1"])
    ax.minorticks_off()
    lines = {
        "train": ax.plot(SIGMAS, [0] * 5, "o-", color=GREY, ms=5, animated=True)[0],
        "test": ax.plot(SIGMAS, [0] * 5, "s-", color=GREEN, ms=5, animated=True)[0],
        "best": ax.axhline(0, color=PURPLE, linestyle="--", linewidth=1.6, animated=True),
    }
    ax.text(0.02, 1.03, "test", color=GREEN, transform=ax.transAxes, size=11)
    ax.text(0.28, 1.03, "training", color=GREY, transform=ax.transAxes, size=11)
    ax.text(0.76, 1.03, "Bayes", color=PURPLE, transform=ax.transAxes, size=11)
    return {"planes": planes, "lines": lines}


def _strip_draw(parts, state):
    for part, m in zip(parts["planes"], state.machines, strict=True):
        plane.draw(part, state.x, state.up, m.H, state.X, state.y, reference=state.bayes)
    for name in ("train", "test"):
        parts["lines"][name].set_ydata([getattr(m, name) for m in state.machines])
    parts["lines"]["best"].set_ydata([-1 if state.best is None else state.best] * 2)


def _strip_describe(state):
    train = ", ".join(f"{100 * m.train:.1f}" for m in state.machines)
    test = ", ".join(f"{100 * m.test:.1f}" for m in state.machines)
    lowest = min(state.machines, key=lambda m: m.test)
    end = "" if state.best is None else f" (Bayes: {100 * state.best:.1f} %)"
    return (
        f"C = {short(state.C)}, σ = {', '.join(f'{s:g}' for s in SIGMAS)}: training errors {train} %, test errors "
        f"{test} %. The lowest test error is at σ = {lowest.sigma:g}{end}."
    )


def _strip_code(data, C):
    return (
        "from kernelkit import Gaussian, KernelSVM, datasets\n\n"
        f"X, y = datasets.{data}(200)\n"
        f"for sigma in {SIGMAS}:\n"
        f"    svm = KernelSVM(Gaussian(sigma), C={C:g}).fit(X, y)\n"
        "    print(sigma, len(svm.support_), 1 - svm.score(X, y))"
    )


strip = Explorer(
    title="A strip along σ",
    controls=(
        Choice("data", "data", "mixture", {"ten-means mixture": "mixture", "moons": "moons", "circles": "circles"}),
        Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
    ),
    compute=_strip_compute,
    build=_strip_build,
    draw=_strip_draw,
    describe=_strip_describe,
    code=_strip_code,
    scenes={"C tiny": {"C": 0.01}, "C large": {"C": 100.0}, "Easy data": {"data": "moons"}},
    question=Question(
        "C grows from 1 to 100. Where does the lowest test error move?",
        ("to a narrower kernel", "nowhere", "to a wider kernel"),
        2,
        "A high price C bends the boundary around single points, a wide kernel straightens it: each makes up for "
        "the other, so σ and C must be chosen together.",
    ),
    size=(7.2, 4.8),
)

# ---- three kernels on sixteen points --------------------------------------------------------

SPAN = (-3.0, -3.0), (3.0, 3.0)
SIDE, UPWARD = plane.grid(*SPAN, 90)


def _kernels(sigma, degree, offset):
    return Linear(), Polynomial(degree, offset), Gaussian(sigma)


def _three_compute(C, sigma, degree, offset, level):
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


def _three_build(figure):
    parts = {"planes": []}
    for i in range(3):
        ax = figure.add_axes((0.01 + 0.332 * i, 0.13, 0.316, 0.316 * 7.2 / 3.1), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        parts["planes"].append(plane.build(ax, *SPAN) | {
            "title": ax.text(0.5, 1.03, "", transform=ax.transAxes, size=12, ha="center", animated=True),
            "note": ax.text(0.5, -0.04, "", transform=ax.transAxes, size=11, ha="center", va="top", animated=True),
        })  # fmt: skip
    return parts


def _three_draw(parts, state):
    offset = f" + {state.offset:g}" if state.offset else ""
    titles = ("linear", f"polynomial (xᵀz{offset}){'⁰¹²³⁴'[state.degree]}", f"Gaussian, σ = {state.sigma:.2f}")
    for part, m, title in zip(parts["planes"], state.machines, titles, strict=True):
        plane.draw(part, SIDE, UPWARD, m.H, state.X, state.y, support=m.support, on_margin=m.on_margin)
        part["margins"].set_segments(m.lines)
        part["title"].set_text(title)
        part["note"].set_text(f"{len(m.support)} support vectors, {m.wrong} wrong")


def _three_describe(state):
    counts = ", ".join(str(len(m.support)) for m in state.machines)
    errors = ", ".join(str(m.wrong) for m in state.machines)
    where = "filled points, if any, lie on these lines" if state.level == 1 else "no filled point lies on these lines"
    return (
        f"C = {short(state.C)}. Linear, polynomial, Gaussian: {counts} support vectors, {errors} of 16 points wrong. "
        f"Dashed: h = ±{state.level:g}; {where}."
    )


def _three_code(C, sigma, degree, offset, level):
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
    compute=_three_compute,
    build=_three_build,
    draw=_three_draw,
    describe=_three_describe,
    code=_three_code,
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
