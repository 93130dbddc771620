"""A scene shows its setting, at once or gliding; any input ends the motion where it is."""

import asyncio
import dataclasses
import threading
import time
from types import SimpleNamespace

import pytest

from kernelkit.course.panel.controls import Choice, NoQuestion, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.marks import Axes, Axis, Line
from kernelkit.course.panel.scenes import RESET, Scenes, between, glide as way

pytestmark = pytest.mark.usefixtures("even_frames")

START = ((0.0, 0.0), (1.0, 1.0))
CONTROLS = (
    Slider("x", "x", 0.0, 0.0, 10.0, 0.1),
    Slider("s", "s", 0.01, 0.01, 100.0, 0.1, log=True),
    Slider("n", "n", 1, 1, 9, 1),
    Choice("kind", "kind", "a", ("a", "b")),
    Points("points", "point", START, (-5.0, -5.0), (5.0, 5.0)),
)
FAR = {"x": 10.0, "s": 100.0, "n": 9, "kind": "b", "points": ((4.0, 2.0), (1.0, 1.0))}


def explorer(motion=True):
    """A picture of one line; it remembers the values it was computed for in ``seen``."""
    seen = []

    def compute(**values):
        seen.append(values)
        return SimpleNamespace(**values)

    def picture(state):
        return [[Axes("", Axis(), Axis("", 0, 10), Line([0, 1], [0, state.x]), name="axes")]]

    made = Explorer(
        title="T",
        controls=CONTROLS,
        compute=compute,
        picture=picture,
        readout=lambda s: {"x": f"{s.x:.2f}"},
        shows="A line.",
        code=lambda **v: "",
        scenes={"Far": FAR},
        question=NoQuestion("a test"),
        motion=motion,
    )
    return made, seen


def x_of(panel):
    """x as it is read off."""
    return panel.words.removeprefix("x\u00a0")


def test_between_goes_over_on_the_scale_of_each_control():
    start = {c.name: c.start for c in CONTROLS}
    half = between(CONTROLS, start, FAR, 0.5)
    assert half["x"] == pytest.approx(5.0) and half["s"] == pytest.approx(1.0), "a logarithmic slider goes in factors"
    assert half["n"] == 9 and half["kind"] == "b", "what has no between is there at once"
    assert half["points"] == ((2.0, 1.0), (1.0, 1.0))
    assert between(CONTROLS, start, FAR, 1.0) == FAR


def row(*names):
    """A row of scenes, and what it calls."""
    called = []
    return Scenes(names, called.append), called


def test_two_scenes_have_buttons_the_others_a_menu_and_reset_comes_last():
    scenes, called = row("one", "two", "three", "four")
    assert [b.description for b in scenes.buttons] == ["one", "two"]
    assert [label for label, _ in scenes.menu.options] == ["More scenes", "three", "four"]
    assert scenes.children == (*scenes.buttons, scenes.menu, scenes.reset)
    scenes.buttons[1].click()
    scenes.menu.value = "four"
    scenes.reset.click()
    assert called == ["two", "four", "Reset"]


def test_without_more_scenes_there_is_no_menu():
    scenes, _ = row("one", "two")
    assert scenes.children == (*scenes.buttons, scenes.reset)


def test_the_menu_says_where_the_picture_stands_and_calls_nobody():
    scenes, called = row("one", "two", "three")
    for name, shown in (("three", "three"), ("one", ""), ("three", "three"), (None, "")):
        scenes.stand_at(name)
        assert scenes.menu.value == shown
    assert called == []
    scenes.menu.value = "three"
    assert called == ["three"], "the scene that was left can be chosen again"


def test_a_glide_begins_slowly_goes_one_way_and_leaves_the_end_to_its_caller():
    async def play():
        return [values["x"] async for values in way(CONTROLS, {c.name: c.start for c in CONTROLS}, FAR)]

    x = asyncio.run(play())
    assert len(x) > 3 and x == sorted(x) and x[0] < 0.5 and x[-1] < 10


def test_without_an_event_loop_the_last_frame_comes_at_once():
    made, seen = explorer()
    panel = made()
    seen.clear()
    panel.scenes.buttons[0].click()
    assert [v["x"] for v in seen] == [10.0] and panel.values == FAR and x_of(panel) == "10.00"


