"""Right answers of notebook 10 in several ways, and typical wrong ones, each with the message it meets."""

import numpy as np
import pytest
from course.exercises.answers import (
    accepted,
    fixed,
    hard_coded,
    judged,
    refused,
    refuses_others,
    said,
    unanswered,
    unmet_by_scenes,
)

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.exercises import choosing_a_kernel as check
from kernelkit.course.explorers import choosing_a_kernel as explore


def chosen(fit=0, ask=1, pick=np.argmin, give=None, lam=None, sigmas=None, of=np.square):
    """An answer of the first exercise: fitted to one sample, compared on the other."""

    def answer(values, X, y, V, v, penalty):
        samples, values = ((X, y), (V, v)), values if sigmas is None else np.array(sigmas)
        (A, a), (B, b) = samples[fit], samples[ask]
        models = [KernelRidge(Gaussian(s), penalty if lam is None else lam).fit(A, a) for s in values]
        errors = [np.mean(of(b - model.predict(B))) for model in models]
        return values[pick(errors)] if give is None else give(errors)

    return answer


def inverse(K, lam):
    return np.linalg.inv(K + lam * np.eye(len(K)))


def entrywise(K, lam):
    return (K + lam * np.eye(len(K))) ** -1


def by_hat(K, y, lam):
    H = K @ inverse(K, lam)
    return (y - H @ y) / (1 - np.diag(H))


def by_refits(K, y, lam):
    out = []
    for i in range(len(y)):
        rest = [j for j in range(len(y)) if j != i]
        a = np.linalg.solve(K[np.ix_(rest, rest)] + lam * np.eye(len(rest)), y[rest])
        out.append(y[i] - K[i, rest] @ a)
    return out


def terms(bias, variance):
    return lambda h, f: (bias(h, h.mean(axis=0), f), variance(h, h.mean(axis=0), f))


def BIAS(h, m, f):
    return np.mean((m - f) ** 2)


def VAR(h, m, f):
    return np.mean((h - m) ** 2)


