"""Numbers that notebook 13 says and no cell prints, each computed once."""

import numpy as np
import pytest
from panels import state_of
from scipy.stats import norm

from kernelkit import Gaussian, Kriging
from kernelkit.course.explorers.finding_gold import evidence

RHO = np.exp(-(0.47**2) / (2 * 0.7**2))  # the correlation of two places 470 metres apart


def test_one_hole_gives_the_guess_rho_y_and_the_variance_one_minus_rho_squared():
    (near, far), std = Kriging(Gaussian(0.7), 1e-12).fit([[0.0]], [2.1]).predict([[0.47], [1.5]], return_std=True)
    assert np.round([RHO, near, far, std[0]], 2).tolist() == [0.80, 1.68, 0.21, 0.60]
    assert (near, std[0] ** 2) == pytest.approx((2.1 * RHO, 1 - RHO**2))
    mean, std = Kriging(Gaussian(0.7), 0.25).fit([[0.0]], [2.1]).predict([[0.47]], return_std=True)
    assert (mean[0], std[0] ** 2) == pytest.approx((1.34, 0.49), abs=0.005)
    twice = Kriging(Gaussian(0.7), 1e-6).fit([[0.0], [0.0]], [2.1, 2.1]).predict([[0.47]])[0]
    assert twice == pytest.approx(near, rel=1e-5), "a hole that repeats its neighbour does not count twice"


@pytest.mark.parametrize(
    ("variance", "fit", "restraint", "total"),
    [(0.25, -8.82, 0.69, -9.05), (1, -2.21, 0, -3.12), (4, -0.55, -0.69, -2.16), (100, -0.02, -2.30, -3.24)],
)
def test_a_prior_that_is_too_narrow_or_too_wide_pays_for_it_in_its_evidence(variance, fit, restraint, total):
    """The table of four priors of one value 2.1."""
    terms = -(2.1**2) / (2 * variance), -np.log(variance) / 2, -np.log(2 * np.pi) / 2
    np.testing.assert_allclose([*terms, sum(terms)], [fit, restraint, -0.92, total], atol=0.0055)
    model = Kriging(variance * Gaussian(0.7), 0.0).fit([[0.0]], [2.1])
    assert model.log_marginal_likelihood_ == pytest.approx(sum(terms))


@pytest.mark.parametrize(("rho", "y", "fit", "restraint"), [(0, 1, -1, 0), (0.8, 1, -0.56, 0.51), (0.8, -1, -5, 0.51)])
def test_two_holes_that_agree_are_rewarded_and_two_that_disagree_are_punished(rho, y, fit, restraint):
    G, values = np.array([[1, rho], [rho, 1]]), np.array([1.0, y])
    found = -values @ np.linalg.solve(G, values) / 2, -np.log(np.linalg.det(G)) / 2
    np.testing.assert_allclose(found, [fit, restraint], atol=0.006)


@pytest.mark.parametrize(("scene", "restraint"), [(None, 23.9), ("Narrow bumps", 7.1), ("All is noise", 7.9)])
def test_a_prior_that_allows_nearly_every_sample_has_little_restraint(scene, restraint):
    assert round(float(state_of(evidence, scene).terms[1]), 1) == restraint


@pytest.mark.parametrize(("sigma", "inside"), [(2.0, 0.53), (0.3, 0.98), (0.7, 0.95)])
def test_one_hole_keeps_its_promise_with_the_right_width_alone(sigma, inside):
    believed = np.exp(-(0.47**2) / (2 * sigma**2))
    truly = np.sqrt(1 - 2 * believed * RHO + believed**2)
    reach = 1.96 * np.sqrt(1 - believed**2) / truly
    assert 2 * norm.cdf(reach) - 1 == pytest.approx(inside, abs=0.005)


@pytest.mark.parametrize(
    ("scale", "noise", "reach", "inside"), [(0.25, 0, 0.98, 0.67), (1, 0.25, 1.63, 0.90), (4, 0, 3.92, 1)]
)
def test_a_wrong_scale_or_a_noise_left_out_breaks_the_promise_too(scale, noise, reach, inside):
    """One hole at the correlation 0.8: we believe in this scale and in no noise, and the truth has the scale 1."""
    believed, truly = scale * (1 - 0.8**2), 1 - 2 * 0.8 * 0.8 + 0.8**2 * (1 + noise)
    found = 1.96 * np.sqrt(believed / truly)
    assert (found, 2 * norm.cdf(found) - 1) == pytest.approx((reach, inside), abs=0.005)


def test_a_matrix_with_a_negative_eigenvalue_cannot_be_a_covariance():
    K, difference = np.array([[1, 1.2], [1.2, 1]]), np.array([1.0, -1.0])
    assert (difference @ K @ difference, np.linalg.eigvalsh(K)[0]) == pytest.approx((-0.4, -0.2))
