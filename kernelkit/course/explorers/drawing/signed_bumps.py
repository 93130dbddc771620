"""Bumps with weights of both signs: their colours, markers and round limits."""

from kernelkit.course.plots import BLUE, GREY, MARKERS, ORANGE

COLOURS = {-1: BLUE, 0: GREY, +1: ORANGE}
MARKS = MARKERS | {0: "d"}


def round_limit(largest, steps):
    """The first of a few standard limits that holds the value, so that axes do not move all the time."""
    return next((s for s in steps if largest <= s), steps[-1])


def sign_of(a):
    """−1, 0 or +1: a weight that is written as 0.00 has no sign."""
    return 0 if abs(a) < 0.005 else 1 if a > 0 else -1


def signed_marks(ax, **look):
    """One artist for the places of each sign, to be moved by place_marks."""
    return {s: ax.plot([], [], MARKS[s], color=COLOURS[s], zorder=5, animated=True, **look)[0] for s in COLOURS}


def place_marks(marks, places, a):
    """Put each place (n, 2) where its weight has its sign."""
    for sign, mark in marks.items():
        mark.set_data(places[[sign_of(weight) == sign for weight in a]].T)
