"""Numbers that notebook 16 says and no cell prints, each computed once."""

import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Gaussian, MeanMap, Normalized, datasets
from kernelkit.course.explorers.drawing.pictures import coloured, small
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
    layers,
    turned,
)

NOTEBOOK = "16-images.ipynb"
CELLS = "5ea5781a", "two-photographs-code", "8938b3ed", "67e55774"

# ---- cases that are followed by hand ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("w", "z"),
    [
        ([1 / 3, 1 / 3, 1 / 3], [1, 1, 7 / 3, 11 / 3, 5, 5]),
        ([0.5, 0, -0.5], [0, 0, 2, 2, 0, 0]),
        ([1, 1, 1], [3, 3, 7, 11, 15, 15]),
        ([-0.5, 2, -0.5], [1, 1, -1, 7, 5, 5]),  # the pixel, plus itself minus the mean of its neighbours
        ([1, -2, 1], [0, 0, 4, -4, 0, 0]),
        ([1, 0, -1], [0, 0, 4, 4, 0, 0]),
    ],
    ids=["average", "derivative", "integral", "sharpen", "second derivative", "slope"],
)
def test_each_filter_does_to_the_step_and_to_even_ground_what_the_text_says(w, z):
    np.testing.assert_allclose(convolve([[1, 1, 1, 5, 5, 5]], [w])[0], z, atol=1e-12)
    np.testing.assert_allclose(correlate([[1, 1, 1, 5, 5, 5]], [w[::-1]])[0], z, atol=1e-12)
    np.testing.assert_allclose(convolve(np.full((1, 6), 3.0), [w]), 3 * sum(w), atol=1e-12)


def test_emboss_answers_to_the_patch_as_computed_by_hand():
    assert convolve([[2, 1, 0], [1, 4, 2], [0, 3, 5]], emboss())[1, 1] == -9


def test_correlation_does_not_commute_and_two_correlations_are_not_joined_by_one():
    point, w = np.eye(1, 9, 4), np.array([[1.0, 2, 3]])
    assert correlate(point, w, "zero")[0, 3:6].tolist() == [3, 2, 1]
    assert correlate(w, np.eye(1, 3, 1), "zero")[0].tolist() == [1, 2, 3]
    assert correlate(correlate(point, w, "zero"), w, "zero")[0, 2:7].tolist() == [9, 12, 10, 4, 1]
    joined = correlate(np.pad(w, [(0, 0), (1, 1)]), w, "zero")
    assert joined[0].tolist() == [3, 8, 14, 8, 3] == correlate(point, joined, "zero")[0, 2:7].tolist()


def test_a_dot_answers_to_an_edge_with_plus_on_its_dark_side_and_minus_on_its_light_side():
    edge = np.repeat([[0.0] * 20 + [1.0] * 20], 5, axis=0)
    z = convolve(edge, laplacian_of_gaussian(2.0))[2]
    assert z[19] > 0.05 > -0.05 > z[20] and np.abs(z[[5, 34]]).max() < 1e-12


@pytest.mark.parametrize(("radius", "sigma"), [(4.3, 3.0), (8.5, 6.0)])
def test_the_maximum_over_places_and_scales_is_a_half_for_every_disc_and_its_position_says_where(radius, sigma):
    x = 1.0 * (np.hypot(*(np.indices((120, 120)) - np.reshape([70, 55], (2, 1, 1)))) >= radius)
    scales = np.arange(2.0, 10.0)
    z = np.abs([convolve(x, laplacian_of_gaussian(scale)) for scale in scales])
    s, i, j = np.unravel_index(z.argmax(), z.shape)
    assert z.max() == pytest.approx(0.5, abs=0.002) and (scales[s], i, j) == (sigma, 70, 55)
    assert z[1].max() == pytest.approx({4.3: 0.5, 8.5: 0.25}[radius], abs=0.005)  # over places alone, σ = 3


def test_two_pictures_with_one_place_in_common_are_0_44_alike():
    """One pair of points is 0.1 apart, and all other pairs are 1 apart or more."""
    one, other, k = [[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.1], [0.0, -1.0]], MeanMap(Gaussian(0.2))
    assert k(one, other) == pytest.approx(0.88 / 4, abs=0.001) and k(one, one) == pytest.approx(0.5, abs=1e-5)
    assert Normalized(k)(one, other) == pytest.approx(0.44, abs=0.005)


