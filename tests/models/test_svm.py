"""Theorems about support vector machines: the optimum, its conditions, its weights, and what the support carries."""

import warnings
from functools import cache

import numpy as np
import pytest
from sklearn.svm import SVC

from kernelkit import (
    Exp,
    FromFeatures,
    Gaussian,
    KernelMachine,
    KernelSVM,
    Linear,
    Monomials,
    Polynomial,
    PrimalSVM,
    datasets,
)
from kernelkit.models import svm

pytestmark = pytest.mark.filterwarnings("error")

DATA = {"mixture": datasets.mixture, "moons": datasets.moons, "cancer": datasets.breast_cancer}
KERNELS = {
    "gaussian": lambda d: Gaussian(np.sqrt(d) / 2),
    "polynomial": lambda d: Polynomial(3),
    "linear": lambda d: Linear(),
}
PEERS = {
    "gaussian": lambda d: {"kernel": "rbf", "gamma": 2 / d},  # 1/2σ² for σ = √d/2
    "polynomial": lambda d: {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1},
    "linear": lambda d: {"kernel": "linear"},
}


@cache
def data(name):
    X, y = DATA[name]()
    X.setflags(write=False), y.setflags(write=False)
    return X, y


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


def dual(a, y, K):
    return a @ y - a @ K @ a / 2


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
}  # fmt: skip


@pytest.mark.parametrize("make, k", SEPARABLE.values(), ids=SEPARABLE)
def test_hard_margin_is_the_soft_one_for_a_large_price(make, k):
    X, y = make()
    hard, soft = KernelSVM(k, np.inf, tol=1e-8).fit(X, y), KernelSVM(k, 1e7, tol=1e-8).fit(X, y)
    assert soft.multipliers_.max() < 1e7  # none at C: C makes no difference
    np.testing.assert_allclose(hard.decision_function(X), soft.decision_function(X), atol=1e-5)
    assert hard.dual_objective_ == pytest.approx(soft.dual_objective_, rel=1e-5)
    assert margins(hard, X, y).min() >= 1 - hard.tol
    assert abs(hard.duality_gap_) <= hard.multipliers_.sum() * hard.tol


def test_hard_margin_of_two_points_is_half_their_distance():
    model = KernelSVM(Linear(), np.inf).fit([[0.0, 0.0], [3.0, 4.0]], ["left", "right"])
    w = model.primal_weights(Linear().feature_map())
    assert 1 / np.linalg.norm(w) == pytest.approx(2.5)
    np.testing.assert_allclose(w, [0.24, 0.32])
    assert model.b_ == pytest.approx(-1) and model.predict([[1.4, 2.0], [1.6, 2.0]]).tolist() == ["left", "right"]


@pytest.mark.parametrize("make, k", MIXED.values(), ids=MIXED)
def test_hard_margin_is_refused_where_there_is_none(make, k):
    with pytest.raises(ValueError, match="these classes are not separable with this kernel: use a finite C"):
        KernelSVM(k, np.inf).fit(*make())


# ---- warm starts, rows, plain steps -----------------------------------------------------------------


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
    with pytest.raises(ValueError, match="start must hold finite numbers"):
        KernelSVM().fit(X, y, start=np.full(120, np.nan))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("C", [1.0, np.inf])
def test_rows_on_demand_give_the_same_model(kernel, C, monkeypatch):
    X, y = data("moons")
    y = np.where(X[:, 0] > 0.1, 1, -1)  # separable in any of the kernels
    k = KERNELS[kernel](2)
    whole = KernelSVM(k, C, tol=1e-8).fit(X, y)
    monkeypatch.setattr(svm, "WHOLE", 10)
    rows = KernelSVM(k, C, tol=1e-8).fit(X, y)
    lazy = rows._rows(X)
    np.testing.assert_allclose(lazy.block(range(120)), k(X), rtol=1e-12)
    np.testing.assert_allclose(lazy.diagonal, np.diag(k(X)), rtol=1e-12)
    assert rows.dual_objective_ == pytest.approx(whole.dual_objective_, rel=1e-6)
    np.testing.assert_allclose(rows.decision_function(X), whole.decision_function(X), rtol=1e-4, atol=1e-4)
    words = FromFeatures(lambda s: [[len(w), 1] for w in s])
    assert KernelSVM(words).fit(["a", "bb", "cccc", "ddddd"] * 3, [0, 0, 1, 1] * 3).predict(["eeeeee"]) == [1]


