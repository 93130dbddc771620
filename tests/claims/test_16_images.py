"""Notebook 16: its cells do what kernelkit and SciPy do, and its cases by hand, maxima and kernels are as it says."""

import re
import sys

import numpy as np
import pytest
from counted import counted, products_of
from notebook_cells import defined_by
from panels import readout_of
from scipy.ndimage import gaussian_filter, gaussian_laplace
from sklearn.svm import SVC

from kernelkit import Gaussian, KernelSVM, MeanMap, Normalized, datasets
from kernelkit.course.explorers.drawing.pictures import coloured, small
from kernelkit.course.explorers.images import filter_lab
from kernelkit.images.descriptors import descriptors, keypoints, matches
from kernelkit.images.filters import (
    bank_responses,
    convolve,
    correlate,
    emboss,
    filter_bank,
    gabor,
    gaussian,
    laplacian_of_gaussian,
    separated,
    turned,
)

NOTEBOOK = "16-images.ipynb"
IMPORTS, TEMPLE = "5ea5781a", ("two-photographs-code", "8938b3ed", "67e55774", "247c7944")


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
    read = readout_of(filter_lab)
    assert read["weights"] == "13 × 13" and read["z over the picture"] == f"{blurred.min():.2f} to {blurred.max():.2f}"


def test_the_machine_of_scikit_learn_gives_every_patch_the_same_h():
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "e7d4a999")
    X, y = datasets.textures(100)
    Z, _ = datasets.textures(100, test=True, random_state=1)
    A, B = space["mean_size"](X), space["mean_size"](Z)
    A, B = (A - A.mean(axis=0)) / A.std(axis=0), (B - A.mean(axis=0)) / A.std(axis=0)
    theirs = SVC(kernel="rbf", gamma=1 / (2 * 1.5**2), C=1.0, tol=1e-8).fit(A, y)
    ours = KernelSVM(Gaussian(1.5), C=1.0, tol=1e-8).fit(A, y)
    np.testing.assert_allclose(ours.decision_function(B), theirs.decision_function(B), atol=1e-5)


# ---- cases that are followed by hand ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("w", "z"),
    [
        ([1 / 3, 1 / 3, 1 / 3], [1, 1, 7 / 3, 11 / 3, 5, 5]),
        ([0.5, 0, -0.5], [0, 0, 2, 2, 0, 0]),
        ([1, 1, 1], [3, 3, 7, 11, 15, 15]),
        ([-0.5, 2, -0.5], [1, 1, -1, 7, 5, 5]),  # the pixel, plus itself minus the mean of its neighbours
        ([1, -2, 1], [0, 0, 4, -4, 0, 0]),
    ],
    ids=["average", "derivative", "integral", "sharpen", "second derivative"],
)
def test_each_filter_does_to_the_step_what_the_text_says(w, z):
    np.testing.assert_allclose(convolve([[1, 1, 1, 5, 5, 5]], [w])[0], z, atol=1e-12)


def test_a_dot_answers_to_an_edge_with_plus_on_its_dark_side_and_minus_on_its_light_side():
    edge = np.repeat([[0.0] * 20 + [1.0] * 20], 5, axis=0)
    z = convolve(edge, laplacian_of_gaussian(2.0))[2]
    assert z[19] > 0.05 > -0.05 > z[20] and np.abs(z[[5, 34]]).max() < 1e-12


@pytest.mark.parametrize("w", [[1 / 3, 1 / 3, 1 / 3], [-0.5, 2, -0.5], [0.5, 0, -0.5], [1, -2, 1]], ids=str)
def test_even_ground_gets_its_brightness_times_the_sum_of_the_weights(w):
    np.testing.assert_allclose(convolve(np.full((1, 6), 3.0), [w]), 3 if sum(w) else 0, atol=1e-12)


def test_the_correlation_at_the_step_has_the_other_sign():
    row, w = [[1, 1, 1, 5, 5, 5]], [[1, 0, -1]]
    assert (convolve(row, w)[0, 2], correlate(row, w)[0, 2]) == (4, -4)


