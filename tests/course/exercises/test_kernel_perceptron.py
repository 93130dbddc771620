"""Typical wrong answers of notebook 06, each with the message it meets."""

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

from kernelkit import Gaussian
from kernelkit.course.exercises import kernel_perceptron as check
from kernelkit.course.explorers.kernel_perceptron import digits_pair


def visit(wrong=lambda m: m <= 0, step=lambda y: 2 * y - 1):
    """The exercise with one thing done in another way."""
    return lambda w, phi, y: w + step(y) * phi if wrong((2 * y - 1) * (w @ phi)) else w


def passes(K, y, *, wrong=lambda m: m <= 0, step=lambda y: y, at_once=True, result="passes"):
    """The exercise with one thing done in another way."""
    a, count, mistakes = np.zeros(len(y)), 0, 0
    for _ in range(300):
        before, frozen = mistakes, a.copy()
        for i in range(len(y)):
            if wrong(y[i] * (K[i] @ (a if at_once else frozen))):
                a[i] += step(y[i])
                mistakes += 1
        count += 1
        if mistakes == before:
            break
    return {"passes": count, "dirty": count - 1, "mistakes": mistakes}[result]


def label_twice_in_place(K, y, a):
    a *= y
    return np.maximum(0, -y * (K @ a)).mean()


def predict(k, X, y, alpha, z):
    return np.sign((alpha * y) @ k(X, z))


def until_right(w, phi, y):
    while (2 * y - 1) * (w @ phi) <= 0:
        w = w + (2 * y - 1) * phi
    return w


def by_counts(K, y):
    """The same with mistake counts, and a pass as a list of what it moved."""
    counts, passed, moved = np.zeros(len(y)), 0, [True]
    while any(moved):
        moved = []
        for i, label in enumerate(y):
            moved.append(label * sum(counts * y * K[i]) <= 0)
            counts[i] += moved[-1]
        passed += 1
    return np.int64(passed)


WRONG = [
    (check.visit, visit(wrong=lambda m: m > 0), "skip the mistakes"),
    (check.visit, lambda w, phi, y: visit()(w, phi, 1 - y), "0 stands for −1"),
    (check.visit, visit(step=lambda y: 1), "forgot the class"),
    (check.visit, visit(wrong=lambda m: m < 0), "w = 0 never moves"),
    (check.visit, lambda w, phi, y: w + (2 * y - 1) * phi if y != (w @ phi > 0) else w, "a mistake whatever w"),
    (check.visit, lambda w, phi, y: visit()(w, phi, y) if w @ phi or not w.any() else w, "a mistake whatever w"),
    (check.visit, visit(wrong=lambda m: True), "leave w as it is"),
    (check.visit, lambda w, phi, y: w + (2 * y - 1) * phi if w @ phi <= 0 else w, "w must change"),
    (check.visit, visit(step=lambda y: 1 - 2 * y), "turned round"),
    (check.visit, visit(step=lambda y: y - 0.5), "the rate is 1"),
    (check.visit, visit(step=lambda y: 4 * y - 2), "your step is 2 times"),
    (check.visit, lambda w, phi, y: w + 2 * y - 1 if (2 * y - 1) * (w @ phi) <= 0 else w, "w should be"),
    (check.visit, lambda w, phi, y: y * (w @ phi), "shape (3,)"),
    (check.visit, lambda w, phi, y: visit()(w, phi, y) + 1j, "should be real numbers"),
    (check.visit, lambda w, phi, y: visit()(w, phi, y) if y == 0 else [w], "shape (3,), yours has (1, 3)"),
    (check.visit, visit(step=lambda y: 3 * y - 1), "at class +1 w should be"),
    (check.visit, lambda w, phi, y: visit(step=lambda y: (2 * y - 1) * (1 if w.any() else 2))(w, phi, y), "from w = 0"),
    (check.visit, lambda w, phi, y: w + y * phi if y * (w @ phi) <= 0 else w, "adds nothing where y = 0"),
    (check.visit, visit(step=lambda y: y), "adds nothing where y = 0"),
    (check.visit, lambda w, phi, y: w + (2 * y - 1) * phi if y * (w @ phi) <= 0 else w, "make y = −1 of it"),
    (check.visit, lambda w, phi, y: w + (y - (w @ phi > 0)) * phi, "a mistake whatever w"),
    (check.visit, until_right, "one visit is one step"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)).sum(), "the mean, with 1/n"),
    (check.loss, lambda K, y, a: np.maximum(0, y * (K @ a)).mean(), "the sign is turned"),
    (check.loss, lambda K, y, a: np.maximum(0, 1 - y * (K @ a)).mean(), "hinge loss"),
    (check.loss, lambda K, y, a: np.maximum(0, -(K @ a)).mean(), "labels y_i in front"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ (a * y))).mean(), "already holds the label"),
    (check.loss, lambda K, y, a: np.mean(y * (K @ a) <= 0), "counted the mistakes"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)), "one number"),
    (check.loss, lambda K, y, a: 0.0, "the loss is"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(alpha @ k(X, z)), "+1 everywhere"),
    (check.predict, lambda k, X, y, alpha, z: alpha @ k(X, z), "needs its label"),
    (check.predict, lambda k, X, y, alpha, z: (alpha * y) @ k(X, z), "is its sign"),
    (check.predict, lambda k, X, y, alpha, z: -np.sign((alpha * y) @ k(X, z)), "turned round"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(y @ k(X, z)), "weight 1"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(alpha * y * k(X, z)), "add up over j"),
    (check.predict, lambda k, X, y, alpha, z: -1.0, "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(((alpha > 0) * y) @ k(X, z)), "every mistake point once"),
    (check.predict, lambda k, X, y, alpha, z: np.sign((alpha**2 * y) @ k(X, z)), "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: np.sign((alpha * y) @ Gaussian(1.0)(X, z)), "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: float((alpha * y) @ k(X, z) > 0), "you return 0 or 1"),
    (check.predict, lambda k, X, y, alpha, z: 0.0, "you return 0 everywhere"),
    (check.loss, label_twice_in_place, "already holds the label"),
    (check.loss, lambda K, y, a: np.maximum(0, y * abs(K @ a)).mean(), "the loss is"),
    (check.passes, lambda K, y: passes(K[:-1, :-1], y[:-1]), "passes"),
    (check.passes, lambda K, y: passes(K, y, result="dirty"), "counts too"),
    (check.passes, lambda K, y: passes(K, y, result="mistakes"), "counted the mistakes"),
    (check.passes, lambda K, y: passes(K, y, wrong=lambda m: m < 0), "a zero is a mistake"),
    (check.passes, lambda K, y: passes(K, y, step=lambda _: 1), "add y_i to a_i"),
    (check.passes, lambda K, y: passes(K, y, at_once=False), "at once"),
    (check.passes, lambda K, y: np.ones(3), "one whole number"),
    (check.passes, lambda K, y: min(passes(K, y), 100), "it takes 132 passes, yours says 100: go on until"),
    (check.passes, lambda K, y: K[99], "stopped with IndexError"),
    (check.visit, fixed(visit(), 1, np.array([1.0, 1.0, 3.0])), "your code stopped with ValueError"),
    (
        check.visit,
        lambda w, phi, y: visit()(w, np.resize([1.0, 1.0, 3.0], len(w)), y),
        "wrong for φ = [1.0, -2.0, 4.0, 0.5]",
    ),
    (check.loss, hard_coded(lambda K, y, a: np.maximum(0, -y * (K @ a)).mean()), "for 5 others the loss is"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)).sum() / 12, "for 5 others the loss is"),
    (check.predict, fixed(predict, 0, Gaussian(0.5)), "wrong for 9 points with Polynomial(3)"),
    (check.passes, lambda K, y: passes(K[::-1, ::-1], y[::-1]), "Does each mistake add"),
    (
        check.passes,
        lambda K, y: min(passes(K, y), 10),
        "for 30 points with Polynomial(4) it takes 11 passes, yours says",
    ),
    (
        check.visit,
        lambda w, phi, y: w + (2 * y - 1) * phi if (2 * y - 1) * (w @ phi) <= 0 else None,
        "y = 1 your function",
    ),
]


