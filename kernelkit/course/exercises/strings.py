"""Checks of the exercises of notebook 14."""

from collections import defaultdict
from functools import partial
from itertools import combinations

import numpy as np

from kernelkit import Normalized, Subsequences, Substrings
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    first_wrong,
    fixed,
    summary_of,
)
from kernelkit.course.explorers.strings import table
from kernelkit.course.explorers.strings.table import LONGEST, cleaned

WORDS = ["cat", "attic", "tact"]


def unequal(mine, right, entry):
    """The sentence for the first entry that is not right, None where all are; entry(i, …) : what it is called."""
    if close(mine, right):
        return None
    place = tuple(np.argwhere(~np.isclose(mine, right, rtol=1e-6, atol=1e-8))[0])
    should = right[place]
    is_ = mine[place]
    rounded = is_ != 0 and any(np.isclose(is_, np.round(should, digits), atol=1e-12) for digits in (2, 3, 4, 5))
    expect(not rounded, "rounded", f"{entry(*place)} should be {should:.8g}, yours is {is_:.8g}: do not round.")
    return f"{entry(*place)} should be {should:.4f}, yours is {is_:.4g}."


def respelled(trial, words):
    """The words that are shown, or, hidden, others of the same lengths and letters."""
    rng = trial.draws(14)
    letters = sorted({*"".join(words)})
    return ["".join(rng.choice(letters, len(word))) for word in words] if trial.round else words


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
def gram(trial):
    """K_ij = Σ_u Φ_u(X_i) Φ_u(X_j), Φ_u(x) = Σ γ^span over all readings of u in x."""
    k = Subsequences(2, 0.5)
    X = respelled(trial, WORDS)
    right = k(X)
    counts = Subsequences(2, 1.0)(X)
    mine = array_like(trial.ask(list(X), 2, 0.5), right.shape, "K")
    once = [one_reading(X, 2, 0.5, of) for of in (max, min, lambda powers: powers[-1], lambda powers: powers[0])]
    bare = one_reading(X, 2, 1.0, lambda powers: 1.0)
    spans = [k.parts(x) for x in X]
    readings = [Subsequences(2, 1.0).parts(x) for x in X]
    one_sided = np.array([[sum(a.get(u, 0) * n for u, n in b.items()) for b in readings] for a in spans])
    trial.expect_none_of(
        mine,
        close,
        span_without_one=(right * 4, "the span counts both ends: last place − first place + 1."),
        gaps_only=(right * 16, "this counts the gaps only; the letters themselves belong to the span."),
        no_decay=(counts, "every reading counts 1 here; it counts γ^span, in each of the two strings."),
        length_for_span=(counts / 16, "this is γ^p, whatever the gaps; the exponent is the span."),
        no_gaps=(Substrings(2)(X), "these are substrings: take letters with gaps between them, too."),
        shorter_too=(Subsequences(1, 0.5)(X) + right, "only words of exactly p letters count."),
        normalised=(Normalized(k)(X), "this is normalised already, but the exercise asks for K itself."),
        one_half=(np.triu(right), np.tril(right), "K is symmetric: fill both halves."),
        one_reading=(*once, "a word can be read in several ways, as at in attic: add up all of them."),
        shared_words=(bare, "this counts the shared words; each reading of a word counts γ^span."),
        one_span=(
            one_sided,
            one_sided.T,
            "you count the span in one string only: multiply by γ^span of the other, too.",
        ),
    )
    wrong = unequal(mine, right, k_of(X))
    expect(wrong is None, "wrong_matrix", wrong)
    X = ["banana", "", "ananas", "nab"]
    again = array_like(trial.ask(list(X), 3, 0.9), (4, 4), "K of four strings")
    expect(
        not close(again, one_reading(X, 3, 0.9, lambda powers: sum({*powers}))),
        "same_span",
        "“ana” can be read in banana twice with the same span: add up both.",
    )
    entry = k_of(X)
    wrong = unequal(again, Subsequences(3, 0.9)(X), lambda i, j: f"p = 3, γ = 0.9: {entry(i, j)}")
    expect(wrong is None, "arguments_ignored", wrong)


