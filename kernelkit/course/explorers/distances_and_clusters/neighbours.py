"""Notebook 11. Whose neighbours change with the kernel: the ball in feature space, drawn in the plane."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle

from kernelkit import Gaussian, KernelNeighbors, Linear, Normalized, Periodic, Polynomial, datasets
from kernelkit.course.explorers.drawing.boundary import pale
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, read_off, short, typed
from kernelkit.course.panel.parts import plane_points, reframed, standard
from kernelkit.course.panel.stretched import Stretched, opaque
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE, contour_lines

LOW, HIGH = (-2.4, -2.4), (2.4, 2.4)
SIDE = np.linspace(LOW[0], HIGH[0], 121)
PLANE = plane_points(SIDE, SIDE)
COLOURS = {-1: BLUE, +1: ORANGE}
NAMES = {-1: "blue", +1: "orange"}
DATA = {
    "four corners": datasets.crossing,
    "a disc in a ring": datasets.rings,
    "two moons": datasets.moons,
}
CORNERS, RING, MOONS = DATA
FAMILIES = {
    "Linear: the plain distance": "linear",
    "Gaussian": "gaussian",
    "Polynomial (xᵀz + 1)ᵖ": "polynomial",
    "cosine: Linear, normalised": "cosine",
    "Periodic, period 1.5": "periodic",
}
FARTHEST = 5.0  # in the plane, as far as the right picture goes
ROOT = np.sqrt(2)
TICKS = {  # of the distances in feature space, where they have a bound
    "linear": (0, 1, 2, 3, 4, 5),
    "gaussian": (0, 0.5, 1, ROOT),
    "cosine": (0, 1, 2),
    "periodic": (0, 0.5, 1, ROOT),
}
CURVES = {  # what is said of a curve that holds all points, and how high in the picture
    "linear": ("both are equal", 0.36),
    "gaussian": ("√(2 − 2k)", 0.09),
}


def kernel_of(family, sigma, degree):
    return {
        "linear": Linear(),
        "gaussian": Gaussian(sigma),
        "polynomial": Polynomial(degree),
        "cosine": Normalized(Linear()),
        "periodic": Periodic(1.0, period=1.5),
    }[family]


@lru_cache(maxsize=8)
def sample(data, n=90, state=0):
    """n points of two classes."""
    return DATA[data](n, random_state=state)


@lru_cache(maxsize=256)
def wrong(data, kernel, count):
    """The part of 600 new points that get a wrong label."""
    return 1 - KernelNeighbors(kernel, count).fit(*sample(data)).score(*sample(data, 600, 1))


def spread(k, Z, X):
    """The distances in feature space, or, of a Gaussian, what grows with them and is not flat far out, to be drawn."""
    if isinstance(k, Gaussian):
        return np.sqrt(-np.log(np.maximum(k(Z, X), 1e-300)))
    return np.sqrt(k.squared_distance(Z, X))


def compute(data, family, sigma, degree, count, query):
    X, y = sample(data)
    z, k = np.array(query), kernel_of(family, sigma, degree)
    (distances,), (near,) = KernelNeighbors(k, count).fit(X, y).neighbors(z)
    (plain,), (before,) = KernelNeighbors(Linear(), count).fit(X, y).neighbors(z)
    line = np.column_stack([np.linspace(0, FARTHEST, 101), np.zeros(101)])
    votes = int(np.sum(y[near] > 0))
    return SimpleNamespace(
        X=X,
        y=y,
        z=z[0],
        family=family,
        near=near,
        k=k,
        radius=float(distances[-1]),
        plain_radius=float(plain[-1]),
        plain=np.sqrt(Linear().squared_distance(z, X)[0]),
        features=np.sqrt(k.squared_distance(z, X)[0]),
        field=spread(k, z, PLANE).reshape(len(SIDE), -1),
        border=float(spread(k, z, X[near[-1:]])[0, 0]),
        others=int(np.sum(~np.isin(near, before))),
        votes=votes,
        winner=1 if 2 * votes > count else -1,
        wrong=wrong(data, k, count),
        plain_wrong=wrong(data, Linear(), count),
        curve=np.sqrt(k.squared_distance(line[0], line)) if family in ("linear", "gaussian") else None,
        line=line[:, 0],
    )


def _tint():
    """Of a distance in parts of the ball's radius: GREEN, the deeper the nearer, and nothing from the border on."""
    parts = np.linspace(0, 2, 256)
    ink = np.where(parts < 1, 0.1 + 0.4 * (1 - parts), 0)[:, None] * (1 - np.array(to_rgb(GREEN)))
    table = opaque(1 - ink).view(np.uint32)[:, 0]
    return lambda part: table.take(np.uint8(127.5 * np.minimum(part, 2))).view(np.uint8).reshape(*part.shape, 4)


