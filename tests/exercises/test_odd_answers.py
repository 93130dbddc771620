"""Unusual right answers, written by hand, and wrong ones that no other table has: at least two and three of a check.

A table for each notebook, with rows (check, answer). The answer to a challenge is how its panel is moved.
"""

import math
from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
import scipy.linalg
import scipy.spatial
import scipy.special
from exercises.answers import said
from exercises.test_base import EXERCISES

from kernelkit import Gaussian, KernelRidge, Monomials
from kernelkit.exercises import (
    feature_maps,
    gaussian_kernel,
    kernel_logistic,
    kernel_perceptron,
    kernel_ridge,
    kernel_trick,
    representer_theorem,
    support_vector_machine,
)
from kernelkit.explorers.feature_maps import fit
from kernelkit.explorers.gaussian_kernel import combination
from kernelkit.explorers.kernel_logistic import boundaries
from kernelkit.explorers.kernel_perceptron import digits_pair
from kernelkit.explorers.kernel_ridge import singular
from kernelkit.explorers.kernel_trick import identity
from kernelkit.explorers.representer_theorem import losses
from kernelkit.explorers.support_vector_machine import boundary

NOT_YET = {  # notebooks whose checks have no rows here so far
    "choosing_a_kernel",
    "distances_and_clusters",
    "finding_gold",
    "images",
    "pca_and_density",
    "scaling_up",
    "segmentation",
    "slips_in_the_lectures",
    "strings",
    "structures",
    "valid_kernels",
}


class Moved:
    """A panel that is moved in steps: the name of a scene that is pressed, or what the controls are set to."""

    def __init__(self, explorer, *steps):
        self.explorer, self.steps = explorer, steps

    def panel(self):
        panel = self.explorer()
        for step in self.steps:
            panel.set(**(panel.first | self.explorer.scenes[step] if isinstance(step, str) else step))
        return panel


ODD_RIGHT, ODD_WRONG = {}, {}

# ---- 01 --------------------------------------------------------------------------------------------


def six_by_products(X):
    """Each monomial is a product of two of (1, x1, x2), and itertools has the pairs in the order asked."""
    padded = np.insert(X, 0, 1, axis=1)
    return np.stack([padded[:, i] * padded[:, j] for i, j in combinations_with_replacement(range(3), 2)], axis=-1)


def six_filled_in(X):
    Phi = np.ones((6, len(X)))
    Phi[1:3] = X.T
    Phi[3:5] = X.T * X[:, 0]
    Phi[5] = X[:, 1] ** 2
    return Phi.T  # in Fortran's order


def six_of_whole_numbers(X):
    Phi = np.zeros((len(X), 6), dtype=int)
    Phi[:] = six_by_products(X)
    return Phi


def six_of_a_square_matrix(X):
    outer = np.einsum("ni,nj->nij", np.insert(X, 0, 1, axis=1), np.insert(X, 0, 1, axis=1))
    return outer[:, *np.triu_indices(3)]


def six_of_the_lower_half(X):
    outer = np.einsum("ni,nj->nij", np.insert(X, 0, 1, axis=1), np.insert(X, 0, 1, axis=1))
    return outer[:, *np.tril_indices(3)]  # x1² comes before x2


def with_x1(d, p):
    """All monomials as tuples of d exponents, one at a time; too many where d is large."""
    if d > 20:
        return math.comb(d + p - 1, d)
    return len([powers for powers in product(range(p + 1), repeat=d) if powers[0] > 0 and sum(powers) <= p])


def by_degree(d, p):
    """Of degree exactly m there are comb(d + m − 1, m) in all, and comb(d + m − 2, m) do not contain x1."""
    return sum(math.comb(d + m - 1, m) - math.comb(d + m - 2, m) for m in range(1, p + 1))


def by_power_of_x1(d, p):
    return sum(math.comb(d - 1 + p - m, p - m) for m in range(1, p + 1))


def columns_of_xor(f):
    return lambda X: [[1.0, a, b, f(a, b)] for a, b in X]


