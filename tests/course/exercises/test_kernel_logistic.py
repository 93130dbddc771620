"""Every typical mistake of the exercises of notebook 05 meets its own message."""

import numpy as np
import pytest
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

from kernelkit.course.exercises import kernel_logistic as check
from kernelkit.course.explorers.kernel_logistic import boundaries


def s(f):
    return 1 / (1 + np.exp(-f))


def both_branches(f):
    return np.where(f >= 0, 1 / (1 + np.exp(-f)), np.exp(f) / (1 + np.exp(f)))


def safe(f):
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def nearest(Phi, w):
    return np.linalg.solve(Phi @ Phi.T, Phi @ w)


def visit(K, y, a, q, batch, step, lam, shrink_a=None, shrink_q=None, change=None, columns=None):
    """One step of a mini-batch with one thing done wrong."""
    shrink = 1 - step * lam * len(batch) / len(a)
    change = step * (y[batch] - s(q[batch])) if change is None else change
    a = (shrink if shrink_a is None else shrink_a) * a
    a[batch] += change
    return a, (shrink if shrink_q is None else shrink_q) * q + (K if columns is None else columns)[:, batch] @ change


def gains(change):
    """A step in which the batch gains what this function of (labels, outputs, dual weights, step) says."""
    return lambda K, y, a, q, B, step, lam: visit(K, y, a, q, B, step, lam, change=change(y[B], q[B], a[B], step))


def only_the_batch_shrinks(K, y, a, q, batch, step, lam):
    new, q_new = visit(K, y, a, q, batch, step, lam)
    return np.where(np.isin(np.arange(len(a)), batch), new, a), q_new


def shrinks_after(K, y, a, q, batch, step, lam):
    shrink = 1 - step * lam * len(batch) / len(a)
    return visit(K, y, a, q, batch, step, lam, change=shrink * step * (y[batch] - s(q[batch])))


def all_points(K, y, a, q, batch, step, lam):
    return (1 - step * lam * len(batch) / len(a)) * a + step * (y - s(q)), q


def in_turn(K, y, a, q, batch, step, lam):
    for i in batch:
        a, q = visit(K, y, a, q, [i], step, lam)
    return a, q


def shrinks_in_turn(K, y, a, q, batch, step, lam):
    return visit(K, y, a, q, batch, step, lam, shrink_a=(1 - step * lam / len(a)) ** len(batch))


def anew(K, y, a, q, batch, step, lam):
    a, _ = visit(K, y, a, q, batch, step, lam)
    return a, K @ a


def outputs_anew(K, y, a, q, batch, step, lam):
    return visit(K, y, a, q, batch, step, lam, change=step * (y[batch] - s(K[batch] @ a)))


def late(K, y, a, q, batch, step, lam):
    new, _ = visit(K, y, a, q, batch, step, lam)
    q = (1 - step * lam * len(batch) / len(a)) * q
    return new, q + K[:, batch] @ (step * (y[batch] - s(q[batch])))


def shrunk_outputs(K, y, a, q, batch, step, lam):
    q = (1 - step * lam * len(batch) / len(a)) * q
    new, _ = visit(K, y, a, q, batch, step, lam)
    return new, q + K[:, batch] @ (step * (y[batch] - s(q[batch])))


def shrunk_and_in_turn(K, y, a, q, batch, step, lam):
    shrink = 1 - step * lam * len(batch) / len(a)
    a, q = shrink * a, shrink * q
    for i in batch:
        a, q = visit(K, y, a, q, [i], step, 0)
    return a, q


def with_zeros_for_the_others(K, y, a, q, batch, step, lam):
    change, shrink = np.zeros(len(y)), 1 - step * lam * len(batch) / len(a)
    change[batch] = step * (y[batch] - s(q[batch]))
    return shrink * a + change, shrink * q + K @ change


def new_a_through_the_columns(K, y, a, q, batch, step, lam):
    new, _ = visit(K, y, a, q, batch, step, lam)
    return new, (1 - step * lam * len(batch) / len(a)) * q + K[:, batch] @ new[batch]


def by_a_mask(K, y, a, q, batch, step, lam):
    mask, shrink = np.isin(np.arange(len(y)), batch), 1 - step * lam * len(batch) / len(a)
    change = np.where(mask, step * (y - s(q)), 0)
    return shrink * a + change, shrink * q + change[mask] @ K[mask]


def by_a_loop(K, y, a, q, batch, step, lam):
    shrink, new = 1 - step * lam * len(batch) / len(a), q * (1 - step * lam * len(batch) / len(a))
    a *= shrink
    for i in batch:
        a[i] += step * (y[i] - s(q[i]))
        new += step * (y[i] - s(q[i])) * K[i]
    return [a, new]


