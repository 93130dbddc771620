"""The picture of an object: words or dots, links between them, green where another object has the same."""

import numpy as np

from kernelkit.course.explorers.drawing.parts_of_objects import width
from kernelkit.course.panel.marks import Boxes, Discs, Paths, Text
from kernelkit.course.plots import GREEN, GREY, INK

PALE, SAME = "#EDEDED", "#BFE3D8"
REACH = 0.11  # how far from a node a click still means it, in heights of the picture


def object_marks(drawing, common):
    """The marks of one object in axes from 0 to 1.

    common : the parts that it shares, each the numbers of its nodes: these are green, and so is a link inside of one.
    """
    places, texts, marked = drawing.places, drawing.texts, frozenset().union(*common)
    looks = [(SAME, GREEN) if i in marked else (PALE, GREY) for i in range(len(places))]
    links, boxes = [], []
    for edge, wide in ((GREY, 1.2), (GREEN, 3.0)):
        ends = [link for link in drawing.links if any({*link} <= part for part in common) == (edge == GREEN)]
        links += [Paths([[places[i] for i in link] for link in ends], edge, width=wide, name="links") if ends else None]
        own = [i for i, text in enumerate(texts) if text and looks[i][1] == edge]
        worded = [_box(places[i], texts[i]) for i in own]
        boxes += [Boxes(worded, [looks[i][0] for i in own], edge=edge, rim=1) if own else None]
    dots = [i for i, text in enumerate(texts) if not text]
    fills, edges = ([looks[i][part] for i in dots] for part in (0, 1))
    return [
        *(Text(x, y, note, GREY, side="center", up="center") for x, y, note in drawing.notes),
        *links,
        *boxes,
        Discs(np.array([places[i] for i in dots]), fills, 10.96, edge=edges, rim=1) if dots else None,
        *(Text(*places[i], text, INK, side="center", up="center") for i, text in enumerate(texts) if text),
    ]


def _box(place, text):
    """A box that holds a text."""
    (x, y), w, h = place, width(text), 0.15
    return x - w / 2, y - h / 2, w, h


def node_at(drawing, x, y):
    """The number of the node at a place, None where there is none."""
    for i, ((a, b), text) in enumerate(zip(drawing.places, drawing.texts, strict=True)):
        if abs(y - b) <= REACH * 0.8 and abs(x - a) <= (width(text) / 2 if text else 0.045):
            return i
    return None
