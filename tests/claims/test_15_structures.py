"""Notebook 15 writes each kernel by its features and says that kernelkit's version gives the same numbers."""

from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

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
    Jaccard,
    Kendall,
    KernelSVM,
    Linear,
    Mallows,
    MeanMap,
    MixtureProduct,
    Normalized,
    Overlap,
    Polynomial,
    Subsets,
    Substrings,
    Subtrees,
    Walks,
    WeisfeilerLehman,
    datasets,
)
from kernelkit.course.explorers.structures import alignment

IMPORTS = "4da3c76e"


def cells(*ids):
    return defined_by("15-structures.ipynb", IMPORTS, *ids)


def few(name, n=6):
    """Every pair of a few objects of a data set, of both classes, each also with itself."""
    X, _ = getattr(datasets, name)()
    return list(combinations_with_replacement([*X[: n // 2], *X[-(n // 2) :]], 2))


def test_sets_share_as_many_sets_as_their_common_elements_make():
    def subsets(A):
        return {S for size in range(len(A) + 1) for S in combinations(sorted(A), size)}

    for A, B in [*few("recipes"), ({"rice"}, {"oil"})]:
        assert len(subsets(A) & subsets(B)) == 2 ** len(A & B) == Subsets()(A, B)
        assert len(A & B) == Overlap()(A, B)


def test_first_elements_in_all_orders_are_jaccard_s():
    A, B = {"rice", "lemon"}, {"lemon", "oil"}
    orders = list(permutations(A | B))
    same = [next(e for e in order if e in A) == next(e for e in order if e in B) for order in orders]
    assert np.mean(same) == pytest.approx(1 / 3) == pytest.approx(Jaccard()(A, B))


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


def test_the_bag_of_1_and_3_meets_the_bag_of_2():
    """The same number from the means of the features and from all pairs; ab alone sees only the means."""
    phi = np.array([[1, np.sqrt(2) * a, a * a] for a in (1.0, 3.0, 2.0)])
    assert phi[:2].mean(axis=0) @ phi[2] == pytest.approx(29)
    x, z = [[1.0], [3.0]], [[2.0]]
    assert MeanMap(Polynomial(2))(x, z) == pytest.approx(29)
    assert MeanMap(Polynomial(2)).squared_distance(x, z) == pytest.approx(1)
    assert MeanMap(Linear()).squared_distance(x, z) == pytest.approx(0)
    assert MeanMap(Gaussian(1.0)).squared_distance(x, z) > 0.1


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


def test_ethanol_and_the_ether_share_their_labels_only():
    chain = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    ethanol, ether = (chain, "CCO"), (chain, "COC")
    found = [[k(ethanol), k(ether), k(ethanol, ether)] for k in map(WeisfeilerLehman, (0, 1))]
    assert found == [[5, 5, 5], [8, 10, 5]]
    assert [WeisfeilerLehman(r).squared_distance(ethanol, ether) for r in (0, 1)] == [0, 8]


def test_a_molecule_numbered_backwards_keeps_its_row():
    """The matrix is symmetric and has no negative eigenvalue; the sizes of all molecules are equal."""
    X, _ = datasets.molecules()
    k = WeisfeilerLehman(2)
    K, (G, labels) = k(X), X[0]
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] > 0.5
    np.testing.assert_array_equal(k([(G[::-1, ::-1], labels[::-1])], X)[0], K[0])
    assert {(len(labels), G.sum() / 2) for G, labels in X} == {(14, 13)}


def test_one_ring_and_two_rings_have_equal_values_of_both_graph_kernels():
    graphs = [(cells("3b2e64cb")[name], 6 * "C") for name in ("ring", "two")]
    assert (WeisfeilerLehman(1)(graphs) == 72).all()
    np.testing.assert_allclose(Walks(0.02)(graphs), 36 / (1 - 0.08), rtol=1e-12)
    assert [(len(G), G.sum() / 2) for G, _ in graphs] == [(6, 6)] * 2


def test_once_a_round_splits_no_colour_no_later_round_does():
    colours, rng = cells("887fe3ae")["colours"], np.random.default_rng(0)
    for n in [*range(2, 7)] * 4:
        G = np.triu(rng.random((n, n)) < 0.3, 1)
        G, labels, found = (G | G.T).astype(int), rng.choice(["C", "N"], n), []
        for rounds in range(n + 2):
            found.append(len(colours(G, labels, rounds)) - sum(found))
        first = next(i for i in range(n + 1) if found[i] == found[i + 1])
        assert found == sorted(found) and set(found[first:]) == {found[first]}


def test_carbons_with_many_bonds_hint_at_the_class():
    X, y = datasets.molecules()
    many = np.array([sum(a == "C" and n >= 4 for a, n in zip(labels, G.sum(axis=0), strict=True)) for G, labels in X])
    assert [round(many[y == c].mean(), 1) for c in (1, -1)] == [1.4, 0.6]


def test_words_of_two_letters_do_not_say_where_they_are():
    k = Substrings(2)
    assert k("cat", "cart") == 1 and k.squared_distance("AABA", "ABAA") == 0


def test_rice_meets_saffron_in_one_kitchen_and_coriander_in_the_other():
    X, y = datasets.recipes()
    for kitchen, pairs in ((-1, ("saffron", "coriander")), (1, ("coriander", "saffron"))):
        own = [x for x, c in zip(X, y, strict=True) if c == kitchen]
        base = "beans" if kitchen < 0 else "potatoes"
        assert all((("rice" in x) <= (pairs[0] in x)) and ((base in x) <= (pairs[1] in x)) for x in own)
    assert all(c < 0 or "potatoes" in x for x, c in zip(X, y, strict=True) if {"rice", "saffron"} <= x)


def test_a_line_in_the_variance_nearly_gives_the_width():
    _, width = datasets.bags(60)
    assert 0.3 < width.min() < width.max() < 2.0
    assert np.corrcoef(width, width**2)[0, 1] ** 2 == pytest.approx(0.96, abs=0.005)


@pytest.mark.parametrize("decay", [0.1, 0.2])
def test_methanol_and_ethanol_share_three_walks_and_then_two_of_each_length(decay):
    x = np.array([[0, 1], [1, 0]]), "CO"
    z = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), "CCO"
    assert Walks(decay)(x, z) == pytest.approx(3 + 2 * decay / (1 - decay), rel=1e-12)


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


def test_the_scores_of_listed_alignments_add_up_to_the_table():
    space = cells("9a60d2f1")
    alignments, k_0 = space["alignments"], space["k_0"]
    assert sum(np.prod([k_0[s - 1, t - 1] for s, t in way]) for way in alignments(2, 2)) == 2
    assert len(alignments(8, 8)) == 48639
    x, z = np.array([[0.0], [1.0], [0.3]]), np.array([[0.2], [1.1], [0.4], [-0.5]])
    g = Gaussian(1.0)(x, z)
    k_0 = g / (2 - g)
    listed = sum(np.prod([k_0[s - 1, t - 1] for s, t in way]) for way in alignments(3, 4))
    assert Alignments(Gaussian(1.0))(x, z) == pytest.approx(listed, rel=1e-12)


def test_the_best_alignment_alone_is_not_a_kernel():
    alignments = cells("9a60d2f1")["alignments"]
    series = [np.array(v, float) for n in (1, 2, 3) for v in product((0, 1), repeat=n)]

    def best(x, z):
        g = Gaussian(1.0)(x[:, None], z[:, None])
        k_0 = g / (2 - g)
        return max(np.prod([k_0[s - 1, t - 1] for s, t in way]) for way in alignments(len(x), len(z)))

    eigenvalues = np.linalg.eigvalsh([[best(x, z) for z in series] for x in series])
    assert len(series) == 14 and eigenvalues[0] == pytest.approx(-0.212, abs=1e-3)


def test_the_proof_for_alignments_breaks_with_a_plain_gaussian():
    t = np.arange(4.0)[:, None]
    g = Gaussian(1.0)(t)
    assert np.linalg.eigvalsh(g / (1 + g))[0] == pytest.approx(-0.011, abs=5e-4)
    assert np.linalg.eigvalsh(g / (2 - g))[0] > 0


def test_stretched_copies_add_up_to_all_alignments():
    """Every pair of copies of one length L, compared step by step with g/2: the sum over L is k."""
    x, z = np.array([[0.0], [1.0]]), np.array([[0.2], [0.9], [0.1]])
    half, total = Gaussian(0.3)(x, z) / 2, 0.0

    def copies(n, L):  # which step each place of the copy repeats
        return [np.repeat(np.arange(n), np.diff([0, *cut, L])) for cut in combinations(range(1, L), n - 1)]

    for L in range(3, 31):
        total += sum(half[i, j].prod() for i in copies(len(x), L) for j in copies(len(z), L))
    assert total == pytest.approx(Alignments(Gaussian(0.3))(x, z), rel=1e-5)


@cache
def ways(n, m):
    """How many alignments n steps have with m."""
    return 1 if n == 1 or m == 1 else ways(n - 1, m) + ways(n, m - 1) + ways(n - 1, m - 1)


def test_twenty_zeros_and_forty_zeros_have_so_many_alignments():
    assert [f"{ways(*steps):.1e}" for steps in ((20, 40), (20, 20), (40, 40))] == ["1.3e+19", "4.6e+13", "6.6e+28"]
    assert ways(20, 40) / (ways(20, 20) * ways(40, 40)) ** 0.5 == pytest.approx(0.0074, abs=5e-5)


@pytest.mark.parametrize(("n", "m"), [(3, 5), (20, 40), (60, 30)])
def test_series_without_news_are_as_alike_as_their_alignments_are_many(n, m):
    cosine = Normalized(Alignments(Gaussian(1.0)))(np.zeros((n, 1)), np.zeros((m, 1)))
    assert cosine == pytest.approx(ways(n, m) / (ways(n, n) * ways(m, m)) ** 0.5, rel=1e-9)


def test_most_similar_gestures_are_of_one_class_by_the_alignments_but_not_as_vectors():
    X, y = datasets.gestures()
    t = np.linspace(0, 1, 38)
    V = np.array([np.interp(t, np.linspace(0, 1, len(x)), x[:, 0]) for x in X])
    found = [Normalized(Alignments(Gaussian(sigma)))(X) for sigma in (0.3, 1.5)]
    nearest = [(K - 2 * np.eye(len(X))).argmax(axis=1) for K in (*found, Gaussian(1.5)(V))]
    assert [int(sum(y[i] == y)) for i in nearest] == [60, 60, 49]
    assert np.percentile(found[0][np.triu_indices(len(X), 1)], 90) < 0.005


def test_a_peak_that_comes_later_has_a_price():
    values = alignment.start() | alignment.scenes["z comes later"]
    shown = alignment.compute(**values)
    r = np.linalg.norm(shown.x - shown.z)
    cosine = Normalized(Alignments(Gaussian(values["sigma"])))(shown.x[:, None], shown.z[:, None])
    found = [cosine, np.exp(-((r / values["sigma"]) ** 2) / 2), shown.aligned, shown.at_once]
    assert [f"{v:.{n}f}" for v, n in zip(found, (3, 3, 2, 2), strict=True)] == ["0.005", "0.008", "0.10", "0.27"]


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


@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_the_two_kernels_of_rankings_have_different_features(rate):
    space = cells("f9b67f1d")
    for x, z in combinations(permutations(range(1, 5)), 2):
        pairs, sets = (
            np.array([features(v) for v in (x, z)]) for features in (space["signs"], lambda v: space["psi"](v, rate))
        )
        assert pairs.shape[1] == 6 and sets.shape[1] == 2**6
        assert pairs[0] @ pairs[1] / 6 == pytest.approx(Kendall()(x, z), abs=1e-12)
        assert sets[0] @ sets[1] == pytest.approx(Mallows(rate)(x, z), rel=1e-12)


def chain_of(start, stays, letters=((1, 0), (0, 1))):
    """A chain of two states, which are seen if there are no letters."""
    return np.array(start), np.array([[stays, 1 - stays], [1 - stays, stays]]), np.array(letters, float)


def test_every_small_case_is_what_the_text_works_out():
    fair = cells("a83768c9")["score"]
    coin, even = (np.array([0.5, 0.5]), np.full((2, 2), 0.5)), [0.5, 0.5]
    hidden = chain_of(even, 0.9, [[0.8, 0.2], [0.1, 0.9]])
    # after a first state, which a coin has not, four tosses: three heads and a tail; three: all tails
    heads, tails = fair([0, 0, 0, 0, 1], *coin)[2:], fair([0, 1, 1, 1], *coin)[2:]
    assert heads.reshape(2, 2).sum(axis=0) @ tails.reshape(2, 2).sum(axis=0) == pytest.approx(-3)
    assert Intersection()([0.7, 0.1], [0.4, 0.9]) == pytest.approx(0.4 + 0.1)
    assert Bhattacharyya()((0, 1), (0, 4)) == pytest.approx(np.sqrt(4 / 5))
    assert ChainProduct(2)(chain_of(even, 0.9), chain_of(even, 0.6)) == pytest.approx(0.29)
    assert ChainProduct(1)(hidden, chain_of([0.3, 0.7], 0.6)) == pytest.approx(0.45 * 0.3 + 0.55 * 0.7)
    assert sum((0.5 * 0.5 * 0.8) ** t for t in range(100)) == pytest.approx(1.25)
    assert Subtrees(1.0)(("NP", ("D", "the"), ("N", "cat")), ("NP", ("D", "the"), ("N", "dog"))) == 3
    assert Kendall()([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)
    assert Mallows(1.0)([1, 2, 3], [1, 3, 2]) == pytest.approx(np.exp(-1))
    features = np.array([[np.cos(angle), np.sin(angle)] for angle in np.radians([30, 90])])
    assert features[0] @ features[1] == pytest.approx(0.5)


def test_of_four_items_kendall_counts_six_pairs_and_mallows_each_that_is_turned():
    """Three items also have three pairs, so only four items show whether pairs are counted or items."""
    for x, z in product(permutations((1, 2, 3, 4)), repeat=2):
        turned = sum((x[i] < x[j]) != (z[i] < z[j]) for i in range(4) for j in range(i))
        assert Kendall()(x, z) == pytest.approx((6 - 2 * turned) / 6, abs=1e-12)
        assert Mallows(1.0)(x, z) == pytest.approx(np.exp(-turned), rel=1e-12)
    assert Kendall()([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(2 / 3)


def test_two_uniform_densities_share_a_half():
    t = (np.arange(40000) + 0.5) / 10000
    p, q = (t < 1).astype(float), np.full(len(t), 0.25)
    assert np.sqrt(p * q).sum() / 10000 == pytest.approx(0.5)


@pytest.mark.parametrize("degrees", [30, 40, 60, 120])
def test_the_equation_of_two_systems_has_the_sum_over_all_times_as_its_solution(degrees):
    space = cells("b7a0c4d3")
    swing, v = space["swing"], space["v"]
    U, V = swing(30), swing(degrees)
    times = sum(0.9**t * (np.linalg.matrix_power(U, t) @ v) @ (np.linalg.matrix_power(V, t) @ v) for t in range(200))
    assert space["system_kernel"](U, V, v, 0.9) == pytest.approx(times, rel=1e-9)


def test_a_gaussian_of_the_shortest_way_is_not_a_kernel_on_the_clock():
    hours = np.arange(12)
    way = np.minimum(hours, 12 - hours)
    for rho, valid in (
        (np.exp(np.cos(2 * np.pi * way / 12)), True),
        (np.exp(-way / 3), True),
        (np.exp(-(way**2) / 18), False),
    ):
        K = rho[np.subtract.outer(hours, hours) % 12]
        weights, eigenvalues = np.sort(np.fft.fft(rho).real), np.linalg.eigvalsh(K)
        np.testing.assert_allclose(weights, eigenvalues, atol=1e-12)
        assert (eigenvalues[0] > 0) == valid


def test_one_over_the_sum_is_a_kernel_of_positive_numbers():
    x = np.array([0.3, 1.0, 2.0, 5.0])
    assert np.linalg.eigvalsh(1 / np.add.outer(x, x))[0] > 0
