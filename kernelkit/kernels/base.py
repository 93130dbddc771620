"""What a kernel is, and the rules behind +, * and ** (lectures B and E); each has its feature map beside it.

The rules that have no operator, such as ``Conjugate`` and ``Pullback``, are in ``kernels.rules``.

``k(x, z)`` of two points is a number, ``k(x, Z)`` a vector, ``k(X, Z)`` a matrix, ``k(X)``
the Gram matrix. A 1-D array is **one** point: write ``k(x[:, None])`` for points on a line.
"""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from kernelkit import features as phi
from kernelkit.arrays import infinite_beyond, power, squared_distance, squared_length, squeezed
from kernelkit.checks import (
    ANYTHING,
    GRAM_ROWS,
    check_factor,
    check_gram,
    check_not_rows,
    check_number,
    check_power,
    check_same_columns,
    check_same_points,
    check_same_width,
    check_whole,
    difference_error,
    formula_repr,
    lacking,
    names_of_coordinates,
    read_anything,
    read_as_both,
    read_points,
)
from kernelkit.latex import ATOM, POWER, PRODUCT, SUM, bracketed, pasted

EPS, TINY = np.finfo(float).eps, np.finfo(float).tiny


class Kernel:
    """A symmetric, positive semi-definite function k(x, z) = Φ(x)ᵀΦ(z).

    Every kernel writes ``gram`` and ``latex``, ``feature_map`` where its features are known, ``diagonal`` where there
    is a faster way than ``gram`` of each point, and ``normalized_gram`` where k(x, x) may overflow or vanish while the
    cosines do not. A kernel that takes other points than vectors says so in ``points`` and writes ``read``.

    ``k(X, Z)``, ``k.diag(X)`` and ``k.squared_distance(X, Z)`` read their points. The others (``gram``, ``diagonal``,
    ``normalized_gram``, ``squared_distance_matrix``) take collections as ``read`` gives them,
    (n, d) or a list of n objects, so that models and rules read once.
    What a kernel does not have is refused: no Φ by ValueError, the rest by NotImplementedError.
    """

    __array_ufunc__ = None  # np.float64(2) * k asks k; np.ones(2) * k raises
    __repr__ = formula_repr
    points = "vectors"
    binds = latex_binds = ATOM
    origin_free = False  # whether no ‖Φ(x) − Φ(z)‖ changes when all points are moved by the same vector

    def read(self, X, name="X"):
        """X as a collection, an array (n, d) or a list of n objects, and whether X was one point."""
        return read_points(X, name)

    def gram(self, X, Z):
        """k between two collections: (n, d), (m, d) → (n, m), a new array, exactly symmetric when Z is X."""
        raise lacking(self, "gram(X, Z)")

    def diagonal(self, X):
        """k(x, x) of each point of a collection: (n, d) → (n,), a new array."""
        if self.pairwise:  # a row of a table is not a point of its own
            return self.gram(X, X).diagonal().copy()
        points = [X[i : i + 1] for i in range(len(X))]
        return np.array([self.gram(x, x)[0, 0] for x in points])

    def diagonals(self, X, Z):
        """k(x, x) of each x of X and k(z, z) of each z of Z, the points of k(X, Z): (n, d), (m, d) → (n,), (m,)."""
        if Z is not X:
            check_not_rows(self)
        return of_both(self.diagonal, X, Z)

    def normalized_gram(self, X, Z):
        """k(x, z)/√(k(x, x) k(z, z)) between two collections: (n, d), (m, d) → (n, m), a new array.

        It is 0 where k(x, x) is, and exactly 1 or 0 on the diagonal when Z is X. A kernel whose values may overflow or
        vanish where their cosines do not writes it.
        """
        return cosines(self.gram(X, Z), *self.diagonals(X, Z), self)

    def squared_distance_matrix(self, X, Z):
        """‖Φ(x) − Φ(z)‖² = k(x,x) − 2k(x,z) + k(z,z) between two collections: (n, d), (m, d) → (n, m), a new array.

        It is exactly symmetric with 0 on the diagonal when Z is X, and then −½HDH, H = I − 11ᵀ/n, is the Gram matrix of
        Φ(X_i) − Φ̄. A kernel that knows a difference instead of this one, which loses digits where k(x,x) is large,
        writes it.
        """
        D = np.add.outer(*self.diagonals(X, Z)) - 2 * self.gram(X, Z)
        if Z is X:
            np.fill_diagonal(D, 0)
        return np.maximum(D, 0, out=D)

    def feature_map(self, degree=None, over=None):
        """Φ with Φ(x)ᵀΦ(z) = k(x, z); ``degree`` cuts every infinite series, without it such a kernel is refused;
        ``over`` is the world of one that has features over a given one only. Every rule hands both on.
        """
        raise ValueError(f"{self!r} has no known finite features; k(x, z) itself needs none.")

    def latex(self, x, z):
        """k(x, z) in LaTeX, for points called x and z."""
        raise lacking(self, "latex(x, z)")

    @property
    def pairwise(self):
        """Whether a point is a row of a Gram matrix: scikit-learn's tag, with which a fold cuts its columns too."""
        return self.points == GRAM_ROWS

    def __call__(self, X, Z=None):
        return self._between(self.gram, X, Z)

    def diag(self, X):
        """k(x, x) of each point, the diagonal of ``k(X)``: (n,); of one point a number."""
        X, one = self.read(X, "X")
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            diagonal = self.diagonal(X)
        check_values(diagonal, self)
        return float(diagonal[0]) if one else diagonal

    def squared_distance(self, X, Z=None):
        """‖Φ(x) − Φ(z)‖² = k(x,x) − 2k(x,z) + k(z,z), with the shapes of ``k(X, Z)`` (lecture E)."""
        return self._between(self.squared_distance_matrix, X, Z)

    def _between(self, matrix, X, Z):
        """matrix(X, Z), (n, m), of points that are read here, without the axes that stand for one point."""
        Z = None if Z is X else Z
        given = X, Z
        X, one_x = self.read(X, "X")
        Z, one_z = (X, one_x) if Z is None else self.read(Z, "Z")
        check_same_columns(names_of_coordinates(given, (one_x, one_z)), "The columns of X and Z")
        check_same_width(X, Z)
        check_gram(X, Z)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            K = matrix(X, Z)
        return squeezed(check_values(K, self), one_x, one_z)

    def dim(self, d, degree=None, over=None):
        """The number of features D for x ∈ ℝ^d, without building any."""
        return self.feature_map(degree, over).dim(check_whole(d, "d", at_least=1))

    def __add__(self, other):
        return Sum(self, _kernel(other))

    def __radd__(self, other):  # other + k; the 0 of sum([k1, k2]) disappears
        return self if isinstance(other, Real) and other == 0 else Sum(_kernel(other), self)

    def __mul__(self, other):  # k * other
        return Product(self, other) if isinstance(other, Kernel) else other * self

    def __rmul__(self, c):  # c * k
        return Scaled(check_factor(c), self)

    def __pow__(self, p):
        return Power(self, p)

    def __sub__(self, other):
        raise difference_error(self, other)

    def __rsub__(self, other):
        raise difference_error(other, self)

    def __neg__(self):
        return -1 * self

    def _repr_latex_(self):
        return rf"$k(x, z) = {self.latex('x', 'z')}$"


