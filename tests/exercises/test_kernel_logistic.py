"""Every typical mistake of the exercises of notebook 05 meets its own message."""

import numpy as np
import pytest
from exercises.answers import accepted, judged, refused, refuses_others, unanswered, unmet_by_scenes

from kernelkit.exercises import kernel_logistic as check
from kernelkit.explorers.kernel_logistic import boundaries


def s(f):
    return 1 / (1 + np.exp(-f))


def both_branches(f):
    return np.where(f >= 0, 1 / (1 + np.exp(-f)), np.exp(f) / (1 + np.exp(f)))


def safe(f):
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def nearest(Phi, w):
    return np.linalg.solve(Phi @ Phi.T, Phi @ w)


def point(K, y, a, q, i, step, lam, shrink_a=None, shrink_q=None, change=None, column=None):
    """One SGD step with one thing done wrong."""
    shrink = 1 - step * lam / len(a)
    change = step * (y[i] - s(q[i])) if change is None else change
    a = (shrink if shrink_a is None else shrink_a) * a
    a[i] += change
    return a, (shrink if shrink_q is None else shrink_q) * q + change * (K[i] if column is None else column)


def only_one_shrinks(K, y, a, q, i, step, lam):
    _, q_new = point(K, y, a, q, i, step, lam)
    a[i] = (1 - step * lam / len(a)) * a[i] + step * (y[i] - s(q[i]))
    return a, q_new


def shrinks_after(K, y, a, q, i, step, lam):
    shrink = 1 - step * lam / len(a)
    return point(K, y, a, q, i, step, lam, change=shrink * step * (y[i] - s(q[i])))


def anew(K, y, a, q, i, step, lam):
    a, _ = point(K, y, a, q, i, step, lam)
    return a, K @ a


def late(K, y, a, q, i, step, lam):
    new, _ = point(K, y, a, q, i, step, lam)
    q = (1 - step * lam / len(a)) * q
    return new, q + step * (y[i] - s(q[i])) * K[i]


def through_qr(Phi, w):
    Q = np.linalg.qr(Phi.T)[0]
    return w - Q @ Q.T @ w


