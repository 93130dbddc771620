"""Notebook 17: right answers written in several ways, and wrong ones, each with the message it meets."""

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

from kernelkit.course.exercises import segmentation as check
from kernelkit.course.explorers import segmentation as explore
from kernelkit.images import segmentation
from kernelkit.images.segmentation import Pose
from kernelkit.study.terms import shrink


def dice(found, true):
    return 2 * (found & true).sum() / (found.sum() + true.sum())


def by_counting(found, true):
    both = sum(1 for a, b in zip(found.ravel(), true.ravel(), strict=True) if a and b)
    return both / ((np.count_nonzero(found) + np.count_nonzero(true)) / 2)


def other_side(row, column, middle, angle, turn=-1, upright=1, back=1):
    c, s = np.cos(angle), np.sin(angle)
    x, y = column - middle[1], upright * (middle[0] - row)
    u, v = turn * (c * x + s * y), c * y - s * x
    return middle[0] - upright * (c * v + back * s * u), middle[1] + c * u - back * s * v


def by_reflection(row, column, middle, angle):
    two, place = 2 * angle, np.stack([column - middle[1], middle[0] - row])
    x, y = np.array([[-np.cos(two), -np.sin(two)], [-np.sin(two), np.cos(two)]]) @ place
    return np.array([middle[0] - y, middle[1] + x])


def not_turned_back(row, column, middle, angle):
    u, v = Pose(*middle, angle, 1.0).to_head(row, column)
    return middle[0] - v, middle[1] - u


def by_pose(row, column, middle, angle):
    pose = Pose(*middle, angle, 50.0)
    u, v = pose.to_head(row, column)
    return list(pose.to_picture(-u, v))


def next_term(Z, Q, y):
    r, own = y - Q @ (Q.T @ y), Z - Q @ (Q.T @ Z)
    return np.argmax((own.T @ r) ** 2 / (own**2).sum(axis=0))


def by_fitting(Z, Q, y):
    return min(range(Z.shape[1]), key=lambda j: np.linalg.lstsq(np.column_stack([Q, Z[:, j]]), y, rcond=None)[1][0])


def worst(Z, Q, y):
    r, own = y - Q @ (Q.T @ y), Z - Q @ (Q.T @ Z)
    return np.argmin((own.T @ r) ** 2 / (own**2).sum(axis=0))


def short_wins(Z, Q, y):
    own = Z - Q @ (Q.T @ Z)
    return np.argmax(abs(own.T @ y) / (own**2).sum(axis=0))


def gains(Z, Q, y):
    return ((Z - Q @ (Q.T @ Z)).T @ y) ** 2


def signed(Z, Q, y):
    own = Z - Q @ (Q.T @ Z)
    return np.argmax(own.T @ y / np.linalg.norm(own, axis=0))


