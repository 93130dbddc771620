"""Theorems about the kernels of distributions; their integrals and means are in ``every_kernel``."""

import numpy as np
import pytest

from kernelkit import (
    Bhattacharyya,
    FisherMixture,
    Intersection,
    Linear,
    MeanMap,
    MixtureProduct,
    Overlap,
    Substrings,
)

pytestmark = pytest.mark.filterwarnings("error")


def test_a_gaussian_on_a_line_is_two_numbers():
    assert Bhattacharyya()((1.0, 4.0), ([1.0], [[4.0]])) == pytest.approx(1, rel=1e-13)
    assert Bhattacharyya()((0, 1), (2, 1)) == pytest.approx(np.exp(-0.5), rel=1e-13)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_a_covariance_is_symmetric_at_any_scale(scale):
    zero, slanted = np.zeros(2), scale * np.array([[1.0, 0.9], [0.0, 1.0]])
    with pytest.raises(ValueError, match="symmetric, positive definite"):
        Bhattacharyya()((zero, slanted), (zero, scale * np.eye(2)))
    assert Bhattacharyya()((zero, slanted + slanted.T), (zero, slanted + slanted.T)) == 1


def test_a_mixture_may_be_below_all_floats_and_have_parts_without_weight():
    k = MixtureProduct()
    assert k(([1.0], np.zeros((1, 300)), 5.0)) == 0.0  # e^-862 is less than any float
    assert k(([1.0, 0.0], [[0.0], [9.0]], 1.0)) == k(([1.0], [[0.0]], 1.0))


def test_a_bag_may_hold_anything_that_a_kernel_knows():
    words = [["cat", "cart"], ["dog"]]
    assert MeanMap(Substrings(2))(words).tolist() == [[(2 + 3 + 1 + 1) / 4, 0], [0, 2]]
    assert MeanMap(Substrings(2))(["cat", "cart"], words).tolist() == [7 / 4, 0]
    assert MeanMap(Overlap())([[{1}, {1, 2}]]).tolist() == [[(1 + 1 + 1 + 2) / 4]]
    assert MeanMap(Linear())([[1.0], [3.0]]) == 4.0 and MeanMap(Linear())([[[1.0]], [[3.0]]]).shape == (2, 2)
    assert MeanMap(Intersection()).points == MeanMap(Linear()).points == "bags of vectors"


def test_the_nearest_part_alone_is_responsible_but_one_without_weight_for_nothing():
    far = FisherMixture([0.2, 0.5, 0.3], [[0, 0], [1, 1], [-1, 2]], 1e-3).feature_map()
    np.testing.assert_allclose(far([100.0, 0.0]), [-0.2, 0.5, -0.3], atol=1e-12)
    means, X = [[0.0], [100.0], [101.0]], [[0.0], [-50.0], [100.4]]
    with_it, without = FisherMixture([0.0, 0.4, 0.6], means), FisherMixture([0.4, 0.6], means[1:])
    np.testing.assert_allclose(with_it.feature_map()(X)[:, 1:], without.feature_map()(X), rtol=1e-13)
    np.testing.assert_allclose(with_it(X), without(X), rtol=1e-13)
    assert FisherMixture([0.0, 1.0], [[0.0], [100.0]])([0.0], [0.0]) == 0.0


def test_many_scores_have_an_exactly_symmetric_gram_matrix(cloud):
    K = FisherMixture(np.full(17, 1 / 17), cloud(17, 3, seed=1), 0.8)(cloud(2001, 3))
    np.testing.assert_array_equal(K, K.T)
