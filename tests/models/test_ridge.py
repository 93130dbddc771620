"""Theorems about ridge regression: three forms, one solution; centring, leaving points out."""

import sys

import numpy as np
import pytest
from models.ridge_forms import close, three_forms
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge as SklearnRidge
from sklearn.metrics import r2_score

from kernelkit import Gaussian, KernelRidge, Linear, Monomials, Polynomial, PrimalRidge
from kernelkit.features import Function
from kernelkit.kernels import Constant

pytestmark = pytest.mark.filterwarnings("error")
EPS = np.finfo(float).eps


@pytest.fixture(params=[(40, 2, 2), (20, 6, 3), (1, 2, 2), (30, 1, 4)], ids=["n>D", "n<D", "n=1", "line"])
def problem(request, cloud):
    """Training points, new points, and a kernel with its features; D = 6, 84, 6, 5."""
    n, d, p = request.param
    return cloud(n, d), cloud(15, d, seed=1), Polynomial(p)


@pytest.fixture(params=[(), (3,)], ids=["one output", "three outputs"])
def targets(request, cloud):
    return lambda X: cloud(len(X), *request.param, seed=2)


def condition(K, lam):
    values = np.linalg.eigvalsh(K)
    return (values[-1] + lam) / (max(values[0], 0) + lam)


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("lam", [10, 0.01])
def test_primal_equals_dual_equals_kernel(problem, targets, lam, center):
    X, Z, k = problem
    y = targets(X)
    k = (1 / k.diag(X).max()) * k  # so that the condition number is at most n/λ
    assert condition(k(X), lam) <= 1e7
    primal, dual, kernel = (model.fit(X, y) for model in three_forms(k, lam, center))
    for at in (X, Z):
        close(dual.predict(at), primal.predict(at), 1e-8)
        close(kernel.predict(at), primal.predict(at), 1e-8)
    assert kernel.predict(Z).shape == (len(Z), *y.shape[1:])
    close(dual.a_, kernel.a_, 1e-8)
    w = k.feature_map()(X - X.mean(axis=0) if center else X).T @ kernel.a_  # a combination of the points
    close(kernel.primal_weights(k.feature_map()), w, 1e-12)
    close(dual.w_, w, 1e-8)
    close(primal.w_, w, 1e-8)


@pytest.mark.parametrize("lam", [1e-3, 1e-6, 1e-9, 1e-12])
def test_digits_are_lost_only_to_the_condition_number(lam, cloud):
    X, Z = cloud(30, 2), cloud(15, 2, seed=1)
    y = np.sin(X[:, 0])
    k = Polynomial(6)  # 28 features
    Phi = k.feature_map()(X)
    # [Φ; √λ I] w = [y; 0] in least squares has only the root of the condition number
    exact = np.linalg.lstsq(np.vstack([Phi, np.sqrt(lam) * np.eye(28)]), np.append(y, np.zeros(28)), rcond=None)[0]
    h = k.feature_map()(Z) @ exact
    for model, matrix in zip(three_forms(k, lam), (Phi.T @ Phi, k(X), k(X)), strict=True):
        error = np.abs(model.fit(X, y).predict(Z) - h).max()
        assert error <= EPS * condition(matrix, lam) * np.abs(h).max()


# ---- scikit-learn as oracle -------------------------------------------------------------------


@pytest.mark.parametrize("outputs", [0, slice(2)], ids=["one output", "two outputs"])
@pytest.mark.parametrize("lam", [1e-3, 1.0])
@pytest.mark.parametrize("n", [5, 80])
def test_kernel_ridge_equals_scikit_learn(n, lam, outputs, cloud):
    X, Z = cloud(n, 3), cloud(20, 3, seed=1)
    y, y_new = np.sin(2 * X[:, outputs]), np.sin(2 * Z[:, outputs])
    for k, theirs in [
        (Gaussian(0.8), {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)}),
        (Polynomial(2, 0.5), {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 0.5}),
        (Linear(), {"kernel": "linear"}),
    ]:
        ours, oracle = KernelRidge(k, lam).fit(X, y), SklearnKernelRidge(alpha=lam, **theirs).fit(X, y)
        assert condition(k(X), lam) <= 1e7
        close(ours.predict(Z), oracle.predict(Z), max(1e-10, EPS * condition(k(X), lam)))
        assert ours.score(Z, y_new) == pytest.approx(oracle.score(Z, y_new), rel=1e-8)


@pytest.mark.parametrize("center", [False, True])
def test_primal_ridge_equals_scikit_learn(center, cloud):
    X, Z, y = cloud(30, 3), cloud(9, 3, seed=1), cloud(30, seed=2)
    ours = PrimalRidge(Monomials(1, offset=0), 0.7, center).fit(X, y)  # Φ(x) = x: centring is an intercept
    close(ours.predict(Z), SklearnRidge(0.7, fit_intercept=center).fit(X, y).predict(Z), 1e-12)


