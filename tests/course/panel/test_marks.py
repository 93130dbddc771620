"""Pictures of marks: what is on the canvas never tells what was there before, and what does not fit is refused."""

import re
from contextlib import nullcontext
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import matplotlib.axes
import numpy as np
import panels
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text as Words

import kernelkit
from kernelkit.course.panel.canvas import Canvas
from kernelkit.course.panel.controls import NoQuestion
from kernelkit.course.panel.explorer import Explorer, panel
from kernelkit.course.panel.marks import (
    Axes,
    Axis,
    Bars,
    Boxes,
    Contours,
    Discs,
    Dots,
    Field,
    Fill,
    HLine,
    HSpan,
    Image,
    Line,
    Live,
    Mark,
    Paths,
    Pixels,
    Polygons,
    Segments,
    Text,
    VLine,
    VSpan,
    powers_of_ten,
    signed,
)
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, GREEN, ORANGE, PURPLE

COLOURS = BLUE, GREEN, ORANGE, PURPLE
PAINTS = scale(BLUE, ORANGE, 0.5), scale(GREEN, PURPLE, 0.5)
GRID = np.linspace(0.5, 3.5, 9)


# ---- random pictures --------------------------------------------------------------------------


def some(rng, *choices):
    return choices[rng.integers(len(choices))]


def colours(rng, n):
    return [some(rng, *COLOURS) for _ in range(n)]


def places(rng):
    """Up to five places, and none one time in six."""
    return rng.uniform(0.5, 3.5, (2, rng.integers(6)))


def line(rng):
    look = {"width": some(rng, 1, 3), "style": some(rng, "-", "--"), "marker": some(rng, "none", "o")}
    look |= {"size": some(rng, 4, 9), "edge": some(rng, None, "white")}
    return Line(*places(rng), some(rng, *COLOURS), **look)


def discs(rng):
    P = places(rng).T
    look = {"edge": some(rng, "none", "white", "face", colours(rng, len(P))), "rim": 2, "clip": some(rng, False, True)}
    return Discs(P, some(rng, GREEN, colours(rng, len(P))), some(rng, 4, 9), **look)


def bars(rng):
    look = {
        "width": some(rng, 0.1, 0.3),
        "edge": some(rng, "none", "white"),
        "rim": 1,
        "hatch": some(rng, None, "////"),
    }
    return Bars(GRID, rng.normal(size=9), some(rng, None, GREEN, colours(rng, 9)), **look)


def boxes(rng):
    P = places(rng).T
    look = {"rim": some(rng, 0.5, 2), "join": some(rng, "round", "miter")}
    return Boxes([(x, y, 0.3, 0.5) for x, y in P], colours(rng, len(P)), **look)


def contours(rng):
    look = {"width": some(rng, 1.0, (1.0, 3.0)), "style": some(rng, "-", "--")}
    return Contours(GRID, GRID, rng.normal(size=(9, 9)), (-0.5, 0.0), **look)


def text(rng):
    look = {"size": some(rng, 9, 14), "side": some(rng, "left", "right"), "turn": some(rng, 0, 30)}
    look |= {"spacing": some(rng, None, 1.5), "halo": some(rng, 0, 3), "family": some(rng, None, "monospace")}
    return Text(*rng.uniform(1, 3, 2), some(rng, "one", "two\nlines"), **look)


def image(rng):
    extent = rng.uniform(0.5, 2), 3.5, 1, rng.uniform(2, 3.5)
    return Image(rng.uniform(size=(4, 3, 3)), extent, smooth=some(rng, False, True))


def paths(rng):
    P = [rng.uniform(0.5, 3.5, (some(rng, 2, 4), 2)) for _ in range(rng.integers(4))]
    return Paths(P, some(rng, BLUE, colours(rng, len(P))), width=some(rng, 1, 3), style=some(rng, "-", "--"))


def polygons(rng):
    corners = [rng.uniform(0.5, 3.5, (some(rng, 3, 5), 2)) for _ in range(rng.integers(4))]
    look = {"edge": some(rng, "none", "white"), "rim": 1, "alpha": some(rng, 0.5, 1)}
    return Polygons(corners, some(rng, GREEN, (0.2, 0.5, 0.4), colours(rng, len(corners))), **look)


