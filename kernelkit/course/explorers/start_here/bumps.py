"""Notebook 00. A curve made of bumps."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.panel.controls import Points, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, at_most, fixed, read_off, short, typed
from kernelkit.course.panel.parts import reframed, standard, steady
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
        data=data,
        sigma=sigma,
        a=model.a_,
        heights=model.a_[X[:, 0].argsort(kind="stable")],  # from the left
        bumps=bumps,
        h=bumps.sum(axis=1),
        largest=high if high > -low - TIE else low,
        miss=float(np.abs(model.predict(X) - y).max()),
    )


def build(figure):
    ax = figure.add_axes(
        (0.06, 0.135, 0.63, 0.775), xlim=(-3.2, 3.2), ylim=(-HIGH, HIGH), yticks=range(-HIGH, HIGH + 1)
    )
    ax.set_xlabel("$x$")
    ax.set_title("solid: $h$, the sum; dashed: one bump for each point")
    ax.axhline(0, color=GREY, linewidth=0.8)
    heights = figure.add_axes((0.772, 0.135, 0.203, 0.775), xlim=(-0.6, 4.6))
    heights.set_xticks(range(5), range(1, 6))
    heights.set_xlabel("point, from the left")
    heights.set_title("height of each bump")
    heights.axhline(0, color=GREY, linewidth=0.8)
    return {
        "axes": ax,
        "heights": heights,
        "bumps": ax.add_collection(LineCollection([], linewidths=1.4, linestyles="--", animated=True)),
        "fills": ax.add_collection(PolyCollection([], linewidth=0, alpha=0.12, animated=True)),
        "h": ax.plot([], [], color=INK, linewidth=2.6, animated=True, zorder=4)[0],
        "points": ax.plot([], [], "o", color="white", mec=INK, mew=2, ms=11, animated=True, zorder=5)[0],
        "bars": heights.add_collection(PolyCollection([], linewidth=0, animated=True)),
    }


def draw(parts, state):
    seen = np.where(np.abs(state.bumps) > 0.01, state.bumps, np.nan)
    colours = sign_colours(state.a)
    parts["bumps"].set(segments=[np.column_stack([GRID, bump]) for bump in seen.T], color=colours)
    ends = [(GRID[-1], 0), (GRID[0], 0)]
    parts["fills"].set(verts=[[*zip(GRID, bump, strict=True), *ends] for bump in state.bumps.T], facecolor=colours)
    parts["h"].set_data(GRID, state.h)
    parts["points"].set_data(*state.data.T)
    _draw_heights(parts, state.heights)


def _draw_heights(parts, heights):
    bars = [[(j - 0.35, 0), (j + 0.35, 0), (j + 0.35, a), (j - 0.35, a)] for j, a in enumerate(heights)]
    parts["bars"].set(verts=bars, facecolor=sign_colours(heights))
    ax, limit = parts["heights"], standard(max(2.0, np.abs(heights).max()))
    _, limit = steady(ax, -limit, limit)
    if reframed(ax, limit):
        ticks = [-limit, -limit / 2, 0, limit / 2, limit]
        ax.set_ylim(-limit, limit)
        ax.set_yticks(ticks, map(short, ticks))


def readout(state):
    return {
        "σ": f"{state.sigma:.2f}",
        "height of the largest bump": fixed(state.largest, 1),
        "largest miss at a point": amount(state.miss),
    }


def _tell_curve(state, x, y):
    return f"h({read_off(x)}) = {read_off(np.interp(x, GRID, state.h))}"


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


bumps = Explorer(
    title="A curve made of bumps",
    controls=(
        Points("points", "move", START, (-3.0, -2.0), (3.0, 2.0), "axes", ("sideways", "up and down"), more=True),
        Slider("sigma", "width σ", 0.5, 0.1, 2.0, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="The curve h over x through five points, which are rings, and below or above it one dashed bump for each "
    "point, orange where it goes up and blue where it goes down. Next to it, a bar for the height of each bump.",
    code=code,
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
    tell={"axes": _tell_curve, "heights": _tell_height},
    motion=True,
)
