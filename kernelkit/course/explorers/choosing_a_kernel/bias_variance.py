"""Notebook 10. Bias against variance: forty samples, forty fits, and what is wrong with them on average."""

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit.course.explorers.data.noisy_curve import MOST, NOISE, SIGMA, errors_axes, gaussian, name_noise, sample
from kernelkit.course.explorers.drawing.curves import CURVES
from kernelkit.course.explorers.drawing.trail import Trail, trail_along
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import GROUND, key, reframed
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
        data=data,
        axis=axis,
        at=here[axis],
        noise=noise,
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


def build(figure):
    ax = figure.add_axes((0.06, 0.13, 0.43, 0.78), xlim=(-3, 3), ylim=(-2.2, 2.2), xlabel="$x$", yticks=range(-3, 4))
    pale = LineCollection([], color=GREEN, alpha=0.22, linewidth=1.0, animated=True)
    parts = {"axes": ax, "fits": ax.add_collection(pale)}
    parts["truth"] = ax.plot(AT, AT, ":", color=INK, linewidth=2.4, animated=True, zorder=4)[0]
    parts["mean"] = ax.plot(AT, AT, color=PURPLE, linewidth=4, alpha=0.7, animated=True, zorder=3)[0]
    shown = ax.plot([], [], color=GREEN, linewidth=1.0)[0]
    key(ax, {"40 fits": shown, "their mean": parts["mean"], "truth": parts["truth"]})
    return parts | _build_terms(figure.add_axes((0.58, 0.13, 0.405, 0.78)))


def _build_terms(ax):
    parts = errors_axes(ax, LOOKS) | {"trail": Trail(ax, LOOKS, "σ")}
    key(ax, dict(zip(LOOKS, parts["marks"], strict=True)), length=0.8)
    look = {"color": "none", "mew": 1.5, "ms": 13, "animated": True, "zorder": 3.5}
    parts["usual"] = [ax.plot([], [], mark, mec=colour, **look)[0] for colour, mark in LOOKS.values()]
    look = {"color": GREY, "bbox": GROUND, "animated": True, "transform": ax.transAxes}
    parts["usual name"] = ax.text(0.03, 0.8, f"hollow: noise {short(NOISE.start)}", **look)
    return parts


def draw(parts, state):
    most, limit = MOST[state.data], 3.2 if state.data == "cubic" else 2.2
    parts["fits"].set_segments([np.column_stack([AT, np.clip(h, -9, 9)]) for h in state.h])
    parts["mean"].set_ydata(np.clip(state.h.mean(axis=0), -9, 9))
    parts["truth"].set_ydata(TRUTHS[state.data](AT))
    for line, mark, curve, value in zip(parts["lines"], parts["marks"], state.curves, state.terms, strict=True):
        line.set_data(VALUES[state.axis][: len(curve)], curve)
        mark.set_data([state.at], [min(value, most)])
    for mark, value in zip(parts["usual"], [] if state.usual is None else state.usual, strict=False):
        mark.set_data([state.at], [min(value, most)])
    for part in (*parts["usual"], parts["usual name"]):
        part.set_visible(state.usual is not None)
    parts["trail"].along(SYMBOLS[state.axis])
    parts["trail"].draw(state.visited, state.left, whole=state.curves.size > 0)
    parts["here"].set_xdata([state.at] * 2)
    _frame(parts, state.axis, most, limit)
    name_noise(parts, state.noise, most, [(VALUES[state.axis][: len(curve)], curve) for curve in state.curves])


def _frame(parts, axis, most, limit):
    ax, values = parts["errors"], VALUES[axis]
    if reframed(ax, axis, most):
        log = axis in ("sigma", "lam")
        ax.set(
            xscale="log" if log else "linear",
            ylim=(-0.012 * most, most),
            xlabel=f"{NAMES[axis][:-1]}${SYMBOLS[axis]}$",
            xlim=(values[0] / 1.2, values[-1] * 1.2) if log else (values[0] - 1, values[-1] + 1),
        )
        ticks = {"sigma": [0.1, 1, 10], "lam": [0.0001, 0.01, 1], "degree": [1, 4, 8, 12], "n": [10, 30, 50]}[axis]
        ax.set_xticks(ticks, [short(tick) for tick in ticks])
    if reframed(parts["axes"], limit):
        parts["axes"].set_ylim(-limit, limit)


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


bias_variance = Explorer(
    title="Forty fits: bias against variance",
    controls=(
        Choice("data", "truth", "sine", CURVES, more=True),
        Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "polynomial": "polynomial"}, more=True),
        *SLIDERS.values(),
        replace(NOISE, more=False),
        Choice("along", "along", "shape", {"width σ or degree p": "shape", "penalty λ": "lam", "points n": "n"}),
        Switch("everywhere", "the errors of every value", False),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left forty pale green fits over x, each to a sample of its own, their mean as a violet line and the "
    "truth as a dotted line. On the right the errors over one of the controls: violet diamonds for bias², green "
    "squares for the variance, black circles for the sum of both and noise², and a dotted line at noise². Hollow marks "
    "are the errors with noise 0.3.",
    code=code,
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