def test_rows_on_demand_are_refused_where_they_overflow(monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 2)
    far = [[-1.0], [1.0], [1e200]], [0, 1, 1]  # the last row is never asked for
    X, y = data("moons")
    for k, problem in (Exp(Linear()), (1e3 * X, y)), (Linear(), far):
        with pytest.raises(ValueError, match="k overflows: scale the inputs"):
            KernelSVM(k).fit(*problem)


@pytest.mark.parametrize("kernel", KERNELS)
def test_plain_steps_end_at_the_fitted_model(kernel):
    X, y = datasets.mixture(80)
    model = KernelSVM(KERNELS[kernel](2), 1.0, tol=1e-8).fit(X, y)
    *_, last = model.steps(X, y)
    a, K = last.iterate, model.kernel(X)
    assert last.violation <= 1e-8 and -last.cost == pytest.approx(dual(a, y, K), rel=1e-12)
    assert -last.cost == pytest.approx(model.dual_objective_, rel=1e-9)
    h = K @ a + svm.offset(a, last.r, *svm._box(y, 1.0))
    np.testing.assert_allclose(h, model.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("C", [100.0, np.inf])
@pytest.mark.parametrize("most", [1, 2, 20, 110])
def test_max_iter_stops_with_a_warning(most, C):
    X, y = data("mixture")
    with pytest.warns(UserWarning, match=rf"stopped after {most} steps with a violation of .* > tol = 0.001") as caught:
        model = KernelSVM(Gaussian(0.2), C, max_iter=most).fit(X, y)
    assert caught[0].filename == __file__
    assert model.violation_ > 1e-3 and model.n_iter_ == most and model.duality_gap_ >= 0


def test_wide_tol_leaves_no_support():
    X, y = data("moons")
    model = KernelSVM(Gaussian(1.0), tol=3.0).fit(X, y)  # a = 0 violates by 2 only
    assert len(model.support_) == 0 and np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"C": 0}, ValueError, "C must be a finite number > 0, got 0"),
        ({"C": -np.inf}, ValueError, "C must be a finite number > 0"),
        ({"C": np.nan}, ValueError, "C must be a finite number > 0"),
        ({"C": "1"}, TypeError, "C must be a number > 0, got '1'"),
        ({"tol": 0}, ValueError, "tol must be a finite number > 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number ≥ 1"),
        ({"kernel": "rbf"}, TypeError, "kernel must be a kernel, such as"),
    ],
)
def test_bad_settings_are_refused(setting, error, message):
    with pytest.raises(error, match=message):
        KernelSVM(**setting).fit(*data("moons"))


def test_steps_want_a_finite_price():
    with pytest.raises(ValueError, match="steps needs a finite C, got inf"):
        KernelSVM(C=np.inf).steps(*data("moons"))


# ---- points that count differently -----------------------------------------------------------------


def weights_for(n):
    return np.random.default_rng(3).integers(0, 4, n) * 1.0


@pytest.mark.parametrize("class_weight", [None, "balanced", {-1: 3.0, 1: 0.5}, {1: 2.0}])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_are_libsvm_s(kernel, weighted, class_weight):
    X, y = datasets.mixture(100)
    weights = weights_for(100) if weighted else None
    ours = KernelSVM(KERNELS[kernel](2), 0.7, tol=1e-8, class_weight=class_weight).fit(X, y, weights)
    if class_weight == "balanced" and weighted:  # libsvm's counts the points, ours their weights: as if repeated
        sums = {label: weights[y == label].sum() for label in (-1, 1)}
        class_weight = {label: weights.sum() / (2 * total) for label, total in sums.items()}
    theirs = SVC(C=0.7, tol=1e-5, class_weight=class_weight, **PEERS[kernel](2)).fit(X, y, weights)
    h = theirs.decision_function(X)
    np.testing.assert_allclose(ours.decision_function(X), h, atol=1e-3 * np.abs(h).max())
    assert ours.duality_gap_ == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("C", [0.5, np.inf])
def test_weights_are_repetitions(C):
    X, y = datasets.moons(60)
    weights, Z = weights_for(60).astype(int), datasets.moons(50, random_state=1)[0]
    weighted = KernelSVM(Gaussian(0.7), C, tol=1e-8).fit(X, y, weights)
    repeated = KernelSVM(Gaussian(0.7), C, tol=1e-8).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.decision_function(Z), repeated.decision_function(Z), atol=1e-6)
    assert not weighted.a_[weights == 0].any() and len(weighted.a_) == 60
    assert weighted.dual_objective_ == pytest.approx(repeated.dual_objective_, rel=1e-9)
    assert weighted.primal_objective_ == pytest.approx(repeated.primal_objective_, rel=1e-6)


