"""What a kernel is, and the rules behind +, * and ** (lectures B and E); each has its feature map beside it.

``k(x, z)`` of two points is a number, ``k(x, Z)`` a vector, ``k(X, Z)`` a matrix, ``k(X)``
the Gram matrix. A 1-D array is **one** point: write ``k(x[:, None])`` for points on a line.
"""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from kernelkit import features as phi
from kernelkit.arrays import power
from kernelkit.checks import (
    check_number,
    check_part,
    check_same_width,
    check_whole,
    formula_repr,
    read_anything,
    read_points,
)

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a formula binds


class Kernel:
    """A symmetric, positive semi-definite function k(x, z) = Φ(x)ᵀΦ(z).

    Subclasses write ``gram(X, Z)``, (n, d), (m, d) → (n, m), a new array each time and exactly
    symmetric when Z is X; ``diag(X)`` → (n,); and ``feature_map(degree=None)``.
    """

    __array_ufunc__ = None  # np.float64(2) * k asks k; np.ones(2) * k raises
    __repr__ = formula_repr
    called = "kernel"
    binds = latex_binds = ATOM

    def read(self, X, name="X"):
        """The points of X as a collection, and whether X was one point."""
        return read_points(X, name)

    def __call__(self, X, Z=None):
        Z = None if Z is X else Z
        X, one_x = self.read(X, "X")
        Z, one_z = (X, one_x) if Z is None else self.read(Z, "Z")
        check_same_width(X, Z)
        return _squeeze(self.gram(X, Z), one_x, one_z)

    def squared_distance(self, X, Z=None):
        """‖Φ(x) − Φ(z)‖² = k(x,x) − 2k(x,z) + k(z,z), with the shapes of ``k(X, Z)`` (lecture E)."""
        X, one_x = self.read(X, "X")
        Z, one_z = (X, one_x) if Z is None else self.read(Z, "Z")
        check_same_width(X, Z)
        D = np.add.outer(self.diag(X), self.diag(Z)) - 2 * self.gram(X, Z)
        return _squeeze(np.maximum(D, 0), one_x, one_z)

    def dim(self, d, degree=None):
        """The number of features D for x ∈ ℝ^d, without building any."""
        return self.feature_map(degree).dim(check_whole(d, "d", at_least=1))

    def __add__(self, other):
        return Sum(self, _kernel(other, "+"))

    def __radd__(self, other):  # other + k; the 0 of sum([k1, k2]) disappears
        return self if _is_zero(other) else Sum(_kernel(other, "+"), self)

    def __mul__(self, other):  # k * other
        return Product(self, other) if isinstance(other, Kernel) else other * self

    def __rmul__(self, c):  # c * k
        return Scaled(_factor(c), self)

    def __pow__(self, p):
        return Power(self, p)

    def __sub__(self, other):
        raise _difference(self, other)

    def __rsub__(self, other):
        raise _difference(other, self)

    def __neg__(self):
        return -1 * self

    def _repr_latex_(self):
        return rf"$k(x, z) = {self.latex('x', 'z')}$"


def _difference(left, right):
    return ValueError(
        f"{left!r} - {right!r} is not a kernel in general: a difference of positive semi-definite functions "
        "can have negative eigenvalues; sums, products and factors ≥ 0 always keep the property."
    )


def _squeeze(K, one_x, one_z):
    if one_x and one_z:
        return float(K[0, 0])
    return K[0] if one_x else K[:, 0] if one_z else K


def _is_zero(value):
    return not isinstance(value, (Kernel, np.ndarray)) and value == 0


def _kernel(value, sign):
    if isinstance(value, Kernel):
        return value
    try:
        return Constant(value)
    except (TypeError, ValueError):
        error = ValueError if isinstance(value, Real) else TypeError
        raise error(f"k {sign} … needs a kernel or a finite number ≥ 0, the constant kernel; got {value!r}.") from None


def _factor(c):
    try:
        return check_number(c, "the factor of a kernel", at_least=0)
    except ValueError:
        raise ValueError(
            f"{c!r} * k is not a kernel: a negative factor makes k(x, x) negative, so the factor must be "
            "a finite number ≥ 0."
        ) from None


def _text(k, minimum, strict=False):
    """repr of a part, in parentheses where it binds less tightly than its surroundings."""
    return f"({k!r})" if k.binds < minimum or (strict and k.binds == minimum) else repr(k)


def bracket(k, x, z, minimum):
    text = k.latex(x, z)
    return rf"\left({text}\right)" if k.latex_binds < minimum else text


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """k(x, z) = c for a number c ≥ 0, with the one feature √c."""

    c: float

    def __post_init__(self):
        object.__setattr__(self, "c", check_number(self.c, "c", at_least=0))

    read = staticmethod(read_anything)

    def gram(self, X, Z):
        return np.full((len(X), len(Z)), float(self.c))

    def diag(self, X):
        return np.full(len(X), float(self.c))

    def feature_map(self, degree=None):
        return phi.Ones(self.c)

    def latex(self, x, z):
        return f"{self.c:g}"


