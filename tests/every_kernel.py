"""At least one example of every kernel, its formula written out, and points to try it on: a new kernel adds a line."""

import math

import numpy as np

from kernelkit.features import Circle, Monomials, Orders
from kernelkit.kernels import (
    Alignments,
    Bhattacharyya,
    ChainProduct,
    Conjugate,
    Constant,
    Exp,
    FisherMarkov,
    FisherMixture,
    FromFeatures,
    Gaussian,
    Intersection,
    Jaccard,
    Kendall,
    Laplace,
    Linear,
    Mallows,
    Matern,
    MeanMap,
    MixtureProduct,
    Normalized,
    Overlap,
    Periodic,
    Polynomial,
    Precomputed,
    Pullback,
    Quadratic,
    RationalQuadratic,
    Subsequences,
    Subsets,
    Substrings,
    Subtrees,
    Walks,
    WeisfeilerLehman,
)


def sines(X):
    return np.sin(X @ np.ones((np.shape(X)[-1], 2)) * [1.0, 2.0])


def first(X):
    return np.asarray(X)[..., 0]


def one_norm(x, z):
    return sum(abs(x - z))


def squared_sines(x, z):
    return sum(np.sin(np.pi * (x - z) / 2.5) ** 2)


def matern_five_halves(r):
    return (1 + 5**0.5 * r + 5 * r**2 / 3) * math.exp(-(5**0.5) * r)


def score(x):
    """P(part | x) − P(part) of the parts of 0.3 N((0, 0, 0), 0.8² I) + 0.7 N((1, 1, 0), 0.8² I)."""
    p = [w * math.exp(-(math.dist(x, m) ** 2) / (2 * 0.8**2)) for w, m in ((0.3, (0, 0, 0)), (0.7, (1, 1, 0)))]
    return np.array(p) / sum(p) - [0.3, 0.7]


A = ((2.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 0.0))  # singular

FORMULAS = [
    (Linear(), lambda x, z: x @ z),
    (Constant(2.5), lambda x, z: 2.5),
    (Polynomial(3), lambda x, z: (x @ z + 1) ** 3),
    (Polynomial(3, 0), lambda x, z: (x @ z) ** 3),
    (Polynomial(5, 0.5), lambda x, z: (x @ z + 0.5) ** 5),
    (Polynomial(0), lambda x, z: 1.0),
    (Quadratic(A), lambda x, z: x @ np.array(A) @ z),
    (Gaussian(0.7), lambda x, z: math.exp(-(math.dist(x, z) ** 2) / (2 * 0.7**2))),
    (Laplace(0.7), lambda x, z: math.exp(-one_norm(x, z) / 0.7)),
    (Matern(0.7, 0.5), lambda x, z: math.exp(-math.dist(x, z) / 0.7)),
    (Matern(2), lambda x, z: (1 + 3**0.5 * math.dist(x, z) / 2) * math.exp(-(3**0.5) * math.dist(x, z) / 2)),
    (Matern(0.7, 2.5), lambda x, z: matern_five_halves(math.dist(x, z) / 0.7)),
    (RationalQuadratic(0.7, 0.3), lambda x, z: (1 + math.dist(x, z) ** 2 / (2 * 0.3 * 0.7**2)) ** -0.3),
    (Periodic(1.5, 2.5), lambda x, z: math.exp(-2 * squared_sines(x, z) / 1.5**2)),
    (Intersection(), lambda x, z: sum(np.minimum(x, z))),
    (Normalized(Linear()), lambda x, z: x @ z / (np.linalg.norm(x) * np.linalg.norm(z))),
    (Normalized(Polynomial(2)), lambda x, z: (x @ z + 1) ** 2 / ((x @ x + 1) * (z @ z + 1))),
    (Normalized(Intersection()), lambda x, z: sum(np.minimum(x, z)) / math.sqrt(sum(x) * sum(z))),
    (Exp(Linear()), lambda x, z: math.exp(x @ z)),
    (3 * Linear(), lambda x, z: 3 * (x @ z)),
    (Linear() * 3, lambda x, z: 3 * (x @ z)),
    (Linear() + 2, lambda x, z: x @ z + 2),
    (2 + Linear(), lambda x, z: x @ z + 2),
    (Linear() + Gaussian(1), lambda x, z: x @ z + math.exp(-(math.dist(x, z) ** 2) / 2)),
    (Linear() * Gaussian(1), lambda x, z: x @ z * math.exp(-(math.dist(x, z) ** 2) / 2)),
    (Linear() ** 3, lambda x, z: (x @ z) ** 3),
    (3 * Linear() ** 2 + 2 * Linear() + 1, lambda x, z: 3 * (x @ z) ** 2 + 2 * (x @ z) + 1),
    (Conjugate(first, Linear()), lambda x, z: x[0] * (x @ z) * z[0]),
    (Pullback(Linear(), sines), lambda x, z: sines(x) @ sines(z)),
    (Pullback(Linear(), Circle(2.0)), lambda x, z: sum(np.cos(np.pi * (x - z)))),
    (FromFeatures(sines), lambda x, z: sines(x) @ sines(z)),
    (FromFeatures(Monomials(2)), lambda x, z: (x @ z + 1) ** 2),
    (FisherMixture([0.3, 0.7], [[0, 0, 0], [1, 1, 0]], 0.8), lambda x, z: score(x) @ score(z)),
    (0 * Linear(), lambda x, z: 0.0),
    (Constant(0) + Linear(), lambda x, z: x @ z),
]

