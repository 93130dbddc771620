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


def dice_of_both_classes(found, true):
    return (_dice(found, true) + _dice(~found, ~true)) / 2


def _dice(found, true):
    return 2 * np.sum(found & true) / (found.sum() + true.sum())


def dice_of_rows(found, true):
    """Row by row, and then the mean of the rows that have one."""
    return np.nanmean(2 * (found & true).sum(axis=1) / (found.sum(axis=1) + true.sum(axis=1)))


def dice_of_the_places_in_rows(found, true):
    """np.argwhere gives rows (i, j), and in1d looks at single numbers."""
    A, B = np.argwhere(found), np.argwhere(true)
    return 2 * np.isin(A, B).all(axis=1).sum() / (len(A) + len(B))


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


def across_and_along(row, column, middle, angle):
    x, y = column - middle[1], middle[0] - row
    return np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x


def back(u, v, middle, angle):
    return middle[0] - (np.sin(angle) * u + np.cos(angle) * v), middle[1] + np.cos(angle) * u - np.sin(angle) * v


def side_of_the_midline(row, column, middle, angle):
    """u taken away once: the foot on the midline."""
    u, v = across_and_along(row, column, middle, angle)
    return back(0 * u, v, middle, angle)


def side_with_its_own_middle(row, column, middle, angle):
    """The middle of the given places instead of that of the head."""
    middle = row.mean(), column.mean()
    u, v = across_and_along(row, column, middle, angle)
    return back(-u, v, middle, angle)


def side_in_the_same_row(row, column, middle, angle):
    u, _ = across_and_along(row, column, middle, angle)
    return row, column - 2 * u


def side_of_half_the_angle(row, column, middle, angle):
    """A mirror is a matrix of 2θ, and here it is one of θ."""
    u, v = across_and_along(row, column, middle, angle / 2)
    return back(-u, v, middle, angle / 2)


def side_with_rows_first(row, column, middle, angle):
    """x is the row and y the column."""
    x, y = row - middle[0], column - middle[1]
    u, v = np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x
    return middle[0] - np.cos(angle) * u - np.sin(angle) * v, middle[1] - np.sin(angle) * u + np.cos(angle) * v


def side_in_whole_pixels(row, column, middle, angle):
    u, v = across_and_along(row, column, middle, angle)
    return np.rint(back(-u, v, middle, angle)).astype(int)


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


def own_parts(Z, Q):
    return Z - Q @ (Q.T @ Z)


def term_of_all_at_once(Z, Q, y):
    """The largest weight of a regression on all candidates together."""
    w = np.linalg.lstsq(np.hstack([Q, Z]), y, rcond=None)[0][Q.shape[1] :]
    return np.argmax(np.abs(w) * np.linalg.norm(own_parts(Z, Q), axis=0))  # in units of the columns' own parts


def term_after_the_last(Z, Q, y):
    """Only the column chosen last is taken out."""
    own, r = own_parts(Z, Q[:, -1:]), y - Q[:, -1] * (Q[:, -1] @ y)
    return np.argmax((r @ own) ** 2 / (own**2).sum(axis=0))


def term_counted_with_the_chosen(Z, Q, y):
    return Q.shape[1] + term_by_qr(Z, Q, y)


def term_by_index_of_the_value(Z, Q, y):
    """Sorted by gain: the place in the sorted list."""
    own = own_parts(Z, Q)
    gains = (y @ own) ** 2 / (own**2).sum(axis=0)
    return np.searchsorted(np.sort(gains), gains.max())


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


def shrunk_together(t, lam):
    """The whole vector becomes shorter by λ."""
    return t * max(0, 1 - lam / np.linalg.norm(t))


