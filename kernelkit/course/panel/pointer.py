"""What a pointer over a picture means: drag, add and remove points, sort things, turn a surface, ask for a value."""

import numpy as np

from kernelkit.course.panel.controls import Items, Points, Samples
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.sketch import SKETCH, Sketch
from kernelkit.course.panel.spray import Spray

REACH = 30  # a pointer this many pixels from a point takes hold of it
CLICK = 3  # a pointer that moved no further has clicked
ON = 12  # a click this near to a point is on it


def _distinct(items):
    """The different ones among tuples of things that can be compared, and which of them each item is."""
    different = {item: number for number, item in enumerate(dict.fromkeys(items))}
    return list(different), [different[item] for item in items]


def _pixels(canvas, axes, places):
    """Triples of places in these axes, in pixels: (n, 3, 2)."""
    return canvas.to_pixels(axes, np.reshape(places, (-1, 2))).reshape(-1, 3, 2)


class Pointer:
    """Reads gestures over the picture of an explorer, as new values of its controls; it moves nothing itself.

    adds : the class of the point that a click adds, −1 or +1.  spray : what paints where no point can be held, or None.
    """

    def __init__(self, explorer):
        self.explorer, self.adds = explorer, 1
        self.points = next((c for c in explorer.controls if isinstance(c, Points | Samples | Items)), None)
        self.turned = [next(c for c in explorer.controls if c.name == name) for name in explorer.turn]
        self.sketch = explorer.question if isinstance(explorer.question, Sketch) else None
        self.touchable = any((self.points, explorer.turn, explorer.click, self.sketch))
        self.spray = Spray(self.points, explorer.size) if getattr(self.points, "spray", False) else None
        self.gesture, self.held, self.on, self.view, self.travelled = None, None, False, [], False

    def marks(self, canvas, values, handles=()):
        """What can be dragged, for the page to draw it under the pointer: places, the boxes they stay in, and looks.

        handles : those of a sketch, which come first. Places are fractions of the picture, from its upper left corner.
        Many points have the same box and look, so each is named once: "box" and "of" say which one each point has.
        """
        spots = np.concatenate([self._handles(canvas, handles), self._points(canvas, values)])
        if not len(spots):
            return {}, {}
        size = np.array(self.explorer.size) * DPI
        shares = (spots / size).round(5)
        corners = np.hstack([shares[:, 1:].min(axis=1), shares[:, 1:].max(axis=1)])
        boxes, box = _distinct(list(map(tuple, corners.tolist())))
        marks = {"places": shares[:, 0].tolist(), "boxes": boxes, "box": box, "reach": REACH}
        marks["snaps"] = isinstance(self.points, Items)
        marks["handles"] = self.sketch.named(handles) if handles else []
        looks = canvas.looks(self.sketch.axes, handles) if handles else []
        if len(spots) > len(handles):
            present = [point[:2] for point in self.points.present(values)]
            for axes in self.points.planes:
                looks = looks + canvas.looks(axes, present)
        shapes, of = _distinct(looks)
        return marks, {"shapes": shapes, "of": of}

    def _handles(self, canvas, handles):
        """Where each handle of a sketch is, and two corners of its box, in pixels: (n, 3, 2)."""
        places = [(place, *self.sketch.corners(place)) for place in handles]
        return _pixels(canvas, self.sketch.axes, places) if places else np.empty((0, 3, 2))

    def _points(self, canvas, values):
        """The same of each point that a control moves, in all axes that show it."""
        control = self.points
        if control is None or self.spray or not (control.when is None or control.when(values)):
            return np.empty((0, 3, 2))
        places = [(point[:2], control.low, control.high) for point in control.present(values)]
        return np.concatenate([_pixels(canvas, axes, places) for axes in control.planes])

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
            if self.spray:
                self.spray.begin(x0, y0)
        self.travelled = self.travelled or key or bool(np.hypot(*((x - x0, y - y0) * size)) > CLICK)
        if done:
            self.gesture = None  # a page that is loaded again counts its gestures from 1 again
        if self.travelled:
            if self.held is None and self.spray:
                return self.spray.drag(canvas, values, x, y, self.adds)
            if self.held is None:
                drawn = self._chosen(canvas, state, x, y) if self.explorer.trail else {}
                return drawn or self._turned(x - x0, y - y0)
            return self._pulled(canvas, values, handles, x, y)
        return self._clicked(canvas, values, state, handles, x, y) if done else {}

    def _nearest(self, canvas, values, handles, pixel):
        """What the pointer takes hold of, if anything: (whether it is a handle of the sketch, its number)."""
        drawn, points = self._handles(canvas, handles), self._points(canvas, values)
        spots = np.concatenate([drawn, points])[:, 0]
        if not len(spots):
            return None
        gaps = np.hypot(*(spots - pixel).T)
        nearest = int(gaps.argmin())
        self.on = gaps[nearest] <= ON
        if gaps[nearest] > REACH:
            return None
        return (True, nearest) if nearest < len(drawn) else (False, nearest - len(drawn))

    def _pulled(self, canvas, values, handles, x, y):
        """What is held is here now."""
        of_sketch, number = self.held
        if of_sketch:
            return {SKETCH: self.sketch.moved(handles, number, canvas.to_data(self.sketch.axes, x, y))}
        plane, index = divmod(number, len(self.points.present(values)))
        place = canvas.to_data(self.points.planes[plane], x, y)
        return {self.points.name: self.points.moved(values, index, place)}

    def _turned(self, right, down):
        """Half a turn for a drag across the picture."""
        if not self.turned:
            return {}
        angles = (self.view[0] - 180 * right, self.view[1] + 90 * down)
        return {c.name: c.nearest(angle) for c, angle in zip(self.turned, angles, strict=True)}

    def _clicked(self, canvas, values, state, handles, x, y):
        """A click brings the marker of a sketch, takes a sample away, moves a thing on, or chooses or adds a sample."""
        if handles and self.sketch.kind == "marker" and canvas.is_inside(self.sketch.axes, x, y):
            return {SKETCH: self.sketch.moved(handles, 0, canvas.to_data(self.sketch.axes, x, y))}
        samples = self.points if isinstance(self.points, Samples) else None
        if self.held is not None and (self.on or samples is None):
            of_sketch, number = self.held
            if isinstance(self.points, Items) and not of_sketch:
                return {self.points.name: self.points.clicked(values, number)}
            if samples is None or of_sketch:
                return {}
            return {samples.name: samples.without(values, number % len(samples.present(values)))}
        if chosen := self._chosen(canvas, state, x, y):
            return chosen
        if self.spray:
            return self.spray.click(canvas, values, x, y, self.adds)
        for axes in samples.planes if samples else ():
            place = canvas.to_data(axes, x, y)
            if canvas.is_inside(axes, x, y) and samples.inside(place) == tuple(place):
                return {samples.name: samples.one_more(values, place, self.adds)}
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
        return canvas.told(x, y)
