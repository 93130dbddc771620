"""A map over two numbers, both on logarithmic scales, from which a place can be chosen."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps

from kernelkit.course.explorers.drawing.trail import invited
from kernelkit.course.panel.marks import Axes, Axis, Contours, Discs, Dots, Image, Text
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE


@dataclass(frozen=True, eq=False)
class LogMap:
    """The map of a table of values (len(y), len(x)).

    x, y : the logarithms to base 10 of the two numbers, in even steps.  shade : from values to their colours.
    Its picture has shades, a purple line around the best place and a star there, and a green ring at the chosen place.
    Each visited place has a dot in its shade, also where the map is not shown yet.
    """

    x: np.ndarray
    y: np.ndarray
    shade: Callable

    def nearest(self, x, y):
        """The row and the column of the place nearest to a point of the picture."""
        return np.abs(self.y - y).argmin(), np.abs(self.x - x).argmin()

    def numbers(self, place):
        """The two numbers at a place (row, column)."""
        row, column = place
        return 10 ** self.x[column], 10 ** self.y[row]

    def chosen(self, x, y):
        """The two numbers nearest to a point of the picture, as the sliders take them."""
        return [float(f"{number:.6g}") for number in self.numbers(self.nearest(x, y))]

    def axis(self, which, label, ticks, names):
        """The axis of the numbers x or y; a pixel has its place in its middle."""
        places = getattr(self, which)
        half = (places[1] - places[0]) / 2
        return Axis(label, places[0] - half, places[-1] + half, ticks, names)

    def axes(self, x, y, here, values, visited, best=None, level=None, legend="", place=None):
        """The map with the ring at the two numbers ``here``, and the visited places, each two such numbers.

        x, y : its axes.  best : the best place, which the whole map is shown with, and the line at a level; None for
        the dots alone.
        """
        whole, seen = best is not None, np.log10(visited)
        shades = self.shade(np.array([values[self.nearest(*place)] for place in seen])) / 255
        return Axes(
            "",
            x,
            y,
            Text(0, 1.03, legend, INK, of="axes"),
            Image(self.shade(values), (x.low, x.high, y.low, y.high), name="shades") if whole else None,
            Contours(self.x, self.y, values, (level,), PURPLE, width=1.8) if whole else None,
            None if whole or len(visited) > 1 else invited("click: each place leaves its dot"),
            Discs(seen, shades, 10, edge=GREY, rim=0.8, clip=False, name="left"),
            Dots(*np.log10(here), "none", size=14, edge=GREEN, rim=3, clip=False),
            Dots(*np.log10(self.numbers(best)), PURPLE, marker="*", size=15, rim=1, name="best") if whole else None,
            name="map",
            place=place,
            dress=_closer,
        )


def _closer(ax):
    ax.yaxis.labelpad = 1


def shades(name, low, high):
    """The colours, as bytes, that values from low to high have in a table of Matplotlib."""
    colours = colormaps[name]  # a copy, whose table is made when it is first used
    return lambda values: colours((values - low) / (high - low), bytes=True)[..., :3]
