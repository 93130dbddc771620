"""Feature maps of kernels with infinitely many features, cut off after a degree; each knows how much is missing."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial

import numpy as np

from kernelkit import latex
from kernelkit.arrays import squared_length
from kernelkit.checks import check_whole, check_width
from kernelkit.features.base import FeatureMap
from kernelkit.features.vectors import grow


@dataclass(frozen=True, repr=False)
class ExponentialSeries(FeatureMap):
    """Φ_α(x) = x^α/√α! for |α| ≤ m: Φ(x)ᵀΦ(z) is the series of exp(xᵀz) to degree m.

    degree : m ≥ 0.  D = C(d+m, m).
    """

    degree: int

    def __post_init__(self):
        object.__setattr__(self, "degree", check_whole(self.degree, "degree"))

    def matrix(self, X, start=1.0):
        n, d = X.shape
        Phi = np.empty((n, self.dim(d)))
        stop = 1
        block = np.ones((n, 1)) * np.reshape(start, (-1, 1))
        Phi[:, :1] = block
        for parent, variable, exponent in grow(d, self.degree):
            # x^α/√α! from its parent, so that neither x^α nor α! ever overflows
            block = block[:, parent] * X[:, variable] / np.sqrt(exponent)
            Phi[:, stop : stop + len(parent)] = block
            stop += len(parent)
        return Phi

    def dim(self, d):
        return comb(d + self.degree, self.degree)

    def names_from(self, symbols):
        return [
            latex.over_root(latex.monomial(alpha, symbols), factorial(j) // latex.multinomial(alpha))
            for j in range(self.degree + 1)
            for alpha in combinations_with_replacement(range(len(symbols)), j)
        ]

    def slope(self, t):
        """F′(t) for F(t) = exp(t)."""
        return np.exp(t)

    def error(self, X, Z):
        return _taylor(X @ Z.T, self.degree, 0.0)

    def latex(self, x):
        return rf"\Big(\tfrac{{1}}{{\sqrt{{\alpha!}}}}\;{x}^\alpha\Big)_{{|\alpha| \le {self.degree}}}"


@dataclass(frozen=True, repr=False)
class GaussianSeries(FeatureMap):
    """The features of the Gaussian kernel, cut off after degree m (lectures A and E, any d).

        Φ_α(x) = exp(−‖x‖²/2σ²) · (x/σ)^α / √α!,   |α| ≤ m

    sigma : σ > 0, in the units of x.  degree : m ≥ 0.  D = C(d+m, m).
    ``remainder`` is Taylor's: f(x) f(z) |t|^{m+1}/(m+1)! · max(1, e^t) with t = xᵀz/σ², or less where that is known.
    Raises ValueError for ‖x‖ > 37σ, where exp(−‖x‖²/2σ²) leaves the floating-point numbers.
    """

    sigma: float
    degree: int

    def __post_init__(self):
        object.__setattr__(self, "sigma", check_width(self.sigma, "sigma"))
        object.__setattr__(self, "degree", check_whole(self.degree, "degree"))

    def matrix(self, X):
        # exp turns the rounding of ‖x‖²/2 into a relative error, so it gets the digits of a long double
        X = self._scaled(X.astype(np.longdouble))
        return ExponentialSeries(self.degree).matrix(X, start=np.exp(-squared_length(X) / 2))

    def _scaled(self, X):
        """X/σ, refused where exp(−‖x‖²/2σ²) leaves the floating-point numbers."""
        X = X / self.sigma
        length = np.sqrt(squared_length(X).max())
        if length > 37:
            raise ValueError(
                f"GaussianSeries needs ‖x‖ ≤ 37σ, got ‖x‖ = {length:.3g}σ: exp(−‖x‖²/2σ²) would be 0 "
                "in floating point; move the data to the origin, or use the kernel, which needs no features."
            )
        return X

    def dim(self, d):
        return ExponentialSeries(self.degree).dim(d)

    def names_from(self, symbols):
        scaled = symbols if self.sigma == 1 else [rf"{latex.factor(s)}/{self.sigma:g}" for s in symbols]
        bell = latex.bell(latex.vector(symbols), self.sigma)
        return [latex.times(bell, name) for name in ExponentialSeries(self.degree).names_from(scaled)]

    def error(self, X, Z):
        X = self._scaled(X)
        Z = self._scaled(Z)
        return _taylor(X @ Z.T, self.degree, (squared_length(X)[:, None] + squared_length(Z)) / 2)

    def latex(self, x):
        scaled = x if self.sigma == 1 else rf"({x}/{self.sigma:g})"
        return rf"{latex.bell(x, self.sigma)}\," + ExponentialSeries(self.degree).latex(scaled)


def _taylor(t, m, damping):
    """exp(−damping) times a bound on the tail of exp(t) after degree m, the smallest of three.

    Lagrange's |t|^{m+1}/(m+1)! · max(1, e^t); for |t| < m + 2 the geometric |t|^{m+1}/(m+1)! / (1 − |t|/(m+2));
    and e^|t|, the whole series.
    """
    size = np.abs(t)
    with np.errstate(divide="ignore", over="ignore"):
        first = (m + 1) * np.log(size) - np.log(np.arange(1, m + 2)).sum() - damping
        geometric = np.where(size < m + 2, first - np.log(np.maximum(1 - size / (m + 2), 1e-300)), np.inf)
        return np.exp(np.minimum(np.minimum(first + np.maximum(t, 0), geometric), size - damping))
