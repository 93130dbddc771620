"""Support vector machines: the dual by SMO, and the primal by stochastic sub-gradient descent.

The dual of C Σ max(0, 1 − y_i h(X_i)) + ½‖w‖² with h(z) = wᵀΦ(z) + b is, for the multipliers λ_i (lecture C),

    maximise Σ λ_i − ½ Σ_ij λ_i λ_j y_i y_j k(X_i, X_j)   subject to   0 ≤ λ_i ≤ C,  Σ λ_i y_i = 0,

or with a_i = λ_i y_i: maximise yᵀa − ½ aᵀKa with Σ a_i = 0 and 0 ≤ a_i y_i ≤ C. Then w = Σ a_i Φ(X_i).
"""

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm
from kernelkit.models.reading import generator, warn_unfinished
from kernelkit.models.smo import Rows, minimise, smo_steps

WHOLE = 6000  # up to so many points the Gram matrix is computed at once, beyond that row by row
HARDEST = 1e10  # a hard margin has ‖w‖² max k(x, x) ≤ 2 HARDEST: it is not below 1e-5 of the data's radius


class KernelSVM(KernelForm, Classifier):
    """Soft-margin support vector machine with a kernel, solved by SMO with Newton steps (lectures A, C, D).

    kernel : k.  C : price of a violated margin, > 0; ``inf`` is the hard margin, a ValueError if none exists.
    tol : bound on the KKT violation m(a) − M(a).  max_iter : SMO pairs at most; a warning says if they were too few.

    Learned: ``a_`` (n,), zero off the support; ``multipliers_`` = a·y; ``b_``; ``support_`` indices;
    ``dual_objective_`` ≤ ``primal_objective_`` and their ``duality_gap_``; ``violation_``; ``n_iter_``.
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

    def _prepare(self, X, y):
        if self.C != np.inf:
            check_number(self.C, "C", above=0)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        return self._read_data(X, y)

    def steps(self, X, y):
        """Plain SMO pair by pair, for a finite C: see ``smo.smo_steps`` for what each state holds."""
        data = self._prepare(X, y)
        if self.C == np.inf:
            raise ValueError("steps needs a finite C, got inf; a large C such as 1e6 shows the same.")
        y = data.y
        return smo_steps(self._gram(data.X), y, *_box(y, self.C), np.zeros(len(y)), self.tol)

    def fit(self, X, y, *, start=None):
        """Train; start : dual weights a of a similar model on the same points, to begin from (σ and C sweeps)."""
        data = self._prepare(X, y)
        X, y, rows = data.X, data.y, self._rows(data.X)
        a = np.zeros(len(y)) if start is None else check_array(start, "start").copy()
        if a.shape != y.shape:
            raise ValueError(f"start must hold one dual weight for each of the {len(y)} points, got shape {a.shape}.")
        lower, upper = _box(y, self.C)
        a, solve = _inside(a, lower, upper), minimise if self.C < np.inf else _hard_margin
        self._store(X, y, *solve(rows, y, lower, upper, a, self.tol, self.max_iter))
        return self._remember(data)

    def _rows(self, X):
        if len(X) <= WHOLE:
            K = self._gram(X)
            return Rows(lambda i: K[i], K.diagonal())
        return Rows(lambda i: self._gram(X[i : i + 1], X)[0], self.kernel.diag(X))

    def _store(self, X, y, a, r, violation, count):
        a = _snapped(a, *_box(y, self.C))
        self.a_, self.multipliers_ = a, a * y
        self.support_ = np.flatnonzero(a)
        self.X_support_ = X[self.support_] if isinstance(X, np.ndarray) else [X[i] for i in self.support_]
        self.violation_, self.n_iter_ = violation, count
        self.b_ = _offset(a, r, *_box(y, self.C))
        # with q = Ka = y − r: aᵀKa = aᵀq, and the hinge of point i is max(0, y_i (r_i − b))
        square, hinge = a @ (y - r), np.maximum(0, y * (r - self.b_)).sum()
        self.dual_objective_ = float(a @ y - square / 2)
        unkept = np.inf if violation > self.tol else 0.0  # of a hard margin: the margins are kept when it has ended
        self.primal_objective_ = float(square / 2 + (self.C * hinge if self.C < np.inf else unkept))
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_
        if violation > self.tol:
            warn_unfinished(
                f"KernelSVM stopped after {count} steps with a violation of {violation:.2g} > tol = {self.tol:g}; "
                "raise max_iter, or scale the inputs."
            )

    def _carriers(self):
        if self._pairwise():  # the rows of new points have a column for each training point
            return self.X_, self.a_
        return self.X_support_, self.a_[self.support_]


def _box(y, C):
    """0 ≤ a_i y_i ≤ C as lower ≤ a ≤ upper."""
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def _hard_margin(rows, y, lower, upper, a, tol, max_iter):
    """``minimise`` without an upper bound: ½‖w‖² is at least the dual objective, which has no end without a margin."""
    largest, count, budget = max(rows.diagonal.max(), 1e-300), 0, 1000
    while True:
        a, r, violation, steps = minimise(rows, y, lower, upper, a, tol, min(budget, max_iter - count))
        count, budget = count + steps, 2 * budget
        if a @ (y + r) / 2 * largest > HARDEST:  # yᵀa − ½aᵀKa with Ka = y − r
            raise ValueError(
                "C=inf asks for a hard margin, but these classes are not separable with this kernel: "
                "use a finite C, a smaller sigma or a higher degree."
            )
        if violation <= tol or count >= max_iter:
            return a, r, violation, count


def _inside(a, lower, upper):
    """The start, moved into the box and scaled back to Σa = 0."""
    a = np.clip(a, lower, upper)
    plus, minus = a[a > 0].sum(), -a[a < 0].sum()
    if plus > minus:
        a[a > 0] *= minus / plus
    elif minus > plus:
        a[a < 0] *= plus / minus
    return a


def _snapped(a, lower, upper):
    """a, with what is within rounding of a bound put on it: such a weight is not free and says nothing about b."""
    near = 1e-12 * np.abs(a).max()
    return np.where(upper - a <= near, upper, np.where(a - lower <= near, lower, a))


def _offset(a, r, lower, upper):
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
        """Every iterate w_t, as copies."""
        _, Phi, y = self._prepare(X, y)
        for w in self._walk(Phi, y):
            yield w.copy()

    def _prepare(self, X, y):
        check_number(self.lam, "lam", above=0)
        check_whole(self.passes, "passes", at_least=1)
        data = self._read_data(X, y)
        return data, self._features(data.X), data.y

    def _walk(self, Phi, y):
        rng = generator(self.random_state)
        w, t = np.zeros(Phi.shape[1]), 0
        yield w
        for _ in range(self.passes):
            for i in rng.permutation(len(y)) if rng else range(len(y)):
                t += 1
                eta = 1 / (2 * self.lam * (t + 1))
                inside = y[i] * (w @ Phi[i]) < 1
                w = w * (1 - 2 * self.lam * eta)
                if inside:
                    w = w + eta * y[i] * Phi[i]
                yield w

    def fit(self, X, y):
        data, Phi, y = self._prepare(X, y)
        half, total, count = self.passes * len(y) // 2, 0.0, 0
        for t, w in enumerate(self._walk(Phi, y)):
            if t > half:
                total, count = total + w, count + 1
        self.w_ = total / count
        return self._remember(data)
