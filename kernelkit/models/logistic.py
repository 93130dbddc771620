"""Logistic regression twice: gradient steps in the weights w, and the same steps in the dual weights a.

Both minimise Σ_i log(1 + exp(−y_i f(X_i))) + λ/2 ‖w‖² (lecture A; in the steps, as there, t_i is 0 or 1 for y_i = ±1).
With the same order of the data w_t = Φ(X)ᵀa_t holds at every step, of batch and of stochastic gradient descent.
The weight c_i of a point, 1 if none is given, multiplies its term.
"""

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import add

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole, generator
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.chunks import check_again, summed, unfitted
from kernelkit.models.equations import check_finite, check_square, solve
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm, Step
from kernelkit.models.newton import Iterate, Objective, last_iterate, newton, not_converged, space_of
from kernelkit.models.reading import Data, check_weights, column_names, read_labels, warn_unfinished
from kernelkit.models.totals import row_blocks

# ---- the loss -------------------------------------------------------------------------------------


def sigmoid(f):
    """s(f) = 1/(1 + e^{−f}), without overflow for any f."""
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def log_loss(margins, weights=1.0):
    """Σ c log(1 + e^{−m}), without overflow."""
    return float(np.sum(weights * (np.maximum(-margins, 0) + np.log1p(np.exp(-np.abs(margins))))))


class LogLoss:
    """The loss Σ c_i log(1 + e^{−y_i f_i}) of n points with y = ±1, and its derivatives in f."""

    def __init__(self, y, weights=None):
        self.y = y
        self.t = (y + 1) / 2
        self.c = np.ones(len(y)) if weights is None else weights

    def total(self, f):
        return log_loss(self.y * f, self.c)

    def residual(self, f):
        """c (t − s(f)), with all its digits where s(f) is nearly t."""
        return self.c * self.y * sigmoid(-self.y * f)

    def curvature(self, f):
        """c s(f) (1 − s(f))."""
        return self.c * sigmoid(f) * sigmoid(-f)


# ---- the models -----------------------------------------------------------------------------------


