"""Logistic regression twice: gradient steps in the weights w, and in the dual weights a the same steps, or Newton's.

Both minimise Σ_i log(1 + exp(−y_i f(X_i))) + λ/2 ‖w‖² (lecture A; in the steps, as there, t_i is 0 or 1 for y_i = ±1).
With the same order of the data w_t = Φ(X)ᵀa_t holds at every step, of batch and of stochastic gradient descent.
``KernelLogistic`` takes Newton's steps unless told otherwise, as they come to the minimum in a few.
"""

from itertools import islice

import numpy as np

from kernelkit.checks import check_number, check_whole, generator
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.chunks import check_again, summed, unfitted
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm, Step
from kernelkit.models.logistic_chunks import SummedObjective, label_counts, loss_sums
from kernelkit.models.newton import Iterate, Objective, last_iterate, newton, not_converged, space_of
from kernelkit.models.reading import read_start, warn_unfinished

NEAR = 1e-3  # of the objective: who is farther above the minimum has not converged


# ---- the loss -------------------------------------------------------------------------------------


def sigmoid(f):
    """s(f) = 1/(1 + e^{−f}), without overflow for any f."""
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def log_loss(margins):
    """Σ log(1 + e^{−m}), without overflow."""
    return float(np.sum(np.maximum(-margins, 0) + np.log1p(np.exp(-np.abs(margins)))))


class LogLoss:
    """The loss Σ log(1 + e^{−y_i f_i}) of n points with y = ±1, and its derivatives in f."""

    def __init__(self, y):
        self.y = y
        self.t = (y + 1) / 2

    def total(self, f):
        return log_loss(self.y * f)

    def residual(self, f):
        """t − s(f), in the form y s(−yf), which keeps its digits where s(f) is near t."""
        return self.y * sigmoid(-self.y * f)

    def curvature(self, f):
        """s(f) (1 − s(f))."""
        return sigmoid(f) * sigmoid(-f)


# ---- the models -----------------------------------------------------------------------------------


