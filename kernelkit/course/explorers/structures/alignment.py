"""Notebook 15. All alignments of two series at once."""

from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit.course.panel.controls import Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Image, Line, Live, Segments, Text
from kernelkit.course.panel.numbers import fixed, percent, short
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

APART = 1.2  # x is drawn so much above 0, z so much below
LOW, HIGH = (0.0, -2.6), (1.0, 2.6)
KNOTS = 5  # of each series
LINKED = 0.04  # the share of alignments from which on a pair of steps is joined by a line
DARK = 1 - np.array(to_rgb(INK))
LEAST = 1e-300  # a cosine below is above 0, too, but cannot be written as a float


def series(knots, steps, height):
    """Values at so many equal steps of time, on straight lines between the knots, whose picture is moved by height."""
    t, v = np.array(sorted(knots)).T
    return np.interp(np.linspace(0, 1, steps), t, v - height)


def log_k_0(x, z, sigma):
    """log k₀ of all pairs of steps, k₀ = k/(2 − k) for a Gaussian k of the values: (|x|, |z|)."""
    log_k = -(np.subtract.outer(x, z) ** 2) / (2 * sigma**2)
    return log_k - np.log(2 - np.exp(log_k))


def log_table(k_0):
    """log M(s, t), the sum over all alignments that end at (s, t), diagonal by diagonal: (|x|, |z|)."""
    n, m = k_0.shape
    M = np.full((n + 1, m + 1), -np.inf)
    M[0, 0] = 0
    for diagonal in range(2, n + m + 1):
        s = np.arange(max(1, diagonal - m), min(n, diagonal - 1) + 1)
        t = diagonal - s
        M[s, t] = k_0[s - 1, t - 1] + np.logaddexp(np.logaddexp(M[s - 1, t - 1], M[s - 1, t]), M[s, t - 1])
    return M[1:, 1:]


def shares(k_0):
    """Which part of k comes from the alignments that pair s with t, for all (s, t); and log k."""
    ahead, behind = log_table(k_0), log_table(k_0[::-1, ::-1])[::-1, ::-1]
    return np.exp(ahead + behind - k_0 - ahead[-1, -1]), ahead[-1, -1]


def compute(knots, sigma, n, m):
    x, z = series(knots[:KNOTS], n, APART), series(knots[KNOTS:], m, -APART)
    k_0 = log_k_0(x, z, sigma)
    P, log_k = shares(k_0)
    own = [log_table(log_k_0(v, v, sigma))[-1, -1] for v in (x, z)]
    gaps = np.abs(np.subtract.outer(x, z))
    t = np.linspace(0, 1, 100)
    same = np.interp(t, np.linspace(0, 1, n), x) - np.interp(t, np.linspace(0, 1, m), z)
    cosine = float(np.exp(log_k - sum(own) / 2))
    return SimpleNamespace(
        x=x,
        z=z,
        P=P,
        cosine=cosine,
        tiny=cosine < LEAST,
        aligned=float((P * gaps).sum() / P.sum()),
        at_once=float(np.abs(same).mean()),
    )


def _cosine(state):
    return {False: short(state.cosine, 2), True: "below 10⁻³⁰⁰"}[state.tiny]


def picture(s):
    return [[_series(s), _shares(s)]]


def _series(s):
    """Both series with their knots, and lines that join the steps which many alignments pair."""
    (t, x), (u, z) = (np.linspace(0, 1, s.n), s.x + APART), (np.linspace(0, 1, s.m), s.z - APART)
    i, j = np.nonzero(s.P > LINKED)
    grey = np.column_stack([np.full((len(i), 3), 0.4), np.minimum(s.P[i, j], 0.6)])
    knots = np.array(s.knots)
    return Axes(
        Live("$z$ is drawn lower: drag the knots", "$z$ is drawn lower", "$z$ is drawn lower"),
        Axis("time", -0.03, 1.03, (0, 0.5, 1)),
        Axis("", LOW[1] - 0.1, HIGH[1] + 0.1, ()),
        Text(0, 2.2, "$x$", PURPLE, size=15),
        Text(0, -2.5, "$z$", GREEN, size=15),
        Segments((t[i], x[i]), (u[j], z[j]), grey),
        *_steps(t, x, PURPLE),
        *_steps(u, z, GREEN),
        Dots(*knots[:KNOTS].T, "white", size=10, edge=PURPLE, rim=2),
        Dots(*knots[KNOTS:].T, "white", size=10, edge=GREEN, rim=2),
        name="axes",
        place=(0.02, 0.13, 0.445, 0.775),
        dress=_near_label,
    )


def _near_label(ax):
    ax.xaxis.labelpad = 0


