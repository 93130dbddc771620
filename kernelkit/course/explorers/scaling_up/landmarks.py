"""Notebook 18. A few points stand for all: where they stand, where kernel and fit are lost, and how much of them."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib import colormaps

from kernelkit import Gaussian, KernelRidge, Landmarks, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import points as five_inputs
from kernelkit.course.panel.controls import Choice, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Field, HLine, Line, Text
from kernelkit.course.panel.numbers import NO_BREAK, amount, percent, read_off, short, thousands, typed
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.panel.stretched import opaque
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.study.landmarks import choose, trace_error

WAYS = {"at random": "random", "k-means": "k-means", "random pivots": "pivots", "greedy pivots": "greedy"}
NAMES_AT = (0.02, 0.09, 0.16, 0.23)  # how high
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
PARTS = "100 %", "10 %", "1 %", "0.1 %", "0.01 %"
GREYS = opaque(colormaps["Greys"](np.arange(256))[:, :3]).view(np.uint32)[:, 0]
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
        matrix=view == "matrix",
        fits=view == "fit",
        crowd=crowd,
        inside=inside,
        outside=outside,
        field=field,
        differ=differ,
        phi=phi,
        error=trace_error(k, X, phi),
        curves={other: curve(data, other, seed, sigma) for other in (WAYS.values() if every else (way,))},
    )


def picture(s):
    plane = Axes(
        TITLES[s.view],
        Axis("", LOW, HIGH, ()),
        Axis("", LOW, HIGH, ()),
        Field(s.field[::-1] if s.matrix else s.field, _greys, name="field"),
        _circle() if s.crowd else None,
        None if s.matrix else Dots(*s.X.T, marker=".", size=3.5, edge=INK, rim=1),
        None if s.matrix else Dots(*s.C.T, "none", size=9, edge=GREEN, rim=2.2, name="landmarks"),
        name="plane",
        place=(0.01, 0.03, 0.53, 0.87),
    )
    curves, names = zip(*(_way(s, name, up) for name, up in zip(WAYS, NAMES_AT, strict=True)), strict=True)
    errors = Axes(
        "part of the trace left out",
        Axis("landmarks $m$", 0, MOST + 1),
        Axis("", FLOOR / 1.3, 1.3, (1, 0.1, 0.01, 0.001, FLOOR), PARTS, log=True),
        *_goal(),
        *curves,
        Dots(s.m, max(s.error, FLOOR), COLOURS[s.way], size=9, rim=1),
        *names,
        name="errors",
        place=(0.645, 0.14, 0.345, 0.76),
        dress=_near,
    )
    return [[plane, errors]]


def _greys(field):
    """White where it is 0, black at 1.6."""
    return GREYS.take(np.clip(160 * field, 0, 255).astype(np.uint8)).view(np.uint8).reshape(*field.shape, 4)


@cache
def _circle():
    """Around the middle, from below."""
    turn = np.linspace(-np.pi / 2, 1.5 * np.pi, 361)
    return Line(FAR * np.cos(turn), FAR * np.sin(turn), GREY, width=1.2, style=":", name="far")


@cache
def _goal():
    return HLine(0.01, GREY, style=":"), Text(0.7, 0.009, "goal: 1 %", GREY, up="top")


def _way(s, name, up):
    """The curve of a way and its name, both empty where it is not shown."""
    way = WAYS[name]
    shown, called = way in s.curves, "" if way == "random" else "answer"
    x, y = (COUNTS, np.maximum(s.curves[way], FLOOR)) if shown else ((), ())
    return (
        Line(x, y, COLOURS[way], width=3 if way == s.way else 1.4, name=called),
        Text(0.03, up, name if shown else "", COLOURS[way], of="axes", name=called),
    )


def _near(ax):
    ax.xaxis.labelpad = 1


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


landmarks = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "points", "strays", DATA),
    Choice("way", "chosen", "random", WAYS),
    Slider("m", "landmarks m", 12, 1, MOST, 1),
    Slider("sigma", "width σ", 0.796214, 0.2, 0.2 * 10**1.15, 0.05, log=True),
    Slider("seed", "draw no.", 0, 0, 9, 1, when=lambda v: v["way"] != "greedy"),
    Choice("view", "on the left", "left", VIEWS, more=True),
    Switch("every", "curves of all four ways", False),
    title="A few points stand for all",
    shows="On the left 300 points of the plane, green rings around the landmarks, and a shade that is dark where the "
    "landmarks leave much out or, in another view, where their fit differs from that of all points; a dotted circle is "
    "around a crowd among isolated points; a third view has the matrix K, upper right, and what the landmarks make of "
    "it, lower left. On the right the part of the trace that is left out, on a scale of powers of ten, over the number "
    "of landmarks.",
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
        hides=("field", "landmarks", "answer"),
    ),
    tell={"plane": _tell, "errors": _tell_error},
)
