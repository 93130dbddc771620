"""Any loss with an L2 penalty, through K alone (lecture E's representer theorem).

    minimise Σ_i loss(y_i, f(X_i)) + λ/2 ‖w‖²      has its solution at w = Σ_i a_i Φ(X_i), so f = Ka.
"""

import numpy as np

from kernelkit.checks import check_number
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, Regressor
from kernelkit.models.logistic import KernelLogistic
from kernelkit.models.reading import flattened, warn_unfinished
from kernelkit.models.ridge import solve
from kernelkit.models.smo import Rows, minimise

REGRESSION = ("squared", "absolute", "huber", "maximum")
CLASSIFICATION = ("hinge", "squared_hinge", "logistic")
LOSSES = REGRESSION + CLASSIFICATION
MAX_ITER = 200_000  # SMO pairs and Newton steps at most; a warning says if they were too few


def total_loss(loss, y, f, delta=1.0):
    """Σ_i loss(y_i, f_i), or the largest |r_i| for "maximum"; y = ±1 for the losses of classification."""
    r, m = np.abs(y - f), y * f
    return float({
        "squared": lambda: np.sum(r**2) / 2,
        "absolute": lambda: np.sum(r),
        "huber": lambda: np.sum(np.where(r <= delta, r**2 / 2, delta * (r - delta / 2))),
        "maximum": lambda: np.max(r),
        "hinge": lambda: np.sum(np.maximum(0, 1 - m)),
        "squared_hinge": lambda: np.sum(np.maximum(0, 1 - m) ** 2),
        "logistic": lambda: np.sum(np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))),
    }[loss]())  # fmt: skip


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

    def __init__(self, kernel=Gaussian(1.0), loss="squared", lam=1.0, delta=1.0, tol=1e-6):
        self.kernel = kernel
        self.loss = loss
        self.lam = lam
        self.delta = delta
        self.tol = tol

    @property
    def _estimator_type(self):
        return "classifier" if self.loss in CLASSIFICATION else "regressor"

    def __sklearn_tags__(self):
        tags = (Classifier if self.loss in CLASSIFICATION else Regressor).__sklearn_tags__(self)
        tags.target_tags.multi_output = False
        if tags.regressor_tags is not None:
            tags.regressor_tags.poor_score = self.loss == "maximum"  # brittle: one point decides
        return tags

    def fit(self, X, y):
        if self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(map(repr, LOSSES))}, got {self.loss!r}.")
        for name in ("lam", "delta", "tol"):
            check_number(getattr(self, name), name, above=0)
        data = self._read_data(X, y)
        y, K = data.y, self._gram(data.X)
        if self.loss == "squared":
            self.a_, self.violation_ = solve(K.copy(), y, self.lam), 0.0
        elif self.loss == "logistic":
            model = KernelLogistic(self.kernel, self.lam, tol=self.tol).fit(data.X, y)
            self.a_, self.violation_ = model.a_, 0.0
        else:
            dual = _maximum if self.loss == "maximum" else _boxed
            scale = np.abs(y).max() or 1.0  # 1 for classes; else the unit of y
            self.a_, violation = dual(self, K, y, self.tol * scale)
            self.violation_ = violation / scale
        f = K @ self.a_
        self.objective_ = total_loss(self.loss, y, f, self.delta) + self.lam / 2 * float(self.a_ @ f)
        if self.violation_ > self.tol:
            warn_unfinished(
                f"KernelMachine stopped with a violation of {self.violation_:.2g} > tol = {self.tol:g}; "
                "raise lam or tol."
            )
        return self._remember(data)

    def _read_targets(self, y, sample_weight, n):
        if self.loss in CLASSIFICATION:
            return Classifier._read_targets(self, y, sample_weight, n)
        y, weights, _ = Regressor._read_targets(self, y, sample_weight, n)
        y = flattened(y)
        if y.ndim != 1:
            raise ValueError(f"y must hold one number for each of the {n} points, got shape {y.shape}.")
        return y, weights, None

    @property
    def decision_function(self):
        """h(z), for a loss of classification; for the others ``predict`` is h."""
        if self.loss not in CLASSIFICATION:
            raise AttributeError(f"decision_function needs a loss of classification, got {self.loss!r}; use predict.")
        return self._outputs

    def predict(self, Z):
        """Numbers for a loss of regression, labels for a loss of classification."""
        return Classifier.predict(self, Z) if self.loss in CLASSIFICATION else self._outputs(Z)

    def score(self, X, y):
        """R² or accuracy, as the loss says."""
        return (Classifier if self.loss in CLASSIFICATION else Regressor).score(self, X, y)


def _boxed(model, K, y, tol):
    """The duals with a box alone: minimise ½ vᵀ(K/λ + s I)v − pᵀv over lower ≤ v ≤ upper; a = v/λ.

    One more coefficient, free and without curvature, takes up Σv, so that SMO's pairs can move each v_i by itself.
    """
    n, lam = len(y), model.lam
    bound, s = {
        "absolute": (1.0, 0.0), "huber": (model.delta, 1.0), "hinge": (1.0, 0.0), "squared_hinge": (np.inf, 0.5),
    }[model.loss]  # fmt: skip
    Q = np.zeros((n + 1, n + 1))
    Q[:n, :n] = K / lam + s * np.eye(n)
    two_sided = model.loss in ("absolute", "huber")
    upper = np.append(np.where(two_sided | (y > 0), bound, 0.0), np.inf)
    lower = np.append(np.where(two_sided | (y < 0), -bound, 0.0), -np.inf)
    rows = Rows(lambda i: Q[i], Q.diagonal())
    v, _, violation, _ = minimise(rows, np.append(y, 0.0), lower, upper, np.zeros(n + 1), tol, MAX_ITER)
    return v[:n] / lam, violation


def _maximum(model, K, y, tol):
    """The dual of max_i |r_i|: minimise ½ vᵀ(K/λ)v − yᵀv over Σ|v_i| ≤ 1; a = v/λ.

    With v = u⁺ − u⁻ and one coefficient for what is left of the 1, it is a problem over Σ = 1, all ≥ 0.
    """
    n, lam = len(y), model.lam
    S = np.vstack([np.eye(n), -np.eye(n), np.zeros((1, n))])
    Q = S @ (K / lam) @ S.T
    start = np.append(np.zeros(2 * n), 1.0)
    rows = Rows(lambda i: Q[i], Q.diagonal())
    u, _, violation, _ = minimise(rows, S @ y, np.zeros(2 * n + 1), np.ones(2 * n + 1), start, tol, MAX_ITER)
    return (u[:n] - u[n : 2 * n]) / lam, violation
