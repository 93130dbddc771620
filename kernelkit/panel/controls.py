"""The controls of an explorer: each says its name, its label, where it starts and what it may be.

``widget()`` makes the live control, with a ``value`` to observe; ``ends()`` and ``random(rng)``
give values for sweeps. ``when(values)`` hides a control that would do nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import log10

import ipywidgets
import traitlets

from kernelkit.panel.editors import ABOVE, LABEL, PointsBox, SamplesBox, StepperBox, wide


class LogSlider(ipywidgets.FloatLogSlider):
    """Its readout has three digits, and says 0.000001 rather than 1e-6; ipywidgets' own check does not know the ~."""

    readout_format = traitlets.Unicode(".3~r").tag(sync=True)


@dataclass(frozen=True)
class Slider:
    """A number from low to high; whole if the step is whole; on a logarithmic scale if log.

    counts : of a logarithmic slider, that the panel rounds its values, so that the readout must do it too.
    """

    name: str
    label: str
    start: float
    low: float
    high: float
    step: float = 0.01
    log: bool = False
    when: Callable | None = None
    counts: bool = False

    def __post_init__(self):
        if not self.whole:
            object.__setattr__(self, "start", float(self.start))

    @property
    def whole(self):
        return isinstance(self.step, int) and not self.log

    def tidy(self, value):
        """The value without the noise of the browser's arithmetic."""
        return value if isinstance(value, int) else float(f"{value:.6g}")

    def nearest(self, value):
        """The value of the slider that is nearest."""
        low, high = self.low, self.high
        steps = round((min(max(value, low), high) - low) / self.step)
        return self.tidy(low + steps * self.step)

    def between(self, a, b, part):
        """A part of the way from a to b, on the slider's own scale; whole numbers jump."""
        if self.whole or a == b:
            return b
        return a * (b / a) ** part if self.log else a + part * (b - a)

    def widget(self):
        common = {"value": self.start, "description": self.label, "style": ABOVE, "layout": wide()}
        if self.log:
            extra = {"readout_format": ".0f"} if self.counts else {}
            return LogSlider(min=log10(self.low), max=log10(self.high), step=self.step, **extra, **common)
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
            options=options, value=self.start, description=self.label, style=LABEL, layout=wide()
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
        return ipywidgets.Checkbox(value=self.start, description=self.label, indent=False, layout=wide())

    def ends(self):
        return [False, True]

    def random(self, rng):
        return bool(rng.integers(2))


@dataclass(frozen=True)
class Text:
    """A line of text to type.

    tried : texts that a sweep types, right ones and wrong ones.
    live : it is read while it is typed, and, for a whole sentence, has the line below its label for itself.
    """

    name: str
    label: str
    start: str
    tried: tuple = ()
    when: Callable | None = None
    live: bool = False

    def widget(self):
        style = ABOVE if self.live else LABEL
        text = ipywidgets.Text(
            value=self.start, description=self.label, continuous_update=self.live, style=style, layout=wide()
        )
        if self.live:
            text.add_class("kernelkit-line")
        return text

    def ends(self):
        return [self.start, *self.tried]

    def random(self, rng):
        return self.ends()[rng.integers(len(self.ends()))]


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
    given = None  # no points but its own

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
        return tuple(float(min(max(v, a), b)) for v, a, b in zip(point, self.low, self.high, strict=True))

    @property
    def planes(self):
        """The keys of all axes that show the points."""
        return (self.axes,) if isinstance(self.axes, str) else self.axes

    def present(self, values):
        """The points that are there."""
        return values[self.name]

    def moved(self, values, index, place):
        """The new value: point number index is as near to the place as the box allows."""
        points = values[self.name]
        return (*points[:index], self.inside(place), *points[index + 1 :])


