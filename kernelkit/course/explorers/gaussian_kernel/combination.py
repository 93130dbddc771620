"""Notebook 04. h is a sum of Gaussian bumps."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian
from kernelkit.course.explorers.drawing.signed_bumps import COLOURS, round_limit, sign_of, signed_dots
from kernelkit.course.panel.controls import Points, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Fill, Line, Live, Segments, Text, VLine, VSpan
from kernelkit.course.panel.numbers import fixed, typed
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.panel.sketch import Sketch, compared
from kernelkit.course.plots import INK, PURPLE

LINE = np.linspace(-4, 4, 241)
NAMES = ("X₁", "X₂", "X₃", "X₄")
MOVES = "sideways moves it, up and down changes its weight"


def compute(points, sigma, z):
    X, a = np.array(points)[:, :1], np.array(points)[:, 1]
    k = Gaussian(sigma)
    bumps, votes = k(LINE[:, None], X) * a, k([z], X) * a
    near = np.abs(X[:, 0] - z) <= 3 * sigma + 1e-9
    return SimpleNamespace(X=X, a=a, bumps=bumps, h=bumps.sum(axis=1), votes=votes, h_z=float(votes.sum()), near=near)


def picture(s):
    limit = round_limit(max(np.abs(s.h).max(), 2.4), (2.6, 4.4, 8.4))
    colours, x = [COLOURS[sign_of(a)] for a in s.a], s.X[:, 0]
    names = zip(x, s.a + np.where(s.a >= 0, 0.11, -0.11) * limit, NAMES, strict=True)
    left = s.z > 2
    ax = Axes(
        Live(f"drag a centre: {MOVES}", MOVES),
        Axis("$z$", -4, 4),
        Axis("", -limit, limit, zero=True),
        VSpan(s.z - 3 * s.sigma, s.z + 3 * s.sigma, PURPLE),
        *(Fill(LINE, bump, colour) for bump, colour in zip(s.bumps.T, colours, strict=True)),
        *(Line(LINE, bump, colour, width=1.3) for bump, colour in zip(s.bumps.T, colours, strict=True)),
        Segments((x, 0), (x, s.a)),
        VLine(s.z, PURPLE, width=1.4, style="--"),
        Line(LINE, s.h, width=3.2, tell="h({x}) = {y}"),
        *signed_dots(np.column_stack([x, s.a]), s.a, size=12, rim=1),
        *(Text(*name, INK, up="center", side="center", box=GROUND) for name in names),
        Dots(s.z, s.h_z, PURPLE, marker="D", size=10, rim=1),
        Text(
            s.z + (-0.12 if left else 0.12),
            -0.95 * limit,
            f"h(z) = {fixed(s.h_z)}, shaded: z ± 3σ",
            PURPLE,
            side="right" if left else "left",
            up="bottom",
        ),
        name="axes",
        place=(0.06, 0.145, 0.925, 0.76),
    )
    return [[ax]]


def readout(s):
    return {
        "σ": f"{s.sigma:.2f}",
        "z": fixed(s.z),
        "the four bumps at z": ", ".join(map(fixed, s.votes)),
        "h(z)": fixed(s.h_z),
        "centres within 3σ of z": f"{s.near.sum()} of {len(s.a)}",
    }


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
    inside = (drawn[0][0] <= LINE) & (drawn[-1][0] >= LINE)
    at_2 = np.interp(-0.9, LINE, state.h)
    return (
        f"Your sketch {compared(drawn, LINE[inside], state.h[inside])}. At X₂ = −0.9, where the weight is −1, h is "
        f"{fixed(at_2)} now."
    )


combination = panel(
    compute,
    picture,
    readout,
    code,
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
    title="h is a sum of Gaussian bumps",
    shows="Four bumps over z, orange above 0 and blue below, each on a centre X₁ to X₄ whose height is its weight, "
    "and the black curve h, their sum. The dashed purple line is at the chosen z, and the shaded strip reaches 3σ to "
    "either side of it.",
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
