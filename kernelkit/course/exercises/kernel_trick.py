"""Checks of notebook 02."""

import re

import numpy as np

from kernelkit import Linear, Monomials, Polynomial
from kernelkit.course.exercises.base import (
    challenge,
    close,
    exercise,
    expect,
    fixed,
    number,
    numbers,
    summary_of,
)
from kernelkit.course.explorers.kernel_trick import identity, weights

POINTS = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]])


@exercise("Six features for any offset")
def six_features(trial):
    """Φ(x) = (c, √(2c)·x1, √(2c)·x2, x1², √2·x1·x2, x2²), so that Φ(x)ᵀΦ(z) = (xᵀz + c)²."""
    X = trial.changed(POINTS)
    for c in (3.0, 1.0, 0.5, 0.0):
        rows = [numbers(trial.ask(x, c), "Φ(x)") for x in X]
        other = next((row.shape for row in rows if row.shape != (6,)), None)
        expect(
            other is None,
            "wrong_length",
            f"Φ(x) should have 6 entries, one a monomial to degree 2; yours has shape {other}.",
        )
        P = np.array(rows)
        right = (X @ X.T + c) ** 2
        if c == 3:
            _judge_six(trial, right - P @ P.T)
        i, j = np.unravel_index(np.abs(right - P @ P.T).argmax(), right.shape)
        pair = f"x = ({X[i, 0]:g}, {X[i, 1]:g}), z = ({X[j, 0]:g}, {X[j, 1]:g}), c = {c:g}"
        expect(
            close(P @ P.T, right),
            "wrong_value",
            f"for {pair} Φ(x)ᵀΦ(z) is {P[i] @ P[j]:.4f}, but (xᵀz + c)² is {right[i, j]:.4f}.",
        )


def _judge_six(trial, gap):
    """Name what is missing of (xᵀz + 3)² = (xᵀz)² + 6·xᵀz + 9."""
    X = POINTS
    line = X @ X.T
    cross = np.outer(X.prod(axis=1), X.prod(axis=1))
    one = np.ones((3, 3))
    trial.expect_none_of(
        gap,
        close,
        offset_one=(
            4 * line + 8 * one,
            "this is the Φ for c = 1; with another c the linear entries and the constant change.",
        ),
        no_root_cross=(cross, "your Φ lacks the √2 of the cross term x1·x2."),
        no_root_linear=(3 * line, "your Φ lacks the √2 of the linear terms: they carry √(2c)."),
        no_root=(cross + 3 * line, "your Φ lacks every √2: the cross term and the linear terms need one."),
        offset_outside_root=(
            -12 * line,
            "you wrote √2·c·x for the linear terms; half of 2c goes to each side, √(2c)·x.",
        ),
        no_offset_in_linear=(4 * line, "the linear terms lack the offset: 2c·x1·z1 splits into √(2c)·x1 and √(2c)·z1."),
        root_of_constant=(6 * one, "the constant in the square is c², so Φ holds c, not √c."),
        two_for_root_two=(
            -2 * cross,
            -6 * line,
            -2 * cross - 6 * line,
            -30 * line,
            -2 * cross - 30 * line,
            "you wrote 2 where √2 belongs: the products square it.",
        ),
    )


def _six(linear, cross=2**0.5, constant=lambda c: c):
    """Φ with these factors of the linear entries and of x1·x2, and this constant."""
    return lambda x, c: [constant(c), linear(c) * x[0], linear(c) * x[1], x[0] ** 2, cross * x[0] * x[1], x[1] ** 2]


def _root(c):
    return np.sqrt(2 * c)


six_features.right = _six(_root)
six_features.wrong = {
    "wrong_length": lambda x, c: [1, x[0], x[1]],
    "offset_one": _six(lambda c: np.sqrt(2), constant=lambda c: 1),
    "no_root_cross": _six(_root, 1),
    "no_root_linear": _six(np.sqrt),
    "no_root": _six(np.sqrt, 1),
    "offset_outside_root": _six(lambda c: np.sqrt(2) * c),
    "no_offset_in_linear": _six(lambda c: np.sqrt(2)),
    "root_of_constant": _six(_root, constant=np.sqrt),
    "two_for_root_two": [
        _six(_root, 2),
        _six(lambda c: 2 * np.sqrt(c)),
        _six(lambda c: 2 * np.sqrt(c), 2),
        _six(lambda c: 2 * c),
        _six(lambda c: 2 * c, 2),
    ],
    "wrong_value": [_six(_root, constant=lambda c: 0), _six(lambda c: np.sqrt(6))],
}
six_features.scenes = {
    "no_root_cross": (identity, "x₁x₂ and x₂x₁ apart"),
    "no_root": (weights, "Strong penalty"),
}