WRONG = [
    (check.safe_sigmoid, lambda f: s(-f), "a sign is wrong"),
    (check.safe_sigmoid, np.tanh, "this is tanh"),
    (check.safe_sigmoid, lambda f: np.exp(-np.abs(f)) / (1 + np.exp(-np.abs(f))), "right for f < 0 only"),
    (check.safe_sigmoid, lambda f: s(np.abs(f)), "right for f ≥ 0 only"),
    (check.safe_sigmoid, lambda f: s(2 * f), "should be 1/(1 + e^{−f}), and"),
    (check.safe_sigmoid, lambda f: f[:2], "shape (5,)"),
    (check.safe_sigmoid, lambda f: np.exp(f) / (1 + np.exp(f)), "it is nan"),
    (check.safe_sigmoid, lambda f: np.where(f < 100, s(np.minimum(f, 100)), 0), "s(1000) should be 1"),
    (check.safe_sigmoid, lambda f: s(np.clip(f, -30, 30)), "you cut f off"),
    (check.safe_sigmoid, lambda f: 1 - safe(-f), "rounded away"),
    (check.safe_sigmoid, s, "exp overflows on the way"),
    (check.safe_sigmoid, both_branches, "both its branches"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - s(K @ a)), "you forgot λ"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (2 * y - 1 - s(K @ a) - lam * a), "you used y = ±1"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * K @ (y - s(K @ a) - lam * a), "the gradient in a"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (K @ (y - s(K @ a)) - lam * a), "only inside s"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - s(K @ a) - lam * K @ a), "not λKa"),
    (check.dual_step, lambda K, y, a, step, lam: a - step * (y - s(K @ a) - lam * a), "uphill"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - s(K @ a) + lam * a), "sign of λ"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - K @ a - lam * a), "forgot the sigmoid"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - s(a) - lam * a), "s needs the outputs Ka"),
    (check.dual_step, lambda K, y, a, step, lam: a + step * (y - s(K @ a)) - lam * a, "ε belongs to both"),
    (check.dual_step, lambda K, y, a, step, lam: step * (y - s(K @ a) - lam * a), "the change of a"),
    (check.dual_step, lambda K, y, a, step, lam: a + 2 * step * (y - s(K @ a) - lam * a), "and it is not"),
    (check.dual_step, lambda K, y, a, step, lam: K, "shape (5,)"),
    (check.unreachable, nearest, "these are dual weights"),
    (check.unreachable, lambda Phi, w: Phi @ w, "shape (5,)"),
    (check.unreachable, lambda Phi, w: Phi.T @ nearest(Phi, w), "some Φᵀa has; return"),
    (check.unreachable, lambda Phi, w: Phi.T @ nearest(Phi, w) - w, "a sign"),
    (check.unreachable, lambda Phi, w: w - Phi.T @ Phi @ w, "only if the rows"),
    (check.unreachable, lambda Phi, w: w, "must give 0 at every training point"),
    (check.unreachable, lambda Phi, w: 0 * w, "as near to w as possible"),
    (check.unreachable, lambda Phi, w: w - Phi.T @ nearest(Phi, w) if len(Phi) == 3 else w, "one point twice"),
    (check.unreachable, through_qr, "one point twice"),
    (check.sgd_step, lambda *v: point(*v, change=v[5] * (1 - s(v[3][v[4]]))), "wrong for y_i = 0"),
    (check.sgd_step, lambda *v: point(*v, change=v[5] * v[1][v[4]] * (1 - s(v[3][v[4]]))), "wrong for y_i = 0"),
    (check.sgd_step, lambda *v: point(*v, change=v[5] * (v[1][v[4]] - s(v[0][v[4]] @ v[2]))), "q_i is that number"),
    (check.sgd_step, lambda K, y, a, q, i, step, lam: a, "return both"),
    (check.sgd_step, lambda *v: point(*v, shrink_a=1), "a: you forgot λ"),
    (check.sgd_step, lambda *v: point(*v, shrink_a=1 - v[5] * v[6]), "1/n of the penalty"),
    (check.sgd_step, shrinks_after, "shrink first, then add"),
    (check.sgd_step, only_one_shrinks, "every a_j"),
    (check.sgd_step, lambda K, y, a, q, i, step, lam: ((1 - step * lam / 4) * a + step * (y - s(q)), q), "all points"),
    (check.sgd_step, lambda *v: point(*v, change=-v[5] * (v[1][v[4]] - s(v[3][v[4]]))), "a: a sign is wrong"),
    (check.sgd_step, lambda *v: point(*v, change=v[5] * (v[1][v[4]] - s(v[2][v[4]]))), "not a_i"),
    (check.sgd_step, lambda *v: point(*v, change=0.9), "then a_i gains"),
    (check.sgd_step, lambda *v: (point(*v)[0], v[3]), "still the old one"),
    (check.sgd_step, lambda *v: point(*v, shrink_q=1), "must shrink by the same factor"),
    (check.sgd_step, lambda *v: point(*v, column=np.eye(4)[v[4]]), "touches every output"),
    (check.sgd_step, lambda *v: point(*v, column=0), "is missing"),
    (check.sgd_step, late, "old q_i inside s"),
    (check.sgd_step, anew, "in O(n²)"),
]


def right_step(K, y, a, step, lam):
    return a + step * (y - s(K @ a) - lam * a)


def right_rest(Phi, w):
    return w - Phi.T @ np.linalg.lstsq(Phi.T, w, rcond=None)[0]


RIGHT = [
    (check.safe_sigmoid, safe),
    (check.dual_step, right_step),
    (check.unreachable, right_rest),
    (check.unreachable, lambda Phi, w: w - np.linalg.pinv(Phi) @ Phi @ w),
    (check.sgd_step, point),
]


STATES = [
    ({"data": "mixture"}, "✗", "Choose data and λ first"),
    ({"lam": 1.0}, "✗", "other data, or another σ?"),
    ({"data": "half_planes", "lam": 1.0, "n": 120}, "✗", "a larger λ pulls all scores to 0"),
    ({"data": "crossing", "lam": 1.0}, "✓", "right"),
    ({"data": "crossing", "lam": 1.778, "sigma": 1.2}, "✓", "right"),
    ({"data": "rings", "lam": 3.162, "sigma": 0.5}, "✓", "right"),
]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # exp overflows in wrong answers
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(boundaries, check.never_sure, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(boundaries, check.never_sure)
test_the_challenge_wants_its_own_panel = refuses_others(check.never_sure)
