"""What notebook 10 teaches, as theorems: each claim is computed anew, by the code of the notebook's own cells."""

import contextlib
import io
import re
import warnings
from itertools import product

import nbformat
import numpy as np
import pytest
from notebook_cells import FOLDER, defined_by
from sklearn.datasets import load_breast_cancer

from kernelkit import Gaussian, KernelRidge, KernelSVM, Linear, Polynomial, datasets
from kernelkit.course.explorers.choosing_a_kernel import validation
from kernelkit.study import selection
from kernelkit.study.folds import splits

NAME = "10-choosing-a-kernel.ipynb"


def ran(*ids):
    """What these cells define, and what the last of them prints, when they run now."""
    own = {cell.id: cell.source for cell in nbformat.read(FOLDER / NAME, 4).cells}
    space = {"np": np, "datasets": datasets, "selection": selection}
    for i in ("three-errors", *ids):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(own[i], space)
    return space, said.getvalue()


def numbers(pattern, text):
    """A row for each match, a column for each of its groups where there are several."""
    return np.array(re.findall(pattern, text), float)


# ---- training, validation, folds -------------------------------------------------------------


def test_the_training_error_praises_the_narrowest_bumps_only_where_lambda_is_small():
    space = defined_by(NAME, "three-errors")
    X, y, error = (space[name] for name in ("X", "y", "error"))
    few, many = ([error(KernelRidge(Gaussian(s), lam).fit(X, y), X, y) for s in (0.05, 0.5, 2.0)] for lam in (0.01, 10))
    assert few == sorted(few) and few[0] < 0.001
    assert np.argmin(many) != 0


def test_the_smaller_of_two_uncertain_errors_is_too_small():
    assert np.mean([min(pair) for pair in product((0.4, 0.6), repeat=2)]) == pytest.approx(0.45)


@pytest.mark.parametrize("n", [30, 60])
@pytest.mark.parametrize("number", range(1, 21))
def test_both_ends_are_bad_in_each_of_twenty_samples(number, n):
    hold = validation.compute(**validation.start() | {"along": True, "number": number, "n": n}).curves[1]
    assert min(hold[0], hold[-1]) > 1.85 * hold.min()


@pytest.mark.parametrize("sigma", [0.05, 0.5, 3.0])
def test_the_training_error_always_praises_the_smallest_lambda(sigma):
    space = defined_by(NAME, "three-errors")
    X, y, error = (space[name] for name in ("X", "y", "error"))
    found = [error(KernelRidge(Gaussian(sigma), lam).fit(X, y), X, y) for lam in (0.001, 0.01, 0.1, 1, 10)]
    assert found == sorted(found)


@pytest.mark.parametrize("folds", [2, 5, 7, 30])
def test_the_seven_lines_are_the_cross_validation_of_the_package(folds):
    space = defined_by(NAME, "three-errors", "folds-code")
    model, X, y = (space[name] for name in ("model", "X", "y"))
    np.testing.assert_allclose(
        space["cross_validate"](model, X, y, folds), selection.cross_validate(model, X, y, folds)
    )


def test_shuffled_folds_ask_for_less_than_stretches():
    space = defined_by(NAME, "three-errors", "folds-code")
    model, X, y = (space[name] for name in ("model", "X", "y"))
    stretches = space["cross_validate"](model, X, y, 5)
    shuffled = [selection.cross_validate(model, X, y, 5, random_state=seed).mean() for seed in range(20)]
    assert np.mean(shuffled) < stretches.mean() / 2
    assert stretches[-1] > 10 * stretches[0]


# ---- leave-one-out -----------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.0])
def test_the_errors_of_one_fit_are_those_of_all_fits(sigma):
    space = defined_by(NAME, "three-errors")
    X, y = space["X"], space["y"]
    model, slow = KernelRidge(Gaussian(sigma), 0.01), np.empty(len(y))
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        slow[i] = y[i] - model.fit(X[others], y[others]).predict(X[i : i + 1])[0]
    np.testing.assert_allclose(model.leave_one_out(X, y, [0.01])[0], slow, atol=1e-8)
    inverse = np.linalg.inv(Gaussian(sigma)(X) + 0.01 * np.eye(len(y)))
    np.testing.assert_allclose(inverse @ y / np.diag(inverse), slow, atol=1e-8)


