"""Notebook 07. A strip along σ."""

from types import SimpleNamespace

from kernelkit import Gaussian
from kernelkit.course.explorers.data.mixture import ACROSS, HIGH, LOW, UP, N, bayes, fresh, sample, wrong
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, points, sides
from kernelkit.course.explorers.drawing.machines import TOL, machine, tell_h
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Text
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.plots import DPI, GREEN, GREY, PURPLE

SIGMAS = (0.1, 0.3, 0.7, 2.0, 6.0)
EVERY = 2  # every second line of the grid is enough for a small picture
ABOVE = 1 + 4 / 72 * DPI / (0.437 * 380)  # four points above a plane, as a part of its height
X_GRID, Y_GRID = ACROSS[::EVERY], UP[::EVERY]


def compute(data, C, before=None):
    (X, y), (Z, t) = sample(data), fresh(data)
    starts = before.starts if before is not None and before.data == data else [None] * len(SIGMAS)
    models = [machine(Gaussian(sigma), C, X, y, a) for sigma, a in zip(SIGMAS, starts, strict=True)]
    H, error = bayes() if data == "mixture" else (None, None)
    return SimpleNamespace(
        X=X,
        y=y,
        starts=[m.a_ for m in models],
        best=error,
        bayes=None if H is None else H[::EVERY, ::EVERY],
        H=[decision_on_grid(m, X_GRID, Y_GRID) for m in models],
        train=[wrong(m.decision_function(X), y) for m in models],
        test=[wrong(m.decision_function(Z), t) for m in models],
    )


def picture(s):
    dots = points(s.X, s.y, size=3.2, rim=0.2)
    return [[*(_plane(s, i, dots) for i in range(len(SIGMAS))), _errors(s)]]


def _plane(s, i, dots):
    return Axes(
        "",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        Text(0.5, ABOVE, f"σ = {SIGMAS[i]:g}", side="center", of="axes"),
        *sides(X_GRID, Y_GRID, s.H[i], s.X, s.bayes, widths=(1.8, 1.0, 1.3)),
        *dots,
        name=f"plane {i}",
        place=(0.0775 + 0.185 * i, 0.49, 0.178, 0.437),
        bare=True,
    )


def _errors(s):
    """The errors of each width below its picture."""
    known = s.best is not None
    return Axes(
        "",
        Axis("", -0.5, 4.5, ()),
        Axis("", -0.02, 0.47, (0, 0.2, 0.4), ("0", "20 %", "40 %")),
        *_named(2.15, "test error", "s", GREEN),
        *_named(2.97, "training error", "o", GREY),
        Text(4.48, 0.44, "– – Bayes", PURPLE, side="right", up="center") if known else None,
        *_joined(s.train, "o", GREY),
        *_joined(s.test, "s", GREEN),
        Line([-0.5, 4.5], s.best, PURPLE, width=1.8, style="--") if known else None,
        name="errors",
        place=(0.074, 0.035, 0.925, 0.405),
        dress=_floor_at_zero,
    )


def _named(x, name, marker, colour):
    return [
        Dots(x, 0.44, colour, marker=marker, edge=colour, rim=1),
        Text(x + 0.1, 0.44, name, colour, up="center"),
    ]


def _joined(errors, marker, colour):
    x = range(len(SIGMAS))
    return [Line(x, errors, colour, width=2.2), Dots(x, errors, colour, marker=marker, edge=colour, rim=1)]


def _floor_at_zero(ax):
    """A line that ends at the axis on the left and not over it."""
    ax.spines["bottom"].set_visible(False)
    if not ax.lines:
        ax.axhline(0, color=GREY, linewidth=0.8, zorder=0)


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


code = f"""
from kernelkit import Gaussian, KernelSVM, datasets

X, y = datasets.{{data}}({N})
for sigma in {SIGMAS}:
    svm = KernelSVM(Gaussian(sigma), C={{C:g}}, tol={TOL:g}).fit(X, y)
    print(sigma, len(svm.support_), 1 - svm.score(X, y))
"""

strip = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "mixture", {"ten-means mixture": "mixture", "moons": "moons", "circles": "circles"}),
    Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
    title="A strip along σ",
    shows="Above, five planes with the same points and the boundary of a Gaussian model, whose width σ grows from "
    "left to right; below each, its test error as a green square and its training error as a grey circle. Where "
    "the best boundary and its error are known, they are dashed and purple.",
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