RIGHT = [
    (check.dice, dice),
    (check.dice, by_counting),
    (check.dice, lambda found, true: round(dice(found, true), 4)),
    (check.dice, segmentation.dice),
    (check.dice, lambda found, true: 2 / (1 / (found & true).sum() * (found.sum() + true.sum()))),
    (check.other_side, other_side),
    (check.other_side, by_reflection),
    (check.other_side, by_pose),
    (check.other_side, lambda *a: np.round(other_side(*a), 4)),
    (check.next_term, next_term),
    (check.next_term, by_fitting),
    (check.next_term, lambda Z, Q, y: int(next_term(Z, Q, y))),
    (check.shrink, shrink),
    (check.shrink, lambda t, lam: [float(shrink(v, lam)) for v in t]),
    (check.shrink, lambda t, lam: np.where(t > lam, t - lam, np.where(t < -lam, t + lam, 0))),
    (check.shrink, lambda t, lam: t - np.clip(t, -lam, lam)),
]
WRONG = [
    (check.dice, lambda found, true: dice(found, true) / 2, "the 2 is missing"),
    (check.dice, lambda found, true: (found & true).sum() / (found | true).sum(), "divides by the union"),
    (check.dice, lambda found, true: 2 * (found & true).sum() / (found | true).sum(), "divides by the union"),
    (check.dice, lambda found, true: (found == true).mean(), "healthy in both too"),
    (check.dice, lambda found, true: (found & true).sum() / true.sum(), "false alarms cost nothing"),
    (check.dice, lambda found, true: (found & true).sum() / found.sum(), "misses cost nothing"),
    (check.dice, lambda found, true: 1 - dice(found, true), "it is 1 − Dice"),
    (check.dice, lambda found, true: (found & true).sum() / min(found.sum(), true.sum()), "of one of the two sets"),
    (check.dice, lambda found, true: (found & true).sum() / max(found.sum(), true.sum()), "of one of the two sets"),
    (check.dice, lambda found, true: 2 * (found | true).sum() / (found.sum() + true.sum()), "what both have in common"),
    (check.dice, lambda found, true: (found & true).sum(), "divide by the sizes"),
    (check.dice, lambda found, true: 2 * np.sum(found & true), "divide by the sizes"),
    (check.dice, lambda found, true: 0.5, "have Dice"),
    (check.dice, lambda found, true: 2 * (found & true).sum() / (len(found) + len(true)), "len counts the rows"),
    (check.dice, lambda found, true: 2 * (found & true).sum() / found.sum() + true.sum(), "brackets are missing"),
    (check.dice, lambda found, true: 100 * dice(found, true), "in percent"),
    (check.dice, lambda found, true: 2 * (found & true).sum() / (found.size + true.size), "divides by all pixels"),
    (check.dice, lambda found, true: [[1], [1, 2]], "one number; yours is a list of lists"),
    (check.dice, lambda found, true: found & true, "one number"),
    (check.dice, lambda found, true: "0.5", "not the text"),
    (check.dice, lambda found, true: float("nan"), "have Dice"),
    (check.dice, lambda found: 1, "stopped with TypeError"),
    (check.other_side, lambda row, column, middle, angle: (row, column), "the place itself"),
    (check.other_side, lambda row, column, middle, angle: (row, 2 * middle[1] - column), "turned in it"),
    (check.other_side, lambda row, column, middle, angle: (row, 127 - column), "turned and shifted in it"),
    (check.other_side, lambda row, column, middle, angle: other_side(row, column, middle, -angle), "wrong sign"),
    (
        check.other_side,
        lambda row, column, middle, angle: other_side(row, column, middle, angle, upright=-1),
        "wrong sign",
    ),
    (check.other_side, lambda *a: other_side(*a)[::-1], "exchanged"),
    (check.other_side, lambda *a: np.transpose(other_side(*a)), "two arrays"),
    (check.other_side, lambda *a: other_side(*a, back=-1), "back the other way"),
    (
        check.other_side,
        lambda row, column, middle, angle: (2 * middle[0] - row, 2 * middle[1] - column),
        "only u changes sign",
    ),
    (check.other_side, lambda *a: [2 * np.array(a[2])[:, None] - other_side(*a)][0], "this changes v"),
    (
        check.other_side,
        lambda row, column, middle, angle: np.array(other_side(row, column, middle, angle)) - np.array(middle)[:, None],
        "must be added again",
    ),
    (
        check.other_side,
        lambda row, column, middle, angle: np.multiply([[-1], [1]], Pose(*middle, angle, 1.0).to_head(row, column)),
        "these are −u and v",
    ),
    (check.other_side, lambda *a: other_side(*a)[0], "shape"),
    (
        check.other_side,
        lambda row, column, middle, angle: other_side(row, column, middle, np.radians(angle)),
        "in radians",
    ),
    (
        check.other_side,
        lambda row, column, middle, angle: other_side(row, column, middle[::-1], angle),
        "in this order",
    ),
    (
        check.other_side,
        lambda row, column, middle, angle: (
            2 * np.array([[middle[0]], [0]]) + [[-1], [1]] * np.array(other_side(row, column, middle, angle))
        ),
        "minus what lies above it",
    ),
    (check.other_side, not_turned_back, "turned back"),
    (check.other_side, lambda row, column, middle, angle: (row, column[:2]), "different lengths"),
    (check.other_side, lambda *a: np.zeros((2, 3)), "should come to"),
    (check.other_side, lambda *a: ("left", "right"), "array of numbers"),
    (check.next_term, lambda Z, Q, y: np.argmax(np.abs(Z.T @ (y - Q @ (Q.T @ y)))), "a long column wins"),
    (check.next_term, lambda Z, Q, y: np.argmax((Z.T @ y) ** 2 / (Z**2).sum(axis=0)), "must leave y first"),
    (check.next_term, signed, "negative weight"),
    (
        check.next_term,
        lambda Z, Q, y: np.argmax((Z.T @ (y - Q @ (Q.T @ y))) ** 2 / (Z**2).sum(axis=0)),
        "only the part of z",
    ),
    (check.next_term, worst, "lowers the loss least"),
    (check.next_term, gains, "return the place of the largest"),
    (check.next_term, lambda Z, Q, y: next_term(Z, Q, y) + 1, "counted from 0"),
    (check.next_term, lambda Z, Q, y: Z, "one number"),
    (check.next_term, lambda Z, Q, y: -1, "lowers the loss most, yours is -1"),
    (check.next_term, lambda Z, Q, y: 5, "turned order"),
    (check.next_term, lambda Z, Q, y: (gains(Z, Q, y) / ((Z - Q @ (Q.T @ Z)) ** 2).sum(axis=0)).max(), "np.argmax"),
    (check.next_term, short_wins, "not squared above"),
    (check.next_term, lambda Z, Q, y: [[1], [1, 2]], "one number; yours is a list of lists"),
    (check.next_term, lambda Z, Q: 1, "stopped with TypeError"),
    (check.shrink, lambda t, lam: np.where(abs(t) > lam, t, 0), "must move towards 0"),
    (check.shrink, lambda t, lam: t - lam, "they move up"),
    (check.shrink, lambda t, lam: np.maximum(t - lam, 0), "does not become 0"),
    (check.shrink, lambda t, lam: np.maximum(abs(t) - lam, 0), "the sign of t is lost"),
    (check.shrink, lambda t, lam: t - lam * np.sign(t), "through to the other side"),
    (check.shrink, lambda t, lam: np.where(t > lam, t - lam, t + lam), "between −λ and λ"),
    (check.shrink, lambda t, lam: np.sign(t) * (abs(t) + lam), "away from 0"),
    (check.shrink, lambda t, lam: shrink(t, lam).astype(int), "-2.5 should shrink to -1.5, yours to -1."),
    (check.shrink, lambda t, lam: shrink(t, lam) * (1 + 5e-6), "3 should shrink to 2, yours to 2.00001"),
    (check.shrink, lambda t, lam: np.clip(t, -lam, lam), "what t loses"),
    (check.shrink, lambda t, lam: [1, [2, 3], 4, 5, 6], "different lengths"),
    (check.shrink, lambda t, lam: t / (1 + lam), "an L2 penalty"),
    (check.shrink, lambda t, lam: t, "nothing has moved"),
    (check.shrink, lambda t, lam: shrink(t, 1.0), "λ is lam, not 1"),
    (check.shrink, lambda t, lam: shrink(t, 2 * lam), "should shrink to 2"),
    (check.shrink, lambda t, lam: shrink(t, lam)[0], "shape"),
    (check.shrink, lambda t, lam: max(abs(t) - lam, 0), "stopped with ValueError"),
    (check.dice, hard_coded(dice), "right for one pair of pictures"),
    (check.dice, lambda found, true: 2 * (found & true).sum() / 45, "right for one pair of pictures"),
    (check.other_side, fixed(other_side, 2, (60.0, 70.0)), "wrong for another middle and angle"),
    (check.other_side, fixed(other_side, 3, 0.4), "wrong for another middle and angle"),
]
GOOD = {"pool": 3, "degree": 2, "count": 12, "step": 12}
STATES = [
    (GOOD, "✓", "right"),
    (GOOD | {"step": 0}, "✗", "step forward"),
    (GOOD | {"step": 13}, "✗", "13 are too many"),
    (GOOD | {"pool": 1}, "✗", "brightness alone"),
    (GOOD | {"pool": 2}, "✗", "where in the head"),
    (GOOD | {"degree": 1}, "✓", "right"),
    (GOOD | {"count": 4}, "✓", "right"),
    (GOOD | {"pool": 4}, "✗", "look at the other side"),
    (GOOD | {"count": 4, "degree": 1}, "✗", "four patients are not enough"),
    (GOOD | {"step": 3}, "✗", "another step or two"),
    (GOOD | {"step": 5}, "✗", "5 terms find 0.849 on held-out patients. It needs more than 0.85"),
    (GOOD | {"pool": 2, "step": 1}, "✗", "1 term finds 0.642"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(check.dice, check.other_side, check.next_term, check.shrink)
test_the_challenge_is_judged_by_its_panel = judged(explore.selection, check.few_terms, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.selection, check.few_terms)
test_the_challenge_wants_its_panel = refuses_others(check.few_terms)
