"""Notebook 07. Three kernels on sixteen points."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, Polynomial, datasets
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid, points as dots, sides
from kernelkit.course.explorers.drawing.machines import TOL, machine, on_margin, tell_h
from kernelkit.course.panel.controls import Choice, Question, Samples, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Text
from kernelkit.course.panel.numbers import short, typed
from kernelkit.course.plots import INK

SPAN = (-3.0, -3.0), (3.0, 3.0)
SIDE, UPWARD = grid(*SPAN, 90)
CROSS = {"marker": "x", "edge": INK, "rim": 1.6}  # a point that is wrong
BELOW = {"up": "top", "size": 11, "of": "axes"}  # words below a plane
WORDS = (
    Text(0.115, -0.035, "support vectors", **BELOW),
    Dots(1.08, -3.42, INK, size=8, **CROSS, clip=False),
    Text(0.8, -0.035, "wrong", **BELOW),
)
ON_THE_LINE = 1e-5  # y·h up to here is 0, for whatever processor


def _kernels(sigma, degree, offset, gamma):
    return Linear(), _polynomial(gamma, degree, offset), Gaussian(sigma)


def _polynomial(gamma, degree, offset):
    """(γ xᵀz + c)^p, as short as it can be written."""
    if gamma == 1:
        return Polynomial(degree, offset)
    return (gamma * Linear() + offset) ** degree if offset else (gamma * Linear()) ** degree


POINTS = Samples(
    "points",
    "point",
    (),
    *SPAN,
    axes=("plane 0", "plane 1", "plane 2"),
    given=lambda values: ("sixteen", *datasets.sixteen()),
)


def compute(C, sigma, degree, offset, gamma, level, points, before=None):
    present = POINTS.present({"points": points})
    X, y = np.array([point[:2] for point in present]), np.array([float(point[2]) for point in present])
    if len(set(y)) < 2:
        raise ValueError("a machine needs points of both classes; a click adds one.")
    starts = [None] * 3 if before is None else before.starts
    kernels = _kernels(sigma, degree, offset, gamma)
    models = [machine(k, C, X, y, a) for k, a in zip(kernels, starts, strict=True)]
    return SimpleNamespace(
        X=X,
        y=y,
        starts=[m.a_ for m in models],
        own=[i for i, point in enumerate(present) if point[3] == ""],
        machines=[_shown(m, X, y) for m in models],
    )


def _shown(model, X, y):
    missed = y * model.decision_function(X) <= ON_THE_LINE
    return SimpleNamespace(
        H=decision_on_grid(model, SIDE, UPWARD),
        support=model.support_,
        on_margin=on_margin(model),
        idle=np.setdiff1d(np.arange(len(y)), model.support_),
        missed=missed,
        wrong=int(missed.sum()),
    )


def picture(s):
    planes = enumerate(zip(s.machines, _titles(s), strict=True))
    return [[_plane(s, i, machine, title) for i, (machine, title) in planes]]


def _plane(s, i, m, title):
    """Above it the kernel, below it two numbers."""
    return Axes(
        "",
        Axis("", SPAN[0][0], SPAN[1][0], ()),
        Axis("", SPAN[0][1], SPAN[1][1], ()),
        *WORDS,
        Text(0.5, 1.03, title, side="center", of="axes", name="kernel"),
        *sides(SIDE, UPWARD, m.H, s.X, margin=s.level),
        *dots(s.X, s.y, m.support, m.on_margin, m.idle, s.own),
        Dots(*s.X[m.missed].T, INK, size=16, **CROSS, name="missed"),
        Text(0.1, -0.035, f"{len(m.support)}", side="right", **BELOW),
        Text(0.785, -0.035, f"{m.wrong}", side="right", **BELOW),
        name=f"plane {i}",
        place=(0.005 + 0.335 * i, 0.11, 0.32, 0.32 * 7.0 / 2.9),
        bare=True,
    )


def _titles(state):
    product = "xᵀz" if state.gamma == 1 else f"{short(state.gamma)}xᵀz"
    offset = f" + {state.offset:g}" if state.offset else ""
    return "linear", f"({product}{offset}){'⁰¹²³⁴'[state.degree]}", f"Gaussian, σ = {short(state.sigma)}"


def readout(state):
    linear, polynomial, gaussian = (
        f"{len(m.support)} support vectors, {m.wrong} of {len(state.y)} wrong" for m in state.machines
    )
    return {"C": short(state.C), "linear": linear, "polynomial": polynomial, "Gaussian": gaussian}


def _told(i):
    return lambda state, x, y: tell_h(SIDE, UPWARD, state.machines[i].H, (x, y))


def code(C, sigma, degree, offset, gamma, level, points):
    kernels = ", ".join(map(repr, _kernels(sigma, degree, offset, gamma)))
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"{_data(points)}\nfor kernel in ({kernels}):\n"
        f"    svm = KernelSVM(kernel, C={C:g}, tol={TOL:g}).fit(X, y)\n"
        f"    inside = (svm.multipliers_ > 0) & (svm.multipliers_ < {C:g})\n"
        "    print(kernel, len(svm.support_), svm.score(X, y), svm.decision_function(X)[inside].round(2))"
    )


def _data(points):
    if not points:
        return "X, y = datasets.sixteen()"
    present = [point[:3] for point in POINTS.present({"points": points})]
    return f"import numpy as np\n\npoints = np.array({typed(tuple(present))})\nX, y = points[:, :2], points[:, 2]"


three_kernels = panel(
    compute,
    picture,
    readout,
    code,
    Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
    Slider("degree", "degree p", 3, 2, 4, 1, more=True),
    Choice("offset", "offset c", 1.0, {"c = 1": 1.0, "c = 0 (SVC's default)": 0.0}, more=True),
    Slider("gamma", "γ of (γxᵀz + c)ᵖ", 1.0, 0.5, 3.0, 0.5, more=True),
    Slider("sigma", "width σ", 1.0, 0.3, 3.0, 0.05),
    Choice("level", "dashed at", 1.0, {"h = ±1": 1.0, "h = ±0.5 (the slip)": 0.5}),
    POINTS,
    title="Three kernels on sixteen points",
    shows="Three planes with the same points of two classes, blue circles and orange squares, and from left to right "
    "the linear, the polynomial and the Gaussian model. The colour is the sign of h, the solid line is h = 0, "
    "and the dashed lines are at the chosen value of h. A ring is a support vector, one with a dot is exactly "
    "on its margin, pale points are no support vectors, and a cross is a wrong point.",
    film=("C",),
    scenes={
        "Expensive mistakes": {"C": 100.0},
        "Narrow": {"sigma": 0.4},
        "Lines at ±0.5": {"level": 0.5},
        "c = 0, p = 2": {"offset": 0.0, "degree": 2},
        "γ = 2, c = 0": {"offset": 0.0, "gamma": 2.0},
    },
    says={"Narrow": "On the right some dashed lines are closed around a single point, and smaller than its ring."},
    question=Question(
        "At C = 1 the Gaussian model has a ring around each of the 16 points. The price rises to 100. How many rings "
        "does it have then?",
        ("16, as now", "11", "3"),
        1,
        "No point falls short of its margin any more, because that is expensive now. Eleven points are exactly on "
        "their margin, and the other five are beyond it and need no bump. The dashed lines have drawn together.",
        "Expensive mistakes",
    ),
    tell={f"plane {i}": _told(i) for i in range(3)},
    warm=True,
    size=(7.0, 2.9),
)
