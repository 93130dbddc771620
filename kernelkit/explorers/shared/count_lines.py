"""Lines of operation counts on logarithmic axes with measured seconds on top, and round limits for any axis."""

from time import perf_counter

import numpy as np

from kernelkit.plots import GREEN, GREY, INK, ORANGE, PURPLE

LOOK = {
    "primal": (INK, "-", "o"), "dual": (PURPLE, "--", "s"), "kernel": (GREEN, "-.", "^"),
    "stay with k": (GREEN, "-.", "^"), "build w once": (INK, "-", "o"),
}  # fmt: skip
FLOPS = 1e9  # multiplications in a second, to lay the two axes over each other before a measurement


def build_lines(figure):
    ax = figure.add_axes((0.11, 0.14, 0.575, 0.75), xscale="log", yscale="log")
    seconds = ax.twinx()
    seconds.set(yscale="log")
    seconds.spines["right"].set_visible(True)
    ax.minorticks_off()
    seconds.minorticks_off()
    ax.set_ylabel("multiplications (lines)")
    lines = [ax.plot([], [], animated=True)[0] for _ in range(3)]
    marks = [ax.plot([], [], ls="", ms=8, mec="white", animated=True)[0] for _ in range(3)]
    title = ax.text(0, 1.04, "", size=12, transform=ax.transAxes, animated=True)
    beside = {"size": 11, "va": "top", "linespacing": 1.35, "transform": figure.transFigure, "animated": True}
    notes = [ax.text(0.8, 0.87 - 0.19 * i, "", **beside) for i in range(3)]
    rules = [ax.axvline(1, color=c, lw=1.2, ls=s, animated=True) for c, s in ((GREY, ":"), (ORANGE, (0, (6, 3))))]
    footer = ax.text(0.8, 0.29, "", color=GREY, **beside)
    return {
        "ax": ax, "seconds": seconds, "lines": lines, "marks": marks, "title": title, "notes": notes, "rules": rules,
        "footer": footer,
    }  # fmt: skip


def draw_lines(parts, state):
    for part in (*parts["lines"], *parts["marks"], *parts["rules"]):
        part.set_visible(False)
    for (form, counts), line, mark in zip(state.counts.items(), parts["lines"], parts["marks"], strict=False):
        colour, dashes, marker = LOOK[form]
        line.set(data=(state.x, counts), color=colour, linestyle=dashes, visible=True)
        x, s = state.seconds.get(form, ([], []))
        mark.set(data=(x, np.array(s) * state.rate), color=colour, marker=marker, visible=True)
    for rule, (x, _) in zip(parts["rules"], state.rules, strict=False):
        rule.set(xdata=[x, x], visible=state.x[0] <= x <= state.x[-1])
    for note, form, text in zip(parts["notes"], [*state.counts, ""], [*state.notes, ""], strict=False):
        note.set(text=text, color=LOOK[form][0] if form else INK)
    parts["title"].set_text(state.title)
    parts["footer"].set_text(state.footer)
    return _frame_lines(parts, state)


def _frame_lines(parts, state):
    """Limits in steps of two decades, so that a slider seldom moves the axes."""
    marks = [np.array(took) * state.rate for _, took in state.seconds.values()]
    every = np.log10(np.concatenate([*state.counts.values(), *marks]))
    low, high = 2 * int(np.floor(every.min() / 2)), 2 * int(np.ceil(every.max() / 2))
    fixed = (state.xlabel, tuple(state.x), low, high, state.rate, state.measured_label)
    ax, seconds = parts["ax"], parts["seconds"]
    if getattr(ax, "fixed", None) != fixed:
        ax.fixed = fixed
        ax.set(xlabel=state.xlabel, xlim=(0.8 * state.x[0], 1.25 * state.x[-1]))
        ax.set_xticks(state.ticks, [f"{t:,}".replace(",", "\u2009") for t in state.ticks])
        powers = np.arange(low, high + 1, 2)
        for side, shift in ((ax, 0), (seconds, round(np.log10(state.rate)))):
            side.set_ylim(10.0 ** (low - shift), 10.0 ** (high - shift))
            shown = powers if side is ax or marks else powers[:0]
            side.set_yticks(10.0 ** (shown - shift), [f"$10^{{{p - shift}}}$" for p in shown])
        ax.minorticks_off()
        seconds.minorticks_off()
        seconds.set_ylabel(state.measured_label)
    return fixed


def slope(x, y):
    """The slope between the last point and the one two steps before, on logarithmic axes."""
    return float(np.log(y[-1] / y[-3]) / np.log(x[-1] / x[-3]))


def rate(counts, x, seconds):
    """Operations per second, a power of ten: it lays the markers near the lines they should follow."""
    logs = [
        np.log10(counts[form][list(x).index(at[-1])] / took[-1]) for form, (at, took) in seconds.items() if len(took)
    ]
    return 10.0 ** np.round(np.median(logs)) if logs else FLOPS


def clock(action, budget=0.05):
    """The shortest of a few runs, in seconds."""
    best, start = np.inf, perf_counter()
    while best == np.inf or perf_counter() - start < budget:
        begin = perf_counter()
        action()
        best = min(best, perf_counter() - begin)
    return best
