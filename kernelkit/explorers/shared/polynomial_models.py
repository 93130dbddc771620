"""The weights of a polynomial model as bars beside its picture."""

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.latex import plain
from kernelkit.panel.numbers import read_off, short
from kernelkit.panel.parts import reframed, standard
from kernelkit.plots import INK, sign_colours


def weight_axes(figure, box):
    """Axes for the weights and their bars."""
    ax = figure.add_axes(box)
    ax.set_title("weights $w$")
    ax.axvline(0, color=INK, linewidth=0.8)
    bars = ax.add_collection(PolyCollection([], animated=True, linewidth=0.5, edgecolor="white"))
    return ax, bars


def draw_weights(ax, bars, w, names):
    """Bars of w, one row a feature; returns what the fixed part depends on."""
    rows, limit = np.arange(len(w)), standard(np.abs(w).max())
    bars.set_verts([[(0, i - 0.38), (v, i - 0.38), (v, i + 0.38), (0, i + 0.38)] for i, v in zip(rows, w, strict=True)])
    bars.set_facecolor(sign_colours(w))
    if reframed(ax, limit, tuple(names)):
        ax.set(xlim=(-1.05 * limit, 1.05 * limit), ylim=(len(w) - 0.4, -0.6))
        ax.set_xticks([-limit, 0, limit], map(short, [-limit, 0, limit]))
        ax.set_yticks(rows, map(plain, names))


def tell_weight(state, x, y):
    """What a pointer over the bars says; the state has ``names`` and ``w``."""
    i = int(np.clip(round(y), 0, len(state.w) - 1))
    return f"w of {plain(state.names[i])} = {read_off(state.w[i])}"
