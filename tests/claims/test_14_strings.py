"""Notebook 14 counts parts in its own cells and says that kernelkit gives the same numbers: for all strings."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from notebook_cells import defined_by
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.svm import SVC

from kernelkit import KernelSVM, Normalized, Precomputed, Subsequences, Substrings, datasets

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
