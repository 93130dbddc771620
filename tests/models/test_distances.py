"""Data far from the origin: distances are right there, or a warning says that rounding has eaten their digits."""

import re
import warnings

import numpy as np
import pytest
from every_kernel import EXAMPLES, points
from scipy.cluster.hierarchy import linkage
from sklearn.neighbors import NearestNeighbors

from kernelkit import (
    Gaussian,
    KernelDBSCAN,
    KernelDensity,
    KernelKMeans,
    KernelLinkage,
    KernelNeighbors,
    KernelOutliers,
    KernelPCA,
    Linear,
    Normalized,
    Polynomial,
    Precomputed,
    Quadratic,
    Substrings,
    datasets,
)
from kernelkit.features import Monomials
from kernelkit.models.distances import middle, seen_from
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


def learned(model, *names):
    return [getattr(model, name) for name in names]


FAR = {
    "neighbours": lambda k, X, Z: KernelNeighbors(k, 3).fit(X, y).neighbors(Z),
    "votes": lambda k, X, Z: [KernelNeighbors(k, 3).fit(X, y).predict(Z)],
    "outliers": lambda k, X, Z: learned(KernelOutliers(k, 3).fit(X), "distances_", "labels_"),
    "k-means": lambda k, X, Z: learned(KernelKMeans(k, 3).fit(X, start=[0, 20, 40]), "labels_", "inertia_"),
    "nearest means": lambda k, X, Z: [KernelKMeans(k, 3).fit(X, start=[0, 20, 40]).predict(Z)],
    "DBSCAN": lambda k, X, Z: learned(KernelDBSCAN(k, 1.0, 4).fit(X), "labels_"),
    "trees": lambda k, X, Z: [KernelLinkage(k, 3, method).fit(X).merges_ for method in ("single", "average", "ward")],
    "PCA": lambda k, X, Z: learned(KernelPCA(k, 2).fit(X), "eigenvalues_"),
    "coordinates": lambda k, X, Z: [np.abs(KernelPCA(k, 2).fit(X).transform(Z))],
    "two samples": lambda k, X, Z: [mmd(k, X[:25], X[25:]), *permutation_test(k, X[:25], X[25:], 99)],
    "density": lambda k, X, Z: [KernelDensity(2.0).fit(X).log_density(Z)],
}


@EACH
@pytest.mark.parametrize("ask", FAR.values(), ids=FAR)
def test_points_far_from_the_origin_have_the_answers_of_the_same_points_near_it(ask, k):
    """No digit is lost by X − NOON. Near the origin the answers are scikit-learn's, as the tests of each model say."""
    for far, near in zip(ask(k, X, Z), ask(k, X - NOON, Z - NOON), strict=True):
        np.testing.assert_allclose(far, near, rtol=1e-9, atol=1e-9)


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
    assert KernelDBSCAN(k, 1.5, 2).fit(X).labels_.tolist() == [0] * 40 + [-1] * 60
    heights = KernelLinkage(k, 3, "average").fit(X).merges_[:, 2]
    np.testing.assert_allclose(heights, linkage(X, "average")[:, 2], rtol=1e-12)


def test_the_middle_is_left_alone_where_0_is_nearer_to_a_point():
    X = np.column_stack([SECONDS, 10 * NOON + SECONDS])
    moved = seen_from(middle(Linear(), X), X)
    np.testing.assert_array_equal(moved[:, 0], X[:, 0])
    assert np.abs(moved[:, 1]).max() < 2 * NOON  # and not 11 times


@pytest.mark.parametrize("n", [3, 30, 300, 3000])
def test_one_point_far_away_does_not_draw_the_middle(n):
    points = np.random.default_rng(n).standard_normal((n, 2)) + NOON
    points[-1] = -1e300
    assert np.abs(seen_from(middle(Linear(), points), points[:-1])).max() < 10


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


# ---- a warning elsewhere ----------------------------------------------------------------------------


def lost(fit):
    """Whether the fit warns that most distances have lost their digits."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        fit()
    found = [str(warning.message) for warning in told if re.match(WARNING, str(warning.message))]
    assert len(found) < 2
    return bool(found)


@EVERY
@pytest.mark.parametrize("k", [Polynomial(2), Polynomial(3, 0), Normalized(Linear()), Precomputed()], ids=repr)
def test_other_kernels_say_that_the_digits_are_lost(model, k):
    assert lost(lambda: model(k).fit(Polynomial(2)(X) if k == Precomputed() else X, y))


def test_two_far_samples_say_it():
    assert lost(lambda: mmd(Polynomial(2), X[:20], X[20:]))


@EVERY
@pytest.mark.parametrize(("part", "told"), [(0.9e-12, True), (1.1e-12, False)], ids=["just within", "just outside"])
def test_three_digits_are_enough(model, part, told):
    """K_ij = 1 − part gives ‖Φ(X_i) − Φ(X_j)‖² = 2 part, of k(x, x) + k(z, z) = 2."""
    K = np.eye(6) + (1 - part) * (1 - np.eye(6))
    K[np.arange(6), np.arange(6)[::-1]] -= 1e-15  # no row is as another
    assert lost(lambda: model(Precomputed()).fit((K + K.T) / 2, y[::10])) == told


@pytest.mark.parametrize(("first", "told"), [(20, False), (30, True)], ids=["as many", "three of four"])
def test_it_is_for_most_of_the_pairs(first, told):
    """Two groups far from each other and from the origin: inside a group the digits are lost, between them not."""
    places = np.r_[np.full(first, 1e8), np.full(40 - first, -1e8)][:, None] + np.arange(40)[:, None] % 20
    assert lost(lambda: KernelLinkage(Polynomial(3)).fit(places)) == told


@pytest.mark.parametrize("data", [datasets.sine, datasets.arms, datasets.sixteen, datasets.iris, datasets.digits])
@pytest.mark.parametrize("k", [Polynomial(2), Polynomial(3), Gaussian(1.0)], ids=repr)
def test_ordinary_data_have_lost_nothing(data, k):
    X, _ = data()
    assert not lost(lambda: KernelNeighbors(k, 3).fit(X, np.arange(len(X)) % 2))


@EVERY
@pytest.mark.parametrize("k", [Polynomial(2), Linear(), 0 * Linear()], ids=repr)
def test_points_given_many_times_and_a_kernel_that_is_0_have_lost_nothing(model, k):
    copies = np.repeat([[0.3, 0.1], [0.7, 0.2]], [35, 5], axis=0) if k != 0 * Linear() else X
    assert not lost(lambda: model(k).fit(copies, np.arange(len(copies)) % 3))


def test_words_that_share_all_their_letters_have_lost_nothing():
    assert not lost(lambda: KernelPCA(Substrings(1), 1).fit(["abc", "cab", "bca", "acb"]))


# ---- extreme numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "unit"), [(1e308 * Gaussian(1.0), 1.0), (Linear(), 1e147), (Polynomial(2), 1e73)], ids=["factor", "x", "x²"]
)
def test_samples_whose_sums_are_beyond_any_float_are_refused(k, unit):
    points = unit * (X - NOON)
    for call in (lambda: mmd(k, points[:20], points[20:]), lambda: trace_error(k, points, Monomials(1))):
        with pytest.raises(ValueError, match=r"^k overflows: scale the inputs\. .* beyond 1e\+290 on these points\.$"):
            call()


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