def _readings(x, p):
    """Each word of p letters in x, with its span."""
    return [("".join(x[j] for j in i), i[-1] - i[0] + 1) for i in combinations(range(len(x)), p)]


def _by_readings(X, p, gamma, weight=lambda gamma, a, b: gamma ** (a + b), readings=_readings):
    """K where a word that is read in both strings counts by its two spans a and b."""
    found = [readings(x, p) for x in X]
    return np.array([[sum(weight(gamma, a, b) for u, a in P for v, b in Q if u == v) for Q in found] for P in found])


def _by_dictionaries(X, p, gamma, add=lambda old, new: old + new):
    Phi = []
    for x in X:
        amounts = defaultdict(float)
        for u, span in _readings(x, p):
            amounts[u] = add(amounts[u], gamma**span)
        Phi.append(amounts)
    return [[sum(a[u] * b[u] for u in a if u in b) for b in Phi] for a in Phi]


gram.right = _by_readings
gram.wrong = {
    "span_without_one": lambda X, p, gamma: _by_readings(X, p, gamma) / gamma**2,
    "gaps_only": lambda X, p, gamma: _by_readings(X, p, gamma) / gamma ** (2 * p),
    "no_decay": lambda X, p, gamma: _by_readings(X, p, 1.0),
    "length_for_span": lambda X, p, gamma: gamma ** (2 * p) * _by_readings(X, p, 1.0),
    "no_gaps": lambda X, p, gamma: Substrings(p)(X),
    "shorter_too": lambda X, p, gamma: sum(_by_readings(X, q, gamma) for q in range(1, p + 1)),
    "normalised": lambda X, p, gamma: Normalized(Subsequences(p, gamma))(X),
    "one_half": lambda X, p, gamma: np.triu(_by_readings(X, p, gamma)),
    "one_reading": [
        lambda X, p, gamma: _by_dictionaries(X, p, gamma, lambda old, new: new),
        lambda X, p, gamma: _by_dictionaries(X, p, gamma, max),
    ],
    "shared_words": lambda X, p, gamma: _by_dictionaries(X, p, 1.0, max),
    "one_span": lambda X, p, gamma: _by_readings(X, p, gamma, lambda g, a, b: g**a),
    "rounded": lambda X, p, gamma: _by_readings(X, p, gamma).round(4),
    "wrong_matrix": [
        lambda X, p, gamma: _by_readings(X, p, gamma, lambda g, a, b: g ** max(a, b)),
        lambda X, p, gamma: _by_readings(["".join(sorted(x)) for x in X], p, gamma),
    ],
    "same_span": lambda X, p, gamma: _by_readings(X, p, gamma, readings=lambda x, p: {*_readings(x, p)}),
    "arguments_ignored": [fixed(_by_readings, 1, 2), fixed(_by_readings, 2, 0.5)],
}


def next_row_of(above, M, gamma):
    """S(i, j) = M(i, j) + γ S(i − 1, j) + γ S(i, j − 1) − γ² S(i − 1, j − 1), and 0 before the first column."""
    S = np.zeros(len(M))
    S[0] = M[0] + gamma * above[0]
    for j in range(1, len(M)):
        S[j] = M[j] + gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1]
    return S


def wrong_row_of(above, M, gamma, up=None, left=None, corner=None, first=0.0, outside=0.0):
    """The row with other factors for the three that come before, or with others before the first column than 0."""
    up = gamma if up is None else up
    left = gamma if left is None else left
    corner = -(gamma**2) if corner is None else corner
    S = np.zeros(len(M))
    beside = outside
    before = first
    for j in range(len(M)):
        S[j] = M[j] + up * above[j] + left * beside + corner * before
        beside = S[j]
        before = above[j]
    return S


