"""What a learner sees and does in any view: pictures at rest, a question, live panels, no complaint."""

from browser.keyboard import MEASURING, controls, settle

STATIC = """i => window.jupyterapp.shell.currentWidget.content.model.cells.get(i).outputs.toJSON()
    .map(o => o.metadata?.['image/png']?.alt ?? '')"""
OVERFLOW = """el => { const panel = el.querySelector('.kernelkit-panel');
    const right = panel.parentElement.getBoundingClientRect().right;
    return [...panel.querySelectorAll('*')].filter(e => e.checkVisibility() && !e.closest('pre'))
        .filter(e => e.getBoundingClientRect().right > right + 1).map(e => e.outerHTML.slice(0, 120)); }"""


FRAME = """el => { const box = name => el.querySelector(name).getBoundingClientRect();
    const title = box('.kernelkit-title'), card = box('.kernelkit-card'), sentence = box('.kernelkit-sentence');
    return {height: sentence.bottom - title.top, beside: card.left > box('.kernelkit-controls').right - 1,
            card: [card.left - title.left, card.top - title.top, card.width, card.height].map(Math.round)}; }"""
HEIGHT = 600  # pixels that a panel may take, answered and explained, to be seen whole on a laptop and a projector


def stored_pictures(notebook):
    """Every picture is on the page; its alternative text is in the notebook, for JupyterLab does not show it."""
    assert notebook.explorer_cells()
    for number in notebook.explorer_cells():
        image = notebook.cell(number).wait_for_selector(".jp-RenderedImage img")
        assert image.is_visible() and image.evaluate("e => e.naturalWidth") >= 400
        assert len("".join(notebook.page.evaluate(STATIC, number))) > 20


def answer_question(panel, question, right):
    """The question holds the controls; an answer by keyboard frees them and is judged and explained."""
    if question is None:
        return
    free = {c.name for c in controls(panel) if c.kind != "noUi-handle"}
    assert free <= {"Show code"} | MEASURING
    assert not panel.area.query_selector("button:has-text('Explain')").is_visible()
    before = panel.seen()
    for slider in panel.sliders()[:1]:
        slider.focus()
        panel.page.keyboard.press("ArrowRight")
        settle(panel)
    assert panel.seen() == before, "a slider moves before the question is answered"
    wanted = next(i for i in range(len(question.options)) if (i == question.answer) == right)
    panel.area.query_selector("input[type=radio]").focus()
    for _ in range(wanted):
        panel.page.keyboard.press("Tab")
    panel.page.keyboard.press("Space")
    panel.area.wait_for_selector("button:has-text('Explain')")  # on a busy machine the kernel hears of it late
    settle(panel)
    assert "Reset" in [c.name for c in controls(panel)], "the answer does not free the controls"
    assert question.why[:40] not in panel.area.inner_text(), "explained before anything has moved"
    panel.button("Explain").click()
    panel.area.wait_for_selector(f"text={question.why[:40]}")
    assert ("✓ Yes" if right else "✗ Not quite") in panel.area.inner_text()
    assert not panel.area.query_selector("input[type=radio]").is_visible(), "the question does not fold"


def every_panel_lives(notebook):
    for number in notebook.explorer_cells():
        live(notebook.panel(number))


def fits(panel, question):
    """Answered and explained, the whole panel is seen at once, and nothing sticks out at its right."""
    if question is not None and (option := panel.area.query_selector("input[type=radio]")).is_visible():
        option.click()
        panel.button("Explain").click()
        panel.area.wait_for_selector(f"text={question.why[:40]}")
    frame = panel.area.evaluate(FRAME)
    assert frame["beside"], "the controls do not stand beside the picture"
    assert frame["height"] <= HEIGHT, f"{frame['height']:.0f} pixels from title to sentence"
    assert panel.area.evaluate(OVERFLOW) == []


def live(panel):
    """The panel fits, and its first slider moves the picture."""
    panel.skip_question()
    assert panel.area.evaluate(OVERFLOW) == []
    if panel.sliders():
        panel.press(panel.sliders()[0])


def quiet(notebook):
    """Nothing went wrong in the page, and nothing left the machine."""
    assert notebook.errors() == []
    assert notebook.complaints == []
    assert notebook.strangers == [], "a request left the machine"
