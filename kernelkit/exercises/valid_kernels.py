"""Checks of notebook 09."""

import numpy as np

from kernelkit import Gaussian, Polynomial
from kernelkit.exercises.base import Unsolved, ask, close, exercise, expect, number, reached, summary_of
from kernelkit.kernels import Kernel
from kernelkit.latex import plain
from kernelkit.study.formula import Formula
from kernelkit.study.validity import refutes, witness

X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25], [-1.5, 0.5]])


@exercise("Features out of nothing")
def features_from_gram(features):
    """Φ with ΦΦᵀ = K, from K alone."""
    for K in (Gaussian(1.0)(X), Polynomial(2)(X), X @ X.T - 1e-13 * np.eye(4)):  # the last as rounding may leave it
        value = np.asarray(ask(features, K))
        expect(not close(value, K), "gave_k", "this is K itself; its rows are no features yet.")
        expect(
            not np.iscomplexobj(value) and not np.isnan(value.astype(float, copy=False)).any(),
            "root_of_negative",
            "a root of a tiny negative eigenvalue is not a number: cut the eigenvalues at 0 first.",
        )
        kappa, U = np.linalg.eigh(K)
        expect(value.ndim == 2 and len(value) == 4, "wrong_shape", f"Φ should have 4 rows, yours is {value.shape}.")
        Phi = value.astype(float)
        expect(
            not close(Phi.T @ Phi, K) or close(Phi @ Phi.T, K), "transposed", "one *row* for each point: transpose it."
        )
        expect(not close(Phi, U * kappa), "no_root", "you stretched by κ; the product squares it, so it is √κ.")
        expect(not close(Phi @ Phi.T, np.eye(4)), "not_stretched", "the eigenvectors alone give I; stretch them by √κ.")
        rows = np.sqrt(np.maximum(kappa, 0))[:, None] * U
        expect(
            not close(Phi, rows) or close(Phi @ Phi.T, K), "stretched_rows", "stretch the columns of U, not its rows."
        )
        gap = np.abs(Phi @ Phi.T - K).max()
        expect(close(Phi @ Phi.T, K), "wrong", f"ΦΦᵀ differs from K by up to {gap:.4f}.")


@exercise("Exactly these six")
def six_features(k):
    """A kernel whose features are 1, x1, x2, x1², √2·x1x2 and x2²."""
    if k is None or k is Ellipsis:
        raise Unsolved
    expect(isinstance(k, Kernel), "no_kernel", f"k should be a kernel, not {type(k).__name__}.")
    try:
        phi = k.feature_map()
        D, names = phi.dim(2), sorted(map(plain, phi.names(2)))
        P = phi(X)
    except ValueError as error:
        expect(False, "no_features", f"its features cannot be listed: {error}")
    shown = ", ".join(names)
    wanted = np.column_stack([np.ones(4), X, X**2, np.sqrt(2) * X[:, :1] * X[:, 1:]])
    expect(not close(k(X), (X @ X.T + 1) ** 2), "square_of_sum", "its linear features carry a √2; they should not.")
    expect(D == 6, "not_six", f"it has {D} features, not 6: {shown}.")
    left = [column for column in P.T if not any(np.allclose(np.abs(column), np.abs(w)) for w in wanted.T)]
    expect(not left and close(k(X), wanted @ wanted.T), "other_six", f"six features, but not these: {shown}.")


@exercise("The distance of two functions")
def distance_of_functions(distance):
    """‖h − g‖ for h = Σ a_i k(X_i, ·) and g = Σ b_j k(Z_j, ·)."""
    k, Z = Gaussian(1.0), X[:3] + 0.5
    a, b = np.array([1.0, -2.0, 0.5, 1.0]), np.array([0.5, 1.0, -1.0])
    value = number(ask(distance, k, X, a, Z, b))
    aa, ab, bb = a @ k(X) @ a, a @ k(X, Z) @ b, b @ k(Z) @ b
    wanted = np.sqrt(aa - 2 * ab + bb)
    expect(not np.isclose(value, wanted**2), "squared", "this is the squared distance; take the root.")
    expect(not np.isclose(value, np.sqrt(aa + bb)), "no_cross", "the term −2⟨h, g⟩ is missing: h and g overlap.")
    expect(not np.isclose(value, np.sqrt(max(aa - ab + bb, 0))), "cross_once", "⟨h, g⟩ belongs there twice.")
    expect(not np.isclose(value, np.sqrt(aa + 2 * ab + bb)), "sum", "this is ‖h + g‖: the cross term has a minus.")
    expect(
        not np.isclose(value, np.sqrt(a @ a - 2 * a[:3] @ b + b @ b)),
        "no_kernel",
        "the weights alone are not enough: K.",
    )
    expect(np.isclose(value, wanted), "wrong", f"it should be {wanted:.4f}, yours is {value:.4f}.")
    same = number(ask(distance, k, X, a, X.copy(), a.copy()))
    expect(
        np.isfinite(same) and abs(same) < 1e-5,
        "not_zero",
        "for h = g it should be 0: cut the squares at 0 before the root.",
    )


@exercise("Three witnesses")
def three_witnesses(panel):
    """Three points on a line that refute exp(−‖x − z‖³), by more than 0.05."""
    values = reached(panel)
    expect(
        values.get("candidate") == "exp(−‖x − z‖³)",
        "other_function",
        "the panel shows another function: choose exp(−‖x − z‖³).",
    )
    expect(values["space"] == "line", "plane", "on a line, please: the plane makes it easier.")
    expect(values["n"] == 3, "not_three", f"exactly three points are asked for, the panel has {values['n']}.")
    line, f = np.array(values["points"])[:3, :1], Formula("exp(-norm(x - z)**3)")
    value, _ = witness(f, line)
    gaps = np.diff(np.sort(line[:, 0]))
    expect(
        refutes(f, line) or gaps.max() < 0.9, "strangers", "these points hardly know each other, K is nearly I: closer."
    )
    expect(refutes(f, line), "no_witness", f"these refute nothing: the smallest vᵀKv is {value:.4f}. Try equal gaps.")
    expect(value < -0.05, "too_small", f"a witness, but the smallest vᵀKv is {value:.4f}; get it below −0.05.")


summary = summary_of(features_from_gram, six_features, distance_of_functions, three_witnesses)