def loss_in_place(K, y, a):
    K *= y[:, None]
    return np.maximum(0, -K @ a).mean()


def predict_in_place(k, X, y, alpha, z):
    alpha *= y
    return np.sign(alpha @ k(X, z))


RIGHT = [
    (check.visit, visit()),
    (check.visit, lambda w, phi, y: (w + (2 * y - 1) * phi * (np.sign(w @ phi) != 2 * y - 1)).tolist()),
    (check.visit, lambda w, phi, y: w + phi if y and w @ phi <= 0 else w - phi if not y and w @ phi >= 0 else w),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)).mean()),
    (check.loss, loss_in_place),
    (check.predict, predict),
    (check.predict, predict_in_place),
    (check.passes, passes),
    (check.visit, lambda w, phi, y: w + (y - (w @ phi > 0)) * phi if w @ phi else w + [-phi, phi][y]),
    (check.loss, lambda K, y, a: -np.minimum(y * (K @ a), 0).sum() / len(y)),
    (check.loss, lambda K, y, a: sum(max(0, -y[i] * sum(K[i] * a)) for i in range(len(y))) / len(y)),
    (check.predict, lambda k, X, y, alpha, z: 1 if sum(alpha * y * k(X, z)) > 0 else -1),
    (
        check.predict,
        lambda k, X, y, alpha, z: np.sign(sum(n * t * k(x, z) for n, t, x in zip(alpha, y, X, strict=True))),
    ),
    (check.passes, lambda K, y: float(passes(K, y, step=lambda label: label / 2))),
    (check.passes, by_counts),
]
STATES = [
    ({"pair": (0, 6)}, "✗", "choose 3 against 8"),
    ({"n": 250}, "✗", "try another kernel or width"),
    ({"sigma": 1.0, "n": 250}, "✗", "right often enough"),
    ({"sigma": 1.1, "n": 100}, "✗", "let it read more pictures"),
    ({"sigma": 1.1, "n": 200}, "✓", "right"),
    ({"sigma": 1.1, "n": 150}, "✓", "right"),
    ({"sigma": 0.9, "n": 100}, "✓", "right"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(digits_pair, check.small_album, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(digits_pair, check.small_album)
test_the_challenge_wants_its_own_panel = refuses_others(check.small_album)
