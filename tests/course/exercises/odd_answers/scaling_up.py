"""Odd answers to the exercises of notebook 18."""

import math
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.special
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import scaling_up
from kernelkit.course.explorers.scaling_up import landmarks


def landmarks_by_svd(K_XC, K_CC):
    """Coordinates along the eigenvectors, not turned back."""
    U, sizes, _ = scipy.linalg.svd(K_CC)
    return (K_XC @ U) / sizes**0.5


def landmarks_by_gram_and_schmidt(K_XC, K_CC):
    """A pivot after the other is taken out of all that is left, with the landmarks in turned order."""
    left, points = K_CC[::-1, ::-1].copy(), K_XC[:, ::-1].copy()
    Phi = []
    for i in range(len(K_CC)):
        root = math.sqrt(left[i, i])
        column, row = points[:, i] / root, left[i] / root
        Phi.insert(0, column)
        points, left = points - np.outer(column, row), left - np.outer(row, row)
    return np.asfortranarray(np.transpose(Phi))


def landmarks_by_iteration(K_XC, K_CC):
    """Denman and Beavers: Y goes to the root, and Z to the root of the inverse."""
    Y, Z = K_CC, np.eye(len(K_CC))
    for _ in range(60):
        Y, Z = (Y + np.linalg.inv(Z)) / 2, (Z + np.linalg.inv(Y)) / 2
    return (K_XC @ Z).tolist()


def landmarks_by_a_triangle(K_XC, K_CC):
    """Any R with RᵀR = K_CC will do, and here it comes from a QR of the symmetric root, turned by a permutation."""
    values, U = scipy.linalg.eigh(K_CC)
    R = scipy.linalg.qr(np.sqrt(values)[:, None] * U.T, mode="r")[0]
    return scipy.linalg.solve_triangular(R.T, K_XC.T, lower=True)[::-1].T


def waves_as_complex_numbers(X, W, b):
    return (np.exp(1j * (X @ W.T)) * np.exp(1j * b)).real * np.sqrt(2) / np.sqrt(b.size)


def waves_with_one_more_input(X, W, b):
    """The phase is the frequency of an input that is always 1."""
    return np.cos(np.insert(X, 0, 1, axis=1) @ np.insert(W, 0, b, axis=1).T) * (len(b) / 2) ** -0.5


def waves_by_the_addition_theorem(X, W, b):
    angle = np.tensordot(W, X, (1, 1))
    both = np.cos(b)[:, None] * np.cos(angle) - np.sin(b)[:, None] * np.sin(angle)
    return (math.sqrt(2 / len(W)) * both).T


def waves_with_powers(X, W, b):
    """e^{iωᵀx} as a product over the inputs, one after the other in place."""
    z = np.tile(np.exp(1j * b), (len(X), 1))
    for j in range(X.shape[1]):
        z *= np.exp(1j * np.multiply.outer(X[:, j], W[:, j]))
    return (z + z.conj()) / np.sqrt(2 * len(b))


def weights_by_qr(chunks, phi, lam):
    """Never ΦᵀΦ: a triangle of the rows so far, with √λ below, and the next rows under it."""
    R = None
    for X, y in chunks:
        rows = np.column_stack([phi(X), y])
        if R is None:
            D = rows.shape[1] - 1
            R = np.hstack([math.sqrt(lam) * np.eye(D), np.zeros((D, 1))])
        R = np.linalg.qr(np.vstack([R, rows]), mode="r")
    return scipy.linalg.solve_triangular(R[:D, :D], R[:D, D])


def weights_point_by_point(chunks, phi, lam):
    """The inverse kept up to date by Sherman and Morrison, and w with it."""
    P = w = None
    for X, y in chunks:
        for row, value in zip(phi(X), y, strict=True):
            if P is None:
                P, w = np.eye(len(row)) / lam, 0 * row
            gain = P @ row / (1 + row @ P @ row)
            P -= np.outer(gain, row @ P)
            w = w + gain * (value - row @ w)
    return w.tolist()


def weights_from_the_dual(chunks, phi, lam):
    """All points kept, and w as a sum of their features."""
    X, y = map(np.concatenate, zip(*chunks, strict=True))
    Phi = phi(X)
    return np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y) @ Phi


