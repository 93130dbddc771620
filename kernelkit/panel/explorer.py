"""What an explorer is, and the panel it becomes in a notebook.

An explorer is plain functions and a table of controls: ``compute(**values) -> state`` (numbers only),
``build(figure) -> parts`` and ``draw(parts, state)`` (pictures only), ``describe(state) -> str`` (the
sentence a teacher would say) and ``code(**values) -> str`` (the kernelkit lines behind the picture).
"""

import base64
import os
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape

import ipywidgets
from ipywidgets import HTML, Button, Layout

from kernelkit.panel.controls import Question, Slider, Stepper
from kernelkit.panel.measuring import Measuring
from kernelkit.panel.picture import Canvas, Picture, png_bytes, with_caption
from kernelkit.panel.pointer import Pointer
from kernelkit.panel.question import QuestionBox
from kernelkit.panel.saving import MARK
from kernelkit.panel.scenes import Scenes

SIZE = (7.0, 3.8)  # with its card 716 × 396 pixels: a panel, answered and explained, fits a laptop's screen


@dataclass(frozen=True)
class Explorer:
    """Everything that makes one interactive picture; calling it gives a fresh panel.

    scenes : named settings, {name: {control: value}}.  size : of the picture in hundreds of pixels, at most SIZE.
    measure(**values), where there is one, is a generator of (fraction done, measurements) that runs when its
    button, which says ``measuring``, is pressed, and ends when it is pressed again; compute then gets ``measured=``
    the measurements so far, None before.
    act : {name of a button: f(**values)}, which gives the values {name: value} that pressing it puts in.
    tell : {key of axes in parts: f(state, x, y)}, what a pointer there says of the place (x, y), "" for nothing.
    click : {key of axes in parts: f(state, x, y)}, the values of controls {name: value} that a click there chooses.
    turn : the names of two sliders, of azimuth and elevation, that dragging the picture turns.
    motion : between two scenes the numbers go over into each other; only where the picture is continuous in them.
    warm : compute also gets ``before=`` the state shown last, None at first, to start its algorithm from.
    """

    title: str
    controls: tuple
    compute: Callable
    build: Callable
    draw: Callable
    describe: Callable
    code: Callable
    scenes: dict = field(default_factory=dict)
    question: Question | None = None
    measure: Callable | None = None
    measuring: str = "Measure on this machine"
    act: dict = field(default_factory=dict)
    tell: dict = field(default_factory=dict)
    click: dict = field(default_factory=dict)
    turn: tuple = ()
    motion: bool = False
    warm: bool = False
    size: tuple = SIZE

    def start(self):
        """The values all controls start with."""
        return {control.name: control.start for control in self.controls}

    def canvas(self, ratio=1.0):
        """A new figure for this explorer."""
        return Canvas(self.build, self.draw, self.size, ratio)

    def __call__(self, **start):
        return Panel(self, **start)


