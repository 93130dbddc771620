"""What the panels and the text of notebook 18 say is true on their data."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.path import Path as Outline
from panels import axes_of, marks_of, number, readout_of
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

from kernelkit import Gaussian, Landmarks, PrimalRidge
from kernelkit.course.explorers import scaling_up as explore
from kernelkit.course.panel.marks import Line, Text
from kernelkit.course.plots import INK
from kernelkit.study.landmarks import trace_error

FOLDER = "kernelkit.course.explorers.scaling_up"
LANDMARKS, WALL, RACE, TOTALS = (sys.modules[f"{FOLDER}.{name}"] for name in ("landmarks", "wall", "race", "totals"))


def state(explorer, scene=None, **values):
    return explorer.compute(**explorer.start() | explorer.scenes.get(scene, {}) | values)


def test_the_field_is_what_the_landmarks_leave_of_the_diagonal():
    found = state(explore.landmarks, way="pivots", m=9)
    k, C = Gaussian(found.sigma), found.C
    x = LANDMARKS.PLANE[::500]
    left = 1 - np.einsum("ij,ij->i", k(x, C) @ np.linalg.inv(k(C)), k(x, C))
    np.testing.assert_allclose(found.field.ravel()[::500], left, atol=1e-8)
    assert found.error == pytest.approx(trace_error(k, found.X, Landmarks(k, C)))


@pytest.mark.parametrize("way", LANDMARKS.WAYS.values())
@pytest.mark.parametrize("data", LANDMARKS.DATA.values())
def test_the_dot_lies_on_its_curve(data, way):
    for m in (4, 16):
        found = state(explore.landmarks, data=data, way=way, m=m)
        assert found.error == pytest.approx(found.curves[way][LANDMARKS.COUNTS.index(m)], abs=1e-9)


def test_greedy_stands_on_strays_and_is_the_worst():
    greedy, drawn = (state(explore.landmarks, way=way) for way in ("greedy", "pivots"))
    assert np.sum(np.linalg.norm(greedy.C, axis=1) > 1.2) >= 10 > 6 >= np.sum(np.linalg.norm(drawn.C, axis=1) > 1.2)
    assert greedy.error > 2 * max(state(explore.landmarks, way=way).error for way in ("random", "k-means", "pivots"))


def test_greedy_is_soon_the_worst_until_it_has_served_most_strays():
    for m in (4, 9, 16):
        errors = {way: state(explore.landmarks, way=way, m=m).error for way in LANDMARKS.WAYS.values()}
        assert max(errors, key=errors.get) == "greedy"
    assert state(explore.landmarks, way="greedy", m=27).error < state(explore.landmarks, way="random", m=27).error


def test_two_ways_get_below_one_percent_with_thirteen_landmarks():
    best = {
        way: min(state(explore.landmarks, data="groups", way=way, m=13, seed=seed).error for seed in range(10))
        for way in LANDMARKS.WAYS.values()
    }
    assert {way for way, error in best.items() if error < 0.01} == {"k-means", "pivots"}


def test_a_dozen_random_landmarks_usually_meet_none_or_one_of_six_small_groups():
    errors = {
        way: [state(explore.landmarks, data="groups", way=way, seed=seed).error for seed in range(10)]
        for way in ("random", "pivots")
    }
    assert np.mean(errors["pivots"]) < 0.5 * np.mean(errors["random"])
    drawn = [state(explore.landmarks, data="groups", way="random", seed=seed).C for seed in range(10)]
    met = [{round(float(np.arctan2(y, x) / (np.pi / 3))) % 6 for x, y in C if np.hypot(x, y) > 1.8} for C in drawn]
    assert sum(len(groups) <= 1 for groups in met) >= 7


def test_what_is_told_of_the_dot_is_what_is_read_below_and_elsewhere_as_drawn():
    found = state(explore.landmarks, way="greedy", m=12)
    tell = explore.landmarks.tell["errors"]
    assert tell(found, 12.1, 0) == f"m = 12: {LANDMARKS.left_out(found.error)}"
    low, high = found.curves["greedy"][1:3]  # at m = 4 and 9
    assert tell(found, 5, 0) == f"m = 5: about {LANDMARKS.left_out(low**0.8 * high**0.2)}"


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


def test_the_panel_begins_with_one_curve_and_a_scene_about_several_ways_shows_all():
    """On a page where nothing runs, the picture of the start must not answer the question."""
    assert set(state(explore.landmarks).curves) == {"random"}
    for scene, shown in ((None, 1), ("Greedy", 4)):
        marks = axes_of(explore.landmarks, state(explore.landmarks, scene))["errors"].marks
        curves = {mark.color for mark in marks if isinstance(mark, Line) and len(mark.x)}
        named = {mark.color for mark in marks if isinstance(mark, Text) and mark.words in LANDMARKS.WAYS}
        assert curves == named and len(named) == shown


def test_what_the_text_reads_off_the_panel_of_landmarks():
    errors = {way: state(explore.landmarks, way=way).error for way in ("greedy", "random")}
    assert [round(100 * errors[way]) for way in ("greedy", "random")] == [27, 9]
    for scene, part in (("Seven groups", 7.8), ("Groups by pivots", 1.1)):
        assert round(100 * state(explore.landmarks, scene).error, 1) == part
    ours = {way: state(explore.landmarks, data="race", way=way, m=16).error for way in LANDMARKS.WAYS.values()}
    assert max(ours, key=ours.get) == "greedy" and round(100 * ours["greedy"]) == 20
    narrow, wide = (state(explore.landmarks, sigma=sigma).error for sigma in (0.2, 3.0))
    assert round(100 * narrow) == 68 and wide < 0.001


# ---- the wall ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("D", WALL.FEATURES)
def test_the_ways_cross_at_one_and_a_half_times_the_features(D):
    """n³/3 = nD²/2 + D³/3 at n = 1.476 D, but for the making of K and of the features."""
    found = state(explore.wall, D=D, measured=None)
    one, other = WALL.counts_of(np.array([found.cross]), D).values()
    assert one[0] == pytest.approx(other[0], rel=0.01) and found.cross == pytest.approx(1.476 * D, rel=0.02)


def test_four_times_the_memory_are_twice_the_points():
    small, large = (state(explore.wall, memory=memory, measured=None) for memory in (16, 64))
    assert large.wall == pytest.approx(2 * small.wall) and 8 * small.wall**2 == pytest.approx(16e9)
    assert 40_000 < small.wall < 50_000, "the text: at n = 50 000 K is larger than most memories"


def test_measured_times_and_memory_of_this_machine_are_told():
    kept = state(explore.wall, measured=None)
    own = readout_of(explore.wall, measured={**kept.seconds, "gigabytes": 8.0})
    assert number(own["K fills 8 GB at"]) == pytest.approx((8e9 / 8) ** 0.5, rel=0.01)
    assert set(own) - set(readout_of(explore.wall)) == {"K fills 8 GB at", "measured, K is slower from"}


def test_a_measurement_stopped_at_once_leaves_the_later_cells_a_speed():
    kept = state(explore.wall, measured=None)
    stopped = {"kernel": ([200], [0.001]), "primal": ([], [])}
    assert state(explore.wall, measured=stopped).speed == kept.speed
    assert "measured, K is slower from" not in readout_of(explore.wall, measured=stopped)


def test_a_crossing_is_where_one_line_comes_above_the_other():
    assert WALL.crossing(np.array([1.0, 100.0]), [1, 100], [10, 10]) == pytest.approx(10)
    assert WALL.crossing(np.array([1.0, 100.0]), [10, 100], [1, 1]) is None


def test_what_was_kept_of_the_first_panel_says_how_long_a_billion_points_take():
    speed = state(explore.wall, measured=None).speed
    minutes = 1e9 * (1000 * 100 + 1000**2 / 2) / speed / 60
    assert speed == float(f"{speed:.0e}")
    assert minutes / 100 < 60 and minutes > 8 * 60, "a hundred machines need less than an hour, one more than a night"


# ---- K, and the fit ---------------------------------------------------------------------------------------


def test_the_two_triangles_are_k_and_what_the_landmarks_make_of_it():
    found = state(explore.landmarks, view="matrix", way="pivots", m=5)
    X = found.X[np.argsort(found.X[:, 0])]
    near = found.phi(X) @ found.phi(X).T
    np.testing.assert_allclose(found.field[10, 200], Gaussian(found.sigma)(X[10], X[200]))
    np.testing.assert_allclose(found.field[200, 10], near[200, 10])
    np.testing.assert_allclose(found.field.diagonal(), 1)
    rest = np.triu(found.field, 1).T - np.tril(found.field, -1)
    assert np.abs(rest).max() > 0.1, "five landmarks are not enough"
    many = state(explore.landmarks, view="matrix", way="pivots", m=40).field
    assert np.abs(np.triu(many, 1).T - np.tril(many, -1)).max() < 0.5 * np.abs(rest).max()


def test_the_fit_comes_near_to_that_of_all_points_with_more_landmarks():
    gaps = [state(explore.landmarks, view="fit", way="pivots", m=m).differ for m in (3, 12, 40)]
    assert gaps[0] > 2 * gaps[1] > 4 * gaps[2] and gaps[2] < 0.01


# ---- the race ---------------------------------------------------------------------------------------------


def test_a_race_has_a_row_for_each_way_and_number_of_features():
    fractions, found = zip(*RACE.measure(1000, 100, "gap"), strict=True)
    assert fractions[-1] == 1.0 and list(fractions) == sorted(fractions)
    rows = {way: np.array(part) for way, part in found[-1].items()}
    assert set(rows) == {"exact", *RACE.WAYS}
    for way in RACE.WAYS:
        assert rows[way][:, 0].tolist() == list(RACE.FEATURES) and (rows[way][:, 1] > 0).all()
    kept = state(explore.race, measured=None)
    for way in RACE.WAYS:
        np.testing.assert_allclose(rows[way][:, 2:], kept.rows[way][:, 2:], rtol=0.02, atol=2e-3)


@pytest.mark.parametrize("n", RACE.SIZES)
def test_landmarks_come_nearest_and_noise_is_met_before_the_exact_fit(n):
    found = state(explore.race, n=n, D=400, measured=None)
    gap = {way: part[0, 2] for way, part in found.at.items()}
    error = {way: part[0, 3] for way, part in found.at.items()}
    exact = found.exact[0, 3]
    assert max(gap["pivots"], gap["random"]) < 0.5 * min(gap["waves"], gap["orthogonal"])
    assert abs(error["pivots"] - exact) < 0.1 * exact, "on new points the curve has met the exact level"


def test_the_kept_times_say_what_the_text_reads_off_them():
    few, many = (state(explore.race, n=n, D=400, measured=None) for n in (1000, 4000))
    for found in (few, many):
        took = {way: part[0, 1] for way, part in found.at.items()}
        assert took["waves"] < took["random"] < took["pivots"], "waves are the quickest, pivots the slowest to choose"
        ratio = found.rows["random"][:, 2] / found.rows["pivots"][:, 2]
        assert (ratio < 2).all(), "in a cloud random landmarks are nearly as good"
    assert few.at["pivots"][0, 1] > few.exact[0, 1], "with few points all of K is not slow"
    assert many.exact[0, 1] > 16 * few.exact[0, 1], "K has 16 times as many numbers"
    assert many.at["waves"][0, 1] < 6 * few.at["waves"][0, 1]


def test_more_points_ask_for_more_landmarks():
    """The panel's question."""
    few, many = (readout_of(explore.race, n=n)["pivots"] for n in (1000, 4000))
    assert (few, many) == ("0.3", "0.564") and explore.race.scenes[explore.race.question.scene] == {"n": 4000}


