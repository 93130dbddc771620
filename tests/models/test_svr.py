"""Theorems about support vector regression: the optimum, its conditions point by point, and who carries the curve."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

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

pytestmark = pytest.mark.filterwarnings("error")

X, y = datasets.sine(80, 0.3, 0)
Z = np.linspace(-3.5, 3.5, 50)[:, None]
X.setflags(write=False), y.setflags(write=False)


# ---- the optimum ----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("k", [Gaussian(0.7), Polynomial(3), Linear()], ids=repr)
def test_conditions_of_optimality_hold_point_by_point(k, C, epsilon):
    model = KernelSVR(k, C, epsilon).fit(X, y)
    check_conditions(model, X, y)
    a, f = model.a_, model.predict(X)
    square, rounding = a @ k(X) @ a, 1e-9 * (1 + model.primal_objective_)
    primal = C * np.sum(np.maximum(0, np.abs(y - f) - epsilon)) + square / 2
    dual = y @ a - epsilon * np.abs(a).sum() - square / 2
    assert model.primal_objective_ == pytest.approx(primal, rel=1e-6, abs=rounding)
    assert model.dual_objective_ == pytest.approx(dual, rel=1e-6, abs=rounding)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_
    assert -rounding <= model.duality_gap_ <= 2 * 80 * C * max(model.violation_, 0) + rounding
    assert model.converged_ and model.violation_ <= model.tol


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
    assert len(model.support_) == 0 and not model.a_.any()
    np.testing.assert_allclose(model.predict(X), 0.15, atol=1e-12)  # b: the middle of what fits
    assert not model.primal_weights(lengths if "lengths" in repr(k) else Monomials(1)).any()


@pytest.mark.parametrize("unit", [1e-6, 1e-3])
def test_small_targets_are_fitted_as_well_as_large_ones(unit):
    """With C and epsilon in the unit of y, the predictions are in it, too."""
    whole = KernelSVR(Gaussian(0.7), 1.0, 0.05).fit(X, y)
    small = KernelSVR(Gaussian(0.7), unit, 0.05 * unit).fit(X, unit * y)
    np.testing.assert_allclose(small.predict(Z) / unit, whole.predict(Z), atol=4e-3)


def test_two_targets_for_a_point_are_refused():
    with pytest.raises(ValueError, match=r"y must hold one number for each of the 80 points, got shape \(80, 2\)"):
        KernelSVR().fit(X, np.ones((80, 2)))
