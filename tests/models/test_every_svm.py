"""Laws of all support vector machines: they are LIBSVM's, what carries them, how they stop, and what is the same."""

import numpy as np
import pytest
from models.svm_problems import KERNELS, PEERS, data
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, SVR, OneClassSVM

from kernelkit import (
    Exp,
    FromFeatures,
    Gaussian,
    KernelMultiSVM,
    KernelOneClass,
    KernelSVM,
    KernelSVR,
    Linear,
    OneVsRest,
    Polynomial,
    datasets,
)
from kernelkit.models import svm
from kernelkit.models.smo import RowsOnDemand

pytestmark = pytest.mark.filterwarnings("error")

MIXTURE, MOONS, SINE, IRIS = data("mixture"), data("moons"), datasets.sine(80, 0.3, 0), datasets.iris()
G = Gaussian(0.7)
EXACT = {
    "svm": (KernelSVM(G, 10.0, tol=1e-8), *MIXTURE),
    "svm in features": (KernelSVM(Polynomial(3), 0.1, tol=1e-8), *MIXTURE),
    "svr": (KernelSVR(G, 10.0, 0.3, tol=1e-10), *SINE),
    "svr in features": (KernelSVR(Polynomial(3), 1.0, 0.3, tol=1e-10), *SINE),
    "multi svm": (KernelMultiSVM(Gaussian(1.0), 10.0, tol=1e-8), *IRIS),
    "multi svm in features": (KernelMultiSVM(Linear(), 1.0, tol=1e-8), *IRIS),
    "one class": (KernelOneClass(Gaussian(0.5), 0.2), *MOONS),
}


def decide(model, Z):
    return getattr(model, "decision_function", model.predict)(Z)


def peers():
    """Each of our models, and scikit-learn's with the same settings in its own names."""
    for kernel in KERNELS:
        for C in 0.1, 1.0, 10.0:
            yield KernelSVM(KERNELS[kernel](2), C), SVC(C=C, tol=1e-6, **PEERS[kernel](2)), MIXTURE
        for C, eps in (0.1, 0.1), (1.0, 0.5), (100.0, 0.0):
            yield KernelSVR(KERNELS[kernel](1), C, eps), SVR(C=C, epsilon=eps, tol=1e-6, **PEERS[kernel](1)), SINE
    for sigma, gamma in (0.2, 12.5), (2.0, 0.125):
        for nu in 0.05, 0.1, 0.5, 0.9:  # with ν = 1 every ρ ≥ max f is as good
            yield KernelOneClass(Gaussian(sigma), nu), OneClassSVM(nu=nu, gamma=gamma, tol=1e-6), MOONS
    yield OneVsRest(KernelSVM(Gaussian(1.0))), OneVsRestClassifier(SVC(gamma=0.5, tol=1e-6)), IRIS


@pytest.mark.parametrize(("ours", "theirs", "problem"), [*peers()], ids=[repr(ours) for ours, *_ in peers()])
def test_every_svm_is_libsvm_s(ours, theirs, problem):
    X, y = problem
    Z = X[::2] + 0.1
    unit = ours.nu * len(X) if isinstance(ours, KernelOneClass) else 1
    h, expected = unit * decide(ours.fit(X, y), Z), decide(theirs.fit(X, y), Z)
    np.testing.assert_allclose(h, expected, atol=0.02 * np.abs(expected).max())


@pytest.mark.parametrize(("model", "X", "y"), EXACT.values(), ids=EXACT)
def test_a_prediction_needs_the_support_vectors_only_and_so_does_the_training(model, X, y):
    model, Z = clone(model).fit(X, y), X[::3] + 0.1
    h, a, k = decide(model, Z), model.a_, model.kernel
    np.testing.assert_allclose(h, k(Z, X) @ a + model.b_, atol=1e-9 * np.abs(a).sum())
    if not isinstance(k, Gaussian):
        w = model.primal_weights(k.feature_map())
        np.testing.assert_allclose(w, k.feature_map()(X).T @ a, atol=1e-9)  # w = Σ a_i Φ(X_i)
        np.testing.assert_allclose(k.feature_map()(Z) @ w + model.b_, h, atol=1e-9)
    off = np.setdiff1d(np.arange(len(X)), model.support_)
    assert len(off) > 10 and not a[off].any()
    model.X_[off] = np.nan
    np.testing.assert_array_equal(decide(model, Z), h)
    if not isinstance(model, KernelOneClass):  # whose ν is a fraction of all points
        without = clone(model).fit(X[model.support_], y[model.support_])
        np.testing.assert_allclose(decide(without, Z), h, atol=1e-3 if isinstance(model, KernelSVR) else 1e-6)


