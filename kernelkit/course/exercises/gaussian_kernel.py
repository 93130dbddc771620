"""The exercises of notebook 04: a plateau, the Gram matrix, the features, h as a sum of bumps, basis against kernel."""

from math import factorial

import numpy as np

from kernelkit import Gaussian, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    challenge,
    exercise,
    expect,
    hard_coded,
    numbers,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.gaussian_kernel import basis_or_kernel, combination, series, votes
from kernelkit.course.panel.numbers import fixed


def _same(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-9)


@challenge("A plateau", combination)
def plateau(panel):
    """The panel of the sum of bumps: 0.9 ≤ h ≤ 1.1 from −2 to 2."""
    values = panel.values
    X, a = np.array(values["points"]).T
    z = np.linspace(-2, 2, 161)
    h = Gaussian(values["sigma"])(z[:, None], X[:, None]) @ a
    low = h.min()
    high = h.max()
    uneven = high - low > 0.2
    turns = np.count_nonzero(np.diff(np.sign(np.diff(h))))  # hills and valleys
    reach = f"from −2 to 2 your h lies between {fixed(low)} and {fixed(high)}"
    if low < 0.9 and (a < 0).any():
        raise Mistake("negative_weight", f"{reach}: a negative weight digs a valley. Pull all four above 0.")
    if uneven:
        expect(
            turns < 2,
            "bumps_apart",
            f"{reach}, in hills and valleys: the bumps stand apart. Make σ larger, or move the centres together, until "
            "σ is more than half of each gap.",
        )
        if low < 0.9 and low == min(h[0], h[-1]):
            sentence = f"{reach}, lowest at an end: move the outer centres outwards, or make them taller."
            raise Mistake("falls_at_an_end", sentence)
        highest = fixed(z[h.argmax()], 1)
        lowest = fixed(z[h.argmin()], 1)
        raise Mistake(
            "uneven",
            f"{reach}: highest at z = {highest}, lowest at z = {lowest}. Lower the weights near the one, raise them "
            "near the other.",
        )
    expect(low >= 0.9, "too_low", f"{reach}: flat enough, but too low. Raise the weights a little.")
    expect(high <= 1.1, "too_high", f"{reach}: flat enough, but too high. Lower the weights a little.")


plateau.right = {"points": ((-2.4, 0.85), (-0.8, 0.6), (0.8, 0.6), (2.4, 0.85)), "sigma": 1.0}
plateau.wrong = {
    "negative_weight": {"sigma": 1.0},
    "bumps_apart": [
        {"points": ((-2.4, 0.9), (-0.8, 0.9), (0.8, 0.9), (2.4, 0.9)), "sigma": 0.3},
        {"points": ((-2.4, 0.8), (-0.8, 0.6), (0.8, 0.7), (2.4, 0.4)), "sigma": 1.0},
    ],
    "falls_at_an_end": {"points": ((-1.5, 0.6), (-0.5, 0.6), (0.5, 0.6), (1.5, 0.6)), "sigma": 0.9},
    "uneven": {"points": ((-2.4, 0.85), (-0.8, 1.2), (0.8, 0.6), (2.4, 0.85)), "sigma": 1.0},
    "too_low": {"points": ((-2.4, 0.6), (-0.8, 0.4), (0.8, 0.4), (2.4, 0.6)), "sigma": 1.0},
    "too_high": {"points": ((-2.4, 1.1), (-0.8, 0.78), (0.8, 0.78), (2.4, 1.1)), "sigma": 1.0},
}
plateau.scenes = {
    "bumps_apart": (combination, "Narrow: four spikes"),
}


FACTORIALS = (
    "math.factorial takes one whole number, and beyond 20! its results are too large for NumPy's whole numbers; "
    "np.cumprod of floats gives all factorials at once."
)


def _features(trial, x, sigma, D):
    """What the learner gives; NumPy's own words about factorials help nobody."""
    try:
        return numbers(trial.ask(x, sigma, D), "Φ(x)")
    except (TypeError, AttributeError) as error:
        if any(words in str(error) for words in ("scalar", "integer", "sqrt", "factorial")):
            raise Mistake("factorial_of_an_array", FACTORIALS) from None
        raise


