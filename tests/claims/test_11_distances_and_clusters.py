"""What notebook 11 teaches, as theorems: the code of its own cells does what kernelkit and scikit-learn do."""

from functools import cache

import numpy as np
import pytest
from notebook_cells import defined_by, space_of

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

NAME = "11-distances-and-clusters.ipynb"
KERNELS = [Linear(), Gaussian(0.5), Polynomial(2), Normalized(Linear()), Periodic(1.0, period=1.5)]
every_kernel = pytest.mark.parametrize("k", KERNELS, ids=repr)


@cache
def written():
    """What the notebook's own cells define: its neighbours, k-means, DBSCAN and heights."""
    return space_of(NAME, "cell-33")


def test_the_distance_in_ten_features_is_that_from_three_kernel_values():
    space = defined_by(NAME, "cell-02", "cell-04")
    k, phi, x, z = (space[name] for name in ("k", "phi", "x", "z"))
    assert np.sum((phi(x) - phi(z)) ** 2) == pytest.approx(k(x, x) - 2 * k(x, z) + k(z, z)) and len(phi(x)) == 10


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
