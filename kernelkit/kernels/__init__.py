"""Kernels k(x, z), each with its feature map beside it. Those for what is no vector are loaded when first asked for."""

from importlib import import_module
from typing import TYPE_CHECKING

from kernelkit.kernels.base import Constant, Kernel, Power, Product, Scaled, Sum
from kernelkit.kernels.normalized import InverseLength, Normalized
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures, Pullback
from kernelkit.kernels.stationary import Bell, Gaussian, Laplace, Matern, Periodic, RationalQuadratic
from kernelkit.kernels.vectors import Linear, Polynomial, Precomputed, Quadratic

if TYPE_CHECKING:  # for editors; what __getattr__ loads when it is first asked for
    from kernelkit.kernels.distributions import Bhattacharyya, FisherMixture, MeanMap, MixtureProduct
    from kernelkit.kernels.graphs import Walks, WeisfeilerLehman
    from kernelkit.kernels.permutations import Damped, Kendall, Mallows
    from kernelkit.kernels.sequences import Alignments, ChainProduct, FisherMarkov
    from kernelkit.kernels.sets import Intersection, Jaccard, Overlap, Subsets
    from kernelkit.kernels.strings import Subsequences, Substrings
    from kernelkit.kernels.trees import Subtrees

_OBJECTS = {
    "Alignments": "sequences",
    "Bhattacharyya": "distributions",
    "ChainProduct": "sequences",
    "Damped": "permutations",
    "FisherMarkov": "sequences",
    "FisherMixture": "distributions",
    "Intersection": "sets",
    "Jaccard": "sets",
    "Kendall": "permutations",
    "Mallows": "permutations",
    "MeanMap": "distributions",
    "MixtureProduct": "distributions",
    "Overlap": "sets",
    "Subsequences": "strings",
    "Subsets": "sets",
    "Substrings": "strings",
    "Subtrees": "trees",
    "Walks": "graphs",
    "WeisfeilerLehman": "graphs",
}  # the module of each

__all__ = [
    "Alignments",
    "Bell",
    "Bhattacharyya",
    "ChainProduct",
    "Conjugate",
    "Constant",
    "Damped",
    "Exp",
    "FisherMarkov",
    "FisherMixture",
    "FromFeatures",
    "Gaussian",
    "Intersection",
    "InverseLength",
    "Jaccard",
    "Kendall",
    "Kernel",
    "Laplace",
    "Linear",
    "Mallows",
    "Matern",
    "MeanMap",
    "MixtureProduct",
    "Normalized",
    "Overlap",
    "Periodic",
    "Polynomial",
    "Power",
    "Precomputed",
    "Product",
    "Pullback",
    "Quadratic",
    "RationalQuadratic",
    "Scaled",
    "Subsequences",
    "Subsets",
    "Substrings",
    "Subtrees",
    "Sum",
    "Walks",
    "WeisfeilerLehman",
]


def __getattr__(name):
    if name in _OBJECTS:
        return getattr(import_module(f"kernelkit.kernels.{_OBJECTS[name]}"), name)
    raise AttributeError(f"module 'kernelkit.kernels' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
