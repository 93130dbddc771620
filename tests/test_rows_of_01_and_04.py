"""What notebooks 01 and 04 say, proved anew, row by row of the topics in 00."""

from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from scipy.stats import poisson
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import PolynomialFeatures

from kernelkit import (
    Centres,
    FromFeatures,
    Gaussian,
    KernelRidge,
    Linear,
    Monomials,
    OrderedMonomials,
    PrimalRidge,
    datasets,
)  # fmt: skip
from kernelkit.explorers.feature_maps import growth
from kernelkit.kernels import Bell, Conjugate

GRID = np.linspace(-3, 3, 301)[:, None]


def points(n, d, seed=0, reach=1.0):
    return reach * np.random.default_rng(seed).uniform(-1, 1, (n, d))


def separable(Phi, y):
    """Is there a w with y_i wᵀΦ(X_i) ≥ 1 for every i? A linear program."""
    A = -y[:, None] * Phi
    return linprog(np.zeros(A.shape[1]), A, -np.ones(len(A)), bounds=(None, None)).status == 0


# ---- 1.1, 1.5: polynomial features -----------------------------------------------------------


def test_the_design_matrix_of_four_numbers_has_their_powers_as_columns():
    x = np.array([[0.2], [-0.5], [1.0], [4.0]])
    right = [[1, 0.2, 0.04], [1, -0.5, 0.25], [1, 1, 1], [1, 4, 16]]
    np.testing.assert_allclose(Monomials(2)(x) / Monomials(2)([1.0]), right)
    np.testing.assert_allclose(np.vander(x[:, 0], 3, increasing=True), right)


def test_a_model_linear_in_w_bends_in_x():
    X, _ = datasets.cubic(30)
    y = (X[:, 0] ** 3 - 4 * X[:, 0]) / 5
    curve, line = (PrimalRidge(Monomials(p), lam=1e-12).fit(X / 3, y) for p in (3, 1))
    np.testing.assert_allclose(curve.predict(X / 3), y, atol=1e-6)
    assert np.abs(line.predict(X / 3) - y).max() > 0.5
    w, v, Phi = curve.w_, np.arange(4.0), Monomials(3)(X / 3)
    np.testing.assert_allclose(Phi @ (w + 2 * v), Phi @ w + 2 * (Phi @ v))


@pytest.mark.parametrize(("d", "p", "D"), [(2, 2, 6), (4, 3, 35), (1, 5, 6), (3, 4, 35)])
def test_the_features_are_all_products_of_at_most_p_factors(d, p, D):
    X = points(12, d)
    mine = Monomials(p)(X) / Monomials(p)(np.ones(d))
    theirs = PolynomialFeatures(p).fit_transform(X)
    assert mine.shape == theirs.shape == (12, D)
    for column in theirs.T:
        assert np.isclose(mine.T, column).all(axis=1).sum() == 1


def test_the_35_features_of_four_inputs_are_of_seven_kinds():
    kinds = {}
    for exponents in product(range(4), repeat=4):
        if sum(exponents) <= 3:
            kind = tuple(sorted(e for e in exponents if e))
            kinds[kind] = kinds.get(kind, 0) + 1
    assert kinds == {(): 1, (1,): 4, (2,): 4, (1, 1): 6, (3,): 4, (1, 2): 12, (1, 1, 1): 4}


def test_nearest_to_the_points_is_not_nearest_to_the_true_curve():
    (X, y), (Z, truth) = datasets.cubic(13, 0.3), datasets.cubic(300, 0.0, random_state=1)
    near, far = [], []
    for p in range(1, 11):
        w = np.polynomial.Polynomial.fit(X[:, 0], y, p)
        near.append(np.mean((w(X[:, 0]) - y) ** 2))
        far.append(np.mean((w(Z[:, 0]) - truth) ** 2))
    assert (np.diff(near) <= 1e-9).all() and np.argmin(far) == 2 and far[9] > 50 * far[2]


# ---- 1.2: how many features ------------------------------------------------------------------


@pytest.mark.parametrize(("d", "m"), [(2, 2), (3, 2), (4, 3), (10, 2), (5, 5)])
def test_monomials_are_counted_by_stars_and_bars(d, m):
    def listed(degree):
        return sum(1 for _ in combinations_with_replacement(range(d), degree))

    assert listed(m) == comb(d + m - 1, m) == Monomials(m, offset=0).dim(d)
    assert sum(map(listed, range(m + 1))) == comb(d + m, m) == Monomials(m).dim(d)
    assert OrderedMonomials(m).dim(d) == d**m
    assert (comb(d + m - 1, d) == listed(m)) == (d == m)  # the common slip is right for d = m alone


def test_the_numbers_that_are_quoted_and_what_they_would_fill():
    assert Monomials(4).dim(100) == 4_598_126 and OrderedMonomials(2).dim(10_000) == 10**8
    with pytest.raises(ValueError, match=r"D = 4,598,126 features here: for 1,000 points that is 36\.8 GB"):
        Monomials(4)(np.zeros((1000, 100)))


@pytest.mark.parametrize("p", [2, 3, 4])
def test_the_measured_time_of_the_features_grows_like_their_number(p):
    state = growth.compute(**growth.start() | {"p": p})
    assert len(state.seconds) >= 6 and state.whose
    slope = np.polyfit(np.log(state.cells), np.log(state.seconds), 1)[0]
    assert 0.7 < slope < 1.3


# ---- 1.3, 1.4: a change of basis -------------------------------------------------------------


