"""Notebook 10. A kernel and a small neural network, each chosen by folds, on few and on more points."""

import json
import warnings
from functools import lru_cache, partial
from math import comb
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelRidge, KernelSVM, datasets
from kernelkit.course.panel.controls import Choice, Question, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line, Segments, Text, VLine
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, PURPLE
from kernelkit.study.selection import cross_validate, grid, median_distance

FILE = Path(__file__).parents[1] / "data" / "networks.json"  # train_networks.py beside it writes it
DATA = {"a curve": "sine", "two classes": "mixture", "digits, odd or even": "digits"}
SIZES, SAMPLES, FRESH = (20, 50, 100, 200, 500), 10, 1000
WIDTHS, LAMS, PRICES = (0.1, 0.2, 0.4, 0.8, 1.6), 10.0 ** np.arange(-4, 2), 10.0 ** np.arange(-1, 4)
UNITS, PENALTIES = (10, 50), (0.001, 0.1, 10.0)
FOLDS, STARTS, STEPS = 5, 10, 200  # folds by which both choose; starts of the chosen network, and its longest way
FLOOR = {"sine": (0.09, "noise²"), "mixture": (0.21, "Bayes"), "digits": (0.0, "")}
MOST = {"sine": 0.62, "mixture": 0.42, "digits": 0.42}
WRITTEN = {"sine": partial(short, digits=2), "mixture": percent, "digits": percent}
LOOKS = {"kernel": (GREEN, 1.0), "network": (PURPLE, 1.03)}  # a colour, and a little aside, so that bars are seen


def two_samples(data, n, seed):
    """n points to learn from, and fresh ones to ask: X, y, Z, t."""
    if data == "digits":
        from sklearn.datasets import load_digits

        pixels, digit = load_digits(return_X_y=True)
        order = np.random.default_rng(seed).permutation(len(digit))
        X, y = pixels[order] / 16, np.where(digit[order] % 2, 1, -1)
        return X[:n], y[:n], X[-FRESH:], y[-FRESH:]
    noise = {"noise": 0.3} if data == "sine" else {}
    make = getattr(datasets, data)
    return *make(n, **noise, random_state=seed), *make(FRESH, **noise, random_state=7777)


def kernel_error(X, y, Z, t, regression):
    """The error of a Gaussian kernel, with the σ and the λ or C that the folds choose."""
    sigmas = [width * median_distance(X) for width in WIDTHS]
    if regression:
        best = grid(KernelRidge(), X, y, FOLDS, 0, kernel__sigma=sigmas, lam=LAMS).best
        return error(KernelRidge(Gaussian(best["kernel__sigma"]), best["lam"]).fit(X, y), Z, t, regression)
    best = grid(KernelSVM(), X, y, FOLDS, 0, kernel__sigma=sigmas, C=PRICES).best
    return error(KernelSVM(Gaussian(best["kernel__sigma"]), best["C"]).fit(X, y), Z, t, regression)


def network(regression, units, penalty, start=0):
    """One hidden layer, trained by a quasi-Newton method, which is scikit-learn's advice for few points."""
    from sklearn.neural_network import MLPClassifier, MLPRegressor

    kind = MLPRegressor if regression else MLPClassifier
    return kind(hidden_layer_sizes=(units,), alpha=penalty, solver="lbfgs", max_iter=STEPS, random_state=start)


def error(model, Z, t, regression):
    h = model.predict(Z)
    return float(np.mean((t - h) ** 2) if regression else np.mean(h != t))


def trial(data, n, seed):
    """(fraction done, what was found): the errors of "kernel" and "network", once they are known, on the same folds.

    From other starts the chosen network ends elsewhere: "scatter" is the standard deviation of its error over STARTS of
    them, and "unfinished" says how many of them were stopped after STEPS steps.
    """
    X, y, Z, t = two_samples(data, n, seed)
    regression = data == "sine"
    yield 0.05, None
    found, settings, held = kernel_error(X, y, Z, t, regression), [(u, p) for u in UNITS for p in PENALTIES], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a network says that it may need more steps, and we count how often
        for done, setting in enumerate(settings, 1):
            held.append(cross_validate(network(regression, *setting), X, y, FOLDS, 0).mean())
            yield done / (len(settings) + 2), None
        best = settings[int(np.argmin(held))]
        fits = [network(regression, *best, start).fit(X, y) for start in range(STARTS)]
    errors = [error(fit, Z, t, regression) for fit in fits]
    unfinished = sum(fit.n_iter_ >= STEPS for fit in fits)
    scatter = float(np.std(errors, ddof=1))
    yield 1.0, {"kernel": found, "network": errors[0], "scatter": scatter, "unfinished": unfinished}


def measure(data, n, both):
    """One more sample of this size, here and now."""
    for done, found in trial(data, n, SAMPLES):
        yield done, {name: found[name] for name in LOOKS} if found else {}


