"""Notebook 04. Who votes for the value at z?."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from kernelkit import Gaussian, Linear, datasets
from kernelkit.explorers.shared.signed_bumps import COLOURS
from kernelkit.panel.controls import Choice, Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed, typographic
from kernelkit.plots import GREEN, GREY, INK, MARKERS, PURPLE

CLOUDS = {"two half planes": "half_planes", "crossing": "crossing", "moons": "moons", "a ring": "rings"}


def compute(points, data, sigma, neighbours):
    z = np.array(points)[0]
    X, y = getattr(datasets, data)(30)
    near, along = Gaussian(sigma)(X, z), Linear()(X, z)
    distance = np.hypot(*(X - z).T)
    order = np.argsort(distance)
    return SimpleNamespace(
        z=z, X=X, y=y, sigma=sigma, neighbours=neighbours, near=near, along=along, distance=distance,
        share=float(near[order[:neighbours]].sum() / near.sum()), soft=float(near @ y / near.sum()),
        nearest=float(y[order[:neighbours]].mean()), reach=float(distance[order[neighbours - 1]]),
        linear=float(along @ y), loudest=int(np.abs(along).argmax()),
    )  # fmt: skip


def _vote_axes(figure, left, title):
    ax = figure.add_axes(
        (left, 0.125, 0.45, 0.715), aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xticks=[-2, 0, 2], yticks=[-2, 0, 2]
    )
    ax.set_title(title, size=11)
    voices = {
        s: ax.scatter([], [], marker=MARKERS[s], edgecolors=COLOURS[s], linewidths=1.3, animated=True) for s in COLOURS
    }
    star = ax.plot([], [], "*", color=GREEN, mec=INK, ms=17, zorder=5, animated=True)[0]
    return ax, voices, star


def build(figure):
    near, near_voices, near_star = _vote_axes(
        figure, 0.045, "Gaussian kernel: near points vote\n(dashed: σ, dotted: m nearest)"
    )
    along, along_voices, along_star = _vote_axes(
        figure, 0.54, "linear kernel: points in its direction\n(hollow: votes against its own class)"
    )
    near.set_xlabel("drag the star")
    along.plot(0, 0, "+", color=INK, ms=12)
    circles = [near.add_patch(Circle((0, 0), 1, fill=False, color=c, linestyle=s, linewidth=1.5, animated=True))
               for c, s in ((INK, "--"), (PURPLE, ":"))]  # fmt: skip
    arrow = along.plot([], [], "-", color=GREEN, animated=True)[0]
    silent = along.plot([], [], "--", color=GREY, linewidth=1.5, animated=True)[0]
    return {"near": near, "voices": (near_voices, along_voices), "stars": (near_star, along_star), "circles": circles,
            "arrow": arrow, "silent": silent}  # fmt: skip


def draw(parts, state):
    loudest = max(np.abs(state.along).max(), 1e-12)
    for voices, weights in zip(parts["voices"], (state.near, state.along / loudest), strict=True):
        for sign, dots in voices.items():
            w = weights[state.y == sign]
            dots.set_offsets(state.X[state.y == sign])
            dots.set_sizes(6 + 320 * np.abs(w))
            dots.set_facecolor([COLOURS[sign] if v >= 0 else "white" for v in w])
    for star in parts["stars"]:
        star.set_data([state.z[0]], [state.z[1]])
    for circle, radius in zip(parts["circles"], (state.sigma, state.reach), strict=True):
        circle.set(center=tuple(state.z), radius=radius)
    parts["arrow"].set_data([0, state.z[0]], [0, state.z[1]])
    across = 9 * np.array([-state.z[1], state.z[0]]) / max(np.hypot(*state.z), 1e-12)
    parts["silent"].set_data([-across[0], across[0]], [-across[1], across[1]])


def describe(state):
    start = (
        f"z = ({state.z[0]:.2f}, {state.z[1]:.2f}), σ = {state.sigma:.2f}: the {state.neighbours} nearest of "
        f"{len(state.y)} points hold {100 * state.share:.0f} % of the Gaussian votes; the soft vote is "
        f"{state.soft:+.2f}, the vote of those {state.neighbours} alone {state.nearest:+.2f}. "
    )
    if not state.along.any():
        return typographic(start + "The linear kernel is silent: from the origin z has no direction.")
    return typographic(
        start + f"For the linear kernel the loudest point is {state.distance[state.loudest]:.1f} away, and the votes "
        f"add up to {state.linear:+.1f}."
    )


def code(points, data, sigma, neighbours):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, Linear, datasets\n\n"
        f"X, y = datasets.{data}(30)\nz = {typed(points[0])}\n"
        f"votes = Gaussian({typed(sigma)})(X, z)\nprint(votes @ y / votes.sum())     # soft vote\n"
        f"nearest = np.argsort(-votes)[:{neighbours}]\nprint(y[nearest].mean())            # m nearest neighbours\n"
        "print(Linear()(X, z) @ y)         # linear kernel"
    )


votes = Explorer(
    title="Who votes for the value at z?",
    controls=(
        Points("points", "query", ((1.0, 0.6),), (-2.8, -2.8), (2.8, 2.8), "near", ("coordinate 1", "coordinate 2"),
               ("z",)),
        Choice("data", "data", "half_planes", CLOUDS),
        Slider("sigma", "width σ", 0.6, 0.2, 3.0, 0.05),
        Slider("neighbours", "m nearest", 5, 1, 15, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Almost one neighbour": {"sigma": 0.2, "neighbours": 1},
        "Everybody votes": {"sigma": 3.0},
        "Far from all": {"points": ((2.8, -2.8),)},
        "Crossing": {"data": "crossing", "points": ((1.2, 1.0),)},
    },
    question=Question(
        "Move z straight away from the origin, to twice its distance. Whose votes change their proportions?",
        ("only the Gaussian kernel's", "only the linear kernel's", "both"),
        0,
        "Xᵢᵀz simply doubles for every i, so only the direction of z counts. For the Gaussian, other points are "
        "near now.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