GRID = np.linspace(0.25, 4, 16)  # the world of a kernel that asks for levels

PATH, TRIANGLE = [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
SQUARE = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
SHE, HE = ("NP", "she"), ("NP", "he")
FAIR, SLOW = ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), ([0.3, 0.7], [[0.9, 0.1], [0.2, 0.8]])
HIDDEN = ([1.0, 0.0, 0.0], [[0.1, 0.9, 0.0], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])


def draws(*lengths, seed=0):
    return [np.random.default_rng(seed + n).standard_normal((n, 2)) for n in lengths]


OBJECTS = [
    Overlap(),
    Jaccard(),
    Subsets(),
    Substrings(2),
    Subsequences(2, 0.5),
    Subtrees(0.5),
    Alignments(Gaussian(1.5)),
    ChainProduct(3),
    FisherMarkov([0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]]),
    Kendall(),
    Mallows(0.5),
    FromFeatures(Orders()),
    WeisfeilerLehman(2),
    Walks(0.1),
    MeanMap(Gaussian(1.0)),
    MeanMap(Linear()),
    Bhattacharyya(),
    MixtureProduct(),
]
WITH_FEATURES = [k for k in OBJECTS if not isinstance(k, (Alignments, Bhattacharyya, MixtureProduct, Walks))]
COLLECTIONS = {  # by what a kernel takes: five objects, the last one empty where there is such a thing
    "sets": [{"a", "c"}, {"a", "r"}, {"t"}, frozenset("cat"), set()],
    "strings": ["cat", "cart", "tact", "attract", ""],
    "trees": [
        ("S", SHE, ("VP", "ran")),
        ("S", SHE, ("VP", "ran", ("PP", "to", HE))),
        ("S", HE, ("VP", "ran")),
        HE,
        ("S",),
    ],
    "series of vectors": draws(4, 3, 6, 1, 2),
    "chains": [FAIR, SLOW, HIDDEN, ([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]]), ([1.0], [[1.0]], [[0.2, 0.8]])],
    "sequences": [[0, 0, 0], [1, 1, 1, 1, 0], np.array([0, 1, 0, 1]), (0,), [1]],
    "permutations": np.array([[1, 2, 3, 4], [2, 1, 3, 4], [4, 3, 2, 1], [1, 3, 4, 2], [3, 4, 1, 2]]),
    "graphs": [(PATH, "COC"), (TRIANGLE, "COC"), (SQUARE, "CCOO"), (np.array(PATH), ["C", "C", "N"]), ([], "")],
    "bags of vectors": draws(4, 3, 6, 1, 2, seed=1),
    "Gaussians": [
        ([0, 0], [[1, 0], [0, 1]]),
        ([1, 0], [[2, 1], [1, 1]]),
        ([0, 3], [[0.1, 0], [0, 5]]),
        ([0, 0], [[9, 0], [0, 9]]),
        ([1, 1], [[1, 0.9], [0.9, 1]]),
    ],
    "mixtures": [
        ([1.0], [[0.0, 0.0]], 1.0),
        ([0.5, 0.5], [[0, 1], [2, 0]], 0.5),
        ([0.2, 0.8], [[0, 1], [2, 0]], 2.0),
        ([0.3, 0.3, 0.4], [[0, 1], [2, 0], [-1, -1]], 0.7),
        ([1.0], [[5.0, 5.0]], 0.3),
    ],
}
WORLDS = {  # over which the features are listed
    "sets": "acrt",
    "strings": "acrt",
    "trees": COLLECTIONS["trees"],
    "graphs": COLLECTIONS["graphs"],
    "chains": 2,
}

EXAMPLES = [*(k for k, _ in FORMULAS), Precomputed(), *OBJECTS]  # a table of numbers has no formula


def points(k, cloud):
    """Five points of the kind that k takes; vectors where it takes anything."""
    if k.points in COLLECTIONS:
        return COLLECTIONS[k.points]
    X = cloud(5, 3)
    return {"vectors": taken(k, X), "anything": X, "rows of a Gram matrix": X @ X.T}[k.points]


def width(k, X):
    """The dimension of the vectors in a collection as k reads it; any number where there are none."""
    return np.shape(X[0])[-1] if "vectors" in k.points or isinstance(X, np.ndarray) else 3


def world(k):
    """What ``feature_map`` of k needs to have finitely many features: a degree, and a world to list them over."""
    return {"degree": 2, "over": WORLDS.get(k.points, GRID)}


def taken(k, X):
    """The vectors X, or |X| for a kernel that takes no negative numbers."""
    try:
        return k.read(X)[0]
    except ValueError:
        return k.read(np.abs(X))[0]
