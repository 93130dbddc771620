"""Kernels of rankings."""

from dataclasses import dataclass
from math import comb

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.checks import check_degree, check_number, formula_repr
from kernelkit.kernels.base import Kernel
from kernelkit.kernels.normalized import Normalized
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures


class Permutations(Kernel):
    """A kernel of permutations: one point is a vector of ranks, the rank of each of d items; a collection is (n, d)."""

    points = "permutations"

    def read(self, X, name="X"):
        return phi.Orders().read(X, name)


def _order(x):
    """x_i − x_j in LaTeX."""
    return f"{latex.indexed(x, 'i')} - {latex.indexed(x, 'j')}"


@dataclass(frozen=True, repr=False)
class Kendall(Permutations):
    """k(x, z) = (concordant − discordant)/pairs over all pairs of items: Kendall's τ of two rankings.

    It is the cosine of the signs of x_i − x_j, one for each pair i < j, its features up to 1/√pairs.
    Raises ValueError for what does not hold each rank once.

    >>> round(Kendall()([1, 2, 3], [1, 3, 2]), 4)
    0.3333
    """

    def gram(self, X, Z):
        signs = phi.Orders().matrix
        S = signs(X)
        return S @ (S if Z is X else signs(Z)).T / comb(X.shape[1], 2)

    def diagonal(self, X):
        return np.ones(len(X))

    def feature_map(self, degree=None, over=None):
        return self.derivation.feature_map()

    @property
    def derivation(self):
        """The same kernel, built from the rules: the signs, normalised."""
        return Normalized(FromFeatures(phi.Orders()))

    def latex(self, x, z):
        signs = rf"\mathrm{{sign}}({_order(x)})\,\mathrm{{sign}}({_order(z)})"
        return rf"\frac{{\sum_{{i < j}} {signs}}}{{\sum_{{i < j}} 1}}"


@dataclass(frozen=True, repr=False)
class Mallows(Permutations):
    """k(x, z) = exp(−λ · discordant): falls with each pair of items that one ranking puts the other way round.

    lam : λ ≥ 0. It is the Gaussian kernel of the signs: discordant is a quarter of their squared distance.
    ``feature_map(degree=m)`` gives that kernel's series cut after degree m. (Multiplied out pair by pair, finitely many
    features would be enough, one for each set of pairs: too many to write down from seven items on.)

    >>> round(Mallows(0.5)([1, 2, 3], [1, 3, 2]), 4)
    0.6065
    """

    lam: float

    def __post_init__(self):
        object.__setattr__(self, "lam", check_number(self.lam, "lam", at_least=0))

    def gram(self, X, Z):
        discordant = comb(X.shape[1], 2) * (1 - Kendall().gram(X, Z)) / 2
        return np.exp(-self.lam * np.round(discordant))

    def diagonal(self, X):
        return np.ones(len(X))

    def feature_map(self, degree=None, over=None):
        check_degree(degree, self)
        return self.derivation.feature_map(degree)

    @property
    def derivation(self):
        """The same kernel, built from the rules: f(x) exp(λ/2 · s(x)ᵀs(z)) f(z) with the signs s."""
        return Conjugate(Damped(self.lam), Exp(self.lam / 2 * FromFeatures(phi.Orders())))

    def latex(self, x, z):
        discordant = rf"|\{{i < j : ({_order(x)})({_order(z)}) < 0\}}|"
        return rf"\exp\left(-{self.lam:g}\,{discordant}\right)"


@dataclass(frozen=True, repr=False)
class Damped:
    """f(x) = exp(−λ · pairs/4), the factor that turns exp(λ/2 · s(x)ᵀs(z)) into the kernel of Mallows."""

    lam: float

    __repr__ = formula_repr

    def __call__(self, X):
        *n, d = np.shape(X)
        return np.exp(-self.lam * comb(d, 2) / 4) * np.ones(n)

    def latex(self, x):
        return rf"e^{{-{self.lam:g} \cdot d(d - 1)/8}}"
