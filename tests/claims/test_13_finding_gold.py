"""Notebook 13 says that kernelkit's versions give the numbers of its own cells: they do, for other data too."""

import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Gaussian, KernelRidge, Kriging, Linear, Matern, Periodic
from kernelkit.study.drilling import drill

NOTEBOOK = "13-finding-gold.ipynb"
KERNELS = [Gaussian(0.8), Matern(1.0, 1.5) + 1, 2 * Periodic(1.0, period=2.0) + Linear()]


def holes(n=9):
    rng = np.random.default_rng(n)
    return rng.uniform(-3, 3, (n, 1)), rng.standard_normal(n), np.linspace(-4, 4, 30)[:, None]


@pytest.mark.parametrize("noise", [0.01, 0.5])
@pytest.mark.parametrize("k", KERNELS, ids=str)
def test_conditioning_is_kriging_and_its_mean_is_ridge(k, noise):
    X, y, Z = holes()
    mean, covariance = defined_by(NOTEBOOK, "c04", "c07", "c10")["condition"](k, noise, X, y, Z)
    m, C = Kriging(k, noise).fit(X, y).posterior(Z)
    np.testing.assert_allclose(m, mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(C, covariance, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(KernelRidge(k, noise).fit(X, y).predict(Z), mean, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("noise", [0.01, 0.5])
@pytest.mark.parametrize("k", KERNELS, ids=str)
def test_the_evidence_is_what_kriging_keeps(k, noise):
    X, y, _ = holes()
    evidence = defined_by(NOTEBOOK, "c23")["evidence"](k(X), y, noise)
    assert Kriging(k, noise).fit(X, y).log_marginal_likelihood_ == pytest.approx(evidence, rel=1e-9)


def test_from_the_same_first_hole_the_hunt_is_drill():
    space = defined_by(NOTEBOOK, "c04", "c07", "c12", "c33")
    for seed, truth in enumerate(space["grounds"][:3]):
        found = drill(Kriging(Gaussian(0.15), 1e-4), space["places"], truth, "expected improvement", random_state=seed)
        assert space["hunt"](truth, int(found.places[0])) == found.places.tolist()


def test_the_parts_of_a_sum_of_kernels_add_up_to_the_prediction():
    X, y, Z = holes()
    for one, other in ((Linear(), Periodic(1.0, period=1.0)), (Gaussian(0.3), Gaussian(2.0))):
        model = Kriging(one + other, noise=0.04).fit(X, y)
        np.testing.assert_allclose(one(Z, X) @ model.a_ + other(Z, X) @ model.a_, model.predict(Z), rtol=1e-9)
