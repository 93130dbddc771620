"""Numbers that notebook 05 says and no cell prints, each computed once, and the costs of a step by counting."""

from itertools import islice

import numpy as np
import pytest
from counted import counted, products_of
from notebook_cells import defined_by
from panels import state_of

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Polynomial, PrimalLogistic, datasets
from kernelkit.course.explorers.kernel_logistic import boundaries, descents, one_point
from kernelkit.models.logistic import LogLoss, sigmoid

# ---- the numbers worked out by hand ----------------------------------------------------------------------


def test_odds_costs_and_three_probabilities():
    assert round(np.log(9), 3) == 2.197
    given = np.array([0.9, 0.8, 0.5])
    assert (-np.log(given)).round(2).tolist() == [0.11, 0.22, 0.69]
    assert round(-np.log(given.prod()), 2) == 1.02 and round(-np.log(0.1), 2) == 2.30
    scores = np.exp([0, 0, 1])
    assert (scores / scores.sum()).round(2).tolist() == [0.21, 0.21, 0.58] and round(scores.sum(), 2) == 4.72


def test_two_steps_with_one_point_are_multiples_of_its_features():
    """Features (1, 2), label 1, λ = 1, steps of 0.2; and what of a start at (1, 0) no multiple of them reaches."""
    phi, w, walked = np.array([1.0, 2.0]), np.zeros(2), []
    for _ in range(2):
        w = w + 0.2 * ((1 - sigmoid(phi @ w)) * phi - w)
        walked.append(w)
    np.testing.assert_allclose(walked, np.outer([0.1, 0.156], phi), atol=1e-3)
    assert round(float(1 - sigmoid(0.5)), 3) == 0.378
    a0 = np.linalg.lstsq(phi[:, None], [1.0, 0.0])[0]
    np.testing.assert_allclose([1 - a0[0], -2 * a0[0]], [0.8, -0.4])


def test_a_visit_tells_the_neighbour():
    """K has rows (1, ½) and (½, 1), labels 1 and 0, steps of 1, λ = 0: the second visit asks s(¼)."""
    K, y, q, seen = np.array([[1, 0.5], [0.5, 1]]), np.array([1, 0]), np.zeros(2), []
    for i in (0, 1):
        q = q + (y[i] - sigmoid(q[i])) * K[i]
        seen.append(q)
    np.testing.assert_allclose(seen, [[0.5, 0.25], [0.219, -0.312]], atol=6e-4)
    assert round(float(sigmoid(0.25)), 3) == 0.562


def test_the_walk_with_k_is_late_along_the_narrow_direction():
    """K = diag(4, 1), λ = 0.1, twenty steps: without K to −1.62, with K to −1.19; the lowest point has −1.63."""
    K, y, lam = np.diag([4.0, 1.0]), np.array([1.0, 0.0]), 0.1
    walks = np.zeros((2, 2))
    for _ in range(20):
        plain, late = (y - sigmoid(K @ a) - lam * a for a in walks)
        walks = walks + np.array([plain, K @ late / 4]) / (1 + lam)
    np.testing.assert_allclose(*walks[:, 0], atol=1e-12)
    lowest = KernelLogistic(Polynomial(1, offset=0), lam).fit(np.diag([2.0, 1.0]), [1, -1]).a_
    assert [*walks[:, 1].round(2), lowest[1].round(2)] == [-1.62, -1.19, -1.63]


def test_with_a_gaussian_kernel_and_no_penalty_there_is_always_a_longer_and_cheaper_w():
    """K has full rank, so some a gives each point its label as its score, and multiples of it cost ever less."""
    X, y = datasets.moons(20)[0], np.where(np.random.default_rng(3).random(20) < 0.5, 1.0, -1.0)  # any labels
    K = Gaussian(0.5)(X)
    a = np.linalg.solve(K, y)
    np.testing.assert_allclose(K @ a, y, atol=1e-6)
    costs = [np.logaddexp(0, -y * (c * K @ a)).sum() for c in (1, 2, 3, 30)]
    assert all(np.diff(costs) < 0) and costs[-1] < 1e-9


