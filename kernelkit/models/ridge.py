"""Ridge regression three times: in the weights w, in the dual weights a, and through the kernel alone.

All three minimise ‖f − y‖² + λ‖w‖² and give the same predictions (lectures A, B, C, E).
"""

import numpy as np

from kernelkit.checks import check_array, check_function, check_number
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian, Kernel
from kernelkit.models.estimator import Regressor, warn

EPS = np.finfo(float).eps


class _Ridge(Regressor):
    """What the three forms share: centring, the checks, and h(z)."""

    def _prepare(self, X, y):
        self.lam_ = check_number(self.lam, "lam", at_least=0)
        X = self._read(X)
        y = self._read_targets(y, len(X))
        if self.center:
            self.X_mean_, self.y_mean_ = _mean(X), y.mean(axis=0)
            X, y = X - self.X_mean_, y - self.y_mean_
        self._remember(X)
        return X, y

    def _new(self, Z):
        Z = self._read_new(Z)
        return Z - self.X_mean_ if self.center else Z

    def _raised(self, h):
        return h + self.y_mean_ if self.center else h


def _mean(X):
    if not isinstance(X, np.ndarray):
        raise TypeError("center=True needs vectors: there is no mean of a list of other things.")
    return X.mean(axis=0)


class PrimalRidge(_Ridge):
    """Primal ridge regression on explicit features: (ΦᵀΦ + λI) w = Φᵀy  (lectures A, C, E).

    feature_map : Φ, (n, d) → (n, D).  lam : λ ≥ 0; λ = 0 with a singular ΦᵀΦ gives the shortest w, with a warning.
    center : subtract the means of X and y first (lecture A); ``X_mean_`` and ``y_mean_`` keep them.

    Learned: ``w_`` (D,) or (D, outputs).  Time O(D³ + D²n), per test point O(D).

    >>> X = [[0.0], [1.0], [2.0]]
    >>> PrimalRidge(Monomials(2), lam=1e-9).fit(X, [0, 1, 4]).predict([[3.0]]).round(3).tolist()
    [9.0]
    """

    _takes_points = "feature_map"

    def __init__(self, feature_map=Monomials(2), lam=1.0, center=False):
        self.feature_map = feature_map
        self.lam = lam
        self.center = center

    def fit(self, X, y):
        X, y = self._prepare(X, y)
        Phi = self.feature_map(X)
        self.w_ = solve(Phi.T @ Phi, Phi.T @ y, self.lam_)
        return self

    def predict(self, Z):
        """h(z) = wᵀΦ(z)."""
        return self._raised(self.feature_map(self._new(Z)) @ self.w_)


class DualRidge(_Ridge):
    """Dual ridge regression on explicit features, no kernel trick: (ΦΦᵀ + λI) a = y  (lecture A).

    Parameters as ``PrimalRidge``.  Learned: ``a_`` (n,) or (n, outputs), and ``w_`` = Φᵀa.
    Time O(n³ + n²D), per test point O(nD) in the form below, which is the lecture's.
    """

    _takes_points = "feature_map"

    def __init__(self, feature_map=Monomials(2), lam=1.0, center=False):
        self.feature_map = feature_map
        self.lam = lam
        self.center = center

    def fit(self, X, y):
        X, y = self._prepare(X, y)
        self.Phi_ = self.feature_map(X)
        self.a_ = solve(self.Phi_ @ self.Phi_.T, y, self.lam_)
        return self

    @property
    def w_(self):
        """The primal weights w = Φ(X)ᵀa, a combination of the training points."""
        return self.Phi_.T @ self.a_

    def predict(self, Z):
        """h(z) = Σ_i a_i Φ(X_i)ᵀΦ(z)."""
        return self._raised((self.feature_map(self._new(Z)) @ self.Phi_.T) @ self.a_)


