"""The small things that pictures share: points of a plane, round limits, labels that do not overlap, and a key."""

from math import floor, log10

import numpy as np

GROUND = {"facecolor": "white", "alpha": 0.85, "linewidth": 0, "pad": 0.6}  # the box of a text that lines may reach


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
