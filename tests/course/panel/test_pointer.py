"""What a gesture of the pointer means: a click, or a drag of the point that it began at, and of no other."""

import dataclasses

import numpy as np
import pytest
from hand import Hand

from kernelkit.course.panel.controls import Choice, Items, Points, Samples, Slider
from kernelkit.course.panel.pointer import REACH

SAMPLES = Samples("points", "points", ((-1.0, 0.0, -1), (1.0, 0.0, 1)), (-2.0, -2.0), (2.0, 2.0), "plane", most=3)
POINTS = Points("points", "point", ((-1.0, 0.0), (1.0, 0.0)), (-2.0, -2.0), (2.0, 2.0), "plane")
ITEMS = Items(
    "points",
    "thing",
    ("left", "right"),
    ("one", "other"),
    ("left", "right"),
    lambda value: tuple((-1.0 if place == "left" else 1.0, float(i)) for i, place in enumerate(value)),
    lambda x, y: "left" if x < 0 else "right",
    (-2.0, -2.0),
    (2.0, 2.0),
    "plane",
)
ROUND, TILT = Slider("round", "round", 0, -180, 180, 1), Slider("tilt", "tilt", 30, 0, 90, 5)

GIVEN = np.array([[-1.0, 1.0], [1.0, 1.0]]), np.array([-1, 1])
TRAY = Samples("points", "points", (), (-2.0, -2.0), (2.0, 2.0), "plane", given=lambda _: ("two", *GIVEN), floor=-1.0)


@pytest.fixture
def hand():
    return Hand(SAMPLES)


def test_a_click_removes_a_point_and_adds_one_where_none_is(hand):
    hand.gesture((1.0, 0.0), (0, 0), (2, 1))
    assert hand.points() == SAMPLES.start[:1]
    hand.pointer.adds = -1
    hand.gesture((0.0, 1.0), (0, 0), (0, 0), id=2)
    assert hand.points() == (SAMPLES.start[0], pytest.approx((0.0, 1.0, -1), abs=1e-5))


def test_no_more_points_than_allowed(hand):
    for i in range(3):
        hand.gesture((0.5 * i, 1.5), (0, 0), id=i)
    assert len(hand.points()) == SAMPLES.most


def test_a_point_that_was_dragged_away_and_back_stays(hand):
    hand.gesture((1.0, 0.0), (0, 0), (40, 20), (1, 1))
    assert len(hand.points()) == 2 and hand.points()[1] == pytest.approx((1.0, 0.0, 1), abs=0.02)


def test_a_way_from_an_empty_place_and_back_adds_nothing(hand):
    hand.gesture((0.0, 1.5), (0, 0), (40, 20), (0, 0))
    assert hand.points() == SAMPLES.start


def test_the_first_gesture_of_a_new_view_holds_its_own_point(hand):
    """A page that was loaded again, and a second view of the panel, count their gestures from 1 again."""
    hand.gesture((1.0, 0.0), (0, 0), (40, 0))
    hand.gesture((-1.0, 0.0), (0, 0), (0, 40))
    (_, left, _), (_, right, _) = hand.points()
    assert left < -0.3 and right == pytest.approx(0, abs=1e-5)
    hand.gesture((0.0, 1.5), (0, 0), (0, 40))
    assert hand.points()[0][1] == left, "far from every point nothing is held"


@pytest.mark.parametrize("control", [SAMPLES, POINTS], ids=["samples", "points"])
def test_a_gesture_holds_its_point_until_it_is_done(control):
    hand = Hand(control)
    hand.gesture((1.0, 0.0), (0, 0), (-100, 0), (-340, 0))
    assert hand.points()[0] == control.start[0] and hand.points()[1][0] < -0.8, "past the other point, which stays"


def test_a_point_stays_in_its_box():
    hand = Hand(POINTS)
    hand.gesture((1.0, 0.0), (0, 0), (2000, -2000))
    assert hand.points()[1] == (2.0, 2.0)


def test_a_click_on_a_point_that_cannot_be_removed_does_nothing():
    hand = Hand(POINTS)
    assert hand.gesture((1.0, 0.0), (0, 0)) == {"points": POINTS.start}


def test_a_drag_from_an_empty_place_turns_by_whole_steps_and_one_from_a_point_does_not():
    hand = Hand(POINTS, ROUND, TILT, turn=("round", "tilt"))
    hand.gesture((0.0, 1.5), (0, 0), (-70, 38))  # a tenth of the picture
    assert (hand.values["round"], hand.values["tilt"], hand.points()) == (18, 40, POINTS.start)
    hand.gesture((1.0, 0.0), (0, 0), (-70, 38))
    assert (hand.values["round"], hand.values["tilt"]) == (18, 40) and hand.points() != POINTS.start


def test_a_click_chooses_what_the_explorer_says_and_only_when_it_is_done():
    hand = Hand(ROUND, click={"plane": lambda state, x, y: {"round": round(10 * x)} if state else {}})
    assert hand.gesture((1.5, 0.0), (0, 0), done=False)["round"] == 0
    assert hand.gesture((1.5, 0.0), (0, 0), id=2)["round"] == 15
    assert hand.gesture((-1.5, 0.0), (0, 0), id=3, state=None)["round"] == 15, "nothing is shown yet"


