"""What notebook 04 says, proved anew, row by row of the topics in A2."""

from math import comb

import numpy as np
import pytest
from notebook_cells import defined_by
from panels import state_of
from scipy.optimize import minimize
from scipy.stats import poisson
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.neighbors import KNeighborsClassifier

from kernelkit import (
    Centres,
    FromFeatures,
    Gaussian,
    KernelRidge,
    Linear,
    PrimalRidge,
    datasets,
)
from kernelkit.course.explorers import gaussian_kernel as explore
from kernelkit.kernels import Bell, Conjugate

NOTEBOOK = "04-gaussian-kernel.ipynb"
GRID = np.linspace(-3, 3, 301)[:, None]


def points(n, d, seed=0, reach=1.0):
    return reach * np.random.default_rng(seed).uniform(-1, 1, (n, d))


# ---- 4.1, 4.2: the infinite features ---------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_without_the_2_a_gaussian_is_narrower_by_the_root_of_2(sigma):
    X = points(9, 2, reach=3.0)
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(Gaussian(sigma / np.sqrt(2))(X), np.exp(-squared / sigma**2))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_features_multiply_to_the_kernel_and_their_vector_has_length_1(d):
    X, k = points(9, d), Gaussian(0.9)
    Phi = k.feature_map(degree=18)(X)
    assert Phi.shape[1] == comb(d + 18, 18)
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(Phi @ Phi.T, np.exp(-squared / (2 * 0.9**2)), atol=1e-6)
    np.testing.assert_allclose((Phi**2).sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0, 4.0, 8.0])
def test_the_terms_at_z_equal_to_x_are_poisson_probabilities_and_the_rule_of_thumb_is_near(ratio):
    terms = Gaussian(1.0).feature_map(degree=60)(ratio) ** 2
    np.testing.assert_allclose(terms, poisson.pmf(np.arange(61), ratio**2), atol=1e-12)
    needed = poisson.ppf(0.999, ratio**2) + 1
    assert ratio**2 + 3 * ratio <= needed <= ratio**2 + 3 * ratio + 4


@pytest.mark.parametrize("missing", [0.1, 1e-3, 1e-6])
def test_the_cell_counts_the_terms_as_poisson_quantiles(missing):
    needed = defined_by(NOTEBOOK, "cell-14")["terms_needed"]
    for ratio in (0.5, 1, 1.2, 2, 3.4, 4, 8):
        assert needed(ratio, missing) == poisson.ppf(1 - missing, ratio**2) + 1
    assert needed(2.4 / 0.7, 1e-3) == 25, "for the outermost of the five points"


def test_25_features_give_the_kernel_of_each_pair_of_the_five_points_to_a_thousandth():
    X = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]])
    for degree, enough in ((24, True), (23, False)):
        Phi = Gaussian(0.7).feature_map(degree=degree)(X)
        assert (np.abs(Phi @ Phi.T - np.exp(-((X - X.T) ** 2) / (2 * 0.7**2))).max() < 1e-3) is np.bool_(enough)


def test_the_bound_of_three_terms_at_1_2_is_a_geometric_series():
    first = np.exp(-1.44) * 1.44**3 / 6
    assert first == pytest.approx(0.1179, abs=5e-5) and first / (1 - 1.44 / 4) == pytest.approx(0.1842, abs=5e-5)
    assert Gaussian(1.0).feature_map(degree=2).remainder(1.2, 1.2) == pytest.approx(first / (1 - 1.44 / 4))


@pytest.mark.parametrize("degree", [1, 2, 3, 6])
def test_the_series_in_the_distance_leaves_the_range_of_a_kernel_and_ours_never_does(degree):
    X = np.array([[0.0], [5.0]])
    j = np.arange(degree + 1)
    in_r2 = np.sum((-12.5) ** j / np.cumprod(np.maximum(j, 1)))
    Phi = Gaussian(1.0).feature_map(degree=degree)(X)
    assert abs(in_r2) > 1 and np.linalg.eigvalsh([[1, in_r2], [in_r2, 1]])[0] < 0
    assert np.linalg.eigvalsh(Phi @ Phi.T)[0] > -1e-12


def test_polynomial_kernels_reach_the_gaussian_like_one_over_p():
    X = points(20, 3)
    gaps = []
    for p in (100, 200, 400):
        k_p = Conjugate(Bell(1.0), (1 / p * Linear() + 1) ** p)
        gaps.append(np.abs(k_p(X) - np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)).max())
    assert np.divide(gaps[:-1], gaps[1:]) == pytest.approx([2, 2], rel=0.05)


