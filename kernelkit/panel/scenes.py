"""The row of named settings above a picture, and how one setting goes over into the next."""

import asyncio
from time import perf_counter

import ipywidgets

from kernelkit.panel.controls import Points, Slider

SECONDS = 0.35  # of motion between two scenes
PAUSE = 0.02  # between two frames: time for the page, and for whatever the learner does meanwhile


class Scenes(ipywidgets.HBox):
    """One button for each scene, and Reset; ``go`` shows a scene."""

    def __init__(self, panel):
        self.panel, self.moving = panel, None
        scenes = {name: panel.first | values for name, values in panel.explorer.scenes.items()}
        self.buttons = [self._button(name, values) for name, values in scenes.items()]
        self.buttons.append(self._button("Reset", panel.first))
        super().__init__(self.buttons)
        self.add_class("kernelkit-scenes")

    def _button(self, name, values):
        button = ipywidgets.Button(description=name)
        button.on_click(lambda _: self.go(values))
        return button

    def go(self, values):
        """Show this setting: gliding where the explorer allows, the page runs, and nobody asked for less motion."""
        panel, begin = self.panel, self.panel.values
        self.stop()
        if not panel.explorer.motion or panel.picture.calm or (loop := running_loop()) is None:
            panel.set(**values)
            return
        with panel.quietly():
            panel.put(**values)
        self.moving = loop.create_task(self._glide(begin, panel.values))

    def stop(self):
        """End a motion where it is: whoever moves something does not want to wait."""
        if self.moving is not None:
            self.moving.cancel()
            self.moving = None

    async def _glide(self, begin, end):
        start = perf_counter()
        while (done := (perf_counter() - start) / SECONDS) < 1:
            with self.panel.guarded():
                self.panel.show(between(self.panel.explorer.controls, begin, end, done * done * (3 - 2 * done)))
            await asyncio.sleep(PAUSE)
        self.moving = None
        self.panel.changed()


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
