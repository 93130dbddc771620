"""Notebook 07. The boundary: what σ, C and every single point do."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial
from kernelkit.explorers.shared import boundary as plane
from kernelkit.explorers.shared.mixture import ACROSS, HIGH, LOW, TEST_STATE, TESTS, UP, N, bayes, fresh, sample, wrong
from kernelkit.panel.controls import Choice, Question, Samples, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

DATA = {"ten-means mixture": "mixture", "moons": "moons", "rings": "rings", "circles": "circles",
        "only my points": "mine"}  # fmt: skip
KERNELS = {"Gaussian": "gaussian", "polynomial": "polynomial", "linear": "linear"}
_weights = {}  # the last dual weights for each data set and kernel: the next fit starts from them


def kernel_of(kernel, sigma, degree):
    """The chosen kernel."""
    return {"gaussian": Gaussian(sigma), "polynomial": Polynomial(degree), "linear": Linear()}[kernel]


def _points(data, mine):
    X, y = (np.empty((0, 2)), np.empty(0)) if data == "mine" else sample(data)
    own = np.array(mine, float).reshape(-1, 3)
    return np.vstack([X, own[:, :2]]), np.concatenate([y, own[:, 2]])


def _fit(k, C, X, y, place):
    """A machine that starts from the weights of the last one; a point that is new starts at 0."""
    last = _weights.get(place, np.zeros(0))[: len(y)]
    model = KernelSVM(k, C).fit(X, y, start=np.pad(last, (0, len(y) - len(last))))
    _weights[place] = model.a_
    return model


def compute(data, kernel, sigma, degree, C, mine):
    X, y = _points(data, mine)
    counts = {label: int(np.sum(y == label)) for label in (-1, 1)}
    state = SimpleNamespace(X=X, y=y, data=data, kernel=kernel, sigma=sigma, degree=degree, C=C, counts=counts,
                            bayes=bayes() if data == "mixture" else (None, None))  # fmt: skip
    if min(counts.values()) == 0:
        return state
    model = _fit(kernel_of(kernel, sigma, degree), C, X, y, (data, kernel, degree))
    multipliers = model.multipliers_
    state.H = plane.decision_on_grid(model, ACROSS, UP)
    state.support = model.support_
    state.on_margin = np.flatnonzero((multipliers > 0) & (multipliers < C))
    state.train = wrong(model.decision_function(X), y)
    state.test = None if data == "mine" else wrong(model.decision_function(fresh(data)[0]), fresh(data)[1])
    return state


ROWS = ("support vectors", "on the margin", "training error", "test error")
COLOURS = (INK, INK, GREY, GREEN)
MOST = 0.5  # the error at the right end of a bar
HEIGHT = 0.3


def build(figure):
    ax = figure.add_axes((0.05, 0.065, 0.597, 0.915), xticks=range(-2, 4), yticks=range(-2, 5))
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)
    parts = plane.build(ax, LOW, HIGH) | {"axes": ax}
    parts["rings"].set(markeredgewidth=1.0, markersize=10)
    side = figure.add_axes((0.675, 0.42, 0.31, 0.56), xlim=(0, 1), ylim=(len(ROWS) + 0.1, -0.55))
    side.axis("off")
    parts["bars"] = side.add_collection(PolyCollection([], facecolors=COLOURS, animated=True))
    for row, name in enumerate(ROWS):
        side.text(0, row - 0.12, name, size=11, va="bottom")
        side.plot([0, 1], [row + HEIGHT] * 2, color=GREY, linewidth=0.6)
    parts["numbers"] = [side.text(1, row - 0.12, "", size=11, va="bottom", ha="right", animated=True)
                        for row in range(len(ROWS))]  # fmt: skip
    side.text(1, 3.95, "50 %", size=11, ha="right", color=GREY)
    parts["best"] = side.plot([], [], "-", color=PURPLE, linewidth=2.5, animated=True, zorder=5)[0]
    parts["best error"] = side.text(0, 3.95, "", size=11, ha="center", color=PURPLE, animated=True)
    parts["note"] = ax.text(0.5, 0.5, "add a point of each class", transform=ax.transAxes, size=14, ha="center",
                            animated=True, zorder=6)  # fmt: skip
    _legend(figure)
    return parts


def _legend(figure):
    ax = figure.add_axes((0.675, 0.065, 0.31, 0.31))
    ax.axis("off")
    marks = {
        "boundary, h = 0": Line2D([], [], color=INK, linewidth=2.2),
        "margins, h = ±1": Line2D([], [], color=INK, linewidth=1.3, linestyle="--"),
        "Bayes (mixture)": Line2D([], [], color=PURPLE, linewidth=1.8, linestyle="--"),
        "−1": Line2D([], [], marker="o", color=BLUE, linestyle=""),
        "+1": Line2D([], [], marker="s", color=ORANGE, linestyle=""),
        "support vector": Line2D([], [], marker="o", color="none", mec=INK, ms=10),
        "… on the margin": Line2D([], [], marker="o", color=INK, ms=4, linestyle=""),
    }
    lines, points = list(marks.items())[:3], list(marks.items())[3:]
    for column, (entries, place) in enumerate(((lines + points[2:], (0, 1)), (points[:2], (1, 1)))):
        shown = ax.legend([m for _, m in entries], [n for n, _ in entries], loc=("upper left", "upper right")[column],
                          bbox_to_anchor=place, borderpad=0, borderaxespad=0, handlelength=1.6 - 0.8 * column,
                          handletextpad=0.5, labelspacing=0.35)  # fmt: skip
        ax.add_artist(shown)


def draw(parts, state):
    ready = hasattr(state, "H")
    parts["note"].set_text("" if ready else "add a point of each class")
    H = state.H if ready else np.zeros((2, 2))
    axes = (ACROSS, UP) if ready else np.column_stack([LOW, HIGH])
    best, best_error = state.bayes
    plane.draw(parts, *axes, H, state.X, state.y, support=state.support if ready else (),
               on_margin=state.on_margin if ready else (), reference=best if ready else None)  # fmt: skip
    if not ready:
        for label in (-1, 1):
            parts[label].set_data(*state.X[state.y == label].T)
    n = max(len(state.y), 1)
    shares = (len(state.support) / n, len(state.on_margin) / n, state.train, state.test) if ready else (None,) * 4
    _draw_bars(parts, shares, state)
    known = ready and best_error is not None
    parts["best"].set_data(*(([best_error / MOST] * 2, [2.93, 3.45]) if known else ([], [])))
    text, place = (f"Bayes {100 * best_error:.1f} %", best_error / MOST) if known else ("", 0)
    parts["best error"].set(text=text, x=place)


def _draw_bars(parts, shares, state):
    counts = (len(state.support), len(state.on_margin)) if shares[0] is not None else ()
    boxes = [(0.0 if v is None else min(v / (1 if row < 2 else MOST), 1), row) for row, v in enumerate(shares)]
    parts["bars"].set_verts([[(0, r), (v, r), (v, r + HEIGHT), (0, r + HEIGHT)] for v, r in boxes])
    for row, (text, share) in enumerate(zip(parts["numbers"], shares, strict=True)):
        said = "–" if share is None else f"{counts[row]} of {len(state.y)}" if row < 2 else f"{100 * share:.1f} %"
        text.set_text(said)


def describe(state):
    name = {"gaussian": f"σ = {state.sigma:.2f}", "polynomial": f"(xᵀz + 1)^{state.degree}", "linear": "Linear kernel"}
    start = f"{name[state.kernel]}, C = {short(state.C)}: "
    if not hasattr(state, "H"):
        missing = " and ".join(f"{'+' if v > 0 else '−'}1" for v, count in state.counts.items() if count == 0)
        return start + f"a machine needs both classes. Click to add a point of class {missing}."
    said = (
        f"{len(state.support)} of {len(state.y)} points are support vectors, {len(state.on_margin)} of them exactly on "
        f"the margin; training error {100 * state.train:.1f} %"
    )
    if state.test is not None:
        said += f", test error {100 * state.test:.1f} %"
    if state.bayes[1] is not None:
        said += f" (Bayes: {100 * state.bayes[1]:.1f} %)"
    return start + said + "."


def code(data, kernel, sigma, degree, C, mine):
    y = _points(data, mine)[1]
    own = [[round(float(v), 4) for v in point] for point in np.array(mine, float).reshape(-1, 3)]
    lines = ["import numpy as np", "from kernelkit import *", "from kernelkit import datasets", ""]
    lines += [f"mine = np.array({own}).reshape(-1, 3)"]
    if data == "mine":
        lines += ["X, y = mine[:, :2], mine[:, 2]"]
    else:
        lines += [f"X, y = datasets.{data}({N})", "X, y = np.vstack([X, mine[:, :2]]), np.append(y, mine[:, 2])"]
    if len(set(y)) < 2:
        return "\n".join([*lines, "# add a point of each class before you fit"])
    lines += [f"svm = KernelSVM({kernel_of(kernel, sigma, degree)!r}, C={C:g}).fit(X, y)"]
    lines += ["print(len(svm.support_), 'support vectors, training error', 1 - svm.score(X, y))"]
    if data != "mine":
        lines += [f"print('test error', 1 - svm.score(*datasets.{data}({TESTS}, random_state={TEST_STATE})))"]
    return "\n".join(lines)


boundary = Explorer(
    title="The boundary: what σ, C and every single point do",
    controls=(
        Choice("data", "data", "mixture", DATA),
        Choice("kernel", "kernel", "gaussian", KERNELS),
        Slider("sigma", "width σ", 0.707946, 0.1, 10.0, 0.05, log=True, when=lambda v: v["kernel"] == "gaussian"),
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
        "Too small σ": {"sigma": 0.1, "C": 10.0},
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
    question=Question(
        "σ becomes ten times smaller, C stays. What happens to the two errors?",
        ("both fall", "the training error falls, the test error rises", "both rise"),
        1,
        "Each training point then rules a small island of its own: the sample is learned by heart, "
        "and between the islands the machine knows nothing.",
    ),
    size=(7.2, 4.7),
)
