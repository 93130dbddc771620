"""A map over two numbers, both on logarithmic scales, from which a place can be chosen."""

from dataclasses import dataclass

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit.course.explorers.drawing.trail import invitation
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, contour_lines


@dataclass(frozen=True, eq=False)
class LogMap:
    """The map of a table of values (len(y), len(x)).

    x, y : the logarithms to base 10 of the two numbers, in even steps.
    Its picture has shades, a purple line around the best place and a star there, and a green ring at the chosen place.
    Each visited place has a dot in its shade, also where the map is not shown yet.
    """

    x: np.ndarray
    y: np.ndarray

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

    def build(self, ax, **shades):
        """The parts of the picture.  shades : cmap, vmin and vmax."""
        half = (self.x[1] - self.x[0]) / 2, (self.y[1] - self.y[0]) / 2  # a pixel has its place in its middle
        extent = (self.x[0] - half[0], self.x[-1] + half[0], self.y[0] - half[1], self.y[-1] + half[1])
        ax.set(xlim=extent[:2], ylim=extent[2:])
        image = ax.imshow(
            np.zeros((len(self.y), len(self.x))),
            origin="lower",
            extent=extent,
            aspect="auto",
            interpolation="nearest",
            animated=True,
            **shades,
        )
        ring = {"color": "none", "mec": GREEN, "mew": 3, "ms": 14, "animated": True, "zorder": 5}
        return {
            "map": ax,
            "image": image,
            "line": ax.add_collection(LineCollection([], color=PURPLE, linewidth=1.8, animated=True, zorder=3)),
            "best": ax.plot([], [], "*", color=PURPLE, ms=15, mec="white", animated=True, zorder=6)[0],
            "here": ax.plot([], [], "o", clip_on=False, **ring)[0],
            "left": ax.scatter(
                [],
                [],
                s=100,
                c=[],
                edgecolors=GREY,
                linewidths=0.8,
                zorder=3.5,
                clip_on=False,
                animated=True,
                **shades,
            ),
            "invitation": invitation(ax, "click: each place leaves its dot"),
            "legend": ax.text(0, 1.03, "", color=INK, transform=ax.transAxes),
        }

    def draw(self, parts, here, values, visited, best=None, level=None, legend=""):
        """Move the ring to the two numbers ``here``, and show the values at the visited places, each two such numbers.

        best : the best place, which the whole map is shown with, and the line at a level; None for the dots alone.
        """
        parts["here"].set_data(*np.log10(here)[:, None])
        whole = best is not None
        for name in ("image", "line", "best"):
            parts[name].set_visible(whole)
        parts["invitation"].set_visible(len(visited) < 2 and not whole)
        if reframed(parts["map"], legend):
            parts["legend"].set_text(legend)
        if whole:
            parts["image"].set_data(values)
            parts["line"].set_segments(contour_lines(self.x, self.y, values, [level])[0])
            parts["best"].set_data(*np.log10(self.numbers(best))[:, None])
        places = np.log10(visited)
        parts["left"].set_offsets(places)
        parts["left"].set_array([values[self.nearest(*place)] for place in places])
