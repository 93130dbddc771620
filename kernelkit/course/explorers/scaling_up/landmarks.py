"""Notebook 18. A few points stand for all: where they stand, where kernel and fit are lost, and how much of them."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from kernelkit import Gaussian, KernelRidge, Landmarks, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import points as five_inputs
from kernelkit.course.panel.controls import Choice, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import NO_BREAK, amount, percent, read_off, short, thousands, typed
from kernelkit.course.panel.parts import plane_points, reframed
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.study.landmarks import choose, trace_error

WAYS = {"at random": "random", "k-means": "k-means", "random pivots": "pivots", "greedy pivots": "greedy"}
COLOURS = {"random": GREY, "k-means": PURPLE, "pivots": GREEN, "greedy": INK}
DATA = {"some isolated": "strays", "seven groups": "groups", "a ring": "ring", "our data": "race"}
MOST = 40
COUNTS = (1, 4, 9, 16, 27, MOST)  # where the curves are computed
LOW, HIGH = -3.2, 3.2
SIDE = np.linspace(LOW, HIGH, 56)
PLANE = plane_points(SIDE, SIDE)
FAR = 1.2  # from the middle
FLOOR = 1e-4  # errors below are drawn there
LAM = 0.1  # of the fit
VIEWS = {"what is left out": "left", "K, and from m": "matrix", "how far fits differ": "fit"}
TITLES = {
    "left": "dark: what the landmarks leave out",
    "matrix": "upper right K, lower left from the landmarks",
    "fit": "dark: the fit differs from that of all points",
}


@lru_cache(maxsize=8)
def points(data):
    """300 points: a group and isolated points, a large group and six small ones, a ring, or two inputs of the race."""
    rng = np.random.default_rng(0)
    if data == "race":
        return five_inputs(1000)[0][:300, :2]
    if data == "strays":
        return np.vstack([rng.standard_normal((270, 2)) / 2, rng.uniform(-3, 3, (30, 2))])
    if data == "groups":
        turn = np.pi / 3 * np.arange(6)[:, None]
        small = np.repeat(2.4 * np.hstack([np.cos(turn), np.sin(turn)]), 4, axis=0)
        return np.vstack([rng.standard_normal((276, 2)) / 4, small + rng.standard_normal((24, 2)) / 12])
    turn, radius = rng.uniform(0, 2 * np.pi, 300), 2.2 + rng.standard_normal(300) / 8
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])


@lru_cache(maxsize=512)
def chosen(data, way, m, seed, sigma):
    """The m landmarks, (m, 2), fewer where those leave nothing; sigma is None where it has no say."""
    return choose(Gaussian(sigma or 1.0), points(data), m, way, seed)


@lru_cache(maxsize=256)
def curve(data, way, seed, sigma):
    """The trace error for each of COUNTS: pivots and random points are prefixes of their longest list."""
    X, k = points(data), Gaussian(sigma)
    if way == "k-means":
        return np.array([trace_error(k, X, Landmarks(k, chosen(data, way, m, seed, None))) for m in COUNTS])
    C = chosen(data, way, MOST, seed, None if way == "random" else sigma)
    return np.array([trace_error(k, X, Landmarks(k, C[:m])) for m in COUNTS])


def landmarks_of(data, way, m, sigma, seed):
    """What stands on the screen; the first m of a list, so that one more landmark moves no other."""
    if way == "k-means":
        return chosen(data, way, m, seed, None)
    return chosen(data, way, MOST, seed, None if way == "random" else sigma)[:m]


@lru_cache(maxsize=8)
def ordered(data):
    """The points from left to right, so that K shows who is near whom."""
    X = points(data)
    return X[np.argsort(X[:, 0])]


@lru_cache(maxsize=64)
def exact(data, sigma):
    """What a fit of all points says in the plane, and at the points."""
    X = points(data)
    model = KernelRidge(Gaussian(sigma), LAM).fit(X, values(X))
    return model.predict(PLANE), model.predict(X)


def values(X):
    """What is to be fitted."""
    return np.sin(2 * X[:, 0]) + np.cos(2 * X[:, 1])


def field_of(view, data, phi):
    """What the plane shows, and how far the fits differ at the points, on average."""
    if view == "left":
        return square(np.maximum(1 - np.square(phi(PLANE)).sum(axis=1), 0)), 0.0
    if view == "matrix":
        X = ordered(data)
        few = phi(X)
        return np.triu(phi.kernel(X)) + np.tril(few @ few.T, -1), 0.0
    X = points(data)
    few, (plane, at_points) = PrimalRidge(phi, LAM).fit(X, values(X)), exact(data, phi.kernel.sigma)
    return square(np.abs(few.predict(PLANE) - plane)), float(np.abs(few.predict(X) - at_points).mean())


def sides(X, C, phi):
    """Inside and outside of the circle: how many landmarks, which share of the points, what of them is left out."""
    left, far, far_landmarks = 1 - np.square(phi(X)).sum(axis=1), is_far(X), is_far(C)
    return [(np.sum(out == far_landmarks), np.mean(out == far), left[out == far].mean()) for out in (False, True)]


def is_far(X):
    return np.linalg.norm(X, axis=1) > FAR


def square(values):
    return values.reshape(len(SIDE), -1)


def compute(data, way, m, sigma, seed, view, every):
    k, C = Gaussian(sigma), landmarks_of(data, way, m, sigma, seed)
    phi = Landmarks(k, C)
    field, differ = field_of(view, data, phi)
    X = points(data)
    crowd = view == "left" and is_far(X).mean() <= 0.5  # else there is none in the middle
    inside, outside = sides(X, C, phi) if crowd else (None, None)
    return SimpleNamespace(
        X=X,
        C=C,
        view=view,
        matrix=view == "matrix",
        fits=view == "fit",
        crowd=crowd,
        inside=inside,
        outside=outside,
        field=field,
        differ=differ,
        phi=phi,
        m=m,
        way=way,
        sigma=sigma,
        error=trace_error(k, X, phi),
        curves={other: curve(data, other, seed, sigma) for other in (WAYS.values() if every else (way,))},
    )


def build(figure):
    plane = figure.add_axes((0.01, 0.03, 0.53, 0.87), xlim=(LOW, HIGH), ylim=(LOW, HIGH), xticks=[], yticks=[])
    errors = figure.add_axes((0.645, 0.14, 0.345, 0.76), yscale="log", xlim=(0, MOST + 1), ylim=(FLOOR / 1.3, 1.3))
    errors.set_xlabel("landmarks $m$", labelpad=1)
    errors.set_yticks([1, 0.1, 0.01, 0.001, FLOOR], ["100 %", "10 %", "1 %", "0.1 %", "0.01 %"])
    errors.minorticks_off()
    errors.set_title("part of the trace left out")
    errors.axhline(0.01, color=GREY, linewidth=0.8, linestyle=":")
    errors.text(0.7, 0.009, "goal: 1 %", color=GREY, va="top")
    look = {"animated": True}
    names = {way: name for name, way in WAYS.items()}
    ways = {f"curve {way}": errors.plot([], [], color=colour, lw=1.6, **look)[0] for way, colour in COLOURS.items()} | {
        f"name {way}": errors.text(0.03, y, names[way], color=COLOURS[way], transform=errors.transAxes, **look)
        for way, y in zip(COLOURS, (0.02, 0.09, 0.16, 0.23), strict=True)
    }
    return ways | {
        "plane": plane,
        "errors": errors,
        "field": _image(plane),
        "matrix": _image(plane),
        "far": plane.add_patch(Circle((0, 0), FAR, fill=False, ec=GREY, lw=1.2, ls=":", **look)),
        "points": plane.plot([], [], ".", color=INK, ms=3.5, **look)[0],
        "landmarks": plane.plot([], [], "o", mfc="none", mec=GREEN, mew=2.2, ms=9, **look)[0],
        "here": errors.plot([], [], "o", ms=9, mec="white", **look)[0],
    }


def _image(plane):
    return plane.imshow(
        np.zeros((2, 2)),
        cmap="Greys",
        vmin=0,
        vmax=1.6,
        origin="lower",
        extent=(LOW, HIGH, LOW, HIGH),
        interpolation="bilinear",
        aspect="auto",
        animated=True,
    )


def draw(parts, state):
    plane = parts["plane"]
    parts["matrix"].set(data=state.field[::-1], visible=state.matrix)
    parts["field"].set(data=state.field, visible=not state.matrix)
    parts["far"].set_visible(state.crowd)
    for name, at in (("points", state.X), ("landmarks", state.C)):
        parts[name].set(data=at.T, visible=not state.matrix)
    for way in COLOURS:
        line, values = parts[f"curve {way}"], state.curves.get(way)
        line.set_data(*(([], []) if values is None else (COUNTS, np.maximum(values, FLOOR))))
        line.set_linewidth(3 if way == state.way else 1.4)
        parts[f"name {way}"].set_visible(values is not None)
    parts["here"].set_data([state.m], [max(state.error, FLOOR)])
    parts["here"].set_color(COLOURS[state.way])
    if reframed(plane, state.view):
        plane.set_title(TITLES[state.view])


def readout(state):
    return {
        "trace left out": left_out(state.error),
        "inside the dotted circle": _side(state, *state.inside) if state.crowd else None,
        "outside": _side(state, *state.outside) if state.crowd else None,
        "the fits differ by": amount(state.differ) if state.fits else None,
        "numbers kept": f"{thousands(300 * len(state.C))} in place of {thousands(300**2)}" if state.matrix else None,
    }


def _side(state, landmarks, share, left):
    return f"{landmarks} of {len(state.C)} landmarks for {percent(share, 0)} of the points, {left_out(left)} left out"


def left_out(error):
    return f"{read_off(100 * error)}{NO_BREAK}%"


def _tell(state, x, y):
    if state.matrix:
        return ""
    if state.fits:
        i, j = (int(np.abs(SIDE - v).argmin()) for v in (y, x))
        return f"the fits differ by {amount(float(state.field[i, j]))}"
    left = 1 - np.square(state.phi([x, y])).sum()
    return f"left out of k(x, x) = 1: {short(max(round(float(left), 3), 0))}"


def _tell_error(state, x, y):
    m = int(np.clip(round(x), 1, MOST))
    if m == state.m:
        return f"m = {m}: {left_out(state.error)}"
    drawn = np.exp(np.interp(m, COUNTS, np.log(np.maximum(state.curves[state.way], FLOOR))))
    return f"m = {m}: about {left_out(float(drawn))}"


def code(data, way, m, sigma, seed, view, every):
    return (
        "from kernelkit import Gaussian, Landmarks\n"
        "from kernelkit.course.explorers.scaling_up.landmarks import landmarks_of, points\n"
        "from kernelkit.study.landmarks import trace_error\n\n"
        f"k, X = Gaussian({typed(sigma)}), points({data!r})\n"
        f"C = landmarks_of({data!r}, {way!r}, {m}, {typed(sigma)}, {seed})  # from study.landmarks.choose\n"
        "print(trace_error(k, X, Landmarks(k, C)))"
    )


def judge(drawn, values):
    """What five places of the learner's leave out, next to five that were chosen."""
    k, X, seed = Gaussian(values["sigma"]), points(values["data"]), values["seed"]
    yours, *others = (
        left_out(trace_error(k, X, Landmarks(k, C)))
        for C in (
            np.array(drawn),
            *(landmarks_of(values["data"], way, 5, k.sigma, seed) for way in ("greedy", "k-means")),
        )
    )
    return (
        f"Your five leave out {yours} of the trace. Five greedy pivots leave out {others[0]}, and the means of five "
        f"groups (k-means) leave out {others[1]}."
    )


