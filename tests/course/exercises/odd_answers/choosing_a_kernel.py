"""Odd answers to the exercises of notebook 10."""

import statistics
from fractions import Fraction
from itertools import combinations

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.spatial
from course.exercises.odd_answers.base import Moved

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.exercises import choosing_a_kernel
from kernelkit.course.explorers.choosing_a_kernel import hidden_test


def predictions(sigma, X, y, V, lam, distance=lambda squares, sigma: squares / (2 * sigma**2)):
    """Kernel ridge by hand, where another kernel may be written."""

    def k(A, B):
        return np.exp(-distance(scipy.spatial.distance.cdist(A, B, "sqeuclidean"), sigma))

    return k(V, X) @ scipy.linalg.solve(k(X, X) + lam * np.eye(len(X)), y, assume_a="pos")


def by_sorting(sigmas, X, y, V, v, lam):
    return sorted((((v - predictions(s, X, y, V, lam)) ** 2).sum(), s) for s in sigmas)[0][1]


def by_score(sigmas, X, y, V, v, lam):
    """The largest R², which is 1 minus the squared error over that of the mean."""
    errors = np.array([v - predictions(s, X, y, V, lam) for s in sigmas])
    return Fraction(sigmas[np.argmax(1 - np.einsum("sn,sn->s", errors, errors) / ((v - v.mean()) ** 2).sum())])


def by_a_running_best(sigmas, X, y, V, v, lam):
    best = None
    for sigma in sigmas.tolist():
        error = sum(
            (b - m) ** 2 for b, m in zip(v, KernelRidge(Gaussian(sigma), lam).fit(X, y).predict(V), strict=True)
        )
        if best is None or error < best[0]:
            best = error, sigma
    return np.array(best[1])


def left_one_by_one(K, y, lam):
    """A measurement with a huge noise has no say."""
    errors = []
    for i in range(len(y)):
        noise = np.full(len(y), lam)
        noise[i] = 1e11
        errors.append(y[i] - K[i] @ scipy.linalg.solve(K + np.diag(noise), y))
    return errors


def left_by_eigenvalues(K, y, lam):
    values, U = np.linalg.eigh(K)
    return (U / (values + lam)) @ (U.T @ y) / np.einsum("im,m,im->i", U, 1 / (values + lam), U)


def left_exactly(K, y, lam):
    """Gauss and Jordan with fractions."""
    n = len(y)
    G = [[Fraction(K[i, j]) + (Fraction(lam) if i == j else 0) for j in range(n)] for i in range(n)]
    rows = [[*G[i], *[Fraction(int(i == j)) for j in range(n)]] for i in range(n)]
    for i in range(n):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    inverse = [row[n:] for row in rows]
    return [sum(v * Fraction(t) for v, t in zip(inverse[i], y, strict=True)) / inverse[i][i] for i in range(n)]


def terms_by_statistics(h, f):
    columns = list(zip(*h.tolist(), strict=True))
    bias = statistics.fmean((statistics.fmean(c) - t) ** 2 for c, t in zip(columns, f, strict=True))
    return {bias: None, statistics.fmean(map(statistics.pvariance, columns)): None}.keys()


def terms_by_pairs(h, f):
    """The variance is half the mean squared difference of two fits, each pair twice and each fit with itself."""
    n, m = h.shape
    bias = sum((sum(column) / n - t) ** 2 for column, t in zip(h.T, f, strict=True)) / m
    return np.array(bias), sum(((a - b) ** 2).sum() for a, b in combinations(h, 2)) / n**2 / m


def terms_by_moments(h, f):
    centred = np.asfortranarray(h) - f  # the truth moves the mean, not the variance
    first, second = centred.mean(axis=0), (centred**2).mean(axis=0)
    return [first @ first / f.size, Fraction(float((second - first**2).mean()))]


def terms_by_projection(h, f):
    n = len(h)
    mean = np.ones((n, n)) / n
    return np.linalg.norm(mean @ (h - f)) ** 2 / h.size, np.trace(h.T @ (np.eye(n) - mean) @ h) / h.size


def left_by_the_hat_matrix(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(K)))
    return (y - H @ y) / (1 - np.diag(H))


RIGHT = [
    (choosing_a_kernel.choose_sigma, by_sorting),
    (choosing_a_kernel.choose_sigma, by_score),
    (choosing_a_kernel.choose_sigma, by_a_running_best),
    (choosing_a_kernel.choose_sigma, lambda *given: np.float32(by_sorting(*given))),
    (choosing_a_kernel.leave_one_out, left_one_by_one),
    (choosing_a_kernel.leave_one_out, left_by_eigenvalues),
    (choosing_a_kernel.leave_one_out, left_exactly),
    (choosing_a_kernel.leave_one_out, left_by_the_hat_matrix),
    (choosing_a_kernel.decompose, terms_by_statistics),
    (choosing_a_kernel.decompose, terms_by_pairs),
    (choosing_a_kernel.decompose, terms_by_moments),
    (choosing_a_kernel.decompose, terms_by_projection),
    (choosing_a_kernel.near_bayes, Moved(hidden_test, "Very wide", {"sigma": 0.630957}, {"C": 0.0316228})),
    (choosing_a_kernel.near_bayes, Moved(hidden_test, {"C": 0.01}, "Five times wider", {"sigma": 0.446684, "C": 0.1})),
]
