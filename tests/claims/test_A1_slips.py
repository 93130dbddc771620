"""Appendix A1: every slip of the lectures is computed in another way than in the notebook.

A bet is tested in three steps. The truth of its statement is found without the notebook, by counting, minimising or
searching for a counterexample. What the notebook's cell computes is compared with this. And the verdict of the answer
must be the truth.
"""

import ast
import contextlib
import io
import re
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, factorial

import numpy as np
import pytest
from notebook_cells import FOLDER, cells
from scipy import ndimage, signal
from scipy.optimize import brentq, minimize
from sklearn.svm import SVC

from kernelkit import Gaussian, Quadratic
from kernelkit.course.exercises import slips_in_the_lectures as check

A1 = FOLDER / "A1-slips-in-the-lectures.ipynb"
EACH = pytest.mark.parametrize


def source(bet):
    (found,) = [cell.source for cell in cells(A1, "code") if cell.id == f"bet-{bet:02}-cell"]
    return found


@cache
def run(bet):
    """What the cell of a bet defines when it runs now, and the numbers that it prints now."""
    return printed(source(bet))


def printed(source, **names):
    """What a piece of code defines and prints, with these names in it."""
    space, said = {"np": np, **names}, io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(source, space)
    return space, said.getvalue()


def test_what_settles_a_bet_is_folded_until_its_cell_runs():
    """JupyterLab folds it when the notebook is opened, and the site always does."""
    bets = [cell for cell in cells(A1, "code") if re.fullmatch(r"bet-\d\d-cell", cell.id)]
    assert len(bets) == 20
    for cell in bets:
        assert cell.metadata.jupyter.outputs_hidden and "hide-output" in cell.metadata.tags, cell.id


def after(words, text):
    """The number that follows these words in what is printed."""
    return float(re.search(re.escape(words) + r"\s*(-?\d+(?:\.\d+)?)", text)[1])


def verdict(bet):
    """Whether the notebook calls the statement of a bet right."""
    (answer,) = [cell.source for cell in cells(A1, "markdown") if cell.id == f"bet-{bet:02}-answer"]
    return re.search(r"The statement is \*\*(right|wrong)\*\*", answer)[1] == "right"


def smallest(K):
    return np.linalg.eigvalsh(K)[0]


