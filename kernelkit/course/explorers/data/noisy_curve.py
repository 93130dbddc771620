"""One curve, noisy samples of it, and the picture of fits beside a picture of their errors."""

from functools import lru_cache

import numpy as np

from kernelkit import datasets
from kernelkit.course.explorers.drawing.curves import CURVES, GRID, true_curve
from kernelkit.course.panel.controls import Choice, Slider
from kernelkit.course.panel.parts import GROUND, reframed
from kernelkit.course.plots import GREEN, GREY, INK

SIGMAS = 10 ** np.linspace(-1.3, 1.0, 24)  # every second place of the slider of σ
TESTS, TEST_STATE = 200, 7777
MOST = {"sine": 0.9, "cubic": 1.2, "step": 1.5}  # the largest error that is drawn
DATA = Choice("data", "truth", "sine", CURVES, more=True)
SIGMA = Slider("sigma", "width σ", 0.501187, 10**-1.3, 10.0, 0.05, log=True)
NOISE = Slider("noise", "noise", 0.3, 0.1, 0.6, 0.05, more=True)


@lru_cache(maxsize=64)
def sample(data, n, noise, seed):
    """n noisy points of a curve: x (n,), y (n,)."""
    X, y = getattr(datasets, data)(n, noise, random_state=seed)
    return X[:, 0], y


def gaussian(x, z, sigma):
    """exp(−(x − z)²/2σ²) of all pairs along the last axes."""
    return np.exp(-((x[..., :, None] - z[..., None, :]) ** 2) / (2 * sigma**2))


def fitted(x, y, sigma, lam):
    """a of ridge regression with the Gaussian kernel."""
    return np.linalg.solve(gaussian(x, x, sigma) + lam * np.eye(len(x)), y)


def fit_axes(ax):
    """The axes of a curve: the truth, a fit."""
    ax.set(xlim=(-4, 4), ylim=(-2.6, 2.6), xlabel="$x$", xticks=[-4, -2, 0, 2, 4], yticks=range(-3, 4))
    truth = ax.plot(GRID[:, 0], 0 * GRID[:, 0], ":", color=GREY, linewidth=2.4, animated=True, zorder=2)[0]
    fit = ax.plot(GRID[:, 0], 0 * GRID[:, 0], color=GREEN, linewidth=2.6, animated=True, zorder=3)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True, zorder=4)[0]
    return {"axes": ax, "truth": truth, "fit": fit, "dots": dots}


def draw_fit(parts, data, h, x, y):
    """Put truth, fit and points; gives what the frame depends on."""
    parts["truth"].set_ydata(true_curve(data))
    parts["fit"].set_ydata(np.clip(h, -99, 99))
    parts["dots"].set_data(x, y)
    limit = 3.7 if data == "cubic" else 2.2
    if reframed(parts["axes"], limit):
        parts["axes"].set_ylim(-limit, limit)


def errors_axes(ax, looks):
    """The axes of errors: a line and a mark {name: (colour, mark)} for each, the noise, and where we are."""
    ax.set(ylabel="mean squared error")
    lines = [ax.plot([], [], color=colour, animated=True)[0] for colour, _ in looks.values()]
    noise = ax.axhline(0, color=INK, linestyle=":", linewidth=1.5, animated=True)
    look = {"ha": "right", "va": "bottom", "bbox": GROUND, "animated": True}
    name = ax.text(0.98, 0, "noise²", transform=ax.get_yaxis_transform(), **look)
    marks = [
        ax.plot([], [], mark, color=colour, ms=8, mec="white", animated=True, zorder=4)[0]
        for colour, mark in looks.values()
    ]
    here = ax.axvline(1, color=GREY, linewidth=1.0, animated=True)
    return {"errors": ax, "lines": lines, "noise": noise, "name": name, "marks": marks, "here": here}


def name_noise(parts, noise, most, curves):
    """The line of the noise, and its name at the right end, or at the left one if the curves leave more room there."""
    ax, y = parts["errors"], noise**2 + 0.005 * most
    parts["noise"].set_ydata([noise**2] * 2)
    scaled = ax.transScale + ax.transLimits  # from data to parts of the axes
    room = {"right": [1.0], "left": [0.99]}
    for places, errors in curves:
        if len(places):
            along = scaled.transform(np.column_stack([places, errors]))[:, 0]
            for side, span in (("right", (0.75, 0.98)), ("left", (0.02, 0.25))):
                height = np.interp(np.linspace(*span, 9), along, errors)
                room[side].append(np.abs(height - y - 0.03 * most).min())
    side = max(room, key=lambda side: min(room[side]))
    parts["name"].set(position=(0.98 if side == "right" else 0.02, y), ha=side)


def draw_errors(parts, data, noise, at, curves, values):
    """Put (places, errors) of each line, the values where we are, and the noise; gives what the frame depends on."""
    most = MOST[data]
    for line, mark, curve, value in zip(parts["lines"], parts["marks"], curves, values, strict=True):
        line.set_data(*curve)
        mark.set_data([at], [min(value, most)])
    parts["here"].set_xdata([at] * 2)
    if reframed(parts["errors"], most):
        parts["errors"].set_ylim(-0.012 * most, most)
    name_noise(parts, noise, most, curves)
    return most
