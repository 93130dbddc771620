"""Notebook 18. Random waves add up to a kernel: the waves, their sum, and how far it strays."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Gaussian, Matern
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
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


def build(figure):
    waves = figure.add_axes((0.01, 0.135, 0.33, 0.765), xlim=(-4, 4), ylim=(-SHOWN + 0.3, 0.7))
    waves.set(xticks=[-2, 0, 2], yticks=[])
    kernel = figure.add_axes((0.41, 0.135, 0.58, 0.765), xlim=(-4, 4), ylim=(-0.75, 1.55), yticks=[-0.5, 0, 0.5, 1])
    waves.spines["left"].set_visible(False)
    waves.set_title("six of the waves")
    kernel.axhline(0, color=GREY, linewidth=0.8)
    for ax in (waves, kernel):
        ax.set_xlabel("$x$", labelpad=1)
    look = {"animated": True}
    for name, colour, x in (
        ("k(x, 0)", INK, 0.0),
        ("waves, Φ(x)ᵀΦ(0)", GREEN, 0.18),
        ("± 2 standard errors", GREY, 0.56),
    ):
        kernel.text(x, 1.03, name, color=colour, transform=kernel.transAxes)
    return {
        "waves": waves,
        "kernel": kernel,
        "each": [waves.plot([], [], color=PURPLE, lw=1.4, **look)[0] for _ in range(SHOWN)],
        "band": kernel.add_collection(PolyCollection([], color=GREY, alpha=0.25, linewidth=0, **look)),
        "truth": kernel.plot([], [], color=INK, lw=1.8, **look)[0],
        "sum": kernel.plot([], [], color=GREEN, lw=2.2, **look)[0],
    }


def draw(parts, state):
    for j, line in enumerate(parts["each"]):
        line.set_data(GRID, 0.38 * state.waves[j] - j)
    low, high = state.truth - 2 * state.deviation, state.truth + 2 * state.deviation
    parts["band"].set_verts([np.column_stack([np.r_[GRID, GRID[::-1]], np.r_[low, high[::-1]]])])
    parts["truth"].set_data(GRID, state.truth)
    parts["sum"].set_data(GRID, state.sum)


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


waves = Explorer(
    title="Random waves add up to a kernel",
    controls=(
        Choice("kernel", "kernel k", "gaussian", KERNELS),
        Slider("sigma", "width σ", 0.796214, 0.2, 0.2 * 10**1.15, 0.05, log=True),
        Slider("D", "waves D", 24, SHOWN, 600, 2),
        Choice("pairs", "phases", "single", {"one for each wave": "single", "cosine and sine": "pairs"}),
        Slider("seed", "draw no.", 0, 0, 19, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left six of the waves over x, one below the other. On the right the kernel k(x, 0) in black, what "
    "all the waves together make of it in green, and a grey band of two standard errors on either side of the black "
    "curve.",
    code=code,
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
