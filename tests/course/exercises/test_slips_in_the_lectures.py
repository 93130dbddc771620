"""Bets that are lost, each with the message it meets, and the setting in which a slip is not seen."""

import unittest.mock

import numpy as np
import pytest
from course.exercises.answers import accepted, judged, refused, said, unanswered, unmet_by_scenes

from kernelkit.course.exercises import slips_in_the_lectures as check
from kernelkit.course.explorers.slips_in_the_lectures import two_formulas

ROUNDS = {check.counts: check.COUNTS, check.kernels: check.KERNELS, check.machines: check.MACHINES}


def won(truth):
    return {letter: verdict for letter, (verdict, _) in truth.items()}


def turned(truth, letter):
    """All bets won but one."""
    other = {"right": "wrong", "wrong": "right"}
    return won(truth) | {letter: other[truth[letter][0]]}


RIGHT = [(exercise, won(truth)) for exercise, truth in ROUNDS.items()]
RIGHT += [(check.counts, {letter: f" {bet.upper()} " for letter, bet in won(check.COUNTS).items()})]
RIGHT += [(check.counts, lambda: won(check.COUNTS))]
RIGHT += [(check.counts, {f"{letter}:": f"\t{bet}\n" for letter, bet in won(check.COUNTS).items()})]
RIGHT += [(check.counts, {letter: f"{bet.capitalize()}." for letter, bet in won(check.COUNTS).items()})]
RIGHT += [(check.counts, {f"({letter.upper()})": np.str_(bet) for letter, bet in won(check.COUNTS).items()})]
LOST = [
    (exercise, turned(truth, letter), f"{len(truth) - 1} of {len(truth)} won. Look again at {letter}: {hint}")
    for exercise, truth in ROUNDS.items()
    for letter, (_, hint) in truth.items()
]
ODD = [
    (check.counts, ["wrong", "right"], "keep the form"),
    (check.counts, won(check.COUNTS) | {"x" * 100_000: "right"}, "there is no statement xxx"),
    (check.counts, won(check.COUNTS) | {"a": np.array(["wrong", "right"])}, "the one on a is neither"),
    (check.counts, won(check.COUNTS) | {"a": unittest.mock.ANY}, "the one on a is neither"),
    (check.counts, "wrong", "keep the form"),
    (check.counts, 3, "keep the form"),
    (check.counts, won(check.COUNTS) | {"z": "right"}, "there is no statement z here; the letters are a to e"),
    (check.kernels, won(check.KERNELS) | {"d": None}, "no bet on d yet"),
    (check.kernels, won(check.KERNELS) | {"d": ...}, "no bet on d yet"),
    (check.kernels, won(check.KERNELS) | {"d": " "}, "no bet on d yet"),
    (check.kernels, won(check.KERNELS) | {"b": True}, 'a bet is "right" or "wrong"'),
    (check.kernels, won(check.KERNELS) | {"b": "true"}, 'a bet is "right" or "wrong"'),
    (check.kernels, {"a": "wrong"}, "no bet on b yet"),
    (check.machines, dict.fromkeys(check.MACHINES, "right"), "2 of 6 won. Look again at b:"),
    (check.machines, dict.fromkeys(check.MACHINES, "wrong"), "4 of 6 won. Look again at a:"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_lost_bets_meet_their_messages = refused(LOST + ODD)
test_no_answer_is_no_mistake = unanswered(*ROUNDS)
test_the_challenge_is_judged_by_its_panel = judged(
    two_formulas,
    check.accident,
    [
        ({"claim": "monomials of degree 3", "d": 3}, "✗", "already shown"),
        ({"claim": "monomials of degree 3", "d": 4}, "✗", "already shown"),
        ({"claim": "√2·c·x or √(2c)·x", "c": 1.0}, "✓", "right"),
        ({"claim": "√2·c·x or √(2c)·x", "c": 1.1}, "✗", "meet nearby"),
        ({"claim": "√2·c·x or √(2c)·x", "c": 0.0}, "✗", "an end of the slider"),
        ({"claim": "λ or nλ", "n": 1}, "✗", "an end of the slider"),
        ({"claim": "λ or nλ", "n": 9}, "✗", "they never meet"),
        ({"claim": "square first, or sum", "points": 2}, "✓", "right"),
        ({"claim": "σ² or 2σ²", "r": 0.0}, "✗", "an end of the slider"),
        ({"claim": "keep w at 0, or not", "start": 0.25}, "✓", "right"),
        ({"claim": "keep w at 0, or not"}, "✗", "differ"),
        ({"claim": "series of the Gaussian", "m": 0}, "✗", "an end of the slider"),
        ({"claim": "series of the Gaussian", "m": 8}, "✗", "differ"),
    ],
)
test_no_scene_meets_the_challenge = unmet_by_scenes(two_formulas, check.accident)


@pytest.mark.parametrize("exercise", ROUNDS, ids=lambda exercise: exercise.name)
def test_an_empty_table_is_open(exercise, capsys):
    assert said(exercise, dict.fromkeys(ROUNDS[exercise]), capsys).startswith("○ ")
    assert said(exercise, dict.fromkeys(ROUNDS[exercise], ""), capsys).startswith("○ ")
    assert said(exercise, {}, capsys).startswith("○ ")
