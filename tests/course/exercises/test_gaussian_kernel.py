"""Typical wrong answers of notebook 04, each with the message it meets."""

from math import factorial

import numpy as np
import pytest
from course.exercises.answers import (
    accepted,
    fixed,
    hard_coded,
    judged,
    refused,
    refuses_others,
    unanswered,
    unmet_by_scenes,
)

from kernelkit.course.exercises import gaussian_kernel as check
from kernelkit.course.explorers import gaussian_kernel as explore


def root_factorial(m):
    return np.sqrt(np.cumprod(np.maximum(np.arange(m), 1).astype(float)))


def features(x, s, m):
    return np.exp(-(x**2) / (2 * s**2)) * (x / s) ** np.arange(m) / root_factorial(m)


def squared(X, Z):
    return ((X[:, None] - Z) ** 2).sum(axis=2)


def gram(X, Z, s):
    return np.exp(-squared(X, Z) / (2 * s**2))


def solve(K, lam, y):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def basis(X, y, Z, s, lam):
    K = gram(X, X, s)
    return gram(Z, X, s) @ K.T @ solve(K @ K.T, lam, y)


def kernel(X, y, Z, s, lam):
    return gram(Z, X, s) @ solve(gram(X, X, s), lam, y)


FEATURES = [
    (lambda x, s, m: (x / s) ** np.arange(m) / root_factorial(m), "factor exp(−x²/2σ²) in front is missing"),
    (lambda x, s, m: features(x, s, m) * root_factorial(m), "√j! below is missing"),
    (lambda x, s, m: features(x, s, m) / root_factorial(m), "by j!, not by √j!"),
    (lambda x, s, m: features(x, s, m) * s ** np.arange(m), "x/σ, not x"),
    (lambda x, s, m: features(x, s, m) * np.exp(-(x**2) / (2 * s**2)), "by σ², not by 2σ²"),
    (lambda x, s, m: features(x, s, m) * np.exp(x**2 / s**2), "minus sign is missing"),
    (lambda x, s, m: features(x, s, m + 1)[1:], "start at 1"),
    (lambda x, s, m: features(x, s, m + 1), "6 numbers"),
    (lambda x, s, m: np.abs(features(x, s, m)), "every odd power should be negative"),
    (lambda x, s, m: 2 * features(x, s, m), "these are not"),
    (lambda x, s, m: features(x, s, m) * np.exp(x**2 / (2 * s**2) - x**2 / (4 * s)), "these are not"),
    (lambda x, s, m: features(x, 1.7, m), "wrong for σ = 0.4"),
    (lambda x, s, m: features(x, s, 6), "25 numbers"),
    (
        lambda x, s, m: np.exp(-(x**2) / (2 * s**2)) * (x / s) ** np.arange(m) / np.sqrt(factorial(np.arange(m))),
        "math.factorial takes one whole number",
    ),
    (
        lambda x, s, m: (
            np.exp(-(x**2) / (2 * s**2)) * (x / s) ** np.arange(m) / np.sqrt([factorial(j) for j in range(m)])
        ),
        "beyond 20!",
    ),
    (
        lambda x, s, m: (
            np.exp(-(x**2) / (2 * s**2)) * (x / s) ** np.arange(m) / np.sqrt(np.cumprod(np.maximum(np.arange(m), 1)))
        ),
        "use floats",
    ),
    (lambda x, s, m: x.shape, "stopped with AttributeError"),
    (lambda x, s, m: features(x, s, m) if x else np.ones(m) * np.nan, "wrong for x = 0, which has no logarithm"),
]
GRAM = [
    (lambda X, Z, s: np.exp(-squared(X, Z) / 2 * s**2), "put brackets around 2 * sigma**2"),
    (lambda X, Z, s: gram(X, -Z, s), "yours is ‖x + z‖²"),
    (lambda X, Z, s: gram(X, Z, s) ** 2, "by σ², not by 2σ²"),
    (lambda X, Z, s: np.exp(-squared(X, Z) / (2 * s)), "by 2σ, not by 2σ²"),
    (lambda X, Z, s: np.exp(-np.sqrt(squared(X, Z)) / (2 * s**2)), "forgot to square"),
    (lambda X, Z, s: 1 / gram(X, Z, s), "minus sign"),
    (lambda X, Z, s: squared(X, Z), "these are the squared distances"),
    (lambda X, Z, s: np.exp(-((X[:, None] - Z).sum(axis=2) ** 2) / (2 * s**2)), "the sum of the differences"),
    (lambda X, Z, s: np.exp(X @ Z.T / s**2), "without its factors f(x) and f(z)"),
    (lambda X, Z, s: gram(Z, X, s), "transpose"),
    (lambda X, Z, s: gram(X, X, s), "4 × 2"),
    (lambda X, Z, s: gram(X, Z, s) * np.exp(((Z**2).sum(1) - (Z[:, :2] ** 2).sum(0)) / (2 * s**2)), "these are not"),
    (lambda X, Z, s: gram(X[:, :2], Z[:, :2], s), "these are not"),
    (lambda X, Z, s: gram(X, Z, 2 * s), "these are not"),
    (lambda X, Z, s: np.exp(-squared(X, Z) / (2 * s) ** 2), "(2σ)² is 4σ²"),
    (lambda X, Z, s: gram(X, Z, 1.0), "σ is missing"),
    (lambda X, Z, s: np.exp(-((X[:, None] - Z) ** 2).mean(axis=2) / (2 * s**2)), "the mean over the inputs"),
    (fixed(gram, 2, 1.7), "wrong for 3 and 5 points with 2 inputs and σ = 0.6"),
    (hard_coded(gram), "wrong for 3 and 5 points"),
    (lambda X, Z, s: np.exp(-sum((X[:, [i]] - Z[:, i]) ** 2 for i in range(3)) / (2 * s**2)), "X of shape (3, 2)"),
]
HYPOTHESIS = [
    (lambda Z, X, a, s: gram(X, Z, s) @ a, "transposed"),
    (lambda Z, X, a, s: gram(Z, X, s).sum(axis=1), "weights a_i are missing"),
    (lambda Z, X, a, s: gram(Z, X, s) @ a / gram(Z, X, s).sum(axis=1), "soft vote"),
    (lambda Z, X, a, s: gram(Z, X, s) @ np.abs(a), "negative weights dig valleys"),
    (lambda Z, X, a, s: (gram(Z, X, s) * a).mean(axis=1), "not their sum"),
    (lambda Z, X, a, s: gram(Z, X, s) ** 2 @ a, "by σ², not by 2σ²"),
    (lambda Z, X, a, s: gram(X, X, s) @ a, "4 numbers"),
    (lambda Z, X, a, s: Z @ X.T @ a, "these are not"),
    (lambda Z, X, a, s: gram(Z[:, :1], X[:, :1], s) @ a, "these are not"),
    (lambda Z, X, a, s: np.exp(-squared(Z, X) / (2 * s)) @ a, "by 2σ, not by 2σ²"),
    (lambda Z, X, a, s: np.exp(-squared(Z, X) / (2 * s) ** 2) @ a, "(2σ)² is 4σ²"),
    (lambda Z, X, a, s: np.exp(-squared(Z, X) / 2 * s**2) @ a, "put brackets around 2 * sigma**2"),
    (lambda Z, X, a, s: gram(Z, X, 1.0) @ a, "σ is missing"),
    (fixed(lambda Z, X, a, s: gram(Z, X, s) @ a, 3, 0.8), "wrong for 5 bumps with 3 inputs and σ = 1.6"),
    (lambda Z, X, a, s: gram(Z[:, :2], X[:, :2], s) @ a, "wrong for 5 bumps with 3 inputs"),
    (lambda Z, X, a, s: sum(a[j] * gram(Z, X[j : j + 1], s).ravel() for j in range(3)), "wrong for 5 bumps"),
]
PREDICTIONS = [
    (lambda *v: (kernel(*v), basis(*v)), "swapped"),
    (lambda *v: (kernel(*v), kernel(*v)), "your basis prediction is the kernel's"),
    (lambda *v: (basis(*v), basis(*v)), "your kernel prediction is the basis'"),
    (
        lambda X, y, Z, s, lam: (gram(Z, X, s) @ solve(gram(X, X, s) @ gram(X, X, s), lam, y), kernel(X, y, Z, s, lam)),
        "lacks the Bᵀ",
    ),
    (lambda X, y, Z, s, lam: (basis(X, y, Z, s, 2 * lam), kernel(X, y, Z, s, lam)), "the basis prediction is not"),
    (lambda X, y, Z, s, lam: (basis(X, y, Z, s, lam), kernel(X, y, Z, s, 2 * lam)), "the kernel prediction is not"),
    (lambda *v: (basis(*v),), "two arrays"),
    (lambda *v: 1.0, "two arrays"),
    (lambda X, y, Z, s, lam: (basis(X, y, X, s, lam), kernel(X, y, X, s, lam)), "3 numbers"),
    (lambda X, y, Z, s, lam: (basis(X, y, Z, s, lam), kernel(X, y, Z, s, 0)), "you forgot λ"),
    (
        lambda X, y, Z, s, lam: (basis(X, y, Z, s, lam), gram(Z, X, s) @ np.linalg.solve(gram(X, X, s) + lam, y)),
        "every entry of K",
    ),
    (fixed(lambda *v: (basis(*v), kernel(*v)), 3, 0.7), "wrong for 5 points with 1 input"),
    (fixed(lambda *v: (basis(*v), kernel(*v)), 4, 0.3), "wrong for 5 points with 1 input"),
    (hard_coded(lambda *v: (basis(*v), kernel(*v))), "wrong for 5 points with 1 input"),
]


