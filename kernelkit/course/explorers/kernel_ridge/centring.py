"""Notebook 03. The penalised bias, with and without centring."""

from types import SimpleNamespace

import numpy as np
from matplotlib.markers import CARETDOWN, CARETUP
from matplotlib.transforms import ScaledTranslation

from kernelkit import Polynomial, datasets
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, fixed, read_off, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

FRAME = np.linspace(-4.5, 4.5, 121)  # all of the horizontal axis
TREATMENTS = {"nothing": "nothing", "X and y": "data", "X, y and Φ(X)": "features"}
TIP = 0.3  # of an arrow, on the vertical axis
LOOKS = {  # one is so wide that it is seen below the other; the last: left or right of the axis
    "penalised": (PURPLE, {"ls": "-", "lw": 6.0, "alpha": 0.6, "solid_capstyle": "butt"}, -1),
    "free": (GREEN, {"ls": (0, (4, 2)), "lw": 2.4, "alpha": 1.0}, 1),
}
PALE = 0.28  # of the cloud and the lines where they began
BEGAN = (1.5, 3.0)


def _growth(mean_x, mean_y):
    """Twenty points of a growing curve, with the means that are asked for."""
    X, noise = datasets.step(20, noise=0.15)
    y = np.exp(X[:, 0] / 3) + noise - np.sign(X[:, 0])
    return X / 3 - X.mean() / 3 + mean_x, y - y.mean() + mean_y


def _fit_bias(X, y, degree, lam, centre, free=False):
    """The bias b, the weight of a column of ones beside the features Φ, penalised or free; and the prediction h."""
    x0, y0 = _origin(X, y, centre)
    phi = Polynomial(degree).feature_map()
    F = phi(X - x0)
    f0 = np.r_[0.0, F[:, 1:].mean(axis=0)] if centre == "features" else np.zeros(F.shape[1])
    penalty = lam * np.diag(np.r_[0.0 if free else 1.0, np.ones(degree)])
    w = np.linalg.solve((F - f0).T @ (F - f0) + penalty, (F - f0).T @ (y - y0))
    return float(w[0]), lambda Z: (phi(Z - x0) - f0) @ w + y0


def _origin(X, y, centre):
    """Where 0 is for the model."""
    return (0.0, 0.0) if centre == "nothing" else (float(X.mean()), float(y.mean()))


def _fits(X, y, degree, lam, centre):
    return {name: _fit_bias(X, y, degree, lam, centre, free=name == "free") for name in LOOKS}


def compute(cloud, centre, lam, degree):
    X, y = _growth(*cloud[0])
    fits = _fits(X, y, degree, lam, centre)
    X_began, y_began = _growth(*BEGAN)
    began = _fits(X_began, y_began, degree, lam, centre)
    at_points = {name: h(X) for name, (_, h) in fits.items()}
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        cloud=cloud[0],
        curves={name: h(FRAME[:, None]) for name, (_, h) in fits.items()},
        cloud_began=(X_began[:, 0], y_began),
        curves_began={name: h(FRAME[:, None]) for name, (_, h) in began.items()},
        biases={name: b for name, (b, _) in fits.items()},
        slopes={name: float(np.diff(h(np.array([[0.0], [1.0]])))[0]) for name, (_, h) in fits.items()},
        gap=float(np.abs(at_points["penalised"] - at_points["free"]).max()),
        origin=_origin(X, y, centre),
        straight=degree == 1,
        lam=lam,
    )


# ---- the picture ------------------------------------------------------------------------------


