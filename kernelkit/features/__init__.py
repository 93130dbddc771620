"""Feature maps Φ: array → array. They know no kernels."""

from kernelkit.features.base import FeatureMap
from kernelkit.features.rules import Compose, Concatenate, Function, Kronecker, Scale, Weighted
from kernelkit.features.series import ExponentialSeries, GaussianSeries
from kernelkit.features.vectors import Centres, Identity, LinearMap, Monomials, Ones, OrderedMonomials

__all__ = [
    "Centres", "Compose", "Concatenate", "ExponentialSeries", "FeatureMap", "Function", "GaussianSeries",
    "Identity", "Kronecker", "LinearMap", "Monomials", "Ones", "OrderedMonomials", "Scale", "Weighted",
]  # fmt: skip
