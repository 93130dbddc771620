"""Notebook 05. What the three forms cost."""

from itertools import islice, product
from types import SimpleNamespace

import numpy as np

from kernelkit import FromFeatures, KernelLogistic, Polynomial, PrimalLogistic
from kernelkit.course.explorers.data.measured import shown
from kernelkit.course.explorers.drawing.count_lines import (
    FLOPS,
    between,
    clock,
    crossing,
    lines_of as picture,
    slope,
    tell_lines,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.numbers import fixed, short, thousands
from kernelkit.models.logistic import sigmoid

POINTS = (50, 100, 200, 400, 800)
INPUTS = {2: (6, 9, 13, 19, 28, 42), 3: (4, 6, 8, 10, 13, 16), 4: (3, 4, 5, 6, 8, 10)}  # D up to about 1000
STEPS = (50, 100, 200, 400, 800, 1600)
TESTS = (10, 30, 100, 300, 1000, 3000, 10000)
FIXED = {"d": (2, 5, 10), "n": (50, 200, 800), "j": (50, 200, 1000)}  # while something else grows
TITLES = {"gd": "Gradient descent", "sgd": "SGD", "test": "Testing"}
AXES = {"n": "training points $n$", "D": "features $D$", "j": "steps $j$", "t": "test points $t$"}


def matters(task, grow, **others):
    """Of a setting, what its times depend on: what grows is not fixed, and testing takes no steps."""
    grown = {"D": "d"}.get(grow, grow) if task != "test" else "j"
    said = {"task": task} if task == "test" else {"task": task, "grow": grow}
    return said | {name: value for name, value in others.items() if name != grown}


SETTINGS = [
    *(
        matters(task, grow, degree=degree, d=10, n=200, j=200)
        for task, grow, degree in product(("gd", "sgd"), "jnD", INPUTS)
    ),
    *(matters("test", "", degree=degree, d=d, n=200, j=200) for degree, d in product(INPUTS, (5, 10))),
    matters("sgd", "n", degree=3, d=10, n=200, j=1000),
]  # those whose times are kept with the course: around the first picture, and all scenes


def operations(task, n, d, D, j):
    """The table of the notebook: multiplications to train in j steps, or to test j points."""
    if task == "gd":
        return {"primal": n * D * j, "dual": n**2 * D + n**2 * j, "kernel": n**2 * d + n**2 * j}
    if task == "sgd":
        return {"primal": D * j, "dual": n**2 * D + n * j, "kernel": n**2 * d + n * j}
    return {"stay with k": j * n * d, "build w once": n * D + j * D}


def _sizes(task, grow, degree, d, n, j):
    """(n, d, D, j) along the horizontal axis, and what grows there; j is the number of steps, or of test points."""
    dim = Polynomial(degree).feature_map().dim
    if task == "test":
        return "t", [(n, d, dim(d), t) for t in TESTS]
    if grow == "n":
        return grow, [(m, d, dim(d), j) for m in POINTS]
    if grow == "D":
        return grow, [(n, e, dim(e), j) for e in INPUTS[degree]]
    return grow, [(n, d, dim(d), steps) for steps in STEPS]


def compute(task, grow, degree, d, n, j, measured=None):
    seconds, whose = shown(measured, "kernel_logistic.costs", **matters(task, grow, degree=degree, d=d, n=n, j=j))
    grow, sizes = _sizes(task, grow, degree, d, n, j)
    x = np.array([size[{"n": 0, "D": 2, "j": 3, "t": 3}[grow]] for size in sizes])
    rows = [operations(task, *size) for size in sizes]
    counts = {form: np.array([row[form] for row in rows], float) for form in rows[0]}
    seconds, slopes = seconds or {}, {form: slope(x, y) for form, y in counts.items()}
    took = {form: slope(*pair) for form, pair in seconds.items() if len(pair[1]) == len(x)}
    n, d, D, _ = sizes[-1]
    even = n * D / (n * d - D) if n * d > D else np.inf
    return SimpleNamespace(
        x=x,
        counts=counts,
        seconds=seconds,
        whose=whose,
        rate=FLOPS,
        slopes=slopes,
        size=sizes[-1],
        counted="t" if task == "test" else "j",
        even=even,
        cross=task == "test" and np.isfinite(even),
        rules=_rules(D / d, even) if task == "test" else [],
        notes=[_note(form, slopes[form], took.get(form)) for form in counts],
        xlabel=AXES[grow],
        title=TITLES[task],
        ticks=(10, 100, 1000, 10000) if grow == "t" else x[1::2] if grow == "D" else x,
        footer=between(x),
    )


def _rules(ratio, even):
    """Lines at D/d and at the crossing, and the words there: all at the second, where there is one."""
    words = f"dotted: $D/d$ = {short(ratio)}"
    if not np.isfinite(even):
        return [(ratio, words)]
    return [(ratio, " "), (even, f"{words}, dashed: lines cross at {crossing(even)}")]


def _note(form, predicted, took):
    measured = "" if took is None else f", measured {fixed(took, 1)}"
    return f"{form.replace(' k', ' $k$').replace(' w ', ' $w$ ')}\nslope {fixed(predicted, 1)}{measured}"


def readout(state):
    n, d, D, last = state.size
    return {
        "at": f"n = {n}, d = {d}, D = {D}, {state.counted} = {thousands(last)}",
        **{f"multiplications, {form}": short(y[-1]) for form, y in state.counts.items()},
        "lines cross at t": crossing(state.even) if state.cross else None,
    }


def _actions(task, k, n, d, j):
    """What is timed: each form's whole training, or its way of testing."""
    rng, phi = np.random.default_rng(0), k.feature_map()
    X = rng.standard_normal((n, d)) / d
    y = np.where(X[:, 0] > 0, 1, -1)
    if task == "test":
        return _testing(KernelLogistic(k).fit(X, y), phi, rng.standard_normal((j, d)) / d)
    passes = j if task == "gd" else -(-j // n)
    same = {"solver": task, "step": 0.01, "max_iter": passes, "random_state": 0}
    models = PrimalLogistic(phi, **same), KernelLogistic(FromFeatures(phi), **same), KernelLogistic(k, **same)

    def train(model):
        return lambda: sum(1 for _ in islice(model.steps(X, y), j + 1))

    done = dict(zip(("primal", "dual", "kernel"), map(train, models), strict=True))
    return done | {"primal": lambda: sgd_in_w(phi, X, y, j)} if task == "sgd" else done


def sgd_in_w(phi, X, y, j, lam=1.0, step=0.01):
    """w after j steps of PrimalLogistic(solver="sgd"), with features of the visited points and of no others."""
    (n, d), rng = X.shape, np.random.default_rng(0)
    w, order = np.zeros(phi.dim(d)), np.concatenate([rng.integers(n, size=n) for _ in range(-(-j // n))])[:j]
    for start in range(0, j, 50):  # fifty visits at a time: one call each would time Python
        visits = order[start : start + 50]
        for t, (label, phi_i) in enumerate(zip((y[visits] + 1) / 2, phi(X[visits]), strict=True), start):
            w = w + step / (1 + step * lam / n * t) * ((label - sigmoid(phi_i @ w)) * phi_i - lam / n * w)
    return w


def _testing(model, phi, Z):
    blocks = [Z[i : i + 500] for i in range(0, len(Z), 500)]

    def stay():
        return [model.decision_function(block) for block in blocks]

    def build():
        w = model.primal_weights(phi)
        return [phi(block) @ w for block in blocks]

    return {"stay with k": stay, "build w once": build}


def measure(task, grow, degree, d, n, j):
    grow, sizes = _sizes(task, grow, degree, d, n, j)
    done = {}
    for i, (n, d, D, j) in enumerate(sizes):
        for form, action in _actions(task, Polynomial(degree), n, d, j).items():
            at, took = done.get(form, ([], []))
            here = {"n": n, "D": D}.get(grow, j)
            done = done | {form: ([*at, here], [*took, clock(action)])}
        yield (i + 1) / len(sizes), done


def code(task, grow, degree, d, n, j):
    _, sizes = _sizes(task, grow, degree, d, n, j)
    n, d, D, j = sizes[-1]
    head = (
        "from itertools import islice\nfrom time import perf_counter\nimport numpy as np\nfrom kernelkit import *\n\n"
        f"k = Polynomial({degree})\nphi = k.feature_map()\nrng = np.random.default_rng(0)\n"
        f"X = rng.standard_normal(({n}, {d})) / {d}  # D = {D}\ny = np.where(X[:, 0] > 0, 1, -1)\n"
    )
    if task == "test":
        return head + (
            f"model = KernelLogistic(k).fit(X, y)\nZ = rng.standard_normal(({min(j, 1000)}, {d})) / {d}\n"
            "w = model.primal_weights(phi)  # once\nprint(np.abs(phi(Z) @ w - model.decision_function(Z)).max())"
        )
    passes = j if task == "gd" else -(-j // n)
    return head + (
        f'same = {{"solver": "{task}", "step": 0.01, "max_iter": {passes}, "random_state": 0}}\n'
        "models = PrimalLogistic(phi, **same), KernelLogistic(FromFeatures(phi), **same), KernelLogistic(k, **same)\n"
        "for model in models:\n    start = perf_counter()\n"
        f"    iterates = sum(1 for _ in islice(model.steps(X, y), {j + 1}))\n"
        "    print(model, iterates, perf_counter() - start, 'seconds')"
    )


def _trains(v):
    return v["task"] != "test"


costs = panel(
    compute,
    picture,
    readout,
    code,
    Choice("task", "time of", "gd", {"gradient descent": "gd", "one point: SGD": "sgd", "testing": "test"}),
    Choice("grow", "what grows", "j", {"steps j": "j", "points n": "n", "features D": "D"}, when=_trains),
    Slider("degree", "degree p", 4, 2, 4, 1),
    Choice("d", "inputs d", 10, FIXED["d"], when=lambda v: v["grow"] != "D" or not _trains(v), more=True),
    Choice("n", "points n", 200, FIXED["n"], when=lambda v: v["grow"] != "n" or not _trains(v), more=True),
    Choice("j", "steps j", 200, FIXED["j"], when=lambda v: v["grow"] != "j" and _trains(v), more=True),
    title="What the three forms cost",
    shows="Both axes are logarithmic: across what grows, upwards the time. Each form has a line, its number of "
    "multiplications at the speed that is written above the picture, and markers, the times that were measured. "
    "Next to each line are its name and its slope.",
    measure=measure,
    tell={"ax": tell_lines},
    film=("degree",),
    scenes={
        "SGD, more steps": {"task": "sgd"},
        "More features": {"grow": "D"},
        "SGD, more points": {"task": "sgd", "grow": "n", "degree": 3, "j": 1000},
        "Recover w": {"task": "test", "degree": 3, "d": 5},
    },
    question=Question(
        "Here gradient descent runs, and the number of steps j grows. With SGD, which lines begin nearly flat?",
        ("the dual and the kernel one", "the primal one", "none: all grow with j"),
        0,
        "The dual and the kernel form first pay for K, which takes n²D or n²d, whatever j is. Each step then costs "
        "only n. The primal form pays D at each step and nothing before. The measured times rise all the same, because "
        "calling Python takes longer than so few multiplications.",
        "SGD, more steps",
    ),
)
