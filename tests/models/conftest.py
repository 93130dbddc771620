"""Data that several tests of models share."""

import numpy as np
import pytest

from kernelkit import datasets


@pytest.fixture
def moons(frozen):
    return [frozen(part) for part in datasets.moons(40)]


@pytest.fixture
def iris(frozen):
    return [frozen(part) for part in datasets.iris()]


@pytest.fixture
def data(cloud):
    X = cloud(300, 2)
    return X, np.sin(2 * X[:, 0]) + X[:, 1]


@pytest.fixture
def labelled():
    return datasets.mixture(240)