def fill(rng):
    low = some(rng, 0, rng.uniform(0, 1, 9))
    return Fill(GRID, rng.uniform(1, 3, 9), some(rng, *COLOURS), alpha=some(rng, 0.2, 0.5), low=low)


def flat(*colour):
    """A paint of one colour."""
    return lambda fine: np.tile(np.array(colour, np.uint8), (round(40 * fine), round(40 * fine), 1))


PIXELS = [flat(red, 60, 200, 128) for red in (0, 80, 160, 240)]


MAKERS = {
    Line: line,
    Dots: lambda rng: Dots(*places(rng), some(rng, *COLOURS), marker=some(rng, "o", "s"), size=some(rng, 5, 9)),
    Discs: discs,
    Segments: lambda rng: Segments((GRID, 0), (GRID, rng.uniform(1, 3, 9)), some(rng, BLUE, colours(rng, 9))),
    Paths: paths,
    Contours: contours,
    Bars: bars,
    Fill: fill,
    Boxes: boxes,
    Polygons: polygons,
    Field: lambda rng: Field(rng.uniform(-1, 1, (5, 4)), some(rng, *PAINTS)),
    Image: image,
    Pixels: lambda rng: Pixels(some(rng, *PIXELS)),
    HLine: lambda rng: HLine(rng.uniform(1, 3), some(rng, *COLOURS)),
    VLine: lambda rng: VLine(rng.uniform(1, 3), some(rng, *COLOURS), style=some(rng, "-", ":")),
    HSpan: lambda rng: HSpan(1, rng.uniform(2, 3), some(rng, *COLOURS)),
    VSpan: lambda rng: VSpan(1, rng.uniform(2, 3), some(rng, *COLOURS)),
    Text: text,
}
every_kind = pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)


def axis(rng):
    ticks = {"ticks": (1, 2, 3), "names": some(rng, ("a", "b", "c"), ("d", "e", "f"))}
    free = some(rng, {}, {"most": 3}, ticks, {"zero": True}, {"zero": GREEN}, {"ticks": ()})
    return Axis(some(rng, "", "$x$"), some(rng, 0.25, 0.4), some(rng, 4, 5), log=rng.random() < 0.2, **free)


def picture_of(rng, frame):
    """Two axes with marks of all kinds, most of the time in one order, and many of them away.  frame : of the axes."""
    framing = np.random.default_rng(frame)
    kinds = list(MAKERS) if rng.random() < 0.7 else rng.permutation(list(MAKERS))[: rng.integers(3, 15)]
    marks = [MAKERS[kind](rng) if rng.random() < 0.5 else None for kind in kinds]
    look = {name: bool(framing.random() < 0.3) for name in ("frame", "bare", "grid", "equal")}
    left = Axes(some(rng, "", "a title"), axis(framing), axis(framing), *marks, place=(0.1, 0.15, 0.4, 0.7), **look)
    labelled = [Dots(*places(rng), some(rng, *COLOURS), marker=some(rng, "o", "s"), label=some(rng, "one", "two"))]
    shown = labelled if rng.random() < 0.6 else []
    row = {"left": some(framing, 0.0, 0.2), "length": some(framing, 0.8, 1.7)}
    right = Axes("", axis(framing), axis(framing), *shown, place=(0.6, 0.15, 0.35, 0.7), **row)
    return [[left, right]]


def canvas_of(start):
    """A canvas whose states are pictures."""
    return Canvas(lambda rows: rows, lambda: start, (3.0, 2.0))


def frame_of(*marks, **axes):
    """The pixels of a new canvas with these marks."""
    rows = [[Axes("", Axis("", 0, 4), Axis("", 0, 4), *marks, **axes)]]
    return canvas_of(rows).frame(rows)


@cache
def blank():
    """The pixels of axes without marks."""
    return frame_of()


# ---- laws -------------------------------------------------------------------------------------


def test_all_kinds_of_marks_are_tried():
    assert {*MAKERS} == {*Mark.__subclasses__()}


@pytest.mark.parametrize("seed", range(4))
def test_a_canvas_led_from_picture_to_picture_shows_what_a_new_one_does(seed):
    """Marks come, go, change their look, their number and their type; so do limits, ticks, titles and labels."""
    rng = np.random.default_rng(seed)
    pictures = [picture_of(rng, 10 * seed + frame) for frame in (0, 0, 0, 1, 1, 2, 3, 0)]
    led, fresh = canvas_of(pictures[0]), [canvas_of(picture).frame(picture) for picture in pictures]
    for number in (0, 1, 2, 1, 3, 4, 2, 5, 6, 7, 5, 0):
        np.testing.assert_array_equal(led.frame(pictures[number]), fresh[number], err_msg=f"picture {number}")


