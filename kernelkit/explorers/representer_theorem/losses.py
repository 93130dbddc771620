"""Notebook 08. Four losses and an outlier."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.panel.controls import Choice, Points, Question, Slider, Switch
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

NAMES = {"squared": "squared", "absolute": "absolute", "huber": "Huber", "maximum": "maximum"}
LOOKS = {"squared": (INK, "-"), "absolute": (GREEN, "--"), "huber": (PURPLE, "-."), "maximum": (ORANGE, ":")}
FIXED = datasets.sine(16, 0.1, 2)  # the points that stay
GRID = np.linspace(-3.2, 3.2, 161)
LIMIT = 4.0  # of the outputs


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
        X=X[:, 0], y=y, loss=loss, curves=curves, without=without, pull=pull, r=r, bound=bound, held=held,
        zero=model.a_ == 0, lam=lam, moved=float(np.abs(curves[loss] - without).max()),
    )  # fmt: skip


def build(figure):
    top = figure.add_axes((0.1, 0.39, 0.68, 0.55), xlim=(-3.3, 3.3), ylim=(-LIMIT, LIMIT), xticks=range(-3, 4))
    top.set_title("drag the ringed point · grey dots: the fit without it", size=11)
    top.tick_params(labelbottom=False)
    zero = GRID * 0
    before = top.plot(GRID, zero, ":", color=GREY, linewidth=2.6, animated=True)[0]
    lines = {
        name: top.plot(GRID, zero, style, color=colour, animated=True)[0] for name, (colour, style) in LOOKS.items()
    }
    dots = top.plot([], [], "o", color=INK, ms=5, animated=True, zorder=4)[0]
    ring = top.plot([], [], "o", color="none", mec=INK, mew=1.6, ms=15, animated=True, zorder=5)[0]
    keys = {
        name: _key(top, 0.86 - 0.15 * i, NAMES[name], colour, style, animated=True)
        for i, (name, (colour, style)) in enumerate(LOOKS.items())
    }
    low = figure.add_axes((0.1, 0.11, 0.68, 0.24), xlim=(-3.3, 3.3), xticks=range(-3, 4), xlabel="$x$")
    low.set_ylabel(r"pull $\lambda a_i$")
    low.yaxis.set_label_coords(-0.105, 0.5)
    low.axhline(0, color=INK, linewidth=0.8)
    stems = low.vlines(FIXED[0][:, 0], 0, 0, color=GREY, linewidth=1.6, animated=True)
    marks = {
        "free": low.plot([], [], "o", color=BLUE, ms=6, animated=True, zorder=4)[0],
        "held": low.plot([], [], "s", color=ORANGE, ms=7, animated=True, zorder=4)[0],
        "zero": low.plot([], [], "x", color=GREY, ms=6, mew=1.6, animated=True, zorder=4)[0],
    }
    low_ring = low.plot([], [], "o", color="none", mec=INK, mew=1.6, ms=15, animated=True, zorder=5)[0]
    bounds = [low.axhline(0, color=INK, linestyle="--", linewidth=1.2, animated=True) for _ in range(2)]
    _key(low, 0.9, "at a bound", ORANGE, "s")
    _key(low, 0.66, "inside", BLUE, "o")
    _key(low, 0.42, "zero", GREY, "x")
    _key(low, 0.18, "bound", INK, "--")
    return {
        "axes": top, "low": low, "before": before, "lines": lines, "dots": dots, "ring": ring, "keys": keys,
        "stems": stems, "marks": marks, "low_ring": low_ring, "bounds": bounds,
    }  # fmt: skip


def _key(ax, y, word, colour, style, animated=False):
    """A line or a marker and its name, to the right of the axes."""
    x = [1.06] if style in "sox" else [1.015, 1.095]
    look = {"transform": ax.transAxes, "color": colour, "animated": animated}
    line = ax.plot(x, [y] * len(x), style, ms=7, mew=1.6 if style == "x" else 1, clip_on=False, **look)[0]
    return line, ax.text(1.11, y, word, va="center", **look)


def draw(parts, state):
    for name, line in parts["lines"].items():
        shown = name in state.curves
        for part in (line, *parts["keys"][name]):
            part.set_visible(shown)
        if shown:
            line.set_ydata(state.curves[name])
            line.set_linewidth(3.0 if name == state.loss else 1.6)
    parts["before"].set_ydata(state.without)
    parts["dots"].set_data(state.X, state.y)
    parts["ring"].set_data(state.X[-1:], state.y[-1:])
    parts["stems"].set_segments([[(x, 0), (x, p)] for x, p in zip(state.X, state.pull, strict=True)])
    for name, which in (("free", ~state.held & ~state.zero), ("held", state.held), ("zero", state.zero)):
        parts["marks"][name].set_data(state.X[which], state.pull[which])
    parts["low_ring"].set_data(state.X[-1:], state.pull[-1:])
    for line, side in zip(parts["bounds"], (-1, 1), strict=True):
        line.set_visible(state.bound is not None)
        line.set_ydata([side * (state.bound or 0)] * 2)
    return _frame(parts, state)


def _frame(parts, state):
    top = 1.15 * max(state.bound or 0, np.abs(state.pull).max())
    limit, tick = next(pair for pair in ((0.6, 0.5), (1.25, 1), (5, 4), (99, 50)) if pair[0] >= top)
    parts["low"].set(ylim=(-limit, limit), yticks=[-tick, 0, tick])
    return limit


def describe(state):
    pull, r = state.pull[-1], state.r[-1]
    where = "on" if abs(r) < 0.005 else f"{abs(r):.2f} {'above' if r > 0 else 'below'}"
    bound = {
        "squared": "there is no bound",
        "absolute": "the bound is 1",
        "huber": f"the bound is δ = {state.bound}",
        "maximum": "all pulls together are at most 1",
    }[state.loss]
    zeros = int(state.zero.sum())
    pulls = f"{pull:.2f}".replace("-", "−")
    return (
        f"Loss: {NAMES[state.loss]}, λ = {short(state.lam)}. The ringed point lies {where} the curve and pulls with "
        f"λa = {pulls} ({bound}). Because of it the curve moves by up to {state.moved:.2f}. "
        f"{zeros if zeros else 'None'} of the {len(state.y)} dual weights {'is' if zeros == 1 else 'are'} zero."
    )


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
        Points("outlier", "move", ((0.7, 1.8),), (-3.0, -3.5), (3.0, 3.5), "axes", ("x", "y"), ("the ringed point",)),
        Choice("loss", "loss", "absolute", {name: value for value, name in NAMES.items()}),
        Switch("everything", "draw all four curves", False),
        Slider("lam", "λ", 0.1, 0.001, 1.0, 0.1, log=True),
        Slider("sigma", "width σ", 0.7, 0.3, 2.0, 0.05),
        Slider("delta", "δ of Huber", 0.3, 0.05, 2.0, 0.05, when=lambda v: v["loss"] == "huber" or v["everything"]),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Squared follows": {"loss": "squared", "outlier": ((0.7, 3.5),)},
        "Absolute forgives": {"loss": "absolute", "outlier": ((0.7, 3.5),)},
        "Huber clips": {"loss": "huber", "outlier": ((0.7, 3.5),)},
        "Maximum is brittle": {"loss": "maximum", "outlier": ((0.7, 3.5),), "lam": 0.01},
        "All four": {"everything": True, "loss": "huber", "outlier": ((0.7, 3.5),)},
    },
    question=Question(
        "The loss is absolute, and the ringed point is already above the curve. Drag it much higher: what will the "
        "curve do?",
        ("follow it, as far as λ allows", "stay exactly where it is", "turn away from it"),
        1,
        "Its pull λa = sign(r) is at its bound, 1, and cannot grow. The other points do not move, so nothing changes. "
        "Try the squared loss: there the pull is r itself.",
    ),
    size=(7.2, 4.6),
)  # fmt: skip
