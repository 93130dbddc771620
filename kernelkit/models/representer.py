"""Any loss with an L2 penalty, through K alone (lecture E's representer theorem).

    minimise Σ_i loss(y_i, f(X_i)) + λ/2 ‖w‖²      has its solution at w = Σ_i a_i Φ(X_i), so f = Ka.

With v = λa the dual of each is: maximise yᵀv − ½ vᵀ(K/λ)v − Σ loss*(v_i), and loss* is a box, a bend, or both.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from kernelkit.checks import check_number, check_square
from kernelkit.kernels import Gaussian
from kernelkit.models.equations import solve
from kernelkit.models.estimator import Classifier, KernelForm, Regressor
from kernelkit.models.logistic import LogLoss, log_loss
from kernelkit.models.newton import Objective, last_iterate, newton, not_converged, space_of
from kernelkit.models.reading import one_each, warn_unfinished
from kernelkit.models.smo import Rows, minimise

MAX_ITER = 50_000  # SMO pairs and Newton steps at most; a warning says if they were too few


# ---- the losses -----------------------------------------------------------------------------------


class Solution(NamedTuple):
    """What a loss finds."""

    a: np.ndarray  # (n,)
    violation: float = 0.0  # of the KKT conditions that is left in the dual, in units of max |y|
    trouble: str | None = None  # what to say if it ended too early


@dataclass(frozen=True)
class Loss:
    """A loss of targets y and outputs f, (n,) both: ``total(y, f)``, and ``solve(K, y, lam, tol)`` → ``Solution``."""

    role: ClassVar = Regressor  # what a model with this loss is; for a Classifier y is ±1


@dataclass(frozen=True)
class Squared(Loss):
    """½ r², r = y − f: (K + λI) a = y by Cholesky."""

    def total(self, y, f):
        return np.sum((y - f) ** 2) / 2

    def solve(self, K, y, lam, tol):
        return Solution(solve(K.copy(), y, lam))


@dataclass(frozen=True)
class Logistic(Loss):
    """log(1 + e^{−yf}): Newton, as ``KernelLogistic``."""

    role = Classifier

    def total(self, y, f):
        return log_loss(y * f)

    def solve(self, K, y, lam, tol):
        space = space_of(K, lam)
        objective = Objective(space, LogLoss(y))
        iterates = newton(objective, objective.at(np.zeros(space.size)))
        end, turn, converged = last_iterate(iterates, lambda here: here.change <= tol, MAX_ITER)
        trouble = None if converged else not_converged(turn, MAX_ITER, tol)
        return Solution(space.to_points(end.v), trouble=trouble)


@dataclass(frozen=True)
class Maximum(Loss):
    """max_i |r_i|: minimise ½ vᵀ(K/λ)v − yᵀv over Σ|v_i| ≤ 1.

    With v = u⁺ − u⁻ and one coefficient for what is left of the 1, it is a problem over Σ = 1, all ≥ 0.
    """

    def total(self, y, f):
        return np.max(np.abs(y - f))

    def solve(self, K, y, lam, tol):
        n = len(y)
        S = np.vstack([np.eye(n), -np.eye(n), np.zeros((1, n))])
        start = np.append(np.zeros(2 * n), 1.0)
        u, violation, trouble = _minimised(S @ (K / lam) @ S.T, S @ y, 0 * start, np.ones(2 * n + 1), start, tol)
        v = u[:n] - u[n : 2 * n]
        return Solution(v / lam, violation, trouble)


@dataclass(frozen=True)
class Boxed(Loss):
    """A loss whose dual has a box alone: minimise ½ vᵀ(K/λ + bend I)v − yᵀv over lower ≤ v ≤ upper, = ``box(y)``.

    One more coefficient, free and without curvature, takes up Σv, so that SMO's pairs can move each v_i by itself.
    """

    bend: ClassVar = 0.0

    def solve(self, K, y, lam, tol):
        n = len(y)
        Q = np.zeros((n + 1, n + 1))
        Q[:n, :n] = K / lam + self.bend * np.eye(n)
        p = np.append(y, 0.0)
        lower, upper = self.box(y)
        lower = np.append(lower, -np.inf)
        upper = np.append(upper, np.inf)
        v, violation, trouble = _minimised(Q, p, lower, upper, np.zeros(n + 1), tol)
        return Solution(v[:n] / lam, violation, trouble)


@dataclass(frozen=True)
class Absolute(Boxed):
    """|r|."""

    def total(self, y, f):
        return np.sum(np.abs(y - f))

    def box(self, y):
        return -np.ones(len(y)), np.ones(len(y))


@dataclass(frozen=True)
class Huber(Boxed):
    """½ r² where |r| ≤ δ, beyond it δ (|r| − δ/2)."""

    delta: float = 1.0
    bend = 1.0

    def total(self, y, f):
        r = np.abs(y - f)
        return np.sum(np.where(r <= self.delta, r**2 / 2, self.delta * (r - self.delta / 2)))

    def box(self, y):
        return np.full(len(y), -self.delta), np.full(len(y), self.delta)


@dataclass(frozen=True)
class Hinge(Boxed):
    """max(0, 1 − yf)."""

    role = Classifier

    def total(self, y, f):
        return np.sum(np.maximum(0, 1 - y * f))

    def box(self, y):
        return np.minimum(y, 0.0), np.maximum(y, 0.0)  # 0 ≤ y_i v_i ≤ 1


@dataclass(frozen=True)
class SquaredHinge(Boxed):
    """max(0, 1 − yf)²."""

    role = Classifier
    bend = 0.5

    def total(self, y, f):
        return np.sum(np.maximum(0, 1 - y * f) ** 2)

    def box(self, y):
        return np.where(y < 0, -np.inf, 0.0), np.where(y > 0, np.inf, 0.0)  # 0 ≤ y_i v_i


def losses(delta=1.0):
    """The losses by their names; delta : δ of Huber's."""
    return {
        "squared": Squared(),
        "absolute": Absolute(),
        "huber": Huber(delta),
        "maximum": Maximum(),
        "hinge": Hinge(),
        "squared_hinge": SquaredHinge(),
        "logistic": Logistic(),
    }


