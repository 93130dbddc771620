"""The feature maps with finitely many features: x itself, monomials, bumps around centres."""

import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, log, log1p

import numpy as np

from kernelkit import latex
from kernelkit.arrays import gaussian, kronecker
from kernelkit.checks import (
    ANYTHING,
    check_array,
    check_columns,
    check_number,
    check_rows,
    check_same_columns,
    check_whole,
    check_width,
    names_of_coordinates,
    read_anything,
)
from kernelkit.features.base import FeatureMap
from kernelkit.objects import read_histograms

MAX_DEGREE = 10_000  # monomials are made one from another


@dataclass(frozen=True, repr=False)
class Identity(FeatureMap):
    """Φ(x) = x, the features of the linear kernel."""

    def matrix(self, X):
        return X.copy()

    def dim(self, d):
        return d

    def names_from(self, symbols):
        return list(symbols)

    def latex(self, x):
        return x


@dataclass(frozen=True, repr=False)
class Ones(FeatureMap):
    """Φ(x) = √c, one constant feature: the features of the constant kernel c ≥ 0."""

    c: float = 1.0
    points = ANYTHING

    def __post_init__(self):
        object.__setattr__(self, "c", check_number(self.c, "c", at_least=0))

    def read(self, X, name="X"):
        return read_anything(X, name)

    def matrix(self, X):
        return np.full((len(X), 1), np.sqrt(self.c))

    def dim(self, d):
        return 1

    def names_from(self, symbols):
        return [latex.root(self.c) or "1"]

    def latex(self, x):
        return latex.root(self.c) or "1"


@dataclass(frozen=True, repr=False)
class LinearMap(FeatureMap):
    """Φ(x) = R x for a matrix R (e, d): the features of xᵀAz with A = RᵀR."""

    R: tuple

    def __post_init__(self):
        object.__setattr__(self, "R", check_rows(self.R, "R"))

    @cached_property
    def _R(self):
        return np.array(self.R)

    def matrix(self, X):
        return X @ check_columns(self._R, "R", X).T

    def dim(self, d):
        return len(self.R)

    def names_from(self, symbols):
        return [latex.linear(row, symbols) for row in check_columns(self._R, "R", np.ones((1, len(symbols))))]

    def latex(self, x):
        return rf"R\,{x}"


@dataclass(frozen=True, repr=False)
class Centres(FeatureMap):
    """The RBF **basis**: Φ_j(x) = exp(−‖x − c_j‖²/2σ²) for m centres.

    C : (m, d) centres, often the training points.  sigma : width σ > 0, in the units of x.
    Not the features of the Gaussian kernel (lecture E): those are infinitely many.
    """

    C: tuple
    sigma: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "_columns", list(names_of_coordinates([self.C], [False])))
        object.__setattr__(self, "C", check_rows(self.C, "C"))
        object.__setattr__(self, "sigma", check_width(self.sigma, "sigma"))

    @cached_property
    def _C(self):
        return np.array(self.C)

    def read(self, X, name="X"):
        points, one = super().read(X, name)
        check_same_columns([*self._columns, *names_of_coordinates([X], [one])], f"The columns of C and {name}")
        return points, one

    def matrix(self, X):
        return gaussian(X, check_columns(self._C, "C", X), self.sigma)

    def dim(self, d):
        return len(self.C)

    def names_from(self, symbols):
        return [rf"e^{{-\|x - c_{{{j}}}\|^2 / 2\sigma^2}}" for j in range(1, len(self.C) + 1)]

    def latex(self, x):
        return rf"\big(e^{{-\|{x} - c_j\|^2 / 2\sigma^2}}\big)_{{j = 1 \dots {len(self.C)}}}"


