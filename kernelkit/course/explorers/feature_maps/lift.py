"""Notebook 01. The lift of a ring."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Monomials, datasets
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
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
        amount=amount,
        level=level,
        camera=camera,
    )


def build(figure):
    space = figure.add_axes((0, 0, 0.69, 1), xlim=(-241.5, 241.5), ylim=(-190, 190))
    space.set_axis_off()
    figure.text(0.845, 0.9, r"$\Phi(x) = (x_1^2,\ \sqrt{2}\,x_1x_2,\ x_2^2)$", size=13, ha="center")
    figure.text(0.015, 0.03, "drag to turn", color=GREY)
    flat = figure.add_axes((0.725, 0.23, 0.265, 0.488), xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    flat.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    flat.set_xlabel("$x_1$", labelpad=0)
    flat.set_ylabel("$x_2$", rotation=0)
    flat.yaxis.set_label_coords(-0.09, 0.68)
    flat.set_title("the input plane")
    flat.add_collection(LineCollection(SHEET, color=PALE, linewidth=0.8, zorder=0))
    return {"space": space, "flat": flat, **_bent(space), **_marks(space, "", 7), **_marks(flat, "flat ", 5)}


def _bent(space):
    """What turns with the picture, besides the points."""
    patch = {"facecolor": (0.0, 0.48, 0.37, 0.2), "edgecolor": GREEN, "linewidth": 1.2}
    return {
        "sheet": space.add_collection(LineCollection([], color=PALE, linewidth=1, zorder=0, animated=True)),
        "axes": space.add_collection(LineCollection([], color=GREY, linewidth=1.3, zorder=0.5, animated=True)),
        "patch": space.add_collection(PolyCollection([], zorder=2, animated=True, **patch)),
        "letters": [
            space.text(0, 0, "", size=14, ha="center", va="center", bbox=GROUND, animated=True) for _ in range(3)
        ],
    }


def _marks(ax, where, size):
    """The points on this side of the plane and beyond it, those on the wrong side, and the curve."""

    def dots(marker, colour, zorder):
        style = {"ms": size, "mec": "white", "mew": 0.6}
        return ax.plot([], [], marker, color=colour, zorder=zorder, animated=True, **style)[0]

    cross = {"ms": size, "mew": 0.8} if where else {"ms": size + 2, "mew": 1.4}  # a small picture has small ones
    return {
        where + "near": {label: dots(MARKERS[label], colour, 4) for label, colour in COLOURS.items()},
        where + "far": {label: dots(MARKERS[label], colour, 1) for label, colour in COLOURS.items()},
        where + "curve": ax.plot([], [], color=GREEN, linewidth=2.4, zorder=3, animated=True)[0],
        where + "pair": ax.plot([], [], "o", color="none", mec=PURPLE, ms=size + 8, mew=2, zorder=6, animated=True)[0],
        where + "wrong": ax.plot([], [], "x", color=INK, **cross, zorder=5, animated=True)[0],
    }


def draw(parts, state):
    up, pixels = state.amount == 1, _pixels(state)
    near = state.near | (not up)
    _draw_marks(parts, "", state, pixels(state.places), pixels(state.lifted_curve), near)
    _draw_marks(parts, "flat ", state, state.X, state.curve, np.full(len(state.y), True))
    parts["sheet"].set_segments([pixels(line) for line in state.sheet])
    parts["axes"].set_segments([pixels(line) for line in state.axes])
    parts["patch"].set_verts([pixels(state.patch)] if up else [])
    for i, (letter, line) in enumerate(zip(parts["letters"], state.axes, strict=True), 1):
        start, end = pixels(line)
        along = end - start
        letter.set_visible(np.hypot(*along) > UNIT / 2)  # seen from its end, an axis is a point
        letter.set_position(end + 11 * along / max(np.hypot(*along), 1))
        letter.set_text(f"$z_{i}$" if up else (f"$x_{i}$" if state.amount == 0 and i < 3 else ""))


def _pixels(state):
    """Where the camera sees points of the space: in pixels from the middle of all there is."""
    scale = UNIT * (1.12 - 0.12 * state.amount)
    seen = np.vstack([*state.axes, state.sheet[0]]) @ state.camera[:2].T
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    return lambda points: scale * (points @ state.camera[:2].T - middle)


def _draw_marks(parts, where, state, places, curve, near):
    for label in COLOURS:
        parts[where + "near"][label].set_data(*places[(state.y == label) & near].T)
        parts[where + "far"][label].set_data(*places[(state.y == label) & ~near].T)
    parts[where + "curve"].set_data(*curve.T)
    parts[where + "pair"].set_data(*places[state.pair].T)
    parts[where + "wrong"].set_data(*places[state.wrong & (state.amount == 1)].T)


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


lift = Explorer(
    title="The lift of a ring",
    controls=(
        Slider("amount", "flat to lifted", 0.0, 0.0, 1.0, 0.05),
        Slider("azimuth", "turn", -60, -180, 180, 1),
        Slider("elevation", "look down", 30, 0, 90, 1, more=True),
        Choice("data", "data", "rings", {"rings": "rings", "crossing": "crossing", "half planes": "half_planes"}),
        Choice("plane", "plane", "sum", {"z₁ + z₃ = c": "sum", "z₂ = c": "product"}),
        Slider("level", "level c", 0.5, 0.0, 2.5, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="In space, points of two classes, blue dots and orange squares, on their way from the input plane to Φ(x); "
    "a grey net shows how the plane is bent, and a green curve lies in a green plane once it is lifted. On the right "
    "the same points and the same curve in the input plane. A lifted point on the wrong side has a cross.",
    code=code,
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
