"""Theorems about more than two classes: one-vs-rest is its binary models, and every model finds all classes."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kernelkit import (
    FromFeatures,
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
    KernelPerceptron,
    KernelSoftmax,
    KernelSVM,
    OneVsRest,
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


@pytest.mark.parametrize("Model", [OneVsRest, KernelSoftmax, KernelMultiSVM])
def test_two_classes_fall_back_to_one_output(Model, iris):
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


@pytest.mark.parametrize("wrong", [KernelMachine(), LogisticRegression(), "svm", KernelSVM])
def test_other_estimators_are_refused(wrong, iris):
    with pytest.raises(TypeError, match="estimator must be a classifier of kernelkit, got"):
        OneVsRest(wrong).fit(*iris)


LENGTHS = FromFeatures(lambda s: [[1.0, len(w) / 6, (len(w) / 6) ** 2] for w in s])


@pytest.mark.parametrize(
    "model",
    [OneVsRest(KernelSVM(LENGTHS, C=1e4)), KernelMultiSVM(LENGTHS, 1000.0), KernelSoftmax(LENGTHS, 1e-5)],
    ids=lambda m: type(m).__name__,
)
def test_other_things_than_vectors_have_classes_too(model):
    words, y = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"], ["short", "short", "mid", "mid", "long", "long"]
    assert model.fit(words, y).predict(["x", "yyy", "zzzzzzz"]).tolist() == ["short", "mid", "long"]


@pytest.mark.parametrize("Model", [lambda k: OneVsRest(KernelSVM(k)), lambda k: KernelSoftmax(k, 0.1), KernelMultiSVM])
def test_each_of_many_classes_is_found(Model):
    X = np.stack(np.meshgrid(range(3), range(4)), -1).reshape(-1, 2) * 1.0
    np.testing.assert_array_equal(Model(Gaussian(0.3)).fit(X, np.arange(12)).predict(X), np.arange(12))  # a point each
