"""Checks of the exercises of notebook 16."""

from functools import partial
from operator import eq

import numpy as np

from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    exercise,
    expect,
    shape_of,
    summary_of,
    worst_place,
)
from kernelkit.course.explorers.images import filter_lab, orientations
from kernelkit.images.filters import convolve, correlate, gabor, gaussian, laplacian_of_gaussian

UP_TO = {"rtol": 1e-5, "atol": 1e-7}  # what single precision leaves
LIKE = 0.98  # the cosine between two filters that are nearly the same


def _near(mine, other):
    return shape_of(mine) == np.shape(other) and np.allclose(mine, other, **UP_TO)


@exercise("A convolution by its weights")
def by_weights(trial):
    """Σ_p Σ_q w[p, q] x[i − p, j − q] with 0 outside, as large as x; w has odd height and width."""
    rng = trial.draws(0)
    x = rng.integers(0, 9, (5, 7)).astype(float)
    w = rng.integers(-3, 4, (3, 3)).astype(float)
    value = trial.ask(x, w)
    right = convolve(x, w, "zero")
    trial.expect_none_of(
        shape_of(value),
        eq,
        no_border=((3, 5), "the answer is as large as x: put zeros around x before you sum."),
        too_much_border=((7, 9), "the answer is as large as x: leave out what lies outside it."),
        transposed=((7, 5), "rows and columns are exchanged: the answer has those of x."),
    )
    mine = array_like(value, (5, 7), "z")
    trial.expect_none_of(
        mine,
        _near,
        correlation=(
            correlate(x, w, "zero"),
            "this is the correlation: a convolution has x[i − p, j − q], so turn w by 180° first.",
        ),
        rows_only=(correlate(x, w[::-1], "zero"), "w is turned by 180°: both its rows and its columns."),
        columns_only=(correlate(x, w[:, ::-1], "zero"), "w is turned by 180°: both its rows and its columns."),
        quarter_turn=(
            correlate(x, np.rot90(w), "zero"),
            convolve(x, w.T, "zero"),
            "w is turned by 180°, not by 90° or across its diagonal.",
        ),
        other_border=(
            convolve(x, w, "mirror"),
            convolve(x, w, "wrap"),
            "outside x everything is 0 in this exercise.",
        ),
    )
    if _near(mine, right):
        tall = rng.integers(-3, 4, (5, 3)).astype(float)
        wide = rng.integers(-3, 4, (3, 7)).astype(float)
        said = "how far does w reach each way?"
        expect(
            _convolves(trial, x, tall), "one_size_only", f"right for filters of 3 × 3, wrong for one of 5 × 3: {said}"
        )
        expect(_convolves(trial, x, wide), "one_width_only", f"right for filters of width 3, wrong for 3 × 7: {said}")
        expect(_convolves(trial, x[:4, 1:], tall), "one_picture_only", "right for one size of x, wrong for another.")
        return
    expect(
        not _near(mine[1:-1, 1:-1], right[1:-1, 1:-1]),
        "border",
        "inside it is right, but not at the border: how many rows of zeros stand around x?",
    )
    for step in ((1, 1), (-1, -1), (0, 1), (1, 0), (0, -1), (-1, 0)):
        expect(
            not _near(np.roll(mine, step, (0, 1))[1:-1, 1:-1], right[1:-1, 1:-1]),
            "shifted",
            "the numbers are right but shifted: p and q are counted from the middle of w.",
        )
    i, k = worst_place(mine, right)
    raise Mistake("wrong_values", f"z[{i}, {k}] should be {right[i, k]:.0f}, yours is {mine[i, k]:.8g}.")


def _convolves(trial, x, w):
    """Whether the answer is right for these, too; shapes that do not fit tell that it is not."""
    try:
        value = trial.ask(x, w)
    except (ValueError, IndexError):
        return False
    return shape_of(value) == x.shape and _near(array_like(value, x.shape, "z"), convolve(x, w, "zero"))


