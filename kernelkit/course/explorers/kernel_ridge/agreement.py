"""Notebook 03. Primal, dual and kernel ridge: one model."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.ridge_curves import GRID, bars
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off, short
from kernelkit.course.panel.parts import reframed, standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.latex import plain

COLOURS = INK, PURPLE, GREEN  # of the three forms
PALE = "#BBBBBB", "#9FD6C4"
LIMITS = {"cubic": 3.4, "sine": 1.7, "step": 1.7}  # of y: every point is inside
DEGREES = range(9)  # of the features


def _sample(data, n):
    X, y = getattr(datasets, data)(n)
    return X / 3, y


def compute(data, degree, n, lam):
    X, y = _sample(data, n)
    k = Polynomial(degree)
    phi = k.feature_map()
    models = [PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)]
    curves = np.array([model.fit(X, y).predict(GRID[:, None]) for model in models])
    w, recovered = models[0].w_, models[2].primal_weights(phi)
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        curves=curves,
        apart=float(max(np.ptp(curves, axis=0).max(), np.abs(w - recovered).max())),
        n=n,
        data=data,
        w=w,
        names=phi.names_from(["x"]),
        recovered=recovered,
        error=float(np.sqrt(np.mean((models[2].predict(X) - y) ** 2))),
    )


def build(figure):
    ax = figure.add_axes((0.075, 0.135, 0.5, 0.735), xlim=(-1.05, 1.05), xlabel="$x$", xticks=[-1, 0, 1])
    dots = ax.plot([], [], "o", ms=5, color=GREY, mec="white", mew=0.7, zorder=7, animated=True)[0]
    looks = {"lw": 9, "alpha": 0.3}, {"lw": 4, "ls": "--"}, {"lw": 0, "marker": "D", "ms": 4.5, "markevery": 8}
    curves = [
        ax.plot([], [], color=c, animated=True, zorder=3 + i, **look)[0]
        for i, (c, look) in enumerate(zip(COLOURS, looks, strict=True))
    ]
    for x, words, colour in zip(
        (0.075, 0.26, 0.415), ("primal: wide, grey", "dual: dashes", "kernel: diamonds"), COLOURS, strict=True
    ):
        figure.text(x, 0.925, words, color=colour)
    return {"ax": ax, "dots": dots, "curves": curves} | _build_systems(figure) | _build_weights(figure)


def _build_systems(figure):
    """The matrices of the equations, as squares whose sides are to scale; a unit is a pixel."""
    ax = figure.add_axes((0.655, 0.6, 0.33, 0.27), xlim=(-1, 230), ylim=(-1, 101.6))
    ax.set_axis_off()
    figure.text(0.655, 0.925, "systems to solve, to scale")
    places = list(zip((0, 120), PALE, strict=True))
    squares = [ax.add_patch(Rectangle((x, 0), 0, 0, facecolor=c, edgecolor=INK, animated=True)) for x, c in places]
    words = [ax.text(x, -9, "", va="top", animated=True, linespacing=1.3) for x, _ in places]
    return {"squares": squares, "sizes": words}


def _build_weights(figure):
    ax = figure.add_axes((0.655, 0.135, 0.33, 0.25), xlim=(-0.7, len(DEGREES) - 0.3))
    ax.set(xticks=DEGREES, xlabel="power of $x$ in the feature")
    ax.axhline(0, color=INK, lw=0.8)
    figure.text(0.655, 0.41, r"weights: grey $w$, hatched $\Phi^\top a$")
    pairs = [
        ax.add_collection(PolyCollection([], facecolor=c, edgecolor=INK, hatch=h, lw=0.6, animated=True))
        for c, h in zip(PALE, (None, "////"), strict=True)
    ]
    return {"bars": ax, "pairs": pairs}


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    for line, curve in zip(parts["curves"], state.curves, strict=True):
        line.set_data(GRID, curve)
    _draw_systems(parts, ("primal", "dual, kernel"), (len(state.w), state.n))
    places = np.arange(len(state.w))
    for pair, shift, heights in zip(parts["pairs"], (-0.2, 0.2), (state.w, state.recovered), strict=True):
        pair.set_verts(bars(places + shift, heights, 0.4))
    high, limit = LIMITS[state.data], standard(1.05 * np.abs(state.w).max())
    if reframed(parts["ax"], high):
        parts["ax"].set(ylim=(-high, high), yticks=range(-int(high), int(high) + 1))
    if reframed(parts["bars"], limit):
        parts["bars"].set(ylim=(-limit, limit))
        parts["bars"].set_yticks([-limit, 0, limit], [short(v) for v in (-limit, 0, limit)])


def _draw_systems(parts, forms, sizes):
    for square, word, form, size in zip(parts["squares"], parts["sizes"], forms, sizes, strict=True):
        side = 100 * size / max(sizes)
        square.set(width=side, height=side)
        word.set_text(f"{form}:\n{size} × {size}")


def readout(state):
    return {
        "equations, primal form": len(state.w),
        "equations, dual and kernel forms": state.n,
        "curves and weights differ by": amount(state.apart, 6),
        "distance from the points": f"{state.error:.2f}",
    }


def _tell_curve(state, x, y):
    return f"h({read_off(x)}) = {read_off(np.interp(x, GRID, state.curves[2]))}" if abs(x) <= 1 else ""


def _tell_weight(state, x, y):
    i = round(x)
    return f"weight of {plain(state.names[i])}: {short(state.w[i])}, twice" if 0 <= i < len(state.w) else ""


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
    readout=readout,
    shows="On the left the points over x and three curves on top of one another: a wide grey band, dashes and "
    "diamonds for the primal, dual and kernel forms. On the right the systems to solve as squares, to scale, and "
    "below them the weights w next to Φᵀa, in pairs of bars. The distance is a root mean square.",
    code=code,
    tell={"ax": _tell_curve, "bars": _tell_weight},
    film=("lam",),
    scenes={
        "Many points": {"n": 80},
        "More features than points": {"degree": 8, "n": 5},
        "Straight line": {"degree": 1, "data": "step"},
        "Sine, degree 7": {"n": 80, "data": "sine", "degree": 7, "lam": 0.01},
        "Strong λ": {"lam": 100.0},
    },
    question=NoQuestion(because="the text just above asks whether 80 weights still draw a cubic"),
)