ODD_RIGHT["feature_maps"] = [
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 0.177828})),
    (
        feature_maps.tamed,
        Moved(fit, "A jump", {"data": "cubic", "lam": 0.562341, "degree": 12}, {"n": 13, "noise": 0.3}),
    ),
    (feature_maps.tamed, Moved(fit, "A little λ", {"lam": 10.0}, {"lam": 0.316228})),
    (feature_maps.six_columns, six_by_products),
    (feature_maps.six_columns, six_filled_in),
    (feature_maps.six_columns, six_of_a_square_matrix),
    (feature_maps.how_many, with_x1),
    (feature_maps.how_many, by_degree),
    (feature_maps.how_many, by_power_of_x1),
    (feature_maps.ellipse_plane, lambda: np.linalg.solve([[4, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 0, 1])),
    (feature_maps.ellipse_plane, lambda: [Fraction(1, 4), 0, Fraction(1)]),
    (feature_maps.ellipse_plane, lambda: np.array([1, 0, 4], dtype=np.float32) / 4),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: abs(a + b))),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: 1 if (a > 0) ^ (b > 0) else 0)),
    (feature_maps.exclusive_or, columns_of_xor(lambda a, b: np.exp(-((a - 1) ** 2 + (b - 1) ** 2) / 2))),
]
ODD_WRONG["feature_maps"] = [
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 0.1})),
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 1.77828})),
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 0.562341, "n": 14})),
    (feature_maps.tamed, Moved(fit, "Too wild", {"lam": 0.562341, "degree": 11})),
    (feature_maps.six_columns, six_of_whole_numbers),
    (feature_maps.six_columns, six_of_the_lower_half),
    (feature_maps.six_columns, lambda X: np.hstack([np.ones((len(X), 1)), X, X**2, X[:, :1] + X[:, 1:]])),
    (feature_maps.six_columns, lambda X: np.hstack([np.ones((len(X), 1)), X, X * X[0, 0], X[:, 1:] ** 2])),
    (feature_maps.how_many, lambda d, p: math.comb(d + p - 1, p - 1) if p < 3 else math.comb(d + p, p) // d),
    (
        feature_maps.how_many,
        lambda d, p: sum(math.comb(d + m - 1, m) for m in range(1, p)),
    ),  # range(1, p) stops at p − 1
    (feature_maps.how_many, lambda d, p: math.comb(d, 1) + (p - 1)),  # right for d = 3, p = 2
    (feature_maps.how_many, lambda d, p: math.comb(d + p - 1, p - 1) / math.factorial(p - 1)),
    (feature_maps.ellipse_plane, lambda: [1 / 4, 0, 1, 0][1:]),
    (feature_maps.ellipse_plane, lambda: [1 / 4, np.sqrt(2) / 2, 1]),
    (feature_maps.ellipse_plane, lambda: [-1 / 4, 0, -1]),
    (feature_maps.ellipse_plane, lambda: {"w1": 1 / 4, "w2": 0, "w3": 1}),
    (feature_maps.ellipse_plane, lambda: [[1 / 4], [0], [1]]),
    (feature_maps.exclusive_or, lambda X: np.column_stack([np.ones(len(X)), X, np.sign(X[:, 0])])),
    (feature_maps.exclusive_or, lambda X: np.column_stack([np.ones(len(X)), X, np.cumprod(X[:, 0])])),
    (feature_maps.exclusive_or, lambda X: np.column_stack([np.ones(len(X)), X, np.maximum(X[:, 0], 2) * X[:, 1]])),
    (feature_maps.exclusive_or, lambda X: np.column_stack([np.ones(len(X)), X, X[:, 0] * X[::-1, 1]])),
]

# ---- 02 --------------------------------------------------------------------------------------------


def six_of_the_outer_product(x, c):
    """(xᵀz + c)² is a squared inner product of (√c, x): the upper half of an outer product, with √2 beside it."""
    longer = [c**0.5, *x]
    return [longer[i] * longer[j] * (1 if i == j else 2**0.5) for i in range(3) for j in range(i, 3)]


def six_rotated(x, c):
    """Any rotation of a right Φ is right."""
    Q = scipy.linalg.qr(np.arange(36).reshape(6, 6) % 7 + np.eye(6))[0]
    return Q @ np.array(six_of_the_outer_product(x, c))


def gram_with_a_constant_input(X, p, c):
    longer = np.insert(X, 0, np.sqrt(c), axis=1)
    return np.asfortranarray(reduce(np.multiply, [longer @ longer.T] * p))


def gram_by_halves(X, p, c):
    K = [[0.0] * len(X) for _ in X]
    for i in range(len(X)):
        for j in range(i + 1):
            K[i][j] = K[j][i] = math.fsum([*(a * b for a, b in zip(X[i], X[j], strict=True)), c]) ** p
    return K


def gram_of_distances(X, p, c):
    """xᵀz from lengths and distances."""
    length = (X**2).sum(axis=1)
    return ((length[:, None] + length - scipy.spatial.distance.cdist(X, X, "sqeuclidean")) / 2 + c) ** p


def gram_with_a_zero_half(X, p, c):
    K = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(i):  # range(i) leaves the diagonal out
            K[i, j] = K[j, i] = (X[i] @ X[j] + c) ** p
    return K


def cosine_by_law(k, x, z):
    """The law of cosines with the distance in feature space."""
    a, b = math.sqrt(k(x, x)), math.sqrt(k(z, z))
    distance = k(x, x) - 2 * k(x, z) + k(z, z)
    return (a * a + b * b - distance) / (2 * a * b)


