"""What holds for every explorer."""

import contextlib
import io
import itertools
import math
from html import escape

import numpy as np
import panels
import pytest
from course.explorers import overlaps
from matplotlib import rc_context, rcParams, style
from matplotlib.text import Text
from misprints import misprints
from panels import compute, drag

from kernelkit.course.panel import canvas as marks_canvas, explorer as panel_module, picture
from kernelkit.course.panel.controls import Points, Samples, Slider, Stepper
from kernelkit.course.panel.explorer import WAY
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.question import ANSWERS
from kernelkit.course.panel.scenes import RESET, between
from kernelkit.course.panel.sketch import WAIT

EXPLORERS = panels.explorers()
TICK, WORD = 12, 14  # pixels that the letters of a picture are high at least
HOSTILE = style.library["dark_background"] | {"text.usetex": True, "font.size": 23, "savefig.dpi": 37, "figure.dpi": 55}
HOSTILE |= {"markers.fillstyle": "left", "axes.grid": True, "image.origin": "lower", "lines.dashed_pattern": (9, 9)}
MOVING = {name: explorer for name, explorer in EXPLORERS.items() if explorer.motion}
every_explorer = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys(), scope="module")
every_question = pytest.mark.parametrize("explorer", panels.asking().values(), ids=panels.asking().keys())
every_sketch = pytest.mark.parametrize("explorer", panels.sketching().values(), ids=panels.sketching().keys())


@pytest.fixture(autouse=True)
def strict(monkeypatch):
    monkeypatch.setenv("KERNELKIT_STRICT", "1")


@pytest.fixture(autouse=True)
def fresh_kernel():
    """No question has been answered."""
    ANSWERS.clear()


class Seen:
    """What an explorer computes and draws, each state once."""

    def __init__(self, explorer):
        self.explorer, self.canvas, self.states, self.frames = explorer, explorer.canvas(), {}, {}

    def state(self, values):
        key = repr(values)
        if key not in self.states:
            self.states[key] = compute(self.explorer, values)
        return self.states[key]

    def draw(self, values):
        pixels = self.canvas.frame(self.state(values))
        self.frames[repr(values)] = hash(pixels.tobytes())
        return pixels

    def frame(self, values):
        """A number that stands for the pixels of a state."""
        if repr(values) not in self.frames:
            self.draw(values)
        return self.frames[repr(values)]


@pytest.fixture(scope="module")
def seen(explorer):
    return Seen(explorer)


@pytest.fixture(scope="module")
def canvas(seen):
    """A figure of this explorer, which may have shown other states before."""
    return seen.canvas


def corner_states(explorer):
    """Every end and every option of each control, the others where they start; then the scenes."""
    for control in explorer.controls:
        for value in control.ends():
            yield explorer.start() | {control.name: value}
    for scene in explorer.scenes.values():
        yield explorer.start() | scene


def random_states(explorer, n, seed=0):
    rng = np.random.default_rng(seed)
    return [{c.name: c.random(rng) for c in explorer.controls} for _ in range(n)]


def visible_states(explorer, control, n=40):
    """States in which the control is shown."""
    states = [explorer.start(), *corner_states(explorer), *random_states(explorer, n, seed=1)]
    return [s for s in states if control.when is None or control.when(s)]


def at_the_end(explorer, values):
    """The values, with a stepper no farther than the run goes."""
    last = getattr(compute(explorer, values), "last_step", None)
    steppers = [c.name for c in explorer.controls if isinstance(c, Stepper)]
    return values if last is None else values | {name: min(values[name], last) for name in steppers}


@pytest.mark.parametrize("explorer", MOVING.values(), ids=MOVING.keys(), scope="module")
def test_no_axis_jumps_twice_on_the_way_to_a_scene(explorer, canvas):
    begin = explorer.start()
    canvas.move(compute(explorer, begin))
    for scene in explorer.scenes:
        end = begin | explorer.scenes[scene]
        way = [between(explorer.controls, begin, end, part) for part in np.linspace(0.05, 0.95, 6)]
        canvas.hold(compute(explorer, between(explorer.controls, begin, end, part)) for part in WAY)
        limits = []
        for values in way:
            canvas.move(compute(explorer, values))
            limits.append([(ax.get_xlim(), ax.get_ylim()) for ax in canvas.figure.axes])
        canvas.let_go()
        jumps = sum(before != after for before, after in itertools.pairwise(limits))
        steadily = jumps == len(limits) - 1  # a view that goes along with what glides
        assert steadily or jumps <= 1, f"{scene}: {jumps}"


