"""Notebook 09. Break it: points and weights that refute a function."""

import re
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.course.explorers.drawing.ridge_curves import bars
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Text
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, short, typed, typographic
from kernelkit.course.panel.parts import reframed, standard
from kernelkit.course.plots import GREY, INK, PURPLE, sign_colours
from kernelkit.study.formula import Formula
from kernelkit.study.validity import ROUNDING, fewest, refutes, search, witness

MOST = 6
FEW = 4  # points whose pairs have room for their names
OWN = "your own"
CANDIDATES = {  # what is shown: what the parser reads
    "tanh(xᵀz − 1)": "tanh(dot(x, z) - 1)",
    "−‖x − z‖": "-norm(x - z)",
    "max(x₁, z₁)": "max(x[0], z[0])",
    "1 where ‖x − z‖ < 1": "norm(x - z) < 1",
    "exp(−‖x − z‖³)": "exp(-norm(x - z)**3)",
    "xᵀz − 1": "dot(x, z) - 1",
    "sin(x₁ + z₁)": "sin(x[0] + z[0])",
    "max(0, 1 − ‖x − z‖²)": "max(0, 1 - norm(x - z)**2)",
    "Gaussian σ = 1 minus σ = 2": "exp(-norm(x - z)**2/2) - exp(-norm(x - z)**2/8)",
    "exp(−‖x − z‖)": "exp(-norm(x - z))",
    "(xᵀz + 1)²": "(dot(x, z) + 1)**2",
    OWN: "",
}
START = ((-1.0, 0.4), (0.2, -0.5), (1.1, 0.7), (-2.0, -1.0), (2.2, -0.8), (0.4, 1.6))
TRIED = ("cos(x - z)", "x*z + 1)", "x - z", "min(x, z)")


def compute(points, n, space, candidate, own):
    X = np.array(points)[:n, : 1 if space == "line" else 2]
    text = own if candidate == OWN else CANDIDATES[candidate]
    shown = SimpleNamespace(places=np.array(points), n=n, space=space, name=own if candidate == OWN else candidate)
    try:
        f = Formula(text)
        shown.value, shown.v = witness(f, X)
        shown.v = shown.v * (1 if shown.v[np.abs(shown.v) > ROUNDING][0] > 0 else -1)  # v and −v say the same
        shown.K, shown.trouble = f(X, X), ""
    except ValueError as error:
        shown.value, shown.v, shown.K, shown.trouble = 0.0, np.zeros(n), np.zeros((n, n)), str(error)
        shown.name = "your own formula"
    shown.terms = np.outer(shown.v, shown.v) * shown.K
    least = ROUNDING * max(np.abs(np.linalg.eigvalsh(shown.K)).max(), 1e-300)
    shown.formed, shown.refuted = not shown.trouble, bool(shown.value < -least)
    shown.smallest = 0.0 if abs(shown.value) <= least else shown.value  # 0 where it is 0 but for rounding
    return shown


