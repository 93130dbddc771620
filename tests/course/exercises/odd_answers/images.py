"""Odd answers to the exercises of notebook 16."""

import math
from fractions import Fraction
from functools import reduce

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


def summed_over_itself(x, w):
    """Writes into x, whose new numbers are then used as old ones."""
    a, b = w.shape
    for i, k in np.ndindex(x.shape):
        total = 0.0
        for j, m in np.ndindex(a, b):
            row, column = i - (j - a // 2), k - (m - b // 2)
            if 0 <= row < x.shape[0] and 0 <= column < x.shape[1]:
                total += w[j, m] * x[row, column]
        x[i, k] = total
    return x


def summed_by_negative_places(x, w):
    """A place to the left of x is the last one in Python; only beyond the other end one has looked."""
    a, b = w.shape
    z = np.zeros(x.shape)
    for i, k in np.ndindex(x.shape):
        for j, m in np.ndindex(a, b):
            row, column = i - (j - a // 2), k - (m - b // 2)
            if row < x.shape[0] and column < x.shape[1]:
                z[i, k] += w[j, m] * x[row, column]
    return z


def summed_from_two_lines(x, w):
    """As if each filter were a column times a row."""
    return convolve(x, np.outer(w.sum(axis=1), w.sum(axis=0)) / w.sum(), "zero")


def summed_for_square_filters(x, w):
    """Reach from the height alone."""
    r = len(w) // 2
    wide = np.pad(x, r)
    z = np.zeros(x.shape)
    for j, m in np.ndindex(w.shape):
        part = wide[2 * r - j :, 2 * r - m :][: x.shape[0], : x.shape[1]] if 2 * r >= m else 0 * x
        z[: part.shape[0], : part.shape[1]] += w[j, m] * part
    return z


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


def dot_from_a_mean(sigma, size):
    """Adds up to 0 and is negative in the middle, but has no ring around it."""
    g = gaussian(sigma, size)
    w = g.mean() - g
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


def strongest_of_the_first(x, bank):
    """Begins with the first response as it is."""
    z = convolve(x, bank[0])
    for w in bank[1:]:
        z = np.maximum(z, np.abs(convolve(x, w)))
    return z


def strongest_and_the_picture(x, bank):
    """Begins with the picture itself."""
    return reduce(lambda z, w: np.maximum(z, np.abs(convolve(x, w))), bank, x)


def one_after_the_other(x, bank):
    """Each filter is asked about the response to the one before."""
    return np.abs(reduce(convolve, bank, x))


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


def the_last_vote_only(right, up, bins):
    """sums[which] += … adds one vote to each bin, however many there are."""
    sums = np.zeros(bins)
    sums[(degrees(right, up) // (360 / bins)).astype(int)] += np.hypot(right, up)
    return sums


def towards_zero(right, up, bins):
    """int cuts −10°/45° to 0."""
    sums = np.zeros(bins)
    np.add.at(sums, (np.degrees(np.arctan2(up, right)) / (360 / bins)).astype(int), np.hypot(right, up))
    return sums


def numbered_from_one(right, up, bins):
    """np.digitize calls the first bin 1."""
    which = np.digitize(degrees(right, up), np.linspace(0, 360, bins + 1))
    return np.bincount(which.ravel(), np.hypot(right, up).ravel(), minlength=bins)[:bins]


def shared_by_two(right, up, bins):
    """Each vote is split between the two bins whose middles are nearest."""
    place = degrees(right, up) / (360 / bins) - 0.5
    low, part = np.floor(place).astype(int), place % 1
    sums = np.zeros(bins)
    np.add.at(sums, low % bins, (1 - part) * np.hypot(right, up))
    np.add.at(sums, (low + 1) % bins, part * np.hypot(right, up))
    return sums


def the_longest(right, up, bins):
    sums = np.zeros(bins)
    np.maximum.at(sums, (degrees(right, up) // (360 / bins)).astype(int), np.hypot(right, up))
    return sums


def as_a_vector(right, up, bins):
    """The length of the sum of the gradients of a bin, instead of the sum of their lengths."""
    which = (degrees(right, up) // (360 / bins)).astype(int)
    return [np.hypot(right[which == o].sum(), up[which == o].sum()) for o in range(bins)]


def strong_ones(right, up, bins):
    length = np.hypot(right, up)
    length = np.where(length > length.mean(), length, 0)
    return np.histogram(degrees(right, up), bins, (0, 360), weights=length)[0]


ONLY = [[1, -1, 0], [-1, 0, 1], [0, 1, -1]]
RIGHT = [
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
WRONG = [
    (images.by_weights, summed_over_itself),
    (images.by_weights, summed_by_negative_places),
    (images.by_weights, summed_from_two_lines),
    (images.by_weights, summed_for_square_filters),
    (images.by_weights, lambda x, w: convolve(x, w / w.sum(), "zero")),
    (images.by_weights, lambda x, w: np.clip(convolve(x, w, "zero"), 0, 255)),
    (images.by_weights, lambda x, w: np.abs(convolve(x, w, "zero"))),
    (images.by_weights, lambda x, w: scipy.ndimage.convolve(x, w, mode="nearest")),
    (images.by_weights, lambda x, w: convolve(x, w, "zero") / w.size),
    (images.by_weights, lambda x, w: convolve(x, w - w.mean(), "zero")),
    (images.dot, dot_from_a_mean),
    (images.dot, dot_of(lambda sigma: 1.6 * sigma, lambda sigma: sigma)),
    (images.dot, dot_of(lambda sigma: sigma**2 * 1.1, lambda sigma: sigma**2 / 1.1)),
    (images.dot, dot_of(lambda sigma: 2.2, lambda sigma: 1.8)),
    (images.dot, dot_of(lambda sigma: sigma + 0.1, lambda sigma: sigma - 0.1, lambda w: w / np.linalg.norm(w))),
    (images.dot, dot_of(lambda sigma: sigma + 0.1, lambda sigma: sigma - 0.1, lambda w: w / w.max())),
    (images.dot, dot_of(lambda sigma: sigma + 0.1, lambda sigma: sigma - 0.1, lambda w: w / w[w > 0].sum())),
    (images.dot, dot_of(lambda sigma: sigma + 0.1, lambda sigma: sigma - 0.1, lambda w: np.abs(w) / np.abs(w).sum())),
    (images.dot, lambda sigma, size: gaussian(sigma + 0.1, size) + gaussian(sigma - 0.1, size)),
    (images.dot, lambda sigma, size: np.log(gaussian(sigma + 0.1, size) / gaussian(sigma - 0.1, size))),
    (images.only_45, [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]),
    (images.only_45, [[0, 0, 1], [0, 0, 0], [-1, 0, 0]]),
    (images.only_45, [[1, 0, -1], [0, 0, 0], [-1, 0, 1]]),
    (images.only_45, [[0, -1, 1], [-1, 0, -1], [1, -1, 0]]),
    (images.only_45, [[0, 0, 1], [0, 1, 0], [1, 0, 0]]),
    (images.only_45, np.fliplr(np.eye(3)) - 1 / 3),
    (images.only_45, np.ravel(ONLY)),
    (images.only_45, np.abs(ONLY)),
    (images.edges, strongest_of_the_first),
    (images.edges, strongest_and_the_picture),
    (images.edges, one_after_the_other),
    (images.edges, lambda x, bank: np.ptp([convolve(x, w) for w in bank], axis=0)),
    (images.edges, lambda x, bank: np.sort(np.abs([convolve(x, w) for w in bank]), axis=0)[-2]),
    (images.edges, lambda x, bank: np.log(np.exp(np.abs([convolve(x, w) for w in bank])).sum(axis=0))),
    (images.edges, lambda x, bank: np.abs([convolve(x, w) for w in bank]).max(axis=0) > 0.5),
    (images.edges, lambda x, bank: np.abs([convolve(x, np.abs(w)) for w in bank]).max(axis=0)),
    (images.edges, lambda x, bank: -np.array([convolve(x, w) for w in bank]).min(axis=0)),
    (images.edges, lambda x, bank: np.abs([convolve(x, w) for w in bank]).max(axis=0) / np.abs(bank).max()),
    (images.histogram, the_last_vote_only),
    (images.histogram, towards_zero),
    (images.histogram, numbered_from_one),
    (images.histogram, shared_by_two),
    (images.histogram, the_longest),
    (images.histogram, as_a_vector),
    (images.histogram, strong_ones),
    (images.histogram, lambda right, up, bins: np.histogram(degrees(right, up), bins, weights=right**2 + up**2)[0]),
    (images.histogram, lambda right, up, bins: np.cumsum(added_in_place(right, up, bins))),
]
