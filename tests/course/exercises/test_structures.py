"""Right answers of notebook 15 in several ways, and typical wrong ones, each with the message it meets."""

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb, prod

import numpy as np
from course.exercises.answers import accepted, judged, refused, refuses_others, unanswered, unmet_by_scenes

from kernelkit import MeanMap, Precomputed
from kernelkit.course.exercises import structures as check
from kernelkit.course.explorers import structures as explore


def inside(bag):
    return (bag[:, None] == np.arange(bag.max() + 1)).astype(float)


def by_weights(K, bag):
    A = inside(bag) / inside(bag).sum(axis=0)
    return A.T @ K @ A


def by_blocks(K, bag):
    return [[np.mean(K[np.ix_(bag == b, bag == c)]) for c in range(bag.max() + 1)] for b in range(bag.max() + 1)]


def sums(K, bag):
    return inside(bag).T @ K @ inside(bag)


def sizes(bag):
    return np.bincount(bag)


def near(A, i):
    return np.flatnonzero(A[i])


def by_counters(A, colours):
    return [(c, tuple(sorted(Counter(colours[j] for j in near(A, i)).items()))) for i, c in enumerate(colours)]


def by_numbers(A, colours):
    names = {}
    return [names.setdefault(value, 10 * len(names)) for value in by_counters(A, colours)]


def by_lists(A, colours):
    return [[colours[i], sorted(colours[j] for j in near(A, i))] for i in range(len(A))]


def by_array(A, colours):
    """For each vertex a row: the own colour, and how many neighbours have colour 0, 1, 2, …"""
    colours = np.array(colours)
    return np.column_stack([colours, A @ (colours[:, None] == np.arange(colours.max() + 1))])


def by_text(A, colours):
    return np.array([str(value) for value in by_counters(A, colours)])


def by_rule(rule, kept=lambda own, around: own):
    """New colours of the own one, as kept, and of what the rule makes of the sorted colours around."""

    def answer(A, colours):
        arounds = [sorted(colours[j] for j in near(A, i)) for i in range(len(A))]
        return [(kept(own, around), rule(around)) for own, around in zip(colours, arounds, strict=True)]

    return answer


def ends(around):
    return len(around), around[:1], around[-1:]


def pattern(around):
    """How often each colour appears, without saying which."""
    return frozenset(around), tuple(sorted(Counter(around).values()))


def capped(most):
    return lambda around: tuple((c, min(n, most)) for c, n in sorted(Counter(around).items()))


def remainders(m):
    return lambda around: (len(around), tuple((c, n % m) for c, n in sorted(Counter(around).items())))


def moments(highest):
    return lambda around: [sum(c**p for c in around) for p in range(highest + 1)]


def digits(around):
    """One number to the base 100, whose first digits are the number of neighbours."""
    return sum(100**p * c for p, c in enumerate([*around[::-1], len(around)]))


def powers(base):
    return lambda around: sum(base**c for c in around)


def one_by_one(A, colours, code):
    """New colours written over the old ones, which later vertices still need."""
    for i in range(len(A)):
        colours[i] = code((colours[i], tuple(sorted(colours[j] for j in near(A, i)))))
    return colours


def written_back(A, colours):
    colours[:] = by_numbers(A, colours)
    return colours


def others_only(K, bag):
    """Inside a bag no number meets itself."""
    n = np.maximum(sizes(bag), 2)
    own = (sums(K, bag).diagonal() - inside(bag).T @ K.diagonal()) / (n * (n - 1))
    return by_weights(K, bag) - np.diag(by_weights(K, bag).diagonal() - own)


def by_table(k_0, join=sum, diagonal=True, first=1.0, border=0.0, start=True):
    M = np.full(np.add(k_0.shape, 1), border)
    M[0, 0] = first
    for s, t in np.ndindex(k_0.shape):
        before = [M[s, t + 1], M[s + 1, t], *([M[s, t]] if diagonal or (s == t == 0 and start) else [])]
        M[s + 1, t + 1] = k_0[s, t] * join(before)
    return M[-1, -1]


def first_row_of_k_0(k_0):
    M = k_0.copy()
    for s, t in np.argwhere(k_0[1:, 1:] > 0) + 1:
        M[s, t] = k_0[s, t] * (M[s - 1, t - 1] + M[s - 1, t] + M[s, t - 1])
    return M[-1, -1]


