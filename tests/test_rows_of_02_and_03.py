"""What notebooks 02 and 03 teach, as theorems: about the code of their own cells, and about what it stands for."""

import re
from itertools import combinations, product
from math import comb, exp, factorial, prod
from pathlib import Path

import nbformat
import numpy as np
import pytest

from kernelkit import (
    Gaussian,
    KernelRidge,
    Linear,
    Monomials,
    Normalized,
    OrderedMonomials,
    Polynomial,
    PrimalRidge,
)
from kernelkit.explorers.kernel_ridge.recovery import break_even

FOLDER = Path(__file__).parents[1] / "notebooks"


def space_of(name, last):
    """What is defined when all code cells to this one have run, but for panels and checks."""
    cells, space = nbformat.reads((FOLDER / name).read_text(encoding="utf-8"), as_version=4).cells, {}
    for cell in cells[: [cell.id for cell in cells].index(last) + 1]:
        if cell.cell_type == "code" and not re.search(r"\bexplore\.|\bcheck\.|\brepeat\(", cell.source):
            exec(cell.source, space)
    return space


class Counted(float):
    """A number that counts the products made of it."""

    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return Counted(float(self) * float(other))

    def __add__(self, other):
        return Counted(float(self) + float(other))

    def __sub__(self, other):
        return Counted(float(self) - float(other))


def products_of(task, *arguments):
    Counted.products = 0
    task(*arguments)
    return Counted.products


# ---- 2.1 to 2.4: which features, and what they cost ----------------------------------------------


@pytest.mark.parametrize(("d", "p", "c"), [(1, 4, 2.0), (2, 3, 0.5), (3, 2, 3.0), (2, 5, 1.0)])
def test_weight_of_each_monomial_is_the_root_of_its_factor_in_the_expansion(d, p, c):
    space = space_of("02-kernel-trick.ipynb", "cell-17")
    x, z = np.random.default_rng(0).standard_normal((2, d))
    ours = space["weighted"](x, p, c)
    assert len(ours) == comb(d + p, p)
    assert ours @ space["weighted"](z, p, c) == pytest.approx((x @ z + c) ** p)
    np.testing.assert_allclose(np.sort(ours), np.sort(Monomials(p, c)(x)))
    for alpha in product(range(p + 1), repeat=d):  # the factor of x^α z^α, from counting words with d + 1 letters
        if sum(alpha) <= p:
            words = factorial(p) / prod(map(factorial, (*alpha, p - sum(alpha))))
            assert space["weight"](alpha, p, c) ** 2 == pytest.approx(words * c ** (p - sum(alpha)))


def test_short_forms_take_fewer_operations_than_long_ones(capsys):
    space = space_of("02-kernel-trick.ipynb", "series")
    number, tally = space["Counted"], space["Counted"].tally

    def counted(name, *numbers):
        tally.update({"·": 0, "+": 0})
        return float(space[name](*map(number, numbers))), (tally["·"], tally["+"])

    for x in (0.7, -2.0):
        assert counted("expanded", x) == (pytest.approx((x + 1) ** 9), (18, 9))
        assert counted("bracket", x) == (pytest.approx((x + 1) ** 9), (4, 1))
        assert counted("series", x) == (pytest.approx(exp(x), rel=1e-3), (30, 15))
    assert counted("explicit", 1, 2, 3, 0.5) == (16, (11, 2)) and counted("kernel", 1, 2, 3, 0.5) == (16, (3, 1))


