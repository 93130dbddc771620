"""The weights of a polynomial model as bars next to its picture."""

import numpy as np

from kernelkit.course.panel.numbers import read_off
from kernelkit.course.panel.parts import Bars, reframed, standard
from kernelkit.latex import plain


def weight_bars(ax, longest):
    """Lying bars for the weights, with room for the names of the features up to the longest one."""
    ax.set(title="weights $w$", yticks=[0], yticklabels=[longest])
    return Bars(ax, lying=True)


def draw_weights(bars, w, names):
    """Bars of w, one row a feature."""
    rows, limit = np.arange(len(w)), standard(np.abs(w).max())
    bars.show(rows, w)
    if reframed(bars.ax, limit, tuple(names)):
        bars.frame(limit)
        bars.ax.set(ylim=(len(w) - 0.4, -0.6))
        bars.ax.set_yticks(rows, map(plain, names))


def tell_weight(state, x, y):
    """What a pointer over the bars says; the state has ``names`` and ``w``."""
    i = int(np.clip(round(y), 0, len(state.w) - 1))
    return f"w of {plain(state.names[i])} = {read_off(state.w[i])}"
