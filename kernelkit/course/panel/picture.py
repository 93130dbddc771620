"""The picture of an explorer as a file: live, and stored; and the widget that shows it."""

import io
import struct
import textwrap
import zlib
from pathlib import Path

import anywidget
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from kernelkit.course.plots import DPI, GREY, INK, drawing

STORED = "to move it, run all above, then this cell"


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


@drawing()
def stored_png(canvas, state, title, words, hidden=()):
    """The picture of a state with its title above and its words below, for pages where nothing runs; as PNG.

    It has at most 256 colours, which more than halves it, and none is far from what it stands for. Nobody is told to
    drag what does not move there, but how to move it.
    hidden : names of marks that would answer the question of a sketch, and are left out.
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
