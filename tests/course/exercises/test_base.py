"""What a check shows and keeps, what it hides, and how the checks of a notebook are summed up."""

import sys
from operator import eq

import numpy as np
import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from kernelkit.course.exercises import kernel_ridge
from kernelkit.course.exercises.base import (
    Exercise,
    Mistake,
    Trial,
    challenge,
    exercise,
    expect,
    number,
    summary_of,
    summed_up,
)
from kernelkit.course.explorers.kernel_ridge import agreement


@exercise("Twice")
def twice(trial):
    value = number(trial.ask(3.0))
    expect(value != 9, "squared", "you squared.\nTwice is a sum.")
    expect(value == 6, "wrong_value", f"it should be 6, yours is {value:g}.")


@exercise("Thrice")
def thrice(trial):
    expect(number(trial.ask(3.0)) == 9, "wrong_value", "it should be 9.")


@challenge("Many points", agreement)
def many_points(panel):
    expect(panel.values["n"] >= 40, "too_few", "fewer than 40.")


# ---- the result of a check ---------------------------------------------------------------------


ANSWERS = [
    (lambda x: 2 * x, "right", None, "✓ Twice: right."),
    (lambda x: ..., "open", None, "○ Twice: not solved yet"),
    (lambda x: x**2, "wrong", "squared", "✗ Twice: you squared. Twice is a sum."),
    (lambda x: 7, "wrong", "wrong_value", "✗ Twice: it should be 6, yours is 7."),
    (lambda x: [x, x], "wrong", "not_one_number", "✗ Twice: the answer is one number"),
    (lambda x: [[x], [x, x]], "wrong", "not_one_number", "✗ Twice: the answer is one number; yours is a list of"),
    (lambda x: "6", "wrong", "text", "✗ Twice: the answer is a number, not the text '6'."),
    (lambda x: 6j, "wrong", "complex", "✗ Twice: the answer is a real number"),
    (lambda x: 6 + 0j, "right", None, "✓ Twice: right."),
    (lambda x: {}, "wrong", "not_a_number", "✗ Twice: the answer is one real number, not dict."),
    (lambda x: int("x" * 999), "wrong", "stopped", "✗ Twice: your code stopped with ValueError: invalid literal"),
    (lambda x: x.nothing, "wrong", "stopped", "✗ Twice: your code stopped with AttributeError"),
    (lambda: 6, "wrong", "stopped", "✗ Twice: your code stopped with TypeError"),
]


@pytest.mark.parametrize(("answer", "verdict", "mistake", "line"), ANSWERS)
def test_one_line_is_shown_with_the_verdict_beside_it(answer, verdict, mistake, line, capsys):
    twice(answer)
    result, shown = twice.result, capsys.readouterr().out
    assert shown.startswith(line) and shown == f"{result.line}\n", "one line, and the same outside of notebooks"
    data, metadata = result._repr_mimebundle_()
    assert data == {"text/plain": result.line}
    assert metadata == {"kernelkit": {"exercise": "test_base.twice", "verdict": verdict, "mistake": mistake}}


@exercise("Two sizes")
def two_sizes(trial):
    for n in (4, 3):
        expect(trial.ask(np.ones((n, 2)), 0.5, {1, 2}) is not None, "nothing", "nothing.")


def test_an_error_says_for_which_shapes_and_numbers_it_came():
    two_sizes(lambda X, lam, kinds: np.ones(4) @ X * lam)
    assert two_sizes.result.mistake == "stopped"
    assert two_sizes.result.line.endswith(", with X of shape (3, 2), lam = 0.5")
    two_sizes(lambda *values: values[3])
    assert two_sizes.result.line == "✗ Two sizes: your code stopped with IndexError: tuple index out of range"


def test_an_answer_that_wants_to_end_python_is_wrong_and_the_notebook_goes_on():
    result = kernel_ridge.dual_weights.of(lambda *given: sys.exit())
    assert (result.verdict, result.mistake) == ("wrong", "stopped")
    assert "your code stopped with SystemExit" in result.line


def test_an_answer_that_returns_something_now_and_then_is_no_open_one():
    two_sizes(lambda X, lam, kinds: 1 if len(X) == 4 else None)
    assert two_sizes.result.mistake == "nothing_returned"
    assert "with X of shape (3, 2), lam = 0.5 your function returns nothing" in two_sizes.result.line
    two_sizes(lambda *given: None)
    assert two_sizes.result.verdict == "open", "what another answer has returned does not count"
    two_sizes(lambda *given: 1 if len(given[0]) == 4 else ...)
    assert "for some inputs your function returns nothing" in two_sizes.result.line


def test_a_challenge_is_open_until_its_panel_was_moved_and_right_in_many_states(capsys):
    panel = agreement(degree=2)
    for values, verdict in (
        ({}, "open"),
        ({"n": 20}, "open"),
        ({"n": 30}, "wrong"),
        ({"n": 40}, "right"),
        ({"n": 80, "lam": 100.0}, "right"),
        (panel.first, "open"),
    ):
        panel.set(**values)
        many_points(panel)
        assert many_points.result.verdict == verdict
    assert capsys.readouterr().out.startswith("○ Many points: not tried yet. Move the panel")
    many_points(lambda: 40)
    assert many_points.result.mistake == "no_panel"


