"""Numbers and small proofs that notebook 03 says and no cell prints, each computed once."""

import numpy as np
import pytest
from notebook_cells import defined_by
from panels import state_of

from kernelkit import DualRidge, Gaussian, KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.course.explorers.kernel_ridge.centring import centring
from kernelkit.course.explorers.kernel_ridge.recovery import break_even

# ---- push-through, the matrix-inversion lemma, and the three forms -----------------------------------------


@pytest.mark.parametrize(("p", "q", "lam"), [(5, 8, 0.01), (8, 5, 3.0), (1, 4, 3.0), (6, 6, 0.01)])
def test_push_through_holds_for_any_two_matrices_and_follows_from_the_inversion_lemma(p, q, lam):
    """(UV + λI)⁻¹U = U(VU + λI)⁻¹, and (E − FH⁻¹G)⁻¹FH⁻¹ = E⁻¹F(H − GE⁻¹F)⁻¹."""
    rng, inv = np.random.default_rng(p), np.linalg.inv
    U = rng.standard_normal((p, q))
    for V in (U.T, rng.standard_normal((q, p))):
        pushed = U @ inv(V @ U + lam * np.eye(q))
        np.testing.assert_allclose(np.linalg.solve(U @ V + lam * np.eye(p), U), pushed, atol=1e-9)
        E, H = lam * np.eye(p), -np.eye(q)
        np.testing.assert_allclose(-inv(E - U @ inv(H) @ V) @ U @ inv(H), pushed, atol=1e-9)
        np.testing.assert_allclose(-inv(E) @ U @ inv(H - V @ inv(E) @ U), pushed, atol=1e-9)
    E, F, G, H = (rng.standard_normal(shape) for shape in ((p, p), (p, q), (q, p), (q, q)))
    np.testing.assert_allclose(inv(E - F @ inv(H) @ G) @ F @ inv(H), inv(E) @ F @ inv(H - G @ inv(E) @ F), atol=1e-8)


@pytest.mark.parametrize(("n", "degree"), [(7, 3), (20, 2)])
def test_the_three_forms_of_the_cell_are_the_three_classes(n, degree):
    space, rng = defined_by("03-kernel-ridge.ipynb", "cell-20"), np.random.default_rng(n)
    k, lam = Polynomial(degree), 0.05
    X, y, Z, phi = rng.standard_normal((n, 2)), rng.standard_normal(n), rng.standard_normal((9, 2)), k.feature_map()
    rows = np.vstack([phi(X), lam**0.5 * np.eye(phi.dim(2))])  # a penalty is one more point for each feature
    expected = phi(Z) @ np.linalg.lstsq(rows, np.append(y, np.zeros(phi.dim(2))))[0]
    models = PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)
    for form, given, model in zip(("primal", "dual", "kernel"), (phi, phi, k), models, strict=True):
        np.testing.assert_allclose(space[form](given, X, y, Z, lam), expected, atol=1e-8, err_msg=form)
        np.testing.assert_allclose(model.fit(X, y).predict(Z), expected, atol=1e-8, err_msg=form)


# ---- what solving costs, and what inverting loses ------------------------------------------------------------


def test_elimination_takes_a_third_of_the_cube_and_a_whole_inverse_three_times_as_much():
    """Products at each pivot: rest² in the matrix; in the columns of I, where zeros are left out; then backwards."""
    m = 3000
    pivots = np.arange(m)
    rest = m - 1 - pivots
    matrix, columns, backwards = np.sum(rest**2), np.sum(rest * (pivots + 1)), m * np.sum(rest)
    assert matrix / m**3 == pytest.approx(1 / 3, rel=2e-3)
    assert (matrix + columns + backwards) / m**3 == pytest.approx(1, rel=2e-3)


@pytest.mark.parametrize(("n", "d", "D", "t"), [(10, 4, 20, 10), (6, 2, 6, 6), (12, 5, 20, 6)])
def test_w_pays_beyond_so_many_test_points(n, d, D, t):
    assert t * n * d == n * D + t * D and break_even(n, d, D) == t and 1 / n + 1 / t == pytest.approx(d / D)


def test_with_the_tiny_lambda_solving_finds_the_weights_and_inverting_misses_them_by_hundreds():
    X, lam, truth = np.asarray(datasets.sine(n=60)[0]) / 3, 1e-8, np.sign(np.sin(np.arange(60)))
    A = (1 + X @ X.T) ** 9 + lam * np.eye(60)
    y = A @ truth
    assert 1e11 < np.linalg.eigvalsh(A)[-1] / lam < 4e11
    assert np.abs(np.linalg.solve(A, y) - truth).max() < 1e-4 and np.abs(np.linalg.inv(A) @ y - truth).max() > 500


# ---- when K is singular --------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_linear_features_and_a_bias_make_k_singular_beyond_d_plus_1_points(n, d):
    X = np.random.default_rng(n).standard_normal((n, d))
    assert np.linalg.matrix_rank(Polynomial(1)(X)) == min(n, d + 1)


@pytest.mark.parametrize("features", [2, 5, 9])
def test_k_has_an_inverse_exactly_when_it_is_positive_definite_and_with_lambda_always(features):
    Phi = np.random.default_rng(features).integers(-3, 4, (5, features)).astype(float)
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
    a = KernelRidge(Gaussian(0.7), lam).fit(np.zeros((2, 1)), [1.0, 3.0]).a_
    np.testing.assert_allclose([a[0] + a[1], a[1] - a[0]], [4 / (2 + lam), 2 / lam])
    assert lam != 0.01 or [*a.round()] == [-99, 101]


def test_what_k_sends_to_0_changes_no_prediction():
    rng, k = np.random.default_rng(3), Polynomial(2)
    X, y, Z = rng.uniform(-1, 1, (10, 1)), rng.standard_normal(10), rng.uniform(-1, 1, (50, 1))
    K = k(X)
    a = np.linalg.lstsq(K, y, rcond=1e-10)[0]
    np.testing.assert_allclose(K @ (K @ a - y), 0, atol=1e-9)
    v = 100 * (y - K @ a)  # what is left over
    assert np.linalg.norm(v) > 1
    np.testing.assert_allclose(k.feature_map()(X).T @ v, 0, atol=1e-8)
    np.testing.assert_allclose(k(Z, X) @ (a + v), k(Z, X) @ a, atol=1e-8)


def test_above_the_origin_a_penalty_on_the_bias_keeps_the_line_low():
    values = centring.start() | centring.scenes["Above the origin"]
    ((mean_x, mean_y),), lam, n = values["cloud"], values["lam"], 20
    assert mean_x == 0  # then the normal equation of b is that of the mean alone
    assert state_of(centring, "Above the origin").biases["penalised"] == pytest.approx(n / (n + lam) * mean_y)
