"""Appendix A1: each lost bet meets the hint of its statement, and a table without bets is open."""

import pytest

from kernelkit.course.exercises import slips_in_the_lectures as check

ROUNDS = {check.counts: check.COUNTS, check.kernels: check.KERNELS, check.machines: check.MACHINES}
STATEMENTS = [(exercise, letter) for exercise, truth in ROUNDS.items() for letter in truth]


@pytest.mark.parametrize(("exercise", "letter"), STATEMENTS, ids=lambda value: getattr(value, "name", value))
def test_a_lost_bet_meets_the_hint_of_its_statement(exercise, letter):
    truth = ROUNDS[exercise]
    other = {"right": "wrong", "wrong": "right"}
    result = exercise.of(exercise.right | {letter: other[exercise.right[letter]]})
    assert (result.verdict, result.mistake) == ("wrong", f"lost_{letter}")
    assert f"{len(truth) - 1} of {len(truth)} won. Look again at {letter}: {truth[letter][1]}" in result.line
    assert len(result.line) <= 290


def test_of_several_lost_bets_the_first_is_named():
    assert "2 of 6 won. Look again at b:" in check.machines.of(dict.fromkeys("abcdef", "right")).line
    assert "4 of 6 won. Look again at a:" in check.machines.of(dict.fromkeys("abcdef", "wrong")).line


@pytest.mark.parametrize("exercise", ROUNDS, ids=lambda exercise: exercise.name)
def test_a_table_without_bets_is_open(exercise):
    for table in ({}, dict.fromkeys(exercise.right), dict.fromkeys(exercise.right, "")):
        assert exercise.of(table).verdict == "open"


def test_a_letter_that_fills_pages_is_cut():
    result = check.counts.of(check.counts.right | {"x" * 100_000: "right"})
    assert result.mistake == "unknown_letter" and len(result.line) <= 290
