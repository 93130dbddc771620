"""Logistic regression twice: gradient steps in the weights w, and the same steps in the dual weights a.

Both minimise Σ_i log(1 + exp(−y_i f(X_i))) + λ/2 ‖w‖² (lecture A; below, as there, y_i is 0 or 1 inside the steps).
With the same order of the data w_t = Φ(X)ᵀa_t holds at every step, of batch and of stochastic gradient descent.
The weight c_i of a point, 1 if none is given, multiplies its term.
"""

from collections import Counter
from functools import partial, reduce
from itertools import islice
from operator import add

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole, generator
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.chunks import check_again, summed, unfitted
from kernelkit.models.descent import InFeatures, InPoints, descent, newton, space_of
from kernelkit.models.equations import check_square
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm, Step
from kernelkit.models.log_loss import Terms, sigmoid
from kernelkit.models.reading import Data, check_weights, column_names, read_labels, warn_unfinished
from kernelkit.models.totals import Slopes, newton_in_passes, row_blocks


def objective(space, terms, v, f):
    """Σ c log(1 + e^{−m}) + λ/2 ‖w‖²."""
    return terms.loss(f) + space.lam / 2 * space.square(v, f)


class _Logistic(Classifier):
    """What both forms share: settings, the walk and its stopping rule, probabilities."""

    def steps(self, X, y, start=None, sample_weight=None):
        """A ``Step`` for each iterate, w or a, from start on (0 if not given): its objective, or the loss sgd saw.

        X : n points, (n, d) or a list.  y : (n,) labels.  start : (D,) or (n,).  sample_weight : (n,), ≥ 0.
        """
        _, space, terms = self._prepare(X, y, sample_weight)
        for step, _, _ in self._walk(space, terms, start):
            yield step

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

    def _prepare(self, X, y, sample_weight=None):
        self._check_settings()
        data = self._read_data(X, y, sample_weight)
        return data, self._space(self._design(data.X), self.lam), Terms(data.y, data.weights)

    def _walk(self, space, terms, start):
        """Each ``Step``, with f where it is known, and whether the step was whole."""
        v = np.zeros(space.size) if start is None else check_array(start, "start").copy()
        if v.shape != (space.size,):
            raise ValueError(f"start must hold {space.size} numbers, got shape {v.shape}.")
        if self.solver == "sgd":
            return self._sgd(space, terms, v)
        return islice((self._gd if self.solver == "gd" else self._newton)(space, terms, v), self.max_iter + 1)

    def _gd(self, space, terms, v):
        walk = descent(lambda v, f: space.uphill(terms.pull(f), v), space.outputs, v, self._epsilon(space, terms))
        for turn, (v, f) in enumerate(walk):
            yield Step(None, v.copy(), partial(objective, space, terms, v, f), turn), f, True

    def _epsilon(self, space, terms):
        """ε of gd: 1/L if not given, with the largest curvature L."""
        return self.step or 1 / (space.steepest(terms.c) / 4 + self.lam or 1)

    def fit(self, X, y, sample_weight=None):
        """Walk until no f(X_i) moves by more than tol in a step of gd or newton, or in a pass of sgd.  Returns self.

        X : n points, (n, d) or a list.  y : (n,) labels.  sample_weight : (n,) numbers ≥ 0.
        """
        data, space, terms = self._prepare(X, y, sample_weight)
        step, trouble = self._arrive(space, terms)
        self._learn(step.iterate)
        self.n_iter_, self.converged_ = step.turn, not trouble
        self._remember(data)
        if trouble:
            warn_unfinished(f"{type(self).__name__} {trouble}")
        return self

    def _arrive(self, space, terms):
        """The last ``Step`` of the walk from 0, and what to say if it came too early."""
        every, before, settled = (len(terms.y) if self.solver == "sgd" else 1), None, False
        for step, f, whole in islice(self._walk(space, terms, None), 0, None, every):
            f = space.outputs(step.iterate) if f is None else f
            settled = before is not None and whole and np.abs(f - before).max() <= self.tol
            if settled:
                break
            before = f
        return step, self._trouble(space, terms, step, f) if settled else self._stopped(step.turn)

    def _stopped(self, turn):
        if turn < self.max_iter:
            return f"stopped at step {turn}, where rounding hides every way down; scale the inputs, or raise lam."
        return (
            f"stopped after max_iter = {self.max_iter} before the outputs settled to tol = {self.tol:g}; "
            "raise max_iter or lam."
        )

    def _trouble(self, space, terms, step, f):
        """What to say if the steps of sgd lead in a circle: they repeat, but a step of gd would still move f."""
        if self.solver != "sgd":
            return None
        move = space.outputs(space.uphill(terms.pull(f), step.iterate)) / (space.steepest(terms.c) / 4 + self.lam or 1)
        if (furthest := np.abs(move).max()) <= 1000 * self.tol:
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


