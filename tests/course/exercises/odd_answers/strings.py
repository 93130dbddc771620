"""Odd answers to the exercises of notebook 14."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, permutations, product

import numpy as np
import scipy.linalg
import scipy.signal
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import strings
from kernelkit.course.explorers.strings import table


def gram_of_all_words(X, p, gamma):
    """A column for each word of p letters that the alphabet allows, found in the strings or not."""
    column = {u: j for j, u in enumerate(product(sorted({*"".join(X)}), repeat=p))}
    Phi = np.zeros((len(X), len(column)), order="F")
    for i, x in enumerate(X):
        for places in combinations(range(len(x)), p):
            Phi[i, column[tuple(x[place] for place in places)]] += gamma ** (places[-1] - places[0] + 1)
    return Phi @ Phi.T


def gram_by_masks(X, p, gamma):
    """Each subset of the places as the bits of a whole number; one half of K, and its mirror."""
    K = np.zeros((len(X), len(X)))
    found = []
    for x in X:
        amounts = {}
        for mask in range(2 ** len(x)):
            if mask.bit_count() == p:
                u = "".join(letter for place, letter in enumerate(x) if mask >> place & 1)
                lowest = (mask & -mask).bit_length()
                amounts[u] = amounts.get(u, 0) + gamma ** (mask.bit_length() - lowest + 1)
        found.append(amounts)
    for i in range(len(X)):
        for j in range(i + 1):
            K[i, j] = sum(found[i][u] * found[j][u] for u in found[i].keys() & found[j].keys())
    return K + K.T - np.diag(np.diag(K))


def gram_by_the_last_letter(X, p, gamma):
    """Without any word: k of two strings from k of those without their last letters, in fractions."""
    g = Fraction(gamma)

    @cache
    def begun(q, x, z):
        """Words of q letters, whose span goes on to the ends of both strings."""
        if q == 0:
            return Fraction(1)
        if min(len(x), len(z)) < q:
            return Fraction(0)
        ends = (begun(q - 1, x[:-1], z[:j]) * g ** (len(z) - j + 1) for j in range(len(z)) if z[j] == x[-1])
        return g * begun(q, x[:-1], z) + sum(ends)

    def k(x, z):
        pairs = product(range(len(x)), range(len(z)))
        return sum((g**2 * begun(p - 1, x[:i], z[:j]) for i, j in pairs if x[i] == z[j]), Fraction(0))

    return [[k(x, z) for z in X] for x in X]


def gram_of(readings, weight=lambda x, places, gamma: gamma ** (places[-1] - places[0] + 1), meet=lambda a, b: a * b):
    """K from other readings, other weights of a reading, or another way to join what two strings have."""

    def answer(X, p, gamma):
        Phi = []
        for x in X:
            amounts = Counter()
            for places in readings(x, p):
                amounts["".join(x[place] for place in places)] += weight(x, places, gamma)
            Phi.append(amounts)
        return np.array([[float(sum(meet(a[u], b[u]) for u in a if u in b)) for b in Phi] for a in Phi])

    return answer


def all_readings(x, p):
    return combinations(range(len(x)), p)


def span_by_index(x, places, gamma):
    """str.index finds the first place of a letter, also where it was read at the second."""
    return gamma ** (x.index(x[places[-1]]) - x.index(x[places[0]]) + 1)


def gram_of_letters_sorted(X, p, gamma):
    """Sorted, the letters of each string lose their order."""
    return gram_of(all_readings)(["".join(sorted(x)) for x in X], p, gamma)


def gram_of_pairs(X, p, gamma):
    """Two loops, whatever p is."""
    return gram_of(lambda x, p: [(i, j) for i in range(len(x)) for j in range(i + 1, len(x))])(X, p, gamma)


def gram_of_ones(X, p, gamma):
    """“A string is as like itself as can be.”"""
    K = gram_of(all_readings)(X, p, gamma)
    np.fill_diagonal(K, 1)
    return K


def what_comes_in(above, M, gamma):
    """All that a row gets but what comes from the left: S_j = γ S_{j−1} + this."""
    return M + gamma * above - gamma**2 * np.insert(above[:-1], 0, 0)


def row_by_a_filter(above, M, gamma):
    return scipy.signal.lfilter([1.0], [1.0, -gamma], what_comes_in(above, M, gamma))


def row_by_accumulate(above, M, gamma):
    return tuple(accumulate(what_comes_in(above, M, gamma).tolist(), lambda s, new: gamma * s + new))


def row_by_a_band(above, M, gamma):
    """A triangular system with 1 on its diagonal and −γ below."""
    n = len(M)
    return scipy.linalg.solve_banded(
        (1, 0), [np.ones(n), np.full(n, -gamma)], what_comes_in(above, M, gamma), overwrite_b=True
    )


def row_by_cumulated_sums(above, M, gamma):
    powers = gamma ** np.arange(len(M))
    return gamma * above + powers * np.cumsum(M / powers)


def row_where_letters_match(above, M, gamma):
    """M is 0 where the letters differ, but S is not."""
    S = np.zeros(len(M))
    for j in range(len(M)):
        if M[j] != 0:
            S[j] = M[j] + gamma * above[j] + (gamma * S[j - 1] - gamma**2 * above[j - 1] if j else 0)
    return S


def row_of_whole_numbers(above, M, gamma):
    S = np.zeros(len(M), dtype=int)
    for j in range(len(M)):
        S[j] = M[j] + gamma * above[j] + (gamma * S[j - 1] - gamma**2 * above[j - 1] if j else 0)
    return S


def row_from_the_right(above, M, gamma):
    return row_by_a_filter(above[::-1], M[::-1], gamma)[::-1]


def row_of_the_better_way(above, M, gamma):
    """As in an alignment: the larger of both ways instead of their sum."""
    S = np.zeros(len(M))
    for j in range(len(M)):
        S[j] = M[j] + gamma * max(above[j], S[j - 1] if j else 0)
    return S


def row_of_next_columns(above, M, gamma):
    """above has a 0 in front, and M has none, but both are counted alike."""
    return row_by_a_filter(np.insert(above[:-1], 0, 0), M, gamma)


def normalised_features(K):
    """Rows whose products are K, each made as long as 1."""
    sizes, U = np.linalg.eigh(K)
    rows = U * np.sqrt(np.clip(sizes, 0, None))
    rows = np.array([row / np.linalg.norm(row) if K[i, i] > 0 else 0 * row for i, row in enumerate(rows)])
    return rows @ rows.T


def normalised_masked(K):
    d = np.ma.masked_equal(np.diag(K), 0)
    return (K / np.ma.sqrt(d) / np.ma.sqrt(d)[:, None]).filled(0)


def normalised_by_pinv(K):
    D = np.linalg.pinv(scipy.linalg.sqrtm(np.diag(np.diag(K))).real)
    return np.einsum("ij,jk,kl->il", D, K, D)


def normalised_by_logarithms(K):
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(K) - np.add.outer(np.log(np.diag(K)), np.log(np.diag(K))) / 2
    return np.where(K > 0, np.exp(logs), 0)


def normalised_in_place(K):
    roots = [float(K[i, i]) ** 0.5 or 1.0 for i in range(len(K))]
    for i in range(len(K)):
        for j in range(len(K)):
            K[i, j] /= roots[i] * roots[j]
    return K


def ones_on_the_diagonal(K):
    K = normalised_masked(K)
    np.fill_diagonal(K, 1)
    return K


def rows_and_then_columns(K):
    """The diagonal has changed when the columns want it."""
    for i in range(len(K)):
        if K[i, i] > 0:
            K[i] /= np.sqrt(K[i, i])
    for j in range(len(K)):
        if K[j, j] > 0:
            K[:, j] /= np.sqrt(K[j, j])
    return K


def between(join):
    """K_ij over some mean of K_ii and K_jj other than the root of their product."""

    def answer(K):
        below = join(np.diag(K)[:, None] + 0 * K, np.diag(K) + 0 * K)
        return np.where(below > 0, K / np.where(below > 0, below, 1), 0)

    return answer


RIGHT = [
    (strings.gram, gram_of_all_words),
    (strings.gram, gram_by_masks),
    (strings.gram, gram_by_the_last_letter),
    (strings.next_row, row_by_a_filter),
    (strings.next_row, row_by_accumulate),
    (strings.next_row, row_by_a_band),
    (strings.next_row, row_by_cumulated_sums),
    (strings.normalise, normalised_features),
    (strings.normalise, normalised_masked),
    (strings.normalise, normalised_by_pinv),
    (strings.normalise, normalised_by_logarithms),
    (strings.normalise, normalised_in_place),
    (strings.alike, Moved(table, "Two long words", {"x": "aaaaaaaaa", "z": "aaaaaaaaaa"}, {"length": 4, "decay": 0.3})),
    (strings.alike, Moved(table, "Anagrams", {"x": "Hahahaha!", "z": "ahahahah", "length": 2})),
    (strings.alike, Moved(table, {"x": "aaaaaaaaaa", "z": "aaaaaaaaab"})),
    (strings.alike, Moved(table, {"x": "mmm", "z": "mm", "shorter": True}, {"shorter": False, "word": 2})),
]
WRONG = [
    (strings.gram, gram_of(lambda x, p: permutations(range(len(x)), p))),
    (strings.gram, gram_of(lambda x, p: combinations_with_replacement(range(len(x)), p))),
    (strings.gram, gram_of(all_readings, lambda x, places, gamma: gamma ** (places[-1] + 1))),
    (strings.gram, gram_of(all_readings, lambda x, places, gamma: gamma ** (len(x) - places[0]))),
    (strings.gram, gram_of(all_readings, lambda x, places, gamma: places[-1] - places[0] + 1)),
    (strings.gram, gram_of(all_readings, span_by_index)),
    (strings.gram, gram_of(all_readings, meet=min)),
    (strings.gram, gram_of(all_readings, meet=lambda a, b: a + b)),
    (strings.gram, gram_of_letters_sorted),
    (strings.gram, gram_of_pairs),
    (strings.gram, gram_of_ones),
    (strings.next_row, row_where_letters_match),
    (strings.next_row, row_of_whole_numbers),
    (strings.next_row, row_from_the_right),
    (strings.next_row, row_of_the_better_way),
    (strings.next_row, row_of_next_columns),
    (strings.next_row, lambda above, M, gamma: np.cumsum(M + gamma * above)),
    (strings.next_row, lambda above, M, gamma: row_by_a_filter(above, M, gamma).sum()),
    (strings.normalise, lambda K: K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()),
    (strings.normalise, lambda K: np.nan_to_num(np.corrcoef(K))),
    (strings.normalise, between(lambda a, b: (a + b) / 2)),
    (strings.normalise, between(np.maximum)),
    (strings.normalise, between(np.minimum)),
    (strings.normalise, lambda K: np.nan_to_num(K / np.add.outer(np.diag(K), np.diag(K)))),
    (strings.normalise, lambda K: between(lambda a, b: a + b - K)(K)),
    (strings.normalise, ones_on_the_diagonal),
    (strings.normalise, rows_and_then_columns),
    (strings.normalise, lambda K: K / np.trace(K) * len(K)),
    (strings.alike, Moved(table, {"x": "stressed", "z": "desserts"})),
    (strings.alike, Moved(table, {"x": "listen", "z": "silent", "length": 3})),
    (strings.alike, Moved(table, {"x": "abcdefghi", "z": "abcdefgh", "length": 4})),
    (strings.alike, Moved(table, {"x": "cat 1", "z": "Cat 2"})),
    (strings.alike, Moved(table, {"x": "aaab", "z": "aaaa"})),
    (strings.alike, Moved(table, {"x": "hahahaha", "z": "ahahahah", "length": 1})),
]
