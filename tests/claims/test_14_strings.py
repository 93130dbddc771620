"""Numbers that notebook 14 says and no cell prints, and its own algorithms next to the kernels, for all strings."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from notebook_cells import defined_by
from panels import state_of

from kernelkit import KernelSVM, Normalized, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.strings import language_map

CELLS = defined_by("14-strings.ipynb", "cell-02", "cell-04", "cell-17")
words, lengths, decays = st.text("act", min_size=1, max_size=7), st.integers(1, 4), st.sampled_from([0.05, 0.5, 1.0])
few = settings(max_examples=40)

# ---- the notebook's own algorithms ---------------------------------------------------------------------


@few
@given(words, words, lengths, decays)
def test_the_cells_count_and_add_up_what_the_kernels_say(x, z, length, decay):
    assert CELLS["substrings"](x, z, length) == Substrings(length)(x, z)
    assert CELLS["table"](x, z, length, decay).sum() == pytest.approx(Subsequences(length, decay)(x, z), abs=1e-12)


@few
@given(words, words, st.integers(1, 3), decays)
def test_the_running_sum_is_the_double_sum_and_gives_the_next_table(x, z, q, gamma):
    M, match = CELLS["table"](x, z, q, gamma), np.array([[c == d for d in z] for c in x])
    S, double = CELLS["running_sum"](M, gamma), np.zeros(M.shape)
    for i, j in np.ndindex(M.shape):
        double[i, j] = sum(gamma ** (i - e + j - f) * M[e, f] for e, f in np.ndindex(i + 1, j + 1))
    np.testing.assert_allclose(S[1:, 1:], double, atol=1e-12)
    np.testing.assert_allclose(CELLS["table"](x, z, q + 1, gamma), gamma**2 * match * S[:-1, :-1], atol=1e-12)


def common_pairs(x, z):
    """T(i, j): how many pairs of readings of all lengths spell the same word, with the empty word."""
    T = np.ones((len(x) + 1, len(z) + 1), int)
    for i, j in np.ndindex(len(x), len(z)):
        T[i + 1, j + 1] = T[i, j + 1] + T[i + 1, j] - T[i, j] + (x[i] == z[j]) * T[i, j]
    return T


@few
@given(words, words)
def test_one_table_counts_the_pairs_of_all_lengths(x, z):
    listed = 1 + sum(Subsequences(q, 1.0)(x, z) for q in range(1, min(len(x), len(z)) + 1))
    assert common_pairs(x, z)[-1, -1] == pytest.approx(listed)


# ---- tables and small cases by hand ----------------------------------------------------------------------


def test_the_tables_of_cat_and_cart_and_of_aba_and_ab_are_these():
    M = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]) / 4
    S = [[0.25, 0.125, 0.0625, 0.03125], [0.125, 0.3125, 0.15625, 0.078125], [0.0625, 0.15625, 0.078125, 0.2890625]]
    np.testing.assert_array_equal(M, CELLS["table"]("cat", "cart", 1, 0.5))
    np.testing.assert_array_equal(S, CELLS["running_sum"](M, 0.5)[1:, 1:])
    second = CELLS["table"]("cat", "cart", 2, 0.5)
    assert second[1, 1] == 0.0625 and second[2, 3] == S[1][2] / 4 == 0.0390625
    np.testing.assert_array_equal(common_pairs("aba", "ab"), [[1, 1, 1], [1, 2, 2], [1, 2, 4], [1, 3, 5]])


def test_words_of_two_letters_in_cat_and_cart():
    spans = {"cat": dict(ca=2, at=2, ct=3), "cart": dict(ca=2, at=3, ct=4, ar=2, rt=2, cr=3)}
    k = Subsequences(2, 0.5)
    for x, found in spans.items():
        assert k.parts(x) == {word: 0.5**span for word, span in found.items()}
    values = [k("cat", "cart"), k("cat", "cat"), k("cart", "cart"), Normalized(k)("cat", "cart")]
    assert values == pytest.approx([0.1016, 0.1406, 0.2227, 0.574], abs=5e-4)
    assert Subsequences(2, 1.0)("cat", "cart") == 3 and Subsequences(3, 0.5)("cat", "cart") == 0.5**7
    assert Normalized(Substrings(2))("cat", "cart") == pytest.approx(0.408, abs=5e-4)


def test_so_many_steps_are_saved():
    assert round(4 * 60**4 / 1e6) == 52 and 4 * 60**2 == 14_400 and 4 * 36**2 == 5184 and comb(36, 4) == 58_905
    assert (3 * 60**2, 3 * 120) == (10_800, 360) and 2**60 - 1 > 10**18


def test_two_long_words_share_22_words_and_only_two_of_them_are_substrings_of_both():
    of_x, of_z = (Subsequences(3, 0.5).parts(word) for word in ("structures", "restricted"))
    shared = {u: of_x[u] * of_z[u] for u in of_x if u in of_z}
    both = [u for u in shared if u in "structures" and u in "restricted"]
    assert len(shared) == 22 and sorted(both) == ["res", "str"] and "rct" in shared
    assert 0.6 < sum(shared[u] for u in both) / sum(shared.values()) < 0.65


# ---- sentences -----------------------------------------------------------------------------------------


def test_four_sentences_give_the_score_of_a_fifth_and_its_letters_their_votes():
    """6/√(13·29) + 5/√(13·17) = 0.645, of which a v adds 0.067 and the first t a third of that; the offset is 0."""
    X = [
        "do you want to go for a drink sometime",
        "j achete du pain tous les jours",
        "fais ce que tu veux",
        "there are inner products between sentences",
    ]
    k, z = Substrings(3), "tu veux du pain"
    svm = KernelSVM(Precomputed()).fit(Normalized(k)(X), np.array([-1, 1, 1, -1]))
    np.testing.assert_allclose([*svm.a_, svm.b_], [-1, 1, 1, -1, 0], atol=1e-9)
    assert k([z], X)[0].tolist() == [0, 6, 5, 0] and [k(v, v) for v in (z, *X[1:3])] == [13, 29, 17]
    h = [svm.decision_function(Normalized(k)([text], X))[0] for text in (z, "where are you")]
    assert h[0] == pytest.approx(6 / (13 * 29) ** 0.5 + 5 / (13 * 17) ** 0.5)
    assert h == pytest.approx([0.645, -0.478], abs=5e-4)
    length = k(z, z) ** 0.5 * k.diagonal(X) ** 0.5  # of Φ(z) as it was, when a letter is hidden
    hidden = [(k([z[:i] + "\0" + z[i + 1 :]], X)[0] / length) @ svm.a_ for i in range(len(z))]
    votes = (h[0] - np.array(hidden)) / 3
    assert votes.sum() == pytest.approx(h[0]) and [votes[z.index("v")], votes[0]] == pytest.approx(
        [0.067, 0.022], abs=5e-4
    )


def test_what_the_map_of_languages_says_of_its_scenes():
    shown = state_of(language_map)
    assert np.round([shown.votes.sum(), shown.learned.b, shown.h], 2).tolist() == [-1.22, 0.11, -1.11]
    nothing = state_of(language_map, sentence="zzz")
    assert nothing.h == nothing.learned.b
    wrong = [int(state_of(language_map, "Stray letters, gaps", decay=g).learned.wrong.sum()) for g in (0.1, 0.5, 0.9)]
    assert wrong == [10, 3, 9]
    shown = state_of(language_map, "Italian")
    assert round(shown.h, 2) == 0.25 and (shown.votes > 0).any() and (shown.votes < 0).any()
    X, y = np.array(shown.learned.X), shown.learned.y
    found = {part: [sum(part in x for x in X[y == c]) for c in (-1, 1)] for part in ("il ", "to ")}
    assert found == {"il ": [1, 9], "to ": [11, 0]} and all(part in shown.z for part in found)


def test_two_short_pieces_belong_to_one_language_each():
    X, y = datasets.languages()
    assert [sum(part in x for x in np.array(X)[y == c]) for part in ("the", " de") for c in (-1, 1)] == [64, 0, 0, 35]
