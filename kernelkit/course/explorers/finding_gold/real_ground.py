"""Notebook 13. Real ground: a few holes, a kernel tuned to them, and whether its bands keep their promise."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.trials import (
    BAND,
    COLUMNS,
    COUNTS,
    DRAWS,
    KERNELS,
    ROWS,
    STEP,
    ground,
    stored,
    trial,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Discs, Dots, HLine, Image, Text
from kernelkit.course.panel.numbers import fixed, percent, short
from kernelkit.course.plots import GREY, INK, PURPLE

VIEWS = {"the holes": "holes", "mean": "mean", "deviation": "std", "the truth": "truth", "outside the band": "outside"}
LOW, HIGH, MOST = 250, 950, 170  # metres: of heights, and of deviations
SIZE = 5.831  # of a hole, in points
PALE, DARK, VIOLET = np.array([1.0, 0.98, 0.75]), np.array([0.0, 0.27, 0.2]), np.array([0.36, 0.12, 0.45])


def compute(kernel, count, draw, view):
    rows = stored(kernel, int(count))
    X, y = ground()
    found = trial(kernel, int(count), draw, *rows[draw - 1, :3].tolist())
    outside = np.abs(y - found.mean) > BAND * found.std
    outside[found.holes] = False
    return SimpleNamespace(
        found=found,
        rows=rows,
        shown=view != "holes",
        X=X,
        y=y,
        outside=outside,
        sigma=rows[draw - 1, 1],
    )


TITLES = {
    "holes": "the holes (dark: high)",
    "mean": "the mean (dark: high)",
    "std": "the standard deviation (dark: large)",
    "truth": "the truth (dark: high)",
    "outside": "black: outside the band",
}
ALONG = Axis("draw of holes", 0, DRAWS + 1, (1, 5, 10, 15, 20))
COVERAGE = Axis("", 0.78, 1.0, (0.8, 0.9, 1.0), ("80", "90", "100"))
RATIO = Axis("", 0.6, 1.1, (0.6, 0.8, 1.0), ("0.6", "0.8", "1"))


def picture(s):
    (left, low), (right, high) = s.X[0], s.X[-1]
    pixels = np.round(255 * _colours(s)).astype(np.uint8)
    ground = Axes(
        TITLES[s.view],
        Axis("km to the east", left, right),
        Axis("km to the north", low, high),
        Image(pixels.reshape(ROWS, COLUMNS, 3), (left, right, low, high)),
        _holes(s.X[s.found.holes], s.y[s.found.holes], s.view in ("holes", "mean", "truth")),
        name="map",
        place=(0.075, 0.125, 0.50, 0.80),
        dress=_closer,
    )
    above = _strip(s, 3, "% inside the 95 % band", replace(ALONG, label=""), COVERAGE, 0.95, 0.63)
    below = _strip(s, 5, "error ÷ error of the nearest hole", ALONG, RATIO, 1.0, 0.165)
    return [[ground, above, below]]


def _holes(X, y, heights):
    """The holes, white or with the colours of their heights."""
    look = {"edge": INK, "rim": 0.9, "clip": False}
    if heights:
        return Discs(X, _heights(y), SIZE, **look)
    return Dots(*X.T, "white", size=SIZE, **look)


def _closer(ax):
    ax.yaxis.labelpad = 2


def _strip(s, column, title, x, y, level, bottom):
    """A dot for each draw, and the level to compare with."""
    draws, values = np.arange(1, DRAWS + 1), np.clip(s.rows[:, column], y.low, y.high)
    here = s.draw - 1
    return Axes(
        title,
        x,
        y,
        HLine(level, GREY, width=1.2, style="--"),
        Dots(draws, values, PURPLE, size=5, edge=PURPLE, rim=1) if s.shown else None,
        Dots(s.draw, values[here], "none", size=11, edge=INK, rim=1.8) if s.shown else None,
        None if s.shown else Text(0.5, 0.3, "choose a map", GREY, side="center", size=13, of="axes"),
        place=(0.655, bottom, 0.33, 0.29),
    )


def _heights(values):
    return PALE + np.clip((values - LOW) / (HIGH - LOW), 0, 1)[:, None] * (DARK - PALE)


def _colours(state):
    if not state.shown:
        return np.ones((len(state.y), 3))
    if state.view == "std":
        return 1 + np.clip(state.found.std / MOST, 0, 1)[:, None] * (VIOLET - 1)
    colours = _heights(state.y if state.view == "truth" else state.found.mean)
    if state.view == "outside":
        colours = 0.5 + 0.5 * colours
        colours[state.outside] = 0.1
    return colours


def readout(state):
    found, heights = state.found, state.y[state.found.holes]
    return {
        "heights at the holes": f"{short(heights.min())} m to {short(heights.max())} m",
        "other places": len(state.y) - len(heights),
        "tuned σ": f"{short(state.sigma, 2)} km" if state.shown else None,
        "inside the 95\u00a0% band": percent(found.coverage) if state.shown else None,
        "error ÷ that of the nearest hole": fixed(found.ratio) if state.shown else None,
    }


def code(kernel, count, draw, view):
    k = "Matern(3.0, 0.5)" if kernel == "rough" else "Gaussian(3.0)"
    return f"""import numpy as np
