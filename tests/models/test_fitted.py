"""Fitted means that fit finished, whatever came between; numbers too large are refused."""

import copy
import re
import traceback
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from every_model import ESTIMATORS, data_for
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError

import kernelkit
from kernelkit import (
    Alignments,
    Bhattacharyya,
    DualRidge,
    Exp,
    Gaussian,
    KernelKMeans,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
    KernelOneClass,
    KernelOutliers,
    KernelPerceptron,
    KernelRidge,
    KernelSoftmax,
    KernelSVM,
    KernelSVR,
    Kriging,
    Linear,
    Monomials,
    Overlap,
    Polynomial,
    PrimalLogistic,
    checks,
    datasets,
)
from kernelkit.models.estimator import own

PACKAGE = Path(kernelkit.__file__).parent

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

    def squared_distance_matrix(self, X, Z):
        self._count()
        return self.inner.squared_distance_matrix(X, Z)

    def diagonal(self, X):
        self._count()
        return self.inner.diagonal(X)

    def __call__(self, X):
        self._count()
        return self.inner(X)


DIRECT = pytest.mark.parametrize(
    "Model",
    [c for c in ESTIMATORS if {"kernel", "feature_map"} & set(c().get_params(deep=False))],
    ids=lambda c: c.__name__,
)


def interrupted(model, X, y):
    """The model after a fit that was broken off where K or Φ is computed."""
    part = model._reader_name
    whole = getattr(model, part)
    with pytest.raises(Interrupt):
        model.set_params(**{part: Stop(whole, 0)}).fit(X, y)
    return model.set_params(**{part: whole})


NUMBERS = [
    (c, name)
    for c in DIRECT.args[1]
    for name, value in c().get_params(deep=False).items()
    if (isinstance(value, float) and name != "tol") or name == "step"
]


KERNEL_MODELS = [c for c in DIRECT.args[1] if "kernel" in c().get_params(deep=False)]


def answers(model, X):
    """What a fitted model is for: predictions, new coordinates, densities, or labels of the points it was fitted to."""
    for method in ("predict", "transform", "log_density"):
        if hasattr(model, method):
            return getattr(model, method)(X)
    return model.labels_


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


UNFINISHED = {
    "logistic": KernelLogistic(max_iter=1),
    "primal logistic": PrimalLogistic(max_iter=1),
    "perceptron": KernelPerceptron(max_passes=1),
    "softmax": KernelSoftmax(max_iter=1),
    "machine": KernelMachine(Linear(), "maximum", lam=1e-12),
    "svm": KernelSVM(max_iter=1),
    "many": KernelMultiSVM(max_iter=1),
    "one class": KernelOneClass(nu=0.3, max_iter=1),
    "svr": KernelSVR(max_iter=1),
    "k-means": KernelKMeans(n_clusters=4, max_iter=1),
}


@pytest.mark.parametrize("model", UNFINISHED.values(), ids=UNFINISHED)
def test_a_warning_that_is_made_an_error_comes_after_the_fit(model):
    rng, too_early, model = np.random.default_rng(0), "stopped|still made mistakes", clone(model)
    X, y, Z = rng.standard_normal((60, 2)), rng.choice([-1, 1], 60), rng.standard_normal((5, 2))
    with pytest.warns(UserWarning, match=too_early):
        plain = clone(model).fit(X, y)
    with warnings.catch_warnings(action="ignore"):
        model.fit(X[:30, :1], y[:30])
    with warnings.catch_warnings(action="error"), pytest.raises(UserWarning, match=too_early):
        model.fit(X, y)
    assert model.n_features_in_ == 2 and len(model.X_) == 60
    np.testing.assert_array_equal(answers(model, Z), answers(plain, Z))


# ---- the caller's data are the caller's ---------------------------------------------------------


@pytest.mark.parametrize("Model", ESTIMATORS, ids=lambda c: c.__name__)
def test_what_the_caller_does_to_the_data_afterwards_changes_no_model(Model):
    X, y = (np.array(part) for part in data_for(Model))
    Z, model = X[::7].copy(), Model().fit(X, y)
    before = answers(model, Z)
    X[:] = X[0]
    y[:] = y[0]
    np.testing.assert_array_equal(answers(model, Z), before)


