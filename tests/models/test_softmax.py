"""Theorems about the softmax: it is scikit-learn's on explicit features, and its optimum is one."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Linear, Polynomial, datasets
from kernelkit.models.softmax import softmax

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.fixture
def iris(frozen):
    return [frozen(part) for part in datasets.iris()]


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
