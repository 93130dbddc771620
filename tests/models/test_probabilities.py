"""Laws of all models with probabilities: they are scikit-learn's, sum to one, rank as the outputs, and never vanish."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kernelkit import (
    Gaussian,
    KernelLogistic,
    KernelMachine,
    KernelPerceptron,
    KernelSoftmax,
    KernelSVM,
    Linear,
    Monomials,
    OneVsRest,
    Polynomial,
    PrimalLogistic,
    datasets,
)

pytestmark = [  # SciPy from 1.16 on warns of an option that scikit-learn 1.6 gives it
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:.*iprint"),
]
NAMES = np.array(["setosa", "versicolor", "virginica"])


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3, 0.5), Gaussian(0.5)], ids=repr)
@pytest.mark.parametrize("Model", [KernelLogistic, KernelSoftmax], ids=lambda Model: Model.__name__)
def test_probabilities_are_scikit_learn_s_in_the_kernel_s_features(Model, k, lam, iris):
    X, y = iris if Model is KernelSoftmax else datasets.mixture(160)
    values, vectors = np.linalg.eigh(k(X))
    Phi, odd = vectors * np.sqrt(np.maximum(values, 0)), np.arange(len(X)) % 2 == 1  # K = ΦΦᵀ
    peer = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-10, max_iter=50_000).fit(Phi[odd], y[odd])
    ours = Model(k, lam, tol=1e-9).fit(X[odd], y[odd])
    assert ours.converged_ and ours.n_iter_ < 30
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(Phi), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(Phi))


def of_one_more(model, h):
    """log P(c + 1) − log P(c), (m, classes − 1), as the outputs h give it."""
    if h.ndim == 1:
        return h[:, None]
    return np.diff(h if isinstance(model, KernelSoftmax) else -np.logaddexp(0, -h), axis=1)


@pytest.mark.parametrize(
    ("model", "classes"),
    [
        (PrimalLogistic(Monomials(1), 10.0), 2),
        (KernelLogistic(Polynomial(2), 0.5), 2),
        (KernelSoftmax(Polynomial(3), 1e-3), 2),
        (KernelSoftmax(Polynomial(3), 1e-3), 3),
        (OneVsRest(KernelLogistic(Linear(), 0.1)), 2),
        (OneVsRest(KernelLogistic(Linear(), 0.1)), 3),
    ],
    ids=repr,
)
def test_probabilities_are_those_of_the_outputs_and_their_logarithms_never_underflow(model, classes, iris, cloud):
    X, y = (part[iris[1] < classes] for part in iris)
    model.fit(X, NAMES[y])
    for size in 1.0, 1e5:
        Z = size * cloud(40, 4)
        P, log_P, h = model.predict_proba(Z), model.predict_log_proba(Z), model.decision_function(Z)
        assert P.shape == (40, classes) and P.min() >= 0 and log_P.max() <= 0
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_allclose(P, np.exp(log_P), atol=1e-12)
        np.testing.assert_allclose(np.diff(log_P, axis=1), of_one_more(model, h), rtol=1e-9, atol=1e-9)
        if size == 1:
            np.testing.assert_array_equal(model.predict(Z), NAMES[P.argmax(axis=1)])
    assert P.min() == 0 and log_P.min() < -1e4 and np.isfinite(log_P).all()


@pytest.mark.parametrize("binary", [None, KernelPerceptron(), KernelMachine(loss="logistic")], ids=repr)
def test_there_are_no_probabilities_without_those_of_the_estimator(binary, iris):
    name = type(binary or KernelSVM()).__name__
    for asked in "predict_proba", "predict_log_proba":
        assert hasattr(OneVsRest(KernelLogistic()), asked) and not hasattr(OneVsRest(binary), asked)
        with pytest.raises(AttributeError, match=rf"^{name} has no probabilities; [^\n]* has predict_proba\.$"):
            getattr(OneVsRest(binary), asked)
    with pytest.raises(ValueError, match="This OneVsRest is not fitted yet"):
        OneVsRest(KernelLogistic()).predict_proba(iris[0])
