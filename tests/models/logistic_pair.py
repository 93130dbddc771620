"""Logistic regression in w and in a, for one kernel and its feature map."""

import numpy as np
import pytest

from kernelkit import KernelLogistic, Monomials, Polynomial, PrimalLogistic
from kernelkit.models.logistic import log_loss

BOTH = pytest.mark.parametrize(
    "make",
    [lambda **s: PrimalLogistic(Monomials(2), **s), lambda **s: KernelLogistic(Polynomial(2), **s)],
    ids=["primal", "kernel"],
)
K2, PHI = Polynomial(2), Polynomial(2).feature_map()


def pair(**settings):
    return PrimalLogistic(PHI, **settings), KernelLogistic(K2, **settings)


def objective(f, y, lam, square):
    return log_loss(y * f) + lam / 2 * square


def proba(model, X):
    return model.predict_proba(X)[:, 1]


def iterates(model, *data):
    """Every w or a of a walk, one row each."""
    return np.array(list(model.steps(*data)))
