"""Checks of notebook 09."""

import math

import numpy as np

from kernelkit import Constant, Gaussian, Linear, Normalized, Polynomial, Quadratic
from kernelkit.course.exercises.base import (
    Mistake,
    Unsolved,
    challenge,
    close,
    exercise,
    expect,
    number,
    summary_of,
)
from kernelkit.course.explorers.valid_kernels import break_it
from kernelkit.course.panel.numbers import short
from kernelkit.kernels import Kernel
from kernelkit.latex import plain
from kernelkit.study.formula import Formula
from kernelkit.study.validity import refutes, witness

POINTS = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25], [-1.5, 0.5]])


@exercise("Features out of nothing")
def features_from_gram(trial):
    """Φ = U diag(√κ) with K = U diag(κ) Uᵀ, or any other Φ with ΦΦᵀ = K."""
    X = trial.changed(POINTS)
    rounded = X @ X.T - 1e-13 * np.eye(4)  # as rounding may leave a singular K
    for K in (Gaussian(1.0)(X), Polynomial(2)(X), rounded, Gaussian(2.0)(np.vstack([X, -X]))):
        n = len(K)
        try:
            Phi = _read_features(trial.ask(K), n)
        except np.linalg.LinAlgError:
            if np.linalg.eigvalsh(K).min() > 1e-9:
                raise
            sentence = "K is singular: what needs every eigenvalue above 0 stops, such as Cholesky. Use eigh, cut at 0."
            raise Mistake("singular", sentence) from None
        gram = Phi @ Phi.T
        if np.allclose(gram, K, rtol=1e-5, atol=1e-5):  # as exact as a Φ of single precision
            continue
        kappa, U = np.linalg.eigh(K)
        root = np.sqrt(np.maximum(kappa, 0))
        trial.expect_none_of(
            Phi,
            close,
            gave_k=(K, "this is K itself, and its rows are not features yet."),
            root_of_entries=(np.sqrt(np.abs(K)), "the root is not one of entries but of eigenvalues."),
            no_vectors=(np.diag(root), "these are the √κ alone: the eigenvectors they stretch are missing."),
            stretched_rows=(root[:, None] * U, "stretch the columns of U, not its rows."),
        )
        expect(not close(Phi.T @ Phi, K), "transposed", "one *row* for each point: transpose it.")
        trial.expect_none_of(
            gram,
            close,
            no_root=(K @ K, "you stretched by κ; the product squares it, so it is √κ."),
            not_stretched=(np.eye(n), "the eigenvectors alone give I; stretch them by √κ."),
        )
        expect(Phi.shape[1] >= n, "too_few", f"{Phi.shape[1]} of {n} columns lose a direction: keep all eigenvectors.")
        gap = np.abs(gram - K).max()
        raise Mistake(
            "wrong", f"ΦΦᵀ differs from K by up to {gap:.4f}: each eigenvector should be a column, times its √κ."
        )


def _read_features(value, n):
    """The answer as a real array with n rows."""
    pair = isinstance(value, tuple) and len(value) == 2
    expect(not pair, "pair", "you return two things; Φ is one array, made of κ and U.")
    try:
        value = np.asarray(value, dtype=complex)
    except (TypeError, ValueError):
        sentence = "Φ should be an array of numbers, one row for each point; yours is not."
        raise Mistake("not_numbers", sentence) from None
    expect(
        not np.isnan(value).any() and not value.imag.any(),
        "root_of_negative",
        "a root of a tiny negative eigenvalue is not a number (and eig, unlike eigh, may go complex): cut them at 0.",
    )
    shape = f"Φ should have {n} rows of features, yours has shape {value.shape}."
    expect(value.ndim == 2 and len(value) == n, "wrong_shape", shape)
    expect(np.isfinite(value).all(), "infinite", "Φ should hold finite numbers: did you divide by an eigenvalue of 0?")
    return np.array(value.real)


def _eigen(K):
    """κ, cut at 0, and U."""
    kappa, U = np.linalg.eigh(K)
    return np.maximum(kappa, 0), U


