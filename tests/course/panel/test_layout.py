"""Where the axes of a picture are, for any table of names."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from kernelkit.course.panel.canvas import Canvas
from kernelkit.course.panel.layout import settle
from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis
from kernelkit.course.panel.parts import key
from kernelkit.course.plots import DPI, drawing

WORDS = st.sampled_from(["", "$x$", "time", "$\\hat{h}(x)$"])
TICKS = st.sampled_from(["0", "−0.005", "−5·10⁵", "10 years"])
CARRIED = st.fixed_dictionaries(
    {"title": WORDS, "xlabel": WORDS, "ylabel": WORDS, "xticklabels": TICKS, "yticklabels": TICKS}
)


@st.composite
def tables(draw):
    """Up to three rows and columns, some cells of which may reach over two rows or columns."""
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    names = [[f"{i} {j}" for j in range(columns)] for i in range(rows)]
    if columns > 1 and draw(st.booleans()):
        names[0][1] = names[0][0]
    elif rows > 1 and draw(st.booleans()):
        names[1][0] = names[0][0]
    return names


def settled(table, carried, keyed=False, **ratios):
    """A figure of the size of a panel with these axes, each with what it carries."""
    figure = Figure(figsize=(7.0, 3.8), dpi=DPI)
    with drawing():
        for ax, words in zip(figure.subplot_mosaic(table, **ratios).values(), carried, strict=False):
            ax.set_xticks([0, 1], [words["xticklabels"]] * 2)
            ax.set_yticks([0, 1], [words["yticklabels"]] * 2)
            ax.set(title="" if keyed else words["title"], xlabel=words["xlabel"], ylabel=words["ylabel"])
            if keyed:
                key(ax, {"one": ax.plot([0, 1])[0]})
        settle(figure)
    return figure


def boxes(figure):
    """The rectangle of each axes with everything that it carries, in pixels."""
    with drawing():
        return [ax.get_tightbbox(for_layout_only=True) for ax in figure.axes]


@settings(max_examples=25, deadline=None)
@given(tables(), st.lists(CARRIED, min_size=9, max_size=9), st.booleans())
def test_all_that_axes_carry_lies_in_the_picture_and_apart_from_all_others(table, carried, keyed):
    figure = settled(table, carried, keyed)
    places = boxes(figure)
    for i, box in enumerate(places):
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= 700 and box.y1 <= 380, "inside the picture"
        for other in places[:i]:
            assert Bbox.intersection(box, other) is None, "apart"


@settings(max_examples=10, deadline=None)
@given(st.lists(CARRIED, min_size=2, max_size=2), st.floats(0.5, 3))
def test_widths_and_heights_are_as_asked_whatever_the_labels(carried, ratio):
    one, other = (ax.get_position() for ax in settled([["one", "other"]], carried, width_ratios=(ratio, 1)).axes)
    assert one.width == pytest.approx(ratio * other.width, rel=1e-3)
    one, other = (ax.get_position() for ax in settled([["one"], ["other"]], carried, height_ratios=(ratio, 1)).axes)
    assert one.height == pytest.approx(ratio * other.height, rel=1e-3)


def test_too_many_axes_are_refused():
    carried = {"title": "", "xlabel": "time", "ylabel": "", "xticklabels": "0", "yticklabels": "10 years"}
    with pytest.raises(ValueError, match="700 × 380 pixels has no room"):
        settled([[f"{i} {j}" for j in range(12)] for i in range(2)], [carried] * 24)


def test_axes_with_a_place_of_their_own_keep_it():
    figure = Figure(figsize=(7.0, 3.8))
    ax = figure.add_axes((0.1, 0.2, 0.3, 0.4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        settle(figure)
    figure.subplot_mosaic([["beside"]])
    settle(figure)
    assert ax.get_position().bounds == pytest.approx((0.1, 0.2, 0.3, 0.4))


def test_nothing_moves_after_the_first_frame():
    """A canvas settles its axes, and tick labels that grow later move none of them."""

    def picture(label):
        return [[Axes(), Axes("", NO_AXIS, Axis("", 0, 1, [0], [label]))]]

    canvas = Canvas(picture, lambda: "0", (7.0, 3.8))
    canvas.frame("0")
    before = [ax.get_position().bounds for ax in canvas.figure.axes]
    assert not np.allclose(before, [ax.get_position().bounds for ax in Figure().subplot_mosaic([["l", "r"]]).values()])
    canvas.frame("10 000 years")
    assert before == [ax.get_position().bounds for ax in canvas.figure.axes]


def test_a_sharp_screen_moves_no_axes():
    left, right, below = Axes("a title", Axis("$x$"), Axis(), width=3), Axes(width=2), Axes()
    canvases = [Canvas(lambda s: [[left, right], [left, below]], lambda: None, (7.0, 3.8), ratio) for ratio in (1, 3)]
    for number in range(3):
        here, there = (canvas.axes(number) for canvas in canvases)
        assert np.abs(here.get_position().extents - there.get_position().extents).max() < 2 / 380
