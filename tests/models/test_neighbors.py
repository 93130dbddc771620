"""Theorems about neighbours in feature space: the votes, whom a kernel leaves as they are, and who stands apart."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.neighbors import KNeighborsClassifier

from kernelkit import (
    Exp,
    Gaussian,
    KernelNeighbors,
    KernelOutliers,
    Linear,
    Matern,
    Normalized,
    Periodic,
    Polynomial,
    datasets,
)
from kernelkit.models.neighbors import nearest, rounding_of_sums

pytestmark = pytest.mark.filterwarnings("error")

X, y = datasets.arms(60)
Z = np.random.default_rng(1).uniform(-2, 2, (40, 2))
X.setflags(write=False), y.setflags(write=False)
KERNELS = [Linear(), Polynomial(2), Polynomial(3), Normalized(Polynomial(2))]
EACH = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


# ---- k-NN -----------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("count", [1, 4, 7])
def test_neighbours_are_those_on_the_features(kernel, count):
    phi = kernel.feature_map()
    theirs = KNeighborsClassifier(count).fit(phi(X), y)
    ours = KernelNeighbors(kernel, count).fit(X, y)
    distances, indices = ours.neighbors(Z)
    expected, expected_indices = theirs.kneighbors(phi(Z))
    np.testing.assert_array_equal(indices, expected_indices)
    np.testing.assert_allclose(distances, expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(Z), theirs.predict_proba(phi(Z)))
    np.testing.assert_array_equal(ours.predict(Z), theirs.predict(phi(Z)))
    np.testing.assert_array_equal(ours.decision_function(Z), ours.predict_proba(Z))


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 9))
def test_of_equal_distances_the_first_is_nearer(seed, count, levels):
    D = np.random.default_rng(seed).integers(0, levels, (5, 6)).astype(float)
    values, order = nearest(D, count, rounding_of_sums(np.zeros(D.shape[1])))
    np.testing.assert_array_equal(order, np.argsort(D, axis=1, kind="stable")[:, :count])
    np.testing.assert_array_equal(values, np.take_along_axis(D, order, axis=1))


@pytest.mark.parametrize("kernel", [Gaussian(1.7), 0.3 * Gaussian(0.7), Matern(1.7), Linear()], ids=repr)
def test_on_a_lattice_too_where_k_rounds_equal_distances_to_different_ones(kernel):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        lattice, places = rng.integers(-3, 4, (40, 2)), rng.integers(-3, 4, (30, 2))
        first = np.argsort(((places[:, None] - lattice) ** 2).sum(axis=-1), axis=1, kind="stable")[:, :5]
        model = KernelNeighbors(kernel, 5).fit(lattice, np.arange(40) % 3)
        np.testing.assert_array_equal(model.neighbors(places)[1], first)


@pytest.mark.parametrize("far", [1e3, 1e8, 1e12])
def test_one_point_far_away_makes_no_others_equal(far):
    rng = np.random.default_rng(0)
    points, places = np.vstack([rng.standard_normal((30, 2)), [far, far]]), rng.standard_normal((20, 2))
    first = np.argsort(((places[:, None] - points) ** 2).sum(axis=-1), axis=1, kind="stable")
    model = KernelNeighbors(Linear(), 31).fit(points, np.arange(31) % 3)
    np.testing.assert_array_equal(model.neighbors(places)[1], first)
    with_it, without = (KernelOutliers(Linear(), 3).fit(points[:n]).distances_[:30] for n in (31, 30))
    np.testing.assert_allclose(with_it, without)


def test_outliers_on_a_lattice_are_the_same_wherever_it_lies():
    lattice = np.random.default_rng(0).integers(-3, 4, (40, 2))
    here, there = (KernelOutliers(Gaussian(1.7)).fit(lattice + shift).scores_ for shift in (0, 5))
    np.testing.assert_allclose(here, there, rtol=1e-6)


def test_a_distance_beyond_any_float_is_refused():
    with pytest.raises(ValueError, match="k overflows: scale the inputs"):
        KernelNeighbors(Linear(), 1).fit([[0.0], [1.0]], [0, 1]).neighbors([[1e200]])


def test_of_equal_votes_the_smaller_label_wins():
    model = KernelNeighbors(Linear(), 2).fit([[0.0], [1.0], [5.0]], ["b", "a", "c"])
    assert model.predict([[0.4], [3.5]]).tolist() == ["a", "a"]
    two = KernelNeighbors(Linear(), 2).fit([[0.0], [1.0]], [1, 0])
    assert two.decision_function([[0.1]]).tolist() == [0.0] and two.predict([[0.1]]).tolist() == [0]


@pytest.mark.parametrize(
    ("count", "error", "sentence"),
    [
        (61, ValueError, "n_neighbors must be at most the number of points, got n_neighbors = 61 with n_samples = 60."),
        (0, ValueError, "n_neighbors must be a whole number ≥ 1, got 0."),
        ("two", TypeError, "n_neighbors must be a whole number ≥ 1, got 'two'."),
    ],
    ids=["too many", "none", "a text"],
)
def test_what_is_no_number_of_neighbours_is_told(count, error, sentence):
    with pytest.raises(error, match=rf"^{sentence}$"):
        KernelNeighbors(Linear(), count).fit(X, y)
    with pytest.raises(error, match=r"^n_neighbors (\+ 1 )?must be "):
        KernelOutliers(Linear(), count).fit(X)


# ---- outliers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [*KERNELS, Gaussian(1.0)], ids=repr)
@pytest.mark.parametrize("count", [1, 5])
def test_scores_are_those_of_brute_force(kernel, count):
    D = np.sqrt(kernel.squared_distance(X))
    r, neighbours = np.empty(60), []
    for i in range(60):
        others = sorted((j for j in range(60) if j != i), key=lambda j, i=i: D[i, j])[:count]
        r[i], neighbours = D[i, others].mean(), [*neighbours, others]
    expected = [r[i] / r[neighbours[i]].mean() for i in range(60)]
    model = KernelOutliers(kernel, count).fit(X)
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-8)
    np.testing.assert_allclose(model.distances_, r, rtol=1e-8)
    np.testing.assert_array_equal(model.labels_, np.where(np.array(expected) > 1.5, -1, 1))


def test_points_given_twice_are_no_outliers():
    model = KernelOutliers(Linear(), 2).fit([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0], [9.0]])
    assert model.scores_[:6].tolist() == [1.0] * 6 and model.scores_[6] == np.inf and model.labels_[6] == -1


@pytest.mark.parametrize(
    "kernel",
    [Linear() + Gaussian(1.0), Linear() * Gaussian(2.0), Exp(Linear()), Normalized(Polynomial(3)), Periodic(1.0, 3.0)],
    ids=repr,
)
def test_nor_where_k_of_the_copies_is_rounded(kernel):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        places = rng.standard_normal((4, 2)) + 2
        copies = places[rng.permutation(np.repeat(np.arange(4), 5))]
        model = KernelOutliers(kernel, 3).fit(copies)
        assert (model.distances_ == 0).all() and (model.scores_ == 1).all()


def test_a_point_is_not_its_own_neighbour():
    with pytest.raises(ValueError, match=r"^n_neighbors \+ 1 must be at most the number of points, got .* = 61 with"):
        KernelOutliers(Linear(), 60).fit(X)
    assert KernelOutliers(Linear(), 59).fit(X).scores_.shape == (60,)
