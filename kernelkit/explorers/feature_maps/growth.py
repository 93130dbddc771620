"""Notebook 01. How fast the features multiply."""

from bisect import bisect_right
from math import comb
from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, OrderedMonomials
from kernelkit.explorers.shared.measured import shown
from kernelkit.features.base import MAX_BYTES
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import duration, short, tens, thousands
from kernelkit.panel.parts import reframed
from kernelkit.plots import GREEN, GREY, INK, PURPLE

INPUTS = np.unique(np.geomspace(1, 10_000, 60).round().astype(int))
COUNTS = {
    "all": (lambda d, p: f"C({thousands(d + p)}, {p})", lambda d, p: comb(d + p, p), Monomials),
    "exact": (
        lambda d, p: f"C({thousands(d + p - 1)}, {p})",
        lambda d, p: comb(d + p - 1, p),
        lambda p: Monomials(p, offset=0),
    ),
    "ordered": (lambda d, p: f"{thousands(d)}{'⁰¹²³⁴⁵⁶'[p]}", lambda d, p: d**p, OrderedMonomials),
}
UNITS = (("bytes", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("PB", 1e15))
TIMED_POINTS = 5  # few, so that no array leaves the processor's cache
SETTINGS = [{"p": p, "count": count} for p in range(1, 7) for count in COUNTS]  # whose times are kept: all


def _timed_inputs(count, p):
    """About eight d for which Φ is neither too small nor too large to time."""
    features = COUNTS[count][1]
    wanted = np.geomspace(1000, 100_000, 8)
    first = [next(d for d in range(1, 10**6) if features(d, p) >= D) for D in wanted] if p > 1 else wanted.round()
    return sorted({int(d) for d in first})


def measure(d, p, n, count):
    phi, sizes, seconds = COUNTS[count][2](p), _timed_inputs(count, p), []
    for i, size in enumerate(sizes, 1):
        X = np.random.default_rng(0).standard_normal((TIMED_POINTS, size))
        runs = []
        for _ in range(5):
            start = perf_counter()
            phi(X)
            runs.append(perf_counter() - start)
        seconds.append(min(runs))
        yield i / len(sizes), list(seconds)


def compute(d, p, n, count, measured=None):
    d, n = round(d), round(n)
    formula, features, _ = COUNTS[count]
    sizes = [TIMED_POINTS * features(i, p) for i in _timed_inputs(count, p)]
    seconds, whose = shown(measured, "feature_maps.growth", p=p, count=count)
    limit = MAX_BYTES // (8 * n)
    return SimpleNamespace(
        d=d,
        p=p,
        n=n,
        formula=formula(d, p),
        features=features,
        D=features(d, p),
        bytes=8 * n * features(d, p),
        limit=limit,
        most=bisect_right(range(1, limit + 1), limit, key=lambda i: features(i, p)),
        curves=[[float(features(int(i), q)) for i in INPUTS] for q in range(1, p + 1)],
        cells=np.array(sizes[: len(seconds)], float),
        seconds=np.array(seconds),
        whose=whose,
        own=measured is not None,
    )


def build(figure):
    ax = figure.add_axes((0.08, 0.135, 0.47, 0.765), xscale="log", yscale="log", xlim=(1, 1e4))
    ax.set_xlabel("inputs $d$", labelpad=1)
    ax.set_title("features $D$ of one point")
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", thousands(10_000)])
    return {"axes": ax, **_build_lines(ax), **_build_times(figure)}


def _build_lines(ax):
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    return {
        "lines": [ax.plot([], [], animated=True)[0] for _ in range(6)],
        "ends": [ax.text(1.35e4, 1, "", va="center", animated=True) for _ in range(6)],
        "limit": ax.axhspan(1, 2, color=PURPLE, alpha=0.1, linewidth=0, animated=True),
        "edge": ax.axhline(1, color=PURPLE, linewidth=1.5, animated=True),
        "note": ax.text(0.02, 0.97, "", color=PURPLE, va="top", transform=ax.transAxes, animated=True),
        "drop": ax.plot([], [], ":", color=PURPLE, linewidth=1.5, animated=True)[0],
        "most": ax.text(1, 1, "", color=PURPLE, va="top", animated=True, bbox=paper, zorder=4),
        "dot": ax.plot([], [], "o", color=GREEN, ms=10, mec="white", animated=True, clip_on=False, zorder=5)[0],
    }


def _build_times(figure):
    ax = figure.add_axes((0.735, 0.135, 0.235, 0.765), xscale="log", yscale="log", xlim=(600, 2.2e5), ylim=(3e-6, 5))
    ax.set_title(f"time of Φ for {TIMED_POINTS} points")
    ax.set_xlabel("features $D$", labelpad=1)
    ax.set_xticks([1000, 10_000, 100_000], ["1000", thousands(10_000), thousands(100_000)])
    ticks = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1]
    ax.set_yticks(ticks, map(duration, ticks))
    ax.minorticks_off()
    return {
        "times": ax,
        "predicted": ax.plot([], [], "--", color=GREY, animated=True)[0],
        "measured": ax.plot([], [], "o", color=INK, ms=7, mec="white", animated=True)[0],
        "whose": ax.text(0.05, 0.97, "", color=GREY, transform=ax.transAxes, va="top", animated=True),
    }


