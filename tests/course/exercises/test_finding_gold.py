"""Right answers of notebook 13 in several ways, and typical wrong ones, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, fixed, hard_coded, judged, refused, unanswered, unmet_by_scenes
from scipy.stats import multivariate_normal, norm

from kernelkit.course.exercises import finding_gold as check
from kernelkit.course.explorers import finding_gold as explore


def inverse(K, noise):
    return np.linalg.inv(K + noise * np.eye(len(K)))


def predicted(mean=None, std=None, order=slice(None)):
    """An answer of the first exercise with one of its two parts replaced."""

    def answer(K, C, prior, y, noise):
        G = inverse(K, noise)
        gain = np.einsum("ij,jk,ik->i", C, G, C)
        m = C @ G @ y if mean is None else mean(K, C, y, noise)
        s = np.sqrt(prior - gain) if std is None else std(prior, gain, K, C, noise)
        return (m, s)[order]

    return answer


def by_solve(K, C, prior, y, noise):
    A = np.linalg.solve(K + noise * np.eye(len(y)), C.T).T
    return A @ y, np.sqrt(prior - (A * C).sum(axis=1))


def by_cholesky(K, C, prior, y, noise):
    L = np.linalg.cholesky(K + noise * np.eye(len(y)))
    V = np.linalg.solve(L, C.T)
    return [list(V.T @ np.linalg.solve(L, y)), (prior - np.square(V).sum(0)) ** 0.5]


def terms(fit=0.5, det=0.5, constant=0.5, wrap=lambda v: v, root=lambda d: d):
    """An answer of the second exercise: the weights of its three terms."""

    def answer(K, y, noise):
        G = K + noise * np.eye(len(y))
        parts = y @ np.linalg.solve(G, y), root(np.linalg.slogdet(G)[1]), len(y) * np.log(2 * np.pi)
        return wrap(-(fit * parts[0] + det * parts[1] + constant * parts[2]))

    return answer


def by_root(K, y, noise):
    L = np.linalg.cholesky(K + noise * np.eye(len(y)))
    v = np.linalg.solve(L, y)
    return -v @ v / 2 - np.log(np.diag(L)).sum() - len(y) / 2 * np.log(2 * np.pi)


def expected(change=lambda m, s, b: (m, s, b), value=None):
    def answer(mean, std, best):
        m, s, b = change(mean, std, best)
        u = (m - b) / s
        return (m - b) * norm.cdf(u) + s * norm.pdf(u) if value is None else value(m, s, b, u)

    return answer


def by_summing(mean, std, best):
    t = np.linspace(-9, 9, 20001)
    density = norm.pdf(t) * (t[1] - t[0])
    return [float(np.maximum(m + s * t - best, 0) @ density) for m, s in zip(mean, std, strict=True)]


RIGHT = [
    (check.predict, predicted()),
    (check.predict, by_solve),
    (check.predict, by_cholesky),
    (check.predict, lambda *a: np.array(by_solve(*a))),
    (check.evidence, terms()),
    (check.evidence, by_root),
    (check.evidence, lambda K, y, noise: multivariate_normal(np.zeros(len(y)), K + noise * np.eye(len(y))).logpdf(y)),
    (check.evidence, lambda K, y, noise: np.log(np.exp(terms()(K, y, noise)))),
    (check.gain, expected()),
    (check.gain, by_summing),
    (check.gain, lambda m, s, b: s * ((m - b) / s * norm.cdf((m - b) / s) + norm.pdf((b - m) / s))),
]
WRONG = [
    (check.predict, predicted(order=slice(None, None, -1)), "mean comes first"),
    (check.predict, predicted(mean=lambda K, C, y, n: C @ np.linalg.solve(K, y)), "noise is missing: G"),
    (check.predict, predicted(mean=lambda K, C, y, n: C @ y), "as if it were alone"),
    (check.predict, predicted(mean=lambda K, C, y, n: C @ inverse(K, n**2) @ y), "variance already"),
    (check.predict, predicted(mean=lambda K, C, y, n: C @ np.linalg.solve(K + n, y)), "every entry of K"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(np.maximum(p - g, n))), "second deviation should be"),
    (check.predict, predicted(mean=lambda K, C, y, n: 0 * C @ y), "first mean should be"),
    (check.predict, predicted(std=lambda p, g, K, C, n: p - g), "deviation is its root"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(p)), "prior's deviation"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(g)), "subtract it from"),
    (check.predict, predicted(std=lambda p, g, K, C, n: g), "subtract it from"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(p - g + n)), "new measurement"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(p + g)), "minus, not plus"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(np.maximum(1 - g, 0))), "not for every kernel"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(K[0, 0] - g)), "of another place"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(np.diag(K).mean() - g)), "of another place"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(np.diag(K)[: len(p)] - g)), "of another place"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(p[0] - g)), "of another place"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.sqrt(p.mean() - g)), "of another place"),
    (
        check.predict,
        predicted(
            std=lambda p, g, K, C, n: np.sqrt(np.maximum(p - np.einsum("ij,jk,ik->i", C, np.linalg.inv(K), C), 0))
        ),
        "missing in the deviation",
    ),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.diag(p) - C @ inverse(K, n) @ C.T), "its diagonal"),
    (check.predict, predicted(std=lambda p, g, K, C, n: np.full(3, np.nan)), "what is minus what"),
    (check.predict, predicted(std=lambda p, g, K, C, n: 0 * p), "first deviation should be"),
    (check.predict, predicted(std=lambda p, g, K, C, n: 0.3), "shape"),
    (check.predict, lambda *a: by_solve(*a)[:1] * 2, "first deviation should be"),
    (check.predict, lambda *a: by_solve(*a)[1:] * 2, "first mean should be"),
    (check.predict, lambda *a: by_solve(*a)[0], "return two things"),
    (check.predict, lambda *a: 1.0, "return two things"),
    (check.predict, lambda *a: ("a", "b"), "array of numbers"),
    (check.predict, lambda K: K, "stopped with TypeError"),
    (check.evidence, terms(wrap=lambda v: -v), "sign is turned"),
    (check.evidence, terms(1, 1, 1), "half is missing: all three"),
    (check.evidence, terms(1), "before yᵀG⁻¹y"),
    (check.evidence, terms(0.5, 1), "before log det G"),
    (check.evidence, terms(constant=1), "half before n log 2π"),
    (check.evidence, lambda K, y, noise: terms()(K, y, noise**2), "variance already"),
    (check.evidence, terms(0.5, 0.25), "no half before it"),
    (check.evidence, terms(0.5, -0.5), "minus sign too"),
    (check.evidence, terms(constant=0), "constant is missing"),
    (check.evidence, terms(constant=0.5 / 9), "there are n measurements"),
    (check.evidence, terms(det=0), "restraint"),
    (check.evidence, terms(0.5, 0, 0), "fit alone"),
    (check.evidence, terms(root=np.exp), "logarithm of the determinant"),
    (check.evidence, terms(wrap=np.exp), "return its logarithm"),
    (check.evidence, terms(wrap=lambda v: v / 9), "mean for one point"),
    (check.evidence, lambda K, y, noise: terms()(K, y, 1e-12), "noise is missing"),
    (check.evidence, lambda K, y, noise: 0.0, "it should be"),
    (check.evidence, lambda K, y, noise: y, "one number"),
    (check.evidence, lambda K, y, noise: "−12", "not the text"),
    (check.gain, expected(value=lambda m, s, b, u: norm.cdf(u)), "probability of a gain"),
    (check.gain, expected(value=lambda m, s, b, u: np.maximum(m - b, 0)), "mean alone"),
    (check.gain, expected(value=lambda m, s, b, u: (m - b) * norm.cdf(u) + norm.pdf(u)), "factor std"),
    (check.gain, expected(value=lambda m, s, b, u: (m - b) * norm.cdf(u)), "second term"),
    (check.gain, expected(value=lambda m, s, b, u: s * norm.pdf(u)), "first term"),
    (check.gain, expected(lambda m, s, b: (-m, s, -b)), "turned over"),
    (check.gain, expected(value=lambda m, s, b, u: (m - b) * norm.cdf(m - b) + s * norm.pdf(m - b)), "divide by std"),
    (check.gain, expected(lambda m, s, b: (m, s**2, b)), "do not square"),
    (check.gain, expected(lambda m, s, b: (m, s**0.5, b)), "no root"),
    (check.gain, expected(value=lambda m, s, b, u: (m - b) * norm.pdf(u) + s * norm.cdf(u)), "swapped"),
    (check.gain, expected(lambda m, s, b: (m / s, s / s, b / s)), "multiply by std"),
    (check.gain, expected(lambda m, s, b: (m, s, m.max())), "use the best that is handed in"),
    (check.gain, lambda m, s, b: expected()(m, s, b) + b, "subtract best"),
    (check.gain, lambda m, s, b: expected()(m, s, b) + expected()(-m, s, -b), "the gain is 0"),
    (check.gain, lambda m, s, b: expected()(m, s, b) * (m > -1), "third gain should be"),
    (check.gain, expected(value=lambda m, s, b, u: m + 2 * s), "another strategy"),
    (check.gain, expected(value=lambda m, s, b, u: 0 * m), "first gain should be"),
    (check.gain, expected(value=lambda m, s, b, u: 0.2), "shape"),
    (check.gain, lambda m, s, b: norm.nothing(m), "stopped with AttributeError"),
    (check.predict, fixed(predicted(), 4, 0.3), "wrong for 5 and noise 0.05"),
    (check.predict, hard_coded(predicted()), "for 4 new points the mean"),
    (check.predict, lambda *v: (predicted()(*v)[0], [[1.0], [1.0, 2.0]]), "parts of yours have different lengths"),
    (check.evidence, fixed(terms(), 2, 0.4), "for 5 measurements and noise 0.1 it should be"),
    (check.evidence, hard_coded(terms()), "for 5 measurements and noise 0.1 it should be"),
    (check.gain, fixed(expected(), 2, 1.1), "wrong for other places and best"),
    (check.gain, hard_coded(expected()), "the gain should have shape (3,)"),
]

GOLD = [
    ({"number": 25, "holes": "F12 S12 H11 J12 H9 G9 I9 J8"}, "✓", "right"),
    ({"number": 33, "holes": "F12 S12 K12 L10 M12 M16 O15 K16 M20 N20"}, "✓", "right"),
    ({"holes": "F12 S12 H11 J12 H9 G9 I9 J8 A1 A2 A3"}, "✗", "ten are paid for"),
    ({"number": 3}, "✗", "there is no hole yet"),
    ({"holes": "map 7: F12"}, "✗", "there is no hole yet"),
    ({"ground": "smooth", "holes": "X24"}, "✗", "choose another ground"),
    ({"holes": "gold!"}, "✗", "not a place of the map"),
    ({"holes": "A1"}, "✗", "You have 9 holes left"),
    ({"holes": "A1 L1 X1 A12 L12 X12 A24 L24 X24 R18"}, "✗", "climb from the rich ones"),
    ({"holes": "A1 A2 A3 B1 B2 B3 C1 C2 C3 D1"}, "✗", "fog is still thick"),
    ({"holes": "A1 A2 A3 B1 B2 B3 C1 C2 X24 X23"}, "✗", "Ask the ghost"),
]
FIVE = [
    ({"ground": "smooth", "holes": "E5 E20 T5 T20 M13"}, "✓", "right"),
    ({"ground": "smooth", "number": 7, "holes": "d4 d21 u4 u21 m12"}, "✓", "right"),
    ({"holes": "E5 E20 T5 T20 M13"}, "✗", "first choose the smooth ground"),
    ({"ground": "smooth", "holes": "E5 E20 T5 T20"}, "✗", "exactly five"),
    ({"ground": "smooth", "holes": "J10 J15 O10 O15 M13"}, "✗", "at a corner"),
    ({"ground": "smooth", "holes": "A8 A17 X8 X17 L12"}, "✗", "at a side"),
    ({"ground": "smooth", "holes": "A1 A24 X1 X24 A12"}, "✗", "inside the map"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_gold_is_judged_by_its_panel = judged(explore.gold_rush, check.find_gold, GOLD)
test_five_holes_are_judged_by_their_panel = judged(explore.gold_rush, check.five_holes, FIVE)
test_no_scene_finds_the_gold = unmet_by_scenes(explore.gold_rush, check.find_gold)
test_no_scene_places_the_five = unmet_by_scenes(explore.gold_rush, check.five_holes)


def test_the_challenges_want_their_panel(capsys):
    other = explore.posterior()
    other.set(sigma=2.0)
    for wrong in (other, 3.0, "panel", {"holes": "A1"}):
        for challenge in (check.find_gold, check.five_holes):
            challenge(wrong)
            assert capsys.readouterr().out.startswith("✗")