def build(figure):
    plane = figure.add_axes((0.055, 0.1, 0.38, 0.7), xlim=(-3.1, 3.1), ylim=(-3.1, 3.1))
    plane.set(xticks=[-3, 0, 3], yticks=[-3, 0, 3])
    plane.axhline(0, color=GREY, lw=0.8)
    gram = figure.add_axes((0.49, 0.48, 0.375, 0.32), xticks=[], yticks=[])
    gram.set_title("$K$")
    vector = figure.add_axes((0.885, 0.48, 0.1, 0.32), xlim=(-1.05, 1.05), xticks=[], yticks=[])
    vector.set_title("$v$")
    vector.axvline(0, color=INK, lw=0.8)
    terms = figure.add_axes((0.5, 0.1, 0.48, 0.25))
    terms.tick_params(axis="x", length=0)
    terms.spines["bottom"].set_visible(False)
    terms.axhline(0, color=INK, lw=0.8)
    terms.set_title(r"$v_iv_j\,k(X_i, X_j)$, twice for $i \neq j$; purple: sum $v^{\top}Kv$")
    look = {"animated": True, "ha": "center", "va": "center"}
    say = {"animated": True, "va": "center", "transform": figure.transFigure, "parse_math": False}
    return {
        "plane": plane,
        "gram": gram,
        "vector": vector,
        "terms": terms,
        "threads": plane.vlines([], 0, 0, color=GREY, lw=1, animated=True),
        "dots": plane.plot([], [], "o", ms=15, color=INK, mec="white", animated=True)[0],
        "spare": plane.plot([], [], "o", ms=8, mfc="none", color=GREY, animated=True)[0],
        "numbers": [plane.text(0, 0, str(i + 1), color="white", **look) for i in range(MOST)],
        "image": gram.imshow(np.zeros((2, 2)), cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto", animated=True),
        "entries": [gram.text(0, 0, "", **look) for _ in range(MOST**2)],
        "weights": vector.add_collection(PolyCollection([], animated=True)),
        "bars": terms.add_collection(PolyCollection([], animated=True)),
        "sum": terms.plot([], [], "D", ms=7, color=PURPLE, mec="white", animated=True, zorder=3)[0],
        "name": plane.text(0.02, 0.93, "", size=14, **say),
        "says": plane.text(0, 1.02, "only the place on the line counts", transform=plane.transAxes, animated=True),
    }


def draw(parts, state):
    _draw_points(parts, state)
    _draw_matrix(parts, state)
    rows = np.arange(1, state.n + 1)
    parts["weights"].set_verts([[(y, x) for x, y in corners] for corners in bars(rows, state.v, 0.7)])
    parts["weights"].set_facecolor(sign_colours(state.v))
    upper = np.triu(2 * state.terms) - np.diag(np.diag(state.terms))
    values = np.append(upper[np.triu_indices(state.n)], state.terms.sum())
    parts["bars"].set_verts(bars(np.arange(len(values)), values, 0.7))
    parts["bars"].set_facecolor([*sign_colours(values[:-1]), PURPLE])
    parts["sum"].set_data([len(values) - 1], values[-1:])
    limit = standard(max(np.abs(values).max(), 0.1))
    if reframed(parts["terms"], limit, state.n):
        parts["terms"].set(xlim=(-0.8, len(values) - 0.2), ylim=(-limit, limit))
        parts["terms"].set_yticks([-limit, 0, limit], [short(v) for v in (-limit, 0, limit)])
        pairs = [f"{i + 1},{j + 1}" for i, j in zip(*np.triu_indices(state.n), strict=True)]
        pairs = pairs if state.n <= FEW else [""] * len(pairs)
        parts["terms"].set_xticks(range(len(values)), [*pairs, "sum"])
        parts["vector"].set_ylim(state.n + 0.6, 0.4)


def _draw_points(parts, state):
    used, spare = state.places[: state.n], state.places[state.n :]
    parts["dots"].set_data(*used.T)
    parts["spare"].set_data(*spare.T)
    threads = [[(x, 0), (x, y)] for x, y in used] if state.space == "line" else []
    parts["threads"].set_segments(threads)
    parts["says"].set_visible(state.space == "line")
    for i, number in enumerate(parts["numbers"]):
        number.set_position(state.places[i])
        number.set_visible(i < state.n)
    parts["name"].set_text(f"k(x, z) = {state.name}?" if len(state.name) < 50 else "k(x, z) = your own formula?")


def _draw_matrix(parts, state):
    n, largest = state.n, max(np.abs(state.K).max(), 1e-300)
    parts["image"].set_data(state.K / largest * 0.6)
    parts["image"].set_extent((0.5, n + 0.5, n + 0.5, 0.5))
    for i, entry in enumerate(parts["entries"]):
        row, column = divmod(i, MOST)
        entry.set_visible(row < n and column < n and not state.trouble)
        if entry.get_visible():
            entry.set_position((1 + column, 1 + row))
            value = state.K[row, column]
            entry.set_text(fixed(value, 1 if n > 4 else 2) if largest < 100 else short(value, 2))


def readout(state):
    return {
        "points": state.n,
        "smallest vᵀKv of a unit vector v": short(state.smallest, 2) if state.formed else None,
        "these points refute k": {True: "yes", False: "no"}[state.refuted] if state.formed else None,
    }


def message(state):
    return typographic(f"{_counted_from_1(state.trouble)} So there is nothing to test.") if state.trouble else ""


def _counted_from_1(trouble):
    """The numbers of two points as the picture has them."""
    return re.sub(r"points (\d+) and (\d+)", lambda m: f"points {int(m[1]) + 1} and {int(m[2]) + 1}", trouble)


def _tell_plane(state, x, y):
    return f"x = {read_off(x)}" if state.space == "line" else f"({read_off(x)}, {read_off(y)})"


def _tell_gram(state, x, y):
    i, j = (min(max(round(v), 1), state.n) for v in (y, x))
    return f"k(X{i}, X{j}) = {short(state.K[i - 1, j - 1])}"


def find(points, n, space, candidate, own):
    """The fewest points that refute the function, or six that come nearest to it."""
    d = 1 if space == "line" else 2
    try:
        f = Formula(own if candidate == OWN else CANDIDATES[candidate])
        found = fewest(f, d, MOST)
        X = np.round(search(f, d, MOST) if found is None else found, 2) + 0.0
        if found is not None and not refutes(f, X):
            X = np.round(found, 4) + 0.0  # as close together as only a steep function needs
    except ValueError:  # the sentence says it already
        return {}
    places = [(float(x[0]), float(x[1]) if d == 2 else START[i][1]) for i, x in enumerate(X)]
    return {"points": (*places, *points[len(X) :]), "n": len(X)}


def code(points, n, space, candidate, own):
    text = own if candidate == OWN else CANDIDATES[candidate]
    rows = typed([p[: 1 if space == "line" else 2] for p in points[:n]])
    if trouble := compute(points, n, space, candidate, own).trouble:
        return f"print({trouble!r})"
    return (
        "from kernelkit.study.formula import Formula\nfrom kernelkit.study.validity import fewest, witness\n\n"
        f"f = Formula({text!r})\nX = {rows}\nprint(f(X, X))\n"
        f"print(witness(f, X))\nprint(fewest(f, d={1 if space == 'line' else 2}))"
    )


break_it = Explorer(
    title="Break it",
    controls=(
        Choice("candidate", "k(x, z)", "1 where ‖x − z‖ < 1", {name: name for name in CANDIDATES}),
        Text("own", "formula", "exp(-abs(x - z)**1.5)", TRIED, when=lambda v: v["candidate"] == OWN),
        Choice("space", "points on", "line", {"a line": "line", "the plane": "plane"}),
        Slider("n", "how many", 3, 1, MOST, 1),
        Points("points", "move", START, (-3.0, -3.0), (3.0, 3.0), "plane", more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    message=message,
    shows="On the left the points; hollow ones are not used yet, and on a line only the place across counts. On the "
    "right the matrix K, in orange above 0 and in blue below, and the weights v for which vᵀKv is smallest; "
    "below them a bar for each pair of points, and at the end, in purple, their sum vᵀKv.",
    code=code,
    act={"Search": find},
    tell={"plane": _tell_plane, "gram": _tell_gram},
    film=("n",),
    scenes={
        "Three in a row": {"points": ((-0.9, 0.4), (0.0, -0.5), (0.9, 0.7), *START[3:])},
        "One point is enough": {"candidate": "xᵀz − 1", "n": 1, "points": ((0.5, 0.4), *START[1:])},
        "A true kernel": {"candidate": "exp(−‖x − z‖)", "n": 6},
    },
    says={
        "A true kernel": "This function is a kernel, so no points can refute it. But these six do not prove it.",
    },
    question=Question(
        "The box is 1 where two points are closer than 1, and 0 elsewhere. Which three points in a row show that it "
        "is not a kernel?",
        ("all three close together", "the middle one close to both, the outer two far apart", "all far apart"),
        1,
        "Each outer point is as similar to the middle one as to itself, so all three would need the same Φ. But then "
        "k of the outer two would be 1, and it is 0. With v = (1, −√2, 1)/2 you get vᵀKv = 1 − √2.",
        scene="Three in a row",
    ),
)
