"""Data as they come, in their own units: a fit arrives or says that it does not, and gives numbers or a sentence."""

import re
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest
from every_model import WITH_A_KERNEL, WITH_FEATURES, answers, data_for, each
from scipy.linalg import eigh
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import kernelkit
from kernelkit import (
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelOutliers,
    Kriging,
    Linear,
    OneVsRest,
    Polynomial,
    datasets,
)
from kernelkit.models import representer

PACKAGE = Path(kernelkit.__file__).parent

DATA = {"wine": (load_wine, 0, 1), "cancer": (load_breast_cancer, 0, 4), "iris": (load_iris, 1, 1)}


def raw(name):
    """Points in their own units, and ±1 for one class against the others."""
    loader, one, every = DATA[name]
    X, y = loader(return_X_y=True)
    return X[::every], np.where(y[::every] == one, 1, -1)


def fitted(model, X, y):
    """The model, and whether its fit said that it did not arrive."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return model, any("stopped" in str(w.message) for w in caught)


def missing(K, a, y, lam):
    """How much another step of Newton's would still lower the objective, as a part of it, by least squares."""
    values, U = eigh(K)
    keep = values > len(K) * np.finfo(float).eps * K.diagonal().max()
    Phi = U[:, keep] * np.sqrt(values[keep])  # K = ΦΦᵀ without what is rounding
    w = Phi.T @ a
    m = y * (Phi @ w)
    s = np.exp(-np.logaddexp(0, m))  # of the point's other class
    gradient, bend = lam * w - Phi.T @ (y * s), s * np.exp(-np.logaddexp(0, -m))
    A = np.vstack([np.sqrt(bend)[:, None] * Phi, np.sqrt(lam) * np.eye(len(w))])
    unit = np.linalg.norm(A, axis=0)
    # gᵀ(AᵀA)⁻¹g = ‖R⁻ᵀg‖² for A = QR
    half = np.linalg.solve(np.linalg.qr(A / unit, mode="r").T, gradient / unit)
    return half @ half / 2 / (np.logaddexp(0, -m).sum() + lam / 2 * w @ w)


@pytest.mark.parametrize("lam", [1e-6, 1e2])
@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3), Gaussian(30.0)], ids=repr)
@pytest.mark.parametrize("name", DATA)
def test_logistic_regression_arrives_or_says_so(name, k, lam):
    X, y = raw(name)
    for make in (KernelLogistic(k, lam), KernelMachine(k, "logistic", lam)):
        model, warned = fitted(make, X, y)
        assert warned or missing(k(X), model.a_, y, lam) <= 1e-5


# ---- where a fit ends -------------------------------------------------------------------------------


SMO = [M for M in WITH_A_KERNEL if {"tol", "max_iter"} <= M().get_params().keys() and hasattr(M, "_rows")]


@pytest.fixture(params=["far apart", "alike", "wine", "iris"])
def badly_scaled(request, frozen):
    """Points whose scale suits neither C nor tol, and one label or number for each."""
    rng = np.random.default_rng(0)
    if request.param in DATA:
        X, y = DATA[request.param][0](return_X_y=True)
        return frozen(X[::3]), frozen(y[::3])
    X = 30 * (rng.normal(size=(60, 3)) + 1)
    return frozen(X if request.param == "far apart" else 1e-6 * X), frozen(rng.integers(0, 3, 60))


@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Gaussian(1.0)], ids=repr)
@each(SMO)
def test_a_fit_ends_where_it_is_within_tol(Model, k, badly_scaled):
    X, y = badly_scaled
    y = y == 1 if is_classifier(Model()) and not Model._multi_class else y
    model, warned = fitted(Model(k, max_iter=30_000), X, y)
    assert model.converged_ == (not warned) == (model.violation_ <= model.tol)
    assert warned or model.n_iter_ < 10_000


@each(SMO)
def test_a_fit_that_stopped_early_compares_its_violation_with_tol_in_the_same_unit(Model):
    X, y = raw("cancer")
    few = X[::2, :4] / X[:, :4].std(axis=0)
    seen = set()
    for max_iter in 2 ** np.arange(11):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Model(max_iter=int(max_iter)).fit(few, y[::2])
        for said in (str(w.message) for w in caught):
            violation, tol = map(float, re.search("violation of (.*) > tol = (.*);", said).groups())
            assert violation > tol
            seen.add(violation)
    assert len(seen) > 2


# ---- the ends of the floats -------------------------------------------------------------------------

