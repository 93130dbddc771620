"""The readouts and pictures of notebook 10's explorers, against kernelkit's own models and its study of them."""

import json
import re

import numpy as np
import pytest
from panels import drag, files, marks_of, number, readout_of, state_of
from scipy.stats import binomtest

from kernelkit import Gaussian, KernelRidge, KernelSVM, Polynomial, datasets
from kernelkit.course.explorers.choosing_a_kernel import (
    bias_variance,
    hidden_test,
    learning,
    networks,
    sigma_lambda,
    validation,
)
from kernelkit.course.explorers.choosing_a_kernel.bias_variance import AT, REPEATS, TRUTHS, VALUES
from kernelkit.course.explorers.choosing_a_kernel.learning import SIZES
from kernelkit.course.explorers.choosing_a_kernel.sigma_lambda import LAMS, PLACES, SIGMAS as ACROSS, maps
from kernelkit.course.explorers.data.noisy_curve import SIGMAS, TEST_STATE, TESTS
from kernelkit.course.panel.picture import DPI
from kernelkit.study import selection

# ---- validation ------------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "lam", "n", "number"), [(0.5, 0.01, 30, 1), (2.0, 1.0, 10, 4), (0.1, 0.001, 60, 20)])
@pytest.mark.parametrize("data", ["sine", "step"])
def test_the_three_errors_are_those_of_kernel_ridge(data, sigma, lam, n, number):
    curve = getattr(datasets, data)
    model = KernelRidge(Gaussian(sigma), lam).fit(*curve(n, 0.3, random_state=2 * number))
    samples = [(n, 2 * number), (n, 2 * number + 1), (TESTS, TEST_STATE)]
    right = [np.mean((y - model.predict(X)) ** 2) for X, y in (curve(m, 0.3, random_state=s) for m, s in samples)]
    state = state_of(validation, data=data, sigma=sigma, lam=lam, n=n, number=number)
    np.testing.assert_allclose(state.here, right, rtol=1e-6)


@pytest.mark.parametrize("number", range(1, 21))
def test_the_training_error_chooses_the_narrowest_and_validation_none_of_the_ends(number):
    train, hold, _ = state_of(validation, along=True, number=number).curves
    assert train.argmin() == 0
    assert 0.3 < SIGMAS[hold.argmin()] < 2
    assert hold[-1] > 2 * hold.min()


def test_the_choice_jumps_from_sample_to_sample():
    chosen = {round(float(state_of(validation, along=True, number=k).best), 3) for k in range(1, 21)}
    assert len(chosen) >= 4


def test_the_first_picture_of_validation_does_not_give_the_answer_away():
    assert not state_of(validation).curves.size
    assert "validation chooses" not in readout_of(validation)


def test_the_choice_by_validation_is_the_scene_of_that_name():
    state = state_of(validation, "By validation")
    assert state.sigma == pytest.approx(state.best, rel=1e-4)


# ---- trails ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("explorer", "name", "view", "places"),
    [
        (validation, "sigma", {"along": True}, SIGMAS),
        (learning, "n", {"along": True}, SIZES),
        (bias_variance, "sigma", {"everywhere": True}, VALUES["sigma"]),
        (bias_variance, "lam", {"everywhere": True, "along": "lam"}, VALUES["lam"]),
        (bias_variance, "n", {"everywhere": True, "along": "n"}, VALUES["n"]),
    ],
)
def test_every_dot_that_was_left_lies_on_the_curve_that_appears_later(explorer, name, view, places):
    panel = explorer()
    panel.set(**{key: value for key, value in view.items() if key == "along" and explorer is bias_variance})
    reached = {i: type(explorer.start()[name])(places[i]) for i in (0, 2, 4, -1)}
    reached = {i: v for i, v in reached.items() if explorer.read({name: v})[name] == pytest.approx(v, rel=1e-5)}
    some = list(reached.values())
    assert len(some) >= 2
    for place in some:
        panel.set(**{name: place})
    state, whole = panel.state, state_of(explorer, **view)
    at = [state.visited.index(pytest.approx(place, rel=1e-5)) for place in some]
    curves = whole.shown if explorer is learning else whole.curves
    np.testing.assert_allclose(state.left[:, at], curves[:, list(reached)], rtol=1e-3)
    np.testing.assert_allclose([dots.y for dots in marks_of(explorer, state, "left")], state.left)


