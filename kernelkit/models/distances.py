"""Distances in feature space from k alone, and what is done where rounding would eat them (lecture E).

    ‖Φ(x) − Φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z)

Where points lie far from the origin, all three terms are large and their sum is small, so that its digits are lost.
Distances in the feature space of ``Linear`` and its like are the same wherever the origin lies: it is put in the middle
of the points. Other kernels get a warning where too few digits are left.
"""

import numpy as np

from kernelkit.kernels.stationary import Stationary
from kernelkit.models.estimator import Estimator
from kernelkit.models.reading import warn

ROUNDING = 64 * np.finfo(float).eps  # of k(x, x) + k(z, z): squared distances below this are 0
LOST = 1e-12  # of k(x, x) + k(z, z): squared distances below this have lost all digits but three
MAX = np.finfo(float).max
SOME = 20  # points whose distances tell whether digits are lost
FEW = 100  # points are enough to find their middle


class ByDistance(Estimator):
    """A model that asks k for distances and centres in feature space alone, and not for where the origin lies."""

    def _gram(self, X, Z=None):
        """K as every kernel model takes it, of the points as seen from the middle of the training points, Z or X."""
        if Z is not None:
            return super()._gram(from_the_middle(self.kernel, X, Z), from_the_middle(self.kernel, Z, Z))
        K = super()._gram(from_the_middle(self.kernel, X, X))
        warn_if_lost(K.__getitem__, K.diagonal(), self.kernel, X)
        return K


def from_the_middle(kernel, X, points):
    """X − the middle of the points, where that changes no ‖Φ(x) − Φ(z)‖; else X as it is.

    The middle is the median of some points, coordinate by coordinate, so that one point far away does not draw it.
    """
    free = getattr(kernel, "origin_free", False) and not isinstance(kernel, Stationary)  # which needs no help
    if not free or not isinstance(X, np.ndarray):
        return X
    some = np.sort(points[:: 1 + len(points) // FEW], axis=0)
    with np.errstate(over="ignore"):
        return np.clip(X - some[len(some) // 2], -MAX, MAX)


def squared_distances(K):
    """‖Φ(X_i) − Φ(X_j)‖² = K_ii − 2K_ij + K_jj, 0 where that is rounding: (n, n), in place of K."""
    both = np.add.outer(K.diagonal(), K.diagonal())
    K *= -2
    K += both
    K[K <= ROUNDING * both] = 0
    return K


def warn_if_lost(rows, squares, kernel, X):
    """Warn if most squared distances between points that differ are lost in the rounding of k(x, x).

    rows(some) : the rows of K in a slice, (m, n).  squares : k(X_i, X_i), (n,).
    """
    if not isinstance(X, np.ndarray):  # different objects may well have the same Φ
        return
    some = slice(None, None, 1 + len(X) // SOME)
    both = np.add.outer(squares[some], squares)
    lost = np.abs(both - 2 * rows(some)) < LOST * np.abs(both)
    if 2 * np.count_nonzero(lost) < lost.size:
        return
    different = np.array([(x != X).any(axis=1) for x in X[some]])
    if 2 * np.count_nonzero(lost & different) > np.count_nonzero(different):
        warn(
            f"Most distances between these points in the feature space of {kernel!r} are 0 up to the rounding of "
            "k(x, x): if the points lie far from the origin, subtract their mean first."
        )
