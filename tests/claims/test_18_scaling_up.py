"""Notebook 18 writes its algorithms in cells and says that kernelkit and scikit-learn have the same features."""

import numpy as np
import pytest
from notebook_cells import defined_by
from sklearn.kernel_approximation import RBFSampler

from kernelkit import Gaussian, KernelRidge, Landmarks, Linear, Polynomial, PrimalRidge, Totals
from kernelkit.course import plots
from kernelkit.course.explorers.data.five_inputs import K, points as data_of, truth
from kernelkit.features import Identity
from kernelkit.study.landmarks import choose, trace_error

NOTEBOOK = "18-scaling-up.ipynb"


def points(n=60, d=2):
    return np.random.default_rng(n).standard_normal((n, d))


@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_the_features_of_nystrom_are_landmarks_and_exact_there(sigma):
    k, X = Gaussian(sigma), points()
    Phi = defined_by(NOTEBOOK, "data", "14f7a675")["nystrom_features"](k, X[:8], X)
    np.testing.assert_allclose(Landmarks(k, X[:8])(X), Phi, atol=1e-8)
    np.testing.assert_allclose(Phi[:8] @ Phi[:8].T, k(X[:8]), atol=1e-8)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_random_pivots_are_those_of_choose_and_count_what_is_left_out(seed):
    space = defined_by(NOTEBOOK, "data", "14f7a675", "cc3ed3bb")
    k, X = space["k"], space["X"]
    C, lost = space["random_pivots"](k, X, 10, np.random.default_rng(seed))
    np.testing.assert_array_equal(C, choose(k, X, 10, "pivots", random_state=seed))
    assert lost == pytest.approx(trace_error(k, X, Landmarks(k, C)), abs=1e-9)


def test_waves_drawn_from_the_same_seed_are_kernelkit_s():
    X = points(d=5)
    drawn = defined_by(NOTEBOOK, "data", "a67ff5f7")["draw_waves"](2.0, 50, 5, np.random.default_rng(7))
    np.testing.assert_allclose(Gaussian(2.0).waves(50, 5, random_state=7)(X), drawn(X), atol=1e-12)


def test_the_sampler_of_scikit_learn_keeps_frequencies_and_phases():
    X = points(d=5)
    theirs = RBFSampler(gamma=1 / (2 * 2.0**2), n_components=400, random_state=0).fit(X)
    W, b = theirs.random_weights_.T, theirs.random_offset_
    np.testing.assert_allclose(np.sqrt(2 / 400) * np.cos(X @ W.T + b), theirs.transform(X), atol=1e-12)
    assert np.std(W) == pytest.approx(1 / 2.0, rel=0.1)


def test_the_totals_of_a_stream_give_the_weights_of_the_loop():
    space = defined_by(NOTEBOOK, "data", "f80cf5a2", "c7755ecf", "e052e290")
    phi, Z = space["phi"], space["Z"]
    totals = sum(Totals.of(phi, X, y) for X, y in space["stream"](20))
    for w in (totals.solve(0.1), PrimalRidge(phi, 0.1).fit_chunks(space["stream"](20)).w_):
        np.testing.assert_allclose(phi(Z) @ w, phi(Z) @ space["w"], atol=1e-9)


# ---- the smallest cases, which the text works out by hand --------------------------------------------------


def test_what_a_triangle_of_one_landmark_says():
    """k(x, C) = 0.6 and k(z, C) = 0.8: the shadows give 0.48, the truth depends on the side."""
    k, (x, z) = Gaussian(1.0), np.sqrt(-2 * np.log([0.6, 0.8]))
    phi = Landmarks(k, [[0.0]])
    assert phi([x]) @ phi([z]) == pytest.approx(0.48) and phi([x]) @ phi([-z]) == pytest.approx(0.48)
    assert [round(k([x], [side * z]), 2) for side in (1, -1)] == [0.94, 0.24]
    left = trace_error(k, [[0.0], [x], [z]], phi)
    assert left == pytest.approx(1 / 3)
    second = Landmarks(k, [[0.0], [x]])
    assert round(1 - np.square(second([z])).sum(), 3) == 0.025


def test_what_one_landmark_makes_of_three_points():
    """Its row and its column are exact, and between the two other points 0.46 is missing."""
    k, (x, z) = Gaussian(1.0), np.sqrt(-2 * np.log([0.6, 0.8]))
    X = [[0.0], [x], [z]]
    few = Landmarks(k, [[0.0]])(X)
    np.testing.assert_allclose(few @ few.T, [[1, 0.6, 0.8], [0.6, 0.36, 0.48], [0.8, 0.48, 0.64]])
    np.testing.assert_allclose(k(X) - few @ few.T, [[0, 0, 0], [0, 0.64, 0.46], [0, 0.46, 0.36]], atol=5e-3)
    assert [round(d, 2) for d in (x, z, x - z, x + z)] == [1.01, 0.67, 0.34, 1.68]


