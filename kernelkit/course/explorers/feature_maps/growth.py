"""Notebook 01. How fast the features multiply."""

from bisect import bisect_right
from math import comb, log10, sqrt
from time import perf_counter
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, OrderedMonomials
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.dots import (
    LEAST_DOT,
    LEAST_SQUARE,
    as_dots,
    as_squares,
    card,
    feature_names,
    number_in_shells,
    scale,
    shells,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, HSpan, Line, Text
from kernelkit.course.panel.numbers import duration, short, tens, thousands
from kernelkit.course.panel.parts import GROUND
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
SMALL = 12  # pixels: a smaller bracket has no room for a white edge
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
        n=n,
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


def picture(s):
    return [[_card(s), _curves(s)]]


def _card(s):
    """What is on the card, with words in the colour of each, and how much of it the memory holds."""
    D, before, lower = s.nested
    which = "up to degree" if s.count == "all" else "of degree"
    square = "" if s.squares is None else f"one square: all {_large(s.unit)} {which} {s.squares}"
    right, above = SIDE + 4, SIDE + 11
    return card(
        (16, 28, SIDE, SIDE),
        *_features(s),
        Text(-4, SIDE + 30, f"{_large(D)} features {WHICH[s.count](s.p)}", INK),
        Text(right, SIDE + 30, f"degree {s.p}", GREEN, side="right") if s.count == "all" else None,
        Text(-4, above, f"corner: {_brief(before)} {which} {s.p - 1}", INK, name="corner"),
        Text(right, above, f"grey: {_brief(lower)}", GREY, side="right", name="lower") if lower else None,
        Text(-4, -8, square or "one dot is one feature", INK, up="top"),
        *_held(s),
        name="dots",
    )


def _features(s):
    """The features of each degree in the corner of those of the next."""
    if s.squares is None:
        cells, (_, before, lower) = shells(s.D), s.nested
        return [*as_dots([cells[before:], cells[lower:before], cells[:lower]], COLOURS, s.pitch), None, None]
    boxes = [(0, 0, *[s.step * sqrt(part)] * 2) for part in s.nested]
    return [None, None, None, *as_squares(boxes, COLOURS, s.pitch)]


def _held(s):
    """A bracket around what the memory holds."""
    held = s.step * sqrt(s.limit)
    if held >= SIDE:
        return []
    bracket, tiny = ([0, held, held], [held, held, 0]), held < SMALL
    beside = max(held, s.step * sqrt(s.nested[1])) + 8
    return [
        None if tiny else Line(*bracket, "white", width=4),
        Line(*bracket, PURPLE, width=1.2 if tiny else 2.0),
        Text(min(beside, SIDE - 92), 3, f"fits in {_limit()}", PURPLE, up="bottom", box=GROUND | {"alpha": 1}),
    ]


def _curves(s):
    """The features over the inputs, a curve for each degree, and the memory that is allowed."""
    top = 16 if s.p < 5 else 24  # two steps, so that it seldom moves
    powers = range(0, top + 1, 4)
    names = [short(10.0**k) if k < 4 else tens(k) for k in powers]
    return Axes(
        "features $D$ of one point",
        Axis("inputs $d$", 1, 1e4, (1, 10, 100, 1000, 10_000), ("1", "10", "100", "1000", thousands(10_000)), log=True),
        Axis("", 1, 10.0**top, [10.0**k for k in powers], names, log=True),
        HSpan(s.limit, 10.0**top, PURPLE, alpha=0.1),
        *(_curve(s, q) for q in range(1, 7)),
        HLine(s.limit, PURPLE, width=1.5),
        *_largest(s, top),
        Text(0.02, 0.97, f"over {_limit()} for n = {thousands(s.n)}", PURPLE, up="top", of="axes"),
        Dots(s.d, s.D, GREEN, size=10, rim=1, clip=False),
        Text(-0.13, -0.345, f"Φ of {_points(s.n)} takes {duration(s.time)}", of="axes"),
        Text(-0.13, -0.43, f"at the speed of {s.whose}", GREY, of="axes"),
        *(Text(1.35e4, s.curves[q - 1][-1], f"$p = {q}$", _colour(s, q), up="center") for q in range(1, s.p + 1)),
        name="axes",
        place=(0.545, 0.29, 0.37, 0.605),
        dress=_near_label,
    )


def _colour(s, q):
    return COLOURS[min(s.p - q, 2)]


def _curve(s, q):
    return Line(INPUTS, s.curves[q - 1], _colour(s, q), width=2.8 if q == s.p else 1.2) if q <= s.p else None


def _near_label(ax):
    ax.xaxis.labelpad = 1


def _largest(s, top):
    """The largest d within the memory that is allowed."""
    if s.most > INPUTS[-1]:
        return [None, None]
    place, side = (0.9 * s.most, "right") if s.most > 500 else (1.1 * s.most, "left")
    return [
        Line(s.most, [1, s.limit], PURPLE, width=1.5, style=":"),
        Text(place, 10 ** (top / 10), f"d ≤ {thousands(s.most)} fits", PURPLE, side=side, up="top", box=GROUND),
    ]


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


growth = panel(
    compute,
    picture,
    readout,
    code,
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
    title="How fast the features multiply",
    shows="On the left a card with all features of one point, those of degree p in green and those of lower degrees "
    "in its corner; it is divided into dots or small squares. On the right the number of features D over the number "
    "of inputs, one curve for each degree, both on scales of powers of ten, and a purple line at the memory that is "
    "allowed.",
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
