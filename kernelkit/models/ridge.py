"""Ridge regression three times: in the weights w, in the dual weights a, and through the kernel alone.

All three minimise ‖f − y‖² + λ‖w‖² and give the same predictions (lectures A, B, C, E).
"""

import numpy as np

from kernelkit.arrays import eigen
from kernelkit.checks import check_array, check_eigenvalues, check_flag, check_gram, check_number
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.chunks import summed, unfitted
from kernelkit.models.equations import solve_dual, solve_primal
from kernelkit.models.estimator import KernelForm, PrimalForm, Regressor
from kernelkit.models.reading import check_same_rows, read_collection, read_numbers
from kernelkit.models.totals import Totals, feature_blocks


class Centred(Regressor):
    """A regressor with the parameter ``center``: whether the means of X and y are subtracted first (lecture A)."""

    def _read_centred(self, X, y):
        """What fit was given, minus the means with center=True, and these means."""
        check_flag(self.center, "center")
        data = self._read_data(X, y)
        if not self.center:
            return data, (None, 0.0)
        if self._pairwise() or not isinstance(data.X, np.ndarray):
            raise TypeError("center=True needs vectors, because a list of other things has no mean.")
        X_mean = data.X.mean(axis=0)
        y_mean = data.y.mean(axis=0)
        return data._replace(X=self._minus(data.X, X_mean), y=data.y - y_mean), (X_mean, y_mean)

    def _minus(self, X, mean):
        """X minus the mean, read again, because not every kernel takes negative numbers."""
        return self._reader().read(X - mean, "X minus its mean (center=True)")[0]

    def _remember_centred(self, data, means=(None, 0.0)):
        """The end of fit: h(z) = wᵀΦ(z − X̄) + ȳ."""
        self.X_mean_, self.y_mean_ = means
        self.b_ = self.y_mean_
        return self._remember(data)

    def _read_new(self, Z):
        Z = super()._read_new(Z)
        return Z if self.X_mean_ is None else self._minus(Z, self.X_mean_)


class PrimalRidge(Centred, PrimalForm):
    """Primal ridge regression on explicit features: (ΦᵀΦ + λI) w = Φᵀy  (lectures A, C, E).

    feature_map : Φ, (n, d) → (n, D).  lam : λ ≥ 0; λ = 0 with a singular ΦᵀΦ gives the shortest w, with a warning.
    center : subtract the means of X and y first (lecture A); ``X_mean_`` and ``y_mean_`` keep them.

    Learned: ``w_`` (D,) or (D, outputs).  Time O(D³ + D²n), per test point O(D).

    >>> X = [[0.0], [1.0], [2.0]]
    >>> PrimalRidge(Monomials(2), lam=1e-9).fit(X, [0, 1, 4]).predict([[3.0]]).round(3).tolist()
    [9.0]
    """

    def __init__(self, feature_map=Monomials(2), lam=1.0, center=False):
        self.feature_map = feature_map
        self.lam = lam
        self.center = center

    def fit(self, X, y):
        """Solve for w.  X : n points, (n, d) or a list.  y : (n,) or (n, outputs)."""
        lam = check_number(self.lam, "lam", at_least=0)
        data, means = self._read_centred(X, y)
        gram = 0.0
        moment = 0.0
        for Phi, y_rows in feature_blocks(self._features, data):  # a few rows at a time: the sums need no more
            gram = gram + Phi.T @ Phi
            moment = moment + Phi.T @ y_rows
        self.w_ = solve_primal(gram, moment, lam, n=len(data.X))
        return self._remember_centred(data, means)

    def fit_chunks(self, chunks, client=None):
        """Solve for w in one pass and in the memory of one chunk, whatever their number; equals ``fit`` on all points.

        chunks : an iterable of chunks (X, y), or of functions that load one.
        client : a dask.distributed.Client, or what has its ``map`` and ``gather``, for many processes or machines;
        D² numbers travel for each of them, and no points if the chunks are functions. Needs center=False.
        A chunk that fails is tried again; ValueError with its number, from 0, if it fails twice or kills its workers.
        Returns self.
        """
        lam = check_number(self.lam, "lam", at_least=0)
        if check_flag(self.center, "center"):
            raise ValueError("fit_chunks needs center=False, because the means are not known before the last chunk.")
        total = summed(_totals, chunks, client, unfitted(self))
        self.w_ = total.value.solve(lam)
        return self._remember_centred(total.like)


def _totals(X, y, model):
    """What one chunk adds: its data as read, and its ``Totals``."""
    data = model._read_data(X, y)
    return data, Totals.over(model._features, data)


class DualRidge(Centred, PrimalForm):
    """Dual ridge regression on explicit features, no kernel trick: (ΦΦᵀ + λI) a = y  (lecture A).

    Parameters as ``PrimalRidge``.  Learned: ``a_`` (n,) or (n, outputs), and ``w_`` = Φᵀa.
    Time O(n³ + n²D), per test point O(nD) in the form below, which is the lecture's.
    """

    _finite = "a_", "b_"

    def __init__(self, feature_map=Monomials(2), lam=1.0, center=False):
        self.feature_map = feature_map
        self.lam = lam
        self.center = center

    def fit(self, X, y):
        """Solve for a.  X : n points, (n, d) or a list.  y : (n,) or (n, outputs)."""
        lam = check_number(self.lam, "lam", at_least=0)
        data, means = self._read_centred(X, y)
        check_gram(data.X, data.X)
        Phi = self._features(data.X)
        K = Phi @ Phi.T
        self.a_ = solve_dual(K, data.y, lam)
        self.Phi_ = Phi
        return self._remember_centred(data, means)

    @property
    def w_(self):
        """The primal weights w = Φ(X)ᵀa, a combination of the training points: (D,) or (D, outputs)."""
        self._must_be_fitted()
        return self.Phi_.T @ self.a_

    def _outputs(self, Z):
        """h(z) = Σ_i a_i Φ(X_i)ᵀΦ(z)."""
        return (self._features(self._read_new(Z)) @ self.Phi_.T) @ self.a_ + self.b_


class KernelRidge(Centred, KernelForm):
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
        """Solve for a.  X : n points, (n, d) or a list.  y : (n,) or (n, outputs)."""
        lam = check_number(self.lam, "lam", at_least=0)
        data, means = self._read_centred(X, y)
        K = self._gram(data.X)
        self.a_ = solve_dual(K, data.y, lam)
        return self._remember_centred(data, means)

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
        check_same_rows(X, y)
        X = read_collection(self._reader(), X)
        y = read_numbers(y, len(X))
        values, U = eigen(self._gram(X), overwrite=True)
        check_eigenvalues(values)
        shrink = 1 / (np.maximum(values, 0) + lams[:, None])  # eigenvalues of G⁻¹ = U diag(shrink) Uᵀ, one row per λ
        inverse_diagonal = shrink @ (U**2).T  # (G⁻¹)_ii, one row per λ
        a = (shrink * (y.T @ U)[..., None, :]) @ U.T  # G⁻¹y, one row per λ, of each output
        residual = a / inverse_diagonal
        return residual if y.ndim == 1 else np.moveaxis(residual, 0, -1)
