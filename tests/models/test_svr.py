"""Theorems about support vector regression: the optimum, its conditions point by point, and who carries the curve."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.svm import SVR

from kernelkit import (
    FromFeatures,
    Gaussian,
    GaussianSeries,
    KernelSVR,
    Kronecker,
    Linear,
    Monomials,
    Polynomial,
    Pullback,
    datasets,
)
from kernelkit.models import svm
from kernelkit.models.svr import twice

pytestmark = pytest.mark.filterwarnings("error")

KERNELS = {
    "gaussian": (Gaussian(0.7), {"kernel": "rbf", "gamma": 1 / (2 * 0.7**2)}),
    "cubic": (Polynomial(3), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
    "linear": (Linear(), {"kernel": "linear"}),
}
X, y = datasets.sine(80, 0.3, 0)
Z = np.linspace(-3.5, 3.5, 50)[:, None]
X.setflags(write=False), y.setflags(write=False)


def everywhere(test):
    for values in (("epsilon", [0.0, 0.1, 0.5]), ("C", [0.1, 1.0, 100.0]), ("kernel", KERNELS)):
        test = pytest.mark.parametrize(*values)(test)
    return test


def fitted(kernel, C, epsilon, tol=1e-3):
    return KernelSVR(KERNELS[kernel][0], C, epsilon, tol).fit(X, y)


def primal(f, square, y, C, epsilon):
    return np.sum(C * np.maximum(0, np.abs(y - f) - epsilon)) + square / 2


# ---- the optimum ----------------------------------------------------------------------------------


@everywhere
def test_the_optimum_is_libsvm_s(kernel, C, epsilon):
    """½‖w − w*‖² is at most the duality gap of w, for either; LIBSVM's exceeds its tol, for its K is float32."""
    k, theirs = KERNELS[kernel]
    ours, peer = fitted(kernel, C, epsilon, 1e-8), SVR(C=C, epsilon=epsilon, tol=1e-8, **theirs).fit(X, y)
    K, a = k(X), np.zeros(80)
    a[peer.support_] = peer.dual_coef_[0]
    f, square = peer.predict(X), a @ K @ a
    value, best = primal(f, square, y, C, epsilon), y @ a - epsilon * np.abs(a).sum() - square / 2
    assert ours.dual_objective_ == pytest.approx(best, rel=1e-5)
    assert ours.primal_objective_ == pytest.approx(value, rel=2e-4) and ours.primal_objective_ <= value * (1 + 1e-9)
    apart = np.sqrt(2 * (value - best)) + np.sqrt(2 * max(ours.duality_gap_, 0))
    np.testing.assert_array_less(np.abs(K @ (a - ours.a_)), apart * np.sqrt(k.diag(X)) + 1e-6)
    np.testing.assert_allclose(ours.predict(Z), peer.predict(Z), atol=0.02 * np.abs(peer.predict(Z)).max())


@everywhere
def test_duality_gap_is_what_the_formulas_say_and_what_tol_allows(kernel, C, epsilon):
    model, K = fitted(kernel, C, epsilon), KERNELS[kernel][0](X)
    a, f = model.a_, model.predict(X)
    square, rounding = a @ K @ a, 1e-9 * (1 + model.primal_objective_)
    assert model.primal_objective_ == pytest.approx(primal(f, square, y, C, epsilon), rel=1e-6, abs=rounding)
    dual = y @ a - epsilon * np.abs(a).sum() - square / 2
    assert model.dual_objective_ == pytest.approx(dual, rel=1e-6, abs=rounding)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_
    assert -rounding <= model.duality_gap_ <= 2 * 80 * C * max(model.violation_, 0) + rounding
    assert model.converged_ and model.violation_ <= model.tol


def check_conditions(model, X, y):
    C, K = model.C, model.kernel(X)
    a, r = model.a_, y - K @ model.a_ - model.b_
    slack = model.tol + 1e-9 * (1 + np.abs(K).max() * np.abs(a).sum())
    assert np.abs(a).max() <= C and abs(a.sum()) <= 1e-12 * C * len(y)
    np.testing.assert_allclose(model.predict(X), y - r, atol=slack)
    inside, free, out = a == 0, (a != 0) & (np.abs(a) < C), np.abs(a) == C
    assert (np.abs(r[inside]) <= model.epsilon + slack).all()  # no weight: in the tube
    assert np.abs(r - np.sign(a) * model.epsilon)[free].max(initial=0) <= slack  # between: on its edge
    assert (np.sign(a) * r >= model.epsilon - slack)[out].all()  # at C: outside, on the side it pulls to
    np.testing.assert_array_equal(model.support_, np.flatnonzero(a))


