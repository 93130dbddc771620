"""The code of notebooks' own cells, to be tested as the package is."""

import re
from pathlib import Path

import nbformat

FOLDER = Path(__file__).parents[1] / "notebooks"


def space_of(name, last):
    """What is defined when all code cells to this one have run, but for panels and checks."""
    cells, space = nbformat.reads((FOLDER / name).read_text(encoding="utf-8"), as_version=4).cells, {}
    for cell in cells[: [cell.id for cell in cells].index(last) + 1]:
        if cell.cell_type == "code" and not re.search(r"\bexplore\.|\bcheck\.|\brepeat\(|^panel$", cell.source, re.M):
            exec(cell.source, space)
    return space
