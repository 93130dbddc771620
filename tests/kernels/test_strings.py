"""Theorems about the kernels of strings: by hand, by brute force, and where the numbers are very small."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from kernelkit import Normalized, Subsequences, Substrings
from kernelkit.kernels import strings

pytestmark = pytest.mark.filterwarnings("error")
words = st.text("act", max_size=7)


def by_brute_force(x, z, length, decay):
    """Σ over every choice of places in x and in z that read the same word."""
    return sum(decay ** (a + b) for u, a in read_in(x, length) for v, b in read_in(z, length) if u == v)


def read_in(s, length):
    """Every word of that length that can be read in s, and its span."""
    return [("".join(s[j] for j in i), i[-1] - i[0] + 1) for i in combinations(range(len(s)), length)]


def plain_recursion(x, z, length, decay):
    """Lodhi et al. 2002, K' and K'' as they stand there: O(length |x| |z|) numbers of Python."""
    before = [[1.0] * (len(z) + 1) for _ in range(len(x) + 1)]
    for _ in range(length - 1):
        now = [[0.0] * (len(z) + 1) for _ in range(len(x) + 1)]
        for i in range(1, len(x) + 1):
            row = 0.0
            for j in range(1, len(z) + 1):
                row = decay * row + (decay**2 * before[i - 1][j - 1] if x[i - 1] == z[j - 1] else 0.0)
                now[i][j] = decay * now[i - 1][j] + row
        before = now
    return sum(decay**2 * before[i][j] for i in range(len(x)) for j in range(len(z)) if x[i] == z[j])


@given(
    st.lists(words, min_size=1, max_size=4),
    st.lists(words, min_size=1, max_size=4),
    st.integers(1, 4),
    st.sampled_from([0.05, 0.5, 0.9, 1.0]),
)
def test_subsequences_are_counted_by_brute_force(X, Z, length, decay):
    expected = [[by_brute_force(x, z, length, decay) for z in Z] for x in X]
    np.testing.assert_allclose(Subsequences(length, decay)(X, Z), expected, rtol=1e-12, atol=1e-300)


@given(words, words, st.integers(1, 4))
def test_substrings_are_counted_by_brute_force(x, z, length):
    a, b = (Counter(s[i : i + length] for i in range(len(s) - length + 1)) for s in (x, z))
    assert Substrings(length)(x, z) == sum(a[u] * b[u] for u in a)


@settings(max_examples=30)
@given(st.lists(words, min_size=1, max_size=4), st.integers(1, 3))
def test_features_over_an_alphabet_are_all_its_words(X, length):
    for k in (Substrings(length), Subsequences(length, 0.6)):
        phi = k.feature_map(over="tac")
        assert phi.dim(1) == k.dim(1, over="tac") == len(phi.names(1)) == 3**length
        np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), rtol=1e-12, atol=1e-15)


def test_cat_and_cart_term_by_term():
    for g in (0.5, 0.9, 0.05):
        each = [Subsequences(p, g)("cat", "cart") for p in (1, 2, 3)]
        assert each == pytest.approx([3 * g**2, g**4 + g**5 + g**7, g**7], rel=1e-14)
        assert sum(each) == pytest.approx(3 * g**2 + g**4 + g**5 + 2 * g**7, rel=1e-14)
    assert sum(Subsequences(p, 0.5) for p in (1, 2, 3))("cat", "cart") == 0.859375


def test_the_example_of_lodhi_et_al():
    """cat, car, bat, bar with words of two letters: k(cat, car) = γ⁴, k(x, x) = 2γ⁴ + γ⁶, K̂ = 1/(2 + γ²)."""
    for g in (0.3, 0.5, 1.0):
        k = Subsequences(2, g)
        assert k("cat", "car") == pytest.approx(g**4, rel=1e-14)
        assert k("cat") == k("car") == pytest.approx(2 * g**4 + g**6, rel=1e-14)
        assert Normalized(k)("cat", "car") == pytest.approx(1 / (2 + g**2), rel=1e-14)
        assert k("car", "bat") == 0 and k("bat", "cat") == pytest.approx(g**4, rel=1e-14)
    text = "science is organized knowledge", "wisdom is organized life"  # the example of section 3 there
    for p, decay in ((1, 0.5), (3, 0.5), (5, 0.9)):
        assert Subsequences(p, decay)(*text) == pytest.approx(plain_recursion(*text, p, decay), rel=1e-12)
    assert Substrings(2)("gatta", "cata") == 2.0  # at once and ta once in both


