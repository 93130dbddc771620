"""What notebook 05 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import re
from itertools import islice
from math import comb

import numpy as np
import pytest
from counted import counted, products_of
from notebook_cells import space_of
from sklearn.linear_model import LogisticRegression

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Polynomial, PrimalLogistic, datasets
from kernelkit.course.explorers.kernel_logistic import boundaries, costs, descents, one_point
from kernelkit.models.logistic import LogLoss, sigmoid

NOTEBOOK = "05-kernel-logistic.ipynb"


class Slopes(LogLoss):
    """A loss of which only the derivatives are asked for: the objective is not part of a step."""

    def total(self, f):
        return 0.0

    def residual(self, f):
        return super().residual(f.astype(float))


# ---- 5.1: the slope of the cost, and the walks of the cells -------------------------------------------


@pytest.mark.parametrize(("sign", "label"), [(1, 1), (-1, 0)])
def test_the_slope_of_the_cost_is_the_probability_minus_the_label(sign, label):
    f, delta = np.linspace(-4, 4, 17), 1e-5
    slope = (np.log1p(np.exp(-sign * (f + delta))) - np.log1p(np.exp(-sign * (f - delta)))) / (2 * delta)
    np.testing.assert_allclose(slope, 1 / (1 + np.exp(-f)) - label, atol=1e-8)
    np.testing.assert_allclose(LogLoss(np.full(17, float(sign))).residual(f), -slope, atol=1e-8)


def test_the_walks_of_kernelkit_end_where_the_cell_ends_in_w_and_in_a():
    cell = space_of(NOTEBOOK, "cell-12")
    settings = {"lam": cell["lam"], "solver": "gd", "step": cell["step"], "max_iter": 300}
    primal = list(PrimalLogistic(cell["k"].feature_map(), **settings).steps(cell["X"], cell["y"]))
    kernel = list(KernelLogistic(cell["k"], **settings).steps(cell["X"], cell["y"]))
    assert len(primal) == len(kernel) == 301
    np.testing.assert_allclose(primal[-1].iterate, cell["w"], atol=1e-9)
    np.testing.assert_allclose(kernel[-1].iterate, cell["a"], atol=1e-9)
    for one, other in zip(primal, kernel, strict=True):
        np.testing.assert_allclose(one.iterate, cell["Phi"].T @ other.iterate, atol=1e-9)
        assert one.cost == pytest.approx(other.cost)


def test_newton_in_the_cell_ends_at_the_outputs_of_kernelkit():
    cell = space_of(NOTEBOOK, "cell-51")
    model = KernelLogistic(cell["k"], cell["lam"]).fit(cell["X"], cell["y"])
    np.testing.assert_allclose(cell["K"] @ cell["a"], cell["K"] @ model.a_, atol=1e-6)


def test_newton_takes_ten_steps_and_descent_seven_thousand_until_no_output_moves():
    """The cell asks for at most 12 and for more than 5000; both walks are walked here by themselves."""
    X, y = datasets.moons(n=60)
    K, y01, lam = (1 + X @ X.T) ** 3, (y + 1) / 2, 0.1
    step = 1 / (np.linalg.eigvalsh(K)[-1] / 4 + lam)  # one over the largest bend of the objective

    def newton(a):
        s = 1 / (1 + np.exp(-K @ a))
        return a - np.linalg.solve((s * (1 - s))[:, None] * K + lam * np.eye(60), s - y01 + lam * a)

    def descent(a):
        return a - step * (1 / (1 + np.exp(-K @ a)) - y01 + lam * a)

    ends = []
    for move, solver, steps in ((newton, "newton", 10), (descent, "gd", 6990)):
        model = KernelLogistic(Polynomial(3), lam, solver=solver, max_iter=50_000).fit(X, y)
        a, count, moved = np.zeros(60), 0, np.inf
        while moved > 1e-5:
            before, a, count = a, move(a), count + 1
            moved = np.abs(K @ (a - before)).max()
        assert count == pytest.approx(steps, rel=0.1) and model.n_iter_ == pytest.approx(count, rel=0.01)
        ends.append(K @ a)
    assert np.abs(ends[0] - ends[1]).max() == pytest.approx(0.02, abs=0.004), "the descent has not arrived"


def test_softmax_steps_of_the_cell_end_at_the_probabilities_of_kernelkit():
    cell = space_of(NOTEBOOK, "cell-59")
    model = KernelSoftmax(Gaussian(1.0), cell["lam"]).fit(cell["X"], cell["c"])
    np.testing.assert_allclose(cell["P"], model.predict_proba(cell["X"]), atol=1e-5)


def test_scores_by_w_are_those_by_a_for_far_fewer_products():
    cell = space_of(NOTEBOOK, "cell-47")
    np.testing.assert_allclose(cell["scores"], cell["model"].decision_function(cell["Z"]), atol=1e-9)
    n, t, d, D = len(cell["X"]), len(cell["Z"]), cell["d"], cell["D"]
    assert cell["w"].shape == (D,) and (1 / n + 1 / t < d / D) == (n * D + t * D < t * n * d)


# ---- the numbers worked out by hand --------------------------------------------------------------------


def test_the_small_cases_are_those_of_the_text():
    assert round(np.log(9), 3) == 2.197
    given = np.array([0.9, 0.8, 0.5])
    assert (-np.log(given)).round(2).tolist() == [0.11, 0.22, 0.69]
    assert round(-np.log(given.prod()), 2) == 1.02 and round(-np.log(0.1), 2) == 2.30
    scores = np.exp([0, 0, 1])
    assert (scores / scores.sum()).round(2).tolist() == [0.21, 0.21, 0.58]


def test_two_steps_with_one_point_are_multiples_of_its_features():
    """Features (1, 2), label 1, λ = 1, steps of 0.2: w = 0.1 (1, 2), then 0.156 (1, 2)."""
    phi = np.array([1.0, 2.0])
    w, walked = np.zeros(2), []
    for _ in range(2):
        w = w + 0.2 * ((1 - sigmoid(phi @ w)) * phi - w)
        walked.append(w[0])
        assert w[1] == pytest.approx(2 * w[0])
    assert np.round(walked, 3).tolist() == [0.1, 0.156] and round(float(1 - sigmoid(0.5)), 3) == 0.378


def test_a_visit_tells_the_neighbour():
    """K has rows (1, ½) and (½, 1), labels 1 and 0, ε = 1, λ = 0: the second visit asks s(¼)."""
    K, y = np.array([[1, 0.5], [0.5, 1]]), np.array([1, 0])
    q = np.zeros(2)
    q = q + (y[0] - sigmoid(q[0])) * K[0]
    assert q.tolist() == [0.5, 0.25] and round(float(sigmoid(0.25)), 3) == 0.562
    q = q + (y[1] - sigmoid(q[1])) * K[1]
    np.testing.assert_allclose(q, [0.219, -0.312], atol=6e-4)


def test_the_part_out_of_reach_is_at_a_right_angle_to_the_point():
    phi, w0 = np.array([1.0, 2.0]), np.array([1.0, 0.0])
    a0 = np.linalg.lstsq(phi[:, None], w0)[0]
    np.testing.assert_allclose(a0, 0.2)
    np.testing.assert_allclose(w0 - phi * a0, [0.8, -0.4])


def test_with_a_gaussian_kernel_and_no_penalty_there_is_always_a_longer_and_cheaper_w():
    """K has full rank, so some a gives each point its label as its score, and multiples of it cost ever less."""
    X, _ = datasets.moons(20)
    y = np.where(np.random.default_rng(3).random(20) < 0.5, 1.0, -1.0)  # any labels
    K = Gaussian(0.5)(X)
    a = np.linalg.solve(K, y)
    np.testing.assert_allclose(K @ a, y, atol=1e-6)
    costs_of = [np.logaddexp(0, -y * (c * K @ a)).sum() for c in (1, 2, 3, 30)]
    assert all(np.diff(costs_of) < 0) and costs_of[-1] < 1e-9


# ---- the gradient in a -------------------------------------------------------------------------------


def test_the_gradient_in_a_is_k_times_the_bracket():
    X, y = datasets.moons(8)
    K, y01, lam, a = Polynomial(2)(X), (y + 1) / 2, 0.3, np.cos(np.arange(8))

    def J(a):
        return np.logaddexp(0, -y * (K @ a)).sum() + lam / 2 * a @ K @ a

    slopes = [(J(a + d) - J(a - d)) / 2e-6 for d in 1e-6 * np.eye(8)]
    np.testing.assert_allclose(slopes, K @ (sigmoid(K @ a) - y01 + lam * a), rtol=1e-5, atol=1e-5)


def test_each_walk_starts_at_a_right_angle_to_the_lines_of_its_own_plane_only():
    cell = space_of(NOTEBOOK, "two-bowls")
    bowl, Phi = cell["bowl"], cell["Phi"]
    over_w, over_a = lambda w: bowl(Phi @ w, w @ w), lambda a: bowl(cell["K"] @ a, a @ cell["K"] @ a)
    for J, to_plane, steepest in ((over_w, Phi, "black"), (over_a, np.eye(2), "green")):
        slope = np.array([(J(d) - J(-d)) / 2e-6 for d in 1e-6 * np.eye(2)])
        for walk in ("black", "green"):
            first = cell[walk][1] @ to_plane
            cosine = -slope @ first / np.linalg.norm(slope) / np.linalg.norm(first)
            assert (cosine > 1 - 1e-9) == (walk == steepest)


def test_both_walks_move_the_first_weight_alike_and_the_second_without_k_arrives_first():
    cell = space_of(NOTEBOOK, "two-bowls")
    black, green = cell["black"], cell["green"]
    np.testing.assert_allclose(black[:, 0], green[:, 0], atol=1e-12)
    assert (round(black[20, 1], 2), round(green[20, 1], 2)) == (-1.62, -1.19)
    lowest = KernelLogistic(Polynomial(1, offset=0), cell["lam"]).fit(cell["Phi"], [1, -1])
    assert round(float(lowest.a_[1]), 2) == -1.63


def test_the_bend_in_a_is_at_most_the_largest_eigenvalue_times_that_in_w():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        K = (F := rng.standard_normal((6, 4))) @ F.T
        lam, s = 0.2, sigmoid(rng.standard_normal(6))
        bend = np.linalg.norm(K @ np.diag(s * (1 - s)) @ K + lam * K, 2)
        most = np.linalg.norm(K, 2)
        assert bend <= most * (most / 4 + lam)


def test_without_k_the_moons_come_down_further_at_every_step_than_with_it():
    cell = space_of(NOTEBOOK, "k-or-not")
    J, bottom = cell["J"], cell["J"](KernelLogistic(cell["k"], cell["lam"]).fit(cell["X"], cell["y"]).a_)
    assert bottom < J(cell["without"]) < bottom + 0.4 < bottom + 4 < J(cell["with_K"])
    values = cell["eigenvalues"]
    assert values[0] / values[9] > 4000 and values[10] < 1e-9
    assert 1 / cell["L"] == pytest.approx(0.00996, abs=5e-6)


def test_far_below_the_gaps_k_is_almost_the_identity_and_the_two_directions_agree():
    X, _ = datasets.moons(20)
    gap = min(np.linalg.norm(x - z) for i, x in enumerate(X) for z in X[:i])
    np.testing.assert_allclose(Gaussian(gap / 8)(X), np.eye(20), atol=1e-9)


# ---- what the text reads off the panels ------------------------------------------------------------------


def at(explorer, **values):
    return explorer.compute(**(explorer.start() | values))


def test_straight_boundaries_are_for_the_linear_kernel_and_rings_for_the_others():
    new = at(boundaries).new
    assert new[0] < new[2] < new[1]
    linear, polynomial, gaussian = at(boundaries, data="rings").new
    assert round(linear, 3) == 0.485 and gaussian < polynomial < 0.065
    faint = at(boundaries, lam=100.0)
    assert 0.8 < sigmoid(np.abs(faint.H[0]).max()) < 0.81 and faint.new[0] == pytest.approx(0.055)


def test_a_start_out_of_reach_stays_apart_for_long_but_not_at_the_points():
    state = at(descents)
    assert state.r.apart[0] == pytest.approx(1.5) and state.r.apart[20] == pytest.approx(1.47, abs=0.005)
    np.testing.assert_allclose(state.r.f, state.r.q, atol=1e-9)
    assert at(descents, **descents.scenes["λ pulls it back"]).r.apart[100] < 0.001


def test_eight_points_and_six_features_leave_nothing_out_of_reach():
    values = descents.start() | descents.scenes["No outside"]
    state = descents.compute(**values)
    assert values["n"] == 8 and state.r.apart.max() < 1e-9
    Phi = Polynomial(values["degree"]).feature_map()(state.r.X)
    assert Phi.shape == (8, 6) and np.linalg.matrix_rank(Phi) == 6


def test_about_half_of_the_first_steps_for_one_point_lead_uphill_and_none_for_all_points():
    one, all_points = at(one_point).r.loss[1], at(one_point, solver="gd").r.loss[1]
    assert 12 <= np.sum(np.diff(one[:33]) > 0) <= 20 and not np.any(np.diff(all_points) > 0)
    assert np.round([one[0], one[32], all_points[32], all_points[2]], 2).tolist() == [0.69, 0.57, 0.4, 0.54]


def test_python_takes_longer_than_the_products_of_sgd():
    state = at(costs, task="sgd", measured=None)
    for form in ("primal", "kernel"):
        assert state.seconds[form][1][-1] > 30 * state.counts[form][-1] / state.rate


# ---- the Gaussian process of scikit-learn -----------------------------------------------------------------


@pytest.mark.parametrize("lam", [1.0, 0.1])
def test_the_mode_of_a_gaussian_process_is_kernel_logistic_regression_and_its_average_is_less_sure(lam):
    from sklearn.gaussian_process import GaussianProcessClassifier
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    X, y = datasets.moons(60)
    Z = np.random.default_rng(0).uniform(-3, 3, (200, 2))
    ours = KernelLogistic(Gaussian(1.0), lam, tol=1e-10).fit(X, y)
    theirs = GaussianProcessClassifier(ConstantKernel(1 / lam) * RBF(1.0), optimizer=None).fit(X, y)
    mode = theirs.base_estimator_
    scores = (mode.y_train_ - mode.pi_) @ mode.kernel_(X, Z)
    np.testing.assert_allclose(scores, ours.decision_function(Z), atol=1e-7)
    np.testing.assert_array_equal(ours.predict(Z), theirs.predict(Z))
    mode, mean = ours.predict_proba(Z)[:, 1] - 0.5, theirs.predict_proba(Z)[:, 1] - 0.5
    assert np.all(np.abs(mean) <= np.abs(mode) + 1e-3) and np.abs(mode - mean).max() > 0.01


# ---- 5.2, 5.3: what a step costs, counted in the package's own steps --------------------------------


def products_of_a_step(solver, form, n, D):
    """What the fourth step multiplies, in w or in a; K and Φ are there already."""
    rng = np.random.default_rng(0)
    Phi, signs = rng.standard_normal((n, D)), np.where(np.arange(n) % 3, 1.0, -1.0)
    model = PrimalLogistic(lam=0.1, step=0.01) if form == "w" else KernelLogistic(lam=0.1, step=0.01)
    design = counted(Phi if form == "w" else Phi @ Phi.T)
    loss, start = Slopes(signs), counted(np.zeros(design.shape[1]))
    walk = model._gd(design, loss, start, 0.01) if solver == "gd" else model._sgd(design, loss, start)
    next(islice(walk, 3, 3), None)
    return products_of(next, walk)


@pytest.mark.parametrize("form", ["w", "a"])
def test_a_step_of_gradient_descent_multiplies_features_times_points_in_w_and_points_squared_in_a(form):
    for n, D in ((10, 15), (20, 15), (20, 30)):
        wanted = 2 * n * D if form == "w" else n * n
        assert wanted <= products_of_a_step("gd", form, n, D) <= wanted + 3 * (n + D)


@pytest.mark.parametrize("form", ["w", "a"])
def test_a_step_of_one_point_multiplies_its_features_in_w_and_one_column_in_a(form):
    """Twice the points change nothing in w, twice the features nothing in a."""
    for n, D in ((20, 30), (40, 30), (40, 60)):
        size = D if form == "w" else n
        assert 2 * size <= products_of_a_step("sgd", form, n, D) <= 4 * size + 6


def test_the_counts_of_the_cell_are_the_products_of_the_gram_matrix_and_of_the_outputs_of_j_steps():
    form = space_of(NOTEBOOK, "cell-45")["training_counts"]
    n, d, D, j = 5, 2, 7, 3
    X, Phi, w, a = (counted(np.ones(shape)) for shape in ((n, d), (n, D), D, n))

    def steps(design, weights, rows):
        return sum(products_of(lambda: design[:rows] @ weights) for _ in range(j))

    K = np.ones((n, n))
    of_K = {"primal": 0, "dual": products_of(lambda: Phi @ Phi.T), "kernel": products_of(lambda: X @ X.T)}
    for rows, said in zip((n, 1), form(n, d, D, j), strict=True):
        walked = {name: steps(Phi, w, rows) if name == "primal" else steps(K, a, rows) for name in of_K}
        assert said == {name: of_K[name] + walked[name] for name in of_K}


def test_many_features_and_many_steps_make_the_kernel_form_cheapest_as_the_cell_says(capsys):
    space_of(NOTEBOOK, "cell-45")
    pattern = r"n = (\d+), D = +(\d+), j = +(\d+): cheapest is (\w+) for gradient descent, (\w+) for SGD"
    rows = re.findall(pattern, capsys.readouterr().out)
    assert [int(row[1]) for row in rows] == [comb(14, 4), comb(14, 4), comb(12, 2)]
    for n, D, j, descent, sgd in rows:
        n, D, j, d = int(n), int(D), int(j), 10
        assert descent == ("primal" if D * j < n * (d + j) else "kernel")
        assert sgd == ("primal" if D * j < n * (n * d + j) else "kernel")


# ---- 5.5: the class alone, and another start ---------------------------------------------------------


@pytest.mark.parametrize("k", [Polynomial(1), Polynomial(3), Gaussian(0.5)])
def test_the_class_is_the_sign_of_the_sum_whatever_the_sureness(k):
    X, y = datasets.rings(60, noise=0.25)
    Z = np.random.default_rng(1).uniform(-3, 3, (200, 2))
    model = KernelLogistic(k, lam=0.3).fit(X, y)
    h = k(Z, X) @ model.a_
    np.testing.assert_array_equal(model.predict(Z), np.sign(h))
    np.testing.assert_array_equal(model.predict_proba(Z)[:, 1] > 0.5, h > 0)


def test_far_from_all_points_polynomials_are_sure_and_the_gaussian_says_one_half(capsys):
    """The features come from the eigenvectors of one Gram matrix of all points, old and new."""
    X, Z = datasets.rings(60, noise=0.25)[0], [[0.0, 0.0], [10.0, 10.0]]
    y = space_of(NOTEBOOK, "cell-55")["y"]
    said = re.findall(r"is ([\d.]+) in the middle, ([\d.]+) far away", capsys.readouterr().out)
    for k, printed in zip((Polynomial(1), Polynomial(3), Gaussian(0.5)), said, strict=True):
        kappa, U = np.linalg.eigh(k(np.concatenate([X, Z])))
        F = U * np.sqrt(np.maximum(kappa, 0))
        model = LogisticRegression(C=1 / 0.1, fit_intercept=False, tol=1e-8, max_iter=10_000).fit(F[:60], y)
        p = model.predict_proba(F[60:])[:, 1]
        np.testing.assert_allclose(np.array(printed, float), p, atol=0.0051)
        assert abs(p[1] - 0.5) < 1e-9 if isinstance(k, Gaussian) else p[1] > 0.9


@pytest.mark.parametrize("steps", [1, 2, 10, 1000])
def test_steps_for_one_point_keep_w_and_q_in_line_with_a(steps):
    space = space_of(NOTEBOOK, "cell-35")
    visits = space["visits"][:steps]
    w, a, q = space["walk"](np.zeros(40), np.zeros(40), visits)
    np.testing.assert_allclose(w, space["Phi"].T @ a, atol=1e-9)
    np.testing.assert_allclose(q, space["K"] @ a, atol=1e-8)
    assert np.count_nonzero(a) == len({*visits})


def test_from_another_start_the_steps_in_a_are_those_in_w_only_if_the_outputs_are_computed_first():
    space = space_of(NOTEBOOK, "sgd-start-run")
    Phi, K, walk, visits = space["Phi"], space["K"], space["walk"], space["visits"]
    a0 = np.cos(np.arange(40))
    w, a, q = walk(a0, K @ a0, visits)
    np.testing.assert_allclose(w, Phi.T @ a, atol=1e-9)
    np.testing.assert_allclose(q, K @ a, atol=1e-8)
    w, a, q = walk(a0, np.zeros(40), visits)
    assert np.linalg.norm(w - Phi.T @ a) > 1 and np.abs(q - K @ a).max() > 1
    model = KernelLogistic(space["k"], lam=0.1, solver="sgd", step=0.05, max_iter=1, random_state=0)
    twin = PrimalLogistic(space["phi"], lam=0.1, solver="sgd", step=0.05, max_iter=1, random_state=0)
    W = np.array(list(twin.steps(space["X"], space["y"], Phi.T @ a0)))
    np.testing.assert_allclose(np.array(list(model.steps(space["X"], space["y"], a0))) @ Phi, W, atol=1e-9)


# ---- how long a step may be -------------------------------------------------------------------------


@pytest.mark.parametrize("multiple", [0.3, 1.0, 1.9])
def test_a_step_lowers_the_objective_by_as_much_as_the_parabola_promises(multiple):
    """J(v − ε∇J) ≤ J(v) − ε (1 − εL/2) ‖∇J‖²; the parabola with slope −‖∇J‖² and bend L‖∇J‖² lies above J."""
    X, y = datasets.moons(30)
    phi, lam = Polynomial(2).feature_map(), 0.05
    Phi, rng = phi(X), np.random.default_rng(2)
    L = np.linalg.norm(Phi @ Phi.T, 2) / 4 + lam

    def J(w):
        return np.logaddexp(0, -y * (Phi @ w)).sum() + lam / 2 * w @ w

    for w in rng.standard_normal((20, Phi.shape[1])):
        gradient = Phi.T @ (1 / (1 + np.exp(-Phi @ w)) - (y + 1) / 2) + lam * w
        step = multiple / L
        promised = step * (1 - step * L / 2) * (gradient @ gradient)
        assert J(w - step * gradient) <= J(w) - promised + 1e-9
