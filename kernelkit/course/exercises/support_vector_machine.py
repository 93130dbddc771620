"""Checks of the exercises of notebook 07."""

import warnings
from itertools import combinations
from operator import eq

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial
from kernelkit.course.exercises.base import (
    Mistake,
    ask,
    changed,
    draws,
    exercise,
    expect,
    expect_none_of,
    number,
    reached,
    reordered,
    shape_of,
    size,
    summary_of,
)
from kernelkit.course.explorers.support_vector_machine import boundary


@exercise("The price of a line")
def price(answer):
    """½‖w‖² + C Σ max(0, 1 − y_i h(X_i))."""
    X = changed(np.array([[2.0, 1.0], [0.5, 0.0], [0.25, 0.0], [-0.5, -0.5], [9.0, 0.0]]))
    y = np.array([1, 1, -1, -1, 1])
    w = changed(np.array([1.0, -0.5]))
    b = changed(0.3)
    C = changed(3.0)
    mine = number(ask(answer, w, b, X, y, C))
    slack = 1 - y * (X @ w + b)
    size = w @ w / 2
    hinge = np.maximum(0, slack).sum()
    bare = np.maximum(0, 1 - y * (X @ w)).sum()
    right = size + C * hinge
    expect_none_of(
        mine,
        np.isclose,
        no_max=(size + C * slack.sum(), "max(0, …) is missing: a point far on its side pays nothing."),
        no_size=(C * hinge, "the first term, ½‖w‖², is missing: without it the widest margin is not preferred."),
        no_hinge=(size, "the hinges are missing: C times the sum of max(0, 1 − y h), with a maximum for each point."),
        no_half=(2 * size + C * hinge, "½ is missing: the first term is ½‖w‖²."),
        length_not_squared=(np.sqrt(2 * size) / 2 + C * hinge, "you took ‖w‖/2; the first term is ½‖w‖², squared."),
        no_C=(size + hinge, "the price C is missing in front of the sum."),
        mean_for_sum=(size + C * hinge / len(y), "that is the mean of the hinges; here they are summed."),
        no_offset=(size + C * bare, "h(x) = wᵀx + b: your h lacks the offset b."),
        offset_penalised=(size + b**2 / 2 + C * hinge, "the offset b is not penalised, only w is."),
        mistakes_counted=(
            size + C * np.sum(slack > 1),
            "you counted mistakes; the hinge also charges points near the line.",
        ),
        perceptron_loss=(
            size + C * np.maximum(0, slack - 1).sum(),
            "max(0, −y h) is the perceptron's loss; the hinge starts at the margin, y h = 1.",
        ),
        no_label=(
            size + C * np.maximum(0, 1 - X @ w - b).sum(),
            "the label is missing: a point's hinge is max(0, 1 − y h), so that class −1 wants h ≤ −1.",
        ),
        squared_hinge=(
            size + C * np.sum(np.maximum(0, slack) ** 2),
            "you squared the hinges; here each counts as it is.",
        ),
        C_on_the_size=(C * size + hinge, "C is on the wrong term, because it is the price of the hinges, not of ‖w‖²."),
    )
    expect(np.isclose(mine, right), "wrong_price", f"the price should be {right:.4f} here, yours is {mine:.4f}.")
    rng = draws(7)
    X = rng.standard_normal((6, 3))
    y = np.array([-1, 1, 1, -1, -1, 1])
    w = rng.standard_normal(3)
    again = number(ask(answer, w, -0.4, X, y, 0.5))
    right = w @ w / 2 + 0.5 * np.maximum(0, 1 - y * (X @ w - 0.4)).sum()
    sentence = f"for 6 points with 3 inputs, b = −0.4 and C = 0.5 it should be {right:.4f}, yours is {again:.4f}."
    expect(np.isclose(again, right), "other_numbers", f"right for the first line only: {sentence}")


