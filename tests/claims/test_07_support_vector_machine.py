"""What notebook 07 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import re

import numpy as np
import pytest
from notebook_cells import defined_by, space_of
from scipy.optimize import linprog
from sklearn.svm import SVC, LinearSVC

from kernelkit import (
    Gaussian,
    KernelMultiSVM,
    KernelSVM,
    Linear,
    Monomials,
    OneVsRest,
    Polynomial,
    PrimalSVM,
    datasets,
)
from kernelkit.course.explorers.support_vector_machine import three_kernels
from kernelkit.course.explorers.support_vector_machine.three_kernels import SIDE, UPWARD
from kernelkit.course.plots import contour_lines

NOTEBOOK = "07-support-vector-machine.ipynb"


def cloud(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 2))
    return X, np.where(X[:, 0] + 0.7 * rng.standard_normal(n) > 0, 1.0, -1.0)


def allowed(y, C, rng):
    """Any dual weights in their boxes, with sum 0: the larger side is scaled down."""
    alpha = rng.uniform(0, C, len(y))
    plus, minus = alpha[y > 0].sum(), alpha[y < 0].sum()
    return alpha * np.where(y > 0, min(1, minus / plus), min(1, plus / minus)) * y


# ---- the margin ----------------------------------------------------------------------------------


def test_the_nearest_point_of_the_best_line_is_one_over_the_length_of_w_away():
    cells = defined_by(NOTEBOOK, "cell-04", "cell-05")
    distance, w, svm = cells["distance"], cells["w"], cells["svm"]
    best = distance(w, svm.b_)
    assert best == pytest.approx(1 / np.linalg.norm(w), rel=1e-6)
    rng = np.random.default_rng(0)
    for size in (0.001, 0.01, 0.1):
        turns, shifts = rng.normal(size=(50, 2)), rng.normal(size=50)
        moved = [distance(w + size * v, svm.b_ + size * u) for v, u in zip(turns, shifts, strict=True)]
        assert max(moved) < best + 1e-6


# ---- 7.1: the dual -------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Polynomial(3), Gaussian(0.8)], ids=str)
def test_no_allowed_dual_value_is_above_any_primal_value_and_at_the_optimum_they_meet(k):
    X, y = cloud(20)
    rng, C, K = np.random.default_rng(1), 1.5, k(X)
    duals = [a @ y - a @ K @ a / 2 for a in (allowed(y, C, rng) for _ in range(50))]
    weights = [(s * rng.standard_normal(20), b) for s in (0.01, 0.1, 1) for b in rng.standard_normal(20)]
    primals = [a @ K @ a / 2 + C * np.maximum(0, 1 - y * (K @ a + b)).sum() for a, b in weights]
    svm = KernelSVM(k, C, tol=1e-8).fit(X, y)
    best = svm.a_ @ y - svm.a_ @ K @ svm.a_ / 2
    hinges = np.maximum(0, 1 - y * (K @ svm.a_ + svm.b_)).sum()
    assert max(duals) <= best <= min(primals)
    assert svm.a_ @ K @ svm.a_ / 2 + C * hinges == pytest.approx(best, abs=1e-6)


def test_the_objectives_of_the_cell_are_those_that_a_trained_model_keeps():
    cells = defined_by(NOTEBOOK, "cell-13", "cell-17")
    svm = cells["svm"]
    assert cells["dual"](svm.a_) == pytest.approx(svm.dual_objective_)
    assert cells["primal"](svm.a_, svm.b_) == pytest.approx(svm.primal_objective_)


def test_the_support_vectors_alone_give_the_same_h_and_bound_the_errors_of_points_left_out():
    cells = defined_by(NOTEBOOK, "left-out")
    X, y, svm, kept = cells["X"], cells["y"], cells["svm"], cells["svm"].support_
    alone = KernelSVM(svm.kernel, svm.C, tol=1e-6).fit(X[kept], y[kept])
    np.testing.assert_allclose(alone.decision_function(X), svm.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(np.flatnonzero(y * svm.decision_function(X) < 1 + 1e-3), kept)
    assert 0 < cells["errors"] <= len(kept)


def test_the_lagrangian_is_the_dual_at_its_flat_point_and_below_the_primal_where_the_constraints_hold():
    X, y = cloud(12, 3)
    rng, C = np.random.default_rng(0), 2.0
    a = allowed(y, C, rng)
    alpha = a * y
    mu, xi_any = C - alpha, rng.uniform(-3, 3, 12)

    def lagrangian(w, b, xi):
        h = X @ w + b
        return w @ w / 2 + C * xi.sum() - alpha @ (y * h - 1 + xi) - mu @ xi

    flat = X.T @ a
    dual = alpha.sum() - a @ X @ X.T @ a / 2
    for b in (-1.0, 0.0, 5.0):
        assert lagrangian(flat, b, xi_any) == pytest.approx(dual)  # b and ξ have cancelled
    for _ in range(20):
        w, b = rng.standard_normal(2), rng.standard_normal()
        xi = np.maximum(0, 1 - y * (X @ w + b))
        assert dual <= lagrangian(w, b, xi_any) and lagrangian(w, b, xi) <= w @ w / 2 + C * xi.sum()


def test_where_classes_overlap_the_line_settles_at_the_least_sum_of_hinges_while_multipliers_grow():
    X, y = datasets.sixteen()
    n = len(y)
    rows = np.hstack([-y[:, None] * X, -y[:, None], -np.eye(n)])  # 1 − ξ ≤ y h, for (w, b, ξ)
    bounds = [(None, None)] * 3 + [(0, None)] * n
    least = linprog(np.r_[0, 0, 0, np.ones(n)], rows, -np.ones(n), bounds=bounds).fun
    lines = []
    for C in (100.0, 1000.0):
        svm = KernelSVM(Linear(), C, tol=1e-6).fit(X, y)
        assert svm.multipliers_.max() == C
        assert np.maximum(0, 1 - y * svm.decision_function(X)).sum() == pytest.approx(least, rel=1e-3)
        lines.append(svm.primal_weights(Linear().feature_map()))
    np.testing.assert_allclose(*lines, rtol=1e-3)


def test_a_linear_model_without_a_point_exactly_on_its_margin_leaves_an_interval_for_b():
    X, y = datasets.sixteen()
    svm = KernelSVM(Linear(), 1.0, tol=1e-9).fit(X, y)
    alpha, r = svm.multipliers_, y - Linear()(X) @ svm.a_
    assert np.minimum(alpha, 1 - alpha).max() < 1e-9
    grow = np.where(y > 0, alpha < 0.5, alpha > 0.5)  # these ask for b ≥ r, the others for b ≤ r
    assert [r[grow].max(), r[~grow].min(), svm.b_] == pytest.approx([-0.28, -0.19, -0.235])
    last = np.flatnonzero(~grow)[r[~grow].argmin()]
    assert alpha[last] < 1e-9 and X[last] == pytest.approx([0.7, 1.6]) and y[last] == -1
    others = np.arange(16) != last
    without = KernelSVM(Linear(), 1.0, tol=1e-9).fit(X[others], y[others])
    features = Linear().feature_map()
    np.testing.assert_allclose(without.primal_weights(features), svm.primal_weights(features), atol=1e-6)
    assert without.b_ == pytest.approx(0.045)


# ---- 7.2: a pair ---------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Gaussian(0.8)], ids=str)
def test_a_step_of_a_pair_gains_a_parabola_whose_bend_is_their_squared_distance_in_feature_space(k):
    X, y = cloud(15)
    rng, K = np.random.default_rng(2), k(X)
    a = allowed(y, 1.0, rng)
    r = y - K @ a
    for i, j, s in zip(*rng.integers(0, 15, (2, 20)), rng.standard_normal(20), strict=True):
        moved = a.copy()
        moved[i] += s
        moved[j] -= s
        gain = (moved @ y - moved @ K @ moved / 2) - (a @ y - a @ K @ a / 2)
        bend = K[i, i] + K[j, j] - 2 * K[i, j]
        assert gain == pytest.approx(s * (r[i] - r[j]) - s**2 * bend / 2)
    phi = Polynomial(2).feature_map()(X)
    K = Polynomial(2)(X)
    assert K[0, 0] + K[3, 3] - 2 * K[0, 3] == pytest.approx(np.sum((phi[0] - phi[3]) ** 2))


@pytest.mark.parametrize("C", [0.3, 2.0, 50.0])
def test_the_notebook_s_smo_reaches_the_optimum(C):
    X, y = cloud(25)
    K = Gaussian(0.9)(X)
    a = defined_by(NOTEBOOK, "cell-24")["smo"](K, y, C, tol=1e-7)
    assert abs(a.sum()) < 1e-9 and ((a * y >= 0) & (a * y <= C)).all()
    np.testing.assert_allclose(a, KernelSVM(Gaussian(0.9), C, tol=1e-9).fit(X, y).a_, atol=1e-4 * C)


def test_the_notebook_s_smo_keeps_the_support_vectors_of_the_package():
    cells = defined_by(NOTEBOOK, "cell-13", "cell-17", "cell-24", "cell-25")
    np.testing.assert_array_equal(np.flatnonzero(cells["a"]), cells["svm"].support_)


def best_by_trying(K, y, a, C, i):
    """The partner of i with which the dual gains most where no box is in the way, by trying many steps with each."""
    lower, upper = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)

    def gain(j):
        direction = np.eye(len(y))[i] - np.eye(len(y))[j]
        points = a + np.linspace(0, 60, 6001)[:, None] * direction
        return (points @ y - np.einsum("si,ij,sj->s", points, K, points) / 2).max()

    partners = [j for j in range(len(y)) if a[j] > lower[j] and (y - K @ a)[j] < (y - K @ a)[i]]
    assert a[i] < upper[i]
    return max(partners, key=gain)


@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(0.9)], ids=str)
def test_second_order_selection_in_the_cell_takes_the_partner_with_the_largest_gain(k):
    X, y = cloud(20, 4)
    K, C = k(X), 2.0
    climb, chosen = defined_by(NOTEBOOK, "two-rules")["climb"], []
    largest_gain = defined_by(NOTEBOOK, "two-rules")["largest_gain"]

    def watched(ahead, rho2):
        chosen.append(largest_gain(ahead, rho2))
        return chosen[-1]

    climb(K, y, C, watched)
    steps = list(KernelSVM(k, C).steps(X, y))
    package = [step.moved for step in steps[1:]]
    assert chosen[:12] == [j for _, j in package[:12]]  # later, rounding may lead them different ways
    differs = 0
    for before, (i, j) in zip(steps[:8], package, strict=False):
        a, r = before.iterate, before.r
        assert j == best_by_trying(K, y, a, C, i)
        differs += j != np.where(a > np.where(y > 0, 0.0, -C), r, np.inf).argmin()
    assert differs, "otherwise the first-order rule would pass, too"


def test_the_number_of_pairs_does_not_depend_on_how_a_computer_rounds():
    cells = defined_by(NOTEBOOK, "two-rules")
    X, y = datasets.moons(60, noise=0.3)
    K, rng = Gaussian(1.0)(X), np.random.default_rng(0)
    for C in (2.0, 10.0, 30.0):
        for partner in (cells["most_violating"], cells["largest_gain"]):
            errors = [1e-15 * rng.standard_normal(K.shape) for _ in range(4)]
            counts = {cells["climb"](K + E + E.T, y, C, partner)[1] for E in errors}
            assert len(counts) == 1


def test_second_order_selection_needs_fewer_pairs_and_the_more_so_the_higher_the_price():
    cells = defined_by(NOTEBOOK, "two-rules")
    X, y = datasets.moons(60, noise=0.3)
    K, ratios = Gaussian(1.0)(X), []
    for C in (2.0, 10.0, 30.0):
        (a, first), (b, second) = (cells["climb"](K, y, C, cells[n]) for n in ("most_violating", "largest_gain"))
        assert a @ y - a @ K @ a / 2 == pytest.approx(b @ y - b @ K @ b / 2, rel=1e-3)
        ratios.append(first / second)
    assert 1.3 < ratios[0] < ratios[1] < ratios[2] and ratios[2] > 2.5


# ---- 7.3, 7.8: the primal, and its steps in a ------------------------------------------------------


@pytest.mark.parametrize("lam", [0.003, 0.1])
def test_the_notebook_s_walks_in_w_and_in_a_are_one_and_end_where_the_package_does(lam):
    X, y = cloud(30)
    Phi = Monomials(2)(X)
    w = defined_by(NOTEBOOK, "cell-56")["descend"](Phi, y, lam, 5)
    steps = defined_by(NOTEBOOK, "cell-13", "cell-56", "cell-57", "descend-in-a")
    a = steps["descend_in_a"](Phi @ Phi.T, y, lam, 5)
    np.testing.assert_allclose(Phi.T @ a, w, atol=1e-8)
    *_, last = PrimalSVM(Monomials(2), lam, passes=5).steps(X, y)
    np.testing.assert_allclose(last.iterate, w, atol=1e-8)


def test_a_dual_weight_is_zero_where_the_point_was_outside_its_margin_at_each_visit():
    cells = defined_by(NOTEBOOK, "cell-13", "cell-56", "cell-57", "descend-in-a")
    *_, last = PrimalSVM(cells["Phi"], cells["lam"], passes=20).steps(cells["X"], cells["y"])
    np.testing.assert_allclose(last.iterate, cells["w"], atol=1e-8)
    np.testing.assert_allclose(cells["Phi"](cells["X"]).T @ cells["a"], cells["w"], atol=1e-8)
    inside, w, t, rng = set(), np.zeros(6), 0, np.random.default_rng(0)
    Phi, y = cells["Phi"](cells["X"]), cells["y"]
    for _ in range(20):
        for i in rng.permutation(60):
            t += 1
            if y[i] * (w @ Phi[i]) < 1:
                inside.add(i)
            w = w * t / (t + 1) + (y[i] * (w @ Phi[i]) < 1) * y[i] * Phi[i] / (2 * cells["lam"] * (t + 1))
    assert {*np.flatnonzero(cells["a"])} == inside


# ---- 7.4, 7.9: scikit-learn's calls ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Linear(), {"kernel": "linear", "gamma": 2}),
        ((2 * Linear()) ** 3, {"kernel": "poly", "degree": 3, "gamma": 2}),
        ((2 * Linear() + 1) ** 3, {"kernel": "poly", "degree": 3, "gamma": 2, "coef0": 1}),
        (Gaussian(1.0), {"kernel": "rbf", "gamma": 0.5}),
    ],
    ids=["linear", "poly", "poly with coef0", "rbf"],
)
def test_calls_of_scikit_learn_in_our_words(ours, theirs):
    X, y = datasets.sixteen()
    svm, other = KernelSVM(ours, C=1.0, tol=1e-8).fit(X, y), SVC(C=1.0, tol=1e-8, **theirs).fit(X, y)
    weights = np.zeros(len(y))
    weights[other.support_] = other.dual_coef_[0]
    Z = np.random.default_rng(0).uniform(-3, 3, (40, 2))
    np.testing.assert_allclose(ours(Z, X) @ weights, other.decision_function(Z) - other.intercept_, atol=1e-6)
    np.testing.assert_allclose(svm.decision_function(Z) - svm.b_, ours(Z, X) @ weights, atol=1e-4)


def test_gamma_is_one_over_twice_the_squared_width():
    X, y = datasets.mixture(200)
    ours, theirs = KernelSVM(Gaussian(0.7), 1.0, tol=1e-6).fit(X, y), SVC(gamma=1 / (2 * 0.7**2), tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    assert ours.b_ == pytest.approx(theirs.intercept_[0], abs=1e-3)


def test_a_kernel_that_is_often_negative_has_the_support_vectors_and_errors_of_scikit_learn(capsys):
    space_of(NOTEBOOK, "cell-15")
    said = re.findall(r"-?\d+(?:\.\d)?", "".join(capsys.readouterr().out.splitlines(keepends=True)[-2:]))
    X, y = datasets.sixteen()
    K, svc = [x @ z for x in X for z in X], SVC(kernel="linear", C=1.0, tol=1e-8).fit(X, y)
    right = [round(min(K), 1), round(max(K), 1), len(svc.support_), np.sum(svc.predict(X) != y), 16]
    assert [*map(float, said)] == right and min(K) < 0


def test_a_homogeneous_cubic_turns_its_sign_with_x_and_margins_stand_at_one():
    X, y = datasets.sixteen()
    svm = KernelSVM((2 * Linear()) ** 3, C=1.0, tol=1e-8).fit(X, y)
    Z = np.random.default_rng(0).uniform(-3, 3, (40, 2))
    np.testing.assert_allclose(svm.decision_function(-Z) - svm.b_, svm.b_ - svm.decision_function(Z), atol=1e-9)
    free = (svm.multipliers_ > 0) & (svm.multipliers_ < 1)
    assert free.any()
    np.testing.assert_allclose(y[free] * svm.decision_function(X[free]), 1, atol=1e-6)


def test_at_a_high_price_no_point_falls_short_and_five_of_sixteen_need_no_bump():
    X, y = datasets.sixteen()
    low, high = (SVC(C=C, gamma=0.5, tol=1e-8).fit(X, y) for C in (1, 100))
    assert [len(low.support_), len(high.support_)] == [16, 11]
    assert (y * high.decision_function(X)).min() > 1 - 1e-6
    assert (np.abs(high.dual_coef_) < 100).all()


def test_narrow_bumps_have_dashed_lines_that_their_rings_hold():
    state = three_kernels.compute(**three_kernels.start() | three_kernels.scenes["Narrow"])
    lines = [line for lines in contour_lines(SIDE, UPWARD, state.machines[2].H, (-1.0, 1.0)) for line in lines]
    assert any((line[0] == line[-1]).all() and np.ptp(line, axis=0).max() < 0.4 for line in lines)


# ---- 7.5, 7.6: how many support vectors, and what they cost ------------------------------------------


def test_support_vectors_go_down_then_up_with_the_width():
    X, y = datasets.mixture(200)
    m = [len(KernelSVM(Gaussian(s), C=1.0).fit(X, y).support_) for s in (0.05, 0.1, 0.7, 2.0, 10.0)]
    assert m[0] > m[1] > m[2] < m[3] < m[4]


def test_a_prediction_asks_for_the_support_vectors_only():
    X, y = datasets.rings(400)
    svm = KernelSVM(Gaussian(0.7), C=10.0).fit(X, y)
    m, kept = len(svm.support_), svm.support_
    assert m < 40
    far = X.copy()
    far[np.setdiff1d(np.arange(400), kept)] = np.nan  # whoever asks for another point learns nothing
    h = Gaussian(0.7)(X[:9], far[kept]) @ svm.a_[kept] + svm.b_
    np.testing.assert_allclose(svm.decision_function(X[:9]), h)
    again = KernelSVM(Gaussian(0.7), C=10.0, tol=1e-8).fit(X[kept], y[kept])
    np.testing.assert_allclose(again.decision_function(X), svm.decision_function(X), atol=0.01)
    asked = []

    class Watched(Gaussian):
        def gram(self, X, Z):
            asked.append(X.shape[0] * Z.shape[0])
            return super().gram(X, Z)

    svm.kernel = Watched(0.7)
    svm.predict(X[:9])
    assert asked == [9 * m]


# ---- 7.7: one model for each class -----------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Polynomial(3), Gaussian(1.0)], ids=str)
def test_each_class_has_its_own_machine_and_the_largest_h_decides(k):
    X, y = datasets.iris()
    X, names = X[:, 2:], np.array(["setosa", "versicolor", "virginica"])
    together = OneVsRest(KernelSVM(k)).fit(X, names[y])
    alone = [KernelSVM(k).fit(X, np.where(y == c, 1, -1)).decision_function(X) for c in range(3)]
    np.testing.assert_allclose(together.decision_function(X), np.transpose(alone))
    np.testing.assert_array_equal(together.predict(X), names[np.argmax(alone, axis=0)])
    best = np.max(alone, axis=0)
    assert k != Linear() or (best < 0).sum() > 10  # where no machine says yes, the least no decides


def test_the_notebook_s_three_machines_are_the_package_s():
    space = defined_by(NOTEBOOK, "cell-63")
    package = OneVsRest(KernelSVM(Gaussian(1.0))).fit(space["X"], space["y"])
    np.testing.assert_array_equal(space["winner"], package.predict(space["X"]))


# ---- 7.10: one margin over all classes ---------------------------------------------------------------


@pytest.mark.parametrize(("k", "C"), [(Linear() + 1, 0.1), (Gaussian(1.0), 1.0), (Gaussian(0.5), 3.0)], ids=str)
def test_the_notebook_s_one_margin_is_the_optimum_of_crammer_and_singer(k, C):
    cells = defined_by(NOTEBOOK, "one-margin-loss")
    X, y = datasets.iris()
    X, y = X[::2, 2:], y[::2]
    K = k(X)
    a = cells["one_margin"](K, y, C, passes=400)
    own = np.eye(3)[y]
    assert np.abs(a.sum(axis=1)).max() < 1e-9 and (a <= C * own + 1e-12).all()
    h = K @ a
    best = KernelMultiSVM(k, C, tol=1e-9).fit(X, y)
    loss = [max(h[i, c] + (c != y[i]) - h[i, y[i]] for c in range(3)) for i in range(len(y))]
    np.testing.assert_allclose(cells["joint_loss"](h, y), loss, atol=1e-12)
    assert np.sum(a * h) / 2 + C * np.sum(loss) == pytest.approx(best.primal_objective_, rel=1e-5)
    np.testing.assert_allclose(h, best.decision_function(X), atol=5e-3)


def test_the_notebook_s_one_margin_is_that_of_scikit_learn():
    cells = defined_by(NOTEBOOK, "one-margin-loss")
    X, y = datasets.iris()
    Phi = np.hstack([X[:, 2:], np.ones((150, 1))])
    settings = {"multi_class": "crammer_singer", "fit_intercept": False, "random_state": 0}
    theirs = LinearSVC(C=0.1, tol=1e-8, max_iter=100_000, **settings).fit(Phi, y)
    a = cells["one_margin"](Phi @ Phi.T, y, 0.1)
    np.testing.assert_allclose(Phi.T @ a, theirs.coef_.T, atol=1e-3)


def test_in_the_hand_worked_step_the_own_score_beats_the_others_by_one():
    cells = defined_by(NOTEBOOK, "one-margin-loss")
    np.testing.assert_allclose(cells["best_row"](np.array([0.0, 1, 1]), np.array([1.0, 0, 0])), [2 / 3, -1 / 3, -1 / 3])
    np.testing.assert_allclose(cells["joint_loss"](np.array([[0.2, 0.9, -1.0]]), np.array([1])), [0.3])


def test_no_line_has_a_smaller_sum_of_hinges_for_versicolor_than_the_one_that_gives_up():
    X, y = datasets.iris()
    X, y = X[:, 2:], np.where(y == 1, 1.0, -1.0)
    rows = np.hstack([-y[:, None] * X, -y[:, None], -np.eye(150)])
    bounds = [(None, None)] * 3 + [(0, None)] * 150
    assert linprog(np.r_[0, 0, 0, np.ones(150)], rows, -np.ones(150), bounds=bounds).fun == pytest.approx(100)


def test_the_level_is_the_largest_of_the_candidates():
    best_row, rng = defined_by(NOTEBOOK, "one-margin-loss")["best_row"], np.random.default_rng(0)
    for _ in range(50):
        g, upper = rng.standard_normal(4), np.array([2.0, 0, 0, 0])
        new = best_row(g, upper)
        free = new < upper - 1e-12
        assert abs(new.sum()) < 1e-9 and (new <= upper).all()
        assert np.ptp((g + new)[free]) < 1e-9 and (g + new)[~free].max(initial=-9.0) <= (g + new)[free].min() + 1e-9


def test_one_margin_gives_the_middle_class_a_straight_line_s_share():
    X, y = datasets.iris()
    X, k = X[:, 2:], Linear() + 1
    apart, together = OneVsRest(KernelSVM(k)).fit(X, y), KernelMultiSVM(k).fit(X, y)
    middle = y == 1
    assert apart.score(X[middle], y[middle]) < 0.85 < 0.9 < together.score(X[middle], y[middle])
