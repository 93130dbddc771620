"""Notebook 07. SMO, one pair at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, datasets
from kernelkit.explorers.shared import boundary as plane
from kernelkit.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import GREEN, GREY, INK, PURPLE

LAST = 60
LOW, HIGH = (-3.0, -3.0), (3.0, 3.0)
ACROSS, UP = plane.grid(LOW, HIGH, 90)
DATA = {"16 points": "sixteen", "separable points": "half_planes"}


@lru_cache(maxsize=8)
def _data(data):
    return datasets.sixteen() if data == "sixteen" else datasets.half_planes(16)


def objectives(a, r, y, C):
    """The dual at a, and the primal at w = Σ a_i Φ(X_i) with its best offset b, which is one of the r_i."""
    hinges = C * np.maximum(0, y * (r - r[:, None])).sum(axis=1)
    b = r[hinges.argmin()]
    return (a @ y + a @ r) / 2, a @ (y - r) / 2 + hinges.min(), b


@lru_cache(maxsize=64)
def run(data, kernel, sigma, C):
    """The first LAST steps; the number 0 is the start. Each knows its pair, step, a, r, objectives and violation."""
    X, y = _data(data)
    k = Gaussian(sigma) if kernel == "gaussian" else Linear()
    states, last = [], SimpleNamespace(pair=None, wanted=0.0, step=0.0, a=np.zeros(len(y)), r=y.astype(float))
    for new in KernelSVM(k, C).steps(X, y):
        last.violation, last.solved = new.violation, new.pair is None
        last.dual, last.primal, last.b = objectives(last.a, last.r, y, C)
        states.append(last)
        if last.solved or len(states) > LAST:
            return k, states
        last = new


def compute(data, kernel, sigma, C, step):
    X, y = _data(data)
    k, states = run(data, kernel, sigma, C)
    at = min(step, len(states) - 1)
    now = states[at]
    model = SimpleNamespace(kernel=k, X_=X, a_=now.a, b_=now.b)
    H = plane.decision_on_grid(model, ACROSS, UP) if kernel == "gaussian" else _linear_on_grid(X, now)
    return SimpleNamespace(
        X=X, y=y, C=C, H=H, at=at, now=now, before=states[max(at - 1, 0)].a * y, asked=step,
        last_step=min(len(states) - 1, LAST),
        dual=[s.dual for s in states], primal=[s.primal for s in states], violation=[s.violation for s in states],
    )  # fmt: skip


def _linear_on_grid(X, now):
    w = now.a @ X
    return w[0] * ACROSS[None, :] + w[1] * UP[:, None] + now.b


def build(figure):
    ax = figure.add_axes((0.01, 0.43, 0.385, 0.385 * 7.2 / 5.6), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    title = {"size": 11, "loc": "left", "pad": 5}
    ax.set_title("ring: multiplier > 0, dot: between 0 and C", **title)
    parts = {"plane": plane.build(ax, LOW, HIGH)}
    tag = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": GREEN, "linewidth": 1.5}
    parts["letters"] = [ax.text(0, 0, f"${letter}$", size=14, color=GREEN, animated=True, zorder=7, ha="center",
                                va="center", bbox=tag) for letter in "ij"]  # fmt: skip
    box = figure.add_axes((0.575, 0.5, 0.385, 0.385 * 7.2 / 5.6 - 0.07), xlim=(-0.5, 1.5), ylim=(-0.5, 1.5))
    box.set(xticks=[0, 1], yticks=[0, 1], xticklabels=["0", "C"], yticklabels=["0", "C"])
    box.set_xlabel(r"multiplier $\lambda_i$", labelpad=-6)
    box.set_ylabel(r"multiplier $\lambda_j$", labelpad=-6)
    box.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color=INK, linewidth=1.2)
    parts["line"] = box.plot([], [], color=GREY, linewidth=4, alpha=0.5, solid_capstyle="butt", animated=True)[0]
    parts["wanted line"] = box.plot([], [], ":", color=PURPLE, linewidth=2.2, animated=True)[0]
    parts["moved line"] = box.plot([], [], "-", color=GREEN, linewidth=2.6, animated=True)[0]
    parts["before"] = box.plot([], [], "o", mfc="white", mec=GREEN, mew=2, ms=9, animated=True, zorder=4)[0]
    parts["wanted"] = box.plot([], [], "X", color=PURPLE, ms=10, animated=True, zorder=4)[0]
    parts["after"] = box.plot([], [], "o", color=GREEN, ms=9, animated=True, zorder=5)[0]
    parts["box note"] = box.text(-0.5, 1.56, "", size=11, animated=True)
    return parts | _build_curves(figure)


def _build_curves(figure):
    rising = figure.add_axes((0.1, 0.105, 0.355, 0.235), xlim=(-0.5, LAST + 0.5), ylim=(-0.1, 2.15), xlabel="step")
    rising.set(yticks=[0, 1, 2], yticklabels=["0", "best", "2·best"], xticks=range(0, LAST + 1, 20))
    rising.set_title("primal (dashed), dual (solid)", size=11, loc="left", pad=4)
    falling = figure.add_axes((0.575, 0.105, 0.385, 0.235), xlim=(-0.5, LAST + 0.5), ylim=(2e-4, 2e1), yscale="log")
    falling.set(xlabel="step", xticks=range(0, LAST + 1, 20))
    falling.set_yticks([1e-3, 1e-1, 1e1], ["0.001", "0.1", "10"])
    falling.minorticks_off()
    falling.set_title("violation, until ≤ 0.001", size=11, loc="left", pad=4)
    falling.axhline(1e-3, color=GREY, linewidth=1)
    look = {"animated": True, "zorder": 3}
    return {
        "primal": rising.plot([], [], "--", color=PURPLE, **look)[0],
        "dual": rising.plot([], [], "-", color=GREEN, **look)[0],
        "violation": falling.plot([], [], "-", color=INK, **look)[0],
        "marks": [rising.plot([], [], m, color=c, ms=7, **look)[0] for m, c in (("s", PURPLE), ("o", GREEN))]
        + [falling.plot([], [], "o", color=INK, ms=7, **look)[0]],
    }


def draw(parts, state):
    multipliers = state.now.a * state.y
    inside = (multipliers > 0) & (multipliers < state.C)
    plane.draw(parts["plane"], ACROSS, UP, state.H, state.X, state.y, support=np.flatnonzero(multipliers),
               on_margin=np.flatnonzero(inside))  # fmt: skip
    pair = state.now.pair or (None, None)
    for letter, index in zip(parts["letters"], pair, strict=True):
        letter.set_visible(index is not None)
        if index is not None:
            letter.set_position(state.X[index] + np.array([0.0, 0.45]))
    _draw_box(parts, state)
    steps, best = np.arange(len(state.dual)), max(state.dual[-1], 1e-12)
    for name, mark in zip(("primal", "dual", "violation"), parts["marks"], strict=True):
        values = np.array(getattr(state, name)) / (1.0 if name == "violation" else best)
        values = np.maximum(values, 2.4e-4) if name == "violation" else np.minimum(values, 2.08)
        parts[name].set_data(steps[: state.at + 1], values[: state.at + 1])
        mark.set_data([state.at], [values[state.at]])


def _draw_box(parts, state):
    names = ("line", "wanted line", "moved line", "before", "wanted", "after")
    if state.now.pair is None:
        for name in names:
            parts[name].set_data([], [])
        parts["box note"].set_text("the box of a pair: no pair yet")
        return
    i, j = state.now.pair
    start, signs = state.before[[i, j]] / state.C, state.y[[i, j]] * np.array([1, -1])
    ends = [start + signs * length / state.C for length in (state.now.wanted, state.now.step)]
    room = np.where(signs > 0, [1 - start, start], [start, 1 - start])  # to the box, forwards and backwards
    line = np.array([start + signs * room[0].min(), start - signs * room[1].min()])
    shown = start + signs * min(state.now.wanted / state.C, _to_edge(start, signs))
    places = (line, [start, shown], [start, ends[1]], [start], [ends[0]], [ends[1]])
    for name, points in zip(names, places, strict=True):
        parts[name].set_data(*np.array(points).T)
    clipped = state.now.step < state.now.wanted
    parts["box note"].set_text("the pair in its box, " + ("clipped (✕ wanted)" if clipped else "not clipped"))


def _to_edge(start, signs):
    """How far along the signs the picture goes."""
    return float(np.where(signs > 0, 1.5 - start, start + 0.5).min())


def describe(state):
    now = state.now
    ends = f"dual {now.dual:.4f} ≤ primal {now.primal:.4f}, violation {now.violation:.4f}".replace("-", "−")
    if now.pair is None:
        said = f"Step 0: all multipliers are 0; {ends}."
    else:
        i, j = now.pair
        kinds = "one class" if state.y[i] == state.y[j] else "different classes"
        clip = "all of it fits" if now.step == now.wanted else f"the box allows {now.step:.4f}"
        step = f"{state.at}, the last" if now.solved else f"{state.at}"
        said = f"Step {step}: points {i + 1} and {j + 1}, {kinds}; wanted {now.wanted:.4f}, {clip}. Now {ends}."
    return said + (" No pair violates more than 0.001: done." if now.solved else "")


def code(data, kernel, sigma, C, step):
    points = "datasets.sixteen()" if data == "sixteen" else "datasets.half_planes(16)"
    k = f"Gaussian({sigma:g})" if kernel == "gaussian" else "Linear()"
    return (
        "from itertools import islice\nfrom kernelkit import Gaussian, KernelSVM, Linear, datasets\n\n"
        f"X, y = {points}\n"
        f"for state in islice(KernelSVM({k}, C={C:g}).steps(X, y), {max(step, 1)}):\n"
        "    print(state.pair, round(state.violation, 4), round(state.wanted, 4), round(state.step, 4))\n"
        "print(state.a * y)"
    )


smo = Explorer(
    title="SMO, one pair at a time",
    controls=(
        Stepper("step", "step", LAST),
        Choice("data", "data", "sixteen", DATA),
        Choice("kernel", "kernel", "linear", {"linear": "linear", "Gaussian": "gaussian"}),
        Slider("C", "price C", 1.0, 0.1, 10.0, 0.1, log=True),
        Slider("sigma", "width σ", 1.0, 0.5, 2.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "A clipped step": {"step": 1},
        "A free step": {"step": 4},
        "Solved": {"step": LAST},
        "Gaussian, C = 10": {"kernel": "gaussian", "C": 10.0, "step": LAST},
    },
    question=Question(
        "Each step raises the dual as far as the pair’s box allows. What will the violation do from step to step?",
        ("fall every time", "fall in the end, but rise on the way", "stay as it is until the last step"),
        1,
        "A step settles its own pair, but it moves every residual r = y − Ka, so another pair may now disagree more. "
        "Only the dual is sure to go one way.",
    ),
    size=(7.2, 5.6),
)
