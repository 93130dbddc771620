"""Notebook 11. k-means, one step at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelKMeans, Linear, Precomputed, datasets
from kernelkit.course.explorers.drawing import boundary
from kernelkit.course.explorers.drawing.groups import grouped
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Dots, Field, Line, Text
from kernelkit.course.panel.numbers import percent, short, typed
from kernelkit.course.panel.parts import GROUND, plane_points
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.models.clustering import distances_to_means, mean_weights, unit_rows

LAST = 12  # steps that can be shown
LOW, HIGH = (-2.3, -2.3), (2.3, 2.3)
DATA = {
    "disc in a ring": "X, y = datasets.bullseye(60)",
    "two moons": "X, y = datasets.moons(60)",
    "two blobs": "X, y = datasets.blobs(90)\nX = X[y != 1]",
}
NEARER = scale(PURPLE, GREEN, 0.3)
FIRST = "two points are the first means"
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


def picture(s):
    return [[_plane(s), _path(s)]]


def _plane(s):
    """The points in the hues of their groups, the sides of both means, and who they began with."""
    means, guest = s.X[s.start], s.X[-1]
    names = ["A", "B"] if len(s.X) - 1 in s.start else ["A", "B", "guest"]
    return Axes(
        "",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        Field(boundary.shade(s.x, s.y, s.H, s.X), NEARER),
        Contours(s.x, s.y, s.H, width=2.0),
        *grouped(s.X, s.labels if s.step else s.labels - 1),
        Dots(*guest, "none", size=15, edge=INK, rim=1.8),
        Dots(*means.T, "none", size=17, edge=INK, rim=1.8),
        *(_named(*place, name) for place, name in zip((*means, guest), names, strict=False)),
        Text(0, 1.02, f"after assignment {s.step}" if s.step else FIRST, up="bottom", of="axes"),
        name="plane",
        place=(0.02, 0.05, 0.475, 0.875),
        dress=whole_frame,
    )


def _named(x, y, name):
    x = np.clip(x, LOW[0] + 0.35, HIGH[0] - 0.35)
    return Text(x, y + 0.16, name, INK, side="center", up="bottom", weight="bold", box=GROUND)


def _path(s):
    """The inertia on a scale of the run, from its lowest value to its highest, so that the frame is always the same."""
    low, high = min(*s.costs, s.true), max(*s.costs, s.true)
    room = max(high - low, 1e-3 * high)
    steps, costs, true = np.arange(1, s.step + 1), (np.array(s.costs)[: s.step] - low) / room, (s.true - low) / room
    return Axes(
        "",
        Axis("assignment", 0.3, LAST + 0.7, range(2, LAST + 1, 2)),
        Axis("", -0.2, 1.1, (0, 0.5, 1), ("", "", "")),
        Text(0, 1.0406, "inertia: Σ distance² to its mean", of="axes"),
        Line(steps, costs, GREY),
        Dots(steps, costs, GREY, size=6, edge=GREY, rim=1),
        Line([0.3, LAST + 0.7], true, width=1.4, style="--"),
        Text(LAST + 0.6, true - 0.04, "the groups the data are made of", side="right", up="top"),
        *(Text(-0.196, v, short(low + v * room, 4), side="right", up="center") for v in (0, 0.5, 1)),
        Dots(s.step, costs[-1], INK, size=11, edge=INK, rim=1) if s.step else None,
        place=(0.615, 0.145, 0.365, 0.72),
    )


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


k_means = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "disc in a ring", tuple(DATA), more=True),
    Choice("family", "kernel", "Gaussian", {"Gaussian": "Gaussian", "none: the plain distance": "plain"}),
    Slider("sigma", "width σ", 0.5, 0.1, 3.0, 0.05, when=lambda v: v["family"] == "Gaussian"),
    Points("places", "drag", START, LOW, HIGH, "plane", ("x₁", "x₂"), NAMES, more=True),
    Stepper("step", "assignment", LAST),
    title="k-means, one step at a time",
    shows="On the left the plane with the points in the colours and marks of their groups, which are all grey before "
    "the first assignment; the circles A and B are the first two means, and the third circle is a guest. On the black "
    "line both means are equally far in feature space. On the right the inertia after each assignment, and a dashed "
    "line at that of the groups the data are made of.",
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
