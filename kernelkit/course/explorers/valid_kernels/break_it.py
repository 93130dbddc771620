"""Notebook 09. Break it: points and weights that refute a function."""

import re
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, HLine, Image, Segments, Text as Words
from kernelkit.course.panel.numbers import fixed, read_off, short, typed, typographic
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREY, PURPLE, sign_colours
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
    shown = SimpleNamespace(name=own if candidate == OWN else candidate)
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


def picture(s):
    return [[_plane(s), _matrix(s), _vector(s), _sum(s)]]


def _plane(s):
    places, line = np.array(s.points), s.space == "line"
    (x, y), spare = places[: s.n].T, places[s.n :].T
    name = s.name if len(s.name) < 50 else "your own formula"
    return Axes(
        "",
        Axis("", -3.1, 3.1, (-3, 0, 3)),
        Axis("", -3.1, 3.1, (-3, 0, 3)),
        HLine(0, GREY),
        Segments((x, 0), (x, y), GREY) if line else None,
        Dots(x, y, size=15, rim=1.0),
        Dots(*spare, "none", size=8, edge=GREY, rim=1.0),
        Words(0.02, 0.93, f"k(x, z) = {name}?", size=14, up="center", of="figure", name="name"),
        Words(0, 1.02, "only the place on the line counts", of="axes") if line else None,
        *(_middle(*place, f"{i}", "white") for i, place in enumerate(places[: s.n], 1)),
        name="plane",
        place=(0.055, 0.1, 0.38, 0.7),
    )


def _middle(x, y, words, color="black"):
    return Words(x, y, words, color, side="center", up="center")


def _matrix(s):
    largest, frame = max(np.abs(s.K).max(), 1e-300), (0.5, s.n + 0.5)
    colours = DIVERGING(0.5 + 0.3 * s.K / largest, bytes=True)[..., :3]
    digits = 1 if s.n > 4 else 2
    entries = [] if s.trouble else [(j, i, v) for i, row in enumerate(s.K, 1) for j, v in enumerate(row, 1)]
    return Axes(
        "$K$",
        Axis("", *frame, ()),
        Axis("", *frame[::-1], ()),
        Image(colours, frame * 2),
        *(_middle(j, i, fixed(v, digits) if largest < 100 else short(v, 2)) for j, i, v in entries),
        name="gram",
        place=(0.49, 0.48, 0.375, 0.32),
    )


def _vector(s):
    return Axes(
        "$v$",
        Axis("", -1.05, 1.05, (), zero=True),
        Axis("", s.n + 0.6, 0.4, ()),
        Bars(np.arange(1, s.n + 1), s.v, lying=True, width=0.7),
        place=(0.885, 0.48, 0.1, 0.32),
    )


def _sum(s):
    """A bar for each pair of points, and at the end their sum."""
    i, j = np.triu_indices(s.n)
    values = np.append(np.where(i == j, 1, 2) * s.terms[i, j], s.terms.sum())
    pairs = [f"{a},{b}" if s.n <= FEW else "" for a, b in zip(i + 1, j + 1, strict=True)]
    limit, rows = standard(max(np.abs(values).max(), 0.1)), np.arange(len(values))
    ticks = -limit, 0, limit
    return Axes(
        r"$v_iv_j\,k(X_i, X_j)$, twice for $i \neq j$; purple: sum $v^{\top}Kv$",
        Axis("", -0.8, len(values) - 0.2, rows, (*pairs, "sum")),
        Axis("", -limit, limit, ticks, map(short, ticks), zero=True),
        Bars(rows, values, [*sign_colours(values[:-1]), PURPLE], width=0.7),
        Dots(rows[-1:], values[-1:], PURPLE, marker="D", rim=1.0, name="sum"),
        name="terms",
        place=(0.5, 0.1, 0.48, 0.25),
        dress=_no_ground,
    )


def _no_ground(ax):
    ax.tick_params(axis="x", length=0)
    ax.spines["bottom"].set_visible(False)


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


break_it = panel(
    compute,
    picture,
    readout,
    code,
    Choice("candidate", "k(x, z)", "1 where ‖x − z‖ < 1", {name: name for name in CANDIDATES}),
    Text("own", "formula", "exp(-abs(x - z)**1.5)", TRIED, when=lambda v: v["candidate"] == OWN),
    Choice("space", "points on", "line", {"a line": "line", "the plane": "plane"}),
    Slider("n", "how many", 3, 1, MOST, 1),
    Points("points", "move", START, (-3.0, -3.0), (3.0, 3.0), "plane", more=True),
    title="Break it",
    message=message,
    shows="On the left the points; hollow ones are not used yet, and on a line only the place across counts. On the "
    "right the matrix K, in orange above 0 and in blue below, and the weights v for which vᵀKv is smallest; "
    "below them a bar for each pair of points, and at the end, in purple, their sum vᵀKv.",
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