RIGHT = [
    (segmentation.dice, dice_of_places),
    (segmentation.dice, dice_from_four_counts),
    (segmentation.dice, dice_as_a_mean),
    (segmentation.dice, lambda found, true: 1 - scipy.spatial.distance.dice(found.ravel(), true.ravel())),
    (segmentation.other_side, side_by_complex_numbers),
    (segmentation.other_side, side_by_householder),
    (segmentation.other_side, side_by_one_matrix),
    (segmentation.next_term, term_by_qr),
    (segmentation.next_term, term_by_the_null_space),
    (segmentation.next_term, term_in_loops),
    (segmentation.few_terms, Moved(selection, "12 patients", {"pool": 3, "degree": 1}, {"step": 5})),
    (segmentation.few_terms, Moved(selection, "Brightness only", {"pool": 3, "step": 6})),
    (segmentation.few_terms, Moved(selection, {"pool": 3}, {"count": 12}, {"step": 10})),
    (segmentation.shrink, shrunk_in_the_middle),
    (segmentation.shrink, shrunk_by_factors),
    (segmentation.shrink, shrunk_by_search),
    (segmentation.shrink, shrunk_in_fractions),
    (segmentation.shrink, lambda t, lam: np.sign(t - lam) * np.maximum(np.abs(t) - lam, 0)),
]
WRONG = [
    (segmentation.dice, dice_of_both_classes),
    (segmentation.dice, dice_of_rows),
    (segmentation.dice, dice_of_the_places_in_rows),
    (segmentation.dice, lambda found, true: _dice(~found, ~true)),
    (segmentation.dice, lambda found, true: np.sum(found & true) / np.sqrt(found.sum() * true.sum())),
    (segmentation.dice, lambda found, true: (2 * np.sum(found & true) + 1) / (found.sum() + true.sum() + 1)),
    (segmentation.dice, lambda found, true: 2 * np.sum(found & true) // (found.sum() + true.sum())),
    (segmentation.dice, lambda found, true: 2 * np.mean(found & true) * np.mean(found + true)),
    (segmentation.dice, lambda found, true: np.corrcoef(found.ravel(), true.ravel())[0, 1]),
    (segmentation.other_side, side_of_the_midline),
    (segmentation.other_side, side_with_its_own_middle),
    (segmentation.other_side, side_in_the_same_row),
    (segmentation.other_side, side_of_half_the_angle),
    (segmentation.other_side, side_with_rows_first),
    (segmentation.other_side, side_in_whole_pixels),
    (segmentation.next_term, term_of_all_at_once),
    (segmentation.next_term, term_after_the_last),
    (segmentation.next_term, term_counted_with_the_chosen),
    (segmentation.next_term, term_by_index_of_the_value),
    (segmentation.next_term, lambda Z, Q, y: np.argmax(np.linalg.norm(own_parts(Z, Q), axis=0))),
    (segmentation.next_term, lambda Z, Q, y: np.argmax(np.abs(np.corrcoef(Z.T, y)[-1, :-1]))),
    (segmentation.next_term, lambda Z, Q, y: np.argmin(np.linalg.norm(own_parts(Z, Q) - y[:, None], axis=0))),
    (segmentation.next_term, lambda Z, Q, y: np.argmax(np.linalg.norm(Q.T @ Z, axis=0) / np.linalg.norm(Z, axis=0))),
    (segmentation.few_terms, Moved(selection, "No place", {"step": 12, "count": 12})),
    (segmentation.few_terms, Moved(selection, {"pool": 4, "degree": 1, "step": 1})),
    (segmentation.few_terms, Moved(selection, {"pool": 3, "count": 4, "step": 5})),
    (segmentation.few_terms, Moved(selection, {"pool": 3, "degree": 1, "count": 12, "step": 14})),
    (segmentation.few_terms, Moved(selection, "All thirty", {"pool": 1, "count": 12})),
    (segmentation.shrink, shrunk_together),
    (segmentation.shrink, lambda t, lam: np.where(np.abs(t) > lam, t - lam**2 / np.where(t == 0, 1, t), 0)),
    (segmentation.shrink, lambda t, lam: t * max(0, 1 - lam)),
    (segmentation.shrink, lambda t, lam: np.sign(t) * np.maximum(t**2 - lam, 0)),
    (segmentation.shrink, lambda t, lam: np.sign(t) * np.maximum(np.abs(t) - lam / 2, 0)),
    (segmentation.shrink, lambda t, lam: np.sign(t) * np.maximum(np.abs(t - lam), 0)),
    (segmentation.shrink, lambda t, lam: shrunk_in_the_middle(t, lam)[np.abs(t) > lam]),
    (segmentation.shrink, lambda t, lam: np.trunc(t / lam) * lam),
]
