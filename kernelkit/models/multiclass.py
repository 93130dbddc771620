"""More than two classes (lecture E): one binary model for each, or one margin over all; see also ``KernelSoftmax``."""

import copy
from itertools import count

import numpy as np

from kernelkit.checks import check_number, check_scale, check_square, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, Step
from kernelkit.models.smo import ENDS, FLAT, MOST_FREE, RIDGE, check_curvature
from kernelkit.models.svm import KernelSVM, SupportForm

BLOCK = 50  # points between two runs of Newton's steps
SETTLED = 1e-12  # slopes that differ by less are equal but for rounding


class OneVsRest(Classifier):
    """One binary classifier for each class against all others; the largest h wins.

    estimator : a classifier of kernelkit; each class gets a copy of it, whose y is ±1.  None stands for
    ``KernelSVM(tol=1e-6)``: the outputs h of its models are compared, so none of them may stop early.
    Learned: ``models_``, one for each of ``classes_``; with two classes a single one.
    ``predict_proba`` is there if the estimator has it: each class's own probability, divided by their sum.
    """

    _multi_class = True

    def __init__(self, estimator=None):
        self.estimator = estimator

    def _binary(self):
        return KernelSVM(tol=1e-6) if self.estimator is None else self.estimator

    def _reader(self):
        return self._binary()._reader()

    def _pairwise(self):
        return self._binary()._pairwise()

    def fit(self, X, y):
        """One fit for each class.  X : n points, (n, d) or a list.  y : (n,) labels."""
        if not (isinstance(self._binary(), Classifier) and hasattr(self._binary(), "decision_function")):
            raise TypeError(f"estimator must be a classifier of kernelkit, got {self.estimator!r}.")
        data = self._read_data(X, y)
        ones = [1] if len(data.classes) == 2 else range(len(data.classes))
        signs = (np.where(data.y == c, 1, -1) for c in ones)
        self.models_ = [copy.deepcopy(self._binary()).fit(data.X, y_c) for y_c in signs]
        return self._remember(data)

    def decision_function(self, Z):
        """h of each class for each of the m points Z: (m, classes); with two classes (m,)."""
        Z = self._read_new(Z)
        h = np.column_stack([model.decision_function(Z) for model in self.models_])
        return h[:, 0] if len(self.models_) == 1 else h

    @property
    def predict_proba(self):
        """P(class | z) for each of the m points Z: (m, classes)."""
        self._need_probabilities()
        return self._probabilities

    @property
    def predict_log_proba(self):
        """The logarithms of ``predict_proba``, (m, classes), without underflow."""
        self._need_probabilities()
        return self._log_probabilities

    def _need_probabilities(self):
        if not hasattr(self._binary(), "predict_log_proba"):
            raise AttributeError(
                f"{type(self._binary()).__name__} has no probabilities; OneVsRest(KernelLogistic()) has predict_proba."
            )

    def _probabilities(self, Z):
        return np.exp(self._log_probabilities(Z))

    def _log_probabilities(self, Z):
        Z = self._read_new(Z)
        log_p = [model.predict_log_proba(Z) for model in self.models_]
        if len(log_p) == 1:
            return log_p[0]
        log_p = np.column_stack([of_class[:, 1] for of_class in log_p])
        return log_p - np.logaddexp.reduce(log_p, axis=1, keepdims=True)