def test_the_dots_of_the_map_have_the_shades_that_it_will_have():
    panel = sigma_lambda()
    for sigma, lam in ((0.1, 0.0001), (1.0, 0.1), (10.0, 10.0)):
        panel.set(sigma=sigma, lam=lam)
    for kind in ("alone", "test"):
        panel.set(kind=kind)
        (dots,) = marks_of(sigma_lambda, panel.state, "left")
        (whole,) = marks_of(sigma_lambda, state_of(sigma_lambda, kind=kind, whole=True), "shades")
        rows, columns = zip(*(PLACES.nearest(*place) for place in dots.places), strict=True)
        np.testing.assert_array_equal(255 * dots.color, whole.pixels[rows, columns])
        shown = PLACES.shade(np.log10(maps("sine", 30, 0.3, 1)[kind]))
        np.testing.assert_array_equal(whole.pixels, shown)
        assert len(rows) == 3, "the first place again is no second dot"


@pytest.mark.parametrize("explorer", [validation, bias_variance, sigma_lambda, learning], ids=lambda e: e.title)
def test_the_invitation_leaves_once_it_was_followed(explorer):
    panel = explorer()
    assert marks_of(explorer, panel.state, "invitation")
    name = "n" if explorer is learning else "sigma"
    panel.set(**{name: 30 if explorer is learning else 2.0})
    assert not marks_of(explorer, panel.state, "invitation")
    panel.scenes.reset.click()
    assert marks_of(explorer, panel.state, "invitation")


@pytest.mark.parametrize(
    ("explorer", "place"),
    [(validation, 0.2), (bias_variance, 0.2), (learning, 80)],
    ids=lambda e: getattr(e, "title", e),
)
def test_a_click_in_the_errors_chooses_the_place_and_leaves_its_dots(explorer, place):
    panel = explorer()
    x, y = panel.canvas.to_pixels("errors", [(place, 0.7)])[0] / (np.array(explorer.size) * DPI)
    drag(panel, id=1, x0=x, y0=y, x=x, y=y, done=True)
    assert panel.state.visited[1:] == pytest.approx((place,), rel=0.03)


# ---- bias and variance -----------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "sigma", "degree"), [("gaussian", 0.5, 3), ("polynomial", 1.0, 5)])
@pytest.mark.parametrize("data", ["sine", "cubic", "step"])
def test_the_terms_are_those_of_bias_variance(data, kernel, sigma, degree):
    scale = 1 if kernel == "gaussian" else 3
    k = Gaussian(sigma) if kernel == "gaussian" else Polynomial(degree)

    def sample(seed):
        X, y = getattr(datasets, data)(20, 0.3, random_state=seed)
        return X / scale, y

    def truth(X):
        return TRUTHS[data](scale * X[:, 0])

    found = selection.bias_variance(KernelRidge(k, 0.1), sample, truth, REPEATS, AT[:, None] / scale)
    state = state_of(bias_variance, data=data, kernel=kernel, sigma=sigma, degree=degree, lam=0.1, n=20)
    np.testing.assert_allclose(state.terms[:2], (found.bias2, found.variance), rtol=1e-6)
    assert state.terms[2] == pytest.approx(np.mean((state.h - truth(AT[:, None] / scale)) ** 2) + 0.09, rel=1e-9)


def test_narrower_bumps_have_less_bias_and_more_variance():
    wide, narrow = state_of(bias_variance).terms, state_of(bias_variance, "Narrow bumps").terms
    between = state_of(bias_variance, "Between").terms
    assert narrow[0] < wide[0] / 10 and narrow[1] > 2 * wide[1]
    assert between[2] < min(narrow[2], wide[2])


def test_noise_is_no_bias():
    """What the question asks."""
    quiet, noisy = state_of(bias_variance).terms, state_of(bias_variance, bias_variance.question.scene).terms
    assert noisy[0] == pytest.approx(quiet[0], rel=0.01) and noisy[1] > 1.5 * quiet[1]
    right = bias_variance.question
    assert right.options[right.answer] == "bias² stays, variance grows"


def test_much_of_the_variance_is_where_the_points_lie():
    """Of degree 12 through ten points, most of it is there without any noise."""
    wild = {"data": "step", "kernel": "polynomial", "degree": 12, "lam": 1e-4, "n": 10}
    noisy, clean = (state_of(bias_variance, **wild, noise=noise) for noise in (0.1, 0.0))
    assert clean.terms[1] > 0.5 * noisy.terms[1] and noisy.terms[1] > 5 * noisy.terms[0]


