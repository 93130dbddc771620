"""What counts as a move of the learner's and what does not; what a panel does with errors, code, screens, steps."""

import dataclasses
import sys
from pathlib import Path
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pytest
import traitlets
from panels import drag, explorers

from kernelkit.course.explorers import images, kernel_perceptron, kernel_trick, start_here, support_vector_machine
from kernelkit.course.panel import explorer as machinery
from kernelkit.course.panel.controls import (
    Choice,
    Items,
    NoQuestion,
    Points,
    Question,
    Samples,
    Slider,
    Stepper,
    Switch,
    Text,
)
from kernelkit.course.panel.explorer import Panel
from kernelkit.course.panel.marks import Axes
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.question import ANSWERS

FOLDER = Path(machinery.__file__).parent


@pytest.fixture(autouse=True)
def fresh_kernel(monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")
    ANSWERS.clear()


def test_a_moved_slider_reaches_its_picture_through_a_dozen_functions():
    """From the widget's value to the PNG, and on its way a dozen of the canvas; the numbers and the marks of the
    explorer are not on it."""
    panel, entered, done = start_here.bumps(), {}, []
    panel.picture.observe(lambda _: done.append(True), "png")

    def enter(frame, event, _):
        code, file = frame.f_code, Path(frame.f_code.co_filename)
        if event == "call" and not done and file.parent == FOLDER and file.stem not in ("numbers", "parts", "marks"):
            entered[file.stem, code.co_qualname.partition(".<locals>")[0]] = None

    sys.setprofile(enter)
    try:
        panel.inputs["sigma"].value = 0.6
    finally:
        sys.setprofile(None)
    drawing = [name for name in entered if name[0] in ("canvas", "lettering") or name[1].startswith("Canvas.")]
    assert done and len(drawing) <= 12 and len(entered) - len(drawing) <= 12, "\n".join(map(".".join, entered))


def test_a_second_panel_need_not_ask_again():
    asking, silent = start_here.bumps(), start_here.bumps(ask=False, sigma=1.0)
    assert asking.asking.children and not silent.asking.children
    assert silent.asking.handles == () and silent.values["sigma"] == 1.0
    assert silent.words == start_here.bumps.words(silent.state) != asking.words


@pytest.mark.parametrize("noise", [4e-16, -4e-16, 1e-12])
def test_the_noise_of_a_browser_is_no_move(noise):
    panel = start_here.bumps()
    picture, box = panel.picture.png, panel.inputs["points"]
    box.coordinates[0].value += noise
    panel.inputs["sigma"].value += noise
    assert panel.picture.png is picture


def test_a_place_between_the_steps_of_its_sliders_stays_there():
    """A browser shows it rounded, and sends what it shows back: a point would jump when it is dragged or reset."""
    box = start_here.bumps().inputs["points"]
    step, other = box.control.step, box.value[1:]
    box.move(0, (0.5 + 0.4 * step, -0.5 + 0.4 * step))
    place = box.value[0]
    for slider, shown in zip(box.coordinates, (0.5, -0.5), strict=True):
        slider.value = shown
    assert box.value == (place, *other)
    box.coordinates[0].value = 0.5 + step  # an arrow key, from what is shown
    assert box.value == ((0.5 + step, place[1]), *other)


def test_the_sliders_of_a_dragged_point_wait_until_it_is_let_go():
    """The browser answers each slider that moves by itself with a message: two more for each picture of a drag."""
    panel = start_here.bumps(ask=False)
    box, (x, y) = panel.inputs["points"], panel.picture.marks["places"][0]
    before = [slider.value for slider in box.coordinates]
    drag(panel, id=1, x0=x, y0=y, x=x + 0.05, y=y)
    drag(panel, id=1, x0=x, y0=y, x=x + 0.1, y=y)
    assert box.value[0][0] > before[0] + 0.5 and [slider.value for slider in box.coordinates] == before
    drag(panel, id=1, x0=x, y0=y, x=x + 0.1, y=y, done=True)
    assert [slider.value for slider in box.coordinates] == pytest.approx(box.value[0])
    box.move(0, before)
    assert [slider.value for slider in box.coordinates] == before


def test_a_step_is_a_move():
    for step in (lambda p: setattr(p.inputs["sigma"], "value", 0.55), lambda p: p.inputs["points"].move(0, (0, 0))):
        panel = start_here.bumps()
        picture = panel.picture.png
        step(panel)
        assert panel.picture.png != picture


def test_a_control_that_comes_back_from_an_error_draws_again(monkeypatch):
    monkeypatch.delenv("KERNELKIT_STRICT", raising=False)
    panel = kernel_trick.identity()
    panel.explorer = type("Broken", (), {"__getattr__": lambda _, name: getattr(kernel_trick.identity, name)})()
    panel.explorer.compute = lambda **values: 1 / 0
    panel.inputs["degree"].value = 3
    assert panel.error.value
    panel.explorer = kernel_trick.identity
    panel.inputs["degree"].value = 2
    assert not panel.error.value and panel.values["degree"] == 2


def broken(explorer):
    """The same explorer, which can compute nothing."""

    def compute(**values):
        raise ValueError("σ must be > 0")

    return dataclasses.replace(explorer, compute=compute)


def failing(explorer):
    """A panel that can compute nothing from now on."""
    panel = explorer()
    panel.explorer = broken(explorer)
    return panel


def test_error_is_shown_in_words_and_the_panel_lives_on(monkeypatch):
    monkeypatch.delenv("KERNELKIT_STRICT")
    explorer = kernel_trick.identity
    panel = failing(explorer)
    panel.inputs["degree"].value = 3
    assert "σ must be &gt; 0" in panel.error.value
    panel.explorer = explorer
    panel.inputs["degree"].value = 4
    assert panel.error.value == "" and panel.values["degree"] == 4


def test_error_is_raised_when_strict():
    panel = failing(kernel_trick.identity)
    with pytest.raises(ValueError, match="σ must be"):
        panel.inputs["degree"].value = 3


def test_a_panel_that_cannot_be_drawn_is_shown_with_its_reason(monkeypatch):
    """What IPython asks for at the end of a cell: without a picture the text says why."""
    monkeypatch.delenv("KERNELKIT_STRICT")
    bundle, _ = broken(kernel_trick.identity)()._repr_mimebundle_()
    assert "image/png" not in bundle
    assert bundle["text/plain"].splitlines()[1:] == ["This setting does not work: σ must be > 0"]


def test_a_panel_that_cannot_be_drawn_raises_when_strict():
    with pytest.raises(ValueError, match="σ must be"):
        broken(kernel_trick.identity)()


def test_two_panels_do_not_share_anything():
    one, two = kernel_trick.identity(), kernel_trick.identity()
    one.inputs["degree"].value = 4
    assert two.values["degree"] == 2 and isinstance(two, Panel)


def test_sharp_screen_gets_more_pixels():
    panel = kernel_trick.identity()
    panel.picture.ratio = 2.0
    assert panel.canvas.figure.dpi == 2 * DPI
    size = np.array(panel.explorer.size) * DPI
    x, y = panel.canvas.to_pixels("plane", panel.values["points"])[0] / size
    drag(panel, id=1, x0=x, y0=y, x=x + 0.05, y=y)
    assert panel.values["points"][0][0] > 1.0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"scenes": {"Wide": {"sgima": 1.5}}},
            "There is no sgima in 'A curve made of bumps'; its controls are points, sigma\\.",
        ),
        ({"question": None}, "needs a Question, a Sketch or NoQuestion\\(because=…\\), got None"),
        ({"question": Question("?", ("a", "b"), 0, "Why.", "Wdie")}, "The scene 'Wdie' of the question"),
        ({"film": ("points",)}, "moves \\['points'\\]; its controls with numbers are \\['sigma'\\]"),
    ],
)
def test_an_explorer_says_what_it_lacks(change, says):
    with pytest.raises((TypeError, ValueError), match=says):
        dataclasses.replace(start_here.bumps, **change)