@exercise("A whole Gram matrix")
def polynomial_gram(trial):
    """The matrix of all (X_iᵀX_j + c)^p."""
    X = trial.changed(POINTS)
    K = numbers(trial.ask(X, 3, 2.0), "K")
    G = X @ X.T
    right = (G + 2) ** 3
    expect(
        K.shape == (3, 3),
        "wrong_shape",
        f"K should be 3 × 3, one row and one column for each point; yours has shape {K.shape}.",
    )
    trial.expect_none_of(
        K,
        close,
        offset_after_power=(G**3 + 2, "you added c after the power; it belongs inside the bracket."),
        no_offset=(G**3, "your K lacks the offset c."),
        offset_on_diagonal=(
            (G + 2 * np.eye(3)) ** 3,
            "you added c to the diagonal only; every pair of points has it, not just a point with itself.",
        ),
        matrix_power=(np.linalg.matrix_power(G + 2, 3), "you multiplied matrices; take the power entry by entry."),
        fixed_power=(*((G + 2) ** p for p in (1, 2, 4)), "the power is fixed in your code: use the p that comes in."),
        fixed_offset=(*((G + c) ** 3 for c in (1, 3)), "the offset is fixed in your code: use the c that comes in."),
    )
    i, j = np.unravel_index(np.abs(K - right).argmax(), K.shape)
    expect(close(K, right), "wrong_value", f"K[{i}, {j}] should be {right[i, j]:.4f}, yours is {K[i, j]:.4f}.")
    few = numbers(trial.ask(X[:2], 2, 0.5), "K")
    expect(
        close(few, (G[:2, :2] + 0.5) ** 2),
        "other_numbers",
        "right for 3 points, p = 3, c = 2, but not for 2 points, p = 2, c = 0.5.",
    )
    wide = np.array([[1.0, 0.0, 2.0, -1.0], [0.5, 1.0, -1.0, 3.0]])
    K = numbers(trial.ask(wide, 3, 1.0), "K")
    sentence = "right in the plane, wrong for points with 4 inputs: xᵀz adds up the products of all of them."
    expect(close(K, (wide @ wide.T + 1) ** 3), "plane_only", sentence)


polynomial_gram.right = lambda X, p, c: (X @ X.T + c) ** p
polynomial_gram.wrong = {
    "wrong_shape": lambda X, p, c: (X.T @ X + c) ** p,
    "offset_after_power": lambda X, p, c: (X @ X.T) ** p + c,
    "no_offset": lambda X, p, c: (X @ X.T) ** p,
    "offset_on_diagonal": lambda X, p, c: (X @ X.T + c * np.eye(len(X))) ** p,
    "matrix_power": lambda X, p, c: np.linalg.matrix_power(X @ X.T + c, p),
    "fixed_power": [fixed(lambda X, p, c: (X @ X.T + c) ** p, 1, p) for p in (1, 2, 4)],
    "fixed_offset": [fixed(lambda X, p, c: (X @ X.T + c) ** p, 2, c) for c in (1, 3)],
    "wrong_value": [lambda X, p, c: 2 * (X @ X.T + c) ** p, lambda X, p, c: np.triu((X @ X.T + c) ** p)],
    "other_numbers": [lambda X, p, c: (X @ X.T + 2) ** 3, lambda X, p, c: (X @ X.T + c) ** 3],
    "plane_only": lambda X, p, c: (X[:, :2] @ X[:, :2].T + c) ** p,
}


@exercise("The cosine in feature space")
def cosine(trial):
    """k(x, z)/√(k(x, x) k(z, z)) for any kernel k."""
    X = trial.changed(POINTS)
    k = Polynomial(2)
    x = X[0]
    z = X[2]
    value = number(trial.ask(k, x, z))
    right = k(x, z) / np.sqrt(k(x, x) * k(z, z))
    trial.expect_none_of(
        value,
        np.isclose,
        not_divided=(k(x, z), "this is k itself; divide by the two lengths in feature space."),
        no_square_root=(
            k(x, z) / (k(x, x) * k(z, z)),
            "you divided by k(x, x)·k(z, z), the squared lengths: take the square root.",
        ),
        lengths_of_the_inputs=(
            k(x, z) / (np.linalg.norm(x) * np.linalg.norm(z)),
            "you divided by ‖x‖·‖z‖, the lengths of the inputs; the lengths of Φ(x) and Φ(z) are √k(x, x) and "
            "√k(z, z).",
        ),
        one_length=(
            k(x, z) / k(x, x),
            k(x, z) / k(z, z),
            k(x, z) / np.sqrt(k(x, x)),
            k(x, z) / np.sqrt(k(z, z)),
            "you divided by one of the two points' lengths only; both Φ(x) and Φ(z) have one.",
        ),
        angle=(np.arccos(right), np.degrees(np.arccos(right)), "this is the angle; its cosine is asked for."),
    )
    expect(
        np.isclose(value, right),
        "wrong_value",
        f"for x = (1, 2), z = (3, 0.25) it should be {right:.4f}, yours is {value:.4f}.",
    )
    k = Linear()  # another kernel, and a negative cosine
    x = X[1]
    z = X[0]
    value = number(trial.ask(k, x, z))
    right = k(x, z) / np.sqrt(k(x, x) * k(z, z))
    expect(
        np.isclose(value, right),
        "one_kernel_only",
        f"right for {Polynomial(2)}, not for {k}: {right:.4f}, yours is {value:.4f}.",
    )


