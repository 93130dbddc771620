"""The algebra of kernels: what +, * and ** make, and how many features that has."""

import math

import numpy as np
import pytest
from every_kernel import A, sines

from kernelkit.arrays import power
from kernelkit.kernels import (
    Constant,
    Exp,
    Gaussian,
    Linear,
    Polynomial,
    Power,
    Precomputed,
    Product,
    Pullback,
    Quadratic,
    Scaled,
    Sum,
)

pytestmark = pytest.mark.filterwarnings("error")
k1, k2 = Polynomial(2), Quadratic([[1, 0], [0, 0]]) + 1  # of 6 and of 2 features on the plane


@pytest.mark.parametrize(
    ("k", "d", "D"),
    [
        (Linear(), 4, 4),
        (Polynomial(3), 4, math.comb(4 + 3, 3)),
        (Polynomial(3, 0), 4, math.comb(4 + 2, 3)),
        (Pullback(Polynomial(2, 0), sines), 7, 3),
        (Quadratic(A), 3, 2),
        (Quadratic([[0.0, 0.0], [0.0, 0.0]]), 2, 1),  # rank 0: one feature, which is 0
        (k1, 2, 6),
        (k2, 2, 2),
        (k1 + k2, 2, 6 + 2),
        (k1 * k2, 2, 6 * 2),
        (k1 * k1, 2, 6**2),
        (k1**2, 2, 6 * 7 // 2),
        (k1**3, 2, math.comb(6 + 2, 3)),
        (5 * k1, 2, 6),
        (0 * k1, 2, 6),
        (k1 + 0, 2, 6 + 1),
        *((k**0, 400, 1) for k in (Linear(), Exp(Linear()), Gaussian(1.0), Precomputed())),
    ],
    ids=repr,
)
def test_rules_count_features_and_simplify_nothing(k, d, D):
    assert k.dim(d) == D


@pytest.mark.parametrize("k", [Gaussian(1), Exp(Linear())], ids=repr)
def test_a_series_has_all_monomials_to_its_degree(k):
    assert k.dim(4, degree=6) == math.comb(4 + 6, 6)


@pytest.mark.parametrize("k", [Linear(), Exp(Linear()), Gaussian(1.0), Precomputed()], ids=repr)
def test_the_power_zero_is_the_constant_one_whatever_the_kernel(k, cloud):
    X, phi = cloud(4, 400), (k**0).feature_map()
    assert phi.names(400) == ["1"]
    np.testing.assert_array_equal((k**0)(np.eye(4)), np.ones((4, 4)))
    np.testing.assert_array_equal(phi(X), np.ones((4, 1)))
    np.testing.assert_array_equal(phi.remainder(1e200 * X, X), np.zeros((4, 4)))


def test_operators_make_the_rules():
    assert 0 + k1 == k1 and sum([k1, k2]) == Sum(k1, k2)
    assert (k1 + 2, 2 + k1) == (Sum(k1, Constant(2)), Sum(Constant(2), k1))
    assert (k1 * k1, k1**2) == (Product(k1, k1), Power(k1, 2))
    assert 2 * (3 * k1) == Scaled(2, Scaled(3, k1))
    for c in (2, 2.0, np.float64(2), np.int64(2), np.float32(2)):
        assert c * k1 == k1 * c == Scaled(2, k1) and c + k1 == Sum(Constant(2), k1)
        assert repr(c * k1) in ("2 * Polynomial(2)", "2.0 * Polynomial(2)")
    assert repr(Gaussian(np.float32(0.5))) == "Gaussian(0.5)" and repr(Polynomial(3, 1.0)) == "Polynomial(3)"


@pytest.mark.parametrize("rank", range(5))
def test_singular_quadratic_has_as_many_features_as_its_rank(rank, cloud):
    R, X = cloud(4, 4, seed=rank)[:, :rank], cloud(9, 4)
    k = Quadratic(R @ R.T)
    assert k.dim(4) == max(rank, 1)
    np.testing.assert_allclose(k(X), X @ R @ R.T @ X.T, atol=1e-12)
    assert np.linalg.eigvalsh(k(X))[0] >= -1e-13


def test_what_rounding_leaves_in_a_zero_of_a_matrix_is_no_asymmetry():
    nearly = np.array([[1.0, 1e-13], [0.0, 1.0]])
    assert Quadratic(nearly)([[1.0, 0.0]], [[0.0, 1.0]]) == pytest.approx(0, abs=1e-12)
    K = Precomputed()(nearly)
    assert (K == K.T).all()


@pytest.mark.parametrize("p", range(13))
def test_power_by_multiplication_is_power(p, cloud):
    K = cloud(6, 5)
    np.testing.assert_allclose(power(K.copy(), p), K**p, rtol=1e-14)
