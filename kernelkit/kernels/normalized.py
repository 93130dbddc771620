"""A kernel with all points at distance 1 from the origin of feature space: the cosine between features."""

from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.checks import check_not_rows, formula_repr
from kernelkit.kernels.base import TINY, Kernel, Unary, check_kernel, lengths
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
        return self.k.normalized_gram(X, Z)

    def normalized_gram(self, X, Z):
        return self.gram(X, Z)

    def diagonal(self, X):
        """1 of each point, and 0 where k(x, x) is 0; where no float holds k(x, x), k's own cosine says which."""
        if self.pairwise:
            return super().diagonal(X)
        square = self.k.diagonal(X)
        ones = np.ones(len(X))
        for i in np.flatnonzero((square < TINY) | (square == np.inf)):
            x = X[i : i + 1]
            ones[i] = self.gram(x, x)[0, 0]
        return ones

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
        f = 1 / lengths(self.k.diagonal(X), self.k)
        if (f == 0).any() and Normalized(self.k).diagonal(X)[f == 0].any():
            raise ValueError(f"k vanishes: 1/√k(x, x) of {self.k!r} is beyond all floats at some of these points.")
        return f[0] if one else f

    def latex(self, x):
        x = latex.single(x)
        return rf"\frac{{1}}{{\sqrt{{{self.k.latex(x, x)}}}}}"
