"""Notebook 02. The price of a feature map."""

import time
from itertools import accumulate
from math import comb, sqrt
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, Polynomial
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.dots import Card, feature_names, number_in_shells, rows, said_of, scale, shells
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import duration, short, thousands
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

DIMENSIONS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 81, 100)
POINTS = 20  # the clock builds the Gram matrix of so many points
LARGEST = 200_000  # features the clock is willing to build
SETTINGS = [{"p": p} for p in range(1, 7)]  # those whose times are kept with the course: all
FIELD, CORNER = (480, 315), (170, 102)  # pixels for the dots of Φ and of the kernel
WORK = {"Φ(x)": INK, "Φ(z)": GREY, "Φ(x)ᵀΦ(z)": PURPLE}
LONGEST = 170  # pixels of the longer bar
VISIBLE = 8  # a square with a shorter side, in pixels, needs a ring to be found


def multiplications(d, p):
    """Products needed for one (xᵀz + 1)^p: for Φ of one point, for the inner product of two, and by the kernel.

    Φ takes one for each monomial of degree ≥ 2, from its parent, and one for each weight that is not 1: all but that of
    the constant and those of the d pure powers of degree p.
    """
    D = comb(d + p, p)
    monomials = weights = D - 1 - d
    return monomials + weights, D, d + p - 1


def compute(d, p, measured=None):
    one, D, kernel = multiplications(d, p)
    measurements, whose = shown(measured, "kernel_trick.clock", p=p)
    seconds = np.array(measurements, float)
    unit, pitch = scale(2 * one + D, *FIELD)
    return SimpleNamespace(
        d=d,
        p=p,
        D=D,
        work=(one, one, D),
        total=2 * one + D,
        kernel=kernel,
        unit=unit,
        pitch=min(pitch, scale(kernel, CORNER[1], CORNER[1])[1]) if unit == 1 else pitch,
        timed=seconds[np.abs(np.log(seconds[:, 0] / d)).argmin()],
        call=seconds[0, 2],  # of the kernel for the fewest inputs, where it multiplies hardly anything
        whose=whose,
        own=measured is not None,
    )


def measure(d, p):
    """Median seconds of a Gram matrix of POINTS points, both ways, for growing d."""
    rng, phi, k, found = np.random.default_rng(0), Monomials(p), Polynomial(p), []
    sizes = [n for n in sorted({*DIMENSIONS, d}) if comb(n + p, p) <= LARGEST]
    for n in sizes:
        X = rng.standard_normal((POINTS, n))

        def explicit(X=X):
            Phi = phi(X)
            return Phi @ Phi.T

        found.append((n, _seconds(explicit), _seconds(lambda X=X: k(X))))
        yield len(found) / len(sizes), np.array(found)


def _seconds(task, repeats=5):
    task()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def build(figure):
    field = Card(figure, (16, 12, *FIELD), WORK.values())
    corner = Card(figure, (518, 225, *CORNER), [GREEN])
    heading = FIELD[1] + 30
    return {
        "field": field,
        "phi": field.ax,
        "corner": corner,
        "kernel": corner.ax,
        "total": field.ax.text(-4, heading, "", animated=True),
        "unit": field.ax.text(174, heading, "", animated=True),
        "work": [
            field.ax.text(x, heading - 19, "", color=colour, animated=True)
            for x, colour in zip((-4, 150, 304), WORK.values(), strict=True)
        ],
        "short": corner.ax.text(-4, CORNER[1] + 30, "", color=GREEN, animated=True),
        "sum": corner.ax.text(-4, CORNER[1] + 11, "", color=GREEN, animated=True),
        "ring": corner.ax.plot([], [], "o", ms=18, mfc="none", color=GREEN, mew=1.5, animated=True)[0],
        "size": corner.ax.text(36, 8, "", color=GREEN, animated=True),
        **_build_times(figure),
    }


def _build_times(figure):
    """Two bars as long as the times, the first as long as the place, and what they are."""
    ax = figure.add_axes((514 / 700, 8 / 380, 178 / 700, 196 / 380), xlim=(0, 178), ylim=(0, 196))
    ax.set_axis_off()
    ax.text(0, 155, f"time for {POINTS} × {POINTS} pairs", color=GREY)
    return {
        "bars": [
            ax.plot([], [], color=colour, linewidth=9, solid_capstyle="butt", animated=True)[0]
            for colour in (INK, GREEN)
        ],
        "at": ax.text(0, 172, "", color=INK, animated=True),
        "took": [ax.text(0, y, "", color=colour, animated=True) for y, colour in ((132, INK), (96, GREEN))],
        "thin": ax.text(0, 80, "", color=GREEN, animated=True),
        "call": ax.text(0, 61, "", color=GREY, animated=True),
        "whose": ax.text(0, 2, "", color=GREY, animated=True),
    }


def draw(parts, state):
    _draw_dots(parts, state)
    parts["total"].set_text(f"through Φ: {_count(state.total)}")
    parts["unit"].set_text(said_of(state.unit, "multiplication"))
    for text, name, count in zip(parts["work"], WORK, state.work, strict=True):
        text.set_text(f"{name}: {_count(count)}")
    parts["short"].set_text(f"by the kernel: {state.kernel}")
    parts["sum"].set_text(f"xᵀz: {state.d}, power: {state.p - 1}")
    d, *times = state.timed
    parts["at"].set_text(f"{'at' if d == state.d else 'nearest:'} d = {d:.0f}, p = {state.p}")
    for bar, text, way, seconds, y in zip(parts["bars"], parts["took"], ("Φ", "kernel"), times, (121, 85), strict=True):
        bar.set_data([0, LONGEST * seconds / max(times)], [y, y])
        text.set_text(f"{way}: {duration(seconds)}")
    parts["thin"].set_text("bar too short to see" if LONGEST * times[1] / max(times) < 1 else "")
    called = "both: " * bool(state.call > times[0] / 2) + "mostly the cost of calling it"
    parts["call"].set_text(called if state.call > times[1] / 2 else "")
    parts["whose"].set_text("measured on\n" + state.whose.replace(", ", ",\n"))


