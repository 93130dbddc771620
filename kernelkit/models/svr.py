"""Support vector regression: a tube of half-width ε that costs nothing, solved as two support vector machines in one.

    minimise C Σ max(0, |y_i − f(X_i)| − ε) + ½‖w‖²   with   f(z) = wᵀΦ(z) + b

has, for the weights a of w = Σ a_i Φ(X_i), the dual

    maximise yᵀa − ε Σ|a_i| − ½ aᵀKa   subject to   |a_i| ≤ C,  Σ a_i = 0.

The |a_i| has a kink. With a = u + v, 0 ≤ u ≤ C for the points above the tube and −C ≤ v ≤ 0 for those below,
it is (y − ε)ᵀu + (y + ε)ᵀv − ½ (u + v)ᵀK(u + v): an SVM's dual of 2n points, each with a twin of the same row of K.
"""

import numpy as np

from kernelkit.checks import check_number, check_scale, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.active_set import solve_with_offset
from kernelkit.models.estimator import Regressor
from kernelkit.models.reading import one_each
from kernelkit.models.smo import MOST_FREE, RowsOnDemand, minimise
from kernelkit.models.svm import SupportForm, offset


class KernelSVR(SupportForm, Regressor):
    """Support vector regression with a kernel, by the support vector machine's SMO.

    kernel : k.  C : price of each unit outside the tube, > 0.  epsilon : half the tube's height, ≥ 0, in units of y.
    tol : bound on the KKT violation m(a) − M(a), in units of y, or of half the range of y where that is below 1.
    max_iter : SMO pairs and Newton steps at most; a warning says if they were too few.

    Learned: ``a_`` (n,), zero inside the tube; ``b_``; ``support_`` indices; ``converged_``; ``violation_``;
    ``n_iter_``; ``dual_objective_`` ≤ ``primal_objective_`` and their ``duality_gap_``.
    A test point costs O(m d) with m support vectors.  scikit-learn: SVR(C, epsilon, gamma=1/(2σ²)).

    >>> svr = KernelSVR(Gaussian(2.0), C=10.0, epsilon=0.5).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.2, 1.8, 3.0])
    >>> svr.support_.tolist(), bool(abs(svr.predict([[1.5]])[0] - 1.5) < 0.01)
    ([0, 3], True)
    """

    def __init__(self, kernel=Gaussian(1.0), C=1.0, epsilon=0.1, tol=1e-3, max_iter=1_000_000):
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.tol = tol
        self.max_iter = max_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _read_targets(self, y, n):
        y, classes = super()._read_targets(y, n)
        return one_each(y), classes

    def fit(self, X, y):
        """Train.  X : n points, (n, d) or a list.  y : (n,) numbers.  Returns self."""
        check_scale(self.C, "C")
        check_scale(self.epsilon, "epsilon", zero=True)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y)
        y = data.y
        rows = self._rows(data.X)
        zero = np.zeros(len(y))
        C = np.full(len(y), float(self.C))
        p = np.append(y - self.epsilon, y + self.epsilon)
        lower = np.append(zero, -C)
        upper = np.append(C, zero)
        free = self._guess(rows, y)
        unit = min(1.0, np.ptp(y) / 2 or 1.0)
        solution = minimise(twice(rows), p, lower, upper, 0 * p, self.tol * unit, self.max_iter, free)
        u, v = np.split(solution.a, 2)
        self.a_ = u + v
        self.support_ = np.flatnonzero(self.a_)
        self.b_ = offset(solution.a, solution.r, lower, upper)
        self.violation_ = solution.violation / unit
        self.n_iter_ = solution.n_iter
        self.converged_ = self.violation_ <= self.tol
        self._weigh(self.a_, y, y - self.epsilon - solution.r[: len(y)])
        self._remember(data)
        self._warn_if_unfinished()
        return self

    def _guess(self, rows, y):
        """A guess of the free u and v: each point is above or below the tube as with ε = 0, where Ka + b = y.

        Nobody is free where a system of n equations is too large, or where most points would pull harder than C allows.
        """
        nobody = np.zeros(2 * len(y), dtype=bool)
        if len(y) > MOST_FREE:
            return nobody
        solution = solve_with_offset(rows.block(np.arange(len(y))), y, np.ones(len(y)), 0.0)
        if solution is None:
            return nobody
        a, _ = solution
        return np.append(a > 0, a < 0) if np.mean(np.abs(a) > self.C) < 0.5 else nobody

    def _weigh(self, a, y, q):
        """Both objectives at a, with q = Ka."""
        outside = np.maximum(0, np.abs(y - q - self.b_) - self.epsilon)
        self.primal_objective_ = float(self.C * np.sum(outside) + a @ q / 2)
        self.dual_objective_ = float(y @ a - self.epsilon * np.abs(a).sum() - a @ q / 2)
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_


def twice(rows):
    """The rows of [[K, K], [K, K]], which is never built: those of i and of its twin i + n are the same."""
    n = len(rows.diagonal)

    def row(i):
        return np.concatenate([rows[i % n], rows[i % n]])

    return RowsOnDemand(row, np.tile(rows.diagonal, 2))