# ---- 2.5: similarity -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3, 0.5)])
def test_of_points_of_one_length_the_nearest_has_the_largest_product(k):
    """In feature space, for features divided by their lengths; and not for features as they are."""
    X, Z = np.random.default_rng(1).standard_normal((2, 50, 3))
    Phi, new = k.feature_map()(X), k.feature_map()(Z)
    undivided = k(Z, X).argmax(axis=1) == k.squared_distance(Z, X).argmin(axis=1)
    pairs = ((new[:, None] - Phi) ** 2).sum(axis=2)
    np.testing.assert_allclose(k.squared_distance(Z, X), pairs, rtol=1e-9)
    np.testing.assert_allclose(pairs / 2, k.diag(Z)[:, None] / 2 - k(Z, X) + k.diag(X) / 2, rtol=1e-9)
    Phi, new = (F / np.linalg.norm(F, axis=1, keepdims=True) for F in (Phi, new))
    distances = ((new[:, None] - Phi) ** 2).sum(axis=2)
    cosine = k(Z, X) / np.sqrt(np.outer(k.diag(Z), k.diag(X)))
    np.testing.assert_allclose(Normalized(k)(Z, X), cosine)
    np.testing.assert_allclose(distances / 2, 1 - cosine, atol=1e-12)
    assert (cosine.argmax(axis=1) == distances.argmin(axis=1)).all() and not undivided.all()


# ---- 2.6: not every Φ has a fast kernel ----------------------------------------------------------


def test_all_pairs_have_a_short_form_and_each_graph_has_a_kernel_of_its_own():
    long_way = space_of("02-kernel-trick.ipynb", "graph")["long_way"]
    x, z = np.random.default_rng(2).standard_normal((2, 7))
    every = list(combinations(range(7), 2))
    u = x * z
    assert long_way(x, z, every) == pytest.approx((u.sum() ** 2 - u @ u) / 2)
    pairs, points = list(combinations(range(4), 2)), [np.eye(4)[i] + np.eye(4)[j] for i, j in combinations(range(4), 2)]
    graphs = [[pair for pair, there in zip(pairs, coins, strict=True) if there] for coins in product((0, 1), repeat=6)]
    values = {tuple(long_way(v, v, graph) if graph else 0.0 for v in points) for graph in graphs}
    assert len(values) == len(graphs) == 2**6


def test_most_graphs_have_no_kernel_that_600_characters_describe():
    assert comb(100, 2) == 4950 and 256**600 == 2**4800 < 2**4950 // 10**40


# ---- 2.7: copies, signs and sizes of features ----------------------------------------------------


def test_copies_share_a_weight_and_act_as_one_larger_feature():
    """Ordered products against merged ones: the same predictions, and w_merged = √m · w of each copy."""
    X, Z = np.random.default_rng(3).standard_normal((2, 20, 2))
    y = X[:, 0] * X[:, 1] + X[:, 0]
    kept, merged = (PrimalRidge(phi, 0.7).fit(X, y) for phi in (OrderedMonomials(2), Monomials(2, offset=0)))
    np.testing.assert_allclose(kept.predict(Z), merged.predict(Z))
    assert kept.w_[1] == pytest.approx(kept.w_[2]) and merged.w_[1] == pytest.approx(np.sqrt(2) * kept.w_[1])


def test_a_sign_changes_a_weight_and_no_prediction_and_a_size_changes_both():
    rng = np.random.default_rng(4)
    F, y = rng.standard_normal((12, 3)), rng.standard_normal(12)

    def fitted(scale):
        w = np.linalg.solve((F * scale).T @ (F * scale) + np.eye(3), (F * scale).T @ y)
        return w, F * scale @ w

    w, h = fitted(1.0)
    sign, size = fitted(np.array([-1, 1, 1])), fitted(np.array([0.5, 1, 1]))
    np.testing.assert_allclose(sign[0], w * [-1, 1, 1])
    np.testing.assert_allclose(sign[1], h)
    assert np.abs(size[1] - h).max() > 0.01


# ---- 2.8: four and a half million features -------------------------------------------------------


