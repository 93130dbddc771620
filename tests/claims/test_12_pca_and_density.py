"""What notebook 12 teaches, as theorems: the code of its own cells does what kernelkit and scikit-learn do."""

from functools import cache

import numpy as np
import pytest
from notebook_cells import defined_by, space_of

from kernelkit import Gaussian, KernelDensity, KernelPCA, Linear, Polynomial, datasets
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
    assert model.total_ == pytest.approx(np.trace(k(X := space["X"])) - k(X).sum() / len(X))  # tr HKH


def test_the_first_two_components_hold_more_than_70_percent():
    space = defined_by(NAME, "components-by-hand")
    assert space["kappa"][:2].sum() / space["model"].total_ > 0.7


def test_k_alone_has_the_eigenvalues_of_the_centred_features():
    space = defined_by(NAME, "components-by-hand", "explicit")
    F = space["F"]
    from_features = np.linalg.eigvalsh(F.T @ F)[::-1][:4]
    np.testing.assert_allclose(space["components"](Polynomial(2)(space["X"]), 4)[0], from_features, rtol=1e-9)


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


@pytest.mark.parametrize("sigma", [0.08, 0.4, 2.0])
def test_the_density_of_the_notebook_is_that_of_the_package_and_has_volume_1(sigma):
    space = defined_by(NAME, "density-by-hand")
    x, z = space["x"], np.linspace(-12, 12, 4001)[:, None]
    p = space["density"](z, x, sigma)
    with np.errstate(under="ignore"):
        np.testing.assert_allclose(p, np.exp(KernelDensity(sigma).fit(x).log_density(z)), rtol=1e-8, atol=1e-300)
    assert p.sum() * (z[1, 0] - z[0, 0]) == pytest.approx(1, abs=1e-6)


@cache
def samples():
    """The two samples of the notebook, and the functions of its cells that compare them."""
    before = ("components-by-hand", "explicit", "pre-image-by-hand", "race", "density-by-hand")  # imports, and rng
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
