"""A trail: what a panel remembers of the places where its learner has stood, and when it forgets them."""

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest
from panels import drag

from kernelkit.course.panel.controls import NoQuestion, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.marks import Axes, Axis, Dots
from kernelkit.course.panel.picture import DPI

CONTROLS = Slider("x", "x", 1.0, 0.0, 10.0, 0.1), Slider("n", "n", 1, 1, 9, 1), Switch("whole", "whole", False)


def panel():
    """A picture of the places along x, for each n."""

    def compute(x, n, whole, visited):
        if x == 7.0:
            raise ValueError("x must not be 7")
        return SimpleNamespace(visited=visited)

    def picture(state):
        dots = Dots(state.visited, 0 * np.array(state.visited))
        return [[Axes("", Axis("", 0, 10), Axis("", -1, 1), dots, name="axes")]]

    return Explorer(
        title="T",
        controls=CONTROLS,
        compute=compute,
        picture=picture,
        readout=lambda state: {},
        shows="Dots.",
        code=lambda **values: "",
        scenes={"Far": {"x": 9.0, "whole": True}, "Far, n = 5": {"x": 9.0, "n": 5}},
        question=NoQuestion("a test"),
        click={"axes": lambda state, x, y: {"x": CONTROLS[0].nearest(x)}},
        trail=lambda values: (values["n"], values["x"]),
        motion=True,
    )()


def walked(*places):
    """A panel whose learner has been at its start and then at these places."""
    made = panel()
    for x in places:
        made.set(x=x)
    return made


def test_a_place_is_remembered_once_and_the_present_one_is_among_them():
    assert panel().state.visited == (1.0,)
    assert walked(2.0, 3.0, 2.0).state.visited == (1.0, 2.0, 3.0)


def test_another_setting_begins_a_new_trail_and_another_view_goes_on():
    made = walked(2.0)
    made.set(whole=True)
    assert made.state.visited == (1.0, 2.0)
    made.set(n=2)
    assert made.state.visited == (2.0,)
    made.set(n=1)
    assert made.state.visited == (2.0,), "what was left behind is forgotten"


def test_a_scene_goes_on_with_the_trail_if_its_setting_is_the_same():
    made = walked(2.0)
    made.go("Far")
    assert made.state.visited == (1.0, 2.0, 9.0)
    made.go("Far, n = 5")
    assert made.state.visited == (9.0,)


def test_reset_begins_a_new_trail():
    made = walked(2.0, 3.0)
    made.scenes.reset.click()
    assert made.state.visited == (1.0,)


@pytest.mark.parametrize("scene", ["Far", "Reset"])
def test_what_a_glide_passes_was_not_visited(scene, even_frames):
    made, seen = walked(2.0), []

    async def play():
        made.go(scene)
        for _ in range(100):
            await asyncio.sleep(0)
            seen.append(made.state.visited)

    asyncio.run(play())
    before, end = ((1.0, 2.0), 9.0) if scene == "Far" else ((), 1.0)
    passing = [visited for visited in seen if visited[-1] not in (2.0, end)]
    assert len(passing) > 2 and all(visited[:-1] == before for visited in passing)
    assert made.state.visited == (*before, end)


def test_a_place_where_nothing_can_be_computed_is_not_remembered(monkeypatch):
    monkeypatch.delenv("KERNELKIT_STRICT", raising=False)
    made = walked(2.0, 7.0)
    assert "x must not be 7" in made.trouble
    made.set(x=3.0)
    assert made.trouble == "" and made.state.visited == (1.0, 2.0, 3.0)


def test_a_second_panel_begins_its_own_trail():
    walked(2.0, 3.0)
    assert panel().state.visited == (1.0,)


def test_a_sharper_screen_forgets_nothing():
    made = walked(2.0)
    made.picture.ratio = 2.0
    assert made.state.visited == (1.0, 2.0)


def test_a_pointer_that_is_held_down_draws_the_trail():
    made = panel()
    places = made.canvas.to_pixels("axes", [(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)])
    x, y = (places / (np.array(made.explorer.size) * DPI)).T
    for i in range(3):
        drag(made, id=1, x0=x[0], y0=y[0], x=x[i], y=y[i], done=i == 2)
    assert made.state.visited == pytest.approx((1.0, 5.0, 6.0)), "before it has moved, it may be a click"
