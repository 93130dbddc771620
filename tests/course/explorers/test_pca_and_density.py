"""The readouts and pictures of notebook 12's explorers, and what its text says, against kernelkit's own models."""

import numpy as np
import pytest
from panels import marks_of, number, readout_of, state_of
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from kernelkit import Gaussian, KernelDensity, KernelPCA, Linear, Polynomial, datasets
from kernelkit.course.explorers.data.some_digits import shuffled
from kernelkit.course.explorers.pca_and_density import components, denoising, density, digits_along, two_samples
from kernelkit.course.explorers.pca_and_density.components import GRID
from kernelkit.course.explorers.pca_and_density.denoising import COUNTS
from kernelkit.course.explorers.pca_and_density.density import GRID as PLANE, SIGMAS, START, choose
from kernelkit.course.explorers.pca_and_density.two_samples import samples
from kernelkit.study.two_samples import mmd, permutation_test
from kernelkit.study.validity import witness


def told_apart(values, y):
    """How many of two classes the best threshold on one number tells apart."""
    cuts = np.sort(values)
    right = ((values[:, None] > (cuts[1:] + cuts[:-1]) / 2) == (y > 0)[:, None]).mean(axis=0)
    return np.maximum(right, 1 - right).max()


# ---- components ------------------------------------------------------------------------------


KERNELS = {"linear": Linear(), "polynomial": Polynomial(2), "gaussian": Gaussian(0.7)}


@pytest.mark.parametrize(("kernel", "k"), KERNELS.items(), ids=KERNELS)
def test_components_are_those_of_kernel_pca(kernel, k):
    state = state_of(components, kernel=kernel, sigma=0.7, second=3)
    model = KernelPCA(k, 4).fit(state.X)
    np.testing.assert_allclose(state.shares, model.eigenvalues_ / model.total_, atol=1e-9)
    np.testing.assert_allclose(state.along, model.transform(state.X)[:, [0, 2]], atol=1e-7)
    z = [[GRID[30], GRID[7]]]
    np.testing.assert_allclose(state.F[:, 7, 30], model.transform(z)[0], atol=1e-7)


def test_only_the_third_component_tells_the_circles_apart():
    """Of the first four, and better than any straight line."""
    state = state_of(components, "The circles apart")
    Y = KernelPCA(Gaussian(1.5), 4).fit_transform(state.X)
    found = [told_apart(Y[:, c], state.y) for c in range(4)]
    assert found[2] >= 0.95 and max(found[:2] + found[3:]) < 0.8
    flat = KernelPCA(Linear(), 2).fit_transform(state.X)
    assert max(told_apart(flat[:, c], state.y) for c in range(2)) < 0.8


def test_sigma_goes_from_all_components_to_two_straight_ones():
    needed = [state_of(components, kernel="gaussian", sigma=s).needed for s in (0.05, 0.3, 1.0, 3.0, 10.0)]
    assert needed == sorted(needed, reverse=True) and needed[0] > 75 and needed[-1] == 2
    wide, straight = state_of(components, "Very wide"), state_of(components)
    for F, G in zip(wide.F[:2], straight.F[:2], strict=True):
        assert abs(np.corrcoef(F.ravel(), G.ravel())[0, 1]) > 0.99


@pytest.mark.parametrize("sigma", [0.2, 1.5, 2.0, 10.0])
def test_shares_are_those_of_the_centred_gram_matrix(sigma):
    readout = readout_of(components, kernel="gaussian", sigma=sigma)
    K = Gaussian(sigma)(state_of(components).X)
    C = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    shares = np.cumsum(np.linalg.eigvalsh(C)[::-1]) / np.trace(C)
    for second in (2, 3, 4):
        read = readout_of(components, kernel="gaussian", sigma=sigma, second=second)[f"components 1 and {second}"]
        assert number(read) == pytest.approx(shares[0] + shares[second - 1] - shares[second - 2], abs=0.0051)
    assert number(readout["first 4"]) == pytest.approx(shares[3], abs=0.00051)
    assert int(readout["components for 90\u00a0%"]) == np.sum(shares < 0.9) + 1


# ---- denoising -------------------------------------------------------------------------------


