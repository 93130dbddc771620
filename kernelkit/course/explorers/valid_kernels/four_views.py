"""Notebook 09. One fit in four views: the data, K, its spectrum, and the part of h that each eigenvector is."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Gaussian, Linear, Polynomial
from kernelkit.course.explorers.drawing.ridge_curves import bars
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import GROUND, reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, sign_colours

LEFT, HIGH = 3.0, 2.0  # the axes of the data go from −LEFT to LEFT and from −HIGH to HIGH
GRID = np.linspace(-LEFT, LEFT, 121)
START = (
    (-2.6, -0.5), (-2.1, -1.1), (-1.6, -0.6), (-0.9, 0.5), (-0.4, 1.1),
    (0.3, 0.9), (0.8, 0.1), (1.4, -0.6), (2.0, 0.1), (2.6, 1.0),
)  # fmt: skip
N = len(START)


def kernel(family, degree, sigma):
    return {"gaussian": Gaussian(sigma), "polynomial": Polynomial(degree), "linear": Linear()}[family]


def compute(points, family, degree, sigma, lam, chosen):
    points = np.array(sorted(points))
    X, y = points[:, :1], points[:, 1]
    k = kernel(family, degree, sigma)
    K = k(X)
    kappa, U = (part[..., ::-1] for part in np.linalg.eigh(K))
    kappa = np.where(kappa > 1e-13 * kappa[0], kappa, 0.0)
    U = U * np.where(U.sum(axis=0) >= 0, 1, -1)
    parts = (k(GRID[:, None], X) @ U) * ((kappa > 0) * (U.T @ y) / (kappa + lam))  # a column for each eigenvector
    i = min(chosen, N) - 1
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        K=K / (np.abs(K).max() or 1),
        kappa=kappa,
        lam=lam,
        chosen=chosen,
        h=parts.sum(axis=1),
        part=parts[:, i] if chosen else np.zeros(len(GRID)),
        v=U[:, i] if chosen else np.zeros(N),
        kept=kappa / (kappa + lam),
        turns=_turns(U[:, i]) if chosen and kappa[i] else None,
    )


def build(figure):
    data = figure.add_axes((0.06, 0.1, 0.5, 0.79), xlim=(-LEFT, LEFT), ylim=(-HIGH, HIGH), yticks=[-2, -1, 0, 1, 2])
    data.axhline(0, color=GREY, lw=0.8)
    gram = figure.add_axes((0.63, 0.56, 0.179, 0.33), xticks=[], yticks=[])
    gram.set_title("$K$")
    vector = figure.add_axes((0.845, 0.56, 0.14, 0.33), xlim=(-1.05, 1.05), ylim=(N + 0.6, 0.4), xticks=[], yticks=[])
    vector.axvline(0, color=INK, lw=0.8)
    vector.set_title("vector")
    spectrum = figure.add_axes((0.63, 0.135, 0.355, 0.29), xlim=(0.4, N + 0.6), ylim=(0, 1.08), xticks=range(1, N + 1))
    spectrum.set_yticks([0, 1])
    spectrum.set_title(r"kept of each: $\kappa/(\kappa + \lambda)$; click one")
    look = {"cmap": DIVERGING, "vmin": -1, "vmax": 1, "interpolation": "nearest", "animated": True}
    return {
        "data": data,
        "gram": gram,
        "vector": vector,
        "spectrum": spectrum,
        "curve": data.plot([], [], color=INK, animated=True)[0],
        "part": data.plot([], [], color=PURPLE, ls="--", animated=True)[0],
        "stems": data.add_collection(LineCollection([], linewidths=5, alpha=0.55, animated=True)),
        "dots": data.plot([], [], "o", ms=8, color=GREY, mec="white", mew=0.7, animated=True)[0],
        "image": gram.imshow(np.zeros((2, 2)), extent=(0.5, N + 0.5, N + 0.5, 0.5), **look),
        "entries": vector.add_collection(PolyCollection([], animated=True)),
        "hint": vector.text(
            0, (N + 1) / 2, "none\nchosen", ha="center", va="center", color=GREY, bbox=GROUND, animated=True
        ),
        "bars": spectrum.add_collection(PolyCollection([], animated=True)),
    }


def draw(parts, state):
    parts["curve"].set_data(GRID, state.h)
    parts["part"].set_data(GRID, state.part if state.chosen else np.full(len(GRID), np.nan))
    parts["dots"].set_data(state.X, state.y)
    parts["stems"].set_segments([[(x, 0), (x, v)] for x, v in zip(state.X, state.v, strict=True)])
    parts["stems"].set_color(sign_colours(state.v))
    parts["image"].set_data(state.K)
    rows = np.arange(1, N + 1)
    parts["entries"].set_verts([[(y, x) for x, y in corners] for corners in bars(rows, state.v, 0.7)])
    parts["entries"].set_facecolor(sign_colours(state.v))
    parts["bars"].set_verts(bars(rows, state.kept, 0.7))
    parts["hint"].set_visible(not state.chosen)
    if reframed(parts["data"], bool(state.chosen)):
        strokes = "strokes: eigenvector; dashed: its part of $h$ (drag the points)"
        parts["data"].set_title(strokes if state.chosen else "the fit $h$ (drag the points)")
    parts["bars"].set_facecolor([PURPLE if i == state.chosen else GREEN for i in rows])


def readout(state):
    return {
        "λ": short(state.lam),
        "effective dimension": f"{state.kept.sum():.1f} of {N}",
        "chosen eigenvalue": short(state.kappa[state.chosen - 1]) if state.chosen else None,
        "kept of it": f"{state.kept[state.chosen - 1]:.2f}" if state.chosen else None,
        "sign changes of its vector": state.turns,
    }


def _turns(v):
    """How often a vector changes its sign, entries of nearly 0 left out."""
    return int(np.sum(np.diff(np.sign(v[np.abs(v) > 1e-6])) != 0))


def _tell_data(state, x, y):
    return f"h({read_off(x)}) = {read_off(np.interp(x, GRID, state.h))}"


def _number(x):
    return min(max(round(x), 1), N)


def _tell_spectrum(state, x, y):
    i = _number(x)
    return f"κ = {short(state.kappa[i - 1])}, kept {state.kept[i - 1]:.3f}"


def _tell_gram(state, x, y):
    i, j = _number(y), _number(x)
    return f"points {i} and {j}: {read_off(state.K[i - 1, j - 1])} of the largest"


def _choose(state, x, y):
    return {"chosen": _number(x)}


def code(points, family, degree, sigma, lam, chosen):
    return (
        f"import numpy as np\nfrom kernelkit import *\n\npoints = np.array({typed(sorted(points))})\n"
        f"X, y = points[:, :1], points[:, 1]\n"
        f"k, lam = {kernel(family, degree, sigma)!r}, {lam!r}\nkappa, U = np.linalg.eigh(k(X))\n"
        "kappa, U = kappa[::-1], U[:, ::-1]\nprint(kappa / (kappa + lam), np.sum(kappa / (kappa + lam)))\n"
        "Z = np.linspace(-3, 3, 121)[:, None]\nparts = (k(Z, X) @ U) * (U.T @ y / (kappa + lam))\n"
        "print(np.abs(parts.sum(axis=1) - KernelRidge(k, lam).fit(X, y).predict(Z)).max())"
    )


four_views = Explorer(
    title="One fit, four views",
    controls=(
        Points("points", "move", START, (-LEFT, -HIGH), (LEFT, HIGH), "data", more=True),
        Choice("family", "kernel", "gaussian", {"Gaussian": "gaussian", "(xz + 1)ᵖ": "polynomial", "xz": "linear"}),
        Slider("sigma", "width σ", 0.8, 0.1, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
        Slider("degree", "degree p", 3, 1, 6, 1, when=lambda v: v["family"] == "polynomial"),
        Slider("lam", "λ", 0.1, 1e-4, 10.0, 0.1, log=True),
        Slider("chosen", "eigenvector", 0, 0, N, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left ten points over x and the fit h; if an eigenvector is chosen, its entries are strokes at the "
    "points, orange upwards and blue downwards, and a dashed curve is its part of h. On the right the matrix K, "
    "the chosen vector, and below them a bar for each eigenvector, the share κ/(κ + λ) that the fit keeps.",
    code=code,
    tell={"data": _tell_data, "spectrum": _tell_spectrum, "gram": _tell_gram},
    click={"spectrum": _choose},
    film=("lam",),
    scenes={
        "The first eigenvector": {"chosen": 1},
        "The fifth": {"chosen": 5},
        "σ four times smaller": {"sigma": 0.2},
        "A cubic: rank 4": {"family": "polynomial", "chosen": 5},
        "λ large": {"lam": 10.0},
    },
    says={
        "A cubic: rank 4": "A cubic has four features, so the fifth eigenvalue is 0, and its part of h is 0 for any λ.",
    },
    question=Question(
        "The ten green bars add up to 6.3, so the fit keeps 6.3 of ten directions. What is the sum if σ is four times "
        "smaller and λ stays?",
        ("more, about nine", "fewer, about three", "as many, because λ decides"),
        0,
        "Narrow bumps hardly meet, so K is almost the identity, and every κ is near 1, far above λ = 0.1. So the fit "
        "keeps about 1/(1 + λ) of each direction, and of wiggles and noise, too.",
        scene="σ four times smaller",
    ),
)
