"""Curves through noisy points: the data, the axes and the two models of one picture."""

import numpy as np

from kernelkit.plots import GREEN, GREY, INK, PURPLE

CURVES = {"sin(2x)": "sine", "a cubic": "cubic", "a step": "step"}
GRID = np.linspace(-4, 4, 241)[:, None]
INSIDE = np.abs(GRID[:, 0]) <= 3  # where the data are


def true_curve(data):
    return {"sine": np.sin(2 * GRID), "cubic": (GRID**3 - 4 * GRID) / 5, "step": np.sign(GRID)}[data][:, 0]


def rms(v):
    return float(np.sqrt(np.mean(np.square(v))))


def curve_axes(figure, place, title, ylim=2.6):
    ax = figure.add_axes(place, xlim=(-4, 4), ylim=(-ylim, ylim), xlabel="$x$", xticks=[-4, -2, 0, 2, 4])
    ax.set_title(title, size=11)
    truth = ax.plot(GRID[:, 0], 0 * GRID[:, 0], ":", color=GREY, linewidth=2.4, animated=True)[0]
    first = ax.plot(GRID[:, 0], 0 * GRID[:, 0], "--", color=PURPLE, linewidth=2.2, animated=True)[0]
    second = ax.plot(GRID[:, 0], 0 * GRID[:, 0], color=GREEN, linewidth=2.6, animated=True)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True, zorder=4)[0]
    return {"axes": ax, "truth": truth, "first": first, "second": second, "dots": dots}


def draw_curves(parts, state, first, second):
    parts["truth"].set_ydata(state.truth)
    parts["first"].set_ydata(np.clip(first, -99, 99))
    parts["second"].set_ydata(second)
    parts["dots"].set_data(state.X[:, 0], state.y)
    limit = 3.7 if np.abs(state.truth[INSIDE]).max() > 2 else 2.6
    parts["axes"].set_ylim(-limit, limit)
    return limit