@exercise("The first D features")
def first_features(trial):
    """features(x, sigma, D) for a number x: e^{−x²/2σ²} (x/σ)^j / √j! for j = 0 … D − 1."""
    x = trial.changed(1.5)
    sigma = trial.changed(1.7)
    D = trial.size(6)
    value = _features(trial, x, sigma, D)
    expect(
        value.shape == (D,),
        "wrong_length",
        f"with D = {D} there should be {D} numbers, j = 0 … {D - 1}, not the shape {value.shape}.",
    )
    j = np.arange(D)
    root = np.sqrt([factorial(i) for i in j])
    f = np.exp(-(x**2) / (2 * sigma**2))
    u = x / sigma
    right = f * u**j / root
    trial.expect_none_of(
        value,
        _same,
        no_factor=(
            u**j / root,
            "the factor exp(−x²/2σ²) in front is missing: this Φ belongs to exp(xz/σ²), not to the Gaussian.",
        ),
        no_root_below=(f * u**j, "the √j! below is missing."),
        factorial_for_root=(
            f * u**j / root**2,
            "you divide by j!, not by √j!: in the product φ_j(x)·φ_j(z) the root appears twice.",
        ),
        x_for_x_over_sigma=(f * x**j / root, "the powers need x/σ, not x: the unit of x has to cancel."),
        square_in_factor=(f**2 * u**j / root, "in the factor in front you divide by σ², not by 2σ²."),
        growing_factor=(u**j / root / f, "the factor in front is exp(−x²/2σ²); yours grows: a minus sign is missing."),
        powers_from_one=(
            f * u ** (j + 1) / np.sqrt([factorial(i + 1) for i in j]),
            "your powers start at 1: the first feature has (x/σ)⁰ = 1.",
        ),
    )
    expect(
        _same(value, right),
        "wrong_values",
        "for x = 1.5, σ = 1.7, D = 6 these are not e^{−x²/2σ²} (x/σ)^j / √j!.",
    )
    expect(
        _same(_features(trial, -x, sigma, D), f * (-u) ** j / root),
        "negative_x",
        "for a negative x every odd power should be negative.",
    )
    expect(
        _same(_features(trial, 0.0, sigma, D), np.eye(D)[0]),
        "zero_x",
        "right for x = 1.5, wrong for x = 0, which has no logarithm: there Φ(x) = (1, 0, 0, …).",
    )
    other = np.exp(-(0.8**2) / (2 * 0.4**2)) * 2.0**j / root
    sentence = "right for σ = 1.7, wrong for σ = 0.4: use the σ that comes in."
    expect(_same(_features(trial, 0.8, 0.4, D), other), "other_numbers", sentence)
    long = _features(trial, 3.0, 0.5, 25)
    root = np.sqrt([float(factorial(i)) for i in range(25)])
    expect(
        long.shape == (25,),
        "wrong_length_of_25",
        f"with D = 25 there should be 25 numbers; yours has the shape {long.shape}.",
    )
    expect(
        _same(long, np.exp(-18) * 6.0 ** np.arange(25) / root),
        "integer_overflow",
        "right for D = 6, wrong for D = 25: 21! is beyond a whole number of 64 bits, use floats.",
    )


def _factor(x, s):
    return np.exp(-(x**2) / (2 * s**2))


def _root(D):
    """√j! for j = 0 … D − 1."""
    return np.sqrt(np.cumprod(np.maximum(np.arange(D), 1.0)))


def _phi(x, s, D):
    return _factor(x, s) * (x / s) ** np.arange(D) / _root(D)


def _by_logarithms(x, s, D):
    """Each power by the logarithm of x, which 0 does not have."""
    j = np.arange(D)
    return np.sign(x) ** j * np.exp(j * np.log(abs(x) / s) - x**2 / (2 * s**2)) / _root(D)