# ---- 4.3, 4.4: a sum of bumps: smooth, and 0 far away ----------------------------------------


def test_the_sum_of_the_cell_is_the_matrix_of_kernelkit_times_a():
    cell = defined_by(NOTEBOOK, "cell-39")
    bumps = Gaussian(cell["sigma"])(GRID, cell["X"]) @ cell["a"]
    np.testing.assert_allclose(cell["h"](GRID[:, 0]), bumps, atol=1e-12)


def test_a_positive_target_can_need_a_valley():
    cell = defined_by(NOTEBOOK, "cell-39")
    others = np.arange(5) != 2
    without = Gaussian(cell["sigma"])(cell["X"][2], cell["X"][others]) @ cell["a"][others]
    assert cell["y"][2] > 0 > cell["a"][2] and without == pytest.approx(0.84, abs=0.005)


def test_h_and_its_slope_have_no_jumps_and_nearest_neighbours_have():
    X, a, sigma = np.array([[-2.5], [-0.9], [0.9], [2.6]]), np.array([1.2, -1.0, 1.6, -0.7]), 0.5
    fine, finer = (np.linspace(-4, 4, n)[:, None] for n in (2001, 20001))

    def largest_step(g):
        return np.array([np.abs(np.diff(g(z))).max() for z in (fine, finer)])

    def h(z):
        return Gaussian(sigma)(z, X) @ a

    def slope(z):
        return (Gaussian(sigma)(z, X) * (X[:, 0] - z) / sigma**2) @ a

    middle = (fine[1:] + fine[:-1]) / 2
    np.testing.assert_allclose(np.diff(h(fine)) / np.diff(fine[:, 0]), slope(middle), atol=1e-4)
    for g in (h, slope):
        before, after = largest_step(g)
        assert before / after == pytest.approx(10, rel=0.01)
    before, after = largest_step(lambda z: a[np.argsort(np.abs(z - X[:, 0]), axis=1)[:, :2]].mean(axis=1))
    assert before == after > 0.1


def test_four_centres_in_the_plane_under_a_small_and_a_large_width():
    X, Z = np.array([[-1.4, 1.1], [-1.2, -1.3], [1.3, -1.1], [1.4, 1.2]]), points(2000, 2, reach=3.0)
    nearest = np.linalg.norm(Z[:, None] - X, axis=2).argmin(axis=1)
    for a in np.array([[1.0, -0.8, 0.9, -0.5], [1.0, 0.8, -0.9, -0.9]]):
        narrow, wide = (Gaussian(sigma)(Z, X) @ a for sigma in (0.2, 10.0))
        assert np.mean(np.sign(narrow) == np.sign(a[nearest])) > 0.99, "the nearest centre outweighs the others"
        if a.sum() > 0.1:
            assert (wide > 0).all()
        else:
            assert np.mean(np.sign(wide) == np.sign(Z @ (a @ X) - a @ (X**2).sum(axis=1) / 2)) > 0.99, "a line"


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_far_from_the_data_a_gaussian_says_0_and_a_polynomial_grows_like_its_highest_power(p):
    X, y = datasets.sine(25, 0.2)
    far = np.array([[1000.0], [2000.0]])
    assert np.abs(KernelRidge(Gaussian(0.8), 0.01).fit(X, y).predict([[8.0], [16.0], [-9.0]])).max() < 1e-6
    one, two = KernelRidge((1 / 9 * Linear() + 1) ** p, 0.01).fit(X, y).predict(far)
    assert two / one == pytest.approx(2**p, rel=0.02)


# ---- 4.4: votes ------------------------------------------------------------------------------


def test_ten_copies_share_one_hill_but_vote_ten_times():
    X, y = np.append(np.zeros(10), 1.5)[:, None], np.append(np.ones(10), -1)
    model = KernelRidge(Gaussian(1.0), lam=0.1).fit(X, y)
    assert np.ptp(model.a_[:10]) < 1e-9 and model.a_[:10].sum() < 2
    r = np.exp(-(1.5**2) / 2)
    once = np.linalg.solve([[1 + 0.1 / 10, r], [r, 1 + 0.1]], [1, -1])  # one point that counts ten times
    np.testing.assert_allclose([model.a_[:10].sum(), model.a_[-1]], once, atol=1e-9)
    K = np.exp(-((X - X.T) ** 2) / 2)
    assert (K @ y)[-1] / K[-1].sum() > 0.4 and model.predict([[1.5]])[0] < -0.8