ODD_RIGHT["kernel_trick"] = [
    (kernel_trick.six_features, six_of_the_outer_product),
    (kernel_trick.six_features, six_rotated),
    (kernel_trick.polynomial_gram, gram_with_a_constant_input),
    (kernel_trick.polynomial_gram, gram_by_halves),
    (kernel_trick.polynomial_gram, gram_of_distances),
    (kernel_trick.features_of_a_sum, lambda a, b: [*b, *a, *(-a), *a]),
    (kernel_trick.features_of_a_sum, lambda a, b: np.r_[np.outer([1, 1, -1], a).ravel(), b]),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([1.5 * a, math.sqrt(0.75) * a, b])),
    (kernel_trick.which_are_kernels, lambda: "A, D and F"),
    (kernel_trick.which_are_kernels, lambda: np.array(["F", "D", "A"])),
    (kernel_trick.which_are_kernels, lambda: frozenset("ADF")),
    (kernel_trick.cosine, cosine_by_law),
    (kernel_trick.cosine, lambda k, x, z: np.divide(k(z, x), math.exp((math.log(k(x, x)) + math.log(k(z, z))) / 2))),
    (kernel_trick.perpendicular, Moved(identity, "Opposite signs", {"points": ((1.5, 0.5), (-0.5, -0.5))})),
    (
        kernel_trick.perpendicular,
        Moved(
            identity,
            {"family": "gaussian"},
            {"offset": 2.0},
            {"points": ((-1.0, -2.0), (0.0, 1.0))},
            {"family": "polynomial"},
        ),
    ),
]
ODD_WRONG["kernel_trick"] = [
    (kernel_trick.six_features, lambda x, c: Monomials(2, c)(x)[:5]),
    (
        kernel_trick.six_features,
        lambda x, c: [1, *(np.sqrt(2 / c) * x if c else 0 * x), *(np.outer(x, x).ravel()[[0, 1, 3]] / (c or 1))],
    ),
    (
        kernel_trick.six_features,
        lambda x, c: [c, *(np.sqrt(2 * c) * x), x[0] ** 2, np.sqrt(2) * x[0] + x[1], x[1] ** 2],
    ),
    (
        kernel_trick.six_features,
        lambda x, c: [c, *(np.sqrt(2 * c) * x), x[0] ** 2, np.sqrt(2) * abs(x[0] * x[1]), x[1] ** 2],
    ),
    (kernel_trick.six_features, lambda x, c: (v for v in Monomials(2, c)(x))),
    (kernel_trick.polynomial_gram, lambda X, p, c: [(x @ x + c) ** p for x in X]),
    (kernel_trick.polynomial_gram, gram_with_a_zero_half),
    (kernel_trick.polynomial_gram, lambda X, p, c: p * (X @ X.T + c)),
    (kernel_trick.polynomial_gram, lambda X, p, c: sum((X @ X.T) ** m * c ** (p - m) for m in range(p + 1))),
    (kernel_trick.polynomial_gram, lambda X, p, c: np.exp(p * np.log(np.maximum(X @ X.T + c, 1e-9)))),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([3 * a, b]) / np.sqrt(3)),
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([np.sqrt(3 * np.abs(a)), b])),
    (kernel_trick.features_of_a_sum, lambda a, b: np.outer(np.sqrt(3) * a, b).ravel()),  # those of a product
    (kernel_trick.features_of_a_sum, lambda a, b: np.concatenate([a, a, b])),
    (kernel_trick.features_of_a_sum, lambda a, b: np.sqrt(3) * np.pad(a, (0, max(0, len(b) - len(a)))) + b),
    (kernel_trick.which_are_kernels, lambda: "ABCDEF"),
    (kernel_trick.which_are_kernels, lambda: {"A": True, "B": False, "C": False, "D": True, "E": False, "F": True}),
    (kernel_trick.which_are_kernels, lambda: ""),
    (kernel_trick.which_are_kernels, lambda: [0, 3, 5]),
    (kernel_trick.cosine, lambda k, x, z: k(x, z) / (np.sqrt(k(x, x)) + np.sqrt(k(z, z)))),
    (kernel_trick.cosine, lambda k, x, z: k(x, z) / np.sqrt(k(x, x)) * np.sqrt(k(z, z))),  # brackets are missing
    (kernel_trick.cosine, lambda k, x, z: 1 - (k(x, x) - 2 * k(x, z) + k(z, z)) / 2),  # right for unit vectors
    (kernel_trick.cosine, lambda k, x, z: k(x / np.linalg.norm(x), z / np.linalg.norm(z))),
    (kernel_trick.perpendicular, Moved(identity, "Perpendicular")),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.5), (-1.0, -0.5))})),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.5), (-1.0, 0.0)), "family": "sum"})),
    (kernel_trick.perpendicular, Moved(identity, {"points": ((1.0, 0.0), (-1.0, 0.0)), "offset": 1.25})),
]