def test_there_are_explorers():
    assert len(EXPLORERS) >= 3


@every_explorer
def test_every_corner_is_drawn_and_read_off_with_no_text_cut_or_tiny_or_misprinted(explorer, seen, monkeypatch):
    monkeypatch.setattr(marks_canvas, "KEPT", 1)  # an older background would leave ticks and labels where they were
    seen.canvas.backgrounds.clear()
    for values in [explorer.start(), *corner_states(explorer), *random_states(explorer, 5)]:
        well_drawn(explorer, seen.draw(values))
        well_read(explorer, seen.state(values))
        whole_texts(seen.canvas.figure, values)
        if values in [explorer.start() | scene for scene in ({}, *explorer.scenes.values())]:
            assert not [*overlaps.troubles(seen.canvas)], values


@every_explorer
def test_fifteen_random_states_are_read_off(explorer, seen):
    for values in random_states(explorer, 20)[5:]:
        well_read(explorer, seen.state(values))


def well_drawn(explorer, pixels):
    assert pixels.shape[:2] == (round(explorer.size[1] * DPI), round(explorer.size[0] * DPI))
    assert pixels[::3, ::3, :3].std() > 5, "an empty picture"


def well_read(explorer, state):
    readout, words = explorer.readout(state), explorer.words(state)
    assert len(readout) <= 5 and all(value is None or isinstance(value, str | int) for value in readout.values())
    assert not any(value.endswith(".") for value in readout.values() if isinstance(value, str)), "values, not sentences"
    assert len(words) <= 190, f"at most two lines: {words}"
    assert "nan" not in words and "inf " not in words, words
    assert not misprints(words), (misprints(words), words)


def whole_texts(figure, values):
    width, height = figure.bbox.size
    ticks = {
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for label in axis.get_ticklabels(which="both")
    }
    for text in shown_texts(figure):
        words, box = text.get_text(), text.get_window_extent()
        assert not misprints(words.replace(" %", "%")), f"{words!r} at {values}"  # no line breaks in a picture
        least = TICK if text in ticks else WORD
        assert text.get_size() * DPI / 72 >= least - 0.01, f"{words!r} has {text.get_size()} pt"
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
        assert inside, f"{words!r} is cut at {values}"


@every_explorer
def test_the_picture_does_not_depend_on_what_was_shown_before(explorer, seen):
    """Kept backgrounds and moved artists leave no trace: a new figure draws the same pixels."""
    states = [seen.state(values) for values in [explorer.start(), *random_states(explorer, 5)]]
    for state in states:
        seen.canvas.frame(state)
    np.testing.assert_array_equal(seen.canvas.frame(states[1]), explorer.canvas().frame(states[1]))


@every_explorer
def test_a_panel_looks_the_same_whatever_style_the_learner_has_set(explorer, seen):
    """And nothing that the learner has set is lost. The stored picture is asked for in every tenth panel."""
    *_, values = corner_states(explorer)
    state, sketch = seen.state(values), explorer.question if panels.is_sketched(explorer) else None
    handles, stores = sketch.start if sketch else None, explorer in [*EXPLORERS.values()][::10]

    def looks(canvas):
        frame = canvas.frame(state, handles).tobytes()
        sketched = canvas.looks(sketch.axes, handles) if sketch else ()
        stored = picture.stored_png(explorer.canvas(), state, explorer.title, "A sentence.") if stores else b""
        return frame, sketched, stored

    plain = looks(explorer.canvas())
    marks_canvas.outline.cache_clear()
    with rc_context(HOSTILE):
        before = dict(rcParams)
        assert looks(explorer.canvas()) == plain
        assert dict(rcParams) == before