def _kernel(value):
    """A term of a sum: a kernel, or a number for the constant kernel."""
    if isinstance(value, Kernel):
        return value
    try:
        return Constant(value)
    except (TypeError, ValueError):
        error = ValueError if isinstance(value, Real) else TypeError
        raise error(f"k + … needs a kernel or a finite number ≥ 0, the constant kernel; got {value!r}.") from None


def check_values(K, k):
    """Numbers made of k, refused if one is NaN; a number that overflows is ∞, but ∞ − ∞, 0 · ∞ and ∞/∞ are NaN."""
    if np.isnan(K.min(initial=0)):
        raise ValueError(f"{k!r} gives NaN: it has no value for some of these points, or a part of it overflows.")
    return K


def of_both(f, X, Z):
    """f(X) and f(Z), the same array where Z is X."""
    f_x = f(X)
    return f_x, f_x if Z is X else f(Z)


def cosines(K, x, z, k):
    """K_ij/√(x_i z_j) for the numbers k(x, x) and k(z, z), in place of K; they are the same array where Z is X."""
    length_x = lengths(x, k)
    length_z = length_x if z is x else lengths(z, k)
    K /= np.multiply.outer(length_x, length_z)
    if z is x:
        np.fill_diagonal(K, np.isfinite(length_x))  # exactly 1
    return K


