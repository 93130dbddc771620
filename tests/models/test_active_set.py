"""Theorems about the active set: a right guess is the optimum, a wrong one changes nothing, and LIBSVM agrees."""

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from models.svm_problems import dual, strays
from sklearn.svm import SVC, SVR

from kernelkit import Gaussian, KernelSVM, KernelSVR, Linear, Polynomial, datasets
from kernelkit.models import active_set as active_set_, smo, svr
from kernelkit.models.active_set import active_set, solve_with_offset, violation, well_conditioned
from kernelkit.models.smo import Rows, minimise, smo_steps

pytestmark = pytest.mark.filterwarnings("error")

MANY = 10**7  # steps, more than any of these problems takes


def clouds(n, d, seed=0):
    """Points in d dimensions with classes that overlap a little, and targets of regression."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.sign(X[:, 0] + 0.3 * X[:, 1] ** 2 - 0.3 + 0.3 * rng.standard_normal(n))
    return X, y, np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)


def box(y, C):
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def tried(K, p, lower, upper, free, tol=1e-3, largest=1000, most=100):
    """The a and r at which the active set ends from a = 0, the guesses that it tried, and whether they settled."""
    a = np.zeros(len(p))
    r = p.copy()
    guesses, settled = active_set(Rows(K), a, r, lower, upper, free, tol, largest, most)
    return a, r, guesses, settled


# ---- the guesses ----------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.floats(-1, 3))
def test_whatever_the_first_guess_what_settles_is_the_optimum(seed, log_C):
    rng = np.random.default_rng(seed)
    X, y, _ = clouds(30, 20, seed)
    K = Gaussian(4.0)(X)
    lower, upper = box(y, 10**log_C)
    a, r, _, settled = tried(K, y, lower, upper, rng.random(30) < rng.random())
    if not settled:
        return
    *_, plain = smo_steps(K, y, lower, upper, np.zeros(30), 1e-8)
    np.testing.assert_allclose(a, plain.iterate, atol=1e-6)
    np.testing.assert_allclose(r, y - K @ a, atol=1e-10)
    assert (lower <= a).all() and (a <= upper).all() and abs(a.sum()) <= 1e-12 * np.abs(a).sum()


def test_from_zero_the_fast_solver_guesses_that_all_are_free_and_from_elsewhere_it_does_not():
    X, y, _ = clouds(60, 100)
    K = Gaussian(10.0)(X)
    lower, upper = box(y, 100.0)
    *_, guesses, settled = tried(K, y, lower, upper, np.full(60, True))
    first = minimise(Rows(K), y, lower, upper, np.zeros(60), 1e-3, MANY)
    assert settled and first.n_iter == guesses
    start = np.zeros(60)
    start[[y.argmax(), y.argmin()]] = 0.1, -0.1
    other = minimise(Rows(K), y, lower, upper, start, 1e-3, MANY)
    assert other.n_iter > guesses
    np.testing.assert_allclose(other.a, first.a, atol=1e-8)


@pytest.mark.parametrize("place", [0, 49, 50, 119])
def test_a_coefficient_without_curvature_is_seen_wherever_it_is(place):
    K = np.eye(120)
    free = np.full(120, True)
    assert well_conditioned(Rows(K), free)
    K[place, place] = 0.0
    assert not well_conditioned(Rows(K), free)
    free[place] = False
    assert well_conditioned(Rows(K), free)


def test_a_guess_that_is_right_needs_one_system():
    X, y, _ = clouds(60, 100)
    K = Gaussian(10.0)(X)
    lower, upper = box(y, 1.0)
    a, _, guesses, settled = tried(K, y, lower, upper, np.full(60, True))
    assert settled and 1 < guesses < 10
    free = (a > lower) & (a < upper)
    start = np.where(free, 0.0, a)
    start[free] -= start.sum() / free.sum()  # the bounds of the optimum, and elsewhere anything of the right sum
    r = y - K @ start
    assert active_set(Rows(K), start, r, lower, upper, free, 1e-3, 1000, 100) == (1, True)
    np.testing.assert_allclose(start, a, atol=1e-9)


@pytest.mark.parametrize("limit", [{"largest": 59}, {"most": 1}, {}], ids=str)
def test_guesses_that_do_not_settle_change_nothing(limit):
    X, y = datasets.mixture(60)
    K = Gaussian(0.7)(X) + 1e-6 * np.eye(60)  # classes that overlap in two dimensions: the guesses run in circles
    y = y.astype(float)
    a, r, guesses, settled = tried(K, y, *box(y, 1.0), np.full(60, True), **limit)
    assert not settled and not a.any() and guesses <= limit.get("most", 100)
    np.testing.assert_array_equal(r, y)


@pytest.mark.parametrize("total", [0.0, 2.5])
def test_equations_with_an_offset_hold(total, cloud):
    K, g = Gaussian(1.0)(cloud(9, 3)), cloud(9)
    x, b = solve_with_offset(K, g, np.ones(9), total)
    np.testing.assert_allclose(K @ x + b, g, atol=1e-10)
    assert x.sum() == pytest.approx(total, abs=1e-12)
    assert solve_with_offset(np.ones((3, 3)), np.ones(3), np.ones(3), 0.0) is None  # singular


# ---- where it pays --------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [1.0, 10.0, 1000.0])
@pytest.mark.parametrize("d", [100, 784])
def test_in_many_dimensions_a_few_systems_are_enough(d, C):
    X, y, target = clouds(200, d)
    svm = KernelSVM(Gaussian(np.sqrt(d)), C).fit(X, y)
    svr = KernelSVR(Gaussian(np.sqrt(d)), C).fit(X, target)
    for model in (svm, svr):
        assert model.n_iter_ < 10 and model.converged_
        assert abs(model.duality_gap_) <= 1e-9 * model.primal_objective_  # exact, not within tol


def test_many_free_coefficients_do_not_take_a_step_each_forty_times():
    X, _, y = clouds(800, 10)
    model = KernelSVR(Gaussian(np.sqrt(10)), 1000.0).fit(X, y)
    free = (model.a_ != 0) & (np.abs(model.a_) < 1000)
    assert free.sum() > 350 and model.converged_ and model.n_iter_ < 10 * 800


@pytest.mark.parametrize("n", [300, 800])
def test_a_system_of_many_equations_waits_until_the_pairs_have_cost_as_much(n, monkeypatch):
    sizes = []
    for module in (active_set_, smo, svr):
        monkeypatch.setattr(
            module, "solve_with_offset", lambda K, *rest: sizes.append(len(K)) or solve_with_offset(K, *rest)
        )
    X, _, y = clouds(n, 10)
    model = KernelSVR(Gaussian(np.sqrt(10)), 1000.0).fit(X, y)
    if n == 300:
        assert sizes[0] == 300  # at once
    else:
        assert 350 < max(sizes) <= (1e5 * model.n_iter_) ** (1 / 3)
        assert model.n_iter_ < 5000


# ---- problems of odd scales -----------------------------------------------------------------------


def doubled(X, y):
    return np.vstack([X, X[::2]]), np.append(y, y[::2])


def contradicted(X, y):
    """Half of the points a second time, with the other label."""
    return np.vstack([X, X[::2]]), np.append(y, -y[::2])


def one_far_away(X, y):
    return np.vstack([X, 1e3 * X[:1]]), np.append(y, y[0])


def uneven_columns(X, y):
    return X * 10.0 ** np.linspace(-3, 3, X.shape[1]), y


CHANGES = {
    "as it is": lambda X, y: (X, y),
    "doubled": doubled,
    "contradicted": contradicted,
    "one far away": one_far_away,
    "uneven columns": uneven_columns,
}
ODD = {
    "gaussian": (Gaussian(3.0), {"gamma": 1 / 18}),
    "narrow": (Gaussian(0.05), {"gamma": 1 / (2 * 0.05**2)}),
    "wide": (Gaussian(100.0), {"gamma": 1 / (2 * 100.0**2)}),
    "linear": (Linear(), {"kernel": "linear"}),
    "cubic": (Polynomial(3), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
}


def peer_s(model, X, y):
    """LIBSVM's dual weights: of a problem it cannot finish, as far as it comes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    a = np.zeros(len(X))
    a[model.support_] = model.dual_coef_[0]
    return a


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e5])
@pytest.mark.parametrize("kernel", ODD)
@pytest.mark.parametrize("change", CHANGES)
def test_no_odd_problem_ends_below_libsvm(change, kernel, C):
    X, y = CHANGES[change](*clouds(60, 8)[:2])
    k, theirs = ODD[kernel]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "K is almost I")
        warnings.filterwarnings("ignore", "KernelSVM stopped")
        model = KernelSVM(k, C, max_iter=20_000).fit(X, y)
    a = peer_s(SVC(C=C, tol=1e-4, max_iter=100_000, **theirs), X, y)
    assert (model.multipliers_ >= 0).all() and (model.multipliers_ <= C * (1 + 1e-12)).all()
    K = k(X)
    scale = np.sum(np.abs(K) @ np.abs(model.a_) * np.abs(model.a_)) + np.abs(model.a_).sum()
    assert abs(model.a_.sum()) <= 1e-9 * np.abs(model.a_).sum()
    assert dual(model.a_, y, K) >= dual(a, y, K) - 1e-3 * abs(dual(a, y, K)) - 1e-9 * scale
    assert model.duality_gap_ >= -1e-9 * scale
    if model.converged_:
        assert model.duality_gap_ <= 2 * model.tol * C * len(y) + 1e-9 * scale


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("C", [1e-6, 1.0, 1e5])
@pytest.mark.parametrize("kernel", ["gaussian", "narrow", "wide", "linear"])
@pytest.mark.parametrize("unit", [1e-3, 1.0])
def test_no_odd_regression_ends_below_libsvm(kernel, C, epsilon, unit):
    X, _, y = clouds(60, 8)
    y, epsilon = unit * y, unit * epsilon
    k, theirs = ODD[kernel]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "K is almost I")
        warnings.filterwarnings("ignore", "KernelSVR stopped")
        model = KernelSVR(k, C, epsilon, tol=1e-4 * unit, max_iter=50_000).fit(X, y)
    a = peer_s(SVR(C=C, epsilon=epsilon, tol=1e-4 * unit, max_iter=100_000, **theirs), X, y)
    K = k(X)
    best = dual(a, y, K) - epsilon * np.abs(a).sum()
    ours = dual(model.a_, y, K) - epsilon * np.abs(model.a_).sum()
    assert np.abs(model.a_).max() <= C and abs(model.a_.sum()) <= 1e-9 * np.abs(model.a_).sum() + 1e-300
    assert ours >= best - 1e-3 * abs(best) - 1e-12 * np.abs(model.a_).sum()


