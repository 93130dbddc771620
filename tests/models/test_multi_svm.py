"""Theorems about one margin over all classes: it is scikit-learn's, and its conditions hold."""

import warnings
from copy import copy

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import load_digits, make_blobs
from sklearn.svm import LinearSVC

from kernelkit import Gaussian, KernelMachine, KernelMultiSVM, Linear, Polynomial
from kernelkit.models import multiclass
from kernelkit.models.multiclass import best_row

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


def crammer_and_singer(X, y, **settings):
    """The peer, of old versions, does not always know that it has ended; that it has is seen in its numbers."""
    peer = LinearSVC(multi_class="crammer_singer", fit_intercept=False, max_iter=2_000_000, random_state=0, **settings)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Liblinear failed to converge")
        return peer.fit(X, y)


def dual(a, K, T):
    return -np.sum(a * (K @ a)) / 2 - np.sum(a * (1 - T))


@pytest.mark.parametrize("C", [0.01, 1.0])
@pytest.mark.parametrize("k", [Linear(), Polynomial(2)], ids=repr)
def test_multi_svm_is_crammer_and_singer_s(k, C, iris):
    """½ Σ_c ‖w_c − w*_c‖² is at most the duality gap of w, for either."""
    X, y = iris
    phi, T = k.feature_map(), np.eye(3)[y]
    peer = crammer_and_singer(phi(X), y, C=C, tol=1e-5)
    f = phi(X) @ peer.coef_.T
    value = np.sum(peer.coef_**2) / 2 + C * np.sum((f + 1 - T).max(axis=1) - np.sum(T * f, axis=1))
    ours = KernelMultiSVM(k, C, 1e-5).fit(X, y)
    assert ours.converged_ and ours.dual_objective_ <= value * (1 + 1e-9)
    assert ours.primal_objective_ == pytest.approx(value, rel=1e-4)
    apart = sum(np.sqrt(2 * max(0, gap)) for gap in (value - ours.dual_objective_, ours.duality_gap_)) + 1e-7
    assert np.linalg.norm(ours.primal_weights(phi) - peer.coef_.T) <= apart + 1e-9
    np.testing.assert_allclose(ours.decision_function(X), f, atol=apart * np.sqrt(k.diag(X).max()))


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(1.0)], ids=repr)
def test_conditions_of_optimality_hold_for_each_point_and_class(k, C, iris):
    X, y = iris
    T, K, model = np.eye(3)[y], k(X), KernelMultiSVM(k, C).fit(X, y)
    a, h = model.a_, K @ model.a_
    assert (a <= C * T).all() and np.abs(a.sum(axis=1)).max() <= 1e-12 * C
    np.testing.assert_allclose(model.decision_function(X), h, atol=1e-9 * C)
    np.testing.assert_allclose(h.sum(axis=1), 0, atol=1e-9 * C)  # Σ_c h_c = 0, far and near
    g = h + 1 - T
    slack = g.max(axis=1, keepdims=True) - g
    assert slack[a < C * T].max() <= model.tol + 1e-9 * np.abs(g).max()  # who may still grow is among the largest
    np.testing.assert_array_equal(model.support_, np.flatnonzero(a.any(axis=1)))
    assert 0 < len(model.support_) < 150 and (a[model.support_] < 0).any(axis=1).all()  # none by rounding alone
    loss = np.sum(g.max(axis=1) - np.sum(T * h, axis=1))
    assert model.primal_objective_ == pytest.approx(np.sum(a * h) / 2 + C * loss, rel=1e-9)
    assert model.dual_objective_ == pytest.approx(dual(a, K, T), rel=1e-9)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_ <= 150 * C * model.tol
    assert model.duality_gap_ >= -1e-13 * model.primal_objective_  # both are sums of some 450 terms


@given(
    b=st.lists(st.floats(-10, 10), min_size=2, max_size=6),
    own=st.integers(0, 1),
    C=st.floats(1e-3, 1e3),
)
def test_one_point_s_problem_is_solved_exactly(b, own, C):
    b, upper = np.array(b), C * (np.arange(len(b)) == own)
    x = best_row(b, upper)
    unit = 1e-12 * (C + np.abs(b).max())
    assert (x <= upper).all() and abs(x.sum()) <= len(b) * unit
    slope = x + b  # of ½‖x‖² + bᵀx: equal where x may grow, and nowhere larger
    assert np.ptp(slope[x < upper]) <= 3 * unit and slope.max() <= slope[x < upper].max() + 3 * unit


