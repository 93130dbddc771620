"""Odd answers to the exercises of notebook 15."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import numpy as np
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import structures
from kernelkit.course.explorers.structures import refinement


def pairs_by_recursion(A, B):
    """One common element, with each other one; then the rest."""
    both = A.intersection(B)
    if not both:
        return 0
    both.pop()
    return len(both) + pairs_by_recursion(both, both)


def pairs_of_frozen_sets(A, B):
    of_A, of_B = ({frozenset(pair) for pair in combinations(S, 2)} for S in (A, B))
    return np.array(len(of_A & of_B))


def pairs_by_marks(A, B):
    """Marks of each pair of the union, and their inner product."""
    union = sorted(A | B)
    a, b = (np.array([element in S for element in union], dtype=np.int8) for S in (A, B))
    return np.triu(np.outer(a, a) * np.outer(b, b), 1).sum()


def bags_by_pinv(K, bag):
    P = np.linalg.pinv(np.eye(bag.max() + 1)[bag])
    return np.einsum("bi,ij,cj->bc", P, K, P)


def bags_by_bincount(K, bag):
    B = 1 + bag.max()
    place = (B * bag[:, None] + bag).ravel()
    return (np.bincount(place, K.ravel()) / np.bincount(place)).reshape(B, B)


def bags_sorted_first(K, bag):
    order = np.argsort(bag, kind="stable")
    starts = np.searchsorted(bag[order], np.unique(bag))
    sums = np.add.reduceat(np.add.reduceat(K[np.ix_(order, order)], starts, axis=0), starts, axis=1)
    size = np.diff([*starts, len(bag)])
    return np.asfortranarray(sums / size / size[:, None])


def bags_by_fractions(K, bag):
    values = defaultdict(list)
    for i, j in product(range(len(bag)), repeat=2):
        values[int(bag[i]), int(bag[j])].append(Fraction(float(K[i, j])))
    B = max(bag) + 1
    return [[sum(values[b, c]) / len(values[b, c]) for c in range(B)] for b in range(B)]


def around(G, i, colours):
    return [colours[j] for j in range(len(G)) if G[i][j]]


def round_by(rule):
    """New colours from the own one and those around."""
    return lambda G, colours: [rule(own, around(G, i, colours)) for i, own in enumerate(colours)]


def round_by_primes(G, colours):
    """Each colour is a prime: a product says how often each of them divides it."""
    primes, n = [], 2
    while len(primes) <= max(colours):
        if all(n % p for p in primes if p * p <= n):
            primes.append(n)
        n += 1
    for own, row in zip(colours, G, strict=True):
        yield own, prod(primes[c] for c, edge in zip(colours, row, strict=True) if edge)


def round_by_digits(G, colours):
    """A whole number to a base that no count of neighbours reaches, with as many digits as it takes."""
    base = len(G) + 1
    return [(own, sum(base ** int(c) for c in around(G, i, colours))) for i, own in enumerate(colours)]


def round_by_unique_rows(G, colours):
    """Rows of the own colour and the counts of all colours, numbered in order."""
    names, place = np.unique(colours, return_inverse=True)
    rows = np.insert(G @ np.eye(len(names), dtype=int)[place], 0, place, axis=1)
    return np.unique(rows, axis=0, return_inverse=True)[1].ravel()


def round_by_padding(G, colours):
    """A row for each vertex: its colour, and the sorted colours around, with −1 where there is no edge."""
    return np.column_stack([colours, np.sort(np.where(G, colours, -1), axis=1)])


def round_written_back(G, colours):
    """Numbers for the new colours, written over the old ones when none is needed any more."""
    names = {}
    new = [(own, *sorted(around(G, i, colours))) for i, own in enumerate(colours)]
    colours[:] = [names.setdefault(value, len(names)) for value in new]
    return colours


def by_paths(k_0):
    """Each alignment by itself."""

    def paths(s, t):
        if (s + 1, t + 1) == k_0.shape:
            return k_0[s, t]
        ways = ((s + 1, t), (s, t + 1), (s + 1, t + 1))
        return k_0[s, t] * sum(paths(a, b) for a, b in ways if a < len(k_0) and b < len(k_0[0]))

    return paths(0, 0)


def by_linear_equations(k_0):
    """Every entry is k₀ times the sum of those before it, and 1 comes in at the first: (D⁻¹ − N) M = e."""
    n, m = k_0.shape
    down, right = np.eye(n, k=-1), np.eye(m, k=-1)
    before = np.kron(down, np.eye(m)) + np.kron(np.eye(n), right) + np.kron(down, right)
    first = np.eye(n * m)[0]
    D = np.diag(k_0.ravel())
    return np.linalg.solve(np.eye(n * m) - D @ before, D @ first)[-1]


def by_pushing(k_0):
    """Forwards: each entry is handed on to the three places that come next."""
    n, m = len(k_0), len(k_0[0])
    waiting = defaultdict(Fraction)
    waiting[0, 0] = Fraction(1)
    for s, t in product(range(n), range(m)):
        here = waiting[s, t] * Fraction(float(k_0[s][t]))
        for place in ((s + 1, t), (s, t + 1), (s + 1, t + 1)):
            waiting[place] += here
    return here


def by_two_rows(k_0):
    """A row at a time, from the last step back to the first."""
    row = np.zeros(k_0.shape[1] + 1)
    corner = 1.0
    for line in k_0[::-1]:
        new = np.zeros_like(row)
        for t in reversed(range(len(line))):
            new[t] = line[t] * (row[t] + row[t + 1] + new[t + 1] + (corner if t == len(line) - 1 else 0))
        row, corner = new, 0.0
    return np.array(row[0])


def by_lengths(k_0):
    """For each number of pairs, all alignments of so many."""
    n, m = k_0.shape
    now = np.zeros((n, m))
    now[0, 0] = k_0[0, 0]
    total = now[-1, -1]
    for _ in range(n + m - 2):
        wide = np.pad(now, ((1, 0), (1, 0)))
        now = k_0 * (wide[:-1, :-1] + wide[1:, :-1] + wide[:-1, 1:])
        total += now[-1, -1]
    return total


PRISM, PAIRS = "1-2-3-1 4-5-6-4 1-4 2-5 3-6", "1-4-2-5-3-6-1 1-5 2-6 3-4"
RIGHT = [
    (structures.common_pairs, pairs_by_recursion),
    (structures.common_pairs, pairs_of_frozen_sets),
    (structures.common_pairs, pairs_by_marks),
    (structures.common_pairs, lambda A, B: Fraction(comb(len(A) + len(B) - len(A | B), 2))),
    (structures.common_pairs, lambda A, B: sum({a, b} <= A and {a, b} <= B for a in A for b in A if a != b) / 2),
    (structures.of_bags, bags_by_pinv),
    (structures.of_bags, bags_by_bincount),
    (structures.of_bags, bags_sorted_first),
    (structures.of_bags, bags_by_fractions),
    (structures.one_round, round_by_primes),
    (structures.one_round, round_by_digits),
    (structures.one_round, round_by_unique_rows),
    (structures.one_round, round_by_padding),
    (structures.one_round, round_by(lambda own, near: json.dumps([own, sorted(near)]))),
    (structures.one_round, round_by(lambda own, near: f"{own}:" + ",".join(sorted(map(str, near))))),
    (structures.one_round, round_by(lambda own, near: (own, frozenset(Counter(near).items())))),
    (structures.one_round, round_by(lambda own, near: (own, Counter(near)))),
    (structures.one_round, round_by(lambda own, near: hash((own, *sorted(near))))),
    (structures.one_round, round_by(lambda own, near: (own + sum(near), sorted(near)))),
    (structures.one_round, round_written_back),
    (structures.twins, Moved(refinement, "Two trees", {"x": "7-30-8-7 2-40-1-2 7-2 40-30 1-8", "z": PAIRS})),
    (
        structures.twins,
        Moved(refinement, {"x": PAIRS}, {"z": "1-2-3-4-5-6-1 1-4 2-6 3-5", "step": 2.4}),
    ),
    (structures.all_alignments, by_linear_equations),
    (structures.all_alignments, by_paths),
    (structures.all_alignments, by_pushing),
    (structures.all_alignments, by_two_rows),
    (structures.all_alignments, by_lengths),
]
