"""Notebook 03. The penalised bias, with and without centring."""

from functools import cache
from types import SimpleNamespace

import numpy as np
from matplotlib.markers import CARETDOWN, CARETUP

from kernelkit import Polynomial, datasets
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line, Live, Text, VLine
from kernelkit.course.panel.numbers import amount, fixed, read_off, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

FRAME = np.linspace(-4.5, 4.5, 121)  # all of the horizontal axis
TREATMENTS = {"nothing": "nothing", "X and y": "data", "X, y and Φ(X)": "features"}
TIP = 0.3  # of an arrow, on the vertical axis
PLACE = (0.055, 0.135, 0.93, 0.755)  # of the axes
X_AXIS = Axis("$x$", FRAME[0], FRAME[-1], range(-4, 5))
Y_AXIS = Axis("", -3.4, 6.4, range(-2, 7, 2))
PIXEL = 9 / (700 * PLACE[2])  # on the horizontal axis
LOOKS = {  # one is so wide that it is seen below the other; the last: left or right of the axis
    "penalised": (PURPLE, {"width": 6.0, "alpha": 0.6, "cap": "butt"}, -1),
    "free": (GREEN, {"width": 2.4, "style": (0, (4, 2))}, 1),
}
SIDES = {-1: "right", 1: "left"}  # of a text that is there
FROM, ABOVE = {"penalised": 0.055, "free": 0.44}, 0.945  # where the key is, as parts of the picture
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
        mean=cloud[0],
        curves={name: h(FRAME[:, None]) for name, (_, h) in fits.items()},
        cloud_began=(X_began[:, 0], y_began),
        curves_began={name: h(FRAME[:, None]) for name, (_, h) in began.items()},
        biases={name: b for name, (b, _) in fits.items()},
        slopes={name: float(np.diff(h(np.array([[0.0], [1.0]])))[0]) for name, (_, h) in fits.items()},
        gap=float(np.abs(at_points["penalised"] - at_points["free"]).max()),
        origin=_origin(X, y, centre),
        straight=degree == 1,
    )


# ---- the picture ------------------------------------------------------------------------------


def picture(s):
    x, y = s.origin
    penalised, free = (_bias(s, name) for name in LOOKS)
    away = s.mean != BEGAN
    ax = Axes(
        "",
        X_AXIS,
        Y_AXIS,
        *_key(),
        HLine(y, GREY, width=0.9),
        VLine(x, GREY, width=0.9),
        *_where_it_began(s, away),
        Dots(s.X, s.y, GREY),
        _name_of_origin(s),
        _above(0.985, "pale: where it began" if away else Live("drag the ring"), GREY, side="right"),
        *(_above(FROM[name] + 0.06, _said(s, name), colour) for name, (colour, *_) in LOOKS.items()),
        *(Line(FRAME, s.curves[name], colour, **look) for name, (colour, look, _) in LOOKS.items()),
        Dots(x, y, GREY, size=6, edge=GREY, rim=1),
        *penalised,
        *free,
        Dots(*s.mean, "none", size=16, edge=INK, rim=2.5),
        name="ax",
        place=PLACE,
    )
    return [[ax]]


@cache
def _key():
    """A piece of each line above the axes."""
    left, bottom, width, height = PLACE
    y = Y_AXIS.low + (Y_AXIS.high - Y_AXIS.low) * (ABOVE - bottom) / height
    ends = {name: FRAME[0] + 9 * (np.array([x, x + 0.05]) - left) / width for name, x in FROM.items()}
    pieces = (Line(ends[name], y, colour, clip=False, **look) for name, (colour, look, _) in LOOKS.items())
    return Text(-0.025, 0.45, "$y$", side="center", up="center", of="axes"), *pieces


def _above(x, words, colour, **look):
    return Text(x, ABOVE, words, colour, up="center", of="figure", **look)


def _said(s, name):
    slope = f", slope {fixed(s.slopes[name])}" if s.straight else ""
    return f"{name} $b$ = {fixed(s.biases[name])}{slope}"


def _name_of_origin(s):
    """Where no arrow goes, above or below the origin, and on the side where the lines are farther from it."""
    x, y = s.origin
    height = y - 0.55 if max(s.biases.values()) > -TIP else y + 0.55
    side = max((-1, 1), key=lambda side: _room(s, x + side * np.linspace(0.1, 1.4, 9), height))
    look = {"side": SIDES[side], "up": "center", "name": "origin"}
    return Text(x + 0.12 * side, height, "model's (0, 0)", GREY, **look)


def _room(s, x, y):
    """How far from this height the nearest of the two lines is, at these places."""
    return min(np.abs(np.interp(x, FRAME, curve) - y).min() for curve in s.curves.values())


def _where_it_began(s, away):
    """The cloud and its lines as they were before it was dragged, pale, so that one sees what has moved along."""
    if not away:
        return None, None, None
    lines = (
        Line(FRAME, s.curves_began[name], colour, name="began", **look | {"alpha": PALE})
        for name, (colour, look, _) in LOOKS.items()
    )
    return Dots(*s.cloud_began, GREY, rim=0, alpha=PALE, name="began"), *lines


def _bias(s, name):
    """The arrow from the origin to where the line is above or below it, and its letter; a short one has no tip."""
    (x, y), b, (colour, _, side) = s.origin, s.biases[name], LOOKS[name]
    long, beside = abs(b) > TIP, x + 4.5 * PIXEL * side
    end = y + b - np.sign(b) * TIP * long
    height = max((y + b / 3, y + 2 * b / 3), key=lambda height: _room(s, x + 0.25 * side, height))
    look = {"side": SIDES[side], "up": "center", "size": 14, "box": GROUND}
    return (
        Line(beside, (y, end), colour, width=4, cap="butt", name=f"shaft {name}"),
        Dots(beside, y + b, colour, marker=CARETDOWN if b < 0 else CARETUP, size=11, rim=0, name=f"tip {name}")
        if long
        else None,
        Text(x + 13 * PIXEL * side, height, "$b$", colour, **look) if abs(b) > 3 * TIP else None,
    )


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

centring = panel(
    compute,
    picture,
    readout,
    code,
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
    title="The penalised bias, with and without centring",
    shows="A cloud of points over x with a ring at its mean, and two fits: the wide purple line has a penalised bias, "
    "the dashed green one a free bias. Each bias b is an arrow of the same colour, from the place where the model has "
    "its (0, 0) up or down to its line. What is pale is where the cloud and its lines began.",
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
