"""The controls of an explorer: each says its name, its label, where it starts and what it may be.

``widget()`` makes the live control, with a ``value`` to observe; ``ends()`` and ``random(rng)``
give values for sweeps. ``when(values)`` hides a control that would do nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log10

import ipywidgets
import traitlets

LABEL = {"description_width": "124px"}


def _layout():
    return ipywidgets.Layout(width="340px", flex="0 0 auto")  # flex keeps the readout from being cut


@dataclass(frozen=True)
class Slider:
    """A number from low to high; whole if the step is whole; on a logarithmic scale if log."""

    name: str
    label: str
    start: float
    low: float
    high: float
    step: float = 0.01
    log: bool = False
    when: Callable | None = None

    @property
    def whole(self):
        return isinstance(self.step, int) and not self.log

    def widget(self):
        common = {"value": self.start, "description": self.label, "style": LABEL, "layout": _layout()}
        if self.log:
            return ipywidgets.FloatLogSlider(
                min=log10(self.low), max=log10(self.high), step=self.step, readout_format=".3g", **common
            )
        kind = ipywidgets.IntSlider if self.whole else ipywidgets.FloatSlider
        extra = {} if self.whole else {"readout_format": ".2f"}
        return kind(min=self.low, max=self.high, step=self.step, **extra, **common)

    def ends(self):
        return [self.low, self.high]

    def random(self, rng):
        if self.whole:
            return int(rng.integers(self.low, self.high + 1))
        if self.log:
            return float(10 ** rng.uniform(log10(self.low), log10(self.high)))
        return float(self.low + self.step * rng.integers(round((self.high - self.low) / self.step) + 1))


@dataclass(frozen=True)
class Choice:
    """One of a few options, given as {label: value} or as a tuple of values that are their own labels."""

    name: str
    label: str
    start: object
    options: dict | tuple
    when: Callable | None = None

    def widget(self):
        options = list(self.options.items()) if isinstance(self.options, dict) else list(self.options)
        return ipywidgets.Dropdown(
            options=options, value=self.start, description=self.label, style=LABEL, layout=_layout()
        )

    def ends(self):
        return list(self.options.values()) if isinstance(self.options, dict) else list(self.options)

    def random(self, rng):
        return self.ends()[rng.integers(len(self.ends()))]


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    name: str
    label: str
    start: bool
    when: Callable | None = None

    def widget(self):
        return ipywidgets.Checkbox(value=self.start, description=self.label, indent=False, layout=_layout())

    def ends(self):
        return [False, True]

    def random(self, rng):
        return bool(rng.integers(2))


@dataclass(frozen=True)
class Points:
    """Points of the plane to drag in the axes ``parts[axes]``, or to choose and move by the keyboard.

    start : tuple of (x, y).  low, high : the corners of the box they stay in.
    labels : of the two coordinates.  names : of the points, by default their numbers.
    """

    name: str
    label: str
    start: tuple
    low: tuple
    high: tuple
    axes: str = "axes"
    labels: tuple = ("x", "y")
    names: tuple = ()
    step: float = 0.05
    when: Callable | None = None

    def widget(self):
        return PointsBox(self)

    def ends(self):
        return [(self.low,) * len(self.start), (self.high,) * len(self.start)]

    def random(self, rng):
        return tuple(
            tuple(float(rng.uniform(a, b)) for a, b in zip(self.low, self.high, strict=True)) for _ in self.start
        )

    def inside(self, point):
        """The nearest place that is allowed, as plain floats."""
        return tuple(
            float(min(max(v, a), b)) for v, a, b in zip(point, self.low, self.high, strict=True)
        )


class PointsBox(ipywidgets.VBox):
    """Choose a point, move it with two sliders; dragging it in the picture does the same."""

    value = traitlets.Tuple()

    def __init__(self, control):
        self.control = control
        names = control.names or [f"point {i + 1}" for i in range(len(control.start))]
        options = [(name, i) for i, name in enumerate(names)]
        self.chosen = ipywidgets.Dropdown(
            options=options, value=0, description=control.label, style=LABEL, layout=_layout()
        )
        self.coordinates = [
            ipywidgets.FloatSlider(
                value=value, min=low, max=high, step=control.step, description=label, readout_format=".2f",
                style=LABEL, layout=_layout(),
            )
            for value, low, high, label in zip(
                control.start[0], control.low, control.high, control.labels, strict=True
            )
        ]
        super().__init__([self.chosen, *self.coordinates], value=control.start)
        self.moving_sliders = False
        self.chosen.observe(self._place_sliders, "value")
        self.observe(self._place_sliders, "value")
        for slider in self.coordinates:
            slider.observe(self._move_by_slider, "value")

    def move(self, index, point):
        """Put point number index at a place, as near as the box allows."""
        point = self.control.inside(point)
        self.chosen.value = index
        self.value = (*self.value[:index], point, *self.value[index + 1 :])

    def _place_sliders(self, _):
        self.moving_sliders = True
        for slider, coordinate in zip(self.coordinates, self.value[self.chosen.value], strict=True):
            slider.value = coordinate
        self.moving_sliders = False

    def _move_by_slider(self, _):
        if not self.moving_sliders:
            self.move(self.chosen.value, [slider.value for slider in self.coordinates])


@dataclass(frozen=True)
class Question:
    """A question to answer before the controls are free: predict, move, explain."""

    prompt: str
    options: tuple
    answer: int
    why: str
