"""Notebook 06. The digits it keeps."""

from functools import lru_cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelPerceptron, Linear, Polynomial, datasets
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Image, Text
from kernelkit.course.panel.numbers import percent
from kernelkit.course.plots import BLUE, GREY, ORANGE

KEPT, MISSED = (4, 5), (4, 4)  # rows and columns of the two walls: two rows a class; pairs of pictures
TILE = 12  # 8 pixels of a picture, a frame of 1 and a gap of 1 around it
GROUND = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # of a number in a picture
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
    terms = model.kernel(X[n:], X[kept])[missed - n] * model.a_[kept]  # of the h(z) that came out wrong
    return SimpleNamespace(
        X=X,
        y=y,
        kept=kept,
        counts=model.counts_,
        missed=missed,
        tests=len(y) - n,
        misled_by=kept[(-y[missed][:, None] * terms).argmax(axis=1)],
        passes=model.n_passes_,
    )


def _by_class(chosen, y):
    """(picture, row, column) of the kept ones: class −1 in the upper half of the wall, class +1 in the lower."""
    rows, columns = KEPT
    for first, label in ((0, -1), (rows // 2, 1)):
        for j, i in enumerate(chosen[y[chosen] == label][: rows // 2 * columns]):
            yield i, first + j // columns, j % columns


def _in_pairs(missed, misled_by):
    """(picture, row, column) of the new ones that are wrong, each with the kept one that pulls it most."""
    rows, columns = MISSED
    across = columns // 2
    for j, pair in enumerate(list(zip(missed, misled_by, strict=True))[: rows * across]):
        for side, i in enumerate(pair):
            yield i, j // across, 2 * (j % across) + side + (1 - 2 * side) / TILE  # the two touch


def _pixels(X, y, places, rows, columns):
    """All the pictures in one, each in the frame of its class."""
    wall = np.ones((rows * TILE, columns * TILE, 3))
    for i, r, c in places:
        left = round(c * TILE)
        tile = wall[r * TILE + 1 : (r + 1) * TILE - 1, left + 1 : left + TILE - 1]
        tile[:] = to_rgb(BLUE if y[i] < 0 else ORANGE)
        tile[1:-1, 1:-1] = 1 - X[i].reshape(8, 8)[..., None]
    return wall


def picture(s):
    kept, missed = list(_by_class(s.kept, s.y)), list(_in_pairs(s.missed, s.misled_by))
    order = ", the hardest first" if len(set(s.counts[s.kept])) > 1 else ""
    left = _wall(s, kept, KEPT, name="kept axes", place=(0.05, 0.04, 0.503, 0.7412))
    left += _above(
        f"kept: {len(s.kept)} of {s.n}" + _shown(len(kept), len(s.kept)),
        f"training pictures{order}",
    )
    left += [_class(s.pair[0], 0.75, BLUE), _class(s.pair[1], 0.25, ORANGE)]
    left += [_count(r, c, s.counts[i]) if s.counts[i] > 1 else None for i, r, c in kept]
    right = _wall(s, missed, MISSED, name="missed axes", place=(0.592, 0.04, 0.4024, 0.7412))
    right += _above(
        f"wrong: {len(s.missed)} of {s.tests} new" + _shown(len(missed) // 2, len(s.missed)),
        "each next to the one that misled it" if missed else "",
    )
    return [[left, right]]


def _wall(s, places, size, **rest):
    rows, columns = size
    pixels = Image(_pixels(s.X, s.y, places, rows, columns), (0, columns, 0, rows), smooth=True)
    return Axes("", Axis("", 0, columns, ()), Axis("", rows, 0, ()), pixels, bare=True, equal=True, **rest)


def _above(says, adds):
    return [Text(0.02, 1.115, says, of="axes"), Text(0.02, 1.03, adds, GREY, of="axes")]


def _class(digit, y, colour):
    return Text(-0.05, y, f"{digit}", colour, side="center", up="center", size=16, weight="bold", of="axes")


def _count(row, column, mistakes):
    """×3 in the corner of a kept picture that was wrong three times."""
    return Text(column + 0.93, row + 0.93, f"×{mistakes}", side="right", up="bottom", box=GROUND)


def _shown(some, every):
    return f", {some} shown" if some < every else ""


def readout(state):
    return {
        "training mistakes": f"{state.counts.sum()} in {state.passes} passes",
        "pictures kept": f"{len(state.kept)} of {state.n}",
        "most mistakes at one picture": int(state.counts.max()),
        "new pictures wrong": f"{len(state.missed)} of {state.tests}",
        "test error": percent(len(state.missed) / state.tests),
    }


def code(pair, family, degree, sigma, n):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.digits{tuple(pair)}\norder = np.random.default_rng(0).permutation(len(y))\n"
        f"X, y = X[order], y[order]\nmodel = KernelPerceptron({_kernel(family, degree, sigma)!r}, max_passes=200)\n"
        f"model.fit(X[:{n}], y[:{n}])\nprint('kept:', np.flatnonzero(model.counts_))\n"
        f"print('test error:', round(1 - model.score(X[{n}:], y[{n}:]), 4))"
    )


def _kept(state, x, y):
    found = [i for i, r, c in _by_class(state.kept, state.y) if (r, c) == (int(y), int(x))]
    return f"training picture {found[0] + 1}: {state.counts[found[0]]} × wrong" if found else ""


def _missed(state, x, y):
    places = _in_pairs(state.missed, state.misled_by)
    found = [i for i, r, c in places if (r, round(c)) == (int(y), int(x))]
    if not found:
        return ""
    i, name = found[0], state.pair[int(state.y[found[0]] > 0)]
    return f"training picture {i + 1}, a {name}" if i < state.n else f"a {name} that it takes for the other"


digits_pair = panel(
    compute,
    picture,
    readout,
    code,
    Choice("pair", "digits", (3, 8), PAIRS),
    Choice(
        "family",
        "kernel",
        "gaussian",
        {
            "linear, xᵀz": "linear",
            "polynomial, (xᵀz + 1)ᵖ": "polynomial",
            "Gaussian": "gaussian",
        },
    ),
    Slider("degree", "degree p", 3, 2, 6, 1, when=lambda v: v["family"] == "polynomial"),
    Slider("sigma", "width σ", 2.0, 0.3, 6.0, 0.1, when=lambda v: v["family"] == "gaussian"),
    Slider("n", "pictures n", 100, 10, 250, 1),
    title="The digits it keeps",
    shows="On the left the training pictures that the model keeps, each with the number of its mistakes if it made "
    "more than one; on the right new pictures that it gets wrong, each next to the kept picture that misled it "
    "most. The frames are blue for the first digit and orange for the second.",
    tell={"kept axes": _kept, "missed axes": _missed},
    film=("sigma",),
    scenes={
        "Very narrow": {"sigma": 0.3},
        "Easy pair": {"pair": (0, 6)},
        "Hard pair, linear": {"pair": (1, 8), "family": "linear", "n": 200},
        "Cubic": {"family": "polynomial"},
        "Few pictures": {"n": 20},
    },
    question=Question(
        "σ is now 2. How many of the 100 training pictures will be kept by a Gaussian with the width 0.3?",
        ("two or three, because they say it all", "about as many as now", "all 100, because no bump meets another"),
        1,
        "It keeps 12 again. Only the sign of h(z) counts. Nearly always its largest term decides the sign, and that is "
        "the term of the nearest kept picture. So nearly every mistake is a picture whose nearest kept one has the "
        "other label.",
        "Very narrow",
    ),
)
