"""Convolutions: each new pixel is a weighted sum of the pixels around it (lecture E).

x ↦ w * x is linear: a feature map of the pixels, chosen by hand. A picture is an array (rows, columns), or with colours
(rows, columns, channels); a filter is a small array (a, b). Lengths are in pixels; angles in degrees, 0 to the right
and from there counter-clockwise as the picture is shown, with row 0 on top.
"""

from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np

from kernelkit.checks import check_array, check_memory, check_number, check_whole

BORDERS = {"zero": "constant", "wrap": "wrap", "mirror": "symmetric"}  # what stands outside, and what np.pad calls it
FEW = 25  # filters of so few numbers are summed directly; more go through Fourier transforms


def convolve(x, w, border="mirror"):
    """The convolution of a picture with a filter, as large as the picture.

        (w * x)[i, j] = Σ_p Σ_q w[p, q] x[i − p, j − q],   (p, q) counted from the middle of the filter

    x : (rows, columns), or (rows, columns, channels), of which each is convolved by itself.  w : (a, b), or
    (a, b, channels) with a filter for each channel; the sum over the channels is then the convolution in 3-D.
    border : outside the picture is 0 ("zero"), its other side ("wrap") or its reflection ("mirror").
    scipy.signal: convolve2d(x, w, "same", boundary="fill", "wrap" or "symm").

    >>> convolve([[1, 2, 4, 8]], [[1, -1]])  # differences of neighbours; to the left of the picture is 1 again
    array([[0., 1., 2., 4.]])
    """
    x = read_picture(x)
    w = _read_filter(w)
    if x.ndim == 3:
        filters = _one_for_each_channel(w, x.shape[2])
        return np.stack([convolve(x[..., c], filters[..., c], border) for c in range(x.shape[2])], axis=2)
    if w.ndim == 3:
        raise ValueError(f"A filter with {w.shape[2]} channels needs a picture with channels, got shape {x.shape}.")
    padded = _pad(x, w.shape, border)
    factors = separated(w)
    if factors is not None:  # a + b products for each pixel instead of a · b
        column, row = factors
        return _shifted_sum(_shifted_sum(padded, column[:, None]), row[None, :])
    return _shifted_sum(padded, w) if w.size <= FEW else _by_fourier(padded, w)


def correlate(x, w, border="mirror"):
    """Σ_p Σ_q w[p, q] x[i + p, j + q]: how much the place looks like w; convolution with the filter turned by 180°."""
    w = _read_filter(w)
    if any(size % 2 == 0 for size in w.shape[:2]):
        raise ValueError(f"correlate needs a filter with a middle, of odd height and width, got shape {w.shape}.")
    return convolve(x, w[::-1, ::-1], border)


def read_picture(x, name="x"):
    """A picture as a float array of two dimensions, or three with channels."""
    x = check_array(x, name)
    if x.ndim not in (2, 3) or 0 in x.shape:
        raise ValueError(f"{name} must be a picture, (rows, columns) or (rows, columns, channels), got {x.shape}.")
    return x


def _read_filter(w):
    w = check_array(w, "w")
    if w.ndim not in (2, 3) or 0 in w.shape:
        raise ValueError(f"w must be a filter, (a, b) or (a, b, channels), got shape {w.shape}; write [[…]] for a row.")
    return w


def _one_for_each_channel(w, channels):
    """A filter for each channel of a picture, (a, b, channels): w itself, or the same w for all of them."""
    if w.ndim == 2:
        return np.repeat(w[:, :, None], channels, axis=2)
    if w.shape[2] != channels:
        raise ValueError(f"The picture has {channels} channels, but the filter has {w.shape[2]}.")
    return w