landmarks = Explorer(
    title="A few points stand for all",
    controls=(
        Choice("data", "points", "strays", DATA),
        Choice("way", "chosen", "random", WAYS),
        Slider("m", "landmarks m", 12, 1, MOST, 1),
        Slider("sigma", "width σ", 0.796214, 0.2, 0.2 * 10**1.15, 0.05, log=True),
        Slider("seed", "draw no.", 0, 0, 9, 1, when=lambda v: v["way"] != "greedy"),
        Choice("view", "on the left", "left", VIEWS, more=True),
        Switch("every", "curves of all four ways", False),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left 300 points of the plane, green rings around the landmarks, and a shade that is dark where the "
    "landmarks leave much out or, in another view, where their fit differs from that of all points; a dotted circle is "
    "around a crowd among isolated points; a third view has the matrix K, upper right, and what the landmarks make of "
    "it, lower left. On the right the part of the trace that is left out, on a scale of powers of ten, over the number "
    "of landmarks.",
    code=code,
    film=("m",),
    scenes={
        "Greedy": {"way": "greedy", "every": True},
        "Random pivots": {"way": "pivots", "every": True},
        "Five greedy pivots": {"way": "greedy", "m": 5},
        "Greedy, narrow": {"way": "greedy", "sigma": 0.399052, "every": True},
        "Seven groups": {"data": "groups", "every": True},
        "Groups by pivots": {"data": "groups", "way": "pivots", "every": True},
        "The matrix K": {"way": "pivots", "view": "matrix"},
        "The fit": {"way": "pivots", "view": "fit"},
    },
    question=Sketch(
        "Put five landmarks where they leave out as little as possible of all 300 points. Then compare them with five "
        "greedy pivots, which always take the point that is left out most.",
        "points",
        "plane",
        ((-2.0, -2.8), (-1.0, -2.8), (0.0, -2.8), (1.0, -2.8), (2.0, -2.8)),
        (LOW, LOW),
        (HIGH, HIGH),
        judge,
        "The point that is left out most is an isolated point, far from all others, so greedy pivots serve such points "
        "one by one. But what counts is the sum over all points, and most of them are in the crowd.",
        scene="Five greedy pivots",
        hides=(
            "field",
            "landmarks",
            *(f"{part} {way}" for part in ("curve", "name") for way in COLOURS if way != "random"),
        ),
    ),
    tell={"plane": _tell, "errors": _tell_error},
)
