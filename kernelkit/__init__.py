"""kernelkit: the kernel trick, written so that it reads like the lecture.

Kernels compose with + and * and **, and each knows its feature map: ``k(x, z)`` and
``phi(x) @ phi(z)`` for ``phi = k.feature_map()`` are the same number.
"""

from kernelkit.features import Centres, Concatenate, GaussianSeries, Kronecker, Monomials, OrderedMonomials, Scale
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
from kernelkit.logistic import KernelLogistic, PrimalLogistic
from kernelkit.multiclass import KernelSoftmax, OneVsRest
from kernelkit.perceptron import KernelPerceptron, PrimalPerceptron
from kernelkit.representer import KernelMachine
from kernelkit.ridge import DualRidge, KernelRidge, PrimalRidge
from kernelkit.svm import KernelSVM, PrimalSVM

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
    "KernelLogistic",
    "KernelMachine",
    "KernelPerceptron",
    "KernelRidge",
    "KernelSVM",
    "KernelSoftmax",
    "Kronecker",
    "Linear",
    "Monomials",
    "OneVsRest",
    "OrderedMonomials",
    "Polynomial",
    "Power",
    "PrimalLogistic",
    "PrimalPerceptron",
    "PrimalRidge",
    "PrimalSVM",
    "Product",
    "Pullback",
    "Quadratic",
    "Scale",
    "Scaled",
    "Sum",
]
