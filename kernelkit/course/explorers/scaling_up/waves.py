"""Notebook 18. Random waves add up to a kernel: the waves, their sum, and how far it strays."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Matern
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Fill, HLine, Line, Text
from kernelkit.course.panel.numbers import fixed, typed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

GRID = np.linspace(-4, 4, 201)
SHOWN = 6  # waves that are drawn
KERNELS = {"Gaussian": "gaussian", "Matérn, ν = ½": "matern"}


def kernel_of(kernel, sigma):
    return Gaussian(sigma) if kernel == "gaussian" else Matern(sigma, 0.5)


def compute(kernel, sigma, D, pairs, seed):
    k = kernel_of(kernel, sigma)
    phi = k.waves(D, 1, seed, orthogonal=pairs == "pairs")
    truth, twice = k([0.0], GRID[:, None]), k([0.0], 2 * GRID[:, None])
    spread = (1 + twice) / 2 - truth**2  # the variance of cos(ωx)
    deviation = np.sqrt(np.maximum(spread, 0) * 2 / D if pairs == "pairs" else (spread + 0.5) / D)
    return SimpleNamespace(
        truth=truth,
        deviation=deviation,
        sum=phi(GRID[:, None]) @ phi([0.0]),
        waves=np.cos(np.outer(np.array(phi.frequencies)[:SHOWN, 0], GRID) + np.array(phi.phases)[:SHOWN, None]),
    )


def picture(s):
    waves = Axes(
        "six of the waves",
        Axis("$x$", -4, 4, (-2, 0, 2)),
        Axis("", -SHOWN + 0.3, 0.7, ()),
        *(Line(GRID, 0.38 * wave - j, PURPLE, width=1.4) for j, wave in enumerate(s.waves)),
        place=(0.01, 0.135, 0.33, 0.765),
        dress=_from_left_to_right,
    )
    low, high = s.truth - 2 * s.deviation, s.truth + 2 * s.deviation
    kernel = Axes(
        "",
        Axis("$x$", -4, 4),
        Axis("", -0.75, 1.55, (-0.5, 0, 0.5, 1)),
        *_names(),
        Fill(GRID, high, GREY, alpha=0.25, low=low),
        Line(GRID, s.truth, width=1.8),
        Line(GRID, s.sum, GREEN, width=2.2),
        name="kernel",
        place=(0.41, 0.135, 0.58, 0.765),
        dress=_near,
    )
    return [[waves, kernel]]


@cache
def _names():
    """The line at 0, and the names above the axes."""
    return (
        HLine(0, GREY),
        Text(0.0, 1.03, "k(x, 0)", INK, of="axes"),
        Text(0.18, 1.03, "waves, Φ(x)ᵀΦ(0)", GREEN, of="axes"),
        Text(0.56, 1.03, "± 2 standard errors", GREY, of="axes"),
    )


def _near(ax):
    ax.xaxis.labelpad = 1


def _from_left_to_right(ax):
    _near(ax)
    ax.spines["left"].set_visible(False)


def readout(state):
    return {
        "root mean square error": f"{np.sqrt(np.mean(np.square(state.sum - state.truth))):.3f}",
        "expected": f"{np.sqrt(np.mean(np.square(state.deviation))):.3f}",
    }


def _tell(state, x, y):
    k, total = (fixed(float(np.interp(x, GRID, values)), 2) for values in (state.truth, state.sum))
    return f"at x = {fixed(x, 1)}: k = {k}, the waves {total}"


def code(kernel, sigma, D, pairs, seed):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, Matern\n\n"
        f"k = {kernel_of(kernel, float(typed(sigma)))!r}\n"
        f"phi = k.waves({D}, 1, {seed}, orthogonal={pairs == 'pairs'})\n"
        "x = np.linspace(-4, 4, 201)[:, None]\n"
        "print(np.abs(phi(x) @ phi([0.0]) - k(x, [0.0])).max())"
    )


waves = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kernel", "kernel k", "gaussian", KERNELS),
    Slider("sigma", "width σ", 0.796214, 0.2, 0.2 * 10**1.15, 0.05, log=True),
    Slider("D", "waves D", 24, SHOWN, 600, 2),
    Choice("pairs", "phases", "single", {"one for each wave": "single", "cosine and sine": "pairs"}),
    Slider("seed", "draw no.", 0, 0, 19, 1, more=True),
    title="Random waves add up to a kernel",
    shows="On the left six of the waves over x, one below the other. On the right the kernel k(x, 0) in black, what "
    "all the waves together make of it in green, and a grey band of two standard errors on either side of the black "
    "curve.",
    film=("D",),
    scenes={
        "Four times as many": {"D": 96},
        "Six hundred": {"D": 600},
        "Another draw": {"seed": 1},
        "Cosine and sine": {"pairs": "pairs"},
        "Narrow": {"sigma": 0.251785},
        "A kernel with a kink": {"kernel": "matern"},
    },
    question=Question(
        "You take four times as many waves. How wide is the grey band of the error then?",
        ("a quarter as wide", "half as wide", "as wide as before, but smoother"),
        1,
        "At each x the green curve is a mean of D independent random numbers. The variance of such a mean falls like "
        "1/D, so its standard error falls like 1/√D. With four times as many waves it is half as large, although "
        "the error of a single draw can be smaller or larger than expected.",
        scene="Four times as many",
    ),
    tell={"kernel": _tell},
)
