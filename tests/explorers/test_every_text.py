"""Words of every explorer: they fit the rows of a panel, and are written as people write them.

The sentences below pictures and the texts in them are read where they are drawn, in test_every_panel.py.
"""

import re

import panels
import pytest
from misprints import misprints
from panels import compute

from kernelkit.panel.explorer import SIZE

EXPLORERS = panels.explorers()
every_explorer = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys())
PROMPT, OPTION, WHY = 125, 60, 290  # characters: one line of a laptop, a choice below it, what is under the controls
LECTURE = re.compile(r"\blectures?\b|\bthe slides\b", re.I)
ROW = 820  # pixels that buttons may take of one row


@every_explorer
def test_a_question_fits_its_panel(explorer):
    question = explorer.question
    assert len(question.prompt) <= PROMPT and len(question.why) <= WHY
    assert max(map(len, question.options)) <= OPTION


@every_explorer
def test_a_scene_shows_what_the_question_asks(explorer):
    assert explorer.question.scene in explorer.scenes


@every_explorer
def test_the_scenes_fit_one_row(explorer):
    assert len(explorer.scenes) >= 3
    assert sum(7.5 * len(name) + 24 for name in explorer.scenes) <= ROW


@every_explorer
def test_a_picture_is_no_larger_than_its_place(explorer):
    assert explorer.size[0] <= SIZE[0] and explorer.size[1] <= SIZE[1]


@every_explorer
def test_the_words_of_a_panel_have_no_misprints(explorer):
    question = explorer.question
    labels = [control.label for control in explorer.controls]
    for text in (explorer.title, *labels, *explorer.scenes, question.prompt, *question.options, question.why):
        assert not misprints(text), text


@every_explorer
def test_no_panel_leans_on_a_lecture(explorer):
    question, first = explorer.question, explorer.describe(compute(explorer, explorer.start()))
    labels = [control.label for control in explorer.controls]
    texts = (explorer.title, *labels, *explorer.scenes, question.prompt, *question.options, question.why)
    for text in (*texts, first):
        assert not LECTURE.search(text), text


@pytest.mark.parametrize(
    "text", ["1e+02", "2.5e-06", "1e5", "is 0.000000", "1,000 points", "x = -2", "(-1, 2)", "5 %", "X_i", "from h_c"]
)
def test_a_misprint_is_seen(text):
    assert misprints(text)


RIGHT = ["10⁻⁶", "0.0001", "1000 points", "12\u2009500", "x = −2", "(1, 0.5)", "5\u00a0%", "Xᵢ, $X_i$", "2026-11-21"]


@pytest.mark.parametrize("text", RIGHT)
def test_what_people_write_is_no_misprint(text):
    assert not misprints(text)
