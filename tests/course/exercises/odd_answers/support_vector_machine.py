"""Odd answers to the exercises of notebook 07."""

import math
from fractions import Fraction

import numpy as np
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import support_vector_machine
from kernelkit.course.explorers.support_vector_machine import boundary


def price_by_slacks(w, b, X, y, C):
    """The slacks as the smallest numbers ≥ 0 with y h ≥ 1 − ξ."""
    h = np.insert(X, 0, 1, axis=1) @ np.insert(w, 0, b)
    slacks = (np.abs(1 - y * h) + 1 - y * h) / 2
    return 0.5 * np.linalg.norm(w) ** 2 + np.dot(np.full(len(y), C), slacks)


def price_in_a_loop(w, b, X, y, C):
    total = math.hypot(*w) ** 2 / 2
    for i in range(len(y)):
        margin = y[i] * (b + sum(X[i][j] * w[j] for j in range(len(w))))
        if margin < 1:
            total += C - C * margin
    return Fraction(float(total))


def price_cut_once(w, b, X, y, C):
    """max over the sum instead of over each point."""
    return w @ w / 2 + C * max(0, np.sum(1 - y * (X @ w + b)))


def price_of_two_inputs(w, b, X, y, C):
    return (w[0] ** 2 + w[1] ** 2) / 2 + C * np.maximum(0, 1 - y * (X @ w + b)).sum()


def broken_by_what_is_wanted(h, y, alpha, C):
    """Broken where α could still go up and should, or go down and should."""
    off = 1 - y * h
    should = np.sign(np.where(np.abs(off) > 0.001, off, 0))
    return ~np.isclose(np.clip(alpha + should * C, 0, C), alpha)


def broken_in_a_loop(h, y, alpha, C):
    result = []
    for i in range(len(y)):
        if alpha[i] == 0:
            keeps = y[i] * h[i] >= 0.999
        elif alpha[i] == C:
            keeps = y[i] * h[i] <= 1.001
        else:
            keeps = 0.999 <= y[i] * h[i] <= 1.001
        result.append(not keeps)
    return tuple(result)


def broken_by_the_gap(h, y, alpha, C):
    return alpha * (y * h - 1) > 0.001


def offset_by_index(K, y, a, C):
    found = [y[i] - sum(K[i, j] * a[j] for j in range(len(a))) for i in range(len(a)) if 1e-9 < a[i] * y[i] < C - 1e-9]
    return sum(found) / len(found)


def offset_by_least_squares(K, y, a, C):
    free = (np.abs(a) > 1e-9) & (np.abs(a) < C - 1e-9)
    return np.linalg.lstsq(np.ones((free.sum(), 1)), (y - a @ K)[free])[0]


def offset_of_the_largest(K, y, a, C):
    """One point on the margin will do; the largest weight is at its bound, though."""
    i = np.argmax(np.abs(a))
    return y[i] - K[i] @ a


def offset_between_the_classes(K, y, a, C):
    h = K @ a
    return -(h[y > 0].min() + h[y < 0].max()) / 2


def offset_with_the_labels_again(K, y, a, C):
    free = (a * y > 0) & (a * y < C)
    return (y - K @ (a * y))[free].mean()


def offset_weighted(K, y, a, C):
    free = (a * y > 0) & (a * y < C)
    return np.mean(y[free]) - np.mean(K[np.ix_(free, free)] @ a[free])


def step_by_sorting(K, r, a, lower, upper, i, j):
    bend = np.array([1, -1]) @ K[np.ix_([i, j], [i, j])] @ np.array([1, -1])
    return sorted([(r[i] - r[j]) / bend, a[j] - lower[j], upper[i] - a[i]])[0]


def step_by_clipping_twice(K, r, a, lower, upper, i, j):
    wanted = (r[i] - r[j]) / (K[i, i] + K[j, j] - K[i, j] - K[j, i])
    new_i = np.clip(a[i] + wanted, lower[i], upper[i])
    new_j = np.clip(a[j] - (new_i - a[i]), lower[j], upper[j])
    return a[j] - new_j


def step_by_search(K, r, a, lower, upper, i, j):
    """The best step of s·g − ½ρ²s² on a fine grid of the room, refined many times."""
    low, high = 0.0, min(upper[i] - a[i], a[j] - lower[j])
    gap, bend = r[i] - r[j], K[i, i] + K[j, j] - 2 * K[i, j]
    for _ in range(200):
        third = (high - low) / 3
        if (gap - bend * (low + high) / 2) > 0:
            low += third
        else:
            high -= third
    return (low + high) / 2


