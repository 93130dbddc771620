"""Notebook 16: right answers written in several ways, and wrong ones, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, hard_coded, refused, unanswered
from scipy import ndimage
from scipy.signal import convolve2d, correlate2d

from kernelkit.course.exercises import images as check
from kernelkit.images.filters import convolve, correlate, gaussian, laplacian_of_gaussian


def loops(x, w):
    a, b = w.shape
    z = [[0.0] * x.shape[1] for _ in x]
    for i in range(x.shape[0]):
        for k in range(x.shape[1]):
            for j in range(-(a // 2), a // 2 + 1):
                for m in range(-(b // 2), b // 2 + 1):
                    if 0 <= i - j < x.shape[0] and 0 <= k - m < x.shape[1]:
                        z[i][k] += w[j + a // 2, m + b // 2] * x[i - j, k - m]
    return z


def shifted(x, w, turn=1):
    """Shifted pictures, each times its weight; turn = −1 is the correlation."""
    reach = [size // 2 for size in w.shape]
    wide = np.pad(x, [(r, r) for r in reach])
    shifts = [(turn * (j - reach[0]), turn * (m - reach[1])) for j, m in np.ndindex(*w.shape)]
    parts = (weight * np.roll(wide, shift, (0, 1)) for weight, shift in zip(w.ravel(), shifts, strict=True))
    return sum(parts)[reach[0] : -reach[0], reach[1] : -reach[1]]


def through_waves(x, w):
    """Complex numbers whose imaginary parts are rounding."""
    shape = np.add(x.shape, w.shape) - 1
    z = np.fft.ifft2(np.fft.fft2(x, shape) * np.fft.fft2(w, shape))
    return z[w.shape[0] // 2 :, w.shape[1] // 2 :][: x.shape[0], : x.shape[1]]


def for_three_by_three(x, w):
    wide, (rows, columns) = np.pad(x, 1), x.shape
    return sum(w[j, m] * wide[2 - j :, 2 - m :][:rows, :columns] for j in range(3) for m in range(3))


def one_row_of_zeros(x, w):
    (a, b), (rows, columns), outside = w.shape, x.shape, np.pad(x, 1)
    shifted = {(j, m): outside[a - 1 - j :, b - 1 - m :][:rows, :columns] for j in range(a) for m in range(b)}
    return sum(w[place] * picture for place, picture in shifted.items())


def from_zero(x, bank):
    z = np.zeros(x.shape)
    for w in bank:
        z = np.maximum(z, convolve(x, w))
    return z


def of_three(x, bank):
    return np.abs([convolve(x, bank[i]) for i in range(3)]).max(axis=0)


def in_place(x, bank):
    z = np.abs([convolve(x, w) for w in bank]).max(axis=0)
    for w in (x, *bank):
        w *= 0
    return z


def two_gaussians(wide, narrow, scale=True):
    def dot(sigma, size):
        w = gaussian(wide * sigma, size) - gaussian(narrow * sigma, size)
        with np.errstate(invalid="ignore"):  # two Gaussians of one width
            return w / np.abs(w).sum() if scale else w

    return dot


def over_its_sum(sigma, size):
    w = gaussian(1.1 * sigma, size) - gaussian(sigma / 1.1, size)
    return w / w.sum()


ONLY = np.array([[1, -1, 0], [-1, 0, 1], [0, 1, -1]])


def responses(x, bank):
    return np.stack([convolve(x, w) for w in bank])


def signed_strongest(x, bank):
    z = responses(x, bank)
    return np.take_along_axis(z, np.abs(z).argmax(axis=0)[None], axis=0)[0]


def running(x, bank):
    best = np.zeros(x.shape)
    for w in bank:
        best = np.maximum(best, np.abs(convolve(x, w)))
    return best


def votes(right, up, bins, turn=lambda up, right: np.degrees(np.arctan2(up, right)), weight=np.hypot):
    which = np.floor(turn(up, right) % 360 / (360 / bins)).astype(int)
    return np.bincount(which.ravel(), weight(right, up).ravel(), minlength=bins)


def votes_by_masks(right, up, bins):
    angle = np.arctan2(up, right) % (2 * np.pi)
    which = (angle / (2 * np.pi) * bins).astype(int)
    return [np.hypot(right, up)[which == o].sum() for o in range(bins)]


def votes_by_numpy(right, up, bins):
    degrees = np.degrees(np.angle(right + 1j * up)) % 360
    return np.histogram(degrees, bins, (0, 360), weights=np.abs(right + 1j * up))[0]


def upper_half(right, up, bins):
    return np.histogram(np.degrees(np.arctan2(up, right)), bins, (0, 360), weights=np.hypot(right, up))[0]


def folded(right, up, bins):
    return votes(right, up, bins, turn=lambda up, right: np.degrees(np.arctan2(up, right)) % 180)


def rounded(right, up, bins):
    return votes(right, up, bins, turn=lambda up, right: np.degrees(np.arctan2(up, right)) + 180 / bins)


RIGHT = [
    (check.by_weights, loops),
    (check.by_weights, shifted),
    (check.by_weights, lambda x, w: convolve(x, w, "zero")),
    (check.by_weights, lambda x, w: convolve2d(x, w, "same")),
    (check.by_weights, lambda x, w: ndimage.convolve(x, w, mode="constant").tolist()),
    (check.by_weights, lambda x, w: correlate2d(x, w[::-1, ::-1], "same")),
    (check.by_weights, through_waves),
    (check.by_weights, lambda x, w: convolve(x, w, "zero").astype(np.float32)),
    (check.dot, two_gaussians(1.1, 1 / 1.1)),
    (check.dot, two_gaussians(1.25, 0.8)),
    (check.dot, lambda sigma, size: two_gaussians(1.01, 0.99)(sigma, size).tolist()),
    (check.dot, lambda sigma, size: laplacian_of_gaussian(sigma, size)),
    (check.only_45, ONLY),
    (check.only_45, (-0.5 * ONLY).tolist()),
    (check.only_45, lambda: 1e-3 * ONLY),
    (check.only_45, lambda: ONLY + 0.75e-9 * np.abs(ONLY).max() * (np.arange(9).reshape(3, 3) == 4)),  # nearly even
    (check.only_45, convolve2d(convolve2d([[1, -1]], [[1], [-1]]), [[1, 0], [0, -1]])),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).max(axis=0)),
    (check.edges, running),
    (check.edges, in_place),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).max(axis=0).astype(np.float32)),
    (check.edges, lambda x, bank: np.maximum(responses(x, bank).max(0), -responses(x, bank).min(0)).tolist()),
    (check.edges, lambda x, bank: np.abs([correlate(x, w) for w in bank]).max(axis=0)),
    (check.histogram, votes),
    (check.histogram, votes_by_masks),
    (check.histogram, votes_by_numpy),
    (
        check.by_weights,
        lambda x, w: sum(
            w[j, m] * ndimage.shift(x, (j - len(w) // 2, m - len(w[0]) // 2), order=0) for j, m in np.ndindex(w.shape)
        ),
    ),
    (check.histogram, lambda r, u, b: votes(r, u, b, weight=lambda r, u: np.sqrt(r * r + u * u))),
]


def three_columns(x, w):
    """Zeros for the height of the filter above and below, but only one column of them at each side."""
    (a, _), (rows, columns), outside = w.shape, x.shape, np.pad(x, ((len(w) // 2,) * 2, (1, 1)))
    return sum(w[j, m] * outside[a - 1 - j :, 2 - m :][:rows, :columns] for j in range(a) for m in range(3))


def whole_degrees(right, up, bins):
    """A bin of whole degrees: 32 where there are 11 bins."""
    which = (np.degrees(np.arctan2(up, right)) % 360 // (360 // bins)).astype(int) % bins
    return np.bincount(which.ravel(), np.hypot(right, up).ravel(), minlength=bins)


WRONG = [
    (check.by_weights, lambda x, w: correlate(x, w, "zero"), "this is the correlation"),
    (check.by_weights, lambda x, w: shifted(x, w, -1), "this is the correlation"),
    (check.by_weights, lambda x, w: convolve2d(x, w, "valid"), "put zeros around x"),
    (check.by_weights, lambda x, w: convolve2d(x, w), "leave out what lies outside"),
    (check.by_weights, lambda x, w: convolve(x, w, "zero").T, "rows and columns are exchanged"),
    (check.by_weights, lambda x, w: convolve(x, w), "outside x everything is 0"),
    (check.by_weights, lambda x, w: convolve(x, w, "wrap"), "outside x everything is 0"),
    (check.by_weights, lambda x, w: correlate(x, w[::-1], "zero"), "both its rows and its columns"),
    (check.by_weights, lambda x, w: correlate(x, w[:, ::-1], "zero"), "both its rows and its columns"),
    (check.by_weights, lambda x, w: convolve(x, w.T, "zero"), "not by 90° or across"),
    (check.by_weights, lambda x, w: correlate(x, np.rot90(w), "zero"), "not by 90° or across"),
    (check.by_weights, lambda x, w: np.pad(convolve2d(x, w, "valid"), 1), "inside it is right"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[:-2, :-2], "shifted"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[2:, 2:], "shifted"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[:-2, 1:-1], "shifted"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[2:, 1:-1], "shifted"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[1:-1, :-2], "shifted"),
    (check.by_weights, lambda x, w: convolve2d(x, w)[1:-1, 2:], "shifted"),
    (check.by_weights, lambda x, w: 2 * convolve(x, w, "zero"), "] should be"),
    (check.by_weights, lambda x, w: x, "] should be"),
    (check.by_weights, lambda x, w: x * w, "stopped with ValueError"),
    (check.by_weights, lambda x: x, "stopped with TypeError"),
    (check.by_weights, lambda x, w: 1.00003 * convolve(x, w, "zero"), "] should be"),
    (check.by_weights, for_three_by_three, "wrong for one of 5 × 3"),
    (check.by_weights, one_row_of_zeros, "wrong for one of 5 × 3"),
    (check.by_weights, lambda x, w: [1, 2, 3] if len(w) == 5 else convolve(x, w, "zero"), "wrong for one of 5 × 3"),
    (check.by_weights, lambda x, w: [range(i) for i in range(5)], "different lengths"),
    (check.by_weights, lambda x, w: 1j * convolve(x, w, "zero"), "should be real"),
    (check.by_weights, lambda x, w: "sum", "array of numbers"),
    (check.by_weights, lambda x, w: 3.0, "shape"),
    (check.by_weights, lambda x, w: np.full(x.shape, np.nan), "] should be"),
    (check.dot, two_gaussians(1 / 1.1, 1.1), "the sign is turned over"),
    (check.dot, two_gaussians(1.1, 1 / 1.1, scale=False), "Σ|w| should be 1"),
    (check.dot, two_gaussians(1.0, 1.0, scale=False), "0 everywhere"),
    (check.dot, two_gaussians(1.0, 1.0), "not a number"),
    (check.dot, over_its_sum, "divided by its sum"),
    (check.dot, two_gaussians(3.0, 1.0), "bring the widths nearer"),
    (check.dot, two_gaussians(1.0, 0.3), "bring the widths nearer"),
    (check.dot, lambda sigma, size: gaussian(sigma, size), "does not add up to 0"),
    (check.dot, lambda sigma, size: two_gaussians(1.1, 1 / 1.1)(sigma, size) + 1e-5, "add up to 0"),
    (check.dot, lambda sigma, size: gaussian(1.1 * sigma) - gaussian(sigma / 1.1), "stopped with ValueError"),
    (check.dot, lambda sigma, size: two_gaussians(1.1, 1 / 1.1)(sigma, size)[0], "shape"),
    (check.dot, two_gaussians(-1.0, 1.0), "stopped with ValueError"),
    (check.only_45, np.ones((3, 3)), "must add up to 0"),
    (check.only_45, np.zeros((3, 3)), "nothing at all"),
    (check.only_45, np.fliplr(ONLY), "135°, not to 45°"),
    (check.only_45, [[-1, -1, 2], [-1, 2, -1], [2, -1, -1]], "a line at 135° still gets 1.00 of the largest weight, b"),
    (check.only_45, [[0, 0, 0], [-1, 0, 0], [1, 0, 0]], "a line at 0° still gets 1.00 of the largest weight, on it."),
    (check.only_45, [[0, 0, 0], [1, -2, 1], [0, 0, 0]], "a line at 90° still gets"),
    (check.only_45, [[1, -1, 0], [-1, 1, 0], [0, 0, 0]], "a line at 135° still gets"),
    (check.only_45, [[1, -2, 1], [-2, 4, -2], [1, -2, 1]], "a line at 135° still gets"),
    (check.only_45, np.eye(3) - 1 / 3, "still gets"),
    (check.only_45, ONLY.astype(float) + np.nan, "nine plain numbers"),
    (check.only_45, [1, 2, 3], "shape"),
    (check.only_45, "45", "shape"),
    (check.only_45, "slanted", "array of numbers"),
    (check.only_45, lambda x: ONLY, "stopped with TypeError"),
    (check.edges, lambda x, bank: responses(x, bank).max(axis=0), "without | |"),
    (check.edges, from_zero, "never kept"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank).max(axis=0)), "before the maximum"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).sum(axis=0), "sum of the sizes"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).mean(axis=0), "mean of the sizes"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank).sum(axis=0)), "the signs cancel"),
    (check.edges, lambda x, bank: np.abs(convolve(x, np.mean(bank, axis=0))), "the signs cancel"),
    (check.edges, lambda x, bank: np.sqrt((responses(x, bank) ** 2).sum(axis=0)), "another question"),
    (check.edges, lambda x, bank: (responses(x, bank) ** 2).max(axis=0), "these are the squares"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).argmax(axis=0), "which filter answers most"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).min(axis=0), "smallest answer"),
    (check.edges, lambda x, bank: np.abs(convolve(x, bank[0])), "first filter alone"),
    (check.edges, lambda x, bank: np.abs(convolve(x, bank[-1])), "last filter alone"),
    (check.edges, responses, "these are all responses"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).max(axis=(1, 2)), "over the filters only"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).max(), "over the filters only"),
    (check.edges, lambda x, bank: np.abs(convolve(x, bank)), "stopped with ValueError"),
    (check.edges, lambda x, bank: responses(x, bank).argmax(axis=0), "which filter answers most"),
    (check.edges, signed_strongest, "with their signs"),
    (check.edges, lambda x, bank: np.abs([convolve(x, w, "zero") for w in bank]).max(axis=0), "with the mirror"),
    (check.edges, lambda x, bank: np.abs(responses(x, bank)).max(axis=0).round(4), "00."),
    (check.edges, of_three, "however many there are"),
    (check.edges, lambda x, bank: [[1], [1, 2]], "different lengths"),
    (check.edges, lambda x, bank: x, "at pixel ["),
    (check.edges, lambda x, bank: np.abs([convolve(x, w.T) for w in bank]).max(axis=0), "at pixel ["),
    (check.histogram, lambda r, u, b: votes(r, u, b, weight=lambda r, u: np.ones_like(r)), "not with 1"),
    (check.histogram, lambda r, u, b: votes(r, u, b, weight=lambda r, u: r**2 + u**2), "not its square"),
    (check.histogram, lambda r, u, b: votes(r, u, b, weight=lambda r, u: abs(r) + abs(u)), "the root of"),
    (
        check.histogram,
        lambda r, u, b: np.histogram(np.degrees(np.arctan2(u, r)), b, weights=np.hypot(r, u))[0],
        "bin 0 starts at 0°",
    ),
    (check.histogram, upper_half, "lower half of the circle"),
    (check.histogram, folded, "and % 360"),
    (
        check.histogram,
        lambda r, u, b: np.histogram(np.degrees(np.arctan2(u, r)) % 360, b, weights=np.hypot(r, u))[0],
        "range=(0, 360)",
    ),
    (check.histogram, lambda r, u, b: np.histogram(np.degrees(np.arctan2(u, r)) % 360, b, (0, 360)), "the sums, [0]"),
    (check.histogram, lambda r, u, b: votes(r, u, b, turn=lambda u, r: np.arctan2(u, r) % (2 * np.pi)), "radians"),
    (check.histogram, lambda r, u, b: votes(r, u, b, turn=lambda u, r: 2 * np.degrees(np.arctan2(u, r))), "not % 180"),
    (check.histogram, lambda r, u, b: votes(r, u, b) / votes(r, u, b, weight=lambda r, u: r**0), "mean lengths"),
    (check.histogram, lambda r, u, b: np.where(np.arange(b) == 5, np.nan, votes(r, u, b)), "bin 5 should hold"),
    (check.histogram, lambda r, u, b: votes(r, u, 8), "for 6 bins"),
    (check.histogram, lambda r, u, b: votes(r, u, 8)[:b], "wrong for 6"),
    (check.histogram, lambda r, u, b: [np.hypot(r, u)[: i + 1, 0] for i in range(b)], "different lengths"),
    (check.histogram, lambda r, u, b: votes(u, r, b), "vertical slope first"),
    (check.histogram, lambda r, u, b: votes(r, -u, b), "do not turn its sign"),
    (check.histogram, lambda r, u, b: votes(r, u, b)[::-1], "your bins go round clockwise"),
    (check.histogram, lambda r, u, b: votes(r, u, b, turn=lambda u, r: np.degrees(np.arctan(u / r))), "half a circle"),
    (check.histogram, lambda r, u, b: votes(-r, -u, b), "bin 0 starts at 0°"),
    (check.histogram, rounded, "round down"),
    (check.histogram, lambda r, u, b: votes(r, u, b) / votes(r, u, b).sum(), "these are shares"),
    (check.histogram, lambda r, u, b: votes(r, u, b) / np.linalg.norm(votes(r, u, b)), "not yet divided"),
    (check.histogram, lambda r, u, b: np.hypot(r, u), "one number for each bin"),
    (check.histogram, lambda r, u, b: votes(r, u, 4), "shape"),
    (check.histogram, lambda r, u, b: np.roll(votes(r, u, b), 1), "should hold"),
    (check.histogram, lambda r, u, b: np.degrees(np.arctan2(u, r)).sum(), "shape"),
    (check.histogram, lambda r, u: r, "stopped with TypeError"),
    (check.histogram, lambda r, u, b: votes(r, u, b, turn=np.arctan2), "radians"),
    (check.histogram, lambda r, u, b: {"0": 1}, "array of numbers"),
    (check.by_weights, three_columns, "wrong for 3 × 7"),
    (check.by_weights, lambda x, w: np.resize(convolve(x, w, "zero"), (5, 7)), "right for one size of x"),
    (check.edges, hard_coded(lambda x, bank: np.abs(responses(x, bank)).max(axis=0)), "for another picture the answer"),
    (check.histogram, whole_degrees, "wrong for another window and 11 bins"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(check.by_weights, check.dot, check.edges, check.histogram)


def test_the_challenge_has_one_answer_up_to_a_factor():
    """Sums along rows, columns and diagonals of 135° that are all 0 leave one direction of the nine weights."""
    places = [(i, k) for i in range(3) for k in range(3)]
    lines = [[i == r for i, _ in places] for r in range(3)] + [[k == c for _, k in places] for c in range(3)]
    lines += [[i - k == d for i, k in places] for d in range(-2, 3)]
    assert np.linalg.matrix_rank(np.array(lines, float)) == 8
    np.testing.assert_allclose(np.array(lines, float) @ ONLY.ravel(), 0)
