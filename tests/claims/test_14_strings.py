"""Notebook 14 counts parts in its own cells and says that kernelkit gives the same numbers: for all strings."""

import re
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st
from notebook_cells import FOLDER, cell_of, defined_by
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.svm import SVC

from kernelkit import KernelSVM, Normalized, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.strings import language_map
from kernelkit.course.explorers.strings.language_map import cleaned

CELLS = defined_by("14-strings.ipynb", "cell-02", "cell-04", "cell-09", "cell-17")
words, lengths, decays = st.text("act", min_size=1, max_size=7), st.integers(1, 4), st.sampled_from([0.05, 0.5, 1.0])


@given(words, words, lengths)
def test_counting_common_parts_is_the_kernel_of_substrings(x, z, length):
    assert CELLS["substrings"](x, z, length) == Substrings(length)(x, z)


@given(words, words, lengths, decays)
def test_the_table_adds_up_to_the_kernel_of_subsequences(x, z, length, decay):
    assert CELLS["table"](x, z, length, decay).sum() == pytest.approx(Subsequences(length, decay)(x, z), abs=1e-12)


def test_the_terms_of_all_three_lengths_are_the_sum_of_three_kernels():
    k = Subsequences(1, 0.5) + Subsequences(2, 0.5) + Subsequences(3, 0.5)
    assert CELLS["total"] == k("cat", "cart")


@pytest.fixture(scope="module")
def languages():
    return datasets.languages()


def test_the_vectorizer_of_scikit_learn_builds_the_features_of_substrings(languages):
    Phi = CountVectorizer(analyzer="char", ngram_range=(3, 3)).fit_transform(languages[0])
    np.testing.assert_array_equal((Phi @ Phi.T).toarray(), Substrings(3)(languages[0]))


def test_the_machine_of_scikit_learn_gives_every_sentence_the_same_h(languages):
    X, y = languages
    K = Normalized(Substrings(3))(X)
    ours, theirs = KernelSVM(Precomputed()).fit(K, y), SVC(C=1.0, kernel="precomputed", tol=1e-4).fit(K, y)
    h = ours.decision_function(K)
    np.testing.assert_allclose(theirs.decision_function(K), h, atol=1e-3)
    np.testing.assert_allclose(h[:3], -1, atol=1e-3)  # on the margin


def text_of(words):
    return cell_of(FOLDER / "14-strings.ipynb", words)


def double_sum(M, gamma):
    S = np.zeros(M.shape)
    for i, j in np.ndindex(M.shape):
        for e, f in np.ndindex(i + 1, j + 1):
            S[i, j] += gamma ** (i - e + j - f) * M[e, f]
    return S


@given(words, words, st.integers(1, 3), decays)
def test_the_running_sum_is_the_double_sum_and_gives_the_next_table(x, z, q, gamma):
    M, match = CELLS["table"](x, z, q, gamma), np.array([[c == d for d in z] for c in x])
    S = CELLS["running_sum"](M, gamma)
    np.testing.assert_allclose(S[1:, 1:], double_sum(M, gamma), atol=1e-12)
    np.testing.assert_allclose(CELLS["table"](x, z, q + 1, gamma), gamma**2 * match * S[:-1, :-1], atol=1e-12)


def numbers_below(header):
    """The table of the page that begins with such a row."""
    rows = re.findall(r"^\| \*\*\w\*\* \|(.+)\|$", text_of(header).partition(header)[2], re.M)
    return np.array([[float(v) for v in row.split("|")] for row in rows])


def test_the_two_tables_of_cat_and_cart_are_right():
    M, S = (numbers_below(f"| ${name}_1$ | c | a | r | t |") for name in "MS")
    np.testing.assert_array_equal(M, CELLS["table"]("cat", "cart", 1, 0.5))
    np.testing.assert_array_equal(S, CELLS["running_sum"](M, 0.5)[1:, 1:])
    second = CELLS["table"]("cat", "cart", 2, 0.5)
    assert second[1, 1] == 0.0625 and second[2, 3] == S[1, 2] / 4 == 0.0390625
    assert CELLS["running_sum"](second, 0.5)[2, 3] / 4 == CELLS["table"]("cat", "cart", 3, 0.5).sum() == 0.0078125


