"""Logistic regression where it is hard: bad input, what records say, rounding larger than lam."""

import re
import warnings
from itertools import islice

import numpy as np
import pytest
from models.logistic_pair import BOTH, K2, PHI, iterates, objective, proba
from sklearn.datasets import load_breast_cancer, load_wine

from kernelkit import (
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelRidge,
    KernelSoftmax,
    Linear,
    Monomials,
    Polynomial,
    PrimalLogistic,
    datasets,
)
from kernelkit.models.logistic import LogLoss
from kernelkit.models.logistic_chunks import LossSums, SummedObjective
from kernelkit.models.newton import InPoints, InRoot, Objective, last_iterate, newton, space_of

pytestmark = [  # SciPy from 1.16 on warns of an option that scikit-learn 1.6 gives it
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:.*iprint"),
]


# ---- what is refused ------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"lam": -0.1}, ValueError, "lam must be a finite number ≥ 0, got -0.1"),
        ({"lam": np.inf}, ValueError, "lam must be a finite number ≥ 0"),
        ({"solver": "lbfgs"}, ValueError, "solver must be one of .*'gd', 'sgd'.*, got 'lbfgs'"),
        ({"step": 0}, ValueError, "step must be a finite number > 0, got 0"),
        ({"step": -1.0}, ValueError, "step must be a finite number > 0"),
        ({"step": 3.0}, ValueError, "step must be < 2/lam = 2, or gd runs away; got 3.0"),
        ({"tol": 0}, ValueError, "tol must be a finite number > 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number ≥ 1"),
        ({"max_iter": 1.5}, ValueError, "max_iter must be a whole number ≥ 1"),
    ],
)
def test_bad_settings_are_refused(make, setting, error, message, moons):
    with pytest.raises(error, match=message):
        make(**{"solver": "gd"} | setting).fit(*moons)


@BOTH
def test_every_step_below_two_over_lambda_is_taken(make, moons):
    next(make(solver="gd", lam=4.0, step=0.499).steps(*moons))
    with pytest.raises(ValueError, match=r"step must be < 2/lam = 0\.5, or gd runs away; got 0\.5"):
        next(make(solver="gd", lam=4.0, step=0.5).steps(*moons))


@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
def test_start_must_fit(solver, moons):
    for wrong in (np.zeros(39), np.zeros((40, 1)), 0.0):
        with pytest.raises(ValueError, match="start must hold 40 numbers, got shape"):
            next(KernelLogistic(K2, solver=solver).steps(*moons, wrong))
    with pytest.raises(ValueError, match="start must hold finite numbers"):
        next(KernelLogistic(K2, solver=solver).steps(*moons, np.full(40, np.nan)))


def test_newton_needs_lambda(moons):
    with pytest.raises(ValueError, match=r"solver='newton' needs lam > 0, got lam = 0; use solver='gd'"):
        KernelLogistic(K2, lam=0).fit(*moons)


def test_newton_never_climbs_from_anywhere(moons, cloud):
    X, y = moons
    K, lam = K2(X), 1e-3
    values = [
        objective(K @ a, y, lam, a @ K @ a) for a in iterates(KernelLogistic(K2, lam, max_iter=40), X, y, 5 * cloud(40))
    ]
    assert (np.diff(values) <= 1e-9 * values[0]).all()
    best = KernelLogistic(K2, lam).fit(X, y)
    assert values[-1] == pytest.approx(objective(K @ best.a_, y, lam, best.a_ @ K @ best.a_), rel=1e-6)


def test_nothing_to_learn_from_is_no_division_by_zero(moons):
    X, y = moons
    for model in (PrimalLogistic(Monomials(1, 0), 0), KernelLogistic(0 * Linear(), 0, "gd")):
        for solver in ("gd", "sgd"):
            np.testing.assert_array_equal(proba(model.set_params(solver=solver).fit(0 * X, y), X), 0.5)


# ---- what the records say, and how many there are -------------------------------------------------