@pytest.mark.parametrize(("n", "height"), [(1, 0.91), (10, 0.99)])
def test_copies_of_one_point_share_a_hill(n, height):
    a = KernelRidge(Gaussian(1.0), lam=0.1).fit(np.zeros((n, 1)), np.ones(n)).a_
    assert a == pytest.approx([1 / (n + 0.1)] * n) and a.sum() == pytest.approx(height, abs=0.005)


def test_the_loudest_voter_is_near_for_the_gaussian_and_far_for_the_linear_kernel():
    (X, _), z = datasets.half_planes(30), np.array([1.0, 0.6])
    away = np.linalg.norm(X - z, axis=1)
    assert away[Gaussian(0.6)(z, X).argmax()] == away.min() < 0.2
    assert away[np.abs(X @ z).argmax()] == pytest.approx(2.1, abs=0.05)


@pytest.mark.parametrize(("name", "noise"), [("moons", 0.4), ("rings", 0.3), ("crossing", 0.5)])
def test_soft_vote_trained_h_and_five_nearest_agree_on_most_points_but_not_on_all(name, noise):
    make = getattr(datasets, name)
    (X, y), (Z, _) = make(100, noise), make(1000, noise, random_state=1)
    K = np.exp(-((Z[:, None] - X) ** 2).sum(axis=2) / (2 * 0.6**2))
    answers = [
        np.sign(K @ y / K.sum(axis=1)),
        np.sign(KernelRidge(Gaussian(0.6), lam=1.0).fit(X, y).predict(Z)),
        KNeighborsClassifier(5).fit(X, y).predict(Z),
    ]
    for i, one in enumerate(answers):
        for other in answers[:i]:
            assert 0.85 < np.mean(one == other) < 0.98


# ---- 4.4: what σ does ------------------------------------------------------------------------


def path(h):
    return np.abs(np.diff(h)).sum()


def test_a_gaussian_is_calmer_than_a_high_degree_unless_it_is_narrow():
    X, y = datasets.sine(25, 0.2)
    truth = path(np.sin(2 * GRID[:, 0]))

    def path_of(k, lam=0.01):
        return path(KernelRidge(k, lam).fit(X, y).predict(GRID))

    degrees = {p: path_of((1 / 9 * Linear() + 1) ** p) for p in (10, 14, 20)}
    widths = {s: path_of(Gaussian(s)) for s in (0.1, 0.5, 0.8, 1.2)}
    assert max(widths[0.5], widths[0.8], widths[1.2], degrees[10]) < truth < min(degrees[14], degrees[20], widths[0.1])
    assert all(5.95 < path_of(Gaussian(s)) < 6.75 for s in np.arange(0.5, 1.25, 0.1))
    assert path_of((1 / 9 * Linear() + 1) ** 14, 1e-4) < truth < path_of(Gaussian(0.3), 1e-4)
    shown = state_of(explore.wiggle, sigma=0.3, lam=1e-4)
    assert [shown.gaussian.path, shown.polynomial.path] == pytest.approx([21.9, 7.3], abs=0.05)


def test_leave_one_out_cannot_see_beyond_the_last_point():
    shown = state_of(explore.wiggle, "σ too wide")
    truth, last = np.sin(2 * GRID[:, 0]), shown.X.max()
    among = GRID[:, 0] <= last
    missed = [
        np.abs(KernelRidge(k, 0.01).fit(shown.X, shown.y).predict(GRID) - truth)
        for k in ((1 / 9 * Linear() + 1) ** 14, Gaussian(3.0))
    ]
    assert shown.polynomial.left_out < shown.gaussian.left_out
    assert missed[0][among].mean() < missed[1][among].mean() and missed[0][~among].mean() > missed[1][~among].mean()


