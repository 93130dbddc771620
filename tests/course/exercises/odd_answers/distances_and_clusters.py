"""Odd answers to the exercises of notebook 11."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import scipy.spatial
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import distances_and_clusters
from kernelkit.course.explorers.distances_and_clusters import groups, k_means


def by_pairs_of_points(K, k_z, k_zz):
    """The mean squared distance to the points, less half of that between the points."""
    squares = np.diag(K)[:, None] - 2 * K + np.diag(K)
    return np.mean(k_zz - 2 * k_z + np.diag(K)) - squares.mean() / 2


def by_a_quadratic_form(K, k_z, k_zz):
    """cᵀ(all kernel values)c with the weight 1 for z and −1/n for each point."""
    c = np.append(1, np.full(len(K), -1 / len(K)))
    return np.einsum("i,ij,j->", c, np.block([[k_zz, k_z], [k_z[:, None], K]]), c)


def by_features(K, k_z, k_zz):
    """Rows whose inner products are the kernel values; their mean is a row like any other."""
    kappa, U = np.linalg.eigh(np.block([[K, k_z[:, None]], [k_z, k_zz]]))
    *Phi, z = U * np.sqrt(np.maximum(kappa, 0))
    return ((z - sum(Phi) / len(Phi)) ** 2).sum()


def in_fractions(K, k_z, k_zz):
    n = len(k_z)
    return (
        Fraction(float(k_zz))
        - Fraction(2, n) * sum(map(Fraction, k_z))
        + sum(map(Fraction, K.ravel())) / Fraction(n * n)
    )


def by_scipy(X, i):
    distance = scipy.spatial.distance.cdist(X[[i]], X, "cosine")[0]
    distance[i] = np.nan
    return np.nanargmin(distance)


def by_sets(X, i):
    """Squares of cosines as fractions, which need no root."""
    buyers = [{*np.flatnonzero(row)} for row in X]
    likeness = {j: Fraction(len(b & buyers[i]) ** 2, len(b)) for j, b in enumerate(buyers) if j != i}
    return Decimal(max(likeness, key=likeness.get))


def by_angles(X, i):
    """The smallest angle, among the rows of length 1 without row i, whose numbers are kept beside them."""
    others = [j for j in range(len(X)) if j != i]
    unit = X / np.sqrt(np.einsum("ij,ij->i", X, X))[:, None]
    angles = [math.acos(min(1.0, unit[j] @ unit[i])) for j in others]
    return np.array(others)[np.argmin(angles)]


A, B, GUEST = k_means.start()["places"]
DBSCAN = {"method": "dbscan"}
RIGHT = [
    (distances_and_clusters.to_the_mean, by_pairs_of_points),
    (distances_and_clusters.to_the_mean, by_a_quadratic_form),
    (distances_and_clusters.to_the_mean, by_features),
    (distances_and_clusters.to_the_mean, in_fractions),
    (
        distances_and_clusters.one_point_decides,
        Moved(k_means, "Too wide", {"sigma": 0.5, "step": 0}, {"places": (A, B, (0.6, 2.2))}),
    ),
    (
        distances_and_clusters.one_point_decides,
        Moved(k_means, {"places": (A, B, (-2.0, 2.0))}, {"step": 12}, {"places": (A, B, (-0.2, -0.2))}),
    ),
    (
        distances_and_clusters.three_and_four,
        Moved(groups, {"sigma": 2.0, "line": ((0.9, 0.4),)}, DBSCAN | {"min_samples": 8}),
    ),
    (
        distances_and_clusters.three_and_four,
        Moved(groups, "Farthest pair", DBSCAN | {"sigma": 0.5}, {"min_samples": 12, "line": ((0.0, 1.3),)}),
    ),
    (distances_and_clusters.bought_also, by_scipy),
    (distances_and_clusters.bought_also, by_sets),
    (distances_and_clusters.bought_also, by_angles),
    (distances_and_clusters.bought_also, lambda X, i: float(np.argsort(X @ X[i] / np.linalg.norm(X, axis=1))[-2])),
]
