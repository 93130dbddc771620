"""Data and kernels of support vector machines, scikit-learn's names for them, and their dual in its box."""

import warnings
from functools import cache

import numpy as np

from kernelkit import Gaussian, Linear, Polynomial, datasets

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
MANY = 10**7  # steps, more than any of these problems takes


@cache
def data(name):
    X, y = DATA[name]()
    X.setflags(write=False), y.setflags(write=False)
    return X, y


def dual(a, y, K):
    return a @ y - a @ K @ a / 2


def box(y, C):
    """The bounds between which 0 ≤ a_i y_i ≤ C keeps each a_i."""
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def violation(a, r, lower, upper):
    """m(a) − M(a): the largest r that may grow over the smallest that may shrink."""
    return r[a < upper].max() - r[a > lower].min()


def strays(a, lower, upper):
    """The weights that are nearer to a bound than rounding, but not on it."""
    near = 1e-12 * np.abs(a).max()
    return np.flatnonzero(((a > lower) & (a <= lower + near)) | ((a < upper) & (a >= upper - near)))


def quietly(model, *data):
    """The fitted model, which here may stop too early, or see a K that is almost I."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Kernel\w+ stopped|K is almost I")
        return model.fit(*data)


def libsvm(model, X, y):
    """scikit-learn's model and its dual weights a: of a problem that LIBSVM cannot finish, as far as it comes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    a = np.zeros(len(X))
    a[model.support_] = model.dual_coef_[0]
    return model, a
