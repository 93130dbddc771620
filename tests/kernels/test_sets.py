"""Theorems about kernels of what two things share."""

from itertools import combinations, permutations

import numpy as np
import pytest

from kernelkit import Intersection, Jaccard, KernelRidge, Linear, Overlap, Pullback, Subsets
from kernelkit.features import Steps
from kernelkit.kernels import Normalized

pytestmark = pytest.mark.filterwarnings("error")
LEVELS = [0.5, 1, 2, 3.5]


@pytest.fixture
def counts(frozen):
    return frozen(np.random.default_rng(0).choice([0, *LEVELS], (150, 3)))


def test_steps_are_its_features_for_points_on_the_levels(counts):
    k = Intersection()
    phi = k.feature_map(over=LEVELS)
    assert phi == Steps(LEVELS) and phi.dim(3) == k.dim(3, over=LEVELS) == 12
    np.testing.assert_allclose(phi(counts) @ phi(counts).T, k(counts), atol=1e-12)
    np.testing.assert_allclose(phi.remainder(counts, counts), 0, atol=1e-15)
    composed = 2 * Normalized(k) ** 2 + k * Linear() + 1
    psi = composed.feature_map(over=LEVELS)
    np.testing.assert_allclose(psi(counts) @ psi(counts).T, composed(counts), atol=1e-10)


def test_remainder_is_exactly_what_is_missing_between_the_levels(cloud):
    X, Z = np.abs(cloud(30, 3)), 2 * np.abs(cloud(20, 3, seed=1))
    phi = Steps(LEVELS)
    np.testing.assert_allclose(phi(X) @ phi(Z).T + phi.remainder(X, Z), Intersection()(X, Z), rtol=1e-13)
    finest = Steps(np.unique([X, X]))
    np.testing.assert_allclose(finest(X) @ finest(X).T, Intersection()(X), rtol=1e-12)


def test_on_a_line_it_is_the_covariance_of_brownian_motion():
    t = np.linspace(0.1, 1, 10)
    K = Intersection()(t[:, None])
    walk = np.tril(np.full((10, 10), np.sqrt(0.1)))  # sums of independent steps of variance 0.1
    np.testing.assert_allclose(K, walk @ walk.T, rtol=1e-13)


def test_levels_may_come_in_any_order_and_zero_is_no_step():
    assert Steps([2, 0, 1, 1]) == Steps([1.0, 2.0]) and repr(Steps([2, 0, 1])) == "Steps([1.0, 2.0])"
    assert Steps([1, 4]).names(2) == [
        r"[x_1 \geq 1]",
        r"\sqrt{3}\,[x_1 \geq 4]",
        r"[x_2 \geq 1]",
        r"\sqrt{3}\,[x_2 \geq 4]",
    ]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda k: k([1.0, -2.0]),
            "Intersection() needs points with all coordinates ≥ 0, but X holds -2: min(x, z) is "
            "no kernel for negative numbers, as min(−1, −1) = −1 shows.",
        ),
        (
            lambda k: k.feature_map(over=[1, 2]).remainder([1.0], [-1.0]),
            "Steps(levels) needs points with all coordinates ≥ 0, but Z holds -1: min(x, z) is no kernel for negative "
            "numbers, as min(−1, −1) = −1 shows.",
        ),
        (
            lambda k: k.feature_map(),
            "Intersection() has its features over a given world; give it, as in k.feature_map(over=[1, 2, 3]).",
        ),
        (
            lambda k: (k + 1).feature_map(degree=2),
            "Intersection() has its features over a given world; give it, as in k.feature_map(over=[1, 2, 3]).",
        ),
        (lambda k: k.feature_map(over=[0, 0]), "levels must be numbers > 0, got [0.0]."),
        (lambda k: k.feature_map(over=[-1, 1]), "levels must be numbers > 0, got [-1.0, 1.0]."),
        (
            lambda k: k.feature_map(over="ab"),
            "levels must hold numbers: an argument must be no string or date but a number, got 'ab'.",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        call(Intersection())
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "k",
    [
        Intersection() + Linear(),
        Linear() * Intersection(),
        2 * Intersection(),
        Normalized(Intersection()),
        Pullback(Intersection(), np.sin),
    ],
    ids=repr,
)
def test_negative_numbers_are_refused_inside_every_rule(k):
    for call in (lambda: k([[1.0, -2.0]]), lambda: KernelRidge(k).fit([[1.0, -2.0]], [1.0])):
        with pytest.raises(ValueError, match="needs points with all coordinates ≥ 0"):
            call()