def gaussian_points(n, d=2, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def exponents(d, m):
    """All monomials of degree m in d variables, by trying every list of exponents."""
    return [e for e in product(range(m + 1), repeat=d) if sum(e) == m]


# ---- slip 2: monomials ---------------------------------------------------------------------------------


def test_A1_slip_02_monomials_of_degree_m():
    space, said = run(1)
    sizes = [(d, m) for d in range(1, 6) for m in range(6)]
    counted = {(d, m): len(exponents(d, m)) for d, m in sizes}
    assert verdict(1) == all(counted[d, m] == comb(d + m - 1, d - 1) == comb(d + m - 1, m) for d, m in sizes)
    slip = {(d, m) for d, m in sizes if comb(d + m - 1, d) == counted[d, m]}
    assert slip == {(d, m) for d, m in sizes if d == m}, "with d below it is right only where d = m"
    d, m = space["d"], space["m"]
    assert len({d - 1, d, m}) == 3, "the example tells the three forms apart"
    assert len(space["monomials"]) == len(set(space["monomials"])) == counted[d, m]
    assert [after(f"with {name} below:", said) for name in ("d − 1", "m", "d")] == [10, 10, 5]


# ---- slip 15: a polynomial has m + 1 weights -------------------------------------------------------------


def test_A1_slip_15_entries_and_index_of_a_polynomial():
    space, said = run(2)
    m, w, x = space["m"], space["w"], space["x"]
    unknowns = np.linalg.matrix_rank(np.vander(np.arange(20.0), m + 1))
    assert len(space["powers"]) == len(w) == unknowns == m + 1 != m, "that many weights can be told apart"
    true = np.polynomial.Polynomial(w)(x)
    assert space["with_j"] == after("sum of the w_j x^j:", said) == pytest.approx(true)
    assert space["with_m"] == pytest.approx((m + 1) * w[m] * x**m) and space["with_m"] != true
    assert verdict(2) == (unknowns == m and space["with_m"] == true)


# ---- slip 5: the features of a square ----------------------------------------------------------------------


def square_with_integers(x, z, c, linear, pairs):
    """Φ(x)ᵀΦ(z) in whole numbers: the linear entries count linear² in place of their root's square."""
    return (
        sum(x[i] * x[j] * z[i] * z[j] for i, j in pairs)
        + linear * sum(a * b for a, b in zip(x, z, strict=True))
        + c * c
    )


def test_A1_slip_05_features_of_a_square():
    space, said = run(3)
    nine = list(product(range(3), repeat=2))
    misprint = [(1, 0) if pair == (1, 2) else pair for pair in nine]
    rng, right, doubled, lost = np.random.default_rng(0), 0, 0, 0
    for _ in range(50):
        x, z = rng.integers(-9, 10, (2, 3)).tolist()
        c = int(rng.integers(2, 9))
        kernel = (sum(a * b for a, b in zip(x, z, strict=True)) + c) ** 2
        right += square_with_integers(x, z, c, 2 * c, nine) == kernel
        doubled += square_with_integers(x, z, c, 2 * c * c, nine) == kernel  # (√2·c)² = 2c²
        lost += square_with_integers(x, z, c, 2 * c, misprint) == kernel
        space["c"] = float(c)  # the function of the cell reads it
        theirs = space["features"](np.array(x, float), (2 * c) ** 0.5) @ space["features"](
            np.array(z, float), (2 * c) ** 0.5
        )
        assert theirs == pytest.approx(kernel, abs=1e-9)
    list_of_the_answer = np.array([1, 1, 1, 2, 2, 2, 6, 6, 6, 9]) ** 0.5  # the factors of the ten entries for c = 3
    np.testing.assert_allclose(np.sort(space["merged"](np.ones(3))), np.sort(list_of_the_answer))
    space["c"] = 3.0
    merged = sum(len(exponents(3, degree)) for degree in range(3))
    entries = len(space["features"](np.ones(3), 1.0))
    assert doubled < 50 and lost < 50 and space["one_twice"] == misprint and space["all_nine"] == nine
    assert verdict(3) == (right == 50 and entries == 13 and merged == space["merged"].dim(3) == 10)
    assert space["root"] ** 2 == pytest.approx(2 * 3.0)
    x, z = [Fraction(v).limit_denominator() for v in space["x"]], [Fraction(v).limit_denominator() for v in space["z"]]
    cases = {"kernel": (6, nine), "√(2c)": (6, nine), "√2·c": (18, nine), "missing": (6, misprint)}
    for words, (linear, pairs) in cases.items():
        assert after(words, said) == float(square_with_integers(x, z, 3, linear, pairs)), words
    assert after("merged entries", said) == after("kernel", said)


# ---- slip 10: eleven products --------------------------------------------------------------------------------


def products(*formulas):
    return sum(isinstance(node, ast.Mult) for text in formulas for node in ast.walk(ast.parse(text)))


def test_A1_slip_10_products_of_the_features():
    features = ("x1 * x1", "x2 * x2", "r * x1 * x2", "z1 * z1", "z2 * z2", "r * z1 * z2")
    counted = {
        "with_features": products(*features, "p0 * q0 + p1 * q1 + p2 * q2"),
        "with_one_factor_2": products(*(f.replace("r * ", "") for f in features), "a * d + b * e + 2 * (c * f)"),
        "with_the_kernel": products("x1 * z1 + x2 * z2", "s * s"),
    }
    space, said = run(4)
    assert counted == space["counts"] == {"with_features": 11, "with_one_factor_2": 10, "with_the_kernel": 3}
    assert verdict(4) == (counted["with_features"] == 10)
    assert re.findall(r"= (\d+),", said) == ["121"] * 3 and (1 * 3 + 2 * 4) ** 2 == 121


# ---- slip 4: kernels may be negative -----------------------------------------------------------------------


def test_A1_slip_04_a_kernel_may_be_negative():
    """Made from features, so certainly kernels: some values are negative, none on the diagonal, and no eigenvalue."""
    negative = 0
    for seed in range(20):
        Phi = gaussian_points(6, 4, seed)
        K = np.array([[sum(p * q for p, q in zip(a, b, strict=True)) for b in Phi] for a in Phi])
        negative += K.min() < 0
        assert K.diagonal().min() > 0 and smallest(K) > -1e-9
    K = run(5)[0]["K"]
    X = run(5)[0]["X"].tolist()
    np.testing.assert_allclose(K, [[a[0] * b[0] + a[1] * b[1] for b in X] for a in X])
    determinants = [np.linalg.det(K[np.ix_(s, s)]) for s in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])]
    assert min(determinants) > -1e-9, "by Sylvester, all principal minors of a Gram matrix are at least 0"
    assert K.min() == K[0, 1] == -1 and "eigenvalue: False" in run(5)[1]
    assert verdict(5) == (negative == 0)


# ---- slip 12: xᵀAz, and a polynomial of a kernel -------------------------------------------------------------


