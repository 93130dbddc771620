"""Theorems about the kernels of strings: by hand, by brute force, and where the numbers are very small."""

import numpy as np
import pandas as pd
import pytest
from every_kernel import subsequences, substrings
from hypothesis import given, settings, strategies as st

from kernelkit import Normalized, Subsequences, Substrings
from kernelkit.kernels import strings

pytestmark = pytest.mark.filterwarnings("error")
words = st.text("act", max_size=7)
several = st.lists(words, min_size=1, max_size=4)


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


@given(several, several, st.integers(1, 4), st.sampled_from([0.05, 0.5, 0.9, 1.0]))
def test_words_are_counted_by_brute_force(X, Z, length, decay):
    expected = [[subsequences(x, z, length, decay) for z in Z] for x in X]
    np.testing.assert_allclose(Subsequences(length, decay)(X, Z), expected, rtol=1e-12, atol=1e-300)
    expected = [[substrings(x, z, length) for z in Z] for x in X]
    np.testing.assert_array_equal(Substrings(length)(X, Z), expected)


@settings(max_examples=30)
@given(several, st.integers(1, 3))
def test_features_over_an_alphabet_are_all_its_words(X, length):
    for k in (Substrings(length), Subsequences(length, 0.6)):
        phi = k.feature_map(over="tac")
        assert phi.dim(1) == k.dim(1, over="tac") == len(phi.names(1)) == 3**length
        np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("g", [0.3, 0.5, 1.0])
def test_the_examples_of_the_lecture_and_of_lodhi_et_al(g):
    """cat, car, bat, bar with words of two letters: k(cat, car) = γ⁴, k(x, x) = 2γ⁴ + γ⁶, K̂ = 1/(2 + γ²)."""
    each = [Subsequences(p, g)("cat", "cart") for p in (1, 2, 3)]
    assert each == pytest.approx([3 * g**2, g**4 + g**5 + g**7, g**7], rel=1e-14)
    k = Subsequences(2, g)
    assert k("cat", "car") == k("bat", "cat") == pytest.approx(g**4, rel=1e-14) and k("car", "bat") == 0
    assert k("cat") == k("car") == pytest.approx(2 * g**4 + g**6, rel=1e-14)
    assert Normalized(k)("cat", "car") == pytest.approx(1 / (2 + g**2), rel=1e-14)


@pytest.mark.parametrize("decay", [0.05, 1.0])
def test_many_letters_are_as_exact_as_the_plain_recursion(decay):
    rng = np.random.default_rng(0)
    x, z = ("".join(rng.choice([*"acgt"], n)) for n in (300, 270))  # several blocks of 32 letters
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
    np.testing.assert_allclose(k(X), [[subsequences(x, z, 2, 0.5) for z in X] for x in X], rtol=1e-12)
    for many in (np.array(["cat", "cart"]), ("cat", "cart"), pd.Series(["cat", "cart"], index=[7, 3])):
        np.testing.assert_array_equal(k(many), k(["cat", "cart"]))
    assert k("\ud800a", "\ud800a") == 0.5**4  # half a letter
    assert k("", "") == k("a", "a") == 0 and k([""]).shape == (1, 1)
    assert Subsequences(10).feature_map(over="ac")("acacacacacac").sum() > 0  # not yet too many choices of places
