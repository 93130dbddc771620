"""What a pointer over a picture means: drag, add and remove points, turn a surface, choose a place, ask for a value."""

import numpy as np

from kernelkit.panel.controls import Points, Samples
from kernelkit.panel.picture import DPI

REACH = 30  # a pointer this many pixels from a point takes hold of it
CLICK = 3  # a pointer that moved no further has clicked


class Pointer:
    """Reads gestures over the picture of an explorer, as new values of its controls; it moves nothing itself.

    adds : the class of the point that a click adds, −1 or +1.
    """

    def __init__(self, explorer):
        self.explorer, self.adds = explorer, 1
        self.points = next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)
        self.turned = [next(c for c in explorer.controls if c.name == name) for name in explorer.turn]
        self.touchable = self.points is not None or bool(explorer.turn or explorer.click)
        self.gesture, self.held, self.view, self.travelled = None, None, [], False

    def marks(self, canvas, values):
        """What can be dragged, for the page to draw it under the pointer: places, the box they stay in, and looks.

        Places are fractions of the picture, from its upper left corner.
        """
        control = self.points
        points = values[control.name] if control else ()
        if not points or not (control.when is None or control.when(values)):
            return {}, []
        size, places = np.array(self.explorer.size) * DPI, [point[:2] for point in points]
        spots = canvas.to_pixels(control.axes, [*places, control.low, control.high]) / size
        *spots, (left, bottom), (right, top) = spots.round(5).tolist()
        marks = {"places": spots, "box": [left, top, right, bottom], "size": size.tolist(), "reach": REACH}
        return marks, canvas.looks(control.axes, places)

    def drag(self, canvas, values, state, id, x0, y0, x, y, done=False):
        """What a gesture that began at (x0, y0) and is at (x, y) moves, {name: value}.

        Places are fractions of the picture, from its upper left corner; canvas, values and state say what it shows.
        """
        size = np.array(self.explorer.size) * DPI
        if id != self.gesture:
            self.gesture, self.travelled = id, False
            self.held = self._nearest(canvas, values, np.array([x0, y0]) * size)
            self.view = [values[control.name] for control in self.turned]
        self.travelled = self.travelled or bool(np.hypot(*((x - x0, y - y0) * size)) > CLICK)
        if done:
            self.gesture = None  # a page that is loaded again counts its gestures from 1 again
        if self.travelled:
            return self._pulled(canvas, values, x, y) if self.held is not None else self._turned(x - x0, y - y0)
        return self._clicked(canvas, values, state, x, y) if done else {}

    def _nearest(self, canvas, values, pixel):
        """The number of the point that the pointer takes hold of, if any."""
        places = [point[:2] for point in values[self.points.name]] if self.points else []
        if not places:
            return None
        gaps = np.hypot(*(canvas.to_pixels(self.points.axes, places) - pixel).T)
        return int(gaps.argmin()) if gaps.min() <= REACH else None

    def _pulled(self, canvas, values, x, y):
        """The point that is held is here now."""
        place = canvas.to_data(self.points.axes, x, y)
        return {self.points.name: self.points.moved(values[self.points.name], self.held, place)}

    def _turned(self, right, down):
        """Half a turn for a drag across the picture."""
        if not self.turned:
            return {}
        angles = (self.view[0] - 180 * right, self.view[1] + 90 * down)
        return {c.name: c.nearest(angle) for c, angle in zip(self.turned, angles, strict=True)}

    def _clicked(self, canvas, values, state, x, y):
        """A click on a sample takes it away; elsewhere it chooses a place, or adds a sample."""
        samples = self.points if isinstance(self.points, Samples) else None
        if self.held is not None:
            return {samples.name: samples.without(values[samples.name], self.held)} if samples else {}
        if chosen := self._chosen(canvas, state, x, y):
            return chosen
        if samples and samples.inside(place := canvas.to_data(samples.axes, x, y)) == tuple(place):
            return {samples.name: samples.more(values[samples.name], place, self.adds)}
        return {}

    def _chosen(self, canvas, state, x, y):
        """The values of controls that a click at this place stands for."""
        for axes, values in self.explorer.click.items():
            if state is not None and canvas.is_inside(axes, x, y):
                return values(state, *canvas.to_data(axes, x, y))
        return {}

    def tell(self, canvas, state, x=-1.0, y=-1.0):
        """What the explorer says of a place in the picture, "" for nothing."""
        for axes, said in self.explorer.tell.items():
            if state is not None and canvas.is_inside(axes, x, y):
                return said(state, *canvas.to_data(axes, x, y))
        return ""
