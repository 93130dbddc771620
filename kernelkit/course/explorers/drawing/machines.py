"""Support vector machines as panels show them, and lines that tell what a pointer is on."""

import numpy as np

from kernelkit import KernelSVM
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.panel.numbers import read_off, short

TOL = 1e-6  # so small that neither the start nor the processor shows in a picture or a readout


def machine(kernel, C, X, y, start=None):
    """A machine that is solved tightly; start : dual weights to begin from, of the same points as far as they go."""
    a = np.zeros(0) if start is None else start[: len(y)]
    return KernelSVM(kernel, C, tol=TOL).fit(X, y, start=np.pad(a, (0, len(y) - len(a))))


def on_margin(model):
    """The points with a multiplier strictly between 0 and C."""
    return np.flatnonzero((model.multipliers_ > 0) & (model.multipliers_ < model.C))


def tell_h(x, y, H, place):
    """h(0.5, 1.2) = 1.31."""
    where = ", ".join(short(v, 2) for v in place)
    return f"h({where}) = {read_off(plane.value_at(x, y, H, place))}"
