"""What the text of notebook 15 says, on the data it uses and on other seeds too."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from kernelkit import (
    Alignments,
    FisherMarkov,
    FisherMixture,
    Gaussian,
    Intersection,
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
    Subsets,
    Walks,
    WeisfeilerLehman,
    datasets,
)

# ---- what the notebook says, on other seeds too ---------------------------------------------------


def error(K, y, C=1.0):
    """The part of wrong labels in five folds, from the Gram matrix: the judge of the notebook."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return 1 - cross_val_score(KernelSVM(Precomputed(), C), K, y, cv=folds).mean()


def test_subsets_are_a_gaussian_of_the_rows_and_beat_the_linear_one():
    X, y = datasets.recipes(random_state=1)
    items = sorted(set().union(*X))
    V = np.array([[item in x for item in items] for x in X], float)
    subsets = Normalized(Subsets())(X)
    np.testing.assert_allclose(subsets, Gaussian(1 / np.sqrt(np.log(2)))(V), rtol=1e-12)
    np.testing.assert_array_equal(Linear()(V), Overlap()(X))
    assert len(items) == 22 and max(error(K, y, 10) for K in (subsets, Jaccard()(X))) < 0.5 * error(Linear()(V), y, 10)


def test_the_data_are_as_large_as_the_text_says():
    lengths = {
        name: [len(x) for x in data]
        for name, (data, _) in (
            ("bags", datasets.bags(60)),
            ("gestures", datasets.gestures()),
            ("writings", datasets.writings()),
            ("rankings", datasets.rankings()),
        )
    }
    found = {name: (min(own), max(own)) for name, own in lengths.items()}
    assert found == {"bags": (20, 60), "gestures": (36, 41), "writings": (15, 40), "rankings": (10, 10)}
    assert {Counter(labels)[atom] for _, labels in datasets.molecules()[0] for atom in "NO"} == {2}


def test_jaccard_is_the_probability_of_the_first_of_the_union():
    A, B = set("abc"), set("bcd")
    orders = list(permutations("abcde"))
    both = np.mean([next(e for e in order if e in A | B) in A & B for order in orders])
    same = np.mean([next(e for e in order if e in A) == next(e for e in order if e in B) for order in orders])
    assert both == pytest.approx(same) == pytest.approx(Jaccard()(A, B))


def patches(name, n, rng, size=24):
    photo = datasets.picture(name)
    return [photo[i : i + size, j : j + size] for i, j in rng.integers(0, np.array(photo.shape[:2]) - size, (n, 2))]


def test_histograms_of_patches_tell_the_photograph_better_than_their_pixels():
    rng = np.random.default_rng(1)
    P, y = patches("china", 80, rng) + patches("flower", 80, rng), np.repeat([-1, 1], 80)
    V = np.array([p.ravel() for p in P])
    H = np.array([np.concatenate([np.histogram(p[..., c], 8, (0, 1))[0] for c in range(3)]) for p in P], float)
    assert V.shape[1] == 1728 and (H.sum(axis=1) == 1728).all()
    shared = error(Normalized(Intersection())(H), y, 10)
    pixels = min(error(Gaussian(s)(V), y, 10) for s in (3, 5, 10, 20))
    assert shared <= error(Normalized(Linear())(H), y, 10) < pixels < error(Linear()(V), y, 0.1)


def explained(K, y, lam):
    folds = KFold(5, shuffle=True, random_state=0)
    return cross_val_score(KernelRidge(Precomputed(), lam), K, y - y.mean(), cv=folds).mean()


@pytest.mark.parametrize("seed", [0, 1])
def test_bags_tell_their_width_better_than_twenty_numbers_even_sorted(seed):
    X, width = datasets.bags(60, random_state=seed)
    first = np.array([x[:20, 0] for x in X])
    bag = explained((MeanMap(Polynomial(2)) ** 2)(X), width, 1.0)
    assert bag > explained(Gaussian(3.0)(np.sort(first)), width, 0.1) > explained(Gaussian(3.0)(first), width, 0.1)
    assert explained(MeanMap(Polynomial(2))(X), width, 1.0) < bag  # the square of a mean is not linear in the means


def test_molecules_need_to_know_their_neighbours():
    X, y = datasets.molecules(random_state=1)
    assert {Counter(labels)["C"] for _, labels in X} == {10} and {A.sum() / 2 for A, _ in X} == {13}
    assert error(Normalized(WeisfeilerLehman(0))(X), y) >= 0.4 > 0.05 > error(Normalized(WeisfeilerLehman(2))(X), y)


