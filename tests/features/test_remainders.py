"""The remainder of a composed map: the bound that its parts give, and no much larger one."""

import numpy as np
import pytest

from kernelkit.features import (
    Compose,
    Concatenate,
    ExponentialSeries,
    GaussianSeries,
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


@pytest.mark.parametrize(
    ("phi", "expected"),
    [
        (Concatenate(F, G), lambda k1, k2, e1, e2, f: e1 + e2),
        (Kronecker(F, G), lambda k1, k2, e1, e2, f: (abs(k1) + e1) * (abs(k2) + e2) - abs(k1 * k2)),
        (Scale(3, F), lambda k1, k2, e1, e2, f: 3 * e1),
        (Weighted(steep, F), lambda k1, k2, e1, e2, f: abs(f) * e1),
        (Compose(Monomials(0), F), lambda k1, k2, e1, e2, f: 0 * e1),
        (Compose(Monomials(1, 0.5), F), lambda k1, k2, e1, e2, f: e1),
        (Compose(Monomials(3, 0.5), F), lambda k1, k2, e1, e2, f: e1 * 3 * (abs(k1) + e1 + 0.5) ** 2),
        (Compose(OrderedMonomials(3), F), lambda k1, k2, e1, e2, f: e1 * 3 * (abs(k1) + e1) ** 2),
        (Compose(ExponentialSeries(4), F), lambda k1, k2, e1, e2, f: e1 * np.exp(abs(k1) + e1)),
    ],
    ids=lambda value: repr(value) if hasattr(value, "dim") else "",
)
def test_error_of_a_rule_is_made_of_the_errors_of_its_parts(phi, expected, cloud):
    """A sum adds them, a factor multiplies them, and a function of the kernel has its slope as a factor."""
    X, Z = cloud(4, 2), cloud(3, 2, seed=1)
    k1, k2, e1, e2 = F(X) @ F(Z).T, G(X) @ G(Z).T, F.remainder(X, Z), G.remainder(X, Z)
    own = phi.outer.remainder(F(X), F(Z)) if isinstance(phi, Compose) else 0
    error = own + expected(k1, k2, e1, e2, np.outer(steep(X), steep(Z)))
    np.testing.assert_allclose(phi.remainder(X, Z), error, rtol=1e-9 if isinstance(phi, Kronecker) else 1e-12)


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


@pytest.mark.parametrize("m", [3, 6])
@pytest.mark.parametrize("k", POSITIVE, ids=range(len(POSITIVE)))
def test_remainder_is_near_the_error_where_everything_is_positive(k, m):
    X, Z = np.array([[0.2, 0.5], [0.4, 0.3], [0.6, 0.6]]), np.array([[0.5, 0.5], [0.3, 0.7]])
    phi = k.feature_map(degree=m)
    error, remainder = k(X, Z) - phi(X) @ phi(Z).T, phi.remainder(X, Z)
    rounding = 50 * np.finfo(float).eps * k(X, Z)
    assert (error > 20 * rounding).all()
    assert (error <= remainder + rounding).all() and (remainder <= BOUND * error + rounding).all()
