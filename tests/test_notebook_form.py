"""The form of every notebook."""

import ast
import builtins
import re
import symtable
from itertools import pairwise

from notebook_cells import START, cell_of, cells, every_lesson, every_notebook, every_taught

from kernelkit.course.tools import minutes, stored

FOLDER = START.parent
README, NOTES, EXAMS = (
    path.read_text(encoding="utf-8")
    for path in (
        FOLDER.parent / "README.md",
        FOLDER / "teaching" / "teaching-notes.md",
        FOLDER / "teaching" / "exam-bank.md",
    )
)
FIRST_CELL = """\
import os
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices are fastest on one thread
import numpy as np"""


def headings(path):
    """(level, text) of every heading, outside code blocks."""
    prose = "\n".join(re.sub(r"```.*?```", "", c.source, flags=re.S) for c in cells(path, "markdown"))
    return [(len(m[1]), m[2]) for m in re.finditer(r"^(#+) (.*)$", prose, re.M)]


@every_notebook
def test_one_title_and_no_skipped_heading(path):
    levels = [level for level, _ in headings(path)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def minutes_of(text):
    """The minutes that such quarters of an hour mean."""
    whole, quarters = re.fullmatch(r"(\d*)([¼½¾]?)", text).groups()
    return 60 * int(whole or 0) + 15 * minutes.QUARTERS.index(quarters)


@every_taught
def test_the_stated_time_is_near_that_of_the_rule(path):
    notebook = stored.read(path)
    said = minutes.TIME.search(cells(path, "markdown")[0].source)
    assert abs(minutes_of(said["core"]) - minutes.total(notebook)) <= 30
    deeper = minutes.total(notebook, deeper=True)
    assert bool(said["deeper"]) == bool(deeper)
    assert not deeper or abs(minutes_of(said["deeper"]) - deeper) <= 30


@every_taught
def test_the_core_comes_first_then_the_recap_then_deeper(path):
    kinds = [section.kind for section in stored.sections(stored.read(path))]
    core = kinds.count("core")
    assert core and kinds == ["opening", *["core"] * core, "recap", *["deeper"] * (len(kinds) - core - 2)]


@every_notebook
def test_exercises_are_numbered_in_their_order(path):
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    numbers = re.findall(r"^### Exercise (\w\w)\.(\d+)", text, re.M)
    assert numbers == [(path.stem[:2], str(i)) for i in range(1, len(numbers) + 1)]


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
def test_code_of_the_core_reads_nothing_that_deeper_makes(path):
    known = set(dir(builtins)) | {"display"}
    for section in stored.sections(stored.read(path)):
        for cell in section.cells:
            if cell.cell_type == "code" and section.kind != "deeper":
                tree = ast.parse(cell.source)
                known |= names(tree, ast.Store)
                assert not names(tree, ast.Load) - known, cell.source


@every_lesson
def test_each_section_of_deeper_reads_what_the_core_or_it_makes(path):
    """So it runs directly after the core, and prints there what it prints after the other sections.

    That they also change nothing in place, ``browser/test_full_deeper.py`` finds out by running them.
    """
    found = stored.sections(stored.read(path))
    code = {s.title: [cell.source for cell in s.cells if cell.cell_type == "code"] for s in found}
    made = {title: set().union(*map(variables, sources)) for title, sources in code.items()}
    deeper = [section.title for section in found if section.kind == "deeper"]
    core = {"display", *dir(builtins)}.union(*(made[section.title] for section in found if section.kind != "deeper"))
    for title in deeper:
        known = core.difference(*(made[other] for other in deeper if other != title))
        for source in code[title]:
            known |= names(ast.parse(source), ast.Store)
            assert not names(ast.parse(source), ast.Load) - known, (title, source)


def variables(source):
    """The names that a cell leaves to the next ones, and not those inside its functions."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


@every_taught
def test_the_recap_leads_to_the_next_notebook(path):
    (recap,) = [section for section in stored.sections(stored.read(path)) if section.kind == "recap"]
    assert any("**Next" in cell.source for cell in recap.cells)


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
def test_links_to_a_section_can_be_followed(path):
    """JupyterLab does not find a heading whose letters the browser has to encode, such as σ or brackets."""
    for cell in cells(path, "markdown"):
        for anchor in re.findall(r"\]\([^)#\s]*#([^)\s]*)\)", cell.source):
            assert anchor.isascii() and not set(anchor) & set("%()"), anchor


@every_notebook
def test_every_picture_has_a_text(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert output.metadata["image/png"]["alt"], cell.source
    for cell in cells(path, "markdown"):
        assert not re.search(r"!\[\]\(", cell.source)


@every_notebook
def test_a_notebook_has_one_title_everywhere(path):
    (title,) = re.findall(rf"^\| {path.name[:2]} \| \[(.*?)\]\(notebooks/{path.name}\)", README, re.M)
    assert headings(path)[0][1].startswith(title)
    for name in re.findall(rf"^## {path.name[:2]} – (.*)$", NOTES + EXAMS, re.M):
        assert name in (title, f"[{title}](../{path.name})")
    routes = cell_of(START, "**Next, the spine.**") + cell_of(START, "**The electives** follow")
    assert path == START or f"| [{title}]({path.name}) |" in routes


@every_lesson
def test_no_measured_time_is_stored(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            assert not re.search(r"\d\s?(ms|µs|seconds)\b", text), text


def test_licences_of_text_and_code_are_said():
    for text in (README, cell_of(START, "**Licence.**")):
        assert "CC BY 4.0" in text and "BSD-3-Clause" in text


@every_notebook
def test_a_panel_keeps_its_name(path):
    """After Run All, a challenge further up hands over its own panel, not one that took its name later."""
    kept = re.findall(r"^(\w+) = explore\.", "\n".join(c.source for c in cells(path, "code")), re.M)
    assert len(kept) == len(set(kept)), kept
