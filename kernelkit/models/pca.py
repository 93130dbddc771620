"""Kernel principal components: the directions of Φ-space in which the points differ most (lecture C).

A component is a combination of centred points, v = Σ_i a_i (Φ(X_i) − Φ̄), so that its coordinate of a new point is a
function over the space of the points; for a Gaussian kernel a point of Φ-space has a pre-image near it.
"""

import numpy as np

from kernelkit.arrays import eigen
from kernelkit.checks import CLEARLY, check_array, check_eigenvalues, check_whole, not_a_kernel
from kernelkit.kernels import Gaussian, Linear
from kernelkit.models.distances import ByDistance
from kernelkit.models.unsupervised import Transformer

EPS = np.finfo(float).eps
ROUNDING = 4 * EPS  # in eigenvalues of K°, times n and the largest k(x, x): points far from 0 leave it
STEPS = 200  # of the search for a pre-image at most
STILL = 1e-7  # and how little of the width σ its last step moves


class KernelPCA(ByDistance, Transformer):
    """Kernel PCA: the eigenvectors of K° = CₙKCₙ, Cₙ = I − 11ᵀ/n, which is the Gram matrix of Φ(X_i) − Φ̄  (lecture C).

    kernel : k.  n_components : how many, from 1 to n.

    Learned: ``eigenvalues_`` κ (n_components,) of K°, the largest first, κ/n is the variance along the component;
    ``a_`` (n, n_components) = U/√κ, so that each component has length 1 (0 where κ is 0); ``total_``, all of Σκ.
    Time O(n²·(d + n_components)), per test point O(nd).  scikit-learn: KernelPCA, up to the signs.

    >>> KernelPCA(Linear(), n_components=1).fit_transform([[0.0, 1.0], [3.0, 5.0], [9.0, 13.0]]).round(6).tolist()
    [[-6.666667], [-1.666667], [8.333333]]
    """

    def __init__(self, kernel=Gaussian(1.0), n_components=2):
        self.kernel = kernel
        self.n_components = n_components

    def fit(self, X, y=None):
        """Find the components.  X : n points, (n, d) or a list.  y is not used.  Returns self."""
        data = self._read_data(X, y)
        count = check_whole(self.n_components, "n_components", at_least=1)
        if count > len(data.X):
            raise ValueError(
                f"n_components must be at most the number of points, got {count} for n_samples = {len(data.X)}."
            )
        K = self._gram(data.X)
        mean = K.mean(axis=0)
        rounding = ROUNDING * len(K) * max(K.diagonal().max(), 0)
        K -= mean + mean[:, None] - mean.mean()  # K° = K − 11ᵀK/n − K11ᵀ/n + 11ᵀK11ᵀ/n²
        values, U = _largest(K, count, rounding)
        self.a_ = U / np.sqrt(np.where(values > 0, values, np.inf))
        self.eigenvalues_ = values
        self.total_ = float(max(K.trace(), 0))
        if values.sum() > self.total_ + CLEARLY * values[0] + len(K) * rounding:  # then the others have a negative sum
            raise not_a_kernel()
        self.mean_ = mean
        return self._remember(data)

    def fit_transform(self, X, y=None):
        """fit(X), then the coordinates of X themselves, K°a = κa: (n, n_components)."""
        return self._contained(self.fit(X, y).a_ * self.eigenvalues_, X)

    def transform(self, Z):
        """The coordinates of the m points Z along the components: (m, n_components).

        New points are centred with the mean of the *training* points: k°(z, x) = k(z, x) − mean_j k(z, X_j) − mean_j
        k(X_j, x) + mean of K.
        """
        K = self._gram(self._read_new(Z), self.X_)
        coordinates = (K - K.mean(axis=1, keepdims=True) - self.mean_ + self.mean_.mean()) @ self.a_
        return self._contained(coordinates, Z)

    @property
    def _n_features_out(self):
        return self.a_.shape[1]

    def get_feature_names_out(self, input_features=None):
        """The names of the components to scikit-learn: kernelpca0, kernelpca1, …"""
        from sklearn.base import ClassNamePrefixFeaturesOutMixin

        return ClassNamePrefixFeaturesOutMixin.get_feature_names_out(self, input_features)

    def combination(self, Y):
        """The weights g (m, n) of the point Σ_i g_i Φ(X_i) of Φ-space with the coordinates Y (m, n_components).

        Φ̄ + Σ_c y_c v_c has the weights ay and, because Φ̄ = Σ Φ(X_i)/n, in addition (1 − 1ᵀay)/n each.
        """
        self._must_be_fitted()
        g = self._read_coordinates(Y) @ self.a_.T
        return g + (1 - g.sum(axis=1, keepdims=True)) / len(self.X_)

    def inverse_transform(self, Y, start=None):
        """Points whose Φ is nearest to what has the coordinates Y (m, n_components): (m, d); for Gaussian and Linear.

        start : (m, d), where the search for each begins; by default at the training point that comes nearest.
        """
        g = self.combination(Y)
        if isinstance(self.kernel, Linear):
            return g @ self.X_
        if not isinstance(self.kernel, Gaussian):
            raise ValueError(f"A pre-image is known for the kernels Gaussian and Linear, not for {self.kernel!r}.")
        Z = self._nearest(g) if start is None else self._read_start(start, len(g))
        for _ in range(STEPS):
            before = Z
            Z = self._step(g, before)
            if np.abs(Z - before).max(initial=0) <= STILL * self.kernel.sigma:
                break
        return Z

    def _step(self, g, Z):
        """z ← Σ_i g_i k(z, X_i) X_i / Σ_i g_i k(z, X_i), where the gradient of ‖Φ(z) − Σ_i g_i Φ(X_i)‖² is 0.

        Where the sum below is not positive, z is far from all of them and stays where it is.
        """
        weights = g * self.kernel.gram(Z, self.X_)
        total = weights.sum(axis=1, keepdims=True)
        fine = total > EPS * np.abs(weights).sum(axis=1, keepdims=True)
        return np.where(fine, weights @ self.X_ / np.where(fine, total, 1), Z)

    def _nearest(self, g):
        """The training point nearest in Φ-space to each combination, (m, d): its k with it is largest."""
        return self.X_[(g @ self.kernel.gram(self.X_, self.X_)).argmax(axis=1)]

    def _read_coordinates(self, Y):
        Y = check_array(Y, "Y")
        if Y.ndim != 2 or Y.shape[1] != self.a_.shape[1]:
            raise ValueError(f"Y must have shape (m, {self.a_.shape[1]}), one column a component, got {Y.shape}.")
        return Y

    def _read_start(self, start, m):
        start = check_array(start, "start")
        if start.shape != (m, self.n_features_in_):
            raise ValueError(f"start must have shape {(m, self.n_features_in_)}, got {start.shape}.")
        return start