def step_with_the_other_room(K, r, a, lower, upper, i, j):
    wanted = (r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    return min(wanted, upper[i] - a[i], upper[j] - a[j])


def new_weight(K, r, a, lower, upper, i, j):
    return a[i] + step_by_sorting(K, r, a, lower, upper, i, j)


FRONT = ((-1.0, 0.5, -1), (1.0, 0.5, -1), (0.0, 1.5, 1))
BACK = ((0.0, -1.0, -1), (-1.0, 2.5, 1), (1.0, 2.5, 1))
ONE_IN_FRONT = ((0.0, 0.5, -1), (-1.0, -0.5, -1), (1.0, -0.5, -1), *FRONT[2:], *BACK[1:])
SIDEWAYS = tuple((y + 0.5, -x, label) for x, y, label in FRONT + BACK)
LINE = {"data": "mine", "kernel": "linear", "C": 1000.0}
RIGHT = [
    (support_vector_machine.price, price_by_slacks),
    (support_vector_machine.price, price_in_a_loop),
    (support_vector_machine.broken, broken_by_what_is_wanted),
    (support_vector_machine.broken, broken_in_a_loop),
    (support_vector_machine.offset, offset_by_index),
    (support_vector_machine.offset, lambda K, y, a, C: offset_by_least_squares(K, y, a, C)[0]),
    (support_vector_machine.three_support_vectors, Moved(boundary, "Only my points", LINE | {"mine": SIDEWAYS})),
    (
        support_vector_machine.three_support_vectors,
        Moved(
            boundary,
            "C huge",
            {"data": "mine"},
            {"mine": FRONT},
            {"mine": FRONT + BACK, "sigma": 10.0},
            {"mine": (*FRONT, *BACK, (0.5, 3.0, 1))},
        ),
    ),
    (support_vector_machine.smo_step, step_by_sorting),
    (support_vector_machine.smo_step, step_by_clipping_twice),
    (support_vector_machine.smo_step, step_by_search),
    (support_vector_machine.prediction_products, lambda a, d, t: len([1 for w in a if w] * t) + t * d * len(a[a != 0])),
    (support_vector_machine.prediction_products, lambda a, d, t: np.flatnonzero(a).size * np.array(t * (d + 1))),
]
WRONG = [
    (support_vector_machine.price, price_cut_once),
    (support_vector_machine.price, price_of_two_inputs),
    (
        support_vector_machine.price,
        lambda w, b, X, y, C: np.abs(w).sum() / 2 + C * np.maximum(0, 1 - y * (X @ w + b)).sum(),
    ),
    (support_vector_machine.price, lambda w, b, X, y, C: w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w - b)).sum()),
    (support_vector_machine.price, lambda w, b, X, y, C: w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w) + b).sum()),
    (support_vector_machine.price, lambda w, b, X, y, C: (w @ w / 2, C * np.maximum(0, 1 - y * (X @ w + b)).sum())),
    (support_vector_machine.broken, broken_by_the_gap),
    (
        support_vector_machine.broken,
        lambda h, y, alpha, C: (y * h < 0.999) & (alpha < C) & (y * h > 1.001) & (alpha > 0),
    ),
    (
        support_vector_machine.broken,
        lambda h, y, alpha, C: (y * h < 1.001) & (alpha < C) | (y * h > 0.999) & (alpha > 0),
    ),
    (
        support_vector_machine.broken,
        lambda h, y, alpha, C: np.any((y * h < 0.999) & (alpha < C) | (y * h > 1.001) & (alpha > 0)),
    ),
    (
        support_vector_machine.broken,
        lambda h, y, alpha, C: (y * h < 0.999) & (alpha > 0) | (y * h > 1.001) & (alpha < C),
    ),
    (support_vector_machine.offset, offset_of_the_largest),
    (support_vector_machine.offset, offset_between_the_classes),
    (support_vector_machine.offset, offset_with_the_labels_again),
    (support_vector_machine.offset, offset_weighted),
    (support_vector_machine.offset, offset_by_least_squares),
    (support_vector_machine.three_support_vectors, Moved(boundary, LINE | {"mine": FRONT + BACK[1:]})),
    (support_vector_machine.three_support_vectors, Moved(boundary, LINE | {"mine": (*FRONT, *BACK, (1.0, 1.5, 1))})),
    (
        support_vector_machine.three_support_vectors,
        Moved(boundary, LINE | {"mine": ONE_IN_FRONT}),
    ),
    (support_vector_machine.three_support_vectors, Moved(boundary, LINE | {"mine": FRONT + BACK, "C": 1.0})),
    (support_vector_machine.smo_step, step_with_the_other_room),
    (support_vector_machine.smo_step, new_weight),
    (
        support_vector_machine.smo_step,
        lambda K, r, a, low, up, i, j: max(
            (r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), up[i] - a[i], a[j] - low[j]
        ),
    ),
    (support_vector_machine.prediction_products, lambda a, d, t: t * np.count_nonzero(a) * d + t),
    (support_vector_machine.prediction_products, lambda a, d, t: t * np.count_nonzero(a) * d + np.count_nonzero(a)),
    (support_vector_machine.prediction_products, lambda a, d, t: t * np.count_nonzero(a.astype(int)) * (d + 1)),
    (support_vector_machine.prediction_products, lambda a, d, t: t * np.count_nonzero(a == 0) * (d + 1)),
    (support_vector_machine.prediction_products, lambda a, d, t: t * (len(np.unique(a)) + 1) * (d + 1)),
]
