"""Every typical mistake of the exercises of notebook 08 meets its own message."""

import numpy as np
import pytest
import scipy.linalg
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

from kernelkit.course.exercises import representer_theorem as check
from kernelkit.course.explorers import representer_theorem as explore

pinv = np.linalg.pinv


def margin(y, f):
    return np.maximum(0, 1 - y * f)


def inside(Phi, w):
    return pinv(Phi) @ (Phi @ w)


def solved(Phi, w):
    part = Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ w)
    return part, w - part


def rest(Phi, w):
    return w - inside(Phi, w)


def squared_hinge(y, f, lam):
    return 2 * y * margin(y, f) / lam


def tube(y, f, C, e):
    return C * np.sign(y - f) * (abs(y - f) > e)


WRONG = [
    (check.dual_weights, lambda y, f, lam: -2 * y * margin(y, f) / lam, "sign is wrong"),
    (check.dual_weights, lambda y, f, lam: 2 * y * margin(y, f), "divide by λ"),
    (check.dual_weights, lambda y, f, lam: 2 * y * margin(y, f) * lam, "multiplied by λ"),
    (check.dual_weights, lambda y, f, lam: y * margin(y, f) / lam, "2 of the square"),
    (check.dual_weights, lambda y, f, lam: 2 * margin(y, f) / lam, "inner derivative"),
    (check.dual_weights, lambda y, f, lam: 2 * y * (1 - y * f) / lam, "beyond the margin"),
    (check.dual_weights, lambda y, f, lam: y * (y * f < 1) / lam, "this is the hinge loss"),
    (check.dual_weights, lambda y, f, lam: margin(y, f) ** 2 / lam, "the loss ℓ(f)"),
    (check.dual_weights, lambda y, f, lam: 3 * y * margin(y, f) / lam, "should be zero"),
    (check.dual_weights, lambda y, f, lam: 1.0, "shape (7,)"),
    (check.dual_weights, lambda y, f, lam: 2 * (y - f) * (f < 1) / lam, "you ask for f < 1"),
    (check.dual_weights, lambda y, f, lam: 2 * (y - f) * (abs(f) < 1) / lam, "you ask for |f| < 1"),
    (check.split, lambda Phi, w: inside(Phi, w), "return two parts"),
    (check.split, lambda Phi, w: (Phi @ w, w), "yours has 3"),
    (check.split, lambda Phi, w: (w[:4], w), "each part should have shape"),
    (check.split, lambda Phi, w: (w - inside(Phi, w), inside(Phi, w)), "other order"),
    (check.split, lambda Phi, w: (Phi.T @ Phi @ w, w - Phi.T @ Phi @ w), "is no projection"),
    (check.split, lambda Phi, w: (inside(Phi, w), w), "add up to w"),
    (check.split, lambda Phi, w: (w / 2, w / 2), "no output may notice"),
    (check.split, lambda Phi, w: (w, 0 * w), "not a combination of the rows"),
    (check.split, solved, "K is singular"),
    (check.limit, lambda Phi, y, w0: w0 + Phi.T @ np.linalg.solve(Phi @ Phi.T, y - Phi @ w0), "ΦΦᵀ is singular"),
    (check.huber_slope, lambda y, f, delta: np.clip(y - f, -delta, delta), "sign is wrong"),
    (check.huber_slope, lambda y, f, delta: f - y, "this is the squared loss"),
    (check.huber_slope, lambda y, f, delta: np.sign(f - y), "this is the absolute loss"),
    (
        check.huber_slope,
        lambda y, f, delta: np.where(abs(y - f) <= delta, (y - f) ** 2 / 2, delta * (abs(y - f) - delta / 2)),
        "the loss itself",
    ),
    (check.huber_slope, lambda y, f, delta: np.clip(f - y, -1, 1), "you cut at ±1"),
    (check.huber_slope, lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, np.sign(f - y)), "not ±1"),
    (check.huber_slope, lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, delta), "below −δ"),
    (check.huber_slope, lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, 0), "forget outliers"),
    (check.huber_slope, lambda y, f, delta: 2 * np.clip(f - y, -delta, delta), "and they are not"),
    (check.huber_slope, lambda y, f, delta: delta, "shape (5,)"),
    (check.tube_weights, lambda y, f, C, e: C * np.sign(f - y) * (abs(y - f) > e), "pulls it up, so a > 0"),
    (check.tube_weights, lambda y, f, C, e: np.sign(y - f) * (abs(y - f) > e), "the price C is missing"),
    (check.tube_weights, lambda y, f, C, e: np.sign(y - f) * (abs(y - f) > e) / C, "you divided by C"),
    (check.tube_weights, lambda y, f, C, e: C * np.sign(y - f), "this is the absolute loss"),
    (check.tube_weights, lambda y, f, C, e: C * np.sign(y - f) * (abs(y - f) < e), "you kept the points inside"),
    (check.tube_weights, lambda y, f, C, e: C * (abs(y - f) > e), "points below the curve pull it down"),
    (check.tube_weights, lambda y, f, C, e: C * (y - f > e), "points below the tube are forgotten"),
    (check.tube_weights, lambda y, f, C, e: C * np.maximum(0, abs(y - f) - e), "you used the loss"),
    (check.tube_weights, lambda y, f, C, e: C * (y - f) * (abs(y - f) > e), "how far does not count"),
    (check.tube_weights, lambda y, f, C, e: np.clip(y - f, -C, C), "nothing is to be clipped"),
    (check.tube_weights, lambda y, f, C, e: 0 * y, "C above the tube, −C below"),
    (check.tube_weights, lambda y, f, C, e: y[:3], "shape (8,)"),
    (check.limit, lambda Phi, y, w0: pinv(Phi) @ y, "the limit from 0"),
    (check.limit, lambda Phi, y, w0: pinv(Phi) @ y + w0, "all of w0"),
    (check.limit, lambda Phi, y, w0: pinv(Phi) @ y + inside(Phi, w0), "the part of w0 inside"),
    (check.limit, lambda Phi, y, w0: w0 - inside(Phi, w0), "the shortest solution is missing"),
    (check.limit, lambda Phi, y, w0: pinv(Phi) @ y - w0 + inside(Phi, w0), "a sign"),
    (check.limit, lambda Phi, y, w0: 0 * w0, "every residual is 0"),
    (check.limit, lambda Phi, y, w0: pinv(Phi) @ y + 2 * (w0 - inside(Phi, w0)), "no step leads there"),
    (check.limit, lambda Phi, y, w0: y, "shape (4,)"),
    (check.dual_weights, fixed(squared_hinge, 2, 0.4), "wrong for 4 points and λ = 2.5"),
    (check.dual_weights, hard_coded(squared_hinge), "for 4 points a should have"),
    (check.split, hard_coded(lambda Phi, w: (inside(Phi, w), w - inside(Phi, w))), "wrong for 2 points with 4"),
    (check.huber_slope, fixed(lambda y, f, delta: np.clip(f - y, -delta, delta), 2, 0.4), "wrong for δ = 2.1"),
    (check.tube_weights, fixed(tube, 2, 3.0), "wrong for C = 0.5 and ε = 0.1"),
    (check.tube_weights, fixed(tube, 3, 0.5), "wrong for C = 0.5 and ε = 0.1: use what"),
    (check.limit, lambda Phi, y, w0: w0 + np.resize(pinv(Phi) @ (y - Phi @ w0), 4), "stopped with"),
]


