"""A field over a plane, the pixels of a picture, and other pixels all over some axes, at the screen's resolution."""

from functools import lru_cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgb

from kernelkit.course.plots import DPI


class Stretched(Artist):
    """Fields (n, m) over the whole of some axes, interpolated linearly: a bilinear image in a fifth of its time.

    paint : takes the interpolated fields, one value a pixel, to opaque RGBA bytes.
    """

    def __init__(self, ax, paint):
        super().__init__()
        self.paint, self.fields = paint, [np.zeros((2, 2))]
        self.set(animated=True, zorder=0)
        ax.add_artist(self)

    def show(self, *fields):
        """What to draw from now on; the first row is the lowest, the outer cells stand on the frame."""
        self.fields = fields

    def draw(self, renderer):
        corners = self.axes.bbox.extents + np.array([1, 1, -1, -1])  # the frame stays visible
        left, low, right, high = np.rint(corners).astype(int)
        fine = [stretch(field, high - low, right - left) for field in self.fields]
        renderer.draw_image(renderer.new_gc(), left, low, self.paint(*fine))


class Enlarged(Artist):
    """Pixels as sharp boxes: an image of the nearest pixels in a tenth of its time."""

    def __init__(self, ax):
        super().__init__()
        ax.add_artist(self)

    def show(self, pixels, extent):
        """Pixels (n, m, 3) in [0, 1], or bytes, from left to right and from low to high in this extent."""
        self.pixels, self.extent = opaque(pixels).view(np.uint32)[..., 0], extent

    def draw(self, renderer):
        left, right, low, high = self.extent
        (x0, y0), (x1, y1) = self.axes.transData.transform([(left, low), (right, high)])
        n, m = self.pixels.shape
        (rows, y), (columns, x) = _boxes(y0, y1, n), _boxes(x0, x1, m)
        fine = self.pixels[rows[:, None], columns]
        gc = renderer.new_gc()
        gc.set_clip_rectangle(self.axes.bbox)
        renderer.draw_image(gc, x, y, fine.view(np.uint8).reshape(*fine.shape, 4))


def _boxes(begin, end, n):
    """Which of n boxes from begin to end each pixel of the screen shows, and the first of these pixels."""
    low, high = np.rint(sorted((begin, end))).astype(int)
    return ((np.arange(low, high) + 0.5 - begin) * n / (end - begin)).astype(int).clip(0, n - 1), low


class Painted(Artist):
    """All pixels of some axes.

    paint(fine) : RGBA bytes (height, width, 4), the first row is the lowest, on a screen that has so many pixels for
    each one of the picture.
    """

    def __init__(self, ax):
        super().__init__()
        self.paint = None
        ax.add_artist(self)

    def draw(self, renderer):
        left, low = np.rint(self.axes.bbox.min).astype(int)
        renderer.draw_image(renderer.new_gc(), left, low, self.paint(self.axes.figure.dpi / DPI))


def stretch(field, height, width):
    """The field (n, m) at height × width places, by linear interpolation."""
    return _between(len(field), height) @ field.astype(np.float32) @ _between(field.shape[1], width).T


@lru_cache(maxsize=32)
def _between(n, pixels):
    """Each row holds the shares of the n nodes in the value at one of the pixels."""
    places = (np.arange(pixels) + 0.5) * (n - 1) / pixels
    return np.maximum(0, 1 - np.abs(places[:, None] - np.arange(n))).astype(np.float32)


def scale(low, high, strength):
    """A paint for one field in [−1, 1]: from the colour low through white to the colour high, with so much ink.

    It looks the four bytes of a pixel up as one number, which is ten times faster.
    """
    part = np.linspace(-1, 1, 256)[:, None]
    ink = np.where(part > 0, part * (1 - np.array(to_rgb(high))), -part * (1 - np.array(to_rgb(low))))
    table = opaque(1 - strength * ink).view(np.uint32)[:, 0]
    return lambda field: table.take(np.uint8(127.5 * field + 128)).view(np.uint8).reshape(*field.shape, 4)


def mixed(*channels):
    """A paint for three fields that are the red, green and blue in [0, 1] themselves."""
    return opaque(np.stack(channels, axis=-1))


def opaque(colours):
    """Colours (…, 3) in [0, 1], or bytes, as opaque RGBA bytes, which are drawn fastest."""
    rgba = np.full((*colours.shape[:-1], 4), 255, np.uint8)
    rgba[..., :3] = colours if colours.dtype == np.uint8 else np.round(255 * colours)
    return rgba
