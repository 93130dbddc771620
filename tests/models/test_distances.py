"""Data far from the origin: distances are right there, or a warning says that rounding has eaten their digits."""

import re
import warnings

import numpy as np
import pytest
from every_kernel import EXAMPLES, points
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN, KMeans
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from kernelkit import (
    Gaussian,
    KernelDBSCAN,
    KernelDensity,
    KernelKMeans,
    KernelLinkage,
    KernelNeighbors,
    KernelOutliers,
    KernelPCA,
    Laplace,
    Linear,
    Normalized,
    Polynomial,
    Precomputed,
    Quadratic,
    Substrings,
    datasets,
)
from kernelkit.features import Monomials
from kernelkit.models.distances import middle, seen_from, squared_distances
from kernelkit.study.landmarks import trace_error
from kernelkit.study.two_samples import mmd, permutation_test

NOON = 1.7e9  # a Unix time in seconds
CENTRES = np.repeat([[0.0, 0.0], [10.0, 0.0], [0.0, 20.0]], 20, axis=0)
X = NOON + CENTRES + np.random.default_rng(0).standard_normal((60, 2))
y = np.repeat([0, 1, 2], 20)
Z = NOON + np.random.default_rng(1).uniform(-3, 20, (40, 2))
X.setflags(write=False)

LIKE_LINEAR = [Linear(), Linear() + 1, 1 * Linear(), Quadratic([[1.0, 0.0], [0.0, 1.0]])]
EACH = pytest.mark.parametrize("k", LIKE_LINEAR, ids=repr)
MODELS = {
    "neighbours": lambda k: KernelNeighbors(k, 3),
    "outliers": lambda k: KernelOutliers(k, 3),
    "k-means": lambda k: KernelKMeans(k, 3),
    "DBSCAN": lambda k: KernelDBSCAN(k, 3.0),
    "tree": lambda k: KernelLinkage(k, 3),
    "PCA": lambda k: KernelPCA(k, 2),
}
EVERY = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
WARNING = r"^Most distances between these points in the feature space of .* subtract their mean first\.$"


# ---- right where the distances do not depend on the origin ----------------------------------------


@EACH
def test_far_neighbours_are_scikit_learn_s(k):
    ours = KernelNeighbors(k, 3).fit(X, y)
    theirs = KNeighborsClassifier(3, algorithm="kd_tree").fit(X, y)
    expected, indices = theirs.kneighbors(Z)
    np.testing.assert_array_equal(ours.neighbors(Z)[1], indices)
    np.testing.assert_allclose(ours.neighbors(Z)[0], expected, rtol=1e-8)
    np.testing.assert_array_equal(ours.predict(Z), theirs.predict(Z))
    assert ours.score(X, y) == 1.0


@EACH
def test_far_groups_around_means_are_scikit_learn_s(k):
    theirs = KMeans(3, init=X[[0, 20, 40]], n_init=1, tol=0).fit(X)
    ours = KernelKMeans(k, 3).fit(X, start=[0, 20, 40])
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-9)
    nearest = cdist(Z, theirs.cluster_centers_).argmin(axis=1)  # scikit-learn's own predict says 0 of all of them
    np.testing.assert_array_equal(ours.predict(Z), nearest)


@EACH
def test_far_components_are_scikit_learn_s(k):
    ours, theirs = KernelPCA(k, 2).fit(X), PCA(2, svd_solver="full").fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, 59 * theirs.explained_variance_, rtol=1e-7)
    np.testing.assert_allclose(np.abs(ours.transform(Z)), np.abs(theirs.transform(Z)), rtol=1e-5, atol=1e-5)


@EACH
def test_far_groups_of_dense_points_and_outliers_are_scikit_learn_s(k):
    np.testing.assert_array_equal(KernelDBSCAN(k, 1.0, 4).fit(X).labels_, DBSCAN(eps=1.0, min_samples=4).fit(X).labels_)
    theirs = NearestNeighbors(n_neighbors=3, algorithm="kd_tree").fit(X).kneighbors()[0].mean(axis=1)
    np.testing.assert_allclose(KernelOutliers(k, 3).fit(X).distances_, theirs, rtol=1e-9)