@pytest.mark.parametrize("given", [{"sigm": 1.0}, {"sigma": 0.5, "sigm": 1.0}])
def test_a_panel_names_its_controls_to_whoever_asks_for_another(given):
    says = "There is no sigm in 'A curve made of bumps'; its controls are points, sigma\\."
    with pytest.raises(ValueError, match=says):
        start_here.bumps(**given)
    panel = start_here.bumps()
    with pytest.raises(ValueError, match=says):
        panel.set(**given)
    assert panel.values == panel.first


PLANE, PAIR = {"low": (-1.0, -1.0), "high": (1.0, 1.0)}, ((0.0, 0.0), (0.5, 0.5))
ONE_OF_EACH = (
    Slider("sigma", "σ", 1.0, 0.1, 3.0, log=True),
    Slider("n", "n", 10, 10, 30, 5),
    Choice("kind", "kind", "a", ("a", "b")),
    Choice("D", "D", 20, (20, 50)),
    Switch("shown", "shown", False),
    Text("word", "word", "cat"),
    Points("points", "points", PAIR, **PLANE),
    Samples("mine", "mine", (), **PLANE, most=2, given=lambda values: ("disc", np.zeros((1, 2)), np.ones(1))),
    Samples("own", "own", (), **PLANE),
    Items("places", "places", ("left", "right"), ("A", "B"), ("left", "right"), lambda value: PAIR, max, **PLANE),
    Stepper("step", "step", 7),
)


