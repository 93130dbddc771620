"""Notebook 01. The lift of a ring."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, datasets
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Live, Paths, Polygons, Text
from kernelkit.course.panel.numbers import percent, read_off
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE, PURPLE

PHI = Monomials(2, offset=0)
REACH, HIGH = 2.2, 2.5  # half the side of the input plane shown, and how far the plane z₂ = c is drawn
NORMALS = {"sum": np.array([1.0, 0.0, 1.0]), "product": np.array([0.0, 1.0, 0.0])}
AXES = {  # from where to where, in the input plane and among the features
    "flat": 1.95 * np.array([[[-1, 0, 0], [1, 0, 0]], [[0, -1, 0], [0, 1, 0]], np.zeros((2, 3))]),
    "lifted": np.array([[[0, 0, 0], [3.5, 0, 0]], [[0, -1.9, 0], [0, 1.9, 0]], [[0, 0, 0], [0, 0, 3.5]]]),
}
FLOOR = np.array([[1.0, 0, 0], [0, 1, 0]])  # where the input plane lies
COLOURS = {-1: BLUE, +1: ORANGE}
UNIT = 78  # pixels, of the features; the flat picture is a little larger
PALE = "#CFCFCF"


def _circles_and_rays():
    """What shows how the plane is bent: circles around the origin, the largest first, and rays."""
    angle = np.linspace(0, 2 * np.pi, 73)
    turn = np.column_stack([np.cos(angle), np.sin(angle)])
    return [r * turn for r in (1.8, 1.2, 0.6)] + [np.linspace(0, 1.8, 20)[:, None] * ray for ray in turn[:-1:6]]


SHEET = _circles_and_rays()
NET = Paths(SHEET, PALE, width=0.8)
WORDS = (
    Text(0.845, 0.9, r"$\Phi(x) = (x_1^2,\ \sqrt{2}\,x_1x_2,\ x_2^2)$", side="center", size=13, of="figure"),
    Text(0.015, 0.03, Live("drag to turn"), GREY, of="figure"),
)


def _points(data):
    X, y = getattr(datasets, data)(60, noise=0.05 if data == "rings" else 0.0)
    return (X if data == "rings" else 0.6 * X), y


def _meeting(X, y):
    """One point of each class that the lift nearly takes to one place, for their length: nearly x and −x."""
    below, above = np.flatnonzero(y < 0), np.flatnonzero(y > 0)
    gaps = np.linalg.norm(PHI(X[below])[:, None] - PHI(X[above]), axis=2)
    lengths = np.linalg.norm(PHI(X[below]), axis=1)
    i, j = np.unravel_index((gaps / lengths[:, None]).argmin(), gaps.shape)
    return [below[i], above[j]]


def _boundary(plane, level):
    """The curve in the input plane that the lift turns into the plane wᵀz = level."""
    if plane == "sum":
        angle = np.linspace(0, 2 * np.pi, 90)
        return np.sqrt(level) * np.column_stack([np.cos(angle), np.sin(angle)])
    s = np.linspace(-1.55, 1.55, 80)
    t = level / np.sqrt(2) / s  # x1·x2 = level/√2
    t[np.abs(t) > 1.55] = np.nan
    return np.vstack([np.column_stack([s, t]), [[np.nan, np.nan]], np.column_stack([t, s])])


def _patch(plane, level):
    """The corners of the piece of the plane wᵀz = level that is shown."""
    if plane == "sum":
        side = level / np.sqrt(2) + 0.3  # on the cone z2² = 2·z1·z3, so |z2| ≤ level/√2
        return np.array([[level, -side, 0], [level, side, 0], [0, side, level], [0, -side, level]])
    return np.array([[0, level, 0], [HIGH, level, 0], [HIGH, level, HIGH], [0, level, HIGH]])


def _moved(points, amount):
    """Points of the input plane, on the floor, on their way to Φ(x)."""
    return (1 - amount) * points @ FLOOR + amount * PHI.matrix(points)


def _camera(azimuth, elevation):
    """The directions to the right, up, and to the viewer: (3, 3)."""
    a, e = np.radians([azimuth, elevation])
    right, ahead, up = np.array([[-np.sin(a), np.cos(a), 0], [np.cos(a), np.sin(a), 0], [0, 0, 1]])
    return np.array([right, np.cos(e) * up - np.sin(e) * ahead, np.sin(e) * up + np.cos(e) * ahead])


def compute(data, amount, plane, level, azimuth, elevation):
    X, y = _points(data)
    camera, w = _camera(azimuth, elevation), NORMALS[plane]
    side = PHI(X) @ w - level
    curve = _boundary(plane, level)
    return SimpleNamespace(
        X=X,
        y=y,
        curve=curve,
        places=_moved(X, amount),
        lifted_curve=_moved(curve, amount),
        patch=_patch(plane, level),
        sheet=[_moved(line, amount) for line in SHEET],
        axes=(1 - amount) * AXES["flat"] + amount * AXES["lifted"],
        near=side * np.sign(w @ camera[2]) >= 0,
        wrong=np.where(side >= 0, 1, -1) != y,
        pair=_meeting(X, y) if data == "half_planes" else [],
        camera=camera,
    )


def picture(s):
    return [[_space(s), _flat(s)]]


def _space(s):
    """What turns, once it is lifted with the plane between the points beyond it and those on this side."""
    up, pixels = s.amount == 1, _pixels(s)
    near, places = s.near | (not up), pixels(s.places)
    return Axes(
        "",
        Axis("", -241.5, 241.5, ()),
        Axis("", -190, 190, ()),
        *WORDS,
        Paths([pixels(line) for line in s.sheet], PALE),
        Paths([pixels(line) for line in s.axes], GREY, width=1.3),
        *_dots(s, places, ~near, 7),
        Polygons([pixels(s.patch)], GREEN, alpha=0.2) if up else None,
        Polygons([pixels(s.patch)], "none", edge=GREEN, rim=1.2) if up else None,
        *_letters(s.amount, map(pixels, s.axes)),
        Line(*pixels(s.lifted_curve).T, GREEN, width=2.4),
        *_dots(s, places, near, 7),
        *_chosen(s, places, 7, cross=9, rim=1.4),
        name="space",
        place=(0, 0, 0.69, 1),
        bare=True,
    )


def _flat(s):
    """The input plane."""
    ticks = -2, 0, 2
    return Axes(
        "the input plane",
        Axis("$x_1$", -REACH, REACH, ticks),
        Axis("$x_2$", -REACH, REACH, ticks),
        NET,
        Line(*s.curve.T, GREEN, width=2.4),
        *_dots(s, s.X, np.full(len(s.y), True), 5),
        *_chosen(s, s.X, 5, cross=5, rim=0.8),
        name="flat",
        place=(0.725, 0.23, 0.265, 0.488),
        dress=_near_labels,
    )


def _near_labels(ax):
    ax.xaxis.labelpad = 0
    ax.yaxis.label.set_rotation(0)
    ax.yaxis.set_label_coords(-0.09, 0.68)


def _dots(s, places, those, size):
    chosen = [(c, places[(s.y == c) & those]) for c in COLOURS]
    return [Dots(*P.T, COLOURS[c], marker=MARKERS[c], size=size, rim=0.6) for c, P in chosen]


def _chosen(s, places, size, cross, rim):
    """Those on the wrong side, and the two that meet."""
    wrong = places[s.wrong & (s.amount == 1)]
    return [
        Dots(*wrong.T, INK, marker="x", size=cross, rim=rim),
        Dots(*places[s.pair].T, "none", size=size + 8, edge=PURPLE, rim=2),
    ]


def _letters(amount, axes):
    """The names of the axes at their ends; one that is seen from its end is a point."""
    names = {0.0: ("$x_1$", "$x_2$", ""), 1.0: ("$z_1$", "$z_2$", "$z_3$")}.get(amount, ("", "", ""))
    for name, (start, end) in zip(names, axes, strict=True):
        along = end - start
        length = np.hypot(*along)
        place = end + 11 * along / max(length, 1)
        there = name and length > UNIT / 2
        yield Text(*place, name, side="center", up="center", size=14, box=GROUND) if there else None


def _pixels(state):
    """Where the camera sees points of the space: in pixels from the middle of all there is."""
    scale = UNIT * (1.12 - 0.12 * state.amount)
    seen = np.vstack([*state.axes, state.sheet[0]]) @ state.camera[:2].T
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    return lambda points: scale * (points @ state.camera[:2].T - middle)


def readout(state):
    return {
        "lifted": percent(state.amount, 0),
        "level c": f"{state.level:.2f}",
        "points on the correct side": f"{(~state.wrong).sum()} of {len(state.y)}",
    }


def _tell_plane(state, x, y):
    return f"Φ(x) = ({', '.join(map(read_off, PHI(np.array([x, y]))))})"


def code(data, amount, plane, level, azimuth, elevation):
    scale = "" if data == "rings" else "X = 0.6 * X\n"
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}(60, noise={0.05 if data == 'rings' else 0.0})\n{scale}"
        f"phi = Monomials(2, offset=0)\nside = phi(X) @ {NORMALS[plane].tolist()} - {level:g}\n"
        "print(phi.names(2))\nprint((np.where(side >= 0, 1, -1) == y).sum())"
    )


lift = panel(
    compute,
    picture,
    readout,
    code,
    Slider("amount", "flat to lifted", 0.0, 0.0, 1.0, 0.05),
    Slider("azimuth", "turn", -60, -180, 180, 1),
    Slider("elevation", "look down", 30, 0, 90, 1, more=True),
    Choice("data", "data", "rings", {"rings": "rings", "crossing": "crossing", "half planes": "half_planes"}),
    Choice("plane", "plane", "sum", {"z₁ + z₃ = c": "sum", "z₂ = c": "product"}),
    Slider("level", "level c", 0.5, 0.0, 2.5, 0.05),
    title="The lift of a ring",
    shows="In space, points of two classes, blue dots and orange squares, on their way from the input plane to Φ(x); "
    "a grey net shows how the plane is bent, and a green curve lies in a green plane once it is lifted. On the right "
    "the same points and the same curve in the input plane. A lifted point on the wrong side has a cross.",
    film=("amount", "azimuth"),
    scenes={
        "Ring, lifted": {"amount": 1.0, "level": 1.1},
        "Edge on": {"amount": 1.0, "level": 1.1, "azimuth": -90, "elevation": 0},
        "Crossing": {
            "amount": 1.0,
            "data": "crossing",
            "plane": "product",
            "level": 0.0,
            "azimuth": 10,
            "elevation": 15,
        },
        "Half planes, lifted": {"amount": 1.0, "data": "half_planes", "plane": "product", "level": 0.0},
    },
    question=Question(
        "Now set “data” to half planes, where a line separates the two classes. After the lift (x₁², √2·x₁x₂, "
        "x₂²), can a plane do it?",
        ("no, no plane can", "yes, but only a tilted one", "yes: a plane can do what a line can"),
        0,
        "x and −x are often on different sides of the line, like the two ringed points, but they are lifted to one "
        "place, and no plane can pass between. If x₁ and x₂ are features, too, a plane can do it. So use all "
        "monomials up to degree 2, not only those of degree 2.",
        scene="Half planes, lifted",
    ),
    tell={"flat": _tell_plane},
    turn=("azimuth", "elevation"),
    motion=True,
)