cosine.right = lambda k, x, z: k(x, z) / np.sqrt(k(x, x) * k(z, z))
cosine.wrong = {
    "not_divided": lambda k, x, z: k(x, z),
    "no_square_root": lambda k, x, z: k(x, z) / (k(x, x) * k(z, z)),
    "lengths_of_the_inputs": lambda k, x, z: k(x, z) / np.linalg.norm(x) / np.linalg.norm(z),
    "one_length": [
        lambda k, x, z: k(x, z) / k(x, x),
        lambda k, x, z: k(x, z) / k(z, z),
        lambda k, x, z: k(x, z) / np.sqrt(k(x, x)),
        lambda k, x, z: k(x, z) / np.sqrt(k(z, z)),
    ],
    "angle": [
        lambda k, x, z: np.arccos(k(x, z) / np.sqrt(k(x, x) * k(z, z))),
        lambda k, x, z: np.degrees(np.arccos(k(x, z) / np.sqrt(k(x, x) * k(z, z)))),
    ],
    "wrong_value": lambda k, x, z: 0.5,
    "one_kernel_only": [
        lambda k, x, z: (x @ z + 1) ** 2 / ((x @ x + 1) * (z @ z + 1)),
        lambda k, x, z: np.sqrt(k(x, z) ** 2 / k(x, x) / k(z, z)),
    ],
}


@exercise("Features of 3·k1 + k2")
def features_of_a_sum(trial):
    """(√3·Φ1(x), Φ2(x)), or any other features whose inner products are the values of 3·k1 + k2."""
    X = trial.changed(POINTS)
    k = 3 * Linear() + Polynomial(2)
    phi1 = Linear().feature_map()
    phi2 = Monomials(2)
    rows = [numbers(trial.ask(phi1(x), phi2(x)), "the features of one point") for x in X]
    expect(
        all(row.ndim == 1 for row in rows),
        "no_vector",
        f"the features of one point are one vector; yours has shape {rows[0].shape}.",
    )
    expect(
        len(rows[0]) > 6,
        "not_side_by_side",
        f"2 and 6 features, side by side, are 8; you have {len(rows[0])}. Sums of kernels concatenate.",
    )
    P = np.array(rows)
    right = k(X)
    value = P @ P.T
    part = Linear()(X)
    trial.expect_none_of(
        value,
        close,
        three_for_root_three=(right + 6 * part, "you scaled Φ1 by 3; the inner product squares it, so it is √3."),
        no_factor=(right - 2 * part, "the factor 3 is missing."),
        factor_on_the_other=(part + 3 * Polynomial(2)(X), "the factor 3 belongs to k1; you gave it to k2."),
        factor_on_both=(3 * right - 6 * part, "the factor 3 belongs to k1 alone, not to both."),
    )
    expect(
        close(value, right),
        "wrong_value",
        f"Φ(x)ᵀΦ(z) should be {right[0, 1]:.4f} for the first two points, yours is {value[0, 1]:.4f}.",
    )
    phi1 = np.array([1.0, -2.0, 0.5])
    phi2 = np.array([2.0, 3.0])
    row = numbers(trial.ask(phi1, phi2), "the features of one point")
    sentence = "right for 2 and 6 features, wrong for 3 and 2: the two vectors may have any lengths."
    expect(np.isclose(np.sum(row**2), 3 * phi1 @ phi1 + phi2 @ phi2), "fixed_lengths", sentence)


features_of_a_sum.right = lambda a, b: np.append(np.sqrt(3) * a, b)
features_of_a_sum.wrong = {
    "no_vector": lambda a, b: [a, a],
    "not_side_by_side": lambda a, b: a + b[:2],
    "three_for_root_three": lambda a, b: np.append(3 * a, b),
    "no_factor": lambda a, b: np.append(a, b),
    "factor_on_the_other": lambda a, b: np.append(a, np.sqrt(3) * b),
    "factor_on_both": lambda a, b: np.sqrt(3) * np.append(a, b),
    "wrong_value": lambda a, b: np.append(b, 5 * a),
    "fixed_lengths": lambda a, b: np.append(np.sqrt(3) * a[:2], b[:6]),
}


