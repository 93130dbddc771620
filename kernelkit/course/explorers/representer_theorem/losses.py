"""Notebook 08. Four losses and an outlier."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis, Dots, HLine, Line, Segments, Text
from kernelkit.course.panel.numbers import fixed, read_off, short
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, sign_colours

NAMES = {"squared": "squared", "absolute": "absolute", "huber": "Huber", "maximum": "maximum"}
LOOKS = {
    "squared": {"color": INK, "style": "-"},
    "absolute": {"color": GREEN, "style": "--"},
    "huber": {"color": PURPLE, "style": "-."},
    "maximum": {"color": GREY, "style": ":"},
}
FIXED = datasets.sine(16, 0.1, 2)  # the points that stay
GRID = np.linspace(-3.2, 3.2, 161)
RESIDUALS = np.linspace(-4, 4, 161)
SLOTS = (0.075, 0.215, 0.36, 0.503)  # of the names of the curves
LENGTHS = {"squared": 0.03, "absolute": 0.03, "huber": 0.05, "maximum": 0.03}  # of their keys: dash and dot need more
HELD = {"color": INK, "marker": "s", "size": 7, "edge": INK, "rim": 1}  # of a pull
FREE = {"color": "white", "size": 6, "edge": INK, "rim": 1}
ZERO = {"color": GREY, "marker": "x", "size": 6, "edge": GREY, "rim": 1.6}
BOUND = {"width": 1.2, "style": "--"}
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
        curves=curves,
        without=without,
        pull=pull,
        r=r,
        bound=bound,
        held=held,
        zero=model.a_ == 0,
        moved=float(np.abs(curves[loss] - without).max()),
    )


SIDE = Axis("", -3.3, 3.3, range(-3, 4), [""] * 7)


def picture(s):
    page = Axes("", NO_AXIS, NO_AXIS, *_legend(s.bound is not None), *_names(s), place=(0, 0, 1, 1), bare=True)
    return [[page, _fits(s), _pulls(s), _losses(s)]]


def _fits(s):
    return Axes(
        "",
        SIDE,
        Axis("", *LIMITS, (-2, 0, 2)),
        None if s.everything else Line(GRID, s.without, "#CFCFCF", width=8, name="without"),
        *_curves(s, GRID, s.curves),
        None if s.everything else Text(-3.2, -2.75, "pale: the fit without the ringed point", GREY, up="bottom"),
        Dots(s.X, s.y, size=6),
        _ring(s.X, s.y),
        name="axes",
        place=(0.075, 0.475, 0.555, 0.415),
    )


def _curves(s, x, curves):
    """A curve for each loss that is drawn, wide for the one that is chosen."""
    widths = {name: 3.0 if name == s.loss else 1.6 for name in LOOKS}
    return [Line(x, curves[name], **LOOKS[name], width=widths[name]) if name in curves else None for name in LOOKS]


def _ring(x, y):
    """Around the last of these points."""
    return Dots(x[-1], y[-1], "none", size=14, edge=INK, rim=1.6, clip=False)


def _pulls(s):
    top = 1.15 * max(s.bound or 0, np.abs(s.pull).max())
    limit, tick = next(pair for pair in ((0.6, 0.5), (1.25, 1), (2.5, 2), (5, 4), (99, 50)) if pair[0] >= top)
    ticks = -tick, 0, tick
    free = ~s.held & ~s.zero
    return Axes(
        "",
        replace(SIDE, label="$x$", names=None),
        Axis("", -limit, limit, ticks, map(short, ticks), zero=True),
        Segments((s.X, 0), (s.X, s.pull), sign_colours(s.pull), width=2),
        *(HLine(side * s.bound, **BOUND, name="bounds") if s.bound else None for side in (-1, 1)),
        Text(0, 1.08, rf"pulls $\lambda a_i$ of the {NAMES[s.loss]} loss", of="axes", name="whose"),
        Dots(s.X[s.held], s.pull[s.held], **HELD),
        Dots(s.X[free], s.pull[free], **FREE),
        Dots(s.X[s.zero], s.pull[s.zero], **ZERO),
        _ring(s.X, s.pull),
        name="low",
        place=(0.075, 0.135, 0.555, 0.245),
    )


def _losses(s):
    r = np.clip(s.r, -3.9, 3.9)
    heights = np.minimum(loss_of(s.loss, r, s.delta), 3.9)
    return Axes(
        "",
        Axis("", -4, 4, (-4, -2, 0, 2, 4)),
        Axis("", -0.2, 4, (0, 2, 4)),
        *_curves(s, RESIDUALS, {name: loss_of(name, RESIDUALS, s.delta) for name in s.curves}),
        Text(0, 3.2, "only the largest\ncounts", GREY, side="center") if s.loss == "maximum" else None,
        Dots(r, heights, size=6),
        _ring(r, heights),
        name="shape",
        place=(0.69, 0.475, 0.295, 0.415),
    )


def _names(s):
    """The names of the curves, above them."""
    for x, name in zip(SLOTS, s.curves, strict=False):
        end = x + LENGTHS[name]
        yield Line([x, end], 0.945, **LOOKS[name])
        yield _word(end + 0.01, 0.945, NAMES[name], LOOKS[name]["color"])


@cache
def _legend(bound):
    """What stands above the losses and beside the pulls, in parts of the page; bound : whether the pulls have one."""
    return [
        Text(0.69, 0.93, "loss of a residual $r$"),
        Dots(0.675, 0.25, **FREE),
        _word(0.7, 0.25, "inside the bounds" if bound else "not zero", INK),
        Dots(0.675, 0.17, **ZERO),
        _word(0.7, 0.17, "zero", GREY),
        Dots(0.675, 0.33, **HELD) if bound else None,
        _word(0.7, 0.33, "at a bound", INK) if bound else None,
        Line([0.66, 0.69], 0.09, **BOUND) if bound else None,
        _word(0.7, 0.09, "the bounds", INK) if bound else None,
    ]


def _word(x, y, words, color):
    return Text(x, y, words, color, up="center_baseline")


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


losses = panel(
    compute,
    picture,
    readout,
    code,
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
    title="Four losses and an outlier",
    shows="Above on the left the points over x, one of them ringed, the fitted curve, and, pale, the fit without that "
    "point. Below are the pulls of the points as stems, upwards in orange and downwards in blue. On the right "
    "is the loss of a residual, with a dot for each point.",
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
