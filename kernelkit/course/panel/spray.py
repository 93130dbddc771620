"""Paint: a drag that leaves points behind all along its way, and an eraser that takes them away."""

import numpy as np

from kernelkit.course.panel.editors import ERASER
from kernelkit.course.panel.picture import DPI

DAB = 12  # pixels between two dabs of a drag
EACH, SCATTER = 2, 6  # points of a dab, and how many pixels they are scattered
REACH = 12  # pixels from its middle that the eraser takes away


class Spray:
    """Reads a gesture as new values of ``samples``, a control with points of two classes.

    size : of the picture in pixels.  last : where the drag has left its last dab, in pixels from the upper left corner.
    """

    def __init__(self, samples, size):
        self.samples, self.size, self.last = samples, np.array(size) * DPI, None

    def begin(self, x, y):
        """A gesture begins at this place, in parts of the picture, as everywhere here."""
        self.last = np.array([x, y]) * self.size

    def drag(self, canvas, values, x, y, label):
        """The way from the last dab to this place, in dabs of this class."""
        way = np.array([x, y]) * self.size - self.last
        length = float(np.hypot(*way))
        dabs = [self.last + way * (i * DAB / length) for i in range(int(length / DAB))]
        self.last = self.last + way * (len(dabs) * DAB / max(length, DAB))
        value = values[self.samples.name]
        for dab in dabs:
            rng = np.random.default_rng(len(value))  # the same drag leaves the same points
            value = self._put(canvas, value, dab, rng.normal(scale=SCATTER, size=(EACH, 2)), label)
        return {self.samples.name: value}

    def click(self, canvas, values, x, y, label):
        """One point, exactly here."""
        pixel, value = np.array([x, y]) * self.size, values[self.samples.name]
        return {self.samples.name: self._put(canvas, value, pixel, np.zeros((1, 2)), label)}

    def _put(self, canvas, value, pixel, offsets, label):
        """The value after a dab: if it is in a plane that shows the points, they come, or go."""
        for axes in self.samples.planes:
            if canvas.is_inside(axes, *pixel / self.size):
                if label == ERASER:
                    return self._without(canvas, axes, value, pixel)
                for place in (pixel + offsets) / self.size:
                    value = self.samples.one_more({self.samples.name: value}, canvas.to_data(axes, *place), label)
        return value

    def _without(self, canvas, axes, value, pixel):
        pixels = canvas.to_pixels(axes, np.reshape([point[:2] for point in value], (-1, 2)))
        far = np.hypot(*(pixels - pixel).T) > REACH
        return tuple(point for point, kept in zip(value, far, strict=True) if kept)