def test_ten_samples_choose_widths_from_a_half_to_one_and_a_half():
    chosen = [number(readout_of(validation, number=k, along=True)["validation chooses"]) for k in range(1, 11)]
    assert (min(chosen), max(chosen)) == (0.5, 1.6) and validation.scenes["Another sample"]["number"] == 5


def test_lambda_lowers_the_variance_and_points_do_without_a_price():
    along_lam = state_of(bias_variance, "Along λ").curves
    assert (np.diff(along_lam[1]) < 0).all() and along_lam[0, -1] > 10 * along_lam[0].min()
    along_n = state_of(bias_variance, "Along n").curves
    assert along_n[1, -1] < along_n[1, 0] / 3 and along_n[0].max() < 0.1 * along_n[1, 0] + 0.01


def test_low_degrees_are_stiff_and_high_degrees_nervous():
    bias2, variance, total = state_of(bias_variance, "Degrees").curves
    assert bias2[:4].min() > 5 * bias2[6:].max() and variance[6:].min() > 5 * variance[0]
    assert total.argmin() + 1 == 5


@pytest.mark.parametrize("explorer", [validation, bias_variance], ids=lambda e: e.title)
def test_what_a_pointer_tells_is_on_the_curves(explorer):
    hidden = state_of(explorer)
    assert explorer.tell["errors"](hidden, 1.0, 0.1) == ""
    state = state_of(explorer, next(iter(explorer.scenes)))
    said = explorer.tell["errors"](state, 1.0, 0.1)
    assert len(re.findall(r"\d", said)) > 3 and len(said) <= 40


# ---- the map ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "n", "number"), [("sine", 30, 1), ("step", 20, 5)])
def test_the_maps_are_those_of_grid_and_of_the_test(data, n, number):
    X, y = getattr(datasets, data)(n, 0.3, random_state=number)
    Z, t = getattr(datasets, data)(TESTS, 0.3, random_state=TEST_STATE)
    every, some = maps(data, n, 0.3, number), (slice(0, None, 5), slice(0, None, 4))
    for kind, folds, seed in (("alone", "leave-one-out", None), ("folds", 5, 0)):
        model = KernelRidge(Gaussian(1.0))
        found = selection.grid(model, X, y, folds, seed, kernel__sigma=ACROSS[some[1]], lam=LAMS[some[0]])
        np.testing.assert_allclose(every[kind][some].T, found.mean, rtol=1e-5)
    model = KernelRidge(Gaussian(ACROSS[8]), LAMS[5]).fit(X, y)
    assert every["test"][5, 8] == pytest.approx(np.mean((t - model.predict(Z)) ** 2), rel=1e-6)


def test_less_lambda_repairs_a_wide_sigma():
    start, wide, repaired = (state_of(sigma_lambda, scene) for scene in (None, "Twice σ", "Twice σ, another λ"))
    assert wide.test > 3 * start.test and repaired.test < 1.2 * start.test
    more = state_of(sigma_lambda, sigma=wide.sigma, lam=10.0)
    assert more.test > wide.test


def test_on_the_whole_the_best_cell_of_few_points_says_too_little():
    said = [state_of(sigma_lambda, kind="alone", whole=True, n=10, number=k) for k in range(1, 21)]
    assert np.mean([s.least for s in said]) < np.mean([s.there for s in said])


@pytest.mark.parametrize("kind", ["alone", "test"])
def test_the_star_of_the_map_is_the_place_where_kernel_ridge_errs_least(kind):
    """Every place is trained by itself; what is left out is left out."""
    state = state_of(sigma_lambda, kind=kind, whole=True)
    X, y = datasets.sine(30, 0.3, random_state=1)
    Z, t = datasets.sine(TESTS, 0.3, random_state=TEST_STATE)

    def error(sigma, lam):
        K = np.exp(-((X - X.T) ** 2) / (2 * sigma**2))
        if kind == "test":
            a = np.linalg.solve(K + lam * np.eye(30), y)
            return np.mean((t - np.exp(-((Z - X.T) ** 2) / (2 * sigma**2)) @ a) ** 2)
        left = [np.delete(np.arange(30), i) for i in range(30)]
        fits = [K[i, r] @ np.linalg.solve(K[np.ix_(r, r)] + lam * np.eye(29), y[r]) for i, r in enumerate(left)]
        return np.mean((y - fits) ** 2)

    M = np.array([[error(sigma, lam) for sigma in ACROSS] for lam in LAMS])
    row, column = np.unravel_index(M.argmin(), M.shape)
    (star,) = marks_of(sigma_lambda, state, "best")
    assert (10**star.x, 10**star.y) == pytest.approx((ACROSS[column], LAMS[row]))
    assert state.least == pytest.approx(M.min())


