"""What a feature map is. Feature maps are functions Φ: array → array, and know no kernels.

Every map is a frozen object. ``phi(x)`` of one point is a vector of length D,
``phi(X)`` of n points is the matrix with rows Φ(X_i)ᵀ, ``phi.dim(d)`` is D,
``phi.names(d)`` are the features in LaTeX. So ``phi(x) @ phi(z)`` is the
Φ(x)ᵀΦ(z) of the lecture. A 1-D array is **one** point of ℝ^d, a number is a
point of ℝ¹: write ``phi(x[:, None])`` for many points on a line.
"""

import numpy as np

from kernelkit.arrays import squeezed
from kernelkit.checks import (
    MAX_BYTES,
    MAX_NAMES,
    check_memory,
    check_same_columns,
    check_same_points,
    check_same_width,
    check_whole,
    formula_repr,
    lacking,
    large,
    names_of_coordinates,
    read_as_both,
    read_points,
)

__all__ = ["MAX_BYTES", "Binary", "FeatureMap", "Unary"]


class FeatureMap:
    """A map Φ from points to vectors; Φ(x)ᵀΦ(z) is a kernel, whatever Φ.

    Every map writes ``matrix``, ``dim``, ``names_from`` and ``latex``; one that takes other points than vectors says so
    in ``points`` and writes ``read``; one that is cut short writes ``error``. What a map does not have raises
    NotImplementedError.
    """

    __repr__ = formula_repr
    points = "vectors"

    def read(self, X, name="X"):
        """X as a collection, an array (n, d) or a list of n objects, and whether X was one point."""
        return read_points(X, name)

    def matrix(self, X):
        """The rows Φ(X_i)ᵀ of a collection as ``read`` gives it: (n, d) → (n, D), a new array."""
        raise lacking(self, "matrix(X)")

    def dim(self, d):
        """The number of features D of x ∈ ℝ^d, without building any."""
        raise lacking(self, "dim(d)")

    def names_from(self, symbols):
        """The features in LaTeX, in the order of the columns of Φ, from the names of the coordinates: d → D texts."""
        raise lacking(self, "names_from(symbols)")

    def latex(self, x):
        """Φ(x) in LaTeX, for a point called x."""
        raise lacking(self, "latex(x)")

    def error(self, X, Z):
        """A bound on |Φ(x)ᵀΦ(z) − k(x, z)| for collections: (n, d), (m, d) → (n, m); zero for an exact Φ."""
        return np.zeros((len(X), len(Z)))

    def slope(self, t):
        """F′(t), where Φ(x)ᵀΦ(z) = F(xᵀz): for the error of features of features."""
        raise lacking(self, "slope(t)")

    def __call__(self, X):
        X, one = self.read(X)
        Phi = self.checked_matrix(X)
        return Phi[0] if one else Phi

    def checked_matrix(self, X):
        """``matrix(X)``; refused with ValueError, before anything is built, where memory would not hold it."""
        if isinstance(X, np.ndarray):
            self._check_memory(len(X), self.dim(X.shape[1]))
        return self.matrix(X)

    def _check_memory(self, n, D):
        what = f"Φ has D = {large(D)} features here: for {n:,} points that is"
        check_memory(n, D, what, "the kernel k(x, z) needs none of them")

    def names(self, d):
        """The features of x ∈ ℝ^d in LaTeX, in the order of the columns of Φ."""
        d = check_whole(d, "d", at_least=1)
        return self.listed([f"x_{{{i}}}" if i > 9 else f"x_{i}" for i in range(1, d + 1)])

    def listed(self, symbols):
        """``names_from(symbols)``; ValueError if these are too many for a list."""
        if (D := self.dim(len(symbols))) > MAX_NAMES:
            raise ValueError(f"Φ has D = {large(D)} features here: too many to list, at most {MAX_NAMES:,} are.")
        return self.names_from(symbols)

    def remainder(self, X, Z):
        """A bound on |Φ(x)ᵀΦ(z) − k(x, z)| for a truncated Φ, with the shapes of ``k(X, Z)``; zero for an exact one."""
        given = X, Z
        (X, one_x), (Z, one_z) = self.read(X, "X"), self.read(Z, "Z")
        check_same_columns(names_of_coordinates(given, (one_x, one_z)), "The columns of X and Z")
        check_same_width(X, Z)
        return squeezed(self.error(X, Z), one_x, one_z)

    def _repr_latex_(self):
        return rf"$\Phi(x) = {self.latex('x')}$"


def check_feature_map(value, name):
    """A feature map that a rule is applied to."""
    if not isinstance(value, FeatureMap):
        raise TypeError(f"{name} must be a feature map, got {value!r}.")


class Unary(FeatureMap):
    """A rule of one map ``phi``: it takes the points of phi and has as many features."""

    def __post_init__(self):
        check_feature_map(self.phi, "phi")

    @property
    def points(self):
        return self.phi.points

    def read(self, X, name="X"):
        return self.phi.read(X, name)

    def dim(self, d):
        return self.phi.dim(d)


class Binary(FeatureMap):
    """A rule of two maps ``left`` and ``right`` of the same points."""

    def __post_init__(self):
        check_feature_map(self.left, "left")
        check_feature_map(self.right, "right")
        check_same_points(self.left, self.right)

    @property
    def points(self):
        return check_same_points(self.left, self.right)

    def read(self, X, name="X"):
        return read_as_both(self.left, self.right, X, name)
