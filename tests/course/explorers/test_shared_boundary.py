"""How every boundary of the course is shown: sides as strong as h, and the learner's own points."""

import numpy as np
from panels import corners
from scipy.interpolate import RegularGridInterpolator

from kernelkit import Gaussian, KernelLogistic, Linear, Polynomial
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.panel.stretched import scale, stretch
from kernelkit.course.plots import BLUE, INK, ORANGE

X, Y = plane.grid((-3.0, -2.0), (3.0, 2.0), 90)
POINTS, LABELS = np.array([[-1.0, 0.0], [1.0, 0.5], [1.2, -0.3]]), np.array([-1, 1, 1])
H = X[None, :] - 0.2 * Y[:, None]


def test_sides_are_the_signs_of_h_and_pale_at_its_zero():
    shown = plane.shade(X, Y, H, POINTS)
    assert (np.sign(shown) == np.sign(H)).all() and np.abs(shown).max() <= 1
    near_zero = np.abs(H) < 0.05
    assert np.abs(shown[near_zero]).max() < 0.3 < np.abs(shown).max()


def test_only_a_gaussian_falls_silent_far_from_the_points():
    far = (-3.0, 2.0)
    for kernel, silent in ((Gaussian(0.5), True), (Linear(), False), (Polynomial(2), False)):
        model = KernelLogistic(kernel, lam=0.1).fit(POINTS, LABELS)
        shown = np.abs(plane.shade(X, Y, plane.decision_on_grid(model, X, Y), POINTS))
        assert plane.value_at(X, Y, shown, POINTS[1]) > 0.8
        assert (plane.value_at(X, Y, shown, far) < 0.05) == silent, kernel


def test_only_the_shape_of_h_is_shown_and_rounding_never():
    np.testing.assert_allclose(plane.shade(X, Y, 50 * H, POINTS), plane.shade(X, Y, H, POINTS), atol=1e-12)
    assert np.abs(plane.shade(X, Y, 1e-14 * H, POINTS)).max() < 0.01
    assert not plane.shade(X, Y, 0 * H, POINTS).any()
    assert np.isfinite(plane.shade(X, Y, H, POINTS[:0])).all()


def test_a_field_is_stretched_linearly():
    field = 2 * np.linspace(0, 1, 7)[:, None] - np.linspace(0, 3, 5)
    rows, columns = (np.arange(40) + 0.5) / 40, (np.arange(60) + 0.5) / 60
    np.testing.assert_allclose(stretch(field, 40, 60), 2 * rows[:, None] - 3 * columns, atol=1e-5)


def test_the_scale_goes_from_blue_through_white_to_orange():
    low, middle, high = scale(BLUE, ORANGE, 1.0)(np.array([[-1.0, 0.0, 1.0]], np.float32))[0]
    assert (low == [0, 0x72, 0xB2, 255]).all() and (high == [0xD5, 0x5E, 0, 255]).all() and (middle >= 253).all()


def values_at(places, H):
    """H at the corners of a drawn line: each lies on an edge of the grid, and there H is read as linear."""
    return RegularGridInterpolator((Y, X), H)(places[:, ::-1])


def test_the_margins_are_drawn_at_plus_and_minus_one_and_the_boundary_and_the_reference_at_zero():
    """On the grid, and by the formulas of both fields, as near as its steps allow."""
    field = X[None, :] + 0.4 * Y[:, None] ** 2 - 0.3
    reference = Y[:, None] - 0.5 * np.sin(X)[None, :] + 0.2
    _, lines, second = plane.sides(X, Y, field, POINTS, reference)
    for level in (-1.0, 0.0, 1.0):
        x, y = corners(lines, level).T
        np.testing.assert_allclose(values_at(corners(lines, level), field), level, atol=1e-9)
        np.testing.assert_allclose(x + 0.4 * y**2 - 0.3, level, atol=1e-3)
    assert dict(zip(lines.levels, lines.style, strict=True)) == {-1.0: "--", 0.0: "-", 1.0: "--"}
    x, y = corners(second, 0.0).T
    np.testing.assert_allclose(values_at(corners(second, 0.0), reference), 0, atol=1e-9)
    np.testing.assert_allclose(y - 0.5 * np.sin(x) + 0.2, 0, atol=1e-3)


def test_own_points_are_outlined_and_shown_once():
    def shown(**chosen):
        """{edge, or None for white: places}."""
        marks = [mark for mark in plane.points(POINTS, LABELS, **chosen) if mark is not None]
        places = {mark.edge: [] for mark in marks}
        for mark in marks:
            places[mark.edge] += zip(mark.x.tolist(), mark.y.tolist(), strict=True)
        return places

    one, two, three = map(tuple, POINTS.tolist())
    assert shown(own=[1]) == {None: [one, three], INK: [two]} and shown() == {None: [one, two, three]}
