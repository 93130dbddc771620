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


def offset_by_index(K, y, a, C):
    found = [y[i] - sum(K[i, j] * a[j] for j in range(len(a))) for i in range(len(a)) if 1e-9 < a[i] * y[i] < C - 1e-9]
    return sum(found) / len(found)


def offset_by_least_squares(K, y, a, C):
    free = (np.abs(a) > 1e-9) & (np.abs(a) < C - 1e-9)
    return np.linalg.lstsq(np.ones((free.sum(), 1)), (y - a @ K)[free])[0]


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


FRONT = ((-1.0, 0.5, -1), (1.0, 0.5, -1), (0.0, 1.5, 1))
BACK = ((0.0, -1.0, -1), (-1.0, 2.5, 1), (1.0, 2.5, 1))
SIDEWAYS = tuple((y + 0.5, -x, label) for x, y, label in FRONT + BACK)
LINE = {"data": "mine", "kernel": "linear", "C": 1000.0}
RIGHT = [
    (support_vector_machine.price, price_by_slacks),
    (support_vector_machine.price, price_in_a_loop),
    (support_vector_machine.broken, broken_by_what_is_wanted),
    (support_vector_machine.broken, broken_in_a_loop),
    (support_vector_machine.broken, lambda *given: np.array(broken_in_a_loop(*given), int).tolist()),
    (support_vector_machine.offset, offset_by_index),
    (
        support_vector_machine.offset,
        lambda K, y, a, C: next(b for b, m in zip(y - K @ a, a * y, strict=True) if 0 < m < C),
    ),
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
