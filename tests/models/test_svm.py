"""Theorems about support vector machines: the optimum, its conditions, its weights, and what the support carries."""

import warnings
from functools import cache

import numpy as np
import pytest
from models.svm_problems import DATA, KERNELS, PEERS, data, dual
from sklearn.svm import SVC

from kernelkit import (
    Gaussian,
    KernelSVM,
    Linear,
    Polynomial,
    datasets,
)
from kernelkit.models import svm
from kernelkit.models.smo import minimise

pytestmark = pytest.mark.filterwarnings("error")


@cache
def gram(name, kernel):
    X, _ = data(name)
    return KERNELS[kernel](X.shape[1])(X)


@cache
def fitted(name, kernel, C, tol=1e-3):
    X, y = data(name)
    return KernelSVM(KERNELS[kernel](X.shape[1]), C, tol).fit(X, y)


def everywhere(test):
    for values in (("C", [0.1, 1.0, 10.0, 1000.0]), ("kernel", KERNELS), ("name", DATA)):
        test = pytest.mark.parametrize(*values)(test)
    return test


def margins(model, X, y):
    return y * model.decision_function(X)


# ---- the optimum -------------------------------------------------------------------------------


@everywhere
def test_dual_objective_is_libsvm_s_or_better(name, kernel, C):
    (X, y), K, model = data(name), gram(name, kernel), fitted(name, kernel, C, tol=1e-6)
    assert model.duality_gap_ <= 1e-4 * model.dual_objective_  # so what follows is implied for any path to this tol
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at C = 1000 LIBSVM does not converge
        peer = SVC(C=C, tol=1e-6, max_iter=100_000, **PEERS[kernel](X.shape[1])).fit(X, y)
    a = np.zeros(len(y))
    a[peer.support_] = peer.dual_coef_[0]
    assert model.dual_objective_ == pytest.approx(dual(model.a_, y, K), rel=1e-7)
    assert model.dual_objective_ >= (1 - 1e-4) * dual(a, y, K)
    if peer.fit_status_ == 0:
        assert model.dual_objective_ == pytest.approx(dual(a, y, K), rel=1e-4)
        h = peer.decision_function(X)
        assert np.abs(model.decision_function(X) - h).max() <= 0.02 * np.abs(h).max()


@everywhere
def test_multipliers_keep_the_box_and_the_equation(name, kernel, C):
    (_, y), model = data(name), fitted(name, kernel, C)
    assert model.multipliers_.min() >= 0 and model.multipliers_.max() <= C
    np.testing.assert_array_equal(model.multipliers_ * y, model.a_)
    assert abs(model.a_.sum()) <= 1e-13 * C * len(y)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(model.multipliers_))


@everywhere
def test_duality_gap_is_bounded_by_the_violation(name, kernel, C):
    """0 ≤ gap = Σ (C − λ_i) (t_i)₊ + λ_i (−t_i)₊ for t = 1 − y h, where |t_i| ≤ m − M if its weight is not 0."""
    (X, y), K, model = data(name), gram(name, kernel), fitted(name, kernel, C)
    hinge = np.maximum(0, 1 - margins(model, X, y)).sum()
    primal, rounding = model.a_ @ K @ model.a_ / 2 + C * hinge, 1e-10 * model.primal_objective_
    assert model.primal_objective_ == pytest.approx(primal, rel=1e-6)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_
    limit = max(model.violation_, 0) * np.maximum(model.multipliers_, C - model.multipliers_).sum()
    assert -rounding <= model.duality_gap_ <= limit + rounding
    assert limit <= len(y) * C * model.tol


@everywhere
def test_conditions_of_optimality_hold_point_by_point(name, kernel, C):
    (X, y), K, model = data(name), gram(name, kernel), fitted(name, kernel, C)
    r, multiplier = y - K @ model.a_, model.multipliers_
    up, down = np.where(y > 0, multiplier < C, multiplier > 0), np.where(y > 0, multiplier > 0, multiplier < C)
    assert model.violation_ <= model.tol
    assert model.violation_ == pytest.approx(r[up].max() - r[down].min(), abs=1e-7 * np.abs(K).max() ** 0.5)
    m = margins(model, X, y)
    tol = model.tol + 1e-9 * np.abs(m).max()
    assert (m[multiplier == 0] >= 1 - tol).all()  # off the support: outside the margin
    assert (m[multiplier == C] <= 1 + tol).all()  # at C: inside
    assert np.abs(m[(multiplier > 0) & (multiplier < C)] - 1).max(initial=0) <= tol  # between: on it
    slack = np.maximum(0, 1 - m)
    assert (multiplier * (m - 1 + slack) <= C * tol).all()  # complementary slackness, of the margin
    assert ((C - multiplier) * slack <= C * tol).all()  # … and of the slack


