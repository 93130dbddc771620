"""A kernel with all points at distance 1 from the origin of feature space: the cosine between features."""

from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.checks import check_not_rows, formula_repr
from kernelkit.kernels.base import Kernel, Unary, check_kernel
from kernelkit.kernels.rules import Conjugate


@dataclass(frozen=True, repr=False)
class Normalized(Unary):
    """k(x, z)/√(k(x, x) k(z, z)), with the features Φ(x)/‖Φ(x)‖: the cosine of the angle in feature space.

    ``Normalized(Linear())`` is the cosine similarity. A point with k(x, x) = 0 gets a row of zeros.

    >>> from kernelkit import Linear
    >>> round(Normalized(Linear())([1, 0], [3, 3]), 4)
    0.7071
    """

    k: Kernel

    def gram(self, X, Z):
        if self.k.beyond_floats and not (_are_floats(self.k, X) and (Z is X or _are_floats(self.k, Z))):
            return self._of_logarithms(X, Z)
        one = Z is X
        size_x, size_z = (_size(self.k, square) for square in self.k.diagonals(X, Z))
        K = self.k.gram(X, Z)
        K /= np.multiply.outer(size_x, size_z)
        if one:
            np.fill_diagonal(K, np.isfinite(size_x))  # exactly 1
        return K

    def _of_logarithms(self, X, Z):
        """The same for a k whose values overflow: exp(log k(x, z) − ½ log k(x, x) − ½ log k(z, z))."""
        one = Z is X
        half_x = _half_log(self.k, X)
        half_z = half_x if one else _half_log(self.k, Z)
        K = np.exp(self.k.log_gram(X, Z) - np.add.outer(half_x, half_z))
        if one:
            np.fill_diagonal(K, np.isfinite(half_x))  # exactly 1
        return K

    def diagonal(self, X):
        if self.k.beyond_floats:
            return (self.k.log_diagonal(X) > -np.inf).astype(float)
        return (self.k.diagonal(X) > 0).astype(float)

    def feature_map(self, degree=None, over=None):
        return phi.Weighted(InverseLength(self.k), self.k.feature_map(degree, over))

    @property
    def derivation(self):
        """The same kernel, built from the rules: f(x) k(x, z) f(z) with f(x) = 1/√k(x, x)."""
        return Conjugate(InverseLength(self.k), self.k)

    def latex(self, x, z):
        below = rf"{latex.bracketed(self.k, x, x, latex.PRODUCT)} \cdot {latex.bracketed(self.k, z, z, latex.PRODUCT)}"
        return rf"\frac{{{self.k.latex(x, z)}}}{{\sqrt{{{below}}}}}"


@dataclass(frozen=True, repr=False)
class InverseLength:
    """f(x) = 1/√k(x, x) = 1/‖Φ(x)‖, and 0 where that is 0: the factor that normalises a kernel."""

    k: Kernel

    __repr__ = formula_repr

    def __post_init__(self):
        check_kernel(self.k, "k")
        check_not_rows(self.k)

    def __call__(self, X):
        X, one = self.k.read(X)
        f = 1 / _size(self.k, self.k.diagonal(X))
        return f[0] if one else f

    def latex(self, x):
        x = latex.single(x)
        return rf"\frac{{1}}{{\sqrt{{{self.k.latex(x, x)}}}}}"


def _are_floats(k, X):
    """Whether k(x, x) of every point neither overflows nor vanishes."""
    with np.errstate(over="ignore", invalid="ignore"):
        square = k.diagonal(X)
    return bool(((square >= np.finfo(float).tiny) & (square < np.inf)).all())


def _size(k, square):
    """√k(x, x) of each point, (n,); ∞ where that is 0, so that what is divided by it is 0.  square : k(x, x)."""
    if square.max(initial=0) == np.inf:
        raise ValueError(f"k overflows: scale the inputs, because {k!r} is beyond all floats at some of these points.")
    return np.sqrt(np.where(square > 0, square, np.inf))


def _half_log(k, X):
    """½ log k(x, x) of each point, (n,); ∞ where k(x, x) is 0, as in ``_size``."""
    logs = k.log_diagonal(X)
    return np.where(logs > -np.inf, logs, np.inf) / 2
