"""Theorems about more than two classes: one-vs-rest is its binary models, the softmax is scikit-learn's."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
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
    OneVsRest,
    Polynomial,
    PrimalSVM,
    datasets,
)
from kernelkit.models.multiclass import softmax

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.fixture
def iris(frozen):
    return [frozen(part) for part in datasets.iris()]


# ---- the softmax ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("k", [Linear(), Polynomial(2)], ids=repr)
def test_softmax_equals_scikit_learn_s(k, lam, iris):
    X, y = iris
    phi, odd = k.feature_map(), np.arange(150) % 2 == 1
    peer = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-10, max_iter=50_000).fit(phi(X[odd]), y[odd])
    ours = KernelSoftmax(k, lam, tol=1e-9).fit(X[odd], y[odd])
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(phi(X)), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(phi(X)))
    w = phi(X[odd]).T @ ours.a_
    np.testing.assert_allclose(w.T, peer.coef_, atol=2e-3 * np.abs(w).max())


@pytest.mark.parametrize("lam", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("k", [Linear(), Gaussian(1.0)], ids=repr)
def test_gradient_is_zero_at_the_solution(k, lam, iris):
    X, y = iris
    model = KernelSoftmax(k, lam, tol=1e-10).fit(X, y)
    residual = np.eye(3)[y] - model.predict_proba(X)
    assert model.converged_ and model.n_iter_ < 30
    np.testing.assert_allclose(k(X) @ (residual - lam * model.a_), 0, atol=1e-7)
    np.testing.assert_allclose(k(X) @ model.a_.sum(axis=1), 0, atol=1e-7)  # Σ_c h_c = 0
    np.testing.assert_allclose(k(X) @ model.a_, model.decision_function(X), atol=1e-12)


def test_softmax_of_two_classes_is_logistic_regression(iris):
    X, y = (part[:100] for part in iris)
    two, one = KernelSoftmax(Gaussian(1.0), 2.0).fit(X, NAMES[y]), KernelLogistic(Gaussian(1.0), 1.0).fit(X, y)
    # h = h_1 − h_0 with h_1 = −h_0: λ/2 (‖w_0‖² + ‖w_1‖²) = λ/4 ‖w‖²
    np.testing.assert_allclose(two.predict_proba(X), one.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(two.decision_function(X), one.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(two.predict(X), NAMES[one.predict(X)])


def test_probabilities_sum_to_one_and_rank_as_the_outputs(iris, cloud):
    X, y = iris
    model, Z = KernelSoftmax(Gaussian(1.0), 0.1).fit(X, NAMES[y]), cloud(40, 4, scale=2.0)
    P, h = model.predict_proba(Z), model.decision_function(Z)
    assert P.shape == h.shape == (40, 3) and P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(np.diff(np.log(P), axis=1), np.diff(h, axis=1), atol=1e-9)
    np.testing.assert_array_equal(model.predict(Z), NAMES[P.argmax(axis=1)])
    np.testing.assert_allclose(model.predict_proba(1e6 * np.ones((1, 4))), 1 / 3)  # far from every point: no opinion


def test_softmax_is_safe_far_out():
    P = softmax(np.array([[1e4, 0.0, -1e4], [1e308, 1e308, 0.0]]))
    np.testing.assert_array_equal(P, [[1, 0, 0], [0.5, 0.5, 0]])


def test_order_of_the_classes_does_not_matter(iris):
    X, y = iris
    one, other = KernelSoftmax(Gaussian(1.0)).fit(X, y), KernelSoftmax(Gaussian(1.0)).fit(X, 7 - y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X)[:, ::-1], atol=1e-6)
    assert other.classes_.tolist() == [5, 6, 7]


def test_softmax_says_when_it_stopped_too_early(iris):
    with pytest.warns(UserWarning, match="stopped after max_iter = 2 Newton steps") as caught:
        model = KernelSoftmax(Gaussian(1.0), 1e-3, max_iter=2).fit(*iris)
    assert not model.converged_ and model.n_iter_ == 2 and caught[0].filename == __file__


@pytest.mark.parametrize("setting", [{"lam": 0}, {"lam": -1.0}, {"tol": 0}, {"max_iter": 0}])
def test_softmax_refuses_bad_settings(setting, iris):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be a"):
        KernelSoftmax(**setting).fit(*iris)


# ---- one against the rest --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "binary",
    [KernelSVM(Gaussian(1.5), C=3.0), KernelLogistic(Gaussian(1.5), 0.1), PrimalSVM(passes=10),
     KernelMachine(Gaussian(1.0), "squared_hinge"), KernelPerceptron(Gaussian(0.5))],
    ids=lambda m: type(m).__name__,
)  # fmt: skip
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


@pytest.mark.parametrize("Model", [OneVsRest, KernelSoftmax])
def test_two_classes_fall_back_to_one_model(Model, iris):
    X, y = iris
    two = Model().fit(X[50:], NAMES[y[50:]])
    assert two.decision_function(X).shape == (150,) and two.classes_.tolist() == NAMES[1:].tolist()
    np.testing.assert_array_equal(two.predict(X), np.where(two.decision_function(X) > 0, NAMES[2], NAMES[1]))
    if Model is OneVsRest:
        [only] = two.models_
        np.testing.assert_array_equal(only.decision_function(X), KernelSVM().fit(X[50:], y[50:]).decision_function(X))


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
