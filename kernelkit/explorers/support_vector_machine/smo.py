"""Notebook 07. SMO, one pair at a time."""

from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, datasets
from kernelkit.explorers.shared import boundary as plane
from kernelkit.explorers.shared.machines import tell_h
from kernelkit.panel.controls import Choice, NoQuestion, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import read_off, short
from kernelkit.panel.parts import reframed
from kernelkit.plots import BLUE, GREEN, INK, MARKERS, ORANGE, PURPLE

LAST = 60
LOW, HIGH = (-3.0, -3.0), (3.0, 3.0)
ACROSS, UP = plane.grid(LOW, HIGH, 90)
DATA = {"16 points": "sixteen", "separable points": "half_planes"}
TOL = 1e-3  # where the run ends: KernelSVM's own


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
    states = []
    for now in islice(KernelSVM(k, C, TOL).steps(X, y), LAST + 1):
        dual, primal, b = objectives(now.iterate, now.r, y, C)
        states.append(
            SimpleNamespace(
                pair=now.moved,
                wanted=now.wanted,
                step=now.step,
                a=now.iterate,
                r=now.r,
                b=b,
                dual=dual,
                primal=primal,
                violation=now.violation,
                solved=now.violation <= TOL,
            )
        )
    return k, states


def compute(data, kernel, sigma, C, step):
    X, y = _data(data)
    k, states = run(data, kernel, sigma, C)
    at = min(step, len(states) - 1)
    now = states[at]
    machine = SimpleNamespace(kernel=k, X_=X, a_=now.a, b_=now.b, decision_function=lambda Z: k(Z, X) @ now.a + now.b)
    multipliers, tiny = now.a * y, 1e-9 * C
    return SimpleNamespace(
        X=X,
        y=y,
        C=C,
        at=at,
        now=now,
        before=states[max(at - 1, 0)].a * y,
        last_step=min(len(states) - 1, LAST),
        H=plane.decision_on_grid(machine, ACROSS, UP) if now.a.any() else np.zeros((len(UP), len(ACROSS))),
        may_grow=now.a < np.where(y > 0, C, 0) - tiny,
        may_shrink=now.a > np.where(y > 0, 0, -C) + tiny,
        support=np.flatnonzero(multipliers > tiny),
        inside=np.flatnonzero((multipliers > tiny) & (multipliers < C - tiny)),
        clipped=now.step < now.wanted * (1 - 1e-9),
        widest=max(float(np.abs(s.r).max()) for s in states),
        dual=[s.dual for s in states],
        primal=[s.primal for s in states],
        violation=[s.violation for s in states],
    )


# ---- the picture ------------------------------------------------------------------------------

MOVING = {"animated": True, "zorder": 3}


def build(figure):
    ax = figure.add_axes((0.012, 0.08, 0.456, 0.84), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_title("○ multiplier > 0   ⊙ between 0 and C", pad=6)
    badge = {
        "size": 12,
        "ha": "center",
        "va": "center",
        "color": GREEN,
        "animated": True,
        "zorder": 6,
        "bbox": {"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": GREEN},
    }
    letters = [ax.text(0, 0, f"${letter}$", **badge) for letter in "ij"]
    parts = {"plane": plane.build(ax, LOW, HIGH), "axes": ax, "letters": letters}
    return parts | _build_box(figure) | _build_wishes(figure) | _build_curves(figure)


def _build_box(figure):
    """The square of the two multipliers, and the line on which their sum with y stays 0."""
    box = figure.add_axes((0.545, 0.585, 0.175, 0.34), xlim=(-0.4, 1.4), ylim=(-0.4, 1.4))
    box.set_xticks([0, 1], ["0", "C"])
    box.set_yticks([0, 1], ["0", "C"])
    box.set_xlabel("multiplier of $i$", labelpad=0)
    box.set_ylabel("of $j$", labelpad=-4)
    box.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color=INK, linewidth=1.2)
    return {
        "line": box.plot([], [], "-", color="#B5B5B5", linewidth=4, **MOVING)[0],
        "wanted line": box.plot([], [], ":", color=PURPLE, linewidth=2, **MOVING)[0],
        "moved line": box.plot([], [], "-", color=GREEN, linewidth=3.5, **MOVING)[0],
        "before": box.plot([], [], "o", color="white", mec=GREEN, mew=2, ms=8, **MOVING)[0],
        "wanted": box.plot([], [], "X", color=PURPLE, mec="white", ms=9, **MOVING)[0],
        "after": box.plot([], [], "o", color=GREEN, ms=8, **MOVING)[0],
        "box note": box.text(0, 1.09, "", transform=box.transAxes, animated=True),
    }


