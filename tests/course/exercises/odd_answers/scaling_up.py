"""Odd answers to the exercises of notebook 18."""

import math
from functools import reduce

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.special
from course.exercises.odd_answers.base import Moved

from kernelkit import Monomials
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


def root_of(power, turned=False):
    """K_XC times a power of K_CC by eigenvalues."""

    def answer(K_XC, K_CC):
        values, U = np.linalg.eigh(K_CC)
        return K_XC @ (U * values**power) @ (np.eye(len(U)) if turned else U.T)

    return answer


def landmarks_of_two_directions(K_XC, K_CC):
    """The smallest eigenvalue is “noise”."""
    values, U = np.linalg.eigh(K_CC)
    return K_XC @ (U[:, 1:] / np.sqrt(values[1:])) @ np.eye(len(U))[1:]


def landmarks_of_length_one(K_XC, K_CC):
    Phi = landmarks_by_svd(K_XC, K_CC)
    return Phi / np.linalg.norm(Phi, axis=1, keepdims=True)


def landmarks_centred(K_XC, K_CC):
    Phi = landmarks_by_svd(K_XC, K_CC)
    return Phi - Phi.mean(axis=0)


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


def waves_of(angle=lambda X, W, b: X @ W.T + b, turn=np.cos, factor=lambda X, W, b: np.sqrt(2 / len(b))):
    return lambda X, W, b: factor(X, W, b) * turn(angle(X, W, b))


def waves_in_pairs(X, W, b):
    """Cosines and sines without phases, so that there are twice as many."""
    return np.hstack([np.cos(X @ W.T), np.sin(X @ W.T)]) / np.sqrt(len(b))


def waves_of_length_one(X, W, b):
    Phi = np.cos(X @ W.T + b)
    return Phi / np.linalg.norm(Phi, axis=1, keepdims=True)


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


def sums_of(chunks, phi):
    parts = [(phi(X), y) for X, y in chunks]
    return sum(Phi.T @ Phi for Phi, _ in parts), sum(Phi.T @ y for Phi, y in parts), parts


def solved(A, v, lam):
    return np.linalg.solve(A + lam * np.eye(len(A)), v)


def weights_without_the_first(chunks, phi, lam):
    """One chunk is fetched to see how many features there are, and is gone."""
    chunks = iter(chunks)
    D = phi(next(chunks)[0]).shape[1]
    A, v = np.zeros((D, D)), np.zeros(D)
    for X, y in chunks:
        A += phi(X).T @ phi(X)
        v += phi(X).T @ y
    return solved(A, v, lam)


def weights_without_the_last(chunks, phi, lam):
    """Each chunk is added when the next one comes."""
    waiting, A, v = None, 0, 0
    for chunk in chunks:
        if waiting is not None:
            A, v = A + phi(waiting[0]).T @ phi(waiting[0]), v + phi(waiting[0]).T @ waiting[1]
        waiting = chunk
    return solved(A, v, lam)


def weights_near_those_before(chunks, phi, lam):
    """Each chunk is fitted with a penalty on what it changes."""
    w = 0
    for X, y in chunks:
        w = w + solved(phi(X).T @ phi(X), phi(X).T @ (y - phi(X) @ w if np.ndim(w) else y), lam)
    return w


def weights_with_a_free_constant(chunks, phi, lam):
    A, v, _ = sums_of(chunks, phi)
    return np.linalg.solve(A + lam * np.diag([0] + [1] * (len(A) - 1)), v)


def weights_with_centred_targets(chunks, phi, lam):
    A, _, parts = sums_of(chunks, phi)
    return solved(A, sum(Phi.T @ (y - y.mean()) for Phi, y in parts), lam)


def weights_without_products(chunks, phi, lam):
    """The sum of the rows, and what belongs to it."""
    _, _, parts = sums_of(chunks, phi)
    total, y = sum(Phi.sum(axis=0) for Phi, _ in parts), sum(y.sum() for _, y in parts)
    return solved(np.outer(total, total), total * y, lam)


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


def stepped(chunks, phi, lam, w, g=lambda g, n: g, H=lambda H, n: H, add=1.0, start=lambda w: w):
    Phi, y = gathered(chunks, phi)
    w = start(w)
    s = scipy.special.expit(Phi @ w)
    slope = g(Phi.T @ (y - s), len(y)) - lam * w
    return w + add * np.linalg.solve(H((Phi.T * (s * (1 - s))) @ Phi, len(y)) + lam * np.eye(len(w)), slope)


def step_of(**ways):
    return lambda *given: stepped(*given, **ways)


def step_with_a_free_constant(chunks, phi, lam, w):
    Phi, y = gathered(chunks, phi)
    s = scipy.special.expit(Phi @ w)
    ridge = lam * np.diag([0.0] + [1.0] * (len(w) - 1))
    return w + np.linalg.solve((Phi.T * (s * (1 - s))) @ Phi + ridge, Phi.T @ (y - s) - ridge @ w)


def step_of_the_labels_called(chunks, phi, lam, w):
    """Probabilities rounded to labels before the residuals are taken."""
    Phi, y = gathered(chunks, phi)
    s = scipy.special.expit(Phi @ w)
    H = (Phi.T * (s * (1 - s))) @ Phi + lam * np.eye(len(w))
    return w + np.linalg.solve(H, Phi.T @ (y - (s > 0.5)) - lam * w)


