"""Kriging: scikit-learn's Gaussian process, kernel ridge's mean, draws, and what is refused."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor, kernels as theirs

from kernelkit import (
    Constant,
    Gaussian,
    KernelRidge,
    Kriging,
    Linear,
    Matern,
    Normalized,
    Periodic,
    Polynomial,
    Precomputed,
    RationalQuadratic,
    Substrings,
    datasets,
)
from kernelkit.models.reading import DataConversionWarning

RBF, WHITE, FACTOR = theirs.RBF, theirs.WhiteKernel, theirs.ConstantKernel
SAME = {
    "gaussian": (Gaussian(0.7), RBF(0.7)),
    "scaled": (2.5 * Gaussian(0.7), FACTOR(2.5) * RBF(0.7)),
    "matern": (Matern(0.9, 1.5), theirs.Matern(0.9, nu=1.5)),
    "rational quadratic": (RationalQuadratic(0.8, 0.6), theirs.RationalQuadratic(0.8, 0.6)),
    "trend and season": (Linear() + Periodic(1.2, 1.5), theirs.DotProduct(1e-9) + theirs.ExpSineSquared(1.2, 1.5)),
}
EVERY = pytest.mark.parametrize("name", SAME)
Z = np.linspace(-4, 4, 41)[:, None]


def pair(name, noise=0.02):
    X, y = datasets.sine(40)
    ours, peer = SAME[name]
    return Kriging(ours, noise).fit(X, y), GaussianProcessRegressor(peer, alpha=noise, optimizer=None).fit(X, y)


# ---- the same numbers as elsewhere ----------------------------------------------------------------


@EVERY
def test_mean_covariance_and_evidence_are_scikit_learn_s(name):
    ours, peer = pair(name)
    (mean, covariance), (m, C) = ours.posterior(Z), peer.predict(Z, return_cov=True)
    np.testing.assert_allclose(mean, m, rtol=1e-8, atol=1e-8 * np.abs(m).max())
    np.testing.assert_allclose(covariance, C, rtol=1e-8, atol=1e-8 * np.abs(C).max())
    assert ours.log_marginal_likelihood_ == pytest.approx(peer.log_marginal_likelihood(), rel=1e-8)
    also, std = ours.predict(Z, return_std=True)
    np.testing.assert_allclose(also, mean, rtol=1e-12)
    np.testing.assert_allclose(std**2, covariance.diagonal(), rtol=1e-8, atol=1e-10)


def test_the_evidence_is_the_density_of_what_was_measured():
    X, y = datasets.sine(12)
    K = Gaussian(0.7)(X) + 0.05 * np.eye(12)
    expected = multivariate_normal(np.zeros(12), K).logpdf(y)
    assert Kriging(Gaussian(0.7), 0.05).fit(X, y).log_marginal_likelihood_ == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("center", [False, True])
def test_the_mean_is_kernel_ridge_with_lam_the_noise(center):
    X, y = datasets.sine(40)
    y = y + 5
    ridge = KernelRidge(Gaussian(0.7), 0.02, center=center).fit(X, y)
    kriging = Kriging(Gaussian(0.7), 0.02, center=center).fit(X, y)
    np.testing.assert_allclose(kriging.a_, ridge.a_, rtol=1e-9)
    np.testing.assert_allclose(kriging.predict(Z), ridge.predict(Z), rtol=1e-9)


def test_the_covariance_does_not_need_the_values():
    X, y = datasets.sine(30)
    one, other = (Kriging(Gaussian(0.7), 0.02).fit(X, v).posterior(Z)[1] for v in (y, 100 * np.cos(y)))
    np.testing.assert_array_equal(one, other)


def test_a_hole_more_makes_nothing_less_certain():
    X, y = datasets.sine(30)
    stds = [Kriging(Gaussian(0.7), 0.02).fit(X[:n], y[:n]).predict(Z, return_std=True)[1] for n in range(1, 31)]
    assert (np.diff(stds, axis=0) < 1e-9).all() and stds[0].max() > 0.99


def test_conditioning_in_two_steps_is_conditioning_once():
    """The posterior of half the points, taken as the prior for the other half, ends at the posterior of all."""
    X, y = datasets.sine(20)
    first = Kriging(Gaussian(0.7), 0.05).fit(X[::2], y[::2])
    both = np.vstack([X[1::2], Z])
    mean, C = first.posterior(both)
    n = len(X[1::2])
    gain = C[n:, :n] @ np.linalg.inv(C[:n, :n] + 0.05 * np.eye(n))
    expected, covariance = Kriging(Gaussian(0.7), 0.05).fit(X, y).posterior(Z)
    np.testing.assert_allclose(mean[n:] + gain @ (y[1::2] - mean[:n]), expected, atol=1e-9)
    np.testing.assert_allclose(C[n:, n:] - gain @ C[:n, n:], covariance, atol=1e-9)


def test_ordinary_kriging_is_a_constant_whose_prior_is_wide():
    """k + c with c → ∞: the weights of every prediction sum to 1, so a shift of y is a shift of h."""
    X, y = datasets.sine(15)
    low, high = (Kriging(Gaussian(0.5) + Constant(1e6), 0.1).fit(X, v).predict(Z) for v in (y, y + 7))
    np.testing.assert_allclose(high - low, 7, atol=1e-3)
    K, one = Gaussian(0.5)(X) + 0.1 * np.eye(15), np.ones(15)
    mean = one @ np.linalg.solve(K, y) / (one @ np.linalg.solve(K, one))  # generalised least squares
    np.testing.assert_allclose(low, mean + Gaussian(0.5)(Z, X) @ np.linalg.solve(K, y - mean), atol=1e-4)


# ---- draws ----------------------------------------------------------------------------------------


def test_draws_have_the_posterior_s_mean_and_covariance():
    model, _ = pair("gaussian")
    mean, covariance = model.posterior(Z)
    draws = model.sample(Z, 4000, random_state=0)
    assert draws.shape == (4000, 41)
    np.testing.assert_allclose(draws.mean(axis=0), mean, atol=0.06)
    np.testing.assert_allclose(np.cov(draws.T), covariance, atol=0.06)


@pytest.mark.parametrize("unit", [1e-60, 1e-15, 1e100])
def test_draws_are_as_wide_as_the_posterior_in_any_unit_of_y(unit):
    model = Kriging(unit**2 * Gaussian(1.0), noise=0.01 * unit**2).fit([[0.0]], [unit])
    std = model.predict(Z, return_std=True)[1]
    np.testing.assert_allclose(model.sample(Z, 4000, random_state=0).std(axis=0) / std, 1, atol=0.06)


def test_a_variance_beyond_any_float_is_refused():
    model = Kriging(Linear()).fit([[1.0]], [1.0])
    for call in (model.posterior, model.sample, lambda Z: model.predict(Z, return_std=True)):
        with pytest.raises(ValueError, match="k overflows: scale the inputs"):
            call([[1e200], [2e200]])


def test_draws_follow_their_seed():
    model, _ = pair("gaussian")
    one, same, other = (model.sample(Z, 2, random_state=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.01
    rng = np.random.default_rng(3)
    np.testing.assert_array_equal(model.sample(Z, 2, random_state=rng), one)
    assert np.isfinite(model.sample(np.zeros((5, 1)))).all()  # the same place five times


# ---- what is refused ------------------------------------------------------------------------------


def test_a_negative_noise_is_refused():
    for noise in (-0.1, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"^noise must be a finite number ≥ 0, got"):
            Kriging(noise=noise).fit([[0.0]], [1.0])
        with pytest.raises(ValueError, match=r"^noise must be a finite number ≥ 0, got"):
            Kriging(noise=noise).tuned([[0.0]], [1.0])


def test_points_that_coincide_without_noise_are_named():
    X = [[0.0], [1.0], [2.0], [1.0], [0.0]]
    with pytest.raises(ValueError, match=r"singular .*: points 0 and 4 coincide; points 1 and 3 coincide\. [^\n]*$"):
        Kriging(noise=0).fit(X, range(5))
    assert np.isfinite(Kriging(noise=1e-6).fit(X, range(5)).a_).all()
    with pytest.raises(ValueError, match="points 0 and 2 coincide"):  # for this kernel: the same direction
        Kriging(Normalized(Linear()), noise=0).fit([[1.0, 1.0], [1.0, 0.0], [2.0, 2.0]], range(3))


def test_a_kernel_with_too_few_features_is_singular_without_noise():
    X = np.linspace(0, 1, 50)[:, None]
    for k, rank in ((Linear(), 1), (Polynomial(2), 3), (Precomputed(), 4)):
        with pytest.raises(ValueError, match=rf"singular .*: K has rank {rank} and not 50"):
            Kriging(k, noise=0).fit(Polynomial(3)(X) if k == Precomputed() else X, X[:, 0])


def test_points_that_are_too_near_are_singular_without_noise():
    X = np.linspace(0, 1, 50)[:, None]
    table = (np.ones((50, 50)) + np.eye(50)) / 2
    table[0, 49] = table[49, 0] = 1 - 4e-15  # two points that all but coincide: K has rank 49, and they are the cause
    for k, Z in ((Gaussian(0.3), X), (Precomputed(), table)):
        with pytest.raises(ValueError, match=r"singular .*: some points are too near to others"):
            Kriging(k, noise=0).fit(Z, np.zeros(50))


def test_without_noise_the_holes_are_hit():
    X, y = datasets.sine(12)
    mean, std = Kriging(Matern(0.7, 1.5), noise=0).fit(X, y).predict(X, return_std=True)
    np.testing.assert_allclose(mean, y, rtol=1e-9)
    assert std.max() < 1e-6


def test_nothing_is_predicted_before_fit():
    for call in (lambda m: m.predict(Z, True), lambda m: m.posterior(Z), lambda m: m.sample(Z)):
        with pytest.raises(NotFittedError, match=r"^This Kriging is not fitted yet; call fit\(X, y\) first\.$"):
            call(Kriging())


def test_draws_are_counted_in_whole_numbers_and_y_is_one_column():
    model, _ = pair("gaussian")
    with pytest.raises(ValueError, match="n must be a whole number ≥ 1, got 0"):
        model.sample(Z, 0)
    with pytest.raises(ValueError, match="random_state must be a whole number"):
        model.sample(Z, random_state=-1)
    with pytest.warns(DataConversionWarning):
        Kriging().fit(Z, Z)
    with pytest.raises(ValueError, match="y must hold one number for each of the 41 points"):
        Kriging().fit(Z, np.hstack([Z, Z]))


def test_texts_have_a_mean_a_deviation_and_draws():
    words, y = ["cat", "cart", "gold", "golden", "old", "bold"], [0, 0, 1.0, 1, 0.8, 0.7]
    model = Kriging(Normalized(Substrings(2)), 0.05).fit(words, y)
    mean, std = model.predict(["golds", "zz"], return_std=True)
    assert mean[0] > 0.7 and mean[1] == 0 and 0 < std[0] < 0.7 and model.sample(["golds"], 3).shape == (3, 1)
    with pytest.raises(TypeError, match="center=True needs vectors"):
        Kriging(Normalized(Substrings(2)), center=True).fit(words, y)


def test_a_gram_matrix_alone_gives_no_deviation_elsewhere():
    X, y = datasets.sine(8)
    K, rows = Gaussian(1.0)(X), Gaussian(1.0)(Z[:3], X)
    model, points = Kriging(Precomputed()).fit(K, y), Kriging(Gaussian(1.0)).fit(X, y)
    np.testing.assert_allclose(model.predict(rows), points.predict(Z[:3]))
    for some in (rows, K):  # a new point may look like a training point to all of them
        for ask in (lambda of: model.predict(of, return_std=True), model.posterior):
            with pytest.raises(ValueError, match=r"k\(z, z\) of new points is needed"):
                ask(some)