# ---- converged, and truly so ----------------------------------------------------------------------


def apart(seed, n):
    """Points on a line, with a gap of 0.4 between the classes; the first two may lie on the wrong side of it."""
    X = np.random.default_rng(seed).normal(size=(n, 1))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X[:, 0] += 0.2 * y
    return X, y


@pytest.mark.parametrize("C", [1.0, 1e6, 1e12, np.inf])
@pytest.mark.parametrize("k", [Polynomial(3), Gaussian(3.0), Linear() + 1], ids=repr)
@pytest.mark.parametrize("n", [10, 30])
def test_who_says_that_it_converged_has_no_violation_when_all_is_computed_from_scratch(n, k, C):
    for seed in range(20):
        X, y = apart(seed, n)
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "KernelSVM stopped")
                model = KernelSVM(k, C, max_iter=20_000).fit(X, y)
        except ValueError as error:
            assert C == np.inf and "not separable" in str(error)
            continue
        if not model.converged_:
            continue
        a = model.a_
        rounding = np.finfo(float).eps * np.max(np.abs(k(X)) @ np.abs(a))
        for r in (y - k(X) @ a, y - model.decision_function(X)):
            assert violation(a, r, *box(y, C)) <= max(10 * model.tol, 100 * rounding), seed


@pytest.mark.parametrize("C", [1.0, 1e3, np.inf])
def test_the_r_of_the_fast_solver_is_that_of_its_a(C):
    for seed in range(20):
        X, y = apart(seed, 10)
        K = Gaussian(1.0)(X)
        a, r, reached, _ = minimise(Rows(K), y, *box(y, C), np.zeros(10), 1e-3, max_iter=1000)
        rounding = np.finfo(float).eps * np.max(np.abs(K) @ np.abs(a))
        np.testing.assert_allclose(r, y - K @ a, rtol=0, atol=100 * rounding)
        assert reached == violation(a, r, *box(y, C))


