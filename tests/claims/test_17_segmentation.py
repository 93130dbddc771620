"""Notebook 17 writes its algorithms in cells and says that kernelkit finds the same weights, poses and terms."""

import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Monomials
from kernelkit.images.phantom import patient
from kernelkit.images.segmentation import Segmenter, find_pose, head_mask, some_pixels
from kernelkit.study.terms import forward, lasso


@pytest.fixture(scope="module")
def cells():
    return defined_by("17-segmentation.ipynb", "c02", "c04", "c06", "c11", "c24", "c44", "c60")


@pytest.fixture(scope="module")
def pixels(cells):
    """44 features of 4800 pixels, scaled, and what they are: +1 in the tumour."""
    groups = ["intensities", "neighbourhood", "alignment", "symmetry"]
    X, y = some_pixels(cells["scans"][:12], cells["tumours"][:12], groups)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize(("groups", "degree"), [(["intensities"], 1), (["intensities"], 2), (["coordinates"], 1)])
def test_newton_finds_the_weights_of_the_segmenter(groups, degree, cells):
    learned = cells["scans"][:12], cells["tumours"][:12]
    X, y = some_pixels(*learned, groups)
    model = Segmenter(groups, degree=degree, lam=1.0).fit(*learned)
    Phi = Monomials(degree)((X - model.mean_) / model.spread_)
    np.testing.assert_allclose(cells["newton"](Phi, y, 1.0), model.w_, atol=1e-3)


@pytest.mark.parametrize("seed", [0, 1, 2, 103])
def test_the_long_axis_of_the_head_is_the_pose(seed, cells):
    mask = head_mask(patient(seed).channels)
    found = find_pose(mask)
    np.testing.assert_allclose(cells["pose"](mask), (found.row, found.column, found.angle, found.unit), rtol=1e-9)


def test_terms_chosen_one_by_one_are_those_of_forward(cells, pixels):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 8))
    for Z, y in (pixels, (X - X.mean(axis=0), np.sign(X @ rng.standard_normal(8)))):
        assert cells["choose_terms"](Z, y, 6) == [step.term[0] for step in forward(Z, y, 6, degree=1)]


def test_coordinate_descent_is_lasso(cells, pixels):
    Z, y = pixels
    w = cells["coordinate_descent"](Z, y - y.mean(), 300)
    np.testing.assert_allclose(lasso(Z, y - y.mean(), 300, tol=1e-6), w, atol=1e-4)
    assert np.count_nonzero(w) == 6