class KernelMultiSVM(SupportForm, Classifier):
    """One support vector machine for all classes at once (Crammer and Singer 2001; lecture E); no offsets.

        minimise ½ Σ_c ‖w_c‖² + C Σ_i max_c (h_c(X_i) + [c ≠ y_i] − h_{y_i}(X_i)),     h_c(z) = Σ_i a_ic k(X_i, z)

    The dual: maximise −½ Σ_c a_cᵀKa_c − Σ_i Σ_{c≠y_i} a_ic with Σ_c a_ic = 0, a_ic ≤ C for the own class c = y_i and
    ≤ 0 for the others. Of one point it is solved exactly; the next point is the one that violates most (Keerthi 2008).
    ``fit`` adds Newton's steps on all weights that are off their bounds, if these are some hundred at most.

    kernel : k.  C : price of a violated margin, > 0.  tol : bound on the KKT violation.  max_iter : points at most; a
    warning says if they were too few.

    Learned: ``a_`` (n, classes); ``support_`` indices of its rows that are not zero; ``converged_``; ``violation_``;
    ``n_iter_``; ``dual_objective_`` ≤ ``primal_objective_`` and their ``duality_gap_``.  Time O(n · classes) a step.
    scikit-learn: LinearSVC(C, multi_class="crammer_singer", fit_intercept=False) on explicit features.
    """

    _multi_class = True

    def __init__(self, kernel=Gaussian(1.0), C=1.0, tol=1e-3, max_iter=1_000_000):
        self.kernel = kernel
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def _read_with_gram(self, X, y):
        """The data, K, and for each point a 1 in its class (n, classes)."""
        check_scale(self.C, "C")
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y)
        K = self._gram(data.X)
        check_curvature(K.diagonal())
        return data, K, np.eye(len(data.classes))[data.y]

    def steps(self, X, y):
        """The start, then a ``Step`` for each point solved: its index, a (n, classes), and how much it violated before.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        _, K, T = self._read_with_gram(X, y)
        return self._walk(K, T)

    def _walk(self, K, T):
        moved = None
        cost = 0.0
        for turn, (i, violation, a, _) in enumerate(ascent(K, T, self.C, self.tol)):
            yield Step(moved, a.copy(), cost, turn)
            moved = i
            cost = violation

    def fit(self, X, y):
        """Train.  X : n points, (n, d) or a list.  y : (n,) labels."""
        data, K, T = self._read_with_gram(X, y)
        for turn, here in enumerate(ascent(K, T, self.C, self.tol, leaps=True)):
            _, violation, a, h = here
            if turn == self.max_iter:
                break
        for a_c, h_c in zip(a.T, h.T, strict=True):
            check_square(a_c, h_c, K.diagonal())  # ‖w_c‖²
        self.n_iter_ = turn
        self.violation_ = violation
        a[~(a < 0).any(axis=1)] = 0.0  # these sum to zero but for rounding
        self.a_ = a
        self.support_ = np.flatnonzero(a.any(axis=1))
        self._weigh(a, h, T)
        self._remember(data)
        self._warn_if_unfinished()
        return self

    def _weigh(self, a, h, T):
        """Both objectives at a, with h = Ka."""
        square = np.sum(a * h)  # Σ ‖w_c‖²
        own = np.sum(T * h, axis=1)
        self.primal_objective_ = float(square / 2 + self.C * np.sum((h + 1 - T).max(axis=1) - own))
        self.dual_objective_ = float(-square / 2 - np.sum(a * (1 - T)))
        self.duality_gap_ = self.primal_objective_ - self.dual_objective_
        self.converged_ = self.violation_ <= self.tol

    def decision_function(self, Z):
        """h of each class for each of the m points Z, (m, classes); with two classes the difference h_1 − h_0, (m,)."""
        h = self._outputs(Z)
        return h[:, 1] - h[:, 0] if h.shape[1] == 2 else h


def ascent(K, T, C, tol, leaps=False):
    """Dual coordinate ascent of ``KernelMultiSVM``, point by point.

    Before each step yields the point i that violates most, its violation, a and h = Ka (n, classes); it changes a and h
    in place, and ends where none violates more than tol. With leaps some steps are followed by Newton's, as the end is.
    """
    T = np.asfortranarray(T)  # the classes of a point are looked through at once: so it is faster
    a = 0 * T
    h = 0 * T
    upper = C * T
    flat = FLAT * (K.diagonal().max() or 1.0)
    ends = 0  # so often none violates more than tol; afterwards Newton's steps would only move what is rounding
    for turn in count(1):
        g = h + 1 - T  # minus the slope of the dual; at the optimum it is the same for all classes that may grow
        violation = g.max(axis=1) - np.where(a < upper, g, np.inf).min(axis=1)
        i = int(violation.argmax())
        yield i, float(violation[i]), a, h
        if violation[i] <= tol:
            ends += 1
            if leaps and ends <= ENDS and leap(K, T, a, h, upper):
                continue
            return
        new = best_row(g[i] / max(K[i, i], flat) - a[i], upper[i])
        h += np.outer(new - a[i], K[i]).T
        a[i] = new
        if leaps and turn % BLOCK == 0:
            leap(K, T, a, h, upper)


def leap(K, T, a, h, upper):
    """Newton's step on all weights off their bounds, in place; at a bound it stops and goes on without that weight.

    Whether anything moved. For the free classes c of a point i with one of them, r, the same slope is wanted:
    (Kδ)_ic − (Kδ)_ir = g_ir − g_ic, and what c gets r loses.
    """
    moved = False
    while True:
        free = (a < upper) & ((a < upper).sum(axis=1) > 1)[:, None]
        first = free.argmax(axis=1)
        free[np.arange(len(a)), first] = False
        i, c = np.nonzero(free)
        r = first[i]
        slope = T - h
        wanted = slope[i, c] - slope[i, r]
        if not 0 < len(i) <= MOST_FREE or np.abs(wanted).max() <= SETTLED * (1 + np.abs(h).max()):
            return moved
        M = K[np.ix_(i, i)] * (1.0 * (c[:, None] == c) - (c[:, None] == r) - (r[:, None] == c) + (r[:, None] == r))
        M.flat[:: len(i) + 1] += RIDGE * K.diagonal().max()
        delta = np.linalg.solve(M, wanted)
        step = np.zeros_like(a)
        np.add.at(step, (i, c), delta)
        np.add.at(step, (i, r), -delta)
        part = np.divide(upper - a, step, out=np.ones_like(a), where=step > upper - a)
        at = np.unravel_index(part.argmin(), part.shape)
        a += part[at] * step
        if part[at] < 1:
            a[at] = upper[at]
        h[:] = K @ a  # afresh: the steps of many points have lost digits
        moved = True
        if part[at] == 1:
            return moved


def best_row(b, upper):
    """The row x ≤ upper, Σx = 0, that minimises ½‖x‖² + bᵀx: min(upper, t − b_c), for the right t."""
    d = np.sort(b + upper)[::-1]  # class c stands at its bound where t ≥ b_c + upper_c
    t = (np.cumsum(d) - upper.sum()) / np.arange(1, len(d) + 1)
    return np.minimum(upper, t[np.append(t[:-1] >= d[1:], True).argmax()] - b)