def test_the_largest_absolute_value_is_not_the_absolute_value_of_the_largest():
    """Two readings of max and abs: the bank keeps max |z|."""
    bank = [filter_bank(2, scales=(1.0,))[2]]  # edges, at two angles
    x = np.random.default_rng(0).standard_normal((9, 9))
    z, kept = np.array([convolve(x, w) for w in bank[0].filters]), bank_responses(x, bank)[0]
    np.testing.assert_allclose(kept, np.maximum(z.max(axis=0), -z.min(axis=0)), atol=1e-12)
    assert (np.abs(z.max(axis=0)) < kept - 0.01).any()


def test_the_larger_of_two_waves_has_upright_and_level_edges_and_either_wave_alone_misses_some():
    square = np.zeros((41, 41))
    square[12:29, 12:29] = 1
    upright, level = (np.abs(convolve(square, gabor(2.0, angle, 8.0, "sine"))) for angle in (0, 90))
    sides, ends = (np.s_[20, 10:14], np.s_[20, 27:31]), (np.s_[10:14, 20], np.s_[27:31, 20])
    assert min(upright[at].max() for at in sides) > 0.2 > 0.01 > max(upright[at].max() for at in ends)
    assert min(level[at].max() for at in ends) > 0.2 > 0.01 > max(level[at].max() for at in sides)


# ---- what the text says of pictures ------------------------------------------------------------------


def test_a_leaf_gains_the_green_that_the_rim_of_the_flower_has_lost():
    blur, flower = gaussian(2), coloured("flower")
    before, after = (convolve(flower, layers(blur, green, blur)) for green in (blur, gaussian(6)))
    np.testing.assert_allclose(after[..., [0, 2]], before[..., [0, 2]], atol=1e-12)
    assert [before[25, 49, 1], after[25, 49, 1]] == pytest.approx([0.362, 0.412], abs=5e-4)
    assert before[30, 54, 1] > 0.67 > 0.62 > after[30, 54, 1]


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


def test_more_than_half_of_the_temple_is_found_in_the_evening_and_nearly_all_of_it_at_the_right_place():
    """The evening photograph is turned by 30° and enlarged from the middle of a part of the garden."""
    own = defined_by(NOTEBOOK, *CELLS)
    points, seen = keypoints(own["temple"], count=80), keypoints(own["second"], count=200)
    found = matches(descriptors(own["temple"], points), descriptors(own["second"], seen))
    assert len(found) > 40
    centred = (points[found[:, 0], :2] + [50, 70]) * 319 / 255 - 159.5
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    off = np.linalg.norm(centred @ [[c, s], [-s, c]] + 127.5 - seen[found[:, 1], :2], axis=1)
    assert np.mean(off < 4) > 0.8


def test_the_kernel_of_descriptors_recognises_turned_pictures_and_pixels_do_not():
    pictures = [small(name) for name in ("temple", "flower", "admiral")]
    dimmed = [0.4 * turned(x, 120) + 0.2 for x in pictures]
    bags, others = ([descriptors(x, keypoints(x, count=60)) for x in them] for them in (pictures, dimmed))
    k = Normalized(MeanMap(Gaussian(0.2)))
    K, raw = k(bags, others), np.corrcoef([x.ravel() for x in pictures + dimmed])[:3, 3:]
    assert (K.argmax(axis=0) == range(3)).all() and (raw.argmax(axis=0) != range(3)).all()
    np.testing.assert_allclose(np.diag(K), [0.47, 0.45, 0.20], atol=0.02)
    assert (K - np.diag(np.diag(K))).max() < 0.02 and np.linalg.eigvalsh(k(bags + others)).min() > 0


# ---- the notebook's own algorithms -------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "angle", "wavelength", "stretch"), [(2.0, 30, 8.0, 1.0), (1.5, 135, 5.0, 2.0)])
def test_the_convolution_and_the_gabor_filter_of_the_cells_are_those_of_kernelkit(sigma, angle, wavelength, stretch):
    x = np.random.default_rng(0).standard_normal((30, 25))
    own = defined_by(NOTEBOOK, *CELLS, "16a00003")
    for wave, name in ((np.sin, "sine"), (np.cos, "cosine")):
        w = own["gabor"](sigma, angle, wavelength, wave, stretch)
        np.testing.assert_allclose(w, gabor(sigma, angle, wavelength, name, stretch), atol=1e-12)
        np.testing.assert_allclose(own["convolve_slowly"](x, w), convolve(x, w, "zero"), atol=1e-12)
