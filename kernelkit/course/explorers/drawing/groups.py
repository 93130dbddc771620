"""Points of the plane by the group they were put into: a hue and a marker for each, none of which means a class."""

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from kernelkit.course.panel.marks import Dots
from kernelkit.course.plots import GREEN, GREY, PURPLE

LOOKS = (
    (GREEN, "^"),
    (PURPLE, "D"),
    ("#9A6A00", "p"),
    ("#A3305E", "v"),
    ("#3B6E8F", "h"),
    ("#5D6B1F", "<"),
    ("#7A4B2A", ">"),
)
MORE = (GREY, "*")  # from the eighth group on
SIZES = {"D": 0.8, "*": 1.5}  # of a marker, where others have 1, so that all look equally large
NONE = ("#8A8A8A", "x")  # of no group: noise
OPEN = ("#8A8A8A", "o")  # of no group yet


# of radius 1 around a point, as a broken line with the corners of one that Matplotlib draws 100 pixels large
CIRCLE = Path.unit_circle().transformed(Affine2D().scale(100)).to_polygons()[0] / 100


def grouped(X, labels, size=8.0, hollow=False):
    """Points (n, 2) by their labels 0, 1, …, −1 for none and −2 for none yet; hollow : white, with a coloured edge."""
    place = np.where(labels < 0, len(LOOKS) - labels, np.minimum(labels, len(LOOKS)))
    looks = *LOOKS, MORE, NONE, OPEN
    return [_dots(X[place == i], *look, size, hollow or look is NONE) for i, look in enumerate(looks)]


def _dots(X, colour, marker, size, outlined):
    look = {"edge": colour, "rim": 2.0} if outlined else {}
    fill, size = "white" if outlined else colour, size * SIZES.get(marker, 1.0)
    return Dots(*X.T, fill, marker=marker, size=size, **look) if len(X) else None
