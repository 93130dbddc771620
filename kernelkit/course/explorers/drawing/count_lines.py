"""Predicted and measured times on logarithmic axes: lines are counts of multiplications, markers measured seconds."""

from time import perf_counter

import numpy as np

from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis, Dots, Line, Text, VLine
from kernelkit.course.panel.numbers import duration, short, tens, thousands
from kernelkit.course.panel.parts import apart
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

LOOK = {  # hollow markers of three sizes: where they coincide, each is seen inside the other
    "primal": (INK, "-", "o", 13),
    "dual": (PURPLE, "--", "s", 9),
    "kernel": (GREEN, "-.", "^", 6),
    "stay with k": (GREEN, "-.", "^", 6),
    "build w once": (INK, "-", "o", 13),
}
FLOPS = 1e9  # multiplications in a second, where nothing was measured
LINE = 17.5  # pixels from one line of text to the next
LOW, HIGH, RIGHT, GAP = 48.0395, 301.0071, 692, 21  # pixels: where the lines are, and up to their names


def _follow(state):
    """Whether the last marker of each form is within a factor of three of its line."""
    lines = {form: dict(zip(state.x, y / state.rate, strict=True)) for form, y in state.counts.items()}
    ratios = [took[-1] / lines[form][at[-1]] for form, (at, took) in state.seconds.items() if len(took)]
    return bool(np.abs(np.log(ratios)).max(initial=0) < np.log(3))


def lines_of(s, left=54.2222, here=()):
    """Words above, below them lines and markers, and at their right the names of the lines.

    s : says x, ticks, xlabel, title, footer; counts {form: numbers}; notes, one a form; seconds {form: (x, numbers)}
    and whose they are; rate, the multiplications in a second; rules, pairs (x, word).
    left : so many pixels for the names of times.  here : marks over the lines.
    """
    low, high = _decades(s)
    ticks = 10.0 ** np.arange(low, high + 1, 1 if high - low <= 7 else 2)
    right = left + (RIGHT - left - GAP) * 2 / 3
    words = Axes("", NO_AXIS, NO_AXIS, *_heading(s), place=_place(left, 317.0071, RIGHT, 372), bare=True)
    ax = Axes(
        "",
        Axis(s.xlabel, 0.8 * s.x[0], 1.25 * s.x[-1], s.ticks, map(thousands, s.ticks), log=True),
        Axis("", 10.0**low, 10.0**high, ticks, map(duration, ticks), log=True),
        *_forms(s),
        *_rules(s),
        *here,
        name="ax",
        place=_place(left, LOW, right, HIGH),
    )
    names = Axes("", NO_AXIS, NO_AXIS, *_names(s, low, high), place=_place(right + GAP, LOW, RIGHT, HIGH), bare=True)
    return [[words, ax, names]]


def _place(left, low, right, high):
    return left / 700, low / 380, (right - left) / 700, (high - low) / 380


def _decades(s):
    """Limits in whole decades, at least four of them."""
    counted, measured = (y / s.rate for y in s.counts.values()), (took for _, took in s.seconds.values())
    every = np.log10(np.concatenate([*counted, *measured]))
    low, high = int(np.floor(every.min() - 0.1)), int(np.ceil(every.max() + 0.1))
    return min(low, high - 4), high


def _heading(s):
    laid = bool(s.seconds) and s.rate == rate(s.counts, s.x, s.seconds) and _follow(s)
    fit = ", near the last markers" if laid else ""
    title = f"{s.title}: lines for {tens(np.log10(s.rate))} multiplications a second{fit}"
    source = f"markers: measured on {s.whose}" if s.seconds else ""
    return Text(0, 0.8, title, up="center", size=12), Text(0, 0.37, source, GREY, up="center", size=11)


