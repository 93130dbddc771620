"""Notebook 09. Kernel algebra: two kernels, an operation, once more, and what functions the result likes."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Conjugate, Constant, Exp, Gaussian, Linear, Polynomial
from kernelkit.explorers.shared.shades import DIVERGING
from kernelkit.latex import plain
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import read_off, short, tens
from kernelkit.panel.parts import reframed, standard
from kernelkit.plots import GREEN, GREY, INK, PURPLE

GRID = np.linspace(-2, 2, 61)
FLOOR = 1e-8  # eigenvalues below this part of the largest count as 0 and are drawn on this line
SHOWN = 20  # eigenvalues
DRAWS = np.random.default_rng(1).standard_normal((len(GRID), 5))
INKS = (INK, PURPLE, GREEN, GREY, "#B8860B")


def wave(X):
    """f(x) = cos 2x, of the rule f(x) k(x, z) f(z)."""
    return np.cos(2 * X[..., 0])


def leaf(kind, c, p, sigma):
    """A kernel to begin with, and how it is written for points of a line."""
    k = {"line": c * Linear(), "polynomial": Polynomial(p), "bumps": Gaussian(sigma), "constant": Constant(c)}[kind]
    return k, {
        "line": f"{short(c)}·xz" if c != 1 else "xz",
        "polynomial": f"(xz + 1){' ²³'[p - 1].strip()}",
        "bumps": f"exp(−(x − z)²/{short(2 * sigma**2)})",
        "constant": short(c),
    }[kind]


def joined_by(operation, left, right):
    (k1, text1), (k2, text2) = left, right
    if operation == "+":
        return k1 + k2, f"{text1} + {text2}"
    return (k1 * k2, f"{text1} · {text2}") if operation == "·" else left


def once_more(rule, k, text):
    return {
        "": lambda: (k, text),
        "+ 1": lambda: (k + 1, f"{text} + 1"),
        "squared": lambda: (k**2, f"({text})²"),
        "exp": lambda: exp_of(k, text),
        "f k f": lambda: (Conjugate(wave, k), f"cos 2x · ({text}) · cos 2z"),
    }[rule]()


def exp_of(k, text):
    """exp(k), or exp(k/c) with a round c where the numbers could not be drawn."""
    largest = k.diag(GRID[-1:, None])[0]
    if largest <= 20:
        return Exp(k), f"exp({text})"
    c = standard(largest / 10)
    return Exp(1 / c * k), f"exp(({text})/{short(c)})"


def kernel(first, c1, p1, sigma1, joined, second, c2, p2, sigma2, more):
    """The kernel that the controls describe, and its formula."""
    return once_more(more, *joined_by(joined, leaf(first, c1, p1, sigma1), leaf(second, c2, p2, sigma2)))


def compute(**values):
    k, formula = kernel(**values)
    K = k(GRID[:, None])
    kappa, U = np.linalg.eigh(K)
    kappa = np.maximum(kappa, 0)
    D, names, different = features(k)
    functions = U @ (np.sqrt(kappa)[:, None] * (U.T @ DRAWS))  # K^½ ξ has the covariance K
    return SimpleNamespace(
        formula=formula,
        D=D,
        names=names,
        different=different,
        K=K / np.abs(K).max(),
        kappa=kappa[::-1] / kappa[-1],
        functions=functions,
        rank=int(np.sum(kappa > FLOOR * kappa[-1])),
        tallest=float(np.abs(functions).max()),
    )


def features(k):
    """How many features k has, their names, and how many are no multiple of another; None where they have no end."""
    try:
        phi = k.feature_map()
    except ValueError:
        return None, (), None
    names = (name.replace("x_1", "x").replace(r"\mathrm{wave}(x)", "cos 2x") for name in phi.names(1))
    Phi = phi(GRID[:, None])
    Phi = Phi / np.linalg.norm(Phi, axis=0)
    parallel = np.abs(Phi.T @ Phi) > 1 - 1e-9
    return phi.dim(1), tuple(map(plain, names)), int((parallel.argmax(axis=0) == np.arange(len(parallel))).sum())


def build(figure):
    gram = figure.add_axes((0.02, 0.06, 0.325, 0.6), xticks=[], yticks=[])
    gram.set_title("all $k(x, z)$ on $[-2, 2]$")
    eigen = figure.add_axes((0.415, 0.12, 0.2, 0.54), yscale="log", ylim=(FLOOR / 4, 4), xlim=(0, SHOWN + 1))
    eigen.set_yticks([1e-8, 1e-4, 1], [tens(-8), tens(-4), "1"])
    eigen.set_xticks([1, 10, 20])
    eigen.minorticks_off()
    eigen.set_title(f"eigenvalues (×: < {tens(-8)})")
    functions = figure.add_axes((0.695, 0.12, 0.29, 0.54), xlim=(-2, 2), xticks=[-2, 0, 2])
    functions.set_title("five functions it likes")
    functions.axhline(0, color=GREY, lw=0.8)
    say = {"transform": figure.transFigure, "animated": True, "va": "center"}
    look = {"cmap": DIVERGING, "vmin": -1, "vmax": 1, "origin": "lower", "extent": (-2, 2, -2, 2)}
    return {
        "gram": gram,
        "eigen": eigen,
        "functions": functions,
        "image": gram.imshow(np.zeros((2, 2)), animated=True, interpolation="nearest", **look),
        "kept": eigen.plot([], [], "o", ms=5.5, color=INK, animated=True)[0],
        "zeros": eigen.plot([], [], "x", ms=6, mew=1.5, color=GREY, animated=True)[0],
        "curves": [functions.plot([], [], color=c, lw=1.8, animated=True)[0] for c in INKS],
        "formula": gram.text(0.02, 0.93, "", size=15, **say),
        "features": gram.text(0.02, 0.82, "", **say),
    }


def draw(parts, state):
    parts["image"].set_data(state.K)
    rows = np.arange(1, SHOWN + 1)
    kept = rows <= state.rank
    parts["kept"].set_data(rows[kept], state.kappa[:SHOWN][kept])
    parts["zeros"].set_data(rows[~kept], np.full((~kept).sum(), FLOOR))
    for curve, values in zip(parts["curves"], state.functions.T, strict=True):
        curve.set_data(GRID, values)
    parts["formula"].set_text(f"k(x, z) = {state.formula}")
    parts["features"].set_text(f"Φ(x): {_counted(state)}{_listed(state, 70)}")
    limit = standard(1.1 * state.tallest)
    if reframed(parts["functions"], limit):
        parts["functions"].set(ylim=(-limit, limit))
        parts["functions"].set_yticks([-limit, 0, limit], [short(v) for v in (-limit, 0, limit)])


def _counted(state):
    if state.D is None:
        return "infinitely many features"
    return f"{state.D} feature" + "s" * (state.D > 1)


def _listed(state, room):
    """The names, as far as they fit."""
    kept = list(state.names)
    while len(", ".join(kept)) > room:
        kept.pop()
    dots = ", …" * (len(kept) < len(state.names))
    return f": {', '.join(kept)}{dots}" if kept else ""


def describe(state):
    text = f"k(x, z) = {state.formula} has {_counted(state)}{_listed(state, 60)}. "
    seen = "above 10⁻⁸ of the largest"
    if state.D is None and state.rank == 1:
        return text + f"On these 61 points 1 eigenvalue is {seen}: every function drawn from it has one shape."
    if state.D is None:
        text += f"On these 61 points {state.rank} eigenvalues are {seen}: "
        return text + f"a function drawn from it is, to the eye, a combination of {state.rank} shapes."
    if state.different < state.D:
        text += f"Only {state.different} of them differ{'s' * (state.different == 1)} by more than a factor: "
    if state.rank < state.different:
        return text + f"K has {_eigenvalues(state)} {seen}, and the others are too small to be seen."
    if state.different < state.D:
        return text + f"K has {_eigenvalues(state)} above 0."
    return text + f"Every function drawn from it is a combination of these, and K has rank {state.rank}."


def _eigenvalues(state):
    return "1 eigenvalue" if state.rank == 1 else f"{state.rank} eigenvalues"


def _tell_gram(state, x, y):
    i, j = (int(np.abs(GRID - v).argmin()) for v in (x, y))
    return f"k({read_off(x)}, {read_off(y)}) = {read_off(state.K[i, j])} of the largest"


def _tell_eigenvalue(state, x, y):
    i = round(x)
    return f"eigenvalue {i}: {short(state.kappa[i - 1], 2)} of the largest" if 1 <= i <= min(SHOWN, state.rank) else ""


def code(**values):
    k, _ = kernel(**values)
    wave_code = "\ndef wave(X):\n    return np.cos(2 * X[..., 0])\n\n" if values["more"] == "f k f" else ""
    k_code = f"Conjugate(wave, {k.k!r})" if wave_code else repr(k)
    return (
        f"import numpy as np\nfrom kernelkit import *\n{wave_code}\nk = {k_code}\nX = np.linspace(-2, 2, 61)[:, None]\n"
        "kappa, U = np.linalg.eigh(k(X))\nprint(kappa[::-1] / kappa[-1])\n"
        "xi = np.random.default_rng(1).standard_normal((61, 5))\n"
        "functions = U @ (np.sqrt(np.maximum(kappa, 0))[:, None] * (U.T @ xi))"
    )


KINDS = {
    "line: c·xz": "line",
    "polynomial: (xz + 1)ᵖ": "polynomial",
    "bumps: Gaussian": "bumps",
    "constant: c": "constant",
}


def _numbers(i, kind):
    """The sliders of one leaf, each shown where the leaf has such a number."""

    def shown(*kinds):
        return lambda v: v[kind] in kinds and (i == 1 or v["joined"] != "first")

    c, p, sigma = f"c{i}", f"p{i}", f"sigma{i}"
    return (
        Slider(c, f"c of k{'₁₂'[i - 1]}", 1.0, 0.25, 3.0, 0.25, when=shown("line", "constant")),
        Slider(p, f"p of k{'₁₂'[i - 1]}", 2, 1, 3, 1, when=shown("polynomial")),
        Slider(sigma, f"σ of k{'₁₂'[i - 1]}", 0.5, 0.1, 2.0, 0.05, when=shown("bumps")),
    )


algebra = Explorer(
    title="Kernel algebra",
    controls=(
        Choice("first", "k₁", "line", KINDS),
        *_numbers(1, "first"),
        Choice("joined", "then", "+", {"k₁ + k₂": "+", "k₁ · k₂": "·", "k₁ alone": "first"}),
        Choice("second", "k₂", "bumps", KINDS, when=lambda v: v["joined"] != "first"),
        *_numbers(2, "second"),
        Choice(
            "more",
            "and once more",
            "",
            {
                "nothing": "",
                "k + 1": "+ 1",
                "k²": "squared",
                "exp(k)": "exp",
                "cos 2x · k · cos 2z": "f k f",
            },
        ),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    tell={"gram": _tell_gram, "eigen": _tell_eigenvalue},
    scenes={
        "Line times bumps": {"joined": "·"},
        "A square of a sum": {"second": "constant", "more": "squared"},
        "exp of a line": {"joined": "first", "more": "exp"},
        "Bumps with silent places": {"joined": "first", "first": "bumps", "more": "f k f"},
    },
    question=Question(
        "A line plus bumps likes a trend with wiggles on it. What functions does the line times bumps like?",
        ("straight lines again", "a trend with smaller wiggles", "wiggles that grow away from 0"),
        2,
        "Features of a product are products of features: x times a bump. At 0 all of them vanish, and far out they are "
        "tall; k(x, x) = x² says how large a function is at x.",
        scene="Line times bumps",
    ),
)
