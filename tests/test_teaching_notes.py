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

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTES = (FOLDER / "teaching-notes.md").read_text(encoding="utf-8")
INTRO, *SECTIONS = re.split(r"^## ", NOTES, flags=re.M)
PARTS = ["20 minutes", "50 minutes", "90 minutes", "Ask", "Misconceptions"]
TOKEN = re.compile(r"\]\((?P<link>[^)]+\.ipynb)\)|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|“(?P<quote>.+?)”", re.S)
every_notebook = pytest.mark.parametrize("name", sorted(p.name for p in FOLDER.glob("*.ipynb")))


@cache
def inside(name):
    """The section names of a notebook, and the scenes of each of its explorers by title."""
    cells = nbformat.reads((FOLDER / name).read_text(encoding="utf-8"), as_version=4).cells
    text = "\n".join(cell.source for cell in cells)
    headings = re.findall(r"^## [\d:]+ – (?:\*Deeper:\* )?(.*)$", text, re.M)
    found = re.search(r"^from kernelkit\.explorers import (\w+) as explore$", text, re.M)
    module = found and importlib.import_module(f"kernelkit.explorers.{found[1]}")
    explorers = [getattr(module, used) for used in re.findall(r"^(?:\w+ = )?explore\.(\w+)\(", text, re.M)]
    return headings, {explorer.title: set(explorer.scenes) for explorer in explorers}


def section_of(name):
    """The part of the notes about one notebook."""
    found = [section for section in SECTIONS if f"]({name})" in section.splitlines()[0]]
    assert len(found) == 1, f"teaching-notes.md needs one section headed with a link to {name}"
    return found[0]


def parts_of(section):
    """The text below each heading of a section."""
    _, *pieces = re.split(r"^### ", section, flags=re.M)
    return {piece.partition("\n")[0]: piece.partition("\n")[2] for piece in pieces}


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
def test_there_are_three_plans_questions_and_misconceptions(name):
    parts = parts_of(section_of(name))
    assert list(parts) == PARTS
    for heading, text in parts.items():
        assert text.count("\n- ") + text.startswith("- ") >= (1 if "minutes" in heading else 3), heading
    assert all("?" in point for point in parts["Ask"].split("\n- ")), "a point under Ask is a question and its answer"


@every_notebook
def test_every_explorer_scene_and_section_named_exists(name):
    points = re.split(r"\n(?=- |#)", section_of(name).partition("\n")[2])
    assert not [wrong for point in points for wrong in misnamed(point, name)]


@every_notebook
def test_every_exercise_named_exists(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert not [n for n in re.findall(r"\b\d\d\.\d\b", section_of(name)) if f"### Exercise {n} " not in text]


@every_notebook
def test_every_explorer_is_put_to_use(name):
    assert not [title for title in inside(name)[1] if f"**{title}**" not in " ".join(section_of(name).split())]


@every_notebook
def test_every_plan_says_where_to_go(name):
    for heading, text in parts_of(section_of(name)).items():
        assert "minutes" not in heading or "“" in text or "**" in text, heading


def test_every_link_resolves():
    links = re.findall(r"\]\(([^)]+)\)", NOTES)
    assert links and not [link for link in links if not (FOLDER / link).is_file()]


def test_the_introduction_says_how_to_present():
    for needed in ("/doc/tree/", "Collapse All Code", "scenes", "`Skip the question`"):
        assert needed in INTRO
