"""Notebook 08. Four losses and an outlier."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, short
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, sign_colours

NAMES = {"squared": "squared", "absolute": "absolute", "huber": "Huber", "maximum": "maximum"}
LOOKS = {
    "squared": {"color": INK, "linestyle": "-"},
    "absolute": {"color": GREEN, "linestyle": "--"},
    "huber": {"color": PURPLE, "linestyle": "-."},
    "maximum": {"color": GREY, "linestyle": ":"},
}
FIXED = datasets.sine(16, 0.1, 2)  # the points that stay
GRID = np.linspace(-3.2, 3.2, 161)
RESIDUALS = np.linspace(-4, 4, 161)
SLOTS = (0.075, 0.215, 0.36, 0.503)  # of the names of the curves
LENGTHS = {"squared": 0.03, "absolute": 0.03, "huber": 0.05, "maximum": 0.03}  # of their keys: dash and dot need more
WORDS = "at a bound", "inside the bounds", "zero"  # of the pulls
UP = ((0.7, 3.4),)
LIMITS = (-2.8, 3.8)  # of the outputs


def loss_of(name, r, delta):
    """The loss of one residual; of the largest, for the maximum."""
    size = np.abs(r)
    if name == "squared":
        return size**2 / 2
    return np.where(size <= delta, size**2 / 2, delta * (size - delta / 2)) if name == "huber" else size


def _fit(X, y, loss, lam, sigma, delta):
    return KernelMachine(Gaussian(sigma), loss, lam, delta).fit(X, y)


def compute(outlier, loss, everything, lam, sigma, delta):
    X0, y0 = FIXED
    (place,) = outlier
    X, y = np.vstack([X0, [[place[0]]]]), np.append(y0, place[1])
    curves = {}
    for name in NAMES if everything else (loss,):
        fitted = _fit(X, y, name, lam, sigma, delta)
        curves[name] = fitted.predict(GRID[:, None])
        if name == loss:
            model = fitted
    without = _fit(X0, y0, loss, lam, sigma, delta).predict(GRID[:, None])
    pull, r = lam * model.a_, y - model.predict(X)
    bound = {"squared": None, "absolute": 1.0, "huber": delta, "maximum": 1.0}[loss]
    held = np.zeros(len(y), bool) if bound is None else np.abs(pull) >= bound * (1 - 1e-9)
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        loss=loss,
        curves=curves,
        everything=everything,
        without=without,
        pull=pull,
        r=r,
        bound=bound,
        held=held,
        zero=model.a_ == 0,
        delta=delta,
        moved=float(np.abs(curves[loss] - without).max()),
    )


def build(figure):
    top = figure.add_axes((0.075, 0.475, 0.555, 0.415), xlim=(-3.3, 3.3), ylim=LIMITS, xticks=range(-3, 4))
    top.set(yticks=[-2, 0, 2])
    top.tick_params(labelbottom=False)
    pale = top.text(-3.2, -2.75, "pale: the fit without the ringed point", color=GREY, va="bottom", animated=True)
    before = top.plot(GRID, GRID * 0, color="#CFCFCF", linewidth=8, animated=True)[0]
    lines = {name: top.plot(GRID, GRID * 0, animated=True, **look)[0] for name, look in LOOKS.items()}
    dots = top.plot([], [], "o", color=INK, ms=6, mec="white", mew=0.7, animated=True, zorder=4)[0]
    parts = {"axes": top, "before": before, "pale": pale, "lines": lines, "dots": dots, "ring": _ring(top)}
    parts["keys"] = {
        name: _key(figure, top, 0, 0.945, LENGTHS[name], NAMES[name], look, animated=True)
        for name, look in LOOKS.items()
    }
    return parts | _build_pulls(figure) | _build_shape(figure)


def _build_pulls(figure):
    low = figure.add_axes((0.075, 0.135, 0.555, 0.245), xlim=(-3.3, 3.3), xticks=range(-3, 4), xlabel="$x$")
    low.axhline(0, color=INK, linewidth=0.8)
    looks = {
        "held": {"marker": "s", "color": INK, "ms": 7},
        "free": {"marker": "o", "color": INK, "mfc": "white", "ms": 6},
        "zero": {"marker": "x", "color": GREY, "ms": 6, "mew": 1.6},
    }
    bound = {"color": INK, "linestyle": "--", "linewidth": 1.2}
    keys = {
        name: _key(figure, low, 0.675, 0.33 - 0.08 * i, 0, word, look, animated=True)
        for i, (word, (name, look)) in enumerate(zip(WORDS, looks.items(), strict=True))
    }
    keys["bound"] = _key(figure, low, 0.66, 0.09, 0.03, "the bounds", bound, animated=True)
    return {
        "low": low,
        "title": low.text(0, 1.08, "", transform=low.transAxes, animated=True),
        "low_keys": keys,
        "low_ring": _ring(low),
        "stems": low.vlines(FIXED[0][:, 0], 0, 0, linewidth=2, animated=True),
        "marks": {name: low.plot([], [], ls="", zorder=4, animated=True, **look)[0] for name, look in looks.items()},
        "bounds": [low.axhline(0, animated=True, **bound) for _ in range(2)],
    }


def _build_shape(figure):
    ax = figure.add_axes((0.69, 0.475, 0.295, 0.415), xlim=(-4, 4), ylim=(-0.2, 4), xticks=[-4, -2, 0, 2, 4])
    ax.set(yticks=[0, 2, 4])
    figure.text(0.69, 0.93, "loss of a residual $r$")
    return {
        "shape": ax,
        "shapes": {name: ax.plot(RESIDUALS, 0 * RESIDUALS, animated=True, **look)[0] for name, look in LOOKS.items()},
        "places": ax.plot([], [], "o", color=INK, ms=6, mec="white", mew=0.7, animated=True, zorder=4)[0],
        "shape_ring": _ring(ax),
        "brittle": ax.text(0, 3.2, "only the largest\ncounts", color=GREY, ha="center", animated=True),
    }


def _ring(ax):
    return ax.plot([], [], "o", color="none", mec=INK, mew=1.6, ms=14, animated=True, zorder=5, clip_on=False)[0]


def _key(figure, ax, x, y, length, word, look, animated=False):
    """A line or a marker and its name, anywhere in the picture."""
    common = {"transform": figure.transFigure, "animated": animated, "color": look["color"]}
    line = ax.plot([x, x + length], [y, y], clip_on=False, **{"linewidth": 2} | look | common)[0]
    return line, ax.text(x + length + (0.01 if length else 0.025), y, word, va="center_baseline", **common)


def draw(parts, state):
    for name, line in parts["lines"].items():
        for part in (line, parts["shapes"][name], *parts["keys"][name]):
            part.set_visible(name in state.curves)
        for part in (line, parts["shapes"][name]):
            part.set_linewidth(3.0 if name == state.loss else 1.6)
        line.set_ydata(state.curves.get(name, GRID))
        parts["shapes"][name].set_ydata(loss_of(name, RESIDUALS, state.delta))
    for x, name in zip(SLOTS, state.curves, strict=False):
        line, word = parts["keys"][name]
        line.set_xdata([x, x + LENGTHS[name]])
        word.set_x(x + LENGTHS[name] + 0.01)
    parts["before"].set_ydata(state.without)
    for name in ("before", "pale"):
        parts[name].set_visible(not state.everything)
    parts["dots"].set_data(state.X, state.y)
    parts["ring"].set_data(state.X[-1:], state.y[-1:])
    shown = np.clip(state.r, -3.9, 3.9)
    heights = np.minimum(loss_of(state.loss, shown, state.delta), 3.9)
    parts["places"].set_data(shown, heights)
    parts["shape_ring"].set_data(shown[-1:], heights[-1:])
    parts["brittle"].set_visible(state.loss == "maximum")
    _draw_pulls(parts, state)


def _draw_pulls(parts, state):
    parts["stems"].set_segments([[(x, 0), (x, p)] for x, p in zip(state.X, state.pull, strict=True)])
    parts["stems"].set_color(sign_colours(state.pull))
    for name, which in (("free", ~state.held & ~state.zero), ("held", state.held), ("zero", state.zero)):
        parts["marks"][name].set_data(state.X[which], state.pull[which])
    parts["low_ring"].set_data(state.X[-1:], state.pull[-1:])
    parts["title"].set_text(rf"pulls $\lambda a_i$ of the {NAMES[state.loss]} loss")
    for name in ("held", "bound"):
        for part in parts["low_keys"][name]:
            part.set_visible(state.bound is not None)
    parts["low_keys"]["free"][1].set_text(WORDS[1] if state.bound is not None else "not zero")
    for line, side in zip(parts["bounds"], (-1, 1), strict=True):
        line.set_visible(state.bound is not None)
        line.set_ydata([side * (state.bound or 0)] * 2)
    top = 1.15 * max(state.bound or 0, np.abs(state.pull).max())
    limit, tick = next(pair for pair in ((0.6, 0.5), (1.25, 1), (2.5, 2), (5, 4), (99, 50)) if pair[0] >= top)
    if reframed(parts["low"], limit):
        parts["low"].set(ylim=(-limit, limit))
        parts["low"].set_yticks([-tick, 0, tick], [short(v) for v in (-tick, 0, tick)])


def readout(state):
    return {
        "ringed point minus curve": fixed(state.r[-1]),
        "its pull λa": read_off(state.pull[-1]),
        "bound of a pull": short(state.bound) if state.bound else None,
        "it moves the curve by up to": f"{state.moved:.2f}",
        "zero dual weights": f"{state.zero.sum()} of {len(state.y)}",
    }


def _written(pull):
    """Two decimals, or two digits of a pull that is smaller."""
    return fixed(pull) if abs(pull) >= 0.1 else short(pull, 2)


def _tell_curve(state, x, y):
    h = np.interp(x, GRID, state.curves[state.loss])
    return f"{NAMES[state.loss]}: f({read_off(x)}) = {read_off(h)}" if abs(x) <= GRID[-1] else ""


def _tell_pull(state, x, y):
    i = int(np.abs(state.X - x).argmin())
    return f"x = {short(state.X[i])}: λa = {_written(state.pull[i])}"


def _tell_loss(state, x, y):
    return f"r = {read_off(x)}: loss {read_off(loss_of(state.loss, x, state.delta))}"


def code(outlier, loss, everything, lam, sigma, delta):
    x, y = (float(f"{v:.6g}") for v in outlier[0])
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelMachine, datasets\n\n"
        "X, y = datasets.sine(16, 0.1, 2)\n"
        f"X, y = np.vstack([X, [[{x}]]]), np.append(y, {y})\n"
        f"for loss in {tuple(NAMES) if everything else (loss,)!r}:\n"
        f"    model = KernelMachine(Gaussian({short(sigma)}), loss, lam={lam:.6g}, delta={short(delta)}).fit(X, y)\n"
        f"    print(loss, {lam:.6g} * model.a_[-1], np.sum(model.a_ == 0))"
    )


losses = Explorer(
    title="Four losses and an outlier",
    controls=(
        Points(
            "outlier",
            "move",
            ((0.7, 1.8),),
            (-3.0, -2.4),
            (3.0, 3.4),
            "axes",
            ("x", "y"),
            ("the ringed point",),
            more=True,
        ),
        Choice("loss", "loss", "absolute", {name: value for value, name in NAMES.items()}),
        Switch("everything", "draw all four", False),
        Slider("lam", "λ", 0.1, 0.001, 1.0, 0.1, log=True),
        Slider("sigma", "width σ", 0.7, 0.3, 2.0, 0.05),
        Slider("delta", "δ of Huber", 0.3, 0.05, 2.0, 0.05, when=lambda v: v["loss"] == "huber" or v["everything"]),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Above on the left the points over x, one of them ringed, the fitted curve, and, pale, the fit without that "
    "point. Below are the pulls of the points as stems, upwards in orange and downwards in blue. On the right "
    "is the loss of a residual, with a dot for each point.",
    code=code,
    tell={"axes": _tell_curve, "low": _tell_pull, "shape": _tell_loss},
    motion=True,
    film=("lam",),
    scenes={
        "Absolute, far up": {"outlier": UP},
        "Squared, far up": {"loss": "squared", "outlier": UP},
        "Huber, far up": {"loss": "huber", "outlier": UP},
        "Maximum, far up": {"loss": "maximum", "outlier": UP, "lam": 0.01},
        "All four": {"everything": True, "loss": "huber", "outlier": UP},
    },
    question=Question(
        "The ringed point lies 0.91 above the curve. What will the curve do if you lift the point until it lies 2.5 "
        "above?",
        ("rise about half as much as the point", "rise, but only a little", "stay where it is"),
        2,
        "Whatever r > 0 is, the slope of the absolute loss is 1. The point pulls no harder from afar than from "
        "nearby, so the curve stays. Draw all four losses to see which of the others share this.",
        "Absolute, far up",
    ),
)