def of_any_scale(seed):
    """Points and classes that overlap; of every third problem many points are copies."""
    rng = np.random.default_rng(seed)
    n, d, scale = int(rng.integers(5, 80)), int(rng.integers(1, 6)), 10.0 ** rng.integers(-3, 4)
    X = scale * rng.standard_normal((n, d))
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0) if seed % 2 else np.sign(X[:, 0] + scale / 2 * rng.standard_normal(n))
    y[:2] = 1, -1
    return X if seed % 3 else np.round(X / scale) * scale, y


def fitted(k, C, X, y):
    """A model that may stop too early."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "KernelSVM stopped|K is almost I")
        return KernelSVM(k, C, max_iter=20_000).fit(X, y)


def test_where_updates_of_r_have_lost_digits_the_search_goes_on():
    """On each of these LIBSVM's m(a) − M(a) is within tol for the updated r, and is not for one computed afresh."""
    problems = ((4, 1e4), (7, 1e8), (9, 1e4), (35, 1e8), (49, 1e8), (51, 1e4))
    converged = [fitted(Linear() + 1, C, *of_any_scale(seed)).converged_ for seed, C in problems]
    assert sum(converged) >= 4  # here all six, and none of them if it ends there


@pytest.mark.parametrize("k", [Linear() + 1, Polynomial(3)], ids=repr)
def test_weights_within_rounding_of_a_bound_stand_on_it(k):
    for seed in (18, 24, 30, 42):
        X, y = of_any_scale(seed)
        assert not len(strays(fitted(k, 1.0, X, y).a_, *box(y, 1.0)))
