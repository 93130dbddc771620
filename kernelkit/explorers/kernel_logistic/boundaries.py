"""Notebook 05. Linear, polynomial and Gaussian boundaries."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelLogistic, Polynomial, datasets
from kernelkit.explorers.shared.boundary import decision_on_grid, grid
from kernelkit.explorers.shared.shades import NOISE, REACH, build_lines, build_shading, probability_shades
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, MARKERS, ORANGE, contour_lines

GX, GY = grid((-REACH, -REACH), (REACH, REACH), 56)
SURE = float(np.log(9))  # s(h) = 0.9
NEW = 400


@lru_cache(maxsize=16)
def _data(data, n):
    """Points to learn from and new ones, around the middle of the former."""
    make, noise = getattr(datasets, data), {} if NOISE[data] is None else {"noise": NOISE[data]}
    (X, y), (Z, z) = make(n, **noise), make(NEW, random_state=1, **noise)
    return X - X.mean(axis=0), y, Z - X.mean(axis=0), z


def compute(data, n, lam, degree, sigma):
    X, y, Z, z = _data(data, n)
    kernels = Polynomial(1), Polynomial(degree), Gaussian(sigma)
    models = [KernelLogistic(k, lam).fit(X, y) for k in kernels]
    return SimpleNamespace(
        X=X, y=y, H=[decision_on_grid(model, GX, GY) for model in models], lam=lam,
        names=["linear", f"polynomial, p = {degree}", f"Gaussian, σ = {sigma:.2g}"],
        wrong=[1 - model.score(X, y) for model in models], new=[1 - model.score(Z, z) for model in models],
    )  # fmt: skip


def build(figure):
    parts = {"panels": []}
    for i in range(3):
        ax = figure.add_axes((0.012 + 0.331 * i, 0.03, 0.314, 0.74), xlim=(-REACH, REACH), ylim=(-REACH, REACH))
        ax.set(xticks=[], yticks=[])
        for side in ax.spines.values():
            side.set_visible(True)
        points = [
            ax.plot([], [], MARKERS[c], color=colour, mec="white", mew=0.6, ms=6, animated=True, zorder=4)[0]
            for c, colour in ((-1, BLUE), (1, ORANGE))
        ]
        words = [ax.text(0, y, "", size=s, transform=ax.transAxes, animated=True) for y, s in ((1.14, 12), (1.035, 11))]
        parts["panels"].append((build_shading(ax, (-REACH, -REACH), (REACH, REACH)), build_lines(ax), points, words))
    return parts


def draw(parts, state):
    panels = zip(parts["panels"], state.H, state.names, state.wrong, state.new, strict=True)
    for (shades, (full, dashed), points, words), H, name, wrong, new in panels:
        shades.set_data(probability_shades(H))
        low, zero, high = contour_lines(GX, GY, H, (-SURE, 0.0, SURE))
        full.set_segments(zero)
        dashed.set_segments(low + high)
        for label, marks in zip((-1, 1), points, strict=True):
            marks.set_data(*state.X[state.y == label].T)
        words[0].set_text(name)
        words[1].set_text(f"errors {wrong:.0%}, new points {new:.0%}")


def describe(state):
    said = ", ".join(f"{new:.1%} ({name})" for name, new in zip(state.names, state.new, strict=True))
    text = f"With λ = {state.lam:.3g} the three make these errors on {NEW} new points: {said}. "
    return text + "White, and the line: probability ½. Dashed: 90 % sure."


def code(data, n, lam, degree, sigma):
    noise = "" if NOISE[data] is None else f", noise={NOISE[data]}"
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({n}{noise})\nZ, z = datasets.{data}({NEW}, random_state=1{noise})\n"
        "X, Z = X - X.mean(axis=0), Z - X.mean(axis=0)\n"
        f"for k in (Polynomial(1), Polynomial({degree}), Gaussian({sigma!r})):\n"
        f"    model = KernelLogistic(k, lam={lam!r}).fit(X, y)\n"
        "    print(k, model.score(X, y), model.score(Z, z), model.predict_proba(Z[:1]))"
    )


boundaries = Explorer(
    title="Linear, polynomial and Gaussian boundaries",
    controls=(
        Choice("data", "data", "half_planes", {name.replace("_", " "): name for name in NOISE}),
        Slider("n", "points n", 60, 20, 120, 10),
        Slider("lam", "λ", 0.1, 1e-4, 100.0, 0.25, log=True),
        Slider("degree", "degree p", 3, 2, 8, 1),
        Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Rings": {"data": "rings", "sigma": 0.5},
        "Too sure": {"data": "mixture", "lam": 1e-4, "degree": 8, "sigma": 0.2},
        "Not sure at all": {"data": "moons", "lam": 100.0},
        "Best on the mixture": {"data": "mixture", "lam": 1.0, "sigma": 0.9, "n": 120},
    },
    question=Question(
        "Make σ small and look away from the points. Which of the three then says “I do not know”, p near ½, on both "
        "sides of its line?",
        ("the linear one", "the polynomial one", "the Gaussian one"),
        2,
        "Far from every point all k(X_i, z) are near 0, so h(z) is near 0 and p near ½: white. The other two become "
        "surer the further away they look.",
    ),
    size=(7.2, 3.1),
)  # fmt: skip
