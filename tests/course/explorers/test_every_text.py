"""Words of every explorer: they are written as people write them.

Readouts and the texts in pictures are read where they are drawn, in test_every_panel.py. Whether a text
fits its place is measured in a browser, in tests/browser/test_texts.py.
"""

import ast
import inspect
import re
import textwrap

import panels
import pytest
from misprints import misprints
from panels import words

from kernelkit.course.panel.explorer import SIZE

EXPLORERS = panels.explorers()
every_explorer = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys())
LECTURE = re.compile(r"\blectures?\b|\bthe slides\b", re.I)


@every_explorer
def test_there_are_scenes_to_show(explorer):
    assert len(explorer.scenes) >= 3, "at least three"


@every_explorer
def test_a_picture_is_no_larger_than_its_place_and_its_title_leaves_room_beside_it(explorer):
    assert explorer.size[0] <= SIZE[0] and explorer.size[1] <= SIZE[1]
    assert len(explorer.title) <= 52, "13 pt letters of 9 pixels, and 190 pixels for how to move it"


@every_explorer
def test_the_words_of_a_panel_have_no_misprints(explorer):
    for text in words(explorer):
        assert not misprints(text), text


@every_explorer
def test_no_panel_leans_on_a_lecture(explorer):
    for text in words(explorer):
        assert not LECTURE.search(text), text


@every_explorer
def test_whoever_does_not_see_the_picture_is_told_what_it_shows(explorer):
    assert explorer.shows.endswith(".") and len(explorer.shows.split()) >= 12


@every_explorer
def test_a_readout_decides_nothing(explorer):
    """No condition in it or in what it calls of the explorers; a value may be None, which is not shown."""
    for function in called_by(explorer.readout):
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        spared = {node for node in ast.walk(tree) if isinstance(node, ast.IfExp) and shown_or_not(node)}
        kinds = (ast.If, ast.IfExp, ast.BoolOp, ast.Compare, ast.Match, ast.comprehension)
        decided = [node for node in ast.walk(tree) if isinstance(node, kinds) and node not in spared]
        decided = [node for node in decided if not isinstance(node, ast.comprehension) or node.ifs]
        assert not decided, [ast.unparse(node) for node in decided]


def shown_or_not(node):
    """x if there else None."""
    decides = any(isinstance(part, ast.IfExp | ast.BoolOp | ast.Compare) for part in ast.walk(node.test))
    return ast.unparse(node.orelse) == "None" and not decides


def called_by(function, found=()):
    """The function, and whatever of the explorers it calls."""
    found = {function, *found}
    names = {
        node.id for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))) if hasattr(node, "id")
    }
    for name in names & set(function.__globals__):
        other = function.__globals__[name]
        ours = inspect.isfunction(other) and other.__module__.startswith("kernelkit.course.explorers")
        if ours and other not in found:
            found = called_by(other, found)
    return found


@pytest.mark.parametrize(
    "text", ["1e+02", "2.5e-06", "1e5", "is 0.000000", "1,000 points", "x = -2", "(-1, 2)", "5 %", "X_i", "from h_c"]
)
def test_a_misprint_is_seen(text):
    assert misprints(text)


RIGHT = ["10⁻⁶", "0.0001", "1000 points", "12\u2009500", "x = −2", "(1, 0.5)", "5\u00a0%", "Xᵢ, $X_i$", "2026-11-21"]


@pytest.mark.parametrize("text", RIGHT)
def test_what_people_write_is_no_misprint(text):
    assert not misprints(text)
