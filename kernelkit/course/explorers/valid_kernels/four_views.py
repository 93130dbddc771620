"""Notebook 09. One fit in four views: the data, K, its spectrum, and the part of h that each eigenvector is."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, Polynomial
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, HLine, Image, Line, Live, Paths, Text
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, PURPLE, sign_colours

LEFT, HIGH = 3.0, 2.0  # the axes of the data go from −LEFT to LEFT and from −HIGH to HIGH
GRID = np.linspace(-LEFT, LEFT, 121)
START = (
    (-2.6, -0.5), (-2.1, -1.1), (-1.6, -0.6), (-0.9, 0.5), (-0.4, 1.1),
    (0.3, 0.9), (0.8, 0.1), (1.4, -0.6), (2.0, 0.1), (2.6, 1.0),
)  # fmt: skip
N = len(START)
ROWS = np.arange(1, N + 1)
KEPT = r"kept of each: $\kappa/(\kappa + \lambda)$"


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
        h=parts.sum(axis=1),
        part=parts[:, i] if chosen else np.zeros(len(GRID)),
        v=U[:, i] if chosen else np.zeros(N),
        kept=kappa / (kappa + lam),
        turns=_turns(U[:, i]) if chosen and kappa[i] else None,
    )


def picture(s):
    return [[_data(s), _matrix(s), _vector(s), _spectrum(s)]]


def _data(s):
    """The points, the fit, and of the chosen eigenvector its entries and its part of the fit."""
    title = "strokes: eigenvector; dashed: its part of $h$" if s.chosen else "the fit $h$"
    strokes = [[(x, 0), (x, v)] for x, v in zip(s.X, s.v, strict=True)]
    return Axes(
        Live(f"{title} (drag the points)", title, title),
        Axis("", -LEFT, LEFT),
        Axis("", -HIGH, HIGH, range(-2, 3)),
        HLine(0, GREY),
        Line(GRID, s.h, tell="h({x}) = {y}"),
        Line(GRID, s.part, PURPLE, style="--") if s.chosen else None,
        Paths(strokes, sign_colours(s.v), width=5, alpha=0.55) if s.chosen else None,
        Dots(s.X, s.y, GREY, size=8),
        name="data",
        place=(0.06, 0.1, 0.5, 0.79),
    )


def _matrix(s):
    colours = DIVERGING(0.5 + 0.5 * s.K, bytes=True)[..., :3]
    return Axes(
        "$K$",
        Axis("", 0.5, N + 0.5, ()),
        Axis("", N + 0.5, 0.5, ()),
        Image(colours, (0.5, N + 0.5, 0.5, N + 0.5)),
        name="gram",
        place=(0.63, 0.56, 0.179, 0.33),
        equal=True,
    )


def _vector(s):
    none = Text(0, (N + 1) / 2, "none\nchosen", GREY, side="center", up="center", box=GROUND)
    return Axes(
        "vector",
        Axis("", -1.05, 1.05, (), zero=True),
        Axis("", N + 0.6, 0.4, ()),
        Bars(ROWS, s.v, lying=True, width=0.7),
        None if s.chosen else none,
        place=(0.845, 0.56, 0.14, 0.33),
    )


def _spectrum(s):
    return Axes(
        Live(f"{KEPT}; click one", f"{KEPT}; click one", KEPT),
        Axis("", 0.4, N + 0.6, ROWS),
        Axis("", 0, 1.08, (0, 1)),
        Bars(ROWS, s.kept, [PURPLE if i == s.chosen else GREEN for i in ROWS], width=0.7),
        name="spectrum",
        place=(0.63, 0.135, 0.355, 0.29),
    )


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


four_views = panel(
    compute,
    picture,
    readout,
    code,
    Points("points", "move", START, (-LEFT, -HIGH), (LEFT, HIGH), "data", more=True),
    Choice("family", "kernel", "gaussian", {"Gaussian": "gaussian", "(xz + 1)ᵖ": "polynomial", "xz": "linear"}),
    Slider("sigma", "width σ", 0.8, 0.1, 3.0, 0.05, when=lambda v: v["family"] == "gaussian"),
    Slider("degree", "degree p", 3, 1, 6, 1, when=lambda v: v["family"] == "polynomial"),
    Slider("lam", "λ", 0.1, 1e-4, 10.0, 0.1, log=True),
    Slider("chosen", "eigenvector", 0, 0, N, 1),
    title="One fit, four views",
    shows="On the left ten points over x and the fit h; if an eigenvector is chosen, its entries are strokes at the "
    "points, orange upwards and blue downwards, and a dashed curve is its part of h. On the right the matrix K, "
    "the chosen vector, and below them a bar for each eigenvector, the share κ/(κ + λ) that the fit keeps.",
    tell={"spectrum": _tell_spectrum, "gram": _tell_gram},
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