def weights_by_reduce(chunks, phi, lam):
    """One matrix for both sums: (Φ, y)ᵀ(Φ, y)."""
    both = reduce(np.add, (np.einsum("ni,nj->ij", Z, Z) for Z in (np.c_[phi(X), y] for X, y in chunks)))
    return scipy.linalg.cho_solve(
        scipy.linalg.cho_factor(both[:-1, :-1] + np.diag([lam] * (len(both) - 1))), both[:-1, -1]
    )


def gathered(chunks, phi):
    X, y = map(np.concatenate, zip(*chunks, strict=True))
    return phi(X), y


def step_by_least_squares(chunks, phi, lam, w):
    """A weighted ridge regression on what the line says plus a correction."""
    Phi, y = gathered(chunks, phi)
    s = scipy.special.expit(Phi @ w)
    weight = np.sqrt(s * (1 - s))
    target = Phi @ w + (y - s) / (s * (1 - s))
    rows = np.vstack([weight[:, None] * Phi, math.sqrt(lam) * np.eye(len(w))])
    return np.linalg.lstsq(rows, np.concatenate([weight * target, 0 * w]), rcond=None)[0]


def step_by_conjugate_gradients(chunks, phi, lam, w):
    """H is only ever multiplied by a vector."""
    parts = [(phi(X), y, scipy.special.expit(phi(X) @ w)) for X, y in chunks]
    g = sum(Phi.T @ (y - s) for Phi, y, s in parts) - lam * w

    def times_H(v):
        return lam * v + sum(Phi.T @ (s * (1 - s) * (Phi @ v)) for Phi, _, s in parts)

    step, rest = 0 * w, g
    direction = rest
    for _ in range(5 * len(w)):
        if rest @ rest < 1e-26:
            break
        length = (rest @ rest) / (direction @ times_H(direction))
        step, after = step + length * direction, rest - length * times_H(direction)
        direction, rest = after + (after @ after) / (rest @ rest) * direction, after
    return tuple(w + step)


def step_with_signs(chunks, phi, lam, w):
    """Labels ±1, whose cost is log(1 + e^{−yf}); the second derivative by ¼ − (s − ½)²."""
    g, H = -lam * w, lam * np.identity(len(w))
    for X, y in reversed(chunks):
        for row, sign in zip(phi(X), 2 * y - 1, strict=True):
            f = float(row @ w)
            g = g + sign / (1 + math.exp(sign * f)) * row
            H += (0.25 - (0.5 * math.tanh(f / 2)) ** 2) * np.outer(row, row)
    w += scipy.linalg.solve(H, g, assume_a="pos")
    return w


GROUPS = {"data": "groups", "m": 13}
RIGHT = [
    (scaling_up.nystrom, landmarks_by_svd),
    (scaling_up.nystrom, landmarks_by_gram_and_schmidt),
    (scaling_up.nystrom, landmarks_by_iteration),
    (scaling_up.nystrom, landmarks_by_a_triangle),
    (scaling_up.few_landmarks, Moved(landmarks, "Groups by pivots", {"m": 12, "seed": 4})),
    (scaling_up.few_landmarks, Moved(landmarks, "Seven groups", {"way": "k-means"}, {"m": 11, "seed": 4})),
    (scaling_up.few_landmarks, Moved(landmarks, "The matrix K", GROUPS, {"seed": 7, "view": "fit"})),
    (scaling_up.waves, waves_as_complex_numbers),
    (scaling_up.waves, waves_with_one_more_input),
    (scaling_up.waves, waves_by_the_addition_theorem),
    (scaling_up.waves, waves_with_powers),
    (scaling_up.one_pass, weights_by_qr),
    (scaling_up.one_pass, weights_point_by_point),
    (scaling_up.one_pass, weights_from_the_dual),
    (scaling_up.one_pass, weights_by_reduce),
    (scaling_up.newton_step, step_by_least_squares),
    (scaling_up.newton_step, step_by_conjugate_gradients),
    (scaling_up.newton_step, step_with_signs),
]