def _shifted(x, w, turn=1):
    """Shifted pictures, each times its weight; turn = −1 is the correlation."""
    reach = [size // 2 for size in w.shape]
    wide = np.pad(x, [(r, r) for r in reach])
    shifts = [(turn * (j - reach[0]), turn * (m - reach[1])) for j, m in np.ndindex(*w.shape)]
    parts = (weight * np.roll(wide, shift, (0, 1)) for weight, shift in zip(w.ravel(), shifts, strict=True))
    return sum(parts)[reach[0] : -reach[0], reach[1] : -reach[1]]


def _for_three_by_three(x, w):
    wide, (rows, columns) = np.pad(x, 1), x.shape
    return sum(w[j, m] * wide[2 - j :, 2 - m :][:rows, :columns] for j in range(3) for m in range(3))


def _one_row_of_zeros(x, w):
    (a, b), (rows, columns), outside = w.shape, x.shape, np.pad(x, 1)
    pictures = {(j, m): outside[a - 1 - j :, b - 1 - m :][:rows, :columns] for j in range(a) for m in range(b)}
    return sum(w[place] * picture for place, picture in pictures.items())


def _whole(x, w):
    """The sums at every place that w reaches, which are more than x has."""
    return convolve(np.pad(x, [(size // 2, size // 2) for size in w.shape]), w, "zero")


def _from(row, column):
    """An answer that cuts what is asked for out of the whole; from (1, 1) it would be right for 3 × 3."""
    return lambda x, w: _whole(x, w)[row : row + len(x), column : column + x.shape[1]]


def _three_columns(x, w):
    """Zeros for the height of the filter above and below, but only one column of them at each side."""
    (a, _), (rows, columns), outside = w.shape, x.shape, np.pad(x, ((len(w) // 2,) * 2, (1, 1)))
    return sum(w[j, m] * outside[a - 1 - j :, 2 - m :][:rows, :columns] for j in range(a) for m in range(3))


by_weights.right = _shifted
by_weights.wrong = {
    "no_border": lambda x, w: convolve(x, w, "zero")[1:-1, 1:-1],
    "too_much_border": _whole,
    "transposed": lambda x, w: convolve(x, w, "zero").T,
    "correlation": [lambda x, w: correlate(x, w, "zero"), lambda x, w: _shifted(x, w, -1)],
    "rows_only": lambda x, w: correlate(x, w[::-1], "zero"),
    "columns_only": lambda x, w: correlate(x, w[:, ::-1], "zero"),
    "quarter_turn": [lambda x, w: convolve(x, w.T, "zero"), lambda x, w: correlate(x, np.rot90(w), "zero")],
    "other_border": [lambda x, w: convolve(x, w), lambda x, w: convolve(x, w, "wrap")],
    "one_size_only": [_for_three_by_three, _one_row_of_zeros],
    "one_width_only": _three_columns,
    "one_picture_only": lambda x, w: np.resize(convolve(x, w, "zero"), (5, 7)),
    "border": lambda x, w: np.pad(convolve(x, w, "zero")[1:-1, 1:-1], 1),
    "shifted": [_from(0, 0), _from(2, 2), _from(0, 1), _from(2, 1), _from(1, 0), _from(1, 2)],
    "wrong_values": [
        lambda x, w: x,
        lambda x, w: 1.00003 * convolve(x, w, "zero"),
        lambda x, w: np.full(x.shape, np.nan),
    ],
}


@exercise("A dot from two Gaussians")
def dot(trial):
    """Wide − narrow, like the Laplacian of Gaussian, over Σ|w|."""
    for sigma, size in ((trial.changed(2.0), 21), (trial.changed(3.0), 31)):
        truth = laplacian_of_gaussian(sigma, size)
        value = trial.ask(sigma, size)
        mine = array_like(value, (size, size), "the filter")
        length = np.linalg.norm(mine)
        total = np.abs(mine).sum()
        expect(
            np.isfinite(total),
            "not_finite",
            "your filter holds something that is not a number: is something divided by 0?",
        )
        expect(length > 1e-9, "nothing", "your filter is 0 everywhere: the two Gaussians need different widths.")
        expect(
            total < 1e6,
            "divided_by_zero_sum",
            "it is divided by its sum, which is 0 up to rounding: divide by Σ|w|, the sum of np.abs.",
        )
        like = float(np.sum(mine * truth) / (length * np.linalg.norm(truth)))
        expect(like > -LIKE, "upside_down", "the sign is turned over: wide minus narrow is negative in its middle.")
        adds_up_to_zero = abs(mine.sum()) < 1e-6 * total
        if not adds_up_to_zero and like <= LIKE:
            sentence = "it does not add up to 0: take the two Gaussians as `gaussian` gives them, of one size."
            raise Mistake("no_zero_sum", sentence)
        expect(
            like > LIKE,
            "far_apart",
            f"the shape is not that of the LoG yet (cosine {like:.3f}, not above {LIKE}): bring the widths "
            "nearer to σ, one above and one below.",
        )
        expect(adds_up_to_zero, "not_quite_zero_sum", "it does not quite add up to 0.")
        expect(abs(total - 1) < 1e-6, "not_scaled", f"Σ|w| should be 1, yours is {total:.4f}: divide by it.")


def _two_gaussians(wide, narrow, scale=True):
    """An answer whose two Gaussians are this much wider than σ."""

    def answer(sigma, size):
        w = gaussian(wide * sigma, size) - gaussian(narrow * sigma, size)
        with np.errstate(invalid="ignore"):  # two Gaussians of one width
            return w / np.abs(w).sum() if scale else w

    return answer


def _over_its_sum(sigma, size):
    w = gaussian(1.1 * sigma, size) - gaussian(sigma / 1.1, size)
    return w / w.sum()


dot.right = _two_gaussians(1.1, 1 / 1.1)
dot.wrong = {
    "not_finite": _two_gaussians(1.0, 1.0),
    "nothing": _two_gaussians(1.0, 1.0, scale=False),
    "divided_by_zero_sum": _over_its_sum,
    "upside_down": _two_gaussians(1 / 1.1, 1.1),
    "no_zero_sum": lambda sigma, size: gaussian(sigma, size),
    "far_apart": [_two_gaussians(3.0, 1.0), _two_gaussians(1.0, 0.3)],
    "not_quite_zero_sum": lambda sigma, size: _two_gaussians(1.1, 1 / 1.1)(sigma, size) + 1e-5,
    "not_scaled": _two_gaussians(1.1, 1 / 1.1, scale=False),
}
dot.scenes = {
    "upside_down": (filter_lab, "Dark dots"),
}


def _line(angle, size=15):
    """A picture of one line through the middle, one pixel wide."""
    x = np.zeros((size, size))
    t = np.arange(size)
    middle = np.full(size, size // 2)
    rows, columns = {0: (middle, t), 90: (t, middle), 135: (t, t), 45: (t[::-1], t)}[angle]
    x[rows, columns] = 1
    return x


@exercise("Only lines at 45°")
def only_45(trial):
    """A 3 × 3 filter that is 0 on every pixel around lines at 0°, 90° and 135°, and not around one at 45°."""
    value = trial.ask()
    w = array_like(value, (3, 3), "the filter")
    expect(np.isfinite(w).all(), "not_finite", "nine plain numbers are wanted.")
    scale = np.abs(w).max()
    expect(scale > 0, "nothing", "a filter of zeros answers to nothing at all.")
    z = {angle: convolve(_line(angle), w / scale)[3:-3, 3:-3] for angle in (0, 45, 90, 135)}
    expect(abs(w.sum()) < 1e-9 * scale, "even", "even places get an answer too: the nine weights must add up to 0.")
    most = {angle: np.abs(picture).max() for angle, picture in z.items()}
    small = 1e-9
    expect(
        not (most[45] < small and most[135] > small),
        "other_diagonal",
        "it answers to 135°, not to 45°: row 0 is on top, so 45° goes through the lower left corner.",
    )
    expect(most[45] > small, "no_answer", "lines at 45° get no answer, neither on the line nor beside it.")

    def said(angle):
        middle = np.abs(convolve(_line(angle), w / scale)[7, 7])
        beside = "on it." if middle > small else "beside it; what of the pixels next to a line?"
        return f"a line at {angle}° still gets {most[angle]:.2f} of the largest weight, {beside}"

    trial.expect_none_of(
        small,
        np.less_equal,
        line_0=(most[0], said(0)),
        line_90=(most[90], said(90)),
        line_135=(most[135], said(135)),
    )


_ONLY = np.array([[1, -1, 0], [-1, 0, 1], [0, 1, -1]])
only_45.right = _ONLY
only_45.wrong = {
    "not_finite": _ONLY.astype(float) + np.nan,
    "nothing": np.zeros((3, 3)),
    "even": np.ones((3, 3)),
    "other_diagonal": np.fliplr(_ONLY),
    "no_answer": np.array([[0, 1, 0], [-1, 0, -1], [0, 1, 0]]),
    "line_0": np.array([[0, 0, 0], [-1, 0, 0], [1, 0, 0]]),
    "line_90": np.array([[0, 0, 0], [1, -2, 1], [0, 0, 0]]),
    "line_135": [np.array([[-1, -1, 2], [-1, 2, -1], [2, -1, -1]]), np.array([[1, -1, 0], [-1, 1, 0], [0, 0, 0]])],
}
only_45.scenes = {
    "other_diagonal": (filter_lab, "Wave at 135°"),
}


@exercise("Edges of every direction")
def edges(trial):
    """max |z| over the responses to several filters, at each pixel."""
    rng = trial.draws(1)
    x = rng.uniform(size=(12, 14))
    bank = [gabor(1.0, angle, wave="sine") for angle in (0, 60, 120)]
    z = np.stack([convolve(x, w) for w in bank])
    right = np.abs(z).max(axis=0)
    value = trial.ask(x, [w.copy() for w in bank])  # an answer may work in place
    trial.expect_none_of(
        shape_of(value),
        eq,
        three_answers=((3, 12, 14), "these are all responses: keep one number for each pixel."),
        over_pixels=((3,), "one number for each pixel: the maximum goes over the filters only."),
        one_number=((), "one number for each pixel: the maximum goes over the filters only."),
    )
    mine = array_like(value, (12, 14), "the answer")
    trial.expect_none_of(
        mine,
        _near,
        no_abs=(z.max(axis=0), "without | | an edge from light to dark is lost: its response is negative."),
        no_abs_from_0=(
            np.maximum(z.max(axis=0), 0),
            "without | | an edge from light to dark is lost: its response is negative, and less than 0 is never kept.",
        ),
        abs_after=(np.abs(z.max(axis=0)), "take | | before the maximum: −3 is a stronger answer than 1."),
        sum=(np.abs(z).sum(axis=0), "this is the sum of the sizes, but you need the largest of them."),
        mean=(np.abs(z).mean(axis=0), "this is the mean of the sizes, but you need the largest of them."),
        abs_of_sum=(np.abs(z.sum(axis=0)), "added first, the signs cancel: take | | of each response."),
        abs_of_mean=(np.abs(z.mean(axis=0)), "averaged first, the signs cancel: take | | of each response."),
        energy=(np.sqrt((z**2).sum(axis=0)), "the root of the squares answers another question. You need max |z|."),
        squared=((z**2).max(axis=0), "these are the squares of the right numbers: take | |."),
        which=(np.abs(z).argmax(axis=0), "this says which filter answers most, but you need how much it answers."),
        which_without_abs=(z.argmax(axis=0), "this says which filter answers most, but you need how much it answers."),
        sign_kept=(
            np.where(z.max(axis=0) > -z.min(axis=0), z.max(axis=0), z.min(axis=0)),
            "these are the strongest answers with their signs, but you need their sizes, | |.",
        ),
        smallest=(np.abs(z).min(axis=0), "this is the smallest answer, but you need the largest."),
        first_only=(np.abs(z[0]), "this is the answer of the first filter alone."),
        last_only=(np.abs(z[-1]), "this is the answer of the last filter alone: keep the larger of old and new."),
        other_border=(
            np.abs([convolve(x, w, "zero") for w in bank]).max(axis=0),
            "right but at the border: take `convolve` as it is, with the mirror outside.",
        ),
    )
    turned_over = np.abs([correlate(x, w) for w in bank]).max(axis=0)
    if not _near(mine, right) and not _near(mine, turned_over):
        i, k = worst_place(mine, right)
        raise Mistake("wrong_values", f"at pixel [{i}, {k}] it should be {right[i, k]:.6f}, yours is {mine[i, k]:.6f}.")
    four = [*bank, gabor(1.0, 30)]
    x = x[:9].T
    value = array_like(trial.ask(x, [w.copy() for w in four]), x.shape, "for another picture the answer")
    expect(
        _near(value, np.abs([convolve(x, w) for w in four]).max(axis=0)),
        "three_filters_only",
        "right for three filters, wrong for four: ask each filter of the bank, however many there are.",
    )


def _from_zero(x, bank):
    z = np.zeros(x.shape)
    for w in bank:
        z = np.maximum(z, convolve(x, w))
    return z


def _of_three(x, bank):
    return np.abs([convolve(x, bank[i]) for i in range(3)]).max(axis=0)


def _responses(x, bank):
    return np.stack([convolve(x, w) for w in bank])


def _signed_strongest(x, bank):
    z = _responses(x, bank)
    return np.take_along_axis(z, np.abs(z).argmax(axis=0)[None], axis=0)[0]


edges.right = lambda x, bank: np.abs(_responses(x, bank)).max(axis=0)
edges.wrong = {
    "three_answers": _responses,
    "over_pixels": lambda x, bank: np.abs(_responses(x, bank)).max(axis=(1, 2)),
    "one_number": lambda x, bank: np.abs(_responses(x, bank)).max(),
    "no_abs": lambda x, bank: _responses(x, bank).max(axis=0),
    "no_abs_from_0": _from_zero,
    "abs_after": lambda x, bank: np.abs(_responses(x, bank).max(axis=0)),
    "sum": lambda x, bank: np.abs(_responses(x, bank)).sum(axis=0),
    "mean": lambda x, bank: np.abs(_responses(x, bank)).mean(axis=0),
    "abs_of_sum": lambda x, bank: np.abs(_responses(x, bank).sum(axis=0)),
    "abs_of_mean": lambda x, bank: np.abs(convolve(x, np.mean(bank, axis=0))),
    "energy": lambda x, bank: np.sqrt((_responses(x, bank) ** 2).sum(axis=0)),
    "squared": lambda x, bank: (_responses(x, bank) ** 2).max(axis=0),
    "which": lambda x, bank: np.abs(_responses(x, bank)).argmax(axis=0),
    "which_without_abs": lambda x, bank: _responses(x, bank).argmax(axis=0),
    "sign_kept": _signed_strongest,
    "smallest": lambda x, bank: np.abs(_responses(x, bank)).min(axis=0),
    "first_only": lambda x, bank: np.abs(convolve(x, bank[0])),
    "last_only": lambda x, bank: np.abs(convolve(x, bank[-1])),
    "other_border": lambda x, bank: np.abs([convolve(x, w, "zero") for w in bank]).max(axis=0),
    "wrong_values": [
        lambda x, bank: np.abs(_responses(x, bank)).max(axis=0).round(4),
        lambda x, bank: x,
        lambda x, bank: np.abs([convolve(x, w.T) for w in bank]).max(axis=0),
    ],
    "three_filters_only": _of_three,
}
edges.scenes = {
    "no_abs": (filter_lab, "Half is lost"),
}


def _votes(degrees, weight, bins):
    which = np.floor(degrees % 360 / (360 / bins)).astype(int)
    return np.bincount(which.ravel(), weight.ravel(), minlength=bins)


def _no_other_votes(trial, mine, length, angle, bins):
    """Histograms that are not asked for meet their sentence."""
    counted = partial(_votes, weight=length, bins=bins)
    truth = counted(angle)
    ones = np.ones_like(length)
    right, up = _slopes(length, angle)
    half = np.degrees(np.arctan(up / right))
    trial.expect_none_of(
        mine,
        _near,
        counts=(counted(angle, weight=ones), "each pixel votes with the length of its gradient, not with 1."),
        squares=(counted(angle, weight=length**2), "each pixel votes with the length of its gradient, not its square."),
        sum_of_slopes=(
            counted(angle, weight=np.abs(right) + np.abs(up)),
            "the length of a gradient is the root of right² + up², not |right| + |up|.",
        ),
        shares=(truth / truth.sum(), "these are shares, but you need the sums of the lengths."),
        normalised=(
            truth / np.linalg.norm(truth),
            "the histogram is not yet divided by its length here: you need the sums.",
        ),
        swapped=(counted(90 - angle), "arctan2 takes the vertical slope first: np.arctan2(up, right)."),
        down=(
            counted(-angle),
            "your bins go round clockwise; they go counter-clockwise. The second slope goes upwards already: do not "
            "turn its sign over.",
        ),
        half_circle=(counted(half), "arctan knows only half a circle; np.arctan2(up, right) knows all of it."),
        half_circle_modulo=(
            counted(half % 180),
            "your angles cover only half a circle, but np.arctan2(up, right) and % 360 know all of it.",
        ),
        lower_half_lost=(
            np.where(np.arange(bins) < bins // 2, truth, 0),
            "the lower half of the circle is lost, because arctan2 gives −180° to 180°: take it % 360.",
        ),
        from_minus_180=(counted(angle + 180), "bin 0 starts at 0°; arctan2 gives −180° to 180°: take it % 360."),
        radians=(counted(np.arctan2(up, right)), "np.arctan2 gives radians: np.degrees turns them into degrees."),
        radians_modulo=(counted(np.radians(angle)), "np.arctan2 gives radians: np.degrees makes degrees of them."),
        orientation_only=(counted(2 * angle), "up and down are two directions here: take angles % 360, not % 180."),
        no_range=(
            np.histogram(angle, bins, weights=length)[0],
            "np.histogram spreads its bins over the angles it meets: say range=(0, 360).",
        ),
        means=(truth / np.maximum(counted(angle, weight=ones), 1), "these are mean lengths, but you need the sums."),
        rounded=(counted(angle + 22.5), "bin 0 goes from 0° to 45°: round down, not to the nearest."),
    )


def _slopes(length, angle):
    return length * np.cos(np.radians(angle)), length * np.sin(np.radians(angle))


@exercise("The votes of a window")
def histogram(trial):
    """Σ lengths of the gradients whose direction is in each bin [o, o + 1) · 360°/bins."""
    rng = trial.draws(2)
    bins = 8
    length = rng.uniform(0.2, 2, (6, 5))
    angle = rng.uniform(3, 42, (6, 5)) + 45 * rng.integers(0, bins, (6, 5))
    right, up = _slopes(length, angle)
    value = trial.ask(right, up, bins)
    expect(
        not (isinstance(value, tuple) and len(value) == 2),
        "with_edges",
        "two things are returned: np.histogram gives the sums and the edges of the bins; wanted are the sums, [0].",
    )
    expect(shape_of(value) != (6, 5), "not_counted", "one number for each bin, not for each pixel: add up the votes.")
    mine = array_like(value, (bins,), "the histogram")

    truth = _votes(angle, length, bins)
    _no_other_votes(trial, mine, length, angle, bins)
    if not _near(mine, truth):
        (o,) = worst_place(mine, truth)
        raise Mistake("wrong_votes", f"bin {o} should hold {truth[o]:.6f}, yours {mine[o]:.6f}.")
    other = array_like(trial.ask(right, up, 6), (6,), "for 6 bins the histogram")
    expect(
        _near(other, _votes(angle, length, 6)),
        "eight_bins_only",
        "right for 8 bins, wrong for 6: a bin is 360°/bins wide.",
    )
    turned = array_like(trial.ask(-up[:4], right[:4], 11), (11,), "for 11 bins the histogram")
    sentence = "right for one window and 8 or 6 bins, wrong for another window and 11 bins: use what comes in."
    expect(_near(turned, _votes(angle[:4] + 90, length[:4], 11)), "other_window", sentence)


def _degrees(up, right):
    return np.degrees(np.arctan2(up, right))


def _counted(right, up, bins, turn=_degrees, weight=np.hypot):
    """An answer of the last exercise with its two parts, turn(up, right) and weight(right, up)."""
    return _votes(turn(up, right), weight(right, up), bins)


def _whole_degrees(right, up, bins):
    """A bin of whole degrees: 32 where there are 11 bins."""
    which = (_degrees(up, right) % 360 // (360 // bins)).astype(int) % bins
    return np.bincount(which.ravel(), np.hypot(right, up).ravel(), minlength=bins)


histogram.right = _counted
histogram.wrong = {
    "with_edges": lambda r, u, b: np.histogram(_degrees(u, r) % 360, b, (0, 360)),
    "not_counted": lambda r, u, b: np.hypot(r, u),
    "counts": lambda r, u, b: _counted(r, u, b, weight=lambda r, u: np.ones_like(r)),
    "squares": lambda r, u, b: _counted(r, u, b, weight=lambda r, u: r**2 + u**2),
    "sum_of_slopes": lambda r, u, b: _counted(r, u, b, weight=lambda r, u: abs(r) + abs(u)),
    "shares": lambda r, u, b: _counted(r, u, b) / _counted(r, u, b).sum(),
    "normalised": lambda r, u, b: _counted(r, u, b) / np.linalg.norm(_counted(r, u, b)),
    "swapped": lambda r, u, b: _counted(u, r, b),
    "down": [lambda r, u, b: _counted(r, -u, b), lambda r, u, b: _counted(r, u, b)[::-1]],
    "half_circle": lambda r, u, b: _counted(r, u, b, turn=lambda u, r: np.degrees(np.arctan(u / r))),
    "half_circle_modulo": lambda r, u, b: _counted(r, u, b, turn=lambda u, r: _degrees(u, r) % 180),
    "lower_half_lost": lambda r, u, b: np.histogram(_degrees(u, r), b, (0, 360), weights=np.hypot(r, u))[0],
    "from_minus_180": [
        lambda r, u, b: np.histogram(_degrees(u, r), b, weights=np.hypot(r, u))[0],
        lambda r, u, b: _counted(-r, -u, b),
    ],
    "radians": lambda r, u, b: _counted(r, u, b, turn=np.arctan2),
    "radians_modulo": lambda r, u, b: _counted(r, u, b, turn=lambda u, r: np.arctan2(u, r) % (2 * np.pi)),
    "orientation_only": lambda r, u, b: _counted(r, u, b, turn=lambda u, r: 2 * _degrees(u, r)),
    "no_range": lambda r, u, b: np.histogram(_degrees(u, r) % 360, b, weights=np.hypot(r, u))[0],
    "means": lambda r, u, b: _counted(r, u, b) / _counted(r, u, b, weight=lambda r, u: r**0),
    "rounded": lambda r, u, b: _counted(r, u, b, turn=lambda u, r: _degrees(u, r) + 180 / b),
    "wrong_votes": [
        lambda r, u, b: np.where(np.arange(b) == 5, np.nan, _counted(r, u, b)),
        lambda r, u, b: np.roll(_counted(r, u, b), 1),
    ],
    "eight_bins_only": lambda r, u, b: _counted(r, u, 8)[:b],
    "other_window": _whole_degrees,
}
histogram.scenes = {
    "half_circle": (orientations, "Stripes"),
    "down": (orientations, "An upright edge"),
}


summary = summary_of(by_weights, dot, only_45, deeper=(edges, histogram))
