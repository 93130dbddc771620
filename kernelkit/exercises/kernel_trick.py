"""Checks of notebook 02."""

import numpy as np

from kernelkit import Linear, Monomials, Polynomial
from kernelkit.exercises.base import ask, close, exercise, expect, number, summary_of

X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]])


@exercise("Six features")
def six_features(phi):
    """Φ with Φ(x)ᵀΦ(z) = (xᵀz + 1)² for two inputs."""
    P = np.array([np.asarray(ask(phi, x), float) for x in X])
    expect(P.shape == (3, 6), "wrong_length",
           f"Φ(x) should have 6 entries, one a monomial to degree 2; yours has shape {P.shape[1:]}.")  # fmt: skip
    wanted = (X @ X.T + 1) ** 2
    gap, line, cross = wanted - P @ P.T, X @ X.T, np.outer(X.prod(axis=1), X.prod(axis=1))
    expect(not close(gap, cross), "no_root_in_cross_term", "your Φ lacks the √2 of the cross term x1·x2.")
    expect(not close(gap, line), "no_root_in_linear_terms", "your Φ lacks the √2 of the linear terms.")
    expect(not close(gap, cross + line), "no_roots",
           "your Φ lacks every √2: the cross term and the linear terms need one.")  # fmt: skip
    doubled = [a * cross + b * line for a, b in ((-2, 0), (0, -2), (-2, -2))]
    expect(not any(close(gap, d) for d in doubled), "two_for_root_two",
           "you wrote 2 where √2 belongs: the products square it.")  # fmt: skip
    i, j = np.unravel_index(np.abs(gap).argmax(), gap.shape)
    pair = f"x = ({X[i, 0]:g}, {X[i, 1]:g}), z = ({X[j, 0]:g}, {X[j, 1]:g})"
    expect(close(P @ P.T, wanted), "other_kernel",
           f"for {pair} Φ(x)ᵀΦ(z) is {P[i] @ P[j]:.4f}, but (xᵀz + 1)² is {wanted[i, j]:.4f}.")  # fmt: skip


@exercise("A Gram matrix without loops")
def polynomial_gram(gram):
    """The matrix of all (X_iᵀX_j + c)^p."""
    K = np.asarray(ask(gram, X, 3, 2.0), float)
    wanted = Polynomial(3, 2.0)(X)
    expect(K.shape == (3, 3), "wrong_shape",
           f"K should be 3 × 3, one row and one column for each point; yours has shape {K.shape}.")  # fmt: skip
    G = X @ X.T
    expect(not close(K, G**3 + 2), "offset_after_power", "you added c after the power; it belongs inside the bracket.")
    expect(not close(K, G**3), "no_offset", "your K lacks the offset c.")
    expect(not close(K, np.linalg.matrix_power(G + 2, 3)), "matrix_power",
           "you multiplied matrices; take the power entry by entry.")  # fmt: skip
    i, j = np.unravel_index(np.abs(K - wanted).argmax(), K.shape)
    expect(close(K, wanted), "wrong_entry", f"K[{i}, {j}] should be {wanted[i, j]:.4f}, yours is {K[i, j]:.4f}.")


@exercise("The kernel as an angle")
def cosine(kernel):
    """k(x, z)/√(k(x, x) k(z, z)) for any kernel k."""
    k, x, z = Polynomial(2), X[0], X[2]
    value = number(ask(kernel, k, x, z))
    wanted = k(x, z) / np.sqrt(k(x, x) * k(z, z))
    expect(not np.isclose(value, k(x, z)), "not_divided",
           "this is k itself; divide by the two lengths in feature space.")  # fmt: skip
    expect(not np.isclose(value, k(x, z) / (k(x, x) * k(z, z))), "no_square_root",
           "you divided by k(x, x)·k(z, z), the squared lengths: take the square root.")  # fmt: skip
    expect(
        not np.isclose(value, k(x, z) / (np.linalg.norm(x) * np.linalg.norm(z))),
        "lengths_of_the_inputs",
        "you divided by ‖x‖·‖z‖, the lengths of the inputs; the lengths of Φ(x) and Φ(z) are √k(x, x) and √k(z, z).",
    )
    expect(np.isclose(value, wanted), "wrong_value",
           f"for x = (1, 2), z = (3, 0.25) it should be {wanted:.4f}, yours is {value:.4f}.")  # fmt: skip
    k, z = Linear(), X[1]  # another kernel, and a negative cosine
    value, wanted = number(ask(kernel, k, x, z)), k(x, z) / np.sqrt(k(x, x) * k(z, z))
    expect(np.isclose(value, wanted), "one_kernel_only",
           f"right for {Polynomial(2)}, not for {k}: {wanted:.4f}, yours is {value:.4f}.")  # fmt: skip


@exercise("Features of 3·k1 + k2")
def features_of_a_sum(combine):
    """From Φ1(x) and Φ2(x), the features of 3·k1 + k2."""
    k, phi1, phi2 = 3 * Linear() + Polynomial(2), Linear().feature_map(), Monomials(2)
    a, b = (np.asarray(ask(combine, phi1(x), phi2(x)), float) for x in (X[0], X[1]))
    expect(
        a.shape == (8,),
        "not_side_by_side",
        f"2 features and 6 features, side by side, are 8; yours has shape {a.shape}. Sums of kernels concatenate.",
    )
    wanted, value = k(X[0], X[1]), a @ b
    part = Linear()(X[0], X[1])
    expect(not np.isclose(value, wanted + 6 * part), "three_for_root_three",
           "you scaled Φ1 by 3; the inner product squares it, so it is √3.")  # fmt: skip
    expect(not np.isclose(value, wanted - 2 * part), "no_factor", "the factor 3 is missing.")
    expect(np.isclose(value, wanted), "wrong_value", f"Φ(x)ᵀΦ(z) should be {wanted:.4f}, yours is {value:.4f}.")


summary = summary_of(six_features, polynomial_gram, features_of_a_sum, cosine)
