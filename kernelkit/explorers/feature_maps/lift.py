"""Notebook 01. The lift of a ring."""

from types import SimpleNamespace

import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from mpl_toolkits.mplot3d.proj3d import proj_transform

from kernelkit import Monomials, datasets
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE

REACH, HIGH = 2.2, 2.5  # half the side of the input plane shown, and how far the plane z₂ = c is drawn
NORMALS = {"sum": np.array([1.0, 0.0, 1.0]), "product": np.array([0.0, 1.0, 0.0])}
TIPS = 3.5 * np.eye(3) * [1, 0.72, 1]  # of the three axes
COLOURS = {-1: BLUE, +1: ORANGE}
FLAT = np.array([[1.0, 0, 0], [0, 1, 0]])  # the input plane lies on the floor


def _points(data):
    X, y = getattr(datasets, data)(60, noise=0.05 if data == "rings" else 0.0)
    return (X if data == "rings" else 0.6 * X), y


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


def compute(data, amount, plane, level, azimuth, elevation):
    X, y = _points(data)
    phi, w = Monomials(2, offset=0), NORMALS[plane]

    def moved(points):
        return (1 - amount) * points @ FLAT + amount * phi.matrix(points)

    a, e = np.radians([azimuth, elevation])
    viewer = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    side = phi(X) @ w - level
    curve = _boundary(plane, level)
    return SimpleNamespace(
        X=X, y=y, curve=curve, places=moved(X), lifted_curve=moved(curve), patch=_patch(plane, level),
        near=side * np.sign(w @ viewer) >= 0, wrong=np.where(side >= 0, 1, -1) != y,
        data=data, amount=amount, plane=plane, level=level, azimuth=azimuth, elevation=elevation,
    )  # fmt: skip


def build(figure):
    space = figure.add_axes((-0.03, -0.03, 0.74, 1.06), projection="3d", computed_zorder=False)
    space.set_axis_off()
    space.set(xlim=(-2, 3.6), ylim=(-2.8, 2.8), zlim=(-1.5, 4.1))
    space.set_proj_type("ortho")
    space.set_box_aspect((1, 1, 1), zoom=1.27)
    ticks = np.arange(-2, 3)
    for t in ticks:
        space.plot([t, t], [-2, 2], [0, 0], color="#D8D8D8", linewidth=0.8, zorder=0)
        space.plot([-2, 2], [t, t], [0, 0], color="#D8D8D8", linewidth=0.8, zorder=0)
    for tip in TIPS:
        space.plot(*np.column_stack([[0, 0, 0], tip]), color=GREY, linewidth=1.2, zorder=0)
    letters = [space.text2D(0, 0, "", size=13, ha="center", va="center", transform=space.transData) for _ in TIPS]
    patch = Poly3DCollection([np.zeros((4, 3))], facecolor=GREEN, alpha=0.22, edgecolor=GREEN, zorder=2)
    space.add_collection3d(patch)
    flat = figure.add_axes((0.74, 0.3, 0.25, 0.44), aspect="equal", xlim=(-REACH, REACH), ylim=(-REACH, REACH))
    flat.set(xlabel="$x_1$", xticks=[-2, 0, 2], yticks=[-2, 0, 2], title="input plane")
    flat.set_ylabel("$x_2$", rotation=0, labelpad=0)
    style = {"ms": 6, "mec": "white", "mew": 0.6}
    return {
        "space": space, "letters": letters, "patch": patch,
        "dots": {(label, near): space.plot([], [], [], MARKERS[label], color=c, zorder=4 if near else 1, **style)[0]
                 for label, c in COLOURS.items() for near in (False, True)},
        "curve": space.plot([], [], [], color=GREEN, linewidth=2.2, zorder=3)[0],
        "wrong": space.plot([], [], [], "x", color=INK, ms=9, mew=1.8, zorder=5)[0],
        "flat": {label: flat.plot([], [], MARKERS[label], color=colour, ms=5, mec="white", mew=0.5)[0]
                 for label, colour in COLOURS.items()},
        "flat_curve": flat.plot([], [], color=GREEN)[0],
        "flat_wrong": flat.plot([], [], "x", color=INK, ms=8, mew=1.6)[0],
    }  # fmt: skip


