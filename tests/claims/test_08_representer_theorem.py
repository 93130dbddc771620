"""What notebook 08 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from notebook_cells import defined_by
from sklearn.linear_model import Lasso
from sklearn.svm import SVR

from kernelkit import Gaussian, KernelMachine, KernelRidge, KernelSVR, Linear, Polynomial, datasets
from kernelkit.models.representer import losses

NAME = "08-representer-theorem.ipynb"
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / NAME
REGRESSION = ("squared", "absolute", "huber", "maximum")


@cache
def written():
    """What the notebook's own cells define: its loop, its slopes, its tube."""
    names = {"np": np}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and source.startswith(("def descend", "def huber(", "def tube(")):
            exec(source, names)
    return names


# ---- 8.1: w is in the span, and one loop fits every loss ---------------------------------------------


def test_what_is_perpendicular_to_the_data_changes_no_output_and_lengthens_w():
    rng = np.random.default_rng(0)
    Phi, w = rng.standard_normal((4, 7)), rng.standard_normal(7)
    inside = np.linalg.pinv(Phi) @ (Phi @ w)
    np.testing.assert_allclose(Phi @ inside, Phi @ w)
    assert w @ w == pytest.approx(inside @ inside + (w - inside) @ (w - inside)) and inside @ inside < w @ w


def test_the_loop_is_seven_lines_and_knows_all_seven_losses():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    (loop,) = ("".join(c["source"]) for c in cells if "".join(c["source"]).startswith("def descend"))
    assert len(loop.partition("\n\n")[0].splitlines()) == 7
    assert set(written()["slopes"]) == set(losses())


@pytest.mark.parametrize("k", [Gaussian(0.7), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("loss", losses())
def test_the_loop_reaches_the_minimum_of_every_loss(loss, k):
    """Σ loss + λ/2 ‖w‖² is λ-strongly convex in w: a value that is ε too high has ½λ‖w − w*‖² ≤ ε."""
    X, y = datasets.sine(25) if loss in REGRESSION else datasets.moons(40)
    K, lam = k(X / np.abs(X).max()), 1.0
    a = written()["descend"](K, y, written()["slopes"][loss], lam)
    model = KernelMachine(k, loss, lam, delta=0.3).fit(X / np.abs(X).max(), y)
    value = losses(0.3)[loss].total(y, K @ a) + lam / 2 * a @ K @ a
    assert model.objective_ * (1 - 1e-6) <= value <= model.objective_ * 1.003
    apart = np.sqrt(2 * (value - model.objective_ + 1e-6) / lam * K.diagonal().max())
    assert np.abs(K @ (a - model.a_)).max() <= apart + 1e-3


@pytest.mark.parametrize("loss", losses())
def test_after_a_thousand_steps_the_outputs_are_within_a_hundredth(loss):
    X, y = datasets.sine(25) if loss in REGRESSION else datasets.moons(40)
    K = Gaussian(0.7)(X)
    best = K @ KernelMachine(Gaussian(0.7), loss, 1.0, delta=0.3).fit(X, y).a_
    slope = written()["slopes"][loss]
    off = [np.abs(K @ written()["descend"](K, y, slope, 1.0, steps) - best).max() for steps in (10, 1000)]
    assert off[1] < 0.01 < off[0]


@pytest.mark.parametrize("C, epsilon", [(1.0, 0.3), (1.0, 0.0), (3.0, 0.1)])
def test_the_tube_s_loop_reaches_support_vector_regression(C, epsilon):
    X, y = datasets.sine(25, noise=0.2, random_state=2)
    K = Gaussian(0.7)(X)
    a, b = written()["tube"](K, y, C, epsilon)
    model = KernelSVR(Gaussian(0.7), C, epsilon, tol=1e-8).fit(X, y)
    f = K @ a + b
    value = C * np.maximum(0, np.abs(y - f) - epsilon).sum() + a @ K @ a / 2
    assert model.primal_objective_ * (1 - 1e-6) <= value <= 1.01 * model.primal_objective_
    np.testing.assert_allclose(f, model.predict(X), atol=0.02)


def test_support_vector_regression_is_scikit_learn_s():
    space = defined_by(NAME, "cell-18", "all-seven", "cell-20", "tube-loop", "tube-package")
    X, y, ours = space["X"], space["y"], space["svr"]
    theirs = SVR(C=space["C"], epsilon=space["epsilon"], gamma=1 / (2 * 0.7**2), tol=1e-6).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))