# ---- where they stop ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "X", "y", "limits"),
    [
        (KernelSVM(Gaussian(0.2), 100.0), *MIXTURE, (1, 2, 20, 110)),
        (KernelSVM(Gaussian(0.2), np.inf), *MIXTURE, (1, 2, 20, 110)),
        (KernelSVR(Gaussian(0.3), 1000.0, 0.0), *SINE, (1, 20, 110)),
        (KernelMultiSVM(Gaussian(1.0)), *IRIS, (1, 7)),
        (KernelOneClass(Gaussian(0.5), 0.1), *MOONS, (1, 2)),
    ],
    ids=["soft", "hard", "svr", "multi", "one class"],
)
def test_max_iter_stops_with_a_warning(model, X, y, limits):
    for most in limits:
        said = f"{type(model).__name__} stopped after {most} steps with a violation of .* > tol = 0.001; raise max_iter"
        with pytest.warns(ConvergenceWarning, match=said) as caught:
            model.set_params(max_iter=most).fit(X, y)
        assert caught[0].filename == __file__  # the learner's line
        assert not model.converged_ and model.n_iter_ == most and model.violation_ > model.tol
        assert getattr(model, "duality_gap_", 0) >= 0


# ---- row by row -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "model",
    [
        KernelSVM(C=1.0, tol=1e-8),
        KernelSVM(C=np.inf, tol=1e-8),
        KernelSVR(tol=1e-8),
        KernelOneClass(nu=0.2, tol=1e-8),
    ],
    ids=repr,
)
def test_rows_on_demand_give_the_same_model(model, kernel, monkeypatch):
    X, k = MOONS[0], KERNELS[kernel](2)
    y = np.where(X[:, 0] > 0.1, 1, -1)  # separable in any of the kernels
    whole, rows = (clone(model).set_params(kernel=k) for _ in "12")
    whole.fit(X, y)
    monkeypatch.setattr(svm, "WHOLE", 10)
    lazy = rows.fit(X, y)._rows(X)
    assert isinstance(lazy, RowsOnDemand)
    np.testing.assert_allclose(lazy.block(range(120)), k(X), rtol=1e-12)
    np.testing.assert_allclose(lazy.diagonal, np.diag(k(X)), rtol=1e-12)
    np.testing.assert_allclose(decide(rows, X), decide(whole, X), rtol=1e-4, atol=1e-4)


def test_rows_on_demand_are_those_of_any_objects(monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 10)
    words = FromFeatures(lambda s: [[len(w), 1] for w in s])
    assert KernelSVM(words).fit(["a", "bb", "cccc", "ddddd"] * 3, [0, 0, 1, 1] * 3).predict(["eeeeee"]) == [1]
    assert KernelSVR(words, 100.0, 0.0).fit(["a", "bb", "ccc"] * 5, [2, 4, 6] * 5).predict(["dddd"]) == pytest.approx(8)


def test_rows_on_demand_are_refused_where_they_overflow(monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 2)
    far = [[-1.0], [1.0], [1e200]], [0, 1, 1]  # the last row is never asked for
    for k, problem in (Exp(Linear()), (1e3 * MOONS[0], MOONS[1])), (Linear(), far):
        with pytest.raises(ValueError, match="k overflows: scale the inputs"):
            KernelSVM(k).fit(*problem)


# ---- other problems with the same solution ----------------------------------------------------------


def classified(k, C, X, y):
    return KernelSVM(k, C, tol=1e-8).fit(X, y)


def fitted(k, C, epsilon, X, y):
    return KernelSVR(k, C, epsilon, tol=1e-10).fit(X, y)


(XC, YC), (XR, YR) = MIXTURE, SINE
SAME = {
    "each point twice, half the price": (classified, (G, 1.0, np.vstack([XC, XC]), np.append(YC, YC)), lambda h: h),
    "the labels exchanged": (classified, (G, 2.0, XC, -YC), lambda h: -h),
    "c k with C/c": (classified, (4 * G, 0.5, XC, YC), lambda h: h),
    "targets higher": (fitted, (G, 2.0, 0.2, XR, YR + 7), lambda f: f + 7),
    "targets upside down": (fitted, (G, 2.0, 0.2, XR, -YR), lambda f: -f),
    "all in another unit": (fitted, (G, 10.0, 1.0, XR, 5 * YR), lambda f: 5 * f),
    "c k with C/c in regression": (fitted, (4 * G, 0.5, 0.2, XR, YR), lambda f: f),
}


@pytest.mark.parametrize(("fit", "other", "change"), SAME.values(), ids=SAME)
def test_copies_signs_and_units_change_what_they_should(fit, other, change):
    """Of two classes C = 2, of numbers C = 2 and ε = 0.2."""
    one, tol = (fit(G, 2.0, *MIXTURE), 1e-6) if fit is classified else (fit(G, 2.0, 0.2, *SINE), 2e-3)
    Z = other[-2][:50:2] + 0.1
    np.testing.assert_allclose(decide(fit(*other), Z), change(decide(one, Z)), atol=tol)
