"""Notebook 01. Separable after a change of basis."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.explorers.shared.polynomial_models import draw_weights, weight_axes
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, GREEN, INK, MARKERS, ORANGE, contour_lines

SETS = ("interval", "half_planes", "rings", "crossing", "moons")
SIDE = np.linspace(-2.6, 2.6, 61)
PLANE = np.column_stack([a.ravel() for a in np.meshgrid(SIDE, SIDE)])


def compute(data, degree, noise, lam):
    make, on_a_line = getattr(datasets, data), data == "interval"
    X, y = make(noise=noise)
    new, label = make(n=1000, noise=noise, random_state=1)
    phi = Monomials(degree)
    model = PrimalRidge(phi, lam).fit(X, y)
    H = model.predict(SIDE[:, None]) if on_a_line else model.predict(PLANE).reshape(len(SIDE), -1)
    wrong = np.sign(model.predict(X)) != y
    return SimpleNamespace(
        X=X, y=y, on_a_line=on_a_line, H=H, w=model.w_, degree=degree, data=data, wrong=wrong,
        names=phi.names_from(["x"]) if on_a_line else phi.names(2), errors=int(wrong.sum()),
        new=float(np.mean(np.sign(model.predict(new)) != label)),
    )  # fmt: skip


def build(figure):
    box = (0.075, 0.12, 0.5, 0.79)
    plane = figure.add_axes(box, xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
    plane.set(xlabel="$x_1$", xticks=[-2, 0, 2], yticks=[-2, 0, 2], title="boundary and the side of each class")
    plane.set_ylabel("$x_2$", rotation=0)
    plane.yaxis.set_label_coords(-0.06, 0.7)
    sides = plane.imshow(
        np.zeros((61, 61)), extent=(-2.6, 2.6, -2.6, 2.6), origin="lower", aspect="auto", animated=True,
        interpolation="nearest", cmap=ListedColormap(["#CFE3F0", "#F6DCCB"]), vmin=0, vmax=1,
    )  # fmt: skip
    border = plane.add_collection(LineCollection([], color=INK, linewidth=2, animated=True))
    curve = plane.plot([], [], "-", color=GREEN, linewidth=2.5, animated=True)[0]
    zero = plane.axhline(0, color=INK, linewidth=1, animated=True)
    dots = {
        label: plane.plot([], [], MARKERS[label], color=colour, ms=6, mec="white", mew=0.6, animated=True)[0]
        for label, colour in ((-1, BLUE), (+1, ORANGE))
    }
    wrong = plane.plot([], [], "x", color=INK, ms=10, mew=2, animated=True)[0]
    weights, bars = weight_axes(figure, (0.765, 0.12, 0.215, 0.79))
    weights.set_title("weights $w$", x=0.5, ha="center")
    return {
        "plane": plane, "sides": sides, "border": border, "curve": curve, "zero": zero, "dots": dots, "wrong": wrong,
        "weights": weights, "bars": bars,
    }  # fmt: skip


def draw(parts, state):
    H = np.broadcast_to(state.H, (len(SIDE), len(SIDE)))
    parts["sides"].set_data(H >= 0)
    parts["border"].set_segments(contour_lines(SIDE, SIDE, H, [0.0])[0])
    parts["curve"].set_data(SIDE, state.H if state.on_a_line else np.full(len(SIDE), np.nan))
    parts["zero"].set_visible(state.on_a_line)
    shown = np.column_stack([state.X[:, 0], np.zeros(len(state.X)) if state.on_a_line else state.X[:, 1]])
    for label, dots in parts["dots"].items():
        dots.set_data(*shown[state.y == label].T)
    parts["wrong"].set_data(*shown[state.wrong].T)
    parts["plane"].xaxis.label.set_text("$x$" if state.on_a_line else "$x_1$")
    parts["plane"].yaxis.label.set_text("$h(x)$" if state.on_a_line else "$x_2$")
    return state.on_a_line, draw_weights(parts["weights"], parts["bars"], state.w, state.names)


def describe(state):
    some = f"{state.errors} of {len(state.y)} training points on the wrong side (×)"
    return (
        f"{state.data.replace('_', ' ').capitalize()}, degree {state.degree}, {len(state.w)} features: "
        f"{some if state.errors else 'separated without an error'}; "
        f"of 1000 new points {100 * state.new:.1f} % are on the wrong side."
    )


def code(data, degree, noise, lam):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}(noise={noise:g})\n"
        f"model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X, y)\n"
        "print((np.sign(model.predict(X)) != y).sum())\n"
        "for name, w in zip(model.feature_map.names(X.shape[1]), model.w_):\n    print(name, round(w, 3))"
    )


separate = Explorer(
    title="Separable after a change of basis",
    controls=(
        Choice("data", "data", "rings", {name.replace("_", " "): name for name in SETS}),
        Slider("degree", "degree p", 1, 1, 4, 1),
        Slider("noise", "noise", 0.05, 0.0, 0.5, 0.05),
        Slider("lam", "penalty λ", 0.01, 0.01, 1000.0, 0.25, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Rings, degree 2": {"degree": 2},
        "An interval": {"data": "interval", "degree": 2},
        "A crossing": {"data": "crossing", "degree": 2, "noise": 0.0},
        "Moons, degree 3": {"data": "moons", "degree": 3},
        "Too much noise": {"data": "moons", "degree": 4, "noise": 0.4},
    },
    question=Question(
        "Besides the constant, which features will carry the rings at degree 2?",
        ("x₁ and x₂", "x₁² and x₂²", "x₁x₂", "all six about equally"),
        1,
        "The classes differ in x₁² + x₂², the squared distance from the middle; the constant sets the radius, and by "
        "symmetry nothing is left for the other features to do.",
    ),
    size=(7.2, 4.6),
)  # fmt: skip