def draw(parts, state):
    for q, (line, end) in enumerate(zip(parts["lines"], parts["ends"], strict=True), 1):
        colour, shown = GREEN if q == state.p else GREY, q <= state.p
        line.set(data=(INPUTS, state.curves[q - 1]) if shown else ([], []), color=colour)
        line.set_linewidth(2.8 if q == state.p else 1.2)
        end.set(text=f"$p = {q}$" if shown else "", color=colour, y=state.curves[q - 1][-1] if shown else 1)
    parts["dot"].set_data([state.d], [state.D])
    _draw_limit(parts, state)
    _draw_times(parts, state)
    _frame(parts["axes"], state)


def _draw_limit(parts, state):
    """The memory that is allowed, and the largest d within it at this degree."""
    top = _decades(state.p)
    parts["limit"].set(y=state.limit, height=10.0**top - state.limit)
    parts["edge"].set_ydata([state.limit] * 2)
    parts["note"].set_text(f"more than {short(MAX_BYTES / 1e9, 2)} GB\nfor n = {thousands(state.n)}")
    inside = state.most <= INPUTS[-1]
    parts["drop"].set_data([state.most] * 2 if inside else [], [1, state.limit] if inside else [])
    parts["most"].set(text=f"d = {thousands(state.most)}" if inside else "", x=state.most * 1.1)
    parts["most"].set_y(10 ** (top / 12))


def _draw_times(parts, state):
    D = state.cells / TIMED_POINTS
    parts["measured"].set_data(D, state.seconds)
    rate = np.median(state.seconds / D) if len(D) else np.nan
    parts["predicted"].set_data([500, 3e5], [500 * rate, 3e5 * rate])
    whose = state.whose.replace(", ", ",\n")  # the machine, the day
    parts["whose"].set_text(f"measured on\n{whose};\ndashed: twice $D$,\ntwice the time")


def _decades(p):
    """How far up the axis of D goes, in a few steps so that it seldom moves."""
    return 10 if p < 3 else 16 if p < 5 else 24


def _frame(ax, state):
    top = _decades(state.p)
    if reframed(ax, top):
        ax.set(ylim=(1, 10.0**top))
        powers = range(0, top + 1, 2 if top < 16 else 4)
        ax.set_yticks([10.0**k for k in powers], [short(10.0**k) if k < 4 else tens(k) for k in powers])
        ax.minorticks_off()


def describe(state):
    fits = "more than kernelkit allows" if state.bytes > MAX_BYTES else "which kernelkit allows"
    text = (
        f"d = {thousands(state.d)}, p = {state.p}: D = {state.formula} = {_large(state.D)} features; "
        f"{thousands(state.n)} points need {_size(state.bytes)}, {fits}."
    )
    if not state.own:
        return text
    more, longer = state.cells[-1] / state.cells[0], state.seconds[-1] / state.seconds[0]
    rate = state.seconds[-1] / state.cells[-1]
    return text + (
        f" Measured here, for {TIMED_POINTS} points: {short(more, 2)} times the features took {short(longer, 2)} times "
        f"as long; at this rate Φ for {thousands(state.n)} points would take {duration(rate * state.n * state.D)}."
    )


def _large(value):
    return thousands(value) if value < 10**12 else short(value)


def _size(count):
    unit, size = next((u for u in UNITS if count < 999.5 * u[1]), UNITS[-1])
    return f"{short(count / size)} {unit}"


def _tell_features(state, x, y):
    d = max(round(x), 1)
    return f"d = {thousands(d)}, p = {state.p}: D = {_large(state.features(d, state.p))}"


def _tell_time(state, x, y):
    if not len(state.seconds):
        return ""
    i = int(np.abs(np.log(state.cells / TIMED_POINTS / x)).argmin())
    return f"D = {thousands(round(state.cells[i]) // TIMED_POINTS)}: {duration(state.seconds[i])}"


def code(d, p, n, count):
    d, n, phi = round(d), round(n), COUNTS[count][2](p)
    return (
        f"from kernelkit import *\n\nphi = {phi!r}\nD = phi.dim({d})\n"
        f'print(f"{{D}} features, {{8 * {n} * D / 1e9:.3f}} GB for {n} points")'
    )


growth = Explorer(
    title="How fast the features multiply",
    controls=(
        Slider("d", "inputs d", 100.0, 1.0, 10_000.0, 0.05, log=True, counts=True),
        Slider("p", "degree p", 2, 1, 6, 1),
        Slider("n", "points n", 1000.0, 1.0, 1_000_000.0, 0.25, log=True, counts=True),
        Choice(
            "count",
            "features",
            "all",
            {
                "to degree p": "all",
                "exactly degree p": "exact",
                "ordered products": "ordered",
            },
        ),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    measure=measure,
    scenes={
        "100 inputs, degree 3": {"d": 100.0, "p": 3},
        "100 inputs, degree 4": {"d": 100.0, "p": 4},
        "10 000 inputs, in pairs": {"d": 10_000.0, "p": 2, "count": "ordered"},
        "4 inputs, degree 3": {"d": 4.0, "p": 3},
        "1000 pixels": {"d": 1000.0, "p": 3, "n": 10_000.0},
    },
    question=Question(
        "At degree 2 the memory allowed holds Φ for 1000 points of d = 1034 inputs. How many inputs may they have at "
        "degree 3?",
        ("about 700", "about 350", "about 150"),
        2,
        "The purple line of the memory is at some 537\u00a0000 features a point. D ≈ d²/2 reaches it near d = 1034, "
        "but D ≈ d³/6 near the cube root of 6 · 537\u00a0000, which is 148; exactly, d = 145 is the last that fits.",
        scene="100 inputs, degree 3",
    ),
    tell={"axes": _tell_features, "times": _tell_time},
)