def build(figure):
    ax = figure.add_axes((0.055, 0.135, 0.93, 0.755), xlim=FRAME[[0, -1]], ylim=(-3.4, 6.4), xlabel="$x$")
    ax.set(xticks=range(-4, 5), yticks=range(-2, 7, 2))
    ax.text(-0.025, 0.45, "$y$", ha="center", va="center", transform=ax.transAxes)
    hint = {"color": GREY, "ha": "right", "va": "center", "animated": True, "transform": figure.transFigure}
    axis = {"color": GREY, "lw": 0.9, "animated": True}
    return {
        "ax": ax,
        "cross": [ax.axhline(0, **axis), ax.axvline(0, **axis)],
        "zero": ax.plot([], [], "o", ms=6, color=GREY, animated=True, zorder=5)[0],
        "origin": ax.text(0, 0, "model's (0, 0)", color=GREY, va="center", animated=True),
        "hint": ax.text(0.985, 0.945, "drag the ring", **hint),
        "moved": ax.text(0.985, 0.945, "pale: where it began", **hint),
        "pale": ax.plot([], [], "o", ms=7, color=GREY, mew=0, alpha=PALE, animated=True)[0],
        "began": {
            name: ax.plot([], [], **look | {"color": colour, "alpha": PALE, "animated": True})[0]
            for name, (colour, look, _) in LOOKS.items()
        },
        "dots": ax.plot([], [], "o", ms=7, color=GREY, mec="white", mew=0.7, animated=True)[0],
        "lines": {name: _build_line(figure, ax, *look) for name, look in LOOKS.items()},
        "said": {name: _build_words(figure, ax, name, x) for name, x in (("penalised", 0.055), ("free", 0.44))},
        "ring": ax.plot([], [], "o", ms=16, mfc="none", mec=INK, mew=2.5, animated=True, zorder=6)[0],
    }


def _build_line(figure, ax, colour, line, side):
    """A line, its bias as an arrow that begins at the origin, and the letter beside that."""
    look = {"color": colour, "animated": True, "zorder": 5}
    beside = ax.transData + ScaledTranslation(0.045 * side, 0, figure.dpi_scale_trans)
    away = ax.transData + ScaledTranslation(0.13 * side, 0, figure.dpi_scale_trans)
    return {
        "h": ax.plot([], [], **look | line | {"zorder": 4})[0],
        "shaft": ax.plot([], [], lw=4, solid_capstyle="butt", transform=beside, **look)[0],
        "tip": ax.plot([], [], ls="", ms=11, mew=0, transform=beside, **look)[0],
        "letter": ax.text(
            0, 0, "$b$", size=14, va="center", ha="left" if side > 0 else "right", bbox=GROUND, transform=away, **look
        ),
    }


def _build_words(figure, ax, name, x):
    colour, look, _ = LOOKS[name]
    at = {"transform": figure.transFigure, "clip_on": False}
    ax.plot([x, x + 0.05], [0.945, 0.945], color=colour, **look, **at)
    return ax.text(x + 0.06, 0.945, "", color=colour, va="center", animated=True, transform=figure.transFigure)


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    parts["ring"].set_data([state.cloud[0]], [state.cloud[1]])
    x, y = state.origin
    parts["cross"][0].set_ydata([y, y])
    parts["cross"][1].set_xdata([x, x])
    parts["zero"].set_data([x], [y])
    _draw_name_of_origin(parts["origin"], x, y, state)
    _draw_where_it_began(parts, state)
    for name, line in parts["lines"].items():
        line["h"].set_data(FRAME, state.curves[name])
        _draw_bias(line, x, y, state, name)
        slope = f", slope {fixed(state.slopes[name])}" if state.straight else ""
        parts["said"][name].set_text(f"{name} $b$ = {fixed(state.biases[name])}{slope}")


def _draw_name_of_origin(text, x, y, state):
    """Where no arrow goes, above or below the origin, and on the side where the lines are farther from it."""
    height = y - 0.55 if max(state.biases.values()) > -TIP else y + 0.55
    side = max((-1, 1), key=lambda side: _room(state, x + side * np.linspace(0.1, 1.4, 9), height))
    text.set(position=(x + 0.12 * side, height), ha="left" if side > 0 else "right")


def _room(state, x, y):
    """How far from this height the nearest of the two lines is, at these places."""
    return min(np.abs(np.interp(x, FRAME, curve) - y).min() for curve in state.curves.values())


def _draw_where_it_began(parts, state):
    """The cloud and its lines as they were before it was dragged, pale, so that one sees what has moved along."""
    away = state.cloud != BEGAN
    parts["pale"].set(data=state.cloud_began, visible=away)
    for name, line in parts["began"].items():
        line.set(data=(FRAME, state.curves_began[name]), visible=away)
    parts["hint"].set_visible(not away)
    parts["moved"].set_visible(away)


