"""What notebook 12 teaches, as theorems: the code of its own cells does what kernelkit and scikit-learn do."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from notebook_cells import defined_by, space_of

from kernelkit import (
    Gaussian,
    KernelDensity,
    KernelPCA,
    Laplace,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    datasets,
)
from kernelkit.study.two_samples import mmd, permutation_test

NAME = "12-pca-and-density.ipynb"
KERNELS = pytest.mark.parametrize("k", [Linear(), Polynomial(2), Gaussian(1.0)], ids=repr)


def up_to_sign(ours, theirs):
    """ours, each column with the sign of theirs."""
    return ours * np.sign((ours * theirs).sum(axis=0))


@pytest.mark.parametrize("k", [Gaussian(1.5), Polynomial(2)], ids=repr)
def test_the_components_of_the_notebook_are_those_of_the_package(k):
    space = defined_by(NAME, "components-by-hand")
    kappa, a = space["components"](k(space["X"]), 4)
    model = KernelPCA(k, n_components=4).fit(space["X"])
    np.testing.assert_allclose(kappa, model.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(up_to_sign(a, model.a_), model.a_, atol=1e-8 * np.abs(model.a_).max())
    assert model.total_ == pytest.approx(np.trace(k(X := space["X"])) - k(X).sum() / len(X))  # tr K°


def test_the_first_two_components_hold_more_than_70_percent():
    space = defined_by(NAME, "components-by-hand")
    assert space["kappa"][:2].sum() / space["model"].total_ > 0.7


def test_k_alone_has_the_eigenvalues_of_the_centred_features():
    space = defined_by(NAME, "components-by-hand")
    F = Polynomial(2).feature_map()(space["X"])
    F = F - F.mean(axis=0)
    from_features = np.linalg.eigvalsh(F.T @ F)[::-1][:4]
    np.testing.assert_allclose(space["components"](Polynomial(2)(space["X"]), 4)[0], from_features, rtol=1e-9)


def test_the_four_points_have_the_components_that_were_found_by_hand():
    space = defined_by(NAME, "components-by-hand")
    X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    kappa, a = space["components"](Linear()(X), 2)
    np.testing.assert_allclose(kappa, [8, 2])
    np.testing.assert_allclose(np.abs(a.T @ X), np.eye(2), atol=1e-12)
    np.testing.assert_allclose(np.abs(a[:, 0]), [0.25, 0.25, 0, 0], atol=1e-12)
    assert np.var(X @ [1, 1] / np.sqrt(2)) == pytest.approx(1.25)


def test_no_direction_varies_more_than_the_first_component_and_perpendicular_to_it_than_the_second():
    """Directions are combinations of the centred features, and some that the components find hard to beat."""
    space = defined_by(NAME, "components-by-hand")
    K, n = Gaussian(1.5)(space["X"]), 100
    C = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    kappa, a = space["components"](K, 3)
    rng = np.random.default_rng(0)
    trials = np.vstack([rng.standard_normal((50, n)), (a @ rng.standard_normal((3, 50))).T])
    for rest in trials:
        free = rest - a[:, 0] * (a[:, 0] @ C @ rest)  # v₁ᵀv = a₁ᵀK°a
        assert a[:, 0] @ C @ free == pytest.approx(0, abs=1e-8)
        for weights, bound in ((rest, kappa[0]), (free, kappa[1])):
            assert weights @ C @ C @ weights / (weights @ C @ weights) <= bound * (1 + 1e-9)
    second = a[:, 1]
    assert second @ C @ second == pytest.approx(1) and second @ C @ C @ second == pytest.approx(kappa[1])


def test_without_centring_the_first_direction_leads_to_the_cloud():
    K = Gaussian(1.5)(defined_by(NAME, "components-by-hand")["X"])
    values, vectors = np.linalg.eigh(K)
    assert abs(np.sign(vectors[:, -1]).sum()) == 100 and values[-1] > 3 * 16.4


@pytest.mark.parametrize("k", [Gaussian(0.3), Gaussian(1.5), Polynomial(2)], ids=repr)
def test_the_weights_of_a_component_add_up_to_0_and_those_of_a_point_of_feature_space_to_1(k):
    space = defined_by(NAME, "components-by-hand")
    _, a = space["components"](k(space["X"]), 4)
    np.testing.assert_allclose(a.sum(axis=0), 0, atol=1e-9 * np.abs(a).max())
    model = KernelPCA(k, 4).fit(space["X"])
    S = model.transform(space["X"][:3] + 0.1)
    g = 1 / 100 + S @ model.a_.T  # the notebook's, without a sum of a that is not 0
    np.testing.assert_allclose(g.sum(axis=1), 1)
    np.testing.assert_allclose(g, model.combination(S), atol=1e-10)


def test_the_two_points_and_the_new_one_are_centred_as_by_hand():
    model = KernelPCA(Linear(), 1).fit([[0.0], [2.0]])
    assert model.eigenvalues_[0] == pytest.approx(2)
    assert abs(model.transform([[5.0]])[0, 0]) == pytest.approx(4)
    np.testing.assert_allclose(np.abs(model.a_[:, 0]), 0.5)


def test_two_points_of_a_gaussian_keep_their_distance_and_without_centring_they_have_one_coordinate():
    K = np.array([[1, 0.8], [0.8, 1]])
    C_n = np.eye(2) - 0.5
    np.testing.assert_allclose(C_n @ K @ C_n, [[0.1, -0.1], [-0.1, 0.1]])
    values, vectors = np.linalg.eigh(C_n @ K @ C_n)
    np.testing.assert_allclose(values, [0, 0.2], atol=1e-12)
    coordinates = np.sqrt(values[1]) * vectors[:, 1]
    assert abs(coordinates[0]).round(3) == 0.316 and abs(coordinates[0] - coordinates[1]).round(3) == 0.632
    assert abs(coordinates[0] - coordinates[1]) == pytest.approx(np.sqrt(K[0, 0] - 2 * K[0, 1] + K[1, 1]))
    values, vectors = np.linalg.eigh(K)
    np.testing.assert_allclose(np.sqrt(values[1]) * np.abs(vectors[:, 1]), np.sqrt(0.9))
    assert values[1] == pytest.approx(1.8) and vectors[0, 1] * vectors[1, 1] > 0


def test_points_of_mean_0_have_features_of_another_mean_and_a_gaussian_does_not_see_a_shift():
    X = np.array([[-1.0], [1.0]])
    assert Polynomial(2)(X).mean() == pytest.approx(np.sum(np.square([1, 0, 1])))  # the squared length of the mean
    np.testing.assert_allclose(Gaussian(1.0)(X), Gaussian(1.0)(X + 5))


def test_a_wide_gaussian_has_the_components_of_the_linear_kernel():
    """σ² times the eigenvalues of the centred matrix go to those of the linear kernel."""
    X = defined_by(NAME, "components-by-hand")["X"]
    wide, flat = (KernelPCA(k, 2).fit(X).eigenvalues_ for k in (Gaussian(100.0), Linear()))
    np.testing.assert_allclose(100**2 * wide, flat, rtol=1e-3)


def test_the_steps_between_two_points_lead_to_their_middle_or_with_narrow_bumps_to_one_of_them():
    def last(z, sigma, steps):
        for _ in range(steps):
            u = np.exp(-((np.array([0.0, 2.0]) - z) ** 2) / (2 * sigma**2))
            z = u @ [0, 2] / u.sum()
        return z

    assert [round(last(0.5, 2.0, steps), 2) for steps in (1, 2, 3, 100)] == [0.88, 0.97, 0.99, 1.0]
    assert last(0.3, 0.5, 100) < 0.01 and last(1.7, 0.5, 100) > 1.99
    length = (1 + np.exp(-0.5)) / 2
    assert round(length, 2) == 0.80 and round(1 - 2 * np.exp(-1 / 8) + length, 2) == 0.04


@cache
def pictures():
    return defined_by(NAME, "components-by-hand", "pre-image-by-hand")


def test_the_loop_to_the_pre_images_is_the_way_back_of_the_package():
    space = pictures()
    back = space["model"].inverse_transform(space["model"].transform(space["noisy"]))
    np.testing.assert_allclose(space["z"], back, atol=1e-4)


def test_about_half_of_the_noise_is_gone():
    error = {name: np.mean((pictures()[name] - pictures()["clean"]) ** 2) for name in ("noisy", "z")}
    assert 0.45 < error["z"] / error["noisy"] < 0.55


def test_the_linear_error_is_a_quarter_of_the_noise_and_what_the_digits_lose():
    space = pictures()
    model = KernelPCA(Linear(), 16).fit(space["known"])
    there, back = model.transform, model.inverse_transform
    lost = np.mean((back(there(space["clean"])) - space["clean"]) ** 2)
    kept = np.mean((back(there(space["noisy"])) - back(there(space["clean"]))) ** 2)
    assert (round(kept, 3), round(lost, 3)) == (0.015, 0.013)
    assert kept == pytest.approx(16 / 64 * np.mean((space["noisy"] - space["clean"]) ** 2), rel=0.05)


@pytest.mark.parametrize(
    ("k", "count", "error", "lost"),
    [
        (Linear(), 4, "0.041", "0.038"),
        (Linear(), 64, "0.056", "0.000"),
        (Gaussian(2.5), 4, "0.042", "0.038"),
        (Gaussian(2.5), 64, "0.0176", "0.0051"),
        (Gaussian(2.5), 399, "0.0195", "0.0018"),
    ],
    ids=lambda value: f"{value}",
)
def test_too_few_components_lose_the_digit_and_too_many_keep_the_noise(k, count, error, lost):
    model, space = KernelPCA(k, count).fit(pictures()["known"]), pictures()
    for name, said in (("noisy", error), ("clean", lost)):
        back = model.inverse_transform(model.transform(space[name]))
        assert f"{np.mean((back - space['clean']) ** 2):.{len(said) - 2}f}" == said


def test_a_few_pixels_at_the_edge_are_white_in_all_known_pictures():
    white = np.flatnonzero(pictures()["known"].max(axis=0) == 0)
    assert 0 < len(white) < 8 and set(white % 8) <= {0, 7}


def test_most_of_the_noise_leads_away_from_all_the_known_pictures():
    space, k = pictures(), Gaussian(1.5)
    model = KernelPCA(k, 399).fit(space["known"])
    step = model.transform(space["noisy"]) - model.transform(space["clean"])
    whole = 2 - 2 * np.diag(k(space["noisy"], space["clean"]))
    assert np.mean((step**2).sum(axis=1) / whole).round(2) == 0.24


@pytest.mark.parametrize("sigma", [0.08, 0.4, 2.0])
def test_the_density_of_the_notebook_is_that_of_the_package_and_has_volume_1(sigma):
    space = defined_by(NAME, "density-by-hand")
    x, z = space["x"], np.linspace(-12, 12, 4001)[:, None]
    p = space["density"](z, x, sigma)
    with np.errstate(under="ignore"):
        np.testing.assert_allclose(p, np.exp(KernelDensity(sigma).fit(x).log_density(z)), rtol=1e-8, atol=1e-300)
    assert p.sum() * (z[1, 0] - z[0, 0]) == pytest.approx(1, abs=1e-6)


def test_the_five_points_have_the_density_that_was_found_by_hand():
    space = defined_by(NAME, "density-by-hand")
    five = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]])
    k = Gaussian(0.7)([0.35], five)
    assert [round(value, 2) for value in k] == [0.00, 0.06, 0.73, 0.73, 0.03] and round(k.mean(), 2) == 0.31
    assert space["density"]([[0.35]], five, 0.7)[0].round(2) == 0.18


@pytest.mark.parametrize("sigma", [0.15, 0.5, 0.99, 1.01, 2.0, 6.0])
def test_two_points_have_one_hill_if_half_their_distance_is_at_most_sigma_and_else_two(sigma):
    density, two = defined_by(NAME, "components-by-hand", "density-by-hand")["density"], np.array([[0.0], [2.0]])
    around = density(np.array([[0.99], [1.0], [1.01]]), two, sigma)
    assert (around[1] == around.max()) == (sigma >= 1)


def test_9_of_the_39_gaps_are_too_wide_for_two_narrow_bumps_to_join():
    x = defined_by(NAME, "density-by-hand")["x"]
    assert (np.diff(np.sort(x[:, 0])) > 2 * 0.08).sum() == 9 and len(x) == 40


@pytest.mark.parametrize(("sigma", "said"), [(0.4, "0.003"), (0.08, "0.028"), (0.02, "0.12")])
def test_the_variance_of_a_density_grows_as_its_bumps_grow_narrower(sigma, said):
    """The mean of a bump at 1 is a mixture made wider by σ, and its square is a narrower bump times 1/(2√π σ)."""

    def mean_bump(sigma):
        var = np.array([0.4, 0.8]) ** 2 + sigma**2
        return np.sum([0.3, 0.7] * np.exp(-(np.array([3.0, 0.0]) ** 2) / (2 * var)) / np.sqrt(2 * np.pi * var))

    variance = (mean_bump(sigma / np.sqrt(2)) / (2 * np.sqrt(np.pi) * sigma) - mean_bump(sigma) ** 2) / 40
    assert f"{variance:.{len(said) - 2}f}" == said and mean_bump(0.0).round(2) == 0.35


@pytest.mark.parametrize(("r", "d"), [(0.5, 1), (2.0, 1), (2.0, 3)])
def test_two_points_choose_their_distance(r, d):
    """On a line; in d dimensions it is r/√d."""
    X = np.zeros((2, d))
    X[1, 0] = r
    sigmas = r / np.sqrt(d) * np.linspace(0.9, 1.1, 41)
    left = KernelDensity().leave_one_out(X, sigmas).sum(axis=1)
    assert sigmas[left.argmax()] == pytest.approx(r / np.sqrt(d))


ONE, TWO = np.array([[-1.0], [1.0]]), np.sqrt(2) * np.array([[-1.0], [0.0], [0.0], [1.0]])


@pytest.mark.parametrize(
    ("k", "sees"),
    [(Linear(), False), (Polynomial(2), False), (Polynomial(3), False), (Polynomial(4), True)]
    + [(k, True) for k in (Gaussian(1.0), Gaussian(2.0), Laplace(1.0), Matern(1.0, 1.5))],
    ids=repr,
)
def test_only_a_kernel_with_enough_moments_sees_that_two_samples_of_one_mean_and_variance_differ(k, sees):
    assert (mmd(k, ONE, TWO) > 1e-6) == sees


def test_a_gaussian_sees_every_difference_of_shares():
    """qᵀKq = 0 only for q = 0: the Gram matrix of different points has no eigenvalue 0."""
    K = Gaussian(1.0)(np.array([[-1.5], [-1.0], [0.0], [1.0], [1.5]]))
    assert np.linalg.eigvalsh(K)[0] > 1e-3
    q = np.array([-0.25, 0.5, -0.5, 0.5, -0.25])
    points = np.sqrt(2) * np.array([[-1], [-np.sqrt(0.5)], [0], [np.sqrt(0.5)], [1]])
    assert q @ Gaussian(1.0)(points) @ q == pytest.approx(mmd(Gaussian(1.0), ONE, TWO))


def test_a_periodic_kernel_does_not_see_a_shift_by_its_period():
    X = np.array([[0.1], [0.4], [0.7]])
    k = Periodic(1.0, period=2.0)
    assert mmd(k, X, X + 2.0) == pytest.approx(0, abs=1e-9) and mmd(k, X, X + 1.0) > 0.1


def test_two_of_the_six_deals_of_four_points_reach_the_real_one():
    points, real = np.array([0.0, 1, 5, 6]), 25.0
    all_deals = [points[list(chosen)].mean() for chosen in combinations(range(4), 2)]
    distances = [(mean - (points.sum() - 2 * mean) / 2) ** 2 for mean in all_deals]
    assert sorted(distances) == [0, 0, 1, 1, real, real]
    value = samples()["squared_mmd"](Linear(), points[:2, None], points[2:, None])
    assert value == pytest.approx(real)


def test_the_spectrum_of_epanechnikovs_bump_is_printed_as_it_is():
    space = space_of(NAME, "parabola")
    r = space["r"]
    for w in (3, 5.76, 8):
        right = 2 * (np.sin(w) - w * np.cos(w)) / w**3
        assert np.mean((1 - r**2) * np.cos(w * r)) == pytest.approx(right, abs=1e-6)
    assert f"{np.mean(1 - r**2):.3f}" == "0.667"


@cache
def samples():
    """The two samples of the notebook, and the functions of its cells that compare them."""
    before = ("components-by-hand", "density-by-hand")  # imports, and rng
    return defined_by(NAME, *before, "mmd-by-hand", "permute")


@KERNELS
def test_the_squared_mmd_of_the_notebook_is_that_of_the_package(k):
    A, B = samples()["A"], samples()["B"]
    assert samples()["squared_mmd"](k, A, B) == pytest.approx(mmd(k, A, B), rel=1e-9)


@KERNELS
def test_a_deal_has_the_distance_of_its_two_means(k):
    A, B = samples()["A"], samples()["B"]
    assert samples()["deals"](k, A, B, 1)[0] == pytest.approx(mmd(k, A, B), rel=1e-9)


@pytest.mark.parametrize(("k", "low", "high"), [(Linear(), 0.3, 0.5), (Gaussian(1.0), 1 / 501, 1 / 501)], ids=repr)
def test_by_chance_a_linear_kernel_sees_as_much_in_four_of_ten_deals_and_a_gaussian_in_none(k, low, high):
    A, B = samples()["A"], samples()["B"]
    ours = samples()["deals"](k, A, B, 500)
    for p in (np.mean(ours >= ours[0]), permutation_test(k, A, B, 500).p):
        assert low <= p <= high


def test_components_and_densities_are_scikit_learn_s():
    space, Z = space_of(NAME, "theirs"), datasets.circles(40, random_state=1)[0]
    ours, theirs = space["ours"], space["theirs"]
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(np.abs(ours.transform(Z)), np.abs(theirs.transform(Z)), atol=1e-8)
    np.testing.assert_allclose(space["bumps"].log_density(Z), space["their_bumps"].score_samples(Z), rtol=1e-8)
