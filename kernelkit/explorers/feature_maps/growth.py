"""Notebook 01. How fast the features multiply."""

from math import comb
from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, OrderedMonomials
from kernelkit.features.base import MAX_BYTES
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import GREEN, GREY, ORANGE

INPUTS = np.unique(np.geomspace(1, 10_000, 60).round().astype(int))
COUNTS = {
    "all": (lambda d, p: f"C({d + p}, {p})", lambda d, p: comb(d + p, p), Monomials),
    "exact": (lambda d, p: f"C({d + p - 1}, {p})", lambda d, p: comb(d + p - 1, p), lambda p: Monomials(p, offset=0)),
    "ordered": (lambda d, p: f"{d:,}{'⁰¹²³⁴⁵⁶'[p]}", lambda d, p: d**p, OrderedMonomials),
}
TIMED_POINTS = 20


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
    sizes = _timed_inputs(count, p)
    return SimpleNamespace(
        d=d, p=p, n=n, formula=formula(d, p), D=features(d, p), bytes=8 * n * features(d, p), limit=MAX_BYTES / (8 * n),
        curves=[[float(features(int(i), q)) for i in INPUTS] for q in range(1, p + 1)],
        sizes=sizes, cells=[TIMED_POINTS * features(i, p) for i in sizes], seconds=measured or [],
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.09, 0.14, 0.45, 0.74), xscale="log", yscale="log", xlim=(1, 1e4))
    ax.set(xlabel="inputs $d$", title="features $D$")
    lines = [ax.plot([], [], color=GREY, linewidth=1.2, animated=True)[0] for _ in range(6)]
    ends = [ax.text(1.5e4, 1, "", color=GREY, va="center", animated=True) for _ in range(6)]
    limit = ax.axhline(1, color=ORANGE, linestyle=":", animated=True)
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1}
    note = ax.text(1.15, 1, "", color=ORANGE, va="bottom", animated=True, bbox=paper, zorder=4)
    dot = ax.plot([], [], "o", color=GREEN, ms=9, animated=True, clip_on=False, zorder=5)[0]
    clock = figure.add_axes((0.725, 0.14, 0.255, 0.74), xscale="log", yscale="log")
    clock.set(xlabel="inputs $d$", title="time for $\\Phi$, relative")
    predicted = clock.plot([], [], "--", color=GREY, animated=True)[0]
    measured = clock.plot([], [], "o", color=GREEN, ms=8, animated=True)[0]
    words = clock.text(0.05, 0.95, "", transform=clock.transAxes, va="top", animated=True)
    return {
        "axes": ax, "lines": lines, "ends": ends, "limit": limit, "note": note, "dot": dot, "clock": clock,
        "predicted": predicted, "measured": measured, "words": words,
    }  # fmt: skip


def draw(parts, state):
    for q, (line, end) in enumerate(zip(parts["lines"], parts["ends"], strict=True), 1):
        chosen, shown = q == state.p, q <= state.p
        line.set_data(INPUTS if shown else [], state.curves[q - 1] if shown else [])
        line.set(color=GREEN if chosen else GREY, linewidth=2.8 if chosen else 1.2)
        end.set(text=f"p = {q}" if shown else "", color=GREEN if chosen else GREY)
        end.set_y(state.curves[q - 1][-1] if shown else 1)
    parts["dot"].set_data([state.d], [state.D])
    parts["limit"].set_ydata([state.limit] * 2)
    above = 10.0 ** (0.015 * _decades(state.p))
    parts["note"].set(text=f"{MAX_BYTES / 1e9:.1f} GB, n = {state.n:,}", y=state.limit * above)
    parts["predicted"].set_data(state.sizes, np.array(state.cells) / state.cells[0])
    timed = state.sizes[: len(state.seconds)]
    rate = np.array(state.seconds) / state.cells[: len(timed)]  # in units of the median time for one feature
    parts["measured"].set_data(timed, np.array(state.seconds) / np.median(rate) / state.cells[0] if timed else [])
    parts["words"].set_text("dashed: predicted\ndots: measured" if timed else "dashed: predicted")
    return _frame(parts["axes"], parts["clock"], state)


