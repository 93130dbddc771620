"""Appendix A1: every slip of the lectures is computed, in another way than in the notebook.

The numbers of the bets stand in the names of the tests, and each test says which form is right. A bet of an exercise
is right where the truth of its statement, which is found here by counting, minimising or a counterexample, says so.
"""

import ast
import re
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial

import numpy as np
import pytest
from notebook_cells import FOLDER, cells
from scipy import ndimage, signal
from scipy.optimize import brentq, minimize
from sklearn.svm import SVC

from kernelkit import Gaussian, KernelPerceptron, KernelSVM, Linear, Monomials, OrderedMonomials, Polynomial, Quadratic
from kernelkit.course.exercises import slips_in_the_lectures as check

A1 = FOLDER / "A1-slips-in-the-lectures.ipynb"


def smallest(K):
    return np.linalg.eigvalsh(K)[0]


def gaussian_points(n, d=2, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def exponents(d, m):
    """All monomials of degree m in d variables, by trying every list of exponents."""
    return [e for e in product(range(m + 1), repeat=d) if sum(e) == m]


def minimum(J, size):
    return minimize(J, np.zeros(size), options={"gtol": 1e-10}).x


# ---- counts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", range(6))
@pytest.mark.parametrize("d", range(1, 6))
def test_slip_02_bet_1_monomials_are_counted_with_m_or_d_minus_1_below(d, m):
    counted = len(exponents(d, m))
    assert counted == comb(d + m - 1, m) == comb(d + m - 1, d - 1) == Monomials(m, offset=0).dim(d)
    assert (comb(d + m - 1, d) == counted) == (d == m), "with d below it is right only where d = m"


@pytest.mark.parametrize("m", [1, 3, 6])
def test_slip_15_bet_2_a_polynomial_of_degree_m_has_m_plus_1_weights_and_its_index_is_j(m):
    assert np.linalg.matrix_rank(np.vander(np.arange(20.0), m + 1)) == m + 1, "that many weights can be told apart"
    w, x = np.arange(1.0, m + 2), 2.0
    assert sum(w[j] * x**j for j in range(m + 1)) == pytest.approx(np.polynomial.Polynomial(w)(x))
    assert sum(w[m] * x**m for j in range(m + 1)) != pytest.approx(np.polynomial.Polynomial(w)(x))


def test_slip_05_bet_3_the_square_has_thirteen_ordered_or_ten_merged_features_with_the_root_of_2c():
    """In whole numbers: linear features count 2c, and neither (√2·c)² = 2c² nor x₂x₁ for x₂x₃ gives the kernel."""
    nine, rng, found = list(product(range(3), repeat=2)), np.random.default_rng(0), []
    misprint = [(1, 0) if pair == (1, 2) else pair for pair in nine]
    for _ in range(50):
        x, z, c = *rng.integers(-9, 10, (2, 3)).tolist(), int(rng.integers(2, 9))
        linear = sum(a * b for a, b in zip(x, z, strict=True))
        forms = (2 * c, nine), (2 * c**2, nine), (2 * c, misprint)
        squares = [sum(x[i] * x[j] * z[i] * z[j] for i, j in pairs) + f * linear + c**2 for f, pairs in forms]
        found.append([value == (linear + c) ** 2 for value in squares])
        assert Monomials(2, offset=c)(x) @ Monomials(2, offset=c)(z) == pytest.approx((linear + c) ** 2, abs=1e-9)
    right, *wrong = np.sum(found, axis=0)
    assert right == 50 > max(wrong)
    assert OrderedMonomials(2).dim(3) + 3 + 1 == 13 and Monomials(2, offset=3.0).dim(3) == 10
    np.testing.assert_allclose(np.sort(Monomials(2, offset=3.0)(np.ones(3)) ** 2), [1, 1, 1, 2, 2, 2, 6, 6, 6, 9])


def products(*formulas):
    return sum(isinstance(node, ast.Mult) for text in formulas for node in ast.walk(ast.parse(text)))


def test_slip_10_bet_4_features_take_eleven_multiplications_ten_with_one_factor_and_the_kernel_three():
    features = ("x1 * x1", "x2 * x2", "r * x1 * x2", "z1 * z1", "z2 * z2", "r * z1 * z2")
    assert products(*features, "p0 * q0 + p1 * q1 + p2 * q2") == 11
    assert products(*(f.replace("r * ", "") for f in features), "a * d + b * e + 2 * (c * f)") == 10
    assert products("x1 * z1 + x2 * z2", "s * s") == 3


# ---- kernels -------------------------------------------------------------------------------------------


def test_slip_04_bet_5_a_kernel_may_be_negative_but_not_on_the_diagonal():
    for seed in range(20):
        Phi = gaussian_points(6, 4, seed)
        K = Phi @ Phi.T
        assert K.min() < 0 < K.diagonal().min() and smallest(K) > -1e-9


def test_slip_12_bets_6_and_7_a_matrix_between_two_vectors_and_a_polynomial_of_a_kernel():
    """A may be singular, but not (1, 2), (2, 1); coefficients may be 0, but not negative as in k² − 3k."""
    for seed in range(20):
        B, X, c = gaussian_points(4, 2, seed), gaussian_points(7, 4, seed + 100), gaussian_points(4, 1, seed)[:, 0] ** 2
        np.testing.assert_allclose(Quadratic(B @ B.T)(X), X @ B @ B.T @ X.T, atol=1e-9)
        assert np.linalg.matrix_rank(B @ B.T) == 2 and smallest(X @ B @ B.T @ X.T) > -1e-9
        K = X @ X.T
        assert smallest(c[1] * K + c[2] * K**2 + c[3] * K**3) > -1e-9 * np.abs(K).max() ** 3
    assert np.array([1, -1]) @ [[1, 2], [2, 1]] @ np.array([1, -1]) == -2 == 1**2 - 3 * 1
    X = np.array([[1.0, 0.0], [-1.0, 0.5], [0.3, 2.0]])
    assert smallest((X @ X.T) ** 2 - 3 * X @ X.T) < -1 and smallest((X @ X.T) ** 2) > -1e-9


def test_slip_13_bet_8_first_the_sum_and_then_the_square():
    for seed in range(20):
        Phi, v = gaussian_points(5, 3, seed), gaussian_points(5, 1, seed + 50)[:, 0]
        true = sum(v[i] * v[m] * (Phi[i] @ Phi[m]) for i in range(5) for m in range(5))
        assert sum(sum(v[i] * Phi[i, j] for i in range(5)) ** 2 for j in range(3)) == pytest.approx(true)
        assert sum((v[i] * Phi[i, j]) ** 2 for i in range(5) for j in range(3)) != pytest.approx(true)


@pytest.mark.parametrize("m", range(1, 12))
def test_slip_06_bet_9_partial_sums_in_the_distance_are_no_kernels_and_those_of_the_product_are(m):
    """In exact numbers: far apart, |partial sum| > 1 = √(k(x, x) k(z, z)), which no kernel allows."""
    assert abs(sum(Fraction(-40) ** j / factorial(j) for j in range(m + 1))) > 1
    X = np.linspace(-1.5, 1.5, 7)
    f = np.exp(-(X**2) / 2)
    split = np.outer(f, f) * sum(np.outer(X, X) ** j / factorial(j) for j in range(m + 1))
    Phi = np.array([f * X**j / factorial(j) ** 0.5 for j in range(m + 1)]).T
    np.testing.assert_allclose(split, Phi @ Phi.T, atol=1e-12)
    s = 3.0**2 / 2  # two points at distance 3, to the linear term: (1, 1) gives 2 + 2 (1 − s)
    np.testing.assert_allclose(np.linalg.eigvalsh([[1, 1 - s], [1 - s, 1]]), [(2 + 2 * (1 - s)) / 2, 4.5])
    assert np.linalg.matrix_rank(Gaussian(1.0)(np.arange(5.0)[:, None])) == 5, "four features would make rank 4"


def test_slip_08_bet_10_a_sigma_that_is_root_2_as_large_makes_up_for_the_2():
    r, sigma = 3.0, 2.0
    width = brentq(lambda width: -(r**2) / (2 * width**2) + r**2 / sigma**2, 0.1, 5)
    assert width == pytest.approx(sigma / 2**0.5) == pytest.approx(2**0.5)
    assert Gaussian(width)([0.0], [r]) == pytest.approx(np.exp(-(r**2) / sigma**2))


def test_slip_09_bet_11_a_kernel_for_moore_and_aronszajn_and_not_for_mercer():
    """1 if equal and else 0 has features, but no Mercer sum: its eigenvalues add up to 1 and each goes to 0.

    Mercer's operator is f ↦ ∫ k(x, z) f(z) dz / 2 on [−1, 1], by Gauss–Legendre, which knows nothing of K/n.
    """
    X = np.random.default_rng(0).integers(0, 9, (30, 1))  # some points are equal
    np.testing.assert_array_equal(X == X.T, (X == np.arange(9)).astype(float) @ (X == np.arange(9)).T)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    root = np.sqrt(weights / 2)
    flat, mercer = (np.linalg.eigvalsh(root[:, None] * K * root) for K in (np.eye(60), Gaussian(1.0)(nodes[:, None])))
    assert flat.sum() == pytest.approx(1) == pytest.approx(mercer.sum()) and flat.max() < 0.05
    for n in (10, 40, 160):
        own = np.linalg.eigvalsh(Gaussian(1.0)(np.linspace(-1, 1, n)[:, None]) / n)
        assert abs(own[-1] - mercer[-1]) < 0.4 / n


# ---- least squares -------------------------------------------------------------------------------------


def test_slip_01_bet_12_the_penalty_of_a_mean_is_n_lambda_and_the_bias_has_none():
    n, lam, X, y = 20, 0.5, np.column_stack([np.ones(20), gaussian_points(20)]), gaussian_points(20, 1, 1)[:, 0]
    w = minimum(lambda w: ((X @ w - y) ** 2).sum() / (2 * n) + lam / 2 * (w[1:] ** 2).sum(), 3)
    free, all_three = np.array([0, 1, 1]), np.ones(3)
    right, *slips = n * free, n * all_three, free, all_three  # what λ is multiplied by
    np.testing.assert_allclose(np.linalg.solve(X.T @ X + lam * np.diag(right), X.T @ y), w, atol=1e-5)
    for slip in slips:
        assert np.abs(np.linalg.solve(X.T @ X + lam * np.diag(slip), X.T @ y) - w).max() > 0.01


@pytest.mark.parametrize("seed", range(3))
def test_slip_11_bet_13_a_penalised_bias_is_exactly_zero_for_centred_features_only(seed):
    X, y = gaussian_points(12, 2, seed), gaussian_points(12, 1, seed + 99)[:, 0]
    X, y = X - X.mean(axis=0), y - y.mean()
    for F, zero in ((X, True), (X**2, False), (X**2 - (X**2).mean(axis=0), True)):
        bias = minimum(lambda w, F=F: ((F @ w[:2] + w[2] - y) ** 2).sum() + 0.5 * (w**2).sum(), 3)[2]
        assert (abs(bias) < 1e-6) == zero and (zero or abs(bias) > 1e-4)


def test_slip_14_bets_14_and_15_the_new_point_and_the_condition_of_the_minimum():
    """Σ a_i X_iᵀX_i does not know z; and K(Ka − y) = 0 has a solution where Ka = y has none."""
    X, a = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([0.5, -1.0])
    assert [a @ X @ z for z in np.array([[0.0, 1.0], [2.0, 2.0]])] == [2, -1] and a @ (X**2).sum(axis=1) == -7.5
    for seed in range(10):
        Phi, y = gaussian_points(6, 2, seed), gaussian_points(6, 1, seed + 9)[:, 0]
        K = Phi @ Phi.T
        a = np.linalg.pinv(K) @ y
        assert np.abs(K @ (K @ a - y)).max() < 1e-9 < np.abs(K @ a - y).max()
        around = [((K @ (a + step) - y) ** 2).sum() for step in gaussian_points(50, 6, seed)]
        assert min(around) >= ((K @ a - y) ** 2).sum()


def exact_residual(K, a, y):
    """The largest entry of Ka − y, with fractions and therefore without rounding."""
    a, y, *rows = ([Fraction(v) for v in u.tolist()] for u in (a, y, *K))
    return max(abs(sum(p * q for p, q in zip(row, a, strict=True)) - t) for row, t in zip(rows, y, strict=True))


@pytest.mark.parametrize("seed", range(5))
def test_slip_16_bet_16_the_inverse_is_less_stable(seed):
    rng = np.random.default_rng(seed)
    K = Gaussian(0.4)(rng.uniform(0, 1, (20, 1))) + 1e-9 * np.eye(20)
    y = K @ rng.choice([-1.0, 1.0], 20)
    solve, inverse = (exact_residual(K, a, y) for a in (np.linalg.solve(K, y), np.linalg.inv(K) @ y))
    assert inverse > 10 * solve


def test_slip_16_bet_16_the_forty_weights_of_the_bet_are_lost_by_the_inverse_alone():
    K, truth = Gaussian(0.3)(np.linspace(0, 1, 40)[:, None]) + 1e-9 * np.eye(40), (-1.0) ** np.arange(40)
    solve, inverse = np.linalg.solve(K, K @ truth), np.linalg.inv(K) @ (K @ truth)
    assert exact_residual(K, solve, K @ truth) * 40**0.5 < 1e-13 and exact_residual(K, inverse, K @ truth) > 1e-9
    assert smallest(K) > 0.9e-9 and 1e8 < np.abs(np.linalg.inv(K)).max() < 1e9
    assert np.abs(solve - truth).max() < 5e-4 < np.abs(inverse - truth).max()


# ---- classifiers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_slip_03_bet_17_zero_must_count_as_a_mistake(seed):
    X, w = gaussian_points(15, 2, seed), gaussian_points(1, 2, seed + 500)[0]
    y = np.where(X @ w > 0, 1, -1)
    X = X + 0.3 * y[:, None] * w / np.linalg.norm(w)  # a gap, so that a few passes are enough
    assert (y * (X @ np.zeros(2)) >= 0).all(), "kept at y·wᵀx ≥ 0, the start never moves"
    assert (KernelPerceptron(Linear()).fit(X, y).predict(X) == y).all() and np.sign(0.0) not in (-1, 1)


def test_slip_07_bet_18_the_margins_are_at_one():
    """By a general solver: a multiplier between 0 and C is a point at |h| = 1; two points inside have C."""
    X, y, C = np.array([[-3.0], [-2.0], [1.0], [-0.5], [2.0], [4.0]]), np.array([-1, -1, -1, 1, 1, 1]), 1.0
    inside = {"type": "ineq", "fun": lambda p: y * (X[:, 0] * p[0] + p[1]) - 1 + p[2:]}
    slack = {"type": "ineq", "fun": lambda p: p[2:]}
    start, price = np.r_[0, 0, np.ones(6)], lambda p: p[0] ** 2 / 2 + C * p[2:].sum()
    w, b = minimize(price, start, constraints=[inside, slack], method="SLSQP").x[:2]
    svm, h = KernelSVM(Linear(), C, tol=1e-8).fit(X, y), X[:, 0] * w + b
    np.testing.assert_allclose(svm.decision_function(X), h, atol=1e-4)
    alpha = svm.multipliers_
    free = (alpha > 1e-6) & (alpha < C - 1e-6)
    assert free.any() and not free.all()
    np.testing.assert_allclose(np.abs(h[free]), 1, atol=1e-4)
    assert (y * h)[alpha > C - 1e-6].max() < 1 < (y * h)[alpha < 1e-6].min()
    assert (y * h < 1 - 1e-3).sum() == 2 and (alpha[y * h < 1 - 1e-3] > C - 1e-6).all()


def test_slip_07_bet_19_poly_is_homogeneous_unless_coef0_is_given():
    X, y = np.array([[-2.0, 0.0], [-1.0, 0.5], [1.0, 0.0], [2.0, -0.5]]), np.array([-1, -1, 1, 1])
    Z = gaussian_points(9)
    theirs = SVC(kernel="poly", degree=3, gamma=1, C=1.0, tol=1e-8).fit(X, y)
    ours = [Polynomial(3, c)(Z, theirs.support_vectors_) @ theirs.dual_coef_[0] + theirs.intercept_ for c in (0, 1)]
    assert [np.allclose(theirs.decision_function(Z), h) for h in ours] == [True, False]


# ---- convolutions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_slip_17_bet_20_a_convolution_has_a_minus(seed):
    x, w = gaussian_points(9, 1, seed)[:, 0], gaussian_points(3, 1, seed + 50)[:, 0]
    sums = [[sum(w[j + 1] * np.pad(x, 1)[i + sign * j + 1] for j in (-1, 0, 1)) for i in range(9)] for sign in (-1, 1)]
    np.testing.assert_allclose(sums[0], signal.convolve(x, w, "same"))
    np.testing.assert_allclose(sums[1], ndimage.correlate1d(x, w, mode="constant"))
    assert not np.allclose(*sums)


@pytest.mark.parametrize("name", ["01-feature-maps.ipynb", "16-images.ipynb"])
def test_slip_17_the_formulas_of_the_notebooks_that_teach_convolutions_have_the_minus(name):
    text = "".join(cell.source for cell in cells(FOLDER / name, "markdown"))
    signs = re.findall(r"\\sum_(?P<j>\w) \w_(?P=j)\\,x_\{\w([+-])(?P=j)\}", text)
    assert {sign for _, sign in signs} == {"-"}


# ---- the right forms that no bet computes ------------------------------------------------------------------


def test_right_forms_of_the_table_that_no_bet_computes():
    for d in (1, 2, 3):  # a polynomial of degree d in m: its differences of order d are constant, and not 0
        counts = np.cumsum([len(exponents(d, m)) for m in range(8)])
        assert np.ptp(np.diff(counts, d)) == 0 < np.diff(counts, d)[0]
    U, V = gaussian_points(4, 3), gaussian_points(3, 4, 1)
    for own in np.linalg.eigvals(V @ U):  # at λ = −own, neither bracket of push-through can be inverted
        assert all(np.linalg.svd(own * np.eye(len(M)) - M)[1][-1] < 1e-9 for M in (U @ V, V @ U))
    for p in (9, 100, 1000):  # x^p by squaring
        assert p.bit_length() - 1 + bin(p).count("1") - 1 <= 2 * np.log2(p)


# ---- the exercises: each verdict that the checks expect is computed ------------------------------------------


def truths_of_counts():
    growth = [sum(len(exponents(2, j)) for j in range(m + 1)) for m in (8, 16, 32)]
    return {
        "a": sum(len(exponents(4, j)) for j in range(4)) == 35,
        "b": growth[2] / growth[1] > 10 * growth[1] / growth[0],  # doubling m would square an exponential count
        "c": len(set(permutations("112"))) == 3,  # the factor is √3, because √3·√3 = 3
        "d": len({tuple(sorted(pair)) for pair in product(range(5), repeat=2)}) == 10,
        "e": all(products(" + ".join(f"x{i} * z{i}" for i in range(d)), "s * s") == d + 1 for d in range(1, 9)),
    }


def truths_of_kernels():
    unit, X = gaussian_points(40, 3), gaussian_points(8, 2)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    sums = [sum((X @ X.T) ** j / factorial(j) for j in range(m + 1)) for m in range(9)]
    svc = SVC(gamma=0.5).fit(X, [0, 1] * 4)
    sigma_one = Gaussian(1.0)(X, svc.support_vectors_) @ svc.dual_coef_[0] + svc.intercept_
    return {
        "a": (unit @ unit.T).max() <= 1 + 1e-12,
        "b": smallest(X @ X.T - 2 * X @ X.T) > -1e-9,
        "c": smallest([[1.0, 2.0], [2.0, 1.0]]) >= 0,
        "d": bool(np.allclose(svc.decision_function(X), sigma_one)),
        "e": min(map(smallest, sums)) > -1e-9,
        "f": smallest(X @ np.array([[0.0, 1.0], [1.0, 0.0]]) @ X.T) > -1e-9,
        "g": smallest(1.0 * (X[:, :1] == X[:, 0])) < 0,  # it is I, of the unit vectors as features
    }


def truths_of_machines():
    X, y, lam = gaussian_points(9), gaussian_points(9, 1, 5)[:, 0], 0.4
    best = minimum(lambda w: ((X @ w - y) ** 2).mean() + lam * w @ w, 2)
    Phi, start = gaussian_points(2, 3), gaussian_points(1, 3, 8)[0]
    outside = start - np.linalg.pinv(Phi) @ (Phi @ start)
    separable = np.array([[1.0, 2.0], [-1.0, 1.0]])
    pays = [np.maximum(0, -np.array([1, -1]) * (separable @ v)).sum() for v in ([1, 0], [2, 0], [0, 0])]
    line, labels = np.array([[-3.0], [-2.0], [1.0], [-0.5], [2.0], [4.0]]), np.array([-1, -1, -1, 1, 1, 1])
    svm = KernelSVM(Linear(), 1.0, tol=1e-8).fit(line, labels)
    inside = labels * svm.decision_function(line) < 0.999
    return {
        "a": bool(np.allclose(best, np.linalg.solve(X.T @ X + 9 * lam * np.eye(2), X.T @ y), atol=1e-5)),
        "b": bool(np.allclose(Phi @ outside, 0)) and bool(np.allclose(outside, 0)),  # a part that no step changes
        "c": -1 + 1 * 1 != 0,  # λ + UV with U = V = 1 and λ = −1
        "d": len(set(pays)) > 1,
        "e": (gaussian_points(5, 3).T @ gaussian_points(5, 3)).shape == (5, 5),
        "f": inside.any() and bool(np.allclose(svm.multipliers_[inside], 1.0, atol=1e-6)),
    }


@pytest.mark.parametrize(
    ("expected", "computed"),
    [(check.COUNTS, truths_of_counts), (check.KERNELS, truths_of_kernels), (check.MACHINES, truths_of_machines)],
    ids=["counts", "kernels", "machines"],
)
def test_bets_of_the_exercises_are_computed(expected, computed):
    assert {letter: told == check.RIGHT for letter, (told, _) in expected.items()} == computed()


# ---- the page as a whole ------------------------------------------------------------------------------------


def test_each_of_twenty_bets_has_a_statement_a_cell_an_answer_and_a_row_in_the_table():
    """What settles a bet is folded until its cell runs, in JupyterLab and on the site."""
    code, text = cells(A1, "code"), cells(A1, "markdown")
    ids = sorted(cell.id for cell in code + text if cell.id.startswith("bet-"))
    assert ids == sorted(f"bet-{bet:02}{part}" for bet in range(1, 21) for part in ("", "-cell", "-answer"))
    for cell in code:
        if cell.id.startswith("bet-"):
            assert cell.metadata.jupyter.outputs_hidden and "hide-output" in cell.metadata.tags, cell.id
    rows = re.findall(r"^\| (.*?) ?\| ([A-E]) \|", "\n".join(cell.source for cell in text), re.M)
    assert [bet for bet, _ in rows if bet.isdigit()] == [str(bet) for bet in range(1, 21)]
    named = {"A1.1": check.COUNTS, "A1.2": check.KERNELS, "A1.3": check.MACHINES}
    assert all(named[bet[:-1]][bet[-1]][0] == check.WRONG for bet, _ in rows if bet.startswith("A1."))