def left(Phi, w, step=0.0, lam=0.0, t=0):
    """What the nearest Φᵀa leaves of w."""
    return w - Phi.T @ np.linalg.lstsq(Phi.T, w, rcond=None)[0]


def faded(*v):
    Phi, w, step, lam, t = v
    return (1 - step * lam) ** t * left(Phi, w)


def walked(Phi, w, step, lam, t):
    """Batch descent itself, for some labels, then what is out of reach."""
    for _ in range(t):
        w = w - step * (Phi.T @ (s(Phi @ w) - 1) + lam * w)
    return left(Phi, w)


def through_qr(Phi, w, step, lam, t):
    Q = np.linalg.qr(Phi.T)[0]
    return (1 - step * lam) ** t * (w - Q @ Q.T @ w)


def right_step(K, y, a, step, lam):
    return a + step * (y - s(K @ a) - lam * a)


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
    (check.safe_sigmoid, lambda f: np.where(f < -50, 0, np.maximum(s(np.clip(f, -50, 50)), 1e-16)), "you cut f off"),
    (check.safe_sigmoid, lambda f: 1 - safe(-f), "rounded away"),
    (check.safe_sigmoid, s, "exp overflows on the way"),
    (check.safe_sigmoid, both_branches, "both its branches"),
    (check.safe_sigmoid, lambda f: s(np.clip(f, -700, 700)), "np.exp is asked for e^{700}: hiding the warning"),
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
    (check.unreachable, lambda Phi, w, *_: nearest(Phi, w), "these are dual weights"),
    (check.unreachable, lambda Phi, w, *_: Phi @ w, "shape (5,)"),
    (check.unreachable, lambda Phi, w, *_: Phi.T @ nearest(Phi, w), "some Φᵀa has; return"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - e * lam) ** t * (w - left(Phi, w)), "some Φᵀa has; return"),
    (check.unreachable, lambda *v: -left(*v), "a sign"),
    (check.unreachable, lambda *v: -faded(*v), "a sign"),
    (check.unreachable, lambda Phi, w, *_: w - Phi.T @ Phi @ w, "only if the rows"),
    (check.unreachable, lambda Phi, w, *_: w, "must give 0 at every training point"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - e * lam) ** t * w, "must give 0 at every training point"),
    (check.unreachable, left, "at the start; λ pulls"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - e * lam) * left(Phi, w), "u after one step"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - t * e * lam) * left(Phi, w), "t steps multiply"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - e * lam / len(Phi)) ** t * left(Phi, w), "without 1/n"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 + e * lam) ** t * left(Phi, w), "your u grows"),
    (check.unreachable, lambda Phi, w, e, lam, t: left(Phi, w) / (1 - e * lam) ** t, "your u grows"),
    (check.unreachable, lambda Phi, w, e, lam, t: np.exp(-e * lam * t) * left(Phi, w), "and it is not"),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - lam) ** t * left(Phi, w), "and it is not"),
    (check.unreachable, lambda Phi, w, *_: 0 * w, "and it is not"),
    (check.unreachable, lambda *v: faded(*v) if len(v[0]) == 3 else v[1], "one point twice"),
    (check.unreachable, through_qr, "one point twice"),
    (check.unreachable, lambda *v: faded(*v) + 1j, "should be real numbers"),
    (check.sgd_step, gains(lambda y, q, a, e: e * (1 - s(q))), "wrong for y_i = 0"),
    (check.sgd_step, gains(lambda y, q, a, e: e * y * (1 - s(q))), "wrong for y_i = 0"),
    (check.sgd_step, outputs_anew, "q_i is that number"),
    (check.sgd_step, lambda K, y, a, q, batch, step, lam: a, "return both"),
    (check.sgd_step, lambda *v: visit(*v, shrink_a=1), "a: you forgot λ"),
    (check.sgd_step, lambda *v: visit(*v, shrink_a=1 - v[5] * v[6] / 5), "each of the m points"),
    (check.sgd_step, lambda *v: visit(*v, shrink_a=1 - v[5] * v[6]), "m/n of the penalty"),
    (check.sgd_step, shrinks_in_turn, "the shares add up"),
    (check.sgd_step, in_turn, "one point after the other"),
    (check.sgd_step, shrinks_after, "shrink first, then add"),
    (check.sgd_step, only_the_batch_shrinks, "every a_j"),
    (check.sgd_step, all_points, "all points"),
    (check.sgd_step, gains(lambda y, q, a, e: e * (y - s(q)) / len(y)), "the mean of the batch"),
    (check.sgd_step, gains(lambda y, q, a, e: -e * (y - s(q))), "a: a sign is wrong"),
    (check.sgd_step, gains(lambda y, q, a, e: e * (y - s(a))), "not a_i"),
    (check.sgd_step, gains(lambda y, q, a, e: 0 * y + 0.9), "then each a_i of the batch gains"),
    (check.sgd_step, gains(lambda y, q, a, e: 0 * y + np.sum(e * (y - s(q)))), "then each a_i of the batch gains"),
    (check.sgd_step, lambda *v: (visit(*v)[0], v[3]), "still the old one"),
    (check.sgd_step, lambda *v: visit(*v, shrink_q=1), "must shrink by the same factor"),
    (check.sgd_step, lambda *v: visit(*v, columns=np.eye(5)), "touches every output"),
    (check.sgd_step, lambda *v: visit(*v, columns=np.zeros((5, 5))), "is missing"),
    (check.sgd_step, late, "of a q that has shrunk"),
    (check.sgd_step, gains(lambda y, q, a, e: y - s(q)), "lacks the step size"),
    (check.sgd_step, gains(lambda y, q, a, e: e * (y - q)), "forgot the sigmoid"),
    (check.sgd_step, gains(lambda y, q, a, e: e * (2 * y - 1 - s(q))), "you used y = ±1"),
    (check.sgd_step, new_a_through_the_columns, "not all of its new a_i"),
    (check.sgd_step, lambda *v: (visit(*v)[0], shrinks_after(*v)[1]), "q: shrink first, then add"),
    (check.sgd_step, lambda *v: (visit(*v)[0], 2 * v[3]), "q should be Ka for the new a: it"),
    (check.sgd_step, anew, "in O(n²)"),
    (check.sgd_step, shrunk_outputs, "the outputs before the step"),
    (check.sgd_step, shrunk_and_in_turn, "one point after the other"),
    (check.sgd_step, lambda *v: visit(*v)[::-1], "a first, then q"),
    (check.sgd_step, with_zeros_for_the_others, "zeros for the other points"),
    (check.dual_step, fixed(right_step, 3, 0.3), "wrong for 3 points, ε = 0.1, λ = 2"),
    (check.dual_step, fixed(right_step, 4, 0.7), "wrong for 3 points, ε = 0.1, λ = 2"),
    (check.dual_step, hard_coded(right_step), "with 3 points, the new a should have shape (3,)"),
    (check.unreachable, fixed(faded, 2, 0.2), "wrong for ε = 0.1, λ = 1.5 and 8 steps"),
    (check.unreachable, fixed(faded, 3, 0.5), "wrong for ε = 0.1, λ = 1.5 and 8 steps"),
    (check.unreachable, fixed(faded, 4, 5), "wrong for ε = 0.1, λ = 1.5 and 8 steps"),
    (check.sgd_step, fixed(visit, 5, 0.4), "wrong for 7 points, ε = 0.2, λ = 1.5"),
    (check.sgd_step, fixed(visit, 6, 0.6), "wrong for 7 points, ε = 0.2, λ = 1.5"),
    (check.sgd_step, lambda *v: visit(*v, shrink_a=1 - v[5] * v[6] * len(v[4]) / 5), "wrong for 7 points"),
]


