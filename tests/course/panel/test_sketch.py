"""Answers that are drawn: what a pointer moves, what is hidden until it was seen, and what is said of a curve."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from panels import drag

from kernelkit.course.panel.controls import Points, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line
from kernelkit.course.panel.question import ANSWERS
from kernelkit.course.panel.sketch import AWAY, HOW, WAIT, Sketch, compared, curve_through

LINE = np.linspace(-2, 2, 81)
HEIGHTS = st.lists(st.integers(-200, 200).map(lambda v: v / 100), min_size=5, max_size=5)


@pytest.fixture(autouse=True)
def fresh_kernel():
    ANSWERS.clear()


def sketch(kind="curve", start=((-2.0, 0.0), (0.0, 0.0), (2.0, 0.0)), **more):
    common = {"axes": "plane", "low": (-2.0, -2.0), "high": (2.0, 2.0), "scene": "There", "why": "Because it is."}
    return Sketch("Where?", kind, start=start, judge=lambda drawn, values: f"{drawn} < {values['a']}", **common | more)


def explorer(question):
    def picture(state):
        line, dots = Line([-2, 2], [state.a] * 2, name="line"), Dots(*np.transpose(state.points), name="dots")
        return [[Axes("", Axis("", -2, 2), Axis("", -2, 2), line, dots, name="plane", place=(0, 0, 1, 1))]]

    return Explorer(
        title="A line",
        controls=(
            Slider("a", "height", 0.5, -1.0, 1.0),
            Points("points", "point", ((1.0, -1.0),), (-2.0, -2.0), (2.0, 2.0), "plane"),
        ),
        compute=lambda **values: SimpleNamespace(**values),
        picture=picture,
        readout=lambda state: {"height": state.a},
        shows="A line.",
        code=lambda **values: "",
        scenes={"There": {"a": 1.0}, "Low": {"a": -1.0}},
        question=question,
        tell={"plane": lambda state, x, y: "a place"},
    )


def pull(panel, place, to, id=1):
    """A gesture from one place of the plane to another, at one stroke."""
    (x0, y0), (x, y) = ((0.5 + u / 4, 0.5 - v / 4) for u, v in (place, to))
    drag(panel, id=id, x0=x0, y0=y0, x=x, y=y, done=True)


# ---- drawing -----------------------------------------------------------------------------------------------


@given(HEIGHTS, st.booleans())
def test_a_curve_goes_through_its_handles_and_turns_nowhere_else(heights, logarithmic):
    places = np.array([0.1, 0.5, 1.0, 3.0, 10.0])
    curve = curve_through(tuple(zip(places, heights, strict=True)), logarithmic)
    assert curve(places) == pytest.approx(heights, abs=1e-9)
    for left, right, low, high in zip(places, places[1:], heights, heights[1:], strict=False):
        between = curve(np.linspace(left, right, 33))
        steps = np.diff(between) * np.sign(high - low)
        assert (steps >= -1e-9).all() and np.ptp(between) <= abs(high - low) + 1e-9


def test_on_a_logarithmic_axis_a_line_in_the_logarithm_is_a_line():
    curve = curve_through(((0.01, 1.0), (1.0, 3.0), (100.0, 5.0)), logarithmic=True)
    assert curve(np.array([0.1, 10.0])) == pytest.approx([2.0, 4.0])


@given(st.integers(0, 2), st.tuples(st.floats(-9, 9), st.floats(-9, 9)))
def test_a_handle_stays_in_its_box_and_moves_no_other(index, place):
    for question in (sketch(), sketch("points")):
        moved = question.moved(question.start, index, place)
        assert [p for i, p in enumerate(moved) if i != index] == [p for i, p in enumerate(question.start) if i != index]
        corners = np.sort(question.corners(question.start[index]), axis=0)
        assert (corners[0] <= moved[index]).all() and (moved[index] <= corners[1]).all()
    assert sketch().moved(sketch().start, index, place)[index][0] == sketch().start[index][0]


def test_the_pointer_pulls_the_ring_that_is_near_and_the_page_is_told_where_it_is():
    panel = explorer(sketch())()
    before = panel.picture.png
    pull(panel, (0, 0), (0.3, 1.5))
    assert np.array(panel.asking.answered()) == pytest.approx(np.array([(-2, 0), (0, 1.5), (2, 0)]), abs=1e-3)
    assert panel.picture.png != before and panel.values["points"] == ((1.0, -1.0),)
    marks = panel.picture.marks
    assert marks["places"][1] == pytest.approx([0.5, 0.125], abs=1e-3)
    assert marks["boxes"][marks["box"][1]] == pytest.approx([0.5, 0, 0.5, 1], abs=1e-3), (
        "a handle of a curve keeps its x"
    )
    assert [name for name, _ in marks["handles"]] == ["ring 1 of 3", "ring 2 of 3", "ring 3 of 3"]
    assert len(marks["places"]) == len(panel.picture.looks["of"]) == 4, "three rings, and the point of the explorer"


def test_points_of_the_explorer_can_be_pulled_meanwhile():
    panel = explorer(sketch())()
    pull(panel, (1.0, -1.0), (1.5, -1.5))
    assert panel.asking.answered() is None
    assert panel.values["points"][0] == pytest.approx((1.5, -1.5), abs=1e-2)


def test_a_key_moves_a_ring_by_less_than_a_pointer_can():
    panel = explorer(sketch())()
    drag(panel, id=1, x0=0.5, y0=0.5, x=0.5, y=0.497, done=True, key=True)
    assert panel.asking.answered()[1][1] == pytest.approx(0.012, abs=1e-3)


def test_a_click_brings_the_marker():
    panel = explorer(sketch("marker", ((0.0, 0.0),)))()
    pull(panel, (-1.0, 1.0), (-1.0, 1.0))
    assert panel.asking.answered() == (pytest.approx((-1.0, 1.0), abs=1e-3),)


def test_rings_that_nobody_has_moved_leave_the_picture_and_come_back_with_reset():
    panel = explorer(sketch())()
    first, plain = panel.picture.png, explorer(sketch())(ask=False)
    for move in (lambda: panel.set(a=-1.0), lambda: panel.go("Low"), lambda: pull(panel, (1.0, -1.0), (1.5, -1.5))):
        move()
        plain.set(**panel.values)
        assert panel.picture.png == plain.picture.png and not panel.picture.marks["handles"]
        panel.scenes.reset.click()
        assert panel.picture.png == first and len(panel.picture.marks["handles"]) == 3


def test_to_drag_rings_is_said_only_while_there_are_rings():
    panel = explorer(sketch())()
    how = panel.asking.how
    assert how.value.startswith(HOW["curve"])
    for move in (lambda: panel.set(a=-1.0), lambda: panel.go("There")):
        move()
        assert not panel.asking.handles and how.value == AWAY
        panel.scenes.reset.click()
        assert panel.asking.handles and how.value.startswith(HOW["curve"])
    panel.answer(((-2.0, 0.0), (0.0, 1.5), (2.0, 0.0)))
    panel.go("Low")
    assert panel.asking.handles and how.value.startswith(HOW["curve"]), "what was drawn stays, and can be dragged"


def test_rings_that_were_moved_stay_until_the_sketch_was_seen():
    panel, drawn = explorer(sketch())(), ((-2.0, 0.0), (0.0, 1.5), (2.0, 0.0))
    panel.answer(drawn)
    for move in (lambda: panel.set(a=-1.0), lambda: panel.go("Low"), panel.scenes.reset.click):
        move()
        assert panel.asking.handles == panel.asking.shown == drawn


def test_after_see_it_reset_brings_no_rings():
    panel = explorer(sketch())()
    panel.asking.see.click()
    panel.scenes.reset.click()
    assert panel.asking.handles == () and panel.asking.shown is None


# ---- seeing ------------------------------------------------------------------------------------------------


def test_what_would_give_it_away_appears_with_the_scene():
    panel = explorer(sketch(hides=("line",)))()
    panel.set(a=0.2)
    bare = panel.picture.png
    panel.set(a=-0.5)
    assert panel.picture.png == bare and panel.words == WAIT, "the line moves unseen"
    panel.picture.hover = {"x": 0.5, "y": 0.5}
    assert panel.picture.told["text"] == ""
    panel.asking.see.click()
    assert panel.picture.png != bare and panel.words == "height\u00a01.0"
    panel.picture.hover = {"x": 0.5, "y": 0.4}
    assert panel.picture.told["text"] == "a place"
    panel.set(a=-0.5)
    assert panel.picture.png != bare and panel.words == "height\u00a0-0.5"


def test_seen_the_sketch_is_judged_at_the_scene_and_stays_only_there():
    panel = explorer(sketch())()
    panel.answer(((-2.0, 0.0), (0.0, 1.5), (2.0, 0.0)))
    panel.asking.see.click()
    assert "(0.0, 1.5)" in panel.asking.why.value and "&lt; 1.0" in panel.asking.why.value
    there = panel.picture.png
    pull(panel, (0.0, 1.5), (0.0, -1.5))
    assert panel.asking.answered()[1] == (0.0, 1.5), "what was seen is not changed any more"
    panel.set(a=0.9)
    panel.set(a=1.0)
    plain = explorer(sketch())()
    plain.asking.uncover()
    plain.set(a=1.0)
    assert panel.picture.png == plain.picture.png != there, "elsewhere it is gone"
    panel.asking.see.click()
    assert panel.picture.png == there


def test_who_draws_nothing_sees_it_without_a_verdict():
    panel = explorer(sketch())()
    assert panel.asking.see.layout.visibility == "visible"
    panel.asking.see.click()
    assert panel.asking.why.value.startswith("Because it is.") and panel.values["a"] == 1.0


def test_the_same_cell_run_again_keeps_the_sketch():
    drawn = ((-2.0, 0.0), (0.0, 1.5), (2.0, 0.0))
    explorer(sketch())().answer(drawn)
    assert explorer(sketch())().asking.handles == drawn


@pytest.mark.parametrize("drawn", ["ab", None, 5, (), ((0.0, 0.0),), ((0.0, np.nan),) * 3, ((0.0, 0.0, 1.0),) * 3])
def test_what_is_no_sketch_is_refused_and_the_sketch_stays(drawn):
    kept = ((-2.0, 0.0), (0.0, 1.5), (2.0, 0.0))
    panel = explorer(sketch())()
    panel.answer(kept)
    with pytest.raises((TypeError, ValueError), match=r"^[Tt]he sketch "):
        panel.answer(drawn)
    assert panel.asking.handles == explorer(sketch())().asking.handles == kept


def test_a_sketch_that_is_written_keeps_to_its_box():
    panel = explorer(sketch())()
    panel.answer([[-9, 0], [0, 99], [9, -99]])
    (_, bottom), (_, top) = sketch().low, sketch().high
    places = [x for x, _ in sketch().start]
    assert panel.asking.answered() == ((places[0], 0.0), (places[1], top), (places[2], bottom))


def test_a_stored_page_hides_the_answer_until_it_was_seen():
    panel = explorer(sketch(hides=("line",)))()
    hidden, metadata = panel._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == panel.explorer.alternative(WAIT) and "0.5" not in hidden["text/plain"]
    panel.asking.uncover()
    shown, metadata = panel._repr_mimebundle_()
    assert metadata["image/png"]["alt"].endswith("height\u00a00.5") and shown["image/png"] != hidden["image/png"]


@pytest.mark.parametrize(
    ("change", "message"),
    [({"kind": "lines"}, "The kind of a sketch is one of"), ({"kind": "marker"}, "A marker has one handle, got 3")],
)
def test_a_sketch_that_cannot_be_drawn_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        sketch(**change)


# ---- judging -----------------------------------------------------------------------------------------------


def handles(curve, count=5):
    return tuple((float(x), float(curve(x))) for x in np.linspace(-2, 2, count))


@given(HEIGHTS.filter(lambda h: np.ptp(h) > 0.1))
def test_the_curve_itself_is_recognised(heights):
    drawn = tuple(zip(np.linspace(-2, 2, 5), heights, strict=True))
    assert compared(drawn, LINE, curve_through(drawn)(LINE)) == "is almost the curve itself"


@given(HEIGHTS.filter(lambda h: np.ptp(h) > 0.1), st.floats(0.1, 10), st.floats(-5, 5))
def test_units_do_not_matter(heights, scale, shift):
    drawn, truth = tuple(zip(np.linspace(-2, 2, 5), heights, strict=True)), np.sin(LINE)
    other = tuple((x, scale * y + shift) for x, y in drawn)
    same = [compared(*pair) for pair in ((drawn, LINE, truth), (other, LINE, scale * truth + shift))]
    assert same[0].partition(",")[0] == same[1].partition(",")[0]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (lambda x: 0.0, "is no closer than a flat line would be"),
        (lambda x: np.sign(x) * max(1.5 * abs(x) - 1, 0), "is much closer than any flat line, too flat in the middle"),
        (lambda x: x + 0.9, "is closer than any flat line, too high"),
        (lambda x: x - 0.9, "is closer than any flat line, too low"),
        (lambda x: x if x < 0.5 else 2 * x - 0.5, "too high in the right third"),
        (lambda x: x if abs(x) > 0.7 else -x, "and the curve rises in the middle"),
    ],
)
def test_a_sketch_of_a_rising_line_is_told_how_it_differs(drawn, said):
    assert said in compared(handles(drawn, 9), LINE, LINE)
