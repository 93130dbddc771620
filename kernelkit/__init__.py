"""kernelkit: the kernel trick, written so that it reads like the lecture.

Kernels compose with + and * and **, and each knows its feature map: ``k(x, z)`` and
``phi(x) @ phi(z)`` for ``phi = k.feature_map()`` are the same number. Models are loaded when first asked for.
"""

from importlib import import_module

from kernelkit.features import (
    Centres,
    Circle,
    Concatenate,
    GaussianSeries,
    Kronecker,
    Monomials,
    OrderedMonomials,
    Scale,
    Steps,
    Waves,
)
from kernelkit.kernels import (
    Conjugate,
    Constant,
    Exp,
    FromFeatures,
    Gaussian,
    Intersection,
    Laplace,
    Linear,
    Matern,
    Normalized,
    Periodic,
    Polynomial,
    Power,
    Precomputed,
    Product,
    Pullback,
    Quadratic,
    RationalQuadratic,
    Scaled,
    Sum,
)

_MODELS = {
    "DualRidge": "ridge",
    "Features": "transformer",
    "KernelDBSCAN": "clustering",
    "KernelDensity": "density",
    "KernelKMeans": "clustering",
    "KernelLinkage": "clustering",
    "KernelLogistic": "logistic",
    "KernelMachine": "representer",
    "KernelMultiSVM": "multiclass",
    "KernelNeighbors": "neighbors",
    "KernelOneClass": "one_class",
    "KernelOutliers": "neighbors",
    "KernelPCA": "pca",
    "KernelPerceptron": "perceptron",
    "KernelRidge": "ridge",
    "KernelSVM": "svm",
    "KernelSVR": "svr",
    "KernelSoftmax": "softmax",
    "Kriging": "kriging",
    "OneVsRest": "multiclass",
    "PrimalLogistic": "logistic",
    "PrimalPerceptron": "perceptron",
    "PrimalRidge": "ridge",
    "PrimalSVM": "svm",
}  # the module of each model

__all__ = [
    "Centres",
    "Circle",
    "Concatenate",
    "Conjugate",
    "Constant",
    "DualRidge",
    "Exp",
    "Features",
    "FromFeatures",
    "Gaussian",
    "GaussianSeries",
    "Intersection",
    "KernelDBSCAN",
    "KernelDensity",
    "KernelKMeans",
    "KernelLinkage",
    "KernelLogistic",
    "KernelMachine",
    "KernelMultiSVM",
    "KernelNeighbors",
    "KernelOneClass",
    "KernelOutliers",
    "KernelPCA",
    "KernelPerceptron",
    "KernelRidge",
    "KernelSVM",
    "KernelSVR",
    "KernelSoftmax",
    "Kriging",
    "Kronecker",
    "Laplace",
    "Linear",
    "Matern",
    "Monomials",
    "Normalized",
    "OneVsRest",
    "OrderedMonomials",
    "Periodic",
    "Polynomial",
    "Power",
    "Precomputed",
    "PrimalLogistic",
    "PrimalPerceptron",
    "PrimalRidge",
    "PrimalSVM",
    "Product",
    "Pullback",
    "Quadratic",
    "RationalQuadratic",
    "Scale",
    "Scaled",
    "Steps",
    "Sum",
    "Waves",
]


def __getattr__(name):
    if name in _MODELS:
        return getattr(import_module(f"kernelkit.models.{_MODELS[name]}"), name)
    raise AttributeError(f"module 'kernelkit' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