first_features.right = _phi
first_features.wrong = {
    "factorial_of_an_array": [
        lambda x, s, D: _factor(x, s) * (x / s) ** np.arange(D) / np.sqrt(factorial(np.arange(D))),
        lambda x, s, D: _factor(x, s) * (x / s) ** np.arange(D) / np.sqrt([factorial(j) for j in range(D)]),
    ],
    "wrong_length": lambda x, s, D: _phi(x, s, D + 1),
    "no_factor": lambda x, s, D: (x / s) ** np.arange(D) / _root(D),
    "no_root_below": lambda x, s, D: _factor(x, s) * (x / s) ** np.arange(D),
    "factorial_for_root": lambda x, s, D: _phi(x, s, D) / _root(D),
    "x_for_x_over_sigma": lambda x, s, D: _factor(x, s) * x ** np.arange(D) / _root(D),
    "square_in_factor": lambda x, s, D: np.exp(-(x**2) / s**2) * (x / s) ** np.arange(D) / _root(D),
    "growing_factor": lambda x, s, D: np.exp(x**2 / (2 * s**2)) * (x / s) ** np.arange(D) / _root(D),
    "powers_from_one": lambda x, s, D: _phi(x, s, D + 1)[1:],
    "wrong_values": [
        lambda x, s, D: 2 * _phi(x, s, D),
        lambda x, s, D: np.exp(-(x**2) / (4 * s)) * (x / s) ** np.arange(D) / _root(D),
    ],
    "negative_x": lambda x, s, D: np.abs(_phi(x, s, D)),
    "zero_x": _by_logarithms,
    "other_numbers": lambda x, s, D: _phi(x, 1.7, D),
    "wrong_length_of_25": lambda x, s, D: _phi(x, s, 6),
    "integer_overflow": lambda x, s, D: (
        _factor(x, s) * (x / s) ** np.arange(D) / np.sqrt(np.cumprod(np.maximum(np.arange(D), 1)))
    ),
}
first_features.scenes = {
    "no_factor": (series, "Far out"),
}


@exercise("The Gaussian Gram matrix")
def gram(trial):
    """K_ij = exp(−‖X_i − Z_j‖²/2σ²), (n, m), from gaussian_gram(X, Z, sigma)."""
    X = trial.changed(np.array([[0.0, 1.0, 0.5], [2.0, -1.0, 0.0], [0.5, 0.5, -1.0], [1.0, 0.0, 0.2]]))
    Z = trial.changed(np.array([[1.0, 1.0, -0.5], [-1.0, 0.0, 0.3]]))
    sigma = trial.changed(1.7)
    K = numbers(trial.ask(X, Z, sigma), "the matrix")
    difference = X[:, None] - Z
    squared = (difference**2).sum(axis=2)
    right = np.exp(-squared / (2 * sigma**2))
    expect(not _same(K, right.T), "transposed", "row i belongs to X_i and column j to Z_j: yours is the transpose.")
    expect(
        K.shape == (4, 2),
        "wrong_shape",
        f"for 4 points X and 2 points Z the matrix is 4 × 2, yours has the shape {K.shape}.",
    )
    trial.expect_none_of(
        K,
        _same,
        sigma_squared_only=(np.exp(-squared / sigma**2), "you divided by σ², not by 2σ²."),
        two_sigma=(np.exp(-squared / (2 * sigma)), "you divided by 2σ, not by 2σ²."),
        two_squared=(
            np.exp(-squared / (2 * sigma) ** 2),
            "you squared the 2 as well: (2σ)² is 4σ², and here it is 2σ².",
        ),
        sigma_ignored=(np.exp(-squared / 2), "σ is missing: divide by 2σ²."),
        mean_over_inputs=(
            np.exp(-squared / 3 / (2 * sigma**2)),
            "you took the mean over the inputs; ‖x − z‖² is the sum of their squared differences.",
        ),
        bracket_missing=(
            np.exp(-squared / 2 * sigma**2),
            "/ 2 * sigma**2 divides by 2 and then multiplies by σ²: put brackets around 2 * sigma**2.",
        ),
        plus_in_the_square=(
            np.exp(-((X[:, None] + Z) ** 2).sum(axis=2) / (2 * sigma**2)),
            "you added 2xᵀz: ‖x − z‖² has a minus there, yours is ‖x + z‖².",
        ),
        not_squared=(np.exp(-np.sqrt(squared) / (2 * sigma**2)), "you forgot to square the distance."),
        no_minus=(
            np.exp(squared / (2 * sigma**2)),
            "the exponent needs a minus sign: far points are less similar, not more.",
        ),
        no_exponential=(squared, "these are the squared distances; take exp(−… / 2σ²) of them."),
        sum_squared=(
            np.exp(-(difference.sum(axis=2) ** 2) / (2 * sigma**2)),
            "you squared the sum of the differences, not each.",
        ),
        no_factors=(np.exp(X @ Z.T / sigma**2), "this is exp(xᵀz/σ²) without its factors f(x) and f(z)."),
    )
    expect(_same(K, right), "wrong_values", "for four points X and two points Z these are not exp(−‖X_i − Z_j‖²/2σ²).")
    rng = trial.draws(4)
    X = rng.standard_normal((3, 2))
    Z = rng.standard_normal((5, 2))
    again = numbers(trial.ask(X, Z, 0.6), "the matrix")
    sentence = (
        "right for the first points and σ = 1.7, wrong for 3 and 5 points with 2 inputs and σ = 0.6: use what comes in."
    )
    expect(_same(again, Gaussian(0.6)(X, Z)), "other_numbers", sentence)


