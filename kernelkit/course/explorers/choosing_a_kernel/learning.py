"""Notebook 10. Learning curves: two errors along the number of points, of one sample and of a hundred."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.noisy_curve import (
    DATA,
    LEFT,
    NOISE,
    RIGHT,
    SIGMA,
    TEST_STATE,
    TESTS,
    error_curves,
    error_key,
    errors_here,
    fit,
    fitted,
    gaussian,
    heights,
    mean_squares,
    noise_and_here,
    noise_name,
    sample,
)
from kernelkit.course.explorers.drawing.curves import ALONG, GRID, dots, tell_curve, true_curve, truth
from kernelkit.course.explorers.drawing.trail import trail_along, trail_marks
from kernelkit.course.panel.controls import Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Paths
from kernelkit.course.panel.numbers import amount, short, typed
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.plots import GREEN, GREY

SIZES = (10, 15, 20, 30, 40, 60, 80, 110, 160)
SAMPLES, BATCH = 100, 5
POINTS = Slider("n", "points n", 20, SIZES[0], SIZES[-1], 5)
LOOKS = {"training": (GREY, "o"), "test": (GREEN, "s")}


@lru_cache(maxsize=256)
def shuffled(data, noise, number):
    """The longest sample in an order of chance, so that its first n points are a sample too: x, y."""
    x, y = sample(data, SIZES[-1], noise, number)
    order = np.random.default_rng(number).permutation(len(x))
    return x[order], y[order]


@lru_cache(maxsize=4096)
def both(data, sigma, lam, noise, number, n):
    """The training and the test error of the fit to the first n points."""
    (x, y), (z, t) = shuffled(data, noise, number), sample(data, TESTS, noise, TEST_STATE)
    a = fitted(x[:n], y[:n], sigma, lam)
    residuals = y[:n] - gaussian(x[:n], x[:n], sigma) @ a, t - gaussian(z, x[:n], sigma) @ a
    return tuple(float(np.mean(r**2)) for r in residuals)


def errors(data, sigma, lam, noise, number, sizes):
    """Both errors for each n: (2, sizes)."""
    return np.reshape([both(data, sigma, lam, noise, number, n) for n in sizes], (-1, 2)).T


def measure(data, sigma, lam, n, noise, number, along):
    """The learning curves of many samples, a few at a time: (samples, 2, sizes)."""
    curves = []
    for other in range(1, SAMPLES + 1):
        curves.append(errors(data, sigma, lam, noise, other, SIZES))
        if other % BATCH == 0:
            yield other / SAMPLES, np.array(curves)


def compute(data, sigma, lam, n, noise, number, along, measured=None, visited=()):
    x, y = (v[:n] for v in shuffled(data, noise, number))
    h = gaussian(GRID[:, 0], x, sigma) @ fitted(x, y, sigma, lam)
    one = errors(data, sigma, lam, noise, number, SIZES) if along else np.empty((2, 0))
    return SimpleNamespace(
        x=x,
        y=y,
        h=h,
        curves=measured,
        averaged=0 if measured is None else len(measured),
        here=errors(data, sigma, lam, noise, number, [n])[:, 0],
        visited=visited,
        left=errors(data, sigma, lam, noise, number, visited),
        shown=one if measured is None else measured.mean(axis=0),
    )


KEY = fit(label="h"), truth(label="truth"), dots(label="training")
ERRORS_KEY = error_key({f"{name} error": look for name, look in LOOKS.items()})
SCALE = Axis("points $n$", 9, 178, (10, 20, 40, 80, 160), ("10", "20", "40", "80", "160"), log=True)


def picture(s):
    marks = truth(true_curve(s.data)), fit(s.h), dots(s.x, s.y)
    curve = Axes("", ALONG, heights(s.data), *KEY, *marks, name="axes", place=LEFT)
    return [[curve, _errors(s)]]


def _errors(s):
    """Both errors: pale those of each sample, their mean or those of this sample, and the dots that were left."""
    places, y = SIZES[: s.shown.shape[1]], mean_squares(s.data)
    return Axes(
        "",
        SCALE,
        y,
        *ERRORS_KEY,
        *([None, None] if s.curves is None else map(_each, s.curves.swapaxes(0, 1), LOOKS.values())),
        *error_curves(LOOKS, places, s.shown),
        *noise_and_here(s.noise, s.n),
        noise_name(SCALE, y, s.noise, places, s.shown),
        *trail_marks(LOOKS, s.visited, s.left, "n", whole=s.shown.size > 0),
        *errors_here(LOOKS, s.n, s.here, s.data),
        name="errors",
        place=RIGHT,
        length=0.8,
    )


def _each(curves, look):
    """The curves of all samples, (samples, sizes)."""
    return Paths(np.stack(np.broadcast_arrays(SIZES, np.minimum(curves, 9)), axis=-1), look[0], alpha=0.12)


def readout(state):
    train, test = (amount(error) for error in state.here)
    return {
        "training error": train,
        "test error": test,
        "noise²": amount(state.noise**2),
        "test curve at 160 points": amount(state.shown[1, -1]) if state.shown.size else None,
        "samples averaged in the curves": state.averaged if state.averaged else None,
    }


def code(data, sigma, lam, n, noise, number, along):
    lines = ["import numpy as np", "from kernelkit import Gaussian, KernelRidge, datasets", ""]
    lines += [f"X, y = datasets.{data}({SIZES[-1]}, {noise:g}, random_state={number})"]
    lines += [f"Z, t = datasets.{data}({TESTS}, {noise:g}, random_state={TEST_STATE})"]
    lines += [f"order = np.random.default_rng({number}).permutation(len(y))  # its first n are a sample too"]
    sizes = list(SIZES) if along else [n]
    lines += [f"for n in {sizes}:", "    some = order[:n]"]
    lines += [f"    model = KernelRidge(Gaussian({typed(sigma)}), lam={typed(lam)}).fit(X[some], y[some])"]
    lines += ["    errors = [np.mean((u - model.predict(U)) ** 2) for U, u in ((X[some], y[some]), (Z, t))]"]
    return "\n".join([*lines, "    print(n, np.round(errors, 3))"])


def _tell_errors(state, x, y):
    if not state.shown.size:
        return ""
    i = np.abs(np.log(np.array(SIZES) / x)).argmin()
    train, test = state.shown[:, i]
    return f"n = {SIZES[i]}: test {short(test, 2)}, a gap of {short(test - train, 2)}"


def _chosen(state, x, y):
    return {"n": POINTS.nearest(x)}


def judge(drawn, values):
    """How far the sketched test error falls, and how far the test error of the scene."""
    first, *_, last = compute(**values).shown[1]
    begin, end = (short(height, 2) for _, height in (drawn[0], drawn[-1]))
    return (
        f"Your sketch goes from {begin} with 10 points to {end} with 160, and the test error from {short(first, 2)} to "
        f"{short(last, 2)}, where the noise alone is {short(values['noise'] ** 2, 2)}."
    )


learning = panel(
    compute,
    picture,
    readout,
    code,
    DATA,
    Slider("sigma", "width σ", 3.16228, SIGMA.low, SIGMA.high, 0.05, log=True),
    Slider("lam", "penalty λ", 1.0, 0.0001, 10.0, 0.25, log=True),
    POINTS,
    NOISE,
    Slider("number", "sample no.", 1, 1, 20, 1, more=True),
    Switch("along", "the errors of every n", False),
    title="Learning curves: would more points help?",
    shows="On the left the fit h over x as a green line, the truth as a dotted line and the training points as dots. "
    "On the right the mean squared error over the number of points n: grey circles for the training error, green "
    "squares for the test error, and a dotted line at noise².",
    measure=measure,
    measuring="Average 100 samples",
    film=("n",),
    scenes={
        "Stiff, 160 points": {"n": 160, "along": True},
        "Free": {"sigma": 0.316228, "lam": 0.01, "along": True},
        "Free, 160 points": {"sigma": 0.316228, "lam": 0.01, "n": 160, "along": True},
        "Just right": {"sigma": 1.0, "lam": 0.1, "along": True},
    },
    question=Sketch(
        "Here is a model with wide bumps and 20 points. Sketch its test error while the number of points grows from 10 "
        "to 160. How far does it come down towards the noise?",
        "curve",
        "errors",
        ((10, 0.65), (28, 0.52), (50, 0.42), (90, 0.33), (160, 0.25)),  # through the test error that is shown
        (10, 0.02),
        (160, 0.85),
        judge,
        "Bumps this wide cannot follow the sine. More points bring the two errors together, but even with 160 points "
        "both are about five times the noise, and what is left above the noise is bias. A different model lowers it "
        "far more than further points do.",
        scene="Stiff, 160 points",
    ),
    tell={
        "axes": lambda state, x, y: tell_curve(x, h=state.h, truth=true_curve(state.data)),
        "errors": _tell_errors,
    },
    click={"errors": _chosen},
    trail=trail_along("n", "along"),
    motion=True,
)
