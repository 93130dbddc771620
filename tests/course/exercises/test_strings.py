"""Right answers of notebook 14 in several ways, and typical wrong ones, each with the message it meets."""

from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
from course.exercises.answers import accepted, hard_coded, judged, refused, refuses_others, unanswered, unmet_by_scenes

from kernelkit import Normalized, Subsequences, Substrings
from kernelkit.course.exercises import strings as check
from kernelkit.course.explorers import strings as explore


def readings(x, p):
    return [("".join(x[j] for j in i), i[-1] - i[0] + 1) for i in combinations(range(len(x)), p)]


def by_readings(X, p, gamma, weight=lambda gamma, a, b: gamma ** (a + b)):
    return np.array(
        [
            [sum(weight(gamma, a, b) for u, a in readings(x, p) for v, b in readings(z, p) if u == v) for z in X]
            for x in X
        ]
    )


def by_dictionaries(X, p, gamma, add=lambda old, new: old + new):
    Phi = []
    for x in X:
        amounts = defaultdict(float)
        for u, span in readings(x, p):
            amounts[u] = add(amounts[u], gamma**span)
        Phi.append(amounts)
    return [[sum(a[u] * b[u] for u in a if u in b) for b in Phi] for a in Phi]


def by_the_table(X, p, gamma):
    def pair(x, z):
        M = gamma**2 * np.equal.outer([ord(c) for c in x], [ord(c) for c in z])
        for _ in range(1, p):
            S = np.zeros((len(x) + 1, len(z) + 1))
            for i in range(len(x)):
                for j in range(len(z)):
                    S[i + 1, j + 1] = M[i, j] + gamma * (S[i, j + 1] + S[i + 1, j]) - gamma**2 * S[i, j]
            M = gamma**2 * (M > 0) * 0 + gamma**2 * np.equal.outer([*map(ord, x)], [*map(ord, z)]) * S[:-1, :-1]
        return M.sum()

    return np.array([[pair(x, z) for z in X] for x in X])


def over_a_counter(X, p, gamma):
    Phi = [Counter() for _ in X]
    for amounts, x in zip(Phi, X, strict=True):
        for u, span in readings(x, p):
            amounts[u] += gamma**span
    return np.array([[sum(a[u] * b[u] for u in a) for b in Phi] for a in Phi])


def packaged(length, decay):
    return lambda X, p, gamma: Subsequences(length or p, decay or gamma)(X)


def row(above, M, gamma, corner=lambda gamma: -(gamma**2)):
    S = []
    for j in range(len(M)):
        S.append(M[j] + gamma * above[j] + (gamma * S[-1] + corner(gamma) * above[j - 1] if j else 0))
    return np.array(S)


def round_the_corner(above, M, gamma):
    """In the first column Python takes the last number for the one before."""
    S = np.zeros(len(M))
    for j in range(len(M)):
        S[j] = M[j] + gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1]
    return S


def over_a_copy(above, M, gamma, corner=1.0):
    """In the first column Python takes the last number of M for the one to the left, and may be that of above."""
    S = M.copy()
    for j in range(len(M)):
        S[j] += gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1] * (1.0 if j else corner)
    return S


def corner_from_the_new_row(above, M, gamma):
    S = []
    for j in range(len(M)):
        S.append(M[j] + gamma * above[j] + ((gamma - gamma**2) * S[-1] if j else 0))
    return S


def from_the_second_on(above, M, gamma, first):
    S = np.zeros(len(M))
    S[0] = first
    for j in range(1, len(M)):
        S[j] = M[j] + gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1]
    return S


def over_the_row_above(above, M, gamma):
    for j in range(len(M)):
        above[j] = M[j] + gamma * above[j] + (gamma - gamma**2) * (above[j - 1] if j else 0)
    return above


def row_by_powers(above, M, gamma):
    """What is new in the row, run along it, and what comes from above."""
    steps = np.subtract.outer(np.arange(len(M)), np.arange(len(M)))
    return np.where(steps >= 0, gamma ** np.maximum(steps, 0.0), 0) @ M + gamma * above


def in_place(K):
    for i, j in np.ndindex(K.shape):
        K[i, j] /= np.sqrt(K[i, i] * K[j, j])
    return K


def without_repeats(X, p, gamma):
    """Each word counts once for each of its spans."""
    return np.array(
        [
            [sum(gamma ** (a + b) for u, a in {*readings(x, p)} for v, b in {*readings(z, p)} if u == v) for z in X]
            for x in X
        ]
    )


def shifted(v):
    return np.append(0.0, v[:-1])


def root(K):
    return np.sqrt(np.where(K.diagonal() > 0, K.diagonal(), np.inf))


def with_care(K):
    out = np.zeros(K.shape)
    for i in range(len(K)):
        for j in range(len(K)):
            if K[i, i] * K[j, j] > 0:
                out[i, j] = K[i, j] / (K[i, i] * K[j, j]) ** 0.5
    return out.tolist()


