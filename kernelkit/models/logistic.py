"""Logistic regression twice: gradient steps in the weights w, and the same steps in the dual weights a.

Both minimise Σ_i log(1 + exp(−y_i f(X_i))) + λ/2 ‖w‖² (lecture A; below, as there, y_i is 0 or 1 inside the steps).
With the same order of the data w_t = Φ(X)ᵀa_t holds at every step, of batch and of stochastic gradient descent.
"""

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm
from kernelkit.models.reading import generator, warn_unfinished


def sigmoid(f):
    """s(f) = 1/(1 + e^{−f}), without overflow for any f."""
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def log_loss(margins):
    """Σ log(1 + e^{−m}), without overflow."""
    return float(np.sum(np.maximum(-margins, 0) + np.log1p(np.exp(-np.abs(margins)))))


def largest_eigenvalue(A):
    """Of a symmetric matrix; the others are not computed."""
    from scipy.linalg import eigh

    last = len(A) - 1
    return float(eigh(A, eigvals_only=True, subset_by_index=[last, last], check_finite=False)[0])


class _Logistic(Classifier):
    """What both forms share: settings, the order of the data, the stopping rule, probabilities."""

    def steps(self, X, y, start=None):
        """Every iterate, w or a, from start (0 if not given), as copies."""
        _, design, y = self._prepare(X, y)
        for v, _ in self._walk(design, y, start):
            yield v.copy()

    def _prepare(self, X, y):
        if self.solver not in self._solvers:
            raise ValueError(f"solver must be one of {', '.join(map(repr, self._solvers))}, got {self.solver!r}.")
        check_number(self.lam, "lam", at_least=0)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        if self.step is not None:
            check_number(self.step, "step", above=0)
            if self.solver == "gd" and self.step * self.lam >= 2:  # then |1 − ελ| ≥ 1
                raise ValueError(f"step must be < 2/lam = {2 / self.lam:g}, or gd runs away; got {self.step!r}.")
        data = self._read_data(X, y)
        return data, self._design(data.X), (data.y + 1) / 2

    def _walk(self, design, y, start):
        """Pairs (v, design @ v or None) for v = w or a."""
        v = np.zeros(design.shape[1]) if start is None else check_array(start, "start").copy()
        if v.shape != design.shape[1:]:
            raise ValueError(f"start must hold {design.shape[1]} numbers, got shape {v.shape}.")
        return getattr(self, f"_{self.solver}")(design, y, v)

    def _gd(self, design, y, v):
        step = self.step or 1 / (self._curvature(design) or 1)
        for _ in range(self.max_iter):
            f = design @ v
            yield v, f
            v = v + step * self._uphill(design, y, v, f)
        yield v, design @ v

    def _descend(self, design, y):
        """Walk until no f(X_i) moves by more than tol in a step of gd or newton, or in a pass of sgd."""
        every, before = (len(y) if self.solver == "sgd" else 1), None
        self.converged_ = False
        for t, (v, f) in enumerate(self._walk(design, y, None)):
            self.n_iter_ = t // every
            if t % every == 0:
                f = design @ v if f is None else f
                if before is not None and np.abs(f - before).max() <= self.tol:
                    self.converged_ = self.solver != "sgd" or self._has_arrived(design, y, v, f)
                    return v
                before = f
        warn_unfinished(
            f"{type(self).__name__} stopped after max_iter = {self.max_iter} before the outputs settled to "
            f"tol = {self.tol:g}; raise max_iter or lam."
        )
        return v

    def _has_arrived(self, design, y, v, f):
        """Whether sgd stands still, or its steps lead in a circle: then a step of gd would still move f."""
        move = design @ self._uphill(design, y, v, f) / (self._curvature(design) or 1)
        if (furthest := np.abs(move).max()) <= 1000 * self.tol:
            return True
        warn_unfinished(
            f"{type(self).__name__} goes round in circles: its outputs repeat after every pass, but a step of gd would "
            f"move them by up to {furthest:.2g}; lower step, or raise lam."
        )
        return False

    def _order(self, n):
        """The points sgd visits: drawn by random_state, or one after the other."""
        rng = generator(self.random_state)
        for _ in range(self.max_iter):
            yield from (rng.integers(n, size=n).tolist() if rng else range(n))

    def _rate(self, step, n, t):
        """ε_t: constant without a penalty, else falling as the penalty allows."""
        return step / (1 + step * self.lam / n * t)

    def predict_proba(self, Z):
        """P(y = classes_[0]) and P(y = classes_[1]) = s(h(z)), one row a point."""
        p = sigmoid(self.decision_function(Z))
        return np.column_stack([1 - p, p])