def keeping(*controls):
    """An explorer whose panel only keeps the values of these controls."""
    return dataclasses.replace(
        start_here.bumps,
        controls=controls,
        scenes={"Here": {}, "There": {}, "Nowhere": {}},
        question=NoQuestion("nobody asks"),
        compute=lambda **values: SimpleNamespace(),
        picture=lambda state: [[Axes(name="axes")]],
        readout=lambda state: {},
        tell={},
        film=(),
        motion=False,
    )


NONSENSE = [
    ("sigma", [-1, 3.5, np.nan, np.inf, "1", None, [1], True, 1j, np.ones(1), 10**400]),
    ("n", [12, 10.5, 5, 35, "10", True, np.nan]),
    ("kind", ["c", None, 3, ["a"], np.array(["a", "b"])]),
    ("D", [30, None, "20", np.nan, np.array([20, 50])]),
    ("shown", ["False", None, 0]),
    ("word", [3, None, ["cat"]]),
    (
        "points",
        [(), PAIR[:1], PAIR * 2, ((0, 0, 1), (0, 0, 1)), ((0, 2), (0, 0)), ((0, np.nan), (0, 0)), "ab", None, 5],
    ),
    ("mine", [((0, 0),), ((0, 0, 5),), ((0, 0, "1"),), ((0, 9, 1),), ((0, np.nan, 1),), ((0, 0, 1),) * 3, "abc", 5]),
    ("mine", [((0, 0, 1, "disc", 0.5),), ((0, 0, 1, 0, 0),), ((0, 0, 7, "disc", 0),), None, np.zeros((2, 3))]),
    ("own", [((0, 0, 0),), ((0, 0, 0, "disc", 0),), np.zeros((1, 3, 3))]),
    ("places", [(), ("left",), ("up", "left"), None, "ab", 5]),
    ("step", [-1, 8, 1.5, "1", None, np.nan]),
]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in NONSENSE for value in values])
def test_what_no_control_can_show_is_refused_in_one_sentence_and_moves_nothing(undrawn, name, value):
    explorer = keeping(*(control for control in ONE_OF_EACH if control.name == name))
    panel = explorer()
    before = panel.values
    for do in (explorer, panel.set):
        with pytest.raises((TypeError, ValueError), match=rf"^{name} [^\n]*\.$") as said:
            do(**{name: value})
        assert not isinstance(said.value, traitlets.TraitError)
    assert panel.values == before and not panel.trouble


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("sigma", 1, 1.0),
        ("sigma", np.float64(0.123456789), 0.123027),
        ("n", np.int64(15), 15),
        ("D", np.int64(50), 50),
        ("shown", np.True_, True),
        ("points", [[0, 1], [1, 0]], ((0.0, 1.0), (1.0, 0.0))),
        ("points", np.eye(2), ((1.0, 0.0), (0.0, 1.0))),
        ("mine", [[0, 1, 1.0], [0, 0, 0, "disc", 0]], ((0.0, 1.0, 1), (0.0, 0.0, 0, "disc", 0))),
        ("places", ["right", "right"], ("right", "right")),
    ],
)
def test_what_a_control_can_show_is_kept_as_the_control_keeps_it(name, value, kept):
    explorer = keeping(*(control for control in ONE_OF_EACH if control.name == name))
    panel = explorer(**{name: value})
    assert repr(panel.values[name]) == repr(kept) and panel.values == panel.first
    panel = explorer()
    panel.set(**{name: value})
    assert repr(panel.values[name]) == repr(kept)


def test_an_unknown_scene_and_what_is_no_yes_or_no_are_refused():
    panel = kernel_trick.identity(degree=4)
    with pytest.raises(ValueError, match="has no scene 'Nowhere'; there are Reset, "):
        panel.go("Nowhere")
    assert panel.values["degree"] == 4
    with pytest.raises(TypeError, match=r"^ask must be True or False, got 'x'\.$"):
        kernel_trick.identity(ask="x")


def test_the_column_of_controls_keeps_its_height_whatever_is_chosen():
    panel = images.filter_lab()
    kinds = {ipywidgets.FloatSlider: 42, ipywidgets.IntSlider: 42, ipywidgets.Dropdown: 30}  # pixels by the style sheet
    heights, rooms = set(), set()
    for kind in panel.inputs["kind"].options:
        panel.set(kind=kind[1])
        shown = sum(kinds[type(i)] for i in panel.inputs.values() if i.layout.display != "none")
        rooms.add(room := int(panel.room.layout.height.removesuffix("px")))
        heights.add(shown + room)
    assert len(heights) == 1 and min(rooms) == 0 < max(rooms)