def _build_wishes(figure):
    """What offset each point would like: r = y − Ka, of those that may grow and of those that may shrink."""
    ax = figure.add_axes((0.79, 0.585, 0.192, 0.34), xlim=(-0.5, 1.5))
    ax.set_xticks([0, 1], ["grow", "shrink"])
    ax.tick_params(axis="x", length=0)
    ax.set_title("$r$ of all that may …", pad=6)
    parts = {"wishes": ax, "gap": ax.plot([], [], "-", color=INK, linewidth=3, **MOVING)[0]}
    parts["ends"] = [ax.plot([], [], "-", color=INK, linewidth=1, **MOVING)[0] for _ in range(2)]
    for label, colour in ((-1, BLUE), (1, ORANGE)):
        parts[label] = ax.plot([], [], MARKERS[label], color=colour, mec="white", mew=0.6, ms=6, **MOVING)[0]
    parts["moved"] = ax.plot([], [], "o", color="none", mec=GREEN, mew=2, ms=10, **MOVING)[0]
    return parts


def _build_curves(figure):
    rising = figure.add_axes((0.565, 0.13, 0.155, 0.265), ylim=(-0.06, 2.1))
    rising.set_yticks([0, 1, 2], ["0", "best", "2·best"])
    falling = figure.add_axes((0.79, 0.13, 0.192, 0.265))
    falling.set_title("violation", pad=4)
    rising.text(-0.22, 1.06, "dual", color=GREEN, transform=rising.transAxes)
    rising.text(0.14, 1.06, "≤ primal", color=PURPLE, transform=rising.transAxes)
    return {
        "rising": rising,
        "falling": falling,
        "primal": rising.plot([], [], "--", color=PURPLE, **MOVING)[0],
        "dual": rising.plot([], [], "-", color=GREEN, **MOVING)[0],
        "violation": falling.plot([], [], "-", color=INK, **MOVING)[0],
        "marks": [rising.plot([], [], m, color=c, ms=7, **MOVING)[0] for m, c in (("s", PURPLE), ("o", GREEN))]
        + [falling.plot([], [], "o", color=INK, ms=7, **MOVING)[0]],
    }


def draw(parts, state):
    plane.draw(parts["plane"], ACROSS, UP, state.H, state.X, state.y, support=state.support, on_margin=state.inside)
    pair = state.now.pair or (None, None)
    for letter, index in zip(parts["letters"], pair, strict=True):
        letter.set_visible(index is not None)
        if index is not None:
            letter.set_position(_beside(state.X[index]))
    _draw_box(parts, state)
    _draw_wishes(parts, state)
    _draw_curves(parts, state)
    _frame(parts, state.last_step, state.widest, max(state.violation))


def _beside(point):
    """Where a letter does not hide its point and stays in the picture."""
    return point + np.array([0.0, 0.45 if point[1] < 2.3 else -0.45])