def test_A1_slip_12_a_matrix_between_two_vectors():
    kernels = 0
    for seed in range(20):  # singular, without negative eigenvalues: B Bᵀ with too few columns
        B, X = gaussian_points(4, 2, seed), gaussian_points(7, 4, seed + 100)
        A = B @ B.T
        kernels += np.linalg.matrix_rank(A) == 2 and smallest(X @ A @ X.T) > -1e-9
        np.testing.assert_allclose(Quadratic(A)(X), X @ A @ X.T, atol=1e-9)
    assert verdict(6) == (kernels == 20)
    space, said = run(6)
    A, R, B, u = (space[name] for name in "ARBu")
    assert A[0, 0] * A[1, 1] == A[0, 1] * A[1, 0], "singular"
    np.testing.assert_allclose(A, R.T @ R)
    x, z = space["x"], space["z"]
    assert after("xᵀAz =", said) == after("(Rx)ᵀ(Rz) =", said) == (x[0] + 2 * x[1]) * (z[0] + 2 * z[1]) == 3
    values, vectors = np.linalg.eigh(B)
    assert values[0] < 0 and abs(vectors[:, 0] @ u) == pytest.approx(np.linalg.norm(u)), "u is its eigenvector"
    assert after("uᵀBu =", said) == pytest.approx(values[0] * (u @ u))


def test_A1_slip_12_a_polynomial_of_a_kernel():
    found = run(7)[0]["g"](np.array([0.0, 1.0, 2.0]))
    coefficients = np.polynomial.polynomial.polyfit([0.0, 1.0, 2.0], found, 2)
    np.testing.assert_allclose(coefficients, [0, -3, 1], atol=1e-9)
    X = run(7)[0]["X"]
    K = np.array([[a @ b for b in X] for a in X])
    counterexample = smallest(K * K - 3 * K) < 0 and 1**2 - 3 * 1 < 0
    assert verdict(7) == (not counterexample)
    v = np.linalg.eigh(K * K - 3 * K)[1][:, 0]
    assert after("k² − 3k:", run(7)[1]) == pytest.approx(v @ (K * K - 3 * K) @ v, abs=0.005)
    assert after("first point:", run(7)[1]) == -2
    assert after("k² + 3k:", run(7)[1]) == pytest.approx(smallest(K * K + 3 * K), abs=0.005) and smallest(K * K) > -1e-9
    for seed in range(20):  # no negative coefficient: always a kernel
        rng = np.random.default_rng(seed)
        K, c = gaussian_points(8, 3, seed) @ gaussian_points(8, 3, seed).T, rng.uniform(0, 1, 4)
        assert smallest(sum(c[j] * K**j for j in range(4))) > -1e-9 * np.abs(K).max() ** 3


# ---- slip 13: first the sum, then the square -------------------------------------------------------------------


def test_A1_slip_13_the_sum_before_the_square():
    agree = 0
    for seed in range(20):
        Phi, v = gaussian_points(5, 3, seed), gaussian_points(5, 1, seed + 50)[:, 0]
        true = sum(v[i] * v[m] * (Phi[i] @ Phi[m]) for i in range(5) for m in range(5))
        assert sum(sum(v[i] * Phi[i, j] for i in range(5)) ** 2 for j in range(3)) == pytest.approx(true)
        agree += sum((v[i] * Phi[i, j]) ** 2 for i in range(5) for j in range(3)) == pytest.approx(true)
    assert verdict(8) == (agree == 20)
    said = run(8)[1]
    assert after("vᵀKv:", said) == after("first sum, then square:", said) == 5 - 5 - 5 + 5
    assert after("first square, then sum:", said) == (1 + 1) + (4 + 4), "feature by feature"
    own = source(8).partition("\n")
    assert own[0].startswith("Phi, v = ")
    for seed in range(5):  # the three formulas of the cell, at other features and weights
        Phi, v = gaussian_points(5, 3, seed), gaussian_points(5, 1, seed + 50)[:, 0]
        said = printed(own[2], Phi=Phi, v=v)[1]
        true = sum(v[i] * v[m] * (Phi[i] @ Phi[m]) for i in range(5) for m in range(5))
        assert [after(words, said) for words in ("vᵀKv:", "first sum, then square:")] == pytest.approx([true, true])
        assert after("first square, then sum:", said) == pytest.approx(np.sum((Phi.T * v) ** 2))


# ---- slip 6: partial sums ------------------------------------------------------------------------------------


