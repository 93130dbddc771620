"""Data as they come, in their own units: a fit arrives or says that it does not, and what overflows is told at once."""

import re
import time
import warnings

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.base import is_classifier
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import kernelkit
from kernelkit import (
    Exp,
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelSVM,
    Linear,
    Monomials,
    OneVsRest,
    Polynomial,
    PrimalLogistic,
)

DATA = {"wine": (load_wine, 0, 1), "cancer": (load_breast_cancer, 0, 4), "iris": (load_iris, 1, 1)}
KERNELS = [Linear(), Polynomial(2), Polynomial(3), Gaussian(30.0)]
MODELS = [
    c
    for c in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(c, "fit") and c().get_params(deep=False).keys() & {"kernel", "feature_map", "estimator"}
]


@pytest.fixture(scope="module")
def raw(frozen):
    """raw(name): points in their own units, and ±1 for one class against the others."""

    def load(name):
        loader, one, every = DATA[name]
        X, y = loader(return_X_y=True)
        return frozen(X[::every]), frozen(np.where(y[::every] == one, 1, -1))

    return load


def fitted(model, X, y):
    """The model, and whether its fit said that it did not arrive."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    return model, any("stopped" in str(w.message) for w in caught)


def left(Phi, w, y, lam):
    """The objective at w, and how much another step of Newton's would still lower it, by least squares."""
    m = y * (Phi @ w)
    s = np.exp(-np.logaddexp(0, m))  # of the point's other class
    gradient, bend = lam * w - Phi.T @ (y * s), s * np.exp(-np.logaddexp(0, -m))
    A = np.vstack([np.sqrt(bend)[:, None] * Phi, np.sqrt(lam) * np.eye(len(w))])
    # gᵀ(AᵀA)⁻¹g = ‖R⁻ᵀg‖² for A = QR
    R = np.linalg.qr(A / (unit := np.linalg.norm(A, axis=0)), mode="r")
    half = np.linalg.solve(R.T, gradient / unit)
    return np.logaddexp(0, -m).sum() + lam / 2 * w @ w, half @ half / 2


def in_its_own_features(k, X, a):
    """Φ with K = ΦΦᵀ without what is rounding, and w = Φᵀa."""
    K = k(X)
    values, U = eigh(K)
    keep = values > len(K) * np.finfo(float).eps * K.diagonal().max()
    Phi = U[:, keep] * np.sqrt(values[keep])
    return Phi, Phi.T @ a


def arrived(value, missing):
    return missing <= 1e-5 * value


@pytest.mark.parametrize("lam", [1e-6, 1e-2, 1e2])
@pytest.mark.parametrize("k", KERNELS, ids=repr)
@pytest.mark.parametrize("name", DATA)
def test_kernel_logistic_arrives_or_says_so(name, k, lam, raw):
    X, y = raw(name)
    for make in (KernelLogistic(k, lam), KernelMachine(k, "logistic", lam)):
        model, warned = fitted(make, X, y)
        assert warned or arrived(*left(*in_its_own_features(k, X, model.a_), y, lam))


@pytest.mark.parametrize("lam", [1e-6, 1e2])
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("name", DATA)
def test_primal_logistic_arrives_or_says_so(name, degree, lam, raw):
    X, y = raw(name)
    model, warned = fitted(PrimalLogistic(Monomials(degree), lam, max_iter=300), X[:, :5], y)
    assert warned or arrived(*left(model.feature_map(X[:, :5]), model.w_, y, lam))


# ---- where a fit ends -------------------------------------------------------------------------------


SMO = [Model for Model in MODELS if {"tol", "max_iter"} <= Model().get_params().keys() and hasattr(Model, "_rows")]


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
@pytest.mark.parametrize("Model", SMO, ids=lambda c: c.__name__)
def test_a_fit_ends_where_it_is_within_tol(Model, k, badly_scaled):
    X, y = badly_scaled
    y = y == 1 if is_classifier(Model()) and not Model._multi_class else y
    model, warned = fitted(Model(k, max_iter=30_000), X, y)
    assert model.converged_ == (not warned) == (model.violation_ <= model.tol)
    assert warned or model.n_iter_ < 10_000


@pytest.mark.parametrize("Model", SMO, ids=lambda c: c.__name__)
def test_a_fit_that_stopped_early_compares_its_violation_with_tol_in_the_same_unit(Model, raw):
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


@pytest.mark.parametrize("k", [Exp(Linear()), Polynomial(150)], ids=repr)
@pytest.mark.parametrize("Model", MODELS, ids=lambda c: c.__name__)
def test_raw_digits_that_overflow_are_told_at_once(Model, k):
    (X, y), model = load_digits(return_X_y=True), Model()
    if "feature_map" in model.get_params(deep=False):  # of (1 + xᵀz)¹⁵⁰ they are too many to be tried
        X, name, source = 1e200 * X, "Φ", Monomials(2)
    else:
        model, name, source = (OneVsRest(KernelSVM(k)) if Model is OneVsRest else Model(kernel=k)), "k", k
    start = time.process_time()
    with pytest.raises(ValueError) as refused:
        model.fit(X, y == 3)
    said = f"{name} overflows: scale the inputs. {source!r} gives numbers beyond 1e+290 on these points."
    assert str(refused.value) == said and time.process_time() - start < 2
