"""Notebook 07. SMO, one pair at a time."""

from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patheffects import withStroke

from kernelkit import Gaussian, KernelSVM, Linear, datasets
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import tell_h
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import read_off, short
from kernelkit.course.panel.parts import key, reframed
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, sign_colours

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
            )
        )
    return k, states


def compute(data, kernel, sigma, C, step):
    X, y = _data(data)
    k, states = run(data, kernel, sigma, C)
    at = min(step, len(states) - 1)
    now = states[at]
    machine = SimpleNamespace(kernel=k, X_=X, a_=now.a, b_=now.b, decision_function=lambda Z: k(Z, X) @ now.a + now.b)
    alpha, tiny = now.a * y, 1e-9 * C
    return SimpleNamespace(
        X=X,
        y=y,
        C=C,
        at=at,
        now=now,
        alpha=alpha,
        before=states[max(at - 1, 0)].a * y,
        last_step=len(states) - 1,
        best=max(states[-1].dual, 1e-12),
        H=plane.decision_on_grid(machine, ACROSS, UP) if now.a.any() else np.zeros((len(UP), len(ACROSS))),
        wishes=_wishes(now, y, C, tiny),
        support=np.flatnonzero(alpha > tiny),
        inside=np.flatnonzero((alpha > tiny) & (alpha < C - tiny)),
        clipped=now.step < now.wanted * (1 - 1e-9),
        dual=np.array([s.dual for s in states]),
        gap=np.array([max(s.primal - s.dual, 0.0) for s in states]),
        violation=[max(s.violation, 0.0) for s in states],
    )


def _wishes(now, y, C, tiny):
    """+1 where α is too small for the KKT conditions, −1 where it is too large, 0 where they hold.

    A point is inside its margin where 1 − y h(X) = y (r − b) is positive.
    """
    alpha, inside = now.a * y, y * (now.r - now.b)
    too_small, too_large = (inside > TOL) & (alpha < C - tiny), (inside < -TOL) & (alpha > tiny)
    return too_small.astype(int) - too_large


# ---- the picture ------------------------------------------------------------------------------

BETWEEN = 1.2  # boxes: what separates the two classes
HALF = 0.36  # of the width of a box, where the next one is 1 away
BEYOND = 0.16  # how far past a wall a wish is drawn, in parts of C
ROW = -0.27  # where the wishes of all points are
MOVING = {"animated": True, "zorder": 3}


def build(figure):
    axes = figure.subplot_mosaic([["plane", "boxes"], ["plane", "gap"]], width_ratios=(1, 1), height_ratios=(3, 2))
    ax = axes["plane"]
    ax.set(xticks=[], yticks=[], box_aspect=1)
    ax.spines[:].set_visible(False)
    ax.set_title("○ α = C   ⊙ 0 < α < C")
    look = {"ha": "center", "va": "center", "size": 17, "animated": True, "zorder": 6}
    look["path_effects"] = [withStroke(linewidth=3, foreground="white")]  # readable over lines and points
    letters = [ax.text(0, 0, f"${letter}$", **look) for letter in "ij"]
    return axes | {"field": plane.build(ax, LOW, HIGH), "letters": letters} | _boxes(axes["boxes"]) | _gap(axes["gap"])


def _boxes(ax):
    """The multiplier of each point in its box from 0 to C, and how the pair has moved."""
    ax.set(ylim=(ROW - 0.1, 1 + BEYOND + 0.3), yticks=[ROW, 0, 1], yticklabels=["KKT", "0", "C"], xticks=[])
    ax.spines[:].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_title("each α in [0, C]   △ too small ▽ too large")
    ax.set_xlabel("=")  # between the sums of the two classes
    below = {"transform": ax.transAxes, "va": "top", "animated": True}
    return {
        "fills": ax.add_collection(PolyCollection([], linewidth=0, **MOVING)),
        "walls": ax.add_collection(PolyCollection([], facecolor="none", animated=True, zorder=4)),
        "moves": ax.add_collection(LineCollection([], color=INK, linewidth=2.5, animated=True, zorder=5)),
        "heads": [ax.plot([], [], m, color=INK, mec="white", mew=1, ms=9, animated=True, zorder=6)[0] for m in "^v"],
        "wanted": ax.add_collection(LineCollection([], color=PURPLE, linestyle=":", animated=True, zorder=5)),
        "wanted ends": ax.plot([], [], "X", color=PURPLE, mec="white", ms=9, animated=True, zorder=6)[0],
        "wishes": [ax.plot([], [], m, color="none", mec=GREY, mew=1.4, ms=6.5, **MOVING)[0] for m in "^v"],
        "names": [ax.text(0, 0, f"${letter}$", ha="center", va="center", animated=True) for letter in "ij"],
        "sums": [
            ax.text(0.46, -0.02, "", color=BLUE, ha="right", **below),
            ax.text(0.54, -0.02, "", color=ORANGE, ha="left", **below),
        ],
    }