@exercise("Is it solved?")
def broken(answer):
    """y h < 1 − 0.001 and α < C, or y h > 1 + 0.001 and α > 0: these points break the KKT conditions."""
    y = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, -1, 1, -1, 1])
    C = 2.0
    alpha = np.array([0, 0, 0.7, 0.7, 0.7, C, C, C, C, 0, C, 0, 0, 0.3, 0.7, 0.7])
    margin = np.array([1.5, 0.4, 1.0, 0.6, 1.4, 0.2, -0.5, 1.3, 1.0004, 0.9996, 1.0, 1.0, 2.5, 1.2, 1.0015, 0.9985])
    order = reordered(np.arange(len(y)))
    y, alpha, margin = y[order], alpha[order], margin[order]
    mine = _flags(ask(answer, margin * y, y, alpha, C), len(y))

    right = (margin < 1 - 0.001) & (alpha < C) | (margin > 1 + 0.001) & (alpha > 0)

    def rule(m=margin, tol=0.001, below=alpha < C, above=alpha > 0):  # what is right, but for what is handed in
        return (m < 1 - tol) & below | (m > 1 + tol) & above

    zero = alpha == 0
    full = alpha == C
    expect_none_of(
        mine,
        np.array_equal,
        no_label=(rule(margin * y), "you compared h itself; class −1 is beyond its margin at h ≤ −1: take y h."),
        kept_for_broken=(~right, "these are the points that keep the conditions; the others are asked for."),
        no_tolerance=(rule(tol=0), "you allow no rounding: only what is off by more than 0.001 counts."),
        wide_tolerance=(
            rule(tol=0.01),
            "you allow too much rounding: what is off by 0.0015 is off by more than 0.001.",
        ),
        inside_is_broken=(
            rule(below=True),
            "a point inside its margin breaks no condition if it pays the full price, α = C.",
        ),
        beyond_is_broken=(rule(above=True), "a point beyond its margin breaks no condition if it pays nothing, α = 0."),
        inside_or_beyond=(
            rule(below=True, above=True),
            "you did not look at the multipliers: inside is right for α = C, beyond for α = 0.",
        ),
        free_forgotten=(
            rule(below=zero, above=full),
            "a point with 0 < α < C must stand exactly on its margin; you looked at α = 0 and α = C only.",
        ),
        too_small_only=(rule(above=False), "a multiplier can be too large as well: beyond its margin α must be 0."),
        too_large_only=(rule(below=False), "a multiplier can be too small as well: inside its margin α must be C."),
        mistakes_counted=(
            margin < 0,
            "these are the points on the wrong side, but with α = C they break no condition.",
        ),
    )
    wrong = np.flatnonzero(mine != right)
    if len(wrong):
        i = wrong[0]
        does = "breaks" if right[i] else "keeps"
        sentence = f"not yet: with α = {alpha[i]:g} of C = 2 and y h = {margin[i]:g} a point {does} the conditions."
        raise Mistake("wrong_points", sentence)
    C = 0.5
    alpha = np.array([C, 0.45, 0.45, 0, C, 0.45, 0])
    margin = np.array([0.3, 0.3, 1.7, 0.3, 1.7, 1.0, 1.7])
    again = _flags(ask(answer, -margin, -np.ones(7), alpha, C), 7)
    right = np.array([False, True, True, True, True, False, False])
    sentence = "right for C = 2, wrong for C = 0.5: the full price is the C that is handed in."
    expect((again == right).all(), "other_price", sentence)


def _flags(value, n):
    """True or False for each point; 1 and 0 will do."""
    expect(
        shape_of(value) == (n,) and np.isin(value, (0, 1)).all(),
        "no_flags",
        f"give back one True or False for each of the {n} points.",
    )
    return np.asarray(value).astype(bool)


@exercise("Recover the offset")
def offset(answer):
    """b = y_i − (Ka)_i at the points on the margin, 0 < a_i y_i < C; all of them give the same b."""
    rng = np.random.default_rng(20)
    X = np.round(rng.uniform(-2, 2, (14, 2)), 1)
    y = np.where(X[:, 0] + 0.8 * rng.standard_normal(14) > 0, 1.0, -1.0)
    C = 0.8
    few = X[:9], -y[:9]
    order = reordered(np.arange(14))
    X, y = X[order], y[order]
    svm = KernelSVM(Gaussian(1.5), C, tol=1e-10).fit(X, y)
    _judge_offset(answer, svm.kernel(X), y, svm.a_, C)  # all points on the margin are of class −1
    _judge_offset(answer, svm.kernel(X), -y, -svm.a_, C)
    C = 0.2
    svm = KernelSVM(Polynomial(2), C, tol=1e-10).fit(*few)
    again = number(ask(answer, svm.kernel(few[0]), few[1], svm.a_, C))
    sentence = f"for 9 points and C = 0.2 it should be {svm.b_:.4f}, yours is {again:.4f}."
    expect(np.isclose(again, svm.b_, atol=1e-5), "other_numbers", f"right for 14 points and C = 0.8, but {sentence}")


