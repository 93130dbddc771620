"""What of the texts of a picture lies on another, on a line or on a marker, or is cut off."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

NONE = ("None", "none", "", " ", ",", None)
HALF = 2.5  # pixels at the top and the bottom of a text's box that its letters seldom fill


def troubles(canvas):
    """Sentences about each text of the picture now on the canvas that cannot be read, here or as it is stored."""
    figure, renderer = canvas.figure, canvas.canvas.get_renderer()
    boxes = [(text, box_of(text, renderer)) for text in texts_of(figure, renderer)]
    for i, (text, box) in enumerate(boxes):
        words = text.get_text()
        if not (figure.bbox.padded(1).contains(*box.min) and figure.bbox.padded(1).contains(*box.max)):
            yield f"{words!r} is cut off"
        for other, its_box in boxes[i + 1 :]:
            if other.get_text() != words and meet(box, its_box):
                yield f"{words!r} lies on {other.get_text()!r}"
        if not has_ground(text, box):
            for ax in figure.axes:
                yield from (f"{words!r} lies on {what}" for what in under(box, ax, renderer))


def texts_of(figure, renderer):
    """Every text that is drawn, once; ticks and titles belong to the fixed part, and the rest moves."""
    drawn, draw = {}, Text.draw
    moving = [artist for ax in figure.axes for artist in ax.get_children() if artist.get_animated()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", lambda text, *rest: (drawn.setdefault(text), draw(text, *rest))[1])
        for artist in (figure, *moving):
            artist.draw(renderer)
    return [text for text in drawn if text.get_visible() and text.get_text().strip()]


def box_of(text, renderer):
    box = text.get_window_extent(renderer)
    high = min(HALF, box.height / 5)
    return Bbox.from_extents(box.x0 + 1, box.y0 + high, box.x1 - 1, box.y1 - high)


def meet(box, other):
    both = Bbox.intersection(box, other)
    return both is not None and both.width > 1 and both.height > 1


def has_ground(text, box):
    """Whether the text has a box or an edge of its own, or is written into a marker or a box that is larger than it."""
    if text.get_bbox_patch() is not None or text.get_path_effects():
        return True
    for ax in text.figure.axes:
        filled = [c for c in ax.collections if isinstance(c, PolyCollection) and len(c.get_facecolor())]
        polygons = [c for c in filled if c.get_visible()]
        drawn = [c.get_transform().transform_path(path) for c in polygons for path in c.get_paths()]
        if any(path.contains_points(box.corners()).all() for path in drawn if len(path.vertices)):
            return True
        middle = (box.min + box.max) / 2
        if any(np.any(np.hypot(*(places - middle).T) < 4) for places, size in markers(ax) if size > box.height):
            return True
    return False


def markers(ax):
    """[their places in pixels, how large they are] of all kinds of markers."""
    pixel = ax.figure.dpi / 72
    for line in ax.lines:
        if line.get_visible() and line.get_marker() not in NONE and len(line.get_xydata()):
            yield line.get_transform().transform(line.get_xydata()), line.get_markersize() * pixel
    for dots in ax.collections:
        if (
            isinstance(dots, PathCollection)
            and dots.get_visible()
            and len(dots.get_offsets())
            and len(dots.get_sizes())
        ):
            yield dots.get_offset_transform().transform(dots.get_offsets()), np.sqrt(dots.get_sizes().max()) * pixel


def under(box, ax, renderer):
    """What of these axes lies under the text."""
    inside = ax.get_visible() and Bbox.intersection(box, ax.get_window_extent(renderer))
    if not inside or inside.width < 1 or inside.height < 1:
        return
    paths = [line.get_transform().transform(line.get_xydata()) for line in ax.lines if has_a_line(line)]
    for lines in ax.collections:
        if isinstance(lines, LineCollection) and lines.get_visible():
            paths += [lines.get_transform().transform(segment) for segment in lines.get_segments()]
    if any(len(path) > 1 and Path(path).intersects_bbox(inside, filled=False) for path in paths):
        yield "a line"
    for places, size in markers(ax):
        if np.any([inside.padded(0.4 * size).contains(*place) for place in places]):
            yield "a marker"


def has_a_line(line):
    return line.get_visible() and line.get_linestyle() not in NONE
