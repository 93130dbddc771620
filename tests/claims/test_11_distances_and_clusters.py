"""What notebook 11 teaches, as theorems: the code of its own cells does what kernelkit and scikit-learn do."""

import re
from functools import cache

import numpy as np
import pytest
from notebook_cells import FOLDER, cell_of, defined_by, space_of
from panels import state_of

from kernelkit import (
    Gaussian,
    KernelDBSCAN,
    KernelKMeans,
    KernelLinkage,
    KernelNeighbors,
    KernelOneClass,
    KernelOutliers,
    Linear,
    Normalized,
    Periodic,
    Polynomial,
    datasets,
)
from kernelkit.course.explorers.distances_and_clusters import k_means

NAME = "11-distances-and-clusters.ipynb"
KERNELS = [Linear(), Gaussian(0.5), Polynomial(2), Normalized(Linear()), Periodic(1.0, period=1.5)]
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


@cache
def written():
    """What the notebook's own cells define: its neighbours, k-means, rings, DBSCAN and heights."""
    return space_of(NAME, "cell-33")


@pytest.mark.parametrize(("degree", "dimension"), [(2, 1), (3, 2), (4, 5)])
def test_the_distance_from_three_kernel_values_is_that_of_the_features(degree, dimension):
    k = Polynomial(degree)
    phi, (x, z) = k.feature_map(), np.random.default_rng(0).standard_normal((2, dimension))
    assert written()["distance"](k, x, z) == pytest.approx(np.linalg.norm(phi(x) - phi(z)))


def test_the_case_by_hand_of_two_points():
    k, (x, z) = Polynomial(2), np.array([[1.0], [2.0]])
    assert written()["distance"](k, x, z) ** 2 == pytest.approx(11) and Normalized(k)(x, z) == pytest.approx(0.9)


def test_the_case_by_hand_of_neighbours_that_a_polynomial_exchanges_and_a_gaussian_does_not():
    X, z = np.array([[-0.5], [2.0]]), np.array([[1.0]])
    np.testing.assert_allclose(Polynomial(2).squared_distance(z, X), [[5.0625, 11.0]])
    for k, first in ((Linear(), 1), (Polynomial(2), 0), (Gaussian(0.3), 1), (Gaussian(1.0), 1), (Gaussian(9.0), 1)):
        assert written()["by_hand"](k, X, z, 1) == first


def test_the_cases_by_hand_with_a_gaussian():
    """A mean, two distances, and the same tree at other heights."""
    k, X, Z = Gaussian(1.0), np.array([[0.0], [2.0]]), np.array([[1.0], [4.0]])
    squares = 1 - 2 * k(Z, X).mean(axis=1) + k(X).mean()
    np.testing.assert_allclose(squares, [0.35, 1.43], atol=0.005)
    assert k(X).mean() < 1, "the mean is not on the sphere"
    apart = [written()["distance"](k, [0.0], [gap]) for gap in (1.0, 3.0)]
    np.testing.assert_allclose(apart, [0.89, 1.41], atol=0.005)
    line = np.array([[0.0], [1.0], [3.0], [7.0]])
    found = written()["heights"](np.sqrt(k.squared_distance(line)), np.min)
    np.testing.assert_allclose(found, np.sqrt(2 - 2 * np.exp(-(np.array([1, 2, 4]) ** 2) / 2)))
    np.testing.assert_allclose(found, [0.89, 1.32, 1.41], atol=0.006)


def test_where_the_gap_is_small_the_best_groups_cut_across_both_rings():
    X, y = written()["samples"]["rings, radii 1 and 2"]
    K = Gaussian(0.8)(X)
    labels, inertia = lowest(K)
    assert of_groups(K, y) - inertia == pytest.approx(5.92, abs=0.005)
    assert min(np.sum((labels == c) & (y == side)) for c in (0, 1) for side in (-1, 1)) > 20


@pytest.mark.parametrize("groups", [2, 3, 4])
def test_from_four_groups_on_a_gaussian_changes_average_linkage(groups):
    X = datasets.moons(80, noise=0.05)[0]
    for method in ("single", "complete", "average"):
        same = [KernelLinkage(k, groups, method).fit_predict(X) for k in (Linear(), Gaussian(0.5))]
        assert np.array_equal(*same) is (method != "average" or groups < 4)


@every_kernel
def test_the_neighbours_of_the_notebook_are_those_of_the_package(k):
    (X, y), (Z, _) = datasets.arms(90), datasets.arms(300, random_state=1)
    theirs = KernelNeighbors(k).fit(X, y).neighbors(Z)[1]
    np.testing.assert_array_equal(written()["by_hand"](k, X, Z, 5), theirs)