def build(figure):
    axes = figure.subplot_mosaic([["plane", "right"]], width_ratios=(4, 3))
    plane, right = axes["plane"], axes["right"]
    whole_frame(plane)
    plane.set(xlim=(LOW[0], HIGH[0]), ylim=(LOW[1], HIGH[1]), aspect="equal", title="the diamond is $z$: drag it")
    plane.set_xlabel("green: ball in feature space, darker near $z$\ndashed: ball in the plane", labelpad=5)
    right.set(xlim=(0, FARTHEST), xlabel="distance in the plane", ylim=(0, 1), yticks=[1], yticklabels=["0.05"])
    right.set_title("distance in feature space")
    look = {"animated": True}
    edge = {"color": GREEN, "linewidth": 2.2, **look}
    circle = {"color": GREY, "linewidth": 1.6, "linestyle": "--", **look}
    parts = axes | {
        "ball": Stretched(plane, _tint()),
        "edge": plane.add_collection(LineCollection([], zorder=2, **edge)),
        "circle": plane.add_patch(Circle((0, 0), 1, fill=False, zorder=2.5, **circle)),
        "links": plane.add_collection(LineCollection([], colors=INK, linewidths=1.4, zorder=3, **look)),
        "origin": plane.plot(0, 0, "+", color=INK, ms=11, mew=1.4, zorder=2.8, **look)[0],
        "0": plane.text(0.08, -0.06, "0", ha="left", va="top", zorder=2.8, **look),
        "vote": plane.text(1, 1.02, "", transform=plane.transAxes, ha="right", va="bottom", **look),
        "below": right.axhspan(0, 1, color=GREEN, alpha=0.16, linewidth=0, **look),
        "level": right.axhline(1, zorder=2, **edge),
        "limit": right.axvline(1, zorder=2.5, **circle),
        "curve": right.plot([], [], color=INK, linewidth=1.0, **look)[0],
        "curve name": right.text(0.98, 0, "", ha="right", va="center", transform=right.transAxes, **look),
        "z": plane.plot([], [], "D", ms=10, mec=INK, mew=2.0, zorder=6, **look)[0],
    }
    return parts | {"marks plane": _marks(plane), "marks right": _marks(right, quiet=pale)}


def _marks(ax, quiet=to_rgb):
    """The points of each class and, larger, those among them that are neighbours."""
    look = {"ls": "", "animated": True}
    near = {"ms": 9, "mec": INK, "mew": 1.6, "zorder": 5, "clip_on": False}
    return {
        label: (
            ax.plot([], [], MARKERS[label], color=quiet(colour), ms=6, mec="white", mew=0.6, **look)[0],
            ax.plot([], [], MARKERS[label], color=colour, **near, **look)[0],
        )
        for label, colour in COLOURS.items()
    }


def draw(parts, state):
    parts["ball"].show(state.field / max(state.border, 1e-9))
    parts["edge"].set_segments(contour_lines(SIDE, SIDE, state.field, (state.border,))[0])
    parts["circle"].set(center=state.z, radius=state.plain_radius)
    parts["links"].set_segments([(state.z, x) for x in state.X[state.near]])
    parts["z"].set_data(*state.z[:, None])
    parts["z"].set_markerfacecolor(COLOURS[state.winner])
    count = len(state.near)
    for_winner = state.votes if state.winner > 0 else count - state.votes
    parts["vote"].set(text=f"{for_winner} of {count} say {NAMES[state.winner]}", color=COLOURS[state.winner])
    parts["below"].set_height(state.radius)
    parts["level"].set_ydata([state.radius] * 2)
    parts["limit"].set_xdata([state.plain_radius] * 2)
    for name in ("curve", "curve name"):
        parts[name].set_visible(state.curve is not None)
    if state.curve is not None:
        words, y = CURVES[state.family]
        parts["curve"].set_data(state.line, state.curve)
        parts["curve name"].set(text=words, y=y)
    for name, places in (("plane", state.X), ("right", np.column_stack([state.plain, state.features]))):
        _place(parts[f"marks {name}"], places, state)
    _frame(parts["right"], state)


