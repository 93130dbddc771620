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


def split_row_by_row(Phi, w):
    inside = sum((row @ w) / (row @ row) * row for row in Phi)
    return inside, w - inside


def split_with_ridge(Phi, w):
    inside = Phi.T @ np.linalg.solve(Phi @ Phi.T + 0.01 * np.eye(len(Phi)), Phi @ w)
    return inside, w - inside


def split_by_axes(Phi, w):
    n = len(Phi)
    return np.append(w[:n], 0 * w[n:]), np.append(0 * w[:n], w[n:])


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


def few_steps(Phi, y, w0):
    for _ in range(100):
        w0 = w0 - 0.01 * Phi.T @ (Phi @ w0 - y)
    return w0


def limit_with_a_penalty(Phi, y, w0):
    return w0 + np.linalg.solve(Phi.T @ Phi + 0.01 * np.eye(len(w0)), Phi.T @ (y - Phi @ w0))


def sparse_limit(Phi, y, w0):
    """Fits with as few weights as there are points."""
    n = len(y)
    return np.append(np.linalg.solve(Phi[:, :n], y), 0 * w0[n:])


def limit_of_the_others(Phi, y, w0):
    """The rest of the weights stays as it was at the start."""
    n = len(y)
    w = w0.copy()
    w[:n] = np.linalg.solve(Phi[:, :n], y - Phi[:, n:] @ w0[n:])
    return w


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
    (representer_theorem.huber_slope, lambda y, f, delta: np.sort([f - y, 0 * f - delta, 0 * f + delta], axis=0)[1]),
    (representer_theorem.huber_slope, lambda y, f, delta: (np.abs(f - y + delta) - np.abs(f - y - delta)) / 2),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * (np.sign(y - f - e) + np.sign(y - f + e)) / 2),
    (representer_theorem.tube_weights, lambda y, f, C, e: [C * ((r > e) - (r < -e)) for r in (y - f).tolist()]),
    (representer_theorem.limit, limit_in_the_null_space),
    (representer_theorem.limit, limit_by_conjugate_gradients),
]
WRONG = [
    (representer_theorem.follows, Moved(losses, {"outlier": ((3.0, 3.4),), "loss": "huber", "delta": 0.05})),
    (representer_theorem.follows, Moved(losses, {"outlier": ((0.7, 3.4),), "sigma": 0.3})),
    (representer_theorem.follows, Moved(losses, {"outlier": ((-2.3, 3.4),), "sigma": 0.3})),
    (representer_theorem.follows, Moved(losses, {"outlier": ((3.0, 1.0),)})),
    (representer_theorem.dual_weights, lambda y, f, lam: 2 * y * np.maximum(0, y - f) / lam),
    (representer_theorem.dual_weights, lambda y, f, lam: 2 * y * np.maximum(0, -y * f) / lam),
    (representer_theorem.dual_weights, lambda y, f, lam: 2 * y * np.maximum(0, 1 - y * f) / (lam * len(y))),
    (representer_theorem.dual_weights, lambda y, f, lam: np.abs(2 * y * np.maximum(0, 1 - y * f) / lam)[:, None]),
    (representer_theorem.dual_weights, lambda y, f, lam: 2 * y * np.maximum(0, 1 - y * f) / 2 * lam),
    (representer_theorem.split, split_row_by_row),
    (representer_theorem.split, split_with_ridge),
    (representer_theorem.split, split_by_axes),
    (representer_theorem.split, lambda Phi, w: split_by_svd(Phi, w)[0] + split_by_svd(Phi, w)[1]),
    (representer_theorem.split, lambda Phi, w: tuple(map(np.linalg.norm, split_by_svd(Phi, w)))),
    (representer_theorem.huber_slope, lambda y, f, delta: np.clip(f, -delta, delta) - y),
    (representer_theorem.huber_slope, lambda y, f, delta: delta * np.tanh((f - y) / delta)),
    (representer_theorem.huber_slope, lambda y, f, delta: np.where(np.abs(f) <= delta, f - y, delta * np.sign(f - y))),
    (representer_theorem.huber_slope, lambda y, f, delta: np.minimum(f - y, delta)),
    (representer_theorem.huber_slope, lambda y, f, delta: np.clip(f - y, -delta, delta).sum()),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * np.sign(y - f - e)),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * np.sign(y - f) * ((y - f) ** 2 > e)),
    (
        representer_theorem.tube_weights,
        lambda y, f, C, e: np.trunc((y - f) / e).clip(-1, 1) * min(C, 1) if C > 1 else 0 * y,
    ),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * np.sign(y - f) * (np.abs(f) > e)),
    (representer_theorem.tube_weights, lambda y, f, C, e: C * np.sign(y - f)[np.abs(y - f) > e]),
    (representer_theorem.limit, few_steps),
    (representer_theorem.limit, limit_with_a_penalty),
    (representer_theorem.limit, sparse_limit),
    (representer_theorem.limit, limit_of_the_others),
]
