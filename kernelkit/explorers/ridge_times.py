"""Notebook 03: operation counts of the ridge forms on logarithmic axes, and measured seconds on top of them."""

from types import SimpleNamespace

import numpy as np

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Question, Slider
from kernelkit.explorers.count_lines import LOOK, build_lines, clock, draw_lines, rate, slope

WORDS = {"-": "full", "--": "dashes", "-.": "dash-dot"}
POINTS = (50, 100, 200, 400, 800, 1600)
INPUTS = {2: (6, 9, 13, 19, 28, 42, 60), 3: (4, 6, 8, 10, 13, 16, 20), 4: (3, 4, 5, 6, 8, 10, 12)}  # D up to about 1900
TESTS = (10, 30, 100, 300, 1000, 3000, 10000)

# ---- training and testing as n or D grows ---------------------------------------------------


def _sizes(grow, degree, d, n):
    """(n, d, D) along the horizontal axis."""
    k = Polynomial(degree).feature_map()
    return [(m, d, k.dim(d)) for m in POINTS] if grow == "n" else [(n, e, k.dim(e)) for e in INPUTS[degree]]


def _operations(n, d, D, task):
    if task == "train":
        return {"primal": D**3 / 3 + D**2 * n, "dual": n**3 / 3 + n**2 * D, "kernel": n**3 / 3 + n**2 * d}
    return {"primal": D, "dual": n * D, "kernel": n * d}


def _times_compute(grow, task, degree, d, n, measured=None):
    sizes = _sizes(grow, degree, d, n)
    x = np.array([s[0] if grow == "n" else s[2] for s in sizes])
    counts = [_operations(*size, task) for size in sizes]
    counts = {form: np.array([c[form] for c in counts], float) for form in ("primal", "dual", "kernel")}
    seconds = measured or {}
    slopes = {form: slope(x, y) for form, y in counts.items()}
    took = {form: slope(*pair) for form, pair in seconds.items() if len(pair[1]) == len(x)}
    notes = [
        f"{form} ({WORDS[LOOK[form][1]]})\nslope {slopes[form]:.1f}"
        + (f"\nmeasured {took[form]:.1f}" if form in took else "")
        for form in counts
    ]
    return SimpleNamespace(
        x=x, counts=counts, seconds=seconds, rate=rate(counts, x, seconds), slopes=slopes, took=took, rules=[],
        grow=grow, task=task, size=sizes[-1], notes=notes, ticks=x if grow == "n" else x[::2],
        xlabel="training points $n$" if grow == "n" else "features $D$",
        title="Training" if task == "train" else "One test point",
        measured_label="seconds (markers)" if seconds else "not measured yet",
        footer="slopes of the\nlast two parts",
    )  # fmt: skip


def _words(count):
    """A count as it is said."""
    for unit, word in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if count >= unit:
            return f"{count / unit:.1f}{word}"
    return f"{count:.0f}"


def _times_describe(state):
    n, d, D = state.size
    what = "training" if state.task == "train" else "one test point"
    counts = ", ".join(f"{form} {_words(y[-1])}" for form, y in state.counts.items())
    slopes = ", ".join(f"{form} {s:.1f}" for form, s in state.slopes.items())
    best = min(state.counts, key=lambda form: state.counts[form][-1])
    text = f"{what.capitalize()} at n = {n}, d = {d}, D = {D} needs about this many multiplications: {counts}. "
    text += f"The {best} form needs the fewest; predicted slopes in {state.grow}: {slopes}."
    if state.took:
        text += " Measured slopes: " + ", ".join(f"{form} {s:.1f}" for form, s in state.took.items()) + "."
    return text


