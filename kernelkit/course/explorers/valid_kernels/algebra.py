"""Notebook 09. Kernel algebra: two kernels, an operation, once more, and what functions the result likes."""

from itertools import accumulate
from types import SimpleNamespace

import numpy as np

from kernelkit import Conjugate, Constant, Exp, Gaussian, Linear, Polynomial, Pullback, Quadratic
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Field, HLine, Image, Line, Text, VLine
from kernelkit.course.panel.numbers import read_off, short, tens
from kernelkit.course.panel.parts import plane_points, standard
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE
from kernelkit.latex import plain

GRID = np.linspace(-2, 2, 61)
SIDE = np.linspace(-2, 2, 15)  # of the grid of points with two inputs
FINE = np.linspace(-2, 2, 41)
FLOOR = 1e-8  # eigenvalues below this part of the largest count as 0 and are drawn on this line
SEEN = 1e-4  # above this part of the largest an eigenvalue's shape is seen: it is 1 % as high, the root of this part
SILENT = (-np.pi / 4, np.pi / 4)  # where wave is 0
SHOWN = 20  # eigenvalues
MOST = 300  # features whose names are written
TINY = 1e-300
RNG = np.random.default_rng(1)
DRAWS = RNG.standard_normal((len(GRID), 5))
DRAW_OF_TWO = RNG.standard_normal((len(SIDE) ** 2, 1))
DIRECTIONS = RNG.standard_normal((4, len(SIDE) ** 2))
INKS = (INK, PURPLE, GREEN, GREY, "#B8860B")
SIZES = Axis("", FLOOR / 4, 4, (1e-8, 1e-4, 1), (tens(-8), tens(-4), "1"), log=True)
PAINT = scale(BLUE, ORANGE, 1.0)


def points(inputs):
    """The points that K is about: 61 on a line, or 225 over a plane."""
    return GRID[:, None] if inputs == 1 else plane_points(SIDE, SIDE)


def wave(X):
    """f(x) = cos 2x, of the rule f(x) k(x, z) f(z); of two inputs the first."""
    return np.cos(2 * X[..., 0])


def squares(X):
    """f(x) = x², of the rule k(f(x), f(z)); of two inputs each by itself."""
    return X**2


def leaf(inputs, x, z, kind, c, a, p, sigma):
    """A kernel to begin with, and how it is written of x and z."""
    if inputs == 1:
        A, product, distance = [[c]], f"{x}{z}", f"({x} − {z})²"
    else:
        first = f"{x}ᵀ" if x == "x" else f"({x})ᵀ"
        A, product, distance = [[1.0, a], [a, 1.0]], f"{first}{z}", f"|{x} − {z}|²"
    scaled = f"{short(c)}·{product}" if c != 1 else product
    kernels = {
        "line": (c * Linear(), scaled),
        "A": (Quadratic(A), scaled if inputs == 1 else product.replace("ᵀ", "ᵀA")),
        "polynomial": (Polynomial(p), f"({product} + 1){' ²³'[p - 1].strip()}"),
        "bumps": (Gaussian(sigma), f"exp(−{distance}/{short(2 * sigma**2)})"),
        "constant": (Constant(c), short(c)),
    }
    return kernels[kind]


def joined_by(operation, left, right):
    (k1, text1), (k2, text2) = left, right
    if operation == "+":
        return k1 + k2, f"{text1} + {text2}"
    return (k1 * k2, f"{text1} · {text2}") if operation == "·" else left


def once_more(rule, times, inputs, k, text):
    """The rule of one kernel that is applied last, and how the result is written."""
    x, z = ("x", "z") if inputs == 1 else ("x₁", "z₁")
    return {
        "": lambda: (k, text),
        "c k": lambda: (times * k, f"{short(times)}·{_factor(text)}"),
        "+ 1": lambda: (k + 1, f"{text} + 1"),
        "squared": lambda: (k**2, f"({text})²"),
        "exp": lambda: exp_of(k, points(inputs), text),
        "f k f": lambda: (Conjugate(wave, k), f"cos 2{x} · {_factor(text)} · cos 2{z}"),
        "k(f, f)": lambda: (Pullback(k, squares), text),
    }[rule]()


def _factor(text):
    """A formula that is to be multiplied: a sum in brackets, anything else as it is."""
    depth = accumulate((sign == "(") - (sign == ")") for sign in text)
    return f"({text})" if any(sign == "+" and not deep for sign, deep in zip(text, depth, strict=True)) else text