def test_the_longest_safe_step_on_the_moons():
    K = Polynomial(3)(datasets.moons(n=20)[0])
    assert 1 / (np.linalg.eigvalsh(K)[-1] / 4 + 0.1) == pytest.approx(0.00996, abs=5e-6)


@pytest.mark.parametrize(("solver", "steps"), [("newton", 10), ("gd", 6990)])
def test_newton_takes_ten_steps_and_descent_seven_thousand(solver, steps):
    model = KernelLogistic(Polynomial(3), 0.1, solver=solver, max_iter=50_000).fit(*datasets.moons(n=60))
    assert model.n_iter_ == pytest.approx(steps, rel=0.1)


def test_softmax_steps_of_the_cell_end_at_the_probabilities_of_kernelkit():
    cell = defined_by("05-kernel-logistic.ipynb", "cell-59")
    model = KernelSoftmax(Gaussian(1.0), cell["lam"]).fit(cell["X"], cell["c"])
    np.testing.assert_allclose(cell["P"], model.predict_proba(cell["X"]), atol=1e-5)


# ---- what the text reads off the panels ----------------------------------------------------------------------


def test_which_boundary_suits_which_data():
    new = state_of(boundaries, data="rings").new
    assert np.round(new, 3).tolist() == [0.485, 0.062, 0.052]
    faint = state_of(boundaries, lam=100.0)
    assert 0.8 < sigmoid(np.abs(faint.H[0]).max()) < 0.81 and faint.new[0] == pytest.approx(0.055)


def test_a_start_out_of_reach_stays_apart_for_long_but_not_at_the_points():
    state = state_of(descents)
    assert state.r.apart[0] == pytest.approx(1.5) and state.r.apart[20] == pytest.approx(1.47, abs=0.005)
    np.testing.assert_allclose(state.r.f, state.r.q, atol=1e-9)
    assert state_of(descents, "λ pulls it back").r.apart[100] < 0.001
    assert state_of(descents, "No outside").r.apart.max() < 1e-9


def test_about_half_of_the_first_steps_for_one_point_lead_uphill_and_none_for_all_points():
    one, all_points = state_of(one_point).r.loss[1], state_of(one_point, solver="gd").r.loss[1]
    assert 12 <= np.sum(np.diff(one[:33]) > 0) <= 20 and not np.any(np.diff(all_points) > 0)
    assert np.round([one[0], one[32], all_points[32], all_points[2]], 2).tolist() == [0.69, 0.57, 0.4, 0.54]


# ---- what a step costs, counted in the package's own steps -----------------------------------------------------


class Slopes(LogLoss):
    """A loss of which only the derivatives are asked for: the objective is not part of a step."""

    def total(self, f):
        return 0.0

    def residual(self, f):
        return super().residual(f.astype(float))


@pytest.mark.parametrize(("n", "D"), [(20, 15), (40, 15), (20, 60)])
def test_a_step_multiplies_as_often_as_the_table_says(n, D):
    """All points: twice their D features each in w, and K once in a. One point: its features, or its column, twice."""
    Phi, signs = np.random.default_rng(0).standard_normal((n, D)), np.where(np.arange(n) % 3, 1.0, -1.0)
    forms = (PrimalLogistic, Phi, 2 * n * D, D), (KernelLogistic, Phi @ Phi.T, n * n, n)
    for form, design, all_points, size in forms:
        model, start, loss = form(lam=0.1, step=0.01), counted(np.zeros(size)), Slopes(signs)
        descent, single = model._gd(counted(design), loss, start, 0.01), model._sgd(counted(design), loss, start)
        for walk, least, more in ((descent, all_points, 3 * (n + D)), (single, 2 * size, 2 * size + 6)):
            next(islice(walk, 3, 3), None)
            assert least <= products_of(next, walk) <= least + more
