"""Notebook 10. Bias against variance: forty samples, forty fits, and what is wrong with them on average."""

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.noisy_curve import (
    LEFT,
    NOISE,
    RIGHT,
    SIGMA,
    error_curves,
    error_key,
    errors_here,
    gaussian,
    mean_squares,
    noise_and_here,
    noise_name,
    sample,
    small_ticks,
)
from kernelkit.course.explorers.drawing.curves import CURVES
from kernelkit.course.explorers.drawing.trail import trail_along, trail_marks
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Paths, Text
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

REPEATS = 40
AT = np.linspace(-3, 3, 49)  # where the fits are compared
TRUTHS = {"sine": lambda x: np.sin(2 * x), "cubic": lambda x: (x**3 - 4 * x) / 5, "step": np.sign}
WRITTEN = {"sine": "np.sin(2 * X[:, 0])", "cubic": "(X[:, 0] ** 3 - 4 * X[:, 0]) / 5", "step": "np.sign(X[:, 0])"}
VALUES = {
    "sigma": 10 ** np.linspace(-1.3, 1.0, 12),
    "degree": np.arange(1, 13),
    "lam": 10 ** np.linspace(-4, 1, 11),
    "n": np.array([10, 15, 20, 30, 40, 50]),
}
NAMES = {"sigma": "width σ", "degree": "degree p", "lam": "penalty λ", "n": "points n"}
SYMBOLS = {axis: name[-1] for axis, name in NAMES.items()}
SLIDERS = {
    "sigma": replace(SIGMA, start=3.16228, when=lambda v: v["kernel"] == "gaussian"),
    "degree": Slider("degree", NAMES["degree"], 3, 1, 12, 1, when=lambda v: v["kernel"] == "polynomial"),
    "lam": Slider("lam", NAMES["lam"], 0.01, 0.0001, 10.0, 0.25, log=True),
    "n": Slider("n", NAMES["n"], 30, 10, 50, 5),
}
LOOKS = {"bias²": (PURPLE, "D"), "variance": (GREEN, "s"), "sum": (INK, "o")}


@lru_cache(maxsize=512)
def fits(data, kernel, shape, lam, n, noise):
    """The fit to each of the samples, at AT: (REPEATS, len(AT))."""
    x, y = (np.array(part) for part in zip(*(sample(data, n, noise, seed) for seed in range(REPEATS)), strict=True))
    if kernel == "gaussian":
        K, K_at = gaussian(x, x, shape), gaussian(np.broadcast_to(AT, (REPEATS, len(AT))), x, shape)
    else:
        x, z = x / 3, AT / 3
        K, K_at = (x[:, :, None] * x[:, None] + 1) ** shape, (z[:, None] * x[:, None] + 1) ** shape
    a = np.linalg.solve(K + lam * np.eye(n), y[:, :, None])
    return (K_at @ a)[:, :, 0]


def terms(data, noise, h):
    """bias², variance, and their sum with the noise."""
    mean = h.mean(axis=0)
    bias2, variance = np.mean((mean - TRUTHS[data](AT)) ** 2), np.mean((h - mean) ** 2)
    return np.array([bias2, variance, bias2 + variance + noise**2])


def compute(data, kernel, along, sigma, degree, lam, n, noise, everywhere, visited=()):
    axis = axis_of(kernel, along)
    here = {"sigma": sigma, "degree": degree, "lam": lam, "n": n}
    h = _fits(data, kernel, here, noise)
    places = VALUES[axis] if everywhere else ()
    left, curves = (
        np.reshape([terms(data, noise, _fits(data, kernel, here | {axis: value}, noise)) for value in some], (-1, 3)).T
        for some in (visited, places)
    )
    return SimpleNamespace(
        axis=axis,
        at=here[axis],
        h=h,
        terms=terms(data, noise, h),
        usual=None if noise == NOISE.start else terms(data, NOISE.start, _fits(data, kernel, here, NOISE.start)),
        visited=visited,
        left=left,
        curves=curves,
        best=places[curves[2].argmin()] if everywhere else None,
    )