def _draw_bias(line, x, y, state, name):
    """The arrow from the origin to where the line is above or below it; one that is too short has no tip."""
    b, side = state.biases[name], LOOKS[name][2]
    long = abs(b) > TIP
    line["shaft"].set_data([x, x], [y, y + b - np.sign(b) * TIP * long])
    line["tip"].set(data=([x], [y + b]), marker=CARETDOWN if b < 0 else CARETUP, visible=long)
    height = max((y + b / 3, y + 2 * b / 3), key=lambda height: _room(state, x + 0.25 * side, height))
    line["letter"].set(position=(x, height), visible=abs(b) > 3 * TIP)


# ---- what is said -----------------------------------------------------------------------------


def readout(state):
    penalised, free = state.slopes.values()
    return {
        "λ": short(state.lam),
        "penalised b": fixed(state.biases["penalised"], 3),
        "free b": fixed(state.biases["free"], 3),
        "penalised and free slope": f"{fixed(penalised)}, {fixed(free)}" if state.straight else None,
        "largest difference at a point": amount(state.gap),
    }


def tell(state, x, y):
    penalised, free = (read_off(np.interp(x, FRAME, curve)) for curve in state.curves.values())
    return f"x = {short(x, 2)}: penalised {penalised}, free {free}"


def code(cloud, centre, lam, degree):
    mean_x, mean_y = cloud[0]
    lines = [
        "import numpy as np",
        "from kernelkit import *",
        "from kernelkit import datasets",
        "",
        "X, noise = datasets.step(20, noise=0.15)",
        "y = np.exp(X[:, 0] / 3) + noise - np.sign(X[:, 0])",
        f"X, y = X / 3 - X.mean() / 3 + {mean_x!r}, y - y.mean() + {mean_y!r}",
        f"phi, lam = Polynomial({degree}).feature_map(), {lam!r}  # its first feature is the column of ones",
    ]
    if centre != "features":
        return "\n".join(
            [
                *lines,
                f"model = PrimalRidge(phi, lam, center={centre == 'data'}).fit(X, y)",
                "print(model.w_[0])  # the penalised b",
            ]
        )
    return "\n".join(
        [
            *lines,
            "Phi = phi(X - X.mean())",
            "Phi[:, 1:] -= Phi[:, 1:].mean(axis=0)  # all but the ones",
            "w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ (y - y.mean()))",
            "print(w[0])  # the penalised b",
        ]
    )


LEFT = ((-3.0, 3.0),)

centring = Explorer(
    title="The penalised bias, with and without centring",
    controls=(
        Points(
            "cloud",
            "drag",
            (BEGAN,),
            (-3.0, 0.0),
            (3.0, 3.0),
            "ax",
            ("mean of x", "mean of y"),
            ("the ring",),
            more=True,
        ),
        Choice("centre", "centre", "nothing", TREATMENTS),
        Slider("lam", "λ", 1.0, 0.01, 100.0, 0.1, log=True),
        Slider("degree", "degree p", 1, 1, 3, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="A cloud of points over x with a ring at its mean, and two fits: the wide purple line has a penalised bias, "
    "the dashed green one a free bias. Each bias b is an arrow of the same colour, from the place where the model has "
    "its (0, 0) up or down to its line. What is pale is where the cloud and its lines began.",
    code=code,
    tell={"ax": tell},
    motion=True,
    film=("lam",),
    scenes={
        "Far to the left": {"cloud": LEFT},
        "Far to the left, centred": {"cloud": LEFT, "centre": "data"},
        "Above the origin": {"cloud": ((0.0, 3.0),)},
        "Degree 2, not centred": {"cloud": LEFT, "degree": 2},
        "Degree 2, centred": {"cloud": LEFT, "degree": 2, "centre": "data"},
        "Φ centred too": {"cloud": LEFT, "degree": 2, "centre": "features"},
    },
    says={
        "Above the origin": "The mean of the cloud is at x = 0, where a slope has no effect. So b alone would have to "
        "reach it, and the penalty keeps b 0.14 too low.",
    },
    question=Question(
        "The whole cloud moves to the left, and nothing else changes. Which of the two lines keeps its slope and moves "
        "along?",
        ("both lines", "only the line with the free b", "neither of them"),
        1,
        "A free b can become as large as the line needs, here 5.76. A penalised b of this size is expensive, so it "
        "stops at 2.85, and its line gives up the slope instead, which falls from 1.12 to 0.00.",
        scene="Far to the left",
    ),
)