# ---- 03 --------------------------------------------------------------------------------------------


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


def centred_twice_in_place(X, y, Z, lam):
    X -= X.mean(axis=0)
    w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ (y - y.mean()))
    return (Z - X.mean(axis=0)) @ w + y.mean()  # the mean of X is 0 by now


def centred_along_rows(X, y, Z, lam):
    A = X - X.mean(axis=1, keepdims=True)
    w = np.linalg.solve(A.T @ A + lam * np.eye(X.shape[1]), A.T @ (y - y.mean()))
    return (Z - Z.mean(axis=1, keepdims=True)) @ w + y.mean()


def penalised_intercept(X, y, Z, lam):
    A = np.insert(X, 0, 1, axis=1)
    return np.insert(Z, 0, 1, axis=1) @ np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ y)


def only_the_targets_centred(X, y, Z, lam):
    w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ (y - y.mean()))
    return Z @ w + y.mean()


def infinite_with_a_sign(n, d, D):
    t = -n * D / np.float64(D - n * d)  # −∞ where n·d = D
    return np.inf if D > n * d else t


SEVEN = {"n": 7, "degree": 6}
ODD_RIGHT["kernel_ridge"] = [
    (kernel_ridge.dual_weights, ridge_by_eigenvalues),
    (kernel_ridge.dual_weights, ridge_by_conjugate_gradients),
    (kernel_ridge.dual_weights, lam_by_place),
    (kernel_ridge.predict, predict_point_by_point),
    (kernel_ridge.predict, predict_with_all),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: KernelRidge(k, lam).fit(X, y).predict(Z)),
    (kernel_ridge.another, unseen_by_svd),
    (kernel_ridge.another, unseen_by_descent),
    (kernel_ridge.recover, recovered_in_a_loop),
    (kernel_ridge.recover, lambda phi, X, a: np.einsum("i,id", a, phi(np.asfortranarray(X))).tolist()),
    (kernel_ridge.break_even, by_bisection),
    (kernel_ridge.break_even, lambda n, d, D: Fraction(n * D, n * d - D) if n * d > D else math.inf),
    (kernel_ridge.huge_weights, Moved(singular, "λ near 0", {"noise": 0.5}, SEVEN)),
    (
        kernel_ridge.huge_weights,
        Moved(singular, "Another a, same curve", SEVEN | {"noise": 0.4, "lam": 1e-8, "shift": 0.0}),
    ),
    (kernel_ridge.predict_centred, ridge_with_an_intercept),
    (kernel_ridge.predict_centred, ridge_as_least_squares),
]
ODD_WRONG["kernel_ridge"] = [
    (kernel_ridge.dual_weights, lambda K, y, lam: np.linalg.solve(K + lam**2 * np.eye(len(y)), y)),
    (kernel_ridge.dual_weights, lambda K, y, lam: np.linalg.solve(K, y) + lam * y),
    (kernel_ridge.dual_weights, lambda K, y, lam: y / (K + lam * np.eye(len(y)))),
    (kernel_ridge.dual_weights, lambda K, y, lam: np.linalg.solve(np.diag(np.diag(K)) + lam * np.eye(len(y)), y)),
    (kernel_ridge.dual_weights, lambda K, y, lam: np.linalg.solve((1 + lam) * K, y)),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: k(Z, X) @ np.linalg.inv(k(X) + lam * np.eye(len(y)))),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: k(X, Z).T @ np.linalg.solve(k(X) + lam**2 * np.eye(len(y)), y)),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: np.linalg.solve(k(Z) + lam * np.eye(len(Z)), k(Z, X) @ y)),
    (
        kernel_ridge.predict,
        lambda k, X, y, Z, lam: k(Z, X) @ np.linalg.solve(k(X) + lam * np.eye(len(y)), y - y.mean()) + y.mean(),
    ),
    (kernel_ridge.predict, lambda k, X, y, Z, lam: Z @ X.T @ np.linalg.solve(k(X) + lam * np.eye(len(y)), y)),
    (kernel_ridge.another, lambda K, a: a + 1),
    (kernel_ridge.another, lambda K, a: a + np.linalg.eigh(K)[1][:, 1]),  # K need not have two eigenvalues 0
    (kernel_ridge.another, lambda K, a: a + np.linalg.eigh(K)[1][:, -4]),  # nor need its rank be 3
    (kernel_ridge.another, lambda K, a: a + np.linalg.pinv(K) @ a),
    (kernel_ridge.another, lambda K, a: a[::-1]),
    (kernel_ridge.recover, lambda phi, X, a: phi(X.T @ a)),
    (kernel_ridge.recover, lambda phi, X, a: phi(X) * a[:, None]),
    (kernel_ridge.recover, lambda phi, X, a: np.sign(a) @ phi(X)),
    (kernel_ridge.recover, lambda phi, X, a: np.linalg.pinv(phi(X)) @ a),
    (kernel_ridge.break_even, infinite_with_a_sign),
    (kernel_ridge.break_even, lambda n, d, D: np.inf if n * d <= D else math.ceil(n * D / (n * d - D))),
    (kernel_ridge.break_even, lambda n, d, D: np.inf if n <= D else n * D / (n * d - D)),
    (kernel_ridge.break_even, lambda n, d, D: "never" if n * d <= D else n * D / (n * d - D)),
    (kernel_ridge.break_even, lambda n, d, D: 10**9 if n * d <= D else n * D / (n * d - D)),
    (kernel_ridge.huge_weights, Moved(singular, SEVEN | {"noise": 0.05, "lam": 1e-8})),
    (kernel_ridge.huge_weights, Moved(singular, {"n": 8, "degree": 6, "noise": 0.5, "lam": 1e-8})),
    (kernel_ridge.huge_weights, Moved(singular, {"n": 6, "degree": 6, "noise": 0.5, "lam": 1e-8})),
    (kernel_ridge.huge_weights, Moved(singular, {"n": 4, "noise": 0.5, "lam": 1e-8, "shift": 10.0})),
    (kernel_ridge.predict_centred, centred_twice_in_place),
    (kernel_ridge.predict_centred, centred_along_rows),
    (kernel_ridge.predict_centred, penalised_intercept),
    (kernel_ridge.predict_centred, only_the_targets_centred),
]

