"""Theorems about support vector machines: the optimum, its conditions, the hard margin, warm starts, plain steps."""

import numpy as np
import pytest
from models.svm_problems import DATA, KERNELS, box, data, dual, violation

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial, datasets
from kernelkit.models import svm
from kernelkit.models.smo import minimise

pytestmark = pytest.mark.filterwarnings("error")


# ---- the optimum -------------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", DATA)
def test_conditions_of_optimality_hold_point_by_point(name, kernel, C):
    X, y = data(name)
    k = KERNELS[kernel](X.shape[1])
    K, model = k(X), KernelSVM(k, C).fit(X, y)
    a, multiplier, m = model.a_, model.multipliers_, y * model.decision_function(X)
    assert multiplier.min() >= 0 and multiplier.max() <= C and abs(a.sum()) <= 1e-13 * C * len(y)
    np.testing.assert_array_equal(multiplier * y, a)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(multiplier))

    rounding = 1e-7 * np.abs(K).max() ** 0.5
    assert model.violation_ <= model.tol
    assert model.violation_ == pytest.approx(violation(a, y - K @ a, *box(y, C)), abs=rounding)
    tol = model.tol + 1e-9 * np.abs(m).max()
    free = (multiplier > 0) & (multiplier < C)
    assert (m[multiplier == 0] >= 1 - tol).all()  # off the support: outside the margin
    assert (m[multiplier == C] <= 1 + tol).all()  # at C: inside
    assert np.abs(m[free] - 1).max(initial=0) <= tol  # between: on it
    slack = np.maximum(0, 1 - m)
    assert (multiplier * (m - 1 + slack) <= C * tol).all()  # complementary slackness, of the margin
    assert ((C - multiplier) * slack <= C * tol).all()  # … and of the slack
    if name == "mixture" and C == 1.0:
        assert free.any() and model.b_ == pytest.approx((y - K @ a)[free].mean(), abs=1e-9)

    # 0 ≤ gap = Σ (C − λ_i) (t_i)₊ + λ_i (−t_i)₊ for t = 1 − y h, where |t_i| ≤ m − M if its weight is not 0
    primal, rounding = a @ K @ a / 2 + C * slack.sum(), 1e-10 * model.primal_objective_
    assert model.primal_objective_ == pytest.approx(primal, rel=1e-6)
    assert model.dual_objective_ == pytest.approx(dual(a, y, K), rel=1e-6)
    assert model.duality_gap_ == model.primal_objective_ - model.dual_objective_
    limit = max(model.violation_, 0) * np.maximum(multiplier, C - multiplier).sum()
    assert -rounding <= model.duality_gap_ <= limit + rounding


def test_offset_without_free_points_is_the_middle():
    X, y = np.array([[0.0], [1.0]]), np.array([-1, 1])
    model = KernelSVM(Linear(), C=0.1).fit(X, y)  # both multipliers stand at C: w = 0.1, −1 ≤ b ≤ 0.9 do equally well
    np.testing.assert_array_equal(model.multipliers_, 0.1)
    assert model.b_ == pytest.approx((-1 + 0.9) / 2)


def test_wide_tol_leaves_no_support():
    X, y = data("moons")
    model = KernelSVM(Gaussian(1.0), tol=3.0).fit(X, y)  # a = 0 violates by 2 only
    assert len(model.support_) == 0 and np.isfinite(model.decision_function(X)).all()


# ---- the ways to it --------------------------------------------------------------------------------


