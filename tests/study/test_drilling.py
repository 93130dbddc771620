"""Where to drill next: formulas against brute force, and the race on maps that a kernel drew and on real ground."""

import numpy as np
import pytest

from kernelkit import Gaussian, KernelRidge, Kriging, Matern, datasets
from kernelkit.models.chunks import unfitted
from kernelkit.models.kriging import root
from kernelkit.study import drilling
from kernelkit.study.drilling import (
    LOOKING,
    PLANNED,
    STRATEGIES,
    drill,
    expected_improvement,
    plan,
    scores,
    upper_confidence_bound,
    variogram,
)

SIGMA, NOISE, MAPS = 0.15, 1e-4, 50


def square(side):
    """The middles of side × side cells of the unit square."""
    t = (np.arange(side) + 0.5) / side
    return np.array(np.meshgrid(t, t)).reshape(2, -1).T


Z = square(24)


@pytest.fixture(scope="module")
def maps():
    """Fifty maps that the kernel draws, one a column: (576, 50)."""
    return root(Gaussian(SIGMA)(Z)) @ np.random.default_rng(0).standard_normal((len(Z), MAPS))


def regret(maps, strategy, model=None, **options):
    """The mean regret after twenty holes."""
    model = model or Kriging(Gaussian(SIGMA), NOISE)
    return np.mean([drill(model, Z, truth, strategy, 20, i, **options).regret[-1] for i, truth in enumerate(maps.T)])


# ---- scores ---------------------------------------------------------------------------------------


def test_expected_improvement_is_the_mean_of_what_is_gained():
    draws = np.random.default_rng(0).standard_normal(400_000)
    for mean, std, best in ((0.0, 1.0, 0.0), (0.3, 0.5, 1.0), (2.0, 0.1, 1.0), (-1.0, 2.0, 0.5)):
        (ours,) = expected_improvement(np.array([mean]), np.array([std]), best)
        assert ours == pytest.approx(np.maximum(mean + std * draws - best, 0).mean(), abs=0.005)


def test_what_is_sure_improves_by_what_it_is_or_not_at_all():
    mean, std = np.array([2.0, 0.5]), np.zeros(2)
    assert expected_improvement(mean, std, 1.0).tolist() == [1.0, 0.0]
    assert upper_confidence_bound(mean, std + 0.5).tolist() == [3.0, 1.5]


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


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_holes_are_different_places_and_the_regret_never_grows(strategy):
    places = square(8)
    truth = np.sin(5 * places[:, 0]) + places[:, 1]
    model = Kriging(Gaussian(0.3), NOISE)
    holes = drill(model, places, truth, strategy, 12, random_state=3)
    assert len(set(holes.places.tolist())) == 12
    np.testing.assert_array_equal(holes.values, truth[holes.places])
    assert (
        (np.diff(holes.regret) <= 0).all()
        and holes.regret[0] == truth.max() - holes.values[0]
        and holes.regret[-1] >= 0
    )
    again_ = drill(model, places, truth, strategy, 12, random_state=3)
    np.testing.assert_array_equal(again_.places, holes.places)
    assert not hasattr(model, "a_") and unfitted(model).get_params() == model.get_params()


@pytest.mark.parametrize("strategy", [s for s in STRATEGIES if s != "random"])
def test_places_that_are_mirror_images_are_drilled_in_one_order_whatever_the_rounding(strategy, monkeypatch):
    """The middle of symmetric ground is drilled first, then of four equal corners the first."""
    places = square(7)
    truth = np.exp(-((places - 0.5) ** 2).sum(axis=1))
    model = Kriging(Gaussian(0.3), 1e-4)
    rng = np.random.default_rng(3)
    while np.random.default_rng(seed := int(rng.integers(10**6))).integers(49) != 24:
        pass
    orders = []
    for noise in range(6):
        shaken = np.random.default_rng(noise)
        with monkeypatch.context() as patch:
            patch.setattr(
                drilling,
                "scores",
                lambda *args, shaken=shaken: scores(*args) * (1 + 1e-12 * shaken.uniform(-1, 1, 49)),
            )
            moved = places * (1 + 1e-15 * shaken.uniform(-1, 1, places.shape)) if strategy in PLANNED else places
            orders.append(drill(model, moved, truth, strategy, 6, seed).places.tolist())
    assert orders == orders[:1] * 6


