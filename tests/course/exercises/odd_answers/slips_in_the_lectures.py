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
    (slips_in_the_lectures.counts, {f"({letter.upper()})": np.str_(bet) for letter, bet in noted(COUNTS).items()}),
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
