"""Numbers that notebook 18 says and no cell prints, and its own algorithms next to those of kernelkit."""

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
x, z = np.sqrt(-2 * np.log([0.6, 0.8]))  # where a Gaussian around 0 has these two values


# ---- landmarks by hand ---------------------------------------------------------------------------------


def test_what_one_landmark_makes_of_three_points():
    """Its row and its column are exact; the shadows of x and z give 0.48, and the truth depends on the side."""
    k, X = Gaussian(1.0), [[0.0], [x], [z]]
    phi = Landmarks(k, [[0.0]])
    few = phi(X) @ phi(X).T
    np.testing.assert_allclose(few, [[1, 0.6, 0.8], [0.6, 0.36, 0.48], [0.8, 0.48, 0.64]])
    np.testing.assert_allclose(k(X) - few, [[0, 0, 0], [0, 0.64, 0.46], [0, 0.46, 0.36]], atol=5e-3)
    assert [round(d, 2) for d in (x, z, x - z, x + z)] == [1.01, 0.67, 0.34, 1.68]
    assert phi([x]) @ phi([-z]) == pytest.approx(0.48)
    assert [round(k([x], [side * z]), 2) for side in (1, -1)] == [0.94, 0.24]
    assert trace_error(k, X, phi) == pytest.approx(1 / 3)
    assert round(1 - np.square(Landmarks(k, [[0.0], [x]])([z])).sum(), 3) == 0.025


def test_the_root_of_two_landmarks_is_a_sum_and_a_difference():
    values, K_CC = np.array([1, 0.6]), np.array([[1, 0.6], [0.6, 1]])
    features = np.array([values.sum() / np.sqrt(2 * 1.6), (values[0] - values[1]) / np.sqrt(2 * 0.4)])
    np.testing.assert_allclose(features, [0.894, 0.447], atol=5e-4)
    assert features @ features == pytest.approx(values @ np.linalg.inv(K_CC) @ values)
    np.testing.assert_allclose(np.linalg.eigvalsh(K_CC), [0.4, 1.6])


@pytest.mark.parametrize(("sigma", "percent"), [(2.0, 1), (0.5, 70)])
def test_no_hundred_landmarks_leave_out_less_than_the_small_eigenvalues(sigma, percent):
    X, k = data_of(1000)[0], Gaussian(sigma)
    least = np.linalg.eigvalsh(k(X))[:-100].sum() / 1000
    assert round(100 * least) == percent
    assert trace_error(k, X, Landmarks(k, choose(k, X, 100))) > least
    assert sigma < 2.0 or round(100 * trace_error(k, X, Landmarks(k, X[:100]))) == 3


