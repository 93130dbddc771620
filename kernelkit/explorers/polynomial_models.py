"""Notebook 01, the models: a curve fitted by polynomial features, and classes separated by them."""

import re
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import ListedColormap

from kernelkit import Monomials, PrimalRidge, datasets
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Question, Slider
from kernelkit.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE, contour_lines, sign_colours

# ---- the weights as bars, beside both pictures ----------------------------------------------


def _weight_axes(figure, box):
    ax = figure.add_axes(box)
    ax.axvline(0, color=INK, linewidth=0.8)
    bars = ax.add_collection(PolyCollection([], animated=True, linewidth=0.5, edgecolor="white"))
    return ax, bars


def _draw_weights(ax, bars, w, names):
    """Bars of w, one row a feature; returns what the fixed part depends on."""
    rows = np.arange(len(w))
    bars.set_verts([[(0, i - 0.38), (v, i - 0.38), (v, i + 0.38), (0, i + 0.38)] for i, v in zip(rows, w, strict=True)])
    bars.set_facecolor(sign_colours(w))
    fixed = (_step_above(np.abs(w).max()), tuple(names))
    if getattr(ax, "fixed", None) != fixed:
        ax.fixed, limit = fixed, fixed[0]
        ax.set(xlim=(-1.05 * limit, 1.05 * limit), ylim=(len(w) - 0.4, -0.6), xticks=[-limit, 0, limit])
        ax.set_xticks([-limit, 0, limit], [f"−{limit:g}", "0", f"{limit:g}"])
        ax.set_yticks(rows, [_plain(name) for name in names])
    return fixed


def _plain(name):
    """A feature's name in letters instead of LaTeX, which takes too long to set while a slider moves."""
    name = re.sub(r"\\sqrt\{(\d+)\}", r"√\1", name).replace(r"\,", " ")
    name = re.sub(r"_(\d)", lambda m: "₀₁₂₃₄₅₆₇₈₉"[int(m[1])], name)
    return re.sub(r"\^\{?(\d+)\}?", lambda m: "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in m[1]), name)


def _step_above(value):
    """The next of 1, 5, 10, 50, …, so that the axis does not move with every step of a slider."""
    return next(s * 10.0**e for e in range(-3, 12) for s in (1, 5) if s * 10.0**e >= value)


# ---- a curve from a linear model ------------------------------------------------------------

GRID = np.linspace(-1, 1, 161)
CURVES = {"sine": datasets.sine, "cubic": datasets.cubic, "step": datasets.step}


def _fit_compute(data, degree, lam, n, noise):
    X, y = CURVES[data](n, noise)
    true_x, true_y = CURVES[data](300, 0.0, random_state=1)
    model = PrimalRidge(Monomials(degree), lam).fit(X / 3, y)
    miss, off = model.predict(X / 3) - y, model.predict(true_x / 3) - true_y
    return SimpleNamespace(
        x=X[:, 0] / 3, y=y, true_x=true_x[:, 0] / 3, true_y=true_y, h=model.predict(GRID[:, None]),
        w=model.w_, names=Monomials(degree).names_from(["x"]), degree=degree, lam=lam,
        training=float(np.sqrt(np.mean(miss**2))), truth=float(np.sqrt(np.mean(off**2))),
    )  # fmt: skip


def _fit_build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.52, 0.75))
    ax.set(xlim=(-1.05, 1.05), ylim=(-3.2, 3.2), xlabel="$x$", xticks=[-1, 0, 1], yticks=[-3, 0, 3])
    ax.set_ylabel("$y$", rotation=0)
    ax.yaxis.set_label_coords(-0.06, 0.75)
    ax.set_title("points, true curve (dashed), fit")
    true = ax.plot([], [], "--", color=GREY, animated=True, linewidth=1.6)[0]
    fit = ax.plot([], [], "-", color=GREEN, animated=True, linewidth=2.5)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True)[0]
    weights, bars = _weight_axes(figure, (0.74, 0.13, 0.23, 0.75))
    weights.set_title("weights $w$", x=0.5, ha="center")
    return {"axes": ax, "true": true, "fit": fit, "dots": dots, "weights": weights, "bars": bars}