def axis_of(kernel, along):
    """The control that the errors are drawn along."""
    return {"gaussian": "sigma", "polynomial": "degree"}[kernel] if along == "shape" else along


def trail(values):
    """The trail along that control."""
    axis = axis_of(values["kernel"], values["along"])
    setting, place = trail_along(axis, "along", "everywhere")(values)
    return (axis, *setting), place


def _fits(data, kernel, values, noise):
    shape = float(values["sigma"]) if kernel == "gaussian" else int(values["degree"])
    return fits(data, kernel, shape, float(values["lam"]), int(values["n"]), noise)


def picture(s):
    limit = 3.2 if s.data == "cubic" else 2.2
    every, mean = (np.clip(h, -9, 9) for h in (s.h, s.h.mean(axis=0)))
    curves = Axes(
        "",
        Axis("$x$", -3, 3),
        Axis("", -limit, limit, range(-int(limit), int(limit) + 1)),
        Line([], [], GREEN, width=1.0, label=f"{REPEATS} fits"),
        Paths(np.stack(np.broadcast_arrays(AT, every), axis=-1), GREEN, alpha=0.22),
        Line(AT, mean, PURPLE, width=4, alpha=0.7, label="their mean"),
        Line(AT, TRUTHS[s.data](AT), width=2.4, style=":", label="truth"),
        name="axes",
        place=LEFT,
    )
    return [[curves, _terms(s)]]


def _along(axis):
    """The axis of a control."""
    values, log = VALUES[axis], axis in ("sigma", "lam")
    low, high = (values[0] / 1.2, values[-1] * 1.2) if log else (values[0] - 1, values[-1] + 1)
    ticks = {"sigma": (0.1, 1, 10), "lam": (0.0001, 0.01, 1), "degree": (1, 4, 8, 12), "n": (10, 30, 50)}[axis]
    return Axis(f"{NAMES[axis][:-1]}${SYMBOLS[axis]}$", low, high, ticks, map(short, ticks), log=log)


ALONG = {axis: _along(axis) for axis in VALUES}
KEY = error_key(LOOKS)
HOLLOW = Text(0.03, 0.8, f"hollow: noise {short(NOISE.start)}", GREY, box=GROUND, of="axes")


def _terms(s):
    """bias², variance and their sum with the noise: over all values, where we have been, and where we are."""
    x, y = ALONG[s.axis], mean_squares(s.data)
    places = VALUES[s.axis][: s.curves.shape[1]]
    return Axes(
        "",
        x,
        y,
        *KEY,
        *error_curves(LOOKS, places, s.curves),
        *noise_and_here(s.noise, s.at),
        noise_name(x, y, s.noise, places, s.curves),
        *trail_marks(LOOKS, s.visited, s.left, SYMBOLS[s.axis], whole=s.curves.size > 0),
        *([None] * 4 if s.usual is None else [HOLLOW, *_hollow(s.at, s.usual, y.high)]),
        *errors_here(LOOKS, s.at, s.terms, s.data),
        name="errors",
        place=RIGHT,
        length=0.8,
        dress=small_ticks,
    )


def _hollow(at, terms, most):
    """What the terms are here with the usual noise."""
    for (colour, marker), value in zip(LOOKS.values(), np.minimum(terms, most), strict=True):
        yield Dots(at, value, "none", marker=marker, size=13, edge=colour, rim=1.5)


def readout(state):
    bias2, variance, total = (short(round(v, 4), 2) for v in state.terms)
    return {
        "bias²": bias2,
        "variance": variance,
        "noise²": short(state.noise**2, 2),
        "error to expect on fresh points": total,
        "smallest sum drawn at": f"{SYMBOLS[state.axis]} = {short(state.best, 2)}" if state.best else None,
    }


