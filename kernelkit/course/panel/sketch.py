"""A question that is answered in the picture: by a marker, by some points, or by a curve through a few handles."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import numpy as np

from kernelkit.checks import check_array, short as brief
from kernelkit.course.panel.numbers import short

PINK = "#C2187F"  # of what the learner draws, and of nothing else
SKETCH = "sketch"  # the name under which a pointer gives the handles it has moved
HOW = {
    "marker": "Click the place, or drag the pink ring there",
    "points": "Drag the pink rings",
    "curve": "Drag the pink rings up and down; the dashed curve goes through them",
}
KEYS = "With the keyboard, Tab reaches a ring and the arrows move it."
AWAY = "Press Reset to draw your answer, or press See it to see what is right."
AGAIN = "Press See it to see your sketch again, and what is right."
UNDRAWN = "Press See it to see again what is right."
NEAR, CLOSE, FAR = 0.3, 0.6, 1.0  # how far a sketch is from a curve, in parts of what the best flat line misses
WAIT = "A part of the picture is hidden until you press See it."  # until then, in place of the sentence
THIRDS = ("in the left third", "in the middle", "in the right third")


@dataclass(frozen=True)
class Sketch:
    """A question whose answer is drawn before the picture shows it; like ``Question``, but nothing is ever wrong.

    kind : "marker", "points" or "curve".  axes : the name of the axes to draw in.
    start : the handles ((x, y), …) before anything is drawn; those of a curve keep their x.
    low, high : the corners of the box in which they stay.
    judge(drawn, values) : one sentence about the handles, next to the picture of ``scene``, whose controls say values.
    hides : the names of the marks, or the keys in parts, that would give the answer away; with the scene they appear,
    and so do the sentence and what a pointer is told.
    """

    prompt: str
    kind: str
    axes: str
    start: tuple
    low: tuple
    high: tuple
    judge: Callable
    why: str
    scene: str
    hides: tuple = ()

    def __post_init__(self):
        if self.kind not in HOW:
            raise ValueError(f"The kind of a sketch is one of {', '.join(HOW)}, got {self.kind!r}.")
        if self.kind == "marker" and len(self.start) != 1:
            raise ValueError(f"A marker has one handle, got {len(self.start)}.")

    @property
    def asks(self):
        return self.prompt, self.start

    def moved(self, drawn, index, place):
        """The handles, number index as near to the place as the box allows."""
        x, y = (float(min(max(v, a), b)) for v, a, b in zip(place, self.low, self.high, strict=True))
        return (*drawn[:index], (drawn[index][0] if self.kind == "curve" else x, y), *drawn[index + 1 :])

    def read(self, drawn):
        """Handles that somebody wrote, each as near to its place as the box allows."""
        places, handles = check_array(drawn, "the sketch"), self.start
        if places.shape != (len(handles), 2):
            raise ValueError(f"The sketch has {len(handles)} handles (x, y), got {brief(drawn)}.")
        for index, place in enumerate(places):
            handles = self.moved(handles, index, place)
        return handles

    def corners(self, place):
        """Two corners of the box in which the handle at this place can be moved."""
        (left, bottom), (right, top) = self.low, self.high
        return ((place[0], bottom), (place[0], top)) if self.kind == "curve" else ((left, bottom), (right, top))

    def verdict(self, drawn, values):
        """What is said of the sketch, as HTML."""
        return escape(self.judge(drawn, values))

    def named(self, drawn):
        """[name, where it is] of each handle, for whoever does not see it."""
        name = "marker" if self.kind == "marker" else "ring"
        names = [name if len(drawn) == 1 else f"{name} {i + 1} of {len(drawn)}" for i in range(len(drawn))]
        return [[name, f"at {short(x, 2)}, {short(y, 2)}"] for name, (x, y) in zip(names, drawn, strict=True)]


class Drawn:
    """What a learner has drawn, in the axes of a canvas.  handles : those that were shown last, None before."""

    def __init__(self, ax, sketch):
        self.ax, self.sketch, self.handles = ax, sketch, None
        look = {"color": PINK, "animated": True, "visible": False}
        self.curve = ax.plot([], [], "--", linewidth=2.2, zorder=8, **look)[0]
        self.rings = ax.plot([], [], "o", mfc="white", mew=2.4, ms=10, zorder=9, clip_on=False, **look)[0]
        self.lines = self.curve, self.rings

    def show(self, drawn):
        """The handles, and the curve that goes through them."""
        self.handles = drawn
        self.rings.set_data(*zip(*drawn, strict=True))
        if self.sketch.kind == "marker":  # a line down to the number it says
            self.curve.set_data([drawn[0][0]] * 2, self.ax.get_ylim())
        elif self.sketch.kind == "curve":
            scaled = self.ax.get_xscale() == "log"
            first, last = drawn[0][0], drawn[-1][0]
            x = np.geomspace(first, last, 121) if scaled else np.linspace(first, last, 121)
            self.curve.set_data(x, curve_through(drawn, scaled)(x))


def curve_through(drawn, logarithmic=False):
    """The smooth curve through the handles that is as low and as high as they are, as a function of x.

    logarithmic : whether it is smooth on an axis with a logarithmic scale.
    """
    from scipy.interpolate import PchipInterpolator  # a third of a second to import, and few pages draw curves

    places, heights = np.array(drawn, float).T
    scale = np.log if logarithmic else np.asarray
    curve = PchipInterpolator(scale(places), heights)
    return lambda x: curve(scale(x))


def compared(drawn, x, truth, logarithmic=False):
    """How near a sketched curve is to the true one at the places x, in words that finish “Your sketch …”."""
    truth = np.asarray(truth, float)
    gap = curve_through(drawn, logarithmic)(np.asarray(x, float)) - truth
    flat = truth.std()
    off = float(np.sqrt(np.mean(gap**2)) / flat) if flat else np.inf
    if off <= NEAR:
        return "is almost the curve itself"
    near = (
        "is much closer than any flat line"
        if off <= CLOSE
        else "is closer than any flat line"
        if off < FAR
        else "is no closer than a flat line would be"
    )
    return f"{near}, {_worst(gap, truth)}"


def _worst(gap, truth):
    """Where the sketch misses most, and how: in the mean of a third of the picture, or in the slope there."""
    found = []
    for words, here, true in zip(THIRDS, np.array_split(gap, 3), np.array_split(truth, 3), strict=True):
        tilt, rise = here[-1] - here[0], true[-1] - true[0]
        found.append((abs(here.mean()), f"too {'high' if here.mean() > 0 else 'low'} {words}"))
        drawn = rise + tilt
        if drawn * rise < 0:
            slope = f"and the curve {'rises' if rise > 0 else 'falls'} {words}"
        else:
            slope = f"too {'steep' if abs(drawn) > abs(rise) else 'flat'} {words}"
        found.append((abs(tilt) / 2, slope))
    return max(found)[1]