# ---- finite sets ---------------------------------------------------------------------------------

SETS = [set(S) for size in range(5) for S in combinations("abcd", size)]  # all 16 subsets of four elements


@pytest.mark.parametrize(
    ("k", "formula", "D"),
    [
        (Overlap(), lambda a, b: len(a & b), 4),
        (Subsets(), lambda a, b: 2 ** len(a & b), 16),
        (Jaccard(), lambda a, b: len(a & b) / len(a | b) if a | b else 1, 33),
    ],
    ids=["Overlap", "Subsets", "Jaccard"],
)
def test_kernels_of_sets_are_their_formulas_and_their_features(k, formula, D):
    K = k(SETS)
    np.testing.assert_allclose(K, [[formula(a, b) for b in SETS] for a in SETS], rtol=1e-14)
    phi = k.feature_map(over="abcd")
    assert phi.dim(1) == len({*phi.names(1)}) == k.how_many(4) == D
    np.testing.assert_allclose(phi(SETS) @ phi(SETS).T, K, atol=1e-12)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12


def test_jaccard_is_the_probability_of_a_common_first_element():
    orders = list(permutations("abcd"))
    for a, b in (({"a", "b"}, {"b", "c"}), ({"a"}, {"b"}), (set("abc"), set("abcd"))):
        firsts = [next(e for e in order if e in a) == next(e for e in order if e in b) for order in orders]
        assert Jaccard()(a, b) == pytest.approx(np.mean(firsts), rel=1e-14)


def test_subsets_are_the_product_over_elements():
    """2^|A∩B| = Π_e (1 + [e ∈ A][e ∈ B]): the polynomial of all degrees at once."""
    members = np.array([[e in a for e in "abcd"] for a in SETS], float)
    np.testing.assert_array_equal(Subsets()(SETS), np.prod(1 + members[:, None] * members[None], axis=2))


def test_overlap_is_the_intersection_of_indicators():
    members = np.array([[e in a for e in "abcd"] for a in SETS], float)
    np.testing.assert_array_equal(Overlap()(SETS), Intersection()(members))


def test_as_many_elements_as_a_list_of_features_allows():
    assert Overlap().feature_map(over=range(5000)).dim(1) == 5000
    assert Subsets().feature_map(over=range(12)).dim(1) == 2**12
    for k, D in ((Subsets(), "1,073,741,824"), (Jaccard(), "16,106,127,361")):
        with pytest.raises(ValueError, match=f"D = {D} features here: too many to list"):
            k.feature_map(over=range(30))


@pytest.mark.parametrize("k", [Subsets(), Subsets().diag], ids=["gram", "diag"])
def test_a_power_of_2_beyond_all_numbers_is_refused(k):
    assert Subsets()({*range(1023)}, {*range(1023)}) == 2.0**1023
    with pytest.raises(ValueError, match="at most 1023 common elements"):
        k([{*range(1024)}, {1}])


def test_elements_may_be_anything_hashable():
    assert Overlap()({1, "a", (2, 3)}, frozenset([(2, 3), frozenset()])) == 1.0
    assert Jaccard()(set(), set()) == 1.0 and Jaccard()(set(), {1}) == 0.0 and Subsets()(set(), {1}) == 1.0
