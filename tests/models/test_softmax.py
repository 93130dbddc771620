"""Theorems about the softmax: its gradient is zero where it ends, and Newton's steps on all classes at once."""

import warnings

import numpy as np
import pytest
import scipy.special
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Linear, Polynomial
from kernelkit.models.newton import InPoints, InRoot, has_full_rank
from kernelkit.models.softmax import CoupledObjective, SoftmaxLoss, conjugate_gradients, softmax

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


def objective(f, square, y, lam):
    """−Σ log P(y) + λ/2 ‖w‖², for f (n, classes)."""
    return -np.sum(scipy.special.log_softmax(f, axis=1)[np.arange(len(y)), y]) + lam / 2 * square


def reached(model, K, y):
    """The objective at the weights a of a fitted model."""
    f = K @ model.a_
    return objective(f, np.sum(model.a_ * f), y, model.lam)


def test_softmax_of_two_classes_is_logistic_regression(iris):
    X, y = (part[:100] for part in iris)
    two, one = KernelSoftmax(Gaussian(1.0), 2.0).fit(X, NAMES[y]), KernelLogistic(Gaussian(1.0), 1.0).fit(X, y)
    # h = h_1 − h_0 with h_1 = −h_0: λ/2 (‖w_0‖² + ‖w_1‖²) = λ/4 ‖w‖²
    np.testing.assert_allclose(two.predict_proba(X), one.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(two.decision_function(X), one.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(two.predict(X), NAMES[one.predict(X)])


def test_softmax_is_safe_far_out():
    P = softmax(np.array([[1e4, 0.0, -1e4], [1e308, 1e308, 0.0]]))
    np.testing.assert_array_equal(P, [[1, 0, 0], [0.5, 0.5, 0]])


# ---- the walk ---------------------------------------------------------------------------------------


def test_nothing_is_lost_where_a_probability_is_nearly_one():
    f, y = np.array([[50.0, 0.0], [0.0, 60.0], [1.0, 0.0]]), np.array([0, 1])
    loss = SoftmaxLoss(y, 3)
    rest = np.array([(1 + np.e) * np.exp(-50.0), 2 * np.exp(-60.0)])  # 1 − P(y)
    np.testing.assert_allclose(loss.total(f), rest.sum(), rtol=1e-12)
    np.testing.assert_allclose(loss.residual(f)[y, [0, 1]], rest, rtol=1e-12)
    np.testing.assert_allclose(loss.residual(f).sum(axis=0), 0, atol=1e-30)
    np.testing.assert_allclose(loss.mean_curvature(f), rest, rtol=1e-9)  # half of 2 (1 − P(y))
    np.testing.assert_allclose(loss.curvature(f)(np.eye(3)[:, [0, 1]])[y, [0, 1]], rest, rtol=1e-12)


@pytest.mark.parametrize("walk", [InPoints, InRoot])
def test_conjugate_gradients_solve_newton_s_system(walk, iris):
    X, y = iris[0][::5], iris[1][::5]
    K, lam = Gaussian(1.0)(X), 0.1
    space, loss, h = walk(K, lam), SoftmaxLoss(y, 3), np.eye(3)[y].T * 2
    P, descent = softmax(h.T).T, -space.gradient(loss.residual(h), np.zeros((3, space.size)))
    W = np.einsum("ci,cd->cdi", P, np.eye(3)) - P[:, None] * P
    H = lam * np.eye(3 * len(y)) + np.einsum("cdi,ij->cidj", W, K).reshape(2 * (3 * len(y),))
    exact = np.linalg.solve(H, loss.residual(h).ravel()).reshape(3, -1) @ K
    precondition = space.preconditioner(loss.mean_curvature(h))
    step, rounds, _ = conjugate_gradients(space, loss.curvature(h), precondition, descent, first=1e99)
    np.testing.assert_allclose(space.outputs(step), exact, atol=1e-8)
    roughly, fewer, _ = conjugate_gradients(space, loss.curvature(h), precondition, descent)
    assert fewer < rounds and np.linalg.norm(space.outputs(roughly) - exact) < 0.5 * np.linalg.norm(exact)


@pytest.mark.parametrize("walk", [InPoints, InRoot])
@pytest.mark.parametrize("sure", [False, True])
def test_preconditioner_solves_for_one_curvature_and_knows_the_outputs(walk, sure, iris):
    K, lam = Gaussian(1.0)(iris[0][::3]), 0.1
    space = walk(K, lam)
    D = np.linspace(0.1, 2.0, len(K))
    if sure:
        D[::2] = 1e-300  # points whose class is certain: their D is raised, and the outputs still belong to z
    g = np.random.default_rng(0).standard_normal((3, space.size))
    z, f = space.preconditioner(D)(g)
    np.testing.assert_allclose(f, space.outputs(z), atol=1e-9 * np.abs(f).max())
    back = space.gradient(-D * f, z)  # λz + DKz, or λz + ΦᵀDΦz
    assert np.abs(back - g).max() <= (0.1 if sure else 1e-9) * np.abs(g).max()


def test_rank_is_full_where_every_eigenvalue_is_more_than_rounding(cloud):
    X = cloud(40, 3)
    assert has_full_rank(Gaussian(0.5)(X)) and not has_full_rank(Linear()(X))
    twice = np.vstack([X, X[:1]])
    assert not has_full_rank(Gaussian(0.5)(twice)) and not has_full_rank(0 * Gaussian(0.5)(X))


@pytest.mark.parametrize("lam", [1e-3, 1.0])
@pytest.mark.parametrize("k", [Linear(), Gaussian(1.0)], ids=repr)
def test_standing_still_is_not_enough(k, lam, iris):
    X, y = iris
    rough, fine = (KernelSoftmax(k, lam, tol=tol).fit(X, y) for tol in (1e9, 1e-8))
    assert rough.converged_ and rough.n_iter_ < fine.n_iter_
    best = reached(fine, k(X), y)
    assert best * (1 - 1e-9) <= reached(rough, k(X), y) <= best * (1 + 1e-6)  # tol allows all, the gap does not


def test_where_the_penalty_is_nearly_all_the_gap_is_what_is_missing(iris):
    """For λ → ∞ the objective is ‖∇‖²/2λ above its minimum, and the bound is reached."""
    X, y = iris
    K, lam = Gaussian(1.0)(X), 1e6
    problem = CoupledObjective(InPoints(K, lam), SoftmaxLoss(y, 3))
    start = problem.at(np.zeros((3, len(y))))
    fitted = KernelSoftmax(Gaussian(1.0), lam, tol=1e-12).fit(X, y)
    assert problem.gap(start) == pytest.approx(len(y) * np.log(3) - reached(fitted, K, y), rel=1e-3)


# ---- where rounding is larger than lam ---------------------------------------------------------------


def missing(model, K, y):
    """How much one more of Newton's steps, with the whole Hessian, would lower the objective, in K's own features."""
    values, U = np.linalg.eigh(K)
    keep = values > len(K) * np.finfo(float).eps * values[-1]
    R, one = U[:, keep] * np.sqrt(values[keep]), np.eye(y.max() + 1)
    w = R.T @ model.a_
    P = scipy.special.softmax(R @ w, axis=1)
    others = P * (1 - one[y])
    own = one[y] * others.sum(axis=1, keepdims=True)  # 1 − P(y), with all its digits
    bend = P[:, :, None] * (one * np.where(one[y], own, 1 - P)[:, :, None] - (1 - one) * P[:, None])
    H = np.einsum("ij,icd,ik->jckd", R, bend, R, optimize=True).reshape(w.size, w.size)
    H += model.lam * np.eye(w.size)
    gradient = (model.lam * w - R.T @ (own - others)).ravel()
    return gradient @ np.linalg.lstsq(H, gradient)[0] / 2


RAW = {
    "iris": [part[::3] for part in load_iris(return_X_y=True)],
    "wine": [part[::3] for part in load_wine(return_X_y=True)],
    "cancer": [part[::6] for part in load_breast_cancer(return_X_y=True)],
    "duplicated": (np.repeat(load_iris().data[::10], 4, axis=0), np.tile([0, 1, 2, 1], 15)),
}


@pytest.mark.parametrize("lam", [1e-8, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("k", [Linear(), Polynomial(3), Gaussian(10.0)], ids=repr)
@pytest.mark.parametrize("name", RAW)
def test_raw_data_arrive_or_warn(name, k, lam):
    X, y = RAW[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = KernelSoftmax(k, lam).fit(X, y)
    assert model.converged_ == (not caught) and np.isfinite(model.predict_log_proba(X)).all()
    assert model.converged_ or k(X).max() / lam > 1e9
    if model.converged_:
        assert missing(model, k(X), y) <= 1e-4 * reached(model, k(X), y)
