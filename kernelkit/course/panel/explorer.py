"""What an explorer is, and the panel it becomes in a notebook.

An explorer is plain functions and a table of controls: ``compute(**values) -> state`` (numbers only),
``picture(state) -> rows of Axes`` (see ``marks``), ``readout(state) -> {label: value}`` (the few
numbers to read off) and ``code(**values) -> str`` (the kernelkit lines behind the picture). ``panel`` puts
them together.
"""

import asyncio
import base64
import os
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from html import escape
from itertools import product
from numbers import Real
from types import SimpleNamespace

import ipywidgets
from ipywidgets import HTML, Layout

from kernelkit.checks import check_flag
from kernelkit.course.panel.canvas import Canvas
from kernelkit.course.panel.controls import Choice, NoQuestion, Question, Slider, Stepper
from kernelkit.course.panel.editors import PointsBox, SamplesBox
from kernelkit.course.panel.measuring import Measuring
from kernelkit.course.panel.numbers import written
from kernelkit.course.panel.picture import DPI, Picture, png_bytes, stored_png
from kernelkit.course.panel.pointer import Pointer
from kernelkit.course.panel.question import QuestionBox
from kernelkit.course.panel.saving import MARK
from kernelkit.course.panel.scenes import LONGER, RESET, SECONDS, Scenes, between, button, glide, moments, running_loop
from kernelkit.course.panel.sketch import SKETCH, WAIT, Sketch

