"""Theorems about sequential minimal optimisation: each pair climbs, nothing leaves the box, and both solvers agree."""

import tracemalloc
import warnings
from itertools import islice, pairwise

import numpy as np
import pytest
from models.svm_problems import MANY, box, dual, strays, violation
from scipy.optimize import minimize

from kernelkit import Gaussian, Linear, Polynomial, datasets
from kernelkit.models.smo import Rows, RowsOnDemand, minimise, smo_steps
from kernelkit.models.svr import twice

pytestmark = pytest.mark.filterwarnings("error")

KERNELS = pytest.mark.parametrize("k", [Gaussian(0.7), Polynomial(2), Linear()], ids=repr)
LIMITS = pytest.mark.parametrize("C", [0.1, 10.0])


def rows_of(K):
    return RowsOnDemand(lambda i: K[i], K.diagonal())


@pytest.fixture
def problem(frozen):
    def problem(k, C):
        X, y = datasets.mixture(60)
        return frozen(k(X)), frozen(y.astype(float)), *(frozen(side) for side in box(y, C))

    return problem


# ---- pair by pair ---------------------------------------------------------------------------------


@KERNELS
@LIMITS
def test_every_step_moves_the_worst_weight_and_its_best_partner_inside_the_box(k, C, problem):
    K, y, lower, upper = problem(k, C)
    start, *states = smo_steps(K, y, lower, upper, np.zeros(60), tol=0.05)
    assert start.moved is None and start.turn == 0 and start.violation == 2 and not start.iterate.any()
    np.testing.assert_array_equal(start.r, y)
    for turn, (before, state) in enumerate(pairwise([start, *states[:500]]), 1):
        a, r, (i, j) = before.iterate, before.r, state.moved
        eta = K[i, i] + K.diagonal() - 2 * K[i]
        climbed = dual(state.iterate, y, K) - dual(a, y, K)
        assert r[i] >= r[a < upper].max() - 1e-9 and r[i] > r[j]
        if turn <= 15:  # later ones gain so little that rounding shows
            allowed = (a > lower) & (r < r[i]) & (eta > 1e-9)
            gain = np.where(allowed, (r[i] - r) ** 2 / np.where(eta > 0, 2 * eta, 1), 0)
            assert gain[j] == pytest.approx(gain.max(), rel=1e-9)
            assert state.step < state.wanted or climbed == pytest.approx(gain[j], rel=1e-7)

        assert state.wanted == pytest.approx((r[i] - r[j]) / eta[j], rel=1e-9)
        assert state.step == pytest.approx(min(state.wanted, upper[i] - a[i], a[j] - lower[j]))  # the clip
        a, r = state.iterate, state.r
        if state.step < state.wanted:
            assert a[i] == upper[i] or a[j] == lower[j]  # exactly on the bound
        assert sorted(state.moved) == np.flatnonzero(a != before.iterate).tolist()  # two move, the others stay
        assert (lower <= a).all() and (a <= upper).all() and abs(a.sum()) <= 1e-12 * C
        assert climbed > 0 and state.cost == pytest.approx(-dual(a, y, K), rel=1e-9) and state.turn == turn
        np.testing.assert_allclose(r, y - K @ a, atol=1e-10)
        assert state.violation == pytest.approx(violation(a, r, lower, upper), abs=1e-9)  # after the step
    assert len(states) > 20 and states[-1].violation <= 0.05
    assert all(state.violation > 0.05 for state in states[:-1])
    if C == 10:
        assert {state.step < state.wanted for state in states} == {True, False}  # both kinds were seen