@EACH
@pytest.mark.parametrize("method", ["single", "average", "ward"])
def test_a_far_tree_is_scipy_s(k, method):
    ours, theirs = KernelLinkage(k, 3, method).fit(X).merges_, linkage(X, method)
    np.testing.assert_array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-9)


@EACH
def test_far_samples_are_as_far_apart_as_their_means(k):
    expected = np.square(X[:25].mean(axis=0) - X[25:].mean(axis=0)).sum()
    assert mmd(k, X[:25], X[25:]) == pytest.approx(expected, rel=1e-6)
    assert permutation_test(k, X[:25], X[25:], 99).value == pytest.approx(expected, rel=1e-6)
    assert permutation_test(k, X[:25], X[25:], 99).p == 0.01


SECONDS = np.r_[np.arange(40.0), NOON + 86400 * np.arange(60)][:, None]  # the first of them near 0, most far from it


@EACH
def test_near_points_keep_their_digits_where_most_points_are_far(k):
    X = np.column_stack([SECONDS, -SECONDS])
    expected, _ = NearestNeighbors(n_neighbors=2, metric="chebyshev").fit(X).kneighbors(X)
    ours = KernelNeighbors(k, 2).fit(X, np.arange(100))
    np.testing.assert_array_equal(ours.neighbors(X[:2])[1], [[0, 1], [1, 0]])
    np.testing.assert_allclose(ours.neighbors(X)[0], np.sqrt(2) * expected, rtol=1e-12)
    assert (np.diff(ours.neighbors(X)[0]) >= 0).all()
    np.testing.assert_allclose(KernelOutliers(k, 1).fit(X).distances_, np.sqrt(2) * expected[:, 1], rtol=1e-12)
    labels = np.r_[np.zeros(40), -np.ones(60)]
    np.testing.assert_array_equal(KernelDBSCAN(k, 1.5, 2).fit(X).labels_, labels)
    ours, theirs = KernelLinkage(k, 3, "average").fit(X).merges_, linkage(X, "average")
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-12)


@EACH
def test_blobs_near_and_far_get_the_labels_scikit_learn_gives(k):
    rng = np.random.default_rng(0)
    near = CENTRES + rng.standard_normal((60, 2))
    X = np.concatenate([near, rng.normal(1e9, 1e8, (61, 2))])
    labels = np.r_[y, np.full(61, 3)]
    theirs = KNeighborsClassifier(3, algorithm="kd_tree").fit(X, labels)
    ours = KernelNeighbors(k, 3).fit(X, labels)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.neighbors(X)[0], theirs.kneighbors(X)[0], rtol=1e-9)
    assert ours.score(X, labels) == theirs.score(X, labels) == 1.0


def test_the_middle_is_left_alone_where_0_is_nearer_to_a_point():
    X = np.column_stack([SECONDS, 10 * NOON + SECONDS])
    moved = seen_from(middle(Linear(), X), X)
    np.testing.assert_array_equal(moved[:, 0], X[:, 0])
    assert np.abs(moved[:, 1]).max() < 2 * NOON  # and not 11 times


def test_a_far_density_is_that_of_the_same_points_near_0():
    near, far = KernelDensity(2.0).fit(X - NOON), KernelDensity(2.0).fit(X)
    np.testing.assert_allclose(far.log_density(Z), near.log_density(Z - NOON), rtol=1e-12)


@pytest.mark.parametrize("k", [k for k in EXAMPLES if k.origin_free], ids=repr)
def test_what_is_free_of_the_origin_has_the_same_distances_when_the_points_are_moved(k, cloud):
    here = points(k, cloud)
    np.testing.assert_allclose(k.squared_distance(here + 0.5), k.squared_distance(here), rtol=1e-9, atol=1e-12)


def test_sums_and_factors_hand_it_on():
    free, bound = Linear() + 2 * Gaussian(1.0) + 1, Linear() + Polynomial(2)
    assert free.origin_free and not bound.origin_free and not (2 * bound).origin_free
    assert not Normalized(Linear()).origin_free and not (Linear() * Gaussian(1.0)).origin_free