def _draw_dots(parts, state):
    """All multiplications through Φ, in rows from below, and those of the kernel at the same scale."""
    columns, side = FIELD[0] // state.pitch, state.pitch * sqrt(state.kernel / state.unit)
    if state.unit == 1:
        cells = rows(state.total, columns)
        parts["field"].show_dots(np.split(cells, list(accumulate(state.work))[:2]), state.pitch)
        parts["corner"].show_dots([shells(state.kernel)], state.pitch)
    else:
        heights = [state.pitch * count / (state.unit * columns) for count in state.work]
        boxes = [(0, sum(heights[:i]), columns * state.pitch, height) for i, height in enumerate(heights)]
        parts["field"].show_squares(boxes, state.pitch)
        parts["corner"].show_squares([(12 - side / 2, 12 - side / 2, side, side)], state.pitch)
    tiny = state.unit > 1 and side < VISIBLE
    parts["ring"].set_data(([12], [12]) if tiny else ([], []))
    parts["size"].set_text(_speck(state.kernel, side) if tiny else "")


def _speck(count, side):
    """What the kernel's multiplications are at the scale of the card, where they can hardly be seen."""
    size = "a speck" if side > 1 else "less than a pixel"
    return f"all {count} at this scale:\n{size}"


def _count(value):
    return thousands(value) if value < 1e9 else short(value)


def readout(state):
    _, explicit, kernel = state.timed
    return {
        "features D": thousands(state.D),
        "multiplications through Φ": thousands(state.total),
        "multiplications by the kernel": state.kernel,
        "times as many through Φ": short(state.total / state.kernel),
        "on this machine, Φ and kernel": f"{duration(explicit)}, {duration(kernel)}" if state.own else None,
    }


def _tell_phi(state, x, y):
    """What a dot multiplies, and what the multiplications of a square are for."""
    columns = FIELD[0] // state.pitch
    column, row = int(x // state.pitch), int(y // state.pitch)
    number = column + columns * row if state.unit == 1 else int(y / state.pitch * columns * state.unit)
    if not (0 <= column < columns and 0 <= number < state.total):
        return ""
    group = np.searchsorted(np.cumsum(state.work), number, side="right")
    name, number = list(WORK)[group], number - sum(state.work[:group])
    if state.unit > 1:
        return f"for {name}"
    if name in ("Φ(x)", "Φ(z)"):
        return f"{name}: for {_products(state.d, state.p)[number]}"
    return f"{name}: product {thousands(number + 1)} of {thousands(state.D)}"


def _products(d, p):
    """What each multiplication of one Φ is for: first the monomials of degree ≥ 2, then the weights that are not 1."""
    names = feature_names(Monomials(p), d)
    return [name.split("·")[-1] for name in names[1 + d :]] + [name for name in names if "·" in name]


def _tell_kernel(state, x, y):
    number = number_in_shells(max(int(x / state.pitch), 0), max(int(y / state.pitch), 0))
    if state.unit > 1:
        return f"all {state.kernel} multiplications of the kernel"
    if number >= state.kernel:
        return ""
    i = str(number + 1).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return f"x{i} · z{i}" if number < state.d else f"for the power {number - state.d + 2}"


def code(d, p):
    return (
        "import numpy as np\nfrom kernelkit import Monomials, Polynomial\n\n"
        f"X = np.random.default_rng(0).standard_normal(({POINTS}, {d}))\nphi, k = Monomials({p}), Polynomial({p})\n"
        f"print(phi.dim({d}))  # features\nK = k(X)  # none of them is built"
    )


clock = Explorer(
    title="The price of a feature map",
    controls=(
        Slider("d", "inputs d", 81, 1, 100, 1),
        Slider("p", "degree p", 2, 1, 6, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="The dots, or the areas where there are too many for dots, are multiplications. The large card holds those "
    "of Φ(x)ᵀΦ(z): black for Φ(x), grey for Φ(z), purple for their inner product. The small card holds those of the "
    "kernel, in green and at the same scale, and two bars below it compare the times of both ways.",
    code=code,
    measure=measure,
    film=("d",),
    scenes={
        "A line: p = 1": {"p": 1},
        "Two inputs": {"d": 2, "p": 3},
        "Ten inputs": {"d": 10},
        "Degree 3": {"p": 3},
        "d = 100, p = 4": {"d": 100, "p": 4},
    },
    question=Question(
        "For 81 inputs at degree 2, Φ needs 16\u2009687 multiplications and the kernel 82. What will degree 3 cost?",
        (
            "half as much again, both: about 25\u2009000 and 123",
            "81 times as much for Φ, twice as much for the kernel",
            "nearly 30 times as much for Φ, one multiplication more for the kernel",
        ),
        2,
        "The kernel multiplies xᵀz + 1 by itself once more, so 82 becomes 83. But Φ has 28 times as many features at "
        "degree 3, and each of them is built for x, built for z, and multiplied.",
        scene="Degree 3",
    ),
    tell={"phi": _tell_phi, "kernel": _tell_kernel},
)
