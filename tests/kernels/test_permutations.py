"""Theorems about the kernels of rankings."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import kendalltau

from kernelkit import Gaussian, Kendall, Mallows
from kernelkit.features import Orders

pytestmark = pytest.mark.filterwarnings("error")
ALL_OF_FOUR = np.array([*permutations([1, 2, 3, 4])])


def discordant(x, z):
    return sum((x[i] - x[j]) * (z[i] - z[j]) < 0 for i, j in combinations(range(len(x)), 2))


def test_kendall_is_scipy_s_tau():
    expected = [[kendalltau(x, z).statistic for z in ALL_OF_FOUR] for x in ALL_OF_FOUR]
    np.testing.assert_allclose(Kendall()(ALL_OF_FOUR), expected, atol=1e-12)


def test_both_are_kernels_on_all_permutations_and_follow_from_the_rules():
    for k in (Kendall(), Mallows(0.3), Mallows(3.0), Mallows(0)):
        K = k(ALL_OF_FOUR)
        assert np.linalg.eigvalsh(K)[0] > -1e-12 and (K.diagonal() == 1).all()
        np.testing.assert_allclose(k.derivation(ALL_OF_FOUR), K, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("k", [Mallows(0.3), Kendall().derivation], ids=repr)
def test_the_factor_of_a_derivation_takes_one_ranking_too(k):
    f = k.derivation.f
    np.testing.assert_allclose([f(x) for x in ALL_OF_FOUR], f(ALL_OF_FOUR), rtol=1e-14)
    assert np.ndim(f([3, 1, 2, 4])) == 0 and f(ALL_OF_FOUR).shape == (24,)


def test_mallows_is_the_gaussian_of_the_signs():
    expected = [[math.exp(-0.3 * discordant(x, z)) for z in ALL_OF_FOUR] for x in ALL_OF_FOUR]
    np.testing.assert_allclose(Mallows(0.3)(ALL_OF_FOUR), expected, rtol=1e-13)
    signs = Orders()(ALL_OF_FOUR)  # ‖s(x) − s(z)‖² = 4 · discordant
    np.testing.assert_allclose(Gaussian((2 / 0.3) ** 0.5)(signs), expected, rtol=1e-12)


def test_features():
    phi = Kendall().feature_map()
    assert phi.dim(4) == Kendall().dim(4) == 6
    np.testing.assert_allclose(phi(ALL_OF_FOUR) @ phi(ALL_OF_FOUR).T, Kendall()(ALL_OF_FOUR), atol=1e-12)
    series = Mallows(0.1).feature_map(degree=6)
    missing = np.abs(series(ALL_OF_FOUR) @ series(ALL_OF_FOUR).T - Mallows(0.1)(ALL_OF_FOUR))
    assert (missing <= series.remainder(ALL_OF_FOUR, ALL_OF_FOUR) + 1e-12).all() and missing.max() < 1e-4


def test_ranks_may_start_at_0_or_at_1_and_a_list_of_one_is_many():
    assert Kendall()([0, 1, 2], [3, 2, 1]) == -1.0 and Kendall()([[1, 2]]).shape == (1, 1)