@every_explorer
def test_where_the_learner_has_been_is_seen_and_changes_nothing_that_is_read(explorer, canvas):
    if explorer.trail is None:
        return
    states = [explorer.start(), *random_states(explorer, 3)]
    for values in states:
        places = dict.fromkeys(explorer.trail(other)[1] for other in (values, *states))
        long = explorer.compute(**values | {"visited": tuple(places)})
        assert explorer.readout(long) == explorer.readout(compute(explorer, values))
    assert (canvas.frame(long) != canvas.frame(compute(explorer, values))).any()


@every_explorer
def test_every_control_changes_the_picture(explorer, seen):
    for control in explorer.controls:

        def changes(state, control=control):
            first, *others = (seen.frame(state | {control.name: v}) for v in control.ends())
            return first not in others

        moves = any(changes(state) for state in visible_states(explorer, control)[:12])
        assert moves, f"{control.name} changes no picture; are the artists that draw moves made with animated=True?"


def shown_texts(figure):
    """Every text that is on the picture, labels of ticks among them."""
    hidden = {label for axes in figure.axes for label in hidden_labels(axes)}
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text


def hidden_labels(axes):
    """What is not drawn: all texts of axes that are not shown, and the labels of ticks outside the limits."""
    if not axes.get_visible():
        yield from axes.findobj(Text)
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        drawn = axis.get_visible() and axes.axison
        if not drawn:
            yield axis.label
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not (drawn and low <= tick.get_loc() <= high):
                yield from (tick.label1, tick.label2)


@every_explorer
def test_what_a_film_moves_is_there_at_the_start_and_changes_the_picture(explorer, seen):
    start = explorer.start()
    moving = {c.name: c for c in explorer.controls if c.name in explorer.film}
    assert len(explorer.film) <= 2
    for name, control in moving.items():
        assert control.when is None or control.when(start), f"{name} is hidden at the start"
        first, *others = (seen.frame(start | {name: value}) for value in control.ends())
        assert others[0] != first, f"{name} changes nothing from the start state"


@every_explorer
def test_code_runs_as_it_stands(explorer):
    for values in [explorer.start(), *random_states(explorer, 3, seed=2), *sheets(explorer)]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(explorer.code(**values), {})
        assert out.getvalue()


def sheets(explorer):
    """What a learner may have left of points that come and go: none, one of them, as many as there may be."""
    rng = np.random.default_rng(3)
    for samples in (control for control in explorer.controls if isinstance(control, Samples)):
        many = [
            (*rng.uniform(samples.low, samples.high).tolist(), int(label))
            for label in rng.choice([-1, 1], samples.most)
        ]
        for value in ((), many[:1], many, [*samples.start[::2], *many][: samples.most]):
            for scene in ({}, *explorer.scenes.values()):
                yield explorer.start() | scene | {samples.name: samples.read(value)}


@every_explorer
def test_shown_code_leaves_the_picture_to_be_seen(explorer):
    """No long list of points but those that a learner has put there, and these have several on a line."""
    here = [explorer.code(**explorer.start() | scene).splitlines() for scene in ({}, *explorer.scenes.values())]
    assert max(map(len, here)) <= 24
    full = [explorer.code(**values).splitlines() for values in [*random_states(explorer, 3), *sheets(explorer)]]
    assert max(len(line) for lines in here + full for line in lines) <= 110


@every_explorer
def test_panel_follows_its_controls_and_scenes(explorer):
    panel = explorer()
    panel.asking.uncover()
    for name, scene in explorer.scenes.items():
        panel.go(name)
        assert panel.values == at_the_end(explorer, explorer.start() | scene)
        assert panel.words == explorer.words(compute(explorer, panel.values), name)
        shown = panel.picture.png
        for slider in sliders_of(explorer):
            panel.inputs[slider.name].value = sent_back(slider, panel.values[slider.name])
        assert panel.picture.png is shown and panel.scenes.here == name, "what a page sends back is no move"
    panel.scenes.buttons[0].click()
    panel.scenes.reset.click()
    assert panel.values == explorer.start()


def sliders_of(explorer):
    return [control for control in explorer.controls if isinstance(control, Slider)]


