"""Notebook 07. The boundary: what σ, C and every single point do."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian, Linear, Polynomial
from kernelkit.explorers.shared import boundary as plane
from kernelkit.explorers.shared.machines import TOL, machine, on_margin, tell_h
from kernelkit.explorers.shared.mixture import ACROSS, HIGH, LOW, TEST_STATE, TESTS, UP, N, bayes, fresh, sample, wrong
from kernelkit.panel.controls import Choice, NoQuestion, Samples, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import percent, short, typed
from kernelkit.panel.parts import reframed
from kernelkit.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

DATA = {
    "ten-means mixture": "mixture",
    "moons": "moons",
    "rings": "rings",
    "circles": "circles",
    "only my points": "mine",
}
KERNELS = {"Gaussian": "gaussian", "polynomial": "polynomial", "linear": "linear"}


def kernel_of(kernel, sigma, degree):
    """The chosen kernel."""
    return {"gaussian": Gaussian(sigma), "polynomial": Polynomial(degree), "linear": Linear()}[kernel]


def _points(data, mine):
    X, y = (np.empty((0, 2)), np.empty(0)) if data == "mine" else sample(data)
    own = np.array(mine, float).reshape(-1, 3)
    return np.vstack([X, own[:, :2]]), np.concatenate([y, own[:, 2]])


def compute(data, kernel, sigma, degree, C, mine, before=None):
    X, y = _points(data, mine)
    state = SimpleNamespace(
        X=X,
        y=y,
        data=data,
        kernel=kernel,
        sigma=sigma,
        degree=degree,
        C=C,
        ready=False,
        own=np.arange(len(y) - len(mine), len(y)),
        a=None,
        bayes=bayes() if data == "mixture" else (None, None),
    )
    if len(set(y)) == 2:
        same = before is not None and (before.data, before.kernel) == (data, kernel)
        _learn(state, machine(kernel_of(kernel, sigma, degree), C, X, y, before.a if same else None))
    return state


def _learn(state, model):
    state.ready, state.a = True, model.a_
    state.H = plane.decision_on_grid(model, ACROSS, UP)
    state.support, state.on_margin = model.support_, on_margin(model)
    state.train = wrong(model.decision_function(state.X), state.y)
    Z, t = (None, None) if state.data == "mine" else fresh(state.data)
    state.test = None if Z is None else wrong(model.decision_function(Z), t)


ROWS = ("support vectors", "exactly on the margin", "training error", "test error")
COLOURS = (INK, INK, GREY, GREEN)
MOST = 0.5  # the error at the right end of a bar
WIDTH, STEP, LOWEST = 300, 63, 360  # of the column of numbers, in pixels; its rows; its height


def build(figure):
    ax = figure.add_axes((0.05, 0.075, 0.482, 0.888), xticks=range(-2, 4), yticks=range(-2, 5))
    ax.set_xlabel("$x_1$", x=0.94, labelpad=-14)  # between the last tick and the end
    ax.set_ylabel("$x_2$", y=0.92, labelpad=-5, rotation=0, va="center")
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)
    parts = plane.build(ax, LOW, HIGH)
    parts["rings"].set(markeredgewidth=1.0, markersize=10)
    parts["note"] = ax.text(0.5, 0.5, "", transform=ax.transAxes, size=14, ha="center", animated=True, zorder=6)
    side = figure.add_axes((0.56, 0.03, WIDTH / 700, LOWEST / 380), xlim=(0, WIDTH), ylim=(LOWEST, 0))
    side.axis("off")
    _build_bars(parts, side)
    _build_legend(parts, side)
    return parts


def _build_bars(parts, side):
    for row, name in enumerate(ROWS):
        side.text(22 if row < 2 else 0, 17 + STEP * row, name)
        side.plot([0, WIDTH], [44 + STEP * row] * 2, color=GREY, linewidth=0.8)
    side.plot([8, 8], [12, 12 + STEP], "o", color="none", mec=INK, mew=1.0, ms=10)
    side.plot([8], [12 + STEP], "o", color=INK, ms=4)
    below = 60 + 3 * STEP
    side.text(WIDTH, below, "50 %", ha="right", color=GREY)
    parts["bars"] = side.add_collection(PolyCollection([], facecolors=COLOURS, animated=True))
    parts["numbers"] = [side.text(WIDTH, 17 + STEP * row, "", ha="right", animated=True) for row in range(4)]
    parts["best"] = side.plot([], [], "-", color=PURPLE, linewidth=2.5, animated=True, zorder=5)[0]
    parts["best error"] = side.text(0, below, "", ha="center", color=PURPLE)


def _build_legend(parts, side):
    """What the lines and marks are; the last column is shown where it says something."""
    look = {"size": 11, "va": "center"}
    for x, name, style, width in ((0, "h = 0", "-", 2.2), (96, "h = ±1", "--", 1.3)):
        side.plot([x, x + 26], [310, 310], style, color=INK, linewidth=width)
        side.text(x + 33, 310, name, **look)
    for x, name, marker, colour in ((0, "−1", "o", BLUE), (96, "+1", "s", ORANGE)):
        side.plot([x + 13], [340], marker, color=colour, mec="white", mew=0.7, ms=7)
        side.text(x + 33, 340, name, **look)
    parts["bayes"] = (
        side.plot([199, 225], [310, 310], "--", color=PURPLE, linewidth=1.8)[0],
        side.text(232, 310, "Bayes", color=PURPLE, **look),
    )
    parts["yours"] = (
        side.plot([212], [340], "o", color="white", mec=INK, mew=1.8, ms=10)[0],
        side.text(232, 340, "yours", **look),
    )


def draw(parts, state):
    parts["note"].set_text("" if state.ready else "add a point of each class")
    best, best_error = state.bayes if state.ready else (None, None)
    known = {"support": state.support, "on_margin": state.on_margin, "reference": best} if state.ready else {}
    H = state.H if state.ready else np.zeros((len(UP), len(ACROSS)))
    plane.draw(parts, ACROSS, UP, H, state.X, state.y, own=state.own, **known)
    _draw_bars(parts, state)
    _draw_fixed(parts, best_error, len(state.own) > 0)


def _draw_bars(parts, state):
    n, shares, texts = len(state.y), [0.0] * 4, ["–"] * 4
    if state.ready:
        counts, errors = [len(state.support), len(state.on_margin)], [state.train, state.test]
        shares = [c / n for c in counts] + [min((e or 0.0) / MOST, 1) for e in errors]
        texts = [f"{c} of {n}" for c in counts] + ["–" if e is None else percent(e) for e in errors]
    for text, said in zip(parts["numbers"], texts, strict=True):
        text.set_text(said)
    parts["bars"].set_verts([_bar(25 + STEP * row, WIDTH * share) for row, share in enumerate(shares)])


def _bar(top, length):
    return [(0, top), (length, top), (length, top + 19), (0, top + 19)]


def _draw_fixed(parts, error, own):
    """What changes with the data alone: the best error there is, and what the legend holds."""
    x, top = WIDTH * (error or 0.0) / MOST, 20 + 3 * STEP
    parts["best"].set_data(*(([], []) if error is None else ([x, x], [top, top + 26])))
    if not reframed(parts["best error"].axes, error, own):
        return
    for name, shown in (("bayes", error is not None), ("yours", own)):
        for artist in parts[name]:
            artist.set_visible(shown)
    parts["best error"].set(text="" if error is None else percent(error), x=x)


def describe(state):
    name = {
        "gaussian": f"σ = {short(state.sigma, 2)}",
        "polynomial": f"(xᵀz + 1){'⁰¹²³⁴⁵'[state.degree]}",
        "linear": "Linear kernel",
    }
    start = f"{name[state.kernel]}, C = {short(state.C)}: "
    if not state.ready:
        missing = " and ".join(sign for sign, v in (("−1", -1), ("+1", 1)) if v not in state.y)
        return start + f"a machine needs both classes. Click to add a point of class {missing}."
    said = (
        f"{len(state.support)} of {len(state.y)} points are support vectors, {len(state.on_margin)} of them exactly on "
        f"the margin; training error {percent(state.train)}"
    )
    said += "" if state.test is None else f", test error {percent(state.test)}"
    return start + said + ("." if state.bayes[1] is None else f" (Bayes: {percent(state.bayes[1])}).")


def code(data, kernel, sigma, degree, C, mine):
    y = _points(data, mine)[1]
    lines = ["import numpy as np", "from kernelkit import *", "from kernelkit import datasets", ""]
    lines += [f"mine = np.array({typed(mine)}).reshape(-1, 3)"]
    if data == "mine":
        lines += ["X, y = mine[:, :2], mine[:, 2]"]
    else:
        lines += [f"X, y = datasets.{data}({N})", "X, y = np.vstack([X, mine[:, :2]]), np.append(y, mine[:, 2])"]
    if len(set(y)) < 2:
        return "\n".join([*lines, "# add a point of each class before you fit"])
    lines += [f"svm = KernelSVM({kernel_of(kernel, sigma, degree)!r}, C={C:g}, tol={TOL:g}).fit(X, y)"]
    lines += ["print(len(svm.support_), 'support vectors, training error', 1 - svm.score(X, y))"]
    if data != "mine":
        lines += [f"print('test error', 1 - svm.score(*datasets.{data}({TESTS}, random_state={TEST_STATE})))"]
    return "\n".join(lines)


boundary = Explorer(
    title="The boundary: what σ, C and every single point do",
    controls=(
        Choice("data", "data", "mixture", DATA),
        Choice("kernel", "kernel", "gaussian", KERNELS),
        Slider("sigma", "width σ", 0.707946, 0.0501187, 10.0, 0.05, log=True, when=lambda v: v["kernel"] == "gaussian"),
        Slider("degree", "degree p", 3, 2, 5, 1, when=lambda v: v["kernel"] == "polynomial"),
        Slider("C", "price C", 1.0, 0.01, 1000.0, 0.1, log=True),
        Samples("mine", "my point", (), LOW, HIGH),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Too small σ": {"sigma": 0.0707946},
        "Too large σ": {"sigma": 10.0},
        "C tiny": {"C": 0.01},
        "C huge": {"C": 1000.0},
        "A line for rings": {"data": "rings", "kernel": "linear"},
        "Cubic moons": {"data": "moons", "kernel": "polynomial"},
        "Only my points": {
            "data": "mine",
            "sigma": 1.0,
            "C": 10.0,
            "mine": ((-0.5, 0.5, -1), (0.5, -0.5, -1), (1.0, 2.0, 1), (2.0, 1.5, 1)),
        },
    },
    question=NoQuestion(because="the text just above asks three questions, one of them about a small C"),
    tell={"axes": lambda state, x, y: tell_h(ACROSS, UP, state.H, (x, y)) if state.ready else ""},
    motion=True,
    warm=True,
)
