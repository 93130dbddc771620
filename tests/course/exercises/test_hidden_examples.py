"""Hidden examples: typed-in answers are refused, right ones never, and the sentence shows the smallest that fails."""

import importlib
import types

import numpy as np
import pytest
from course.exercises.test_base import EXERCISES, MODULES, every_module

from kernelkit.course.exercises import base, kernel_ridge as check

NO_ARGUMENTS = {  # nothing can be hidden where nothing is handed over
    "feature_maps.ellipse_plane",
    "images.only_45",
    "kernel_trick.which_are_kernels",
    "slips_in_the_lectures.counts",
    "slips_in_the_lectures.kernels",
    "slips_in_the_lectures.machines",
    "valid_kernels.six_features",
}


@pytest.fixture
def seeds():
    """Set the seed of the hidden examples; afterwards it is as it was."""
    yield lambda number: setattr(base.hidden, "seed", number)
    base.hidden.seed = 0


def rows_of(module):
    return importlib.import_module(f"course.exercises.test_{module.__name__.rpartition('.')[2]}")


def right_answers(module):
    """{exercise: a right answer} of those that are functions."""
    rows = getattr(rows_of(module), "RIGHT", [])
    return {check: answer for check, answer in rows if isinstance(answer, types.FunctionType)}


def fingerprint(value):
    """What tells two arguments apart."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return tuple(map(fingerprint, value))
    return repr(value) if not isinstance(value, set) else repr(sorted(value, key=repr))


def typed_in(exercise, answer):
    """An answer that knows what is right for every example that is shown, and gives the first of these elsewhere."""
    table = {}

    def learn(*given):
        result = answer(*given)
        table[tuple(map(fingerprint, given))] = result
        return result

    exercise.judge(learn)  # in round 0
    return lambda *given: table.get(tuple(map(fingerprint, given)), next(iter(table.values())))


@every_module
def test_numbers_typed_in_for_the_shown_examples_are_refused(module):
    for exercise, answer in right_answers(module).items():
        if exercise.name not in NO_ARGUMENTS:
            result = exercise.of(typed_in(exercise, answer))
            assert result.verdict == "wrong", result.line


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@every_module
def test_right_answers_are_right_whatever_is_hidden(module, seeds):
    for exercise, answer in right_answers(module).items():
        for seed in (1, 2**63, 12345):
            seeds(seed)
            result = exercise.of(answer)
            assert result.verdict == "right", (seed, result.line)


UNUSUAL = {
    "lists": lambda value: listed(value),
    "Fortran's order": lambda value: np.array(value, order="F") if isinstance(value, np.ndarray) else value,
}


def listed(value):
    """The same as nested lists."""
    if isinstance(value, tuple):
        return tuple(map(listed, value))
    return value.tolist() if isinstance(value, np.ndarray) else value


class AsMethod:
    """An answer that is an object with __call__, takes more arguments than it gets, and spoils what it was handed."""

    def __init__(self, answer, way):
        self.answer, self.way = answer, way

    def __call__(self, *given, more=None):
        value = self.way(self.answer(*given))
        for array in given:
            if isinstance(array, np.ndarray) and array.flags.writeable and value is not array:
                array[...] = 0
        return value


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("way", UNUSUAL)
@every_module
def test_right_answers_of_another_form_are_right(module, way):
    for exercise, answer in right_answers(module).items():
        result = exercise.of(AsMethod(answer, UNUSUAL[way]))
        assert result.verdict == "right", result.line


def zeros(value):
    """Numbers of the right shape, all of them 0."""
    if isinstance(value, tuple):
        return tuple(map(zeros, value))
    try:
        return 0 * np.asarray(value, float)
    except (TypeError, ValueError):
        return 0


def nudged(value):
    """The right numbers, a tenth of the largest too large."""
    if isinstance(value, tuple):
        return tuple(map(nudged, value))
    try:
        value = np.asarray(value, float)
    except (TypeError, ValueError):
        return 0
    return value + 0.1 * np.abs(value[np.isfinite(value)]).max(initial=0) + 0.3


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("way", [zeros, nudged])
@every_module
def test_numbers_that_are_not_right_are_refused(module, way):
    for exercise, answer in right_answers(module).items():
        if exercise.name in FREE and way.__name__ in FREE[exercise.name]:
            continue
        result = exercise.of(lambda *given, right=answer: way(right(*given)))
        assert result.verdict == "wrong", result.line


FREE = {"structures.one_round": {"nudged"}}  # other numbers for the colours are as good


def test_every_exercise_with_arguments_has_hidden_examples():
    names = {exercise.name for module in MODULES for exercise in right_answers(module)}
    assert names >= {e.name for e in EXERCISES if "reached" not in e.judge.__code__.co_names} - NO_ARGUMENTS - {
        "finding_gold.find_gold",
        "finding_gold.five_holes",
    }


def test_the_sentence_shows_the_smallest_example_that_fails():
    def only_for_six(K, y, lam):
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        return a if len(y) in (4, 6, 8) else a + 1

    result = check.dual_weights.of(only_for_six)
    assert result.mistake == "other_example"
    assert "right for the examples shown, wrong with K = [[" in result.line and "lam = " in result.line


@base.exercise("Twice the seed")
def twice_without_ask(answer):
    """It asks nothing by ``ask``, so that there is no example to show."""
    seed = base.seeded(1)
    base.expect(answer(seed) == 2 * seed, "wrong_value", "it should be twice as much.")


def test_no_example_of_another_check_is_shown():
    check.dual_weights.of(lambda K, y, lam: np.linalg.solve(K + lam * np.eye(len(y)), y))
    result = twice_without_ask.of(lambda seed: 2)
    assert result.line.endswith("right for the examples shown, wrong another example: use what comes in.")


def test_eig_is_named_where_numbers_are_complex():
    result = check.another.of(lambda K, a: a + 1j * np.ones(len(a)))
    assert result.mistake == "complex_entries" and "eigh" in result.line


def test_after_a_check_the_shown_examples_are_used_again():
    check.dual_weights.of(lambda K, y, lam: y / 0)
    assert base.hidden.round == 0
    check.dual_weights.of(lambda K, y, lam: np.linalg.solve(K + lam * np.eye(len(y)), y))
    assert base.hidden.round == 0 and base.hidden.drawn