@everywhere
def test_conditions_of_optimality_hold_point_by_point(kernel, C, epsilon):
    check_conditions(fitted(kernel, C, epsilon), X, y)


@given(
    n=st.integers(1, 25),
    seed=st.integers(0, 10**6),
    log_C=st.floats(-3, 3),
    epsilon=st.floats(0, 2),
    sigma=st.floats(0.1, 5),
    repeated=st.booleans(),
)
def test_conditions_of_optimality_hold_for_any_points(n, seed, log_C, epsilon, sigma, repeated):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n, 2)), rng.standard_normal(n)
    if repeated:  # the same place with another target
        X, y = np.vstack([X, X]), np.append(y, rng.standard_normal(n))
    check_conditions(KernelSVR(Gaussian(sigma), float(10**log_C), epsilon).fit(X, y), X, y)


@pytest.mark.parametrize("kernel", ["cubic", "linear"])
def test_primal_weights_predict_as_the_kernel_does(kernel):
    model = fitted(kernel, 1.0, 0.1)
    phi = model.kernel.feature_map()
    np.testing.assert_allclose(phi(Z) @ model.primal_weights(phi) + model.b_, model.predict(Z), atol=1e-9)


# ---- the tube -------------------------------------------------------------------------------------


def lengths(X):
    return np.array([[len(x), 1.0] for x in X])


@pytest.mark.parametrize(
    "k",
    [
        FromFeatures(GaussianSeries(1.0, 3)),
        FromFeatures(Kronecker(Monomials(2), Monomials(1))),
        FromFeatures(lengths),
        Pullback(Linear(), lengths),
        2 * FromFeatures(lengths) ** 2 + 1,
    ],
    ids=repr,
)
def test_without_a_support_vector_any_kernel_predicts_the_offset(k):
    X = ["a", "an", "ant", "aunt"] if "lengths" in repr(k) else [[0.0], [1.0], [2.0], [3.0]]
    model = KernelSVR(k, C=1.0, epsilon=0.5).fit(X, [0.1, 0.1, 0.2, 0.1])
    assert len(model.support_) == 0
    np.testing.assert_array_equal(model.predict(X), 4 * [model.b_])
    assert not model.primal_weights(lengths if "lengths" in repr(k) else Monomials(1)).any()


def test_a_tube_that_holds_all_points_needs_none_of_them():
    model = KernelSVR(Gaussian(0.7), epsilon=2.0).fit(X, y)
    assert not model.a_.any() and len(model.support_) == 0
    np.testing.assert_allclose(model.predict(Z), (y.max() + y.min()) / 2, atol=1e-12)  # b: the middle of what fits


def test_points_inside_the_tube_do_not_matter():
    model = fitted("gaussian", 10.0, 0.3, 1e-10)
    off = np.setdiff1d(np.arange(80), model.support_)
    assert len(off) > 20
    without = KernelSVR(model.kernel, 10.0, 0.3, 1e-10).fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(without.predict(Z), model.predict(Z), atol=1e-3)
    model.X_[np.delete(np.arange(len(X)), model.support_)] = np.nan  # all others
    np.testing.assert_allclose(model.predict(Z), without.predict(Z), atol=1e-3)  # nor does a prediction need them


def test_how_far_outside_a_point_lies_does_not_matter():
    """A point with |a_i| = C pulls as hard as it may: farther out the same a is still the optimum."""
    far = y.copy()
    far[40] += 3.0
    one = KernelSVR(Gaussian(0.7), 1.0, 0.1, 1e-10).fit(X, far)
    assert one.a_[40] == 1.0
    far[40] += 1000.0
    two = KernelSVR(Gaussian(0.7), 1.0, 0.1, 1e-10).fit(X, far)
    np.testing.assert_allclose(two.predict(Z), one.predict(Z), atol=1e-3)


