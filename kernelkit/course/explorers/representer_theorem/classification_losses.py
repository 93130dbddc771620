"""Notebook 08. Three losses of classification."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.course.explorers.drawing import boundary
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE, PURPLE

SHAPES = {
    "hinge": ("hinge", lambda m: np.maximum(0, 1 - m)),
    "squared_hinge": ("squared hinge", lambda m: np.maximum(0, 1 - m) ** 2),
    "logistic": ("logistic", lambda m: np.log1p(np.exp(-m))),
}
CLASS_LOOKS = {
    "hinge": {"color": INK, "linestyle": "-"},
    "squared_hinge": {"color": GREEN, "linestyle": "--"},
    "logistic": {"color": PURPLE, "linestyle": "-."},
}
LOW, HIGH = (-2.6, -2.2), (2.6, 2.2)
MARGINS = np.linspace(-2.2, 9, 161)  # the same for every λ, so that the points are seen to move


def compute(loss, lam, sigma, noise):
    X, y = datasets.moons(100, noise, 1)
    model = KernelMachine(Gaussian(sigma), loss, lam).fit(X, y)
    x1, x2 = boundary.grid(LOW, HIGH, 80)
    margins, kept = y * model.decision_function(X), np.flatnonzero(model.a_)
    return SimpleNamespace(
        X=X,
        y=y,
        loss=loss,
        lam=lam,
        x1=x1,
        x2=x2,
        H=boundary.decision_on_grid(model, x1, x2),
        margins=margins,
        kept=kept,
        errors=int(np.sum(margins <= 0)),
        # with the squared hinge loss a_i ≠ 0 just where the margin is below 1
        inside=len(kept) if loss == "squared_hinge" else int(np.sum(margins < 1 - 1e-5)),
    )


def build(figure):
    left = figure.add_axes((0.05, 0.135, 0.385, 0.745), ylim=(-0.35, 4.2), yticks=[0, 1, 2, 3, 4])
    left.set(xlim=(MARGINS[0], MARGINS[-1]), xticks=range(-2, 10, 2))
    left.set_xlabel("margin $y\\,f$")
    left.set_title("loss of every point · ring: $a_i \\neq 0$")
    for x, style in ((0, "-"), (1, "--")):
        left.axvline(x, ymax=0.72, color=GREY, linewidth=0.8, linestyle=style)
    keys = (0.5, 0.955), (0.5, 0.875), (0.5, 0.795)
    lines = {}
    for (name, (word, _)), (x, y) in zip(SHAPES.items(), keys, strict=True):
        look = CLASS_LOOKS[name] | {"transform": left.transAxes}
        left.plot([x, x + 0.1], [y, y], **look)
        left.text(x + 0.12, y, word, color=look["color"], va="center_baseline", transform=left.transAxes)
        lines[name] = left.plot(MARGINS, SHAPES[name][1](MARGINS), animated=True, **CLASS_LOOKS[name])[0]
    rings = left.plot([], [], "o", color="none", mec=INK, mew=1.2, ms=11, animated=True, zorder=3)[0]
    look = {"mec": "white", "mew": 0.6, "animated": True}
    dots = {
        label: left.plot([], [], MARKERS[label], color=colour, ms=size, zorder=z, **look)[0]
        for label, colour, size, z in ((-1, BLUE, 5, 5), (1, ORANGE, 7.5, 4))  # circles on squares: both are seen
    }
    right = figure.add_axes((0.53, 0.135, 0.46, 0.745), xlabel="$x_1$")
    right.set_ylabel("$x_2$", y=0.614, labelpad=-8, rotation=0, va="center")  # between two ticks
    right.set_title("boundary · dashed: $f = \\pm 1$")
    plane = boundary.build(right, LOW, HIGH)
    right.set(xticks=[-2, -1, 0, 1, 2], yticks=[-2, -1, 0, 1, 2])
    return {"left": left, "lines": lines, "rings": rings, "dots": dots, "right": right, "plane": plane}


def draw(parts, state):
    for name, line in parts["lines"].items():
        line.set(linewidth=3.2 if name == state.loss else 1.3)
    shown = np.clip(state.margins, -2.15, MARGINS[-1] - 0.05)
    heights = np.minimum(SHAPES[state.loss][1](shown), 4.15)
    for label, dots in parts["dots"].items():
        dots.set_data(shown[state.y == label], heights[state.y == label])
    parts["rings"].set_data(shown[state.kept], heights[state.kept])
    boundary.draw(parts["plane"], state.x1, state.x2, state.H, state.X, state.y, support=state.kept)


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
    return f"f = {fixed(boundary.value_at(state.x1, state.x2, state.H, (x, y)))}"


def code(loss, lam, sigma, noise):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelMachine, datasets\n\n"
        f"X, y = datasets.moons(100, {short(noise)}, 1)\n"
        f"model = KernelMachine(Gaussian({short(sigma)}), {loss!r}, lam={lam:.6g}).fit(X, y)\n"
        "print(np.sum(model.a_ != 0), np.sum(model.predict(X) != y))"
    )


classification_losses = Explorer(
    title="Three losses of classification",
    controls=(
        Choice("loss", "loss", "hinge", {word: name for name, (word, _) in SHAPES.items()}),
        Slider("lam", "λ", 0.1, 0.01, 100.0, 0.1, log=True),
        Slider("sigma", "width σ", 0.8, 0.3, 3.0, 0.05),
        Slider("noise", "noise", 0.25, 0.05, 0.5, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left three losses over the margin y·f; each training point is on the chosen loss at its margin, "
    "blue dots and orange squares, with a ring where its dual weight is not 0. On the right are the same points "
    "in the plane of x₁ and x₂, the boundary, and, dashed, where f is 1 or −1.",
    code=code,
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
