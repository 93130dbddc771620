"""Notebook 13. Real ground: a few holes, a kernel tuned to them, and whether its bands keep their promise."""

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
from kernelkit.course.explorers.drawing.shades import as_bytes
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, percent, short
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREY, INK, PURPLE

VIEWS = {"the holes": "holes", "mean": "mean", "deviation": "std", "the truth": "truth", "outside the band": "outside"}
LOW, HIGH, MOST = 250, 950, 170  # metres: of heights, and of deviations
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
        draw=draw,
        view=view,
        shown=view != "holes",
        X=X,
        y=y,
        outside=outside,
        sigma=rows[draw - 1, 1],
    )


def build(figure):
    ax = figure.add_axes((0.075, 0.125, 0.50, 0.80))
    (X, _), look = ground(), {"origin": "lower", "aspect": "auto", "interpolation": "nearest", "animated": True}
    ax.set(xlim=(X[0, 0], X[-1, 0]), ylim=(X[0, 1], X[-1, 1]), xlabel="km to the east")
    ax.set_ylabel("km to the north", labelpad=2)
    extent = (X[0, 0], X[-1, 0], X[0, 1], X[-1, 1])
    image = ax.imshow(np.zeros((ROWS, COLUMNS, 4), np.uint8), extent=extent, **look)
    holes = ax.scatter([], [], s=34, edgecolor=INK, linewidth=0.9, animated=True, zorder=3, clip_on=False)
    title = ax.set_title("")
    parts = {"map": ax, "image": image, "holes": holes, "title": title}
    return parts | _strips(figure)


def _strips(figure):
    one = _strip(figure.add_axes((0.655, 0.63, 0.33, 0.29)), "coverage", (0.78, 1.0), 0.95)
    one["coverage"].set_yticks([0.8, 0.9, 1.0], ["80", "90", "100"])
    one["coverage"].set_title("% inside the 95 % band")
    other = _strip(figure.add_axes((0.655, 0.165, 0.33, 0.29)), "ratio", (0.6, 1.1), 1.0)
    other["ratio"].set_yticks([0.6, 0.8, 1.0], ["0.6", "0.8", "1"])
    other["ratio"].set_title("error ÷ error of the nearest hole")
    other["ratio"].set_xlabel("draw of holes")
    return one | other


def _strip(ax, name, limits, level):
    """A dot for each draw, and the level to compare with."""
    ax.set(xlim=(0, DRAWS + 1), ylim=limits, xticks=[1, 5, 10, 15, 20])
    ax.axhline(level, color=GREY, linewidth=1.2, linestyle="--")
    dots = ax.plot([], [], "o", color=PURPLE, ms=5, animated=True)[0]
    ring = ax.plot([], [], "o", color="none", mec=INK, mew=1.8, ms=11, animated=True)[0]
    look = {"size": 13, "ha": "center", "color": GREY, "animated": True, "transform": ax.transAxes}
    note = ax.text(0.5, 0.3, "choose a map", **look)
    return {name: ax, f"{name} dots": dots, f"{name} ring": ring, f"{name} note": note}


def draw(parts, state):
    parts["image"].set_data(as_bytes(_colours(state).reshape(ROWS, COLUMNS, 3)))
    holes = state.found.holes
    parts["holes"].set_offsets(state.X[holes])
    parts["holes"].set_facecolor(_heights(state.y[holes]) if state.view in ("holes", "mean", "truth") else "white")
    for column, name in ((3, "coverage"), (5, "ratio")):
        values = np.clip(state.rows[:, column], *parts[name].get_ylim())
        parts[f"{name} dots"].set_data(*((np.arange(1, DRAWS + 1), values) if state.shown else ([], [])))
        parts[f"{name} note"].set_visible(not state.shown)
        parts[f"{name} ring"].set_data(*(([state.draw], [values[state.draw - 1]]) if state.shown else ([], [])))
    if reframed(parts["map"], state.view):
        parts["title"].set_text(
            {
                "holes": "the holes (dark: high)",
                "mean": "the mean (dark: high)",
                "std": "the standard deviation (dark: large)",
                "truth": "the truth (dark: high)",
                "outside": "black: outside the band",
            }[state.view]
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


real_ground = Explorer(
    title="Real ground",
    controls=(
        Choice("kernel", "kernel", "rough", KERNELS),
        Choice("count", "holes", "80", tuple(map(str, COUNTS))),
        Slider("draw", "draw no.", 1, 1, DRAWS, 1),
        Choice("view", "map", "holes", VIEWS),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left a map in kilometres to the east and to the north with a dot for each hole: heights, pale to "
    "dark green, or deviations, pale to violet, or in black the places outside the 95 % band. On the right, for each "
    "of twenty draws of holes, a dot at the part of the places inside the band, and below it one at the error divided "
    "by that of the nearest hole; dashed lines at 95 % and at 1.",
    code=code,
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