def test_features_that_are_the_points_are_copied_too():
    X = np.arange(6.0)[:, None]
    model = DualRidge(Linear().feature_map()).fit(X, X[:, 0])
    before = model.predict([[2.0]])
    X += 100
    np.testing.assert_array_equal(model.predict([[2.0]]), before)


OBJECTS = {
    "series": (Alignments(Gaussian(1.0)), [np.array([[0.0], [1.0]]), np.array([[1.0]]), np.array([[2.0], [2.0]])]),
    "gaussians": (Bhattacharyya(), [(np.zeros(1), np.eye(1)), (np.ones(1), np.eye(1)), (np.ones(1), 2 * np.eye(1))]),
}


@pytest.mark.parametrize(("kernel", "points"), OBJECTS.values(), ids=OBJECTS)
def test_arrays_inside_of_objects_are_copied_too(kernel, points):
    Z, model = copy.deepcopy(points), KernelRidge(kernel, 0.1).fit(points, [0.0, 1.0, 2.0])
    before = model.predict(Z)
    for part in points:
        array = part if isinstance(part, np.ndarray) else part[0]
        array += 1
    np.testing.assert_array_equal(model.predict(Z), before)


def test_an_array_next_to_other_things_in_a_tuple_is_copied():
    point = (np.zeros(2), "name")
    (copied,) = own([point])
    point[0][:] = 1
    np.testing.assert_array_equal(copied[0], [0, 0])
    assert copied[1] == "name"


def test_objects_deeper_than_python_can_call_are_fitted():
    tree = "leaf"
    for _ in range(300):
        tree = ("node", tree)
    assert own([tree])[0] is tree


# ---- matrices too large -------------------------------------------------------------------------

KERNEL_MODELS = [c for c in DIRECT.args[1] if c._reader_name == "kernel"]
TOO_LARGE = r"^The (Gram matrix of 60|matrix k\(X, Z\) of 60 and 60) points is 0\.0 GB, more than the 0\.0 GB allowed; "


@pytest.mark.parametrize("Model", [*KERNEL_MODELS, DualRidge], ids=lambda c: c.__name__)
def test_a_gram_matrix_that_does_not_fit_is_refused_in_one_sentence(Model, monkeypatch):
    X, y = data_for(Model)
    monkeypatch.setattr(checks, "MAX_BYTES", 8 * 60**2 - 1)
    with pytest.raises(ValueError, match=TOO_LARGE):
        answers(Model().fit(X, y), X)
    monkeypatch.setattr(checks, "MAX_BYTES", 8 * 60**2)
    answers(Model().fit(X, y), X)


def test_new_points_whose_matrix_does_not_fit_are_refused_too(monkeypatch):
    X, y = datasets.sine(60)
    model = KernelRidge().fit(X, y)
    monkeypatch.setattr(checks, "MAX_BYTES", 8 * 60 * 99)
    model.predict(np.tile(X, (2, 1))[:99])
    with pytest.raises(ValueError, match=r"^The matrix k\(X, Z\) of 100 and 60 points is .*take fewer points"):
        model.predict(np.tile(X, (2, 1))[:100])


# ---- numbers too large ------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Exp(Linear()), Polynomial(150)], ids=repr)
@DIRECT
def test_a_kernel_that_overflows_is_refused_in_one_sentence(Model, kernel):
    X, y = data_for(Model)
    model = Model()
    if model._reader_name != "kernel":
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
    model = model.set_params(**{"kernel": Polynomial(2)} if model._reader_name == "kernel" else {}).fit(X, y)
    with pytest.raises(ValueError, match="overflows: scale the inputs"):
        answers(model, far)


class Growing(Gaussian):
    """A kernel made of the Gaussian, that overflows all the same."""

    def gram(self, X, Z):
        return np.exp(X) * super().gram(X, Z) * np.exp(Z).T


@pytest.mark.parametrize("Model", [KernelRidge, KernelSVM, Kriging], ids=lambda c: c.__name__)
def test_a_descendant_of_the_gaussian_is_looked_through(Model):
    X = np.linspace(0, 400, 12)[:, None]
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs"):
        Model(Growing(50.0)).fit(X, np.arange(12) % 2)


def test_numbers_whose_squares_overflow_are_no_overflow():
    X = np.array([[1.2e144], [1.25e144], [1.1e144]])  # each k(x, z) is about 1.4e288
    assert np.isfinite(KernelRidge(Linear())._gram(X)).all()


