"""Notebook 02. The price of a feature map."""

import time
from itertools import accumulate
from math import comb, sqrt
from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, Polynomial
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.dots import (
    as_dots,
    as_squares,
    card,
    feature_names,
    number_in_shells,
    rows,
    said_of,
    scale,
    shells,
)
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Text
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


def picture(s):
    return [[_through_phi(s), _by_the_kernel(s), _times(s)]]


def _through_phi(s):
    """All multiplications through Φ, in rows from below."""
    columns, heading = FIELD[0] // s.pitch, FIELD[1] + 30
    if s.unit == 1:
        groups = np.split(rows(s.total, columns), list(accumulate(s.work))[:2])
        multiplications = as_dots(groups, WORK.values(), s.pitch)
    else:
        heights = [s.pitch * count / (s.unit * columns) for count in s.work]
        boxes = [(0, sum(heights[:i]), columns * s.pitch, height) for i, height in enumerate(heights)]
        multiplications = as_squares(boxes, [*WORK.values()], s.pitch)
    return card(
        (16, 12, *FIELD),
        Text(-4, heading, f"through Φ: {_count(s.total)}"),
        Text(174, heading, said_of(s.unit, "multiplication")),
        *(
            Text(x, heading - 19, f"{name}: {_count(count)}", colour)
            for x, (name, colour), count in zip((-4, 150, 304), WORK.items(), s.work, strict=True)
        ),
        *multiplications,
        name="phi",
    )


def _by_the_kernel(s):
    """Those of the kernel, at the same scale; a ring where they would hardly be seen."""
    side = s.pitch * sqrt(s.kernel / s.unit)
    tiny = s.unit > 1 and side < VISIBLE
    box = (12 - side / 2, 12 - side / 2, side, side)
    dots = [*as_dots([shells(s.kernel)], [GREEN], s.pitch), None]
    return card(
        (518, 225, *CORNER),
        Text(-4, CORNER[1] + 30, f"by the kernel: {s.kernel}", GREEN),
        Text(-4, CORNER[1] + 11, f"xᵀz: {s.d}, power: {s.p - 1}", GREEN),
        *(dots if s.unit == 1 else as_squares([box], [GREEN], s.pitch)),
        Dots(12, 12, "none", size=18, edge=GREEN, rim=1.5) if tiny else None,
        Text(36, 8, _speck(s.kernel, side), GREEN) if tiny else None,
        name="kernel",
    )


def _times(s):
    """Two bars as long as the times, the first as long as the place, and what they are."""
    d, *times = s.timed
    lengths = [LONGEST * seconds / max(times) for seconds in times]
    called = "both: " * bool(s.call > times[0] / 2) + "mostly the cost of calling it"
    return Axes(
        "",
        Axis("", 0, 178, ()),
        Axis("", 0, 196, ()),
        Text(0, 155, f"time for {POINTS} × {POINTS} pairs", GREY),
        Text(0, 172, f"{'at' if d == s.d else 'nearest:'} d = {d:.0f}, p = {s.p}", INK, name="at"),
        *(
            Line((0, length), y, colour, width=9, cap="butt", name="bars")
            for length, y, colour in zip(lengths, (121, 85), (INK, GREEN), strict=True)
        ),
        Text(0, 132, f"Φ: {duration(times[0])}", INK),
        Text(0, 96, f"kernel: {duration(times[1])}", GREEN),
        Text(0, 80, "bar too short to see", GREEN, name="thin") if lengths[1] < 1 else None,
        Text(0, 61, called, GREY, name="call") if s.call > times[1] / 2 else None,
        Text(0, 2, "measured on\n" + s.whose.replace(", ", ",\n"), GREY),
        place=(514 / 700, 8 / 380, 178 / 700, 196 / 380),
        bare=True,
    )


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


clock = panel(
    compute,
    picture,
    readout,
    code,
    Slider("d", "inputs d", 81, 1, 100, 1),
    Slider("p", "degree p", 2, 1, 6, 1),
    title="The price of a feature map",
    shows="The dots, or the areas where there are too many for dots, are multiplications. The large card holds those "
    "of Φ(x)ᵀΦ(z): black for Φ(x), grey for Φ(z), purple for their inner product. The small card holds those of the "
    "kernel, in green and at the same scale, and two bars below it compare the times of both ways.",
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
