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


def cut_after_the_root(K):
    kappa, U = np.linalg.eigh(K)
    return U * np.maximum(np.sqrt(kappa), 0)


def rotated_once_more(K):
    """The last U belongs transposed into the root of K, but any rotation does."""
    kappa, U = eigen(K)
    return U @ np.diag(np.sqrt(kappa)) @ U


def with_the_first_transposed(K):
    kappa, U = eigen(K)
    return U.T @ np.diag(np.sqrt(kappa)) @ U


def with_rows_for_vectors(K):
    kappa, U = eigen(K)
    return np.column_stack([np.sqrt(k) * v for k, v in zip(kappa, U, strict=True)])


def whitened(K):
    """The features of kernel PCA, each with variance 1."""
    kappa, U = np.linalg.eigh(K)
    return U / np.sqrt(np.maximum(kappa, 1e-12))


def centred_first(K):
    H = np.eye(len(K)) - 1 / len(K)
    kappa, U = eigen(H @ K @ H)
    return U * np.sqrt(kappa)


def four_columns(K):
    kappa, U = eigen(K)
    Phi = np.zeros((len(K), 4))
    for m in range(4):
        Phi[:, m] = U[:, m] * np.sqrt(kappa[m])
    return Phi


def but_the_last(K):
    kappa, U = eigen(K)
    Phi = np.zeros_like(K)
    for m in range(len(K) - 1):
        Phi[:, m] = U[:, m] * np.sqrt(kappa[m])
    return Phi


def svd_with_the_third(K):
    _, s, V = np.linalg.svd(K)
    return V * np.sqrt(s)


def projected_and_divided(K):
    """K u = κ u, so K u / √κ is right, but not where κ = 0."""
    kappa, U = np.linalg.eigh(K)
    return K @ U / np.sqrt(np.maximum(kappa, 0))


def with_its_transpose(K):
    kappa, U = eigen(K)
    Phi = U * np.sqrt(kappa)
    return Phi, Phi.T


def of_features(k, X, a, Z, b):
    """The length of a sum of features, which are made from the matrix of all points."""
    kappa, U = eigen(k(np.vstack([X, Z])))
    return np.linalg.norm(np.append(a, -b) @ (U * np.sqrt(kappa)))


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


def of_values(k, X, a, Z, b):
    """How far the two curves are apart at the points of the first."""
    return np.linalg.norm(k(X) @ a - k(X, Z) @ b)


def of_paired_weights(k, X, a, Z, b):
    """As if Z were X."""
    c = a.copy()
    c[: len(b)] -= b
    return np.sqrt(max(0, c @ k(X) @ c))


def of_weights_on_one_side(k, X, a, Z, b):
    return np.sqrt((a * k(X) * a).sum() - 2 * a @ k(X, Z) @ b + (b * k(Z) * b).sum())


def of_overlap_without_sign(k, X, a, Z, b):
    return np.sqrt(max(0, a @ k(X) @ a - 2 * abs(a @ k(X, Z) @ b) + b @ k(Z) @ b))


def of_angle(k, X, a, Z, b):
    return np.sqrt(max(0, 2 - 2 * (a @ k(X, Z) @ b) / np.sqrt(a @ k(X) @ a * (b @ k(Z) @ b))))


def of_the_larger_cut(k, X, a, Z, b):
    return np.sqrt(np.maximum(a @ k(X) @ a - 2 * a @ k(X, Z) @ b + b @ k(Z) @ b, 0.01))


def of_plain_distance(k, X, a, Z, b):
    return np.linalg.norm(a @ X - b @ Z)


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
    (valid_kernels.six_features, reduce(add, [Linear() ** p for p in range(3)])),
    (valid_kernels.six_features, 4 * (0.25 * Linear() + 0.25 + 0.25 * Linear() ** 2)),
    (valid_kernels.six_features, Quadratic(np.diag([1, 0])) + Quadratic(np.diag([0, 1])) + Polynomial(2, 0) + 1),
    (valid_kernels.six_features, FromFeatures(Concatenate(Monomials(1, 1), Monomials(2, 0)))),
    (valid_kernels.distance_of_functions, of_features),
    (valid_kernels.distance_of_functions, of_weights_by_place),
    (valid_kernels.distance_of_functions, of_decimals),
]
WRONG = [
    (valid_kernels.three_witnesses, Moved(break_it, CUBED, on_line(-0.3, 0.0, 0.3))),
    (valid_kernels.three_witnesses, Moved(break_it, CUBED, on_line(-0.6, -0.5, 0.5))),
    (valid_kernels.three_witnesses, Moved(break_it, CUBED, on_line(-0.5, 0.0, 0.5), {"n": 2})),
    (valid_kernels.three_witnesses, Moved(break_it, CUBED, {"points": ((0.4, -0.5), (-0.5, 0.0), (0.7, 0.5)) * 2})),
    (valid_kernels.three_witnesses, Moved(break_it, "Three in a row", {"candidate": "exp(−‖x − z‖)"})),
    (valid_kernels.features_from_gram, cut_after_the_root),
    (valid_kernels.features_from_gram, with_the_first_transposed),
    (valid_kernels.features_from_gram, with_rows_for_vectors),
    (valid_kernels.features_from_gram, whitened),
    (valid_kernels.features_from_gram, centred_first),
    (valid_kernels.features_from_gram, four_columns),
    (valid_kernels.features_from_gram, but_the_last),
    (valid_kernels.features_from_gram, svd_with_the_third),
    (valid_kernels.features_from_gram, projected_and_divided),
    (valid_kernels.features_from_gram, with_its_transpose),
    (valid_kernels.features_from_gram, lambda K: np.round(triangular(K), 2)),
    (valid_kernels.six_features, (1 + Linear()) * (1 + Linear())),
    (valid_kernels.six_features, Polynomial(2, 0.5)),  # only the 1 is another number
    (valid_kernels.six_features, Polynomial(1) + Polynomial(2)),
    (valid_kernels.six_features, 1 + Linear() + 2 * Linear() ** 2),
    (valid_kernels.six_features, 1 + Linear() + Linear() ** 3),
    (valid_kernels.six_features, (1 + Linear() + Linear() ** 2).feature_map()),
    (valid_kernels.distance_of_functions, of_values),
    (valid_kernels.distance_of_functions, of_paired_weights),
    (valid_kernels.distance_of_functions, of_weights_on_one_side),
    (valid_kernels.distance_of_functions, of_overlap_without_sign),
    (valid_kernels.distance_of_functions, of_angle),
    (valid_kernels.distance_of_functions, of_the_larger_cut),
    (valid_kernels.distance_of_functions, of_plain_distance),
]
