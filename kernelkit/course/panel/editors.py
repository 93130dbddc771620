"""The controls that are more than one widget: moving points, adding and removing them, sorting things, stepping."""

from contextlib import contextmanager

import ipywidgets
import traitlets
from ipywidgets import Button, Layout

LABEL = {"description_width": "88px"}
ERASER = 0  # in place of a class
ABOVE = {"description_width": "auto"}  # of a slider, whose label has a line of its own


def wide():
    """The layout of a control; flex keeps the readout from being cut."""
    return Layout(width="278px", flex="0 0 auto")


def _coordinate(label, low, high, step, value):
    return ipywidgets.FloatSlider(
        value=value, min=low, max=high, step=step, description=label, readout_format=".2f", style=ABOVE, layout=wide()
    )


class PointsBox(ipywidgets.VBox):
    """Choose a point, move it with two sliders; dragging it in the picture does the same.

    values() : what all controls of the panel say, for points that depend on another control.
    """

    value = traitlets.Tuple()

    def __init__(self, control):
        self.control, self.placing, self.held = control, False, False
        self.values = lambda: {control.name: self.value}
        first = control.start[0] if control.start else control.inside((0.0, 0.0))
        self.chosen = ipywidgets.Dropdown(description=control.label, style=LABEL, layout=wide())
        self.coordinates = [
            _coordinate(label, low, high, control.step, value)
            for label, low, high, value in zip(control.labels, control.low, control.high, first[:2], strict=True)
        ]
        super().__init__([self._heading(), *self.coordinates], value=control.start)
        if control.given is None:
            self._name_points()
        self.chosen.observe(self._place_sliders, "value")
        self.observe(self._follow, "value")
        for axis, slider in enumerate(self.coordinates):
            slider.observe(lambda change, axis=axis: self._move_by_slider(axis, change.new), "value")

    def _heading(self):
        """The list to choose from; where a single point can be moved, only what it is called."""
        if len(self.control.names) == 1:
            return ipywidgets.Label(f"{self.control.label} {self.control.names[0]}", layout=wide())
        return self.chosen

    def names(self):
        """What the points are called, in order."""
        return self.control.names or [f"point {i + 1}" for i in range(len(self.present()))]

    def present(self):
        """The points that are there."""
        return self.control.present(self.values())

    def move(self, index, place):
        """Put point number index at a place, as near as the box allows."""
        self.value = self.control.moved(self.values(), index, place)

    @contextmanager
    def in_hand(self, let_go):
        """A point is moved by hand in the picture: the sliders wait until it is let go.

        A browser rounds a slider to its steps and sends that back, two messages for each picture.
        """
        self.held = True
        try:
            yield
        finally:
            self.held = False
        if let_go:
            self.refresh()

    def _name_points(self):
        options = [(name, i) for i, name in enumerate(self.names())]
        if list(self.chosen.options) != options:
            kept = self.chosen.value
            self.chosen.options = options
            if options:
                self.chosen.value = min(kept or 0, len(options) - 1)

    def _follow(self, change):
        """The point that was moved or added, in the picture or here, is the chosen one."""
        named = [self.values() | {self.control.name: value} for value in (change.old, change.new)]
        old, new = map(self.control.present, named)
        self._name_points()
        changed = [i for i, point in enumerate(new) if i >= len(old) or point != old[i]]
        if len(changed) == 1:
            self.chosen.value = changed[0]
        self._place_sliders()

    def refresh(self):
        """Another control may have brought other points."""
        self._name_points()
        self._place_sliders()

    def _place_sliders(self, _=None):
        if self.held or self.chosen.value is None:
            return
        self.placing = True
        for slider, coordinate in zip(self.coordinates, self.present()[self.chosen.value], strict=False):
            slider.value = coordinate
        self.placing = False

    def _move_by_slider(self, axis, new):
        """Within half a step of the point nothing has moved: the browser has rounded."""
        if self.placing or self.chosen.value is None:
            return
        place = list(self.present()[self.chosen.value][:2])
        if abs(new - place[axis]) > self.control.step * (0.5 + 1e-6):
            place[axis] = new
            self.move(self.chosen.value, place)


class SamplesBox(PointsBox):
    """As ``PointsBox``, and points of two classes can be added and removed."""

    what, width = "a click adds", "82px"
    classes = (("● −1", -1), ("■ +1", 1))
    tips = ("a click adds a point of class −1", "a click adds a point of class +1")

    def __init__(self, control):
        self.adds = ipywidgets.ToggleButtons(
            options=self.classes, value=1, style={"button_width": self.width}, tooltips=self.tips
        )
        super().__init__(control)
        self.add_button, self.remove_button = Button(description="Add"), Button(description="Remove")
        for button in (self.add_button, self.remove_button):
            button.layout = Layout(width="82px", margin="1px 6px 1px 0")
        self.add_button.on_click(lambda _: self.add([slider.value for slider in self.coordinates]))
        self.remove_button.on_click(lambda _: self.remove(self.chosen.value))
        said = ipywidgets.Label(self.what, layout=Layout(width="88px"))
        buttons = ipywidgets.HBox([self.add_button, self.remove_button], layout=Layout(margin="0 0 0 92px"))
        self.children = [ipywidgets.HBox([said, self.adds]), *self.children, buttons]

    def _heading(self):
        return self.chosen  # there can always be more of them

    def names(self):
        labels = [point[2] for point in self.present()]
        said = {1: "+1", -1: "−1", 0: "thrown away"}
        return [f"point {i} ({said[int(label)]})" for i, label in enumerate(labels, 1)]

    def add(self, place):
        """One more point of the class that is chosen; nothing if there are enough."""
        self.value = self.control.one_more(self.values(), place, self.adds.value)

    def remove(self, index):
        """One point less."""
        if index is not None:
            self.value = self.control.without(self.values(), index)


