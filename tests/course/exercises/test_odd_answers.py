"""Unusual right answers, written by hand, at least two of a check: a table for each notebook in odd_answers."""

import importlib
from pathlib import Path

import pytest
from course.exercises.odd_answers.base import Moved
from course.exercises.test_every_exercise import ALL, of_each, opened

FILES = sorted(path for path in (Path(__file__).parent / "odd_answers").glob("*.py") if path.stem != "base")
ROWS = [row for path in FILES for row in importlib.import_module(f"course.exercises.odd_answers.{path.stem}").RIGHT]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.usefixtures("undrawn")
@of_each(ALL)
def test_no_right_answer_is_refused(check):
    answers = [answer for other, answer in ROWS if other is check]
    assert len(answers) >= 2
    for answer in answers:
        result = check.of(answer.move(opened(check)) if isinstance(answer, Moved) else answer)
        assert result.verdict == "right", result.line
