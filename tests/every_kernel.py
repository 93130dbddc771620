"""At least one example of every kernel, its formula written out, and points to try it on: a new kernel adds a line."""

import math

import numpy as np

from kernelkit.features import Circle, Monomials
from kernelkit.kernels import (
    Conjugate,
    Constant,
    Exp,
    FromFeatures,
    Gaussian,
    Intersection,
    Jaccard,
    Laplace,
    Linear,
    Matern,
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


A = ((2.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 0.0))  # singular

FORMULAS = [
    (Linear(), lambda x, z: x @ z),
    (Constant(2.5), lambda x, z: 2.5),
    (Polynomial(3), lambda x, z: (x @ z + 1) ** 3),
    (Polynomial(3, 0), lambda x, z: (x @ z) ** 3),
    (Polynomial(5, 0.5), lambda x, z: (x @ z + 0.5) ** 5),
    (Polynomial(0), lambda x, z: 1.0),
    (Quadratic(A), lambda x, z: x @ np.array(A) @ z),
    (Gaussian(0.7), lambda x, z: math.exp(-math.dist(x, z) ** 2 / (2 * 0.7**2))),
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
    (Linear() + Gaussian(1), lambda x, z: x @ z + math.exp(-math.dist(x, z) ** 2 / 2)),
    (Linear() * Gaussian(1), lambda x, z: x @ z * math.exp(-math.dist(x, z) ** 2 / 2)),
    (Linear() ** 3, lambda x, z: (x @ z) ** 3),
    (3 * Linear() ** 2 + 2 * Linear() + 1, lambda x, z: 3 * (x @ z) ** 2 + 2 * (x @ z) + 1),
    (Conjugate(first, Linear()), lambda x, z: x[0] * (x @ z) * z[0]),
    (Pullback(Linear(), sines), lambda x, z: sines(x) @ sines(z)),
    (Pullback(Linear(), Circle(2.0)), lambda x, z: sum(np.cos(np.pi * (x - z)))),
    (FromFeatures(sines), lambda x, z: sines(x) @ sines(z)),
    (FromFeatures(Monomials(2)), lambda x, z: (x @ z + 1) ** 2),
    (0 * Linear(), lambda x, z: 0.0),
    (Constant(0) + Linear(), lambda x, z: x @ z),
]  # fmt: skip

GRID = np.linspace(0.25, 4, 16)  # the world of a kernel that asks for levels

OBJECTS = [Overlap(), Jaccard(), Subsets(), Substrings(2), Subsequences(2, 0.5)]
COLLECTIONS = {  # by what a kernel takes: five objects, the last one empty where there is such a thing
    "sets": [{"a", "c"}, {"a", "r"}, {"t"}, frozenset("cat"), set()],
    "strings": ["cat", "cart", "tact", "attract", ""],
}
WORLDS = {"sets": "acrt", "strings": "acrt"}  # over which the features are listed

EXAMPLES = [*(k for k, _ in FORMULAS), Precomputed(), *OBJECTS]  # a table of numbers has no formula


def points(k, cloud):
    """Five points of the kind that k takes; vectors where it takes anything."""
    if k.points in COLLECTIONS:
        return COLLECTIONS[k.points]
    X = cloud(5, 3)
    return {"vectors": taken(k, X), "anything": X, "rows of a Gram matrix": X @ X.T}[k.points]


def world(k):
    """What ``feature_map`` of k needs to have finitely many features: a degree, and a world to list them over."""
    return {"degree": 2, "over": WORLDS.get(k.points, GRID)}


def taken(k, X):
    """The vectors X, or |X| for a kernel that takes no negative numbers."""
    try:
        return k.read(X)[0]
    except ValueError:
        return k.read(np.abs(X))[0]
