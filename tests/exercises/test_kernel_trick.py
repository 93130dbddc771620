"""Typical wrong answers of notebook 02, each with the message it meets."""

import numpy as np
import pytest

from kernelkit.exercises import kernel_trick as check

R = np.sqrt(2)


def cat(*parts):
    return np.concatenate(parts)


WRONG = [
    (check.six_features, lambda x: [1, R * x[0], R * x[1], x[0] ** 2, x[0] * x[1], x[1] ** 2], "√2 of the cross term"),
    (check.six_features, lambda x: [1, x[0], x[1], x[0] ** 2, R * x[0] * x[1], x[1] ** 2], "√2 of the linear terms"),
    (check.six_features, lambda x: [1, x[0], x[1], x[0] ** 2, x[0] * x[1], x[1] ** 2], "lacks every √2"),
    (check.six_features, lambda x: [1, 2 * x[0], 2 * x[1], x[0] ** 2, 2 * x[0] * x[1], x[1] ** 2], "2 where √2"),
    (check.six_features, lambda x: [1, x[0], x[1]], "6 entries"),
    (check.six_features, lambda x: [0, R * x[0], R * x[1], x[0] ** 2, R * x[0] * x[1], x[1] ** 2], "but (xᵀz + 1)² is"),
    (check.six_features, lambda x: [1, R * x[0], R * x[1], x[0] ** 2, 2 * x[0] * x[1], x[1] ** 2], "2 where √2"),
    (check.six_features, lambda x: [1, R * x[0], x[0] ** 2, R * x[0] * x[1], 0, 0], "but (xᵀz + 1)² is"),
    (check.six_features, lambda x: [1, R * x[0], x[1], x[0] ** 2, 2 * x[0] * x[1], x[1] ** 2], "but (xᵀz + 1)² is"),
    (check.six_features, lambda x: x[7], "stopped with IndexError"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T) ** p + c, "added c after the power"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T) ** p, "lacks the offset"),
    (check.polynomial_gram, lambda X, p, c: np.linalg.matrix_power(X @ X.T + c, p), "entry by entry"),
    (check.polynomial_gram, lambda X, p, c: (X.T @ X + c) ** p, "3 × 3"),
    (check.polynomial_gram, lambda X, p, c: (X @ X.T + c) ** 2, "K[2, 2] should be"),
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
    (check.features_of_a_sum, lambda a, b: cat(b, 5 * a), "should be"),
]


@pytest.mark.parametrize(("exercise", "answer", "message"), WRONG)
def test_wrong_answer_meets_its_message(exercise, answer, message, capsys):
    exercise(answer)
    said = capsys.readouterr().out
    assert said.startswith("✗") and message in said and said.count("\n") == 1


@pytest.mark.parametrize("exercise", list(dict.fromkeys(w[0] for w in WRONG)), ids=lambda e: e.__name__)
def test_no_answer_is_not_an_error(exercise, capsys):
    exercise(lambda *_: None)
    assert capsys.readouterr().out.startswith("○")
