"""The form of every notebook: what COURSE and STYLE of this project ask of each, checked."""

import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
LESSONS = [p for p in NOTEBOOKS if p.stem[:2].isdigit() and p.stem[:2] != "00"]
FIRST_CELL = """\
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices are fastest on one thread
import numpy as np"""
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)


def cells(path, kind):
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    return [c for c in notebook.cells if c.cell_type == kind]


def headings(path):
    """(level, text) of every heading, outside code blocks."""
    prose = "\n".join(re.sub(r"```.*?```", "", c.source, flags=re.S) for c in cells(path, "markdown"))
    return [(len(m[1]), m[2]) for m in re.finditer(r"^(#+) (.*)$", prose, re.M)]


def minutes(text):
    hours, rest = text.split(":")
    return 60 * int(hours) + int(rest)


@every_notebook
def test_one_title_and_no_skipped_heading(path):
    levels = [level for level, _ in headings(path)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


@every_notebook
def test_opening_says_what_for_whom_and_how_long(path):
    opening = cells(path, "markdown")[0].source
    for word in ("**You will**", "**You need**", "**Time**"):
        assert word in opening
    verbs = re.search(r"\*\*You will\*\*(.*?)\n\n", opening, re.S).group(1)
    assert 3 <= len(re.split(r",| and ", verbs)) <= 8
    assert re.search(r"\*\*Time\*\* \d+ min", opening)


@every_notebook
def test_sections_start_at_their_minute(path):
    total = int(re.search(r"\*\*Time\*\* (\d+)", cells(path, "markdown")[0].source).group(1))
    times = [minutes(m.group(1)) for level, text in headings(path) if level == 2
             for m in [re.match(r"(\d+:\d\d) – ", text)]]  # fmt: skip
    assert times[0] == 0 and times == sorted(set(times)) and times[-1] < total
    gaps = [b - a for a, b in zip(times, [*times[1:], total], strict=True)]
    assert max(gaps) <= 15, gaps


@every_notebook
def test_last_section_is_the_recap(path):
    assert "Recap" in [text for level, text in headings(path) if level == 2][-1]
    assert "Next" in cells(path, "markdown")[-1].source


@every_lesson
def test_there_is_a_translation_to_scikit_learn_and_an_algorithm_card(path):
    assert any("scikit-learn" in text for _, text in headings(path))
    prose = "\n".join(c.source for c in cells(path, "markdown"))
    for word in ("Model family", "Objective", "Optimiser", "Probabilistic reading", "Cost"):
        assert word in prose


@every_notebook
def test_cells_fit_a_projector(path):
    for cell in cells(path, "code"):
        assert len(cell.source.splitlines()) <= 15, cell.source
    for cell in cells(path, "markdown"):
        text = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)
        text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("|", "#", "$$"))]
        assert sum(1 + len(line) // 130 for line in lines) <= 12, cell.source


@every_notebook
def test_first_cell_is_the_same_everywhere(path):
    assert cells(path, "code")[0].source.strip() == FIRST_CELL


@every_notebook
def test_links_inside_the_course_resolve(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)]+)\)", cell.source):
            if not target.startswith(("http", "#")):
                assert (path.parent / target.split("#")[0]).exists(), target


@every_notebook
def test_every_picture_has_a_text(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert output.metadata["image/png"]["alt"], cell.source
    for cell in cells(path, "markdown"):
        assert not re.search(r"!\[\]\(", cell.source)


@every_lesson
def test_every_explorer_is_announced(path):
    """The cell before an explorer says what to predict or to move."""
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    for before, cell in zip(notebook.cells, notebook.cells[1:], strict=False):
        if re.match(r"explore\.\w+\(", cell.source):
            assert before.cell_type == "markdown", cell.source


@every_lesson
def test_no_measured_time_is_stored(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            assert not re.search(r"\d\s?(ms|µs|seconds)\b", text), text
