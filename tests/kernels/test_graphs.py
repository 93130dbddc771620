"""Theorems about the kernels of graphs; their colours and walks are counted one by one in ``every_kernel``."""

import numpy as np
import pytest
from every_kernel import COLLECTIONS, heard

from kernelkit import KernelSVM, Walks, WeisfeilerLehman

pytestmark = pytest.mark.filterwarnings("error")
GRAPHS = COLLECTIONS["graphs"]


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_colours_are_counted_by_brute_force(rounds):
    seen = [heard(graph, rounds) for graph in GRAPHS]
    expected = [[sum(a.count(c) * b.count(c) for c in {*a}) for b in seen] for a in seen]
    np.testing.assert_array_equal(WeisfeilerLehman(rounds)(GRAPHS), expected)


def test_features_over_some_graphs_count_their_colours():
    k, some = WeisfeilerLehman(2), GRAPHS[:2]
    phi = k.feature_map(over=some)
    np.testing.assert_array_equal(phi(GRAPHS) @ phi(some).T, k(GRAPHS, some))
    missing = k(GRAPHS) - phi(GRAPHS) @ phi(GRAPHS).T
    np.testing.assert_array_equal(phi.remainder(GRAPHS, GRAPHS), missing)
    assert missing[2, 2] > 0  # the colours of the square


@pytest.mark.parametrize("k", [WeisfeilerLehman(3), Walks(0.01)], ids=repr)
def test_the_order_of_the_vertices_does_not_matter(k):
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((9, 9)) < 0.4, 1)
    A, labels, order = 1.0 * (A + A.T), rng.choice([*"CNO"], 9), rng.permutation(9)
    moved = (A[order][:, order], labels[order])
    np.testing.assert_allclose(k((A, labels), GRAPHS), k(moved, GRAPHS), rtol=1e-12)
    assert k.squared_distance((A, labels), moved) == pytest.approx(0, abs=1e-8 * k((A, labels)))


def test_a_graph_that_is_too_dense_is_refused_at_the_door_so_that_a_fitted_model_never_breaks():
    k, y = Walks(0.2), [0, 1, 0, 1]
    model = KernelSVM(k).fit(GRAPHS[:4], y)
    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1  # degree 3: .2 · 3² ≥ 1, though .2 · 3 · 2 alone is above 1 too
    with pytest.raises(ValueError, match=r"X\[0\] has degree 3; a decay below 0\.1111 does\.$"):
        model.predict([(star, "CCCC")])
    K, size = k(GRAPHS), np.outer(k.diag(GRAPHS), k.diag(GRAPHS))  # all that come through the door may meet
    assert np.isfinite(K).all() and (K**2 <= size * (1 + 1e-12)).all()


def test_graphs_may_be_empty_directed_or_weighted():
    arrow = ([[0, 1], [0, 0]], [1, 2])
    assert WeisfeilerLehman(1)(arrow, arrow) == 4 and WeisfeilerLehman(1)(([], ""), arrow) == 0
    assert Walks(0.5)(([[0, 0.5], [0, 0]], "ab")) == pytest.approx(2 + 0.5 * 0.25)
