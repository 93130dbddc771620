"""Notebook 10. Validation: three errors along σ, and the fit beside them."""

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.noisy_curve import (
    DATA,
    NOISE,
    SIGMA,
    SIGMAS,
    TEST_STATE,
    TESTS,
    draw_errors,
    draw_fit,
    errors_axes,
    fit_axes,
    fitted,
    gaussian,
    sample,
)
from kernelkit.course.explorers.drawing.curves import GRID, tell_curve, true_curve
from kernelkit.course.explorers.drawing.trail import Trail, trail_along
from kernelkit.course.panel.controls import Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, short, typed
from kernelkit.course.panel.parts import GROUND, key
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
        data=data,
        sigma=sigma,
        noise=noise,
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


def build(figure):
    parts = fit_axes(figure.add_axes((0.06, 0.13, 0.43, 0.78)))
    ax = parts["axes"]
    parts["hold"] = ax.plot([], [], "D", color=PURPLE, mfc="white", mew=1.6, ms=5, animated=True, zorder=3.5)[0]
    key(
        ax,
        {"h": parts["fit"], "truth": parts["truth"], "training": parts["dots"], "validation": parts["hold"]},
        left=-0.1,
        spacing=0.8,
    )
    return parts | _build_errors(figure.add_axes((0.58, 0.13, 0.405, 0.78)))


def _build_errors(ax):
    ax.set(xscale="log", xlim=(0.045, 11), xlabel="width $σ$")
    ax.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
    parts = errors_axes(ax, LOOKS) | {"trail": Trail(ax, LOOKS, "σ")}
    key(ax, dict(zip(LOOKS, parts["marks"], strict=True)), length=0.8)
    parts["lines"][1].set_zorder(2.5)  # what the panel is about lies on top
    parts["marks"][1].set_zorder(4.5)
    parts["usual"] = ax.plot(SIGMAS, 0 * SIGMAS, "--", color=PURPLE, linewidth=1.5, alpha=0.6, animated=True)[0]
    look = {"color": PURPLE, "ha": "right", "va": "bottom", "bbox": GROUND, "animated": True}
    parts["usual name"] = ax.text(SIGMAS[-1], 0, f"{POINTS.start} points", **look)
    parts["best"] = ax.plot([], [], "v", color=PURPLE, ms=11, animated=True, zorder=5, clip_on=False)[0]
    return parts


def draw(parts, state):
    draw_fit(parts, state.data, state.h, *state.train)
    parts["hold"].set_data(*state.hold)
    curves = [(SIGMAS[: len(row)], row) for row in state.curves]
    most = draw_errors(parts, state.data, state.noise, state.sigma, curves, state.here)
    parts["usual"].set_visible(state.usual is not None)
    parts["usual name"].set_visible(state.usual is not None and state.usual[-1] < 0.9 * most)
    if state.usual is not None:
        parts["usual"].set_ydata(state.usual)
        parts["usual name"].set_y(state.usual[-1] + 0.015 * most)
    parts["trail"].draw(state.visited, state.left, whole=state.best is not None)
    parts["best"].set_data(*(([], []) if state.best is None else ([state.best], [0.97 * most])))


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


validation = Explorer(
    title="Three errors along σ",
    controls=(
        DATA,
        replace(SIGMA, start=1.0),
        Slider("lam", "penalty λ", 0.01, 0.0001, 10.0, 0.25, log=True),
        POINTS,
        NOISE,
        Slider("number", "sample no.", 1, 1, 20, 1),
        Switch("along", "the errors of every σ", False),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the fit h over x as a green line, the truth as a dotted line, the training points as dots and "
    "the validation points as violet diamonds. On the right the mean squared error over the width σ: grey circles for "
    "the training points, violet diamonds for the validation points, green squares for the test points, and a dotted "
    "line at noise².",
    code=code,
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
