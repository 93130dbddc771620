"""Notebook 12. Two samples, their means in Φ-space as curves, and what chance makes of their distance."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, Polynomial
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Fill, HLine, Line, Text
from kernelkit.course.panel.numbers import fixed, short, typed
from kernelkit.course.plots import BLUE, GREY, INK, ORANGE
from kernelkit.study.two_samples import permutation_test

GRID = np.linspace(-9, 9, 289)
TIMES, BINS = 300, 30
SHUFFLED = f"{GREY}99"  # six tenths of its ink
KERNELS = {"xᵀz": "linear", "(xᵀz + 1)²": "polynomial", "Gaussian": "gaussian"}


@lru_cache(maxsize=32)
def noise(half, number):
    """Two samples of 2·half points with mean 0 and variance 1, also within each half of the second: (n,), (n,)."""
    rng = np.random.default_rng(number)
    one = _standard(rng.standard_normal(2 * half))
    return one, np.concatenate([_standard(rng.standard_normal(half)) for _ in range(2)])


def _standard(x):
    return (x - x.mean()) / x.std()


def samples(shift, spread, humps, half, number):
    """The first sample; and the second, two humps ±humps apart from its middle, stretched by spread and shifted."""
    one, e = noise(half, number)
    return one, shift + spread * (np.repeat([-humps, humps], half) + e)


def kernel_of(kernel, sigma):
    return {"linear": Linear(), "polynomial": Polynomial(2), "gaussian": Gaussian(sigma)}[kernel]


def compute(kernel, sigma, shift, spread, humps, half, number):
    one, two = samples(shift, spread, humps, half, number)
    k = kernel_of(kernel, sigma)
    means = [k(GRID[:, None], x[:, None]).mean(axis=1) for x in (one, two)]
    value, null, p = permutation_test(k, one[:, None], two[:, None], TIMES)
    return SimpleNamespace(one=one, two=two, means=means, value=value, null=null, p=p)


def picture(s):
    return [[_means(s), _null(s)]]


def _means(s):
    """Both means, as high as there is room, and the points of the samples below them."""
    tallest = max(np.abs(mean).max() for mean in s.means)
    one, two = (0.93 * mean / max(tallest, 1e-12) for mean in s.means)
    strokes = {"marker": "|", "size": 9, "rim": 1.1}
    return Axes(
        "the two means in Φ-space, as functions",
        Axis("$x$", -9, 9, range(-8, 9, 4)),
        Axis("", -1.05, 1.25, ()),
        HLine(0, GREY),
        Text(-8.8, 1.14, "sample 1", BLUE),
        Text(-8.8, 1.0, "sample 2", ORANGE),
        Fill(GRID, one, GREY, alpha=0.2, low=two),
        Line(GRID, one, BLUE),
        Dots(s.one, -0.83, BLUE, edge=BLUE, **strokes),
        Line(GRID, two, ORANGE),
        Dots(s.two, -0.97, ORANGE, edge=ORANGE, **strokes),
        name="axes",
        place=(0.02, 0.13, 0.5, 0.76),
        dress=_without_left,
    )


def _null(s):
    """How often shuffled samples have a squared distance, and a line at that of the samples as they are."""
    limit = 1.06 * max(s.null.max(), s.value, 1e-12)
    counts, edges = np.histogram(s.null / limit, BINS, (0, 1))
    at, half = s.value / limit, float(f"{limit / 2:.1g}")
    name = {"x": at - 0.02, "side": "right"} if at > 0.5 else {"x": at + 0.02, "side": "left"}
    return Axes(
        "grey: shuffled; line: as they are",
        Axis("squared distance of the means in Φ-space", 0, 1, (0,), ("0",)),
        Axis("", 0, 1.18, ()),
        Bars((edges[1:] + edges[:-1]) / 2, counts / counts.max(), SHUFFLED, width=1 / BINS),
        Line(at, [0, 1.08], width=2.4),
        Line(half / limit, [-0.012, 0.012], width=0.8, clip=False),
        Text(half / limit, -0.0285, short(half), side="center", up="top"),
        Text(y=1.1, words=f"p = {short(s.p, 2)}", color=INK, **name),
        place=(0.565, 0.13, 0.41, 0.76),
        dress=_without_left,
    )


def _without_left(ax):
    ax.spines["left"].set_visible(False)


def readout(state):
    one, two = state.one, state.two
    return {
        "averages of x": f"{fixed(one.mean())} and {fixed(two.mean())}",
        "variances": f"{fixed(one.var())} and {fixed(two.var())}",
        "squared distance in Φ-space": short(round(state.value, 9), 2),
        f"p of {TIMES} shuffles": short(state.p, 2),
    }


def _tell(state, x, y):
    one, two = (short(round(float(np.interp(x, GRID, mean)), 4)) for mean in state.means)
    return f"at x = {fixed(x, 1)}: {one} and {two}"


def code(kernel, sigma, shift, spread, humps, half, number):
    return (
        "from kernelkit import Gaussian, Linear, Polynomial\n"
        "from kernelkit.course.explorers.pca_and_density.two_samples import samples\n"
        "from kernelkit.study.two_samples import permutation_test\n\n"
        f"one, two = samples(shift={typed(shift)}, spread={typed(spread)}, humps={typed(humps)}, half={half}, "
        f"number={number})\nprint(one.mean(), two.mean(), one.var(), two.var())\n"
        f"found = permutation_test({kernel_of(kernel, float(typed(sigma)))!r}, one[:, None], two[:, None], {TIMES})\n"
        "print(found.value, found.p)"
    )


two_samples = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kernel", "kernel k", "gaussian", KERNELS, more=True),
    Slider("sigma", "width σ", 0.707946, 0.1, 10.0, 0.05, log=True, when=lambda v: v["kernel"] == "gaussian"),
    Slider("shift", "shift of sample 2", 0.0, -2.0, 2.0, 0.05),
    Slider("spread", "stretch of sample 2", 2.0, 0.2, 2.0, 0.05),
    Slider("humps", "two humps in sample 2, ±", 0.0, 0.0, 3.0, 0.05),
    Slider("half", "points of a sample ÷ 2", 30, 5, 50, 1),
    Slider("number", "sample no.", 1, 1, 20, 1, more=True),
    title="Two samples told apart",
    shows="On the left two curves over x, the means of two samples in Φ-space as functions, blue for sample 1 and "
    "orange for sample 2, with a stroke below for each point. On the right grey bars show how often shuffled samples "
    "have a squared distance, and a black line is at the distance of the samples as they are.",
    film=("sigma", "shift"),
    scenes={
        "σ = 10": {"sigma": 10.0},
        "A shift": {"shift": 0.6, "spread": 1.0},
        "A shift, few points": {"shift": 0.6, "spread": 1.0, "half": 5},
        "No difference": {"spread": 1.0},
        "Linear": {"kernel": "linear"},
    },
    question=Question(
        "The samples have the same mean and different spreads. With σ = 0.7 they are told apart. What does the same "
        "test say with σ = 10?",
        ("that they differ, with a smaller p", "that they differ, with the same p", "that chance could do as much"),
        2,
        "Such a wide Gaussian is almost flat over the samples, and what it sees best are their means. Shuffling "
        "changes the means by chance, and in 38\u00a0% of the cases the distance is then as large as here. So choose "
        "σ about as wide as the detail in which the samples may differ.",
        scene="σ = 10",
    ),
    tell={"axes": _tell},
    motion=True,
)
