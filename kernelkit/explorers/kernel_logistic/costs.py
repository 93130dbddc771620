"""Notebook 05. What the three forms cost."""

from itertools import islice
from types import SimpleNamespace

import numpy as np

from kernelkit import FromFeatures, KernelLogistic, Polynomial, PrimalLogistic
from kernelkit.explorers.shared.count_lines import LOOK, build_lines as build, clock, draw_lines as draw, rate, slope
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer

WORDS = {"-": "full", "--": "dashes", "-.": "dash-dot"}
POINTS = (50, 100, 200, 400, 800)
INPUTS = {2: (6, 9, 13, 19, 28, 42), 3: (4, 6, 8, 10, 13, 16), 4: (3, 4, 5, 6, 8, 10)}  # D up to about 1000
STEPS = (50, 100, 200, 400, 800, 1600)
TESTS = (10, 30, 100, 300, 1000, 3000, 10000)
TITLES = {"gd": "$j$ steps of gradient descent", "sgd": "$j$ steps of SGD", "test": "Testing $t$ points"}
AXES = {"n": "training points $n$", "D": "features $D$", "j": "steps $j$", "t": "test points $t$"}


def operations(task, n, d, D, j):
    """The tables of lecture A: multiplications to train in j steps, or to test j points."""
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
    grow, sizes = _sizes(task, grow, degree, d, n, j)
    x = np.array([size[{"n": 0, "D": 2, "j": 3, "t": 3}[grow]] for size in sizes])
    rows = [operations(task, *size) for size in sizes]
    counts = {form: np.array([row[form] for row in rows], float) for form in rows[0]}
    seconds = measured or {}
    slopes = {form: slope(x, y) for form, y in counts.items()}
    took = {form: slope(*pair) for form, pair in seconds.items() if len(pair[1]) == len(x)}
    n, d, D, _ = sizes[-1]
    even = n * D / (n * d - D) if n * d > D else np.inf
    return SimpleNamespace(
        x=x, counts=counts, seconds=seconds, rate=rate(counts, x, seconds), slopes=slopes, took=took, task=task,
        grow=grow, size=sizes[-1], even=even,
        rules=[(D / d, f"$D/d$ = {D / d:.0f}"), (even, f"lines cross at {even:.0f}")] if task == "test" else [],
        notes=[_note(form, slopes[form], took.get(form)) for form in counts], xlabel=AXES[grow], title=TITLES[task],
        ticks=(10, 100, 1000, 10000) if grow == "t" else x[::2] if grow == "D" else x,
        whose="this machine", footer="" if task == "test" else "slopes: last two parts",
    )  # fmt: skip


def _note(form, predicted, took):
    look = f"({WORDS[LOOK[form][1]]})"
    if " " in form:  # the measured slopes of testing are in the sentence only: there is no room here
        return f"{form.replace(' k', ' $k$').replace(' w ', ' $w$ ')}\n{look}\nslope {predicted:.1f}"
    return f"{form} {look}\nslope {predicted:.1f}" + ("" if took is None else f"\nmeasured {took:.1f}")


def _words(count):
    """A count as it is said."""
    for unit, word in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if count >= unit:
            return f"{count / unit:.1f}{word}"
    return f"{count:.0f}"


def describe(state):
    n, d, D, j = state.size
    what = {"gd": f"{j} steps of gradient descent", "sgd": f"{j} steps of SGD", "test": f"testing {j} points"}
    counts = ", ".join(f"{form} {_words(y[-1])}" for form, y in state.counts.items())
    text = f"n = {n}, d = {d}, D = {D}: {what[state.task]} needs about this many multiplications: {counts}. "
    text = text.replace("needs", "need") if state.task != "test" else text
    if state.task == "test":
        text += f"Lecture A asks for n and t above D/d = {D / d:.1f}; "
        good = np.isfinite(state.even)
        text += f"by the counts, w pays from t = {state.even:.0f} on." if good else "here w never pays."
    else:
        slopes = ", ".join(f"{form} {s:.1f}" for form, s in state.slopes.items())
        text += f"Predicted slopes in {state.grow}: {slopes}."
    if state.took:
        text += " Measured slopes: " + ", ".join(f"{form} {s:.1f}" for form, s in state.took.items()) + "."
    return text


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

    return dict(zip(("primal", "dual", "kernel"), map(train, models), strict=True))


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


costs = Explorer(
    title="What the three forms cost",
    controls=(
        Choice("task", "time of", "gd", {"gradient descent": "gd", "one point: SGD": "sgd", "testing": "test"}),
        Choice("grow", "what grows", "j", {"steps j": "j", "training points n": "n", "features D (via d)": "D"},
               when=_trains),
        Slider("degree", "degree p", 4, 2, 4, 1),
        Slider("d", "inputs d", 10, 2, 10, 1, when=lambda v: v["grow"] != "D" or v["task"] == "test"),
        Slider("n", "points n", 200, 50, 800, 50, when=lambda v: v["grow"] != "n" or v["task"] == "test"),
        Slider("j", "steps j", 200, 50, 1000, 50, when=lambda v: v["grow"] != "j" and v["task"] != "test"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    measure=measure,
    scenes={
        "More features": {"grow": "D"},
        "SGD, more steps": {"task": "sgd"},
        "SGD, more points": {"task": "sgd", "grow": "n", "degree": 3, "j": 1000},
        "Recover w": {"task": "test", "degree": 3, "d": 5},
    },
    question=Question(
        "The picture shows gradient descent as the number of steps j grows. With SGD instead, which lines begin "
        "nearly flat?",
        ("the primal one", "the dual and the kernel one", "none: all grow with j"),
        1,
        "They first pay for K, n²D or n²d, whatever j is; each step then costs only n. The primal form pays D at each "
        "step and nothing before.",
    ),
)  # fmt: skip
