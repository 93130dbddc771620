"""The readouts and pictures of notebook 13's explorers, against kernelkit's own models; its races and its trials."""

import numpy as np
import pytest
from panels import number, readout_of, state_of

from kernelkit import Gaussian, KernelRidge, Kriging, Linear, Matern, Periodic, datasets
from kernelkit.course.explorers.data import trials
from kernelkit.course.explorers.finding_gold import evidence, posterior, real_ground
from kernelkit.course.explorers.finding_gold.evidence import NOISES, SIGMAS
from kernelkit.course.explorers.finding_gold.posterior import GRID, KERNELS
from kernelkit.course.explorers.start_here import bumps
from kernelkit.models.kriging import root

# ---- posterior -------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS.values())
def test_nothing_measured_is_the_prior(kernel):
    state = state_of(posterior, "The prior", kernel=kernel)
    assert not state.mean.any() and state.draws.shape == (6, len(GRID))
    if kernel != "line":
        np.testing.assert_allclose(state.std, 1)
    assert not any("measurements" in label for label in readout_of(posterior, "The prior", kernel=kernel))


def test_the_mean_is_ridge_and_the_band_is_kriging_s():
    state, k = state_of(posterior, noise=0.05), Gaussian(posterior.start()["sigma"])
    X, y = state.data[:, :1], state.data[:, 1]
    np.testing.assert_allclose(state.mean, KernelRidge(k, 0.05).fit(X, y).predict(GRID), rtol=1e-9)
    std = Kriging(k, 0.05).fit(X, y).predict(GRID, return_std=True)[1]
    np.testing.assert_allclose(state.std, std, atol=1e-9)


def test_the_corrected_measurement_moves_the_band_and_keeps_its_width():
    before, after = state_of(posterior), state_of(posterior, "One is corrected")
    np.testing.assert_array_equal(before.std, after.std)
    assert np.abs(before.mean - after.mean).max() > 1.5


def test_draws_pass_near_the_measurements():
    state = state_of(posterior, "Draws")
    at = np.abs(GRID[:, 0] - state.data[:, :1]).argmin(axis=1)
    assert np.abs(state.draws[:, at] - state.data[:, 1]).max() < 0.5 < np.ptp(state.draws, axis=0).max()


def test_too_wide_a_kernel_is_surer_and_misses_its_own_measurements():
    state = state_of(posterior, "Too sure")
    at = np.abs(GRID[:, 0] - state.data[:, :1]).argmin(axis=1)
    assert round(2 * state.std.max(), 2) == 0.65, "as the text says"
    assert (np.abs(state.mean[at] - state.data[:, 1]) > 2 * state.std[at]).all()
    assert readout_of(posterior, "Too sure")["measurements in the band with noise"] == "2 of 5"


# ---- evidence --------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "n", "number"), [("sine", 20, 1), ("step", 5, 7), ("cubic", 60, 20)])
def test_the_maps_are_those_of_one_fit_at_a_time(data, n, number):
    X, y = getattr(datasets, data)(n, 0.3, random_state=number)
    found = {kind: state_of(evidence, data=data, n=n, number=number, kind=kind).M for kind in ("evidence", "alone")}
    for row, column in ((0, 20), (17, 5), (35, 40), (20, 25)):
        k, noise = Gaussian(SIGMAS[column]), NOISES[row]
        model = Kriging(k, noise).fit(X, y)
        assert found["evidence"][row, column] == pytest.approx(model.log_marginal_likelihood_, rel=1e-6)
        if (row, column) == (17, 5):
            inverse = np.linalg.inv(k(X) + noise * np.eye(n))
            left, variance = model.a_ / np.diag(inverse), 1 / np.diag(inverse)
            expected = -(left**2 / variance + np.log(2 * np.pi * variance)).sum() / 2
            assert found["alone"][row, column] == pytest.approx(expected, rel=1e-6)


def test_the_panel_begins_with_the_five_points_of_the_first_notebook():
    assert posterior.start()["points"] == bumps.start()["points"]