def _features(K):
    kappa, U = _eigen(K)
    return U * np.sqrt(kappa)


def _uncut(K):
    kappa, U = np.linalg.eigh(K)
    return U * np.sqrt(kappa)


def _projected(K):
    """Ku = κu, so Ku/√κ is √κ·u, but not where κ = 0."""
    kappa, U = _eigen(K)
    return K @ U / np.sqrt(kappa)


def _stretched_rows(K):
    kappa, U = _eigen(K)
    return np.sqrt(kappa)[:, None] * U


def _stretched_by_kappa(K):
    kappa, U = _eigen(K)
    return U * kappa


features_from_gram.right = _features
features_from_gram.wrong = {
    "pair": np.linalg.eigh,
    "not_numbers": [lambda K: (row for row in _features(K)), lambda K: Gaussian(1.0)],
    "root_of_negative": [_uncut, lambda K: 1j * _features(K)],
    "wrong_shape": [lambda K: _features(K)[:, 0], lambda K: _features(K)[:4]],
    "infinite": _projected,
    "singular": np.linalg.cholesky,
    "gave_k": lambda K: K,
    "root_of_entries": lambda K: np.sqrt(np.abs(K)),
    "no_vectors": lambda K: np.diag(np.sqrt(_eigen(K)[0])),
    "stretched_rows": _stretched_rows,
    "transposed": lambda K: _features(K).T,
    "no_root": _stretched_by_kappa,
    "not_stretched": lambda K: _eigen(K)[1],
    "too_few": lambda K: _features(K)[:, 1:],
    "wrong": [lambda K: np.zeros_like(K), lambda K: _features(K).round(2)],
}


@exercise("Exactly these six")
def six_features(trial):
    """A kernel whose features are 1, x1, x2, x1², √2·x1x2 and x2²."""
    k = trial.answer
    if k is None or k is Ellipsis:
        raise Unsolved
    expect(
        not isinstance(k, type),
        "a_class",
        "this is a class of kernels; with brackets, as in Linear(), it is one.",
    )
    expect(isinstance(k, Kernel), "no_kernel", f"k should be a kernel, not {type(k).__name__}.")
    X = POINTS
    try:
        K = k(X)
        phi = k.feature_map()
        D = phi.dim(2)
        columns = phi(X).T if D <= 1000 else []
        names = list(map(plain, phi.names(2))) if D <= 1000 else ["far too many"]
    except (TypeError, ValueError) as error:
        raise Mistake("no_features", f"its features cannot be listed: {error}") from None
    for name, column in zip(names, columns, strict=False):
        expect(column.any(), "always_0", f"the feature {_listed([name])} is 0 for every point: leave it out.")
    shown = _listed(sorted(names))
    Phi = np.column_stack([np.ones(4), X, X**2, np.sqrt(2) * X[:, :1] * X[:, 1:]])
    twice = (
        "this is (xᵀz + 1)², whose linear features carry a √2, or come twice; here each should come once, without it."
    )
    expect(not close(K, (X @ X.T + 1) ** 2), "square_of_sum", twice)
    same = close(K, Phi @ Phi.T) and D != 6
    expect(
        not same,
        "not_collected",
        f"the right values, from {D} features, not 6: a power collects equal ones, k * k and k + k do not: {shown}.",
    )
    expect(D == 6, "not_six", f"it has {D} features, not 6: {shown}.")
    left = [column for column in columns if not any(np.allclose(np.abs(column), np.abs(w)) for w in Phi.T)]
    expect(not left and close(k(X), Phi @ Phi.T), "other_six", f"six features, but not these: {shown}.")


