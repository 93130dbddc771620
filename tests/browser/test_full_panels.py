"""Every explorer of every notebook: read at rest, asked, tried by keyboard and pointer, and timed."""

import contextlib
from itertools import product

import numpy as np
from benchmarks.latency import measure
from browser.keyboard import (
    go,
    named,
    settle,
    tab_stops,
    try_extras,
    try_samples,
    try_scenes,
    try_steppers,
    try_values,
    unfold,
)
from browser.lab import Notebook, chromium
from browser.learner import answer_question, quiet, stored_pictures
from playwright.sync_api import TimeoutError

from kernelkit.course.panel.controls import Choice, Points, Samples
from kernelkit.course.panel.editors import SprayBox
from kernelkit.course.panel.picture import DPI
from kernelkit.course.panel.question import NoQuestion
from kernelkit.course.panel.scenes import RESET
from kernelkit.course.panel.spray import DAB, EACH


def test_stored_pictures_are_there_before_anything_runs(server, lesson):
    with chromium() as page:
        notebook = Notebook(page, server, lesson)
        stored_pictures(notebook)
        quiet(notebook)


def test_every_control(server, name, latencies):
    with chromium() as page:
        notebook = Notebook(page, server, name)
        notebook.run_all()
        assert notebook.errors() == []
        for number in notebook.explorer_cells():
            panel, explorer = notebook.panel(number), notebook.explorer(number)
            answer_question(panel, explorer.question, right=False)
            comes_back(panel, explorer.question)
            unfold(panel)
            assert tab_stops(panel) == [], "Tab does not reach these"
            try_everything(panel, explorer)
            key, drag = measure(page, panel, explorer)
            latencies.append({"notebook": name, "explorer": explorer.title, "key_ms": key, "drag_per_s": drag})
        quiet(notebook)


def comes_back(panel, question):
    """What is explained goes with another scene, and comes back with its own."""
    if isinstance(question, NoQuestion):
        return
    words = f"text={question.why[:40]}"
    go(panel, RESET)
    panel.area.wait_for_selector(words, state="hidden")
    go(panel, question.scene)
    panel.area.wait_for_selector(words)


def try_everything(panel, explorer):
    done = set()
    try_scenes(panel)
    try_values(panel, done)
    try_samples(panel, done)
    alone = [c for c in explorer.controls if isinstance(c, Points) and len(c.names) == 1]  # with a heading for the list
    labels = {c.label for c in explorer.controls if c not in alone}
    labels |= {label for c in explorer.controls if isinstance(c, Points | Samples) for label in c.labels}
    for control in explorer.controls:
        if control.when and control.label not in done:
            bring_to_light(panel, explorer, control)
            try_values(panel, done)
    assert labels <= done, f"{explorer.title}: these were never seen, or move nothing: {labels - done}"
    try_steppers(panel)
    use_pointer(panel, explorer)
    try_extras(panel)
    assert panel.area.query_selector("[role=alert]") is None, "a setting does not work"


def bring_to_light(panel, explorer, control):
    """Set the lists so that this control is there, several may have to agree; where no list brings it, a scene does."""
    go(panel, RESET)
    start, lists = explorer.start(), [c for c in explorer.controls if isinstance(c, Choice)]
    shown = control.when or (lambda values: True)
    ways = (start | dict(zip([c.name for c in lists], way, strict=True)) for way in product(*(c.ends() for c in lists)))
    values = min(filter(shown, ways), key=lambda way: sum(way[c.name] != start[c.name] for c in lists), default=None)
    if values is None:
        scenes = ((name, start | changed) for name, changed in explorer.scenes.items())
        name, values = next((name, values) for name, values in scenes if shown(values))
        go(panel, name)
        return values
    for c in lists:
        if values[c.name] != start[c.name]:
            named(panel, c.label).choose(c.ends().index(values[c.name]))
    return values


def use_pointer(panel, explorer):
    """A drag moves a point, as its sliders do; with samples a click adds one and a click on it takes it away.

    Where points are sprayed, both leave more of them.
    """
    control = next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)
    if control is None:
        return
    values = bring_to_light(panel, explorer, control)
    canvas, size = explorer.canvas(), np.array(explorer.size) * DPI
    canvas.frame(explorer.compute(**values))
    present = control.present(values)
    places = [point[:2] for point in present] or [np.add(control.low, control.high) / 2]
    spots = canvas.to_pixels(control.planes[0], places)
    gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 999 * np.eye(len(spots))
    place = spots[gaps.min(axis=1).argmax()] / size  # the point that is farthest from all others
    if isinstance(control, Samples) and control.spray:
        named(panel, SprayBox.classes[1][0]).toggle()  # for the eraser was tried last
        click(panel, place, +1)
        spray(panel, place, place + (2.5 * DAB, 0) / size, 2 * EACH)
        return
    if isinstance(control, Samples):
        click(panel, place, +1 if not present else -1)
        click(panel, place, -1 if not present else +1)
        if not present:
            click(panel, place, +1)
    drag(panel, place, place + 25 / size)


def click(panel, place, more):
    """A click changes the number of points by this much, and the picture."""
    spray(panel, place, place, more)


def spray(panel, start, end, more):
    """The same of a drag; what was thrown away may lie in a tray, and can be chosen there."""
    listed = "[...el.querySelectorAll('option')].map(e => e.text)"
    count = f"el => {listed}.filter(text => /^point\\s\\d/.test(text) && !/thrown/.test(text)).length"
    before, after = read_around_drag(panel, start, end, count)
    assert after - before == more


def drag(panel, start, end):
    """A drag changes the picture, and the sliders of the point follow."""
    readouts = "el => [...el.querySelectorAll('.widget-readout')].map(e => e.textContent).join()"
    before, after = read_around_drag(panel, start, end, readouts)
    assert before != after, "the sliders do not follow the pointer"


def read_around_drag(panel, start, end, script):
    """What a script reads before and after the pointer is dragged, which has to change the picture."""
    before, picture = panel.area.evaluate(script), panel.seen()
    panel.drag(start, end)
    panel.wait_for_change(picture)
    with contextlib.suppress(TimeoutError):  # what is next to the picture may follow a little later
        panel.page.wait_for_function(f"([el, before]) => ({script})(el) !== before", arg=[panel.area, before])
    settle(panel)
    return before, panel.area.evaluate(script)
