"""Notebook 03. Primal, dual and kernel ridge: one model."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.explorers.shared.ridge_curves import GRID, bars
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import standard
from kernelkit.plots import GREEN, GREY, INK, PURPLE

POWERS = ("1", "x", "x²", "x³", "x⁴", "x⁵", "x⁶", "x⁷", "x⁸")


def _sample(data, n):
    X, y = getattr(datasets, data)(n)
    return X / 3, y


def compute(data, degree, n, lam):
    X, y = _sample(data, n)
    k = Polynomial(degree)
    phi = k.feature_map()
    models = [PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)]
    curves = np.array([model.fit(X, y).predict(GRID[:, None]) for model in models])
    return SimpleNamespace(
        X=X[:, 0], y=y, curves=curves, gap=float(np.ptp(curves, axis=0).max()), lam=lam, n=n,
        w=models[0].w_, recovered=models[2].primal_weights(phi),
        error=float(np.sqrt(np.mean((models[2].predict(X) - y) ** 2))),
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.47, 0.66), xlim=(-1.05, 1.05), ylim=(-2.1, 2.1), xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[-1, 0, 1], yticks=[-2, -1, 0, 1, 2])
    dots = ax.plot([], [], "o", ms=5, color=GREY, animated=True)[0]
    looks = {"lw": 9, "alpha": 0.3}, {"lw": 4, "ls": "--"}, {"lw": 0, "marker": "D", "ms": 4.5, "markevery": 8}
    curves = [
        ax.plot([], [], color=c, animated=True, zorder=3 + i, **look)[0]
        for i, (c, look) in enumerate(zip((INK, PURPLE, GREEN), looks, strict=True))
    ]
    for x, words, colour in (
        (0.075, "primal (wide)", INK),
        (0.233, "dual (dashes)", PURPLE),
        (0.398, "kernel (diamonds)", GREEN),
    ):
        figure.text(x, 0.92, words, color=colour, size=11)
    gap = ax.text(0, 1.06, "", size=11, transform=ax.transAxes, animated=True)
    bars = figure.add_axes((0.65, 0.13, 0.335, 0.66), xlabel="feature (up to its √-weight)")
    bars.set(xlim=(-0.7, len(POWERS) - 0.3))
    bars.set_xticks(range(len(POWERS)), POWERS)
    bars.axhline(0, color=INK, lw=0.8)
    pairs = [
        bars.add_collection(PolyCollection([], facecolor=c, edgecolor=INK, hatch=h, lw=0.6, animated=True))
        for c, h in (("#BBBBBB", None), ("#9FD6C4", "////"))
    ]
    figure.text(0.65, 0.92, "weights: plain $w$ (primal),", size=11)
    figure.text(0.65, 0.845, r"hatched $\Phi^\top a$ (kernel)", color=GREEN, size=11)
    return {"ax": ax, "dots": dots, "curves": curves, "gap": gap, "bars": bars, "pairs": pairs}


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    for line, curve in zip(parts["curves"], state.curves, strict=True):
        line.set_data(GRID, curve)
    places = np.arange(len(state.w))
    for pair, shift, heights in zip(parts["pairs"], (-0.2, 0.2), (state.w, state.recovered), strict=True):
        pair.set_verts(bars(places + shift, heights, 0.4))
    limit = standard(1.05 * np.abs(state.w).max())
    parts["gap"].set_text(f"largest difference of the three: {state.gap:.0e}")
    if parts.get("fixed") != limit:
        parts["fixed"] = limit
        parts["bars"].set(ylim=(-limit, limit))
        parts["bars"].set_yticks([-limit, 0, limit], [f"{v:g}".replace("-", "−") for v in (-limit, 0, limit)])
    return limit


def describe(state):
    apart = float(np.abs(state.w - state.recovered).max())
    text = f"The primal form solves {len(state.w)} equations, the dual and kernel forms {state.n}. "
    text += f"Their three curves differ by at most {state.gap:.6f}, w and Φᵀa by at most {apart:.6f}. "
    return text + f"With λ = {state.lam:.3g} all three miss the points by {state.error:.2f} (root mean square)."


def code(data, degree, n, lam):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({n})\nX = X / 3  # into [−1, 1]\n"
        f"Z = np.linspace(-1, 1, {len(GRID)})[:, None]\nk = Polynomial({degree})\nphi, lam = k.feature_map(), {lam!r}\n"
        "models = PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)\n"
        "curves = [model.fit(X, y).predict(Z) for model in models]\nprint(np.ptp(curves, axis=0).max())\n"
        "print(models[0].w_, models[2].primal_weights(phi))"
    )


agreement = Explorer(
    title="Primal, dual and kernel ridge: one model",
    controls=(
        Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
        Slider("degree", "degree p", 3, 1, 8, 1),
        Slider("n", "points n", 20, 5, 80, 1),
        Slider("lam", "λ", 0.1, 1e-3, 100.0, 0.05, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Straight line": {"degree": 1, "data": "step"},
        "More features than points": {"degree": 8, "n": 5},
        "Many points": {"n": 80, "data": "sine", "degree": 7, "lam": 0.01},
        "Strong λ": {"lam": 100.0},
    },
    question=Question(
        "Degree 3, and n goes from 20 to 80 points. The kernel form then has 80 weights, the primal form still 4. "
        "What happens to the kernel form's curve?",
        (
            "it can bend more often than the primal one",
            "it stays a cubic, the same as the primal one",
            "it passes through all points",
        ),
        1,
        "Each k(X_i, z) is a cubic in z, and a sum of cubics is a cubic, however many there are. All three forms have "
        "the same functions to choose from and the same objective.",
    ),
)  # fmt: skip
