"""Do two samples come from one distribution? The distance of their means in Φ-space, and what it is by chance.

Gretton, Borgwardt, Rasch, Schölkopf and Smola (2012), "A kernel two-sample test".
"""

from typing import NamedTuple

import numpy as np

from kernelkit.checks import (
    check_memory,
    check_same_columns,
    check_same_width,
    check_whole,
    generator,
    names_of_coordinates,
)
from kernelkit.kernels.base import check_kernel
from kernelkit.models.distances import middle, seen_from, warn_if_lost
from kernelkit.models.grams import finite_gram

ROUNDING = 1e-12  # of the largest k(x, x): squared distances that differ by less are equal


class Verdict(NamedTuple):
    """What ``permutation_test`` found."""

    value: float  # ‖mean Φ(X) − mean Φ(Z)‖² of the two samples
    null: np.ndarray  # (times,), the same after the points were shuffled between them
    p: float  # how often chance alone does as well, counting the samples as they are


def mmd(kernel, X, Z):
    """‖mean Φ(X) − mean Φ(Z)‖² = mean k(X_i, X_j) − 2 mean k(X_i, Z_j) + mean k(Z_i, Z_j), a number ≥ 0.

    It is the square of the maximum mean discrepancy (MMD).  X, Z : n and m points, (n, d) and (m, d), or lists.

    >>> from kernelkit import Linear
    >>> mmd(Linear(), [[0.0], [2.0]], [[3.0], [5.0]])  # the squared distance of the means, 1 and 4
    9.0
    """
    K, n = _gram_of_both(kernel, X, Z)
    return float(max(K[:n, :n].mean() - 2 * K[:n, n:].mean() + K[n:, n:].mean(), 0))


def permutation_test(kernel, X, Z, times=500, random_state=0):
    """Whether chance alone would put the means of two samples as far apart: a ``Verdict``.

    If both come from one distribution, no way of dealing the n + m points out again is special: ``null`` holds the
    mmd of so many, and p = (1 + how many are at least the samples' own)/(1 + times).
    """
    times = check_whole(times, "times", at_least=1)
    rng = generator(random_state) or np.random.default_rng()
    K, n = _gram_of_both(kernel, X, Z)
    m = len(K) - n
    check_memory(times, len(K), f"The table of {times:,} ways to deal {len(K)} points is", "take fewer times")
    s = np.repeat([1 / n, -1 / m], [n, m])
    S = np.vstack([s, rng.permuted(np.tile(s, (times, 1)), axis=1)])
    values = np.maximum(np.einsum("ti,ti->t", S @ K, S), 0)  # sᵀKs is the squared distance of the two means
    least = values[0] - ROUNDING * K.diagonal().max()
    p = (1 + np.count_nonzero(values[1:] >= least)) / (1 + times)
    return Verdict(float(values[0]), values[1:], float(p))


def _gram_of_both(kernel, X, Z):
    """K of the n points of X and the m points of Z together, (n + m, n + m), and n."""
    check_same_columns(names_of_coordinates((X, Z), (False, False)), "The columns of X and Z")
    X = _read(kernel, X, "X")
    Z = _read(kernel, Z, "Z")
    check_same_width(X, Z)
    both = np.concatenate([X, Z]) if isinstance(X, np.ndarray) else X + Z
    U = seen_from(middle(kernel, both), both)
    K = finite_gram(kernel, U, U)
    warn_if_lost(K.__getitem__, K.diagonal(), kernel, both)
    return K, len(X)


def _read(kernel, X, name):
    """X as a sample, (n, d) or a list."""
    check_kernel(kernel, "kernel")
    X, one = kernel.read(X, name)
    if one:
        raise ValueError(f"{name} must be a sample of points, not a single one; write {name}[:, None] for numbers.")
    return X