def code(data, kernel, along, sigma, degree, lam, n, noise, everywhere):
    lines = ["import numpy as np", "from kernelkit import Gaussian, KernelRidge, Polynomial, datasets"]
    lines += ["from kernelkit.study.selection import bias_variance", ""]
    scaled = "" if kernel == "gaussian" else " / 3"
    lines += ["def sample(seed):", f"    X, y = datasets.{data}({n}, {noise:g}, random_state=seed)"]
    lines += [f"    return X{scaled}, y", ""]
    k = f"Gaussian({typed(sigma)})" if kernel == "gaussian" else f"Polynomial({degree})"
    f = WRITTEN[data] if kernel == "gaussian" else WRITTEN[data].replace("X[:, 0]", "(3 * X[:, 0])")
    lines += ["def truth(X):", f"    return {f}", ""]
    lines += [f"points = np.linspace(-3, 3, 49)[:, None]{scaled}"]
    lines += [f"found = bias_variance(KernelRidge({k}, lam={typed(lam)}), sample, truth, {REPEATS}, points)"]
    return "\n".join([*lines, "print('bias²', round(found.bias2, 4), ' variance', round(found.variance, 4))"])


def _tell_terms(state, x, y):
    if not state.curves.size:
        return ""
    values = VALUES[state.axis]
    i = np.abs(np.log(values / max(x, 1e-9))).argmin()
    bias2, variance, total = state.curves[:, i]
    more = "bias²" if bias2 > variance else "variance"
    return f"at {short(values[i], 2)}: {short(round(total, 3), 2)}, more {more}"


def _chosen(state, x, y):
    return {state.axis: SLIDERS[state.axis].nearest(x)}


def _tell_fits(state, x, y):
    mean, truth = (read_off(np.interp(x, AT, v)) for v in (state.h.mean(axis=0), TRUTHS[state.data](AT)))
    return f"x = {read_off(x)}: mean {mean}, truth {truth}"


bias_variance = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "truth", "sine", CURVES, more=True),
    Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "polynomial": "polynomial"}, more=True),
    *SLIDERS.values(),
    replace(NOISE, more=False),
    Choice("along", "along", "shape", {"width σ or degree p": "shape", "penalty λ": "lam", "points n": "n"}),
    Switch("everywhere", "the errors of every value", False),
    title="Forty fits: bias against variance",
    shows="On the left forty pale green fits over x, each to a sample of its own, their mean as a violet line and the "
    "truth as a dotted line. On the right the errors over one of the controls: violet diamonds for bias², green "
    "squares for the variance, black circles for the sum of both and noise², and a dotted line at noise². Hollow marks "
    "are the errors with noise 0.3.",
    film=("sigma",),
    scenes={
        "Narrow bumps": {"sigma": 0.199526, "everywhere": True},
        "Between": {"sigma": 1.25893, "everywhere": True},
        "Twice the noise": {"noise": 0.6},
        "Along λ": {"sigma": 0.501187, "everywhere": True, "along": "lam"},
        "Along n": {"sigma": 0.501187, "everywhere": True, "along": "n"},
        "Degrees": {"kernel": "polynomial", "everywhere": True, "lam": 0.0001, "degree": 5},
    },
    says={"Degrees": "Most of the variance is near the two ends, where a few of the forty fits shoot up."},
    question=Question(
        "These wide bumps are too stiff. Now the noise doubles from 0.3 to 0.6. What becomes of bias² and variance?",
        ("both grow", "bias² grows, variance stays", "bias² stays, variance grows"),
        2,
        "A fit is linear in y and the noise has mean 0, so the mean of many fits stays where it was, wrong as it is. "
        "But each single fit follows the noise of its own sample.",
        scene="Twice the noise",
    ),
    tell={"axes": _tell_fits, "errors": _tell_terms},
    click={"errors": _chosen},
    trail=trail,
)
