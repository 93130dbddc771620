"""Notebook 10. Validation: three errors along σ, and the fit beside them."""

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.noisy_curve import (
    DATA,
    LEFT,
    NOISE,
    RIGHT,
    SIGMA,
    SIGMAS,
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
    small_ticks,
)
from kernelkit.course.explorers.drawing.curves import ALONG, GRID, dots, tell_curve, true_curve, truth
from kernelkit.course.explorers.drawing.trail import trail_along, trail_marks
from kernelkit.course.panel.controls import Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Text
from kernelkit.course.panel.numbers import amount, short, typed
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.panel.sketch import Sketch, compared, curve_through
from kernelkit.course.plots import GREEN, GREY, PURPLE

POINTS = Slider("n", "points n", 30, 10, 60, 5, more=True)
LOOKS = {"training": (GREY, "o"), "validation": (PURPLE, "D"), "test": (GREEN, "s")}
FLAT = 0.02  # a sketch that varies by less has no lowest place


def three_samples(data, n, noise, number):
    """Points to fit, as many to choose by, and the fresh ones of the test."""
    parts = (n, 2 * number), (n, 2 * number + 1), (TESTS, TEST_STATE)
    return [sample(data, m, noise, seed) for m, seed in parts]


@lru_cache(maxsize=256)
def errors(data, n, noise, number, lam, sigma):
    """The mean squared residual on each of the three samples."""
    samples = three_samples(data, n, noise, number)
    x, y = samples[0]
    a = fitted(x, y, sigma, lam)
    return tuple(float(np.mean((t - gaussian(z, x, sigma) @ a) ** 2)) for z, t in samples)


def compute(data, sigma, lam, n, noise, number, along, visited=()):
    setting = data, n, noise, number, lam
    train, hold, _ = three_samples(*setting[:4])
    h = gaussian(GRID[:, 0], train[0], sigma) @ fitted(*train, sigma, lam)
    curves = np.array([errors(*setting, s) for s in SIGMAS]).T if along else np.empty((3, 0))
    best = SIGMAS[curves[1].argmin()] if along else None
    other = along and n != POINTS.start
    return SimpleNamespace(
        train=train,
        hold=hold,
        h=h,
        here=errors(*setting, sigma),
        visited=visited,
        left=np.array([errors(*setting, s) for s in visited]).T,
        curves=curves,
        best=best,
        usual=np.array([errors(data, POINTS.start, *setting[2:], s)[1] for s in SIGMAS]) if other else None,
    )


def _held(x=(), y=(), color="none", label=""):
    """The points to choose by."""
    return Dots(x, y, color, marker="D", size=5, edge=PURPLE, rim=1.6, label=label)


KEY = fit(label="h"), truth(label="truth"), dots(label="training"), _held(label="validation")
ERRORS_KEY = error_key(LOOKS)
SCALE = Axis("width $σ$", 0.045, 11, (0.1, 1, 10), ("0.1", "1", "10"), log=True)


def picture(s):
    marks = truth(true_curve(s.data)), fit(s.h), _held(*s.hold, "white"), dots(*s.train)
    curve = Axes("", ALONG, heights(s.data), *KEY, *marks, name="axes", place=LEFT, left=-0.1, spacing=0.8)
    return [[curve, _errors(s)]]


def _errors(s):
    """The three errors; that of validation, which the panel is about, lies on top."""
    places, y = SIGMAS[: s.curves.shape[1]], mean_squares(s.data)
    train, held, test = error_curves(LOOKS, places, s.curves)
    train_here, held_here, test_here = errors_here(LOOKS, s.sigma, s.here, s.data)
    usual, name = (None, None) if s.usual is None else _usual(s.usual, y.high)
    return Axes(
        "",
        SCALE,
        y,
        *ERRORS_KEY,
        *(train, test, *noise_and_here(s.noise, s.sigma), usual, held),
        noise_name(SCALE, y, s.noise, places, s.curves),
        *trail_marks(LOOKS, s.visited, s.left, "σ", whole=s.best is not None),
        *(name, train_here, test_here, held_here),
        _lowest(s.best, y.high) if s.best else None,
        name="errors",
        place=RIGHT,
        length=0.8,
        dress=small_ticks,
    )


def _usual(curve, most):
    """The error of validation with the usual number of points, and its name, if there is room for it."""
    look = {"side": "right", "up": "bottom", "box": GROUND}
    name = Text(SIGMAS[-1], curve[-1] + 0.015 * most, f"{POINTS.start} points", PURPLE, **look)
    return Line(SIGMAS, curve, PURPLE, width=1.5, style="--", alpha=0.6), name if curve[-1] < 0.9 * most else None


