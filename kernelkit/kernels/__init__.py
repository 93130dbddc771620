"""Kernels k(x, z), each with its feature map beside it."""

from kernelkit.kernels.base import Constant, Kernel, Power, Product, Scaled, Sum
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures, Pullback
from kernelkit.kernels.stationary import Bell, Gaussian
from kernelkit.kernels.vectors import Linear, Polynomial, Precomputed, Quadratic

__all__ = [
    "Bell", "Conjugate", "Constant", "Exp", "FromFeatures", "Gaussian", "Kernel", "Linear", "Polynomial",
    "Power", "Precomputed", "Product", "Pullback", "Quadratic", "Scaled", "Sum",
]  # fmt: skip