def test_with_four_times_the_points_a_hundred_orthogonal_waves_come_nearest():
    at = state(explore.race, "Four times the points", measured=None).at
    assert min(at, key=lambda way: at[way][0, 2]) == "orthogonal"


@pytest.mark.parametrize("n", RACE.SIZES)
def test_a_hundred_features_are_too_few_for_the_error_of_the_exact_fit(n):
    found = state(explore.race, "Error on new points", n=n, measured=None)
    assert min(part[0, 3] for part in found.at.values()) > 1.1 * found.exact[0, 3]


def test_a_race_that_was_stopped_is_drawn_and_reads_what_was_measured():
    canvas = explore.race.canvas()
    for step, (_, found) in enumerate(RACE.measure(1000, 25, "error")):
        canvas.frame(state(explore.race, D=25, error="error", measured=found))
        assert len(readout_of(explore.race, D=25, error="error", measured=found)) == min(step, 4) + 1
        if step == 5:
            break


# ---- many machines, and Newton's steps --------------------------------------------------------------------


NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "18-scaling-up.ipynb"
CELLS = {cell["id"]: "".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]}


def one_process():
    """What the core path has made, as far as the cells of many machines need it; with fewer landmarks."""
    known = {"np": np, "PrimalRidge": PrimalRidge}
    exec(CELLS["data"], known)
    exec(CELLS["e052e290"].split("phi =")[0], known)
    return known | {"phi": Landmarks(known["k"], known["X"][:30])}