async def over(panel, frames=1000):
    """Wait until a glide is over, at most for so many frames."""
    for _ in range(frames):
        if panel.gliding is None:
            return
        await asyncio.sleep(0)


def played(panel, action, interrupt=None):
    """Do something in a running loop, wait for what it sets in motion, and perhaps interrupt it after five frames."""

    async def play():
        done = action()
        if interrupt:
            await over(panel, 5)
            assert panel.gliding is not None
            interrupt()
        await over(panel)
        await asyncio.sleep(0)  # a task that was interrupted sees it now
        return done

    return asyncio.run(play())


def glide(panel, interrupt=None):
    """What the controls say as soon as the first scene was pressed."""

    def press():
        panel.scenes.buttons[0].click()
        return panel.values

    return played(panel, press, interrupt)


def test_in_a_loop_the_picture_glides_and_the_controls_are_there_at_once():
    made, seen = explorer()
    panel = made()
    seen.clear()
    assert glide(panel) == FAR
    x = [v["x"] for v in seen]
    assert len(x) > 3 and x == sorted(x) and 0 < x[1] < 10 and x[-1] == 10.0 and x_of(panel) == "10.00"


def failing_on_the_way():
    """A picture that fails between x = 2 and x = 8, but neither where it begins nor where it ends."""
    made, _ = explorer()

    def compute(**values):
        if 2 < values["x"] < 8:
            raise ValueError("x must be at an end")
        return made.compute(**values)

    return dataclasses.replace(made, compute=compute)()


def test_an_error_on_the_way_is_said_and_the_picture_arrives(monkeypatch):
    monkeypatch.delenv("KERNELKIT_STRICT", raising=False)
    panel, said = failing_on_the_way(), []
    panel.error.observe(lambda change: said.append(change.new), "value")
    glide(panel)
    assert "This setting does not work: x must be at an end" in said[0]
    assert x_of(panel) == "10.00" and panel.error.value == "" and panel.gliding is None


