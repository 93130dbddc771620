"""Notebook 03. Recover w, or stay with the kernel?"""

from functools import cache
from types import SimpleNamespace

import numpy as np
from matplotlib.path import Path

from kernelkit import KernelRidge, Polynomial
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.count_lines import clock
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, HSpan, Line, Live, Text, VLine, powers_of_ten
from kernelkit.course.panel.numbers import short, thousands
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

TESTS = (10, 30, 100, 300, 1000, 3000, 10000)
PLACES = np.geomspace(1, 10000, 121)  # where the count is drawn; few tests take no time worth measuring
POINTS = (10, 20, 35, 70, 100, 200, 400, 800)
SETTINGS = [{"n": n, "d": d, "degree": degree} for n in POINTS for d in range(1, 11) for degree in (2, 3, 4)]
STAY, BUILD = "stay with k", "build w once"
LIMITS = (30.0, 300.0, 5000.0)  # of the vertical axis, each way
T_AXIS = powers_of_ten("test points $t$", 0.8, 12500)
UPPER, LOWER = Path.wedge(0, 180), Path.wedge(180, 360)  # halves of a dot
BESIDE = {"up": "top", "spacing": 1.5, "of": "figure"}  # of a text at the right
CLICK = "click a dot, and the\nline goes through it"
PRICE = Slider("price", "price c of a feature", 1.0, 1.0, 80.0, 0.5)


def break_even(n, d, D):
    """The t with t·n·d = nD + tD, infinite where recovering w never pays."""
    return n * D / (n * d - D) if n * d > D else np.inf


def gain(t, n, d, D):
    """How many times as many products staying with the kernel takes, for t test points."""
    return t * n * d / (n * D + t * D)


def compute(n, d, degree, price, measured=None):
    D = Polynomial(degree).feature_map().dim(d)
    seconds, whose = shown(measured, "kernel_ridge.recovery", n=n, d=d, degree=degree)
    tests, gains = _gains(seconds or {})
    even, whole = break_even(n, d, price * D), len(tests) == len(TESTS)
    measured_even = _crossing(tests, gains) if whole else None
    return SimpleNamespace(
        D=D,
        counted=gain(PLACES, n, d, price * D),
        even=even,
        crosses=bool(np.isfinite(even)),
        rule=price * D / d,
        tests=tests,
        gains=gains,
        whose=whose,
        measured=whole,
        measured_even=measured_even,
        dots_cross=whole and bool(np.isfinite(measured_even)),
        times_the_count=float(np.exp(np.mean(np.log(gain(tests, n, d, D) / gains)))) if len(tests) else None,
    )


def _gains(seconds):
    """The measured t, and how many times as long staying with the kernel took there."""
    if len(seconds) < 2:
        return np.array([]), np.array([])
    (tests, stay), (_, build) = seconds[STAY], seconds[BUILD]
    return np.array(tests, float), np.array(stay) / np.array(build)


def _crossing(t, gains):
    """Where the measured gains rise above 1 for good, on the line between two dots; infinite where they never do."""
    slower = np.flatnonzero(gains <= 1)
    if len(slower) == 0:
        return t[0]
    last = slower[-1]
    if last == len(t) - 1:
        return np.inf
    here, there = np.log(gains[last : last + 2])
    return float(t[last] * (t[last + 1] / t[last]) ** (here / (here - there)))


# ---- the picture ------------------------------------------------------------------------------


def picture(s):
    limit = _limit(s)
    ax = Axes(
        "",
        T_AXIS,
        powers_of_ten("", 1 / limit, limit, _tick),
        *_halves(),
        Line(PLACES, s.counted, width=2.6, name="count"),
        *_rule(s),
        Text(0.745, 0.65, _pays(s), PURPLE, **BESIDE),
        _dots(s, s.gains > 1, PURPLE, "faster"),
        _dots(s, s.gains <= 1, GREEN, "slower"),
        _evens(s),
        name="ax",
        place=(0.105, 0.145, 0.625, 0.735),
    )
    return [[ax, _key(s.whose)]]


