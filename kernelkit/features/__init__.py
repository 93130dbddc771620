"""Feature maps Φ: array → array. They know no kernels."""

from kernelkit.features.base import FeatureMap
from kernelkit.features.objects import Colours, MarkovScore, Mean, MixtureScore, Orders, Parts
from kernelkit.features.rules import Compose, Concatenate, Function, Kronecker, Scale, Weighted
from kernelkit.features.sampled import Landmarks, Waves
from kernelkit.features.series import ExponentialSeries, GaussianSeries
from kernelkit.features.vectors import Centres, Circle, Identity, LinearMap, Monomials, Ones, OrderedMonomials, Steps

__all__ = [
    "Centres",
    "Circle",
    "Colours",
    "Compose",
    "Concatenate",
    "ExponentialSeries",
    "FeatureMap",
    "Function",
    "GaussianSeries",
    "Identity",
    "Kronecker",
    "Landmarks",
    "LinearMap",
    "MarkovScore",
    "Mean",
    "MixtureScore",
    "Monomials",
    "Ones",
    "OrderedMonomials",
    "Orders",
    "Parts",
    "Scale",
    "Steps",
    "Waves",
    "Weighted",
]