def test_where_no_cluster_starts_one_sentence_says_so_and_one_process_goes_on(monkeypatch, capsys):
    distributed = pytest.importorskip("dask.distributed")

    def refused(*args, **kwargs):
        raise OSError("no port is free")

    monkeypatch.setattr(distributed, "LocalCluster", refused)
    known = one_process()
    exec(CELLS["cluster"].replace("\nLink(", "\nlink = Link("), known)
    assert known["client"] is None
    assert known["link"].value == "No cluster starts here, so one process adds everything up."
    exec(CELLS["two-processes"], known)
    exec(CELLS["close"], known)
    one = PrimalRidge(known["phi"], 0.1).fit_chunks(known["stream"](20))
    np.testing.assert_allclose(known["many"].w_, one.w_, rtol=1e-8)
    assert "wrong on new points by 1." in capsys.readouterr().out


def test_newtons_steps_from_the_sums_of_chunks_end_where_the_package_ends():
    known = one_process()
    exec(CELLS["newton-passes"], known)
    solution = CELLS["newton-help"].split("```python\n")[1].split("```")[0]
    exec(solution, known)
    w, chunks = np.zeros(30), [load() for load in known["passes"]]
    for _ in range(known["classes"].n_iter_):
        w = known["newton_step"](chunks, known["phi"], 0.1, w)
    np.testing.assert_allclose(known["phi"](known["Z"]) @ (w - known["classes"].w_), 0, atol=1e-4)


