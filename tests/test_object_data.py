"""The data that are no vectors: their form, and what each is made to show, against a baseline on vectors."""

import re
from collections import Counter

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from kernelkit import (
    Alignments,
    FisherMarkov,
    Gaussian,
    Jaccard,
    Kendall,
    KernelRidge,
    KernelSVM,
    Linear,
    Mallows,
    MeanMap,
    Normalized,
    Overlap,
    Polynomial,
    Precomputed,
    Subsequences,
    Subsets,
    Substrings,
    Subtrees,
    Walks,
    WeisfeilerLehman,
    datasets,
)

pytestmark = pytest.mark.filterwarnings("error")
FAMILIES = ["motifs", "recipes", "bags", "molecules", "parses", "gestures", "writings", "rankings"]


def error(K, y, C=1.0, repeats=1):
    """The part of wrong labels of an SVM in five folds, from its Gram matrix."""
    wrong = []
    for seed in range(repeats):
        for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(K, y):
            model = KernelSVM(Precomputed(), C).fit(K[np.ix_(train, train)], y[train])
            wrong.append(np.mean(model.predict(K[np.ix_(test, train)]) != y[test]))
    return np.mean(wrong)


def explained(K, y, lam):
    """R² of kernel ridge regression in five folds, from its Gram matrix."""
    h = np.empty(len(y))
    for train, test in KFold(5, shuffle=True, random_state=0).split(K):
        model = KernelRidge(Precomputed(), lam).fit(K[np.ix_(train, train)], y[train] - y[train].mean())
        h[test] = model.predict(K[np.ix_(test, train)]) + y[train].mean()
    return 1 - ((y - h) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def normalised(K):
    return K / np.sqrt(np.outer(K.diagonal(), K.diagonal()))


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_seed_gives_the_same_objects_and_another_one_others(name):
    make = getattr(datasets, name)
    (X, y), (again, labels), (other, _) = make(), make(random_state=0), make(random_state=1)
    assert repr(list(X)) == repr(list(again)) != repr(list(other)) and y.tolist() == labels.tolist()
    if name != "bags":
        assert sorted({*y.tolist()}) == [-1, 1] and abs(y.sum()) <= 1


# ---- sentences -----------------------------------------------------------------------------------


def test_sentences_are_plain_and_as_many_in_both_languages():
    X, y = datasets.languages()
    assert (y == 1).sum() == (y == -1).sum() >= 60 and len({*X}) == len(X)
    assert all(re.fullmatch(r"[a-z]+( [a-z]+)*", x) and len(x) <= 60 for x in X)
    lengths = [np.mean([len(x) for x, c in zip(X, y, strict=True) if c == side]) for side in (-1, 1)]
    assert abs(lengths[0] - lengths[1]) < 5  # the length does not tell the language


def test_stray_letters_follow_letters():
    X, _ = datasets.languages()
    typed, _ = datasets.languages(stray=0.3, random_state=1)
    added = sum(map(len, typed)) / sum(map(len, X)) - 1
    assert added == pytest.approx(0.3, abs=0.02) and typed != datasets.languages(0.3)[0]
    for x, z in zip(X, typed, strict=True):
        rest = iter(z)
        assert all(c in rest for c in x)  # x is a subsequence of z


@pytest.mark.parametrize("stray", [-0.1, 1.5, "often"])
def test_what_is_no_rate_of_strays_is_refused(stray):
    with pytest.raises((ValueError, TypeError), match=r"^stray must be a "):
        datasets.languages(stray)


def test_languages_are_told_apart_without_a_feature():
    X, y = datasets.languages()
    assert error(Normalized(Substrings(3))(X), y) <= 0.03
    assert error(normalised(Subsequences(3, 0.5)(X)), y) <= 0.03  # on clean text gaps are worth no more
    assert error(Gaussian(5.0)(np.array([[len(x)] for x in X], float)), y) > 0.3


def test_gaps_earn_their_price_where_stray_letters_are_typed_in():
    errors = []
    for seed in (0, 2):
        X, y = datasets.languages(0.3, seed)
        errors.append([error(Normalized(Substrings(3))(X), y), error(normalised(Subsequences(3, 0.5)(X)), y)])
    plain, gaps = np.mean(errors, axis=0)
    assert gaps <= 2 / 3 * plain and plain > 0.04


def test_a_motif_with_gaps_is_found_by_subsequences():
    errors = []
    for seed in (0, 1):
        X, y = datasets.motifs(random_state=seed)
        assert {len(x) for x in X} == {40} and {*"".join(X)} == {*"acgt"}
        plain = min(error(Normalized(Substrings(p))(X), y, 10, repeats=2) for p in (2, 3, 4))
        errors.append([plain, error(normalised(Subsequences(4, 0.5)(X)), y, 10, repeats=2)])
    plain, gaps = np.mean(errors, axis=0)
    assert gaps < 0.12 and gaps < 0.6 * plain


# ---- each family against its baseline ------------------------------------------------------------


def test_recipes_are_told_by_pairs_of_ingredients():
    X, y = datasets.recipes()
    items = sorted(set().union(*X))
    members = np.array([[item in x for item in items] for x in X], float)
    for c in (-1, 1):
        assert np.abs(members[y == c].mean(axis=0) - members.mean(axis=0)).max() < 0.12  # each as often in both
    np.testing.assert_array_equal(Linear()(members), Overlap()(X))
    pairs = error(Normalized(Subsets())(X), y)
    assert pairs < 0.15 < 0.3 < error(Overlap()(X), y) and pairs < error(Jaccard()(X), y)


def test_the_width_of_a_bag_is_learned_from_the_mean_of_its_features():
    X, y = datasets.bags()
    for x, width in zip(X[:5], y, strict=False):
        assert 20 <= len(x) <= 60 and x.std() == pytest.approx(width, rel=0.5)
    first = np.array([x[:20, 0] for x in X])  # the baseline: the first twenty numbers as a vector
    assert max(explained(Gaussian(sigma)(first), y, 0.1) for sigma in (1.0, 3.0, 10.0)) < 0.6
    assert explained((MeanMap(Polynomial(2)) ** 2)(X), y, 1.0) > 0.8  # E x² − (E x)² is of degree 2 in the means
    assert explained(Normalized(MeanMap(Gaussian(1.0)))(X) ** 3, y, 0.01) > 0.8


def test_molecules_have_the_same_atoms_and_bonds_but_others_are_neighbours():
    X, y = datasets.molecules()
    assert {tuple(sorted(Counter(labels).items())) for _, labels in X} == {(("C", 10), ("N", 2), ("O", 2))}
    assert {int(A.sum()) for A, _ in X} == {26} and all((A == A.T).all() for A, _ in X)
    kinds = [(c, degree) for c in "CNO" for degree in range(1, 7)]
    counts = [Counter(zip(labels, A.sum(axis=0).astype(int), strict=True)) for A, labels in X]
    V = np.array([[count[kind] for kind in kinds] for count in counts], float)  # the baseline: atoms by their bonds
    assert min(error(Linear()(V), y), error(Gaussian(2.0)(V), y)) > 0.15
    assert error(Normalized(WeisfeilerLehman(2))(X), y) <= 0.02 and error(Normalized(WeisfeilerLehman(0))(X), y) >= 0.4
    assert error(Normalized(Walks(0.02))(X), y) <= 0.05


def test_sentences_with_the_same_words_differ_by_their_trees():
    X, y = datasets.parses()

    def words(tree):
        return [tree] if isinstance(tree, str) else [word for child in tree[1:] for word in words(child)]

    vocabulary = sorted({word for tree in X for word in words(tree)})
    V = np.array([[words(tree).count(word) for word in vocabulary] for tree in X], float)
    assert min(error(Linear()(V), y), error(Gaussian(2.0)(V), y)) > 0.3  # the baseline: counts of words
    assert error(Normalized(Subtrees(0.5))(X), y) == 0


def test_gestures_keep_their_order_but_not_their_times():
    X, y = datasets.gestures()
    lengths = np.array([len(x) for x in X])
    assert lengths.max() <= 1.15 * lengths.min() and error(Gaussian(2.0)(lengths[:, None]), y) > 0.3
    t = np.linspace(0, 1, 38)  # the baseline: series resampled to the same length
    resampled = np.array([np.interp(t, np.linspace(0, 1, len(x)), x[:, 0]) for x in X])
    K = Normalized(Alignments(Gaussian(1.5)))(X)
    assert 0.05 < np.median(K[np.triu_indices(len(X), 1)]) < 0.9  # neither all alike nor all strangers
    by_alignment, by_vectors = error(K, y, 10), min(error(Gaussian(s)(resampled), y, 10) for s in (1.0, 2.0, 4.0))
    assert by_alignment <= 0.03 and by_vectors >= 2 * by_alignment and by_vectors > 0.06


def test_writers_are_told_by_their_steps():
    X, y = datasets.writings()
    shares = np.array([[np.mean(np.array(x) == state) for state in range(4)] for x in X])
    assert min(error(Linear()(shares), y, 100), error(Gaussian(0.2)(shares), y, 10)) > 0.3  # the baseline
    even = FisherMarkov(np.full(4, 0.25), np.full((4, 4), 0.25))
    assert error(Normalized(even)(X), y) <= 0.05
    for start, T in datasets.WRITERS:
        np.testing.assert_allclose(start @ T, start)  # equally often in the long run


def test_voters_who_love_what_others_hate_are_one_group():
    X, y = datasets.rankings()
    centred = X - 5.5  # the baseline: the ranks as a vector, linear
    assert min(error(Linear()(centred), y), error(Kendall()(X), y)) > 0.3  # both are odd in the order
    assert error(Mallows(0.05)(X), y) <= 0.05 and error(Kendall()(X) ** 2, y) <= 0.05