class Panel(ipywidgets.VBox):
    """Question, scenes, controls, picture and sentence of one explorer, with Reset and Show code."""

    def __init__(self, explorer, **start):
        self.explorer, self.measured, self.state, self.drawn = explorer, None, None, {}
        self.quiet, self.trouble = False, ""
        self.first = explorer.start() | start
        self.inputs = {control.name: control.widget() for control in explorer.controls}
        self.canvas, self.picture = explorer.canvas(), Picture()
        self.pointer = Pointer(self)
        self.asking = QuestionBox(explorer.title, explorer.question, lambda: self._enable(True))
        self.scenes, self.measuring = Scenes(self), Measuring(self) if explorer.measure else None
        self.error, self.source = HTML(layout=Layout(display="none")), HTML(layout=Layout(display="none"))
        super().__init__([self._title(), self.asking, self._buttons(), self._main(), self.error, self.source])
        self.add_class("kernelkit-panel")
        self._enable(not self.asking.awaits_prediction())
        self.put(**self.first)
        self.refresh()
        for widget in self.inputs.values():
            widget.observe(lambda _: self._heard(), "value")
        self.picture.observe(lambda change: self._redraw_at(change.new), "ratio")
        self.picture.observe(lambda change: self._calm(change.new), "calm")

    # ---- values in, picture out -------------------------------------------------------------

    @property
    def values(self):
        """What all controls say now."""
        said = [(control, self.inputs[control.name].value) for control in self.explorer.controls]
        return {c.name: c.tidy(value) if isinstance(c, Slider) else value for c, value in said}

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
        self._limit_steppers(None)
        with self.quietly():
            for name, value in values.items():
                self.inputs[name].value = value

    def set(self, **values):
        """Move several controls and draw once."""
        self.put(**values)
        self._touched()

    def _heard(self):
        """A control says something; without the noise of the browser's arithmetic it may be what it said before."""
        if not self.quiet and self.values != self.drawn:
            self._touched()

    def _touched(self):
        self.scenes.stop()
        self.changed()

    def changed(self):
        """The learner moved something: what was measured is of yesterday, and an explanation may be given."""
        if self.measuring:
            self.measuring.stop()
        self.measured = None
        self.refresh()
        self.asking.moved()

    def refresh(self):
        """Compute, draw and describe; an error is shown in words and the panel lives on.

        The picture goes first: the page should not be busy with anything else when it arrives.
        """
        with self.guarded():
            self.show(self.values)
            self._limit_steppers(self.state)
            self._write_source()
        values = self.values
        for control in self.explorer.controls:
            shown = control.when is None or control.when(values)
            self.inputs[control.name].layout.display = None if shown else "none"

    @contextmanager
    def guarded(self):
        """An error in here is shown in words, and the panel lives on; under KERNELKIT_STRICT=1 it is raised."""
        try:
            yield
        except Exception as error:
            if os.environ.get("KERNELKIT_STRICT") == "1":
                raise
            self.say(f"This setting does not work: {error}")

    def show(self, values):
        """Picture and sentence of these values, whatever the controls say."""
        self.drawn = values
        self.state = self._compute(values, self.state)
        pixels, sentence = self.canvas.frame(self.state), self.explorer.describe(self.state)
        with self.picture.hold_sync():
            self.picture.alt = sentence
            self.picture.png = png_bytes(pixels, 1)
        self.say("")

    def _compute(self, values, before=None):
        extra = {"measured": self.measured} if self.explorer.measure else {}
        if self.explorer.warm:
            extra["before"] = before
        return self.explorer.compute(**values, **extra)

    def say(self, trouble):
        """Show a sentence about what did not work; "" takes it away."""
        self.trouble = trouble
        self.error.value = f'<p role="alert">{escape(trouble)}</p>' if trouble else ""
        self.error.layout.display = None if trouble else "none"

    def _limit_steppers(self, state):
        """A state may say ``last_step``: its run is shorter than the stepper allows."""
        with self.quietly():
            for control in self.explorer.controls:
                if isinstance(control, Stepper):
                    self.inputs[control.name].limit(min(control.last, getattr(state, "last_step", control.last)))

    def _redraw_at(self, ratio):
        self.canvas = self.explorer.canvas(min(max(ratio, 1.0), 3.0))
        self.refresh()

    def _calm(self, wanted):
        for control in self.explorer.controls:
            if isinstance(control, Stepper):
                self.inputs[control.name].calm(wanted)

    @property
    def sentence(self):
        """What the panel says about its picture."""
        return self.picture.alt

    # ---- the rows of the panel --------------------------------------------------------------

    def _title(self):
        title = HTML(escape(self.explorer.title))
        title.add_class("kernelkit-title")
        return title

    def _main(self):
        controls = ipywidgets.VBox([*self.inputs.values(), self.asking.why])
        controls.add_class("kernelkit-controls")
        main = ipywidgets.HBox([controls, self.picture])
        main.add_class("kernelkit-main")
        return main

    def _buttons(self):
        """The scenes, and behind them what else a button does."""
        self.acts = [_button(text, lambda _, act=act: self.do(act)) for text, act in self.explorer.act.items()]
        extra = [*self.acts, _button("Show code", self._toggle_source)]
        if self.measuring:
            extra = [self.measuring.button, *extra, self.measuring.progress]
        self.scenes.children = [*self.scenes.buttons, *extra]
        return self.scenes

    def _toggle_source(self, button):
        hidden = self.source.layout.display == "none"
        self.source.layout.display = None if hidden else "none"
        button.description = "Hide code" if hidden else "Show code"
        self._write_source()

    def _write_source(self):
        if self.source.layout.display != "none":
            self.source.value = f"<pre>{escape(self.explorer.code(**self.values))}</pre>"

    def do(self, act):
        """What a button stands for: it reads the controls and moves some of them."""
        self.set(**act(**self.values))

    def run_measurement(self):
        """Measure with the present values, drawing what is known so far."""
        self.measuring.run()

    # ---- predict first ----------------------------------------------------------------------

    def answer(self, choice):
        """Choose an option of the question; None skips it."""
        self.asking.answer(choice)

    def _enable(self, enabled):
        """Controls and scenes wait for the answer to the question."""
        for widget in (*self.inputs.values(), *self.scenes.buttons, *self.acts):
            for part in parts_of(widget):
                if part.has_trait("disabled"):
                    part.disabled = not enabled

    # ---- pages where nothing runs -----------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs) or {}
        sentence = self.picture.alt
        with self.guarded():
            pixels = with_caption(self.explorer.canvas().frame(self._compute(self.values)), sentence)
            bundle["image/png"] = base64.b64encode(png_bytes(pixels, 9)).decode()
        if "image/png" not in bundle:
            sentence = self.trouble
        bundle["text/plain"] = f"{self.explorer.title}\n{sentence}"
        return bundle, {"image/png": {"alt": sentence}, MARK: {"panel": self.explorer.title}}


def parts_of(widget):
    """A widget and all that is inside it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)


def _button(text, action):
    button = Button(description=text)
    button.on_click(action)
    return button
