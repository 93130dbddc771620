"""What the panels and the text of notebook 18 say is true on their data."""

import sys

import numpy as np
import pytest

from kernelkit import Gaussian, KernelRidge, Landmarks, PrimalRidge, datasets
from kernelkit.explorers import scaling_up as explore
from kernelkit.study.landmarks import choose, trace_error

LANDMARKS = sys.modules["kernelkit.explorers.scaling_up.landmarks"]


def state(explorer, **values):
    return explorer.compute(**explorer.start() | values)


def test_the_field_is_what_the_landmarks_leave_of_the_diagonal():
    found = state(explore.landmarks, way="pivots", m=9)
    k, C = Gaussian(found.sigma), found.C
    x = LANDMARKS.PLANE[::500]
    left = 1 - np.einsum("ij,ij->i", k(x, C) @ np.linalg.inv(k(C)), k(x, C))
    np.testing.assert_allclose(found.left.ravel()[::500], left, atol=1e-8)
    assert found.error == pytest.approx(trace_error(k, found.X, Landmarks(k, C)))


@pytest.mark.parametrize("way", LANDMARKS.WAYS.values())
@pytest.mark.parametrize("data", ["strays", "groups", "ring"])
def test_the_dot_lies_on_its_curve(data, way):
    for m in (4, 16):
        found = state(explore.landmarks, data=data, way=way, m=m)
        assert found.error == pytest.approx(found.curves[way][LANDMARKS.COUNTS.index(m)], abs=1e-9)


def test_greedy_stands_on_strays_and_is_the_worst():
    greedy, drawn = (state(explore.landmarks, way=way) for way in ("greedy", "pivots"))
    assert np.sum(np.linalg.norm(greedy.C, axis=1) > 1.2) >= 10 > 6 >= np.sum(np.linalg.norm(drawn.C, axis=1) > 1.2)
    assert greedy.error > 2 * max(state(explore.landmarks, way=way).error for way in ("random", "k-means", "pivots"))


def test_chance_almost_never_meets_six_small_groups():
    errors = {way: [state(explore.landmarks, data="groups", way=way, seed=seed).error for seed in range(10)]
              for way in ("random", "pivots")}  # fmt: skip
    assert np.mean(errors["pivots"]) < 0.5 * np.mean(errors["random"])
    for seed in range(10):
        C = state(explore.landmarks, data="groups", way="random", seed=seed).C
        assert np.sum(np.linalg.norm(C, axis=1) > 1.8) <= 4


def test_one_more_landmark_moves_no_other():
    for way in ("random", "pivots", "greedy"):
        few, more = (state(explore.landmarks, way=way, m=m).C for m in (8, 9))
        np.testing.assert_array_equal(few, more[:8])


@pytest.mark.parametrize("pairs", ["single", "pairs"])
@pytest.mark.parametrize("kernel", ["gaussian", "matern"])
def test_the_band_is_the_deviation_over_draws(kernel, pairs):
    draws = [state(explore.waves, kernel=kernel, pairs=pairs, D=20, seed=seed) for seed in range(400)]
    sums = np.array([draw.sum for draw in draws])[:, ::20]
    np.testing.assert_allclose(sums.std(axis=0), draws[0].deviation[::20], rtol=0.2, atol=0.02)
    assert (np.abs(sums.mean(axis=0) - draws[0].truth[::20]) <= 4.5 * draws[0].deviation[::20] / 20 + 1e-12).all()


def test_four_times_the_waves_halve_the_band_and_pairs_narrow_it():
    few, many, pairs = (state(explore.waves, **v) for v in ({}, {"D": 96}, {"pairs": "pairs"}))
    np.testing.assert_allclose(many.deviation, few.deviation / 2)
    assert (pairs.deviation <= few.deviation + 1e-12).all() and pairs.deviation[100] == pytest.approx(0, abs=1e-6)


def test_twenty_landmarks_predict_as_four_hundred_points():
    X, y = datasets.sine(400, 0.2)
    k, Z = Gaussian(0.5), np.linspace(X.min(), X.max(), 200)[:, None]
    exact = KernelRidge(k, 0.1).fit(X, y).predict(Z)
    gaps = [np.abs(PrimalRidge(Landmarks(k, X[:: 400 // m]), 0.1).fit(X, y).predict(Z) - exact).max() for m in (5, 20)]
    assert gaps[0] > 0.3 and gaps[1] < 0.01


def test_landmarks_come_nearer_to_the_exact_fit_than_as_many_waves():
    X, k = np.random.default_rng(0).standard_normal((300, 5)), Gaussian(2.0)
    t = 4 * X[:, 0] - X[:, 1] ** 2 + np.sin(3 * X[:, 2])
    exact = KernelRidge(k, 0.1).fit(X, t).predict(X)
    for D in (100, 200):
        near, far = (np.std(PrimalRidge(phi, 0.1).fit(X, t).predict(X) - exact)
                     for phi in (Landmarks(k, choose(k, X, D)), k.waves(D, 5)))  # fmt: skip
        assert near < 0.6 * far