RIGHT = [
    (check.safe_sigmoid, safe),
    (check.dual_step, right_step),
    (check.unreachable, faded),
    (check.unreachable, walked),
    (check.unreachable, lambda Phi, w, e, lam, t: (1 - e * lam) ** t * (w - np.linalg.pinv(Phi) @ Phi @ w)),
    (check.sgd_step, visit),
    (check.sgd_step, by_a_loop),
    (check.sgd_step, by_a_mask),
    (check.safe_sigmoid, lambda f: [1 / (1 + np.exp(-v)) if v >= 0 else np.exp(v) / (1 + np.exp(v)) for v in f]),
    (check.safe_sigmoid, lambda f: np.exp(np.minimum(f, 0)) / (1 + np.exp(-np.abs(f)))),
    (check.safe_sigmoid, lambda f: np.exp(-np.logaddexp(0, -f))),
    (check.dual_step, lambda K, y, a, step, lam: (1 - step * lam) * a + step * (y - safe(K @ a))),
    (check.dual_step, lambda K, y, a, step, lam: right_step(K, y, a, step, lam).tolist()),
]


STATES = [
    ({"data": "mixture"}, "✗", "Choose data and λ first"),
    ({"data": "rings", "lam": 1.0, "sigma": 0.5}, "✗", "somewhere it is 90.1 % sure"),
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