def test_a_click_in_the_map_chooses_the_cell():
    state = state_of(sigma_lambda, kind="alone", whole=True)
    chosen = sigma_lambda.click["map"](state, 0.02, -1.98)
    assert chosen == {"sigma": 1.0, "lam": 0.01}
    assert sigma_lambda.tell["map"](state, 0.02, -1.98).startswith("σ = 1, λ = 0.01: ")
    star = tuple(np.log10(PLACES.numbers(state.best)))
    assert sigma_lambda.tell["map"](state, *star).endswith("lowest")


def test_the_first_picture_of_the_map_does_not_give_the_answer_away():
    state = state_of(sigma_lambda)
    assert state.best is None and sigma_lambda.tell["map"](state, 0, 0) == "σ = 1, λ = 1"


# ---- the hidden test -------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "C"), [(0.5, 0.1), (0.1, 100.0), (5.0, 1.0)])
def test_the_two_errors_are_those_of_the_machine(sigma, C):
    svm = KernelSVM(Gaussian(sigma), C, tol=1e-6).fit(*datasets.mixture(200))
    right = [1 - svm.score(*datasets.mixture(200)), 1 - svm.score(*datasets.mixture(600, random_state=41))]
    assert state_of(hidden_test, sigma=sigma, C=C).errors == pytest.approx(right, abs=0.0026)


def test_a_wider_sigma_forgets_the_sample_and_fits_the_rest():
    widest = state_of(hidden_test, hidden_test.question.scene)
    assert widest.errors[1] < widest.errors[0] < 0.305, "what the question asks"
    start, wider = state_of(hidden_test), state_of(hidden_test, "Five times wider")
    assert start.errors[0] == 0 and wider.errors[0] > 0.1 and wider.errors[1] < start.errors[1] - 0.05


def test_who_follows_the_validation_error_comes_near_bayes():
    """The panel can do what its challenge asks for: of a grid the best by validation is near Bayes on the test."""
    cells = [(s, C) for s in (0.1, 0.251189, 0.501187, 1.0, 2.51189) for C in (0.01, 0.1, 1.0, 10.0)]
    sigma, C = min(cells, key=lambda cell: state_of(hidden_test, sigma=cell[0], C=cell[1]).errors[1])
    svm = KernelSVM(Gaussian(sigma), C).fit(*datasets.mixture(200))
    assert 1 - svm.score(*datasets.mixture(2000, random_state=26)) < 0.21 + 0.025


def test_no_scene_gives_the_challenge_away():
    for scene in hidden_test.scenes:
        assert state_of(hidden_test, scene).errors[1] > 0.25


# ---- learning curves ---------------------------------------------------------------------------


def averaged(**values):
    *_, (done, curves) = learning.measure(**learning.start() | values)
    assert done == 1.0
    return curves.mean(axis=0)


def test_the_two_errors_are_those_of_kernel_ridge_on_the_first_points():
    X, y = datasets.sine(160, 0.3, random_state=3)
    order = np.random.default_rng(3).permutation(160)[:40]
    model = KernelRidge(Gaussian(0.5), 0.1).fit(X[order], y[order])
    tests = datasets.sine(TESTS, 0.3, random_state=TEST_STATE)
    right = [np.mean((t - model.predict(Z)) ** 2) for Z, t in ((X[order], y[order]), tests)]
    state = learning.compute(**learning.start() | {"sigma": 0.5, "lam": 0.1, "n": 40, "number": 3, "along": True})
    np.testing.assert_allclose(state.here, right, rtol=1e-6)
    np.testing.assert_allclose(state.shown[:, 4], right, rtol=1e-6)


def test_a_stiff_model_s_errors_come_together_far_above_the_noise():
    training, test = averaged()
    at = [20, 160]
    gaps = [test[SIZES.index(n)] - training[SIZES.index(n)] for n in at]
    assert gaps[1] < gaps[0] / 2 and training[-1] > 4 * 0.09
    one = [state_of(learning), state_of(learning, "Stiff, 160 points")]
    assert np.ptp(one[1].here) < np.ptp(one[0].here) and one[1].here.min() > 4 * 0.09


