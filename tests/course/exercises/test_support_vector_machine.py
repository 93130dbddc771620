"""Typical wrong answers of notebook 07, each with the message it meets."""

import numpy as np
from course.exercises.answers import (
    accepted,
    fixed,
    hard_coded,
    judged,
    refused,
    refuses_others,
    unanswered,
    unmet_by_scenes,
)

from kernelkit.course.exercises import support_vector_machine as check
from kernelkit.course.explorers import support_vector_machine as explore


def price(hinge=lambda s, y: np.maximum(0, s).sum(), size=lambda w, b: w @ w / 2, b_counts=1.0, factor=None):
    def answer(w, b, X, y, C):
        slack = 1 - y * (X @ w + b_counts * b)
        return size(w, b) + (C if factor is None else factor) * hinge(slack, y)

    return answer


def offset(free, of=lambda K, y, a: y - K @ a):
    return lambda K, y, a, C: of(K, y, a)[free(a, y, C)].mean()


def step(eta=lambda K, i, j: K[i, i] + K[j, j] - 2 * K[i, j], clip=lambda s, grow, shrink: min(s, grow, shrink)):
    def answer(K, r, a, lower, upper, i, j):
        return clip((r[i] - r[j]) / eta(K, i, j), upper[i] - a[i], a[j] - lower[j])

    return answer


def for_negative_at_j(K, r, a, lower, upper, i, j):
    """The step of someone who thinks that a_j is never positive: it does not move where a_j falls from 0.05 to 0."""
    rho_squared = K[i, i] + K[j, j] - 2 * K[i, j]
    return min((r[i] - r[j]) / rho_squared, upper[i] - a[i], min(a[j], 0) - lower[j])


def broken(margin=lambda h, y: y * h, tol=0.001, below=lambda alpha, C: alpha < C, above=lambda alpha, C: alpha > 0):
    def answer(h, y, alpha, C):
        m = margin(h, y)
        return (m < 1 - tol) & below(alpha, C) | (m > 1 + tol) & above(alpha, C)

    return answer


def between(a, y, C):
    return (a * y > 0) & (a * y < C)


