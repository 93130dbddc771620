"""The primal–dual active set method: guess which coefficients are free, solve for them, and mend the guess.

    minimise ½ aᵀKa − pᵀa   subject to   lower ≤ a ≤ upper  and  Σ a = constant

At the optimum r = p − Ka equals one number b wherever a is free, that is, strictly between its bounds. It is at least
b where a stands on its upper bound, and at most b where it stands on its lower bound. So if we knew which coefficients
are free (F) and which stand on a bound (A), linear equations would give the optimum. We do not know it, but a wrong
guess shows: a free coefficient leaves the box, or one on a bound has an r on the wrong side of b.

Where K is well conditioned, a few corrections suffice. Elsewhere they can run in circles, and ``smo.minimise`` goes on.
"""

from functools import cache

import numpy as np

from kernelkit.models.equations import check_semi_definite

SMALLEST = 1e-2  # eigenvalue of K, relative to its diagonal, below which the first guesses run in circles
SAMPLE = 50  # points whose K is looked at to tell


def active_set(rows, a, r, lower, upper, free, tol, largest, most):
    """The optimum, in place, from a guess of the free coefficients; a and r stay where the guesses do not settle.

    rows : the rows of K.  a : (n,), with the Σ a that is wanted.  r : p − Ka.  free : the guess, (n,) booleans.
    tol : a coefficient leaves its bound if r is on the wrong side of b by more than tol / 1000.
    largest : free coefficients at most.  most : guesses at most.
    Returns the number of guesses that were tried, and whether the last of them was right.
    """
    x = a.copy()
    r_x = r.copy()
    changes = np.inf
    for tried in range(most):
        F = np.flatnonzero(free)
        if not 2 <= len(F) <= largest:
            return tried, False
        # K_FF x_F + b = p_F − K_FA x_A   with   Σ x = Σ a
        K_F = rows.block(F)
        K_FF = K_F[:, F]
        solution = solve_with_offset(K_FF, r_x[F] + K_FF @ x[F], np.ones(len(F)), a.sum() - x[~free].sum())
        if solution is None:
            return tried + 1, False
        x_F, b = solution
        r_x -= (x_F - x[F]) @ K_F
        x[F] = x_F

        leaves = (x < lower) | (x > upper)
        wants_up = (x == lower) & (r_x > b + tol / 1000)
        wants_down = (x == upper) & (r_x < b - tol / 1000)
        returns = ~free & (wants_up | wants_down)
        before = changes
        changes = np.count_nonzero(leaves | returns)
        if changes == 0:
            r_x = r - rows.times(x - a)  # afresh: where an earlier x was huge, the updates have lost digits
            right = violation(x, r_x, lower, upper) <= tol
            if right:
                a[:] = x
                r[:] = r_x
            return tried + 1, right
        if changes >= before:  # in circles
            return tried + 1, False

        A = np.flatnonzero(leaves)
        x_A = np.clip(x[A], lower[A], upper[A])
        r_x -= (x_A - x[A]) @ rows.block(A)
        x[A] = x_A
        free = free & ~leaves | returns
    return most, False


def violation(a, r, lower, upper):
    """m(a) − M(a): the largest r where a may grow, minus the smallest where it may shrink; at most 0 at the optimum."""
    m = r.max(where=a < upper, initial=-np.inf)
    M = r.min(where=a > lower, initial=np.inf)
    return float(m - M)


def solve_with_offset(K, g, e, total):
    """x and b with K x + b e = g and eᵀx = total, by Cholesky; None where K is singular.

    e : ones, (n,), and 0 where x is held at 0 by a row of K that is one of the identity, with 0 in g.
    """
    _, both, failed = _lapack().dposv(K, np.array([g, e]).T, lower=True)
    u, v = both.T  # K u = g and K v = e, so x = u − b v
    if failed:
        check_semi_definite(K)
    if failed or not v.sum() > 0:
        return None
    b = (u.sum() - total) / v.sum()
    x = u - b * v
    x -= e * ((x.sum() - total) / e.sum())  # once more, so that rounding does not move Σ x
    return x, b


def well_conditioned(rows, free):
    """Whether the smallest eigenvalue of K can be large: it is at most that of K of some of the free coefficients.

    Of a single coefficient this is its K_ii, so these are looked at first.
    """
    diagonal = rows.diagonal[free]
    if diagonal.min() < SMALLEST * diagonal.max():
        return False
    some = np.flatnonzero(free)[:SAMPLE]
    K = rows.block(some)[:, some]
    diagonal = K.diagonal()
    np.fill_diagonal(K, diagonal - SMALLEST * diagonal.max())
    _, failed = _lapack().dpotrf(K.T, lower=True, overwrite_a=True)
    return not failed


@cache
def _lapack():  # one of its calls for each of some hundred small systems: an import statement would cost a fit 2 %
    from scipy.linalg import lapack

    return lapack
