"""Notebook 16. A window of a picture: which way it becomes brighter, counted in bins and in cells."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.pictures import PICTURES, SIDE, filled, grey, small
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Line, Live, Paths, VLine
from kernelkit.course.panel.numbers import fixed, percent, typed
from kernelkit.course.plots import GREEN, GREY, PURPLE
from kernelkit.images.descriptors import (
    BINS,
    CELL_WIDTH,
    CELLS,
    CIRCLE,
    descriptor,
    direction_histogram,
    gradient,
    main_direction,
)
from kernelkit.images.filters import turned

LOW, HIGH = 31, 98  # rows and columns that may be chosen: turned, they stay in the picture
MIDDLE = (SIDE - 1) / 2
HALF = CELL_WIDTH * CELLS / 2  # of the window, in units of σ
SEEN = 48  # pixels of the window as it is shown
NEAR = 25  # degrees from the main direction
FLAT = 1e-6  # what is left of even ground between the pixels
DIRECTIONS = 360 / CIRCLE * np.arange(CIRCLE)
LEFT, AGAIN = -90, 3  # where the axis of directions begins, and the bars beyond each end, so that no peak is cut
PLACES = LEFT + 360 / CIRCLE * np.arange(-AGAIN, CIRCLE + AGAIN + 1)
WHICH = np.round(PLACES / (360 / CIRCLE)).astype(int) % CIRCLE  # of the directions
HUES = [GREY if LEFT <= place < LEFT + 360 else "#C4C4C4" for place in PLACES]
MIDDLES = np.mgrid[:CELLS, :CELLS].reshape(2, -1) + 0.5  # of the cells
AROUND = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])  # a window, and
AHEAD = np.array([(0, 0), (1, 0)])  # its direction: (right, up) in halves of it


@lru_cache(maxsize=64)
def slopes_of(picture, angle, light, sigma):
    """The picture, turned and dimmed, and its slopes."""
    x = light * turned(small(picture), angle)
    return x, gradient(x, sigma)


def place_in(row, column, angle):
    """Where a pixel of the upright picture goes when that is turned."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    right, up = column - 1 - MIDDLE, MIDDLE - (row - 1)
    return MIDDLE - (s * right + c * up), MIDDLE + (c * right - s * up)


def compute(picture, row, column, sigma, angle, light, follow):
    x, slopes = slopes_of(picture, angle, light, sigma)
    place = place_in(row, column, angle)
    counts = direction_histogram(slopes, place, sigma)
    counts[:] = counts if counts.max() > FLAT else 0
    voted = bool(counts.any())
    main = main_direction(slopes, place, sigma) if voted else 0.0
    near = np.abs((DIRECTIONS - main + 180) % 360 - 180) <= NEAR
    window = main if follow else 0.0
    h = descriptor(slopes, place, sigma, window) * voted
    upright = descriptor(slopes_of(picture, 0, 1.0, sigma)[1], (row - 1, column - 1), sigma, None if follow else 0.0)
    return SimpleNamespace(
        x=x,
        place=place,
        main=main,
        window=window,
        counts=counts,
        voted=voted,
        share=counts[near].sum() / (counts.sum() or 1),
        cells=h.reshape(CELLS, CELLS, BINS),
        seen=seen(x, place, sigma, window),
        distance=float(np.linalg.norm(h - upright)),
    )


def seen(x, place, sigma, angle):
    """The window as one sees it with its direction to the right."""
    from scipy.ndimage import map_coordinates

    t = ((np.arange(SEEN) + 0.5) / SEEN * 2 - 1) * HALF * sigma
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    along, up = t[None, :], -t[:, None]
    places = [place[0] - (s * along + c * up), place[1] + (c * along - s * up)]
    return map_coordinates(x, np.broadcast_arrays(*places), order=1, mode="nearest")


def picture(s):
    counts = Axes(
        "votes for each direction (pale: repeated)",
        Axis("", LEFT - 35, LEFT + 385, range(-90, 271, 90), ("↓ 270°", "→ 0°", "↑ 90°", "← 180°", "↓")),
        Axis("", 0, 1.08, ()),
        Bars(PLACES, (s.counts / (s.counts.max() or 1))[WHICH], HUES, width=8),
        VLine(on_axis(s.main), GREEN, width=2.5) if s.voted else None,
        name="counts",
        place=_placed(360, 234, 334, 102),
        pad=4,
    )
    cells = Axes(
        "its 16 cells, same way up",
        Axis("", 0, CELLS, range(CELLS + 1)),
        Axis("", CELLS, 0, range(CELLS + 1)),
        Paths(spokes(s.cells), PURPLE, width=2),
        Dots(*MIDDLES, GREY, size=4.5, rim=0),
        name="cells",
        place=_placed(534, 8, 160, 160),
        pad=4,
        dress=_cells,
    )
    return [[_whole(s), counts, _window(s), cells]]


def _placed(left, bottom, width, height):
    return left / 700, bottom / 360, width / 700, height / 360


def _whole(s):
    click = "the picture: click a place"
    return filled(
        Live(click, click, "the picture"),
        grey(s.x),
        Line(*in_picture(s, AROUND), GREEN, width=2.2),
        Line(*in_picture(s, AHEAD), GREEN, width=2.2) if s.voted else None,
        name="picture",
        place=_placed(6, 8, 328, 328),
    )


def _window(s):
    low = s.seen.min()
    pixels = grey(s.seen, low, max(s.seen.max(), low + 0.05))
    return filled("window, more contrast", pixels, place=_placed(360, 8, 160, 160))