def test_a_wider_gaussian_has_more_bias_and_less_variance():
    X, _ = datasets.sine(30)
    Y = np.sin(2 * X) + 0.3 * np.random.default_rng(7).standard_normal((30, 60))
    bias, variance = {}, {}
    for sigma in (0.1, 0.3, 0.6, 1.2, 1.8, 2.4):
        fits = TheirRidge(alpha=0.01, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(X, Y).predict(GRID)
        np.testing.assert_allclose(KernelRidge(Gaussian(sigma), 0.01).fit(X, Y).predict(GRID), fits, atol=1e-6)
        bias[sigma] = np.mean((fits.mean(axis=1) - np.sin(2 * GRID[:, 0])) ** 2)
        variance[sigma] = fits.var(axis=1).mean()
    assert bias[2.4] > bias[1.8] > 5 * max(bias[0.3], bias[0.6], bias[1.2])
    assert (np.diff(list(variance.values())) < 0).all()
    assert bias[0.1] > 5 * bias[0.6]  # between the points h falls back to 0


def test_far_below_the_gaps_the_bias_is_the_curve_itself_and_the_variance_is_small():
    X, _ = datasets.sine(30)
    Y = np.sin(2 * X) + 0.3 * np.random.default_rng(7).standard_normal((30, 60))
    squared = np.mean(np.sin(2 * GRID) ** 2)
    between = np.abs(GRID - X[:, 0]).min(axis=1) > 0.05
    fits = KernelRidge(Gaussian(0.01), 0.01).fit(X, Y).predict(GRID[between])
    assert np.abs(fits).max() < 1e-3 and squared == pytest.approx(0.52, abs=0.005)
    flat = KernelRidge(Gaussian(1000.0), 0.01).fit(X, Y).predict(GRID)
    np.testing.assert_allclose(flat, np.broadcast_to(Y.sum(axis=0) / 30.01, flat.shape), atol=0.02)


def test_the_five_points_under_every_width():
    X, y = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]]), np.array([-0.6, 0.9, 0.2, 1.2, -0.7])
    halfway = (X[1:] + X[:-1]) / 2
    narrow, wide = (KernelRidge(Gaussian(sigma), 0.001).fit(X, y) for sigma in (0.1, 100))
    np.testing.assert_allclose(narrow.predict(X), y / 1.001, atol=1e-6)
    assert np.abs(narrow.predict(halfway)).max() < 0.005
    np.testing.assert_allclose(wide.predict(np.vstack([X, halfway])), y.sum() / 5.001, atol=0.015)
    joined = [KernelRidge(Gaussian(sigma), 0.001).fit(X, y).predict(halfway)[1] for sigma in (0.7, 1.1)]
    assert joined == pytest.approx([0.57, 0.51], abs=0.005) and y[2] < min(joined) < max(joined) < y[1]
    for sigma in (0.1, 0.7, 1.1, 100):
        assert abs(KernelRidge(Gaussian(sigma), 0.001).fit(X, y).predict([[20 * sigma + 3]])[0]) < 1e-6


def test_a_penalty_fills_the_dip_before_it_flattens_the_peaks():
    X, y = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]]), np.array([-0.6, 0.9, 0.2, 1.2, -0.7])
    small, larger, large = (KernelRidge(Gaussian(1.1), lam).fit(X, y).predict(X) for lam in (0.001, 0.1, 1.0))
    assert [small[2], larger[2]] == pytest.approx([0.21, 0.48], abs=0.005)
    assert (larger[[1, 3]] > 0.5 * y[[1, 3]]).all()
    assert large[0] < large[1] < large[2] > large[3] > large[4] and large.max() < 0.5


def test_of_two_points_the_penalty_flattens_the_wiggle_first():
    for sigma, calm, wiggle in ((0.7, 0.56, 0.41), (2.0, 0.65, 0.12)):
        k = np.exp(-(1.1**2) / (2 * sigma**2))
        kept = [np.linalg.solve([[2, k], [k, 2]], v) @ [[1, k], [k, 1]] @ v / 2 for v in ([1, 1], [1, -1])]
        assert kept == pytest.approx([calm, wiggle], abs=0.005)
    X = np.array([[0.0], [1.1]])
    basis = [PrimalRidge(Centres(X, 0.7), 1.0).fit(X, v).predict(X) @ v / 2 for v in ([1, 1], [1, -1])]
    assert basis == pytest.approx([0.625, 0.335], abs=0.001)


def test_left_out_errors_of_the_cell_are_those_of_thirty_fits_and_of_kernelkit():
    cell = defined_by(NOTEBOOK, "leave-one-out-code")
    X, y, k, lam, left_out = (cell[name] for name in ("X", "y", "k", "lam", "left_out"))
    for i in range(30):
        rest = np.arange(30) != i
        missed = y[i] - KernelRidge(k, lam).fit(X[rest], y[rest]).predict(X[[i]])[0]
        assert left_out[i] == pytest.approx(missed)
    np.testing.assert_allclose(KernelRidge(k).leave_one_out(X, y, [lam])[0], left_out)


