"""Every notebook in a real JupyterLab: it opens, runs, shows its explorers, they move, and fit a projector too."""

from itertools import repeat

import numpy as np
from browser.keyboard import settle
from browser.lab import Notebook, chromium
from browser.learner import FRAME, fits

from kernelkit.course.panel.controls import Points, Samples
from kernelkit.course.panel.picture import DPI


def test_notebook_runs_and_its_panels_move_and_fit(server, name):
    with chromium() as page:
        notebook = Notebook(page, server, name)
        notebook.run_all()
        assert notebook.errors() == []
        cells = notebook.explorer_cells()
        for cell in cells:
            panel, explorer = notebook.panel(cell), notebook.explorer(cell)
            fits(panel, explorer.question)
            panel.button("Reset").click()  # the scene of the question may be one where a control changes nothing
            page.wait_for_timeout(500 + 1000 * explorer.play)
            settle(panel)
            before = panel.area.evaluate(FRAME)["card"]
            if panel.sliders():
                # a click chooses the place that some sliders only point at
                assert any(map(changes_picture_and_readout, repeat(panel), panel.sliders())) or explorer.click
            drag_a_point(panel, explorer)
            settle(panel)
            assert panel.area.evaluate(FRAME)["card"] == before, "the picture moved while a control did"
        notebook.present()
        for cell in cells:
            fits(notebook.panel(cell), None)
        assert notebook.complaints == []
        assert notebook.strangers == [], "a request left the machine"


def changes_picture_and_readout(panel, slider):
    """One key press changes the picture, and what is read off then or at one end: it may long be the same."""
    (picture, text), (new_picture, new_text) = panel.press(slider)
    assert picture != new_picture
    return text != new_text or any(text != panel.press_end(slider, key) for key in ("End", "Home"))


def drag_a_point(panel, explorer):
    """Where points can be dragged, or added by a click, the pointer does it and the picture follows."""
    control = next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)
    if control is None or not (control.when is None or control.when(explorer.start())):
        return
    panel.button("Reset").click()
    panel.page.wait_for_timeout(500 + 1000 * explorer.play)
    canvas, size = explorer.canvas(), np.array(explorer.size) * DPI
    canvas.frame(explorer.compute(**explorer.start()))
    present = control.present(explorer.start())
    places = [point[:2] for point in present] or [np.add(control.low, control.high) / 2]
    start = canvas.to_pixels(control.planes[0], places)[0] / size
    before = panel.seen()
    panel.drag(start, start + (0 if not present else 25) / size)
    panel.wait_for_change(before)
