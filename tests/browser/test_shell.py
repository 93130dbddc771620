"""What the shell of every panel does, tried on one: free from the start, predict, see it, an answer that is kept."""

import contextlib

import nbformat
import pytest
from browser.keyboard import at_rest, go, settle
from browser.lab import CURRENT, DESKTOP, IDLE, LAPTOP, NOTEBOOKS, Notebook, chromium
from browser.learner import FRAME, RINGS

from kernelkit.course.panel.scenes import SECONDS
from kernelkit.course.tools import stored

NAME = "00-start-here.ipynb"
OPTIONS = "02-kernel-trick.ipynb"
SHOWN = {NAME: "explore.bumps()", OPTIONS: "explore.identity()"}  # the second asks a question with options


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Notebooks with one panel each: of their code only what imports, the first two cells, and the call of this panel.

    Their text stays, so that a panel can be scrolled to the top.
    """
    folder = tmp_path_factory.mktemp("notebooks")
    for name, call in SHOWN.items():
        notebook = stored.read(NOTEBOOKS / name)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        kept = [*code[:2], *(cell for cell in code if cell.source == call)]
        notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown" or cell in kept]
        nbformat.write(notebook, folder / name)
    return folder


@pytest.fixture(scope="module")
def notebooks(server):
    """{name: one of these notebooks, open in a page of its own}."""
    with contextlib.ExitStack() as pages:
        opened = {}
        for name in SHOWN:
            page = pages.enter_context(chromium())
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            opened[name] = Notebook(page, server, name)
        yield opened


def fresh(notebook):
    """Its panel as it is when nobody has answered the question, and its explorer."""
    notebook.page.set_viewport_size(LAPTOP)
    notebook.page.evaluate(FORGET)
    notebook.run_all()
    (cell,) = notebook.explorer_cells()
    panel = notebook.panel(cell)
    settle(panel)
    return panel, notebook.explorer(cell)


FORGET = f"""async () => {{ await {CURRENT}.sessionContext.session.kernel.requestExecute(
        {{ code: 'from kernelkit.course.panel.question import ANSWERS; ANSWERS.clear()' }}).done;
    await window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs'); }}"""


@pytest.fixture
def bumps(notebooks):
    """The panel without options, and its explorer."""
    yield fresh(notebooks[NAME])
    assert notebooks[NAME].complaints == []


@pytest.fixture
def identity(notebooks):
    """The panel whose question has options, and its explorer."""
    yield fresh(notebooks[OPTIONS])
    assert notebooks[OPTIONS].complaints == []


def run_again(panel):
    """Run the cell of this panel once more."""
    panel.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell'); }")
    panel.page.wait_for_timeout(1000)
    settle(panel)


def place(panel, x, y):
    box = panel.area.query_selector(".kernelkit-card img").bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def test_free_from_the_start_and_explained_only_where_it_is_seen(identity):
    panel, question = identity[0], identity[1].question
    why, see, frame = question.why[:40], panel.button("See it"), panel.area.evaluate(FRAME)
    first = panel.seen()
    panel.press(panel.sliders()[0])
    assert panel.seen() != first, "the picture is never locked"

    for option in panel.area.query_selector_all("input[type=radio]")[:2]:
        option.dblclick()
    settle(panel)
    go(panel, question.scene)
    panel.button("Reset").click()
    shown = at_rest(panel)
    assert see.is_visible() and why not in panel.area.inner_text(), "only See it explains"
    see.dblclick()
    panel.area.wait_for_selector(f"text={why}")
    assert at_rest(panel) != shown and "✓ Yes" in panel.area.inner_text()
    panel.press(panel.sliders()[0])
    assert f"Scene “{question.scene}”" in panel.area.inner_text(), "the explanation says of what it speaks"
    assert panel.area.evaluate(FRAME) == frame
    run_again(panel)
    assert panel.area.query_selector("input[type=radio]:checked") and panel.button("See it").is_visible()
    assert why not in panel.area.inner_text(), "nothing was seen in the new panel"


LAST = f"""(seconds) => {CURRENT}.sessionContext.session.kernel.requestExecute(
    {{ code: `from kernelkit.course.panel import explorer; explorer.SECONDS = ${{seconds}}` }}).done"""


def test_a_glide_that_is_interrupted_explains_nothing(identity):
    panel, question = identity[0], identity[1].question
    panel.area.wait_for_selector("input[type=radio]").click()
    settle(panel)
    before = panel.seen()
    panel.page.evaluate(LAST, 4.0)  # so that no machine is too busy to interrupt it
    panel.button("See it").click()
    panel.wait_for_change(before)
    panel.page.evaluate(LAST, SECONDS)
    panel.press(panel.sliders()[0])
    at_rest(panel)
    assert question.why[:40] not in panel.area.inner_text()


def test_a_ring_of_a_sketch_is_drawn_at_once_and_hidden_once_it_was_seen(bumps):
    panel, explorer = bumps
    page, frame, question = panel.page, panel.area.evaluate(FRAME), explorer.question
    ring = panel.area.query_selector(RINGS)
    (x, y), before = explorer().picture.marks["places"][0], ring.evaluate("e => e.ariaValueText")
    page.mouse.move(*place(panel, x, y))
    page.mouse.down()
    page.mouse.move(*place(panel, x + 0.1, y - 0.2), steps=6)
    assert panel.area.evaluate(HELD) == pytest.approx([x, y - 0.2], abs=0.003), "it goes straight up, at once"
    page.mouse.up()
    page.wait_for_function("([e, text]) => e.ariaValueText !== text", arg=[ring, before])
    shown = at_rest(panel)
    run_again(panel)
    assert at_rest(panel) == shown, "the same cell run again keeps the sketch"
    panel.button("See it").click()
    panel.area.wait_for_selector(f"text={question.why[:40]}")
    assert "Your sketch" in panel.area.inner_text() and panel.area.query_selector_all(RINGS) == []
    assert panel.area.evaluate(FRAME) == frame


def test_a_value_is_told_where_the_pointer_is_and_of_no_other_picture(bumps):
    (panel, explorer), told = bumps, "el => el.querySelector('.kernelkit-told').textContent"
    page = panel.page
    page.mouse.move(*place(panel, 0.5, 0.5))
    page.wait_for_function(f"el => ({told})(el).includes('=')", arg=panel.area)
    page.mouse.move(*place(panel, 0.5, -0.2))
    page.wait_for_function(f"el => !({told})(el)", arg=panel.area)
    x, y = explorer().picture.marks["places"][-1]
    page.mouse.move(*place(panel, x, y))
    page.wait_for_function(f"el => ({told})(el).includes('=')", arg=panel.area)
    page.mouse.down()
    page.mouse.move(*place(panel, x - 0.1, y), steps=5)
    page.mouse.up()
    settle(panel)
    assert panel.area.evaluate(told) == "", "it was said before the drag"


HELD = """el => { const g = el.querySelector('.kernelkit-held g'), card = el.querySelector('.kernelkit-card img');
    if (g.parentNode.style.display === 'none') return null;
    const at = g.getBoundingClientRect(), box = card.getBoundingClientRect();
    return [(at.left + at.width / 2 - box.left) / box.width, (at.top + at.height / 2 - box.top) / box.height]; }"""


@pytest.mark.parametrize(("window", "wide"), [(LAPTOP, 600), (DESKTOP, 900)])
def test_the_page_draws_what_is_dragged_at_once_and_the_picture_follows(bumps, window, wide):
    panel, explorer = bumps
    page = panel.page
    page.set_viewport_size(window)
    live = explorer()
    image = panel.area.query_selector(".kernelkit-card img")
    page.wait_for_function("([e, wide]) => e.clientWidth > wide", arg=[image, wide])
    page.wait_for_function("e => e.naturalWidth >= e.clientWidth", arg=image)  # sharp, however large it is
    settle(panel)
    x, y = live.picture.marks["places"][len(live.asking.handles)]
    page.mouse.move(*place(panel, x, y + 0.02))
    page.wait_for_function("el => el.querySelector('.kernelkit-halo').style.display === ''", arg=panel.area)
    before, looks = panel.seen(), panel.area.query_selector(".kernelkit-held")
    page.mouse.down()
    assert panel.area.evaluate(HELD) is None, "a press alone moves nothing"
    for step in range(1, 9):
        page.mouse.move(*place(panel, x + 0.01 * step, y))
        drawn = panel.area.evaluate(HELD)
        assert drawn[0] == pytest.approx(x + 0.01 * step, abs=0.003), "it is under the pointer before any picture came"
    page.mouse.move(*place(panel, x, -0.5))
    assert panel.area.evaluate(HELD)[1] > 0.05, "it stays in its box"
    page.mouse.move(*place(panel, x + 0.1, y))
    page.mouse.up()
    panel.wait_for_change(before)
    page.wait_for_function(f"el => ({HELD})(el) === null", arg=panel.area, timeout=3000)
    at_rest(panel)
    readout = panel.area.query_selector(".kernelkit-folded .widget-readout").text_content()
    assert abs(float(readout.replace("−", "-")) - (explorer.start()["points"][0][0] + 0.1 * 6.4 / 0.63)) < 0.06
    assert looks.get_attribute("aria-hidden") == "true"


OVER = """el => { const [code, image] = ['.kernelkit-source', '.kernelkit-card img']
        .map(name => el.querySelector(name).getBoundingClientRect());
    return code.bottom > image.top && code.top < image.bottom; }"""


def test_the_code_is_above_the_picture_and_can_be_copied_by_the_keyboard(bumps):
    panel, explorer = bumps
    page = panel.page
    panel.button("Show code").press("Enter")
    panel.area.wait_for_selector("pre")
    assert not panel.area.evaluate(OVER)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.ariaLabel") == "Copy the code"
    page.keyboard.press("Enter")
    assert page.evaluate("() => navigator.clipboard.readText()").strip() == explorer.code(**explorer.start()).strip()


ASLEEP = f"""() => {{ window.asleep = {CURRENT}.sessionContext.session.kernel.requestExecute(
    {{ code: 'import time; time.sleep(4)' }}).done; }}"""
RESTART = f"() => {CURRENT}.sessionContext.session.kernel.restart()"
BEFORE = """el => [el.querySelector('.kernelkit-panel'), ...el.querySelectorAll('.kernelkit-panel *')]
    .map(e => getComputedStyle(e, '::before')).filter(s => s.display !== 'none').map(s => s.content)
    .filter(content => /[a-z\\uf127]/.test(content) && content !== 'none')"""


def test_a_panel_that_cannot_answer_says_so_in_one_line(bumps):
    panel, busy = bumps[0], "el => el.querySelector('.kernelkit-busy').textContent"
    page, frame, before = panel.page, panel.area.evaluate(FRAME), panel.seen()
    page.evaluate(ASLEEP)
    panel.sliders()[-1].press("ArrowRight")
    page.wait_for_function(f"el => ({busy})(el).includes('other cells')", arg=panel.area, timeout=3000)
    assert panel.seen() == before and panel.area.evaluate(FRAME) == frame
    page.evaluate("() => window.asleep")
    panel.wait_for_change(before)
    page.wait_for_function(f"el => !({busy})(el)", arg=panel.area)
    panel.press(panel.sliders()[-1])
    page.wait_for_timeout(600)
    assert panel.area.evaluate(busy) == "", "now it answers"
    page.evaluate(RESTART)
    page.wait_for_function(f"() => {IDLE}")
    page.wait_for_selector(".kernelkit-panel.jupyter-widgets-disconnected")
    (line,) = panel.area.evaluate(BEFORE)
    assert "run all above" in line and panel.area.evaluate(FRAME) == frame