@pytest.mark.parametrize("sweep", ["C up", "C down", "sigma"])
def test_warm_start_ends_where_a_cold_one_does(sweep):
    X, y = data("mixture")
    Cs, sigmas = np.logspace(-2, 3, 8), np.linspace(0.3, 2.0, 8)
    path = {"C up": [(0.7, C) for C in Cs], "C down": [(0.7, C) for C in Cs[::-1]], "sigma": [(s, 5.0) for s in sigmas]}
    a, warm_steps, cold_steps = None, 0, 0
    for sigma, C in path[sweep]:
        model = KernelSVM(Gaussian(sigma), C, tol=1e-8)
        cold = KernelSVM(Gaussian(sigma), C, tol=1e-8).fit(X, y)
        before = None if a is None else a.copy()
        warm = model.fit(X, y, start=a)
        np.testing.assert_array_equal(a, before)  # the start is only read
        assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-6)
        np.testing.assert_allclose(warm.decision_function(X), cold.decision_function(X), atol=1e-3)
        assert abs(warm.a_.sum()) <= 1e-10 * C and warm.multipliers_.min() >= 0 and warm.multipliers_.max() <= C
        a, warm_steps, cold_steps = warm.a_, warm_steps + warm.n_iter_, cold_steps + cold.n_iter_
    assert warm_steps < cold_steps
    again = KernelSVM(Gaussian(sigma), C, tol=1e-6).fit(X, y, start=a)
    np.testing.assert_array_equal(again.a_, a)  # the optimum is left alone
    assert again.n_iter_ == 0


def test_start_may_be_anything_of_the_right_length(cloud):
    X, y = data("moons")
    cold = KernelSVM(Gaussian(0.7), 3.0, tol=1e-8).fit(X, y)
    for start in (cloud(120, scale=100.0), np.full(120, 7.0), y.tolist(), -cold.a_):
        warm = KernelSVM(Gaussian(0.7), 3.0, tol=1e-8).fit(X, y, start=start)
        assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-6) and abs(warm.a_.sum()) < 1e-9
    hard = KernelSVM(Gaussian(0.7), np.inf, tol=1e-8)
    assert hard.fit(X, y, start=cold.a_).dual_objective_ == pytest.approx(hard.fit(X, y).dual_objective_, rel=1e-5)
    for wrong in (np.zeros(119), np.zeros((120, 1)), 0.0):
        with pytest.raises(ValueError, match="start must hold one dual weight for each of the 120 points, got shape"):
            KernelSVM().fit(X, y, start=wrong)


@pytest.mark.parametrize("kernel", KERNELS)
def test_plain_steps_end_at_the_fitted_model(kernel):
    X, y = datasets.mixture(80)
    model = KernelSVM(KERNELS[kernel](2), 1.0, tol=1e-8).fit(X, y)
    *_, last = model.steps(X, y)
    a, K = last.iterate, model.kernel(X)
    assert last.violation <= 1e-8 and -last.cost == pytest.approx(dual(a, y, K), rel=1e-12)
    assert -last.cost == pytest.approx(model.dual_objective_, rel=1e-9)
    h = K @ a + svm.offset(a, last.r, *box(y, 1.0))
    np.testing.assert_allclose(h, model.decision_function(X), atol=1e-5)


# ---- the hard margin -----------------------------------------------------------------------------


LINE = datasets.half_planes(noise=0)
SEPARABLE = {
    "line": (lambda: LINE, Linear()),
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
    "a separable set and its mirror": (lambda: (np.vstack([LINE[0], LINE[0]]), np.append(LINE[1], -LINE[1])), Linear()),
    "one point twice": (lambda: (np.array([[0.0], [1.0], [2.0], [2.0]]), [0, 0, 0, 1]), Gaussian(0.1)),
}


@pytest.mark.parametrize("make, k", SEPARABLE.values(), ids=SEPARABLE)
def test_hard_margin_is_the_soft_one_for_a_large_price(make, k):
    X, y = make()
    hard, soft = KernelSVM(k, np.inf, tol=1e-8).fit(X, y), KernelSVM(k, 1e7, tol=1e-8).fit(X, y)
    assert soft.multipliers_.max() < 1e7  # none at C: C makes no difference
    np.testing.assert_allclose(hard.decision_function(X), soft.decision_function(X), atol=1e-5)
    assert hard.dual_objective_ == pytest.approx(soft.dual_objective_, rel=1e-5)
    assert (y * hard.decision_function(X)).min() >= 1 - hard.tol
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
    assert (y * hard.decision_function(X)).min() >= 1 - hard.tol


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
