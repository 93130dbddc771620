"""Notebook 07. Three classes: one machine for each."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets
from kernelkit.explorers.shared import boundary as plane
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import BLUE, GREEN, ORANGE, contour_lines

KINDS = ("setosa", "versicolor", "virginica")
LOOKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"))
PETAL = (-1.9, -1.9), (2.3, 2.3)
LENGTHS, WIDTHS = plane.grid(*PETAL, 120)


def compute(kernel, C, sigma, show):
    X, y = datasets.iris()
    X = X[:, 2:]
    k = Gaussian(sigma) if kernel == "gaussian" else Linear()
    machines = OneVsRest(KernelSVM(k, C)).fit(X, y)
    H = np.array([plane.decision_on_grid(m, LENGTHS, WIDTHS) for m in machines.models_])
    claims = (H > 0).sum(axis=0)
    return SimpleNamespace(
        X=X, y=y, H=H, C=C, k=k, show=show, wrong=int(np.sum(machines.predict(X) != y)),
        support=[len(m.support_) for m in machines.models_],
        none=float(np.mean(claims == 0)), several=float(np.mean(claims > 1)),
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.095, 0.13, 0.56, 0.84), xlim=(PETAL[0][0], PETAL[1][0]), ylim=(PETAL[0][1], PETAL[1][1]))
    ax.set(xlabel="petal length (scaled)", ylabel="petal width (scaled)", xticks=[-1, 0, 1, 2], yticks=[-1, 0, 1, 2])
    parts = {
        "regions": ax.imshow(np.zeros((2, 2, 3)), extent=(PETAL[0][0], PETAL[1][0], PETAL[0][1], PETAL[1][1]),
                             origin="lower", aspect="auto", interpolation="nearest", animated=True, zorder=0),
        "borders": [ax.add_collection(LineCollection([], colors=c, linewidths=2, linestyles=s, animated=True, zorder=2))
                    for (c, _), s in zip(LOOKS, ("-", "--", ":"), strict=True)],
        "dots": [ax.plot([], [], m, color=c, mec="white", mew=0.6, ms=7, animated=True, zorder=3)[0] for c, m in LOOKS],
        "notes": [],
    }  # fmt: skip
    side = figure.add_axes((0.69, 0.13, 0.3, 0.84), xlim=(0, 1), ylim=(0, 1))
    side.axis("off")
    for i, (name, (colour, marker), line) in enumerate(zip(KINDS, LOOKS, ("-", "--", ":"), strict=True)):
        height = 0.93 - 0.2 * i
        side.plot([0.03], [height + 0.02], marker, color=colour, ms=8)
        side.plot([0.0, 0.13], [height - 0.07] * 2, line, color=colour, linewidth=2)
        side.text(0.18, height, name, size=11, color=colour, weight="bold")
        parts["notes"].append(side.text(0.18, height - 0.085, "", size=11, animated=True))
    side.text(0, 0.28, "line: where this\nmachine's $h_c = 0$", size=11, va="top")
    return parts


def draw(parts, state):
    light = np.array([0.75 + 0.25 * np.array(to_rgb(c)) for c, _ in LOOKS])
    if state.show == "winner":
        colours = light[state.H.argmax(axis=0)]
    else:  # white where nobody claims a point, grey where several do
        claims = (state.H > 0).sum(axis=0)[..., None]
        colours = np.where(claims == 1, light[state.H.argmax(axis=0)], np.where(claims == 0, 1.0, 0.75))
    parts["regions"].set_data(np.uint8(255 * colours + 0.5))  # faster to draw than fractions
    for c in range(3):
        parts["borders"][c].set_segments(contour_lines(LENGTHS, WIDTHS, state.H[c], (0.0,))[0])
        parts["dots"][c].set_data(*state.X[state.y == c].T)
        parts["notes"][c].set_text(f"{state.support[c]} support vectors")


def describe(state):
    flat = " One line is no use for versicolor: its machine says h = −1 everywhere."
    return (
        f"{state.k!r}, C = {short(state.C)}: {state.wrong} of 150 irises wrong. In {100 * state.none:.0f} % "
        f"of the picture no machine says yes, in {100 * state.several:.0f} % more than one does; the largest h decides."
    ) + (flat if np.ptp(state.H[1]) < 0.05 else "")


def code(kernel, C, sigma, show):
    k = f"Gaussian({sigma:g})" if kernel == "gaussian" else "Linear()"
    return (
        "from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets\n\n"
        "X, y = datasets.iris()\nX = X[:, 2:]  # petal length and width\n"
        f"machines = OneVsRest(KernelSVM({k}, C={C:g})).fit(X, y)\n"
        "print(machines.decision_function(X[:3]).round(2), machines.score(X, y))"
    )


classes = Explorer(
    title="Three classes: one machine for each",
    controls=(
        Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "linear": "linear"}),
        Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
        Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
        Choice("show", "colours show", "claims", {"who says yes": "claims", "the largest h": "winner"}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "The largest h": {"show": "winner"},
        "Lines, who says yes": {"kernel": "linear"},
        "Lines, the largest h": {"kernel": "linear", "show": "winner"},
        "Too small σ": {"sigma": 0.1, "show": "winner"},
    },
    question=Question(
        "With the linear kernel each machine draws one straight line. What can it do for “versicolor or not”?",
        ("separate it as well as the others", "little: no line has versicolor on one side", "nothing is needed there"),
        1,
        "Versicolor lies between the others, and a line cuts off one side, not the middle: w = 0, never yes. "
        "The largest h still finds the middle band, as the smallest no.",
    ),
    size=(7.2, 4.2),
)
