"""The remainder of a composed map: the bound that its parts give, and no much larger one."""

import math

import numpy as np
import pytest

from kernelkit.features import (
    Compose,
    Concatenate,
    ExponentialSeries,
    GaussianSeries,
    Identity,
    Kronecker,
    Monomials,
    OrderedMonomials,
    Scale,
    Weighted,
)
from kernelkit.kernels import Conjugate, Exp, Gaussian, Linear, Polynomial, Pullback

pytestmark = pytest.mark.filterwarnings("error")


def steep(X):
    return 2 - 3 * np.asarray(X)[..., 0]  # of both signs


F, G = GaussianSeries(1.0, 2), GaussianSeries(1.7, 3)


@pytest.fixture
def points(cloud):
    return cloud(4, 2), cloud(3, 2, seed=1)


@pytest.fixture
def parts(points):
    """Φ1(x)ᵀΦ1(z) and Φ2(x)ᵀΦ2(z), and the remainders of both."""
    X, Z = points
    return F(X) @ F(Z).T, G(X) @ G(Z).T, F.remainder(X, Z), G.remainder(X, Z)


def test_errors_of_a_sum_add(points, parts):
    *_, e1, e2 = parts
    np.testing.assert_allclose(Concatenate(F, G).remainder(*points), e1 + e2, rtol=1e-13)


def test_error_of_a_product_is_that_of_its_factors_each_times_the_other(points, parts):
    k1, k2, e1, e2 = parts
    expected = (abs(k1) + e1) * (abs(k2) + e2) - abs(k1 * k2)
    np.testing.assert_allclose(Kronecker(F, G).remainder(*points), expected, rtol=1e-9)


def test_factors_are_factors_of_the_error(points, parts):
    (X, Z), (_, _, e1, _) = points, parts
    np.testing.assert_allclose(Scale(3, F).remainder(X, Z), 3 * e1, rtol=1e-13)
    np.testing.assert_allclose(Weighted(steep, F).remainder(X, Z), abs(np.outer(steep(X), steep(Z))) * e1, rtol=1e-13)


@pytest.mark.parametrize(
    ("outer", "slope"),
    [
        (Monomials(0), lambda t: 0 * t),
        (Monomials(1, 0.5), lambda t: 1 + 0 * t),
        (Monomials(3, 0.5), lambda t: 3 * (t + 0.5) ** 2),
        (Monomials(2, 0), lambda t: 2 * t),
        (OrderedMonomials(1), lambda t: 1 + 0 * t),
        (OrderedMonomials(3), lambda t: 3 * t**2),
        (ExponentialSeries(4), np.exp),
    ],
    ids=lambda part: "slope" if callable(part) and not hasattr(part, "dim") else repr(part),
)
def test_error_of_a_function_of_the_kernel_goes_through_its_slope(outer, slope, points, parts):
    (X, Z), (k, _, e, _) = points, parts
    own = outer.remainder(F(X), F(Z))
    np.testing.assert_allclose(Compose(outer, F).remainder(X, Z), own + e * slope(abs(k) + e), rtol=1e-12)


@pytest.mark.parametrize(
    ("phi", "F"),
    [
        *((Monomials(p, c), lambda t, p=p, c=c: (t + c) ** p) for p in (0, 1, 2, 5) for c in (0, 0.5, 1)),
        *((OrderedMonomials(p), lambda t, p=p: t**p) for p in (1, 2, 5)),
        (ExponentialSeries(3), np.exp),
    ],
    ids=lambda value: repr(value) if not callable(value) or hasattr(value, "dim") else "",
)
def test_slope_is_the_derivative(phi, F):
    t, h = np.array([0.1, 0.7, 2.0]), 1e-5
    np.testing.assert_allclose(phi.slope(t), (F(t + h) - F(t - h)) / (2 * h), rtol=1e-8, atol=1e-10)


BOUND = 1.5  # how often the error the remainder may be, where no signs cancel and xᵀz is at most about σ²
POSITIVE = [
    Gaussian(1.0),
    Gaussian(0.8) + Gaussian(1.3),
    Gaussian(0.8) * Gaussian(1.3),
    Gaussian(1.0) * Polynomial(2),
    Polynomial(2) * Gaussian(1.0),
    0.3 * Gaussian(1.0),
    Gaussian(1.0) ** 3,
    (Gaussian(1.0) + 0.5) ** 2,
    Exp(Linear()),
    Exp(Gaussian(1.0)),
    Exp(0.5 * Polynomial(1, 0)),
    Conjugate(lambda X: 5 * X[:, 0], Gaussian(1.0)),
    Pullback(Gaussian(1.0), lambda X: X**2 + 0.3),
]


@pytest.mark.parametrize("m", [3, 4, 6])
@pytest.mark.parametrize("k", POSITIVE, ids=range(len(POSITIVE)))
def test_remainder_is_near_the_error_where_everything_is_positive(k, m):
    X, Z = np.array([[0.2, 0.5], [0.4, 0.3], [0.6, 0.6]]), np.array([[0.5, 0.5], [0.3, 0.7]])
    phi = k.feature_map(degree=m)
    error, remainder = k(X, Z) - phi(X) @ phi(Z).T, phi.remainder(X, Z)
    rounding = 50 * np.finfo(float).eps * k(X, Z)
    assert (error > 20 * rounding).all()
    assert (error <= remainder + rounding).all() and (remainder <= BOUND * error + rounding).all()


@pytest.mark.parametrize(
    "phi",
    [
        F,
        Concatenate(Identity(), F),
        Kronecker(F, Identity()),
        Scale(2, F),
        Weighted(steep, F),
        Compose(Monomials(2), F),
    ],
    ids=lambda phi: type(phi).__name__,
)
def test_points_that_cannot_be_read_are_called_by_their_name(phi):
    good, bad = [[1.0, 2.0]], [[1.0, math.nan]]
    for name, call in [
        ("X", lambda: phi(bad)),
        ("X", lambda: phi.remainder(bad, good)),
        ("Z", lambda: phi.remainder(good, bad)),
    ]:
        with pytest.raises(ValueError, match=f"^{name} must hold finite numbers"):
            call()


def test_points_of_different_widths_have_no_remainder():
    with pytest.raises(ValueError, match="X and Z must have the same number of features, got 2 and 3"):
        GaussianSeries(1.0, 3).remainder([[1.0, 2.0]], [[1.0, 2.0, 3.0]])
