"""Row 10.2 of the lectures as notebook 10 shows it: what its text says, of the numbers that it prints."""

import re
from pathlib import Path

import nbformat
import numpy as np

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "10-choosing-a-kernel.ipynb"


def printed(words):
    """What the one cell with these words prints."""
    cells = nbformat.read(NOTEBOOK, 4).cells
    (cell,) = (cell for cell in cells if cell.cell_type == "code" and words in cell.source)
    return "".join(output.get("text", "") for output in cell.outputs)


def numbers(pattern, text):
    """A row for each match, a column for each of its groups where there are several."""
    return np.array(re.findall(pattern, text), float)


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
