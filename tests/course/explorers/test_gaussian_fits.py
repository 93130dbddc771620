"""The sentences of notebook 04's explorers that fit, against numbers computed another way."""

import numpy as np
import pytest
from panels import state_and_sentence
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from kernelkit import datasets
from kernelkit.course.explorers import gaussian_kernel as explore
from kernelkit.course.explorers.drawing.curves import GRID
from kernelkit.course.panel.numbers import read_off

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
    _, said = state_and_sentence(explore.votes, data=data, points=(z,), sigma=sigma, neighbours=k)
    X, y = getattr(datasets, data)(30)
    w = rbf_kernel(X, [z], gamma=1 / (2 * sigma**2))[:, 0]
    assert f"soft vote is {np.average(y, weights=w):+.2f}" in said
    nearest = KNeighborsRegressor(k).fit(X, y).predict([z])[0]
    assert f"{'the label of that one' if k == 1 else f'an equal vote of those {k}'} is {nearest:+.2f}" in said
    assert f"hold{'s' * (k == 1)} {100 * np.sort(w)[-k:].sum() / w.sum():.0f}\u00a0%" in said
    assert f"add up to {y @ X @ z:+.1f}" in said


def test_votes_say_who_weighs_more_and_whom_the_linear_kernel_hears():
    seen = set()
    for data, z in (("half_planes", (1.0, 0.6)), ("moons", (-1.1, 0.4)), ("half_planes", (2.8, -2.8))):
        for sigma in np.arange(0.2, 3.01, 0.05):
            for m in (1, 5, 15):
                state, said = state_and_sentence(
                    explore.votes, data=data, points=(z,), sigma=float(sigma), neighbours=m
                )
                nearest = np.argsort(state.distance)[:m]
                share = round(100 * state.near[nearest].sum() / state.near.sum())
                heavier = "outweigh" in said, "about the same" in said, "the rest weighs more" in said
                assert heavier == (share > 50, share == 50, share < 50)
                assert ("not the nearest" in said) == (np.abs(state.X @ z).argmax() != nearest[0])
                seen |= {heavier, "not the nearest" in said}
    assert len(seen) == 5


def test_direction_alone_counts_for_the_linear_kernel():
    near, _ = state_and_sentence(explore.votes, points=((0.9, 0.4),))
    far, _ = state_and_sentence(explore.votes, points=((1.8, 0.8),))
    np.testing.assert_allclose(far.along, 2 * near.along)
    assert np.abs(far.near / far.near.sum() - near.near / near.near.sum()).max() > 0.1


def test_sizes_are_shares_of_the_largest_vote_in_both_pictures():
    canvas = explore.votes.canvas()
    for z in ((1.0, 0.6), (2.8, -2.8)):
        state, _ = state_and_sentence(explore.votes, points=(z,))
        canvas.frame(state)
        for name, votes in (("near_votes", state.near), ("along_votes", np.abs(state.along))):
            dots, *_ = canvas.parts[name]
            for sign, artist in dots.items():
                assert artist.get_sizes() == pytest.approx(10 + 300 * votes[state.y == sign] / votes.max())


def test_pointer_over_a_voter_reads_its_vote():
    state, _ = state_and_sentence(explore.votes)
    (x, y), tell = state.X[7], explore.votes.tell
    assert tell["near"](state, x + 0.01, y).endswith(f"vote\u00a0{read_off(state.near[7])}")
    assert tell["along"](state, x + 0.01, y).endswith(f"vote\u00a0{read_off(state.along[7])}")
    assert tell["near"](state, 2.9, -2.9) == ""


def test_at_the_origin_the_linear_kernel_is_silent():
    assert "silent" in state_and_sentence(explore.votes, points=((0.0, 0.0),))[1]


# ---- fits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("degree", "sigma", "lam"), [(4, 0.8, 0.01), (9, 0.3, 0.1), (2, 2.0, 1.0)])
def test_wiggle_against_scikit_learn(degree, sigma, lam):
    state, said = state_and_sentence(explore.wiggle, degree=degree, sigma=sigma, lam=lam)
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
    assert f"degree {degree} misses the truth by {errors[0]}, and" in said
    assert f"σ = {sigma:.2f} by {errors[1]} (root" in said
    assert f"leave-one-out errors are {left_outs[0]} and {left_outs[1]}, so" in said
    assert paths == pytest.approx([state.polynomial.path, state.gaussian.path], abs=1e-3), "the bars"