def test_the_two_points_that_are_solved_by_hand():
    X, y = np.array([[0.0], [1.0]]), np.array([1.0, 3.0])
    np.testing.assert_allclose(KernelRidge(Linear() + 1).leave_one_out(X, y, [1.0])[0], [0, 2.5], atol=1e-12)


def test_a_residual_divided_by_1_minus_its_entry_of_H_is_that_of_the_point_left_out():
    X, y = np.array([[0.0], [1.0]]), np.array([1.0, 3.0])
    K = X @ X.T + 1
    H = K @ np.linalg.inv(K + np.eye(2))
    residual = y - H @ y
    assert H[1, 1] == pytest.approx(3 / 5) and residual[1] == pytest.approx(1)
    np.testing.assert_allclose(residual / (1 - np.diag(H)), [0, 2.5], atol=1e-12)


def test_the_last_of_the_thirty_points_pulls_the_curve_most():
    X = defined_by(NAME, "three-errors")["X"]
    K = Gaussian(1.0)(X)
    pull = np.diag(K @ np.linalg.inv(K + 0.01 * np.eye(30)))
    assert pull.argmax() == X[:, 0].argmax() and pull.max() == pytest.approx(0.76, abs=0.005)
    assert 0.15 < pull[10:20].mean() < 0.25


def test_of_five_points_no_width_is_better_than_the_answer_0():
    space, _ = ran("five-code")
    X, y = space["five"], space["heights"]
    found = [np.mean(KernelRidge(Gaussian(s)).leave_one_out(X, y, [0.001]) ** 2) for s in (0.1, 0.3, 0.7, 1.0, 2.0)]
    assert found[0] == pytest.approx(np.mean(y**2), rel=1e-4) and found[1] == pytest.approx(np.mean(y**2), rel=0.01)
    assert min(found[2:]) > 1.5 * found[0]


# ---- bias and variance ---------------------------------------------------------------------------


def truth(X):
    return np.sin(2 * X[:, 0])


def terms(sigma, noise=0.3, lam=0.01, n=30):
    """bias² and variance over forty samples of n points, and the mean of f²."""
    places = np.linspace(-3, 3, 49)[:, None]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="K is almost I")  # this is what is looked at
        model = KernelRidge(Gaussian(sigma), lam)
        found = selection.bias_variance(
            model, lambda seed: datasets.sine(n, noise, random_state=seed), truth, 40, places
        )
    return found.bias2, found.variance, np.mean(truth(places) ** 2)


def test_far_below_the_gaps_bias_tends_to_the_squared_truth_and_variance_to_0():
    biases, variances, squares = np.transpose([terms(sigma) for sigma in (0.1, 0.01, 0.001, 0.0001)])
    assert (np.diff(biases) > 0).all() and biases[-1] == pytest.approx(squares[-1], rel=0.01)
    assert (np.diff(variances) < 0).all() and variances[-1] < 0.002


def test_far_beyond_the_data_the_fit_is_flat_and_misses_the_sine():
    bias, variance, square = terms(1000.0)
    assert bias == pytest.approx(square, rel=0.01) and variance < 0.03


def test_between_the_ends_the_variance_falls_and_then_the_bias_grows():
    narrow, middle, wide = (terms(sigma) for sigma in (0.2, 1.0, 3.0))
    assert narrow[1] > 10 * narrow[0] and wide[0] > 4 * wide[1]
    assert sum(middle[:2]) < min(sum(narrow[:2]), sum(wide[:2])) / 4


def test_a_stiff_curve_varies_even_without_noise():
    stiff, able = terms(3.0, noise=0.0)[1], terms(1.0, noise=0.0)[1]
    assert (stiff, able) == pytest.approx((0.039, 0.001), abs=0.0005)
    assert stiff > 0.6 * terms(3.0)[1] and able < 0.05 * terms(1.0)[1]


def test_lambda_moves_both_terms_and_more_points_only_one():
    free, held, more = terms(1.0), terms(1.0, lam=1.0), terms(3.0, n=120)
    assert held[0] > 10 * free[0] and held[1] < 0.7 * free[1]
    assert more[:2] == pytest.approx((0.24, 0.017), abs=0.005)