def _squared(X, Z):
    return ((X[:, None] - Z) ** 2).sum(axis=2)


def _gram(X, Z, s):
    return np.exp(-_squared(X, Z) / (2 * s**2))


gram.right = _gram
gram.wrong = {
    "transposed": lambda X, Z, s: _gram(Z, X, s),
    "wrong_shape": lambda X, Z, s: _gram(X, X, s),
    "sigma_squared_only": lambda X, Z, s: np.exp(-_squared(X, Z) / s**2),
    "two_sigma": lambda X, Z, s: np.exp(-_squared(X, Z) / (2 * s)),
    "two_squared": lambda X, Z, s: np.exp(-_squared(X, Z) / (2 * s) ** 2),
    "sigma_ignored": lambda X, Z, s: np.exp(-_squared(X, Z) / 2),
    "mean_over_inputs": lambda X, Z, s: np.exp(-((X[:, None] - Z) ** 2).mean(axis=2) / (2 * s**2)),
    "bracket_missing": lambda X, Z, s: np.exp(-_squared(X, Z) / 2 * s**2),
    "plus_in_the_square": lambda X, Z, s: _gram(X, -Z, s),
    "not_squared": lambda X, Z, s: np.exp(-np.sqrt(_squared(X, Z)) / (2 * s**2)),
    "no_minus": lambda X, Z, s: np.exp(_squared(X, Z) / (2 * s**2)),
    "no_exponential": lambda X, Z, s: _squared(X, Z),
    "sum_squared": lambda X, Z, s: np.exp(-((X[:, None] - Z).sum(axis=2) ** 2) / (2 * s**2)),
    "no_factors": lambda X, Z, s: np.exp(X @ Z.T / s**2),
    "wrong_values": [lambda X, Z, s: _gram(X, Z, 2 * s), lambda X, Z, s: _gram(X[:, :2], Z[:, :2], s)],
    "other_numbers": [lambda X, Z, s: _gram(X, Z, 1.7), hard_coded(_gram)],
}


@exercise("h as a sum of bumps")
def hypothesis(trial):
    """h(z) = Σ_i a_i exp(−‖X_i − z‖²/2σ²) at each z, (m,), from h(Z, X, a, sigma)."""
    X = np.array([[-1.0, 0.5], [0.2, 0.0], [2.0, -1.0]])
    a = trial.changed(np.array([1.0, -2.0, 0.5]))
    sigma = trial.changed(0.8)
    Z = np.array([[-0.5, 0.3], [0.0, 1.0], [1.0, -0.7], [3.0, 0.0]])
    square = numbers(trial.ask(Z[:3], X, a, sigma))  # as many new points as centres
    expect(
        not _same(square, Gaussian(sigma)(X, Z[:3]) @ a),
        "transposed",
        "your matrix is transposed: each z has a row and each X_i a column, so that K @ a adds over i.",
    )
    value = numbers(trial.ask(Z, X, a, sigma))
    K = Gaussian(sigma)(Z, X)
    right = K @ a
    expect(
        value.shape == (4,),
        "wrong_length",
        f"for 4 points Z there should be 4 numbers, yours has the shape {value.shape}.",
    )
    trial.expect_none_of(
        value,
        _same,
        no_weights=(K.sum(axis=1), "the weights a_i are missing: you added up bare bumps."),
        soft_vote=(
            right / K.sum(axis=1),
            "you divided by the sum of the votes: that is the soft vote, h is the plain sum.",
        ),
        weights_without_sign=(K @ np.abs(a), "you took the weights' size only: negative weights dig valleys."),
        mean_for_sum=(right / len(a), "you took the mean over the bumps, not their sum."),
        sigma_squared_only=(K**2 @ a, "you divided by σ², not by 2σ²."),
        two_sigma=(K**sigma @ a, "you divided by 2σ, not by 2σ²."),
        two_squared=(np.sqrt(K) @ a, "you squared the 2 as well: (2σ)² is 4σ², and here it is 2σ²."),
        bracket_missing=(
            K ** (sigma**4) @ a,
            "/ 2 * sigma**2 divides by 2 and then multiplies by σ²: put brackets around 2 * sigma**2.",
        ),
        sigma_ignored=(K ** (sigma**2) @ a, "σ is missing: divide by 2σ²."),
    )
    expect(_same(value, right), "wrong_values", "these are not Σ_i a_i exp(−‖X_i − z‖²/2σ²).")
    rng = trial.draws(4)
    X = rng.standard_normal((5, 3))
    Z = rng.standard_normal((2, 3))
    a = rng.standard_normal(5)
    again = numbers(trial.ask(Z, X, a, 1.6))
    sentence = (
        "right for 3 bumps in the plane and σ = 0.8, wrong for 5 bumps with 3 inputs and σ = 1.6: use what comes in."
    )
    expect(_same(again, Gaussian(1.6)(Z, X) @ a), "other_numbers", sentence)


