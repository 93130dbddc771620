"""Notebook 12. A bump on each point of the plane, and the width that the points themselves would choose."""

from types import SimpleNamespace

import numpy as np

from kernelkit import KernelDensity
from kernelkit.course.explorers.drawing.shades import plane, value_at
from kernelkit.course.panel.controls import Points, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Dots, Field, Line, Text, VLine
from kernelkit.course.panel.numbers import fixed, short, typed
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.panel.sketch import Sketch
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, GREEN, GREY, PURPLE

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
        P=P,
        own=own[:-1],
        left=left[:-1],
        own_here=own[-1],
        here=left[-1],
        best=SIGMAS[left[:-1].argmax()],
    )


PAINT = scale(BLUE, GREEN, 0.75)


def picture(s):
    P = s.P / s.P.max()
    bumps = plane(
        "the density: a mean of bumps",
        GRID,
        GRID,
        Field(P, PAINT),
        Contours(GRID, GRID, P, LEVELS, GREEN, width=1.0),
        Dots(*s.X.T, size=8, rim=1.0),
        name="plane",
        place=(0.012, 0.02, 0.505, 0.88),
    )
    return [[bumps, _curves(s), _key(s)]]


def _curves(s):
    """The mean log densities over σ, and where they are at the chosen one."""
    line, mark, best = _left_out(s) if s.without else (None,) * 3
    return Axes(
        "",
        Axis("width $σ$", 0.045, 5.5, (0.1, 1), ("0.1", "1"), log=True),
        Axis("mean log density at the points", LOW, HIGH),
        Line(SIGMAS, s.own, GREY),
        line,
        VLine(s.sigma, GREY, width=1.0),
        Dots(s.sigma, s.own_here, GREY, size=8, rim=1.0),
        mark,
        best,
        name="curves",
        place=(0.61, 0.13, 0.375, 0.77),
        dress=_dress,
    )


def _left_out(s):
    name = {"name": "left out"}
    return (
        Line(SIGMAS, np.maximum(s.left, 2 * LOW), PURPLE, **name),
        Dots(s.sigma, max(s.here, LOW), PURPLE, size=8, rim=1.0, **name),
        Dots(s.best, HIGH - 0.35, PURPLE, marker="v", size=11, edge=PURPLE, rim=1.0, clip=False, **name),
    )


def _dress(ax):
    ax.xaxis.minorticks_on()
    ax.yaxis.labelpad = 3


def _key(s):
    """What the curves are called, in pixels."""
    named = _named(0, "with itself", GREY)
    if s.without:
        named += _named(115.5, "left out", PURPLE, "left out")
    sides = Axis("", 0, 280, ()), Axis("", 0, 30, ())
    return Axes("", *sides, *named, place=(0.5725, 0.9, 0.4, 30 / 380), bare=True)


def _named(x, words, colour, name=""):
    """A piece of a curve, and what it is called."""
    line = Line([x, x + 23.8], 10.77, colour, clip=False, name=name)
    return line, Text(x + 30.8, 5.87, words, colour, name=name)


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


density = panel(
    compute,
    picture,
    readout,
    code,
    Points("points", "move", START, (-2.9, -2.9), (2.9, 2.9), "plane", ("sideways", "up and down"), more=True),
    Slider("sigma", "width σ", 0.316228, 10**-1.3, 10**0.7, 0.025, log=True),
    Switch("without", "leave each point out", False),
    title="Bumps that add up to a density",
    shows="On the left the plane with the points as black dots and the density as a green shade with lines of equal "
    "density. On the right the mean log density at the points over the width σ: in grey each point counts its own "
    "bump, and in purple it is left out. An upright line is at the chosen σ.",
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
