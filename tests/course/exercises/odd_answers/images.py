"""Odd answers to the exercises of notebook 16."""

import math
from fractions import Fraction

import numpy as np
import scipy.linalg
import scipy.ndimage
import scipy.signal

from kernelkit.course.exercises import images
from kernelkit.images.filters import convolve, gaussian


def summed_by_a_matrix(x, w):
    """The convolution as one matrix, which is then multiplied by all pixels."""
    rows, columns = x.shape
    a, b = w.shape
    T = np.zeros((rows, columns, rows, columns))
    for i, k, j, m in np.ndindex(rows, columns, a, b):
        source = i - (j - a // 2), k - (m - b // 2)
        if 0 <= source[0] < rows and 0 <= source[1] < columns:
            T[i, k, source[0], source[1]] = w[j, m]
    return np.tensordot(T, x, 2)


def summed_by_windows(x, w):
    """All windows as a view with four axes."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, [(size // 2,) * 2 for size in w.shape]), w.shape)
    return np.einsum("ikab,ab->ik", windows, np.flip(w))


def summed_row_by_row(x, w):
    """A convolution in 1-D of each row with each row of w, as products of polynomials."""
    (rows, columns), (a, b) = x.shape, w.shape
    z = np.zeros((rows + a - 1, columns + b - 1))
    for i in range(rows):
        for j in range(a):
            z[i + j] += np.convolve(x[i], w[j])
    return z[a // 2 : a // 2 + rows, b // 2 : b // 2 + columns]


def summed_in_whole_numbers(x, w):
    z = scipy.signal.fftconvolve(x, w, "full")
    first = [size // 2 for size in w.shape]
    return np.rint(z[first[0] :, first[1] :][: x.shape[0], : x.shape[1]]).astype(np.int16)


def dot_of(wide, narrow, scale=lambda w: w / np.abs(w).sum()):
    """Two Gaussians with widths from sigma."""
    return lambda sigma, size: scale(gaussian(wide(sigma), size) - gaussian(narrow(sigma), size))


def dot_by_a_complex_step(sigma, size):
    """The derivative with respect to the width itself, from a width with an imaginary part."""
    t = np.arange(size) - size // 2
    g = np.exp(-(t[:, None] ** 2 + t**2) / (2 * (sigma + 1e-20j) ** 2))
    w = (g / g.sum()).imag
    return w / np.linalg.norm(w.ravel(), 1)


def dot_of_lines(sigma, size):
    """Each Gaussian as a column times a row."""

    def line(width):
        e = np.array([math.exp(-0.5 * (t / width) ** 2) for t in range(-(size // 2), size // 2 + 1)])
        return e / math.fsum(e)

    w = np.outer(line(sigma + 0.1), line(sigma + 0.1)) - np.outer(line(sigma - 0.1), line(sigma - 0.1))
    return (w / abs(w).sum()).T.tolist()


def dot_blurred_twice(sigma, size):
    """A point blurred a little more, minus one blurred a little less, on a picture that is large enough."""
    point = np.zeros((8 * size + 1, 8 * size + 1))
    point[4 * size, 4 * size] = 1
    w = scipy.ndimage.gaussian_filter(point, sigma + 0.3, truncate=9) - scipy.ndimage.gaussian_filter(
        point, sigma - 0.3, truncate=9
    )
    w = w[4 * size - size // 2 :, 4 * size - size // 2 :][:size, :size]
    w -= w.mean()
    return w / np.abs(w).sum()


def only_45_by_equations():
    """What all nine weights must not do as equations, and the one direction that is left."""
    places = [(i, k) for i in range(3) for k in range(3)]
    rules = [
        [float(rule(i, k)) for i, k in places]
        for rule in (
            *(lambda i, k, r=r: i == r for r in range(3)),
            *(lambda i, k, c=c: k == c for c in range(3)),
            *(lambda i, k, d=d: i - k == d for d in range(-2, 3)),
        )
    ]
    return 7 * scipy.linalg.null_space(rules).reshape(3, 3, order="F")


def strongest_in_a_loop(x, bank):
    z = [convolve(x, w).tolist() for w in bank]
    return [[abs(max((part[i][k] for part in z), key=abs)) for k in range(len(x[0]))] for i in range(len(x))]


def added_in_place(right, up, bins):
    """A rounded-down place of −1 is the last bin in Python, so nothing need be taken % 360."""
    sums = np.zeros(bins)
    np.add.at(sums, np.floor(np.arctan2(up, right) / (2 * np.pi) * bins).astype(int), np.hypot(right, up))
    return sums


def between_two_rays(right, up, bins):
    """No angle of a gradient: is it to the left of one ray, and not of the next? Needs more than two bins."""
    sums = []
    for o in range(bins):
        low, high = 2 * np.pi * o / bins, 2 * np.pi * (o + 1) / bins
        after = np.cos(low) * up - np.sin(low) * right >= 0
        before = np.cos(high) * up - np.sin(high) * right < 0
        sums.append(math.fsum(np.sqrt(right**2 + up**2)[after & before]))
    return tuple(sums)


def one_pixel_after_the_other(right, up, bins):
    sums = [0.0] * bins
    for r, u in zip(right.ravel().tolist(), up.ravel().tolist(), strict=True):
        degrees = math.degrees(math.atan2(u, r))
        sums[int((degrees + 360 if degrees < 0 else degrees) * bins // 360)] += math.dist((0, 0), (r, u))
    return np.array(sums, dtype=np.longdouble)


def degrees(right, up):
    return np.degrees(np.arctan2(up, right)) % 360


ONLY = [[1, -1, 0], [-1, 0, 1], [0, 1, -1]]


def summed_through_waves(x, w):
    """Complex numbers whose imaginary parts are rounding."""
    shape = np.add(x.shape, w.shape) - 1
    z = np.fft.ifft2(np.fft.fft2(x, shape) * np.fft.fft2(w, shape))
    return z[w.shape[0] // 2 :, w.shape[1] // 2 :][: x.shape[0], : x.shape[1]]


RIGHT = [
    (images.by_weights, summed_through_waves),
    (images.by_weights, lambda x, w: convolve(x, w, "zero").astype(np.float32)),
    (images.only_45, lambda: ONLY + 0.75e-9 * (np.arange(9).reshape(3, 3) == 4)),  # adds up to nearly 0
    (images.edges, lambda x, bank: np.abs([scipy.ndimage.correlate(x, w, mode="reflect") for w in bank]).max(axis=0)),
    (images.by_weights, summed_by_a_matrix),
    (images.by_weights, summed_by_windows),
    (images.by_weights, summed_row_by_row),
    (images.by_weights, summed_in_whole_numbers),
    (images.dot, dot_by_a_complex_step),
    (images.dot, dot_of_lines),
    (images.dot, dot_blurred_twice),
    (images.dot, dot_of(lambda sigma: sigma + 1e-4, lambda sigma: sigma - 1e-4)),
    (images.only_45, only_45_by_equations),
    (images.only_45, [[Fraction(number, 3) for number in row] for row in ONLY]),
    (images.only_45, lambda: -np.array(ONLY, dtype=np.int8) * 100),
    (images.edges, strongest_in_a_loop),
    (images.edges, lambda x, bank: np.linalg.norm([convolve(x, w) for w in bank], ord=np.inf, axis=0)),
    (images.edges, lambda x, bank: np.sort(np.dstack([convolve(x, s * w) for w in bank for s in (1, -1)]))[..., -1]),
    (images.histogram, added_in_place),
    (images.histogram, between_two_rays),
    (images.histogram, one_pixel_after_the_other),
]
