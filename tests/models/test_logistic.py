"""Theorems about logistic regression: w_t = Φ(X)ᵀa_t at every step, three solvers, one solution."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from models.logistic_pair import BOTH, K2, PHI, iterates, objective, pair, proba

import kernelkit
from kernelkit import KernelLogistic, Linear, PrimalLogistic
from kernelkit.features import Identity
from kernelkit.models.logistic import LogLoss, log_loss, sigmoid

PACKAGE = Path(kernelkit.__file__).parent  # and not a part of its path: a clone may be called kernelkit, too
pytestmark = pytest.mark.filterwarnings("error")


# ---- primal and dual run side by side -------------------------------------------------------------


@pytest.mark.parametrize("start", [0, 1], ids=["from 0", "from the span"])
@pytest.mark.parametrize("lam", [0, 0.5])
@pytest.mark.parametrize(
    "settings",
    [
        {"solver": "gd"},
        {"solver": "gd", "step": 0.003},
        {"solver": "sgd", "step": 0.1},
        {"solver": "sgd", "random_state": 3},
        {"solver": "sgd", "step": 0.02, "random_state": 0},
    ],
    ids=str,
)
def test_every_iterate_of_w_is_that_of_a(settings, lam, start, moons, cloud):
    X, y = moons
    settings = settings | {"lam": lam, "max_iter": 200 if settings["solver"] == "gd" else 5}
    if settings["solver"] == "sgd" and "step" not in settings:
        settings["step"] = 1 / (K2.diag(X).max() / 4 + lam / 40)  # the default; the two sides round it differently
    a_0 = start * cloud(40, scale=0.1)
    primal, kernel = pair(**settings)
    walks = list(primal.steps(X, y, PHI(X).T @ a_0)), list(kernel.steps(X, y, a_0))
    np.testing.assert_array_equal(walks[1][0].iterate, a_0)
    for one, other in zip(*walks, strict=True):
        unit = max(1, np.abs(one.iterate).max())
        np.testing.assert_allclose(one.iterate, PHI(X).T @ other.iterate, atol=1e-10 * unit)
        assert other.cost == pytest.approx(one.cost, rel=1e-9, abs=1e-9 * unit)
        assert (other.moved, other.turn) == (one.moved, one.turn)
    assert len(walks[0]) == 201 and np.abs(one.iterate - walks[0][0].iterate).max() > 0.1


def test_default_steps_are_as_long_in_both_forms():
    X, y = np.array([[0.1], [1.0], [-3.0]]), [1, 0, 1]
    for solver in "gd", "sgd":
        primal, kernel = (
            iterates(model, X, y)
            for model in (
                PrimalLogistic(Identity(), solver=solver, max_iter=3),
                KernelLogistic(Linear(), solver=solver, max_iter=3),
            )
        )
        np.testing.assert_allclose(primal, kernel @ X, rtol=1e-9)


@pytest.mark.parametrize("random_state", [None, 2])
def test_steps_are_the_formulas_of_the_lecture(random_state, moons):
    X, y = moons
    Phi, t, lam, step = PHI(X), (y + 1) / 2, 0.7, 0.01
    w = np.zeros(6)
    for turn, record in enumerate(PrimalLogistic(PHI, lam, "gd", step, max_iter=30).steps(X, y)):
        objective = np.sum(np.log1p(np.exp(-y * (Phi @ w)))) + lam / 2 * w @ w
        assert (record.moved, record.turn, record.cost) == (None, turn, pytest.approx(objective, rel=1e-9))
        np.testing.assert_allclose(record.iterate, w, atol=1e-12)
        w = w + step * (sum((t[i] - 1 / (1 + np.exp(-Phi[i] @ w))) * Phi[i] for i in range(40)) - lam * w)
    assert turn == 30

    w, rng = np.zeros(6), np.random.default_rng(random_state)
    order = np.tile(range(40), 2) if random_state is None else np.append(*(rng.integers(40, size=40) for _ in "12"))
    start, *records = PrimalLogistic(PHI, lam, "sgd", step, max_iter=2, random_state=random_state).steps(X, y)
    assert (start.moved, start.turn, start.cost) == (None, 0, pytest.approx(40 * np.log(2))) and not start.iterate.any()
    for m, (i, record) in enumerate(zip(order, records, strict=True)):
        f, rate = Phi[i] @ w, step / (1 + step * lam / 40 * m)
        loss = np.log1p(np.exp(-y[i] * f))
        assert (record.moved, record.turn, record.cost) == (i, 1 + m // 40, pytest.approx(loss, rel=1e-9))
        w = w + rate * ((t[i] - 1 / (1 + np.exp(-f))) * Phi[i] - lam / 40 * w)
        np.testing.assert_allclose(record.iterate, w, atol=1e-12)


# ---- the optimum ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0, 0.01, 1.0, 100.0])
def test_no_step_of_all_points_climbs(lam, moons, cloud):
    X, y = moons
    newton = KernelLogistic(K2, lam or 1e-3, max_iter=40)
    walks = [(model, None) for model in pair(lam=lam, solver="gd", max_iter=300)]
    for model, start in (*walks, (newton, 5 * cloud(40))):
        records = list(model.steps(X, y, start))
        costs = np.array([step.cost for step in records])
        assert (np.diff(costs) <= 1e-12 * costs[0]).all() and costs[-1] < costs[0]
    for turn, step in enumerate(records):
        f = K2(X) @ step.iterate
        assert step.cost == pytest.approx(objective(f, y, newton.lam, step.iterate @ f), rel=1e-9)
        assert (step.moved, step.turn) == (None, turn)
    *_, last = newton.fit(X, y).steps(X, y)
    assert costs[-1] == pytest.approx(last.cost, rel=1e-6)  # from anywhere to the same place


@pytest.mark.parametrize("lam", [0.1, 1.0, 30.0])
def test_solvers_agree(lam, moons):
    X, y = moons
    newton = KernelLogistic(K2, lam, tol=1e-10).fit(X, y)
    assert newton.converged_ and newton.n_iter_ < 20
    np.testing.assert_allclose(newton.a_, ((y + 1) / 2 - proba(newton, X)) / lam, atol=1e-8)  # λa = y − s(Ka)
    for model in pair(lam=lam, solver="gd", tol=1e-9, max_iter=100_000):
        np.testing.assert_allclose(proba(model.fit(X, y), X), proba(newton, X), atol=1e-6)
    np.testing.assert_allclose(newton.primal_weights(PHI), PHI(X).T @ newton.a_)


@BOTH
def test_going_round_in_circles_is_not_arriving(make, moons):
    X, y = moons
    with pytest.warns(UserWarning, match="goes round in circles"):
        assert not make(lam=0, solver="sgd", tol=1e-3).fit(X, y).converged_
    model = make(lam=20.0, solver="sgd").fit(X, y)
    assert model.converged_
    np.testing.assert_allclose(proba(model, X), proba(KernelLogistic(K2, 20.0).fit(X, y), X), atol=0.02)


@BOTH
@pytest.mark.parametrize("lam", [0, 0.1, 1.0])
@pytest.mark.parametrize("offset, step", [(0, None), (0, 1e-9), (1, None), (37, None), (100, None), (1000, None)])
def test_who_says_that_it_converged_is_near_the_minimum(make, lam, offset, step):
    """Far from 0 one direction of Φ lets steps be so short that nothing moves in the others."""
    x = offset + np.linspace(-2, 2, 60)[:, None]
    y = np.where(np.arange(60) % 7, np.sign(x[:, 0] - offset), 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = make(lam=lam, solver="gd", step=step).fit(x, y)
    far = offset > 1 or step is not None
    assert model.converged_ == (not far) == (not caught)

    def value(model):
        f = model.decision_function(x)
        square = model.w_ @ model.w_ if hasattr(model, "w_") else model.a_ @ f
        return objective(f, y, lam, square)

    if model.converged_:
        assert value(model) <= value(KernelLogistic(K2, lam or 1e-9).fit(x, y)) * (1 + 1e-3)


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


# ---- the loss, and how the code reads ---------------------------------------------------------------


def test_sigmoid_and_loss_are_safe_far_out():
    f = np.array([-1e308, -1e4, -800.0, -1.0, 0.0, 1.0, 800.0, 1e4, 1e308])
    s = sigmoid(f)
    assert (s[:2] == 0).all() and (s[-2:] == 1).all() and s[4] == 0.5
    np.testing.assert_allclose(s + sigmoid(-f), 1)
    np.testing.assert_allclose(s[3], 1 / (1 + np.e), rtol=1e-15)
    assert log_loss(np.array([-1e4])) == 1e4 and log_loss(np.array([1e4])) == 0
    assert log_loss(np.array([50.0])) == pytest.approx(np.exp(-50.0), rel=1e-12)  # not rounded to log 1


@BOTH
def test_a_fit_computes_no_cost_but_at_its_end(make, moons, monkeypatch):
    X, y = moons
    asked, total = [], LogLoss.total
    monkeypatch.setattr(LogLoss, "total", lambda self, f: asked.append(f) or total(self, f))
    model = make(solver="gd").fit(X, y)
    assert model.converged_ and len(asked) == 1
    np.testing.assert_allclose(asked[0], model.decision_function(X), rtol=1e-12)


@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_once_k_is_known_a_fit_stays_within_three_files(solver, moons):
    """A reader who follows ``fit`` needs the model, what all models share, and Newton's method."""
    (X, y), model, called = moons, KernelLogistic(K2, 20.0, solver, max_iter=300, tol=1e-3), set()
    K, loss, before = K2(X), LogLoss(y), sys.getprofile()
    sys.setprofile(lambda frame, event, _: called.add(Path(frame.f_code.co_filename)))
    try:
        model._descended(K, loss)
    finally:
        sys.setprofile(before)
    files = {path.name for path in called if PACKAGE in path.parents}
    assert "logistic.py" in files and len(files) <= 3, files