hypothesis.right = lambda Z, X, a, s: _gram(Z, X, s) @ a
hypothesis.wrong = {
    "transposed": lambda Z, X, a, s: _gram(X, Z, s) @ a,
    "wrong_length": lambda Z, X, a, s: _gram(X, X, s) @ a,
    "no_weights": lambda Z, X, a, s: _gram(Z, X, s).sum(axis=1),
    "soft_vote": lambda Z, X, a, s: _gram(Z, X, s) @ a / _gram(Z, X, s).sum(axis=1),
    "weights_without_sign": lambda Z, X, a, s: _gram(Z, X, s) @ np.abs(a),
    "mean_for_sum": lambda Z, X, a, s: (_gram(Z, X, s) * a).mean(axis=1),
    "sigma_squared_only": lambda Z, X, a, s: np.exp(-_squared(Z, X) / s**2) @ a,
    "two_sigma": lambda Z, X, a, s: np.exp(-_squared(Z, X) / (2 * s)) @ a,
    "two_squared": lambda Z, X, a, s: np.exp(-_squared(Z, X) / (2 * s) ** 2) @ a,
    "bracket_missing": lambda Z, X, a, s: np.exp(-_squared(Z, X) / 2 * s**2) @ a,
    "sigma_ignored": lambda Z, X, a, s: np.exp(-_squared(Z, X) / 2) @ a,
    "wrong_values": [lambda Z, X, a, s: Z @ X.T @ a, lambda Z, X, a, s: _gram(Z[:, :1], X[:, :1], s) @ a],
    "other_numbers": [
        lambda Z, X, a, s: _gram(Z, X, 0.8) @ a,
        lambda Z, X, a, s: _gram(Z[:, :2], X[:, :2], s) @ a,
        lambda Z, X, a, s: sum(a[i] * _gram(Z, X[[i]], s).ravel() for i in range(3)),
    ],
}
hypothesis.scenes = {
    "no_weights": (combination, "X₃ turned over"),
    "weights_without_sign": (combination, "X₃ turned over"),
    "soft_vote": (votes, "Far from all"),
}


@exercise("Basis and kernel")
def two_predictions(trial):
    """B̃Bᵀ(BBᵀ + λI)⁻¹y and K̃(K + λI)⁻¹y, where the bumps at the training points are the features: B = K, B̃ = K̃."""
    n = trial.size(12)
    X, y = datasets.sine(n, random_state=trial.seeded(0))
    X = np.column_stack([X, np.cos(X)])
    Z = np.array([[-1.0, 0.5], [0.4, 0.9], [2.5, -0.5]])
    sigma = 0.7
    lam = 0.3
    right_basis, right_kernel = _both(X, y, Z, sigma, lam)
    basis, kernel = _pair(trial.ask(X, y, Z, sigma, lam))
    expect(
        basis.shape == kernel.shape == (3,),
        "wrong_lengths",
        f"for 3 points Z both have 3 numbers; the shapes are {basis.shape} and {kernel.shape}.",
    )
    expect(
        not (_same(basis, right_kernel) and _same(kernel, right_basis)),
        "swapped",
        "the two are swapped: the basis comes first.",
    )
    expect(
        not _same(basis, right_kernel),
        "basis_is_the_kernel",
        "your basis prediction is the kernel's: for the basis B̃Bᵀ and BBᵀ take the places of K̃ and K.",
    )
    expect(
        not _same(kernel, right_basis),
        "kernel_is_the_basis",
        "your kernel prediction is the basis': the kernel needs K̃ and K alone, no products.",
    )
    B = Gaussian(sigma)(X)  # the features of X: a bump at each training point
    B_new = Gaussian(sigma)(Z, X)
    half = B_new @ np.linalg.solve(B @ B.T + lam * np.eye(n), y)
    interpolating = np.linalg.solve(B, y)
    every_entry = np.linalg.solve(B + lam, y)
    expect(not _same(basis, half), "no_transposed_basis", "the basis prediction lacks the Bᵀ of B̃Bᵀ(BBᵀ + λI)⁻¹y.")
    expect(not _same(kernel, B_new @ interpolating), "no_lam", "you forgot λ: the kernel prediction is K̃(K + λI)⁻¹y.")
    expect(not _same(kernel, B_new @ every_entry), "lam_on_every_entry", "you added λ to every entry of K; it is λI.")
    expect(_same(basis, right_basis), "wrong_basis", "the basis prediction is not B̃Bᵀ(BBᵀ + λI)⁻¹y.")
    expect(_same(kernel, right_kernel), "wrong_kernel", "the kernel prediction is not K̃(K + λI)⁻¹y.")
    given = (X[:5, :1], y[:5], Z[:2, :1], 1.5, 2.0)
    both = _pair(trial.ask(*given))
    sentence = (
        "right for 12 points, σ = 0.7, λ = 0.3, wrong for 5 points with 1 input, σ = 1.5, λ = 2: use what comes in."
    )
    expect(all(map(_same, both, _both(*given))), "other_numbers", sentence)


