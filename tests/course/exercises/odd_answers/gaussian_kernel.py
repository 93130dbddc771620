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


def whole_numbers(X, Z, sigma):
    K = np.zeros((len(X), len(Z)), dtype=int)
    K[:] = np.round(gram_input_by_input(X, Z, sigma))
    return K


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


def features_by_logarithms(x, sigma, D):
    """log 0 makes this nan at x = 0, where Φ is (1, 0, 0, …)."""
    j = np.arange(D)
    size = j * np.log(abs(x) / sigma) - x**2 / (2 * sigma**2) - scipy.special.gammaln(j + 1) / 2
    return np.sign(x) ** j * np.exp(size)


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


def basis_weights(X, y, sigma, lam):
    K = Gaussian(sigma)(X)
    return np.linalg.solve(K.T @ K + lam * np.eye(len(X)), K.T @ y)


RIGHT = [
    (
        gaussian_kernel.plateau,
        Moved(combination, "Very wide", {"points": ((0.0, 0.2), (0.0, 0.3), (-3.8, 0.6), (3.8, 0.6))}, {"sigma": 2.9}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-1.95, 0.75), (-0.65, 0.55), (0.65, 0.55), (1.95, 0.75))}, {"sigma": 0.85}),
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
]
WRONG = [
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, 0.85), (-0.8, 0.6), (0.8, 0.6), (2.4, 0.85)), "sigma": 0.8}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, -0.85), (-0.8, -0.6), (0.8, -0.6), (2.4, -0.85)), "sigma": 1.0}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-1.0, 0.5), (-0.5, 0.0), (0.5, 0.0), (1.0, 0.5)), "sigma": 3.0}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, 1.0), (-0.8, 1.0), (0.8, 1.0), (2.4, 1.0)), "sigma": 1.0}),
    ),
    (gaussian_kernel.gram, whole_numbers),
    (
        gaussian_kernel.gram,
        lambda X, Z, s: np.exp(-(scipy.spatial.distance.cdist(X, Z, "cityblock") ** 2) / (2 * s**2)),
    ),
    (gaussian_kernel.gram, lambda X, Z, s: gram_input_by_input(X, Z, s).ravel()),
    (gaussian_kernel.gram, lambda X, Z, s: gram_input_by_input(X, Z, s) / (s * np.sqrt(2 * np.pi))),  # a density
    (gaussian_kernel.gram, lambda X, Z, s: 1 - scipy.spatial.distance.cdist(X, Z) ** 2 / (2 * s**2)),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s) * a),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s) @ a / (s * np.sqrt(2 * np.pi))),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: a[np.argmax(gram_input_by_input(Z, X, s), axis=1)]),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s)[:, :-1] @ a[:-1]),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: (gram_input_by_input(Z, X, s) @ a)[:, None]),
    (gaussian_kernel.first_features, features_by_logarithms),
    (gaussian_kernel.first_features, lambda x, s, D: features_in_turn(x, s, D)[::-1]),
    (gaussian_kernel.first_features, lambda x, s, D: [features_in_turn(x, s, D)[D - 1]]),
    (
        gaussian_kernel.first_features,
        lambda x, s, D: (
            np.exp(-(x**2) / 2 * s**2) * (x / s) ** np.arange(D) / np.sqrt(scipy.special.factorial(np.arange(D)))
        ),
    ),
    (
        gaussian_kernel.first_features,
        lambda x, s, D: features_by_gammaln(x, s, D) * np.sqrt(np.maximum(np.arange(D), 1)),
    ),
    (gaussian_kernel.two_predictions, lambda *v: both_by_svd(*v)[0] + 1j * both_by_svd(*v)[1]),
    (gaussian_kernel.two_predictions, lambda X, y, Z, s, lam: both_by_svd(X, y, Z, s, lam**2)),
    (
        gaussian_kernel.two_predictions,
        lambda X, y, Z, s, lam: (Gaussian(s)(Z, X) @ basis_weights(X, y, s, 0.3), both_by_svd(X, y, Z, s, lam)[1]),
    ),
    (
        gaussian_kernel.two_predictions,
        lambda X, y, Z, s, lam: (basis_weights(X, y, s, lam), both_by_svd(X, y, Z, s, lam)[1]),
    ),
    (gaussian_kernel.two_predictions, lambda X, y, Z, s, lam: both_by_svd(X, y, Z, np.sqrt(2) * s, lam)),
]