class KernelRidge(_Ridge):
    """Kernel ridge regression: (K + λI) a = y, with K_ij = k(X_i, X_j)  (lectures A, B, C, E).

    kernel : k.  lam : λ ≥ 0; λ = 0 with a singular K gives the shortest a, with a warning.
    center : subtract the means of X and y first (lecture A); ``X_mean_`` and ``y_mean_`` keep them.

    Learned: ``a_`` (n,) or (n, outputs).  Time O(n²d + n³), per test point O(nd).
    scikit-learn: KernelRidge(alpha=λ, kernel=…, gamma=1/(2σ²)).

    >>> X = [[0.0], [1.0], [2.0]]
    >>> KernelRidge(Gaussian(1.0), lam=0.1).fit(X, [0, 1, 0]).predict([[1.0]]).round(4).tolist()
    [0.8017]
    """

    def __init__(self, kernel=Gaussian(1.0), lam=1.0, center=False):
        self.kernel = kernel
        self.lam = lam
        self.center = center

    def fit(self, X, y):
        X, y = self._prepare(X, y)
        self.a_ = solve(self.kernel.gram(X, X), y, self.lam_)
        return self

    def predict(self, Z):
        """h(z) = Σ_i a_i k(X_i, z)."""
        return self._raised(self.kernel.gram(self._new(Z), self.X_) @ self.a_)

    def primal_weights(self, feature_map):
        """w = Φ(X)ᵀa, for a Φ that belongs to the kernel."""
        self._must_be_fitted()
        check_function(feature_map, "feature_map", "(n, d) → (n, D), or a feature map", but_no=Kernel)
        return feature_map(self.X_).T @ self.a_

    def leave_one_out(self, X, y, lams):
        """y_i − h⁽⁻ⁱ⁾(X_i) for every point left out in turn and every λ > 0, from one eigen-decomposition.

        With G = K + λI the residual of a point that was left out is a_i / (G⁻¹)_ii.
        Returns (len(lams), n), or (len(lams), n, outputs); needs center=False.
        """
        if self.center:
            raise ValueError("leave_one_out needs center=False: the means change with every point that is left out.")
        lams = check_array(lams, "lams")
        if lams.ndim != 1 or not (lams > 0).all():
            raise ValueError(f"lams must be a list of numbers > 0, got {lams.tolist()}.")
        X = self._read(X)
        y = self._read_targets(y, len(X))
        from scipy.linalg import eigh

        values, U = eigh(self.kernel.gram(X, X), check_finite=False)
        shrink = 1 / (np.maximum(values, 0)[:, None] + lams)  # eigenvalues of G⁻¹, one column per λ
        inverse_diagonal = (U**2 @ shrink).T
        a = np.einsum("ij,jl,jk->lik", U, shrink, U.T @ y.reshape(len(y), -1), optimize=True)
        residual = a / inverse_diagonal[:, :, None]
        return residual.reshape(len(lams), *y.shape)


def solve(A, b, lam):
    """(A + λI)⁻¹ b for a symmetric A ⪰ 0, which is overwritten; the shortest solution where that is singular."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    if lam > 0:
        diagonal = A.diagonal().copy()
        A.flat[:: len(A) + 1] += lam
        try:
            # A is symmetric, so its transpose is itself in Fortran order: factorised in place
            return cho_solve(cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False), b, check_finite=False)
        except LinAlgError:  # λ is lost in the rounding of A
            A = _mirrored(A, diagonal)
    return _shortest(A, b, lam)


def _mirrored(A, diagonal):
    """A again, from the triangle that a failed factorisation left alone."""
    lower = np.tril(A, -1)
    return lower + lower.T + np.diag(diagonal)


def _shortest(A, b, lam):
    from scipy.linalg import eigh

    values, U = eigh(A, check_finite=False)
    keep = values > len(A) * EPS * max(values[-1], 0)
    if keep.sum() < len(A):
        warn(
            f"The matrix of {len(A)} equations is singular (rank {keep.sum()}) and lam = {lam:g} does not change that: "
            "of all solutions the one of minimum norm is given; a larger lam makes it unique."
        )
    shrink = 1 / (values[keep] + lam)
    return U[:, keep] @ (shrink * (U[:, keep].T @ b).T).T
