"""Notebook 11. Groups where it is dense, and groups as a tree."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelDBSCAN, KernelLinkage, datasets
from kernelkit.course.explorers.drawing.groups import CIRCLE, LOOKS, MORE, NONE, grouped
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Discs, Dots, HLine, Line, Paths, Text
from kernelkit.course.panel.numbers import fixed, read_off
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import INK
from kernelkit.models.distances import squared_distances

LOW, HIGH = (-2.5, -2.2), (2.5, 2.4)
TOP = 1.45  # of the axis of distances: a Gaussian has none beyond √2
ISOLATED = ((-2.2, 2.0), (2.2, -1.9), (-2.1, -1.7), (0.6, 2.1), (2.2, 0.4))
METHODS = {
    "DBSCAN": "dbscan",
    "tree: nearest pair": "single",
    "tree: farthest pair": "complete",
    "tree: mean of pairs": "average",
}
START = ((0.12, 0.5),)  # where the line is: its label, its height
DATA = ("moons and isolated points", "dense and thin", "a bridge")


@lru_cache(maxsize=4)
def sample(data):
    """Points of the plane, the isolated ones last."""
    rng = np.random.default_rng(4)
    if data == "dense and thin":
        clouds = (-1.2, 0.6) + 0.12 * rng.standard_normal((25, 2)), (0.9, -0.3) + 0.55 * rng.standard_normal((35, 2))
        return np.vstack([*clouds, (-0.55, 0.6) + 0.12 * rng.standard_normal((12, 2))])
    if data == "a bridge":
        clouds = [(x, 0.2) + 0.32 * rng.standard_normal((26, 2)) for x in (-1.4, 1.4)]
        return np.vstack([*clouds, np.column_stack([np.linspace(-0.8, 0.8, 9), 0.1 * rng.standard_normal(9)])])
    cloud = (1.75, 1.6) + 0.2 * rng.standard_normal((12, 2))
    return np.vstack([datasets.moons(50, noise=0.1)[0] - (0.2, 0.3), cloud, ISOLATED])


@lru_cache(maxsize=32)
def _tree(data, method, sigma):
    """The dendrogram: corners of each merge (n − 1, 4, 2), x from 0 to 1; its height, and where each point stands."""
    from scipy.cluster.hierarchy import dendrogram

    X = sample(data)
    model = KernelLinkage(Gaussian(sigma), 1, method).fit(X)
    drawn = dendrogram(model.merges_, no_plot=True)
    corners = np.stack([np.array(drawn["icoord"]) / (10 * len(X)), drawn["dcoord"]], axis=-1)
    return model, corners, np.array(drawn["leaves"])


def compute(data, method, sigma, min_samples, line):
    X, level = sample(data), line[0][1]
    kernel = Gaussian(sigma)
    D = np.sqrt(squared_distances(kernel(X)))
    state = SimpleNamespace(
        X=X,
        D=D,
        dense=method == "dbscan",
        level=level,
        place=line[0][0],
        corners=None,
        core=np.ones(len(X), bool),
        reach=None,
    )
    if state.dense:
        model = KernelDBSCAN(kernel, level, min_samples).fit(X)
        state.labels, state.core = model.labels_, model.core_
        reach = np.sort(D, axis=1)[:, min(min_samples, len(X)) - 1]  # the point itself is the first of min_samples
        state.order = np.argsort(reach, kind="stable")
        state.heights = reach[state.order]
        state.reach = plain_radius(level, sigma)
    else:
        model, state.corners, state.order = _tree(data, method, sigma)
        state.labels = model.labels(len(X) - int(np.sum(model.merges_[:, 2] <= level)))
    state.labels = by_size(state.labels)
    state.groups = int(state.labels.max()) + 1
    state.noise = int(np.sum(state.labels < 0))
    state.sizes = np.bincount(state.labels[state.labels >= 0], minlength=1)
    state.single = int(np.sum(state.sizes == 1))
    state.border = (state.labels >= 0) & ~state.core
    return state


def by_size(labels):
    """The same groups with the largest as number 0, so that it has the first hue; −1 stays."""
    sizes = np.bincount(labels[labels >= 0], minlength=1)
    number = np.argsort(np.argsort(-sizes, kind="stable"))
    return np.where(labels < 0, -1, number[labels])


def plain_radius(level, sigma):
    """The plain distance whose Gaussian features are this far apart: None from √2 on."""
    left = 1 - level**2 / 2
    return sigma * np.sqrt(-2 * np.log(left)) if left > 0 else None


def picture(s):
    return [[_plane(s), _reaches(s) if s.dense else _merges(s)]]


def _plane(s):
    """The points in the hues of their groups, and for DBSCAN how far the first of them looks around."""
    more = "; grey ★: all others" if s.groups > len(LOOKS) else ""
    found = f"{_count(s.groups, 'group')} below the line{more}"
    around = s.X[s.order[0]] + (s.reach or 0) * CIRCLE
    return Axes(
        "",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        *grouped(s.X[~s.border], s.labels[~s.border]),
        *grouped(s.X[s.border], s.labels[s.border], 7.0, hollow=True),
        Line(*around.T, width=1.2, style=":") if s.reach else None,
        Text(0, 1.02, "filled: core; hollow: border; ×: noise" if s.dense else found, up="bottom", of="axes"),
        name="plane",
        place=(0.02, 0.05, 0.475, 0.875),
        dress=whole_frame,
    )


def _colours(labels):
    """The hue of each group, grey for noise and from the eighth on."""
    hues = [colour for colour, _ in LOOKS]
    return [NONE[0] if c < 0 else hues[c] if c < len(hues) else MORE[0] for c in labels]


def _reaches(s):
    """How far each point must reach, sorted."""
    which = {1: "1st", 2: "2nd", 3: "3rd"}.get(s.min_samples, f"{s.min_samples}th")
    reached = "itself, the 1st point" if s.min_samples == 1 else f"the {which} point, itself 1st"
    words = f"distance to {reached}", "points, sorted: core below the line", f"eps = {fixed(s.level)}"
    return _right(s, None, s.heights, _colours(s.labels[s.order]), *words)


def _merges(s):
    """The tree, whose branches below the line have the hues of their groups."""
    n, colours = len(s.X), _colours(s.labels[s.order])
    leaf = np.clip((s.corners[:, 1, 0] * n).astype(int), 0, n - 1)
    low = s.corners[:, 1, 1] <= s.level
    tree = Paths(s.corners, [colours[i] if below else "#B5B5B5" for i, below in zip(leaf, low, strict=True)], width=1.6)
    words = "distance in feature space at a merge", "points, as they merge", f"cut = {fixed(s.level)}"
    return _right(s, tree, np.zeros(n), colours, *words)


def _right(s, tree, heights, colours, above, below, said):
    """The points in their order at these heights, and the line that the learner moves."""
    across = (np.arange(len(heights)) + 0.5) / len(heights)
    side, shift = ("right", -0.03) if s.place > 0.6 else ("left", 0.03)
    return Axes(
        "",
        Axis("", -0.015, 1.015, ()),
        Axis("", 0, TOP, (0, 0.5, 1, np.sqrt(2)), ("0", "0.5", "1", "√2")),
        tree,
        Text(0, 1.02, above, up="bottom", of="axes"),
        Text(0.5, -0.03, below, side="center", up="top", of="axes"),
        Discs(np.column_stack([across, heights]), colours, 5.1, edge="face", rim=1),
        HLine(s.level, width=1.6, style="--"),
        Dots(s.place, s.level, "white", size=12, edge=INK, rim=1.8),
        Text(s.place + shift, s.level + 0.02, said, side=side, up="bottom", box=GROUND),
        name="right",
        place=(0.575, 0.105, 0.41, 0.82),
    )


def readout(state):
    kinds = f"{state.core.sum()}, {state.border.sum()}, {state.noise} points"
    return {
        "groups": state.groups,
        "largest group": f"{state.sizes.max()} points",
        "groups of a single point": state.single,
        "core, border, noise": kinds if state.dense else None,
        "eps in the plane": read_off(state.reach) if state.reach else None,
    }


def _count(number, what):
    return f"{number} {what}" + ("" if number == 1 else "s")


def code(data, method, sigma, min_samples, line):
    model = f"KernelDBSCAN(Gaussian({sigma:g}), eps={line[0][1]:.4g}, min_samples={min_samples})"
    if method != "dbscan":
        cut = compute(data, method, sigma, min_samples, line).groups
        model = f"KernelLinkage(Gaussian({sigma:g}), n_clusters={cut}, method={method!r})"
    return (
        "import numpy as np\nfrom kernelkit import *\n"
        "from kernelkit.course.explorers.distances_and_clusters.groups import sample\n\n"
        f"X = sample({data!r})\nlabels = {model}.fit_predict(X)\n"
        "print(np.unique(labels, return_counts=True))"
    )


def _tell(state, x, y):
    i = ((state.X - (x, y)) ** 2).sum(axis=1).argmin()
    near = int(np.sum(state.D[i] <= state.level))
    return f"point {i + 1}: {near} within {fixed(state.level)}"


groups = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", DATA[0], DATA, more=True),
    Choice("method", "method", "single", METHODS),
    Slider("sigma", "width σ", 1.0, 0.2, 2.0, 0.1),
    Slider("min_samples", "min_samples", 4, 1, 12, 1, when=lambda v: v["method"] == "dbscan"),
    Points(
        "line",
        "drag",
        START,
        (0.0, 0.02),
        (1.0, 1.4),
        "right",
        ("knob at", "cut or eps"),
        ("line",),
        0.01,
        more=True,
    ),
    title="Groups where it is dense, groups as a tree",
    shows="On the left the plane with the points in the colours and marks of their groups; points of noise are grey "
    "crosses, and border points are hollow. On the right, for a tree, the distance in feature space at each merge; for "
    "DBSCAN, the distance that each point must reach to find min_samples points, sorted. A dashed line is at the cut "
    "or at eps.",
    tell={"plane": _tell},
    film=("sigma",),
    scenes={
        "DBSCAN, min_samples 1": {"method": "dbscan", "min_samples": 1},
        "DBSCAN": {"method": "dbscan"},
        "Farthest pair": {"method": "complete", "line": ((0.12, 1.2),)},
        "Two densities": {"method": "dbscan", "data": "dense and thin", "line": ((0.12, 0.24),)},
        "A bridge": {"data": "a bridge"},
    },
    question=Question(
        "This tree merges the nearest pairs and is cut at 0.5. What does DBSCAN with eps = 0.5, min_samples = 1 find?",
        ("exactly these groups", "fewer groups, and noise", "more groups, because it does not chain"),
        0,
        "With min_samples = 1 every point is a core point, and a group is what steps of at most eps connect. The tree "
        "of nearest pairs has joined exactly these points below its cut. From min_samples = 2 on, single points are "
        "noise.",
        "DBSCAN, min_samples 1",
    ),
)