def test_score_is_r_squared(cloud):
    X, y = cloud(30, 2), cloud(30, 3, seed=1)
    model = KernelRidge().fit(X, y)
    for unit in (1e-6, 1e-3, 1.0, 1e6):
        model.fit(X, unit * y)
        assert model.score(X, unit * y) == pytest.approx(r2_score(unit * y, model.predict(X)), rel=1e-12)
    constant = KernelRidge(Constant(1), 1e-3).fit(X, np.full(30, 2.0))
    assert constant.score(X, np.full(30, 2.0)) == 0.0  # a constant target, not met exactly
    assert KernelRidge().fit(X, 0 * y).score(X, 0 * y) == 1.0  # met exactly


# ---- centring ---------------------------------------------------------------------------------


@pytest.mark.parametrize("which", range(3))
def test_centring_subtracts_the_means(which, cloud):
    X, Z, y = cloud(25, 2), cloud(9, 2, seed=1), cloud(25, 2, seed=2)
    plain, centred = three_forms(Polynomial(2), 0.5)[which], three_forms(Polynomial(2), 0.5, center=True)[which]
    plain.fit(X - X.mean(axis=0), y - y.mean(axis=0))
    centred.fit(X, y)
    close(centred.predict(Z), plain.predict(Z - X.mean(axis=0)) + y.mean(axis=0), 1e-12)
    np.testing.assert_array_equal(centred.X_mean_, X.mean(axis=0))
    np.testing.assert_array_equal(centred.y_mean_, y.mean(axis=0))
    moved = three_forms(Polynomial(2), 0.5, center=True)[which].fit(X + 5, y - 7)
    close(moved.predict(Z + 5) + 7, centred.predict(Z), 1e-11)


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("center", [False, True])
def test_what_was_fitted_is_centred_and_not_what_is_asked_for_since(which, center, cloud):
    X, Z, y = cloud(25, 2), cloud(9, 2, seed=1), cloud(25, seed=2)
    model = three_forms(Polynomial(2), 0.5, center=center)[which].fit(X, y)
    before = model.predict(Z)
    np.testing.assert_array_equal(model.set_params(center=not center).predict(Z), before)
    fresh = three_forms(Polynomial(2), 0.5, center=not center)[which].fit(X, y)
    np.testing.assert_array_equal(model.fit(X, y).predict(Z), fresh.predict(Z))


# ---- leaving one out --------------------------------------------------------------------------


@pytest.mark.parametrize("outputs", [(), (2,)])
@pytest.mark.parametrize("k", [Gaussian(0.7), Polynomial(2), Linear() * Gaussian(1.0)], ids=repr)
def test_leave_one_out_is_leaving_out(k, outputs, cloud):
    n, lams = 15, [1e-2, 1.0, 30]
    X, y = cloud(n, 2), cloud(n, *outputs, seed=1)
    residuals = KernelRidge(k).leave_one_out(X, y, lams)
    assert residuals.shape == (3, n, *outputs)
    for lam, row in zip(lams, residuals, strict=True):
        for i in range(n):
            rest = np.arange(n) != i
            h = KernelRidge(k, lam).fit(X[rest], y[rest]).predict(X[i : i + 1])[0]
            np.testing.assert_allclose(row[i], y[i] - h, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_no_features_predict_zero(lam, targets, cloud):
    X = cloud(8, 2)
    model = PrimalRidge(Function(lambda X: X[:, :0]), lam).fit(X, targets(X))
    np.testing.assert_array_equal(model.predict(X), 0 * targets(X))


@pytest.mark.parametrize("which", range(3))
def test_center_is_true_or_false(which, cloud):
    with pytest.raises(TypeError, match="center must be True or False, got 0"):
        three_forms(Polynomial(2), 1.0, center=0)[which].fit(cloud(9, 2), cloud(9))
    with pytest.raises(TypeError, match="center must be True or False, got 0"):
        PrimalRidge(center=0).fit_chunks([(cloud(9, 2), cloud(9))])


# ---- the way from fit to the formula ------------------------------------------------------------


class Watched(Gaussian):
    """A Gaussian kernel that notes which functions of the package have called it."""

    def gram(self, X, Z):
        frame = sys._getframe(1)
        while frame:
            if frame.f_globals.get("__name__", "").startswith("kernelkit"):
                self.callers.append(frame.f_code.co_name)
            frame = frame.f_back
        return super().gram(X, Z)


def test_few_functions_lie_between_fit_and_the_gram_matrix(monkeypatch):
    monkeypatch.setattr(Watched, "callers", [], raising=False)
    KernelRidge(Watched(1.0)).fit([[0.0], [1.0]], [0.0, 1.0])
    assert Watched.callers[-1] == "fit" and len(Watched.callers) < 5  # with gram itself at most five