RIGHT = [
    (check.choose_sigma, chosen()),
    (check.choose_sigma, lambda s, X, y, V, v, lam: float(chosen()(s, X, y, V, v, lam))),
    (check.choose_sigma, lambda s, X, y, V, v, lam: np.float32(chosen()(s, X, y, V, v, lam))),
    (
        check.choose_sigma,
        lambda s, X, y, V, v, lam: min(
            s, key=lambda t: np.linalg.norm(v - KernelRidge(Gaussian(t), lam).fit(X, y).predict(V))
        ),
    ),
    (check.leave_one_out, lambda K, y, lam: inverse(K, lam) @ y / np.diag(inverse(K, lam))),
    (check.leave_one_out, by_hat),
    (check.leave_one_out, by_refits),
    (check.decompose, terms(BIAS, VAR)),
    (check.decompose, lambda h, f: [((h.mean(0) - f) ** 2).sum() / len(f), h.var(axis=0).mean()]),
    (check.decompose, lambda h, f: np.array(terms(BIAS, VAR)(h, f))),
    (check.decompose, lambda h, f: (BIAS(h, h.mean(0), f), np.mean((h - f) ** 2) - BIAS(h, h.mean(0), f))),
]
WRONG = [
    (check.choose_sigma, chosen(ask=0), "points it was fitted to"),
    (check.choose_sigma, chosen(fit=1), "points it was fitted to"),
    (check.choose_sigma, chosen(lam=1.0), "hand it to KernelRidge"),
    (check.choose_sigma, chosen(lam=0.02), "lam that are handed in"),
    (check.choose_sigma, chosen(lam=0.01), "lam that are handed in"),
    (check.choose_sigma, lambda *a: 2.5, "σ should be"),
    (check.choose_sigma, chosen(pick=np.argmax), "argmin, not argmax"),
    (check.choose_sigma, chosen(give=np.argmin), "return the σ"),
    (check.choose_sigma, chosen(give=np.min), "return its σ"),
    (check.choose_sigma, chosen(fit=1, ask=0), "the other way"),
    (check.choose_sigma, chosen(sigmas=[0.7, 5.0]), "that are handed in"),
    (check.choose_sigma, lambda *a: 3.0, "σ should be"),
    (check.choose_sigma, lambda *a: [1.0], "one number"),
    (check.choose_sigma, lambda *a: "1.0", "not the text"),
    (check.choose_sigma, lambda *a: Gaussian(1.0), "one real number"),
    (check.choose_sigma, lambda sigmas: 1.0, "stopped with TypeError"),
    (check.leave_one_out, lambda K, y, lam: y - K @ inverse(K, lam) @ y, "with all points used"),
    (check.leave_one_out, lambda K, y, lam: inverse(K, lam) @ y, "divide each by"),
    (check.leave_one_out, lambda K, y, lam: inverse(K, lam) @ y / (1 + lam), "diagonal of the inverse"),
    (check.leave_one_out, lambda K, y, lam: inverse(K, lam) @ y * np.diag(inverse(K, lam)), "so divide"),
    (check.leave_one_out, lambda K, y, lam: -by_hat(K, y, lam), "sign is turned"),
    (check.leave_one_out, lambda K, y, lam: by_hat(K, y, lam) ** 2, "these are the squares"),
    (check.leave_one_out, lambda K, y, lam: np.mean(by_hat(K, y, lam) ** 2), "mean of the squares"),
    (check.leave_one_out, lambda K, y, lam: inverse(K, 0) @ y / np.diag(inverse(K, 0)), "λ is missing"),
    (check.leave_one_out, lambda K, y, lam: by_hat(K, y, lam)[:3], "shape"),
    (check.leave_one_out, lambda K, y, lam: 0 * y, "residual 0, counted from 0, should be"),
    (check.leave_one_out, lambda K, y, lam: abs(np.array(by_hat(K, y, lam))), "the signs are lost"),
    (check.leave_one_out, lambda K, y, lam: y - by_hat(K, y, lam), "these are the predictions"),
    (check.leave_one_out, lambda K, y, lam: inverse(K, lam) @ y / np.diag(np.linalg.inv(K + lam)), "every entry of K"),
    (check.leave_one_out, lambda K, y, lam: by_hat(K, y, len(y) * lam), "you took nλ"),
    (check.leave_one_out, lambda K, y, lam: dict(enumerate(y)), "should be an array of numbers"),
    (check.leave_one_out, lambda K, y, lam: (by_hat(K, y, lam), 1), "should be an array of numbers"),
    (check.leave_one_out, lambda K, y, lam: (e for e in y), "should be an array of numbers"),
    (check.leave_one_out, lambda K, y, lam: "none", "array of numbers"),
    (check.leave_one_out, lambda K, y, lam: [str(e) for e in by_hat(K, y, lam)], "array of numbers"),
    (check.leave_one_out, lambda K, y, lam: np.linalg.inv(K[:2]), "stopped with LinAlgError"),
    (check.leave_one_out, lambda K, y, lam: entrywise(K, lam) @ y / np.diag(entrywise(K, lam)), "inverts the matrix"),
    (check.leave_one_out, lambda K, y, lam: 1e30 * y, "·10"),
    (check.leave_one_out, lambda K, y, lam: by_hat(K, y, lam) + 1j, "should be real"),
    (check.decompose, lambda h, f: terms(BIAS, VAR)(h, f)[::-1], "bias² comes first"),
    (check.decompose, terms(lambda h, m, f: np.mean((h - f) ** 2), VAR), "the whole error"),
    (check.decompose, terms(lambda h, m, f: np.mean(m - f) ** 2, VAR), "cancel"),
    (check.decompose, terms(lambda h, m, f: np.mean(np.abs(m - f)), VAR), "square the bias"),
    (check.decompose, terms(lambda h, m, f: np.sqrt(BIAS(h, m, f)), VAR), "leave the square"),
    (check.decompose, terms(BIAS, lambda h, m, f: np.sqrt(VAR(h, m, f))), "standard deviation"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.size * VAR(h, m, f)), "not the sum"),
    (check.decompose, terms(lambda h, m, f: np.sum((m - f) ** 2), VAR), "not the sum"),
    (check.decompose, terms(lambda h, m, f: np.mean((h.mean(axis=1)[:, None] - f) ** 2), VAR), "axis=0"),
    (check.decompose, terms(lambda h, m, f: 0.5, VAR), "bias² should be"),
    (check.decompose, terms(lambda h, m, f: np.mean(m - f), VAR), "square the bias"),
    (check.decompose, terms(lambda h, m, f: np.mean(f - m), VAR), "square the bias"),
    (check.decompose, terms(lambda h, m, f: np.mean((h.mean() - f) ** 2), VAR), "its own mean"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.var(axis=0).sum()), "not the sum"),
    (check.decompose, terms(lambda h, m, f: (m - f) ** 2, VAR), "shape"),
    (check.decompose, terms(BIAS, lambda h, m, f: np.mean((h - f) ** 2)), "from the truth"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.var(axis=0, ddof=1).mean()), "one less"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.std(axis=0).mean()), "square it"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.var()), "own mean"),
    (check.decompose, terms(BIAS, lambda h, m, f: h.var(axis=1).mean()), "along x"),
    (check.decompose, terms(BIAS, lambda h, m, f: 9.0), "variance should be"),
    (check.decompose, lambda h, f: 1.0, "return two numbers"),
    (check.decompose, lambda h, f: (1, 2, 3), "return two numbers"),
    (check.decompose, lambda h, f: ("a", "b"), "not the text"),
    (check.leave_one_out, lambda K, y, lam: np.nan * y, "yours is nan"),
    (check.leave_one_out, fixed(by_hat, 2, 0.3), "wrong for 5 points and λ = 1.5"),
    (check.leave_one_out, hard_coded(by_hat), "for 5 points the answer should have"),
    (check.decompose, hard_coded(terms(BIAS, VAR)), "wrong for 5 fits at 2"),
    (check.decompose, terms(lambda h, m, f: ((m - f) ** 2).sum() / 4, VAR), "wrong for 5 fits at 2"),
    (check.decompose, terms(BIAS, lambda h, m, f: np.mean((h - h.sum(axis=0) / 3) ** 2)), "wrong for 5 fits at 2"),
    (check.choose_sigma, chosen(of=np.positive), "too high and too low cancel"),
    (check.choose_sigma, chosen(of=lambda e: np.full(e.shape, np.abs(e).max())), "right for the first points"),
    (check.choose_sigma, chosen(of=np.abs), "the exercise asks for the squared one"),
]