@exercise("One row of the table")
def next_row(trial):
    """S(i, j) = M(i, j) + γ S(i − 1, j) + γ S(i, j − 1) − γ² S(i − 1, j − 1)."""
    above = trial.changed(np.array([0.5, 0.1, 0.3, 0.2]))
    M = trial.changed(np.array([0.2, 0.0, 0.7, 0.4]))
    g = trial.changed(0.5)
    right = next_row_of(above, M, g)
    mine = array_like(trial.ask(above, M, g), right.shape, "the row")
    row = partial(wrong_row_of, above, M, g)

    def begun_with(number):  # in the first column, and from there the usual way
        return next_row_of(above, np.append(number - g * above[0], M[1:]), g)

    replaced = M + g * above
    for j in range(1, len(M)):
        replaced[j] += (g - g**2) * replaced[j - 1]
    before = np.append(0, M[:-1])
    corner = np.append(0, above[:-1])
    trial.expect_none_of(
        mine,
        close,
        unchanged=(M, "this is the row of M; the rows above and the places to the left add to it."),
        nothing_above=(next_row_of(0 * above, M, g), row(up=0.0), "γ S(i − 1, j), what comes from above, is missing."),
        nothing_left=(M + g * above, row(left=0.0), "γ S(i, j − 1), what comes from the left in the row, is missing."),
        counted_twice=(
            row(corner=0.0),
            "the corner comes along both ways, from above and from the left: subtract γ² S(i − 1, j − 1) once.",
        ),
        plus=(row(corner=g**2), "γ² S(i − 1, j − 1) is subtracted, not added."),
        no_square=(row(corner=-g), "the corner is one step up and one to the left, so its factor is γ², not γ."),
        no_decay=(
            row(up=1.0),
            row(left=1.0),
            row(corner=-1.0),
            next_row_of(above, M, 1.0),
            "each step costs a factor γ, and the one to the corner costs γ².",
        ),
        from_the_end=(
            row(first=above[-1]),
            row(outside=M[-1]),
            row(outside=M[-1], first=above[-1]),
            "in the first column the number at j - 1 is the last one, but what belongs to the left of it is 0.",
        ),
        first_column=(
            begun_with(M[0]),
            begun_with(0.0),
            "the first column, too, gets its M and γ times what is above.",
        ),
        overwritten=(
            replaced,
            "your corner comes from the new row; it is S(i − 1, j − 1), the number of above. If you write into above, "
            "keep each number until it is needed as the corner.",
        ),
        left_of_m=(
            M + g * above + g * before - g**2 * corner,
            "the number to the left is S(i, j − 1), which you have just computed, not M(i, j − 1).",
        ),
    )
    expect(
        close(mine, right),
        "wrong_row",
        f"it should be {np.round(right, 4).tolist()}, yours is {np.round(mine, 4).tolist()}.",
    )
    above = np.array([1.0, 0.0, 2.0])
    M = np.array([0.0, 3.0, 1.0])
    again = array_like(trial.ask(above, M, 0.9), (3,), "the row")
    right = next_row_of(above, M, 0.9)
    j, _ = first_wrong(again, right)
    sentence = f"for γ = 0.9 and three numbers: number {j + 1} should be {right[j]:.4f}, yours is {again[j]:.4g}."
    expect(close(again, right), "arguments_ignored", sentence)


def _row(above, M, gamma, corner=lambda gamma: -(gamma**2)):
    S = []
    for j in range(len(M)):
        S.append(M[j] + gamma * above[j] + (gamma * S[-1] + corner(gamma) * above[j - 1] if j else 0))
    return np.array(S)


def _from_the_end(above, M, gamma, copied=False):
    """In the first column Python takes the last number for the one before: that of above, and where M is copied its."""
    S = M.copy() if copied else np.zeros(len(M))
    for j in range(len(M)):
        S[j] = M[j] + gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1]
    return S


def _left_from_the_end(above, M, gamma):
    """The same for the number to the left alone."""
    S = M.copy()
    for j in range(len(M)):
        S[j] += gamma * above[j] + gamma * S[j - 1] - (gamma**2 * above[j - 1] if j else 0)
    return S


def _from_the_second_on(above, M, gamma, first):
    S = np.zeros(len(M))
    S[0] = first
    for j in range(1, len(M)):
        S[j] = M[j] + gamma * above[j] + gamma * S[j - 1] - gamma**2 * above[j - 1]
    return S


def _over_the_row_above(above, M, gamma):
    for j in range(len(M)):
        above[j] = M[j] + gamma * above[j] + (gamma - gamma**2) * (above[j - 1] if j else 0)
    return above