def test_wiggle_says_whether_leave_one_out_chooses_the_better_model():
    seen = set()
    for values in (*explore.wiggle.scenes.values(), {"noise": 0.6, "n": 12}, {"n": 60}, {"degree": 10, "lam": 0.1}):
        for data in ("sine", "cubic", "step"):
            state, said = state_and_sentence(explore.wiggle, **values | {"data": data})
            one, other = state.polynomial, state.gaussian
            errors, left_out = ((round(a, 3), round(b, 3)) for a, b in zip(vars_of(one), vars_of(other), strict=True))
            chosen = np.argmin(left_out)
            if len(set(left_out)) == len(set(errors)) == 2:
                assert ("and that is right" in said) == (errors[chosen] == min(errors))
                if errors[chosen] > min(errors):
                    inner = (state.X.min() <= GRID) & (state.X.max() >= GRID)  # here leave-one-out can look
                    better = np.argmin([np.square(fit.h - state.truth)[inner[:, 0]].mean() for fit in (one, other)])
                    where = ", but only beyond the outermost points" if better == chosen else ""
                    assert f"choose the {('polynomial', 'Gaussian')[chosen]}, which errs more{where}." in said
                    seen.add(where)
    assert len(seen) == 2


def vars_of(fit):
    return fit.error, fit.left_out


def test_a_narrow_gaussian_wiggles_more():
    assert (
        state_and_sentence(explore.wiggle, sigma=0.1)[0].gaussian.path
        > 1.5 * state_and_sentence(explore.wiggle, sigma=0.8)[0].gaussian.path
    )


def test_wiggle_opens_with_a_polynomial_that_oscillates_more():
    state, _ = state_and_sentence(explore.wiggle)
    assert state.gaussian.path < state.true_path < 0.7 * state.polynomial.path


@pytest.mark.parametrize(("data", "sigma", "lam"), [("sine", 0.5, 0.1), ("step", 1.0, 10.0), ("cubic", 0.3, 0.01)])
def test_basis_and_kernel_against_scikit_learn(data, sigma, lam):
    state, said = state_and_sentence(explore.basis_or_kernel, data=data, sigma=sigma, lam=lam)
    X, y = getattr(datasets, data)(40, 0.2, 0)
    z = np.linspace(-4, 4, 241)[:, None]
    gamma = 1 / (2 * sigma**2)
    basis = (
        Ridge(alpha=lam, fit_intercept=False).fit(rbf_kernel(X, gamma=gamma), y).predict(rbf_kernel(z, X, gamma=gamma))
    )
    kernel = KernelRidge(alpha=lam, kernel="rbf", gamma=gamma).fit(X, y).predict(z)
    np.testing.assert_allclose(state.h_basis, basis, atol=1e-6)
    gap = np.abs(basis - kernel)[np.abs(z[:, 0]) <= 3].max()
    assert f"differ by up to {gap:.3f}" in said
    error = [np.sqrt(np.mean((h - state.truth)[np.abs(z[:, 0]) <= 3] ** 2)) for h in (basis, kernel)]
    near, far = np.argsort(error)
    names = "basis", "kernel"
    assert (
        f"The {names[near]} comes nearer to the true curve (error {error[near]:.3f}, {names[far]} {error[far]:.3f})."
        in said
    )
    own = state_and_sentence(explore.basis_or_kernel, data=data, sigma=sigma, own=True)
    assert "so they stay two models" in own[1] and own[0].gap > 0.0005
    state.error_basis = state.error_kernel + 1e-5
    assert f"Both come equally near to the true curve, with an error of {state.error_kernel:.3f}." in (
        explore.basis_or_kernel.describe(state)
    )


def test_two_curves_that_no_eye_tells_apart_are_not_called_two_models():
    """Both choose a tiny λ here, so both are the one sum of eight bumps that goes through the eight points."""
    state, said = state_and_sentence(explore.basis_or_kernel, sigma=0.1, own=True, n=8, noise=0.3, sample=7)
    through = np.linalg.solve(rbf_kernel(state.X, gamma=1 / (2 * 0.1**2)), state.y)
    both = rbf_kernel(GRID, state.X, gamma=1 / (2 * 0.1**2)) @ through
    for h in (state.h_basis, state.h_kernel):
        np.testing.assert_allclose(h, both, atol=1e-3)
    assert state.gap < 0.0005 and "differ by less than 0.001 between -3 and 3, so here they are one curve" in said


def test_their_difference_is_drawn_with_its_sign():
    state, _ = state_and_sentence(explore.basis_or_kernel, lam=10.0)
    canvas = explore.basis_or_kernel.canvas()
    canvas.frame(state)
    above, below = (fill.get_paths()[0].vertices[:, 1] for fill in canvas.parts["fills"])
    assert above.min() == 0 == below.max()
    assert max(above.max(), -below.min()) == pytest.approx(np.abs(state.h_basis - state.h_kernel).max())
    x, height = state.widest
    assert abs(x) <= 3 and abs(height) == state.gap and f"{state.gap:.3f}" in canvas.parts["largest"].get_text()


def test_own_lambda_is_the_best_left_out():
    state, _ = state_and_sentence(explore.basis_or_kernel, own=True)
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
    state, _ = state_and_sentence(explore.basis_or_kernel, lam=10.0)
    z = np.linspace(-4, 4, 241)
    residual = {n: np.interp(state.X[:, 0], z, h) - state.y for n, h in (("b", state.h_basis), ("k", state.h_kernel))}
    assert np.linalg.norm(residual["b"]) < np.linalg.norm(residual["k"])