# ---- totals that add ------------------------------------------------------------------------------

DEALT = [{"machines": W, "deal": deal} for W in (1, 2, 3, 5, 8) for deal in ("place", "random")]


def fit_of(n, D, keep=slice(None)):
    """The curve of ridge regression on these of the first n rows, at once."""
    X, y = (array[:n][keep] for array in TOTALS.rows())
    return PrimalRidge(TOTALS.bumps(D), TOTALS.LAM).fit(X, y).predict(TOTALS.GRID[:, None])


@pytest.mark.parametrize("values", DEALT)
def test_every_row_has_one_machine_and_all_machines_have_as_many(values):
    for n in (200, 2013):
        owner, chunk = TOTALS.dealt(n, values["machines"], values["deal"] == "place")
        sizes = np.bincount(owner * 8 + chunk, minlength=8 * values["machines"])
        assert sizes.sum() == n and len(sizes) == 8 * values["machines"] and np.ptp(sizes) <= 1


@pytest.mark.parametrize("values", DEALT)
@pytest.mark.parametrize("D", [6, 20, 24])
def test_the_curve_of_any_number_of_machines_is_that_of_one(values, D):
    np.testing.assert_allclose(state(explore.totals, D=D, n=2013, **values).curve, fit_of(2013, D), atol=1e-9)


@pytest.mark.parametrize("values", DEALT[2:])
def test_a_lost_machine_takes_its_rows_with_it_and_nothing_else(values):
    found = state(explore.totals, lost=2, **values)
    left = TOTALS.dealt(2000, values["machines"], values["deal"] == "place")[0] != 1
    np.testing.assert_allclose(found.curve, fit_of(2000, 20, left), atol=1e-9)
    assert found.total.n == left.sum()
    assert found.missed == pytest.approx(np.abs(fit_of(2000, 20) - found.curve).max(), abs=1e-9)


def test_the_only_machine_cannot_be_lost():
    assert state(explore.totals, machines=1, lost=1).total.n == 2000


@pytest.mark.parametrize("chunk", [1, 3, 8])
def test_a_stream_knows_the_rows_that_it_has_read(chunk):
    found = state(explore.totals, chunk=chunk)
    read = TOTALS.dealt(2000, 4, True)[1] < chunk
    np.testing.assert_allclose(found.curve, fit_of(2000, 20, read), atol=1e-9)
    assert found.total.n == read.sum() and found.total.gram.size + found.total.moment.size == found.numbers
    assert {len(found.points) <= 300 * chunk / 8 + 30, len(found.points) >= 300 * chunk / 8 - 30} == {True}


