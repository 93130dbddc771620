"""Notebook 08. Gradient descent and the span of the data."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import GROUND, reframed, steady
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
        step=step,
        rank=int(np.linalg.matrix_rank(Phi, 1e-6)),
        residual=float(np.abs(Phi @ path[step] - y).max()),
    )


def build(figure):
    plane = figure.add_axes((0.065, 0.135, 0.555, 0.765), xlim=(-3.34, 3.34), ylim=(-2.5, 2.5), xlabel="$w_1$")
    plane.set(xticks=[-3, -2, -1, 0, 1, 2, 3], yticks=[-2, -1, 0, 1, 2])
    plane.set_ylabel("$w_2$", labelpad=-4)
    plane.plot(0, 0, "+", color=INK, ms=9, mew=1.4)
    for x, words, colour in ((0.065, "wide: span of the data", GREY), (0.335, "dashed: perfect fits", INK)):
        figure.text(x, 0.935, words, color=colour)
    figure.text(0.54, 0.935, "★ shortest", color=GREEN)
    return _build_plane(plane) | _build_lengths(figure)


def _line(ax, *style, **look):
    return ax.plot([], [], *style, animated=True, **look)[0]


def _build_plane(plane):
    return {
        "plane": plane,
        "span": _line(plane, "-", color=GREY, linewidth=7, alpha=0.3),
        "fits": [_line(plane, "--", color=INK, linewidth=1.2) for _ in TARGETS],
        "in": _line(plane, "-", color=GREEN, linewidth=3.0),
        "out": _line(plane, ":", color=PURPLE, linewidth=3.4),
        "path": _line(plane, "-o", color=INK, linewidth=1.4, ms=3.5),
        "shortest": _line(plane, "*", color=GREEN, ms=16, mec="white"),
        "now": _line(plane, "o", color=INK, ms=10),
        "points": _line(plane, "D", color=GREY, ms=9, mec="white"),
        "start": _line(plane, "o", color="none", mec=INK, mew=1.6, ms=15, clip_on=False),
        "letters": [
            plane.text(0, 0, f"$x_{i + 1}$", size=15, color=GREY, bbox=GROUND, animated=True) for i in range(2)
        ],
        "w": plane.text(0, 0, "$w$", size=15, color=INK, bbox=GROUND, animated=True),
    }


def _build_lengths(figure):
    ax = figure.add_axes((0.705, 0.135, 0.28, 0.685), xlim=(0, STEPS), xlabel="step", xticks=[0, 20, 40, 60])
    figure.text(0.705, 0.935, "lengths, thin: at the start")
    figure.text(0.705, 0.87, "in the span", color=GREEN)
    figure.text(0.845, 0.87, "outside: dots", color=PURPLE)
    looks = {"color": GREEN, "linewidth": 2.8}, {"color": PURPLE, "linewidth": 3.4, "linestyle": ":"}
    return {
        "lengths": ax,
        "firsts": [ax.axhline(0, color=look["color"], linewidth=0.9, alpha=0.6, animated=True) for look in looks],
        "curves": [_line(ax, **look, clip_on=False) for look in looks],
        "ends": [_line(ax, "o", color=look["color"], ms=8, clip_on=False) for look in looks],
    }


def draw(parts, state):
    w, inside, t = state.path[state.step], state.inside[state.step], state.step
    _draw_data(parts, state)
    parts["in"].set_data([0, inside[0]], [0, inside[1]])
    parts["out"].set_data([inside[0], w[0]], [inside[1], w[1]])
    parts["path"].set_data(*state.path[: t + 1].T)
    parts["now"].set_data(w[:1], w[1:])
    parts["start"].set_data(state.path[0, :1], state.path[0, 1:])
    parts["shortest"].set_data(state.shortest[:1], state.shortest[1:])
    parts["w"].set_position((w[0] + 0.14, w[1] + 0.10))
    _draw_lengths(parts, state)


def _draw_data(parts, state):
    """The points, their span, and for each the line of all w that fit it."""
    direction = state.Phi[0] / max(np.linalg.norm(state.Phi[0]), 1e-9)
    parts["span"].set_data(*(np.outer([-9, 9], direction).T if state.rank == 1 else ([], [])))
    for i, line in enumerate(parts["fits"]):
        shown = i < len(state.Phi) and state.Phi[i].any()
        line.set_data(*(_perfect(state.Phi[i], state.y[i]) if shown else ([], [])))
    parts["points"].set_data(*state.Phi.T)
    for i, letter in enumerate(parts["letters"]):
        letter.set_visible(i < len(state.Phi))
        letter.set_position(state.Phi[i] + 0.12 if i < len(state.Phi) else (0, 0))


def _perfect(x, target):
    """Two far points of the line {w : wᵀx = target}."""
    foot, along = x * target / (x @ x), np.array([-x[1], x[0]]) / np.linalg.norm(x)
    return np.transpose([foot - 9 * along, foot + 9 * along])


def _draw_lengths(parts, state):
    t, sizes = state.step, [np.linalg.norm(part, axis=1) for part in (state.inside, state.outside)]
    for first, curve, end, size in zip(parts["firsts"], parts["curves"], parts["ends"], sizes, strict=True):
        first.set_ydata([size[0]] * 2)
        curve.set_data(np.arange(t + 1), size[: t + 1])
        end.set_data([t], [size[t]])
    limit = next(v for v in (1.5, 3.0, 4.5, 9.0, 99.0) if v >= 1.05 * max(size.max() for size in sizes))
    _, limit = steady(parts["lengths"], 0.0, limit)
    if reframed(parts["lengths"], limit):
        parts["lengths"].set(ylim=(-0.02 * limit, limit))
        parts["lengths"].set_yticks([0, limit / 3, 2 * limit / 3, limit], [short(v * limit / 3) for v in range(4)])


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


span = Explorer(
    title="Gradient descent and the span of the data",
    controls=(
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
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane of the two weights: diamonds are the data points, a wide grey line is their span, "
    "every w on a dashed line fits its point, a star is the shortest of the best fits, and the path of w begins "
    "at the ring. On the right are the lengths of the part of w in the span and of the part outside, at each "
    "step.",
    code=code,
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