STATES = [
    ({"sigma": 0.501187, "C": 0.1}, "✓", "right"),
    ({"sigma": 0.398107, "C": 0.01}, "✓", "right"),
    ({"sigma": 0.707946, "C": 0.01}, "✓", "right"),
    ({"sigma": 0.0501187}, "✗", "Bayes' is 21.0 %. There are still islands around single points, so try a wider σ"),
    ({"sigma": 0.199526, "C": 0.1}, "✗", "a wider σ"),
    ({"sigma": 10.0}, "✗", "a narrower σ"),
    ({"sigma": 1.99526, "C": 0.01}, "✗", "a narrower σ"),
    ({"sigma": 0.501187}, "✗", "another C"),
    ({"sigma": 0.501187, "C": 10.0}, "✗", "another C"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))


@pytest.mark.parametrize("nothing", [None, ...], ids=["none", "dots"])
def test_two_terms_that_are_not_written_are_no_mistake(nothing, capsys):
    assert said(check.decompose, lambda h, f: (nothing, nothing), capsys).startswith("○ ")


test_the_challenge_is_judged_by_its_panel = judged(explore.hidden_test, check.near_bayes, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.hidden_test, check.near_bayes)
test_the_challenge_wants_its_own_panel = refuses_others(check.near_bayes)
