"""Numbers that notebook 11 says and no cell prints, and its own algorithms next to those of kernelkit."""

from functools import cache

import numpy as np
import pytest
from notebook_cells import defined_by
from panels import state_of

from kernelkit import (
    Gaussian,
    KernelDBSCAN,
    KernelKMeans,
    KernelLinkage,
    KernelNeighbors,
    KernelOutliers,
    Linear,
    Normalized,
    Polynomial,
    datasets,
)
from kernelkit.course.explorers.distances_and_clusters import k_means


@cache
def written():
    """What the notebook's own cells define: its neighbours, k-means, DBSCAN and heights."""
    return defined_by("11-distances-and-clusters.ipynb", "cell-02", "cell-16", "cell-20", "cell-30", "cell-33")


# ---- cases by hand -------------------------------------------------------------------------------------


def test_two_points_and_their_neighbours_by_hand():
    X, z = np.array([[-0.5], [2.0]]), np.array([[1.0]])
    np.testing.assert_allclose(Polynomial(2).squared_distance(z, X), [[5.0625, 11.0]])
    assert Normalized(Polynomial(2))([1.0], [2.0]) == pytest.approx(0.9)
    for k, first in ((Linear(), 1), (Polynomial(2), 0), (Gaussian(0.3), 1), (Gaussian(9.0), 1)):
        assert KernelNeighbors(k, 1).fit(X, [0, 1]).predict(z) == first


def test_a_mean_and_two_distances_with_a_gaussian_by_hand():
    k, X, Z = Gaussian(1.0), np.array([[0.0], [2.0]]), np.array([[1.0], [4.0]])
    squares = 1 - 2 * k(Z, X).mean(axis=1) + k(X).mean()
    np.testing.assert_allclose(squares, [0.35, 1.43], atol=0.005)
    np.testing.assert_allclose(np.sqrt(k.squared_distance([[0.0]], [[1.0], [3.0]])), [[0.89, 1.41]], atol=0.005)


def test_dbscan_trees_and_scores_by_hand():
    line = np.array([[1.0], [2.0], [3.0], [5.0], [10.0]])
    found = KernelDBSCAN(Linear(), 2.0, 3).fit(line)
    assert found.labels_.tolist() == [0, 0, 0, 0, -1] and found.core_.tolist() == [True, True, True, False, False]
    few = np.array([[0.0], [1.0], [3.0], [7.0]])
    for method, heights in (("single", [1, 2, 4]), ("complete", [1, 3, 7]), ("average", [1, 2.5, 17 / 3])):
        np.testing.assert_allclose(KernelLinkage(Linear(), method=method).fit(few).merges_[:, 2], heights)
    clouds = np.array([[0.0], [0.1], [0.2], [0.7], [5.0], [6.0], [7.0], [8.0]])
    np.testing.assert_allclose(KernelOutliers(Linear(), 1).fit(clouds).scores_, [1, 1, 1, 5, 1, 1, 1, 1])


def test_a_gaussian_can_turn_two_means_of_distances_around():
    """What average linkage compares: 1 and 5 against 2 and 3.9."""
    pairs = np.array([[1.0, 5.0], [2.0, 3.9]])
    pressed = np.sqrt(2 - 2 * np.exp(-(pairs**2) / 2))
    np.testing.assert_allclose(pairs.mean(axis=1), [3, 2.95])
    np.testing.assert_allclose(pressed, [[0.89, 1.41], [1.32, 1.41]], atol=0.006)
    np.testing.assert_allclose(pressed.mean(axis=1), [1.15, 1.36], atol=0.005)


# ---- when kernel k-means works -------------------------------------------------------------------------


def inertia_of(K, groups):
    """n − Σ n_c s_c, with the mean similarity s_c of each group."""
    return len(K) - sum(np.sum(groups == c) * K[groups == c][:, groups == c].mean() for c in np.unique(groups))


def rings(inner, outer, n=60):
    """The notebook's: n points near each of two circles."""
    rng, y = np.random.default_rng(2), np.where(np.arange(2 * n) < n, -1, 1)
    radius = np.where(y < 0, inner, outer) + 0.05 * rng.standard_normal(2 * n)
    angle = rng.uniform(0, 2 * np.pi, 2 * n)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def lowest(K, starts=100):
    """The groups of lowest inertia that random starts of the notebook's k-means find, and the inertia."""
    rng = np.random.default_rng(0)
    ends = (written()["kernel_k_means"](K, rng.choice(len(K), 2, replace=False)) for _ in range(starts))
    return min(ends, key=lambda end: end[1])


