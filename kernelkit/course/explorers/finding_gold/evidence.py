"""Notebook 13. The evidence along σ and noise, its three terms, and the fit at the place that was clicked."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Gaussian, Kriging
from kernelkit.course.explorers.data.noisy_curve import DATA, NOISE, draw_fit, fit_axes, gaussian, sample
from kernelkit.course.explorers.drawing.curves import GRID, true_curve
from kernelkit.course.explorers.drawing.log_map import LogMap
from kernelkit.course.explorers.drawing.trail import trail_over
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, short, typed
from kernelkit.course.panel.parts import key
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

PLACES = LogMap(np.linspace(-1, 1, 41), np.linspace(-3, 0.5, 36))
SIGMAS, NOISES = 10**PLACES.x, 10**PLACES.y
MAPS = {"evidence": "evidence", "leave-one-out": "alone"}
NEAR = 2.0  # nats below the best: hardly to be told from it
TERMS = "fit", "restraint", "constant"
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
        data=data,
        sigma=sigma,
        noise=noise,
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


def build(figure):
    parts = fit_axes(figure.add_axes((0.06, 0.43, 0.43, 0.48)))
    ax = parts["axes"]
    ax.set_xlabel("")
    parts["band"] = ax.fill_between(
        GRID[:, 0], 0 * GRID[:, 0], 0 * GRID[:, 0], color=GREEN, alpha=0.2, linewidth=0, animated=True
    )
    shown = ax.plot([], [], color=GREEN, alpha=0.3, linewidth=8)[0]
    names = {"mean": parts["fit"], "± 2 std of it": shown, "truth": parts["truth"], "data": parts["dots"]}
    key(ax, names, left=-0.05, spacing=0.8, length=1.4)
    parts |= _build_terms(figure.add_axes((0.06, 0.03, 0.43, 0.31)))
    return parts | _build_map(figure.add_axes((0.585, 0.13, 0.40, 0.78)))


def _build_terms(ax):
    ax.set(xlim=(LEFT, HIGH + 36), ylim=(3.6, -1.4), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.axvline(0, ymin=0.02, ymax=0.82, color=INK, linewidth=0.8)
    bars = ax.add_collection(PolyCollection([], facecolors=(GREEN, PURPLE, GREY, INK), animated=True))
    for row, (name, colour) in enumerate(zip((*TERMS, "evidence"), (GREEN, PURPLE, GREY, INK), strict=True)):
        ax.text(LEFT, row, name, color=colour, va="center")
    numbers = [ax.text(0, row, "", va="center", animated=True) for row in range(4)]
    before = ax.add_collection(PolyCollection([], facecolors="none", edgecolors=INK, linewidths=1.0, animated=True))
    breaks = ax.add_collection(LineCollection([], colors="white", linewidths=2.5, animated=True, zorder=2.5))
    name = f"outlines: at $σ$ = {short(SIGMA)}, noise {short(LEVEL)}"
    ax.text(LEFT, -1, name, color=GREY, va="center")
    return {"terms": ax, "bars": bars, "numbers": numbers, "before": before, "breaks": breaks}


def _build_map(ax):
    ax.set(xlabel="width $σ$", ylabel="noise (a variance)")
    ax.set_xticks([-1, 0, 1], ["0.1", "1", "10"])
    ax.set_yticks([-3, -2, -1, 0], ["0.001", "0.01", "0.1", "1"])
    ax.yaxis.labelpad = 1
    return PLACES.build(ax, cmap="Greys_r", vmin=-30, vmax=4)


def draw(parts, state):
    draw_fit(parts, state.data, state.h, state.x, state.y)
    x = GRID[:, 0]
    low, high = state.h - 2 * state.std, state.h + 2 * state.std
    parts["band"].set_verts([np.column_stack([np.append(x, x[::-1]), np.append(low, high[::-1])])])
    _draw_terms(parts, *(np.append(values, values.sum()) for values in (state.terms, state.before)))
    legend = f"light: large; line: {NEAR:g} below ★" if state.best else "light: large; white: not seen"
    here, values = (state.sigma, state.noise), state.M - state.M.max()
    PLACES.draw(parts, here, values, state.visited, state.best, -NEAR, legend)


def _draw_terms(parts, values, before):
    """The terms as bars, those of the start as outlines; a bar that is cut off has a gap."""
    ends, outlines = np.clip(values, LOW, HIGH), np.clip(before, LOW, HIGH)
    for name, lengths, half in (("bars", ends, 0.3), ("before", outlines, 0.42)):
        parts[name].set_verts(
            [[(0, i - half), (v, i - half), (v, i + half), (0, i + half)] for i, v in enumerate(lengths)]
        )
    cut = [(np.sign(v) * 54, i) for i, v in enumerate(values) if not LOW <= v <= HIGH]
    parts["breaks"].set_segments([[(x - 2, i + 0.35), (x + 2, i - 0.35)] for x, i in cut])
    for text, value, *both in zip(parts["numbers"], values, ends, outlines, strict=True):
        side = {"x": min(*both, 0) - 3, "ha": "right"} if value < 0 else {"x": max(*both, 0) + 3, "ha": "left"}
        text.set(text=fixed(value, 1), **side)


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


evidence = Explorer(
    title="The evidence along σ and noise",
    controls=(
        DATA,
        Slider("sigma", "width σ", SIGMA, 0.1, 10.0, 0.05, log=True),
        Slider("noise", "noise (a variance)", LEVEL, 0.001, 10**0.5, 0.1, log=True),
        Choice("kind", "map of", "evidence", MAPS),
        Switch("whole", "the whole map", False),
        Slider("n", "points n", 30, 5, 60, 5, more=True),
        Slider("spread", "true noise, std", NOISE.start, NOISE.low, NOISE.high, NOISE.step, more=True),
        Slider("number", "sample no.", 2, 1, 20, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left, above, the mean of the posterior over x as a green line with its band, the truth as a dotted "
    "line and the points as dots; below, bars for the fit, the restraint, the constant and their sum, with outlines "
    "at their values for σ = 1 and noise 0.1. On the right a plane of σ and the noise, both on scales of powers of "
    "ten, where a lighter place is better. The ring is the pair of the fit.",
    code=code,
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