six_features.right = 1 + Linear() + Linear() ** 2
six_features.wrong = {
    "a_class": Linear,
    "no_kernel": ["1 + Linear()", lambda X, Z: 1 + X @ Z.T, (1 + Linear() + Linear() ** 2).feature_map()],
    "no_features": [Gaussian(1.0), Quadratic(np.eye(3))],
    "always_0": 1 + Linear() + Linear() ** 2 + Constant(0.0),
    "square_of_sum": [Polynomial(2), (1 + Linear()) * (1 + Linear())],
    "not_collected": [1 + Linear() + Linear() * Linear(), 1 + Linear() + 0.5 * Linear() ** 2 + 0.5 * Linear() ** 2],
    "not_six": [Linear() ** 2, Linear() + Linear() ** 2, Polynomial(60)],
    "other_six": [1 + 3 * Linear() + Linear() ** 2, Polynomial(2, 0.5), Normalized(1 + Linear() + Linear() ** 2)],
}


def _listed(names):
    """The names, as far as a line holds them, without those that only a formula can show."""
    kept = [name for name in names if "\\" not in name]
    while len(", ".join(kept)) > 100:
        kept.pop()
    return ", ".join([*kept, *["…"] * (len(kept) < len(names))])


@exercise("The distance between two functions")
def distance_of_functions(trial):
    """‖h − g‖² = aᵀk(X, X)a − 2aᵀk(X, Z)b + bᵀk(Z, Z)b for h = Σ a_i k(X_i, ·) and g = Σ b_j k(Z_j, ·)."""
    X = trial.changed(POINTS)
    k = Gaussian(1.0)
    Z = X[:3] + 0.5
    a = trial.changed(np.array([1.0, -2.0, 0.5, 1.0]))
    b = trial.changed(np.array([0.5, 1.0, -1.0]))
    value = number(trial.ask(k, X, a, Z, b))
    aa = a @ k(X) @ a
    ab = a @ k(X, Z) @ b
    bb = b @ k(Z) @ b
    right = np.sqrt(aa - 2 * ab + bb)
    trial.expect_none_of(
        value,
        np.isclose,
        squared=(right**2, "this is the squared distance; take the root."),
        no_cross=(np.sqrt(aa + bb), "the term −2⟨h, g⟩ is missing: h and g overlap."),
        cross_once=(
            np.sqrt(max(aa - ab + bb, 0)),
            "⟨h, g⟩ counts twice, because the square of a difference has −2⟨h, g⟩.",
        ),
        sum=(np.sqrt(aa + 2 * ab + bb), "this is ‖h + g‖: the cross term has a minus."),
        no_kernel=(
            np.sqrt(a @ a - 2 * a[:3] @ b + b @ b),
            "the weights alone are not enough, because each inner product needs its K.",
        ),
        negative=(-right, "this is right but for the sign: a distance is never negative."),
        inner_product=(ab, "this is ⟨h, g⟩, one of the three that make the square."),
        of_lengths=(
            np.sqrt(aa) - np.sqrt(bb),
            np.sqrt(bb) - np.sqrt(aa),
            "this is ‖h‖ − ‖g‖; two functions of one length can lie far apart.",
        ),
        one_length=(np.sqrt(aa), "this is ‖h‖; where is g?"),
    )
    expect(np.isfinite(value), "not_finite", "the root of a negative number, or one too large: is every sign right?")
    expect(
        np.isclose(value, right),
        "wrong",
        f"it should be {right:.4f}, yours is {short(value, 5)}: weights, matrix, weights, for each inner product.",
    )
    rng = trial.draws(9)
    for weights in (a, *rng.standard_normal((20, 4))):
        try:  # h = g, with its points in another order: for some weights rounding leaves less than 0
            with np.errstate(invalid="ignore"):
                same = number(trial.ask(k, X, weights, X[::-1], weights[::-1]))
        except ValueError:  # math.sqrt of less than 0
            same = np.nan
        expect(
            np.isfinite(same) and abs(same) < 1e-2,  # the root of what single precision leaves
            "not_zero",
            "for h = g it should be 0: cut the squares at 0 before the root.",
        )
    right = np.linalg.norm(a[:2] @ X[:2] - b @ Z)  # h and g are linear functions
    other = number(trial.ask(Linear(), X[:2], a[:2], Z, b))
    ignored = f"with k = Linear() it should be {right:.4f}, yours is {other:.4f}: use the k that is handed in."
    expect(np.isclose(other, right), "kernel_ignored", ignored)