def test_two_holes_side_by_side_leave_a_wide_band_where_one_of_them_was():
    """The question of the panel, its answer with its numbers, and those that the text repeats."""
    before, after = state_of(posterior), state_of(posterior, posterior.question.scene)
    grown = 2 * (after.std - before.std)
    assert posterior.question.options[posterior.question.answer] == "where the second hole was"
    assert GRID[grown.argmax(), 0] == pytest.approx(-1.3, abs=0.05)
    first, second = (np.abs(GRID[:, 0] - x).argmin() for x in (-2.4, -1.3))
    assert 2 * before.std[second] == pytest.approx(0.2, abs=0.01) and 2 * after.std[second] > 1.65
    assert 2 * np.array([before.std[first], after.std[first]]) == pytest.approx([0.20, 0.17], abs=0.006)
    assert "from ±0.2 to ±1.7" in posterior.question.why


def test_the_three_terms_are_the_evidence():
    state = state_of(evidence)
    X, y = datasets.sine(30, 0.3, random_state=2)
    model = Kriging(Gaussian(1.0), 0.1).fit(X, y)
    assert state.terms.sum() == pytest.approx(model.log_marginal_likelihood_, rel=1e-10)


def test_narrow_bumps_fit_better_and_are_less_probable():
    before, after = state_of(evidence), state_of(evidence, "Narrow bumps")
    assert after.terms[0] > before.terms[0] + 3 and after.terms.sum() < before.terms.sum() - 10
    np.testing.assert_array_equal(after.before, before.terms)
    found = [*before.terms[:2], before.terms.sum(), *after.terms[:2], after.terms.sum()]
    assert np.round(found, 1).tolist() == [-13.5, 23.9, -17.2, -9.0, 7.1, -29.4], "as the text says"


def test_five_points_support_two_stories_and_sixty_one():
    """The region 2 below the top: of five points it holds much signal and much noise, of sixty a small island."""
    few, many = (state_of(evidence, scene).M for scene in ("Five points", "Sixty points"))
    near_few, near_many = few > few.max() - 2, many > many.max() - 2
    noisy, calm = NOISES > 0.5, NOISES < 0.01
    assert near_few[noisy].any() and near_few[calm].any() and not near_many[noisy].any() and not near_many[calm].any()
    assert near_many.mean() < 0.05 < 0.2 < near_few.mean()
    assert evidence.question.answer == 1 and evidence.question.scene == "Five points"
    thirty = state_of(evidence, whole=True).M
    near = thirty > thirty.max() - 2
    assert near_few.mean() == pytest.approx(0.5, abs=0.03) and near.mean() < 0.03
    ends = [*SIGMAS[near.any(axis=0)][[0, -1]], *NOISES[near.any(axis=1)][[0, -1]]]
    assert np.round(ends, 2).tolist() == [0.63, 1.12, 0.06, 0.16], "as the text says"


def test_leave_one_out_and_the_evidence_choose_alike_on_thirty_points():
    for sample in range(1, 11):
        one, other = (state_of(evidence, kind=kind, whole=True, number=sample) for kind in ("evidence", "alone"))
        assert one.M.max() - one.M[other.best] < 4


def test_over_the_samples_the_evidence_chooses_its_width_more_steadily_than_leave_one_out():
    spread = []
    for kind in ("evidence", "alone"):
        best = [state_of(evidence, kind=kind, whole=True, number=number).best for number in range(1, 21)]
        spread.append(np.log(SIGMAS[[column for _, column in best]]).std())
    assert np.exp(spread) - 1 == pytest.approx([0.14, 0.24], abs=0.015), "as the text says"


# ---- real ground -----------------------------------------------------------------------------


def test_the_trials_keep_the_promise_of_their_bands():
    """Twenty draws of eighty holes, each tuned by its evidence."""
    coverage, width, ratio = trials.stored("rough", 80)[:, 3:].T
    assert 0.90 <= coverage.mean() <= 0.97 and width.mean() <= 0.7 and np.median(ratio) <= 0.88
    assert len(ratio) == 20 and (ratio < 1).all()


def test_few_holes_make_a_shaky_promise():
    few, many = (trials.stored("rough", count)[:, 3] for count in (20, 80))
    assert few.std() > 1.8 * many.std()


