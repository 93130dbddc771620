"""Typical wrong answers of notebook 02, each with the message it meets."""

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

from kernelkit import Monomials
from kernelkit.course.exercises import kernel_trick as check
from kernelkit.course.explorers.kernel_trick import identity

R = np.sqrt(2)


def cat(*parts):
    return np.concatenate(parts)


def six(linear, cross=R, constant=lambda c: c):
    """Six features of two inputs with this factor of the linear entries, of x1·x2, and this constant."""
    return lambda x, c: [constant(c), linear(c) * x[0], linear(c) * x[1], x[0] ** 2, cross * x[0] * x[1], x[1] ** 2]


def root(c):
    return np.sqrt(2 * c)


def polynomial(X, p, c):
    return (X @ X.T + c) ** p


WRONG = [
    (check.six_features, six(root, 1), "√2 of the cross term"),
    (check.six_features, six(np.sqrt), "√2 of the linear terms"),
    (check.six_features, six(np.sqrt, 1), "lacks every √2"),
    (check.six_features, six(lambda c: R, constant=lambda c: 1), "this is the Φ for c = 1"),
    (check.six_features, six(lambda c: R * c), "you wrote √2·c·x"),
    (check.six_features, six(lambda c: R), "the linear terms lack the offset"),
    (check.six_features, six(root, constant=np.sqrt), "c, not √c"),
    (check.six_features, six(root, 2), "2 where √2"),
    (check.six_features, six(lambda c: 2 * np.sqrt(c), 2), "2 where √2"),
    (check.six_features, six(lambda c: 2 * c), "2 where √2"),
    (check.six_features, lambda x, c: [1, x[0], x[1]], "6 entries"),
    (check.six_features, six(root, constant=lambda c: 0), "but (xᵀz + c)² is"),
    (check.six_features, six(lambda c: np.sqrt(6)), "c = 1 Φ(x)ᵀΦ(z) is"),
    (check.six_features, lambda x, c: x[7], "stopped with IndexError"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T) ** p + c, "added c after the power"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T) ** p, "lacks the offset"),
    (check.polynomial_gram, lambda X, p, c: np.linalg.matrix_power(X @ X.T + c, p), "entry by entry"),
    (check.polynomial_gram, lambda X, p, c: (X.T @ X + c) ** p, "3 × 3"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + c) ** 2, "power is fixed"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + 1) ** p, "offset is fixed"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + c * np.eye(len(X))) ** p, "to the diagonal only"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + 2) ** 3, "but not for 2 points"),
    (check.polynomial_gram, lambda X, p, c: 2 * (X @ X.T + c) ** p, "K[2, 2] should be"),
    (check.polynomial_gram, lambda X, p, c: np.triu((X @ X.T + c) ** p), "K[2, 0] should be"),
    (check.cosine, lambda k, x, z: k(x, z), "divide by the two lengths"),
    (check.cosine, lambda k, x, z: k(x, z) / (k(x, x) * k(z, z)), "take the square root"),
    (check.cosine, lambda k, x, z: k(x, z) / np.linalg.norm(x) / np.linalg.norm(z), "lengths of the inputs"),
    (check.cosine, lambda k, x, z: 0.5, "it should be"),
    (check.cosine, lambda k, x, z: np.ones(2), "one number"),
    (check.cosine, lambda k, x, z: (x @ z + 1) ** 2 / ((x @ x + 1) * (z @ z + 1)), "not for Linear()"),
    (check.cosine, lambda k, x, z: np.sqrt(k(x, z) ** 2 / k(x, x) / k(z, z)), "not for Linear()"),
    (check.features_of_a_sum, lambda a, b: cat(3 * a, b), "it is √3"),
    (check.features_of_a_sum, lambda a, b: cat(a, b), "factor 3 is missing"),
    (check.features_of_a_sum, lambda a, b: a + b[:2], "concatenate"),
    (check.features_of_a_sum, lambda a, b: cat(a, R * b, b), "belongs to k1; you gave it to k2"),
    (check.features_of_a_sum, lambda a, b: np.sqrt(3) * cat(a, b), "not to both"),
    (check.features_of_a_sum, lambda a, b: [a, a], "one vector"),
    (check.features_of_a_sum, lambda a, b: cat(b, 5 * a), "should be"),
    (check.which_are_kernels, lambda: "ABDF", "B is none"),
    (check.which_are_kernels, lambda: "ACDF", "C is none"),
    (check.which_are_kernels, lambda: "adef", "E is none"),
    (check.which_are_kernels, lambda: "DF", "A is a kernel"),
    (check.which_are_kernels, lambda: "AF", "D is a kernel"),
    (check.which_are_kernels, lambda: ["A", "D"], "F is a kernel"),
    (check.which_are_kernels, lambda: "AG", "from A to F"),
    (check.which_are_kernels, lambda: [True, False], "return the letters"),
    (check.polynomial_gram, fixed(polynomial, 1, 3), "not for 2 points, p = 2, c = 0.5"),
    (check.polynomial_gram, fixed(polynomial, 2, 2.0), "not for 2 points, p = 2, c = 0.5"),
    (check.polynomial_gram, hard_coded(polynomial), "not for 2 points, p = 2, c = 0.5"),
    (check.polynomial_gram, lambda X, p, c: polynomial(X[:, :2], p, c), "wrong for points with 4 inputs"),
    (
        check.polynomial_gram,
        lambda X, p, c: (np.outer(X[:, 0], X[:, 0]) + np.outer(X[:, 1], X[:, 1]) + c) ** p,
        "wrong for points with 4 inputs",
    ),
    (check.features_of_a_sum, lambda a, b: cat(R * 1.5**0.5 * a[:2], b[:6]), "the two vectors may have any lengths"),
    (check.features_of_a_sum, lambda a, b: [R * 1.5**0.5 * a[0], R * 1.5**0.5 * a[1], *b], "may have any lengths"),
    (check.cosine, lambda k, x, z: k(x, z) / k(x, x), "both Φ(x) and Φ(z) have one"),
    (check.cosine, lambda k, x, z: k(x, z) / np.sqrt(k(z, z)), "both Φ(x) and Φ(z) have one"),
    (check.cosine, lambda k, x, z: np.arccos(k(x, z) / np.sqrt(k(x, x) * k(z, z))), "this is the angle"),
    (check.cosine, fixed(lambda k, x, z: k(x, z) / np.sqrt(k(x, x) * k(z, z)), 1, np.array([1.0, 2.0])), "not for Lin"),
    (check.which_are_kernels, "ADFE", "swap x and z"),
    (check.which_are_kernels, True, "return the letters"),
    (check.six_features, fixed(six(root), 1, 3.0), "c = 1 Φ(x)ᵀΦ(z) is"),
]
RIGHT = [
    (check.six_features, six(root)),
    (check.six_features, lambda x, c: six(lambda c: -root(c))(x[::-1], c)[::-1]),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + c) ** p),
    (check.polynomial_gram, lambda X, p, c: [[(x @ z + c) ** p for z in X] for x in X]),
    (check.features_of_a_sum, lambda a, b: cat(np.sqrt(3) * a, b)),
    (check.features_of_a_sum, lambda a, b: cat(a, b, a, a)),
    (check.features_of_a_sum, lambda a, b: cat(-b[::-1], np.sqrt(3) * a, [0.0])),
    (check.cosine, lambda k, x, z: k(x, z) / np.sqrt(k(x, x) * k(z, z))),
    (check.which_are_kernels, lambda: "A, D, F"),
    (check.which_are_kernels, lambda: {"f", "d", "a"}),
    (check.polynomial_gram, lambda X, p, c: np.power(np.einsum("id,jd->ij", X, X) + c, p)),
    (check.cosine, lambda k, x, z: np.array(k(x, z) * k(x, x) ** -0.5 * k(z, z) ** -0.5)),
    (check.six_features, lambda x, c: np.append(np.sqrt(2 * c) * x, [c, x[0] ** 2, R * x.prod(), x[1] ** 2])),
    (check.which_are_kernels, "adf"),
    (check.which_are_kernels, ["A", "D", "F"]),
]
NOT_YET = [
    ({"family": "gaussian"}, "✗", "choose the polynomial"),
    ({"offset": 0.0, "points": ((1.0, 0.0), (0.0, 1.0))}, "✗", "choose c > 0"),
    ({"points": ((1.0, 0.0), (0.0, 1.0)), "degree": 3, "offset": 2.0}, "✗", "k(x, z) = cᵖ = 8, not 0"),
    ({"points": ((0.0, 0.0), (-1.0, 1.0))}, "✗", "away from the origin"),
    ({"points": ((1.0, 1.0), (1.0, 1.0))}, "✗", "is positive"),
    ({"points": ((1.0, 0.0), (-0.5, 0.0))}, "✗", "not yet 0"),
]
REACHED = [
    {"points": ((0.3, 0.0), (-2.0, 0.0)), "offset": 0.65},  # one is short, and one is long
    {"points": ((1.0, 0.5), (-1.0, 0.0))},
    {"points": ((2.0, 0.0), (-0.5, 1.7)), "degree": 4},
    {"points": ((1.0, 0.5), (-0.52, 0.0)), "offset": 0.5, "degree": 3, "which": "ordered"},
]
STATES = [*NOT_YET, *((values, "✓", "right") for values in REACHED)]


