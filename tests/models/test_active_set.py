"""Theorems about the active set: a right guess is the optimum, a wrong one changes nothing, and LIBSVM agrees."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from models.svm_problems import MANY, box, dual, libsvm, quietly, strays, violation
from sklearn.svm import SVC, SVR

from kernelkit import Gaussian, KernelSVM, KernelSVR, Linear, Polynomial, datasets
from kernelkit.models import active_set as active_set_, smo, svr
from kernelkit.models.active_set import active_set, solve_with_offset, well_conditioned
from kernelkit.models.smo import Rows, minimise, smo_steps

pytestmark = pytest.mark.filterwarnings("error")


def clouds(n, d, seed=0):
    """Points in d dimensions with classes that overlap a little, and targets of regression."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.sign(X[:, 0] + 0.3 * X[:, 1] ** 2 - 0.3 + 0.3 * rng.standard_normal(n))
    return X, y, np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)


def tried(K, p, lower, upper, free, tol=1e-3, largest=1000, most=100):
    """The a and r at which the active set ends from a = 0, the guesses that it tried, and whether they settled."""
    a = np.zeros(len(p))
    r = p.copy()
    guesses, settled = active_set(Rows(K), a, r, lower, upper, free, tol, largest, most)
    return a, r, guesses, settled


# ---- the guesses ----------------------------------------------------------------------------------


@settings(max_examples=40)
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
    for model in (KernelSVM(Gaussian(np.sqrt(d)), C).fit(X, y), KernelSVR(Gaussian(np.sqrt(d)), C).fit(X, target)):
        assert model.n_iter_ < 10 and model.converged_
        assert abs(model.duality_gap_) <= 1e-9 * model.primal_objective_  # exact, not within tol


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
        free = (model.a_ != 0) & (np.abs(model.a_) < 1000)
        assert free.sum() > 350 and model.converged_ and model.n_iter_ < 5000  # and not forty steps for each of them
        assert 350 < max(sizes) <= (1e5 * model.n_iter_) ** (1 / 3)


# ---- problems of odd scales -----------------------------------------------------------------------


CHANGES = {
    "as it is": lambda X, y: (X, y),
    "doubled": lambda X, y: (np.vstack([X, X[::2]]), np.append(y, y[::2])),
    "contradicted": lambda X, y: (np.vstack([X, X[::2]]), np.append(y, -y[::2])),  # half of the points, once of each
    "one far away": lambda X, y: (np.vstack([X, 1e3 * X[:1]]), np.append(y, y[0])),
    "uneven columns": lambda X, y: (X * 10.0 ** np.linspace(-3, 3, X.shape[1]), y),
}
ODD = {
    "gaussian": (Gaussian(3.0), {"gamma": 1 / 18}),
    "narrow": (Gaussian(0.05), {"gamma": 1 / (2 * 0.05**2)}),
    "wide": (Gaussian(100.0), {"gamma": 1 / (2 * 100.0**2)}),
    "linear": (Linear(), {"kernel": "linear"}),
    "cubic": (Polynomial(3), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
}


REGRESSION = ("as it is", KernelSVR, SVR), ("contradicted", KernelSVR, SVR)


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e5])
@pytest.mark.parametrize("kernel", ODD)
@pytest.mark.parametrize(("change", "Model", "Peer"), [*((change, KernelSVM, SVC) for change in CHANGES), *REGRESSION])
def test_no_odd_problem_ends_below_libsvm(change, Model, Peer, kernel, C):
    X, classes, targets = clouds(60, 8)
    tol, epsilon, y = (1e-3, 0.0, classes) if Model is KernelSVM else (1e-4, 0.1, targets)
    X, y = CHANGES[change](X, y)
    k, theirs = ODD[kernel]
    K = k(X)
    model = quietly(Model(k, C, tol=tol, max_iter=20_000), X, y)
    _, a = libsvm(Peer(C=C, tol=1e-4, max_iter=100_000, **theirs), X, y)
    ours, best = (dual(b, y, K) - epsilon * np.abs(b).sum() for b in (model.a_, a))
    scale = np.sum(np.abs(K) @ np.abs(model.a_) * np.abs(model.a_)) + np.abs(model.a_).sum()
    assert np.abs(model.a_).max() <= C * (1 + 1e-12) and abs(model.a_.sum()) <= 1e-9 * np.abs(model.a_).sum()
    assert ours >= best - 1e-3 * abs(best) - 1e-9 * scale
    assert model.duality_gap_ >= -1e-9 * scale
    if model.converged_:
        assert model.duality_gap_ <= 2 * tol * C * len(y) + 1e-9 * scale


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
    for seed in range(10):
        X, y = apart(seed, n)
        try:
            model = quietly(KernelSVM(k, C, max_iter=20_000), X, y)
        except ValueError as error:
            assert C == np.inf and "not separable" in str(error)
            continue
        assert at_the_optimum(model, X, y) or not model.converged_, seed


def at_the_optimum(svm, X, y):
    """Whether nothing violates more than its tol, or than what is rounding, when r is computed from scratch."""
    K = svm.kernel(X)
    rounding = np.finfo(float).eps * np.max(np.abs(K) @ np.abs(svm.a_))
    left = [violation(svm.a_, r, *box(y, svm.C)) for r in (y - K @ svm.a_, y - svm.decision_function(X))]
    return max(left) <= max(10 * svm.tol, 100 * rounding)


def of_any_scale(seed):
    """Points and classes that overlap; of every third problem many points are copies."""
    rng = np.random.default_rng(seed)
    n, d, scale = int(rng.integers(5, 80)), int(rng.integers(1, 6)), 10.0 ** rng.integers(-3, 4)
    X = scale * rng.standard_normal((n, d))
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0) if seed % 2 else np.sign(X[:, 0] + scale / 2 * rng.standard_normal(n))
    y[:2] = 1, -1
    return X if seed % 3 else np.round(X / scale) * scale, y


def test_what_was_put_on_a_bound_is_counted_by_who_says_that_it_converged():
    """In one of these K spans 14 decades, and a weight that moves by 1e-12 of the largest moves r by 73."""
    for seed in range(20, 35):
        X, y = of_any_scale(seed)
        model = quietly(KernelSVM(Polynomial(3), 1.0, max_iter=20_000), X, y)
        assert at_the_optimum(model, X, y) or not model.converged_, seed


def test_where_updates_of_r_have_lost_digits_the_search_goes_on():
    """On each of these LIBSVM's m(a) − M(a) is within tol for the updated r, and is not for one computed afresh."""
    problems = ((4, 1e4), (7, 1e8), (9, 1e4), (35, 1e8), (49, 1e8), (51, 1e4))
    converged = [
        quietly(KernelSVM(Linear() + 1, C, max_iter=20_000), *of_any_scale(seed)).converged_ for seed, C in problems
    ]
    assert sum(converged) >= 4  # here all six, and none of them if it ends there


@pytest.mark.parametrize("k", [Linear() + 1, Polynomial(3)], ids=repr)
def test_weights_within_rounding_of_a_bound_stand_on_it(k):
    for seed in (18, 24, 30, 42):
        X, y = of_any_scale(seed)
        assert not len(strays(quietly(KernelSVM(k, 1.0, max_iter=20_000), X, y).a_, *box(y, 1.0)))
