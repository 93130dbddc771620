"""What the panels and the text of notebook 17 say is true of its patients; what is kept is what fitting gives."""

import time

import numpy as np
import pytest
from panels import number, readout_of
from scipy.ndimage import label
from sklearn.linear_model import Lasso, Ridge

from kernelkit import Gaussian, Monomials
from kernelkit.course.explorers import segmentation as explore
from kernelkit.course.explorers.data import hospital
from kernelkit.course.explorers.data.hospital import LADDER, LEARNED, OTHERS, PIXELS, dice_of, run_of
from kernelkit.images.filters import convolve, gaussian
from kernelkit.images.segmentation import FARTHEST, GROUPS, Segmenter, dice, find_pose, head_mask
from kernelkit.study.terms import forward

BRIGHT, NEAR, PLACED, BOTH = (LADDER[:n] for n in (1, 2, 3, 4))


def state(explorer, **values):
    return explorer.compute(**explorer.start() | values)


def found(groups, degree=1, lam=1.0, count=12):
    return dice_of(groups, degree, lam, count)[1].mean()


# ---- what is kept --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def four():
    """The patients of the small sample."""
    return hospital.scans_of(LEARNED[:4])


@pytest.mark.parametrize(
    ("groups", "degree", "lam"),
    [(BRIGHT, 3, 0.01), (("alignment", "symmetry"), 2, 1.0), (GROUPS, 1, 100.0), (BOTH, 2, 1.0)],
)
def test_the_file_of_fits_holds_what_fitting_gives(four, groups, degree, lam):
    kept, live = hospital.fitted(groups, degree, lam, 4), Segmenter(groups, degree, lam, PIXELS[4]).fit(*four)
    np.testing.assert_allclose(kept.mean_, live.mean_, rtol=1e-6)
    np.testing.assert_allclose(kept.spread_, live.spread_, rtol=1e-6)
    np.testing.assert_allclose(kept.w_, live.w_, atol=0.01 * np.abs(live.w_).max())
    for seed in OTHERS[:2]:
        p, tumour = live.probability(hospital.scan_of(seed)), hospital.patient_of(seed).tumour
        np.testing.assert_allclose(kept.probability(hospital.scan_of(seed)), p, atol=0.02)
        assert dice(p > 0.5, tumour) == pytest.approx(dice_of(groups, degree, lam, 4)[1][OTHERS.index(seed)], abs=0.005)


def test_the_file_of_terms_holds_what_selection_gives(four):
    X, y = hospital.sample(LEARNED[:4], PIXELS[4])
    Z = np.clip((X - X.mean(axis=0)) / X.std(axis=0), -FARTHEST, FARTHEST)
    chosen = np.flatnonzero(hospital.columns_of(NEAR))
    for kept, step in zip(run_of(2, 2, 4), forward(Z[:, chosen], y, 8, 2), strict=False):
        assert kept.term == tuple(chosen[i] for i in step.term) and kept.tried == step.tried
        assert kept.loss == pytest.approx(step.loss, abs=1e-5)
    assert [hospital.short_name(name) for name in four[0][0].names] == hospital.terms()["names"]


def test_columns_of_groups_are_those_of_the_pixels(four):
    for group in GROUPS:
        np.testing.assert_array_equal(hospital.columns_of([group]), [g == group for g in four[0][0].groups])


# ---- the text ------------------------------------------------------------------------------------


def test_a_curve_in_brightness_gains_little_and_the_neighbourhood_much():
    assert 0.45 < found(BRIGHT) < 0.62
    assert found(BRIGHT, 2) < found(BRIGHT) + 0.05 and found(BRIGHT, 3) < found(BRIGHT) + 0.05
    assert found(NEAR) > found(BRIGHT) + 0.15


def test_row_and_column_say_little_until_heads_are_aligned_and_the_other_side_adds():
    assert found((*NEAR, "coordinates")) < found(NEAR) + 0.04
    assert found(PLACED) > found(NEAR) + 0.08
    assert found(BOTH) > found(PLACED) + 0.01