def _square(k, X, a, Z, b, cross=-2):
    return a @ k(X) @ a + cross * a @ k(X, Z) @ b + b @ k(Z) @ b


def _distance(*given):
    return np.sqrt(max(_square(*given), 0))


def _of_weights(k, X, a, Z, b):
    """As if the second function had the first points."""
    return np.sqrt(a @ a - 2 * a[: len(b)] @ b + b @ b)


distance_of_functions.right = _distance
distance_of_functions.wrong = {
    "squared": _square,
    "no_cross": lambda *given: np.sqrt(_square(*given, cross=0)),
    "cross_once": lambda *given: np.sqrt(_square(*given, cross=-1)),
    "sum": lambda *given: np.sqrt(_square(*given, cross=2)),
    "no_kernel": _of_weights,
    "negative": lambda *given: -_distance(*given),
    "inner_product": lambda k, X, a, Z, b: a @ k(X, Z) @ b,
    "of_lengths": [
        lambda k, X, a, Z, b: np.sqrt(a @ k(X) @ a) - np.sqrt(b @ k(Z) @ b),
        lambda k, X, a, Z, b: np.sqrt(b @ k(Z) @ b) - np.sqrt(a @ k(X) @ a),
    ],
    "one_length": lambda k, X, a, Z, b: np.sqrt(a @ k(X) @ a),
    "not_finite": lambda *given: np.sqrt(-_square(*given)),
    "wrong": [lambda *given: 1.0, lambda k, X, a, Z, b: np.linalg.norm(a @ X - b @ Z)],
    "not_zero": [lambda *given: np.sqrt(_square(*given)), lambda *given: math.sqrt(_square(*given))],
    "kernel_ignored": lambda k, *given: _distance(Gaussian(1.0), *given),
}


@challenge("A witness of three points", break_it)
def three_witnesses(panel):
    """Three points on a line that refute exp(−‖x − z‖³), by more than 0.05."""
    values = panel.values
    expect(
        values["candidate"] == "exp(−‖x − z‖³)",
        "other_function",
        "the panel shows another function: choose exp(−‖x − z‖³) from its list.",
    )
    expect(values["space"] == "line", "plane", "on a line, please: the plane makes it easier.")
    expect(values["n"] == 3, "not_three", f"exactly three points are asked for, the panel has {values['n']}.")
    line = np.array(values["points"])[:3, :1]
    f = Formula("exp(-norm(x - z)**3)")
    value, _ = witness(f, line)
    gaps = np.diff(np.sort(line[:, 0]))
    if not refutes(f, line):
        expect(gaps.min() > 0, "same_place", "two points at one place count as one: drag them apart.")
        raise Mistake("strangers", "neighbours that far apart hardly know each other: closer, and with equal gaps.")
    expect(value < -0.05, "too_small", f"a witness, but the smallest vᵀKv is {short(value)}; get it below −0.05.")


def _on_line(*places, **more):
    """exp(−‖x − z‖³) at these places."""
    points = tuple((x, 0.5) for x in places) + ((2.0, 2.0),) * (6 - len(places))
    return {"candidate": "exp(−‖x − z‖³)", "points": points} | more


three_witnesses.right = _on_line(-0.5, 0.0, 0.5)
three_witnesses.wrong = {
    "other_function": [
        _on_line(-0.5, 0.0, 0.5, candidate="xᵀz − 1"),
        _on_line(-0.5, 0.0, 0.5, candidate="your own", own="exp(-norm(x - z)**3)"),
    ],
    "plane": _on_line(-0.5, 0.0, 0.5, space="plane"),
    "not_three": _on_line(-0.5, 0.0, 0.5, n=4),
    "same_place": _on_line(0.0, 0.0, 0.5),
    "strangers": _on_line(-0.8, 0.0, 0.8),
    "too_small": [_on_line(-0.2, 0.0, 0.2), _on_line(-0.1, 0.0, 0.7)],
}


summary = summary_of(three_witnesses, features_from_gram, six_features, deeper=(distance_of_functions,))
