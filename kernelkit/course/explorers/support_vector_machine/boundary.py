"""Notebook 07. The boundary: what σ, C and every single point do."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian, Linear, Polynomial
from kernelkit.course.explorers.data.mixture import (
    ACROSS,
    HIGH,
    LOW,
    TEST_STATE,
    TESTS,
    UP,
    N,
    bayes,
    fresh,
    sample,
    wrong,
)
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import TOL, machine, on_margin, tell_h
from kernelkit.course.panel.controls import Choice, Question, Samples, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, typed
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import BLUE, DPI, GREEN, GREY, INK, MARKERS, ORANGE, PURPLE

DATA = {
    "ten-means mixture": "mixture",
    "moons": "moons",
    "rings": "rings",
    "circles": "circles",
    "only my points": "mine",
}
KERNELS = {"Gaussian": "gaussian", "polynomial": "polynomial", "linear": "linear"}


def kernel_of(kernel, sigma, degree):
    """The chosen kernel."""
    return {"gaussian": Gaussian(sigma), "polynomial": Polynomial(degree), "linear": Linear()}[kernel]


def _given(values):
    """The points of the chosen data."""
    data = values["data"]
    return data, *((np.empty((0, 2)), np.empty(0)) if data == "mine" else sample(data))


TRAY = 0.75  # the height of the tray below the plane
MINE = Samples("mine", "point", (), (LOW[0], LOW[1] - TRAY), HIGH, given=_given, floor=LOW[1])


def _rows(points):
    """Places, labels and names of points that the control says."""
    X, y = np.array([point[:2] for point in points]).reshape(-1, 2), np.array([float(point[2]) for point in points])
    return X, y, [point[3:] for point in points]


def compute(data, kernel, sigma, degree, C, mine, before=None):
    values = {"data": data, "mine": mine}
    points = MINE.present(values)
    X, y, which = _rows([point for point in points if point[2]])
    thrown, _, those = _rows([point for point in points if not point[2]])
    state = SimpleNamespace(
        X=X,
        y=y,
        which=which,
        thrown=thrown,
        thrown_labels=np.array([MINE.label_of(values, *which) for which in those]),
        usual=_given(values)[1] if data != "mine" else X,
        data=data,
        kernel=kernel,
        ready=False,
        tested=False,
        own=[i for i, (name, _) in enumerate(which) if name == ""],
        a=None,
        bayes=bayes() if data == "mixture" else (None, None),
    )
    if len(set(state.y)) == 2:
        same = before is not None and (before.data, before.kernel) == (data, kernel)
        known = dict(zip(before.which, before.a, strict=True)) if same and before.ready else {}
        start = np.array([known.get(which, 0.0) for which in state.which])
        _learn(state, machine(kernel_of(kernel, sigma, degree), C, state.X, state.y, start))
    return state


def _learn(state, model):
    state.ready, state.a = True, model.a_
    state.H = plane.decision_on_grid(model, ACROSS, UP)
    state.support, state.on_margin = model.support_, on_margin(model)
    state.idle = np.setdiff1d(np.arange(len(state.y)), model.support_)
    state.train = wrong(model.decision_function(state.X), state.y)
    Z, t = (None, None) if state.data == "mine" else fresh(state.data)
    state.tested = Z is not None
    state.test = wrong(model.decision_function(Z), t) if state.tested else None


MOST = 0.5  # the error at the right end of the bar
UNIT = 50  # pixels
SMALL = 5  # a point, so that two hundred of them leave the lines to be seen
RING = {"color": "none", "mec": INK, "mew": 0.7, "ms": 7.5}  # around a support vector, as small
WIDTH, HEIGHT = 300, 360  # of the column on the right, in pixels
BAR, LIST, STEP = 34, 118, 32  # where the bar is, where the list of marks begins, and its rows
MARKS = ("support vectors", "of them exactly on the margin", "pale: nothing depends on them")


def build(figure):
    long, deep = (HIGH[0] - LOW[0]) * UNIT, TRAY * UNIT
    low = deep + 26
    ax = figure.add_axes((0.055, low / 380, long / 700, long / 380), xticks=range(-2, 4), yticks=range(-2, 5))
    ax.tick_params(axis="x", length=0, pad=(deep + 4) * 72 / DPI)  # the numbers are below the tray
    ax.set_ylabel("$x_2$", y=0.92, labelpad=-5, rotation=0, va="center")
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)
    parts = plane.build(ax, LOW, HIGH)
    for marks in (*(parts[label] for label in (-1, 1)), *parts["idle"].values()):
        marks.set_markersize(SMALL)
    parts["filled"].set_markersize(SMALL / 2)
    parts["rings"].set(**RING)
    parts["note"] = ax.text(0.5, 0.5, "", transform=ax.transAxes, size=14, ha="center", animated=True, zorder=6)
    side = figure.add_axes((0.56, 0.03, WIDTH / 700, HEIGHT / 380), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    side.axis("off")
    side.text(-20, HEIGHT - 4, "$x_1$", ha="center", va="center")
    return parts | _build_tray(ax, side) | _build_bar(side) | _build_marks(side) | _build_lines(side)


def _build_tray(ax, side):
    """A tray below the plane, and next to it how many points lie in it."""
    left, right, low, high = LOW[0], HIGH[0], LOW[1] - TRAY, LOW[1]
    ax.plot([left, left, right, right], [high, low, low, high], color=GREY, linewidth=1.2, clip_on=False, zorder=1)
    look = {"mec": "white", "mew": 0.7, "ms": SMALL, "ls": "", "clip_on": False, "animated": True, "zorder": 2.5}
    colours = {-1: plane.pale(BLUE), 1: plane.pale(ORANGE)}
    thrown = {c: ax.plot([], [], MARKERS[c], color=colour, **look)[0] for c, colour in colours.items()}
    empty = ax.text((left + right) / 2, (low + high) / 2, "a point dropped here is thrown away", animated=True)
    empty.set(color=GREY, ha="center", va="center")
    count = side.text(0, HEIGHT - 14 - TRAY * UNIT / 2, "", va="center", animated=True)
    return {"thrown": thrown, "thrown away": count, "empty": empty}


def _build_bar(side):
    """The test error, as a part of what tossing a coin gets wrong, and next to it the least that there can be."""
    side.text(0, 14, "test error")
    side.plot([0, WIDTH], [BAR + 26] * 2, color=GREY, linewidth=0.8)
    side.text(WIDTH, BAR + 44, percent(MOST, 0), ha="right", color=GREY)
    return {
        "side": side,
        "error": side.text(WIDTH, 14, "", ha="right", animated=True),
        "bar": side.add_collection(PolyCollection([], facecolors=GREEN, animated=True)),
        "best": side.plot([], [], "-", color=PURPLE, linewidth=2.5, animated=True, zorder=5)[0],
        "best error": side.text(0, BAR + 44, "", ha="center", color=PURPLE),
    }


def _build_marks(side):
    """What the points look like, and how many of them there are."""
    for row, words in enumerate(MARKS):
        place = LIST + STEP * row
        for x, label, colour in ((8, -1, BLUE), (28, 1, ORANGE)):
            colour = plane.pale(colour) if row == 2 else colour
            side.plot([x], [place], MARKERS[label], color=colour, mec="white", mew=0.7, ms=SMALL)
        if row < 2:
            side.plot([8, 28], [place] * 2, "o", **RING)
        if row == 1:
            side.plot([8, 28], [place] * 2, "o", color=INK, ms=SMALL / 2)
        side.text(44, place, words, va="center")
    places = [LIST + STEP * row for row in range(3)]
    return {"counts": [side.text(WIDTH, at, "", va="center", ha="right", animated=True) for at in places]}


def _build_lines(side):
    """What the lines are; the last two entries are shown where they say something."""
    low = LIST + 3 * STEP + 20
    for x, name, style, width in ((0, "h = 0", "-", 2.2), (110, "h = ±1", "--", 1.3)):
        side.plot([x, x + 34], [low] * 2, style, color=INK, linewidth=width)
        side.text(x + 44, low, name, va="center")
    below = low + STEP
    bayes = side.plot([0, 34], [below] * 2, "--", color=PURPLE, linewidth=1.8)[0]
    yours = side.plot([127], [below], "o", color="white", mec=INK, mew=1.8, ms=10)[0]
    return {
        "bayes": (bayes, side.text(44, below, "Bayes", color=PURPLE, va="center")),
        "yours": (yours, side.text(154, below, "yours", va="center")),
    }


def draw(parts, state):
    parts["note"].set_text("" if state.ready else "add a point of each class")
    best, best_error = state.bayes if state.ready else (None, None)
    known = {"reference": best}
    if state.ready:
        known |= {"support": state.support, "on_margin": state.on_margin, "idle": state.idle}
    H = state.H if state.ready else np.zeros((len(UP), len(ACROSS)))
    plane.draw(parts, ACROSS, UP, H, state.X, state.y, own=state.own, usual=state.usual, **known)
    for label, marks in parts["thrown"].items():
        marks.set_data(*state.thrown[state.thrown_labels == label].T)
    parts["thrown away"].set_text(f"← thrown away: {len(state.thrown)}")
    parts["empty"].set_visible(len(state.thrown) == 0)
    counts = map(len, (state.support, state.on_margin, state.idle)) if state.ready else "–––"
    for text, count in zip(parts["counts"], counts, strict=True):
        text.set_text(f"{count}")
    error = state.test if state.ready else None
    parts["error"].set_text("–" if error is None else percent(error))
    parts["bar"].set_verts([_bar(WIDTH * min((error or 0.0) / MOST, 1))])
    _draw_fixed(parts, best_error, len(state.own) > 0)


def _bar(length):
    return [(0, BAR), (length, BAR), (length, BAR + 26), (0, BAR + 26)]


def _draw_fixed(parts, error, own):
    """What changes with the data alone: the best error there is, and what the legend holds."""
    x = WIDTH * (error or 0.0) / MOST
    parts["best"].set_data(*(([], []) if error is None else ([x, x], [BAR - 4, BAR + 30])))
    if not reframed(parts["side"], error, own):
        return
    for name, shown in (("bayes", error is not None), ("yours", own)):
        for artist in parts[name]:
            artist.set_visible(shown)
    parts["best error"].set(text="" if error is None else f"Bayes {percent(error)}", x=x)


def readout(state):
    return {
        "support vectors": f"{len(state.support)} of {len(state.y)}" if state.ready else None,
        "exactly on the margin": len(state.on_margin) if state.ready else None,
        "training error": percent(state.train) if state.ready else None,
        "test error": percent(state.test) if state.tested else None,
        "thrown away": len(state.thrown),
    }


def code(data, kernel, sigma, degree, C, mine):
    y = [point[2] for point in MINE.present({"data": data, "mine": mine})]
    lines = ["import numpy as np", "from kernelkit import *", "from kernelkit import datasets", ""]
    added = tuple(point for point in mine if len(point) == 3)
    lines += [f"mine = np.array({typed(added)}).reshape(-1, 3)"]
    if data == "mine":
        lines += ["X, y = mine[:, :2], mine[:, 2]"]
    else:
        lines += [f"X, y = datasets.{data}({N})", *_changes(data, mine)]
        lines += ["X, y = np.vstack([X, mine[:, :2]]), np.append(y, mine[:, 2])"]
    if len(set(y)) < 2:
        return "\n".join([*lines, "print('A machine needs points of both classes: add some in the panel.')"])
    lines += [f"svm = KernelSVM({kernel_of(kernel, sigma, degree)!r}, C={C:g}, tol={TOL:g}).fit(X, y)"]
    lines += ["print(len(svm.support_), 'support vectors, training error', 1 - svm.score(X, y))"]
    if data != "mine":
        lines += [f"print('test error', 1 - svm.score(*datasets.{data}({TESTS}, random_state={TEST_STATE})))"]
    return "\n".join(lines)


def _changes(data, mine):
    """The lines that move points of the data, and take some away."""
    changes = [point for point in mine if point[3:4] == (data,)]
    moved = {i: (x, y) for x, y, label, _, i in changes if label}
    gone = [i for *_, label, _, i in changes if not label]
    lines = [f"X[{list(moved)}] = {typed(tuple(moved.values()))}"] if moved else []
    return lines + ([f"X, y = (np.delete(part, {gone}, axis=0) for part in (X, y))"] if gone else [])


def _without_idle(**values):
    """All points but the support vectors are thrown away."""
    state = compute(**values)
    idle = [state.which[i] for i in state.idle] if state.ready else []
    for which in idle:
        index = [point[3:] for point in MINE.present(values)].index(which)
        values = values | {"mine": MINE.thrown(values, index)}
    return {"mine": values["mine"]}


boundary = Explorer(
    title="The boundary: what σ, C and every single point do",
    controls=(
        Choice("data", "data", "mixture", DATA),
        Choice("kernel", "kernel", "gaussian", KERNELS),
        Slider("sigma", "width σ", 0.707946, 10**-1.3, 10.0, 0.05, log=True, when=lambda v: v["kernel"] == "gaussian"),
        Slider("degree", "degree p", 3, 2, 5, 1, when=lambda v: v["kernel"] == "polynomial"),
        Slider("C", "price C", 1.0, 0.01, 1000.0, 0.1, log=True),
        MINE,
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="The plane of x₁ and x₂ has points of two classes, blue dots and orange squares; support vectors have a "
    "ring. Its colour is h: blue below 0, orange above. The solid line is h = 0, the dashed lines are h = ±1. "
    "Next to it are the test error as a bar, and what the marks mean.",
    code=code,
    film=("sigma", "C"),
    scenes={
        "Too small σ": {"sigma": 0.0707946},
        "Too large σ": {"sigma": 10.0},
        "C tiny": {"C": 0.01},
        "C huge": {"C": 1000.0},
        "A line for rings": {"data": "rings", "kernel": "linear"},
        "Cubic moons": {"data": "moons", "kernel": "polynomial"},
        "Only my points": {
            "data": "mine",
            "sigma": 1.0,
            "C": 10.0,
            "mine": ((-0.5, 0.5, -1), (0.5, -0.5, -1), (1.0, 2.0, 1), (2.0, 1.5, 1)),
        },
    },
    question=Question(
        "At C = 1, 133 of the 200 points are support vectors. The price falls to 0.01. How many points are support "
        "vectors then?",
        ("about 20, because mistakes are cheap", "133, as now", "all 200"),
        2,
        "At this price w stays so short that |h| is below 1 at every point. So every point is inside its margin, and "
        "such a point has the full multiplier, α = C. Then h is a vote of 200 equal bumps.",
        "C tiny",
    ),
    tell={"axes": lambda state, x, y: tell_h(ACROSS, UP, state.H, (x, y)) if state.ready else ""},
    act={"Throw away what does not matter": _without_idle},
    motion=True,
    warm=True,
)