def test_A1_slip_06_partial_sums_of_the_gaussian():
    """In exact numbers: far apart, |partial sum| > 1 = √(k(x, x) k(z, z)), which no kernel allows."""
    kernels = 0
    for m in range(1, 12):
        far = sum(Fraction(-40) ** j / factorial(j) for j in range(m + 1))  # s = 40
        kernels += abs(far) <= 1
    assert verdict(9) == (kernels == 11)
    space, said = run(9)
    X = np.linspace(-1.5, 1.5, 7)
    for m in (1, 2, 3, 8):
        features = np.array([[np.exp(-x * x / 2) * x**j / factorial(j) ** 0.5 for j in range(m + 1)] for x in X])
        np.testing.assert_allclose(space["of_the_product"](X, m), features @ features.T, atol=1e-12)
        series = np.polynomial.Polynomial([(-1.0) ** j / factorial(j) for j in range(m + 1)])
        K = np.array([[series((x - z) ** 2 / 2) for z in X] for x in X])
        v = np.linalg.eigh(K)[1][:, 0]
        assert after(f"to degree {m}:", said) == pytest.approx(v @ K @ v, abs=0.0051) and v @ K @ v < -0.5
        assert f"{after(f'to degree {m}:', said):6.2f} in powers of s, 0.00" in said
    assert after("v = (1, 1):", said) == 2 + 2 * (1 - Fraction(9, 2)) == -5
    np.testing.assert_allclose(np.linalg.eigvalsh(space["K"]), [-2.5, 4.5])
    five, points = Gaussian(1.0)(np.arange(5.0)[:, None]), np.arange(5.0)
    assert np.linalg.matrix_rank(five) == 5, "more points than features leave a singular matrix, and this one is not"
    four = np.stack([points**j for j in range(4)], axis=1)
    assert np.linalg.matrix_rank(four @ four.T) == 4


# ---- slip 8: σ² or 2σ² -----------------------------------------------------------------------------------------


def test_A1_slip_08_the_two_widths():
    space, said = run(10)
    r, sigma = space["r"], space["sigma"]

    def gap(width):
        return -(r**2) / (2 * width**2) + r**2 / sigma**2

    width = brentq(gap, 0.1, 5)
    assert width == pytest.approx(sigma / 2**0.5) and width != pytest.approx(sigma / 2)
    assert (r, sigma) == (3, 2) and width == pytest.approx(2**0.5), "σ and σ² differ, and the answer says √2"
    assert verdict(10) == (width == pytest.approx(sigma / 2))
    assert after("σ/√2 in place of σ:", said) == after("with σ²:", said) == pytest.approx(np.exp(-2.25), abs=1e-4)
    assert after("σ/2  in place of σ:", said) == pytest.approx(np.exp(-4.5), abs=1e-4)
    assert after("with 2σ²:", said) == pytest.approx(np.exp(-1.125), abs=1e-4)
    theirs = SVC(gamma=1 / (2 * 0.8**2)).fit(gaussian_points(6), [0, 1, 0, 1, 0, 1])
    ours = np.exp(-0.5 / 0.8**2 * ((gaussian_points(6)[:, None] - theirs.support_vectors_) ** 2).sum(axis=2))
    np.testing.assert_allclose(
        theirs.decision_function(gaussian_points(6)), ours @ theirs.dual_coef_[0] + theirs.intercept_
    )


# ---- slip 9: Mercer, or Moore and Aronszajn --------------------------------------------------------------------


def test_A1_slip_09_a_kernel_for_aronszajn_and_not_for_mercer():
    """One function has a feature map and no Mercer sum. So the sentence about Gram matrices is not Mercer's theorem."""
    k, rng = run(11)[0]["equal_or_not"], np.random.default_rng(0)
    for n in (1, 5, 30):  # finite Gram matrices, also with repeated points
        X = rng.integers(0, 9, (n, 1)).astype(float)
        Phi = np.array([[float(x == place) for place in range(9)] for x in X[:, 0]])  # a coordinate for each point
        np.testing.assert_array_equal(k(X), Phi @ Phi.T)
    has_features = True
    steps = [k(np.array([[0.3], [0.3 + 10.0**-j]]))[0, 1] for j in range(1, 12)]
    continuous = 1 - max(steps) < 0.5
    # Mercer's operator: f ↦ ∫ k(x, z) f(z) dz / 2 on [−1, 1], by Gauss–Legendre, which knows nothing of K/n
    nodes, weights = np.polynomial.legendre.leggauss(60)
    root = np.sqrt(weights / 2)
    operator = root[:, None] * np.exp(-((nodes[:, None] - nodes) ** 2) / 2) * root
    mercer, flat = np.linalg.eigvalsh(operator), np.linalg.eigvalsh(root[:, None] * k(nodes[:, None]) * root)
    assert mercer.sum() == pytest.approx(1) and flat.max() < 0.05, "its eigenvalues add up to the mean of k(x, x)"
    assert verdict(11) == (has_features and continuous)
    said = run(11)[1]
    for n in (10, 40, 160):
        ours = after("largest", said.split(f"{n:3} points, Gaussian")[1])
        assert abs(ours - mercer[-1]) < 0.4 / n, "the eigenvalue of K/n approaches Mercer's"
        assert after("largest", said.split(f"{n:3} points, 1 if")[1]) == pytest.approx(1 / n, abs=0.0006)
        assert after("sum", said.split(f"{n:3} points, 1 if")[1]) == 1


# ---- slip 1: λ or nλ --------------------------------------------------------------------------------------------


