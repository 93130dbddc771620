"""Notebook 00. A curve made of bumps."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.panel.controls import Points, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Fill, Line, Paths
from kernelkit.course.panel.numbers import amount, at_most, fixed, read_off, short, typed
from kernelkit.course.panel.parts import standard
from kernelkit.course.panel.sketch import Sketch, compared
from kernelkit.course.plots import GREY, INK, sign_colours

GRID = np.linspace(-3.2, 3.2, 241)
START = ((-2.4, -0.6), (-1.3, 0.9), (-0.2, 0.2), (0.9, 1.2), (2.2, -0.7))
TIE = 1e-6  # two heights that differ by less are equal, but for rounding
HIGH = 4  # how far up and down the picture goes


def compute(points, sigma):
    data = np.array(points)
    X, y = data[:, :1], data[:, 1]
    model = KernelRidge(Gaussian(sigma), lam=1e-3).fit(X, y)
    bumps = model.a_ * Gaussian(sigma)(GRID[:, None], X)  # one column a_j k(X_j, ·) for each point
    high, low = float(model.a_.max()), float(model.a_.min())
    return SimpleNamespace(
        a=model.a_,
        heights=model.a_[X[:, 0].argsort(kind="stable")],  # from the left
        bumps=bumps,
        h=bumps.sum(axis=1),
        largest=high if high > -low - TIE else low,
        miss=float(np.abs(model.predict(X) - y).max()),
    )


def picture(s):
    seen, colours = np.where(np.abs(s.bumps) > 0.01, s.bumps, np.nan), sign_colours(s.a)
    limit = standard(max(2.0, np.abs(s.heights).max()))
    ticks = -limit, -limit / 2, 0, limit / 2, limit
    curve = Axes(
        "solid: $h$, the sum; dashed: one bump for each point",
        Axis("$x$", GRID[0], GRID[-1]),
        Axis("", -HIGH, HIGH, range(-HIGH, HIGH + 1), zero=GREY),
        *(Fill(GRID, bump, colour, alpha=0.12) for bump, colour in zip(s.bumps.T, colours, strict=True)),
        Paths(np.stack(np.broadcast_arrays(GRID, seen.T), axis=-1), colours, width=1.4, style="--"),
        Line(GRID, s.h, width=2.6, tell="h({x}) = {y}"),
        Dots(*np.transpose(s.points), "white", size=11, edge=INK, rim=2),
        name="axes",
        place=(0.06, 0.135, 0.63, 0.775),
    )
    heights = Axes(
        "height of each bump",
        Axis("point, from the left", -0.6, 4.6, range(5), map(str, range(1, 6))),
        Axis("", -limit, limit, ticks, map(short, ticks), zero=GREY, steady=True),
        Bars(range(5), s.heights, width=0.7),
        name="heights",
        place=(0.772, 0.135, 0.203, 0.775),
    )
    return [[curve, heights]]


def readout(state):
    return {
        "σ": f"{state.sigma:.2f}",
        "height of the largest bump": fixed(state.largest, 1),
        "largest miss at a point": amount(state.miss),
    }


def _tell_height(state, x, y):
    j = int(np.clip(round(x), 0, len(state.a) - 1))
    return f"point {j + 1}: a bump of height {read_off(state.heights[j])}"


def code(points, sigma):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelRidge\n\n"
        f"data = np.array({typed(points)})\nX, y = data[:, :1], data[:, 1]\n"
        f"model = KernelRidge(Gaussian({sigma!r}), lam=1e-3).fit(X, y)\n"
        "print(model.a_)  # the heights of the bumps\nprint(model.predict([[0.0]]))"
    )


def judge(drawn, values):
    """How near the sketch is to the sum, from the first point to the last, and how large the bumps are now."""
    state = compute(**values)
    inside = (drawn[0][0] <= GRID) & (GRID <= drawn[-1][0])
    way = "deep" if state.largest < 0 else "high"
    return (
        f"Your sketch {compared(drawn, GRID[inside], state.h[inside])}. The curve misses the points by "
        f"{at_most(state.miss)}, and the largest bump is {fixed(abs(state.largest), 1)} {way}."
    )


bumps = panel(
    compute,
    picture,
    readout,
    code,
    Points("points", "move", START, (-3.0, -2.0), (3.0, 2.0), "axes", ("sideways", "up and down"), more=True),
    Slider("sigma", "width σ", 0.5, 0.1, 2.0, 0.05),
    title="A curve made of bumps",
    shows="The curve h over x through five points, which are rings, and below or above it one dashed bump for each "
    "point, orange where it goes up and blue where it goes down. Next to it, a bar for the height of each bump.",
    film=("sigma",),
    scenes={
        "Narrow": {"sigma": 0.15},
        "Wide": {"sigma": 1.0},
        "Points on a line": {"points": ((-2.0, -1.0), (-1.0, -0.5), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0)), "sigma": 1.0},
    },
    question=Sketch(
        "σ grows to 1, so each bump becomes twice as wide, and the computer chooses new heights. Sketch the "
        "new black curve, the sum of the five bumps.",
        "curve",
        "axes",
        tuple((x, -2.0) for x, _ in START),
        (START[0][0], -2.8),
        (START[-1][0], 2.8),
        judge,
        "The sum still has to pass through the five points, except for a small miss. Wide bumps overlap so much that "
        "they have to be tall and of both signs for this.",
        scene="Wide",
    ),
    tell={"heights": _tell_height},
    motion=True,
)