def test_what_is_told_is_of_the_place_under_the_pointer():
    hand = Hand(ROUND, tell={"plane": lambda state, x, y: f"{state} at {x:.0f}, {y:.0f}"})
    assert hand.pointer.tell(hand.canvas, "s", 0.75, 0.25) == "s at 1, 1"
    assert hand.pointer.tell(hand.canvas, "s") == hand.pointer.tell(hand.canvas, None, 0.5, 0.5) == ""


def test_the_page_is_told_where_the_points_are_and_how_far_they_may_go():
    hand = Hand(POINTS)
    marks, looks = hand.pointer.marks(hand.canvas, {"points": ((-1.0, 0.0), (1.5, 1.0))})
    assert marks["places"] == [pytest.approx([0.25, 0.5], abs=1e-4), pytest.approx([0.875, 0.25], abs=1e-4)]
    assert marks["boxes"] == [pytest.approx([0, 0, 1, 1], abs=1e-4)] and marks["box"] == [0, 0]
    assert len(looks["of"]) == 2
    assert marks["reach"] == REACH


def test_nothing_can_be_dragged_where_there_are_no_points_or_they_are_hidden():
    hidden = dataclasses.replace(POINTS, when=lambda v: False)
    for hand in (Hand(ROUND), Hand(hidden)):
        assert hand.pointer.marks(hand.canvas, hand.values) == ({}, {})
    hand = Hand(SAMPLES)
    assert hand.pointer.marks(hand.canvas, {"points": ()}) == ({}, {})


def test_given_points_are_moved_and_taken_away_like_added_ones():
    def given(values):
        return values["data"], np.array([[-1.0, 0.0], [1.0, 0.0]]) * values["far"], np.array([-1.0, 1.0])

    samples = dataclasses.replace(SAMPLES, start=(), given=given)
    hand = Hand(samples, Choice("data", "data", "one", ("one", "two")), Slider("far", "far", 1, 1, 2, 1))
    hand.gesture((1.0, 0.0), (0, -40), id=1)
    hand.gesture((-1.0, 0.0), (0, 0), id=2)
    hand.gesture((-1.0, 0.0), (0, 0), id=3)
    (x, y, label, *_), added = samples.present(hand.values)
    assert (x, label) == pytest.approx((1.0, 1.0), abs=1e-4) and y > 0.3 and added[3] == ""
    hand.gesture((x, y), (0, 40), id=4)
    assert samples.present(hand.values)[0][:2] == pytest.approx((1.0, 0.0), abs=1e-4), "moved again, not once more"
    assert len(hand.points()) == 3
    assert [p[0] for p in samples.present(hand.values | {"data": "two"})][:2] == [-1.0, 1.0], "other data are untouched"


def test_a_click_next_to_a_point_adds_one_and_a_drag_from_there_moves_it(hand):
    hand.gesture((1.12, 0.0), (0, 0))  # 21 pixels from it
    assert len(hand.points()) == 3
    hand.gesture((-1.12, 0.0), (0, 0), (40, 0), done=False, id=2)
    assert len(hand.points()) == 3 and hand.points()[0][0] > -0.9


def test_a_point_that_is_thrown_away_lies_in_the_tray_and_comes_back():
    hand = Hand(TRAY)
    hand.gesture((1.0, 1.0), (0, 0))
    (x, y, label, *which) = TRAY.present(hand.values)[1]
    assert (x, label, which) == (1.0, 0, ["two", 1]) and -2 < y < -1
    hand.gesture((x, y), (0, 0), id=2)
    assert hand.points() == (), "a click brings it back to where it was"
    hand.gesture((1.0, 1.0), (0, 238), id=3)  # 2.5 down
    assert TRAY.present(hand.values)[1][2] == 0
    hand.gesture(hand.points()[0][:2], (0, -95), id=4)
    assert TRAY.present(hand.values)[1][:3] == (pytest.approx(1.0), pytest.approx(-0.5, abs=0.02), 1)


def test_a_point_that_was_added_is_judged_by_where_it_lies():
    hand = Hand(TRAY)
    hand.gesture((0.0, 0.0), (0, 0))
    hand.gesture((0.0, 0.0), (0, 142), id=2)
    assert TRAY.present(hand.values)[2][2] == 0
    hand.gesture((0.0, -1.5), (0, -142), id=3)
    assert TRAY.present(hand.values)[2][2] == 1
    before = hand.points()
    hand.gesture((0.0, -1.5), (0, 0), id=4)
    assert hand.points() == before, "nobody adds a point to the tray"


def test_a_thing_is_dragged_to_a_place_and_a_click_on_it_moves_it_on():
    hand = Hand(ITEMS)
    hand.gesture((-1.0, 0.0), (0, 0), (100, 0), done=False)
    assert hand.points() == ("left", "right"), "on the way it lies where the pointer is"
    hand.gesture((-1.0, 0.0), (100, 0), (300, 0))
    assert hand.points() == ("right", "right")
    hand.gesture((1.0, 1.0), (0, 0), (0, 0), id=2)
    assert hand.points() == ("right", "left")
    for id, right, first in ((3, REACH + 2, "right"), (4, REACH - 2, "left")):
        hand.gesture(hand.canvas.to_data("plane", 0.75 + right / 700, 0.5), (0, 0), (0, 0), id=id)
        assert hand.points() == (first, "left"), "a click takes what a press takes hold of, and nothing farther away"
    marks, _ = hand.pointer.marks(hand.canvas, hand.values)
    assert marks["snaps"] and not Hand(POINTS).pointer.marks(hand.canvas, Hand(POINTS).values)[0]["snaps"]
