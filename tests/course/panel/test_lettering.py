"""Text that is rendered once looks as Matplotlib renders it, wherever it goes."""

import numpy as np
import pytest
from matplotlib._mathtext import Parser
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from kernelkit.course.panel import lettering
from kernelkit.course.panel.lettering import LetteringCanvas, rendered

LOOKS = {
    "plain": {},
    "large": {"size": 31},
    "blue": {"color": "C0"},
    "half": {"alpha": 0.5},
    "bold": {"weight": "bold"},
    "upright": {"rotation": 90},
    "aslant": {"rotation": 30},
    "italic": {"style": "italic"},
    "boxed": {"bbox": {}},
    "fixed": {"family": "monospace"},
    "centred": {"ha": "center", "va": "center"},
    "top": {"va": "top"},
}


def pixels(canvas, x=0.3, y=0.4, text="Agfj, $\\sigma^2_{jk}$", dpi=100, **look):
    """A figure with one text, its axes cut off at their edge."""
    figure = Figure(figsize=(3, 2), dpi=dpi)
    ax = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    ax.set_axis_off()
    ax.text(x, y, text, clip_on=True, **look)
    drawn = canvas(figure)
    drawn.draw()
    return np.asarray(drawn.buffer_rgba()).astype(int)


def assert_same(own, plain, dpi=100):
    """But for the last row and column inside the axes: Agg cuts images off half a pixel later than glyphs."""
    differs = np.abs(own - plain).max(axis=2) > 6
    differs[int(1.8 * dpi)] = differs[:, int(2.7 * dpi)] = False
    assert not differs.any()


@pytest.mark.parametrize("text", ["Agfj, yÄ –", "$\\Phi(x)^T\\Phi(z)$ is k", "two\nlines", "", " "])
@pytest.mark.parametrize("look", LOOKS)
def test_a_text_looks_as_agg_renders_it(look, text):
    plain = pixels(FigureCanvasAgg, text=text, **LOOKS[look])
    for _ in range(2):  # rendered, and kept
        assert_same(pixels(LetteringCanvas, text=text, **LOOKS[look]), plain)


@pytest.mark.parametrize("place", [(0.301, 0.404), (0.3333, 0.0007), (-0.1, 0.5), (0.97, 0.99), (5, 5), (-5, 0.2)])
@pytest.mark.parametrize("dpi", [100, 150])
def test_and_wherever_it_stands_even_beyond_the_edge(place, dpi):
    own, plain = (pixels(canvas, *place, dpi=dpi) for canvas in (LetteringCanvas, FigureCanvasAgg))
    assert_same(own, plain, dpi)


def test_a_text_is_rendered_once_and_again_only_where_it_differs():
    rendered.cache_clear()
    for x in (0.3, 0.3 + 5 / 240, 0.3 - 40 / 240):  # whole pixels apart: the axes are 240 wide
        pixels(LetteringCanvas, x, 0.4, "word")
    assert rendered.cache_info().misses == 1
    for look in ({"color": "C1"}, {"size": 9}, {"alpha": 0.3}, {"rotation": 90}, {"weight": "bold"}):
        misses = rendered.cache_info().misses
        pixels(LetteringCanvas, 0.3, 0.4, "word", **look)
        assert rendered.cache_info().misses == misses + 1


def test_no_more_is_kept_than_so_many():
    assert rendered.cache_info().maxsize == lettering.KEPT


def test_a_formula_that_moves_is_read_once(monkeypatch):
    """Once for its place and its pixels, in all figures: reading one takes as long as drawing the rest of a picture."""
    read, parse = [], Parser.parse
    monkeypatch.setattr(Parser, "parse", lambda self, s, *rest: read.append(s) or parse(self, s, *rest))
    for _ in range(2):
        figure = Figure()
        canvas, text = LetteringCanvas(figure), figure.text(0, 0.5, r"$\sigma_{moves}$")
        for place in (0.1, 0.2113, 0.3047, 0.5):
            text.set_x(place)
            canvas.draw()
    assert len(read) == 1
