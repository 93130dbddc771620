"""Notebook 17. Terms chosen one after the other, and what they do to pixels and patients never seen."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.hospital import LADDER, PIXELS, STEPS, run_of, written
from kernelkit.course.panel.controls import Choice, NoQuestion, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed
from kernelkit.course.panel.parts import Table, reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

ROWS = 11  # terms that are listed
CHOICES = {group: pool for pool, group in enumerate(LADDER, 1)}


def compute(pool, degree, count, step):
    run = run_of(pool, degree, count)
    here = min(step, len(run))
    return SimpleNamespace(
        run=run,
        shown=run[:here],
        step=here,
        last_step=len(run),
        last=written(run[here - 1].term),
    )


def build(figure):
    axes = figure.subplot_mosaic([["terms", "losses"], ["terms", "found"]], width_ratios=(13, 8))
    losses, found = axes["losses"], axes["found"]
    for ax in (losses, found):
        ax.set(xlim=(0, STEPS + 0.5), xticks=[0, 10, 20, 30])
    losses.set(title="mean squared residual", ylim=(0, 0.34), xticklabels=[])
    found.set(ylim=(0.5, 1), yticks=[0.6, 0.8, 1], xlabel="terms")
    found.set_title("mean Dice, held out", color=GREEN)
    found.axhline(0.85, color=GREY, linewidth=0.9, linestyle=":")
    found.text(STEPS, 0.835, "0.85: exercise 17.4", color=GREY, ha="right", va="top")
    losses.text(0.98, 0.97, "held out", color=PURPLE, ha="right", va="top", transform=losses.transAxes)
    losses.text(0.98, 0.82, "learned from", color=INK, ha="right", va="top", transform=losses.transAxes)
    columns = {"terms, the newest last": (0, "left"), "loss falls by": (1, "right", GREY)}
    return (
        axes
        | {"rows": Table(axes["terms"], columns, ROWS)}
        | {
            name: ax.plot([], [], "o-", color=colour, lw=1.6, ms=3.5, animated=True)[0]
            for name, ax, colour in (("loss", losses, INK), ("held_out", losses, PURPLE), ("dice", found, GREEN))
        }
    )


def draw(parts, state):
    rows = [_row(state, i) for i in range(max(0, state.step - ROWS), state.step)]
    parts["rows"].show(rows)
    low = 0.5 if min(step.dice for step in state.run) > 0.5 else 0.3
    if reframed(parts["found"], low):
        parts["found"].set_ylim(low, 1)
    for name in ("loss", "held_out", "dice"):
        parts[name].set_data(np.arange(1, state.step + 1), [getattr(step, name) for step in state.shown])


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


selection = Explorer(
    title="Terms, one by one",
    controls=(
        Choice("pool", "features up to", 4, CHOICES),
        Choice("degree", "kind", 2, {"single features": 1, "and products of two": 2}),
        Choice("count", "learned from", 4, {"12 patients": 12, "4, few pixels": 4}),
        Stepper("step", "terms", STEPS, 3),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the chosen terms in their order, the newest last, each with what it takes from the loss. On "
    "the right, over the number of terms: above, the mean squared residual, black on the pixels learned from and "
    "purple on held-out patients; below, in green, the mean Dice on the held-out patients, with a dotted line at "
    "0.85.",
    code=code,
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