def _times_measure(grow, task, degree, d, n):
    rng, k = np.random.default_rng(0), Polynomial(degree)
    phi, sizes, done = k.feature_map(), _sizes(grow, degree, d, n), {}
    for i, (n, d, D) in enumerate(sizes):
        X, Z = rng.standard_normal((n, d)) / d, rng.standard_normal((200, d)) / d
        y = X[:, 0]
        for model in (PrimalRidge(phi), DualRidge(phi), KernelRidge(k)):
            model.fit(X, y)
            took = clock(lambda m=model, X=X, y=y: m.fit(X, y)) if task == "train" else (
                clock(lambda m=model, Z=Z: m.predict(Z)) / len(Z))  # fmt: skip
            form = type(model).__name__.removesuffix("Ridge").lower()
            at, so_far = done.get(form, ([], []))
            done = done | {form: ([*at, n if grow == "n" else D], [*so_far, took])}
        yield (i + 1) / len(sizes), done


def _times_code(grow, task, degree, d, n):
    n, d, D = _sizes(grow, degree, d, n)[-1]
    action = "model.fit(X, y)" if task == "train" else "model.predict(X[:1])"
    return (
        "from time import perf_counter\nimport numpy as np\nfrom kernelkit import *\n\n"
        f"k = Polynomial({degree})\nphi = k.feature_map()\n"
        f"X = np.random.default_rng(0).standard_normal(({n}, {d})) / {d}\ny = X[:, 0]  # n = {n}, D = {D}\n"
        "for model in (PrimalRidge(phi), DualRidge(phi), KernelRidge(k)):\n"
        f"    model.fit(X, y)\n    start = perf_counter()\n    {action}\n"
        "    print(type(model).__name__, perf_counter() - start, 'seconds')"
    )


times = Explorer(
    title="Running times of the three forms",
    controls=(
        Choice("grow", "what grows", "n", {"training points n": "n", "features D (via d)": "D"}),
        Choice("task", "time of", "train", {"training": "train", "one test point": "test"}),
        Slider("degree", "degree p", 3, 2, 4, 1),
        Slider("d", "inputs d", 5, 2, 10, 1, when=lambda v: v["grow"] == "n"),
        Slider("n", "points n", 200, 50, 800, 50, when=lambda v: v["grow"] == "D"),
    ),
    compute=_times_compute,
    build=build_lines,
    draw=draw_lines,
    describe=_times_describe,
    code=_times_code,
    measure=_times_measure,
    scenes={
        "More data": {},
        "More features": {"grow": "D"},
        "More features, test": {"grow": "D", "task": "test"},
        "Degree 4": {"degree": 4, "d": 10},
    },
    question=Question(
        "Now keep n fixed and let the number of features D grow, by more inputs d. Which training line is steepest?",
        ("primal", "dual, without the trick", "kernel"),
        0,
        "The primal form solves D equations: its slope goes from 2 towards 3. The dual form pays for products of "
        "length D, at most slope 1, and the kernel form only for d: nearly flat.",
    ),
)  # fmt: skip


# ---- recovering w for many test points ------------------------------------------------------


def break_even(n, d, D):
    """The t with t·n·d = nD + tD, infinite where recovering w never pays."""
    return n * D / (n * d - D) if n * d > D else np.inf


def _recovery_compute(n, d, degree, measured=None):
    D, t = Polynomial(degree).feature_map().dim(d), np.array(TESTS, float)
    counts = {"stay with k": t * n * d, "build w once": n * D + t * D}
    seconds, even = measured or {}, break_even(n, d, D)
    cross = f"{even:.0f}" if np.isfinite(even) else "∞"
    return SimpleNamespace(
        x=t, counts=counts, seconds=seconds, rate=rate(counts, t, seconds), n=n, d=d, D=D, even=even, rule=D / d,
        rules=[(D / d, "rule"), (even, "even")], measured_even=_crossing(seconds), ticks=(10, 100, 1000, 10000),
        notes=["stay with $k$\n(dash-dot)", "build $w$ once\n(full)"],
        footer=f"dotted: lecture A's\n$D/d$ = {D / d:.0f}\ndashed: lines\ncross at $t$ = {cross}",
        xlabel="test points $t$", title=f"Predicting $t$ points, $D$ = {D}",
        measured_label="seconds (markers)" if seconds else "not measured yet",
    )  # fmt: skip


