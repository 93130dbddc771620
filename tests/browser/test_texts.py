"""Every text of a panel fits the place that is reserved for it: measured in a browser, in the panel's own style.

A place depends on the width of its panel alone. From one width to the next, texts only get shorter until a place gets
lower: so the narrowest panels with places of a kind are tried, and those of some windows.
"""

import re
from html import escape

import numpy as np
import panels
from browser.lab import DESKTOP, chromium

from kernelkit.course.panel.picture import Picture
from kernelkit.course.panel.question import SEE
from kernelkit.course.panel.sketch import AWAY, HOW, KEYS, Sketch

BOXES = "*, *::before { box-sizing: border-box } .widget-box { display: flex } .widget-vbox { flex-direction: column }"
SHELL = "<div class=kernelkit-panel><div class='widget-box kernelkit-main'>{}</div></div>"
STAGE = "<div class=kernelkit-stage><div class=kernelkit-picture><p class=kernelkit-words>{}</p></div></div>"
QUESTION = """<div class='widget-box widget-vbox kernelkit-asking kernelkit-question'>
    <div class='widget-html kernelkit-prompt'><div class=widget-html-content>{}</div></div>
    <div class='widget-box kernelkit-below'>{}<button class=kernelkit-see>{}</button></div></div>"""
WHY = "<div class='widget-html kernelkit-why'><div class=widget-html-content>{}</div></div>"
PLAIN = "<div class='widget-html kernelkit-how'><div class=widget-html-content>{}</div></div>"
OPTION = "<label style='display: block; white-space: nowrap'><input type=radio>{}</label>"
OPTIONS = "<div class=kernelkit-options><div class=widget-radio-box>{}</div></div>"
TOO_HIGH = """() => [...document.querySelectorAll('.kernelkit-main')]
    .filter(main => [main, ...main.querySelectorAll('*')].some(e => e.scrollHeight > e.clientHeight + 2))
    .map(main => main.textContent)"""
WINDOWS = [732, 900, 934, 1008, 1308]  # what JupyterLab leaves for a panel in some windows, and the widest there is


def states(explorer, full):
    """The first values and the scenes; in the long run each end and option of each control, too."""
    start = explorer.start()
    yield from (start | scene for scene in ({}, *explorer.scenes.values()))
    if full:
        yield from (start | {c.name: value} for c in explorer.controls for value in c.ends())


def drawings(sketch):
    """What somebody may draw: some places of the handles, anywhere in their box."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        drawn = sketch.start
        for i in range(len(drawn)):
            drawn = sketch.moved(drawn, i, tuple(rng.uniform(sketch.low, sketch.high)))
        yield drawn


def questions(explorer):
    """What stands above a picture: before anything is answered, and once it was seen."""
    question, prompt = explorer.question, f"<b>Predict.</b> {escape(explorer.question.prompt)}"
    if sketched := isinstance(question, Sketch):
        before = [PLAIN.format(f"{HOW[question.kind]}. {KEYS}"), PLAIN.format(AWAY)]
    else:
        before = [OPTIONS.format("".join(OPTION.format(escape(option)) for option in question.options))]
    said = drawings(question) if sketched else question.options
    values = explorer.start() | explorer.scenes[question.scene]
    verdicts = {question.verdict(answer, values) for answer in said}
    at = f"{escape(question.why)} <span>(Scene “{escape(question.scene)}”.)</span>"
    after = [WHY.format(f"{verdict} {at}") for verdict in sorted(verdicts)]
    return [QUESTION.format(prompt, part, SEE) for part in before + after]


def cut(texts, widths, shell=SHELL):
    """Those of the texts, pieces of a panel, that are higher than their place in a panel of one of these widths."""
    found = {}
    with chromium(viewport=DESKTOP) as page:
        pieces = "".join(map(shell.format, texts))
        page.set_content(f"<style>{BOXES} {Picture._css} p {{ overflow: hidden; }}</style>{pieces}")
        for width in widths:
            page.evaluate("width => { document.body.style.width = `${width}px`; }", width)
            found[width] = page.evaluate(TOO_HIGH)
    return {width: texts for width, texts in found.items() if texts}


def test_every_question_verdict_and_explanation_fits_above_its_picture():
    asking = (panels.asking() | panels.sketching()).values()
    narrowest = [int(widest) + 1 for widest in re.findall(r"@container \(max-width: (\d+)px\)", Picture._css)]
    widths = [*WINDOWS, *narrowest]
    assert cut([text for explorer in asking for text in questions(explorer)], widths) == {}
    assert cut([QUESTION.format("short", WHY.format("too long " * 120), SEE)], widths).keys() == set(widths)


def test_all_words_fit_below_their_picture(request):
    short, long = set(), set()
    for explorer in panels.explorers().values():
        values = states(explorer, request.config.getoption("--full"))
        said = {explorer.words(panels.compute(explorer, value)) for value in values}
        said |= {explorer.words(panels.state_of(explorer, scene), scene) for scene in explorer.says}
        (long if explorer.says or explorer.message else short).update(said)
    saying = SHELL.replace("kernelkit-panel", "'kernelkit-panel kernelkit-saying'")
    for texts, shell in ((short, SHELL), (long, saying)):
        assert cut([STAGE.format(escape(words)) for words in sorted(texts)], [900, 1008], shell) == {}
        assert cut([STAGE.format("too long " * 60)], [1008], shell) != {}
