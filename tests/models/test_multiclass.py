"""Theorems about more than two classes: one-vs-rest is its binary models, one margin over all is scikit-learn's."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kernelkit import (
    FromFeatures,
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelPerceptron,
    KernelSoftmax,
    KernelSVM,
    Linear,
    Monomials,
    OneVsRest,
    PrimalLogistic,
    PrimalSVM,
)

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.mark.parametrize(
    "binary",
    [
        KernelSVM(Gaussian(1.5), C=3.0),
        KernelLogistic(Gaussian(1.5), 0.1),
        PrimalSVM(passes=10),
        KernelMachine(Gaussian(1.0), "squared_hinge"),
        KernelPerceptron(Gaussian(0.5)),
    ],
    ids=lambda m: type(m).__name__,
)
def test_one_vs_rest_is_one_fit_for_each_class(binary, iris, cloud):
    (X, y), Z = iris, cloud(60, 4)
    model = OneVsRest(binary).fit(X, NAMES[y])
    by_hand = np.column_stack([binary.fit(X, np.where(y == c, 1, -1)).decision_function(Z) for c in range(3)])
    np.testing.assert_array_equal(model.decision_function(Z), by_hand)
    np.testing.assert_array_equal(model.predict(Z), NAMES[by_hand.argmax(axis=1)])
    assert [type(part) for part in model.models_] == [type(binary)] * 3
    assert model.classes_.tolist() == NAMES.tolist() and model.score(X, NAMES[y]) > 0.9


def test_one_vs_rest_equals_libsvm_s(iris):
    X, y = iris
    ours = OneVsRest(KernelSVM(Gaussian(1.0), tol=1e-6)).fit(X, y)
    for c in range(3):
        peer = SVC(gamma=0.5, tol=1e-6).fit(X, y == c)
        np.testing.assert_allclose(ours.decision_function(X)[:, c], peer.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("binary", [KernelLogistic(Gaussian(1.5), 0.1), PrimalLogistic(Monomials(1), 10.0)], ids=repr)
def test_probabilities_are_those_of_scikit_learn_s_one_vs_rest(binary, iris, cloud):
    (X, y), Z = iris, cloud(60, 4, scale=3.0)
    for keep in y < 3, y < 2:
        ours = OneVsRest(binary).fit(X[keep], NAMES[y[keep]])
        peer = OneVsRestClassifier(binary).fit(X[keep], NAMES[y[keep]])
        P = ours.predict_proba(Z)
        np.testing.assert_allclose(P, peer.predict_proba(Z), atol=1e-12)
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_allclose(ours.predict_log_proba(Z), np.log(P), atol=1e-9)
        np.testing.assert_array_equal(ours.classes_[P.argmax(axis=1)], ours.predict(Z))


def test_log_probabilities_do_not_underflow(iris):
    X, y = iris
    model = OneVsRest(KernelLogistic(Linear(), 0.1)).fit(X - X.mean(axis=0), y)
    far = 1e4 * (X[:1] - X.mean(axis=0))
    assert model.predict_proba(far).min() == 0 and np.isfinite(model.predict_log_proba(far)).all()


@pytest.mark.parametrize("binary", [None, KernelPerceptron(), KernelMachine(loss="logistic")], ids=repr)
def test_there_are_no_probabilities_without_those_of_the_estimator(binary, iris):
    name = type(binary or KernelSVM()).__name__
    for asked in "predict_proba", "predict_log_proba":
        assert hasattr(OneVsRest(KernelLogistic()), asked) and not hasattr(OneVsRest(binary), asked)
        with pytest.raises(AttributeError, match=rf"^{name} has no probabilities; [^\n]* has predict_proba\.$"):
            getattr(OneVsRest(binary), asked)
    with pytest.raises(ValueError, match="This OneVsRest is not fitted yet"):
        OneVsRest(KernelLogistic()).predict_proba(iris[0])


@pytest.mark.parametrize("Model", [OneVsRest, KernelSoftmax])
def test_two_classes_fall_back_to_one_model(Model, iris):
    X, y = iris
    two = Model().fit(X[50:], NAMES[y[50:]])
    assert two.decision_function(X).shape == (150,) and two.classes_.tolist() == NAMES[1:].tolist()
    np.testing.assert_array_equal(two.predict(X), np.where(two.decision_function(X) > 0, NAMES[2], NAMES[1]))
    if Model is OneVsRest:
        [only] = two.models_
        by_hand = KernelSVM(tol=1e-6).fit(X[50:], y[50:])
        np.testing.assert_array_equal(only.decision_function(X), by_hand.decision_function(X))


def test_the_given_estimator_is_copied_and_its_parameters_reached(iris):
    X, y = iris
    binary = KernelSVM(Gaussian(2.0))
    model = OneVsRest(binary).set_params(estimator__C=7.0, estimator__kernel__sigma=0.5).fit(X, y)
    assert not hasattr(binary, "a_") and model.get_params()["estimator__C"] == 7.0
    assert {id(part) for part in model.models_} & {id(binary)} == set()
    assert all(part.C == 7.0 and part.kernel == Gaussian(0.5) for part in model.models_)


def test_one_vs_rest_takes_other_things_than_vectors():
    words, y = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"], ["short", "short", "mid", "mid", "long", "long"]
    k = FromFeatures(lambda s: [[1.0, len(w), len(w) ** 2] for w in s])
    model = OneVsRest(KernelSVM(k, C=100.0)).fit(words, y)
    assert model.predict(["x", "yyy", "zzzzzzz"]).tolist() == ["short", "mid", "long"]
    assert KernelSoftmax(k, 0.01).fit(words, y).predict(["x", "zzzzzzz"]).tolist() == ["short", "long"]


@pytest.mark.parametrize("wrong", [KernelMachine(), LogisticRegression(), "svm", KernelSVM])
def test_other_estimators_are_refused(wrong, iris):
    with pytest.raises(TypeError, match="estimator must be a classifier of kernelkit, got"):
        OneVsRest(wrong).fit(*iris)


def test_each_of_many_classes_is_found():
    X = np.stack(np.meshgrid(range(3), range(4)), -1).reshape(-1, 2) * 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (OneVsRest(KernelSVM(Gaussian(0.3))), KernelSoftmax(Gaussian(0.3), 0.1)):
            np.testing.assert_array_equal(model.fit(X, np.arange(12)).predict(X), np.arange(12))  # one point a class
