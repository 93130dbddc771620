"""What holds for every explorer."""

import contextlib
import io
import itertools
import math
import re
from html import escape

import ipywidgets
import numpy as np
import panels
import pytest
from course.explorers import overlaps
from matplotlib import rc_context, rcParams, style
from misprints import misprints
from panels import compute, drag

from kernelkit.course.panel import canvas as marks_canvas, picture
from kernelkit.course.panel.controls import Points, Samples, Slider, Stepper
from kernelkit.course.panel.explorer import WAY
from kernelkit.course.panel.marks import said
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.question import ANSWERS
from kernelkit.course.panel.scenes import RESET, between

EXPLORERS = panels.explorers()
TICK, WORD = 12, 14  # pixels that the letters of a picture are high at least
HOSTILE = style.library["dark_background"] | {"text.usetex": True, "font.size": 23, "savefig.dpi": 37, "figure.dpi": 55}
HOSTILE |= {"markers.fillstyle": "left", "axes.grid": True, "image.origin": "lower", "lines.dashed_pattern": (9, 9)}
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
    """One panel, whose question is out of the way, and what its explorer computes and draws, each state once."""

    def __init__(self, explorer):
        self.explorer, self.panel, self.states, self.frames = explorer, explorer(), {}, {}
        self.panel.asking.uncover()
        self.canvas = self.panel.canvas

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
    yield Seen(explorer)
    ipywidgets.Widget.close_all()


@pytest.fixture(autouse=True)
def closed_widgets():
    """Here ``seen`` closes them, once for each panel."""


def opened(seen):
    """The panel as it is at first."""
    seen.panel.scenes.reset.click()
    return seen.panel


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


def at_the_end(explorer, values, state):
    """The values, with a stepper no farther than the run goes."""
    last = getattr(state, "last_step", None)
    steppers = [c.name for c in explorer.controls if isinstance(c, Stepper)]
    return values if last is None else values | {name: min(values[name], last) for name in steppers}


def visible_states(explorer, control, n=40):
    """States in which the control is shown."""
    states = [explorer.start(), *corner_states(explorer), *random_states(explorer, n, seed=1)]
    return [s for s in states if control.when is None or control.when(s)]


@every_explorer
def test_no_axis_jumps_twice_on_the_way_to_a_scene(explorer, seen, canvas):
    if not explorer.motion:
        return
    begin = explorer.start()
    canvas.move(seen.state(begin))
    for scene in explorer.scenes:
        end = begin | explorer.scenes[scene]
        way = [between(explorer.controls, begin, end, part) for part in np.linspace(0.05, 0.95, 4)]
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
def test_every_corner_is_drawn_and_read_off_with_no_text_cut_or_tiny_or_misprinted(explorer, seen):
    scenes = [explorer.start() | scene for scene in ({}, *explorer.scenes.values())]
    states = [*scenes, *corner_states(explorer), *random_states(explorer, 2)]
    for values in {repr(values): values for values in states}.values():
        if values in scenes:
            seen.canvas.backgrounds.clear()  # so that every text is drawn, and can be compared with the others
        with overlaps.listening() as texts:
            well_drawn(explorer, seen.draw(values))
        well_read(explorer, seen.state(values))
        whole_texts(seen.canvas.figure, texts, values)
        if values in scenes:
            assert not [*overlaps.troubles(seen.canvas, texts)], values


@every_explorer
def test_more_random_states_are_read_off(explorer, seen):
    for values in random_states(explorer, 10)[2:]:
        well_read(explorer, seen.state(values))


@every_explorer
def test_no_text_of_a_picture_asks_for_a_hand_where_none_works(explorer, seen):
    """Stored in a notebook nothing can be dragged, and on the site there is nothing to click, see ``Live``."""
    axes = [one for row in explorer.picture(seen.state(explorer.start())) for one in row]
    texts = [text for one in axes for text in (one.title, *(getattr(mark, "words", "") for mark in one.marks))]
    for how, hands in (("stored", "drag"), ("still", "drag|click|drop")):
        asking = [said(text, how) for text in texts if re.search(rf"(?<!to )\b({hands})", said(text, how))]
        assert not asking, how


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


