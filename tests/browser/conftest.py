"""The short run by default; with --full the whole list, ``test_full_*.py``, and every notebook."""

import json
import shutil
from dataclasses import MISSING, fields
from pathlib import Path

import panels
import pytest
from browser.lab import MODULES, NOTEBOOKS, lab_server
from notebook_cells import INDEX

from kernelkit.course.panel.explorer import Explorer

pytest.register_assert_rewrite("browser.keyboard", "browser.learner")


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="try everything a learner can do, in every notebook")
    parser.addoption("--latency", metavar="FILE", help="with --full: write the time from key to picture of every panel")


def pytest_ignore_collect(collection_path, config):
    """Leave the long tests out of the short run."""
    return True if collection_path.name.startswith("test_full_") and not config.getoption("--full") else None


def pytest_generate_tests(metafunc):
    """Give a test that takes ``name`` every notebook there is, and one that takes ``lesson`` those with panels.

    In the short run these are a few that together have every kind of panel, and for ``name`` the index.
    """
    names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    if not metafunc.config.getoption("--full"):
        few = {*of_every_kind(), INDEX.stem[3:]}
        names = [name for name in names if Path(name).stem[3:] in few]
    for argument, given in (("name", names), ("lesson", [name for name in names if name != INDEX.name])):
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, given)


def of_every_kind():
    """As few notebooks as a greedy choice finds that have every kind of control, question and part of a panel."""
    rooms = {stem: panels.files(room) for stem, room in MODULES.items() if room in panels.notebooks()}
    kinds = {
        stem: set().union(*(kinds_of(getattr(module, name)) for name, module in files.items()))
        for stem, files in rooms.items()
    }
    return few_with_all(kinds)


def few_with_all(kinds):
    """As few keys of {key: set} as a greedy choice finds that together have all elements of the sets."""
    missing, chosen = set().union(*kinds.values()), []
    while missing:
        chosen.append(max(kinds, key=lambda key: len(kinds[key] & missing)))
        missing -= kinds[chosen[-1]]
    return chosen


@pytest.fixture(scope="session")
def tried(request):
    """Whether a panel is tried in this run: each with --full, otherwise a few that together have every kind."""
    if request.config.getoption("--full"):
        return lambda explorer: True
    rooms = [panels.files(MODULES[stem]) for stem in of_every_kind()]
    explorers = [getattr(module, name) for files in rooms for name, module in files.items()]
    few = few_with_all({i: kinds_of(explorer) for i, explorer in enumerate(explorers)})
    titles = {explorers[i].title for i in few}
    return lambda explorer: explorer.title in titles


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
