"""Notebook 13. The evidence along σ and noise, its three terms, and the fit at the place that was clicked."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Kriging
from kernelkit.course.explorers.data.noisy_curve import DATA, NOISE, fit, gaussian, heights, sample
from kernelkit.course.explorers.drawing.curves import GRID, band, dots, true_curve, truth
from kernelkit.course.explorers.drawing.log_map import LogMap, shades
from kernelkit.course.explorers.drawing.trail import trail_over
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Line, Segments, Text
from kernelkit.course.panel.numbers import fixed, read_off, short, typed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

PLACES = LogMap(np.linspace(-1, 1, 41), np.linspace(-3, 0.5, 36), shades("Greys_r", -30, 4))
SIGMAS, NOISES = 10**PLACES.x, 10**PLACES.y
MAPS = {"evidence": "evidence", "leave-one-out": "alone"}
NEAR = 2.0  # nats below the best: hardly to be told from it
TERMS = {"fit": GREEN, "restraint": PURPLE, "constant": GREY, "evidence": INK}  # in their colours
LEFT, LOW, HIGH = -165, -62, 62  # of the names and of the bars, in nats
SIGMA, LEVEL = 1.0, 0.1  # where the panel starts, which the other places are compared with


@lru_cache(maxsize=64)
def maps(data, n, noise, number):
    """The evidence, and the leave-one-out log density of each point, at every (σ, noise): (36, 41) each."""
    x, y = sample(data, n, noise, number)
    columns = [_column(x, y, sigma) for sigma in SIGMAS]
    return {kind: np.array([c[kind] for c in columns]).T for kind in ("evidence", "alone")}


def _column(x, y, sigma):
    """All noises of one σ, from one eigen-decomposition."""
    values, U = np.linalg.eigh(gaussian(x, x, sigma))
    spectrum = np.maximum(values, 0) + NOISES[:, None]  # (noises, n)
    turned, log_2pi = U.T @ y, np.log(2 * np.pi)
    a = (turned / spectrum) @ U.T
    variance = 1 / ((1 / spectrum) @ (U**2).T)  # of a point left out: 1/(G⁻¹)_ii, and its residual is a_i times that
    return {
        "evidence": -((turned**2 / spectrum).sum(axis=1) + np.log(spectrum).sum(axis=1) + len(y) * log_2pi) / 2,
        "alone": -(a**2 * variance + np.log(variance) + log_2pi).sum(axis=1) / 2,
    }


def terms(model, y):
    """−½ yᵀa, −½ log det(K + noise·I) and −n/2 log 2π, which add up to the evidence."""
    return np.array([-y @ model.a_ / 2, -np.log(model.L_.diagonal()).sum(), -len(y) / 2 * np.log(2 * np.pi)])


def compute(data, sigma, noise, kind, whole, n, spread, number, visited=()):
    x, y = sample(data, n, spread, number)
    model = Kriging(Gaussian(sigma), noise).fit(x[:, None], y)
    h, std = model.predict(GRID, return_std=True)
    M = maps(data, n, spread, number)[kind]
    best = np.unravel_index(M.argmax(), M.shape)
    return SimpleNamespace(
        x=x,
        y=y,
        h=h,
        std=std,
        terms=terms(model, y),
        before=terms(Kriging(Gaussian(SIGMA), LEVEL).fit(x[:, None], y), y),
        M=M,
        visited=visited or ((sigma, noise),),
        best=best if whole else None,
        star=PLACES.numbers(best) if whole else None,
    )


KEY = (
    fit(label="mean"),
    Line([], [], GREEN, alpha=0.3, width=8, label="± 2 std of it"),
    truth(label="truth"),
    dots(label="data"),
)
ACROSS = PLACES.axis("x", "width $σ$", (-1, 0, 1), ("0.1", "1", "10"))
UP = PLACES.axis("y", "noise (a variance)", (-3, -2, -1, 0), ("0.001", "0.01", "0.1", "1"))


def picture(s):
    curve = Axes(
        "",
        Axis("", -4, 4, (-4, -2, 0, 2, 4)),
        heights(s.data),
        *KEY,
        band(GRID[:, 0], s.h - 2 * s.std, s.h + 2 * s.std),
        truth(true_curve(s.data)),
        fit(s.h),
        dots(s.x, s.y),
        name="axes",
        place=(0.06, 0.43, 0.43, 0.48),
        left=-0.05,
        spacing=0.8,
        length=1.4,
    )
    plane = PLACES.axes(
        ACROSS,
        UP,
        (s.sigma, s.noise),
        s.M - s.M.max(),
        s.visited,
        best=s.best,
        level=-NEAR,
        legend=f"light: large; line: {NEAR:g} below ★" if s.best else "light: large; white: not seen",
        place=(0.585, 0.13, 0.40, 0.78),
    )
    return [[curve, plane, _terms(*(np.append(values, values.sum()) for values in (s.terms, s.before)))]]


def _terms(values, before):
    """The terms as bars, those of the start as outlines; a bar that is cut off has a gap."""
    rows, ends, outlines = np.arange(4), np.clip(values, LOW, HIGH), np.clip(before, LOW, HIGH)
    cut = rows[values != ends]
    gaps = 54 * np.sign(values[cut])
    return Axes(
        "",
        Axis("", LEFT, HIGH + 36, ()),
        Axis("", 3.6, -1.4, ()),
        *_names(),
        Bars(rows, ends, list(TERMS.values()), lying=True, width=0.6),
        Bars(rows, outlines, "none", lying=True, width=0.84, edge=INK, rim=1.0),
        Segments((gaps - 2, cut + 0.35), (gaps + 2, cut - 0.35), "white", width=2.5),
        *map(_number, rows, values, ends, outlines),
        place=(0.06, 0.03, 0.43, 0.31),
        bare=True,
    )


@cache
def _names():
    """The names of the terms, and the line on which the bars stand."""
    return [
        Line(0, [3.5, -0.5], width=0.8),
        *(Text(LEFT, row, name, colour, up="center") for row, (name, colour) in enumerate(TERMS.items())),
        Text(LEFT, -1, f"outlines: at $σ$ = {short(SIGMA)}, noise {short(LEVEL)}", GREY, up="center"),
    ]


def _number(row, value, *ends):
    """The value of a term, beside its bar and its outline."""
    if value < 0:
        return Text(min(*ends, 0) - 3, row, fixed(value, 1), side="right", up="center")
    return Text(max(*ends, 0) + 3, row, fixed(value, 1), up="center")


def readout(state):
    fit, restraint, constant = (fixed(v, 1) for v in state.terms)
    return {
        "fit": fit,
        "restraint": restraint,
        "constant": constant,
        "their sum, the evidence": fixed(state.terms.sum(), 1),
        "largest on the map (★)": _written(state.M.max(), state.star) if state.star else None,
    }


def _written(most, place):
    sigma, noise = place
    return f"{fixed(most, 1)} at σ = {short(sigma, 2)}, noise {short(noise, 2)}"


def code(data, sigma, noise, kind, whole, n, spread, number):
    return f"""import numpy as np
