"""Notebook 18 writes its algorithms in cells and says that kernelkit and scikit-learn have the same features."""

import numpy as np
import pytest
from notebook_cells import defined_by
from sklearn.kernel_approximation import RBFSampler

from kernelkit import Gaussian, Landmarks, PrimalRidge, Totals, datasets
from kernelkit.study.landmarks import choose, trace_error

NOTEBOOK = "18-scaling-up.ipynb"


def points(n=60, d=2):
    return np.random.default_rng(n).standard_normal((n, d))


@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_the_features_of_nystrom_are_landmarks_and_exact_there(sigma):
    k, X = Gaussian(sigma), points()
    Phi = defined_by(NOTEBOOK, "6e1d7418", "14f7a675")["nystrom_features"](k, X[:8], X)
    np.testing.assert_allclose(Landmarks(k, X[:8])(X), Phi, atol=1e-8)
    np.testing.assert_allclose(Phi[:8] @ Phi[:8].T, k(X[:8]), atol=1e-8)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_pivots_are_those_of_choose_and_count_what_is_left_out(seed):
    k, (X, _) = Gaussian(0.5), datasets.sine(400, 0.2)
    space = defined_by(NOTEBOOK, "6e1d7418", "14f7a675", "cc3ed3bb")
    C, lost = space["random_pivots"](k, X, 10, np.random.default_rng(seed))
    np.testing.assert_array_equal(C, choose(k, X, 10, "pivots", random_state=seed))
    assert lost == pytest.approx(trace_error(k, X, Landmarks(k, C)), abs=1e-9)


def test_waves_drawn_from_the_same_seed_are_kernelkit_s():
    X = points(d=5)
    drawn = defined_by(NOTEBOOK, "6e1d7418", "a67ff5f7")["draw_waves"](2.0, 50, 5, np.random.default_rng(7))
    np.testing.assert_allclose(Gaussian(2.0).waves(50, 5, random_state=7)(X), drawn(X), atol=1e-12)


def test_the_sampler_of_scikit_learn_keeps_frequencies_and_phases():
    X = points(d=5)
    theirs = RBFSampler(gamma=1 / (2 * 2.0**2), n_components=400, random_state=0).fit(X)
    W, b = theirs.random_weights_.T, theirs.random_offset_
    np.testing.assert_allclose(np.sqrt(2 / 400) * np.cos(X @ W.T + b), theirs.transform(X), atol=1e-12)
    assert np.std(W) == pytest.approx(1 / 2.0, rel=0.1)


def test_the_totals_of_a_stream_give_the_weights_of_the_loop():
    space = defined_by(NOTEBOOK, "6e1d7418", "14f7a675", "f80cf5a2", "e052e290")
    phi, Z = space["phi"], space["Z"]
    totals = sum(Totals.of(phi, X, y) for X, y in space["stream"](20))
    for w in (totals.solve(0.1), PrimalRidge(phi, 0.1).fit_chunks(space["stream"](20)).w_):
        np.testing.assert_allclose(phi(Z) @ w, phi(Z) @ space["w"], atol=1e-9)
