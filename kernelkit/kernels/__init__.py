"""Kernels k(x, z), each with its feature map beside it."""

from kernelkit.kernels.base import Constant, Kernel, Power, Product, Scaled, Sum
from kernelkit.kernels.distributions import Bhattacharyya, FisherMixture, MeanMap, MixtureProduct
from kernelkit.kernels.graphs import Walks, WeisfeilerLehman
from kernelkit.kernels.normalized import InverseLength, Normalized
from kernelkit.kernels.permutations import Damped, Kendall, Mallows
from kernelkit.kernels.rules import Conjugate, Exp, FromFeatures, Pullback
from kernelkit.kernels.sequences import Alignments, ChainProduct, FisherMarkov
from kernelkit.kernels.sets import Intersection, Jaccard, Overlap, Subsets
from kernelkit.kernels.stationary import Bell, Gaussian, Laplace, Matern, Periodic, RationalQuadratic
from kernelkit.kernels.strings import Subsequences, Substrings
from kernelkit.kernels.trees import Subtrees
from kernelkit.kernels.vectors import Linear, Polynomial, Precomputed, Quadratic

__all__ = [
    "Alignments", "Bell", "Bhattacharyya", "ChainProduct", "Conjugate", "Constant", "Damped", "Exp", "FisherMarkov",
    "FisherMixture", "FromFeatures", "Gaussian", "Intersection", "InverseLength", "Jaccard", "Kendall", "Kernel",
    "Laplace", "Linear", "Mallows", "Matern", "MeanMap", "MixtureProduct", "Normalized", "Overlap", "Periodic",
    "Polynomial", "Power", "Precomputed", "Product", "Pullback", "Quadratic", "RationalQuadratic", "Scaled",
    "Subsequences", "Subsets", "Substrings", "Subtrees", "Sum", "Walks", "WeisfeilerLehman",
]  # fmt: skip
