"""Checks of the exercises of notebook 07."""

import warnings
from itertools import combinations
from operator import eq

import numpy as np

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial
from kernelkit.course.exercises.base import (
    Mistake,
    challenge,
    exercise,
    expect,
    fixed,
    hard_coded,
    number,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.support_vector_machine import boundary, smo


@exercise("The price of a line")
def price(trial):
    """½‖w‖² + C Σ max(0, 1 − y_i h(X_i))."""
    X = trial.changed(np.array([[2.0, 1.0], [0.5, 0.0], [0.25, 0.0], [-0.5, -0.5], [9.0, 0.0]]))
    y = np.array([1, 1, -1, -1, 1])
    w = trial.changed(np.array([1.0, -0.5]))
    b = trial.changed(0.3)
    C = trial.changed(3.0)
    mine = number(trial.ask(w, b, X, y, C))
    slack = 1 - y * (X @ w + b)
    size = w @ w / 2
    hinge = np.maximum(0, slack).sum()
    bare = np.maximum(0, 1 - y * (X @ w)).sum()
    right = size + C * hinge
    trial.expect_none_of(
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
    rng = trial.draws(7)
    X = rng.standard_normal((6, 3))
    y = np.array([-1, 1, 1, -1, -1, 1])
    w = rng.standard_normal(3)
    again = number(trial.ask(w, -0.4, X, y, 0.5))
    right = w @ w / 2 + 0.5 * np.maximum(0, 1 - y * (X @ w - 0.4)).sum()
    sentence = f"for 6 points with 3 inputs, b = −0.4 and C = 0.5 it should be {right:.4f}, yours is {again:.4f}."
    expect(np.isclose(again, right), "other_numbers", f"right for the first line only: {sentence}")


def _price(hinge=lambda s, y: np.maximum(0, s).sum(), size=lambda w, b: w @ w / 2, b_counts=1.0, factor=None):
    """The price with another sum of the slacks, another first term, another factor of b, or of the sum."""

    def answer(w, b, X, y, C):
        slack = 1 - y * (X @ w + b_counts * b)
        return size(w, b) + (C if factor is None else factor) * hinge(slack, y)

    return answer


price.right = _price()
price.wrong = {
    "no_max": _price(lambda s, y: s.sum()),
    "no_size": _price(size=lambda w, b: 0.0),
    "no_hinge": _price(hinge=lambda s, y: 0.0),
    "no_half": _price(size=lambda w, b: w @ w),
    "length_not_squared": _price(size=lambda w, b: np.linalg.norm(w) / 2),
    "no_C": _price(factor=1.0),
    "mean_for_sum": _price(lambda s, y: np.maximum(0, s).mean()),
    "no_offset": _price(b_counts=0.0),
    "offset_penalised": _price(size=lambda w, b: (w @ w + b**2) / 2),
    "mistakes_counted": _price(lambda s, y: np.sum(s > 1)),
    "perceptron_loss": _price(lambda s, y: np.maximum(0, s - 1).sum()),
    "no_label": lambda w, b, X, y, C: w @ w / 2 + C * np.maximum(0, 1 - X @ w - b).sum(),
    "squared_hinge": _price(lambda s, y: np.sum(np.maximum(0, s) ** 2)),
    "C_on_the_size": lambda w, b, X, y, C: C * w @ w / 2 + np.maximum(0, 1 - y * (X @ w + b)).sum(),
    "wrong_price": lambda w, b, X, y, C: 3.0,
    "other_numbers": [
        hard_coded(_price()),
        fixed(_price(), 4, 3.0),
        lambda w, b, X, y, C: _price()(w[:2], b, X[:, :2], y, C),
    ],
}
price.scenes = {
    "no_C": (boundary, "C huge"),
}


@exercise("Is it solved?")
def broken(trial):
    """y h < 1 − 0.001 and α < C, or y h > 1 + 0.001 and α > 0: these points break the KKT conditions."""
    y = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, -1, 1, -1, 1])
    C = 2.0
    alpha = np.array([0, 0, 0.7, 0.7, 0.7, C, C, C, C, 0, C, 0, 0, 0.3, 0.7, 0.7])
    margin = np.array([1.5, 0.4, 1.0, 0.6, 1.4, 0.2, -0.5, 1.3, 1.0004, 0.9996, 1.0, 1.0, 2.5, 1.2, 1.0015, 0.9985])
    order = trial.reordered(np.arange(len(y)))
    y, alpha, margin = y[order], alpha[order], margin[order]
    mine = _flags(trial.ask(margin * y, y, alpha, C), len(y))

    right = (margin < 1 - 0.001) & (alpha < C) | (margin > 1 + 0.001) & (alpha > 0)

    def rule(m=margin, tol=0.001, below=alpha < C, above=alpha > 0):  # what is right, but for what is handed in
        return (m < 1 - tol) & below | (m > 1 + tol) & above

    zero = alpha == 0
    full = alpha == C
    trial.expect_none_of(
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
    again = _flags(trial.ask(-margin, -np.ones(7), alpha, C), 7)
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


def _broken(margin=lambda h, y: y * h, tol=0.001, below=lambda alpha, C: alpha < C, above=lambda alpha, C: alpha > 0):
    """The rule with another margin or tolerance, and other points that count below and above the margin."""

    def answer(h, y, alpha, C):
        m = margin(h, y)
        return (m < 1 - tol) & below(alpha, C) | (m > 1 + tol) & above(alpha, C)

    return answer


broken.right = _broken()
broken.wrong = {
    "no_flags": [lambda h, y, alpha, C: np.flatnonzero(y * h < 1), hard_coded(_broken())],
    "no_label": _broken(lambda h, y: h),
    "kept_for_broken": lambda *v: ~_broken()(*v),
    "no_tolerance": _broken(tol=0),
    "wide_tolerance": _broken(tol=0.01),
    "inside_is_broken": [_broken(below=lambda alpha, C: alpha >= 0), _broken(below=lambda alpha, C: alpha < 4)],
    "beyond_is_broken": _broken(above=lambda alpha, C: alpha >= 0),
    "inside_or_beyond": lambda h, y, alpha, C: np.abs(y * h - 1) > 0.001,
    "free_forgotten": _broken(below=lambda alpha, C: alpha == 0, above=lambda alpha, C: alpha == C),
    "too_small_only": _broken(above=lambda alpha, C: alpha < 0),
    "too_large_only": _broken(below=lambda alpha, C: alpha < 0),
    "mistakes_counted": lambda h, y, alpha, C: y * h < 0,
    "wrong_points": lambda h, y, alpha, C: y * h < 9,
    "other_price": [fixed(_broken(), 3, 2.0), _broken(below=lambda alpha, C: alpha < 0.9 * C)],
}


@exercise("Recover the offset")
def offset(trial):
    """b = y_i − (Ka)_i at the points on the margin, 0 < a_i y_i < C; all of them give the same b."""
    rng = np.random.default_rng(20)
    X = np.round(rng.uniform(-2, 2, (14, 2)), 1)
    y = np.where(X[:, 0] + 0.8 * rng.standard_normal(14) > 0, 1.0, -1.0)
    C = 0.8
    few = X[:9], -y[:9]
    order = trial.reordered(np.arange(14))
    X, y = X[order], y[order]
    svm = KernelSVM(Gaussian(1.5), C, tol=1e-10).fit(X, y)
    _judge_offset(trial, svm.kernel(X), y, svm.a_, C)  # all points on the margin are of class −1
    _judge_offset(trial, svm.kernel(X), -y, -svm.a_, C)
    C = 0.2
    svm = KernelSVM(Polynomial(2), C, tol=1e-10).fit(*few)
    again = number(trial.ask(svm.kernel(few[0]), few[1], svm.a_, C))
    sentence = f"for 9 points and C = 0.2 it should be {svm.b_:.4f}, yours is {again:.4f}."
    expect(np.isclose(again, svm.b_, atol=1e-5), "other_numbers", f"right for 14 points and C = 0.8, but {sentence}")


def _judge_offset(trial, K, y, a, C):
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the mean of no point
        mine = number(trial.ask(K, y, a, C))
    r = y - K @ a
    multipliers = a * y
    free = (multipliers > 0) & (multipliers < C)
    right = r[free].mean()
    expect(
        np.isfinite(mine),
        "weights_for_multipliers",
        "you chose no point at all: the multipliers are a·y. The weights a of class −1 are negative.",
    )
    trial.expect_none_of(
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


def _offset(free, of=lambda K, y, a: y - K @ a):
    """The mean over the points that are free, of what is left of y."""
    return lambda K, y, a, C: of(K, y, a)[free(a, y, C)].mean()


def _between(a, y, C):
    return (a * y > 0) & (a * y < C)


offset.right = _offset(_between)
offset.wrong = {
    "weights_for_multipliers": [
        _offset(lambda a, y, C: (a > 0) & (a < C)),
        _offset(lambda a, y, C: (a < 0) & (a > -C)),
    ],
    "all_points": _offset(lambda a, y, C: a == a),
    "all_support_vectors": _offset(lambda a, y, C: a != 0),
    "without_multiplier": _offset(lambda a, y, C: a * y < C),
    "sum_for_mean": lambda K, y, a, C: (y - K @ a)[_between(a, y, C)].sum(),
    "sign_turned": _offset(_between, lambda K, y, a: K @ a - y),
    "outputs_not_subtracted": _offset(_between, lambda K, y, a: y),
    "one_for_label": _offset(_between, lambda K, y, a: 1 - K @ a),
    "wrong_b": lambda K, y, a, C: 0.0,
    "other_numbers": fixed(_offset(_between), 3, 0.8),
}
offset.scenes = {
    "all_support_vectors": (boundary, "C tiny"),
}


LOWER = np.array([0.0, -1.0, -1.0])
UPPER = np.array([1.0, 0.0, 0.0])
PAIRS = {  # the weights a and their box; the pair is i = 0 and j = 2, and the step is free, or clipped at i or at j
    "free": ([0.1, -0.9, -0.2], LOWER, UPPER),
    "i": ([0.9, -0.9, -0.2], LOWER, UPPER),
    "j": ([0.1, -0.9, -0.97], LOWER, UPPER),
    "other classes": ([-0.1, -0.9, 0.05], np.array([-1.5, -1.5, 0.0]), np.array([0.0, 0.0, 1.5])),
}


@exercise("The clip")
def smo_step(trial):
    """min((r_i − r_j)/ρ², U_i − a_i, a_j − L_j) with ρ² = K_ii + K_jj − 2K_ij."""
    K = Linear()(np.array([[1.0, 0.5], [0.0, 2.0], [1.0, -1.5]]))
    r = np.array([1.0, 0.0, 0.4])
    i = 0
    j = 2
    gap = r[i] - r[j]
    bend = K[i, i] + K[j, j] - 2 * K[i, j]
    for clipped_at, (a, lower, upper) in PAIRS.items():
        mine = number(trial.ask(K, r, np.array(a), lower, upper, i, j))
        grow = upper[i] - a[i]
        shrink = a[j] - lower[j]
        right = min(gap / bend, grow, shrink)
        if clipped_at == "free":
            trial.expect_none_of(
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
            _judge_clip(trial, mine, gap / bend, grow, shrink, upper[i], "a_i leaves its box above")
        else:
            _judge_clip(trial, mine, gap / bend, shrink, grow, lower[j], "a_j falls below its box")
        expect(
            np.isclose(mine, right),
            "wrong_step",
            f"for a = {a} the step should be {right:.4f}, yours is {mine:.4f}.",
        )
    rng = trial.draws(8)
    K = Gaussian(1.0)(rng.standard_normal((5, 2)))
    r = rng.standard_normal(5)
    upper = rng.uniform(0.5, 2, 5)
    lower = -rng.uniform(0.5, 2, 5)
    a = rng.uniform(lower, upper)
    for i, j in combinations(np.argsort(-r).tolist(), 2):  # r_i > r_j
        again = number(trial.ask(K, r, a, lower, upper, i, j))
        right = min((r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), upper[i] - a[i], a[j] - lower[j])
        sentence = f"for i = {i} and j = {j} of 5 points it should be {right:.4f}, yours is {again:.4f}."
        expect(np.isclose(again, right), "other_pair", f"right for i = 0 and j = 2 of 3 points, but {sentence}")


def _judge_clip(trial, mine, step, room, other_room, bound, outside):
    """Whether the step is clipped at its room, at what is left to the bound."""
    trial.expect_none_of(
        mine,
        np.isclose,
        not_clipped=(step, f"the step is not clipped: with it {outside}. Take the smallest of the three."),
        one_clip_missing=(min(step, other_room), f"one clip is missing: with this step {outside}."),
        clipped_at_the_bound=(min(step, bound), f"clip at what is left to the bound, here {room:.2f}."),
        room_turned=(-room, "the room is turned: a_j may shrink by a_j − lower_j."),
    )


def _step(eta=lambda K, i, j: K[i, i] + K[j, j] - 2 * K[i, j], clip=lambda s, grow, shrink: min(s, grow, shrink)):
    """The step with another curvature, or clipped in another way at the room of a_i to grow and of a_j to shrink."""

    def answer(K, r, a, lower, upper, i, j):
        return clip((r[i] - r[j]) / eta(K, i, j), upper[i] - a[i], a[j] - lower[j])

    return answer


def _never_positive_at_j(K, r, a, lower, upper, i, j):
    """The step of someone who thinks that a_j is never positive: it does not move where a_j falls from 0.05 to 0."""
    return _step()(K, r, np.append(a[:j], min(a[j], 0)), lower, upper, i, j)


def _free_where_positive_at_j(K, r, a, lower, upper, i, j):
    """The step of someone who thinks that only a negative a_j can leave its box below."""
    return _step(clip=lambda s, grow, shrink: min(s, grow, shrink if a[j] < 0 else np.inf))(K, r, a, lower, upper, i, j)


smo_step.right = _step()
smo_step.wrong = {
    "plus_in_eta": _step(lambda K, i, j: K[i, i] + K[j, j] + 2 * K[i, j]),
    "no_cross_term_in_eta": _step(lambda K, i, j: K[i, i] + K[j, j]),
    "half_cross_term_in_eta": _step(lambda K, i, j: K[i, i] + K[j, j] - K[i, j]),
    "ones_on_the_diagonal": _step(lambda K, i, j: 2 - 2 * K[i, j]),
    "root_of_eta": _step(lambda K, i, j: np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])),
    "no_eta": _step(lambda K, i, j: 1.0),
    "room_only": _step(clip=lambda s, grow, shrink: min(grow, shrink)),
    "half_step": _step(lambda K, i, j: 2 * (K[i, i] + K[j, j] - 2 * K[i, j])),
    "sign_turned": _step(clip=lambda s, grow, shrink: -min(s, grow, shrink)),
    "not_clipped": [
        _step(clip=lambda s, grow, shrink: s),
        _step(clip=lambda s, grow, shrink: min(s, grow)),
        lambda K, r, a, lower, upper, i, j: _step()(K, r, a, 0 * a - 1, 0 * a + 1, i, j),
    ],
    "one_clip_missing": _free_where_positive_at_j,
    "clipped_at_the_bound": _never_positive_at_j,
    "room_turned": _step(clip=lambda s, grow, shrink: min(s, grow, -shrink) if shrink < 0.1 else min(s, grow)),
    "wrong_step": lambda K, r, a, lower, upper, i, j: 0.25,
    "other_pair": [
        fixed(_step(), 5, 0),
        lambda K, r, a, lower, upper, i, j: _step()(K, r, a, lower, 0 * a + 1, i, j),
    ],
}
smo_step.scenes = {
    "not_clipped": (smo, "A clipped step"),
    "one_clip_missing": (smo, "A clipped step"),
    "room_only": (smo, "A free step"),
}


@challenge("Three support vectors", boundary)
def three_support_vectors(panel):
    """The panel of the boundary: three points of each class, all right, three support vectors, all on the margin."""
    values = panel.values
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


_BACK = ((0.0, -1.0, -1), (-1.0, 2.5, 1), (1.0, 2.5, 1))
_FRONT = ((-1.0, 0.5, -1), (1.0, 0.5, -1), (0.0, 1.5, 1))
_LINE = {"data": "mine", "kernel": "linear", "C": 1000.0}

three_support_vectors.right = _LINE | {"mine": _FRONT + _BACK}
three_support_vectors.wrong = {
    "points_of_the_course": {"C": 10.0},
    "too_few_points": [_LINE, _LINE | {"mine": _FRONT + _BACK[:1]}],
    "points_wrong": _LINE | {"mine": (*_FRONT, *_BACK, (0.0, 2.4, -1))},
    "full_price": _LINE | {"mine": _FRONT + _BACK, "C": 0.1},
    "two_only": _LINE | {"mine": ((0.0, 0.5, -1), (0.0, 1.5, 1), (1.0, 0.2, -1), (-1.0, 2.0, 1), *_BACK)},
    "too_many": _LINE | {"mine": _FRONT + _BACK, "kernel": "gaussian", "sigma": 0.3},
}


@exercise("Count the products")
def prediction_products(trial):
    """t · m · (d + 1) with m the number of weights that are not 0."""
    a = trial.changed(np.array([0.0, 0.5, 0.0, -1.0, 0.0, 0.5, 0.0, -1.0, 0.0, 0.0]))
    d = trial.size(4)
    t = trial.size(10)
    mine = number(trial.ask(a, d, t))
    m = 4
    trial.expect_none_of(
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
    again = number(trial.ask(np.array([0.0, -0.25, 1.5, 0.0, -2.0, -0.25, 0.75]), 3, 2))
    expect(again == 40, "other_numbers", f"for 7 weights, two of them 0, d = 3, t = 2 it should be 40, not {again:g}.")


def _products(a, d, t):
    return t * np.count_nonzero(a) * (d + 1)


prediction_products.right = _products
prediction_products.wrong = {
    "all_n_points": lambda a, d, t: t * len(a) * (d + 1),
    "positive_only": lambda a, d, t: t * (a > 0).sum() * (d + 1),
    "no_final_products": lambda a, d, t: t * np.count_nonzero(a) * d,
    "one_test_point": lambda a, d, t: np.count_nonzero(a) * (d + 1),
    "kernel_values_only": lambda a, d, t: t * np.count_nonzero(a),
    "wrong_count": lambda a, d, t: t * len(np.unique(a)) * (d + 1),
    "other_numbers": [fixed(_products, 1, 4), hard_coded(_products)],
}


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