@every_kind
def test_equal_marks_have_no_news_and_others_have(kind):
    one, same, other = (MAKERS[kind](np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert one.news(same) == [] and other.news(one)


@every_kind
def test_what_is_hidden_by_its_name_is_not_there_and_comes_back(kind):
    mark = MAKERS[kind](np.random.default_rng(3))
    object.__setattr__(mark, "name", "answer")
    rows = [[Axes("", Axis("", 0, 4), Axis("", 0, 4), mark)]]
    canvas = canvas_of(rows)
    seen = canvas.frame(rows)
    assert (seen != blank()).any()
    np.testing.assert_array_equal(canvas.frame(rows, hidden=("answer",)), blank())
    np.testing.assert_array_equal(canvas.frame(rows), seen)


def test_an_array_that_is_changed_in_place_is_news():
    y = np.array([1.0, 2.0, 3.0, 1.0])
    before = Line(GRID[:3], y[:3])
    with pytest.raises(ValueError, match="read-only"):
        before.y[0] = 2
    y[0] = 3.5  # of which the mark had a part
    after = Line(GRID[:3], y[:3])
    assert before.y[0] == 1 and after.news(before) == ["y"] and y.flags.writeable
    rows = [[[Axes("", Axis("", 0, 4), Axis("", 0, 4), line)]] for line in (before, after)]
    canvas = canvas_of(rows[0])
    assert (canvas.frame(rows[0]) != canvas.frame(rows[1])).any()


def test_what_is_empty_is_not_there_and_tells_nothing():
    none, tell = np.empty(0), {"tell": "{y}"}
    empty = [Line(none, none, **tell), Line([], []), Bars(none, none, **tell), Bars([], []), Dots(none, none)]
    empty += [
        Fill(none, none),
        Discs(np.empty((0, 2)), [], 3),
        Segments((none, 0), (none, 1)),
        Boxes([], []),
    ]
    empty += [Contours(GRID, GRID, np.ones((9, 9)))]
    np.testing.assert_array_equal(frame_of(*empty), blank())
    assert not any(mark.told(1.0, 1.0) for mark in empty)


def test_an_empty_mark_has_its_piece_beside_its_label():
    outside = np.array([-9.0])
    for look in ({"color": GREEN}, {"color": "none", "edge": GREEN, "rim": 2}):
        empty, away = (Dots(x, x, **look, label="one") for x in (outside[:0], outside))
        np.testing.assert_array_equal(frame_of(empty), frame_of(away))
        assert (frame_of(empty) != blank()).any()


def test_labels_stand_where_their_axes_say():
    def row(**look):
        rows = [[Axes("", Axis(), Axis(), *(Dots([], [], GREEN, label=label) for label in ("one", "two")), **look)]]
        canvas = canvas_of(rows)
        canvas.frame(rows)
        return [text.get_window_extent().x0 for text in canvas.shown[0].ax.get_legend().get_texts()]

    usual = row()
    left, short, wide = (row(**look) for look in ({"left": 0.1}, {"length": 0.7}, {"spacing": 3.3}))
    np.testing.assert_allclose(np.subtract(left, usual), 2 * [left[0] - usual[0]], atol=1)
    assert left[0] > usual[0] + 9 and short[0] < usual[0] - 9
    assert wide[0] == pytest.approx(usual[0], abs=1) and wide[1] > usual[1] + 20


def test_what_is_not_clipped_is_drawn_over_the_frame_and_beyond():
    edge = np.array([[0.0, 2.0]])
    within, whole = (frame_of(Discs(edge, [GREEN], 9, clip=clip)) for clip in (True, False))
    assert (within != whole).any() and (within != blank()).any()


@pytest.mark.parametrize("color", ["#007A5E", "none"])
def test_a_label_has_the_colour_of_its_mark(color):
    rows = [[Axes("", Axis(), Axis(), Dots([1], [1], color, edge="#007A5E", label="one"))]]
    (text,) = canvas_of(rows).shown[0].ax.get_legend().get_texts()
    assert to_hex(text.get_color()) == "#007a5e"


def test_an_image_leaves_nothing_behind_where_matplotlib_draws_what_moves_into_the_background(monkeypatch):
    """As it did before 3.11."""
    draw = matplotlib.axes.Axes.draw

    def with_images(ax, renderer):
        draw(ax, renderer)
        for image in ax.images:
            if image.get_visible() and image.get_animated():
                image.draw(renderer)

    monkeypatch.setattr(matplotlib.axes.Axes, "draw", with_images)
    pixels = np.zeros((2, 2, 3))
    rows = [[[Axes("", Axis("", 0, 4), Axis("", 0, 4), Image(pixels, (x, x + 1, 1, 2)))]] for x in (0.5, 2.5)]
    canvas = canvas_of(rows[0])
    frames = [canvas.frame(rows[i]) for i in (0, 1, 0)]
    np.testing.assert_array_equal(frames[1], frame_of(Image(pixels, (2.5, 3.5, 1, 2))))
    np.testing.assert_array_equal(frames[2], frames[0])


def test_an_image_leaves_a_unit_as_long_on_both_axes():
    rows = [[Axes("", Axis("", 0, 4), Axis("", 0, 4), Image(np.zeros((2, 2, 3)), (0, 1, 0, 1)), equal=True)]]
    canvas = canvas_of(rows)
    canvas.frame(rows)
    assert canvas.axes(0).get_aspect() == 1 and canvas.axes(0).get_xlim() == (0, 4)


def test_a_row_or_a_column_is_as_large_as_its_axes_say_that_fill_no_other():
    one, other, both = (Axes(width=size, height=size) for size in (3, 2, 1))
    for rows, size in (([[both, one], [both, other]], "height"), ([[both, both], [one, other]], "width")):
        canvas = canvas_of(rows)
        sizes = [getattr(canvas.axes(number).get_position(), size) for number in (1, 2)]
        assert sizes[0] / sizes[1] == pytest.approx(3 / 2, rel=0.02)


def test_a_title_stands_as_far_above_its_axes_as_they_say():
    pictures = [[[Axes("a title", bare=True, place=(0, 0, 1, 0.5), pad=pad)]] for pad in (6, 6 + 7.2)]
    low, high = (canvas_of(rows).frame(rows) for rows in pictures)
    np.testing.assert_array_equal(np.roll(low, -10, axis=0), high)  # 7.2 points are 10 pixels


def test_a_sharp_image_has_no_colours_but_its_own():
    """Here a pixel is 2.5 pixels of the picture long, which is smoothed where that is asked for."""
    pixels = np.tile([[[0, 114, 178], [213, 94, 0]]], (12, 15, 1)).astype(np.uint8)
    frames = [
        frame_of(Image(pixels, (0, 4, 0, 4), smooth=smooth), bare=True, place=(0, 0, 0.25, 0.2)) for smooth in (0, 1)
    ]
    few, many = ({*map(tuple, frame[170:190, 5:70, :3].reshape(-1, 3))} for frame in frames)
    assert few == {(0, 114, 178), (213, 94, 0)} and len(many) > 2


def test_steady_axes_are_as_wide_as_the_whole_way_needs_and_have_its_ticks_until_they_are_let_go():
    def rows(top):
        height = Axis("", -top, top, (-top, top), steady=True)
        return [[Axes("", Axis("", 0, top), height, Line([0, 1], [0, top]), name="one")]]

    canvas, limits, ticks = canvas_of(rows(1)), [], []
    canvas.hold(map(rows, (1, 3, 2)))
    for top in (1, 2, 3):
        canvas.move(rows(top))
        limits.append((canvas.axes("one").get_xlim(), canvas.axes("one").get_ylim()))
        ticks.append(canvas.axes("one").get_yticks().tolist())
    assert ticks == [[-3, 3]] * 3
    assert limits == [((0, top), (-3, 3)) for top in (1, 2, 3)]
    canvas.let_go()
    canvas.move(rows(2))
    assert canvas.axes("one").get_ylim() == (-2, 2) and canvas.axes("one").get_yticks().tolist() == [-2, 2]


@pytest.mark.parametrize("shown", [False, True], ids=["a new canvas", "one that was live"])
def test_who_cannot_touch_the_picture_is_not_told_to(shown):
    hint, title = Live("drag it", "it moves"), Live("drag the curve: its height", "its height", "the curve")
    rows = [[Axes(title, Axis(), Axis(), Text(0.5, 0.5, hint))]]
    for how, words in (("stored", {"it moves", "its height"}), ("still", {"the curve"})):
        canvas = canvas_of(rows)
        if shown:
            canvas.frame(rows)
        canvas.store(rows, how)
        canvas.frame(rows)
        texts = {text.get_text() for text in canvas.figure.findobj(Words) if text.axes and text.get_text()}
        assert words <= texts and not any("drag" in text for text in texts)


def test_a_pointer_is_told_by_the_uppermost_mark_that_is_there():
    curve, bars = (
        Line(GRID, 2 * GRID, tell="h({x}) = {y}"),
        Bars([1, 2], [0.5, 3.0], names=("a", "b"), tell="{name}: {y}"),
    )
    rows = [[[Axes("", Axis("", 0, 4), Axis("", 0, 8), curve, top)]] for top in (bars, None)]
    canvas = canvas_of(rows[0])
    size = canvas.figure.bbox.size

    def told(x, y):
        return canvas.told(*canvas.to_pixels(0, [(x, y)])[0] / size)

    canvas.move(rows[0])
    assert [told(x, 4) for x in (1.1, 2.25, 3.0, 3.75)] == ["a: 0.5", "b: 3", "h(3) = 6", ""] and canvas.telling
    canvas.move(rows[1])
    assert [told(x, 4) for x in (1.0, 3.0)] == ["h(1) = 2", "h(3) = 6"], "the bars have gone"
    assert canvas.told(0.01, 0.01) == ""


def test_ready_made_axes_have_the_ticks_they_say():
    assert powers_of_ten("", 0.01, 1000).ticks == (0.01, 0.1, 1, 10, 100, 1000)
    assert powers_of_ten("", 1e-9, 1, most=4).ticks == (1e-9, 1e-6, 1e-3, 1)
    weights = signed("", 5)
    assert (weights.low, weights.high, weights.names, weights.zero) == (-5.25, 5.25, ("−5", "0", "5"), True)


TWICE = {  # written briefly, and in full
    "a level line": (Line([0, 4], 2.0), Line([0, 4], [2.0, 2.0])),
    "an upright line": (Line(2.0, [0, 4]), Line([2.0, 2.0], [0, 4])),
    "a cross": (Dots([2], [2], GREEN, marker="x"), Dots([2], [2], GREEN, marker="x", edge=GREEN)),
    "a dot": (Dots([2], [2], GREEN), Dots([2], [2], GREEN, edge="white")),
    "boxes": (
        Boxes([(1, 1, 1, 1), (2, 2, 1, 1)], GREEN),
        Boxes([(1, 1, 1, 1), (2, 2, 1, 1)], [GREEN, GREEN]),
    ),
    "a colour": (Discs([(2, 2)], (0.0, 0.5, 0.25), 20), Discs([(2, 2)], [(0.0, 0.5, 0.25)], 20)),
    "a band": (Fill([1, 3], [2, 3], GREEN, alpha=1, low=[1, 2]), Polygons([[(1, 2), (3, 3), (3, 2), (1, 1)]], GREEN)),
    "a rectangle": (Fill([1, 3], [2, 2], GREEN, low=1), Fill([1, 3], [2, 2], GREEN, low=[1, 1])),
    "a field": (Field(np.eye(2), PAINTS[0]), Field((np.eye(2),), PAINTS[0])),
}


@pytest.mark.parametrize(("brief", "full"), TWICE.values(), ids=TWICE)
def test_what_is_written_briefly_is_drawn_as_in_full(brief, full):
    assert (frame_of(brief) != blank()).any()
    np.testing.assert_array_equal(frame_of(brief), frame_of(full))


# ---- what does not fit ------------------------------------------------------------------------

H = np.zeros((3, 9))
MISFITS = [
    (lambda: Line([1, 2, 3], [1, 2]), "3 of x and 2 of y"),
    (lambda: Fill(GRID, GRID, low=GRID[1:]), "9 of x, 9 of y and 8 of low"),
    (lambda: Discs(np.zeros((1, 2)), BLUE, 4, edge=BLUE), "Discs with the edge '#0072B2' needs a rim"),
    (lambda: Dots([1, 2], [1, 2, 3]), "2 of x and 3 of y"),
    (lambda: Fill(GRID, GRID[1:]), "9 of x and 8 of y"),
    (lambda: Discs(np.zeros((3, 2)), [BLUE], 4), "3 of places and 1 of color"),
    (lambda: Segments((GRID, 0), (GRID[1:], 0)), r"9 of begin\[0\] and 8 of end\[0\]"),
    (lambda: Segments((GRID, 0), (GRID, 1), [BLUE]), "1 of color"),
    (lambda: Bars([1, 2], [1, 2], names=("a",)), "1 of names"),
    (lambda: Boxes([(0, 0, 1, 1)], [BLUE, BLUE]), "1 of boxes and 2 of color"),
    (lambda: Contours(GRID, GRID, H), r"\(9, 9\), got \(3, 9\)"),
    (lambda: Contours(GRID, GRID[:3], H, (0.0, 1.0), width=(1.0,)), "2 levels, and its width says 1"),
    (lambda: Field(GRID, PAINTS[0]), r"rows and columns, got the shape \(9,\)"),
    (lambda: Image(H, (0, 1, 0, 1)), r"got the shape \(3, 9\)"),
    (lambda: Line(GRID, GRID, tell="h({X})"), r"Line tells \{x\} and \{y\} of a place, got 'h\(\{X\}\)'"),
    (lambda: Line(GRID, GRID, tell="{x:.2f}"), "got '{x:.2f}'"),
    (lambda: Bars([1], [1], tell="{x"), "got '{x'"),
    (lambda: HLine(1, tell="{y}"), "HLine tells nothing of a place"),
    (lambda: Discs(np.zeros((1, 2)), [BLUE], 4, label="one"), "Discs has none for 'one'"),
    (lambda: Bars([1], [1], label="one"), "Bars has none for 'one'"),
    (lambda: Axes("a title", Axis(), Axis(), HLine(1, label="one")), "leave out the title 'a title' or 'one'"),
]


@pytest.mark.parametrize(("make", "says"), MISFITS, ids=[says[:20] for _, says in MISFITS])
def test_what_does_not_fit_together_is_refused_where_it_is_written(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_label_is_refused_under_a_title_also_where_it_comes_later():
    axes = Axes("a title", Axis(), Axis())
    with pytest.raises(ValueError, match="leave out the title"):
        axes += Line([0, 1], [0, 1], label="one")


def nothing(**changes):
    """A panel of one line in the axes “plane”."""
    rest = {"title": "T", "shows": "A line.", "scenes": {}, "question": NoQuestion("a test")} | changes
    rows = [[Axes("", Axis(), Axis(), Line([0, 1], [0, 1], name="line", tell="{y}"), name="plane")]]
    return panel(SimpleNamespace, lambda s: rows, lambda s: {}, "print(1)", **rest)


@pytest.mark.parametrize("what", ["tell", "click"])
def test_a_panel_refuses_a_function_for_axes_that_it_has_not(what, monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")
    assert nothing(**{what: {"plane": lambda state, x, y: ""}})().picture.telling
    with pytest.raises(ValueError, match=r"'plain'; the names of its axes are \['plane'\]"):
        nothing(**{what: {"plain": lambda state, x, y: ""}})()


def test_a_sketch_hides_only_what_is_there(monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")
    asks = {"prompt": "?", "kind": "points", "axes": "plane", "start": ((0.5, 0.5),), "low": (0, 0), "high": (1, 1)}
    asks |= {"judge": lambda drawn, values: "is near", "why": "So.", "scene": "S"}
    for hides, says in ((("line",), None), (("lime",), "hides 'lime', but at the start no mark")):
        explorer = nothing(scenes={"S": {}}, question=Sketch(**asks, hides=hides))
        with pytest.raises(ValueError, match=says) if says else nullcontext():
            assert explorer().asking.hidden == hides


def test_the_example_of_the_readme_is_a_panel(monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")
    page = (Path(kernelkit.__file__).parent / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    names = {"__name__": "example"}
    exec(block, names)
    (explorer,) = (value for value in names.values() if isinstance(value, Explorer))
    frames = []
    for scene in (None, *explorer.scenes):
        state = panels.state_of(explorer, scene)
        assert explorer.readout(state)
        exec(explorer.code(**explorer.start() | (explorer.scenes[scene] if scene else {})), {})
        frames.append(explorer.canvas().frame(state))
    assert all((one != other).any() for one, other in pairwise(frames)) and len(frames) == 4
    assert explorer().picture.telling
