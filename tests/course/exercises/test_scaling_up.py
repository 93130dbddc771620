"""Notebook 18: right answers written in several ways, and wrong ones, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, fixed, hard_coded, judged, refused, unanswered, unmet_by_scenes
from scipy.linalg import cholesky, fractional_matrix_power, solve_triangular, sqrtm

from kernelkit import Gaussian, Monomials, PrimalRidge, Totals
from kernelkit.course.exercises import scaling_up as check
from kernelkit.course.explorers import scaling_up as explore


def symmetric(K_XC, K_CC):
    v, U = np.linalg.eigh(K_CC)
    return K_XC @ (U / np.sqrt(v)) @ U.T


def power(exponent):
    return lambda K_XC, K_CC: K_XC @ fractional_matrix_power(K_CC, exponent)


def waves(X, W, b, factor=None, turn=np.cos):
    return np.sqrt(2 / len(b) if factor is None else factor) * turn(X @ W.T + b)


def by_loops(X, W, b):
    return [[(2 / len(b)) ** 0.5 * np.cos(sum(w * x) + phase) for w, phase in zip(W, b, strict=True)] for x in X]


def plain(chunks, phi, lam):
    A, v = 0, 0
    for X, y in chunks:
        A, v = A + phi(X).T @ phi(X), v + phi(X).T @ y
    return np.linalg.solve(A + lam * np.eye(len(A)), v)


def two_loops(chunks, phi, lam, nothing=0):
    A = sum(phi(X).T @ phi(X) for X, y in chunks)
    return np.linalg.solve(A + lam * np.eye(len(A)), sum((phi(X).T @ y for X, y in chunks), nothing))


def of_the_last(which):
    """One of the two sums is replaced by each chunk."""

    def answer(chunks, phi, lam):
        A, v = 0, 0
        for X, y in chunks:
            parts = phi(X).T @ phi(X), phi(X).T @ y
            A, v = (parts[0], v + parts[1]) if which == "gram" else (A + parts[0], parts[1])
        return np.linalg.solve(A + lam * np.eye(len(A)), v)

    return answer


def lam_everywhere(chunks, phi, lam):
    totals = sum(Totals.of(phi, *chunk) for chunk in chunks)
    return np.linalg.solve(totals.gram + lam, totals.moment)


def each(chunks, phi, lam):
    return [Totals.of(phi, X, y).solve(lam) for X, y in chunks]


def newton(
    chunks, phi, lam, w, slope=1, ridge=1, labels=lambda y: y, weight=lambda s: s * (1 - s), plus=1, turn=1, sign=1
):
    g, H = -slope * lam * w, ridge * lam * np.eye(len(w))
    for X, y in chunks:
        Phi = phi(X)
        s = 1 / (1 + np.exp(-turn * Phi @ w))
        g, H = g + sign * Phi.T @ (labels(y) - s), H + (Phi.T * weight(s)) @ Phi
    return w + plus * np.linalg.solve(H, g)


def stacked(chunks, phi, lam, w):
    X, y = (np.concatenate(part) for part in zip(*chunks, strict=True))
    s = 1 / (1 + np.exp(-phi(X) @ w))
    H = phi(X).T @ np.diag(s * (1 - s)) @ phi(X) + lam * np.eye(len(w))
    return w - np.linalg.inv(H) @ (phi(X).T @ (s - y) + lam * w)


def walking(chunks, phi, lam, w):
    for chunk in chunks:
        w = newton([chunk], phi, lam, w)
    return w


def slope_alone(chunks, phi, lam, w):
    return w - lam * w + sum(phi(X).T @ (y - 1 / (1 + np.exp(-phi(X) @ w))) for X, y in chunks)


RIGHT = [
    (check.nystrom, symmetric),
    (check.nystrom, power(-0.5)),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.inv(sqrtm(K_CC))),
    (check.nystrom, lambda K_XC, K_CC: solve_triangular(cholesky(K_CC, lower=True), K_XC.T, lower=True).T),
    (check.nystrom, lambda K_XC, K_CC: (K_XC @ np.linalg.cholesky(np.linalg.inv(K_CC))).tolist()),
    (check.nystrom, lambda K_XC, K_CC: -symmetric(K_XC, K_CC)),
    (check.nystrom, lambda K_XC, K_CC: symmetric(K_XC, K_CC + 1e-6 * np.eye(len(K_CC)))),
    (check.waves, waves),
    (check.waves, by_loops),
    (check.waves, lambda X, W, b: -waves(X, W, b)),
    (check.waves, lambda X, W, b: waves(X, W, -b)),
    (check.waves, lambda X, W, b: waves(X, W, b, turn=np.sin)),
    (check.waves, lambda X, W, b: np.cos(np.einsum("id,jd->ij", X, W) + b[None, :]) / np.sqrt(len(W) / 2)),
    (check.one_pass, plain),
    (check.one_pass, lambda chunks, phi, lam: sum(Totals.of(phi, *c) for c in chunks).solve(lam)),
    (check.one_pass, lambda chunks, phi, lam: PrimalRidge(phi, lam).fit_chunks(chunks).w_.tolist()),
    (check.one_pass, lambda chunks, phi, lam: plain(list(chunks), phi, lam)),
    (check.one_pass, lambda chunks, phi, lam: plain((chunk for _, chunk in enumerate(chunks)), phi, lam)),
    (check.newton_step, newton),
    (check.newton_step, stacked),
    (check.newton_step, lambda *given: newton(*given).tolist()),
    (check.newton_step, lambda chunks, phi, lam, w: newton(reversed(chunks), phi, lam, w)),
]
WRONG = [
    (check.nystrom, lambda K_XC, K_CC: K_XC, "must still be multiplied by a root"),
    (check.nystrom, power(-1), "so that ΦΦᵀ has it once"),
    (check.nystrom, power(0.5), "the root of its inverse"),
    (check.nystrom, lambda K_XC, K_CC: K_XC / np.sqrt(K_CC.sum(axis=1)), "not the root of its entries"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ (1 / np.sqrt(K_CC)), "not the root of its entries"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.inv(np.sqrt(K_CC)), "not the root of its entries"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.inv(np.linalg.cholesky(K_CC)), "wrong way round"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.cholesky(np.linalg.inv(K_CC)).T, "wrong way round"),
    (check.nystrom, lambda K_XC, K_CC: symmetric(K_XC, K_CC + 1e-3 * np.eye(len(K_CC))), "ΦΦᵀ should be K_XC"),
    (check.nystrom, lambda K_XC, K_CC: symmetric(K_XC, K_CC).T, "need one row for each point"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.inv(K_CC) @ K_XC.T, "Return the features"),
    (check.nystrom, lambda K_XC, K_CC: K_CC, "shape"),
    (check.nystrom, lambda K_XC, K_CC: 0 * K_XC, "ΦΦᵀ should be K_XC"),
    (check.nystrom, lambda K_XC, K_CC: "root", "array of numbers"),
    (check.nystrom, lambda K_XC: K_XC, "stopped with TypeError"),
    (check.nystrom, lambda K_XC, K_CC: K_XC @ np.linalg.eigh(K_CC), "stopped with"),
    (check.nystrom, Gaussian(1.0), "ΦΦᵀ should be K_XC"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=1), "factor √(2/D) is missing"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=(2 / 5) ** 2), "each has its root"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=1 / 5), "½ on average"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=2 / 3), "D is the number of waves"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=2 / 25), "under the root too"),
    (check.waves, lambda X, W, b: waves(X, W, 0 * b), "without phases"),
    (check.waves, lambda X, W, b: np.sqrt(2 / 5) * np.cos(X @ W.T) + b, "added inside"),
    (check.waves, lambda X, W, b: np.sqrt(2 / 5) * (np.cos(X @ W.T) + b), "added inside"),
    (check.waves, lambda X, W, b: np.cos(X @ W.T) + b, "added inside"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=2), "factor is 1.4142, not √(2/D) = 0.6325"),
    (check.waves, lambda X, W, b: waves(X, W, b).T, "need one row for each point"),
    (check.waves, lambda X, W, b: waves(X, W, b)[0], "shape"),
    (check.waves, lambda X, W, b: X @ W, "stopped with ValueError"),
    (check.waves, lambda X, W, b: waves(X, W, 2 * b), "] should be"),
    (check.waves, lambda X, W, b: np.nan, "shape"),
    (check.waves, lambda X, W, b: abs(waves(X, W, b)), "Φ[3, 3] should be -0.5195, yours is 0.5195"),
    (check.one_pass, lambda chunks, phi, lam: each(chunks, phi, lam)[-1], "the w of the last chunk"),
    (check.one_pass, lambda chunks, phi, lam: each(chunks, phi, lam)[0], "the w of the first chunk"),
    (check.one_pass, lambda chunks, phi, lam: np.mean(each(chunks, phi, lam), axis=0), "the w of chunks do not add"),
    (check.one_pass, lambda chunks, phi, lam: sum(each(chunks, phi, lam)), "the w of chunks do not add"),
    (check.one_pass, lambda *given: np.average(each(*given), axis=0, weights=(3, 5, 4)), "the w of chunks do not add"),
    (check.one_pass, lambda chunks, phi, lam: plain(chunks, phi, 3 * lam), "not for each chunk"),
    (check.one_pass, lambda chunks, phi, lam: plain(chunks, phi, 0), "λ is missing"),
    (check.one_pass, lambda chunks, phi, lam: plain(chunks, phi, 12 * lam), "these are means"),
    (check.one_pass, lambda chunks, phi, lam: sum(phi(X).T @ y for X, y in chunks), "this is Φᵀy"),
    (check.one_pass, lambda chunks, phi, lam: plain(chunks, phi, lam)[:3], "shape"),
    (check.one_pass, lambda chunks, phi, lam: 2 * plain(chunks, phi, lam), "] should be"),
    (check.one_pass, lambda chunks, phi, lam: plain(chunks[:1], phi, lam), "stopped with TypeError"),
    (check.one_pass, lambda chunks, phi, lam: plain([*chunks, *chunks], phi, lam), "a second loop finds none"),
    (check.one_pass, two_loops, "a second loop finds none"),
    (check.one_pass, lambda *given: two_loops(*given, nothing=np.zeros(6)), "a second loop finds none"),
    (check.one_pass, of_the_last("gram"), "one of your two sums"),
    (check.one_pass, of_the_last("moment"), "one of your two sums"),
    (check.one_pass, lam_everywhere, "to the diagonal only"),
    (check.newton_step, lambda *given: given[3], "this is w as it was."),
    (check.newton_step, lambda *given: newton(*given) - given[3], "this is the step alone"),
    (check.newton_step, lambda *given: newton(*given, plus=-1), "the sign"),
    (check.newton_step, lambda *given: newton(*given, ridge=0), "λI is missing in ∇²J"),
    (check.newton_step, lambda *given: newton(*given, slope=0), "−λw is missing in g"),
    (check.newton_step, lambda *given: newton(*given, slope=-1), "pulls w back to 0"),
    (check.newton_step, lambda *given: newton(*given, slope=0, ridge=0), "λ is missing"),
    (check.newton_step, lambda *given: newton(*given, slope=3, ridge=3), "not for each chunk"),
    (check.newton_step, lambda *given: newton(*given, ridge=3), "not for each chunk"),
    (check.newton_step, lambda *given: newton(*given, slope=3), "not for each chunk"),
    (check.newton_step, lambda *given: newton(*given, turn=-1), "s is the probability of the label 1"),
    (check.newton_step, lambda *given: newton(*given, sign=-1), "yours are s − y"),
    (check.newton_step, lambda c, *given: newton(c[:1], *given), "steps of single chunks do not add"),
    (check.newton_step, lambda *given: slope_alone(*given) - given[3], "this is a step along g"),
    (check.newton_step, lambda *given: newton(*given, weight=np.ones_like), "each ΦΦᵀ has its weight"),
    (check.newton_step, lambda *given: newton(*given, weight=lambda s: s), "not s."),
    (check.newton_step, lambda *given: newton(*given, labels=lambda y: 2 * y - 1), "come as 0 and 1"),
    (check.newton_step, slope_alone, "this is a step along g"),
    (check.newton_step, walking, "all sums belong to the same w"),
    (check.newton_step, lambda c, *given: newton(c[-1:], *given), "steps of single chunks do not add"),
    (check.newton_step, lambda c, *given: np.mean([newton([one], *given) for one in c], axis=0), "do not add"),
    (check.newton_step, lambda *given: 2 * newton(*given), "] should be"),
    (check.newton_step, lambda *given: newton(*given)[:2], "shape"),
    (check.newton_step, lambda chunks, phi: 0, "stopped with TypeError"),
    (check.nystrom, hard_coded(symmetric), "for 5 points and 2 landmarks Φ should have"),
    (check.waves, hard_coded(waves), "for 3 points and 7 waves Φ should have"),
    (check.waves, lambda X, W, b: waves(X, W, b, factor=2 / 5), "right for 5 waves, wrong for 7 others"),
    (check.one_pass, fixed(plain, 2, 0.3), "2 chunks and λ = 2: use what comes in"),
    (check.one_pass, fixed(plain, 1, Monomials(2)), "for two chunks and 3 features w should have"),
    (check.newton_step, fixed(newton, 2, 0.4), "2 chunks and λ = 1.5: use what comes in"),
]
GOOD = {"data": "groups", "way": "pivots", "m": 13, "seed": 1}
STATES = [
    (GOOD, "✓", "right"),
    (GOOD | {"m": 12}, "✓", "right"),
    (GOOD | {"way": "k-means", "m": 11}, "✓", "right"),
    (GOOD | {"data": "ring"}, "✗", "choose “seven groups”"),
    (GOOD | {"sigma": 2.8}, "✗", "it is another kernel"),
    (GOOD | {"sigma": 0.7}, "✗", "with another σ it is another kernel"),
    (GOOD | {"m": 30}, "✗", "30 landmarks are too many"),
    (GOOD | {"way": "random"}, "✗", "chance seldom meets a small group"),
    (GOOD | {"way": "greedy"}, "✗", "no other draw to try"),
    (GOOD | {"m": 7}, "✗", "7 landmarks are too few"),
    (GOOD | {"seed": 0}, "✗", "Not every draw is lucky"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(check.nystrom, check.waves, check.one_pass, check.newton_step)
test_the_challenge_is_judged_by_its_panel = judged(explore.landmarks, check.few_landmarks, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.landmarks, check.few_landmarks)
