"""The sentence of notebook 00's explorer, against scikit-learn."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from kernelkit.explorers.start_here.bumps import GRID, START, bumps
from kernelkit.panel.numbers import amount


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_bumps_says_what_scikit_learn_finds(sigma):
    data = np.array(START)
    model = KernelRidge(alpha=1e-3, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(data[:, :1], data[:, 1])
    ups, downs = (model.dual_coef_ > 0.03).sum(), (model.dual_coef_ < -0.03).sum()
    miss = np.abs(model.predict(data[:, :1]) - data[:, 1]).max()
    said = bumps.describe(bumps.compute(START, sigma))
    flat = np.flatnonzero(np.abs(model.dual_coef_) < 0.03) + 1  # the points stand from left to right
    ways = f"{ups} up and {downs} down" if len(flat) == 0 else f"{ups} up, {downs} down and 1 flat (point {flat[0]})"
    assert f"5 bumps, {ways}, add up" in said and f"largest miss is {amount(miss)}." in said
    assert f"tallest bump is {np.abs(model.dual_coef_).max():.1f} high" in said
    assert ("the bumps leave the picture" in said) == (np.abs(model.dual_coef_).max() > 3)


def test_the_curve_is_the_sum_of_the_bumps():
    state = bumps.compute(START, 0.7)
    centres = np.array(START)[:, 0]
    each = state.a * np.exp(-((GRID[:, None] - centres) ** 2) / (2 * 0.7**2))
    assert np.allclose(state.bumps, each) and np.allclose(state.h, each.sum(axis=1))


def test_a_height_of_zero_is_neither_up_nor_down():
    """On a straight line through the middle point its bump has no height, whatever the processor rounds it to."""
    said = bumps.describe(bumps.compute(**bumps.start() | bumps.scenes["A straight line"]))
    assert "2 up, 2 down and 1 flat (point 3)" in said


def test_heights_stand_from_the_left_and_are_told():
    moved = ((2.8, 1.0), *START[1:])
    state = bumps.compute(moved, 0.3)
    assert state.heights == pytest.approx(state.a[[1, 2, 3, 4, 0]])
    assert bumps.tell["heights"](state, 4.2, 0.0) == f"point 5: a bump of height {state.a[0]:.2f}"
    assert bumps.tell["axes"](state, 2.8, 0.0).startswith("h(2.8) = ")
