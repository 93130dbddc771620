"""The form of every notebook."""

import ast
import builtins
import re
from itertools import pairwise

import minutes
import nbformat
import stored
from notebook_cells import START, cell_of_start, cells, every_lesson, every_notebook

FIRST_CELL = """\
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices are fastest on one thread
import numpy as np"""


def headings(path):
    """(level, text) of every heading, outside code blocks."""
    prose = "\n".join(re.sub(r"```.*?```", "", c.source, flags=re.S) for c in cells(path, "markdown"))
    return [(len(m[1]), m[2]) for m in re.finditer(r"^(#+) (.*)$", prose, re.M)]


def at(clock):
    hours, rest = clock.split(":")
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
    assert minutes.TIME.search(opening)


@every_notebook
def test_sections_start_at_their_minute(path):
    """The clocks are those of the rule, to a fifth; no section takes longer than a quarter of an hour."""
    found = minutes.sections(stored.read(path))
    starts = [m.group(1) for level, text in headings(path) if level == 2 for m in [re.match(r"(\d+:\d\d) – ", text)]]
    assert starts == [section.clock for section in found]
    clocks = [at(section.clock) for section in found]
    assert clocks[0] == 0 and clocks == sorted(set(clocks))
    for said, right in zip(clocks, map(at, minutes.clocks(found)), strict=True):
        assert abs(said - right) <= max(2, right / 5)
    assert max(section.reading for section in found) <= 16  # exercises not counted, the opening in the first


@every_notebook
def test_the_opening_says_how_long_it_takes(path):
    """To a fifth of the rule; without the sections marked Deeper an hour and a half at most."""
    found = minutes.sections(stored.read(path))
    said = minutes.TIME.search(cells(path, "markdown")[0].source)
    core, deeper = minutes.total(found), minutes.total(found, deeper=True)
    assert core <= 90 and abs(int(said["core"]) - core) <= core / 5
    assert abs(int(said["deeper"] or 0) - deeper) <= deeper / 5


def names(tree, kind):
    """The names that a piece of code reads (ast.Load) or makes (ast.Store), its imports and functions among them."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}
    if kind is ast.Store:
        named = ast.FunctionDef | ast.ClassDef | ast.ExceptHandler
        found |= {node.name for node in ast.walk(tree) if isinstance(node, named)}
        found |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        found |= {(node.asname or node.name) for node in ast.walk(tree) if isinstance(node, ast.alias)}
    return found


@every_lesson
def test_the_text_leans_on_no_lecture(path):
    """Only the recap says where things come from: a learner has never seen the lectures."""
    for cell in cells(path, "markdown"):
        text = re.split(r"^\*\*Where this comes from", cell.source, flags=re.M)[0]
        assert not re.search(r"\blectures?\b|\bthe slides\b", text, re.I), text


@every_lesson
def test_what_is_marked_deeper_can_be_skipped(path):
    """The code of the core path reads nothing that only a Deeper section has made."""
    known, deeper = set(dir(builtins)) | {"display"}, False
    for cell in nbformat.reads(path.read_text(encoding="utf-8"), as_version=4).cells:
        if cell.cell_type == "markdown":
            heading = minutes.HEADING.search(cell.source)
            deeper = bool(heading["deeper"]) if heading else deeper
        elif not deeper:
            tree = ast.parse(cell.source)
            known |= names(tree, ast.Store)
            assert not names(tree, ast.Load) - known, cell.source


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
def test_it_is_folded_but_where_it_is_explained(path):
    folded = cells(path, "code")[0].metadata.get("jupyter", {}).get("source_hidden", False)
    assert folded == (not path.name.startswith("00"))


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
        if re.match(r"(\w+ = )?explore\.\w+\(", cell.source):
            assert before.cell_type == "markdown", cell.source


@every_lesson
def test_no_measured_time_is_stored(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            assert not re.search(r"\d\s?(ms|µs|seconds)\b", text), text


def test_licences_of_text_and_code_are_said():
    readme = (START.parents[1] / "README.md").read_text(encoding="utf-8")
    for text in (readme, cell_of_start("**Licence.**")):
        assert "CC BY 4.0" in text and "BSD-3-Clause" in text


@every_notebook
def test_a_panel_keeps_its_name(path):
    """After Run All, a challenge further up hands over its own panel, not one that took its name later."""
    kept = re.findall(r"^(\w+) = explore\.", "\n".join(c.source for c in cells(path, "code")), re.M)
    assert len(kept) == len(set(kept)), kept
