"""Notebook 08. Three losses of classification."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.course.explorers.drawing.boundary import COLOURS, decision_on_grid, grid, points, sides, value_at
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Text
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.plots import GREEN, GREY, INK, MARKERS, PURPLE

SHAPES = {
    "hinge": ("hinge", lambda m: np.maximum(0, 1 - m)),
    "squared_hinge": ("squared hinge", lambda m: np.maximum(0, 1 - m) ** 2),
    "logistic": ("logistic", lambda m: np.log1p(np.exp(-m))),
}
LOOKS = {
    "hinge": {"color": INK, "style": "-"},
    "squared_hinge": {"color": GREEN, "style": "--"},
    "logistic": {"color": PURPLE, "style": "-."},
}
LOW, HIGH = (-2.6, -2.2), (2.6, 2.2)
X1, X2 = grid(LOW, HIGH, 80)
MARGINS = np.linspace(-2.2, 9, 161)  # the same for every λ, so that the points are seen to move


def compute(loss, lam, sigma, noise):
    X, y = datasets.moons(100, noise, 1)
    model = KernelMachine(Gaussian(sigma), loss, lam).fit(X, y)
    margins, kept = y * model.decision_function(X), np.flatnonzero(model.a_)
    return SimpleNamespace(
        X=X,
        y=y,
        H=decision_on_grid(model, X1, X2),
        margins=margins,
        kept=kept,
        errors=int(np.sum(margins <= 0)),
        # with the squared hinge loss a_i ≠ 0 just where the margin is below 1
        inside=len(kept) if loss == "squared_hinge" else int(np.sum(margins < 1 - 1e-5)),
    )


def picture(s):
    shown = np.clip(s.margins, -2.15, MARGINS[-1] - 0.05)
    heights = np.minimum(SHAPES[s.loss][1](shown), 4.15)
    losses = Axes(
        "loss of every point · ring: $a_i \\neq 0$",
        Axis("margin $y\\,f$", MARGINS[0], MARGINS[-1], range(-2, 10, 2)),
        Axis("", -0.35, 4.2, range(5)),
        *_legend(),
        *_losses(s.loss),
        Dots(shown[s.kept], heights[s.kept], "none", size=11, edge=INK, rim=1.2),
        *(_dots(shown[s.y == c], heights[s.y == c], c, size) for c, size in ((1, 7.5), (-1, 5))),  # both are seen
        name="left",
        place=(0.05, 0.135, 0.385, 0.745),
    )
    plane = Axes(
        "boundary · dashed: $f = \\pm 1$",
        Axis("$x_1$", LOW[0], HIGH[0], range(-2, 3)),
        Axis("", LOW[1], HIGH[1], range(-2, 3)),
        *sides(X1, X2, s.H, s.X),
        *points(s.X, s.y, support=s.kept),
        name="right",
        place=(0.53, 0.135, 0.46, 0.745),
        dress=_dress,
    )
    return [[losses, plane]]


def _dress(ax):
    """The letter of the y-axis between two ticks."""
    ax.set_ylabel("$x_2$", y=0.614, labelpad=-8, rotation=0, va="center")


@cache
def _losses(loss):
    """The three losses, wide the one that is chosen."""
    widths = {name: 3.2 if name == loss else 1.3 for name in LOOKS}
    return [Line(MARGINS, f(MARGINS), **LOOKS[name], width=widths[name]) for name, (_, f) in SHAPES.items()]


def _dots(margins, heights, c, size):
    return Dots(margins, heights, COLOURS[c], marker=MARKERS[c], size=size, rim=0.6, name="dots")


@cache
def _legend():
    """The names of the losses, and lines where a margin is 0 and where it is 1."""
    marks = [Line(x, [-0.35, 2.926], GREY, width=0.8, style=style) for x, style in ((0, "-"), (1, "--"))]
    for (name, (word, _)), y in zip(SHAPES.items(), (3.995, 3.631, 3.267), strict=True):
        marks += [Line([3.4, 4.52], y, **LOOKS[name])]
        marks += [Text(4.744, y, word, LOOKS[name]["color"], up="center_baseline")]
    return marks


def readout(state):
    return {
        "λ": short(state.lam),
        "dual weights not 0": f"{len(state.kept)} of {len(state.y)}",
        "points inside the margin": state.inside,
        "points on the wrong side": state.errors,
    }


def _tell_loss(state, x, y):
    return f"margin {fixed(x)}: {SHAPES[state.loss][0]} {fixed(SHAPES[state.loss][1](x))}"


def _tell_output(state, x, y):
    return f"f = {fixed(value_at(X1, X2, state.H, (x, y)))}"


code = """
import numpy as np
from kernelkit import Gaussian, KernelMachine, datasets

X, y = datasets.moons(100, {noise:.3g}, 1)
model = KernelMachine(Gaussian({sigma:.3g}), {loss!r}, lam={lam:.6g}).fit(X, y)
print(np.sum(model.a_ != 0), np.sum(model.predict(X) != y))
"""

classification_losses = panel(
    compute,
    picture,
    readout,
    code,
    Choice("loss", "loss", "hinge", {word: name for name, (word, _) in SHAPES.items()}),
    Slider("lam", "λ", 0.1, 0.01, 100.0, 0.1, log=True),
    Slider("sigma", "width σ", 0.8, 0.3, 3.0, 0.05),
    Slider("noise", "noise", 0.25, 0.05, 0.5, 0.05),
    title="Three losses of classification",
    shows="On the left three losses over the margin y·f; each training point is on the chosen loss at its margin, "
    "blue dots and orange squares, with a ring where its dual weight is not 0. On the right are the same points "
    "in the plane of x₁ and x₂, the boundary, and, dashed, where f is 1 or −1.",
    tell={"left": _tell_loss, "right": _tell_output},
    motion=True,
    film=("lam",),
    scenes={
        "Logistic": {"loss": "logistic"},
        "Squared hinge": {"loss": "squared_hinge"},
        "Hinge": {},
        "Everyone is needed": {"loss": "hinge", "lam": 100.0},
    },
    question=Question(
        "The hinge loss keeps 12 points, and the logistic loss keeps all 100. What will the boundary do if all are "
        "kept?",
        ("bend around many more points", "become nearly straight", "move only a little"),
        2,
        "The slope of log(1 + exp(−y·f)) is never 0, so every point pulls, but a point with a large margin hardly "
        "pulls at all. So which points are kept and where the boundary runs are two different questions.",
        scene="Logistic",
    ),
)
