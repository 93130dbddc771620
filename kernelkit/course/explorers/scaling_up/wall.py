"""Notebook 18. The wall: what all of K costs and what D features cost, counted and measured."""

import os
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, PrimalRidge
from kernelkit.course.explorers.data.five_inputs import INPUTS, LAM, NOISE, K, truth
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.count_lines import clock, lines_of, rate
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Dots
from kernelkit.course.panel.numbers import duration, short, thousands
from kernelkit.course.plots import GREEN, INK

MEASURED = (200, 400, 800, 1600, 3200)  # points
POINTS = np.array([*MEASURED, 10_000, 100_000, 1_000_000])
FEATURES = (200, 500, 1000, 2000)
SETTINGS = [{"D": D} for D in FEATURES]  # those whose times are kept with the course: all
MEMORY = {"4 GB": 4, "16 GB": 16, "64 GB": 64, "256 GB": 256}


def counts_of(n, D):
    """Multiplications of a fit: all of K and n equations, or D features, half of ΦᵀΦ, and D equations."""
    n = np.asarray(n, float)
    return {"kernel": n**2 * INPUTS + n**3 / 3, "primal": n * D * INPUTS + n * D**2 / 2 + D**3 / 3}


def crossing(n, one, other):
    """Where a line that starts below another comes above it, on logarithmic axes; None where it does not."""
    gap = np.log(np.asarray(one, float) / np.asarray(other, float))
    above = np.flatnonzero((gap[:-1] < 0) & (gap[1:] >= 0))
    if not len(above):
        return None
    i = above[0]
    return float(np.exp(np.interp(0, gap[i : i + 2], np.log(n[i : i + 2]))))


def counted_crossing(D):
    n = np.geomspace(10, 1e5, 2000)
    return crossing(n, *counts_of(n, D).values())


def full(gigabytes):
    """The n whose K, of 8 bytes a number, fills a memory."""
    return np.sqrt(1e9 * gigabytes / 8)


def compute(n, D, memory, measured=None):
    found, whose = shown(measured, "scaling_up.wall", D=D)
    found = found or {}
    seconds = {form: found[form] for form in ("kernel", "primal") if form in found}
    memory = (measured or {}).get("gigabytes") or memory
    counts, here = counts_of(POINTS, D), counts_of(n, D)
    each = rate(counts, POINTS, seconds)
    kept, _ = shown(None, "scaling_up.wall", D=D)
    speed = _speed(counts, seconds) or _speed(counts, kept or {})  # a measurement may be stopped before it has one
    return SimpleNamespace(
        memory=memory,
        x=POINTS,
        counts=counts,
        seconds=seconds,
        whose=whose,
        rate=each,
        here=here,
        met=_met(seconds) if measured else None,
        speed=speed,
        cross=counted_crossing(D),
        wall=full(memory),
        rules=[(counted_crossing(D), "lines cross"), (full(memory), f"K fills {short(memory)} GB")],
        ticks=[1000, 10_000, 100_000, 1_000_000],
        xlabel="points $n$",
        title="One fit",
        footer="filled dots: your n",
        notes=[
            f"all of K\n{short(8 * n**2 / 1e9)} GB\nabout {duration(here['kernel'] / each)}",
            f"{D} features\n{short(8 * n * D / 1e9)} GB\nabout {duration(here['primal'] / each)}",
        ],
    )


def _met(seconds):
    """From which n on the measured times of all of K are longer; None where they are not, or not yet."""
    if not seconds:
        return None
    (n, one), (_, other) = seconds["kernel"], seconds["primal"]
    return crossing(np.array(n[: len(other)]), one[: len(other)], other)


def _speed(counts, seconds):
    """Multiplications in a second that D features reach at the most points, to one digit; None where not measured."""
    at, took = seconds.get("primal", ((), ()))
    if not len(took):
        return None
    return float(f"{counts['primal'][list(POINTS).index(at[-1])] / took[-1]:.0e}")


