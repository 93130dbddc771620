"""Theorems about the normalised kernel: cosines where the values vanish or overflow; its laws are in ``test_laws``."""

from inspect import isfunction

import numpy as np
import pytest

from kernelkit import (
    Alignments,
    ChainProduct,
    Exp,
    Gaussian,
    Intersection,
    Linear,
    MixtureProduct,
    Normalized,
    Polynomial,
    Pullback,
    Subsequences,
    Subsets,
    Substrings,
)
from kernelkit.kernels import Conjugate, FromFeatures, Precomputed

pytestmark = pytest.mark.filterwarnings("error")
LONG = Alignments(Gaussian(1.0))  # overflows from some 400 steps on
LOCAL = Normalized(LONG)


def label(value):
    return "" if isfunction(value) else repr(value)


@pytest.mark.parametrize("k", [Linear(), Intersection(), Polynomial(2, 0), Exp(Linear()) * Linear()], ids=repr)
def test_an_object_without_length_gives_zeros(k):
    X = [[1.0, 2.0], [0.0, 0.0], [0.0, 3.0]]
    K = Normalized(k)(X)
    assert not K[1].any() and not K[:, 1].any() and K.diagonal().tolist() == [1, 0, 1]
    np.testing.assert_array_equal(Normalized(k).diag(X), [1, 0, 1])
    np.testing.assert_array_equal(Normalized(k)(X[1:2], X), np.zeros((1, 3)))


@pytest.mark.parametrize("local", [Gaussian(1.0), Intersection()], ids=repr)
def test_the_diagonal_of_logarithms_is_that_of_the_matrix(local):
    k, X = Normalized(Alignments(local)), [[[0.5]], [[0.0]], [[0.2], [0.4], [0.1]]]  # Intersection: 0 shares nothing
    diag = k.diag(k.read(X)[0])
    np.testing.assert_array_equal(diag, k(X).diagonal())
    np.testing.assert_array_equal(diag, [1, float(local != Intersection()), 1])


# ---- values that are beyond all numbers, or below all -----------------------------------------------


def tenfold(X):
    return 10 * X


def bells(X, width):
    return np.exp(-((np.array(X)[:, None] - X) ** 2).sum(axis=2) / 2 / width**2)


def pair(cosine):
    return [[1, cosine], [cosine, 1]]


def coin(p):
    """A chain that throws a coin."""
    return [p, 1 - p], [[p, 1 - p], [p, 1 - p]]


def two_bells(d, sigma):
    """Two mixtures of one part in ℝ^d, at the distance σ."""
    return [([1.0], np.full((1, d), mean), sigma) for mean in (0.0, sigma / d**0.5)]


FAR = [[30.0, 1.0], [31.0, 0.0], [1e-3, 0.0]]
ZEROS = np.zeros((480, 1))
VAST = [{*range(3000)}, {*range(2990)}, set()]
BRAS = ["abracadabra", "abradabracab"]
WORDS = ["a" * 61, "a" * 60 + "b", "ab"]


@pytest.mark.parametrize(
    ("k", "X", "K", "rtol"),
    [
        (Subsets(), VAST, [[1, 2.0**-5, 0], [2.0**-5, 1, 0], [0, 0, 1]], 1e-7),
        (Subsequences(60, 0.001), WORDS, [[1, 0.68656305, 0], [0.68656305, 1, 0], [0, 0, 0]], 1e-8),
        *((Polynomial(400, 0), unit * np.array([[3, 4], [4, 3]]), pair(0.96**400), 1e-7) for unit in (1e-2, 1.0, 1e2)),
        *((Linear(), unit * np.array([[3, 4], [1, 0]]), pair(0.6), 1e-13) for unit in (1e-150, 1e150)),
        *((Subsequences(p, 1e-40), BRAS, Normalized(Substrings(p))(BRAS), 1e-12) for p in (1, 3)),  # no gap counts
        (ChainProduct(1200), [coin(0.5), coin(0.515625)], pair((0.5 / (0.515625**2 + 0.484375**2)) ** 600), 1e-11),
        (Exp(Linear()), np.array(FAR), bells(FAR, 1), 1e-11),
        (Pullback(Exp(Linear()), tenfold), np.array(FAR), bells(FAR, 0.1), 1e-9),
        (MixtureProduct(), two_bells(300, 5.0), pair(np.exp(-0.25)), 1e-12),
        (MixtureProduct(), two_bells(300, 0.005), pair(np.exp(-0.25)), 1e-12),
        (MixtureProduct(), two_bells(1, 1e-200), pair(np.exp(-0.25)), 1e-12),
        (MixtureProduct(), two_bells(1, 1e200), pair(np.exp(-0.25)), 1e-12),
        (
            LONG,
            [np.zeros((480, 1)), np.zeros((480, 1)), np.full((480, 1), 1e3)],
            [[1, 1, 0], [1, 1, 0], [0, 0, 1]],
            1e-9,
        ),
    ],
    ids=range(17),
)
def test_values_that_no_float_holds_have_their_cosines(k, X, K, rtol):
    np.testing.assert_allclose(Normalized(k)(X), K, rtol=rtol)


