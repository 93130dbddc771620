"""Notebook 18. The race: how near the exact fit each way comes, and how long it takes."""

from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Landmarks, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import INPUTS, LAM, K, points
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.panel.controls import Choice, Question
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import duration, listed, read_off
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
NEAREST = {
    "pivots": "Pivots, each chosen by what the earlier ones leave out, come nearest",
    "random": "Random landmarks, which lie where the data are dense, come nearest",
    "waves": "Waves come nearest, although they do not see the data",
    "orthogonal": "Orthogonal waves come nearest, although they do not see the data",
}
FLOOR = 1e-3  # distances below are drawn there
NEARLY = 0.02  # of the exact fit's error


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
    return SimpleNamespace(
        n=n,
        D=D,
        error=error,
        whose=whose,
        own=measured is not None,
        exact=rows.pop("exact", np.zeros((0, 4))),
        rows=rows,
        at={way: part[part[:, 0] == D] for way, part in rows.items()},
        column=2 if error == "gap" else 3,
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
        ax.set_ylabel("distance from the exact fit" if state.error == "gap" else "error on new points")


def describe(state):
    if not len(state.exact):
        return f"n = {state.n}: the button measures all ways, each with {FEATURES[0]} to {FEATURES[-1]} features."
    name = "differ from the exact ones" if state.error == "gap" else "err on new points"
    said = [f"{read_off(row[0, state.column])} ({WAYS[way][0]})" for way, row in state.at.items() if len(row)]
    text = f"With n = {state.n} points and {state.D} features (○) the predictions {name}"
    text += f" by {', '.join(said)}." if said else ", but by how much is not measured yet."
    if len(said) == len(WAYS):
        text += _follows(state)
    if state.own and all(len(state.at.get(way, ())) for way in ("pivots", "waves")):
        times = [duration(part[0, 1]) for part in (state.exact, state.at["pivots"], state.at["waves"])]
        text += f" All of K took {times[0]}, pivots {times[1]}, waves {times[2]}."
    return text


def _follows(state):
    """Which way comes nearest, or how all of them do next to the exact fit, by the errors as they are written."""
    errors = {way: float(read_off(row[0, state.column])) for way, row in state.at.items()}
    if state.error == "error":
        exact = read_off(state.exact[0, 3])
        near = [WAYS[way][0] for way, error in errors.items() if error <= (1 + NEARLY) * float(exact)]
        enough = f"nearly enough for {listed(near)} only" if near else "too few"
        return f" The error of the exact fit, from all of K, is {exact}, so these features are {enough}."
    return f" {NEAREST[min(errors, key=errors.get)]}."


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
    describe=describe,
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
