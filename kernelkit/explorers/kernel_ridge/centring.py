"""Notebook 03. The penalised bias, with and without centring."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Polynomial, datasets
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import standard
from kernelkit.plots import GREY, INK, ORANGE, PURPLE

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


def compute(degree, centre, lam, mean_x, mean_y):
    X, y = _growth(mean_x, mean_y)
    Z = np.linspace(X.min() - 0.15, X.max() + 0.15, 101)[:, None]
    fits = {way: _fit_bias(X, y, degree, lam, way) for way in TREATMENTS.values()}
    free = _fit_bias(X, y, degree, lam, "data" if centre == "features" else centre, free=True)[1](Z)
    h = fits[centre][1](Z)
    return SimpleNamespace(
        X=X[:, 0], y=y, Z=Z[:, 0], h=h, free=free, gap=float(np.abs(h - free).max()), centre=centre, degree=degree,
        biases={way: fit[0] for way, fit in fits.items()}, lam=lam,
    )  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.46, 0.75), xlim=(-3.3, 3.3), ylim=(-5, 5.5), xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[-3, 0, 3], yticks=[-4, -2, 0, 2, 4])
    ax.axhline(0, color=GREY, lw=0.8)
    ax.axvline(0, color=GREY, lw=0.8)
    figure.text(0.075, 0.93, "penalised bias", color=INK, size=11)
    figure.text(0.255, 0.93, "free bias (dashes)", color=ORANGE, size=11)
    dots = ax.plot([], [], "o", ms=5, color=GREY, animated=True)[0]
    lines = [
        ax.plot([], [], color=INK, lw=2, animated=True)[0],
        ax.plot([], [], "--", color=ORANGE, lw=2, animated=True)[0],
    ]
    rows = figure.add_axes((0.64, 0.13, 0.34, 0.75), ylim=(2.6, -0.6), yticks=[], xlabel="penalised bias $b$")
    rows.spines["left"].set_visible(False)
    rows.axvline(0, color=INK, lw=0.8)
    figure.text(0.64, 0.93, "what is centred, and the bias", size=11)
    dot = [rows.plot([], [], "o", ms=9, mfc="white", mew=2, color=PURPLE, animated=True)[0] for _ in range(3)]
    words = [
        rows.text(0.0, i - 0.28, "", size=11, transform=rows.get_yaxis_transform(), animated=True) for i in range(3)
    ]
    for word in words:
        word.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    return {"ax": ax, "dots": dots, "lines": lines, "rows": rows, "dot": dot, "words": words}


def draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    parts["lines"][0].set_data(state.Z, state.h)
    parts["lines"][1].set_data(state.Z, state.free)
    for i, (name, way) in enumerate(TREATMENTS.items()):
        chosen, b = way == state.centre, state.biases[way]
        parts["dot"][i].set(data=([b], [i + 0.12]), markerfacecolor=PURPLE if chosen else "white")
        number = "exactly 0" if _always_zero(way, state.degree) else f"$b$ = {b:.3f}".replace("-", "−")
        parts["words"][i].set(text=f"{name}: {number}", fontweight="bold" if chosen else "normal")
    limit = standard(1.1 * max(0.05, *map(abs, state.biases.values())))
    if parts.get("fixed") != limit:
        parts["fixed"] = limit
        parts["rows"].set(xlim=(-limit, limit))
        parts["rows"].set_xticks([-limit, 0, limit], [f"−{limit:g}", "0", f"{limit:g}"])
    return limit


def _always_zero(centre, degree):
    """Whether the penalised bias is exactly 0 for every λ: the features and y have mean 0."""
    return centre == "features" or (centre == "data" and degree == 1)


def describe(state):
    features = ("x", "x and x²", "x, x² and x³")[state.degree - 1]
    centred = {"nothing": "nothing", "data": "X and y", "features": "X, y and Φ(X)"}[state.centre]
    bias = (
        "exactly 0"
        if _always_zero(state.centre, state.degree)
        else f"{state.biases[state.centre]:.3f}".replace("-", "−")
    )
    text = f"Features {features}, centred: {centred}, λ = {state.lam:.3g}. The penalised bias is {bias}; "
    if _always_zero(state.centre, state.degree):
        return text + "penalising it costs nothing, and the curve is the one with a free bias."
    return text + f"a free bias would move the curve by up to {state.gap:.3f}."


def code(degree, centre, lam, mean_x, mean_y):
    lines = [
        "import numpy as np", "from kernelkit import *", "from kernelkit import datasets", "",
        "X, noise = datasets.step(20, noise=0.15)",
        "y = np.exp(X[:, 0] / 3) + noise - np.sign(X[:, 0])",
        f"X, y = X / 3 - X.mean() / 3 + {mean_x!r}, y - y.mean() + {mean_y!r}",
        f"phi, lam = Polynomial({degree}).feature_map(), {lam!r}  # its first feature is the column of ones",
    ]  # fmt: skip
    if centre != "features":
        return "\n".join(
            [
                *lines,
                f"model = PrimalRidge(phi, lam, center={centre == 'data'}).fit(X, y)",
                "print(model.w_[0])  # the bias",
            ]
        )
    return "\n".join([
        *lines, "Phi = phi(X - X.mean())", "Phi[:, 1:] -= Phi[:, 1:].mean(axis=0)  # all but the ones",
        "w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ (y - y.mean()))",
        "print(w[0])  # the bias",
    ])  # fmt: skip


centring = Explorer(
    title="The penalised bias, with and without centring",
    controls=(
        Slider("degree", "degree p", 1, 1, 3, 1),
        Choice("centre", "centre", "nothing", TREATMENTS),
        Slider("lam", "λ", 1.0, 0.01, 100.0, 0.1, log=True),
        Slider("mean_x", "mean of x", 1.5, -2.0, 2.0, 0.25),
        Slider("mean_y", "mean of y", 2.5, -3.0, 3.0, 0.25),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Strong λ, not centred": {"lam": 10.0},
        "Linear, centred": {"lam": 10.0, "centre": "data"},
        "Degree 2, centred": {"degree": 2, "centre": "data"},
        "Φ centred too": {"degree": 2, "centre": "features"},
    },
    question=Question(
        "Nothing is centred, the data lie far from 0. You raise λ to 10. What does the line with a penalised bias do?",
        (
            "it flattens, around the middle of the data",
            "it is pulled towards 0 and misses the middle of the data",
            "only its slope changes, the bias stays",
        ),
        1,
        "The penalty pulls b to 0, wherever the data are. A free bias would let the line flatten around their middle; "
        "after centring, 0 is the middle.",
    ),
)  # fmt: skip
