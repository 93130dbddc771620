"""Every text of a panel fits the place that is reserved for it: measured in a browser, in the panel's own style."""

from html import escape

import panels
from browser.lab import LAPTOP, PROJECTOR, chromium

from kernelkit.panel.picture import Picture

SENTENCE = "<div class=kernelkit-picture><p class=kernelkit-sentence>{}</p></div>"
WIDTH = 716  # pixels of the picture and its card
LOW_WIDTH = 683  # and in a low window
TOO_HIGH = """n => [...Array(n).keys()].map(i => document.getElementById('t' + i))
    .filter(e => [...e.querySelectorAll('*')].some(part => part.scrollHeight > part.clientHeight + 2))
    .map(e => e.textContent)"""


def states(explorer):
    """The first values, each end and option of each control, the scenes, and a few drawn ones."""
    start = explorer.start()
    yield from (start | {c.name: value} for c in explorer.controls for value in c.ends())
    yield from (start | scene for scene in explorer.scenes.values())


def cut(texts, window=LAPTOP):
    """Those of the texts, pieces of a panel, that are higher than their place in a window of this size."""
    width = LOW_WIDTH if window == PROJECTOR else WIDTH
    pieces = "".join(f"<div id=t{i} style='width: {width}px'>{text}</div>" for i, text in enumerate(texts))
    with chromium(viewport=window) as page:
        page.set_content(
            f"<style>{Picture._css} p {{ overflow: hidden; }}</style><div class=kernelkit-panel>{pieces}</div>"
        )
        return page.evaluate(TOO_HIGH, len(texts))


def test_every_sentence_fits_below_its_picture():
    said = {panels.said_by(e, **values) for e in panels.explorers().values() for values in states(e)}
    for window in (LAPTOP, PROJECTOR):
        assert cut([SENTENCE.format(escape(sentence)) for sentence in sorted(said)], window) == []
    assert cut([SENTENCE.format("too long " * 60)]) != []