@pytest.mark.filterwarnings("error")
def test_points_on_both_sides_of_all_floats_have_their_distances():
    X = np.array([[1.7e308], [1.7e308], [-1.7e308]])
    np.testing.assert_allclose(KernelNeighbors(2 * Gaussian(1.0), 3).fit(X, [0, 1, 0]).neighbors(X)[0][:, 2], 2.0)
    with pytest.raises(ValueError, match="k overflows"):
        KernelLinkage(Linear()).fit(X)


@pytest.mark.parametrize("n", [3, 30, 300, 3000])
def test_one_point_far_away_does_not_draw_the_middle(n):
    points = np.random.default_rng(n).standard_normal((n, 2)) + NOON
    points[-1] = -1e300
    assert np.abs(seen_from(middle(Linear(), points), points[:-1])).max() < 10


# ---- a warning elsewhere ----------------------------------------------------------------------------


@EVERY
@pytest.mark.parametrize("k", [Polynomial(2), Polynomial(3, 0), Normalized(Linear())], ids=repr)
def test_other_kernels_say_that_the_digits_are_lost(model, k):
    with pytest.warns(UserWarning, match=WARNING) as told:
        model(k).fit(X, y)
    assert sum(bool(re.match(WARNING, str(warning.message))) for warning in told) == 1  # k-means has fewer groups, too


@EVERY
def test_a_gram_matrix_without_digits_says_so_too(model):
    with pytest.warns(UserWarning, match=WARNING):
        model(Precomputed()).fit(Polynomial(2)(X), y)


def test_two_far_samples_say_it():
    with pytest.warns(UserWarning, match=WARNING):
        mmd(Polynomial(2), X[:20], X[20:])
    with pytest.warns(UserWarning, match=WARNING):
        permutation_test(Polynomial(2), X[:20], X[20:], 9)


@pytest.mark.parametrize("far", [1e4, 1e5, 1e6, 1e7, 1e8])
def test_the_warning_comes_before_the_distances_are_wrong_by_a_hundredth(far):
    """(xᵀz)² has the features x_i², x_i x_j √2: their differences are exact where those of whole x are."""
    whole = np.round(X - NOON)
    Phi = np.column_stack([whole**2, np.sqrt(2) * whole[:, 0] * whole[:, 1], np.sqrt(2) * far * whole])
    moved = Phi[:, :2] + 2 * far * whole, Phi[:, 2] + np.sqrt(2) * far * whole.sum(axis=1)
    Phi = np.column_stack(moved)  # Φ(x + far) − Φ(far)
    expected = np.square(Phi[:, None] - Phi).sum(axis=2)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        merges = KernelLinkage(Polynomial(2, 0), 3, "complete").fit(whole + far).merges_
    wrong = abs(merges[-1, 2] / np.sqrt(expected.max()) - 1)
    assert told or wrong < 0.01
    assert not told or far > 1e6


@EVERY
@pytest.mark.parametrize(("part", "told"), [(0.9e-12, True), (1.1e-12, False)], ids=["just within", "just outside"])
def test_three_digits_are_enough(model, part, told):
    """K_ij = 1 − part gives ‖Φ(X_i) − Φ(X_j)‖² = 2 part, of k(x, x) + k(z, z) = 2."""
    K = np.eye(6) + (1 - part) * (1 - np.eye(6))
    K[np.arange(6), np.arange(6)[::-1]] -= 1e-15  # no row is as another
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        model(Precomputed()).fit((K + K.T) / 2, y[::10])
    assert any("Most distances" in str(each.message) for each in found) == told


@pytest.mark.parametrize(("first", "told"), [(20, False), (30, True)], ids=["as many", "three of four"])
def test_it_is_for_most_of_the_pairs(first, told):
    """Two groups far from each other and from the origin: inside a group the digits are lost, between them not."""
    places = np.r_[np.full(first, 1e8), np.full(40 - first, -1e8)][:, None] + np.arange(40)[:, None] % 20
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        KernelLinkage(Polynomial(3)).fit(places)
    assert bool(found) == told


