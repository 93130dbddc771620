"""Odd answers to the exercises of notebook 05."""

import math

import numpy as np
import scipy.linalg
import scipy.special
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import kernel_logistic
from kernelkit.course.explorers.kernel_logistic import boundaries


def s(f):
    return scipy.special.expit(f)


def sigmoid_with_masks(f):
    result = np.empty(f.shape)
    below = f < 0
    result[~below] = 1 / (1 + np.exp(-f[~below]))
    e = np.exp(f[below])
    result[below] = e / (e + 1)
    return result


def step_point_by_point(K, y, a, step, lam):
    h = [sum(K[i, j] * a[j] for j in range(len(a))) for i in range(len(a))]
    return [a[i] + step * (y[i] - 1 / (1 + math.exp(-h[i]))) - step * lam * a[i] for i in range(len(a))]


def step_in_w(K, y, a, step, lam):
    """With features that are made from K, so that the outputs come from w."""
    values, V = np.linalg.eigh(K)
    Phi = V * np.sqrt(np.maximum(values, 0))
    residual = y - s(Phi @ (Phi.T @ a))
    return np.subtract((1 - step * lam) * a, -step * residual)


def batch_with_take(K, y, a, q, batch, step, lam):
    shrink = 1 - step * lam * batch.size / y.size
    gain = step * np.subtract(y.take(batch), s(q.take(batch)))
    a = a * shrink
    np.add.at(a, batch, gain)
    return np.array([a, q * shrink + K.take(batch, axis=0).T @ gain])


def batch_in_lists(K, y, a, q, batch, step, lam):
    n, m = len(y), len(batch)
    gain = {int(i): step * (y[i] - s(q[i])) for i in sorted(batch)}
    shrink = 1 - step * lam * m / n
    a = [shrink * a[i] + gain.get(i, 0) for i in range(n)]
    return a, [shrink * q[i] + sum(K[i, j] * g for j, g in gain.items()) for i in range(n)]


def beyond_by_null_space(Phi, w, step, lam, t):
    N = scipy.linalg.null_space(Phi)
    return np.power(1 - step * lam, t) * (N @ (w @ N))


def beyond_step_by_step(Phi, w, step, lam, t):
    u = w - Phi.T @ scipy.linalg.lstsq(Phi.T, w)[0]
    for _ in range(t):
        u -= step * lam * u
    return u.tolist()


def batch_by_a_mask(K, y, a, q, batch, step, lam):
    mask, shrink = np.isin(np.arange(len(y)), batch), 1 - step * lam * len(batch) / len(a)
    change = np.where(mask, step * (y - scipy.special.expit(q)), 0)
    return shrink * a + change, shrink * q + change[mask] @ K[mask]


RIGHT = [
    (kernel_logistic.safe_sigmoid, lambda f: np.exp(-np.logaddexp(0, -f))),
    (kernel_logistic.sgd_step, batch_by_a_mask),
    (
        kernel_logistic.unreachable,
        lambda Phi, w, step, lam, t: (1 - step * lam) ** t * (w - np.linalg.pinv(Phi) @ Phi @ w),
    ),
    (
        kernel_logistic.never_sure,
        Moved(boundaries, "A large λ", {"data": "half_planes", "lam": 3.162, "sigma": 2.0, "n": 120}),
    ),
    (kernel_logistic.never_sure, Moved(boundaries, "Rings", {"lam": 3.162, "sigma": 0.5, "degree": 8})),
    (kernel_logistic.safe_sigmoid, sigmoid_with_masks),
    (kernel_logistic.safe_sigmoid, scipy.special.expit),
    (kernel_logistic.safe_sigmoid, lambda f: [*map(float, np.exp(np.minimum(f, 0) - np.log1p(np.exp(-np.abs(f)))))]),
    (kernel_logistic.dual_step, step_point_by_point),
    (kernel_logistic.dual_step, step_in_w),
    (kernel_logistic.sgd_step, batch_with_take),
    (kernel_logistic.sgd_step, batch_in_lists),
    (kernel_logistic.unreachable, beyond_by_null_space),
    (kernel_logistic.unreachable, beyond_step_by_step),
]
