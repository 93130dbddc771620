"""Notebook 04. Four Gaussians over the plane."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgb
from matplotlib.path import Path

from kernelkit import Gaussian
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.explorers.drawing.signed_bumps import place_marks, round_limit, sign_of, signed_marks
from kernelkit.course.panel.controls import Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, short, typed
from kernelkit.course.panel.parts import GROUND, plane_points, reframed
from kernelkit.course.panel.stretched import Stretched, scale
from kernelkit.course.plots import BLUE, INK, ORANGE, PURPLE, contour_lines

PALE = scale(BLUE, ORANGE, 0.75)
SIDE = np.linspace(-3, 3, 61)
PLANE = plane_points(SIDE, SIDE).reshape(61, 61, 2)  # (row: z2, column: z1, coordinate)
COARSE = slice(None, None, 2)  # of the grid, for the surface
FACETS = 30 * 30
NEAR = 0.3  # a facet that covers a mark is nearer by as much, or it belongs to the mark's own place
FAINT = 0.3  # of its colour a covered mark has
RIM = np.concatenate([PLANE[0], PLANE[:, -1], PLANE[-1, ::-1], PLANE[::-1, 0]])  # once around the plane
LETTERS = ("$z_1$", "$z_2$")
LIGHT = np.array([-0.5, -0.4, 0.8]) / np.linalg.norm([-0.5, -0.4, 0.8])


def compute(points, a1, a2, a3, a4, sigma, turn, tilt):
    X, a = np.array(points), np.array([a1, a2, a3, a4])
    k = Gaussian(sigma)
    H = (k(PLANE.reshape(-1, 2), X) @ a).reshape(PLANE.shape[:2])
    return SimpleNamespace(
        X=X,
        a=a,
        sigma=sigma,
        H=H,
        at_centres=k(X) @ a,
        rim=k(RIM, X) @ a,
        turn=np.deg2rad(turn),
        tilt=np.deg2rad(tilt),
        limit=round_limit(np.abs(H).max(), (1.5, 3.0, 6.0)),
    )


def build(figure):
    return _map(figure.add_axes((0.08, 0.135, 0.405, 0.74))) | _view(figure.add_axes((0.5, 0.0, 0.5, 0.92)))


def _map(ax):
    ax.set(aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xticks=[-2, 0, 2], yticks=[-2, 0, 2], xlabel="$z_1$")
    ax.set_ylabel("$z_2$", rotation=0, labelpad=4, y=0.66)
    lines = {
        s: ax.add_collection(LineCollection([], colors=INK, linewidths=1.1, linestyles=style, animated=True))
        for s, style in ((+1, "-"), (-1, (0, (4, 2))))
    }
    zero = ax.add_collection(LineCollection([], colors=PURPLE, linewidths=2, animated=True))
    return {
        "plane": ax,
        "image": Stretched(ax, PALE),
        "lines": lines,
        "zero": zero,
        "tips": signed_marks(ax, ms=11, mec="white", mew=1.5),
    }


def _view(ax):
    ax.set(aspect="equal", xlim=(-4.45, 4.45), ylim=(-4.3, 4.5))
    ax.axis("off")
    ax.set_title("as a surface: drag to turn it", x=0.05, pad=5)
    ground = ax.plot([], [], ":", color=INK, linewidth=1, animated=True)[0]
    corners = np.zeros((FACETS, 4, 2))
    paths = [Path(four) for four in corners]  # they look into the array of corners, which changes
    facets = ax.add_collection(PathCollection(paths, edgecolors="none", antialiaseds=False, animated=True))
    rim = ax.plot([], [], color=INK, linewidth=1.2, animated=True)[0]
    names = [
        ax.text(0, 0, name, color=INK, size=13, ha="center", va="center", bbox=GROUND, animated=True)
        for name in LETTERS
    ]
    return {
        "view": ax,
        "ground": ground,
        "facets": facets,
        "corners": corners,
        "rim": rim,
        "names": names,
        "pins": signed_marks(ax, ms=9, mec=INK),
        "hidden": _pale_marks(ax),
    }


def _pale_marks(ax):
    """The marks of centres that a nearer piece of the surface covers."""
    marks = signed_marks(ax, ms=9, mec="#8A8A8A", mew=0.8)
    for mark in marks.values():
        mark.set_markerfacecolor(tuple(1 - FAINT * (1 - part) for part in to_rgb(mark.get_color())))
    return marks


def _covered(marks, depths, corners, facets):
    """Which of the marks lie behind a facet that is nearer: inside its corners, on the same side of all four edges."""
    edges = np.roll(corners, -1, axis=1) - corners  # (facet, corner, coordinate)
    to_mark = marks[:, None, None] - corners
    turns = edges[..., 0] * to_mark[..., 1] - edges[..., 1] * to_mark[..., 0]
    inside = (turns > 0).all(axis=2) | (turns < 0).all(axis=2)
    return (inside & (facets < depths[:, None] - NEAR)).any(axis=1)


def _project(places, heights, state):
    """Where points (z1, z2, height) appear when the plane is turned and seen from above, and how far back they lie."""
    side = places[..., 0] * np.cos(state.turn) + places[..., 1] * np.sin(state.turn)
    depth = places[..., 1] * np.cos(state.turn) - places[..., 0] * np.sin(state.turn)
    return np.stack([side, np.sin(state.tilt) * depth + np.cos(state.tilt) * heights], axis=-1), depth


def _facets(H, places, state):
    """Four-sided facets from back to front, how brightly each is lit, their order, and how far back each lies."""
    seen, depth = _project(places, H, state)
    corners = np.stack([seen[:-1, :-1], seen[:-1, 1:], seen[1:, 1:], seen[1:, :-1]], axis=2).reshape(-1, 4, 2)
    back = (depth[:-1, :-1] + depth[1:, 1:]).ravel() / 2
    order = np.argsort(-back)
    slope = np.gradient(H, SIDE[2] - SIDE[0])
    normal = np.stack([-slope[1], -slope[0], np.ones_like(H)], axis=-1)
    light = (normal @ LIGHT / np.linalg.norm(normal, axis=-1))[:-1, :-1].ravel()
    return corners[order], 0.55 + 0.45 * np.clip(light, 0, 1)[order], order, back[order]


def draw(parts, state):
    step = state.limit / 6
    levels = step * np.array([v for v in range(-5, 6) if v])
    parts["image"].show(state.H / state.limit)
    zero, *found = contour_lines(SIDE, SIDE, state.H, [0, *levels])
    parts["zero"].set_segments(zero)
    for sign, lines in parts["lines"].items():
        lines.set_segments([line for v, level in zip(levels, found, strict=True) if v * sign > 0 for line in level])
    place_marks(parts["tips"], state.X, state.a)
    _draw_surface(parts, state, 3 / state.limit)
    zero = any(sign_of(a) == 0 for a in state.a)
    if reframed(parts["plane"], step, zero):
        title = f"from above{' (♦: weight 0)' * zero}: drag a centre\nlines every {short(step)}, dashed below 0"
        parts["plane"].set_title(title, loc="left", pad=5)


def _draw_surface(parts, state, scale):
    H = state.H[COARSE, COARSE]
    corners, light, order, back = _facets(scale * H, PLANE[COARSE, COARSE], state)
    colours = DIVERGING(0.5 + 0.5 * H[:-1, :-1].ravel()[order] / state.limit)
    colours[:, :3] *= light[:, None]
    parts["corners"][:] = corners
    parts["facets"].set_facecolor(colours)
    parts["ground"].set_data(_project(RIM, 0 * state.rim, state)[0].T)
    parts["rim"].set_data(_project(RIM, scale * state.rim, state)[0].T)
    places, depths = _project(state.X, scale * state.at_centres, state)
    covered = _covered(places, depths, corners, back)
    place_marks(parts["pins"], places[~covered], state.a[~covered])
    place_marks(parts["hidden"], places[covered], state.a[covered])
    for name, place in zip(parts["names"], ([1.5, -3.6], [-3.6, 1.5]), strict=True):
        name.set_position(_project(np.array(place), 0, state)[0])


def readout(state):
    (top, highest), (bottom, lowest) = _extreme(state, np.argmax), _extreme(state, np.argmin)
    return {
        "σ": f"{state.sigma:.2f}",
        "highest": f"{fixed(highest)} at {top}",
        "lowest": f"{fixed(lowest)} at {bottom}",
        "h at X₁": fixed(state.at_centres[0]),
        "of this from the others": fixed(state.at_centres[0] - state.a[0], sign="+"),
    }


def _extreme(state, which):
    """Where h is highest or lowest, and how high, of the places of the grid and, after them, of the centres."""
    h = np.append(state.H, state.at_centres).round(9)  # between equal ones rounding must not decide
    i = which(h)
    first, second = np.vstack([PLANE.reshape(-1, 2), state.X])[i]
    return f"({read_off(first)}, {read_off(second)})", h[i]


def tell(state, x, y):
    return f"h({fixed(x)}, {fixed(y)}) = {read_off(Gaussian(state.sigma)([x, y], state.X) @ state.a)}"


def code(points, a1, a2, a3, a4, sigma, turn, tilt):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian\n\n"
        f"X = np.array({typed(points)})\na = np.array({typed((a1, a2, a3, a4))})\n"
        f"k = Gaussian({typed(sigma)})\nside = np.linspace(-3, 3, 61)\nz1, z2 = np.meshgrid(side, side)\n"
        "H = (k(np.column_stack([z1.ravel(), z2.ravel()]), X) @ a).reshape(61, 61)\n"
        "print(k(X) @ a)     # h at the four centres\nprint(H.max(), H.min())"
    )


TWO_HILLS = {"points": ((-1.4, 0.0), (2.6, 2.6), (1.4, 0.0), (2.6, -2.6)), "a2": 0.0, "a3": 1.0, "a4": 0.0}

landscape = Explorer(
    title="Four Gaussians over the plane",
    controls=(
        Points(
            "points",
            "centre",
            ((-1.4, 1.1), (1.4, 1.2), (1.3, -1.2), (-1.2, -1.3)),
            (-2.8, -2.8),
            (2.8, 2.8),
            "plane",
            ("coordinate 1", "coordinate 2"),
            ("X₁", "X₂", "X₃", "X₄"),
            more=True,
        ),
        Slider("a1", "weight a₁", 1.0, -1.5, 1.5, 0.05),
        Slider("a2", "weight a₂", -0.8, -1.5, 1.5, 0.05),
        Slider("a3", "weight a₃", 0.9, -1.5, 1.5, 0.05),
        Slider("a4", "weight a₄", -1.0, -1.5, 1.5, 0.05),
        Slider("sigma", "width σ", 0.7, 0.2, 2.5, 0.05),
        Slider("turn", "turn", 25, -90, 90, 1),
        Slider("tilt", "tilt", 35, 5, 75, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane of z₁ and z₂ from above with four centres. Its colour is h, orange above 0 and blue "
    "below, with lines of equal height, dashed below 0, and a purple line at 0. On the right h as a surface, with a "
    "mark at each centre.",
    code=code,
    tell={"plane": tell},
    turn=("turn", "tilt"),
    motion=True,
    film=("sigma", "turn"),
    scenes={
        "Two hills": TWO_HILLS,
        "Two wider hills": TWO_HILLS | {"sigma": 1.4},
        "Narrow: four needles": {"sigma": 0.3},
        "Wide: one saddle": {"sigma": 1.8},
        "Hill beside valley": {
            "points": ((-0.4, 0.0), (0.4, 0.0), (2.6, 2.6), (-2.6, -2.6)),
            "a1": 1.5,
            "a2": -1.5,
            "a3": 0.0,
            "a4": 0.0,
        },
    },
    question=Question(
        "Two positive bumps of the same weight stand 2.8 apart. For which σ is there no valley between them?",
        ("for σ = 0.7 already", "for σ = 1.4, half their distance, or more", "for no σ: two bumps stay two bumps"),
        1,
        "For σ < 1.4 there is a dip halfway between the hills, and for a larger σ a top. The curvature of the sum "
        "changes its sign there exactly where σ is half the distance. Move σ across 1.4, and watch the line between "
        "the two centres.",
        scene="Two wider hills",
    ),
)
