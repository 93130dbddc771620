"""The controls of an explorer: each says its name, its label, where it starts and what it may be.

``widget()`` makes the live control, with a ``value`` to observe; ``read(value)`` is the value that somebody wrote as
the control keeps it, or an error that says what the control can show; ``ends()`` and ``random(rng)`` give values for
sweeps. ``when(values)`` hides a control that would do nothing, and ``more`` puts it into the fold below the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from math import log10
from numbers import Real

import ipywidgets
import numpy as np
import traitlets

from kernelkit.checks import check_array, check_flag, check_number, check_whole, short
from kernelkit.course.panel.editors import ABOVE, LABEL, ItemsBox, PointsBox, SamplesBox, SprayBox, StepperBox, wide

GOLDEN = 0.618034  # the multiples of this share, without their whole parts, spread evenly


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
    more: bool = False
    counts: bool = False

    def __post_init__(self):
        object.__setattr__(self, "start", self.nearest(self.start if self.whole else float(self.start)))

    @property
    def whole(self):
        return isinstance(self.step, int) and not self.log

    def read(self, value):
        number = check_whole(value, self.name, at_least=self.low) if self.whole else check_number(value, self.name)
        low, tidied, high = (float(f"{value:.6g}") for value in (self.low, number, self.high))
        if not low <= tidied <= high:
            raise ValueError(f"{self.name} must be between {self.low:g} and {self.high:g}, got {value!r}.")
        if self.whole and (number - self.low) % self.step:
            steps = f"{self.low}, {self.low + self.step}, {self.low + 2 * self.step}, …"
            raise ValueError(f"{self.name} must be one of {steps}, got {value!r}.")
        return self.nearest(number)

    def nearest(self, value):
        """The place of the slider that is nearest: a page can put it at no other, and adds noise to its number."""
        value, low = min(max(value, self.low), self.high), self.low
        if self.log:
            place = low * 10 ** (round(log10(value / low) / self.step) * self.step)
        else:
            place = low + round((value - low) / self.step) * self.step
        return place if isinstance(place, int) else float(f"{place:.6g}")

    def between(self, begin, end, part):
        """A part of the way from one setting to another, on the slider's own scale; whole numbers jump."""
        a, b = begin[self.name], end[self.name]
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
            return int(self.low + self.step * rng.integers((self.high - self.low) // self.step + 1))
        if self.log:
            return self.nearest(10 ** rng.uniform(log10(self.low), log10(self.high)))
        return float(self.low + self.step * rng.integers(round((self.high - self.low) / self.step) + 1))


def _one_of(value, options, name):
    """The option that somebody wrote."""
    for option in options:
        if isinstance(value, type(option) | Real) and value == option:
            return option
    raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {short(value)}.")


@dataclass(frozen=True)
class Choice:
    """One of a few options, given as {label: value} or as a tuple of values that are their own labels."""

    name: str
    label: str
    start: object
    options: dict | tuple
    when: Callable | None = None
    more: bool = False

    def widget(self):
        options = list(self.options.items()) if isinstance(self.options, dict) else list(self.options)
        return ipywidgets.Dropdown(
            options=options, value=self.start, description=self.label, style=LABEL, layout=wide()
        )

    def read(self, value):
        return _one_of(value, self.ends(), self.name)

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
    more: bool = False

    def widget(self):
        return ipywidgets.Checkbox(value=self.start, description=self.label, indent=False, layout=wide())

    def read(self, value):
        return check_flag(value, self.name)

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
    more: bool = False
    live: bool = False

    def widget(self):
        style = ABOVE if self.live else LABEL
        text = ipywidgets.Text(
            value=self.start, description=self.label, continuous_update=self.live, style=style, layout=wide()
        )
        if self.live:
            text.add_class("kernelkit-line")
        return text

    def read(self, value):
        if not isinstance(value, str):
            raise TypeError(f"{self.name} must be a text, got {short(value)}.")
        return value

    def ends(self):
        return [self.start, *self.tried]

    def random(self, rng):
        return self.ends()[rng.integers(len(self.ends()))]


def _places(value, control):
    """Places (x, y) of the plane within the box of a control, as plain floats."""
    places = check_array(value, control.name)
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"{control.name} must hold pairs (x, y), got {short(value)}.")
    outside = ((places < control.low) | (places > control.high)).any(axis=1)
    if outside.any():
        x, y = places[outside][0].tolist()
        raise ValueError(
            f"{control.name} must lie between {control.low} and {control.high}, but one point is ({x:g}, {y:g})."
        )
    return tuple(map(tuple, places.tolist()))


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
    more: bool = False
    given = None  # no points but its own

    def widget(self):
        return PointsBox(self)

    def read(self, value):
        places = _places(value, self)
        if len(places) != len(self.start):
            raise ValueError(f"{self.name} must hold {len(self.start)} points, got {len(places)}.")
        return places

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

    def between(self, begin, end, part):
        """A part of the way from one setting to another with as many points."""
        a, b = begin[self.name], end[self.name]
        if len(a) != len(b):
            return b
        return tuple(tuple(u + part * (v - u) for u, v in zip(p, q, strict=True)) for p, q in zip(a, b, strict=True))


def _fallen(above, below, part, i):
    """Where point number i is after a part of its fall, which gets faster and faster."""
    late = 0.5 * (i * GOLDEN % 1)
    done = max(0.0, (part - late) / (1 - late)) ** 2
    return tuple(a + done * (b - a) for a, b in zip(above, below, strict=True))


@dataclass(frozen=True)
class Samples:
    """Labelled points of the plane to add, drag and remove: a tuple of (x, y, label) with label −1 or +1.

    A click on an empty place of ``parts[axes]`` adds a point of the class chosen under "a click adds", a click on a
    point removes it, dragging moves it; the buttons and sliders do the same. At most ``most`` points are added.

    spray : a drag in the picture leaves points behind all along its way, or, with the eraser, takes away what it meets,
    and a click does so at its place. Points are moved one by one, next to the picture. There are none that are given.
    axes : of one plane, or of several that all show the points.
    given(values) : (the name of a data set, its points, their labels), which are there from the start. The value then
    also says what became of them: (x, y, label, name, i) for point i, with the label 0 if it was taken away.
    floor : height of a line with a tray below it, in which the given points lie that were taken away; None for no tray.
    Whoever drags a point below that line takes it away, and whoever drags it up again brings it back.
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
    more: bool = False
    given: Callable | None = None
    floor: float | None = None
    spray: bool = False

    inside, planes = Points.inside, Points.planes

    def present(self, values):
        """The points that are shown, as (x, y, label, *what it is): ("", i) for one that was added, or (name, i).

        Those in the tray are shown too, with the label 0.
        """
        added = [(*self._judged(point), "", i) for i, point in enumerate(values[self.name]) if len(point) == 3]
        if self.given is None:
            return added
        name, X, y = self.given(values)
        there = {
            (name, i): (*place, label) for i, (place, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True))
        }
        there |= {tuple(which): point for *point, which in self._changes(values) if which in there}
        return [(*point, *which) for which, point in there.items() if point[2] or self.floor is not None] + added

    def _changes(self, values):
        return [(*change[:3], change[3:]) for change in values[self.name] if len(change) == 5]

    def _judged(self, point):
        """The same point, with the label 0 if it lies in the tray."""
        x, y, label = point
        return (x, y, 0 if self.floor is not None and y < self.floor else label)

    def label_of(self, values, name, i):
        """The class of a point, also where it was taken away."""
        return values[self.name][i][2] if name == "" else int(self.given(values)[2][i])

    def moved(self, values, index, place):
        """The new value: point number index is as near to the place as the box allows."""
        *_, name, i = self.present(values)[index]
        point = (*self.inside(place), self.label_of(values, name, i))
        return self._changed(values[self.name], name, i, self._judged(point) if name else point)

    def without(self, values, index):
        """The new value: one point less. A given one goes into the tray, if there is one, and from there back."""
        x, y, label, name, i = self.present(values)[index]
        if name and label and self.floor is not None:
            return self.thrown(values, index)
        return self._changed(values[self.name], name, i, (x, y, 0) if name and label else None)

    def thrown(self, values, index):
        """The new value: a point has fallen into the tray, where none lies exactly over another."""
        x, _, _, _, i = self.present(values)[index]
        depth = 0.2 + 0.6 * (i * GOLDEN % 1)
        return self.moved(values, index, (x, self.floor + depth * (self.low[1] - self.floor)))

    def _changed(self, value, name, i, point):
        """The value after a point has become another; None for an added one that goes and a given one that returns."""
        if name == "":
            return (*value[:i], *([] if point is None else [point]), *value[i + 1 :])
        return (*(change for change in value if change[3:] != (name, i)), *([(*point, name, i)] if point else []))

    def one_more(self, values, place, label):
        """The new value: one point more, unless there are enough; nobody throws a new one away."""
        value, place = values[self.name], self.inside(place)
        added = [point for point in value if len(point) == 3]
        full = len(added) >= self.most or not self._judged((*place, label))[2]
        return value if full else (*value, (*place, label))

    def between(self, begin, end, part):
        """A part of the way from one setting to another: what goes into the tray falls, each point a little later."""
        places = {point[3:]: point[:2] for point in self.present(begin)} if self.floor is not None else {}
        return tuple(
            (*_fallen(places[point[3:]], point[:2], part, point[4]), *point[2:]) if point[3:] in places else point
            for point in end[self.name]
        )

    def widget(self):
        return SprayBox(self) if self.spray else SamplesBox(self)

    def read(self, value):
        try:
            points = [tuple(point) for point in value]
        except TypeError:
            points = [()]
        if not all(map(self._fits, points)):
            raise ValueError(f"{self.name} must hold points (x, y, label) with the label -1 or 1, got {short(value)}.")
        if sum(len(point) == 3 for point in points) > self.most:
            raise ValueError(f"{self.name} must hold at most {self.most} points, got {len(points)}.")
        places = _places([point[:2] for point in points], self) if points else ()
        return tuple((*place, int(label), *which) for place, (_, _, label, *which) in zip(places, points, strict=True))

    def _fits(self, point):
        """Whether it is an added point, or, where there are given ones, what became of one of them."""
        if len(point) == 3:
            return isinstance(point[2], Real) and point[2] in (-1, 1)
        if len(point) != 5 or self.given is None:
            return False
        _, _, label, name, i = point
        return label in (-1, 0, 1) and isinstance(name, str) and isinstance(i, int)

    def ends(self):
        corners = ((*self.low, -1), (*self.high, 1))
        return [self.start, corners, tuple((*self.inside((0.0, 0.0)), label) for label in (-1, 1))]

    def random(self, rng):
        labels = [-1, 1, *(int(v) for v in rng.choice([-1, 1], rng.integers(0, 7)))]
        return tuple(
            (*(float(rng.uniform(a, b)) for a, b in zip(self.low, self.high, strict=True)), label) for label in labels
        )


@dataclass(frozen=True)
class Items:
    """Things that lie in one of a few places each: drag one to another place in ``parts[axes]``, or click it on.

    start : tuple of the places of all things.  names : of the things.  places : in the order in which clicks go round.
    spots(value) : where each thing is drawn, (x, y).  place_at(x, y) : the place that is there.
    low, high : the corners of the box in which a thing can be dragged; let go, it snaps to a spot of its place.
    """

    name: str
    label: str
    start: tuple
    names: tuple
    places: tuple
    spots: Callable
    place_at: Callable
    low: tuple
    high: tuple
    axes: str = "axes"
    when: Callable | None = None
    more: bool = False

    planes = Points.planes

    def widget(self):
        return ItemsBox(self)

    def read(self, value):
        places = tuple(_one_of(place, self.places, self.name) for place in value) if np.iterable(value) else ()
        if len(places) != len(self.names):
            raise ValueError(f"{self.name} must hold a place for each of {len(self.names)} things, got {short(value)}.")
        return places

    def ends(self):
        return [(place,) * len(self.names) for place in self.places]

    def random(self, rng):
        return tuple(self.places[i] for i in rng.integers(len(self.places), size=len(self.names)))

    def present(self, values):
        """Where each thing is drawn."""
        return self.spots(values[self.name])

    def put(self, value, index, place):
        """The new value: thing number index lies in this place."""
        return (*value[:index], place, *value[index + 1 :])

    def moved(self, values, index, point):
        """The new value: thing number index lies where the point is."""
        return self.put(values[self.name], index, self.place_at(*point))

    def clicked(self, values, index):
        """The new value: thing number index is in the next place."""
        value = values[self.name]
        after = self.places.index(value[index]) + 1
        return self.put(value, index, self.places[after % len(self.places)])


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
    more: bool = False

    def widget(self):
        return StepperBox(self)

    def read(self, value):
        step = check_whole(value, self.name)
        if step > self.last:
            raise ValueError(f"{self.name} must be between 0 and {self.last}, got {value!r}.")
        return step

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

    @property
    def asks(self):
        return self.prompt, tuple(self.options)

    def read(self, answer):
        return _one_of(answer, self.options, "the answer")

    def verdict(self, said, values):
        """What is said of an option that was chosen, as HTML."""
        word = "✓ Yes" if said == self.options[self.answer] else "✗ Not quite"
        return f"<b>{word}</b>, you said “{escape(said)}”."


@dataclass(frozen=True)
class NoQuestion:
    """Nothing is asked above this picture; because : why, as in "the text just above asks it"."""

    because: str
    asks = None

    def read(self, answer):
        raise ValueError(f"This panel asks nothing, because {self.because}, got the answer {short(answer)}.")
