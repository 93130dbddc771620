"""The data of notebook 18: five inputs, of which three matter, the true function, and the model they are fitted by."""

import numpy as np

from kernelkit import Gaussian

INPUTS, NOISE, LAM = 5, 0.3, 0.1
K = Gaussian(2.0)


def truth(X):
    return 4 * X[:, 0] - X[:, 1] ** 2 + np.sin(3 * X[:, 2])


def points(n):
    """n points with noisy values to learn from, 1000 new ones, and what is true there."""
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((n, INPUTS)), rng.standard_normal((1000, INPUTS))
    return X, truth(X) + NOISE * rng.standard_normal(n), Z, truth(Z)
