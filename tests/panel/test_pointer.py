"""What a gesture of the pointer means: a click, or a drag of the point that it began at, and of no other."""

from types import SimpleNamespace

import numpy as np
import pytest

from kernelkit.panel.controls import Samples
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.picture import DPI

START = ((-1.0, 0.0, -1), (1.0, 0.0, 1))


@pytest.fixture
def panel(monkeypatch):
    """A plane with two points to add, drag and remove."""
    monkeypatch.setenv("KERNELKIT_STRICT", "1")

    def build(figure):
        axes = figure.add_axes((0, 0, 1, 1), xlim=(-2, 2), ylim=(-2, 2))
        return {"plane": axes, "line": axes.plot([0, 1], [0, 1], animated=True)[0]}

    return Explorer(
        "T",
        (Samples("points", "points", START, (-2.0, -2.0), (2.0, 2.0), "plane"),),
        lambda points: SimpleNamespace(points=points),
        build,
        lambda parts, state: None,
        lambda state: f"{len(state.points)} points.",
        lambda points: "",
    )()


def gesture(panel, start, *pixels, id=1, done=True):
    """The pointer goes down at a place of the plane and is then so many pixels (right, down) from it, in turn."""
    size = np.array(panel.explorer.size) * DPI
    x0, y0 = panel.canvas.to_pixels("plane", [start])[0] / size
    for i, (right, down) in enumerate(pixels):
        x, y = (x0, y0) + np.array([right, down]) / size
        panel.pointer.drag(id, x0, y0, x, y, done and i == len(pixels) - 1)


def test_a_click_removes_a_point_and_adds_one_where_none_is(panel):
    gesture(panel, (1.0, 0.0), (0, 0), (2, 1))
    assert panel.values["points"] == START[:1]
    gesture(panel, (0.0, 1.0), (0, 0), (0, 0), id=2)
    assert len(panel.values["points"]) == 2


def test_a_point_that_was_dragged_away_and_back_stays(panel):
    gesture(panel, (1.0, 0.0), (0, 0), (40, 20), (1, 1))
    assert len(panel.values["points"]) == 2 and panel.values["points"][1] == pytest.approx((1.0, 0.0, 1), abs=0.02)


def test_a_way_from_an_empty_place_and_back_adds_nothing(panel):
    gesture(panel, (0.0, 1.5), (0, 0), (40, 20), (0, 0))
    assert panel.values["points"] == START


def test_the_first_gesture_of_a_new_view_holds_its_own_point(panel):
    """A page that was loaded again, and a second view of the panel, count their gestures from 1 again."""
    gesture(panel, (1.0, 0.0), (0, 0), (40, 0))
    gesture(panel, (-1.0, 0.0), (0, 0), (0, 40))
    (_, left), (_, right) = [point[:2] for point in panel.values["points"]]
    assert left < -0.3 and right == pytest.approx(0, abs=1e-5)
    gesture(panel, (0.0, 1.5), (0, 0), (0, 40))
    assert panel.values["points"][0][1] == left, "far from every point nothing is held"


def test_a_gesture_holds_its_point_until_it_is_done(panel):
    gesture(panel, (1.0, 0.0), (0, 0), (-100, 0), (-340, 0))
    moved = panel.values["points"]
    assert moved[0] == START[0] and moved[1][0] < -0.8, "past the other point, which stays"
