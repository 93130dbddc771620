"""Is it a kernel? Points and a vector that refute it, what repairs a matrix, and what a spectrum says.

A function f is a kernel exactly if vᵀKv ≥ 0 for the matrix K of all points X_1 … X_n and all v: one negative number
refutes it, and finding none proves nothing.
"""

import numpy as np

from kernelkit.arrays import first_largest
from kernelkit.checks import check_array, check_function, check_whole, generator, read_anything
from kernelkit.kernels import Kernel
from kernelkit.models.grams import finite_gram

REACH = 3.0  # search keeps the points in [−REACH, REACH]^d
STARTS = 60  # scales of random and of regular points that a search tries first
STEPS = 400  # and the tries to better the best of them
EPS = np.finfo(float).eps
ROUNDING = 1e-9  # of the largest |eigenvalue|, or of the largest |K_ij|: numbers up to this are rounding


def witness(f, X):
    """The smallest vᵀKv over all unit vectors v, and that v: (value, v), with K = f(X, X).

    f : a kernel, or any function f(X, Z) → (n, m).  X : n points, (n, d) or a list.
    A value < 0 refutes f. Raises ValueError where K is not symmetric or not finite.

    >>> value, v = witness(lambda X, Z: X @ Z.T - 1, [[0.0], [0.5]])
    >>> round(value, 3)
    -1.883
    """
    values, U = _eigen(matrix(f, X))
    return float(values[0]), U[:, 0]


def matrix(f, X):
    """K = f(X, X), (n, n), exactly symmetric, for a kernel or a function f; refused where it is not nearly so."""
    if isinstance(f, Kernel):
        X, _ = f.read(X)
        return check_symmetric(finite_gram(f, X, X))
    check_function(f, "f", "f(X, Z) → (n, m), or a kernel")
    X, _ = read_anything(X)
    return check_symmetric(f(X, X), len(X))


def check_symmetric(K, n=None):
    """K as an exactly symmetric array (n, n)."""
    K = check_array(K, "K")
    n = len(K) if n is None and K.ndim else n
    if K.shape != (n, n) or not K.size:
        raise ValueError(f"K must be a matrix of all pairs of points, (n, n), got shape {K.shape}.")
    with np.errstate(over="ignore"):
        asymmetry = np.abs(K - K.T)
    if asymmetry.max() > ROUNDING * np.abs(K).max():
        i, j = np.unravel_index(asymmetry.argmax(), K.shape)
        raise ValueError(
            f"A kernel is symmetric, but f(x, z) = {K[i, j]:.4g} and f(z, x) = {K[j, i]:.4g} for points {i} and {j}."
        )
    return K / 2 + K.T / 2


def _eigen(K):
    """Eigenvalues, smallest first, and eigenvectors, each with its largest entry positive."""
    values, U = np.linalg.eigh(K)
    return values, U * np.where(U[first_largest(np.abs(U), axis=0), np.arange(len(U))] < 0, -1, 1)


def search(f, d=1, n=3, random_state=0):
    """n points of [−3, 3]^d at which the smallest eigenvalue of K = f(X, X) is as negative as it finds: (n, d).

    f : a kernel, or any function f(X, Z) → (n, m).  Tries random and evenly spaced points, then moves the best of them.
    ``witness(f, search(f, d, n))`` tells what it found; for a kernel that is 0 but for rounding.
    """
    d = check_whole(d, "d", at_least=1)
    n = check_whole(n, "n", at_least=1)
    rng = generator(random_state) or np.random.default_rng()
    scales = np.geomspace(0.05, REACH, STARTS)
    starts = [np.clip(s * rng.standard_normal((n, d)), -REACH, REACH) for s in scales]
    lattice = _lattice(n, d)
    starts += [s * lattice / (np.abs(lattice).max() or 1) for s in scales]
    values = [_smallest(f, X) for X in starts]
    value = min(values)
    X = starts[first_largest(-np.array(values))]
    step = 0.3
    for _ in range(STEPS):
        moved = np.clip(X + step * rng.standard_normal((n, d)) * rng.choice([0, 1], (n, 1)), -REACH, REACH)
        new = _smallest(f, moved)
        if new < value:
            X = moved
            value = new
            step = 1.5 * step
        else:
            step = max(0.93 * step, 1e-4)
    return X


def _lattice(n, d):
    """n points at distance 1 from their neighbours, on a line or around the origin of a plane: (n, d)."""
    if d == 1:
        return np.arange(n)[:, None] - (n - 1) / 2
    i, j = np.mgrid[-n : n + 1, -n : n + 1].reshape(2, -1)
    plane = np.column_stack([i + j / 2, np.sqrt(3) / 2 * j])
    nearest = plane[np.argsort(np.round((plane**2).sum(axis=1), 9), kind="stable")[:n]]
    return nearest @ np.eye(2, d)


def _smallest(f, X):
    return np.linalg.eigvalsh(matrix(f, X))[0]


def refutes(f, X):
    """Whether f is no kernel by its values at X: vᵀKv < 0 for some v, by more than rounding."""
    values = np.linalg.eigvalsh(matrix(f, X))
    return bool(values[0] < -ROUNDING * np.abs(values).max())


def fewest(f, d=1, most=6, random_state=0):
    """The fewest points, at most so many, at which ``search`` refutes f: (n, d), or None where it finds none."""
    for n in range(1, check_whole(most, "most", at_least=1) + 1):
        X = search(f, d, n, random_state)
        if refutes(f, X):
            return X
    return None


def repaired(K, how):
    """The nearest thing to K without negative eigenvalues κ, and its cost ‖K′ − K‖, the root of the summed squares.

    how : "clip", max(κ, 0), at the cost √Σ_{κ<0} κ²; "flip", |κ|, at twice that; "shift", K + |κ_min| I, at √n |κ_min|.
    Returns K′ (n, n) and the cost. Shifting changes only the diagonal: the noise that ridge regression adds anyway.
    """
    K = check_symmetric(K)
    values, U = _eigen(K)
    ways = {"clip": np.maximum(values, 0), "flip": np.abs(values), "shift": values + max(-values[0], 0)}
    if how not in ways:
        raise ValueError(f"how must be 'clip', 'flip' or 'shift', got {how!r}.")
    better = K + max(-values[0], 0) * np.eye(len(K)) if how == "shift" else (U * ways[how]) @ U.T
    return (better + better.T) / 2, float(np.hypot.reduce(ways[how] - values))


def effective_dimension(K, lam):
    """Σ κ/(κ + λ) over the eigenvalues κ of K: how many parameters ridge regression has left, from 0 to n.

    K : (n, n).  lam : λ > 0, a number, or many of them for as many dimensions.
    """
    lam = check_array(lam, "lam")
    if not (lam > 0).all():
        raise ValueError(f"lam must hold numbers > 0, got {lam.min():.4g}.")
    values = np.linalg.eigvalsh(check_symmetric(K))
    values = np.where(values > len(values) * EPS * values[-1], values, 0)  # a small λ must not count rounding
    total = (values / (values + lam[..., None])).sum(axis=-1)
    return float(total) if lam.ndim == 0 else total