def test_weighted_steps_end_at_the_weighted_model():
    X, y = datasets.mixture(60)
    model, weights = KernelSVM(Gaussian(0.7), 2.0, tol=1e-8, class_weight="balanced"), weights_for(60)
    *_, last = model.steps(X, y, weights)
    np.testing.assert_allclose(last.iterate, model.fit(X, y, weights).a_, atol=1e-5)


def test_a_start_that_is_the_optimum_is_kept():
    X, y = data("mixture")
    weights = weights_for(200)
    model = KernelSVM(Gaussian(0.7), 2.0, tol=1e-8, class_weight="balanced").fit(X, y, weights)
    warm = KernelSVM(Gaussian(0.7), 2.0, tol=1e-6, class_weight="balanced").fit(X, y, weights, start=model.a_)
    assert warm.n_iter_ == 0


def test_a_class_without_weight_is_refused():
    with pytest.raises(ValueError, match="only one class: -1, the others have weight 0"):
        KernelSVM(class_weight={1: 0}).fit(*data("moons"))


# ---- the primal ----------------------------------------------------------------------------------


def lecture_s_objective(w, Phi, y, lam):
    return np.mean(np.maximum(0, 1 - y * (Phi @ w))) + lam * w @ w


@pytest.mark.parametrize("name, lam, random_state", [("mixture", 0.1, 0), ("moons", 0.01, 0), ("moons", 0.1, None)])
def test_primal_comes_within_a_few_per_cent_of_the_optimum(name, lam, random_state):
    (X, y), phi = data(name), Monomials(2)
    if random_state is None:  # cyclic order wants classes that alternate
        order = np.argsort(np.tile(np.arange(len(y) // 2), 2), kind="stable")
        X, y = X[order], y[order]
    w = PrimalSVM(phi, lam, random_state=random_state).fit(X, y).w_
    # (1/n) Σ hinge + λ‖w‖² is Σ hinge + (2nλ)/2 ‖w‖², divided by n
    exact = KernelMachine(FromFeatures(phi), "hinge", 2 * len(y) * lam).fit(X, y)
    best = exact.objective_ / len(y)
    assert lecture_s_objective(phi(X).T @ exact.a_, phi(X), y, lam) == pytest.approx(best, rel=1e-9)
    assert best * (1 - 1e-6) <= lecture_s_objective(w, phi(X), y, lam) <= 1.03 * best


@pytest.mark.parametrize("random_state", [0, None])
def test_primal_steps_are_the_lecture_s(random_state):
    X, y = data("moons")
    phi, lam = Monomials(2), 0.03
    rng = np.random.default_rng(random_state)
    order = np.arange(len(y)) if random_state is None else rng.permutation(len(y))
    iterates = list(PrimalSVM(phi, lam, 1, random_state).steps(X, y))
    assert len(iterates) == 121 and not iterates[0].iterate.any() and iterates[0].moved is None
    w = np.zeros(6)
    for t in range(1, 51):
        i, eta = order[t - 1], 1 / (2 * lam * (t + 1))
        hinge = max(0, 1 - y[i] * w @ phi(X[i]))
        w = w * (1 - 2 * lam * eta) + eta * y[i] * phi(X[i]) * (hinge > 0)
        np.testing.assert_allclose(iterates[t].iterate, w, rtol=1e-12, atol=1e-12)
        assert iterates[t].moved == i and iterates[t].cost == pytest.approx(hinge, abs=1e-12) and iterates[t].turn == 1


def test_primal_averages_the_second_half():
    X, y = data("moons")
    model = PrimalSVM(lam=0.03, passes=3)
    iterates = list(model.steps(X, y))
    assert [step.turn for step in iterates] == [0] + 120 * [1] + 120 * [2] + 120 * [3]
    np.testing.assert_allclose(model.fit(X, y).w_, np.mean(iterates[181:], axis=0), rtol=1e-10)
    single = PrimalSVM(Monomials(1), passes=1).fit([[0.0], [1.0]], [0, 1])
    assert np.isfinite(single.w_).all()


@pytest.mark.parametrize("setting", [{"lam": 0}, {"lam": -1.0}, {"passes": 0}, {"lam": np.inf}])
def test_primal_refuses_bad_settings(setting):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be a"):
        PrimalSVM(**setting).fit(*data("moons"))
