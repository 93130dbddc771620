"""Checks of the exercises of notebook 14."""

from itertools import combinations

import numpy as np

from kernelkit import Normalized, Subsequences, Substrings
from kernelkit.exercises.base import Mistake, array_like, ask, close, exercise, expect, reached, summary_of
from kernelkit.explorers.strings import table
from kernelkit.explorers.strings.table import LONGEST, cleaned

WORDS = ["cat", "attic", "tact"]


def expect_equal(mine, right, name, entry):
    """Go on if two arrays are equal, else tell of the first entry that is not; entry(i, …) : what it is called."""
    if not close(mine, right):
        place = tuple(np.argwhere(~np.isclose(mine, right, rtol=1e-6, atol=1e-8))[0])
        should, is_ = right[place], mine[place]
        rounded = is_ != 0 and any(np.isclose(is_, np.round(should, digits), atol=1e-12) for digits in (2, 3, 4, 5))
        expect(not rounded, "rounded", f"{entry(*place)} should be {should:.8g}, yours is {is_:.8g}: do not round.")
        raise Mistake(name, f"{entry(*place)} should be {should:.4f}, yours is {is_:.4g}.")


def k_of(X):
    """k(“cat”, “attic”), for the two places of a pair of strings."""
    return lambda i, j: f"k(“{X[i]}”, “{X[j]}”)"


def one_reading(X, p, gamma, of):
    """K where of all readings of a word in a string only one counts, say the first."""
    parts = []
    for x in X:
        found = {}
        for i in combinations(range(len(x)), p):
            found.setdefault("".join(x[j] for j in i), []).append(gamma ** (i[-1] - i[0] + 1))
        parts.append({u: of(powers) for u, powers in found.items()})
    return np.array([[sum(a[u] * b.get(u, 0) for u in a) for b in parts] for a in parts])


@exercise("K by brute force")
def gram(answer):
    """K_ij = Σ_u Φ_u(X_i) Φ_u(X_j), Φ_u(x) = Σ γ^span over all readings of u in x."""
    k, X = Subsequences(2, 0.5), WORDS
    right, counts = k(X), Subsequences(2, 1.0)(X)
    mine = array_like(ask(answer, list(X), 2, 0.5), right.shape, "K")
    is_ = lambda other: close(mine, other)  # noqa: E731
    expect(not is_(right * 4), "span_without_one", "the span counts both ends: i_p − i_1 + 1, not i_p − i_1.")
    expect(not is_(right * 16), "gaps_only", "this counts the gaps only; the letters themselves belong to the span.")
    expect(not is_(counts), "no_decay", "every reading counts 1 here; it counts γ^span, in each of the two strings.")
    expect(not is_(counts / 16), "length_for_span", "this is γ^p, whatever the gaps; the exponent is the span.")
    expect(not is_(Substrings(2)(X)), "no_gaps", "these are substrings: take letters with gaps between them, too.")
    expect(not is_(Subsequences(1, 0.5)(X) + right), "shorter_too", "only words of exactly p letters count.")
    expect(not is_(Normalized(k)(X)), "normalised", "this is normalised already; K itself is asked for.")
    expect(not is_(np.triu(right)) and not is_(np.tril(right)), "one_half", "K is symmetric: fill both halves.")
    once = [one_reading(X, 2, 0.5, of) for of in (max, min, lambda powers: powers[-1], lambda powers: powers[0])]
    expect(
        not any(map(is_, once)),
        "one_reading",
        "a word can be read in several ways, as at in attic: add up all of them.",
    )
    bare = one_reading(X, 2, 1.0, lambda powers: 1.0)
    expect(not is_(bare), "shared_words", "this counts the shared words; each reading of a word counts γ^span.")
    one_sided = [
        [sum(a.get(u, 0) * n for u, n in b.items()) for b in (Subsequences(2, 1.0).parts(x) for x in X)]
        for a in (k.parts(x) for x in X)
    ]
    expect(
        not is_(np.array(one_sided)) and not is_(np.array(one_sided).T),
        "one_span",
        "the span in one string only: multiply by γ^span of the other, too.",
    )
    expect_equal(mine, right, "wrong_matrix", k_of(X))
    X = ["banana", "", "ananas", "nab"]
    again = array_like(ask(answer, list(X), 3, 0.9), (4, 4), "K of four strings")
    expect(
        not close(again, one_reading(X, 3, 0.9, lambda powers: sum({*powers}))),
        "same_span",
        "“ana” can be read in banana twice with the same span: add up both.",
    )
    entry = k_of(X)
    expect_equal(again, Subsequences(3, 0.9)(X), "arguments_ignored", lambda i, j: f"p = 3, γ = 0.9: {entry(i, j)}")


