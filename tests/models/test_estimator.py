"""The contract of every model, held against scikit-learn's own checks and tools."""

import copy
import inspect
import os
import pickle
import subprocess
import sys
import warnings
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelkit
from kernelkit import (
    Conjugate,
    Exp,
    Gaussian,
    KernelRidge,
    KernelSVM,
    Linear,
    Monomials,
    Polynomial,
    PrimalRidge,
    Quadratic,
    Scaled,
    datasets,
)
from kernelkit.kernels import Bell

ESTIMATORS = [c for c in (getattr(kernelkit, name) for name in kernelkit.__all__) if hasattr(c, "fit")]
ALL = pytest.mark.parametrize("Model", ESTIMATORS, ids=lambda c: c.__name__)
PREDICTORS = pytest.mark.parametrize(
    "Model", [c for c in ESTIMATORS if hasattr(c, "predict") and hasattr(c, "score")], ids=lambda c: c.__name__
)


def data_for(Model):
    return datasets.rings(60) if is_classifier(Model()) else datasets.sine(60)


def test_the_ridges_are_among_the_estimators():
    assert {"PrimalRidge", "DualRidge", "KernelRidge"} <= {c.__name__ for c in ESTIMATORS}


# a point given twice is held to 1e-7 against a weight of two: nearer than two fits of the default tol need be
TIGHT = {"OneVsRest": {"estimator": KernelSVM(tol=1e-9)}}


@pytest.mark.filterwarnings("ignore:.*(max_iter|max_passes)")
@parametrize_with_checks([Model(**TIGHT.get(Model.__name__, {})) for Model in ESTIMATORS])
def test_scikit_learn_s_checks_pass(estimator, check):
    try:
        check(estimator)
    except SkipTest as reason:
        assert "SCIPY_ARRAY_API" in str(reason)  # SciPy reads it on import, so this check has a process of its own


ARRAY_API = """
import sklearn
from sklearn.utils.estimator_checks import check_estimator
import kernelkit
version = tuple(map(int, sklearn.__version__.split(".")[:2]))
models = [getattr(kernelkit, name) for name in kernelkit.__all__]
for model in (Model() for Model in models if hasattr(Model, "fit")):
    done = [r for r in check_estimator(model, on_fail=None) if r["check_name"].startswith("check_array_api")]
    assert done or version < (1, 9), model  # older ones have no such check for models like these
    assert all(r["status"] == "passed" for r in done), (model, done)
    print(type(model).__name__)
"""


def test_scikit_learn_s_check_of_array_api_input_passes():
    command, env = [sys.executable, "-W", "ignore", "-c", ARRAY_API], os.environ | {"SCIPY_ARRAY_API": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == [Model.__name__ for Model in ESTIMATORS], done.stderr[-2000:]


@ALL
def test_estimator_is_built_without_arguments_and_only_stores(Model):
    model, parameters = Model(), inspect.signature(Model).parameters
    assert vars(model) == {name: p.default for name, p in parameters.items()} == model.get_params(deep=False)
    assert repr(model) == f"{Model.__name__}()"


@PREDICTORS
def test_fitted_models_survive_copies(Model):
    X, y = data_for(Model)
    model = Model()
    assert model.fit(X, y) is model
    h = model.predict(X)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), clone(model).fit(X, y)):
        np.testing.assert_array_equal(again.predict(X), h)
        assert again.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


@PREDICTORS
def test_models_work_in_pipelines_and_cross_validation(Model):
    X, y = data_for(Model)
    pipeline = make_pipeline(StandardScaler(), Model()).fit(X, y)
    expected = Model().fit(StandardScaler().fit_transform(X), y).predict(StandardScaler().fit(X).transform(X))
    np.testing.assert_array_equal(pipeline.predict(X), expected)
    scores = cross_val_score(Model(), X, y, cv=3)
    assert scores.shape == (3,) and np.isfinite(scores).all()


@ALL
def test_every_parameter_can_be_set_by_its_name(Model):
    model = Model()
    for name, value in model.get_params(deep=True).items():
        assert model.set_params(**{name: value}) is model
    assert model.get_params() == Model().get_params()
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(no_such_parameter=1)


