"""Kernels of the difference x − z, with k(x, x) = 1, and random features of them (Bochner's theorem).

A function of x − z is a kernel if and only if it is the average of cos(ωᵀ(x − z)) over frequencies ω drawn from a
distribution, and ``waves`` draws from this distribution.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import difference, gaussian, squared_distance
from kernelkit.checks import (
    LARGEST,
    check_degree,
    check_memory,
    check_number,
    check_whole,
    check_width,
    formula_repr,
    generator,
)
from kernelkit.kernels.base import Kernel
from kernelkit.kernels.rules import Conjugate, Exp, Pullback
from kernelkit.kernels.vectors import Linear


class Stationary(Kernel):
    """A kernel of x − z with the width ``sigma``; its squared distances 2 − 2k(x, z) are made of x − z too.

    Each writes ``_frequencies``, which draws D of them for x ∈ ℝ^d: (D, d).
    ``_round`` tells whether k depends on ‖x − z‖ alone, and so does the density of its frequencies on ‖ω‖.
    """

    _round = True
    origin_free = True

    def __post_init__(self):
        object.__setattr__(self, "sigma", check_width(self.sigma, "sigma"))

    def diagonal(self, X):
        return np.ones(len(X))

    def feature_map(self, degree=None, over=None):
        raise ValueError(
            f"{self!r} has infinitely many features and no series of them to cut: k.waves(D, d) draws D random "
            "features for x ∈ ℝ^d, and k(x, z) itself needs none."
        )

    def waves(self, D, d, random_state=0, orthogonal=False):
        """D random Fourier features for x ∈ ℝ^d: Φ(x)ᵀΦ(z) is k(x, z) on average, with an error of about 1/√D.

        orthogonal : a smaller error from as many features, for a k of ‖x − z‖: D/2 frequencies, d at a time at right
        angles, each with its cosine and its sine (Yu, Suresh, Choromanski, Holtmann-Rice and Kumar 2016).
        random_state : a seed, a generator of NumPy, or None for new ones every time.  Returns ``features.Waves``.
        """
        D = check_whole(D, "D", at_least=1)
        d = check_whole(d, "d", at_least=1)
        # 7 times 8 bytes a number while they stand in an array, a list and tuples
        check_memory(7 * D, d, f"{D:,} frequencies of {d:,} numbers are", "a smaller D has a larger error")
        rng = generator(random_state) or np.random.default_rng()
        if not orthogonal:
            W = self._drawn(rng, D, d)
            return phi.Waves(W, rng.uniform(0, 2 * pi, D))
        if not self._round:
            raise ValueError(f"orthogonal=True needs a kernel of ‖x − z‖, which {self!r} is not: it prefers the axes.")
        half = (D + 1) // 2
        lengths = np.linalg.norm(self._drawn(rng, half, d), axis=1, keepdims=True)
        phases = rng.uniform(0, 2 * pi, half)
        both = np.repeat(lengths * _right_angles(rng, half, d), 2, axis=0)
        return phi.Waves(both[:D], np.column_stack([phases, phases - pi / 2]).ravel()[:D])

    def _drawn(self, rng, D, d):
        """D frequencies, (D, d), refused where ωᵀx would overflow."""
        with np.errstate(over="ignore"):
            return check_frequencies(self._frequencies(rng, D, d), self)

    def _length(self, x, z):
        """‖x − z‖/σ in LaTeX."""
        return rf"\|{x} - {z}\|" + ("" if self.sigma == 1 else f"/{self.sigma:g}")


def check_frequencies(W, k):
    """Frequencies W, refused where their squares would overflow."""
    if not np.abs(W).max() < LARGEST:
        raise ValueError(f"The frequencies of {k!r} overflow: they are beyond {LARGEST:g}, so take larger widths.")
    return W


@dataclass(frozen=True, repr=False)
class Gaussian(Stationary):
    """k(x, z) = exp(−‖x − z‖²/2σ²), with infinitely many features (lectures A, C, E).

    sigma : width σ > 0, in the units of x.  scikit-learn: gamma = 1/(2σ²).
    ``feature_map(degree=m)`` gives the series cut after degree m.

    >>> round(Gaussian(1.0)([0, 0], [1, 0]), 4)
    0.6065
    """

    sigma: float

    def gram(self, X, Z):
        return gaussian(X, Z, self.sigma)

    def squared_distance_matrix(self, X, Z):
        return squared_distance(X, Z, self.sigma, lambda D: -2 * np.expm1(-D / 2))

    def feature_map(self, degree=None, over=None):
        return phi.GaussianSeries(self.sigma, check_degree(degree, self))

    @property
    def derivation(self):
        """The same kernel, built from the rules: f(x) · exp(xᵀz/σ²) · f(z)."""
        sigma = check_width(self.sigma, "sigma", smallest=1 / LARGEST)
        return Conjugate(Bell(sigma), Exp(1 / sigma / sigma * Linear()))

    def _frequencies(self, rng, D, d):
        return rng.standard_normal((D, d)) / self.sigma

    def latex(self, x, z):
        return rf"\exp\left(-\frac{{\|{x} - {z}\|^2}}{{{latex.two_sigma_squared(self.sigma).strip('()')}}}\right)"


@dataclass(frozen=True, repr=False)
class Bell:
    """f(x) = exp(−‖x‖²/2σ²), the factor that turns exp(xᵀz/σ²) into the Gaussian kernel."""

    sigma: float

    __repr__ = formula_repr

    def __call__(self, X):
        return np.exp(-np.sum(np.square(np.asarray(X) / self.sigma), axis=-1) / 2)

    def latex(self, x):
        return latex.bell(x, self.sigma)


@dataclass(frozen=True, repr=False)
class Laplace(Stationary):
    """k(x, z) = exp(−‖x − z‖₁/σ), with the distance ‖x − z‖₁ = Σ_j |x_j − z_j|: functions with kinks.

    sigma : width σ > 0, in the units of x.  scikit-learn: laplacian_kernel with gamma = 1/σ.

    >>> round(Laplace(2.0)([0, 0], [1, 1]), 4)
    0.3679
    """

    sigma: float
    _round = False

    def gram(self, X, Z):
        return difference(X, Z, self.sigma, "cityblock", lambda r: np.exp(-r))

    def squared_distance_matrix(self, X, Z):
        return difference(X, Z, self.sigma, "cityblock", lambda r: -2 * np.expm1(-r))

    def _frequencies(self, rng, D, d):
        return rng.standard_cauchy((D, d)) / self.sigma

    def latex(self, x, z):
        return rf"\exp\left(-\|{x} - {z}\|_1{'' if self.sigma == 1 else f'/{self.sigma:g}'}\right)"


@dataclass(frozen=True, repr=False)
class Matern(Stationary):
    """Matérn's kernels of r = ‖x − z‖/σ, whose functions have ν − ½ derivatives (scikit-learn's Matern):

        exp(−r) for ν = ½,   (1 + √3 r) exp(−√3 r) for ν = 3/2,   (1 + √5 r + 5r²/3) exp(−√5 r) for ν = 5/2

    sigma : width σ > 0, in the units of x.  nu : ν, one of 0.5, 1.5 and 2.5; ValueError for any other.

    >>> round(Matern(1.0, 0.5)([0, 0], [0, 2]), 4)
    0.1353
    """

    sigma: float
    nu: float = 1.5
    latex_binds = latex.PRODUCT

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "nu", check_number(self.nu, "nu"))
        if self.nu not in (0.5, 1.5, 2.5):
            raise ValueError(f"nu must be 0.5, 1.5 or 2.5, got {self.nu!r}: other ν have no formula without integrals.")

    def gram(self, X, Z):
        return squared_distance(X, Z, self.sigma / sqrt(2 * self.nu), lambda D: _matern(self.nu, D))

    def squared_distance_matrix(self, X, Z):
        return squared_distance(X, Z, self.sigma / sqrt(2 * self.nu), lambda D: 2 * _matern_gap(self.nu, D))

    def _frequencies(self, rng, D, d):
        tails = np.sqrt(2 * self.nu / rng.chisquare(2 * self.nu, (D, 1)))
        return tails * rng.standard_normal((D, d)) / self.sigma

    def latex(self, x, z):
        r = self._length(x, z)
        if self.nu == 0.5:
            return rf"\exp\left(-{r}\right)"
        root = rf"\sqrt{{{2 * self.nu:g}}}\,{r}"
        square = "" if self.nu == 1.5 else rf" + \frac{{5}}{{3}}\,{latex.squared(r)}"
        return rf"\left(1 + {root}{square}\right) \exp\left(-{root}\right)"


def _matern(nu, square):
    """Matérn's function of 2νr², whose root is √(2ν) r."""
    root = np.sqrt(square)
    bell = np.exp(-root)
    return bell if nu == 0.5 else (1 + root) * bell if nu == 1.5 else (1 + root + square / 3) * bell