def _judge_offset(answer, K, y, a, C):
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the mean of no point
        mine = number(ask(answer, K, y, a, C))
    r = y - K @ a
    multipliers = a * y
    free = (multipliers > 0) & (multipliers < C)
    right = r[free].mean()
    expect(
        np.isfinite(mine),
        "weights_for_multipliers",
        "you chose no point at all: the multipliers are a·y. The weights a of class −1 are negative.",
    )
    expect_none_of(
        mine,
        np.isclose,
        all_points=(r.mean(), "you took the mean over all points; only those with 0 < α < C have y h = 1."),
        all_support_vectors=(
            r[multipliers > 0].mean(),
            "you took all support vectors; those with α = C stand inside the margin, where y h is not 1.",
        ),
        without_multiplier=(
            r[multipliers < C].mean(),
            "points with α = 0 are beyond their margin, where y h is not 1; ask for α > 0 as well.",
        ),
        sum_for_mean=(r[free].sum(), "that is the sum over the points on the margin; each of them gives b itself."),
        sign_turned=(-right, "the sign is turned: y_i = (Ka)_i + b gives b = y_i − (Ka)_i."),
        outputs_not_subtracted=(y[free].mean(), "you did not subtract (Ka)_i."),
    )
    one_for_label = (1 - K @ a)[free].mean()
    if np.isclose(mine, one_for_label) and y[free][0] != 1:
        raise Mistake("one_for_label", "y h = 1 means h = 1/y = y; you wrote 1 for every class.")
    expect(np.isclose(mine, right, atol=1e-5), "wrong_b", f"b should be {right:.4f}, yours is {mine:.4f}.")


LOWER = np.array([0.0, -1.0, -1.0])
UPPER = np.array([1.0, 0.0, 0.0])
PAIRS = {  # the weights a and their box; the pair is i = 0 and j = 2, and the step is free, or clipped at i or at j
    "free": ([0.1, -0.9, -0.2], LOWER, UPPER),
    "i": ([0.9, -0.9, -0.2], LOWER, UPPER),
    "j": ([0.1, -0.9, -0.97], LOWER, UPPER),
    "other classes": ([-0.1, -0.9, 0.05], np.array([-1.5, -1.5, 0.0]), np.array([0.0, 0.0, 1.5])),
}


@exercise("The clip")
def smo_step(answer):
    """min((r_i − r_j)/ρ², U_i − a_i, a_j − L_j) with ρ² = K_ii + K_jj − 2K_ij."""
    K = Linear()(np.array([[1.0, 0.5], [0.0, 2.0], [1.0, -1.5]]))
    r = np.array([1.0, 0.0, 0.4])
    i = 0
    j = 2
    gap = r[i] - r[j]
    bend = K[i, i] + K[j, j] - 2 * K[i, j]
    for clipped_at, (a, lower, upper) in PAIRS.items():
        mine = number(ask(answer, K, r, np.array(a), lower, upper, i, j))
        grow = upper[i] - a[i]
        shrink = a[j] - lower[j]
        right = min(gap / bend, grow, shrink)
        if clipped_at == "free":
            expect_none_of(
                mine,
                np.isclose,
                plus_in_eta=(
                    gap / (K[i, i] + K[j, j] + 2 * K[i, j]),
                    "ρ² = k_ii + k_jj − 2k_ij, with a minus: i grows while j shrinks.",
                ),
                no_cross_term_in_eta=(gap / (K[i, i] + K[j, j]), "ρ² lacks −2k_ij: the points pull on each other."),
                half_cross_term_in_eta=(gap / (bend + K[i, j]), "ρ² = k_ii + k_jj − 2k_ij; you subtracted k_ij once."),
                ones_on_the_diagonal=(
                    gap / (2 - 2 * K[i, j]),
                    "k(x, x) is 1 for some kernels only: ρ² has k_ii and k_jj from K.",
                ),
                root_of_eta=(gap / np.sqrt(bend), "you divided by the distance ρ; the curvature is its square, ρ²."),
                no_eta=(min(gap, grow, shrink), "you did not divide by the curvature ρ²."),
                room_only=(min(grow, shrink), "this is only the room; the step itself is (r_i − r_j)/ρ²."),
                half_step=(gap / (2 * bend), "this is half a step: the maximum of s·g − ½ρ²s² is at g/ρ²."),
                sign_turned=(-right, "the sign is turned: r_i − r_j, because a_i grows and a_j shrinks."),
            )
        elif clipped_at == "i":
            _judge_clip(mine, gap / bend, grow, shrink, upper[i], "a_i leaves its box above")
        else:
            _judge_clip(mine, gap / bend, shrink, grow, lower[j], "a_j falls below its box")
        expect(
            np.isclose(mine, right),
            "wrong_step",
            f"for a = {a} the step should be {right:.4f}, yours is {mine:.4f}.",
        )
    rng = draws(8)
    K = Gaussian(1.0)(rng.standard_normal((5, 2)))
    r = rng.standard_normal(5)
    upper = rng.uniform(0.5, 2, 5)
    lower = -rng.uniform(0.5, 2, 5)
    a = rng.uniform(lower, upper)
    for i, j in combinations(np.argsort(-r).tolist(), 2):  # r_i > r_j
        again = number(ask(answer, K, r, a, lower, upper, i, j))
        right = min((r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), upper[i] - a[i], a[j] - lower[j])
        sentence = f"for i = {i} and j = {j} of 5 points it should be {right:.4f}, yours is {again:.4f}."
        expect(np.isclose(again, right), "other_pair", f"right for i = 0 and j = 2 of 3 points, but {sentence}")


