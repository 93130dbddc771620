"""Theorems about kernels of x − z: scikit-learn's values, digits that stay, and the waves drawn from them."""

import math
import tracemalloc
from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs
from sklearn.metrics.pairwise import laplacian_kernel

from kernelkit import KernelRidge, Periodic, checks
from kernelkit.arrays import CLOSE, FEW, squared_distance
from kernelkit.features import Circle, GaussianSeries, Waves
from kernelkit.kernels import Bell, FisherMixture, Gaussian, Laplace, Matern, Pullback, RationalQuadratic

pytestmark = pytest.mark.filterwarnings("error")

WIDTHS = [Gaussian, Laplace, lambda s: Matern(s, 0.5), Matern, lambda s: Matern(s, 2.5), RationalQuadratic]
WAVING = [Gaussian(0.7), Laplace(0.7), Matern(0.7, 0.5), Matern(0.7, 1.5), Matern(0.7, 2.5), Periodic(1.3, 2.0)]
WAVING += [RationalQuadratic(0.7, alpha) for alpha in (0.3, 0.8, 1.7, 30.0)]
EACH = pytest.mark.parametrize


@EACH("d", [1, 3, FEW, FEW + 1, 40])
@EACH("n", [1, 70, 300])
def test_values_are_scikit_learn_s(n, d, cloud):
    s = 0.7 * math.sqrt(d)
    X, Z = np.array(cloud(n, d)), cloud(30, d, seed=1)
    X[-1], X[n // 2] = X[0], X[0] + 1e-9  # coinciding points, and nearly so
    pairs = [(Laplace(s), lambda X, Z=None: laplacian_kernel(X, Z, 1 / s))]
    pairs += [(Matern(s, nu), theirs.Matern(s, nu=nu)) for nu in (0.5, 1.5, 2.5)]
    pairs += [(RationalQuadratic(s, alpha), theirs.RationalQuadratic(s, alpha)) for alpha in (0.3, 1, 2.5)]
    if d == 1:
        pairs += [(Periodic(s, period), theirs.ExpSineSquared(s, period)) for period in (0.8, 1, 3)]
    for k, peer in pairs:
        np.testing.assert_allclose(k(X), peer(X), rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(k(X, Z), peer(X, Z), rtol=1e-12, atol=1e-14)


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


@EACH("width", WIDTHS)
@EACH("d", [2, FEW + 4])
@EACH("unit", [1e-300, 1e-160, 1e160, 1e300])
def test_only_the_ratio_of_distance_and_width_counts(width, d, unit, cloud):
    X = cloud(40, d)
    with np.errstate(under="ignore"):
        np.testing.assert_allclose(width(0.8 * unit)(unit * X), width(0.8)(X), rtol=1e-11)
        np.testing.assert_array_equal(width(1e-300)(X)[np.triu_indices(40, 1)] < 1e-100, True)
        np.testing.assert_array_equal(width(1e-300)(1e250 * X).diagonal(), np.ones(40))


@EACH("k", WAVING, ids=repr)
def test_a_point_is_at_one_from_itself_and_nowhere_above(k, cloud):
    X = np.vstack([cloud(50, 8), cloud(50, 8)])
    K = k(X)
    assert (K.diagonal() == 1).all() and K.max() == 1 and K.min() >= 0
    np.testing.assert_allclose(K[:50, 50:].diagonal(), 1, rtol=1e-12)


def test_limits_of_the_families(cloud):
    X = cloud(30, 2)
    np.testing.assert_allclose(RationalQuadratic(0.7, 1e12)(X), Gaussian(0.7)(X), rtol=1e-9)
    x = X[:, :1]
    np.testing.assert_allclose(Matern(0.7, 0.5)(x), Laplace(0.7)(x), rtol=1e-13)  # on a line they are one


@EACH("k", [Periodic(0.8), Periodic(1.5, 2.5)], ids=repr)
def test_periodic_follows_from_the_rules_and_returns_after_a_period(k, cloud):
    X = cloud(30, 2)
    assert k.derivation == Pullback(Gaussian(k.sigma), Circle(k.period))
    np.testing.assert_allclose(k.derivation(X), k(X), rtol=1e-13)
    np.testing.assert_allclose(k(X + np.array([3, -1]) * k.period, X), k(X), rtol=1e-12)
    phi, derived = k.feature_map(degree=6), k.derivation.feature_map(degree=6)
    assert phi.outer == GaussianSeries(k.sigma, 6) and phi.dim(2) == derived.dim(2) == math.comb(4 + 6, 6)
    np.testing.assert_allclose(phi(X), derived(X), rtol=1e-13)


def test_turning_far_round_the_circle_loses_no_more_than_the_point_itself():
    assert Periodic(0.5, 1.0)([0.25], [0.25 + 2.0**40]) == pytest.approx(1, rel=1e-12)


# ---- waves ------------------------------------------------------------------------------------


@EACH("d", [1, 3])
@EACH("k", WAVING, ids=repr)
def test_waves_are_the_kernel_on_average(k, d, cloud):
    X, D = cloud(12, d), 40_000
    phi = k.waves(D, d)
    assert isinstance(phi, Waves) and phi.dim(d) == D and np.shape(phi.frequencies) == (D, d)
    error = phi(X) @ phi(X).T - k(X)
    assert np.abs(error).max() < 5 * math.sqrt(1.5 / D)  # each product has a variance of at most 1.5
    assert np.abs(error).max() > 0


def test_error_of_waves_falls_like_one_over_the_root(cloud):
    X, k = cloud(40, 2), Laplace(1.0)
    few, many = (
        np.mean(
            [
                np.square(phi(X) @ phi(X).T - k(X)).mean()
                for phi in (k.waves(D, 2, random_state=seed) for seed in range(20))
            ]
        )
        for D in (50, 800)
    )
    assert 12 < few / many < 21


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


ROUND = [k for k in WAVING if not isinstance(k, (Laplace, Periodic))]


@EACH("D", [30, 31])
@EACH("k", ROUND, ids=repr)
def test_orthogonal_waves_stand_at_right_angles_and_are_the_kernel_on_average(k, D, cloud):
    X, seeds = cloud(8, 3), 600
    phi = k.waves(D, 3, orthogonal=True)
    W = np.array(phi.frequencies)[::2]
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


@EACH("k", [Laplace(1.0), Periodic(1.0)], ids=repr)
def test_waves_of_a_kernel_that_prefers_the_axes_are_not_turned(k):
    with pytest.raises(ValueError, match=r"orthogonal=True needs a kernel of ‖x − z‖, which .* is not"):
        k.waves(10, 2, orthogonal=True)


@EACH("k", [k for k in WAVING if not isinstance(k, (Gaussian, Periodic))], ids=repr)
def test_infinitely_many_features_are_refused_with_a_word_on_waves(k):
    for call in (k.feature_map, lambda: k.feature_map(degree=3), lambda: (2 * k + 1).dim(2, degree=3)):
        with pytest.raises(ValueError, match=r"infinitely many features and no series .* k\.waves\(D, d\) draws D"):
            call()


@EACH(
    ("call", "sentence"),
    [
        (lambda: Laplace(0), "sigma must be a finite number > 0, got 0."),
        (lambda: Laplace("1"), "sigma must be a number > 0, got '1'."),
        (lambda: Matern(1, 1.0), "nu must be 0.5, 1.5 or 2.5, got 1.0: other ν have no formula without integrals."),
        (lambda: Matern(1, "a"), "nu must be a number, got 'a'."),
        (lambda: RationalQuadratic(1, -1), "alpha must be a finite number > 0, got -1."),
        (lambda: Periodic(1, 0), "period must be a finite number > 0, got 0."),
        (lambda: Gaussian(1).waves(0, 2), "D must be a whole number ≥ 1, got 0."),
        (lambda: Gaussian(1).waves(10, 2.5), "d must be a whole number ≥ 1, got 2.5."),
        (lambda: Gaussian(1).waves(10, 2, -1), "random_state must be a whole number ≥ 0, got -1."),
        (
            lambda: Waves([[1.0], [2.0]], [0.0]),
            "phases must hold one number for each of the 2 frequencies, got shape (1,).",
        ),
        (lambda: Waves([[1.0]], [0.0])([1, 2]), "frequencies has 1 columns, but X has 2 features."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == sentence


def test_numbers_are_reached_as_parameters(cloud):
    model = KernelRidge(2 * Matern(1.0) + Periodic(1.0))
    model.set_params(kernel__left__k__nu=0.5, kernel__right__period=3.0)
    assert model.kernel == 2 * Matern(1.0, 0.5) + Periodic(1.0, 3.0)
    assert repr(Matern(1.0)) == "Matern(1.0)" and repr(Matern(1, 0.5)) == "Matern(1, 0.5)"


@EACH(
    ("k", "formula"),
    [
        (Laplace(1.0), r"\exp\left(-\|x - z\|_1\right)"),
        (Laplace(0.5), r"\exp\left(-\|x - z\|_1/0.5\right)"),
        (Matern(2, 0.5), r"\exp\left(-\|x - z\|/2\right)"),
        (Matern(1), r"\left(1 + \sqrt{3}\,\|x - z\|\right) \exp\left(-\sqrt{3}\,\|x - z\|\right)"),
        (RationalQuadratic(1, 0.5), r"\left(1 + \frac{\|x - z\|^2}{2 \cdot 0.5}\right)^{-0.5}"),
        (Periodic(1.0), r"\exp\left(-2 \sum_j \sin^2\left(\pi(x_j - z_j)\right)\right)"),
        (Periodic(0.5, 3), r"\exp\left(-\frac{2}{0.5^2} \sum_j \sin^2\left(\pi(x_j - z_j)/3\right)\right)"),
    ],
)
def test_formula_is_the_lecture_s(k, formula):
    assert k._repr_latex_() == f"$k(x, z) = {formula}$"


BUILT = [
    lambda width: Gaussian(width),
    lambda width: Laplace(width),
    lambda width: Matern(width, 2.5),
    lambda width: RationalQuadratic(width),
    lambda width: RationalQuadratic(1.0, width),
    lambda width: Periodic(width),
    lambda width: Periodic(1.0, width),
    lambda width: FisherMixture([0.5, 0.5], [[0, 0], [1, 1]], width),
]


@pytest.mark.parametrize("build", BUILT, ids=lambda build: type(build(1.0)).__name__)
@pytest.mark.parametrize("width", [5e-324, 1e-310, 3e-308, 1e-200, 1e-100, 1e100, 1e200, 1.7e308])
def test_every_width_gives_numbers_or_is_refused_when_written(build, width, cloud):
    try:
        k = build(width)
    except ValueError as error:
        assert str(error).startswith(("sigma", "alpha", "period")) and "must be at least" in str(error)
        return
    assert width > 1e-308
    for d in (2, 24):  # by differences, and by products
        X = cloud(5, d)
        if isinstance(k, FisherMixture) and d > 2:
            continue
        for numbers in (k(X), k(X, X[:2]), k.diag(X), k.squared_distance(X)):
            assert np.isfinite(numbers).all()


@pytest.mark.parametrize("sigma", [1e-200, 1e-160, 1e200])
def test_a_width_whose_square_is_no_float_is_that_of_scaled_points(sigma, cloud):
    X = cloud(6, 3)
    for k in (Gaussian, Laplace, Matern, RationalQuadratic):
        np.testing.assert_allclose(k(sigma)(sigma * X), k(1.0)(X), rtol=1e-12)
    np.testing.assert_allclose(Bell(sigma)(sigma * X), Bell(1.0)(X), rtol=1e-12)
    with pytest.raises(ValueError, match="sigma must be at least 1e-150") if sigma < 1 else nullcontext():
        assert Gaussian(sigma).derivation.k.k.c == 0
