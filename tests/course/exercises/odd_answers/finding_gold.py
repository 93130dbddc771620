"""Odd answers to the exercises of notebook 13."""

import math
from fractions import Fraction

import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.special
from course.exercises.odd_answers.base import Moved
from scipy.stats import multivariate_normal, norm, truncnorm

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


def predicted_with(change):
    """The mean and the deviation, of which change(mean, variance, K, K_new, prior, y, noise) makes others."""

    def answer(K, K_new, prior, y, noise):
        mean, variance = both(K, K_new, prior, y, noise)
        return change(mean, variance, K, K_new, prior, y, noise)

    return answer


def around_the_average(K, K_new, prior, y, noise):
    mean, variance = both(K, K_new, prior, y - y.mean(), noise)
    return mean + y.mean(), np.sqrt(variance)


def of_another_G(change):
    def answer(K, K_new, prior, y, noise):
        mean, variance = both(K, K_new, prior, y, noise, change(K, noise))
        return mean, np.sqrt(np.maximum(variance, 0))

    return answer


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


def evidence_of(G, y):
    return multivariate_normal(np.zeros(len(y)), G).logpdf(y)


def evidence_of_parts(fit, log_det, constant):
    """−½ of three parts, each made of G and y."""

    def answer(K, y, noise):
        G = K + noise * np.eye(len(y))
        return -(fit(G, y) + log_det(G) + constant(len(y))) / 2

    return answer


def FIT(G, y):
    return y @ np.linalg.solve(G, y)


def LOG_DET(G):
    return np.linalg.slogdet(G)[1]


def CONSTANT(n):
    return n * math.log(2 * math.pi)


def left_out(K, y, noise):
    """Each point predicted by all others."""
    inverse = np.linalg.inv(K + noise * np.eye(len(y)))
    variance = 1 / np.diag(inverse)
    return norm.logpdf(inverse @ y * variance, 0, np.sqrt(variance)).sum()


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


def gain_with(change):
    def answer(mean, std, best):
        return change(mean - best, std, (mean - best) / std)

    return answer


def gain(mean, std, best):
    return gain_with(lambda ahead, std, u: ahead * norm.cdf(u) + std * norm.pdf(u))(mean, std, best)


SMOOTH = {"ground": "smooth"}
ELEVEN = "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 O16"
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
WRONG = [
    (finding_gold.predict, around_the_average),
    (finding_gold.predict, of_another_G(lambda K, noise: K + len(K) * noise * np.eye(len(K)))),
    (finding_gold.predict, of_another_G(lambda K, noise: K + np.sqrt(noise) * np.eye(len(K)))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (C @ y / C.sum(axis=1), np.sqrt(v)))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, 1.96 * np.sqrt(v)))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, np.sqrt(v / len(y))))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, np.sqrt(abs(p - (C * C).sum(axis=1)))))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, np.sqrt(v.mean())))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, np.sqrt(p) - np.sqrt(p - v)))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: (m, np.full(3, (y - y.mean()).std())))),
    (finding_gold.predict, predicted_with(lambda m, v, K, C, p, y, noise: np.column_stack([m, np.sqrt(v)]))),
    (finding_gold.evidence, lambda K, y, noise: evidence_of(K + noise + 1e-9 * np.eye(len(y)), y)),
    (finding_gold.evidence, lambda K, y, noise: evidence_of(K + noise * np.eye(len(y)), y - y.mean())),
    (finding_gold.evidence, lambda K, y, noise: norm.logpdf(y, 0, np.sqrt(np.diag(K) + noise)).sum()),
    (finding_gold.evidence, left_out),
    (finding_gold.evidence, evidence_of_parts(FIT, LOG_DET, lambda n: n * np.log10(2 * np.pi))),
    (finding_gold.evidence, evidence_of_parts(FIT, LOG_DET, lambda n: n * np.log(2) * np.pi)),
    (finding_gold.evidence, evidence_of_parts(FIT, lambda G: np.log(np.diag(G)).sum(), CONSTANT)),
    (finding_gold.evidence, evidence_of_parts(FIT, lambda G: np.log(np.trace(G)), CONSTANT)),
    (finding_gold.evidence, evidence_of_parts(FIT, lambda G: LOG_DET(G - 0.4 * np.eye(len(G))), CONSTANT)),
    (finding_gold.evidence, evidence_of_parts(lambda G, y: ((np.linalg.solve(G, y)) ** 2).sum(), LOG_DET, CONSTANT)),
    (finding_gold.evidence, evidence_of_parts(lambda G, y: y @ G @ y, LOG_DET, CONSTANT)),
    (finding_gold.gain, lambda mean, std, best: gain(mean, std, best + 0.01)),
    (finding_gold.gain, lambda mean, std, best: gain(mean, std, best) / gain(mean, std, best).sum()),
    (finding_gold.gain, lambda mean, std, best: gain(mean, std, best).argmax()),
    (finding_gold.gain, gain_with(lambda ahead, std, u: np.maximum(ahead, 0) * norm.cdf(u) + std * norm.pdf(u))),
    (finding_gold.gain, gain_with(lambda ahead, std, u: ahead * norm.cdf(u) + norm.pdf(ahead, 0, std))),
    (finding_gold.gain, gain_with(lambda ahead, std, u: ahead * scipy.special.expit(1.702 * u) + std * norm.pdf(u))),
    (finding_gold.gain, gain_with(lambda ahead, std, u: ahead * scipy.special.erf(u) + std * norm.pdf(u))),
    (finding_gold.gain, gain_with(lambda ahead, std, u: ahead * norm.cdf(u) + std * np.exp(-(u**2) / 2))),
    (finding_gold.gain, gain_with(lambda ahead, std, u: ahead * norm.cdf(u) - std * norm.pdf(u))),
    (finding_gold.find_gold, Moved(gold_rush, {"number": 40, "holes": "O15"}, {"number": 41})),
    (finding_gold.find_gold, Moved(gold_rush, {"number": 40, "holes": ELEVEN})),
    (finding_gold.find_gold, Moved(gold_rush, {"number": 40, "holes": "N15"})),  # next to it
    (finding_gold.find_gold, Moved(gold_rush, {"number": 40, "holes": "O15 Y3"})),
    (finding_gold.five_holes, Moved(gold_rush, SMOOTH | {"holes": "L4 D12 T12 M20 L12"})),
    (finding_gold.five_holes, Moved(gold_rush, SMOOTH | {"holes": "E5 E20 T5 T20 T20"})),
    (finding_gold.five_holes, Moved(gold_rush, SMOOTH | {"holes": "E5 E20 T5 T20 M13 M14"})),
    (finding_gold.five_holes, Moved(gold_rush, {"ground": "real", "holes": "E5 E20 T5 T20 M13"})),
    (finding_gold.five_holes, Moved(gold_rush, SMOOTH | {"holes": "A1 A24 X1 M13 L12"})),
]
