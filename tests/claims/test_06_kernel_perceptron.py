"""What notebook 06 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import numpy as np
from notebook_cells import space_of

from kernelkit import KernelPerceptron, Monomials, Polynomial, PrimalPerceptron, datasets

NOTEBOOK = "06-kernel-perceptron.ipynb"


def perceptron_cells():
    space = space_of(NOTEBOOK, "by-visits")
    X, y = datasets.moons(40)
    return space, X, y, space["Monomials"](3)(X), Polynomial(3)(X)


def test_the_cells_of_the_perceptron_make_the_mistakes_of_the_package_in_w_and_in_a():
    space, X, y, Phi, K = perceptron_cells()
    w, in_w = space["perceptron"](Phi, y)
    a, in_a = space["kernel_perceptron"](K, y)
    model = KernelPerceptron(Polynomial(3)).fit(X, y)
    assert in_w == in_a == [step.moved for step in model.steps(X, y)][1:] and len(in_w) > 5
    np.testing.assert_allclose(w, Phi.T @ a, atol=1e-9)
    np.testing.assert_array_equal(a * y, np.bincount(in_a, minlength=40))
    np.testing.assert_array_equal(model.a_, a)
    np.testing.assert_allclose(PrimalPerceptron(Monomials(3)).fit(X, y).w_, w)


def test_nine_mistakes_in_two_passes_and_the_third_finds_none():
    space = space_of(NOTEBOOK, "cell-06")
    model = PrimalPerceptron(Monomials(1)).fit(space["X"], space["y"])
    np.testing.assert_allclose(model.w_, space["w"])
    np.testing.assert_array_equal(model.counts_, np.bincount(space["mistakes"], minlength=60))
    turns = [step.turn for step in model.steps(space["X"], space["y"])][1:]
    assert turns == [1] * 6 + [2] * 3 and model.n_passes_ == 3


def test_the_loss_in_the_counts_is_the_loss_in_w_after_any_number_of_visits():
    space, _, y, Phi, K = perceptron_cells()
    losses = []
    for visits in range(1, 41):
        w, _ = space["perceptron"](Phi[:visits], y[:visits], passes=1)
        a, _ = space["kernel_perceptron"](K[:visits, :visits], y[:visits], passes=1)
        alpha = a * y[:visits]
        losses.append(np.maximum(0, -y * (K[:, :visits] @ (alpha * y[:visits]))).mean())
        np.testing.assert_allclose(losses[-1], np.maximum(0, -y * (Phi @ w)).mean(), atol=1e-9)
    assert max(losses) > losses[0] > 0


def test_outputs_need_only_the_points_with_a_mistake():
    X, y = datasets.crossing(60)
    model, Z = KernelPerceptron(Polynomial(3)).fit(X, y), np.random.default_rng(2).uniform(-2, 2, (30, 2))
    kept = model.counts_ > 0
    assert 0 < kept.sum() < 20
    np.testing.assert_allclose(Polynomial(3)(Z, X[kept]) @ model.a_[kept], model.decision_function(Z))


def test_a_rate_that_counts_visits_makes_the_same_mistakes_in_w_and_in_a_and_others_than_one_of_mistakes():
    space, X, y, Phi, K = perceptron_cells()
    by_visits = space["by_visits"]

    def falling(t):
        return 1 / np.sqrt(t + 1)

    in_w, in_a = by_visits(Phi, Phi, y, falling), by_visits(K, np.eye(40), y, falling)
    by_mistakes = [step.moved for step in KernelPerceptron(Polynomial(3), rate=falling).steps(X, y)][1:]
    assert in_w == in_a and in_w[:30] != by_mistakes[:30]
    assert by_visits(Phi, Phi, y, lambda t: 1.0) == space["perceptron"](Phi, y)[1]


def test_keeping_w_where_the_margin_is_zero_never_starts():
    """≥ instead of >: at w = 0 no point is wrong, and none ever will be; the objective there is already 0."""
    space = space_of(NOTEBOOK, "cell-06")
    Phi, y, w = space["Phi"], space["y"], np.zeros(3)
    assert all(y[i] * (w @ Phi[i]) >= 0 for i in range(60)) and np.maximum(0, -y * (Phi @ w)).mean() == 0
    assert len(space["perceptron"](Phi, y)[1]) > 0


def test_rounding_can_part_two_constant_rates_where_an_output_is_exactly_zero():
    """The features 1 and 3: after four mistakes w = 1 − 3 + 1 + 1 = 0, but 0.1 − 0.3 + 0.1 + 0.1 is positive."""
    by_visits = space_of(NOTEBOOK, "by-visits")["by_visits"]
    Phi, y = np.array([[1.0], [3.0]]), np.array([1, -1])
    one, quarter, tenth = (by_visits(Phi, Phi, y, lambda t, eta=eta: eta) for eta in (1, 0.25, 0.1))
    assert one == quarter and one[:4] == tenth[:4] == [0, 1, 0, 0] and one != tenth


def test_a_rate_that_falls_like_one_over_the_square_never_repairs_the_second_of_two_points():
    """Features (2, 0) and (1, 1), labels +1 and −1: the output of the second stays above 0.7."""
    by_visits = space_of(NOTEBOOK, "by-visits")["by_visits"]
    Phi, y = np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1, -1])

    def mistakes_at(power, passes):
        done = []  # the rate counts mistakes: it is asked for at a mistake only
        return by_visits(Phi, Phi, y, lambda t: (len(done) + 1.0) ** -power * (done.append(t) is None), passes)

    assert mistakes_at(1, 50) == [0, 1, 1, 1] and mistakes_at(2, 50) == [0] + [1] * 50
    assert 2 - 2 * (np.pi**2 / 6 - 1) > 0.7 and np.pi**2 / 6 - 1 < 0.65
