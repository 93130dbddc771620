"""Theorems about the one-class machine: the optimum, its conditions, and what ν promises."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from models.svm_problems import quietly
from sklearn.base import is_outlier_detector
from sklearn.utils import get_tags

from kernelkit import Gaussian, KernelOneClass, KernelOutliers, Linear, Polynomial, datasets

pytestmark = pytest.mark.filterwarnings("error")

X, _ = datasets.moons(120, random_state=2)
Z = np.random.default_rng(1).uniform(-3, 3, (400, 2))
X.setflags(write=False), Z.setflags(write=False)


@pytest.mark.parametrize("nu", [0.01, 0.05, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("kernel", [Gaussian(0.5), Polynomial(3), Linear() + 1], ids=repr)
def test_the_conditions_hold_point_by_point(nu, kernel):
    model, bound = KernelOneClass(kernel, nu).fit(X), 1 / (nu * len(X))
    a, f = model.a_, model.decision_function(X)
    unit = min(bound, 1) * kernel.diag(X).max()
    slack = model.tol * unit + 1e-9 * np.abs(kernel(X)).max()
    assert a.min() >= 0 and a.max() <= bound and a.sum() == pytest.approx(1, abs=1e-12)
    assert (f[a == 0] >= -slack).all() and (f[a == bound] <= slack).all()
    assert np.abs(f[(a > 0) & (a < bound)]).max(initial=0) <= slack
    apart = (f[a > 0].max() - f[a < bound].min(initial=np.inf)) / unit  # who may fall and who may rise
    rounding = 1e-9 * np.abs(kernel(X)).max() / unit
    assert model.converged_ and max(model.violation_, 0) == pytest.approx(max(apart, 0), abs=rounding)
    assert model.violation_ <= model.tol
    np.testing.assert_array_equal(model.support_, np.flatnonzero(a))
    np.testing.assert_allclose(model.score_samples(Z), kernel(Z, X) @ a, atol=1e-9 * np.abs(kernel(Z, X)).max())
    if nu == 1.0:
        np.testing.assert_allclose(a, 1 / 120, rtol=1e-12)  # the mean of all points


def test_points_on_the_border_are_not_outside_by_rounding():
    X = np.random.default_rng(0).standard_normal((100, 2))
    model = KernelOneClass(Gaussian(0.3), 0.02).fit(X)
    assert (model.predict(X) < 0).sum() <= 2
    assert all(model.predict(x[None])[0] == inside for x, inside in zip(X, model.predict(X), strict=True))


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 60),
    nu=st.floats(0.002, 1.0),
    kernel=st.sampled_from([Gaussian(0.1), Gaussian(0.3), Gaussian(1.0), Gaussian(10.0), Polynomial(3), Linear() + 1]),
    repeated=st.booleans(),
)
def test_at_most_a_fraction_nu_is_predicted_outside(seed, n, nu, kernel, repeated):
    X = np.random.default_rng(seed).standard_normal((n, 2))
    if repeated:
        X = np.round(X)  # many points are equal
    model = quietly(KernelOneClass(kernel, nu), X)
    assert model.converged_
    outside = model.predict(X) < 0
    assert outside.sum() <= nu * n + 1e-9 <= len(model.support_) + 2e-9
    np.testing.assert_array_equal(model.predict(X[::-1])[::-1] < 0, outside)


@pytest.mark.parametrize("nu", [1e-3, 1e-6, 1e-9])
def test_below_one_point_in_n_nobody_is_outside(nu):
    few, model = KernelOneClass(Gaussian(0.5), 1 / 120).fit(X), KernelOneClass(Gaussian(0.5), nu).fit(X)
    assert model.converged_ and model.decision_function(X).min() > -1e-3
    np.testing.assert_allclose(model.score_samples(Z), few.score_samples(Z), atol=2e-3)  # the bound binds nobody


@pytest.mark.parametrize("unit", [1e-10, 1e-3, 1e3])
def test_the_unit_of_the_kernel_does_not_change_who_is_outside(unit, cloud):
    X = cloud(200, 2) + 3
    inside = KernelOneClass(Linear(), nu=0.2).fit(X).predict(X)
    np.testing.assert_array_equal(KernelOneClass(unit * Linear(), nu=0.2).fit(X).predict(X), inside)


@pytest.mark.parametrize("Model", [KernelOneClass, KernelOutliers], ids=lambda Model: Model.__name__)
def test_scikit_learn_sees_outlier_detectors(Model):
    assert is_outlier_detector(Model()) and not get_tags(Model()).target_tags.required
