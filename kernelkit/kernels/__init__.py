"""Kernels k(x, z), each with its feature map beside it."""

from kernelkit.kernels.base import Constant, Kernel, Power, Product, Scaled, Sum
from kernelkit.kernels.normalized import InverseLength, Normalized
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures, Pullback
from kernelkit.kernels.sets import Intersection
from kernelkit.kernels.stationary import Bell, Gaussian, Laplace, Matern, Periodic, RationalQuadratic
from kernelkit.kernels.vectors import Linear, Polynomial, Precomputed, Quadratic

__all__ = [
    "Bell", "Conjugate", "Constant", "Exp", "FromFeatures", "Gaussian", "Intersection", "InverseLength", "Kernel",
    "Laplace", "Linear", "Matern", "Normalized", "Periodic", "Polynomial", "Power", "Precomputed", "Product",
    "Pullback", "Quadratic", "RationalQuadratic", "Scaled", "Sum",
]  # fmt: skip
