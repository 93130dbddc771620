"""Notebook 04. Which partial sums are kernels?."""

from types import SimpleNamespace

import numpy as np

from kernelkit.panel.controls import Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed
from kernelkit.plots import GREEN, INK, ORANGE

TICKS = {-1000: "−1000", -10: "−10", -0.1: "−0.1", 0: "0", 0.1: "0.1", 10: "10", 1000: "1000"}


def exponential_sum(t, degree):
    """Σ_{j ≤ degree} t^j/j!, entry by entry."""
    term, total = np.ones_like(t), np.ones_like(t)
    for j in range(1, degree + 1):
        term = term * t / j
        total = total + term
    return total


def compute(degree, spread, count):
    X = np.linspace(-spread, spread, count)
    r, f = np.linspace(0, 4, 161), np.exp(-(X**2) / 2)
    in_r2 = exponential_sum(-((X[:, None] - X) ** 2) / 2, degree)
    split = np.outer(f, f) * exponential_sum(np.outer(X, X), degree)
    negative, positive = np.linalg.eigvalsh(in_r2), np.linalg.eigvalsh(split)
    rounding = 1e-12 * count * max(np.abs(negative).max(), 1)
    return SimpleNamespace(
        degree=degree, spread=spread, r=r, k=np.exp(-(r**2) / 2), cut=exponential_sum(-(r**2) / 2, degree),
        in_r2=np.where(np.abs(negative) > rounding, negative, 0),
        split=np.where(np.abs(positive) > rounding, positive, 0),
    )  # fmt: skip


def build(figure):
    left = figure.add_axes((0.075, 0.14, 0.42, 0.7), xlim=(0, 4), ylim=(-4, 4), xlabel=r"$r$, in units of $\sigma$")
    left.set_title("solid: $k$   dashed: the sum in $r^2$\nkernels with $k(x, x) = 1$ stay in the band", size=11)
    left.axhspan(-1, 1, color=GREEN, alpha=0.13, linewidth=0)
    left.axhline(0, color=INK, linewidth=0.8)
    r = np.linspace(0, 4, 161)
    left.plot(r, np.exp(-(r**2) / 2), color=GREEN, linewidth=3)
    cut = left.plot(r, r, "--", color=ORANGE, animated=True)[0]
    reach = left.axvline(1, color=INK, linestyle=":", linewidth=1.4, animated=True)
    name = left.text(0, 3.5, "", color=INK, animated=True)
    right = figure.add_axes((0.605, 0.14, 0.375, 0.7), xlim=(-0.6, 1.6), ylim=(-9000, 9000))
    right.set_yscale("symlog", linthresh=0.1)
    right.set_yticks(list(TICKS), list(TICKS.values()))
    right.minorticks_off()
    right.set_xticks([0, 1], ["sum in $r^2$", "right split"])
    right.set_title("eigenvalues of the matrix\n(below 0: not a kernel)", size=11)
    right.axhline(0, color=INK, linewidth=0.8)
    below = right.plot([], [], "x", color=ORANGE, ms=9, mew=2, animated=True)[0]
    above = right.plot([], [], "o", color=GREEN, ms=7, alpha=0.7, animated=True)[0]
    return {"cut": cut, "reach": reach, "name": name, "below": below, "above": above}


def draw(parts, state):
    parts["cut"].set_ydata(np.clip(state.cut, -99, 99))
    widest = 2 * state.spread
    parts["reach"].set_xdata([widest] * 2)
    parts["name"].set(
        text="widest pair",
        y=3.5 if state.degree % 2 else -3.75,  # the dashed curve leaves on the other side
        x=widest + (0.08 if widest < 2.4 else -0.08),
        ha="left" if widest < 2.4 else "right",
    )
    values = np.concatenate([state.in_r2, state.split])
    columns = np.repeat([0.0, 1.0], [len(state.in_r2), len(state.split)])
    parts["below"].set_data(columns[values < 0], values[values < 0])
    parts["above"].set_data(columns[values >= 0], values[values >= 0])


def describe(state):
    low, n = float(state.in_r2.min()), len(state.in_r2)
    start = (
        f"{n} points from −{state.spread:.2f} to {state.spread:.2f}, σ = 1, series up to degree {state.degree}. In r² "
    )
    if low < 0:
        start += f"the smallest eigenvalue is −{-low:.4g}: not a kernel. "
    elif state.degree == 0:
        start += "only the constant 1 is left: a kernel. "
    else:
        start += "no eigenvalue is negative for these points: pull them apart. "
    return start + "Of the right split f(x)·Σ(xz)ʲ/j!·f(z) none is ever negative: each of its terms is a kernel."


def code(degree, spread, count):
    return (
        "import numpy as np\nfrom math import factorial\nfrom kernelkit import Gaussian\n\n"
        f"X = np.linspace(-{typed(spread)}, {typed(spread)}, {count})[:, None]\ns = (X - X.T) ** 2 / 2\n"
        f"in_r2 = sum((-s) ** j / factorial(j) for j in range({degree} + 1))\n"
        f"Phi = Gaussian(1.0).feature_map(degree={degree})(X)\n"
        "print(np.linalg.eigvalsh(in_r2)[0])\nprint(np.linalg.eigvalsh(Phi @ Phi.T)[0])     # 0 up to rounding"
    )


signs = Explorer(
    title="Which partial sums are kernels?",
    controls=(
        Slider("degree", "up to degree m", 0, 0, 7, 1),
        Slider("spread", "points reach to ±", 1.0, 0.2, 2.0, 0.05),
        Slider("count", "number of points", 5, 2, 9, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Linear term": {"degree": 1},
        "Two points far apart": {"degree": 2, "spread": 1.5, "count": 2},
        "Looks fine": {"degree": 6, "spread": 0.5, "count": 3},
        "…pulled apart": {"degree": 6, "spread": 2.0, "count": 3},
    },
    question=Question(
        "Cut the series in r² after the linear term, 1 − r²/2σ². Which points give its matrix a negative "
        "eigenvalue?",
        ("none: it is a kernel", "two points more than 2σ apart, or any three on a line", "only very many points"),
        1,
        "Beyond r = 2σ the entry is below −1, too much for two unit vectors; and on three points of a line "
        "it fails at any distance.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