@dataclass(frozen=True, repr=False)
class Scaled(Kernel):
    """c · k for a number c ≥ 0, with the features √c · Φ."""

    c: float
    k: Kernel
    binds = latex_binds = PRODUCT

    def __post_init__(self):
        object.__setattr__(self, "c", _factor(self.c))
        check_part(self.k, Kernel, "k")

    def read(self, X, name="X"):
        return self.k.read(X, name)

    def gram(self, X, Z):
        return self.c * self.k.gram(X, Z)

    def feature_map(self, degree=None):
        return phi.Scale(self.c, self.k.feature_map(degree))

    def diag(self, X):
        return self.c * self.k.diag(X)

    def __repr__(self):
        return f"{self.c!r} * {_text(self.k, PRODUCT, strict=True)}"

    def latex(self, x, z):
        dot = r"\cdot " if isinstance(self.k, (Constant, Scaled)) else r"\,"
        return rf"{self.c:.6g}{dot}{bracket(self.k, x, z, PRODUCT)}"


@dataclass(frozen=True, repr=False)
class Sum(Kernel):
    """k1 + k2, with the features of both, one after the other."""

    left: Kernel
    right: Kernel
    binds = latex_binds = SUM

    def __post_init__(self):
        check_part(self.left, Kernel, "left")
        check_part(self.right, Kernel, "right")

    def read(self, X, name="X"):
        self.left.read(X, name)
        return self.right.read(X, name)

    def gram(self, X, Z):
        K = self.left.gram(X, Z)
        return np.add(K, self.right.gram(X, Z), out=K)

    def feature_map(self, degree=None):
        return phi.Concatenate(self.left.feature_map(degree), self.right.feature_map(degree))

    def diag(self, X):
        return self.left.diag(X) + self.right.diag(X)

    def __repr__(self):
        left, right = _text(self.left, SUM), _text(self.right, SUM, strict=True)
        if isinstance(self.right, Constant):
            right = repr(self.right.c)
        elif isinstance(self.left, Constant) and self.left.c != 0:
            left = repr(self.left.c)
        return f"{left} + {right}"

    def latex(self, x, z):
        return f"{self.left.latex(x, z)} + {self.right.latex(x, z)}"


@dataclass(frozen=True, repr=False)
class Product(Kernel):
    """k1 · k2, with every product of a feature of one and a feature of the other, Φ1 ⊗ Φ2."""

    left: Kernel
    right: Kernel
    binds = latex_binds = PRODUCT

    __post_init__, read = Sum.__post_init__, Sum.read

    def gram(self, X, Z):
        K = self.left.gram(X, Z)
        return np.multiply(K, self.right.gram(X, Z), out=K)

    def feature_map(self, degree=None):
        return phi.Kronecker(self.left.feature_map(degree), self.right.feature_map(degree))

    def diag(self, X):
        return self.left.diag(X) * self.right.diag(X)

    def __repr__(self):
        return f"{_text(self.left, PRODUCT)} * {_text(self.right, PRODUCT, strict=True)}"

    def latex(self, x, z):
        return rf"{bracket(self.left, x, z, PRODUCT)} \cdot {bracket(self.right, x, z, PRODUCT)}"


@dataclass(frozen=True, repr=False)
class Power(Kernel):
    """k^p for a whole number p ≥ 0, with the monomials of degree p in the features of k."""

    k: Kernel
    p: int
    binds = latex_binds = POWER

    def __post_init__(self):
        check_part(self.k, Kernel, "k")
        try:
            object.__setattr__(self, "p", check_whole(self.p, "the power"))
        except ValueError:
            raise ValueError(
                f"k ** {self.p!r} is not a kernel in general: the power must be a whole number ≥ 0, "
                "because only then is it a product of kernels."
            ) from None

    read = Scaled.read

    def gram(self, X, Z):
        return power(self.k.gram(X, Z), self.p)

    def feature_map(self, degree=None):
        return phi.Compose(phi.Monomials(self.p, offset=0), self.k.feature_map(degree))

    def diag(self, X):
        return power(self.k.diag(X), self.p)

    def __repr__(self):
        return f"{_text(self.k, POWER, strict=True)}**{self.p}"

    def latex(self, x, z):
        return rf"{bracket(self.k, x, z, ATOM)}^{{{self.p}}}"


def truncated(degree, k):
    if degree is None:
        raise ValueError(
            f"{k!r} has infinitely many features; give a degree to cut the series, as in "
            "k.feature_map(degree=8), and ask phi.remainder(X, Z) how much is missing."
        )
    return check_whole(degree, "degree")
