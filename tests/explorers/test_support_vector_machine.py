"""The sentences of notebook 07's explorers, against scikit-learn and against the formulas in plain numpy."""

import itertools
import re

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kernelkit import KernelSVM, Linear, datasets
from kernelkit.explorers.shared.mixture import ACROSS, UP
from kernelkit.explorers.support_vector_machine import boundary, classes, primal_or_dual, smo, strip, three_kernels
from kernelkit.explorers.support_vector_machine.boundary import _weights
from kernelkit.explorers.support_vector_machine.classes import LENGTHS, WIDTHS
from kernelkit.explorers.support_vector_machine.primal_or_dual import AT
from kernelkit.explorers.support_vector_machine.smo import run
from kernelkit.explorers.support_vector_machine.strip import SIGMAS
from kernelkit.explorers.support_vector_machine.three_kernels import SIDE, UPWARD


def svc(sigma=1.0, C=1.0, **changes):
    return SVC(**{"kernel": "rbf", "gamma": 1 / (2 * sigma**2), "C": C, "tol": 1e-5} | changes)


def error(model, X, y):
    return f"{100 * (1 - model.score(X, y)):.1f} %"


def numbers(text):
    """The numbers in a sentence."""
    return [float(v) for v in re.findall(r"\d+(?:\.\d+)?", text)]


def said_by(explorer, **values):
    return explorer.describe(explorer.compute(**explorer.start() | values))


@pytest.fixture(autouse=True)
def cold():
    _weights.clear()


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
    assert f"(Bayes: {100 * wrong:.1f} %)" in said_by(boundary)
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


def test_where_the_slider_came_from_does_not_matter():
    there = [0.5, 0.2, 0.1, 0.3, 2.0, 10.0, 1.0]
    for sigma in there:
        warm = boundary.compute(**boundary.start() | {"sigma": sigma, "C": 100.0})
    _weights.clear()
    cold = boundary.compute(**boundary.start() | {"sigma": there[-1], "C": 100.0})
    assert (warm.train, warm.test) == (cold.train, cold.test)
    np.testing.assert_allclose(warm.H, cold.H, atol=0.02)


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


@pytest.mark.parametrize(("C", "degree", "offset", "sigma"), [
    (1.0, 3, 1.0, 1.0), (1.0, 3, 0.0, 0.5), (10.0, 2, 1.0, 2.0),
])  # fmt: skip
def test_three_kernels_says_what_scikit_learn_finds(C, degree, offset, sigma):
    X, y = datasets.sixteen()
    poly = {"kernel": "poly", "degree": degree, "gamma": 1, "coef0": offset}
    models = [svc(C=C, **c).fit(X, y) for c in ({"kernel": "linear"}, poly, {"gamma": 1 / (2 * sigma**2)})]
    said = said_by(three_kernels, C=C, degree=degree, offset=offset, sigma=sigma)
    counts = ", ".join(str(len(m.support_)) for m in models)
    wrong = ", ".join(str(int((m.predict(X) != y).sum())) for m in models)
    assert f"{counts} support vectors, {wrong} of 16 points wrong" in said


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
    # ½‖w − w*‖² is at most the duality gap, here with w* = 0: so far from flat is what the panel's tol allows
    state = classes.compute(**classes.start() | {"kernel": "linear"})
    gap = KernelSVM(Linear()).fit(X, y).duality_gap_
    across, up = np.gradient(state.H[1], LENGTHS, axis=1), np.gradient(state.H[1], WIDTHS, axis=0)
    assert (across**2 + up**2).max() / 2 <= gap + 1e-9
    assert (state.H.argmax(axis=0) == 1).any() and "h = −1 everywhere" in classes.describe(state)
    assert "everywhere" not in said_by(classes)


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
    said = said_by(smo, step=1, C=1.0)
    wanted = 2 / eta[j]
    assert wanted > 1, "this step is clipped"
    assert f"points {i + 1} and {j + 1}, different classes; wanted {wanted:.4f}, the box allows 1.0000" in said


def test_pair_stays_in_its_box_and_on_its_line():
    for step in range(1, 40):
        state = smo.compute(**smo.start() | {"step": step, "kernel": "gaussian", "C": 2.0})
        after = state.now.a * state.y
        assert (after >= 0).all() and (after <= 2.0).all() and abs(state.now.a.sum()) < 1e-12
        assert set(np.flatnonzero(after != state.before)) <= set(state.now.pair)


# ---- the primal ------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "lam"), [(2, 0.01), (3, 0.1), (1, 0.01)])
def test_floor_of_the_walk_is_the_optimum(degree, lam):
    """The optimum without an offset, by many full sub-gradient steps: never below the dual, close above it."""
    from kernelkit import Monomials

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
    from kernelkit import Monomials, PrimalSVM

    X, y = datasets.crossing(60)
    W = np.array(list(PrimalSVM(Monomials(2), 0.01, 50, 0).steps(X, y)))
    t, Phi = AT[30], Monomials(2)(X)
    both = W[t], W[t // 2 + 1 : t + 1].mean(axis=0)
    wanted = [np.maximum(0, 1 - y * (Phi @ w)).mean() + 0.01 * w @ w for w in both]
    said = said_by(primal_or_dual, step=30)
    assert f"After {t} steps" in said
    assert f"the objective is {wanted[0]:.4f} at the last w and {wanted[1]:.4f} at the mean" in said