WAY = [part / 8 for part in range(9)]  # parts of the way to a scene, at which axes are measured before it begins
RATIO = 2.0  # pixels of a stored picture for each one on the page
MORE, LESS = "More controls", "Fewer controls"
SIZE = (7.0, 3.8)  # as most pictures are; the page shrinks or enlarges them to the room there is


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """Everything that makes one interactive picture; calling it gives a fresh panel.

    shows : one sentence, for whoever does not see the picture: what its axes, marks and colours are.
    compute(**values) : the numbers.  picture(state) : rows of ``Axes``; the state has the values of the controls, too.
    code(**values), or a text in which {name} stands for the value of a control : the lines behind the picture.
    readout(state) : at most five values by their names, written as people write them; None leaves one out.
    message(state) : a sentence about what a learner has typed, above the readout; "" for none.
    scenes : named settings, {name: {control: value}}, at least three.
    says : {scene: a sentence about it}, which is shown while the panel is in that scene; not in that of the question,
    which has its explanation.
    question : a ``Question`` or a ``Sketch``, whose scene shows its answer, or ``NoQuestion(because=…)``.
    size : of the picture in hundreds of pixels, at most SIZE.
    measure(**values), where there is one, is a generator of (fraction done, measurements) that runs when its
    button, which says ``measuring``, is pressed, and ends when it is pressed again; compute then gets ``measured=``
    the measurements so far, None before.
    unmeasured : names of controls that the measurements do not depend on: moving them ends and forgets none.
    act : {name of a button: f(**values)}, which gives the values {name: value} that pressing it puts in.
    tell : {name of axes: f(state, x, y)}, what a pointer there says of the place (x, y), "" for nothing; marks with a
    ``tell`` say it themselves.
    click : {name of axes: f(state, x, y)}, the values of controls {name: value} that a click there chooses.
    turn : the names of two sliders, of azimuth and elevation, that dragging the picture turns.
    motion : between two scenes, and after a button of ``act``, the numbers go over into each other; only where the
    picture is continuous in them.  eased : so do the numbers that a click chooses.
    play : the seconds in which the picture comes about, when it is first seen, at each scene, and when its button is
    pressed, which says ``playing``; compute then gets ``played=`` how much of them is over, and 1 at any other time.
    warm : compute also gets ``before=`` the state shown last, None at first, to start its algorithm from.
    film : the names of one or two sliders, steppers or choices among numbers that matter most, for pages where nothing
    computes: each is moved alone there, through pictures that were drawn beforehand; none where only words and points
    matter.
    trail : f(values) → (setting, place), of a picture in which every place that was visited leaves its mark: compute
    also gets ``visited=`` the places where the learner has stood, the present one among them, since the setting last
    changed or Reset was pressed. Where a pointer may click, holding it down draws the trail.
    """

    title: str
    controls: tuple
    compute: Callable
    picture: Callable
    readout: Callable
    shows: str
    code: Callable | str
    scenes: dict
    question: Question | Sketch | NoQuestion
    says: dict = field(default_factory=dict)
    message: Callable | None = None
    measure: Callable | None = None
    measuring: str = "Measure on this machine"
    unmeasured: tuple = ()
    act: dict = field(default_factory=dict)
    tell: dict = field(default_factory=dict)
    click: dict = field(default_factory=dict)
    turn: tuple = ()
    motion: bool = False
    eased: bool = False
    play: float = 0.0
    playing: str = "Play"
    warm: bool = False
    trail: Callable | None = None
    film: tuple = ()
    size: tuple = SIZE
    takes: tuple = field(init=False, repr=False)  # what compute gets besides the values of the controls

    def __post_init__(self):
        wanted = {"measured": self.measure, "played": self.play, "before": self.warm, "visited": self.trail}
        object.__setattr__(self, "takes", tuple(name for name, asked in wanted.items() if asked))
        object.__setattr__(self, "compute", _with_values(self.compute, self.takes))
        if isinstance(self.code, str):
            object.__setattr__(self, "code", self.code.strip().format)
        object.__setattr__(self, "scenes", {scene: self.read(values) for scene, values in self.scenes.items()})
        numbers = [c.name for c in self.controls if isinstance(c, Slider | Stepper) or _chooses_numbers(c)]
        if unknown := [name for name in self.film if name not in numbers]:
            raise ValueError(f"The film of {self.title!r} moves {unknown}; its controls with numbers are {numbers}.")
        if not isinstance(self.question, Question | Sketch | NoQuestion):
            question = self.question
            raise TypeError(f"{self.title!r} needs a Question, a Sketch or NoQuestion(because=…), got {question!r}.")
        if not isinstance(self.question, NoQuestion) and self.question.scene not in self.scenes:
            scenes, scene = list(self.scenes), self.question.scene
            raise ValueError(f"The scene {scene!r} of the question of {self.title!r} is not one of {scenes}.")
        if unknown := [scene for scene in self.says if scene not in self.scenes]:
            raise ValueError(f"{self.title!r} says something about {unknown}; its scenes are {list(self.scenes)}.")
        if getattr(self.question, "scene", None) in self.says:
            raise ValueError(
                f"The scene {self.question.scene!r} of {self.title!r} has the explanation of its question."
            )

    @property
    def identity(self):
        """Whose answer a kernel keeps, also when its cell is run again: the file it comes from, and what it asks."""
        return self.compute.__module__, self.compute.__qualname__, self.question.asks

    def start(self):
        """The values all controls start with."""
        return {control.name: control.start for control in self.controls}

    def read(self, values):
        """These values as the controls keep them; TypeError or ValueError says which one no control can show."""
        controls = {control.name: control for control in self.controls}
        if unknown := [name for name in values if name not in controls]:
            known = ", ".join(controls)
            raise ValueError(f"There is no {' and no '.join(unknown)} in {self.title!r}; its controls are {known}.")
        return {name: controls[name].read(value) for name, value in values.items()}

    def words(self, state, scene=None, hidden=False):
        """What is written below the picture; hidden : a part of that is still to be drawn by the learner."""
        if hidden:
            return WAIT
        lines = [self.message(state)] if self.message else []
        lines += [written(self.readout(state)), self.says.get(scene, "")]
        return "\n".join(line for line in lines if line)

    def alternative(self, words):
        """The picture for whoever does not see it: its title, what it shows, and what is written below it."""
        return f"{self.title}{'' if self.title.endswith('?') else '.'} {self.shows} {words}".strip()

    def canvas(self, ratio=1.0, start=None):
        """A new figure for this explorer.  start() : the state of the controls' start, if somebody has it already."""
        sketch = self.question if isinstance(self.question, Sketch) else None
        named = (*self.tell, *self.click)
        start = start or (lambda: self.state(self.start()))
        return Canvas(self.picture, start, self.size, ratio, sketch, named)

    def state(self, values, **given):
        """What is computed from these values of the controls, and from what else compute takes."""
        given = {"measured": None, "played": 1.0, "before": None, "visited": ()} | given
        return self.compute(**values, **{name: given[name] for name in self.takes})

    def __call__(self, ask=True, **start):
        """A panel, with these values at its start; ask=False leaves out a question that was asked before."""
        return Panel(self, check_flag(ask, "ask"), **self.read(start))