def _shifted(v):
    return np.append(0.0, v[:-1])


next_row.right = _row
next_row.wrong = {
    "unchanged": lambda above, M, gamma: M,
    "nothing_above": [
        lambda above, M, gamma: _row(0 * above, M, gamma),
        lambda above, M, gamma: _row(above, M - gamma * above, gamma),
    ],
    "nothing_left": [
        lambda above, M, gamma: M + gamma * above,
        lambda above, M, gamma: M + gamma * above - gamma**2 * _shifted(above),
    ],
    "counted_twice": lambda above, M, gamma: _row(above, M, gamma, lambda g: 0.0),
    "plus": lambda above, M, gamma: _row(above, M, gamma, lambda g: g**2),
    "no_square": lambda above, M, gamma: _row(above, M, gamma, lambda g: -g),
    "no_decay": [
        lambda above, M, gamma: _row(above, M, 1.0),
        lambda above, M, gamma: _row(above, M, gamma, lambda g: -1.0),
    ],
    "from_the_end": [
        _from_the_end,
        lambda above, M, gamma: _from_the_end(above, M, gamma, copied=True),
        _left_from_the_end,
    ],
    "first_column": [
        lambda above, M, gamma: _from_the_second_on(above, M, gamma, M[0]),
        lambda above, M, gamma: _from_the_second_on(above, M, gamma, 0.0),
    ],
    "overwritten": _over_the_row_above,
    "left_of_m": lambda above, M, gamma: M + gamma * above + gamma * _shifted(M) - gamma**2 * _shifted(above),
    "wrong_row": [
        lambda above, M, gamma: M + gamma * above + gamma * np.roll(M, 1),
        lambda above, M, gamma: _row(above, M, gamma)[::-1],
    ],
    "arguments_ignored": fixed(_row, 2, 0.5),
}


@exercise("Normalise K")
def normalise(trial):
    """K_ij/√(K_ii K_jj), and 0 for a string without a word."""
    X = [*respelled(trial, ["cat", "cart", "cartography"]), "a"]
    K = Subsequences(2, 0.5)(X)
    d = K.diagonal()[:3]
    nothing = "“a” has no word of two letters, so K_ii = 0 and you divide by 0: make its row and column 0."
    try:
        with np.errstate(all="ignore"):
            mine = array_like(trial.ask(K), K.shape, "K̂")
    except ZeroDivisionError:
        raise Mistake("divided_by_0", nothing) from None
    full = Normalized(Subsequences(2, 0.5))(X)
    part = mine[:3, :3]
    root = np.sqrt(d)
    rows = K[:3] / np.linalg.norm(K[:3], axis=1, keepdims=True)
    trial.expect_none_of(
        part,
        close,
        unchanged=(K[:3, :3], "this is K; divide each entry by √(K_ii K_jj)."),
        no_root=(K[:3, :3] / np.outer(d, d), "the root is missing: divide by √(K_ii K_jj)."),
        one_side=(
            K[:3, :3] / d,
            K[:3, :3] / d[:, None],
            "you divided by the K of one of the two: then K̂ is not symmetric. Divide by √(K_ii K_jj).",
        ),
        one_root=(
            K[:3, :3] / root,
            K[:3, :3] / root[:, None],
            "divide by √K_ii and by √K_jj, for rows and for columns.",
        ),
        by_the_largest=(K[:3, :3] / K.max(), "one number for all does not make the lengths equal."),
        rows=(rows[:, :3], rows[:, :3].T, "you made the rows of K as long as 1; it is the features that should be."),
        overwritten=(
            _overwritten(K[:3, :3]),
            "you divide K_ii by itself and then need it again: keep the roots first, or fill a new matrix.",
        ),
        distance=(2 - 2 * full[:3, :3], "this is a squared distance, but the exercise asks for the cosine itself."),
    )
    wrong = unequal(part, full[:3, :3], lambda i, j: f"of “{X[i]}” and “{X[j]}” it")
    expect(wrong is None, "wrong_matrix", wrong)
    expect(np.isfinite(mine).all(), "nothing_over_nothing", nothing)
    expect(close(mine, full), "not_zero", "the row and the column of a string with K_ii = 0 should be 0.")
    X = ["", "banana", "nab"]
    with np.errstate(all="ignore"):
        again = array_like(trial.ask(Subsequences(3, 0.9)(X)), (3, 3), "K̂ of three strings")
    entry = k_of(X)
    wrong = unequal(again, Normalized(Subsequences(3, 0.9))(X), lambda i, j: f"K̂ of others: {entry(i, j)}")
    expect(wrong is None, "other_numbers", wrong)


