"""The button that measures on this machine: it shows how far it is, and a second press stops it."""

import asyncio

from ipywidgets import Button, FloatProgress, Layout

from kernelkit.panel.scenes import PAUSE, running_loop

STOP = "Stop"


class Measuring:
    """The button and the progress of a panel's measurement; ``run`` makes it in one go.

    Where the page runs, the measurement goes piece by piece and listens between two pieces: to its own button, now
    called Stop, and to every control, which ends it too. What was measured until then stays, unless a control moved.
    """

    def __init__(self, panel):
        self.panel, self.running = panel, None
        self.button = Button(description=panel.explorer.measuring)
        self.progress = FloatProgress(max=1.0, layout=Layout(width="120px", display="none"))
        self.button.on_click(lambda _: self.press())

    def press(self):
        """Begin, or end what has begun."""
        if self.running is not None:
            self.stop()
        elif (loop := running_loop()) is None:
            self.run()
        else:
            self.button.description = STOP
            self.running = loop.create_task(self._listen())

    def run(self):
        """Measure with the present values, drawing what is known so far."""
        for _ in self._pieces():
            pass

    def stop(self):
        """End a measurement where it is."""
        if self.running is not None:
            self.running.cancel()
            self._ended()

    def _pieces(self):
        panel = self.panel
        self.progress.layout.display = None
        for fraction, measured in panel.explorer.measure(**panel.values):
            self.progress.value, panel.measured = fraction, measured
            panel.refresh()
            yield
        self.progress.layout.display = "none"

    async def _listen(self):
        try:
            for _ in self._pieces():
                await asyncio.sleep(PAUSE)
        except Exception as error:
            self.panel.say(f"The measurement ended early: {error}")
        self._ended()

    def _ended(self):
        self.running, self.button.description = None, self.panel.explorer.measuring
        self.progress.layout.display = "none"
