"""Bumps with weights of both signs: their colours, markers and round limits."""

import numpy as np

from kernelkit.course.panel.marks import Dots
from kernelkit.course.plots import BLUE, GREY, MARKERS, ORANGE

COLOURS = {-1: BLUE, 0: GREY, +1: ORANGE}
MARKS = MARKERS | {0: "d"}


def round_limit(largest, steps):
    """The first of a few standard limits that holds the value, so that axes do not move all the time."""
    return next((s for s in steps if largest <= s), steps[-1])


def sign_of(a):
    """−1, 0 or +1: a weight that is written as 0.00 has no sign."""
    return 0 if abs(a) < 0.005 else 1 if a > 0 else -1


def signed_dots(places, a, colours=COLOURS, **look):
    """Dots at the places (n, 2) of bumps, one mark for each sign of their weights."""
    signs = np.array([sign_of(weight) for weight in a])
    return [Dots(*places[signs == sign].T, colours[sign], marker=MARKS[sign], **look) for sign in COLOURS]
