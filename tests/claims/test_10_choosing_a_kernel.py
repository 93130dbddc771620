"""Numbers that notebook 10 says and no cell prints, each computed once."""

from itertools import product

import nbformat
import numpy as np
import pytest
from notebook_cells import FOLDER
from sklearn.datasets import load_breast_cancer

from kernelkit import Gaussian, KernelRidge, KernelSVM, Linear, Polynomial, datasets
from kernelkit.study import selection
from kernelkit.study.folds import splits

# ---- one point left out --------------------------------------------------------------------------------


def test_the_smaller_of_two_uncertain_errors_is_too_small():
    assert np.mean([min(pair) for pair in product((0.4, 0.6), repeat=2)]) == pytest.approx(0.45)


def test_two_points_that_are_solved_by_hand():
    """The residual 1 divided by 1 − 3/5 is the error of the second point left out, 2.5."""
    X, y = np.array([[0.0], [1.0]]), np.array([1.0, 3.0])
    H = (X @ X.T + 1) @ np.linalg.inv(X @ X.T + 1 + np.eye(2))
    residual = y - H @ y
    assert (H[1, 1], residual[1]) == pytest.approx((3 / 5, 1))
    for errors in (residual / (1 - np.diag(H)), KernelRidge(Linear() + 1).leave_one_out(X, y, [1.0])[0]):
        np.testing.assert_allclose(errors, [0, 2.5], atol=1e-12)


def test_the_last_of_the_thirty_points_pulls_the_curve_most():
    X, _ = datasets.sine(30, 0.3, random_state=2)
    K = Gaussian(1.0)(X)
    pull = np.diag(K @ np.linalg.inv(K + 0.01 * np.eye(30)))
    assert pull.argmax() == X[:, 0].argmax() and pull.max() == pytest.approx(0.76, abs=0.005)
    assert 0.15 < pull[10:20].mean() < 0.25


# ---- bias, variance and more points ----------------------------------------------------------------------


def terms(sigma, noise=0.3, n=30):
    """bias² and variance over forty samples of n points, with λ = 0.01."""
    found = selection.bias_variance(
        KernelRidge(Gaussian(sigma), 0.01),
        lambda seed: datasets.sine(n, noise, random_state=seed),
        lambda X: np.sin(2 * X[:, 0]),
        40,
        np.linspace(-3, 3, 49)[:, None],
    )
    return found.bias2, found.variance


def test_a_stiff_curve_varies_even_without_noise_and_more_points_help_its_variance_only():
    assert [terms(3.0, noise=0.0)[1], terms(1.0, noise=0.0)[1]] == pytest.approx([0.039, 0.001], abs=0.0005)
    assert [*terms(3.0), *terms(3.0, n=120)] == pytest.approx([0.27, 0.057, 0.24, 0.017], abs=0.005)


@pytest.mark.parametrize(("lam", "miss", "variance"), [(0, 0, 0.09), (0.1, 0.008, 0.074), (1, 0.25, 0.0225)])
def test_a_point_that_is_alone_has_these_terms(lam, miss, variance):
    """h = y/(1 + λ), with f = 1 and noise of variance 0.09."""
    assert ((1 / (1 + lam) - 1) ** 2, 0.09 / (1 + lam) ** 2) == pytest.approx((miss, variance), abs=5e-4)


def test_the_mean_of_nine_targets_has_a_gap_of_twice_the_variance_over_nine():
    y, new = 0.3 * np.random.default_rng(0).standard_normal((2, 100_000, 9))
    mean = y.mean(axis=1, keepdims=True)
    assert [np.mean((y - mean) ** 2), np.mean((new - mean) ** 2)] == pytest.approx([0.08, 0.10], abs=0.001)


# ---- units and dimensions ----------------------------------------------------------------------------------


def test_four_points_have_the_median_distance_2_5():
    assert selection.median_distance(np.array([[0.0], [1], [2], [5]])) == 2.5


def test_scaling_by_the_hidden_points_flatters_a_little():
    """13 of 300 tumours are wrong, and 15 where each fold is scaled by itself."""
    raw, (T, c) = load_breast_cancer().data[:300], (part[:300] for part in datasets.breast_cancer())
    svm = KernelSVM(Gaussian(selection.median_distance(T)), C=10.0)
    flattered = selection.cross_validate(svm, T, c, 5, random_state=0).mean()
    wrong = 0
    for train, test in splits(c, 5, 0):
        S = (raw - raw[train].mean(axis=0)) / raw[train].std(axis=0)
        svm = KernelSVM(Gaussian(selection.median_distance(S[train])), C=10.0).fit(S[train], c[train])
        wrong += np.sum(svm.predict(S[test]) != c[test])
    assert (round(300 * flattered), wrong) == (13, 15)


def test_what_is_added_by_high_degrees_is_a_bump_for_each_point():
    P = 0.3 * np.random.default_rng(0).uniform(-0.5, 0.5, (2, 100, 20))[0]
    more = Polynomial(8)(P) - 1 - 8 * P @ P.T
    assert np.diag(more).mean() == pytest.approx(0.95, abs=0.005)
    assert np.abs(more[~np.eye(100, dtype=bool)]).mean() == pytest.approx(0.03, abs=0.005)


# ---- a small network ---------------------------------------------------------------------------------------


def test_the_network_of_the_notebook_descends_along_the_gradient_of_the_penalised_error():
    cells = {cell.id: cell.source for cell in nbformat.read(FOLDER / "10-choosing-a-kernel.ipynb", 4).cells}
    once = {"np": np, "datasets": datasets}
    exec(cells["network-train"].replace("range(1000)", "range(1)"), once)
    X, y = once["few"], once["few_y"]

    def J(place):
        u, c, w = place.reshape(3, 5)
        return 0.5 * np.sum((np.tanh(X * u + c) @ w - y) ** 2) + 0.005 * w @ w

    place = (np.random.default_rng(3).standard_normal((3, 5)) / np.array([[1], [1], [np.sqrt(5)]])).ravel()
    gradient = np.array([J(place + nudge) - J(place - nudge) for nudge in 1e-6 * np.eye(15)]) / 2e-6
    u, c, w = (place - 1e-4 * gradient).reshape(3, 5)
    np.testing.assert_allclose(once["train"](X, y, 5, 1e-4, 3)(X), np.tanh(X * u + c) @ w, atol=1e-8)
