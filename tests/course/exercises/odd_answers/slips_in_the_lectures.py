"""Odd answers to the exercises of appendix A1. Three checks settle bets: what is odd is how they are noted."""

import json
import re
from collections import OrderedDict, defaultdict
from enum import StrEnum

import numpy as np
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import slips_in_the_lectures
from kernelkit.course.explorers.slips_in_the_lectures import two_formulas


class Bet(StrEnum):
    R = "right"
    W = "wrong"


def noted(bets):
    """“rwrwr” as a table."""
    return {letter: Bet[bet.upper()].value for letter, bet in zip("abcdefg", bets, strict=False)}


def all_wrong_but(*letters, among):
    """A table that answers for what nobody has put in."""
    table = defaultdict(lambda: "wrong", {letter: "wrong" for letter in among})
    table.update(dict.fromkeys(letters, "right"))
    return table


COUNTS, KERNELS, MACHINES = "rwrwr", "rwwrrww", "rwwwwr"
RIGHT = [
    (slips_in_the_lectures.counts, OrderedDict(reversed(noted(COUNTS).items()))),
    (slips_in_the_lectures.counts, {letter: Bet(bet) for letter, bet in noted(COUNTS).items()}),
    (slips_in_the_lectures.counts, all_wrong_but("a", "c", "e", among="abcde")),
    (slips_in_the_lectures.counts, lambda more=None: {f" {letter}:\n": bet for letter, bet in noted(COUNTS).items()}),
    (slips_in_the_lectures.kernels, json.loads(json.dumps(noted(KERNELS), indent=4))),
    (slips_in_the_lectures.kernels, {f"({letter}": f"{bet.title()}!" for letter, bet in noted(KERNELS).items()}),
    (
        slips_in_the_lectures.kernels,
        lambda: dict(re.findall(r"(\w)\s+(\w+)", "a right b wrong c wrong d right e RIGHT f wrong g Wrong")),
    ),
    (slips_in_the_lectures.machines, dict(np.array([*noted(MACHINES).items()]))),
    (slips_in_the_lectures.machines, all_wrong_but("f", "a", among="fedcba")),
    (slips_in_the_lectures.machines, dict.fromkeys("af", "right\n") | dict.fromkeys("bcde", "\twrong")),
    (slips_in_the_lectures.accident, Moved(two_formulas, "The first step", {"start": -0.75})),
    (slips_in_the_lectures.accident, Moved(two_formulas, "A series", {"claim": "square first, or sum"}, {"points": 2})),
    (
        slips_in_the_lectures.accident,
        Moved(two_formulas, {"claim": "λ or nλ", "n": 1}, {"claim": "√2·c·x or √(2c)·x", "c": 1.0}),
    ),
]
WRONG = [
    (slips_in_the_lectures.counts, noted("rwrrw")),
    (slips_in_the_lectures.counts, noted("wrwrw")),
    (slips_in_the_lectures.counts, noted("rwwwr") | {"d": "right"}),
    (slips_in_the_lectures.counts, dict(enumerate(noted(COUNTS).values()))),
    (slips_in_the_lectures.counts, {**noted(COUNTS), "e": "right, but only once the inner product is known"}),
    (slips_in_the_lectures.counts, {letter: bet[0] for letter, bet in noted(COUNTS).items()}),
    (slips_in_the_lectures.counts, [*noted(COUNTS).items()]),
    (slips_in_the_lectures.counts, {letter: [bet] for letter, bet in noted(COUNTS).items()}),
    (slips_in_the_lectures.kernels, noted("rwrrrrw")),
    (slips_in_the_lectures.kernels, noted("wwwrwww")),
    (slips_in_the_lectures.kernels, noted(KERNELS[::-1])),
    (slips_in_the_lectures.kernels, noted(KERNELS[:6])),
    (slips_in_the_lectures.kernels, {letter: bet == "right" for letter, bet in noted(KERNELS).items()}),
    (slips_in_the_lectures.kernels, {**noted(KERNELS), "f": "not right"}),
    (slips_in_the_lectures.kernels, {bet: letter for letter, bet in noted(KERNELS).items()}),
    (slips_in_the_lectures.machines, noted("rwrwrw")),
    (slips_in_the_lectures.machines, noted("rrrwwr")),
    (slips_in_the_lectures.machines, noted("rwwrww")),
    (slips_in_the_lectures.machines, noted(MACHINES) | {"g": "wrong"}),
    (slips_in_the_lectures.machines, {*noted(MACHINES).items()}),
    (
        slips_in_the_lectures.machines,
        {letter: {"right": 1, "wrong": 0}[bet] for letter, bet in noted(MACHINES).items()},
    ),
    (slips_in_the_lectures.machines, {letter.upper() * 2: bet for letter, bet in noted(MACHINES).items()}),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "monomials of degree 3", "d": 1})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "square first, or sum", "points": 1})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "square first, or sum", "points": 8})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "σ² or 2σ²", "r": 4.0})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "keep w at 0, or not", "start": -2.0})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "series of the Gaussian", "m": 2})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "λ or nλ", "n": 2})),
    (slips_in_the_lectures.accident, Moved(two_formulas, {"claim": "√2·c·x or √(2c)·x", "c": 2.0})),
]
