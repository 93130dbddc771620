"""The small things that pictures share."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from kernelkit.course.panel.parts import (
    apart,
    key,
    plane_points,
    standard,
)


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


def test_points_of_a_plane_run_along_x_first():
    points = plane_points(np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0]))
    assert points.tolist() == [[0, 5], [1, 5], [2, 5], [0, 6], [1, 6], [2, 6]]
