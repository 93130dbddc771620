"""The form of every notebook: it is stored ready to read, and what it leads to is there."""

import ast
import builtins
import json
import re
import symtable
from itertools import pairwise

from notebook_cells import (
    FOLDER,
    LESSONS,
    START,
    TAUGHT,
    cells,
    every_lesson,
    every_notebook,
    every_taught,
    headings,
    notebook,
)

from kernelkit.course.tools import minutes, open as opening, stored

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
EXPLORER = r"explore\.\w+\(.*\)|(\w+) = explore\.\w+\(.*\)\n\1"  # the second is the panel of a challenge
OF_A_MACHINE = r"/root/|/work/|/home/|/tmp/|0x[0-9a-f]{6}|Warning|https?://"


@every_notebook
def test_outputs_belong_to_the_code_and_each_cell_has_its_place_in_the_deck(path):
    own, run = notebook(path), f"run kernelkit refresh {path.stem}"
    assert own.metadata.kernelkit.sha256 == stored.fingerprint(own), run
    assert any(c.outputs for c in cells(path, "code")), "no outputs: nbval would compare nothing"
    assert all(c.execution_count for c in cells(path, "code"))
    places = stored.slides(own)
    assert [c.metadata.get("slideshow", {}).get("slide_type") for c in own.cells] == places, run
    answers = [place for c, place in zip(own.cells, places, strict=True) if "Solution</summary>" in c.source]
    assert {*answers} <= {"skip"}, "a slide would tell an answer"


@every_notebook
def test_outputs_are_fit_to_store(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_500_000 and not opening.EARLIER.search(text)
    assert "widgets" not in notebook(path).metadata
    for cell in cells(path, "code"):
        assert "execution" not in cell.metadata
        for output in cell.outputs:
            assert output.output_type != "error" and output.get("name") != "stderr", output
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
            shown = json.dumps({k: v for k, v in output.get("data", output).items() if not k.startswith("image/")})
            assert not re.search(OF_A_MACHINE, shown), shown
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            assert path not in LESSONS or not re.search(r"\d\s?(ms|µs|seconds)\b", text), f"a measured time: {text}"


@every_notebook
def test_every_panel_keeps_its_name_and_left_one_picture_and_every_picture_has_a_text(path):
    """After Run All, a challenge further up hands over its own panel, not one that took its name later."""
    kept = re.findall(r"^(\w+) = explore\.", "\n".join(c.source for c in cells(path, "code")), re.M)
    assert len(kept) == len(set(kept)), kept
    for cell in cells(path, "code"):
        texts = [o.metadata["image/png"]["alt"] for o in cell.outputs if "image/png" in o.get("data", {})]
        assert all(texts), cell.source
        assert len(texts) == 1 or not re.fullmatch(EXPLORER, cell.source.strip()), cell.source
    assert not any("![](" in cell.source for cell in cells(path, "markdown"))


@every_notebook
def test_one_title_and_no_skipped_heading(path):
    levels = [level for level, _ in headings(path)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


@every_taught
def test_the_core_comes_first_then_the_recap_which_leads_on_then_deeper(path):
    found = stored.sections(notebook(path))
    kinds = [section.kind for section in found]
    core = kinds.count("core")
    assert core and kinds == ["opening", *["core"] * core, "recap", *["deeper"] * (len(kinds) - core - 2)]
    assert any(re.search(r"\]\([^)#]+\.ipynb", cell.source) for cell in found[core + 1].cells)


def test_the_stated_times_are_near_those_of_the_rule():
    said = {path: minutes.TIME.search(cells(path, "markdown")[0].source) for path in TAUGHT}
    assert sum(map(bool, said.values())) >= len(TAUGHT) - 1, "a sentence may be worded in another way, but not all"
    for path, time in said.items():
        for kind in ("core", "deeper") if time else ():
            rule = minutes.total(notebook(path), deeper=kind == "deeper")
            assert bool(time[kind]) == bool(rule) and abs(minutes_of(time[kind] or "") - rule) <= 30, (path.stem, kind)


def minutes_of(text):
    """The minutes that such quarters of an hour mean."""
    whole, quarters = re.fullmatch(r"(\d*)([¼½¾]?)", text).groups()
    return 60 * int(whole or 0) + 15 * minutes.QUARTERS.index(quarters)


@every_notebook
def test_exercises_are_numbered_in_their_order(path):
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    numbers = re.findall(r"^### Exercise (\w\w)\.(\d+)", text, re.M)
    assert numbers == [(path.stem[:2], str(i)) for i in range(1, len(numbers) + 1)]
    assert len(numbers) >= 3 or path.stem.startswith(("00", "A1", "A2"))


@every_notebook
def test_the_first_cell_is_the_same_everywhere_and_folded_but_where_it_is_explained(path):
    first = cells(path, "code")[0]
    assert first.source.strip() == FIRST_CELL
    assert first.metadata.get("jupyter", {}).get("source_hidden", False) == (path != START)


def names(tree, kind):
    """The names that a piece of code reads (ast.Load) or makes (ast.Store), its imports and functions among them."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, kind)}
    if kind is ast.Store:
        named = ast.FunctionDef | ast.ClassDef | ast.ExceptHandler
        found |= {node.name for node in ast.walk(tree) if isinstance(node, named)}
        found |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        found |= {(node.asname or node.name) for node in ast.walk(tree) if isinstance(node, ast.alias)}
    return found


def variables(source):
    """The names that a cell leaves to the next ones, and not those inside its functions."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


@every_lesson
def test_code_reads_what_the_core_before_it_or_its_own_section_makes(path):
    """So each section of Deeper runs directly after the core, and prints there what it prints after the others.

    That they also change nothing in place, ``browser/test_full_deeper.py`` finds out by running them.
    """
    found = stored.sections(notebook(path))
    code = {s.title: [cell.source for cell in s.cells if cell.cell_type == "code"] for s in found}
    made = {title: set().union(*map(variables, sources)) for title, sources in code.items()}
    deeper = {section.title for section in found if section.kind == "deeper"}
    core = {"display", *dir(builtins)}
    for section in found:
        others = deeper - {section.title} if section.title in deeper else ()
        known = core.difference(*(made[other] for other in others))
        for source in code[section.title]:
            known |= names(ast.parse(source), ast.Store)
            assert not names(ast.parse(source), ast.Load) - known, (section.title, source)
        if section.title not in deeper:
            core |= made[section.title]


@every_notebook
def test_every_link_inside_the_course_leads_to_a_page_or_heading_that_is_there(path):
    """JupyterLab does not find a heading whose letters the browser has to encode, such as σ or brackets."""
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)]+)\)", cell.source):
            name, _, place = target.partition("#")
            there = path.parent / name if name else path
            if not target.startswith("http"):
                assert there.exists(), target
                assert place.isascii() and not set(place) & set("%()"), target
                if place and there.suffix == ".ipynb":
                    assert place in {heading.replace(" ", "-") for _, heading in headings(there)}, target


@every_notebook
def test_a_notebook_has_one_title_everywhere(path):
    (title,) = re.findall(rf"^\| {path.name[:2]} \| \[(.*?)\]\(notebooks/{path.name}\)", README, re.M)
    assert headings(path)[0][1].startswith(title)
    for name in re.findall(rf"^## {path.name[:2]} – (.*)$", NOTES + EXAMS, re.M):
        assert name in (title, f"[{title}](../{path.name})")
    assert path == START or any(f"| [{title}]({path.name}) |" in cell.source for cell in cells(START, "markdown"))