def never_at_the_first(k_0):
    """The first row and the first column of M left empty."""
    M = np.zeros(k_0.shape)
    M[0, 0] = k_0[0, 0]
    for s, t in np.argwhere(k_0[1:, 1:] > 0) + 1:
        M[s, t] = k_0[s, t] * (M[s - 1, t - 1] + M[s - 1, t] + M[s, t - 1])
    return M[-1, -1]


def by_recursion(k_0):
    @cache
    def M(s, t):
        if s < 0 or t < 0:
            return 0.0
        return float(k_0[s, t]) * (1.0 if s == t == 0 else M(s - 1, t - 1) + M(s - 1, t) + M(s, t - 1))

    return np.array(M(k_0.shape[0] - 1, k_0.shape[1] - 1))


def by_paths(k_0):
    n, m = k_0.shape

    def paths(s, t):
        if (s, t) == (n - 1, m - 1):
            return k_0[s, t]
        return k_0[s, t] * sum(paths(a, b) for a, b in ((s + 1, t), (s, t + 1), (s + 1, t + 1)) if a < n and b < m)

    return paths(0, 0)


def by_moves(k_0, *moves):
    """The last entry where a place is reached by some of the three moves only."""
    M = np.zeros(np.add(k_0.shape, 1))
    M[0, 0] = 1
    for s, t in np.ndindex(k_0.shape):
        M[s + 1, t + 1] = k_0[s, t] * sum(M[s + a, t + b] for a, b in moves)
    return M[-1, -1]


def joined(numbers, more=()):
    """All numbers in one text, nothing in between."""
    return "".join(map(str, [*numbers, *more]))