def test_shifted_mirrored_and_scaled_targets_change_what_they_should():
    f = fitted("gaussian", 2.0, 0.2, 1e-10).predict(Z)
    for C, epsilon, targets, expected in (
        (2.0, 0.2, y + 7, f + 7),
        (2.0, 0.2, -y, -f),
        (10.0, 1.0, 5 * y, 5 * f),
    ):
        model = KernelSVR(Gaussian(0.7), C, epsilon, 1e-10).fit(X, targets)
        np.testing.assert_allclose(model.predict(Z), expected, atol=2e-3)
    scaled = KernelSVR(4 * Gaussian(0.7), 0.5, 0.2, 1e-10).fit(X, y)  # c k with C/c
    np.testing.assert_allclose(scaled.predict(Z), f, atol=2e-3)


# ---- the doubled problem --------------------------------------------------------------------------


def test_rows_are_those_of_the_doubled_matrix(cloud):
    K = Gaussian(1.0)(cloud(7, 2))
    rows, doubled = twice(svm.RowsOnDemand(lambda i: K[i], K.diagonal())), np.tile(K, (2, 2))
    np.testing.assert_array_equal(rows.block(range(14)), doubled)
    np.testing.assert_array_equal(rows.diagonal, doubled.diagonal())
    for i in range(7):
        np.testing.assert_array_equal(rows.inverse_root_eta(i), rows.inverse_root_eta(i + 7))


def test_rows_on_demand_give_the_same_model(monkeypatch):
    whole = fitted("gaussian", 1.0, 0.1, 1e-8)
    monkeypatch.setattr(svm, "WHOLE", 10)
    rows = fitted("gaussian", 1.0, 0.1, 1e-8)
    np.testing.assert_allclose(rows.predict(Z), whole.predict(Z), atol=4e-3)
    words = FromFeatures(lambda s: [[len(w), 1] for w in s])
    assert KernelSVR(words, 100.0, 0.0).fit(["a", "bb", "ccc"] * 5, [2, 4, 6] * 5).predict(["dddd"]) == pytest.approx(8)


# ---- what is refused, and what is said --------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 20, 110])
def test_max_iter_stops_with_a_warning(most):
    with pytest.warns(UserWarning, match=rf"KernelSVR stopped after {most} steps with a violation of .* >") as caught:
        model = KernelSVR(Gaussian(0.3), 1000.0, 0.0, max_iter=most).fit(X, y)
    assert caught[0].filename == __file__
    assert not model.converged_ and model.n_iter_ == most and model.duality_gap_ >= 0


@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"C": 0}, ValueError, "C must be a finite number > 0, got 0"),
        ({"C": np.inf}, ValueError, "C must be a finite number > 0, got inf"),
        ({"epsilon": -0.1}, ValueError, "epsilon must be a finite number ≥ 0, got -0.1"),
        ({"epsilon": "0.1"}, TypeError, "epsilon must be a number ≥ 0, got '0.1'"),
        ({"tol": 0}, ValueError, "tol must be a finite number > 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number ≥ 1"),
        ({"kernel": "rbf"}, TypeError, "kernel must be a kernel, such as"),
    ],
)
def test_bad_settings_are_refused(setting, error, message):
    with pytest.raises(error, match=message):
        KernelSVR(**setting).fit(X, y)


def test_bad_targets_are_refused():
    for targets, message in (
        (np.ones((80, 2)), r"y must hold one number for each of the 80 points, got shape \(80, 2\)"),
        (y[:7], "y must hold one target, or one row of targets, for each of the 80 points"),
        (np.full(80, np.nan), "y must hold finite numbers"),
        (None, "requires y to be passed"),
    ):
        with pytest.raises(ValueError, match=message):
            KernelSVR().fit(X, targets)


@pytest.mark.parametrize("unit", [1e-6, 1e-3])
def test_small_targets_are_fitted_as_well_as_large_ones(unit):
    """With C and epsilon in the unit of y, the predictions are in it, too."""
    whole = KernelSVR(Gaussian(0.7), 1.0, 0.05).fit(X, y)
    small = KernelSVR(Gaussian(0.7), unit, 0.05 * unit).fit(X, unit * y)
    np.testing.assert_allclose(small.predict(Z) / unit, whole.predict(Z), atol=4e-3)
