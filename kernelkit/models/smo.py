"""Sequential minimal optimisation, for every dual with a box and one equation.

    minimise ½ aᵀKa − pᵀa   subject to   lower ≤ a ≤ upper  and  Σ a = constant

The SVM's dual is this with p = y and a = multiplier · y (lecture C); the robust losses of ``representer`` are too.
With r = p − Ka, no pair can improve when m(a) = max r over a_i < upper is at most M(a) = min r over a_j > lower.
"""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from kernelkit.checks import check_square
from kernelkit.models.active_set import active_set, solve_with_offset, violation, well_conditioned
from kernelkit.models.estimator import Step
from kernelkit.models.grams import LARGEST_K

BLOCK = 20  # SMO pairs between two Newton steps
FIRST = 100  # pairs before the first one: earlier the free coefficients are not yet the right ones
ENDS = 3  # so often a block can come to an end within tol and Newton improve on it
AFRESH = 3  # so often r is computed afresh at the end, and the search goes on if it still violates more than tol
MOST_FREE = 350  # beyond so many free coefficients a Newton step costs more than it brings
RIDGE = 1e-10  # added to the diagonal in a Newton step, relative to it
PAIR = 1e5  # multiplications that a pair is worth: m > MOST_FREE equations cost m³, and wait for as many pairs
FLAT = 1e-12  # a curvature below this, relative to the largest, counts as this
NEAR = 1e-12  # a weight closer to a bound than this, relative to the largest weight, stands on it
TIE = 1e-9  # of the plain steps: what differs by less, relatively, is equal, and the first of equals is taken


@dataclass(frozen=True, eq=False, slots=True)
class PairStep(Step):
    """A step of SMO: moved is the pair (i, j), iterate is a, cost is ½ aᵀKa − pᵀa (minus the dual objective of an SVM).

    wanted : the step that would be best for the pair, a_i + step and a_j − step.  step : what the box allows of it.
    r : p − Ka after it, a copy (n,).  violation : m(a) − M(a) after it.
    """

    wanted: float
    step: float
    r: np.ndarray
    violation: float


def smo_steps(K, p, lower, upper, a, tol=1e-3):
    """Plain SMO, one pair at a time, for reading and for the stepper: the start, then a ``PairStep`` for each pair.

    After the last of them nothing violates more than tol. Of equal candidates the first is taken, where what differs
    by rounding alone is equal: so every machine takes the same path.
    """
    a = a.copy()
    r = p - K @ a
    diagonal = K.diagonal()
    pair = None
    wanted = 0.0
    step = 0.0
    turn = 0
    while True:
        up = np.where(a < upper, r, -np.inf)
        low = np.where(a > lower, r, np.inf)
        left = float(up.max() - low.min())  # m(a) − M(a)
        yield PairStep(pair, a.copy(), float(-a @ (p + r) / 2), turn, wanted, step, r.copy(), left)
        if left <= tol:
            return
        i = int(np.argmax(up >= up.max() - TIE * left))
        # second order: the partner with the largest decrease (r_i − r_j)² / 2η of the objective
        eta = np.maximum(diagonal[i] + diagonal - 2 * K[i], FLAT * (2 * diagonal.max() or 1.0))
        gain = (up[i] - low) / np.sqrt(eta)
        j = int(np.argmax(gain >= (1 - TIE) * gain.max()))
        wanted = float((r[i] - r[j]) / eta[j])
        step = float(min(wanted, upper[i] - a[i], a[j] - lower[j]))  # the clip
        a[i] += step
        a[j] -= step
        for k, bound in ((i, upper[i]), (j, lower[j])):
            if abs(bound - a[k]) <= NEAR * np.abs(a).max():
                a[k] = bound  # a weight within rounding of a bound stands on it exactly
        r -= step * (K[i] - K[j])
        pair = (i, j)
        turn += 1


def check_curvature(diagonal):
    """Refuse a k(x, x), (n,), that is not 0 but so small that steps divided by it overflow."""
    if 0 < diagonal.max() < 1 / LARGEST_K:
        raise ValueError(
            "k vanishes: scale the inputs. No k(x, x) of these points, divided by lam where there is one, is beyond "
            f"{diagonal.max():.2g}."
        )


