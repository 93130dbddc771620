"""Fitted means that fit finished, whatever came between; numbers too large are refused."""

import warnings

import numpy as np
import pytest
from every_model import ESTIMATORS, data_for
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError

from kernelkit import (
    Exp,
    Gaussian,
    KernelKMeans,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
    KernelOneClass,
    KernelPerceptron,
    KernelRidge,
    KernelSoftmax,
    KernelSVM,
    KernelSVR,
    Kriging,
    Linear,
    Monomials,
    Polynomial,
    PrimalLogistic,
)

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
    "Model",
    [c for c in ESTIMATORS if {"kernel", "feature_map"} & set(c().get_params(deep=False))],
    ids=lambda c: c.__name__,
)


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


class Growing(Gaussian):
    """A kernel made of the Gaussian, that overflows all the same."""

    def gram(self, X, Z):
        return np.exp(X) * super().gram(X, Z) * np.exp(Z).T


@pytest.mark.parametrize("Model", [KernelRidge, KernelSVM, Kriging], ids=lambda c: c.__name__)
def test_a_descendant_of_the_gaussian_is_looked_through(Model):
    X = np.linspace(0, 400, 12)[:, None]
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs"):
        Model(Growing(50.0)).fit(X, np.arange(12) % 2)


def test_numbers_whose_sum_overflows_are_no_overflow():
    X = np.array([[1.2e154], [1.25e154], [1.1e154]])  # each k(x, z) is about 1.4e308
    assert np.isfinite(KernelRidge(Linear())._gram(X)).all()
