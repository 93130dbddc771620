"""What a learner sees and does in any view: pictures at rest, a question, live panels, no complaint."""

from browser.keyboard import at_rest, settle

from kernelkit.course.panel.controls import NoQuestion, Question
from kernelkit.course.panel.sketch import WAIT

STATIC = """i => window.jupyterapp.shell.currentWidget.content.model.cells.get(i).outputs.toJSON()
    .map(o => o.metadata?.['image/png']?.alt ?? '')"""
OVERFLOW = """el => { const panel = el.querySelector('.kernelkit-panel');
    const right = panel.parentElement.getBoundingClientRect().right;
    return [...panel.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('pre'))
        .filter(e => e.getBoundingClientRect().right > right + 1).map(e => e.outerHTML.slice(0, 120)); }"""


FRAME = """el => { const box = name => el.querySelector(name).getBoundingClientRect();
    const title = box('.kernelkit-title'), card = box('.kernelkit-card'), panel = box('.kernelkit-panel');
    return {height: panel.height, beside: card.left > box('.kernelkit-controls').right - 1,
            card: [card.left - title.left, card.top - title.top, card.width, card.height].map(Math.round)}; }"""
RINGS = ".kernelkit-handles circle"
CUT = """el => [...el.querySelectorAll(
        '.kernelkit-words, .kernelkit-question, .kernelkit-why, .kernelkit-below, button')]
    .filter(e => e.checkVisibility() && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2))
    .map(e => e.className + ': ' + e.textContent.slice(0, 80))"""
VISIBLE = "el => el.closest('.jp-WindowedPanel-outer').clientHeight"  # pixels of a notebook that are seen at once


def stored_pictures(notebook):
    """Every picture is on the page; its alternative text is in the notebook, for JupyterLab does not show it."""
    assert notebook.explorer_cells()
    for number in notebook.explorer_cells():
        image = notebook.cell(number).wait_for_selector(".jp-RenderedImage img")
        assert image.is_visible() and image.evaluate("e => e.naturalWidth") >= 400
        assert len("".join(notebook.page.evaluate(STATIC, number))) > 20


def answer_question(panel, question, right):
    """By the keyboard: an answer offers to see it, and what is seen is judged and explained; nothing moves."""
    if isinstance(question, NoQuestion):
        return
    page, area, frame = panel.page, panel.area, panel.area.evaluate(FRAME)
    see = panel.button("See it")
    if isinstance(question, Question):
        assert not see.is_visible()
        choose(panel, question, right)
        see.wait_for_element_state("visible")  # on a busy machine the kernel hears of it late
    else:
        shape(panel, question)
    settle(panel)
    assert question.why[:40] not in area.inner_text(), "explained before it was seen"
    see.focus()
    place = see.bounding_box()
    page.keyboard.press("Enter")
    area.wait_for_selector(f"text={question.why[:40]}")
    at_rest(panel)
    if isinstance(question, Question):
        assert ("✓ Yes" if right else "✗ Not quite") in area.inner_text()
    else:
        assert area.query_selector_all(RINGS) == [] and WAIT not in area.inner_text()
    assert see.bounding_box() == place and area.evaluate(FRAME) == frame, "something moved under the pointer"
    assert area.evaluate(CUT) == []


def choose(panel, question, right):
    """Choose the right option, or a wrong one."""
    wanted = next(i for i in range(len(question.options)) if (i == question.answer) == right)
    panel.area.wait_for_selector("input[type=radio]").focus()
    for _ in range(wanted):
        panel.page.keyboard.press("Tab")
    panel.page.keyboard.press("Space")


def shape(panel, question):
    """Tab goes from ring to ring of a sketch; arrows move each, it says where it is, and the picture follows."""
    rings, key = panel.area.query_selector_all(RINGS), "ArrowUp"
    assert len(rings) == len(question.start)
    if question.low[1] == question.high[1]:
        key = "ArrowLeft"
    rings[0].focus()
    for ring in rings:
        assert ring.evaluate("e => e === document.activeElement && !!e.ariaLabel")
        before, text = panel.seen()[0], ring.evaluate("e => e.ariaValueText")
        for _ in range(3):
            panel.page.keyboard.press(key)
        panel.page.wait_for_function("([e, text]) => e.ariaValueText !== text", arg=[ring, text])
        settle(panel)
        assert panel.seen()[0] != before
        panel.page.keyboard.press("Tab")


def every_panel_lives(notebook):
    for number in notebook.explorer_cells():
        live(notebook.panel(number))


def fits(panel, question):
    """Asked, answered, explained, and with its code, the whole panel is seen at once; nothing sticks out or is cut.

    So a slider and the picture that it moves are in sight together.
    """
    frame = panel.area.evaluate(FRAME)
    assert frame["beside"], "the controls do not stand beside the picture"
    assert frame["height"] <= panel.area.evaluate(VISIBLE), f"{frame['height']:.0f} pixels"
    assert panel.area.evaluate(OVERFLOW) == [] and panel.area.evaluate(CUT) == []
    if question is not None and not isinstance(question, NoQuestion):
        if isinstance(question, Question):
            panel.area.wait_for_selector("input[type=radio]").click()
        panel.button("See it").click()
        panel.area.wait_for_selector(f"text={question.why[:40]}")
        assert panel.area.evaluate(FRAME) == frame and panel.area.evaluate(CUT) == []
    panel.button("Show code").click()
    panel.area.wait_for_selector("pre")
    assert panel.area.evaluate(FRAME) == frame and panel.area.evaluate(OVERFLOW) == []
    panel.button("Hide code").click()
    settle(panel)


def live(panel):
    """The panel fits, and its first slider moves the picture."""
    assert panel.area.evaluate(OVERFLOW) == []
    if panel.sliders():
        panel.press(panel.sliders()[0])


def quiet(notebook):
    """Nothing went wrong in the page, and nothing left the machine."""
    assert notebook.errors() == []
    assert notebook.complaints == []
    assert notebook.strangers == [], "a request left the machine"
