"""The exercises of notebook 04: the cut feature vector, the Gram matrix, h as a sum of bumps, basis against kernel."""

from math import factorial

import numpy as np

from kernelkit import Centres, Gaussian, KernelRidge, PrimalRidge, datasets
from kernelkit.exercises.base import ask, exercise, expect, summary_of


def _same(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-9)


def _expect_none_of(value, wrong):
    """wrong: {name: (what the mistake would give, the sentence)}."""
    for name, (mistaken, message) in wrong.items():
        expect(not _same(value, mistaken), name, message)


@exercise("The first m features")
def first_features(features):
    """features(x, sigma, m) for a number x: e^{−x²/2σ²} (x/σ)^j / √j! for j = 0 … m − 1."""
    x, sigma, m = 1.5, 1.7, 6
    value = np.asarray(ask(features, x, sigma, m), float)
    expect(
        value.shape == (m,),
        "wrong_length",
        f"with m = {m} there should be {m} numbers, j = 0 … {m - 1}; yours has the shape {value.shape}.",
    )
    j = np.arange(m)
    root, f, u = np.sqrt([factorial(i) for i in j]), np.exp(-(x**2) / (2 * sigma**2)), x / sigma
    _expect_none_of(value, {
        "no_factor": (u**j / root,
            "the factor exp(−x²/2σ²) in front is missing: this Φ belongs to exp(xz/σ²), not to the Gaussian."),
        "no_root_below": (f * u**j, "the √j! below is missing."),
        "factorial_for_root": (f * u**j / root**2,
            "you divide by j!, not by √j!: in the product φ_j(x)·φ_j(z) the root appears twice."),
        "x_for_x_over_sigma": (f * x**j / root, "the powers need x/σ, not x: the unit of x has to cancel."),
        "square_in_factor": (f**2 * u**j / root, "in the factor in front you divide by σ², not by 2σ²."),
        "growing_factor": (u**j / root / f,
            "the factor in front is exp(−x²/2σ²); yours grows: a minus sign is missing."),
        "powers_from_one": (f * u ** (j + 1) / np.sqrt([factorial(i + 1) for i in j]),
            "your powers start at 1: the first feature has (x/σ)⁰ = 1."),
    })  # fmt: skip
    expect(_same(value, f * u**j / root), "wrong_values",
           "for x = 1.5, σ = 1.7, m = 6 these are not e^{−x²/2σ²} (x/σ)^j / √j!.")  # fmt: skip
    expect(_same(np.asarray(features(-x, sigma, m)), f * (-u) ** j / root), "negative_x",
           "for a negative x every odd power should be negative.")  # fmt: skip
    long = np.asarray(ask(features, 3.0, 0.5, 25), float)
    root = np.sqrt([float(factorial(i)) for i in range(25)])
    expect(long.shape == (25,), "wrong_length_of_25",
           f"with m = 25 there should be 25 numbers; yours has the shape {long.shape}.")  # fmt: skip
    expect(_same(long, np.exp(-18) * 6.0 ** np.arange(25) / root), "integer_overflow",
           "right for m = 6, wrong for m = 25: 21! is beyond a whole number of 64 bits, use floats.")  # fmt: skip


@exercise("The Gaussian Gram matrix")
def gram(gaussian_gram):
    """gaussian_gram(X, Z, sigma): (n, d), (m, d) → (n, m)."""
    X = np.array([[0.0, 1.0, 0.5], [2.0, -1.0, 0.0], [0.5, 0.5, -1.0], [1.0, 0.0, 0.2]])
    Z, sigma = np.array([[1.0, 1.0, -0.5], [-1.0, 0.0, 0.3]]), 1.7
    K = np.asarray(ask(gaussian_gram, X, Z, sigma), float)
    difference = X[:, None] - Z
    squared = (difference**2).sum(axis=2)
    right = np.exp(-squared / (2 * sigma**2))
    expect(not _same(K, right.T), "transposed", "row i belongs to X_i and column j to Z_j: yours is the transpose.")
    expect(K.shape == (4, 2), "wrong_shape",
           f"for 4 points X and 2 points Z the matrix is 4 × 2, yours has the shape {K.shape}.")  # fmt: skip
    _expect_none_of(K, {
        "sigma_squared_only": (np.exp(-squared / sigma**2), "you divided by σ², not by 2σ²."),
        "two_sigma": (np.exp(-squared / (2 * sigma)), "you divided by 2σ, not by 2σ²."),
        "not_squared": (np.exp(-np.sqrt(squared) / (2 * sigma**2)), "you forgot to square the distance."),
        "no_minus": (np.exp(squared / (2 * sigma**2)),
            "the exponent needs a minus sign: far points are less similar, not more."),
        "no_exponential": (squared, "these are the squared distances; take exp(−… / 2σ²) of them."),
        "sum_squared": (np.exp(-(difference.sum(axis=2) ** 2) / (2 * sigma**2)),
            "you squared the sum of the differences, not each."),
        "no_factors": (np.exp(X @ Z.T / sigma**2), "this is exp(xᵀz/σ²) without its factors f(x) and f(z)."),
    })  # fmt: skip
    expect(_same(K, right), "wrong_values", "for four points X and two points Z these are not exp(−‖X_i − Z_j‖²/2σ²).")


