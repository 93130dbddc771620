"""Logistic regression where it is hard: steps that are too long, rounding larger than lam, searches that fail."""

import re
import warnings
from itertools import islice

import numpy as np
import pytest
from models.logistic_pair import BOTH, K2, PHI, proba
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
from kernelkit.models.softmax import CoupledObjective

pytestmark = pytest.mark.filterwarnings("error")


# ---- starts and steps -----------------------------------------------------------------------------


@BOTH
def test_every_step_below_two_over_lambda_is_taken(make, moons):
    next(make(solver="gd", lam=4.0, step=0.499).steps(*moons))
    with pytest.raises(ValueError, match=r"step must be < 2/lam = 0\.5, or gd runs away; got 0\.5"):
        make(solver="gd", lam=4.0, step=0.5).steps(*moons)


@pytest.mark.parametrize("solver", ["newton", "gd", "sgd"])
def test_start_must_fit(solver, moons):
    for wrong in (np.zeros(39), np.zeros((40, 1)), 0.0):
        with pytest.raises(ValueError, match="start must hold 40 numbers, got shape"):
            KernelLogistic(K2, solver=solver).steps(*moons, wrong)
    with pytest.raises(ValueError, match="start must hold finite numbers"):
        KernelLogistic(K2, solver=solver).steps(*moons, np.full(40, np.nan))
    with pytest.raises(ValueError, match="start must hold 6 numbers, got shape"):
        PrimalLogistic(PHI).steps(*moons, np.zeros(40))


def test_nothing_to_learn_from_is_no_division_by_zero(moons):
    X, y = moons
    for model in (PrimalLogistic(Monomials(1, 0), 0), KernelLogistic(0 * Linear(), 0, "gd")):
        for solver in ("gd", "sgd"):
            np.testing.assert_array_equal(proba(model.set_params(solver=solver).fit(0 * X, y), X), 0.5)


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_features_whose_products_overflow_are_refused(solver, cloud):
    model, X, y = PrimalLogistic(Monomials(1), solver=solver), 1e200 * cloud(9, 2), np.arange(9) % 2
    for fit in (lambda: model.fit(X, y), lambda: model.fit_chunks([(X, y)])):
        with pytest.raises(ValueError, match="products of the features overflow: scale the inputs"):
            fit()


# ---- where rounding is larger than lam ------------------------------------------------------------


@pytest.mark.parametrize("lam", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("degree", [2, 5])
@pytest.mark.parametrize("load", [load_wine, load_breast_cancer], ids=["wine", "cancer"])
def test_newton_arrives_where_the_penalty_is_lost_in_the_rounding_of_k(load, degree, lam):
    X, y = load(return_X_y=True)
    X, y = X[::2], y[::2] == 1
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


# ---- searches that fail ---------------------------------------------------------------------------


@pytest.mark.parametrize(("Model", "problem"), [(KernelLogistic, Objective), (KernelSoftmax, CoupledObjective)])
def test_a_failed_line_search_is_no_convergence(Model, problem, moons, monkeypatch):
    true = problem.newton_step
    monkeypatch.setattr(problem, "newton_step", lambda self, here: [-part for part in true(self, here)])  # uphill
    with pytest.warns(UserWarning, match=f"{Model.__name__} stopped at step 0, where rounding hides every way down"):
        model = Model(K2).fit(*moons)
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
