"""A field over a plane: its lines are where it has their values, its image is what is painted."""

import numpy as np

from kernelkit.course.explorers.drawing.field import level_lines
from kernelkit.course.explorers.drawing.shades import class_points, plane
from kernelkit.course.panel.stretched import mixed

X, Y = np.linspace(-2, 2, 21), np.linspace(-1, 1, 11)


def test_three_fields_may_be_the_colours_themselves():
    red, green, blue = np.ones((2, 2)), np.zeros((2, 2)), np.full((2, 2), 0.2)
    np.testing.assert_array_equal(mixed(red, green, blue), np.full((2, 2, 4), (255, 0, 51, 255), np.uint8))


# ---- the same as marks --------------------------------------------------------------------------


def test_flat_fields_have_no_level_lines():
    assert level_lines(X, Y, X + Y[:, None]).levels == (0.0,)
    assert level_lines(X, Y, 1e-12 * (X + Y[:, None])) is None


def test_marks_of_points_are_those_of_their_class():
    points, y = np.array([[0.0, 0.1], [1.0, 0.2], [-1.0, 0.3]]), np.array([1, -1, 1])
    for label, dots in zip((-1, 1), class_points(points, y), strict=True):
        np.testing.assert_array_equal([dots.x, dots.y], points[y == label].T)


def test_axes_over_a_plane_end_where_its_grid_does():
    axes = plane("", X, Y)
    assert [(side.low, side.high, side.ticks) for side in (axes.x, axes.y)] == [(-2, 2, ()), (-1, 1, ())]
