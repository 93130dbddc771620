"""The picture of an explorer: a figure that is drawn once and then updated, and the widget that shows it."""

import io
import re
import struct
import textwrap
import zlib
from functools import lru_cache, partial
from pathlib import Path

import anywidget
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle
from matplotlib.text import Text
from PIL import Image

from kernelkit.course.panel.layout import settle
from kernelkit.course.panel.lettering import LetteringCanvas
from kernelkit.course.panel.parts import HELD, frame_of
from kernelkit.course.panel.sketch import Drawn
from kernelkit.course.plots import DPI, GREY, INK, drawing

KEPT = 8  # backgrounds of one figure, of 1 MB each at the usual size
PLAIN = "M-6,0 A6,6 0 1 1 6,0 A6,6 0 1 1 -6,0 Z", "white", INK, 2.0  # a path of SVG, its fill, stroke and width
NO_MARKER = ("None", "none", None, "", " ", ",")
STORED = "to move it, run all above, then this cell"
DRAG = re.compile(r"(?<!to)(?<!to )[:,]? ?\(?\bdrag\b[^:,)\n]*\)?:? ?")  # what a live picture says of the pointer


def png_bytes(pixels, level):
    """RGBA pixels as PNG: level 1 for a live frame, 9 for a file.

    Each row is stored as its difference to the row above, which is mostly 0 in a figure; that and nothing more makes
    a live frame in half the time of a general encoder.
    """
    height, width = pixels.shape[:2]
    rgb = np.empty((height, width, 3), np.uint8)
    for channel in range(3):  # one by one, which is seven times as fast as all at once
        rgb[..., channel] = pixels[..., channel]
    rgb = rgb.reshape(height, 3 * width)
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    rows[:, 0], rows[0, 1:] = 2, rgb[0]  # filter type 2: "up"
    np.subtract(rgb[1:], rgb[:-1], out=rows[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, level)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _source(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


class Canvas:
    """A persistent figure: what moves is marked ``animated``, belongs to axes, and is drawn over a kept background.

    build(figure) → parts makes the artists; draw(parts, state), and so move(state), moves them. Axes named by
    ``figure.subplot_mosaic`` are given their places in between, see ``layout``. What else it changes (limits, titles,
    ticks) it changes where ``reframed`` says that this is new, and then the background is drawn anew. The last few
    backgrounds are kept, for whoever goes one step back.  sketch : a ``Sketch`` that learners draw into it, or None.
    """

    @drawing()
    def __init__(self, build, draw, size, ratio=1.0, sketch=None):
        whole = [side + 1e-6 for side in size]  # 4.6 · 100 is 459.99…, of which Matplotlib before 3.11.2 draws 459
        self.figure = Figure(figsize=whole, dpi=DPI * ratio)
        self.canvas = LetteringCanvas(self.figure)
        self.parts = build(self.figure)
        settle(self.figure)
        self.sketch = sketch and Drawn(self.parts[sketch.axes], sketch)
        self.move, self.backgrounds = draw and drawing()(partial(draw, self.parts)), {}

    @drawing()
    def hold(self, states):
        """Let the axes that are ``parts.steady`` be as wide as all these states need it, until ``let_go``."""
        if self.figure in HELD:
            HELD[self.figure] = {}
            for state in states:
                self.move(state)

    def let_go(self):
        """Let each state have its own limits again."""
        if self.figure in HELD:
            HELD[self.figure] = None

    @drawing()
    def frame(self, state, drawn=None, hidden=()):
        """The pixels (height, width, 4) that show this state.

        drawn : the handles of a sketch, None for none.  hidden : keys of parts, which move, that are left out.
        """
        self.move(state)
        if self.sketch:
            for line in self.sketch.lines:
                line.set_visible(drawn is not None)
            if drawn not in (None, self.sketch.handles):
                self.sketch.show(drawn)
        fixed = tuple(map(frame_of, self.figure.axes))
        if fixed in self.backgrounds:
            self.canvas.restore_region(self.backgrounds[fixed])
        else:
            self._draw_background()
            self.backgrounds[fixed] = self.canvas.copy_from_bbox(self.figure.bbox)
            if len(self.backgrounds) > KEPT:
                del self.backgrounds[next(iter(self.backgrounds))]
        left_out = [self.parts[name] for name in hidden]
        moving = [a for ax in self.figure.axes for a in ax.get_children() if a.get_animated() and a not in left_out]
        for artist in sorted(moving, key=lambda a: a.get_zorder()):
            self.figure.draw_artist(artist)
        return np.asarray(self.canvas.buffer_rgba()).copy()

    def store(self, state):
        """Show this state, and from now on tell nobody to drag."""
        self.move(state)
        for text in self.figure.findobj(Text):
            text.set_text(DRAG.sub("", text.get_text()))

    def _draw_background(self):
        """Draw what does not move. Matplotlib before 3.11 would draw the animated images as well."""
        images = [image for ax in self.figure.axes for image in ax.images]
        moving = [image for image in images if image.get_animated() and image.get_visible()]
        for image in moving:
            image.set_visible(False)
        self.canvas.draw()
        for image in moving:
            image.set_visible(True)

    def axes(self, name):
        """The axes of this name."""
        return self.parts[name]

    telling = False

    def told(self, x, y):
        """What marks say of a place; here are none."""
        return ""

    def looks(self, axes, places):
        """How each of these points is drawn: from the lowest of its markers to the uppermost, as paths of SVG.

        Each path is (d, fill, stroke, stroke-width).
        """
        lines = [line for line in self.axes(axes).lines if line.get_visible() and line.get_marker() not in NO_MARKER]
        looks = [()] * len(places)
        for line in sorted(lines, key=lambda line: line.get_zorder()):
            colours = _web(line.get_markerfacecolor()), _web(line.get_markeredgecolor())
            path = outline(line.get_marker(), line.get_markersize()), *colours, line.get_markeredgewidth() * DPI / 72
            drawn = {(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)}
            looks = [(*look, path) if place in drawn else look for look, place in zip(looks, places, strict=True)]
        return [look or (PLAIN,) for look in looks]

    def to_data(self, axes, x, y):
        """Data coordinates of a place in the picture, x and y as fractions from its upper left corner."""
        width, height = self.figure.bbox.size
        return self.axes(axes).transData.inverted().transform((x * width, (1 - y) * height))

    def is_inside(self, axes, x, y):
        """Whether a place in the picture, as fractions, lies in these axes."""
        width, height = self.figure.bbox.size
        return self.axes(axes).bbox.contains(x * width, (1 - y) * height)

    def to_pixels(self, axes, points):
        """Places of data points in the picture, in pixels of the shown size."""
        pixels = self.axes(axes).transData.transform(points) * DPI / self.figure.dpi
        return np.column_stack([pixels[:, 0], self.figure.bbox.height * DPI / self.figure.dpi - pixels[:, 1]])


@lru_cache
def outline(marker, size):
    """A marker of Matplotlib as a path of SVG around (0, 0), in pixels of the shown size."""
    style, scale = MarkerStyle(marker, "full"), size * DPI / 72
    path = style.get_path().transformed(style.get_transform().scale(scale, -scale))
    rings = path.to_polygons(closed_only=False)
    return " ".join("M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in ring) for ring in rings)


@drawing()
def stored_png(canvas, state, title, words, hidden=()):
    """The picture of a state with its title above and its words below, for pages where nothing runs; as PNG.

    It has at most 256 colours, which more than halves it, and none is far from what it stands for. Nobody is told to
    drag what does not move there, but how to move it.
    hidden : keys of parts that would answer the question of a sketch, and are left out.
    """
    canvas.store(state)
    pixels, ratio = canvas.frame(state, hidden=hidden), canvas.figure.dpi / DPI
    width = pixels.shape[1] / ratio / DPI
    above = _strip(width, ratio, 0.32, [(0.02, title, "large", INK), (0.98, STORED, "medium", GREY)])
    lines = [line for part in words.split("\n") for line in textwrap.wrap(part, int(width * 14))]
    below = _strip(width, ratio, 0.1 + 0.2 * len(lines), [(0.02, "\n".join(lines), "medium", INK)])
    image = Image.fromarray(np.ascontiguousarray(np.vstack([above, pixels, below])[..., :3]))
    file = io.BytesIO()
    image.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


@drawing()
def _strip(width, ratio, height, words):
    """The pixels of a row as wide as a picture, with texts (x, text, size, colour)."""
    figure = Figure(figsize=(width + 1e-6, height), dpi=DPI * ratio)
    canvas = FigureCanvasAgg(figure)
    for x, text, size, colour in words:
        side = "left" if x < 0.5 else "right"
        figure.text(x, 0.5, text, va="center", ha=side, size=size, color=colour)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def _web(colour):
    return "none" if isinstance(colour, str) and colour == "none" else to_hex(colour, keep_alpha=True)


class Picture(anywidget.AnyWidget):
    """PNG, the words below it and its alternative text in, the pointer out.

    A gesture comes as messages (``on_msg``), each with where it began and where it is, so that none of them is missed.
    marks, looks : what can be dragged (see ``Pointer.marks``); the page draws what is held itself, at once.
    hover, told : where the pointer rests, and what the panel says of that place; telling : whether it says anything.
    size : of the picture on the page, in pixels, where it is neither shrunk nor enlarged.  ratio : the PNG has so many
    for each of them.
    plays, seen : whether the picture waits to be seen, and whether it has been.
    """

    png = traitlets.Bytes().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    touchable = traitlets.Bool().tag(sync=True)
    telling = traitlets.Bool().tag(sync=True)
    size = traitlets.List().tag(sync=True)
    ratio = traitlets.Float(1.0).tag(sync=True)
    calm = traitlets.Bool(False).tag(sync=True)
    plays = traitlets.Bool(False).tag(sync=True)
    seen = traitlets.Bool(False).tag(sync=True)
    marks = traitlets.Dict().tag(sync=True)
    looks = traitlets.Dict().tag(sync=True)
    hover = traitlets.Dict().tag(sync=True, echo_update=False)
    told = traitlets.Dict().tag(sync=True)

    _esm = _source("panel.js") + _source("picture.js")
    _css = _source("panel.css")
