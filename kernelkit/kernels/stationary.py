"""Kernels of the difference x − z."""

from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import gaussian
from kernelkit.checks import check_degree, check_number, formula_repr
from kernelkit.kernels.base import Kernel
from kernelkit.kernels.rules import Conjugate, Exp
from kernelkit.kernels.vectors import Linear


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
        object.__setattr__(self, "sigma", check_number(self.sigma, "sigma", above=0))

    def gram(self, X, Z):
        return gaussian(X, Z, self.sigma)

    def diag(self, X):
        return np.ones(len(X))

    def feature_map(self, degree=None):
        return phi.GaussianSeries(self.sigma, check_degree(degree, self))

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