def _matern_gap(nu, square):
    """1 − ``_matern``, with all digits where it is small: 1 − (1 + s + … + s^(p−1)/(p−1)!) e^(−s) = P(p, s).

    P is the regularised lower incomplete gamma function.
    """
    from scipy.special import gammainc

    root = np.sqrt(square)
    if nu == 2.5:
        return gammainc(3, root) + square / 6 * np.exp(-root)
    return gammainc(nu + 0.5, root)


@dataclass(frozen=True, repr=False)
class RationalQuadratic(Stationary):
    """k(x, z) = (1 + ‖x − z‖²/2ασ²)^(−α): Gaussians of many widths mixed; α → ∞ is the Gaussian of width σ.

    sigma : σ > 0, in the units of x.  alpha : α > 0.  scikit-learn: RationalQuadratic(length_scale=σ, alpha=α).

    >>> RationalQuadratic(1.0, 1.0)([0, 0], [1, 1])
    0.5
    """

    sigma: float
    alpha: float = 1.0
    latex_binds = latex.POWER

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "alpha", check_width(self.alpha, "alpha", smallest=1e-150))

    def gram(self, X, Z):
        scale = 1 / (2 * self.alpha)
        return squared_distance(X, Z, self.sigma, lambda D: np.exp(-self.alpha * np.log1p(D * scale)))

    def squared_distance_matrix(self, X, Z):
        scale = 1 / (2 * self.alpha)
        return squared_distance(X, Z, self.sigma, lambda D: -2 * np.expm1(-self.alpha * np.log1p(D * scale)))

    def _frequencies(self, rng, D, d):  # a Gaussian whose 1/width² is a Gamma number
        return np.sqrt(rng.gamma(self.alpha, 1 / self.alpha, (D, 1))) * rng.standard_normal((D, d)) / self.sigma

    def latex(self, x, z):
        below = rf"2 \cdot {self.alpha:g}" + ("" if self.sigma == 1 else rf" \cdot {self.sigma:g}^2")
        return rf"\left(1 + \frac{{\|{x} - {z}\|^2}}{{{below}}}\right)^{{-{self.alpha:g}}}"


