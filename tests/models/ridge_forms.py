"""Ridge regression in its three forms, and what counts as close."""

import numpy as np

from kernelkit import DualRidge, KernelRidge, PrimalRidge


def three_forms(k, lam, center=False):
    phi = k.feature_map()
    return PrimalRidge(phi, lam, center), DualRidge(phi, lam, center), KernelRidge(k, lam, center)


def close(a, b, tol):
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=0, atol=tol * np.abs(b).max())