def test_of_one_row_the_sine_finds_the_step_and_the_cosine_the_bar():
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE[1:3], "16a00001")
    assert space["sine"].round(2).tolist() == [0.01, -0.0, -0.61, 0.0, 0.61, 0.0, -0.01]
    step, bar = [[1, 1, 1, 5, 5, 5]], [[1, 1, 1, 5, 1, 1, 1]]
    z = {(name, i): convolve(x, [space[name]])[0] for name in ("sine", "cosine") for i, x in enumerate((step, bar))}
    np.testing.assert_allclose(z["sine", 0][2:4], -2.4, atol=0.05)
    np.testing.assert_allclose(z["sine", 1][2:5], [-2.4, 0, 2.4], atol=0.05)
    np.testing.assert_allclose(z["cosine", 0][2:4], [-1.4, 1.4], atol=0.05)
    assert np.abs(z["cosine", 1]).argmax() == 3 and z["cosine", 1][3] == pytest.approx(2.8, abs=0.05)


def test_two_pictures_with_one_place_in_common_are_0_44_alike():
    """One pair of points is 0.1 apart, and all other pairs are 1 apart or more."""
    one, other = [[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.1], [0.0, -1.0]]
    k = MeanMap(Gaussian(0.2))
    assert k(one, other) == pytest.approx(0.88 / 4, abs=0.001) and k(one, one) == pytest.approx(0.5, abs=1e-5)
    assert Normalized(k)(one, other) == pytest.approx(0.44, abs=0.005)


# ---- Gabor's formula, maxima, colours --------------------------------------------------------------


@pytest.mark.parametrize("angle", [0, 30, 90, 135])
@pytest.mark.parametrize(("wave", "name"), [(np.sin, "sine"), (np.cos, "cosine")], ids=["sine", "cosine"])
@pytest.mark.parametrize(("sigma", "wavelength", "stretch"), [(2.0, 8.0, 1.0), (1.5, 5.0, 2.0), (2.0, 6.0, 0.5)])
def test_the_formula_in_the_cell_is_the_gabor_filter_of_kernelkit(angle, wave, name, sigma, wavelength, stretch):
    written = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00003")["gabor"](sigma, angle, wavelength, wave, stretch)
    np.testing.assert_allclose(written, gabor(sigma, angle, wavelength, name, stretch), atol=1e-12)


def test_the_larger_of_two_waves_has_upright_and_level_edges_and_either_wave_alone_misses_some():
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00003")
    square = np.zeros((41, 41))
    square[12:29, 12:29] = 1
    upright, level = (np.abs(convolve(square, space["gabor"](2.0, angle, 8.0, np.sin))) for angle in (0, 90))
    sides, ends = (np.s_[20, 10:14], np.s_[20, 27:31]), (np.s_[10:14, 20], np.s_[27:31, 20])
    assert min(upright[at].max() for at in sides) > 0.2 > 0.01 > max(upright[at].max() for at in ends)
    assert min(level[at].max() for at in ends) > 0.2 > 0.01 > max(level[at].max() for at in sides)
    assert min(np.maximum(upright, level)[at].max() for at in (*sides, *ends)) > 0.2
    np.testing.assert_array_equal(space["shown"]["the larger of the two"], np.maximum(space["upright"], space["level"]))


@pytest.mark.parametrize("radius", [4.3, 8.5])
@pytest.mark.parametrize(("row", "column"), [(40, 40), (70, 55), (70, 90)])
def test_the_maximum_over_places_and_scales_is_a_half_for_every_disc_and_its_position_says_where(radius, row, column):
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00006")
    x, scales = space["dark_disc"](radius, row, column), space["scales"]
    z = np.abs([convolve(x, laplacian_of_gaussian(sigma)) for sigma in scales])
    s, i, j = np.unravel_index(z.argmax(), z.shape)
    assert z.max() == pytest.approx(0.5, abs=0.002) and (i, j) == (row, column)
    assert scales[s] == {4.3: 3.0, 8.5: 6.0}[radius] and abs(np.sqrt(2) * scales[s] - radius) < 0.1
    assert z[1].max() == pytest.approx({4.3: 0.5, 8.5: 0.25}[radius], abs=0.005)  # over places alone, σ = 3


