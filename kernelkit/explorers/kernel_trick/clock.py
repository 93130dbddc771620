"""Notebook 02. The price of a feature map."""

import time
from math import comb
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, Polynomial
from kernelkit.explorers.shared.measured import shown
from kernelkit.panel.controls import NoQuestion, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import duration, short, tens, thousands
from kernelkit.panel.parts import powers_of_ten, reframed
from kernelkit.plots import GREEN, GREY, INK, PURPLE

DIMENSIONS = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100])
POINTS = 20  # the clock builds the Gram matrix of so many points
LARGEST = 200_000  # features the clock is willing to build
PYTHON = 1e-4  # seconds that the calls take, however little they multiply
SETTINGS = [{"p": p} for p in range(1, 7)]  # those whose times are kept with the course: all
LOOKS = {"Φ, merged": (INK, "-", "o"), "Φ, ordered": (PURPLE, ":", "^"), "kernel": (GREEN, "-", "s")}


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
    rows, whose = shown(measured, "kernel_trick.clock", p=p)
    return SimpleNamespace(
        d=d,
        p=p,
        D=comb(d + p, p),
        now=dict(zip(LOOKS, multiplications(d, p), strict=True)),
        counts=np.array([multiplications(int(n), p) for n in DIMENSIONS], float),
        seconds=np.array(rows, float).reshape(-1, 3),
        whose=whose,
        own=measured is not None,
    )


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
    axes = figure.subplot_mosaic([["counts", "seconds"]], width_ratios=(6, 5))
    for ax in axes.values():
        ax.set(xlabel="inputs $d$", xscale="log", xlim=(0.9, 115))
        ax.set_xticks([1, 3, 10, 30, 100], ["1", "3", "10", "30", "100"])
    axes["counts"].set_title("products for one k(x, z)")
    axes["seconds"].set_title(f"time for {POINTS} × {POINTS} of them")
    powers_of_ten(axes["counts"], "y", 1, 1e3)
    powers_of_ten(axes["seconds"], "y", 2e-6, 9, duration)
    return axes | _build_counts(axes["counts"]) | _build_seconds(axes["seconds"])


def _build_counts(ax):
    rows = [(y, c, mark) for y, (c, _, mark) in zip((0.9, 0.965, 0.835), LOOKS.values(), strict=True)]
    return {
        "marker": ax.axvline(1, ymax=0.78, color=GREY, linewidth=0.8, animated=True),
        "lines": [ax.plot([], [], dashes, color=c, animated=True)[0] for c, dashes, _ in LOOKS.values()],
        "here": [ax.plot([], [], mark, color=c, ms=9, mec="white", animated=True)[0] for c, _, mark in LOOKS.values()],
        "signs": [ax.plot(0.05, y, mark, color=c, ms=8, transform=ax.transAxes)[0] for y, c, mark in rows],
        "names": [
            ax.text(0.09, y, "", color=c, va="center", transform=ax.transAxes, animated=True) for y, c, _ in rows
        ],
    }


def _build_seconds(ax):
    ways = [LOOKS["Φ, merged"], LOOKS["kernel"]]
    return {
        "timed": [ax.plot([], [], mark + "-", color=c, ms=6, mec="white", animated=True)[0] for c, _, mark in ways],
        "ends": [ax.text(0, 0, "", color=c, va="bottom", ha="right", animated=True) for c, _, _ in ways],
        "whose": ax.text(0.03, 0.97, "", color=GREY, va="top", transform=ax.transAxes, animated=True),
    }


def draw(parts, state):
    parts["marker"].set_xdata([state.d] * 2)
    rows = zip(parts["lines"], parts["here"], parts["names"], state.counts.T, state.now.items(), strict=True)
    for line, dot, name, column, (way, count) in rows:
        line.set_data(DIMENSIONS, column)
        dot.set_data([state.d], [count])
        name.set_text(f"{way}: {_count(count)}")
    d = state.seconds[:, 0]
    for line, end, took, way in zip(parts["timed"], parts["ends"], state.seconds.T[1:], ("Φ", "kernel"), strict=True):
        line.set_data(d, took)
        end.set(text=way if len(d) else "", position=(d[-1], 1.5 * took[-1]) if len(d) else (1, 1))
    parts["whose"].set_text(
        f"measured on\n{state.whose};\nbelow about {duration(PYTHON)} Python\nitself takes the time"
    )
    _frame(parts["counts"], state.p)


def _frame(ax, p):
    if reframed(ax, p):
        top = 10.0 ** (2 * p + 2)  # the features of 100 inputs, and a little more
        powers_of_ten(ax, "y", 0.7, 0.9 * top, _power)


def _power(value):
    return short(value) if value < 1e4 else tens(round(np.log10(value)))


def _count(value):
    return thousands(value) if value < 1e9 else short(value)


def describe(state):
    power = "" if state.p == 1 else "⁰¹²³⁴⁵⁶"[state.p]
    text = (
        f"d = {state.d}, p = {state.p}: Φ has {_count(state.D)} features, and one inner product of them takes "
        f"{_count(state.now['Φ, merged'])} multiplications; (xᵀz + 1){power} takes {state.now['kernel']}."
    )
    if not state.own:
        return text
    d, explicit, kernel = state.seconds[-1]
    return text + f" On this machine, at d = {d:.0f}: {duration(explicit)} against {duration(kernel)}."


def _tell_counts(state, x, y):
    d = int(np.clip(round(x), 1, 100))
    explicit, _, kernel = multiplications(d, state.p)
    return f"d = {d}: Φ {_count(explicit)}, kernel {kernel}"


def _tell_seconds(state, x, y):
    if not len(state.seconds):
        return ""
    d, explicit, kernel = state.seconds[np.abs(np.log(state.seconds[:, 0] / x)).argmin()]
    return f"d = {d:.0f}: Φ {duration(explicit)}, kernel {duration(kernel)}"


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
        "Degree 4": {"p": 4},
        "The headline: d = 100, p = 4": {"d": 100, "p": 4},
        "A line: p = 1": {"p": 1},
        "Two inputs": {"d": 2, "p": 3},
    },
    question=NoQuestion(
        because="the text just above asks what doubling the degree costs, and the text below counts it"
    ),
    tell={"counts": _tell_counts, "seconds": _tell_seconds},
)