def next_row_of(above, M, gamma, up=None, left=None, corner=None, first=0.0, outside=0.0):
    """The row; or with other factors for the three that come before, or others before the first column than 0."""
    up, left = (gamma if factor is None else factor for factor in (up, left))
    S, beside, before = np.zeros(len(M)), outside, first
    for j in range(len(M)):
        S[j] = M[j] + up * above[j] + left * beside + (-(gamma**2) if corner is None else corner) * before
        beside, before = S[j], above[j]
    return S


@exercise("One row of the table")
def next_row(answer):
    """S(i, j) = M(i, j) + γ S(i − 1, j) + γ S(i, j − 1) − γ² S(i − 1, j − 1)."""
    above, M, g = np.array([0.5, 0.1, 0.3, 0.2]), np.array([0.2, 0.0, 0.7, 0.4]), 0.5
    right = next_row_of(above, M, g)
    mine = array_like(ask(answer, above, M, g), right.shape, "the row")
    left_of = lambda row: np.concatenate([[0.0], row[:-1]])  # noqa: E731
    row = lambda **other: next_row_of(above, M, g, **other)  # noqa: E731
    is_ = lambda other: close(mine, other)  # noqa: E731
    expect(not is_(M), "unchanged", "this is the row of M; the rows above and the places to the left add to it.")
    expect(
        not is_(next_row_of(0 * above, M, g)) and not is_(row(up=0.0)),
        "nothing_above",
        "γ S(i − 1, j), what comes from above, is missing.",
    )
    expect(
        not is_(M + g * above) and not is_(row(left=0.0)),
        "nothing_left",
        "γ S(i, j − 1), what comes from the left in the row, is missing.",
    )
    expect(
        not is_(row(corner=0.0)),
        "counted_twice",
        "what stands above and to the left comes along both ways: subtract γ² S(i − 1, j − 1) once.",
    )
    expect(not is_(row(corner=g**2)), "plus", "γ² S(i − 1, j − 1) is subtracted, not added.")
    expect(not is_(row(corner=-g)), "no_square", "one step up and one to the left: the factor is γ², not γ.")
    free = row(up=1.0), row(left=1.0), row(corner=-1.0), next_row_of(above, M, 1.0)
    expect(not any(map(is_, free)), "no_decay", "each step costs a factor γ, the one to the corner γ².")
    ends = row(first=above[-1]), row(outside=M[-1]), row(outside=M[-1], first=above[-1])
    expect(
        not any(map(is_, ends)),
        "from_the_end",
        "in the first column the number at j - 1 is the last one: what stands to the left of it is 0.",
    )
    for given in (M[0], 0.0):  # in the first column, and from there the usual way
        begun = next_row_of(above, np.append(given - g * above[0], M[1:]), g)
        expect(not is_(begun), "first_column", "the first column, too, gets its M and γ times what is above.")
    replaced = M + g * above
    for j in range(1, len(M)):
        replaced[j] += (g - g**2) * replaced[j - 1]
    expect(not is_(replaced), "overwritten", "you replace a number of above before it is needed as the corner.")
    old = M + g * above + g * left_of(M) - g**2 * left_of(above)
    expect(not is_(old), "left_of_m", "to the left stands S(i, j − 1), which you have just computed, not M(i, j − 1).")
    expect(
        is_(right), "wrong_row", f"it should be {np.round(right, 4).tolist()}, yours is {np.round(mine, 4).tolist()}."
    )
    above, M = np.array([1.0, 0.0, 2.0]), np.array([0.0, 3.0, 1.0])
    again, right = array_like(ask(answer, above, M, 0.9), (3,), "the row"), next_row_of(above, M, 0.9)
    expect_equal(again, right, "arguments_ignored", lambda j: f"for γ = 0.9 and three numbers: number {j + 1}")


