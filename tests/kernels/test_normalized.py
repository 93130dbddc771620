"""Theorems about the normalised kernel: the cosine of the angle between features."""

import math
from collections import Counter
from fractions import Fraction
from inspect import isfunction
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from kernelkit import (
    Alignments,
    ChainProduct,
    Exp,
    Gaussian,
    Intersection,
    KernelRidge,
    KernelSVM,
    Linear,
    Normalized,
    Polynomial,
    Pullback,
    Subsequences,
    Subsets,
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


def signs(series):
    return np.array([1.0 if len(x) < 480 else -1.0 for x in series])


def tenfold(X):
    return 10 * X


def middles(series):
    return np.array([[np.mean(x)] for x in series])


LOCAL = Normalized(Alignments(Gaussian(1.0)))
LONG = Alignments(Gaussian(1.0))


@pytest.mark.parametrize(
    ("k", "cosine"),
    [
        (2 * LONG, lambda X: LOCAL(X)),
        (LONG * 0.5, lambda X: LOCAL(X)),
        (LONG**2, lambda X: LOCAL(X) ** 2),
        (LONG * LONG, lambda X: LOCAL(X) ** 2),
        (LONG * Alignments(Gaussian(2.0)), lambda X: LOCAL(X) * Normalized(Alignments(Gaussian(2.0)))(X)),
        (3 * (2 * LONG) ** 3, lambda X: LOCAL(X) ** 3),
        (0 * LONG, lambda X: 0 * LOCAL(X)),
        (Conjugate(lengths, LONG), lambda X: LOCAL(X)),
        (Conjugate(signs, LONG), lambda X: LOCAL(X) * [[1, -1], [-1, 1]]),
        (LONG**0, lambda X: np.ones((2, 2))),
    ],
    ids=lambda value: None if isfunction(value) else repr(value),
)
def test_rules_hand_on_the_cosines_of_values_beyond_all_numbers(k, cosine, cloud):
    X = [0.2 * cloud(length, 1, seed=length) for length in (450, 500)]
    K = Normalized(k)(X)
    np.testing.assert_allclose(K, cosine(X), rtol=1e-9)
    np.testing.assert_array_equal(Normalized(k).diag(X), K.diagonal())
    assert np.isinf(LONG(X)).all()
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs"):  # a sum has no such rule
        Normalized(LONG + 1)(X)


def exact_parts(x, length, decay):
    """{u: Σ_{i: x[i] = u} γ^l(i)} in exact fractions."""
    amounts = Counter()
    for i in combinations(range(len(x)), length):
        amounts["".join(x[j] for j in i)] += decay ** (i[-1] - i[0] + 1)
    return amounts


@pytest.mark.parametrize("length", [1, 3, 8])
def test_words_whose_weights_vanish_have_their_cosines(length):
    x, z = "abracadabra", "abradabracab"
    p, q = (exact_parts(word, length, Fraction(1, 10**40)) for word in (x, z))
    pp, pq, qq = (sum(a[u] * b[u] for u in a) for a, b in ((p, p), (p, q), (q, q)))
    exact = math.sqrt(pq**2 / (pp * qq))
    assert Normalized(Subsequences(length, 1e-40))(x, z) == pytest.approx(exact, rel=1e-12)
    assert Subsequences(8, 1e-40)(x, z) == 0.0  # below all floats
    K = Normalized(Subsequences(60, 0.001))(["a" * 61, "a" * 60 + "b", "ab"])
    np.testing.assert_allclose(K, [[1, 0.68656305, 0], [0.68656305, 1, 0], [0, 0, 0]], atol=1e-8)


def test_chains_of_many_letters_have_their_cosines():
    fair, slow = ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), ([0.5, 0.5], [[0.5, 0.5], [0.484375, 0.515625]])

    def exact(p, q):
        """Both chains show their states, so that they are in the same one: v_j ← Σ_i v_i p_ij q_ij."""
        steps = [[Fraction(p[1][i][j]) * Fraction(q[1][i][j]) for j in range(2)] for i in range(2)]
        v = [Fraction(a) * Fraction(b) for a, b in zip(p[0], q[0], strict=True)]
        for _ in range(1199):
            v = [v[0] * steps[0][j] + v[1] * steps[1][j] for j in range(2)]
        return sum(v)

    cosine = math.sqrt(exact(fair, slow) ** 2 / (exact(fair, fair) * exact(slow, slow)))
    K = Normalized(ChainProduct(1200))([fair, slow])
    np.testing.assert_allclose(K, [[1, cosine], [cosine, 1]], rtol=1e-11)
    assert 0.1 < cosine < 0.9 and ChainProduct(1200)(fair, slow) == 0.0


def test_sets_with_more_subsets_than_any_float_have_their_cosines():
    K = Normalized(Subsets())([{*range(3000)}, {*range(2990)}, set()])
    np.testing.assert_allclose(K, [[1, 2.0**-5, 0], [2.0**-5, 1, 0], [0, 0, 1]])


def test_high_powers_have_their_cosines():
    X = np.array([[3.0, 4.0], [4.0, 3.0]])
    for unit in (1e-2, 1.0, 1e2):
        np.testing.assert_allclose(Normalized(Polynomial(400, 0))(unit * X), [[1, 0.96**400], [0.96**400, 1]])


def test_what_has_vanished_is_refused_and_not_0():
    with pytest.raises(ValueError, match=r"^k vanishes: scale the inputs"):
        Normalized(Linear())([[1e-160], [2e-160]])
    for k, x in ((Subsequences(60, 0.001), "a" * 61), (Polynomial(400, 0), [0.01, 0.02])):
        assert Normalized(k)(x, x) == Normalized(k).diag(x) == 1.0
        with pytest.raises(ValueError, match=r"^k vanishes"):
            Normalized(k).derivation(x, x)


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
    np.testing.assert_allclose(Normalized(Pullback(Exp(Linear()), tenfold))(X), np.exp(-50 * D), rtol=1e-9)
