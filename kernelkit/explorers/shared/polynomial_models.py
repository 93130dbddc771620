"""The weights of a polynomial model as bars beside its picture."""

import re

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.plots import INK, sign_colours


def weight_axes(figure, box):
    ax = figure.add_axes(box)
    ax.axvline(0, color=INK, linewidth=0.8)
    bars = ax.add_collection(PolyCollection([], animated=True, linewidth=0.5, edgecolor="white"))
    return ax, bars


def draw_weights(ax, bars, w, names):
    """Bars of w, one row a feature; returns what the fixed part depends on."""
    rows = np.arange(len(w))
    bars.set_verts([[(0, i - 0.38), (v, i - 0.38), (v, i + 0.38), (0, i + 0.38)] for i, v in zip(rows, w, strict=True)])
    bars.set_facecolor(sign_colours(w))
    fixed = (step_above(np.abs(w).max()), tuple(names))
    if getattr(ax, "fixed", None) != fixed:
        ax.fixed, limit = fixed, fixed[0]
        ax.set(xlim=(-1.05 * limit, 1.05 * limit), ylim=(len(w) - 0.4, -0.6), xticks=[-limit, 0, limit])
        ax.set_xticks([-limit, 0, limit], [f"−{limit:g}", "0", f"{limit:g}"])
        ax.set_yticks(rows, [plain(name) for name in names])
    return fixed


def plain(name):
    """A feature's name in letters instead of LaTeX, which takes too long to set while a slider moves."""
    name = re.sub(r"\\sqrt\{(\d+)\}", r"√\1", name).replace(r"\,", " ")
    name = re.sub(r"_(\d)", lambda m: "₀₁₂₃₄₅₆₇₈₉"[int(m[1])], name)
    return re.sub(r"\^\{?(\d+)\}?", lambda m: "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in m[1]), name)


def step_above(value):
    """The next of 1, 5, 10, 50, …, so that the axis does not move with every step of a slider."""
    return next(s * 10.0**e for e in range(-3, 12) for s in (1, 5) if s * 10.0**e >= value)