class Rows:
    """The rows of a K (n, n), and for each the 1/√η of all its pairs."""

    def __init__(self, K):
        self.K = K
        self._look_at(K.diagonal())

    def _look_at(self, diagonal):
        check_curvature(diagonal)
        self.diagonal = diagonal
        self.half_diagonal = diagonal / 2
        self.flat = FLAT * (diagonal.max() or 0.5)
        self.inverse_roots = [None] * len(diagonal)

    def __getitem__(self, i):
        return self.K[i]

    def block(self, indices):
        """The rows of several indices as one matrix."""
        return self.K[indices]

    def times(self, a):
        """Ka, from the rows of those a_i that are not 0."""
        Ka = np.zeros(len(a))
        carriers = np.flatnonzero(a)
        for k in range(0, len(carriers), 256):  # not all rows at once: they may be many
            part = carriers[k : k + 256]
            Ka += a[part] @ self.block(part)
        return Ka

    def inverse_root_eta(self, i):
        """1/√η for all j, with η/2 = K_ii/2 + K_jj/2 − K_ij."""
        if self.inverse_roots[i] is None:
            half_eta = self.half_diagonal + self.half_diagonal[i]
            half_eta -= self[i]
            np.maximum(half_eta, self.flat, out=half_eta)
            self.inverse_roots[i] = np.divide(sqrt(0.5), np.sqrt(half_eta, out=half_eta), out=half_eta)
        return self.inverse_roots[i]


class RowsOnDemand(Rows):
    """The same where K is not there: row(i) computes a row of it when it is first touched."""

    def __init__(self, row, diagonal):
        self.row = row
        self.computed = {}
        self._look_at(diagonal)

    def __getitem__(self, i):
        if i not in self.computed:
            self.computed[i] = self.row(i)
        return self.computed[i]

    def block(self, indices):
        return np.array([self[i] for i in indices]).reshape(len(indices), len(self.diagonal))


class Solution(NamedTuple):
    """Where a solver has come to."""

    a: np.ndarray  # (n,)
    r: np.ndarray  # p − Ka, (n,)
    violation: float  # m(a) − M(a)
    n_iter: int  # the pairs and systems of equations it took


def minimise(rows, p, lower, upper, a, tol, max_iter, free=None):
    """The same optimum, fast: an active set where it settles, else blocks of SMO pairs and exact Newton steps.

    Newton has the last word where it can, so that the end is exact for its bounds, not anywhere within tol.

    rows : a ``Rows``.  a : a start that satisfies the constraints.  max_iter : pairs and systems of equations at most.
    free : a guess of the coefficients that will end strictly between their bounds, (n,) booleans. If None, the guess
    is that all of them will where a is 0, and none where a comes from a similar problem.
    Returns a ``Solution``.
    """
    if free is None:
        free = np.full(len(a), not a.any())
    a = a.copy()
    r = p - rows.times(a)
    steps = 0
    if 2 <= np.count_nonzero(free) <= MOST_FREE and well_conditioned(rows, free):
        steps, _ = active_set(rows, a, r, lower, upper, free, tol, MOST_FREE, max_iter)
    for _ in range(AFRESH):
        taken = _climb(rows, a, r, lower, upper, tol, max_iter - steps)
        steps += taken
        moved = _snap(a, lower, upper)
        if taken or moved:
            r = p - rows.times(a)  # afresh: the steps have only updated r, and where a was huge, this has lost digits
        left = violation(a, r, lower, upper)
        if left <= tol or steps >= max_iter:
            break
    if a @ (p - r) < 0:  # aᵀKa, but for the rounding of p
        check_square(a, rows.times(a), rows.diagonal)
    return Solution(a, r, left, steps)


def _snap(a, lower, upper):
    """Put what is within rounding of a bound on it, in place: such a weight is not free and says nothing about b.

    Says whether any was moved.
    """
    near = NEAR * np.abs(a).max()
    snapped = np.where(upper - a <= near, upper, np.where(a - lower <= near, lower, a))
    moved = (snapped != a).any()
    a[:] = snapped
    return moved


