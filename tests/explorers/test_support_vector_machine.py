"""The sentences of notebook 07's explorers, against scikit-learn and against the formulas in plain numpy."""

import itertools
import re

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kernelkit import KernelSVM, Linear, Monomials, PrimalSVM, datasets
from kernelkit.explorers.shared.mixture import ACROSS, UP
from kernelkit.explorers.support_vector_machine import boundary, classes, primal_or_dual, smo, strip, three_kernels
from kernelkit.explorers.support_vector_machine.primal_or_dual import AT
from kernelkit.explorers.support_vector_machine.smo import run
from kernelkit.explorers.support_vector_machine.strip import SIGMAS
from kernelkit.explorers.support_vector_machine.three_kernels import SIDE, UPWARD
from kernelkit.panel.parts import percent, short


def svc(sigma=1.0, C=1.0, **changes):
    return SVC(**{"kernel": "rbf", "gamma": 1 / (2 * sigma**2), "C": C, "tol": 1e-5} | changes)


def error(model, X, y):
    return percent(1 - model.score(X, y))


def numbers(text):
    """The numbers in a sentence."""
    return [float(v) for v in re.findall(r"\d+(?:\.\d+)?", text)]


def said_by(explorer, **values):
    return explorer.describe(explorer.compute(**explorer.start() | values))


def test_the_row_of_own_points_is_always_there():
    """A row that comes and goes would push the picture away from under the pointer."""
    box = boundary().inputs["mine"]
    rows = (box.chosen, *box.coordinates, box.add_button, box.remove_button)
    for press in (None, box.add_button, box.remove_button, box.remove_button):
        if press:
            press.click()
        assert all(row.layout.display is None for row in rows)
    assert box.value == ()


# ---- boundary --------------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "C"), [(0.1, 10.0), (0.501187, 1.0), (1.0, 0.01), (1.0, 100.0), (10.0, 1.0)])
def test_boundary_says_what_scikit_learn_finds_on_the_mixture(sigma, C):
    X, y = datasets.mixture(200)
    theirs = svc(sigma, C).fit(X, y)
    inside = np.abs(theirs.dual_coef_) < C * (1 - 1e-6)
    test = datasets.mixture(2000, random_state=26)
    support, n, free, train, errors, _ = numbers(said_by(boundary, sigma=sigma, C=C).split(": ", 1)[1])
    # both solvers stop at a tolerance, so a point at the edge may fall to either side
    assert n == 200 and abs(support - len(theirs.support_)) <= 1 and abs(free - inside.sum()) <= 1
    assert train == pytest.approx(100 * (1 - theirs.score(X, y)), abs=0.051)
    assert errors == pytest.approx(100 * (1 - theirs.score(*test)), abs=0.11)


