"""Data, kernels and scikit-learn's names for them, and the dual of a support vector machine."""

from functools import cache

import numpy as np

from kernelkit import (
    Gaussian,
    Linear,
    Polynomial,
    datasets,
)

DATA = {"mixture": datasets.mixture, "moons": datasets.moons, "cancer": datasets.breast_cancer}


KERNELS = {
    "gaussian": lambda d: Gaussian(np.sqrt(d) / 2),
    "polynomial": lambda d: Polynomial(3),
    "linear": lambda d: Linear(),
}


PEERS = {
    "gaussian": lambda d: {"kernel": "rbf", "gamma": 2 / d},  # 1/2σ² for σ = √d/2
    "polynomial": lambda d: {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1},
    "linear": lambda d: {"kernel": "linear"},
}


@cache
def data(name):
    X, y = DATA[name]()
    X.setflags(write=False), y.setflags(write=False)
    return X, y


def dual(a, y, K):
    return a @ y - a @ K @ a / 2


def strays(a, lower, upper):
    """The weights that are nearer to a bound than rounding, but not on it."""
    near = 1e-12 * np.abs(a).max()
    return np.flatnonzero(((a > lower) & (a <= lower + near)) | ((a < upper) & (a >= upper - near)))
