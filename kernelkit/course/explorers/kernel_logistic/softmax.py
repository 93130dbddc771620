"""Notebook 05. Three classes."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelLogistic, KernelSoftmax, OneVsRest, Polynomial, datasets
from kernelkit.arrays import gaussian
from kernelkit.course.explorers.drawing.boundary import grid
from kernelkit.course.explorers.drawing.field import FLAT
from kernelkit.course.explorers.drawing.shades import class_shades, grey_frame, value_at
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Field, Live, Paths, Text
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.panel.stretched import mixed
from kernelkit.course.plots import BLUE, GREEN, ORANGE, contour_lines
from kernelkit.models.logistic import sigmoid
from kernelkit.models.softmax import softmax as softmax_of

LOOKS = {"o": BLUE, "s": ORANGE, "^": GREEN}  # of the classes 0, 1 and 2
REACH = 2.6
GX, GY = grid((-REACH, -REACH), (REACH, REACH), 80)


def _kernel(kernel, degree, sigma):
    return Gaussian(sigma) if kernel == "gaussian" else Polynomial(degree)


@lru_cache(maxsize=32)
def _three(data, kernel, degree, sigma, lam, model):
    """The points, the fitted model, and its h and probabilities over the plane."""
    X, y = getattr(datasets, data)()
    k = _kernel(kernel, degree, sigma)
    fitted = (KernelSoftmax(k, lam) if model == "softmax" else OneVsRest(KernelLogistic(k, lam))).fit(X, y)
    A = fitted.a_ if model == "softmax" else np.column_stack([one.a_ for one in fitted.models_])
    H = _on_grid(k, X, A)
    return X, y, fitted, H, class_probabilities(fitted, H)


def _on_grid(k, X, A):
    """The three h_c = Σ_i A_ic k(X_i, z) over the plane, (rows, columns, 3); a Gaussian kernel factorises."""
    if not isinstance(k, Gaussian):
        return (k(plane_points(GX, GY), X) @ A).reshape(len(GY), len(GX), 3)
    across, along = gaussian(GX[:, None], X[:, :1], k.sigma), gaussian(GY[:, None], X[:, 1:], k.sigma)
    return np.stack([(along * a) @ across.T for a in A.T], axis=-1)


def class_probabilities(fitted, H):
    """Of softmax: they add up to 1. Of one against the rest: three separate s(h_c), which need not."""
    if isinstance(fitted, KernelSoftmax):
        return softmax_of(H.reshape(-1, 3)).reshape(H.shape)
    return sigmoid(H)


def compute(points, data, model, kernel, degree, sigma, lam):
    X, y, fitted, H, P = _three(data, kernel, degree, sigma, lam, model)
    z = np.array(points[0])
    return SimpleNamespace(
        X=X,
        y=y,
        H=H,
        P=P,
        z=z,
        p=class_probabilities(fitted, fitted.decision_function(z[None]))[0],
        wrong=1 - fitted.score(X, y),
    )


def picture(s):
    return [[_plane(s), _bars(s)]]


def _plane(s):
    """The points and z over the colours of the classes, and lines where two classes tie."""
    shades = np.moveaxis(class_shades(s.P)[..., :3] / 255, -1, 0)
    return Axes(
        "",
        Axis("$x_1$", -REACH, REACH, (-2, 2)),
        Axis("$x_2$", -REACH, REACH, (-2, 2)),
        Text(0, 1.02, Live("★ z: drag it", "★ z", "★ z"), of="axes"),
        Field(tuple(shades), mixed),
        Paths(_ties(s.H), width=2.2),
        *(Dots(*s.X[s.y == c].T, LOOKS[m], marker=m, size=7.5) for c, m in enumerate(LOOKS)),
        Dots(*s.z[:, None], marker="*", size=17, rim=1.2),
        name="plane",
        place=(0.07, 0.115, 0.445, 0.8197),
        frame=True,
        dress=_dress_plane,
    )


def _dress_plane(ax):
    grey_frame(ax)
    ax.set_xlabel("$x_1$", labelpad=-12)
    ax.set_ylabel("$x_2$", labelpad=-12, rotation=0)


def _bars(s):
    """The probabilities at z, with numbers above them."""
    way = "softmax" if s.model == "softmax" else "one against the rest"
    return Axes(
        "",
        Axis("", -0.6, 2.6, range(3), ("● class 0", "■ class 1", "▲ class 2")),
        Axis("", 0, 1.0, (0, 0.5, 1)),
        Bars(range(3), s.p, list(LOOKS.values()), width=0.72),
        *(Text(c, p + 0.02, f"{p:.2f}", side="center") for c, p in enumerate(s.p)),
        Text(-0.08, 1.21, f"{way}: P(class) at z", of="axes"),
        Text(-0.08, 1.12, f"sum {s.p.sum():.2f}", of="axes"),
        name="bars",
        place=(0.61, 0.145, 0.375, 0.66),
        dress=_dress_bars,
    )


def _dress_bars(ax):
    for tick, colour in zip(ax.get_xticklabels(), LOOKS.values(), strict=True):
        tick.set_color(colour)


def _ties(H):
    """Where the two best classes tie; nowhere if all three do, as very far from the points of a Gaussian kernel."""
    top = np.sort(H, axis=2)
    lead = H - np.where(top[..., 2:] > H, top[..., 2:], top[..., 1:2])
    lead = np.ma.masked_where(np.repeat(np.ptp(H, axis=2, keepdims=True) < FLAT, 3, axis=2), lead)
    return [line for c in range(3) for line in contour_lines(GX, GY, lead[..., c], (0.0,))[0]]


def readout(state):
    return {
        **{f"P({c}) at z": f"{p:.2f}" for c, p in enumerate(state.p)},
        "their sum": f"{state.p.sum():.2f}",
        "training points wrong": f"{round(state.wrong * len(state.y))} of {len(state.y)}",
    }


def code(points, data, model, kernel, degree, sigma, lam):
    k, z = _kernel(kernel, degree, sigma), [[float(v) for v in points[0]]]
    head = f"from kernelkit import *\nfrom kernelkit import datasets\n\nX, y = datasets.{data}()\n"
    if model == "softmax":
        return head + f"model = KernelSoftmax({k!r}, lam={lam!r}).fit(X, y)\nprint(model.predict_proba({z}))"
    fit = f"model = OneVsRest(KernelLogistic({k!r}, lam={lam!r})).fit(X, y)\n"
    ask = f"print(sigmoid(model.decision_function({z})))"
    return "from kernelkit.models.logistic import sigmoid\n" + head + fit + ask


def _probabilities(state, x, y):
    return ", ".join(f"P({c}) = {p:.2f}" for c, p in enumerate(value_at(GX, GY, state.P, x, y)))


def _tell_bar(state, x, y):
    c = min(max(round(x), 0), 2)
    return f"P(class {c}) = {state.p[c]:.3f}"


MIDDLE = {"data": "blobs", "kernel": "polynomial", "points": ((0.0, 0.0),)}


softmax = panel(
    compute,
    picture,
    readout,
    code,
    Points(
        "points",
        "move",
        ((0.6, 1.4),),
        (-2.5, -2.5),
        (2.5, 2.5),
        "plane",
        ("coordinate 1", "coordinate 2"),
        ("z",),
        more=True,
    ),
    Choice("data", "data", "arms", {"three arms": "arms", "three clouds in a row": "blobs", "iris petals": "petals"}),
    Choice("model", "model", "softmax", {"softmax": "softmax", "one against the rest": "rest"}),
    Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "polynomial": "polynomial"}),
    Slider("sigma", "width σ", 0.6, 0.1, 3.0, 0.1, when=lambda v: v["kernel"] == "gaussian"),
    Slider("degree", "degree p", 1, 1, 4, 1, when=lambda v: v["kernel"] == "polynomial"),
    Slider("lam", "λ", 0.1, 1e-3, 10.0, 0.25, log=True, more=True),
    title="Three classes",
    shows="On the left the plane of x₁ and x₂ with the points of three classes, dots, squares and triangles, and a "
    "star at z. The colour is that of the most probable class, and white where none is. Black lines are where "
    "two classes tie. On the right three bars are the probabilities at z.",
    tell={"plane": _probabilities, "bars": _tell_bar},
    film=("sigma",),
    scenes={
        "Far away": {"points": ((-2.4, 2.4),), "sigma": 0.3},
        "Lines, softmax": MIDDLE,
        "Lines, one by one": MIDDLE | {"model": "rest"},
        "Iris": {"data": "petals", "points": ((0.7, 0.7),)},
    },
    question=Question(
        "Drag z far away from all points, with a Gaussian kernel of small σ. What do the three probabilities become?",
        ("1, 0 and 0", "½, ½ and 0", "⅓ each"),
        2,
        "There every k(Xᵢ, z) is near 0, so the three scores h are near 0, and softmax of equal numbers is ⅓ each.",
        "Far away",
    ),
)