def test_A1_slip_01_the_penalty_of_a_mean():
    space, said = run(12)
    X, y, n, lam = (space[name] for name in ("X", "y", "n", "lam"))

    def lowest(X, penalised):
        def J(w):
            return ((X @ w - y) ** 2).sum() / (2 * n) + lam / 2 * (w[penalised] ** 2).sum()

        return minimize(J, np.zeros(X.shape[1]), method="Powell", options={"xtol": 1e-9, "ftol": 1e-13}).x

    w = lowest(X, [0, 1])
    with_n, without = space["minimiser"](X, [n * lam] * 2), space["minimiser"](X, [lam] * 2)
    np.testing.assert_allclose(with_n, w, atol=1e-5)
    assert verdict(12) == bool(np.allclose(without, w, atol=1e-3))
    ones = np.column_stack([np.ones(n), X])
    np.testing.assert_allclose(space["minimiser"](ones, [0, n * lam, n * lam]), lowest(ones, [1, 2]), atol=1e-5)
    assert np.abs(space["minimiser"](ones, [n * lam] * 3) - lowest(ones, [1, 2])).max() > 0.01
    by = {
        (diagonal, place): after(f"{diagonal} on the diagonal, {place} in its place: slope", said)
        for diagonal, own in (("λ ", "λ "), ("nλ", "nλ"))
        for place in (own, "0 ")
    }
    assert by.pop(("nλ", "0 ")) == after("nλ on the diagonal: slope", said) == 0
    assert min(*by.values(), after("λ  on the diagonal: slope", said)) > 0.05


# ---- slip 11: the bias after centring -------------------------------------------------------------------------


def test_A1_slip_11_the_bias_after_centring():
    exact, of_squares = [], []
    for seed in range(10):
        X, y = gaussian_points(12, 2, seed), gaussian_points(12, 1, seed + 99)[:, 0]
        X, y = X - X.mean(axis=0), y - y.mean()
        for F, found in ((X, exact), (X**2, of_squares)):

            def J(w, F=F, y=y):
                return ((F @ w[:2] + w[2] - y) ** 2).sum() + 0.5 * (w**2).sum()

            found.append(abs(minimize(J, np.ones(3), options={"gtol": 1e-10}).x[2]))
    assert verdict(13) == (max(exact) < 1e-6) and min(of_squares) > 1e-4
    space, said = run(13)
    assert [float(b) for b in re.findall(r"bias (\S+)", said)] == [0, pytest.approx(0.25, abs=0.005), 0]
    for F, zero in ((space["X"], True), (space["X"] ** 2, False)):
        best = minimize(
            lambda w, F=F: ((F @ w[:2] + w[2] - space["y"]) ** 2).sum() + space["lam"] * (w**2).sum(), np.ones(3)
        ).x[2]
        assert space["bias"](F) == pytest.approx(best, abs=1e-5) and (abs(best) < 1e-5) == zero


# ---- slip 14: the new point, and the condition of the minimum -------------------------------------------------


def test_A1_slip_14_the_new_point_in_the_prediction():
    space, said = run(14)
    X, a = space["X"], space["a"]
    w = a[0] * X[0] + a[1] * X[1]
    true = {"0. 1.": w[1], "2. 2.": 2 * w[0] + 2 * w[1]}
    slip = [after(f"z = [{z}]: sum of a_i X_iᵀX_i is", said) for z in true]
    assert [after("X_iᵀz is", said.split(z)[1]) for z in true] == list(true.values()) == [2, -1]
    assert verdict(14) == (slip == list(true.values())) and slip == [0.5 * 5 - 1 * 10] * 2


def test_A1_slip_14_the_condition_for_the_minimum():
    space, said = run(15)
    K, y = space["K"], space["y"]
    best = minimize(lambda a: ((K @ a - y) ** 2).sum(), [3.0, -2.0], options={"gtol": 1e-10}).x
    np.testing.assert_allclose(K @ space["a"], K @ best, atol=1e-6)
    np.testing.assert_allclose(K @ best, [0.5, 0.5], atol=1e-6)
    assert verdict(15) == bool(np.allclose(K @ best, y, atol=1e-3))
    assert after("length of K(Ka − y):", said) == 0
    for seed in range(10):  # K(Ka − y) = 0 always has a solution, and it is a minimum
        Phi, y = gaussian_points(6, 2, seed), gaussian_points(6, 1, seed + 9)[:, 0]
        K = Phi @ Phi.T
        a = np.linalg.pinv(K) @ y
        assert np.abs(K @ (K @ a - y)).max() < 1e-9 < np.abs(K @ a - y).max()
        around = [((K @ (a + step) - y) ** 2).sum() for step in gaussian_points(50, 6, seed)]
        assert min(around) >= ((K @ a - y) ** 2).sum()


# ---- slip 16: the inverse is less stable ------------------------------------------------------------------------


def exact_residual(K, a, y):
    """The largest entry of Ka − y, with fractions and therefore without rounding."""
    a, y = [Fraction(float(v)) for v in a], [Fraction(float(v)) for v in y]
    rows = ([Fraction(float(v)) for v in row] for row in K)
    return float(max(abs(sum(p * q for p, q in zip(row, a, strict=True)) - t) for row, t in zip(rows, y, strict=True)))


