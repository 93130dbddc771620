"""Notebook 04. Four Gaussians over the plane."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.path import Path

from kernelkit import Gaussian
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.explorers.drawing.signed_bumps import COLOURS, round_limit, sign_of, signed_dots
from kernelkit.course.panel.controls import Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Field, Line, Live, Polygons, Text
from kernelkit.course.panel.numbers import fixed, read_off, short, typed
from kernelkit.course.panel.parts import GROUND, plane_points
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, INK, ORANGE, PURPLE

PALE = scale(BLUE, ORANGE, 0.75)
SIDE = np.linspace(-3, 3, 61)
PLANE = plane_points(SIDE, SIDE).reshape(61, 61, 2)  # (row: z2, column: z1, coordinate)
COARSE = slice(None, None, 2)  # of the grid, for the surface
NEAR = 0.3  # a facet that covers a mark is nearer by as much, or it belongs to the mark's own place
FAINT = 0.3  # of its colour a covered mark has
PALES = {sign: tuple(1 - FAINT * (1 - part) for part in to_rgb(colour)) for sign, colour in COLOURS.items()}
RIM = np.concatenate([PLANE[0], PLANE[:, -1], PLANE[-1, ::-1], PLANE[::-1, 0]])  # once around the plane
LETTERS = {"$z_1$": (1.5, -3.6), "$z_2$": (-3.6, 1.5)}  # and where they stand beside the plane
TITLES = 1.024696, 1.020064  # where they stand, 5 points above the map and above the view
LIGHT = np.array([-0.5, -0.4, 0.8]) / np.linalg.norm([-0.5, -0.4, 0.8])


def compute(points, a1, a2, a3, a4, sigma, turn, tilt):
    X, a = np.array(points), np.array([a1, a2, a3, a4])
    k = Gaussian(sigma)
    H, at_centres = (k(PLANE.reshape(-1, 2), X) @ a).reshape(PLANE.shape[:2]), k(X) @ a
    limit, view = round_limit(np.abs(H).max(), (1.5, 3.0, 6.0)), np.deg2rad([turn, tilt])
    corners, colours, back = _facets(H, limit, view)
    seen, depths = _project(X, 3 / limit * at_centres, view)
    return SimpleNamespace(
        X=X,
        a=a,
        H=H,
        at_centres=at_centres,
        limit=limit,
        corners=corners,
        colours=colours,
        seen=seen,
        covered=_covered(seen, depths, corners, back),
        ground=_project(RIM, 0 * RIM[:, 0], view)[0],
        rim=_project(RIM, 3 / limit * (k(RIM, X) @ a), view)[0],
        letters=_project(np.array([*LETTERS.values()]), 0, view)[0],
    )


def _project(places, heights, view):
    """Where points (z1, z2, height) appear when the plane is turned and seen from above, and how far back they lie."""
    turn, tilt = view
    side = places[..., 0] * np.cos(turn) + places[..., 1] * np.sin(turn)
    depth = places[..., 1] * np.cos(turn) - places[..., 0] * np.sin(turn)
    return np.stack([side, np.sin(tilt) * depth + np.cos(tilt) * heights], axis=-1), depth


def _facets(H, limit, view):
    """Four-sided facets from back to front, their colours, darker where less lit, and how far back each lies."""
    H = H[COARSE, COARSE]
    high = 3 / limit * H
    seen, depth = _project(PLANE[COARSE, COARSE], high, view)
    corners = np.stack([seen[:-1, :-1], seen[:-1, 1:], seen[1:, 1:], seen[1:, :-1]], axis=2).reshape(-1, 4, 2)
    back = (depth[:-1, :-1] + depth[1:, 1:]).ravel() / 2
    slope = np.gradient(high, SIDE[2] - SIDE[0])
    normal = np.stack([-slope[1], -slope[0], np.ones_like(H)], axis=-1)
    light = (normal @ LIGHT / np.linalg.norm(normal, axis=-1))[:-1, :-1].ravel()
    colours = DIVERGING(0.5 + 0.5 * H[:-1, :-1].ravel() / limit)
    colours[:, :3] *= 0.55 + 0.45 * np.clip(light, 0, 1)[:, None]
    order = np.argsort(-back)
    return corners[order], colours[order], back[order]


def _covered(marks, depths, corners, facets):
    """Which of the marks lie behind a facet that is nearer: inside its corners, on the same side of all four edges."""
    edges = np.roll(corners, -1, axis=1) - corners  # (facet, corner, coordinate)
    to_mark = marks[:, None, None] - corners
    turns = edges[..., 0] * to_mark[..., 1] - edges[..., 1] * to_mark[..., 0]
    inside = (turns > 0).all(axis=2) | (turns < 0).all(axis=2)
    return (inside & (facets < depths[:, None] - NEAR)).any(axis=1)


def picture(s):
    return [[_map(s), _view(s)]]


def _map(s):
    step = s.limit / 6
    levels = tuple(step * v for v in range(-5, 6) if v)
    above = f"from above{' (♦: weight 0)' if any(sign_of(a) == 0 for a in s.a) else ''}"
    lines = f"\nlines every {short(step)}, dashed below 0"
    return Axes(
        "",
        Axis("$z_1$", -3, 3, (-2, 0, 2)),
        Axis("", -3, 3, (-2, 0, 2)),
        Text(0, TITLES[0], Live(f"{above}: drag a centre{lines}", above + lines, above + lines), of="axes"),
        Field(s.H / s.limit, PALE),
        Contours(SIDE, SIDE, s.H, levels, width=1.1, style=tuple("-" if v > 0 else (0, (4, 2)) for v in levels)),
        Contours(SIDE, SIDE, s.H, color=PURPLE, width=2),
        *signed_dots(s.X, s.a, size=11, rim=1.5, name="tips"),
        name="plane",
        place=(0.08, 0.135, 0.405, 0.74),
        equal=True,
        dress=_dress,
    )


def _dress(ax):
    ax.set_ylabel("$z_2$", rotation=0, labelpad=4, y=0.66)


def _view(s):
    """The surface, the edge of the plane below it, and the centres, pale where the surface covers them."""
    return Axes(
        "",
        Axis("", -4.45, 4.45, ()),
        Axis("", -4.3, 4.5, ()),
        Text(0.05, TITLES[1], Live("as a surface: drag to turn it", "as a surface", "as a surface"), of="axes"),
        Facets(s.corners, s.colours),
        Line(*s.ground.T, width=1, style=":"),
        Line(*s.rim.T, width=1.2),
        *(_letter(*place, letter) for place, letter in zip(s.letters, LETTERS, strict=True)),
        *signed_dots(s.seen[~s.covered], s.a[~s.covered], size=9, edge=INK, rim=1, name="pins"),
        *signed_dots(s.seen[s.covered], s.a[s.covered], PALES, size=9, edge="#8A8A8A", rim=0.8, name="hidden"),
        name="view",
        place=(0.5, 0.0, 0.5, 0.92),
        bare=True,
        equal=True,
    )


def _letter(x, y, letter):
    return Text(x, y, letter, INK, side="center", up="center", size=13, box=GROUND)


class Facets(Polygons):
    """Four-sided areas that touch without a seam, always as many: their paths look into one array, which is quick."""

    def make(self, ax):
        corners = np.zeros(self.corners.shape)
        made = PathCollection([Path(four) for four in corners], edgecolors="none", antialiaseds=False)
        made.corners = corners
        return made

    def show(self, artist, how="words"):
        artist.corners[:] = self.corners
        artist.set_facecolor(self.color)


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

landscape = panel(
    compute,
    picture,
    readout,
    code,
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
    title="Four Gaussians over the plane",
    shows="On the left the plane of z₁ and z₂ from above with four centres. Its colour is h, orange above 0 and blue "
    "below, with lines of equal height, dashed below 0, and a purple line at 0. On the right h as a surface, with a "
    "mark at each centre.",
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
