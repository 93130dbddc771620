"""Notebook 07. SMO, one pair at a time."""

from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, datasets
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid, points, sides
from kernelkit.course.explorers.drawing.machines import tell_h
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Fill, Line, Paths, Segments, Text
from kernelkit.course.panel.numbers import read_off, short
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, sign_colours

LAST = 60
LOW, HIGH = (-3.0, -3.0), (3.0, 3.0)
ACROSS, UP = grid(LOW, HIGH, 90)
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
        at=at,
        now=now,
        alpha=alpha,
        before=states[max(at - 1, 0)].a * y,
        last_step=len(states) - 1,
        best=max(states[-1].dual, 1e-12),
        H=decision_on_grid(machine, ACROSS, UP) if now.a.any() else np.zeros((len(UP), len(ACROSS))),
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


def places(y):
    """Where the box of each point is: those of class −1 on the left, those of +1 on the right."""
    order = np.argsort(y, kind="stable").argsort()
    return order + BETWEEN * (y > 0)


def picture(s):
    pair = list(s.now.pair or ())
    plane = _plane(s, pair)
    return [[plane, _boxes(s, pair)], [plane, _gap(s)]]


def _plane(s, pair):
    idle = np.setdiff1d(np.arange(len(s.y)), s.support)
    return Axes(
        "○ α = C   ⊙ 0 < α < C",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        *sides(ACROSS, UP, s.H, s.X),
        *points(s.X, s.y, s.support, s.inside, idle),
        *(_letter(*_beside(s.X[i]), letter, size=17, halo=3) for i, letter in zip(pair, "ij", strict=False)),
        name="plane",
        bare=True,
        dress=_square,
    )


def _square(ax):
    ax.set_box_aspect(1)


def _letter(x, y, letter, **look):
    return Text(x, y, f"${letter}$", side="center", up="center", **look)


def _beside(point):
    """Where a letter does not hide its point and stays in the picture."""
    return point + np.array([0.0, 0.45 if point[1] < 2.3 else -0.45])


def _boxes(s, pair):
    """The multiplier of each point in its box from 0 to C, and how the pair has moved."""
    x, chosen = places(s.y), np.isin(np.arange(len(s.y)), pair)
    blue, orange = (short(s.alpha[s.y == label].sum()) for label in (-1, 1))
    return Axes(
        "each α in [0, C]   △ too small ▽ too large",
        Axis("=", -1, x.max() + 1, ()),  # between the sums of the two classes
        Axis("", ROW - 0.1, 1 + BEYOND + 0.3, (ROW, 0, 1), ("KKT", "0", "C")),
        Bars(x, s.alpha / s.C, sign_colours(s.y), width=2 * HALF),
        *(_triangles(x[s.wishes == sign], ROW, sign, "none", 6.5, GREY, 1.4) for sign in (1, -1)),
        _walls(x[~chosen], "#B5B5B5", 1.0),
        _walls(x[chosen], INK, 2.0),
        *_move(s, x, pair),
        Text(0.46, -0.02, f"together {blue}", BLUE, side="right", up="top", of="axes", name="sum"),
        Text(0.54, -0.02, f"{orange} together", ORANGE, up="top", of="axes", name="sum"),
        *(_letter(x[i], 1 + BEYOND + 0.17, letter) for i, letter in zip(pair, "ij", strict=False)),
        name="boxes",
        height=3,
        dress=_without_lines,
    )


def _without_lines(ax):
    ax.spines[:].set_visible(False)
    ax.tick_params(axis="y", length=0)


def _walls(x, color, rim):
    return Bars(x, np.ones(len(x)), "none", width=2 * HALF, edge=color, rim=rim)


def _triangles(x, y, way, color, size, edge, rim):
    return Dots(x, y, color, marker="^" if way > 0 else "v", size=size, edge=edge, rim=rim)


def _move(s, x, pair):
    """From where to where the pair went, and, past a wall, how far it wanted to go."""
    x, start, end = x[pair], s.before[pair] / s.C, s.alpha[pair] / s.C
    way = np.sign(end - start)
    wanted = np.clip(start + way * s.now.wanted / s.C, -BEYOND, 1 + BEYOND)
    lines = np.moveaxis([[x, end], [x, wanted]], -1, 0)
    return [
        Segments((x, start), (x, end), INK, width=2.5),
        Paths(lines, PURPLE, width=2.0, style=":") if s.clipped else None,
        *(_triangles(x[way == sign], end[way == sign], sign, INK, 9, "white", 1) for sign in (1, -1)),
        Dots(x, wanted, PURPLE, marker="X", size=9, rim=1) if s.clipped else None,
    ]


def _gap(s):
    """The primal above the dual, against the steps, and the gap between them."""
    steps, every = np.arange(s.at + 1), s.dual + s.gap
    dual, primal, last = s.dual[: s.at + 1], every[: s.at + 1], s.last_step
    highest = max(every[1:], default=0.0)  # the first is far above
    top = min(max(2 * s.best, highest), 6 * s.best)
    return Axes(
        "",
        Axis("step", -0.02 * last - 0.1, 1.02 * last, (0, last // 2, last), room="0"),  # half of the last needs none
        Axis("", -0.03 * top, 1.08 * top, (s.best,), ("best",)),
        Fill(steps, primal, GREEN, alpha=0.18, low=dual),
        Line(steps, primal, GREEN, style="--", label="primal"),
        Line(steps, dual, GREEN, label="dual"),
        Line(s.at, [dual[-1], primal[-1]], INK, width=3.5, cap="butt"),
        Text(1.0, 1.03, f"▌gap {short(s.gap[s.at])}", side="right", of="axes"),
        name="gap",
        height=2,
    )


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


smo = panel(
    compute,
    picture,
    readout,
    code,
    Stepper("step", "step", LAST, 2),
    Choice("data", "data", "half_planes", DATA, more=True),
    Choice("kernel", "kernel", "gaussian", {"linear": "linear", "Gaussian": "gaussian"}, more=True),
    Slider("C", "price C", 10.0, 0.1, 10.0, 0.1, log=True),
    Slider("sigma", "width σ", 2.0, 0.5, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
    title="SMO, one pair at a time",
    shows="On the left the plane with the points of two classes, the boundary and the margins, and the letters i and "
    "j at the pair that moved. On the right a box from 0 to C for each point, filled up to its α: blue boxes, "
    "then orange ones; arrows are how the pair moved, a purple cross where a clipped step wanted to end, a "
    "hollow triangle a point that breaks the KKT table. Below are the primal and the dual at each step.",
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
