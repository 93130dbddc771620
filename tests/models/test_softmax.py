"""Theorems about the softmax: it is scikit-learn's on explicit features, and its optimum is one."""

import warnings

import numpy as np
import pytest
import scipy.special
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Linear, Polynomial
from kernelkit.models import softmax as module
from kernelkit.models.newton import InPoints, InRoot, has_full_rank
from kernelkit.models.softmax import CoupledObjective, SoftmaxLoss, conjugate_gradients, softmax

pytestmark = [  # SciPy from 1.16 on warns of an option that scikit-learn 1.6 gives it
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:.*iprint"),
]
NAMES = np.array(["setosa", "versicolor", "virginica"])


def objective(f, square, y, lam):
    """−Σ log P(y) + λ/2 ‖w‖², for f (n, classes)."""
    return -np.sum(scipy.special.log_softmax(f, axis=1)[np.arange(len(y)), y]) + lam / 2 * square


def reached(model, K, y):
    """The objective at the weights a of a fitted model."""
    f = K @ model.a_
    return objective(f, np.sum(model.a_ * f), y, model.lam)


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
    with pytest.warns(UserWarning, match="stopped after max_iter = 2 before the outputs settled") as caught:
        model = KernelSoftmax(Gaussian(1.0), 1e-3, max_iter=2).fit(*iris)
    assert not model.converged_ and model.n_iter_ == 2 and caught[0].filename == __file__


@pytest.mark.parametrize("setting", [{"lam": 0}, {"lam": -1.0}, {"tol": 0}, {"max_iter": 0}])
def test_softmax_refuses_bad_settings(setting, iris):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be a"):
        KernelSoftmax(**setting).fit(*iris)


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_objective_is_scikit_learn_s_on_the_cholesky_factor(sigma, lam, iris):
    X, y = iris[0][::2], iris[1][::2]
    K = Gaussian(sigma)(X)
    L = np.linalg.cholesky(K + 1e-12 * np.eye(len(K)))
    peer = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-8, max_iter=50_000).fit(L, y)
    best = objective(L @ peer.coef_.T, np.sum(peer.coef_**2), y, lam)
    assert reached(KernelSoftmax(Gaussian(sigma), lam).fit(X, y), K, y) == pytest.approx(best, rel=1e-7)


def test_log_probabilities_are_the_logarithms_and_never_underflow(iris):
    X, y = iris
    model = KernelSoftmax(Polynomial(3), 1e-3).fit(X, y)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), atol=1e-12)
    far, h = model.predict_log_proba(100 * X), model.decision_function(100 * X)
    assert np.isfinite(far).all() and far.max() <= 0 and model.predict_proba(100 * X).min() == 0
    np.testing.assert_allclose(np.diff(far, axis=1), np.diff(h, axis=1), rtol=1e-9)
    np.testing.assert_allclose(module.log_softmax(np.array([[40.0, 0.0, 0.0]]))[0, 0], -2 * np.exp(-40.0), rtol=1e-12)


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


@pytest.mark.parametrize("max_iter", [1, 2, 5])
def test_steps_are_at_most_max_iter(max_iter, iris):
    with pytest.warns(UserWarning, match=f"stopped after max_iter = {max_iter} before the outputs settled"):
        model = KernelSoftmax(Gaussian(1.0), 1e-3, max_iter=max_iter).fit(*iris)
    assert model.n_iter_ == max_iter and not model.converged_


def test_a_failed_line_search_is_no_convergence(iris, monkeypatch):
    true = CoupledObjective.newton_step
    monkeypatch.setattr(CoupledObjective, "newton_step", lambda self, here: [-part for part in true(self, here)])
    with pytest.warns(UserWarning, match="KernelSoftmax stopped at step 0, where rounding hides every way down"):
        model = KernelSoftmax(Gaussian(1.0)).fit(*iris)
    assert not model.converged_ and model.n_iter_ == 0


# ---- where rounding is larger than lam ---------------------------------------------------------------


def by_brute_force(K, y, lam):
    """The lowest objective that Newton's steps find with the whole Hessian, in the features of K's eigenvectors."""
    values, U = np.linalg.eigh(K)
    keep = values > len(K) * np.finfo(float).eps * values[-1]
    R, T = U[:, keep] * np.sqrt(values[keep]), np.eye(y.max() + 1)[y]
    w, best = np.zeros((R.shape[1], T.shape[1])), np.inf
    for _ in range(100):
        P = scipy.special.softmax(R @ w, axis=1)
        H = np.einsum("ij,icd,ik->jckd", R, P[:, :, None] * (np.eye(T.shape[1]) - P[:, None]), R, optimize=True)
        H = H.reshape(w.size, w.size) + lam * np.eye(w.size)
        step = np.linalg.lstsq(H, (R.T @ (T - P) - lam * w).ravel())[0].reshape(w.shape)
        tries = [w + step / 2**j for j in range(20)]
        costs = [objective(R @ v, np.sum(v**2), y, lam) for v in tries]
        if not min(costs) < best * (1 - 1e-9):
            break
        w, best = tries[int(np.argmin(costs))], min(costs)
    return best


DUPLICATED = np.repeat(load_iris().data[::10], 4, axis=0), np.tile([0, 1, 2, 1], 15)
RAW = {
    "iris": [part[::3] for part in load_iris(return_X_y=True)],
    "wine": [part[::3] for part in load_wine(return_X_y=True)],
    "cancer": [part[::6] for part in load_breast_cancer(return_X_y=True)],
    "duplicated": DUPLICATED,
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
        assert reached(model, k(X), y) <= by_brute_force(k(X), y, lam) * (1 + 1e-4)
