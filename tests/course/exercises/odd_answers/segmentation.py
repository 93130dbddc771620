"""Odd answers to the exercises of notebook 17."""

import math
import statistics
from fractions import Fraction

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.spatial
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import segmentation
from kernelkit.course.explorers.segmentation import selection


def dice_of_places(found, true):
    A, B = ({*zip(*np.nonzero(picture), strict=True)} for picture in (found, true))
    return Fraction(2 * len(A & B), len(A) + len(B))


def dice_from_four_counts(found, true):
    """Pixels that are found, missed and false alarms."""
    (_, false), (missed, hit) = np.histogram2d(true.ravel() * 1, found.ravel() * 1, bins=2)[0]
    return 2 * hit / (2 * hit + false + missed)


def dice_as_a_mean(found, true):
    """The harmonic mean of how much is found and how much of what is found is right."""
    return statistics.harmonic_mean([true[found].mean(), found[true].mean()])


def side_by_complex_numbers(row, column, middle, angle):
    """Turned back the midline is upright, and −conj mirrors at it."""
    turn = np.exp(1j * angle)
    z = (column - middle[1]) + 1j * (middle[0] - row)
    z = -np.conj(z / turn) * turn
    return middle[0] - z.imag, z.real + middle[1]


def side_by_householder(row, column, middle, angle):
    """Minus twice the part across the midline; rows grow downwards."""
    across = np.array([-math.sin(angle), math.cos(angle)])
    place = np.array([row, column]) - np.reshape(middle, (2, 1))
    return scipy.linalg.blas.dgemm(1.0, np.eye(2) - 2 * np.outer(across, across), place) + np.reshape(middle, (2, 1))


def side_by_one_matrix(row, column, middle, angle):
    """Shift, turn, mirror, turn back and shift back as matrices of (column, row, 1)."""

    def shift(r, c):
        return np.array([[1, 0, c], [0, 1, r], [0, 0, 1.0]])

    def turn(t):
        return np.array([[math.cos(t), -math.sin(t), 0], [math.sin(t), math.cos(t), 0], [0, 0, 1]])

    T = shift(*middle) @ turn(-angle) @ np.diag([-1, 1, 1]) @ turn(angle) @ shift(-middle[0], -middle[1])
    places = [T @ [c, r, 1] for r, c in zip(row, column, strict=True)]
    return [place[1] for place in places], [place[0] for place in places]


def term_by_qr(Z, Q, y):
    """The new direction of each candidate, from an orthonormal basis with it, and how much of y lies along it."""
    along = [np.linalg.qr(np.column_stack([Q, z]))[0][:, -1] @ y for z in Z.T]
    return max(range(len(along)), key=lambda j: abs(along[j]))


def term_by_the_null_space(Z, Q, y):
    """Coordinates in which all that is explained is gone."""
    N = scipy.linalg.null_space(Q.T)
    cosines = (N.T @ Z).T @ (N.T @ y) / scipy.linalg.norm(N.T @ Z, axis=0)
    return np.array(np.lexsort((np.abs(cosines),))[-1])


def term_in_loops(Z, Q, y):
    """Losses after a regression on all, which is solved by its normal equations."""
    losses = {}
    for j in range(len(Z[0])):
        A = np.hstack([Q, Z[:, [j]]])
        w = scipy.linalg.solve(A.T @ A, A.T @ y, assume_a="pos")
        losses[j] = math.fsum((y - A @ w) ** 2)
    return float(sorted(losses, key=losses.get)[0])


def shrunk_in_the_middle(t, lam):
    """The middle one of t − λ, 0 and t + λ."""
    return np.sort(np.stack([t - lam, 0 * t, t + lam]), axis=0)[1]


def shrunk_by_factors(t, lam):
    with np.errstate(divide="ignore"):
        return t * (1 - np.minimum(1, lam / np.abs(t)))


def shrunk_by_search(t, lam):
    """The lowest point of ½(s − t)² + λ|s|, piece by piece: s ≥ 0 and s ≤ 0."""
    best = []
    for value in t.tolist():
        pieces = [max(0.0, value - lam), min(0.0, value + lam)]
        best.append(min(pieces, key=lambda s, value=value: (s - value) ** 2 / 2 + lam * abs(s)))
    return tuple(best)


def shrunk_in_fractions(t, lam):
    t, lam = [Fraction(value) for value in t.tolist()], Fraction(float(lam))
    return [value - (abs(value + lam) - abs(value - lam)) / 2 for value in t]


def term_by_fitting(Z, Q, y):
    return min(range(Z.shape[1]), key=lambda j: np.linalg.lstsq(np.column_stack([Q, Z[:, j]]), y, rcond=None)[1][0])


RIGHT = [
    (segmentation.dice, dice_of_places),
    (segmentation.dice, dice_from_four_counts),
    (segmentation.dice, dice_as_a_mean),
    (segmentation.dice, lambda found, true: 1 - scipy.spatial.distance.dice(found.ravel(), true.ravel())),
    (segmentation.other_side, side_by_complex_numbers),
    (segmentation.other_side, side_by_householder),
    (segmentation.other_side, side_by_one_matrix),
    (segmentation.other_side, lambda *given: np.round(side_by_one_matrix(*given), 4)),
    (segmentation.next_term, term_by_qr),
    (segmentation.next_term, term_by_the_null_space),
    (segmentation.next_term, term_in_loops),
    (segmentation.next_term, term_by_fitting),
    (segmentation.few_terms, Moved(selection, "12 patients", {"pool": 3, "degree": 1}, {"step": 5})),
    (segmentation.few_terms, Moved(selection, "Brightness only", {"pool": 3, "step": 6})),
    (segmentation.few_terms, Moved(selection, {"pool": 3}, {"count": 12}, {"step": 10})),
    (segmentation.shrink, shrunk_in_the_middle),
    (segmentation.shrink, shrunk_by_factors),
    (segmentation.shrink, shrunk_by_search),
    (segmentation.shrink, shrunk_in_fractions),
    (segmentation.shrink, lambda t, lam: np.sign(t - lam) * np.maximum(np.abs(t) - lam, 0)),
]
