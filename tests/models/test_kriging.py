"""Kriging: scikit-learn's Gaussian process, kernel ridge's mean, draws, and what is refused."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor, kernels as theirs

from kernelkit import (
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
from kernelkit.models.kriging import root
from kernelkit.models.reading import DataConversionWarning

RBF, FACTOR = theirs.RBF, theirs.ConstantKernel
SAME = {
    "gaussian": (Gaussian(0.7), RBF(0.7)),
    "scaled": (2.5 * Gaussian(0.7), FACTOR(2.5) * RBF(0.7)),
    "matern": (Matern(0.9, 1.5), theirs.Matern(0.9, nu=1.5)),
    "rational quadratic": (RationalQuadratic(0.8, 0.6), theirs.RationalQuadratic(0.8, 0.6)),
    "trend and season": (Linear() + Periodic(1.2, 1.5), theirs.DotProduct(1e-9) + theirs.ExpSineSquared(1.2, 1.5)),
}
Z = np.linspace(-4, 4, 41)[:, None]


# ---- the same numbers as elsewhere ----------------------------------------------------------------


@pytest.mark.parametrize(("k", "same"), SAME.values(), ids=SAME)
def test_mean_covariance_and_evidence_are_scikit_learn_s(k, same):
    X, y = datasets.sine(40)
    ours, peer = Kriging(k, 0.02).fit(X, y), GaussianProcessRegressor(same, alpha=0.02, optimizer=None).fit(X, y)
    (mean, covariance), (m, C) = ours.posterior(Z), peer.predict(Z, return_cov=True)
    np.testing.assert_allclose(mean, m, rtol=1e-8, atol=1e-8 * np.abs(m).max())
    np.testing.assert_allclose(covariance, C, rtol=1e-8, atol=1e-8 * np.abs(C).max())
    assert ours.log_marginal_likelihood_ == pytest.approx(peer.log_marginal_likelihood(), rel=1e-8)
    also, std = ours.predict(Z, return_std=True)
    np.testing.assert_allclose(also, mean, rtol=1e-12)
    np.testing.assert_allclose(std**2, covariance.diagonal(), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("center", [False, True])
def test_the_mean_is_kernel_ridge_with_lam_the_noise(center):
    X, y = datasets.sine(40)
    y = y + 5
    ridge = KernelRidge(Gaussian(0.7), 0.02, center=center).fit(X, y)
    kriging = Kriging(Gaussian(0.7), 0.02, center=center).fit(X, y)
    np.testing.assert_allclose(kriging.a_, ridge.a_, rtol=1e-9)
    for mean in (kriging.predict(Z), kriging.predict(Z, return_std=True)[0], kriging.posterior(Z)[0]):
        np.testing.assert_allclose(mean, ridge.predict(Z), rtol=1e-9)


# ---- draws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e100])
def test_draws_have_the_posterior_s_mean_and_covariance_in_any_unit_of_y(unit):
    X, y = datasets.sine(40)
    model = Kriging(unit**2 * Gaussian(0.7), noise=0.02 * unit**2).fit(X, unit * y)
    mean, covariance = model.posterior(Z)
    draws = model.sample(Z, 4000, random_state=0)
    assert draws.shape == (4000, 41)
    np.testing.assert_allclose(draws.mean(axis=0) / unit, mean / unit, atol=0.06)
    np.testing.assert_allclose(np.cov(draws.T / unit), covariance / unit**2, atol=0.06)


def test_draws_follow_their_seed():
    model = Kriging().fit(*datasets.sine(40))
    one, same, other = (model.sample(Z, 2, random_state=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.01
    np.testing.assert_array_equal(model.sample(Z, 2, random_state=np.random.default_rng(3)), one)
    assert np.isfinite(model.sample(np.zeros((5, 1)))).all()  # the same place five times


def test_a_covariance_that_rounding_has_drawn_below_0_has_a_root():
    R = root(np.diag([1.0, -3e-9]))
    np.testing.assert_allclose(R @ R.T, np.diag([1.0, 0.0]), atol=2e-8)


def test_texts_have_a_mean_a_deviation_and_draws():
    words, y = ["cat", "cart", "gold", "golden", "old", "bold"], [0, 0, 1.0, 1, 0.8, 0.7]
    model = Kriging(Normalized(Substrings(2)), 0.05).fit(words, y)
    mean, std = model.predict(["golds", "zz"], return_std=True)
    assert mean[0] > 0.7 and mean[1] == 0 and 0 < std[0] < 0.7 and model.sample(["golds"], 3).shape == (3, 1)


# ---- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [-0.1, np.nan, np.inf])
def test_a_negative_noise_is_refused(noise):
    for call in (Kriging(noise=noise).fit, Kriging(noise=noise).tuned):
        with pytest.raises(ValueError, match=r"^noise must be a finite number ≥ 0, got"):
            call([[0.0]], [1.0])


def test_a_variance_beyond_any_float_is_refused():
    model = Kriging(Linear()).fit([[1.0]], [1.0])
    for call in (model.posterior, model.sample, lambda Z: model.predict(Z, return_std=True)):
        with pytest.raises(ValueError, match="k overflows: scale the inputs"):
            call([[1e200], [2e200]])


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


def test_draws_are_counted_in_whole_numbers_and_y_is_one_column():
    model = Kriging().fit(Z, Z[:, 0])
    with pytest.raises(ValueError, match="n must be a whole number ≥ 1, got 0"):
        model.sample(Z, 0)
    with pytest.raises(ValueError, match="random_state must be a whole number"):
        model.sample(Z, random_state=-1)
    with pytest.warns(DataConversionWarning):
        model.fit(Z, Z)
    with pytest.raises(ValueError, match="y must hold one number for each of the 41 points"):
        model.fit(Z, np.hstack([Z, Z]))
    with pytest.raises(TypeError, match="center=True needs vectors"):
        Kriging(Substrings(2), center=True).fit(["cat", "cart"], [0, 1])
