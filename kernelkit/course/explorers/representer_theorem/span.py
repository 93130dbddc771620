"""Notebook 08. Gradient descent and the span of the data."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis, Dots, Line, Text
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

STEPS = 60
SECOND, TARGETS = (-0.7, 0.9), (1.0, 0.5)  # the second point, and the targets of both


def compute(places, points, rate, lam, step):
    start, first = np.array(places)
    Phi = np.array([first, SECOND])[:points]
    y = np.array(TARGETS[:points])
    eta = rate / max(np.linalg.norm(Phi, 2) ** 2 + lam, 1e-9)
    path = [start]
    for _ in range(STEPS):
        path.append(path[-1] - eta * (Phi.T @ (Phi @ path[-1] - y) + lam * path[-1]))
    path = np.array(path)
    pinv = np.linalg.pinv(Phi, rcond=1e-6)
    inside = path @ (pinv @ Phi).T
    shortest = pinv @ y
    return SimpleNamespace(
        Phi=Phi,
        y=y,
        path=path,
        inside=inside,
        outside=path - inside,
        shortest=shortest,
        rank=int(np.linalg.matrix_rank(Phi, 1e-6)),
        residual=float(np.abs(Phi @ path[step] - y).max()),
    )


def picture(s):
    return [[Axes("", NO_AXIS, NO_AXIS, *_legend(), place=(0, 0, 1, 1), bare=True), _plane(s), _lengths(s)]]


@cache
def _legend():
    """What stands above the pictures, in parts of the page."""
    return [
        Text(0.065, 0.935, "wide: span of the data", GREY),
        Text(0.335, 0.935, "dashed: perfect fits", INK),
        Text(0.54, 0.935, "★ shortest", GREEN),
        Text(0.705, 0.935, "lengths, thin: at the start"),
        Text(0.705, 0.87, "in the span", GREEN),
        Text(0.845, 0.87, "outside: dots", PURPLE),
    ]


def _plane(s):
    w, inside = s.path[s.step], s.inside[s.step]
    along = s.Phi[0] / max(np.linalg.norm(s.Phi[0]), 1e-9)
    plane = Axes(
        "",
        Axis("$w_1$", -3.34, 3.34, range(-3, 4)),
        Axis("", -2.5, 2.5, range(-2, 3)),
        Dots(0, 0, marker="+", size=9, rim=1.4),
        Line(*np.outer([-9, 9], along).T, GREY, width=7, alpha=0.3) if s.rank == 1 else None,
        *_fits(s),
        Line([0, inside[0]], [0, inside[1]], GREEN, width=3),
        Line([inside[0], w[0]], [inside[1], w[1]], PURPLE, width=3.4, style=":"),
        Line(*s.path[: s.step + 1].T, width=1.4),
        Dots(*s.path[: s.step + 1].T, size=3.5, edge=INK, rim=1),
        Dots(*s.shortest, GREEN, marker="*", size=16, rim=1),
        Dots(*w, size=10, edge=INK, rim=1),
        Dots(*s.Phi.T, GREY, marker="D", size=9, rim=1),
        Dots(*s.path[0], "none", size=15, edge=INK, rim=1.6, clip=False),
        _letter(w[0] + 0.14, w[1] + 0.1, "$w$", INK),
        name="plane",
        place=(0.065, 0.135, 0.555, 0.765),
        dress=_dress,
    )
    plane += [_letter(*(x + 0.12), f"$x_{i + 1}$", GREY) for i, x in enumerate(s.Phi)]
    return plane


def _dress(ax):
    ax.set_ylabel("$w_2$", labelpad=-4)


def _fits(s):
    """For each point the line of all w that fit it."""
    lines = [_perfect(x, target) if x.any() else None for x, target in zip(s.Phi, s.y, strict=True)]
    lines += [None] * (len(TARGETS) - len(lines))
    return [line if line is None else Line(*line, width=1.2, style="--") for line in lines]


def _perfect(x, target):
    """Two far points of the line {w : wᵀx = target}."""
    foot, along = x * target / (x @ x), np.array([-x[1], x[0]]) / np.linalg.norm(x)
    return np.transpose([foot - 9 * along, foot + 9 * along])


def _letter(x, y, letter, color):
    return Text(x, y, letter, color, size=15, box=GROUND)


def _lengths(s):
    """How long the parts of w are in the span and outside, up to this step; thin: as long as at the start."""
    inside, outside = (np.linalg.norm(part, axis=1) for part in (s.inside, s.outside))
    longest = 1.05 * max(inside.max(), outside.max())
    limit = next(v for v in (1.5, 3.0, 4.5, 9.0, 99.0) if v >= longest)
    ticks = 0, limit / 3, 2 * limit / 3, limit
    steps = np.arange(s.step + 1)
    return Axes(
        "",
        Axis("step", 0, STEPS, (0, 20, 40, 60)),
        Axis("", -0.02 * limit, limit, ticks, map(short, ticks), steady=True),
        Line([0, STEPS], inside[[0, 0]], GREEN, width=0.9, alpha=0.6),
        Line([0, STEPS], outside[[0, 0]], PURPLE, width=0.9, alpha=0.6),
        Line(steps, inside[: s.step + 1], GREEN, width=2.8, clip=False),
        Line(steps, outside[: s.step + 1], PURPLE, width=3.4, style=":", clip=False),
        Dots(s.step, inside[s.step], GREEN, size=8, edge=GREEN, rim=1, clip=False),
        Dots(s.step, outside[s.step], PURPLE, size=8, edge=PURPLE, rim=1, clip=False),
        name="lengths",
        place=(0.705, 0.135, 0.28, 0.685),
    )


def readout(state):
    inside, outside = (np.linalg.norm(part, axis=1) for part in (state.inside, state.outside))
    return {
        "w": f"({', '.join(map(fixed, state.path[state.step]))})",
        "largest residual": f"{state.residual:.2f}",
        "length in the span": f"{inside[state.step]:.2f}",
        "length outside": f"{outside[state.step]:.2f}",
        "length outside at the start": f"{outside[0]:.2f}",
    }


def _tell_plane(state, x, y):
    worst = float(np.abs(state.Phi @ [x, y] - state.y).max())
    return f"w = ({fixed(x)}, {fixed(y)}): residual {fixed(worst)}"


def _tell_lengths(state, x, y):
    t = min(max(round(x), 0), state.step)
    inside, outside = (fixed(np.linalg.norm(part[t])) for part in (state.inside, state.outside))
    return f"step {t}: inside {inside}, outside {outside}"


def code(places, points, rate, lam, step):
    (start, first) = ([float(f"{v:.6g}") for v in place] for place in places)
    rows = [first, list(SECOND)][:points]
    return (
        "import numpy as np\n\n"
        f"Phi, y = np.array({rows}), np.array({list(TARGETS[:points])})\nw, lam = np.array({start}), {short(lam)}\n"
        f"eta = {short(rate)} / (np.linalg.norm(Phi, 2) ** 2 + lam)\n"
        f"for _ in range({step}):\n    w = w - eta * (Phi.T @ (Phi @ w - y) + lam * w)\n"
        "inside = np.linalg.pinv(Phi, rcond=1e-6) @ (Phi @ w)\nprint(w, np.linalg.norm(w - inside))"
    )


span = panel(
    compute,
    picture,
    readout,
    code,
    Stepper("step", "step", STEPS),
    Points(
        "places",
        "move",
        ((-1.4, 1.6), (1.2, 0.6)),
        (-2.2, -2.2),
        (2.2, 2.2),
        "plane",
        ("coordinate 1", "coordinate 2"),
        ("start of w", "data point x₁"),
        more=True,
    ),
    Choice("points", "data", 1, {"one point": 1, "two points": 2}),
    Slider("rate", "step size × curvature L", 0.2, 0.05, 1.9, 0.05, more=True),
    Slider("lam", "penalty λ", 0.0, 0.0, 0.5, 0.02),
    title="Gradient descent and the span of the data",
    shows="On the left the plane of the two weights: diamonds are the data points, a wide grey line is their span, "
    "every w on a dashed line fits its point, a star is the shortest of the best fits, and the path of w begins "
    "at the ring. On the right are the lengths of the part of w in the span and of the part outside, at each "
    "step.",
    tell={"plane": _tell_plane, "lengths": _tell_lengths},
    motion=True,
    film=("step",),
    scenes={
        "Outside": {"step": STEPS},
        "From 0": {"places": ((0.0, 0.0), (1.2, 0.6)), "step": STEPS},
        "In the span": {"places": ((-2.0, -1.0), (1.2, 0.6)), "step": STEPS},
        "With a penalty": {"lam": 0.3, "step": STEPS},
        "Two points": {"points": 2, "step": STEPS},
    },
    question=Question(
        "Without a penalty no step changes the part of w outside the span, which is 2.06 long. What becomes of it with "
        "a penalty of 0.3?",
        ("it stays, because the data do not see it", "it is 0 after one step", "it shrinks by a factor in each step"),
        2,
        "The gradient of the penalty is λw, so each step multiplies the part outside by the same number below 1. With "
        "enough steps it vanishes, as the theorem says.",
        "With a penalty",
    ),
)
