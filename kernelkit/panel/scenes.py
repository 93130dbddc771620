"""The row of named settings of a panel, and the way from one setting to the next."""

import asyncio
from functools import partial
from time import perf_counter

import ipywidgets

from kernelkit.panel.controls import Points, Slider

SECONDS = 0.35  # of motion between two scenes
PAUSE = 0.02  # between two frames: time for the page, and for whatever the learner does meanwhile


class Scenes(ipywidgets.HBox):
    """One button for each setting {name: values}; a press calls chosen(values)."""

    def __init__(self, settings, chosen):
        self.buttons = [button(name, partial(chosen, values)) for name, values in settings.items()]
        super().__init__(self.buttons)
        self.add_class("kernelkit-scenes")


def button(text, action, tip=""):
    """A button that calls action() when it is pressed."""
    made = ipywidgets.Button(description=text, tooltip=tip)
    made.on_click(lambda _: action())
    return made


async def glide(controls, begin, end):
    """The values to show on the way from begin to end, which lasts SECONDS; the end itself is not among them."""
    start = perf_counter()
    while (done := (perf_counter() - start) / SECONDS) < 1:
        yield between(controls, begin, end, done * done * (3 - 2 * done))
        await asyncio.sleep(PAUSE)


def between(controls, begin, end, part):
    """The values a part of the way from begin to end: numbers and points go over, everything else is there at once."""
    values = dict(end)
    for control in controls:
        a, b = begin[control.name], end[control.name]
        if isinstance(control, Slider):
            values[control.name] = control.between(a, b, part)
        elif isinstance(control, Points) and len(a) == len(b):
            values[control.name] = tuple(
                tuple(u + part * (v - u) for u, v in zip(p, q, strict=True)) for p, q in zip(a, b, strict=True)
            )
    return values


def running_loop():
    """The loop of events that this runs in, None outside a page."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