def _gap(ax):
    """The primal above the dual, against the steps, and the gap between them."""
    ax.set_xlabel("step")
    lines = {
        "primal": ax.plot([], [], "--", color=GREEN, **MOVING)[0],
        "dual": ax.plot([], [], "-", color=GREEN, **MOVING)[0],
    }
    ax.set(yticks=[0], yticklabels=["best"])
    key(ax, lines)
    return lines | {
        "between": ax.add_collection(PolyCollection([], facecolor=GREEN, alpha=0.18, linewidth=0, animated=True)),
        "now": ax.plot([], [], "-", color=INK, linewidth=3.5, solid_capstyle="butt", animated=True, zorder=5)[0],
        "amount": ax.text(1.0, 1.03, "", ha="right", transform=ax.transAxes, animated=True),
    }


def places(y):
    """Where the box of each point is: those of class −1 on the left, those of +1 on the right."""
    order = np.argsort(y, kind="stable").argsort()
    return order + BETWEEN * (y > 0)


def draw(parts, state):
    pair = list(state.now.pair or ())
    idle = np.setdiff1d(np.arange(len(state.y)), state.support)
    marks = {"support": state.support, "on_margin": state.inside, "idle": idle}
    plane.draw(parts["field"], ACROSS, UP, state.H, state.X, state.y, **marks)
    x = places(state.y)
    for number, (letter, name) in enumerate(zip(parts["letters"], parts["names"], strict=True)):
        for text in (letter, name):
            text.set_visible(bool(pair))
        if pair:
            letter.set_position(_beside(state.X[pair[number]]))
            name.set_position((x[pair[number]], 1 + BEYOND + 0.17))
    _draw_boxes(parts, state, x, pair)
    _draw_move(parts, state, x, pair)
    _draw_gap(parts, state)


def _beside(point):
    """Where a letter does not hide its point and stays in the picture."""
    return point + np.array([0.0, 0.45 if point[1] < 2.3 else -0.45])


def _draw_boxes(parts, state, x, pair):
    parts["fills"].set(verts=_columns(x, state.alpha / state.C), facecolor=sign_colours(state.y))
    chosen = np.isin(np.arange(len(x)), pair)
    parts["walls"].set(
        verts=_columns(x, np.ones(len(x))),
        edgecolor=np.where(chosen, INK, "#B5B5B5"),
        linewidth=np.where(chosen, 2.0, 1.0),
    )
    for sign, marks in zip((1, -1), parts["wishes"], strict=True):
        those = x[state.wishes == sign]
        marks.set_data(those, np.full(len(those), ROW))
    blue, orange = (short(state.alpha[state.y == label].sum()) for label in (-1, 1))
    for text, words in zip(parts["sums"], (f"together {blue}", f"{orange} together"), strict=True):
        text.set_text(words)
    if reframed(parts["boxes"], x.max()):
        parts["boxes"].set_xlim(-1, x.max() + 1)


def _columns(x, heights):
    """Rectangles that stand at x."""
    left, right, floor = x - HALF, x + HALF, 0 * x
    return np.stack([[left, left, right, right], [floor, heights, heights, floor]], axis=-1).swapaxes(0, 1)