@pytest.mark.parametrize("lam", [1e-3, 5.0])
@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_the_cost_of_a_step_is_its_objective_with_the_penalty(solver, lam, moons, cloud):
    X, y = moons
    K = K2(X)
    records = list(KernelLogistic(K2, lam, solver, max_iter=9).steps(X, y, cloud(40)))
    assert [step.turn for step in records] == list(range(10)) and {step.moved for step in records} == {None}
    for step in records:
        a = step.iterate
        value = float(np.sum(np.log1p(np.exp(-y * (K @ a))))) + lam / 2 * a @ K @ a
        assert step.cost == pytest.approx(value, rel=1e-9)
    primal = list(PrimalLogistic(PHI, lam, max_iter=3).steps(X, y))
    for step in primal:
        w = step.iterate
        value = float(np.sum(np.log1p(np.exp(-y * (PHI(X) @ w))))) + lam / 2 * w @ w
        assert step.cost == pytest.approx(value, rel=1e-9)


@BOTH
@pytest.mark.parametrize("random_state", [None, 2])
def test_the_cost_of_a_step_of_sgd_is_the_loss_of_its_point(make, random_state, moons):
    X, y = moons
    first, *records = make(lam=0.2, solver="sgd", max_iter=2, random_state=random_state).steps(X, y)
    assert first.moved is None and first.turn == 0 and first.cost == pytest.approx(40 * np.log(2))
    assert [step.turn for step in records] == [1] * 40 + [2] * 40
    rng = np.random.default_rng(random_state)
    order = np.tile(range(40), 2) if random_state is None else np.append(*(rng.integers(40, size=40) for _ in "12"))
    assert [step.moved for step in records] == order.tolist()
    before = first.iterate
    for step in records:
        design = PHI(X) if len(before) == 6 else K2(X)
        assert step.cost == pytest.approx(np.log1p(np.exp(-y[step.moved] * (design[step.moved] @ before))), rel=1e-9)
        before = step.iterate


@pytest.mark.parametrize(
    "model",
    [
        KernelLogistic(K2, 0.3, max_iter=9),
        KernelLogistic(K2, 0.3, "gd", tol=1e-3, max_iter=500),
        PrimalLogistic(PHI, 5.0, tol=1e-3, max_iter=500),
        KernelLogistic(K2, 20.0, "sgd", tol=1e-4, max_iter=150),
        PrimalLogistic(PHI, 20.0, "sgd", tol=1e-4, max_iter=150),
    ],
    ids=repr,
)
def test_it_stops_at_the_first_turn_that_moves_no_output(model, moons):
    X, y = moons
    sgd = model.solver == "sgd"
    design = model._gram(X) if isinstance(model, KernelLogistic) else model._features(X)
    f = np.array([design @ step.iterate for step in model.steps(X, y) if not sgd or step.turn == 0 or step.moved == 39])
    settled = np.flatnonzero(np.abs(np.diff(f, axis=0)).max(axis=1) <= model.tol)
    assert model.fit(X, y).n_iter_ == settled[0] + 1 > 1 and model.converged_
    np.testing.assert_array_equal(design @ (model.w_ if hasattr(model, "w_") else model.a_), f[model.n_iter_])


@BOTH
@pytest.mark.parametrize("max_iter", [1, 2, 5])
@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
def test_there_are_at_most_max_iter_turns(make, solver, max_iter, moons):
    model = make(solver="gd", max_iter=max_iter, tol=1e-15)
    if solver != "newton" or isinstance(model, KernelLogistic):
        with pytest.warns(UserWarning, match=f"stopped after max_iter = {max_iter}"):
            assert model.set_params(solver=solver).fit(*moons).n_iter_ == max_iter


# ---- where rounding is larger than lam ------------------------------------------------------------


def raw(load):
    X, y = load(return_X_y=True)
    return X, (y == 1) * 2 - 1


@pytest.mark.parametrize("lam", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("degree", [2, 3, 5])
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer], ids=["wine", "cancer"])
def test_newton_arrives_where_the_penalty_is_lost_in_the_rounding_of_k(load, degree, lam):
    X, y = raw(load)
    with warnings.catch_warnings(action="ignore"):  # that it is singular
        model = KernelLogistic(Polynomial(degree), lam).fit(X, y)  # k/λ up to 1e40
        last = next(islice(model.steps(X, y), model.n_iter_, None))
    assert model.converged_ and model.score(X, y) == 1.0
    assert last.cost < 10 * lam  # a large margin costs next to nothing


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
def test_all_ways_to_walk_arrive_at_the_same_place(lam):
    X, y = datasets.mixture(60)
    K = Polynomial(3)(X)
    Phi = Polynomial(3).feature_map()(X)
    loss = LogLoss(y)

    def end(objective, start):
        return last_iterate(newton(objective, start), lambda here: False, 40)[0]

    in_points, in_root = (Objective(space, loss) for space in (InPoints(K, lam), InRoot(K, lam)))
    one, other = (end(objective, objective.at(np.zeros(objective.space.size))) for objective in (in_points, in_root))
    in_features = SummedObjective(lambda w, step: LossSums.of(Phi, loss, w, step), lam)
    third = end(in_features, in_features.at_zero())
    for f, value in (other.f, other.value), (Phi @ third.w, third.value):
        np.testing.assert_allclose(f, one.f, atol=1e-4)
        assert value == pytest.approx(one.value, rel=1e-8)