def _frame(parts, last, widest, worst):
    """The axes of a whole run: its steps, the residuals and the violations it meets."""
    if reframed(parts["wishes"], last, widest, worst):
        for ax in (parts["rising"], parts["falling"]):
            ax.set(xlim=(-0.03 * last - 0.2, 1.04 * last), xticks=[0, last // 2, last])
            ax.set_xlabel("step", labelpad=-1)
        low, high = _round(widest), _round(worst)
        parts["wishes"].set(ylim=(-1.15 * widest, 1.15 * widest))
        parts["wishes"].set_yticks([-low, 0, low], [f"−{low}", "0", f"{low}"])
        parts["falling"].set(ylim=(-0.04 * worst, 1.1 * worst), yticks=[0, high])


def _round(value):
    """The largest round number below."""
    return max(v for v in (1, 2, 5, 10, 20, 50, 100) if v <= value * 1.001)


def _draw_box(parts, state):
    names = ("line", "wanted line", "moved line", "before", "wanted", "after")
    if state.now.pair is None:
        for name in names:
            parts[name].set_data([], [])
        parts["box note"].set_text("no pair yet")
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
    parts["box note"].set_text("clipped: ✕ wanted" if state.clipped else "a free step")


def _to_edge(start, signs):
    """How far along the signs the picture goes."""
    return float(np.where(signs > 0, 1.4 - start, start + 0.4).min())


def _draw_wishes(parts, state):
    r, n = state.now.r, len(state.y)
    spread = 0.7 * (np.arange(n) + 0.5) / n - 0.35  # side by side, in the order of the points
    x = np.concatenate([spread[state.may_grow], 1 + spread[state.may_shrink]])
    who = np.concatenate([np.flatnonzero(state.may_grow), np.flatnonzero(state.may_shrink)])
    for label in (-1, 1):
        mine = state.y[who] == label
        parts[label].set_data(x[mine], r[who][mine])
    moved = np.isin(who, state.now.pair or ())
    parts["moved"].set_data(x[moved], r[who][moved])
    top, low = r[state.may_grow].max(), r[state.may_shrink].min()
    for end, height, span in zip(parts["ends"], (top, low), ((-0.4, 0.5), (0.5, 1.4)), strict=True):
        end.set_data(span, [height, height])
    parts["gap"].set_data([0.5, 0.5], [low, max(top, low)])


def _draw_curves(parts, state):
    steps, best = np.arange(len(state.dual)), max(state.dual[-1], 1e-12)
    for name, mark in zip(("primal", "dual", "violation"), parts["marks"], strict=True):
        values = np.array(getattr(state, name))
        values = np.maximum(values, 0) if name == "violation" else np.minimum(values / best, 2.08)
        parts[name].set_data(steps[: state.at + 1], values[: state.at + 1])
        mark.set_data([state.at], [values[state.at]])


# ---- the words --------------------------------------------------------------------------------


def describe(state):
    now = state.now
    ends = f"dual {short(now.dual)} ≤ primal {short(now.primal)}"
    ends += "; no pair violates more than 0.001: done." if now.solved else f", violation {short(now.violation)}."
    if now.pair is None:
        return f"Step 0: all multipliers are 0; {ends}"
    i, j = now.pair
    kinds = "one class" if state.y[i] == state.y[j] else "different classes"
    fits = f"but the box allows only {short(now.step)}" if state.clipped else "and all of it fits into the box"
    step = f"{state.at}, the last" if now.solved else f"{state.at}"
    who = f"Step {step}: points {i + 1} and {j + 1} are of {kinds}."
    return f"{who} The best move is {short(now.wanted)}, {fits}. Now {ends}"


def _tell_wish(state, x, y):
    may = state.may_grow if x < 0.5 else state.may_shrink
    i = np.flatnonzero(may)[np.abs(state.now.r[may] - y).argmin()]
    return f"point {i + 1}: r = {read_off(state.now.r[i])}"


def _tell_step(state, x, y):
    at = min(max(round(x), 0), state.at)
    return f"step {at}: violation {short(max(state.violation[at], TOL))}"


def _tell_gap(state, x, y):
    at = min(max(round(x), 0), state.at)
    return f"step {at}: {short(state.dual[at])} ≤ {short(state.primal[at])}"


def code(data, kernel, sigma, C, step):
    points = "datasets.sixteen()" if data == "sixteen" else "datasets.half_planes(16)"
    k = f"Gaussian({sigma:g})" if kernel == "gaussian" else "Linear()"
    return (
        "from itertools import islice\nfrom kernelkit import Gaussian, KernelSVM, Linear, datasets\n\n"
        f"X, y = {points}\n"
        f"for state in islice(KernelSVM({k}, C={C:g}).steps(X, y), {step + 1}):\n"
        "    print(state.moved, round(state.wanted, 4), round(state.step, 4), round(state.violation, 4))\n"
        "print(state.iterate * y)"
    )


smo = Explorer(
    title="SMO, one pair at a time",
    controls=(
        Stepper("step", "step", LAST, 5),
        Choice("data", "data", "half_planes", DATA),
        Choice("kernel", "kernel", "gaussian", {"linear": "linear", "Gaussian": "gaussian"}),
        Slider("C", "price C", 10.0, 0.1, 10.0, 0.1, log=True),
        Slider("sigma", "width σ", 2.0, 0.5, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "The start": {"step": 0},
        "A free step": {"step": 1},
        "A clipped step": {"step": 4},
        "Solved": {"step": LAST},
        "16 points, a line": {"data": "sixteen", "kernel": "linear", "C": 1.0, "step": LAST},
    },
    question=NoQuestion(because="the text just above asks whether the violation can go up"),
    tell={
        "axes": lambda state, x, y: tell_h(ACROSS, UP, state.H, (x, y)),
        "wishes": _tell_wish,
        "falling": _tell_step,
        "rising": _tell_gap,
    },
)
