"""Words of every explorer: they are written as people write them.

The sentences below pictures and the texts in them are read where they are drawn, in test_every_panel.py. Whether a text
fits its place is measured in a browser, in tests/browser/test_texts.py.
"""

import re

import panels
import pytest
from misprints import misprints
from panels import compute, words

from kernelkit.course.panel.explorer import SIZE

EXPLORERS = panels.explorers()
every_explorer = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys())
LECTURE = re.compile(r"\blectures?\b|\bthe slides\b", re.I)


@every_explorer
def test_there_are_scenes_to_show(explorer):
    assert len(explorer.scenes) >= 3, "at least three"


@every_explorer
def test_a_picture_is_no_larger_than_its_place(explorer):
    assert explorer.size[0] <= SIZE[0] and explorer.size[1] <= SIZE[1]


@every_explorer
def test_the_words_of_a_panel_have_no_misprints(explorer):
    for text in words(explorer):
        assert not misprints(text), text


@every_explorer
def test_no_panel_leans_on_a_lecture(explorer):
    for text in (*words(explorer), explorer.describe(compute(explorer, explorer.start()))):
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