@exercise("Normalise K")
def normalise(answer):
    """K_ij/√(K_ii K_jj), and 0 for a string without a word."""
    X = ["cat", "cart", "cartography", "a"]
    K = Subsequences(2, 0.5)(X)
    d = K.diagonal()[:3]
    nothing = "“a” has no word of two letters, so K_ii = 0 and you divide by 0: make its row and column 0."
    try:
        with np.errstate(all="ignore"):
            mine = array_like(ask(answer, K), K.shape, "K̂")
    except ZeroDivisionError:
        raise Mistake("divided_by_0", nothing) from None
    full, part = Normalized(Subsequences(2, 0.5))(X), mine[:3, :3]
    is_ = lambda other: close(part, other)  # noqa: E731
    expect(not is_(K[:3, :3]), "unchanged", "this is K; divide each entry by √(K_ii K_jj).")
    expect(not is_(K[:3, :3] / np.outer(d, d)), "no_root", "the root is missing: divide by √(K_ii K_jj).")
    expect(
        not is_(K[:3, :3] / d) and not is_(K[:3, :3] / d[:, None]),
        "one_side",
        "you divided by the K of one of the two: then K̂ is not symmetric. Divide by √(K_ii K_jj).",
    )
    root = np.sqrt(d)
    expect(
        not is_(K[:3, :3] / root) and not is_(K[:3, :3] / root[:, None]),
        "one_root",
        "divide by √K_ii and by √K_jj, for rows and for columns.",
    )
    expect(not is_(K[:3, :3] / K.max()), "by_the_largest", "one number for all does not make the lengths equal.")
    rows = K[:3] / np.linalg.norm(K[:3], axis=1, keepdims=True)
    expect(
        not is_(rows[:, :3]) and not is_(rows[:, :3].T),
        "rows",
        "you made the rows of K as long as 1; it is the features that should be.",
    )
    expect(
        not is_(_overwritten(K[:3, :3])),
        "overwritten",
        "you divide K_ii by itself and then need it again: keep the roots first, or fill a new matrix.",
    )
    expect(not is_(2 - 2 * full[:3, :3]), "distance", "this is a squared distance; the cosine itself is asked for.")
    expect_equal(part, full[:3, :3], "wrong_matrix", lambda i, j: f"of “{X[i]}” and “{X[j]}” it")
    expect(np.isfinite(mine).all(), "nothing_over_nothing", nothing)
    expect(close(mine, full), "not_zero", "the row and the column of a string with K_ii = 0 should be 0.")


def _overwritten(K):
    """K where entry after entry is divided in its place, and the diagonal too early."""
    K = K.copy()
    for i, j in np.ndindex(K.shape):
        K[i, j] /= np.sqrt(K[i, i] * K[j, j])
    return K


@exercise("Different and alike")
def alike(panel):
    """Two different words with a normalised k above 0.9, from p = 2 on."""
    values = reached(panel, table)
    x, z, p = cleaned(values["x"]), cleaned(values["z"]), values["length"]
    sentence = f"both are “{x}” (letters count, {LONGEST} at most): take two different words."
    expect(x != z, "same_word", sentence)
    expect(p > 1, "single_letters", "single letters know no order, any anagram has 1: set letters p to 2 or more.")
    expect(not values["shorter"], "shorter_too", "take words of exactly p letters: clear “and all shorter ones”.")
    found = float(Normalized(Subsequences(p, values["decay"]))(x, z))
    expect(found > 0, "nothing_in_common", f"“{x}” and “{z}” share no word of {p} letters.")
    expect(found > 0.9, "not_alike", f"“{x}” and “{z}” have {found:.3f}: not above 0.9 yet.")


summary = summary_of(gram, next_row, normalise, alike)