def test_so_many_steps_are_saved():
    assert round(4 * 60**4 / 1e6) == 52 and 4 * 60**2 == 14_400 and 4 * 36**2 == 5184 and comb(36, 4) == 58_905
    assert (3 * 60**2, 3 * 120) == (10_800, 360) and 2**60 - 1 > 10**18
    x, z = "the cat is asleep on the warm stones", "le chat dort sur les pierres chaudes"
    assert len(x) == len(z) == 36
    a, b = (Subsequences(4, 0.5).parts(s) for s in (x, z))
    assert len(a.keys() & b.keys()) == 3008


def test_without_gaps_the_normalised_kernel_becomes_that_of_the_substrings():
    X = ["cat", "cart", "banana", "the cat is asleep", "attic"]
    for p in (1, 2, 3):
        np.testing.assert_allclose(
            Normalized(Subsequences(p, 1e-7))(X), Normalized(Substrings(p))(X), atol=1e-6, rtol=0
        )
    assert Normalized(Substrings(2))("cat", "cart") == pytest.approx(1 / 6**0.5)
    assert Normalized(Substrings(2))("cat", "cart") == pytest.approx(0.408, abs=5e-4)


# ---- the four sentences ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def four():
    """The sentences and labels of the table, as the panel cleans them, and the model that they train."""
    rows = re.findall(r"^\| \d \|.+\| ([−+])1 \| \| (.+) \| ([−+])1 \|$", text_of("| point | input 1"), re.M)
    assert len(rows) == 4 and all(row[0] == row[2] for row in rows)
    X, y = [cleaned(row[1]) for row in rows], np.array([1 if row[2] == "+" else -1 for row in rows])
    return X, y, KernelSVM(Precomputed()).fit(Normalized(Substrings(3))(X), y)


def test_the_cell_writes_the_sentences_of_the_table(four):
    own = defined_by("14-strings.ipynb", "cell-02", "four-sentences")
    assert own["X"] == four[0] and own["y"].tolist() == four[1].tolist() == [-1, 1, 1, -1]


def test_four_sentences_give_the_score_of_a_fifth(four):
    X, _, svm = four
    k, z = Substrings(3), "tu veux du pain"
    assert k(X).tolist() == [[36, 1, 0, 0], [1, 29, 0, 0], [0, 0, 17, 0], [0, 0, 0, 42]]
    np.testing.assert_allclose(svm.a_, [-1, 1, 1, -1], atol=1e-9)
    assert svm.b_ == pytest.approx(0, abs=1e-9)
    assert k([z], X)[0].tolist() == [0, 6, 5, 0] and k(z, z) == 13
    h = svm.decision_function(Normalized(k)([z], X))[0]
    assert h == pytest.approx(6 / (13 * 29) ** 0.5 + 5 / (13 * 17) ** 0.5) == pytest.approx(0.645, abs=5e-4)
    assert svm.decision_function(Normalized(k)(["where are you"], X))[0] == pytest.approx(-0.478, abs=5e-4)


def test_hiding_a_letter_takes_what_its_readings_add_and_all_votes_are_h_without_the_offset(four):
    X, _, svm = four
    k, z = Substrings(3), "tu veux du pain"
    length = k(z, z) ** 0.5 * k.diagonal(X) ** 0.5

    def f(text):  # h − b, the length of Φ(z) left as it was
        return (k([text], X)[0] / length) @ svm.a_

    votes = np.array([f(z) - f(z[:i] + "\0" + z[i + 1 :]) for i in range(len(z))]) / 3
    assert votes.sum() == pytest.approx(f(z)) == pytest.approx(0.645, abs=5e-4)
    assert votes[z.index("v")] == pytest.approx(1 / (13 * 17) ** 0.5) == pytest.approx(0.067, abs=5e-4)
    assert votes[0] == pytest.approx(votes[z.index("v")] / 3) == pytest.approx(0.022, abs=5e-4)


def test_the_offset_belongs_to_no_letter_of_the_first_sentence_on_the_map():
    shown = language_map.compute(**language_map.start())
    assert (round(shown.votes.sum(), 2), round(float(shown.learned.b), 2), round(shown.h, 2)) == (-1.22, 0.11, -1.11)
    read = language_map.readout(shown)
    assert (read["votes together"], read["offset b"], read["its h"]) == ("−1.22", "+0.11", "−1.11")
    nothing = language_map.compute(**language_map.start() | {"sentence": "zzz"})
    assert nothing.h == nothing.learned.b