def test_each_look_alike_is_silenced_by_its_own_feature():
    part = hospital.taken()
    assert part["midline"]["neighbourhood, alignment"] < 0.75 * part["midline"]["neighbourhood"]
    assert part["pair"]["neighbourhood, symmetry"] < 0.75 * part["pair"]["neighbourhood"]
    assert part["pair"]["neighbourhood, alignment"] > 0.9 * part["pair"]["neighbourhood"]


def test_all_at_once_learns_four_patients_by_heart_and_a_penalty_holds_it(four):
    every = tuple(GROUPS)
    model, (X, y) = hospital.fitted(every, 2, 0.01, 4), hospital.sample(LEARNED[:4], PIXELS[4])
    outputs = model.feature_map_((X - model.mean_) / model.spread_) @ model.w_
    assert (outputs * y > 0).all() and len(model.w_) > 2 * len(y)
    assert found(every, 2, 0.01, 4) < found(every, 1, 1.0, 4) - 0.01
    assert found(every, 2, 100.0, 4) > found(every, 2, 0.01, 4) + 0.01
    assert found(every, 2, 1.0, 12) > found(every) + 0.01


def test_a_blur_takes_noise_away():
    flat = np.random.default_rng(0).standard_normal((200, 200))
    assert convolve(flat, gaussian(2.0)).std() == pytest.approx(1 / (4 * np.sqrt(np.pi)), rel=0.1)


def test_the_long_axis_is_the_eigenvector_of_the_covariance():
    mask = head_mask(hospital.patient_of(103).channels)
    row, column = np.nonzero(mask)
    up = np.linalg.eigh(np.cov(column - column.mean(), row.mean() - row))[1][:, 1]
    up = up * np.sign(up[1])
    assert np.arctan2(-up[0], up[1]) == pytest.approx(find_pose(mask).angle, abs=1e-9)


# ---- terms, one by one ---------------------------------------------------------------------------


def test_the_loss_falls_and_the_held_out_one_turns_with_four_patients():
    run = run_of(4, 2, 4)
    losses, others = ([getattr(step, name) for step in run] for name in ("loss", "held_out"))
    assert (np.diff(losses) <= 1e-9).all()
    lowest = int(np.argmin(others))
    assert 8 <= lowest <= 20 and others[-1] > 1.1 * others[lowest]


def test_with_twelve_patients_it_turns_hardly():
    others = [step.held_out for step in run_of(4, 2, 12)]
    assert others[-1] < 1.02 * min(others)


def test_twelve_terms_are_enough_if_they_know_the_place_or_the_other_side():
    assert run_of(4, 2, 12)[11].dice > 0.88 and run_of(3, 2, 12)[11].dice > 0.85
    assert run_of(4, 2, 4)[0].term == run_of(4, 2, 12)[0].term and run_of(4, 2, 4)[0].dice > 0.8  # one difference
    assert all(step.dice < 0.85 for pool in (1, 2) for degree in (1, 2) for step in run_of(pool, degree, 12)[:12])


def test_the_hierarchy_tries_few_terms():
    assert sum(step.tried for step in run_of(4, 2, 12)[:12]) < 700
    for run in (run_of(4, 2, 12), run_of(2, 2, 4)):
        chosen = {()}
        for step in run:
            assert all(step.term[:i] + step.term[i + 1 :] in chosen for i in range(len(step.term)))
            chosen.add(step.term)


# ---- penalties on all terms ----------------------------------------------------------------------


def mse(y, h):
    return np.mean((y - h) ** 2)


def scene_of(name):
    return state(explore.penalties, **explore.penalties.scenes[name])


@pytest.mark.parametrize(("degree", "rows"), [(1, (5, 20, 40, 59)), (2, (0, 10, 18))])
def test_the_file_of_penalties_holds_what_scikit_learn_finds(degree, rows):
    (Phi, y, others, truth), terms = hospital.standard(degree, 4), hospital.every_term(degree)
    path, l2 = hospital.penalised(degree, 4)
    for row in (path[i] for i in rows):
        theirs = Lasso(alpha=row.lam / len(y), fit_intercept=False, tol=1e-8, max_iter=100_000).fit(Phi, y)
        assert row.held_out == pytest.approx(mse(truth, theirs.predict(others)), abs=5e-4)
        if row.terms:
            strong = np.abs(theirs.coef_) > 0.02 * np.abs(theirs.coef_).max()
            assert {term for term, s in zip(terms, strong, strict=True) if s} <= set(row.terms)
            assert row.kept == len(row.terms) <= np.sum(theirs.coef_ != 0) + 2
    for lam, held_out in l2[[0, 5, 10]]:
        theirs = Ridge(alpha=lam, fit_intercept=False, solver="cholesky").fit(Phi, y)
        assert held_out == pytest.approx(mse(truth, theirs.predict(others)), abs=1e-4)