def whole_texts(figure, texts, values):
    width, height = figure.bbox.size
    sides = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    drawn = [tick for axis in sides for tick in axis.majorTicks + axis.minorTicks]
    ticks = {label for tick in drawn for label in (tick.label1, tick.label2)}
    for text in texts:
        words, box = text.get_text(), text.get_window_extent()
        assert not misprints(words.replace(" %", "%")), f"{words!r} at {values}"  # no line breaks in a picture
        least = TICK if text in ticks else WORD
        assert text.get_size() * DPI / 72 >= least - 0.01, f"{words!r} has {text.get_size()} pt"
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
        assert inside, f"{words!r} is cut at {values}"


@every_explorer
def test_a_picture_depends_neither_on_what_was_shown_before_nor_on_the_style_that_a_learner_has_set(explorer, seen):
    """Kept backgrounds and moved artists leave no trace, and of what the learner has set nothing is lost.

    The stored picture is asked for in every tenth panel.
    """
    before, values = random_states(explorer, 2)
    for shown in (explorer.start(), before, values):
        seen.draw(shown)
    state, sketch = seen.state(values), explorer.question if panels.is_sketched(explorer) else None
    handles, stores = sketch.start if sketch else None, explorer in [*EXPLORERS.values()][::10]

    def looks(canvas):
        frame = canvas.frame(state, handles)
        sketched = canvas.looks(sketch.axes, handles) if sketch else ()
        stored = picture.stored_png(explorer.canvas(), state, explorer.title, "A sentence.") if stores else b""
        return frame.tobytes(), sketched, stored

    plain = looks(seen.canvas)
    marks_canvas.outline.cache_clear()
    with rc_context(HOSTILE):
        own = dict(rcParams)
        assert looks(explorer.canvas()) == plain
        assert dict(rcParams) == own


@every_explorer
def test_where_the_learner_has_been_is_seen_and_changes_nothing_that_is_read(explorer, seen, canvas):
    if explorer.trail is None:
        return
    states = [explorer.start(), *random_states(explorer, 2)]
    for values in states:
        places = dict.fromkeys(explorer.trail(other)[1] for other in (values, *states))
        long = explorer.compute(**values | {"visited": tuple(places)})
        assert explorer.readout(long) == explorer.readout(seen.state(values))
    assert (canvas.frame(long) != canvas.frame(seen.state(values))).any()


@every_explorer
def test_every_control_changes_the_picture(explorer, seen):
    for control in explorer.controls:

        def changes(state, control=control):
            first, *others = (seen.frame(state | {control.name: v}) for v in control.ends())
            return first not in others

        moves = any(changes(state) for state in visible_states(explorer, control)[:12])
        assert moves, f"{control.name} changes no picture; are the artists that draw moves made with animated=True?"


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
    for values in [explorer.start(), *random_states(explorer, 2, seed=2), *sheets(explorer)]:
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
def test_panel_follows_its_controls_and_scenes(explorer, seen):
    panel = opened(seen)
    for name, scene in explorer.scenes.items():
        panel.go(name)
        values = explorer.start() | scene
        assert panel.values == at_the_end(explorer, values, seen.state(values))
        assert panel.words == explorer.words(seen.state(panel.values), name)
        shown = panel.picture.png
        for slider in sliders_of(explorer):
            box = panel.inputs[slider.name]
            box.value = sent_back(slider, slider.widget(), panel.values[slider.name])
        assert panel.picture.png is shown and panel.scenes.here == name, "what a page sends back is no move"
    panel.scenes.buttons[0].click()
    panel.scenes.reset.click()
    assert panel.values == explorer.start()


def sliders_of(explorer):
    return [control for control in explorer.controls if isinstance(control, Slider)]


