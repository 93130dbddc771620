"""Odd answers to the exercises of notebook 01."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import feature_maps
from kernelkit.course.explorers.feature_maps import fit


def six_by_products(X):
    """Each monomial is a product of two of (1, x1, x2), and itertools has the pairs in the order asked."""
    padded = np.insert(X, 0, 1, axis=1)
    return np.stack([padded[:, i] * padded[:, j] for i, j in combinations_with_replacement(range(3), 2)], axis=-1)


def six_filled_in(X):
    Phi = np.ones((6, len(X)))
    Phi[1:3] = X.T
    Phi[3:5] = X.T * X[:, 0]
    Phi[5] = X[:, 1] ** 2
    return Phi.T  # in Fortran's order


def six_of_a_square_matrix(X):
    outer = np.einsum("ni,nj->nij", np.insert(X, 0, 1, axis=1), np.insert(X, 0, 1, axis=1))
    return outer[:, *np.triu_indices(3)]


def with_x1(d, p):
    """All monomials as tuples of d exponents, one at a time; too many where d is large."""
    if d > 20:
        return math.comb(d + p - 1, d)
    return len([powers for powers in product(range(p + 1), repeat=d) if powers[0] > 0 and sum(powers) <= p])


def by_degree(d, p):
    """Of degree exactly m there are comb(d + m − 1, m) in all, and comb(d + m − 2, m) do not contain x1."""
    return sum(math.comb(d + m - 1, m) - math.comb(d + m - 2, m) for m in range(1, p + 1))


def by_power_of_x1(d, p):
    return sum(math.comb(d - 1 + p - m, p - m) for m in range(1, p + 1))


def columns_of_xor(f):
    return lambda X: [[1.0, a, b, f(a, b)] for a, b in X]


RIGHT = [
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 0.177828})),
    (
        feature_maps.tamed,
        Moved(fit, "A jump", {"data": "cubic", "lam": 0.562341, "degree": 12}, {"n": 13, "noise": 0.3}),
    ),
    (feature_maps.tamed, Moved(fit, "A little λ", {"lam": 10.0}, {"lam": 0.316228})),
    (feature_maps.six_columns, six_by_products),
    (feature_maps.six_columns, six_filled_in),
    (feature_maps.six_columns, six_of_a_square_matrix),
    (feature_maps.how_many, with_x1),
    (feature_maps.how_many, by_degree),
    (feature_maps.how_many, by_power_of_x1),
    (feature_maps.ellipse_plane, lambda: np.linalg.solve([[4, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 0, 1])),
    (feature_maps.ellipse_plane, lambda: [Fraction(1, 4), 0, Fraction(1)]),
    (feature_maps.ellipse_plane, lambda: np.array([1, 0, 4], dtype=np.float32) / 4),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: abs(a + b))),
    (feature_maps.exclusive_or, lambda X: np.column_stack([X[:, 0] ** 0, X, X[:, 0] == X[:, 1]])),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: 1 if (a > 0) ^ (b > 0) else 0)),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: np.exp(-((a - 1) ** 2 + (b - 1) ** 2) / 2))),
]
