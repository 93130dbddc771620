"""Notebook 03. Singular K, and λ → 0."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import KernelRidge, Polynomial, datasets
from kernelkit.course.explorers.drawing.ridge_curves import GRID
from kernelkit.course.panel.controls import NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import THIN, read_off, short, tens
from kernelkit.course.panel.parts import Bars, powers_of_ten, reframed, standard
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, sign_colours

FLOOR = 1e-10  # eigenvalues below are drawn on this line


def compute(n, degree, noise, lam, shift):
    X, y = datasets.cubic(n, noise)
    X, k = X / 3, Polynomial(degree)
    K, D = k(X), k.feature_map().dim(1)
    model = KernelRidge(k, lam).fit(X, y)
    values, U = np.linalg.eigh(K)
    rank = min(n, D)  # the points are distinct, so no other rank is possible
    flat = U[:, : n - rank]  # Kv = 0 for every combination v of these
    a = model.a_ + shift * flat @ (flat.T @ (-1.0) ** np.arange(n))
    h = k(GRID[:, None], X) @ a
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        n=n,
        D=D,
        rank=rank,
        lam=lam,
        a=a,
        h=h,
        values=values[::-1],
        r=y - K @ a,
        residual=float(np.abs(K @ a - y).max()),
        largest=float(np.abs(a).max()),
    )


def build(figure):
    axes = figure.subplot_mosaic([["curve", "eigenvalues"], ["curve", "weights"]], width_ratios=(6, 5))
    curve, eigenvalues, weights = axes.values()
    curve.set(title="predictions, and what they miss", xlabel="$x$", xlim=(-1.05, 1.05), ylim=(-4.2, 4.2))
    curve.set(xticks=[-1, 0, 1], yticks=[-4, -2, 0, 2, 4])
    eigenvalues.set(title="eigenvalues of $K$ by size (× is 0)", xlim=(0, 21), xticks=[])
    powers_of_ten(eigenvalues, "y", FLOOR / 5, 2e3, lambda v: "1" if v == 1 else tens(round(np.log10(v))), most=4)
    weights.set(xlabel="training points, from left to right", xlim=(0, 21))
    weights.set_xticks([1, 5, 10, 15, 20])
    return axes | {
        "stems": curve.add_collection(LineCollection([], linewidths=2.5, animated=True)),
        "h": curve.plot([], [], color=INK, animated=True)[0],
        "dots": curve.plot([], [], "o", ms=6.5, color=GREY, mec="white", mew=0.7, animated=True)[0],
        "kept": eigenvalues.plot([], [], "o", ms=6, color=GREEN, animated=True)[0],
        "zeros": eigenvalues.plot([], [], "x", ms=7, mew=2, color=GREY, animated=True)[0],
        "lam": eigenvalues.axhline(1, color=PURPLE, ls="--", lw=1.4, animated=True),
        "word": eigenvalues.text(20.9, 1, "λ", color=PURPLE, ha="right", va="bottom", animated=True),
        "bars": Bars(weights, longest="−5·10⁵"),
        "largest": weights.set_title("dual weights $a_i$", animated=True),
    }


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    parts["h"].set_data(GRID, state.h)
    parts["stems"].set_segments([[(x, y), (x, y - r)] for x, y, r in zip(state.X, state.y, state.r, strict=True)])
    parts["stems"].set_color(sign_colours(state.r))
    rows = np.arange(1, state.n + 1)
    parts["kept"].set_data(rows[: state.rank], np.maximum(state.values[: state.rank], FLOOR))
    parts["zeros"].set_data(rows[state.rank :], np.full(state.n - state.rank, FLOOR))
    parts["lam"].set_ydata([state.lam] * 2)
    parts["word"].set_y(state.lam)
    parts["bars"].show(rows, state.a)
    largest = short(state.largest).replace(THIN, r"$\,$")  # among formulas no font has a thin space
    parts["largest"].set_text(f"dual weights $a_i$, the largest {largest}")
    limit = standard(state.largest)
    if reframed(parts["weights"], limit):
        parts["bars"].frame(limit, short if limit < 1e5 else _power)


def _power(value):
    """5·10⁵, short enough for an axis."""
    digit, power = f"{abs(value):.0e}".split("e")
    sign, digit = "−" * (value < 0), "" if digit == "1" else f"{digit}·"
    return f"{sign}{digit}{tens(power)}" if value else "0"


def readout(state):
    return {
        "λ": short(state.lam),
        "features D": state.D,
        "rank of K": f"{state.rank} of {state.n}",
        "largest miss": f"{state.residual:.2f}",
        "largest |aᵢ|": short(state.largest),
    }


def _tell_curve(state, x, y):
    return f"h({read_off(x)}) = {read_off(np.interp(x, GRID, state.h))}" if abs(x) <= 1 else ""


def _tell_eigenvalue(state, x, y):
    i = round(x)
    if not 1 <= i <= state.n:
        return ""
    return f"eigenvalue {i}: {short(state.values[i - 1]) if i <= state.rank else 0}"


def _tell_weight(state, x, y):
    i = round(x)
    return f"a = {short(state.a[i - 1])}" if 1 <= i <= state.n else ""


def code(n, degree, noise, lam, shift):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.cubic({n}, noise={noise!r})\nX = X / 3  # into [−1, 1]\nk = Polynomial({degree})\n"
        f"a = KernelRidge(k, lam={lam!r}).fit(X, y).a_\nvalues, U = np.linalg.eigh(k(X))\n"
        "flat = U[:, : max(0, len(X) - k.feature_map().dim(1))]  # Kv = 0 for their combinations v\n"
        f"a = a + {shift!r} * flat @ (flat.T @ (-1.0) ** np.arange(len(X)))\n"
        "print(values[::-1])\nprint(a)\nprint(k(X) @ a - y)"
    )


singular = Explorer(
    title="Singular K, and λ → 0",
    controls=(
        Slider("n", "points n", 12, 2, 20, 1),
        Slider("degree", "degree p", 3, 1, 6, 1),
        Slider("noise", "noise in y", 0.3, 0.0, 0.5, 0.05),
        Slider("lam", "λ", 1.0, 1e-8, 10.0, 0.25, log=True),
        Slider("shift", "add shift · v", 0.0, 0.0, 10.0, 0.5, when=lambda v: v["n"] > v["degree"] + 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left are the targets over x, the curve h(x), and a line from each target to the curve. On the "
    "right are, above, the eigenvalues of K by size on a scale of powers of ten, with a cross where one is 0 "
    "and a dashed line at λ, and below the dual weight of each point.",
    code=code,
    tell={"curve": _tell_curve, "eigenvalues": _tell_eigenvalue, "weights": _tell_weight},
    film=("lam",),
    scenes={
        "λ near 0": {"lam": 1e-6},
        "No noise": {"noise": 0.0, "lam": 1e-6},
        "n ≤ D: K invertible": {"n": 4, "lam": 1e-6},
        "Another a": {"lam": 0.01, "shift": 10.0},
    },
    question=NoQuestion(because="the text just above asks what the curve and the dual weights do"),
)