def sent_back(slider, widget, value):
    """What a page says of a slider that was put here: the nearest step, in percent of its way, and with their noise."""
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
        assert [slider.nearest(sent_back(slider, widget, place)) for place in places] == places
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
def test_see_it_shows_the_scene_and_there_the_verdict(explorer, undrawn):
    panel, question = explorer(), explorer.question
    panel.answer(question.options[question.answer - 1])
    assert panel.asking.why.value == "" and panel.asking.why.layout.display == "none"
    panel.asking.see.click()
    assert panel.values == at_the_end(explorer, panel.first | explorer.scenes[question.scene], panel.state)
    assert panel.asking.why.layout.display is None and panel.asking.options.layout.display == "none"
    assert escape(question.why) in panel.asking.why.value and "✗ Not quite" in panel.asking.why.value


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
    assert panel.values == at_the_end(explorer, panel.first | explorer.scenes[question.scene], panel.state)
    why = panel.asking.why.value
    assert escape(question.judge(drawn, panel.values)) in why and escape(question.why) in why
    assert panel.asking.before.layout.display == "none" and panel.asking.why.layout.display is None


ONE_OF_EACH = [next(iter(some.values())) for some in (panels.asking(), panels.sketching())]


@pytest.mark.parametrize("explorer", ONE_OF_EACH, ids=["options", "a sketch"])
def test_what_was_explained_belongs_to_its_scene_and_waits_for_see_it(explorer):
    """It goes when another scene is shown, comes back with its own, and stays when a control moves."""
    panel, question = explorer(), explorer.question
    panel.answer(question.start if panels.is_sketched(explorer) else question.options[question.answer])
    panel.go(question.scene)
    panel.scenes.reset.click()
    assert panel.asking.why.value == "" and panel.asking.why.layout.display == "none"
    panel.asking.see.click()
    asking, why, shown = panel.asking, panel.asking.why.value, panel.picture.png
    for scene in (RESET, next(name for name in explorer.scenes if name != question.scene)):
        panel.go(scene)
        assert asking.why.layout.display == "none" and asking.before.layout.display is None
        assert asking.see.layout.visibility == "visible"
        panel.go(question.scene)
        assert asking.why.layout.display is None and asking.before.layout.display == "none"
        assert asking.why.value == why and (explorer.takes or panel.picture.png == shown)
    panel._moved()
    assert asking.why.layout.display is None


@every_explorer
def test_measurement_runs_to_its_end(explorer, seen):
    if explorer.measure is None:
        return
    panel = opened(seen)
    before = panel.picture.png
    panel.measuring.run()
    assert panel.measuring.progress.value == 1.0 and panel.measured is not None and panel.picture.png != before


@every_explorer
def test_dragging_a_point_moves_it(explorer, seen):
    points = [c for c in explorer.controls if isinstance(c, Points)]
    if not points:
        return
    panel, control = opened(seen), points[0]
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
def test_a_pointer_is_told_something_short_wherever_it_is(explorer, seen):
    panel = opened(seen)
    for values in [explorer.start(), *random_states(explorer, 2)]:
        panel.set(**values)
        told = []
        for x, y in np.random.default_rng(0).uniform(size=(40, 2)):
            panel.picture.hover = {"x": x, "y": y}
            told.append(panel.picture.told["text"])
        assert all(len(text) <= 40 and "nan" not in text and not misprints(text) for text in told), told
        assert any(told) == panel.picture.telling, "somewhere a value is told, if the explorer tells any"


@every_explorer
def test_dragging_turns_what_is_drawn_in_three_dimensions(explorer, seen):
    if not explorer.turn:
        return
    panel = opened(seen)
    before, picture = [panel.values[name] for name in explorer.turn], panel.picture.png
    drag(panel, id=1, x0=0.5, y0=0.5, x=0.4, y=0.4)
    assert all(panel.values[name] != value for name, value in zip(explorer.turn, before, strict=True))
    assert panel.picture.png != picture
