"""Odd answers to the exercises of notebook 03."""

import math
from fractions import Fraction

import numpy as np
import scipy.linalg
from course.exercises.odd_answers.base import Moved

from kernelkit import KernelRidge
from kernelkit.course.exercises import kernel_ridge
from kernelkit.course.explorers.kernel_ridge import singular


def ridge_by_eigenvalues(K, y, lam):
    values, V = np.linalg.eigh(K)
    return V @ (V.T @ y / (values + lam))


def ridge_by_conjugate_gradients(K, y, lam):
    a, r = 0 * y, y
    d = r
    for _ in range(20 * len(y)):
        if r @ r < 1e-26:
            break
        Ad = K @ d + lam * d
        step = r @ r / (d @ Ad)
        a, after = a + step * d, r - step * Ad
        d, r = after + after @ after / (r @ r) * d, after
    return a.tolist()


def lam_by_place(K, y, lam):
    K[np.diag_indices_from(K)] += lam  # works in place
    return scipy.linalg.solve(K, y, assume_a="pos")[..., :]


def predict_point_by_point(k, X, y, Z, lam):
    K = np.array([[k(x, other) for other in X] for x in X])
    a = np.linalg.lstsq(K + np.diag([lam] * len(y)), y)[0]
    return [sum(weight * k(x, z) for weight, x in zip(a, X, strict=True)) for z in Z]


def predict_with_all(k, X, y, Z, lam):
    """One Gram matrix of all points, cut into pieces."""
    K = k(np.vstack([X, Z]))
    n = len(X)
    return K[n:, :n] @ np.linalg.inv(K[:n, :n] + lam * np.identity(n)) @ y[:, None] @ [1.0]


def recovered_in_a_loop(phi, X, a):
    w = np.zeros_like(phi(X[0]))
    for i in range(len(a)):
        w += a[i] * phi(X[i])
    return w


def by_bisection(n, d, D):
    """Where tnd − nD − tD changes its sign."""
    if n * d <= D:
        return math.inf
    low, high = 0.0, 1.0
    while high * (n * d - D) < n * D:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * (n * d - D) < n * D else (low, middle)
    return high


def unseen_by_svd(K, a):
    """Rows of Vᵀ with no singular value belong to the null space."""
    _, sizes, Vt = np.linalg.svd(K)
    return a + Vt[sizes < 1e-9 * sizes[0]].sum(axis=0)


def unseen_by_descent(K, a):
    """What is left of a vector when all that K sees of it has been taken away."""
    v = np.arange(len(a)) ** 2.0 + 1
    for _ in range(3):
        v = v - np.linalg.lstsq(K, K @ v, rcond=1e-9)[0]
    return [*(a - v)]


def ridge_with_an_intercept(X, y, Z, lam):
    """A column of ones whose weight is not penalised is the same as centring."""
    A = np.insert(X, 0, 1, axis=1)
    penalty = lam * np.eye(A.shape[1])
    penalty[0, 0] = 0
    return np.insert(Z, 0, 1, axis=1) @ np.linalg.solve(A.T @ A + penalty, A.T @ y)


def ridge_as_least_squares(X, y, Z, lam):
    """λ as further rows of the data: √λ·I with the targets 0."""
    m, d = X.mean(axis=0), X.shape[1]
    A = np.vstack([X - m, np.sqrt(lam) * np.eye(d)])
    w = np.linalg.lstsq(A, np.append(y - y.mean(), np.zeros(d)))[0]
    return [float((z - m) @ w + np.mean(y)) for z in Z]


SEVEN = {"n": 7, "degree": 6}


def ridge_by_the_dual(X, y, Z, lam):
    A, B = X - X.mean(axis=0), Z - X.mean(axis=0)
    return B @ A.T @ np.linalg.solve(A @ A.T + lam * np.eye(len(y)), y - y.mean()) + y.mean()


RIGHT = [
    (kernel_ridge.dual_weights, ridge_by_eigenvalues),
    (kernel_ridge.dual_weights, ridge_by_conjugate_gradients),
    (kernel_ridge.dual_weights, lam_by_place),
    (kernel_ridge.predict, predict_point_by_point),
    (kernel_ridge.predict, predict_with_all),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: KernelRidge(k, lam).fit(X, y).predict(Z)),
    (kernel_ridge.another, unseen_by_svd),
    (kernel_ridge.another, unseen_by_descent),
    (kernel_ridge.another, lambda K, a: a - 500 * scipy.linalg.null_space(K).sum(axis=1)),
    (kernel_ridge.recover, recovered_in_a_loop),
    (kernel_ridge.recover, lambda phi, X, a: np.einsum("i,id", a, phi(np.asfortranarray(X))).tolist()),
    (kernel_ridge.break_even, by_bisection),
    (kernel_ridge.break_even, lambda n, d, D: Fraction(n * D, n * d - D) if n * d > D else math.inf),
    (kernel_ridge.huge_weights, Moved(singular, "λ near 0", {"noise": 0.5}, SEVEN)),
    (
        kernel_ridge.huge_weights,
        Moved(singular, "Another a", SEVEN | {"noise": 0.4, "lam": 1e-8, "shift": 0.0}),
    ),
    (kernel_ridge.predict_centred, ridge_with_an_intercept),
    (kernel_ridge.predict_centred, ridge_as_least_squares),
    (kernel_ridge.predict_centred, ridge_by_the_dual),
]