def test_A1_slip_16_the_inverse_is_less_stable():
    space, said = run(16)
    K, y, found, truth = (space[name] for name in ("K", "y", "found", "truth"))
    solve, inverse = (exact_residual(K, found[way], y) for way in ("solve", "inverse"))
    assert solve * len(y) ** 0.5 < 1e-13 and inverse > 1e-9, "as the answer says"
    assert smallest(K) > 0.9e-9 and 1e8 < np.abs(np.linalg.inv(K)).max() < 1e9
    errors = {way: np.abs(a - truth).max() for way, a in found.items()}
    assert errors["solve"] < 5e-4 < errors["inverse"]
    assert verdict(16) == (inverse <= solve)
    assert re.findall(r"(\w+) *: right to three decimals: (\w+)", said) == [("solve", "True"), ("inverse", "False")]
    worse = 0
    for seed in range(10):  # other matrices and other weights
        rng = np.random.default_rng(seed)
        K = Gaussian(0.4)(rng.uniform(0, 1, (20, 1))) + 1e-9 * np.eye(20)
        y = K @ rng.choice([-1.0, 1.0], 20)
        worse += exact_residual(K, np.linalg.inv(K) @ y, y) > 10 * exact_residual(K, np.linalg.solve(K, y), y)
    assert worse == 10


# ---- slip 3: zero is a mistake -----------------------------------------------------------------------------------


def test_A1_slip_03_zero_must_count_as_a_mistake():
    space, _ = run(17)
    learned = stuck = 0
    for seed in range(20):
        X, w = gaussian_points(15, 2, seed), gaussian_points(1, 2, seed + 500)[0]
        y = np.where(X @ w > 0, 1, -1)
        X = X + 0.3 * y[:, None] * w / np.linalg.norm(w)  # a gap, so that ten passes are enough
        stuck += not space["perceptron"](X, y, lambda m: m >= 0, 100).any()
        learned += (y * (X @ space["perceptron"](X, y, lambda m: m > 0, 100)) > 0).all()
    assert stuck == learned == 20
    assert verdict(17) == (stuck == 0)
    assert np.sign(0.0) not in (-1, 1), "so the rule that compares signs calls 0 a mistake"
    np.testing.assert_array_equal(space["perceptron"](space["X"], space["y"], lambda m: m > 0), [2, 0])
    _, kept, moved = run(17)[1].splitlines()
    assert "w = [0. 0.]" in kept and "w = [2. 0.], y·wᵀx = [4. 2. 2. 4.]" in moved


# ---- slip 7: margins at ±1, and coef0 ------------------------------------------------------------------------------


def primal_svm(X, y, C):
    """w, b and ξ of the soft margin, by a general solver for constrained problems."""
    n, d = X.shape
    inside = {"type": "ineq", "fun": lambda p: y * (X @ p[:d] + p[d]) - 1 + p[d + 1 :]}
    slack = {"type": "ineq", "fun": lambda p: p[d + 1 :]}
    start = np.r_[np.zeros(d + 1), np.ones(n)]
    best = minimize(
        lambda p: p[:d] @ p[:d] / 2 + C * p[d + 1 :].sum(), start, constraints=[inside, slack], method="SLSQP"
    )
    return best.x[:d], best.x[d]


def test_A1_slip_07_the_margins_are_at_one():
    space, _ = run(18)
    X, y, C, multipliers = (space[name] for name in ("X", "y", "C", "multipliers"))
    w, b = primal_svm(X, y, C)
    h = X @ w + b
    np.testing.assert_allclose(space["h"], h, atol=1e-4)
    free = (multipliers > 1e-6) & (multipliers < C - 1e-6)
    assert free.any() and (multipliers > C - 1e-6).any() and (multipliers < 1e-6).any(), "the example has all three"
    assert verdict(18) == bool(np.allclose(np.abs(h[free]), 1, atol=1e-4))
    assert (y * h)[multipliers > C - 1e-6].max() < 1 < (y * h)[multipliers < 1e-6].min()
    assert not np.isclose(np.abs(h[free]), 0.5).any()
    inside = y * h < 1 - 1e-3
    assert inside.sum() == 2 and (multipliers <= C + 1e-9).all()
    np.testing.assert_allclose(multipliers[inside], C, atol=1e-6)

    def price(w, b):
        return w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w + b)).sum()

    around = [price(w + step[:1], b + step[1]) for step in 0.1 * gaussian_points(50)]
    assert min(around) >= price(w, b) - 1e-6, "the price of the answer has the same minimum"
    np.testing.assert_allclose((multipliers * y) @ X, w, atol=1e-4)
    seen = 0
    for seed in range(5):
        X = gaussian_points(12, 2, seed)
        y = np.where(X[:, 0] + 0.7 * gaussian_points(12, 1, seed + 70)[:, 0] > 0, 1, -1)
        w, b = primal_svm(X, y, 1.0)
        theirs = SVC(kernel="linear", C=1.0, tol=1e-8).fit(X, y)
        size = np.abs(theirs.dual_coef_[0])
        between = theirs.support_[(size > 1e-3) & (size < 1 - 1e-3)]
        seen += len(between)
        np.testing.assert_allclose(np.abs(X[between] @ w + b), 1, atol=1e-3)
    assert seen > 5


