"""Numbers that notebook 04 says and no cell prints, each computed once."""

import numpy as np
import pytest
from notebook_cells import defined_by
from panels import state_of
from scipy.stats import poisson

from kernelkit import Centres, Gaussian, KernelRidge, Linear, PrimalRidge, datasets
from kernelkit.course.explorers import gaussian_kernel as explore

FIVE, HEIGHTS = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]]), np.array([-0.6, 0.9, 0.2, 1.2, -0.7])
GRID = np.linspace(-3, 3, 301)[:, None]


# ---- the infinite features -----------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 4.0, 8.0])
def test_the_terms_at_z_equal_to_x_are_poisson_probabilities_and_the_rule_of_thumb_is_near(ratio):
    terms = Gaussian(1.0).feature_map(degree=60)(ratio) ** 2
    np.testing.assert_allclose(terms, poisson.pmf(np.arange(61), ratio**2), atol=1e-12)
    needed = poisson.ppf(0.999, ratio**2) + 1
    assert ratio**2 + 3 * ratio <= needed <= ratio**2 + 3 * ratio + 4


def test_so_many_terms_are_needed():
    """At |x| = 2σ, for the outermost of the five points, and then for each pair of the five."""
    assert [poisson.ppf(1 - missing, 4) + 1 for missing in (1e-3, 1e-6)] == [12, 18]
    assert defined_by("04-gaussian-kernel.ipynb", "cell-14")["terms_needed"](2.4 / 0.7, 1e-3) == 25
    K = np.exp(-((FIVE - FIVE.T) ** 2) / (2 * 0.7**2))
    missing = [np.abs(Phi @ Phi.T - K).max() for Phi in (Gaussian(0.7).feature_map(degree=p)(FIVE) for p in (23, 24))]
    assert missing[0] > 1e-3 > missing[1]


def test_the_bound_of_three_terms_at_1_2_is_a_geometric_series():
    terms = poisson.pmf(np.arange(4), 1.44)
    assert terms.round(3).tolist() == [0.237, 0.341, 0.246, 0.118] and round(1 - terms[:3].sum(), 3) == 0.176
    bound = Gaussian(1.0).feature_map(degree=2).remainder(1.2, 1.2)
    assert bound == pytest.approx(terms[3] / (1 - 1.44 / 4)) == pytest.approx(0.184, abs=5e-4)


# ---- a sum of bumps, and votes -----------------------------------------------------------------------------


def test_a_positive_target_can_need_a_valley():
    """Without its third bump the curve of the five points would be at 0.84 there."""
    a = KernelRidge(Gaussian(0.7), 0.001).fit(FIVE, HEIGHTS).a_
    others = np.arange(5) != 2
    without = (Gaussian(0.7)(FIVE[2], FIVE[others]) @ a[others]).item()
    assert HEIGHTS[2] > 0 > a[2] and without == pytest.approx(0.84, abs=0.005)


@pytest.mark.parametrize(("n", "height"), [(1, 0.91), (10, 0.99)])
def test_copies_of_one_point_share_a_hill(n, height):
    a = KernelRidge(Gaussian(1.0), lam=0.1).fit(np.zeros((n, 1)), np.ones(n)).a_
    assert a == pytest.approx([1 / (n + 0.1)] * n) and a.sum() == pytest.approx(height, abs=0.005)


def test_the_loudest_voter_is_near_for_the_gaussian_and_far_for_the_linear_kernel():
    (X, _), z = datasets.half_planes(30), np.array([1.0, 0.6])
    away, voices = np.linalg.norm(X - z, axis=1), Gaussian(0.6)(z, X)
    assert away[voices.argmax()] == away.min() < 0.2
    assert np.sort(voices)[-5:].sum() / voices.sum() == pytest.approx(0.83, abs=0.005)
    assert away[np.abs(X @ z).argmax()] == pytest.approx(2.1, abs=0.05)


# ---- what σ does -----------------------------------------------------------------------------------------------


def test_a_gaussian_is_calmer_than_a_high_degree_unless_it_is_narrow():
    """How far the fits go up and down, and the two of the panel with σ = 0.3 and λ = 0.0001."""
    X, y = datasets.sine(25, 0.2)

    def path(k):
        return np.abs(np.diff(KernelRidge(k, 0.01).fit(X, y).predict(GRID))).sum()

    assert all(5.95 < path(Gaussian(s)) < 6.75 for s in np.arange(0.5, 1.25, 0.1))
    assert [path((1 / 9 * Linear() + 1) ** p) for p in (10, 14)] == pytest.approx([6.7, 12.4], abs=0.05)
    shown = state_of(explore.wiggle, sigma=0.3, lam=1e-4)
    assert [shown.gaussian.path, shown.polynomial.path] == pytest.approx([21.9, 7.3], abs=0.05)


def test_leave_one_out_cannot_see_beyond_the_last_point():
    shown = state_of(explore.wiggle, "σ too wide")
    truth, among = np.sin(2 * GRID[:, 0]), GRID[:, 0] <= shown.X.max()
    wavy, wide = (
        np.abs(KernelRidge(k, 0.01).fit(shown.X, shown.y).predict(GRID) - truth)
        for k in ((1 / 9 * Linear() + 1) ** 14, Gaussian(3.0))
    )
    assert shown.polynomial.left_out < shown.gaussian.left_out
    assert wavy[among].mean() < wide[among].mean() and wavy[~among].mean() > wide[~among].mean()


def test_on_an_eigenvector_the_basis_keeps_one_share_and_the_kernel_another():
    X, _ = datasets.sine(12, 0.2)
    kappa, U = np.linalg.eigh(Gaussian(0.5)(X))
    for lam in (0.1, 3.0):
        basis = PrimalRidge(Centres(X, 0.5), lam).fit(X, U).predict(X)
        kernel = KernelRidge(Gaussian(0.5), lam).fit(X, U).predict(X)
        np.testing.assert_allclose(basis, U * (kappa**2 / (kappa**2 + lam)), atol=1e-6)
        np.testing.assert_allclose(kernel, U * (kappa / (kappa + lam)), atol=1e-6)