def test_the_headline_model_is_the_one_with_all_features_and_costs_less_than_their_number():
    space = space_of("02-kernel-trick.ipynb", "headline")
    n, D, k = 300, Polynomial(4).dim(100), Polynomial(4)
    assert D == comb(104, 4) == 4_598_126
    assert n**2 < D / 50, "numbers in K"
    assert n * (n + 1) / 2 * (100 + 3) + n**3 / 6 < 2.1 * D < n * D / 100, "products, against those of Φ alone"
    X, y = space["X"], space["y"]
    linear, model = (KernelRidge(kernel, 1e-4).fit(X[:n], y[:n]) for kernel in (Polynomial(1), k))
    assert model.score(X[n:], y[n:]) > 0.99 > 0.7 > linear.score(X[n:], y[n:])
    few = X[:, :8]  # 495 features: few enough to write down
    primal = PrimalRidge(k.feature_map(), 1e-2).fit(few[:n], y[:n])
    np.testing.assert_allclose(KernelRidge(k, 1e-2).fit(few[:n], y[:n]).predict(few), primal.predict(few), atol=1e-6)


# ---- kernels that look like none -----------------------------------------------------------------


def test_the_minimum_is_an_inner_product_of_steps():
    reached = space_of("02-kernel-trick.ipynb", "minimum")["reached"]
    for x, z in product(np.arange(0, 5.1, 0.25), repeat=2):
        assert reached(x) @ reached(z) == pytest.approx(min(x, z))


def test_the_square_of_xz_minus_1_has_no_features():
    """Φ(x) of length 0 at a unit vector, and yet k(x, −x) = 4: its Gram matrix has the eigenvalue −4."""
    x = np.array([[0.6, 0.8], [-0.6, -0.8]])
    K = (x @ x.T - 1) ** 2
    np.testing.assert_allclose(K, [[0, 4], [4, 0]], atol=1e-12)
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-4)


# ---- 3.2: push-through, and the matrix-inversion lemma -------------------------------------------


@pytest.mark.parametrize(("n", "D"), [(5, 8), (8, 5), (1, 4), (6, 6)])
@pytest.mark.parametrize("lam", [0.01, 3.0])
def test_push_through(n, D, lam):
    Phi = np.random.default_rng(n).standard_normal((n, D))
    left = np.linalg.solve(Phi.T @ Phi + lam * np.eye(D), Phi.T)
    right = np.linalg.solve(Phi @ Phi.T + lam * np.eye(n), Phi).T
    np.testing.assert_allclose(left, right, atol=1e-9)


@pytest.mark.parametrize(("n", "m"), [(3, 5), (6, 2)])
def test_inversion_lemma_holds_for_any_four_matrices_and_gives_push_through(n, m):
    rng, inv = np.random.default_rng(n), np.linalg.inv
    E, F, G, H = (rng.standard_normal(shape) for shape in ((n, n), (n, m), (m, n), (m, m)))

    def sides(E, F, G, H):
        return inv(E - F @ inv(H) @ G) @ F @ inv(H), inv(E) @ F @ inv(H - G @ inv(E) @ F)

    np.testing.assert_allclose(*sides(E, F, G, H), atol=1e-8)
    left, right = sides(0.7 * np.eye(n), G.T, G, -np.eye(m))
    np.testing.assert_allclose(-left, inv(G.T @ G + 0.7 * np.eye(n)) @ G.T, atol=1e-9)
    np.testing.assert_allclose(-right, G.T @ inv(G @ G.T + 0.7 * np.eye(m)), atol=1e-9)


# ---- 3.4, 3.6 and 3.10: counted operations -------------------------------------------------------


def counted(A):
    return [[Counted(v) for v in row] for row in np.asarray(A, float)]


def matrix_product(A, B):
    """A Bᵀ of lists of counted numbers."""
    return [[sum((a * b for a, b in zip(u, v, strict=True)), Counted(0)) for v in B] for u in A]


def eliminate(A, B):
    """Solve A X = B by elimination without exchanges: about m³/3 products, and m² for each column of B."""
    A, B, m = [list(row) for row in A], [list(row) for row in B], len(A)
    for k in range(m):
        for i in range(k + 1, m):
            factor = A[i][k] * Counted(1 / A[k][k])
            A[i][k + 1 :] = [a - factor * p for a, p in zip(A[i][k + 1 :], A[k][k + 1 :], strict=True)]
            B[i] = [b - factor * p for b, p in zip(B[i], B[k], strict=True)]
    for k in reversed(range(m)):
        for j in range(k + 1, m):
            B[k] = [b - A[k][j] * x for b, x in zip(B[k], B[j], strict=True)]
        B[k] = [b * Counted(1 / A[k][k]) for b in B[k]]
    return B


