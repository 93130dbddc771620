"""Softmax regression: the probabilities of many classes at once (lecture E)."""

import numpy as np

from kernelkit.checks import check_number, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm
from kernelkit.models.reading import warn_unfinished


class KernelSoftmax(KernelForm, Classifier):
    """Softmax regression with a kernel: P(class c | z) ∝ exp(h_c(z)), h_c(z) = Σ_i a_ic k(X_i, z)  (lecture E).

    Minimises −Σ_i log P(y_i | X_i) + λ/2 Σ_c ‖w_c‖² by Newton steps on all classes at once.

    kernel : k.  lam : λ > 0.  max_iter : Newton steps at most.  tol : the largest change of any h that still counts.
    Learned: ``a_`` (n, classes), ``n_iter_``, ``converged_``.  Time O(classes · n³) a step.
    scikit-learn: LogisticRegression(C=1/λ, fit_intercept=False) on explicit features.
    """

    _multi_class = True

    def __init__(self, kernel=Gaussian(1.0), lam=1.0, max_iter=100, tol=1e-6):
        self.kernel = kernel
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        check_number(self.lam, "lam", above=0)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y)
        T = np.eye(len(data.classes))[data.y]  # one row a point, a 1 in its class
        K = self._gram(data.X)
        self.a_, self.converged_ = np.zeros(T.shape), False
        for iteration in range(1, self.max_iter + 1):
            self.n_iter_ = iteration
            step = _newton_step(K, T, self.a_, self.lam)
            length = _descending(K, T, self.a_, step, self.lam)
            self.a_ = self.a_ + length * step
            if np.abs(K @ step).max() <= self.tol:
                self.converged_ = True
                break
        if not self.converged_:
            warn_unfinished(f"KernelSoftmax stopped after max_iter = {self.max_iter} Newton steps; raise it, or lam.")
        return self._remember(data)

    def decision_function(self, Z):
        """h of each class, one column a class; with two classes the difference h_1 − h_0."""
        h = self._outputs(Z)
        return h[:, 1] - h[:, 0] if h.shape[1] == 2 else h

    def predict_proba(self, Z):
        """P(class | z), one column a class."""
        return softmax(self._outputs(Z))


def softmax(h):
    """exp(h_c)/Σ exp(h) along each row, without overflow."""
    e = np.exp(h - h.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _objective(K, T, a, lam):
    h = K @ a
    top = h.max(axis=1)
    return np.sum(np.log(np.exp(h - top[:, None]).sum(axis=1)) + top - (T * h).sum(axis=1)) + lam / 2 * np.sum(a * h)


def _newton_step(K, T, a, lam):
    """Δ with W K Δ + λΔ = T − P − λa, where W couples the classes: W_i = diag(p_i) − p_i p_iᵀ.

    Per class (λI + D_c K) is solved by D_c^½ (λI + D_c^½ K D_c^½)⁻¹ D_c^½; the coupling is one more n × n system.
    """
    from scipy.linalg import cho_factor, cho_solve

    n, classes = T.shape
    P = softmax(K @ a)
    gradient = T - P - lam * a
    # E_c = D_c^½ (λI + D_c^½ K D_c^½)⁻¹ D_c^½, as in Rasmussen & Williams, algorithm 3.3
    E = np.empty((classes, n, n))
    for c in range(classes):
        root = np.sqrt(P[:, c])
        B = root[:, None] * K * root
        B.flat[:: n + 1] += lam
        E[c] = root[:, None] * cho_solve(cho_factor(B, lower=True, overwrite_a=True), np.diag(root))
    M = cho_factor(E.sum(axis=0) + 1e-12 * np.eye(n), lower=True, overwrite_a=True)
    # Δ = (g − E K g + E (Σ_c E_c)⁻¹ Σ_c E_c K g)/λ for the gradient g
    C = np.stack([E[c] @ (K @ gradient[:, c]) for c in range(classes)], axis=1)
    correction = cho_solve(M, C.sum(axis=1))
    return (gradient - C + np.stack([E[c] @ correction for c in range(classes)], axis=1)) / lam


def _descending(K, T, a, step, lam):
    """The first of 1, ½, ¼, … that does not raise the objective."""
    value, length = _objective(K, T, a, lam), 1.0
    while length > 1e-6 and _objective(K, T, a + length * step, lam) > value + 1e-12 * abs(value):
        length /= 2
    return length
