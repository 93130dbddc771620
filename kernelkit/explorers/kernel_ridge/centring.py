"""Notebook 03. The penalised bias, with and without centring."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Polynomial, datasets
from kernelkit.panel.controls import Choice, NoQuestion, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import fixed, read_off, short
from kernelkit.panel.parts import GROUND, standard
from kernelkit.plots import GREEN, GREY, INK, PURPLE

FRAME = np.linspace(-1.3, 3.4, 101)  # all of the horizontal axis
PALE = "#CBB6D6"
TREATMENTS = {"nothing": "nothing", "X and y": "data", "X, y and Φ(X)": "features"}


def _growth(mean_x, mean_y):
    """Twenty points of a growing curve, with the means that are asked for."""
    X, noise = datasets.step(20, noise=0.15)
    y = np.exp(X[:, 0] / 3) + noise - np.sign(X[:, 0])
    return X / 3 - X.mean() / 3 + mean_x, y - y.mean() + mean_y


def _fit_bias(X, y, degree, lam, centre, free=False):
    """The bias b, the weight of a column of ones beside the features Φ, penalised or free; and the prediction h."""
    x0, y0 = (X.mean(), y.mean()) if centre != "nothing" else (0.0, 0.0)
    phi = Polynomial(degree).feature_map()
    F = phi(X - x0)
    f0 = np.r_[0.0, F[:, 1:].mean(axis=0)] if centre == "features" else np.zeros(F.shape[1])
    penalty = lam * np.diag(np.r_[0.0 if free else 1.0, np.ones(degree)])
    w = np.linalg.solve((F - f0).T @ (F - f0) + penalty, (F - f0).T @ (y - y0))
    return float(w[0]), lambda Z: (phi(Z - x0) - f0) @ w + y0


def _origin(X, y, centre):
    """Where 0 is for the model."""
    return (0.0, 0.0) if centre == "nothing" else (float(X.mean()), float(y.mean()))


def compute(degree, centre, lam, mean_x, mean_y):
    X, y = _growth(mean_x, mean_y)
    Z = np.linspace(X.min() - 0.15, X.max() + 0.15, 101)[:, None]
    fits = {way: _fit_bias(X, y, degree, lam, way) for way in TREATMENTS.values()}
    free = _fit_bias(X, y, degree, lam, "data" if centre == "features" else centre, free=True)[1](Z)
    h = fits[centre][1](Z)
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        Z=Z[:, 0],
        h=h,
        free=free,
        beyond=fits[centre][1](FRAME[:, None]),
        origin=_origin(X, y, centre),
        gap=float(np.abs(h - free).max()),
        centre=centre,
        degree=degree,
        biases={way: fit[0] for way, fit in fits.items()},
        lam=lam,
    )


def build(figure):
    ax = figure.add_axes((0.06, 0.135, 0.54, 0.74), xlim=FRAME[[0, -1]], ylim=(-1.4, 4.9), xlabel="$x$")
    ax.set(xticks=[-1, 0, 1, 2, 3], yticks=[-1, 0, 1, 2, 3, 4])
    figure.text(0.06, 0.925, "penalised bias: full", color=INK)
    figure.text(0.29, 0.925, "free bias: dashes", color=GREEN)
    look = {"color": GREY, "lw": 0.9, "animated": True}
    rows = figure.add_axes((0.66, 0.135, 0.325, 0.74), xlim=(-1.1, 1.1), ylim=(2.45, -0.55))
    rows.set_axis_off()
    figure.text(0.66, 0.925, "the bias $b$, centring …")
    for i in range(3):
        rows.plot([0, 0], [i - 0.02, i + 0.3], color=INK, lw=1)
    return {
        "ax": ax,
        "cross": [ax.axhline(0, **look), ax.axvline(0, **look)],
        "beyond": ax.plot([], [], color=INK, lw=1, alpha=0.5, animated=True)[0],
        "dots": ax.plot([], [], "o", ms=6, color=GREY, mec="white", mew=0.7, animated=True)[0],
        "h": ax.plot([], [], color=INK, lw=2.4, animated=True)[0],
        "free": ax.plot([], [], "--", color=GREEN, lw=2.4, animated=True, zorder=3)[0],
        "b": ax.plot([], [], color=PURPLE, lw=5, solid_capstyle="butt", animated=True, zorder=4)[0],
        "letter": ax.text(0, 0, "$b$", color=PURPLE, size=14, ha="right", va="center", bbox=GROUND, animated=True),
        "origin": ax.text(0, 0, "origin", color=GREY, va="bottom", animated=True),
        "bars": [rows.barh(i + 0.14, 0, 0.26, animated=True)[0] for i in range(3)],
        "words": [rows.text(-1.1, i - 0.2, "", va="center", animated=True) for i in range(3)],
    }


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    parts["h"].set_data(state.Z, state.h)
    parts["free"].set_data(state.Z, state.free)
    parts["beyond"].set_data(FRAME, state.beyond)
    _draw_origin(parts, state)
    limit = standard(max(0.05, *map(abs, state.biases.values())))
    for (name, way), bar, word in zip(TREATMENTS.items(), parts["bars"], parts["words"], strict=True):
        chosen = way == state.centre
        bar.set(width=state.biases[way] / limit, facecolor=PURPLE if chosen else PALE)
        word.set(text=f"{name}: {_said(state, way)}", fontweight="bold" if chosen else "normal")


def _draw_origin(parts, state):
    """A cross where the model has its 0, and on it the bias, the height of the curve there."""
    x, y = state.origin
    b = 0.0 if state.centre == "features" else state.biases[state.centre]
    parts["cross"][0].set_ydata([y, y])
    parts["cross"][1].set_xdata([x, x])
    parts["b"].set_data([x, x], [y, y + b])
    parts["letter"].set(position=(x - 0.1, y + b / 2), visible=abs(b) > 0.1)
    parts["origin"].set_position((x + 0.08, -1.35))


def _said(state, way):
    """The bias of one treatment, in words."""
    return "exactly 0" if _always_zero(way, state.degree) else f"$b$ = {short(round(state.biases[way], 3))}"


def _always_zero(centre, degree):
    """Whether the penalised bias is exactly 0 for every λ: the features and y have mean 0."""
    return centre == "features" or (centre == "data" and degree == 1)


def describe(state):
    features = ("feature is x", "features are x and x²", "features are x, x² and x³")[state.degree - 1]
    centred = {"nothing": "nothing is", "data": "X and y are", "features": "X, y and Φ(X) are"}[state.centre]
    text = f"The {features}, {centred} centred, and λ = {short(state.lam)}. The penalised bias is "
    if _always_zero(state.centre, state.degree):
        return text + "exactly 0; penalising it costs nothing, and the curve is the one with a free bias."
    return text + f"{fixed(state.biases[state.centre], 3)}; a free bias would move the curve by up to {state.gap:.3f}."


def _tell_curves(state, x, y):
    if not state.Z[0] <= x <= state.Z[-1]:
        return ""
    penalised, free = (read_off(np.interp(x, state.Z, curve)) for curve in (state.h, state.free))
    return f"x = {short(x, 2)}: penalised {penalised}, free {free}"


def code(degree, centre, lam, mean_x, mean_y):
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
                "print(model.w_[0])  # the bias",
            ]
        )
    return "\n".join(
        [
            *lines,
            "Phi = phi(X - X.mean())",
            "Phi[:, 1:] -= Phi[:, 1:].mean(axis=0)  # all but the ones",
            "w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ (y - y.mean()))",
            "print(w[0])  # the bias",
        ]
    )


centring = Explorer(
    title="The penalised bias, with and without centring",
    controls=(
        Slider("degree", "degree p", 1, 1, 3, 1),
        Choice("centre", "centre", "nothing", TREATMENTS),
        Slider("lam", "λ", 0.1, 0.01, 100.0, 0.1, log=True),
        Slider("mean_x", "mean of x", 1.5, 0.0, 2.0, 0.25),
        Slider("mean_y", "mean of y", 2.5, 0.0, 3.0, 0.25),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    tell={"ax": _tell_curves},
    motion=True,
    scenes={
        "Strong λ, not centred": {"lam": 10.0},
        "Linear, centred": {"lam": 10.0, "centre": "data"},
        "Degree 2, centred": {"lam": 10.0, "degree": 2, "centre": "data"},
        "Φ centred too": {"lam": 10.0, "degree": 2, "centre": "features"},
    },
    question=NoQuestion(because="the text just above asks what the penalty on the bias does when nothing is centred"),
)
