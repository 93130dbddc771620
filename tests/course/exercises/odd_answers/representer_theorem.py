"""Odd answers to the exercises of notebook 08."""

import numpy as np
import scipy.linalg
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import representer_theorem
from kernelkit.course.explorers.representer_theorem import losses


def slope_by_differences(y, f, lam):
    """The loss is piecewise quadratic: between ±½·10⁻⁶ its difference quotient is its derivative."""
    return -(np.maximum(0, 1 - y * (f + 1e-6)) ** 2 - np.maximum(0, 1 - y * (f - 1e-6)) ** 2) / (2e-6 * lam)


def weights_class_by_class(y, f, lam):
    a = np.zeros(len(y))
    a[(y > 0) & (f < 1)] = 2 / lam * (1 - f[(y > 0) & (f < 1)])
    a[(y < 0) & (f > -1)] = -2 / lam * (1 + f[(y < 0) & (f > -1)])
    return a


def split_by_orthonormal_rows(Phi, w):
    """Gram and Schmidt, who skip a row that brings nothing new."""
    found = []
    for row in Phi:
        for e in found:
            row = row - (row @ e) * e
        if np.linalg.norm(row) > 1e-9:
            found.append(row / np.linalg.norm(row))
    inside = sum((e @ w) * e for e in found)
    return inside.tolist(), (w - inside).tolist()


def split_by_svd(Phi, w):
    _, sizes, Vt = np.linalg.svd(Phi, full_matrices=False)
    P = Vt[sizes > 1e-9].T @ Vt[sizes > 1e-9]
    return P @ w, (np.eye(len(w)) - P) @ w


def limit_in_the_null_space(Phi, y, w0):
    """Any solution, moved to where its part outside the span is that of w0."""
    N = scipy.linalg.null_space(Phi)
    some = scipy.linalg.lstsq(Phi, y)[0] + N.sum(axis=1)
    return (some + N @ (N.T @ (w0 - some))).tolist()


def limit_by_conjugate_gradients(Phi, y, w0):
    """Each step stays in the span of the rows."""
    w, r = w0.copy(), y - Phi @ w0
    d = g = Phi.T @ r
    for _ in range(50):
        if g @ g < 1e-28:
            break
        step = (g @ g) / np.sum((Phi @ d) ** 2)
        w, r = w + step * d, r - step * (Phi @ d)
        after = Phi.T @ r
        d, g = after + after @ after / (g @ g) * d, after
    return w


def limit_by_descent(Phi, y, w0):
    step = 1 / np.linalg.norm(Phi, 2) ** 2
    for _ in range(20000):
        w0 = w0 - step * (Phi.T @ (Phi @ w0 - y))
    return w0


RIGHT = [
    (
        representer_theorem.follows,
        Moved(losses, "Absolute, far up", {"outlier": ((-3.0, -2.4),)}, {"everything": True}),
    ),
    (representer_theorem.follows, Moved(losses, "Maximum, far up", {"loss": "absolute"}, {"sigma": 0.3, "lam": 0.001})),
    (representer_theorem.dual_weights, slope_by_differences),
    (representer_theorem.dual_weights, weights_class_by_class),
    (representer_theorem.split, split_by_orthonormal_rows),
    (representer_theorem.split, split_by_svd),
    (representer_theorem.split, lambda Phi, w: np.array([*split_by_svd(Phi, w)])),  # a pair in one array
    (representer_theorem.huber_slope, lambda y, f, delta: np.sort([f - y, 0 * f - delta, 0 * f + delta], axis=0)[1]),
    (representer_theorem.huber_slope, lambda y, f, delta: (np.abs(f - y + delta) - np.abs(f - y - delta)) / 2),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * (np.sign(y - f - e) + np.sign(y - f + e)) / 2),
    (representer_theorem.tube_weights, lambda y, f, C, e: [C * ((r > e) - (r < -e)) for r in (y - f).tolist()]),
    (representer_theorem.limit, limit_in_the_null_space),
    (representer_theorem.limit, limit_by_conjugate_gradients),
    (representer_theorem.limit, limit_by_descent),
]