def test_l1_keeps_at_most_as_many_terms_as_it_may_at_the_smallest_such_penalty():
    path, _ = hospital.penalised(1, 12)
    for kept in (1, 7, 30):
        row = state(explore.penalties, kept=kept).l1
        assert row.kept <= kept < min((other.kept for other in path if other.lam < row.lam), default=kept + 1)


def test_shrinking_is_most_of_what_l1_loses_with_four_terms():
    Phi, y, others, truth = hospital.standard(1, 12)
    shown = scene_of("Four terms")
    own, its, again = (loss[3] for loss in shown.loss.values())
    columns = [hospital.every_term(1).index(term) for term in shown.l1.terms]
    free = np.linalg.lstsq(Phi[:, columns], y, rcond=None)[0]
    assert again == pytest.approx(mse(truth, others[:, columns] @ free), abs=1e-5)
    assert own < again < (own + its) / 2


def test_with_few_pixels_and_all_products_the_penalties_win_if_they_are_strong_enough():
    shown, loose = map(scene_of, ("Few pixels, all products", "L2 let loose"))
    own, its, again = shown.loss.values()
    assert shown.l2[1] < its.min() < own.min() and own[-1] > 1.1 * own.min() and loose.l2[1] > 2 * own[-1]
    assert (its[14:] < again[14:]).all()


def test_the_bars_are_the_terms_that_are_kept():
    shown = state(explore.penalties, kept=4)
    assert [len(terms) for terms in shown.sets["forward selection"]] == list(range(1, 31))
    assert shown.sets["L1"][3] == set(shown.l1.terms)
    assert shown.sets["forward selection"][0] == shown.sets["L1"][0] == {shown.rows[0]}  # both begin with one term


# ---- the panels ----------------------------------------------------------------------------------


def test_the_map_is_that_of_the_model():
    shown = state(explore.tumour, patient=4, neighbourhood=True)
    model = hospital.fitted(NEAR, 1, 1.0, 12)
    np.testing.assert_array_equal(shown.p, model.probability(hospital.scan_of(103)))
    assert shown.here == pytest.approx(shown.others[3], abs=0.005)


def test_the_panel_says_how_much_of_the_look_alikes_is_called_tumour():
    values = {group: group in NEAR for group in GROUPS}
    near, placed = (state(explore.tumour, **values | more) for more in ({}, {"alignment": True, "symmetry": True}))
    assert near.alike == np.mean(near.p[near.person.look_alike] > 0.5) > 3 * placed.alike
    parts, count = label(near.person.look_alike)
    left = [float(np.mean(near.p[parts == i + 1] > 0.5)) for i in range(count)]
    sizes = [np.sum(parts == i + 1) for i in range(count)]
    assert sorted(left)[:2] == [0, 0] and 0.45 < left[np.argmax(sizes)] < 0.6  # the large one keeps about half
    read = readout_of(explore.tumour, **values)["look-alikes called tumour"]
    assert number(read) == pytest.approx(near.alike, abs=0.0051)


def test_the_panel_answers_at_once_from_kept_features():
    for degree in (1, 2):
        values = dict.fromkeys(GROUPS, True) | {"degree": degree, "patient": 4}
        state(explore.tumour, **values, lam=0.01)  # the features of patient 4 are kept now
        start = time.process_time()
        state(explore.tumour, **values, lam=100.0)
        assert time.process_time() - start < 0.15


def test_the_second_classifier_is_slower_by_its_products():
    scan, counts = hospital.scan_of(103), []
    for degree in (1, 2):
        model, start = hospital.fitted(tuple(GROUPS), degree, 1.0, 12), time.process_time()
        for _ in range(3):
            model.probability(scan)
        counts.append(time.process_time() - start)
    assert counts[1] > 4 * counts[0]


