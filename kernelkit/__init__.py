"""kernelkit: the kernel trick, written so that it reads like the lecture.

Kernels compose with + and * and **, and each knows its feature map: ``k(x, z)`` and
``phi(x) @ phi(z)`` for ``phi = k.feature_map()`` are the same number. Models are loaded when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from kernelkit import kernels
from kernelkit.features import (
    Centres,
    Circle,
    Concatenate,
    GaussianSeries,
    Kronecker,
    Landmarks,
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

if TYPE_CHECKING:  # for editors; what __getattr__ loads when it is first asked for
    from kernelkit.kernels.distributions import Bhattacharyya, FisherMixture, MeanMap, MixtureProduct
    from kernelkit.kernels.graphs import Walks, WeisfeilerLehman
    from kernelkit.kernels.permutations import Kendall, Mallows
    from kernelkit.kernels.sequences import Alignments, ChainProduct, FisherMarkov
    from kernelkit.kernels.sets import Intersection, Jaccard, Overlap, Subsets
    from kernelkit.kernels.strings import Subsequences, Substrings
    from kernelkit.kernels.trees import Subtrees
    from kernelkit.models.clustering import KernelDBSCAN, KernelKMeans, KernelLinkage
    from kernelkit.models.density import KernelDensity
    from kernelkit.models.kriging import Kriging
    from kernelkit.models.logistic import KernelLogistic, PrimalLogistic
    from kernelkit.models.multiclass import KernelMultiSVM, OneVsRest
    from kernelkit.models.neighbors import KernelNeighbors, KernelOutliers
    from kernelkit.models.one_class import KernelOneClass
    from kernelkit.models.pca import KernelPCA
    from kernelkit.models.perceptron import KernelPerceptron, PrimalPerceptron
    from kernelkit.models.representer import KernelMachine
    from kernelkit.models.ridge import DualRidge, KernelRidge, PrimalRidge
    from kernelkit.models.softmax import KernelSoftmax
    from kernelkit.models.svm import KernelSVM, PrimalSVM
    from kernelkit.models.svr import KernelSVR
    from kernelkit.models.totals import Totals
    from kernelkit.models.unsupervised import Features

_MODELS = {
    "DualRidge": "ridge",
    "Features": "unsupervised",
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
    "Totals": "totals",
}  # the module of each model

__all__ = [
    "Alignments",
    "Bhattacharyya",
    "Centres",
    "ChainProduct",
    "Circle",
    "Concatenate",
    "Conjugate",
    "Constant",
    "DualRidge",
    "Exp",
    "Features",
    "FisherMarkov",
    "FisherMixture",
    "FromFeatures",
    "Gaussian",
    "GaussianSeries",
    "Intersection",
    "Jaccard",
    "Kendall",
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
    "Landmarks",
    "Laplace",
    "Linear",
    "Mallows",
    "Matern",
    "MeanMap",
    "MixtureProduct",
    "Monomials",
    "Normalized",
    "OneVsRest",
    "OrderedMonomials",
    "Overlap",
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
    "Subsequences",
    "Subsets",
    "Substrings",
    "Subtrees",
    "Sum",
    "Totals",
    "Walks",
    "Waves",
    "WeisfeilerLehman",
]


def __getattr__(name):
    if name in kernels.__all__:
        return getattr(kernels, name)
    if name in _MODELS:
        return getattr(import_module(f"kernelkit.models.{_MODELS[name]}"), name)
    raise AttributeError(f"module 'kernelkit' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
