"""Odd answers to the exercises of notebook 13."""

import math
from fractions import Fraction

import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.special
from course.exercises.odd_answers.base import Moved
from scipy.stats import norm, truncnorm

from kernelkit.course.exercises import finding_gold
from kernelkit.course.explorers.finding_gold import gold_rush


def predicted_hole_by_hole(K, K_new, prior, y, noise):
    """Each measurement corrects what the ones before it have left, holes and new place alike."""
    means, deviations = [], []
    for row, own in zip(K_new, prior, strict=True):
        C = np.block([[K, row[:, None]], [row, own]])
        m = np.zeros(len(C))
        for i in range(len(y)):
            share = C[i] / (C[i, i] + noise)
            m = m + share * (y[i] - m[i])
            C = C - np.outer(share, C[i])
        means.append(m[-1])
        deviations.append(math.sqrt(C[-1, -1]))
    return (part for part in (means, deviations))


def predicted_by_determinants(K, K_new, prior, y, noise):
    """A Schur complement is a ratio of two determinants."""
    G = K + noise * np.eye(len(y))

    def ratio(row, corner, column):
        return np.linalg.det(np.block([[G, column[:, None]], [row, corner]])) / np.linalg.det(G)

    return {
        "mean": [-ratio(row, 0.0, y) for row in K_new],
        "std": [Fraction(ratio(row, p, row)) ** Fraction(1, 2) for row, p in zip(K_new, prior, strict=True)],
    }.values()


def predicted_by_eigenvalues(K, K_new, prior, y, noise):
    values, U = scipy.linalg.eigh(K)
    A = K_new @ U / (values + noise)
    return np.vstack([A @ (U.T @ y), (prior - np.einsum("zm,zm->z", A, K_new @ U)) ** 0.5])


def predicted_by_cho_solve(K, K_new, prior, y, noise):
    K[np.diag_indices(len(K))] += noise
    both = scipy.linalg.cho_solve(scipy.linalg.cho_factor(K), np.column_stack([y, K_new.T]))
    return K_new @ both[:, 0], np.sqrt(prior - np.diag(K_new @ both[:, 1:]))


def both(K, K_new, prior, y, noise, G=None):
    """The mean and the variance, from another G where one is given."""
    A = np.linalg.solve(K + noise * np.eye(len(y)) if G is None else G, K_new.T).T
    return A @ y, prior - (A * K_new).sum(axis=1)


def evidence_in_turn(K, y, noise):
    """log p(y) = Σ log p(y_i | y_1 … y_(i−1))."""
    total = 0.0
    for i in range(len(y)):
        mean, variance = (0.0, K[0, 0]) if i == 0 else both(K[:i, :i], K[[i], :i], K[[i], i], y[:i], noise)
        total = total + norm.logpdf(y[i], np.squeeze(mean), np.sqrt(np.squeeze(variance) + noise))
    return np.array(total)


def evidence_by_eigenvalues(K, y, noise):
    values, U = np.linalg.eigh(K)
    return Fraction(math.fsum(norm(0, math.sqrt(v + noise)).logpdf(u @ y) for v, u in zip(values, U.T, strict=True)))


def evidence_by_lu(K, y, noise):
    lu, pivots = scipy.linalg.lu_factor(2 * np.pi * (K + noise * np.identity(len(y))))  # the 2π is inside
    quadratic = 2 * np.pi * np.vdot(y, scipy.linalg.lu_solve((lu, pivots), y))
    return -quadratic / 2 - np.log(np.abs(np.diag(lu))).sum() / 2


def gain_by_integral(mean, std, best):
    """E max(f − best, 0) is the integral of P(f > t) over all t above best."""
    return [
        scipy.integrate.quad(norm(m, s).sf, best, m + 12 * s + abs(best))[0] for m, s in zip(mean, std, strict=True)
    ]


def gain_of_the_upper_part(mean, std, best):
    """The probability to be above best, times how far above one is then on average."""
    a = (best - mean) / std
    return norm.sf(a) * (truncnorm.mean(a, np.inf, loc=mean, scale=std) - best)


def gain_by_erf(mean, std, best):
    u = (np.float32(mean) - np.float32(best)) / np.float32(std)
    density = np.exp(-(u**2) / 2) / np.float32(math.sqrt(2 * math.pi))
    return std * (u * (1 + scipy.special.erf(u / math.sqrt(2))) / 2 + density)


SMOOTH = {"ground": "smooth"}
RIGHT = [
    (finding_gold.predict, predicted_hole_by_hole),
    (finding_gold.predict, predicted_by_determinants),
    (finding_gold.predict, predicted_by_eigenvalues),
    (finding_gold.predict, predicted_by_cho_solve),
    (finding_gold.evidence, evidence_in_turn),
    (finding_gold.evidence, evidence_by_eigenvalues),
    (finding_gold.evidence, evidence_by_lu),
    (finding_gold.gain, gain_by_integral),
    (finding_gold.gain, gain_of_the_upper_part),
    (finding_gold.gain, gain_by_erf),
    (finding_gold.find_gold, Moved(gold_rush, "Smooth ground", {"ground": "real", "number": 5, "holes": "x24;a7"})),
    (
        finding_gold.find_gold,
        Moved(gold_rush, "The fog is gone", {"number": 40, "holes": "map 40: o15, O15 O15, c03 a1"}),
    ),
    (finding_gold.five_holes, Moved(gold_rush, {"number": 12}, SMOOTH, {"holes": "C8 H21 Q4 V17 L12"})),
    (
        finding_gold.five_holes,
        Moved(gold_rush, "Smooth ground", {"number": 2, "holes": "smooth map 2: g7 g18 r7 r18 l12"}),
    ),
]
