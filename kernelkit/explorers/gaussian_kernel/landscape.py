"""Notebook 04. Four Gaussians over the plane."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap

from kernelkit import Gaussian
from kernelkit.explorers.shared.signed_bumps import COLOURS, round_limit, sign_of
from kernelkit.panel.controls import Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed, typographic
from kernelkit.plots import BLUE, INK, MARKERS, ORANGE, PURPLE, contour_lines

DIVERGING = LinearSegmentedColormap.from_list("blue to orange", [BLUE, "white", ORANGE])
SIDE = np.linspace(-3, 3, 61)
PLANE = np.stack(np.meshgrid(SIDE, SIDE), axis=-1)  # (row: x2, column: x1, coordinate)
LEVELS = np.array([v for v in np.arange(-2, 2.01, 0.25) if v != 0])
COARSE = slice(None, None, 2)  # the surface has 30 × 30 facets
LIGHT = np.array([-0.5, -0.4, 0.8]) / np.linalg.norm([-0.5, -0.4, 0.8])


def compute(points, a1, a2, a3, a4, sigma, turn):
    X, a = np.array(points), np.array([a1, a2, a3, a4])
    k = Gaussian(sigma)
    H = (k(PLANE.reshape(-1, 2), X) @ a).reshape(PLANE.shape[:2])
    return SimpleNamespace(
        X=X, a=a, sigma=sigma, H=H, at_centres=k(X) @ a, turn=np.deg2rad(turn),
        limit=round_limit(np.abs(H).max(), (1.0, 2.0, 4.0, 8.0)),
        top=PLANE[np.unravel_index(H.argmax(), H.shape)], bottom=PLANE[np.unravel_index(H.argmin(), H.shape)],
    )  # fmt: skip


def build(figure):
    plane = figure.add_axes((0.05, 0.12, 0.42, 0.72), aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xlabel="$z_1$")
    plane.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    plane.set_title("level lines, every 0.25 (drag a centre)\nsolid: above 0, dashed: below", size=11)
    image = plane.imshow(np.zeros((61, 61)), cmap=DIVERGING, extent=(-3, 3, -3, 3), origin="lower", alpha=0.75,
                         interpolation="bilinear", vmin=-1, vmax=1, animated=True)  # fmt: skip
    lines = {s: plane.add_collection(LineCollection([], colors=INK, linewidths=1.1, linestyles=style, animated=True))
             for s, style in ((+1, "-"), (-1, (0, (4, 2))))}  # fmt: skip
    zero = plane.add_collection(LineCollection([], colors=PURPLE, linewidths=2, animated=True))
    tips = {s: plane.plot([], [], MARKERS[s], color=COLOURS[s], ms=11, mec="white", mew=1.5, zorder=5, animated=True)[0]
            for s in COLOURS}  # fmt: skip
    view = figure.add_axes((0.5, 0.04, 0.49, 0.8), aspect="equal", xlim=(-4.3, 4.3), ylim=(-3.4, 3.9))
    view.axis("off")
    view.set_title("the same $h$ as a surface, with its centres", size=11)
    facets = view.add_collection(PolyCollection([], edgecolors="none", antialiaseds=False, animated=True))
    base = view.plot([], [], color=INK, linewidth=1, animated=True)[0]
    pins = {
        s: view.plot([], [], MARKERS[s], color=COLOURS[s], ms=8, mec=INK, zorder=5, animated=True)[0] for s in COLOURS
    }
    return {
        "plane": plane,
        "image": image,
        "lines": lines,
        "zero": zero,
        "tips": tips,
        "facets": facets,
        "base": base,
        "pins": pins,
    }


def _project(places, heights, turn):
    """Where a point (z1, z2, height) appears when the plane is turned and seen from above at 35 degrees."""
    side = places[..., 0] * np.cos(turn) + places[..., 1] * np.sin(turn)
    depth = places[..., 1] * np.cos(turn) - places[..., 0] * np.sin(turn)
    return np.stack([side, 0.57 * depth + 0.82 * heights], axis=-1), depth


def _facets(H, places, turn):
    """Four-sided facets from back to front, and how brightly each is lit."""
    seen, depth = _project(places, H, turn)
    corners = np.stack([seen[:-1, :-1], seen[:-1, 1:], seen[1:, 1:], seen[1:, :-1]], axis=2).reshape(-1, 4, 2)
    order = np.argsort(-(depth[:-1, :-1] + depth[1:, 1:]).ravel())
    slope = np.gradient(H, SIDE[2] - SIDE[0])
    normal = np.stack([-slope[1], -slope[0], np.ones_like(H)], axis=-1)
    light = (normal @ LIGHT / np.linalg.norm(normal, axis=-1))[:-1, :-1].ravel()
    return corners[order], 0.55 + 0.45 * np.clip(light, 0, 1)[order], order


def draw(parts, state):
    parts["image"].set_data(state.H / state.limit)
    found = contour_lines(SIDE, SIDE, state.H, [0, *LEVELS])
    parts["zero"].set_segments(found[0])
    for sign, lines in parts["lines"].items():
        lines.set_segments([line for v, level in zip(LEVELS, found[1:], strict=True) if v * sign > 0 for line in level])
    scale = 1.7 / state.limit
    H, places = state.H[COARSE, COARSE], PLANE[COARSE, COARSE]
    corners, light, order = _facets(scale * H, places, state.turn)
    colours = DIVERGING(0.5 + 0.5 * H[:-1, :-1].ravel()[order] / state.limit)
    colours[:, :3] *= light[:, None]
    parts["facets"].set_verts(corners)
    parts["facets"].set_facecolor(colours)
    square = np.array([[-3, -3], [3, -3], [3, 3], [-3, 3], [-3, -3]])
    parts["base"].set_data(_project(square, np.zeros(5), state.turn)[0].T)
    seen = _project(state.X, scale * state.at_centres, state.turn)[0]
    for sign in COLOURS:
        chosen = [sign_of(a) == sign for a in state.a]
        parts["tips"][sign].set_data(state.X[chosen].T)
        parts["pins"][sign].set_data(seen[chosen].T)


def describe(state):
    top, bottom = (f"({v[0]:.1f}, {v[1]:.1f})" for v in (state.top, state.bottom))
    values = ", ".join(f"{h:.2f} (weight {a:.2f})" for h, a in zip(state.at_centres, state.a, strict=True))
    return typographic(
        f"σ = {state.sigma:.2f}: h is highest at {top} with {state.H.max():.2f} and lowest at {bottom} with "
        f"{state.H.min():.2f}. At the four centres h is {values}: a centre's own weight plus what the others add."
    )


def code(points, a1, a2, a3, a4, sigma, turn):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian\n\n"
        f"X = np.array({typed(points)})\na = np.array({typed((a1, a2, a3, a4))})\n"
        f"k = Gaussian({typed(sigma)})\nside = np.linspace(-3, 3, 61)\nz1, z2 = np.meshgrid(side, side)\n"
        "H = (k(np.column_stack([z1.ravel(), z2.ravel()]), X) @ a).reshape(61, 61)\n"
        "print(k(X) @ a)     # h at the four centres\nprint(H.max(), H.min())"
    )


landscape = Explorer(
    title="Four Gaussians over the plane",
    controls=(
        Points("points", "centre", ((-1.4, 1.1), (1.4, 1.2), (1.3, -1.2), (-1.2, -1.3)), (-2.8, -2.8), (2.8, 2.8),
               "plane", ("coordinate 1", "coordinate 2"), ("X₁", "X₂", "X₃", "X₄")),
        Slider("a1", "weight a₁", 1.0, -1.5, 1.5, 0.05),
        Slider("a2", "weight a₂", -0.8, -1.5, 1.5, 0.05),
        Slider("a3", "weight a₃", 0.9, -1.5, 1.5, 0.05),
        Slider("a4", "weight a₄", -1.0, -1.5, 1.5, 0.05),
        Slider("sigma", "width σ", 0.7, 0.2, 2.5, 0.05),
        Slider("turn", "turn the surface", 25, -90, 90, 5),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Narrow: four needles": {"sigma": 0.3},
        "Wide: one saddle": {"sigma": 1.8},
        "Two hills become one": {"points": ((-1.4, 0.0), (2.6, 2.6), (1.4, 0.0), (2.6, -2.6)), "a1": 1.0, "a2": 0.0,
                                 "a3": 1.0, "a4": 0.0, "sigma": 1.2},
        "Hill beside valley": {"points": ((-0.4, 0.0), (0.4, 0.0), (2.6, 2.6), (-2.6, -2.6)), "a1": 1.5, "a2": -1.5,
                               "a3": 0.0, "a4": 0.0},
    },
    question=Question(
        "Two positive bumps of the same weight stand 2.8 apart. For which σ does the valley between them disappear?",
        ("for no σ: two bumps stay two bumps", "from σ = 1.4, half their distance, on", "already for σ = 0.7"),
        1,
        "Halfway between, the curvature of the sum changes its sign exactly when the half distance equals σ "
        "(scene 'Two hills become one', then move σ across 1.4).",
    ),
    size=(7.2, 4.3),
)  # fmt: skip
