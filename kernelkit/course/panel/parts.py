"""The parts that pictures share; where their axes are is in ``layout``.

There are curves with their key, signed bars, axes in powers of ten, and tables of texts; a field over a plane is in
``explorers/drawing/field.py``, and lines that count multiplications in ``count_lines.py`` there. Each is built once and
then shown with new numbers. The small functions above them are for everything else: frames that are kept, points of a
plane, round limits, and labels that do not overlap.
"""

from itertools import zip_longest
from math import ceil, floor, log10
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.course.panel.numbers import short
from kernelkit.course.plots import GREY, INK, sign_colours

HELD = WeakKeyDictionary()  # {figure: {axes: limits}} of figures that hold their limits, None where they hold none
GROUND = {"facecolor": "white", "alpha": 0.85, "linewidth": 0, "pad": 0.6}  # the box of a text that lines may reach


def reframed(ax, *frame):
    """Whether what the fixed part of these axes (limits, ticks, titles) is made from is new; it is remembered."""
    if frame_of(ax) == frame:
        return False
    ax.kernelkit_frame = frame
    return True


def frame_of(ax):
    """What the fixed part of these axes was made from last, None if it never changes."""
    return getattr(ax, "kernelkit_frame", None)


def steady(ax, low, high):
    """The limits of an axis that does not jump on the way to a scene: the widest that were asked for since it was held.

    Without a motion these are low and high.
    """
    held = HELD.setdefault(ax.figure)
    if held is None:
        return low, high
    lowest, highest = held.get(ax, (low, high))
    held[ax] = min(low, lowest), max(high, highest)
    return held[ax]


def plane_points(x, y):
    """All points (x_i, y_j) of a grid, one a row, x running fastest: (len(x)·len(y), 2)."""
    return np.array(np.meshgrid(x, y)).reshape(2, -1).T


def standard(value):
    """The smallest of 1, 2, 5, 10, 20, … (and 0.5, 0.2, … down to 0.001) that is not below the value."""
    ten = 10.0 ** floor(log10(max(value, 1e-3)))
    return next(s * ten for s in (1, 2, 5, 10) if s * ten >= value * 0.999)


def apart(places, gap, high):
    """The places of labels, moved as little as needed to stand at least a gap apart, none above high."""
    order = np.argsort(places)
    moved = np.array(places, float)[order]
    for i in range(1, len(moved)):
        moved[i] = max(moved[i], moved[i - 1] + gap)
    for i in reversed(range(len(moved))):
        moved[i] = min(moved[i], high - gap * (len(moved) - 1 - i))
    return moved[np.argsort(order)]


# ---- the parts --------------------------------------------------------------------------------


def key(ax, lines, columns=4, left=0.0, spacing=1.3, length=1.7, colours=None):
    """What the lines are, {name: line}, each name in the colour of its line, where a title of the axes would stand.

    left, spacing : where it starts, in the axes, and the room between two names, in letters: for a long one.
    length : of the piece of each line that is shown, in letters.  colours : of the names, in place of their lines'.
    """
    return ax.legend(
        list(lines.values()),
        list(lines),
        loc="lower left",
        bbox_to_anchor=(left, 1.01),
        ncols=columns,
        labelcolor=colours or [line.get_color() for line in lines.values()],
        borderaxespad=0,
        borderpad=0,
        handlelength=length,
        handletextpad=0.5,
        columnspacing=spacing,
    )


def curves(ax, looks, **place):
    """Lines that move, {name: line}, with their key above.

    looks : {name: how the line looks}, as Matplotlib's ``plot`` takes it.  place : of the key.
    """
    lines = {name: ax.plot([], [], animated=True, **look)[0] for name, look in looks.items()}
    key(ax, lines, **place)
    return lines


def powers_of_ten(ax, which, low, high, name=short, most=7):
    """A logarithmic axis, "x" or "y", from low to high, with ticks at powers of ten and nowhere else.

    name(value) : what a tick says.  most : so many ticks; if there were more, every second or third power gets one.
    """
    ax.set(**{f"{which}scale": "log", f"{which}lim": (low, high)})
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    step = ceil((last - first + 1) / most)
    ticks = [10.0**power for power in range(first, last + 1) if power % step == 0]
    axis = getattr(ax, f"{which}axis")
    axis.set_ticks(ticks, [name(tick) for tick in ticks])
    ax.minorticks_off()


class Bars:
    """Signed bars: orange where a value is ≥ 0, blue where it is negative.

    They stand on a line, or, lying, grow from it to the left and to the right.
    longest : of the names that ticks will have, for which there must be room.
    width : of a bar, where the next one is 1 away.
    """

    def __init__(self, ax, longest="−0.005", lying=False, width=0.76, **look):
        self.ax, self.lying, self.width = ax, lying, width
        self.frame(1.0, lambda tick: longest)
        (ax.axvline if lying else ax.axhline)(0, color=INK, linewidth=0.8)
        self.bars = ax.add_collection(PolyCollection([], **{"animated": True, "linewidth": 0} | look))

    def show(self, places, values, colours=None):
        """A bar for each value at its place, with the colours of the signs or those that are given."""
        left, right = np.asarray(places) - self.width / 2, np.asarray(places) + self.width / 2
        corners = np.stack([[left, left, right, right], [0 * left, values, values, 0 * left]], axis=-1).swapaxes(0, 1)
        self.bars.set_verts(corners[..., ::-1] if self.lying else corners)
        self.bars.set_facecolor(sign_colours(values) if colours is None else colours)

    def frame(self, limit, words=short):
        """Values from −limit to limit, with three ticks that ``words`` names."""
        ticks = [-limit, 0, limit]
        axis, set_limits = (self.ax.xaxis, self.ax.set_xlim) if self.lying else (self.ax.yaxis, self.ax.set_ylim)
        set_limits(-1.05 * limit, 1.05 * limit)
        axis.set_ticks(ticks, [words(tick) for tick in ticks])


class Table:
    """Rows of texts in columns, under grey headings.

    columns : {heading: (place, side)}, or with a colour as the third; a place is 0 at the left and 1 at the right, and
    the side of a text that is there is "left", "center" or "right".
    """

    def __init__(self, ax, columns, rows):
        ax.set_axis_off()
        ax.set(xlim=(0, 1), ylim=(rows + 0.5, -0.5))
        for heading, (place, side, *_) in columns.items():
            ax.text(place, 0, heading, ha=side, va="center", color=GREY)
        self.cells = [[self._cell(ax, row, *column) for column in columns.values()] for row in range(1, rows + 1)]

    def _cell(self, ax, row, place, side, colour=INK):
        return ax.text(place, row, "", ha=side, va="center", color=colour, animated=True)

    def show(self, rows, colours=()):
        """Rows of texts, from above; what is below them is empty.  colours : of the texts in the first column."""
        for cells, texts in zip_longest(self.cells, rows, fillvalue=()):
            for cell, text in zip_longest(cells, texts, fillvalue=""):
                cell.set_text(text)
        for cells, colour in zip(self.cells, colours, strict=False):
            cells[0].set_color(colour)