RIGHT = [
    (check.gram, by_readings),
    (check.gram, by_dictionaries),
    (check.gram, by_the_table),
    (check.gram, over_a_counter),
    (check.gram, packaged(None, None)),
    (check.next_row, row),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma).tolist()),
    (check.next_row, row_by_powers),
    (check.normalise, lambda K: K / root(K) / root(K)[:, None]),
    (check.normalise, lambda K: K / np.outer(root(K), root(K))),
    (check.normalise, lambda K: np.nan_to_num(K / np.sqrt(np.outer(K.diagonal(), K.diagonal())))),
    (check.normalise, with_care),
    (check.normalise, lambda K: np.diag(1 / root(K)) @ K @ np.diag(1 / root(K))),
    (check.normalise, lambda K: np.divide(K, np.sqrt(np.outer(np.diag(K), np.diag(K))), out=0 * K, where=K > 0)),
]
WRONG = [
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma) / gamma**2, "last place − first place + 1"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma) / gamma ** (2 * p), "this counts the gaps only"),
    (check.gram, lambda X, p, gamma: np.full((3, 3), 1e300), "yours is 1e+300"),
    (check.gram, packaged(None, 1.0), "every reading counts 1"),
    (check.gram, lambda X, p, gamma: gamma ** (2 * p) * by_readings(X, p, 1.0), "whatever the gaps"),
    (check.gram, lambda X, p, gamma: Substrings(p)(X), "letters with gaps"),
    (check.gram, lambda X, p, gamma: sum(Subsequences(q, gamma)(X) for q in range(1, p + 1)), "exactly p letters"),
    (check.gram, lambda X, p, gamma: Normalized(Subsequences(p, gamma))(X), "normalised already"),
    (check.gram, lambda X, p, gamma: np.triu(by_readings(X, p, gamma)), "fill both halves"),
    (check.gram, lambda X, p, gamma: by_dictionaries(X, p, gamma, lambda old, new: new), "add up all of them"),
    (check.gram, lambda X, p, gamma: by_dictionaries(X, p, gamma, max), "add up all of them"),
    (check.gram, lambda X, p, gamma: by_dictionaries(X, p, 1.0, max), "counts the shared words"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma, lambda g, a, b: g**a), "in one string only"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma, lambda g, a, b: g ** max(a, b)), "should be"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma)[0], "should have shape (3, 3)"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma)[0, 1], "should have shape (3, 3)"),
    (check.gram, lambda X, p, gamma: X, "array of numbers"),
    (check.gram, lambda X, p, gamma: [[u for u in X]] * 3, "array of numbers"),
    (check.gram, packaged(2, 0.5), "p = 3, γ = 0.9"),
    (check.gram, packaged(None, 0.5), "p = 3, γ = 0.9"),
    (check.gram, without_repeats, "twice with the same span"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma) + 1j, "should be real"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma) + np.diag([0, 0, 1.0]), "k(“tact”, “tact”) should be"),
    (check.gram, lambda X, p, gamma: by_readings(X, p, gamma).round(4), "should be 0.140625, yours is 0.1406"),
    *((check.gram, lambda X, p, gamma, d=d: by_readings(X, p, gamma).round(d), "do not round") for d in (2, 3, 5)),
    (check.gram, lambda X, p: X, "stopped with TypeError"),
    (check.gram, lambda X, p, gamma: [[len(x) for x in X]], "should have shape"),
    (check.next_row, lambda above, M, gamma: M, "this is the row of M"),
    (check.next_row, lambda above, M, gamma: row(0 * above, M, gamma), "what comes from above, is missing"),
    (check.next_row, lambda above, M, gamma: M + gamma * above, "from the left in the row, is missing"),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma, lambda g: 0.0), "along both ways"),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma, lambda g: g**2), "subtracted, not added"),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma, lambda g: -g), "γ², not γ"),
    (check.next_row, lambda above, M, gamma: row(above, M, 1.0), "each step costs"),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma, lambda g: -1.0), "each step costs"),
    (check.next_row, lambda above, M, gamma: row(above, M - gamma * above, gamma), "what comes from above, is missing"),
    (check.next_row, lambda above, M, gamma: M + gamma * above - gamma**2 * shifted(above), "from the left in the row"),
    (check.next_row, round_the_corner, "to the left of it is 0"),
    (check.next_row, over_a_copy, "at j - 1 is the last one"),
    (check.next_row, lambda above, M, gamma: over_a_copy(above, M, gamma, 0.0), "at j - 1 is the last one"),
    (check.next_row, lambda above, M, gamma: M + gamma * above + gamma * np.roll(M, 1), "it should be"),
    (check.next_row, lambda above, M, gamma: from_the_second_on(above, M, gamma, M[0]), "the first column, too"),
    (check.next_row, lambda above, M, gamma: from_the_second_on(above, M, gamma, 0.0), "the first column, too"),
    (check.next_row, over_the_row_above, "needed as the corner"),
    (check.next_row, corner_from_the_new_row, "your corner comes from the new row"),
    (
        check.next_row,
        lambda above, M, gamma: M + gamma * above + gamma * shifted(M) - gamma**2 * shifted(above),
        "which you have just computed",
    ),
    (check.next_row, lambda above, M, gamma: np.append(0.0, row(above, M, gamma)), "should have shape (4,)"),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma)[-1], "should have shape (4,)"),
    (check.next_row, lambda above, M, gamma: np.cumsum(M), "it should be"),
    (check.next_row, lambda above, M, gamma: row(above, M, 0.5), "for γ = 0.9"),
    (
        check.next_row,
        lambda above, M, gamma: row(above, M, gamma) + np.eye(len(M))[0] * (gamma > 0.8),
        "three numbers: number 1 should be",
    ),
    (check.next_row, lambda above, M, gamma: row(above, M, gamma)[::-1], "it should be"),
    (check.next_row, lambda above, M, gamma: "row", "should be an array of numbers"),
    (check.next_row, lambda above, M: M, "stopped with TypeError"),
    (check.next_row, lambda above, M, gamma: [M[j] + gamma * M[j + 1] for j in range(4)], "stopped with IndexError"),
    (check.normalise, lambda K: K, "this is K"),
    (check.normalise, lambda K: K / np.outer(root(K) ** 2, root(K) ** 2), "the root is missing"),
    (check.normalise, lambda K: K / root(K) ** 2, "K of one of the two"),
    (check.normalise, lambda K: K / root(K)[:, None] ** 2, "K of one of the two"),
    (check.normalise, lambda K: K / root(K), "for rows and for columns"),
    (check.normalise, lambda K: K / K.max(), "one number for all"),
    (check.normalise, lambda K: K / np.linalg.norm(K, axis=1, keepdims=True), "rows of K as long as 1"),
    (check.normalise, lambda K: 2 - 2 * K / np.outer(root(K), root(K)), "squared distance"),
    (check.normalise, lambda K: K / np.sqrt(np.outer(K.diagonal(), K.diagonal())), "you divide by 0"),
    (
        check.normalise,
        lambda K: (K + 1e-9) / np.outer(np.sqrt(K.diagonal() + 1e-9), np.sqrt(K.diagonal() + 1e-9)),
        "should be 0",
    ),
    (check.normalise, lambda K: K[:3, :3] / np.outer(root(K), root(K))[:3, :3], "should have shape (4, 4)"),
    (check.normalise, lambda K: K / np.linalg.norm(K, axis=0), "rows of K as long as 1"),
    (
        check.normalise,
        lambda K: [[float(k) / float(K[i, i] * K[j, j]) ** 0.5 for j, k in enumerate(row)] for i, row in enumerate(K)],
        "you divide by 0",
    ),
    (check.normalise, in_place, "keep the roots first"),
    (check.normalise, lambda K: np.eye(4), "of “cat” and “cart” it should be"),
    (check.normalise, lambda K: with_care(K) + 0.5 * np.eye(4), "of “cat” and “cat” it should be 1.0000, yours is 1.5"),
    (check.normalise, lambda K: np.sqrt(K), "it should be"),
    (check.normalise, lambda K: K[0, 1] / np.sqrt(K[0, 0] * K[1, 1]), "should have shape"),
    (check.normalise, lambda K: np.full((4, 4), 1e300), "yours is 1e+300"),
    (check.normalise, lambda K: "cosine", "array of numbers"),
    (check.normalise, lambda: 1, "stopped with TypeError"),
    (check.normalise, hard_coded(with_care), "K̂ of three strings should have shape (3, 3)"),
    (
        check.normalise,
        lambda K: np.pad(Normalized(Subsequences(2, 0.5))(["cat", "cart", "cartography"]), (0, 1))[: len(K), : len(K)],
        "K̂ of others: k(“”, “”) should be 0.0000, yours is 1.",
    ),
]
PAIRS = [
    ({"x": "bananana", "z": "banananana", "length": 2}, "✓", "right"),
    ({"x": "aa", "z": "aaa", "length": 2}, "✓", "right"),
    ({"x": "lalala", "z": "lalalala", "length": 3, "decay": 0.8}, "✓", "right"),
    ({"x": "listen", "z": "silent", "length": 1}, "✗", "single letters know no order"),
    ({"x": "cat", "z": "cat", "length": 2}, "✗", "take two different words"),
    ({"x": "cat", "z": " CAT. ", "length": 2}, "✗", "both are “cat”"),
    ({"x": "a" * 11, "z": "a" * 12, "length": 2}, "✗", "10 at most"),
    ({"x": "bananana", "z": "banananana", "length": 2, "shorter": True}, "✗", "clear “and all shorter ones”"),
    ({"x": "cat", "z": "dog", "length": 2}, "✗", "share no word of 2 letters"),
    ({"x": "", "z": "dog", "length": 2}, "✗", "share no word"),
    ({"length": 3}, "✗", "not above 0.9 yet"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_words_are_judged_by_their_panel = judged(explore.table, check.alike, PAIRS)
test_no_scene_is_different_and_alike = unmet_by_scenes(explore.table, check.alike)
test_the_challenge_wants_its_panel = refuses_others(check.alike)
