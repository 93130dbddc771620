"""Squared distances in feature space: right where k(x,x) − 2k(x,z) + k(z,z) has no digits left."""

from inspect import isfunction
from math import inf

import numpy as np
import pytest

from kernelkit.features import Monomials
from kernelkit.kernels import (
    Constant,
    FromFeatures,
    Gaussian,
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


def label(value):
    return "" if isfunction(value) else repr(value)


def blobs(cloud, d):
    """Three groups far from the origin, of whole numbers, so that differences and their squares are exact."""
    centres = np.repeat([[0] * d, [40] * d, [-90] * d], 20, axis=0)
    return NOON + centres + np.round(3 * cloud(60, d))


def exact(X, Z):
    return ((X[:, None] - Z) ** 2).sum(axis=2)


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
    ids=label,
)
def test_rules_hand_the_distances_on(k, expected, cloud):
    X = blobs(cloud, 2)
    # Quadratic's R x is rounded at the size of x, so that its distances keep six digits
    np.testing.assert_allclose(k.squared_distance(X), expected(exact(X, X), X), rtol=1e-6)


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
    ids=label,
)
@pytest.mark.parametrize("d", [1, 20])
def test_near_points_have_the_distance_that_taylor_gives(k, gap, d):
    """2 − 2k(x, z) for r = 1e-9 (1e-5 on circles): the first term of its series, of which nothing is left in k."""
    r, rtol = (1e-5, 1e-4) if isinstance(k, Periodic) else (1e-9, 1e-8)
    X = np.zeros((2, d))
    X[1, 0] = r
    np.testing.assert_allclose(k.squared_distance(X)[0, 1], gap(r), rtol=rtol)


def test_distances_beyond_all_numbers_are_infinite_not_small():
    with np.errstate(over="ignore"):
        assert Linear().squared_distance([-1e200], [1e200]) == inf
        assert Linear().squared_distance([1e200], [1e200]) == 0
    assert Gaussian(1.0).squared_distance([-1e200], [1e200]) == 2
    assert Constant(1e300).squared_distance(["a", "b"]).tolist() == [[0, 0], [0, 0]]  # the constant kernel has none
