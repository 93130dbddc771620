"""Notebook 08. The tube of support vector regression."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVR, datasets
from kernelkit.course.panel.controls import Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, read_off, short
from kernelkit.course.plots import GREY, INK, PURPLE, sign_colours

GRID = np.linspace(-3.2, 3.2, 161)
RESIDUALS = np.linspace(-3, 3, 241)
LIMITS = (-2.2, 3.0)  # of the outputs
TOL = 1e-6  # of the fit, so that no count hangs on the processor
ROLES = {
    "outside": {"marker": "s", "color": INK, "ms": 6.5},
    "edge": {"marker": "o", "color": INK, "mfc": "white", "ms": 6.5},
    "inside": {"marker": "x", "color": GREY, "ms": 5.5, "mew": 1.6},
}
WORDS = {"outside": "outside: $|a_i| = C$", "edge": "on its edge", "inside": "inside: $a_i = 0$"}


def loss_of(r, epsilon):
    return np.maximum(0, np.abs(r) - epsilon)


def compute(outlier, C, epsilon, sigma, noise):
    X, y = datasets.sine(24, noise, 2)
    (place,) = outlier
    X, y = np.vstack([X, [[place[0]]]]), np.append(y, place[1])
    model = KernelSVR(Gaussian(sigma), C, epsilon, tol=TOL).fit(X, y)
    a = model.a_
    roles = {"outside": np.abs(a) == C, "edge": (a != 0) & (np.abs(a) < C), "inside": a == 0}
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        a=a,
        C=C,
        epsilon=epsilon,
        roles=roles,
        r=y - model.predict(X),
        f=model.predict(GRID[:, None]),
        support=model.support_,
    )


def build(figure):
    top = figure.add_axes((0.075, 0.43, 0.555, 0.46), xlim=(-3.3, 3.3), ylim=LIMITS, xticks=range(-3, 4))
    top.set(yticks=[-2, -1, 0, 1, 2, 3])
    top.tick_params(labelbottom=False)
    edge = {"color": INK, "linestyle": "--", "linewidth": 1.2}
    parts = {
        "axes": top,
        "band": top.fill_between(GRID, -GRID, GRID, color="#E6E6E6", linewidth=0, animated=True, zorder=1),
        "edges": [top.plot(GRID, GRID, animated=True, **edge)[0] for _ in range(2)],
        "curve": top.plot(GRID, GRID, color=INK, linewidth=2.4, animated=True)[0],
        "points": _marks(top),
        "star": _star(top),
    }
    _key(figure, top, 0.075, 0.945, 0.03, "the curve $f$", {"color": INK, "linewidth": 2.4})
    _key(figure, top, 0.265, 0.945, 0.03, r"the tube $f \pm \varepsilon$", edge)
    _key(figure, top, 0.485, 0.945, 0, "to drag", {"marker": "D", "color": PURPLE, "ms": 8, "mfc": "none", "mew": 2})
    return parts | _build_pulls(figure) | _build_shape(figure)


def _build_pulls(figure):
    low = figure.add_axes((0.075, 0.135, 0.555, 0.205), xlim=(-3.3, 3.3), ylim=(-1.4, 1.4), xticks=range(-3, 4))
    low.set(xlabel="$x$", yticks=[-1, 0, 1], yticklabels=["$-C$", "0", "$C$"])
    low.axhline(0, color=INK, linewidth=0.8)
    for side in (-1, 1):
        low.axhline(side, color=INK, linestyle=":", linewidth=1.4)
    figure.text(0.075, 0.355, "dual weights $a_i$: none beyond $\\pm C$")
    return {
        "low": low,
        "stems": low.vlines(np.zeros(25), 0, 0, linewidth=2, animated=True),
        "pulls": _marks(low),
        "low_star": _star(low),
        "counts": {
            role: _key(figure, low, 0.675, 0.3 - 0.075 * i, 0, "", look, animated=True)[1]
            for i, (role, look) in enumerate(ROLES.items())
        },
    }


def _build_shape(figure):
    ax = figure.add_axes((0.69, 0.43, 0.295, 0.46), xlim=(-3, 3), ylim=(-0.15, 3), xticks=range(-3, 4))
    ax.set(yticks=[0, 1, 2, 3])
    figure.text(0.69, 0.93, "loss of a residual $r$")
    return {
        "shape": ax,
        "loss": ax.plot(RESIDUALS, 0 * RESIDUALS, color=INK, linewidth=2.4, animated=True)[0],
        "places": _marks(ax),
        "shape_star": _star(ax),
    }


def _marks(ax):
    """The points of each role."""
    return {role: ax.plot([], [], ls="", zorder=4, animated=True, **look)[0] for role, look in ROLES.items()}


def _star(ax):
    """The point to drag."""
    return ax.plot([], [], "D", color="none", mec=PURPLE, mew=2, ms=12, animated=True, zorder=5, clip_on=False)[0]


def _key(figure, ax, x, y, length, word, look, animated=False):
    """A line or a marker and its name, anywhere in the picture."""
    place = {"transform": figure.transFigure}
    line = ax.plot([x, x + length], [y, y], clip_on=False, **look | place)[0]
    common = {"size": 11, "va": "center_baseline", "color": look["color"], "animated": animated}
    return line, ax.text(x + length + (0.01 if length else 0.025), y, word, **common, **place)


def draw(parts, state):
    top, bottom = state.f + state.epsilon, state.f - state.epsilon
    parts["band"].set_data(GRID, bottom, top)
    for line, edge in zip(parts["edges"], (bottom, top), strict=True):
        line.set_ydata(edge)
    parts["curve"].set_ydata(state.f)
    shown = np.clip(state.r, -2.95, 2.95)
    parts["loss"].set_ydata(loss_of(RESIDUALS, state.epsilon))
    pulls = state.a / state.C
    for marks, star, x, y in (
        ("points", "star", state.X, state.y),
        ("pulls", "low_star", state.X, pulls),
        ("places", "shape_star", shown, np.minimum(loss_of(shown, state.epsilon), 2.95)),
    ):
        for role, which in state.roles.items():
            parts[marks][role].set_data(x[which], y[which])
        parts[star].set_data(x[-1:], y[-1:])
    parts["stems"].set_segments([[(x, 0), (x, pull)] for x, pull in zip(state.X, pulls, strict=True)])
    parts["stems"].set_color(sign_colours(pulls))
    for role, word in parts["counts"].items():
        word.set_text(f"{state.roles[role].sum()} {WORDS[role]}")


def readout(state):
    return {
        "support vectors": f"{len(state.support)} of {len(state.y)}",
        "on the edge of the tube": int(state.roles["edge"].sum()),
        "outside": int(state.roles["outside"].sum()),
        "inside": int(state.roles["inside"].sum()),
        "dual weight of the marked point": read_off(state.a[-1]),
    }


def _tell_curve(state, x, y):
    f = np.interp(x, GRID, state.f)
    tube = f"{fixed(f - state.epsilon)} to {fixed(f + state.epsilon)}"
    return f"f({read_off(x)}) = {fixed(f)}, tube {tube}" if abs(x) <= GRID[-1] else ""


def _tell_pull(state, x, y):
    i = int(np.abs(state.X - x).argmin())
    return f"x = {short(state.X[i])}: a = {read_off(state.a[i])}"


def _tell_loss(state, x, y):
    return f"r = {read_off(x)}: loss {read_off(loss_of(x, state.epsilon))}"


def code(outlier, C, epsilon, sigma, noise):
    x, y = (float(f"{v:.6g}") for v in outlier[0])
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelSVR, datasets\n\n"
        f"X, y = datasets.sine(24, {short(noise)}, 2)\n"
        f"X, y = np.vstack([X, [[{x}]]]), np.append(y, {y})\n"
        f"svr = KernelSVR(Gaussian({short(sigma)}), C={C:.6g}, epsilon={short(epsilon)}, tol={TOL:g}).fit(X, y)\n"
        f"inside, outside = np.sum(svr.a_ == 0), np.sum(abs(svr.a_) == {C:.6g})\n"
        "print(len(svr.support_), inside, outside)"
    )


tube = Explorer(
    title="The tube",
    controls=(
        Points(
            "outlier",
            "move",
            ((0.7, 1.9),),
            (-3.0, -2.0),
            (3.0, 2.8),
            "axes",
            ("x", "y"),
            ("the marked point",),
            more=True,
        ),
        Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
        Slider("epsilon", "half-width ε", 0.3, 0.0, 2.0, 0.05),
        Slider("sigma", "width σ", 0.7, 0.3, 2.0, 0.05),
        Slider("noise", "noise", 0.2, 0.0, 0.4, 0.05, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Above on the left the points over x, the curve, and the tube as a grey band around it; squares are "
    "outside, white circles on the edge, crosses inside, and a diamond is the marked point. Below are the dual "
    "weights as stems between −C and C. On the right is the loss of a residual, with its flat part.",
    code=code,
    tell={"axes": _tell_curve, "low": _tell_pull, "shape": _tell_loss},
    motion=True,
    film=("epsilon",),
    scenes={
        "ε halved": {"epsilon": 0.15},
        "ε doubled": {"epsilon": 0.6},
        "All inside": {"epsilon": 1.7},
        "No tube": {"epsilon": 0.0},
        "Outlier far up": {"outlier": ((0.7, 2.8),)},
        "C too small": {"C": 0.0501187},
        "C large": {"C": 100.0},
    },
    question=Question(
        "What will the curve be like if you make the tube so tall that every point fits inside?",
        ("it keeps its waves", "flat, at the mean of all y", "flat, midway between the extremes"),
        2,
        "Inside the tube no residual costs anything, so w = 0 is best. Then all aᵢ are 0 and f = b. Every b that keeps "
        "all points inside will do, and the middle one is taken. The mean plays no role, because points inside do not "
        "pull.",
        scene="All inside",
    ),
)