def thrice(X, y):
    """Each point three times, once with the other label: two partners with no curvature but rounding."""
    return np.concatenate([X, X, X]), np.concatenate([y, -y, -y])


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear()], ids=repr)
@pytest.mark.parametrize(
    "points",
    [datasets.sixteen(), datasets.half_planes(16), thrice(*datasets.half_planes(12))],
    ids=["sixteen", "separable", "copies"],
)
def test_rounding_does_not_choose_the_path(points, k):
    """Points in a symmetric place tie, and another processor rounds another way: the first of equals moves."""
    (X, y), paths = points, []
    for seed in range(5):
        noise = 4e-16 * seed * np.random.default_rng(seed).uniform(-1, 1, (len(X), len(X)))
        steps = smo_steps(k(X) * (1 + noise + noise.T), y.astype(float), *box(y, 10.0), np.zeros(len(X)))
        paths.append([state.moved for state in islice(steps, 200)])
    assert all(path == paths[0] for path in paths)


@pytest.mark.parametrize(("seed", "C"), [(4, 0.1), (8, 1.0), (29, 1.0), (45, 1.0)])
def test_a_weight_within_rounding_of_a_bound_stands_on_it(seed, C):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(4, 40)), 2))
    y = np.sign(X[:, 0] + 0.7 * rng.standard_normal(len(X)))
    y[:2] = 1, -1
    X = X if seed % 3 else np.round(X, 1)
    for step in smo_steps(Linear()(X), y, *box(y, C), np.zeros(len(y)), 1e-6):
        assert not len(strays(step.iterate, *box(y, C)))


# ---- the fast solver ------------------------------------------------------------------------------


@KERNELS
@LIMITS
def test_fast_and_plain_reach_the_same_optimum(k, C, problem):
    K, y, lower, upper = problem(k, C)
    tol = 1e-5 if k == Gaussian(0.7) else 1e-2  # pairs alone are slow without curvature
    *_, plain = smo_steps(K, y, lower, upper, np.zeros(60), tol)
    a, r, reached, steps = minimise(rows_of(K), y, lower, upper, np.zeros(60), tol, MANY)
    # concave in a with m − M ≤ tol: nobody is more than tol · Σ(length of the box) below the optimum
    assert abs(dual(a, y, K) - (-plain.cost)) <= 60 * C * tol
    assert dual(a, y, K) == pytest.approx(-plain.cost, rel=1e-4)
    assert reached <= tol and reached == pytest.approx(violation(a, y - K @ a, lower, upper), abs=1e-8) and steps > 0
    np.testing.assert_allclose(r, y - K @ a, atol=1e-8)
    assert (lower <= a).all() and (a <= upper).all() and abs(a.sum()) <= 1e-12 * 60 * C


@pytest.mark.parametrize("seed", range(6))
def test_any_box_and_any_sum_agrees_with_a_general_solver(seed, frozen):
    rng = np.random.default_rng(seed)
    n = 12
    A = rng.standard_normal((n, n + 2))
    K, p = frozen(A @ A.T), frozen(rng.standard_normal(n))
    lower, upper = -rng.uniform(0, 0.3, n), rng.uniform(0, 0.3, n)
    start = (lower + upper) / 2
    a, _, reached, _ = minimise(rows_of(K), p, lower, upper, start, 1e-9, MANY)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Values in x were outside bounds")  # SciPy before 1.15, of its own steps
        oracle = minimize(
            lambda a: -dual(a, p, K),
            start,
            jac=lambda a: K @ a - p,
            method="SLSQP",
            bounds=list(zip(lower, upper, strict=True)),
            options={"ftol": 1e-14, "maxiter": 500},
            constraints={"type": "eq", "fun": lambda a: a.sum() - start.sum(), "jac": lambda a: np.ones(n)},
        )
    assert oracle.success and reached <= 1e-9
    np.testing.assert_allclose(a, oracle.x, atol=1e-5)
    assert -dual(a, p, K) <= oracle.fun + 1e-10
    assert a.sum() == pytest.approx(start.sum(), abs=1e-12)
    *_, plain = smo_steps(K, p, lower, upper, start, 1e-9)
    np.testing.assert_allclose(a, plain.iterate, atol=1e-7)