@pytest.mark.parametrize("start", [[0, 59], [3, 4], [40, 59]])
@pytest.mark.parametrize("k", [Linear(), Gaussian(0.6), Polynomial(2)], ids=repr)
def test_the_k_means_of_the_notebook_end_where_the_package_ends(k, start):
    X, _ = datasets.bullseye(60)
    labels, inertia = written()["kernel_k_means"](k(X), start)
    model = KernelKMeans(k).fit(X, start=start)
    np.testing.assert_array_equal(labels, model.labels_)
    assert inertia == pytest.approx(model.inertia_)


def test_the_starts_of_the_cell_have_the_points_and_the_width_of_the_panel():
    """So the inertias that the page names can be compared."""
    space, run = space_of(NAME, "cell-25"), state_of(k_means, "To the end")
    np.testing.assert_array_equal(space["X"], run.X)
    assert min(space["ends"]) == pytest.approx(run.true) == pytest.approx(34.92, abs=0.005)
    assert run.costs[-1] == pytest.approx(38.64, abs=0.005) and sorted(np.bincount(run.labels)) == [17, 44]


# ---- when kernel k-means works --------------------------------------------------------------------


def of_groups(K, groups):
    """n − Σ n_c s_c, with the mean similarity of the notebook."""
    return len(K) - sum(np.sum(groups == c) * written()["mean_similarity"](K, groups == c) for c in np.unique(groups))


def lowest(K, starts=100):
    """The groups of lowest inertia that random starts find, and the inertia."""
    rng = np.random.default_rng(0)
    ends = (written()["kernel_k_means"](K, rng.choice(len(K), 2, replace=False)) for _ in range(starts))
    return min(ends, key=lambda end: end[1])


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_the_inertia_is_n_minus_sizes_times_mean_similarities(sigma):
    K = Gaussian(sigma)(datasets.moons(60)[0])
    labels, inertia = lowest(K, 3)
    assert inertia == pytest.approx(of_groups(K, labels))


def test_the_case_by_hand_of_two_rails_is_cut_across():
    """Of a Gaussian neighbours are ½ similar, opposite points 0.2: cut along, and across. Short rails hold together."""
    k = Gaussian(1 / np.sqrt(2 * np.log(2)))
    gap = np.sqrt(np.log2(5))
    np.testing.assert_allclose(k([[0.0, 0.0]], [[1.0, 0.0], [0.0, gap]]), [[0.5, 0.2]])

    def inertias(length):
        K = k([[step, rail] for rail in (0.0, gap) for step in range(length)])
        along, across = np.repeat([0, 1], length), np.tile(np.arange(length) >= length / 2, 2)
        return of_groups(K, along), of_groups(K, across)

    page = cell_of(FOLDER / NAME, "two straight rails")
    said = [float(number) for number in re.findall(r"the inertia is \$20 - [^=$]*= ([\d.]+)\$", page)]
    assert inertias(10) == pytest.approx(said, abs=0.005)
    assert inertias(4)[0] < inertias(4)[1] and np.subtract(*inertias(40)) > np.subtract(*inertias(10)) > 0


@pytest.mark.parametrize(
    ("data", "works", "fails"),
    [
        ("disc in a ring", (0.3, 0.5, 0.9, 1.0), (0.1, 0.2, 1.2, 2.0, 3.0)),
        ("rings, radii 1 and 3", (0.8, 0.9, 1.0, 1.2, 1.5), (0.1, 0.3, 0.5, 0.7, 2.0, 3.0)),
        ("rings, radii 1 and 2", (), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0)),
        ("two moons", (), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0, 3.0)),
    ],
)
def test_at_which_widths_the_true_groups_have_the_lowest_inertia(data, works, fails):
    X, y = written()["samples"][data]
    for sigma in works + fails:
        K = Gaussian(sigma)(X)
        gain = of_groups(K, y) - lowest(K)[1]
        assert gain == pytest.approx(0, abs=1e-6) if sigma in works else gain > 0.03, sigma


def test_a_cut_goes_across_one_moon():
    X, y = written()["samples"]["two moons"]
    K = Gaussian(0.5)(X)
    labels, _ = lowest(K)
    small = np.bincount(labels).argmin()
    table = sorted([int(np.sum((labels == c) & (y == side))) for side in (-1, 1)] for c in (small, 1 - small))
    assert sorted(map(sorted, table)) == [[1, 21], [9, 29]]
    assert [round(written()["mean_similarity"](K, y == side), 2) for side in (-1, 1)] == [0.27, 0.29]


def test_far_wider_than_the_data_a_gaussian_does_what_no_kernel_does():
    for X, _ in written()["samples"].values():
        wide, plain = (written()["kernel_k_means"](k(X), [0, len(X) - 1])[0] for k in (Gaussian(100.0), Linear()))
        np.testing.assert_array_equal(wide, plain)


