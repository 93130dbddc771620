"""Theorems about convolutions, filters and the bank of them."""

from itertools import product

import numpy as np
import pytest
from scipy.signal import convolve2d, correlate2d

from kernelkit import datasets
from kernelkit.images import filters
from kernelkit.images.filters import (
    average,
    bank_responses,
    change,
    change_when_turned,
    convolve,
    corner,
    correlate,
    derivative,
    emboss,
    filter_bank,
    gabor,
    gaussian,
    integral,
    laplacian_of_gaussian,
    layers,
    max_abs,
    separated,
    sharpen,
)


def random(*shape, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape)
    x.setflags(write=False)
    return x


# ---- convolutions -------------------------------------------------------------------------------

SCIPY = {"zero": "fill", "wrap": "wrap", "mirror": "symm"}
SIZES = [(1, 1), (3, 3), (2, 3), (4, 4), (5, 2), (7, 7), (1, 6), (13, 11)]
FILTERS = {
    "average": average(5),
    "gaussian": gaussian(1.5),
    "dot": laplacian_of_gaussian(1.5),
    "emboss": emboss(),
    "sharpen": sharpen(),
    "cosine": gabor(2, 20),
    "sine": gabor(2, 20, wave="sine"),
    "slope": derivative(30),
    "smooth slope": derivative(30, 1.5),
    "integral": integral(4),
    "corner": corner(),
}
FILTERS |= {f"{a} × {b}": random(a, b, seed=1) for a, b in SIZES}
FILTERS |= {f"{a} × {b}, rank 1": np.outer(random(a, seed=2), random(b, seed=3)) for a, b in SIZES}


@pytest.mark.parametrize("name", FILTERS)
def test_a_convolution_and_a_correlation_are_what_scipy_makes_them(name):
    w = FILTERS[name]
    for (border, boundary), shape in product(SCIPY.items(), [(7, 9), (1, 5), (3, 3), (40, 31)]):
        x = random(*shape)
        expected = convolve2d(x, w, "same", boundary=boundary)
        np.testing.assert_allclose(convolve(x, w, border), expected, atol=1e-13, rtol=0)
        if all(size % 2 for size in w.shape):
            expected = correlate2d(x, w, "same", boundary=boundary)
            np.testing.assert_allclose(correlate(x.tolist(), w.tolist(), border), expected, atol=1e-13, rtol=0)


def test_colours_are_convolved_one_by_one_with_one_filter_or_each_with_its_own():
    x, w, own = random(9, 8, 3), random(3, 5, 3, seed=1), (gaussian(0.4), average(3), random(3, 7))
    z, same, layered = convolve(x, w), convolve(x, w[..., 0]), convolve(x, layers(*own))
    for c in range(3):
        np.testing.assert_allclose(z[..., c], convolve(x[..., c], w[..., c]), atol=1e-14)
        np.testing.assert_allclose(same[..., c], convolve(x[..., c], w[..., 0]), atol=1e-14)
        np.testing.assert_allclose(layered[..., c], convolve(x[..., c], own[c]), atol=1e-14)


def test_separated_filters_are_products_and_others_are_none():
    column, row = separated(gaussian(2.0))
    np.testing.assert_allclose(np.outer(column, row), gaussian(2.0), atol=1e-17)
    assert separated(average(4)) is not None and separated(np.zeros((3, 3))) is not None
    assert separated(laplacian_of_gaussian(1.0)) is None and separated(emboss()) is None
    assert separated(gabor(2, 0)) is not None and separated(gabor(2, 30)) is None


# ---- filters ------------------------------------------------------------------------------------


def test_filters_equal_their_formulas():
    i, k = np.mgrid[-9:10, -9:10]
    r2, u, v = i**2 + k**2, k * np.sqrt(3) / 2 - i / 2, -i * np.sqrt(3) / 2 - k / 2  # 30°
    g = np.exp(-r2 / 18)
    np.testing.assert_allclose(gaussian(3.0), g / g.sum(), atol=1e-15)
    dot = (r2 / 9 - 2) * g
    dot -= dot.sum() / g.sum() * g
    np.testing.assert_allclose(laplacian_of_gaussian(3.0), dot / np.abs(dot).sum(), atol=1e-15)
    g = np.exp(-(u**2 + v**2 / 4) / 18)
    for wave, f in (("sine", np.sin), ("cosine", np.cos)):
        w = f(2 * np.pi * u / 7) * g
        w -= w.sum() / g.sum() * g
        np.testing.assert_allclose(gabor(3.0, 30, 7.0, wave, 2.0, 19), w / np.abs(w).sum(), atol=1e-15)
    slope = -u * np.exp(-r2 / 18)
    np.testing.assert_allclose(derivative(30, sigma=3.0), slope / -(u * slope).sum(), atol=1e-15)
    np.testing.assert_array_equal(average(2), [[0.25, 0.25], [0.25, 0.25]])
    np.testing.assert_allclose(sharpen(4), [[0, -1, 0], [-1, 5, -1], [0, -1, 0]])
    np.testing.assert_array_equal(integral(5), np.ones((1, 5)))
    np.testing.assert_array_equal(integral(5, 90), np.ones((5, 1)))
    assert emboss().sum() == 0
    for stretch, side in ((2, 25), (0.5, 13)):  # three σ along the longer of the two, and across it never less
        assert gabor(2, stretch=stretch).shape == (side, side)


