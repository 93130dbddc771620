"""What notebook 07's explorers that walk say: SMO, and the primal one point at a time."""

import itertools

import numpy as np
import pytest
from panels import corners, marks_of, number, readout_of, state_of
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from kernelkit import Monomials, PrimalSVM, datasets
from kernelkit.course.explorers.support_vector_machine import primal_or_dual, smo
from kernelkit.course.explorers.support_vector_machine.primal_or_dual import AT
from kernelkit.course.explorers.support_vector_machine.smo import TOL, run
from kernelkit.course.panel.numbers import short

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
    assert states[-1].violation <= TOL and -1e-9 <= states[-1].primal - states[-1].dual < 0.02
    theirs = SVC(kernel="precomputed", C=C, tol=1e-5).fit(K, y)
    a, chosen = theirs.dual_coef_[0], theirs.support_
    assert duals[-1] == pytest.approx(np.abs(a).sum() - a @ K[np.ix_(chosen, chosen)] @ a / 2, abs=2e-3)


def test_smo_moves_the_pair_of_second_order_and_says_its_clip():
    X, y = datasets.sixteen()
    r, K = y.astype(float), X @ X.T
    i = int(np.argmax(r))
    eta = K[i, i] + np.diag(K) - 2 * K[i]
    j = max((j for j in range(16) if y[j] < 0), key=lambda j: (r[i] - r[j]) ** 2 / eta[j])
    values = {"step": 1, "C": 1.0, "data": "sixteen", "kernel": "linear"}
    wanted = 2 / eta[j]
    assert state_of(smo, **values).now.pair == (i, j)
    assert wanted > 1, "this step is clipped"
    read = readout_of(smo, **values)
    assert read["moved by"] == f"1 of {short(wanted)} wanted" and read["αᵢ and αⱼ"] == "1 and 1"


WALKS = [
    {},
    {"C": 1.0},
    {"kernel": "linear"},
    {"data": "sixteen", "sigma": 1.0, "C": 2.0},
    {"data": "sixteen", "kernel": "linear", "C": 1.0},
]


def gram(X, values):
    """scikit-learn's kernel matrix of a walk."""
    return X @ X.T if "kernel" in values else rbf_kernel(X, gamma=1 / (2 * values.get("sigma", 2.0) ** 2))


def walked(values):
    """The states of all steps."""
    last = state_of(smo, **values, step=60).last_step
    return [state_of(smo, **values, step=step) for step in range(last + 1)]


@pytest.mark.parametrize("values", WALKS)
def test_pair_stays_in_its_boxes_and_keeps_the_sum_of_both_classes_equal(values):
    for state in walked(values)[1:]:
        after, by = state.alpha, state.now.step
        assert (after >= 0).all() and (after <= state.C).all()
        assert after[state.y > 0].sum() == pytest.approx(after[state.y < 0].sum(), abs=1e-9)
        assert set(np.flatnonzero(after != state.before)) <= set(state.now.pair)
        i, j = state.now.pair
        changes = (after - state.before)[[i, j]]
        np.testing.assert_allclose(changes, [by * state.y[i], -by * state.y[j]], atol=1e-9)
        blue, orange = (text.words.replace("together", "").strip() for text in marks_of(smo, state, "sum"))
        assert blue == orange


@pytest.mark.parametrize("values", WALKS)
def test_a_clipped_step_ends_at_a_wall_and_a_free_one_at_the_top_of_its_parabola(values):
    for state in walked(values)[1:]:
        i, j = state.now.pair
        before = state.before * state.y
        K = gram(state.X, values)
        direction = np.eye(16)[i] - np.eye(16)[j]
        slope = direction @ (state.y - K @ (before + state.now.step * direction))
        at_a_wall = any(state.alpha[k] in (0.0, state.C) for k in (i, j))
        assert (slope > 1e-9 and at_a_wall) if state.clipped else slope == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("values", WALKS)
def test_marks_under_the_boxes_are_the_points_that_break_the_kkt_table(values):
    states = walked(values)
    for state in states:
        margin = state.y * (gram(state.X, values) @ state.now.a + state.now.b)
        too_small = (margin < 1 - 1e-3) & (state.alpha < state.C)
        too_large = (margin > 1 + 1e-3) & (state.alpha > 0)
        np.testing.assert_array_equal(state.wishes, too_small.astype(int) - too_large)
    disagreeing = [state for state in states if state.now.violation > 2e-3]  # one of the pair is off by half of it
    assert len(disagreeing) > 4 and all(state.wishes.any() for state in disagreeing)
    assert states[-1].now.violation <= TOL and not states[-1].wishes.any()


def test_the_gap_closes_but_grows_on_the_way_as_the_question_says():
    states = walked({})
    assert all(state.dual[state.at] >= state.dual[max(state.at - 1, 0)] for state in states)
    start, answer = state_of(smo), state_of(smo, smo.question.scene)
    assert answer.at == start.at + 1 and (np.diff(start.gap[: start.at + 1]) < 0).all()
    assert answer.gap[answer.at] > start.gap[start.at]
    assert start.gap[-1] < 1e-3 * start.gap[0]
    assert (np.diff(start.violation) > 0.3).any(), "the violation rises on the way, too"


