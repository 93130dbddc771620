"""What is stored of a picture: its title, twice its pixels, and few colours."""

import io
from types import SimpleNamespace

import numpy as np
import panels
import pytest
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from kernelkit.course.panel.canvas import PLAIN, Canvas
from kernelkit.course.panel.controls import NoQuestion
from kernelkit.course.panel.explorer import RATIO, SIZE, Explorer
from kernelkit.course.panel.marks import Axes, Axis, Dots, Image as Pixels, Line
from kernelkit.course.panel.picture import DPI, STORED, png_bytes, stored_png
from kernelkit.course.plots import STYLE


def square(values):
    """A picture of 40 × 40 values."""
    return [[Axes("a title", Axis(), Axis(), Pixels(np.repeat(values[..., None], 3, axis=2), (0, 1, 0, 1)))]]


def drawn(title="A title", words="Some words.", values=0.0):
    """What is stored of a picture of 40 × 40 values, as an image of three channels."""
    values = np.full((40, 40), values)
    png = stored_png(Canvas(square, lambda: values, (4.0, 2.0), RATIO), values, title, words)
    return Image.open(io.BytesIO(png))


def test_it_has_twice_the_pixels_and_at_most_256_colours():
    image = drawn(values=np.linspace(0, 1, 1600).reshape(40, 40))
    assert image.width == RATIO * 400 and image.mode == "P" and len(image.getcolors()) <= 256
    assert (np.asarray(image.convert("RGB"))[0] == 255).all(), "white stays white"


def test_title_and_words_are_in_it_and_many_words_make_it_higher():
    plain, titled, long = drawn("", ""), drawn("A title", ""), drawn("", "many words " * 40)
    assert titled.height == plain.height < long.height
    top = [np.asarray(image.convert("L"))[:60, :250].min() for image in (plain, titled)]
    assert top[0] == 255 and top[1] < 100


def test_it_says_beside_its_title_what_works_in_a_fresh_kernel():
    sheet = Figure(figsize=SIZE, dpi=DPI)
    ruler = FigureCanvasAgg(sheet).get_renderer()
    with rc_context(STYLE):
        titles = [sheet.text(0.02, 0.5, e.title, size="large") for e in panels.explorers().values()]
        says = sheet.text(0.98, 0.5, STORED, ha="right")
        assert max(title.get_window_extent(ruler).x1 for title in titles) + 10 < says.get_window_extent(ruler).x0
    assert "above" in STORED, "a cell alone finds nothing imported"


def test_the_same_picture_is_the_same_file():
    values = np.zeros((40, 40))
    files = [stored_png(Canvas(square, lambda: values, (4.0, 2.0), RATIO), values, "T", "S.") for _ in range(2)]
    assert files[0] == files[1]


def test_pixels_survive_the_live_format():
    pixels = np.random.default_rng(0).integers(0, 256, (9, 7, 4), np.uint8)
    image = Image.open(io.BytesIO(png_bytes(pixels, 1)))
    assert (np.asarray(image) == pixels[..., :3]).all() and DPI == 100


def test_a_stored_panel_is_as_wide_on_the_page_as_the_live_picture():
    explorer = Explorer(
        title="T",
        controls=(),
        compute=lambda: SimpleNamespace(),
        picture=lambda s: square(np.zeros((40, 40))),
        readout=lambda s: {"n": 3, "none": None},
        shows="A square.",
        code=lambda: "",
        scenes={},
        question=NoQuestion("a test"),
        size=(4.0, 2.0),
    )
    _, about = explorer()._repr_mimebundle_()
    assert about["image/png"] == {"alt": "T. A square. n\u00a03", "width": 400}


def test_a_point_is_drawn_by_the_page_as_it_is_in_the_picture():
    rows = [
        [
            Axes(
                "",
                Axis("", 0, 4),
                Axis("", 0, 2),
                Dots([2], [1], "none", size=14.4, edge="#222222", rim=1.44),
                Line([3, 3], [0, 1]),
                Dots([1, 2], [1, 1], "#D55E00", marker="s", size=7.2, rim=0.72),
                name="plane",
                place=(0, 0, 1, 1),
            )
        ]
    ]
    canvas = Canvas(lambda s: rows, lambda: None, (4.0, 2.0))
    canvas.frame(None)
    one, two, none = canvas.looks("plane", [(1, 1), (2, 1), (3, 1)])
    assert one[0][0] == "M-5.0,5.0 L5.0,5.0 L5.0,-5.0 L-5.0,-5.0 L-5.0,5.0", "7.2 pt are 10 pixels"
    assert one[0][1:] == ("#d55e00ff", "#ffffffff", pytest.approx(1.0))
    assert [fill for _, fill, _, _ in two] == ["none", "#d55e00ff"], "from the lowest to the uppermost"
    assert none == (PLAIN,)
