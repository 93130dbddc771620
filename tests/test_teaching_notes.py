"""The teaching notes speak of every notebook, and every explorer, scene and section they name exists.

In the notes **bold** is the title of an explorer, *italic* one of its scenes, and “quotes” a section. They belong
to the notebook linked last in the same point, or else to the notebook of the section.
"""

import importlib
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from notebook_cells import TAUGHT

from kernelkit.course.tools import stored

FOLDER = Path(__file__).parents[1] / "notebooks"
PAGE = (FOLDER / "teaching" / "teaching-notes.md").read_text(encoding="utf-8")
NOTES = PAGE.replace("](../", "](")  # the notebooks by their names
INTRO, *SECTIONS = re.split(r"^## ", NOTES, flags=re.M)
PARTS = ["50 minutes", "20 or 90 minutes", "Ask", "Misconceptions"]
TOKEN = re.compile(r"\]\((?P<link>[^)]+\.ipynb)\)|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|“(?P<quote>.+?)”", re.S)
every_notebook = pytest.mark.parametrize("name", [path.name for path in TAUGHT])


@cache
def source(name):
    """All that stands in the cells of a notebook."""
    cells = nbformat.reads((FOLDER / name).read_text(encoding="utf-8"), as_version=4).cells
    return "\n".join(cell.source for cell in cells)


@cache
def explorers(name):
    """The explorers that a notebook shows."""
    found = re.search(r"^from kernelkit\.course\.explorers import (\w+) as explore$", source(name), re.M)
    module = found and importlib.import_module(f"kernelkit.course.explorers.{found[1]}")
    return [getattr(module, used) for used in re.findall(r"^(?:\w+ = )?explore\.(\w+)\(", source(name), re.M)]


def inside(name):
    """The section names of a notebook, and the scenes of each of its explorers by title."""
    headings = [section.title for section in stored.sections(stored.read(FOLDER / name))]
    return headings, {explorer.title: set(explorer.scenes) for explorer in explorers(name)}


def section_of(name):
    """The part of the notes about one notebook."""
    found = [section for section in SECTIONS if f"]({name})" in section.splitlines()[0]]
    assert len(found) == 1, f"teaching-notes.md needs one section headed with a link to {name}"
    return found[0]


def parts_of(section):
    """The text below each heading of a section."""
    _, *pieces = re.split(r"^### ", section, flags=re.M)
    return {piece.partition("\n")[0]: piece.partition("\n")[2] for piece in pieces}


def plan_of(name):
    """The points of the plan of 50 minutes."""
    return re.split(r"^- ", parts_of(section_of(name))[PARTS[0]].strip(), flags=re.M)[1:]


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
                yield f"explorer **{title}** of {name}"
        elif kind == "italic" and text not in scenes.get(title, ()):
            yield f"scene *{text}* of **{title}** in {name}"


@every_notebook
def test_there_is_a_plan_and_what_changes_it_questions_and_misconceptions(name):
    parts = parts_of(section_of(name))
    assert section_of(name).partition("\n")[2].lstrip().startswith("After this class "), "first what they can do then"
    assert list(parts) == PARTS
    for heading, text in parts.items():
        assert text.count("\n- ") + text.startswith("- ") >= (3 if heading in PARTS[2:] else 1), heading
    assert all("?" in point for point in parts["Ask"].split("\n- ")), "a point under Ask is a question and its answer"


@every_notebook
def test_every_explorer_scene_and_section_named_exists(name):
    points = re.split(r"\n(?=- |#)", section_of(name).partition("\n")[2])
    assert not [wrong for point in points for wrong in misnamed(point, name)]


@every_notebook
def test_every_exercise_named_exists(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert not [
        n
        for n in re.findall(r"\b\d\d\.\d\b", re.sub("`[^`]*`", "", section_of(name)))
        if f"### Exercise {n} " not in text
    ]


@every_notebook
def test_minutes_of_the_plan_add_up_and_leave_a_few(name):
    minutes = [re.match(r"\((\d+) min\) ", point) for point in plan_of(name)]
    assert all(minutes), "a point has no minutes"
    assert 45 <= sum(int(found[1]) for found in minutes) <= 49


@every_notebook
def test_the_plan_follows_the_notebook(name):
    """In its order, so that nobody scrolls back in front of a class."""
    order = inside(name)[0]
    named = [re.search("“(.+?)”", " ".join(point.split())) for point in plan_of(name) if "](" not in point]
    places = [order.index(found[1]) for found in named if found and found[1] in order]
    assert places == sorted(places)


@every_notebook
def test_a_misconception_leans_on_a_panel_that_a_plan_shows(name):
    parts = parts_of(section_of(name))
    shown = " ".join(" ".join(parts[heading] for heading in parts if "minutes" in heading).split())
    for point in re.split(r"^- ", parts["Misconceptions"], flags=re.M):
        for title in re.findall(r"\*\*(.+?)\*\*", " ".join(point.split())):
            assert title not in inside(name)[1] or title in shown, f"no plan shows **{title}**"


@every_notebook
def test_every_explorer_is_put_to_use(name):
    assert not [title for title in inside(name)[1] if f"**{title}**" not in " ".join(section_of(name).split())]


@every_notebook
def test_every_plan_says_where_to_go(name):
    for heading, text in parts_of(section_of(name)).items():
        assert "minutes" not in heading or "“" in text or "**" in text, heading


def table(heading):
    """The rows of the table below a heading, without its head, as lists of cells."""
    (section,) = [section for section in SECTIONS if section.startswith(f"{heading}\n")]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return rows[1:]


def exercises_there():
    names = [path.name for path in FOLDER.glob("*.ipynb")]
    return {n for name in names for n in re.findall(r"^### Exercise (\d\d\.\d+) ", source(name), re.M)}


def test_six_weeks_hold_every_notebook_once_and_home_work_that_exists():
    weeks = table("A course of six weeks")
    notebooks = [name for week in weeks for name in re.findall(r"\]\((\d\d)-", week[1])]
    assert len(weeks) == 6 and notebooks == [f"0{i}" for i in range(9)]
    for _, taught, _, exercises in weeks:
        minutes = [int(n) for n in re.findall(r"(\d+) minutes", taught)]
        assert set(minutes) <= {20, 50, 90} and sum(minutes) <= 90, taught
        given = exercises.split(", ")
        assert {*given} <= exercises_there() and {n[:2] for n in given} <= {*re.findall(r"\]\((\d\d)-", taught)}


def test_points_of_the_exercises_add_up_and_none_is_forgotten():
    listed = set()
    for notebook, points, together in table("What the exercises are worth"):
        worth = {n: int(p) for n, p in re.findall(r"(\d\d\.\d+): (\d)", points)}
        assert sum(worth.values()) == int(together) and len(worth) == points.count(":"), notebook
        assert {n[:2] for n in worth} == {*re.findall(r"\[(\d\d)\]", notebook)}
        listed |= {*worth}
    assert listed == exercises_there()


def test_every_link_resolves():
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert links and not [link for link in links if not (FOLDER / "teaching" / link.partition("#")[0]).is_file()]


def test_the_introduction_says_how_to_present():
    for needed in ("/doc/tree/", "Collapse All Code", "scenes", "`See it`"):
        assert needed in INTRO
