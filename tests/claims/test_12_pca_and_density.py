"""Numbers that notebook 12 says and no cell prints, each computed once."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kernelkit import Gaussian, KernelDensity, KernelPCA, Laplace, Linear, Matern, Periodic, Polynomial, datasets
from kernelkit.study.two_samples import mmd

# ---- components by hand --------------------------------------------------------------------------------


def test_four_points_have_the_components_that_were_found_by_hand():
    X = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])
    model = KernelPCA(Linear(), 2).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, [8, 2])
    np.testing.assert_allclose(np.abs(model.a_.T @ X), np.eye(2), atol=1e-12)
    np.testing.assert_allclose(np.abs(model.a_[:, 0]), [0.25, 0.25, 0, 0], atol=1e-12)
    assert np.var(X @ [1, 1] / np.sqrt(2)) == pytest.approx(1.25)


def test_two_points_and_the_new_one_are_centred_as_by_hand():
    model = KernelPCA(Linear(), 1).fit([[0.0], [2.0]])
    assert model.eigenvalues_[0] == pytest.approx(2) and abs(model.transform([[5.0]])[0, 0]) == pytest.approx(4)
    np.testing.assert_allclose(np.abs(model.a_[:, 0]), 0.5)
    X = np.array([[-1.0], [1.0]])
    assert Polynomial(2)(X).mean() == pytest.approx(1 + 1), "points of mean 0, whose features (1, 0, 1) have not"
    np.testing.assert_allclose(Gaussian(1.0)(X), Gaussian(1.0)(X + 5))


def test_two_points_of_a_gaussian_keep_their_distance_and_without_centring_they_have_one_coordinate():
    K, C = np.array([[1, 0.8], [0.8, 1]]), np.eye(2) - 0.5
    np.testing.assert_allclose(C @ K @ C, [[0.1, -0.1], [-0.1, 0.1]])
    values, vectors = np.linalg.eigh(C @ K @ C)
    first, second = np.sqrt(values[1]) * vectors[:, 1]
    assert (abs(first).round(3), abs(first - second).round(3)) == (0.316, 0.632)
    assert abs(first - second) == pytest.approx(np.sqrt(K[0, 0] - 2 * K[0, 1] + K[1, 1]))
    values, vectors = np.linalg.eigh(K)
    np.testing.assert_allclose(np.sqrt(values[1]) * np.abs(vectors[:, 1]), np.sqrt(0.9))
    assert values[1] == pytest.approx(1.8) and vectors[0, 1] * vectors[1, 1] > 0


def test_a_wide_gaussian_has_the_components_of_the_linear_kernel():
    """σ² times the eigenvalues of the centred matrix go to those of the linear kernel; two hold 70 % at σ = 1.5."""
    X, _ = datasets.circles(100)
    wide, flat, middle = (KernelPCA(k, 2).fit(X) for k in (Gaussian(100.0), Linear(), Gaussian(1.5)))
    np.testing.assert_allclose(100**2 * wide.eigenvalues_, flat.eigenvalues_, rtol=1e-3)
    assert middle.eigenvalues_.sum() / middle.total_ > 0.7


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


# ---- digits --------------------------------------------------------------------------------------------


@cache
def digits():
    """The 400 known digits of the notebook, and a hundred others without and with its noise."""
    pictures = load_digits().data[np.random.default_rng(0).permutation(1797)] / 16
    clean = pictures[1100:1200]
    return pictures[:400], clean, clean + 0.25 * np.random.default_rng(1).standard_normal(clean.shape)


@pytest.mark.parametrize(
    ("k", "said"),
    [
        (Linear(), {4: ("0.041", "0.038"), 16: ("0.028", "0.013"), 64: ("0.056", "0.000")}),
        (Gaussian(2.5), {4: ("0.042", "0.038"), 64: ("0.0176", "0.0051"), 399: ("0.0195", "0.0018")}),
    ],
    ids=repr,
)
def test_too_few_components_lose_the_digit_and_too_many_keep_the_noise(k, said):
    """The error of noisy pictures, and what clean ones lose. Of linear noise 16 of 64 components keep a quarter."""
    known, clean, noisy = digits()
    model = KernelPCA(k, max(said)).fit(known)

    def back(pictures, count):
        S = model.transform(pictures)
        S[:, count:] = 0
        return model.inverse_transform(S)

    for count, errors in said.items():
        for pictures, error in zip((noisy, clean), errors, strict=True):
            assert f"{np.mean((back(pictures, count) - clean) ** 2):.{len(error) - 2}f}" == error, count
    assert k != Linear() or round(np.mean((back(noisy, 16) - back(clean, 16)) ** 2), 3) == 0.015


def test_most_of_the_noise_leads_away_from_all_the_known_pictures():
    known, clean, noisy = digits()
    model = KernelPCA(Gaussian(1.5), 399).fit(known)
    step, whole = model.transform(noisy) - model.transform(clean), 2 - 2 * np.diag(Gaussian(1.5)(noisy, clean))
    assert np.mean((step**2).sum(axis=1) / whole).round(2) == 0.24
    white = np.flatnonzero(known.max(axis=0) == 0)
    assert 0 < len(white) < 8 and set(white % 8) <= {0, 7}, "a few pixels at the edge are white in all known pictures"


# ---- densities -----------------------------------------------------------------------------------------


def test_the_five_points_have_the_density_that_was_found_by_hand():
    five = np.array([[-2.4], [-1.3], [-0.2], [0.9], [2.2]])
    k = Gaussian(0.7)([0.35], five)
    assert [round(value, 2) for value in k] == [0.00, 0.06, 0.73, 0.73, 0.03] and round(k.mean(), 2) == 0.31
    assert np.exp(KernelDensity(0.7).fit(five).log_density([[0.35]]))[0].round(2) == 0.18


@pytest.mark.parametrize("sigma", [0.15, 0.5, 0.99, 1.01, 2.0, 6.0])
def test_two_points_have_one_hill_if_half_their_distance_is_at_most_sigma_and_else_two(sigma):
    around = KernelDensity(sigma).fit([[0.0], [2.0]]).log_density([[0.99], [1.0], [1.01]])
    assert (around[1] == around.max()) == (sigma >= 1)


def test_9_of_the_39_gaps_are_too_wide_for_two_narrow_bumps_to_join():
    rng = np.random.default_rng(0)
    x = np.where(rng.random(40) < 0.3, rng.normal(-2, 0.4, 40), rng.normal(1, 0.8, 40))
    assert (np.diff(np.sort(x)) > 2 * 0.08).sum() == 9


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


# ---- two samples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "sees"),
    [(Linear(), False), (Polynomial(2), False), (Polynomial(3), False), (Polynomial(4), True)]
    + [(k, True) for k in (Gaussian(1.0), Gaussian(2.0), Laplace(1.0), Matern(1.0, 1.5))],
    ids=repr,
)
def test_only_a_kernel_with_enough_moments_sees_that_two_samples_of_one_mean_and_variance_differ(k, sees):
    one, two = np.array([[-1.0], [1.0]]), np.sqrt(2) * np.array([[-1.0], [0.0], [0.0], [1.0]])
    assert (mmd(k, one, two) > 1e-6) == sees


def test_a_periodic_kernel_does_not_see_a_shift_by_its_period():
    X, k = np.array([[0.1], [0.4], [0.7]]), Periodic(1.0, period=2.0)
    assert mmd(k, X, X + 2.0) == pytest.approx(0, abs=1e-9) and mmd(k, X, X + 1.0) > 0.1


def test_two_of_the_six_deals_of_four_points_reach_the_real_one():
    points = np.array([[0.0], [1], [5], [6]])
    deals = [mmd(Linear(), points[list(some)], np.delete(points, some, axis=0)) for some in combinations(range(4), 2)]
    assert sorted(deals) == pytest.approx([0, 0, 1, 1, 25, 25]) and mmd(Linear(), points[:2], points[2:]) == deals[0]