def test_the_cleaned_pictures_are_those_of_the_models():
    state = state_of(denoising, count=32, sigma=2.0, along=True)
    both = zip((Linear(), Gaussian(2.0)), state.errors, (state.straight, state.curved), strict=True)
    for kernel, errors, picture in both:
        model = KernelPCA(kernel, 32).fit(shuffled()[0][:200])
        again = model.inverse_transform(model.transform(state.noisy[None]))[0]
        np.testing.assert_allclose(picture, again, atol=1e-4)
        assert errors[4] == pytest.approx(np.mean((again - state.clean) ** 2), abs=1e-4)


def test_kernel_pca_gets_better_beyond_the_number_of_inputs_and_linear_pca_does_not():
    few, many, all_of_them = [], [], []
    for picture in range(1, 31):
        state = state_of(denoising, picture=picture, along=True)
        few.append(state.errors[1][COUNTS.index(16)])
        many.append(state.errors[1][COUNTS.index(128)])
        all_of_them.append(state.errors[0][-1] / state.noise)
    assert np.mean(many) < 0.7 * np.mean(few)
    assert np.mean(all_of_them) > 0.85  # linear PCA with all components keeps nearly all noise


def test_the_first_picture_of_denoising_keeps_the_answer():
    state = state_of(denoising)
    assert not len(state.errors[0]) and not len(state.errors[1])
    assert not any("best" in label for label in readout_of(denoising))


def test_with_a_narrow_width_the_nearest_known_picture_is_more_than_4_sigma_away_and_a_6_comes_back():
    """What the question of the panel says: the 4 is like no known picture, and its pre-image is like a 6."""
    scene = denoising.question.scene
    state, (X, y), sigma = state_of(denoising, scene), shuffled(), denoising.scenes[scene]["sigma"]
    assert state.name == 4 and np.linalg.norm(X[:200] - state.noisy, axis=1).min() > 4 * sigma
    assert y[np.linalg.norm(X[:200] - state.curved, axis=1).argmin()] == 6


def test_with_a_narrow_width_58_of_the_60_digits_come_back_as_the_same_picture():
    first = state_of(denoising, denoising.question.scene).curved
    others = [state_of(denoising, denoising.question.scene, picture=i).curved for i in range(1, 61)]
    assert sum(np.abs(other - first).max() < 0.1 for other in others) == 58


def test_kernel_pca_is_ahead_where_the_panel_starts_and_its_narrow_scene_shows_a_failure():
    straight, curved = state_of(denoising).here
    assert curved < 0.8 * straight
    narrow = state_of(denoising, "Narrow")
    assert narrow.here[1] > max(narrow.noise, 4 * curved)  # what comes back is worse than the noise


def test_a_narrow_width_hands_back_the_same_picture_whatever_it_is_given():
    back = np.array([state_of(denoising, sigma=0.5, picture=p, count=128).curved for p in range(1, 21)])
    assert np.abs(back - np.median(back, axis=0)).max(axis=1).max() < 0.1
    assert shuffled()[0][1000:1020].std(axis=0).max() > 0.3  # which were all different


def test_most_of_the_noise_leads_away_from_the_known_pictures():
    """What the text says of this 4: even 128 components do not bring the noise back."""
    state, k = state_of(denoising, "128 components"), Gaussian(1.5)
    model = KernelPCA(k, 199).fit(shuffled()[0][:200])
    step = model.transform(state.noisy[None]) - model.transform(state.clean[None])
    assert (step**2).sum() < 0.3 * (2 - 2 * k(state.noisy, state.clean)) and state.here[1] < 0.3 * state.noise


def test_without_noise_something_is_lost_too():
    state = state_of(denoising, "Without noise")
    assert state.noise == 0 and state.here[1] > 0.005 and state.here[0] < 1e-3


# ---- digits along components -------------------------------------------------------------------


def test_the_pre_image_is_that_of_the_place():
    state = state_of(digits_along, points=((0.3, -0.5),), pair=(1, 3), sigma=2.0)
    X, y = shuffled()
    X = X[np.isin(y, (0, 1, 6))][:200]
    model = KernelPCA(Gaussian(2.0), 4).fit(X)
    reach = np.abs(model.fit_transform(X)).max(axis=0)
    back = model.inverse_transform([[0.3 * reach[0], 0, -0.5 * reach[2], 0]])[0]
    np.testing.assert_allclose(state.back, back, atol=1e-6)
    assert state.gap == pytest.approx(np.sqrt(((X - back) ** 2).sum(axis=1)).min(), abs=1e-6)


