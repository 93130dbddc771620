"""Notebook 02. The price of a feature map."""

import time
from math import comb
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, Polynomial
from kernelkit.panel.controls import Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, GREY, INK, ORANGE, PURPLE

DIMENSIONS = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100])
POINTS = 20  # the clock builds the Gram matrix of so many points
LARGEST = 200_000  # features the clock is willing to build


def multiplications(d, p):
    """Products needed for one (xᵀz + 1)^p: through merged monomials, through d^p ordered ones, by the kernel.

    Merged: each monomial of degree ≥ 2 from its parent, one more for each weight that is not 1, all that for
    x and for z, then the D products of the inner product.
    """
    D = comb(d + p, p)
    build = sum(comb(d + j - 1, j) for j in range(2, p + 1))
    weights = D - 1 - d if p > 1 else 0
    ordered = 2 * sum((d + 1) ** j for j in range(2, p + 1)) + (d + 1) ** p
    return 2 * (build + weights) + D, ordered, d + p - 1


def compute(d, p, measured=None):
    counts = np.array([multiplications(int(n), p) for n in DIMENSIONS], float)
    explicit, ordered, kernel = multiplications(d, p)
    return SimpleNamespace(
        d=d, p=p, D=comb(d + p, p), counts=counts, explicit=explicit, ordered=ordered, kernel=kernel, measured=measured,
    )  # fmt: skip


def measure(d, p):
    """Median seconds of a Gram matrix of POINTS points, both ways, for growing d."""
    rng, phi, k, rows = np.random.default_rng(0), Monomials(p), Polynomial(p), []
    sizes = [int(n) for n in DIMENSIONS if comb(int(n) + p, p) <= LARGEST]
    for n in sizes:
        X = rng.standard_normal((POINTS, n))

        def explicit(X=X):
            Phi = phi(X)
            return Phi @ Phi.T

        rows.append((n, _seconds(explicit), _seconds(lambda X=X: k(X))))
        yield len(rows) / len(sizes), np.array(rows)


def _seconds(task, repeats=5):
    task()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def build(figure):
    counts, seconds = figure.subplots(1, 2)
    figure.subplots_adjust(left=0.1, right=0.98, bottom=0.15, top=0.86, wspace=0.34)
    counts.set(xscale="log", yscale="log", xlim=(0.9, 130), ylim=(0.7, 3e13), xlabel="inputs $d$")
    counts.set_title("products for one k(x, z)", size=11)
    seconds.set(xscale="log", yscale="log", xlim=(0.9, 130), ylim=(3e-6, 30), xlabel="inputs $d$")
    seconds.set_title(f"seconds for {POINTS} × {POINTS} of them", size=11)
    looks = (("-", ORANGE, "o"), (":", PURPLE, "^"), ("-", BLUE, "s"))
    lines = [counts.plot([], [], style, color=c, animated=True)[0] for style, c, _ in looks]
    here = [counts.plot([], [], mark, color=c, ms=8, animated=True)[0] for _, c, mark in looks]
    words = ("▲ Φ, ordered products", "● Φ, merged monomials", "■ kernel")
    for row, (word, colour) in enumerate(zip(words, (PURPLE, ORANGE, BLUE), strict=True)):
        counts.text(1, 3e12 / 12**row, word, color=colour, size=11)
    marker = counts.axvline(1, ymax=0.72, color=GREY, linewidth=0.8, animated=True)
    timed = [seconds.plot([], [], mark + "-", color=c, ms=5, animated=True)[0] for _, c, mark in looks[::2]]
    hint = seconds.text(10, 1e-2, "press Measure\non this machine", color=INK, ha="center", size=11, animated=True)
    return {"lines": lines, "here": here, "marker": marker, "timed": timed, "hint": hint}


def draw(parts, state):
    parts["marker"].set_xdata([state.d] * 2)
    values = (state.explicit, state.ordered, state.kernel)
    for line, dot, column, value in zip(parts["lines"], parts["here"], state.counts.T, values, strict=True):
        line.set_data(DIMENSIONS, column)
        dot.set_data([state.d], [value])
    parts["hint"].set_visible(state.measured is None)
    rows = np.empty((0, 3)) if state.measured is None else state.measured
    for line, column in zip(parts["timed"], rows.T[1:], strict=True):
        line.set_data(rows[:, 0], column)


def describe(state):
    text = (
        f"d = {state.d}, p = {state.p}: Φ has {state.D:,} features, and one inner product of them takes "
        f"{state.explicit:,} multiplications; (xᵀz + 1){'⁰¹²³⁴⁵⁶'[state.p]} takes {state.kernel:,}."
    )
    if state.measured is None:
        return text
    d, explicit, kernel = state.measured[-1]
    return text + f" On this machine at d = {d:.0f}: {explicit:.2g} s against {kernel:.2g} s."


def code(d, p):
    return (
        "import numpy as np\nfrom kernelkit import Monomials, Polynomial\n\n"
        f"X = np.random.default_rng(0).standard_normal(({POINTS}, {d}))\nphi, k = Monomials({p}), Polynomial({p})\n"
        f"print(phi.dim({d}))  # features\nK = k(X)  # none of them is built"
    )


clock = Explorer(
    title="The price of a feature map",
    controls=(
        Slider("d", "inputs d", 10, 1, 100, 1),
        Slider("p", "degree p", 2, 1, 6, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    measure=measure,
    scenes={
        "Lecture A: d = 100, p = 4": {"d": 100, "p": 4},
        "A line: p = 1": {"p": 1},
        "Two inputs": {"d": 2, "p": 3},
    },
    question=Question(
        "From degree 2 to degree 4: how much more does the kernel itself cost, for d = 10?",
        ("as much again: twice", "two multiplications", "a hundred times as much"),
        1,
        "(xᵀz + 1)⁴ is the same inner product and two multiplications more. Only Φ explodes.",
    ),
)
