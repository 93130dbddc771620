"""Theorems about the kernels of distributions: closed forms against integrals on a grid, bags against brute force."""

import numpy as np
import pytest
from every_kernel import COLLECTIONS, draws

from kernelkit import (
    Bhattacharyya,
    FisherMixture,
    Gaussian,
    Intersection,
    KernelRidge,
    Linear,
    MeanMap,
    MixtureProduct,
    Normalized,
    Overlap,
    Polynomial,
    Substrings,
)

pytestmark = pytest.mark.filterwarnings("error")
BAGS, GAUSSIANS, MIXTURES = (COLLECTIONS[name] for name in ("bags of vectors", "Gaussians", "mixtures"))
STEP = 0.05
GRID = np.stack(np.meshgrid(*2 * [np.arange(-14, 14, STEP)]), axis=-1).reshape(-1, 2)


def density(mean, C, t=GRID):
    d = t - mean
    return np.exp(-np.einsum("ij,jk,ik->i", d, np.linalg.inv(C), d) / 2) / (2 * np.pi * np.sqrt(np.linalg.det(C)))


def test_bhattacharyya_is_its_integral():
    roots = np.array([np.sqrt(density(*p)) for p in GAUSSIANS])
    np.testing.assert_allclose(Bhattacharyya()(GAUSSIANS), STEP**2 * roots @ roots.T, atol=1e-4)
    assert Bhattacharyya()((1.0, 4.0), ([1.0], [[4.0]])) == pytest.approx(1, rel=1e-13)
    assert Bhattacharyya()((0, 1), (2, 1)) == pytest.approx(np.exp(-0.5), rel=1e-13)


def test_a_covariance_is_symmetric_at_any_scale():
    zero, slanted = np.zeros(2), np.array([[1.0, 0.9], [0.0, 1.0]])
    for scale in (1e-12, 1.0, 1e12):
        with pytest.raises(ValueError, match="symmetric, positive definite"):
            Bhattacharyya()((zero, scale * slanted), (zero, scale * np.eye(2)))
        assert Bhattacharyya()((zero, scale * (slanted + slanted.T)), (zero, scale * (slanted + slanted.T))) == 1


def test_mixture_product_is_its_integral():
    p = [
        sum(w * density(m, sigma**2 * np.eye(2)) for w, m in zip(*mixture[:2], strict=True))
        for mixture in MIXTURES
        for sigma in [mixture[2]]
    ]
    np.testing.assert_allclose(MixtureProduct()(MIXTURES), STEP**2 * np.array(p) @ np.array(p).T, rtol=1e-4, atol=1e-10)


def test_mixtures_in_many_dimensions_and_of_any_width_are_multiplied_by_their_logarithms():
    k = MixtureProduct()
    for d, sigma in ((300, 5.0), (300, 0.005), (1, 1e-200), (1, 1e200)):
        p, q = (([1.0], np.full((1, d), mean), sigma) for mean in (0.0, sigma / d**0.5))  # at distance σ
        np.testing.assert_allclose(Normalized(k)([p, q]), [[1, np.exp(-0.25)], [np.exp(-0.25), 1]], rtol=1e-12)
    assert k(([1.0], np.zeros((1, 300)), 5.0)) == 0.0  # e^-862 is less than any float
    assert k(([1.0, 0.0], [[0.0], [9.0]], 1.0)) == k(([1.0], [[0.0]], 1.0))  # a part of weight 0 is none


@pytest.mark.parametrize("k", [Linear(), Gaussian(1.0), Polynomial(2), Gaussian(1.0) + 1], ids=repr)
def test_the_mean_map_is_the_mean_over_all_pairs(k):
    expected = [[np.mean([[k(a, b) for b in z] for a in x]) for z in BAGS] for x in BAGS]
    np.testing.assert_allclose(MeanMap(k)(BAGS), expected, rtol=1e-12, atol=1e-15)
    if k in (Linear(), Polynomial(2)):
        phi = MeanMap(k).feature_map()
        np.testing.assert_allclose(phi(BAGS) @ phi(BAGS).T, expected, rtol=1e-12, atol=1e-14)
        assert phi.dim(2) == k.dim(2) and phi.names(2)[0].startswith(r"\overline{")


