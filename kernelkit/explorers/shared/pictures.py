"""Small grey pictures for the panels of notebook 16, and how numbers of either sign are shown."""

from functools import lru_cache

import numpy as np

from kernelkit import datasets
from kernelkit.explorers.shared.shades import COLOURS, as_bytes

SIDE = 128
PICTURES = {"a temple": "temple", "a flower": "flower", "an admiral": "admiral", "shapes": "shapes"}
CROPS = {"temple": ("china", 110, 220, 1), "flower": ("flower", 60, 130, 2), "admiral": ("hopper", 30, 120, 2)}


@lru_cache
def small(name):
    """A picture of 128 × 128, not to be written into: a part of a photograph, or drawn shapes."""
    if name == "shapes":
        x = shapes()
    else:
        photo, row, column, step = CROPS[name]
        x = datasets.picture(photo, grey=True)[row:, column:][: SIDE * step, : SIDE * step]
        x = x.reshape(SIDE, step, SIDE, step).mean(axis=(1, 3))
    x.setflags(write=False)
    return x


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


def grey(x, low=0.0, high=1.0):
    """Black at low, white at high, as bytes of colours."""
    rgba = np.full((*np.shape(x), 4), 255, np.uint8)
    rgba[..., :3] = np.clip((x - low) * (255 / ((high - low) or 1)) + 0.5, 0, 255)[..., None]
    return rgba


def signed(x, most):
    """White at 0, orange at +most, blue at −most."""
    part = np.clip(x / (most or 1), -1, 1)[..., None]
    return as_bytes(1 - np.maximum(-part, 0) * (1 - COLOURS[0]) - np.maximum(part, 0) * (1 - COLOURS[1]))


def show(ax, title=None):
    """An image in axes without ticks, to be moved by ``put``: its picture always fills the axes."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    ax.spines[:].set_color("#999999")
    if title:
        ax.set_title(title, pad=4)
    return ax.imshow(np.full((2, 2, 4), 255, np.uint8), aspect="auto", interpolation="nearest", animated=True)


def put(image, pixels):
    """Show these pixels (rows, columns, 4); rows and columns are the axes' coordinates."""
    image.set_data(pixels)
    rows, columns = pixels.shape[:2]
    image.set_extent((-0.5, columns - 0.5, rows - 0.5, -0.5))