def step_with_the_last_slope(chunks, phi, lam, w):
    """H of all chunks, g of the last."""
    Phi, _ = gathered(chunks, phi)
    s = scipy.special.expit(Phi @ w)
    X, y = chunks[-1]
    H = (Phi.T * (s * (1 - s))) @ Phi + lam * np.eye(len(w))
    return w + np.linalg.solve(H, phi(X).T @ (y - scipy.special.expit(phi(X) @ w)) - lam * w)


def two_steps(chunks, phi, lam, w):
    return stepped(chunks, phi, lam, stepped(chunks, phi, lam, w))


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
WRONG = [
    (scaling_up.nystrom, root_of(0, turned=True)),
    (scaling_up.nystrom, root_of(-0.25)),
    (scaling_up.nystrom, root_of(0.5, turned=True)),
    (scaling_up.nystrom, root_of(-1, turned=True)),
    (scaling_up.nystrom, landmarks_of_two_directions),
    (scaling_up.nystrom, landmarks_of_length_one),
    (scaling_up.nystrom, landmarks_centred),
    (scaling_up.nystrom, lambda K_XC, K_CC: K_XC @ np.sqrt(np.abs(np.linalg.inv(K_CC)))),
    (scaling_up.nystrom, lambda K_XC, K_CC: np.linalg.qr(K_XC)[0]),
    (scaling_up.nystrom, lambda K_XC, K_CC: landmarks_by_svd(K_XC, K_CC) / np.sqrt(len(K_CC))),
    (scaling_up.nystrom, lambda K_XC, K_CC: landmarks_by_svd(K_XC, K_CC + 0.1 * np.eye(len(K_CC)))),
    (scaling_up.nystrom, lambda K_XC, K_CC: np.sqrt(K_XC @ np.linalg.inv(K_CC) * K_XC)),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "pivots", "seed": 6})),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "k-means", "seed": 2})),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "greedy", "m": 14})),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "pivots", "seed": 3, "sigma": 0.85})),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "pivots", "seed": 3, "sigma": 0.75})),
    (scaling_up.few_landmarks, Moved(landmarks, GROUPS | {"way": "pivots", "seed": 3, "data": "race"})),
    (scaling_up.few_landmarks, Moved(landmarks, "Seven groups", {"way": "k-means", "m": 10, "seed": 5})),
    (scaling_up.waves, waves_in_pairs),
    (scaling_up.waves, waves_of_length_one),
    (scaling_up.waves, waves_of(angle=lambda X, W, b: np.radians(X @ W.T + b))),
    (scaling_up.waves, waves_of(angle=lambda X, W, b: 2 * np.pi * (X @ W.T) + b)),
    (scaling_up.waves, waves_of(angle=lambda X, W, b: X @ W.T * b)),
    (scaling_up.waves, waves_of(angle=lambda X, W, b: X @ W.T + b.mean())),
    (scaling_up.waves, waves_of(angle=lambda X, W, b: X @ W.T + 2 * b)),
    (scaling_up.waves, waves_of(turn=lambda angle: np.cos(angle) ** 2)),
    (scaling_up.waves, waves_of(turn=lambda angle: np.sign(np.cos(angle)))),
    (scaling_up.waves, waves_of(factor=lambda X, W, b: np.sqrt(2 * len(b)))),
    (scaling_up.waves, waves_of(factor=lambda X, W, b: np.sqrt(2 / W.size))),
    (scaling_up.one_pass, weights_without_the_first),
    (scaling_up.one_pass, weights_without_the_last),
    (scaling_up.one_pass, weights_near_those_before),
    (scaling_up.one_pass, weights_with_a_free_constant),
    (scaling_up.one_pass, weights_with_centred_targets),
    (scaling_up.one_pass, weights_without_products),
    (scaling_up.one_pass, lambda chunks, phi, lam: solved(*sums_of(chunks, phi)[:2], lam**2)),
    (scaling_up.one_pass, lambda chunks, phi, lam: solved(*sums_of(chunks, phi)[:2], -lam)),
    (scaling_up.one_pass, lambda chunks, phi, lam: solved(*sums_of(chunks, phi)[:2], 1 / lam)),
    (scaling_up.one_pass, lambda chunks, phi, lam: weights_by_qr(chunks, Monomials(1), lam)),
    (scaling_up.newton_step, two_steps),
    (scaling_up.newton_step, step_with_a_free_constant),
    (scaling_up.newton_step, step_of_the_labels_called),
    (scaling_up.newton_step, step_with_the_last_slope),
    (scaling_up.newton_step, step_of(add=0.5)),
    (scaling_up.newton_step, step_of(start=np.zeros_like)),
    (scaling_up.newton_step, step_of(g=lambda g, n: g / n, H=lambda H, n: H / n)),
    (scaling_up.newton_step, step_of(g=lambda g, n: 2 * g, H=lambda H, n: 2 * H)),
    (scaling_up.newton_step, step_of(H=lambda H, n: np.diag(np.diag(H)))),
    (scaling_up.newton_step, step_of(H=lambda H, n: np.sqrt(H**2))),
    (scaling_up.newton_step, step_of(H=lambda H, n: -H)),
]