def exp_of(k, X, text):
    """exp(k), or exp(k/c) with a round c where the numbers could not be drawn."""
    largest = k.diag(X).max()
    if largest <= 20:
        return Exp(k), f"exp({text})"
    c = standard(largest / 10)
    return Exp(1 / c * k), f"exp(({text})/{short(c)})"


def kernel(inputs, first, c1, a1, p1, sigma1, joined, second, c2, a2, p2, sigma2, more, times):
    """The kernel that the controls say, and its formula."""
    names = ("x²", "z²") if more == "k(f, f)" else ("x", "z")
    left, right = leaf(inputs, *names, first, c1, a1, p1, sigma1), leaf(inputs, *names, second, c2, a2, p2, sigma2)
    return once_more(more, times, inputs, *joined_by(joined, left, right))


def compute(inputs, z, **values):
    k, formula = kernel(inputs, **values)
    X = points(inputs)
    K = k(X)
    kappa, U = np.linalg.eigh(K)
    kappa = np.maximum(kappa, 0)
    D, names, different = features(k, X)
    draws = DRAWS if inputs == 1 else DRAW_OF_TWO
    functions = U @ (np.sqrt(kappa)[:, None] * (U.T @ draws))  # K^½ ξ has the covariance K
    shown = K if inputs == 1 else k(plane_points(FINE, FINE), np.array(z)).reshape(len(FINE), -1)
    return SimpleNamespace(
        formula=formula,
        n=len(X),
        D=D,
        names=names,
        different=different,
        shown=shown / max(np.abs(shown).max(), TINY),
        kappa=kappa[::-1] / kappa[-1],
        functions=functions,
        rank=int(np.sum(kappa > FLOOR * kappa[-1])),
        seen=int(np.sum(kappa > SEEN * kappa[-1])),
        tallest=float(np.abs(functions).max()),
        band=2 * np.sqrt(np.diag(K)),  # 95 of 100 functions are within it at any one place
    )


def features(k, X):
    """How many features k has, their names, and how many are no multiple of another; None where they have no end."""
    try:
        phi = k.feature_map()
    except ValueError:
        return None, (), None
    D = phi.dim(X.shape[1])
    names = [_named(name, X.shape[1]) for name in phi.names(X.shape[1])] if D <= MOST else []
    Phi = phi(X)
    lengths = np.linalg.norm(Phi, axis=0)
    Phi = Phi / np.where(lengths > 0, lengths, 1)
    seen = DIRECTIONS[:, : len(X)] @ Phi  # who differs by a sign, differs here, too
    seen = np.round(seen * np.sign(seen[0]), 7)
    return D, tuple(map(plain, names)), np.unique(seen, axis=1).shape[1]


def _named(name, inputs):
    for j in range(inputs):
        name = name.replace(rf"\mathrm{{squares}}(x)_{{{j + 1}}}", f"x_{j + 1}^2")
    name = name.replace(r"\mathrm{wave}(x)", "cos 2x" if inputs == 1 else "cos 2x_1")
    return (name.replace("x_1", "x") if inputs == 1 else name).replace("-", "−")


def picture(s):
    two = s.inputs == 2
    x, y = ("$x_1$", "$x_2$") if two else ("$x$", "$z$")
    gram = Axes(
        f"$k(x, z)${', $z$ at ×' if two else ''}: orange > 0, blue < 0",
        Axis(x, -2, 2, (-2, 2)),
        Axis(y, -2, 2, (-2, 2)),
        Image(DIVERGING(0.5 + 0.5 * s.shown, bytes=True)[..., :3], (-2, 2, -2, 2)),
        Dots(*np.transpose(s.z), INK, marker="X", size=12, rim=1.2) if two else None,
        Text(0.02, 0.93, f"k(x, z) = {s.formula}", size=15, up="center", of="figure"),
        Text(0.02, 0.82, f"Φ(x): {_counted(s)}{_listed(s, 70)}", up="center", of="figure"),
        name="gram",
        place=(0.045, 0.12, 0.2932, 0.54),
        equal=True,
        dress=_labels_inside,
    )
    return [[gram, _eigenvalues(s), _functions(s, x, y)]]