def measure(n, D, memory):
    """Seconds of a fit by all of K and by D waves, for growing n; at the end the memory of this machine."""
    rng, found = np.random.default_rng(0), {"kernel": ([], []), "primal": ([], [])}
    models = {"kernel": KernelRidge(K, LAM), "primal": PrimalRidge(K.waves(D, INPUTS), LAM)}
    for i, size in enumerate(MEASURED):
        X = rng.standard_normal((size, INPUTS))
        y = truth(X) + NOISE * rng.standard_normal(size)
        for form, model in models.items():
            took = clock(lambda model=model, X=X, y=y: model.fit(X, y))
            at, before = found[form]
            found = found | {form: ([*at, size], [*before, took])}
            yield (2 * i + (form == "primal") + 1) / (2 * len(MEASURED) + 1), found
    yield 1.0, found | {"gigabytes": _memory()}


def _memory():
    """Of this machine, in GB; None where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    except (AttributeError, ValueError, OSError):
        return None


def picture(s):
    here = [
        Dots(s.n, count / s.rate, colour, size=13, rim=0, alpha=0.55)
        for count, colour in zip(s.here.values(), (GREEN, INK), strict=True)
    ]
    return lines_of(s, left=70.2222, here=here)


def readout(state):
    return {
        "memory of K": f"{short(8 * state.n**2 / 1e9)} GB",
        f"of {state.D} features": f"{short(8 * state.n * state.D / 1e9)} GB",
        "K takes more multiplications from": f"n = {short(state.cross, 2)}",
        f"K fills {short(state.memory)} GB at": f"n = {short(state.wall)}",
        "measured, K is slower from": f"n = {short(state.met, 2)}" if state.met else None,
    }


def _tell(state, x, y):
    i = int(np.abs(np.log(POINTS / x)).argmin())
    form = min(state.counts, key=lambda form: abs(np.log(state.counts[form][i] / state.rate / y)))
    took = state.seconds.get(form, ((), ()))[1]
    said = duration(took[i]) if len(took) > i else duration(state.counts[form][i] / state.rate)
    return f"{'all of K' if form == 'kernel' else f'{state.D} features'}, n = {thousands(POINTS[i])}: {said}"


def code(n, D, memory):
    return (
        "from time import perf_counter\nimport numpy as np\n"
        "from kernelkit import KernelRidge, PrimalRidge\n"
        "from kernelkit.course.explorers.data.five_inputs import K, LAM, truth\n\n"
        f"X = np.random.default_rng(0).standard_normal(({min(round(n), 2000)}, {INPUTS}))\n"
        f"for model in (KernelRidge(K, LAM), PrimalRidge(K.waves({D}, {INPUTS}), LAM)):\n"
        "    start = perf_counter()\n    model.fit(X, truth(X))\n"
        "    print(type(model).__name__, perf_counter() - start, 'seconds')"
    )


wall = panel(
    compute,
    picture,
    readout,
    code,
    Slider("n", "points n", 100_000, 1000, 1_000_000, 0.05, log=True),
    Choice("D", "features D", 500, FEATURES),
    Choice("memory", "memory", 16, MEMORY),
    title="The wall, and a way round it",
    shows="The time of one fit over the number n of points, both on scales of powers of ten. A green dash-dotted "
    "line for all of K and a black line for D features are computed from counts of multiplications, and hollow "
    "markers are measured times. Large dots are at your n; a dotted vertical line is where the lines cross, a dashed "
    "one where K fills the memory.",
    measure=measure,
    tell={"ax": _tell},
    film=("n",),
    scenes={
        "Four times the memory": {"memory": 64},
        "Four times the features": {"D": 2000},
        "Ten thousand points": {"n": 10_000},
        "A million points": {"n": 1_000_000},
    },
    question=Question(
        "You buy four times the memory, 64 GB in place of 16. How many times as many points fit then?",
        ("four times as many", "twice as many", "sixteen times as many"),
        1,
        "The memory grows with n², and twice as many points have four times as many pairs. So the vertical line at "
        "which K fills the memory moves by a factor of 2 only.",
        scene="Four times the memory",
    ),
)