def sent_back(slider, value):
    """What a page says of a slider that was put here: the nearest step, in percent of its way, and with their noise."""
    widget = slider.widget()
    low, whole, place = widget.min, widget.max - widget.min, math.log(value) / math.log(10) if slider.log else value
    share, step = min(max(100 * (place - low) / whole, 0), 100), 100 * widget.step / whole
    share = share if share == 100 else min(math.floor(share / step + 0.5) * step, 100)
    place = low + share * whole / 100
    return math.pow(10, place) if slider.log else round(place) if slider.whole else place


@every_explorer
def test_a_page_and_python_agree_on_every_place_of_a_slider(explorer):
    for slider in sliders_of(explorer):
        ends, widget = ({slider.name: slider.low}, {slider.name: slider.high}), slider.widget()
        steps = round((widget.max - widget.min) / slider.step)
        places = (
            [slider.nearest(slider.low + i * slider.step) for i in range(steps + 1)]
            if slider.whole
            else [slider.nearest(slider.between(*ends, i / steps)) for i in range(steps + 1)]
        )
        assert places == sorted(set(places)), "two places have one number"
        assert [slider.nearest(sent_back(slider, place)) for place in places] == places
        assert [places[0], places[-1]] == pytest.approx([slider.low, slider.high], rel=1e-5)


@every_explorer
def test_buttons_and_clicks_put_into_controls_what_these_can_say(explorer, seen):
    for values in [explorer.start(), *(explorer.start() | scene for scene in explorer.scenes.values())]:
        moves = [act(**values) for act in explorer.act.values()]
        state, canvas = seen.state(values), seen.canvas
        if explorer.click:
            canvas.move(state)
        for axes, chosen in explorer.click.items():
            (left, bottom), (right, top) = canvas.axes(axes).bbox.get_points() / canvas.figure.bbox.size
            for x, y in itertools.product(np.linspace(left, right, 7)[1:-1], np.linspace(bottom, top, 7)[1:-1]):
                moves.append(chosen(state, *canvas.to_data(axes, x, 1 - y)))
        for moved in moves:
            assert explorer.read(moved) == moved


@every_question
def test_the_question_has_one_right_option(explorer):
    question = explorer.question
    assert len(set(question.options)) == len(question.options) >= 2
    assert question.answer in range(len(question.options)) and question.why


@every_question
def test_see_it_shows_the_scene_and_there_the_verdict_and_no_other_move_does(explorer):
    panel, question = explorer(), explorer.question
    panel.answer(question.options[question.answer - 1])
    panel.go(question.scene)
    panel.scenes.reset.click()
    assert panel.asking.why.value == "" and panel.asking.why.layout.display == "none"
    panel.asking.see.click()
    assert panel.values == at_the_end(explorer, explorer.start() | explorer.scenes[question.scene])
    assert panel.asking.why.layout.display is None and panel.asking.options.layout.display == "none"
    assert escape(question.why) in panel.asking.why.value and "✗ Not quite" in panel.asking.why.value
    is_explained_there_only(panel, question)


def is_explained_there_only(panel, question):
    """What was explained goes when another scene is shown, comes back with its own, and stays when a control moves."""
    asking, said, shown = panel.asking, panel.asking.why.value, panel.picture.png
    for scene in (RESET, next(name for name in panel.explorer.scenes if name != question.scene)):
        panel.go(scene)
        assert asking.why.layout.display == "none" and asking.before.layout.display is None
        assert asking.see.layout.visibility == "visible"
        panel.go(question.scene)
        assert asking.why.layout.display is None and asking.before.layout.display == "none"
        assert asking.why.value == said and (panel.explorer.takes or panel.picture.png == shown)
    panel._moved()
    assert asking.why.layout.display is None


