"""A pointer that makes gestures over a plane of its own."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.panel.controls import NoQuestion
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.marks import Axes, Axis
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.pointer import Pointer


class Hand:
    """A pointer over a plane, and the values that its gestures give; no panel is needed."""

    def __init__(self, *controls, **more):
        unused = dict.fromkeys(("readout", "shows")) | {"code": "", "compute": lambda **values: SimpleNamespace()}
        asks = {"title": "T", "scenes": {}, "question": NoQuestion("a test")}
        self.explorer = Explorer(controls=controls, picture=plane, **unused, **asks, **more)
        self.pointer, self.canvas, self.values = Pointer(self.explorer), self.explorer.canvas(), self.explorer.start()
        self.size = np.array(self.explorer.size) * DPI

    def gesture(self, start, *pixels, id=1, done=True, state="state"):
        """The pointer goes down at a place of the plane and is then so many pixels (right, down) from it, in turn."""
        x0, y0 = self.canvas.to_pixels("plane", [start])[0] / self.size
        for i, (right, down) in enumerate(pixels):
            x, y = (x0, y0) + np.array([right, down]) / self.size
            last = done and i == len(pixels) - 1
            self.values |= self.pointer.drag(self.canvas, self.values, state, (), id, x0, y0, x, y, last)
        return self.values

    def points(self):
        return self.values["points"]


def plane(state):
    return [[Axes("", Axis("", -2, 2), Axis("", -2, 2), name="plane", place=(0, 0, 1, 1))]]
