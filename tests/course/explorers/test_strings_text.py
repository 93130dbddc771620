"""What the text of notebook 14 says, on the data it uses."""

from collections import Counter
from math import comb
from pathlib import Path

import numpy as np

from kernelkit import KernelSVM, Normalized, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.data.letters import amounts, sizes, spelled
from kernelkit.course.explorers.strings.language_map import EACH, LETTERS


def mistakes(K, y):
    fold, wrong = np.arange(len(y)) % 5, np.zeros(len(y), bool)
    for test in (fold == number for number in range(5)):
        svm = KernelSVM(Precomputed()).fit(K[~test][:, ~test], y[~test])
        wrong[test] = svm.predict(K[test][:, ~test]) != y[test]
    return wrong.mean()


def normal(K):
    return K / np.sqrt(np.outer(K.diagonal(), K.diagonal()))


def test_gaps_are_worth_their_price_only_where_letters_come_in_between():
    """Clean: substrings of three make no mistake; with stray letters gaps make at most two thirds of theirs."""
    X, y = datasets.languages()
    clean = [mistakes(normal(Substrings(p)(X)), y) for p in (1, 2, 3)]
    assert clean[2] == 0 and max(clean) < 0.03  # single letters tell most already
    torn, gaps = np.zeros((2, 3))
    for typed in range(3):
        X, y = datasets.languages(0.3, typed)
        torn += [mistakes(normal(Substrings(p)(X)), y) for p in (1, 2, 3)]
        gaps += [mistakes(normal(K), y) for K in Subsequences(3, 0.5).grams(X)]
    assert torn[2] == max(torn) and gaps[0] == torn[0] and max(gaps[1:]) < 0.5 * min(torn[1:])


def test_three_sentences_in_four_have_an_article_of_their_language_alone_that_stray_letters_tear():
    """The others have a word that stands in another sentence of their language and in none of the other."""
    clean, torn = ([{*x.split()} for x in datasets.languages(stray)[0]] for stray in (0.0, 0.3))
    has = lambda words: not {"the", "le", "la"}.isdisjoint(words)  # noqa: E731
    assert 3 / 4 < np.mean([*map(has, clean)]) < 0.8 and np.mean([*map(has, torn)]) < 0.4
    assert (datasets.languages()[1] == 1).sum() == (datasets.languages()[1] == -1).sum() == 73
    english, french = (Counter(word for words in half for word in words) for half in (clean[:73], clean[73:]))
    assert french["the"] == english["le"] == english["la"] == 0 and min(english["a"], french["a"]) > 10
    for words in clean[:73]:
        assert any(english[word] > 1 and not french[word] for word in words)
    for words in clean[73:]:
        assert any(french[word] > 1 and not english[word] for word in words)
    assert english["his"] > 1 and french["une"] > 1 and not english["une"] and not french["his"]
    text = (Path(__file__).parents[3] / "notebooks" / "14-strings.ipynb").read_text(encoding="utf-8")
    assert f"Each point is one of {2 * EACH} of our sentences" in text


def test_the_machine_goes_by_articles():
    """The largest weights of w over substrings of three letters, from the explicit features."""
    X, y = datasets.languages()
    phi = amounts(X, 3, None, LETTERS)
    phi /= sizes(phi)
    w = phi.T @ KernelSVM(Precomputed(), tol=1e-6).fit(phi @ phi.T, y).a_
    words = [spelled(j, 3, LETTERS) for j in np.argsort(-w)]
    assert words[:3] == ["le ", " de", "la "] and words[:-4:-1] == ["the", "he ", " th"]


def test_words_do_as_well_on_clean_text_and_stray_letters_hurt_them_most():
    share = {}
    for stray in (0.0, 0.3):
        X, y = datasets.languages(stray)
        number = {word: i for i, word in enumerate(sorted({word for x in X for word in x.split()}))}
        words = ["".join(chr(0x4E00 + number[word]) for word in x.split()) for x in X]
        k = Normalized(Substrings(1))
        share[stray] = mistakes(k(words), y), mistakes(Normalized(Substrings(3))(X), y)
    assert max(share[0.0]) <= 0.02 and share[0.3][0] > 1.5 * share[0.3][1]


def test_so_many_choices_of_places_has_a_sentence():
    assert comb(60, 4) == 487635


def test_a_long_text_resembles_everything_until_it_is_normalised():
    k, long = Subsequences(2, 0.5), "a cat in a cart"
    assert k("cat", long) > k("cat", "cat") > k("cat", "cart")
    assert Normalized(k)("cat", long) < Normalized(k)("cat", "cart") < 1
