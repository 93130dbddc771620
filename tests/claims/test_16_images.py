"""Notebook 16 convolves in its own cell, by kernelkit, by SciPy: the numbers are the same, and so is the model."""

import numpy as np
import pytest
from notebook_cells import defined_by
from panels import said_by
from scipy.ndimage import gaussian_filter
from sklearn.svm import SVC

from kernelkit import Gaussian, KernelSVM, datasets
from kernelkit.explorers.images import filter_lab
from kernelkit.images.filters import convolve, gaussian

NOTEBOOK = "16-images.ipynb"


@pytest.mark.parametrize("size", [(3, 3), (1, 5), (7, 3)], ids=str)
def test_patch_times_turned_filter_is_the_convolution(size):
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((9, 12)), rng.standard_normal(size)
    slowly = defined_by(NOTEBOOK, "8938b3ed")["convolve_slowly"](x, w)
    np.testing.assert_allclose(slowly, convolve(x, w, "zero"), atol=1e-12)


def test_the_gaussian_of_scipy_answers_as_the_filter_lab_at_its_start():
    temple = datasets.picture("china", grey=True)[110:238, 220:348]
    blurred = gaussian_filter(temple, 2, truncate=3)
    np.testing.assert_allclose(blurred, convolve(temple, gaussian(2)), atol=1e-12)
    said = said_by(filter_lab)
    assert "13 × 13 weights" in said and f"z goes from {blurred.min():.2f} to {blurred.max():.2f}" in said


def test_the_machine_of_scikit_learn_gives_every_patch_the_same_h():
    space = defined_by(NOTEBOOK, "5ea5781a", "8938b3ed", "67e55774", "247c7944", "e7d4a999")
    X, y = datasets.textures(100)
    Z, _ = datasets.textures(100, test=True, random_state=1)
    A, B = space["mean_size"](X), space["mean_size"](Z)
    A, B = (A - A.mean(axis=0)) / A.std(axis=0), (B - A.mean(axis=0)) / A.std(axis=0)
    theirs = SVC(kernel="rbf", gamma=1 / (2 * 1.5**2), C=1.0, tol=1e-8).fit(A, y)
    ours = KernelSVM(Gaussian(1.5), C=1.0, tol=1e-8).fit(A, y)
    np.testing.assert_allclose(ours.decision_function(B), theirs.decision_function(B), atol=1e-5)
