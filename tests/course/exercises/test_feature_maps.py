"""Every typical wrong answer of notebook 01 meets its own message."""

from math import comb

import numpy as np
from course.exercises.answers import accepted, hard_coded, judged, refused, refuses_others, unanswered, unmet_by_scenes

from kernelkit import Monomials, OrderedMonomials
from kernelkit.course.exercises import feature_maps as check
from kernelkit.course.explorers import feature_maps as explore


def columns(*functions):
    return lambda X: np.column_stack([f(*X.T) * np.ones(len(X)) for f in functions])


ONE, X1, X2 = (lambda a, b: 1.0), (lambda a, b: a), (lambda a, b: b)
SQUARE1, MIXED, SQUARE2 = (lambda a, b: a * a), (lambda a, b: a * b), (lambda a, b: b * b)
ALL = (ONE, X1, X2, SQUARE1, MIXED, SQUARE2)

POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))


WRONG = [
    (check.six_columns, lambda X: columns(*ALL)(X).T, "your features are rows"),
    (check.six_columns, lambda X: X[:, 0], "Φ should be a matrix"),
    (check.six_columns, lambda X: columns(*ALL)(X[:2]), "one row for each of the 4 points"),
    (check.six_columns, columns(*ALL[1:]), "the constant 1 is missing"),
    (check.six_columns, columns(ONE, X1, X2, SQUARE1, SQUARE2), "x1·x2 is missing"),
    (check.six_columns, columns(ONE, X1, X2, SQUARE1, MIXED, MIXED, SQUARE2), "7 columns"),
    (check.six_columns, columns(ONE, X1, X2), "should have 6 columns, yours has 3"),
    (check.six_columns, Monomials(2), "carry the constants √2"),
    (check.six_columns, columns(ONE, X1, X2, SQUARE1, SQUARE2, MIXED), "x1·x2 comes before x2²"),
    (check.six_columns, lambda X: columns(*ALL)(np.abs(X)), "lost their signs"),
    (check.six_columns, columns(ONE, X1, X2, X1, MIXED, SQUARE2), "column 4 should be x1²"),
    (check.six_columns, lambda X: np.column_stack([np.ones(4), columns(*ALL[1:])(X[:4])]), "stopped with"),
    (check.six_columns, columns(*ALL, ONE), "should have 6 columns, yours has 7"),
    (check.six_columns, lambda X: np.column_stack([np.ones(len(X)), X, OrderedMonomials(2)(X)]), "the same monomial"),
    (check.how_many, lambda d, p: "10", "not the text"),
    (check.how_many, lambda d, p: comb(d + p, p), "count only those that contain x1"),
    (check.how_many, lambda d, p: comb(d + p - 1, p), "the others are asked for"),
    (check.how_many, lambda d, p: comb(d + p, p - 1), "no place of its own"),
    (check.how_many, lambda d, p: d**p, "ordered products of exactly p factors"),
    (check.how_many, lambda d, p: d ** (p - 1), "ordered products of exactly p factors"),
    (check.how_many, lambda d, p: d**p - (d - 1) ** p, "ordered products of exactly p factors"),
    (check.how_many, lambda d, p: (d + 1) ** p, "every order of the factors"),
    (check.how_many, lambda d, p: (d + 1) ** (p - 1), "every order of the factors"),
    (check.how_many, lambda d, p: comb(d + p - 2, p - 1), "degree exactly p"),
    (check.how_many, lambda d, p: comb(d + p - 1, d) - 1, "x1 itself counts too"),
    (check.how_many, lambda d, p: comb(d + p - 1, d) + 1, "the constant 1 does not"),
    (check.how_many, lambda d, p: comb(d, p), "forgets the powers"),
    (check.how_many, lambda d, p: comb(d - 1, p - 1), "forgets the powers"),
    (check.how_many, lambda d, p: p, "the powers of x1 alone"),
    (check.how_many, lambda d, p: d * p, "for d = 3, p = 2 there are 4 with x1 in them, you have 6"),
    (check.how_many, lambda d, p: comb(d + p, p) / d, "for d = 3, p = 2 there are 4 with x1 in them"),
    (check.ellipse_plane, lambda: [1 / 4, 0, 1, -1], "3 numbers"),
    (check.ellipse_plane, lambda: [1 / 4, 1, 1], "the middle weight must be 0"),
    (check.ellipse_plane, lambda: [1 / 16, 0, 1], "you squared twice"),
    (check.ellipse_plane, lambda: [1 / 2, 0, 1], "1/2 would belong to x1²/2"),
    (check.ellipse_plane, lambda: [4, 0, 1], "not 4"),
    (check.ellipse_plane, lambda: [1, 0, 1 / 4], "the weights are swapped"),
    (check.ellipse_plane, lambda: [1, 0, 1], "circle of radius 1"),
    (check.ellipse_plane, lambda: [1, 0, 4], "wᵀΦ(x) is 4 on the ellipse"),
    (check.ellipse_plane, lambda: [0, 0, 0], "compare term by term"),
    (check.ellipse_plane, lambda: [3, 0, 1], "compare term by term"),
    (check.exclusive_or, lambda X: X.prod(axis=1), "return the whole matrix"),
    (check.exclusive_or, columns(ONE, X1, X2), "still 3 columns"),
    (check.exclusive_or, columns(*ALL), "exactly one column"),
    (check.exclusive_or, columns(X1, X2, ONE, MIXED), "as the first three columns"),
    (check.exclusive_or, columns(ONE, X1, X2, SQUARE1), "a copy of the constant"),
    (check.exclusive_or, columns(ONE, X1, X2, lambda a, b: a + b), "a combination of 1, x1 and x2"),
    (check.exclusive_or, columns(ONE, X1, X2, lambda a, b: np.where(a < 0, np.nan, a)), "not a number at every point"),
    (check.exclusive_or, lambda X: np.column_stack([np.ones(4), X, [3, 0, 0, 1]]), "depends on the row"),
    (check.six_columns, lambda X: [columns(*ALL)(X)], "shape (1, 4, 6)"),
    (check.exclusive_or, lambda X: columns(ONE, X1, X2, MIXED)(np.vstack([X, X])[:4]), "wrong for the first 3 of them"),
    (check.exclusive_or, lambda X: np.column_stack([np.ones(4), X, X.prod(axis=1)]), "with X of shape (3, 2)"),
    (check.ellipse_plane, [1 / 8, 0, 1 / 2], "wᵀΦ(x) is 0.5 on the ellipse"),
    (check.how_many, hard_coded(lambda d, p: comb(d + p - 1, p - 1)), "for d = 2, p = 5 there are 15"),
]

