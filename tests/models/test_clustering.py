"""Theorems about groups in feature space: k-means, DBSCAN and the tree equal what scikit-learn and SciPy do with Φ."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from kernelkit import Gaussian, KernelDBSCAN, KernelKMeans, KernelLinkage, Linear, Polynomial, Precomputed, datasets
from kernelkit.models.clustering import METHODS, assigned, spread

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.filterwarnings("ignore:Number of distinct clusters")]

DATA = {
    name: make(90, random_state=3)
    for name, make in (("moons", datasets.moons), ("circles", datasets.circles), ("blobs", datasets.blobs))
}
for points, classes in DATA.values():
    points.setflags(write=False), classes.setflags(write=False)
ON = pytest.mark.parametrize("name", DATA)
FEW = settings(max_examples=30)
EXPLICIT = pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3)], ids=repr)


# ---- k-means --------------------------------------------------------------------------------------


@ON
@EXPLICIT
def test_the_same_start_ends_where_k_means_on_the_features_ends(name, kernel):
    X, _ = DATA[name]
    phi = kernel.feature_map()(X)
    for start in ([0, 1, 2], [5, 40, 80], [30, 31, 33]):
        theirs = KMeans(3, init=phi[start], n_init=1, tol=0, algorithm="lloyd").fit(phi)
        ours = KernelKMeans(kernel, 3).fit(X, start=start)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-8)
        np.testing.assert_array_equal(ours.predict(X + 0.05), theirs.predict(kernel.feature_map()(X + 0.05)))


@FEW
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([Linear(), Gaussian(0.7), Polynomial(3)]))
def test_every_step_lowers_the_inertia_until_nothing_moves(seed, groups, kernel):
    X = np.random.default_rng(seed).standard_normal((25, 2))
    steps = list(KernelKMeans(kernel, groups, random_state=seed).steps(X))
    costs = np.array([step.cost for step in steps])
    assert (np.diff(costs) <= 1e-9 * costs[0]).all() and [step.turn for step in steps] == [*range(1, len(steps) + 1)]
    assert len(steps[-1].moved) == 0 and all(len(step.moved) for step in steps[:-1])
    for before, after in pairwise(steps):
        np.testing.assert_array_equal(after.moved, np.flatnonzero(before.iterate != after.iterate))
    assert set(steps[-1].iterate) == set(range(groups))


@FEW
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_what_fit_learns_is_what_the_formulas_say(seed, groups):
    X = np.random.default_rng(seed).standard_normal((20, 2))
    model = KernelKMeans(Polynomial(2), groups, n_init=3, random_state=seed).fit(X)
    phi = Polynomial(2).feature_map()(X)
    means = np.array([phi[model.labels_ == c].mean(axis=0) for c in range(groups)])
    np.testing.assert_allclose(model.a_.T @ phi, means, atol=1e-9)
    np.testing.assert_allclose(model.squares_, (means**2).sum(axis=1), rtol=1e-9)
    assert model.inertia_ == pytest.approx(((phi - means[model.labels_]) ** 2).sum(), rel=1e-8)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.labels_, KernelKMeans(Polynomial(2), groups, 3, 300, seed).fit(X).labels_)


def test_first_means_are_drawn_in_proportion_to_the_squared_distance():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [2.0]])
    draws = [spread(X @ X.T, 2, np.random.default_rng(seed)) for seed in range(2000)]
    second = np.bincount([j for i, j in draws if i < 3], minlength=5)
    assert not second[:3].any()  # they have the distance 0
    share = second[4] / second.sum()
    assert abs(share - 4 / 5) < 4 * np.sqrt(0.16 / second.sum())
    first = np.bincount([i for i, _ in draws], minlength=5) / 2000
    np.testing.assert_allclose(first, 1 / 5, atol=4 * np.sqrt(0.16 / 2000))


def test_too_few_steps_are_told():
    X, _ = DATA["moons"]
    with pytest.warns(UserWarning, match=r"KernelKMeans stopped after 2 steps, while \d+ points .*; raise max_iter\.$"):
        assert KernelKMeans(Linear(), n_init=1, max_iter=2).fit(X, start=[0, 1]).n_iter_ == 2


def test_fit_is_the_best_of_its_starts():
    X, _ = DATA["moons"]
    ends = [KernelKMeans(Gaussian(0.5)).fit(X, start=[i, i + 45]).inertia_ for i in range(10)]
    assert len({round(end, 6) for end in ends}) > 1  # local optima
    for seed in (None, 1):
        assert KernelKMeans(Gaussian(0.5), n_init=30, random_state=seed).fit(X).inertia_ <= min(ends) + 1e-9


@FEW
@given(st.integers(0, 10**6), st.integers(1, 4), st.sampled_from([Linear(), Gaussian(1.0), Linear() + Gaussian(1.0)]))
def test_of_points_in_a_few_places_each_place_is_a_group(seed, places, kernel):
    rng = np.random.default_rng(seed)
    place = np.append(np.arange(places), rng.integers(places, size=30))
    X = rng.standard_normal((places, 2))[place]
    for start in (None, rng.permutation(len(X))[:6]):
        with pytest.warns(UserWarning, match=rf"finds {places} groups and not n_clusters = 6, because only") as told:
            model = KernelKMeans(kernel, 6, random_state=seed).fit(X, start=start)
        assert len(told) == 1 and model.n_iter_ < 20 and adjusted_rand_score(place, model.labels_) == 1
        assert set(model.labels_) == set(range(places)) and model.a_.shape == (len(X), places)
        np.testing.assert_array_equal(model.predict(X), model.labels_)


@FEW
@given(st.integers(0, 10**6))
def test_equal_points_have_equal_labels_though_their_rows_of_k_are_rounded_in_two_ways(seed):
    """The places 0 and 1 are the first means, and ½ is as near to both."""
    X = np.repeat([[0.0], [1.0], [0.5]], [4, 4, 12], axis=0)
    noise = 1e-15 * np.random.default_rng(seed).uniform(-1, 1, (20, 20))
    K = Gaussian(1.0)(X) + noise + noise.T
    labels = KernelKMeans(Precomputed(), 2).fit(K, start=[0, 4]).labels_
    assert labels.tolist() == [0] * 4 + [1] * 4 + [0] * 12


def test_one_point_far_away_hides_no_other_groups():
    X = np.r_[np.zeros(5), np.ones(5), 1e9][:, None] + np.linspace(0, 0.1, 11)[:, None]
    assert KernelKMeans(Linear(), 3).fit(X, start=[0, 1, 10]).labels_.tolist() == [0] * 5 + [1] * 5 + [2]


def test_a_group_that_lost_its_points_gets_the_farthest():
    X = np.array([[0.0], [0.0], [1.0], [10.0]])
    labels = KernelKMeans(Linear(), 3).fit(X, start=[0, 1, 2]).labels_  # the second mean has no point of its own
    assert sorted(np.bincount(labels).tolist()) == [1, 1, 2] and labels[0] == labels[1]
    means = np.zeros((5, 3))
    means[[0, 1], [0, 1]] = means[4, 2] = 1.0  # 0, 0 and 100: the second is nearest to nobody, and 10 is far from 0
    X = np.array([[0.0], [0.0], [10.0], [93.0], [100.0]])
    assert assigned(X @ X.T, means)[0].tolist() == [0, 0, 1, 2, 2]  # not 0, which is far from another mean


# ---- DBSCAN ---------------------------------------------------------------------------------------


@ON
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.5), Polynomial(2)], ids=repr)
def test_labels_are_those_of_dbscan(name, kernel):
    X, _ = DATA[name]
    D = np.sqrt(kernel.squared_distance(X))
    for eps, min_samples in product(np.median(D) * np.array([0.1, 0.25, 0.6]), [1, 4, 12]):
        theirs = DBSCAN(eps=eps, min_samples=min_samples, metric="precomputed").fit(D)
        ours = KernelDBSCAN(kernel, eps, min_samples).fit(X)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(np.flatnonzero(ours.core_), theirs.core_sample_indices_)


def test_any_distance_is_an_eps():
    assert KernelDBSCAN(Linear(), eps=1e200, min_samples=1).fit_predict([[0.0], [9.0]]).tolist() == [0, 0]
    assert KernelDBSCAN(Linear(), eps=1e-200, min_samples=1).fit_predict([[0.0], [0.0], [9.0]]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(1, 1.0), Polynomial(1, 0.0)], ids=repr)
@pytest.mark.parametrize("unit", [0.1, 0.01, 1 / 3])
def test_points_exactly_eps_apart_are_near_in_every_unit(kernel, unit):
    """On a lattice and on the irises in tenths of a centimetre the squares of distances are whole numbers."""
    lattice = np.argwhere(np.ones((6, 6)))
    for points, eps in ((lattice, 1), (np.round(10 * load_iris().data), 3)):
        wanted = DBSCAN(eps=eps, min_samples=5).fit(points).labels_
        scaled = points * unit
        np.testing.assert_array_equal(KernelDBSCAN(kernel, eps * unit, 5).fit(scaled).labels_, wanted)


# ---- the tree -------------------------------------------------------------------------------------


@ON
@EXPLICIT
def test_heights_are_scipy_s(name, kernel):
    X, _ = DATA[name]
    for method in METHODS:
        theirs = linkage(kernel.feature_map()(X), method)
        ours = KernelLinkage(kernel, 3, method).fit(X)
        np.testing.assert_allclose(ours.merges_[:, 2], theirs[:, 2], rtol=1e-8)
        assert adjusted_rand_score(ours.labels_, fcluster(theirs, 3, "maxclust")) == 1


@FEW
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_a_cut_leaves_so_many_groups_and_one_more_splits_one(seed, groups):
    model = KernelLinkage(Linear(), groups).fit(np.random.default_rng(seed).standard_normal((13, 2)))
    labels, finer = model.labels_, model.labels(groups + 1)
    assert len(set(labels)) == groups and len(set(finer)) == groups + 1
    assert len(set(zip(labels, finer, strict=True))) == groups + 1  # each finer group is inside one
    firsts = [np.flatnonzero(labels == c)[0] for c in range(groups)]
    assert firsts == sorted(firsts)


# ---- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "error", "sentence"),
    [
        (KernelKMeans(n_clusters=91), ValueError, "n_clusters must be at most the number of .* n_samples = 90"),
        (KernelKMeans(n_clusters=0), ValueError, "n_clusters must be a whole number ≥ 1, got 0"),
        (KernelKMeans(n_init=0.5), ValueError, "n_init must be a whole number ≥ 1, got 0.5"),
        (KernelKMeans(random_state=-1), ValueError, "random_state must be a whole number ≥ 0, got -1"),
        (KernelDBSCAN(eps=0), ValueError, "eps must be a finite number > 0, got 0"),
        (KernelDBSCAN(eps="wide"), TypeError, "eps must be a number > 0, got 'wide'"),
        (KernelDBSCAN(min_samples=0), ValueError, "min_samples must be a whole number ≥ 1, got 0"),
        (KernelLinkage(n_clusters=91), ValueError, "n_clusters must be at most .* with n_samples = 90"),
        (KernelLinkage(method="mean"), ValueError, "method must be one of 'single', .* got 'mean'"),
    ],
    ids=repr,
)
def test_what_cannot_be_is_told_in_one_sentence(model, error, sentence):
    with pytest.raises(error, match=rf"^{sentence}[^\n]*\.$"):
        model.fit(DATA["moons"][0])


@pytest.mark.parametrize("start", [[0], [0, 0], [0, 90], [0.5, 1], [-1, 2]], ids=str)
def test_what_is_no_start_is_told(start):
    with pytest.raises(ValueError, match=r"^start must hold n_clusters = 2 different indices of the 90 points, got"):
        KernelKMeans().fit(DATA["moons"][0], start=start)


def test_one_point_alone_does_not_merge_and_two_are_no_three_groups():
    with pytest.raises(ValueError, match=r"^Merging needs 2 points or more, got n_samples = 1\.$"):
        KernelLinkage(n_clusters=1).fit([[0.0]])
    two = KernelLinkage(n_clusters=1).fit([[0.0], [1.0]])
    assert two.labels_.tolist() == [0, 0]
    with pytest.raises(ValueError, match="n_clusters must be at most"):
        two.labels(3)


def test_of_starts_that_end_equally_well_the_first_counts():
    """A square falls into two halves in two ways."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]) + 3
    labels = []
    for seed in range(6):
        moved = X * (1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, X.shape))
        labels.append(KernelKMeans(Gaussian(1.0), 2, n_init=10, random_state=0).fit(moved).labels_.tolist())
    assert labels == labels[:1] * 6