@pytest.mark.parametrize("W", range(1, 9))
def test_totals_are_added_in_pairs_in_as_few_rounds_as_can_be(W):
    found = TOTALS.in_pairs(range(1, W + 1))
    assert len(found) - 1 == int(np.ceil(np.log2(W))) and found[-1] == [W * (W + 1) // 2]
    assert state(explore.totals, machines=W).sent == (W - 1) * (20 * 20 + 20)


@pytest.mark.parametrize("D", [6, 9, 20])
def test_own_fits_are_far_off_where_each_machine_has_few_rows(D):
    """The mean of their ridge regressions, against scikit-learn's, and what it is where the penalty is next to nothing.

    Of 6 features some direction has so small an eigenvalue that a penalty of 1 counts even against 3000 rows.
    """
    values = {"deal": "random", "machines": 6, "D": D, "own": True}
    for n in (200, 2000, 20_000):
        found = state(explore.totals, **values, n=n)
        (X, y), (owner, _) = TOTALS.rows(), TOTALS.dealt(n, 6, False)
        Phi, grid = (TOTALS.bumps(D)(x) for x in (X[:n], TOTALS.GRID[:, None]))
        offs = []
        for lam in (TOTALS.LAM, 1e-3):
            ridge = Ridge(lam, fit_intercept=False, solver="svd")
            everyone, *own = (
                grid @ ridge.fit(Phi[at], y[:n][at]).coef_ for at in (slice(None), *(owner == i for i in range(6)))
            )
            offs.append(np.abs(np.mean(own, axis=0) - everyone).max())
        assert found.off == pytest.approx(offs[0], abs=1e-6)
        assert number(readout_of(explore.totals, **values, n=n)["mean of own fits off by"]) == pytest.approx(
            offs[0], abs=0.0051
        )
        if offs[0] > 0.2 and n // 6 >= 10 * D:  # the penalty weighs more against the rows of one machine
            assert offs[1] < 0.1 * offs[0]


@pytest.mark.parametrize("machines", [2, 8])
@pytest.mark.parametrize("n", [200, 20_000])
@pytest.mark.parametrize("chunk", [1, 8])
def test_the_mean_of_fits_of_places_is_far_from_the_fit_of_all(machines, n, chunk):
    found = state(explore.totals, deal="place", own=True, machines=machines, n=n, chunk=chunk)
    assert found.off > 0.2


def shares(image, hue):
    """What the ink of an image says: the square of how much of its hue there is."""
    return np.square((1 - image.pixels[..., 0]) / (1 - to_rgb(hue)[0]))


def test_each_machine_shows_its_products_and_next_to_them_its_column():
    found = state(explore.totals, machines=3)
    columns = marks_of(explore.totals, found, "machine: column")
    for image, hue, total in zip(columns, TOTALS.HUES, found.each, strict=False):
        share = np.abs(total.moment) / np.abs(sum(found.each).moment).max()
        np.testing.assert_allclose(shares(image, hue).ravel(), np.minimum(share, 1), atol=1e-9)
    drawn = [*marks_of(explore.totals, found, "sum: matrix"), *marks_of(explore.totals, found, "sum: column")]
    assert len(columns) == 3 and sum(shares(image, INK).size for image in drawn) == found.numbers


def test_the_matrices_of_the_machines_add_up_to_the_one_that_is_drawn_as_their_sum():
    found = state(explore.totals, machines=5)
    matrices, (total,) = (marks_of(explore.totals, found, f"{whose}: matrix") for whose in ("machine", "sum"))
    parts = [shares(image, hue) for image, hue in zip(matrices, TOTALS.HUES, strict=False)]
    assert len(parts) == 5
    np.testing.assert_allclose(sum(parts), shares(total, INK), atol=1e-12)


def test_the_mean_of_own_fits_is_a_quarter_where_rows_lie_apart_and_right_where_they_are_dealt_at_random():
    apart, mixed = state(explore.totals, "Mean of own fits"), state(explore.totals, "Dealt at random")
    high = np.abs(apart.curve) > 0.8
    assert 0.2 < np.median(apart.mean[high] / apart.curve[high]) < 0.35
    np.testing.assert_allclose(mixed.mean, mixed.curve, atol=0.03)


def test_a_lost_machine_is_a_hole_in_the_curve_only_where_rows_are_dealt_by_place():
    assert (
        state(explore.totals, "One is lost").missed
        > 0.5
        > 0.05
        > state(explore.totals, "One is lost, at random").missed
    )


def test_a_click_on_a_machine_loses_it_and_another_brings_it_back():
    click, found = explore.totals.click["flow"], state(explore.totals)
    assert click(found, 10, 0.6 * TOTALS.HIGH) == {"lost": 3} and click(found, 200, 100) == {}
    assert click(state(explore.totals, lost=3), 10, 0.6 * TOTALS.HIGH) == {"lost": 0}


def test_memory_is_eight_bytes_for_each_number():
    read = readout_of(explore.wall, n=100_000, D=500)
    assert (read["memory of K"], read["of 500 features"]) == ("80 GB", "0.4 GB")


@pytest.mark.parametrize("seed", range(6))
def test_the_error_of_a_draw_of_waves_and_what_is_expected(seed):
    shown, read = state(explore.waves, seed=seed), readout_of(explore.waves, seed=seed)
    error, expected = map(number, read.values())
    assert error == pytest.approx(np.linalg.norm(shown.sum - shown.truth) / len(shown.sum) ** 0.5, abs=6e-4)
    assert expected == pytest.approx(np.sqrt(np.mean(shown.deviation**2)), abs=6e-4)


@pytest.mark.parametrize("data", ["strays", "groups", "race"])
@pytest.mark.parametrize("way", ["greedy", "random"])
def test_what_is_left_out_inside_the_circle_and_outside_are_schur_complements(data, way):
    """Given the landmarks, k(x, x) - k(x, C) K_CC^-1 k(C, x) remains of a point: the variance of kriging."""
    shown = state(explore.landmarks, data=data, way=way, m=12)
    gram = rbf_kernel(np.vstack([shown.C, shown.X]), gamma=1 / (2 * shown.sigma**2))
    m = len(shown.C)
    left = np.diag(gram)[m:] - np.einsum("im,mi->i", gram[m:, :m], np.linalg.pinv(gram[:m, :m]) @ gram[:m, m:])
    read = readout_of(explore.landmarks, data=data, way=way, m=12)
    for place, sign in (("inside the dotted circle", 1), ("outside", -1)):
        few, points = (sign * ((X**2).sum(axis=1) - 1.2**2) <= 0 for X in (shown.C, shown.X))
        said = f"{few.sum()} of {m} landmarks for {100 * points.mean():.0f}\xa0% of the points, "
        assert number(read[place].removeprefix(said)) == pytest.approx(left[points].mean(), abs=5.1e-4)


@pytest.mark.parametrize("values", [{}, {"view": "fit"}, {"view": "matrix"}, {"data": "ring"}])
def test_the_circle_beyond_which_a_point_is_far_is_drawn_where_landmarks_are_counted_by_it(values):
    shown, read = state(explore.landmarks, **values), readout_of(explore.landmarks, **values)
    circles = marks_of(explore.landmarks, shown, "far")
    assert bool(circles) == ("outside" in read)
    for circle in circles:
        path = Outline(np.column_stack([circle.x, circle.y]))
        out, few = (np.sum(~path.contains_points(X)) for X in (shown.X, shown.C))
        assert read["outside"].startswith(f"{few} of 12 landmarks for {100 * out / 300:.0f}\xa0% of the points")


LOST = [
    {"machines": 2, "lost": 1},
    {"machines": 4, "lost": 2},
    {"machines": 5, "lost": 5, "D": 12},
    {"machines": 6, "lost": 1, "D": 6, "n": 200},
    {"machines": 3, "lost": 2, "D": 12},
]


@pytest.mark.parametrize("values", LOST)
def test_how_far_the_curve_moves_without_the_rows_of_one_stretch(values):
    """Ridge regressions with all rows and without a stretch of them, which lies at an end or between two others."""
    found, (X, y) = state(explore.totals, **values), (array[: values.get("n", 2000)] for array in TOTALS.rows())
    parts = np.array_split(np.argsort(X[:, 0], kind="stable"), values["machines"])
    parts.pop(values["lost"] - 1)
    centres, left = np.linspace(-3, 3, found.D)[:, None], np.concatenate(parts)
    Phi, grid = (rbf_kernel(x, centres, 1 / (2 * np.ptp(centres[:2]) ** 2)) for x in (X, TOTALS.GRID[:, None]))
    ridge = Ridge(1.0, fit_intercept=False, solver="svd")
    moved = np.abs(grid @ ridge.fit(Phi, y).coef_ - grid @ ridge.fit(Phi[left], y[left]).coef_)
    read = readout_of(explore.totals, **values)["without it the curve moves by"]
    assert number(read) == pytest.approx(moved.max(), abs=0.0051)


@pytest.mark.parametrize(("machines", "lost", "said"), [(4, 0, False), (4, 4, False), (4, 5, True), (1, 1, True)])
def test_a_machine_that_is_not_there_is_named_and_nothing_is_lost(machines, lost, said):
    whole, found = (state(explore.totals, machines=machines, lost=number) for number in (0, lost))
    assert bool(explore.totals.message(found)) == said
    assert (found.total.n == whole.total.n) == (said or not lost)
