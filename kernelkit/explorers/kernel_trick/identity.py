"""Notebook 02. The identity, term by term."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian, Linear, OrderedMonomials, Polynomial
from kernelkit.features import Compose, Concatenate, ExponentialSeries, Identity, Ones
from kernelkit.latex import plain
from kernelkit.panel.controls import Choice, Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import GREEN, INK, PURPLE, sign_colours


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
    return SimpleNamespace(
        x=x, z=z, formula=_formula(family, degree, offset, sigma), names=[plain(n) for n in names], terms=terms,
        total=float(terms.sum()), value=k(x, z), exact=family != "gaussian",
    )  # fmt: skip


def _formula(family, degree, offset, sigma):
    base = f"(xᵀz + {offset:g})" if offset else "(xᵀz)"
    return {
        "polynomial": base + "⁰¹²³⁴"[degree],
        "gaussian": f"exp(−‖x − z‖²/2σ²) with σ = {sigma:.2f}",
        "sum": "2·xᵀz + (xᵀz + 1)²",
        "product": "xᵀz · (xᵀz + 1)²",
    }[family]


def build(figure):
    plane = figure.add_axes((0.055, 0.3, 0.3, 0.52), aspect="equal", xlim=(-2.25, 2.25), ylim=(-2.25, 2.25))
    plane.set(title="drag x and z", xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    plane.grid(alpha=0.3)
    vectors = [plane.plot([], [], "-", color=c, animated=True)[0] for c in (INK, GREEN)]
    tips = [plane.plot([], [], "o", ms=10, color=c, animated=True)[0] for c in (INK, GREEN)]
    letters = [plane.text(0, 0, f"${n}$", size=15, color=c, animated=True) for n, c in (("x", INK), ("z", GREEN))]
    bars = figure.add_axes((0.53, 0.14, 0.44, 0.74))
    bars.set(xlabel="running sum of the products")
    steps = bars.add_collection(PolyCollection([], animated=True, linewidth=0.5, edgecolor="white"))
    goal = bars.axvline(0, color=PURPLE, linestyle="--", animated=True)
    zero = bars.axvline(0, color=INK, linewidth=0.8)
    return {
        "plane": plane, "bars": bars, "vectors": vectors, "tips": tips, "letters": letters,
        "steps": steps, "goal": goal, "zero": zero,
    }  # fmt: skip


def _round_limits(low, high):
    """A few standard ranges, so that the axis does not move with every step of a slider."""
    def step(v):
        return next(s * 10.0**e for e in range(-2, 9) for s in (1, 2, 5) if s * 10.0**e >= v)
    return (-step(-low) if low < 0 else 0.0, step(high) if high > 0 else 0.0)


def draw(parts, state):
    for line, tip, letter, v in zip(parts["vectors"], parts["tips"], parts["letters"], (state.x, state.z), strict=True):
        line.set_data([0, v[0]], [0, v[1]])
        tip.set_data([v[0]], [v[1]])
        letter.set_position(v + 0.15)
    ends = np.cumsum(state.terms)
    starts = ends - state.terms
    rows = np.arange(len(ends))
    parts["steps"].set_verts([[(a, i - 0.4), (b, i - 0.4), (b, i + 0.4), (a, i + 0.4)] for i, a, b in
                              zip(rows, starts, ends, strict=True)])  # fmt: skip
    parts["steps"].set_facecolor(sign_colours(state.terms))
    parts["goal"].set_xdata([state.value] * 2)
    limits = _round_limits(min(0, ends.min(), state.value), max(0.01, ends.max(), state.value))
    return _frame(parts["bars"], state, limits)


def _frame(ax, state, limits):
    fixed = (tuple(state.names), limits, state.formula)
    if getattr(ax, "fixed", None) != fixed:
        ax.fixed = fixed
        margin = 0.04 * (limits[1] - limits[0])
        ax.set(xlim=(limits[0] - margin, limits[1] + margin), ylim=(len(state.names) - 0.4, -0.6))
        named = len(state.names) <= 16
        ax.set_yticks(range(len(state.names)) if named else [], state.names if named else [])
        note = "dashed: $k(x, z)$" if state.exact else r"$u = x/\sigma$; dashed: $k(x, z)$"
        ax.set_title(f"{len(state.names)} features, one bar each\n({note})", size=11, loc="left")
    return fixed


def describe(state):
    x, z = (f"({v[0]:.2f}, {v[1]:.2f})" for v in (state.x, state.z))
    start = f"k(x, z) = {state.formula}, x = {x}, z = {z}: the {len(state.terms)} products φᵢ(x)φᵢ(z) add up to "
    if state.exact:
        return start + f"{state.total:.4f}, and the kernel gives {state.value:.4f} without building one of them."
    missing = abs(state.value - state.total)
    return start + (
        f"{state.total:.4f}; the kernel, which has infinitely many, gives {state.value:.4f}: {missing:.4f} is missing."
    )


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
        Points("points", "move", ((1.0, 0.5), (1.25, 1.5)), (-2.0, -2.0), (2.0, 2.0), "plane",
               ("coordinate 1", "coordinate 2"), ("x", "z")),
        Choice("family", "kernel", "polynomial", {
            "(xᵀz + c)ᵖ": "polynomial", "Gaussian, series cut": "gaussian",
            "2·xᵀz + (xᵀz + 1)²": "sum", "xᵀz · (xᵀz + 1)²": "product",
        }),
        Slider("degree", "degree p", 2, 1, 4, 1, when=lambda v: v["family"] in ("polynomial", "gaussian")),
        Slider("offset", "offset c", 1.0, 0.0, 2.0, 0.25, when=lambda v: v["family"] == "polynomial"),
        Choice("which", "features Φ", "merged", {"merged monomials": "merged", "ordered products": "ordered"},
               when=lambda v: v["family"] == "polynomial"),
        Slider("sigma", "width σ", 1.0, 0.5, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Homogeneous": {"offset": 0.0},
        "Duplicates kept": {"offset": 0.0, "which": "ordered", "degree": 3},
        "Opposite signs": {"points": ((1.5, 0.5), (-0.5, 1.0)), "degree": 3},
        "Cut Gaussian": {"family": "gaussian", "degree": 4},
    },
    question=Question(
        "Each bar is one product φᵢ(x)φᵢ(z). If z turns until it is perpendicular to x, where does the sum end?",
        ("at 0", "at 1", "it depends on the lengths of x and z"),
        1,
        "Perpendicular means xᵀz = 0, so k(x, z) = (0 + 1)² = 1, whatever the lengths. The other bars cancel.",
    ),
    size=(7.2, 4.4),
)  # fmt: skip