def test_the_length_alone_separates_and_sigma_has_a_middle():
    @cache
    def ways(n, m):
        return 1 if n == 1 or m == 1 else ways(n - 1, m) + ways(n, m - 1) + ways(n - 1, m - 1)

    counted = ways(20, 40) / (ways(20, 20) * ways(40, 40)) ** 0.5
    still = [np.zeros((20, 1)), np.zeros((40, 1))]
    assert counted == pytest.approx(Normalized(Alignments(Gaussian(1.0)))(*still)) == pytest.approx(0.0074, abs=5e-5)
    X, y = datasets.gestures()
    found = {}
    for sigma in (0.3, 1.5, 20.0):
        K = Normalized(Alignments(Gaussian(sigma)))(X)
        found[sigma] = np.median(K[np.triu_indices(60, 1)]), error(K, y, 10)
    assert found[0.3][0] < 0.001 < 0.05 < found[1.5][0] < 0.9 < found[20.0][0]
    assert found[1.5][1] < min(found[0.3][1], found[20.0][1])


def test_the_vector_at_its_best_is_so_many_gestures_behind():
    behind = []
    for seed in range(4):
        X, y = datasets.gestures(random_state=seed)
        t = np.linspace(0, 1, 38)
        V = np.array([np.interp(t, np.linspace(0, 1, len(x)), x[:, 0]) for x in X])
        best = min(error(Gaussian(s)(V), y, C) for s in (1.0, 2.0, 4.0) for C in (10, 100))
        behind.append(round(60 * (best - error(Normalized(Alignments(Gaussian(1.5)))(X), y, 10))))
    assert behind == [1, 4, 1, 3]


def test_walks_do_not_tell_the_ring_from_two_rings():
    ring = np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0), 6 * "C"
    two = np.kron(np.eye(2), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]), 6 * "C"
    k = Walks(0.02)
    assert k(ring, ring) == pytest.approx(k(two, two)) == pytest.approx(k(ring, two)) == pytest.approx(36 / 0.92)


def test_mallows_has_one_feature_for_each_set_of_pairs():
    lam, orders = 0.7, list(permutations(range(1, 4)))
    signs = [[np.sign(r[i] - r[j]) for i, j in combinations(range(3), 2)] for r in orders]
    both, only = (1 + np.exp(-lam)) / 2, (1 - np.exp(-lam)) / 2
    sets = [S for size in range(4) for S in combinations(range(3), size)]
    Phi = np.array(
        [[np.sqrt(both ** (3 - len(S)) * only ** len(S)) * np.prod([s[p] for p in S]) for S in sets] for s in signs]
    )
    assert Phi.shape[1] == 2**3
    np.testing.assert_allclose(Phi @ Phi.T, Mallows(lam)(orders), rtol=1e-12)


def test_a_gaussian_alone_does_not_suffice_for_alignments():
    """k₀/(1 + k₀) must be a kernel: of k₀ = g it is none, of k₀ = g/(2 − g) it is g/2."""
    g = Gaussian(1.0)(np.linspace(-3, 3, 40)[:, None])
    assert np.linalg.eigvalsh(g / (1 + g))[0] < -0.1
    np.testing.assert_allclose((k_0 := g / (2 - g)) / (1 + k_0), g / 2, rtol=1e-13)


def test_a_chain_that_knows_nothing_is_yardstick_enough():
    X, y = datasets.writings(random_state=1)
    V = np.array([[np.mean(np.array(x) == state) for state in range(4)] for x in X])
    K = Normalized(FisherMarkov(np.full(4, 0.25), np.full((4, 4), 0.25)))(X)
    assert error(K, y) <= 0.05 < 0.3 < min(error(Linear()(V), y, 100), error(Gaussian(0.2)(V), y, 10))


def test_the_square_of_tau_sees_what_tau_does_not():
    X, y = datasets.rankings(random_state=1)
    assert error((Kendall() ** 2)(X), y) <= 0.05 < 0.25 < min(error(Linear()(X - 5.5), y), error(Kendall()(X), y))
    assert max(error(Mallows(0.05)(X), y), error(Gaussian(8.0)(X), y)) <= 0.05  # a Gaussian of the ranks does it, too


def test_points_are_alike_for_the_score_where_the_same_part_speaks_for_both():
    K = Normalized(FisherMixture([0.3, 0.7], [[-2.0], [2.0]]))([[-3.0], [-1.5], [1.5], [4.0]])
    assert (K[:2, :2] > 0.99).all() and (K[2:, 2:] > 0.99).all() and (K[:2, 2:] < -0.99).all()