class PrimalLogistic(PrimalForm, _Logistic):
    """Primal logistic regression on explicit features (lecture A).

        gd :  w ← w + ε (Φᵀ(y − s(Φw)) − λw)
        sgd:  w ← w + ε ((y_i − s(Φ_iᵀw)) Φ_i − λ/n w)

    feature_map : Φ.  lam : λ ≥ 0.  solver : "gd" or "sgd".  step : ε; None means 1/L, L the largest curvature.
    max_iter : steps of gd, or passes of sgd.  tol : the walk ends when no f(X_i) moves by more in one step or pass,
    which for gd can still be well before the minimum.
    random_state : None visits the points in order.  A constant step of sgd may lead in circles: a warning says so.

    Learned: ``w_`` (D,), ``n_iter_``, ``converged_``.  Time O(nD) a step of gd, O(D) of sgd, O(D) a test point.
    """

    _solvers = ("gd", "sgd")

    def __init__(
        self, feature_map=Monomials(2), lam=1.0, solver="gd", step=None, max_iter=5000, tol=1e-5, random_state=None
    ):
        self.feature_map = feature_map
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _design(self, X):
        return self._features(X)

    def _curvature(self, Phi):
        return largest_eigenvalue(Phi @ Phi.T if len(Phi) <= Phi.shape[1] else Phi.T @ Phi) / 4 + self.lam

    def _uphill(self, Phi, y, w, f):
        return Phi.T @ (y - sigmoid(f)) - self.lam * w

    def _sgd(self, Phi, y, w):
        n = len(y)
        step = self.step or 1 / (np.max(np.sum(Phi**2, axis=1)) / 4 + self.lam / n or 1)
        yield w, None
        for t, i in enumerate(self._order(n)):
            rate = self._rate(step, n, t)
            w = w + rate * ((y[i] - sigmoid(Phi[i] @ w)) * Phi[i] - self.lam / n * w)
            yield w, None

    def fit(self, X, y):
        data, design, y = self._prepare(X, y)
        self.w_ = self._descend(design, y)
        return self._remember(data)


class KernelLogistic(KernelForm, _Logistic):
    """Kernel logistic regression (lecture A).

        gd :     a ← a + ε (y − s(Ka) − λa)
        sgd:     a ← (1 − ελ/n) a,  a_i ← a_i + ε (y_i − s(q_i)),  and q = Ka kept up to date in O(n)
        newton:  a ← a + (g − W^½ (λI + W^½KW^½)⁻¹ W^½ K g)/λ,  g = y − s(Ka) − λa,  W = diag(s(1 − s)); needs λ > 0

    kernel : k.  The other parameters as ``PrimalLogistic``; solver is "newton" unless said otherwise.

    Learned: ``a_`` (n,), ``n_iter_``, ``converged_``.  Time O(n²d) for K; O(n²) a step of gd, O(n) of sgd, O(n³) of
    newton; O(nd) a test point.
    """

    _solvers = ("newton", "gd", "sgd")

    def __init__(
        self, kernel=Gaussian(1.0), lam=1.0, solver="newton", step=None, max_iter=5000, tol=1e-5, random_state=None
    ):
        self.kernel = kernel
        self.lam = lam
        self.solver = solver
        self.step = step
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _design(self, X):
        return self._gram(X)

    def _curvature(self, K):
        return largest_eigenvalue(K) / 4 + self.lam

    def _uphill(self, K, y, a, q):
        return y - sigmoid(q) - self.lam * a

    def _sgd(self, K, y, a):
        n = len(y)
        step = self.step or 1 / (np.max(K.diagonal()) / 4 + self.lam / n or 1)
        q = K @ a
        yield a, q.copy()
        for t, i in enumerate(self._order(n)):
            rate = self._rate(step, n, t)
            change, shrink = rate * (y[i] - sigmoid(q[i])), 1 - rate * self.lam / n
            a = shrink * a
            a[i] += change
            q = shrink * q + change * K[i]
            yield a, q

    def _newton(self, K, y, a):
        """Newton steps on Σ log(1 + e^{−m}) + λ/2 aᵀKa, halved while they do not descend."""
        from scipy.linalg import cho_factor, cho_solve

        signs, q = 2 * y - 1, K @ a
        value = log_loss(signs * q) + self.lam / 2 * a @ q
        for _ in range(self.max_iter):
            yield a, q
            s = sigmoid(q)
            root = np.sqrt(s * (1 - s))
            g = y - s - self.lam * a
            B = root[:, None] * K * root
            B.flat[:: len(B) + 1] += self.lam
            factor = cho_factor(B, lower=True, overwrite_a=True, check_finite=False)
            step = (g - root * cho_solve(factor, root * (K @ g), check_finite=False)) / self.lam
            K_step, length = K @ step, 1.0
            while length > 1e-8:
                new_a, new_q = a + length * step, q + length * K_step
                new = log_loss(signs * new_q) + self.lam / 2 * new_a @ new_q
                if new <= value + 1e-12 * abs(value):
                    break
                length /= 2
            a, q, value = new_a, new_q, new
        yield a, q

    def _walk(self, K, y, start):
        if self.solver == "newton" and self.lam == 0:
            raise ValueError("solver='newton' needs lam > 0, got lam = 0; use solver='gd'.")
        return super()._walk(K, y, start)

    def fit(self, X, y):
        data, design, y = self._prepare(X, y)
        self.a_ = self._descend(design, y)
        return self._remember(data)