# ---- 04 --------------------------------------------------------------------------------------------


def gram_input_by_input(X, Z, sigma):
    """A Gaussian of a sum is a product of Gaussians."""
    K = np.ones((len(Z), len(X)))
    for x, z in zip(X.T, Z.T, strict=True):
        K *= np.exp(-0.5 * np.subtract.outer(z, x) ** 2 / sigma**2)
    return K.T


def gram_with_factors(X, Z, sigma):
    X, Z = X / sigma, Z / sigma
    return [[math.exp(x @ z) / math.exp(x @ x / 2) / math.exp(z @ z / 2) for z in Z] for x in X]


def gram_of_corners(X, Z, sigma):
    """The distances of all points to all, of which a corner is kept."""
    distance = scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(np.vstack([X, Z])))
    return np.power(np.e, -0.5 * (distance[: len(X), len(X) :] / sigma) ** 2)


def whole_numbers(X, Z, sigma):
    K = np.zeros((len(X), len(Z)), dtype=int)
    K[:] = np.round(gram_input_by_input(X, Z, sigma))
    return K


def bumps_added(Z, X, a, sigma):
    h = np.zeros(len(Z))
    for weight, centre in zip(a, X, strict=True):
        h += weight * np.exp(-(np.linalg.norm(Z - centre, axis=1) ** 2) / (2 * sigma**2))
    return h


def features_in_turn(x, sigma, D):
    """Each feature is the one before times (x/σ)/√j."""
    found = [math.exp(-0.5 * (x / sigma) ** 2)]
    while len(found) < D:
        found.append(found[-1] * x / sigma / math.sqrt(len(found)))
    return found[:D]


def features_by_gammaln(x, sigma, D):
    j = np.arange(D)
    return (x / sigma) ** j * np.exp(-(x**2) / (2 * sigma**2) - scipy.special.gammaln(j + 1) / 2)


def features_by_logarithms(x, sigma, D):
    """log 0 makes this nan at x = 0, where Φ is (1, 0, 0, …)."""
    j = np.arange(D)
    size = j * np.log(abs(x) / sigma) - x**2 / (2 * sigma**2) - scipy.special.gammaln(j + 1) / 2
    return np.sign(x) ** j * np.exp(size)


def both_by_svd(X, y, Z, sigma, lam):
    K = Gaussian(sigma)(X)
    values, V = np.linalg.eigh(K)
    along = V.T @ y
    new = Gaussian(sigma)(Z, X) @ V
    return [new @ (values * along / (values**2 + lam)), new @ (along / (values + lam))]


def both_by_further_rows(X, y, Z, sigma, lam):
    """The basis as least squares with the rows √λ·I, the kernel by kernelkit."""
    n = len(X)
    B = np.vstack([Gaussian(sigma)(X), np.sqrt(lam) * np.eye(n)])
    w = np.linalg.lstsq(B, np.append(y, np.zeros(n)))[0]
    return Gaussian(sigma)(Z, X) @ w, KernelRidge(Gaussian(sigma), lam).fit(X, y).predict(Z)


def basis_weights(X, y, sigma, lam):
    K = Gaussian(sigma)(X)
    return np.linalg.solve(K.T @ K + lam * np.eye(len(X)), K.T @ y)


