"""Data as they come, in their own units: a fit arrives or says that it does not, and what overflows is told at once."""

import re
import time
import warnings

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

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
from kernelkit.models import representer

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


# ---- the ends of the floats -------------------------------------------------------------------------


UNITS = [2.0**-1074, 1e-300, 1e-155, 1e-100, 1e100, 1e150]
WITH_A_KERNEL = [Model for Model in MODELS if "kernel" in Model().get_params(deep=False)]
EXTREME = [Model() for Model in MODELS if Model not in WITH_A_KERNEL]
for k in Gaussian(1.0), Linear():
    EXTREME += [Model(k) for Model in WITH_A_KERNEL if Model is not KernelMachine]
    EXTREME += [KernelMachine(k, loss) for loss in representer.losses()]


def finite_or_refused(model, X, y):
    """The model gives finite numbers or says in one sentence why not, and NumPy says nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            model.fit(X, y)
            outputs = [getattr(model, f)(X) for f in ("predict", "transform") if hasattr(model, f)]
        except ValueError as refused:
            assert re.search(r"^[^\n]*(scale |singular to rounding)[^\n]*\.$", str(refused))
        else:
            assert all(np.isfinite(output).all() for output in outputs)


@pytest.mark.parametrize("loader", [load_iris, load_wine, load_breast_cancer, load_diabetes], ids=lambda f: f.__name__)
@pytest.mark.parametrize("model", EXTREME, ids=repr)
def test_no_warning_of_numpy_s_leaves_a_fit_to_data_in_their_own_units(model, loader, monkeypatch):
    monkeypatch.setattr(representer, "MAX_ITER", 1000)
    X, y = loader(return_X_y=True)
    X, y = X[::2][:100], y[::2][:100]
    if is_classifier(model):
        y = y > np.median(y) if loader is load_diabetes or not getattr(model, "_multi_class", False) else y
    if "max_iter" in model.get_params():
        model = clone(model).set_params(max_iter=1000)
    for unit in (1, 1e-6, 1e6):
        finite_or_refused(model, unit * X, y)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("model", EXTREME, ids=repr)
def test_data_of_any_size_give_numbers_or_one_sentence(model, unit, cloud, monkeypatch):
    monkeypatch.setattr(representer, "MAX_ITER", 1000)
    X, y = cloud(20, 2), cloud(20, 2)[:, 0] + 0.3 * cloud(20, seed=1)
    scaled = [(unit * X, y)] + [(X, unit * y), (unit * X, unit * y)] * is_regressor(model)
    if "max_iter" in model.get_params():
        model = clone(model).set_params(max_iter=1000)
    for points, targets in scaled:
        finite_or_refused(model, points, targets if is_regressor(model) else (y > 0).astype(int))
