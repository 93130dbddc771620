"""Odd answers to the exercises of notebook 12."""

import math
import statistics
from fractions import Fraction

import numpy as np
import scipy.linalg
import scipy.special
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import pca_and_density
from kernelkit.course.explorers.pca_and_density import two_samples


def centred_by_features(K, K_new):
    """Features from K, those of the new points from K_new, and the mean taken away from all of them."""
    kappa, U = scipy.linalg.eigh(K)
    Phi = U * np.sqrt(kappa.clip(1e-12))
    new = np.linalg.lstsq(Phi, K_new.T)[0].T
    return (new - Phi.mean(axis=0)) @ (Phi - Phi.mean(axis=0)).T


def centred_by_weights(K, K_new):
    """(δ_z − 1/n)ᵀ(all kernel values)(δ_i − 1/n), with the matrix of all pairs as one block."""
    m, n = K_new.shape
    both = np.vstack([K, K_new])
    left = np.hstack([np.full((m, n), -1 / n), np.eye(m)])
    return np.einsum("zp,pi,ij->zj", left, both, np.eye(n) - np.full((n, n), 1 / n), optimize=True).tolist()


def centred_point_by_point(K, K_new):
    """Each new point is appended to the training points, and its row read off."""
    rows = []
    for row in K_new:
        n = len(row)
        away = np.eye(n + 1) - np.outer(np.ones(n + 1), np.append(np.ones(n), 0) / n)
        rows.append((away @ np.block([[K, row[:, None]], [row, 0]]) @ away.T)[-1, :-1])
    return tuple(rows)


def centred_with_averages(K, K_new):
    mean = statistics.fmean
    whole = mean(map(mean, K.tolist()))
    return np.asfortranarray([[v - mean(row) - mean(K[:, j]) + whole for j, v in enumerate(row)] for row in K_new])


def stepped_by_differentiation(g, X, z, sigma):
    """f'(z) = Σ g_i k(z, X_i)(X_i − z)/σ², so the next z is z + σ² f'(z)/f(z); a complex step makes f'."""

    def f(z):
        return sum(w * np.exp(-((z - x) @ (z - x)) / (2 * sigma**2)) for w, x in zip(g, X, strict=True))

    slope = [f(z + 1e-20j * e).imag / 1e-20 for e in np.eye(len(z))]
    return z + sigma**2 * np.array(slope) / f(z)


def stepped_from_the_nearest(g, X, z, sigma):
    """A factor of all kernel values cancels, so the nearest picture may have the value 1."""
    D = scipy.linalg.norm(X - z, axis=1) ** 2
    k = np.exp((D.min() - D) / (2 * sigma**2))
    return (X.T @ (g * k)) / np.dot(g, k)


def stepped_in_a_loop(g, X, z, sigma):
    above, below = [0.0] * len(z), 0.0
    for weight, x in zip(g, X, strict=True):
        k = weight * math.exp(-(math.dist(x, z) ** 2) / (2 * sigma * sigma))
        above = [a + k * value for a, value in zip(above, x, strict=True)]
        below += k
    return tuple(Fraction(a) / Fraction(below) for a in above)


def left_by_reshaping(K, sigma, d):
    n = len(K)
    others = K[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    return np.log(others.mean(axis=1)) - d * math.log(math.sqrt(2 * math.pi) * sigma)


def left_by_sorting(K, sigma, d):
    """The largest of each row is k(X_i, X_i)."""
    return np.log10(np.sort(K)[:, :-1].sum(axis=1) / (len(K) - 1) * (2 * np.pi * sigma**2) ** (-d / 2)) * np.log(10)


def left_by_masking(K, sigma, d):
    return np.ma.log(np.ma.masked_array(K, np.eye(len(K))).mean(axis=1)) - scipy.special.xlogy(
        d / 2, 2 * np.pi * sigma**2
    )


def left_of_distances(K, sigma, d):
    """The densities themselves, from the distances that are in K."""
    D = -2 * sigma**2 * np.log(K)
    result = []
    for i in range(len(K)):
        densities = [math.exp(-D[i, j] / 2 / sigma**2) / (sigma * math.tau**0.5) ** d for j in range(len(K)) if j != i]
        result.append(math.log(sum(densities) / len(densities)))
    return result


def left(K, sigma, d, others=None, volume=None):
    others = (K.sum(axis=1) - 1) / (len(K) - 1) if others is None else others
    return np.log(others) - (d / 2 * np.log(2 * np.pi * sigma**2) if volume is None else volume)


GAUSSIAN = {"kernel": "gaussian", "sigma": 0.501187}
RIGHT = [
    (pca_and_density.centre, centred_by_features),
    (pca_and_density.centre, centred_by_weights),
    (pca_and_density.centre, centred_point_by_point),
    (pca_and_density.centre, centred_with_averages),
    (pca_and_density.step, stepped_by_differentiation),
    (pca_and_density.step, stepped_from_the_nearest),
    (pca_and_density.step, stepped_in_a_loop),
    (pca_and_density.leave_one_out, left_by_reshaping),
    (pca_and_density.leave_one_out, left_by_sorting),
    (pca_and_density.leave_one_out, left_by_masking),
    (pca_and_density.leave_one_out, left_of_distances),
    (  # a ratio of 0.9 to the last digit
        pca_and_density.same_moments,
        Moved(two_samples, GAUSSIAN | {"sigma": 0.2, "humps": 3.0, "spread": 0.3, "half": 30, "shift": 0.0}),
    ),
    (
        pca_and_density.same_moments,
        Moved(two_samples, "No difference", GAUSSIAN, {"humps": 3.0, "half": 50, "number": 7}, {"spread": 0.3}),
    ),
    (
        pca_and_density.same_moments,
        Moved(two_samples, "Linear", {"humps": 2.6, "spread": 0.35, "shift": -0.1}, GAUSSIAN | {"half": 45}),
    ),
]
