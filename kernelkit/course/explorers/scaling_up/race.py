"""Notebook 18. The race: how near the exact fit each way comes, and how long it takes."""

from dataclasses import replace
from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Landmarks, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import INPUTS, LAM, K, points
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.panel.controls import Choice, Question
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line, Text, powers_of_ten
from kernelkit.course.panel.numbers import duration, read_off
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.study.landmarks import choose

FEATURES = (25, 50, 100, 200, 400)
SIZES = (1000, 2000, 4000)
SETTINGS = [{"n": n} for n in SIZES]  # those whose times are kept with the course: all
WAYS = {
    "pivots": ("pivots", GREEN, "-", "s"),
    "random": ("random landmarks", GREEN, ":", "^"),
    "waves": ("waves", PURPLE, "-", "o"),
    "orthogonal": ("orthogonal waves", PURPLE, ":", "v"),
}
MEASURES = {"gap": "distance from the exact fit", "error": "error on new points"}
FLOOR = 1e-3  # distances below are drawn there


def features(way, X, D):
    if way in ("pivots", "random"):
        return Landmarks(K, choose(K, X, D, way))
    return K.waves(D, INPUTS, 0, orthogonal=way == "orthogonal")


def rms(difference):
    return float(np.sqrt(np.mean(np.square(difference))))


def measure(n, D, error):
    """{way: rows of D, seconds, distance from the exact predictions, error on new points}; the exact fit first."""
    X, y, Z, t = points(n)
    exact, took = _timed(lambda: KernelRidge(K, LAM).fit(X, y).predict(Z))
    found, runs = {"exact": [[n, took, 0.0, rms(exact - t)]]}, [(D, way) for D in FEATURES for way in WAYS]
    yield 1 / (1 + len(runs)), found
    for i, (size, way) in enumerate(runs):
        said, took = _timed(lambda w=way, m=size: PrimalRidge(features(w, X, m), LAM).fit(X, y).predict(Z))
        row = [size, took, rms(said - exact), rms(said - t)]
        found = found | {way: [*found.get(way, []), row]}
        yield (2 + i) / (1 + len(runs)), found


def _timed(action):
    start = perf_counter()
    value = action()
    return value, perf_counter() - start


def compute(n, D, error, measured=None):
    found, whose = shown(measured, "scaling_up.race", n=n)
    rows = {way: np.array(part, float).reshape(-1, 4) for way, part in (found or {}).items()}
    exact, column = rows.pop("exact", np.zeros((0, 4))), 2 if error == "gap" else 3
    at = {way: part[part[:, 0] == D] for way, part in rows.items()}
    named = {f"{MEASURES[error]}, all of K": exact} | {WAYS[way][0]: part for way, part in at.items()}
    return SimpleNamespace(
        whose=whose,
        exact=exact,
        rows=rows,
        at=at,
        column=column,
        read={label: part[0, column] for label, part in named.items() if len(part)},
    )


def picture(s):
    time, height = _time(s), _height(s)
    curves, rings = zip(*(_way(s, way) for way in WAYS), strict=True)
    race = Axes("", time, height, *curves, *rings, *_exact(s, time, height), name="race")
    race += Text(0.01, 0.02, f"measured on {s.whose}" if s.whose else "", GREY, up="bottom", box=GROUND, of="axes")
    return [[race]]


def _time(s):
    """Whole decades around what was measured."""
    rows = np.vstack([s.exact, *s.rows.values()]) if len(s.exact) else np.ones((1, 4))
    left, right = int(np.floor(np.log10(rows[:, 1].min() * 0.9))), int(np.ceil(np.log10(rows[:, 1].max() * 1.1)))
    axis = powers_of_ten("time", 10.0**left, 10.0 ** max(right, left + 2), duration)
    return replace(axis, room=duration(1000.0))


def _height(s):
    if s.error == "gap":
        return powers_of_ten(MEASURES["gap"], FLOOR / 1.3, 5)
    return Axis(MEASURES["error"], 0.3, 3, (0.3, 1, 3), ("0.3", "1", "3"), log=True)