class SprayBox(SamplesBox):
    """As ``SamplesBox``, for points that are sprayed; what moves a single one is there when it is asked for."""

    what, width = "paint with", "84px"
    classes = (("● blue", -1), ("■ orange", 1), ("eraser", ERASER))
    tips = ("points of class −1", "points of class +1", "take points away")

    def __init__(self, control):
        super().__init__(control)
        painting, *single = self.children
        painting.layout.flex_flow = "row wrap"  # three buttons need a line for themselves
        self.one_by_one = ipywidgets.Checkbox(description="move points one by one", indent=False, layout=wide())
        self.single = ipywidgets.VBox(single, layout=Layout(display="none"))
        self.one_by_one.observe(
            lambda change: setattr(self.single.layout, "display", None if change.new else "none"), "value"
        )
        self.children = [painting, self.one_by_one, self.single]

    def add(self, place):
        if self.adds.value != ERASER:
            super().add(place)

    def _follow(self, change):
        """While paint flows, the list of points waits."""
        if not self.held:
            super()._follow(change)

    def refresh(self):
        if not self.held:
            super().refresh()


class ItemsBox(ipywidgets.VBox):
    """Choose a thing, and the place in which it lies; dragging or clicking it in the picture does the same."""

    value = traitlets.Tuple()

    def __init__(self, control):
        self.control = control
        options = [(name, i) for i, name in enumerate(control.names)]
        self.chosen = ipywidgets.Dropdown(options=options, description=control.label, style=LABEL, layout=wide())
        width = f"{270 // len(control.places) - 6}px"
        tips = [f"{control.label}: {place}" for place in control.places]
        self.place = ipywidgets.ToggleButtons(options=control.places, style={"button_width": width}, tooltips=tips)
        super().__init__([self.chosen, self.place], value=control.start)
        self._show_place()
        self.chosen.observe(self._show_place, "value")
        self.observe(self._follow, "value")
        self.place.observe(lambda change: self._put(change.new), "value")

    @contextmanager
    def in_hand(self, let_go):
        """Nothing waits while a thing is in hand: its place has no digits that a browser could round."""
        yield

    def _show_place(self, _=None):
        self.place.value = self.value[self.chosen.value]

    def _put(self, place):
        self.value = self.control.put(self.value, self.chosen.value, place)

    def _follow(self, change):
        """The thing that was moved is the chosen one."""
        moved = [i for i, (old, new) in enumerate(zip(change.old, change.new, strict=True)) if old != new]
        if len(moved) == 1:
            self.chosen.value = moved[0]
        self._show_place()


class StepperBox(ipywidgets.VBox):
    """First, back, play, forward, last, and a slider; ``calm`` takes play away for those who want less motion."""

    value = traitlets.Int()

    def __init__(self, control):
        self.slider = ipywidgets.IntSlider(
            value=control.start, min=0, max=control.last, description=control.label, style=ABOVE, layout=wide()
        )
        self.play = ipywidgets.Play(
            value=control.start, min=0, max=control.last, interval=400, show_repeat=False, layout=Layout(width="80px")
        )
        moves = (
            ("first step", "fast-backward", lambda v: 0),
            ("one back", "step-backward", lambda v: v - 1),
            ("one forward", "step-forward", lambda v: v + 1),
            ("last step", "fast-forward", lambda v: control.last),
        )
        self.buttons = [self._button(*move) for move in moves]
        row = [*self.buttons[:2], self.play, *self.buttons[2:]]
        super().__init__([ipywidgets.HBox(row, layout=Layout(margin="2px 0")), self.slider], value=control.start)
        for part in (self.slider, self.play):
            part.observe(lambda change: setattr(self, "value", change.new), "value")
        self.observe(self._follow, "value")

    def _button(self, tip, icon, move):
        button = Button(icon=icon, tooltip=tip, layout=Layout(width="40px"))
        button.on_click(lambda _: setattr(self, "value", min(max(move(self.value), 0), self.slider.max)))
        return button

    def _follow(self, change):
        self.slider.value = self.play.value = change.new

    def limit(self, last):
        """The run has so many steps: there is nothing beyond."""
        self.slider.max = self.play.max = last

    def calm(self, wanted):
        """Hide play, because its user asked the system for less motion."""
        self.play.layout.display = "none" if wanted else None
