"""Notebook 17. Terms chosen one after the other, and what they do to pixels and patients never seen."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.hospital import LADDER, PIXELS, STEPS, run_of, written
from kernelkit.course.panel.controls import Choice, NoQuestion, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, HLine, Line, Text
from kernelkit.course.panel.numbers import fixed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

ROWS = 11  # terms that are listed
TICKS = 0, 10, 20, 30
CHOICES = {group: pool for pool, group in enumerate(LADDER, 1)}


def compute(pool, degree, count, step):
    run = run_of(pool, degree, count)
    here = min(step, len(run))
    last = written(run[here - 1].term)
    return SimpleNamespace(run=run, shown=run[:here], step=here, last_step=len(run), last=last)


def picture(s):
    terms = Axes(
        "",
        Axis("", 0, 1, ()),
        Axis("", ROWS + 0.5, -0.5, ()),
        Text(0, 0, "terms, the newest last", GREY, up="center"),
        Text(1, 0, "loss falls by", GREY, side="right", up="center"),
        bare=True,
        width=13,
    )
    for row, i in enumerate(range(max(0, s.step - ROWS), s.step), 1):
        term, gain = _row(s, i)
        terms += Text(0, row, term, INK, up="center"), Text(1, row, gain, GREY, side="right", up="center")
    losses = Axes(
        "mean squared residual",
        Axis("", 0, STEPS + 0.5, TICKS, ("",) * len(TICKS)),
        Axis("", 0, 0.34),
        Text(0.98, 0.97, "held out", PURPLE, side="right", up="top", of="axes"),
        Text(0.98, 0.82, "learned from", INK, side="right", up="top", of="axes"),
        _run([step.loss for step in s.shown], INK),
        _run([step.held_out for step in s.shown], PURPLE),
        name="losses",
        width=8,
    )
    found = Axes(
        "mean Dice, held out",
        Axis("terms", 0, STEPS + 0.5, TICKS),
        Axis("", 0.5 if min(step.dice for step in s.run) > 0.5 else 0.3, 1, (0.6, 0.8, 1)),
        HLine(0.85, GREY, width=0.9, style=":"),
        Text(STEPS, 0.835, "0.85: exercise 17.4", GREY, side="right", up="top"),
        _run([step.dice for step in s.shown], GREEN),
        name="found",
        dress=_green_title,
    )
    return [[terms, losses], [terms, found]]


def _run(values, color):
    """A value after each of the terms 1, 2, …"""
    return Line(np.arange(1, len(values) + 1), values, color, width=1.6, marker="o", size=3.5)


def _green_title(ax):
    ax.set_title(ax.get_title("left"), color=GREEN)


def _row(state, i):
    """A term with its number, and its gain; what the first one gains on the constant is not kept."""
    gain = fixed(state.run[i - 1].loss - state.run[i].loss, 4) if i else ""
    return f"{i + 1}.  {written(state.run[i].term)}", gain


def readout(state):
    return {
        "terms": f"{state.step} of at most {state.last_step}",
        "the last term": state.last if state.shown else None,
        "others that it beat": state.shown[-1].tried - 1 if state.shown else None,
        "residual": _residuals(state.shown[-1]) if state.shown else None,
        "mean Dice, held out": fixed(state.shown[-1].dice) if state.shown else None,
    }


def _residuals(step):
    return f"{fixed(step.loss, 3)} learned from, {fixed(step.held_out, 3)} held out"


def _tell(name):
    def tell(state, x, y):
        i = int(np.clip(round(x), 1, STEPS))
        return f"{i} terms: {fixed(getattr(state.run[i - 1], name), 3)}" if i <= state.step else "not chosen yet"

    return tell


def code(pool, degree, count, step):
    return (
        "import numpy as np\n"
        "from kernelkit.course.explorers.data.hospital import LEARNED, POOLS, columns_of, sample, written\n"
        "from kernelkit.study.terms import forward\n\n"
        f"X, y = sample(LEARNED[:{count}], {PIXELS[count]})\n"
        "Z = np.clip((X - X.mean(axis=0)) / X.std(axis=0), -5, 5)\n"
        f"chosen = np.flatnonzero(columns_of(POOLS[{pool - 1}]))\n"
        f"for step in forward(Z[:, chosen], y, {max(step, 1)}, {degree}):\n"
        "    print(written([chosen[i] for i in step.term]), step.loss)"
    )


selection = panel(
    compute,
    picture,
    readout,
    code,
    Choice("pool", "features up to", 4, CHOICES),
    Choice("degree", "kind", 2, {"single features": 1, "and products of two": 2}),
    Choice("count", "learned from", 4, {"12 patients": 12, "4, few pixels": 4}),
    Stepper("step", "terms", STEPS, 3),
    title="Terms, one by one",
    shows="On the left the chosen terms in their order, the newest last, each with what it takes from the loss. On "
    "the right, over the number of terms: above, the mean squared residual, black on the pixels learned from and "
    "purple on held-out patients; below, in green, the mean Dice on the held-out patients, with a dotted line at "
    "0.85.",
    film=("step",),
    scenes={
        "All thirty": {"step": STEPS},
        "Single features": {"step": STEPS, "degree": 1},
        "12 patients": {"step": STEPS, "count": 12},
        "Brightness only": {"step": STEPS, "pool": 1},
        "No place": {"step": STEPS, "pool": 2},
    },
    question=NoQuestion(because="the text just above asks what thirty terms do"),
    tell={"losses": _tell("held_out"), "found": _tell("dice")},
    size=(7.0, 3.6),
)
