"""Fitted means that fit finished, whatever came between; numbers too large are refused."""

import re
import warnings

import numpy as np
import pytest
from every_model import ESTIMATORS, WITH_A_KERNEL, WITH_FEATURES, answers, asking, data_for, each
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError

from kernelkit import (
    Alignments,
    DualRidge,
    Exp,
    Gaussian,
    KernelMachine,
    KernelRidge,
    KernelSVM,
    Linear,
    Monomials,
    OneVsRest,
    Polynomial,
    checks,
)
from kernelkit.models import representer
from kernelkit.models.estimator import own

# ---- fitted means that fit finished -----------------------------------------------------------


class Interrupt(Exception):
    """What a learner's Ctrl-C is to these tests."""


class Stop:
    """A kernel or a map that interrupts as soon as K or Φ is computed."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __call__(self, *points):
        raise Interrupt

    gram = squared_distance_matrix = diagonal = __call__


def interrupted(model, X, y):
    """The model after a fit that was broken off where K or Φ is computed."""
    part = model._reader_name
    whole = getattr(model, part)
    with pytest.raises(Interrupt):
        model.set_params(**{part: Stop(whole)}).fit(X, y)
    return model.set_params(**{part: whole})


@each([*WITH_A_KERNEL, *WITH_FEATURES])
def test_an_interrupted_fit_learns_nothing_and_leaves_what_was_learned_before(Model):
    X, y = data_for(Model)
    model = interrupted(Model(), X, y)
    assert vars(model) == model.get_params(deep=False)
    before = answers(model.fit(X, y), X)
    interrupted(model, np.tile(X[:9], 2), np.arange(9) % 2 + 7 if is_classifier(model) else np.roll(y[:9], 1))
    np.testing.assert_array_equal(answers(model, X), before)


@each(ESTIMATORS)
def test_before_fit_no_method_answers(Model):
    asked = {"Z": [[1.0]], "Y": [[1.0]], "n_clusters": 2, "feature_map": Monomials(1), "input_features": ["a"]}
    for name, (first, *_) in asking(Model):
        if first in asked:
            with pytest.raises(NotFittedError, match=f"^This {Model.__name__}( instance)? is not fitted yet"):
                getattr(Model(), name)(asked[first])


UNFINISHED = [M(**{name: 1}) for M in ESTIMATORS for name in {"max_iter", "max_passes"} & M().get_params().keys()]


@pytest.mark.parametrize("model", [*UNFINISHED, KernelMachine(Linear(), "absolute")], ids=repr)
def test_a_warning_that_is_made_an_error_comes_after_the_fit(model, monkeypatch):
    monkeypatch.setattr(representer, "MAX_ITER", 1)
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


@pytest.mark.parametrize(
    "model", [*(Model() for Model in ESTIMATORS), DualRidge(Linear().feature_map())], ids=lambda m: type(m).__name__
)
def test_what_the_caller_does_to_the_data_afterwards_changes_no_model(model):
    X, y = (np.array(part) for part in data_for(type(model)))
    Z, model = X[::7].copy(), model.fit(X, y)  # of the last model the features are the points themselves
    before = answers(model, Z)
    X[:] = X[0]
    y[:] = y[0]
    np.testing.assert_array_equal(answers(model, Z), before)


def test_nor_do_changes_inside_of_objects():
    points = [np.array([[0.0], [1.0]]), np.array([[1.0]]), np.array([[2.0], [2.0]])]
    Z, model = [x.copy() for x in points], KernelRidge(Alignments(Gaussian(1.0)), 0.1).fit(points, [0.0, 1.0, 2.0])
    before = model.predict(Z)
    for x in points:
        x += 1
    np.testing.assert_array_equal(model.predict(Z), before)


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: {"a", "b"}, lambda x: x.clear()),
        (lambda: {"a": [1, 2]}, lambda x: x["a"].append(3)),
        (lambda: {"a": 1}, lambda x: x.clear()),
        (lambda: ("a", [1, 2]), lambda x: x[1].clear()),
        (lambda: ("a", ("b", {1})), lambda x: x[1][1].clear()),
        (lambda: [{1}, 2], lambda x: x[0].clear()),
        (lambda: (np.zeros(2), "name"), lambda x: x[0].fill(1)),
    ],
    ids=["set", "list in a dict", "dict", "list in a tuple", "set in tuples", "set in a list", "array in a tuple"],
)
def test_a_copy_goes_down_to_all_that_can_change(make, change):
    point = make()
    (copy,) = own([point])
    change(point)
    np.testing.assert_equal(copy, make())
    assert type(copy) is type(point)


def test_objects_deeper_than_python_can_call_are_fitted():
    tree = "leaf"
    for _ in range(300):
        tree = ("node", tree)
    assert own([tree])[0] is tree


# ---- matrices too large -------------------------------------------------------------------------

TOO_LARGE = r"^The (Gram matrix of 60|matrix k\(X, Z\) of 60 and 60) points is 0\.0 GB, more than the 0\.0 GB allowed; "


@each([*WITH_A_KERNEL, DualRidge])
def test_a_gram_matrix_that_does_not_fit_is_refused_in_one_sentence(Model, monkeypatch):
    X, y = data_for(Model)
    monkeypatch.setattr(checks, "MAX_BYTES", 8 * 60**2 - 1)
    with pytest.raises(ValueError, match=TOO_LARGE):
        answers(Model().fit(X, y), X)
    monkeypatch.setattr(checks, "MAX_BYTES", 8 * 60**2)
    answers(Model().fit(X, y), X)


# ---- numbers too large ------------------------------------------------------------------------


@each([*WITH_A_KERNEL, *WITH_FEATURES, OneVsRest])
def test_a_kernel_or_a_map_that_overflows_is_refused_in_one_sentence(Model):
    X, y = data_for(Model)
    name, sources = ("Φ", [Monomials(150)]) if Model in WITH_FEATURES else ("k", [Exp(Linear()), 1e308 * Gaussian(1.0)])
    for source in sources:
        model = OneVsRest(KernelSVM(source)) if Model is OneVsRest else Model(source)
        said = f"{name} overflows: scale the inputs. {source!r} gives numbers beyond 1e+290 on these points."
        with warnings.catch_warnings(action="error"), pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            model.fit(1e3 * X, y)


@each([M for M in [*WITH_A_KERNEL, *WITH_FEATURES] if hasattr(M, "predict") or hasattr(M, "transform")])
def test_new_points_that_overflow_are_refused_too(Model):
    X, y = data_for(Model)
    model = Model() if Model in WITH_FEATURES else Model(kernel=Polynomial(2))
    with pytest.raises(ValueError, match="overflows: scale the inputs"):
        answers(model.fit(X, y), np.full((1, X.shape[1]), 1e300))


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
