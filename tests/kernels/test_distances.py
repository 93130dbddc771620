"""Squared distances in feature space: right where k(x,x) − 2k(x,z) + k(z,z) has no digits left."""

from fractions import Fraction
from inspect import isfunction
from math import inf

import numpy as np
import pytest
from every_kernel import EXAMPLES, points

from kernelkit.features import Monomials
from kernelkit.kernels import (
    Constant,
    FromFeatures,
    Gaussian,
    Kernel,
    Laplace,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    Pullback,
    Quadratic,
    RationalQuadratic,
)

pytestmark = pytest.mark.filterwarnings("error")
NOON = 1.7e9  # a Unix time in seconds


def moved(X):
    return X - NOON


def blobs(cloud, d):
    """Three groups far from the origin, of whole numbers, so that all differences are exact."""
    centres = np.repeat([[0] * d, [40] * d, [-90] * d], 20, axis=0)
    return NOON + centres + np.round(3 * cloud(60, d))


def exact(X, Z):
    """‖x − z‖² without any rounding."""
    X, Z = (np.vectorize(Fraction, [object])(A) for A in (X, Z))
    return ((X[:, None] - Z) ** 2).sum(axis=2).astype(float)


@pytest.mark.parametrize("d", [1, 2, 30])
def test_distances_of_linear_do_not_depend_on_the_origin(d, cloud):
    X = blobs(cloud, d)
    np.testing.assert_allclose(Linear().squared_distance(X), exact(X, X), rtol=1e-13)
    np.testing.assert_allclose(Linear().squared_distance(X[:7], X), exact(X[:7], X), rtol=1e-13)
    assert Linear().squared_distance(X[0], X[1]) == pytest.approx(exact(X[:1], X[1:2])[0, 0], rel=1e-13)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (3 * Linear(), lambda D, X: 3 * D),
        (Linear() + 2, lambda D, X: D),
        (Linear() + 2 * Linear(), lambda D, X: 3 * D),
        (Pullback(Linear(), moved), lambda D, X: D),
        (Pullback(Polynomial(2), moved), lambda D, X: Polynomial(2).squared_distance(moved(X))),
        (FromFeatures(Monomials(1)), lambda D, X: D),
        (Quadratic([[2.0, 0.0], [0.0, 2.0]]), lambda D, X: 2 * D),
        (Linear() + Gaussian(50.0), lambda D, X: D + Gaussian(50.0).squared_distance(X)),
    ],
    ids=lambda k: repr(k) if isinstance(k, Kernel) else "",
)
def test_rules_hand_the_distances_on(k, expected, cloud):
    X = blobs(cloud, 2)
    # Quadratic's R x is rounded at the size of x, so that its distances keep six digits
    np.testing.assert_allclose(k.squared_distance(X), expected(exact(X, X), X), rtol=1e-6)


def test_squared_distances_centred_twice_are_the_centred_gram_matrix(cloud):
    X = blobs(cloud, 2)
    H = np.eye(60) - 1 / 60
    U = X - NOON
    U -= U.mean(axis=0)
    np.testing.assert_allclose(-H @ Linear().squared_distance(X) @ H / 2, U @ U.T, atol=1e-9)


@pytest.mark.parametrize("k", EXAMPLES, ids=repr)
def test_squared_distance_is_made_of_k(k, cloud):
    X = k.read(points(k, cloud))[0]
    D = k.squared_distance_matrix(X, X)
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any() and D.min() >= 0
    size = np.add.outer(k.diag(X), k.diag(X))
    assert (np.abs(D - (size - 2 * k.gram(X, X))) <= 1e-13 * size).all()
    if not k.pairwise:
        np.testing.assert_allclose(k.squared_distance_matrix(X[:2], X), D[:2], rtol=1e-12, atol=1e-13 * size.max())
        assert k.squared_distance_matrix(X, X[:0]).shape == (len(X), 0)


@pytest.mark.parametrize(
    ("k", "gap"),
    [
        (Gaussian(2.0), lambda r: r**2 / 4),
        (Laplace(2.0), lambda r: r),
        (Matern(2.0, 0.5), lambda r: r),
        (Matern(2.0, 1.5), lambda r: 3 * r**2 / 4),
        (Matern(2.0, 2.5), lambda r: 5 * r**2 / 12),
        (RationalQuadratic(2.0, 0.3), lambda r: r**2 / 4),
        (Periodic(2.0, 3.0), lambda r: (2 * np.pi * r / 3) ** 2 / 4),
    ],
    ids=lambda value: None if isfunction(value) else repr(value),
)
@pytest.mark.parametrize("d", [1, 20])
def test_near_points_have_the_distance_that_taylor_gives(k, gap, d):
    """2 − 2k(x, z) for r = 1e-9 (1e-5 on circles): the first term of its series, of which nothing is left in k."""
    r = 1e-5 if isinstance(k, Periodic) else 1e-9
    X = np.zeros((2, d))
    X[1, 0] = r
    np.testing.assert_allclose(k.squared_distance(X)[0, 1], gap(r), rtol=1e-4 if isinstance(k, Periodic) else 1e-8)


def test_distances_beyond_all_numbers_are_infinite_not_small():
    with np.errstate(over="ignore"):
        assert Linear().squared_distance([-1e200], [1e200]) == inf
        assert Linear().squared_distance([1e200], [1e200]) == 0
    assert Gaussian(1.0).squared_distance([-1e200], [1e200]) == 2


def test_the_constant_kernel_has_no_distances():
    assert Constant(1e300).squared_distance(["a", "b"]).tolist() == [[0, 0], [0, 0]]