def test_the_table_of_a_point_that_is_alone():
    """h = y/(1 + λ) with f = 1 and noise of variance 0.09."""
    y = 1 + 0.3 * np.random.default_rng(0).standard_normal(200_000)
    for lam, miss, variance in ((0, 0, 0.09), (0.1, 0.008, 0.074), (1, 0.25, 0.0225)):
        h = y / (1 + lam)
        assert (h.mean() - 1) ** 2 == pytest.approx(miss, abs=0.001) and h.var() == pytest.approx(variance, abs=0.001)


# ---- both together, and an honest end ------------------------------------------------------------


def test_one_decomposition_for_a_row_gives_the_map_of_the_package():
    space, _ = ran("map-code")
    X, y, sigmas, lams = (space[name] for name in ("X", "y", "sigmas", "lams"))
    found = selection.grid(KernelRidge(), X, y, "leave-one-out", kernel__sigma=sigmas, lam=lams)
    np.testing.assert_allclose(found.mean, space["table"], rtol=1e-7)
    one = KernelRidge(Gaussian(sigmas[3])).leave_one_out(X, y, lams)
    np.testing.assert_allclose(np.mean(one**2, axis=1), space["table"][3], rtol=1e-7)
    assert found.best["kernel__sigma"] > sigmas[3] and found.best["lam"] < lams[3], "a wide σ, a small λ"


def test_the_best_cell_is_too_good_and_nested_errs_on_the_safe_side_the_less_the_more_folds():
    space, _ = ran("map-packaged", "nested")
    best, five, ten, test = space["rows"].mean(axis=0)
    assert best < test < ten < five
    assert test - best > 2 * np.std(space["test"] - space["best"], ddof=1) / np.sqrt(20)  # in pairs


def test_a_search_with_scikit_learn_finds_the_same_table():
    space = defined_by(NAME, "three-errors", "folds-code", "folds-packaged", "sklearn-code")
    theirs = -space["search"].cv_results_["mean_test_score"].reshape(4, 4)  # a row for each alpha
    np.testing.assert_allclose(space["ours"].mean, theirs.T, rtol=1e-7)


def test_a_free_model_s_gap_closes_from_both_sides():
    curve = ran("more-points-code")[0]["curve"]
    training, test = curve.training.mean(axis=1), curve.test.mean(axis=1)
    assert (np.diff(training) > 0).all() and (np.diff(test) < 0).all() and test[-1] < 0.12


def test_the_mean_of_n_targets_has_a_gap_of_twice_the_variance_over_n():
    y, new = 0.3 * np.random.default_rng(0).standard_normal((2, 100_000, 9))
    mean = y.mean(axis=1, keepdims=True)
    assert np.mean((y - mean) ** 2) == pytest.approx(0.08, abs=0.001)
    assert np.mean((new - mean) ** 2) == pytest.approx(0.10, abs=0.001)


# ---- units, dimensions, kernels ------------------------------------------------------------------


def test_scaling_helps_and_one_input_in_millimetres_ruins_it():
    raw, (T, c) = load_breast_cancer().data[:150], (part[:150] for part in datasets.breast_cancer())
    mixed = T * np.where(np.arange(30) == 9, 1000, 1)
    wrong = []
    for points in (raw, T, mixed):
        svm = KernelSVM(Gaussian(selection.median_distance(points)), C=10.0)
        wrong.append(selection.cross_validate(svm, points, c, 3, random_state=0).mean())
    measured, scaled, millimetres = wrong
    assert scaled < measured < millimetres and millimetres > 4 * scaled


def test_four_points_have_the_median_distance_2_5():
    assert selection.median_distance(np.array([[0.0], [1], [2], [5]])) == 2.5


def test_scaling_by_the_hidden_points_flatters_a_little():
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


def test_it_is_the_norm_that_overfits_and_not_the_number_of_features():
    rows = numbers(r"degree +(\d+) .* s = +([\d.]+): .* +([\d.]+), error ([\d.]+)", ran("high-errors", "high-code")[1])
    (degree, s, dimension, error), same = rows.T, rows[:, 0] == 8
    at_one = error[s == 1]
    assert len(at_one) >= 4 and (np.diff(degree[s == 1]) > 0).all()
    assert at_one[-1] > 5 * at_one[0]  # higher degrees, nothing scaled
    assert (np.diff(s[same]) < 0).all() and (np.diff(dimension[same]) <= 0).all()
    assert error[same][-1] <= 1.1 * at_one[0] and dimension[same][-1] < 30  # three million features, and a line


