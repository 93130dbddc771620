"""The tests that every notebook's exercises share. A file of tests names those it takes, each with its table:

test_right_answers_are_accepted = accepted([(check.gram, lambda X: X @ X.T), …])
test_wrong_answers_meet_their_messages = refused([(check.gram, lambda X: X, "K is not X"), …])
test_no_answer_is_no_mistake = unanswered(check.gram, …)
test_the_challenge_is_judged_by_its_panel = judged(explore.fit, check.tamed, [({"lam": 0.5}, "✓", "right"), …])
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.fit, check.tamed)
"""

import pytest

from kernelkit.course.explorers.start_here import bumps

EMPTY = {"none": None, "dots": ..., "returns_none": lambda *_: None, "returns_dots": lambda *_: ...}


def hard_coded(answer):
    """An answer that gives for ever what is right for the first example."""
    first = []

    def typed_in(*arguments):
        first.append(answer(*arguments))
        return first[0]

    return typed_in


def fixed(answer, place, value):
    """An answer that has a value of its own in the place of one argument."""
    return lambda *arguments: answer(*arguments[:place], value, *arguments[place + 1 :])


def said(exercise, answer, capsys):
    """The line that a check shows of an answer."""
    exercise(answer)
    line = capsys.readouterr().out
    assert line.count("\n") == 1 and len(line) <= 290, line
    return line


def accepted(rows):
    """Each of the (exercise, answer) is right."""

    @pytest.mark.parametrize(("exercise", "answer"), rows)
    def test(exercise, answer, capsys):
        line = said(exercise, answer, capsys)
        assert line.startswith("✓ "), line

    return test


def refused(rows):
    """Each of the (exercise, answer, message) is wrong and meets its message."""

    @pytest.mark.parametrize(("exercise", "answer", "message"), rows)
    def test(exercise, answer, message, capsys):
        line = said(exercise, answer, capsys)
        assert line.startswith("✗ ") and message in line, line

    return test


def unanswered(*exercises, empty=tuple(EMPTY)):
    """Nothing written, or a function that returns nothing, leaves the exercises open."""

    @pytest.mark.parametrize("exercise", exercises)
    @pytest.mark.parametrize("nothing", empty)
    def test(exercise, nothing, capsys):
        line = said(exercise, EMPTY[nothing], capsys)
        assert line.startswith("○ ") and "not solved yet" in line, line

    return test


def judged(explorer, challenge, rows):
    """With each of the (values, "✗" or "✓", message) the panel meets this verdict; it is open before it was moved."""

    @pytest.mark.parametrize(("values", "mark", "message"), rows)
    def test(values, mark, message, capsys):
        panel = explorer()
        assert "not tried yet" in said(challenge, panel, capsys)
        assert "hand over the panel itself" in said(challenge, panel.values, capsys)
        panel.set(**values)
        line = said(challenge, panel, capsys)
        assert line.startswith(f"{mark} ") and message in line, line

    return test


def unmet_by_scenes(explorer, challenge):
    """No scene of the panel is an answer."""

    @pytest.mark.parametrize("scene", list(explorer.scenes))
    def test(scene, capsys):
        panel = explorer()
        panel.set(**panel.first | explorer.scenes[scene])
        line = said(challenge, panel, capsys)
        assert not line.startswith("✓"), line

    return test


def refuses_others(challenge):
    """What is not the panel, or is another one, meets a sentence of its own."""
    others = {"explorer": bumps, "number": 3.0, "text": "panel", "values": {"sigma": 0.5}}

    @pytest.mark.parametrize("other", [*others, "list", "other panel"])
    def test(other, capsys):
        panel = bumps()
        panel.set(sigma=1.0)
        line = said(challenge, others.get(other, [panel] if other == "list" else panel), capsys)
        assert line.startswith("✗ ") and "hand over" in line, line

    return test