def _place(marks, places, state):
    near = np.isin(np.arange(len(places)), state.near)
    for label, (rest, chosen) in marks.items():
        rest.set_data(*places[(state.y == label) & ~near].T)
        chosen.set_data(*places[(state.y == label) & near].T)


def _frame(ax, state):
    ticks = TICKS.get(state.family) or tuple(np.linspace(0, standard(state.features.max()), 6))
    if reframed(ax, ticks):
        names = ["√2" if tick == ROOT else short(tick) for tick in ticks]
        ax.set(ylim=(0, 1.05 * ticks[-1]), yticks=ticks, yticklabels=names)


def readout(state):
    return {
        "neighbours that change": f"{state.others} of {len(state.near)}",
        "new points wrong": percent(state.wrong),
        "with the plain distance": percent(state.plain_wrong),
    }


def _tell_plane(state, x, y):
    return f"{read_off(np.sqrt(state.k.squared_distance(state.z, [x, y])))} away in feature space"


def _tell_right(state, x, y):
    height = state.features.max() or 1.0
    i = int(np.hypot((state.plain - x) / FARTHEST, (state.features - y) / height).argmin())
    return f"{short(state.plain[i], 2)} in the plane, {short(state.features[i], 2)} in features"


def code(data, family, sigma, degree, count, query):
    kernel = kernel_of(family, float(typed(sigma)), degree)
    return (
        "from kernelkit import *\nfrom kernelkit.course.explorers.distances_and_clusters.neighbours import sample\n\n"
        f"X, y = sample({data!r})\nz = {typed(query[0])}\n"
        f"for k in (Linear(), {kernel!r}):\n"
        f"    model = KernelNeighbors(k, {count}).fit(X, y)\n"
        "    distances, near = model.neighbors([z])\n"
        "    print(k, near[0], distances[0].round(3), model.predict([z]))"
    )


neighbours = Explorer(
    title="Whose neighbours change",
    controls=(
        Choice("data", "data", CORNERS, tuple(DATA), more=True),
        Choice("family", "kernel", "linear", FAMILIES),
        Slider("sigma", "width σ", 1.0, 0.4, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
        Slider("degree", "degree p", 2, 1, 6, 1, when=lambda v: v["family"] == "polynomial"),
        Slider("count", "neighbours", 5, 1, 15, 1),
        Points("query", "drag", ((-0.4, 0.3),), (-2.2, -2.2), (2.2, 2.2), "plane", ("x₁", "x₂"), ("z",), more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points of two classes, blue dots and orange squares, the diamond z in the "
    "colour of its vote, and lines from z to its neighbours. The green region is the ball in feature space that "
    "reaches to the last of them, and the dashed circle is that of the plain distance. On the right, for each point, "
    "its distance from z in feature space over that in the plane.",
    code=code,
    film=("count",),
    scenes={
        "Narrow Gaussian": {"family": "gaussian", "sigma": 0.4},
        "Cosine": {"family": "cosine", "query": ((-1.6, 1.2),)},
        "Polynomial: an egg": {"family": "polynomial", "degree": 3, "query": ((-0.5, 0.7),)},
        "Periodic: islands": {"family": "periodic"},
        "Cosine, disc in a ring": {"data": RING, "family": "cosine", "query": ((-1.2, -0.7),)},
        "Cosine, two moons": {"data": MOONS, "family": "cosine", "query": ((-1.0, 0.1),)},
    },
    question=Question(
        "You choose the cosine and drag z along a straight line away from the origin 0. What happens to its five "
        "neighbours?",
        ("they are the five points nearest to the new place", "they change one after another", "they stay the same"),
        2,
        "The cosine divides each feature vector by its length, so only the direction is left. All places on a ray "
        "from the origin have the same direction, so they have the same neighbours, however far out they are.",
        "Cosine",
    ),
    tell={"plane": _tell_plane, "right": _tell_right},
    motion=True,
)