def test_two_rails_are_better_cut_across_by_hand():
    """Of a Gaussian neighbours are ½ similar, opposite points 0.2. Short rails hold together."""
    k, gap = Gaussian(1 / np.sqrt(2 * np.log(2))), np.sqrt(np.log2(5))
    np.testing.assert_allclose(k([[0.0, 0.0]], [[1.0, 0.0], [0.0, gap]]), [[0.5, 0.2]])

    def inertias(length):
        K = k([[step, rail] for rail in (0.0, gap) for step in range(length)])
        along, across = np.repeat([0, 1], length), np.tile(np.arange(length) >= length / 2, 2)
        return inertia_of(K, along), inertia_of(K, across)

    assert inertias(10) == pytest.approx([15.99, 15.50], abs=0.005)
    assert inertias(4)[0] < inertias(4)[1] and np.subtract(*inertias(40)) > np.subtract(*inertias(10)) > 0


@pytest.mark.parametrize(
    ("data", "works", "fails"), [(datasets.bullseye(60), (0.3, 1.0), (0.2, 1.2)), (rings(1, 3), (0.8, 1.5), (0.7, 2.0))]
)
def test_the_true_groups_have_the_lowest_inertia_for_a_range_of_widths(data, works, fails):
    X, y = data
    for sigma in works + fails:
        gain = inertia_of(Gaussian(sigma)(X), y) - lowest(Gaussian(sigma)(X))[1]
        assert gain == pytest.approx(0, abs=1e-6) if sigma in works else gain > 0.03, sigma


def test_where_the_gap_is_small_the_best_groups_cut_across_both_rings_and_across_one_moon():
    X, y = rings(1, 2)
    labels, inertia = lowest(Gaussian(0.8)(X))
    assert inertia_of(Gaussian(0.8)(X), y) - inertia == pytest.approx(5.92, abs=0.005)
    assert min(np.sum((labels == c) & (y == side)) for c in (0, 1) for side in (-1, 1)) > 20
    X, y = datasets.moons(60)
    K = Gaussian(0.5)(X)
    labels, _ = lowest(K)
    parts = sorted(sorted(int(np.sum((labels == c) & (y == side))) for side in (-1, 1)) for c in (0, 1))
    assert parts == [[1, 21], [9, 29]]
    assert [round(K[y == side][:, y == side].mean(), 2) for side in (-1, 1)] == [0.27, 0.29]


def test_the_first_start_of_the_panel_ends_above_the_true_groups():
    run = state_of(k_means, "To the end")
    assert [run.true, run.costs[-1]] == pytest.approx([34.92, 38.64], abs=0.005)
    assert sorted(np.bincount(run.labels)) == [17, 44]


def test_with_the_count_the_bestsellers_take_a_group_of_their_own():
    X, group = datasets.baskets()
    labels = KernelKMeans(Linear(), 5, n_init=20).fit(X).labels_
    best = np.isin(datasets.PRODUCTS, ["batteries", "tape"])
    assert len({*labels[best]}) == 1 and not set(labels[best]) & set(labels[~best])
    assert labels[group == 0].tolist() == labels[group == 1].tolist()  # kitchen and garden share a group


# ---- the notebook's own algorithms -----------------------------------------------------------------------


def test_neighbours_groups_noise_and_heights_of_the_notebook_are_those_of_the_package():
    k, own = Gaussian(0.6), written()
    (X, y), (Z, _) = datasets.arms(90), datasets.arms(300, random_state=1)
    np.testing.assert_array_equal(own["by_hand"](k, X, Z, 5), KernelNeighbors(k).fit(X, y).neighbors(Z)[1])
    X, _ = datasets.bullseye(60)
    labels, inertia = own["kernel_k_means"](k(X), [40, 59])
    model = KernelKMeans(k).fit(X, start=[40, 59])
    np.testing.assert_array_equal(labels, model.labels_)
    assert inertia == pytest.approx(model.inertia_)
    X, _ = datasets.moons(80, noise=0.05)
    D = np.sqrt(k.squared_distance(X))
    np.testing.assert_array_equal(own["dbscan"](D, 0.5, 4), KernelDBSCAN(k, 0.5, 4).fit_predict(X))
    for method, between in (("single", np.min), ("complete", np.max), ("average", np.mean)):
        merges = KernelLinkage(k, method=method).fit(X[::4]).merges_
        np.testing.assert_allclose(own["heights"](D[::4, ::4], between), np.sort(merges[:, 2]), atol=1e-9)