def test_the_file_of_trials_holds_what_tuning_gives():
    places, heights, *_ = trials.measured(20, 9)
    tuned = trials.prior("rough").tuned(places, heights)
    row = trials.stored("rough", 20)[8]
    stored = (
        trials.prior("rough").set_params(kernel__c=row[0], kernel__k__sigma=row[1], noise=row[2]).fit(places, heights)
    )
    assert stored.log_marginal_likelihood_ == pytest.approx(tuned.log_marginal_likelihood_, abs=0.01)
    found = trials.trial("rough", 20, 9, *row[:3].tolist())
    np.testing.assert_allclose((found.coverage, found.width, found.ratio), row[3:], atol=1e-3)


def test_the_misses_stand_together_on_a_crest():
    """A place outside the band has another one beside it far oftener than chance would have it."""
    state = state_of(real_ground, "Outside the band")
    outside = state.outside.reshape(trials.ROWS, trials.COLUMNS)
    beside = (outside[:, 1:] & outside[:, :-1]).sum() / outside[:, :-1].sum()
    assert beside > 4 * outside.mean()
    heights = (state.y[state.outside] - state.y.mean()) / state.y.std()
    assert (
        heights.mean() > 1.7 and (state.y > state.found.mean)[state.outside].mean() > 0.85
    )  # high ground, foretold low


def test_the_first_picture_of_real_ground_shows_the_holes_alone():
    state = state_of(real_ground)
    assert "inside" not in real_ground.words(state) and state.view == "holes"
    coverage = trials.stored("rough", 80)[:, 3]
    assert round(coverage[0], 2) == 0.94 and round(coverage.mean(), 2) == 0.93
    assert "94\u00a0% of them do here, and 93\u00a0%" in real_ground.question.why
    assert 0.90 < state_of(real_ground, "Outside the band").found.coverage < 0.95


@pytest.mark.parametrize("kernel", real_ground.controls[0].ends())
@pytest.mark.parametrize("count", [20, 80])
def test_the_error_is_compared_with_that_of_the_nearest_hole(kernel, count):
    """The nearest hole is found here by its distance."""
    for draw in (1, 4, 9):
        values = {"kernel": kernel, "count": count, "draw": draw, "view": "mean"}
        state = state_of(real_ground, **values)
        holes = state.found.holes
        away = np.setdiff1d(np.arange(len(state.y)), holes)
        nearest = holes[((state.X[away][:, None] - state.X[holes]) ** 2).sum(axis=2).argmin(axis=1)]
        errors = [np.sqrt(np.mean((f - state.y[away]) ** 2)) for f in (state.found.mean[away], state.y[nearest])]
        told = number(readout_of(real_ground, **values)["error ÷ that of the nearest hole"])
        assert told == pytest.approx(errors[0] / errors[1], abs=0.0051)


# ---- what the text says ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def line():
    """Places on a line, and 200 grounds that a Gaussian kernel with σ = 0.7 draws there."""
    Z = np.linspace(-4, 4, 81)[:, None]
    return Z, np.random.default_rng(3).standard_normal((200, 81)) @ root(Gaussian(0.7)(Z)).T


@pytest.mark.parametrize(("sigma", "low", "high"), [(0.3, 0.96, 1.0), (0.7, 0.93, 0.97), (2.0, 0.0, 0.5)])
def test_a_band_keeps_its_promise_with_the_right_width(line, sigma, low, high):
    (Z, grounds), rng, inside = line, np.random.default_rng(4), []
    for truth in grounds:
        holes = rng.choice(81, 10, replace=False)
        y = truth[holes] + 0.1 * rng.standard_normal(10)
        mean, std = Kriging(Gaussian(sigma), 0.01).fit(Z[holes], y).predict(Z, return_std=True)
        inside.append(np.abs(truth - mean) < 1.96 * std)
    assert low < np.mean(inside) < high


def test_evidence_prefers_a_rough_kernel_for_a_step_and_a_smooth_one_for_a_sine():
    for data, rough in ((datasets.sine, False), (datasets.step, True)):
        smooth, kinked = (
            Kriging(1.0 * k, 0.1).tuned(*data(40, 0.1)).log_marginal_likelihood_
            for k in (Gaussian(1.0), Matern(1.0, 0.5))
        )
        assert (kinked > smooth + 1) if rough else (smooth > kinked + 10)


