"""Odd answers to the exercises of notebook 02."""

import math
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.spatial
from course.exercises.odd_answers.base import Moved

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
    (kernel_trick.which_are_kernels, "adf"),
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