def test_in_the_middle_a_narrow_width_gives_one_kind_and_a_wide_one_a_grey_mean():
    X, y = shuffled()
    X, y = X[np.isin(y, (0, 1, 6))][:200], y[np.isin(y, (0, 1, 6))][:200]

    def shares(scene):
        """How much each kind of digit has to say in the pre-image."""
        state = state_of(digits_along, scene)
        weights = Gaussian(digits_along.scenes[scene]["sigma"])(state.back, X)
        return np.sort([weights[y == d].sum() / weights.sum() for d in (0, 1, 6)])

    assert shares("Narrow, in the middle")[-1] > 0.9
    assert shares("Wide, in the middle")[0] > 0.25
    wide = state_of(digits_along, "Wide, in the middle")
    np.testing.assert_allclose(wide.back, X.mean(axis=0), atol=0.05)
    assert wide.gap > 1.3 > state_of(digits_along, "Narrow, in the middle").gap


def test_with_a_narrow_width_each_kind_of_digit_is_an_arm_from_the_middle():
    state = state_of(digits_along, sigma=0.8)
    for kind in state.digits:
        long, thick = np.linalg.svd(state.shown[state.labels == kind], compute_uv=False)
        assert thick < 0.25 * long


def test_neighbours_in_the_plane_are_alike_or_not():
    """In the first state the plane and the pictures agree, in the middle of a wide kernel they do not."""
    for scene in (None, "Wide, in the middle"):
        state = state_of(digits_along, scene)
        assert (state.alike == state.name) is (scene is None)


def test_eight_has_the_article_an():
    state = state_of(digits_along, digits=(3, 5, 8), points=((0.0, -0.5),))
    assert state.name == 8 and digits_along.tell["plane"](state, *state.shown[state.nearest]) == "an 8"


def test_the_star_starts_among_the_noughts():
    state = state_of(digits_along)
    assert state.name == state.alike == 0


# ---- density ---------------------------------------------------------------------------------


def test_the_density_and_its_curves_are_kernel_density_s():
    state = state_of(density, sigma=0.4)
    model = KernelDensity(0.4).fit(np.array(START))
    assert state.P[12, 40] == pytest.approx(np.exp(model.log_density([[PLANE[40], PLANE[12]]]))[0], rel=1e-9)
    np.testing.assert_allclose(state.left, model.leave_one_out(np.array(START), SIGMAS).mean(axis=1), rtol=1e-9)
    assert state.own_here == pytest.approx(model.score(np.array(START)) / 12, rel=1e-9)
    assert choose(START, 0.3, False)["sigma"] == pytest.approx(state.best, rel=1e-5)


def test_the_first_picture_of_the_density_keeps_the_answer():
    """Neither the picture nor the readout nor a pointer says what the points choose when they are left out."""
    state = state_of(density)
    assert not marks_of(density, state, "left out")
    assert "left out" not in density.words(state) + density.tell["curves"](state, state.best, 0)
    assert marks_of(density, state_of(density, density.question.scene), "left out")


def test_with_their_own_bumps_the_points_choose_the_narrowest_left_out_one_in_the_middle():
    state = state_of(density)
    assert (np.diff(state.own) < 0).all() and 0.3 < state.best < 0.8
    assert (state.own >= state.left - np.log(12 / 11) - 1e-9).all()


def test_one_lonely_point_widens_every_bump():
    assert state_of(density, "A lonely point").best > 1.5 * state_of(density).best
    for i in range(len(START)):  # whichever it is
        lonely = (*START[:i], (-2.8, 2.8), *START[i + 1 :])
        assert state_of(density, points=lonely).best > state_of(density).best


def test_points_that_all_have_twins_choose_the_narrowest_width():
    """What the text says: two points on the same place vouch for each other, and σ shrinks to nothing."""
    assert state_of(density, points=tuple(START[:6]) * 2).best == SIGMAS[0]


# ---- two samples -----------------------------------------------------------------------------


def test_the_verdict_is_that_of_the_study():
    state = state_of(two_samples, shift=0.4, spread=1.2, humps=0.5, half=20, number=3)
    one, two = (x[:, None] for x in samples(0.4, 1.2, 0.5, 20, 3))
    found = permutation_test(Gaussian(two_samples.start()["sigma"]), one, two, 300)
    assert state.value == pytest.approx(mmd(Gaussian(two_samples.start()["sigma"]), one, two), rel=1e-9)
    assert state.p == found.p
    np.testing.assert_allclose(state.null, found.null)


