"""Theorems about descriptors: what they forget (light, turning, size) and what they keep."""

import inspect

import numpy as np
import pytest
from scipy.ndimage import affine_transform

from kernelkit import datasets
from kernelkit.images.descriptors import (
    descriptor,
    descriptors,
    direction_histogram,
    gradient,
    keypoints,
    main_direction,
    matches,
    votes,
)


@pytest.fixture(scope="module")
def picture():
    return datasets.picture("china", grey=True)[100:292, 150:342]


@pytest.fixture(scope="module")
def found(picture):
    points = keypoints(picture, count=80)
    return points, descriptors(picture, points)


def test_votes_share_the_length_between_two_directions():
    right, up = np.cos(np.radians(60)) * 3, np.sin(np.radians(60)) * 3
    v = votes(np.array(right), np.array(up), 8)
    np.testing.assert_allclose(v, 3 * np.eye(8)[1] * 2 / 3 + 3 * np.eye(8)[2] / 3, atol=1e-12)
    random = np.random.default_rng(0).standard_normal((2, 50))
    np.testing.assert_allclose(votes(*random, 5).sum(axis=1), np.hypot(*random), atol=1e-12)
    np.testing.assert_allclose(votes(np.array(0.5), np.array(-1e-18), 8), 0.5 * np.eye(8)[0], atol=1e-12)


# ---- places and directions ----------------------------------------------------------------------


def test_a_dot_is_found_at_its_place_and_scale():
    i, k = np.mgrid[:80, :80]
    for size in (2.3, 3.2, 4.5):
        x = 1 - np.exp(-((i - 30) ** 2 + (k - 45) ** 2) / (2 * size**2))
        assert keypoints(x, count=1).tolist() == [[30, 45, size]]
    assert len(keypoints(np.ones((30, 30)))) == 0  # nothing stands out


def test_keypoints_keep_off_every_border(picture):
    height, width = picture.shape
    everywhere = keypoints(picture, count=10_000)
    for inside in (2, 4):
        i, k, sigma = everywhere.T
        far = np.min([i, k, height - 1 - i, width - 1 - k], axis=0) >= inside * sigma
        assert 0 < far.sum() < len(far)
        np.testing.assert_array_equal(keypoints(picture, count=10_000, inside=inside), everywhere[far])


def test_scales_are_a_root_of_two_apart():
    sigmas = np.array(inspect.signature(keypoints).parameters["sigmas"].default)
    np.testing.assert_allclose(sigmas[1:] / sigmas[:-1], np.sqrt(2), rtol=0.03)


@pytest.mark.parametrize("angle", [0, 40, 135, 250])
def test_the_main_direction_of_a_slope_is_where_it_rises(angle):
    i, k = np.mgrid[:41, :41]
    x = np.cos(np.radians(angle)) * k - np.sin(np.radians(angle)) * i
    found = main_direction(gradient(x, 2.0), (20, 20), 2.0)
    assert abs((found - angle + 180) % 360 - 180) < 2


def test_of_directions_that_are_equally_frequent_the_first_is_the_main_one():
    rows, columns = np.indices((41, 41)) - 20
    x = np.maximum(np.abs(rows), np.abs(columns)).astype(float)  # a pyramid rises in four directions
    for seed in range(6):
        moved = x * (1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, x.shape))
        turned = main_direction(gradient(moved, 2.0), (20, 20), 2.0)
        assert abs((turned + 180) % 360 - 180) < 1


def test_the_main_direction_weighs_slopes_by_a_gaussian_of_one_and_a_half_sigma():
    def whole(row, column):
        """What a slope of 1 at one pixel adds to the histogram of (20, 20); at σ = 2 each pixel is read once."""
        x = np.zeros((41, 41))
        x[row, column] = 1.0
        return direction_histogram((x, 0 * x), (20, 20), 2.0).sum()

    for row, column in ((20, 20), (20, 23), (17, 20), (22, 14), (29, 11)):
        square = (row - 20) ** 2 + (column - 20) ** 2
        assert whole(row, column) == pytest.approx(np.exp(-square / (2 * 3.0**2)))
    assert whole(20, 30) == whole(10, 20) == 0  # 5 σ away


# ---- descriptors --------------------------------------------------------------------------------


def test_a_patch_with_one_slope_votes_for_one_direction():
    x = np.tile(np.arange(61.0), (61, 1))
    h = descriptor(gradient(x, 1.0), (30, 30), 1.0, angle=0).reshape(4, 4, 8)
    np.testing.assert_allclose(h[..., 1:], 0, atol=1e-9)
    assert h.min() > -1e-12 and np.linalg.norm(h) == pytest.approx(1)
    t = (np.arange(-8, 8) + 0.5) / 4  # 16 samples over 4 cells
    cells = np.maximum(0, 1 - abs(np.subtract.outer(t, [-1.5, -0.5, 0.5, 1.5]))).T @ np.exp(-(t**2) / 8)
    weights = np.minimum(np.outer(cells, cells) / (cells @ cells), 0.2)
    np.testing.assert_allclose(h[..., 0], weights / np.linalg.norm(weights), atol=1e-9)
    quarter = descriptor(gradient(x, 1.0), (30, 30), 1.0, angle=90).reshape(4, 4, 8)
    np.testing.assert_allclose(quarter[..., 6], h[..., 0], atol=1e-9)  # seen from there it rises to the right hand


def test_light_and_a_quarter_turn_change_nothing_but_the_places(picture, found):
    points, A = found
    np.testing.assert_allclose(np.linalg.norm(A, axis=1), 1, atol=1e-12)
    assert A.shape == (80, 128)
    np.testing.assert_allclose(descriptors(0.3 * picture + 0.5, points), A, atol=1e-9)
    row, column, sigma = points.T
    there = np.column_stack([picture.shape[1] - 1 - column, row, sigma])
    np.testing.assert_allclose(descriptors(np.rot90(picture), there), A, atol=1e-6)
    assert np.abs(descriptors(1 - picture, points) - A).max() > 0.1  # a negative is another picture


def test_a_patch_without_a_gradient_and_no_patch_at_all_have_descriptors():
    assert not np.isnan(descriptors(np.ones((9, 9)), [[4, 4, 1]])).any()
    assert descriptors(np.ones((9, 9)), []).shape == (0, 128)


@pytest.mark.parametrize(("angle", "scale", "least", "right"), [(45, 1.0, 40, 0.85), (0, 1.25, 20, 0.8)])
def test_patches_find_each_other_after_turning_dimming_and_growing(angle, scale, least, right, picture, found):
    points, A = found
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    M, middle = scale * np.array([[c, -s], [s, c]]), (np.array(picture.shape) - 1) / 2
    back = np.linalg.inv(M)  # counter-clockwise, and enlarged
    y = 0.6 * affine_transform(picture, back, offset=middle - back @ middle, order=3, mode="reflect") + 0.2
    others = keypoints(y, count=80)
    pairs = matches(A, descriptors(y, others))
    there = (points[pairs[:, 0], :2] - middle) @ M.T + middle
    off = np.linalg.norm(there - others[pairs[:, 1], :2], axis=1)
    assert len(pairs) >= least and np.mean(off < 4) >= right


def test_matches_are_the_sure_ones():
    A, B = np.array([[0.0], [5.0]]), np.array([[0.1], [4.0], [6.1]])
    assert matches(A, B).tolist() == [[0, 0]]
    assert matches(A, B, ratio=1.0).tolist() == [[0, 0], [1, 1]]