def _labels_inside(ax):
    ax.xaxis.labelpad = -10
    ax.yaxis.labelpad = -8
    ax.yaxis.label.set(rotation=0, va="center")


def _eigenvalues(s):
    rows = np.arange(1, SHOWN + 1)
    kept = rows <= s.rank
    return Axes(
        f"eigenvalue ÷ largest\n× below {tens(-8)}",
        Axis("", 0, SHOWN + 1, (1, 10, 20)),
        SIZES,
        Dots(rows[kept], s.kappa[:SHOWN][kept], size=5.5, edge=INK, rim=1.0),
        Dots(rows[~kept], FLOOR, GREY, marker="x", size=6, rim=1.5),
        name="eigen",
        place=(0.415, 0.12, 0.2, 0.54),
    )


def _functions(s, x, y):
    """Functions that the kernel likes: five curves, or with two inputs a map of one."""
    two = s.inputs == 2
    if two:
        ground, lines = Field(s.functions.reshape(len(SIDE), -1) / max(s.tallest, TINY), PAINT), []
    else:
        ground, lines = HLine(0, GREY), [Line(GRID, s.band * sign, GREY, width=1.2, style="--") for sign in (1, -1)]
        lines += [Line(GRID, h, ink, width=1.8) for h, ink in zip(s.functions.T, INKS, strict=True)]
    limit = 2.0 if two else standard(1.1 * max(s.tallest, s.band.max()))
    ticks = -limit, 0, limit
    return Axes(
        "a function it likes" if two else "five functions it likes\ndashed: $\\pm 2\\sqrt{k(x, x)}$",
        Axis(x, -2, 2, (-2, 0, 2)),
        Axis(y if two else "", -limit, limit, ticks, map(short, ticks)),
        ground,
        *(VLine(place, width=1, style=":", name="silent") if s.more == "f k f" else None for place in SILENT),
        *lines,
        place=(0.695, 0.12, 0.29, 0.54),
        dress=_label_above_the_middle,
    )


def _label_above_the_middle(ax):
    ax.yaxis.labelpad = -8
    ax.yaxis.label.set(y=0.75, rotation=0, va="center")


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


def readout(state):
    return {
        "features": {None: "infinitely many"}.get(state.D, state.D),
        "of them different but for a factor": state.different,
        "eigenvalues above 10⁻⁸ of the largest": f"{state.rank} of {state.n}",
        "above 10⁻⁴ of it": state.seen,
    }


def _tell_gram(state, x, y):
    if state.inputs == 2:
        i, j = (int(np.abs(FINE - v).argmin()) for v in (y, x))
        return f"k(x, z) = {read_off(state.shown[i, j])} of the largest"
    i, j = (int(np.abs(GRID - v).argmin()) for v in (x, y))
    return f"k({read_off(x)}, {read_off(y)}) = {read_off(state.shown[i, j])} of the largest"


def _tell_eigenvalue(state, x, y):
    i = round(x)
    return f"eigenvalue {i}: {short(state.kappa[i - 1], 2)} of the largest" if 1 <= i <= min(SHOWN, state.rank) else ""


GIVEN = {
    "f k f": "\ndef wave(X):\n    return np.cos(2 * X[..., 0])\n\n",
    "k(f, f)": "\ndef squares(X):\n    return X**2\n\n",
}


def code(inputs, z, **values):
    k, _ = kernel(inputs, **values)
    written = {"f k f": "Conjugate(wave, {})", "k(f, f)": "Pullback({}, squares)"}.get(values["more"])
    k_code = written.format(repr(k.k)) if written else repr(k)
    X = "np.linspace(-2, 2, 61)[:, None]"
    if inputs == 2:
        X = "np.array([(x, y) for y in np.linspace(-2, 2, 15) for x in np.linspace(-2, 2, 15)])"
    draws = "(61, 5)" if inputs == 1 else "(225, 1)"
    lines = [
        "import numpy as np",
        "from kernelkit import *",
        GIVEN.get(values["more"], ""),
        f"k = {k_code}",
        f"X = {X}",
    ]
    lines += [f"K_z = k(X, np.array({z[0]}))"] if inputs == 2 else []
    lines += ["kappa, U = np.linalg.eigh(k(X))", "print(kappa[::-1] / kappa[-1])"]
    lines += [f"xi = np.random.default_rng(1).standard_normal({draws})"]
    return "\n".join([*lines, "functions = U @ (np.sqrt(np.maximum(kappa, 0))[:, None] * (U.T @ xi))"])


