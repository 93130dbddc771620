"""Distances in feature space from k alone, and what is done where rounding would eat them (lecture E).

    ‖Φ(x) − Φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z)

Where points lie far from the origin, all three terms are large and their sum is small, so that its digits are lost.
``Linear`` and its like take ‖Φ(x) − Φ(z)‖² from differences of points instead, which loses none. Where a model needs K
itself, for means, these kernels may put the origin elsewhere: into the middle of the points, if that brings it nearer
to each of them. Other kernels get a warning where too few digits are left.
"""

import numpy as np

from kernelkit.checks import check_gram
from kernelkit.kernels.stationary import Stationary
from kernelkit.models.estimator import Estimator
from kernelkit.models.grams import finite_diag, warn_if_alone
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
            origin = middle(self.kernel, Z)
            return super()._gram(seen_from(origin, X), seen_from(origin, Z))
        K = super()._gram(seen_from(middle(self.kernel, X), X))
        warn_if_lost(K.__getitem__, K.diagonal(), self.kernel, X)
        return K

    def _squared_distances(self, X):
        """‖Φ(X_i) − Φ(X_j)‖² of the training points, (n, n), and k(X_i, X_i), of which they were made, (n,)."""
        if not has_differences(self.kernel, X):
            K = self._gram(X)
            squares = K.diagonal().copy()
            return squared_distances(K), squares
        squares = finite_diag(self.kernel, X)
        warn_if_alone(lambda i: self.kernel.gram(X[i : i + 1], X)[0], squares, self.kernel, X)
        return of_differences(self.kernel, X, X), squares


def has_differences(kernel, X):
    """Whether k is like ``Linear``, so that ‖Φ(x) − Φ(z)‖² comes from x − z, wherever the origin lies."""
    free = getattr(kernel, "origin_free", False) and not isinstance(kernel, Stationary)  # whose K has all digits
    return free and isinstance(X, np.ndarray)


def of_differences(kernel, X, Z):
    """‖Φ(x) − Φ(z)‖² of a kernel that has differences, between two collections that were read before: (n, m)."""
    check_gram(X, Z)
    return kernel.squared_distance_matrix(X, Z)


def middle(kernel, points):
    """The middle of the points, (d,), where an origin there changes no ‖Φ(x) − Φ(z)‖ and is nearer to them, else None.

    It is the median of some points, coordinate by coordinate, so that one point far away does not draw it. A coordinate
    is 0 if the middle is farther from one of the points than 0 is.
    """
    if not has_differences(kernel, points):
        return None
    some = np.sort(points[:: 1 + len(points) // FEW], axis=0)
    center = some[len(some) // 2]
    with np.errstate(over="ignore"):
        helps = (np.abs(points - center) <= np.abs(points)).all(axis=0)
    return np.where(helps, center, 0) if helps.any() else None


def seen_from(origin, X):
    """X − the origin; X as it is if that is None."""
    if origin is None:
        return X
    with np.errstate(over="ignore"):
        return np.clip(X - origin, -MAX, MAX)


def squared_distances(K):
    """‖Φ(X_i) − Φ(X_j)‖² = K_ii − 2K_ij + K_jj, 0 where that is rounding: (n, n), in place of K."""
    both = np.add.outer(K.diagonal(), K.diagonal())
    K *= -2
    K += both
    K[K <= ROUNDING * both] = 0
    return K


def rounding_of_sums(squares):
    """That of k(x, x) − 2k(x, z) + k(z, z): a part of k(X_i, X_i), squares (n,), or of the sum itself."""
    return lambda values, i: ROUNDING * np.maximum(squares[i], np.abs(values))


def rounding_of_differences(squares):
    """That of ‖x − z‖², because x has one: a part of ‖x − z‖ ‖X_i‖, squares (n,), or of ‖x − z‖² itself."""
    return lambda values, i: ROUNDING * np.sqrt(values) * np.sqrt(np.maximum(squares[i], values))


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