def test_grid_search_reaches_into_the_kernel():
    X, y = datasets.sine(60)
    grid = {"kernel__sigma": [0.05, 0.5, 50.0], "lam": [1e-3, 1e3]}
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(KernelRidge(), grid, cv=folds).fit(X, y)
    assert search.best_params_ == {"kernel__sigma": 0.5, "lam": 1e-3}
    assert search.best_estimator_.kernel == Gaussian(0.5)
    assert search.best_score_ > 0.9
    search = GridSearchCV(PrimalRidge(), {"feature_map__degree": [1, 9]}, cv=folds).fit(X, y)
    assert search.best_params_ == {"feature_map__degree": 9}


# ---- parameters of composed kernels -----------------------------------------------------------


def test_parameters_reach_the_parts_of_a_composed_kernel():
    k = 2 * Gaussian(1.0) + Conjugate(Bell(3.0), Polynomial(2)) ** 3
    model = KernelRidge(k)
    params = model.get_params()
    assert params["kernel"] == k and params["kernel__left"] == 2 * Gaussian(1.0)
    assert params["kernel__left__c"] == 2 and params["kernel__left__k__sigma"] == 1.0
    assert params["kernel__right__p"] == 3 and params["kernel__right__k__f__sigma"] == 3.0
    assert params["kernel__right__k__k__degree"] == 2
    assert model.get_params(deep=False) == {"kernel": k, "lam": 1.0, "center": False}

    model.set_params(kernel__left__k__sigma=0.5, kernel__right__k__k__degree=4, kernel__right__k__f__sigma=5.0, lam=2)
    assert model.kernel == 2 * Gaussian(0.5) + Conjugate(Bell(5.0), Polynomial(4)) ** 3
    assert model.lam == 2
    assert k.left.k == Gaussian(1.0)  # the kernel that was given is frozen, and still what it was


def test_setting_a_part_keeps_no_old_results(cloud):
    X = cloud(4, 2)
    model = KernelRidge(Quadratic([[1, 0], [0, 1]]))
    model.kernel(X)  # computes and keeps the square root of A
    model.set_params(kernel__A=[[4, 0], [0, 0]])
    np.testing.assert_allclose(model.kernel(X), 4 * np.outer(X[:, 0], X[:, 0]), rtol=1e-12)


def test_whole_parameters_are_set_before_their_parts():
    model = KernelRidge().set_params(kernel__k__sigma=3.0, kernel=5 * Gaussian(1.0))
    assert model.kernel == Scaled(5, Gaussian(3.0))


def test_repr_shows_what_was_changed():
    assert repr(KernelRidge(2 * Linear(), center=True)) == "KernelRidge(kernel=2 * Linear(), center=True)"
    assert repr(PrimalRidge(Monomials(3), lam=0.5)) == "PrimalRidge(feature_map=Monomials(3), lam=0.5)"
    names = {name: getattr(kernelkit, name) for name in kernelkit.__all__}
    assert eval(repr(KernelRidge(2 * Linear(), lam=3)), names).kernel == 2 * Linear()


@pytest.mark.parametrize("path", ["kernel__width", "kernel__sigma__c", "lam__c", "sigma", "kernel__left__k"])
def test_unknown_parts_are_refused_by_name(path):
    with pytest.raises(ValueError, match=f"Invalid parameter '{path.split('__')[0]}"):
        KernelRidge().set_params(**{path: 1})


# ---- fitted means that fit finished -----------------------------------------------------------


class Interrupt(Exception):
    """What a learner's Ctrl-C is to these tests."""


class Stop:
    """A kernel or a map that works so many times, then interrupts."""

    def __init__(self, inner, calls):
        self.inner, self.calls = inner, calls

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def _count(self):
        self.calls -= 1
        if self.calls < 0:
            raise Interrupt

    def gram(self, X, Z):
        self._count()
        return self.inner.gram(X, Z)

    def diag(self, X):
        self._count()
        return self.inner.diag(X)

    def __call__(self, X):
        self._count()
        return self.inner(X)


DIRECT = pytest.mark.parametrize(
    "Model", [c for c in ESTIMATORS if {"kernel", "feature_map"} & set(c().get_params(deep=False))],
    ids=lambda c: c.__name__,
)  # fmt: skip


def interrupted(model, X, y):
    """The model after a fit that was broken off where K or Φ is computed."""
    part = model._takes_points
    whole = getattr(model, part)
    with pytest.raises(Interrupt):
        model.set_params(**{part: Stop(whole, 0)}).fit(X, y)
    return model.set_params(**{part: whole})


