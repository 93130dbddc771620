"""The sentences of notebook 07's explorers that walk: SMO, and the primal one point at a time."""

import itertools
import re

import numpy as np
import pytest
from panels import said_by
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from kernelkit import Monomials, PrimalSVM, datasets
from kernelkit.explorers.support_vector_machine import primal_or_dual, smo
from kernelkit.explorers.support_vector_machine.primal_or_dual import AT
from kernelkit.explorers.support_vector_machine.smo import run
from kernelkit.panel.numbers import short

# ---- SMO -------------------------------------------------------------------------------------


def _objectives(K, y, a, C):
    lam = a * y
    dual = lam.sum() - 0.5 * sum(lam[i] * lam[j] * y[i] * y[j] * K[i, j] for i in range(16) for j in range(16))
    trials = np.linspace(-6, 6, 24001)[:, None]  # the best offset, by trying
    return dual, a @ K @ a / 2 + C * np.maximum(0, 1 - y * (K @ a + trials)).sum(axis=1).min()


@pytest.mark.parametrize(("kernel", "C"), [("linear", 1.0), ("gaussian", 2.0), ("gaussian", 10.0)])
def test_both_objectives_are_those_of_the_formulas_and_close(kernel, C):
    X, y = datasets.sixteen()
    K = X @ X.T if kernel == "linear" else rbf_kernel(X, gamma=0.5)
    _, states = run("sixteen", kernel, 1.0, C)
    for state in states[:: max(len(states) // 5, 1)]:
        dual, primal = _objectives(K, y, state.a, C)
        assert state.dual == pytest.approx(dual, abs=1e-9) and state.primal == pytest.approx(primal, abs=0.01 * C)
    duals = [s.dual for s in states]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(duals)), "the dual never falls"
    assert states[-1].solved and -1e-9 <= states[-1].primal - states[-1].dual < 0.02
    theirs = SVC(kernel="precomputed", C=C, tol=1e-5).fit(K, y)
    a, chosen = theirs.dual_coef_[0], theirs.support_
    assert duals[-1] == pytest.approx(np.abs(a).sum() - a @ K[np.ix_(chosen, chosen)] @ a / 2, abs=2e-3)


def test_smo_says_the_pair_and_its_clip():
    X, y = datasets.sixteen()
    r, K = y.astype(float), X @ X.T
    i = int(np.argmax(r))
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    j = max((j for j in range(16) if y[j] < 0), key=lambda j: (r[i] - r[j]) ** 2 / eta[j])
    said = said_by(smo, step=1, C=1.0, data="sixteen", kernel="linear")
    wanted = 2 / eta[j]
    assert wanted > 1, "this step is clipped"
    assert f"points {i + 1} and {j + 1} are of different classes." in said
    assert re.search(rf"\b{re.escape(short(wanted))}, but .* only 1\b", said)


def test_pair_stays_in_its_box_and_on_its_line():
    for step in range(1, 40):
        state = smo.compute(**smo.start() | {"step": step, "data": "sixteen", "sigma": 1.0, "C": 2.0})
        after = state.now.a * state.y
        assert (after >= 0).all() and (after <= 2.0).all() and abs(state.now.a.sum()) < 1e-12
        assert set(np.flatnonzero(after != state.before)) <= set(state.now.pair)


def test_residuals_say_who_may_move_and_when_all_is_done():
    """Violation: the largest r of those that may grow, minus the smallest r of those that may shrink."""
    for step in (*range(10), 60):
        state = smo.compute(**smo.start() | {"step": step})
        r = state.now.r
        gap = r[state.may_grow].max() - r[state.may_shrink].min()
        assert gap == pytest.approx(state.violation[state.at], abs=1e-9) and (gap <= 1e-3) == state.now.solved
        multipliers = state.now.a * state.y
        np.testing.assert_array_equal(state.may_grow, np.where(state.y > 0, multipliers < 10, multipliers > 0))


def test_the_violation_falls_up_to_the_first_picture_and_rises_after_it():
    state = smo.compute(**smo.start())
    changes = np.diff(state.violation)
    assert (changes[: state.at] < 0).all() and (changes[state.at :] > 0.3).any()
    assert "done" in said_by(smo, **smo.scenes["Solved"])


# ---- the primal ------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "lam"), [(2, 0.01), (3, 0.1), (1, 0.01)])
def test_floor_of_the_walk_is_the_optimum(degree, lam):
    """The optimum without an offset, by many full sub-gradient steps: never below the dual, close above it."""
    X, y = datasets.crossing(60)
    Phi, w, best = Monomials(degree)(X), 0.0, np.inf
    w = np.zeros(Phi.shape[1])
    for t in range(1, 60001):
        inside = y * (Phi @ w) < 1
        best = min(best, np.maximum(0, 1 - y * (Phi @ w)).mean() + lam * w @ w)
        w = w * (1 - 1 / (t + 1)) + (Phi[inside].T @ y[inside]) / (60 * 2 * lam * (t + 1))
    state = primal_or_dual.compute(**primal_or_dual.start() | {"degree": degree, "lam": lam})
    assert state.best - 1e-6 <= best <= state.best * 1.01
    assert all((values >= state.best - 1e-6).all() for values in state.values)


def test_walk_says_the_objective_at_its_step():
    X, y = datasets.crossing(60)
    W = np.array(list(PrimalSVM(Monomials(2), 0.01, 50, 0).steps(X, y)))
    t, Phi = AT[30], Monomials(2)(X)
    both = W[t], W[t // 2 + 1 : t + 1].mean(axis=0)
    wanted = [np.maximum(0, 1 - y * (Phi @ w)).mean() + 0.01 * w @ w for w in both]
    said = said_by(primal_or_dual, step=30)
    assert f"After {t} steps" in said
    assert f"the objective is {short(wanted[0], 4)} at the last w and {short(wanted[1], 4)} at the mean" in said


def test_each_step_pulls_with_the_point_it_visits_or_only_shrinks():
    X, y = datasets.crossing(60)
    Phi, lam = Monomials(2)(X), 0.01
    W = np.array(list(PrimalSVM(Monomials(2), lam, 50, 3).steps(X, y)))
    for step in range(len(AT)):
        state = primal_or_dual.compute(**primal_or_dual.start() | {"step": step, "order": 3})
        t, i = state.t, state.visited
        pull = W[t] - W[t - 1] * (1 - 1 / (t + 1))
        wanted = state.pulled * y[i] * Phi[i] / (2 * lam * (t + 1))
        np.testing.assert_allclose(pull, wanted, atol=1e-9 * np.abs(W).max())


def test_the_last_w_is_ahead_first_and_the_mean_in_the_end():
    """At the last tenth of the steps, in most of the ten orders."""
    last, mean = primal_or_dual.compute(**primal_or_dual.start()).now
    assert last < mean
    ahead = []
    for order in range(10):
        last, mean = primal_or_dual.compute(**primal_or_dual.start() | {"order": order}).values
        ahead.append(np.mean(mean[-300:] < last[-300:]))
    assert np.median(ahead) > 0.7 and min(ahead) > 0.5
