"""Curves through noisy points: the data, the axes and the models of one picture."""

import numpy as np

from kernelkit.course.panel.marks import Axis, Dots, Fill, Line
from kernelkit.course.panel.numbers import read_off
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

CURVES = {"sin(2x)": "sine", "a cubic": "cubic", "a step": "step"}
GRID = np.linspace(-4, 4, 241)[:, None]
INSIDE = np.abs(GRID[:, 0]) <= 3  # where the data are


def true_curve(data):
    return {"sine": np.sin(2 * GRID), "cubic": (GRID**3 - 4 * GRID) / 5, "step": np.sign(GRID)}[data][:, 0]


def rms(v):
    return float(np.sqrt(np.mean(np.square(v))))


def tell_curve(x, **curves):
    """What a pointer at x says of curves over the grid, by their names."""
    values = (f"{name} {read_off(np.interp(x, GRID[:, 0], h))}" for name, h in curves.items())
    return f"x = {read_off(x)}: {', '.join(values)}"


ALONG = Axis("$x$", -4, 4, (-4, -2, 0, 2, 4))


def truth(h=(), label=""):
    """The true curve over the grid; alone with a label it is the piece of it in a key."""
    return Line(GRID[: len(h), 0], h, GREY, width=2.4, style=":", label=label)


def dots(x=(), y=(), label=""):
    """The points of the data."""
    return Dots(x, y, INK, size=5, edge=INK, rim=1.0, label=label)


def model(h=(), color=GREEN, label="", **look):
    """A model over the grid."""
    return Line(GRID[: len(h), 0], np.clip(h, -99, 99), color, label=label, **look)


def band(x, low, high):
    """The area between two curves."""
    return Fill(x, high, GREEN, alpha=0.2, low=low)


def heights(s):
    """The axis of the outputs, as high as the true curve needs it."""
    limit = 3.7 if np.abs(s.truth[INSIDE]).max() > 2 else 2.6
    return Axis("", -limit, limit)


def fits(s, **curves):
    """The data, the true curve and two fits, by their names; the first two marks are there for their labels."""
    (one, first), (other, second) = curves.items()
    dashed, wide = {"color": PURPLE, "width": 2.4, "style": "--"}, {"color": GREEN, "width": 2.8}
    return [
        Line((), (), **dashed, label=one),
        Line((), (), **wide, label=other),
        Line(GRID[:, 0], s.truth, GREY, width=2.4, style=":", label="truth"),
        Line(GRID[:, 0], np.clip(second, -99, 99), **wide),
        Line(GRID[:, 0], np.clip(first, -99, 99), **dashed),
        Dots(s.X[:, 0], s.y, size=5, edge=INK, rim=1, label="data"),
    ]
