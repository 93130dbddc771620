"""Notebook 07. A strip along σ."""

from types import SimpleNamespace

from kernelkit import Gaussian
from kernelkit.course.explorers.data.mixture import ACROSS, HIGH, LOW, UP, N, bayes, fresh, sample, wrong
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import TOL, machine, tell_h
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, PURPLE

SIGMAS = (0.1, 0.3, 0.7, 2.0, 6.0)
EVERY = 2  # every second line of the grid is enough for a small picture
X_GRID, Y_GRID = ACROSS[::EVERY], UP[::EVERY]


def compute(data, C, before=None):
    (X, y), (Z, t) = sample(data), fresh(data)
    starts = before.starts if before is not None and before.data == data else [None] * len(SIGMAS)
    models = [machine(Gaussian(sigma), C, X, y, a) for sigma, a in zip(SIGMAS, starts, strict=True)]
    H, error = bayes() if data == "mixture" else (None, None)
    return SimpleNamespace(
        X=X,
        y=y,
        data=data,
        C=C,
        starts=[m.a_ for m in models],
        best=error,
        bayes=None if H is None else H[::EVERY, ::EVERY],
        H=[plane.decision_on_grid(m, X_GRID, Y_GRID) for m in models],
        train=[wrong(m.decision_function(X), y) for m in models],
        test=[wrong(m.decision_function(Z), t) for m in models],
    )


def build(figure):
    places = [(0.0775 + 0.185 * i, 0.49, 0.178, 0.437) for i in range(len(SIGMAS))]
    planes = [
        _build_plane(figure.add_axes(place, xticks=[], yticks=[]), sigma)
        for place, sigma in zip(places, SIGMAS, strict=True)
    ]
    ax = figure.add_axes((0.074, 0.035, 0.925, 0.405), xlim=(-0.5, 4.5), ylim=(-0.02, 0.47), xticks=[])
    axes = {f"plane {i}": part["axes"] for i, part in enumerate(planes)}
    return {"planes": planes, "errors": ax} | axes | _build_errors(ax)


def _build_plane(ax, sigma):
    ax.set_title(f"σ = {sigma:g}", pad=4, loc="center")
    ax.spines[:].set_visible(False)
    parts = plane.build(ax, LOW, HIGH)
    for label in (-1, 1):
        parts[label].set(markersize=3.2, markeredgewidth=0.2)
    for name, width in (("boundary", 1.8), ("margins", 1.0), ("reference", 1.3)):
        parts[name].set_linewidth(width)
    return parts


def _build_errors(ax):
    """The errors of each width below its picture."""
    ax.set_yticks([0, 0.2, 0.4], ["0", "20 %", "40 %"])
    ax.spines["bottom"].set_visible(False)
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=0)
    for x, name, mark, colour in ((2.15, "test error", "s", GREEN), (2.97, "training error", "o", GREY)):
        ax.plot([x], [0.44], mark, color=colour, markersize=7)
        ax.text(x + 0.1, 0.44, name, color=colour, va="center")
    look = {"animated": True, "linewidth": 2.2, "markersize": 7}
    return {
        "train": ax.plot(range(len(SIGMAS)), [0] * len(SIGMAS), "o-", color=GREY, **look)[0],
        "test": ax.plot(range(len(SIGMAS)), [0] * len(SIGMAS), "s-", color=GREEN, **look)[0],
        "best": ax.plot([-0.5, 4.5], [0, 0], "--", color=PURPLE, linewidth=1.8, animated=True)[0],
        "best name": ax.text(4.48, 0.44, "– – Bayes", color=PURPLE, ha="right", va="center"),
    }


def draw(parts, state):
    for part, H in zip(parts["planes"], state.H, strict=True):
        plane.draw(part, X_GRID, Y_GRID, H, state.X, state.y, reference=state.bayes)
    parts["train"].set_ydata(state.train)
    parts["test"].set_ydata(state.test)
    parts["best"].set_ydata([-1 if state.best is None else state.best] * 2)
    if reframed(parts["errors"], state.best is not None):
        parts["best name"].set_visible(state.best is not None)


def readout(state):
    return {
        "C": short(state.C),
        "σ": ", ".join(map(short, SIGMAS)),
        "test errors": ", ".join(map(percent, state.test)),
        "training errors": ", ".join(map(percent, state.train)),
        "Bayes error": percent(state.best) if state.best else None,
    }


def _told(i):
    return lambda state, x, y: tell_h(X_GRID, Y_GRID, state.H[i], (x, y))


def _tell_errors(state, x, y):
    i = round(x)
    return f"σ = {SIGMAS[i]:g}: test {percent(state.test[i])}, training {percent(state.train[i])}"


def code(data, C):
    return (
        "from kernelkit import Gaussian, KernelSVM, datasets\n\n"
        f"X, y = datasets.{data}({N})\n"
        f"for sigma in {SIGMAS}:\n"
        f"    svm = KernelSVM(Gaussian(sigma), C={C:g}, tol={TOL:g}).fit(X, y)\n"
        "    print(sigma, len(svm.support_), 1 - svm.score(X, y))"
    )


strip = Explorer(
    title="A strip along σ",
    controls=(
        Choice("data", "data", "mixture", {"ten-means mixture": "mixture", "moons": "moons", "circles": "circles"}),
        Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Above, five planes with the same points and the boundary of a Gaussian model, whose width σ grows from "
    "left to right; below each, its test error as a green square and its training error as a grey circle. Where "
    "the best boundary and its error are known, they are dashed and purple.",
    code=code,
    film=("C",),
    scenes={"C tiny": {"C": 0.01}, "C large": {"C": 100.0}, "Easy data": {"data": "moons"}},
    question=Question(
        "At C = 1, σ = 0.7 has the lowest test error of the five widths. The price rises to 100. Which width has the "
        "lowest test error then?",
        ("a smaller one, σ = 0.3", "still σ = 0.7", "a larger one, σ = 2"),
        2,
        "At a high price the boundary bends around single points, and narrow bumps let it bend the most. A wider "
        "kernel cannot bend so sharply, and this makes up for the high price.",
        "C large",
    ),
    tell={f"plane {i}": _told(i) for i in range(len(SIGMAS))} | {"errors": _tell_errors},
    warm=True,
)