def test_trend_and_season_are_read_off_separately():
    x = np.linspace(0, 6, 60)[:, None]
    v = 0.5 * x[:, 0] + np.sin(2 * np.pi * x[:, 0]) + 0.2 * np.random.default_rng(2).standard_normal(60)
    trend, season = Linear(), Periodic(1.0, period=1.0)
    model = Kriging(trend + season, noise=0.04).fit(x, v)
    line, wave = (part(x, x) @ model.a_ for part in (trend, season))
    np.testing.assert_allclose(line + wave, model.predict(x), atol=1e-9)
    assert np.abs(line - 0.5 * x[:, 0]).max() < 0.3 and np.abs(wave - np.sin(2 * np.pi * x[:, 0])).max() < 0.35


def test_a_wider_kernel_s_functions_cross_zero_less_often(line):
    Z, grounds = line
    often = np.random.default_rng(3).standard_normal((200, 81)) @ root(Gaussian(0.3)(Z)).T
    crossings = [(np.diff(np.sign(f)) != 0).sum(axis=1).mean() for f in (often, grounds)]
    expected = [8 / (np.pi * sigma) for sigma in (0.3, 0.7)]  # Rice's formula: 1/πσ in each unit of length
    np.testing.assert_allclose(crossings, expected, rtol=0.1)


# ---- what is read off ------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{}, {"sigma": 7.0}, {"kernel": "line"}, {"kernel": "line", "noise": 1.0}])
def test_the_widest_place_of_the_band_is_compared_with_the_widest_of_the_prior(values):
    state = state_of(posterior, **values)
    k = Linear() + 1 if values.get("kernel") == "line" else Gaussian(values.get("sigma", 0.7))
    assert state.prior == pytest.approx(2 * np.sqrt(k.diag(GRID)).max())
    assert bool(state.std.max() < 0.99 * state.prior / 2) is bool(values)


@pytest.mark.parametrize(
    ("kernel", "sigma", "noise", "measured"),
    [("periodic", 7.0, 1.0, 2), ("periodic", 0.7, 1.0, 2), ("periodic", 2.78675, 1.0, 3), ("gaussian", 7.0, 1.0, 2)],
)
def test_the_band_is_the_variance_written_out(kernel, sigma, noise, measured):
    """1 − kᵀ(K + noise·I)⁻¹k, with the period 2."""

    def k(x, z):
        r2 = (2 * np.sin(np.pi * (x[:, None] - z) / 2)) ** 2 if kernel == "periodic" else (x[:, None] - z) ** 2
        return np.exp(-r2 / (2 * sigma**2))

    x, z = np.array([-2.4, -1.3, -0.2])[:measured], np.linspace(-4, 4, 201)
    std = np.sqrt(1 - (k(z, x) * np.linalg.solve(k(x, x) + noise * np.eye(measured), k(x, z)).T).sum(axis=1))
    readout = readout_of(posterior, kernel=kernel, sigma=sigma, noise=noise, measured=measured)
    assert number(readout["band at its narrowest"]) == pytest.approx(2 * std.min(), rel=0.06)
    assert number(readout["band at its widest"]) == pytest.approx(2 * std.max(), rel=0.06)


@pytest.mark.parametrize(
    ("kernel", "count", "draw"), [("rough", "20", 18), ("gaussian", "80", 10), ("rough", "80", 15)]
)
def test_the_places_inside_the_band_are_counted_where_no_hole_is(kernel, count, draw):
    values = {"view": "mean", "kernel": kernel, "count": count, "draw": draw}
    state, readout = state_of(real_ground, **values), readout_of(real_ground, **values)
    others = np.setdiff1d(np.arange(len(state.y)), state.found.holes)
    inside = np.abs(state.y - state.found.mean)[others] <= 1.96 * state.found.std[others]
    assert number(readout["inside the 95\u00a0% band"]) == pytest.approx(np.mean(inside), abs=0.00051)
    assert readout["other places"] == str(len(others))
