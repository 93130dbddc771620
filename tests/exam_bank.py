"""The questions of the exam bank and their answers, and whether an answer holds what was computed."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "notebooks" / "teaching" / "exam-bank.md"
TEXT = PAGE.read_text(encoding="utf-8").replace("](../", "](")  # the notebooks by their names
QUESTION = re.compile(r"^\*\*(\d+)\*\* \((\d\d), (\d+) points\) (.*?)\n\*Answer\.\* (.*?)(?=\n\n|\Z)", re.M | re.S)
FOUND = {int(m[1]): m for m in QUESTION.finditer(TEXT)}


def answer(number):
    """The answer with one sign for minus and plain spaces."""
    return " ".join(FOUND[number][5].replace("−", "-").split())


def says(number, *values):
    """The answer holds each value, a text or a number as it would be written."""
    for value in values:
        text = value if isinstance(value, str) else f"{value:.10g}"
        assert re.search(rf"(?<![\d.]){re.escape(text)}(?!\.?\d)", answer(number)), f"{number}: {text}"


def pair(v, digits=10):
    """A vector as it is written in an answer."""
    return "(" + ", ".join(f"{round(float(x), digits) + 0.0:.10g}" for x in v) + ")"