def test_the_decay_of_the_map_is_best_in_between():
    gaps = language_map.start() | language_map.scenes["Stray letters, gaps"]
    wrong = [int(language_map.compute(**gaps | {"decay": g}).learned.wrong.sum()) for g in (0.1, 0.5, 0.9)]
    assert wrong == [10, 3, 9]


def test_an_italian_sentence_shares_parts_with_both_languages():
    shown = language_map.compute(**language_map.start() | language_map.scenes["Italian"])
    assert round(shown.h, 2) == 0.25 and (shown.votes > 0).any() and (shown.votes < 0).any()
    X, y = np.array(shown.learned.X), shown.learned.y
    found = {part: [sum(part in x for x in X[y == c]) for c in (-1, 1)] for part in ("il ", "to ")}
    assert found == {"il ": [1, 9], "to ": [11, 0]} and all(part in shown.z for part in found)


def test_two_long_words_share_22_words_and_only_two_of_them_are_substrings_of_both():
    of_x, of_z = (Subsequences(3, 0.5).parts(word) for word in ("structures", "restricted"))
    shared = {u: of_x[u] * of_z[u] for u in of_x if u in of_z}
    both = [u for u in shared if u in "structures" and u in "restricted"]
    assert len(shared) == 22 and sorted(both) == ["res", "str"] and "rct" in shared
    assert 0.6 < sum(shared[u] for u in both) / sum(shared.values()) < 0.65


# ---- the small cases by hand ----------------------------------------------------------------------


def test_the_table_of_words_of_two_letters_adds_up_to_the_kernel():
    text = text_of("| feature in *cat* |")
    header = re.search(r"^\| word \|(.+)\|$", text, re.M)[1].replace("*", "").split("|")
    for row, x in (("feature in *cat*", "cat"), ("feature in *cart*", "cart")):
        entries = text[text.index(f"| {row} |") :].splitlines()[0].strip("| ").split("|")[1:]
        spans = [int(found[1]) if (found := re.search(r"\^(\d)", entry)) else None for entry in entries]
        amount = Subsequences(2, 0.5).parts(x)
        assert {u.strip(): 0.5**s for u, s in zip(header, spans, strict=True) if s} == dict(amount)
    assert Subsequences(2, 0.5)("cat", "cart") == pytest.approx(0.1016, abs=5e-5)
    assert Subsequences(2, 1.0)("cat", "cart") == 3
    assert Subsequences(3, 0.5)("cat", "cart") == 0.5**7
    own = Subsequences(2, 0.5).diagonal(["cat", "cart"])
    assert own.tolist() == [2 * 0.5**4 + 0.5**6, 3 * 0.5**4 + 2 * 0.5**6 + 0.5**8]
    assert own.round(4).tolist() == [0.1406, 0.2227]
    assert Normalized(Subsequences(2, 0.5))("cat", "cart") == pytest.approx(0.574, abs=5e-4)


def common_pairs(x, z):
    """T(i, j): how many pairs of readings of all lengths spell the same word, with the empty word."""
    T = np.ones((len(x) + 1, len(z) + 1), int)
    for i, j in np.ndindex(len(x), len(z)):
        T[i + 1, j + 1] = T[i, j + 1] + T[i + 1, j] - T[i, j] + (x[i] == z[j]) * T[i, j]
    return T


@given(words, words)
def test_one_table_counts_the_pairs_of_all_lengths(x, z):
    listed = 1 + sum(Subsequences(q, 1.0)(x, z) for q in range(1, min(len(x), len(z)) + 1))
    assert common_pairs(x, z)[-1, -1] == pytest.approx(listed)


def test_the_table_of_aba_and_ab_is_right():
    rows = re.findall(r"^\| \*\*\w+\*\* \| (\d) \| (\d) \| (\d) \|$", text_of("| $T$ | empty | a | b |"), re.M)
    np.testing.assert_array_equal(np.array(rows, int), common_pairs("aba", "ab"))


def test_two_short_pieces_belong_to_one_language_each(languages):
    X, y = languages
    assert [sum("the" in x for x in np.array(X)[y == c]) for c in (-1, 1)] == [64, 0]
    assert [sum(" de" in x for x in np.array(X)[y == c]) for c in (-1, 1)] == [0, 35]
