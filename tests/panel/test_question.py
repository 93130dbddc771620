"""Predict, move, explain: what the line above a panel shows, and when."""

import pytest

from kernelkit.panel.controls import NoQuestion, Question
from kernelkit.panel.question import ANSWERS, QuestionBox

HALF = Question("Which half?", ("left", "right", "none"), 1, "Because it is.")


@pytest.fixture(autouse=True)
def fresh_kernel():
    ANSWERS.clear()


class Asked:
    """A question above a panel that counts how often it was freed."""

    def __init__(self, question=HALF):
        self.freed = 0
        self.box = QuestionBox("A panel", question, self.free)

    def free(self):
        self.freed += 1


def shown(widget):
    return widget.layout.display != "none"


def state(box):
    """What is seen: the options, Skip, Explain, the explanation."""
    return tuple(map(shown, (box.options, box.skip, box.explain, box.why)))


def test_at_first_it_asks():
    asked = Asked()
    assert state(asked.box) == (True, True, False, False)
    assert asked.box.awaits_prediction() and not asked.box.answered() and asked.freed == 0


@pytest.mark.parametrize(("choice", "verdict"), [("right", "✓ Yes."), ("left", "✗ Not quite."), ("none", "✗ Not")])
def test_a_choice_folds_and_frees_and_the_verdict_waits_for_a_move(choice, verdict):
    asked = Asked()
    asked.box.options.value = choice
    assert asked.freed == 1 and state(asked.box) == (False, False, True, False) and asked.box.why.value == ""
    asked.box.moved()
    assert state(asked.box) == (False, False, False, True)
    said = asked.box.why.value
    assert verdict in said and f"“{choice}”" in said and HALF.why in said


def test_whoever_asks_is_told_without_a_move():
    asked = Asked()
    asked.box.options.value = "left"
    asked.box.explain.click()
    assert state(asked.box) == (False, False, False, True)


def test_a_move_before_the_answer_says_nothing():
    asked = Asked()
    asked.box.moved()
    asked.box.options.value = "left"
    assert not shown(asked.box.why)


def test_who_skips_is_free_and_sees_no_answer_even_after_a_move():
    asked = Asked()
    asked.box.skip.click()
    asked.box.moved()
    assert asked.freed == 1 and state(asked.box) == (False, False, False, False) and asked.box.why.value == ""


def test_a_skipped_question_can_still_be_answered():
    asked = Asked()
    asked.box.skip.click()
    asked.box.fold.click()
    assert shown(asked.box.options) and not asked.box.options.disabled
    asked.box.options.value = "right"
    asked.box.moved()
    assert "✓" in asked.box.why.value


def test_folding_back_shows_what_was_chosen_and_changes_nothing():
    asked = Asked()
    asked.box.options.value = "left"
    asked.box.fold.click()
    assert shown(asked.box.options) and asked.box.options.disabled and asked.box.options.value == "left"
    asked.box.fold.click()
    assert not shown(asked.box.options) and asked.freed == 1


@pytest.mark.parametrize("choice", ["left", None])
def test_the_same_cell_run_again_keeps_the_answer(choice):
    Asked().box.answer(choice)
    again = Asked()
    assert not again.box.awaits_prediction() and again.box.options.value == choice
    again.box.moved()
    assert shown(again.box.why) == (choice is not None)


@pytest.mark.parametrize("choice", [0, 2, None])
def test_a_second_panel_of_the_same_explorer_is_freed_too_and_the_first_choice_stays(choice):
    first, second = Asked(), Asked()
    first.box.answer("right")
    assert state(second.box) == (True, True, False, False), "it was there before the answer, so it asks as well"
    if choice is None:
        second.box.answer(None)
    else:
        second.box.options.value = HALF.options[choice]
    assert second.freed == 1 and state(second.box) == (False, False, True, False)
    second.box.moved()
    assert "You said “right”" in second.box.why.value


def test_without_a_question_there_is_nothing_to_wait_for():
    box = Asked(question=NoQuestion("a test")).box
    box.moved()
    assert not box.awaits_prediction() and box.children == ()


def test_what_a_question_says_is_text_and_no_markup():
    sharp = Question("Is a < b?", ("a < b", "b < a"), 0, "a < b & b > a")
    box = Asked(sharp).box
    box.answer("a < b")
    box.moved()
    assert "a &lt; b &amp; b &gt; a" in box.why.value
