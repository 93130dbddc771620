"""Axe over all that the course itself puts on the page, before and after running, light and dark."""

import json
import shutil
import subprocess

import pytest
from browser.lab import SETTINGS, Notebook, chromium, lab_server
from browser.learner import answer_question, quiet

WHOLE = {"notebook-extension/tracker": {"windowingMode": "none"}}  # all cells are in the page
COURSE = [".jp-RenderedMarkdown", ".jp-OutputArea-output"]  # not JupyterLab's own menus, editors and prompts
OTHERS = [
    ".jp-RenderedImage img",  # JupyterLab shows a stored picture without its stored alternative text
    ".jp-InternalAnchorLink",  # the ¶ that JupyterLab puts behind a heading
]
# JupyterLab draws links in running text without a line below them
RUN_AXE = """async ([include, exclude]) => (await axe.run({include, exclude},
        {resultTypes: ['violations'], rules: {'link-in-text-block': {enabled: false}}})).violations
    .filter(v => ['serious', 'critical'].includes(v.impact))
    .flatMap(v => v.nodes.map(n => `${v.id}: ${n.html.slice(0, 150)} | ${n.any[0]?.message ?? ''}`))"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """The source of axe-core, fetched for this run."""
    npm, place = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    assert npm, "npm is missing, which fetches axe-core; on Debian: apt-get install npm."
    command = [npm, "install", "--prefix", str(place), "--no-save", "--no-audit", "--no-fund", "axe-core@^4.10"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return (place / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def whole_server(folder):
    with lab_server(folder, SETTINGS | WHOLE) as base:
        yield base


def test_axe_finds_nothing_serious(whole_server, axe, name):
    with chromium() as page:
        notebook = Notebook(page, whole_server, name)
        page.evaluate(axe)
        found = {"stored": violations(page)}
        notebook.run_all()
        panels = len(notebook.explorer_cells())
        page.wait_for_function("n => document.querySelectorAll('.kernelkit-picture img').length === n", arg=panels)
        found["running"] = violations(page)
        for number in notebook.explorer_cells():
            answer_question(notebook.panel(number), notebook.explorer(number).question, right=False)
        change_theme(page, "JupyterLab Dark")
        found["answered, dark"] = violations(page)
        change_theme(page, "JupyterLab Light")
        assert not any(found.values()), json.dumps(found, indent=1, ensure_ascii=False)
        quiet(notebook)


def violations(page):
    """What axe finds. It judges no contrast out of sight, so the page is made so tall that nothing is scrolled away,
    and its body, which JupyterLab leaves without height and clips, as tall as the window."""
    height = page.evaluate("() => document.querySelector('.jp-WindowedPanel-inner').scrollHeight")
    page.set_viewport_size({"width": 1500, "height": height + 300})
    page.evaluate(
        "() => { document.body.style.height = '100vh';"
        " document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0; }"
    )
    page.wait_for_timeout(500)
    return page.evaluate(RUN_AXE, [[[s] for s in COURSE], [[s] for s in OTHERS]])


def change_theme(page, theme):
    page.evaluate("theme => { window.jupyterapp.commands.execute('apputils:change-theme', {theme}); }", theme)
    page.wait_for_function("t => document.body.dataset.jpThemeName === t", arg=theme)
    page.wait_for_timeout(500)
