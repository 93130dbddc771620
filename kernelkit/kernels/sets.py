"""Kernels of how much two things share."""

from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi
from kernelkit.checks import check_world, read_points
from kernelkit.kernels.base import Kernel
from kernelkit.latex import SUM


@dataclass(frozen=True, repr=False)
class Intersection(Kernel):
    """k(x, z) = Σ_j min(x_j, z_j) for x, z ≥ 0: what two histograms or two fuzzy sets share.

    On a line, d = 1, it is the covariance of Brownian motion. Raises ValueError for a negative coordinate.
    ``feature_map(over=levels)`` has one step for each level and coordinate; it is exact for points on the levels,
    and ``remainder`` tells what is missing between them.

    >>> Intersection()([3, 0, 2], [1, 5, 2])
    3.0
    """

    latex_binds = SUM

    def read(self, X, name="X"):
        X, one = read_points(X, name)
        if X.min() < 0:
            raise ValueError(
                f"Intersection() needs points with all coordinates ≥ 0, but {name} holds {X.min():.4g}: min(x, z) is "
                "no kernel for negative numbers, as min(−1, −1) = −1 shows."
            )
        return X, one

    def gram(self, X, Z):
        K, both = np.zeros((len(X), len(Z))), np.empty((min(len(X), 64), len(Z)))
        for i in range(0, len(X), 64):  # a few rows at a time to stay in the cache
            rows = K[i : i + 64]
            for x, z in zip(X[i : i + 64].T, Z.T, strict=True):
                rows += np.minimum.outer(x, z, out=both[: len(x)])
        return K

    def diag(self, X):
        return X.sum(axis=1)

    def feature_map(self, degree=None, over=None):
        return phi.Steps(check_world(over, self, "[1, 2, 3]"))

    def latex(self, x, z):
        return rf"\sum_j \min({x}_j, {z}_j)"