def panel(compute, picture, readout, code, *controls, **rest):
    """A panel from the functions of its file, with its controls, and what else ``Explorer`` has by their names."""
    return Explorer(compute=compute, picture=picture, readout=readout, code=code, controls=controls, **rest)


def _with_values(compute, takes):
    """compute, whose state has the values that it is computed from beside its results."""

    @wraps(compute)
    def state(**given):
        values = {name: value for name, value in given.items() if name not in takes}
        return SimpleNamespace(**values | vars(compute(**given)))

    return state


def fewer(explorer, keep, scenes, title, **changes):
    """The same picture under a title of its own, with these controls at first, the others folded, and these scenes."""
    controls = tuple(replace(control, more=control.name not in keep) for control in explorer.controls)
    kept = {name: explorer.scenes[name] for name in scenes}
    return replace(explorer, title=title, controls=controls, scenes=kept, **changes)


class Panel(ipywidgets.VBox):
    """Scenes and controls, question, picture and readout of one explorer, with Reset and Show code.

    A moved control goes one way: ``_moved`` → ``show``, which takes values → state → picture and readout.

    said : the values that the controls said last.  drawn, state : the values and the state that the picture shows.
    trail : {setting: the places that were visited there}, of one setting at most.
    alone : JupyterLab may hand over what the learner does in several threads, and only one of them at a time may draw.
    """

    def __init__(self, explorer, ask=True, **start):
        self.explorer, self.measured, self.state, self.begun, self.trail = explorer, None, None, None, {}
        self.quiet, self.trouble, self.gliding, self.alone = False, "", None, threading.RLock()
        self.first = explorer.start() | start
        self.inputs = {control.name: control.widget() for control in explorer.controls}
        self.points = [box for box in self.inputs.values() if isinstance(box, PointsBox)]
        for box in self.points:
            box.values = lambda: self.values
            box.refresh()
        self.canvas, self.picture, self.pointer = explorer.canvas(start=self._begin), Picture(), Pointer(explorer)
        self.picture.touchable = self.pointer.touchable
        self.picture.plays = explorer.play > 0
        self.picture.size = [DPI * side for side in explorer.size]
        question = explorer.question if ask else NoQuestion(because="it was asked before")
        self.asking = QuestionBox(explorer.identity, question, self.see)
        self.scenes = Scenes(list(explorer.scenes), self.go)
        self.measuring = self._measuring() if explorer.measure else None
        self.room, self.highest = _box([], "room"), highest(explorer.controls, self.first)
        self.error, self.source = HTML(layout=Layout(display="none")), HTML(layout=Layout(display="none"))
        super().__init__([self._title(), self._main()])
        self.add_class("kernelkit-panel")
        if explorer.says or explorer.message:
            self.add_class("kernelkit-saying")
        self.put(**self.first)
        self.show(self.values)
        self._follow(self.values)
        self._listen()

    def _listen(self):
        for widget in self.inputs.values():
            widget.observe(self._moved, "value")
            if isinstance(widget, SamplesBox):
                widget.adds.observe(lambda change: setattr(self.pointer, "adds", change.new), "value")
        self.picture.observe(lambda change: self._redraw_at(change.new), "ratio")
        self.picture.observe(lambda change: self._calm(change.new), "calm")
        self.picture.observe(lambda _: self.replay(), "seen")
        self.picture.on_msg(lambda _, gesture, buffers: gesture and self._dragged(gesture))  # {} asks who listens
        self.picture.observe(lambda change: self._tell(change.new), "hover")

    # ---- from a moved control to the picture ------------------------------------------------

    def _moved(self, _=None):
        """A control says something new: what moved or was measured by itself ends, and the picture follows."""
        with self.alone:
            values = self.values
            if self.quiet or values == self.said:
                return
            moved = [name for name in values if values[name] != self.said[name]]
            self._interrupt(keep=set(moved) <= set(self.explorer.unmeasured))
            self.said = values
            self.asking.handles = self.asking.drawn  # rings that nobody has moved would lie over the picture
            self.asking.shown = self.asking.drawn or None
            self.scenes.stand_at(None)
            self.show(values)
            self._follow(values)

    @property
    def values(self):
        """What all controls say now."""
        said = [(control, self.inputs[control.name].value) for control in self.explorer.controls]
        return {c.name: c.nearest(value) if isinstance(c, Slider) else value for c, value in said}

    def show(self, values, played=1.0):
        """Values → state → picture and readout; an error is said in words, and the panel lives on.

        Under KERNELKIT_STRICT=1 an error is raised.
        """
        explorer, self.drawn = self.explorer, values
        visited = self._visited(*explorer.trail(values)) if explorer.trail else ()
        given = {"measured": self.measured, "played": played, "before": self.state, "visited": visited}
        try:
            self.state = explorer.compute(**values, **{name: given[name] for name in explorer.takes})
            pixels = self.canvas.frame(self.state, self.asking.shown, self.asking.hidden)
            words = explorer.words(self.state, self._here(), self.asking.hidden)
        except Exception as error:
            if os.environ.get("KERNELKIT_STRICT") == "1":
                raise
            self.say(f"This setting does not work: {error}")
            return
        if explorer.trail and self.gliding is None:  # what a glide only passes was not visited
            self.trail = {explorer.trail(values)[0]: visited}
        with self.picture.hold_sync():
            self.picture.words, self.picture.alt = words, explorer.alternative(words)
            self.picture.telling = bool(explorer.tell) or self.canvas.telling
            self.picture.png = png_bytes(pixels, 1)
            if self.pointer.gesture is None:
                self._mark()
        self.say("")

    def _begin(self):
        """The state of the controls' start, which gives all axes their places; it is computed once."""
        if self.begun is None:
            start = self.explorer.start()
            self.begun = self.state if self.drawn == start else self.explorer.state(start)
        return self.begun

    def _mark(self):
        """Tell the page what can be dragged; while a gesture goes on, it need not know."""
        marks = self.pointer.marks(self.canvas, self.drawn, self.asking.handles)
        with self.picture.hold_sync():
            self.picture.marks, self.picture.looks = marks

    def _visited(self, setting, place):
        """The places that were visited at this setting, and this one."""
        return tuple(dict.fromkeys((*self.trail.get(setting, ()), place)))

    def say(self, trouble):
        """Show a sentence about what did not work; "" takes it away."""
        self.trouble = trouble
        self.error.value = f'<p role="alert">{escape(trouble)}</p>' if trouble else ""
        self.error.layout.display = None if trouble else "none"

    def _follow(self, values):
        """What depends on the picture of these values: how far a run goes, what can be moved now, the code.

        It comes after the picture, because the page should not be busy with anything else when that arrives. A control
        that another thread has moved meanwhile says more than these values, and is heard when that thread may draw.
        """
        values = values | self._limit_steppers(self.state, values)
        for box in self.points:
            box.refresh()
        self.asking.say_how()
        for control in self.explorer.controls:
            shown = control.when is None or control.when(values)
            self.inputs[control.name].layout.display = None if shown else "none"
        self.room.layout.height = f"{self.highest - height(self.explorer.controls, values)}px"
        if self.source.layout.display != "none":
            self.source.value = f"<pre>{escape(self.explorer.code(**values))}</pre>"
        self.said = values

    def _interrupt(self, keep=False):
        """End a glide, before its next frame, and a measurement: what it measured belongs to the values before.

        keep : the measurement belongs to the new values, too.
        """
        if self.gliding:
            self.gliding = None
            self.canvas.let_go()
        if self.measuring and not keep:
            self.measuring.stop()
            self.measured = None

    # ---- who else moves the controls --------------------------------------------------------

    @contextmanager
    def quietly(self):
        """Controls that move here draw nothing."""
        self.quiet, before = True, self.quiet
        try:
            yield
        finally:
            self.quiet = before

    def put(self, **values):
        """Move several controls and draw nothing."""
        self._limit_steppers(None, self.values)
        with self.quietly():
            for name, value in values.items():
                self.inputs[name].value = value

    def set(self, **values):
        """Move several controls and draw once."""
        values = self.explorer.read(values)
        with self.alone:
            self.put(**values)
            self._moved()
            self._limit_steppers(self.state, self.values)  # also where nothing has moved

    def go(self, scene):
        """Show a scene, or Reset."""
        scenes = {RESET: {}} | self.explorer.scenes
        if scene not in scenes:
            raise ValueError(f"{self.explorer.title!r} has no scene {scene!r}; there are {', '.join(scenes)}.")
        self._travel(self.first | scenes[scene], scene, SECONDS)

    def do(self, act):
        """What a button stands for: it reads the controls and moves some of them."""
        self._choose(LONGER, **act(**self.values))

    def _choose(self, seconds, **moved):
        """Go where a button or a click leads to."""
        values, moved = self.values, self.explorer.read(moved)
        if values | moved != values:
            self._travel(values | moved, None, seconds)

    def _travel(self, values, scene, seconds):
        """Go to these values: gliding where the explorer allows, the page runs, and nobody asked for less motion."""
        with self.alone:
            self._interrupt()
            begin = self.drawn
            if scene == RESET:
                self.trail = {}
            self.put(**values)
            self.said = self.values
            self.scenes.stand_at(scene)
            self.asking.stand_at(scene)
            self._set_out(begin, seconds)

    def replay(self):
        """Let the picture come about once more."""
        with self.alone:
            self._interrupt()
            self._set_out(self.said)

    def _set_out(self, begin, seconds=0.0):
        """From these values to those that the controls say, in a motion where there can be one."""
        goes_over = self.explorer.motion and between(self.explorer.controls, begin, self.said, 0.0) != self.said
        loop = running_loop() if (goes_over or self.explorer.play) and not self.picture.calm else None
        if loop is None:
            self._arrive()
        else:
            way = (between(self.explorer.controls, begin, self.said, part) for part in WAY)
            self.canvas.hold(self.explorer.state(values) for values in way)
            self.gliding = loop.create_task(self._glide(begin, self.said, seconds))

    async def _glide(self, begin, end, seconds):
        """The way to these values, as long as nothing else has moved the panel."""
        mine = asyncio.current_task()
        async for frame in self._frames(begin, end, seconds):
            with self.alone:
                if self.gliding is not mine:
                    return
                self.show(*frame)
        with self.alone:
            if self.gliding is mine:
                self._arrive()

    async def _frames(self, begin, end, seconds):
        """What to show on the way: values, and, where the picture plays, how much of that is over."""
        if self.explorer.play:
            async for done in moments(self.explorer.play):
                yield end, done
        else:
            async for values in glide(self.explorer.controls, begin, end, seconds):
                yield (values,)

    def _arrive(self):
        self.gliding, values = None, self.values
        self.canvas.let_go()
        self.show(values)
        self._follow(values)
        self.asking.arrive(self.scenes.here, values)

    def see(self):
        """Show the scene that the question asked about, and there what is right and why."""
        self.asking.uncover()
        self.go(self.explorer.question.scene)

    def _dragged(self, gesture):
        with self.alone:
            moved = self.pointer.drag(self.canvas, self.values, self.state, self.asking.handles, **gesture)
            if SKETCH in moved:
                self.answer(moved[SKETCH])
            elif self.pointer.points:
                with self.inputs[self.pointer.points.name].in_hand(let_go=gesture.get("done", False)):
                    self.set(**moved)
            elif self.explorer.eased and not self.pointer.travelled:
                self._choose(SECONDS, **moved)
            else:
                self.set(**moved)
            if gesture.get("done", False):
                self._mark()

    def _tell(self, place):
        text = "" if self.asking.hidden else self.pointer.tell(self.canvas, self.state, **place)
        self.picture.told = {"text": text, "x": -1, "y": -1} | place

    def _measuring(self):
        """The measurement with the present values; each piece is drawn."""

        def found(measured):
            with self.alone:
                self.measured = measured
                self.show(self.values)

        return Measuring(
            self.explorer.measuring,
            lambda: self.explorer.measure(**self.values),
            found,
            lambda error: self.say(f"The measurement ended early: {error}"),
        )

    def _limit_steppers(self, state, values):
        """A state may say ``last_step``: its run is shorter than the stepper allows. Gives the steps within it."""
        steppers = [control for control in self.explorer.controls if isinstance(control, Stepper)]
        lasts = {c.name: min(c.last, getattr(state, "last_step", c.last)) for c in steppers}
        with self.quietly():
            for name, last in lasts.items():
                self.inputs[name].limit(last)
        return {name: min(values[name], last) for name, last in lasts.items()}

    def _redraw_at(self, ratio):
        with self.alone:
            self.canvas = self.explorer.canvas(ratio, self._begin)
            self.show(self.drawn)

    def _calm(self, wanted):
        for control in self.explorer.controls:
            if isinstance(control, Stepper):
                self.inputs[control.name].calm(wanted)
        self.playing.layout.display = "none" if wanted else None

    def _here(self):
        """The scene that the panel is in; None on the way to it."""
        return None if self.gliding else self.scenes.here

    @property
    def words(self):
        """What is written below the picture."""
        return self.picture.words

    # ---- the rows of the panel --------------------------------------------------------------

    def _title(self):
        title = HTML(escape(self.explorer.title))
        title.add_class("kernelkit-title")
        return title

    def _main(self):
        """The question; all that moves the picture; the picture."""
        explorer = self.explorer
        self.acts = [button(text, partial(self.do, act)) for text, act in explorer.act.items()]
        self.coding = button("Show code", self._toggle_source)
        measuring = [self.measuring.button, self.measuring.progress] if self.measuring else []
        self.playing = button(explorer.playing, self.replay)
        playing = [self.playing] if explorer.play else []
        acts, extras = _box([*playing, *self.acts], "acts"), _box([*measuring, self.coding], "extras")
        first, folded = ([self.inputs[c.name] for c in explorer.controls if c.more is more] for more in (False, True))
        fold = [self._fold(folded)] if folded else []
        controls = _box([self.scenes, *first, acts, *fold, self.room, extras], "controls")
        self.source.add_class("kernelkit-source")
        self.error.add_class("kernelkit-error")
        return _box([self.asking, controls, self.source, _box([self.picture, self.error], "stage")], "main")

    def _fold(self, inputs):
        """Controls that are not needed at first; their place is kept, so that nothing moves when they appear."""
        self.folded = _box(inputs, "folded")
        self.folded.layout.visibility = "hidden"
        self.more = button(MORE, self._toggle_fold)
        return _box([self.more, self.folded], "fold")

    def _toggle_fold(self):
        hidden = self.folded.layout.visibility == "hidden"
        self.folded.layout.visibility = "visible" if hidden else "hidden"
        self.more.description = LESS if hidden else MORE

    def _toggle_source(self):
        hidden = self.source.layout.display == "none"
        self.source.layout.display = None if hidden else "none"
        self.coding.description = "Hide code" if hidden else "Show code"
        with self.alone:
            self._follow(self.said)

    def answer(self, answer):
        """Choose an option of the question, or draw its sketch: the places of its handles."""
        with self.alone:
            self.asking.answer(answer)
            if self.asking.sketched:
                self.show(self.drawn)

    # ---- pages where nothing runs -----------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs) or {}
        explorer, hidden = self.explorer, self.asking.hidden
        words = self.trouble or explorer.words(self.state, self._here(), hidden)
        if not self.trouble:
            png = stored_png(explorer.canvas(RATIO, self._begin), self.state, explorer.title, words, hidden)
            bundle["image/png"] = base64.b64encode(png).decode()
        bundle["text/plain"] = f"{explorer.title}\n{words}".strip()
        width = round(DPI * explorer.size[0])  # on the page; the picture has more pixels, for sharp screens
        about = {"image/png": {"alt": explorer.alternative(words), "width": width}, MARK: {"panel": explorer.title}}
        return bundle, self.picture._repr_mimebundle_()[1] | about  # anywidget's: in Colab, what draws its widgets


HEIGHTS = {Slider: 42, Choice: 30}  # pixels in the column of controls, as the style sheet has them


def height(controls, values):
    """Pixels of those sliders and lists that come and go, as far as they are shown at these values."""
    return sum(HEIGHTS.get(type(c), 0) for c in controls if c.when and c.when(values))


def highest(controls, values):
    """The most that these take, whatever is chosen in the lists."""
    lists = [c for c in controls if isinstance(c, Choice)]
    ways = product(*(c.ends() for c in lists)) if any(c.when for c in controls) else []
    names = [c.name for c in lists]
    return max((height(controls, values | dict(zip(names, way, strict=True))) for way in ways), default=0)


def _chooses_numbers(control):
    """Whether this is a choice among numbers, which have an order as those of a slider do."""
    return isinstance(control, Choice) and all(isinstance(value, Real) for value in control.ends())


def _box(children, name):
    """Widgets together; the style sheet says how the box of this name lays them out."""
    box = ipywidgets.Box(children)
    box.add_class(f"kernelkit-{name}")
    return box