RIGHT = [
    (check.common_pairs, lambda A, B: len(A & B) * (len(A & B) - 1) / 2),
    (check.common_pairs, lambda A, B: comb(len(A & B), 2)),
    (check.common_pairs, lambda A, B: len([*combinations(A & B, 2)])),
    (check.common_pairs, lambda A, B: sum({a, b} <= A and {a, b} <= B for a in A for b in A if a != b) / 2),
    (check.of_bags, by_weights),
    (check.of_bags, by_blocks),
    (check.of_bags, lambda K, bag: sums(K, bag) / np.outer(sizes(bag), sizes(bag))),
    (check.of_bags, lambda K, bag: np.array(by_blocks(K.tolist() and K, bag)).T),
    (check.one_round, by_counters),
    (check.one_round, by_numbers),
    (check.one_round, by_lists),
    (check.one_round, by_text),
    (
        check.one_round,
        lambda A, colours: [f"{c}: {sorted(colours[j] for j in near(A, i))}" for i, c in enumerate(colours)],
    ),
    (check.one_round, lambda A, colours: np.array(by_numbers(A, colours))),
    (check.one_round, lambda A, colours: tuple(by_numbers(A, colours))),
    (check.one_round, written_back),
    (check.one_round, by_rule(tuple, kept=lambda own, around: own + sum(around))),
    (check.one_round, by_rule(powers(1000))),
    (check.one_round, lambda A, colours: [(c, Counter(colours[j] for j in near(A, i))) for i, c in enumerate(colours)]),
    (check.one_round, lambda A, colours: [hash(pair) for pair in by_counters(A, colours)]),
    (check.one_round, lambda A, colours: iter(by_counters(A, colours))),
    (check.one_round, by_array),
    (check.all_alignments, by_table),
    (check.all_alignments, by_recursion),
    (check.all_alignments, by_paths),
]
WRONG = [
    (check.common_pairs, lambda A, B: len(A & B), "count pairs of them"),
    (check.common_pairs, lambda A, B: 2 ** len(A & B), "of any size"),
    (check.common_pairs, lambda A, B: len(A & B) ** 2, "it counts {a, b} and {b, a}"),
    (check.common_pairs, lambda A, B: len(A & B) * (len(A & B) - 1), "twice"),
    (check.common_pairs, lambda A, B: sum(range(len(A & B) + 1)), "with itself"),
    (check.common_pairs, lambda A, B: comb(len(A), 2) * comb(len(B), 2), "must be in both"),
    (check.common_pairs, lambda A, B: comb(len(A | B), 2), "of the union"),
    (check.common_pairs, lambda A, B: len(A) * len(B), "an element of A with one of B"),
    (check.common_pairs, lambda A, B: sum(a != b for a in A for b in B), "an element of A with one of B"),
    (check.common_pairs, lambda A, B: 21, "for sets of 1 and 2"),
    (check.common_pairs, lambda A, B: 7.5, "it should be 21"),
    (check.common_pairs, lambda A, B: comb(len(A & B), 3), "it should be 21"),
    (check.common_pairs, lambda A, B: len(A | B), "it should be 21"),
    (check.common_pairs, lambda A, B: len(A ^ B), "it should be 21"),  # 0 for two equal sets, like ordered pairs
    (check.common_pairs, lambda A, B: comb(len(A), 2), "the pairs of one set"),
    (check.common_pairs, lambda A, B: comb(len(B), 2), "the pairs of one set"),
    (check.common_pairs, lambda A, B: len({*combinations(A, 2)} & {*combinations(B, 2)}), "are one pair"),
    (check.common_pairs, lambda A, B: A & B, "one real number"),
    (check.common_pairs, lambda A, B: [*combinations(A & B, 2)], "the answer is one number"),
    (check.common_pairs, lambda A, B: "six", "not the text"),
    (check.common_pairs, lambda A: 6, "stopped with TypeError"),
    (check.of_bags, sums, "these are sums"),
    (check.of_bags, lambda K, bag: sums(K, bag) / sizes(bag), "of one bag only"),
    (check.of_bags, lambda K, bag: sums(K, bag) / sizes(bag)[:, None], "of one bag only"),
    (check.of_bags, lambda K, bag: sums(K, bag) / len(K) ** 2, "divided by n²"),
    (check.of_bags, lambda K, bag: sums(K, bag) / len(K), "divided by n;"),
    (check.of_bags, lambda K, bag: MeanMap(Precomputed()) and K, "shape (3, 3)"),
    (check.of_bags, lambda K, bag: np.diag([np.diag(K)[bag == b].mean() for b in range(bag.max() + 1)]), "itself only"),
    (
        check.of_bags,
        lambda K, bag: np.subtract.outer(d := np.diag(by_weights(K, bag)), -d) - 2 * by_weights(K, bag),
        "squared distance",
    ),
    (check.of_bags, lambda K, bag: by_weights(K, bag) + 1j, "should be real"),
    (check.of_bags, others_only, "meets itself, too"),
    (check.of_bags, lambda K, bag: by_weights(K, bag) + 1, "of bags 0 and 0 it should be"),
    (check.of_bags, lambda K, bag: by_weights(K, np.array([1, 0, 2, 1, 1, 0])), "stopped with"),
    (check.of_bags, lambda K, bag: "bags", "array of numbers"),
    (check.of_bags, lambda K, bag: by_weights(K, bag).sum(), "shape (3, 3)"),
    (check.one_round, lambda A, colours: colours, "old colours"),
    (check.one_round, lambda A, colours: [near for _, near in by_counters(A, colours)], "own colour is missing"),
    (
        check.one_round,
        lambda A, colours: [(c, tuple(sorted({colours[j] for j in near(A, i)}))) for i, c in enumerate(colours)],
        "as a set",
    ),
    (
        check.one_round,
        lambda A, colours: [(c, tuple(colours[j] for j in near(A, i))) for i, c in enumerate(colours)],
        "numbered",
    ),
    (
        check.one_round,
        lambda A, colours: [(c, sum(colours[j] for j in near(A, i))) for i, c in enumerate(colours)],
        "add the colours up",
    ),
    (check.one_round, lambda A, colours: (A @ colours + colours).tolist(), "may have the same sum"),
    (check.one_round, lambda A, colours: [*zip(colours, A.sum(axis=0), strict=True)], "count the neighbours"),
    (check.one_round, lambda A, colours: one_by_one(A, colours, lambda pair: pair), "a list of their own"),
    (check.one_round, lambda A, colours: one_by_one(A, colours, hash), "a list of their own"),
    (
        check.one_round,
        lambda A, colours: [tuple(sorted([c, *(colours[j] for j in near(A, i))])) for i, c in enumerate(colours)],
        "keep it apart",
    ),
    (check.one_round, lambda A, colours: [(c, tuple(near(A, i))) for i, c in enumerate(colours)], "take their colours"),
    (
        check.one_round,
        lambda A, colours: [joined([c], sorted(colours[j] for j in near(A, i))) for i, c in enumerate(colours)],
        "can become one text or number",
    ),
    (
        check.one_round,
        lambda A, colours: [joined(sorted(colours[j] for j in near(A, i)), [c]) for i, c in enumerate(colours)],
        "can become one text or number",
    ),
    (
        check.one_round,
        lambda A, colours: [(c, joined(sorted(colours[j] for j in near(A, i)))) for i, c in enumerate(colours)],
        "can become one text or number",
    ),
    (check.one_round, by_rule(lambda around: (frozenset(around), len(around))), "how often each colour appears"),
    (check.one_round, by_rule(lambda around: (tuple(dict.fromkeys(around)), len(around))), "how often each colour"),
    (check.one_round, by_rule(pattern), "how often each colour appears"),
    (check.one_round, by_rule(ends), "some of the neighbours' colours"),
    (check.one_round, by_rule(lambda around: (len(around), around[-1:])), "some of the neighbours' colours"),
    (check.one_round, by_rule(lambda around: [4 if c == 5 else c for c in around]), "some of the neighbours' colours"),
    (check.one_round, by_rule(lambda around: (len(around), around[:3])), "some of the neighbours' colours"),
    (check.one_round, by_rule(lambda around: (len(around), around[-3:])), "some of the neighbours' colours"),
    (check.one_round, by_rule(capped(2)), "but not how often it does"),
    (check.one_round, by_rule(capped(3)), "but not how often it does"),
    (check.one_round, by_rule(capped(4)), "but not how often it does"),
    (check.one_round, by_rule(lambda around: (capped(9)(around), sum(around))), "but not how often it does"),
    (check.one_round, by_rule(remainders(2)), "but not how often it does"),
    (check.one_round, by_rule(remainders(10)), "but not how often it does"),
    (check.one_round, by_rule(lambda around: (len(around), prod(around))), "the same sum or product"),
    (check.one_round, by_rule(lambda around: (sum(around), prod(around), len(around))), "the same sum or product"),
    (check.one_round, by_rule(moments(2)), "the same sum or product"),
    (check.one_round, by_rule(moments(5)), "the same sum or product"),
    (check.one_round, by_rule(lambda around: ({*around}, sum(around), len(around))), "the same sum or product"),
    (check.one_round, by_rule(powers(2)), "the same sum or product"),
    (check.one_round, by_rule(powers(4)), "the same sum or product"),
    (check.one_round, by_rule(powers(0.25)), "the same sum or product"),
    (check.one_round, by_rule(lambda around: (powers(7)(around), len(around))), "the same sum or product"),
    (check.one_round, by_rule(powers(10)), "the same sum or product"),
    (check.one_round, by_rule(powers(100)), "the same sum or product"),
    (check.one_round, by_rule(powers(32)), "the same sum or product"),
    (check.one_round, by_rule(powers(64)), "the same sum or product"),
    (
        check.one_round,
        by_rule(lambda around: (len(around), sum(around), prod(c + 1 for c in around))),
        "colour 0 with neighbours 1, 5, 5, and colour 0 with neighbours 2, 2, 7, get the same",
    ),
    (check.one_round, by_rule(lambda around: [min(c, 9) for c in around]), "1 with neighbours 12, and colour 1 with"),
    (check.one_round, by_rule(tuple, kept=lambda own, around: min(own, 5)), "colour 5 with neighbours 0, and colour 6"),
    (
        check.one_round,
        by_rule(digits),
        "one text or number",
    ),
    (check.one_round, by_rule(len, kept=lambda own, around: [c - own for c in around]), "Keep the own colour itself"),
    (check.one_round, lambda A, colours: range(len(A)), "should have the same new colour"),
    (check.one_round, lambda A, colours: [0] * len(A), "should not have the same new colour"),
    (check.one_round, lambda A, colours: by_counters(A, colours)[:-1], "there should be 14"),
    (check.one_round, lambda A, colours: 3, "return a list"),
    (check.one_round, lambda A, colours: dict(enumerate(by_counters(A, colours))), "return a list"),
    (check.one_round, lambda A, colours: A @ colours @ colours, "return a list"),
    (check.one_round, lambda A, colours: by_numbers(*check.GRAPH)[: len(A)], "the one alone differs"),
    (check.all_alignments, lambda k_0: by_table(k_0, diagonal=False), "both series at once"),
    (check.all_alignments, lambda k_0: by_table(k_0, join=max), "best alignment alone"),
    (check.all_alignments, lambda k_0: by_table(np.ones_like(k_0)), "counts the alignments"),
    (check.all_alignments, lambda k_0: by_table(k_0) / k_0[0, 0], "first pair"),
    (check.all_alignments, lambda k_0: by_table(k_0) / k_0[-1, -1], "last pair"),
    (check.all_alignments, lambda k_0: k_0.diagonal().prod(), "series may also wait"),
    (check.all_alignments, lambda k_0: k_0.sum(), "they are multiplied"),
    (check.all_alignments, lambda k_0: by_table(k_0, first=0.0), "no alignment begins"),
    (check.all_alignments, lambda k_0: by_table(k_0, diagonal=False, start=False), "from there both move on"),
    (check.all_alignments, lambda k_0: by_moves(k_0, (0, 0)), "while the other goes on"),
    (check.all_alignments, lambda k_0: by_moves(k_0, (0, 0), (0, 1)), "while the other goes on"),
    (check.all_alignments, lambda k_0: by_moves(k_0, (0, 0), (1, 0)), "while the other goes on"),
    (check.all_alignments, lambda k_0: check._table(k_0).sum(), "its last entry alone"),
    (check.all_alignments, lambda k_0: by_table(k_0[:-1, :-1]), "one before the last"),
    (check.all_alignments, first_row_of_k_0, "are multiplied, too"),
    (check.all_alignments, lambda k_0: by_table(k_0, border=1.0), "the places before only one of them hold 0"),
    (check.all_alignments, never_at_the_first, "wait at the first step of a series"),
    (check.all_alignments, lambda k_0: np.log(by_table(k_0)), "logarithm"),
    (check.all_alignments, lambda k_0: by_table(np.resize(k_0, (3, 4))), "for k₀ of shape"),
    (check.all_alignments, lambda k_0: k_0, "one number"),
    (check.all_alignments, lambda k_0: 0.5, "it should be"),
    (check.all_alignments, lambda k_0: 1j, "real number"),
]
PRISM, PAIRS = "1-2-3-1 4-5-6-4 1-4 2-5 3-6", "1-4-2-5-3-6-1 1-5 2-6 3-4"
TWINS = [
    ({"x": PRISM, "z": PAIRS}, "✓", "right"),
    ({"x": PAIRS, "z": "a1"[1:] + PRISM[1:], "step": 3}, "✓", "right"),
    ({"x": PRISM, "z": PRISM}, "✗", "one graph"),
    ({"x": PRISM, "z": "1-3-5-1 2-4-6-2 1-2 3-4 5-6"}, "✗", "one graph"),
    ({"x": "1-2-3-4-5-6-1", "step": 4}, "✗", "in x vertex 1 has 2 neighbours"),
    ({"x": "1-2-3-4-1 1-3 2-4"}, "✗", "x has 4 vertices"),
    ({"x": PRISM, "z": "1-2-3-1 4-5-6-4"}, "✗", "in z vertex 1 has 2"),
    ({"x": "1-2-3-4-1 1-3 2-4 5-6"}, "✗", "in x vertex 5 has 1 neighbour; each should have 3"),
    ({"x": PRISM.replace("1", "C1"), "z": PAIRS}, "✗", "letters as labels"),
    ({"x": "one"}, "✗", "not a vertex"),
]

test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(check.common_pairs, check.of_bags, check.one_round, check.all_alignments)
test_the_challenge_is_judged_by_its_panel = judged(explore.refinement, check.twins, TWINS)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.refinement, check.twins)
test_what_is_no_panel_of_the_challenge_is_refused = refuses_others(check.twins)
