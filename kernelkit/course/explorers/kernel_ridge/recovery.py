"""Notebook 03. Recover w, or stay with the kernel?"""

from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Polynomial
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.count_lines import clock
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import short, thousands
from kernelkit.course.panel.parts import key, powers_of_ten, reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

TESTS = (10, 30, 100, 300, 1000, 3000, 10000)
PLACES = np.geomspace(1, 10000, 121)  # where the count is drawn; few tests take no time worth measuring
POINTS = (10, 20, 35, 70, 100, 200, 400, 800)
SETTINGS = [{"n": n, "d": d, "degree": degree} for n in POINTS for d in range(1, 11) for degree in (2, 3, 4)]
STAY, BUILD = "stay with k", "build w once"
LIMITS = (30.0, 300.0, 5000.0)  # of the vertical axis, each way
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
        n=n,
        d=d,
        D=D,
        price=price,
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


def build(figure):
    ax = figure.add_axes((0.105, 0.145, 0.625, 0.735), xlabel="test points $t$")
    powers_of_ten(ax, "x", 0.8, 12500)
    ax.axhspan(1, 1e9, color=PURPLE, alpha=0.1, lw=0)
    ax.axhspan(1e-9, 1, color=GREEN, alpha=0.1, lw=0)
    ax.axhline(1, color=INK, lw=1)
    beside = {"x": 0.745, "transform": figure.transFigure, "va": "top", "linespacing": 1.5}
    dot = {"color": INK, "marker": "o", "ls": "", "ms": 10, "mec": "white", "zorder": 5}
    for half, words, colour in ((0.75, "$w$ is faster", PURPLE), (0.25, "$k$ is faster", GREEN)):
        ax.text(-0.143, half, words, color=colour, rotation=90, ha="center", va="center", transform=ax.transAxes)
    ax.text(y=0.8, s="build $w$", color=PURPLE, size=14, **beside)
    ax.text(y=0.42, s="keep $k$", color=GREEN, size=14, **beside)
    ax.text(y=0.345, s=r"$t\,n\,d$ products", color=GREEN, **beside)
    ax.text(y=0.725, s=r"$c\,(nD + tD)$ products", color=PURPLE, **beside)
    ax.text(y=0.245, s="click a dot, and the\nline goes through it", color=GREY, **beside)
    return {
        "ax": ax,
        "count": ax.plot(PLACES, PLACES, color=INK, lw=2.6, animated=True)[0],
        "faster": ax.plot([], [], mfc=PURPLE, animated=True, **dot)[0],
        "slower": ax.plot([], [], mfc=GREEN, animated=True, **dot)[0],
        "both": ax.plot([], [], mfc=PURPLE, mfcalt=GREEN, fillstyle="top", **dot)[0],  # for the key
        "even": ax.plot([], [], "D", ms=9, mfc="white", mec=INK, mew=2, animated=True, zorder=6)[0],
        "rule": ax.axvline(1, color=GREY, lw=1.4, ls=":", animated=True),
        "rule_name": ax.text(1, 0.93, "", transform=ax.get_xaxis_transform(), color=GREY, va="center", animated=True),
        "pays": ax.text(y=0.65, s="", color=PURPLE, animated=True, **beside),
    }


def draw(parts, state):
    parts["count"].set_ydata(state.counted)
    for name, mine in (("faster", state.gains > 1), ("slower", state.gains <= 1)):
        parts[name].set_data(state.tests[mine], state.gains[mine])
    evens = [t for t in (state.even, state.measured_even) if t is not None and t <= PLACES[-1]]
    parts["even"].set_data(evens, [1] * len(evens))
    inside = state.rule <= PLACES[-1]
    parts["rule"].set(xdata=[state.rule] * 2, visible=inside)
    c = "" if state.price == 1 else r"c\,"
    parts["rule_name"].set(
        text=f"  $w$ pays only if $n, t > {c}D/d$ = {short(state.rule, 4)}  ",
        x=state.rule,
        visible=inside,
        ha="left" if state.rule < 100 else "right",
    )
    parts["pays"].set_text(_pays(state))
    _frame(parts, state)


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


def _frame(parts, state):
    """The smallest limits that leave the dots and the line without a price some room."""
    ax = parts["ax"]
    farthest = np.abs(np.log([*(state.counted[[0, -1]] * state.price), *state.gains])).max()
    limit = next(limit for limit in LIMITS if np.log(limit) * 0.8 >= farthest or limit == LIMITS[-1])
    if reframed(ax, limit, state.whose):
        powers_of_ten(ax, "y", 1 / limit, limit, _tick)
        key(ax, {"counted": parts["count"], f"measured on {state.whose}": parts["both"]})


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


def code(n, d, degree, price):
    return (
        "import numpy as np\nfrom kernelkit import *\n\n"
        f"k = Polynomial({degree})\nphi = k.feature_map()\n"
        f"X = np.random.default_rng(0).standard_normal(({n}, {d})) / {d}\n"
        f"Z = np.random.default_rng(1).standard_normal((1000, {d})) / {d}\n"
        "model = KernelRidge(k).fit(X, X[:, 0])\n"
        "w = model.primal_weights(phi)  # once\n"
        "print(np.abs(phi(Z) @ w - model.predict(Z)).max())\n\n"
        f"(n, d), D, t, c = X.shape, len(w), len(Z), {price!r}  # c: the price of a feature\n"
        "print(t * n * d / (c * (n * D + t * D)))  # how many times as many products k takes"
    )


recovery = Explorer(
    title="Recover w, or stay with the kernel?",
    controls=(
        Choice("n", "points n", 200, POINTS),
        Slider("d", "inputs d", 5, 1, 10, 1),
        Slider("degree", "degree p", 3, 2, 4, 1),
        PRICE,
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="How many times as fast one way is as the other over the number t of test points, both on scales of powers "
    "of ten: in the purple half it is faster to build w, in the green half to keep the kernel. The black line "
    "compares the counts of products, the dots measured times. A diamond is where they change halves, the dotted line "
    "is at c·D/d.",
    code=code,
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
