"""The short run by default; with --full the whole list, ``test_full_*.py``, and every notebook."""

import json
import shutil
from dataclasses import MISSING, fields
from pathlib import Path

import nbformat
import panels
import pytest
from browser.lab import NOTEBOOKS, lab_server
from notebook_cells import INDEX

from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.tools import stored

FIRST, GALLERY = "00-start-here.ipynb", "gallery.ipynb"

pytest.register_assert_rewrite("browser.keyboard", "browser.learner")


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="try everything a learner can do, in every notebook")
    parser.addoption("--latency", metavar="FILE", help="with --full: write the time from key to picture of every panel")


def pytest_ignore_collect(collection_path, config):
    """Leave the long tests out of the short run."""
    return True if collection_path.name.startswith("test_full_") and not config.getoption("--full") else None


def pytest_generate_tests(metafunc):
    """Give a test that takes ``name`` every notebook there is, and one that takes ``lesson`` those with panels.

    In the short run ``name`` is the first notebook and a gallery of panels with what the first has not.
    """
    names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    lessons = [name for name in names if name != INDEX.name]
    few = names if metafunc.config.getoption("--full") else [FIRST, GALLERY]
    for argument, given in (("name", few), ("lesson", lessons)):
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, given)


def gallery():
    """A notebook of as few panels as together have every kind of control, question and part that the first has not."""
    kinds = {
        (room, panel): kinds_of(getattr(module, panel))
        for room in panels.notebooks()
        for panel, module in panels.files(room).items()
    }
    seen = set().union(*(kinds[key] for key in kinds if key[0] == "start_here"))
    shown = few_with_all({key: kinds[key] - seen for key in kinds})
    cells = [
        nbformat.v4.new_code_cell(code)
        for room, panel in shown
        for code in (f"from kernelkit.course.explorers import {room} as explore", f"explore.{panel}()")
    ]
    below = nbformat.v4.new_markdown_cell("\n\n".join(["below"] * 40))  # so that the last can be scrolled to the top
    return nbformat.v4.new_notebook(cells=[*cells, below], metadata=stored.read(NOTEBOOKS / FIRST).metadata)


def few_with_all(kinds):
    """As few keys of {key: set} as a greedy choice finds that together have all elements of the sets."""
    missing, chosen = set().union(*kinds.values()), []
    while missing:
        chosen.append(max(kinds, key=lambda key: len(kinds[key] & missing)))
        missing -= kinds[chosen[-1]]
    return chosen


def kinds_of(explorer):
    """The classes of its controls and of its question, and which of an explorer's optional parts it has."""
    optional = [f.name for f in fields(Explorer) if f.default is not MISSING or f.default_factory is not MISSING]
    parts = {name for name in optional if getattr(explorer, name)}
    return parts | {type(part).__name__ for part in (explorer.question, *explorer.controls)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the notebooks, so that no run can touch the committed ones."""
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(path, folder)
    nbformat.write(gallery(), folder / GALLERY)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    """A JupyterLab over a copy of the notebooks."""
    with lab_server(folder) as base:
        yield base


@pytest.fixture(scope="session")
def latencies(request):
    """The rows of the latency file, which is written at the end of the run."""
    rows, file = [], request.config.getoption("--latency")
    yield rows
    if file:
        Path(file).write_text(json.dumps(rows, indent=1))
