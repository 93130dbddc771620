"""Theorems about convolutions, filters and the bank of them."""

import numpy as np
import pytest
from scipy.signal import convolve2d

from kernelkit import datasets
from kernelkit.images import filters
from kernelkit.images.filters import (
    average,
    bank_responses,
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

SCIPY = {"zero": "fill", "wrap": "wrap", "mirror": "symm"}
SHAPES = [(7, 9), (1, 5), (3, 3), (40, 31)]
SIZES = [(1, 1), (3, 3), (2, 3), (4, 4), (5, 2), (7, 7), (1, 6), (13, 11)]
ALL = {
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


def random(*shape, seed=0):
    x = np.random.default_rng(seed).standard_normal(shape)
    x.setflags(write=False)
    return x


def ramp(angle, size=21):
    """A picture whose slope is 1 along the angle."""
    i, k = np.mgrid[:size, :size] - size // 2
    return np.cos(np.radians(angle)) * k - np.sin(np.radians(angle)) * i


@pytest.mark.parametrize("border", SCIPY)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_convolution_is_what_scipy_makes_it(border, size):
    for shape in SHAPES:
        x = random(*shape)
        for w in (random(*size, seed=1), np.outer(random(size[0], seed=2), random(size[1], seed=3))):
            expected = convolve2d(x, w, "same", boundary=SCIPY[border])
            np.testing.assert_allclose(convolve(x, w, border), expected, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", ALL)
def test_every_filter_goes_the_same_way_fast_and_by_the_definition(name):
    x, w = random(33, 40), ALL[name]
    direct = filters._shifted_sum(filters._pad(x, w.shape, "mirror"), w)
    np.testing.assert_allclose(convolve(x, w), direct, atol=1e-13, rtol=0)


def test_convolutions_are_linear_commute_and_join():
    x, z, v, w = random(12, 12), random(12, 12, seed=1), random(3, 3, seed=2), random(5, 5, seed=3)
    np.testing.assert_allclose(convolve(2 * x - z, w), 2 * convolve(x, w) - convolve(z, w), atol=1e-12)
    one_after_the_other = convolve(convolve(x, v, "wrap"), w, "wrap")
    np.testing.assert_allclose(one_after_the_other, convolve(convolve(x, w, "wrap"), v, "wrap"), atol=1e-12)
    both = convolve2d(v, w)  # one filter that does what the two do
    np.testing.assert_allclose(one_after_the_other, convolve(x, both, "wrap"), atol=1e-12)


def test_a_dot_shows_the_filter_and_correlation_shows_it_turned():
    x = np.zeros((7, 7))
    x[3, 3] = 1
    w = np.arange(9.0).reshape(3, 3)
    np.testing.assert_allclose(convolve(x, w)[2:5, 2:5], w, atol=1e-15)
    np.testing.assert_allclose(correlate(x, w)[2:5, 2:5], w[::-1, ::-1], atol=1e-15)
    np.testing.assert_allclose(correlate(x, gaussian(1)), convolve(x, gaussian(1)), atol=1e-15)
    np.testing.assert_array_equal(correlate(x.tolist(), w.tolist()), correlate(x, w))
    with pytest.raises(ValueError, match="middle"):
        correlate(x, np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"^w must be a filter, .* got shape \(3,\)"):
        correlate(x, w[0])


def test_a_dot_has_the_size_of_a_pixel_unless_its_own_is_given_and_an_average_one_pixel_or_more():
    np.testing.assert_array_equal(laplacian_of_gaussian(), laplacian_of_gaussian(1.0))
    with pytest.raises(ValueError, match="size"):
        average(0)


def test_separated_filters_are_products_and_others_are_none():
    column, row = separated(gaussian(2.0))
    np.testing.assert_allclose(np.outer(column, row), gaussian(2.0), atol=1e-17)
    assert separated(average(4)) is not None and separated(np.zeros((3, 3))) is not None
    assert separated(laplacian_of_gaussian(1.0)) is None and separated(emboss()) is None
    assert separated(gabor(2, 0)) is not None and separated(gabor(2, 30)) is None


@pytest.mark.parametrize("angle", [0, 30, 90, 200, -45])
def test_derivatives_of_a_ramp_are_its_slope(angle):
    inner = (slice(8, -8),) * 2
    for w in (derivative(angle), derivative(angle, sigma=1.5)):
        np.testing.assert_allclose(convolve(ramp(angle), w)[inner], 1, atol=1e-12)
        np.testing.assert_allclose(convolve(ramp(angle + 90), w)[inner], 0, atol=1e-12)


def test_a_difference_undoes_an_integral():
    x = random(6, 30)
    summed = convolve(x, integral(5), "wrap")
    differences = summed - np.roll(summed, 1, axis=1)
    np.testing.assert_allclose(differences, np.roll(x, -2, axis=1) - np.roll(x, 3, axis=1), atol=1e-12)
    np.testing.assert_allclose(convolve(x.T, integral(5, 90), "wrap"), summed.T, atol=1e-12)


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


def test_what_filters_add_up_to():
    assert all(abs(w.sum() - 1) < 1e-14 for w in (average(5), gaussian(2), sharpen(3)))
    assert all(abs(w.sum()) < 1e-14 for w in (laplacian_of_gaussian(2), gabor(2, 10), derivative(10, 2), emboss()))
    assert gabor(2).shape == (13, 13) and gabor(2, stretch=2).shape == (25, 25)


NOTHING = {  # on whole pixels: too narrow, too small, or a wave that is 0 or 1 at each of them
    "narrow dot": lambda: laplacian_of_gaussian(0.1),
    "one pixel": lambda: laplacian_of_gaussian(2.0, size=1),
    "narrow bar": lambda: gabor(0.1, 20),
    "thin": lambda: gabor(0.3, 20, stretch=0.2),
    "zeros of a sine": lambda: gabor(2.0, 0, wavelength=2, wave="sine"),
    "tops of a cosine": lambda: gabor(2.0, 90, wavelength=1),
    "narrow slope": lambda: derivative(30, sigma=0.01),
    "narrow bank": lambda: filter_bank(scales=(0.05, 1.0)),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_filter_that_would_be_rounding_alone_is_refused(name):
    with pytest.raises(ValueError, match=r"^Nothing of this filter is left on whole pixels: take a larger σ"):
        NOTHING[name]()


@pytest.mark.parametrize("sigma", [0.2, 0.3, 0.5, 1.0])
def test_narrow_filters_add_up_to_0_and_a_narrow_slope_is_the_difference_of_neighbours(sigma):
    for w in (laplacian_of_gaussian(sigma), *(gabor(sigma, 20, wave=wave) for wave in ("sine", "cosine"))):
        assert abs(w.sum()) < 1e-9 and np.abs(w).sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(derivative(30, sigma=0.05), derivative(30), atol=1e-12)


def test_the_laplacian_answers_to_a_dark_dot_in_light():
    x = np.ones((21, 21))
    x[9:12, 9:12] = 0
    z = convolve(x, laplacian_of_gaussian(1.5))
    assert np.unravel_index(z.argmax(), z.shape) == (10, 10)


@pytest.mark.parametrize("wave", ["sine", "cosine"])
def test_a_gabor_filter_answers_most_to_stripes_across_its_angle(wave):
    stripes = [np.sin(2 * np.pi * ramp(angle, 61) / 8) for angle in (0, 30, 60, 90, 120, 150)]
    strength = [np.abs(convolve(x, gabor(2, 60, 8, wave, 2))[20:-20, 20:-20]).max() for x in stripes]
    assert np.argmax(strength) == 2 and strength[2] > 5 * strength[5]
    turned = gabor(2, 150, 8, wave, 2)
    np.testing.assert_allclose(turned, np.rot90(gabor(2, 60, 8, wave, 2)), atol=1e-16)


def test_colours_are_convolved_one_by_one_and_their_sum_is_the_convolution_in_3_d():
    x, w = random(9, 8, 3), random(3, 5, 3, seed=1)
    z = convolve(x, w)
    for c in range(3):
        np.testing.assert_allclose(z[..., c], convolve(x[..., c], w[..., c]), atol=1e-14)
        np.testing.assert_allclose(convolve(x, w[..., 0])[..., c], convolve(x[..., c], w[..., 0]), atol=1e-14)
    by_hand = sum(w[1 + i, 2 + j, c] * x[4 - i, 4 - j, c] for i in (-1, 0, 1) for j in range(-2, 3) for c in range(3))
    assert z.sum(axis=2)[4, 4] == pytest.approx(by_hand, abs=1e-12)


def test_layers_convolve_each_channel_with_its_own_filter():
    x, own = random(9, 8, 3), (gaussian(0.4), average(3), random(3, 7))
    z = convolve(x, layers(*own))
    for c, w in enumerate(own):
        np.testing.assert_allclose(z[..., c], convolve(x[..., c], w), atol=1e-14)


@pytest.mark.parametrize("size", [3, 5, 9])
def test_a_corner_answers_nowhere_more_than_at_the_corner_it_shows(size):
    w, light = corner(size), np.zeros((31, 31))
    assert abs(w.sum()) < 1e-15 and np.abs(w).sum() == pytest.approx(1)
    light[10:21, 12:25] = 1
    for rule, place in ((correlate, (10, 12)), (convolve, (20, 24))):
        z = rule(light, w)
        assert np.unravel_index(z.argmax(), z.shape) == place and np.sum(np.isclose(z, z.max())) == 1


def test_max_abs_forgets_sign_and_direction():
    x, pair = np.zeros((20, 20)), [gabor(2, angle, wave="sine") for angle in (0, 90)]
    x[:, 10:] = 1
    edges = max_abs([convolve(x, w) for w in pair])
    assert edges.min() >= 0 and edges[:, 9:11].min() > 10 * edges[:, :4].max()
    for turned, back in ((1 - x, edges), (np.rot90(x), np.rot90(edges)), (x[:, ::-1], edges[:, ::-1])):
        np.testing.assert_allclose(max_abs([convolve(turned, w) for w in pair]), back, atol=1e-12)


# ---- the bank ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture():
    return datasets.picture("china", grey=True)[110:238, 220:348]


def test_the_bank_has_38_filters_and_8_responses(picture):
    bank = filter_bank()
    assert sum(len(g.filters) for g in bank) == 38 and len(bank) == 8
    x = picture[:64, :64]
    z = bank_responses(x)
    assert z.shape == (8, 64, 64)
    np.testing.assert_allclose(z[0], convolve(x, gaussian(4)), atol=1e-12)
    np.testing.assert_allclose(z[1], convolve(x, laplacian_of_gaussian(4)), atol=1e-12)
    six = [convolve(x, gabor(2, a, None, "sine", 2)) for a in range(0, 180, 30)]
    np.testing.assert_allclose(z[3], max_abs(six), atol=1e-12)


def test_turned_by_90_degrees_the_bank_answers_the_same(picture):
    for quarter in (1, 2, 3):
        turned = np.rot90(bank_responses(picture), quarter, axes=(1, 2))
        np.testing.assert_allclose(bank_responses(np.rot90(picture, quarter)), turned, atol=1e-12)
    assert change_when_turned(picture, 90).max() < 1e-12


@pytest.mark.parametrize("angle", [-180, -90, 37, 90, 180, 270, 360])
@pytest.mark.parametrize("shape", [(9, 15), (15, 9), (11, 11), (9, 15, 3)], ids=str)
def test_turned_a_picture_is_as_large_as_it_was(shape, angle):
    x = np.random.default_rng(0).uniform(size=shape)
    there = filters.turned(x, angle)
    assert there.shape == shape
    if angle % 180 == 0 or (angle % 90 == 0 and shape[0] == shape[1]):
        np.testing.assert_array_equal(there, np.rot90(x, angle // 90))
    else:
        np.testing.assert_allclose(there[shape[0] // 2, shape[1] // 2], x[shape[0] // 2, shape[1] // 2], atol=1e-9)


def test_turned_by_less_it_answers_nearly_the_same_and_one_orientation_does_not(picture):
    six, twelve, one = filter_bank(), filter_bank(12), filter_bank(1)
    assert np.median(change_when_turned(picture, 30, six)) < 0.06
    for angle, least in ((15, 0.43), (45, 0.8)):
        assert 0.1 < np.median(change_when_turned(picture, angle, six)[2:]) < 0.16
        assert np.median(change_when_turned(picture, angle, twelve)) < 0.04
        assert np.median(change_when_turned(picture, angle, one)[2:]) > least


def test_even_ground_does_not_count_as_change():
    x = np.zeros((80, 80))
    x[30:50, 30:50] = 1  # nearly all responses are 0: there, only rounding would be compared
    assert change_when_turned(x, 90, filter_bank()).max() < 1e-12
    assert change_when_turned(x, 30, filter_bank())[[0, 3, 4, 6, 7]].max() < 0.2


# ---- what cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: convolve(np.ones(5), np.ones((3, 3))), "x must be a picture"),
        (lambda: convolve(np.ones((5, 5)), np.ones(3)), "w must be a filter"),
        (lambda: convolve(np.ones((5, 0)), np.ones((3, 3))), "x must be a picture"),
        (lambda: convolve(np.ones((5, 5)), np.ones((3, 3)), "reflect"), "border must be one of 'zero'"),
        (lambda: convolve(np.ones((5, 5)), np.ones((3, 3, 3))), "needs a picture with channels"),
        (lambda: convolve(np.ones((5, 5, 3)), np.ones((3, 3, 2))), "3 channels, but the filter has 2"),
        (lambda: convolve([[np.nan]], np.ones((3, 3))), "NaN"),
        (lambda: gaussian(0), "sigma must be"),
        (lambda: gaussian(1, 4), "size must be odd"),
        (lambda: gaussian(1e9), "A filter of 6,000,000,001 pixels each way is .* GB allowed; take a smaller σ or size"),
        (lambda: gabor(wave="square"), "'cosine' or 'sine'"),
        (lambda: gabor(sigma=-1.0), "sigma must be a finite number > 0, got -1.0"),
        (lambda: gabor(wavelength=0), "wavelength must be"),
        (lambda: integral(3, 45), "0 or 90"),
        (lambda: bank_responses(np.ones((5, 5, 3))), "one channel"),
        (lambda: filter_bank(0), "orientations must be"),
        (lambda: filter_bank(6, ()), "at least one σ"),
        (lambda: corner(4), "size must be odd"),
        (lambda: corner(1), "Nothing of this filter is left"),
        (lambda: layers(), "odd height and width, got \\[\\]"),
        (lambda: layers(np.ones((2, 3))), "odd height and width"),
    ],
    ids=[
        "1-d",
        "row",
        "empty",
        "border",
        "deep",
        "two",
        "na",
        "σ",
        "4",
        "9",
        "wave",
        "-1",
        "l",
        "45",
        "rgb",
        "0",
        "-",
        "c4",
        "c1",
        "none",
        "even",
    ],
)
def test_bad_input_meets_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_bank_has_both_kinds_at_three_scales_each_twice_the_one_before():
    """The sizes are measured: the width of |filter| across its bars, which grows in proportion to the scale."""

    def width(filter_):
        across = np.arange(filter_.shape[1]) - filter_.shape[1] // 2
        size = np.abs(filter_).sum(axis=0)
        return np.sqrt(size @ across**2 / size.sum())

    widths = [width(group.filters[0]) for group in filter_bank()[2:]]
    edges, bars = widths[:3], widths[3:]
    for one, two, four in (edges, bars):
        assert two / one == pytest.approx(2, rel=0.1)
        assert four / two == pytest.approx(2, rel=0.1)
