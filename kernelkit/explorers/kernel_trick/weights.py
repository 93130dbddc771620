"""Notebook 02. Do the constants matter?."""

from math import comb
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.features import Function
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, GREY, INK, ORANGE

GRID = np.linspace(-1, 1, 161)[:, None]
DATA = {"sine": datasets.sine, "cubic": datasets.cubic, "step": datasets.step}


def plain_monomials(p):
    """Φ(x) = (1, x, …, x^p) for one input, without any weights."""
    return Function(lambda X: X ** np.arange(p + 1))


def compute(data, p, lam):
    X, y = DATA[data](30, 0.15, random_state=1)
    X = X / 3
    weighted = KernelRidge(Polynomial(p), lam).fit(X, y).predict(GRID)
    plain = PrimalRidge(plain_monomials(p), lam).fit(X, y).predict(GRID)
    root = np.sqrt([comb(p, j) for j in range(p + 1)])
    return SimpleNamespace(X=X, y=y, p=p, lam=lam, weighted=weighted, plain=plain, root=root)


def build(figure):
    curves, bars = figure.subplots(1, 2, width_ratios=(1.7, 1))
    figure.subplots_adjust(left=0.07, right=0.98, bottom=0.15, top=0.88, wspace=0.25)
    curves.set(xlim=(-1.05, 1.05), ylim=(-2.2, 2.2), xlabel="$x$")
    bars.set(xlim=(-0.7, 9.7), ylim=(0, 12), xlabel="power $j$ of $x$", xticks=range(0, 10))
    bars.set_title("constant of $x^j$ in Φ", size=11)
    return {
        "points": curves.plot([], [], "o", color=GREY, ms=5, animated=True)[0],
        "weighted": curves.plot([], [], "-", color=ORANGE, animated=True)[0],
        "plain": curves.plot([], [], "--", color=BLUE, animated=True)[0],
        "names": [
            curves.text(-1, 2.0, "weighted, $(xz+1)^p$: solid", color=ORANGE, va="center"),
            curves.text(-1, 1.7, "plain $1, x, \\ldots, x^p$: dashed", color=BLUE, va="center"),
        ],
        "bars": bars.add_collection(PolyCollection([], facecolor=ORANGE, edgecolor=INK, animated=True)),
        "one": bars.axhline(1, color=BLUE, linestyle="--", linewidth=1.5),
    }


def draw(parts, state):
    parts["points"].set_data(state.X[:, 0], state.y)
    parts["weighted"].set_data(GRID[:, 0], state.weighted)
    parts["plain"].set_data(GRID[:, 0], state.plain)
    parts["bars"].set_verts(
        [[(j - 0.4, 0), (j + 0.4, 0), (j + 0.4, h), (j - 0.4, h)] for j, h in enumerate(state.root)]
    )


def describe(state):
    gap = np.abs(state.weighted - state.plain).max()
    return (
        f"Degree {state.p}, λ = {state.lam:.2g}: the two curves differ by up to {gap:.3f}. "
        f"The largest constant in Φ is √{comb(state.p, state.p // 2)} ≈ {state.root.max():.2f}."
    )


def code(data, p, lam):
    return (
        "import numpy as np\nfrom kernelkit import KernelRidge, Polynomial, PrimalRidge, datasets\n"
        "from kernelkit.features import Function\n\n"
        f"X, y = datasets.{data}(30, 0.15, random_state=1)\nX = X / 3\n"
        f"weighted = KernelRidge(Polynomial({p}), {lam!r}).fit(X, y)\n"
        f"plain = PrimalRidge(Function(lambda X: X ** np.arange({p + 1})), {lam!r}).fit(X, y)\n"
        "print(weighted.predict([[0.5]]), plain.predict([[0.5]]))"
    )


weights = Explorer(
    title="Do the constants matter?",
    controls=(
        Choice("data", "data", "sine", tuple(DATA)),
        Slider("p", "degree p", 5, 1, 9, 1),
        Slider("lam", "penalty λ", 1.0, 1e-6, 100.0, 0.1, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Almost no penalty": {"lam": 1e-6},
        "Strong penalty": {"lam": 10.0},
        "Degree 1: all are 1": {"p": 1},
    },
    question=Question(
        "Both models can draw exactly the same polynomials. When will they draw the same curve?",
        ("always", "when λ goes to 0", "never, whatever λ is"),
        1,
        "Without a penalty both give the least-squares polynomial. A penalty on w charges a feature with a "
        "large constant less, so then the constants choose the curve.",
    ),
)