def test_all_that_look_begin_at_the_same_hole():
    truth = np.arange(64.0)
    firsts = {int(drill(Kriging(), square(8), truth, s, 1, random_state=2).places[0]) for s in LOOKING}
    assert len(firsts) == 1


def test_a_regular_grid_is_regular():
    places = square(30)
    holes = places[plan("regular grid", places, 20, np.random.default_rng(0))]
    for axis, count in ((0, 5), (1, 4)):
        steps = np.unique(holes[:, axis])
        assert len(steps) == count and np.ptp(np.diff(steps)) <= 1 / 30 + 1e-9


@pytest.mark.parametrize("holes", range(1, 10))
def test_a_grid_finer_than_the_map_drills_no_place_twice(holes):
    places = plan("regular grid", square(3), holes, np.random.default_rng(0))
    assert len({*places.tolist()}) == holes


@pytest.mark.parametrize("d", [1, 3])
def test_a_regular_grid_needs_a_plane(d):
    places = np.arange(10.0 * d).reshape(10, d)
    with pytest.raises(ValueError, match=rf"^A regular grid is laid .* Z must be \(m, 2\), got \(10, {d}\)\.$"):
        drill(Kriging(), places, places[:, 0], "regular grid", 4)
    assert len({*drill(Kriging(), places, places[:, 0], "random", 4).places.tolist()}) == 4


@pytest.mark.parametrize("strategy", ["Thompson", "random", "regular grid"])
def test_without_a_seed_it_drills_too(strategy):
    places = square(4)
    assert len({*drill(Kriging(), places, places[:, 0], strategy, 5, random_state=None).places.tolist()}) == 5


def test_uncertainty_alone_never_asks_what_was_found():
    places = square(12)
    one, other = (
        drill(Kriging(Gaussian(0.2), NOISE), places, t, "largest uncertainty", 10).places
        for t in (places[:, 0], np.sin(9 * places[:, 1]))
    )
    np.testing.assert_array_equal(one, other)


def test_what_cannot_be_drilled_is_told():
    places, truth = square(3), np.arange(9.0)
    with pytest.raises(
        ValueError, match=r"^Unknown strategy 'luck': there are largest uncertainty, .*, regular grid\."
    ):
        drill(Kriging(), places, truth, "luck")
    with pytest.raises(ValueError, match=r"^Unknown strategy 'random': those that look at a model are largest"):
        scores("random", Kriging().fit(places, truth), places, 1.0)
    with pytest.raises(ValueError, match="9 places need a truth of that length and at most as many holes"):
        drill(Kriging(), places, truth, "random", 10)
    with pytest.raises(ValueError, match="9 places need a truth of that length"):
        drill(Kriging(), places, truth[:5], "random", 3)
    with pytest.raises(ValueError, match="holes must be a whole number ≥ 1"):
        drill(Kriging(), places, truth, "random", 0)
    with pytest.raises(TypeError, match="tune_every must be a whole number ≥ 0, got 'often'"):
        drill(Kriging(), places, truth, "random", 3, tune_every="often")
    with pytest.raises(TypeError, match=r"model must be a Kriging, which knows how sure it is, got KernelRidge\(\)"):
        drill(KernelRidge(), places, truth, "Thompson", 3)


# ---- the race -------------------------------------------------------------------------------------


def test_expected_improvement_wins_on_fifty_maps(maps):
    improvement, uncertainty, random, grid = (
        regret(maps, s) for s in ("expected improvement", "largest uncertainty", "random", "regular grid")
    )
    assert improvement <= random / 2 and improvement <= uncertainty / 2 and improvement < grid
    assert improvement < 0.2 and uncertainty > 0.4  # in standard deviations of the ground


