"""Odd answers to the exercises of notebook 09."""

import math
from decimal import Decimal
from functools import reduce
from operator import add

import numpy as np
import scipy.linalg
from course.exercises.odd_answers.base import Moved

from kernelkit import Concatenate, FromFeatures, Linear, Monomials, Polynomial, Quadratic
from kernelkit.course.exercises import valid_kernels
from kernelkit.course.explorers.valid_kernels import break_it


def eigen(K):
    kappa, U = np.linalg.eigh(K)
    return np.maximum(kappa, 0), U


def triangular(K):
    """The triangle of QR: with AAᵀ = K and Aᵀ = QR it is RᵀR = K, even where Cholesky's way stops."""
    kappa, U = eigen(K)
    return np.linalg.qr((U * np.sqrt(kappa)).T)[1].T


def by_elimination(K):
    """Cholesky by hand, which takes the largest pivot first and stops when nothing is left."""
    n = len(K)
    Phi = np.zeros((n, n))
    left = K.copy()
    for m in range(n):
        i = left.diagonal().argmax()
        if left[i, i] < 1e-9:
            break
        Phi[:, m] = left[:, i] / math.sqrt(left[i, i])
        left -= np.outer(Phi[:, m], Phi[:, m])
    return Phi


def by_rotations(K):
    """Jacobi's method: rotate two axes at a time until nothing is left beside the diagonal."""
    n, K, U = len(K), K.copy(), np.eye(len(K))
    for _ in range(30):
        for i in range(n):
            for j in range(i):
                angle = math.atan2(2 * K[i, j], K[j, j] - K[i, i]) / 2
                R = np.eye(n)
                R[i, i] = R[j, j] = math.cos(angle)
                R[i, j], R[j, i] = math.sin(angle), -math.sin(angle)
                K, U = R.T @ K @ R, U @ R
    return U @ np.diag(np.sqrt(np.diag(K).clip(0)))


def only_what_counts(K):
    """As many columns as there are eigenvalues above 0."""
    kappa, U = eigen(K)
    return U[:, kappa > 1e-9] * np.sqrt(kappa[kappa > 1e-9])


def rotated_once_more(K):
    """The last U belongs transposed into the root of K, but any rotation does."""
    kappa, U = eigen(K)
    return U @ np.diag(np.sqrt(kappa)) @ U


def by_a_symmetric_root(K):
    """U diag(√κ) Uᵀ, with features more that are 0."""
    kappa, U = eigen(K)
    return np.hstack([U @ np.diag(np.sqrt(kappa)) @ U.T, np.zeros((len(K), 2))])


def in_place(K):
    kappa, U = eigen(K)
    K[:] = U * np.sqrt(kappa)
    return K


def of_features(k, X, a, Z, b):
    """The length of a sum of features, which are made from the matrix of all points."""
    kappa, U = eigen(k(np.vstack([X, Z])))
    return np.linalg.norm(np.append(a, -b) @ (U * np.sqrt(kappa)))


def of_single_precision(k, X, a, Z, b):
    """Rounding leaves more than 1e-4 of a distance of 0."""
    X, a, Z, b = map(np.float32, (X, a, Z, b))
    terms = a @ np.float32(k(X)) @ a, a @ np.float32(k(X, Z)) @ b, b @ np.float32(k(Z)) @ b
    return np.sqrt(np.maximum(terms[0] - terms[1] - terms[1] + terms[2] + np.float32(1e-7), 0))


def of_weights_by_place(k, X, a, Z, b):
    """Points at one place get one weight, so that nothing is left where h = g."""
    weight = {}
    for point, w in [*zip(X, a, strict=True), *zip(Z, -b, strict=True)]:
        weight[tuple(point)] = weight.get(tuple(point), 0) + w
    points, c = np.array(list(weight)), np.array(list(weight.values()))
    return np.sqrt(np.einsum("i,ij,j", c, k(points), c).clip(min=0))


def of_decimals(k, X, a, Z, b):
    total = sum(u * v * k(x, z) for x, u in zip(X, a, strict=True) for z, v in zip(X, a, strict=True))
    total += sum(u * v * k(x, z) for x, u in zip(Z, b, strict=True) for z, v in zip(Z, b, strict=True))
    total -= 2 * sum(u * v * k(x, z) for x, u in zip(X, a, strict=True) for z, v in zip(Z, b, strict=True))
    return Decimal(max(0.0, float(total))).sqrt()


CUBED = {"candidate": "exp(−‖x − z‖³)"}


def on_line(*places, heights=(0.4, -0.5, 0.7)):
    return {"points": (*zip(places, heights, strict=True), (-2.0, -1.0), (2.2, -0.8), (0.4, 1.6))}


RIGHT = [
    (valid_kernels.three_witnesses, Moved(break_it, CUBED | {"n": 6}, on_line(2.9, 2.4, 1.85), {"n": 3})),
    (
        valid_kernels.three_witnesses,
        Moved(break_it, "One point is enough", CUBED, {"n": 3}, on_line(-2.95, -1.85, -2.4, heights=(-3.0, 3.0, 0.0))),
    ),
    (valid_kernels.features_from_gram, triangular),
    (valid_kernels.features_from_gram, by_elimination),
    (valid_kernels.features_from_gram, by_rotations),
    (valid_kernels.features_from_gram, only_what_counts),
    (valid_kernels.features_from_gram, rotated_once_more),
    (valid_kernels.features_from_gram, lambda K, eps=0.0: np.real(scipy.linalg.sqrtm(K + eps))),
    (valid_kernels.features_from_gram, by_a_symmetric_root),
    (valid_kernels.features_from_gram, in_place),
    (valid_kernels.features_from_gram, lambda K: np.float32(only_what_counts(K))),
    (valid_kernels.features_from_gram, lambda K: np.linalg.cholesky(K + 1e-10 * np.eye(len(K)))),
    (valid_kernels.six_features, reduce(add, [Linear() ** p for p in range(3)])),
    (valid_kernels.six_features, 4 * (0.25 * Linear() + 0.25 + 0.25 * Linear() ** 2)),
    (valid_kernels.six_features, Quadratic(np.diag([1, 0])) + Quadratic(np.diag([0, 1])) + Polynomial(2, 0) + 1),
    (valid_kernels.six_features, FromFeatures(Concatenate(Monomials(1, 1), Monomials(2, 0)))),
    (valid_kernels.distance_of_functions, of_features),
    (valid_kernels.distance_of_functions, of_weights_by_place),
    (valid_kernels.distance_of_functions, of_decimals),
    (valid_kernels.distance_of_functions, of_single_precision),
    (valid_kernels.distance_of_functions, lambda *given: complex(of_weights_by_place(*given))),
]