def lengths(series):
    return np.array([float(len(x)) for x in series])


def signs(series):
    return np.array([1.0 if len(x) < 480 else -1.0 for x in series])


@pytest.fixture(scope="module")
def long_series(cloud):
    return [0.2 * cloud(length, 1, seed=length) for length in (450, 500)]


@pytest.fixture(scope="module")
def cosine(long_series):
    return LOCAL(long_series)


WIDER = Alignments(Gaussian(2.0))


@pytest.mark.parametrize(
    ("k", "made"),
    [
        (2 * LONG, lambda C, X: C),
        (LONG**2, lambda C, X: C**2),
        (LONG * WIDER, lambda C, X: C * Normalized(WIDER)(X)),
        (3 * (2 * LONG) ** 3, lambda C, X: C**3),
        (0 * LONG, lambda C, X: 0 * C),
        (Conjugate(lengths, LONG), lambda C, X: C),
        (Conjugate(signs, LONG), lambda C, X: C * [[1, -1], [-1, 1]]),
        (LONG**0, lambda C, X: np.ones((2, 2))),
    ],
    ids=label,
)
def test_rules_hand_on_the_cosines_of_values_beyond_all_numbers(k, made, cosine, long_series):
    np.testing.assert_allclose(Normalized(k)(long_series), made(cosine, long_series), rtol=1e-9)


def test_a_sum_has_no_such_rule(long_series):
    assert np.isinf(LONG(long_series)).all() and (Normalized(2 * LONG**2).diag(long_series) == 1).all()
    for asked in (Normalized(LONG + 1), Normalized(LONG + 1).diag):
        with pytest.raises(ValueError, match=r"^k overflows: scale the inputs"):
            asked(long_series)


def middles(series):
    return np.array([[np.mean(x)] for x in series])


@pytest.mark.parametrize("k", [LONG * FromFeatures(middles), 0.01 * LONG + FromFeatures(middles)], ids=["*", "+"])
def test_short_series_need_no_logarithm_so_that_a_factor_may_be_negative(k):
    X = [[[0.5], [1.0]], [[-1.0], [-2.0], [0.3]], [[0.2]]]
    K = k(X)
    assert K.min() < 0
    np.testing.assert_allclose(Normalized(k)(X), K / np.sqrt(np.outer(K.diagonal(), K.diagonal())), rtol=1e-12)


def test_what_has_vanished_is_refused_and_not_0():
    for asked in (Normalized(Linear()), Normalized(Linear()).diag):
        with pytest.raises(ValueError, match=r"^k vanishes: scale the inputs"):
            asked([[1e-160], [2e-160]])
    assert Subsequences(8, 1e-40)(*BRAS) == ChainProduct(1200)(coin(0.5), coin(0.515625)) == 0.0
    for k, x in ((Subsequences(60, 0.001), "a" * 61), (Polynomial(400, 0), [0.01, 0.02])):
        assert Normalized(k)(x, x) == Normalized(k).diag(x) == 1.0
        with pytest.raises(ValueError, match=r"^k vanishes"):
            Normalized(k).derivation(x, x)


def test_cosines_of_a_table_are_those_of_its_points(cloud):
    X, k = np.vstack([cloud(5, 2), np.zeros(2)]), Polynomial(3, 0)  # one of them has no length
    table = k(X)
    np.testing.assert_allclose(Normalized(Precomputed())(table), Normalized(k)(X), rtol=1e-12)
    for of_table, of_points in ((Precomputed(), k), (Normalized(Precomputed()), Normalized(k))):
        np.testing.assert_allclose(of_table.diag(table), of_points.diag(X), rtol=1e-12)