def _steps(t, v, colour):
    return Line(t, v, colour, width=1.5), Dots(t, v, colour, marker=".", size=5, edge=colour, rim=1)


def _shares(s):
    """Of k the part that comes from alignments with each pair of steps."""
    return Axes(
        "share of k from alignments with this pair",
        Axis("steps of $z$", 0, 1, ()),
        Axis("steps of $x$", 0, 1, ()),
        Image(1 - np.sqrt(np.minimum(s.P, 1))[..., None] * DARK, (0, 1, 0, 1), smooth=True),
        Line([0, 1], [0, 1], GREY, width=1.4, style="--"),
        Text(0.98, 0.03, f"cosine {_cosine(s)}", side="right", up="bottom"),
        name="heat",
        place=(0.545, 0.13, 0.435, 0.775),
    )


def readout(state):
    return {
        "cosine": _cosine(state),
        "mean difference of paired values": fixed(state.aligned),
        "of values at equal times": fixed(state.at_once),
    }


def _tell(state, x, y):
    i, j = int(y * len(state.x)), int(x * len(state.z))
    if not (0 <= i < len(state.x) and 0 <= j < len(state.z)):
        return ""
    return f"step {i + 1} with step {j + 1}: {percent(state.P[i, j], 0)}"


def _series_code(name, knots, steps, height):
    t, v = np.array(sorted(knots)).T
    t, v = ([float(f"{p:.4g}") for p in part] for part in (t, v - height))
    return f"t, v = {t}, {v}\n{name} = np.interp(np.linspace(0, 1, {steps}), t, v)[:, None]\n"


def code(knots, sigma, n, m):
    return (
        "import numpy as np\nfrom kernelkit import *\n\n"
        + _series_code("x", knots[:KNOTS], n, APART)
        + _series_code("z", knots[KNOTS:], m, -APART)
        + f"k = Normalized(Alignments(Gaussian({sigma:g})))\nprint(k(x, z))"
    )


def _bump(at, height, wide=0.14):
    """The knots of a series that is 0 but for one peak."""
    return tuple((t, v + height) for t, v in ((0.0, 0.0), (at - wide, 0.0), (at, 1.0), (at + wide, 0.0), (1.0, 0.0)))


def _wave(times, values, height):
    return tuple((t, v + height) for t, v in zip(times, values, strict=True))


EVEN, UP_DOWN = (0.1, 0.3, 0.5, 0.7, 0.9), (0.0, 1.0, 0.0, -1.0, 0.0)
alignment = panel(
    compute,
    picture,
    readout,
    code,
    Points(
        "knots",
        "knot",
        _bump(0.3, APART) + _bump(0.3, -APART),
        LOW,
        HIGH,
        "axes",
        ("time", "height"),
        tuple(f"{name}{i}" for name in "xz" for i in range(1, KNOTS + 1)),
        more=True,
    ),
    Slider("sigma", "width σ", 0.60256, 0.1, 10.0, 0.01, log=True),
    Slider("n", "steps of x", 20, 8, 40, 1),
    Slider("m", "steps of z", 20, 8, 40, 1),
    title="All alignments at once",
    size=(7.0, 3.6),
    shows="On the left two series over time, x in purple and below it z in green, each with five knots; grey lines "
    "join the pairs of steps that many alignments contain. On the right each place is a step of z, across, and a "
    "step of x, upwards, and it is darker the more of k comes from alignments with this pair. A dashed diagonal "
    "marks equal times.",
    tell={"heat": _tell},
    motion=True,
    film=("sigma",),
    scenes={
        "z comes later": {"knots": _bump(0.3, APART) + _bump(0.7, -APART)},
        "z is slower": {"knots": _bump(0.3, APART) + _bump(0.45, -APART, 0.4), "m": 24},
        "Another order": {"knots": _wave(EVEN, UP_DOWN, APART) + _wave(EVEN, UP_DOWN[::-1], -APART)},
        "Too wide": {"knots": _wave(EVEN, UP_DOWN, APART) + _wave(EVEN, UP_DOWN[::-1], -APART), "sigma": 10.0},
    },
    question=Question(
        "Both series have one peak, at the same time. If the peak of z comes later, where will the dark band on the "
        "right run?",
        ("off the diagonal and back to it", "on the diagonal, but paler", "nowhere: nothing can be paired"),
        0,
        "At one of its first steps x waits until z begins to rise, and after the peaks z waits for x. So similar "
        "values are paired, and the order in time is kept. Fewer alignments take this detour, so the cosine falls to "
        "0.005. In the scene “Another order” it falls much further, because no waiting can exchange a peak and a dip.",
        scene="z comes later",
    ),
)
