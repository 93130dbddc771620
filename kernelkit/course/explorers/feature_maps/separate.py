"""Notebook 01. Which degree separates the classes."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.boundary import points, sides
from kernelkit.course.explorers.drawing.polynomial_models import weights
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line
from kernelkit.course.panel.numbers import percent, read_off
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.plots import GREEN, INK

SETS = ("interval", "half_planes", "rings", "crossing", "moons")
EDGE = 2.6  # half the side of the plane that is shown
SIDE = np.linspace(-EDGE, EDGE, 61)
PLANE = plane_points(SIDE, SIDE)
X_2 = r"$\hspace{0.464}x_2\hspace{0.464}$"  # with as much room as h(x)


def compute(data, degree, noise, lam):
    make, on_a_line = getattr(datasets, data), data == "interval"
    X, y = make(noise=noise)
    new, label = make(n=1000, noise=noise, random_state=1)
    phi = Monomials(degree)
    model = PrimalRidge(phi, lam).fit(X, y)
    H = model.predict(SIDE[:, None]) if on_a_line else model.predict(PLANE).reshape(len(SIDE), -1)
    wrong = np.sign(model.predict(X)) != y
    return SimpleNamespace(
        X=X,
        y=y,
        on_a_line=on_a_line,
        H=H,
        h=model.predict,
        w=model.w_,
        wrong=wrong,
        names=phi.names_from(["x"]) if on_a_line else phi.names(2),
        errors=int(wrong.sum()),
        new=float(np.mean(np.sign(model.predict(new)) != label)),
    )


def picture(s):
    shown = np.column_stack([s.X[:, 0], np.zeros(len(s.X)) if s.on_a_line else s.X[:, 1]])
    H = np.broadcast_to(s.H, (len(SIDE), len(SIDE)))
    plane = Axes(
        "boundary and the side of each class",
        Axis("$x$" if s.on_a_line else "$x_1$", -EDGE, EDGE, (-2, 0, 2)),
        Axis("$h(x)$" if s.on_a_line else X_2, -EDGE, EDGE, (-2, 0, 2)),
        *sides(SIDE, SIDE, H, shown, margin=None),
        Line(SIDE, s.H, GREEN, width=2.5) if s.on_a_line else None,
        HLine(0, width=1) if s.on_a_line else None,
        *points(shown, s.y),
        Dots(*shown[s.wrong].T, INK, marker="x", size=10, rim=1.2),
        name="plane",
        width=10,
        dress=_dress,
    )
    return [[plane, weights(s.w, s.names, longest="√12·x₁²x₂", width=9)]]


def _dress(ax):
    ax.yaxis.label.set_rotation(0)
    ax.yaxis.set_label_coords(-0.075, 0.66)


def readout(state):
    return {
        "degree p": state.degree,
        "features": len(state.w),
        "training points wrong": f"{state.errors} of {len(state.y)}",
        "new points wrong": f"{percent(state.new)} of 1000",
    }


def _tell_plane(state, x, y):
    place = [x] if state.on_a_line else [x, y]
    return f"h({', '.join(map(read_off, place))}) = {read_off(state.h(np.array([place]))[0])}"


code = """
import numpy as np
from kernelkit import *
from kernelkit import datasets

X, y = datasets.{data}(noise={noise:g})
model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X, y)
print((np.sign(model.predict(X)) != y).sum())
for name, w in zip(model.feature_map.names(X.shape[1]), model.w_):
    print(name, round(w, 3))
"""

separate = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "rings", {name.replace("_", " "): name for name in SETS}),
    Slider("degree", "degree p", 1, 1, 4, 1),
    Slider("noise", "noise", 0.05, 0.0, 0.5, 0.05),
    Slider("lam", "penalty λ", 0.01, 0.01, 1000.0, 0.25, log=True),
    title="Which degree separates the classes",
    shows="On the left the points of two classes, blue dots and orange squares, in the plane or on a line, and each "
    "side of the boundary h = 0 in the colour of its class; a training point on the wrong side has a cross. On the "
    "right a bar for the weight of each feature.",
    film=("degree",),
    scenes={
        "Rings, degree 2": {"degree": 2},
        "Rings, degree 3": {"degree": 3},
        "An interval": {"data": "interval", "degree": 2},
        "A crossing": {"data": "crossing", "degree": 2, "noise": 0.0},
        "Moons, degree 3": {"data": "moons", "degree": 3},
        "Too much noise": {"data": "moons", "degree": 4, "noise": 0.4},
    },
    question=Question(
        "At degree 2 the squares separate the rings. Degree 3 adds four features. What will their weights be?",
        ("the largest: they bend most", "almost 0", "like those of the squares: all share the work"),
        1,
        "The classes differ in x₁² + x₂², the squared distance from the middle. The constant sets the radius, and by "
        "symmetry nothing is left for the features of degree 3 to do.",
        scene="Rings, degree 3",
    ),
    tell={"plane": _tell_plane},
)
