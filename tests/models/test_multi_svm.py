"""Theorems about one margin over all classes: it is scikit-learn's, and its conditions hold."""

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import load_digits, make_blobs
from sklearn.svm import LinearSVC

from kernelkit import (
    FromFeatures,
    Gaussian,
    KernelMachine,
    KernelMultiSVM,
    KernelSVM,
    Linear,
    OneVsRest,
    Polynomial,
)
from kernelkit.models import multiclass
from kernelkit.models.multiclass import best_row

pytestmark = pytest.mark.filterwarnings("error")
NAMES = np.array(["setosa", "versicolor", "virginica"])


# ---- one margin over all classes --------------------------------------------------------------------


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def over_all(k, C, X, y, tol=1e-3):
    return KernelMultiSVM(k, C, tol).fit(X, y)


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
    X, phi, T = standardised(X), k.feature_map(), np.eye(3)[y]
    peer = crammer_and_singer(phi(X), y, C=C, tol=1e-5)
    f = phi(X) @ peer.coef_.T
    value = np.sum(peer.coef_**2) / 2 + C * np.sum((f + 1 - T).max(axis=1) - np.sum(T * f, axis=1))
    ours = over_all(k, C, X, y, 1e-5)
    assert ours.converged_ and ours.dual_objective_ <= value * (1 + 1e-9)
    assert ours.primal_objective_ == pytest.approx(value, rel=1e-4)
    apart = sum(np.sqrt(2 * max(0, gap)) for gap in (value - ours.dual_objective_, ours.duality_gap_)) + 1e-7
    assert np.linalg.norm(ours.primal_weights(phi) - peer.coef_.T) <= apart + 1e-9
    np.testing.assert_allclose(ours.decision_function(X), f, atol=apart * np.sqrt(k.diag(X).max()))


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(1.0)], ids=repr)
def test_conditions_of_optimality_hold_for_each_point_and_class(k, C, iris):
    X, y = iris
    X, T = standardised(X), np.eye(3)[y]
    model, K = over_all(k, C, X, y), k(X)
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
    X, model, T = standardised(X), KernelMultiSVM(Gaussian(1.0), 2.0), np.eye(3)[y]
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
    K, T, seen = Gaussian(1.0)(standardised(X)), np.eye(3)[y], []
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


def test_a_high_price_takes_few_steps():
    """Point by point alone it takes 240 000."""
    X, y = make_blobs(150, centers=4, cluster_std=2.0, random_state=0)
    model = over_all(Gaussian(0.5), 1000.0, standardised(X), y)
    assert model.converged_ and model.n_iter_ < 5000


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


def test_multi_svm_s_predictions_need_the_support_vectors_only(iris, cloud):
    (X, y), Z = iris, cloud(40, 4)
    model = over_all(Gaussian(1.0), 10.0, X, NAMES[y])
    expected = Gaussian(1.0)(Z, X) @ model.a_
    model.X_[np.delete(np.arange(len(X)), model.support_)] = np.nan  # all others
    np.testing.assert_allclose(model.decision_function(Z), expected, atol=1e-12)
    np.testing.assert_array_equal(model.predict(Z), NAMES[expected.argmax(axis=1)])


def test_multi_svm_takes_other_things_than_vectors():
    words, y = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"], ["short", "short", "mid", "mid", "long", "long"]
    k = FromFeatures(lambda s: [[1.0, len(w) / 6, (len(w) / 6) ** 2] for w in s])
    assert KernelMultiSVM(k, 1000.0).fit(words, y).predict(["x", "yyy", "zzzzzzz"]).tolist() == ["short", "mid", "long"]


def test_points_that_are_zero_in_feature_space_change_nothing(iris):
    X, y = iris
    X = standardised(X)
    zeros, labels = np.vstack([X, np.zeros((3, 4))]), np.append(y, [0, 1, 2])
    with_zeros, without = over_all(Linear(), 0.1, zeros, labels, 1e-7), over_all(Linear(), 0.1, X, y, 1e-7)
    np.testing.assert_allclose(with_zeros.decision_function(X), without.decision_function(X), atol=0.02)
    assert with_zeros.primal_objective_ == pytest.approx(without.primal_objective_ + 3 * 0.1, rel=1e-4)


def test_multi_svm_says_when_it_stopped_too_early(iris):
    with pytest.warns(UserWarning, match="KernelMultiSVM stopped after 7 steps with a violation of .* > tol") as caught:
        model = KernelMultiSVM(Gaussian(1.0), max_iter=7).fit(*iris)
    assert not model.converged_ and model.n_iter_ == 7 and caught[0].filename == __file__


@pytest.mark.parametrize("setting", [{"C": 0}, {"C": np.inf}, {"tol": 0}, {"max_iter": 0}])
def test_multi_svm_refuses_bad_settings(setting, iris):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be a"):
        KernelMultiSVM(**setting).fit(*iris)


def test_one_margin_finds_the_middle_class_that_no_line_tells_from_the_rest(iris):
    X, y = iris
    X, middle, k = X[:, 2:], y == 1, Linear() + 1
    apart, together = OneVsRest(KernelSVM(k, tol=1e-5)).fit(X, y), over_all(k, 1.0, X, y, 1e-5)
    assert KernelSVM(k, 1e3).fit(X, middle).score(X[middle], [True] * 50) < 0.9  # no line by itself
    assert apart.score(X[middle], y[middle]) < 0.85 and together.score(X[middle], y[middle]) > 0.9
    assert together.score(X, y) > apart.score(X, y)
    for model in (OneVsRest(KernelSVM(Gaussian(1.0))), KernelMultiSVM(Gaussian(1.0))):  # a curve does it either way
        assert model.fit(X, y).score(X, y) > 0.95