def test_a_notebook_stores_the_verdict_in_the_metadata_of_the_output(monkeypatch):
    shell = InteractiveShell()
    publisher = CapturingDisplayPublisher()
    monkeypatch.setattr(shell, "display_pub", publisher)
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    twice(lambda x: x**2)
    (output,) = publisher.outputs
    assert output["data"] == {"text/plain": "✗ Twice: you squared. Twice is a sum."}
    assert output["metadata"]["kernelkit"] == {"exercise": "test_base.twice", "verdict": "wrong", "mistake": "squared"}


def test_a_check_keeps_its_last_result():
    fresh = Exercise("Twice", twice.judge)
    assert fresh.result is None
    for answer, verdict in ((lambda x: x**2, "wrong"), (lambda x: 2 * x, "right"), (lambda x: None, "open")):
        fresh(answer)
        assert fresh.result.verdict == verdict


def test_of_the_known_mistakes_the_first_that_fits_is_named():
    table = {"half": (3, "half of it."), "signs": (-6, 36, "a sign."), "minus": (-6, "also a sign.")}
    for value, name in ((3, "half"), (-6, "signs"), (36, "signs")):
        with pytest.raises(Mistake) as told:
            Trial(None).expect_none_of(value, eq, **table)
        assert (told.value.name, str(told.value)) == (name, table[name][-1])
    Trial(None).expect_none_of(6, eq, **table)
    Trial(None, round=1).expect_none_of(3, eq, **table)


# ---- hidden examples ---------------------------------------------------------------------------


def test_the_sentence_shows_the_smallest_example_that_fails():
    def only_for_six(K, y, lam):
        a = np.linalg.solve(K + lam * np.eye(len(y)), y)
        return a if len(y) in (4, 6, 8) else a + 1

    result = kernel_ridge.dual_weights.of(only_for_six)
    assert result.mistake == "other_example"
    assert "right for the examples shown, wrong with K = [[" in result.line and "lam = " in result.line


@exercise("Twice the seed")
def twice_without_ask(trial):
    """It asks nothing by ``ask``, so that there is no example to show."""
    seed = trial.seeded(1)
    expect(trial.answer(seed) == 2 * seed, "wrong_value", "it should be twice as much.")


def test_no_example_of_another_trial_is_shown():
    result = twice_without_ask.of(lambda seed: 2)
    assert result.line.endswith("right for the examples shown, wrong another example: use what comes in.")


def test_eig_is_named_where_numbers_are_complex():
    result = kernel_ridge.another.of(lambda K, a: a + 1j * np.ones(len(a)))
    assert result.mistake == "complex_entries" and "eigh" in result.line


def test_the_shown_examples_stay_and_the_hidden_ones_follow_the_seed():
    def drawn(round, seed):
        trial = Trial(None, round, seed)
        return trial.draws(3).random(), trial.size(5), trial.changed(2.0), trial.seeded(4)

    assert drawn(0, 0) == drawn(0, 7)
    assert len({drawn(round, seed) for round in (1, 2) for seed in (0, 7)}) == 4
    assert [Trial(None, round).size(5) for round in (0, 1, 2)] == [5, 2, 7] and Trial(None, 1).size(5, least=4) == 4
    assert not Trial(None).drawn


# ---- the summary -------------------------------------------------------------------------------


def test_summary_counts_right_wrong_and_open(capsys):
    first, second = Exercise("Twice", twice.judge), Exercise("Thrice", thrice.judge)
    summary = summary_of(first, second)
    said = []
    for check, factor in ((None, 0), (first, 3), (first, 2), (second, 3)):
        if check:
            check(lambda x, factor=factor: factor * x)
        capsys.readouterr()
        summary()
        said.append(capsys.readouterr().out)
    assert said == [
        "0 of 2 right, 2 open (Twice; Thrice).\n",
        "0 of 2 right, 1 wrong (Twice), 1 open (Thrice).\n",
        "1 of 2 right, 1 open (Thrice).\n",
        "2 of 2 right.\n",
    ]


def test_summary_of_five():
    verdicts = ["right", "wrong", "right", "open", "right"]
    said = summed_up([(title, verdict) for title, verdict in zip("ABCDE", verdicts, strict=True)])
    assert said == "3 of 5 right, 1 wrong (B), 1 open (D)."


def test_summary_counts_core_and_deeper_apart(capsys):
    @exercise("Twice")
    def twice(trial):
        expect(trial.ask() == 2, "not_two", "it should be 2.")

    @exercise("Thrice")
    def thrice(trial):
        expect(trial.ask() == 3, "not_three", "it should be 3.")

    twice(2)
    capsys.readouterr()
    summary_of(twice, deeper=(thrice,))()
    assert capsys.readouterr().out == "Core: 1 of 1 right.\nDeeper: 0 of 1 right, 1 open (Thrice).\n"
