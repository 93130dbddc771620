"""Paint leaves points all along the way of a drag, the same in every run, and the eraser takes them away."""

from types import SimpleNamespace

import numpy as np
import pytest
from hand import Hand, plane
from panels import drag

from kernelkit.course.panel.controls import NoQuestion, Samples
from kernelkit.course.panel.editors import ERASER
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.spray import DAB, EACH, REACH, SCATTER

SPRAY = Samples("points", "points", (), (-2.0, -2.0), (2.0, 2.0), "plane", most=500, spray=True)
LEFT = (-1.0, 0.0)


@pytest.fixture
def hand():
    return Hand(SPRAY)


def panel_with(points):
    """A panel over the same plane."""
    made = Explorer(
        title="T",
        controls=(SPRAY,),
        compute=lambda points: SimpleNamespace(),
        picture=plane,
        readout=lambda state: {},
        shows="Points.",
        code=lambda points: "",
        scenes={},
        question=NoQuestion("a test"),
    )
    return made(points=points)


def pixels(hand):
    return hand.canvas.to_pixels("plane", np.array(hand.points())[:, :2])


def test_a_drag_leaves_dabs_all_along_its_way(hand):
    hand.gesture(LEFT, (0, 0), (10 * DAB, 0))
    gaps = pixels(hand) - hand.canvas.to_pixels("plane", [LEFT])
    assert len(gaps) == 10 * EACH and {label for *_, label in hand.points()} == {1}
    dabs = np.repeat(DAB * np.arange(10), EACH)
    assert np.abs(gaps - np.column_stack([dabs, 0 * dabs])).max() < 4 * SCATTER
    assert 0.5 * SCATTER < (gaps - np.column_stack([dabs, 0 * dabs])).std() < 1.5 * SCATTER


def test_the_dabs_do_not_depend_on_how_often_the_page_tells_where_the_pointer_is(hand):
    other = Hand(SPRAY)
    hand.gesture(LEFT, (0, 0), (5, 0), (17, 0), (100, 0), (121, 0))
    other.gesture(LEFT, (0, 0), (121, 0))
    assert np.array(hand.points()) == pytest.approx(np.array(other.points())) and len(hand.points()) == 10 * EACH


def test_a_click_is_one_point_where_it_is_also_on_another_point(hand):
    hand.gesture(LEFT, (0, 0), (0, 0))
    hand.pointer.adds = -1
    hand.gesture(LEFT, (2, 0), id=2)
    assert hand.points()[0] == pytest.approx((*LEFT, 1), abs=1e-6)
    assert [label for *_, label in hand.points()] == [1, -1], "a click on a point takes nothing away"


def test_a_drag_moves_no_point_and_the_page_marks_none(hand):
    hand.gesture(LEFT, (0, 0))
    hand.gesture(LEFT, (0, 0), (50, 0), id=2)
    assert hand.points()[0] == pytest.approx((*LEFT, 1), abs=1e-6) and len(hand.points()) > 1
    assert hand.pointer.marks(hand.canvas, hand.values) == ({}, {})


def test_the_eraser_takes_away_what_it_meets_and_nothing_else(hand):
    hand.gesture(LEFT, (0, 0), (20 * DAB, 0))
    before = hand.points()
    hand.pointer.adds = ERASER
    hand.gesture(LEFT, (0, 0), (10 * DAB, 0), id=2)
    way = hand.canvas.to_pixels("plane", [LEFT]) + [(DAB * i, 0) for i in range(10)]
    places = hand.canvas.to_pixels("plane", np.array(before)[:, :2])
    met = np.hypot(*(places[:, None] - way).transpose(2, 0, 1)).min(axis=1) <= REACH
    assert hand.points() == tuple(p for p, gone in zip(before, met, strict=True) if not gone)
    assert 0 < len(hand.points()) < len(before)
    hand.gesture(tuple(hand.points()[-1][:2]), (0, 0), id=3)
    assert before[-1] not in hand.points(), "a click erases, too"


def test_paint_stays_in_the_plane_and_is_used_up(hand):
    hand.gesture((1.9, 0.0), (0, 0), (400, 0))
    assert 0 < len(hand.points()) <= 4 * EACH and max(x for x, *_ in hand.points()) <= 2.0
    hand.gesture((-1.9, 1.9), *((30 * i, (i % 2) * 350) for i in range(20)), id=2)
    assert len(hand.points()) == SPRAY.most


def test_the_list_of_points_waits_until_the_drag_ends():
    """A browser builds it anew, with hundreds of names, whenever there is one more."""
    panel = panel_with(points=())
    box, (x, y) = panel.inputs["points"], (0.2, 0.5)
    drag(panel, id=1, x0=x, y0=y, x=x, y=y)
    drag(panel, id=1, x0=x, y0=y, x=x + 60 / (DPI * 7), y=y)
    assert len(box.value) == 5 * EACH and len(box.chosen.options) == 0
    drag(panel, id=1, x0=x, y0=y, x=x + 60 / (DPI * 7), y=y, done=True)
    assert len(box.chosen.options) == len(box.value) == 5 * EACH


def test_single_points_are_moved_added_and_removed_with_the_keyboard_when_asked_for():
    panel = panel_with(points=((0.5, 0.5, 1), (-0.5, -0.5, -1)))
    box = panel.inputs["points"]
    assert box.single.layout.display == "none"
    box.one_by_one.value = True
    assert box.single.layout.display is None
    box.chosen.value = 1
    box.coordinates[0].value = 1.0
    assert panel.values["points"][1] == (1.0, -0.5, -1)
    box.remove_button.click()
    assert panel.values["points"] == ((0.5, 0.5, 1),)
    box.adds.value = -1
    box.add_button.click()
    assert panel.values["points"][1][2] == -1
    box.adds.value = ERASER
    box.add_button.click()
    assert len(panel.values["points"]) == 2, "the eraser adds nothing"
