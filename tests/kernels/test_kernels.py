"""Theorems about kernels: k(x, z) = Φ(x)ᵀΦ(z) for everything that can be composed, and what follows from it."""

import numpy as np
import pytest
from hypothesis import given, settings
from kernels.random_kernels import (
    NAMES,
    agree,
    assert_balanced,
    assert_single_scripts,
    assert_typesets,
    finite_with_points,
    scale,
)
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from kernelkit.arrays import power
from kernelkit.kernels import (
    Gaussian,
    Linear,
    Normalized,
    Polynomial,
)

pytestmark = pytest.mark.filterwarnings("error")


# ---- random kernels on ℝ^d, with a feature map small enough to build --------------------------


# ---- the laws, over random compositions -------------------------------------------------------


@settings(max_examples=300)
@given(finite_with_points())
def test_inner_product_of_features_is_the_kernel(case):
    k, X, Z = case
    phi = k.feature_map()
    agree(phi(X) @ phi(Z).T, k(X, Z), scale(k, X, Z), 1e-10)
    assert phi(X[0]) @ phi(Z[0]) == pytest.approx(k(X[0], Z[0]), rel=1e-9, abs=1e-10 * scale(k, X, Z)[0, 0] + 1e-300)


@given(finite_with_points())
def test_dimension_and_names_are_declared_truly(case):
    k, X, _ = case
    d, phi = X.shape[1], k.feature_map()
    assert phi(X).shape == (len(X), phi.dim(d))
    assert len(phi.names(d)) == phi.dim(d) == k.dim(d)


@settings(max_examples=200)
@given(finite_with_points())
def test_repr_can_be_pasted_back(case):
    k, _, _ = case
    again = eval(repr(k), NAMES.copy())
    assert again == k and repr(again) == repr(k) and hash(again) == hash(k)
    phi = k.feature_map()
    assert eval(repr(phi), NAMES.copy()) == phi


@given(finite_with_points())
def test_gram_matrix_is_symmetric_and_positive_semidefinite(case):
    k, X, _ = case
    K = k(X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(K, k(X, X))
    values = np.linalg.eigvalsh(K)
    assert values[0] >= -1e-13 * np.trace(K)
    agree(K.diagonal(), k.diag(X), k.diag(X), 1e-12)


@given(finite_with_points())
def test_number_vector_and_matrix_agree(case):
    k, X, Z = case
    K, size = k(X, Z), scale(k, X, Z)
    assert type(k(X[0], Z[0])) is float and type(k(X[0])) is float
    agree(k(X[0], Z[0]), K[0, 0], size[0, 0], 1e-12)
    agree(k(X[0], Z), K[0], size[0], 1e-12)
    agree(k(X, Z[0]), K[:, 0], size[:, 0], 1e-12)
    agree(k(Z, X), K.T, size.T, 1e-12)
    agree(k(X[0]), k.diag(X)[0], k.diag(X)[0], 1e-12)


@given(finite_with_points())
def test_squared_distance_is_the_distance_of_the_features(case):
    k, X, Z = case
    phi = k.feature_map()
    D = ((phi(X)[:, None] - phi(Z)[None]) ** 2).sum(axis=-1)
    agree(k.squared_distance(X, Z), D, np.add.outer(k.diag(X), k.diag(Z)), 1e-10)
    assert type(k.squared_distance(X[0], Z[0])) is float and type(k.squared_distance(X[0])) is float
    agree(k.squared_distance(X[0]), 0, k.diag(X)[0], 1e-12)
    np.testing.assert_array_equal(k.squared_distance(X), k.squared_distance(X).T)


@pytest.mark.parametrize("k", [Normalized(Polynomial(3)), Gaussian(0.8)], ids=repr)
def test_a_collection_beside_itself_is_read_once_and_at_distance_0_from_itself(k, cloud):
    X = cloud(40, 20, scale=30.0).tolist()
    D = k.squared_distance(X, X)
    np.testing.assert_array_equal(D, k.squared_distance(X))
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any()


@given(finite_with_points())
def test_formulas_have_balanced_braces(case):
    k, X, _ = case
    phi = k.feature_map()
    for text in (k._repr_latex_(), phi._repr_latex_(), *phi.names(X.shape[1])[:20]):
        assert_balanced(text)
        assert_single_scripts(text)


@settings(max_examples=30)
@given(finite_with_points())
def test_formulas_can_be_typeset(case):
    k, X, _ = case
    phi = k.feature_map()
    for text in (k._repr_latex_(), phi._repr_latex_(), *(f"${name}$" for name in phi.names(X.shape[1])[:5])):
        assert_typesets(text)


# ---- scikit-learn as oracle -------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 3, 40])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_gaussian_equals_scikit_learn(n, d, cloud):
    X, Z = cloud(n, d), cloud(30, d, seed=1)
    k, gamma = Gaussian(0.5 * d), 1 / (2 * (0.5 * d) ** 2)
    np.testing.assert_allclose(k(X), rbf_kernel(X, gamma=gamma), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(k(X, Z), rbf_kernel(X, Z, gamma=gamma), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("degree", range(1, 8))
@pytest.mark.parametrize("offset", [0, 1, 0.5])
def test_polynomial_and_linear_equal_scikit_learn(degree, offset, cloud):
    X, Z = cloud(70, 3), cloud(30, 3, seed=1)
    k = Polynomial(degree, offset)
    agree(k(X, Z), polynomial_kernel(X, Z, degree=degree, gamma=1, coef0=offset), scale(k, X, Z), 1e-14)
    np.testing.assert_allclose(Linear()(X, Z), linear_kernel(X, Z), rtol=1e-14)


@pytest.mark.parametrize("p", range(13))
def test_power_by_multiplication_is_power(p, cloud):
    K = cloud(6, 5)
    np.testing.assert_allclose(power(K.copy(), p), K**p, rtol=1e-14)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e150, 1e200, 1e300, 1.7e308])
@pytest.mark.parametrize("k", [Gaussian(1e-300), Gaussian(0.7), Gaussian(1e300)], ids=repr)
def test_the_gaussian_is_bounded(k, size, cloud):
    """No model looks through its K: so whatever the points, it holds neither an infinity nor a NaN."""
    X = cloud(40, 3)
    X = size * (X / np.abs(X).max())
    X[7] = X[8] = 0.0
    for Z in (X, -X, X / 1e9, cloud(5, 3)):
        K = k.gram(X, Z)
        assert np.isfinite(K).all() and K.min() >= 0 and K.max() <= 1
