"""A decision boundary over a plane: two sides as strong as h, the line h = 0, dashed margins at ±1, points."""

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Gaussian
from kernelkit.arrays import gaussian
from kernelkit.course.panel.marks import Contours, Dots, Field
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, INK, MARKERS, ORANGE, PURPLE

INK_OF_SIDES = 0.36  # how much of its colour a side has where it is sure
PALE = 0.5  # and a point on which nothing depends
NOTHING = 1e-9  # |h| that is 0 but for rounding


def grid(low, high, steps=100):
    """The coordinates of a square grid over [low, high]²: two vectors."""
    return np.linspace(low[0], high[0], steps), np.linspace(low[1], high[1], steps)


def decision_on_grid(model, x, y):
    """h at every (x_i, y_j), as a matrix with one row a y; for the Gaussian kernel, which factorises, in no time."""
    kernel, b = getattr(model, "kernel", None), getattr(model, "b_", 0.0)
    if not isinstance(kernel, Gaussian):
        return model.decision_function(plane_points(x, y)).reshape(len(y), len(x))
    centres, a = model.X_[model.a_ != 0], model.a_[model.a_ != 0]
    if len(a) == 0:
        return np.full((len(y), len(x)), b)
    return _bumps(centres, a, x, y, kernel.sigma) + b


def _bumps(centres, a, x, y, sigma):
    """Σ a_i exp(−‖z − X_i‖²/2σ²) at every z of the grid: the exponential of a sum is a product."""
    return (gaussian(y[:, None], centres[:, 1:], sigma) * a) @ gaussian(x[:, None], centres[:, :1], sigma).T


def _cells(x, y, points):
    """The rows and columns of the grid that are nearest to these points."""
    return [
        np.clip(np.rint((p - line[0]) / (line[1] - line[0])).astype(int), 0, len(line) - 1)
        for p, line in ((points[:, 1], y), (points[:, 0], x))
    ]


def value_at(x, y, H, place):
    """H at the place (x, y) of the plane, or at the nearest cell of the grid: what a pointer tells."""
    row, column = _cells(x, y, np.array([place], float))
    return float(H[row[0], column[0]])


# ---- how strong a side looks ------------------------------------------------------------------


def shade(x, y, H, points):
    """h over the grid from −1 to 1: √|h| with its sign, as a part of what is usual at the points, and no more than 1.

    The ink grows fast, but from nothing. Where h falls silent, as a Gaussian's does far from all points, there is none.
    """
    usual = np.median(np.abs(H[*_cells(x, y, points)])) if len(points) else 1.0
    return np.sign(H) * np.sqrt(np.minimum(np.abs(H) / max(usual, NOTHING), 1.0))


# ---- the picture ------------------------------------------------------------------------------


def pale(colour):
    """The colour of a class, for a point on which nothing depends."""
    return tuple(1 - PALE * (1 - part) for part in to_rgb(colour))


PAINT = scale(BLUE, ORANGE, INK_OF_SIDES)
COLOURS = {-1: BLUE, 1: ORANGE}
PALES = {label: pale(colour) for label, colour in COLOURS.items()}


def sides(x, y, H, usual, reference=None, margin=1.0, colour=PURPLE, widths=(2.2, 1.3, 1.8)):
    """The two sides as strong as h, the line h = 0, dashed lines at ±margin if there is one, and a second boundary.

    usual : the points whose |h| the sides are shaded by.  reference, colour : of the second boundary.
    widths : of these lines.
    """
    zero, dashes, second = widths
    if margin is None:
        lines = Contours(x, y, H, width=zero, name="boundary")
    else:
        width, style = (dashes, zero, dashes), ("--", "-", "--")
        lines = Contours(x, y, H, (-margin, 0.0, margin), width=width, style=style, name="boundary")
    if reference is not None:
        reference = Contours(x, y, reference, color=colour, width=second, style="--", name="reference")
    return [Field(shade(x, y, H, usual), PAINT), lines, reference]


def no_sides():
    """The marks of ``sides`` where there is no h."""
    return [Field(np.zeros((2, 2)), PAINT), None, None]


def points(X, y, support=(), on_margin=(), idle=(), own=(), size=7.0, rim=0.7, ring=(11, 1.2), dot=4.0):
    """Points of both classes; indices of those with a ring, with a dot, pale, and large with a dark outline."""
    ours, ringed, dotted, faint = (np.isin(np.arange(len(X)), some) for some in (own, support, on_margin, idle))

    def dots(those, color, size=size, rim=rim, **look):
        return Dots(*X[those].T, color, size=size, rim=rim, **look) if those.any() else None

    def of_both(those, colours, **look):
        return [dots((y == c) & those, colours[c], marker=MARKERS[c], **look) for c in colours]

    return [
        *of_both(~ours & faint, PALES, name="idle"),
        dots(ringed & ~ours, "none", *ring, edge=INK, name="rings"),
        dots(ringed & ours, "none", 16, 1.2, edge=INK, name="rings"),
        *of_both(~ours & ~faint, COLOURS),
        *of_both(ours, COLOURS, size=10, rim=1.8, edge=INK),
        dots(dotted, INK, dot, 1.0, edge=INK, name="filled"),
    ]