def shadow_of(k, C, x):
    """The axes of the picture, and where its dashed perpendicular begins and ends: (x, x), (y, y)."""
    ax = plots.plot_shadow(k, np.array(C), np.array(x), plots.Sheet("").subplots())
    (dashes,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    return ax, dashes.get_data()


@pytest.mark.parametrize(("C", "left"), [([[0.0]], 0.64), ([[0.0], [2.0]], 0.35)])
def test_the_picture_of_a_shadow_is_a_perpendicular_of_the_right_length(C, left):
    """It ends at the combination of the landmarks' arrows that is nearest to Φ(x)."""
    k, new = Gaussian(1.0), [[1.0108]]
    ax, ((x0, x1), (top, foot)) = shadow_of(k, C, new)
    assert x0 == pytest.approx(x1) and (top - foot) ** 2 == pytest.approx(1 - np.square(Landmarks(k, C)(new)).sum())
    assert round((top - foot) ** 2, 2) == left
    arrows = [note.xy for note in ax.texts if getattr(note, "arrow_patch", None) is not None]
    nearest = np.linalg.solve(k(C), k(C, new))[:, 0] @ np.array(arrows[: len(C)])
    np.testing.assert_allclose(nearest, (x0, foot), atol=1e-9)


@pytest.mark.parametrize("k", [Gaussian(1.0), Linear(), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("C", [[[0.0]], [[1.0]], [[1.0], [1.0]], [[0.0], [1.0]], [[0.0], [0.0]]], ids=str)
@pytest.mark.parametrize("place", [0.0, 1.0, 1.5])
def test_of_a_landmark_that_is_x_nothing_is_left_and_a_second_equal_one_changes_nothing(k, C, place):
    _, (_, ends) = shadow_of(k, C, [[place]])
    left = k([[place]]) - k([[place]], C) @ np.linalg.pinv(k(C), 1e-9, hermitian=True) @ k(C, [[place]])
    assert np.ptp(ends) == pytest.approx(np.sqrt(max(left.item(), 0)), abs=1e-4)


# ---- waves by hand -------------------------------------------------------------------------------------


def test_mixed_terms_of_waves_vanish_over_the_phase_and_leave_an_average_of_cosines():
    b = np.linspace(0, 2 * np.pi, 9)[:-1]
    assert np.mean(2 * np.cos(1.3 + b) * np.cos(0.4 + b)) == pytest.approx(np.cos(1.3 - 0.4))
    assert [round(c, 2) for c in np.cos([0.3, -1.2, 0.8])] == [0.96, 0.36, 0.70]
    assert round(np.cos([0.3, -1.2, 0.8]).mean(), 2) == 0.67 and round(np.exp(-0.5), 2) == 0.61


def test_pairs_of_cosine_and_sine_are_nowhere_worse_for_a_gaussian():
    r = np.linspace(0, 9, 400)
    k, twice = np.exp(-(r**2) / 2), np.exp(-((2 * r) ** 2) / 2)
    single, pair = (1 + twice) / 2 - k**2 + 0.5, 2 * ((1 + twice) / 2 - k**2)
    np.testing.assert_allclose(pair, (1 - k**2) ** 2, atol=1e-12)
    at_one = (1 - np.exp(-1)) ** 2
    assert [round(at_one / 2 + 0.5, 2), round(at_one, 2)] == [0.70, 0.40]
    assert (pair <= single + 1e-12).all() and pair[0] == pytest.approx(0) and single[-1] == pytest.approx(1)


def test_four_times_as_many_waves_nearly_halve_the_error_and_right_angles_do_not_reach_the_predictions():
    X, y, Z, _ = data_of(1000)
    exact, some = K(X[:300]), X[:300]
    maps = {D: [K.waves(D, 5, seed) for seed in range(10)] for D in (100, 400)}
    error = {D: [np.sqrt(np.mean((phi(some) @ phi(some).T - exact) ** 2)) for phi in maps[D]] for D in maps}
    assert [round(np.mean(error[D]), 3) for D in (100, 400)] == [0.091, 0.048]
    h = KernelRidge(K, 0.1).fit(X, y).predict(Z)
    for some_maps in (maps[400], [K.waves(400, 5, seed, orthogonal=True) for seed in range(10)]):
        apart = [np.sqrt(np.mean((PrimalRidge(phi, 0.1).fit(X, y).predict(Z) - h) ** 2)) for phi in some_maps]
        assert round(np.mean(apart), 2) == 0.26


# ---- counts, totals and steps by hand ------------------------------------------------------------------


def test_sizes_and_counts_of_the_core():
    assert round(np.sqrt(16e9 / 8), -3) == 45_000 and round(np.sqrt(64e9 / 8), -3) == 89_000
    seconds = [n**3 / 3 / 1e10 for n in (4000, 40_000, 1_000_000)]
    assert round(seconds[0]) == 2 and round(seconds[1] / 60) == 36 and seconds[2] > 365 * 24 * 3600
    assert [round(c, 3) for c in (1.5 / 2 + 1 / 3, 1.5**3 / 3)] == [1.083, 1.125]
    n, m = 50_000, 500
    features = [n * (5 * m + 1.5 * m**2) + (1 / 3 + several) * m**3 for several in (2, 10)]  # eigenvectors: several m³
    assert 8 * n * m == 0.2e9 and 8 * n**2 == 20e9 and round(n**3 / 3 / 1e13, 1) == 4.2
    assert {round(count / 1e10) for count in features} == {round(n**3 / 3 / count / 1000) for count in features} == {2}
    assert 8 * 2000**2 == 32e6 and 8 * 200_000**2 == 320e9 and round(2000**3 / 3 / 1e9, 1) == 2.7
    assert 8 * 40_000**2 / 1e9 == 12.8 and 200**2 + 200 == 40_200


def test_totals_of_two_chunks_by_hand():
    chunks = ([[1.0], [2.0]], [2, 3]), ([[3.0]], [5])
    one, two = (Totals.of(Identity(), *chunk) for chunk in chunks)
    assert (one.gram.item(), one.moment.item(), two.gram.item(), two.moment.item()) == (5, 8, 9, 15)
    together, alone = (one + two).solve(1).item(), [total.solve(1).item() for total in (one, two)]
    assert [round(w, 2) for w in (together, *alone, np.mean(alone))] == [1.53, 1.33, 1.5, 1.42]
    assert round(np.mean([8 / 5, 15 / 9]), 3) == 1.633 and round(23 / 14, 3) == 1.643


@pytest.mark.parametrize(("labels", "w"), [((1, 1, 1, 0), 0.5), ((1, 1), 0.67), ((1, 0), 0)])
def test_one_step_of_newton_by_hand(labels, w):
    """One constant feature and λ = 1; the four labels together, and each half alone."""
    assert round((np.array(labels) - 0.5).sum() / (0.25 * len(labels) + 1), 2) == w


def test_far_from_all_landmarks_and_points_predictions_fall_to_zero():
    X, y, _, _ = data_of(300)
    far = np.full((1, 5), 30.0)
    for model in (PrimalRidge(Landmarks(K, X[:50]), 0.1), KernelRidge(K, 0.1)):
        assert abs(model.fit(X, y).predict(far)[0]) < 1e-12 and abs(truth(far)[0]) > 100


# ---- the notebook's own algorithms, and scikit-learn's waves -------------------------------------------


def test_landmarks_pivots_and_waves_of_the_cells_are_those_of_kernelkit():
    cells = defined_by(NOTEBOOK, "data", "14f7a675", "cc3ed3bb", "a67ff5f7")
    k, X = cells["k"], cells["X"][:200]
    np.testing.assert_allclose(cells["nystrom_features"](k, X[:8], X), Landmarks(k, X[:8])(X), atol=1e-8)
    C, lost = cells["random_pivots"](k, X, 10, np.random.default_rng(0))
    np.testing.assert_array_equal(C, choose(k, X, 10, "pivots", random_state=0))
    assert lost == pytest.approx(trace_error(k, X, Landmarks(k, C)), abs=1e-9)
    drawn = cells["draw_waves"](2.0, 50, 5, np.random.default_rng(7))(X)
    np.testing.assert_allclose(Gaussian(2.0).waves(50, 5, random_state=7)(X), drawn, atol=1e-12)
    theirs = RBFSampler(gamma=1 / (2 * 2.0**2), n_components=400, random_state=0).fit(X)
    W, b = theirs.random_weights_.T, theirs.random_offset_
    np.testing.assert_allclose(np.sqrt(2 / 400) * np.cos(X @ W.T + b), theirs.transform(X), atol=1e-12)
    assert np.std(W) == pytest.approx(1 / 2.0, rel=0.1)