def test_the_sketch_of_the_learning_curve_is_compared_where_it_ends():
    """What the question asks: a stiff model's test error stays far above the noise, whoever hopes for more."""
    scene = learning.start() | learning.scenes[learning.question.scene]
    hoped = ((10, 0.6), (20, 0.57), (40, 0.4), (80, 0.2), (160, 0.1))
    said = learning.question.judge(hoped, scene)
    test = learning.compute(**scene).here[1]
    assert test > 5 * 0.09 and f"to {test:.2f}" in said and "to 0.1 with 160" in said


def test_a_free_model_closes_its_gap_from_both_sides_down_to_the_noise():
    training, test = averaged(**learning.scenes["Free"])
    assert (np.diff(training) > 0).all() and (np.diff(test) < 0).all()
    assert test[0] > 3 * 0.09 and test[-1] < 1.25 * 0.09 and training[0] < 0.3 * 0.09


def test_the_first_picture_of_the_learning_curves_has_no_curve():
    state = state_of(learning)
    assert not state.shown.size and learning.tell["errors"](state, 40, 0.1) == ""
    assert learning.tell["errors"](state_of(learning, "Free"), 40, 0.1) == "n = 40: test 0.14, a gap of 0.097"
    assert not any("160" in label for label in readout_of(learning))


def test_the_average_is_drawn_and_said():
    values = learning.start()
    *_, (_, curves) = learning.measure(**values)
    state = learning.compute(**values, measured=curves)
    assert curves.shape == (100, 2, len(SIZES)) and learning.readout(state)["samples averaged in the curves"] == 100
    before, canvas = learning.canvas().frame(state_of(learning)), learning.canvas()
    assert (before != canvas.frame(state)).mean() > 0.01


# ---- networks, and the hidden test -----------------------------------------------------------


@pytest.mark.parametrize("n", networks.controls[1].ends())
@pytest.mark.parametrize("data", networks.controls[0].ends())
def test_the_sign_test_is_that_of_scipy(data, n):
    """Of two methods that are equally good, each wins a sample with probability ½."""
    state = state_of(networks, data=data, n=n, both=True)
    wins, losses = (int(np.sum(sign * (state.here["network"] - state.here["kernel"]) > 0)) for sign in (1, -1))
    written, _, p = readout_of(networks, data=data, n=n, both=True)["kernel better in"].partition("p = ")
    assert written == f"{wins}, worse in {losses} of 10 samples (sign test "
    assert number(p) == pytest.approx(binomtest(wins, wins + losses).pvalue, rel=0.05)


@pytest.mark.parametrize("data", networks.controls[0].ends())
def test_no_mean_error_of_the_kernel_is_below_what_more_points_cannot_remove(data):
    floor, _ = files("choosing_a_kernel")["networks"].FLOOR[data]
    state = state_of(networks, data=data)
    assert (state.means["kernel"] > floor).all() and (np.diff(state.means["kernel"]) < 0).all()


@pytest.mark.parametrize("n", [20, 500])
@pytest.mark.parametrize("data", ["sine", "mixture", "digits"])
def test_mean_errors_are_those_of_the_ten_samples_that_are_kept(data, n):
    """Read as they stand in the file."""
    room = files("choosing_a_kernel")["networks"]
    kept, at = json.loads(room.FILE.read_text(encoding="utf-8"))[data], [20, 50, 100, 200, 500].index(n)
    readout = readout_of(networks, data=data, n=n, both=True)
    network, scatter = readout["network's error"].split(" ± ")
    for name, written in (("kernel", readout["kernel's error"]), ("network", network), ("scatter", scatter)):
        mean = np.mean([row[at] for row in kept[name]])
        assert number(written) == pytest.approx(mean, abs=0.000501 if data != "sine" else 0.0501 * mean)


def test_the_variance_of_polynomials_is_that_of_a_few_fits_near_the_ends():
    """What the scene Degrees says: places beyond 2.4 have most of the variance, and three of forty fits a third."""
    state = bias_variance.compute(**{**bias_variance.start(), **bias_variance.scenes["Degrees"]})
    off = (state.h - state.h.mean(axis=0)) ** 2
    assert off[:, np.abs(AT) > 2.4].sum() > 0.5 * off.sum()
    assert np.sort(off.sum(axis=1))[-3:].sum() > 0.3 * off.sum()
