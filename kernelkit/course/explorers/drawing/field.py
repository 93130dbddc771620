"""A field over a plane: an image at the resolution of the screen, level lines, and points of two classes."""

from matplotlib.collections import LineCollection

from kernelkit.course.explorers.drawing.shades import build_points, draw_points, whole_frame
from kernelkit.course.panel.marks import Contours
from kernelkit.course.panel.stretched import Stretched
from kernelkit.course.plots import INK, contour_lines

FLAT = 1e-9  # a field that varies less has no level lines, which would show its rounding


class Field:
    """A framed plane with the image of a field, level lines, dashed ones, and points, all of which move.

    x, y : the coordinates of the grid on which fields (len(y), len(x)) are given.  paint : see ``Stretched``.
    width : of the level lines.  size : of the points.
    """

    def __init__(self, ax, x, y, paint, width=2.2, size=7.0):
        self.x, self.y = x, y
        whole_frame(ax)
        ax.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
        self.image = Stretched(ax, paint)
        look = {"colors": INK, "animated": True, "zorder": 2}
        self.full = ax.add_collection(LineCollection([], linewidths=width, **look))
        self.dashed = ax.add_collection(LineCollection([], linewidths=1.2, linestyles="--", **look))
        self.marks = build_points(ax, size)

    def show(self, *fields):
        """The fields that the image paints."""
        self.image.show(*fields)

    def lines(self, H, levels=(0.0,), dashed=False):
        """Draw where H has these values; nowhere if H is flat."""
        paths = contour_lines(self.x, self.y, H, levels) if H.max() - H.min() > FLAT else []
        (self.dashed if dashed else self.full).set_segments([path for level in paths for path in level])

    def points(self, X, y):
        """Points of the classes −1 and +1."""
        draw_points(self.marks, X, y)


def level_lines(x, y, H, levels=(0.0,), **look):
    """Where H has these values; nowhere if it is flat."""
    return Contours(x, y, H, levels, **look) if H.max() - H.min() > FLAT else None