@pytest.mark.parametrize("number", range(1, 21))
def test_samples_have_the_moments_that_the_sliders_say(number):
    one, two = samples(0.5, 0.7, 1.2, 25, number)
    assert one.mean() == pytest.approx(0, abs=1e-12) and one.var() == pytest.approx(1)
    assert two.mean() == pytest.approx(0.5) and two.var() == pytest.approx(0.7**2 * (1.2**2 + 1))


@pytest.mark.parametrize("number", range(1, 21))
def test_a_fitting_width_sees_the_spread_and_a_wide_one_does_not(number):
    assert state_of(two_samples, number=number).p <= 0.05
    assert state_of(two_samples, "σ = 10", number=number).p > 0.1
    assert state_of(two_samples, "Linear", number=number).p > 0.9
    assert state_of(two_samples, kernel="polynomial", number=number).p <= 0.05  # it sees variances


def test_the_explanation_says_how_many_shuffled_samples_differ_by_more():
    wide = state_of(two_samples, two_samples.question.scene)
    assert f"{100 * np.mean(wide.null > wide.value):.0f}\u00a0% of the cases" in two_samples.question.why


def test_fewer_points_hide_the_same_shift():
    seen = [[state_of(two_samples, "A shift", half=half, number=i).p <= 0.05 for i in range(1, 21)] for half in (5, 50)]
    assert np.mean(seen[0]) < 0.4 and np.mean(seen[1]) > 0.7


# ---- what the notebook says of its cells --------------------------------------------------------


def test_epanechnikov_is_no_kernel_already_on_a_line():
    def f(X, Z):
        return np.maximum(0, 1 - (X - Z.T) ** 2)

    assert witness(f, [[0.0], [0.5], [1.0]])[0] < -0.05
    w = np.linspace(0.1, 12, 500)
    line = np.linspace(-1, 1, 4001)
    spectrum = ((1 - line**2) * np.cos(w[:, None] * line)).mean(axis=1)
    assert spectrum.min() < -0.05 and abs(w[spectrum.argmin()] - 5.76) < 0.05


def test_two_densities_come_near_bayes_rule():
    (T, c), (S, t) = datasets.mixture(200), datasets.mixture(2000, random_state=1)
    sigmas = 10 ** np.linspace(-1.5, 0.5, 21)
    best = {s: sigmas[KernelDensity().leave_one_out(T[c == s], sigmas).sum(axis=1).argmax()] for s in (-1, 1)}
    minus, plus = (KernelDensity(best[s]).fit(T[c == s]).log_density(S) for s in (-1, 1))
    error, bayes = np.mean(np.where(plus > minus, 1, -1) != t), np.mean(np.sign(datasets.mixture_bayes(S)) != t)
    assert bayes < error < bayes + 0.04
    wider = max(best, key=best.get)  # the class whose bumps win far from all points
    far = 20 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1]])
    ahead = KernelDensity(best[wider]).fit(T[c == wider]).log_density(far)
    assert (ahead > KernelDensity(best[-wider]).fit(T[c == -wider]).log_density(far)).all()


def test_a_gaussian_sees_no_difference_only_where_there_is_none():
    """Moments of every order: humps of the same mean and variance are seen by the Gaussian alone."""
    one, two = (x[:, None] for x in samples(0.0, 0.45, 2.0, 50, 1))
    assert permutation_test(Gaussian(0.5), one, two).p <= 0.05
    assert permutation_test(Polynomial(2), one, two).p > 0.5


BETWEEN = tuple(
    zip((-4, 3, 4, -2, 0, -3, -1, -4, -2, -3, -1, 1), (3, -3, -4, -3, 3, -4, -3, 1, 2, 4, -4, 4), strict=True)
)


@pytest.mark.parametrize("points", [START, tuple((x / 2, y / 2) for x, y in BETWEEN)])
def test_the_best_width_is_the_one_at_which_the_bumps_on_the_others_are_highest(points):
    """The mean log density at each point of the bumps on the others, at the widths of the curve."""
    squared, others = cdist(points, points) ** 2, 1 - np.eye(len(points))

    def left_out(s):
        bumps = logsumexp(-squared / (2 * s**2), b=others / (len(points) - 1), axis=1)
        return np.mean(bumps - np.log(2 * np.pi * s**2))

    curve = [left_out(s) for s in SIGMAS]
    readout = readout_of(density, points=points, sigma=0.446684, without=True)
    assert number(readout["left out"]) == pytest.approx(left_out(0.446684), abs=0.0051)
    assert number(readout["left out is best at"]) == pytest.approx(SIGMAS[np.argmax(curve)], rel=0.05)