def _lowest(sigma, most):
    """Where the error of validation is lowest."""
    return Dots(sigma, 0.97 * most, PURPLE, marker="v", size=11, edge=PURPLE, rim=1, clip=False)


def readout(state):
    train, hold, test = (amount(error) for error in state.here)
    return {
        "training error": train,
        "validation error": hold,
        "test error": test,
        "noise²": amount(state.noise**2),
        "validation chooses": f"σ = {short(state.best, 2)}" if state.best else None,
    }


def code(data, sigma, lam, n, noise, number, along):
    seeds = f"{2 * number}, {2 * number + 1}"
    lines = ["import numpy as np", "from kernelkit import Gaussian, KernelRidge, datasets", ""]
    lines += [f"(X, y), (V, v) = (datasets.{data}({n}, {noise:g}, random_state=seed) for seed in ({seeds}))"]
    lines += [f"Z, t = datasets.{data}({TESTS}, {noise:g}, random_state={TEST_STATE})"]
    sigmas = "10 ** np.linspace(-1.3, 1.0, 24)" if along else typed([sigma])
    lines += [f"for sigma in {sigmas}:", f"    model = KernelRidge(Gaussian(sigma), lam={typed(lam)}).fit(X, y)"]
    lines += ["    errors = [np.mean((u - model.predict(U)) ** 2) for U, u in ((X, y), (V, v), (Z, t))]"]
    return "\n".join([*lines, "    print(round(float(sigma), 3), np.round(errors, 3))"])


def _tell_errors(state, x, y):
    if state.best is None:
        return ""
    i = np.abs(np.log(SIGMAS / x)).argmin()
    hold = state.curves[1]
    above = "the lowest" if i == hold.argmin() else f"{short(hold[i] - hold.min(), 2)} above ▼"
    return f"σ = {short(SIGMAS[i], 2)}: {short(hold[i], 2)} validation, {above}"


def _chosen(state, x, y):
    return {"sigma": SIGMA.nearest(x)}


def judge(drawn, values):
    """How near a sketch of the held-out error is to that of the scene, and where each is lowest."""
    state = compute(**values)
    sketch = curve_through(drawn, logarithmic=True)(SIGMAS)
    lowest = f"lowest at σ = {short(SIGMAS[sketch.argmin()], 2)}" if np.ptp(sketch) > FLAT else "flat"
    return (
        f"Your sketch {compared(drawn, SIGMAS, state.curves[1], logarithmic=True)}. It is {lowest}, and the violet "
        f"curve is lowest at {short(state.best, 2)}."
    )


validation = panel(
    compute,
    picture,
    readout,
    code,
    DATA,
    replace(SIGMA, start=1.0),
    Slider("lam", "penalty λ", 0.01, 0.0001, 10.0, 0.25, log=True),
    POINTS,
    NOISE,
    Slider("number", "sample no.", 1, 1, 20, 1),
    Switch("along", "the errors of every σ", False),
    title="Three errors along σ",
    shows="On the left the fit h over x as a green line, the truth as a dotted line, the training points as dots and "
    "the validation points as violet diamonds. On the right the mean squared error over the width σ: grey circles for "
    "the training points, violet diamonds for the validation points, green squares for the test points, and a dotted "
    "line at noise².",
    film=("sigma",),
    scenes={
        "By the training error": {"sigma": 0.0501187, "along": True},
        "By validation": {"sigma": 0.501187, "along": True},
        "Far too wide": {"sigma": 6.30957, "along": True},
        "Another sample": {"number": 5, "along": True},
        "Ten points": {"n": 10, "along": True},
        "Sixty points": {"n": 60, "along": True},
    },
    question=Sketch(
        "Now 60 points are fitted instead of 30, and 60 are held out. How does the error on the held-out points depend "
        "on σ? Sketch this curve on the right, over all widths.",
        "curve",
        "errors",
        tuple((sigma, 0.45) for sigma in (float(SIGMAS[0]), 0.3, 1.0, 3.0, float(SIGMAS[-1]))),
        (float(SIGMAS[0]), 0.02),
        (float(SIGMAS[-1]), 0.85),
        judge,
        "With twice the points the floor of the valley falls from 0.13 to 0.10 (dashed: 30 points), because the fit "
        "follows the noise less. But both ends stay high. Bumps that are too narrow leave h at 0 in the gaps, and "
        "bumps that are too wide cannot follow the sine.",
        scene="Sixty points",
    ),
    tell={
        "axes": lambda state, x, y: tell_curve(x, h=state.h, truth=true_curve(state.data)),
        "errors": _tell_errors,
    },
    click={"errors": _chosen},
    trail=trail_along("sigma", "along"),
    motion=True,
)
