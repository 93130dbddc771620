"""The distance of two means in Φ-space tells samples apart, and shuffling tells whether chance could do it too."""

import numpy as np
import pytest

from kernelkit import Gaussian, Intersection, Linear, Polynomial, Substrings
from kernelkit.study.two_samples import mmd, permutation_test


def standardised(x):
    return ((x - x.mean()) / x.std())[:, None]


@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3)], ids=repr)
def test_it_is_the_distance_of_the_means_of_the_features(k, cloud):
    X, Z = cloud(20, 2), cloud(15, 2, seed=1) + 0.5
    phi = k.feature_map()
    expected = ((phi(X).mean(axis=0) - phi(Z).mean(axis=0)) ** 2).sum()
    assert mmd(k, X, Z) == pytest.approx(expected, rel=1e-10)
    assert permutation_test(k, X, Z, 10).value == pytest.approx(expected, rel=1e-10)


def test_each_value_of_the_null_is_the_distance_of_some_deal(cloud):
    X, Z = cloud(3, 1), cloud(2, 1, seed=1)
    k, both = Gaussian(1.0), np.vstack([X, Z])
    deals = [mmd(k, np.delete(both, [i, j], axis=0), both[[i, j]]) for i in range(5) for j in range(i)]
    null = permutation_test(k, X, Z, times=200).null
    assert np.abs(null[:, None] - deals).min(axis=1).max() < 1e-12
    assert len(np.unique(null.round(9))) == len(np.unique(np.round(deals, 9)))


def test_the_same_sample_is_no_distance_away(cloud):
    assert mmd(Gaussian(1.0), cloud(20, 2), cloud(20, 2)) == 0
    assert permutation_test(Gaussian(1.0), cloud(20, 2), cloud(20, 2)).p == 1.0


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear(), Polynomial(3)], ids=repr)
@pytest.mark.parametrize("sizes", [(3, 7), (6, 13), (20, 20), (400, 700)])
@pytest.mark.parametrize("place", [0.0, 0.3, 1e5])
def test_points_in_one_place_are_never_told_apart(k, sizes, place):
    X, Z = (np.full((n, 1), place) for n in sizes)
    assert permutation_test(k, X, Z, times=200).p == 1.0  # what differs is rounding


def test_a_point_apart_is_seen_however_many_stand_in_one_place():
    X, Z = np.zeros((10, 1)), np.r_[np.zeros(9), 1e-3][:, None]
    assert permutation_test(Linear(), X, Z, times=200).p == 1.0  # wherever it is dealt, the distance is the same
    assert permutation_test(Linear(), X, Z + 1e-3, times=200).p < 0.01


def test_shifted_samples_are_told_apart_and_equal_ones_are_not(cloud):
    X, Z = cloud(60, 1), cloud(60, 1, seed=1)
    assert permutation_test(Gaussian(1.0), X, Z + 1.0).p < 0.01
    assert permutation_test(Gaussian(1.0), X, Z).p > 0.05


def test_in_one_of_twenty_equal_pairs_chance_is_that_good():
    rng = np.random.default_rng(0)
    p = [
        permutation_test(Gaussian(1.0), *rng.standard_normal((2, 20, 1)), times=99, random_state=i).p
        for i in range(300)
    ]
    assert 0.02 < np.mean(np.array(p) <= 0.05) < 0.08
    assert 0.44 < np.mean(p) < 0.56


def test_a_gaussian_sees_what_mean_and_variance_do_not():
    rng = np.random.default_rng(0)
    one, two = standardised(rng.standard_normal(80)), standardised(np.repeat([-1.0, 1.0], 40) + rng.normal(0, 0.2, 80))
    assert max(mmd(Linear(), one, two), mmd(Polynomial(2), one, two)) < 1e-12
    assert permutation_test(Gaussian(0.5), one, two).p < 0.01


def test_lists_of_things_that_are_no_vectors_are_samples_too():
    one, two = ["abab", "baba", "abba", "aabb"] * 3, ["acac", "caca", "acca", "aacc"] * 3
    phi = Substrings(2).feature_map(over="abc")
    expected = ((phi(one).mean(axis=0) - phi(two).mean(axis=0)) ** 2).sum()
    assert mmd(Substrings(2), one, two) == pytest.approx(expected, rel=1e-12)
    assert permutation_test(Substrings(2), one, two, 99).p == 0.01
    with pytest.raises(ValueError, match="X must be a sample of points"):
        mmd(Substrings(2), "abab", two)


def test_one_deal_is_allowed_and_500_of_seed_0_are_the_default(cloud):
    X, Z = cloud(9, 1), cloud(8, 1, seed=1)
    assert permutation_test(Linear(), X, Z, times=1).null.shape == (1,)
    default = permutation_test(Linear(), X, Z)
    np.testing.assert_array_equal(default.null, permutation_test(Linear(), X, Z, 500, random_state=0).null)


def test_a_number_a_seed_or_a_generator():
    X, Z = np.arange(6.0)[:, None], np.arange(4.0)[:, None] + 1
    runs = [permutation_test(Gaussian(1.0), X, Z, 20, seed).null for seed in (3, 3, 4, np.random.default_rng(3))]
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[3])
    assert (runs[0] != runs[2]).any()


REFUSED = {
    "one point": (lambda: mmd(Linear(), [0.0, 1.0], [[1.0]]), ValueError, "X must be a sample of points"),
    "no kernel": (lambda: mmd(len, [[0.0]], [[1.0]]), TypeError, "kernel must be a kernel, got"),
    "other widths": (lambda: mmd(Linear(), [[0.0]], [[1.0, 2.0]]), ValueError, "the same number of features"),
    "no times": (lambda: permutation_test(Linear(), [[0.0]], [[1.0]], 0), ValueError, "times must be a whole number"),
    "beyond any float": (
        lambda: permutation_test(Polynomial(50), *[[[1e10], [2e10]]] * 2),
        ValueError,
        "k overflows: scale the inputs",
    ),
    "nor their distance": (lambda: mmd(Linear(), [[1e200]], [[-1e200]]), ValueError, "k overflows: scale the inputs"),
    "points of another kind": (lambda: mmd(Intersection(), [[-1.0]], [[1.0]]), ValueError, "≥ 0"),
}


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_told_in_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)