@pytest.mark.parametrize(("n", "dips"), [(30, 2), (120, 1)])
def test_the_valley_of_the_left_out_error_has_two_dips_for_few_points(n, dips):
    X, y = datasets.sine(n, 0.3)
    errors = np.array(
        [np.mean(KernelRidge(Gaussian(s)).leave_one_out(X, y, [0.01]) ** 2) for s in np.logspace(-1, 0.6, 40)]
    )
    inner = errors[1:-1]
    assert np.sum((inner < errors[:-2]) & (inner < errors[2:])) == dips


# ---- 4.5: basis or kernel --------------------------------------------------------------------


def test_basis_and_kernel_minimise_what_they_say_and_differ():
    X, y = datasets.sine(12, 0.2)
    B, lam = np.exp(-((X - X.T) ** 2) / (2 * 0.5**2)), 1.0

    def heights(penalty):
        def total(w):
            return np.sum((B @ w - y) ** 2) + lam * w @ penalty @ w

        return minimize(total, np.zeros(12), method="BFGS", options={"gtol": 1e-9}).x

    Z = np.linspace(-3, 3, 20)[:, None]
    basis = PrimalRidge(Centres(X, 0.5), lam).fit(X, y).predict(Z)
    kernel = KernelRidge(Gaussian(0.5), lam).fit(X, y).predict(Z)
    bumps = np.exp(-((Z - X.T) ** 2) / (2 * 0.5**2))
    np.testing.assert_allclose(basis, bumps @ heights(np.eye(12)), atol=1e-5)
    np.testing.assert_allclose(kernel, bumps @ heights(B), atol=1e-5)
    assert np.abs(basis - kernel).max() > 0.05


def test_both_predictions_of_the_cell_are_those_of_kernelkit():
    cell, Z = defined_by(NOTEBOOK, "cell-62"), [[-2.0], [0.0], [2.0]]
    X, y, lam = cell["X"], cell["y"], cell["lam"]
    np.testing.assert_allclose(PrimalRidge(Centres(X, 0.5), lam).fit(X, y).predict(Z), cell["basis"], atol=1e-9)
    np.testing.assert_allclose(KernelRidge(Gaussian(0.5), lam).fit(X, y).predict(Z), cell["kernel"], atol=1e-9)


def test_on_an_eigenvector_the_basis_keeps_one_share_and_the_kernel_another():
    X, _ = datasets.sine(12, 0.2)
    kappa, U = np.linalg.eigh(Gaussian(0.5)(X))
    for lam in (0.1, 3.0):
        basis = PrimalRidge(Centres(X, 0.5), lam).fit(X, U).predict(X)
        kernel = KernelRidge(Gaussian(0.5), lam).fit(X, U).predict(X)
        np.testing.assert_allclose(basis, U * (kappa**2 / (kappa**2 + lam)), atol=1e-6)
        np.testing.assert_allclose(kernel, U * (kappa / (kappa + lam)), atol=1e-6)


@pytest.mark.parametrize("name", ["sine", "cubic", "step"])
def test_each_with_its_own_penalty_they_do_about_equally_well(name):
    data, lams, errors = getattr(datasets, name), np.logspace(-4, 2, 25), []
    for seed in range(10):
        (X, y), (Z, truth) = data(40, 0.3, seed), data(200, 0.0, 100 + seed)
        for k in (FromFeatures(Centres(X, 0.8)), Gaussian(0.8)):
            best = np.mean(KernelRidge(k).leave_one_out(X, y, lams) ** 2, axis=1).argmin()
            errors.append(np.sqrt(np.mean((KernelRidge(k, lams[best]).fit(X, y).predict(Z) - truth) ** 2)))
    assert np.mean(errors[::2]) == pytest.approx(np.mean(errors[1::2]), rel=0.1)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_a_gaussian_gram_matrix_of_different_points_has_full_rank_and_fits_any_targets(d):
    X, y = points(30, d, reach=3.0), np.random.default_rng(1).choice([-1.0, 1.0], 30)
    sigma = 0.5 * np.median(np.sort(np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)), axis=1)[:, 1])
    K = Gaussian(sigma)(X)
    assert np.linalg.matrix_rank(K) == 30
    np.testing.assert_allclose(KernelRidge(Gaussian(sigma), lam=1e-12).fit(X, y).predict(X), y, atol=1e-4)
    for p in (1, 2, 3):
        assert np.linalg.matrix_rank(((X @ X.T) + 1) ** p) == min(30, comb(d + p, p))