def answers(model, X):
    """What a fitted model is for: predictions, new coordinates, or labels of the points it was fitted to."""
    if hasattr(model, "predict"):
        return model.predict(X)
    return model.transform(X) if hasattr(model, "transform") else model.labels_


@DIRECT
def test_an_interrupted_fit_is_no_fit(Model):
    X, y = data_for(Model)
    model = interrupted(Model(), X, y)
    assert set(vars(model)) == set(model.get_params(deep=False))  # nothing was learned
    if hasattr(model, "predict") or hasattr(model, "transform"):
        with pytest.raises(NotFittedError, match=f"This {Model.__name__} is not fitted yet"):
            answers(model, X)


@DIRECT
def test_an_interrupted_second_fit_leaves_the_first(Model):
    X, y = data_for(Model)
    model = Model().fit(X, y)
    before = answers(model, X)
    interrupted(model, np.tile(X[:9], 2), np.roll(y[:9], 1) if not is_classifier(model) else np.arange(9) % 2 + 7)
    np.testing.assert_array_equal(answers(model, X), before)


# ---- numbers too large ------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Exp(Linear()), Polynomial(150)], ids=repr)
@DIRECT
def test_a_kernel_that_overflows_is_refused_in_one_sentence(Model, kernel):
    X, y = data_for(Model)
    model = Model()
    if model._takes_points != "kernel":
        model, name = model.set_params(feature_map=Monomials(150)), "Φ"
    else:
        model, name = model.set_params(kernel=kernel), "k"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=f"^{name} overflows: scale the inputs") as refused:
            model.fit(1e3 * X, y)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "Model",
    [c for c in DIRECT.args[1] if hasattr(c, "predict") or hasattr(c, "transform")],
    ids=lambda c: c.__name__,
)
def test_new_points_that_overflow_are_refused_too(Model):
    X, y = data_for(Model)
    model, far = Model(), np.full((1, X.shape[1]), 1e300)
    model = model.set_params(**{"kernel": Polynomial(2)} if model._takes_points == "kernel" else {}).fit(X, y)
    with pytest.raises(ValueError, match="overflows: scale the inputs"):
        answers(model, far)


def test_numbers_whose_sum_overflows_are_no_overflow():
    X = np.array([[1.2e154], [1.25e154], [1.1e154]])  # each k(x, z) is about 1.4e308
    assert np.isfinite(KernelRidge(Linear())._gram(X)).all()


# ---- tables with named columns ----------------------------------------------------------------


class Table:
    """As little of a data frame as names need."""

    def __init__(self, X, columns):
        self.X, self.columns = X, columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self.X, dtype=dtype)


@PREDICTORS
def test_columns_in_another_order_are_refused(Model):
    X, y = data_for(Model)
    X = np.column_stack([X, X[:, :1] ** 2])
    names = ["a", "b", "c"][: X.shape[1]]
    model = Model().fit(Table(X, names), y)
    assert model.feature_names_in_.tolist() == names and model.feature_names_in_.dtype == object
    np.testing.assert_allclose(model.predict(Table(X, names)), Model().fit(X, y).predict(X), rtol=1e-9)
    with pytest.raises(ValueError, match=r"feature names should match .*\n.*must be in the same order"):
        model.predict(Table(X, names[::-1]))
    with pytest.raises(ValueError, match="unseen at fit time:\n- z\nFeature names seen at fit time, yet"):
        model.predict(Table(X, [*names[:-1], "z"]))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
        model.predict(X)
    with pytest.raises(TypeError, match="only supported if all input features have string names"):
        model.fit(Table(X, [*names[:-1], 1]), y)
    assert not hasattr(model.fit(Table(X, range(len(names))), y), "feature_names_in_")
    with pytest.warns(UserWarning, match="X has feature names, but"):
        model.predict(Table(X, names))


def test_of_many_columns_that_differ_five_are_named(cloud):
    model = KernelRidge().fit(Table(cloud(4, 7), [f"old {i}" for i in range(7)]), range(4))
    with pytest.raises(ValueError) as error:
        model.predict(Table(cloud(4, 7), [f"new {i}" for i in range(7)]))
    unseen, missing = ([f"- {age} {i}" for i in range(5)] for age in ("new", "old"))
    assert str(error.value).splitlines()[1:] == [
        "Feature names unseen at fit time:", *unseen, "Feature names seen at fit time, yet now missing:", *missing,
    ]  # fmt: skip
