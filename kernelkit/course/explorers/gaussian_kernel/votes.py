"""Notebook 04. Who votes for the value at z?"""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from kernelkit import Gaussian, Linear, datasets
from kernelkit.course.explorers.drawing.signed_bumps import COLOURS
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import NO_BREAK, fixed, percent, read_off, typed
from kernelkit.course.plots import GREEN, GREY, INK, MARKERS, PURPLE

CLOUDS = {"two half planes": "half_planes", "crossing": "crossing", "moons": "moons", "a ring": "rings"}
TOUCH = 0.25  # a pointer this near to a point means it


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
        sigma=sigma,
        neighbours=neighbours,
        near=near,
        along=along,
        distance=distance,
        share=float(near[order[:neighbours]].sum() / near.sum()),
        soft=float(near @ y / near.sum()),
        nearest=float(y[order[:neighbours]].mean()),
        reach=float(distance[order[neighbours - 1]]),
        linear=float(along @ y),
    )


def build(figure):
    return _near(figure.add_axes((0.06, 0.165, 0.39, 0.72))) | _along(figure.add_axes((0.56, 0.165, 0.39, 0.72)))


def _near(ax):
    ax.set_title("votes of the Gaussian kernel at the star z\ndashed: σ, dotted: the nearest")
    circles = [
        ax.add_patch(Circle((0, 0), 1, fill=False, color=c, linestyle=s, linewidth=1.6, animated=True))
        for c, s in ((INK, "--"), (PURPLE, ":"))
    ]
    return {"near": ax, "near_votes": _voters(ax), "circles": circles}


def _along(ax):
    ax.set_title("votes of the linear kernel, 0 on the dashed\nline (hollow: against its own class)")
    ax.plot(0, 0, "+", color=INK, ms=12)
    arrow = ax.plot([], [], "-", color=GREEN, animated=True)[0]
    silent = ax.plot([], [], "--", color=GREY, linewidth=1.5, animated=True)[0]
    return {"along": ax, "along_votes": _voters(ax), "arrow": arrow, "silent": silent}


def _voters(ax):
    """The points of both classes, the star and what the votes come to; a point is as large as its share of the
    largest vote, so that the proportions of both kernels can be compared."""
    ax.set(aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    ax.set_xlabel("$x_1$", x=2 / 3, labelpad=-14)  # between two ticks
    ax.set_ylabel("$x_2$", y=2 / 3, labelpad=-8, rotation=0, va="center")
    dots = {s: ax.scatter([], [], marker=MARKERS[s], animated=True) for s in MARKERS}
    star = ax.plot([], [], "*", color=GREEN, mec="white", ms=18, zorder=5, animated=True)[0]
    result = ax.text(-3, -4.15, "", color=INK, animated=True)
    return dots, star, result


def draw(parts, state):
    results = _results(state)
    weights = [votes / max(np.abs(votes).max(), 1e-12) for votes in (state.near, state.along)]
    for name, w, said in zip(("near_votes", "along_votes"), weights, results, strict=True):
        dots, star, result = parts[name]
        for sign, artist in dots.items():
            mine = state.y == sign
            artist.set(offsets=state.X[mine], sizes=10 + 300 * np.abs(w[mine]))
            artist.set_facecolor([COLOURS[sign] if v >= 0 else "white" for v in w[mine]])
            artist.set_edgecolor(["white" if v >= 0 else COLOURS[sign] for v in w[mine]])
            artist.set_linewidth([0.6 if v >= 0 else 1.3 for v in w[mine]])
        star.set_data([state.z[0]], [state.z[1]])
        result.set_text(said)
    parts["arrow"].set_data([0, state.z[0]], [0, state.z[1]])
    across = 9 * np.array([-state.z[1], state.z[0]]) / max(np.hypot(*state.z), 1e-12)
    parts["silent"].set_data([-across[0], across[0]], [-across[1], across[1]])
    for circle, radius in zip(parts["circles"], (state.sigma, state.reach), strict=True):
        circle.set(center=tuple(state.z), radius=radius)


def _results(state):
    soft, nearest = (fixed(v, sign="+") for v in (state.soft, state.nearest))
    linear = "silent: no direction" if not state.along.any() else f"sum of the votes {fixed(state.linear, 1, '+')}"
    return f"soft vote {soft}, {state.neighbours} nearest {nearest}", linear


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


votes = Explorer(
    title="Who votes for the value at z?",
    controls=(
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
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="The same points of two classes twice, orange squares and blue dots, around the star z; a point is as large "
    "as its voice. On the left the voice is that of the Gaussian kernel, with a dashed circle of radius σ and a "
    "dotted one around the nearest points. On the right it is that of the linear kernel, hollow where it is negative.",
    code=code,
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
