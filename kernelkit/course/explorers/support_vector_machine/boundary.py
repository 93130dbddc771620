"""Notebook 07. The boundary: what σ, C and every single point do."""

from functools import cache
from types import SimpleNamespace

import numpy as np

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
from kernelkit.course.explorers.drawing.boundary import COLOURS, PALES, decision_on_grid, no_sides, points, sides
from kernelkit.course.explorers.drawing.machines import TOL, machine, on_margin, tell_h
from kernelkit.course.panel.controls import Choice, Question, Samples, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Line, Live, Text
from kernelkit.course.panel.numbers import percent, typed
from kernelkit.course.plots import DPI, GREEN, GREY, INK, MARKERS, PURPLE

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


def _rows(present):
    """Places, labels and names of points that the control says."""
    X, y = np.array([point[:2] for point in present]).reshape(-1, 2), np.array([float(point[2]) for point in present])
    return X, y, [point[3:] for point in present]


def compute(data, kernel, sigma, degree, C, mine, before=None):
    values = {"data": data, "mine": mine}
    present = MINE.present(values)
    X, y, which = _rows([point for point in present if point[2]])
    thrown, _, those = _rows([point for point in present if not point[2]])
    state = SimpleNamespace(
        X=X,
        y=y,
        which=which,
        thrown=thrown,
        thrown_labels=np.array([MINE.label_of(values, *which) for which in those]),
        usual=_given(values)[1] if data != "mine" else X,
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
        _learn(state, data, machine(kernel_of(kernel, sigma, degree), C, state.X, state.y, start))
    return state


def _learn(state, data, model):
    state.ready, state.a = True, model.a_
    state.H = decision_on_grid(model, ACROSS, UP)
    state.support, state.on_margin = model.support_, on_margin(model)
    state.idle = np.setdiff1d(np.arange(len(state.y)), model.support_)
    state.train = wrong(model.decision_function(state.X), state.y)
    Z, t = (None, None) if data == "mine" else fresh(data)
    state.tested = Z is not None
    state.test = wrong(model.decision_function(Z), t) if state.tested else None


MOST = 0.5  # the error at the right end of the bar
UNIT = 50  # pixels
SMALL = 5  # a point, so that two hundred of them leave the lines to be seen
RING = 7.5, 0.7  # size and width of the ring around a support vector, as small
WIDTH, HEIGHT = 300, 360  # of the column on the right, in pixels
BAR, LIST, STEP = 34, 118, 32  # where the bar is, where the list of marks begins, and its rows
LONG, DEEP = (HIGH[0] - LOW[0]) * UNIT, TRAY * UNIT
MIDDLE = (LOW[0] + HIGH[0]) / 2, (LOW[1] + HIGH[1]) / 2
EMPTY = Live("a point dropped here is thrown away", "a point dropped here is thrown away")
WORDS = ("support vectors", "of them exactly on the margin", "pale: nothing depends on them")


def picture(s):
    plane = Axes(
        "",
        Axis("", LOW[0], HIGH[0], range(-2, 4)),
        Axis("$x_2$", LOW[1], HIGH[1], range(-2, 5)),
        *_tray(s),
        name="axes",
        place=(0.055, (DEEP + 26) / 380, LONG / 700, LONG / 380),
        frame=True,
        dress=_dress,
    )
    if s.ready:
        plane += sides(ACROSS, UP, s.H, s.usual, s.bayes[0])
        plane += points(s.X, s.y, s.support, s.on_margin, s.idle, s.own, SMALL, ring=RING, dot=SMALL / 2)
    else:
        plane += [*no_sides(), *points(s.X, s.y, own=s.own, size=SMALL)]
        plane += Text(*MIDDLE, "add a point of each class", side="center", size=14)
    beside = Axes(
        "",
        Axis("", 0, WIDTH, ()),
        Axis("", HEIGHT, 0, ()),
        *_legend(s.ready and s.bayes[1] is not None, len(s.own) > 0),
        *_numbers(s, s.bayes[1] if s.ready else None),
        place=(0.56, 0.03, WIDTH / 700, HEIGHT / 380),
        bare=True,
    )
    return [[plane, beside]]


def _dress(ax):
    """The tray below the frame, and the numbers of the x-axis below the tray."""
    if not ax.lines:  # it is drawn once
        (left, high), right, low = LOW, HIGH[0], LOW[1] - TRAY
        tray = [left, left, right, right], [high, low, low, high]
        ax.plot(*tray, color=GREY, linewidth=1.2, clip_on=False, zorder=1)
    ax.tick_params(axis="x", length=0, pad=(DEEP + 4) * 72 / DPI)
    ax.set_ylabel("$x_2$", y=0.92, labelpad=-5, rotation=0, va="center")


def _tray(s):
    """The points that are thrown away, in the tray below the plane."""
    middle = (LOW[0] + HIGH[0]) / 2, LOW[1] - TRAY / 2
    return [
        *(Dots(*s.thrown[s.thrown_labels == c].T, PALES[c], marker=MARKERS[c], size=SMALL, clip=False) for c in PALES),
        None if len(s.thrown) else Text(*middle, EMPTY, GREY, side="center", up="center"),
    ]


def _numbers(s, least):
    """The test error as a part of what tossing a coin gets wrong, the least that there can be, and how many points."""
    error, x = s.test if s.ready else None, WIDTH * (least or 0.0) / MOST
    counts = map(len, (s.support, s.on_margin, s.idle)) if s.ready else "–––"
    return [
        Line([0, WIDTH], BAR + 26, GREY, width=0.8),
        Bars(BAR + 13, WIDTH * min((error or 0.0) / MOST, 1), GREEN, lying=True, width=26),
        None if least is None else Line(x, [BAR - 4, BAR + 30], PURPLE, width=2.5, name="bayes"),
        None if least is None else Text(x, BAR + 44, f"Bayes {percent(least)}", PURPLE, side="center", name="bayes"),
        Text(WIDTH, 14, "–" if error is None else percent(error), side="right"),
        *(Text(WIDTH, LIST + STEP * i, f"{count}", side="right", up="center") for i, count in enumerate(counts)),
        Text(0, HEIGHT - 14 - TRAY * UNIT / 2, f"← thrown away: {len(s.thrown)}", up="center"),
    ]


@cache
def _legend(bayes, own):
    """What points and lines look like; the last two are there where they say something."""
    rows = [LIST + STEP * row for row in range(3)]
    low = rows[2] + STEP + 20
    below = low + STEP
    looks = [(x, c, row, PALES[c] if row == rows[2] else COLOURS[c]) for row in rows for x, c in ((8, -1), (28, 1))]
    return [
        Text(-20, HEIGHT - 4, "$x_1$", side="center", up="center"),
        Text(0, 14, "test error"),
        Text(WIDTH, BAR + 44, percent(MOST, 0), GREY, side="right"),
        *(Dots(x, row, colour, marker=MARKERS[c], size=SMALL) for x, c, row, colour in looks),
        Dots([8, 28, 8, 28], np.repeat(rows[:2], 2), "none", size=RING[0], edge=INK, rim=RING[1]),
        Dots([8, 28], rows[1], INK, size=SMALL / 2, edge=INK, rim=1.0),
        *(Text(44, row, words, up="center") for row, words in zip(rows, WORDS, strict=True)),
        Line([0, 34], low, width=2.2),
        Text(44, low, "h = 0", up="center"),
        Line([110, 144], low, width=1.3, style="--"),
        Text(154, low, "h = ±1", up="center"),
        Line([0, 34], below, PURPLE, width=1.8, style="--", name="bayes") if bayes else None,
        Text(44, below, "Bayes", PURPLE, up="center", name="bayes") if bayes else None,
        Dots(127, below, "white", size=10, edge=INK, rim=1.8, name="yours") if own else None,
        Text(154, below, "yours", up="center", name="yours") if own else None,
    ]


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


boundary = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "mixture", DATA),
    Choice("kernel", "kernel", "gaussian", KERNELS),
    Slider("sigma", "width σ", 0.707946, 10**-1.3, 10.0, 0.05, log=True, when=lambda v: v["kernel"] == "gaussian"),
    Slider("degree", "degree p", 3, 2, 5, 1, when=lambda v: v["kernel"] == "polynomial"),
    Slider("C", "price C", 1.0, 0.01, 1000.0, 0.1, log=True),
    MINE,
    title="The boundary: what σ, C and every single point do",
    shows="The plane of x₁ and x₂ has points of two classes, blue dots and orange squares; support vectors have a "
    "ring. Its colour is h: blue below 0, orange above. The solid line is h = 0, the dashed lines are h = ±1. "
    "Next to it are the test error as a bar, and what the marks mean.",
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
