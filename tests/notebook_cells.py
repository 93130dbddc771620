"""The notebooks, their cells, and the code of these cells, to be tested as the package is."""

import re
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest

from kernelkit import Gaussian, KernelSVM, datasets

FOLDER = Path(__file__).parents[1] / "notebooks"
START = FOLDER / "00-start-here.ipynb"
INDEX = FOLDER / "A2-index.ipynb"  # for looking things up: no panels, exercises, recap, plans or Deeper
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TAUGHT = [p for p in NOTEBOOKS if p != INDEX]
LESSONS = [p for p in NOTEBOOKS if p.stem[:2].isdigit() and p != START]
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
every_taught = pytest.mark.parametrize("path", TAUGHT, ids=lambda p: p.stem)
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda p: p.stem)


@cache
def notebook(path):
    """A notebook as it is stored, read once: who changes it takes a copy."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def cells(path, kind):
    return [c for c in notebook(path).cells if c.cell_type == kind]


@cache
def headings(path):
    """(level, text) of every heading, outside code blocks."""
    prose = "\n".join(re.sub(r"```.*?```", "", c.source, flags=re.S) for c in cells(path, "markdown"))
    return [(len(m[1]), m[2]) for m in re.finditer(r"^(#+) (.*)$", prose, re.M)]


def space_of(name, last):
    """What is defined when all code cells to this one have run, but for panels and checks."""
    cells, space = notebook(FOLDER / name).cells, {}
    for cell in cells[: [cell.id for cell in cells].index(last) + 1]:
        if cell.cell_type == "code" and not re.search(r"\bexplore\.|\bcheck\.|\brepeat\(|^panel$", cell.source, re.M):
            exec(cell.source, space)
    return space


def defined_by(name, *ids):
    """What the cells of these ids define, with the names that the first cells import."""
    own = {c.id: c.source for c in notebook(FOLDER / name).cells}
    space = {"np": np, "datasets": datasets, "KernelSVM": KernelSVM, "Gaussian": Gaussian}
    for i in ids:
        exec(re.sub(r"^print\(.*\)$", "", own[i], flags=re.M), space)
    return space