@pytest.mark.parametrize("tol", [1e-12, 1e-2])
def test_free_coefficients_solve_the_equations_exactly(problem, tol):
    """Whatever the tol: Newton has the last word, so that two paths to the same bounds end at the same point."""
    for C in (1.0, 10.0):
        K, y, lower, upper = problem(Gaussian(0.7), C)
        a, r, reached, _ = minimise(rows_of(K), y, lower, upper, np.zeros(60), tol, MANY)
        free = (a > lower) & (a < upper)
        assert free.sum() >= 5 and reached <= tol
        np.testing.assert_allclose(r[free], r[free].mean(), atol=1e-9)  # y − Ka = b on the margin


@KERNELS
def test_a_tol_below_rounding_comes_to_an_end(k, problem):
    K, y, lower, upper = problem(k, 10.0)
    _, _, reached, steps = minimise(rows_of(K), y, lower, upper, np.zeros(60), 1e-300, max_iter=3000)
    assert reached <= 1e-8 and steps <= 3000


def test_max_iter_ends_the_search_with_an_honest_violation(problem):
    K, y, lower, upper = problem(Gaussian(0.7), 10.0)
    *_, enough = minimise(rows_of(K), y, lower, upper, np.zeros(60), 1e-9, MANY)
    for most in (1, 2, 5, 20, 99, 101, 103, enough - 1):  # in a block, at its end, among the Newton steps
        a, _, reached, steps = minimise(rows_of(K), y, lower, upper, np.zeros(60), 1e-9, max_iter=most)
        assert reached > 1e-9 and steps == most
        assert reached == pytest.approx(violation(a, y - K @ a, lower, upper), rel=1e-6)


@pytest.mark.parametrize("k", [1.0, 0.0])
def test_flat_directions_are_no_trap(k):
    y, K = np.array([1.0, -1.0, 1.0, -1.0]), np.full((4, 4), k)  # all points equal: no curvature at all
    *_, plain = smo_steps(K, y, *box(y, 2.0), np.zeros(4))
    a, _, reached, _ = minimise(rows_of(K), y, *box(y, 2.0), np.zeros(4), 1e-3, MANY)
    np.testing.assert_array_equal(plain.iterate, 2 * y)
    np.testing.assert_array_equal(a, 2 * y)
    assert reached <= 1e-3


# ---- rows -----------------------------------------------------------------------------------------


@KERNELS
def test_rows_are_those_of_the_matrix_and_know_the_curvature_of_their_pairs(k, problem):
    K, *_ = problem(k, 1.0)
    asked = rows_of(K)
    for whole, rows in ((K, asked), (K, Rows(K)), (np.tile(K, (2, 2)), twice(asked))):
        np.testing.assert_array_equal(rows.block(np.array([3, 1, 59])), whole[[3, 1, 59]])
        np.testing.assert_array_equal(rows.diagonal, whole.diagonal())
        for i in (0, 7, len(whole) - 1):
            np.testing.assert_array_equal(rows[i], whole[i])
            eta = whole[i, i] + whole.diagonal() - 2 * whole[i]
            others = np.arange(len(whole)) % 60 != i % 60
            np.testing.assert_allclose(rows.inverse_root_eta(i)[others], 1 / np.sqrt(eta[others]), rtol=1e-6)
            assert np.isfinite(rows.inverse_root_eta(i)).all()


def test_only_rows_that_are_touched_are_computed(problem):
    K, y, lower, upper = problem(Linear(), 0.1)
    touched = []
    rows = RowsOnDemand(lambda i: touched.append(i) or K[i], K.diagonal())
    a, *_ = minimise(rows, y, lower, upper, np.zeros(60), 0.5, MANY)
    assert len(touched) == len(set(touched)) < 60 and set(np.flatnonzero(a)) <= set(touched)


def test_a_product_with_many_rows_takes_the_memory_of_some():
    row = np.ones(4000)
    rows = RowsOnDemand(lambda i: row, row)
    tracemalloc.start()
    np.testing.assert_array_equal(rows.times(row), 4000 * row)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # all rows at once are 128e6