@dataclass(frozen=True, repr=False)
class Periodic(Stationary):
    """k(x, z) = exp(−2 Σ_j sin²(π(x_j − z_j)/period)/σ²): the Gaussian kernel of points on circles.

    sigma : width σ > 0, on circles of radius 1.  period : > 0, in the units of x.  scikit-learn: ExpSineSquared(σ,
    period), in one dimension.  ``feature_map(degree=m)`` gives the Gaussian's series on (cos, sin) of each coordinate.
    Its frequencies are whole multiples of 2π/period.

    >>> Periodic(1.0, period=2.0)([0.0], [6.0])
    1.0
    """

    sigma: float
    period: float = 1.0
    _round = False

    def __post_init__(self):
        object.__setattr__(self, "sigma", check_width(self.sigma, "sigma", smallest=1e-150))  # 1/σ² is in its spectrum
        object.__setattr__(self, "period", check_width(self.period, "period"))

    def gram(self, X, Z):
        g = phi.Circle(self.period).matrix
        U = g(X)
        return gaussian(U, U if Z is X else g(Z), self.sigma)

    def squared_distance_matrix(self, X, Z):
        g = phi.Circle(self.period).matrix
        U = g(X)
        return Gaussian(self.sigma).squared_distance_matrix(U, U if Z is X else g(Z))

    def feature_map(self, degree=None, over=None):
        return phi.Compose(phi.GaussianSeries(self.sigma, check_degree(degree, self)), phi.Circle(self.period))

    @property
    def derivation(self):
        """The same kernel, built from the rules: k(g(x), g(z)) with g(x) = (cos 2πx_j/period, sin 2πx_j/period)_j."""
        return Pullback(Gaussian(self.sigma), phi.Circle(self.period))

    def _frequencies(self, rng, D, d):  # two Poisson numbers differ by j with probability I_j(1/σ²) e^(−1/σ²)
        if self.sigma < 1e-9:
            raise ValueError(f"waves needs sigma ≥ 1e-9, got {self!r}: such large Poisson numbers cannot be drawn.")
        plus, minus = rng.poisson(self.sigma**-2 / 2, (2, D, d))
        return 2 * pi * (plus - minus) / self.period

    def latex(self, x, z):
        below = "" if self.period == 1 else f"/{self.period:g}"
        factor = "2" if self.sigma == 1 else rf"\frac{{2}}{{{self.sigma:g}^2}}"
        x_j = latex.indexed(x, "j")
        z_j = latex.indexed(z, "j")
        return rf"\exp\left(-{factor} \sum_j \sin^2\left(\pi({x_j} - {z_j}){below}\right)\right)"


def _right_angles(rng, D, d):
    """D directions in ℝ^d, each uniform, d at a time at right angles: the rows of random rotations, (D, d)."""
    Q, R = np.linalg.qr(rng.standard_normal((-(-D // d), d, d)))
    signs = np.sign(np.diagonal(R, axis1=1, axis2=2))  # else Q would not be uniform
    return (Q * signs[:, None, :]).swapaxes(1, 2).reshape(-1, d)[:D]
