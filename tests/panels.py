"""Every panel of the course, found by walking the folders of ``kernelkit.course.explorers``."""

import importlib
import pkgutil
import re

import numpy as np

import kernelkit.course.explorers
from kernelkit.course.panel.controls import NoQuestion, Question
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.plots import contour_lines


def notebooks():
    """The folder of each notebook: {name: module}, without what several need."""
    names = [info.name for info in pkgutil.iter_modules(kernelkit.course.explorers.__path__)]
    names = [name for name in names if name not in ("data", "drawing")]
    return {name: importlib.import_module(f"kernelkit.course.explorers.{name}") for name in names}


def files(name):
    """The module of each file in the folder of a notebook: {panel: module}."""
    folder = importlib.import_module(f"kernelkit.course.explorers.{name}")
    names = [info.name for info in pkgutil.iter_modules(folder.__path__)]
    return {panel: importlib.import_module(f"{folder.__name__}.{panel}") for panel in names}


def asking():
    """The explorers that ask a question with options."""
    return {name: explorer for name, explorer in explorers().items() if isinstance(explorer.question, Question)}


def sketching():
    """The explorers whose question is answered by a drawing."""
    return {name: explorer for name, explorer in explorers().items() if is_sketched(explorer)}


def is_sketched(explorer):
    return isinstance(explorer.question, Sketch)


def explorers():
    """Every explorer that a file defines, as {"notebook.panel": Explorer}."""
    return {f"{name}.{panel}": getattr(module, panel) for name in notebooks() for panel, module in files(name).items()}


def compute(explorer, values):
    """The state of these values, before anything was shown or measured, with no place visited but theirs."""
    before = ({"measured": None} if explorer.measure else {}) | ({"before": None} if explorer.warm else {})
    before |= {"visited": (explorer.trail(values)[1],)} if explorer.trail else {}
    return explorer.compute(**before | values)


def state_of(explorer, scene=None, **values):
    """What is computed for these values, in a scene or at the start."""
    return compute(explorer, explorer.start() | (explorer.scenes[scene] if scene else {}) | values)


def axes_of(explorer, state):
    """The axes of the picture of a state that have a name: {name: axes}."""
    return {axes.name: axes for row in explorer.picture(state) for axes in row if axes.name}


def marks_of(explorer, state, name):
    """The marks of this name in the picture of a state, from the lowest to the uppermost."""
    different = {id(axes): axes for row in explorer.picture(state) for axes in row}.values()
    return [mark for axes in different for mark in axes.marks if mark is not None and mark.name == name]


def corners(mark, *levels):
    """Where the lines of these levels of a mark, or of all, have their corners: (n, 2)."""
    levels = levels or mark.levels
    assert {*levels} <= {*mark.levels}
    return np.vstack([path for paths in contour_lines(mark.x, mark.y, mark.H, levels) for path in paths])


def told_of(explorer, state, name, x, y):
    """What the uppermost mark of these axes that knows the place says of it."""
    marks = axes_of(explorer, state)[name].marks
    return next(filter(None, (mark.told(x, y) for mark in reversed(marks) if mark is not None)), "")


def readout_of(explorer, scene=None, **values):
    """What is read off that state: {label: value as it is written}, without what is not shown."""
    readout = explorer.readout(state_of(explorer, scene, **values))
    return {label: str(value) for label, value in readout.items() if value is not None}


def number(written):
    """The first number of a value as it is written: 0.04 of "4.0 %", 34 of "34 of 200", 3e-07 of "3·10⁻⁷"."""
    powers = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
    written = written.translate({ord("−"): "-", ord("\u00a0"): " ", ord("\u2009"): None})
    sign, mantissa, power, whole, percent = re.search(
        rf"(-?)(?:([\d.]*)·?10([{powers}]+)|(\d*\.?\d+))( %)?", written
    ).groups()
    if power:
        size = float(mantissa or 1) * 10.0 ** int(power.translate(str.maketrans(powers, "-0123456789")))
    else:
        size = float(whole) / (100 if percent else 1)
    return -size if sign else size


def words(explorer):
    """Everything that is written in the panel around the picture, but for the readout."""
    question = explorer.question
    asked = () if isinstance(question, NoQuestion) else (question.prompt, question.why)
    asked += question.options if isinstance(question, Question) else ()
    asked += (explorer.shows, *explorer.says.values())
    return [explorer.title, *(control.label for control in explorer.controls), *explorer.scenes, *explorer.act, *asked]


def drag(panel, **gesture):
    """What the page sends while a pointer is down: id, x0, y0, x, y and, at its end, done."""
    panel.picture._handle_custom_msg(gesture, [])


class Undrawn:
    """A canvas that draws nothing."""

    telling = False

    def frame(self, *_, **__):
        return np.zeros((1, 1, 4), np.uint8)

    def to_pixels(self, axes, points):
        return np.zeros((len(points), 2))

    def looks(self, axes, places):
        return [()] * len(places)

    def let_go(self):
        pass