from kernelkit import Gaussian, Kriging, Matern, datasets

X, y = datasets.ground({STEP})
order = np.random.default_rng({draw}).permutation(len(y))
holes, rest = order[:{count}], order[{count}:]
centre, scale = y[holes].mean(), y[holes].std()
model = Kriging(1.0 * {k}, noise=0.1).tuned(X[holes], (y[holes] - centre) / scale)
mean, std = model.predict(X[rest], return_std=True)
error, band = centre + scale * mean - y[rest], {BAND} * scale * np.sqrt(std**2 + model.noise)
print(model, ' inside the band:', np.mean(np.abs(error) <= band))"""


def _tell(state, x, y):
    place = int(((state.X - (x, y)) ** 2).sum(axis=1).argmin())
    if not state.shown:
        nearest = state.found.holes[((state.X[state.found.holes] - (x, y)) ** 2).sum(axis=1).argmin()]
        return f"the nearest hole: {short(state.y[nearest])} m"
    mean, half = state.found.mean[place], BAND * state.found.std[place]
    return f"{short(mean)} m ± {short(half, 2)} m, truth {short(state.y[place])} m"


real_ground = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kernel", "kernel", "rough", KERNELS),
    Choice("count", "holes", "80", tuple(map(str, COUNTS))),
    Slider("draw", "draw no.", 1, 1, DRAWS, 1),
    Choice("view", "map", "holes", VIEWS),
    title="Real ground",
    shows="On the left a map in kilometres to the east and to the north with a dot for each hole: heights, pale to "
    "dark green, or deviations, pale to violet, or in black the places outside the 95 % band. On the right, for each "
    "of twenty draws of holes, a dot at the part of the places inside the band, and below it one at the error divided "
    "by that of the nearest hole; dashed lines at 95 % and at 1.",
    film=("draw",),
    scenes={
        "The mean": {"view": "mean"},
        "The deviation": {"view": "std"},
        "Outside the band": {"view": "outside"},
        "The truth": {"view": "truth"},
        "Twenty holes": {"view": "mean", "count": "20"},
        "Gaussian": {"view": "mean", "kernel": "gaussian"},
    },
    question=Question(
        "A kernel is tuned to these 80 holes. How many of the other 2113 places lie inside their 95\u00a0% bands?",
        ("almost all of them, 99\u00a0%", "about as many as promised", "far fewer, because the ground is real"),
        1,
        "94\u00a0% of them do here, and 93\u00a0% on average over the twenty draws of holes, which is slightly fewer "
        "than promised. The black places are outside. They are not spread at random: most of them are on a crest "
        "that is higher than all the holes.",
        scene="Outside the band",
    ),
    tell={"map": _tell},
)
