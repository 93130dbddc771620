"""Where to drill next: formulas against brute force, the race on maps that a kernel drew, and the variogram."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from kernelkit import Gaussian, Kriging, datasets
from kernelkit.models.kriging import root
from kernelkit.study import drilling
from kernelkit.study.drilling import LOOKING, PLANNED, STRATEGIES, drill, expected_improvement, plan, scores, variogram

SIGMA, NOISE = 0.15, 1e-4


def square(side):
    """The middles of side × side cells of the unit square."""
    t = (np.arange(side) + 0.5) / side
    return np.array(np.meshgrid(t, t)).reshape(2, -1).T


Z = square(24)


# ---- scores ---------------------------------------------------------------------------------------


def test_expected_improvement_is_the_mean_of_what_is_gained():
    """Where the ground is sure, the last two places, it is what is gained there, or nothing."""
    mean, std = np.array([0.0, 0.3, 2.0, -1.0, 2.0, 0.5]), np.array([1.0, 0.5, 0.1, 2.0, 0.0, 0.0])
    t = np.linspace(-12, 12, 200_001)
    for best in (0.0, 1.0):
        gained = np.maximum(mean[:, None] + std[:, None] * t - best, 0)
        expected = (gained * norm.pdf(t)).sum(axis=1) * (t[1] - t[0])
        np.testing.assert_allclose(expected_improvement(mean, std, best), expected, atol=1e-7)


@pytest.mark.parametrize("strategy", LOOKING)
def test_a_score_stands_for_its_name(strategy):
    X, y = datasets.sine(8)
    places, model = np.linspace(-4, 4, 30)[:, None], Kriging(Gaussian(0.5), 0.01).fit(X, y)
    mean, std = model.predict(places, return_std=True)
    expected = {
        "largest uncertainty": std,
        "upper confidence bound": mean + 2 * std,
        "expected improvement": expected_improvement(mean, std, 0.9),
        "Thompson": model.sample(places, random_state=5)[0],
    }
    np.testing.assert_allclose(scores(strategy, model, places, 0.9, 5), expected[strategy], rtol=1e-12)


# ---- drilling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [3, None])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_holes_are_different_places_and_the_regret_is_what_the_best_of_them_lacks(strategy, seed):
    places = square(8)
    truth = np.sin(5 * places[:, 0]) + places[:, 1]
    model = Kriging(Gaussian(0.3), NOISE)
    holes = drill(model, places, truth.tolist(), strategy, 12, random_state=seed)
    assert len(set(holes.places.tolist())) == 12 and not hasattr(model, "a_")
    np.testing.assert_array_equal(holes.values, truth[holes.places])
    assert holes.regret.tolist() == [truth.max() - holes.values[: i + 1].max() for i in range(12)]
    if seed is not None:
        again = drill(model, places, truth, strategy, 12, random_state=seed)
        np.testing.assert_array_equal(again.places, holes.places)
        if strategy in LOOKING:  # they all begin at the same hole
            assert holes.places[0] == np.random.default_rng(seed).integers(64)


@pytest.mark.parametrize("strategy", [s for s in STRATEGIES if s != "random"])
def test_places_that_are_mirror_images_are_drilled_in_one_order_whatever_the_rounding(strategy, monkeypatch):
    """The middle of symmetric ground is drilled first, then of four equal corners the first."""
    places = square(7)
    truth = np.exp(-((places - 0.5) ** 2).sum(axis=1))
    seed = next(seed for seed in range(1000) if np.random.default_rng(seed).integers(49) == 24)
    orders = []
    for noise in range(6):
        rng = np.random.default_rng(noise)
        shaken = lambda *args, rng=rng: scores(*args) * (1 + 1e-12 * rng.uniform(-1, 1, 49))  # noqa: E731
        monkeypatch.setattr(drilling, "scores", shaken)
        moved = places * (1 + 1e-15 * rng.uniform(-1, 1, places.shape)) if strategy in PLANNED else places
        orders.append(drill(Kriging(Gaussian(0.3), 1e-4), moved, truth, strategy, 6, seed).places.tolist())
    assert orders == orders[:1] * 6


def test_a_regular_grid_is_regular_and_in_the_middle_of_the_map():
    places = square(30)
    holes = places[plan("regular grid", places, 20, np.random.default_rng(0))]
    for axis, count in ((0, 5), (1, 4)):
        steps = np.unique(holes[:, axis])
        assert len(steps) == count and np.ptp(np.diff(steps)) <= 1 / 30 + 1e-9
        assert abs(steps.mean() - 0.5) <= 1 / 60


@pytest.mark.parametrize("holes", range(1, 10))
def test_a_grid_finer_than_the_map_drills_no_place_twice(holes):
    places = square(3)
    assert len({*drill(Kriging(), places, places[:, 0], "regular grid", holes).places.tolist()}) == holes


def test_the_kernel_is_tuned_each_time_that_so_many_holes_more_are_drilled(monkeypatch):
    tuned, at = Kriging.tuned, []

    def noted(self, X, y, **settings):
        at.append(len(X))
        return tuned(self, X, y, **settings)

    monkeypatch.setattr(Kriging, "tuned", noted)
    drill(Kriging(Gaussian(0.3), NOISE), Z, Z[:, 0], "expected improvement", 12, tune_every=5)
    assert at == [5, 10]


# ---- the race -------------------------------------------------------------------------------------


def test_expected_improvement_wins_on_thirty_maps_that_the_kernel_draws():
    maps = (root(Gaussian(SIGMA)(Z)) @ np.random.default_rng(0).standard_normal((len(Z), 50))).T[:30]

    def regret(strategy):
        """The mean regret after twenty holes, in standard deviations of the ground."""
        races = [drill(Kriging(Gaussian(SIGMA), NOISE), Z, truth, strategy, 20, i) for i, truth in enumerate(maps)]
        return np.mean([race.regret[-1] for race in races])

    names = ("expected improvement", "largest uncertainty", "random", "regular grid")
    improvement, uncertainty, random, grid = map(regret, names)
    assert improvement <= random / 2 and improvement <= uncertainty / 2 and improvement < grid
    assert improvement < 0.2 and uncertainty > 0.4


# ---- the variogram --------------------------------------------------------------------------------


@pytest.mark.parametrize("edges", [[0.0, 2.0], [1.0, 2.0, 2.25, 2.75, 5.0]], ids=str)
def test_the_variogram_is_half_the_mean_square_of_the_pairs_of_each_bin(edges):
    """Distances are whole numbers here: some lie on an edge, some beyond the last, and one bin has none."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (12, 1)).astype(float), rng.standard_normal(12)
    pairs = [(abs(X[i, 0] - X[j, 0]), (y[i] - y[j]) ** 2 / 2) for i in range(12) for j in range(i)]
    found = variogram(X, y.tolist(), edges)
    for i, (low, high) in enumerate(pairwise(edges)):
        inside = [pair for pair in pairs if low <= pair[0] < high] or [(np.nan, np.nan)]
        np.testing.assert_allclose([found.distance[i], found.half_square[i]], np.mean(inside, axis=0))
        assert found.pairs[i] == np.isfinite(inside)[:, 0].sum()
    assert len(found.pairs) == len(edges) - 1


@pytest.mark.parametrize("unit", [1e-310, 1e-200, 1e200, 1e305])
def test_grids_and_variograms_know_no_units(unit):
    y = np.sin(Z[:, 0])
    small, large = (plan("regular grid", places, 12, np.random.default_rng(0)) for places in (Z, unit * Z))
    np.testing.assert_array_equal(small, large)
    edges = np.array([0.013, 0.2, 0.5])
    here, there = variogram(Z[::5], y[::5], edges), variogram(unit * Z[::5], y[::5], unit * edges)
    np.testing.assert_array_equal(here.pairs, there.pairs)
    np.testing.assert_allclose(there.distance / unit, here.distance, rtol=1e-9)
