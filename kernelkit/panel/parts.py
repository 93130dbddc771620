"""The parts that pictures share; where their axes are is in ``layout``.

There are curves with their key, signed bars, axes in powers of ten, and tables of texts; a field over a plane is in
``field``. Each is built once and then shown with new numbers. The small functions above them are for everything else:
frames that are kept, points of a plane, round limits, and labels that do not overlap.
"""

from math import floor, log10

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.panel.numbers import short
from kernelkit.plots import INK, sign_colours


def reframed(ax, *frame):
    """Whether what the fixed part of these axes (limits, ticks, titles) is made from is new; it is remembered."""
    if frame_of(ax) == frame:
        return False
    ax.kernelkit_frame = frame
    return True


def frame_of(ax):
    """What the fixed part of these axes was made from last, None if it never changes."""
    return getattr(ax, "kernelkit_frame", None)


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


def key(ax, lines, columns=4, left=0.0, spacing=1.3):
    """What the lines are, {name: line}, each name in the colour of its line, where a title of the axes would stand.

    left, spacing : where it starts, in the axes, and the room between two names, in letters: for a long one.
    """
    return ax.legend(
        list(lines.values()),
        list(lines),
        loc="lower left",
        bbox_to_anchor=(left, 1.01),
        ncols=columns,
        labelcolor=[line.get_color() for line in lines.values()],
        borderaxespad=0,
        borderpad=0,
        handlelength=1.7,
        handletextpad=0.5,
        columnspacing=spacing,
    )


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