def test_the_table_of_the_discs_has_what_scipy_answers_at_one_place_over_places_and_over_scales(capsys):
    """A dot whose weights have the sizes 1 in all is eσ²/4 times SciPy's, and finds the disc of radius √2 σ with ½."""
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00006")
    number, place = r" +([\d.]+)", r"\((\d+), (\d+)\)"
    row = re.compile(f"^{number} +{place}{number}{number}{number}, at {place} with σ = (\\d)$", re.M)
    rows = [tuple(map(float, found)) for found in row.findall(capsys.readouterr().out)]
    assert [each[:3] for each in rows] == [(4.3, 40, 40), (4.3, 70, 55), (8.5, 40, 40), (8.5, 70, 90)]
    for radius, *middle, here, over_places, over_both, i, j, sigma in rows:
        x = np.linalg.norm(np.indices((120, 120)).T - middle, axis=2).T >= radius
        z = [np.e * s**2 / 4 * np.abs(gaussian_laplace(1.0 * x, s)) for s in space["scales"]]
        best = int(np.argmax([answer.max() for answer in z]))
        answers = [z[1][40, 40], z[1].max(), z[best].max()]
        reach = 0.025  # the dot of the notebook ends at 3σ, and SciPy's at 4σ
        np.testing.assert_allclose([here, over_places, over_both], answers, atol=reach)
        assert [i, j] == middle and sigma == space["scales"][best], (
            "the position of the maximum says where and how large"
        )


def test_the_maximum_over_places_does_not_notice_a_move():
    at_first, moved = np.array([0, 3, -4, 1, 0]), np.array([0, 0, 3, -4, 1])
    assert (at_first != moved).sum() == 4 and np.abs(at_first).max() == np.abs(moved).max() == 4


def test_the_bank_keeps_the_maximum_of_the_absolute_values_and_not_the_absolute_value_of_the_maximum():
    bank = [filter_bank(2, scales=(1.0,))[2]]  # edges, at two angles
    x = np.random.default_rng(0).standard_normal((9, 9))
    z = np.array([convolve(x, w) for w in bank[0].filters])
    kept = bank_responses(x, bank)[0]
    np.testing.assert_allclose(kept, np.maximum(z.max(axis=0), -z.min(axis=0)), atol=1e-12)
    assert (np.abs(z.max(axis=0)) < kept - 0.01).any()


def test_the_four_colour_filters_of_the_text_are_those_of_the_panel_and_do_what_is_said():
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "redder", "500c104f")
    lab, x = sys.modules["kernelkit.course.explorers.images.filter_lab"], space["flower"]
    np.testing.assert_allclose(x, coloured("flower"), atol=1e-12)
    for (name, w), kind in zip(space["four"].items(), lab.COLOUR, strict=True):
        assert lab.FILTERS[name] == kind
        np.testing.assert_array_equal(w, lab.filter_of(kind, 5, 2.0, 0, 8.0))
    blurred, green, blue, edges = (convolve(x, w) for w in space["four"].values())
    np.testing.assert_allclose(green[..., [0, 2]], blurred[..., [0, 2]], atol=1e-12)
    np.testing.assert_allclose(blue[..., :2], x[..., :2], atol=1e-12)
    assert blurred[30, 54, 1] > 0.67 > 0.62 > green[30, 54, 1]  # the petal loses green
    assert blurred[25, 49, 1] < 0.37 < 0.41 < green[25, 49, 1]  # the leaf gains it
    assert blue[30, 54, 2] < x[30, 54, 2] - 0.05 and np.abs(edges[30, 54]).max() < 0.03
    assert space["redder"][64, 64] > 0.4 and space["redder"][20, 10] < 0


def test_correlation_does_not_commute_and_two_correlations_are_not_joined_by_one():
    point, w = np.eye(1, 9, 4), np.array([[1.0, 2, 3]])
    assert correlate(point, w, "zero")[0, 3:6].tolist() == [3, 2, 1]
    assert correlate(w, np.eye(1, 3, 1), "zero")[0].tolist() == [1, 2, 3]
    assert correlate(correlate(point, w, "zero"), w, "zero")[0, 2:7].tolist() == [9, 12, 10, 4, 1]
    joined = correlate(np.pad(w, [(0, 0), (1, 1)]), w, "zero")
    assert joined[0].tolist() == [3, 8, 14, 8, 3] == correlate(point, joined, "zero")[0, 2:7].tolist()