class _Logistic(Classifier):
    """What both forms share: the stopping rule, the records of steps, probabilities.

    v stands for w (D,) or a (n,), A for Φ (n, D) or K (n, n), and f = Av for the outputs at the training points.
    Each form writes ``fit`` and ``steps``, and for them ``_square``, ‖w‖², ``_lipschitz``, the constant L of the
    gradient in w, and the descents ``_gd`` and ``_sgd``; ``KernelLogistic`` also ``_newton``.
    """

    _solvers = ()  # the names that the parameter solver can have

    # ---- fit and steps -------------------------------------------------------------------------

    def _descended(self, A, loss):
        """The weights at the end of the descent from 0, its number of steps, and what to say if it is no good end."""
        iterates = self._iterates(A, loss, np.zeros(A.shape[1]))
        end, turn, converged = last_iterate(iterates, lambda iterate: iterate.change <= self.tol, self.max_iter)
        problem = None if converged else not_converged(turn, self.max_iter, self.tol)
        if converged and self.solver != "newton":
            problem = self._far(A, loss, end)
        return end.v, turn, problem

    def _finish(self, data, turn, problem):
        """The end of fit, after the weights are set."""
        self.n_iter_ = turn
        self.converged_ = problem is None
        self._remember(data)
        if problem:
            warn_unfinished(f"{type(self).__name__} {problem}")
        return self

    def _records(self, A, loss, start):
        """A ``Step`` for each iterate of the solver."""
        size = A.shape[1]
        v = np.zeros(size) if start is None else read_start(start, size, f"{size} numbers")
        return self._sgd(A, loss, v) if self.solver == "sgd" else self._whole_steps(A, loss, v)

    def _whole_steps(self, A, loss, start):
        """A ``Step`` for each iterate of gd or newton, in which all points move the weights."""
        for turn, iterate in enumerate(islice(self._iterates(A, loss, start), self.max_iter + 1)):
            value = self._objective(loss, iterate.v, iterate.f) if iterate.value is None else iterate.value
            yield Step(None, iterate.v.copy(), value, turn)

    def _iterates(self, A, loss, v):
        """An ``Iterate`` for each step of gd or newton, or for each epoch of sgd."""
        if self.solver == "newton":
            return self._newton(A, loss, v)
        if self.solver == "sgd":
            return with_changes(self._epochs(A, loss, v))
        step = self.step or 1 / self._lipschitz(A)
        return with_changes(self._gd(A, loss, v, step))

    def _epochs(self, A, loss, v):
        """The weights and outputs after each epoch of sgd."""
        for record in islice(self._sgd(A, loss, v), 0, None, len(A)):
            yield record.iterate, A @ record.iterate

    def _order(self, n):
        """The points sgd visits: drawn by random_state, or one after the other."""
        rng = generator(self.random_state)
        for _ in range(self.max_iter):
            yield from (rng.integers(n, size=n).tolist() if rng else range(n))

    def _step_after(self, number, step, n):
        """ε_m = ε / (1 + m ελ/n) after m = number steps of sgd: constant without a penalty, else it falls."""
        return step / (1 + step * self.lam / n * number)

    def _objective(self, loss, v, f):
        """Σ log(1 + e^{−yf}) + λ/2 ‖w‖²."""
        return loss.total(f) + self.lam / 2 * self._square(v, f)

    def _far(self, A, loss, end):
        """What to say if the outputs settled far from the minimum: short steps of gd, or a circle of those of sgd."""
        value = self._objective(loss, end.v, end.f)
        if self._gap(A, loss, end) <= NEAR * value:
            return None
        far = f"its objective of {value:.3g} can be far above the minimum"
        if self.solver == "sgd":
            return f"goes round in circles: its outputs repeat after every pass, but {far}; lower step, or raise lam."
        return f"moved no output by more than tol = {self.tol:g}, but {far}; centre or scale the inputs, or lower tol."

    def _gap(self, A, loss, end):
        """How far the objective is above its minimum: ‖∇‖²/2λ at most; for λ = 0 instead what it is at least.

        As no loss bends more than 1/4, a step of 4r in f lowers the loss by 2 rᵀr or more, and of r what A can make by
        2 rᵀAv, with the v of least ‖Av − r‖².
        """
        r = loss.residual(end.f)
        if self.lam == 0:
            return 2 * r @ A @ np.linalg.lstsq(A, r, rcond=None)[0]
        descent = self._descent(A, r, end.v)
        return self._square(descent, A @ descent) / (2 * self.lam)

    # ---- the door ------------------------------------------------------------------------------

    def _check_settings(self):
        if self.solver not in self._solvers:
            raise ValueError(f"solver must be one of {', '.join(map(repr, self._solvers))}, got {self.solver!r}.")
        check_number(self.lam, "lam", at_least=0)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        generator(self.random_state)
        if self.step is not None:
            check_number(self.step, "step", above=0)
            if self.solver == "gd" and self.step * self.lam >= 2:  # then |1 − ελ| ≥ 1
                raise ValueError(f"step must be < 2/lam = {2 / self.lam:g}, or gd runs away; got {self.step!r}.")
        if self.solver == "newton" and self.lam == 0:
            raise ValueError("solver='newton' needs lam > 0, got lam = 0; use solver='gd'.")

    # ---- outputs -------------------------------------------------------------------------------

    def predict_proba(self, Z):
        """P(y = classes_[0]) and P(y = classes_[1]) = s(h(z)), one row for each of the m points: (m, 2)."""
        h = self.decision_function(Z)
        return np.column_stack([sigmoid(-h), sigmoid(h)])

    def predict_log_proba(self, Z):
        """The logarithms of ``predict_proba``, (m, 2), without underflow."""
        h = self.decision_function(Z)
        return -np.column_stack([np.logaddexp(0, h), np.logaddexp(0, -h)])


def with_changes(pairs):
    """An ``Iterate`` for each pair of weights and outputs."""
    before = np.inf
    for v, f in pairs:
        yield Iterate(v, f, np.abs(f - before).max())
        before = f


def largest_eigenvalue(A):
    """Of a symmetric matrix; the others are not computed."""
    from scipy.linalg import eigh

    last = len(A) - 1
    return float(eigh(A, eigvals_only=True, subset_by_index=[last, last], check_finite=False)[0])


