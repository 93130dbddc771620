"""Numbers as dots, one for each thing that is counted, or as squares where so many dots have no room."""

from functools import lru_cache

import numpy as np

from kernelkit.course.panel.marks import Axes, Axis, Boxes, Dots, Segments
from kernelkit.course.panel.numbers import short
from kernelkit.course.plots import DPI, GREY
from kernelkit.latex import plain

LEAST_DOT, LEAST_SQUARE, MOST_DOT = 2, 3, 30  # pixels to the next: whole numbers, so that all of them look alike
CARD = 10_000  # dots that a square stands for; where squares have no room either, a square is as many squares
BLURRED = 3  # pixels to the next, at which round dots would run together, so that they are square
FILLED = 0.8  # of the way to the next dot that a dot covers
MARGIN = 4  # pixels around the dots


def scale(count, width, height):
    """(unit, pitch): how many things one dot or square stands for, and pixels from it to the next, as many as fit."""

    def cells(pitch):
        return (width // pitch) * (height // pitch)

    unit = 1
    while count / unit > cells(LEAST_DOT if unit == 1 else LEAST_SQUARE):
        unit *= CARD
    most = MOST_DOT if unit == 1 else min(width, height)
    return unit, next(pitch for pitch in range(most, 0, -1) if cells(pitch) >= count / unit)


def said_of(unit, thing):
    """What one dot or one square is, in words."""
    return f"one dot is one {thing}" if unit == 1 else f"one square is {short(unit)} {thing}s"


@lru_cache(maxsize=4)
def feature_names(phi, d):
    """What the dots of features are called."""
    return tuple(map(plain, phi.names(d)))


def rows(count, columns):
    """Cells (column, row) of so many dots, row after row from below."""
    number = np.arange(count)
    return np.column_stack([number % columns, number // columns])


def shells(count):
    """Cells (column, row) of so many dots, shell after shell around a corner: the first n² are a square, for any n."""
    number = np.arange(count)
    shell = np.sqrt(number + 0.5).astype(int)
    along = number - shell**2
    return np.column_stack([np.minimum(shell, 2 * shell - along), np.minimum(shell, along)])


def number_in_shells(column, row):
    """Which of the dots in ``shells`` is in this cell."""
    shell = max(column, row)
    return shell**2 + (row if column == shell else 2 * shell - column)


def card(place, *marks, name, size=(700, 380)):
    """Axes whose unit is a pixel, in a thin frame.

    place : left, bottom, width and height of what is counted, in pixels from the lower left corner of a picture of this
    size. It is exact, because dots that begin between two pixels would differ from each other.
    """
    left, bottom, width, height = place
    outer = np.array([left - MARGIN, bottom - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN])
    x, y = (Axis("", -MARGIN, side + MARGIN, ()) for side in (width, height))
    return Axes("", x, y, *marks, name=name, place=tuple(outer / np.tile(size, 2)), frame=True, dress=_thin_frame)


def _thin_frame(ax):
    ax.spines[:].set(color=GREY, alpha=0.5)


def as_dots(groups, colours, pitch):
    """A dot in the middle of each cell (column, row) of each group."""
    look = {"marker": "o" if pitch > BLURRED else "s", "size": FILLED * pitch * 72 / DPI, "rim": 0}
    return [Dots(*((cells + 0.5) * pitch).T, c, **look) for cells, c in zip(groups, colours, strict=True)]


def as_squares(boxes, colours, pitch):
    """A box (left, bottom, width, height) for each group, in pixels, over those before it, cut into squares."""
    right, top = np.max([(x + w, y + h) for x, y, w, h in boxes], axis=0)
    x, y = np.arange(pitch, right, pitch), np.arange(pitch, top, pitch)
    begin = np.append(x, 0 * y), np.append(0 * x, y)
    end = np.append(x, right + 0 * y), np.append(top + 0 * x, y)
    return [
        Boxes(boxes, colours),
        Segments(begin, end, "white", width=min((1 - FILLED) * pitch, 2) * 72 / DPI),
    ]
