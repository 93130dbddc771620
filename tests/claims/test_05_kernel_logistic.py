"""What notebook 05 teaches, as theorems: about the code of its own cells, and about what it stands for."""

from itertools import islice

import numpy as np
import pytest
from notebook_cells import space_of

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, Polynomial, PrimalLogistic, datasets
from kernelkit.models.logistic import LogLoss

NOTEBOOK = "05-kernel-logistic.ipynb"


class Counted(float):
    """A number that counts the products made of it."""

    products = 0

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented  # entry by entry
        Counted.products += 1
        return Counted(float(self) * float(other))

    __rmul__ = __mul__

    def __add__(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else Counted(float(self) + float(other))

    __radd__ = __add__

    def __sub__(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else Counted(float(self) - float(other))


def counted(values):
    """The same array, of numbers that count."""
    return np.array([Counted(v) for v in np.ravel(values)], dtype=object).reshape(np.shape(values))


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


def test_softmax_steps_of_the_cell_end_at_the_probabilities_of_kernelkit():
    cell = space_of(NOTEBOOK, "cell-59")
    model = KernelSoftmax(Gaussian(1.0), cell["lam"]).fit(cell["X"], cell["c"])
    np.testing.assert_allclose(cell["P"], model.predict_proba(cell["X"]), atol=1e-5)


def test_scores_by_w_are_those_by_a_for_far_fewer_products():
    cell = space_of(NOTEBOOK, "cell-47")
    np.testing.assert_allclose(cell["scores"], cell["model"].decision_function(cell["Z"]), atol=1e-9)
    n, t, d, D = len(cell["X"]), len(cell["Z"]), cell["d"], cell["D"]
    assert cell["w"].shape == (D,) and (1 / n + 1 / t < d / D) == (n * D + t * D < t * n * d)


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
    before = Counted.products
    next(walk)
    return Counted.products - before


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


# ---- 5.5: the class alone, and another start ---------------------------------------------------------


@pytest.mark.parametrize("k", [Polynomial(1), Polynomial(3), Gaussian(0.5)])
def test_the_class_is_the_sign_of_the_sum_whatever_the_sureness(k):
    X, y = datasets.rings(60, noise=0.25)
    Z = np.random.default_rng(1).uniform(-3, 3, (200, 2))
    model = KernelLogistic(k, lam=0.3).fit(X, y)
    h = k(Z, X) @ model.a_
    np.testing.assert_array_equal(model.predict(Z), np.sign(h))
    np.testing.assert_array_equal(model.predict_proba(Z)[:, 1] > 0.5, h > 0)


@pytest.mark.parametrize("steps", [1, 2, 10, 1000])
def test_steps_for_one_point_keep_w_and_q_in_line_with_a(steps):
    space = space_of(NOTEBOOK, "cell-35")
    visits = space["visits"][:steps]
    w, a, q = space["walk"](np.zeros(40), np.zeros(40), visits)
    np.testing.assert_allclose(w, space["Phi"].T @ a, atol=1e-9)
    np.testing.assert_allclose(q, space["K"] @ a, atol=1e-8)
    assert np.count_nonzero(a) == len({*visits})


def test_from_another_start_the_steps_in_a_are_those_in_w_only_if_the_outputs_are_computed_first():
    space = space_of(NOTEBOOK, "sgd-run")
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
