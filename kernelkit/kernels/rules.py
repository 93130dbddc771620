"""The closure rules that are not written with an operator: f(x) k f(z), k(g(x), g(z)), exp(k), and k from Φ.

``Scaled``, ``Sum``, ``Product`` and ``Power`` are in ``kernels.base``, next to the operators that write them.
"""

from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.checks import ANYTHING, check_degree, check_function, check_not_rows, check_output, read_anything
from kernelkit.kernels.base import InnerProduct, Kernel, Unary


@dataclass(frozen=True, repr=False)
class FromFeatures(InnerProduct):
    """k(x, z) = Φ(x)ᵀΦ(z) for a feature map, or any function (n, d) → (n, D): closes the circle."""

    phi: object

    def __post_init__(self):
        check_function(self.phi, "phi", "(n, d) → (n, D), or a feature map", but_no=Kernel)

    @property
    def points(self):
        return self.feature_map().points

    def read(self, X, name="X"):
        return self.feature_map().read(X, name)

    def feature_map(self, degree=None, over=None):
        return self.phi if isinstance(self.phi, phi.FeatureMap) else phi.Function(self.phi)

    def latex(self, x, z):
        return rf"\Phi({x})^\top \Phi({z})"


@dataclass(frozen=True, repr=False)
class Conjugate(Unary):
    """f(x) k(x, z) f(z) for any function f, (n, d) → (n,), with the features f(x) · Φ(x)."""

    f: object
    k: Kernel
    latex_binds = latex.PRODUCT

    def __post_init__(self):
        super().__post_init__()
        check_function(self.f, "f", "(n, d) → (n,)", but_no=Kernel)

    def gram(self, X, Z):
        f_x = check_output(self.f, "f", X, 1)
        f_z = f_x if Z is X else check_output(self.f, "f", Z, 1)
        K = self.k.gram(X, Z)
        K *= np.multiply.outer(f_x, f_z)
        return K

    def normalized_gram(self, X, Z):
        sign_x = np.sign(check_output(self.f, "f", X, 1))
        sign_z = sign_x if Z is X else np.sign(check_output(self.f, "f", Z, 1))
        K = self.k.normalized_gram(X, Z)
        K *= np.multiply.outer(sign_x, sign_z)
        return K

    def feature_map(self, degree=None, over=None):
        return phi.Weighted(self.f, self.k.feature_map(degree, over))

    def diagonal(self, X):
        return check_output(self.f, "f", X, 1) ** 2 * self.k.diagonal(X)

    def latex(self, x, z):
        f_x = latex.call(self.f, "f", x)
        f_z = latex.call(self.f, "f", z)
        return rf"{f_x}\,{latex.bracketed(self.k, x, z, latex.PRODUCT)}\,{f_z}"


@dataclass(frozen=True, repr=False)
class Pullback(Unary):
    """k(g(x), g(z)) for any function g, (n, d) → (n, e), with the features Φ(g(x))."""

    k: Kernel
    g: object
    points = ANYTHING

    def __post_init__(self):
        super().__post_init__()
        check_function(self.g, "g", "(n, d) → (n, e)", but_no=Kernel)
        check_not_rows(self.k)

    def read(self, X, name="X"):
        return read_anything(X, name)

    def gram(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        U = self._image(X)
        return self.k.gram(U, U if Z is X else self._image(Z))

    def normalized_gram(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        U = self._image(X)
        return self.k.normalized_gram(U, U if Z is X else self._image(Z))

    def feature_map(self, degree=None, over=None):
        return phi.Compose(self.k.feature_map(degree, over), phi.Function(self.g))

    def diagonal(self, X):
        return self.k.diagonal(self._image(X))

    def squared_distance_matrix(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        U = self._image(X)
        return self.k.squared_distance_matrix(U, U if Z is X else self._image(Z))

    def _image(self, X):
        """g(X), (n, e), as k reads it: not every kernel takes all vectors."""
        U = check_output(self.g, "g", X, 2)
        return self.k.read(U, "g(X)")[0] if len(U) else U

    @property
    def latex_binds(self):
        return self.k.latex_binds

    def latex(self, x, z):
        return self.k.latex(latex.single(latex.call(self.g, "g", x)), latex.single(latex.call(self.g, "g", z)))


@dataclass(frozen=True, repr=False)
class Exp(Unary):
    """exp(k(x, z)), with the features of every power of k: Φ^{⊗p}/√p! for p = 0, 1, 2, …

    ``feature_map(degree=m)`` gives the series cut after degree m.
    """

    k: Kernel

    def gram(self, X, Z):
        K = self.k.gram(X, Z)
        return np.exp(K, out=K)

    def normalized_gram(self, X, Z):
        # exp(k(x, z) − k(x, x)/2 − k(z, z)/2) = exp(−½‖Φ(x) − Φ(z)‖²)
        return np.exp(self.k.squared_distance_matrix(X, Z) / -2)

    def feature_map(self, degree=None, over=None):
        return phi.Compose(phi.ExponentialSeries(check_degree(degree, self)), self.k.feature_map(degree, over))

    def diagonal(self, X):
        return np.exp(self.k.diagonal(X))

    def latex(self, x, z):
        return rf"\exp\left({self.k.latex(x, z)}\right)"