@pytest.mark.parametrize("data", ["moons", "rings", "circles"])
@pytest.mark.parametrize(("kernel", "changes"), [
    ("linear", {"kernel": "linear"}),
    ("polynomial", {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
])  # fmt: skip
def test_boundary_says_what_scikit_learn_finds_with_other_kernels(data, kernel, changes):
    X, y = getattr(datasets, data)(200)
    theirs = svc(**changes).fit(X, y)
    said = said_by(boundary, data=data, kernel=kernel)
    assert f"training error {error(theirs, X, y)}" in said and "Bayes" not in said
    state = boundary.compute(**boundary.start() | {"data": data, "kernel": kernel})
    grid = np.array(np.meshgrid(ACROSS, UP)).reshape(2, -1).T
    wanted = theirs.decision_function(grid).reshape(state.H.shape)
    np.testing.assert_allclose(state.H, wanted, atol=0.02 * np.abs(wanted).max())


def test_bayes_error_is_that_of_the_true_densities():
    X, y = datasets.mixture(2000, random_state=26)
    means = datasets._MEANS
    densities = [rbf_kernel(X, m, gamma=1 / (2 * datasets._SPREAD)).mean(axis=1) for m in means]
    wrong = np.mean((densities[1] > densities[0]) != (y > 0))
    assert f"(Bayes: {percent(wrong)})" in said_by(boundary)
    assert wrong == pytest.approx(datasets.mixture_bayes_error(), abs=2e-3)


def test_own_points_are_learned_with_the_others():
    mine = ((1.5, 0.5, 1), (-1.0, 2.0, -1))
    X, y = datasets.mixture(200)
    theirs = svc(1.0, 10.0).fit(np.vstack([X, [[1.5, 0.5], [-1.0, 2.0]]]), np.append(y, [1, -1]))
    said = said_by(boundary, sigma=1.0, C=10.0, mine=mine)
    assert f"{len(theirs.support_)} of 202 points" in said


@pytest.mark.parametrize(("mine", "missing"), [
    ((), "−1 and +1"), (((0.0, 0.0, -1),), "class +1"), (((0.0, 0.0, 1), (1.0, 0.0, 1)), "class −1"),
])  # fmt: skip
def test_a_missing_class_is_asked_for_in_words(mine, missing):
    said = said_by(boundary, data="mine", mine=mine)
    assert "needs both classes" in said and missing in said
    exec(boundary.code(**boundary.start() | {"data": "mine", "mine": mine}), {})


def same_picture(explorer, one, other):
    """The same sentence, and pixels that differ by rounding at the edge of a line at most."""
    a, b = (explorer.canvas().frame(state).astype(int) for state in (one, other))
    return explorer.describe(one) == explorer.describe(other) and (np.abs(a - b).max(axis=-1) > 3).mean() < 1e-3


SWEEPS = [
    (boundary, "sigma", [0.5, 0.2, 0.1, 0.3, 2.0, 10.0, 1.0], {"C": 100.0}),
    (boundary, "C", [1000.0, 0.01, 3.0], {"data": "rings", "kernel": "polynomial", "degree": 4}),
    (boundary, "mine", [((0.0, 0.0, 1),), ((0.0, 0.0, 1), (1.0, 1.0, -1)), ((1.0, 1.0, -1),)], {"data": "moons"}),
    (boundary, "data", ["moons", "mine", "mixture"], {"mine": ((0.0, 0.0, 1), (1.0, 1.0, -1))}),
    (boundary, "kernel", ["polynomial", "linear", "gaussian"], {"C": 10.0}),
    (strip, "C", [0.01, 100.0, 1.0], {}), (strip, "data", ["moons", "mixture"], {}),
    (three_kernels, "C", [100.0, 0.1, 2.0], {}), (three_kernels, "offset", [0.0, 1.0], {}),
]  # fmt: skip


@pytest.mark.parametrize(("explorer", "name", "path", "fixed"), SWEEPS)
def test_where_the_slider_came_from_does_not_matter(explorer, name, path, fixed):
    """A warm start only saves time: the state is the one of a cold start, up to a small tolerance."""
    state = None
    for value in path:
        state = explorer.compute(**explorer.start() | fixed | {name: value}, before=state)
    assert same_picture(explorer, state, explorer.compute(**explorer.start() | fixed | {name: path[-1]}))


def test_the_bayes_boundary_and_own_points_are_named_where_they_are():
    canvas = boundary.canvas()
    for data, mine in (("mixture", ()), ("moons", ((0.0, 0.0, 1),))):
        canvas.frame(boundary.compute(**boundary.start() | {"data": data, "mine": mine}))
        assert all(artist.get_visible() == (data == "mixture") for artist in canvas.parts["bayes"])
        assert all(artist.get_visible() == (len(mine) > 0) for artist in canvas.parts["yours"])


def test_the_scene_of_the_question_changes_sigma_alone_and_by_ten():
    changed = boundary.scenes[boundary.question.scene]
    assert list(changed) == ["sigma"] and changed["sigma"] == pytest.approx(boundary.start()["sigma"] / 10)
    before, after = (boundary.compute(**boundary.start() | values) for values in ({}, changed))
    assert after.train < before.train and after.test > before.test


# ---- small multiples, three kernels, three classes -------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_strip_says_the_errors_of_scikit_learn(C):
    X, y = datasets.mixture(200)
    Z, t = datasets.mixture(2000, random_state=26)
    models = [svc(sigma, C).fit(X, y) for sigma in SIGMAS]
    said = said_by(strip, C=C)
    train, test = (numbers(said.split(f"{kind} errors ")[1].split("%")[0]) for kind in ("training", "test"))
    np.testing.assert_allclose(train, [100 * (1 - m.score(X, y)) for m in models], atol=0.051)
    np.testing.assert_allclose(test, [100 * (1 - m.score(Z, t)) for m in models], atol=0.11)
    lowest = SIGMAS[int(np.argmax([m.score(Z, t) for m in models]))]
    assert f"lowest test error is at σ = {lowest:g} " in said


@pytest.mark.parametrize(("C", "degree", "offset", "gamma", "sigma"), [
    (1.0, 3, 1.0, 1.0, 1.0), (1.0, 3, 0.0, 1.0, 0.5), (10.0, 2, 1.0, 1.0, 2.0), (1.0, 3, 0.0, 2.0, 1.0),
    (1.0, 2, 1.0, 0.5, 1.0),
])  # fmt: skip
def test_three_kernels_says_what_scikit_learn_finds(C, degree, offset, gamma, sigma):
    X, y = datasets.sixteen()
    poly = {"kernel": "poly", "degree": degree, "gamma": gamma, "coef0": offset}
    models = [svc(C=C, **c).fit(X, y) for c in ({"kernel": "linear"}, poly, {"gamma": 1 / (2 * sigma**2)})]
    said = said_by(three_kernels, C=C, degree=degree, offset=offset, gamma=gamma, sigma=sigma)
    counts = ", ".join(str(len(m.support_)) for m in models)
    wrong = ", ".join(str(int((m.predict(X) != y).sum())) for m in models)
    assert f"{counts} support vectors, {wrong} of 16 points wrong" in said


def test_the_scene_poly_is_scikit_learns_call_with_gamma_2():
    """SVC(kernel="poly", gamma=2) fits (2xᵀz)³: coef0 is 0."""
    X, y = datasets.sixteen()
    theirs = SVC(kernel="poly", gamma=2, tol=1e-8).fit(X, y)
    state = three_kernels.compute(**three_kernels.start() | three_kernels.scenes["poly, gamma=2"])
    wanted = theirs.decision_function(np.array(np.meshgrid(SIDE, UPWARD)).reshape(2, -1).T)
    np.testing.assert_allclose(state.machines[1].H.ravel(), wanted, atol=1e-4 * np.abs(wanted).max())
    canvas = three_kernels.canvas()
    canvas.frame(state)
    assert canvas.parts["planes"][1]["title"].get_text() == "(2xᵀz)³"


def test_a_point_on_the_line_is_wrong_on_every_processor():
    """At some prices a point lies on the line but for rounding: whichever sign it gets, it is not right."""
    X, y = datasets.sixteen()
    for C in 10 ** np.arange(-1, 2.01, 0.1):
        state = three_kernels.compute(**three_kernels.start() | {"C": float(C)})
        h = KernelSVM(Linear(), C, tol=1e-9).fit(X, y).decision_function(X)
        assert state.machines[0].wrong == np.sum(y * h < 1e-4)


def test_filled_points_stand_at_plus_and_minus_one():
    state = three_kernels.compute(**three_kernels.start())
    for model in state.machines:
        for i in model.on_margin:
            x, up = np.searchsorted(SIDE, state.X[i, 0]), np.searchsorted(UPWARD, state.X[i, 1])
            around = model.H[up - 1 : up + 1, x - 1 : x + 1]
            assert around.min() - 0.02 <= state.y[i] <= around.max() + 0.02


def test_even_homogeneous_kernel_is_symmetric():
    state = three_kernels.compute(**three_kernels.start() | {"degree": 2, "offset": 0.0})
    np.testing.assert_allclose(state.machines[1].H, state.machines[1].H[::-1, ::-1], atol=1e-9)


def test_classes_says_what_scikit_learn_finds():
    X, y = datasets.iris()
    for sigma in (0.3, 1.0, 2.0):
        theirs = OneVsRestClassifier(svc(sigma)).fit(X[:, 2:], y)
        wrong = int((theirs.predict(X[:, 2:]) != y).sum())
        assert f"{wrong} of 150 irises wrong" in said_by(classes, sigma=sigma)


def test_a_line_cannot_say_versicolor():
    """The middle class is balanced by the two others, so its best line is w = 0, b = −1."""
    X, y = datasets.iris()
    X, y = X[:, 2:], np.where(y == 1, 1, -1)
    exact = KernelSVM(Linear(), tol=1e-9).fit(X, y)
    np.testing.assert_allclose(exact.decision_function(X), -1.0, atol=1e-6)
    state = classes.compute(**classes.start() | {"kernel": "linear"})
    np.testing.assert_allclose(state.H[1], -1.0, atol=1e-4)
    assert (state.H.argmax(axis=0) == 1).any() and "h = −1 everywhere" in classes.describe(state)
    assert "everywhere" not in said_by(classes)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 100.0])
