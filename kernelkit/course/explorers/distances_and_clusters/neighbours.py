"""Notebook 11. Whose neighbours change with the kernel: the ball in feature space, drawn in the plane."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelNeighbors, Linear, Normalized, Periodic, Polynomial, datasets
from kernelkit.course.explorers.drawing.boundary import pale
from kernelkit.course.explorers.drawing.groups import CIRCLE
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import (
    Axes,
    Axis,
    Contours,
    Dots,
    Field,
    HLine,
    HSpan,
    Line,
    Live,
    Segments,
    Text,
    VLine,
)
from kernelkit.course.panel.numbers import percent, read_off, short, typed
from kernelkit.course.panel.parts import plane_points, standard
from kernelkit.course.panel.stretched import opaque
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE

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
        near=near,
        is_near=np.isin(np.arange(len(y)), near),
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


TINT = _tint()


def picture(s):
    return [[_plane(s), _distances(s)]]


def _plane(s):
    """The ball around z in feature space and in the plane, its neighbours, and their vote."""
    count = s.votes if s.winner > 0 else s.count - s.votes
    vote = f"{count} of {s.count} say {NAMES[s.winner]}"
    return Axes(
        Live("the diamond is $z$: drag it", "the diamond is $z$", "the diamond is $z$"),
        Axis("green: ball in feature space, darker near $z$\ndashed: ball in the plane", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        Field(s.field / max(s.border, 1e-9), TINT),
        Contours(SIDE, SIDE, s.field - s.border, color=GREEN, name="edge"),
        *_others(s, s.X),
        Line(*(s.z + s.plain_radius * CIRCLE).T, GREY, width=1.6, style="--"),
        Dots(0, 0, marker="+", size=11, rim=1.4),
        Text(0.08, -0.06, "0", up="top"),
        Segments(s.z, s.X[s.near].T, width=1.4),
        Text(1, 1.02, vote, COLOURS[s.winner], side="right", up="bottom", of="axes"),
        *_chosen(s, s.X),
        Dots(*s.z, COLOURS[s.winner], marker="D", size=10, edge=INK, rim=2.0),
        name="plane",
        width=4,
        equal=True,
        dress=_dress,
    )


def _dress(ax):
    whole_frame(ax)
    ax.xaxis.labelpad = 5


def _distances(s):
    """Both distances of each point from z, and the curve on which they are if one follows from the other."""
    ticks = TICKS.get(s.family) or tuple(np.linspace(0, standard(s.features.max()), 6))
    places = np.column_stack([s.plain, s.features])
    words, height = CURVES.get(s.family, ("", 0))
    return Axes(
        "distance in feature space",
        Axis("distance in the plane", 0, FARTHEST),
        _height(ticks),
        HSpan(0, s.radius, GREEN, alpha=0.16),
        HLine(s.radius, GREEN, width=2.2),
        None if s.curve is None else Line(s.line, s.curve, width=1.0),
        *_others(s, places, pale),
        VLine(s.plain_radius, GREY, width=1.6, style="--"),
        Text(0.98, height, words, side="right", up="center", of="axes"),
        *_chosen(s, places),
        name="right",
        width=3,
    )


@cache
def _height(ticks):
    names = ["√2" if tick == ROOT else short(tick) for tick in ticks]
    return Axis("", 0, 1.05 * ticks[-1], ticks, names, room="0.05")


def _others(s, places, quiet=to_rgb):
    """The points of each class that are no neighbours."""
    rest, look = ~s.is_near, {"size": 6, "rim": 0.6}
    return [Dots(*places[(s.y == c) & rest].T, quiet(COLOURS[c]), marker=MARKERS[c], **look) for c in COLOURS]


def _chosen(s, places):
    """The neighbours of each class, larger."""
    near, look = s.is_near, {"size": 9, "edge": INK, "rim": 1.6, "clip": False}
    return [Dots(*places[(s.y == c) & near].T, COLOURS[c], marker=MARKERS[c], **look) for c in COLOURS]


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


neighbours = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", CORNERS, tuple(DATA), more=True),
    Choice("family", "kernel", "linear", FAMILIES),
    Slider("sigma", "width σ", 1.0, 0.4, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
    Slider("degree", "degree p", 2, 1, 6, 1, when=lambda v: v["family"] == "polynomial"),
    Slider("count", "neighbours", 5, 1, 15, 1),
    Points("query", "drag", ((-0.4, 0.3),), (-2.2, -2.2), (2.2, 2.2), "plane", ("x₁", "x₂"), ("z",), more=True),
    title="Whose neighbours change",
    shows="On the left the plane with the points of two classes, blue dots and orange squares, the diamond z in the "
    "colour of its vote, and lines from z to its neighbours. The green region is the ball in feature space that "
    "reaches to the last of them, and the dashed circle is that of the plain distance. On the right, for each point, "
    "its distance from z in feature space over that in the plane.",
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