def _overwritten(K):
    """K where entry after entry is divided in its place, and the diagonal too early."""
    K = K.copy()
    for i, j in np.ndindex(K.shape):
        K[i, j] /= np.sqrt(K[i, i] * K[j, j])
    return K


def _root(K):
    """√K_ii, and infinity instead of 0."""
    return np.sqrt(np.where(K.diagonal() > 0, K.diagonal(), np.inf))


def _normalised(K):
    return K / np.outer(_root(K), _root(K))


normalise.right = _normalised
normalise.wrong = {
    "divided_by_0": lambda K: [
        [float(k) / float(K[i, i] * K[j, j]) ** 0.5 for j, k in enumerate(K[i])] for i in range(len(K))
    ],
    "unchanged": lambda K: K,
    "no_root": lambda K: K / np.outer(_root(K) ** 2, _root(K) ** 2),
    "one_side": [lambda K: K / _root(K) ** 2, lambda K: K / _root(K)[:, None] ** 2],
    "one_root": lambda K: K / _root(K),
    "by_the_largest": lambda K: K / K.max(),
    "rows": [lambda K: K / np.linalg.norm(K, axis=1, keepdims=True), lambda K: K / np.linalg.norm(K, axis=0)],
    "overwritten": _overwritten,
    "distance": lambda K: 2 - 2 * _normalised(K),
    "rounded": lambda K: _normalised(K).round(2),
    "wrong_matrix": [lambda K: np.sqrt(K), lambda K: _normalised(K) + 0.5 * np.eye(len(K))],
    "nothing_over_nothing": lambda K: K / np.sqrt(np.outer(K.diagonal(), K.diagonal())),
    "not_zero": lambda K: (K + 1e-9) / np.sqrt(np.outer(K.diagonal() + 1e-9, K.diagonal() + 1e-9)),
    "other_numbers": lambda K: np.pad(_normalised(K)[:-1, :-1], (0, 1)),
}


@challenge("Different and alike", table)
def alike(panel):
    """Two different words with a normalised k above 0.9, from p = 2 on."""
    values = panel.values
    x = cleaned(values["x"])
    z = cleaned(values["z"])
    p = values["length"]
    sentence = f"both are “{x}” (letters count, {LONGEST} at most): take two different words."
    expect(x != z, "same_word", sentence)
    expect(p > 1, "single_letters", "single letters know no order, any anagram has 1: set letters p to 2 or more.")
    expect(not values["shorter"], "shorter_too", "take words of exactly p letters: clear “and all shorter ones”.")
    found = float(Normalized(Subsequences(p, values["decay"]))(x, z))
    expect(found > 0, "nothing_in_common", f"“{x}” and “{z}” share no word of {p} letters.")
    expect(found > 0.9, "not_alike", f"“{x}” and “{z}” have {found:.3f}: not above 0.9 yet.")


alike.right = {"x": "bananana", "z": "banananana", "length": 2}
alike.wrong = {
    "same_word": [
        {"x": "cat", "z": "cat", "length": 2},
        {"x": "cat", "z": " CAT. ", "length": 2},
        {"x": "a" * 11, "z": "a" * 12, "length": 2},
    ],
    "single_letters": {"x": "listen", "z": "silent", "length": 1},
    "shorter_too": {"x": "bananana", "z": "banananana", "length": 2, "shorter": True},
    "nothing_in_common": [{"x": "cat", "z": "dog", "length": 2}, {"x": "", "z": "dog", "length": 2}],
    "not_alike": {"length": 3},
}


summary = summary_of(gram, next_row, normalise, deeper=(alike,))