def _largest(K, count, rounding):
    """The largest eigenvalues of K (n, n) ⪰ 0, 0 where they are rounding, and their vectors U (n, count).

    rounding : what the numbers that K was made of, larger than its own, leave in its eigenvalues.
    Of ±u the one is taken whose first large entry is positive, large meaning within a tenth of the largest.
    """
    way = _some if 10 * count < len(K) else _all  # more come faster with all others
    values, U = way(K, count, rounding)
    values = np.where(values > rounding, values, 0.0)
    first = (np.abs(U) > 0.9 * np.abs(U).max(axis=0)).argmax(axis=0)
    return values, U * np.sign(U[first, np.arange(count)])


def _all(K, count, rounding):
    # LAPACK's way to some eigenvalues is slower for many, and may lose some of many equal ones: K = I, centred
    values, U = eigen(K)
    check_eigenvalues(np.where(np.abs(values) > rounding, values, 0))
    return values[: -count - 1 : -1], U[:, : -count - 1 : -1]


def _some(K, count, rounding):
    """The same by Lanczos' iteration, much faster where a few eigenvalues stand out, as they do for smooth kernels."""
    from scipy.sparse.linalg import ArpackError, eigsh

    start = np.random.default_rng(0).uniform(-1, 1, len(K))
    try:
        values, U = eigsh(K, count, which="LA", v0=start)
    except ArpackError:  # nothing stands out: a K that is almost I
        return _all(K, count, rounding)
    order = np.argsort(-values)
    return values[order], U[:, order]
