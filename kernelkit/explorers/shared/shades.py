"""A plane shaded by probability or class."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from kernelkit.models.logistic import sigmoid
from kernelkit.plots import BLUE, GREEN, INK, ORANGE

PALE = 0.45  # how much colour a probability of 1 has
COLOURS = np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN)])


def probability_shades(H):
    """Blue where P(+1) = s(h) is 0, white at ½, orange at 1."""
    p = sigmoid(H)[..., None]
    ink = np.maximum(0.5 - p, 0) * (1 - COLOURS[0]) + np.maximum(p - 0.5, 0) * (1 - COLOURS[1])
    return bytes(1 - 2 * PALE * ink)


def bytes(colours):
    """Colours in [0, 1] as opaque RGBA bytes, which are drawn fastest."""
    rgba = np.full((*colours.shape[:2], 4), 255, np.uint8)
    rgba[..., :3] = np.round(255 * colours)
    return rgba


def class_shades(P):
    """Each place in the mixture of the three colours that its probabilities (…, 3) give; white where they are equal."""
    excess = np.maximum(P - 1 / 3, 0) * 1.5
    return bytes(1 - PALE * (excess @ (1 - COLOURS)))


def build_shading(ax, low, high):
    """An image over [low, high] that moves."""
    extent = (low[0], high[0], low[1], high[1])
    look = {"origin": "lower", "aspect": "auto", "interpolation": "nearest", "animated": True, "zorder": 0}
    return ax.imshow(np.full((2, 2, 4), 255, np.uint8), extent=extent, **look)


def build_lines(ax):
    """The line p = ½, and dashed the places where one is 90 % sure."""
    full = LineCollection([], colors=INK, linewidths=2.2, animated=True, zorder=2)
    dashed = LineCollection([], colors=INK, linewidths=1.2, linestyles="--", animated=True, zorder=2)
    return ax.add_collection(full), ax.add_collection(dashed)


REACH = 2.6
NOISE = {"half_planes": 0.4, "rings": 0.25, "crossing": 0.25, "moons": 0.3, "mixture": None}
