"""Notebook 07. Three kernels on sixteen points."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Linear, Polynomial, datasets
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import TOL, machine, on_margin, tell_h
from kernelkit.course.panel.controls import Choice, Question, Samples, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import short, typed
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import INK, contour_lines

SPAN = (-3.0, -3.0), (3.0, 3.0)
SIDE, UPWARD = plane.grid(*SPAN, 90)
CROSS = {"marker": "x", "ls": "", "color": INK, "mew": 1.6}  # a point that is wrong
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
        C=C,
        sigma=sigma,
        degree=degree,
        offset=offset,
        gamma=gamma,
        starts=[m.a_ for m in models],
        own=[i for i, point in enumerate(present) if point[3] == ""],
        machines=[_shown(m, X, y, level) for m in models],
    )


def _shown(model, X, y, level):
    H = plane.decision_on_grid(model, SIDE, UPWARD)
    lower, upper = contour_lines(SIDE, UPWARD, H, (-level, level))
    missed = y * model.decision_function(X) <= ON_THE_LINE
    return SimpleNamespace(
        H=H,
        support=model.support_,
        on_margin=on_margin(model),
        idle=np.setdiff1d(np.arange(len(y)), model.support_),
        missed=missed,
        wrong=int(missed.sum()),
        lines=[*lower, *upper],
    )


def build(figure):
    planes = []
    for i in range(3):
        ax = figure.add_axes((0.005 + 0.335 * i, 0.11, 0.32, 0.32 * 7.0 / 2.9), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        missed = ax.plot([], [], **CROSS, ms=16, animated=True, zorder=6)[0]
        planes.append(plane.build(ax, *SPAN) | {"missed": missed} | _build_words(ax))
    planes[2]["title"].set_animated(True)  # its number moves with a slider; the others are part of the background
    return {"planes": planes} | {f"plane {i}": part["axes"] for i, part in enumerate(planes)}


def _build_words(ax):
    """A title, and below two numbers, which move, with the words between them, which do not."""
    look = {"transform": ax.transAxes, "size": 11, "va": "top"}
    for x, words in ((0.115, "support vectors"), (0.8, "wrong")):
        ax.text(x, -0.035, words, **look)
    numbers = [ax.text(x, -0.035, "", ha="right", animated=True, **look) for x in (0.1, 0.785)]
    ax.plot([0.68], [-0.07], **CROSS, ms=8, transform=ax.transAxes, clip_on=False)
    return {"title": ax.text(0.5, 1.03, "", ha="center", transform=ax.transAxes), "numbers": numbers}


def draw(parts, state):
    titles = _titles(state)
    for part, m, title in zip(parts["planes"], state.machines, titles, strict=True):
        marks = {"own": state.own, "support": m.support, "on_margin": m.on_margin, "idle": m.idle}
        plane.draw(part, SIDE, UPWARD, m.H, state.X, state.y, **marks)
        part["margins"].set_segments(m.lines)
        part["missed"].set_data(*state.X[m.missed].T)
        if part["title"].get_animated() or reframed(part["title"].axes, title):
            part["title"].set_text(title)
        for text, number in zip(part["numbers"], (len(m.support), m.wrong), strict=True):
            text.set_text(number)


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


three_kernels = Explorer(
    title="Three kernels on sixteen points",
    controls=(
        Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
        Slider("degree", "degree p", 3, 2, 4, 1, more=True),
        Choice("offset", "offset c", 1.0, {"c = 1": 1.0, "c = 0 (SVC's default)": 0.0}, more=True),
        Slider("gamma", "γ of (γxᵀz + c)ᵖ", 1.0, 0.5, 3.0, 0.5, more=True),
        Slider("sigma", "width σ", 1.0, 0.3, 3.0, 0.05),
        Choice("level", "dashed at", 1.0, {"h = ±1": 1.0, "h = ±0.5 (the slip)": 0.5}),
        POINTS,
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Three planes with the same points of two classes, blue circles and orange squares, and from left to right "
    "the linear, the polynomial and the Gaussian model. The colour is the sign of h, the solid line is h = 0, "
    "and the dashed lines are at the chosen value of h. A ring is a support vector, one with a dot is exactly "
    "on its margin, pale points are no support vectors, and a cross is a wrong point.",
    code=code,
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
