"""Notebook 02. Do the constants matter?"""

from math import comb
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off, short
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE
from kernelkit.features import Function

GRID = np.linspace(-1, 1, 161)[:, None]
SEEN = 0.05  # the largest difference is marked if it is larger
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
    curves = figure.add_axes((0.065, 0.135, 0.55, 0.775), xlim=(-1.05, 1.05), xticks=[-1, -0.5, 0, 0.5, 1])
    curves.set_xlabel("$x$")
    curves.set_title("two fits of the same polynomials")
    curves.text(0.03, 0.95, "constants from $(xz+1)^p$: solid", color=GREEN, va="center", transform=curves.transAxes)
    curves.text(0.03, 0.88, r"plain $1, x, \ldots, x^p$: dashed", color=PURPLE, va="center", transform=curves.transAxes)
    bars = figure.add_axes((0.69, 0.135, 0.295, 0.775))
    bars.set_xlabel("power $j$ of $x$")
    bars.set_title("constant of $x^j$ in Φ")
    return {
        "curves": curves,
        "bars": bars,
        "between": curves.add_collection(LineCollection([], color="#D5D5D5", linewidth=3, zorder=0, animated=True)),
        "gap": curves.plot([], [], "-_", color=INK, ms=9, mew=1.6, linewidth=1.6, animated=True, zorder=5)[0],
        "points": curves.plot([], [], "o", color=GREY, ms=5, animated=True)[0],
        "weighted": curves.plot([], [], "-", color=GREEN, linewidth=2.6, animated=True)[0],
        "plain": curves.plot([], [], "--", color=PURPLE, linewidth=2.2, animated=True)[0],
        "ones": bars.plot([], [], "--", color=PURPLE, linewidth=2, animated=True, zorder=4)[0],
        "constants": bars.add_collection(PolyCollection([], facecolor=GREEN, animated=True)),
    }


def draw(parts, state):
    x = GRID[:, 0]
    parts["points"].set_data(state.X[:, 0], state.y)
    parts["weighted"].set_data(x, state.weighted)
    parts["plain"].set_data(x, state.plain)
    both = [np.column_stack([x, h]) for h in (state.weighted, state.plain)]
    parts["between"].set_segments(np.stack(both, axis=1))
    i = np.abs(state.weighted - state.plain).argmax()
    seen = abs(state.weighted[i] - state.plain[i]) > SEEN
    parts["gap"].set_data([x[i]] * 2 if seen else [], [state.weighted[i], state.plain[i]] if seen else [])
    parts["ones"].set_data([-0.5, state.p + 0.5], [1, 1])
    parts["constants"].set_verts(
        [[(j - 0.4, 0), (j + 0.4, 0), (j + 0.4, h), (j - 0.4, h)] for j, h in enumerate(state.root)]
    )
    _frame(parts["curves"], parts["bars"], state)


def _frame(curves, bars, state):
    """Limits that seldom move: for steep and for flat data, for degrees to 5 and to 9."""
    reach = 2 if np.abs(state.y).max() < 2.2 else 3
    most, high = (5, 4) if state.p <= 5 else (9, 12)
    if reframed(bars, reach, most):
        curves.set(ylim=(-1.1 * reach, 1.1 * reach), yticks=range(-reach, reach + 1))
        bars.set(xlim=(-0.7, most + 0.7), ylim=(0, high), xticks=range(most + 1), yticks=range(0, high + 1, high // 4))


def readout(state):
    return {
        "degree p": state.p,
        "λ": short(state.lam),
        "largest difference of the fits": amount(np.abs(state.weighted - state.plain).max()),
        "largest constant in Φ": f"√{comb(state.p, state.p // 2)} ≈ {state.root.max():.2f}",
    }


def _tell_curves(state, x, y):
    both = [np.interp(x, GRID[:, 0], h) for h in (state.weighted, state.plain)]
    return f"solid {read_off(both[0])}, dashed {read_off(both[1])}"


def _tell_constant(state, x, y):
    j = int(np.clip(round(x), 0, state.p))
    return f"√{comb(state.p, j)} ≈ {state.root[j]:.2f}"


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
    readout=readout,
    shows="On the left the points over x and two fits of polynomials: solid with the constants of the kernel in Φ, "
    "dashed with plain powers. Grey lines join them, and where they are clearly apart, a black bar marks the largest "
    "difference. On the right the constant of each power of x, with a dashed line at 1.",
    code=code,
    film=("lam",),
    scenes={
        "Almost no penalty": {"lam": 1e-6},
        "Strong penalty": {"lam": 10.0},
        "Degree 1": {"p": 1},
    },
    question=NoQuestion(because="the text just above asks when the two fits agree"),
    tell={"curves": _tell_curves, "bars": _tell_constant},
    motion=True,
)
