"""The sentence of notebook 00's explorer, against scikit-learn."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from kernelkit.explorers.start_here.bumps import GRID, START, bumps


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_bumps_says_what_scikit_learn_finds(sigma):
    data = np.array(START)
    model = KernelRidge(alpha=1e-3, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(data[:, :1], data[:, 1])
    ups, miss = (model.dual_coef_ > 0).sum(), np.abs(model.predict(data[:, :1]) - data[:, 1]).max()
    said = bumps.describe(bumps.compute(START, sigma))
    assert f"5 bumps, {ups} up and {5 - ups} down" in said and f"at most {miss:.3f}" in said
    assert f"tallest bump is {np.abs(model.dual_coef_).max():.1f} high" in said


def test_the_curve_is_the_sum_of_the_bumps():
    state = bumps.compute(START, 0.7)
    centres = np.array(START)[:, 0]
    each = state.a * np.exp(-((GRID[:, None] - centres) ** 2) / (2 * 0.7**2))
    assert np.allclose(state.bumps, each) and np.allclose(state.h, each.sum(axis=1))