def _fit_draw(parts, state):
    parts["true"].set_data(state.true_x, state.true_y)
    parts["fit"].set_data(GRID, state.h)
    parts["dots"].set_data(state.x, state.y)
    return _draw_weights(parts["weights"], parts["bars"], state.w, state.names)


def _fit_describe(state):
    return (
        f"Degree {state.degree}, λ = {_short(state.lam)}: {len(state.w)} weights for {len(state.x)} points. The curve "
        f"misses the points by {state.training:.3f} and the true curve by {state.truth:.3f} (root mean square); "
        f"the largest weight is {np.abs(state.w).max():.3g}."
    )


def _short(lam):
    return f"{lam:.2g}".replace("e-0", "e-")


def _fit_code(data, degree, lam, n, noise):
    return (
        "from kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}(n={n}, noise={noise:g})\n"
        f"model = PrimalRidge(Monomials({degree}), lam={lam:.6g}).fit(X / 3, y)\n"
        "print(model.feature_map.names(1))\nprint(model.w_.round(3))\n"
        "print(((model.predict(X / 3) - y) ** 2).mean() ** 0.5)"
    )


fit = Explorer(
    title="A linear model draws a curve",
    controls=(
        Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
        Slider("degree", "degree p", 1, 1, 12, 1),
        Slider("lam", "penalty λ", 1e-6, 1e-6, 10.0, 0.25, log=True, readout=".1e"),
        Slider("n", "points n", 20, 6, 60, 1),
        Slider("noise", "noise", 0.3, 0.0, 0.6, 0.05),
    ),
    compute=_fit_compute,
    build=_fit_build,
    draw=_fit_draw,
    describe=_fit_describe,
    code=_fit_code,
    scenes={
        "Just right": {"degree": 3},
        "Too wild": {"degree": 12, "n": 13},
        "Tamed by λ": {"degree": 12, "n": 13, "lam": 0.01},
        "A sine": {"data": "sine", "degree": 7, "n": 30, "noise": 0.1},
        "A jump": {"data": "step", "degree": 9, "n": 40, "noise": 0.1},
    },
    question=Question(
        "The dashed curve has degree 3. With hardly any penalty, for which degree from 1 to 12 is the error on the "
        "points themselves smallest?",
        ("degree 3, the right one", "degree 12, the largest", "it goes up and down"),
        1,
        "A polynomial of degree 11 is also one of degree 12, with a weight 0. So the best fit to the points cannot get "
        "worse with the degree; the distance from the true curve can, and does.",
    ),
)  # fmt: skip

# ---- classes that a change of basis separates -----------------------------------------------

SETS = ("interval", "half_planes", "rings", "crossing", "moons")
SIDE = np.linspace(-2.6, 2.6, 61)
PLANE = np.column_stack([a.ravel() for a in np.meshgrid(SIDE, SIDE)])


def _separate_compute(data, degree, noise, lam):
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


def _separate_build(figure):
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
    weights, bars = _weight_axes(figure, (0.765, 0.12, 0.215, 0.79))
    weights.set_title("weights $w$", x=0.5, ha="center")
    return {
        "plane": plane, "sides": sides, "border": border, "curve": curve, "zero": zero, "dots": dots, "wrong": wrong,
        "weights": weights, "bars": bars,
    }  # fmt: skip


def _separate_draw(parts, state):
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
    return state.on_a_line, _draw_weights(parts["weights"], parts["bars"], state.w, state.names)


def _separate_describe(state):
    some = f"{state.errors} of {len(state.y)} training points on the wrong side (×)"
    return (
        f"{state.data.replace('_', ' ').capitalize()}, degree {state.degree}, {len(state.w)} features: "
        f"{some if state.errors else 'separated without an error'}; "
        f"of 1000 new points {100 * state.new:.1f} % are on the wrong side."
    )


def _separate_code(data, degree, noise, lam):
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
    compute=_separate_compute,
    build=_separate_build,
    draw=_separate_draw,
    describe=_separate_describe,
    code=_separate_code,
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
