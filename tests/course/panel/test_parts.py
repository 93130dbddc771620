"""The small parts of pictures."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from kernelkit.course.panel.parts import (
    Bars,
    Table,
    apart,
    curves,
    key,
    plane_points,
    powers_of_ten,
    reframed,
    standard,
)
from kernelkit.course.plots import BLUE, GREY, INK, ORANGE


@given(st.floats(1e-3, 1e300))
def test_standard_is_near_whatever_the_value(value):
    assert 0.999 <= standard(value) / value < 2.51
    assert f"{standard(value):.10e}"[0] in "125" and float(f"{standard(value):.0e}") == pytest.approx(standard(value))


def test_key_names_lines_in_their_colours():
    ax = Figure().subplots()
    lines = {"one": ax.plot([0, 1], color="#007A5E")[0], "two": ax.plot([1, 0], "--", color="#7B3294")[0]}
    lines["hollow"] = ax.plot([0, 1], "D", color="#7B3294", mfc="white")[0]
    texts = key(ax, lines).get_texts()
    assert [(text.get_text(), to_hex(text.get_color())) for text in texts] == [
        ("one", "#007a5e"),
        ("two", "#7b3294"),
        ("hollow", "#7b3294"),
    ]


def test_labels_stand_apart_in_the_order_of_their_places():
    places = apart([100.0, 98.0, 30.0, 99.0], 20, 110)
    assert list(np.argsort(places)) == [2, 1, 3, 0] and places.max() <= 110 and places[2] == 30
    assert np.diff(np.sort(places)).min() == pytest.approx(20)
    assert list(apart([12, 10, 50], 20, 110)) == [30, 10, 50]


def test_standard_is_the_next_round_number():
    assert [standard(v) for v in (0.9, 1.0, 1.1, 3, 7, 11)] == [1, 1, 2, 5, 10, 20]
    assert [standard(v) for v in (-1, 0, 0.0004, 0.0011, 5.1e12)] == [0.001, 0.001, 0.001, 0.002, 1e13]


def test_a_frame_is_new_once():
    ax = Figure().subplots()
    assert reframed(ax, 1, "a") and not reframed(ax, 1, "a") and reframed(ax, 2, "a") and reframed(ax, 1, "a")


def test_points_of_a_plane_run_along_x_first():
    points = plane_points(np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0]))
    assert points.tolist() == [[0, 5], [1, 5], [2, 5], [0, 6], [1, 6], [2, 6]]


# ---- curves, bars, powers of ten, tables ----------------------------------------------------------


def test_curves_are_the_lines_of_their_key():
    ax = Figure().subplots()
    lines = curves(ax, {"one": {"color": "#007A5E"}, "two": {"color": "#7B3294", "linestyle": "--"}})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(lines)
    assert all(line.get_animated() for line in lines.values()) and lines["two"].get_linestyle() == "--"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), st.booleans())
def test_a_bar_reaches_from_0_to_its_value_in_the_colour_of_its_sign(values, lying):
    bars = Bars(Figure().subplots(), lying=lying)
    places = np.arange(len(values)) + 3
    bars.show(places, values)
    along, across = (0, 1) if lying else (1, 0)
    for value, place, path, colour in zip(
        values, places, bars.bars.get_paths(), bars.bars.get_facecolor(), strict=True
    ):
        box = path.get_extents()
        assert sorted(path.vertices[:4, along]) == sorted([0, 0, value, value])
        assert (box.min[across] + box.max[across]) / 2 == pytest.approx(place)
        assert to_hex(colour) == to_hex(ORANGE if value >= 0 else BLUE)


def test_bars_may_have_other_colours_and_their_frame_names_three_ticks():
    bars = Bars(Figure().subplots(), longest="−1000")
    assert {label.get_text() for label in bars.ax.get_yticklabels()} == {"−1000"}
    bars.show([0, 1], [1.0, -1.0], [INK, INK])
    bars.frame(20)
    assert [to_hex(colour) for colour in bars.bars.get_facecolor()] == [INK, INK]
    assert [label.get_text() for label in bars.ax.get_yticklabels()] == ["−20", "0", "20"]
    assert bars.ax.get_ylim() == pytest.approx((-21, 21))


@given(st.integers(-12, 12), st.integers(1, 20), st.sampled_from(["x", "y"]), st.integers(3, 9))
def test_ticks_are_powers_of_ten_inside_the_limits_and_not_too_many(first, decades, which, most):
    ax = Figure().subplots()
    powers_of_ten(ax, which, 10.0**first, 10.0 ** (first + decades), most=most)
    ticks = np.log10(getattr(ax, f"get_{which}ticks")())
    assert len(ticks) <= most and (len(ticks) < 3 or np.ptp(np.diff(ticks)) < 1e-9)
    assert (first - 1e-9 <= ticks).all() and (ticks <= first + decades + 1e-9).all()
    assert (np.abs(ticks - np.round(ticks)) < 1e-9).all()
    assert len(getattr(ax, f"{which}axis").get_minorticklocs()) == 0


def test_powers_of_ten_are_named_and_the_other_axis_keeps_its_scale():
    ax = Figure().subplots()
    powers_of_ten(ax, "y", 0.7, 2e4, lambda value: f"{value:.0f} s")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1 s", "10 s", "100 s", "1000 s", "10000 s"]
    assert ax.get_xscale() == "linear"


def test_a_table_shows_its_rows_and_empties_what_is_below_them():
    ax = Figure().subplots()
    table = Table(ax, {"name": (0, "left"), "value": (1, "right", GREY)}, 3)
    table.show([("a", "1"), ("b", "2"), ("c", "3")])
    table.show([("d", "4"), ()], [ORANGE])
    texts = [[cell.get_text() for cell in row] for row in table.cells]
    assert texts == [["d", "4"], ["", ""], ["", ""]]
    assert [cell.get_color() for cell in table.cells[0]] == [ORANGE, GREY]
    assert {text.get_text() for text in ax.texts} >= {"name", "value"}
    places = [cell.get_position() for cell in table.cells[0]]
    assert [x for x, _ in places] == [0, 1] and places[0][1] < table.cells[1][0].get_position()[1]