WRONG = [
    (check.price, price(lambda s, y: s.sum()), "max(0, …) is missing"),
    (check.price, price(size=lambda w, b: w @ w), "½ is missing"),
    (check.price, price(size=lambda w, b: np.linalg.norm(w) / 2), "squared"),
    (check.price, price(factor=1.0), "price C is missing"),
    (check.price, price(lambda s, y: np.maximum(0, s).mean()), "the mean of the hinges"),
    (check.price, price(b_counts=0.0), "lacks the offset"),
    (check.price, price(size=lambda w, b: (w @ w + b**2) / 2), "b is not penalised"),
    (check.price, price(lambda s, y: np.sum(s > 1)), "counted mistakes"),
    (check.price, price(lambda s, y: np.maximum(0, s - 1).sum()), "the perceptron's loss"),
    (check.price, lambda w, b, X, y, C: w @ w / 2 + C * np.maximum(0, 1 - X @ w - b).sum(), "the label is missing"),
    (check.price, price(lambda s, y: np.sum(np.maximum(0, s) ** 2)), "you squared the hinges"),
    (check.price, lambda w, b, X, y, C: C * w @ w / 2 + np.maximum(0, 1 - y * (X @ w + b)).sum(), "on the wrong term"),
    (check.price, lambda w, b, X, y, C: 3.0, "the price should be"),
    (check.broken, broken(lambda h, y: h), "you compared h itself"),
    (check.broken, lambda *v: ~broken()(*v), "that keep the conditions"),
    (check.broken, broken(tol=0), "no rounding"),
    (check.broken, broken(below=lambda alpha, C: alpha >= 0), "pays the full price"),
    (
        check.broken,
        broken(below=lambda alpha, C: alpha < 4),
        "pays the full price",
    ),  # the price is not the one handed in
    (check.broken, broken(above=lambda alpha, C: alpha >= 0), "pays nothing"),
    (check.broken, lambda h, y, alpha, C: np.abs(y * h - 1) > 0.001, "did not look at the multipliers"),
    (
        check.broken,
        broken(below=lambda alpha, C: alpha == 0, above=lambda alpha, C: alpha == C),
        "0 < α < C must stand",
    ),
    (check.broken, broken(above=lambda alpha, C: alpha < 0), "too large as well"),
    (check.broken, broken(below=lambda alpha, C: alpha < 0), "too small as well"),
    (check.broken, lambda h, y, alpha, C: y * h < 0, "on the wrong side"),
    (check.broken, lambda h, y, alpha, C: y * h < 9, "with α = 0 of C = 2 and y h = 1.5 a point keeps"),
    (check.broken, lambda h, y, alpha, C: np.flatnonzero(y * h < 1), "one True or False"),
    (check.price, lambda w, b, X, y, C: X.nothing, "stopped with AttributeError"),
    (check.offset, offset(lambda a, y, C: a == a), "mean over all points"),
    (check.offset, offset(lambda a, y, C: a != 0), "all support vectors"),
    (check.offset, offset(between, lambda K, y, a: K @ a - y), "the sign is turned"),
    (check.offset, offset(between, lambda K, y, a: y), "did not subtract"),
    (check.offset, offset(between, lambda K, y, a: 1 - K @ a), "1 for every class"),
    (check.offset, lambda K, y, a, C: 0.0, "b should be"),
    (check.offset, offset(lambda a, y, C: (a > 0) & (a < C)), "the multipliers are a·y"),
    (check.offset, offset(lambda a, y, C: (a < 0) & (a > -C)), "the multipliers are a·y"),  # right for class −1 alone
    (check.offset, offset(lambda a, y, C: a * y < C), "beyond their margin"),
    (check.offset, lambda K, y, a, C: (y - K @ a)[between(a, y, C)].sum(), "the sum over the points"),
    (check.offset, lambda K, y, a, C: (y - K @ a)[between(a, y, C)], "one number"),
    (check.price, lambda w, b, X, y, C: w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w + b)), "one number"),
    (check.smo_step, step(clip=lambda s, grow, shrink: s), "not clipped"),
    (check.smo_step, step(clip=lambda s, grow, shrink: min(grow, shrink)), "only the room"),
    (check.smo_step, step(clip=lambda s, grow, shrink: min(s, shrink)), "a_i leaves its box"),
    (check.smo_step, step(clip=lambda s, grow, shrink: min(s, grow)), "a_j falls below its box"),
    (check.smo_step, for_negative_at_j, "clip at what is left to the bound, here 0.05"),
    (check.smo_step, step(lambda K, i, j: K[i, i] + K[j, j] + 2 * K[i, j]), "with a minus"),
    (check.smo_step, step(lambda K, i, j: K[i, i] + K[j, j]), "lacks −2k_ij"),
    (check.smo_step, step(lambda K, i, j: K[i, i] + K[j, j] - K[i, j]), "subtracted k_ij once"),
    (check.smo_step, step(lambda K, i, j: 1.0), "curvature"),
    (check.smo_step, step(lambda K, i, j: 2 - 2 * K[i, j]), "is 1 for some kernels only"),
    (check.smo_step, step(lambda K, i, j: np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])), "by the distance ρ"),
    (check.smo_step, step(lambda K, i, j: 2 * (K[i, i] + K[j, j] - 2 * K[i, j])), "half a step"),
    (check.smo_step, step(clip=lambda s, grow, shrink: -min(s, grow, shrink)), "the sign is turned"),
    (
        check.smo_step,
        step(clip=lambda s, grow, shrink: min(s, grow, -shrink) if shrink < 0.1 else min(s, grow)),
        "the room is turned",
    ),
    (check.smo_step, lambda K, r, a, lower, upper, i, j: step()(K, r, a, 0 * a - 1, 0 * a + 1, i, j), "not clipped"),
    (check.smo_step, lambda K, r, a, lower, upper, i, j: 0.25, "the step should be"),
    (check.prediction_products, lambda a, d, t: t * len(a) * (d + 1), "all n points"),
    (check.prediction_products, lambda a, d, t: t * (a > 0).sum() * (d + 1), "of class −1 have a < 0"),
    (check.prediction_products, lambda a, d, t: t * np.count_nonzero(a) * d, "one more for a_i"),
    (check.prediction_products, lambda a, d, t: np.count_nonzero(a) * (d + 1), "for one test point"),
    (check.prediction_products, lambda a, d, t: t * len(np.unique(a)) * (d + 1), "it should be 200, not 150"),
    (check.prediction_products, lambda a, d, t: t * np.count_nonzero(a), "number of kernel values"),
    (check.prediction_products, lambda a, d, t: 7.0, "it should be 200"),
    (check.price, price(size=lambda w, b: 0.0), "½‖w‖², is missing"),
    (check.price, price(hinge=lambda s, y: 0.0), "the hinges are missing"),
]


