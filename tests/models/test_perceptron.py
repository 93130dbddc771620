"""Theorems about the perceptron: the same mistakes in w and in a, their number bounded, and an honest end."""

import warnings

import numpy as np
import pytest

from kernelkit import (
    Gaussian,
    KernelMachine,
    KernelPerceptron,
    Linear,
    Monomials,
    Polynomial,
    PrimalPerceptron,
    datasets,
)

pytestmark = pytest.mark.filterwarnings("error")

ORDERS = pytest.mark.parametrize("random_state", [None, 0, 7], ids=["cyclic", "random", "random too"])
BOTH = pytest.mark.parametrize("Form", [PrimalPerceptron, KernelPerceptron])
K2, PHI = Polynomial(2), Polynomial(2).feature_map()


def form(Form, **settings):
    return Form(PHI if Form is PrimalPerceptron else K2, **settings)


def linear(Form, **settings):
    return Form(Monomials(1, 0) if Form is PrimalPerceptron else Linear(), **settings)


def quietly(fit, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not every walk here ends without mistakes
        return fit(*data)


# ---- the rule -------------------------------------------------------------------------------------


def by_the_rule(K, y, rate, random_state, max_passes):
    """Each mistake as (pass, point, loss before it, a after it), and at last the number of passes and whether it ended.

    A pass without a mistake ends it, if no point is wrong.
    """
    a, rng, walk = np.zeros(len(y)), np.random.default_rng(random_state), []
    for turn in range(1, max_passes + 1):
        before = len(walk)
        for i in range(len(y)) if random_state is None else rng.integers(len(y), size=len(y)):
            if y[i] * (K[i] @ a) <= 0:
                loss = -y[i] * (K[i] @ a)
                a[i] += rate(len(walk)) * y[i]
                walk.append((turn, i, loss, a.copy()))
        if len(walk) == before and (y * (K @ a) > 0).all():
            break
    return walk, turn, bool((y * (K @ a) > 0).all())


@BOTH
@ORDERS
@pytest.mark.parametrize("rate", [1.0, 1e-3, lambda t: 1 / (1 + t)], ids=["1", "small", "falling"])
@pytest.mark.parametrize("name", ["rings", "moons", "crossing", "mixture"])
def test_every_step_mends_a_mistake_and_no_mistake_is_passed_over(name, rate, random_state, Form, frozen):
    X, y = (frozen(part) for part in getattr(datasets, name)(60))
    model, K = form(Form, rate=rate, random_state=random_state, max_passes=20), K2(X)
    expected, passes, right = by_the_rule(K, y, rate if callable(rate) else lambda t: rate, random_state, 20)
    start, *walk = model.steps(X, y)
    assert start.moved is None and start.turn == 0 and not start.iterate.any()
    assert [(step.turn, step.moved) for step in walk] == [(turn, i) for turn, i, *_ in expected] and len(walk) > 2
    for step, (_, _, loss, a) in zip(walk, expected, strict=True):
        unit = np.abs(a).sum()
        assert step.cost == pytest.approx(loss, abs=1e-9 * unit)
        weights = a if Form is KernelPerceptron else PHI(X).T @ a  # w = Σ a_i Φ(X_i)
        np.testing.assert_allclose(step.iterate, weights, atol=1e-9 * unit)
    quietly(model.fit, X, y)
    np.testing.assert_array_equal(model.w_ if Form is PrimalPerceptron else model.a_, walk[-1].iterate)
    np.testing.assert_array_equal(model.counts_, np.bincount([step.moved for step in walk], minlength=60))
    assert (model.n_passes_, model.converged_) == (passes, right) and model.counts_.dtype.kind == "i"
    assert quietly(model.fit, X[::2], y[::2]).counts_.shape == (30,)  # they belong to one fit


@BOTH
def test_zero_is_a_mistake(Form):
    X, y = [[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [1, 1, -1]
    np.testing.assert_array_equal(linear(Form).fit(X, y).counts_, [1, 1, 0])  # w = (1, 0) gives 0 at the second point


@ORDERS
@pytest.mark.parametrize(
    "make, k",
    [(datasets.rings, Polynomial(2)), (datasets.sixteen, Polynomial(3)), (datasets.moons, Gaussian(0.7))],
    ids=["rings", "sixteen", "moons"],
)
def test_mistakes_are_at_most_the_square_of_radius_over_margin(make, k, random_state):
    X, y = make()
    model = KernelPerceptron(k, random_state=random_state, max_passes=10_000).fit(X, y)
    assert model.converged_ and model.score(X, y) == 1.0
    svm = KernelMachine(k, "hinge", lam=1e-6).fit(X, y)  # no offset: a hyperplane through the origin
    gamma = (y * svm.decision_function(X)).min() / np.sqrt(svm.a_ @ k(X) @ svm.a_)
    assert gamma > 0 and model.counts_.sum() <= k.diag(X).max() / gamma**2  # R²/γ²


# ---- the end --------------------------------------------------------------------------------------


@BOTH
@ORDERS
@pytest.mark.parametrize("rate", [1e-3, 1, 1e3])
def test_no_pass_is_made_once_all_points_are_right(Form, rate, random_state, monkeypatch):
    """Right is right, however small the outputs are, and it may be so after the last pass that is allowed."""
    (X, y), begun, passes = datasets.rings(40), [], Form._passes

    def counted(model, n):
        for turn, order in passes(model, n):
            begun.append(turn)
            yield turn, order

    monkeypatch.setattr(Form, "_passes", counted)
    model = form(Form, rate=rate, random_state=random_state).fit(X, y)
    assert model.converged_ and len(begun) == model.n_passes_ < model.max_passes
    *_, last = model.steps(X, y)
    model.set_params(max_passes=last.turn).fit(X, y)
    assert model.converged_ and model.n_passes_ == last.turn and (y * model.decision_function(X) > 0).all()


@BOTH
def test_a_pass_that_misses_the_wrong_point_is_no_end(Form):
    """Two points whose corrections undo each other: a random pass may draw only the one that is right just now."""
    X, y = np.array([[1.0, 0.2], [2.0, -0.2]]), np.array([1, -1])
    quiet = 0
    for random_state in range(40):
        model = linear(Form, random_state=random_state).fit(X, y)
        assert model.converged_ and (y * model.decision_function(X) > 0).all()
        quietly(model.set_params(max_passes=3).fit, X, y)
        right = bool((y * model.decision_function(X) > 0).all())
        assert model.converged_ == right
        *_, last = model.steps(X, y)
        quiet += not right and last.turn < 3  # the last pass drew no wrong point, but one there is
    assert quiet


@BOTH
def test_points_at_the_origin_can_never_be_right(Form):
    with pytest.warns(UserWarning, match="still made mistakes after max_passes = 100: the classes are not separable"):
        assert not linear(Form).fit([[0.0], [1.0]], [0, 1]).converged_
