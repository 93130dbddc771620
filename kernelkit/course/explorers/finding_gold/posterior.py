"""Notebook 13. The posterior on a line: mean, band and draws, from the prior on."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Kriging, Linear, Matern, Periodic
from kernelkit.course.explorers.drawing.curves import band
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Paths, Text
from kernelkit.course.panel.numbers import read_off, short, typed
from kernelkit.course.plots import GREEN, INK, PURPLE
from kernelkit.models.kriging import root

KERNELS = {
    "Gaussian": "gaussian",
    "Matérn, ν = 1/2": "rough",
    "Matérn, ν = 3/2": "matern",
    "periodic": "periodic",
    "line + constant": "line",
}
GRID = np.linspace(-4, 4, 201)[:, None]
START = ((-2.4, -0.6), (-1.3, 0.9), (-0.2, 0.2), (0.9, 1.2), (2.2, -0.7))  # the five points of notebook 00
CORRECTED = (*START[:3], (0.9, -0.8), START[4])
TOGETHER = (START[0], (-2.3, -0.5), *START[2:])  # the second hole is right next to the first one
MOST = 6  # draws


def kernel_of(kernel, sigma):
    return {
        "gaussian": Gaussian(sigma),
        "rough": Matern(sigma, 0.5),
        "matern": Matern(sigma, 1.5),
        "periodic": Periodic(sigma, 2.0),
        "line": Linear() + 1,
    }[kernel]


def compute(kernel, sigma, noise, measured, draws, number, points):
    k, data = kernel_of(kernel, sigma), np.array(points[:measured], float).reshape(-1, 2)
    if measured:
        model = Kriging(k, noise).fit(data[:, :1], data[:, 1])
        mean, covariance = model.posterior(GRID)
        at, std = model.predict(data[:, :1], return_std=True)
        inside = int(np.sum(np.abs(data[:, 1] - at) <= 2 * np.sqrt(std**2 + noise)))
    else:
        mean, covariance, inside = np.zeros(len(GRID)), k(GRID), 0  # the prior
    numbers = np.random.default_rng(number).standard_normal((draws, len(GRID)))
    return SimpleNamespace(
        data=data,
        inside=inside,
        mean=mean,
        prior=2 * np.sqrt(k.diag(GRID)).max(),
        std=np.sqrt(np.maximum(covariance.diagonal(), 0)),
        draws=mean + numbers @ root(covariance).T,
    )


def _word(x, word, colour):
    return Text(x, 1.04, word, colour, of="axes")


KEY = _word(0.0, "mean", GREEN), _word(0.28, "mean ± 2 standard deviations", "#3E8E78")
MEASURED, DRAWS = _word(0.11, "measured", INK), _word(0.71, "draws", PURPLE)


def picture(s):
    x, mean = GRID[:, 0], np.clip(s.mean, -9, 9)
    low, high = np.clip([s.mean - 2 * s.std, s.mean + 2 * s.std], -9, 9)
    ground = Axes(
        "",
        Axis("$x$ in km", -4, 4, range(-4, 5)),
        Axis("", -3.4, 3.4, (-2, 0, 2)),
        *KEY,
        MEASURED if s.measured else None,
        DRAWS if len(s.draws) else None,
        band(x, low, high),
        Paths(np.stack(np.broadcast_arrays(x, np.clip(s.draws, -9, 9)), axis=-1), PURPLE, width=1.1),
        Line(x, mean, GREEN, width=2.8),
        Dots(*s.data.T, size=8, rim=0.8),
        name="axes",
        place=(0.06, 0.13, 0.92, 0.77),
    )
    return [[ground]]


def readout(state):
    return {
        "band at its narrowest": f"±{short(2 * state.std.min(), 2)}",
        "band at its widest": f"±{short(2 * state.std.max(), 2)}",
        "the prior's at its widest": f"±{short(state.prior, 2)}",
        "measurements in the band with noise": f"{state.inside} of {state.measured}" if state.measured else None,
    }


def code(kernel, sigma, noise, measured, draws, number, points):
    lines = ["import numpy as np", "from kernelkit import *", "", f"k = {kernel_of(kernel, sigma)!r}"]
    lines += ["Z = np.linspace(-4, 4, 201)[:, None]"]
    if measured:
        lines += [f"data = np.array({typed(points[:measured])})"]
        lines += [f"model = Kriging(k, noise={noise:g}).fit(data[:, :1], data[:, 1])"]
        lines += ["mean, std = model.predict(Z, return_std=True)"]
        lines += [f"draws = model.sample(Z, {draws}, random_state={number})"] if draws else []
    else:
        lines += ["mean, std = np.zeros(201), np.sqrt(k.diag(Z))  # the prior"]
    return "\n".join([*lines, "print('half the band:', 2 * std.min(), 'to', 2 * std.max())"])


def _tell(state, x, y):
    mean, std = (np.interp(x, GRID[:, 0], v) for v in (state.mean, state.std))
    return f"x = {read_off(x)}: {read_off(mean)} ± {read_off(2 * std)}"


posterior = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kernel", "kernel", "gaussian", KERNELS),
    Slider("sigma", "width σ", 0.7, 0.07, 7.0, 0.1, log=True, when=lambda v: v["kernel"] != "line"),
    Slider("noise", "noise (a variance)", 0.01, 0.0001, 1.0, 0.25, log=True),
    Slider("measured", "measured", 5, 0, 5, 1),
    Slider("draws", "draws", 0, 0, MOST, 1, more=True),
    Slider("number", "draw no.", 1, 1, 20, 1, when=lambda v: v["draws"] > 0, more=True),
    Points("points", "measurement", START, (-4.0, -3.0), (4.0, 3.0), labels=("x", "y"), more=True),
    title="The posterior: what is known, and how well",
    shows="Over x in km the mean of the posterior as a green line, a green band of two standard deviations on both "
    "sides of it, the measurements as black dots, and draws from the posterior as thin violet lines. Without "
    "measurements all this is the prior.",
    film=("sigma",),
    scenes={
        "The prior": {"measured": 0, "draws": 6},
        "Five measurements": {},
        "Side by side": {"points": TOGETHER},
        "One is corrected": {"points": CORRECTED},
        "Draws": {"draws": 6},
        "Noisy": {"noise": 0.316228, "draws": 6},
        "Rough ground": {"kernel": "rough", "draws": 3},
        "Seasons": {"kernel": "periodic", "draws": 6},
        "Too sure": {"sigma": 3.50831},
    },
    question=Question(
        "The second hole moves from −1.3 to −2.3, right next to the first one. Where does the band become wider?",
        ("at the first hole", "where the second hole was", "nowhere, because there are still five holes"),
        1,
        "At −1.3, where the second hole was, the band grows from ±0.2 to ±1.7, because the nearest holes are now "
        "1 away. At the first hole it only shrinks from ±0.2 to ±0.17: a second look almost at the same place "
        "removes a little noise, but it says hardly anything new about the ground.",
        scene="Side by side",
    ),
    tell={"axes": _tell},
    motion=True,
)