KINDS = {
    "line: c·xᵀz": "line",
    "stretched: xᵀAz": "A",
    "polynomial: (xᵀz + 1)ᵖ": "polynomial",
    "bumps: Gaussian": "bumps",
    "constant: c": "constant",
}


def _numbers(i, kind):
    """The sliders of one leaf, each shown where the leaf has such a number."""

    def there(v):
        return i == 1 or v["joined"] != "first"

    def shown(*kinds):
        return lambda v: v[kind] in kinds and there(v)

    def scaled(v):
        return there(v) and (v[kind] in ("line", "constant") or (v[kind], v["inputs"]) == ("A", 1))

    def coupled(v):
        return there(v) and (v[kind], v["inputs"]) == ("A", 2)

    c, a, p, sigma = f"c{i}", f"a{i}", f"p{i}", f"sigma{i}"
    return (
        Slider(c, f"c of k{'₁₂'[i - 1]}", 1.0, 0.25, 3.0, 0.25, when=scaled, more=True),
        Slider(a, f"A₁₂ of k{'₁₂'[i - 1]}, A₁₁ = A₂₂ = 1", 0.5, -1.0, 1.0, 0.1, when=coupled),
        Slider(p, f"p of k{'₁₂'[i - 1]}", 2, 1, 3, 1, when=shown("polynomial")),
        Slider(sigma, f"σ of k{'₁₂'[i - 1]}", 0.5, 0.1, 2.0, 0.05, when=shown("bumps")),
    )


algebra = panel(
    compute,
    picture,
    readout,
    code,
    Choice("inputs", "inputs", 1, {"one: x": 1, "two: x = (x₁, x₂)": 2}),
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
            "c·k": "c k",
            "k + 1": "+ 1",
            "k²": "squared",
            "exp(k)": "exp",
            "cos 2x · k · cos 2z": "f k f",
            "k(f(x), f(z)), f(x) = x²": "k(f, f)",
        },
    ),
    Slider("times", "c of c·k", 2.0, 0.25, 3.0, 0.25, when=lambda v: v["more"] == "c k"),
    Points("z", "z", ((1.0, 0.5),), (-2, -2), (2, 2), "gram", ("z₁", "z₂"), when=lambda v: v["inputs"] == 2, more=True),
    title="Kernel algebra",
    shows="On the left the values of k for two points x and z as colours, orange above 0 and blue below; with two "
    "inputs z is at the cross. In the middle the eigenvalues of K by size on a scale of powers of ten, with a "
    "cross where one is too small to be drawn. On the right functions that the kernel likes: five curves, or "
    "with two inputs one map.",
    tell={"gram": _tell_gram, "eigen": _tell_eigenvalue},
    film=("sigma2",),
    scenes={
        "Line times bumps": {"joined": "·"},
        "A square of a sum": {"second": "constant", "more": "squared"},
        "exp of a line": {"joined": "first", "more": "exp"},
        "Bumps with silent places": {"joined": "first", "first": "bumps", "more": "f k f"},
        "Bumps of x²": {"joined": "first", "first": "bumps", "more": "k(f, f)"},
        "xᵀAz, A₁₂ = 0.8": {"inputs": 2, "joined": "first", "first": "A", "a1": 0.8},
        "A singular": {"inputs": 2, "joined": "first", "first": "A", "a1": 1.0},
        "Bumps along one line": {"inputs": 2, "joined": "·", "first": "A", "a1": -1.0},
        "Three times a sum": {"more": "c k", "times": 3.0},
    },
    says={
        "A square of a sum": "The features are powers of x up to 2, so K has rank 3, and every function is a parabola.",
        "Bumps with silent places": "Every feature is multiplied by cos 2x, so every function is 0 at x = ±π/4.",
        "A singular": "The only feature is x₁ + x₂, so the function is constant where this sum is.",
    },
    question=Question(
        "A line plus bumps likes a trend with wiggles on it. Which functions does a line times bumps like?",
        ("straight lines again", "a trend with smaller wiggles", "wiggles that grow away from 0"),
        2,
        "The features of the product are x times a feature of the bumps. At 0 all of them are 0, and far out they are "
        "large. So are the functions, because k(x, x) = x² says how large a function is at x.",
        scene="Line times bumps",
    ),
)