@pytest.mark.parametrize(("sigma", "percent"), [(2.0, 1), (0.5, 70)])
def test_no_hundred_landmarks_leave_out_less_than_the_small_eigenvalues(sigma, percent):
    X, k = data_of(1000)[0], Gaussian(sigma)
    least = np.linalg.eigvalsh(k(X))[:-100].sum() / 1000
    assert round(100 * least) == percent
    assert trace_error(k, X, Landmarks(k, choose(k, X, 100))) > least
    if sigma == 2.0:
        assert round(100 * trace_error(k, X, Landmarks(k, X[:100]))) == 3
    two = np.array([[1, 0.6], [0.6, 1]])
    np.testing.assert_allclose(np.linalg.eigvalsh(two), [0.4, 1.6])


def test_sizes_and_counts_of_the_core():
    assert round(np.sqrt(16e9 / 8), -3) == 45_000 and round(np.sqrt(64e9 / 8), -3) == 89_000
    seconds = [n**3 / 3 / 1e10 for n in (4000, 40_000, 1_000_000)]
    assert round(seconds[0]) == 2 and round(seconds[1] / 60) == 36 and seconds[2] > 365 * 24 * 3600
    assert [round(c, 3) for c in (1.5 / 2 + 1 / 3, 1.5**3 / 3)] == [1.083, 1.125]
    n, m = 50_000, 500
    features = [n * (5 * m + 1.5 * m**2) + (1 / 3 + several) * m**3 for several in (2, 10)]  # eigenvectors: several m³
    assert 8 * n * m == 0.2e9 and 8 * n**2 == 20e9 and round(n**3 / 3 / 1e13, 1) == 4.2
    assert {round(count / 1e10) for count in features} == {2}
    assert {round(n**3 / 3 / count / 1000) for count in features} == {2}
    assert 8 * 2000**2 == 32e6 and 8 * 200_000**2 == 320e9 and round(2000**3 / 3 / 1e9, 1) == 2.7


def test_the_root_of_two_landmarks_is_a_sum_and_a_difference():
    x = np.array([1, 0.6])  # the kernel values of C_1 with both
    features = np.array([x.sum() / np.sqrt(2 * 1.6), (x[0] - x[1]) / np.sqrt(2 * 0.4)])
    np.testing.assert_allclose(features, [0.894, 0.447], atol=5e-4)
    assert features @ features == pytest.approx(x @ np.linalg.inv([[1, 0.6], [0.6, 1]]) @ x)


