"""What notebook 10 teaches, as theorems: about the code of its own cells, and of the numbers that it prints."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Gaussian, KernelRidge
from kernelkit.study import selection

NAME = "10-choosing-a-kernel.ipynb"
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / NAME


def printed(words):
    """What the one cell with these words prints."""
    cells = nbformat.read(NOTEBOOK, 4).cells
    (cell,) = (cell for cell in cells if cell.cell_type == "code" and words in cell.source)
    return "".join(output.get("text", "") for output in cell.outputs)


def numbers(pattern, text):
    """A row for each match, a column for each of its groups where there are several."""
    return np.array(re.findall(pattern, text), float)


@pytest.mark.parametrize("folds", [2, 5, 7, 30])
def test_the_seven_lines_are_the_cross_validation_of_the_package(folds):
    space = defined_by(NAME, "three-errors", "folds-code")
    model, X, y = (space[name] for name in ("model", "X", "y"))
    np.testing.assert_allclose(
        space["cross_validate"](model, X, y, folds), selection.cross_validate(model, X, y, folds)
    )


def test_shuffled_folds_ask_for_less_than_stretches():
    stretches, shuffled = numbers(r"mean: ([\d.]+) in stretches, ([\d.]+) shuffled", printed("in stretches"))[0]
    assert shuffled < stretches / 2


def test_the_residuals_without_refitting_are_those_of_all_fits():
    space = defined_by(NAME, "three-errors", "folds-code", "alone-code")
    np.testing.assert_allclose(space["fast"], space["slow"], atol=1e-8)


def test_one_decomposition_for_a_row_gives_the_map_of_the_package():
    space = defined_by(NAME, "three-errors", "map-code")
    X, y, sigmas, lams = (space[name] for name in ("X", "y", "sigmas", "lams"))
    found = selection.grid(KernelRidge(), X, y, "leave-one-out", kernel__sigma=sigmas, lam=lams)
    np.testing.assert_allclose(found.mean, space["table"], rtol=1e-7)
    one = KernelRidge(Gaussian(sigmas[3])).leave_one_out(X, y, lams)
    np.testing.assert_allclose(np.mean(one**2, axis=1), space["table"][3], rtol=1e-7)
    assert found.best["kernel__sigma"] > sigmas[3] and found.best["lam"] < lams[3], "a wide σ, a small λ"


def test_a_search_with_scikit_learn_finds_the_same_table():
    space = defined_by(NAME, "three-errors", "folds-code", "folds-packaged", "sklearn-code")
    theirs = -space["search"].cv_results_["mean_test_score"].reshape(4, 4)  # a row for each alpha
    np.testing.assert_allclose(space["ours"].mean, theirs.T, rtol=1e-7)


def test_it_is_the_norm_that_overfits_and_not_the_number_of_features():
    rows = numbers(r"degree +(\d+) .* s = +([\d.]+): .* +([\d.]+), error ([\d.]+)", printed("Polynomial(p)"))
    (degree, s, dimension, error), same = rows.T, rows[:, 0] == 8
    at_one = error[s == 1]
    assert len(at_one) >= 4 and (np.diff(degree[s == 1]) > 0).all()
    assert at_one[-1] > 5 * at_one[0]  # higher degrees, nothing scaled
    assert (np.diff(s[same]) < 0).all() and (np.diff(dimension[same]) <= 0).all()
    assert error[same][-1] <= 1.1 * at_one[0] and dimension[same][-1] < 30  # three million features, and a line


def test_inputs_that_say_nothing_harm_where_they_are_large_and_lambda_halves_the_damage():
    rows = numbers(r"(\d+) inputs, noise × +([\d.]+) .*?error +([\d.]+) .*error +([\d.]+)", printed("shrunk in"))
    inputs, shrunk, small, chosen = rows.T
    alone, equal, many, faint = (inputs == 2), (inputs == 100), (inputs == 500) & (shrunk == 1), shrunk < 1
    assert chosen[equal] < 0.6 * small[equal] and chosen[equal] > 5 * chosen[alone]
    assert chosen[many] > 5 * chosen[equal] and chosen[faint] == chosen[alone]


def test_scaling_helps_and_one_input_in_millimetres_ruins_it():
    measured, scaled, millimetres = numbers(r"wrong: +(\d+) %", printed("mixed = T"))
    assert scaled < measured < millimetres and millimetres > 5 * scaled


def test_the_best_cell_is_too_good_and_nested_errs_on_the_safe_side():
    best, nested, test = numbers(r"\[([\d.]+) ([\d.]+) ([\d.]+)\]", printed("best cell, nested"))[0]
    assert best < test < nested


def test_bumps_are_cousins_and_diabetes_supports_no_more_than_a_line():
    table = {line.split()[0]: numbers(r"([\d.]+)±([\d.]+)", line) for line in printed("for name, (P, q)").splitlines()}
    errors, spread = np.moveaxis(np.array([table[name] for name in table if len(table[name])]), 2, 0)
    names = [name for name in table if len(table[name])]
    sine, step, diabetes = (names.index(name) for name in ("sine", "step", "diabetes"))
    assert errors.shape == (6, 6)
    assert errors[sine, :2].min() > 4 * errors[sine, 2:].max()
    assert np.ptp(errors[:, 2:], axis=1).max() < 0.15  # of the four with bumps
    assert np.ptp(errors[sine, 2:]) < spread[sine, 2:].min()
    assert errors[step, 3] == errors[step].min()  # Laplace's has a kink
    assert errors[diabetes, 0] - errors[diabetes].min() < spread[diabetes, 0]


def test_a_free_model_s_gap_closes_from_both_sides():
    training, test = numbers(r"error +" + r" +".join([r"([\d.]+)"] * 5), printed("a free model"))
    assert (np.diff(training) > 0).all() and (np.diff(test) < 0).all() and test[-1] < 0.12
