"""Notebook 18. The race: how near the exact fit each way comes, and how long it takes."""

from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Landmarks, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import INPUTS, LAM, K, points
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.panel.controls import Choice, Question
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import duration, read_off
from kernelkit.course.panel.parts import GROUND, curves, powers_of_ten, reframed
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
        error=error,
        whose=whose,
        exact=exact,
        rows=rows,
        at=at,
        column=column,
        read={label: part[0, column] for label, part in named.items() if len(part)},
    )


def build(figure):
    axes = figure.subplot_mosaic([["race"]])
    ax = axes["race"]
    ax.set(xlabel="time", ylabel="error on new points")
    powers_of_ten(ax, "x", 1e-3, 1e3, duration)
    powers_of_ten(ax, "y", FLOOR, 5)
    looks = [
        {"color": colour, "linestyle": dash, "marker": mark, "ms": 6, "mec": "white"}
        for _, colour, dash, mark in WAYS.values()
    ]
    lines = curves(ax, {name: look for (name, *_), look in zip(WAYS.values(), looks, strict=True)})
    look = {"animated": True}
    return axes | {
        "lines": dict(zip(WAYS, lines.values(), strict=True)),
        "here": [ax.plot([], [], "o", mfc="none", mec=INK, ms=13, mew=1.6, **look)[0] for _ in WAYS],
        "when": ax.axvline(1, ymin=0.09, color=INK, lw=1.4, ls="--", **look),
        "level": ax.axhline(1, color=INK, lw=1.4, ls=":", **look),
        "name": ax.text(1, 0.98, "", color=INK, ha="right", va="top", transform=ax.get_xaxis_transform(), **look),
        "whose": ax.text(0.01, 0.02, "", color=GREY, va="bottom", bbox=GROUND, transform=ax.transAxes, **look),
    }


def draw(parts, state):
    for (way, line), ring in zip(parts["lines"].items(), parts["here"], strict=True):
        rows, at = (part.get(way, np.zeros((0, 4))) for part in (state.rows, state.at))
        line.set_data(rows[:, 1], np.maximum(rows[:, state.column], FLOOR))
        ring.set_data(at[:, 1], np.maximum(at[:, state.column], FLOOR))
    ready = len(state.exact) > 0
    _, took, _, error = state.exact[0] if ready else (0, 1, 0, 1)
    parts["when"].set(xdata=[took, took], visible=ready)
    level = ready and state.error == "error"
    parts["level"].set(ydata=[error, error], visible=level)
    parts["name"].set(x=took, text=f"all of K{' (dotted: its error)' * level} ", visible=ready)
    parts["whose"].set_text(f"measured on {state.whose}" if state.whose else "")
    _frame(parts["race"], state)


def _frame(ax, state):
    """Limits in whole decades around what was measured."""
    rows = np.vstack([state.exact, *state.rows.values()]) if len(state.exact) else np.ones((1, 4))
    left, right = int(np.floor(np.log10(rows[:, 1].min() * 0.9))), int(np.ceil(np.log10(rows[:, 1].max() * 1.1)))
    right = max(right, left + 2)
    if reframed(ax, state.error, left, right):
        powers_of_ten(ax, "x", 10.0**left, 10.0**right, duration)
        if state.error == "gap":
            powers_of_ten(ax, "y", FLOOR / 1.3, 5)
        else:
            ax.set(yscale="log", ylim=(0.3, 3))
            ax.set_yticks([0.3, 1, 3], ["0.3", "1", "3"])
            ax.minorticks_off()
        ax.set_ylabel(MEASURES[state.error])


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


race = Explorer(
    title="The race: nearness against time",
    controls=(
        Choice("n", "points n", 1000, SIZES),
        Choice("D", "features D", 100, FEATURES),
        Choice("error", "upwards", "gap", {"from the exact fit": "gap", "error, new points": "error"}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="How far the predictions are from the exact fit, or how wrong they are on new points, over the time that a "
    "fit takes, both on scales of powers of ten. Green is for landmarks, solid for pivots and dotted for random "
    "ones; purple is for waves, solid for plain and dotted for orthogonal ones. Rings mark the chosen number of "
    "features, and a dashed line the time of all of K.",
    code=code,
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
