"""Small pictures for the panels of notebook 16, grey and in colour, and how pixels and numbers are shown."""

from functools import lru_cache

import numpy as np

from kernelkit import datasets
from kernelkit.course.explorers.drawing.shades import COLOURS, as_bytes
from kernelkit.course.panel.marks import Axes, Axis, Image

SIDE = 128
PICTURES = {"a temple": "temple", "a flower": "flower", "an admiral": "admiral", "shapes": "shapes"}
CROPS = {"temple": ("china", 110, 220, 1), "flower": ("flower", 60, 130, 2), "admiral": ("hopper", 30, 120, 2)}


@lru_cache
def small(name):
    """A grey picture of 128 × 128, not to be written into: a part of a photograph, or drawn shapes."""
    return _kept(shapes() if name == "shapes" else _part(name).mean(axis=2))


@lru_cache
def coloured(name):
    """The same in colours, (128, 128, 3)."""
    return _kept(shapes()[..., None] * tints() if name == "shapes" else _part(name))


def _kept(x):
    x.setflags(write=False)
    return x


def _part(name):
    photo, row, column, step = CROPS[name]
    x = datasets.picture(photo)[row:, column:][: SIDE * step, : SIDE * step]
    return x.reshape(SIDE, step, SIDE, step, 3).mean(axis=(1, 3))


def shapes():
    """A disc, a square, stripes at 45° and dark dots, on even grey."""
    i, k = np.mgrid[:SIDE, :SIDE]
    x = np.full((SIDE, SIDE), 0.4)
    x[np.hypot(i - 40, k - 38) < 20.5] = 0.9
    x[24:57, 80:113] = 0.9
    stripes = (np.abs(i - 94) < 18) & (np.abs(k - 38) < 18)
    x[stripes & ((i + k) % 8 < 4)] = 0.9
    x[stripes & ((i + k) % 8 >= 4)] = 0.1
    for row, column in ((80, 84), (80, 108), (94, 96), (108, 84), (108, 108)):
        x[np.hypot(i - row, k - column) < 3.5] = 0.05
    return x


def tints():
    """A red disc, a green square and blue stripes among the shapes; the rest is grey."""
    part = np.ones((SIDE, SIDE, 3))
    light = shapes() == 0.9
    middle = SIDE // 2
    for place, tint in (
        (np.s_[:middle, :middle], (1, 0.3, 0.2)),
        (np.s_[:middle, middle:], (0.3, 1, 0.4)),
        (np.s_[middle:, :middle], (0.3, 0.5, 1)),
    ):
        part[place][light[place]] = tint
    return part


def grey(x, low=0.0, high=1.0):
    """Black at low, white at high, as bytes of colours; with three channels, each is one of them."""
    rgb = np.empty((*np.shape(x)[:2], 3), np.uint8)
    level = np.clip((x - low) * (255 / ((high - low) or 1)) + 0.5, 0, 255)
    rgb[:] = level if np.ndim(x) == 3 else level[..., None]
    return rgb


def channel(x, c):
    """One channel alone: black at 0, at 1 red, green or blue."""
    colours = np.zeros((*x.shape, 3))
    colours[..., c] = x
    return grey(colours)


def signed(x):
    """White at 0, full orange or blue at the largest size."""
    part = (x / (np.abs(x).max() or 1))[..., None]
    return as_bytes(1 - np.maximum(-part, 0) * (1 - COLOURS[0]) - np.maximum(part, 0) * (1 - COLOURS[1]))[..., :3]


def filled(title, pixels, *marks, **rest):
    """Axes that pixels (rows, columns, 3) fill, with their rows and columns as units, and what lies over them."""
    rows, columns = pixels.shape[:2]
    across, down = (-0.5, columns - 0.5), (-0.5, rows - 0.5)
    image, axes = Image(pixels, across + down), (Axis("", *across, ()), Axis("", *down[::-1], ()))
    return Axes(title, *axes, image, *marks, pad=4, frame=True, dress=_pale, **rest)


def _pale(ax):
    ax.spines[:].set_color("#999999")
