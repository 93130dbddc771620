"""The gold rush of notebook 13: its fog is kriging's variance, its ghost the race's, and its scenes are real games."""

import asyncio
import contextlib
import io
import re
import sys

import numpy as np
import pytest
from panels import marks_of, number, readout_of, state_of

from kernelkit import Gaussian, Kriging
from kernelkit.course.explorers.data import gold
from kernelkit.course.explorers.finding_gold import gold_rush
from kernelkit.course.explorers.finding_gold.gold_rush import (
    GHOSTS,
    MAP,
    SEEN,
    _finer,
    known,
    name_of,
    read_holes,
)
from kernelkit.study import drilling
from kernelkit.study.drilling import STRATEGIES, drill, expected_improvement

MODULE = sys.modules[known.__module__]  # whose name the panel took
EXPECTED = "expected improvement"
ALL = " ".join(f"{c}{i}" for c in "ABC" for i in range(1, 9))


def read(text, ground="drawn", number=7):
    return read_holes(text, ground, number)


def race_on(ground, strategy, number, holes=gold.HOLES):
    return drill(gold.model_of(ground), gold.PLACES, gold.truth_of(ground, number), strategy, holes, number)


# ---- the game --------------------------------------------------------------------------------


def test_holes_are_read_as_people_type_them():
    assert read("A1, b2;X24  x24") == ([0, 25, 575], [])
    assert read("Z9 E0 E25 gold 12 C07") == ([146], ["Z9", "E0", "E25", "gold", "12"])
    assert [name_of(p) for p in (0, 25, 575)] == ["A1", "B2", "X24"]
    assert len(read(ALL)[0]) == gold.HOLES


def test_the_holes_of_a_map_stay_on_it():
    assert read("map 7: A1 B2") == ([0, 25], []) and read("A1 B2") == ([0, 25], [])
    assert read("map 8: A1 B2") == read("real map 7: A1 B2") == ([], [])
    assert read("real map 7: A1", "real") == ([0], [])
    assert read("gold: A1") == ([], ["gold"])
    panel = gold_rush()
    panel.set(**gold_rush.click["map"](panel.state, 2.2, 6.9))
    panel.set(number=MAP - 1)
    assert not panel.state.places and panel.state.fog == 1
    panel.set(number=MAP)
    assert panel.state.places == [2 + 24 * 7]


def test_a_word_that_is_no_place_is_named():
    assert gold_rush.message(state_of(gold_rush, holes="E5 gold")).startswith("“gold” is not a place of this map")
    assert gold_rush.message(state_of(gold_rush, holes="E5")) == ""


@pytest.mark.parametrize(("holes", "named"), [(":", ":"), ("  : C7", ":"), ("gold: C7", "gold"), ("C7 :", "C7")])
def test_what_stands_before_a_colon_is_named_and_the_colon_where_nothing_does(holes, named):
    assert re.match("“(.*?)” is not a place", gold_rush.message(state_of(gold_rush, holes=holes)))[1] == named


def test_clicks_keys_and_undo_play_the_same_game():
    panel = gold_rush()
    choose = gold_rush.click["map"]
    panel.set(**choose(panel.state, 2.2, 6.9))
    assert panel.values["holes"] == f"map {MAP}: C8" and (panel.values["column"], panel.values["row"]) == (3, 8)
    assert choose(panel.state, 2.0, 7.0) == {}, "a place is not drilled twice"
    panel.set(column=24, row=1)
    panel.do(gold_rush.act["Drill here"])
    panel.do(gold_rush.act["Drill here"])
    assert panel.values["holes"] == f"map {MAP}: C8 X1"
    panel.do(gold_rush.act["Undo"])
    assert panel.state.places == [2 + 24 * 7] and len(panel.state.ghost_places) == 1
    panel.do(gold_rush.act["Start again"])
    panel.do(gold_rush.act["Undo"])
    assert panel.values["holes"] == "" and panel.state.fog == 1