def test_without_gaps_only_substrings_count():
    X = ["attract", "tact", "cat", "tattat"]
    few = Subsequences(3, 1e-4)(X) / 1e-4**6
    np.testing.assert_allclose(few, Substrings(3)(X), atol=1e-3)


@pytest.mark.parametrize("decay", [0.05, 0.5, 1.0])
def test_a_thousand_letters_are_as_exact_as_the_plain_recursion(decay):
    rng = np.random.default_rng(0)
    x, z = ("".join(rng.choice([*"acgt"], n)) for n in (1000, 970))
    assert Subsequences(3, decay)(x, z) == pytest.approx(plain_recursion(x, z, 3, decay), rel=1e-10)
    rare = "a" + 600 * "b" + "a", "a" + 600 * "c" + "a"  # γ^1204 is far below any float for γ = .05
    assert Subsequences(2, decay)(*rare) == pytest.approx(decay**1204, rel=1e-10)


def test_all_lengths_in_one_pass_are_those_of_each():
    X, Z = ["attract", "cat", "", "tact"], ["cart", "c"]
    together = Subsequences(4, 0.7).grams(X, Z)
    assert together.shape == (4, 4, 2)
    for p in range(1, 5):
        np.testing.assert_array_equal(together[p - 1], Subsequences(p, 0.7)(X, Z))
    np.testing.assert_allclose(Subsequences(4, 0.7).grams(X)[3], Subsequences(4, 0.7)(X), rtol=1e-14)


@pytest.mark.parametrize("cells", [1, 40, 10**6])
def test_batches_do_not_matter(cells, monkeypatch):
    X = ["attract", "cat", "", "tact", "c"]
    expected = Subsequences(3, 0.7)(X)
    monkeypatch.setattr(strings, "CELLS", cells)
    np.testing.assert_allclose(Subsequences(3, 0.7)(X), expected, rtol=1e-13)
    monkeypatch.setattr(strings, "BLOCK", 2)
    np.testing.assert_allclose(Subsequences(3, 0.7)(X), expected, rtol=1e-13)


def test_any_letters_are_letters():
    X = ["naïve Ωμέγα 🐈", "naive Ω 🐈🐈", "\x00\x00", np.str_("Ω")]
    k = Subsequences(2, 0.5)
    np.testing.assert_allclose(k(X), [[by_brute_force(x, z, 2, 0.5) for z in X] for x in X], rtol=1e-12)
    for words in (np.array(["cat", "cart"]), ("cat", "cart"), pd.Series(["cat", "cart"], index=[7, 3])):
        np.testing.assert_array_equal(k(words), k(["cat", "cart"]))
    assert k("\ud800a", "\ud800a") == 0.5**4  # half a letter
    assert k("", "") == k("a", "a") == 0 and k([""]).shape == (1, 1)


@pytest.mark.parametrize("over", [["a", 1], [None], ["ab", "c"], ["a", ""], b"act"], ids=repr)
def test_an_alphabet_holds_letters(over):
    with pytest.raises(TypeError, match=r"^over must hold letters, such as 'act', got "):
        Substrings(2).feature_map(over=over)


def test_a_string_with_too_many_choices_of_places_is_refused_before_the_first():
    phi = Subsequences(10).feature_map(over="ac")
    with pytest.raises(ValueError, match=r"^A string of 60 letters has 75,394,027,566 choices of 10 places: too many"):
        phi(["ac", 30 * "ac"])
    assert phi("acacacacacac").sum() > 0


def test_formulas():
    assert Substrings(3)._repr_latex_() == r"$k(x, z) = \sum_{|u| = 3} |x|_u\,|z|_u$"
    assert r"0.5^{l(i) + l(j)}" in Subsequences(2, 0.5)._repr_latex_()
    assert repr(Subsequences(2, 0.5)) == "Subsequences(2)"
    assert Substrings(2).feature_map(over="a ").names(1) == [
        r"|x|_{\mathrm{aa}}",
        r"|x|_{\mathrm{a\ }}",
        r"|x|_{\mathrm{\ a}}",
        r"|x|_{\mathrm{\ \ }}",
    ]
    with_gaps = Subsequences(1, 0.5).feature_map(over="ac")  # 0.5 for each a: not |x|_a, how often it stands there
    assert with_gaps.names(1) == [r"\varphi_{\mathrm{a}}(x)", r"\varphi_{\mathrm{c}}(x)"]
