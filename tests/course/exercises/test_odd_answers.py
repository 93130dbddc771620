"""Unusual right answers, written by hand, and wrong ones that no other table has: at least two and three of a check.

The tables are in odd_answers, a module for each notebook.
"""

import importlib
from collections import Counter
from pathlib import Path

import pytest
from course.exercises.answers import said
from course.exercises.odd_answers.base import Moved
from course.exercises.test_base import EXERCISES

FILES = sorted(path for path in (Path(__file__).parent / "odd_answers").glob("*.py") if path.stem != "base")
TABLES = {path.stem: importlib.import_module(f"course.exercises.odd_answers.{path.stem}") for path in FILES}


def rows(side):
    return [
        pytest.param(check, answer, id=f"{check.name}-{place}")
        for table in TABLES.values()
        for place, (check, answer) in enumerate(getattr(table, side))
    ]


def judged(check, answer, capsys):
    return said(check, answer.panel() if isinstance(answer, Moved) else answer, capsys)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("check", "answer"), rows("RIGHT"))
def test_no_right_answer_is_refused(check, answer, capsys):
    line = judged(check, answer, capsys)
    assert line.startswith("✓ "), line


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("check", "answer"), rows("WRONG"))
def test_no_wrong_answer_is_accepted(check, answer, capsys):
    line = judged(check, answer, capsys)
    assert line.startswith("✗ "), line


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_each_check_has_two_odd_right_answers_and_three_wrong_ones(check):
    name = check.name.partition(".")[0]
    for side, least in (("RIGHT", 2), ("WRONG", 3)):
        names = Counter(row[0].name for row in getattr(TABLES[name], side))
        assert names[check.name] >= least
        assert {other.partition(".")[0] for other in names} == {name}
