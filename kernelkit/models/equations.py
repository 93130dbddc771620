"""The linear equations of the models: (A + λI) x = b with a symmetric A ⪰ 0, as ΦᵀΦ, ΦΦᵀ and K are."""

from math import isfinite

import numpy as np

from kernelkit.arrays import eigen
from kernelkit.checks import CLEARLY, check_eigenvalues, check_memory, not_a_kernel
from kernelkit.models.reading import warn

EPS = np.finfo(float).eps
LOST = 1e-13  # of the trace of ΦᵀΦ: below it λ does not hold back what its rounding adds to w off all points


def check_fits(D):
    """Refuse a (D, D) matrix that would not fit."""
    check_memory(D, D, f"ΦᵀΦ of D = {D:,} features is", "DualRidge and KernelRidge solve n equations instead")


def solve_dual(K, y, lam):
    """a with (K + λI) a = y.  K is overwritten."""
    check_finite(K.trace())  # as K ⪰ 0, no entry is larger
    return solve(K, y, lam)


def solve_primal(gram, moment, lam, n):
    """w with (ΦᵀΦ + λI) w = Φᵀy, where gram is ΦᵀΦ, moment is Φᵀy and n counts the points.  gram is overwritten.

    With fewer points than features there are directions in which no point lies. ΦᵀΦ is 0 there but for rounding,
    which a small λ would enlarge and new points would see, so w has nothing in these directions.
    """
    check_finite(gram.trace())
    lost = n < len(gram) and 0 < lam <= LOST * gram.trace()
    return (_minimum_norm if lost else solve)(gram, moment, lam)


def solve(A, b, lam):
    """(A + λI)⁻¹ b for a symmetric A ⪰ 0, which is overwritten; the shortest solution where that is singular."""
    from scipy.linalg.lapack import dposv

    if not len(A):  # of no features there is nothing to learn
        return b.copy()
    if lam > 0:
        diagonal = A.diagonal().copy()
        np.fill_diagonal(A, diagonal + lam)
        # A is symmetric, so its transpose is itself in Fortran order: factorised by Cholesky in place
        _, x, failed = dposv(A.T, b, lower=True, overwrite_a=True)
        if not failed:
            return x
        A = mirrored(A, diagonal)  # λ is lost in the rounding of A
    return _minimum_norm(A, b, lam)


def check_finite(total):
    """Refuse a sum that overflows, before LAPACK sees what was summed."""
    if not isfinite(total):
        raise ValueError("The sums of products of the features overflow: scale the inputs.")


def mirrored(A, diagonal):
    """A again, from the triangle that a failed factorisation left alone."""
    lower = np.tril(A, -1)
    return lower + lower.T + np.diag(diagonal)


def check_semi_definite(K):
    """Refuse a K that could not be factorised if not rounding is the cause, but a clearly negative eigenvalue."""
    if not is_definite(K, CLEARLY * (K.diagonal().max() or 1.0)):
        raise not_a_kernel()


def is_definite(K, lam):
    """Whether K + λI has a Cholesky factor, and λ is not lost in the rounding of K."""
    from scipy.linalg.lapack import dpotrf

    A = K.copy()
    np.fill_diagonal(A, K.diagonal() + lam)
    _, failed = dpotrf(A.T, lower=1, overwrite_a=1, clean=0)
    return not failed


def warn_singular(n, rank, lam):
    """What to say of n equations in which λ is lost, where only so many directions are more than rounding."""
    if rank < n:
        warn(
            f"The matrix of {n} equations is singular (rank {rank}) and lam = {lam:g} does not change that: "
            "of all solutions the one of minimum norm is given; a larger lam makes it unique."
        )


def _minimum_norm(A, b, lam):
    """The shortest x that solves (A + λI) x = b in the directions in which A has more than rounding, with a warning."""
    values, U = eigen(A)
    check_eigenvalues(values)
    keep = values > 4 * len(A) * EPS * max(values[-1], 0)
    warn_singular(len(A), keep.sum(), lam)
    shrink = 1 / (values[keep] + lam)
    return U[:, keep] @ (shrink * (U[:, keep].T @ b).T).T
