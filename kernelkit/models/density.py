"""Kernel density estimation: one bump a point, and their mean is a density (lecture C)."""

from math import log, pi

import numpy as np

from kernelkit.arrays import infinite_beyond, squared_distance
from kernelkit.checks import check_array, check_gram, check_number
from kernelkit.kernels import Gaussian
from kernelkit.models.reading import read_collection
from kernelkit.models.unsupervised import Unsupervised

TINY = np.finfo(float).tiny
BLOCK = 2**20  # distances that are held at a time


class KernelDensity(Unsupervised):
    """p(z) = (1/n) Σ_i exp(−‖z − X_i‖²/2σ²) / (2πσ²)^{d/2}, a density over ℝ^d  (lecture C).

    sigma : the width σ > 0 of a bump, in the units of x.  Learned: ``X_`` (n, d), the points themselves.
    Time 0 to fit, per test point O(nd).  scikit-learn: KernelDensity(bandwidth=σ).

    >>> float(np.exp(KernelDensity(1.0).fit([[0.0]]).log_density([[0.0]]))[0].round(4))
    0.3989
    """

    _estimator_type = "density_estimator"

    def __init__(self, sigma=1.0):
        self.sigma = sigma

    def _pairwise(self):
        return False

    def _reader(self):
        return Gaussian(check_number(self.sigma, "sigma", above=0))

    def fit(self, X, y=None):
        """Keep the n points X (n, d).  y is not used.  Returns self."""
        return self._remember(self._read_data(X, y))

    def log_density(self, Z):
        """log p(z) of each of the m points Z (m, d): (m,)."""
        Z = self._read_new(Z)
        n, d = self.X_.shape
        rows = max(1, BLOCK // n)
        blocks = [Z[i : i + rows] for i in range(0, len(Z), rows)]
        sums = np.concatenate([_log_bumps(squared_distance(block, self.X_, self.sigma)) for block in blocks])
        return sums - _log_volume(self.sigma, n, d)

    def score(self, X, y=None):
        """Σ log p(z) over the points X (m, d), a number; cross-validation of it chooses a width.  y is not used."""
        return float(self.log_density(X).sum())

    def leave_one_out(self, X, sigmas):
        """log p⁽⁻ⁱ⁾(X_i), the density at each point by all the others, for every width in sigmas: (S, n).

        Its sum over the points, the leave-one-out likelihood, is largest at a width that suits *new* points; that of
        log p(X_i) grows without end as σ → 0. −∞ where all others are too far away for any float.
        """
        sigmas = check_array(sigmas, "sigmas")
        if sigmas.ndim != 1 or not sigmas.size or not (sigmas >= TINY).all():
            raise ValueError(f"sigmas must be a list of numbers > 0, none below {TINY:.2g}, got {sigmas.tolist()}.")
        X = read_collection(self._reader(), X)
        n, d = X.shape
        if n < 2:
            raise ValueError(f"leave_one_out needs at least 2 points, got {n}.")
        check_gram(X, X)
        return np.array([_log_bumps(_to_others(X, sigma)) - _log_volume(sigma, n - 1, d) for sigma in sigmas.tolist()])


def _to_others(X, sigma):
    """‖X_i − X_j‖²/σ², ∞ where i = j, because a point's own bump is left out, and where it is beyond any float."""
    D = squared_distance(X, X, sigma, infinite_beyond)
    np.fill_diagonal(D, np.inf)
    return D


def _log_bumps(D):
    """log Σ_j exp(−D_ij/2) of each row of D (m, n), also where every term is below the smallest float."""
    nearest = D.min(axis=1)
    near = np.isfinite(nearest)
    sums = np.full(len(D), -np.inf)  # where all are beyond any float
    sums[near] = np.log(np.exp((nearest[near, None] - D[near]) / 2).sum(axis=1)) - nearest[near] / 2
    return sums


def _log_volume(sigma, n, d):
    """log of n (2πσ²)^{d/2}, by which the sum of n bumps is divided."""
    return log(n) + d / 2 * log(2 * pi) + d * log(sigma)