@challenge("Perpendicular in feature space", identity)
def perpendicular(panel):
    """A challenge: Φ(x) ⟂ Φ(z) for a polynomial with c > 0, and neither point at the origin."""
    values = panel.values
    expect(values["family"] == "polynomial", "another_kernel", "choose the polynomial (xᵀz + c)ᵖ among the kernels.")
    x, z = np.array(values["points"])
    c = values["offset"]
    p = values["degree"]
    expect(c > 0, "no_offset", "with c = 0 feature space has the right angles of the plane; choose c > 0.")
    expect(min(np.hypot(*x), np.hypot(*z)) > 0.1, "at_the_origin", "move both points away from the origin.")
    expect(
        abs(x @ z) > 1e-9,
        "perpendicular_in_the_plane",
        f"x and z are perpendicular in the plane: xᵀz = 0, so k(x, z) = cᵖ = {c**p:.4g}, not 0.",
    )
    cosine = (x @ z + c) ** p / np.sqrt((x @ x + c) ** p * (z @ z + c) ** p)
    expect(
        x @ z < 0, "acute_angle", f"xᵀz = {x @ z:.2f} is positive, and c makes it larger. Turn z until xᵀz is negative."
    )
    expect(
        abs(cosine) < 0.01,
        "not_yet",
        f"xᵀz = {x @ z:.2f} and c = {c:g}: the cosine in feature space is {cosine:.3f}, not yet 0.",
    )


perpendicular.right = {"points": ((1.0, 0.5), (-1.0, 0.0))}
perpendicular.wrong = {
    "another_kernel": {"family": "gaussian"},
    "no_offset": {"offset": 0.0, "points": ((1.0, 0.0), (0.0, 1.0))},
    "at_the_origin": {"points": ((0.0, 0.0), (-1.0, 1.0))},
    "perpendicular_in_the_plane": {"points": ((1.0, 0.0), (0.0, 1.0)), "degree": 3, "offset": 2.0},
    "acute_angle": {"points": ((1.0, 1.0), (1.0, 1.0))},
    "not_yet": {"points": ((1.0, 0.0), (-0.5, 0.0))},
}
perpendicular.scenes = {
    "no_offset": (identity, "Without the offset"),
    "perpendicular_in_the_plane": (identity, "Perpendicular"),
}


REASONS = {
    "A": "A is a kernel: it is the sum of xᵀz and the constant 2, with Φ = (x1, x2, √2).",
    "B": "B is none: at x = z = 0 it is −2, and k(x, x) is a squared length.",
    "C": "C is none: it is 0 for z = x, so each Φ(x) would have length 0, and all else would be 0 too.",
    "D": "D is a kernel: powers are products of a kernel with itself, and a sum with factors ≥ 0 is a kernel.",
    "E": "E is none: swap x and z and you get another number; an inner product is symmetric.",
    "F": "F is a kernel: cos(x1 − z1) = cos x1·cos z1 + sin x1·sin z1. Read the right side as an inner product.",
}


@exercise("Is it a kernel?")
def which_are_kernels(trial):
    """The letters of the kernels among six functions."""
    answer = trial.ask()
    parts = answer.ravel().tolist() if isinstance(answer, np.ndarray) else answer
    expect(
        isinstance(parts, (str, list, tuple, set, frozenset)) and all(isinstance(part, str) for part in parts),
        "no_letters",
        'return the letters as one text, such as "BE".',
    )
    text = re.sub(r"\band\b", "", "".join(parts), flags=re.IGNORECASE)  # as in “A and B”
    letters = {letter for letter in text.upper() if letter.isalpha()}
    expect(letters <= set(REASONS), "unknown_letter", "the letters go from A to F.")
    expect("B" not in letters, "negative_diagonal", REASONS["B"])
    expect("C" not in letters, "zero_diagonal", REASONS["C"])
    expect("E" not in letters, "not_symmetric", REASONS["E"])
    expect("A" in letters, "sum_not_seen", REASONS["A"])
    expect("D" in letters, "powers_not_seen", REASONS["D"])
    expect("F" in letters, "cosine_not_seen", REASONS["F"])


which_are_kernels.right = "ADF"
which_are_kernels.wrong = {
    "no_letters": [lambda: [True, False], True],
    "unknown_letter": "AG",
    "negative_diagonal": "ABDF",
    "zero_diagonal": "ACDF",
    "not_symmetric": "adef",
    "sum_not_seen": "DF",
    "powers_not_seen": "AF",
    "cosine_not_seen": "AD",
}


summary = summary_of(
    six_features,
    polynomial_gram,
    features_of_a_sum,
    which_are_kernels,
    deeper=(
        cosine,
        perpendicular,
    ),
)
