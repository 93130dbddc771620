"""Notebook 09. Spectra: which functions of the distance are kernels, on a line and in the plane."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Fill, Line
from kernelkit.course.panel.numbers import short, typed
from kernelkit.course.plots import BLUE, ORANGE

R = np.arange(1201) * 0.02  # distances, in units of σ; all functions have died out at 24
W = np.linspace(0, 12, 241)  # frequencies
NONE = 1e-3  # of the highest point: the sums are exact to less
FUNCTIONS = {
    "exp(−rᵖ)": lambda r, p: np.exp(-(r**p)),
    "Matérn, ν = 3/2": lambda r, p: (1 + np.sqrt(3) * r) * np.exp(-np.sqrt(3) * r),
    "triangle, max(0, 1 − r)": lambda r, p: np.maximum(0, 1 - r),
    "box, 1 where r < 1": lambda r, p: np.where(np.isclose(r, 1), 0.5, r < 1),
    "Epanechnikov, max(0, 1 − r²)": lambda r, p: np.maximum(0, 1 - r**2),
    "wave × bell": lambda r, p: np.cos(3 * r) * np.exp(-(r**2) / 2),
}


def compute(function, p, sigma, space, zoom):
    k = FUNCTIONS[function](R, p)
    s = transformed(k, sigma * W, space) * (sigma if space == "line" else sigma**2)
    s = s / np.abs(s).max()
    lowest = int(s.argmin())
    return SimpleNamespace(k=k, s=s, lowest=float(s[lowest]), at=float(W[lowest]), refuted=bool(s[lowest] < -NONE))


def transformed(k, frequencies, space):
    """The spectrum of k, a function of the distance R, up to a factor: ∫ k cos(ωr) dr, or ∫ k J₀(ωr) r dr."""
    from scipy.special import j0

    weights = np.full(len(R), 0.02)
    weights[[0, -1]] /= 2
    phase = np.outer(frequencies, R)
    return np.cos(phase) @ (weights * k) if space == "line" else j0(phase) @ (weights * k * R)


def picture(s):
    near = Axes(
        "$k(r)$",
        Axis("distance $r$", 0, 5),
        Axis("", -0.75, 1.1, (-0.5, 0, 0.5, 1), zero=True),
        Line(s.sigma * R, s.k, tell="k({x}) = {y}"),
        place=(0.075, 0.13, 0.35, 0.76),
        dress=_near_label,
    )
    deep, top = s.lowest * s.zoom < -0.5, 1.06 / s.zoom
    ticks = [tick / s.zoom for tick in (-1 if deep else -0.4, 0, 0.5, 1)]
    times = "1 is the highest point" if s.zoom == 1 else f"drawn {short(s.zoom)} times as high, cut off above"
    waves = Axes(
        f"its spectrum; {times}",
        Axis("frequency $\\omega$", 0, 12, (0, 3, 6, 9, 12)),
        Axis("", -top if deep else -0.5 * top, top, ticks, map(short, ticks), zero=True),
        Fill(W, np.maximum(s.s, 0), ORANGE, alpha=0.45),
        Fill(W, np.minimum(s.s, 0), BLUE, alpha=0.6),
        Line(W, s.s, width=1.6, tell="s({x}) = {y} of the highest"),
        Dots([s.at], [s.lowest], BLUE, marker="v", size=9, rim=1.0) if s.refuted else None,
        place=(0.53, 0.13, 0.455, 0.76),
        dress=_near_label,
    )
    return [[near, waves]]


def _near_label(ax):
    ax.xaxis.labelpad = 1


def readout(state):
    return {
        "spectrum negative somewhere": {True: "yes", False: "no"}[state.refuted],
        "its lowest point": f"{short(100 * state.lowest, 2)}\u00a0% of its height" if state.refuted else None,
        "at ω": f"{state.at:.1f}" if state.refuted else None,
    }


def code(function, p, sigma, space, zoom):
    body = {
        "exp(−rᵖ)": f"np.exp(-(r**{typed(p)}))",
        "Matérn, ν = 3/2": "(1 + 3**0.5 * r) * np.exp(-(3**0.5) * r)",
        "triangle, max(0, 1 − r)": "np.maximum(0, 1 - r)",
        "box, 1 where r < 1": "np.where(np.isclose(r, 1), 0.5, r < 1)",
        "Epanechnikov, max(0, 1 − r²)": "np.maximum(0, 1 - r**2)",
        "wave × bell": "np.cos(3 * r) * np.exp(-(r**2) / 2)",
    }[function]
    wave = "np.cos(np.outer(w, r)) @ k" if space == "line" else "j0(np.outer(w, r)) @ (k * r)"
    return (
        "import numpy as np\nfrom scipy.special import j0\n\n"
        f"r, w = np.arange(1201) * 0.02, {typed(sigma)} * np.linspace(0, 12, 241)\nk = {body}\n"
        "k[[0, -1]] /= 2  # the rule of trapezia\n"
        f"s = {wave}\nprint(s.min() / s.max())"
    )


spectra = panel(
    compute,
    picture,
    readout,
    code,
    Choice("function", "k(r)", "exp(−rᵖ)", {name: name for name in FUNCTIONS}),
    Slider("p", "power p", 2.0, 1.0, 4.0, 0.25, when=lambda v: v["function"] == "exp(−rᵖ)"),
    Slider("sigma", "stretch σ", 1.0, 0.5, 2.0, 0.05),
    Choice("space", "points on", "line", {"a line": "line", "the plane": "plane"}),
    Choice("zoom", "magnify", 1, {"1 ×": 1, "10 ×": 10, "100 ×": 100}),
    title="Which functions of the distance are kernels?",
    shows="On the left the function k over the distance r. On the right its spectrum over the frequency ω, scaled so "
    "that its highest point is 1, with orange areas above 0 and blue areas below; a blue arrowhead is at its "
    "lowest point where that is below 0.",
    film=("p",),
    scenes={
        "A flatter top: p = 4": {"p": 4.0},
        "The box": {"function": "box, 1 where r < 1"},
        "Triangle on a line": {"function": "triangle, max(0, 1 − r)", "zoom": 10},
        "Triangle in the plane": {"function": "triangle, max(0, 1 − r)", "space": "plane", "zoom": 10},
    },
    question=Question(
        "For points on a line the triangle, max(0, 1 − r), is a kernel. Is it a kernel for points in the plane, too?",
        ("yes, for every stretch σ", "only if it is stretched far enough", "no, for no stretch σ"),
        2,
        "In the plane its spectrum falls below 0, near ω = 6.8 for σ = 1. Stretching moves that place but does not "
        "take it away. In the plane a sum of waves has to look the same in all directions, so fewer functions pass.",
        scene="Triangle in the plane",
    ),
)
