"""Notebook 08. Gradient descent and the span of the data."""

from types import SimpleNamespace

import numpy as np

from kernelkit.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import BLUE, GREEN, GREY, INK, ORANGE

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
        Phi=Phi, y=y, path=path, inside=inside, outside=path - inside, shortest=shortest, lam=lam, step=step,
        rank=int(np.linalg.matrix_rank(Phi, 1e-6)), residual=float(np.abs(Phi @ path[step] - y).max()),
    )  # fmt: skip


def build(figure):
    plane = figure.add_axes((0.075, 0.12, 0.5, 0.78), aspect="equal", xlim=(-2.5, 2.5), ylim=(-2.5, 2.5))
    plane.set(xticks=[-2, -1, 0, 1, 2], yticks=[-2, -1, 0, 1, 2])
    plane.set_xlabel("$w_1$", labelpad=1)
    plane.set_ylabel("$w_2$", labelpad=-4)
    plane.set_title("solid: span · dashed: perfect fits", size=11)
    plane.plot(0, 0, "+", color=INK, ms=9, mew=1.4)

    def line(ax, *style, **look):
        return ax.plot([], [], *style, animated=True, **look)[0]

    parts = {
        "plane": plane,
        "span": line(plane, "-", color=GREY, linewidth=4, alpha=0.5),
        "fits": [line(plane, "--", color=INK, linewidth=1.2) for _ in TARGETS],
        "in": line(plane, "-", color=BLUE, linewidth=2.2),
        "out": line(plane, ":", color=ORANGE, linewidth=3.0),
        "path": line(plane, "-o", color=INK, linewidth=1.4, ms=3.5),
        "shortest": line(plane, "*", color=GREEN, ms=15, mec="white"),
        "now": line(plane, "o", color=INK, ms=10),
        "points": line(plane, "D", color=BLUE, ms=9, mec="white"),
        "start": line(plane, "o", color="none", mec=INK, mew=1.6, ms=15),
    }
    parts["letters"] = [plane.text(0, 0, f"$x_{i + 1}$", size=14, color=BLUE, animated=True) for i in range(2)]
    parts["w"] = plane.text(0, 0, "$w$", size=14, color=INK, animated=True)
    lengths = figure.add_axes((0.665, 0.12, 0.315, 0.78), xlim=(0, STEPS), xlabel="step", xticks=[0, 20, 40, 60])
    lengths.set_title("length of the two parts", size=11)
    parts["lengths"] = lengths
    parts["curves"] = [line(lengths, "-", color=BLUE, linewidth=2.4), line(lengths, ":", color=ORANGE, linewidth=3.2)]
    lengths.text(0.97, 0.95, "solid: in the span\ndotted: outside", ha="right", va="top", transform=lengths.transAxes)
    return parts


def draw(parts, state):
    w, inside, t = state.path[state.step], state.inside[state.step], state.step
    direction = state.Phi[0] / max(np.linalg.norm(state.Phi[0]), 1e-9)
    parts["span"].set_data(*(np.outer([-9, 9], direction).T if state.rank == 1 else ([], [])))
    for i, line in enumerate(parts["fits"]):
        line.set_data([], [])
        if i < len(state.Phi) and state.Phi[i].any():
            x = state.Phi[i]
            foot, along = x * state.y[i] / (x @ x), np.array([-x[1], x[0]]) / np.linalg.norm(x)
            line.set_data(*np.transpose([foot - 9 * along, foot + 9 * along]))
    parts["in"].set_data([0, inside[0]], [0, inside[1]])
    parts["out"].set_data([inside[0], w[0]], [inside[1], w[1]])
    parts["path"].set_data(*state.path[: t + 1].T)
    parts["now"].set_data(w[:1], w[1:])
    parts["start"].set_data(state.path[0, :1], state.path[0, 1:])
    parts["shortest"].set_data(state.shortest[:1], state.shortest[1:])
    parts["points"].set_data(*state.Phi.T)
    for i, letter in enumerate(parts["letters"]):
        letter.set_visible(i < len(state.Phi))
        if i < len(state.Phi):
            letter.set_position(state.Phi[i] + 0.12)
    parts["w"].set_position((w[0] + 0.14, w[1] - 0.34))
    sizes = [np.linalg.norm(part, axis=1) for part in (state.inside, state.outside)]
    for curve, size in zip(parts["curves"], sizes, strict=True):
        curve.set_data(np.arange(t + 1), size[: t + 1])
        curve.set_marker("o" if t == 0 else "")
    limit = next(v for v in (1.5, 3.0, 4.5, 9.0, 99.0) if v >= 1.2 * max(size.max() for size in sizes))
    parts["lengths"].set_ylim(-0.02 * limit, limit)
    return limit


def describe(state):
    w, outside = state.path[state.step], float(np.linalg.norm(state.outside[state.step]))
    first = float(np.linalg.norm(state.outside[0]))
    if state.rank == 2:
        rest = "Two directions span the whole plane, so nothing can be outside."
    elif state.rank == 0:
        rest = "A point at 0 spans nothing, so all of w is outside."
    elif state.step == 0:
        rest = f"The part of w in the span is {np.linalg.norm(state.inside[0]):.2f} long, the part outside {first:.2f}."
    elif state.lam > 0:
        rest = f"The penalty shrinks the part outside the span: {first:.2f} at the start, {outside:.2f} now."
    elif first < 0.005:
        rest = "The start is in the span, so the path stays in it and heads for the star, the shortest solution."
    else:
        rest = f"The part outside the span is {outside:.2f} long, as at the start: no step can change it."
    return (
        f"Step {state.step}: w = ({w[0]:.2f}, {w[1]:.2f}), largest residual {state.residual:.2f}, λ = "
        f"{short(state.lam)}. ".replace("-", "−") + rest
    )


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
        Points("places", "move", ((-1.4, 1.6), (1.2, 0.6)), (-2.2, -2.2), (2.2, 2.2), "plane",
               ("coordinate 1", "coordinate 2"), ("start of w", "data point x₁")),
        Choice("points", "data", 1, {"one point": 1, "two points": 2}),
        Slider("rate", "step size × L", 0.2, 0.05, 1.9, 0.05),
        Slider("lam", "penalty λ", 0.0, 0.0, 0.5, 0.02),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "From 0": {"places": ((0.0, 0.0), (1.2, 0.6)), "step": STEPS},
        "In the span": {"places": ((-2.0, -1.0), (1.2, 0.6)), "step": STEPS},
        "Outside": {"step": STEPS},
        "With a penalty": {"lam": 0.3, "step": STEPS},
        "Two points": {"points": 2, "step": STEPS},
    },
    question=Question(
        "w starts at the ring, λ = 0. The star is the shortest perfect fit. Where will gradient descent end?",
        ("at the star", "at the perfect fit nearest to the start", "at 0"),
        1,
        "Each step is a multiple of x₁, so w moves parallel to the span until it meets the dashed line. From 0, or "
        "from anywhere on the span, the nearest perfect fit is the star.",
    ),
)  # fmt: skip