def clipped_at_the_bound(K, r, a, lower, upper, i, j):
    wanted = (r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    return min(wanted, upper[i] - a[i], a[j] - lower[j]) if a[j] - lower[j] > 0.1 else min(wanted, lower[j])


def count_products(a, d, t):
    return t * np.count_nonzero(a) * (d + 1)


WRONG += [
    (check.price, hard_coded(price()), "right for the first line only"),
    (check.price, fixed(price(), 4, 3.0), "right for the first line only"),
    (check.price, fixed(price(), 1, 0.3), "right for the first line only"),
    (check.price, lambda w, b, X, y, C: price()(w[:2], b, X[:, :2], y, C), "right for the first line only"),
    (check.broken, fixed(broken(), 3, 1.0), "the full price is the C that is handed in"),
    (check.broken, fixed(broken(), 3, 2.0), "the full price is the C that is handed in"),
    (check.broken, broken(below=lambda alpha, C: alpha < 0.9 * C), "the full price is the C that is handed in"),
    (check.broken, broken(tol=0.01), "too much rounding"),
    (check.broken, hard_coded(broken()), "one True or False for each of the 7 points"),
    (check.offset, fixed(offset(between), 3, 0.8), "for 9 points and C = 0.2 it should be"),
    (check.offset, fixed(offset(between), 3, 0.5), "for 9 points and C = 0.2 it should be"),
    (check.smo_step, fixed(step(), 5, 0), "right for i = 0 and j = 2 of 3 points, but"),
    (check.smo_step, fixed(step(), 6, 2), "right for i = 0 and j = 2 of 3 points, but"),
    (
        check.smo_step,
        lambda K, r, a, lower, upper, i, j: min(
            (r[i] - r[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), 1 - a[i], a[j] + np.abs(lower[j])
        ),
        "right for i = 0 and j = 2 of 3 points, but",
    ),
    (check.prediction_products, fixed(count_products, 1, 4), "d = 3, t = 2 it should be 40, not 50"),
    (check.prediction_products, fixed(count_products, 2, 10), "d = 3, t = 2 it should be 40, not 200"),
    (check.prediction_products, hard_coded(count_products), "d = 3, t = 2 it should be 40, not 200"),
]
WRONG.append((check.smo_step, clipped_at_the_bound, "what is left to the bound"))


RIGHT = [
    (check.price, price()),
    (
        check.price,
        lambda w, b, X, y, C: (
            sum(v * v for v in w) / 2 + C * sum(max(0, 1 - t * (x @ w + b)) for x, t in zip(X, y, strict=True))
        ),
    ),
    (check.price, lambda *v: np.array(price()(*v))),
    (check.broken, broken()),
    (check.broken, broken(below=lambda alpha, C: alpha < C - 1e-6, above=lambda alpha, C: alpha > 1e-6)),
    (
        check.broken,
        lambda h, y, alpha, C: [
            (m < 0.999 and a != C) or (m > 1.001 and a != 0) for m, a in zip(h * y, alpha, strict=True)
        ],
    ),
    (check.broken, lambda *v: broken()(*v).astype(int).tolist()),
    (check.smo_step, step()),
    (check.prediction_products, lambda a, d, t: t * np.count_nonzero(a) * (d + 1)),
    (check.offset, offset(between)),
    (check.offset, lambda K, y, a, C: (y - K @ a)[between(a, y, C)][0]),
    (check.offset, lambda K, y, a, C: np.median((y - K @ a)[between(a, y, C)])),
    (check.smo_step, step(clip=lambda s, grow, shrink: np.min([s, grow, shrink]))),
    (check.smo_step, step(clip=lambda s, grow, shrink: np.clip(s, None, min(grow, shrink)))),
    (check.prediction_products, lambda a, d, t: sum(t * d + t for weight in a if weight != 0)),
    (check.prediction_products, lambda a, d, t: float((a != 0).sum() * t * (d + 1))),
]


# ---- the challenge: three support vectors ----------------------------------------------------------


BACK = ((0.0, -1.0, -1), (-1.0, 2.5, 1), (1.0, 2.5, 1))
FRONT = ((-1.0, 0.5, -1), (1.0, 0.5, -1), (0.0, 1.5, 1))
LINE = {"data": "mine", "kernel": "linear", "C": 1000.0}
STATES = [
    ({"C": 10.0}, "✗", "the points of the course"),
    (LINE, "✗", "0 of class −1 and 0 of class +1"),
    (LINE | {"mine": FRONT + BACK[:1]}, "✗", "3 of class −1 and 1 of class +1"),
    (LINE | {"mine": (*FRONT, *BACK, (0.0, 2.4, -1))}, "✗", "on the wrong side"),
    (LINE | {"mine": FRONT + BACK, "C": 0.1}, "✗", "pay the full price"),
    (
        LINE | {"mine": ((0.0, 0.5, -1), (0.0, 1.5, 1), (1.0, 0.2, -1), (-1.0, 2.0, 1), *BACK)},
        "✗",
        "two support vectors",
    ),
    (LINE | {"mine": FRONT + BACK, "kernel": "gaussian", "sigma": 0.3}, "✗", "a kernel that bends"),
    (LINE | {"mine": FRONT + BACK}, "✓", "right"),
    (LINE | {"mine": tuple((-x, z, -label) for x, z, label in FRONT + BACK)}, "✓", "right"),
    (LINE | {"mine": FRONT + BACK, "kernel": "gaussian", "sigma": 10.0}, "✓", "right"),
]


test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(explore.boundary, check.three_support_vectors, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.boundary, check.three_support_vectors)
test_the_challenge_wants_its_own_panel = refuses_others(check.three_support_vectors)
