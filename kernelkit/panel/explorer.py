"""What an explorer is, and the panel it becomes in a notebook.

An explorer is plain functions and a table of controls: ``compute(**values) -> state`` (numbers only),
``build(figure) -> parts`` and ``draw(parts, state)`` (pictures only), ``describe(state) -> str`` (the
sentence a teacher would say) and ``code(**values) -> str`` (the kernelkit lines behind the picture).
"""

import base64
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

import ipywidgets
import numpy as np
from ipywidgets import HTML, Button, Layout

from kernelkit.panel.controls import Points, Question, Samples, Slider, Stepper
from kernelkit.panel.picture import DPI, Canvas, Picture, png_bytes, with_caption

TEXT = '<p style="margin: 2px 0; line-height: 1.4; max-width: 100ch">'
REACH = 30  # a pointer this many pixels from a point takes hold of it
SIZE = (7.0, 3.8)  # with its card 716 × 396 pixels: a panel, answered and explained, fits a laptop's screen
CLICK = 3  # a pointer that moved no further has clicked


@dataclass(frozen=True)
class Explorer:
    """Everything that makes one interactive picture; calling it gives a fresh panel.

    scenes : named settings, {name: {control: value}}.  size : of the picture in hundreds of pixels, at most SIZE.
    measure(**values), where there is one, is a generator of (fraction done, measurements) that runs when its
    button is pressed; compute then gets ``measured=`` the measurements so far, None before.
    tell : {key of axes in parts: f(state, x, y)}, what a pointer there says of the place (x, y), "" for nothing.
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
    tell: dict = field(default_factory=dict)
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
    """Controls, picture and sentence of one explorer, with its scenes, Reset and Show code."""

    def __init__(self, explorer, **start):
        self.explorer, self.measured = explorer, None
        self.first = explorer.start() | start
        self.inputs = {control.name: control.widget() for control in explorer.controls}
        self.canvas = explorer.canvas()
        self.picture = Picture(
            touchable=any(isinstance(c, Points | Samples) for c in explorer.controls),
            layout=Layout(width=f"{round(explorer.size[0] * DPI)}px", max_width="100%"),
        )
        self.error, self.source = HTML(), HTML(layout=Layout(display="none"))
        self.gesture, self.held = None, None  # the pointer's gesture, and the point it holds
        self.together = False
        super().__init__(self._rows())
        self.add_class("kernelkit-panel")
        self._ask()
        self.set(**self.first)
        for widget in self.inputs.values():
            widget.observe(self._changed, "value")
        self.picture.observe(lambda change: self._redraw_at(change.new), "ratio")
        self.picture.observe(lambda change: self._calm(change.new), "calm")
        self.picture.observe(lambda change: self.point(**change.new), "pointer")

    # ---- values in, picture out -------------------------------------------------------------

    @property
    def values(self):
        """What all controls say now."""
        said = [(control, self.inputs[control.name].value) for control in self.explorer.controls]
        return {c.name: c.tidy(value) if isinstance(c, Slider) else value for c, value in said}

    def set(self, **values):
        """Move several controls and draw once."""
        self._limit_steppers(None)
        self.together = True
        try:
            for name, value in values.items():
                self.inputs[name].value = value
        finally:
            self.together = False
        self._changed()

    def _changed(self, _=None):
        if not self.together:
            self.measured = None
            self.refresh()

    def refresh(self):
        """Compute, draw and describe; an error is shown in words and the panel lives on.

        The picture goes first: the page should not be busy with anything else when it arrives.
        """
        try:
            state = self._state()
            self._show(self.canvas.frame(state), self.explorer.describe(state))
            self._limit_steppers(state)
            self._write_source()
        except Exception as error:
            if os.environ.get("KERNELKIT_STRICT") == "1":
                raise
            self.error.value = f'<p role="alert">This setting does not work: {escape(str(error))}</p>'
        values = self.values
        for control in self.explorer.controls:
            shown = control.when is None or control.when(values)
            self.inputs[control.name].layout.display = None if shown else "none"

    def _state(self):
        extra = {"measured": self.measured} if self.explorer.measure else {}
        return self.explorer.compute(**self.values, **extra)

    def _limit_steppers(self, state):
        """A state may say ``last_step``: its run is shorter than the stepper allows."""
        self.together = True
        for control in self.explorer.controls:
            if isinstance(control, Stepper):
                self.inputs[control.name].limit(min(control.last, getattr(state, "last_step", control.last)))
        self.together = False

    def _show(self, pixels, sentence):
        with self.picture.hold_sync():
            self.picture.alt = sentence
            self.picture.png = png_bytes(pixels, 1)
        self.error.value = ""

    def _redraw_at(self, ratio):
        self.canvas = self.explorer.canvas(min(max(ratio, 1.0), 3.0))
        self.refresh()

    def _calm(self, wanted):
        for control in self.explorer.controls:
            if isinstance(control, Stepper):
                self.inputs[control.name].calm(wanted)

    # ---- the pointer ------------------------------------------------------------------------

    def point(self, id, x0, y0, x, y, done=False):
        """A gesture takes hold of the nearest point and moves it; with ``Samples`` a click adds or removes one."""
        control = next(c for c in self.explorer.controls if isinstance(c, Points | Samples))
        box, size = self.inputs[control.name], np.array(self.explorer.size) * DPI
        if self.chosen_first():
            return
        if id != self.gesture:
            self.gesture, self.held = id, self._nearest(control, np.array([x0, y0]) * size)
        if np.hypot(*((x - x0, y - y0) * size)) > CLICK:
            if self.held is not None:
                box.move(self.held, self.canvas.to_data(control.axes, x, y))
        elif done and isinstance(control, Samples):
            if self.held is None:
                place = self.canvas.to_data(control.axes, x, y)
                if control.inside(place) == tuple(place):
                    box.add(place)
            else:
                box.remove(self.held)

    def _nearest(self, control, pixel):
        places = [point[:2] for point in self.inputs[control.name].value]
        if not places:
            return None
        gaps = np.hypot(*(self.canvas.to_pixels(control.axes, places) - pixel).T)
        return int(gaps.argmin()) if gaps.min() <= REACH else None

    # ---- the rows of the panel --------------------------------------------------------------

    def _rows(self):
        controls = ipywidgets.VBox(list(self.inputs.values()), layout=Layout(flex="0 0 auto"))
        main = ipywidgets.HBox(
            [controls, self.picture],
            layout=Layout(flex_flow="row wrap", align_items="flex-start"),
        )
        self.asking = ipywidgets.VBox()
        title = HTML(f'<div style="font-weight: 600; font-size: 115%">{escape(self.explorer.title)}</div>')
        return [title, self.asking, main, self.error, self._buttons(), self.source]

    def _buttons(self):
        scenes = self.explorer.scenes.items()
        buttons = [_button(name, lambda _, v=values: self.set(**(self.first | v))) for name, values in scenes]
        buttons.append(_button("Reset", lambda _: self.set(**self.first), icon="undo"))
        self.movers = list(buttons)  # these wait for the answer to a question, as the controls do
        if self.explorer.measure:
            self.progress = ipywidgets.FloatProgress(max=1.0, layout=Layout(width="160px", visibility="hidden"))
            buttons += [_button("Measure on this machine", lambda _: self.run_measurement(), icon="clock-o")]
            buttons += [self.progress]
        buttons.append(_button("Show code", self._toggle_source, icon="code"))
        self.buttons = ipywidgets.HBox(buttons, layout=Layout(flex_flow="row wrap"))
        return self.buttons

    def _toggle_source(self, button):
        hidden = self.source.layout.display == "none"
        self.source.layout.display = None if hidden else "none"
        button.description = "Hide code" if hidden else "Show code"
        self._write_source()

    def _write_source(self):
        if self.source.layout.display != "none":
            self.source.value = f"<pre>{escape(self.explorer.code(**self.values))}</pre>"

    @property
    def sentence(self):
        """What the panel says about its picture."""
        return self.picture.alt

    def run_measurement(self):
        """Measure with the present values, drawing what is known so far."""
        self.progress.layout.visibility = "visible"
        for fraction, measured in self.explorer.measure(**self.values):
            self.progress.value, self.measured = fraction, measured
            self.refresh()
        self.progress.layout.visibility = "hidden"

    # ---- predict, move, explain -------------------------------------------------------------

    def _ask(self):
        question = self.explorer.question
        if question is None:
            return
        self.options = ipywidgets.RadioButtons(
            options=list(question.options), value=None, layout=Layout(width="auto", max_width="90ch")
        )
        self.options.observe(lambda change: self.answer(change.new), "value")
        self.skip = _button("Skip the question", lambda _: self.answer(None))
        self.skip.layout.align_self = "flex-start"
        prompt = HTML(f"{TEXT}<b>Predict first.</b> {escape(question.prompt)}</p>")
        self.asking.children = [prompt, self.options, self.skip]
        self._enable(False)

    def chosen_first(self):
        """Whether a question still waits for its answer."""
        return bool(self.asking.children) and self.skip in self.asking.children

    def answer(self, choice):
        """Free the controls and say why; None skips the question."""
        question = self.explorer.question
        right = choice == question.options[question.answer]
        verdict = "" if choice is None else "✓ Yes. " if right else "✗ Not quite. "
        prompt = self.asking.children[0]
        self.options.disabled = True
        self.asking.children = [prompt, self.options, HTML(f"{TEXT}{verdict}{escape(question.why)}</p>")]
        self._enable(True)

    def _enable(self, enabled):
        for widget in (*self.inputs.values(), *self.movers):
            for part in parts_of(widget):
                if part.has_trait("disabled"):
                    part.disabled = not enabled

    # ---- pages where nothing runs -----------------------------------------------------------

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs) or {}
        sentence = self.picture.alt
        pixels = with_caption(self.explorer.canvas().frame(self._state()), sentence)
        bundle["image/png"] = base64.b64encode(png_bytes(pixels, 9)).decode()
        bundle["text/plain"] = f"{self.explorer.title}\n{sentence}"
        return bundle, {"image/png": {"alt": sentence}}


def parts_of(widget):
    """A widget and all that is inside it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts_of(child)


def _button(text, action, icon=""):
    button = Button(description=text, icon=icon, layout=Layout(width="auto"))
    button.on_click(action)
    return button