class PrimalLogistic(PrimalForm, _Logistic):
    """Primal logistic regression on explicit features (lecture A).

        gd :  w ← w + ε (Φᵀ(t − s(Φw)) − λw)
        sgd:  w ← w + ε_m ((t_i − s(Φ_iᵀw)) Φ_i − λ/n w),     ε_m = ε / (1 + m ελ/n) after m steps

    feature_map : Φ.  lam : λ ≥ 0.  solver : "gd" or "sgd".  step : ε; None means 1/L, with the Lipschitz constant L of
    the gradient.  max_iter : steps of gd, or passes of sgd.  tol : the descent ends when no f(X_i) moves by more in one
    step or pass.
    random_state : None visits the points in order.  A constant step of sgd may lead in circles: a warning says so.

    Learned: ``w_`` (D,), ``n_iter_``, ``converged_``: the descent ended so, and the objective is at most a thousandth
    above its minimum, as ‖∇‖²/2λ tells; for λ = 0 no step of least squares would lower it by more.
    Time O(nD) a step of gd, O(D) of sgd, O(D) a test point.
    """

    _solvers = ("gd", "sgd")

    def __init__(
        self,
        feature_map=Monomials(2),
        lam=1.0,
        solver="gd",
        step=None,
        max_iter=5000,
        tol=1e-5,
        random_state=None,
    ):
        self.feature_map = feature_map
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Descend until no f(X_i) moves by more than tol in a step of gd, or in an epoch of sgd.

        X : n points, (n, d) or a list.  y : (n,) labels.  Returns self.
        """
        self._check_settings()
        data = self._read_data(X, y)
        Phi = self._features(data.X)
        self.w_, turn, problem = self._descended(Phi, LogLoss(data.y))
        return self._finish(data, turn, problem)

    def steps(self, X, y, start=None):
        """A ``Step`` for each w, from start on (0 if not given): its objective, or the loss sgd saw.

        X : n points, (n, d) or a list.  y : (n,) labels.  start : (D,).
        """
        self._check_settings()
        data = self._read_data(X, y)
        return self._records(self._features(data.X), LogLoss(data.y), start)

    def _square(self, w, f):
        """‖w‖²."""
        return w @ w

    def _lipschitz(self, Phi):
        """The Lipschitz constant of the gradient: the largest eigenvalue of ΦᵀΦ/4 + λI."""
        gram = Phi @ Phi.T if len(Phi) <= Phi.shape[1] else Phi.T @ Phi  # the smaller of two with the same eigenvalues
        L = largest_eigenvalue(gram) / 4 + self.lam
        return L or 1.0  # where the gradient does not change, any step will do

    def _gd(self, Phi, loss, w, step):
        """Each w and its f = Φw."""
        while True:
            f = Phi @ w
            yield w, f
            w = w + step * self._descent(Phi, loss.residual(f), w)

    def _descent(self, Phi, r, w):
        """−∇ of the objective in w, where r is t − s(f)."""
        return Phi.T @ r - self.lam * w

    def _sgd(self, Phi, loss, w):
        n = len(Phi)
        step = self.step
        if step is None:
            L = np.max(np.sum(Phi**2, axis=1)) / 4 + self.lam / n  # of the gradient of any one point
            step = 1 / (L or 1.0)
        yield Step(None, w.copy(), self._objective(loss, w, Phi @ w), 0)
        for number, i in enumerate(self._order(n)):
            step_m = self._step_after(number, step, n)
            f_i = Phi[i] @ w
            w = w + step_m * ((loss.t[i] - sigmoid(f_i)) * Phi[i] - self.lam / n * w)
            yield Step(i, w.copy(), np.logaddexp(0, -loss.y[i] * f_i), number // n + 1)

    def fit_chunks(self, chunks, client=None):
        """Newton's steps, each from sums over all chunks in one pass: the minimum that ``fit`` descends to, for λ > 0.

        chunks, client : as for ``PrimalRidge.fit_chunks``, but no generator: the first pass collects the labels, and
        each step is one more. The steps end when none of the f(X_i) moves by more than tol.  Returns self.
        """
        self._check_settings()
        check_number(self.lam, "lam", above=0)
        check_again(chunks)
        model = unfitted(self)
        labels = summed(label_counts, chunks, client, model)
        _, classes = self._read_targets(list(labels.value), len(labels.value))

        def sums_at(w, step):
            return summed(loss_sums, chunks, client, model, LogLoss, classes, w, step).value

        objective = SummedObjective(sums_at, self.lam)
        iterates = newton(objective, objective.at_zero())
        end, turn, converged = last_iterate(iterates, lambda iterate: iterate.change <= self.tol, self.max_iter)
        self.w_ = end.w
        problem = None if converged else not_converged(turn, self.max_iter, self.tol)
        return self._finish(labels.like._replace(classes=classes), turn, problem)


class KernelLogistic(KernelForm, _Logistic):
    """Kernel logistic regression (lecture A).

        gd :     a ← a + ε (t − s(Ka) − λa)
        sgd:     a ← (1 − ε_m λ/n) a,  a_i ← a_i + ε_m (t_i − s(q_i)),  and q = Ka kept up to date in O(n)
        newton:  a ← a + (λI + WK)⁻¹ (t − s(Ka) − λa),  W = diag(s(1 − s)), halved until it descends; needs λ > 0

    kernel : k.  The other parameters as ``PrimalLogistic``; solver is "newton" unless said otherwise.

    Learned: ``a_`` (n,), ``n_iter_``, ``converged_``, where newton is near the minimum once no f(X_i) moves.
    Time O(n²d) for K; O(n²) a step of gd, O(n) of sgd, O(n³) of newton; O(nd) a test point.
    """

    _solvers = ("newton", "gd", "sgd")

    def __init__(
        self,
        kernel=Gaussian(1.0),
        lam=1.0,
        solver="newton",
        step=None,
        max_iter=5000,
        tol=1e-5,
        random_state=None,
    ):
        self.kernel = kernel
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y):
        """Descend until no f(X_i) moves by more than tol in a step of newton or gd, or in an epoch of sgd.

        X : n points, (n, d) or a list.  y : (n,) labels.  Returns self.
        """
        self._check_settings()
        data = self._read_data(X, y)
        K = self._gram(data.X)
        self.a_, turn, problem = self._descended(K, LogLoss(data.y))
        return self._finish(data, turn, problem)

    def steps(self, X, y, start=None):
        """A ``Step`` for each a, from start on (0 if not given): its objective, or the loss sgd saw.

        X : n points, (n, d) or a list.  y : (n,) labels.  start : (n,).
        """
        self._check_settings()
        data = self._read_data(X, y)
        return self._records(self._gram(data.X), LogLoss(data.y), start)

    def _square(self, a, q):
        """‖w‖² = aᵀKa."""
        return a @ q

    def _lipschitz(self, K):
        """The Lipschitz constant of the gradient in w: the largest eigenvalue of K/4 + λI."""
        L = largest_eigenvalue(K) / 4 + self.lam
        return L or 1.0  # where the gradient does not change, any step will do

    def _gd(self, K, loss, a, step):
        """Each a and its q = Ka."""
        while True:
            q = K @ a
            yield a, q
            a = a + step * self._descent(K, loss.residual(q), a)

    def _descent(self, K, r, a):
        """The a of −∇ of the objective in w, where r is t − s(q)."""
        return r - self.lam * a

    def _sgd(self, K, loss, a):
        n = len(K)
        step = self.step
        if step is None:
            L = np.max(K.diagonal()) / 4 + self.lam / n  # of the gradient of any one point
            step = 1 / (L or 1.0)
        q = K @ a
        yield Step(None, a.copy(), self._objective(loss, a, q), 0)
        for number, i in enumerate(self._order(n)):
            step_m = self._step_after(number, step, n)
            cost = np.logaddexp(0, -loss.y[i] * q[i])
            change = step_m * (loss.t[i] - sigmoid(q[i]))
            shrink = 1 - step_m * self.lam / n
            a = shrink * a
            a[i] += change
            q = shrink * q + change * K[i]
            yield Step(i, a.copy(), cost, number // n + 1)

    def _newton(self, K, loss, a):
        """An ``Iterate`` for each a ← a + (λI + WK)⁻¹ (t − s(Ka) − λa), in weights v where rounding hides no λ."""
        space = space_of(K, self.lam)
        objective = Objective(space, loss)
        for iterate in newton(objective, objective.at(space.from_points(a))):
            yield iterate._replace(v=space.to_points(iterate.v))
