"""Theorems about the kernels of graphs: colours and walks, counted one by one."""

from itertools import pairwise, product

import numpy as np
import pytest
from every_kernel import COLLECTIONS, PATH, SQUARE, TRIANGLE

from kernelkit import KernelSVM, Walks, WeisfeilerLehman, checks

pytestmark = pytest.mark.filterwarnings("error")
GRAPHS = COLLECTIONS["graphs"]
HEXAGON = np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0)
TWO_TRIANGLES = np.kron(np.eye(2), TRIANGLE)


def trees_below(graph, rounds):
    """Of each vertex in each round, the nested tuples of all that it hears of: (label, the sorted ones around)."""
    A, labels = np.array(graph[0]), graph[1]
    now = [(label,) for label in labels]
    seen = list(now)
    for _ in range(rounds):
        now = [(now[i], tuple(sorted(now[j] for j in np.flatnonzero(A[i])))) for i in range(len(now))]
        seen += now
    return seen


def walks(graph, steps):
    """The label sequence of every walk of so many steps."""
    A, labels = np.array(graph[0]), graph[1]
    for path in product(range(len(labels)), repeat=steps + 1):
        if all(A[i][j] for i, j in pairwise(path)):
            yield "".join(labels[i] for i in path)


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_colours_are_counted_by_brute_force(rounds):
    seen = [trees_below(graph, rounds) for graph in GRAPHS]
    expected = [[sum(a.count(c) * b.count(c) for c in {*a}) for b in seen] for a in seen]
    np.testing.assert_array_equal(WeisfeilerLehman(rounds)(GRAPHS), expected)


def test_features_over_some_graphs_count_their_colours():
    k, some = WeisfeilerLehman(2), GRAPHS[:2]
    phi = k.feature_map(over=some)
    np.testing.assert_array_equal(phi(GRAPHS) @ phi(some).T, k(GRAPHS, some))
    missing = k(GRAPHS) - phi(GRAPHS) @ phi(GRAPHS).T
    np.testing.assert_array_equal(phi.remainder(GRAPHS, GRAPHS), missing)
    assert missing[2, 2] > 0  # the colours of the square
    assert k.feature_map(over=[(PATH, "COC")]).names(1)[:4] == [
        r"|x|_{\mathrm{C}}",
        r"|x|_{\mathrm{O}}",
        r"|x|_{\mathrm{C(O)}}",
        r"|x|_{\mathrm{O(CC)}}",
    ]


def test_the_order_of_the_vertices_does_not_matter():
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((9, 9)) < 0.4, 1)
    A, labels, order = 1.0 * (A + A.T), rng.choice([*"CNO"], 9), rng.permutation(9)
    moved = (A[order][:, order], labels[order])
    for k in (WeisfeilerLehman(3), Walks(0.01)):
        np.testing.assert_allclose(k((A, labels), GRAPHS), k(moved, GRAPHS), rtol=1e-12)
        assert k.squared_distance((A, labels), moved) == pytest.approx(0, abs=1e-8 * k((A, labels)))


def test_two_graphs_that_colours_and_walks_cannot_tell_apart():
    ring, pair = (HEXAGON, "CCCCCC"), (TWO_TRIANGLES, "CCCCCC")
    assert WeisfeilerLehman(5).squared_distance(ring, pair) == 0
    assert Walks(0.2).squared_distance(ring, pair) == pytest.approx(0, abs=1e-9)  # each vertex has two neighbours
    assert np.trace(np.linalg.matrix_power(HEXAGON, 3)) == 0 < np.trace(np.linalg.matrix_power(TWO_TRIANGLES, 3))


def test_walks_are_counted_by_brute_force():
    k = Walks(0.05)
    for x in GRAPHS:
        for z in GRAPHS:
            terms = []
            for m in range(7):
                a, b = [*walks(x, m)], [*walks(z, m)]
                terms.append(0.05**m * sum(a.count(u) * b.count(u) for u in {*a}))
            rest = sum(terms) * 0.3**7 / 0.7  # each step multiplies by at most γ · 2 · 2 = .2
            assert 0 <= k(x, z) - sum(terms) <= rest + 1e-12


def test_walks_are_a_power_series():
    x, z = (TRIANGLE, "CCC"), (SQUARE, "CCCC")
    for decay in (0.01, 0.2):  # every vertex has 2 neighbours: 12 · 4^m walks of m steps
        assert Walks(decay)(x, z) == pytest.approx(12 / (1 - 4 * decay), rel=1e-12)


def test_a_graph_that_is_too_dense_is_refused_at_the_door_so_that_a_fitted_model_never_breaks():
    k, y = Walks(0.2), [0, 1, 0, 1]
    model = KernelSVM(k).fit(GRAPHS[:4], y)
    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1  # degree 3: .2 · 3² ≥ 1, though .2 · 3 · 2 alone is above 1 too
    with pytest.raises(ValueError, match=r"X\[0\] has degree 3; a decay below 0\.1111 does\.$"):
        model.predict([(star, "CCCC")])
    for x in GRAPHS:  # all that come through the door may meet
        for z in GRAPHS:
            assert np.isfinite(k(x, z)) and k(x, z) ** 2 <= k(x) * k(z) * (1 + 1e-12)


def test_walks_that_do_not_fit_are_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setattr(checks, "MAX_BYTES", 10**6)
    ring = np.roll(np.eye(20), 1, axis=0) + np.roll(np.eye(20), -1, axis=0)
    with pytest.raises(ValueError, match=r"^The walks of two graphs with 400 pairs of vertices of one label need "):
        Walks(0.2)((ring, 20 * "C"))
    for x, pairs in (((ring, 10 * "CO"), 200), ((ring, range(20)), 20)):  # four matrices of 8 · pairs² bytes
        monkeypatch.setattr(checks, "MAX_BYTES", 32 * pairs**2)
        assert Walks(0.2)(x) > 0


def test_graphs_may_be_empty_directed_or_weighted():
    arrow = ([[0, 1], [0, 0]], [1, 2])
    assert WeisfeilerLehman(1)(arrow, arrow) == 4 and WeisfeilerLehman(1)(([], ""), arrow) == 0
    assert Walks(0.5)(([[0, 0.5], [0, 0]], "ab")) == pytest.approx(2 + 0.5 * 0.25)
