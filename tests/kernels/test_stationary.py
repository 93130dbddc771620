"""Theorems about kernels of x − z: scikit-learn's values, digits that stay, and the waves drawn from them."""

import math
import tracemalloc

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs
from sklearn.metrics.pairwise import laplacian_kernel

from kernelkit import Periodic, checks
from kernelkit.arrays import CLOSE, FEW, squared_distance
from kernelkit.features import Circle, GaussianSeries, Waves
from kernelkit.kernels import Bell, Gaussian, Laplace, Matern, Pullback, RationalQuadratic

pytestmark = pytest.mark.filterwarnings("error")

WIDTHS = [Gaussian, Laplace, lambda s: Matern(s, 0.5), Matern, lambda s: Matern(s, 2.5), RationalQuadratic]
WAVING = [Gaussian(0.7), Laplace(0.7), Matern(0.7, 0.5), Matern(0.7, 1.5), Matern(0.7, 2.5), Periodic(1.3, 2.0)]
WAVING += [RationalQuadratic(0.7, alpha) for alpha in (0.3, 0.8, 1.7, 30.0)]
ROUND = [k for k in WAVING if not isinstance(k, (Laplace, Periodic))]
EACH = pytest.mark.parametrize


@EACH("d", [1, 3, FEW, FEW + 1, 40])
@EACH("n", [1, 70, 300])
def test_values_are_scikit_learn_s(n, d, cloud):
    s = 0.7 * math.sqrt(d)
    X, Z = np.array(cloud(n, d)), cloud(30, d, seed=1)
    X[-1], X[n // 2] = X[0], X[0] + 1e-9  # coinciding points, and nearly so
    pairs = [(Gaussian(s), theirs.RBF(s)), (Laplace(s), lambda X, Z=None: laplacian_kernel(X, Z, 1 / s))]
    pairs += [(Matern(s, nu), theirs.Matern(s, nu=nu)) for nu in (0.5, 1.5, 2.5)]
    pairs += [(RationalQuadratic(s, alpha), theirs.RationalQuadratic(s, alpha)) for alpha in (0.3, 1, 2.5)]
    if d == 1:
        pairs += [(Periodic(s, period), theirs.ExpSineSquared(s, period)) for period in (0.8, 1, 3)]
    for k, peer in pairs:
        np.testing.assert_allclose(k(X), peer(X), rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(k(X, Z), peer(X, Z), rtol=1e-12, atol=1e-14)


@EACH("k", WAVING, ids=repr)
def test_a_point_is_at_one_from_itself_and_nowhere_above(k, cloud):
    X = np.vstack([cloud(50, 8), cloud(50, 8)])
    K = k(X)
    assert (K.diagonal() == 1).all() and K.max() == 1 and K.min() >= 0
    np.testing.assert_allclose(K[:50, 50:].diagonal(), 1, rtol=1e-12)


@EACH("k", [Periodic(0.8), Periodic(1.5, 2.5)], ids=repr)
def test_periodic_follows_from_the_rules_and_returns_after_a_period(k, cloud):
    X = cloud(30, 2)
    assert k.derivation == Pullback(Gaussian(k.sigma), Circle(k.period))
    np.testing.assert_allclose(k(X + np.array([3, -1]) * k.period, X), k(X), rtol=1e-12)
    assert k([0.25, 0.25], [0.25 + k.period * 2.0**40, 0.25]) == pytest.approx(1, rel=1e-12)
    phi = k.feature_map(degree=6)
    assert phi.outer == GaussianSeries(k.sigma, 6) and phi.dim(2) == math.comb(4 + 6, 6)


# ---- digits and extremes ------------------------------------------------------------------------


@EACH("width", WIDTHS)
@EACH("d", [2, FEW + 4])
@EACH("unit", [1e-300, 1e-200, 1e-160, 1e160, 1e300])
def test_only_the_ratio_of_distance_and_width_counts(width, d, unit, cloud):
    X = cloud(40, d)
    with np.errstate(under="ignore"):
        np.testing.assert_allclose(width(0.8 * unit)(unit * X), width(0.8)(X), rtol=1e-11)
        np.testing.assert_array_equal(width(1e-300)(X)[np.triu_indices(40, 1)] < 1e-100, True)
        np.testing.assert_array_equal(width(1e-300)(1e250 * X).diagonal(), np.ones(40))
        np.testing.assert_allclose(Bell(unit)(unit * X), Bell(1.0)(X), rtol=1e-12)


@EACH(
    ("centres", "rtol"),
    [([1e6], 1e-12), ([-1e2, 1e2], 1e-7), ([-1e4, 1e4], 1e-7), ([-1e6, 1e6], 1e-7), ([-1e8, 1e8], 1e-7)],
)
def test_gaussian_keeps_its_digits_far_from_the_origin_and_where_groups_lie_far_apart(centres, rtol, cloud):
    X = np.vstack([centre + cloud(40, 2, seed=seed) for seed, centre in enumerate(centres)])
    exact = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    K = Gaussian(1.0)(X)
    np.testing.assert_allclose(K, exact, rtol=rtol)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(Gaussian(1.0)(X, X.copy()), exact, rtol=rtol)


@EACH("sigma", [1e-300, 1e-200, 1e-9, 1e-3])
def test_gaussian_is_the_identity_where_sigma_is_far_below_the_distances(sigma, cloud):
    X = cloud(70, 3)
    np.testing.assert_array_equal(Gaussian(sigma)(X), np.eye(70))
    K = Gaussian(sigma)(np.vstack([X, X]), X.copy())  # also where a point comes twice
    np.testing.assert_allclose(K, np.vstack([np.eye(70), np.eye(70)]), rtol=1e-8)
    np.testing.assert_array_equal(Gaussian(min(1.0, 1e250 * sigma))(1e250 * X), np.eye(70))


@EACH("size", [1e-300, 1.0, 1e150, 1e200, 1e300, 1.7e308])
@EACH("k", [Gaussian(1e-300), Gaussian(0.7), Gaussian(1e300)], ids=repr)
def test_the_gaussian_is_bounded(k, size, cloud):
    """No model looks through its K: so whatever the points, it holds neither an infinity nor a NaN."""
    X = cloud(40, 3)
    X = size * (X / np.abs(X).max())
    X[7] = X[8] = 0.0
    for Z in (X, -X, X / 1e9, cloud(5, 3)):
        K = k.gram(X, Z)
        assert np.isfinite(K).all() and K.min() >= 0 and K.max() <= 1


@EACH("d", [2, FEW + 4])
def test_squared_distances_keep_their_digits(d, cloud):
    X = np.vstack([cloud(60, d), cloud(60, d) + 1e-7, 1e3 + cloud(60, d, seed=1)])
    exact = ((X[:, None] - X[None]) ** 2).sum(axis=2) / 0.3**2
    D = squared_distance(X, X, 0.3)
    np.testing.assert_allclose(D, exact, rtol=1e-9 if d == 2 else 1e-14 / CLOSE)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_allclose(squared_distance(X, X.copy(), 0.3), exact, rtol=1e-9 if d == 2 else 1e-14 / CLOSE)


def test_close_pairs_take_little_memory_however_many_and_long_they_are(cloud):
    X = np.vstack([cloud(200, 3072), 20 * np.ones((1, 3072))])  # beside the last one all others are close
    tracemalloc.start()
    try:
        D = squared_distance(X, X, 50.0)
        assert tracemalloc.get_traced_memory()[1] < 4 * X.nbytes
    finally:
        tracemalloc.stop()
    np.testing.assert_allclose(D[:3], [((x - X) ** 2).sum(axis=1) / 2500 for x in X[:3]], rtol=1e-14 / CLOSE)


# ---- waves ------------------------------------------------------------------------------------


@EACH("d", [1, 3])
@EACH("k", WAVING, ids=repr)
def test_waves_are_the_kernel_on_average(k, d, cloud):
    X, D = cloud(12, d), 40_000
    phi = k.waves(D, d)
    assert isinstance(phi, Waves) and phi.dim(d) == D and np.shape(phi.frequencies) == (D, d)
    error = phi(X) @ phi(X).T - k(X)
    assert 0 < np.abs(error).max() < 5 * math.sqrt(1.5 / D)  # each product has a variance of at most 1.5


def test_waves_follow_their_seed():
    k = Gaussian(1.0)
    assert k.waves(5, 2) == k.waves(5, 2, random_state=0) != k.waves(5, 2, random_state=1)
    assert k.waves(5, 2, random_state=np.random.default_rng(3)) == k.waves(5, 2, random_state=3)
    assert k.waves(5, 2, random_state=None) != k.waves(5, 2, random_state=None)


def test_the_memory_that_waves_take_is_the_memory_that_is_counted(monkeypatch):
    k = Gaussian(1.0)
    k.waves(5, 50)
    tracemalloc.start()
    try:
        k.waves(2000, 50).dim(50)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(checks, "MAX_BYTES", int(0.8 * taken))
    with pytest.raises(ValueError, match=r"^2,000 frequencies of 50 numbers are .* GB"):
        k.waves(2000, 50)
    monkeypatch.setattr(checks, "MAX_BYTES", int(1.2 * taken))
    assert k.waves(2000, 50).dim(50) == 2000


@EACH("D", [30, 31])
@EACH("k", ROUND, ids=repr)
def test_orthogonal_waves_stand_at_right_angles_and_are_the_kernel_on_average(k, D, cloud):
    X, seeds = cloud(8, 3), 600
    W = np.array(k.waves(D, 3, orthogonal=True).frequencies)[::2]
    for block in (W[:3], W[6:9]):
        angles = block @ block.T / np.linalg.norm(block, axis=1) ** 2
        np.testing.assert_allclose(angles, np.eye(3), atol=1e-9 * np.linalg.norm(block, axis=1).max())
    values = [phi(X) @ phi(X).T for phi in (k.waves(D, 3, seed, orthogonal=True) for seed in range(seeds))]
    deviation = np.std(values, axis=0) / math.sqrt(seeds)
    assert (np.abs(np.mean(values, axis=0) - k(X)) <= 4.5 * deviation + 1e-12).all()


@EACH("k", ROUND, ids=repr)
def test_orthogonal_waves_err_less(k, cloud):
    X = cloud(40, 8) / 4

    def error(orthogonal):
        maps = (k.waves(64, 8, seed, orthogonal) for seed in range(20))
        return np.mean([np.square(phi(X) @ phi(X).T - k(X)).mean() for phi in maps])

    assert error(orthogonal=True) < 0.9 * error(orthogonal=False)
