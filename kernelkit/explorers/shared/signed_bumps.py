"""Bumps with weights of both signs: their colours and round limits."""

from kernelkit.plots import BLUE, ORANGE

COLOURS = {-1: BLUE, +1: ORANGE}


def round_limit(largest, steps):
    """The first of a few standard limits that holds the value, so that axes do not move all the time."""
    return next((s for s in steps if largest <= s), steps[-1])


def sign_of(a):
    return 1 if a >= 0 else -1
