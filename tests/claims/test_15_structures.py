"""Notebook 15 writes each kernel by its features and says that kernelkit's version gives the same numbers."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from notebook_cells import defined_by
from sklearn.svm import SVC

from kernelkit import (
    Alignments,
    Bhattacharyya,
    ChainProduct,
    FisherMarkov,
    FisherMixture,
    Gaussian,
    Intersection,
    Kendall,
    KernelSVM,
    Mallows,
    MeanMap,
    MixtureProduct,
    Normalized,
    Overlap,
    Polynomial,
    Subsets,
    Subtrees,
    Walks,
    WeisfeilerLehman,
    datasets,
)

IMPORTS = "4da3c76e"


def cells(*ids):
    return defined_by("15-structures.ipynb", IMPORTS, *ids)


def few(name, n=6):
    """Every pair of a few objects of a data set, of both classes, each also with itself."""
    X, _ = getattr(datasets, name)()
    return list(combinations_with_replacement([*X[: n // 2], *X[-(n // 2) :]], 2))


def test_sets_share_as_many_sets_as_their_common_elements_make():
    subsets = cells("db8b4824")["subsets"]
    for A, B in few("recipes"):
        assert len(subsets(A) & subsets(B)) == 2 ** len(A & B) == Subsets()(A, B)
        assert len(A & B) == Overlap()(A, B)


def test_levels_reached_by_both_are_the_smaller_numbers():
    space, rng = cells("6f9fe7d8"), np.random.default_rng(0)
    for x, z in rng.integers(0, 6, (20, 2, 7)):
        both = space["steps"](x, space["levels"]) @ space["steps"](z, space["levels"])
        assert both == np.minimum(x, z).sum() == Intersection()(x, z)


@pytest.mark.parametrize("k", [Polynomial(2), Gaussian(1.0)], ids=str)
def test_the_mean_over_all_pairs_is_the_mean_map(k):
    mean_map = cells("6d2795c9")["mean_map"]
    for x, z in few("bags", 4):
        assert MeanMap(k)(x, z) == pytest.approx(mean_map(k, x, z), rel=1e-10)


def test_a_sum_over_many_places_is_the_closed_form_and_bhattacharyya():
    space = cells("4a745252")
    bell, t = space["bell"], space["t"]
    for (m, v), (n, w) in (((0, 1), (0, 4)), ((0, 1), (2, 4)), ((0, 1), (6, 4)), ((-1, 0.5), (1, 0.5))):
        places = np.sum(np.sqrt(bell(t, m, v) * bell(t, n, w))) * (t[1] - t[0])
        closed = np.sqrt(2 * np.sqrt(v * w) / (v + w)) * np.exp(-((m - n) ** 2) / (4 * (v + w)))
        assert places == pytest.approx(closed, rel=1e-6)
        assert Bhattacharyya()((m, v), (n, w)) == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize("rounds", [0, 1, 2, 4])
def test_colours_counted_by_hand_are_weisfeiler_lehman(rounds):
    colours = cells("887fe3ae")["colours"]
    for one, other in few("molecules"):
        x, z = colours(*one, rounds), colours(*other, rounds)
        assert sum(x[c] * z[c] for c in x) == WeisfeilerLehman(rounds)(one, other)


@pytest.mark.parametrize("decay", [0.001, 0.02])
def test_walks_in_the_product_are_walks(decay):
    common_walks = cells("887fe3ae", "3b2e64cb", "5ed229f6")["common_walks"]
    for one, other in few("molecules"):
        assert Walks(decay)(one, other) == pytest.approx(common_walks(*one, *other, decay), rel=1e-10)


def test_the_machine_of_scikit_learn_gives_every_molecule_the_same_h():
    X, y = datasets.molecules()
    k = Normalized(WeisfeilerLehman(1))
    theirs = SVC(kernel="precomputed", tol=1e-5).fit(k(X), y)
    np.testing.assert_allclose(theirs.decision_function(k(X)), KernelSVM(k).fit(X, y).decision_function(X), atol=1e-3)


@pytest.mark.parametrize("decay", [0.5, 1.0])
def test_the_recursion_over_nodes_is_subtrees(decay):
    space = cells("91457629")
    for one, other in few("parses"):
        total = sum(space["grown"](a, b, decay) for a in space["nodes"](one) for b in space["nodes"](other))
        assert Subtrees(decay)(one, other) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(("n", "m"), [(3, 5), (20, 40), (60, 30)])
def test_series_without_news_are_as_alike_as_their_alignments_are_many(n, m):
    ways = cells("e005b872")["ways"]
    cosine = Normalized(Alignments(Gaussian(1.0)))(np.zeros((n, 1)), np.zeros((m, 1)))
    assert cosine == pytest.approx(ways(n, m) / (ways(n, n) * ways(m, m)) ** 0.5, rel=1e-9)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_the_table_of_two_chains_adds_up_all_words(m):
    space = cells("5bde6336")
    p, q = space["p"], space["q"]
    words = ChainProduct(m).feature_map(over=range(2))([p, q])
    assert len(words.T) == 2**m
    assert space["chain_product"](p, q, m) == pytest.approx(words[0] @ words[1], rel=1e-12)
    assert ChainProduct(m)(p, q) == pytest.approx(words[0] @ words[1], rel=1e-12)


def test_two_mixtures_have_the_integral_of_their_product():
    space = cells("4a745252", "9d28fd9c")
    bell, mixtures, t = space["bell"], (space["one"], space["other"]), np.linspace(-15, 15, 6001)
    p, q = (sum(w * bell(t, m[0], s**2) for w, m in zip(weights, means, strict=True)) for weights, means, s in mixtures)
    parts = [0.5 * bell(mean, 1.0, 0.5**2 + 1.0**2) for mean in (-1.0, 2.0)]
    assert MixtureProduct()(*mixtures) == pytest.approx(sum(parts), rel=1e-12)
    assert np.sum(p * q) * (t[1] - t[0]) == pytest.approx(sum(parts), rel=1e-9)


def test_scores_of_sequences_and_of_points_are_fisher_s():
    space = cells("a83768c9", "f5ca31f6")
    uneven = np.array([0.1, 0.2, 0.3, 0.4]), np.array([[0.7, 0.1, 0.1, 0.1], *np.full((3, 4), 0.25)])
    for chain in (space["even"], uneven):
        for x, z in few("writings"):
            expected = space["score"](x, *chain) @ space["score"](z, *chain)
            assert FisherMarkov(*chain)(x, z) == pytest.approx(expected, rel=1e-10, abs=1e-10)
    weights, means = space["weights"], space["means"]
    for s, t in combinations((-3.0, -1.5, 0.2, 1.0), 2):
        a, b = (space["responsibility"](place, weights, means, 1.0) - weights for place in (s, t))
        assert FisherMixture(weights, means[:, None])([s], [t]) == pytest.approx(a @ b, rel=1e-10)


def test_signs_of_pairs_are_kendall_s_and_mallows():
    signs = cells("f9b67f1d")["signs"]
    for x, z in few("rankings"):
        same = signs(x) * signs(z)
        assert Kendall()(x, z) == pytest.approx(same.mean(), rel=1e-12)
        assert Mallows(0.05)(x, z) == pytest.approx(np.exp(-0.05 * (same < 0).sum()), rel=1e-12)
