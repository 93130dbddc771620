"""Predict, see it, explain: what stands above a picture, and when."""

import pytest

from kernelkit.course.panel.controls import NoQuestion, Question
from kernelkit.course.panel.question import ANSWERS, QuestionBox

HALF = Question("Which half?", ("left", "right", "none"), 1, "Because it is.", "The right half")


@pytest.fixture(autouse=True)
def fresh_kernel():
    ANSWERS.clear()


def asked(question=HALF, see=lambda: None):
    return QuestionBox("A panel", question, see)


def state(box):
    """What is seen: the options, See it, the explanation. See it keeps its place while it is hidden."""
    return (
        box.options.layout.display != "none",
        box.see.layout.visibility == "visible",
        box.why.layout.display != "none",
    )


def test_at_first_it_asks_and_there_is_nothing_to_see():
    box = asked()
    assert state(box) == (True, False, False) and box.answered() is None and box.options.value is None


def test_an_answer_offers_to_see_it_and_says_nothing_yet():
    box = asked()
    box.options.value = "left"
    assert state(box) == (True, True, False) and box.why.value == "" and box.answered() == "left"
    assert box.see.layout.display is None, "what is only invisible keeps its place"


@pytest.mark.parametrize(("choice", "verdict"), [("right", "✓ Yes"), ("left", "✗ Not quite"), ("none", "✗ Not quite")])
def test_seen_the_verdict_takes_the_place_of_the_options(choice, verdict):
    box = asked(see=lambda: box.explain({}))
    box.options.value = choice
    box.see.click()
    said = box.why.value
    assert state(box) == (False, True, True)
    assert verdict in said and f"“{choice}”" in said and HALF.why in said and HALF.scene in said


def test_who_shows_the_scene_decides_when_it_is_there():
    pressed = []
    box = asked(see=lambda: pressed.append(True))
    box.answer("left")
    box.see.click()
    assert pressed == [True] and state(box) == (True, True, False)


def test_an_answer_can_be_changed_until_it_was_seen():
    box = asked(see=lambda: box.explain({}))
    box.options.value = "left"
    box.options.value = "right"
    box.see.click()
    assert "✓ Yes" in box.why.value and ANSWERS == {"A panel": "right"}


def test_the_same_cell_run_again_keeps_the_answer_and_can_show_it_again():
    first = asked()
    first.answer("left")
    first.explain({})
    again = asked()
    assert again.options.value == "left" and state(again) == (True, True, False)
    again.explain({})
    assert "you said “left”" in again.why.value


@pytest.mark.parametrize("answer", ["up", None, 0, ["left"]])
def test_what_is_no_option_is_refused_and_the_answer_stays(answer):
    box = asked()
    box.answer("left")
    with pytest.raises(ValueError, match=r"^the answer must be one of 'left', 'right', 'none', got "):
        box.answer(answer)
    assert box.answered() == box.options.value == asked().options.value == "left"


def test_who_was_asked_nothing_cannot_answer():
    with pytest.raises(ValueError, match=r"^This panel asks nothing, because the text asks it"):
        asked(NoQuestion("the text asks it")).answer("left")
    assert not ANSWERS


def test_without_a_question_there_is_nothing():
    assert asked(NoQuestion("the text asks it")).children == ()


def test_what_a_question_says_is_text_and_no_markup():
    sharp = Question("Is a < b?", ("a < b", "b < a"), 0, "a < b & b > a", "<b>")
    box = asked(sharp)
    box.answer("a < b")
    box.explain({})
    assert "a &lt; b &amp; b &gt; a" in box.why.value and "&lt;b&gt;" in box.why.value
