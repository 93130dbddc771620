"""Notebook 01. How fast the features multiply."""

from bisect import bisect_right
from math import comb, log10, sqrt
from time import perf_counter
from types import SimpleNamespace

import numpy as np
from matplotlib.patheffects import withStroke

from kernelkit import Monomials, OrderedMonomials
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.dots import (
    LEAST_DOT,
    LEAST_SQUARE,
    Card,
    feature_names,
    number_in_shells,
    scale,
    shells,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import duration, short, tens, thousands
from kernelkit.course.panel.parts import GROUND, reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.features.base import MAX_BYTES

D_SLIDER = Slider("d", "inputs d", 100.0, 1.0, 10_000.0, 0.05, log=True, counts=True)
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
WHICH = {
    "all": "up to degree {}".format,
    "exact": "of degree {} exactly".format,
    "ordered": "of degree {}, in each order".format,
}
HALO = [withStroke(linewidth=4, foreground="white")]  # of the bracket around what the memory holds
SMALL = 12  # pixels: a smaller bracket has no room for it
SIDE = 300  # pixels of the card
COLOURS = (GREEN, INK, GREY)  # what degree p adds, what degree p − 1 has added, all before
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
    formula, features, phi = COUNTS[count]
    D = features(d, p)
    unit, pitch, squares = _scale([features(d, q) for q in range(p + 1)])
    sizes = [TIMED_POINTS * features(i, p) for i in _timed_inputs(count, p)]
    seconds, whose = shown(measured, "feature_maps.growth", p=p, count=count)
    limit = MAX_BYTES // (8 * n)
    return SimpleNamespace(
        d=d,
        p=p,
        n=n,
        count=count,
        phi=phi(p),
        written=f"{formula(d, p)} = {_large(D)}",
        features=features,
        D=D,
        nested=[features(d, q) if q >= 0 else 0 for q in (p, p - 1, p - 2)],
        bytes=8 * n * D,
        fits=8 * n * D <= MAX_BYTES,
        limit=limit,
        most=bisect_right(range(1, limit + 1), limit, key=lambda i: features(i, p)),
        curves=[[float(features(int(i), q)) for i in INPUTS] for q in range(1, p + 1)],
        cells=np.array(sizes[: len(seconds)], float),
        seconds=np.array(seconds),
        whose=whose,
        time=n * D * seconds[-1] / sizes[len(seconds) - 1],
        unit=unit,
        pitch=pitch,
        squares=squares,
        step=pitch / sqrt(unit),
    )


def _scale(features):
    """(unit, pitch, degree): how many features a dot or square is, pixels to the next, and a square's degree or None.

    features : their numbers up to each degree.  A square is the last card of a lower degree whose features have room as
    dots, or, if so many squares have no room, the first after it.
    """
    D = features[-1]
    if D <= (SIDE // LEAST_DOT) ** 2:
        return *scale(D, SIDE, SIDE), None
    q = max(q for q, number in enumerate(features) if number <= (SIDE // LEAST_DOT) ** 2)
    while D / features[q] > (SIDE // LEAST_SQUARE) ** 2:
        q += 1
    return features[q], int(SIDE / sqrt(D / features[q])), q


def build(figure):
    card = Card(figure, (16, 28, SIDE, SIDE), COLOURS)
    ax = figure.add_axes((0.545, 0.29, 0.37, 0.605), xscale="log", yscale="log", xlim=(1, 1e4))
    ax.set_xlabel("inputs $d$", labelpad=1)
    ax.set_title("features $D$ of one point")
    ax.set_xticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", thousands(10_000)])
    return {"card": card, "dots": card.ax, "axes": ax, **_build_words(card.ax, ax), **_build_lines(ax)}


def _build_words(card, ax):
    return {
        "most held": card.text(
            0, 3, "", color=PURPLE, va="bottom", animated=True, bbox=GROUND | {"alpha": 1}, zorder=5
        ),
        "held": card.plot([], [], color=PURPLE, animated=True, zorder=4)[0],
        "whole": card.text(-4, SIDE + 30, "", color=INK, animated=True),
        "newest": card.text(SIDE + 4, SIDE + 30, "", color=GREEN, ha="right", animated=True),
        "corner": card.text(-4, SIDE + 11, "", color=INK, animated=True),
        "lower": card.text(SIDE + 4, SIDE + 11, "", color=GREY, ha="right", animated=True),
        "unit": card.text(-4, -8, "", color=INK, va="top", animated=True),
        "time": ax.text(-0.13, -0.345, "", transform=ax.transAxes, animated=True),
        "whose": ax.text(-0.13, -0.43, "", color=GREY, transform=ax.transAxes, animated=True),
    }


def _build_lines(ax):
    return {
        "lines": [ax.plot([], [], animated=True)[0] for _ in range(6)],
        "ends": [ax.text(1.35e4, 1, "", va="center", animated=True) for _ in range(6)],
        "limit": ax.axhspan(1, 2, color=PURPLE, alpha=0.1, linewidth=0, animated=True),
        "edge": ax.axhline(1, color=PURPLE, linewidth=1.5, animated=True),
        "note": ax.text(0.02, 0.97, "", color=PURPLE, va="top", transform=ax.transAxes, animated=True),
        "drop": ax.plot([], [], ":", color=PURPLE, linewidth=1.5, animated=True)[0],
        "most": ax.text(1, 1, "", color=PURPLE, va="top", animated=True, bbox=GROUND, zorder=4),
        "here": ax.plot([], [], "o", color=GREEN, ms=10, mec="white", animated=True, clip_on=False, zorder=5)[0],
    }


def draw(parts, state):
    _draw_card(parts, state)
    for q, (line, end) in enumerate(zip(parts["lines"], parts["ends"], strict=True), 1):
        shown = q <= state.p
        colour = COLOURS[min(max(state.p - q, 0), 2)]
        line.set(data=(INPUTS, state.curves[q - 1]) if shown else ([], []), color=colour)
        line.set_linewidth(2.8 if q == state.p else 1.2)
        end.set(text=f"$p = {q}$" if shown else "", color=colour, y=state.curves[q - 1][-1] if shown else 1)
    parts["here"].set_data([state.d], [state.D])
    _draw_limit(parts, state)
    parts["time"].set_text(f"Φ of {_points(state.n)} takes {duration(state.time)}")
    parts["whose"].set_text(f"at the speed of {state.whose}")
    _frame(parts["axes"], state)


def _draw_card(parts, state):
    """The features of each degree in the corner of those of the next, and how many of them the memory holds."""
    if state.squares is None:
        cells, (_, before, lower) = shells(state.D), state.nested
        parts["card"].show_dots([cells[before:], cells[lower:before], cells[:lower]], state.pitch)
    else:
        parts["card"].show_squares([(0, 0, *[state.step * sqrt(part)] * 2) for part in state.nested], state.pitch)
    held = state.step * sqrt(state.limit)
    parts["held"].set_data(*([0, held, held], [held, held, 0]) if held < SIDE else ([], []))
    tiny = held < SMALL
    parts["held"].set(linewidth=1.2 if tiny else 2.0, path_effects=[] if tiny else HALO)
    beside = max(held, state.step * sqrt(state.nested[1])) + 8
    parts["most held"].set(text="" if held >= SIDE else f"fits in {_limit()}", x=min(beside, SIDE - 92))
    _name_card(parts, state)


def _name_card(parts, state):
    """What is on the card, each colour in its own."""
    D, before, lower = state.nested
    which = "up to degree" if state.count == "all" else "of degree"
    parts["whole"].set_text(f"{_large(D)} features {WHICH[state.count](state.p)}")
    parts["newest"].set_text(f"degree {state.p}" if state.count == "all" else "")
    parts["corner"].set_text(f"corner: {_brief(before)} {which} {state.p - 1}")
    parts["lower"].set_text(f"grey: {_brief(lower)}" if lower else "")
    square = "" if state.squares is None else f"one square: all {_large(state.unit)} {which} {state.squares}"
    parts["unit"].set_text(square or "one dot is one feature")


def _draw_limit(parts, state):
    """The memory that is allowed, and the largest d within it at this degree."""
    top = _decades(state.p)
    parts["limit"].set(y=state.limit, height=10.0**top - state.limit)
    parts["edge"].set_ydata([state.limit] * 2)
    parts["note"].set_text(f"over {_limit()} for n = {thousands(state.n)}")
    inside = state.most <= INPUTS[-1]
    parts["drop"].set_data([state.most] * 2 if inside else [], [1, state.limit] if inside else [])
    left = state.most > 500
    parts["most"].set(text=f"d ≤ {thousands(state.most)} fits" if inside else "", ha="right" if left else "left")
    parts["most"].set_position((state.most * (0.9 if left else 1.1), 10 ** (top / 10)))


def _decades(p):
    """How far up the axis of D goes, in two steps so that it seldom moves."""
    return 16 if p < 5 else 24


def _frame(ax, state):
    top = _decades(state.p)
    if reframed(ax, top):
        ax.set(ylim=(1, 10.0**top))
        powers = range(0, top + 1, 4)
        ax.set_yticks([10.0**k for k in powers], [short(10.0**k) if k < 4 else tens(k) for k in powers])
        ax.minorticks_off()


def readout(state):
    D, before, _ = state.nested
    return {
        "features D": state.written,
        "times those of degree p − 1": short(D / before, 5),
        "memory for n points": f"{short(state.bytes / 1e9)} GB",
        f"fits in {_limit()}": {True: "yes", False: "no"}[state.fits],
    }


def _limit():
    return f"{short(MAX_BYTES / 1e9, 2)} GB"


def _points(n):
    return f"{thousands(n)} point{'s' if n > 1 else ''}"


def _large(value):
    return thousands(value) if value < 10**9 else short(value)


def _brief(value):
    """In the two labels that share a line of the card."""
    power = int(log10(value))
    return thousands(value) if power < 7 else f"{short(value / 10**power)}·{tens(power)}"


def _tell_dot(state, x, y):
    """Which feature a dot is; of squares, of which degree the features are, if several degrees are there.

    Φ lists its features from the lowest degree up, or, if all have the same, those first in which x₁ is a factor.
    """
    number = number_in_shells(max(int(x / state.step), 0), max(int(y / state.step), 0))
    if number >= state.D:
        return ""
    if state.squares is None:
        return f"feature {thousands(number + 1)}: {feature_names(state.phi, state.d)[number]}"
    degree = next(q for q in range(state.p + 1) if number < state.features(state.d, q))
    return f"features of degree {degree}" if state.count == "all" else ""


def _tell_features(state, x, y):
    d = max(round(x), 1)
    return f"d = {thousands(d)}, p = {state.p}: D = {_large(state.features(d, state.p))}"


def _choose(state, x, y):
    """The d below a place among the curves."""
    return {"d": D_SLIDER.nearest(min(x, INPUTS[-1]))}


def code(d, p, n, count):
    d, n, phi = round(d), round(n), COUNTS[count][2](p)
    return (
        f"from kernelkit import *\n\nphi = {phi!r}\nD = phi.dim({d})\n"
        f'print(f"{{D}} features, {{8 * {n} * D / 1e9:.3f}} GB for {n} points")'
    )


growth = Explorer(
    title="How fast the features multiply",
    controls=(
        D_SLIDER,
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
    readout=readout,
    shows="On the left a card with all features of one point, those of degree p in green and those of lower degrees "
    "in its corner; it is divided into dots or small squares. On the right the number of features D over the number "
    "of inputs, one curve for each degree, both on scales of powers of ten, and a purple line at the memory that is "
    "allowed.",
    code=code,
    measure=measure,
    film=("p",),
    scenes={
        "4 inputs, degree 3": {"d": 3.98107, "p": 3},
        "16 inputs, degree 4": {"d": 15.8489, "p": 4},
        "100 inputs, degree 3": {"d": 100.0, "p": 3},
        "100 inputs, degree 4": {"d": 100.0, "p": 4},
        "10 000 inputs, in pairs": {"d": 10_000.0, "p": 2, "count": "ordered"},
        "1000 pixels": {"d": 1000.0, "p": 3, "n": 10_000.0},
    },
    question=Question(
        "The 5151 features of degree at most 2 fill the card. How many such cards would the features of degree at most "
        "3 fill?",
        ("2", "about 34", "about 900"),
        1,
        "From degree p − 1 to degree p the number of features is multiplied by (d + p)/p, and for degree 3 this is "
        "103/3, about 34. So the whole card that you saw is now the dark corner.",
        scene="100 inputs, degree 3",
    ),
    tell={"dots": _tell_dot, "axes": _tell_features},
    click={"axes": _choose},
    motion=True,
)