def _climb(rows, a, r, lower, upper, tol, most):
    """Rounds until nothing violates more than tol, in place; says how many steps they took, most at most.

    A round is a block of SMO pairs, then Newton's steps on the coefficients that are free after it; from time to time
    an active set is tried first, with these as its guess.
    """
    steps = 0
    ends = 0  # it ends when a block after Newton finds nothing to do, or rounding makes work for ever
    next_guess = 2 * len(a)  # more steps than most problems take: then what SMO has found is a better guess
    while steps < most:
        pairs, done = _pairs(rows, a, r, lower, upper, tol, min(BLOCK, most - steps))
        steps += pairs
        ends += done
        free = (a > lower) & (a < upper)
        possible = 2 <= np.count_nonzero(free) <= MOST_FREE
        if done and (not pairs or not possible or ends == ENDS):
            break
        if steps >= next_guess:
            largest = max(MOST_FREE, (PAIR * steps) ** (1 / 3))
            tried, settled = active_set(rows, a, r, lower, upper, free, tol, largest, most - steps)
            steps += tried
            next_guess *= 2
            if settled:
                continue
        if possible and (done or steps >= FIRST):
            steps += _newton(rows, a, r, lower, upper, np.flatnonzero(free), most - steps)
    return steps


def _pairs(rows, a, r, lower, upper, tol, most):
    """The step of ``smo_steps``, written for speed: a block of them, in place.

    Says how many, most at most, and whether nothing violates more than tol.
    """
    masked = np.where([a < upper, a > lower], r, [[-np.inf], [np.inf]])
    up = masked[0]  # r where a may grow, else −∞
    low = masked[1]  # r where a may shrink, else ∞
    gain = np.empty_like(a)
    change = np.empty_like(a)
    count = 0
    done = False
    while count < most:
        i = up.argmax()
        r_i = up.item(i)
        inverse_root_eta = rows.inverse_root_eta(i)
        np.subtract(r_i, low, out=gain)
        gain *= inverse_root_eta  # its square is twice what the pair (i, j) gains
        j = gain.argmax()
        r_j = low.item(j)
        done = r_i - r_j <= tol and r_i - low.min() <= tol
        if done:
            break
        a_i = a.item(i)
        a_j = a.item(j)
        top = upper.item(i)
        bottom = lower.item(j)
        step = min((r_i - r_j) * inverse_root_eta.item(j) ** 2, top - a_i, a_j - bottom)  # (r_i − r_j)/η, clipped
        a_i = top if step == top - a_i else a_i + step  # the one that hits its bound stands on it exactly
        a_j = bottom if step == a_j - bottom else a_j - step
        a[i] = a_i
        a[j] = a_j
        np.subtract(rows[i], rows[j], out=change)
        change *= step
        masked -= change
        r_i -= change.item(i)
        r_j -= change.item(j)
        up[i] = r_i if a_i < top else -np.inf
        low[i] = r_i if a_i > lower.item(i) else np.inf
        up[j] = r_j if a_j < upper.item(j) else -np.inf
        low[j] = r_j if a_j > bottom else np.inf
        count += 1
    r[:] = np.where(np.isfinite(up), up, low)
    return count, done


def _newton(rows, a, r, lower, upper, free, most):
    """Exact steps on the free coefficients, each until the first of them meets a bound; says how many, most at most."""
    K_F = rows.block(free)
    K = K_F[:, free]
    diagonal = K.diagonal()  # raised a little, so that a singular K has a descent direction too
    np.fill_diagonal(K, diagonal + RIDGE * diagonal.max())
    x = a[free]
    low = lower[free]
    high = upper[free]
    residual = r[free]
    moving = np.ones(len(free))
    taken = 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        while moving.sum() >= 2 and taken < most:
            solution = solve_with_offset(K, residual * moving, moving, 0.0)
            if solution is None:
                break
            step, _ = solution
            bound = np.where(step > 0, high, low)
            room = (bound - x) / step
            room[step == 0] = np.inf
            length = min(1.0, room.min())
            taken += 1
            x += length * step
            if length == 1.0:
                break
            residual -= length * (K @ step)
            for k in np.flatnonzero(room <= length):  # these stand on their bounds now: their equation becomes step = 0
                x[k] = bound[k]
                moving[k] = 0.0
                K[k] = 0.0
                K[:, k] = 0.0
                K[k, k] = 1.0
    r -= (x - a[free]) @ K_F
    a[free] = x
    return taken