def lengths(square, k):
    """√k(x, x) of each point, (n,); ∞ where that is 0, so that what is divided by it is 0.  square : k(x, x), (n,)."""
    if square.max(initial=0) == np.inf:
        raise ValueError(f"k overflows: scale the inputs, because {k!r} is beyond all floats at some of these points.")
    if ((square > 0) & (square < TINY)).any():
        raise ValueError(f"k vanishes: scale the inputs, because {k!r} is below {TINY:.2g} at some of these points.")
    return np.sqrt(np.where(square > 0, square, np.inf))


def cosines_of_logs(L, x, z):
    """exp(L_ij − (x_i + z_j)/2) for L = log k(x, z) and the numbers log k(x, x) and log k(z, z), as ``cosines``."""
    half_x, half_z = (np.where(log > -np.inf, log / 2, np.inf) for log in (x, z))
    K = np.exp(L - np.add.outer(half_x, half_z))
    if z is x:
        np.fill_diagonal(K, np.isfinite(half_x))  # exactly 1
    return K


def check_kernel(value, name):
    """A kernel that a rule is applied to."""
    if not isinstance(value, Kernel):
        raise TypeError(f"{name} must be a kernel, got {value!r}.")


class Unary(Kernel):
    """A rule of one kernel ``k``, on the points of k."""

    def __post_init__(self):
        check_kernel(self.k, "k")

    @property
    def points(self):
        return self.k.points

    def read(self, X, name="X"):
        return self.k.read(X, name)


class Binary(Kernel):
    """A rule of two kernels ``left`` and ``right`` on the same points."""

    def __post_init__(self):
        check_kernel(self.left, "left")
        check_kernel(self.right, "right")
        check_same_points(self.left, self.right)

    @property
    def points(self):
        return check_same_points(self.left, self.right)

    def read(self, X, name="X"):
        return read_as_both(self.left, self.right, X, name)


class InnerProduct(Kernel):
    """A kernel that is computed from its features, k(X, Z) = Φ(X) Φ(Z)ᵀ, and so are its distances."""

    latex_binds = PRODUCT

    def gram(self, X, Z):
        if not len(X) or not len(Z):  # not every function takes no points
            return np.zeros((len(X), len(Z)))
        Phi = self.feature_map().checked_matrix(X)
        return Phi @ (Phi if Z is X else self.feature_map().checked_matrix(Z)).T

    def diagonal(self, X):
        return squared_length(self.feature_map().checked_matrix(X))

    def squared_distance_matrix(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        Phi = self.feature_map().checked_matrix(X)
        return squared_distance(Phi, Phi if Z is X else self.feature_map().checked_matrix(Z), f=infinite_beyond)


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """k(x, z) = c for a number c ≥ 0, with the one feature √c."""

    c: float
    points = ANYTHING
    origin_free = True

    def __post_init__(self):
        object.__setattr__(self, "c", check_number(self.c, "c", at_least=0))

    def read(self, X, name="X"):
        return read_anything(X, name)

    def gram(self, X, Z):
        return np.full((len(X), len(Z)), float(self.c))

    def diagonal(self, X):
        return np.full(len(X), float(self.c))

    def squared_distance_matrix(self, X, Z):
        return np.zeros((len(X), len(Z)))

    def feature_map(self, degree=None, over=None):
        return phi.Ones(self.c)

    def latex(self, x, z):
        return f"{self.c:g}"


@dataclass(frozen=True, repr=False)
class Scaled(Unary):
    """c · k for a number c ≥ 0, with the features √c · Φ."""

    c: float
    k: Kernel
    binds = latex_binds = PRODUCT

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "c", check_factor(self.c))

    def gram(self, X, Z):
        return self.c * self.k.gram(X, Z)

    def feature_map(self, degree=None, over=None):
        return phi.Scale(self.c, self.k.feature_map(degree, over))

    @property
    def origin_free(self):
        return self.k.origin_free

    def diagonal(self, X):
        return self.c * self.k.diagonal(X)

    def normalized_gram(self, X, Z):
        return self.k.normalized_gram(X, Z) if self.c > 0 else np.zeros((len(X), len(Z)))

    def squared_distance_matrix(self, X, Z):
        return self.c * self.k.squared_distance_matrix(X, Z)

    def __repr__(self):
        return f"{self.c!r} * {pasted(self.k, PRODUCT, strict=True)}"

    def latex(self, x, z):
        dot = r"\cdot " if isinstance(self.k, (Constant, Scaled)) else r"\,"
        return rf"{self.c:.6g}{dot}{bracketed(self.k, x, z, PRODUCT)}"