def test_the_twentieth_hole_lifts_the_fog_and_no_other_follows():
    panel = gold_rush()
    for i in range(gold.HOLES + 2):
        assert panel.state.fog == (1 if i < gold.HOLES else 0)
        panel.set(**gold_rush.click["map"](panel.state, i, i))
    assert len(panel.state.places) == gold.HOLES and "best" in panel.words
    panel.do(gold_rush.act["Undo"])
    assert panel.state.fog == 1 and "best" not in panel.words


def test_on_a_page_the_fog_glides_away_and_a_hole_before_is_there_at_once(even_frames):
    panel = gold_rush()
    panel.set(holes=" ".join(ALL.split()[:18]))
    seen = []
    panel.picture.observe(lambda _: seen.append(panel.state.fog), "png")

    async def play(column):
        panel.set(column=column, row=24)
        seen.clear()
        panel.do(gold_rush.act["Drill here"])
        for _ in range(100):
            await asyncio.sleep(0)
        return list(seen)

    assert asyncio.run(play(20)) == [1.0]
    fog = asyncio.run(play(24))
    assert len(fog) > 3 and fog == sorted(fog, reverse=True) and fog[0] > 0.9 and fog[-1] == 0


# ---- the fog and the ghost -------------------------------------------------------------------


@pytest.mark.parametrize("ground", gold.GROUNDS)
def test_mean_and_fog_are_kriging_s_of_your_holes_alone(ground):
    state = state_of(gold_rush, ground=ground, holes="E5 S7 L15")
    model = Kriging(gold.GROUNDS[ground], gold.NOISE).fit(gold.PLACES[state.places], state.truth[state.places])
    mean, std = model.predict(gold.PLACES, return_std=True)
    np.testing.assert_allclose(state.mean, mean, atol=1e-10)
    np.testing.assert_allclose(state.std, std, atol=1e-7)


def test_the_fog_does_not_know_what_was_found():
    """The variance holds no y: on every map the same holes leave the same fog."""
    one, other = (state_of(gold_rush, number=number, holes="E5 S7 L15") for number in (1, 2))
    np.testing.assert_array_equal(one.std, other.std)
    assert np.abs(one.mean - other.mean).max() > 0.5


@pytest.mark.parametrize("strategy", GHOSTS)
def test_the_ghost_plays_the_race_and_never_looks_at_you(strategy):
    run = race_on("drawn", strategy, 9)
    for holes in ("A1 A2 A3 A4", "E5 S7 L15 X24"):
        state = state_of(gold_rush, number=9, ghost=strategy, holes=holes)
        np.testing.assert_array_equal(state.ghost_places, run.places[:4])
        np.testing.assert_array_equal(state.ghost_values, run.values[:4])


def test_who_always_asks_the_ghost_plays_like_it():
    run = race_on("drawn", EXPECTED, 9)
    panel = gold_rush(number=9)
    for _ in range(gold.HOLES):
        panel.do(gold_rush.act["Ask the ghost"])
    (headline,) = marks_of(gold_rush, panel.state, "headline")
    assert panel.state.places == run.places.tolist() and "a draw" in headline.words


def test_the_finer_ground_goes_through_the_cells_and_leaves_a_level_level():
    finer = _finer()
    np.testing.assert_allclose(finer @ np.ones(gold.SIDE), 1, rtol=1e-12)
    bump = Gaussian(gold.SIGMA)
    fine = np.linspace(0, 1, len(finer))[:, None]
    np.testing.assert_allclose(finer @ bump(gold.T[:, None], [[0.4]])[:, 0], bump(fine, [[0.4]])[:, 0], atol=0.01)


def painted(state):
    """What the land of the map is painted from: share of gold, light, fog."""
    (land,) = marks_of(gold_rush, state, "land")
    return land.fields[:3]


