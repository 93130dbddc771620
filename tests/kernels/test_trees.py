"""Theorems about the kernel of trees: fragments, counted one by one."""

import numpy as np
import pytest
from every_kernel import fragments
from hypothesis import given, settings, strategies as st

from kernelkit import Normalized, Subtrees

pytestmark = pytest.mark.filterwarnings("error")
trees = st.recursive(
    st.sampled_from(["a", "b"]),
    lambda child: st.tuples(st.sampled_from(["A", "B"]), child) | st.tuples(st.sampled_from(["A", "B"]), child, child),
    max_leaves=6,
).filter(lambda tree: isinstance(tree, tuple))


@given(st.lists(trees, min_size=1, max_size=4), st.lists(trees, min_size=1, max_size=3), st.sampled_from([0.3, 1.0]))
def test_it_is_the_recursion_of_collins_and_duffy(X, Z, decay):
    expected = [[fragments(x, z, decay) for z in Z] for x in X]
    np.testing.assert_allclose(Subtrees(decay)(X, Z), expected, rtol=1e-12)


@settings(max_examples=50)
@given(st.lists(trees, min_size=1, max_size=4), st.sampled_from([0.3, 1.0]))
def test_features_are_the_fragments(X, decay):
    k = Subtrees(decay)
    phi = k.feature_map(over=X)
    np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), rtol=1e-12, atol=1e-15)
    others = k.feature_map(over=X[:1])  # exact where one of the two is among these
    np.testing.assert_allclose(others(X) @ others(X[0]), k(X, X[0]), rtol=1e-12, atol=1e-15)


def test_by_hand():
    she, he = ("S", ("NP", "she"), ("VP", "ran")), ("S", ("NP", "he"), ("VP", "ran"))
    for g in (0.5, 1.0):
        # NP(she), VP(ran), and S alone, with one of them, with both
        assert Subtrees(g)(she) == pytest.approx(2 * g + g + 2 * g**2 + g**3)
        assert Subtrees(g)(she, he) == pytest.approx(g + g + g**2)  # VP(ran), S(NP VP), S(NP VP(ran))
    bites, bitten = ("S", ("N", "dog"), ("V", "bites"), ("N", "man")), ("S", ("N", "man"), ("V", "bites"), ("N", "dog"))
    assert Normalized(Subtrees(0.5))(bites, bitten) == pytest.approx(12 / 17)  # the same words in another order
    assert Subtrees(1.0)([("S",), ("S", ("NP",))]).tolist() == [[0, 0], [0, 1]]  # a node without children is a word


def chain(levels):
    tree = "leaf"
    for _ in range(levels):
        tree = ("S", tree)
    return tree


@pytest.mark.parametrize("levels", [200, 1500])
def test_a_tree_may_be_deeper_than_python_recurses(levels):
    C = np.zeros((levels, levels))  # between the nodes by their heights
    C[0, 0] = 0.5
    for h in range(1, levels):
        C[h, 1:] = 0.5 * (1 + C[h - 1, :-1])
    assert Subtrees(0.5)(chain(levels)) == pytest.approx(C.sum())


def test_features_of_deep_trees_are_listed_or_refused():
    k = Subtrees(0.5)
    phi = k.feature_map(over=[chain(100)])
    assert phi.dim() == 100 + 99
    assert phi(chain(100)) @ phi(chain(99)) == pytest.approx(k(chain(100), chain(99)))
    with pytest.raises(ValueError, match=r"D = 2,001,000 features here: too many to list"):
        k.feature_map(over=[chain(2000)])