def test_so_it_does_on_some_maps_with_a_width_that_it_must_find(maps):
    """From a σ that is twice too large; all fifty maps are in the file of the drill's races."""
    model = Kriging(Gaussian(2 * SIGMA), NOISE)
    improvement = regret(maps[:, :10], "expected improvement", model, tune_every=5)
    assert improvement <= min(regret(maps[:, :10], s) for s in ("random", "largest uncertainty")) / 2


# ---- real ground ----------------------------------------------------------------------------------


def test_the_bands_keep_their_promise_on_real_ground():
    """Three draws of 80 holes; all twenty are in the file of the ground's figures."""
    X, y = datasets.ground(8)
    found = []
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(y))
        holes, rest = order[:80], order[80:]
        centre, scale = y[holes].mean(), y[holes].std()
        model = Kriging(1.0 * Matern(3.0, 0.5), 0.1).tuned(X[holes], (y[holes] - centre) / scale)
        mean, std = model.predict(X[rest], return_std=True)
        error, std = centre + scale * mean - y[rest], scale * np.sqrt(std**2 + model.noise)
        nearest = np.linalg.norm(X[rest, None] - X[holes], axis=-1).argmin(axis=1)
        naive = y[holes][nearest] - y[rest]
        inside = np.abs(error) < 1.96 * std
        found.append((inside.mean(), std.mean() / y.std(), np.sqrt((error**2).mean() / (naive**2).mean())))
    coverage, width, ratio = np.array(found).T
    assert 0.90 <= coverage.mean() <= 0.97 and width.mean() <= 0.7 and np.median(ratio) <= 0.88


# ---- the variogram --------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1e-310, 1e-200, 1e200, 1e305])
def test_grids_and_variograms_know_no_units(unit):
    y = np.sin(Z[:, 0])
    small, large = (plan("regular grid", places, 12, np.random.default_rng(0)) for places in (Z, unit * Z))
    np.testing.assert_array_equal(small, large)
    edges = np.array([0.013, 0.2, 0.5])
    here, there = variogram(Z[::5], y[::5], edges), variogram(unit * Z[::5], y[::5], unit * edges)
    np.testing.assert_array_equal(here.pairs, there.pairs)
    np.testing.assert_allclose(there.distance / unit, here.distance, rtol=1e-9)
    with pytest.raises(ValueError, match=r"^The squared differences of y overflow: scale the values\.$"):
        variogram(Z, 1e200 * y, edges)


def test_the_variogram_is_half_the_mean_square_of_the_pairs():
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0.0, 2.0, 3.0])
    found = variogram(X, y, [0.5, 1.5, 2.5, 2.75, 4.0])
    np.testing.assert_allclose(found.half_square, [2.0, 0.5, np.nan, 4.5])
    np.testing.assert_allclose(found.distance, [1.0, 2.0, np.nan, 3.0])
    assert found.pairs.tolist() == [1, 1, 0, 1]


def test_on_average_it_is_what_the_kernel_lacks(maps):
    """γ(r) = k(0) − k(r) + noise, the mean over fifty maps."""
    rng = np.random.default_rng(1)
    measured = maps + 0.3 * rng.standard_normal(maps.shape)
    edges = np.linspace(0.01, 0.6, 13)
    found = [variogram(Z[::3], y[::3], edges) for y in measured.T]
    r = found[0].distance
    expected = 1 - np.exp(-(r**2) / (2 * SIGMA**2)) + 0.09
    np.testing.assert_allclose(np.mean([v.half_square for v in found], axis=0), expected, atol=0.1)


@pytest.mark.parametrize("y", [np.zeros(3), np.zeros((2, 1))], ids=["too many", "a column"])
def test_a_variogram_needs_one_number_for_each_point(y):
    with pytest.raises(ValueError, match=r"y must hold one number for each of the 2 points, got shape \("):
        variogram([[0.0], [1.0]], y, [0.0, 2.0])


@pytest.mark.parametrize("edges", [[1.0], [1.0, 1.0], [2.0, 1.0], [[0.0, 1.0]]], ids=str)
def test_bins_that_are_none_are_refused(edges):
    with pytest.raises(ValueError, match="edges must be two or more increasing distances"):
        variogram([[0.0], [1.0]], [0.0, 1.0], edges)
