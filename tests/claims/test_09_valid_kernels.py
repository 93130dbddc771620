"""Numbers that notebook 09 says and no cell prints, each computed once."""

import numpy as np
import pytest
from panels import state_of

from kernelkit import Conjugate, Linear, Polynomial, Pullback
from kernelkit.course.explorers import valid_kernels as explore
from kernelkit.course.explorers.valid_kernels.algebra import SIDE, wave

BOX = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])  # customers of 30, 39 and 48 years

# ---- rules, and what they do not allow -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "features"),
    [
        (3 * Linear(), lambda x: [np.sqrt(3) * x]),
        (Linear() + (Linear() + 1), lambda x: [x, x, 1]),
        (Linear() * (Linear() + 1), lambda x: [x**2, x]),
        (2 * Linear() ** 2 + Linear() + 1, lambda x: [np.sqrt(2) * x**2, x, 1]),
        (Conjugate(lambda X: X[..., 0] ** 2, Linear()), lambda x: [x**3]),
        (Pullback(Linear(), np.cos), lambda x: [np.cos(x)]),
    ],
    ids=["factor", "sum", "product", "polynomial", "factors of the points", "other inputs"],
)
def test_each_small_case_of_the_table_has_the_features_it_says(k, features):
    for x, z in np.random.default_rng(0).uniform(-2, 2, (10, 2)):
        assert k([x], [z]) == pytest.approx(np.dot(features(x), features(z)))
        assert k.feature_map().dim(1) == len(features(x))


def test_a_stretched_product_has_the_two_features_of_its_eigenvectors():
    R = np.array([[np.sqrt(1.5), np.sqrt(1.5)], [np.sqrt(0.5), -np.sqrt(0.5)]])
    np.testing.assert_allclose(R.T @ R, [[2, 1], [1, 2]])


def test_power_series():
    """1/(1 − xz) at ½ and ½ is 4/3; the sine has negative coefficients, and one point refutes it."""
    assert sum((0.5 * 0.5) ** p for p in range(60)) == pytest.approx(1 / (1 - 0.5 * 0.5)) == pytest.approx(4 / 3)
    assert np.sin(2 * 2) < -0.75


def test_the_root_of_a_kernel_need_not_be_a_kernel():
    X = np.array([0, 0.5, 1, 1.5])
    triangle = np.maximum(0, 1 - np.abs(X[:, None] - X))
    assert np.linalg.eigvalsh(triangle)[0] > 0
    assert np.linalg.eigvalsh(np.sqrt(triangle))[0] == pytest.approx(-0.144, abs=5e-4)


def test_the_inner_product_does_not_depend_on_how_a_function_is_written():
    """Σ a_i b_j k(X_i, Z_j) = Σ b_j h(Z_j): only the values of h count, as for 2 k(1, ·) = k(2, ·)."""
    k, rng = Polynomial(3), np.random.default_rng(0)
    X, Z, other, a, b = (rng.standard_normal(shape) for shape in ((30, 2), (5, 2), (30, 2), 30, 5))
    same = np.linalg.lstsq(k(other).T, k(other, X) @ a, rcond=None)[0]  # the same function, of other points
    np.testing.assert_allclose(k(Z, other) @ same, k(Z, X) @ a)
    assert a @ k(X, Z) @ b == pytest.approx(same @ k(other, Z) @ b)
    assert 2 * Linear()([1.0], [3.0]) == Linear()([2.0], [3.0]) == 6


# ---- witnesses -------------------------------------------------------------------------------------------


def test_three_customers_refute_the_box_but_not_the_triangle():
    """The triangle is an inner product of intervals: how long two of them overlap."""
    ages, root = np.array([30.0, 39.0, 48.0]), np.sqrt(2)
    r, v = np.abs(ages[:, None] - ages) / 10, np.array([1, -root, 1]) / 2
    np.testing.assert_array_equal(r < 1, BOX)
    np.testing.assert_allclose(np.linalg.eigvalsh(BOX), [1 - root, 1, 1 + root])
    np.testing.assert_allclose(BOX @ v, (1 - root) * v, atol=1e-12)
    assert np.array([1, -1, 1]) @ BOX @ [1, -1, 1] == -1
    pieces = np.arange(20, 60, 0.01) + 0.005
    Phi = np.sqrt(0.01 / 10) * (np.abs(pieces - ages[:, None]) < 5)
    np.testing.assert_allclose(Phi @ Phi.T, np.maximum(0, 1 - r), atol=1e-9)
    assert np.linalg.eigvalsh(np.maximum(0, 1 - r)).min() > 0.8


@pytest.mark.parametrize("near", np.linspace(0, 1, 6))
@pytest.mark.parametrize("far", [0.0, 0.3, 0.9])
def test_three_points_at_equal_gaps_refute_exactly_when_neighbours_are_similar_enough(near, far):
    K = np.array([[1, near, far], [near, 1, near], [far, near, 1]])
    assert (np.linalg.eigvalsh(K)[0] < 0) == (2 * near**2 > 1 + far)


def test_the_larger_of_two_numbers_is_refuted_by_any_two_points():
    for x, z in np.random.default_rng(0).uniform(0, 9, (20, 2)):
        K = np.maximum.outer([x, z], [x, z])
        assert np.array([1, -1]) @ K @ [1, -1] == pytest.approx(-abs(x - z))


@pytest.mark.parametrize(("p", "omega", "negative"), [(3, 5.0, True), (3, 1.0, False), (4, 4.0, True), (2, 4.0, False)])
def test_a_wave_refutes_exactly_where_the_spectrum_is_negative(p, omega, negative):
    r, P = np.arange(4000) * 0.01, np.linspace(-10, 10, 201)
    spectrum = 0.01 / np.pi * np.cos(omega * r) @ (np.exp(-(r**p)) * np.where(r == 0, 0.5, 1.0))
    v = np.cos(omega * P)
    assert (spectrum < -0.01) == (v @ np.exp(-(abs(P[:, None] - P) ** p)) @ v < -1) == negative


@pytest.mark.parametrize(("lam", "predictions"), [(0.42, [-61, 87, -61]), (1.0, [-0.5, 1, -0.5])])
def test_a_penalty_just_above_the_negative_eigenvalue_does_not_help(lam, predictions):
    found = BOX @ np.linalg.solve(BOX + lam * np.eye(3), [1, -1, 1])
    np.testing.assert_allclose(found, predictions, atol=0.5 if lam < 1 else 1e-9)


# ---- what the text says of scenes ------------------------------------------------------------------------


def test_scenes_say_what_their_functions_do():
    square, silent = (state_of(explore.algebra, scene) for scene in ("A square of a sum", "Bumps with silent places"))
    assert square.rank == 3 and np.abs(np.diff(square.functions, 3, axis=0)).max() < 1e-4
    assert np.abs(wave(np.array([[-np.pi / 4], [np.pi / 4]]))).max() < 1e-12 and silent.more != square.more
    one = state_of(explore.algebra, "A singular").functions.reshape(len(SIDE), -1)
    assert np.abs(one[1:, :-1] - one[:-1, 1:]).max() < 1e-4 < np.ptp(one)
    cubic = state_of(explore.four_views, "A cubic: rank 4")
    assert cubic.kappa[4] < 1e-9 * cubic.kappa[0] < cubic.kappa[3] and np.abs(cubic.part).max() < 1e-6
    kernel = state_of(explore.break_it, "A true kernel")
    assert not kernel.refuted and kernel.smallest > 0