@pytest.mark.parametrize("C", [[[0.0]], [[0.0], [2.0]]])
def test_the_picture_of_a_shadow_is_a_perpendicular_of_the_right_length(C):
    """On a line all is seen; of a plane the dashes have the length, because they go straight up."""
    k, x = Gaussian(1.0), np.array([[1.0108]])
    ax = plots.plot_shadow(k, np.array(C), x, plots.Sheet("").subplots())
    (dashes,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    (x0, x1), (top, foot) = dashes.get_data()
    left = 1 - np.square(Landmarks(k, C)(x)).sum()
    assert x0 == pytest.approx(x1) and (top - foot) ** 2 == pytest.approx(left)
    assert round(left, 2) == {1: 0.64, 2: 0.35}[len(C)]
    foot_of = np.linalg.solve(k(C), k(C, x))[:, 0]
    arrows = [note.xy for note in ax.texts if getattr(note, "arrow_patch", None) is not None]
    np.testing.assert_allclose(foot_of @ np.array(arrows[: len(C)]), (x0, foot), atol=1e-9)


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear(), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("C", [[[0.0]], [[1.0]], [[1.0], [1.0]], [[0.0], [1.0]], [[0.0], [0.0]]], ids=str)
@pytest.mark.parametrize("x", [[[0.0]], [[1.0]], [[1.5]]], ids=str)
def test_the_picture_of_a_shadow_of_equal_points_is_drawn(k, C, x):
    """Of a landmark that is x nothing is left, and the second of two equal ones changes nothing."""
    sheet = plots.Sheet("")
    ax = plots.plot_shadow(k, np.array(C), x, sheet.subplots())
    (dashes,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    left = k(x) - k(x, C) @ np.linalg.pinv(k(C), 1e-9, hermitian=True) @ k(C, x)
    assert np.ptp(dashes.get_ydata()) == pytest.approx(np.sqrt(max(left.item(), 0)), abs=1e-4)
    assert sheet._repr_mimebundle_()


def test_mixed_terms_of_a_shadow_and_a_rest_vanish():
    """With the Φ's as rows of a root of their Gram matrix, the rest is perpendicular to every shadow."""
    k, X = Gaussian(1.0), points(12)
    rows = np.linalg.cholesky(k(X))
    span = np.linalg.qr(rows[:4].T)[0]
    shadows = rows @ span @ span.T
    np.testing.assert_allclose(shadows @ (rows - shadows).T, 0, atol=1e-12)
    np.testing.assert_allclose(shadows @ shadows.T, Landmarks(k, X[:4])(X) @ Landmarks(k, X[:4])(X).T, atol=1e-9)
    assert np.linalg.eigvalsh(k(X) - shadows @ shadows.T).min() > -1e-12


def test_mixed_terms_of_waves_vanish_over_the_phase_and_leave_an_average_of_cosines():
    b = np.linspace(0, 2 * np.pi, 9)[:-1]
    assert np.mean(2 * np.cos(1.3 + b) * np.cos(0.4 + b)) == pytest.approx(np.cos(1.3 - 0.4))
    assert [round(c, 2) for c in np.cos([0.3, -1.2, 0.8])] == [0.96, 0.36, 0.70]
    assert round(np.cos([0.3, -1.2, 0.8]).mean(), 2) == 0.67 and round(np.exp(-0.5), 2) == 0.61
    omega = np.linspace(-12, 12, 4001) / 1.7
    p = np.exp(-((1.7 * omega) ** 2) / 2) * 1.7 / np.sqrt(2 * np.pi)
    r = np.array([0.0, 0.5, 2.0])
    waves = np.cos(np.outer(r, omega)) @ p * (omega[1] - omega[0])
    np.testing.assert_allclose(waves, Gaussian(1.7)([[0.0]], r[:, None])[0], atol=1e-9)


def test_pairs_of_cosine_and_sine_are_nowhere_worse_for_a_gaussian():
    r = np.linspace(0, 9, 400)
    k, twice = np.exp(-(r**2) / 2), np.exp(-((2 * r) ** 2) / 2)
    single, pair = (1 + twice) / 2 - k**2 + 0.5, 2 * ((1 + twice) / 2 - k**2)
    np.testing.assert_allclose(pair, (1 - k**2) ** 2, atol=1e-12)
    at_one = np.exp(-1)  # the square of k = 0.61
    assert [round((1 - at_one) ** 2 * c + b, 2) for c, b in ((0.5, 0.5), (1, 0))] == [0.70, 0.40]
    assert (pair <= single + 1e-12).all() and pair[0] == pytest.approx(0) and single[-1] == pytest.approx(1)


def test_totals_of_two_chunks_by_hand():
    chunks = ([[1.0], [2.0]], [2, 3]), ([[3.0]], [5])
    one, two = (Totals.of(Identity(), *chunk) for chunk in chunks)
    assert (one.gram.item(), one.moment.item(), two.gram.item(), two.moment.item()) == (5, 8, 9, 15)
    together, alone = (one + two).solve(1).item(), [total.solve(1).item() for total in (one, two)]
    assert [round(w, 2) for w in (together, *alone, np.mean(alone))] == [1.53, 1.33, 1.5, 1.42]
    assert round(np.mean([8 / 5, 15 / 9]), 3) == 1.633 and round(23 / 14, 3) == 1.643


def test_four_times_as_many_waves_nearly_halve_the_error():
    """What *Deeper* says of plain waves with 400 features in place of 100."""
    space = defined_by(NOTEBOOK, "data", "a67ff5f7")
    error = {D: np.mean([space["kernel_error"](K.waves(D, 5, seed)) for seed in range(10)]) for D in (100, 400)}
    assert [round(error[D], 3) for D in (100, 400)] == [0.091, 0.048]


def test_with_many_waves_right_angles_do_not_reach_the_predictions():
    X, y, Z, _ = data_of(1000)
    exact = KernelRidge(K, 0.1).fit(X, y).predict(Z)
    for orthogonal in (False, True):
        maps = [K.waves(400, 5, seed, orthogonal=orthogonal) for seed in range(10)]
        apart = [np.sqrt(np.mean((PrimalRidge(phi, 0.1).fit(X, y).predict(Z) - exact) ** 2)) for phi in maps]
        assert round(np.mean(apart), 2) == 0.26


def test_more_points_are_worth_more_than_all_of_k():
    X, y, Z, t = data_of(1000)
    space = defined_by(NOTEBOOK, "data", "f80cf5a2", "c7755ecf", "e052e290")
    error = lambda h: np.sqrt(np.mean((h - t) ** 2))  # noqa: E731
    few = PrimalRidge(space["phi"], 0.1).fit(X, y).predict(Z)
    exact = KernelRidge(K, 0.1).fit(X, y).predict(Z)
    assert error(space["phi"](Z) @ space["w"]) < 0.9 * error(exact) < 0.9 * error(few)
    assert space["n"] == 40_000 and 8 * 40_000**2 / 1e9 == 12.8 and 200**2 + 200 == 40_200


def test_far_from_all_landmarks_and_points_predictions_fall_to_zero():
    X, y, _, _ = data_of(300)
    far = np.full((1, 5), 30.0)
    for model in (PrimalRidge(Landmarks(K, X[:50]), 0.1), KernelRidge(K, 0.1)):
        assert abs(model.fit(X, y).predict(far)[0]) < 1e-12 and abs(truth(far)[0]) > 100


def test_one_step_of_newton_by_hand():
    """Labels 1, 1 and 1, 0, one constant feature, λ = 1: together 0.5, alone 0.67 and 0."""

    def step(*labels):
        y = np.array(labels)
        return (y - 0.5).sum() / (0.25 * len(y) + 1)

    assert step(1, 1, 1, 0) == 0.5 and round(step(1, 1), 2) == 0.67 and step(1, 0) == 0
