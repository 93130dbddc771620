"""Notebook 04. Which partial sums are kernels?"""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.panel.parts import key
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

R = np.linspace(0, 4, 161)
REACHES = np.linspace(0.05, 2, 79)
TALL = 3  # where the axis of the sums ends
FLOOR = 2.3  # where the axis of the eigenvalues ends below
ZERO = 1e-11  # an eigenvalue this small is only rounding


def exponential_sum(t, degree):
    """Σ_{j ≤ degree} t^j/j!, entry by entry."""
    term, total = np.ones_like(t), np.ones_like(t)
    for j in range(1, degree + 1):
        term = term * t / j
        total = total + term
    return total


def eigenvalues(degree, reach, count):
    """Of the Gram matrices of points from −reach to reach, the correct split and the sum in r²: (2, count), rising."""
    X = np.linspace(-reach, reach, count)
    f = np.exp(-(X**2) / 2)
    in_r2 = exponential_sum(-((X[:, None] - X) ** 2) / 2, degree)
    split = np.outer(f, f) * exponential_sum(np.outer(X, X), degree)
    found = np.linalg.eigvalsh([split, in_r2])
    return np.where(np.abs(found) > ZERO, found, 0)


def compute(degree, spread, count):
    split, in_r2 = eigenvalues(degree, spread, count)
    gaps = 2 * spread * np.arange(1, count) / (count - 1)
    return SimpleNamespace(
        degree=degree,
        spread=spread,
        in_r2=in_r2,
        split=split,
        cut=exponential_sum(-(R**2) / 2, degree),
        gaps=gaps,
        entries=exponential_sum(-(gaps**2) / 2, degree),
        lowest=np.array([eigenvalues(degree, reach, count)[:, 0] for reach in REACHES]).T,
    )


def build(figure):
    return _sums(figure.add_axes((0.07, 0.145, 0.4, 0.75))) | _lowest(figure.add_axes((0.565, 0.145, 0.42, 0.75)))


def _sums(ax):
    ax.set(xlim=(0, 4), ylim=(-TALL, TALL), xlabel=r"distance $r$, in units of $\sigma$", xticks=range(5))
    ax.axhspan(-1, 1, color=GREY, alpha=0.13, linewidth=0)
    ax.text(3.95, -0.93, "kernels stay here", color=INK, ha="right", va="bottom")
    ax.axhline(0, color=INK, linewidth=0.8)
    k = ax.plot(R, np.exp(-(R**2) / 2), color=GREEN, linewidth=3)[0]
    cut = ax.plot(R, R, "--", color=PURPLE, linewidth=2.4, animated=True)[0]
    stems = ax.add_collection(LineCollection([], color=INK, linewidth=1.2, animated=True))
    look = {"color": INK, "mec": "white", "animated": True, "clip_on": False}
    pairs = ax.plot([], [], "o", ms=9, **look)[0]
    beyond = [ax.plot([], [], mark, ms=10, zorder=3, **look)[0] for mark in "v^"]
    key(ax, {"$k$": k, "sum in $r^2$": cut, "pairs": pairs})
    return {"sums": ax, "cut": cut, "stems": stems, "pairs": pairs, "beyond": beyond}


def _lowest(ax):
    ax.set(xlim=(0, 2.1), ylim=(-FLOOR, 1.7), xlabel="points from −reach to reach", xticks=[0, 0.5, 1, 1.5, 2])
    ax.set(ylabel="smallest eigenvalue", yticks=[-2, -1, 0, 1])
    ax.axhspan(-9, 0, color=GREY, alpha=0.13, linewidth=0)
    ax.text(0.05, -FLOOR + 0.1, "below 0: not a kernel", color=INK)
    ax.axhline(0, color=INK, linewidth=0.8)
    split = ax.plot(REACHES, 0 * REACHES, color=GREEN, linewidth=3, animated=True)[0]
    in_r2 = ax.plot(REACHES, 0 * REACHES, "--", color=PURPLE, linewidth=2.4, animated=True)[0]
    dots = [ax.plot([], [], color=c, mec="white", ms=11, animated=True)[0] for c in (GREEN, PURPLE)]
    values = [ax.text(0.05, y, "", color=c, animated=True) for y, c in ((1.45, GREEN), (1.17, PURPLE))]
    key(ax, {"correct split": split, "sum in $r^2$": in_r2})
    return {"lowest": ax, "split": split, "in_r2": in_r2, "dots": dots, "values": values}


def draw(parts, state):
    parts["cut"].set_ydata(np.clip(state.cut, -99, 99))
    inside = np.abs(state.entries) <= TALL
    parts["pairs"].set_data(state.gaps[inside], state.entries[inside])
    for sign, marks in zip((-1, 1), parts["beyond"], strict=True):  # at the edge, as they lie beyond it
        there = state.gaps[~inside & (sign * state.entries > 0)]
        marks.set_data(there, np.full(len(there), sign * (TALL - 0.2)))
    parts["stems"].set_segments([[(r, 0), (r, entry)] for r, entry in zip(state.gaps, state.entries, strict=True)])
    lowest = (state.split[0], state.in_r2[0])
    for name, curve, dot, text, value in zip(
        ("split", "in_r2"), state.lowest, parts["dots"], parts["values"], lowest, strict=True
    ):
        parts[name].set_ydata(np.clip(curve, -99, 99))
        dot.set(data=([state.spread], [max(value, 0.2 - FLOOR)]), marker="D" if value > -FLOOR else "v")
        text.set_text(f"smallest eigenvalue {short(value, 4)}")


def readout(state):
    return {
        "degree m": state.degree,
        "points": f"{len(state.in_r2)} from −{state.spread:.2f} to {state.spread:.2f}",
        "smallest eigenvalue, sum in r²": short(state.in_r2[0], 4),
        "correct split": short(state.split[0], 4),
    }


def tell_sums(state, x, y):
    return f"r = {read_off(x)}: k = {read_off(np.exp(-(x**2) / 2))}, sum {read_off(np.interp(x, R, state.cut))}"


def tell_lowest(state, x, y):
    split, in_r2 = (np.interp(x, REACHES, lowest) for lowest in state.lowest)
    return f"reach {read_off(x)}: {read_off(in_r2)}, correct split {read_off(split)}"


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
        Slider("degree", "up to degree m", 2, 0, 7, 1),
        Slider("spread", "reach", 0.9, 0.2, 2.0, 0.05),
        Slider("count", "points n", 3, 2, 9, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left, over the distance r in units of σ, the Gaussian in green and the sum in r², dashed, with a "
    "dot for each distance of two points; the shaded strip is where kernels stay. On the right the smallest "
    "eigenvalue of the Gram matrix over how far the points reach: green for the correct split, dashed purple for the "
    "sum in r².",
    code=code,
    tell={"sums": tell_sums, "lowest": tell_lowest},
    film=("degree",),
    scenes={
        "Linear term": {"degree": 1},
        "Linear, two points": {"degree": 1, "count": 2},
        "Two far apart": {"degree": 2, "spread": 1.5, "count": 2},
        "Looks fine": {"degree": 6},
        "…pulled apart": {"degree": 6, "spread": 2.0},
    },
    question=Question(
        "The series in r² is cut to 1 − r²/2σ². Which three points on a line give its Gram matrix a negative "
        "eigenvalue?",
        ("any three, however close", "only three that span more than 2σ", "only three that span less than 2σ"),
        0,
        "Any three do. A Φ for it would keep all distances, as r/σ, so it would put three points on a straight line. "
        "But all would have length 1, and a line meets a sphere in two points at most. With only two points it takes "
        "r > 2σ.",
        scene="Linear term",
    ),
)