def test_what_a_line_says_does_not_depend_on_the_order_of_the_irises(C, monkeypatch):
    """Order changes every rounding, as another processor does, and how coinciding irises share their weight."""
    values = classes.start() | {"kernel": "linear", "C": C}
    state = classes.compute(**values)
    X, y = datasets.iris()
    order = np.random.default_rng(0).permutation(len(y))
    monkeypatch.setattr(datasets, "iris", lambda: (X[order], y[order]))
    other = classes.compute(**values)
    assert classes.describe(other) == classes.describe(state) and (other.inside == state.inside).all()


def test_two_machines_claim_grey_and_nobody_white():
    state = classes.compute(**classes.start() | {"sigma": 0.5, "C": 0.2})
    canvas = classes.canvas()
    canvas.frame(state)
    rgb = np.stack(canvas.parts["regions"].fields, axis=-1)
    claims = (state.H > 0).sum(axis=0)
    assert (rgb[claims == 0] == 1).all() and (rgb[claims == 1].min(axis=-1) < 1).all()


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
    theirs = svc(1.0, C, kernel="precomputed").fit(K, y)
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
    assert f"points {i + 1} and {j + 1}, of different classes; wanted {short(wanted)}, the box allows 1. " in said


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
    assert "done" in said_by(smo, **smo.scenes[smo.question.scene])


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
    """At the last tenth of the steps, in most of the ten orders: as the question says, as a rule."""
    last, mean = primal_or_dual.compute(**primal_or_dual.start()).now
    assert last < mean
    ahead = []
    for order in range(10):
        last, mean = primal_or_dual.compute(**primal_or_dual.start() | {"order": order}).values
        ahead.append(np.mean(mean[-300:] < last[-300:]))
    assert np.median(ahead) > 0.7 and min(ahead) > 0.5