class _Logistic(Classifier):
    """What both forms share: settings, the stopping rule, probabilities."""

    def steps(self, X, y, start=None, sample_weight=None):
        """A ``Step`` for each iterate, w or a, from start on (0 if not given): its objective, or the loss sgd saw.

        X : n points, (n, d) or a list.  y : (n,) labels.  start : (D,) or (n,).  sample_weight : (n,), ≥ 0.
        """
        data = self._prepare(X, y, sample_weight)
        design = self._design(data.X)
        loss = LogLoss(data.y, data.weights)
        start = self._read_start(start, design.shape[1])
        if self.solver == "sgd":
            yield from self._sgd(design, loss, start)
            return
        for turn, here in enumerate(islice(self._iterates(design, loss, start), self.max_iter + 1)):
            value = self._objective(loss, here.v, here.f) if here.value is None else here.value
            yield Step(None, here.v.copy(), value, turn)

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

    def _prepare(self, X, y, sample_weight):
        self._check_settings()
        return self._read_data(X, y, sample_weight)

    def _read_start(self, start, size):
        if start is None:
            return np.zeros(size)
        start = check_array(start, "start")
        if start.shape != (size,):
            raise ValueError(f"start must hold {size} numbers, got shape {start.shape}.")
        return start

    def _objective(self, loss, v, f):
        """Σ c log(1 + e^{−yf}) + λ/2 ‖w‖²."""
        return loss.total(f) + self.lam / 2 * self._square(v, f)

    def fit(self, X, y, sample_weight=None):
        """Descend until no f(X_i) moves by more than tol in a step of gd or newton, or in an epoch of sgd.

        X : n points, (n, d) or a list.  y : (n,) labels.  sample_weight : (n,) numbers ≥ 0.  Returns self.
        """
        data = self._prepare(X, y, sample_weight)
        design = self._design(data.X)
        loss = LogLoss(data.y, data.weights)
        iterates = self._iterates(design, loss, np.zeros(design.shape[1]))
        end, turn, converged = last_iterate(iterates, lambda here: here.change <= self.tol, self.max_iter)
        trouble = None if converged else not_converged(turn, self.max_iter, self.tol)
        if converged and self.solver == "sgd":
            trouble = self._circling(design, loss, end)
        self._learn(end.v)
        self.n_iter_ = turn
        self.converged_ = trouble is None
        self._remember(data)
        if trouble:
            warn_unfinished(f"{type(self).__name__} {trouble}")
        return self

    def _iterates(self, design, loss, v):
        """An ``Iterate`` for each step of gd or newton, or for each epoch of sgd."""
        if self.solver == "newton":
            return self._newton(design, loss, v)
        if self.solver == "sgd":
            return with_changes(self._epochs(design, loss, v))
        step = self.step or 1 / self._lipschitz(design, loss.c)
        return with_changes(self._gd(design, loss, v, step))

    def _epochs(self, design, loss, v):
        """The weights and outputs after each epoch of sgd."""
        for step in islice(self._sgd(design, loss, v), 0, None, len(design)):
            yield step.iterate, design @ step.iterate

    def _circling(self, design, loss, end):
        """What to say if the steps of sgd lead in a circle: they repeat, but a step of gd would still move f."""
        gd = self._gd(design, loss, end.v, 1 / self._lipschitz(design, loss.c))
        next(gd)
        _, f = next(gd)
        furthest = np.abs(f - end.f).max()
        if furthest <= 1000 * self.tol:
            return None
        return (
            "goes round in circles: its outputs repeat after every pass, but a step of gd would "
            f"move them by up to {furthest:.2g}; lower step, or raise lam."
        )

    def _order(self, n):
        """The points sgd visits: drawn by random_state, or one after the other."""
        rng = generator(self.random_state)
        for _ in range(self.max_iter):
            yield from (rng.integers(n, size=n).tolist() if rng else range(n))

    def _rate(self, step, n, t):
        """ε_t: constant without a penalty, else falling as the penalty allows."""
        return step / (1 + step * self.lam / n * t)

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
        sgd:  w ← w + ε ((t_i − s(Φ_iᵀw)) Φ_i − λ/n w)

    feature_map : Φ.  lam : λ ≥ 0.  solver : "gd" or "sgd".  step : ε; None means 1/L, with the Lipschitz constant L of
    the gradient.
    max_iter : steps of gd, or passes of sgd.  tol : the descent ends when no f(X_i) moves by more in one step or
    pass,
    which for gd can still be well before the minimum.
    random_state : None visits the points in order.  A constant step of sgd may lead in circles: a warning says so.
    class_weight : None, "balanced" (the classes weigh the same), or a dictionary label: weight.

    Learned: ``w_`` (D,), ``n_iter_``, ``converged_``.  Time O(nD) a step of gd, O(D) of sgd, O(D) a test point.
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
        class_weight=None,
    ):
        self.feature_map = feature_map
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.class_weight = class_weight

    def _design(self, X):
        """Φ, refused where ΦᵀΦ would overflow."""
        Phi = super()._design(X)
        with np.errstate(over="ignore"):
            check_finite(np.vdot(Phi, Phi))  # no entry of ΦᵀΦ is larger
        return Phi

    def _square(self, w, f):
        """‖w‖²."""
        return w @ w

    def _lipschitz(self, Phi, c):
        """The Lipschitz constant of the gradient: the largest eigenvalue of ΦᵀCΦ/4 + λI."""
        Phi = np.sqrt(c)[:, None] * Phi
        gram = Phi @ Phi.T if len(Phi) <= Phi.shape[1] else Phi.T @ Phi  # the smaller of two with the same eigenvalues
        return largest_eigenvalue(gram) / 4 + self.lam or 1.0

    def _gd(self, Phi, loss, w, step):
        """Each w and its f = Φw."""
        while True:
            f = Phi @ w
            yield w, f
            w = w + step * (Phi.T @ loss.residual(f) - self.lam * w)

    def _sgd(self, Phi, loss, w):
        n = len(Phi)
        step = self.step or 1 / (np.max(loss.c * np.sum(Phi**2, axis=1)) / 4 + self.lam / n or 1)
        yield Step(None, w.copy(), self._objective(loss, w, Phi @ w), 0)
        for number, i in enumerate(self._order(n)):
            rate = self._rate(step, n, number)
            f_i = Phi[i] @ w
            w = w + rate * (loss.c[i] * (loss.t[i] - sigmoid(f_i)) * Phi[i] - self.lam / n * w)
            yield Step(i, w.copy(), loss.c[i] * np.logaddexp(0, -loss.y[i] * f_i), number // n + 1)

    def fit_chunks(self, chunks, client=None):
        """Newton's steps, each from sums over all chunks in one pass: the minimum that ``fit`` descends to, for λ > 0.

        chunks, client : as for ``PrimalRidge.fit_chunks``, but no generator: the first pass collects the labels, and
        each step is one more. The steps end when none of the f(X_i) moves by more than tol.  Returns self.
        """
        self._check_settings()
        check_number(self.lam, "lam", above=0)
        check_again(chunks)
        model = unfitted(self)
        labels = summed(_labels, chunks, client, model)
        counted = +labels.value  # labels of weight 0 are left out
        names = list(counted)
        counts = np.array(list(counted.values()))
        signs, weights, classes = self._read_targets(names, counts, len(names))
        factors = (weights / counts)[np.argsort(signs)]  # of the classes, in their order

        def look(w, step):
            return summed(_slopes, chunks, client, model, classes, factors, w, step).value

        objective = SummedObjective(look, self.lam)
        iterates = newton(objective, objective.at_zero())
        end, turn, converged = last_iterate(iterates, lambda here: here.change <= self.tol, self.max_iter)
        self._learn(end.w)
        self.n_iter_ = turn
        self.converged_ = converged
        self._remember(labels.like._replace(classes=classes))
        if not converged:
            warn_unfinished(f"{type(self).__name__} {not_converged(turn, self.max_iter, self.tol)}")
        return self


class KernelLogistic(KernelForm, _Logistic):
    """Kernel logistic regression (lecture A).

        gd :     a ← a + ε (t − s(Ka) − λa)
        sgd:     a ← (1 − ελ/n) a,  a_i ← a_i + ε (t_i − s(q_i)),  and q = Ka kept up to date in O(n)
        newton:  a ← a + (λI + WK)⁻¹ (t − s(Ka) − λa),  W = diag(s(1 − s)), halved until it descends; needs λ > 0

    kernel : k.  The other parameters as ``PrimalLogistic``; solver is "newton" unless said otherwise.

    Learned: ``a_`` (n,), ``n_iter_``, ``converged_``.  Time O(n²d) for K; O(n²) a step of gd, O(n) of sgd, O(n³) of
    newton; O(nd) a test point.
    """

    _solvers = ("newton", "gd", "sgd")
    _all_alike_far_away = True

    def __init__(
        self,
        kernel=Gaussian(1.0),
        lam=1.0,
        solver="newton",
        step=None,
        max_iter=5000,
        tol=1e-5,
        random_state=None,
        class_weight=None,
    ):
        self.kernel = kernel
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.class_weight = class_weight

    def _square(self, a, q):
        """‖w‖² = aᵀKa."""
        return a @ q

    def _lipschitz(self, K, c):
        """The Lipschitz constant of the gradient in w: the largest eigenvalue of √C K √C/4 + λI."""
        root = np.sqrt(c)
        return largest_eigenvalue(root[:, None] * K * root) / 4 + self.lam or 1.0

    def _gd(self, K, loss, a, step):
        """Each a and its q = Ka."""
        while True:
            q = K @ a
            yield a, q
            a = a + step * (loss.residual(q) - self.lam * a)

    def _sgd(self, K, loss, a):
        n = len(K)
        step = self.step or 1 / (np.max(loss.c * K.diagonal()) / 4 + self.lam / n or 1)
        q = K @ a
        yield Step(None, a.copy(), self._objective(loss, a, q), 0)
        for number, i in enumerate(self._order(n)):
            rate = self._rate(step, n, number)
            cost = loss.c[i] * np.logaddexp(0, -loss.y[i] * q[i])
            change = rate * loss.c[i] * (loss.t[i] - sigmoid(q[i]))
            shrink = 1 - rate * self.lam / n
            a = shrink * a
            a[i] += change
            q = shrink * q + change * K[i]
            yield Step(i, a.copy(), cost, number // n + 1)

    def _newton(self, K, loss, a):
        space = space_of(K, self.lam)
        objective = Objective(space, loss)
        for here in newton(objective, objective.at(space.from_points(a))):
            yield here._replace(v=space.of_points(here.v))


# ---- sums over chunks ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Slopes:
    """The loss of some points at w, its derivatives in w, and how far a step changed their outputs: they add."""

    loss: float
    residual: np.ndarray  # Φᵀ c (t − s), (D,): the gradient with a minus
    hessian: np.ndarray  # Φᵀ diag(c s (1 − s)) Φ, (D, D)
    change: float  # the largest |Φ(X_i)ᵀ step|

    @classmethod
    def of(cls, Phi, loss, w, step):
        """Of n points with features Φ (n, D) and their ``LogLoss``.  w, and the step to it : (D,), or None for 0."""
        f = np.zeros(len(Phi)) if w is None else Phi @ w
        change = np.inf if step is None else float(np.abs(Phi @ step).max())
        with np.errstate(over="ignore", invalid="ignore"):  # ``newton_step`` refuses what is not finite
            hessian = (Phi.T * loss.curvature(f)) @ Phi
            return cls(loss.total(f), Phi.T @ loss.residual(f), hessian, change)

    def __add__(self, other):
        return Slopes(
            self.loss + other.loss,
            self.residual + other.residual,
            self.hessian + other.hessian,
            max(self.change, other.change),
        )


@dataclass(frozen=True, eq=False)
class SummedIterate:
    """One iterate, with the ``Slopes`` there."""

    w: np.ndarray
    slopes: Slopes
    value: float  # the objective

    @property
    def change(self):
        return self.slopes.change


class SummedObjective:
    """Σ loss + λ/2 ‖w‖² of any number of points, as an ``Objective``: look(w, step) sums their ``Slopes`` at w."""

    def __init__(self, look, lam):
        self.look = look
        self.lam = lam

    def at_zero(self):
        slopes = self.look(None, None)
        return SummedIterate(np.zeros(len(slopes.residual)), slopes, slopes.loss)

    def newton_step(self, here):
        """(ΦᵀDΦ + λI)⁻¹ (Φᵀc(t − s) − λw)."""
        check_finite(here.slopes.hessian, here.slopes.residual)
        return solve(here.slopes.hessian.copy(), here.slopes.residual - self.lam * here.w, self.lam)

    def after(self, here, step, length):
        w = here.w + length * step
        slopes = self.look(w, step)
        value = slopes.loss + self.lam / 2 * w @ w
        return SummedIterate(w, slopes, value)


def _labels(X, y, sample_weight, model):
    """How much each label weighs in one chunk."""
    points = model._read(X)
    y = read_labels(y, len(points))
    weights = check_weights(sample_weight, len(points))
    labels, index = np.unique(y, return_inverse=True)
    sums = np.bincount(index, weights).tolist()
    return Data(points, y, weights, None, column_names(X)), Counter(dict(zip(labels.tolist(), sums, strict=True)))


def _slopes(X, y, sample_weight, model, classes, factors, w, step):
    """The ``Slopes`` of one chunk at w, where a step has led; None is 0."""
    points = model._read(X)
    second = (read_labels(y, len(points)) == classes[1]).astype(int)
    weights = check_weights(sample_weight, len(points))
    weights = factors[second] if weights is None else weights * factors[second]
    data = Data(points, 2.0 * second - 1, weights, classes, column_names(X))
    return data, reduce(add, (_slopes_of_rows(model, rows, w, step) for rows in row_blocks(data)))


def _slopes_of_rows(model, rows, w, step):
    Phi = model._features(rows.X)
    check_square(Phi.shape[1])
    return Slopes.of(Phi, LogLoss(rows.y, rows.weights), w, step)
