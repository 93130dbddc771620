"""Sequential minimal optimisation, for every dual with a box and one equation.

    minimise ½ aᵀKa − pᵀa   subject to   lower ≤ a ≤ upper  and  Σ a = constant

The SVM's dual is this with p = y and a = multiplier · y (lecture C); the robust losses of ``representer`` are too.
With r = p − Ka, no pair can improve when m(a) = max r over a_i < upper is at most M(a) = min r over a_j > lower.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

BLOCK = 20  # SMO pairs between two Newton steps
MOST_FREE = 500  # beyond so many free coefficients a Newton step costs more than it brings
RIDGE = 1e-10  # added to the diagonal in a Newton step, relative to it
FLAT = 1e-12  # curvature below this, relative to the diagonal, counts as zero


def smo_steps(K, p, lower, upper, a, tol=1e-3):
    """Plain SMO, one pair at a time, for reading and for the stepper: yields what each step saw and did.

    Each state holds the pair (i, j), the violation m(a) − M(a), the unclipped and the clipped step, and copies of
    a and r after it. The last state has pair None: nothing violates more than tol.
    """
    a, r = a.copy(), p - K @ a
    diagonal = K.diagonal()
    while True:
        up, low = np.where(a < upper, r, -np.inf), np.where(a > lower, r, np.inf)
        i = int(up.argmax())
        violation = up[i] - low.min()
        if violation <= tol:
            yield SimpleNamespace(pair=None, violation=violation, wanted=0.0, step=0.0, a=a.copy(), r=r.copy())
            return
        # second order: the partner with the largest decrease (r_i − r_j)² / 2η of the objective
        eta = np.maximum(diagonal[i] + diagonal - 2 * K[i], FLAT * (diagonal[i] + diagonal + 1))
        gain = (up[i] - low) / np.sqrt(eta)
        j = int(gain.argmax())
        wanted = (r[i] - r[j]) / eta[j]
        step = min(wanted, upper[i] - a[i], a[j] - lower[j])  # the clip
        a[i] += step
        a[j] -= step
        if step < wanted:  # the one that hit its bound stands on it exactly
            k, bound = (i, upper[i]) if upper[i] - a[i] <= a[j] - lower[j] else (j, lower[j])
            a[k] = bound
        r -= step * (K[i] - K[j])
        yield SimpleNamespace(pair=(i, j), violation=violation, wanted=wanted, step=step, a=a.copy(), r=r.copy())


class Rows:
    """Rows of K, computed when first touched, and for each the 1/√η of all its pairs."""

    def __init__(self, row, diagonal):
        self.row, self.diagonal = row, diagonal
        self.kept, self.curved = [None] * len(diagonal), [None] * len(diagonal)

    def __getitem__(self, i):
        if self.kept[i] is None:
            self.kept[i] = self.row(i)
        return self.kept[i]

    def scale(self, i):
        """1/√(K_ii + K_jj − 2K_ij) for all j."""
        if self.curved[i] is None:
            both = self.diagonal[i] + self.diagonal
            self.curved[i] = 1 / np.sqrt(np.maximum(both - 2 * self[i], FLAT * (both + 1)))
        return self.curved[i]

    def block(self, indices):
        """The rows of several indices as one matrix."""
        return np.array([self[i] for i in indices])


def minimise(rows, p, lower, upper, a, tol=1e-3, max_iter=10**7):
    """The same optimum, fast: blocks of SMO pairs, then exact Newton steps on the free coefficients.

    rows : a ``Rows``.  a : a start that satisfies the constraints.
    Returns a, r = p − Ka, the violation m(a) − M(a), and the number of pairs and Newton steps taken.
    """
    a, r = a.copy(), p.copy()
    for i in np.flatnonzero(a):
        r -= a[i] * rows[i]
    steps, done = 0, False
    while not done and steps < max_iter:
        pairs, done = _pairs(rows, a, r, lower, upper, tol)
        steps += pairs
        free = np.flatnonzero((a > lower) & (a < upper))
        if not done and 2 <= len(free) <= MOST_FREE:
            steps += _newton(rows, a, r, lower, upper, free)
    up, low = np.where(a < upper, r, -np.inf), np.where(a > lower, r, np.inf)
    return a, r, float(up.max() - low.min()), steps


def _pairs(rows, a, r, lower, upper, tol):
    """A block of SMO steps, in place; says how many, and whether nothing violates more than tol."""
    masked = np.where([a < upper, a > lower], r, [[-np.inf], [np.inf]])  # r where a may grow, and where it may shrink
    up, low = masked
    for count in range(BLOCK):
        i = up.argmax()
        top = up[i]
        scale = rows.scale(i)
        j = ((top - low) * scale).argmax()
        if top - low[j] <= tol and top - low.min() <= tol:
            _unmask(masked, a, r, lower, upper)
            return count, True
        step = (top - low[j]) * scale[j] ** 2
        to_upper, to_lower = upper[i] - a[i], a[j] - lower[j]
        step = min(step, to_upper, to_lower)
        r_i, r_j = top, low[j]
        change = rows[i] - rows[j]
        change *= step
        masked -= change
        a[i] = upper[i] if step == to_upper else a[i] + step
        a[j] = lower[j] if step == to_lower else a[j] - step
        for k, before in ((i, r_i), (j, r_j)):
            now = before - change[k]
            up[k] = now if a[k] < upper[k] else -np.inf
            low[k] = now if a[k] > lower[k] else np.inf
    _unmask(masked, a, r, lower, upper)
    return BLOCK, False


def _unmask(masked, a, r, lower, upper):
    r[:] = np.where(np.isfinite(masked[0]), masked[0], masked[1])


def _newton(rows, a, r, lower, upper, free):
    """Exact steps on the free coefficients, each until the first of them meets a bound; says how many."""
    Q = rows.block(free)
    inner = Q[:, free]
    ridged = inner + RIDGE * rows.diagonal[free].max() * np.eye(len(free))
    keep = np.ones(len(free), bool)
    moved, total = 0, np.zeros(len(free))
    residual = r[free]
    x, low, high = a[free], lower[free], upper[free]
    while keep.sum() >= 2:
        step = _direction(ridged[np.ix_(keep, keep)], residual[keep])
        if step is None:
            break
        step -= step.mean()  # keeps Σa where it was
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(step > 0, high[keep] - x[keep], low[keep] - x[keep]) / step
            room[step == 0] = np.inf
        length = min(1.0, room.min())
        at = np.flatnonzero(keep)
        x[at] += length * step
        total[at] += length * step
        residual -= length * (inner[:, at] @ step)
        moved += 1
        if length == 1.0:
            break
        hit = at[room <= length]
        x[hit] = np.where(step[room <= length] > 0, high[hit], low[hit])
        keep[hit] = False
    a[free] = x
    r -= total @ Q
    return moved


def _direction(inner, residual):
    """δ with (K + ridge) δ + b = r and Σδ = 0; None where rounding leaves no such δ.

    The tiny ridge makes singular K harmless: δ still descends, and flat directions run to a bound.
    """
    both = np.column_stack([residual, np.ones(len(inner))])
    _, both, failed = _lapack().dposv(inner, both)
    if failed or not both[:, 1].sum() > 0:
        return None
    return both[:, 0] - both[:, 1] * (both[:, 0].sum() / both[:, 1].sum())


@cache
def _lapack():
    from scipy.linalg import lapack

    return lapack
