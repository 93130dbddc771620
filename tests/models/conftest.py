"""Data that several tests of models share."""

import pytest

from kernelkit import datasets


@pytest.fixture
def moons(frozen):
    return [frozen(part) for part in datasets.moons(40)]


@pytest.fixture
def iris(frozen):
    return [frozen(part) for part in datasets.iris()]