def _crossing(seconds):
    """The first measured t from which building w is the faster way, None where it never is."""
    if len(seconds) < 2 or len(seconds["stay with k"][1]) < len(TESTS):
        return None
    stay, build = (np.array(seconds[form][1]) for form in ("stay with k", "build w once"))
    slower = np.flatnonzero(build >= stay)
    first = 0 if len(slower) == 0 else slower[-1] + 1
    return TESTS[first] if first < len(TESTS) else np.inf


def _recovery_describe(state):
    text = (
        f"n = {state.n}, d = {state.d}, D = {state.D}: lecture A's rule asks for n and t above D/d = {state.rule:.1f}. "
    )
    if state.n <= state.rule:
        text += "Here n is not, so w never pays: one test point costs at least as much with w as with k."
    else:
        text += f"By the counts, building w pays from t = {state.even:.0f} test points on."
    if state.measured_even is not None:
        at = f"from t = {state.measured_even} on" if np.isfinite(state.measured_even) else "at none of the t tried"
        text += f" Measured: w was faster {at}."
    return text


def _recovery_measure(n, d, degree):
    rng, k = np.random.default_rng(0), Polynomial(degree)
    phi, X = k.feature_map(), rng.standard_normal((n, d)) / d
    model = KernelRidge(k).fit(X, X[:, 0])

    def stay(Z):
        return [model.predict(Z[i : i + 500]) for i in range(0, len(Z), 500)]

    def build(Z):
        w = model.primal_weights(phi)
        return [phi(Z[i : i + 500]) @ w for i in range(0, len(Z), 500)]

    done = {"stay with k": ([], []), "build w once": ([], [])}
    for i, t in enumerate(TESTS):
        Z = rng.standard_normal((t, d)) / d
        for form, way in (("stay with k", stay), ("build w once", build)):
            at, took = done[form]
            done = done | {form: ([*at, t], [*took, clock(lambda way=way, Z=Z: way(Z))])}
        yield (i + 1) / len(TESTS), done


def _recovery_code(n, d, degree):
    return (
        "import numpy as np\nfrom kernelkit import *\n\n"
        f"k = Polynomial({degree})\nphi = k.feature_map()\n"
        f"X = np.random.default_rng(0).standard_normal(({n}, {d})) / {d}\n"
        f"Z = np.random.default_rng(1).standard_normal((1000, {d})) / {d}\n"
        "model = KernelRidge(k).fit(X, X[:, 0])\n"
        "w = model.primal_weights(phi)  # once\n"
        "print(np.abs(phi(Z) @ w - model.predict(Z)).max())"
    )


recovery = Explorer(
    title="Recover w, or stay with the kernel?",
    controls=(
        Slider("n", "points n", 100, 10, 800, 10),
        Slider("d", "inputs d", 5, 1, 10, 1),
        Slider("degree", "degree p", 3, 2, 4, 1),
    ),
    compute=_recovery_compute,
    build=build_lines,
    draw=draw_lines,
    describe=_recovery_describe,
    code=_recovery_code,
    measure=_recovery_measure,
    scenes={
        "Many points": {"n": 800},
        "n = t = 2D/d": {"n": 70, "d": 6, "degree": 4},
        "w never pays": {"n": 90, "d": 10, "degree": 4},
    },
    question=Question(
        "You raise the degree, so that D/d becomes larger than the number n of training points. From how many test "
        "points on does building w pay?",
        ("from D/d on, as always", "from a larger number on", "never, however many there are"),
        2,
        "With n ≤ D/d one test point costs nd ≤ D multiplications with k: no more than with w, even if w were free.",
    ),
)  # fmt: skip
