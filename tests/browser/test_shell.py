"""What the shell of every panel does, tried on one: predict first, a value under the pointer, a kept answer."""

from browser.keyboard import settle
from browser.lab import Notebook, chromium

NAME = "00-start-here.ipynb"


def told(panel):
    return panel.area.query_selector(".kernelkit-told").inner_text()


def place(panel, x, y):
    box = panel.area.query_selector(".kernelkit-card img").bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_an_early_drag_says_why_and_a_value_is_told_and_a_rerun_keeps_the_answer(server):
    with chromium() as page:
        notebook = Notebook(page, server, NAME)
        notebook.run_all()
        (cell,) = notebook.explorer_cells()
        panel, explorer = notebook.panel(cell), notebook.explorer(cell)
        panel.drag((0.4, 0.5), (0.5, 0.5))
        settle(panel)
        assert "answer the question first" in told(panel)
        panel.area.query_selector("input[type=radio]").click()
        settle(panel)
        page.mouse.move(*place(panel, 0.5, 0.5))
        page.wait_for_function("el => el.querySelector('.kernelkit-told').textContent.includes('=')", arg=panel.area)
        page.mouse.move(*place(panel, 0.5, -0.2))
        page.wait_for_function("el => !el.querySelector('.kernelkit-told').textContent", arg=panel.area)

        page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell'); }")
        page.wait_for_timeout(1000)
        again = notebook.panel(cell)
        settle(again)
        assert not again.area.query_selector("input[type=radio]").is_visible()
        assert explorer.question.why[:40] not in again.area.inner_text(), "nothing has moved in the new panel"
        again.press(again.sliders()[0])
        again.area.wait_for_selector(f"text={explorer.question.why[:40]}")
        assert notebook.complaints == []