from kernelkit import Gaussian, Kriging, datasets

X, y = datasets.{data}({n}, {spread:g}, random_state={number})
model = Kriging(Gaussian({typed(sigma)}), noise={typed(noise)}).fit(X, y)
fit, constant = -y @ model.a_ / 2, -len(y) / 2 * np.log(2 * np.pi)
print('evidence', model.log_marginal_likelihood_, ' fit', fit, ' constant', constant)
print('the largest:', model.tuned(X, y))"""


def _chosen(state, x, y):
    sigma, noise = PLACES.chosen(x, y)
    return {"sigma": sigma, "noise": noise}


def _tell_map(state, x, y):
    place = PLACES.nearest(x, y)
    sigma, noise = PLACES.numbers(place)
    said = f"σ = {short(sigma, 2)}, noise {short(noise, 2)}"
    if state.best is None:
        return said
    below = state.M.max() - state.M[place]
    return f"{said}: {'the largest' if place == state.best else f'{fixed(below, 1)} below ★'}"


def _tell_fit(state, x, y):
    h, std, truth = (np.interp(x, GRID[:, 0], v) for v in (state.h, state.std, true_curve(state.data)))
    return f"x = {read_off(x)}: {read_off(h)} ± {read_off(2 * std)}, truth {read_off(truth)}"


evidence = panel(
    compute,
    picture,
    readout,
    code,
    DATA,
    Slider("sigma", "width σ", SIGMA, 0.1, 10.0, 0.05, log=True),
    Slider("noise", "noise (a variance)", LEVEL, 0.001, 10**0.5, 0.1, log=True),
    Choice("kind", "map of", "evidence", MAPS),
    Switch("whole", "the whole map", False),
    Slider("n", "points n", 30, 5, 60, 5, more=True),
    Slider("spread", "true noise, std", NOISE.start, NOISE.low, NOISE.high, NOISE.step, more=True),
    Slider("number", "sample no.", 2, 1, 20, 1, more=True),
    title="The evidence along σ and noise",
    shows="On the left, above, the mean of the posterior over x as a green line with its band, the truth as a dotted "
    "line and the points as dots; below, bars for the fit, the restraint, the constant and their sum, with outlines "
    "at their values for σ = 1 and noise 0.1. On the right a plane of σ and the noise, both on scales of powers of "
    "ten, where a lighter place is better. The ring is the pair of the fit.",
    film=("sigma",),
    scenes={
        "Narrow bumps": {"sigma": 0.1, "noise": 0.01},
        "All is noise": {"sigma": 10.0, "noise": 0.501187},
        "The map": {"whole": True},
        "Leave-one-out": {"kind": "alone", "whole": True},
        "Five points": {"n": 5, "whole": True},
        "Sixty points": {"n": 60, "whole": True},
    },
    question=Question(
        "Suppose that there are only five points instead of thirty. Where is the evidence within 2 of its best?",
        ("in a small spot, as with thirty", "in a large part of the map", "nowhere but at the best place"),
        1,
        "Five points are consistent with two stories. Either their ups and downs are the ground and the noise is "
        "small, or there is hardly any ground to see and all is noise. So about half of the map is within 2 of the "
        "best: the part on the left, below the long line, and the wedge on the right, where all is noise. With thirty "
        "points it is a small spot around σ = 1 and noise 0.1.",
        scene="Five points",
    ),
    tell={"axes": _tell_fit, "map": _tell_map},
    click={"map": _chosen},
    trail=trail_over("sigma", "noise", "kind", "whole"),
    motion=True,
)