def test_what_is_not_given_is_a_dot_the_size_of_a_pixel_a_small_mean_and_a_bar_of_width_two():
    for made, given in (
        (average(), average(3)),
        (gaussian(), gaussian(1.0, 7)),
        (laplacian_of_gaussian(), laplacian_of_gaussian(1.0, 7)),
        (gabor(), gabor(2.0, 0, 8.0, "cosine", 1.0, 13)),
        (derivative(), derivative(0)),
        (integral(3), integral(3, 0)),
        (sharpen(), sharpen(1)),
        (corner(), corner(9)),
    ):
        np.testing.assert_array_equal(made, given)


@pytest.mark.parametrize("angle", [0, 30, 90, 200, -45])
def test_derivatives_of_a_ramp_are_its_slope(angle):
    def ramp(angle):
        i, k = np.mgrid[-10:11, -10:11]
        return np.cos(np.radians(angle)) * k - np.sin(np.radians(angle)) * i

    inner = (slice(8, -8),) * 2
    for w in (derivative(angle), derivative(angle, sigma=1.5)):
        np.testing.assert_allclose(convolve(ramp(angle), w)[inner], 1, atol=1e-12)
        np.testing.assert_allclose(convolve(ramp(angle + 90), w)[inner], 0, atol=1e-12)


@pytest.mark.parametrize("wave", ["sine", "cosine"])
def test_a_quarter_turn_of_a_filter_is_exact(wave):
    np.testing.assert_allclose(gabor(2, 150, 8, wave, 2), np.rot90(gabor(2, 60, 8, wave, 2)), atol=1e-16)


@pytest.mark.parametrize("sigma", [0.2, 0.3, 0.5, 1.0])
def test_narrow_filters_add_up_to_0_and_a_narrow_slope_is_the_difference_of_neighbours(sigma):
    for w in (laplacian_of_gaussian(sigma), *(gabor(sigma, 20, wave=wave) for wave in ("sine", "cosine"))):
        assert abs(w.sum()) < 1e-9 and np.abs(w).sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(derivative(30, sigma=0.05), derivative(30), atol=1e-12)


@pytest.mark.parametrize("size", [3, 5, 9])
def test_a_corner_answers_nowhere_more_than_at_the_corner_it_shows(size):
    w, light = corner(size), np.zeros((31, 31))
    assert abs(w.sum()) < 1e-15 and np.abs(w).sum() == pytest.approx(1)
    light[10:21, 12:25] = 1
    for rule, place in ((correlate, (10, 12)), (convolve, (20, 24))):
        z = rule(light, w)
        assert np.unravel_index(z.argmax(), z.shape) == place and np.sum(np.isclose(z, z.max())) == 1


# ---- the bank -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture():
    return datasets.picture("china", grey=True)[110:238, 220:348]


def test_the_bank_has_38_filters_whose_responses_are_8_largest_absolute_values(picture):
    angles = range(0, 180, 30)
    expected = [[gaussian(4)], [laplacian_of_gaussian(4)]]
    expected += [[gabor(s, a, None, wave, 2) for a in angles] for wave, s in product(("sine", "cosine"), (1, 2, 4))]
    bank, x = filter_bank(), picture[:64, :64]
    assert sum(len(group.filters) for group in bank) == 38
    responses = bank_responses(x)
    assert responses.shape == (8, 64, 64)
    for i, (group, ours, z) in enumerate(zip(bank, expected, responses, strict=True)):
        np.testing.assert_allclose(group.filters, ours, atol=1e-16)
        answers = np.array([convolve(x, w) for w in ours])
        np.testing.assert_allclose(z, answers[0] if i < 2 else np.abs(answers).max(axis=0), atol=1e-12)
    np.testing.assert_array_equal(max_abs([[-3, 1], [2, -2]]), [3, 2])


def test_turned_by_90_degrees_the_bank_answers_the_same(picture):
    for quarter in (1, 2, 3):
        turned = np.rot90(bank_responses(picture), quarter, axes=(1, 2))
        np.testing.assert_allclose(bank_responses(np.rot90(picture, quarter)), turned, atol=1e-12)
    square = np.zeros((80, 80))
    square[30:50, 30:50] = 1  # nearly all responses are 0: there, only rounding would be compared
    assert max(change_when_turned(picture, 90).max(), change_when_turned(square, 90).max()) < 1e-12


def test_turned_by_less_it_answers_nearly_the_same_and_one_orientation_does_not(picture):
    assert np.median(change_when_turned(picture, 30)) < 0.06
    assert 0.1 < np.median(change_when_turned(picture, 45)[2:]) < 0.16
    assert np.median(change_when_turned(picture, 45, filter_bank(1))[2:]) > 0.8


def test_change_is_that_of_the_mean_in_the_disc_that_stays_inside():
    before, after = random(2, 21, 31), random(2, 21, 31, seed=1)
    inside = [(i, k) for i in range(21) for k in range(31) if (i - 10) ** 2 + (k - 15) ** 2 < (0.35 * 20) ** 2]
    for b, a, found in zip(before, after, change(before.tolist(), after.tolist()), strict=True):
        expected = sum(abs(a[place] - b[place]) for place in inside) / sum(abs(b[place]) for place in inside)
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("shape", [(9, 15), (15, 9), (11, 11), (9, 15, 3)], ids=str)
def test_turned_a_picture_is_as_large_as_it_was(shape):
    x = np.random.default_rng(0).uniform(size=shape)
    middle = shape[0] // 2, shape[1] // 2
    for angle in (-180, -90, 37, 90, 180, 270, 360):
        there = filters.turned(x, angle)
        assert there.shape == shape
        if angle % 180 == 0 or (angle % 90 == 0 and shape[0] == shape[1]):
            np.testing.assert_array_equal(there, np.rot90(x, angle // 90))
        else:
            np.testing.assert_allclose(there[middle], x[middle], atol=1e-9)