def matrix(rng, m):
    A = rng.standard_normal((m, m))
    return A @ A.T + m * np.eye(m)


def test_elimination_solves_and_a_whole_inverse_takes_several_times_as_many_products():
    rng, m = np.random.default_rng(0), 24
    A, b = matrix(rng, m), rng.standard_normal((m, 1))
    np.testing.assert_allclose(np.array(eliminate(counted(A), counted(b)), float), np.linalg.solve(A, b))
    one = products_of(eliminate, counted(A), counted(b))
    assert one < products_of(eliminate, counted(A), counted(np.eye(m))) / 3
    growth = products_of(eliminate, counted(matrix(rng, 2 * m)), counted(np.ones((2 * m, 1)))) / one
    assert 2**2.6 < growth < 2**3


def training_products(form, n, d, p):
    """Products of one training by hand: the matrix, then the elimination."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    Phi = Polynomial(p).feature_map()(X)
    rows = {"primal": Phi.T, "dual": Phi, "kernel": X}[form]
    total = products_of(matrix_product, counted(rows), counted(rows))
    return total + products_of(eliminate, counted(matrix(rng, len(rows))), counted(np.ones((len(rows), 1))))


def test_counted_training_grows_with_the_slopes_that_the_table_predicts():
    """d = 2, p = 2: D = 6. Doubling n doubles the primal products; those of the others grow towards 2³-fold."""
    slopes = {form: np.log2(training_products(form, 96, 2, 2) / training_products(form, 48, 2, 2))
              for form in ("primal", "dual", "kernel")}  # fmt: skip
    table = space_of("03-kernel-ridge.ipynb", "cell-28")["training_counts"]
    predicted = np.log2(table(96, 2, 6) / table(48, 2, 6))
    np.testing.assert_allclose(list(slopes.values()), predicted, atol=0.05)
    assert 0.9 < slopes["primal"] <= 1 < 2.5 < slopes["dual"] < slopes["kernel"] < 3


@pytest.mark.parametrize(("n", "d", "D", "t"), [(10, 4, 20, 10), (6, 2, 6, 6), (12, 5, 20, 6)])
def test_both_ways_of_predicting_make_as_many_products_at_the_break_even(n, d, D, t):
    """K̃ by inner products of inputs, against w once and one inner product of features for each test point."""
    def ones(*shape):
        return counted(np.ones(shape))

    stay = products_of(matrix_product, ones(t, d), ones(n, d))
    build = products_of(matrix_product, ones(D, n), ones(1, n)) + products_of(matrix_product, ones(t, D), ones(1, D))
    assert stay == build and break_even(n, d, D) == t and 1 / n + 1 / t == pytest.approx(d / D)


@pytest.mark.parametrize("lam", [1e-8, 1e-7])
def test_the_inverse_loses_more_digits_than_the_solution(lam):
    X = np.linspace(-1, 1, 50)[:, None]
    A = Polynomial(9)(X) + lam * np.eye(50)
    y = A @ np.cos(np.arange(50))
    solved, inverted = np.linalg.solve(A, y), np.linalg.inv(A) @ y
    assert np.linalg.norm(A @ inverted - y) > 100 * np.linalg.norm(A @ solved - y)


# ---- 3.5: the rank of K --------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_linear_features_and_a_bias_make_k_singular_beyond_d_plus_1_points(n, d):
    X = np.random.default_rng(n).standard_normal((n, d))
    rank = np.linalg.matrix_rank(Polynomial(1)(X))
    assert rank == min(n, d + 1) and (rank < n) == (n > d + 1)


# ---- 3.7: kernelising in three steps -------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Polynomial(3)])
def test_three_steps_lead_from_normal_equations_to_a_kernel(k):
    rng, lam = np.random.default_rng(5), 0.3
    X, y, z = rng.standard_normal((12, 2)), rng.standard_normal(12), rng.standard_normal(2)
    phi = k.feature_map()
    Phi = phi(X)
    w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)
    a = (y - Phi @ w) / lam
    np.testing.assert_allclose(Phi.T @ a, w, atol=1e-9)  # 1. in the span
    h = sum(weight * (phi(x) @ phi(z)) for weight, x in zip(a, X, strict=True))
    assert h == pytest.approx(phi(z) @ w)  # 2. substituted
    kernelised = np.linalg.solve(k(X) + lam * np.eye(12), y)
    np.testing.assert_allclose(kernelised, a, atol=1e-9)  # 3. without Φ
    assert k(z, X) @ kernelised == pytest.approx(h)


# ---- 3.9 and 3.11: what dual weights and predictions mean ----------------------------------------


def test_dual_weights_are_linear_in_all_targets_and_each_sees_what_the_others_miss():
    rng, k, lam = np.random.default_rng(6), Polynomial(3), 0.2
    X, y, other = rng.standard_normal((9, 2)), rng.standard_normal(9), rng.standard_normal(9)

    def a(y):
        return KernelRidge(k, lam).fit(X, y).a_

    np.testing.assert_allclose(a(2 * y - 3 * other), 2 * a(y) - 3 * a(other), atol=1e-9)
    L = np.column_stack([a(e) for e in np.eye(9)])
    np.testing.assert_allclose(L, np.linalg.inv(k(X) + lam * np.eye(9)), atol=1e-9)
    assert (np.abs(L) > 1e-9).all(), "every dual weight moves with every target"
    for i in range(9):
        rest = np.arange(9) != i
        error = y[i] - KernelRidge(k, lam).fit(X[rest], y[rest]).predict(X[i : i + 1])[0]
        assert a(y)[i] == pytest.approx(L[i, i] * error)


@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(0.8)])
def test_kernel_ridge_is_the_mean_of_a_random_curve_given_noisy_values(k):
    """Of all weights of y, those of kernel ridge have the smallest mean squared error: a formula in k alone."""
    rng, lam = np.random.default_rng(7), 0.5
    X, z = rng.standard_normal((4, 1)), rng.standard_normal(1)

    def error(weights):  # E (f(z) − weightsᵀy)², with Cov(y) = K + λI and Cov(f(z), y) = k(z, X)
        return k(z, z) - 2 * weights @ k(z, X) + weights @ (k(X) + lam * np.eye(4)) @ weights

    ridge = np.array([KernelRidge(k, lam).fit(X, e).predict(z[None])[0] for e in np.eye(4)])
    assert all(error(ridge) < error(ridge + 0.01 * rng.standard_normal(4)) for _ in range(50))


# ---- λ → 0, and a bias that is penalised ---------------------------------------------------------


def test_along_each_eigenvector_weights_and_predictions_go_where_the_fractions_say():
    rng = np.random.default_rng(8)
    X, y = rng.uniform(-1, 1, (9, 1)), rng.standard_normal(9)
    K = Polynomial(3)(X)
    kappa, U = np.linalg.eigh(K)
    for lam in (1.0, 1e-2):
        a = KernelRidge(Polynomial(3), lam).fit(X, y).a_
        np.testing.assert_allclose(U.T @ a, U.T @ y / (kappa + lam), rtol=1e-6)
        np.testing.assert_allclose(U.T @ K @ a, kappa / (kappa + lam) * (U.T @ y), atol=1e-8)


def test_after_centring_a_penalty_on_the_bias_moves_the_curve_little():
    space = space_of("03-kernel-ridge.ipynb", "worry-code")
    moved, far = space["moved"], np.column_stack([space["far_x"], space["far_x"] ** 2])
    for lam in (0.1, 1.0, 10.0, 100.0):
        little = moved(space["Phi"], space["y"], lam)
        assert little < 0.02 * np.ptp(space["y"]) and little < moved(far, space["far_y"], lam) / 10
        centred = space["Phi"] - space["Phi"].mean(axis=0)
        assert moved(centred, space["y"], lam) < 1e-9