@exercise("h as a sum of bumps")
def hypothesis(h):
    """h(Z, X, a, sigma): (m, d), (n, d), (n,) → (m,)."""
    X, a, sigma = np.array([[-1.0, 0.5], [0.2, 0.0], [2.0, -1.0]]), np.array([1.0, -2.0, 0.5]), 0.8
    Z = np.array([[-0.5, 0.3], [0.0, 1.0], [1.0, -0.7], [3.0, 0.0]])
    value = np.asarray(ask(h, Z, X, a, sigma), float)
    K = Gaussian(sigma)(Z, X)
    expect(value.shape == (4,), "wrong_length",
           f"for 4 points Z there should be 4 numbers, yours has the shape {value.shape}.")  # fmt: skip
    _expect_none_of(value, {
        "no_weights": (K.sum(axis=1), "the weights a_j are missing: you added up bare bumps."),
        "soft_vote": (K @ a / K.sum(axis=1),
            "you divided by the sum of the votes: that is the soft vote, h is the plain sum."),
        "weights_without_sign": (K @ np.abs(a), "you took the weights' size only: negative weights dig valleys."),
        "mean_for_sum": (K @ a / len(a), "you took the mean over the bumps, not their sum."),
        "sigma_squared_only": (K**2 @ a, "you divided by σ², not by 2σ²."),
    })  # fmt: skip
    expect(_same(value, K @ a), "wrong_values", "these are not Σ_j a_j exp(−‖X_j − z‖²/2σ²).")


@exercise("Basis and kernel")
def two_predictions(predictions):
    """predictions(X, y, Z, sigma, lam) → the basis prediction and the kernel prediction at Z."""
    X, y = datasets.sine(12)
    X = np.column_stack([X, np.cos(X)])
    Z, sigma, lam = np.array([[-1.0, 0.5], [0.4, 0.9], [2.5, -0.5]]), 0.7, 0.3
    pair = ask(predictions, X, y, Z, sigma, lam)
    expect(np.ndim(pair) or isinstance(pair, tuple), "not_a_pair", "give back two arrays, (basis, kernel).")
    expect(len(pair) == 2, "not_two", f"give back two arrays, (basis, kernel); yours has {len(pair)} parts.")
    basis, kernel = (np.asarray(p, float) for p in pair)
    k = Gaussian(sigma)
    right_basis = PrimalRidge(Centres(X, sigma), lam).fit(X, y).predict(Z)
    right_kernel = KernelRidge(k, lam).fit(X, y).predict(Z)
    expect(basis.shape == kernel.shape == (3,), "wrong_lengths",
           f"for 3 points Z both have 3 numbers; the shapes are {basis.shape} and {kernel.shape}.")  # fmt: skip
    expect(not (_same(basis, right_kernel) and _same(kernel, right_basis)), "swapped",
           "the two are swapped: the basis comes first.")  # fmt: skip
    expect(
        not _same(basis, right_kernel),
        "basis_is_the_kernel",
        "your basis prediction is the kernel's: for the basis Z̃Zᵀ and ZZᵀ take the places of K̃ and K.",
    )
    expect(not _same(kernel, right_basis), "kernel_is_the_basis",
           "your kernel prediction is the basis': the kernel needs K̃ and K alone, no products.")  # fmt: skip
    K, K_new = k(X), k(Z, X)
    half = K_new @ np.linalg.solve(K @ K + lam * np.eye(12), y)
    expect(not _same(basis, half), "no_transposed_basis", "the basis prediction lacks the Zᵀ of Z̃Zᵀ(ZZᵀ + λI)⁻¹y.")
    expect(_same(basis, right_basis), "wrong_basis", "the basis prediction is not Z̃Zᵀ(ZZᵀ + λI)⁻¹y.")
    expect(_same(kernel, right_kernel), "wrong_kernel", "the kernel prediction is not K̃(K + λI)⁻¹y.")


summary = summary_of(first_features, gram, hypothesis, two_predictions)
