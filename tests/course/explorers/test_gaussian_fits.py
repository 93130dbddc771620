"""The numbers of notebook 04's explorers that fit, computed another way."""

import numpy as np
import pytest
from panels import marks_of, number, readout_of, state_of
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from kernelkit import datasets
from kernelkit.course.explorers import gaussian_kernel as explore
from kernelkit.course.explorers.drawing.curves import GRID
from kernelkit.course.panel.numbers import read_off
from kernelkit.course.plots import BLUE, ORANGE

# ---- votes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "z", "sigma", "k"),
    [
        ("half_planes", (1.0, 0.6), 0.6, 5),
        ("moons", (-1.1, 0.4), 1.5, 9),
        ("crossing", (0.3, -2.0), 0.3, 1),
    ],
)
def test_votes_against_neighbours_of_scikit_learn(data, z, sigma, k):
    read = readout_of(explore.votes, data=data, points=(z,), sigma=sigma, neighbours=k)
    X, y = getattr(datasets, data)(30)
    w = rbf_kernel(X, [z], gamma=1 / (2 * sigma**2))[:, 0]
    nearest = KNeighborsRegressor(k).fit(X, y).predict([z])[0]
    assert number(read["soft vote"]) == pytest.approx(np.average(y, weights=w), abs=0.0051)
    assert number(read["their equal vote"]) == pytest.approx(nearest, abs=0.0051)
    share = np.sort(w)[-k:].sum() / w.sum()
    assert number(read["their share of the Gaussian votes"]) == pytest.approx(share, abs=0.0051)
    assert number(read["sum of the linear votes"]) == pytest.approx(y @ X @ z, abs=0.051)


def test_direction_alone_counts_for_the_linear_kernel():
    near, far = (state_of(explore.votes, points=(z,)) for z in ((0.9, 0.4), (1.8, 0.8)))
    np.testing.assert_allclose(far.along, 2 * near.along)
    assert np.abs(far.near / far.near.sum() - near.near / near.near.sum()).max() > 0.1


def test_sizes_are_shares_of_the_largest_vote_in_both_pictures():
    for z in ((1.0, 0.6), (2.8, -2.8)):
        state = state_of(explore.votes, points=(z,))
        areas = [mark.size**2 for mark in marks_of(explore.votes, state, "voters")]
        for votes, (minus, plus) in zip((state.near, np.abs(state.along)), (areas[:2], areas[2:]), strict=True):
            wanted, smallest = votes / votes.max(), 1 / 31
            for area, sign in ((minus, -1), (plus, 1)):
                share = area / max(minus.max(), plus.max())
                assert share == pytest.approx(smallest + (1 - smallest) * wanted[state.y == sign])


def test_pointer_over_a_voter_reads_its_vote():
    state = state_of(explore.votes)
    (x, y), tell = state.X[7], explore.votes.tell
    assert tell["near"](state, x + 0.01, y).endswith(f"vote\u00a0{read_off(state.near[7])}")
    assert tell["along"](state, x + 0.01, y).endswith(f"vote\u00a0{read_off(state.along[7])}")
    assert tell["near"](state, 2.9, -2.9) == ""


def test_at_the_origin_the_linear_kernel_is_silent():
    state = state_of(explore.votes, points=((0.0, 0.0),))
    _, linear = marks_of(explore.votes, state, "result")
    assert not state.along.any() and "silent" in linear.words


# ---- fits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "sigma", "lam"), [(4, 0.8, 0.01), (9, 0.3, 0.1), (2, 2.0, 1.0)])
def test_wiggle_against_scikit_learn(degree, sigma, lam):
    state, read = (of(explore.wiggle, degree=degree, sigma=sigma, lam=lam) for of in (state_of, readout_of))
    X, y = datasets.sine(25, 0.2, 0)
    z = np.linspace(-4, 4, 241)[:, None]
    inside, errors, left_outs, paths = np.abs(z[:, 0]) <= 3, [], [], []
    for model in (
        KernelRidge(alpha=lam, kernel="poly", degree=degree, gamma=1 / 9, coef0=1),
        KernelRidge(alpha=lam, kernel="rbf", gamma=1 / (2 * sigma**2)),
    ):
        h = model.fit(X, y).predict(z)
        error = np.sqrt(np.mean((h - np.sin(2 * z[:, 0]))[inside] ** 2))
        left_out = np.sqrt(np.mean((y - cross_val_predict(model, X, y, cv=LeaveOneOut())) ** 2))
        errors.append(f"{error:.3f}")
        left_outs.append(f"{left_out:.3f}")
        path = np.abs(np.diff(h[inside])).sum()
        paths.append(path)
    for name, error, left_out in zip(("polynomial", "Gaussian"), errors, left_outs, strict=True):
        assert read[f"{name} from the true curve"] == error and read[f"{name}, leave-one-out error"] == left_out
    assert paths == pytest.approx([state.polynomial.path, state.gaussian.path], abs=1e-3), "the bars"