ODD_RIGHT["gaussian_kernel"] = [
    (
        gaussian_kernel.plateau,
        Moved(combination, "Very wide", {"points": ((0.0, 0.2), (0.0, 0.3), (-3.8, 0.6), (3.8, 0.6))}, {"sigma": 2.9}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-1.95, 0.75), (-0.65, 0.55), (0.65, 0.55), (1.95, 0.75))}, {"sigma": 0.85}),
    ),
    (gaussian_kernel.gram, gram_input_by_input),
    (gaussian_kernel.gram, gram_with_factors),
    (gaussian_kernel.gram, gram_of_corners),
    (gaussian_kernel.hypothesis, bumps_added),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: (a @ gram_input_by_input(X, Z, s)).tolist()),
    (
        gaussian_kernel.hypothesis,
        lambda Z, X, a, s: np.trace(np.multiply.outer(a, gram_input_by_input(X, Z, s)), axis1=0, axis2=1),
    ),
    (gaussian_kernel.first_features, features_in_turn),
    (gaussian_kernel.first_features, features_by_gammaln),
    (gaussian_kernel.two_predictions, both_by_svd),
    (gaussian_kernel.two_predictions, both_by_further_rows),
]
ODD_WRONG["gaussian_kernel"] = [
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, 0.85), (-0.8, 0.6), (0.8, 0.6), (2.4, 0.85)), "sigma": 0.8}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, -0.85), (-0.8, -0.6), (0.8, -0.6), (2.4, -0.85)), "sigma": 1.0}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-1.0, 0.5), (-0.5, 0.0), (0.5, 0.0), (1.0, 0.5)), "sigma": 3.0}),
    ),
    (
        gaussian_kernel.plateau,
        Moved(combination, {"points": ((-2.4, 1.0), (-0.8, 1.0), (0.8, 1.0), (2.4, 1.0)), "sigma": 1.0}),
    ),
    (gaussian_kernel.gram, whole_numbers),
    (
        gaussian_kernel.gram,
        lambda X, Z, s: np.exp(-(scipy.spatial.distance.cdist(X, Z, "cityblock") ** 2) / (2 * s**2)),
    ),
    (gaussian_kernel.gram, lambda X, Z, s: gram_input_by_input(X, Z, s).ravel()),
    (gaussian_kernel.gram, lambda X, Z, s: gram_input_by_input(X, Z, s) / (s * np.sqrt(2 * np.pi))),  # a density
    (gaussian_kernel.gram, lambda X, Z, s: 1 - scipy.spatial.distance.cdist(X, Z) ** 2 / (2 * s**2)),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s) * a),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s) @ a / (s * np.sqrt(2 * np.pi))),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: a[np.argmax(gram_input_by_input(Z, X, s), axis=1)]),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: gram_input_by_input(Z, X, s)[:, :-1] @ a[:-1]),
    (gaussian_kernel.hypothesis, lambda Z, X, a, s: (gram_input_by_input(Z, X, s) @ a)[:, None]),
    (gaussian_kernel.first_features, features_by_logarithms),
    (gaussian_kernel.first_features, lambda x, s, D: features_in_turn(x, s, D)[::-1]),
    (gaussian_kernel.first_features, lambda x, s, D: [features_in_turn(x, s, D)[D - 1]]),
    (
        gaussian_kernel.first_features,
        lambda x, s, D: (
            np.exp(-(x**2) / 2 * s**2) * (x / s) ** np.arange(D) / np.sqrt(scipy.special.factorial(np.arange(D)))
        ),
    ),
    (
        gaussian_kernel.first_features,
        lambda x, s, D: features_by_gammaln(x, s, D) * np.sqrt(np.maximum(np.arange(D), 1)),
    ),
    (gaussian_kernel.two_predictions, lambda *v: both_by_svd(*v)[0] + 1j * both_by_svd(*v)[1]),
    (gaussian_kernel.two_predictions, lambda X, y, Z, s, lam: both_by_svd(X, y, Z, s, lam**2)),
    (
        gaussian_kernel.two_predictions,
        lambda X, y, Z, s, lam: (Gaussian(s)(Z, X) @ basis_weights(X, y, s, 0.3), both_by_svd(X, y, Z, s, lam)[1]),
    ),
    (
        gaussian_kernel.two_predictions,
        lambda X, y, Z, s, lam: (basis_weights(X, y, s, lam), both_by_svd(X, y, Z, s, lam)[1]),
    ),
    (gaussian_kernel.two_predictions, lambda X, y, Z, s, lam: both_by_svd(X, y, Z, np.sqrt(2) * s, lam)),
]

# ---- 05 --------------------------------------------------------------------------------------------


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


