"""Which few points should stand for all in ``Landmarks``, and how much of the kernel they leave out.

Chen, Epperly, Tropp and Webber (2022), "Randomly pivoted Cholesky".
"""

import warnings

import numpy as np

from kernelkit.arrays import first_largest, unit_of
from kernelkit.checks import check_whole, generator
from kernelkit.kernels.base import check_kernel
from kernelkit.models.grams import finite_diag, finite_gram

WAYS = ("random", "k-means", "pivots", "greedy")
GONE = 1e-12  # of the trace: when no more is left, what remains is rounding
ROUNDS = 10  # of k-means


def choose(kernel, X, m, by="pivots", random_state=0):
    """m landmarks for the points X, as ``Landmarks`` takes them: (m, d), or a list of objects.

    by : "random", any m points; "k-means", means of groups, for vectors; "pivots", one after the other, drawn in
    proportion to what those before leave of k(X_i, X_i); "greedy", each where most is left, which outliers mislead.
    The last two stop early where fewer than m leave nothing.  random_state : a seed, a generator of NumPy, or None.
    Time O(n) for random, O(nmd) a round for k-means, O(nm²) for the last two.

    >>> from kernelkit import Gaussian
    >>> choose(Gaussian(1.0), [[0.0], [0.1], [7.0]], 2, by="greedy").tolist()
    [[0.0], [7.0]]
    """
    if by not in WAYS:
        raise ValueError(f"by must be one of {', '.join(map(repr, WAYS))}, got {by!r}.")
    check_kernel(kernel, "kernel")
    X, one = kernel.read(X, "X")
    m = check_whole(m, "m", at_least=1)
    if one:
        raise ValueError("X must be a collection of points, got a single one.")
    if m > len(X):
        raise ValueError(f"m must be at most the number of points, got m = {m} landmarks for {len(X)} points.")
    rng = generator(random_state) or np.random.default_rng()
    if by in ("random", "k-means"):
        start = rng.choice(len(X), m, replace=False)
        return means(X, start) if by == "k-means" else _taken(X, start)
    return _taken(X, pivots(kernel, X, m, rng if by == "pivots" else None))


def pivots(kernel, X, m, rng=None):
    """At most m indices by Cholesky's steps on K, of which only these m columns are ever computed.

    After each the kernel is what the pivots before leave, k(x, z) − k(x, C) K_CC⁻¹ k(C, z); the next is drawn with a
    probability ∝ its diagonal, or without rng is the largest.
    """
    left = finite_diag(kernel, X)
    whole = left.sum()
    F = np.zeros((len(X), m))
    chosen = []
    for t in range(m):
        if left.sum() <= GONE * whole:
            break
        i = int(first_largest(left)) if rng is None else int(rng.choice(len(X), p=left / left.sum()))
        column = finite_gram(kernel, X, _taken(X, [i]))[:, 0] - F[:, :t] @ F[i, :t]
        F[:, t] = column / np.sqrt(left[i])  # of a twin column[i] may be 0 by rounding
        left = np.maximum(left - F[:, t] ** 2, 0)
        left[i] = 0
        chosen.append(i)
    return chosen


def means(X, start):
    """The means of k-means, (m, d), from points with these indices on; a group without points keeps its mean."""
    if not isinstance(X, np.ndarray):
        raise TypeError("by='k-means' needs vectors: other objects have no mean; take by='pivots'.")
    from scipy.cluster.vq import kmeans2

    unit = unit_of(X)  # or SciPy's squares would overflow, and it would read memory that is not its own
    with warnings.catch_warnings(action="ignore"):  # of empty groups
        C, _ = kmeans2(X / unit, X[start] / unit, iter=ROUNDS, minit="matrix")
    return unit * C


def trace_error(kernel, X, phi):
    """The part of the trace of K that Φ leaves out, (Σ k(X_i, X_i) − Σ ‖Φ(X_i)‖²) / Σ k(X_i, X_i), from 0 to 1.

    K − ΦΦᵀ is positive semi-definite for ``Landmarks``, so its trace is the sum of its eigenvalues and bounds them all.
    """
    whole = finite_diag(kernel, kernel.read(X, "X")[0]).sum()
    return float((whole - np.square(phi(X)).sum()) / whole) if whole else 0.0


def _taken(X, indices):
    """Some of the points, as an array or a list."""
    return X[indices] if isinstance(X, np.ndarray) else [X[i] for i in indices]