@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3), Normalized(Polynomial(2))], ids=repr)
def test_squared_distances_are_the_kernel_s(k):
    points = datasets.arms(60)[0]
    D = squared_distances(k(points))
    np.testing.assert_allclose(D, k.squared_distance(points), rtol=1e-9, atol=1e-9)
    assert (D.diagonal() == 0).all() and (D == D.T).all()
    copies = squared_distances(Normalized(Polynomial(3))(np.repeat(points, 2, axis=0)))
    assert (copies[np.arange(0, 120, 2), np.arange(1, 120, 2)] == 0).all()


ORDINARY = {
    "rings": datasets.rings,
    "bullseye": datasets.bullseye,
    "crossing": datasets.crossing,
    "moons": datasets.moons,
    "circles": datasets.circles,
    "sixteen": datasets.sixteen,
    "mixture": datasets.mixture,
    "arms": datasets.arms,
    "blobs": datasets.blobs,
    "half planes": datasets.half_planes,
    "interval": datasets.interval,
    "digits": datasets.digits,
    "iris": datasets.iris,
    "petals": datasets.petals,
    "breast cancer": datasets.breast_cancer,
    "sine": datasets.sine,
}


@pytest.mark.parametrize("data", ORDINARY.values(), ids=ORDINARY)
@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.0), Laplace(3.0)], ids=repr)
def test_ordinary_data_are_not_warned_of(data, k):
    X, *_ = data()
    labels = np.arange(len(X)) % 2
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Most distances")
        warnings.filterwarnings("ignore", message="K is almost I")
        KernelNeighbors(k, 3).fit(X, labels)
        KernelPCA(k, 1).fit(X)
        mmd(k, X[::2], X[1::2])


@EVERY
@pytest.mark.parametrize("k", [Polynomial(2), Linear(), 0 * Linear()], ids=repr)
def test_points_given_many_times_and_a_kernel_that_is_0_have_lost_nothing(model, k):
    copies = np.repeat([[0.3, 0.1], [0.7, 0.2]], [35, 5], axis=0) if k != 0 * Linear() else X
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Most distances")
        warnings.filterwarnings("ignore", message="K is almost I")
        model(k).fit(copies, np.arange(len(copies)) % 3)


def test_words_that_share_all_their_letters_have_lost_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelPCA(Substrings(1), 1).fit(["abc", "cab", "bca", "acb"])


# ---- extreme numbers --------------------------------------------------------------------------------

HUGE = r"^k overflows: scale the inputs\. .* gives numbers beyond 1e\+290 on these points\.$"


@EVERY
@pytest.mark.parametrize(
    ("k", "unit"), [(1e308 * Gaussian(1.0), 1.0), (Linear(), 1e147), (Polynomial(2), 1e73)], ids=["factor", "x", "x²"]
)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_values_whose_sums_are_beyond_any_float_are_refused(model, k, unit):
    points = unit * (X - NOON)
    with pytest.raises(ValueError, match=HUGE):
        model(k).fit(points, y)
    with pytest.raises(ValueError, match=HUGE):
        mmd(k, points[:20], points[20:])
    with pytest.raises(ValueError, match=HUGE):
        trace_error(k, points, Monomials(1))


@EVERY
@pytest.mark.parametrize("unit", [2.0**-460, 2.0**460])
@pytest.mark.filterwarnings("error")
def test_linear_knows_no_units(model, unit):
    """A power of 2 changes no digit while squares are floats; DBSCAN's distance is in units of x."""
    points = X - NOON
    here, there = model(Linear()), model(Linear())
    if hasattr(here, "eps"):
        there.set_params(eps=here.eps * unit)
    here.fit(points, y)
    there.fit(unit * points, y)
    if hasattr(here, "labels_"):
        np.testing.assert_array_equal(here.labels_, there.labels_)
    elif hasattr(here, "predict"):
        np.testing.assert_array_equal(here.predict(points), there.predict(unit * points))
    else:
        np.testing.assert_allclose(here.transform(points), there.transform(unit * points) / unit, rtol=1e-8, atol=1e-8)
