"""At least one example of every kernel, its formula written out, and points to try it on: a new kernel adds a line."""

import math

import numpy as np

from kernelkit.features import Monomials
from kernelkit.kernels import (
    Conjugate,
    Constant,
    Exp,
    FromFeatures,
    Gaussian,
    Linear,
    Polynomial,
    Precomputed,
    Pullback,
    Quadratic,
)


def sines(X):
    return np.sin(X @ np.ones((np.shape(X)[-1], 2)) * [1.0, 2.0])


def first(X):
    return np.asarray(X)[..., 0]


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
    (FromFeatures(sines), lambda x, z: sines(x) @ sines(z)),
    (FromFeatures(Monomials(2)), lambda x, z: (x @ z + 1) ** 2),
    (0 * Linear(), lambda x, z: 0.0),
    (Constant(0) + Linear(), lambda x, z: x @ z),
]  # fmt: skip

EXAMPLES = [*(k for k, _ in FORMULAS), Precomputed()]  # a table of numbers has no formula


def points(k, cloud):
    """Five points of the kind that k takes; vectors where it takes anything."""
    X = cloud(5, 3)
    return {"vectors": X, "anything": X, "rows of a Gram matrix": X @ X.T}[k.points]
