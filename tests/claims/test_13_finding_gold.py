"""Notebook 13 says that kernelkit's versions give the numbers of its own cells: they do, for other data too."""

import numpy as np
import pytest
from notebook_cells import defined_by
from scipy.stats import norm

from kernelkit import Gaussian, KernelRidge, Kriging, Linear, Matern, Periodic
from kernelkit.course.explorers.finding_gold import evidence as panel
from kernelkit.study.drilling import drill, expected_improvement

NOTEBOOK = "13-finding-gold.ipynb"
KERNELS = [Gaussian(0.8), Matern(1.0, 1.5) + 1, 2 * Periodic(1.0, period=2.0) + Linear()]


def holes(n=9):
    rng = np.random.default_rng(n)
    return rng.uniform(-3, 3, (n, 1)), rng.standard_normal(n), np.linspace(-4, 4, 30)[:, None]


@pytest.mark.parametrize("noise", [0.01, 0.5])
@pytest.mark.parametrize("k", KERNELS, ids=str)
def test_conditioning_is_kriging_and_its_mean_is_ridge(k, noise):
    X, y, Z = holes()
    mean, covariance = defined_by(NOTEBOOK, "c04", "c07", "c10")["condition"](k, noise, X, y, Z)
    m, C = Kriging(k, noise).fit(X, y).posterior(Z)
    np.testing.assert_allclose(m, mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(C, covariance, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(KernelRidge(k, noise).fit(X, y).predict(Z), mean, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("noise", [0.01, 0.5])
@pytest.mark.parametrize("k", KERNELS, ids=str)
def test_the_evidence_is_what_kriging_keeps(k, noise):
    X, y, _ = holes()
    evidence = defined_by(NOTEBOOK, "c23")["evidence"](k(X), y, noise)
    assert Kriging(k, noise).fit(X, y).log_marginal_likelihood_ == pytest.approx(evidence, rel=1e-9)


def test_from_the_same_first_hole_the_hunt_is_drill():
    space = defined_by(NOTEBOOK, "c04", "c07", "c12", "c33")
    for seed, truth in enumerate(space["grounds"][:3]):
        found = drill(Kriging(Gaussian(0.15), 1e-4), space["places"], truth, "expected improvement", random_state=seed)
        assert space["hunt"](truth, int(found.places[0])) == found.places.tolist()


def test_the_parts_of_a_sum_of_kernels_add_up_to_the_prediction():
    X, y, Z = holes()
    for one, other in ((Linear(), Periodic(1.0, period=1.0)), (Gaussian(0.3), Gaussian(2.0))):
        model = Kriging(one + other, noise=0.04).fit(X, y)
        np.testing.assert_allclose(one(Z, X) @ model.a_ + other(Z, X) @ model.a_, model.predict(Z), rtol=1e-9)


# ---- the small cases that the text works out by hand --------------------------------------------


def one_place(sigma, distance):
    return float(Gaussian(sigma)([0.0], [distance]))


def test_one_hole_gives_the_guess_rho_y_and_the_variance_one_minus_rho_squared():
    condition = defined_by(NOTEBOOK, "c04", "c07", "c10")["condition"]
    hole, places = np.array([[0.0]]), np.array([[0.47], [1.5]])
    mean, covariance = condition(Gaussian(0.7), 0.0, hole, np.array([2.1]), places)
    rho = np.array([one_place(0.7, 0.47), one_place(0.7, 1.5)])
    assert rho.round(2).tolist() == [0.80, 0.10]
    np.testing.assert_allclose(mean, 2.1 * rho)
    np.testing.assert_allclose(covariance.diagonal(), 1 - rho**2)
    assert mean.round(2).tolist() == [1.68, 0.21] and round(float(np.sqrt(covariance[0, 0])), 2) == 0.60
    noisy, covariance = condition(Gaussian(0.7), 0.25, hole, np.array([2.1]), places[:1])
    assert noisy[0] == pytest.approx(1.34, abs=0.005) and covariance[0, 0] == pytest.approx(0.49, abs=0.005)
    twice = condition(Gaussian(0.7), 1e-6, np.zeros((2, 1)), np.array([2.1, 2.1]), places[:1])[0]
    assert twice[0] == pytest.approx(mean[0], rel=1e-5), "a hole that repeats its neighbour does not count twice"


def test_a_prior_that_is_too_narrow_or_too_wide_pays_for_it_in_its_evidence():
    """The table of four priors, and the two holes that agree or disagree."""
    terms = defined_by(NOTEBOOK, "c04", "c23")["terms"]
    table = {
        0.25: (-8.82, 0.69, -0.92, -9.05),
        1: (-2.21, 0, -0.92, -3.12),
        4: (-0.55, -0.69, -0.92, -2.16),
        100: (-0.02, -2.30, -0.92, -3.24),
    }
    for variance, row in table.items():
        found = terms(np.array([[variance]]), np.array([2.1]), 0.0)
        np.testing.assert_allclose([*found, sum(found)], row, atol=0.0055)
    for rho, y, expected in ((0, 1, (-1, 0)), (0.8, 1, (-0.56, 0.51)), (0.8, -1, (-5, 0.51)), (0, -1, (-1, 0))):
        found = terms(np.array([[1, rho], [rho, 1]]), np.array([1.0, y]), 0.0)
        np.testing.assert_allclose(found[:2], expected, atol=0.005)


@pytest.mark.parametrize(("scene", "restraint"), [(None, 23.9), ("Narrow bumps", 7.1), ("All is noise", 7.9)])
def test_a_prior_that_allows_nearly_every_sample_has_little_restraint(scene, restraint):
    found = panel.compute(**panel.start() | (panel.scenes[scene] if scene else {})).terms[1]
    assert round(float(found), 1) == restraint


@pytest.mark.parametrize(("sigma", "inside"), [(2.0, 0.53), (0.3, 0.98), (0.7, 0.95)])
def test_one_hole_keeps_its_promise_with_the_right_width_alone(sigma, inside):
    rho, believed = one_place(0.7, 0.47), one_place(sigma, 0.47)
    truly = np.sqrt(1 - 2 * believed * rho + believed**2)
    reach = 1.96 * np.sqrt(1 - believed**2) / truly
    assert 2 * norm.cdf(reach) - 1 == pytest.approx(inside, abs=0.005)


@pytest.mark.parametrize(
    ("scale", "noise", "reach", "inside"), [(0.25, 0, 0.98, 0.67), (1, 0.25, 1.63, 0.90), (4, 0, 3.92, 1)]
)
def test_a_wrong_scale_or_a_noise_left_out_breaks_the_promise_too(scale, noise, reach, inside):
    """One hole at the correlation 0.8: we believe in this scale and in no noise, and the truth has the scale 1."""
    rho = 0.8
    guess = scale * rho / scale
    believed, truly = scale * (1 - rho**2), 1 - 2 * guess * rho + guess**2 * (1 + noise)
    found = 1.96 * np.sqrt(believed / truly)
    assert found == pytest.approx(reach, abs=0.005)
    assert 2 * norm.cdf(found) - 1 == pytest.approx(inside, abs=0.005)


def test_a_matrix_with_a_negative_eigenvalue_cannot_be_a_covariance():
    K, difference = np.array([[1, 1.2], [1.2, 1]]), np.array([1.0, -1.0])
    assert difference @ K @ difference == pytest.approx(-0.4)
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-0.2)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(K)


def test_at_a_hole_without_noise_nothing_is_left_to_doubt():
    condition = defined_by(NOTEBOOK, "c04", "c07", "c10")["condition"]
    X, y, _ = holes(5)
    mean, covariance = condition(Gaussian(0.3), 0.0, X, y, X)
    np.testing.assert_allclose(mean, y, atol=1e-8)
    np.testing.assert_allclose(covariance, 0, atol=1e-8)


def test_the_sixth_hole_is_next_to_the_best_or_where_nothing_is_known():
    space = defined_by(NOTEBOOK, "c04", "c07")
    X, y, Z = (space[name] for name in "XyZ")
    m, s = Kriging(Gaussian(0.7), 0.01).fit(X, y).predict(Z, return_std=True)
    gain = expected_improvement(m, s, y.max())
    chosen = [float(Z[score.argmax(), 0].round(1)) for score in (m, s, m + 2 * s, gain)]
    assert chosen == [0.9, 4.0, 4.0, 0.7]
    assert gain.max() == pytest.approx(0.058, abs=5e-4) and gain[-1] == pytest.approx(0.052, abs=5e-4)