@pytest.mark.parametrize("eps", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("min_samples", [1, 4, 8])
def test_the_dbscan_of_the_notebook_labels_as_the_package_does(eps, min_samples):
    k, (X, _) = Gaussian(0.6), datasets.moons(80, noise=0.05)
    ours = written()["dbscan"](np.sqrt(k.squared_distance(X)), eps, min_samples)
    np.testing.assert_array_equal(ours, KernelDBSCAN(k, eps, min_samples).fit_predict(X))


@pytest.mark.parametrize(("method", "between"), [("single", np.min), ("complete", np.max), ("average", np.mean)])
def test_the_trees_of_the_notebook_merge_at_the_heights_of_the_package(method, between):
    k, X = Gaussian(0.6), datasets.moons(80, noise=0.05)[0][::4]
    heights = written()["heights"](np.sqrt(k.squared_distance(X)), between)
    np.testing.assert_allclose(heights, np.sort(KernelLinkage(k, method=method).fit(X).merges_[:, 2]), atol=1e-9)


def test_the_cases_by_hand_of_dbscan_trees_and_scores():
    line = np.array([[1.0], [2.0], [3.0], [5.0], [10.0]])
    plain = lambda X: np.sqrt(Linear().squared_distance(X))  # noqa: E731
    np.testing.assert_array_equal(written()["dbscan"](plain(line), 2, 3), [0, 0, 0, 0, -1])
    assert KernelDBSCAN(Linear(), 2.0, 3).fit(line).core_.tolist() == [True, True, True, False, False]
    few = plain(np.array([[0.0], [1.0], [3.0], [7.0]]))
    for between, expected in ((np.min, [1, 2, 4]), (np.max, [1, 3, 7]), (np.mean, [1, 2.5, 17 / 3])):
        np.testing.assert_allclose(written()["heights"](few, between), expected)
    clouds = np.array([[0.0], [0.1], [0.2], [0.7], [5.0], [6.0], [7.0], [8.0]])
    scores = KernelOutliers(Linear(), 1).fit(clouds).scores_
    np.testing.assert_allclose(scores, [1, 1, 1, 5, 1, 1, 1, 1])


def test_a_gaussian_can_turn_two_means_of_distances_around():
    """What average linkage compares: 1 and 5 against 2 and 3.9."""
    pairs = np.array([[1.0, 5.0], [2.0, 3.9]])
    pressed = np.sqrt(2 - 2 * np.exp(-(pairs**2) / 2)).mean(axis=1)
    assert pairs.mean(axis=1)[0] > pairs.mean(axis=1)[1] and pressed[0] < pressed[1]
    np.testing.assert_allclose(pressed, [1.15, 1.36], atol=0.005)


def test_with_the_count_the_bestsellers_take_a_group_of_their_own():
    X, group = datasets.baskets()
    labels = KernelKMeans(Linear(), 5, n_init=20).fit(X).labels_
    best = np.isin(datasets.PRODUCTS, ["batteries", "tape"])
    assert len({*labels[best]}) == 1 and not set(labels[best]) & set(labels[~best])
    assert labels[group == 0].tolist() == labels[group == 1].tolist()  # kitchen and garden share a group


def test_the_scores_of_the_notebook_are_those_of_the_package():
    space = defined_by(NAME, "cell-02", "cell-51")
    X, r, scores = space["X"], space["r"], space["scores"]
    np.testing.assert_allclose(scores, KernelOutliers(Gaussian(0.6)).fit(X).scores_, atol=1e-9)
    assert scores.argmax() == 80, "the point between disc and ring"
    radius = np.linalg.norm(X, axis=1)
    assert (radius[space["order"][80]] < 0.9).all(), "its neighbours are points of the disc"
    assert radius[r.argmax()] > 1.5 and r.max() > r[80], "a point of the ring has a larger r"
    assert scores[r.argmax()] < scores[80]


def test_with_nu_one_the_one_class_machine_is_the_mean_of_k():
    X = defined_by(NAME, "cell-02", "cell-51")["X"]
    every = KernelOneClass(Gaussian(0.6), nu=1.0).fit(X)
    np.testing.assert_allclose(every.score_samples(X), Gaussian(0.6)(X).mean(axis=1), rtol=1e-9)


def test_k_means_and_dbscan_are_scikit_learn_s():
    space = space_of(NAME, "cell-57")
    np.testing.assert_array_equal(space["ours"], space["theirs"])  # DBSCAN's, from the cell
    theirs = space["KMeans"](3, init=space["Phi"][space["start"]], n_init=1, tol=0).fit(space["Phi"])
    ours = KernelKMeans(space["k"], 3).fit(space["X"], start=space["start"])
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_)
