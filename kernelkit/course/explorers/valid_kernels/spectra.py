"""Notebook 09. Spectra: which functions of the distance are kernels, on a line and in the plane."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import BLUE, INK, ORANGE

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
    return SimpleNamespace(
        k=k,
        s=s,
        sigma=sigma,
        zoom=zoom,
        lowest=float(s[lowest]),
        at=float(W[lowest]),
        refuted=bool(s[lowest] < -NONE),
    )


def transformed(k, frequencies, space):
    """The spectrum of k, a function of the distance R, up to a factor: ∫ k cos(ωr) dr, or ∫ k J₀(ωr) r dr."""
    from scipy.special import j0

    weights = np.full(len(R), 0.02)
    weights[[0, -1]] /= 2
    phase = np.outer(frequencies, R)
    return np.cos(phase) @ (weights * k) if space == "line" else j0(phase) @ (weights * k * R)


def build(figure):
    near = figure.add_axes((0.075, 0.13, 0.35, 0.76), xlim=(0, 5), ylim=(-0.75, 1.1), yticks=[-0.5, 0, 0.5, 1])
    near.set_xlabel("distance $r$", labelpad=1)
    near.set_title("$k(r)$")
    waves = figure.add_axes((0.53, 0.13, 0.455, 0.76), xlim=(0, 12), xticks=[0, 3, 6, 9, 12])
    waves.set_xlabel("frequency $\\omega$", labelpad=1)
    for ax in (near, waves):
        ax.axhline(0, color=INK, lw=0.8)
    return {
        "near": near,
        "waves": waves,
        "k": near.plot([], [], color=INK, animated=True)[0],
        "above": waves.add_collection(PolyCollection([], color=ORANGE, alpha=0.45, lw=0, animated=True)),
        "below": waves.add_collection(PolyCollection([], color=BLUE, alpha=0.6, lw=0, animated=True)),
        "s": waves.plot([], [], color=INK, lw=1.6, animated=True)[0],
        "lowest": waves.plot([], [], "v", ms=9, color=BLUE, mec="white", animated=True)[0],
    }


def draw(parts, state):
    parts["k"].set_data(R * state.sigma, state.k)
    parts["s"].set_data(W, state.s)
    for name, part in (("above", np.maximum(state.s, 0)), ("below", np.minimum(state.s, 0))):
        parts[name].set_verts([[(0, 0), *zip(W, part, strict=True), (W[-1], 0)]])
    parts["lowest"].set_data(([state.at], [state.lowest]) if state.refuted else ([], []))
    deep = state.lowest * state.zoom < -0.5
    if reframed(parts["waves"], state.zoom, deep):
        top = 1.06 / state.zoom
        parts["waves"].set(ylim=(-top if deep else -0.5 * top, top))
        ticks = [(-1 if deep else -0.4) / state.zoom, 0, 0.5 / state.zoom, 1 / state.zoom]
        parts["waves"].set_yticks(ticks, [short(t) for t in ticks])
        times = (
            "1 is the highest point" if state.zoom == 1 else f"drawn {short(state.zoom)} times as high, cut off above"
        )
        parts["waves"].set_title(f"its spectrum; {times}", loc="left")


def readout(state):
    return {
        "spectrum negative somewhere": {True: "yes", False: "no"}[state.refuted],
        "its lowest point": f"{short(100 * state.lowest, 2)}\u00a0% of its height" if state.refuted else None,
        "at ω": f"{state.at:.1f}" if state.refuted else None,
    }


def _tell_near(state, x, y):
    return f"k({read_off(x)}) = {read_off(np.interp(x / state.sigma, R, state.k))}"


def _tell_waves(state, x, y):
    return f"s({read_off(x)}) = {read_off(np.interp(x, W, state.s))} of the highest"


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


spectra = Explorer(
    title="Which functions of the distance are kernels?",
    controls=(
        Choice("function", "k(r)", "exp(−rᵖ)", {name: name for name in FUNCTIONS}),
        Slider("p", "power p", 2.0, 1.0, 4.0, 0.25, when=lambda v: v["function"] == "exp(−rᵖ)"),
        Slider("sigma", "stretch σ", 1.0, 0.5, 2.0, 0.05),
        Choice("space", "points on", "line", {"a line": "line", "the plane": "plane"}),
        Choice("zoom", "magnify", 1, {"1 ×": 1, "10 ×": 10, "100 ×": 100}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the function k over the distance r. On the right its spectrum over the frequency ω, scaled so "
    "that its highest point is 1, with orange areas above 0 and blue areas below; a blue arrowhead is at its "
    "lowest point where that is below 0.",
    code=code,
    tell={"near": _tell_near, "waves": _tell_waves},
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
