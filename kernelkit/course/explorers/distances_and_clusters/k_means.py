"""Notebook 11. k-means, one step at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Gaussian, KernelKMeans, Linear, Precomputed, datasets
from kernelkit.course.explorers.drawing import boundary
from kernelkit.course.explorers.drawing.groups import build_groups, draw_groups
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, short, typed
from kernelkit.course.panel.parts import GROUND, plane_points
from kernelkit.course.panel.stretched import Stretched, scale
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, contour_lines
from kernelkit.models.clustering import distances_to_means, mean_weights, unit_rows

LAST = 12  # steps that can be shown
LOW, HIGH = (-2.3, -2.3), (2.3, 2.3)
DATA = {
    "disc in a ring": "X, y = datasets.bullseye(60)",
    "two moons": "X, y = datasets.moons(60)",
    "two blobs": "X, y = datasets.blobs(90)\nX = X[y != 1]",
}
NAMES = ("first mean A", "first mean B", "a guest")
START = ((0.1, 0.0), (1.6, 0.3), (-0.8, -0.8))
OPPOSITE = ((-1.7, 0.0), (1.7, 0.0), START[2])


@lru_cache(maxsize=8)
def sample(data):
    """The points without the guest, and whose they are: 0 or 1."""
    if data == "two blobs":
        X, y = datasets.blobs(90)
        return X[y != 1], y[y != 1] // 2
    X, y = datasets.moons(60) if data == "two moons" else datasets.bullseye(60)
    return X, (y > 0).astype(int)


def nearest_two(X, places):
    """The points nearest to both places, two different ones."""
    D = Linear().squared_distance(np.array(places), X)
    first = int(D[0].argmin())
    D[1, first] = np.inf
    return [first, int(D[1].argmin())]


@lru_cache(maxsize=32)
def run(data, kernel, places):
    """The points with the guest, their K, the two that are the first means, and every step from there."""
    X, _ = sample(data)
    start = nearest_two(X, places[:2])
    X = np.vstack([X, places[2]])
    K = kernel(X)
    return X, K, start, list(KernelKMeans(Precomputed(), max_iter=60).steps(K, start=start))[:LAST]


def agreement(labels, own):
    """The largest part of the points that one of the two namings of the groups gets right."""
    return max(np.mean(labels == own), np.mean(labels != own))


def _cost_of_truth(K, own):
    """The inertia of the groups the data were made of, the guest in the better one."""
    labels = [np.append(own, guest) for guest in (0, 1)]
    return min(distances_to_means(K, mean_weights(b, 2))[np.arange(len(K)), b].sum() for b in labels)


def _lead(kernel, X, K, a, Z):
    """How much nearer the mean A is than B, squared: ‖Φ(z) − μ_B‖² − ‖Φ(z) − μ_A‖²."""
    squares = np.sum(a * (K @ a), axis=0)
    return squares[1] - squares[0] - 2 * kernel(Z, X) @ (a[:, 1] - a[:, 0])


def compute(data, family, sigma, places, step):
    kernel = Gaussian(sigma) if family == "Gaussian" else Linear()
    X, K, start, steps = run(data, kernel, places)
    step, own = min(step, len(steps)), sample(data)[1]
    means = [unit_rows(start, len(X)), *(mean_weights(s.iterate, 2) for s in steps)]
    labels = steps[step - 1].iterate if step else np.full(len(X), -1)
    x, y = boundary.grid(LOW, HIGH, 60)
    return SimpleNamespace(
        X=X,
        start=start,
        labels=labels,
        step=step,
        last_step=len(steps),
        x=x,
        y=y,
        H=_lead(kernel, X, K, means[max(step - 1, 0)], plane_points(x, y)).reshape(60, 60),
        costs=[s.cost for s in steps],
        moved=len(steps[step - 1].moved) if step else 0,
        true=_cost_of_truth(K, own),
        match=agreement(labels[:-1], own) if step else 0.0,
    )


def build(figure):
    plane = figure.add_axes((0.02, 0.05, 0.475, 0.875), xticks=[], yticks=[], xlim=(LOW[0], HIGH[0]))
    plane.set_ylim(LOW[1], HIGH[1])
    plane.spines[:].set(visible=True, color="#999999")
    right = figure.add_axes((0.615, 0.145, 0.365, 0.72), xlabel="assignment", yticks=[0, 0.5, 1])
    right.set(xlim=(0.3, LAST + 0.7), xticks=range(2, LAST + 1, 2), ylim=(-0.2, 1.1), yticklabels=[])
    right.set_title("inertia: Σ distance² to its mean", y=1.0, pad=8)
    beside = {"transform": right.get_yaxis_transform(), "ha": "right", "va": "center", "animated": True}
    marks = {"animated": True, "zorder": 6}
    return {
        "plane": plane,
        "right": right,
        "regions": Stretched(plane, scale(PURPLE, GREEN, 0.3)),
        "line": plane.add_collection(LineCollection([], colors=INK, linewidths=2.0, animated=True, zorder=2)),
        "groups": build_groups(plane),
        "guest": plane.plot([], [], "o", color="none", mec=INK, mew=1.8, ms=15, **marks)[0],
        "starts": plane.plot([], [], "o", color="none", mec=INK, mew=1.8, ms=17, **marks)[0],
        "letters": [
            plane.text(0, 0, c, weight="bold", color=INK, ha="center", va="bottom", bbox=GROUND, **marks)
            for c in ("A", "B", "guest")
        ],
        "says": plane.text(0.0, 1.02, "", transform=plane.transAxes, animated=True, va="bottom"),
        "path": right.plot([], [], "o-", color=GREY, ms=6, animated=True)[0],
        "now": right.plot([], [], "o", color=INK, ms=11, animated=True, zorder=5)[0],
        "true": right.plot([], [], "--", color=INK, lw=1.4, animated=True)[0],
        "true says": right.text(0, 0, "the groups the data are made of", ha="right", va="top", animated=True),
        "ticks": [right.text(-0.04, v, "", **beside) for v in (0, 0.5, 1)],
    }


def draw(parts, state):
    parts["regions"].show(boundary.shade(state.x, state.y, state.H, state.X))
    parts["line"].set_segments(contour_lines(state.x, state.y, state.H, (0.0,))[0])
    draw_groups(parts["groups"], state.X, state.labels if state.step else state.labels - 1)
    parts["guest"].set_data(*state.X[-1:].T)
    parts["starts"].set_data(*state.X[state.start].T)
    for letter, i in zip(parts["letters"], (*state.start, -1), strict=True):
        x, y = state.X[i]
        letter.set_position((np.clip(x, LOW[0] + 0.35, HIGH[0] - 0.35), y + 0.16))
    parts["letters"][-1].set_visible(len(state.X) - 1 not in state.start)
    parts["says"].set_text(f"after assignment {state.step}" if state.step else "two points are the first means")
    _draw_path(parts, state)


def _draw_path(parts, state):
    """The inertia on a scale of the run, from its lowest value to its highest, so that the frame is always the same."""
    low, high = min(*state.costs, state.true), max(*state.costs, state.true)
    room = max(high - low, 1e-3 * high)
    costs, true = (np.array(state.costs) - low) / room, (state.true - low) / room
    parts["path"].set_data(np.arange(1, state.step + 1), costs[: state.step])
    parts["now"].set_data([state.step][: state.step], costs[state.step - 1 : state.step])
    parts["true"].set_data([0.3, LAST + 0.7], [true, true])
    parts["true says"].set_position((LAST + 0.6, true - 0.04))
    for text in parts["ticks"]:
        text.set_text(short(low + text.get_position()[1] * room, 4))


def readout(state):
    _, a, b = np.bincount(state.labels + 1, minlength=3)  # those in no group yet come first
    return {
        "points in A and B": f"{a} and {b}" if state.step else None,
        "points that moved": state.moved if state.step else None,
        "inertia": short(state.costs[state.step - 1], 4) if state.step else None,
        "inertia of the data's own groups": short(state.true, 4),
        "right group, without the guest": percent(state.match, 0) if state.step else None,
    }


def code(data, family, sigma, places, step):
    kernel = f"Gaussian({sigma:g})" if family == "Gaussian" else "Linear()"
    start = run(data, Gaussian(sigma) if family == "Gaussian" else Linear(), places)[2]
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"{DATA[data]}\nX = np.vstack([X, {typed(places[2])}])  # a guest\n"
        f"model = KernelKMeans({kernel})\n"
        f"for step in model.steps(X, start={start}):\n"
        "    print(step.turn, np.bincount(step.iterate, minlength=2), round(step.cost, 4))"
    )


def _tell(state, x, y):
    h = boundary.value_at(state.x, state.y, state.H, (x, y))
    return f"the mean {'A' if h > 0 else 'B'} is nearer" if abs(h) > 1e-9 else "both means are equally far"


k_means = Explorer(
    title="k-means, one step at a time",
    controls=(
        Choice("data", "data", "disc in a ring", tuple(DATA), more=True),
        Choice("family", "kernel", "Gaussian", {"Gaussian": "Gaussian", "none: the plain distance": "plain"}),
        Slider("sigma", "width σ", 0.5, 0.1, 3.0, 0.05, when=lambda v: v["family"] == "Gaussian"),
        Points("places", "drag", START, LOW, HIGH, "plane", ("x₁", "x₂"), NAMES, more=True),
        Stepper("step", "assignment", LAST),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points in the colours and marks of their groups, which are all grey before "
    "the first assignment; the circles A and B are the first two means, and the third circle is a guest. On the black "
    "line both means are equally far in feature space. On the right the inertia after each assignment, and a dashed "
    "line at that of the groups the data are made of.",
    code=code,
    tell={"plane": _tell},
    film=("step",),
    scenes={
        "To the end": {"step": LAST},
        "Opposite sides": {"places": OPPOSITE, "step": LAST},
        "Plain distance": {"family": "plain", "step": LAST},
        "Too wide": {"sigma": 1.0, "step": LAST},
        "Two moons": {"data": "two moons", "step": LAST},
    },
    question=Question(
        "Move both first means onto the ring, to opposite sides of it. Where will k-means with σ = 0.5 end?",
        ("with half a ring on each side", "with the disc and the ring", "nowhere, because points move for ever"),
        1,
        "The points of the disc are similar to one another. As soon as one mean has more of them than the other, it is "
        "nearer to the rest as well, and soon it has all of them. "
        "The points of the ring are then nearer to the other mean. The first start, with one mean in the disc and one "
        "on the ring, looks better, but it ends in a worse local optimum.",
        "Opposite sides",
    ),
)