def test_emboss_answers_to_the_patch_as_computed_by_hand():
    assert convolve([[2, 1, 0], [1, 4, 2], [0, 3, 5]], emboss())[1, 1] == -9


def test_stripes_enlarged_twofold_are_answered_at_the_next_scale():
    for wavelength, bars in ((4, [0.37, 0.12, 0.00]), (8, [0.16, 0.36, 0.13])):
        row = 0.5 + 0.5 * np.cos(2 * np.pi * np.arange(128) / wavelength)
        z = bank_responses(np.tile(row, (128, 1)))[5:, 40:88, 40:88].max(axis=(1, 2))
        np.testing.assert_allclose(z, bars, atol=0.005)


def test_narrow_bars_tell_the_left_half_of_the_temple_from_the_trees_and_hardly_the_right_half():
    bars = filter_bank(6, scales=(1.0, 2.0))[4:5]
    for test, means in ((False, [0.24, 0.31]), (True, [0.29, 0.30])):
        X, y = datasets.textures(100, test=test, random_state=int(test))
        z = np.array([bank_responses(patch, bars).mean() for patch in X])
        np.testing.assert_allclose([z[y == -1].mean(), z[y == 1].mean()], means, atol=0.005)


# ---- learned filters, objects, kernels between images ----------------------------------------------


def test_least_squares_finds_the_secret_filter():
    np.testing.assert_allclose(defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00008")["learned"], emboss(), atol=1e-8)


def test_the_temple_has_many_matches_in_the_evening_at_the_right_places_and_few_elsewhere():
    space = defined_by(NOTEBOOK, IMPORTS, *TEMPLE, "16a00010")
    portrait, flower, temple = (
        matches(space["names"], descriptors(x, keypoints(x, count=200))) for x in space["photographs"].values()
    )
    assert len(temple) > 40 and max(len(portrait), len(flower)) < 6
    np.testing.assert_array_equal(temple, space["pairs"])
    centred = (space["points"][temple[:, 0], :2] + [50, 70]) * 319 / 255 - 159.5  # in the garden, enlarged
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    there = centred @ [[c, s], [-s, c]] + 127.5
    off = np.linalg.norm(there - space["seen"][temple[:, 1], :2], axis=1)
    assert np.mean(off < 4) > 0.8


def test_a_place_is_matched_where_its_nearest_is_clearly_the_nearest():
    assert len(matches([[0.0]], [[0.3], [0.9]])) == 1 and len(matches([[0.0]], [[0.8], [0.9]])) == 0


def test_the_kernel_of_descriptors_recognises_turned_pictures_and_pixels_do_not():
    pictures = [small(name) for name in ("temple", "flower", "admiral")]
    dimmed = [0.4 * turned(x, 120) + 0.2 for x in pictures]
    bags, others = ([descriptors(x, keypoints(x, count=60)) for x in them] for them in (pictures, dimmed))
    k = Normalized(MeanMap(Gaussian(0.2)))
    K, raw = k(bags, others), np.corrcoef([x.ravel() for x in pictures + dimmed])[:3, 3:]
    assert (K.argmax(axis=0) == range(3)).all() and (raw.argmax(axis=0) != range(3)).all()
    np.testing.assert_allclose(np.diag(K), [0.47, 0.45, 0.20], atol=0.02)
    assert (K - np.diag(np.diag(K))).max() < 0.02
    assert np.linalg.eigvalsh(k(bags + others)).min() > 0


# ---- what a convolution costs ----------------------------------------------------------------------


def shifted(w, x):
    """The definition as the cell has it: a sum of shifted pictures, each times its weight."""
    return sum(w[p, q] * np.roll(x, (p, q), (0, 1)) for p, q in np.ndindex(*w.shape))


def test_the_definition_needs_many_times_the_products_of_the_separated_way():
    w, x = gaussian(1), counted(np.ones((9, 8)))
    column, row = (counted(part) for part in separated(w))
    assert products_of(shifted, counted(w), x) == w.size * x.size
    assert products_of(lambda: shifted(row[None, :], shifted(column[:, None], x))) == 2 * len(w) * x.size
