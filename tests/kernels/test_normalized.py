"""Theorems about the normalised kernel: the cosine of the angle between features."""

from inspect import isfunction

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from kernelkit import (
    Alignments,
    Exp,
    Gaussian,
    Intersection,
    KernelRidge,
    KernelSVM,
    Linear,
    Normalized,
    Polynomial,
)
from kernelkit.kernels import Conjugate, FromFeatures, InverseLength

pytestmark = pytest.mark.filterwarnings("error")


def letters(words):
    return np.array([[word.count(letter) for letter in "abc"] for word in words], float)


def test_cosine_is_scikit_learn_s(cloud):
    X, Z = cloud(40, 5), cloud(20, 5, seed=1)
    np.testing.assert_allclose(Normalized(Linear())(X, Z), cosine_similarity(X, Z), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("k", [Linear(), Polynomial(3), 2 * Gaussian(0.5) + 3, Linear() ** 2], ids=repr)
def test_features_have_length_one_and_the_diagonal_is_exactly_one(k, cloud):
    X = cloud(200, 3)
    K = Normalized(k)(X)
    assert (K.diagonal() == 1).all() and (Normalized(k).diag(X) == 1).all()
    assert np.abs(K).max() <= 1 + 1e-15
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(Normalized(Normalized(k))(X), K, rtol=1e-13)
    np.testing.assert_allclose(Normalized(7 * k)(X), K, rtol=1e-13, atol=1e-15)


def test_it_follows_from_the_rules(cloud):
    X, k = cloud(20, 3), Normalized(Polynomial(2))
    assert k.derivation == Conjugate(InverseLength(Polynomial(2)), Polynomial(2))
    np.testing.assert_allclose(k.derivation(X), k(X), rtol=1e-13)
    phi, derived = k.feature_map(), k.derivation.feature_map()
    assert Normalized(Linear()).derivation.f([3.0, 4.0]) == Normalized(Linear()).derivation.f(np.array([3, 4])) == 0.2
    assert phi == derived and phi.dim(3) == Polynomial(2).dim(3)
    np.testing.assert_allclose(np.linalg.norm(phi(X), axis=1), 1, rtol=1e-13)


@pytest.mark.parametrize("k", [Linear(), Intersection(), Polynomial(2, 0), FromFeatures(letters)], ids=repr)
def test_an_object_without_length_gives_zeros(k):
    X = ["ab", "", "c"] if k == FromFeatures(letters) else [[1.0, 2.0], [0.0, 0.0], [0.0, 3.0]]
    K = Normalized(k)(X)
    np.testing.assert_array_equal(K[1], 0)
    np.testing.assert_array_equal(K[:, 1], 0)
    np.testing.assert_array_equal(K.diagonal(), [1, 0, 1])
    np.testing.assert_array_equal(Normalized(k).diag(Normalized(k).read(X)[0]), [1, 0, 1])
    np.testing.assert_array_equal(Normalized(k)(X[1:2], X), np.zeros((1, 3)))
    phi = Normalized(k).feature_map(over=[1, 2, 3])
    np.testing.assert_allclose(phi(X) @ phi(X).T, K, atol=1e-14)


@pytest.mark.parametrize("local", [Gaussian(1.0), Intersection()], ids=repr)
def test_the_diagonal_of_logarithms_is_that_of_the_matrix(local):
    k, X = Normalized(Alignments(local)), [[[0.5]], [[0.0]], [[0.2], [0.4], [0.1]]]  # Intersection: 0 shares nothing
    diag = k.diag(k.read(X)[0])
    np.testing.assert_array_equal(diag, k(X).diagonal())
    np.testing.assert_array_equal(diag, [1, float(local != Intersection()), 1])


def lengths(series):
    return np.array([float(len(x)) for x in series])


def middles(series):
    return np.array([[np.mean(x)] for x in series])


LOCAL = Normalized(Alignments(Gaussian(1.0)))
LONG = Alignments(Gaussian(1.0))


@pytest.mark.parametrize(
    ("k", "cosine"),
    [
        (2 * LONG, lambda X: LOCAL(X)),
        (LONG * 0.5, lambda X: LOCAL(X)),
        (LONG + LONG, lambda X: LOCAL(X)),
        (LONG + 1, lambda X: LOCAL(X)),  # beside values of 1e400 nobody sees the 1
        (LONG**2, lambda X: LOCAL(X) ** 2),
        (LONG * LONG, lambda X: LOCAL(X) ** 2),
        (LONG * Alignments(Gaussian(2.0)), lambda X: LOCAL(X) * Normalized(Alignments(Gaussian(2.0)))(X)),
        (3 * (2 * LONG) ** 3, lambda X: LOCAL(X) ** 3),
        (0 * LONG, lambda X: 0 * LOCAL(X)),
        (Conjugate(lengths, LONG), lambda X: LOCAL(X)),
    ],
    ids=lambda value: None if isfunction(value) else repr(value),
)
def test_rules_hand_on_the_logarithm_of_values_beyond_all_numbers(k, cosine, cloud):
    X = [0.2 * cloud(length, 1, seed=length) for length in (450, 500)]
    K = Normalized(k)(X)
    np.testing.assert_allclose(K, cosine(X), rtol=1e-9)
    np.testing.assert_array_equal(Normalized(k).diag(X), K.diagonal())
    assert np.isinf(LONG.log_gram(X, X)).sum() == 0 and LONG.log_gram(X, X).max() > 710


def test_a_negative_value_has_no_logarithm():
    with pytest.raises(ValueError, match=r"^log k\(x, z\) needs a kernel k ≥ 0, but Linear\(\) is -2 here\.$"):
        (3 * Linear()).log_gram(np.array([[1.0]]), np.array([[-2.0], [1.0]]))


def test_very_long_and_very_short_vectors_are_one_long_too():
    X = np.array([[3.0, 4.0], [1.0, 0.0]])
    for unit in (1e-150, 1e150):
        np.testing.assert_allclose(Normalized(Linear())(unit * X), [[1, 0.6], [0.6, 1]], rtol=1e-13)


def test_models_and_parameters_reach_inside(cloud):
    words = ["abc", "aab", "c", "", "bb"]
    model = KernelRidge(Normalized(FromFeatures(letters)) + 1).fit(words, np.arange(5.0))
    assert model.predict(words).shape == (5,) and KernelSVM(model.kernel).fit(words, [0, 1, 0, 1, 1]).a_.shape == (5,)
    assert KernelRidge(Normalized(Gaussian(1.0))).set_params(kernel__k__sigma=2.0).kernel == Normalized(Gaussian(2.0))


def test_only_a_kernel_is_normalised():
    with pytest.raises(TypeError, match=r"^k must be a kernel, got 3\.$"):
        Normalized(3)
    with pytest.raises(TypeError, match=r"^k must be a kernel, got 3\.$"):
        InverseLength(3)


def test_formula():
    shown = Normalized(Linear())._repr_latex_()
    assert shown == r"$k(x, z) = \frac{x^\top z}{\sqrt{x^\top x \cdot z^\top z}}$"


@pytest.mark.parametrize("rule", [np.multiply, np.add], ids=["product", "sum"])
def test_short_series_need_no_logarithm_so_that_a_factor_may_be_negative(rule):
    X = [[[0.5], [1.0]], [[-1.0], [-2.0], [0.3]], [[0.2]]]
    signed = FromFeatures(middles)
    k = LONG * signed if rule is np.multiply else 0.01 * LONG + signed
    K = rule(LONG(X), signed(X)) if rule is np.multiply else 0.01 * LONG(X) + signed(X)
    assert K.min() < 0
    size = np.sqrt(K.diagonal())
    np.testing.assert_allclose(Normalized(k)(X), K / np.outer(size, size), rtol=1e-12)


def test_the_exponential_of_large_numbers_has_its_cosines():
    X = np.array([[30.0, 1.0], [31.0, 0.0], [1e-3, 0.0]])
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(Normalized(Exp(Linear()))(X), np.exp(-D / 2), rtol=1e-11)


def test_a_factor_has_its_logarithm():
    k = Conjugate(lengths, LONG)
    X, _ = k.read([[[0.5], [1.0]], [[-1.0], [-2.0], [0.3]], [[0.2]]])
    np.testing.assert_allclose(k.log_gram(X, X), np.log(k(X)), rtol=1e-12)
    np.testing.assert_allclose(k.log_diagonal(X), np.log(k.diag(X)), rtol=1e-12)
