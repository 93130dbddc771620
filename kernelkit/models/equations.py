"""The linear equations of the models: (A + λI) x = b with a symmetric A ⪰ 0, as ΦᵀΦ, ΦΦᵀ and K are."""

import numpy as np

from kernelkit.arrays import eigen
from kernelkit.checks import check_memory
from kernelkit.models.reading import warn

EPS = np.finfo(float).eps
LOST = 1e-13  # of the trace of ΦᵀΦ: below it λ does not hold back what its rounding adds to w off all points


def check_square(D):
    """Refuse a (D, D) matrix that would not fit."""
    check_memory(D, D, f"ΦᵀΦ of D = {D:,} features is", "DualRidge and KernelRidge solve n equations instead")


def weighted_rows(weights, A):
    """√c_i times row i of A, (n,) or (n, m)."""
    return A if weights is None else (np.sqrt(weights) * A.T).T


def solve(A, b, lam):
    """(A + λI)⁻¹ b for a symmetric A ⪰ 0, which is overwritten; the shortest solution where that is singular."""
    from scipy.linalg.lapack import dposv

    if not len(A):  # of no features there is nothing to learn
        return b.copy()
    if lam > 0:
        diagonal = A.diagonal().copy()
        A.flat[:: len(A) + 1] += lam
        # A is symmetric, so its transpose is itself in Fortran order: factorised by Cholesky in place
        _, x, failed = dposv(A.T, b, lower=True, overwrite_a=True)
        if not failed:
            return x
        A = _mirrored(A, diagonal)  # λ is lost in the rounding of A
    return _minimum_norm(A, b, lam)


def solve_primal(gram, moment, lam, n):
    """w = (ΦᵀΦ + λI)⁻¹ Φᵀy of n points, with nothing in directions in which none of them lies: gram is overwritten.

    With fewer points than features there are such: ΦᵀΦ is 0 there but for rounding, which would be divided by λ and
    seen at new points.
    """
    check_finite(gram, moment)
    lost = n < len(gram) and 0 < lam <= LOST * gram.trace()
    return (_minimum_norm if lost else solve)(gram, moment, lam)


def check_finite(*sums):
    """Refuse sums that overflow, before LAPACK sees them."""
    if not all(np.isfinite(part).all() for part in sums):
        raise ValueError("The sums of products of the features overflow: scale the inputs.")


def _mirrored(A, diagonal):
    """A again, from the triangle that a failed factorisation left alone."""
    lower = np.tril(A, -1)
    return lower + lower.T + np.diag(diagonal)


def _minimum_norm(A, b, lam):
    values, U = eigen(A)
    keep = values > 4 * len(A) * EPS * max(values[-1], 0)
    if keep.sum() < len(A):
        warn(
            f"The matrix of {len(A)} equations is singular (rank {keep.sum()}) and lam = {lam:g} does not change that: "
            "of all solutions the one of minimum norm is given; a larger lam makes it unique."
        )
    shrink = 1 / (values[keep] + lam)
    return U[:, keep] @ (shrink * (U[:, keep].T @ b).T).T