def _decades(p):
    """How far up the axis of D goes, in a few steps so that it seldom moves."""
    return 10 if p < 3 else 16 if p < 5 else 24


def _frame(ax, clock, state):
    top = _decades(state.p)
    span = (state.sizes[0], state.sizes[-1])
    if getattr(ax, "fixed", None) != (top, span):
        ax.fixed = (top, span)
        ax.set(ylim=(1, 10.0**top))
        ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", "10,000"])
        powers = range(0, top + 1, 2 if top < 16 else 4)
        ax.set_yticks([10.0**k for k in powers], ["10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in str(k)) for k in powers])
        ax.minorticks_off()
        clock.set(xlim=(0.8 * span[0], 1.25 * span[1]), ylim=(0.3, 400))
        clock.set_xticks(span, [str(s) for s in span])
        clock.set_yticks([1, 10, 100], ["1", "10", "100"])
        clock.minorticks_off()
    return top, span


def describe(state):
    fits = "more than kernelkit allows" if state.bytes > MAX_BYTES else "which kernelkit allows"
    text = (
        f"d = {state.d:,}, p = {state.p}: D = {state.formula} = {_large(state.D)} features; {state.n:,} points need "
        f"{_size(state.bytes)}, {fits}."
    )
    if not state.seconds:
        return text
    rate = state.seconds[-1] / state.cells[len(state.seconds) - 1]
    more, longer = state.cells[len(state.seconds) - 1] / state.cells[0], state.seconds[-1] / state.seconds[0]
    return text + (
        f" Measured here, for {TIMED_POINTS} points: {more:,.0f} times the features took {longer:,.0f} times as long; "
        f"at this rate Φ for {state.n:,} points would take {_time(rate * state.n * state.D)}."
    )


def _large(value):
    return f"{value:,}" if value < 10**12 else f"{float(value):.2e}"


def _size(count):
    for unit, size in (("bytes", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)):
        if count < 1000 * size or unit == "TB":
            return f"{count / size:,.3g} {unit}" if count < 1000 * size else f"{count / size:.1e} {unit}"
    return ""


def _time(seconds):
    if seconds < 1:
        return f"{1000 * seconds:.2g} ms"
    return f"{seconds:,.0f} s" if seconds < 1e4 else f"{seconds / 86400:,.1f} days"


def code(d, p, n, count):
    d, n, phi = round(d), round(n), COUNTS[count][2](p)
    return (
        f"from kernelkit import *\n\nphi = {phi!r}\nD = phi.dim({d})\n"
        f"print(f\"{{D:,}} features, {{8 * {n} * D / 1e9:,.3f}} GB for {n:,} points\")"
    )


growth = Explorer(
    title="How fast the features multiply",
    controls=(
        Slider("d", "inputs d", 100.0, 1.0, 10_000.0, 0.05, log=True),
        Slider("p", "degree p", 2, 1, 6, 1),
        Slider("n", "points n", 1000.0, 1.0, 1_000_000.0, 0.25, log=True),
        Choice("count", "features", "all", {
            "to degree p": "all", "exactly degree p": "exact", "ordered products": "ordered",
        }),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    measure=measure,
    scenes={
        "Lecture A": {"d": 100.0, "p": 4},
        "Lecture D": {"d": 10_000.0, "p": 2, "count": "ordered"},
        "Lecture E": {"d": 4.0, "p": 3},
        "A thousand pixels": {"d": 1000.0, "p": 3, "n": 10_000.0},
    },
    question=Question(
        "At degree 2 the allowed memory holds Φ for 1000 points of d = 1034 inputs. How many inputs at degree 4?",
        ("about 500", "about 250", "about 60"),
        2,
        "It holds some 537 000 features a point. D ≈ d²/2 reaches that near d = 1034, but D ≈ d⁴/24 near the fourth "
        "root of 24 · 537 000, which is 60; exactly, d = 57 is the last that fits.",
    ),
)  # fmt: skip
