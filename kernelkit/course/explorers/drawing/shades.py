"""A plane shaded by probability or class, paler the less sure the model is."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb

from kernelkit.course.panel.marks import Axes, Axis, Dots, Image, Text
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, GREEN, MARKERS, ORANGE

PALE = 0.45  # how much colour a probability of 1 has
DIVERGING = LinearSegmentedColormap.from_list("blue to orange", [BLUE, "white", ORANGE])
COLOURS = np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN)])


PROBABILITIES = scale(BLUE, ORANGE, PALE)


def probability_shades(H):
    """Blue where P(+1) = s(h) is 0, white at ½, orange at 1."""
    return PROBABILITIES(np.tanh(H / 2))  # 2 s(h) − 1


def class_shades(P):
    """Each place in the colour of its most probable class (…, 3), paler the smaller its lead; white where two tie."""
    ordered = np.sort(P, axis=-1)
    lead = ordered[..., -1:] - ordered[..., -2:-1]
    return as_bytes(1 - PALE * lead * (1 - COLOURS[P.argmax(axis=-1)]))


def as_bytes(colours):
    """Colours in [0, 1] as opaque RGBA bytes, which are drawn fastest."""
    rgba = np.full((*colours.shape[:2], 4), 255, np.uint8)
    rgba[..., :3] = np.round(255 * colours)
    return rgba


def whole_frame(ax):
    """Axes that show a plane: a line on all four sides, no ticks."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.spines[:].set_color("#999999")


def value_at(gx, gy, H, x, y):
    """H at the place of the grid nearest to (x, y)."""
    return H[np.abs(gy - y).argmin(), np.abs(gx - x).argmin()]


def plane(title, x, y, *marks, **look):
    """Axes without ticks over a plane, from x[0] to x[-1] and from y[0] to y[-1], in a grey frame."""
    sides = (Axis("", line[0], line[-1], ()) for line in (x, y))
    return Axes(title, *sides, *marks, frame=True, dress=grey_frame, **look)


def grey_frame(ax):
    ax.spines[:].set_color("#999999")


def class_points(X, y, size=7.0):
    """The points of the classes −1 and +1."""
    return [Dots(*X[y == c].T, colour, marker=MARKERS[c], size=size) for c, colour in ((-1, BLUE), (1, ORANGE))]


def digit(title, pixels, place, color="black"):
    """A picture of 8 × 8 pixels below its title, white where they are 0 and black where they are 1."""
    grey = np.repeat(1 - np.clip(pixels, 0, 1).reshape(8, 8)[::-1, :, None], 3, axis=2)
    words = Text(0, 1 + 0.0146 / place[3], title, color, of="axes")  # nearer to it than the title of axes is
    return plane("", (0, 8), (0, 8), words, Image(grey, (0, 8, 0, 8), smooth=True), place=place, equal=True)
