"""Notebook 04. h is a sum of Gaussian bumps."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Gaussian
from kernelkit.course.explorers.drawing.signed_bumps import COLOURS, place_marks, round_limit, sign_of, signed_marks
from kernelkit.course.panel.controls import Points, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, typed
from kernelkit.course.panel.parts import GROUND, reframed
from kernelkit.course.panel.sketch import Sketch, compared
from kernelkit.course.plots import INK, PURPLE

LINE = np.linspace(-4, 4, 241)[:, None]
NAMES = ("X₁", "X₂", "X₃", "X₄")


def compute(points, sigma, z):
    X, a = np.array(points)[:, :1], np.array(points)[:, 1]
    k = Gaussian(sigma)
    bumps = k(LINE, X) * a
    votes = k([z], X) * a
    return SimpleNamespace(
        X=X,
        a=a,
        sigma=sigma,
        z=z,
        bumps=bumps,
        h=bumps.sum(axis=1),
        votes=votes,
        h_z=float(votes.sum()),
        near=np.abs(X[:, 0] - z) <= 3 * sigma + 1e-9,
    )


def build(figure):
    ax = figure.add_axes((0.06, 0.145, 0.925, 0.76), xlim=(-4, 4), ylim=(-2.6, 2.6), xlabel="$z$")
    ax.set_title("drag a centre: sideways moves it, up and down changes its weight")
    within = ax.axvspan(-1, 1, color=PURPLE, alpha=0.08, linewidth=0, animated=True)
    hills = [ax.add_collection(PolyCollection([], linewidth=0, alpha=0.16, animated=True)) for _ in NAMES]
    bumps = [ax.plot(LINE[:, 0], 0 * LINE[:, 0], linewidth=1.3, animated=True)[0] for _ in NAMES]
    ax.axhline(0, color=INK, linewidth=0.8)
    stems = ax.add_collection(LineCollection([], color=INK, linewidth=1, animated=True))
    h = ax.plot(LINE[:, 0], 0 * LINE[:, 0], color=INK, linewidth=3.2, animated=True, zorder=4)[0]
    names = [
        ax.text(0, 0, name, color=INK, ha="center", va="center", bbox=GROUND, animated=True, zorder=6) for name in NAMES
    ]
    at_z = ax.axvline(0, color=PURPLE, linestyle="--", linewidth=1.4, animated=True)
    dot = ax.plot([], [], "D", color=PURPLE, mec="white", ms=10, zorder=6, animated=True)[0]
    value = ax.text(0, 0, "", color=PURPLE, va="bottom", animated=True, zorder=7)
    return {
        "axes": ax,
        "within": within,
        "hills": hills,
        "bumps": bumps,
        "stems": stems,
        "h": h,
        "names": names,
        "at_z": at_z,
        "dot": dot,
        "value": value,
        "tips": signed_marks(ax, ms=12, mec="white"),
    }


def draw(parts, state):
    limit = round_limit(max(np.abs(state.h).max(), 2.4), (2.6, 4.4, 8.4))
    tips = np.column_stack([state.X[:, 0], state.a])
    for hill, line, bump, a in zip(parts["hills"], parts["bumps"], state.bumps.T, state.a, strict=True):
        hill.set(verts=[[(-4, 0), *zip(LINE[:, 0], bump, strict=True), (4, 0)]], facecolor=COLOURS[sign_of(a)])
        line.set(ydata=bump, color=COLOURS[sign_of(a)])
    for name, (x, a) in zip(parts["names"], tips, strict=True):
        name.set_position((x, a + (0.11 if a >= 0 else -0.11) * limit))
    parts["stems"].set_segments([[(x, 0), (x, a)] for x, a in tips])
    place_marks(parts["tips"], tips, state.a)
    parts["h"].set_ydata(state.h)
    _draw_reading(parts, state, limit)
    if reframed(parts["axes"], limit):
        parts["axes"].set_ylim(-limit, limit)


def _draw_reading(parts, state, limit):
    """h at z, and how far z hears."""
    parts["within"].set(x=state.z - 3 * state.sigma, width=6 * state.sigma)
    parts["at_z"].set_xdata([state.z] * 2)
    parts["dot"].set_data([state.z], [state.h_z])
    left = state.z > 2
    parts["value"].set(
        text=f"h(z) = {fixed(state.h_z)}, shaded: z ± 3σ",
        ha="right" if left else "left",
        position=(state.z + (-0.12 if left else 0.12), -0.95 * limit),
    )


def readout(state):
    return {
        "σ": f"{state.sigma:.2f}",
        "z": fixed(state.z),
        "the four bumps at z": ", ".join(map(fixed, state.votes)),
        "h(z)": fixed(state.h_z),
        "centres within 3σ of z": f"{state.near.sum()} of {len(state.a)}",
    }


def tell(state, x, y):
    return f"h({read_off(x)}) = {read_off(Gaussian(state.sigma)([x], state.X) @ state.a)}"


def code(points, sigma, z):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian\n\n"
        f"X = np.array({typed([[x] for x, _ in points])})\na = np.array({typed([a for _, a in points])})\n"
        f"k = Gaussian({typed(sigma)})\nz = {typed(z)}\nprint(k(z, X) * a)     # the four bumps at z\n"
        "print(k(z, X) @ a)     # h(z)"
    )


def judge(drawn, values):
    """How near the sketch is to h, from the first handle to the last."""
    state = compute(**values)
    x = LINE[:, 0]
    inside = (drawn[0][0] <= x) & (x <= drawn[-1][0])
    at_2 = np.interp(-0.9, x, state.h)
    return (
        f"Your sketch {compared(drawn, x[inside], state.h[inside])}. At X₂ = −0.9, where the weight is −1, h is "
        f"{fixed(at_2)} now."
    )


combination = Explorer(
    title="h is a sum of Gaussian bumps",
    controls=(
        Points(
            "points",
            "centre",
            ((-2.5, 1.2), (-0.9, -1.0), (0.9, 1.6), (2.6, -0.7)),
            (-3.8, -2.0),
            (3.8, 2.0),
            "axes",
            ("place", "weight"),
            NAMES,
            more=True,
        ),
        Slider("sigma", "width σ", 0.5, 0.1, 3.0, 0.05),
        Slider("z", "read h at z", 0.0, -4.0, 4.0, 0.1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Four bumps over z, orange above 0 and blue below, each on a centre X₁ to X₄ whose height is its weight, "
    "and the black curve h, their sum. The dashed purple line is at the chosen z, and the shaded strip reaches 3σ to "
    "either side of it.",
    code=code,
    tell={"axes": tell},
    motion=True,
    film=("sigma",),
    scenes={
        "X₃ turned over": {"points": ((-2.5, 1.2), (-0.9, -1.0), (0.9, -1.6), (2.6, -0.7))},
        "Narrow: four spikes": {"sigma": 0.15},
        "Wide": {"sigma": 1.2, "z": -0.9},
        "Very wide": {"sigma": 3.0},
        "Two that cancel": {"points": ((-2.5, 1.2), (0.8, -1.5), (0.9, 1.5), (2.6, -0.7)), "z": 0.8},
    },
    question=Sketch(
        "The black curve h is the sum of the four bumps. Now σ grows from 0.5 to 1.2, and all weights stay as they "
        "are. Sketch h as it will be then.",
        "curve",
        "axes",
        tuple((x, 0.0) for x in (-3.6, -2.5, -0.9, 0.9, 2.6)),
        (-3.6, -2.5),
        (2.6, 2.5),
        judge,
        "A weight is the height of one bump, not of h. At 3σ a bump is down to 1\u00a0% of its height. X₁ and X₃ are "
        "more than 3·0.5 = 1.5 from X₂, but less than 3·1.2 = 3.6, so now each adds about 0.5 there.",
        scene="Wide",
    ),
)