@dataclass(frozen=True, repr=False)
class Circle(FeatureMap):
    """Φ(x) = (cos 2πx_j/p, sin 2πx_j/p)_j: each coordinate goes round a circle.  period : p > 0, in the units of x.

    >>> Circle(4.0)([1.0]).round(4).tolist()
    [0.0, 1.0]
    """

    period: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "period", check_width(self.period, "period"))

    def matrix(self, X):
        angle = 2 * np.pi * (np.remainder(X, self.period) / self.period)
        return np.stack([np.cos(angle), np.sin(angle)], axis=2).reshape(len(X), 2 * X.shape[1])

    def dim(self, d):
        return 2 * d

    def names_from(self, symbols):
        turn = r"2\,\pi" if self.period == 1 else rf"\frac{{2\,\pi}}{{{self.period:g}}}"
        return [rf"\{f}({turn}\,{latex.single(s)})" for s in symbols for f in ("cos", "sin")]

    def latex(self, x):
        below = "" if self.period == 1 else f"/{self.period:g}"
        x_j = latex.indexed(x, "j")
        return rf"\big(\cos 2 \pi {x_j}{below},\; \sin 2 \pi {x_j}{below}\big)_j"


@dataclass(frozen=True, repr=False)
class Steps(FeatureMap):
    """One step for each coordinate and level: √(l_s − l_{s−1}) where x_j ≥ l_s, else 0, with l_0 = 0.

    levels : numbers > 0, in any order.  Φ(x)ᵀΦ(z) = Σ_j min(x_j, z_j) for points whose coordinates are levels or 0;
    ``remainder`` is exactly what is missing for others.

    >>> Steps([1, 2, 4])([3.0]).tolist()
    [1.0, 1.0, 0.0]
    """

    levels: tuple

    def __post_init__(self):
        levels = np.unique(check_array(self.levels, "levels"))  # sorted; 0 is no step
        if not levels.size or levels[0] < 0 or not levels.any():
            raise ValueError(f"levels must be numbers > 0, got {levels.tolist()}.")
        object.__setattr__(self, "levels", tuple(levels[levels > 0].tolist()))

    def read(self, X, name="X"):
        return read_histograms(X, name, "Steps(levels)")

    def matrix(self, X):
        return ((X[:, :, None] >= self.levels) * np.sqrt(self._steps())).reshape(len(X), self.dim(X.shape[1]))

    def _steps(self):
        return np.diff(self.levels, prepend=0)

    def dim(self, d):
        return d * len(self.levels)

    def names_from(self, symbols):
        steps = [(latex.root(step), f"{level:g}") for step, level in zip(self._steps(), self.levels, strict=True)]
        return [latex.times(size, rf"[{s} \geq {level}]") for s in symbols for size, level in steps]

    def error(self, X, Z):
        levels = np.array([0, *self.levels])
        common = (np.minimum.outer(x, z) for x, z in zip(X.T, Z.T, strict=True))
        return sum(t - levels[np.searchsorted(levels, t, side="right") - 1] for t in common)  # above the level below

    def latex(self, x):
        return (
            rf"\big(\sqrt{{l_s - l_{{s-1}}}}\,[{latex.indexed(x, 'j')} \geq l_s]\big)_{{j, s \le {len(self.levels)}}}"
        )


def _check_reachable(degree):
    """The degree of monomials that are made one from another, degree by degree."""
    if degree > MAX_DEGREE:
        raise ValueError(f"The degree of monomials must be at most {MAX_DEGREE:,} to write them down, got {degree:,}.")
    return degree


def grow(d, degree):
    """For degree 1, 2, …: every monomial as (parent of one degree less, variable, its new exponent)."""
    last = np.zeros(1, int)
    exponent = np.zeros(1, int)
    for _ in range(degree):
        children = d - last  # x_i may be followed by x_i … x_d, so no product comes twice
        parent = np.repeat(np.arange(len(last)), children)
        first = np.repeat(np.cumsum(children) - children, children)
        variable = np.arange(len(parent)) - first + last[parent]
        exponent = np.where(variable == last[parent], exponent[parent] + 1, 1)
        last = variable
        yield parent, variable, exponent


