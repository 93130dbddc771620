"""A measurement is drawn as it goes; where a page runs it can be stopped, by its button and by any control."""

import asyncio
from types import SimpleNamespace

import pytest

from kernelkit.course.panel.controls import NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.link import Link
from kernelkit.course.panel.marks import Axes, Axis, Line
from kernelkit.course.panel.measuring import STOP, Measuring

pytestmark = pytest.mark.usefixtures("even_frames")

PIECES = 5


def made(measure=None):
    """A panel of one line, whose measurement counts to PIECES."""

    def counted(x):
        for i in range(1, PIECES + 1):
            yield i / PIECES, [x] * i

    explorer = Explorer(
        title="T",
        controls=(Slider("x", "x", 1, 0, 9, 1),),
        compute=lambda x, measured: SimpleNamespace(x=x, known=measured or []),
        picture=lambda s: [[Axes("", Axis(), Axis("", 0, PIECES), Line([0, 1], [0, len(s.known)]), name="axes")]],
        readout=lambda s: {"x": s.x, "times": len(s.known)},
        shows="A line.",
        code=lambda **v: "",
        scenes={"Far": {"x": 9}},
        question=NoQuestion("a test"),
        measure=measure or counted,
    )
    return explorer()


def read_off(panel):
    return panel.words.replace("\u00a0", " ")


def pressed(panel, then):
    """Press the button in a running loop, do something after two pieces, and wait for the end."""

    async def play():
        panel.measuring.button.click()
        seen = panel.measuring.button.description
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        then()
        for _ in range(100):
            await asyncio.sleep(0)
        return seen

    return asyncio.run(play())


def test_without_a_panel_it_tells_each_piece_and_can_begin_again():
    told = []
    measuring = Measuring("Measure", lambda: ((i / 2, i) for i in (1, 2)), told.append, None)
    measuring.button.click()
    measuring.run()
    assert told == [1, 2, 1, 2] and measuring.progress.value == 1.0 and measuring.running is None


def test_in_one_go_where_no_page_runs():
    panel = made()
    panel.measuring.button.click()
    assert panel.measured == [1] * PIECES and read_off(panel) == f"x 1 · times {PIECES}"
    assert panel.measuring.progress.layout.visibility == "hidden" and panel.measuring.progress.value == 1.0


def test_in_a_page_it_comes_piece_by_piece_and_the_button_says_stop():
    panel, seen = made(), []
    assert pressed(panel, lambda: seen.append(len(panel.measured))) == STOP
    assert 0 < seen[0] < PIECES and panel.measured == [1] * PIECES
    assert panel.measuring.button.description == panel.explorer.measuring and panel.measuring.running is None


def test_a_second_press_stops_it_and_what_is_known_stays():
    panel = made()
    pressed(panel, panel.measuring.button.click)
    known = len(panel.measured)
    assert 0 < known < PIECES and read_off(panel) == f"x 1 · times {known}"
    assert panel.measuring.button.description == panel.explorer.measuring
    assert panel.measuring.progress.layout.visibility == "hidden"
    panel.measuring.button.click()
    assert panel.measured == [1] * PIECES, "a third press measures again"


@pytest.mark.parametrize("then", ["control", "scene"])
def test_whoever_moves_something_ends_it(then):
    panel = made()
    moves = {"control": lambda: setattr(panel.inputs["x"], "value", 9), "scene": panel.scenes.buttons[0].click}
    pressed(panel, moves[then])
    assert panel.measured is None and read_off(panel) == "x 9 · times 0"
    assert panel.measuring.button.description == panel.explorer.measuring


def test_a_measurement_that_fails_says_so_and_the_panel_lives_on():
    def failing(x):
        yield 0.5, [x]
        raise MemoryError("too large")

    panel = made(failing)
    pressed(panel, lambda: None)
    assert "The measurement ended early: too large" in panel.error.value and panel.measured == [1]
    assert panel.measuring.button.description == panel.explorer.measuring
    panel.set(x=3)
    assert read_off(panel) == "x 3 · times 0"


def test_a_link_is_on_the_screen_and_not_in_what_is_stored():
    link = Link("http://127.0.0.1:4711/status?a&b", "The two at work", "none here")
    assert 'href="http://127.0.0.1:4711/status?a&amp;b"' in link.value and "noopener" in link.value
    assert link.value.endswith(">The two at work</a>")
    assert link._repr_mimebundle_()[0]["text/plain"] == "The two at work: a link, while they run."
    for nothing in (None, ""):
        none = Link(nothing, "The two at work", "No <cluster> starts.")
        assert none.value == "No &lt;cluster&gt; starts." and "a link" in none._repr_mimebundle_()[0]["text/plain"]
