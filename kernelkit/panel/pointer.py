"""What a pointer does in a picture: drag, add and remove points, turn a surface, choose a place, ask for a value."""

import numpy as np

from kernelkit.panel.controls import Points, Samples
from kernelkit.panel.picture import DPI

REACH = 30  # a pointer this many pixels from a point takes hold of it
CLICK = 3  # a pointer that moved no further has clicked
PREDICT_FIRST = "answer the question first, or skip it"


class Pointer:
    """The pointer over the picture of one panel."""

    def __init__(self, panel):
        self.panel, self.gesture, self.held, self.view, self.travelled = panel, None, None, [], False
        explorer = panel.explorer
        self.control = next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)
        self.size = np.array(explorer.size) * DPI
        panel.picture.touchable = self.control is not None or bool(explorer.turn or explorer.click)
        panel.picture.telling = bool(explorer.tell)
        panel.picture.observe(lambda change: self.drag(**change.new), "pointer")
        panel.picture.observe(lambda change: self.tell(**change.new), "hover")

    def drag(self, id, x0, y0, x, y, done=False):
        """A gesture that began at (x0, y0) is at (x, y), in fractions of the picture from its upper left corner."""
        if self.panel.asking.awaits_prediction():
            self.panel.picture.told = {"text": PREDICT_FIRST, "x": x, "y": y}
            return
        if id != self.gesture:
            self.gesture, self.held = id, self._nearest(np.array([x0, y0]) * self.size)
            self.view = [self.panel.values[name] for name in self.panel.explorer.turn]
            self.travelled = False
        self.travelled = self.travelled or bool(np.hypot(*((x - x0, y - y0) * self.size)) > CLICK)
        clicked = not self.travelled
        if done:
            self.gesture = None  # a page that is loaded again counts its gestures from 1 again
        if self.held is None and self.view and not clicked:
            self._turn(x - x0, y - y0)
        elif self.held is None and clicked and (chosen := self._chosen(x, y)):
            if done:
                self.panel.set(**chosen)
        elif self.control is not None:
            self._move(x, y, clicked, done)

    def _nearest(self, pixel):
        """The number of the point that the pointer takes hold of, if any."""
        places = [point[:2] for point in self.panel.inputs[self.control.name].value] if self.control else []
        if not places:
            return None
        gaps = np.hypot(*(self.panel.canvas.to_pixels(self.control.axes, places) - pixel).T)
        return int(gaps.argmin()) if gaps.min() <= REACH else None

    def _move(self, x, y, clicked, done):
        """Move the point that is held; with ``Samples`` a click adds or removes one."""
        box, place = self.panel.inputs[self.control.name], self.panel.canvas.to_data(self.control.axes, x, y)
        if not clicked:
            if self.held is not None:
                box.move(self.held, place)
        elif done and isinstance(self.control, Samples):
            if self.held is not None:
                box.remove(self.held)
            elif self.control.inside(place) == tuple(place):
                box.add(place)

    def _chosen(self, x, y):
        """The values of controls that a click at this place stands for."""
        canvas, state = self.panel.canvas, self.panel.state
        for axes, values in self.panel.explorer.click.items():
            if state is not None and canvas.is_inside(axes, x, y):
                return values(state, *canvas.to_data(axes, x, y))
        return {}

    def _turn(self, right, down):
        """Half a turn for a drag across the picture."""
        explorer = self.panel.explorer
        controls = [next(c for c in explorer.controls if c.name == name) for name in explorer.turn]
        angles = (self.view[0] - 180 * right, self.view[1] + 90 * down)
        self.panel.set(**{c.name: c.nearest(angle) for c, angle in zip(controls, angles, strict=True)})

    def tell(self, x=-1.0, y=-1.0):
        """What the explorer says of the place under the pointer."""
        canvas, text = self.panel.canvas, ""
        for axes, value in self.panel.explorer.tell.items():
            if self.panel.state is not None and canvas.is_inside(axes, x, y):
                text = value(self.panel.state, *canvas.to_data(axes, x, y))
        self.panel.picture.told = {"text": text, "x": x, "y": y}