@every_sketch
def test_a_sketch_can_be_drawn_and_its_scene_judges_it(explorer):
    panel, question = explorer(), explorer.question
    places = panel.canvas.to_pixels(question.axes, question.start) / (np.array(explorer.size) * DPI)
    assert all(panel.canvas.is_inside(question.axes, x, y) or (0 < x < 1 and 0 < y < 1) for x, y in places)
    drawn = question.start
    for i, handle in enumerate(question.start):
        drawn = question.moved(drawn, i, handle)
    assert np.array(drawn) == pytest.approx(np.array(question.start)), "the rings start in their box"
    panel.answer(drawn)
    assert panel.asking.why.value == "" and panel.asking.why.layout.display == "none"
    panel.asking.see.click()
    assert panel.values == at_the_end(explorer, explorer.start() | explorer.scenes[question.scene])
    said = panel.asking.why.value
    assert escape(question.judge(drawn, panel.values)) in said and escape(question.why) in said
    assert panel.asking.before.layout.display == "none" and panel.asking.why.layout.display is None
    is_explained_there_only(panel, question)


@every_explorer
def test_stored_page_has_a_picture_and_its_words(explorer, monkeypatch):
    drawn = []  # the canvas, to read the words in the picture
    store = panel_module.stored_png
    monkeypatch.setattr(panel_module, "RATIO", 1.0)  # half as sharp is enough here, and every notebook draws them sharp
    monkeypatch.setattr(
        panel_module, "stored_png", lambda canvas, *rest: (drawn.append(canvas), store(canvas, *rest))[1]
    )
    data, metadata = explorer()._repr_mimebundle_()
    hidden = getattr(explorer.question, "hides", ())
    words = WAIT if hidden else explorer.words(compute(explorer, explorer.start()))
    assert len(data["image/png"]) > 1000 and metadata["image/png"]["alt"] == explorer.alternative(words)
    assert data["text/plain"] == f"{explorer.title}\n{words}"
    texts = [text.get_text() for text in drawn[0].figure.findobj(Text)]
    assert not [text for text in texts if "drag" in text.replace("to drag", "")], "nothing can be dragged there"
    assert len(explorer.title) <= 52, "13 pt letters of 9 pixels, and 190 pixels for how to move it"


@every_explorer
def test_measurement_runs_to_its_end(explorer):
    if explorer.measure is None:
        return
    panel = explorer()
    before = panel.picture.png
    panel.measuring.run()
    assert panel.measuring.progress.value == 1.0 and panel.measured is not None and panel.picture.png != before


@every_explorer
def test_dragging_a_point_moves_it(explorer):
    points = [c for c in explorer.controls if isinstance(c, Points)]
    if not points:
        return
    panel, control = explorer(), points[0]
    if control.when and not control.when(panel.values):
        panel.set(**next(scene for scene in explorer.scenes.values() if control.when(explorer.start() | scene)))
    size = np.array(explorer.size) * DPI
    start = panel.canvas.to_pixels(control.axes, panel.inputs[control.name].value)[0] / size
    end = start + np.array([-20, 12]) / size
    gesture = {"id": 1, "x0": start[0], "y0": start[1], "x": end[0], "y": end[1]}
    drag(panel, **gesture)
    wanted = control.inside(panel.canvas.to_data(control.axes, *end))
    moved = panel.values[control.name]
    assert moved[0] == pytest.approx(wanted) and moved[1:] == control.start[1:]
    drag(panel, **gesture | {"id": 3, "x0": 2.0, "y0": 2.0})
    assert panel.values[control.name] == moved, "far from every point nothing is held"


@every_explorer
def test_a_pointer_is_told_something_short_wherever_it_is(explorer):
    panel = explorer()
    panel.asking.uncover()
    for values in [explorer.start(), *random_states(explorer, 2)]:
        panel.set(**values)
        told = []
        for x, y in np.random.default_rng(0).uniform(size=(40, 2)):
            panel.picture.hover = {"x": x, "y": y}
            told.append(panel.picture.told["text"])
        assert all(len(text) <= 40 and "nan" not in text and not misprints(text) for text in told), told
        assert any(told) == panel.picture.telling, "somewhere a value is told, if the explorer tells any"


@every_explorer
def test_dragging_turns_what_is_drawn_in_three_dimensions(explorer):
    if not explorer.turn:
        return
    panel = explorer()
    before, picture = [panel.values[name] for name in explorer.turn], panel.picture.png
    drag(panel, id=1, x0=0.5, y0=0.5, x=0.4, y=0.4)
    assert all(panel.values[name] != value for name, value in zip(explorer.turn, before, strict=True))
    assert panel.picture.png != picture