@cache
def _halves():
    """What is faster where, and how the two ways count."""
    return (
        HSpan(1, 1e9, PURPLE, alpha=0.1),
        HSpan(1e-9, 1, GREEN, alpha=0.1),
        HLine(1, width=1),
        Text(-0.143, 0.75, "$w$ is faster", PURPLE, turn=90, side="center", up="center", of="axes"),
        Text(-0.143, 0.25, "$k$ is faster", GREEN, turn=90, side="center", up="center", of="axes"),
        Text(0.745, 0.8, "build $w$", PURPLE, size=14, **BESIDE),
        Text(0.745, 0.725, r"$c\,(nD + tD)$ products", PURPLE, **BESIDE),
        Text(0.745, 0.42, "keep $k$", GREEN, size=14, **BESIDE),
        Text(0.745, 0.345, r"$t\,n\,d$ products", GREEN, **BESIDE),
        Text(0.745, 0.245, Live(CLICK, stored=CLICK), GREY, **BESIDE),
    )


def _rule(s):
    """The dotted line at c·D/d, and what it is."""
    if s.rule > PLACES[-1]:
        return None, None
    c = "" if s.price == 1 else r"c\,"
    words = f"  $w$ pays only if $n, t > {c}D/d$ = {short(s.rule, 4)}  "
    along = np.log(s.rule / T_AXIS.low) / np.log(T_AXIS.high / T_AXIS.low)
    side = "left" if s.rule < 100 else "right"
    return VLine(s.rule, GREY, width=1.4, style=":"), Text(along, 0.93, words, GREY, side=side, up="center", of="axes")


def _dots(s, mine, color, name):
    """The measured gains of one half."""
    return Dots(s.tests[mine], s.gains[mine], color, size=10, rim=1, name=name)


def _evens(s):
    """Where the line and the dots change halves."""
    evens = [t for t in (s.even, s.measured_even) if t is not None and t <= PLACES[-1]]
    return Dots(evens, [1] * len(evens), "white", marker="D", size=9, edge=INK, rim=2)


@cache
def _key(whose):
    """What the line and the dots are, above the axes; a unit is a pixel."""
    return Axes(
        "",
        Axis("", 0, 437.5),
        Axis("", 0, 45.6),
        Line((0, 23.8), 10.64, width=2.6, clip=False),
        Text(30.8, 5.74, "counted", INK),
        Dots(110.9, 10.64, PURPLE, marker=UPPER, size=10, rim=1),
        Dots(110.9, 10.64, GREEN, marker=LOWER, size=10, rim=1),
        Text(129.8, 5.74, f"measured on {whose}", INK),
        place=(0.105, 0.88, 0.625, 0.12),
        bare=True,
    )


def _pays(state):
    """From how many test points on building w is faster, by the line and by the dots."""
    counted = f"from $t$ = {first_whole(state.even)}" if np.isfinite(state.even) else "never"
    lines = [f"line: {counted}"]
    if state.measured_even is not None:
        there = f"from $t$ ≈ {short(state.measured_even, 2)}" if np.isfinite(state.measured_even) else "never"
        lines.append(f"dots: {there}")
    return "\n".join(lines)


def first_whole(even):
    """The first whole t from which w is cheaper."""
    return thousands(int(even) + 1)


def _limit(s):
    """The smallest limit that leaves the dots and the line without a price some room."""
    farthest = np.abs(np.log([*(s.counted[[0, -1]] * s.price), *s.gains])).max()
    return next(limit for limit in LIMITS if np.log(limit) * 0.8 >= farthest or limit == LIMITS[-1])


def _tick(ratio):
    """How many times as fast the faster way is."""
    return "equal" if ratio == 1 else f"{short(max(ratio, 1 / ratio))}×"


# ---- what is said -----------------------------------------------------------------------------


def readout(state):
    return {
        "points n": state.n,
        "c·D/d": short(state.rule, 4),
        "counted: w pays from t =": first_whole(state.even) if state.crosses else None,
        "measured: from t ≈": short(state.measured_even, 2) if state.dots_cross else None,
        "a feature took as long as": f"{short(state.times_the_count, 2)} products" if state.measured else None,
    }