def draw(parts, state):
    parts["space"].view_init(state.elevation, state.azimuth)
    up = state.amount == 1
    for (label, near), dots in parts["dots"].items():
        dots.set_data_3d(*state.places[(state.y == label) & ((state.near if up else True) == near)].T)
    parts["curve"].set_data_3d(*state.lifted_curve.T)
    parts["wrong"].set_data_3d(*(state.places[state.wrong & up].T))
    parts["patch"].set_verts([state.patch])
    parts["patch"].set_visible(up)
    az, el = np.deg2rad([state.azimuth, state.elevation])
    sight = np.array([np.cos(el) * np.cos(az), np.cos(el) * np.sin(az), np.sin(el)])
    for i, (letter, tip) in enumerate(zip(parts["letters"], TIPS, strict=True), 1):
        letter.set_visible(abs(sight @ tip) < 0.97 * np.linalg.norm(tip))  # seen from its end, an axis is a point
        letter.set_position(proj_transform(*(1.08 * tip), parts["space"].get_proj())[:2])
        letter.set_text(f"$z_{i}$" if up else (f"$x_{i}$" if state.amount == 0 and i < 3 else ""))
    for label, dots in parts["flat"].items():
        dots.set_data(*state.X[state.y == label].T)
    parts["flat_curve"].set_data(*state.curve.T)
    parts["flat_wrong"].set_data(*state.X[state.wrong & up].T)
    # turning the picture moves everything in it, so all of it is drawn again
    return (state.data, state.amount, state.plane, state.level, state.azimuth, state.elevation)


def describe(state):
    curve = {
        "sum": f"circle x₁² + x₂² = {state.level:.2f}",
        "product": f"curve x₁·x₂ = {state.level / np.sqrt(2):.2f}",
    }[state.plane]
    if state.amount == 0:
        return f"Flat: {len(state.y)} points as they came, in the input plane. Green: the {curve}."
    if state.amount < 1:
        return f"{100 * state.amount:.0f} % of the way up to Φ(x) = (x₁², √2·x₁x₂, x₂²): x and −x move to one place."
    plane = {"sum": "z₁ + z₃", "product": "z₂"}[state.plane]
    lost = " x and −x share a place, whatever their class." if state.data == "half_planes" else ""
    right = len(state.y) - state.wrong.sum()
    return (
        f"Lifted: the {curve} lies in the plane {plane} = {state.level:.2f}, and {right} of {len(state.y)} points "
        f"are on their own side of it{'.' if right == len(state.y) else ' (× the others).'}{lost}"
    )


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
        Slider("azimuth", "turn", -60, -180, 175, 5),
        Slider("elevation", "look down", 30, 0, 90, 5),
        Choice("data", "data", "rings", {"rings": "rings", "crossing": "crossing", "half planes": "half_planes"}),
        Choice("plane", "plane", "sum", {"z₁ + z₃ = c": "sum", "z₂ = c": "product"}),
        Slider("level", "level c", 0.5, 0.0, 2.5, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Ring, lifted": {"amount": 1.0, "level": 1.1},
        "Edge on": {"amount": 1.0, "level": 1.1, "azimuth": -90, "elevation": 0},
        "Crossing": {
            "amount": 1.0, "data": "crossing", "plane": "product", "level": 0.0, "azimuth": 10, "elevation": 15,
        },
        "What the lift loses": {"amount": 1.0, "data": "half_planes", "level": 1.1},
    },
    question=Question(
        "A straight line separates the data called half planes. After the lift (x₁², √2·x₁x₂, x₂²), can a plane do it?",
        ("yes: a plane can do what a line can", "yes, but only a tilted one", "no plane can"),
        2,
        "x and −x are often on different sides of the line, but they are lifted to one place, and no plane can pass "
        "between. With x₁ and x₂ among the features it can: use the monomials to degree 2, not only those of degree 2.",
    ),
)  # fmt: skip
