"""Notebook 01. Which degree separates the classes."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.course.explorers.drawing import boundary
from kernelkit.course.explorers.drawing.polynomial_models import draw_weights, tell_weight, weight_bars
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, read_off
from kernelkit.course.panel.parts import plane_points, reframed
from kernelkit.course.plots import GREEN, INK

SETS = ("interval", "half_planes", "rings", "crossing", "moons")
EDGE = 2.6  # half the side of the plane that is shown
SIDE = np.linspace(-EDGE, EDGE, 61)
PLANE = plane_points(SIDE, SIDE)


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
        degree=degree,
        wrong=wrong,
        names=phi.names_from(["x"]) if on_a_line else phi.names(2),
        errors=int(wrong.sum()),
        new=float(np.mean(np.sign(model.predict(new)) != label)),
    )


def build(figure):
    axes = figure.subplot_mosaic([["plane", "weights"]], width_ratios=(10, 9))
    plane = axes["plane"]
    plane.set(title="boundary and the side of each class", xticks=[-2, 0, 2], yticks=[-2, 0, 2], xlabel="$x_1$")
    plane.set_ylabel("$h(x)$", rotation=0)
    plane.yaxis.set_label_coords(-0.075, 0.66)
    return axes | {
        "sides": boundary.build(plane, (-EDGE, -EDGE), (EDGE, EDGE)),
        "curve": plane.plot([], [], "-", color=GREEN, linewidth=2.5, animated=True)[0],
        "zero": plane.axhline(0, color=INK, linewidth=1, animated=True),
        "wrong": plane.plot([], [], "x", color=INK, ms=10, mew=1.2, animated=True, zorder=6)[0],
        "bars": weight_bars(axes["weights"], "√12·x₁²x₂"),
    }


def draw(parts, state):
    shown = np.column_stack([state.X[:, 0], np.zeros(len(state.X)) if state.on_a_line else state.X[:, 1]])
    H = np.broadcast_to(state.H, (len(SIDE), len(SIDE)))
    boundary.draw(parts["sides"], SIDE, SIDE, H, shown, state.y, margins=False)
    parts["curve"].set_data(SIDE, state.H if state.on_a_line else np.full(len(SIDE), np.nan))
    parts["zero"].set_visible(state.on_a_line)
    parts["wrong"].set_data(*shown[state.wrong].T)
    if reframed(parts["plane"], state.on_a_line):
        parts["plane"].xaxis.label.set_text("$x$" if state.on_a_line else "$x_1$")
        parts["plane"].yaxis.label.set_text("$h(x)$" if state.on_a_line else "$x_2$")
    draw_weights(parts["bars"], state.w, state.names)


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


def code(data, degree, noise, lam):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}(noise={noise:g})\n"
        f"model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X, y)\n"
        "print((np.sign(model.predict(X)) != y).sum())\n"
        "for name, w in zip(model.feature_map.names(X.shape[1]), model.w_):\n    print(name, round(w, 3))"
    )


separate = Explorer(
    title="Which degree separates the classes",
    controls=(
        Choice("data", "data", "rings", {name.replace("_", " "): name for name in SETS}),
        Slider("degree", "degree p", 1, 1, 4, 1),
        Slider("noise", "noise", 0.05, 0.0, 0.5, 0.05),
        Slider("lam", "penalty λ", 0.01, 0.01, 1000.0, 0.25, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the points of two classes, blue dots and orange squares, in the plane or on a line, and each "
    "side of the boundary h = 0 in the colour of its class; a training point on the wrong side has a cross. On the "
    "right a bar for the weight of each feature.",
    code=code,
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
    tell={"plane": _tell_plane, "weights": tell_weight},
)