def test_A1_slip_07_the_default_of_coef0():
    X, y = run(19)[0]["X"], run(19)[0]["y"]
    theirs = SVC(kernel="poly", degree=3, gamma=1, C=1.0, tol=1e-8).fit(X, y)
    Z = gaussian_points(9)
    by_hand = {c: (Z @ theirs.support_vectors_.T + c) ** 3 @ theirs.dual_coef_[0] + theirs.intercept_ for c in (0, 1)}
    same = {c: np.allclose(theirs.decision_function(Z), h) for c, h in by_hand.items()}
    assert same == {0: True, 1: False} and verdict(19) == same[0]
    assert re.findall(r"c = (\d): the same h at all points: (\w+)", run(19)[1]) == [("0", "True"), ("1", "False")]
    x, z = gaussian_points(2)
    features = [np.array([p[0] ** 2, p[1] ** 2, 2**0.5 * p[0] * p[1]]) for p in (x, z)]
    assert (x @ z) ** 2 == pytest.approx(features[0] @ features[1]), "degree 2 without a constant: nothing linear"
    h, b = theirs.decision_function, theirs.intercept_
    np.testing.assert_allclose(h(-Z) - b, -(h(Z) - b))


# ---- slip 17: the sign in a convolution ------------------------------------------------------------------------------


def test_A1_slip_17_the_sign_in_a_convolution():
    """SciPy has both sums; which of them the cell computes is asked at other rows and filters as well."""
    space, said = printed(source(20))
    shown = {words: [int(n) for n in numbers.split()] for words, numbers in re.findall(r"(.*): +\[(.*)\]", said)}
    x, w = space["x"], space["w"]
    assert shown["w_j times x_(i+j)"] == ndimage.correlate1d(x, w, mode="constant").tolist() == [0, 5, 23, 14, 8, 0]
    assert shown["w_j times x_(i−j)"] == shown["np.convolve"] == signal.convolve(x, w, "same").tolist()
    assert shown["np.convolve"] == [0, 2, 11, 17, 20, 0], "as the answer says"
    plus, minus = 0, 0
    for seed in range(20):
        space["x"] = x = gaussian_points(9, 1, seed)[:, 0]
        space["w"] = w = gaussian_points(3, 1, seed + 50)[:, 0]
        space["outside"] = np.pad(x, 1)
        true = signal.convolve(x, w, "same")
        plus += np.allclose(space["weighted_sums"](1), true)
        minus += np.allclose(space["weighted_sums"](-1), true)
    assert (plus, minus) == (0, 20) and verdict(20) == (plus == 20)


@EACH("name", ["01-feature-maps.ipynb", "16-images.ipynb"])
def test_A1_slip_17_is_not_made_where_convolutions_are_taught(name):
    text = "".join(cell.source for cell in cells(FOLDER / name, "markdown"))
    signs = re.findall(r"\\sum_(?P<j>\w) \w_(?P=j)\\,x_\{\w([+-])(?P=j)\}", text)
    assert signs and {sign for _, sign in signs} == {"-"}


# ---- the page as a whole ------------------------------------------------------------------------------------------


def test_A1_each_bet_is_one_statement_one_cell_and_one_answer():
    ids = [cell.id for kind in ("markdown", "code") for cell in cells(A1, kind) if cell.id.startswith("bet-")]
    assert sorted(ids) == sorted(f"bet-{bet:02}{part}" for bet in range(1, 21) for part in ("", "-cell", "-answer"))
    for bet in range(1, 21):
        (asked,) = [cell.source for cell in cells(A1, "markdown") if cell.id == f"bet-{bet:02}"]
        assert len(re.findall(r"^> ", asked, re.M)) == 1 and not re.search(r"\*\*(right|wrong)", asked)
        assert verdict(bet) in (True, False)


def test_A1_the_table_has_a_row_for_every_bet_and_every_lecture_that_an_exercise_refutes():
    (table,) = [cell.source for cell in cells(A1, "markdown") if "| bet | lecture |" in cell.source]
    rows = re.findall(r"^\| (.*?) ?\| ([A-E]) \|", table, re.M)
    assert [bet for bet, _ in rows if bet.isdigit()] == [str(bet) for bet in range(1, 21)]
    assert {lecture for _, lecture in rows} == set("ABCDE") and sum(not bet for bet, _ in rows) >= 7
    named = {"A1.1": check.COUNTS, "A1.2": check.KERNELS, "A1.3": check.MACHINES}
    refuted = [(bet[:-1], bet[-1]) for bet, _ in rows if bet.startswith("A1.")]
    assert len(refuted) == 3 and all(named[number][letter][0] == check.WRONG for number, letter in refuted)


