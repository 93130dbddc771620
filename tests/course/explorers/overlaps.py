"""What of the texts of a picture lies on another, on a line or on a marker, or is cut off."""

from contextlib import contextmanager

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

NONE = ("None", "none", "", " ", ",", None)
HALF = 2.5  # pixels at the top and the bottom of a text's box that its letters seldom fill


@contextmanager
def listening():
    """Which texts are drawn meanwhile, each once; a background that is kept draws none."""
    drawn, draw = {}, Text.draw

    def heard(text, *rest):
        if text.get_visible() and text.get_text().strip():
            drawn[text] = None
        draw(text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", heard)
        yield drawn


def troubles(canvas, texts):
    """Sentences about each of the texts now on the canvas that cannot be read, here or as it is stored."""
    figure, renderer = canvas.figure, canvas.canvas.get_renderer()
    boxes = [(text, box_of(text, renderer)) for text in texts]
    grounds = [Ground(ax) for ax in figure.axes]
    for i, (text, box) in enumerate(boxes):
        words = text.get_text()
        if not (figure.bbox.padded(1).contains(*box.min) and figure.bbox.padded(1).contains(*box.max)):
            yield f"{words!r} is cut off"
        for other, its_box in boxes[i + 1 :]:
            if meet(box, its_box) and other.get_text() != words:
                yield f"{words!r} lies on {other.get_text()!r}"
        apart = text.get_bbox_patch() is not None or text.get_path_effects()
        if not apart and not any(ground.carries(box) for ground in grounds):
            for ground in grounds:
                yield from (f"{words!r} lies on {what}" for what in ground.under(box))


def box_of(text, renderer):
    box = text.get_window_extent(renderer)
    high = min(HALF, box.height / 5)
    return Bbox.from_extents(box.x0 + 1, box.y0 + high, box.x1 - 1, box.y1 - high)


def meet(box, other):
    """Whether two boxes share more than a pixel each way."""
    return min(box.x1, other.x1) - max(box.x0, other.x0) > 1 and min(box.y1, other.y1) - max(box.y0, other.y0) > 1


class Ground:
    """What a text of a picture may lie on in these axes: filled shapes, markers and lines, in pixels."""

    def __init__(self, ax):
        self.box = ax.get_window_extent() if ax.get_visible() else None
        filled = [c for c in ax.collections if isinstance(c, PolyCollection) and len(c.get_facecolor())]
        polygons = [c for c in filled if c.get_visible()]
        shapes = [c.get_transform().transform_path(path) for c in polygons for path in c.get_paths()]
        self.shapes = [path for path in shapes if len(path.vertices)]
        self.markers = list(markers(ax))
        lines = [line.get_transform().transform(line.get_xydata()) for line in ax.lines if has_a_line(line)]
        for many in ax.collections:
            if isinstance(many, LineCollection) and many.get_visible():
                lines += [many.get_transform().transform(segment) for segment in many.get_segments()]
        self.lines = [Path(line) for line in lines if len(line) > 1]

    def carries(self, box):
        """Whether a text is written into a marker or a shape that is larger than it."""
        if any(shape.contains_points(box.corners()).all() for shape in self.shapes):
            return True
        middle = (box.min + box.max) / 2
        larger = (places for places, size in self.markers if size > box.height)
        return any(np.any(np.hypot(*(places - middle).T) < 4) for places in larger)

    def under(self, box):
        """What lies under a text."""
        inside = self.box and Bbox.intersection(box, self.box)
        if not inside or inside.width < 1 or inside.height < 1:
            return
        if any(line.intersects_bbox(inside, filled=False) for line in self.lines):
            yield "a line"
        for places, size in self.markers:
            low, high = inside.padded(0.4 * size).extents.reshape(2, 2)
            if ((low <= places) & (places <= high)).all(axis=1).any():
                yield "a marker"


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


def has_a_line(line):
    return line.get_visible() and line.get_linestyle() not in NONE