def test_messages_are_different():
    assert len({(judge, message) for judge, _, message in WRONG}) == len(WRONG)


def by_lstsq(Phi, w):
    part = Phi.T @ np.linalg.lstsq(Phi @ Phi.T, Phi @ w)[0]
    return part, w - part


def descended(Phi, y, w0):
    for _ in range(20000):
        w0 = w0 - Phi.T @ (Phi @ w0 - y) / np.linalg.norm(Phi, 2) ** 2
    return w0


RIGHT = [
    (check.dual_weights, lambda y, f, lam: 2 * y * margin(y, f) / lam),
    (check.split, lambda Phi, w: (inside(Phi, w), w - inside(Phi, w))),
    (check.split, by_lstsq),
    (check.split, lambda Phi, w: np.array([inside(Phi, w), w - inside(Phi, w)])),  # a pair in one array
    (check.huber_slope, lambda y, f, delta: np.clip(f - y, -delta, delta)),
    (check.tube_weights, lambda y, f, C, e: C * np.sign(y - f) * (abs(y - f) > e)),
    (check.tube_weights, lambda y, f, C, e: np.where(y - f > e, C, np.where(f - y > e, -C, 0))),
    (check.limit, lambda Phi, y, w0: w0 + pinv(Phi) @ (y - Phi @ w0)),
    (check.limit, descended),
    (check.dual_weights, lambda y, f, lam: [2 / lam * max(0, 1 - t * h) * t for t, h in zip(y, f, strict=True)]),
    (check.dual_weights, lambda y, f, lam: np.where(y * f < 1, 2 * (y - f) / lam, 0)),
    (
        check.split,
        lambda Phi, w: (w - scipy.linalg.null_space(Phi) @ (scipy.linalg.null_space(Phi).T @ w), rest(Phi, w)),
    ),
    (check.huber_slope, lambda y, f, delta: np.maximum(np.minimum(f - y, delta), -delta)),
    (check.huber_slope, lambda y, f, delta: (f - y) / np.maximum(1, abs(f - y) / delta)),
    (check.tube_weights, lambda y, f, C, e: C * (1.0 * (y - f > e) - (f - y > e))),
    (check.limit, lambda Phi, y, w0: w0 + np.linalg.lstsq(Phi, y - Phi @ w0)[0]),
]


# ---- the challenge: a loss that follows -----------------------------------------------------------


END = {"outlier": ((3.0, 3.4),)}
STATES = [
    (END | {"loss": "squared"}, "✗", "stay with the absolute loss"),
    ({"outlier": ((0.7, 3.4),)}, "✗", "outvote it"),
    ({"outlier": ((-2.3, 1.0),), "sigma": 0.6}, "✗", "4 neighbours stand within σ"),  # at 2.3 there is one
    (END | {"lam": 1.0}, "✗", "make λ smaller"),
    ({"outlier": ((3.0, 0.5),)}, "✗", "not far enough"),
    (END, "✓", "right"),
    ({"outlier": ((3.0, 3.4),), "lam": 0.1, "sigma": 0.4}, "✓", "right"),
]


test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(explore.losses, check.follows, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.losses, check.follows)
test_the_challenge_wants_its_own_panel = refuses_others(check.follows)


def test_the_check_moves_the_curve_as_the_panel_does():
    for values in (END, {"outlier": ((-2.0, 2.0),), "sigma": 0.4}):
        values = explore.losses().first | values
        assert check._moved(values) == pytest.approx(explore.losses.compute(**values).moved, abs=1e-6)
