"""How every boundary of the course is shown: sides as strong as h, and the learner's own points."""

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import RegularGridInterpolator

from kernelkit import Gaussian, KernelLogistic, Linear, Polynomial
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.panel.stretched import scale, stretch
from kernelkit.course.plots import BLUE, ORANGE

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


def values_along(lines, H):
    """H at the corners of drawn lines: each lies on an edge of the grid, and there H is read as linear."""
    return RegularGridInterpolator((Y, X), H)(np.vstack(lines.get_segments())[:, ::-1])


def test_the_margins_are_drawn_at_plus_and_minus_one_and_the_boundary_and_the_reference_at_zero():
    """On the grid, and by the formulas of both fields, as near as its steps allow."""
    field = X[None, :] + 0.4 * Y[:, None] ** 2 - 0.3
    reference = Y[:, None] - 0.5 * np.sin(X)[None, :] + 0.2
    parts = plane.build(Figure().add_axes((0, 0, 1, 1)), (-3, -2), (3, 2))
    plane.draw(parts, X, Y, field, POINTS, LABELS, reference=reference)
    margins = values_along(parts["margins"], field)
    np.testing.assert_allclose(np.abs(margins), 1, atol=1e-9)
    assert {*np.sign(margins)} == {-1.0, 1.0}, "both sides are drawn"
    np.testing.assert_allclose(values_along(parts["boundary"], field), 0, atol=1e-9)
    np.testing.assert_allclose(values_along(parts["reference"], reference), 0, atol=1e-9)
    true = [line[:, 0] + 0.4 * line[:, 1] ** 2 - 0.3 for line in parts["margins"].get_segments()]
    np.testing.assert_allclose(np.abs(np.concatenate(true)), 1, atol=1e-3)
    true = [line[:, 1] - 0.5 * np.sin(line[:, 0]) + 0.2 for line in parts["reference"].get_segments()]
    np.testing.assert_allclose(np.concatenate(true), 0, atol=1e-3)


def test_own_points_are_outlined_and_shown_once():
    parts = plane.build(Figure().add_axes((0, 0, 1, 1)), (-3, -2), (3, 2))
    plane.draw(parts, X, Y, H, POINTS, LABELS, own=[1])
    assert parts["own"][1].get_xydata().tolist() == [[1.0, 0.5]] and parts[1].get_xydata().tolist() == [[1.2, -0.3]]
    plane.draw(parts, X, Y, H, POINTS, LABELS)
    assert len(parts["own"][1].get_xydata()) == 0 and len(parts[1].get_xydata()) == 2