RIGHT = [
    (check.six_columns, columns(*ALL)),
    (check.how_many, lambda d, p: comb(d + p - 1, p - 1)),
    (check.how_many, lambda d, p: comb(d + p, p) - comb(d + p - 1, p)),
    (check.how_many, lambda d, p: sum(comb(d + m - 2, m - 1) for m in range(1, p + 1))),
    (check.ellipse_plane, lambda: np.array([0.25, 0, 1])),
    (check.exclusive_or, columns(ONE, X1, X2, MIXED)),
    (check.exclusive_or, columns(ONE, X1, X2, lambda a, b: (a - b) ** 2)),
    (check.six_columns, lambda X: [[1, a, b, a * a, a * b, b * b] for a, b in X.tolist()]),
    (check.exclusive_or, columns(ONE, X1, X2, lambda a, b: np.sign(a * b))),
    (check.exclusive_or, columns(ONE, X1, X2, lambda a, b: a == b)),
    (check.six_columns, lambda X: np.array([X[:, 0] ** i * X[:, 1] ** j for i, j in POWERS]).T),
    (check.ellipse_plane, [1 / 4, 0.0, 1.0]),
    (check.ellipse_plane, lambda: (0.5**2, -0.0, 1)),
]


WILD = {"degree": 12, "n": 13}
STATES = [
    ({"degree": 3, "n": 13}, "✗", "needs no taming"),
    ({"degree": 12, "n": 60}, "✗", "here λ shall do it"),
    (WILD | {"noise": 0.05}, "✗", "less to tame"),
    (WILD | {"noise": 0.2, "lam": 0.5}, "✗", "less to tame"),  # near enough, but with less noise than in the scene
    (WILD | {"data": "sine", "lam": 0.5}, "✗", "stay with the data"),
    (WILD, "✗", "leaves the curve 1.14 from the true one: it still turns on the noise"),
    (WILD | {"lam": 0.01}, "✗", "Raise the price"),
    (WILD | {"noise": 0.4, "lam": 0.5}, "✗", "leaves the curve 0.2239 from"),  # not 0.22, which would be near enough
    (WILD | {"lam": 10.0}, "✗", "ironed flat"),
    (WILD | {"lam": 0.5}, "✓", "right"),
    (WILD | {"lam": 1.0}, "✓", "right"),
]


test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(explore.fit, check.tamed, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.fit, check.tamed)
test_the_challenge_wants_its_own_panel = refuses_others(check.tamed)


def test_the_distance_asked_for_is_the_one_the_panel_says():
    for lam in (1e-6, 0.01, 0.5, 10.0):
        panel = explore.fit()
        panel.set(**WILD, lam=lam)
        check.tamed(panel)
        assert (check.tamed.result.verdict == "right") == (panel.state.truth <= 0.22)