def test_its_distance_is_the_distance_of_the_means():
    x, z = BAGS[:2]
    assert MeanMap(Linear()).squared_distance(x, z) == pytest.approx(np.sum((x.mean(axis=0) - z.mean(axis=0)) ** 2))
    assert MeanMap(Gaussian(1.0)).squared_distance(x, x[::-1]) == pytest.approx(0, abs=1e-15)


def test_a_bag_may_hold_anything_that_a_kernel_knows():
    words = [["cat", "cart"], ["dog"]]
    assert MeanMap(Substrings(2))(words).tolist() == [[(2 + 3 + 1 + 1) / 4, 0], [0, 2]]
    assert MeanMap(Substrings(2))(["cat", "cart"], words).tolist() == [7 / 4, 0]
    assert MeanMap(Overlap())([[{1}, {1, 2}]]).tolist() == [[(1 + 1 + 1 + 2) / 4]]
    assert MeanMap(Linear())([[1.0], [3.0]]) == 4.0 and MeanMap(Linear())([[[1.0]], [[3.0]]]).shape == (2, 2)
    assert MeanMap(Intersection()).points == MeanMap(Linear()).points == "bags of vectors"
    with pytest.raises(TypeError, match=r"takes bags of vectors, but .* takes bags of strings: no point suits both"):
        MeanMap(Linear()) + MeanMap(Substrings(2))


def test_a_bag_s_mean_is_learned_exactly():
    bags = draws(*range(5, 25), seed=7)
    y = np.array([bag[:, 0].mean() for bag in bags])
    assert KernelRidge(MeanMap(Linear()), 1e-9).fit(bags, y).score(bags, y) > 1 - 1e-9


def test_the_score_of_a_mixture_is_the_gradient_in_the_logits():
    weights, means = np.array([0.2, 0.5, 0.3]), np.array([[0.0, 0], [1, 1], [-1, 2]])
    k, x = FisherMixture(weights, means, 0.8), np.array([0.3, 0.4])

    def log_p(logits):
        w = np.exp(logits) / np.exp(logits).sum()
        return np.log(sum(v * density(m, 0.64 * np.eye(2), x[None])[0] for v, m in zip(w, means, strict=True)))

    logits = np.log(weights)
    gradient = [(log_p(logits + e) - log_p(logits - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(k.feature_map()(x), gradient, atol=1e-8)
    assert len(k.feature_map().names(2)) == k.dim(2) == 3
    far = FisherMixture(weights, means, 1e-3).feature_map()([100.0, 0.0])  # the nearest part alone is responsible
    np.testing.assert_allclose(far, [-0.2, 0.5, -0.3], atol=1e-12)


def test_a_part_without_weight_is_responsible_for_nothing_also_where_it_is_nearest():
    means, X = [[0.0], [100.0], [101.0]], [[0.0], [-50.0], [100.4]]
    with_it, without = FisherMixture([0.0, 0.4, 0.6], means), FisherMixture([0.4, 0.6], means[1:])
    np.testing.assert_allclose(with_it.feature_map()(X)[:, 1:], without.feature_map()(X), rtol=1e-13)
    np.testing.assert_allclose(with_it(X), without(X), rtol=1e-13)
    assert FisherMixture([0.0, 1.0], [[0.0], [100.0]])([0.0], [0.0]) == 0.0


def test_many_scores_have_an_exactly_symmetric_gram_matrix(cloud):
    K = FisherMixture(np.full(17, 1 / 17), cloud(17, 3, seed=1), 0.8)(cloud(2001, 3))
    np.testing.assert_array_equal(K, K.T)
