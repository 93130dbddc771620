"""Notebook 02. The identity, term by term."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Gaussian, Linear, OrderedMonomials, Polynomial
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, typographic
from kernelkit.course.panel.parts import reframed, standard, steady
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, sign_colours
from kernelkit.features import Compose, Concatenate, ExponentialSeries, Identity, Ones
from kernelkit.latex import plain


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
    value, formula = k(x, z), _formula(family, degree, offset, sigma)
    return SimpleNamespace(
        x=x,
        z=z,
        formula=formula,
        names=tuple(map(plain, names)),
        terms=terms,
        total=float(terms.sum()),
        value=value,
        values=_values(x, z, k, family),
        exact=family != "gaussian",
    )


def _values(x, z, k, family):
    """What is below the plane: the number that the kernel needs of x and z, its value, and the cosine that follows."""
    needed = f"‖x − z‖ = {np.linalg.norm(x - z):.2f}" if family == "gaussian" else f"xᵀz = {x @ z + 0.0:.2f}"
    lengths = np.sqrt(k(x, x) * k(z, z))
    cosine = f"{k(x, z) / lengths + 0.0:.2f}" if lengths > 0 else "–"  # a point at 0 may have no direction
    return typographic(needed), typographic(f"k(x, z) = {k(x, z):.2f}"), typographic(f"cos of Φ(x), Φ(z) = {cosine}")


def _formula(family, degree, offset, sigma):
    base = f"(xᵀz + {offset:g})" if offset else "(xᵀz)"
    return {
        "polynomial": base + ("" if degree == 1 else "⁰¹²³⁴"[degree]),
        "gaussian": f"exp(−‖x − z‖²/2σ²) with σ = {sigma:.2f}",
        "sum": "2·xᵀz + (xᵀz + 1)²",
        "product": "xᵀz · (xᵀz + 1)²",
    }[family]


def build(figure):
    plane = figure.add_axes((0.05, 0.3, 0.33, 0.608), xlim=(-2.25, 2.25), ylim=(-2.25, 2.25))
    plane.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    plane.set_title("drag $x$ and $z$")
    plane.grid(alpha=0.3)
    bars = figure.add_axes((0.515, 0.135, 0.465, 0.773))
    bars.set_xlabel("", labelpad=1)
    bars.locator_params("x", nbins=7)
    return {
        "plane": plane,
        "bars": bars,
        **_build_vectors(plane),
        "values": [plane.text(0.012, y, "", transform=figure.transFigure, animated=True) for y in (0.17, 0.1, 0.03)],
        "steps": bars.add_collection(PolyCollection([], animated=True, linewidth=0.5, edgecolor="white")),
        "links": bars.add_collection(LineCollection([], animated=True, linewidth=0.8, color=GREY)),
        "goal": bars.axvline(0, color=PURPLE, linestyle="--", animated=True),
        "zero": bars.axvline(0, color=INK, linewidth=0.8),
    }


def _build_vectors(plane):
    looks, centred = (("x", INK), ("z", GREEN)), {"ha": "center", "va": "center"}
    return {
        "vectors": [plane.plot([], [], "-", color=c, animated=True)[0] for _, c in looks],
        "tips": [plane.plot([], [], "o", ms=11, color=c, mec="white", animated=True)[0] for _, c in looks],
        "letters": [plane.text(0, 0, f"${name}$", size=15, color=c, animated=True, **centred) for name, c in looks],
    }


def draw(parts, state):
    for line, tip, letter, v in zip(parts["vectors"], parts["tips"], parts["letters"], (state.x, state.z), strict=True):
        line.set_data([0, v[0]], [0, v[1]])
        tip.set_data([v[0]], [v[1]])
        letter.set_position(v + 0.34 * v / max(np.linalg.norm(v), 0.01))
    for text, words in zip(parts["values"], state.values, strict=True):
        text.set_text(words)
    ends = np.cumsum(state.terms)
    steps = list(zip(range(len(ends)), ends - state.terms, ends, strict=True))
    parts["steps"].set_verts([[(a, i - 0.4), (b, i - 0.4), (b, i + 0.4), (a, i + 0.4)] for i, a, b in steps])
    parts["steps"].set_facecolor(sign_colours(state.terms))
    parts["links"].set_segments([[(b, i + 0.4), (b, i + 0.6)] for i, _, b in steps[:-1]])
    parts["goal"].set_xdata([state.value] * 2)
    _frame(parts["bars"], state, *steady(parts["bars"], *_limits(ends, state.value)))


def _limits(ends, value):
    """Round limits around 0, all sums and the goal."""
    low, high = min(0.0, ends.min(), value), max(0.0, ends.max(), value)
    if low == high:  # all bars are 0
        return 0.0, 1.0
    return -standard(-low) if low < 0 else 0.0, standard(max(high, 0.01)) if high > 0 else 0.0


def _frame(ax, state, low, high):
    if reframed(ax, state.names, low, high, state.formula):
        margin = 0.04 * (high - low)
        ax.set(xlim=(low - margin, high + margin), ylim=(len(state.names) - 0.4, -0.6))
        named = len(state.names) <= 16
        ax.set_yticks(range(len(state.names)) if named else [], state.names if named else [])
        ax.set_title(f"{len(state.names)} products; dashed: $k(x, z)$")
        features = r"; feature: name × $\exp(-\|u\|^2/2)$, $u = x/\sigma$"
        ax.set_xlabel("running sum of the products" if state.exact else f"running sum{features}")


def readout(state):
    total, value = (round(number, 9) for number in (state.total, state.value))  # without the dust of two ways to add
    return {
        "products φᵢ(x)φᵢ(z)": len(state.terms),
        "their sum": fixed(total, 4),
        "k(x, z)": fixed(value, 4),
        "k(x, z) minus the sum": fixed(round(value, 4) - round(total, 4), 4),
    }


def _tell_plane(state, x, y):
    return f"({read_off(x)}, {read_off(y)})"


def _tell_bar(state, x, y):
    i = int(np.clip(round(y), 0, len(state.terms) - 1))
    return f"{state.names[i]}: {read_off(state.terms[i])}"


def code(points, family, degree, offset, which, sigma):
    k, phi = _kernel_and_map(family, degree, offset, which, sigma)
    return (
        "from kernelkit import *\nfrom kernelkit.features import *\n\n"
        f"x, z = {[float(v) for v in points[0]]}, {[float(v) for v in points[1]]}\n"
        f"k = {k!r}\nphi = {phi!r}\nprint(phi(x) * phi(z))\nprint(phi(x) @ phi(z), k(x, z))"
    )


identity = Explorer(
    title="The identity, term by term",
    controls=(
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
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with two points, x in black and z in green. On the right one bar for each product "
    "φᵢ(x)φᵢ(z), which begins where the bar above it ends: orange to the right if it is positive, blue to the left if "
    "it is negative. The dashed line is at k(x, z).",
    code=code,
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
    tell={"plane": _tell_plane, "bars": _tell_bar},
    motion=True,
)