# ---- 8.2: without a penalty ----------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["zero", "inside", "outside"])
def test_descent_keeps_what_lies_outside_the_span_and_moves_the_rest_to_the_shortest_solution(start):
    rng = np.random.default_rng(1)
    Phi, y = rng.standard_normal((3, 5)), rng.standard_normal(3)
    w0 = {"zero": np.zeros(5), "inside": Phi.T @ rng.standard_normal(3), "outside": rng.standard_normal(5)}[start]
    project, w, rate = np.linalg.pinv(Phi) @ Phi, w0, 1 / np.linalg.norm(Phi, 2) ** 2
    for _ in range(3000):
        w = w - rate * Phi.T @ (Phi @ w - y)
        np.testing.assert_allclose(w - project @ w, w0 - project @ w0, atol=1e-9)
    np.testing.assert_allclose(w, np.linalg.pinv(Phi) @ y + w0 - project @ w0, atol=1e-6)


def test_the_descent_in_a_is_that_in_w_and_ends_at_the_shortest_solution():
    space = defined_by(NAME, "cell-40")
    Phi, K, y, rate = (space[name] for name in ("Phi", "K", "y", "rate"))
    w, a = np.zeros(5), np.zeros(3)
    for _ in range(2000):
        w, a = w - rate * Phi.T @ (Phi @ w - y), a - rate * (K @ a - y)
        np.testing.assert_allclose(Phi.T @ a, w, atol=1e-9)
    np.testing.assert_allclose(space["from_0"], w, atol=1e-9)
    np.testing.assert_allclose(space["from_0"], space["shortest"], atol=1e-9)
    np.testing.assert_allclose(Phi @ space["from_0"], y, atol=1e-9)


# ---- 8.3: the L1 penalty cannot be kernelised ------------------------------------------------------------


def test_l1_changes_under_a_rotation_that_no_K_can_see_and_leaves_the_span():
    space = defined_by(NAME, "cell-51")
    X, y, w = space["X"], space["y"], space["lasso"](space["X"], space["y"], 0.1)
    theirs = Lasso(alpha=0.1 / len(y), fit_intercept=False, tol=1e-12).fit(X, y).coef_
    np.testing.assert_allclose(w, theirs, atol=1e-6)
    assert np.linalg.norm(w - np.linalg.pinv(X) @ (X @ w)) > 0.1
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
    Z = np.random.default_rng(1).standard_normal((5, 3))
    np.testing.assert_allclose((X @ R) @ (Z @ R).T, X @ Z.T)  # K and K̃ stay
    ridge = KernelRidge(Linear(), 0.1)
    before, after = ridge.fit(X, y).predict(Z), ridge.fit(X @ R, y).predict(Z @ R)
    np.testing.assert_allclose(before, after)
    assert np.abs(Z @ w - Z @ R @ space["lasso"](X @ R, y, 0.1)).max() > 0.1


# ---- the same in scikit-learn --------------------------------------------------------------------------


def test_once_parameters_are_translated_all_predictions_are_scikit_learn_s():
    before = ("cell-05", "cell-18", "all-seven", "cell-20", "cell-56")
    space = defined_by(NAME, *before)
    F, X = space["phi"](space["X"]), space["X"]
    np.testing.assert_allclose(space["ours"].predict(X), space["huber"].predict(F), atol=1e-5)
    squared = defined_by(NAME, *before, "cell-57")
    k, theirs = squared["k"], squared["SklearnKernelRidge"](kernel="poly", degree=3, gamma=1, coef0=1, alpha=0.1)
    ours = KernelMachine(k, "squared", 0.1).fit(X, space["y"])
    np.testing.assert_allclose(ours.predict(X), theirs.fit(X, space["y"]).predict(X), atol=1e-8)
    F, X = squared["phi"](squared["X"]), squared["X"]
    np.testing.assert_allclose(squared["ours"].decision_function(X), squared["svc"].decision_function(F), atol=1e-4)