@dataclass(frozen=True)
class Samples:
    """Labelled points of the plane to add, drag and remove: a tuple of (x, y, label) with label −1 or +1.

    A click on an empty place of ``parts[axes]`` adds a point of the class chosen under "a click adds", a click on a
    point removes it, dragging moves it; the buttons and sliders do the same. At most ``most`` points are added.

    axes : of one plane, or of several that all show the points.
    given(values) : (the name of a data set, its points, their labels), which are there from the start. The value then
    also says what became of them: (x, y, label, name, i) for point i, with the label 0 if it was taken away.
    """

    name: str
    label: str
    start: tuple
    low: tuple
    high: tuple
    axes: str | tuple = "axes"
    labels: tuple = ("x", "y")
    most: int = 60
    step: float = 0.05
    when: Callable | None = None
    given: Callable | None = None

    inside, planes = Points.inside, Points.planes

    def present(self, values):
        """The points that are there, as (x, y, label, *what it is): ("", i) for one that was added, or (name, i)."""
        added = [(*point, "", i) for i, point in enumerate(values[self.name]) if len(point) == 3]
        if self.given is None:
            return added
        name, X, y = self.given(values)
        there = {
            (name, i): (*place, label) for i, (place, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True))
        }
        there |= {tuple(which): point for *point, which in self._changes(values) if which in there}
        return [(*point, *which) for which, point in there.items() if point[2]] + added

    def _changes(self, values):
        return [(*change[:3], change[3:]) for change in values[self.name] if len(change) == 5]

    def moved(self, values, index, place):
        """The new value: point number index is as near to the place as the box allows."""
        _, _, label, *which = self.present(values)[index]
        return self._changed(values[self.name], which, (*self.inside(place), label))

    def without(self, values, index):
        """The new value: one point less."""
        x, y, _, *which = self.present(values)[index]
        return self._changed(values[self.name], which, None if which[0] == "" else (x, y, 0))

    def _changed(self, value, which, point):
        """The value after a point has become another, or, if it was an added one, nothing."""
        name, i = which
        if name == "":
            return (*value[:i], *([] if point is None else [point]), *value[i + 1 :])
        return (*(change for change in value if change[3:] != (name, i)), (*point, name, i))

    def more(self, values, place, label):
        """The new value: one point more, unless there are enough."""
        value = values[self.name]
        added = [point for point in value if len(point) == 3]
        return value if len(added) >= self.most else (*value, (*self.inside(place), label))

    def widget(self):
        return SamplesBox(self)

    def ends(self):
        corners = ((*self.low, -1), (*self.high, 1))
        return [self.start, corners, tuple((*self.inside((0.0, 0.0)), label) for label in (-1, 1))]

    def random(self, rng):
        labels = [-1, 1, *(int(v) for v in rng.choice([-1, 1], rng.integers(0, 7)))]
        return tuple(
            (*(float(rng.uniform(a, b)) for a, b in zip(self.low, self.high, strict=True)), label) for label in labels
        )


@dataclass(frozen=True)
class Stepper:
    """The step of an algorithm, from 0 to last: first, back, play, forward, last.

    Where a run is shorter, its state says so in ``last_step`` and shows its end for every later step.
    """

    name: str
    label: str
    last: int
    start: int = 0
    when: Callable | None = None

    def widget(self):
        return StepperBox(self)

    def ends(self):
        return [0, self.last]

    def random(self, rng):
        return int(rng.integers(0, self.last + 1))


@dataclass(frozen=True)
class Question:
    """A question to answer before one looks: predict, see it, explain.

    answer : the number of the right option, from 0.  scene : the name of the scene that shows exactly what was asked.
    why : said there, next to the picture.
    """

    prompt: str
    options: tuple
    answer: int
    why: str
    scene: str

    def verdict(self, said, values):
        """What is said of an option that was chosen, as HTML."""
        word = "✓ Yes" if said == self.options[self.answer] else "✗ Not quite"
        return f"<b>{word}</b>, you said “{escape(said)}”."


@dataclass(frozen=True)
class NoQuestion:
    """Nothing is asked above this picture; because : why, as in "the text just above asks it"."""

    because: str
