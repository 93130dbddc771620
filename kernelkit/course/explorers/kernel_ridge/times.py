"""Notebook 03. Running times of the three forms."""

from types import SimpleNamespace

import numpy as np

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.count_lines import (
    between,
    clock,
    lines_of as picture,
    rate,
    slope,
    tell_lines,
)
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.numbers import fixed, short

POINTS = (50, 100, 200, 400, 800, 1600)
FIXED_POINTS = (50, 100, 200, 400, 800)
INPUTS = {2: (6, 9, 13, 19, 28, 42, 60), 3: (4, 6, 8, 10, 13, 16, 20), 4: (3, 4, 5, 6, 8, 10, 12)}  # D up to about 1900
SETTINGS = [
    {"task": task, "grow": grow, "degree": degree, fixed: value}
    for task in ("train", "test")
    for grow, fixed, values in (("n", "d", range(2, 11)), ("D", "n", FIXED_POINTS))
    for degree in INPUTS
    for value in values
]  # those whose times are kept with the course: all


def _sizes(grow, degree, d, n):
    """(n, d, D) along the horizontal axis."""
    k = Polynomial(degree).feature_map()
    return [(m, d, k.dim(d)) for m in POINTS] if grow == "n" else [(n, e, k.dim(e)) for e in INPUTS[degree]]


def _operations(n, d, D, task):
    if task == "train":
        return {"primal": D**3 / 3 + D**2 * n, "dual": n**3 / 3 + n**2 * D, "kernel": n**3 / 3 + n**2 * d}
    return {"primal": D, "dual": n * D, "kernel": n * d}


def compute(grow, task, degree, d, n, measured=None):
    sizes = _sizes(grow, degree, d, n)
    x = np.array([s[0] if grow == "n" else s[2] for s in sizes])
    counts = [_operations(*size, task) for size in sizes]
    counts = {form: np.array([c[form] for c in counts], float) for form in ("primal", "dual", "kernel")}
    fixed = {"d": d} if grow == "n" else {"n": n}
    seconds, whose = shown(measured, "kernel_ridge.times", grow=grow, task=task, degree=degree, **fixed)
    seconds = seconds or {}
    slopes = {form: slope(x, y) for form, y in counts.items()}
    took = {form: slope(*pair) for form, pair in seconds.items() if len(pair[1]) == len(x)}
    return SimpleNamespace(
        x=x,
        counts=counts,
        seconds=seconds,
        whose=whose,
        rate=rate(counts, x, seconds),
        slopes=slopes,
        rules=[],
        size=sizes[-1],
        ticks=x if grow == "n" else x[::2],
        notes=[_note(form, slopes[form], took.get(form)) for form in counts],
        footer=between(x),
        xlabel="training points $n$" if grow == "n" else "features $D$",
        title="Training" if task == "train" else "One test point",
    )


def _note(form, predicted, took):
    measured = "" if took is None else f", measured {fixed(took, 1)}"
    return f"{form}\nslope {predicted:.1f}{measured}"


def readout(state):
    counts = {f"{form} multiplications": short(y[-1], 2) for form, y in state.counts.items()}
    return {"n, d, D": ", ".join(map(str, state.size))} | counts


def measure(grow, task, degree, d, n):
    rng, k = np.random.default_rng(0), Polynomial(degree)
    phi, sizes, done = k.feature_map(), _sizes(grow, degree, d, n), {}
    for i, (n, d, D) in enumerate(sizes):
        X, Z = rng.standard_normal((n, d)) / d, rng.standard_normal((200, d)) / d
        y = X[:, 0]
        for model in (PrimalRidge(phi), DualRidge(phi), KernelRidge(k)):
            model.fit(X, y)
            took = (
                clock(lambda m=model, X=X, y=y: m.fit(X, y))
                if task == "train"
                else (clock(lambda m=model, Z=Z: m.predict(Z)) / len(Z))
            )
            form = type(model).__name__.removesuffix("Ridge").lower()
            at, so_far = done.get(form, ([], []))
            done = done | {form: ([*at, n if grow == "n" else D], [*so_far, took])}
        yield (i + 1) / len(sizes), done


def code(grow, task, degree, d, n):
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


times = panel(
    compute,
    picture,
    readout,
    code,
    Choice("grow", "what grows", "n", {"training points n": "n", "features D (via d)": "D"}),
    Choice("task", "time of", "train", {"training": "train", "one test point": "test"}),
    Slider("degree", "degree p", 3, 2, 4, 1),
    Slider("d", "inputs d", 5, 2, 10, 1, when=lambda v: v["grow"] == "n"),
    Choice("n", "points n", 200, FIXED_POINTS, when=lambda v: v["grow"] == "D"),
    title="Running times of the three forms",
    shows="The time of each form over the number of points or of features, on scales of powers of ten. The lines are "
    "counts of multiplications at one speed: solid black for the primal form, dashed purple for the dual, green "
    "dashes and dots for the kernel. The hollow markers of the same colours are measured times.",
    measure=measure,
    tell={"ax": tell_lines},
    film=("degree",),
    scenes={
        "More data": {},
        "More features": {"grow": "D"},
        "More features, test": {"grow": "D", "task": "test"},
        "Degree 4": {"degree": 4, "d": 10},
    },
    question=NoQuestion(because="the counts that the text above lists answer it, and the text just below reads them"),
)