def _both(X, y, Z, sigma, lam):
    """(basis, kernel), where B and B̃ are K and K̃."""
    K = Gaussian(sigma)(X)
    K_new = Gaussian(sigma)(Z, X)
    eye = np.eye(len(X))
    return K_new @ K.T @ np.linalg.solve(K @ K.T + lam * eye, y), K_new @ np.linalg.solve(K + lam * eye, y)


def _pair(pair):
    """The two parts of the answer, as arrays."""
    expect(shape_of(pair) != (), "not_a_pair", "give back two arrays, (basis, kernel).")
    expect(len(pair) == 2, "not_two", f"give back two arrays, (basis, kernel); yours has {len(pair)} parts.")
    return tuple(numbers(part, "each of the two") for part in pair)


def _solve(K, lam, y):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def _basis(X, y, Z, s, lam):
    B = _gram(X, X, s)
    return _gram(Z, X, s) @ B.T @ _solve(B @ B.T, lam, y)


def _kernel(X, y, Z, s, lam):
    return _gram(Z, X, s) @ _solve(_gram(X, X, s), lam, y)


def _no_transposed_basis(X, y, Z, s, lam):
    B = _gram(X, X, s)
    return _gram(Z, X, s) @ _solve(B @ B.T, lam, y)


def _lam_on_every_entry(X, y, Z, s, lam):
    return _gram(Z, X, s) @ np.linalg.solve(_gram(X, X, s) + lam, y)


def _correct(*given):
    return _basis(*given), _kernel(*given)


two_predictions.right = _correct
two_predictions.wrong = {
    "not_a_pair": lambda *given: 1.0,
    "not_two": lambda *given: (_basis(*given),),
    "wrong_lengths": lambda X, y, Z, s, lam: _correct(X, y, X, s, lam),
    "swapped": lambda *given: (_kernel(*given), _basis(*given)),
    "basis_is_the_kernel": lambda *given: (_kernel(*given), _kernel(*given)),
    "kernel_is_the_basis": lambda *given: (_basis(*given), _basis(*given)),
    "no_transposed_basis": lambda *given: (_no_transposed_basis(*given), _kernel(*given)),
    "no_lam": lambda X, y, Z, s, lam: (_basis(X, y, Z, s, lam), _kernel(X, y, Z, s, 0)),
    "lam_on_every_entry": lambda *given: (_basis(*given), _lam_on_every_entry(*given)),
    "wrong_basis": lambda X, y, Z, s, lam: (_basis(X, y, Z, s, 2 * lam), _kernel(X, y, Z, s, lam)),
    "wrong_kernel": lambda X, y, Z, s, lam: (_basis(X, y, Z, s, lam), _kernel(X, y, Z, s, 2 * lam)),
    "other_numbers": [lambda X, y, Z, s, lam: _correct(X, y, Z, 0.7, lam), hard_coded(_correct)],
}
two_predictions.scenes = {
    "swapped": (basis_or_kernel, "Same large λ"),
    "basis_is_the_kernel": (basis_or_kernel, "Same large λ"),
    "kernel_is_the_basis": (basis_or_kernel, "Same large λ"),
}


summary = summary_of(
    plateau,
    gram,
    hypothesis,
    deeper=(
        first_features,
        two_predictions,
    ),
)
