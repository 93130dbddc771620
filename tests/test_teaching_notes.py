"""The teaching notes speak of every notebook, and the panels, scenes, sections and exercises they name exist.

In the notes **bold** is the title of a panel, *italic* one of its scenes, and “quotes” a section. They belong to the
notebook linked last in the same point, or else to the notebook of the section.
"""

import importlib
import re
from functools import cache

import pytest
from notebook_cells import FOLDER, TAUGHT, cells, notebook

from kernelkit.course.tools import stored

NOTES = (FOLDER / "teaching" / "teaching-notes.md").read_text(encoding="utf-8").replace("](../", "](")
SECTIONS = re.split(r"^## ", NOTES, flags=re.M)[1:]
PARTS = ["50 minutes", "20 or 90 minutes", "Ask", "Misconceptions"]
TOKEN = re.compile(r"\]\((?P<link>[^)]+\.ipynb)\)|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|“(?P<quote>.+?)”", re.S)
EXERCISES = {
    number
    for path in TAUGHT
    for cell in cells(path, "markdown")
    for number in re.findall(r"^### Exercise (\w\w\.\d+) ", cell.source, re.M)
}


def section_of(name):
    """The part of the notes about one notebook."""
    (found,) = [section for section in SECTIONS if f"]({name})" in section.splitlines()[0]]
    return found


@cache
def inside(name):
    """The sections of a notebook, and the scenes of each of its panels by title."""
    text = "\n".join(cell.source for cell in cells(FOLDER / name, "code"))
    room = re.search(r"^from kernelkit\.course\.explorers import (\w+) as explore$", text, re.M)
    module = room and importlib.import_module(f"kernelkit.course.explorers.{room[1]}")
    shown = [getattr(module, panel) for panel in re.findall(r"^(?:\w+ = )?explore\.(\w+)\(", text, re.M)]
    return [section.title for section in stored.sections(notebook(FOLDER / name))], {p.title: p.scenes for p in shown}


def misnamed(point, name):
    """Whatever one point of the notes names that its notebook does not have."""
    title = None
    for token in TOKEN.finditer(point):
        kind, text = token.lastgroup, " ".join(token[token.lastgroup].split())
        headings, scenes = inside(name)
        if kind == "link":
            name, title = text, None
        elif kind == "quote" and text not in headings:
            yield f"section “{text}” of {name}"
        elif kind == "bold":
            title = text
            if title not in scenes:
                yield f"panel **{title}** of {name}"
        elif kind == "italic" and text not in scenes.get(title, ()) and (title is None or title in scenes):
            yield f"scene *{text}* of **{title}** in {name}"


def test_every_panel_scene_and_section_named_exists():
    points = [(p, path.name) for path in TAUGHT for p in re.split(r"\n(?=- |#)", section_of(path.name))[1:]]
    wrong = [name for point, place in points for name in misnamed(point, place)]
    assert len(wrong) <= 1, f"one may be misspelt, but not several: {wrong}"


@pytest.mark.parametrize("name", [path.name for path in TAUGHT])
def test_there_are_a_plan_what_changes_it_questions_and_misconceptions(name):
    """The plan leaves time for questions, and only exercises that exist are named."""
    parts = re.split(r"^### (.*)\n", section_of(name), flags=re.M)
    assert parts[1::2] == PARTS and all(text.startswith("- ") for text in parts[2::2])
    assert sum(int(minutes) for minutes in re.findall(r"^- \((\d+) min\) ", parts[2], re.M)) <= 49
    assert {*re.findall(r"\b\d\d\.\d\b", re.sub("`[^`]*`", "", section_of(name)))} <= EXERCISES


def table(heading):
    """The rows of the table below a heading, without its head, as lists of cells."""
    (section,) = [section for section in SECTIONS if section.startswith(f"{heading}\n")]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return rows[1:]


def test_six_weeks_hold_every_notebook_once_and_home_work_that_exists():
    weeks = table("A course of six weeks")
    notebooks = [name for week in weeks for name in re.findall(r"\]\((\d\d)-", week[1])]
    assert len(weeks) == 6 and notebooks == [f"0{i}" for i in range(9)]
    for _, taught, _, exercises in weeks:
        minutes = [int(n) for n in re.findall(r"(\d+) minutes", taught)]
        assert set(minutes) <= {20, 50, 90} and sum(minutes) <= 90, taught
        given = exercises.split(", ")
        assert {*given} <= EXERCISES and {n[:2] for n in given} <= {*re.findall(r"\]\((\d\d)-", taught)}


def test_points_of_the_exercises_add_up_and_none_is_forgotten():
    listed = set()
    for row, points, together in table("What the exercises are worth"):
        worth = {n: int(p) for n, p in re.findall(r"(\d\d\.\d+): (\d)", points)}
        assert sum(worth.values()) == int(together) and len(worth) == points.count(":"), row
        assert {n[:2] for n in worth} == {*re.findall(r"\[(\d\d)\]", row)}
        listed |= {*worth}
    assert listed == {number for number in EXERCISES if number[0] != "A"}


def test_every_link_of_the_pages_for_teachers_resolves():
    for page in (FOLDER / "teaching").glob("*.md"):
        links = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
        assert links and not [link for link in links if not (page.parent / link.partition("#")[0]).is_file()]
