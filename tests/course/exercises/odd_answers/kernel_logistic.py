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


def sigmoid_without_warnings(f):
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-f))


def sigmoid_by_integers(f):
    result = np.zeros(f.shape, dtype=int)
    result[:] = s(f)
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


def step_in_turn(K, y, a, step, lam):
    """The new a_i are used at once, which is another method."""
    for i in range(len(a)):
        a[i] += step * (y[i] - s(K[i] @ a) - lam * a[i])
    return a


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


def batch_by_sorted_mask(K, y, a, q, batch, step, lam):
    """A mask has the points in another order than the batch."""
    shrink = 1 - step * lam * len(batch) / len(y)
    mask = np.isin(np.arange(len(y)), batch)
    gain = step * (y[mask] - s(q[mask]))
    a = shrink * a
    a[batch] += gain
    return a, shrink * q + K[:, batch] @ gain


def batch_of_columns_only(K, y, a, q, batch, step, lam):
    """Only the outputs of the batch itself are kept up to date."""
    shrink = 1 - step * lam * len(batch) / len(y)
    gain = step * (y[batch] - s(q[batch]))
    a, q = shrink * a, shrink * q
    a[batch] += gain
    q[batch] += K[np.ix_(batch, batch)] @ gain
    return a, q


def batch_with_a_mean_penalty(K, y, a, q, batch, step, lam):
    return batch_with_take(K, y, a, q, batch, step, lam / len(batch))


def beyond_by_null_space(Phi, w, step, lam, t):
    N = scipy.linalg.null_space(Phi)
    return np.power(1 - step * lam, t) * (N @ (w @ N))


def beyond_step_by_step(Phi, w, step, lam, t):
    u = w - Phi.T @ scipy.linalg.lstsq(Phi.T, w)[0]
    for _ in range(t):
        u -= step * lam * u
    return u.tolist()


def beyond_row_by_row(Phi, w, step, lam, t):
    """Takes away what each row sees, as if the rows were at right angles."""
    for row in Phi:
        w = w - row * (row @ w) / (row @ row)
    return (1 - step * lam) ** t * w


def beyond_by_ridge(Phi, w, step, lam, t):
    a = np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(Phi)), Phi @ w)
    return (1 - step * lam) ** t * (w - Phi.T @ a)


RIGHT = [
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
WRONG = [
    (kernel_logistic.never_sure, Moved(boundaries, "Rings", {"lam": 1.0, "sigma": 0.5})),
    (kernel_logistic.never_sure, Moved(boundaries, {"data": "moons", "lam": 1.0, "sigma": 0.5})),
    (kernel_logistic.never_sure, Moved(boundaries, {"data": "crossing", "lam": 1.0, "sigma": 2.0})),
    (kernel_logistic.safe_sigmoid, sigmoid_by_integers),
    (kernel_logistic.safe_sigmoid, lambda f: (1 + np.tanh(f / 2)) / 2),
    (kernel_logistic.safe_sigmoid, lambda f: np.exp(-np.logaddexp(0, f))),
    (kernel_logistic.safe_sigmoid, lambda f: np.exp(np.minimum(f, 0)) / (1 + np.exp(np.minimum(f, 0)))),
    (kernel_logistic.safe_sigmoid, lambda f: np.nan_to_num(np.exp(f) / (1 + np.exp(f)), nan=1.0)),
    (kernel_logistic.safe_sigmoid, sigmoid_without_warnings),
    (kernel_logistic.safe_sigmoid, lambda f: 1 / (1 + np.exp(-np.clip(f, -700, 700)))),
    (
        kernel_logistic.safe_sigmoid,
        lambda f: np.where(f > -30, 1 / (1 + np.exp(-np.maximum(f, -30))), np.exp(np.minimum(f, 0))),
    ),
    (kernel_logistic.dual_step, step_in_turn),
    (kernel_logistic.dual_step, lambda K, y, a, e, lam: (1 - lam) * a + e * (y - s(K @ a))),
    (kernel_logistic.dual_step, lambda K, y, a, e, lam: a + e * (y - s(K @ a) - lam * np.sign(a))),
    (kernel_logistic.dual_step, lambda K, y, a, e, lam: a + e / len(y) * (y - s(K @ a) - lam * a)),
    (kernel_logistic.dual_step, lambda K, y, a, e, lam: (1 - e * lam) * (a + e * (y - s(K @ a)))),
    (kernel_logistic.sgd_step, batch_by_sorted_mask),
    (kernel_logistic.sgd_step, batch_of_columns_only),
    (kernel_logistic.sgd_step, batch_with_a_mean_penalty),
    (kernel_logistic.sgd_step, lambda *v: {"a": batch_with_take(*v)[0], "q": batch_with_take(*v)[1]}),
    (kernel_logistic.sgd_step, lambda *v: [part[v[4]] for part in batch_with_take(*v)]),
    (kernel_logistic.unreachable, beyond_row_by_row),
    (kernel_logistic.unreachable, beyond_by_ridge),
    (kernel_logistic.unreachable, lambda *v: beyond_by_null_space(*v[:4], v[4] - 1)),
    (
        kernel_logistic.unreachable,
        lambda Phi, w, e, lam, t: (1 - e) ** (lam * t) * beyond_by_null_space(Phi, w, e, lam, 0),
    ),
    (kernel_logistic.unreachable, lambda *v: np.linalg.norm(beyond_by_null_space(*v))),
]
