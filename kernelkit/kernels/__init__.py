"""Kernels k(x, z), each with its feature map beside it."""

from kernelkit.kernels.base import Constant, Kernel, Power, Product, Scaled, Sum
from kernelkit.kernels.normalized import InverseLength, Normalized
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures, Pullback
from kernelkit.kernels.sets import Intersection, Jaccard, Overlap, Subsets
from kernelkit.kernels.stationary import Bell, Gaussian, Laplace, Matern, Periodic, RationalQuadratic
from kernelkit.kernels.strings import Subsequences, Substrings
from kernelkit.kernels.vectors import Linear, Polynomial, Precomputed, Quadratic

__all__ = [
    "Bell", "Conjugate", "Constant", "Exp", "FromFeatures", "Gaussian", "Intersection", "InverseLength", "Jaccard",
    "Kernel", "Laplace", "Linear", "Matern", "Normalized", "Overlap", "Periodic", "Polynomial", "Power",
    "Precomputed", "Product", "Pullback", "Quadratic", "RationalQuadratic", "Scaled", "Subsequences", "Subsets",
    "Substrings", "Sum",
]  # fmt: skip
