"""Odd answers to the exercises of notebook 02."""

import math
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.spatial
from course.exercises.odd_answers.base import Moved

from kernelkit import Monomials
from kernelkit.course.exercises import kernel_trick
from kernelkit.course.explorers.kernel_trick import identity


def six_of_the_outer_product(x, c):
    """(xᵀz + c)² is a squared inner product of (√c, x): the upper half of an outer product, with √2 beside it."""
    longer = [c**0.5, *x]
    return [longer[i] * longer[j] * (1 if i == j else 2**0.5) for i in range(3) for j in range(i, 3)]


def six_rotated(x, c):
    """Any rotation of a right Φ is right."""
    Q = scipy.linalg.qr(np.arange(36).reshape(6, 6) % 7 + np.eye(6))[0]
    return Q @ np.array(six_of_the_outer_product(x, c))


def gram_with_a_constant_input(X, p, c):
    longer = np.insert(X, 0, np.sqrt(c), axis=1)
    return np.asfortranarray(reduce(np.multiply, [longer @ longer.T] * p))


def gram_by_halves(X, p, c):
    K = [[0.0] * len(X) for _ in X]
    for i in range(len(X)):
        for j in range(i + 1):
            K[i][j] = K[j][i] = math.fsum([*(a * b for a, b in zip(X[i], X[j], strict=True)), c]) ** p
    return K


def gram_of_distances(X, p, c):
    """xᵀz from lengths and distances."""
    length = (X**2).sum(axis=1)
    return ((length[:, None] + length - scipy.spatial.distance.cdist(X, X, "sqeuclidean")) / 2 + c) ** p


def gram_with_a_zero_half(X, p, c):
    K = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(i):  # range(i) leaves the diagonal out
            K[i, j] = K[j, i] = (X[i] @ X[j] + c) ** p
    return K


def cosine_by_law(k, x, z):
    """The law of cosines with the distance in feature space."""
    a, b = math.sqrt(k(x, x)), math.sqrt(k(z, z))
    distance = k(x, x) - 2 * k(x, z) + k(z, z)
    return (a * a + b * b - distance) / (2 * a * b)


RIGHT = [
    (kernel_trick.six_features, six_of_the_outer_product),
    (kernel_trick.six_features, six_rotated),
    (kernel_trick.polynomial_gram, gram_with_a_constant_input),
    (kernel_trick.polynomial_gram, gram_by_halves),
    (kernel_trick.polynomial_gram, gram_of_distances),
    (kernel_trick.features_of_a_sum, lambda a, b: [*b, *a, *(-a), *a]),
    (kernel_trick.features_of_a_sum, lambda a, b: np.r_[np.outer([1, 1, -1], a).ravel(), b]),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([1.5 * a, math.sqrt(0.75) * a, b])),
    (kernel_trick.which_are_kernels, lambda: "A, D and F"),
    (kernel_trick.which_are_kernels, lambda: np.array(["F", "D", "A"])),
    (kernel_trick.which_are_kernels, lambda: frozenset("ADF")),
    (kernel_trick.cosine, cosine_by_law),
    (kernel_trick.cosine, lambda k, x, z: np.divide(k(z, x), math.exp((math.log(k(x, x)) + math.log(k(z, z))) / 2))),
    (kernel_trick.perpendicular, Moved(identity, "Opposite signs", {"points": ((1.5, 0.5), (-0.5, -0.5))})),
    (
        kernel_trick.perpendicular,
        Moved(
            identity,
            {"family": "gaussian"},
            {"offset": 2.0},
            {"points": ((-1.0, -2.0), (0.0, 1.0))},
            {"family": "polynomial"},
        ),
    ),
]
WRONG = [
    (kernel_trick.six_features, lambda x, c: Monomials(2, c)(x)[:5]),
    (
        kernel_trick.six_features,
        lambda x, c: [1, *(np.sqrt(2 / c) * x if c else 0 * x), *(np.outer(x, x).ravel()[[0, 1, 3]] / (c or 1))],
    ),
    (
        kernel_trick.six_features,
        lambda x, c: [c, *(np.sqrt(2 * c) * x), x[0] ** 2, np.sqrt(2) * x[0] + x[1], x[1] ** 2],
    ),
    (
        kernel_trick.six_features,
        lambda x, c: [c, *(np.sqrt(2 * c) * x), x[0] ** 2, np.sqrt(2) * abs(x[0] * x[1]), x[1] ** 2],
    ),
    (kernel_trick.six_features, lambda x, c: (v for v in Monomials(2, c)(x))),
    (kernel_trick.polynomial_gram, lambda X, p, c: [(x @ x + c) ** p for x in X]),
    (kernel_trick.polynomial_gram, gram_with_a_zero_half),
    (kernel_trick.polynomial_gram, lambda X, p, c: p * (X @ X.T + c)),
    (kernel_trick.polynomial_gram, lambda X, p, c: sum((X @ X.T) ** m * c ** (p - m) for m in range(p + 1))),
    (kernel_trick.polynomial_gram, lambda X, p, c: np.exp(p * np.log(np.maximum(X @ X.T + c, 1e-9)))),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([3 * a, b]) / np.sqrt(3)),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([np.sqrt(3 * np.abs(a)), b])),
    (kernel_trick.features_of_a_sum, lambda a, b: np.outer(np.sqrt(3) * a, b).ravel()),  # those of a product
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([a, a, b])),
    (kernel_trick.features_of_a_sum, lambda a, b: np.sqrt(3) * np.pad(a, (0, max(0, len(b) - len(a)))) + b),
    (kernel_trick.which_are_kernels, lambda: "ABCDEF"),
    (kernel_trick.which_are_kernels, lambda: {"A": True, "B": False, "C": False, "D": True, "E": False, "F": True}),
    (kernel_trick.which_are_kernels, lambda: ""),
    (kernel_trick.which_are_kernels, lambda: [0, 3, 5]),
    (kernel_trick.cosine, lambda k, x, z: k(x, z) / (np.sqrt(k(x, x)) + np.sqrt(k(z, z)))),
    (kernel_trick.cosine, lambda k, x, z: k(x, z) / np.sqrt(k(x, x)) * np.sqrt(k(z, z))),  # brackets are missing
    (kernel_trick.cosine, lambda k, x, z: 1 - (k(x, x) - 2 * k(x, z) + k(z, z)) / 2),  # right for unit vectors
    (kernel_trick.cosine, lambda k, x, z: k(x / np.linalg.norm(x), z / np.linalg.norm(z))),
    (kernel_trick.perpendicular, Moved(identity, "Perpendicular")),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.5), (-1.0, -0.5))})),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.5), (-1.0, 0.0)), "family": "sum"})),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.0), (-1.0, 0.0)), "offset": 1.25})),
]
