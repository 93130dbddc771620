"""Data that several tests of choosing share."""

import numpy as np
import pytest

from kernelkit import datasets


@pytest.fixture(scope="module")
def curve():
    return datasets.sine(41, noise=0.3)


@pytest.fixture(scope="module")
def classes():
    X, y = datasets.mixture(61)
    order = np.random.default_rng(0).permutation(61)
    return X[order], y[order]
