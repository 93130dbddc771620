"""Notebook 11. Which products are bought together."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Jaccard, Normalized, Overlap, datasets
from kernelkit.course.explorers.drawing.groups import LOOKS
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Image, Line, Segments, Text
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.plots import GREY, INK

SHOWN = 5  # products in the list
AREAS = ("kitchen", "garden", "bicycle", "desk", "beach")
BESTSELLERS = [datasets.PRODUCTS.index(name) for name in ("batteries", "tape")]
HUES = [colour for colour, _ in LOOKS[:5]]
KERNELS = {"count": Overlap(), "cosine": Normalized(Overlap()), "jaccard": Jaccard()}
UNITS = {"count": "buyers of both", "cosine": "cosine: |A ∩ B| / √(|A| |B|)", "jaccard": "Jaccard: |A ∩ B| / |A ∪ B|"}
DARK = 1 - np.array(to_rgb(INK))


@lru_cache(maxsize=64)
def _matrix(kernel, popular):
    X, area = datasets.baskets(popular=popular)
    buyers = [set(np.flatnonzero(row).tolist()) for row in X]
    return X.sum(axis=1).astype(int), area, KERNELS[kernel](buyers)


def ranked(K):
    """For each product the others, the most similar first: (n, n − 1)."""
    K = np.where(np.eye(len(K), dtype=bool), -np.inf, K)
    return np.argsort(-K, axis=1, kind="stable")[:, :-1]


def compute(kernel, product, popular):
    sold, area, K = _matrix(kernel, popular)
    order = ranked(K)
    return SimpleNamespace(
        K=K,
        dark=np.minimum(K / np.quantile(K[~np.eye(len(K), dtype=bool)], 0.99), 1),
        sold=sold,
        area=area,
        list=order[product, :SHOWN],
        own=int(np.sum(area[order[product, :SHOWN]] == area[product])),
        right=float(np.mean(area[order[:, :SHOWN]] == area[:, None])),
        bestseller=int(np.isin(order[:, :SHOWN], BESTSELLERS).any(axis=1).sum()),
    )


def picture(s):
    return [[_matrix_of_all(s), _list(s)]]


def _matrix_of_all(s):
    """The similarities, dark where they are large, the names of the groups above them, and a frame around a row."""
    n, i = len(s.K), s.product
    return Axes(
        "",
        Axis("40 × 40 products; dark: similar", -0.5, n - 0.5, ()),
        Axis("", n - 0.5, -0.5, ()),
        *_groups(),
        Image(1 - s.dark[..., None] * DARK, (-0.5, n - 0.5, -0.5, n - 0.5), smooth=True),
        Line(
            [-0.5, n - 0.5, n - 0.5, -0.5, -0.5],
            [i - 0.5, i - 0.5, i + 0.5, i + 0.5, i - 0.5],
            HUES[s.area[i]],
            clip=False,
        ),
        name="matrix",
        place=(0.025, 0.06, 0.46, 0.8474),
        equal=True,
        dress=_near_label,
    )


@cache
def _groups():
    return [Text(8 * i + 3.5, -1.2, AREAS[i], HUES[i], side="center", up="bottom") for i in range(len(AREAS))]


def _near_label(ax):
    ax.xaxis.labelpad = 2


def _list(s):
    """A bar for each of the most similar products, in the hue of its group."""
    rows, hues, values = np.arange(SHOWN), [HUES[s.area[j]] for j in s.list], s.K[s.product, s.list]
    lengths = values / (values.max() or 1.0)
    return Axes(
        "",
        Axis("", 0, 1.2, ()),
        Axis("", SHOWN - 0.4, -0.6, ()),
        Segments((0 * lengths, rows), (lengths, rows), hues, width=17),
        *(
            Text(-0.036, row, datasets.PRODUCTS[j], hue, side="right", up="center")
            for row, j, hue in zip(rows, s.list, hues, strict=True)
        ),
        *(
            Text(length + 0.02, row, short(float(v), 2), INK, up="center")
            for row, length, v in zip(rows, lengths, values, strict=True)
        ),
        Text(1, 1.09, f"who bought {datasets.PRODUCTS[s.product]} also bought", side="right", up="bottom", of="axes"),
        Text(1, 1.015, UNITS[s.kernel], GREY, side="right", up="bottom", of="axes"),
        place=(0.66, 0.06, 0.325, 0.80),
        dress=_without_ground,
    )


def _without_ground(ax):
    ax.spines["bottom"].set_visible(False)


def readout(state):
    return {
        f"buyers of {datasets.PRODUCTS[state.product]}": int(state.sold[state.product]),
        "own group in its list": f"{state.own} of {SHOWN}",
        "own group in all lists": percent(state.right, 0),
        "lists with batteries or tape": f"{state.bestseller} of {len(state.K)}",
    }


def code(kernel, product, popular):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, group = datasets.baskets(popular={popular:g})\n"
        "buyers = [set(np.flatnonzero(row).tolist()) for row in X]\n"
        f"K = {KERNELS[kernel]!r}(buyers)\nnp.fill_diagonal(K, -1)\n"
        f"print(datasets.PRODUCTS[{product}], [datasets.PRODUCTS[j] for j in np.argsort(-K[{product}])[:{SHOWN}]])"
    )


def _tell(state, x, y):
    i, j = (min(max(round(v), 0), len(state.K) - 1) for v in (y, x))
    return f"{datasets.PRODUCTS[i]}, {datasets.PRODUCTS[j]}: {short(float(state.K[i, j]), 3)}"


def _click(state, x, y):
    return {"product": min(max(round(y), 0), len(state.K) - 1)}


bought_also = panel(
    compute,
    picture,
    readout,
    code,
    Choice("product", "product", 0, {name: i for i, name in enumerate(datasets.PRODUCTS)}),
    Choice(
        "kernel",
        "similarity",
        "count",
        {
            "buyers of both": "count",
            "cosine: normalised": "cosine",
            "Jaccard": "jaccard",
        },
    ),
    Slider("popular", "bestsellers", 0.6, 0.0, 0.9, 0.1),
    title="Which products are bought together",
    shows="On the left the matrix of similarities of 40 products, dark where they are large, in five groups with a hue "
    "each: kitchen, garden, bicycle, desk and beach. A frame marks the row of the chosen product. On the right bars "
    "show the five products most similar to it, in the hues of their groups.",
    tell={"matrix": _tell},
    click={"matrix": _click},
    film=("popular",),
    scenes={
        "Cosine": {"kernel": "cosine"},
        "Nobody sells best": {"popular": 0.0},
        "A bestseller": {"product": datasets.PRODUCTS.index("batteries")},
        "Bestseller, cosine": {"product": datasets.PRODUCTS.index("batteries"), "kernel": "cosine"},
    },
    question=Question(
        "With the count, batteries or tape are in all 40 lists of five. In how many of these lists is one of the two "
        "left if you take the cosine?",
        ("in about 24, because six in ten buyers take them", "in about ten", "in one or two"),
        1,
        "The cosine divides by the lengths of the vectors, and long vectors were all that made the two so similar to "
        "everything. They point in the direction of no product in particular, but chance still brings them into a "
        "few lists.",
        "Cosine",
    ),
)