def test_the_lift_turns_circles_into_planes_and_a_ring_becomes_separable():
    X, y = datasets.rings(60)
    Z = Monomials(2, offset=0)(X)
    np.testing.assert_allclose(Z, np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]))
    np.testing.assert_allclose(Z[:, 0] + Z[:, 2], (X**2).sum(axis=1))
    np.testing.assert_allclose(Z[:, 1] ** 2, 2 * Z[:, 0] * Z[:, 2])
    np.testing.assert_allclose(Monomials(2, offset=0)(-X), Z)
    assert not separable(np.column_stack([np.ones(60), X]), y)
    assert separable(np.column_stack([np.ones(60), Z]), y) and (np.sign(Z[:, 0] + Z[:, 2] - 1) == y).all()


LEAST = [("half_planes", 1), ("interval", 2), ("rings", 2), ("crossing", 2)]


@pytest.mark.parametrize(("name", "least"), LEAST)
def test_the_least_degree_at_which_a_data_set_can_be_separated(name, least):
    X, y = getattr(datasets, name)()
    assert [separable(Monomials(p)(X), y) for p in range(1, least + 1)] == [False] * (least - 1) + [True]


def test_the_moons_need_cubes():
    X, y = datasets.moons(noise=0.05)
    assert [separable(Monomials(p)(X), y) for p in (1, 2, 3)] == [False, False, True]


def test_a_convolution_is_a_feature_that_sees_the_neighbours():
    x = np.array([0.1, 0.0, 0.2, 0.1, 0.2, 0.0, 1.0, 0.9, 1.1, 1.0, 0.9, 1.0])
    slope = np.correlate(x, [-0.5, 0, 0.5], mode="valid")
    edge = np.isin(np.arange(1, 11), (5, 6))  # the two pixels beside the jump
    assert slope[edge].min() > 4 * np.abs(slope[~edge]).max() / 1.5
    for threshold in x:  # no single pixel can say it
        assert not ((x[1:-1] >= threshold) == edge).all() and not ((x[1:-1] < threshold) == edge).all()


# ---- 4.1, 4.2: the infinite features ---------------------------------------------------------


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


def test_polynomial_kernels_reach_the_gaussian_like_one_over_p():
    X = points(20, 3)
    gaps = []
    for p in (100, 200, 400):
        k_p = Conjugate(Bell(1.0), (1 / p * Linear() + 1) ** p)
        gaps.append(np.abs(k_p(X) - np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2)).max())
    assert np.divide(gaps[:-1], gaps[1:]) == pytest.approx([2, 2], rel=0.05)


# ---- 4.3, 4.4: a sum of bumps: smooth, and 0 far away ----------------------------------------


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
    once = KernelRidge(Gaussian(1.0), lam=0.1).fit([[0.0], [1.5]], [1, -1], sample_weight=[10, 1])
    Z = np.linspace(-2, 4, 30)[:, None]
    np.testing.assert_allclose(model.predict(Z), once.predict(Z), atol=1e-9)  # one point that counts ten times
    K = np.exp(-((X - X.T) ** 2) / 2)
    assert (K @ y)[-1] / K[-1].sum() > 0.4 and model.predict([[1.5]])[0] < -0.8


@pytest.mark.parametrize(("name", "noise"), [("moons", 0.4), ("rings", 0.3), ("crossing", 0.5)])
def test_soft_vote_trained_h_and_five_nearest_agree_on_most_points_but_not_on_all(name, noise):
    make = getattr(datasets, name)
    (X, y), (Z, _) = make(100, noise), make(1000, noise, random_state=1)
    K = np.exp(-((Z[:, None] - X) ** 2).sum(axis=2) / (2 * 0.6**2))
    answers = [
        np.sign(K @ y / K.sum(axis=1)), np.sign(KernelRidge(Gaussian(0.6), lam=1.0).fit(X, y).predict(Z)),
        KNeighborsClassifier(5).fit(X, y).predict(Z),
    ]  # fmt: skip
    for i, one in enumerate(answers):
        for other in answers[:i]:
            assert 0.85 < np.mean(one == other) < 0.98


# ---- 4.4: what σ does ------------------------------------------------------------------------


def path(h):
    return np.abs(np.diff(h)).sum()


def test_a_gaussian_is_calmer_than_a_high_degree_unless_it_is_narrow():
    X, y = datasets.sine(25, 0.2)
    truth = path(np.sin(2 * GRID[:, 0]))

    def path_of(k):
        return path(KernelRidge(k, 0.01).fit(X, y).predict(GRID))

    degrees = {p: path_of((1 / 9 * Linear() + 1) ** p) for p in (10, 14, 20)}
    widths = {s: path_of(Gaussian(s)) for s in (0.1, 0.5, 0.8, 1.2)}
    assert max(widths[0.5], widths[0.8], widths[1.2], degrees[10]) < truth < min(degrees[14], degrees[20], widths[0.1])


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


def test_a_point_left_out_is_missed_by_its_dual_weight_over_the_diagonal_of_the_inverse():
    X, y = datasets.sine(30, 0.3)
    G_inverse = np.linalg.inv(np.exp(-((X - X.T) ** 2) / (2 * 0.8**2)) + 0.01 * np.eye(30))
    for i in (0, 7, 29):
        rest = np.arange(30) != i
        missed = y[i] - KernelRidge(Gaussian(0.8), 0.01).fit(X[rest], y[rest]).predict(X[[i]])[0]
        assert (G_inverse @ y)[i] / G_inverse[i, i] == pytest.approx(missed)


@pytest.mark.parametrize(("n", "dips"), [(30, 2), (120, 1)])
def test_the_valley_of_the_left_out_error_has_two_dips_for_few_points(n, dips):
    X, y = datasets.sine(n, 0.3)
    errors = np.array([
        np.mean(KernelRidge(Gaussian(s)).leave_one_out(X, y, [0.01]) ** 2) for s in np.logspace(-1, 0.6, 40)
    ])  # fmt: skip
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