def _draw_move(parts, state, x, pair):
    """From where to where the pair went, and, past a wall, how far it wanted to go."""
    start, end = (values[pair] / state.C for values in (state.before, state.alpha))
    way = np.sign(end - start)
    parts["moves"].set_segments([[(p, a), (p, b)] for p, a, b in zip(x[pair], start, end, strict=True)])
    for sign, heads in zip((1, -1), parts["heads"], strict=True):
        heads.set_data(x[pair][way == sign], end[way == sign])
    wanted = np.clip(start + way * state.now.wanted / state.C, -BEYOND, 1 + BEYOND)
    lines = [[(p, a), (p, b)] for p, a, b in zip(x[pair], end, wanted, strict=True)] if state.clipped else []
    parts["wanted"].set_segments(lines)
    parts["wanted ends"].set_data(*np.reshape([line[1] for line in lines], (-1, 2)).T)


def _draw_gap(parts, state):
    steps = np.arange(state.at + 1)
    dual, primal = state.dual[: state.at + 1], (state.dual + state.gap)[: state.at + 1]
    parts["dual"].set_data(steps, dual)
    parts["primal"].set_data(steps, primal)
    parts["between"].set_verts([[*zip(steps, dual, strict=True), *zip(steps[::-1], primal[::-1], strict=True)]])
    parts["now"].set_data([state.at] * 2, [dual[-1], primal[-1]])
    parts["amount"].set_text(f"▌gap {short(state.gap[state.at])}")
    last, highest = state.last_step, max((state.dual + state.gap)[1:], default=0.0)  # the first is far above
    top = min(max(2 * state.best, highest), 6 * state.best)
    if reframed(parts["gap"], last, top, state.best):
        parts["gap"].set(xlim=(-0.02 * last - 0.1, 1.02 * last), ylim=(-0.03 * top, 1.08 * top))
        parts["gap"].set(xticks=[0, last // 2, last], yticks=[state.best], yticklabels=["best"])


# ---- the words --------------------------------------------------------------------------------


def readout(state):
    now, pair = state.now, state.now.pair
    return {
        "moved by": f"{short(now.step)} of {short(now.wanted)} wanted" if pair else None,
        "αᵢ and αⱼ": " and ".join(short(state.alpha[k]) for k in pair) if pair else None,
        "points that break the KKT table": f"{np.count_nonzero(state.wishes)} of {len(state.y)}",
        "violation": short(state.violation[state.at]),
        "duality gap": short(state.gap[state.at]),
    }


def _tell_box(state, x, y):
    i = int(np.abs(places(state.y) - x).argmin())
    return f"point {i + 1}: α = {read_off(state.alpha[i])}, r = {read_off(state.now.r[i])}"


def _tell_gap(state, x, y):
    at = min(max(round(x), 0), state.at)
    return f"{at}: gap {short(state.gap[at])}, violation {short(state.violation[at])}"


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
        Stepper("step", "step", LAST, 2),
        Choice("data", "data", "half_planes", DATA, more=True),
        Choice("kernel", "kernel", "gaussian", {"linear": "linear", "Gaussian": "gaussian"}, more=True),
        Slider("C", "price C", 10.0, 0.1, 10.0, 0.1, log=True),
        Slider("sigma", "width σ", 2.0, 0.5, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points of two classes, the boundary and the margins, and the letters i and "
    "j at the pair that moved. On the right a box from 0 to C for each point, filled up to its α: blue boxes, "
    "then orange ones; arrows are how the pair moved, a purple cross where a clipped step wanted to end, a "
    "hollow triangle a point that breaks the KKT table. Below are the primal and the dual at each step.",
    code=code,
    film=("step",),
    scenes={
        "A free step": {"step": 6},
        "A clipped step": {"C": 5.01187, "step": 2},
        "One up, one down": {"C": 1.0, "step": 4},
        "The third step": {"step": 3},
        "Solved": {"step": LAST},
    },
    question=Question(
        "Two steps are done, and the gap between the primal and the dual has shrunk to 13.4. The next step raises the "
        "dual again. What does it do to the gap?",
        ("it shrinks", "it stays", "it grows"),
        2,
        "The step is chosen for the dual alone, which rises from 7.0 to 8.5. Nobody asks the primal: some points come "
        "to lie deeper inside the margin, and their hinges raise it from 20 to 50. At the optimum both meet.",
        "The third step",
    ),
    tell={
        "plane": lambda state, x, y: tell_h(ACROSS, UP, state.H, (x, y)),
        "boxes": _tell_box,
        "gap": _tell_gap,
    },
    click={"gap": lambda state, x, y: {"step": min(max(round(x), 0), state.last_step)}},
)