@dataclass(frozen=True, repr=False)
class Sum(Binary):
    """k1 + k2, with the features of both, one after the other."""

    left: Kernel
    right: Kernel
    binds = latex_binds = SUM

    def gram(self, X, Z):
        K = self.left.gram(X, Z)
        return np.add(K, self.right.gram(X, Z), out=K)

    def feature_map(self, degree=None, over=None):
        return phi.Concatenate(self.left.feature_map(degree, over), self.right.feature_map(degree, over))

    @property
    def origin_free(self):
        return self.left.origin_free and self.right.origin_free

    def diagonal(self, X):
        return self.left.diagonal(X) + self.right.diagonal(X)

    def squared_distance_matrix(self, X, Z):
        return self.left.squared_distance_matrix(X, Z) + self.right.squared_distance_matrix(X, Z)

    def __repr__(self):
        left = pasted(self.left, SUM)
        right = pasted(self.right, SUM, strict=True)
        if isinstance(self.right, Constant):
            right = repr(self.right.c)
        elif isinstance(self.left, Constant) and self.left.c != 0:
            left = repr(self.left.c)
        return f"{left} + {right}"

    def latex(self, x, z):
        return f"{self.left.latex(x, z)} + {self.right.latex(x, z)}"


@dataclass(frozen=True, repr=False)
class Product(Binary):
    """k1 · k2, with every product of a feature of one and a feature of the other, Φ1 ⊗ Φ2."""

    left: Kernel
    right: Kernel
    binds = latex_binds = PRODUCT

    def gram(self, X, Z):
        K = self.left.gram(X, Z)
        return np.multiply(K, self.right.gram(X, Z), out=K)

    def feature_map(self, degree=None, over=None):
        return phi.Kronecker(self.left.feature_map(degree, over), self.right.feature_map(degree, over))

    def diagonal(self, X):
        return self.left.diagonal(X) * self.right.diagonal(X)

    def normalized_gram(self, X, Z):
        K = self.left.normalized_gram(X, Z)
        return np.multiply(K, self.right.normalized_gram(X, Z), out=K)

    def __repr__(self):
        return f"{pasted(self.left, PRODUCT)} * {pasted(self.right, PRODUCT, strict=True)}"

    def latex(self, x, z):
        return rf"{bracketed(self.left, x, z, PRODUCT)} \cdot {bracketed(self.right, x, z, PRODUCT)}"


@dataclass(frozen=True, repr=False)
class Power(Unary):
    """k^p for a whole number p ≥ 0, with the monomials of degree p in the features of k."""

    k: Kernel
    p: int
    binds = latex_binds = POWER

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "p", check_power(self.p))

    def gram(self, X, Z):
        return power(self.k.gram(X, Z), self.p)

    def feature_map(self, degree=None, over=None):
        if self.p == 0:  # the constant kernel 1, whatever the features of k
            return phi.Ones()
        return phi.Compose(phi.Monomials(self.p, offset=0), self.k.feature_map(degree, over))

    def diagonal(self, X):
        return power(self.k.diagonal(X), self.p)

    def normalized_gram(self, X, Z):
        if self.p == 0:  # the constant kernel 1, also where k is 0
            return np.ones((len(X), len(Z)))
        return power(self.k.normalized_gram(X, Z), self.p)

    def __repr__(self):
        return f"{pasted(self.k, POWER, strict=True)}**{self.p}"

    def latex(self, x, z):
        return rf"{bracketed(self.k, x, z, ATOM)}^{{{self.p}}}"
