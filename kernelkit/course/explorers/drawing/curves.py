"""Curves through noisy points: the data, the axes and the two models of one picture."""

import numpy as np

from kernelkit.course.panel.marks import Axis, Dots, Line, Polygons
from kernelkit.course.panel.numbers import read_off
from kernelkit.course.panel.parts import key, reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

CURVES = {"sin(2x)": "sine", "a cubic": "cubic", "a step": "step"}
GRID = np.linspace(-4, 4, 241)[:, None]
INSIDE = np.abs(GRID[:, 0]) <= 3  # where the data are


def true_curve(data):
    return {"sine": np.sin(2 * GRID), "cubic": (GRID**3 - 4 * GRID) / 5, "step": np.sign(GRID)}[data][:, 0]


def rms(v):
    return float(np.sqrt(np.mean(np.square(v))))


def curve_axes(ax, first, second):
    """The axes of two models, named first (purple, dashed) and second (green), of the data and of the true curve."""
    ax.set(xlim=(-4, 4), ylim=(-2.6, 2.6), xlabel="$x$", xticks=[-4, -2, 0, 2, 4])
    truth = ax.plot(GRID[:, 0], 0 * GRID[:, 0], ":", color=GREY, linewidth=2.4, animated=True)[0]
    one = ax.plot(GRID[:, 0], 0 * GRID[:, 0], "--", color=PURPLE, linewidth=2.4, animated=True, zorder=3)[0]
    other = ax.plot(GRID[:, 0], 0 * GRID[:, 0], color=GREEN, linewidth=2.8, animated=True)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True, zorder=4)[0]
    key(ax, {first: one, second: other, "truth": truth, "data": dots})
    return {"axes": ax, "truth": truth, "first": one, "second": other, "dots": dots}


def draw_curves(parts, state, first, second):
    parts["truth"].set_ydata(state.truth)
    parts["first"].set_ydata(np.clip(first, -99, 99))
    parts["second"].set_ydata(np.clip(second, -99, 99))
    parts["dots"].set_data(state.X[:, 0], state.y)
    limit = 3.7 if np.abs(state.truth[INSIDE]).max() > 2 else 2.6
    if reframed(parts["axes"], limit):
        parts["axes"].set_ylim(-limit, limit)


def tell_curve(x, **curves):
    """What a pointer at x says of curves over the grid, by their names."""
    values = (f"{name} {read_off(np.interp(x, GRID[:, 0], h))}" for name, h in curves.items())
    return f"x = {read_off(x)}: {', '.join(values)}"


# ---- the same as marks ------------------------------------------------------------------------

ALONG = Axis("$x$", -4, 4, (-4, -2, 0, 2, 4))


def truth(h=(), label=""):
    """The true curve over the grid; alone with a label it is the piece of it in a key."""
    return Line(GRID[: len(h), 0], h, GREY, width=2.4, style=":", label=label)


def dots(x=(), y=(), label=""):
    """The points of the data."""
    return Dots(x, y, INK, size=5, edge=INK, rim=1.0, label=label)


def model(h=(), color=GREEN, label="", **look):
    """A model over the grid."""
    return Line(GRID[: len(h), 0], np.clip(h, -99, 99), color, label=label, **look)


def band(x, low, high):
    """The area between two curves."""
    around = np.column_stack([np.append(x, x[::-1]), np.append(low, high[::-1])])
    return Polygons([around], [GREEN], edge=GREEN, alpha=0.2)