def _cells(ax):
    ax.tick_params(length=0, labelbottom=False, labelleft=False)
    ax.grid(color="#CCCCCC", lw=0.8)


def on_axis(angle):
    """The place of an angle on the axis of directions."""
    return (angle - LEFT) % 360 + LEFT


def in_picture(state, points):
    """Columns and rows of points (right, up) of the window, in halves of it."""
    c, s = np.cos(np.radians(state.window)), np.sin(np.radians(state.window))
    right, up = HALF * state.sigma * points.T
    return state.place[1] + c * right - s * up, state.place[0] - (s * right + c * up)


def spokes(cells):
    """In each cell a line in each direction, as long as its count."""
    turn = 2 * np.pi * np.arange(BINS) / BINS
    towards = np.stack([np.cos(turn), -np.sin(turn)], axis=-1)
    i, k = np.mgrid[:CELLS, :CELLS] + 0.5
    start = np.broadcast_to(np.stack([k, i], axis=-1)[:, :, None], (CELLS, CELLS, BINS, 2))
    end = start + 0.5 * cells[..., None] / (cells.max() or 1) * towards
    return np.stack([start, end], axis=-2).reshape(-1, 2, 2)


def readout(state):
    return {
        "main direction": {True: f"{fixed(round(state.main) % 360, 0)}°", False: "none"}[state.voted],
        f"votes within {NEAR}° of it": percent(state.share, 0) if state.voted else None,
        "distance from the unturned descriptor": fixed(state.distance) if state.voted else None,
    }


def _choose(state, x, y):
    back = -np.radians(state.angle)
    right, up = x - MIDDLE, MIDDLE - y
    column, row = MIDDLE + np.cos(back) * right - np.sin(back) * up, MIDDLE - np.sin(back) * right - np.cos(back) * up
    return {"row": int(np.clip(round(row) + 1, LOW, HIGH)), "column": int(np.clip(round(column) + 1, LOW, HIGH))}


def _tell(state, x, y):
    row, column = (int(np.clip(round(v), 0, SIDE - 1)) for v in (y, x))
    return f"row {row + 1}, column {column + 1}: x = {fixed(state.x[row, column], 2)}"


def _tell_counts(state, x, y):
    o = round(x / (360 / CIRCLE)) % CIRCLE
    return f"towards {fixed(DIRECTIONS[o], 0)}°: {percent(state.counts[o] / (state.counts.sum() or 1))}"


def _tell_cells(state, x, y):
    row, column = (int(np.clip(v, 0, CELLS - 1)) for v in (y, x))
    cell = state.cells[row, column]
    return f"cell {row + 1}, {column + 1}: most {fixed(cell.max(), 2)}, at {360 // BINS * int(cell.argmax())}°"


def code(picture, row, column, sigma, angle, light, follow):
    return (
        "from kernelkit.course.explorers.images.orientations import place_in\n"
        "from kernelkit.course.explorers.drawing.pictures import small\n"
        "from kernelkit.images.descriptors import descriptor, gradient, main_direction\n"
        "from kernelkit.images.filters import turned\n\n"
        f"x, sigma = {typed(light)} * turned(small({picture!r}), {angle}), {typed(sigma)}\n"
        f"slopes, place = gradient(x, sigma), place_in({row}, {column}, {angle})\n"
        f"h = descriptor(slopes, place, sigma{'' if follow else ', angle=0'})\n"
        "print(main_direction(slopes, place, sigma), h.reshape(4, 4, 8).round(2))"
    )


orientations = panel(
    compute,
    picture,
    readout,
    code,
    Choice("picture", "picture", "temple", PICTURES),
    Slider("row", "row", 60, LOW, HIGH, 1, more=True),
    Slider("column", "column", 50, LOW, HIGH, 1, more=True),
    Slider("sigma", "scale σ", 2.0, 1.0, 4.0, 0.1, more=True),
    Slider("angle", "turned by (degrees)", 0, 0, 355, 5),
    Slider("light", "light", 1.0, 0.2, 1.0, 0.05),
    Switch("follow", "turn the window along", True),
    title="Votes for a direction",
    shows="On the left the picture with a green square around the chosen place, the window, and an arrow along its "
    "direction. On the upper right a bar for the votes for each direction, with a green line at the peak. Below it "
    "the window, seen with its direction to the right, and its 16 cells, where each line is as long as the votes for "
    "its direction.",
    size=(7.0, 3.6),
    film=("angle",),
    scenes={
        "An upright edge": {"picture": "shapes", "row": 41, "column": 81, "sigma": 1.2},
        "Stripes": {"picture": "shapes", "row": 95, "column": 39, "sigma": 1.5},
        "Turned by 40°": {"angle": 40},
        "Window upright": {"angle": 40, "follow": False},
        "Little light": {"light": 0.2},
    },
    question=Question(
        "It is dark on the left of an upright edge and bright on its right. In which direction do most votes point?",
        ("towards 0°, across the edge", "towards 90°, along the edge", "towards 0° and 180° alike"),
        0,
        "A gradient points to where brightness rises fastest, which is straight across the edge, from dark to bright. "
        "Along an edge nothing changes. With 180°, dark and bright would be exchanged.",
        scene="An upright edge",
    ),
    tell={"picture": _tell, "counts": _tell_counts, "cells": _tell_cells},
    click={"picture": _choose},
)
