"""What the laws of every exercise do not say of those of notebook 02."""

import numpy as np
import pytest

from kernelkit import Monomials
from kernelkit.course.exercises import kernel_trick as check
from kernelkit.course.explorers.kernel_trick import identity

REACHED = [
    check.perpendicular.right,
    {"points": ((0.3, 0.0), (-2.0, 0.0)), "offset": 0.65},  # one is short, and one is long
    {"points": ((2.0, 0.0), (-0.5, 1.7)), "degree": 4},
    {"points": ((1.0, 0.5), (-0.52, 0.0)), "offset": 0.5, "degree": 3, "which": "ordered"},
]


@pytest.mark.parametrize("values", REACHED)
def test_each_answer_of_the_challenge_is_perpendicular_in_its_features(values):
    panel = identity()
    panel.set(**values)
    assert check.perpendicular.of(panel).verdict == "right"
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
    assert check.which_are_kernels.of(lambda: found).verdict == "right"