@dataclass(frozen=True, repr=False)
class Monomials(FeatureMap):
    """All monomials, merged, with the weights that make Φ(x)ᵀΦ(z) = (xᵀz + c)^p.

        Φ_α(x) = √( C(p, |α|) c^{p−|α|} · |α|!/α! ) · x^α

    degree : p ≥ 0.  offset : c ≥ 0; with c = 0 only the monomials of exactly degree p remain.
    D = C(d+p, p), or C(d+p−1, p) for c = 0 (lectures A, D, E).

    >>> Monomials(2, offset=0)([1.0, 3.0]).round(4).tolist()
    [1.0, 4.2426, 9.0]
    """

    degree: int
    offset: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "degree", check_whole(self.degree, "degree"))
        object.__setattr__(self, "offset", check_number(self.offset, "offset", at_least=0))

    def _coefficients(self):
        """a_j in (t + c)^p = Σ_j a_j t^j."""
        p = self.degree
        c = self.offset
        if c == 0:
            return [0] * p + [1]
        if p * log1p(c) > log(sys.float_info.max):
            raise ValueError(f"The weights of {self!r} overflow: (1 + offset)^degree is beyond all floats.")
        return [comb(p, j) * c ** (p - j) for j in range(p + 1)]

    def matrix(self, X):
        _check_reachable(self.degree)
        n, d = X.shape
        Phi = np.empty((n, self.dim(d)))
        start = 0
        power = np.ones((n, 1))  # x^α
        merged = np.ones(1)  # |α|!/α!
        for j, a in enumerate(self._coefficients()):
            if j == 0:
                growing = grow(d, self.degree)
            else:
                parent, variable, exponent = next(growing)
                power = power[:, parent]
                power *= X[:, variable]
                merged = merged[parent] * j / exponent
            if self._keeps(j):
                np.multiply(power, np.sqrt(a * merged), out=Phi[:, start : start + len(merged)])
                start += len(merged)
        return Phi

    def _keeps(self, j):
        return self.offset > 0 or j == self.degree

    def dim(self, d):
        return comb(d + self.degree - (self.offset == 0), self.degree)

    def names_from(self, symbols):
        _check_reachable(self.degree)
        return [
            latex.times(latex.root(a * latex.multinomial(alpha)), latex.monomial(alpha, symbols))
            for j, a in enumerate(self._coefficients())
            if self._keeps(j)
            for alpha in combinations_with_replacement(range(len(symbols)), j)
        ]

    def slope(self, t):
        """F′(t) for F(t) = (t + c)^p."""
        return self.degree * (t + self.offset) ** max(self.degree - 1, 0)

    def latex(self, x):
        p = self.degree
        c = f"{self.offset:g}"
        if self.offset == 0:
            return rf"\Big(\sqrt{{\tfrac{{{p}!}}{{\alpha!}}}}\;{x}^\alpha\Big)_{{|\alpha| = {p}}}"
        weight = rf"\tbinom{{{p}}}{{|\alpha|}}" + ("" if self.offset == 1 else rf"\,{c}^{{{p}-|\alpha|}}")
        return rf"\Big(\sqrt{{{weight}\tfrac{{|\alpha|!}}{{\alpha!}}}}\;{x}^\alpha\Big)_{{|\alpha| \le {p}}}"


@dataclass(frozen=True, repr=False)
class OrderedMonomials(FeatureMap):
    """All d^p ordered products x_i x_j …, duplicates kept: Φ(x)ᵀΦ(z) = (xᵀz)^p (lecture C).

    degree : p ≥ 1.

    >>> OrderedMonomials(2)([1.0, 3.0]).tolist()
    [1.0, 3.0, 3.0, 9.0]
    """

    degree: int

    def __post_init__(self):
        object.__setattr__(self, "degree", _check_reachable(check_whole(self.degree, "degree", at_least=1)))

    def matrix(self, X):
        Phi = X
        for _ in range(self.degree - 1):
            Phi = kronecker(Phi, X)
        return Phi.copy() if Phi is X else Phi

    def dim(self, d):
        return d**self.degree

    def names_from(self, symbols):
        return ["".join(map(latex.factor, factors)) for factors in product(symbols, repeat=self.degree)]

    def slope(self, t):
        """F′(t) for F(t) = t^p."""
        return self.degree * t ** (self.degree - 1)

    def latex(self, x):
        return r"\otimes ".join([x] * self.degree)
