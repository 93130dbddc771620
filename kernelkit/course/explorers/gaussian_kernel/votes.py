"""Notebook 04. Who votes for the value at z?"""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, datasets
from kernelkit.course.explorers.drawing.signed_bumps import COLOURS
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Discs, Dots, Line, Paths, Text
from kernelkit.course.panel.numbers import NO_BREAK, fixed, percent, read_off, typed
from kernelkit.course.plots import GREEN, GREY, INK, MARKERS, PURPLE

CLOUDS = {"two half planes": "half_planes", "crossing": "crossing", "moons": "moons", "a ring": "rings"}
TOUCH = 0.25  # a pointer this near to a point means it
AROUND = np.linspace(-np.pi / 2, 1.5 * np.pi, 361)
SIDES = [Axis("", -3, 3, (-2, 0, 2))] * 2
CIRCLE = np.column_stack([np.cos(AROUND), np.sin(AROUND)])


def compute(points, data, sigma, neighbours):
    z = np.array(points)[0]
    X, y = getattr(datasets, data)(30)
    near, along = Gaussian(sigma)(X, z), Linear()(X, z)
    distance = np.hypot(*(X - z).T)
    order = np.argsort(distance)
    return SimpleNamespace(
        z=z,
        X=X,
        y=y,
        near=near,
        along=along,
        share=float(near[order[:neighbours]].sum() / near.sum()),
        soft=float(near @ y / near.sum()),
        nearest=float(y[order[:neighbours]].mean()),
        reach=float(distance[order[neighbours - 1]]),
        linear=float(along @ y),
    )


def picture(s):
    x, y = s.z
    across = 9 * np.array([-y, x]) / max(np.hypot(x, y), 1e-12)
    near = Axes(
        "votes of the Gaussian kernel at the star z\ndashed: σ, dotted: the nearest",
        *SIDES,
        Paths([s.z + s.sigma * CIRCLE], width=1.6, style="--"),
        Paths([s.z + s.reach * CIRCLE], PURPLE, width=1.6, style=":"),
        *_voters(s, s.near),
        *_result(s, _near_result(s)),
        name="near",
        place=(0.06, 0.165, 0.39, 0.72),
        equal=True,
        dress=_dress,
    )
    along = Axes(
        "votes of the linear kernel, 0 on the dashed\nline (hollow: against its own class)",
        *SIDES,
        Dots(0, 0, marker="+", size=12, rim=1),
        *_voters(s, s.along),
        Line([0, x], [0, y], GREEN),
        Line([-across[0], across[0]], [-across[1], across[1]], GREY, width=1.5, style="--"),
        *_result(s, _along_result(s)),
        name="along",
        place=(0.56, 0.165, 0.39, 0.72),
        equal=True,
        dress=_dress,
    )
    return [[near, along]]


def _dress(ax):
    """The letters of the axes between two ticks."""
    ax.set_xlabel("$x_1$", x=2 / 3, labelpad=-14)
    ax.set_ylabel("$x_2$", y=2 / 3, labelpad=-8, rotation=0, va="center")


def _voters(s, votes):
    """The points of both classes; a point is as large as its share of the largest vote, so that the proportions of
    both kernels can be compared, and hollow where it votes against its own class."""
    shares = votes / max(np.abs(votes).max(), 1e-12)
    for sign, marker in MARKERS.items():
        mine = s.y == sign
        looks = [(COLOURS[sign], "white", 0.6) if v >= 0 else ("white", COLOURS[sign], 1.3) for v in shares[mine]]
        colors, edges, rims = map(list, zip(*looks, strict=True))
        size = np.sqrt(10 + 300 * np.abs(shares[mine]))
        yield Discs(s.X[mine], colors, size, marker=marker, edge=edges, rim=rims, name="voters")


def _result(s, words):
    """The star, and what the votes come to."""
    yield Text(-3, -4.15, words, INK, name="result")
    yield Dots(*s.z[:, None], GREEN, marker="*", size=18, rim=1)


def _near_result(s):
    return f"soft vote {fixed(s.soft, sign='+')}, {s.neighbours} nearest {fixed(s.nearest, sign='+')}"


def _along_result(s):
    return f"sum of the votes {fixed(s.linear, 1, '+')}" if s.along.any() else "silent: no direction"


def readout(state):
    return {
        "nearest points": f"{state.neighbours} of {len(state.y)}",
        "their share of the Gaussian votes": percent(state.share, 0),
        "soft vote": fixed(state.soft, sign="+"),
        "their equal vote": fixed(state.nearest, sign="+"),
        "sum of the linear votes": fixed(state.linear, 1, "+"),
    }


def _voter(state, x, y, votes):
    """The vote of the point under the pointer."""
    gaps = np.hypot(*(state.X - (x, y)).T)
    i = gaps.argmin()
    return f"class {fixed(state.y[i], 0, '+')}: vote{NO_BREAK}{read_off(votes[i])}" if gaps[i] < TOUCH else ""


def tell_near(state, x, y):
    return _voter(state, x, y, state.near)


def tell_along(state, x, y):
    return _voter(state, x, y, state.along)


def code(points, data, sigma, neighbours):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, Linear, datasets\n\n"
        f"X, y = datasets.{data}(30)\nz = {typed(points[0])}\n"
        f"votes = Gaussian({typed(sigma)})(X, z)\nprint(votes @ y / votes.sum())     # soft vote\n"
        f"nearest = np.argsort(-votes)[:{neighbours}]\nprint(y[nearest].mean())            # the nearest alone\n"
        "print(Linear()(X, z) @ y)         # linear kernel"
    )


votes = panel(
    compute,
    picture,
    readout,
    code,
    Points(
        "points",
        "query",
        ((1.0, 0.6),),
        (-2.8, -2.8),
        (2.8, 2.8),
        "near",
        ("coordinate 1", "coordinate 2"),
        ("z",),
        more=True,
    ),
    Choice("data", "data", "half_planes", CLOUDS),
    Slider("sigma", "width σ", 0.6, 0.2, 3.0, 0.05),
    Slider("neighbours", "nearest points", 5, 1, 15, 1),
    title="Who votes for the value at z?",
    shows="The same points of two classes twice, orange squares and blue dots, around the star z; a point is as large "
    "as its voice. On the left the voice is that of the Gaussian kernel, with a dashed circle of radius σ and a "
    "dotted one around the nearest points. On the right it is that of the linear kernel, hollow where it is negative.",
    tell={"near": tell_near, "along": tell_along},
    motion=True,
    film=("sigma",),
    scenes={
        "z twice as far out": {"points": ((2.0, 1.2),)},
        "Almost one neighbour": {"sigma": 0.2, "neighbours": 1},
        "Everybody votes": {"sigma": 3.0},
        "Far from all": {"points": ((2.8, -2.8),)},
        "Crossing": {"data": "crossing", "points": ((1.2, 1.0),)},
    },
    question=Question(
        "z moves straight away from the origin, to twice its distance. For which kernel do the shares of the "
        "votes change?",
        ("only for the Gaussian kernel", "only for the linear kernel", "for both"),
        0,
        "Xᵢᵀz doubles for every i, so all shares stay as they were, and only the direction of z counts. For the "
        "Gaussian kernel, other points are near now.",
        scene="z twice as far out",
    ),
)
