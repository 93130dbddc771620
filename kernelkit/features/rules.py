"""The rules that make new feature maps from old ones.

Each class here is the other half of a rule for kernels. ``Scale``, ``Concatenate`` and ``Kronecker`` are what
``c * k``, ``k1 + k2`` and ``k1 * k2`` of ``kernels.base`` do to features. ``Weighted`` and ``Function`` are what
``Conjugate`` and ``FromFeatures`` of ``kernels.rules`` do. ``Compose`` gives features of features, which ``k ** p``,
``Exp`` and ``Pullback`` need.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from kernelkit import latex
from kernelkit.arrays import kronecker
from kernelkit.checks import (
    ANYTHING,
    check_function,
    check_number,
    check_output,
    check_whole,
    read_anything,
)
from kernelkit.features.base import Binary, FeatureMap, Unary, check_feature_map


def _inner(phi, X, Z):
    """Φ(x)ᵀΦ(z) of collections."""
    return phi.checked_matrix(X) @ phi.checked_matrix(Z).T


@dataclass(frozen=True, repr=False)
class Concatenate(Binary):
    """Φ(x) = (Φ1(x), Φ2(x)): the features of k1 + k2. D = D1 + D2."""

    left: FeatureMap
    right: FeatureMap

    def matrix(self, X):
        return np.hstack([self.left.matrix(X), self.right.matrix(X)])

    def dim(self, d):
        return self.left.dim(d) + self.right.dim(d)

    def names_from(self, symbols):
        return self.left.names_from(symbols) + self.right.names_from(symbols)

    def error(self, X, Z):
        return self.left.error(X, Z) + self.right.error(X, Z)

    def latex(self, x):
        return rf"\big({self.left.latex(x)},\; {self.right.latex(x)}\big)"


@dataclass(frozen=True, repr=False)
class Kronecker(Binary):
    """Φ(x) = Φ1(x) ⊗ Φ2(x), every product of two features: the features of k1 · k2. D = D1 · D2."""

    left: FeatureMap
    right: FeatureMap

    def matrix(self, X):
        A = self.left.matrix(X)
        B = self.right.matrix(X)
        self._check_memory(len(X), A.shape[1] * B.shape[1])  # of objects it is known only now
        return kronecker(A, B)

    def dim(self, d):
        return self.left.dim(d) * self.right.dim(d)

    def names_from(self, symbols):
        pairs = product(self.left.names_from(symbols), self.right.names_from(symbols))
        return [b if a == "1" else a if b == "1" else rf"{latex.summand(a)} \cdot {latex.summand(b)}" for a, b in pairs]

    def error(self, X, Z):
        e1 = self.left.error(X, Z)
        e2 = self.right.error(X, Z)
        k1 = np.abs(_inner(self.left, X, Z))
        k2 = np.abs(_inner(self.right, X, Z))
        return k1 * e2 + e1 * k2 + e1 * e2

    def latex(self, x):
        return rf"\big({self.left.latex(x)} \otimes {self.right.latex(x)}\big)"


@dataclass(frozen=True, repr=False)
class Scale(Unary):
    """√c · Φ(x): the features of c · k.  c ≥ 0."""

    c: float
    phi: FeatureMap

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "c", check_number(self.c, "c", at_least=0))

    def matrix(self, X):
        return np.sqrt(self.c) * self.phi.matrix(X)

    def names_from(self, symbols):
        return [latex.times(latex.root(self.c), name) for name in self.phi.names_from(symbols)]

    def error(self, X, Z):
        return self.c * self.phi.error(X, Z)

    def latex(self, x):
        return latex.times(latex.root(self.c), self.phi.latex(x))


@dataclass(frozen=True, repr=False)
class Weighted(Unary):
    """f(x) · Φ(x) for a function f, (n, d) → (n,): the features of f(x) k(x, z) f(z)."""

    f: object
    phi: FeatureMap

    def __post_init__(self):
        super().__post_init__()
        check_function(self.f, "f", "(n, d) → (n,)")

    def matrix(self, X):
        return check_output(self.f, "f", X, 1)[:, None] * self.phi.matrix(X)

    def names_from(self, symbols):
        f = latex.call(self.f, "f", latex.vector(symbols))
        return [latex.times(f, name) for name in self.phi.names_from(symbols)]

    def error(self, X, Z):
        f_x = np.abs(check_output(self.f, "f", X, 1))
        f_z = np.abs(check_output(self.f, "f", Z, 1))
        return f_x[:, None] * self.phi.error(X, Z) * f_z

    def latex(self, x):
        return rf"{latex.call(self.f, 'f', x)}\,{self.phi.latex(x)}"


@dataclass(frozen=True, repr=False)
class Function(FeatureMap):
    """Φ given by any function g, (n, d) → (n, D), of vectors or of a list of other things."""

    g: object
    points = ANYTHING

    def __post_init__(self):
        check_function(self.g, "g", "(n, d) → (n, D)")

    def read(self, X, name="X"):
        return read_anything(X, name)

    def matrix(self, X):
        return check_output(self.g, "g", X, 2)

    def dim(self, d):
        one = np.ones((1, check_whole(d, "d", at_least=1)))
        try:
            return check_output(self.g, "g", one, 2).shape[1]
        except (AttributeError, LookupError, TypeError) as error:  # a function of strings, trees, sets, …
            raise ValueError(f"{self!r} has no dimension D for x ∈ ℝ^{d}: g fails at the point (1, …, 1).") from error

    def names_from(self, symbols):
        if isinstance(self.g, FeatureMap):
            return self.g.names_from(symbols)
        g = latex.call(self.g, "g", latex.vector(symbols))
        return [latex.indexed(g, f"{{{i}}}") for i in range(1, self.dim(len(symbols)) + 1)]

    def latex(self, x):
        return latex.call(self.g, "g", x)


@dataclass(frozen=True, repr=False)
class Compose(FeatureMap):
    """Φ(x) = outer(inner(x)): features of features, as k^p, exp(k) and k(g(x), g(z)) need them."""

    outer: FeatureMap
    inner: FeatureMap

    def __post_init__(self):
        check_feature_map(self.outer, "outer")
        check_feature_map(self.inner, "inner")

    @property
    def points(self):
        return self.inner.points

    def read(self, X, name="X"):
        return self.inner.read(X, name)

    def matrix(self, X):
        return self.outer.checked_matrix(self.inner.checked_matrix(X))

    def dim(self, d):
        return self.outer.dim(self.inner.dim(d))

    def names_from(self, symbols):
        return self.outer.listed(self.inner.listed(symbols))

    def error(self, X, Z):
        A = self.inner.checked_matrix(X)
        B = self.inner.checked_matrix(Z)
        own = self.outer.error(A, B)
        e = self.inner.error(X, Z)
        if not e.any():
            return own
        # F(t) has coefficients ≥ 0, so |F(t + e) − F(t)| ≤ e F′(|t| + e)
        return own + e * self.outer.slope(np.abs(A @ B.T) + e)

    def latex(self, x):
        return self.outer.latex(x if self.inner.latex(x) == x else rf"\big[{self.inner.latex(x)}\big]")