def test_without_features_every_pixel_is_the_same():
    shown = state(explore.tumour, intensities=False)
    assert len(np.unique(shown.p)) == 2 and shown.here == 0 and shown.features == 0


def test_too_many_products_of_three_are_not_fitted_and_it_is_said():
    assert state(explore.tumour, neighbourhood=True, degree=3).degree == 2
    assert readout_of(explore.tumour, neighbourhood=True, degree=3)["weights"] == "435 of degree 2"


def test_the_weights_counted_are_those_there_are():
    for groups, degree in ((BRIGHT, 3), (GROUPS, 2)):
        values = {group: group in groups for group in GROUPS}
        model = hospital.fitted(tuple(groups), degree, 1.0, 12)
        assert len(model.w_) == Monomials(degree).dim(hospital.columns_of(groups).sum())
        read = readout_of(explore.tumour, degree=degree, **values)["weights"]
        assert read == f"{len(model.w_)} of degree {degree}"


def test_the_selection_shows_its_steps():
    shown = state(explore.selection, pool=1, degree=1, step=30)
    assert shown.step == shown.last_step == len(shown.shown) == 4
    assert readout_of(explore.selection, step=0) == {"terms": "0 of at most 30"}


def test_the_last_term_has_no_others_to_win_against():
    values = {"pool": 1, "degree": 1, "count": 12}
    beaten = [readout_of(explore.selection, step=step, **values)["others that it beat"] for step in (1, 2, 3, 4)]
    assert beaten == ["3", "2", "1", "0"]


def test_a_gaussian_kernel_hears_no_more_than_brightness_says(four):
    """Here on the small sample; on all twelve patients in tests/images."""
    others, tumours = hospital.scans_of(OTHERS[:2])
    line, finer = (
        Segmenter(BRIGHT, pixels=PIXELS[4], **s).fit(*four).score(others, tumours).mean()
        for s in ({}, {"kernel": Gaussian(1.0), "landmarks": 100})
    )
    assert finer < line + 0.08


@pytest.mark.parametrize(("near", "means"), [(False, (0.53, 0.53)), (True, (0.84, 0.77))])
def test_new_heads_are_harder_where_the_neighbourhood_has_been_learned(near, means):
    shown = state(explore.tumour, neighbourhood=near)
    assert (np.mean(shown.learned), np.mean(shown.others)) == pytest.approx(means, abs=0.0051)
    read = readout_of(explore.tumour, neighbourhood=near)
    assert number(read["mean Dice, held out"]) == pytest.approx(np.mean(shown.others), abs=0.0051)
    assert number(read["mean Dice, learned from"]) == pytest.approx(np.mean(shown.learned), abs=0.0051)


@pytest.mark.parametrize("lam", [1.0, 31.6228, 1e5])
@pytest.mark.parametrize(("degree", "count", "kept"), [(1, 4, 10), (1, 12, 4), (1, 4, 16), (2, 12, 1)])
def test_the_residuals_that_are_read_are_those_that_are_kept(degree, count, kept, lam):
    """Of L1's path the last row that keeps no more terms, with its weights and with those fitted again."""
    path, l2 = hospital.penalised(degree, count)
    *_, row = (row for row in path if row.kept <= kept)
    (ridge,) = (held_out for other, held_out in l2 if np.isclose(other, lam, rtol=1e-4))
    read = readout_of(explore.penalties, degree=degree, count=count, kept=kept, lam=lam)
    chosen = {step.term for step in run_of(4, degree, count)[:kept]}
    assert number(read["terms in both"]) == len(chosen & set(row.terms))
    residuals = [number(value) for value in list(read.values())[1:]]
    wanted = [run_of(4, degree, count)[kept - 1].held_out, row.held_out, row.again, ridge]
    assert residuals == pytest.approx(wanted, abs=5.1e-4)


def test_a_degree_that_is_too_high_for_so_many_features_is_said():
    start = explore.tumour.start() | {"degree": 3}
    few, many = (explore.tumour.state(start | dict.fromkeys(GROUPS[1:], every)) for every in (False, True))
    assert few.degree == 3 and not explore.tumour.message(few)
    assert many.degree == 2 and "2 is fitted" in explore.tumour.message(many)