def test_the_picture_s_fog_is_the_variance_and_is_lifted_from_the_truth():
    share, _, fog = painted(state_of(gold_rush, "Halfway"))
    state = state_of(gold_rush, "Halfway")
    at = np.arange(gold.SIDE) * 2 + 1  # the middles of the cells, among twice as many lines
    np.testing.assert_allclose(fog[np.ix_(at, at)].ravel(), state.std**2, atol=0.01)
    share, _, fog = painted(state_of(gold_rush, "The fog is gone"))
    lifted = np.clip((state.truth + 2.5) / (state.best + 2.5), 0, 1)
    assert fog.max() == 0 and np.abs(share[np.ix_(at, at)].ravel() - lifted).max() < 0.01


# ---- the scenes and the words ----------------------------------------------------------------


def test_a_greedy_game_stays_on_the_small_hill_that_it_met_first():
    """Each of its holes is where the mean of those before is largest."""
    state = state_of(gold_rush, "A greedy game")
    assert state.places[0] == state.ghost_places[0]
    for n in range(1, gold.HOLES):
        mean = state_of(gold_rush, number=SEEN, holes=" ".join(map(name_of, state.places[:n]))).mean.copy()
        mean[state.places[:n]] = -np.inf
        assert mean[state.places[n]] >= mean.max() - 1e-9
    assert np.ptp(gold.PLACES[state.places], axis=0).max() < 0.5
    assert state.best - state.values.max() > 1 > state.best - state.ghost_values.max()


def test_halfway_is_the_first_half_of_the_game_whose_fog_is_gone():
    half, whole = state_of(gold_rush, "Halfway"), state_of(gold_rush, "The fog is gone")
    assert half.places == whole.places[:10] and half.fog == 1 and whole.fog == 0


def test_the_ghost_never_looks_at_the_narrow_peak_that_the_upper_confidence_bound_finds():
    """Where expected improvement fails: its model is sure and wrong. The numbers are those of the text."""
    state, number = state_of(gold_rush, "The ghost fails"), 19
    assert state.places == race_on("real", "upper confidence bound", number).places.tolist()
    top = int(state.truth.argmax())
    assert name_of(top) == "B24" and round(state.truth[top], 2) == 5.74
    assert [name_of(p) for p in state.places[4:6]] == ["A24", "C24"] and round(state.values[4], 2) == 4.64
    assert round(state.ghost_values.max(), 2) == 2.05 and state.values.max() == state.truth[top]
    mean, std = (v[[top]] for v in known("real", number, tuple(state.ghost_places.tolist())))
    assert (round(mean[0], 2), round(std[0], 2)) == (-0.49, 0.62) and 10 < (state.truth[top] - mean[0]) / std[0] < 10.5
    assert expected_improvement(mean, std, state.ghost_values.max())[0] < 1e-5


def test_the_readout_for_a_friend_says_on_which_map_what_was_found():
    for scene in ("The fog is gone", "A greedy game", "Far apart"):
        state, readout = state_of(gold_rush, scene), readout_of(gold_rush, scene)
        found = state.truth[state.places].max(), state.truth[state.ghost_places].max(), state.truth.max()
        labels = f"map {SEEN}: you found", "ghost found", "best there is"
        np.testing.assert_allclose([number(readout[label]) for label in labels], found, atol=0.0051)
        place = state.truth[state.places].argmax()
        assert readout[labels[0]].endswith(f" at {name_of(state.places[place])}")


def test_no_scene_shows_the_map_that_the_panel_begins_with():
    start = state_of(gold_rush)
    assert not start.places and start.title == f"map {MAP}"
    for scene in gold_rush.scenes:
        assert state_of(gold_rush, scene).title != start.title


def test_a_hole_at_the_best_place_is_seen_in_its_star():
    """The star has no filling, and its inner corners are farther from the middle than the hole reaches."""
    state = state_of(gold_rush, "The fog is gone")
    (star,), (hole,) = (marks_of(gold_rush, state, name) for name in ("star", "holes"))
    assert star.color == "none" and len(star.x) == 1 and 0.38 * star.size / 2 > hole.size / np.sqrt(2) / 2


