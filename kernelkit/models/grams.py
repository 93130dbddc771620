"""Φ and K as the models take them: refused where they overflow, and warned of where K is almost I.

Here is the one check of the numbers that a kernel or a feature map gives, so that no formula needs its own.
"""

from math import isfinite

import numpy as np

from kernelkit.checks import check_gram
from kernelkit.models.reading import sum_of_squares, warn

LARGEST_K = 1e290  # of k(x, z), so that there is room for sums of its values
SOME = 30  # points tell whether K is almost I; of fewer it is no wonder that none is near another
ALONE = 1e-3  # a cosine in feature space that counts as none; of a Gaussian it lies 3.7 sigma away


def finite(K, name, source):
    """K, if all its numbers are finite, and small enough that their sums are."""
    if isfinite(sum_of_squares(K)):  # faster than to look at each number
        return K
    if np.isnan(K).any() and not np.isinf(K).any():
        raise ValueError(f"{name} gives NaN: {source!r} has no value for some of these points.")
    if not np.abs(K).max() <= LARGEST_K:
        raise ValueError(
            f"{name} overflows: scale the inputs. {source!r} gives numbers beyond {LARGEST_K:g} on these points."
        )
    return K


def finite_features(Phi, source):
    """Φ (n, D), if the sum of its squares is finite, because then no product in ΦᵀΦ or ΦΦᵀ overflows either."""
    if isfinite(sum_of_squares(Phi)):
        return Phi
    finite(Phi, "Φ", source)
    raise ValueError(f"The products of the features overflow: scale the inputs. {source!r} gives numbers beyond 1e150.")


def finite_gram(kernel, X, Z):
    """k between two collections that were read before, (n, m), refused if it does not fit or overflows."""
    check_gram(X, Z)
    with np.errstate(over="ignore", invalid="ignore"):
        return finite(kernel.gram(X, Z), "k", kernel)


def finite_diag(kernel, X):
    """k(x, x) of each point, (n,), refused if it is not finite: where it is, so is k(x, z)."""
    with np.errstate(over="ignore", invalid="ignore"):
        return finite(kernel.diagonal(X), "k", kernel)


def warn_if_alone(row, diagonal, kernel, X):
    """Warn if K is almost I: of some points nine in ten have no other with |k(x, z)| ≥ ALONE ‖Φ(x)‖ ‖Φ(z)‖.

    row(i) : row i of K, (n,).  diagonal : k(X_i, X_i) (n,).
    """
    n = len(diagonal)
    if n < SOME:
        return
    length = np.sqrt(np.abs(diagonal))
    in_company = 0
    for i in (n * t // SOME for t in range(SOME)):
        near = np.abs(row(i)) >= ALONE * length[i] * length
        in_company += np.count_nonzero(near) > 1  # itself is one
        if in_company > SOME // 10:  # which a few rows tell, mostly
            return
    advice = "take a kernel that finds more of them alike"
    if isinstance(X, np.ndarray) and not getattr(kernel, "pairwise", False):
        advice = f"Gaussian({_median_distance(X):.2g}) has the median distance between points as its sigma"
    warn(f"K is almost I: for {kernel!r} hardly any point resembles another, so little is learned; {advice}.")


def _median_distance(X):
    """The median of ‖x − z‖ over pairs of some 300 of the points X (n, d)."""
    from scipy.spatial.distance import pdist

    return np.median(pdist(X[:: 1 + len(X) // 300]))