@pytest.mark.parametrize("kernel", KERNELS)
def test_offset_is_that_of_the_points_on_the_margin(kernel):
    (_, y), K, model = data("mixture"), gram("mixture", kernel), fitted("mixture", kernel, 1.0)
    free = (model.multipliers_ > 0) & (model.multipliers_ < 1.0)
    assert free.any() and model.b_ == pytest.approx((y - K @ model.a_)[free].mean(), abs=1e-9)


def test_offset_without_free_points_is_the_middle():
    X, y = np.array([[0.0], [1.0]]), np.array([-1, 1])
    model = KernelSVM(Linear(), C=0.1).fit(X, y)  # both multipliers stand at C: w = 0.1, −1 ≤ b ≤ 0.9 do equally well
    np.testing.assert_array_equal(model.multipliers_, 0.1)
    assert model.b_ == pytest.approx((-1 + 0.9) / 2)


@pytest.mark.parametrize("kernel", ["polynomial", "linear"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_primal_weights_decide_as_the_kernel_does(kernel, C):
    (X, _), model = data("mixture"), fitted("mixture", kernel, C)
    phi = model.kernel.feature_map()
    w = model.primal_weights(phi)
    np.testing.assert_allclose(w, phi(X).T @ model.a_, atol=1e-12 * C)  # w = Σ a_i Φ(X_i)
    np.testing.assert_allclose(phi(X) @ w + model.b_, model.decision_function(X), atol=1e-9)
    assert model.dual_objective_ == pytest.approx(model.multipliers_.sum() - w @ w / 2, rel=1e-9)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_prediction_needs_the_support_vectors_only(C, cloud):
    (X, y), Z = data("mixture"), cloud(50, 2)
    model = fitted("mixture", "gaussian", C)
    off = np.setdiff1d(np.arange(len(y)), model.support_)
    assert len(off) > 10
    corrupt = X.copy()
    corrupt[off] = np.nan
    again = KernelSVM(model.kernel, C).fit(X, y)
    again.X_ = corrupt
    np.testing.assert_array_equal(again.decision_function(Z), model.decision_function(Z))
    without = KernelSVM(model.kernel, C, tol=1e-8).fit(np.delete(X, off, axis=0), np.delete(y, off))
    h = KernelSVM(model.kernel, C, tol=1e-8).fit(X, y).decision_function(Z)
    np.testing.assert_allclose(without.decision_function(Z), h, atol=1e-6)  # nor does training need the others


def test_copies_and_reflections_change_what_they_should(cloud):
    (X, y), Z = data("mixture"), cloud(50, 2)
    one = KernelSVM(Gaussian(0.7), 2.0, tol=1e-8).fit(X, y)
    two = KernelSVM(Gaussian(0.7), 1.0, tol=1e-8).fit(np.vstack([X, X]), np.append(y, y))  # each point twice, half C
    np.testing.assert_allclose(two.decision_function(Z), one.decision_function(Z), atol=1e-6)
    other = KernelSVM(Gaussian(0.7), 2.0, tol=1e-8).fit(X, -y)
    np.testing.assert_allclose(other.decision_function(Z), -one.decision_function(Z), atol=1e-6)
    scaled = KernelSVM(4 * Gaussian(0.7), 0.5, tol=1e-8).fit(X, y)  # c k with C/c
    np.testing.assert_allclose(scaled.decision_function(Z), one.decision_function(Z), atol=1e-6)


def test_objectives_of_a_smaller_tol_close_in():
    loose, tight = (fitted("mixture", "gaussian", 10.0, tol) for tol in (0.5, 1e-9))
    assert loose.dual_objective_ <= tight.dual_objective_ <= tight.primal_objective_ + 1e-9
    assert tight.primal_objective_ <= loose.primal_objective_
    assert tight.duality_gap_ <= 1e-6 < loose.duality_gap_


# ---- the hard margin -----------------------------------------------------------------------------


def _mirrored(X, y):
    """Every point twice, once of each class."""
    return np.vstack([X, X]), np.append(y, -y)


SEPARABLE = {
    "line": (lambda: datasets.half_planes(noise=0), Linear()),
    "moons": (datasets.moons, Gaussian(0.7)),
    "rings": (datasets.rings, Polynomial(2)),
    "sixteen": (datasets.sixteen, Polynomial(3)),
    "cancer": (datasets.breast_cancer, Gaussian(3.0)),
}
MIXED = {
    "mixture": (datasets.mixture, Linear()),
    "rings": (datasets.rings, Linear()),
    "sixteen": (datasets.sixteen, Linear()),
    "mixture, smooth": (datasets.mixture, Gaussian(2.0)),
    "by chance": (lambda: (datasets.mixture(1000)[0], np.random.default_rng(0).choice([0, 1], 1000)), Linear()),
    "by chance, smooth": (lambda: (datasets.mixture(600)[0], np.random.default_rng(1).choice(2, 600)), Gaussian(1.0)),
    "equal points": (lambda: (np.ones((6, 2)), [0, 1] * 3), Gaussian(1.0)),
    "all points zero": (lambda: (np.zeros((6, 2)), [0, 1] * 3), Linear()),
    "a separable set and its mirror": (lambda: _mirrored(*datasets.half_planes(noise=0)), Linear()),
    "one point twice": (lambda: (np.array([[0.0], [1.0], [2.0], [2.0]]), [0, 0, 0, 1]), Gaussian(0.1)),
}


@pytest.mark.parametrize("make, k", SEPARABLE.values(), ids=SEPARABLE)
def test_hard_margin_is_the_soft_one_for_a_large_price(make, k):
    X, y = make()
    hard, soft = KernelSVM(k, np.inf, tol=1e-8).fit(X, y), KernelSVM(k, 1e7, tol=1e-8).fit(X, y)
    assert soft.multipliers_.max() < 1e7  # none at C: C makes no difference
    np.testing.assert_allclose(hard.decision_function(X), soft.decision_function(X), atol=1e-5)
    assert hard.dual_objective_ == pytest.approx(soft.dual_objective_, rel=1e-5)
    assert margins(hard, X, y).min() >= 1 - hard.tol
    assert abs(hard.duality_gap_) <= hard.multipliers_.sum() * hard.tol


def test_hard_margin_of_many_steps_is_found_in_few_rounds(monkeypatch):
    X, y = np.random.default_rng(0).standard_normal((800, 2)), np.random.default_rng(1).choice([-1, 1], 800)
    soft = KernelSVM(Gaussian(0.1), 1e7, tol=1e-8).fit(X, y)
    rounds = iter(range(5))  # 1000 + 2000 + 4000 + 8000 + 16,000 steps

    def counted(*problem):
        assert next(rounds, None) is not None
        return minimise(*problem)

    monkeypatch.setattr(svm, "minimise", counted)
    hard = KernelSVM(Gaussian(0.1), np.inf, tol=1e-8).fit(X, y)
    assert hard.n_iter_ > 3000  # the first two rounds were not enough
    np.testing.assert_allclose(hard.decision_function(X), soft.decision_function(X), atol=1e-5)
    assert hard.dual_objective_ == pytest.approx(soft.dual_objective_, rel=1e-8)
    assert margins(hard, X, y).min() >= 1 - hard.tol


def test_hard_margin_of_two_points_is_half_their_distance():
    model = KernelSVM(Linear(), np.inf).fit([[0.0, 0.0], [3.0, 4.0]], ["left", "right"])
    w = model.primal_weights(Linear().feature_map())
    assert 1 / np.linalg.norm(w) == pytest.approx(2.5)
    np.testing.assert_allclose(w, [0.24, 0.32])
    assert model.b_ == pytest.approx(-1) and model.predict([[1.4, 2.0], [1.6, 2.0]]).tolist() == ["left", "right"]


@pytest.mark.parametrize(("gap", "found"), [(3e-5, True), (2e-5, True), (1e-5, False), (5e-6, False)])
def test_a_hard_margin_is_looked_for_down_to_a_hundred_thousandth_of_the_radius(gap, found):
    X, y = [[0.5], [1.0], [1.0 + gap]], [0, 0, 1]
    if found:
        w = KernelSVM(Linear(), np.inf).fit(X, y).primal_weights(Linear().feature_map())
        assert w == pytest.approx(2 / gap, rel=1e-6)
    else:
        with pytest.raises(ValueError, match="not separable"):
            KernelSVM(Linear(), np.inf).fit(X, y)


@pytest.mark.parametrize("make, k", MIXED.values(), ids=MIXED)
def test_hard_margin_is_refused_where_there_is_none(make, k):
    with pytest.raises(ValueError, match="these classes are not separable with this kernel: use a finite C"):
        KernelSVM(k, np.inf).fit(*make())
