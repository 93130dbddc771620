"""Support vector machines: the dual by SMO, and the primal by stochastic sub-gradient descent.

The dual of C Σ max(0, 1 − y_i h(X_i)) + ½‖w‖² with h(z) = wᵀΦ(z) + b is, for the multipliers α_i (λ_i in lecture C),

    maximise Σ α_i − ½ Σ_ij α_i α_j y_i y_j k(X_i, X_j)   subject to   0 ≤ α_i ≤ C,  Σ α_i y_i = 0,

or with a_i = α_i y_i: maximise yᵀa − ½ aᵀKa with Σ a_i = 0 and 0 ≤ a_i y_i ≤ C. Then w = Σ a_i Φ(X_i).

``KernelSVM.steps`` is the SMO of the lecture, one pair at a time, and ``KernelSVM.fit`` is a fast way to the same
optimum, by ``smo.minimise``.
"""

import numpy as np

from kernelkit.checks import check_number, check_scale, check_whole, generator
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm, Step
from kernelkit.models.grams import finite_diag, warn_if_alone
from kernelkit.models.reading import read_start, warn_unfinished
from kernelkit.models.smo import Rows, RowsOnDemand, Solution, check_curvature, minimise, smo_steps

WHOLE = 6000  # up to so many points the Gram matrix is computed at once, beyond that row by row
HARDEST = 1e10  # a hard margin has ‖w‖² max k(x, x) ≤ 2 HARDEST: it is not below 1e-5 of the data's radius
INSEPARABLE = (
    "C=inf asks for a hard margin, but these classes are not separable with this kernel: "
    "use a finite C, a smaller sigma or a higher degree."
)


class SupportForm(KernelForm):
    """Kernel models with a sparse a: only the support vectors, those with a weight that is not 0, carry them."""

    def _rows(self, X):
        """The rows of K as the solver asks for them: of many points only those it needs are computed."""
        if len(X) <= WHOLE or self._pairwise():  # a table is there already, and a row of it does not hold its k(x, x)
            return Rows(self._gram(X))
        rows = RowsOnDemand(lambda i: self._gram(X[i : i + 1], X)[0], finite_diag(self.kernel, X))
        warn_if_alone(rows.__getitem__, rows.diagonal, self.kernel, X)
        return rows

    def _carriers(self):
        if self._pairwise():  # the rows of new points have a column for each training point
            return self.X_, self.a_
        return chosen(self.X_, self.support_), self.a_[self.support_]

    def _warn_if_unfinished(self):
        if not self.converged_:
            rounding = self.n_iter_ < self.max_iter
            advice = "rounding hides the rest: scale the inputs" if rounding else "raise max_iter, or scale the inputs"
            warn_unfinished(
                f"{type(self).__name__} stopped after {self.n_iter_} steps with a violation of {self.violation_:.2g} > "
                f"tol = {self.tol:g}; {advice}."
            )


