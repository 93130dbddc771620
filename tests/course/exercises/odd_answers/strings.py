"""Odd answers to the exercises of notebook 14."""

from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, product

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


def gram_by_the_table(X, p, gamma):
    """The table of the page, p − 1 times."""

    def pair(x, z):
        same = gamma**2 * np.equal.outer([*map(ord, x)], [*map(ord, z)])
        M = same
        for _ in range(1, p):
            S = np.zeros((len(x) + 1, len(z) + 1))
            for i, j in np.ndindex(M.shape):
                S[i + 1, j + 1] = M[i, j] + gamma * (S[i, j + 1] + S[i + 1, j]) - gamma**2 * S[i, j]
            M = same * S[:-1, :-1]
        return M.sum()

    return np.array([[pair(x, z) for z in X] for x in X])


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


RIGHT = [
    (strings.gram, gram_of_all_words),
    (strings.gram, gram_by_masks),
    (strings.gram, gram_by_the_last_letter),
    (strings.gram, gram_by_the_table),
    (strings.next_row, row_by_a_filter),
    (strings.next_row, row_by_accumulate),
    (strings.next_row, row_by_a_band),
    (strings.next_row, row_by_cumulated_sums),
    (
        strings.next_row,
        lambda above, M, gamma: scipy.linalg.toeplitz(gamma ** np.arange(len(M)), 0 * M) @ M + gamma * above,
    ),
    (strings.normalise, normalised_features),
    (strings.normalise, normalised_masked),
    (strings.normalise, normalised_by_pinv),
    (strings.normalise, normalised_by_logarithms),
    (strings.normalise, normalised_in_place),
    (strings.normalise, lambda K: np.nan_to_num(K / np.sqrt(np.outer(K.diagonal(), K.diagonal())))),
    (strings.alike, Moved(table, "Two long words", {"x": "aaaaaaaaa", "z": "aaaaaaaaaa"}, {"length": 4, "decay": 0.3})),
    (strings.alike, Moved(table, "Anagrams", {"x": "Hahahaha!", "z": "ahahahah", "length": 2})),
    (strings.alike, Moved(table, {"x": "aaaaaaaaaa", "z": "aaaaaaaaab"})),
    (strings.alike, Moved(table, {"x": "mmm", "z": "mm", "shorter": True}, {"shorter": False, "word": 2})),
]
