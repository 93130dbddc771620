"""What notebook 03 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import re
import time
from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from counted import Counted, products_of
from notebook_cells import space_of

from kernelkit import (
    DualRidge,
    Gaussian,
    KernelRidge,
    Linear,
    Polynomial,
    PrimalRidge,
    datasets,
)
from kernelkit.course.explorers.kernel_ridge.centring import centring
from kernelkit.course.explorers.kernel_ridge.recovery import break_even
from kernelkit.course.explorers.kernel_ridge.times import _operations

NOTEBOOK = "03-kernel-ridge.ipynb"

# ---- 3.2: push-through, and the matrix-inversion lemma -------------------------------------------


@pytest.mark.parametrize(("p", "q"), [(5, 8), (8, 5), (1, 4), (6, 6)])
@pytest.mark.parametrize("lam", [0.01, 3.0])
def test_push_through(p, q, lam):
    """(UV + λI)⁻¹U = U(VU + λI)⁻¹, for U = Φᵀ, V = Φ and for any U and V with both inverses."""
    rng = np.random.default_rng(p)
    U = rng.standard_normal((p, q))
    for V in (U.T, rng.standard_normal((q, p))):
        left = np.linalg.solve(U @ V + lam * np.eye(p), U)
        right = np.linalg.solve((V @ U + lam * np.eye(q)).T, U.T).T
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


# ---- 3.3: the three forms ------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d", "degree", "D"), [(7, 2, 3, 10), (20, 2, 2, 6), (6, 1, 5, 6)])
@pytest.mark.parametrize("lam", [0.05, 2.0])
def test_the_three_forms_of_the_cell_predict_the_same_and_what_the_three_classes_predict(n, d, degree, D, lam):
    """With fewer points than features, with more, and with as many."""
    space, rng = space_of(NOTEBOOK, "cell-20"), np.random.default_rng(n)
    X, y, Z = rng.standard_normal((n, d)), rng.standard_normal(n), rng.standard_normal((9, d))
    k = Polynomial(degree)
    phi = k.feature_map()
    assert phi(X).shape == (n, D)
    models = PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)
    w = np.linalg.lstsq(np.vstack([phi(X), lam**0.5 * np.eye(D)]), np.append(y, np.zeros(D)))[0]  # least squares
    for form, given, model in zip(("primal", "dual", "kernel"), (phi, phi, k), models, strict=True):
        predicted = space[form](given, X, y, Z, lam)
        np.testing.assert_allclose(predicted, phi(Z) @ w, atol=1e-8, err_msg=form)
        np.testing.assert_allclose(predicted, model.fit(X, y).predict(Z), atol=1e-8, err_msg=form)


# ---- 3.4, 3.6 and 3.10: counted operations -------------------------------------------------------


def counted(A):
    return [[Counted(v) for v in row] for row in np.asarray(A, float)]


def matrix_product(A, B):
    """A Bᵀ of lists of counted numbers."""
    return [[sum((a * b for a, b in zip(u, v, strict=True)), Counted(0)) for v in B] for u in A]


def eliminate(A, B):
    """Solve A X = B by elimination without exchanges. A product with a 0 of B is left out."""
    A, B, m = [list(row) for row in A], [list(row) for row in B], len(A)
    for k in range(m):
        for i in range(k + 1, m):
            factor = A[i][k] * Counted(1 / A[k][k])
            A[i][k + 1 :] = [a - factor * p for a, p in zip(A[i][k + 1 :], A[k][k + 1 :], strict=True)]
            B[i] = [b - factor * p if p else b for b, p in zip(B[i], B[k], strict=True)]
    for k in reversed(range(m)):
        for j in range(k + 1, m):
            B[k] = [b - A[k][j] * x for b, x in zip(B[k], B[j], strict=True)]
        B[k] = [b * Counted(1 / A[k][k]) for b in B[k]]
    return B


def matrix(rng, m):
    A = rng.standard_normal((m, m))
    return A @ A.T + m * np.eye(m)


def cubic_part(columns):
    """c in c·m³ + …, the products of an elimination: counts are a cubic polynomial of m, so its third difference."""
    sizes, rng = (4, 8, 12, 16), np.random.default_rng(1)
    counts = [products_of(eliminate, counted(matrix(rng, m)), counted(columns(m))) for m in sizes]
    return np.diff(counts, 3)[0] / (6 * 4**3)


def test_elimination_takes_a_third_of_the_cube_and_a_whole_inverse_three_times_as_much():
    rng = np.random.default_rng(0)
    A, b = matrix(rng, 24), rng.standard_normal((24, 1))
    np.testing.assert_allclose(np.array(eliminate(counted(A), counted(b)), float), np.linalg.solve(A, b))
    np.testing.assert_allclose(np.array(eliminate(counted(A), counted(np.eye(24))), float), np.linalg.inv(A), atol=1e-9)
    assert cubic_part(lambda m: np.ones((m, 1))) == pytest.approx(1 / 3)
    assert cubic_part(np.eye) == pytest.approx(1)


@pytest.mark.parametrize(("solve", "inv", "longer"), [(1 / 3, 1, True), (1, 1 / 3, False)])
def test_the_cell_takes_the_time_of_both_ways_each_by_itself(solve, inv, longer, monkeypatch, capsys):
    """On a clock that counts the products of the two calls, and then on one where an inverse is cheap."""
    done = [0.0]

    def counting(name, share):
        true = getattr(np.linalg, name)

        def call(A, *more):
            done[0] += share * len(A) ** 3
            return true(A, *more)

        monkeypatch.setattr(np.linalg, name, call)

    counting("solve", solve)
    counting("inv", inv)
    monkeypatch.setattr(time, "perf_counter", lambda: done[0])
    space = space_of(NOTEBOOK, "solve-code")
    assert [space["solving"], space["inverting"]] == pytest.approx([solve * 1000**3, inv * 1000**3])
    said = capsys.readouterr().out
    assert f"inverting takes longer: {longer}" in said
    found = [name for name, right in re.findall(r": (\w+) finds a to three decimals: (\w+)", said) if right == "True"]
    assert found == ["solving", "solving", "inverting"], "only at the tiny λ the inverse loses the answer"


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
    slopes = {
        form: np.log2(training_products(form, 96, 2, 2) / training_products(form, 48, 2, 2))
        for form in ("primal", "dual", "kernel")
    }
    counts, fewer = (_operations(n, 2, 6, "train") for n in (96, 48))
    predicted = [np.log2(counts[form] / fewer[form]) for form in slopes]
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


def test_with_the_tiny_lambda_solving_finds_the_weights_and_inverting_misses_them_by_hundreds():
    """The cell prints True or False; these are its numbers, with the kernel written out. Exact residuals bound one."""
    X, lam, truth = np.asarray(datasets.sine(n=60)[0]) / 3, 1e-8, np.sign(np.sin(np.arange(60)))
    A = (1 + X @ X.T) ** 9 + lam * np.eye(60)
    y = A @ truth
    solved, inverted = np.linalg.solve(A, y), np.linalg.inv(A) @ y
    rows = [[Fraction(v) for v in row] for row in A.tolist()]
    left = [
        sum(map(mul, row, map(Fraction, solved.tolist()))) - Fraction(v)
        for row, v in zip(rows, y.tolist(), strict=True)
    ]
    assert float(max(map(abs, left))) * 60**0.5 / lam < 5e-4, (
        "so far from the exact solution at most, for λ is A's least"
    )
    assert 1e11 < np.linalg.eigvalsh(A)[-1] / lam < 4e11
    assert np.abs(solved - truth).max() < 1e-4 and np.abs(inverted - truth).max() > 500


# ---- 3.5: the rank of K --------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_linear_features_and_a_bias_make_k_singular_beyond_d_plus_1_points(n, d):
    X = np.random.default_rng(n).standard_normal((n, d))
    rank = np.linalg.matrix_rank(Polynomial(1)(X))
    assert rank == min(n, d + 1) and (rank < n) == (n > d + 1)


# ---- 3.5: K⁻¹y against (K + λI)⁻¹y ---------------------------------------------------------------


@pytest.mark.parametrize(("k", "n"), [(Gaussian(0.8), 7), (Polynomial(3), 4), (Polynomial(1), 2)], ids=str)
def test_the_inverse_interpolates_any_targets_and_ridge_misses_each_by_its_weight_times_lambda(k, n):
    rng = np.random.default_rng(n)
    X, y = rng.uniform(-2, 2, (n, 1)), rng.standard_normal(n)
    K = k(X)
    assert np.linalg.eigvalsh(K)[0] > 1e-9, "positive definite"
    weights = np.linalg.inv(K) @ y
    np.testing.assert_allclose(K @ weights, y, atol=1e-6)
    missed = []
    for lam in (1e-2, 1e-4, 1e-12):
        model = KernelRidge(k, lam).fit(X, y)
        np.testing.assert_allclose(y - model.predict(X), lam * model.a_, atol=1e-9)
        missed.append(np.linalg.norm(y - model.predict(X)))
    assert missed[0] > missed[1] > missed[2] and missed[0] > 1e-4 > 1e-6 > missed[2]
    np.testing.assert_allclose(model.a_, weights, rtol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_k_has_an_inverse_exactly_when_it_is_positive_definite_and_with_lambda_always(seed):
    rng = np.random.default_rng(seed)
    for features in (2, 5, 9):
        Phi = rng.integers(-3, 4, (5, features)).astype(float)
        K = Phi @ Phi.T
        kappa = np.linalg.eigvalsh(K)
        assert (np.linalg.matrix_rank(K) == 5) == (kappa[0] > 1e-9) == (np.linalg.det(K) > 0.5)
        assert np.linalg.eigvalsh(K + 0.3 * np.eye(5))[0] > 0.3 - 1e-9


@pytest.mark.parametrize(("lam", "slope", "start"), [(0, 2, 1), (0.01, 1.97, 1.01), (1, 1, 1)])
def test_two_points_at_0_and_1_get_these_lines(lam, slope, start):
    a = np.linalg.solve(Polynomial(1)(np.array([[0.0], [1.0]])) + lam * np.eye(2), [1, 3])
    np.testing.assert_allclose([a[1], a.sum()], [slope, start], atol=0.005)


@pytest.mark.parametrize("lam", [1.0, 0.01, 1e-6])
def test_of_two_measurements_at_one_place_the_sum_settles_and_the_difference_does_not(lam):
    a = np.linalg.solve(Gaussian(0.7)(np.zeros((2, 1))) + lam * np.eye(2), [1, 3])
    np.testing.assert_allclose([a[0] + a[1], a[1] - a[0]], [4 / (2 + lam), 2 / lam])
    assert lam != 0.01 or [*a.round()] == [-99, 101]


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


# ---- 3.8: dual weights are not unique ------------------------------------------------------------


def test_what_k_sends_to_0_changes_no_prediction_and_the_minimisers_differ_by_nothing_else():
    rng = np.random.default_rng(3)
    X, y, Z = rng.uniform(-1, 1, (10, 1)), rng.standard_normal(10), rng.uniform(-1, 1, (50, 1))
    k = Polynomial(2)
    K, phi = k(X), k.feature_map()
    a = np.linalg.lstsq(K, y, rcond=1e-10)[0]
    np.testing.assert_allclose(K @ (K @ a - y), 0, atol=1e-9)
    v = 100 * (y - K @ a)  # what is left over
    assert np.linalg.norm(v) > 1
    np.testing.assert_allclose(phi(X).T @ v, 0, atol=1e-8)
    np.testing.assert_allclose(k(Z, X) @ (a + v), k(Z, X) @ a, atol=1e-8)


@pytest.mark.parametrize("lam", [0, 1e-9])
def test_of_all_w_that_fit_without_a_penalty_the_one_in_the_span_is_the_shortest(lam):
    rng = np.random.default_rng(4)
    Phi, y = rng.standard_normal((3, 7)), rng.standard_normal(3)
    w = Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(3), y)
    across = np.linalg.svd(Phi)[2][3:]  # perpendicular to all rows
    for part in rng.standard_normal((20, 4)) @ across:
        np.testing.assert_allclose(Phi @ (w + part), y, atol=1e-6)
        assert np.linalg.norm(w + part) ** 2 == pytest.approx(w @ w + part @ part)


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


def test_the_picture_of_l_shows_the_dual_weights_of_one_target_at_a_time():
    space = space_of(NOTEBOOK, "l-picture")
    drawn_K, drawn_L = (np.asarray(ax.images[0].get_array()) for ax in space["fig"].figure.axes)
    X = space["X"] / 3
    np.testing.assert_allclose(drawn_K, (X @ X.T + 1) ** 5)
    L = np.column_stack([KernelRidge(Polynomial(5), 0.1).fit(X, e).a_ for e in np.eye(12)])
    np.testing.assert_allclose(drawn_L, L, atol=1e-7)
    assert (np.diag(drawn_L) > 0).all() and np.sum(np.diag(drawn_L, 1) < 0) > 6


def test_the_best_guess_over_all_curves_of_the_cell_weighs_the_targets_as_kernel_ridge_does():
    space = space_of(NOTEBOOK, "worlds")
    X, z, f, seen = (space[name] for name in ("X", "z", "f", "seen"))
    where = np.concatenate([X, z])
    np.testing.assert_allclose(f.T @ f / len(f), (where @ where.T + 1) ** 2, atol=0.05)
    ridge = [KernelRidge(Polynomial(2), 0.5).fit(X, e).predict(z)[0] for e in np.eye(3)]
    np.testing.assert_allclose(space["best"], ridge, atol=0.01)
    np.testing.assert_allclose(np.linalg.solve(seen.T @ seen, seen.T @ f[:, 3]), ridge, atol=0.01)


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


def test_the_penalised_bias_of_the_cell_is_zero_for_centred_features_and_only_for_these(capsys):
    space = space_of(NOTEBOOK, "cell-52")
    said = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()[-3:]]
    x, y, n, lam = space["x"], space["y"], 20, 1.0
    assert abs(x.mean()) < 1e-9 and abs(y.mean()) < 1e-9
    bent = np.column_stack([x, x**2])
    for F, printed in zip((x[:, None], bent, bent - bent.mean(axis=0)), said, strict=True):
        # without b, by its normal equation b = n / (n + λ) (ȳ − meanᵀw), one system for w is left
        mean = F.mean(axis=0)
        G = F.T @ F - n**2 / (n + lam) * np.outer(mean, mean) + lam * np.eye(F.shape[1])
        b = -n / (n + lam) * mean @ np.linalg.solve(G, F.T @ y)
        assert space["penalised_bias"](F, y, lam) == pytest.approx(b, abs=1e-9)
        assert printed == pytest.approx(b, abs=1e-6) and (abs(b) < 1e-9) == (np.abs(mean).max() < 1e-9)


def test_after_centring_a_penalty_on_the_bias_moves_the_curve_little():
    space = space_of(NOTEBOOK, "worry-code")
    moved, far = space["moved"], np.column_stack([space["far_x"], space["far_x"] ** 2])
    for lam in (0.1, 1.0, 10.0, 100.0):
        little = moved(space["Phi"], space["y"], lam)
        assert little < 0.02 * np.ptp(space["y"]) and little < moved(far, space["far_y"], lam) / 10
        centred = space["Phi"] - space["Phi"].mean(axis=0)
        assert moved(centred, space["y"], lam) < 1e-9


def test_above_the_origin_the_penalty_keeps_the_line_as_low_as_its_scene_says():
    values = centring.start() | centring.scenes["Above the origin"]
    ((mean_x, mean_y),), lam, n = values["cloud"], values["lam"], 20
    low = mean_y - n / (n + lam) * mean_y  # the normal equation of b, for features of mean 0
    assert mean_x == 0 and f"b {low:.2f} too low" in centring.says["Above the origin"]
    assert centring.compute(**values).biases["penalised"] == pytest.approx(mean_y - low)
