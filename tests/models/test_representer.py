"""Theorems about any loss through K alone: each solution is optimal, and equals that of an independent solver."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_wine

from kernelkit import Gaussian, KernelLogistic, KernelMachine, KernelRidge, Linear, Polynomial, datasets
from kernelkit.models.estimator import Classifier
from kernelkit.models.newton import InPoints
from kernelkit.models.representer import losses

pytestmark = pytest.mark.filterwarnings("error")

LOSSES = list(losses())
CLASSIFICATION = [name for name, loss in losses().items() if loss.role is Classifier]
REGRESSION = [name for name in LOSSES if name not in CLASSIFICATION]
EVERY = pytest.mark.parametrize("loss", LOSSES)
WEIGHTS = pytest.mark.parametrize("lam", [0.05, 1.0, 20.0])
DELTA = 0.3


@pytest.fixture
def problem(frozen, cloud):
    def problem(loss):
        """35 points: an outlier for the robust losses, two classes that overlap for the others."""
        if loss in CLASSIFICATION:
            return [frozen(part) for part in datasets.mixture(36)]
        X = cloud(35, 2)
        y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * cloud(35, seed=1)
        y[3] += 5
        return X, frozen(y)

    return problem


def optimum(loss, Phi, y, lam):
    """The least value of Σ loss + λ/2 ‖w‖², by SLSQP over w and slacks: loss ≤ slack, linear in both."""
    n, D = Phi.shape
    if loss in ("squared", "huber", "squared_hinge", "logistic"):  # smooth
        found = minimize(
            lambda w: losses(DELTA)[loss].total(y, Phi @ w) + lam / 2 * w @ w,
            np.zeros(D),
            method="BFGS",
            options={"gtol": 1e-8, "maxiter": 10_000},
        )
        return found.fun
    slacks = 1 if loss == "maximum" else n
    S = np.ones((n, 1)) if loss == "maximum" else np.eye(n)
    if loss == "hinge":  # slack ≥ 1 − y f and ≥ 0
        A, b = np.block([[y[:, None] * Phi, S], [np.zeros((n, D)), S]]), np.append(np.ones(n), np.zeros(n))
    else:  # slack ≥ ±(y − f)
        A, b = np.block([[Phi, S], [-Phi, S]]), np.append(y, -y)
    weights = np.append(np.zeros(D), np.ones(slacks))
    found = minimize(
        lambda v: v @ weights + lam / 2 * v[:D] @ v[:D],
        np.append(np.zeros(D), np.full(slacks, 10.0)),
        jac=lambda v: weights + lam * np.append(v[:D], np.zeros(slacks)),
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda v: A @ v - b, "jac": lambda v: A},
        options={"ftol": 1e-13, "maxiter": 2000},
    )
    # status 8: rounding leaves no direction that still descends, which is where a tight ftol ends
    assert found.status in (0, 8) and (A @ found.x - b).min() > -1e-8
    return found.fun


@EVERY
@WEIGHTS
def test_objective_is_that_of_an_independent_solver(loss, lam, problem):
    X, y = problem(loss)
    k = Polynomial(2)
    model = KernelMachine(k, loss, lam, DELTA, tol=1e-8).fit(X, y)
    assert model.objective_ == pytest.approx(optimum(loss, k.feature_map()(X), y, lam), rel=1e-6)


@EVERY
@WEIGHTS
def test_of_a_gaussian_it_is_the_primal_one_and_no_direction_lowers_it(loss, lam, problem, cloud):
    X, y = problem(loss)
    K, model = Gaussian(0.6)(X), KernelMachine(Gaussian(0.6), loss, lam, DELTA, tol=1e-8).fit(X, y)

    def objective(a):
        return losses(DELTA)[loss].total(y, K @ a) + lam / 2 * a @ K @ a

    assert model.objective_ == pytest.approx(objective(model.a_), rel=1e-12)
    for direction in (*cloud(20, len(y)), *np.eye(len(y)), -model.a_):
        for length in (1e-3, 0.1, 1.0):
            assert objective(model.a_ + length * direction) >= model.objective_ * (1 - 1e-7)


# ---- losses that have a model of their own ----------------------------------------------------------


@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(0.6)], ids=repr)
@WEIGHTS
def test_squared_loss_is_ridge_and_logistic_loss_logistic_regression(k, lam, problem, cloud):
    (X, y), Z = problem("squared"), cloud(9, 2)
    model, ridge = KernelMachine(k, "squared", lam).fit(X, y), KernelRidge(k, lam).fit(X, y)
    np.testing.assert_allclose(model.a_, ridge.a_, rtol=1e-10)
    np.testing.assert_allclose(model.predict(Z), ridge.predict(Z), rtol=1e-10)
    X, y = problem("logistic")
    model, logistic = KernelMachine(k, "logistic", lam).fit(X, y), KernelLogistic(k, lam, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.decision_function(Z), logistic.decision_function(Z), atol=1e-6)


def test_logistic_loss_arrives_where_rounding_hides_the_penalty():
    """K/λ is 1e23 here: raw wine in a cubic kernel, which separates the classes."""
    X, y = load_wine(return_X_y=True)
    with pytest.warns(UserWarning, match=r"singular \(rank \d+\) and lam = 1e-06"):
        model = KernelMachine(Polynomial(3), "logistic", 1e-6).fit(X, y == 0)
    assert model.score(X, y == 0) == 1.0 and model.objective_ < 1e-9


def test_logistic_loss_speaks_for_itself(monkeypatch, problem):
    monkeypatch.setattr(InPoints, "solver", lambda self, bend: lambda g: -g)  # uphill
    with pytest.warns(UserWarning, match=r"^KernelMachine stopped at step 0, where rounding hides") as caught:
        KernelMachine(Linear(), "logistic").fit(*problem("logistic"))
    assert len(caught) == 1 and caught[0].filename == __file__


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1e6])
@pytest.mark.parametrize("loss", REGRESSION)
def test_units_of_y_do_not_matter(loss, unit, problem):
    X, y = problem(loss)
    # loss(s y, s f) + λ'/2 ‖s w‖²: with λ' = λ for the losses that grow as s², λ/s for those that grow as s
    lam = {"squared": 0.5, "huber": 0.5}.get(loss, 0.5 / unit)
    one = KernelMachine(Gaussian(0.6), loss, 0.5, DELTA).fit(X, y)
    other = KernelMachine(Gaussian(0.6), loss, lam, unit * DELTA).fit(X, unit * y)
    np.testing.assert_allclose(other.predict(X) / unit, one.predict(X), atol=1e-4)
    assert other.violation_ <= 1e-6


def test_zeros_are_learned_as_zeros(cloud):
    for loss in REGRESSION:
        assert not KernelMachine(loss=loss).fit(cloud(5, 2), np.zeros(5)).predict(cloud(5, 2)).any()


# ---- one class, two kinds of model -------------------------------------------------------------------


@EVERY
def test_kind_of_model_follows_the_loss(loss, problem):
    X, y = problem(loss)
    model = KernelMachine(loss=loss).fit(X, y)
    if loss in CLASSIFICATION:
        labels = KernelMachine(loss=loss).fit(X, np.where(y > 0, "b", "a"))
        np.testing.assert_array_equal(labels.predict(X), np.where(model.decision_function(X) > 0, "b", "a"))
        assert labels.score(X, labels.predict(X)) == 1.0
    else:
        assert not hasattr(model, "decision_function") and model.predict(X).dtype == float
        with pytest.raises(AttributeError, match=f"decision_function needs a loss of classification, got '{loss}'"):
            model.decision_function(X)
        assert model.score(X, model.predict(X)) == 1.0


def test_losses_of_a_few_numbers():
    y, f = np.array([1.0, -1.0, 1.0]), np.array([0.5, 1.0, 3.0])
    expected = {
        "squared": (0.25 + 4 + 4) / 2,
        "absolute": 4.5,
        "huber": 0.125 + 1.5 + 1.5,
        "maximum": 2.0,
        "hinge": 2.5,
        "squared_hinge": 4.25,
        "logistic": np.log1p(np.exp(-0.5)) + np.log1p(np.e) + np.log1p(np.exp(-3)),
    }
    assert set(expected) == set(LOSSES)
    for loss, value in expected.items():
        assert losses()[loss].total(y, f) == pytest.approx(value)


def test_wide_delta_makes_huber_squared_and_a_narrow_one_absolute(problem):
    X, y = problem("huber")
    wide, squared = KernelMachine(Gaussian(1.0), "huber", delta=100).fit(X, y), KernelMachine().fit(X, y)
    np.testing.assert_allclose(wide.a_, squared.a_, atol=1e-6)
    narrow = KernelMachine(Gaussian(1.0), "huber", lam=1e-4, delta=1e-4, tol=1e-10).fit(X, y)  # δ (|r| − δ/2) + …
    absolute = KernelMachine(Gaussian(1.0), "absolute", tol=1e-9).fit(X, y)
    assert narrow.objective_ / 1e-4 == pytest.approx(absolute.objective_, rel=1e-3)


@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"loss": "cubic"}, ValueError, "loss must be one of 'squared', .*'logistic', got 'cubic'"),
        ({"lam": 0}, ValueError, "lam must be a finite number > 0, got 0"),
        ({"delta": 0}, ValueError, "delta must be a finite number > 0"),
        ({"tol": 0}, ValueError, "tol must be a finite number > 0"),
        ({"lam": "1"}, TypeError, "lam must be a number > 0"),
    ],
)
def test_bad_settings_are_refused(setting, error, message, problem):
    with pytest.raises(error, match=message):
        KernelMachine(**setting).fit(*problem("squared"))


def test_targets_must_fit_the_loss(problem):
    X, y = problem("squared")
    with pytest.raises(ValueError, match="y must hold one number for each of the 35 points, got shape"):
        KernelMachine().fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        KernelMachine(loss="hinge").fit(X, y)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        KernelMachine(loss="hinge").fit(X, np.arange(35) % 3)


def test_search_that_ends_too_early_says_so(monkeypatch, problem):
    monkeypatch.setattr("kernelkit.models.representer.MAX_ITER", 3)
    with pytest.warns(UserWarning, match=r"^KernelMachine stopped with .* 1e-06; scale the inputs, or raise") as caught:
        model = KernelMachine(Linear(), "absolute").fit(*problem("absolute"))
    assert model.violation_ > 1e-6 and caught[0].filename == __file__