class PrimalLogistic(PrimalForm, _Logistic):
    """Primal logistic regression on explicit features (lecture A).

        gd :  w ← w + ε (Φᵀ(y − s(Φw)) − λw)
        sgd:  w ← w + ε ((y_i − s(Φ_iᵀw)) Φ_i − λ/n w)

    feature_map : Φ.  lam : λ ≥ 0.  solver : "gd" or "sgd".  step : ε; None means 1/L, L the largest curvature.
    max_iter : steps of gd, or passes of sgd.  tol : the walk ends when no f(X_i) moves by more in one step or pass,
    which for gd can still be well before the minimum.
    random_state : None visits the points in order.  A constant step of sgd may lead in circles: a warning says so.
    class_weight : None, "balanced" (the classes weigh the same), or a dictionary label: weight.

    Learned: ``w_`` (D,), ``n_iter_``, ``converged_``.  Time O(nD) a step of gd, O(D) of sgd, O(D) a test point.
    """

    _solvers = ("gd", "sgd")
    _space = InFeatures

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

    def fit_chunks(self, chunks, client=None):
        """Newton's steps, each from sums over all chunks in one pass: the minimum that ``fit`` walks to, for λ > 0.

        chunks, client : as for ``PrimalRidge.fit_chunks``, but no generator: the first pass collects the labels, and
        each step is one more. The steps end when none of the f(X_i) moves by more than tol.  Returns self.
        """
        self._check_settings()
        check_number(self.lam, "lam", above=0)
        check_again(chunks)
        model, labels = unfitted(self), summed(_labels, chunks, client, unfitted(self))
        weighed = +labels.value  # those of weight 0 are none
        names, counts = list(weighed), np.array(list(weighed.values()))
        signs, weights, classes = self._read_targets(names, counts, len(names))
        factors = (weights / counts)[np.argsort(signs)]  # of the classes, in their order

        def look(w, step):
            return summed(_slopes, chunks, client, model, classes, factors, w, step).value

        w, turn, trouble = newton_in_passes(look, self.lam, self.tol, self.max_iter)
        self._learn(w)
        self.n_iter_, self.converged_ = turn, not trouble
        self._remember(labels.like._replace(classes=classes))
        if trouble:
            warn_unfinished(f"{type(self).__name__} {self._stopped(turn)}")
        return self

    def _sgd(self, space, terms, w):
        Phi, y, c, n = space.Phi, terms.y, terms.c, len(terms.y)
        step = self.step or 1 / (np.max(c * np.sum(Phi**2, axis=1)) / 4 + self.lam / n or 1)
        f = space.outputs(w)
        yield Step(None, w.copy(), objective(space, terms, w, f), 0), f, True
        for t, i in enumerate(self._order(n)):
            rate, f_i = self._rate(step, n, t), Phi[i] @ w
            w = w + rate * (c[i] * (y[i] - sigmoid(f_i)) * Phi[i] - self.lam / n * w)
            yield Step(i, w.copy(), c[i] * np.logaddexp(0, -terms.signs[i] * f_i), t // n + 1), None, True


def _labels(X, y, sample_weight, model):
    """How much each label weighs in one chunk."""
    points = model._read(X)
    y, weights = read_labels(y, len(points)), check_weights(sample_weight, len(points))
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
    return data, reduce(add, (_slope(model, rows, w, step) for rows in row_blocks(data)))


def _slope(model, rows, w, step):
    Phi = model._features(rows.X)
    check_square(Phi.shape[1])
    return Slopes.at(Phi, Terms(rows.y, rows.weights), w, step)


class KernelLogistic(KernelForm, _Logistic):
    """Kernel logistic regression (lecture A).

        gd :     a ← a + ε (y − s(Ka) − λa)
        sgd:     a ← (1 − ελ/n) a,  a_i ← a_i + ε (y_i − s(q_i)),  and q = Ka kept up to date in O(n)
        newton:  a ← a + (λI + WK)⁻¹ (y − s(Ka) − λa),  W = diag(s(1 − s)), halved until it descends; needs λ > 0

    kernel : k.  The other parameters as ``PrimalLogistic``; solver is "newton" unless said otherwise.

    Learned: ``a_`` (n,), ``n_iter_``, ``converged_``.  Time O(n²d) for K; O(n²) a step of gd, O(n) of sgd, O(n³) of
    newton; O(nd) a test point.
    """

    _solvers = ("newton", "gd", "sgd")
    _space = InPoints
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

    def _sgd(self, space, terms, a):
        K, y, c, n = space.K, terms.y, terms.c, len(terms.y)
        step = self.step or 1 / (np.max(c * K.diagonal()) / 4 + self.lam / n or 1)
        q = space.outputs(a)
        yield Step(None, a.copy(), objective(space, terms, a, q), 0), q, True
        for t, i in enumerate(self._order(n)):
            rate, loss = self._rate(step, n, t), c[i] * np.logaddexp(0, -terms.signs[i] * q[i])
            change, shrink = rate * c[i] * (y[i] - sigmoid(q[i])), 1 - rate * self.lam / n
            a = shrink * a
            a[i] += change
            q = shrink * q + change * K[i]
            yield Step(i, a.copy(), loss, t // n + 1), q, True

    def _newton(self, space, terms, a):
        space = space_of(space.K, self.lam)

        def direction(v, f):
            return space.solver(terms.bend(f))(space.uphill(terms.pull(f), v))

        walk = newton(space, terms.loss, direction, space.from_points(a))
        for turn, (v, f, cost, whole) in enumerate(walk):
            yield Step(None, space.of_points(v), cost, turn), f, whole
