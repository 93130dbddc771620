"""Numbers that notebook 15 says and no cell prints, each computed once."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from panels import state_of

from kernelkit import (
    Alignments,
    Bhattacharyya,
    ChainProduct,
    Gaussian,
    Intersection,
    Jaccard,
    Kendall,
    Linear,
    Mallows,
    MeanMap,
    Normalized,
    Polynomial,
    Substrings,
    Subtrees,
    Walks,
    WeisfeilerLehman,
    datasets,
)
from kernelkit.course.explorers.structures import alignment

CHAIN = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


# ---- small cases by hand -------------------------------------------------------------------------------


def two_states(start, stays, letters=((1, 0), (0, 1))):
    """A chain of two states, which are seen if there are no letters."""
    return np.array(start), np.array([[stays, 1 - stays], [1 - stays, stays]]), np.array(letters, float)


EVEN = [0.5, 0.5]
HIDDEN = two_states(EVEN, 0.9, [[0.8, 0.2], [0.1, 0.9]])
SMALL = [
    (Jaccard(), {"rice", "lemon"}, {"lemon", "oil"}, 1 / 3),
    (Intersection(), [0.7, 0.1], [0.4, 0.9], 0.4 + 0.1),
    (MeanMap(Polynomial(2)), [[1.0], [3.0]], [[2.0]], 29),
    (Bhattacharyya(), (0, 1), (0, 4), np.sqrt(4 / 5)),
    (ChainProduct(2), two_states(EVEN, 0.9), two_states(EVEN, 0.6), 0.29),
    (ChainProduct(1), HIDDEN, two_states([0.3, 0.7], 0.6), 0.45 * 0.3 + 0.55 * 0.7),
    (Subtrees(1.0), ("NP", ("D", "the"), ("N", "cat")), ("NP", ("D", "the"), ("N", "dog")), 3),
    (Kendall(), [1, 2, 3], [1, 3, 2], 1 / 3),
    (Kendall(), [1, 2, 3, 4], [1, 2, 4, 3], 2 / 3),
    (Mallows(1.0), [1, 2, 3], [1, 3, 2], np.exp(-1)),
    (Substrings(2), "cat", "cart", 1),
    (Walks(0.1), (np.array([[0, 1], [1, 0]]), "CO"), (CHAIN, "CCO"), 3 + 2 * 0.1 / 0.9),
    (WeisfeilerLehman(1), (CHAIN, "CCO"), (CHAIN, "COC"), 5),
]


@pytest.mark.parametrize(("k", "x", "z", "value"), SMALL, ids=lambda value: type(value).__name__)
def test_every_small_case_is_what_the_text_works_out(k, x, z, value):
    assert k(x, z) == pytest.approx(value)


def test_what_a_kernel_does_not_see():
    """Words where they are; bags by their means alone; one ring of six against two rings of three."""
    assert Substrings(2).squared_distance("AABA", "ABAA") == 0
    bags = [[1.0], [3.0]], [[2.0]]
    assert [MeanMap(k).squared_distance(*bags) for k in (Linear(), Polynomial(2))] == pytest.approx([0, 1])
    ring = np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0)
    two = np.kron(np.eye(2), [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    graphs = [(ring, 6 * "C"), (two, 6 * "C")]
    assert (WeisfeilerLehman(1)(graphs) == 72).all()
    np.testing.assert_allclose(Walks(0.02)(graphs), 36 / (1 - 0.08), rtol=1e-12)


def test_sums_that_the_text_works_out():
    """Densities on [0, 1] and [0, 4], powers of 0.2, angles of 30° and 90°, scores of HHHT and of TTT of a coin."""
    assert np.sqrt(1 * 0.25) == 0.5 and sum((0.5 * 0.5 * 0.8) ** t for t in range(100)) == pytest.approx(1.25)
    assert np.cos(np.radians(90 - 30)) == pytest.approx(0.5)
    assert np.dot([3 - 2, 1 - 2], [0 - 1.5, 3 - 1.5]) == -3
    x = np.array([0.3, 1.0, 2.0, 5.0])
    assert np.linalg.eigvalsh(1 / np.add.outer(x, x))[0] > 0, "one over the sum is a kernel of positive numbers"


def test_on_the_clock_a_gaussian_of_the_shortest_way_is_not_a_kernel():
    """A function of the difference of two hours is a kernel exactly when no Fourier sum of it is negative."""
    hours = np.arange(12)
    way = np.minimum(hours, 12 - hours)
    for rho, valid in (
        (np.exp(np.cos(np.pi * way / 6)), True),
        (np.exp(-way / 3), True),
        (np.exp(-(way**2) / 18), False),
    ):
        eigenvalues = np.linalg.eigvalsh(rho[np.subtract.outer(hours, hours) % 12])
        np.testing.assert_allclose(np.sort(np.fft.fft(rho).real), eigenvalues, atol=1e-12)
        assert (eigenvalues[0] > 0) == valid


# ---- the data --------------------------------------------------------------------------------------------


def test_carbons_with_many_bonds_hint_at_the_class_of_molecules_that_are_equally_large():
    X, y = datasets.molecules()
    many = np.array([sum(a == "C" and n >= 4 for a, n in zip(labels, G.sum(axis=0), strict=True)) for G, labels in X])
    assert [round(many[y == c].mean(), 1) for c in (1, -1)] == [1.4, 0.6]
    assert {(len(labels), G.sum() / 2) for G, labels in X} == {(14, 13)}


def test_rice_meets_saffron_in_one_kitchen_and_coriander_in_the_other():
    X, y = datasets.recipes()
    for kitchen, base, with_rice, with_base in (
        (-1, "beans", "saffron", "coriander"),
        (1, "potatoes", "coriander", "saffron"),
    ):
        own = [x for x, c in zip(X, y, strict=True) if c == kitchen]
        assert all((("rice" in x) <= (with_rice in x)) and ((base in x) <= (with_base in x)) for x in own)
    assert all(c < 0 or "potatoes" in x for x, c in zip(X, y, strict=True) if {"rice", "saffron"} <= x)


def test_a_line_in_the_variance_nearly_gives_the_width():
    _, width = datasets.bags(60)
    assert np.corrcoef(width, width**2)[0, 1] ** 2 == pytest.approx(0.96, abs=0.005)


# ---- alignments --------------------------------------------------------------------------------------------


@cache
def ways(n, m):
    """How many alignments n steps have with m."""
    return 1 if n == 1 or m == 1 else ways(n - 1, m) + ways(n, m - 1) + ways(n - 1, m - 1)


@pytest.mark.parametrize(("n", "m", "cosine"), [(3, 5, None), (20, 40, 0.0074), (60, 30, None)])
def test_series_without_news_are_as_alike_as_their_alignments_are_many(n, m, cosine):
    found = Normalized(Alignments(Gaussian(1.0)))(np.zeros((n, 1)), np.zeros((m, 1)))
    assert found == pytest.approx(ways(n, m) / (ways(n, n) * ways(m, m)) ** 0.5, rel=1e-9)
    assert cosine is None or found == pytest.approx(cosine, abs=5e-5)
    counts = [f"{ways(*steps):.1e}" for steps in ((20, 40), (20, 20), (40, 40))]
    assert counts == ["1.3e+19", "4.6e+13", "6.6e+28"]


def test_neither_the_best_alignment_alone_nor_the_proof_with_a_plain_gaussian_is_enough():
    g = Gaussian(1.0)(np.arange(4.0)[:, None])
    assert np.linalg.eigvalsh(g / (1 + g))[0] == pytest.approx(-0.011, abs=5e-4)
    assert np.linalg.eigvalsh(g / (2 - g))[0] > 0
    step = Gaussian(1.0)([0.0], [1.0]) / (2 - Gaussian(1.0)([0.0], [1.0]))  # of two different values; equal ones have 1
    series = [v for n in (1, 2, 3) for v in product((0, 1), repeat=n)]

    def best(x, z):
        if not (x and z):
            return 0.0 if x or z else 1.0
        return (1.0 if x[-1] == z[-1] else step) * max(best(x[:-1], z[:-1]), best(x[:-1], z), best(x, z[:-1]))

    eigenvalues = np.linalg.eigvalsh([[best(x, z) for z in series] for x in series])
    assert eigenvalues[0] == pytest.approx(-0.212, abs=1e-3)


def test_most_similar_gestures_are_of_one_class_by_the_alignments_but_not_as_vectors():
    X, y = datasets.gestures()
    t = np.linspace(0, 1, 38)
    V = np.array([np.interp(t, np.linspace(0, 1, len(x)), x[:, 0]) for x in X])
    found = [Normalized(Alignments(Gaussian(sigma)))(X) for sigma in (0.3, 1.5)]
    nearest = [(K - 2 * np.eye(len(X))).argmax(axis=1) for K in (*found, Gaussian(1.5)(V))]
    assert [int(sum(y[i] == y)) for i in nearest] == [60, 60, 49]
    assert np.percentile(found[0][np.triu_indices(len(X), 1)], 90) < 0.005


def test_a_peak_that_comes_later_has_a_price():
    shown, values = state_of(alignment, "z comes later"), alignment.start() | alignment.scenes["z comes later"]
    sigma = values["sigma"]
    cosine = Normalized(Alignments(Gaussian(sigma)))(shown.x[:, None], shown.z[:, None])
    found = [cosine, np.exp(-((np.linalg.norm(shown.x - shown.z) / sigma) ** 2) / 2), shown.aligned, shown.at_once]
    assert [f"{v:.{n}f}" for v, n in zip(found, (3, 3, 2, 2), strict=True)] == ["0.005", "0.008", "0.10", "0.27"]