def test_A1_right_forms_of_the_table_that_no_bet_computes():
    for d in (1, 2, 3):  # a polynomial of degree d in m: its differences of order d are constant, and not 0
        counts = [sum(len(exponents(d, j)) for j in range(m + 1)) for m in range(8)]
        assert len(set(np.diff(counts, d))) == 1 and np.diff(counts, d)[0] > 0
    U, V = gaussian_points(4, 3), gaussian_points(3, 4, 1)
    for own in np.linalg.eigvals(V @ U):  # those of UV other than 0
        gap = [np.linalg.svd(own * np.eye(n) - M)[1][-1] for n, M in ((4, U @ V), (3, V @ U))]
        assert max(gap) < 1e-9, "at λ = −own neither bracket can be inverted"
    left, right = np.linalg.solve(0.3 * np.eye(4) + U @ V, U), U @ np.linalg.inv(0.3 * np.eye(3) + V @ U)
    np.testing.assert_allclose(left, right)
    for p in (9, 100, 1000):  # x^p by squaring
        squarings, products = p.bit_length() - 1, bin(p).count("1") - 1
        assert squarings + products <= 2 * np.log2(p)


# ---- the exercises: each verdict that the checks expect is computed --------------------------------------------------


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
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    unit = gaussian_points(40, 3)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    X = gaussian_points(8, 2)
    sums = [sum((X @ X.T) ** j / factorial(j) for j in range(m + 1)) for m in range(9)]
    svc = SVC(gamma=0.5).fit(X, [0, 1] * 4)
    sigma_one = Gaussian(1.0)(X, svc.support_vectors_) @ svc.dual_coef_[0] + svc.intercept_
    return {
        "a": (unit @ unit.T).max() <= 1 + 1e-12,
        "b": smallest(X @ X.T - 2 * X @ X.T) > -1e-9,
        "c": smallest(K) >= 0,
        "d": bool(np.allclose(svc.decision_function(X), sigma_one)),
        "e": min(map(smallest, sums)) > -1e-9,
        "f": smallest(X @ np.array([[0.0, 1.0], [1.0, 0.0]]) @ X.T) > -1e-9,
        "g": smallest(run(11)[0]["equal_or_not"](X[:, :1])) < 0,  # it is I, of the unit vectors as features
    }


def truths_of_machines():
    X, y, lam = gaussian_points(9), gaussian_points(9, 1, 5)[:, 0], 0.4
    best = minimize(lambda w: ((X @ w - y) ** 2).mean() + lam * w @ w, [0.0, 0.0], options={"gtol": 1e-10}).x
    Phi, start = gaussian_points(2, 3), gaussian_points(1, 3, 8)[0]
    outside = start - np.linalg.pinv(Phi) @ (Phi @ start)
    w, separable = np.array([1.0, 0.0]), np.array([[1.0, 2.0], [-1.0, 1.0]])
    pays = [np.maximum(0, -np.array([1, -1]) * (separable @ v)).sum() for v in (w, 2 * w, 0 * w)]
    svm = SVC(kernel="linear", C=1.0, tol=1e-8).fit(run(18)[0]["X"], run(18)[0]["y"])
    inside = run(18)[0]["y"] * svm.decision_function(run(18)[0]["X"]) < 0.999
    multipliers = np.zeros(6)
    multipliers[svm.support_] = np.abs(svm.dual_coef_[0])
    return {
        "a": bool(np.allclose(best, np.linalg.solve(X.T @ X + 9 * lam * np.eye(2), X.T @ y), atol=1e-5)),
        "b": bool(np.allclose(Phi @ outside, 0)) and bool(np.allclose(outside, 0)),  # a part that no step changes
        "c": -1 + 1 * 1 != 0,  # λ + UV with U = V = 1 and λ = −1
        "d": len(set(pays)) > 1,
        "e": (gaussian_points(5, 3).T @ gaussian_points(5, 3)).shape == (5, 5),
        "f": inside.any() and bool(np.allclose(multipliers[inside], 1.0, atol=1e-6)),
    }


@EACH(
    "expected, computed",
    [(check.COUNTS, truths_of_counts), (check.KERNELS, truths_of_kernels), (check.MACHINES, truths_of_machines)],
    ids=["counts", "kernels", "machines"],
)
def test_A1_bets_of_the_exercises_are_computed(expected, computed):
    assert {letter: told == check.RIGHT for letter, (told, _) in expected.items()} == computed()
