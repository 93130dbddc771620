"""The button that measures on this machine: it shows how far it is, and a second press stops it."""

import asyncio

from ipywidgets import FloatProgress, Layout

from kernelkit.course.panel.scenes import PAUSE, button, running_loop

STOP = "Stop"


class Measuring:
    """A button and a progress bar; ``run`` measures in one go.

    name : what the button says.  pieces() : a new generator of (fraction done, measurements).
    found(measurements) : is called after each piece.  failed(error) : if the generator fails.

    Where the page runs, the measurement goes piece by piece and listens between two pieces, so that it can be stopped:
    by its own button, now called Stop, and by whoever calls ``stop``. What was found until then stays.
    """

    def __init__(self, name, pieces, found, failed):
        self.name, self.pieces, self.found, self.failed = name, pieces, found, failed
        self.running = None
        self.button = button(name, self.press)
        self.progress = FloatProgress(max=1.0, layout=Layout(width="auto", visibility="hidden"))

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
        """Measure to the end."""
        for _ in self._found():
            pass
        self._ended()

    def stop(self):
        """End a measurement before its next piece."""
        if self.running is not None:
            self._ended()

    def _found(self):
        """Measure a piece, tell it, and wait to be asked for the next."""
        self.progress.layout.visibility = "visible"
        for fraction, measured in self.pieces():
            self.progress.value = fraction
            self.found(measured)
            yield

    async def _listen(self):
        mine = asyncio.current_task()
        try:
            for _ in self._found():
                await asyncio.sleep(PAUSE)
                if self.running is not mine:
                    return
        except Exception as error:
            self.failed(error)
        self._ended()

    def _ended(self):
        self.running, self.button.description = None, self.name
        self.progress.layout.visibility = "hidden"