def _minimised(Q, p, lower, upper, start, tol):
    """The v of least ½ vᵀQv − pᵀv in its box with Σv as at the start, its violation over max |p|, and any trouble."""
    unit = np.abs(p).max() or 1.0  # 1 for classes; else the unit of y
    v, _, violation, _ = minimise(Rows(Q), p, lower, upper, start, tol * unit, MAX_ITER)
    violation /= unit
    trouble = f"stopped with a violation of {violation:.2g} > tol = {tol:g}; scale the inputs, or raise lam or tol."
    return v, violation, trouble if violation > tol else None


# ---- the model ------------------------------------------------------------------------------------


class KernelMachine(KernelForm, Classifier, Regressor):
    """min Σ loss + λ/2 ‖w‖² for seven losses, through K alone; no offset (lecture E).

    ============= ============================ ==============================================================
    loss          of the residual r or margin  method
    ============= ============================ ==============================================================
    squared       ½ r²                         (K + λI) a = y by Cholesky
    absolute      |r|                          the dual, −1 ≤ λa_i ≤ 1, by SMO with Newton steps
    huber         ½ r², or δ(|r| − δ/2)        the dual, −δ ≤ λa_i ≤ δ with K + λI, the same way
    maximum       max_i |r_i| ("brittle")      the dual, Σ|λa_i| ≤ 1, the same way
    hinge         max(0, 1 − y f)              the dual, 0 ≤ λ y_i a_i ≤ 1, the same way
    squared_hinge max(0, 1 − y f)²             the dual, 0 ≤ y_i a_i with K + λ/2 I, the same way
    logistic      log(1 + e^{−y f})            Newton, as ``KernelLogistic``
    ============= ============================ ==============================================================

    kernel : k.  loss : its name.  lam : λ > 0.  delta : δ > 0 of Huber's loss.
    tol : bound on the KKT violation, in units of max |y|.
    Learned: ``a_`` (n,), ``objective_``, ``violation_`` (of the duals).
    ``predict`` gives h for the first four losses and labels for the others, which have ``decision_function`` for h.
    """

    _may_be_infinite = ("objective_",)

    def __init__(self, kernel=Gaussian(1.0), loss="squared", lam=1.0, delta=1.0, tol=1e-6):
        self.kernel = kernel
        self.loss = loss
        self.lam = lam
        self.delta = delta
        self.tol = tol

    @property
    def _loss(self):
        known = losses(self.delta)
        if self.loss not in list(known):
            raise ValueError(f"loss must be one of {', '.join(map(repr, known))}, got {self.loss!r}.")
        return known[self.loss]

    def fit(self, X, y):
        """Find a.  X : n points, (n, d) or a list.  y : (n,) numbers, or labels, as the loss asks.  Returns self."""
        loss = self._loss
        for name in ("lam", "delta", "tol"):
            check_number(getattr(self, name), name, above=0)
        data = self._read_data(X, y)
        K = self._gram(data.X)
        solution = loss.solve(K, data.y, self.lam, self.tol)
        f = K @ solution.a
        square = check_square(solution.a, f, K.diagonal())  # ‖w‖²
        self.a_ = solution.a
        self.violation_ = solution.violation
        self.objective_ = float(loss.total(data.y, f) + self.lam / 2 * square)
        self._remember(data)
        if solution.trouble:
            warn_unfinished(f"KernelMachine {solution.trouble}")
        return self

    # The loss decides whether the model is a Regressor or a Classifier: each method below is that of its role.

    @property
    def _role(self):
        return self._loss.role

    @property
    def _estimator_type(self):
        return self._role._estimator_type

    def __sklearn_tags__(self):
        tags = self._role.__sklearn_tags__(self)
        tags.target_tags.multi_output = False
        if tags.regressor_tags is not None:
            tags.regressor_tags.poor_score = self._loss == Maximum()  # brittle: one point decides
        return tags

    def _read_targets(self, y, n):
        y, classes = self._role._read_targets(self, y, n)
        return one_each(y), classes

    @property
    def decision_function(self):
        """h(z) of each of the m points Z, (m,), for a loss of classification; for the others ``predict`` is h."""
        if self._role is Regressor:
            raise AttributeError(f"decision_function needs a loss of classification, got {self.loss!r}; use predict.")
        return self._outputs

    def predict(self, Z):
        """Numbers for a loss of regression, labels for a loss of classification, of each of the m points Z: (m,)."""
        return self._role.predict(self, Z)

    def score(self, X, y):
        """R² or accuracy, as the loss says; y is (n,)."""
        return self._role.score(self, X, y)
