"""A field over a plane: its lines are where it has their values, its image is what is painted."""

import numpy as np
from hypothesis import given, settings, strategies as st
from matplotlib.figure import Figure

from kernelkit.course.explorers.drawing.field import Field
from kernelkit.course.panel.stretched import mixed, scale
from kernelkit.course.plots import BLUE, ORANGE

X, Y = np.linspace(-2, 2, 21), np.linspace(-1, 1, 11)


def field(paint=None):
    return Field(Figure().subplots(), X, Y, paint or scale(BLUE, ORANGE, 0.5))


@settings(max_examples=20, deadline=None)
@given(st.floats(0.3, 3), st.floats(0.05, 0.25))
def test_a_level_line_lies_where_the_field_has_its_value(slope, level):
    plane = field()
    plane.lines(slope * X + 0 * Y[:, None], (level,))
    plane.lines(slope * X + 0 * Y[:, None], (-level, 2 * level), dashed=True)
    (path,) = plane.full.get_segments()
    np.testing.assert_allclose(path[:, 0], level / slope, atol=1e-9)
    dashed = {round(float(path[0, 0] * slope), 6) for path in plane.dashed.get_segments()}
    assert dashed == {round(-level, 6), round(2 * level, 6)}


def test_a_flat_field_has_no_lines():
    plane = field()
    plane.lines(X + Y[:, None])
    plane.lines(1e-12 * (X + Y[:, None]))
    assert not plane.full.get_segments()


def test_points_are_shown_by_their_class():
    plane = field()
    points, y = np.array([[0.0, 0.1], [1.0, 0.2], [-1.0, 0.3]]), np.array([1, -1, 1])
    plane.points(points, y)
    for label, mark in zip((-1, 1), plane.marks, strict=True):
        np.testing.assert_array_equal(mark.get_xydata(), points[y == label])


def test_the_plane_ends_where_the_grid_does():
    ax = field().image.axes
    assert ax.get_xlim() == (-2, 2) and ax.get_ylim() == (-1, 1) and ax.get_xticks().size == 0


def test_three_fields_may_be_the_colours_themselves():
    red, green, blue = np.ones((2, 2)), np.zeros((2, 2)), np.full((2, 2), 0.2)
    np.testing.assert_array_equal(mixed(red, green, blue), np.full((2, 2, 4), (255, 0, 51, 255), np.uint8))
