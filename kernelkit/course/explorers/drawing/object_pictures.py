"""The picture of an object: words or dots, links between them, green where another object has the same."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit.course.explorers.drawing.parts_of_objects import NODES, width
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK

NOTES = 8  # what stands beside the words of one picture
PALE, SAME = "#EDEDED", "#BFE3D8"
REACH = 0.11  # how far from a node a click still means it, in heights of the picture


def build_object(ax):
    """The artists of one object in axes that span [0, 1] × [0, 1]."""
    whole_frame(ax)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    look = {"animated": True}
    return {
        "links": ax.add_collection(LineCollection([], zorder=2, **look)),
        "boxes": ax.add_collection(PolyCollection([], lw=1, zorder=3, **look)),
        "dots": ax.scatter([], [], s=120, lw=1, zorder=3, **look),
        "texts": [ax.text(0, 0, "", ha="center", va="center", zorder=4, color=INK, **look) for _ in range(NODES)],
        "notes": [ax.text(0, 0, "", ha="center", va="center", color=GREY) for _ in range(NOTES)],
    }


def draw_object(parts, drawing, common):
    """Put a drawing into place. Its notes belong to what is fixed.

    common : the parts that it shares, each the numbers of its nodes: these are green, and so is a link inside of one.
    """
    marked = frozenset().union(*common)
    same = [any({i, j} <= part for part in common) for i, j in drawing.links]
    parts["links"].set_segments([[drawing.places[i], drawing.places[j]] for i, j in drawing.links])
    parts["links"].set_color([GREEN if s else GREY for s in same])
    parts["links"].set_linewidth([3.0 if s else 1.2 for s in same])
    worded = [i for i, text in enumerate(drawing.texts) if text]
    parts["boxes"].set_verts([_box(drawing.places[i], drawing.texts[i]) for i in worded])
    _dye(parts["boxes"], worded, marked)
    dots = [i for i, text in enumerate(drawing.texts) if not text]
    parts["dots"].set_offsets(np.array([drawing.places[i] for i in dots]).reshape(-1, 2))
    _dye(parts["dots"], dots, marked)
    _write(parts["texts"], [(*drawing.places[i], drawing.texts[i]) for i in worded])
    if reframed(parts["boxes"].axes, drawing.notes):
        _write(parts["notes"], drawing.notes)


def _write(texts, words):
    """Put words (x, y, word) into the first of some texts; the others are empty."""
    for i, text in enumerate(texts):
        x, y, word = words[i] if i < len(words) else (0, 0, "")
        text.set(position=(x, y), text=word, visible=bool(word))


def _dye(collection, nodes, marked):
    collection.set_facecolor([SAME if i in marked else PALE for i in nodes])
    collection.set_edgecolor([GREEN if i in marked else GREY for i in nodes])


def _box(place, text):
    """The corners of a box that holds a text."""
    x, y = place
    w, h = width(text) / 2, 0.075
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


def node_at(drawing, x, y):
    """The number of the node at a place, None where there is none."""
    for i, ((a, b), text) in enumerate(zip(drawing.places, drawing.texts, strict=True)):
        if abs(y - b) <= REACH * 0.8 and abs(x - a) <= (width(text) / 2 if text else 0.045):
            return i
    return None
