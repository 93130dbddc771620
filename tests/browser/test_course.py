"""Every notebook in a real JupyterLab: it opens, runs, shows its explorers, and they move."""

import shutil

import pytest
from browser.lab import NOTEBOOKS, Notebook, chromium, lab_server

NAMES = sorted(p.name for p in NOTEBOOKS.glob("*.ipynb"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A JupyterLab over a copy of the notebooks, so that no run can touch the committed ones."""
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(path, folder)
    with lab_server(folder) as base:
        yield base


@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs_and_every_explorer_moves(server, name):
    with chromium() as page:
        notebook = Notebook(page, server, name)
        seconds = notebook.run_all()
        assert notebook.errors() == []
        assert seconds < 30, f"Run All took {seconds:.0f} s"
        for cell in notebook.explorer_cells():
            panel = notebook.panel(cell)
            panel.skip_question()
            if panel.sliders():
                before, after = panel.press(panel.sliders()[0])
                assert before != after
        assert notebook.complaints == []
        assert notebook.strangers == [], "a request left the machine"
