"""The same notebooks seen otherwise: one document, dark, enlarged, without motion; in Notebook 7 and in voila."""

import importlib.util

import pytest
from browser.lab import OPEN, SETTINGS, Notebook, Page, Panel, chromium, lab_server
from browser.learner import every_panel_lives, live, quiet

DARK = {"apputils-extension/themes": {"theme": "JupyterLab Dark"}}
NOTEBOOK_7 = ("notebook", *OPEN, "--JupyterNotebookApp.expose_app_in_browser=True")
NOTEBOOK_7_OWN = "Cannot read properties of undefined (reading 'schema')"  # from its settings, at every start
# voila loads every extension of JupyterLab it finds; the one of Notebook 7 is not made for it
NO_NOTEBOOK_7 = "--VoilaConfiguration.extension_denylist=@jupyter-notebook/lab-extension"
VOILA = ("voila", "--strip_sources=True", NO_NOTEBOOK_7)
ICONS = "https://cdn.jsdelivr.net/npm/@fortawesome/**"  # the one thing that voila's own page asks of the network


@pytest.fixture(scope="module")
def dark_server(folder):
    with lab_server(folder, SETTINGS | DARK) as base:
        yield base


@pytest.fixture(scope="module")
def installed():
    """The packages of the long run are there."""
    missing = [name for name in ("notebook", "voila") if importlib.util.find_spec(name) is None]
    assert not missing, f"{missing} missing: python -m pip install -r tests/browser/requirements-full.txt"


@pytest.fixture(scope="module")
def notebook_7(folder, installed):
    with lab_server(folder, {}, NOTEBOOK_7) as base:
        yield base


@pytest.fixture(scope="module")
def voila(folder, installed):
    with lab_server(folder, {}, VOILA) as base:
        yield base


def test_one_dark_document_without_motion_and_enlarged(dark_server, name):
    with chromium(reduced_motion="reduce") as page:
        notebook = Notebook(page, dark_server, name, view="doc/tree/{}")
        notebook.run_all()
        assert page.evaluate("() => document.body.dataset.jpThemeLight") == "false"
        every_panel_lives(notebook)
        enlarge(page)
        every_panel_lives(notebook)
        assert not any(e.is_visible() for e in page.query_selector_all(".widget-play")), "Play moves by itself"
        quiet(notebook)


def enlarge(page):
    """As at 200 %: half the room, and twice the pixels."""
    size = {"width": 750, "height": 500, "deviceScaleFactor": 2, "mobile": False}
    page.context.new_cdp_session(page).send("Emulation.setDeviceMetricsOverride", size)
    page.wait_for_function("() => window.devicePixelRatio === 2")


def test_notebook_7(notebook_7, name):
    with chromium() as page:
        notebook = Notebook(page, notebook_7, name, view="notebooks/{}")
        notebook.run_all()
        every_panel_lives(notebook)
        notebook.complaints = [text for text in notebook.complaints if text != NOTEBOOK_7_OWN]
        quiet(notebook)


def test_voila(voila, lesson):
    with chromium() as page:
        shown = Page(page, voila)
        page.route(ICONS, lambda route: route.fulfill(content_type="text/css", body=""))
        page.goto(f"{voila}/voila/render/{lesson}")
        page.wait_for_selector(".kernelkit-picture img")
        page.wait_for_load_state("networkidle")
        assert not page.query_selector_all(".jp-CodeCell .jp-InputArea")
        for area in page.query_selector_all(".jp-OutputArea-output:has(.kernelkit-picture)"):
            area.scroll_into_view_if_needed()
            live(Panel(page, area))
        assert shown.complaints == []
        assert [url for url in shown.strangers if "@fortawesome" not in url] == []
