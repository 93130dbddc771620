"""Notebook 06. The digits it keeps."""

from functools import lru_cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelPerceptron, Linear, Polynomial, datasets
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.plots import BLUE, ORANGE

KEPT, MISSED = (4, 6), (4, 3)  # rows (two a class) and columns of the two walls of pictures
TILE = 12  # 8 pixels of a picture, a frame of 1 and a gap of 1 around it
PAIRS = {f"{p} against {q}": (p, q) for p, q in combinations(range(10), 2)}


@lru_cache(maxsize=45)
def _data(pair):
    X, y = datasets.digits(*pair)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


def _kernel(family, degree, sigma):
    return {"linear": Linear(), "polynomial": Polynomial(degree), "gaussian": Gaussian(sigma)}[family]


@lru_cache(maxsize=64)
def _fit(pair, kernel, n):
    X, y = _data(pair)
    model = KernelPerceptron(kernel, max_passes=200).fit(X[:n], y[:n])
    return model, np.flatnonzero(model.predict(X[n:]) != y[n:]) + n


def compute(pair, family, degree, sigma, n):
    X, y = _data(pair)
    model, missed = _fit(pair, _kernel(family, degree, sigma), n)
    kept = np.argsort(-model.counts_, kind="stable")[: np.count_nonzero(model.counts_)]
    return SimpleNamespace(
        pair=pair, X=X, y=y, n=n, kept=kept, counts=model.counts_, missed=missed, tests=len(y) - n,
        passes=model.n_passes_, over=model.converged_,
    )  # fmt: skip


def _places(chosen, y, rows, columns):
    """(point, row, column): class −1 in the upper half of the wall, class +1 in the lower."""
    for first, label in ((0, -1), (rows // 2, 1)):
        for j, i in enumerate(chosen[y[chosen] == label][: rows // 2 * columns]):
            yield i, first + j // columns, j % columns


def _wall(X, y, places, rows, columns):
    """All the pictures in one, each in the frame of its class."""
    wall = np.ones((rows * TILE, columns * TILE, 3))
    for i, r, c in places:
        tile = wall[r * TILE + 1 : (r + 1) * TILE - 1, c * TILE + 1 : (c + 1) * TILE - 1]
        tile[:] = to_rgb(BLUE if y[i] < 0 else ORANGE)
        tile[1:-1, 1:-1] = 1 - X[i].reshape(8, 8)[..., None]
    return wall


def build(figure):
    parts = {"counts": []}
    for name, (rows, columns), left, width in (("kept", KEPT, 0.045, 0.617), ("missed", MISSED, 0.686, 0.3083)):
        ax = figure.add_axes((left, 0.03, width, 0.822), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        parts[name] = ax.imshow(
            np.ones((2, 2, 3)), extent=(0, columns, rows, 0), interpolation="nearest", animated=True, aspect="equal"
        )
        parts[f"{name} says"] = ax.text(0, 1.04, "", transform=ax.transAxes, animated=True)
        parts[f"{name} axes"] = ax
    ax = parts["kept axes"]
    parts["names"] = [
        ax.text(-0.035, h, "", transform=ax.transAxes, color=c, animated=True,
                size=16, weight="bold", va="center", ha="center")
        for h, c in ((0.75, BLUE), (0.25, ORANGE))
    ]  # fmt: skip
    parts["counts"] = [
        ax.text(0, 0, "", va="bottom", ha="right", animated=True, zorder=4,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
        for _ in range(KEPT[0] * KEPT[1])
    ]  # fmt: skip
    return parts


def draw(parts, state):
    for text, name in zip(parts["names"], state.pair, strict=True):
        text.set_text(str(name))
    for text in parts["counts"]:
        text.set_text("")
    for name, chosen, size in (("kept", state.kept, KEPT), ("missed", state.missed, MISSED)):
        places = list(_places(chosen, state.y, *size))
        parts[name].set_data(_wall(state.X, state.y, places, *size))
        if name == "kept":
            for text, (i, r, c) in zip(parts["counts"], places, strict=False):
                if state.counts[i] > 1:
                    text.set_text(f"×{state.counts[i]}")
                    text.set_position((c + 0.93, r + 0.93))
        whole = len(places) == len(chosen)
        if name == "kept":
            said = f"kept: {len(chosen)} of {state.n} training pictures" + ("" if whole else f", {len(places)} shown")
        else:
            said = f"{len(chosen)} of {state.tests} " + ("new ones wrong" if whole else f"wrong, {len(places)} shown")
        parts[f"{name} says"].set_text(said)


def describe(state):
    p, q = state.pair
    said = f"{p} against {q}: {state.counts.sum()} mistakes in {state.passes} passes over {state.n} pictures"
    said += "" if state.over else " (and no end)"
    most = state.counts.max()
    often = f"; the hardest was wrong {most} times" if most > 1 else ", none of them wrong twice"
    error = len(state.missed) / state.tests
    return (
        f"{said}. The model is {len(state.kept)} pictures{often}. "
        f"It gets {len(state.missed)} of {state.tests} new pictures wrong, a test error of {100 * error:.1f} %."
    )


def code(pair, family, degree, sigma, n):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.digits{tuple(pair)}\norder = np.random.default_rng(0).permutation(len(y))\n"
        f"X, y = X[order], y[order]\nmodel = KernelPerceptron({_kernel(family, degree, sigma)!r}, max_passes=200)\n"
        f"model.fit(X[:{n}], y[:{n}])\nprint('kept:', np.flatnonzero(model.counts_))\n"
        f"print('test error:', round(1 - model.score(X[{n}:], y[{n}:]), 4))"
    )


digits_pair = Explorer(
    title="The digits it keeps",
    controls=(
        Choice("pair", "digits", (3, 8), PAIRS),
        Choice("family", "kernel", "gaussian", {
            "linear, xᵀz": "linear", "polynomial, (xᵀz + 1)ᵖ": "polynomial", "Gaussian": "gaussian",
        }),
        Slider("degree", "degree p", 3, 2, 6, 1, when=lambda v: v["family"] == "polynomial"),
        Slider("sigma", "width σ", 2.0, 0.3, 6.0, 0.1, when=lambda v: v["family"] == "gaussian"),
        Slider("n", "training pictures", 100, 10, 250, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Easy pair": {"pair": (0, 6)},
        "Hard pair, linear": {"pair": (1, 8), "family": "linear", "n": 200},
        "Cubic": {"family": "polynomial"},
        "Very narrow": {"sigma": 0.3},
        "Few pictures": {"n": 20},
    },
    question=Question(
        "σ is now 2.0. With a Gaussian as narrow as 0.3, how many of the 100 training pictures will be kept?",
        ("all of them: each bump stands alone", "about half", "about as many as now: the nearest one decides"),
        2,
        "However small k is, only the sign of h(z) counts, and nearly always the largest term decides it: that of the "
        "nearest kept picture. A picture is a mistake only if that neighbour has the other label.",
    ),
    size=(7.2, 3.6),
)  # fmt: skip