def test_show_code_shows_the_code_of_now():
    panel = kernel_trick.identity()
    button = panel.coding
    button.click()
    panel.inputs["degree"].value = 3
    assert "Polynomial(3)" in panel.source.value and button.description == "Hide code"


def _press_a_key(panel):
    drag(panel, id=1, x0=0.5, y0=0.5, x=0.5, y=0.5, key=True, done=True)


def test_stepper_ends_where_the_run_ends():
    explorer = kernel_perceptron.stepper
    panel = explorer()
    last = explorer.compute(**panel.values).last_step
    box = panel.inputs["step"]
    box.buttons[-1].click()
    assert panel.values["step"] == last == box.slider.max
    box.buttons[1].click()
    assert panel.values["step"] == last - 1 and panel.words == explorer.words(explorer.compute(**panel.values))
    box.buttons[0].click()
    assert panel.values["step"] == 0
    box.calm(True)
    assert box.play.layout.display == "none"


@pytest.mark.parametrize("nothing", [lambda panel: panel.set(), lambda panel: panel.set(**panel.values), _press_a_key])
def test_what_moves_nothing_leaves_the_end_of_the_run_where_it_is(nothing):
    panel = kernel_perceptron.stepper()
    box, last = panel.inputs["step"], panel.state.last_step
    nothing(panel)
    assert box.slider.max == box.play.max == last < panel.explorer.controls[-1].last


def test_a_click_adds_a_point_of_the_class_that_is_chosen():
    panel = support_vector_machine.boundary(data="mine")
    panel.inputs["mine"].adds.value = -1
    drag(panel, id=1, x0=0.3, y0=0.5, x=0.3, y=0.5, done=True)
    assert [label for *_, label in panel.values["mine"]] == [-1]
    panel.inputs["mine"].adds.value = 1
    drag(panel, id=2, x0=0.4, y0=0.4, x=0.4, y=0.4, done=True)
    assert [label for *_, label in panel.values["mine"]] == [-1, 1] and panel.inputs["mine"].chosen.value == 1


def test_a_single_point_is_named_and_several_are_in_a_list():
    """A list of one has nothing to choose; the sliders move the point all the same."""
    one, two = (Points("p", "drag", ((0.0, 0.0),) * n, (-1.0, -1.0), (1.0, 1.0), names=("z", "v")[:n]) for n in (1, 2))
    box, several = one.widget(), two.widget()
    assert box.children[0].value == "drag z" and several.children[0] is several.chosen
    assert not any(isinstance(child, type(box.chosen)) for child in box.children)
    box.coordinates[1].value = 0.5
    assert box.value == ((0.0, 0.5),)


def test_a_slider_with_a_broken_step_starts_at_a_broken_number():
    """Its widget says 1.0, and so must the state that the stored readout is compared with."""
    assert repr(Slider("x", "x", 1, 0, 2).start) == "1.0" and repr(Slider("n", "n", 1, 0, 2, 1).start) == "1"


def test_the_nearest_value_of_a_logarithmic_slider_is_one_that_it_stands_at():
    slider = Slider("s", "s", 1.0, 10**-1.3, 10.0, 0.05, log=True)
    widget = slider.widget()
    for step in range(47):
        widget.value = min(10 ** (widget.min + step * widget.step), 10.0)
        assert slider.nearest(1.02 * widget.value) == float(f"{widget.value:.6g}")
    assert (slider.nearest(1e-9), slider.nearest(99.0)) == (0.0501187, 10.0)


def in_a_cell(title, *options):
    """A panel as the cell of a learner makes it, anew each time that the cell is run."""
    explorer = keeping(Slider("x", "x", 0, 0, 1))
    question = Question("Which one?", options, 0, "Why.", "Here")
    return dataclasses.replace(explorer, title=title, question=question)()


def test_an_answer_belongs_to_its_panel_and_not_to_a_title():
    in_a_cell("A title", "left", "right").answer("right")
    assert in_a_cell("A title", "up", "down").asking.answered() is None
    assert in_a_cell("A title", "left", "right").asking.answered() == "right", "the same cell is run again"
    assert in_a_cell("Another title", "left", "right").asking.answered() == "right"
    other = dataclasses.replace(start_here.bumps, title=kernel_trick.identity.title)
    assert other.identity == start_here.bumps.identity != kernel_trick.identity.identity


def test_no_two_panels_share_their_answers():
    identities = [explorer.identity for explorer in explorers().values()]
    assert len(set(identities)) == len(identities)