def _pad(x, shape, border):
    """x with what lies outside it, as far as a filter of this shape reaches."""
    if border not in BORDERS:
        raise ValueError(f"border must be one of {', '.join(map(repr, BORDERS))}, got {border!r}.")
    return np.pad(x, [(size // 2, (size - 1) // 2) for size in shape], mode=BORDERS[border])


def _shifted_sum(padded, w):
    """The definition: a sum of shifted pictures, each times its weight."""
    a, b = w.shape
    rows, columns = np.subtract(padded.shape, w.shape) + 1
    total = np.zeros((rows, columns))
    for j in range(a):
        for k in range(b):
            total += w[j, k] * padded[a - 1 - j :, b - 1 - k :][:rows, :columns]
    return total


def _by_fourier(padded, w):
    """The same through Fourier transforms, where a convolution is a product.  w : (…, a, b)."""
    from scipy.fft import irfft2, next_fast_len, rfft2

    a, b = w.shape[-2:]
    shape = tuple(next_fast_len(size, real=True) for size in padded.shape)
    z = irfft2(rfft2(padded, shape) * _transform(w.tobytes(), w.shape, shape), shape)
    return z[..., a - 1 : padded.shape[0], b - 1 : padded.shape[1]]


@lru_cache(maxsize=16)
def _transform(numbers, shape, size):
    """The Fourier transform of a filter, or of a bank of them, that the next picture of this size needs again."""
    from scipy.fft import rfft2

    return rfft2(np.frombuffer(numbers).reshape(shape), size)


def separated(w):
    """The column (a,) and the row (b,) whose products are w, or None where there are none: w must have rank 1."""
    w = np.asarray(w, float)
    i, j = np.unravel_index(np.abs(w).argmax(), w.shape)
    column = w[:, j]
    row = w[i] / (w[i, j] or 1)
    rank_1 = np.abs(np.outer(column, row) - w).max() <= 1e-15 * abs(w[i, j])
    return (column, row) if rank_1 else None


# ---- filters ------------------------------------------------------------------------------------


def average(size=3):
    """1/size² everywhere: the mean of the pixels around."""
    check_whole(size, "size", at_least=1)
    return np.full((size, size), 1 / size**2)


def gaussian(sigma=1.0, size=None):
    """exp(−r²/2σ²), divided by its sum: a mean that trusts near pixels more.  size : odd, 2⌈3σ⌉ + 1 if not given."""
    u, v = _grid(sigma, 1.0, 0.0, size)
    w = np.exp(-(v**2) / (2 * sigma**2)) * np.exp(-(u**2) / (2 * sigma**2))
    return w / w.sum()


def laplacian_of_gaussian(sigma=1.0, size=None):
    """(r²/σ² − 2) exp(−r²/2σ²), less a Gaussian to sum 0, over Σ|w|: dots, dark in light and light in dark; edges ±."""
    u, v = _grid(sigma, 1.0, 0.0, size)
    g = np.exp(-(u**2 + v**2) / (2 * sigma**2))
    return _without_mean(((u**2 + v**2) / sigma**2 - 2) * g, g)


def gabor(sigma=2.0, angle=0.0, wavelength=None, wave="cosine", stretch=1.0, size=None):
    """A wave under a Gaussian: the local answer to stripes of one direction and width.

        exp(−(u² + v²/stretch²)/2σ²) · cos(2πu/wavelength), or sin,   less a Gaussian to sum 0, over Σ|w|

    u : distance along ``angle``, across the stripes; v : along them.  wavelength : 4σ if not given.
    wave : "cosine" answers to bars, "sine" to edges.  stretch : how many times longer than wide.
    """
    check_number(sigma, "sigma", above=0)
    if wavelength is None:
        wavelength = 4 * sigma
    check_number(wavelength, "wavelength", above=0)
    if wave not in ("cosine", "sine"):
        raise ValueError(f"wave must be 'cosine' or 'sine', got {wave!r}.")
    u, v = _grid(sigma, check_number(stretch, "stretch", above=0), angle, size)
    g = np.exp(-(u**2 + (v / stretch) ** 2) / (2 * sigma**2))
    f = np.cos if wave == "cosine" else np.sin
    return _without_mean(f(2 * np.pi * u / wavelength) * g, g)


def derivative(angle=0.0, sigma=None):
    """The slope along ``angle``: of the neighbours' difference ½(x[i+1] − x[i−1]), or of the picture blurred by σ.

    With σ it is −∂/∂u of the Gaussian, so that a ramp of slope 1 gives 1.
    """
    c, s = direction(angle)
    if sigma is None:
        return np.array([[0, -s, 0], [c, 0, -c], [0, s, 0]]) / 2  # + stands behind: a convolution turns it
    u, v = _grid(sigma, 1.0, angle, None)
    w = -u * np.exp(-(u**2 + v**2) / (2 * sigma**2))
    return _over(-np.sum(u * w), w)


def integral(length, angle=0):
    """Ones in a row (angle 0) or a column (90): the sum over ``length`` pixels around each."""
    if angle not in (0, 90):
        raise ValueError(f"angle must be 0 or 90, got {angle!r}.")
    w = np.ones((1, check_whole(length, "length", at_least=1)))
    return w if angle == 0 else w.T


def emboss():
    """Light from one corner: differences along a diagonal, dark on one side of each edge and light on the other."""
    return np.array([[-2.0, -1, 0], [-1, 0, 1], [0, 1, 2]])


def sharpen(amount=1.0):
    """x + amount · (x − mean of its four neighbours): what blurring would lose, once more."""
    cross = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]) / 4
    return _identity() + check_number(amount, "amount") * (_identity() - cross)


def corner(size=9):
    """The upper left corner of something light: ones below and right of the middle, less their mean, over Σ|w|.

    Half a turn makes it the lower right corner, so convolution and correlation find different places.
    """
    middle = check_whole(size, "size", at_least=1) // 2
    if size % 2 == 0:
        raise ValueError(f"size must be odd, or the filter has no middle, got {size}.")
    w = np.zeros((size, size))
    w[middle:, middle:] = 1
    w = w - w.mean()
    return _over(np.abs(w).sum(), w)


def layers(*filters):
    """A filter for each channel, one behind the other, (a, b, channels): each of odd size, with zeros to the largest.

    >>> layers(sharpen(0), sharpen(0), average(3)).shape  # leaves red and green as they are, and blurs blue
    (3, 3, 3)
    """
    filters = [_read_filter(w) for w in filters]
    if not filters or any(w.ndim != 2 or 0 in np.mod(w.shape, 2) for w in filters):
        raise ValueError(f"layers needs filters of odd height and width, got {[w.shape for w in filters]}.")
    a, b = np.max([w.shape for w in filters], axis=0)
    return np.stack(
        [np.pad(w, [((n - m) // 2,) * 2 for n, m in zip((a, b), w.shape, strict=True)]) for w in filters], 2
    )


def _identity():
    return np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])


def direction(angle):
    """(cos, sin) of an angle in degrees, exact at multiples of 90."""
    quarter, rest = divmod(check_number(angle, "angle"), 90)
    c = np.cos(np.radians(rest))
    s = np.sin(np.radians(rest))
    return ((c, s), (-s, c), (-c, -s), (s, -c))[int(quarter) % 4]


def _grid(sigma, stretch, angle, size):
    """Distances u along the angle and v across it from the middle of a filter."""
    check_number(sigma, "sigma", above=0)
    size = 2 * ceil(3 * sigma * max(stretch, 1)) + 1 if size is None else check_whole(size, "size", at_least=1)
    if size % 2 == 0:
        raise ValueError(f"size must be odd, or the filter has no middle, got {size}.")
    check_memory(size, size, f"A filter of {size:,} pixels each way is", "take a smaller σ or size")
    c, s = direction(angle)
    t = np.arange(size) - size // 2
    right = t[None, :]
    up = -t[:, None]
    return c * right + s * up, c * up - s * right


def _without_mean(w, g):
    """w less the multiple of g that makes its sum 0, over Σ|w|."""
    w = w - w.sum() / g.sum() * g
    return _over(np.abs(w).sum(), w, rounding=1e-6 * g.sum())


def _over(size, w, rounding=0.0):
    """w/size; ValueError where there is nothing, or nothing but rounding, to divide."""
    if size <= rounding:
        raise ValueError("Nothing of this filter is left on whole pixels: take a larger σ or size, or another wave.")
    return w / size


def max_abs(responses):
    """max |z| over the first axis: however the stripe is turned, if its filter is among them."""
    return np.abs(responses).max(axis=0)


# ---- a bank -------------------------------------------------------------------------------------


class Group(NamedTuple):
    """Filters of a bank that give one response together.  name : what for.  filters : (f, a, b)."""

    name: str
    filters: np.ndarray


def filter_bank(orientations=6, scales=(1.0, 2.0, 4.0), stretch=2.0):
    """The bank in the manner of MR8: 38 filters in 8 groups, 2 alone and 6 of the orientations of one kind and scale.

    A Gaussian and a Laplacian of Gaussian of the largest scale; for each scale sine Gabor filters (edges) and cosine
    ones (bars), at as many angles, evenly spread over 180°.
    """
    check_whole(orientations, "orientations", at_least=1)
    if not len(scales):
        raise ValueError("scales must hold at least one σ, got none.")
    angles = 180 * np.arange(orientations) / orientations
    largest = max(scales)
    alone = [Group("Gaussian", gaussian(largest)[None]), Group("dot", laplacian_of_gaussian(largest)[None])]
    return alone + [
        Group(f"{name}, σ = {s:g}", np.stack([gabor(s, a, None, wave, stretch) for a in angles]))
        for name, wave in (("edges", "sine"), ("bars", "cosine"))
        for s in scales
    ]


def bank_responses(x, bank=None, border="mirror"):
    """Each group's response at each pixel, (8, rows, columns): z of a filter alone, max |z| over a group of several."""
    x = read_picture(x)
    bank = filter_bank() if bank is None else bank
    if x.ndim != 2:
        raise ValueError(f"The bank reads pictures of one channel, (rows, columns), got shape {x.shape}.")
    responses = (_by_fourier(_pad(x, g.filters.shape[1:], border), g.filters) for g in bank)
    return np.stack([z[0] if len(z) == 1 else max_abs(z) for z in responses])


def turned(x, angle):
    """The picture turned counter-clockwise about its middle, as large as it was; exact at 180, if square at 90 too."""
    from scipy.ndimage import rotate

    x = read_picture(x)
    if check_number(angle, "angle") % (90 if x.shape[0] == x.shape[1] else 180) == 0:
        return np.rot90(x, int(angle // 90))
    return rotate(x, angle, reshape=False, order=3, mode="reflect")


def change(before, after):
    """mean |after − before| / mean |before| of each response, in the disc that stays inside when it is turned."""
    before = np.asarray(before)
    after = np.asarray(after)
    _, height, width = after.shape
    rows, columns = np.ogrid[:height, :width]
    disc = np.hypot(rows - (height - 1) / 2, columns - (width - 1) / 2) < 0.35 * (min(height, width) - 1)
    return np.abs(after - before)[:, disc].mean(axis=1) / np.abs(before)[:, disc].mean(axis=1)


def change_when_turned(x, angle, bank=None):
    """How much each response changes when the picture is turned, one number for each group: 0 is not at all.

    Compared are the responses, turned afterwards, and those of the turned picture.
    """
    return change([turned(z, angle) for z in bank_responses(x, bank)], bank_responses(turned(x, angle), bank))