def _forms(s):
    """The line of each form, and over all lines its markers."""
    lines, markers = [None] * 3, [None] * 3
    for i, (form, counts) in enumerate(s.counts.items()):
        colour, dashes, marker, size = LOOK[form]
        at, took = s.seconds.get(form, ((), ()))
        lines[i] = Line(s.x, counts / s.rate, colour, style=dashes, name="lines")
        look = {"edge": colour, "rim": 1.8, "clip": False, "name": "markers"}
        markers[i] = Dots(at, took, "none", marker=marker, size=size, **look)
    return *lines, *markers


def _rules(s):
    """A dotted and a dashed line, and their words above the axes, where they are inside."""
    rules, words = [None] * 2, [None] * 2
    for i, (x, text) in enumerate(s.rules):
        if text and s.x[0] <= x <= s.x[-1]:
            part = np.log(x / (0.8 * s.x[0])) / np.log(1.25 * s.x[-1] / (0.8 * s.x[0]))
            rules[i] = VLine(x, GREY, width=1.4, style=(":", (0, (6, 3)))[i])
            words[i] = Text(part, 1.035, f" {text} ", GREY, side=("right", "left")[i], size=11, of="axes")
    return *rules, *words


def _names(s, low, high):
    """Each note beside the end of its line, apart from the others, and below them the footer."""
    ends = [(np.log10(y[-1] / s.rate) - low) / (high - low) for y in s.counts.values()]
    line, lines = LINE / (HIGH - LOW), 1 + max(note.count("\n") for note in s.notes)
    places = apart(ends, line * (lines + 0.35), 1.1 - line * lines / 2)
    look = {"up": "center", "size": 11, "spacing": 1.25}
    notes = [Text(0, y, note, LOOK[form][0], **look) for form, y, note in zip(s.counts, places, s.notes, strict=True)]
    return Text(0, -0.15, s.footer, GREY, size=11), *notes, *[None] * (3 - len(notes))


def slope(x, y):
    """The slope between the last point and the one two steps before, on logarithmic axes."""
    return float(np.log(y[-1] / y[-3]) / np.log(x[-1] / x[-3]))


def between(x):
    """Between which two places ``slope`` is measured, in words."""
    return f"slopes: from {thousands(int(x[-3]))} to {thousands(int(x[-1]))}"


def rate(counts, x, seconds):
    """Multiplications in a second, a power of ten: it lays the lines near the markers that should follow them."""
    logs = [
        np.log10(counts[form][list(x).index(at[-1])] / took[-1]) for form, (at, took) in seconds.items() if len(took)
    ]
    return 10.0 ** np.round(np.median(logs)) if logs else FLOPS


def crossing(t):
    """Where two lines cross, as the picture and the readout say it: to one decimal."""
    return short(round(t, 1), 9)


def clock(action, budget=0.05):
    """The shortest of a few runs, in seconds."""
    best, start = np.inf, perf_counter()
    while best == np.inf or perf_counter() - start < budget:
        begin = perf_counter()
        action()
        best = min(best, perf_counter() - begin)
    return best


def amount(count):
    """A count as it is said: 1.4 billion, 0.72 million."""
    for unit, word in ((1e9, "billion"), (1e6, "million"), (1e3, "thousand")):
        if count >= unit:
            return f"{count / unit:.1f} {word}"
        if unit > 1e3 and count >= unit / 10:
            return f"{count / unit:.2f} {word}"
    return f"{count:.0f}"


def tell_lines(state, x, y):
    """The line that is nearest to a place: its form and its time, or its count where no time was measured."""
    i = int(np.abs(np.log(np.asarray(state.x) / x)).argmin())
    form = min(state.counts, key=lambda form: abs(np.log(state.counts[form][i] / state.rate / y)))
    took = dict(zip(*state.seconds.get(form, ((), ())), strict=True)).get(state.x[i])
    value = f"{amount(state.counts[form][i])} ×" if took is None else duration(took)
    return f"{form} at {thousands(int(state.x[i]))}: {value}"