@lru_cache(maxsize=1)
def committed():
    """{data: {"kernel": (samples, sizes), …}}: what ``trial`` found once."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return {data: {name: np.array(rows) for name, rows in kept[data].items()} for data in DATA.values()}


def compute(data, n, both, measured=None):
    errors, at = committed()[data], SIZES.index(n)
    shown = ("kernel", "network") if both else ("kernel",)
    here = {name: errors[name][:, at] for name in LOOKS}
    wins = tuple(int(np.sum(sign * (here["network"] - here["kernel"]) > 0)) for sign in (1, -1))
    return SimpleNamespace(
        measured=measured or {},
        means={name: errors[name].mean(axis=0) for name in shown},
        spreads={name: errors[name].std(axis=0, ddof=1) for name in shown},
        here=here,
        wins=wins,
        chance=sign_test(*wins),
        scatter=float(errors["scatter"][:, at].mean()),
    )


SCALE = Axis("points $n$", 17, 590, SIZES, map(str, SIZES), log=True)
BARS = f"bars: one standard deviation over {SAMPLES} samples"


def picture(s):
    floor, called = FLOOR[s.data]
    bars, lines = zip(*map(partial(_found, s), LOOKS), strict=True)
    errors = Axes(
        "",
        SCALE,
        _errors(s.data),
        *KEY,
        Text(0.93, 0.97, BARS, GREY, side="right", up="top", of="axes"),
        VLine(s.n, GREY, width=1.0),
        HLine(floor, width=1.5, style=":") if floor else None,
        *bars,
        Text(570, floor - 0.012, called, side="right", up="top", box=GROUND),
        *lines,
        *map(partial(_one_more, s), LOOKS),
        name="axes",
        place=(0.105, 0.13, 0.88, 0.78),
    )
    return [[errors]]


def _errors(data):
    if data == "sine":
        return Axis("mean squared error", -0.01, MOST[data])
    ticks = np.arange(0, MOST[data], 0.05)
    return Axis("wrong on fresh points", -0.01, MOST[data], ticks, [percent(tick, 0) for tick in ticks])


def _means(name, at=(), means=(), label=""):
    return Line(at, means, LOOKS[name][0], width=2.4, marker="o", label=label)


KEY = _means("kernel", label="Gaussian kernel"), _means("network", label="small neural network")


def _found(s, name):
    """The bars and the line of one of the two, if it is shown."""
    if name not in s.means:
        return None, None
    colour, aside = LOOKS[name]
    at, mean, spread = aside * np.array(SIZES), s.means[name], s.spreads[name]
    return Segments((at, mean - spread), (at, mean + spread), colour, width=2.0), _means(name, at, mean)


def _one_more(s, name):
    """Its error on one more sample, once that was trained."""
    if name not in s.measured:
        return None
    return Dots(s.n, s.measured[name], "white", marker="D", size=10, edge=LOOKS[name][0], rim=2.2)


def sign_test(wins, losses):
    """How often two equally good methods would differ as much. Equal errors do not count."""
    n = wins + losses
    return min(1.0, 2 * sum(comb(n, k) for k in range(min(wins, losses) + 1)) / 2**n)


def readout(state):
    say = WRITTEN[state.data]
    means = {name: say(errors.mean()) for name, errors in state.here.items()}
    wins, losses = state.wins
    counted = f"{wins}, worse in {losses} of {SAMPLES} samples (sign test p = {short(state.chance, 2)})"
    return {
        "kernel's error": means["kernel"],
        "network's error": f"{means['network']} ± {say(state.scatter)} over its starts" if state.both else None,
        "kernel better in": counted if state.both else None,
        "one more sample": _listed(say, state.measured) if state.measured else None,
    }


def _listed(say, errors):
    return ", ".join(f"{name} {say(value)}" for name, value in errors.items())


def code(data, n, both):
    names = ["kernel", "network"] if both else ["kernel"]
    lines = ["from kernelkit.course.explorers.choosing_a_kernel.networks import SIZES, committed", ""]
    lines += [f"errors = committed()[{data!r}]  # of {SAMPLES} samples; trial({data!r}, {n}, seed) trains anew"]
    lines += [f"for name in {names}:"]
    return "\n".join([*lines, "    print(name, dict(zip(SIZES, errors[name].mean(axis=0).round(3).tolist())))"])


def _tell(state, x, y):
    i = np.abs(np.log(np.array(SIZES) / x)).argmin()
    return f"n = {SIZES[i]}: " + _listed(WRITTEN[state.data], {name: mean[i] for name, mean in state.means.items()})


networks = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "sine", DATA),
    Choice("n", "points n", 20, {str(n): n for n in SIZES}),
    Switch("both", "the network too", False),
    title="Few points: a kernel or a small neural network?",
    shows="Errors on 1000 fresh points over the number of points n: the mean squared error of a curve, or the part of "
    "the points that is in the wrong class. Dots on lines are means over ten samples, green for the kernel and violet "
    "for the network, with bars of one standard deviation over the samples. A grey upright line is at the chosen n.",
    measure=measure,
    measuring="Train both on one more sample",
    scenes={
        "The network too": {"both": True},
        "500 points": {"both": True, "n": 500},
        "Two classes": {"both": True, "data": "mixture"},
        "Digits": {"both": True, "data": "digits"},
    },
    question=Question(
        "Both get the same 20 points of a curve. Who errs less on fresh points?",
        ("the kernel", "the network", "neither: both err about the same"),
        0,
        "The features of a kernel are given, so the 20 points only have to find their weights. The network has to find "
        "its features from the same points, and where it ends also depends on its random start.",
        scene="The network too",
    ),
    tell={"axes": _tell},
)