def test_the_walk_is_in_the_points_as_long_as_the_penalty_counts():
    K = Polynomial(2)(datasets.mixture(60)[0])
    assert isinstance(space_of(K, 1.0), InPoints) and isinstance(space_of(1e12 * K, 1.0), InRoot)
    assert isinstance(space_of(0 * K, 1.0), InPoints)
    root = InRoot(K, 1.0)
    a = np.linspace(-1, 1, 60)
    np.testing.assert_allclose(K @ root.to_points(root.from_points(a)), K @ a, atol=1e-9 * np.abs(K).max())
    assert root.size == 6  # the rank of K


@pytest.mark.parametrize(
    "model",
    [KernelLogistic, KernelSoftmax, lambda k, lam: KernelMachine(k, "logistic", lam)],
    ids=["logistic", "softmax", "machine"],
)
def test_who_loses_lam_in_the_rounding_of_k_says_so_as_ridge_does(model):
    def said(model, X, y):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        assert all(one.filename == __file__ for one in caught)
        return [re.sub(r"rank \d+", "", str(one.message)) for one in caught if "singular" in str(one.message)]

    x = np.linspace(-2, 2, 60)[:, None]
    y = np.where(np.arange(60) % 7, np.sign(x[:, 0]), 1)
    twice = np.repeat(x, 2, axis=0)
    told = []
    for k, X, lam in (
        *((Polynomial(2), x + offset, lam) for offset in (0, 100, 5e3, 2e4, 1e6) for lam in (1e-3, 1.0, 1e4)),
        *((Gaussian(1.0), twice, lam) for lam in (1e-6, 1.0)),
        (Polynomial(2), 0 * x, 1.0),
    ):
        t = np.repeat(y, len(X) // 60)
        ridge = said(KernelRidge(k, lam), X, t)
        assert said(model(k, lam), X, t) == ridge
        told.append(len(ridge))
    assert 0 < sum(told) < len(told)


def test_a_failed_line_search_is_no_convergence(moons, monkeypatch):
    true = InPoints.solver
    monkeypatch.setattr(InPoints, "solver", lambda self, bend: lambda g: -true(self, bend)(g))  # uphill
    with pytest.warns(UserWarning, match="KernelLogistic stopped at step 0, where rounding hides every way down"):
        model = KernelLogistic(K2).fit(*moons)
    assert not model.converged_ and model.n_iter_ == 0


def test_a_step_that_was_cut_does_not_count_as_standing_still(moons, monkeypatch):
    X, y = moons
    true = InPoints.solver
    monkeypatch.setattr(InPoints, "solver", lambda self, bend: lambda g: 3e7 * true(self, bend)(g))
    model = KernelLogistic(K2, tol=10.0, max_iter=3)  # each step is far too long, and cut until it descends
    moves = np.diff([K2(X) @ step.iterate for step in model.steps(X, y)], axis=0)
    assert np.abs(moves[1:]).max() < 10
    with pytest.warns(UserWarning, match="stopped after max_iter = 3"):
        assert not model.fit(X, y).converged_


def test_what_is_no_kernel_is_told(moons, monkeypatch):
    monkeypatch.setattr(type(K2), "gram", lambda self, X, Z: -np.ones((len(X), len(Z))))
    says = "k is not a kernel on these points: its Gram matrix has a negative eigenvalue"
    with pytest.raises(ValueError, match=says):
        KernelLogistic(K2, 0.1).fit(*moons)


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_features_whose_products_overflow_are_refused(solver, cloud):
    model, X, y = PrimalLogistic(Monomials(1), solver=solver), 1e200 * cloud(9, 2), np.arange(9) % 2
    for fit in (lambda: model.fit(X, y), lambda: model.fit_chunks([(X, y)])):
        with pytest.raises(ValueError, match="products of the features overflow: scale the inputs"):
            fit()