def test_inputs_that_say_nothing_harm_where_they_are_large_and_lambda_halves_the_damage():
    _, said = ran("high-errors", "noise-inputs-code")
    rows = numbers(r"(\d+) inputs, random × +([\d.]+) .*?error +([\d.]+) .*error +([\d.]+)", said)
    inputs, shrunk, small, chosen = rows.T
    alone, equal, many, faint = (inputs == 2), (inputs == 100), (inputs == 500) & (shrunk == 1), shrunk < 1
    assert chosen[equal] < 0.6 * small[equal] and chosen[equal] > 5 * chosen[alone]
    assert chosen[many] > 5 * chosen[equal] and chosen[faint] == chosen[alone]


def test_bumps_are_cousins_and_diabetes_supports_no_more_than_a_line():
    rows = ran("high-errors", "six-code")[1].splitlines()[1:]
    tables = {row.split()[0]: numbers(r"([\d.]+)±([\d.]+)", row) for row in rows}  # a line, a cubic and four bumps
    sine, step, diabetes = (tables[name][:, 0] for name in ("sine", "step", "diabetes"))
    assert sine[:2].min() > 4 * sine[2:].max() and np.ptp(sine[2:]) < 0.021 < tables["sine"][2:, 1].min()
    assert step.argmin() == 3 and (step[2:] - step[3] <= 2 * tables["step"][3, 1]).all()
    assert (diabetes[0] - diabetes < tables["diabetes"][0, 1]).all()


# ---- a small network, by plain gradient descent ----------------------------------------------------


@pytest.fixture(scope="module")
def network():
    return defined_by(NAME, "network-train")


def ends(network, units, step, starts):
    """The error on fresh points from each of these starts; what runs away is not finite, or worse than 0."""
    with np.errstate(all="ignore"):
        fits = [network["train"](network["few"], network["few_y"], units, step, start) for start in starts]
        return np.array([np.mean((network["fresh_y"] - h(network["fresh"])) ** 2) for h in fits])


def test_the_step_that_is_best_for_ten_units_fails_for_fifty(network):
    few, many = (ends(network, units, 0.01, range(4)) for units in (10, 50))
    assert few.max() < 0.2 < network["zero"]
    assert not (many < network["zero"]).any()


def test_another_start_ends_elsewhere_and_a_kernel_has_no_start(network):
    slow = ends(network, 10, 0.001, range(4))
    assert (slow < network["zero"]).all() and slow.max() > 1.2 * slow.min()
    X, y, Z = network["few"], network["few_y"], network["fresh"]
    fits = [KernelRidge(Gaussian(sigma), lam).fit(X, y).predict(Z) for sigma in (0.3, 1.5) for lam in (0.01, 0.3)]
    assert all(np.mean((network["fresh_y"] - h) ** 2) < network["zero"] / 2 for h in fits)


def test_the_descent_follows_the_gradient_of_the_penalised_error(network):
    """One small step from the same start lowers the objective by step times the squared gradient."""
    X, y = network["few"], network["few_y"]
    rng = np.random.default_rng(3)
    u, c, w = rng.standard_normal((3, 5))
    place = np.concatenate([u, c, w / np.sqrt(5)])

    def objective(place):
        u, c, w = place.reshape(3, 5)
        return 0.5 * np.sum((np.tanh(X * u + c) @ w - y) ** 2) + 0.005 * w @ w

    nudges = 1e-6 * np.eye(15)
    gradient = np.array([objective(place + nudge) - objective(place - nudge) for nudge in nudges]) / 2e-6
    expected = (place - 1e-4 * gradient).reshape(3, 5)
    u, c, w = expected
    once = {"np": np, "datasets": datasets}
    exec(source("network-train").replace("range(1000)", "range(1)"), once)
    np.testing.assert_allclose(once["train"](X, y, 5, 1e-4, 3)(X), np.tanh(X * u + c) @ w, atol=1e-8)


def test_half_of_sixty_networks_are_no_better_than_a_constant_and_no_kernel_is():
    _, said = ran("network-train", "network-runs")
    failed = numbers(r"(\d+) of 10 failed", said)
    assert len(failed) == 6 and failed.sum() == 30 and numbers(r"kernel, 20 pairs: (\d+) failed", said) == 0


def source(name):
    return next(cell.source for cell in nbformat.read(FOLDER / NAME, 4).cells if cell.id == name)