class Undefined(Linear):
    """A kernel that has no value at the origin."""

    def gram(self, X, Z):
        return np.where((X == 0).all(axis=1)[:, None] | (Z == 0).all(axis=1), np.nan, super().gram(X, Z))


def test_not_a_number_is_told_from_an_overflow():
    with pytest.raises(ValueError, match=r"^k gives NaN: Undefined\(\) has no value for some of these points"):
        KernelRidge(Undefined()).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs"):
        KernelRidge(Linear()).fit([[1e200], [1.0]], [0.0, 1.0])


@pytest.mark.parametrize("size", [5e-324, 1e150, 1e308])
@DIRECT
def test_extreme_points_give_numbers_or_a_sentence(Model, size):
    X, y = data_for(Model)
    numbers_or_a_sentence(Model(), size * (X / np.abs(X).max()), y)


@pytest.mark.parametrize("size", [5e-324, 1e150, 1e308])
@pytest.mark.parametrize("Model", [c for c in DIRECT.args[1] if is_regressor(c())], ids=lambda c: c.__name__)
def test_extreme_targets_give_numbers_or_a_sentence(Model, size):
    X, y = data_for(Model)
    numbers_or_a_sentence(Model(), X, size * (y / np.abs(y).max()))


@pytest.mark.parametrize("value", [5e-324, 1e308])
@pytest.mark.parametrize(("Model", "name"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_extreme_parameters_give_numbers_or_a_sentence(Model, name, value):
    X, y = data_for(Model)
    numbers_or_a_sentence(Model(**{name: value}), X, y)


@pytest.mark.parametrize("factor", [5e-324, 1e308])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("Model", KERNEL_MODELS, ids=lambda c: c.__name__)
def test_extreme_factors_of_a_kernel_give_numbers_or_a_sentence(Model, kernel, factor):
    X, y = data_for(Model)
    numbers_or_a_sentence(Model(factor * kernel), X, y)


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


def test_a_score_beside_copies_may_be_infinite():
    model = KernelOutliers(n_neighbors=2).fit([[0.0], [0.0], [0.0], [1.0]])
    assert model.scores_[-1] == np.inf and model.labels_.tolist() == [1, 1, 1, -1]


@pytest.mark.parametrize("value", [Fraction(1, 3), True, "1"], ids=repr)
@pytest.mark.parametrize(("Model", "name"), NUMBERS, ids=lambda part: getattr(part, "__name__", part))
def test_parameters_are_numbers_that_numpy_can_compute_with(Model, name, value):
    with pytest.raises(TypeError, match=f"^{name} must be a .*got {re.escape(repr(value))}"):
        Model(**{name: value}).fit(*data_for(Model))


def numbers_or_a_sentence(model, X, y):
    """What the model answers is finite, or its fit is refused in a sentence and it is not fitted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a step was too long, or a matrix singular
        warnings.simplefilter("error", RuntimeWarning)  # NumPy's words for an overflow
        try:
            model.fit(X, y)
        except ValueError as error:
            assert str(error).endswith(".") and not hasattr(model, "X_")
            *_, where = traceback.extract_tb(error.__traceback__)
            assert PACKAGE in Path(where.filename).parents, f"these are not our words: {error}"
            return
        assert np.isfinite(answers(model, X)).all()


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: {"a", "b"}, lambda x: x.clear()),
        (lambda: {"a": [1, 2]}, lambda x: x["a"].append(3)),
        (lambda: {"a": 1}, lambda x: x.clear()),
        (lambda: ("a", [1, 2]), lambda x: x[1].clear()),
        (lambda: ("a", ("b", {1})), lambda x: x[1][1].clear()),
        (lambda: [{1}, 2], lambda x: x[0].clear()),
    ],
    ids=["set", "list in a dict", "dict", "list in a tuple", "set in tuples", "set in a list"],
)
def test_objects_that_change_after_the_fit_change_nothing(make, change):
    mine = own([make()])
    point = make()
    copy = own([point])
    change(point)
    assert point != make() and copy == mine == [make()] and type(copy[0]) is type(point)


def test_a_set_that_is_emptied_after_the_fit_changes_no_prediction():
    first = {"a", "b"}
    model = KernelRidge(Overlap(), 1.0).fit([first, {"c"}], [1.0, 2.0])
    before = model.predict([{"a"}, {"c"}])
    first.clear()
    np.testing.assert_array_equal(model.predict([{"a"}, {"c"}]), before)
