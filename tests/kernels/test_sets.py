"""Theorems about kernels of what two things share, and of rankings."""

from itertools import combinations, permutations

import numpy as np
import pytest

from kernelkit import Intersection, Jaccard, Kendall, Mallows, Overlap, Subsets
from kernelkit.features import Steps

pytestmark = pytest.mark.filterwarnings("error")
LEVELS = [0.5, 1, 2, 3.5]


def test_steps_are_its_features_for_points_on_the_levels():
    k, counts = Intersection(), np.random.default_rng(0).choice([0, *LEVELS], (50, 3))
    phi = k.feature_map(over=LEVELS)
    assert phi == Steps(LEVELS) and phi.dim(3) == k.dim(3, over=LEVELS) == 12
    np.testing.assert_allclose(phi(counts) @ phi(counts).T, k(counts), atol=1e-12)
    np.testing.assert_allclose(phi.remainder(counts, counts), 0, atol=1e-15)
    assert Steps([2, 0, 1, 1]) == Steps([1.0, 2.0])  # in any order, and 0 is no step


def test_remainder_is_exactly_what_is_missing_between_the_levels(cloud):
    X, Z, phi = np.abs(cloud(30, 3)), 2 * np.abs(cloud(20, 3, seed=1)), Steps(LEVELS)
    np.testing.assert_allclose(phi(X) @ phi(Z).T + phi.remainder(X, Z), Intersection()(X, Z), rtol=1e-13)
    finest = Steps(np.unique([X, X]))
    np.testing.assert_allclose(finest(X) @ finest(X).T, Intersection()(X), rtol=1e-12)


# ---- finite sets ---------------------------------------------------------------------------------

SETS = [set(S) for size in range(5) for S in combinations("abcd", size)]  # all 16 subsets of four elements


@pytest.mark.parametrize(("k", "D"), [(Overlap(), 4), (Subsets(), 16), (Jaccard(), 33)], ids=repr)
def test_kernels_of_sets_have_so_many_features_over_four_elements(k, D):
    phi = k.feature_map(over="abcd")
    assert phi.dim(1) == len({*phi.names(1)}) == k.how_many(4) == D
    np.testing.assert_allclose(phi(SETS) @ phi(SETS).T, k(SETS), atol=1e-12)
    assert np.linalg.eigvalsh(k(SETS))[0] >= -1e-12


def test_sets_may_be_as_large_as_numbers_and_lists_allow():
    assert Overlap().feature_map(over=range(5000)).dim(1) == 5000
    assert Subsets().feature_map(over=range(12)).dim(1) == 2**12
    assert Subsets()({*range(1023)}, {*range(1023)}) == 2.0**1023


def test_elements_may_be_anything_hashable():
    assert Overlap()({1, "a", (2, 3)}, frozenset([(2, 3), frozenset()])) == 1.0
    assert Jaccard()(set(), set()) == 1.0 and Jaccard()(set(), {1}) == 0.0 and Subsets()(set(), {1}) == 1.0


# ---- rankings ------------------------------------------------------------------------------------

RANKINGS = np.array([*permutations([1, 2, 3, 4])])


@pytest.mark.parametrize("k", [Kendall(), Mallows(0.3), Mallows(3.0), Mallows(0)], ids=repr)
def test_both_are_kernels_on_all_rankings(k):
    K = k(RANKINGS)
    assert np.linalg.eigvalsh(K)[0] > -1e-12 and (K.diagonal() == 1).all()
    assert Kendall()([0, 1, 2], [3, 2, 1]) == -1.0  # ranks may start at 0 or at 1
