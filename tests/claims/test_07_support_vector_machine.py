"""What notebook 07 says and no cell prints, and its own algorithms next to those of kernelkit."""

import numpy as np
import pytest
from notebook_cells import defined_by
from scipy.optimize import linprog
from sklearn.svm import SVC

from kernelkit import Gaussian, KernelMultiSVM, KernelSVM, Linear, Monomials, PrimalSVM, datasets

NOTEBOOK = "07-support-vector-machine.ipynb"


def cloud(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 2))
    return X, np.where(X[:, 0] + 0.7 * rng.standard_normal(n) > 0, 1.0, -1.0)


# ---- the offset, and the sum of hinges ---------------------------------------------------------------------


def test_a_linear_model_without_a_point_exactly_on_its_margin_leaves_an_interval_for_b():
    """From −0.28 to −0.19, of which −0.235 is the middle; without the point at its upper end b is 0.045."""
    X, y = datasets.sixteen()
    svm = KernelSVM(Linear(), 1.0, tol=1e-9).fit(X, y)
    alpha, r = svm.multipliers_, y - Linear()(X) @ svm.a_
    assert np.minimum(alpha, 1 - alpha).max() < 1e-9
    grow = np.where(y > 0, alpha < 0.5, alpha > 0.5)  # these ask for b ≥ r, the others for b ≤ r
    assert [r[grow].max(), r[~grow].min(), svm.b_] == pytest.approx([-0.28, -0.19, -0.235])
    last = np.flatnonzero(~grow)[r[~grow].argmin()]
    assert alpha[last] < 1e-9 and X[last] == pytest.approx([0.7, 1.6]) and y[last] == -1
    without = KernelSVM(Linear(), 1.0, tol=1e-9).fit(np.delete(X, last, axis=0), np.delete(y, last))
    weights = [model.primal_weights(Linear().feature_map()) for model in (svm, without)]
    np.testing.assert_allclose(*weights, atol=1e-6)
    assert without.b_ == pytest.approx(0.045)


def test_no_line_has_a_smaller_sum_of_hinges_for_versicolor_than_the_one_that_gives_up():
    X, y = datasets.iris()
    X, y = X[:, 2:], np.where(y == 1, 1.0, -1.0)
    rows = np.hstack([-y[:, None] * X, -y[:, None], -np.eye(150)])
    bounds = [(None, None)] * 3 + [(0, None)] * 150
    assert linprog(np.r_[0, 0, 0, np.ones(150)], rows, -np.ones(150), bounds=bounds).fun == pytest.approx(100)


def test_the_support_vectors_alone_give_the_same_h():
    X, y = datasets.moons(60, noise=0.3)
    svm = KernelSVM(Gaussian(1.0), C=2.0, tol=1e-6).fit(X, y)
    alone = KernelSVM(Gaussian(1.0), C=2.0, tol=1e-6).fit(X[svm.support_], y[svm.support_])
    np.testing.assert_allclose(alone.decision_function(X), svm.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(np.flatnonzero(y * svm.decision_function(X) < 1 + 1e-3), svm.support_)


# ---- scikit-learn's calls ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Linear(), {"kernel": "linear", "gamma": 2}),
        ((2 * Linear()) ** 3, {"kernel": "poly", "degree": 3, "gamma": 2}),
        ((2 * Linear() + 1) ** 3, {"kernel": "poly", "degree": 3, "gamma": 2, "coef0": 1}),
        (Gaussian(1.0), {"kernel": "rbf", "gamma": 0.5}),
    ],
    ids=["linear", "poly", "poly with coef0", "rbf"],
)
def test_calls_of_scikit_learn_in_our_words(ours, theirs):
    X, y = datasets.sixteen()
    svm, other = KernelSVM(ours, C=1.0, tol=1e-8).fit(X, y), SVC(C=1.0, tol=1e-8, **theirs).fit(X, y)
    Z = np.random.default_rng(0).uniform(-3, 3, (40, 2))
    np.testing.assert_allclose(
        svm.decision_function(Z) - svm.b_, other.decision_function(Z) - other.intercept_, atol=1e-4
    )


def test_at_a_high_price_no_point_falls_short_and_five_of_sixteen_need_no_bump():
    X, y = datasets.sixteen()
    low, high = (KernelSVM(Gaussian(1.0), C, tol=1e-8).fit(X, y) for C in (1, 100))
    assert [len(low.support_), len(high.support_)] == [16, 11]
    assert (y * high.decision_function(X)).min() > 1 - 1e-6 and (high.multipliers_ < 100).all()


# ---- the notebook's own algorithms -------------------------------------------------------------------------


@pytest.mark.parametrize("C", [0.3, 50.0])
def test_the_notebook_s_smo_reaches_the_optimum(C):
    X, y = cloud(25)
    a = defined_by(NOTEBOOK, "cell-24")["smo"](Gaussian(0.9)(X), y, C, tol=1e-7)
    assert abs(a.sum()) < 1e-9 and ((a * y >= 0) & (a * y <= C)).all()
    np.testing.assert_allclose(a, KernelSVM(Gaussian(0.9), C, tol=1e-9).fit(X, y).a_, atol=1e-4 * C)


@pytest.mark.parametrize("lam", [0.003, 0.1])
def test_the_notebook_s_walks_in_w_and_in_a_are_one_and_end_where_the_package_does(lam):
    X, y = cloud(30)
    Phi = Monomials(2)(X)
    cells = defined_by(NOTEBOOK, "cell-13", "cell-56", "cell-57", "descend-in-a")
    w, a = cells["descend"](Phi, y, lam, 5), cells["descend_in_a"](Phi @ Phi.T, y, lam, 5)
    np.testing.assert_allclose(Phi.T @ a, w, atol=1e-8)
    *_, last = PrimalSVM(Monomials(2), lam, passes=5).steps(X, y)
    np.testing.assert_allclose(last.iterate, w, atol=1e-8)


@pytest.mark.parametrize(("k", "C"), [(Linear() + 1, 0.1), (Gaussian(0.5), 3.0)], ids=str)
def test_the_notebook_s_one_margin_is_the_optimum_of_crammer_and_singer(k, C):
    cells = defined_by(NOTEBOOK, "one-margin-loss")
    X, y = datasets.iris()
    X, y = X[::5, 2:], y[::5]
    a = cells["one_margin"](k(X), y, C, passes=400)
    h, best = k(X) @ a, KernelMultiSVM(k, C, tol=1e-9).fit(X, y)
    loss = [max(h[i, c] + (c != y[i]) - h[i, y[i]] for c in range(3)) for i in range(len(y))]
    np.testing.assert_allclose(cells["joint_loss"](h, y), loss, atol=1e-12)
    assert np.sum(a * h) / 2 + C * np.sum(loss) == pytest.approx(best.primal_objective_, rel=1e-5)
    np.testing.assert_allclose(h, best.decision_function(X), atol=5e-3)


def test_in_the_hand_worked_step_the_own_score_beats_the_others_by_one():
    cells = defined_by(NOTEBOOK, "one-margin-loss")
    np.testing.assert_allclose(cells["best_row"](np.array([0.0, 1, 1]), np.array([1.0, 0, 0])), [2 / 3, -1 / 3, -1 / 3])
    np.testing.assert_allclose(cells["joint_loss"](np.array([[0.2, 0.9, -1.0]]), np.array([1])), [0.3])
