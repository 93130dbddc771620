"""Kernels of the inner product: linear, polynomial, xᵀAz; and the kernel that comes as a matrix."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit import features as phi
from kernelkit.arrays import infinite_beyond, power, squared_distance, squared_length
from kernelkit.checks import CLEARLY, GRAM_ROWS, check_number, check_rows, check_whole, not_a_kernel
from kernelkit.kernels.base import InnerProduct, Kernel
from kernelkit.latex import POWER, PRODUCT, transposed


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """k(x, z) = xᵀz, with Φ(x) = x.

    >>> Linear()([1, 2], [3, 4])
    11.0
    """

    latex_binds = PRODUCT
    origin_free = True

    def gram(self, X, Z):
        return X @ Z.T

    def diagonal(self, X):
        return squared_length(X)

    def squared_distance_matrix(self, X, Z):
        return squared_distance(X, Z, f=infinite_beyond)  # ‖x − z‖², also where the points are far from the origin

    def feature_map(self, degree=None, over=None):
        return phi.Identity()

    def latex(self, x, z):
        return rf"{transposed(x)} {z}"


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
        object.__setattr__(self, "degree", check_whole(self.degree, "degree"))
        object.__setattr__(self, "offset", check_number(self.offset, "offset", at_least=0))

    def gram(self, X, Z):
        K = X @ Z.T
        K += self.offset
        return power(K, self.degree)

    def diagonal(self, X):
        return power(Linear().diagonal(X) + self.offset, self.degree)

    def normalized_gram(self, X, Z):
        return self.derivation.normalized_gram(X, Z)  # also where the power itself overflows or vanishes

    def feature_map(self, degree=None, over=None):
        return phi.Monomials(self.degree, self.offset)

    @property
    def derivation(self):
        """The same kernel, built from the rules."""
        return (Linear() + self.offset if self.offset else Linear()) ** self.degree

    def latex(self, x, z):
        product = Linear().latex(x, z)
        base = rf"{product} + {self.offset:g}" if self.offset else product
        return rf"({base})^{{{self.degree}}}"


@dataclass(frozen=True, repr=False)
class Quadratic(InnerProduct):
    """k(x, z) = xᵀAz for a symmetric A ⪰ 0 (d, d), with Φ(x) = Rx and A = RᵀR (lecture B).

    A may be singular: Φ has rank(A) features, and xᵀAz = (Rx)ᵀ(Rz) is computed so that K is ⪰ 0 then too.
    Raises ValueError if A is not symmetric or not ⪰ 0.
    """

    A: tuple
    origin_free = True

    def __post_init__(self):
        A = np.array(check_rows(self.A, "A"))
        if A.shape[0] != A.shape[1] or not np.allclose(A, A.T, rtol=1e-12, atol=1e-12 * np.abs(A).max()):
            raise ValueError(f"A must be a symmetric matrix, got shape {A.shape}{_asymmetry(A, 'A')}.")
        object.__setattr__(self, "A", check_rows(A, "A"))
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

    def feature_map(self, degree=None, over=None):
        return phi.LinearMap(self._R) if len(self._R) else phi.Scale(0, phi.Ones())

    def latex(self, x, z):
        return rf"{transposed(x)} A\,{z}"


@dataclass(frozen=True, repr=False)
class Precomputed(Kernel):
    """k as a table: the points are rows of a Gram matrix, as for scikit-learn's kernel="precomputed".

    ``fit`` takes K (n, n) of the training points, ``predict`` the rows (m, n) of new points against all of them: so in
    k(X) and k.diag(X) X is the Gram matrix of all training points, and in k(Z, X) Z are rows of new ones.
    Raises ValueError if K is not square and symmetric or has a k(x, z)² > k(x, x) k(z, z), as distances have, and for
    k(z, z) of a new point, which no table holds.

    >>> Precomputed()([[2.0, 1.0]], [[2.0, 1.0], [1.0, 3.0]]).tolist()
    [[2.0, 1.0]]
    """

    points = GRAM_ROWS
    latex_binds = PRODUCT

    def gram(self, X, Z):
        if Z is X:
            return (_gram(X) + X.T) / 2
        if Z.shape != (X.shape[1], X.shape[1]):
            raise ValueError(_NOT_GRAM + f", got shape {Z.shape}.")
        return X.copy()

    def diagonal(self, X):
        return _gram(X).diagonal().copy()

    def latex(self, x, z):
        return rf"K_{{{x},{z}}}"


_NOT_GRAM = "Precomputed() needs the Gram matrix (n, n) of all training points, square and symmetric"


def _gram(K):
    if K.shape[0] != K.shape[1] or not np.allclose(K, K.T, rtol=1e-8, atol=1e-8 * np.abs(K).max()):
        raise ValueError(f"{_NOT_GRAM}, got shape {K.shape}{_asymmetry(K, 'K')}.")
    length = np.sqrt(np.maximum(K.diagonal(), 0))
    excess = np.abs(K) - np.multiply.outer(length, length)  # none, by Cauchy and Schwarz
    if excess.max() > CLEARLY * np.abs(K).max():
        i, j = np.unravel_index(excess.argmax(), K.shape)
        of = f"|k(x, z)| = {abs(K[i, j]):.4g} is larger than √(k(x, x) k(z, z)) = {length[i] * length[j]:.4g}"
        raise not_a_kernel(of if i != j else f"k(x, x) = {K[i, i]:.4g} is negative")
    return K


def _asymmetry(A, name):
    return "" if A.shape[0] != A.shape[1] else f" with |{name} − {name}ᵀ| up to {np.abs(A - A.T).max():.4g}"
