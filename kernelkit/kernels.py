"""The kernels to start from, and by import the rules that combine them.

``k(x, z)`` of two points is a number, ``k(x, Z)`` a vector, ``k(X, Z)`` a matrix, ``k(X)``
the Gram matrix. A 1-D array is **one** point: write ``k(x[:, None])`` for points on a line.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import gaussian, power, squared_length
from kernelkit.checks import anything, formula_repr, function, number, output_of, part, rows_of, whole
from kernelkit.kernel_rules import POWER, PRODUCT, Constant, Kernel, Power, Product, Scaled, Sum, bracket

__all__ = [
    "Bell", "Conjugate", "Constant", "Exp", "FromFeatures", "Gaussian", "Kernel", "Linear", "Polynomial",
    "Power", "Product", "Pullback", "Quadratic", "Scaled", "Sum",
]  # fmt: skip


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """k(x, z) = xᵀz, with Φ(x) = x.

    >>> Linear()([1, 2], [3, 4])
    11.0
    """

    latex_binds = PRODUCT

    def gram(self, X, Z):
        return X @ Z.T

    def diag(self, X):
        return squared_length(X)

    def feature_map(self, degree=None):
        return phi.Identity()

    def latex(self, x, z):
        return rf"{x}^\top {z}"


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    """k(x, z) = (xᵀz + c)^p: all monomials to degree p, in O(d) (lectures A, C, D, E).

    degree : p ≥ 0, whole.  offset : c ≥ 0; with c = 0 only monomials of exactly degree p.
    Raises ValueError for any other degree or offset.

    >>> Polynomial(2)([1, 2], [3, 4])
    144.0
    """

    degree: int
    offset: float = 1.0
    latex_binds = POWER

    def __post_init__(self):
        object.__setattr__(self, "degree", whole(self.degree, "degree"))
        object.__setattr__(self, "offset", number(self.offset, "offset", at_least=0))

    def gram(self, X, Z):
        K = X @ Z.T
        K += self.offset
        return power(K, self.degree)

    def diag(self, X):
        return power(Linear().diag(X) + self.offset, self.degree)

    def feature_map(self, degree=None):
        return phi.Monomials(self.degree, self.offset)

    @property
    def derivation(self):
        """The same kernel, built from the rules."""
        return (Linear() + self.offset if self.offset else Linear()) ** self.degree

    def latex(self, x, z):
        base = rf"{x}^\top {z} + {self.offset:g}" if self.offset else rf"{x}^\top {z}"
        return rf"({base})^{{{self.degree}}}"


@dataclass(frozen=True, repr=False)
class Gaussian(Kernel):
    """k(x, z) = exp(−‖x − z‖²/2σ²), with infinitely many features (lectures A, C, E).

    sigma : width σ > 0, in the units of x.  scikit-learn: gamma = 1/(2σ²).
    ``feature_map(degree=m)`` gives the series cut after degree m.

    >>> round(Gaussian(1.0)([0, 0], [1, 0]), 4)
    0.6065
    """

    sigma: float

    def __post_init__(self):
        object.__setattr__(self, "sigma", number(self.sigma, "sigma", above=0))

    def gram(self, X, Z):
        return gaussian(X, Z, self.sigma)

    def diag(self, X):
        return np.ones(len(X))

    def feature_map(self, degree=None):
        return phi.GaussianSeries(self.sigma, truncated(degree, self))

    @property
    def derivation(self):
        """The same kernel, built from the rules: f(x) · exp(xᵀz/σ²) · f(z)."""
        return Conjugate(Bell(self.sigma), Exp(self.sigma**-2 * Linear()))

    def latex(self, x, z):
        return rf"\exp\left(-\frac{{\|{x} - {z}\|^2}}{{{latex.two_sigma_squared(self.sigma).strip('()')}}}\right)"


@dataclass(frozen=True, repr=False)
class Bell:
    """f(x) = exp(−‖x‖²/2σ²), the factor that turns exp(xᵀz/σ²) into the Gaussian kernel."""

    sigma: float

    __repr__ = formula_repr

    def __call__(self, X):
        return np.exp(-np.sum(np.square(X), axis=-1) / (2 * self.sigma**2))

    def latex(self, x):
        return latex.bell(x, self.sigma)


@dataclass(frozen=True, repr=False)
class Quadratic(Kernel):
    """k(x, z) = xᵀAz for a symmetric A ⪰ 0 (d, d), with Φ(x) = Rx and A = RᵀR (lecture B).

    A may be singular: Φ has rank(A) features. Raises ValueError if A is not symmetric or not ⪰ 0.
    """

    A: tuple
    latex_binds = PRODUCT

    def __post_init__(self):
        A = np.array(rows_of(self.A, "A"))
        if A.shape[0] != A.shape[1] or not np.allclose(A, A.T, rtol=1e-12, atol=1e-12 * np.abs(A).max()):
            raise ValueError(f"A must be a symmetric matrix, got shape {A.shape}{_asymmetry(A)}.")
        object.__setattr__(self, "A", rows_of(A, "A"))
        smallest, largest = self._eigen[0][[0, -1]]
        if smallest < -1e-12 * max(largest, -smallest):
            raise ValueError(f"A must be positive semi-definite, got the eigenvalue {smallest:.4g} < 0.")

    @cached_property
    def _eigen(self):
        return np.linalg.eigh(np.array(self.A))

    @cached_property
    def _R(self):
        values, U = self._eigen
        keep = values > len(values) * np.finfo(float).eps * values[-1]
        return np.sqrt(values[keep])[:, None] * U[:, keep].T

    def gram(self, X, Z):
        # xᵀAz = (Rx)ᵀ(Rz): computed this way K is ⪰ 0 also where A is singular
        U = self._map(X)
        return U @ (U if Z is X else self._map(Z)).T

    def diag(self, X):
        return Linear().diag(self._map(X))

    def feature_map(self, degree=None):
        return phi.LinearMap(self._R) if len(self._R) else phi.Scale(0, phi.Ones())

    def _map(self, X):
        return self.feature_map().matrix(X)

    def latex(self, x, z):
        return rf"{x}^\top A\,{z}"


def _asymmetry(A):
    return "" if A.shape[0] != A.shape[1] else f" with |A − Aᵀ| up to {np.abs(A - A.T).max():.4g}"


@dataclass(frozen=True, repr=False)
class FromFeatures(Kernel):
    """k(x, z) = Φ(x)ᵀΦ(z) for a feature map, or any function (n, d) → (n, D): closes the circle."""

    phi: object
    latex_binds = PRODUCT

    def __post_init__(self):
        function(self.phi, "phi", "(n, d) → (n, D), or a feature map", but_no=Kernel)

    def read(self, X, name="X"):
        return self.feature_map().read(X, name)

    def gram(self, X, Z):
        Phi = self.feature_map()(X)
        return Phi @ (Phi if Z is X else self.feature_map()(Z)).T

    def diag(self, X):
        return Linear().diag(self.feature_map()(X))

    def feature_map(self, degree=None):
        return self.phi if isinstance(self.phi, phi.FeatureMap) else phi.Function(self.phi)

    def latex(self, x, z):
        return rf"\Phi({x})^\top \Phi({z})"


@dataclass(frozen=True, repr=False)
class Conjugate(Kernel):
    """f(x) k(x, z) f(z) for any function f, (n, d) → (n,), with the features f(x) · Φ(x)."""

    f: object
    k: Kernel
    latex_binds = PRODUCT

    def __post_init__(self):
        part(self.k, Kernel, "k")
        function(self.f, "f", "(n, d) → (n,)", but_no=Kernel)

    read = Scaled.read

    def gram(self, X, Z):
        f_x = output_of(self.f, "f", X, 1)
        f_z = f_x if Z is X else output_of(self.f, "f", Z, 1)
        K = self.k.gram(X, Z)
        K *= np.multiply.outer(f_x, f_z)
        return K

    def feature_map(self, degree=None):
        return phi.Weighted(self.f, self.k.feature_map(degree))

    def diag(self, X):
        return output_of(self.f, "f", X, 1) ** 2 * self.k.diag(X)

    def latex(self, x, z):
        f_x, f_z = latex.call(self.f, "f", x), latex.call(self.f, "f", z)
        return rf"{f_x}\,{bracket(self.k, x, z, PRODUCT)}\,{f_z}"


@dataclass(frozen=True, repr=False)
class Pullback(Kernel):
    """k(g(x), g(z)) for any function g, (n, d) → (n, e), with the features Φ(g(x))."""

    k: Kernel
    g: object

    def __post_init__(self):
        part(self.k, Kernel, "k")
        function(self.g, "g", "(n, d) → (n, e)", but_no=Kernel)

    read = staticmethod(anything)

    def gram(self, X, Z):
        U = output_of(self.g, "g", X, 2)
        return self.k.gram(U, U if Z is X else output_of(self.g, "g", Z, 2))

    def feature_map(self, degree=None):
        return phi.Compose(self.k.feature_map(degree), phi.Function(self.g))

    def diag(self, X):
        return self.k.diag(output_of(self.g, "g", X, 2))

    @property
    def latex_binds(self):
        return self.k.latex_binds

    def latex(self, x, z):
        return self.k.latex(latex.single(latex.call(self.g, "g", x)), latex.single(latex.call(self.g, "g", z)))


@dataclass(frozen=True, repr=False)
class Exp(Kernel):
    """exp(k(x, z)), with the features of every power of k: Φ^{⊗p}/√p! for p = 0, 1, 2, …

    ``feature_map(degree=m)`` gives the series cut after degree m.
    """

    k: Kernel

    def __post_init__(self):
        part(self.k, Kernel, "k")

    read = Scaled.read

    def gram(self, X, Z):
        K = self.k.gram(X, Z)
        return np.exp(K, out=K)

    def feature_map(self, degree=None):
        return phi.Compose(phi.ExponentialSeries(truncated(degree, self)), self.k.feature_map(degree))

    def diag(self, X):
        return np.exp(self.k.diag(X))

    def latex(self, x, z):
        return rf"\exp\left({self.k.latex(x, z)}\right)"


def truncated(degree, k):
    if degree is None:
        raise ValueError(
            f"{k!r} has infinitely many features; give a degree to cut the series, as in "
            "k.feature_map(degree=8), and ask phi.remainder(X, Z) how much is missing."
        )
    return whole(degree, "degree")
