"""The short run by default; the whole list, ``test_full_*.py``, with --full."""

import json
import shutil
from pathlib import Path

import pytest
from browser.lab import NOTEBOOKS, lab_server
from notebook_cells import INDEX

pytest.register_assert_rewrite("browser.keyboard", "browser.learner")


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="try everything a learner can do, in every notebook")
    parser.addoption("--latency", metavar="FILE", help="with --full: write the time from key to picture of every panel")


def pytest_ignore_collect(collection_path, config):
    """Leave the long tests out of the short run."""
    return True if collection_path.name.startswith("test_full_") and not config.getoption("--full") else None


def pytest_generate_tests(metafunc):
    """Give a test that takes ``name`` every notebook there is, and one that takes ``lesson`` those with panels."""
    names = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    for argument, given in (("name", names), ("lesson", [name for name in names if name != INDEX.name])):
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, given)


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