EXTREME = [Model() for Model in [*WITH_FEATURES, OneVsRest]]
EXTREME += [Model(k) for Model in WITH_A_KERNEL for k in (Gaussian(1.0), Linear())]
EXTREME += [KernelMachine(k, loss) for loss in [*representer.losses()][1:] for k in (Gaussian(1.0), Linear())]
NUMBERS = [
    (Model, name)
    for Model in [*WITH_A_KERNEL, *WITH_FEATURES]
    for name, value in Model().get_params(deep=False).items()
    if (isinstance(value, float) and name != "tol") or name == "step"
]


def numbers_or_a_sentence(model, X, y, words=""):
    """What the model answers is finite, or its fit is refused in one sentence of ours and it is not fitted."""
    model = clone(model)
    if hasattr(model, "max_iter"):
        model.max_iter = min(model.max_iter, 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a step was too long, or a matrix singular
        warnings.simplefilter("error", RuntimeWarning)  # NumPy's words for an overflow
        try:
            model.fit(X, y)
        except ValueError as error:
            assert re.fullmatch(rf"[^\n]*{words}[^\n]*\.", str(error)) and not hasattr(model, "X_")
            *_, where = traceback.extract_tb(error.__traceback__)
            assert PACKAGE in Path(where.filename).parents, f"these are not our words: {error}"
            return
        assert np.isfinite(answers(model, X)).all()


SCALE = "(scale |singular to rounding)"  # what a learner is told to do, and never that a result is not finite


@pytest.fixture
def fewer_steps(monkeypatch):
    monkeypatch.setattr(representer, "MAX_ITER", 1000)


@pytest.mark.parametrize("model", EXTREME, ids=repr)
def test_data_in_their_own_units_give_numbers_or_a_sentence(model, fewer_steps):
    X, y = load_wine(return_X_y=True)
    X, y = X[::3], y[::3]
    y = y > 0 if is_classifier(model) and not getattr(model, "_multi_class", False) else y
    for unit in (1e-6, 1, 1e6):
        numbers_or_a_sentence(model, unit * X, y, SCALE)


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1e-155, 1e-100, 1e100, 1e150, 1e308])
@pytest.mark.parametrize("model", EXTREME, ids=repr)
def test_data_of_any_size_give_numbers_or_a_sentence(model, unit, cloud, fewer_steps):
    X, y = cloud(20, 2), cloud(20, 2)[:, 0] + 0.3 * cloud(20, seed=1)
    X, y = X / np.abs(X).max(), y / np.abs(y).max()
    numbers_or_a_sentence(model, unit * X, y if is_regressor(model) else (y > 0).astype(int), SCALE)
    if is_regressor(model):
        numbers_or_a_sentence(model, X, unit * y, SCALE)
        numbers_or_a_sentence(model, unit * X, unit * y, SCALE)


@pytest.mark.parametrize(("Model", "name"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_parameters_of_any_size_give_numbers_or_a_sentence_and_truth_is_no_number(Model, name):
    X, y = data_for(Model)
    for value in (5e-324, 1e308):
        numbers_or_a_sentence(Model(**{name: value}), X, y)
    with pytest.raises(TypeError, match=f"^{name} must be a .*got True"):
        Model(**{name: True}).fit(X, y)


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear(), Polynomial(2)], ids=repr)
@each(WITH_A_KERNEL)
def test_factors_of_a_kernel_of_any_size_give_numbers_or_a_sentence(Model, k):
    X, y = data_for(Model)
    for factor in (5e-324, 1e308):
        numbers_or_a_sentence(Model(factor * k), X, y)


@pytest.mark.parametrize(
    ("model", "X", "y", "name"),
    [
        (KernelMachine(lam=5e-324), 1.0, 1e150, "objective_"),
        (KernelOutliers(1e-300 * Linear()), 1e154, 1.0, "scores_"),
        (Kriging(1e-300 * Linear(), noise=1e-150), 1e75, 1e150, "log_marginal_likelihood_"),
    ],
    ids=["machine", "outliers", "kriging"],
)
def test_no_result_is_nan_where_the_weights_are_finite(model, X, y, name):
    points, targets = datasets.sine(20)
    refused = pytest.raises(ValueError, match=f"^The result is not finite: {name} of ")
    with warnings.catch_warnings(action="ignore"), refused:
        model.fit(X * points / np.abs(points).max(), y * targets)
    assert not hasattr(model, "X_")