def test_the_fog_is_said_to_be_thickest_where_it_is():
    """Of several places alike, at the same one on every processor."""
    state = state_of(gold_rush, "Smooth ground")
    std, place = readout_of(gold_rush, "Smooth ground")["largest deviation"].split(" at ")
    (place,), _ = read(place)
    assert state.std[place] == pytest.approx(state.std.max()) and float(std) == pytest.approx(
        state.std.max(), abs=0.006
    )
    assert place == np.flatnonzero(state.std > state.std.max() - 1e-9)[0]


def test_of_equally_good_places_the_first_is_named_and_drilled_whatever_the_rounding(monkeypatch):
    """Around the first hole there are four such places, and far away from it many."""
    games, read_off, coded = set(), set(), set()
    values = gold_rush.start() | {"number": SEEN, "holes": "C7"}
    for seed in range(6):
        shaken = 1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, len(gold.PLACES))
        with monkeypatch.context() as patch:
            patch.setattr(MODULE, "known", lambda *game, s=shaken: [numbers * s for numbers in known(*game)])
            patch.setattr(drilling, "expected_improvement", lambda *a, s=shaken, **k: expected_improvement(*a, **k) * s)
            games.add(MODULE.played("greedy", 4))
            read_off.add(gold_rush.words(gold_rush.compute(**values)))
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(gold_rush.code(**values), {})
            coded.add(out.getvalue())
    assert len(games) == len(read_off) == len(coded) == 1


def test_a_quincunx_knows_the_whole_smooth_map():
    readout = readout_of(gold_rush, ground="smooth", holes="E5 E20 T5 T20 M13")
    assert number(readout["largest deviation"]) <= 0.40


# ---- the races behind it ---------------------------------------------------------------------


def last(ground):
    return {strategy: regret[:, -1].mean() for strategy, regret in gold.races()[ground].items()}


@pytest.mark.parametrize(
    ("ground", "strategy", "number"),
    [("drawn", EXPECTED, 7), ("drawn", "regular grid", 3), ("smooth", EXPECTED, 5), ("real", "random", 11)],
)
def test_the_file_of_races_holds_what_a_race_gives(ground, strategy, number):
    run = race_on(ground, strategy, number)
    np.testing.assert_allclose(gold.races()[ground][strategy][number - 1], run.regret, atol=0.006)


def test_expected_improvement_wins_over_fifty_maps():
    left = last("drawn")
    assert left[EXPECTED] <= left["random"] / 2 and left[EXPECTED] < left["regular grid"]
    assert min(left, key=left.get) == EXPECTED and len(gold.races()["drawn"]["random"]) == gold.MAPS
    told = readout_of(gold_rush, "A greedy game")[f"ghost's mean regret over {gold.MAPS} maps"]
    assert set(left) == set(STRATEGIES) and told == f"{left[EXPECTED]:.2f}"


def test_the_numbers_that_the_notebook_reads():
    found = {scene: state_of(gold_rush, scene).values.max() for scene in ("A greedy game", "Far apart")}
    assert {scene: round(value, 2) for scene, value in found.items()} == {"A greedy game": 1.34, "Far apart": 2.73}
    missed = {"drawn": (0.06, 0.43, 0.43), "real": (0.34, 0.95, None)}
    for ground, numbers in missed.items():
        for strategy, mean in zip((EXPECTED, "random", "largest uncertainty"), numbers, strict=True):
            assert mean is None or last(ground)[strategy] == pytest.approx(mean, abs=0.0055)


def test_uncertainty_alone_is_no_better_than_chance_where_the_kernel_drew():
    left = last("drawn")
    assert max(left, key=left.get) == "largest uncertainty"


def test_on_real_ground_the_lead_is_smaller():
    drawn, real = last("drawn"), last("real")
    assert min(real, key=real.get) == EXPECTED
    assert real[EXPECTED] / real["random"] > 2 * drawn[EXPECTED] / drawn["random"]