def _way(s, way):
    """The curve of a way, and a ring around the chosen number of features."""
    label, color, style, marker = WAYS[way]
    (x, y), at = (_places(s, part.get(way, np.zeros((0, 4)))) for part in (s.rows, s.at))
    curve = Line(x, y, color, style=style, marker=marker, edge="white", label=label)
    return curve, Dots(*at, "none", size=13, edge=INK, rim=1.6)


def _places(s, rows):
    """Seconds, and distances or errors."""
    return rows[:, 1], np.maximum(rows[:, s.column], FLOOR)


def _exact(s, time, height):
    """When the exact fit is ready, and how wrong it is on new points."""
    if not len(s.exact):
        return None, None, None
    _, took, _, error = s.exact[0]
    level = s.error == "error"
    along = np.log(took / time.low) / np.log(time.high / time.low)
    above_words = height.low * (height.high / height.low) ** 0.09
    return (
        Line(took, (above_words, height.high), width=1.4, style="--"),
        HLine(error, width=1.4, style=":") if level else None,
        Text(along, 0.98, f"all of K{' (dotted: its error)' * level} ", INK, side="right", up="top", of="axes"),
    )


def readout(state):
    return {label: read_off(number) for label, number in state.read.items()}


def _tell(state, x, y):
    places = [(way, row) for way, rows in state.rows.items() for row in rows]
    if not places:
        return ""
    way, row = min(places, key=lambda p: np.hypot(np.log(p[1][1] / x), np.log(max(p[1][state.column], FLOOR) / y)))
    return f"{WAYS[way][0]}, D = {row[0]:.0f}: {duration(row[1])}"


def code(n, D, error):
    return (
        "from time import perf_counter\nfrom kernelkit import KernelRidge, PrimalRidge\n"
        "from kernelkit.course.explorers.scaling_up.race import WAYS, features, rms\n"
        "from kernelkit.course.explorers.data.five_inputs import K, LAM, points\n\n"
        f"X, y, Z, t = points({n})\nexact = KernelRidge(K, LAM).fit(X, y).predict(Z)\n"
        "for way in WAYS:\n    start = perf_counter()\n"
        f"    said = PrimalRidge(features(way, X, {D}), LAM).fit(X, y).predict(Z)\n"
        "    print(way, rms(said - exact), rms(said - t), perf_counter() - start, 'seconds')"
    )


race = panel(
    compute,
    picture,
    readout,
    code,
    Choice("n", "points n", 1000, SIZES),
    Choice("D", "features D", 100, FEATURES),
    Choice("error", "upwards", "gap", {"from the exact fit": "gap", "error, new points": "error"}),
    title="The race: nearness against time",
    shows="How far the predictions are from the exact fit, or how wrong they are on new points, over the time that a "
    "fit takes, both on scales of powers of ten. Green is for landmarks, solid for pivots and dotted for random "
    "ones; purple is for waves, solid for plain and dotted for orthogonal ones. Rings mark the chosen number of "
    "features, and a dashed line the time of all of K.",
    measure=measure,
    tell={"race": _tell},
    scenes={
        "Four times the points": {"n": 4000},
        "Error on new points": {"error": "error"},
        "400 features": {"D": 400},
        "Error on new points, n = 4000": {"n": 4000, "error": "error"},
    },
    question=Question(
        "100 landmarks by pivots differ from the exact fit by 0.3. How near do they come with four times the points?",
        ("nearer: more points, a better fit", "as near: there are as many features", "less near"),
        2,
        "With more points the penalty counts for less, so the exact fit follows finer details, which 100 landmarks "
        "cannot. To stay as near, D has to grow with n. The dashed line, the time of the exact fit, moves far to the "
        "right, because filling K takes 16 times as long and solving with it up to 64 times.",
        scene="Four times the points",
    ),
)
