"""What the laws of every exercise do not say of those of notebook 16."""

import numpy as np

from kernelkit.course.exercises import images as check


def test_only_45_has_one_answer_up_to_a_factor():
    """Sums along rows, columns and diagonals of 135° that are all 0 leave one direction of the nine weights."""
    places = [(i, k) for i in range(3) for k in range(3)]
    lines = [[i == r for i, _ in places] for r in range(3)] + [[k == c for _, k in places] for c in range(3)]
    lines += [[i - k == d for i, k in places] for d in range(-2, 3)]
    assert np.linalg.matrix_rank(np.array(lines, float)) == 8
    np.testing.assert_allclose(np.array(lines, float) @ check.only_45.right.ravel(), 0)