def test_a_click_on_the_gap_goes_to_that_step():
    state = state_of(smo)
    for x, step in ((-3.0, 0), (6.4, 6), (99.0, state.last_step)):
        assert smo.click["gap"](state, x, 0.0) == {"step": step}


# ---- the primal ------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "lam"), [(2, 0.01), (3, 0.1), (1, 0.01)])
def test_floor_of_the_walk_is_the_optimum(degree, lam):
    """The optimum without an offset, by many full sub-gradient steps: never below the dual, close above it."""
    X, y = datasets.crossing(60)
    Phi, best = Monomials(degree)(X), np.inf
    w = np.zeros(Phi.shape[1])
    for t in range(1, 60001):
        slack = np.maximum(0, 1 - y * (Phi @ w))
        best = min(best, slack.mean() + lam * w @ w)
        w = w * (1 - 1 / (t + 1)) + Phi.T @ (y * (slack > 0)) / (60 * 2 * lam * (t + 1))
    state = primal_or_dual.compute(**primal_or_dual.start() | {"degree": degree, "lam": lam})
    assert state.best - 1e-6 <= best <= state.best * 1.01
    assert all((values >= state.best - 1e-6).all() for values in state.values)


def test_walk_says_the_objective_at_its_step():
    X, y = datasets.crossing(60)
    W = np.array(list(PrimalSVM(Monomials(2), 0.01, 50, 0).steps(X, y)))
    t, Phi = AT[30], Monomials(2)(X)
    both = W[t], W[t // 2 + 1 : t + 1].mean(axis=0)
    wanted = [np.maximum(0, 1 - y * (Phi @ w)).mean() + 0.01 * w @ w for w in both]
    read = readout_of(primal_or_dual, step=30)
    assert read["step"] == f"{t}"
    assert number(read["objective at the last w"]) == pytest.approx(wanted[0], rel=0.00051)
    assert number(read["at the mean of the last half"]) == pytest.approx(wanted[1], rel=0.00051)


@pytest.mark.parametrize("step", [12, 30, len(AT) - 1])
def test_the_solid_line_is_where_the_mean_is_0_the_dotted_the_last_w_and_the_dashed_the_optimum(step):
    """h of each w at the corners of the line that is drawn for it; the optimum is scikit-learn's."""
    state, t = state_of(primal_or_dual, step=step), AT[step]
    phi, (X, y) = Monomials(2), datasets.crossing(60)
    W = np.array(list(PrimalSVM(phi, 0.01, 50, 0).steps(X, y)))
    svm = LinearSVC(loss="hinge", C=1 / (2 * 60 * 0.01), fit_intercept=False, tol=1e-8, max_iter=10**6, random_state=0)
    weights = {"boundary": W[t // 2 + 1 : t + 1].mean(axis=0), "last": W[t]}
    weights["reference"] = svm.fit(phi(X), y).coef_[0]
    for name in weights:
        (line,) = marks_of(primal_or_dual, state, name)
        places = phi(corners(line, 0.0))
        h = {other: np.abs(places @ v).max() / np.abs(phi(X) @ v).mean() for other, v in weights.items()}
        assert h.pop(name) < 0.01 < min(h.values()), "it is no other's line"


def test_where_the_mean_is_behind_the_last_half_holds_worse_weights():
    """The objective is convex: its value at a mean is at most the mean of its values."""
    states = [state_of(primal_or_dual, step=step) for step in range(0, len(AT), 3)]
    behind = [state for state in states if state.now[1] > state.now[0]]
    assert 0 < len(behind) < len(states)
    for state in behind:
        assert state.values[0][state.t // 2 : state.t].max() > state.now[0]


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


@pytest.mark.parametrize(
    ("data", "degree", "lam", "step"),
    [
        ("crossing", 2, 1.0, len(AT) - 1),
        ("crossing", 2, 1.0, 0),
        ("crossing", 1, 0.001, 10),
        ("rings", 4, 1.0, len(AT) - 1),
        ("rings", 2, 0.001, 3),
        ("moons", 4, 0.001, len(AT) - 1),
        ("moons", 4, 0.001, 0),
    ],
)
def test_both_objectives_are_written_to_four_digits_the_last_ones_also_if_they_are_0(data, degree, lam, step):
    X, y = getattr(datasets, data)(60)
    Phi, t = Monomials(degree)(X), AT[step]
    W = np.array(list(itertools.islice(PrimalSVM(Monomials(degree), lam, 50, 0).steps(X, y), t + 1)))
    read = readout_of(primal_or_dual, data=data, degree=degree, lam=lam, step=step)
    told = read["objective at the last w"], read["at the mean of the last half"]
    for w, written in zip((W[t], W[t // 2 + 1 : t + 1].mean(axis=0)), told, strict=True):
        value = np.maximum(0, 1 - y * (Phi @ w)).mean() + lam * w @ w
        digits = written.replace("\u2009", "")
        assert float(digits) == pytest.approx(value, rel=0.00051)
        assert len(digits.replace(".", "").lstrip("0")) == max(4, len(str(int(value))))