def test_every_point_raises_the_dual_and_the_last_is_the_model(iris):
    X, y = iris
    model, T = KernelMultiSVM(Gaussian(1.0), 2.0), np.eye(3)[y]
    start, *steps = model.steps(X, y)
    K, before = Gaussian(1.0)(X), start.iterate
    assert start.moved is None and start.turn == 0 and not before.any()
    for turn, step in enumerate(steps, 1):
        others = np.arange(150) != step.moved
        np.testing.assert_array_equal(step.iterate[others], before[others])
        assert step.turn == turn and step.cost > model.tol
        assert dual(step.iterate, K, T) > dual(before, K, T)
        before = step.iterate
    model.fit(X, y)
    assert model.n_iter_ < turn and model.violation_ <= model.tol
    short = model.dual_objective_ - dual(before, K, T)  # ½ Σ_c ‖w_c − w*_c‖² is at most what the dual lacks
    assert -1e-9 < short < 150 * 2.0 * model.tol
    np.testing.assert_allclose(K @ model.a_, K @ before, atol=2 * np.sqrt(2 * 150 * 2.0 * model.tol))


def test_newton_s_steps_raise_the_dual_and_keep_its_box(iris, monkeypatch):
    X, y = iris
    K, T, seen = Gaussian(1.0)(X), np.eye(3)[y], []
    plain = multiclass.leap

    def watched(K, T, a, h, upper):
        before = dual(a, K, T)
        moved = plain(K, T, a, h, upper)
        np.testing.assert_allclose(h, K @ a, atol=1e-9)
        assert (a <= upper).all() and np.abs(a.sum(axis=1)).max() <= 1e-9
        assert dual(a, K, T) > before if moved else dual(a, K, T) == before
        seen.append(moved)
        return moved

    monkeypatch.setattr(multiclass, "leap", watched)
    *_, (_, violation, *_) = multiclass.ascent(K, T, 20.0, 1e-3, leaps=True)
    assert sum(seen) >= 3 and not seen[-1] and violation <= 1e-9  # from the last of them nothing is left to do


def test_newton_s_steps_are_taken_where_they_are_cheaper_than_points(monkeypatch):
    """With a narrow kernel 600 weights of 100 digits are free: their equations would take a hundred times as long."""
    sizes, solve = [], np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda A, b: sizes.append(len(b)) or solve(A, b))
    X, y = load_digits(return_X_y=True)
    narrow = KernelMultiSVM(Gaussian(1.0)).fit(X[:100] / 16, y[:100])
    assert narrow.converged_ and np.count_nonzero(narrow.a_) > 600 and not sizes
    X, y = make_blobs(300, centers=5, cluster_std=3, random_state=1)
    assert KernelMultiSVM(Gaussian(2.0)).fit(X, y).n_iter_ < 1000  # and 6000 points without the larger steps
    assert max(sizes) > 150


def test_multi_svm_of_two_classes_is_the_hinge_without_an_offset(iris):
    """h = h_1 − h_0 with h_1 = −h_0: ½(‖w_0‖² + ‖w_1‖²) = ¼‖w‖²."""
    X, y = (part[50:] for part in iris)
    two = KernelMultiSVM(Gaussian(1.0), 1.5, tol=1e-7).fit(X, NAMES[y])
    one = KernelMachine(Gaussian(1.0), "hinge", lam=1 / (2 * 1.5), tol=1e-9).fit(X, y)
    assert two.decision_function(X).shape == (100,) and two.a_.shape == (100, 2)
    apart = 2 * np.sqrt(2 * (two.duality_gap_ + 100 * 3 * 1e-9)) + 1e-6
    np.testing.assert_allclose(two.decision_function(X), one.decision_function(X), atol=apart)
    assert two.primal_objective_ == pytest.approx(1.5 * one.objective_, rel=1e-4)
    assert two.score(X, NAMES[y]) == one.score(X, y)


def test_points_that_are_zero_in_feature_space_change_nothing(iris):
    X, y = iris
    model = KernelMultiSVM(Linear(), 0.1, 1e-7)
    without, with_zeros = copy(model).fit(X, y), model.fit(np.vstack([X, np.zeros((3, 4))]), np.append(y, [0, 1, 2]))
    np.testing.assert_allclose(with_zeros.decision_function(X), without.decision_function(X), atol=0.02)
    assert with_zeros.primal_objective_ == pytest.approx(without.primal_objective_ + 3 * 0.1, rel=1e-4)