test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(identity, check.perpendicular, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(identity, check.perpendicular)
test_the_challenge_wants_its_own_panel = refuses_others(check.perpendicular)


@pytest.mark.parametrize("values", REACHED)
def test_each_answer_of_the_challenge_is_perpendicular_in_its_features(values):
    panel = identity()
    panel.set(**values)
    a, b = (Monomials(panel.values["degree"], panel.values["offset"])(x) for x in panel.values["points"])
    assert abs(a @ b) < 0.01 * np.linalg.norm(a) * np.linalg.norm(b)


def test_six_letters_are_judged_as_their_gram_matrices_are():
    """A, D and F have no negative eigenvalue on any of many points; B, C and E are refuted by some."""
    X = np.random.default_rng(0).standard_normal((40, 2))
    G, distance = X @ X.T, ((X[:, None] - X) ** 2).sum(axis=2)
    functions = {
        "A": G + 2,
        "B": G - 2,
        "C": distance,
        "D": G**2 + 3 * G**3 + 0,
        "E": np.outer(X[:, 0], X[:, 1]),
        "F": np.cos(X[:, :1] - X[:, 0]),
    }
    found = {name for name, K in functions.items() if np.allclose(K, K.T) and np.linalg.eigvalsh(K)[0] > -1e-9}
    check.which_are_kernels(lambda: found)
    assert check.which_are_kernels.result.verdict == "right"