def primal_basis(X, y, Z, s, lam):
    B = gram(X, X, s)
    return gram(Z, X, s) @ solve(B.T @ B, lam, B.T @ y)


WRONG = [
    (exercise, answer, message)
    for exercise, answers in (
        (check.first_features, FEATURES),
        (check.gram, GRAM),
        (check.hypothesis, HYPOTHESIS),
        (check.two_predictions, PREDICTIONS),
    )
    for answer, message in answers
]


RIGHT = [
    (check.first_features, features),
    (check.gram, gram),
    (check.hypothesis, lambda Z, X, a, s: gram(Z, X, s) @ a),
    (check.two_predictions, lambda *v: (basis(*v), kernel(*v))),
    (check.gram, lambda X, Z, s: [[np.exp(-sum((x - z) ** 2) / 2 / s**2) for z in Z] for x in X]),
    (check.hypothesis, lambda Z, X, a, s: [sum(a[j] * gram(z[None], X, s)[0, j] for j in range(len(X))) for z in Z]),
    (check.first_features, lambda x, s, m: [features(x, s, j + 1)[j] for j in range(m)]),
    (check.two_predictions, lambda *v: np.array([basis(*v), kernel(*v)])),
    (check.two_predictions, lambda *v: [primal_basis(*v).tolist(), kernel(*v)]),
]
SPREAD = (-2.4, -0.8, 0.8, 2.4)
STATES = [
    ({"sigma": 1.0}, "✗", "a negative weight digs a valley"),
    ({"points": tuple((x, 0.9) for x in SPREAD), "sigma": 0.3}, "✗", "the bumps stand apart"),
    ({"points": ((-1.5, 0.6), (-0.5, 0.6), (0.5, 0.6), (1.5, 0.6)), "sigma": 0.9}, "✗", "lowest at an end"),
    ({"points": ((-2.4, 0.8), (-0.8, 0.6), (0.8, 0.7), (2.4, 0.4)), "sigma": 1.0}, "✗", "between 0.72 and 1.06"),
    ({"points": ((-2.4, 0.4), (-0.8, 0.7), (0.8, 0.6), (2.4, 0.8)), "sigma": 1.0}, "✗", "between 0.72 and 1.06"),
    ({"points": ((-2.4, 0.6), (-0.8, 0.4), (0.8, 0.4), (2.4, 0.6)), "sigma": 1.0}, "✗", "flat enough, but too low"),
    ({"points": ((-2.4, 1.1), (-0.8, 0.78), (0.8, 0.78), (2.4, 1.1)), "sigma": 1.0}, "✗", "flat enough, but too high"),
    ({"points": ((-2.4, 0.85), (-0.8, 1.2), (0.8, 0.6), (2.4, 0.85)), "sigma": 1.0}, "✗", "highest at z = −1.0"),
    ({"points": ((-2.4, 0.85), (-0.8, 0.6), (0.8, 0.6), (2.4, 0.85)), "sigma": 1.0}, "✓", "right"),
    ({"points": ((0.8, 0.6), (2.4, 0.85), (-2.4, 0.85), (-0.8, 0.6)), "sigma": 1.0}, "✓", "right"),
    ({"points": ((-3.0, 0.85), (0.0, 0.72), (0.0, 0.0), (3.0, 0.85)), "sigma": 1.55}, "✓", "right"),
    ({"points": ((-2.0, 1.1), (-1.0, -0.2), (1.0, -0.2), (2.0, 1.1)), "sigma": 2.0}, "✓", "right"),
]


test_right_answers_are_accepted = accepted(RIGHT)
whole_numbers_overflow = pytest.mark.filterwarnings("ignore:invalid value encountered in sqrt")
test_wrong_answers_meet_their_messages = whole_numbers_overflow(refused(WRONG))
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(explore.combination, check.plateau, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.combination, check.plateau)
test_the_challenge_wants_its_own_panel = refuses_others(check.plateau)
