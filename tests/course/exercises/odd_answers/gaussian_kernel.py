"""Odd answers to the exercises of notebook 04."""

import math

import numpy as np
import scipy.spatial
import scipy.special
from course.exercises.odd_answers.base import Moved

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.exercises import gaussian_kernel
from kernelkit.course.explorers.gaussian_kernel import combination


def gram_input_by_input(X, Z, sigma):
    """A Gaussian of a sum is a product of Gaussians."""
    K = np.ones((len(Z), len(X)))
    for x, z in zip(X.T, Z.T, strict=True):
        K *= np.exp(-0.5 * np.subtract.outer(z, x) ** 2 / sigma**2)
    return K.T


def gram_with_factors(X, Z, sigma):
    X, Z = X / sigma, Z / sigma
    return [[math.exp(x @ z) / math.exp(x @ x / 2) / math.exp(z @ z / 2) for z in Z] for x in X]


def gram_of_corners(X, Z, sigma):
    """The distances of all points to all, of which a corner is kept."""
    distance = scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(np.vstack([X, Z])))
    return np.power(np.e, -0.5 * (distance[: len(X), len(X) :] / sigma) ** 2)


def bumps_added(Z, X, a, sigma):
    h = np.zeros(len(Z))
    for weight, centre in zip(a, X, strict=True):
        h += weight * np.exp(-(np.linalg.norm(Z - centre, axis=1) ** 2) / (2 * sigma**2))
    return h


def features_in_turn(x, sigma, D):
    """Each feature is the one before times (x/σ)/√j."""
    found = [math.exp(-0.5 * (x / sigma) ** 2)]
    while len(found) < D:
        found.append(found[-1] * x / sigma / math.sqrt(len(found)))
    return found[:D]


def features_by_gammaln(x, sigma, D):
    j = np.arange(D)
    return (x / sigma) ** j * np.exp(-(x**2) / (2 * sigma**2) - scipy.special.gammaln(j + 1) / 2)


def both_by_svd(X, y, Z, sigma, lam):
    K = Gaussian(sigma)(X)
    values, V = np.linalg.eigh(K)
    along = V.T @ y
    new = Gaussian(sigma)(Z, X) @ V
    return [new @ (values * along / (values**2 + lam)), new @ (along / (values + lam))]


def both_by_further_rows(X, y, Z, sigma, lam):
    """The basis as least squares with the rows √λ·I, the kernel by kernelkit."""
    n = len(X)
    B = np.vstack([Gaussian(sigma)(X), np.sqrt(lam) * np.eye(n)])
    w = np.linalg.lstsq(B, np.append(y, np.zeros(n)))[0]
    return Gaussian(sigma)(Z, X) @ w, KernelRidge(Gaussian(sigma), lam).fit(X, y).predict(Z)


def both_with_primal_weights(X, y, Z, sigma, lam):
    """(BᵀB + λI)⁻¹Bᵀy is Bᵀ(BBᵀ + λI)⁻¹y."""
    B, new = Gaussian(sigma)(X), Gaussian(sigma)(Z, X)
    w = np.linalg.solve(B.T @ B + lam * np.eye(len(X)), B.T @ y)
    return [(new @ w).tolist(), new @ np.linalg.solve(B + lam * np.eye(len(X)), y)]


RIGHT = [
    (
        gaussian_kernel.plateau,
        Moved(combination, "Very wide", {"points": ((0.0, 0.2), (0.0, 0.3), (-3.8, 0.6), (3.8, 0.6))}, {"sigma": 2.9}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-1.95, 0.75), (-0.65, 0.55), (0.65, 0.55), (1.95, 0.75))}, {"sigma": 0.85}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.0, 1.1), (-1.0, -0.2), (1.0, -0.2), (2.0, 1.1)), "sigma": 2.0}),
    ),
    (gaussian_kernel.gram, gram_input_by_input),
    (gaussian_kernel.gram, gram_with_factors),
    (gaussian_kernel.gram, gram_of_corners),
    (gaussian_kernel.hypothesis, bumps_added),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: (a @ gram_input_by_input(X, Z, s)).tolist()),
    (
        gaussian_kernel.hypothesis,
        lambda Z, X, a, s: np.trace(np.multiply.outer(a, gram_input_by_input(X, Z, s)), axis1=0, axis2=1),
    ),
    (gaussian_kernel.first_features, features_in_turn),
    (gaussian_kernel.first_features, features_by_gammaln),
    (gaussian_kernel.two_predictions, both_by_svd),
    (gaussian_kernel.two_predictions, both_by_further_rows),
    (gaussian_kernel.two_predictions, both_with_primal_weights),
]