def test_an_error_on_the_way_ends_the_motion_when_strict(monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")
    panel = failing_on_the_way()

    async def play():
        panel.scenes.buttons[0].click()
        await panel.gliding

    with pytest.raises(ValueError, match="x must be at an end"):
        asyncio.run(play())


@pytest.mark.parametrize("why", ["no motion", "calm"])
def test_no_motion_where_the_explorer_or_the_learner_wants_none(why):
    made, seen = explorer(motion=why != "no motion")
    panel = made()
    panel.picture.calm = why == "calm"
    seen.clear()
    glide(panel)
    assert [v["x"] for v in seen] == [10.0]


def test_any_input_ends_the_motion():
    made, seen = explorer()
    panel = made()
    glide(panel, lambda: setattr(panel.inputs["x"], "value", 3.0))
    assert seen[-1]["x"] == 3.0 and x_of(panel) == "3.00", "the glide would have ended at 10"


@pytest.mark.parametrize("eased", [False, True])
def test_what_a_click_chooses_glides_only_where_the_explorer_is_eased(eased):
    """What a button moves glides wherever scenes do."""
    made, seen = explorer()
    others = tuple(control for control in made.controls if control.name != "points")
    far = {name: value for name, value in FAR.items() if name != "points"}
    panel = dataclasses.replace(
        made, controls=others, eased=eased, scenes={}, click={"axes": lambda state, x, y: far}
    )()
    seen.clear()

    def click():
        panel._dragged({"id": 1, "x0": 0.5, "y0": 0.5, "x": 0.5, "y": 0.5, "done": True})
        assert panel.values == far

    played(panel, click)
    x = [v["x"] for v in seen]
    assert (len(x) > 3 and x == sorted(x) and x[0] < 1) if eased else len(x) == 1
    assert x[-1] == 10.0 and x_of(panel) == "10.00"


def test_where_nothing_goes_over_nothing_glides():
    made, seen = explorer()
    panel = dataclasses.replace(made, eased=True, act={"B": lambda **_: {"kind": "b", "n": 9}})()
    seen.clear()

    async def play():
        panel.acts[0].click()
        return panel.gliding

    assert asyncio.run(play()) is None and [(v["kind"], v["n"]) for v in seen] == [("b", 9)]


def test_what_is_explained_waits_for_the_end_of_the_glide_and_is_dropped_when_something_moves():
    for interrupt in (None, 3.0):
        made, seen = explorer()
        panel = dataclasses.replace(made, question=Question("?", ("a", "b"), 0, "Why.", "Far"))()

        def move(panel=panel, interrupt=interrupt):
            assert panel.asking.why.layout.display == "none"
            if interrupt:
                panel.inputs["x"].value = interrupt

        played(panel, panel.see, move)
        assert (panel.asking.why.layout.display is None) is (interrupt is None)
        assert seen[-1]["x"] == (interrupt or 10.0)


def test_another_scene_ends_the_motion():
    made, seen = explorer()
    panel = made()
    glide(panel, panel.scenes.reset.click)
    assert seen[-1]["x"] == 0.0 and panel.values["x"] == 0.0


def test_what_comes_in_another_thread_waits_until_a_frame_is_drawn(monkeypatch):
    """JupyterLab hands over a slider in a thread of its own, also while a glide is drawing in the first one."""
    panel, inside, most = explorer()[0](), [], []
    frame = panel.canvas.frame
    other = threading.Thread(target=lambda: panel.set(x=7.0))

    def slow(*args):
        inside.append(threading.get_ident())
        most.append(len(inside))
        if len(most) == 2:
            other.start()
        time.sleep(0.02)
        pixels = frame(*args)
        inside.pop()
        return pixels

    monkeypatch.setattr(panel.canvas, "frame", slow)
    played(panel, lambda: panel.go("Far"))
    other.join()
    assert max(most) == 1 and len(most) >= 2
    assert panel.drawn == panel.values and x_of(panel) == "7.00" and panel.gliding is None


def test_a_slider_that_another_thread_moves_while_a_frame_is_drawn_is_shown_next(monkeypatch):
    panel = explorer()[0]()
    frame, other = panel.canvas.frame, []

    def interrupted(*args):
        if not other:
            other.append(threading.Thread(target=lambda: setattr(panel.inputs["x"], "value", 7.0)))
            other[0].start()
            while panel.values["x"] != 7.0:
                time.sleep(0.001)
        return frame(*args)

    monkeypatch.setattr(panel.canvas, "frame", interrupted)
    panel.set(x=3.0)
    other[0].join()
    assert panel.drawn == panel.values and x_of(panel) == "7.00"


def test_a_button_that_moves_the_controls_glides_and_one_that_moves_nothing_does_nothing():
    made, seen = explorer()
    panel = made()

    played(panel, lambda: panel.do(lambda **values: {"x": 10.0}))
    ways = [values["x"] for values in seen]
    assert ways[-1] == 10.0 and len(set(ways)) > 5 and ways == sorted(ways)
    drawn = len(seen)
    panel.do(lambda **values: {"x": 10.0})
    assert len(seen) == drawn


# ---- a picture that comes about ------------------------------------------------------------------


def playing(seconds=0.3):
    """The same explorer, whose picture comes about in so many seconds; ``seen`` remembers how much was over."""
    made, _ = explorer(motion=False)
    seen = []

    def compute(played=1.0, **values):
        seen.append(played)
        return SimpleNamespace(**values)

    panel = dataclasses.replace(made, compute=compute, play=seconds, playing="Once more")()
    assert seen == [1.0], "before anybody looks, and on a page where nothing runs, the picture is finished"
    seen.clear()
    return panel, seen


@pytest.mark.parametrize("how", ["seen", "button", "scene"])
def test_a_picture_comes_about_when_it_is_first_seen_at_its_button_and_at_a_scene(how):
    panel, seen = playing()
    assert panel.picture.plays and panel.playing.description == "Once more"
    hows = {"seen": lambda: setattr(panel.picture, "seen", True), "button": panel.playing.click}
    played(panel, hows.get(how, panel.scenes.buttons[0].click))
    assert len(seen) > 3 and seen == sorted(seen) and seen[0] < 0.2 and seen[-1] == 1.0
    assert panel.values["x"] == (10.0 if how == "scene" else 0.0) and panel.gliding is None


def test_the_time_of_coming_about_is_the_explorers():
    frames = {}
    for seconds in (0.25, 0.45):
        panel, seen = playing(seconds)
        played(panel, panel.playing.click)
        frames[seconds] = len(seen)
    assert frames == {0.25: 13, 0.45: 23}, "a frame each 0.02 seconds, and the last one"


def test_whoever_wants_less_motion_sees_the_end_at_once_and_no_button():
    panel, seen = playing()
    panel.picture.calm = True
    played(panel, lambda: setattr(panel.picture, "seen", True))
    played(panel, panel.scenes.buttons[0].click)
    assert set(seen) == {1.0} and panel.playing.layout.display == "none"


def test_whoever_moves_something_sees_the_end_of_it():
    panel, seen = playing()

    played(panel, panel.playing.click, lambda: setattr(panel.inputs["x"], "value", 3.0))
    assert seen[0] < 1 and seen[-1] == 1.0 and seen.count(1.0) == 1 and x_of(panel) == "3.00"


def test_without_an_event_loop_or_anything_to_play_the_end_is_there():
    panel, seen = playing()
    panel.replay()
    panel.scenes.buttons[0].click()
    assert set(seen) == {1.0}
    still = explorer()[0]()
    assert not still.picture.plays and still.playing not in walk(still)


def walk(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from walk(child)


# ---- a sentence of a scene ------------------------------------------------------------------------------------------


def test_a_sentence_is_there_while_the_panel_is_in_its_scene_and_at_no_other_time():
    made, _ = explorer()
    panel = dataclasses.replace(made, says={"Far": "It is far."})()
    assert panel.words == "x\u00a00.00"
    panel.go("Far")
    assert panel.words == "x\u00a010.00\nIt is far." and panel.picture.alt == "T. A line. x\u00a010.00\nIt is far."
    panel._redraw_at(2.0)
    assert panel.words.endswith("It is far.")
    panel.inputs["x"].value = 9.0
    assert panel.words == "x\u00a09.00"
    panel.inputs["x"].value = 10.0
    assert panel.words == "x\u00a010.00", "a place that is found by hand is the learner's to explain"


def test_a_sentence_comes_with_the_end_of_the_glide():
    made, _ = explorer()
    panel, seen = dataclasses.replace(made, says={"Far": "It is far."})(), []
    panel.picture.observe(lambda change: seen.append(change.new), "words")
    glide(panel)
    assert len(seen) > 3 and not any("far" in words for words in seen[:-1]) and seen[-1].endswith("It is far.")


def test_a_sentence_belongs_to_a_scene_without_a_question():
    made, _ = explorer()
    with pytest.raises(ValueError, match=r"'Near'.*\['Far'\]"):
        dataclasses.replace(made, says={"Near": "It is near."})
    asks = Question("How far?", ("near", "far"), 1, "Because it goes far.", "Far")
    with pytest.raises(ValueError, match="explanation of its question"):
        dataclasses.replace(made, question=asks, says={"Far": "It is far."})


# ---- more controls --------------------------------------------------------------------------------------------------


def test_folded_controls_keep_their_place_and_follow_scenes_and_reset():
    made, seen = explorer()
    panel = dataclasses.replace(made, controls=tuple(dataclasses.replace(c, more=c.name == "n") for c in CONTROLS))()
    (fold,) = [box for box in every_box(panel) if "kernelkit-folded" in box._dom_classes]
    assert fold.children == (panel.inputs["n"],) and fold.layout.visibility == "hidden"
    panel.more.click()
    assert fold.layout.visibility == "visible" and panel.more.description == "Fewer controls"
    panel.more.click()
    assert fold.layout.visibility == "hidden"
    panel.go("Far")
    assert panel.values == FAR and panel.inputs["n"].value == FAR["n"] == seen[-1]["n"]
    panel.go(RESET)
    assert panel.values == panel.explorer.start()


def test_without_folded_controls_there_is_no_fold():
    made, _ = explorer()
    assert not any("kernelkit-fold" in box._dom_classes for box in every_box(made()))


def every_box(widget):
    """The widget and all that is in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from every_box(child)
