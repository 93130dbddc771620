"""Notebook 02. The identity, term by term."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, OrderedMonomials, Polynomial
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Line, Live, Segments, Text, VLine
from kernelkit.course.panel.numbers import fixed, read_off, typographic
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.features import Compose, Concatenate, ExponentialSeries, Identity, Ones
from kernelkit.latex import plain

SUM = {True: "running sum of the products", False: r"running sum; feature: name × $\exp(-\|u\|^2/2)$, $u = x/\sigma$"}
STEPS = {"lying": True, "width": 0.8, "edge": "white", "rim": 0.5}


def _kernel_and_map(family, degree, offset, which, sigma):
    if family == "gaussian":
        k = Gaussian(sigma)
        return k, k.feature_map(degree)
    k = {
        "polynomial": Polynomial(degree, offset),
        "sum": 2 * Linear() + Polynomial(2),
        "product": Linear() * Polynomial(2),
    }[family]
    if family == "polynomial" and which == "ordered":
        ordered = OrderedMonomials(degree)
        return k, Compose(ordered, Concatenate(Identity(), Ones(offset))) if offset else ordered
    return k, k.feature_map()


def compute(points, family, degree, offset, which, sigma):
    x, z = np.array(points)
    k, phi = _kernel_and_map(family, degree, offset, which, sigma)
    terms = phi(x) * phi(z)
    names = ExponentialSeries(degree).names_from(["u_1", "u_2"]) if family == "gaussian" else phi.names(2)
    names = tuple(map(plain, names))
    return SimpleNamespace(x=x, z=z, names=names, terms=terms, value=k(x, z), said=_values(x, z, k, family))


def _values(x, z, k, family):
    """What is below the plane: the number that the kernel needs of x and z, its value, and the cosine that follows."""
    needed = f"‖x − z‖ = {np.linalg.norm(x - z):.2f}" if family == "gaussian" else f"xᵀz = {x @ z + 0.0:.2f}"
    lengths = np.sqrt(k(x, x) * k(z, z))
    cosine = f"{k(x, z) / lengths + 0.0:.2f}" if lengths > 0 else "–"  # a point at 0 may have no direction
    return typographic(needed), typographic(f"k(x, z) = {k(x, z):.2f}"), typographic(f"cos of Φ(x), Φ(z) = {cosine}")


def picture(s):
    ends = np.cumsum(s.terms)
    low, high = _limits(ends, s.value)
    margin, rows = 0.04 * (high - low), np.arange(len(ends))
    named = rows if len(rows) <= 16 else ()
    plane = Axes(
        Live("drag $x$ and $z$"),
        Axis("", -2.25, 2.25, (-2, 0, 2)),
        Axis("", -2.25, 2.25, (-2, 0, 2)),
        *(mark for which in (("x", s.x, INK), ("z", s.z, GREEN)) for mark in _vector(*which)),
        name="plane",
        place=(0.05, 0.3, 0.33, 0.608),
        grid=True,
    )
    bars = Axes(
        f"{len(rows)} products; dashed: $k(x, z)$",
        Axis(SUM[s.family != "gaussian"], low - margin, high + margin, most=7, zero=True, steady=True),
        Axis("", len(rows) - 0.4, -0.6, named, s.names[: len(named)]),
        Bars(rows, s.terms, base=ends - s.terms, names=s.names, tell="{name}: {y}", **STEPS),
        Segments((ends[:-1], rows[:-1] + 0.4), (ends[:-1], rows[:-1] + 0.6), GREY, width=0.8),
        VLine(s.value, PURPLE, width=2, style="--"),
        name="bars",
        place=(0.515, 0.135, 0.465, 0.773),
        dress=_near,
    )
    below = Axes(place=(0.05, 0, 0.4, 0.25), bare=True)
    below += [Text(-0.095, y, words) for y, words in zip((0.68, 0.4, 0.12), s.said, strict=True)]
    return [[plane, bars, below]]


def _vector(name, v, colour):
    letter = v + 0.34 * v / max(np.linalg.norm(v), 0.01)
    yield Line((0, v[0]), (0, v[1]), colour)
    yield Dots(v[0], v[1], colour, size=11, rim=1)
    yield Text(*letter, f"${name}$", colour, side="center", up="center", size=15)


def _near(ax):
    ax.xaxis.labelpad = 1


def _limits(ends, value):
    """Round limits around 0, all sums and the goal."""
    low, high = min(0.0, ends.min(), value), max(0.0, ends.max(), value)
    if low == high:  # all bars are 0
        return 0.0, 1.0
    return -standard(-low) if low < 0 else 0.0, standard(max(high, 0.01)) if high > 0 else 0.0


def readout(s):
    total, value = (round(float(number), 9) for number in (s.terms.sum(), s.value))  # without the dust of two sums
    return {
        "products φᵢ(x)φᵢ(z)": len(s.terms),
        "their sum": fixed(total, 4),
        "k(x, z)": fixed(value, 4),
        "k(x, z) minus the sum": fixed(round(value, 4) - round(total, 4), 4),
    }


def _tell_plane(state, x, y):
    return f"({read_off(x)}, {read_off(y)})"


def code(points, family, degree, offset, which, sigma):
    k, phi = _kernel_and_map(family, degree, offset, which, sigma)
    return (
        "from kernelkit import *\nfrom kernelkit.features import *\n\n"
        f"x, z = {[float(v) for v in points[0]]}, {[float(v) for v in points[1]]}\n"
        f"k = {k!r}\nphi = {phi!r}\nprint(phi(x) * phi(z))\nprint(phi(x) @ phi(z), k(x, z))"
    )


identity = panel(
    compute,
    picture,
    readout,
    code,
    Points(
        "points",
        "move",
        ((1.0, 0.5), (1.25, 1.5)),
        (-2.0, -2.0),
        (2.0, 2.0),
        "plane",
        ("coordinate 1", "coordinate 2"),
        ("x", "z"),
        step=0.025,
        more=True,
    ),
    Choice(
        "family",
        "kernel",
        "polynomial",
        {
            "(xᵀz + c)ᵖ": "polynomial",
            "Gaussian, series cut": "gaussian",
            "2·xᵀz + (xᵀz + 1)²": "sum",
            "xᵀz · (xᵀz + 1)²": "product",
        },
    ),
    Slider("degree", "degree p", 2, 1, 4, 1, when=lambda v: v["family"] in ("polynomial", "gaussian")),
    Slider("offset", "offset c", 1.0, 0.0, 2.0, 0.25, when=lambda v: v["family"] == "polynomial"),
    Choice(
        "which",
        "features Φ",
        "merged",
        {"merged monomials": "merged", "ordered products": "ordered"},
        when=lambda v: v["family"] == "polynomial",
    ),
    Slider("sigma", "width σ", 1.0, 0.5, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
    title="The identity, term by term",
    shows="On the left the plane with two points, x in black and z in green. On the right one bar for each product "
    "φᵢ(x)φᵢ(z), which begins where the bar above it ends: orange to the right if it is positive, blue to the left if "
    "it is negative. The dashed line is at k(x, z).",
    film=("degree",),
    scenes={
        "Perpendicular": {"points": ((1.0, 0.5), (-0.875, 1.75))},
        "Without the offset": {"offset": 0.0},
        "x₁x₂ and x₂x₁ apart": {"offset": 0.0, "which": "ordered", "degree": 3},
        "Opposite signs": {"points": ((1.5, 0.5), (-0.5, 1.0)), "degree": 3},
        "Cut Gaussian": {"family": "gaussian", "degree": 4},
    },
    question=Question(
        "Each bar is one product φᵢ(x)φᵢ(z). z turns until it is perpendicular to x: where does the sum end then?",
        ("at 0", "at 1", "it depends on the lengths of x and z"),
        1,
        "Perpendicular means xᵀz = 0, so k(x, z) = (0 + 1)² = 1, whatever the lengths. All bars but that of the "
        "constant cancel.",
        scene="Perpendicular",
    ),
    tell={"plane": _tell_plane},
    motion=True,
)
