"""Notebook 11. Which products are bought together."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap

from kernelkit import Jaccard, Normalized, Overlap, datasets
from kernelkit.course.explorers.drawing.groups import LOOKS
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, short
from kernelkit.course.plots import GREY, INK

SHOWN = 5  # products in the list
AREAS = ("kitchen", "garden", "bicycle", "desk", "beach")
BESTSELLERS = [datasets.PRODUCTS.index(name) for name in ("batteries", "tape")]
HUES = [colour for colour, _ in LOOKS[:5]]
KERNELS = {"count": Overlap(), "cosine": Normalized(Overlap()), "jaccard": Jaccard()}
UNITS = {"count": "buyers of both", "cosine": "cosine: |A ∩ B| / √(|A| |B|)", "jaccard": "Jaccard: |A ∩ B| / |A ∪ B|"}
GREYS = LinearSegmentedColormap.from_list("white to ink", ["white", INK])


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
        sold=sold,
        area=area,
        product=product,
        kernel=kernel,
        list=order[product, :SHOWN],
        own=int(np.sum(area[order[product, :SHOWN]] == area[product])),
        right=float(np.mean(area[order[:, :SHOWN]] == area[:, None])),
        bestseller=int(np.isin(order[:, :SHOWN], BESTSELLERS).any(axis=1).sum()),
    )


def build(figure):
    matrix = figure.add_axes((0.025, 0.06, 0.46, 0.8474), xticks=[], yticks=[])
    matrix.set_xlabel("40 × 40 products; dark: similar", labelpad=2)
    bars = figure.add_axes((0.66, 0.06, 0.325, 0.80), yticks=[], xlim=(0, 1.2), ylim=(SHOWN - 0.4, -0.6))
    bars.spines["bottom"].set_visible(False)
    bars.set_xticks([])
    look = {"animated": True}
    image = matrix.imshow(np.zeros((40, 40)), cmap=GREYS, vmin=0, vmax=1, interpolation="nearest", **look)
    for i, (name, hue) in enumerate(zip(AREAS, HUES, strict=True)):
        matrix.text(8 * i + 3.5, -1.2, name, color=hue, ha="center", va="bottom")
    names = [
        bars.text(-0.03, i, "", ha="right", va="center", transform=bars.get_yaxis_transform(), **look)
        for i in range(SHOWN)
    ]
    values = [bars.text(0, i, "", va="center", color=INK, **look) for i in range(SHOWN)]
    row = matrix.plot([], [], color=HUES[0], lw=2, zorder=5, clip_on=False, **look)[0]
    rods = bars.add_collection(LineCollection([], linewidths=17, **look))
    title = bars.text(1, 1.09, "", ha="right", va="bottom", transform=bars.transAxes, **look)
    under = bars.text(1, 1.015, "", ha="right", va="bottom", color=GREY, transform=bars.transAxes, **look)
    return {
        "matrix": matrix,
        "image": image,
        "bars": bars,
        "rods": rods,
        "names": names,
        "values": values,
        "row": row,
        "title": title,
        "under": under,
    }


def draw(parts, state):
    n, i = len(state.K), state.product
    off = state.K[~np.eye(n, dtype=bool)]
    parts["image"].set_data(np.minimum(state.K / np.quantile(off, 0.99), 1))
    parts["row"].set_data([-0.5, n - 0.5, n - 0.5, -0.5, -0.5], [i - 0.5, i - 0.5, i + 0.5, i + 0.5, i - 0.5])
    parts["row"].set_color(HUES[state.area[i]])
    values = state.K[i, state.list]
    top = float(values.max()) or 1.0
    parts["rods"].set_segments([[(0, j), (v / top, j)] for j, v in enumerate(values)])
    parts["rods"].set_color([HUES[state.area[j]] for j in state.list])
    for text, value, v, j, place in zip(parts["names"], parts["values"], values, state.list, range(SHOWN), strict=True):
        text.set(text=datasets.PRODUCTS[j], color=HUES[state.area[j]])
        value.set(text=short(float(v), 2), position=(v / top + 0.02, place))
    parts["title"].set_text(f"who bought {datasets.PRODUCTS[i]} also bought")
    parts["under"].set_text(UNITS[state.kernel])


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


bought_also = Explorer(
    title="Which products are bought together",
    controls=(
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
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the matrix of similarities of 40 products, dark where they are large, in five groups with a hue "
    "each: kitchen, garden, bicycle, desk and beach. A frame marks the row of the chosen product. On the right bars "
    "show the five products most similar to it, in the hues of their groups.",
    code=code,
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