def test_a_narrow_gaussian_wiggles_more():
    assert state_of(explore.wiggle, sigma=0.1).gaussian.path > 1.5 * state_of(explore.wiggle, sigma=0.8).gaussian.path


def test_wiggle_opens_with_a_polynomial_that_oscillates_more():
    state = state_of(explore.wiggle)
    assert state.gaussian.path < state.true_path < 0.7 * state.polynomial.path


@pytest.mark.parametrize(("data", "sigma", "lam"), [("sine", 0.5, 0.1), ("step", 1.0, 10.0), ("cubic", 0.3, 0.01)])
def test_basis_and_kernel_against_scikit_learn(data, sigma, lam):
    state, read = (of(explore.basis_or_kernel, data=data, sigma=sigma, lam=lam) for of in (state_of, readout_of))
    X, y = getattr(datasets, data)(40, 0.2, 0)
    z = np.linspace(-4, 4, 241)[:, None]
    gamma = 1 / (2 * sigma**2)
    basis = (
        Ridge(alpha=lam, fit_intercept=False).fit(rbf_kernel(X, gamma=gamma), y).predict(rbf_kernel(z, X, gamma=gamma))
    )
    kernel = KernelRidge(alpha=lam, kernel="rbf", gamma=gamma).fit(X, y).predict(z)
    np.testing.assert_allclose(state.h_basis, basis, atol=1e-6)
    gap = np.abs(basis - kernel)[np.abs(z[:, 0]) <= 3].max()
    assert read["largest difference"] == f"{gap:.3f}"
    for name, h in (("basis", basis), ("kernel", kernel)):
        error = np.sqrt(np.mean((h - state.truth)[np.abs(z[:, 0]) <= 3] ** 2))
        assert read[f"{name} from the true curve"] == f"{error:.3f}"


def test_two_curves_that_no_eye_tells_apart():
    """Both choose a tiny λ here, so both are the one sum of eight bumps that goes through the eight points."""
    values = {"sigma": 0.1, "own": True, "n": 8, "noise": 0.3, "sample": 7}
    state, read = state_of(explore.basis_or_kernel, **values), readout_of(explore.basis_or_kernel, **values)
    through = np.linalg.solve(rbf_kernel(state.X, gamma=1 / (2 * 0.1**2)), state.y)
    both = rbf_kernel(GRID, state.X, gamma=1 / (2 * 0.1**2)) @ through
    for h in (state.h_basis, state.h_kernel):
        np.testing.assert_allclose(h, both, atol=1e-3)
    assert state.gap < 0.0005 and read["largest difference"] == "less than 0.001"


def test_their_difference_is_drawn_with_its_sign():
    state = state_of(explore.basis_or_kernel, lam=10.0)
    (above,), (below,), (largest,) = (
        marks_of(explore.basis_or_kernel, state, name) for name in ("above", "below", "largest")
    )
    assert (above.color, below.color) == (ORANGE, BLUE)
    above, below = above.y, below.y
    assert above.min() == 0 == below.max()
    assert max(above.max(), -below.min()) == pytest.approx(np.abs(state.h_basis - state.h_kernel).max())
    x, height = state.widest
    assert abs(x) <= 3 and abs(height) == state.gap and f"{state.gap:.3f}" in largest.words


def test_own_lambda_is_the_best_left_out():
    state = state_of(explore.basis_or_kernel, own=True)
    X, y = datasets.sine(40, 0.2, 0)
    features = rbf_kernel(X, gamma=2.0)

    def left_out(model, inputs):
        return np.mean((y - cross_val_predict(model, inputs, y, cv=LeaveOneOut())) ** 2)

    for factor in (0.5, 2.0):
        assert (
            left_out(KernelRidge(alpha=state.lam_kernel, kernel="rbf", gamma=2.0), X)
            <= left_out(KernelRidge(alpha=factor * state.lam_kernel, kernel="rbf", gamma=2.0), X) + 1e-9
        )
        assert (
            left_out(Ridge(alpha=state.lam_basis, fit_intercept=False), features)
            <= left_out(Ridge(alpha=factor * state.lam_basis, fit_intercept=False), features) + 1e-9
        )


def test_with_the_same_large_lambda_the_basis_stays_closer_to_the_data():
    state = state_of(explore.basis_or_kernel, lam=10.0)
    z = np.linspace(-4, 4, 241)
    residual = {n: np.interp(state.X[:, 0], z, h) - state.y for n, h in (("b", state.h_basis), ("k", state.h_kernel))}
    assert np.linalg.norm(residual["b"]) < np.linalg.norm(residual["k"])