ODD_RIGHT["kernel_logistic"] = [
    (
        kernel_logistic.never_sure,
        Moved(boundaries, "Not sure at all", {"data": "half_planes", "lam": 3.162, "sigma": 2.0, "n": 120}),
    ),
    (kernel_logistic.never_sure, Moved(boundaries, "Rings", {"lam": 3.162, "degree": 8})),
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
ODD_WRONG["kernel_logistic"] = [
    (kernel_logistic.never_sure, Moved(boundaries, "Rings", {"lam": 1.0})),
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

# ---- 06 --------------------------------------------------------------------------------------------


def visited_by_distance(w, phi, y):
    """The label is what the sign of wᵀφ should be; a mistake where the two have not the same sign."""
    label = (-1, 1)[y]
    h = math.fsum(map(math.prod, zip(w, phi, strict=True)))
    if math.copysign(1, h) == label and h != 0:
        return w
    return [v + label * f for v, f in zip(w, phi, strict=True)]


def visited_in_place(w, phi, y):
    y = 2 * y - 1
    w += y * phi * np.heaviside(-y * (phi @ w), 1)
    return w


def visited_with_whole_numbers(w, phi, y):
    y = 2 * y - 1
    return (w + y * phi).astype(int) if y * (w @ phi) <= 0 else w


def visited_on_the_first_feature(w, phi, y):
    y = 2 * y - 1
    return w + y * phi if y * (w[0] * phi[0]) <= 0 else w


def visited_until_right(w, phi, y):
    y = 2 * y - 1
    while y * (w @ phi) <= 0:
        w = w + y * phi
    return w


def loss_of_the_wrong_alone(K, y, a):
    """The mean over the mistakes only."""
    margin = y * (K @ a)
    return -margin[margin < 0].mean()


def run(K, y, most=10**6):
    """A kernel perceptron on outputs that are kept up to date; passes are cut off at some number."""
    h, count, clean = np.zeros(len(y)), 0, False
    while not clean and count < most:
        clean = True
        count += 1
        for i in range(len(y)):
            if h[i] * y[i] <= 0:
                h += y[i] * K[:, i]
                clean = False
    return count


def run_by_visits(K, y):
    """Visits until so many in a row were right: the pass in which the last mistake came, and one more."""
    a, last, visit = np.zeros(len(y)), 0, 0
    while visit - last < 2 * len(y):
        i = visit % len(y)
        visit += 1
        if np.sign(K[i] @ a) != y[i]:
            a[i] += y[i]
            last = visit
    return np.array(math.ceil(last / len(y)) + 1)


def run_until_all_are_right(K, y):
    """Counts passes until all points are right afterwards, which needs no clean pass."""
    a, count = np.zeros(len(y)), 0
    while np.any(y * (K @ a) <= 0):
        for i in range(len(y)):
            a[i] += y[i] * (y[i] * (K[i] @ a) <= 0)
        count += 1
    return count


def one_mistake_a_pass(K, y):
    """Starts again from the first point after every mistake."""
    a, count = np.zeros(len(y)), 1
    while np.any(wrong := y * (K @ a) <= 0):
        i = int(np.argmax(wrong))
        a[i] += y[i]
        count += 1
    return count


def nearest_mistake(k, X, y, alpha, z):
    return y[np.argmax((alpha > 0) * k(X, z))]


ODD_RIGHT["kernel_perceptron"] = [
    (kernel_perceptron.visit, visited_by_distance),
    (kernel_perceptron.visit, visited_in_place),
    (kernel_perceptron.loss, lambda K, y, a: np.trace(np.diag(np.abs(y * (K @ a)) - y * (K @ a))) / 2 / len(y)),
    (
        kernel_perceptron.loss,
        lambda K, y, a: np.mean([-t * h if t * h < 0 else 0 for t, h in zip(y, a @ K, strict=True)]),
    ),
    (
        kernel_perceptron.predict,
        lambda k, X, y, alpha, z: 1.0 if (alpha * k(X, z))[y > 0].sum() > (alpha * k(X, z))[y < 0].sum() else -1.0,
    ),
    (
        kernel_perceptron.predict,
        lambda k, X, y, alpha, z: (
            2 * int(np.repeat(y, alpha.astype(int)) @ k(np.repeat(X, alpha.astype(int), axis=0), z) > 0) - 1
        ),
    ),
    (kernel_perceptron.small_album, Moved(digits_pair, "Few pictures", {"sigma": 1.1}, {"n": 200})),
    (
        kernel_perceptron.small_album,
        Moved(digits_pair, "Hard pair, linear", {"family": "gaussian", "sigma": 0.9}, {"pair": (3, 8), "n": 100}),
    ),
    (kernel_perceptron.passes, run),
    (kernel_perceptron.passes, run_by_visits),
]
ODD_WRONG["kernel_perceptron"] = [
    (kernel_perceptron.visit, visited_with_whole_numbers),
    (kernel_perceptron.visit, visited_on_the_first_feature),
    (kernel_perceptron.visit, visited_until_right),
    (kernel_perceptron.visit, lambda w, phi, y: w + (2 * y - 1) * phi if (2 * y - 1) * (w @ phi) <= 1 else w),
    (kernel_perceptron.visit, lambda w, phi, y: w + (y - 1 / (1 + np.exp(-w @ phi))) * phi),
    (kernel_perceptron.loss, loss_of_the_wrong_alone),
    (kernel_perceptron.loss, lambda K, y, a: max(0, -(y * (K @ a)).mean())),
    (kernel_perceptron.loss, lambda K, y, a: np.maximum(0, -y * (np.diag(K) * a)).mean()),
    (kernel_perceptron.loss, lambda K, y, a: np.maximum(0, -a * (K @ y)).mean()),
    (kernel_perceptron.loss, lambda K, y, a: np.mean(np.log1p(np.exp(-y * (K @ a))))),
    (kernel_perceptron.predict, nearest_mistake),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y)[:-1] @ k(X, z)[:-1])),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y).sum())),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y) @ (X @ z))),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: "+1" if (alpha * y) @ k(X, z) > 0 else "-1"),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 1.1, "n": 110})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 0.9, "n": 90})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 1.1, "n": 200, "pair": (3, 9)})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"family": "linear", "n": 250})),
    (kernel_perceptron.passes, lambda K, y: run(K, y, most=20)),
    (kernel_perceptron.passes, lambda K, y: run(K, y, most=50)),
    (kernel_perceptron.passes, run_until_all_are_right),
    (kernel_perceptron.passes, one_mistake_a_pass),
    (kernel_perceptron.passes, lambda K, y: [*range(run(K, y))]),
]

