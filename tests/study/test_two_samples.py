"""The distance of two means in Φ-space tells samples apart, and shuffling tells whether chance could do it too."""

import numpy as np
import pytest

from kernelkit import Gaussian, Linear, Polynomial, Substrings
from kernelkit.study.two_samples import mmd, permutation_test

CLOUDS = np.random.default_rng(0).standard_normal((20, 2)), np.random.default_rng(1).standard_normal((15, 2)) + 0.5
WORDS = ["abab", "baba", "abba", "aabb"] * 3, ["acac", "caca", "acca", "aacc"] * 3


@pytest.mark.parametrize(
    ("k", "samples", "over"),
    [(Linear(), CLOUDS, {}), (Polynomial(3), CLOUDS, {}), (Substrings(2), WORDS, {"over": "abc"})],
    ids=["linear", "cubic", "strings"],
)
def test_it_is_the_distance_of_the_means_of_the_features(k, samples, over):
    one, two = map(k.feature_map(**over), samples)
    expected = ((one.mean(axis=0) - two.mean(axis=0)) ** 2).sum()
    assert mmd(k, *samples) == pytest.approx(expected, rel=1e-12)
    found = permutation_test(k, *samples, 99)
    assert found.value == pytest.approx(expected, rel=1e-10) and (found.p == 0.01 or samples is CLOUDS)


def test_each_value_of_the_null_is_the_distance_of_some_deal(cloud):
    X, Z = cloud(3, 1), cloud(2, 1, seed=1)
    k, both = Gaussian(1.0), np.vstack([X, Z])
    deals = [mmd(k, np.delete(both, [i, j], axis=0), both[[i, j]]) for i in range(5) for j in range(i)]
    null = permutation_test(k, X, Z, times=200).null
    assert np.abs(null[:, None] - deals).min(axis=1).max() < 1e-12
    assert len(np.unique(null.round(9))) == len(np.unique(np.round(deals, 9)))


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear(), Polynomial(3)], ids=repr)
@pytest.mark.parametrize("place", [0.0, 0.3, 1e5])
def test_points_in_one_place_and_a_sample_and_itself_are_never_told_apart(k, place, cloud):
    for n, m in ((3, 7), (6, 13), (20, 20), (400, 700)):
        X, Z = np.full((n, 1), place), np.full((m, 1), place)
        assert permutation_test(k, X, Z, times=200).p == 1.0  # what differs is rounding
    X = cloud(20, 2)
    assert mmd(Gaussian(1.0), X, X) == 0 and permutation_test(Gaussian(1.0), X, X).p == 1.0


def test_a_point_apart_is_seen_however_many_stand_in_one_place():
    X, Z = np.zeros((10, 1)), np.r_[np.zeros(9), 1e-3][:, None]
    assert permutation_test(Linear(), X, Z, times=200).p == 1.0  # wherever it is dealt, the distance is the same
    assert permutation_test(Linear(), X, Z + 1e-3, times=200).p < 0.01


def test_in_one_of_twenty_equal_pairs_chance_is_that_good():
    rng = np.random.default_rng(0)
    p = [
        permutation_test(Gaussian(1.0), *rng.standard_normal((2, 20, 1)), times=99, random_state=i).p
        for i in range(300)
    ]
    assert 0.02 < np.mean(np.array(p) <= 0.05) < 0.08
    assert 0.44 < np.mean(p) < 0.56


def test_500_deals_of_seed_0_are_the_default_and_a_generator_is_a_seed(cloud):
    samples = cloud(9, 1), cloud(8, 1, seed=1)
    settings = {}, {"random_state": 0}, {"random_state": np.random.default_rng(0)}, {"random_state": 4}
    default, same, drawn, other = (permutation_test(Linear(), *samples, **more).null for more in settings)
    np.testing.assert_array_equal(default, same)
    np.testing.assert_array_equal(default, drawn)
    assert len(default) == 500 and (default != other).any()
    assert permutation_test(Linear(), *samples, times=1).null.shape == (1,)  # one deal is allowed
