"""The explorer of notebook 13 that drills: what it shows is what the strategies do."""

import re

import numpy as np
import pytest
from panels import state_of

from kernelkit import Gaussian, Kriging
from kernelkit.explorers.finding_gold import drill
from kernelkit.explorers.finding_gold.drill import SHORT, name_of, read_holes
from kernelkit.explorers.shared import gold
from kernelkit.study.drilling import STRATEGIES, drill as race, expected_improvement

# ---- drill -----------------------------------------------------------------------------------


def test_holes_are_read_as_people_type_them():
    assert read_holes("A1, b2;X24  x24") == ([0, 25, 575], [])
    assert read_holes("Z9 E0 E25 gold 12 C07") == ([146], ["Z9", "E0", "E25", "gold", "12"])
    assert [name_of(p) for p in (0, 25, 575)] == ["A1", "B2", "X24"]
    assert len(read_holes(" ".join(f"{c}{i}" for c in "ABC" for i in range(1, 25)))[0]) == 20


def test_the_maps_of_the_drill_are_kriging_s():
    state = state_of(drill, view="gain")
    places = gold.PLACES[state.places]
    model = Kriging(Gaussian(0.15), gold.NOISE).fit(places, gold.truth_of("drawn", 25)[state.places])
    mean, std = model.predict(gold.PLACES, return_std=True)
    np.testing.assert_allclose(state.mean, mean, atol=1e-10)
    np.testing.assert_allclose(state.std, std, atol=1e-7)
    np.testing.assert_allclose(state.shown, expected_improvement(mean, std, state.values.max()), atol=1e-9)
    assert state.next == state.shown.argmax() and state.next not in state.places


def test_a_place_is_not_drilled_twice():
    """The cross of the truth stands on the richest place, until there is a hole."""
    richest = int(gold.truth_of("drawn", 25).argmax())
    assert state_of(drill, view="truth", holes="A1").next == richest
    assert state_of(drill, view="truth", holes=f"A1 {name_of(richest)}").next != richest


def test_a_click_drills_and_a_second_one_takes_it_back():
    panel = drill()
    choose = drill.click["map"]
    panel.set(**choose(panel.state, 2.2, 6.9))
    assert panel.values["holes"] == "E5 S7 L15 C8"
    panel.set(**choose(panel.state, 2.0, 7.0))
    assert panel.values["holes"] == "E5 S7 L15"
    panel.do(drill.act["Drill at ×"])
    assert len(panel.state.places) == 4
    panel.do(drill.act["Undo"])
    assert panel.values["holes"] == "E5 S7 L15"
    panel.set(holes="")
    panel.do(drill.act["Undo"])
    assert panel.values["holes"] == "" and "No hole yet" in panel.sentence
    panel.set(holes=" ".join(f"{c}{i}" for c in "ABC" for i in range(1, 9)))
    panel.do(drill.act["Drill at ×"])
    assert len(panel.state.places) == 20


def test_a_word_that_is_no_place_is_named():
    assert drill.describe(state_of(drill, holes="E5 gold")).startswith("“gold” is no place of this map")


def race_on(ground, strategy, number, model=None, every=0, holes=gold.HOLES):
    model = model or Kriging(Gaussian(0.15), gold.NOISE)
    return race(model, gold.PLACES, gold.truth_of(ground, number), strategy, holes, number, every)


def test_to_drill_at_the_cross_is_the_race_s_expected_improvement():
    run = race_on("drawn", STRATEGIES[2], 9, holes=12)
    values = drill.start() | {"number": 9, "view": "gain", "holes": name_of(int(run.places[0]))}
    while len(read_holes(values["holes"])[0]) < 12:
        values |= drill.act["Drill at ×"](**values)
    assert read_holes(values["holes"])[0] == run.places.tolist()


def last(ground):
    return {strategy: regret[:, -1].mean() for strategy, regret in gold.races()[ground].items()}


@pytest.mark.parametrize(
    ("ground", "strategy", "number"),
    [("drawn", STRATEGIES[2], 7), ("drawn", "regular grid", 3), ("real", "random", 11)],
)
def test_the_file_of_races_holds_what_a_race_gives(ground, strategy, number):
    run = race_on(ground, strategy, number, *gold.GROUNDS[ground])
    np.testing.assert_allclose(gold.races()[ground][strategy][number - 1], run.regret, atol=0.006)


@pytest.mark.parametrize("ground", ["drawn", "drawn, σ tuned"])
def test_expected_improvement_wins_over_fifty_maps(ground):
    left = last(ground)
    assert left["expected improvement"] <= left["random"] / 2 and left["expected improvement"] < left["regular grid"]
    assert left["expected improvement"] <= left["largest uncertainty"] / 2
    assert min(left, key=left.get) == "expected improvement" and len(gold.races()[ground]["random"]) == 50


def test_uncertainty_alone_is_no_better_than_chance_where_the_kernel_drew():
    left = last("drawn")
    assert max(left, key=left.get) == "largest uncertainty"


def test_on_real_ground_the_lead_is_smaller_and_another_is_ahead():
    left, best = last("real"), "upper confidence bound"
    assert min(left, key=left.get) == best
    assert left["expected improvement"] < left["random"] and left["expected improvement"] < left["largest uncertainty"]
    assert (
        left["expected improvement"] / left["random"]
        > 2 * last("drawn")["expected improvement"] / last("drawn")["random"]
    )
    assert f"{best} has the least regret left" in drill.describe(state_of(drill, "Real ground"))


def test_what_is_measured_is_a_race_with_the_panel_s_width():
    *_, (done, found) = drill.measure(**drill.start() | {"sigma": 0.4})
    runs = [race_on("drawn", STRATEGIES[2], i, Kriging(Gaussian(0.4), gold.NOISE)) for i in range(1, 11)]
    np.testing.assert_array_equal(found[STRATEGIES[2]], np.mean([run.regret for run in runs], axis=0))
    state = state_of(drill, measured=found)
    assert done == 1 and state.curves is found and "Over 10 maps and with this σ" in drill.describe(state)


def test_every_strategy_has_a_short_name_and_a_race():
    assert set(SHORT) == set(STRATEGIES) == set(gold.races()["real"])


def test_a_quincunx_knows_the_whole_map():
    said = drill.describe(state_of(drill, sigma=0.5, holes="E5 E20 T5 T20 M13"))
    assert float(re.search(r"deviation on the map is ([\d.]+)\.", said)[1]) <= 0.40


def test_the_first_picture_of_the_drill_shows_no_race():
    state = state_of(drill)
    assert not state.curves and "egret" not in drill.describe(state)