def tell(state, x, y):
    """The count at a place, and the measured time next to it."""
    counted = float(np.interp(np.log(x), np.log(PLACES), state.counted))
    said = f"t = {thousands(round(x))}: counted {_times(counted)}"
    if len(state.tests):
        i = int(np.abs(np.log(state.tests / x)).argmin())
        if abs(np.log(state.tests[i] / x)) < 0.2:
            said = f"t = {thousands(int(state.tests[i]))}: measured {_times(state.gains[i])}"
    return said


def _times(gain):
    """Which of the two ways is how many times as fast."""
    return f"w {short(gain, 2)}× as fast" if gain >= 1 else f"k {short(1 / gain, 2)}× as fast"


def click(state, x, y):
    """The price that takes the line through this place."""
    t = float(np.clip(x, PLACES[0], PLACES[-1]))
    return {"price": PRICE.nearest(gain(t, state.n, state.d, state.D) / y)}


def measure(n, d, degree, price):
    """Both ways for more and more test points; the price is of the count alone."""
    rng, k = np.random.default_rng(0), Polynomial(degree)
    phi, X = k.feature_map(), rng.standard_normal((n, d)) / d
    model = KernelRidge(k).fit(X, X[:, 0])

    def stay(Z):
        return [model.predict(Z[i : i + 500]) for i in range(0, len(Z), 500)]

    def build(Z):
        w = model.primal_weights(phi)
        return [phi(Z[i : i + 500]) @ w for i in range(0, len(Z), 500)]

    done = {STAY: ([], []), BUILD: ([], [])}
    for i, t in enumerate(TESTS):
        Z = rng.standard_normal((t, d)) / d
        for form, way in ((STAY, stay), (BUILD, build)):
            at, took = done[form]
            done = done | {form: ([*at, t], [*took, clock(lambda way=way, Z=Z: way(Z))])}
        yield (i + 1) / len(TESTS), done


code = """
import numpy as np
from kernelkit import *

k = Polynomial({degree})
phi = k.feature_map()
X = np.random.default_rng(0).standard_normal(({n}, {d})) / {d}
Z = np.random.default_rng(1).standard_normal((1000, {d})) / {d}
model = KernelRidge(k).fit(X, X[:, 0])
w = model.primal_weights(phi)  # once
print(np.abs(phi(Z) @ w - model.predict(Z)).max())

(n, d), D, t, c = X.shape, len(w), len(Z), {price!r}  # c: the price of a feature
print(t * n * d / (c * (n * D + t * D)))  # how many times as many products k takes
"""

recovery = panel(
    compute,
    picture,
    readout,
    code,
    Choice("n", "points n", 200, POINTS),
    Slider("d", "inputs d", 5, 1, 10, 1),
    Slider("degree", "degree p", 3, 2, 4, 1),
    PRICE,
    title="Recover w, or stay with the kernel?",
    shows="How many times as fast one way is as the other over the number t of test points, both on scales of powers "
    "of ten: in the purple half it is faster to build w, in the green half to keep the kernel. The black line "
    "compares the counts of products, the dots measured times. A diamond is where they change halves, the dotted line "
    "is at c·D/d.",
    measure=measure,
    unmeasured=("price",),
    tell={"ax": tell},
    click={"ax": click},
    motion=True,
    film=("price",),
    scenes={
        "Few points": {"n": 20},
        "A feature costs 14": {"price": 14.0},
        "Degree 4, 20 points": {"n": 20, "degree": 4},
        "n = t = 2D/d": {"n": 70, "d": 6, "degree": 4},
        "n below D/d": {"n": 100, "d": 10, "degree": 4},
    },
    question=Question(
        "The line crosses at 12 test points. Now there are 20 training points instead of 200, so a prediction with k "
        "costs a tenth. Building w, which takes nD products once, costs a tenth, too. Where does the line cross then?",
        ("to the left of 12", "at 12, as now", "to the right of 12"),
        2,
        "Building w takes 1120 products instead of 11 200, but then each test point saves only nd − D = 44 products "
        "instead of 944. So the line crosses at 26. If n falls to D/d, nothing is saved, and it never crosses.",
        scene="Few points",
    ),
)
