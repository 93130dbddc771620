"""Pictures of handwritten digits in a fixed shuffled order, and their kernel PCA, which two panels share."""

from functools import lru_cache

import numpy as np

from kernelkit import Gaussian, KernelPCA, Linear


@lru_cache(maxsize=1)
def shuffled():
    """All 8 × 8 pictures as 64 inputs in [0, 1], and which digits they are: (1797, 64), (1797,)."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order] / 16, y[order]


@lru_cache(maxsize=48)
def fitted(digits, n, sigma, count):
    """Kernel PCA of the first n pictures of these digits; without a σ it is linear."""
    X, y = shuffled()
    kernel = Linear() if sigma is None else Gaussian(sigma)
    return KernelPCA(kernel, count).fit(X[np.isin(y, digits)][:n])
