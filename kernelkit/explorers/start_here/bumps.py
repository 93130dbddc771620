"""Notebook 00. A curve made of bumps."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Gaussian, KernelRidge
from kernelkit.panel.controls import Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, GREY, INK, ORANGE

GRID = np.linspace(-3.2, 3.2, 241)
START = ((-2.4, -0.6), (-1.3, 0.9), (-0.2, 0.2), (0.9, 1.2), (2.2, -0.7))


def compute(points, sigma):
    data = np.array(points)
    X, y = data[:, :1], data[:, 1]
    model = KernelRidge(Gaussian(sigma), lam=1e-3).fit(X, y)
    bumps = model.a_ * Gaussian(sigma)(GRID[:, None], X)  # one column a_j k(X_j, ·) for each point
    return SimpleNamespace(data=data, sigma=sigma, a=model.a_, bumps=bumps, h=bumps.sum(axis=1),
                           miss=float(np.abs(model.predict(X) - y).max()))  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.07, 0.12, 0.91, 0.79), xlim=(-3.2, 3.2), ylim=(-3, 3))
    ax.set(xlabel="$x$", yticks=range(-3, 4))
    ax.set_title("solid: h, the sum of all bumps; dashed: one bump a point, up or down", size=11, loc="left")
    ax.axhline(0, color=GREY, linewidth=0.8)
    return {
        "axes": ax,
        "bumps": ax.add_collection(LineCollection([], linewidths=1.2, linestyles="--", animated=True)),
        "h": ax.plot([], [], color=INK, linewidth=2.6, animated=True, zorder=4)[0],
        "points": ax.plot([], [], "o", color="white", mec=INK, mew=2, ms=11, animated=True, zorder=5)[0],
    }


def draw(parts, state):
    parts["bumps"].set_segments([np.column_stack([GRID, bump]) for bump in state.bumps.T])
    parts["bumps"].set_color([ORANGE if a > 0 else BLUE for a in state.a])
    parts["h"].set_data(GRID, state.h)
    parts["points"].set_data(*state.data.T)


def describe(state):
    ups = int((state.a > 0).sum())
    return (
        f"σ = {state.sigma:.2f}: {len(state.a)} bumps, {ups} up and {len(state.a) - ups} down, add up to a curve that "
        f"misses the points by at most {state.miss:.3f}. The tallest bump is {np.abs(state.a).max():.1f} high."
    )


def code(points, sigma):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelRidge\n\n"
        f"data = np.array({[list(map(float, p)) for p in points]})\nX, y = data[:, :1], data[:, 1]\n"
        f"model = KernelRidge(Gaussian({sigma!r}), lam=1e-3).fit(X, y)\n"
        "print(model.a_)  # the heights of the bumps\nprint(model.predict([[0.0]]))"
    )


bumps = Explorer(
    title="A curve made of bumps",
    controls=(
        Points("points", "move", START, (-3.0, -2.0), (3.0, 2.0), "axes", ("sideways", "up and down")),
        Slider("sigma", "width σ", 0.5, 0.1, 2.0, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={"Narrow": {"sigma": 0.15}, "Wide": {"sigma": 1.5}, "A straight line": {
        "points": ((-2.0, -1.0), (-1.0, -0.5), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0)), "sigma": 1.0}},
    question=Question(
        "The sum passes almost through all five points. What happens to the heights of the bumps when σ gets large?",
        ("they shrink, because wide bumps share the work", "they grow, some up and some down", "they stay as they are"),
        1,
        "Wide bumps overlap almost completely, so they must be tall and of both signs for their sum to turn.",
    ),
)  # fmt: skip
