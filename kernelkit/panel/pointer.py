"""What a pointer over a picture means: drag, add and remove points, turn a surface, choose a place, ask for a value."""

import numpy as np

from kernelkit.panel.controls import Points, Samples
from kernelkit.panel.picture import DPI
from kernelkit.panel.sketch import SKETCH, Sketch

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
        self.sketch = explorer.question if isinstance(explorer.question, Sketch) else None
        self.touchable = any((self.points, explorer.turn, explorer.click, self.sketch))
        self.gesture, self.held, self.view, self.travelled = None, None, [], False

    def marks(self, canvas, values, handles=()):
        """What can be dragged, for the page to draw it under the pointer: places, the boxes they stay in, and looks.

        handles : those of a sketch, which come first. Places are fractions of the picture, from its upper left corner.
        """
        drawn, points = self._handles(canvas, handles), self._points(canvas, values)
        if not drawn and not points:
            return {}, []
        size = np.array(self.explorer.size) * DPI
        places, boxes = [], []
        for spot, one, other in [*drawn, *points]:
            places.append((spot / size).round(5).tolist())
            corners = np.array([one, other]) / size
            boxes.append([*corners.min(axis=0).round(5).tolist(), *corners.max(axis=0).round(5).tolist()])
        marks = {"places": places, "boxes": boxes, "size": size.tolist(), "reach": REACH}
        marks["handles"] = self.sketch.named(handles) if handles else []
        looks = canvas.looks(self.sketch.axes, handles) if handles else []
        if points:
            looks = looks + canvas.looks(self.points.axes, [point[:2] for point in values[self.points.name]])
        return marks, looks

    def _handles(self, canvas, handles):
        """[where it is, two corners of its box] in pixels, of each handle of a sketch."""
        places = [(place, *self.sketch.corners(place)) for place in handles]
        return [canvas.to_pixels(self.sketch.axes, spots) for spots in places]

    def _points(self, canvas, values):
        """The same of each point that a control moves."""
        control = self.points
        if control is None or not (control.when is None or control.when(values)):
            return []
        places = [(point[:2], control.low, control.high) for point in values[control.name]]
        return [canvas.to_pixels(control.axes, spots) for spots in places]

    def drag(self, canvas, values, state, handles, id, x0, y0, x, y, done=False, key=False):
        """What a gesture that began at (x0, y0) and is at (x, y) moves, {name: value}; SKETCH names the handles.

        Places are fractions of the picture, from its upper left corner; canvas, values, state and handles say what it
        shows.  key : a key has moved it, and however little, that is no click.
        """
        size = np.array(self.explorer.size) * DPI
        if id != self.gesture:
            self.gesture, self.travelled = id, False
            self.held = self._nearest(canvas, values, handles, np.array([x0, y0]) * size)
            self.view = [values[control.name] for control in self.turned]
        self.travelled = self.travelled or key or bool(np.hypot(*((x - x0, y - y0) * size)) > CLICK)
        if done:
            self.gesture = None  # a page that is loaded again counts its gestures from 1 again
        if self.travelled:
            if self.held is None:
                return self._turned(x - x0, y - y0)
            return self._pulled(canvas, values, handles, x, y)
        return self._clicked(canvas, values, state, handles, x, y) if done else {}

    def _nearest(self, canvas, values, handles, pixel):
        """What the pointer takes hold of, if anything: (whether it is a handle of the sketch, its number)."""
        drawn, points = self._handles(canvas, handles), self._points(canvas, values)
        spots = [spot for spot, _, _ in [*drawn, *points]]
        if not spots:
            return None
        gaps = np.hypot(*(np.array(spots) - pixel).T)
        nearest = int(gaps.argmin())
        if gaps[nearest] > REACH:
            return None
        return (True, nearest) if nearest < len(drawn) else (False, nearest - len(drawn))

    def _pulled(self, canvas, values, handles, x, y):
        """What is held is here now."""
        of_sketch, number = self.held
        if of_sketch:
            return {SKETCH: self.sketch.moved(handles, number, canvas.to_data(self.sketch.axes, x, y))}
        place = canvas.to_data(self.points.axes, x, y)
        return {self.points.name: self.points.moved(values[self.points.name], number, place)}

    def _turned(self, right, down):
        """Half a turn for a drag across the picture."""
        if not self.turned:
            return {}
        angles = (self.view[0] - 180 * right, self.view[1] + 90 * down)
        return {c.name: c.nearest(angle) for c, angle in zip(self.turned, angles, strict=True)}

    def _clicked(self, canvas, values, state, handles, x, y):
        """A click brings the marker of a sketch; on a sample it takes it away, elsewhere it chooses or adds one."""
        if handles and self.sketch.kind == "marker" and canvas.is_inside(self.sketch.axes, x, y):
            return {SKETCH: self.sketch.moved(handles, 0, canvas.to_data(self.sketch.axes, x, y))}
        samples = self.points if isinstance(self.points, Samples) else None
        if self.held is not None:
            of_sketch, number = self.held
            return {samples.name: samples.without(values[samples.name], number)} if samples and not of_sketch else {}
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