# ---- 07 --------------------------------------------------------------------------------------------


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


def step_with_distances(K, r, a, lower, upper, i, j):
    wanted = (r[i] - r[j]) / np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])
    return min(wanted, upper[i] - a[i], a[j] - lower[j])


def step_of_the_gaussian(K, r, a, lower, upper, i, j):
    """Where k(x, x) = 1."""
    return min((r[i] - r[j]) / (2 - 2 * K[i, j]), upper[i] - a[i], a[j] - lower[j])


def new_weight(K, r, a, lower, upper, i, j):
    return a[i] + step_by_sorting(K, r, a, lower, upper, i, j)


FRONT = ((-1.0, 0.5, -1), (1.0, 0.5, -1), (0.0, 1.5, 1))
BACK = ((0.0, -1.0, -1), (-1.0, 2.5, 1), (1.0, 2.5, 1))
ONE_IN_FRONT = ((0.0, 0.5, -1), (-1.0, -0.5, -1), (1.0, -0.5, -1), *FRONT[2:], *BACK[1:])
SIDEWAYS = tuple((y + 0.5, -x, label) for x, y, label in FRONT + BACK)
LINE = {"data": "mine", "kernel": "linear", "C": 1000.0}
ODD_RIGHT["support_vector_machine"] = [
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
ODD_WRONG["support_vector_machine"] = [
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
    (support_vector_machine.smo_step, step_with_distances),
    (support_vector_machine.smo_step, step_of_the_gaussian),
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

# ---- 08 --------------------------------------------------------------------------------------------


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


ODD_RIGHT["representer_theorem"] = [
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
ODD_WRONG["representer_theorem"] = [
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

# ---- the tests -------------------------------------------------------------------------------------


def rows(tables):
    return [
        pytest.param(check, answer, id=f"{check.name}-{place}")
        for table in tables.values()
        for place, (check, answer) in enumerate(table)
    ]


def judged(check, answer, capsys):
    return said(check, answer.panel() if isinstance(answer, Moved) else answer, capsys)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("check", "answer"), rows(ODD_RIGHT))
def test_no_right_answer_is_refused(check, answer, capsys):
    line = judged(check, answer, capsys)
    assert line.startswith("✓ "), line


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("check", "answer"), rows(ODD_WRONG))
def test_no_wrong_answer_is_accepted(check, answer, capsys):
    line = judged(check, answer, capsys)
    assert line.startswith("✗ "), line


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_each_check_has_two_odd_right_answers_and_three_wrong_ones(check):
    name = check.name.partition(".")[0]
    if name in NOT_YET:
        assert name not in ODD_RIGHT and name not in ODD_WRONG, "the notebook has its rows: take it out of NOT_YET"
        return
    for tables, least in ((ODD_RIGHT, 2), (ODD_WRONG, 3)):
        assert Counter(row[0].name for row in tables[name])[check.name] >= least
        assert {row[0].name.partition(".")[0] for row in tables[name]} == {name}
