"""What a learner does with a notebook: solve its exercises, restart its kernel, save a copy and come back to it."""

import re

from browser.lab import ALL_DONE, CURRENT, IDLE, Notebook, chromium
from browser.learner import answer_question, every_panel_lives, quiet, stored_pictures

NOTE = "\n# my own note"
DEADLY = """import os, threading
import numpy as np
from kernelkit import Gaussian, KernelSVM
rng = np.random.default_rng(0)
threading.Timer(1.0, os._exit, [1]).start()
KernelSVM(Gaussian(1.0), C=1e4).fit(rng.standard_normal((5000, 5)), rng.choice([-1, 1], 5000))
"""  # a fit of many seconds
CELLS = f"() => [...{CURRENT}.content.model.cells].map(c => [c.type, c.sharedModel.getSource()])"
OUTPUTS = f"i => {CURRENT}.content.model.cells.get(i).outputs.toJSON()"
COUNT = f"i => {CURRENT}.content.model.cells.get(i).executionCount"


def write(notebook, number, code):
    """Replace the code of a cell by typing; one that is folded is opened first."""
    notebook.page.evaluate(f"i => {{ {CURRENT}.content.widgets[i].inputHidden = false; }}", number)
    notebook.cell(number).wait_for_selector(".cm-content").click()
    notebook.page.keyboard.press("Control+a")
    notebook.page.keyboard.insert_text(code)


def write_and_run(notebook, number, code):
    """Replace the code of a cell, run it to its end, and give what it prints."""
    page, count = notebook.page, notebook.page.evaluate(COUNT, number)
    write(notebook, number, code)
    page.keyboard.press("Control+Enter")
    page.wait_for_function(f"([i, count]) => ({COUNT})(i) > count && {IDLE}", arg=[number, count])
    return printed(notebook, number)


def printed(notebook, number):
    outputs = notebook.page.evaluate(OUTPUTS, number)
    return "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


def exercises(notebook):
    """Of each exercise the number of its cell, the name of the answer, the line that checks it, and the solution."""
    cells = notebook.page.evaluate(CELLS)
    for i, (_, source) in enumerate(cells):
        if source.startswith("### Exercise"):
            line = cells[i + 1][1].strip().splitlines()[-1]
            name = re.search(r"\((\w+)\)", line).group(1)
            helped = cells[i + 2][1].split("<summary>Solution")[1]
            yield i + 1, name, line, re.search(r"```python\n(.*?)```", helped, re.S).group(1)


def test_exercises_answered_wrongly_and_rightly(server, name):
    with chromium() as page:
        notebook = Notebook(page, server, name)
        notebook.run_all()
        for number, answer, line, solution in exercises(notebook):
            assert printed(notebook, number).startswith("○")
            if not answer.endswith("panel"):  # a challenge is wrong only while its panel stands where it is not solved
                wrong = write_and_run(notebook, number, f"{answer} = lambda *given: 0.0\n{line}")
                assert wrong.startswith("✗") and "\n" not in wrong, wrong
            assert write_and_run(notebook, number, f"{solution}\n{line}").startswith("✓")
        quiet(notebook)


def test_restart_and_run_all_gives_live_panels(server, name):
    with chromium() as page:
        notebook = Notebook(page, server, name)
        notebook.run_all()
        cells = page.evaluate(CELLS)
        last = max(i for i, (kind, source) in enumerate(cells) if kind == "code" and source)
        write_and_run(notebook, last, cells[last][1])
        count = page.evaluate(COUNT, last)
        page.evaluate("() => { window.jupyterapp.commands.execute('notebook:restart-run-all'); }")
        page.wait_for_selector(".jp-Dialog .jp-mod-accept").press("Enter")
        page.wait_for_function(f"([i, count]) => ({COUNT})(i) < count && {ALL_DONE}", arg=[last, count])
        for number in notebook.explorer_cells():
            panel = notebook.panel(number)
            answer_question(panel, notebook.explorer(number).question, right=True)
            if panel.sliders():
                panel.press_any()
        quiet(notebook)


def test_a_kernel_that_dies_in_mid_fit_comes_back(server):
    with chromium() as page:
        notebook = Notebook(page, server, "07-support-vector-machine.ipynb")
        notebook.run_all()
        last, source = [(i, source) for i, (kind, source) in enumerate(page.evaluate(CELLS)) if kind == "code"][-1]
        write(notebook, last, DEADLY)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".jp-Dialog:has-text('restart automatically') .jp-mod-accept").click()
        page.wait_for_function(f"() => {IDLE}")
        write(notebook, last, source)
        notebook.run_all()
        every_panel_lives(notebook)
        assert notebook.errors() == []


def test_a_saved_copy_opens_with_its_pictures_and_runs(server, folder, lesson):
    copy = f"my-{lesson}"
    save_a_copy(server, folder, lesson, copy)
    with chromium() as page:
        notebook = Notebook(page, server, copy)
        first = next(i for i, (kind, _) in enumerate(page.evaluate(CELLS)) if kind == "code")
        assert page.evaluate(CELLS)[first][1].endswith(NOTE)
        stored_pictures(notebook)
        notebook.run_all()
        every_panel_lives(notebook)
        quiet(notebook)


def save_a_copy(server, folder, name, copy):
    """Run a notebook, write a note into its first code cell, and save it under another name."""
    with chromium() as page:
        notebook = Notebook(page, server, name)
        notebook.run_all()
        cells = page.evaluate(CELLS)
        first = next(i for i, (kind, _) in enumerate(cells) if kind == "code")
        write_and_run(notebook, first, cells[first][1] + NOTE)
        quiet(notebook)
        page.evaluate("() => { window.jupyterapp.commands.execute('docmanager:save-as'); }")
        page.wait_for_selector(".jp-Dialog input").fill(copy)
        page.keyboard.press("Enter")
        page.wait_for_selector(".jp-Dialog button:has-text('Discard')").click()  # the original stays as it was
        page.wait_for_selector(".jp-Dialog", state="detached")
    assert NOTE.strip() in (folder / copy).read_text(encoding="utf-8")
