"""Notebook 12. A bump on each point of the plane, and the width that the points themselves would choose."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import KernelDensity
from kernelkit.course.explorers.drawing.shades import value_at, whole_frame
from kernelkit.course.panel.controls import Points, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short, typed
from kernelkit.course.panel.parts import key, plane_points
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.panel.stretched import Stretched, scale
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, PURPLE, contour_lines

GRID = np.linspace(-3, 3, 61)
SIGMAS = 10 ** np.linspace(-1.3, 0.7, 41)  # 0.05 … 5
LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the largest density on the plane
LOW, HIGH = -7.5, 2.2  # of the mean log densities that are shown
START = (
    (-1.6, -0.9), (-1.2, -0.4), (-1.9, -0.3), (-1.3, -1.3), (-0.8, -0.8), (-1.7, -1.5),
    (1.0, 0.9), (1.5, 1.2), (0.7, 1.5), (1.3, 0.4), (1.8, 0.7), (1.1, 1.9),
)  # fmt: skip
LONELY = (*START[:-1], (-2.8, 2.8))


def compute(points, sigma, without):
    X = np.array(points)
    model = KernelDensity(sigma).fit(X)
    P = np.exp(model.log_density(plane_points(GRID, GRID))).reshape(len(GRID), len(GRID))
    n, sigmas = len(X), np.append(SIGMAS, sigma)
    left = model.leave_one_out(X, sigmas)
    bump = -np.log(2 * np.pi * sigmas**2)  # the logarithm of a point's own bump, at its top
    own = (np.logaddexp(np.log(n - 1) + left, bump[:, None]) - np.log(n)).mean(axis=1)
    left = left.mean(axis=1)
    return SimpleNamespace(
        X=X,
        sigma=sigma,
        P=P,
        own=own[:-1],
        left=left[:-1],
        own_here=own[-1],
        here=left[-1],
        best=SIGMAS[left[:-1].argmax()],
        without=without,
    )


def build(figure):
    ax = figure.add_axes((0.012, 0.02, 0.505, 0.88))
    whole_frame(ax)
    ax.set(xlim=(GRID[0], GRID[-1]), ylim=(GRID[0], GRID[-1]), title="the density: a mean of bumps")
    return {
        "plane": ax,
        "shade": Stretched(ax, scale(BLUE, GREEN, 0.75)),
        "lines": ax.add_collection(LineCollection([], colors=GREEN, linewidths=1.0, animated=True, zorder=2)),
        "points": ax.plot([], [], "o", color=INK, mec="white", ms=8, animated=True, zorder=4)[0],
    } | _curves(figure.add_axes((0.61, 0.13, 0.375, 0.77)))


def _curves(ax):
    ax.set(xscale="log", xlim=(0.045, 5.5), ylim=(LOW, HIGH), xlabel="width $σ$")
    ax.set_xticks([0.1, 1], ["0.1", "1"])
    ax.set_ylabel("mean log density at the points", labelpad=3)
    look = {"animated": True}
    own, left = (ax.plot([], [], color=colour, **look)[0] for colour in (GREY, PURPLE))
    ax.add_artist(key(ax, {"with itself": own}, left=-0.1))
    later = key(ax, {"left out": left}, left=0.34)  # a key of its own, which is there with its line only
    later.set_animated(True)
    return {
        "curves": ax,
        "own": own,
        "left": left,
        "left key": later,
        "here": ax.axvline(1, color=GREY, linewidth=1.0, **look),
        "own mark": ax.plot([], [], "o", color=GREY, mec="white", ms=8, zorder=4, **look)[0],
        "left mark": ax.plot([], [], "o", color=PURPLE, mec="white", ms=8, zorder=4, **look)[0],
        "best": ax.plot([], [], "v", color=PURPLE, ms=11, zorder=5, clip_on=False, **look)[0],
    }


def draw(parts, state):
    most = state.P.max()
    parts["shade"].show(state.P / most)
    lines = contour_lines(GRID, GRID, state.P / most, LEVELS)
    parts["lines"].set_segments([line for level in lines for line in level])
    parts["points"].set_data(*state.X.T)
    parts["own"].set_data(SIGMAS, state.own)
    parts["left"].set_data(SIGMAS, np.maximum(state.left, 2 * LOW))
    for part in (*(parts[name] for name in ("left", "left mark", "left key", "best")), *parts["left key"].get_texts()):
        part.set_visible(state.without)
    parts["here"].set_xdata([state.sigma] * 2)
    parts["own mark"].set_data([state.sigma], [state.own_here])
    parts["left mark"].set_data([state.sigma], [max(state.here, LOW)])
    parts["best"].set_data([state.best], [HIGH - 0.35])


def readout(state):
    return {
        "mean log density with itself": fixed(state.own_here),
        "left out": fixed(state.here) if state.without else None,
        "left out is best at": f"σ = {short(state.best, 2)}" if state.without else None,
    }


def _tell_plane(state, x, y):
    return f"density {short(value_at(GRID, GRID, state.P, x, y), 2)}"


def _tell_curves(state, x, y):
    i = np.abs(np.log(SIGMAS / x)).argmin()
    own = f"σ = {short(SIGMAS[i], 2)}: {fixed(state.own[i])}"
    if not state.without:
        return own
    left = fixed(state.left[i]) if state.left[i] > 100 * LOW else "far below"
    return f"{own}, left out {left}"


def code(points, sigma, without):
    return (
        "import numpy as np\nfrom kernelkit import KernelDensity\n\n"
        f"X = np.array({typed(points)})\nmodel = KernelDensity({typed(sigma)}).fit(X)\n"
        "print(np.exp(model.log_density([[0.0, 0.0]])))\n"
        "sigmas = 10 ** np.linspace(-1.3, 0.7, 41)\n"
        "left_out = model.leave_one_out(X, sigmas).mean(axis=1)\nprint(sigmas[left_out.argmax()])"
    )


def choose(points, sigma, without):
    best = SIGMAS[KernelDensity().leave_one_out(points, SIGMAS).sum(axis=1).argmax()]
    return {"sigma": float(f"{best:.6g}"), "without": True}


def judge(drawn, values):
    """What the chosen width costs the points that were left out."""
    sigma = drawn[0][0]
    state = compute(**values | {"sigma": sigma})
    most = state.left.max()
    said = f"With your σ = {short(sigma, 2)} a point that was left out has the mean log density {fixed(state.here)}"
    if most - state.here < 0.1:
        return f"{said}, which is almost the best."
    side = "narrower" if sigma > state.best else "wider"
    return f"{said}. {side.capitalize()} bumps do better: {fixed(most)} at σ = {short(state.best, 2)}."


density = Explorer(
    title="Bumps that add up to a density",
    controls=(
        Points("points", "move", START, (-2.9, -2.9), (2.9, 2.9), "plane", ("sideways", "up and down"), more=True),
        Slider("sigma", "width σ", 0.316228, 10**-1.3, 10**0.7, 0.025, log=True),
        Switch("without", "leave each point out", False),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points as black dots and the density as a green shade with lines of equal "
    "density. On the right the mean log density at the points over the width σ: in grey each point counts its own "
    "bump, and in purple it is left out. An upright line is at the chosen σ.",
    code=code,
    film=("sigma",),
    scenes={
        "Narrow": {"sigma": 0.1, "without": True},
        "Wide": {"sigma": 1.99526, "without": True},
        "The best width": {"sigma": 0.501187, "without": True},
        "A lonely point": {"points": LONELY, "sigma": 0.501187, "without": True},
    },
    question=Sketch(
        "Each point is left out in turn, and the others have to give it a high density. Which width σ of the bumps is "
        "best for that? Mark it on the right.",
        "marker",
        "curves",
        ((2.0, -6.6),),
        (10**-1.3, -6.6),
        (5.01187, -6.6),
        judge,
        "The purple curve is the mean log density of the points that were left out. A bump that is too narrow does not "
        "reach such a point, and a bump that is too wide is spread over places where no point is.",
        scene="The best width",
    ),
    tell={"plane": _tell_plane, "curves": _tell_curves},
    act={"Choose σ": choose},
    motion=True,
)
