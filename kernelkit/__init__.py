"""kernelkit: the kernel trick, written so that it reads like the lecture.

Kernels compose with + and * and **, and each knows its feature map: ``k(x, z)`` and
``phi(x) @ phi(z)`` for ``phi = k.feature_map()`` are the same number.
"""

from kernelkit.features import (
    Centres,
    Concatenate,
    GaussianSeries,
    Kronecker,
    Monomials,
    OrderedMonomials,
    Scale,
)
from kernelkit.kernels import (
    Conjugate,
    Constant,
    Exp,
    FromFeatures,
    Gaussian,
    Linear,
    Polynomial,
    Power,
    Product,
    Pullback,
    Quadratic,
    Scaled,
    Sum,
)
from kernelkit.ridge import DualRidge, KernelRidge, PrimalRidge

__all__ = [
    "Centres",
    "Concatenate",
    "Conjugate",
    "Constant",
    "DualRidge",
    "Exp",
    "FromFeatures",
    "Gaussian",
    "GaussianSeries",
    "KernelRidge",
    "Kronecker",
    "Linear",
    "Monomials",
    "OrderedMonomials",
    "Polynomial",
    "Power",
    "PrimalRidge",
    "Product",
    "Pullback",
    "Quadratic",
    "Scale",
    "Scaled",
    "Sum",
]