class KernelSVM(SupportForm, Classifier):
    """Soft-margin support vector machine with a kernel, by an active set, SMO and Newton steps (lectures A, C, D).

    kernel : k.  C : penalty of a violated margin, > 0; ``inf`` is the hard margin, a ValueError if none exists.
    tol : bound on the KKT violation m(a) − M(a).  max_iter : SMO pairs and Newton steps at most; a warning says if they
    were too few.

    Learned: ``a_`` (n,), zero off the support; ``multipliers_`` = a·y; ``b_``; ``support_`` indices;
    ``dual_objective_`` ≤ ``primal_objective_`` and their ``duality_gap_``; ``violation_``; ``converged_``; ``n_iter_``.
    A test point costs O(m d) with m support vectors.  scikit-learn: SVC(C, gamma=1/(2σ²)).

    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    >>> svm = KernelSVM(Gaussian(2.0), C=10.0).fit(X, y)
    >>> svm.support_.tolist(), svm.predict([[1.9], [2.1]]).tolist()
    ([1, 2], [0, 1])
    """

    def __init__(self, kernel=Gaussian(1.0), C=1.0, tol=1e-3, max_iter=1_000_000):
        self.kernel = kernel
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def _read_with_box(self, X, y):
        """The data, and the bounds (n,) between which 0 ≤ a_i y_i ≤ C keeps each a_i."""
        if self.C != np.inf:
            check_scale(self.C, "C")
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y)
        C = float(self.C)
        return data, np.where(data.y > 0, 0.0, -C), np.where(data.y > 0, C, 0.0)

    def steps(self, X, y):
        """Plain SMO, for a finite C: the start, then a ``smo.PairStep`` for each pair.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        data, lower, upper = self._read_with_box(X, y)
        if self.C == np.inf:
            raise ValueError("steps needs a finite C, got inf; a large C such as 1e6 shows the same.")
        K = self._gram(data.X)
        check_curvature(K.diagonal())
        return smo_steps(K, data.y, lower, upper, np.zeros(len(data.y)), self.tol)

    def fit(self, X, y, *, start=None):
        """Train.  X : n points, (n, d) or a list.  y : (n,) labels.

        start : dual weights (n,) of a similar model on the same points, to begin from (σ and C sweeps).  Returns self.
        """
        data, lower, upper = self._read_with_box(X, y)
        n = len(data.y)
        a = np.zeros(n)
        if start is not None:
            a = _feasible(read_start(start, n, f"one dual weight for each of the {n} points"), lower, upper)
        rows = self._rows(data.X)
        # maximise yᵀa − ½ aᵀKa   subject to   lower ≤ a ≤ upper  and  Σ a = 0;  r = y − Ka
        solve = minimise if self.C < np.inf else _hard_margin
        solution = solve(rows, p=data.y, lower=lower, upper=upper, a=a, tol=self.tol, max_iter=self.max_iter)
        self.a_ = solution.a
        self.support_ = np.flatnonzero(self.a_)
        self.multipliers_ = self.a_ * data.y
        self.b_ = offset(self.a_, solution.r, lower, upper)
        self.violation_ = solution.violation
        self.n_iter_ = solution.n_iter
        self.converged_ = self.violation_ <= self.tol
        self._weigh(self.a_, data.y, solution.r)
        self._remember(data)
        self._warn_if_unfinished()
        return self

    def _weigh(self, a, y, r):
        """Both objectives at a, with r = y − Ka."""
        square = a @ (y - r)  # ‖w‖² = aᵀKa
        if self.C < np.inf:
            hinges = np.maximum(0, y * (r - self.b_))  # max(0, 1 − y_i h(X_i)) with h(X_i) = y_i − r_i + b
            penalty = self.C * np.sum(hinges)
        else:  # a hard margin has no hinges beyond tol
            penalty = 0.0 if self.converged_ else np.inf
        self.dual_objective_ = float(a @ y - square / 2)
        self.primal_objective_ = float(square / 2 + penalty)
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_


def chosen(X, indices):
    """Some of the points, an array or a list as X is."""
    return X[indices] if isinstance(X, np.ndarray) else [X[i] for i in indices]


def _hard_margin(rows, p, lower, upper, a, tol, max_iter):
    """``minimise`` without an upper bound: ½‖w‖² is at least the dual objective, which has no end without a margin."""
    largest = rows.diagonal.max()
    if largest == 0:  # all points are 0 in feature space, where nothing separates them
        raise ValueError(INSEPARABLE)
    count = 0
    budget = 1000
    while True:
        most = min(budget, max_iter - count)
        a, r, violation, n_iter = minimise(rows, p, lower, upper, a, tol, most)
        count += n_iter
        dual = a @ (p + r) / 2  # pᵀa − ½ aᵀKa with Ka = p − r
        if dual * largest > HARDEST:
            raise ValueError(INSEPARABLE)
        if n_iter < most or count >= max_iter:  # it came to its end, within tol or as near as rounding allows
            return Solution(a, r, violation, count)
        budget *= 2


def _feasible(a, lower, upper):
    """The start, moved into the box and scaled back to Σa = 0, if it is not that already: what is on a bound stays."""
    a = np.clip(a, lower, upper)
    plus = a[a > 0].sum()
    minus = -a[a < 0].sum()
    if abs(plus - minus) <= 1e-12 * plus:
        return a
    if plus > minus:
        a[a > 0] *= minus / plus
    else:
        a[a < 0] *= plus / minus
    return a


def offset(a, r, lower, upper):
    """b: the mean of r = y − Ka over the points on the margin, or the middle of what the others allow."""
    free = (a > lower) & (a < upper)
    if free.any():
        return float(r[free].mean())
    return float((r[a < upper].max() + r[a > lower].min()) / 2)


class PrimalSVM(PrimalForm, Classifier):
    """Primal SVM by stochastic sub-gradient descent with averaging (lecture D); no offset.

        minimise (1/n) Σ max(0, 1 − y_i wᵀΦ(X_i)) + λ‖w‖²,     so C = 1/(2nλ)
        w ← w (1 − 2λη) + η y_i Φ(X_i) [y_i wᵀΦ(X_i) < 1],     η_t = 1/(2λ(t + 1))

    feature_map : Φ.  lam : λ > 0.  passes : passes over the data.  random_state : order of the points; None visits
    them one after the other.  Learned: ``w_`` (D,), the mean of the second half of the iterates.  Time O(D) a step.
    """

    def __init__(self, feature_map=Monomials(2), lam=0.01, passes=200, random_state=0):
        self.feature_map = feature_map
        self.lam = lam
        self.passes = passes
        self.random_state = random_state

    def steps(self, X, y):
        """The start, then a ``Step`` for each point visited: its index, w, the hinge it had before, and its pass.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        data = self._read_with_settings(X, y)
        return self._descend(self._features(data.X), data.y)

    def _read_with_settings(self, X, y):
        check_scale(self.lam, "lam")
        check_whole(self.passes, "passes", at_least=1)
        generator(self.random_state)
        return self._read_data(X, y)

    def _descend(self, Phi, y):
        rng = generator(self.random_state)
        w = np.zeros(Phi.shape[1])
        t = 0
        yield Step(None, w.copy(), 0.0, 0)
        for turn in range(1, self.passes + 1):
            for i in rng.permutation(len(y)).tolist() if rng else range(len(y)):
                t += 1
                eta = 1 / (2 * self.lam * (t + 1))
                hinge = max(0.0, 1 - y[i] * (w @ Phi[i]))
                w = w * (1 - 2 * self.lam * eta)
                if hinge > 0:
                    w += eta * y[i] * Phi[i]
                yield Step(i, w.copy(), hinge, turn)

    def fit(self, X, y):
        """Descend, and take the mean.  X : n points, (n, d) or a list.  y : (n,) labels.  Returns self."""
        data = self._read_with_settings(X, y)
        half = self.passes * len(data.y) // 2
        total = 0.0
        count = 0
        for t, step in enumerate(self._descend(self._features(data.X), data.y)):
            if t > half:
                total = total + step.iterate
                count += 1
        self.w_ = total / count
        return self._remember(data)