def _judge_clip(mine, step, room, other_room, bound, outside):
    """Whether the step is clipped at its room, at what is left to the bound."""
    expect_none_of(
        mine,
        np.isclose,
        not_clipped=(step, f"the step is not clipped: with it {outside}. Take the smallest of the three."),
        one_clip_missing=(min(step, other_room), f"one clip is missing: with this step {outside}."),
        clipped_at_the_bound=(min(step, bound), f"clip at what is left to the bound, here {room:.2f}."),
        room_turned=(-room, "the room is turned: a_j may shrink by a_j − lower_j."),
    )


@exercise("Three support vectors")
def three_support_vectors(panel):
    """The panel of the boundary: three points of each class, all right, three support vectors, all on the margin."""
    values = reached(panel, boundary)
    expect(
        values["data"] == "mine",
        "points_of_the_course",
        "these are the points of the course: choose “only my points” and place your own.",
    )
    points = np.array([point for point in values["mine"] if len(point) == 3], float).reshape(-1, 3)
    X = points[:, :2]
    y = points[:, 2]
    blue = int(np.sum(y == -1))
    orange = int(np.sum(y == 1))
    expect(
        min(blue, orange) >= 3,
        "too_few_points",
        f"you have {blue} of class −1 and {orange} of class +1; three of each are wanted at least.",
    )
    svm = KernelSVM(_kernel_of(values), values["C"], tol=1e-6).fit(X, y)
    wrong = int(np.sum(y * svm.decision_function(X) <= 0))
    m = len(svm.support_)
    expect(
        wrong == 0,
        "points_wrong",
        f"{wrong} of your {len(y)} points on the wrong side of h = 0. Move them apart, or raise C.",
    )
    full = int(np.sum(svm.multipliers_ == svm.C))
    expect(
        full == 0,
        "full_price",
        f"{full} of your {m} support vectors pay the full price C: they may stand inside "
        "their margin. Raise C, or move the classes apart.",
    )
    expect(
        m >= 3,
        "two_only",
        "two support vectors: the nearest point of each class decides alone. Bring a second one "
        "as far to the front, beside it.",
    )
    bends = "a kernel that bends needs more points; try the linear one" if values["kernel"] != "linear" else ""
    expect(m <= 3, "too_many", f"{m} support vectors: {bends or 'move points back, away from the other class'}.")


def _kernel_of(values):
    kernels = {"gaussian": Gaussian(values["sigma"]), "polynomial": Polynomial(values["degree"]), "linear": Linear()}
    return kernels[values["kernel"]]


@exercise("Count the products")
def prediction_products(answer):
    """t · m · (d + 1) with m the number of weights that are not 0."""
    a = changed(np.array([0.0, 0.5, 0.0, -1.0, 0.0, 0.5, 0.0, -1.0, 0.0, 0.0]))
    d = size(4)
    t = size(10)
    mine = number(ask(answer, a, d, t))
    m = 4
    expect_none_of(
        mine,
        eq,
        all_n_points=(t * len(a) * (d + 1), "you counted all n points; a point with a_i = 0 needs no kernel value."),
        positive_only=(t * 2 * (d + 1), "you counted a > 0 only; the support vectors of class −1 have a < 0."),
        no_final_products=(t * m * d, "each kernel value takes d products, and you need one more for a_i · k(X_i, z)."),
        one_test_point=(m * (d + 1), "that is for one test point; there are t of them."),
        kernel_values_only=(t * m, "that is the number of kernel values; each takes d products, and one more for a_i."),
    )
    expect(
        mine == t * m * (d + 1),
        "wrong_count",
        f"for 10 weights, d = 4, t = 10 it should be {t * m * (d + 1)}, not {mine:g}.",
    )
    again = number(ask(answer, np.array([0.0, -0.25, 1.5, 0.0, -2.0, -0.25, 0.75]), 3, 2))
    expect(again == 40, "other_numbers", f"for 7 weights, two of them 0, d = 3, t = 2 it should be 40, not {again:g}.")


summary = summary_of(
    price,
    broken,
    offset,
    three_support_vectors,
    deeper=(
        smo_step,
        prediction_products,
    ),
)
