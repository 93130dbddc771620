"""The row of named settings of a panel, and the way from one setting to the next."""

import asyncio
from functools import partial
from time import perf_counter

import ipywidgets

from kernelkit.course.panel.controls import Points, Samples, Slider

SECONDS, LONGER = 0.35, 0.9  # of motion between two scenes, and after a button that moves the controls
MORE, RESET = "More scenes", "Reset"
SHOWN = 2  # scenes that have a button of their own
PAUSE = 0.02  # between two frames: time for the page, and for whatever the learner does meanwhile


class Scenes(ipywidgets.HBox):
    """The first two scenes as buttons, the others in a menu, and Reset; whoever wants one calls chosen(its name)."""

    def __init__(self, names, chosen):
        first, more = names[:SHOWN], names[SHOWN:]
        self.chosen, self.here = chosen, None
        self.buttons = [button(name, partial(chosen, name)) for name in first]
        self.menu = ipywidgets.Dropdown(options=[(MORE, ""), *((name, name) for name in more)], value="")
        self.menu.observe(lambda change: self._pick(change.new), "value")
        self.reset = button(RESET, partial(chosen, RESET), "everything as it was at first")
        super().__init__([*self.buttons, *([self.menu] if more else []), self.reset])
        self.add_class("kernelkit-scenes")

    def _pick(self, name):
        if name not in ("", self.here):
            self.chosen(name)

    def stand_at(self, name):
        """Which scene the picture shows: the menu says so if it is one of its own; None once something was moved."""
        self.here = name
        self.menu.value = name if (name, name) in self.menu.options else ""


def button(text, action, tip=""):
    """A button that calls action() when it is pressed."""
    made = ipywidgets.Button(description=text, tooltip=tip)
    made.on_click(lambda _: action())
    return made


async def glide(controls, begin, end, seconds=SECONDS):
    """The values to show on the way from begin to end, which lasts so long; the end itself is not among them."""
    async for done in moments(seconds):
        yield between(controls, begin, end, done * done * (3 - 2 * done))


async def moments(seconds):
    """How much of so many seconds is over, for one frame after the other, from 0 on; 1 is not among them."""
    start = perf_counter()
    while (done := (perf_counter() - start) / seconds) < 1:
        yield done
        await asyncio.sleep(PAUSE)


def between(controls, begin, end, part):
    """The values a part of the way from begin to end: numbers and points go over, everything else is there at once."""
    moving = [control for control in controls if isinstance(control, Slider | Points | Samples)]
    return end | {control.name: control.between(begin, end, part) for control in moving}


def running_loop():
    """The loop of events that this runs in, None outside a page."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
