"""What kernels and feature maps refuse: each once, in one sentence that says what came. Vectors: ``test_checks``."""

import numpy as np
import pytest
from kernels.random_kernels import NAMES

from kernelkit import checks

pytestmark = pytest.mark.filterwarnings("error")
SCOPE = NAMES | {"np": np}

SETS = [
    ("Overlap()([[1, 2], [2]])", "X must hold a set at each place, such as {1, 2}, but X[0] is [1, 2]."),
    ("Overlap().feature_map(over=3)", "over must hold what objects are made of"),
    ("Overlap().feature_map(over=[1, np.nan])", "must not be missing"),
    ("Subsets().feature_map(over={1, 2})([{3}])", "3 in {3} is not in the world over=(1, 2)."),
    ("Subsets().feature_map(over=range(30))", "D = 1,073,741,824 features here: too many to list"),
    ("Jaccard().feature_map(over=range(30))", "D = 16,106,127,361 features here: too many to list"),
    ("Subsets()([{*range(1024)}, {1}])", "at most 1023 common elements"),
    ("Subsets().diag([{*range(1024)}, {1}])", "at most 1023 common elements"),
    ("Intersection()([1.0, -2.0])", "all coordinates ≥ 0, but X holds -2"),
    ("Steps([1, 2]).remainder([1.0], [-1.0])", "all coordinates ≥ 0, but Z holds -1"),
    ("Intersection().feature_map()", "over a given world; give it, as in k.feature_map(over=[1, 2, 3])."),
    ("(Intersection() + 1).feature_map(degree=2)", "over a given world"),
    ("Intersection().feature_map(over=[0, 0])", "levels must be numbers > 0, got [0.0]."),
    ("Intersection().feature_map(over=[-1, 1])", "levels must be numbers > 0, got [-1.0, 1.0]."),
    ("Intersection().feature_map(over='ab')", "levels must hold numbers"),
    ("(Intersection() + Linear())([[1.0, -2.0]])", "all coordinates ≥ 0"),
    ("(Linear() * Intersection())([[1.0, -2.0]])", "all coordinates ≥ 0"),
    ("(2 * Normalized(Intersection()))([[1.0, -2.0]])", "all coordinates ≥ 0"),
    ("Pullback(Intersection(), np.sin)([[1.0, -2.0]])", "all coordinates ≥ 0"),
]

STRINGS = [
    ("Subsequences(2)(['cat', 3])", "X must hold a string at each place, such as 'cat', but X[1] is 3."),
    ("Substrings(2)(3)", "X must be a string, such as 'cat', or a list of them, got 3."),
    ("Substrings(2)([])", "X is an empty list, but at least one object is needed."),
    ("Subsequences(2).feature_map(over='ac')(['ca', 'cat'])", "'t' in 'cat' is not in the world over=('a', 'c')."),
    ("Subsequences(2, 0.5).feature_map()", "as in k.feature_map(over='act')."),
    ("Subsequences(9).feature_map(over='abcdefghijklmnopqrstuvwxyz')", "D = 5,429,503,678,976 features here"),
    ("Subsequences(10).feature_map(over='ac')(['ac', 30 * 'ac'])", "has 75,394,027,566 choices of 10 places"),
    ("Subsequences(2, 0)", "decay must be a finite number > 0, got 0."),
    ("Subsequences(2, 1.5)", "decay must be a number in (0, 1], got 1.5."),
    ("Substrings(0)", "length must be a whole number ≥ 1, got 0."),
    *(
        (f"Substrings(2).feature_map(over={over})", "over must hold letters, such as 'act', got ")
        for over in (["a", 1], [None], ["ab", "c"], ["a", ""], b"act")
    ),
]

TREES_AND_GRAPHS = [
    ("Subtrees()([['S', 'she']])", "but X[0] is ['S', 'she']."),
    ("Subtrees()(('S', ('NP', 3)))", "X must be a tree whose labels are strings and whose children are trees or words"),
    ("Subtrees()(('S', ('S', ('S', (3,)))))", "but one child is (3,)."),
    ("Subtrees().feature_map(over=[('S', *20 * [('NP', 'she')])])", "features here: too many to list"),
    ("Subtrees().feature_map(over=[('A', 'a')])(('S', *30 * [('A', 'a')]))", "A tree has 1,073,741,854 fragments"),
    ("Walks(0.1)(([[0, 1]], 'CO'))", "The adjacency of X must be a square matrix, got shape (1, 2)."),
    ("Walks(0.1)(([[0, -1], [1, 0]], 'CO'))", "The adjacency of X must hold numbers ≥ 0, got -1."),
    ("Walks(0.25)((np.ones((3, 3)) - np.eye(3), 'CCC'))", "X has degree 2; a decay below 0.25 does."),
    ("WeisfeilerLehman(1)([([[0, 1], [1, 0]], 'C')])", "X[0] must have a label for each of its 2 vertices"),
    ("WeisfeilerLehman(1)(([[0]], [['C']]))", "The labels of X must be hashable, such as numbers and texts"),
    ("WeisfeilerLehman(1)([[[0, 1], [1, 0]]])", "X must hold a graph (adjacency, labels) at each place"),
]

SERIES_AND_RANKINGS = [
    ("Alignments(Gaussian(1))([1.0, 2.0])", "each a collection of vectors, but one is a single point."),
    ("Alignments(Gaussian(1))([[[1.0]], [[1.0, 2.0]]])", "the same number of features, got 1 and 2."),
    ("Alignments(Gaussian(1))([[1.0]], [[1.0, 2.0]])", "X and Z must have the same number of features, got 1 and 2."),
    ("Alignments(Gaussian(1))([[1.0, 2.0], [1.0, 2.0, 3.0]])", "numbers are written as a column, [[1.0], [2.0]]."),
    ("Alignments(Linear())([[1.0], [2.0]])", "needs a kernel with 0 ≤ k ≤ 1, such as Gaussian(1.0)"),
    ("ChainProduct(2)(([0.5, 0.6], [[1, 0], [0, 1]]))", "The start of X must hold numbers ≥ 0 with the sum 1"),
    ("ChainProduct(2)(([[0.5, 0.5]], [[1, 0], [0, 1]]))", "must be a vector of numbers, got shape (1, 2)."),
    ("ChainProduct(2)(([0.5, 0.5], [[1.0]]))", "The transitions of X must have shape (2, 2)"),
    ("ChainProduct(2)([([1.0], [[1.0]]), (2 * [0.5], 2 * [2 * [0.5]])])", "one writes 1 and the other 2."),
    ("ChainProduct(1).feature_map(over={'a'})", "over must be a list, the letters in the order of the emissions"),
    ("ChainProduct(2).feature_map(over=10**6)", "D = 1,000,000,000,000 features here: too many to list"),
    ("FisherMarkov(2 * [0.5], 2 * [2 * [0.5]])([0, 2])", "X must hold states, whole numbers 0 … 1, got [0, 2]."),
    ("FisherMarkov(2 * [0.5], [[1.0]])", "transitions must have shape (2, 2), got (1, 1)."),
    ("Kendall()([1, 2, 2])", "must hold each of the ranks 1 … 3 once, got [1.0, 2.0, 2.0] in X."),
    ("Mallows(1)([1])", "A permutation must rank at least 2 items, got 1 in X."),
    ("Mallows(0.5).feature_map()", "Mallows(0.5) has infinitely many features; give a degree"),
    ("Kendall()([[2], [1]])", "A permutation must rank at least 2 items, got 1 in X."),
]

DISTRIBUTIONS = [
    ("MeanMap(Linear())(np.array(0.0))", "X must be a list or an array of vectors, or a list of these, got array(0.)."),
    ("MeanMap(Linear())([[1.0]], [[1.0, 2.0]])", "X and Z must have the same number of features, got 1 and 2."),
    ("MeanMap(Linear())([])", "X is an empty list, but at least one object is needed."),
    ("Bhattacharyya()(([0, 0], [[1, 2], [2, 1]]))", "symmetric, positive definite (2, 2) matrix"),
    ("Bhattacharyya()([(0, 1), ([0, 0], np.eye(2))])", "All of X must have the same number of features, got 1 and 2."),
    ("Bhattacharyya()((0, 1), ([0, 0], np.eye(2)))", "X and Z must have the same number of features, got 1 and 2."),
    ("Bhattacharyya()(([[0.0, 0.0]], np.eye(2)))", "The mean of X must be a vector (d,), got shape (1, 2)."),
    ("Bhattacharyya()(([], [[1.0]]))", "The mean of X must be a vector (d,), got shape (0,)."),
    (
        "MixtureProduct()(([1], [[0]], 1), [([1], [[0, 0]], 1), ([1], [[0, 0, 0]], 1)])",
        "All of Z must have the same number of features, got 2 and 3.",
    ),
    ("MixtureProduct()(([1.0], [0.0], 1.0))", "The means of X must be 1 rows (c, d), got shape (1,)."),
    ("FisherMixture([1.0], [[0.0], [1.0]])", "means must hold one row for each of the 1 weights"),
]

STATIONARY = [
    ("Laplace(0)", "sigma must be a finite number > 0, got 0."),
    ("Laplace('1')", "sigma must be a number > 0, got '1'."),
    ("Matern(1, 1.0)", "nu must be 0.5, 1.5 or 2.5, got 1.0"),
    ("Matern(1, 'a')", "nu must be a number, got 'a'."),
    ("RationalQuadratic(1, -1)", "alpha must be a finite number > 0, got -1."),
    ("Periodic(1, 0)", "period must be a finite number > 0, got 0."),
    ("Gaussian(1).waves(0, 2)", "D must be a whole number ≥ 1, got 0."),
    ("Gaussian(1).waves(10, 2.5)", "d must be a whole number ≥ 1, got 2.5."),
    ("Gaussian(1).waves(10, 2, -1)", "random_state must be a whole number ≥ 0, got -1."),
    ("Laplace(1.0).waves(10, 2, orthogonal=True)", "a kernel of ‖x − z‖, which Laplace(1.0) is not"),
    ("Periodic(1.0).waves(10, 2, orthogonal=True)", "a kernel of ‖x − z‖, which Periodic(1.0) is not"),
    ("Waves([[1.0], [2.0]], [0.0])", "one number for each of the 2 frequencies, got shape (1,)."),
    ("Waves([[1.0]], [0.0])([1, 2])", "frequencies has 1 columns, but X has 2 features."),
    ("Gaussian(1.0).waves(10, 2).remainder([1, 2], [1, 2])", "Waves has no remainder"),
]

LANDMARKS = [
    ("Landmarks(Gaussian, [[0.0]])", "kernel must be a kernel, such as Gaussian"),
    ("Landmarks(Polynomial(2).feature_map(), [[0.0]])", "kernel must be a kernel"),
    ("Landmarks(Gaussian(1.0), [1.0, 2.0])", "C must be a collection of landmarks, got a single"),
    ("Landmarks(Substrings(2), 'banana')", "C must be a collection of landmarks"),
    ("Landmarks(Gaussian(1.0), [[0.0], [np.nan]])", "C must hold finite numbers"),
    ("Landmarks(Gaussian(1.0), [])", "minimum of 1 is required in C"),
    ("Landmarks(Gaussian(1.0), [[0.0, 1.0]])([[1.0]])", "C has 2 columns, but X has 1 features"),
    ("Landmarks(Intersection(), [[-1.0]])([[1.0]])", "all coordinates ≥ 0, but C holds -1"),
]

BEYOND = "The degree of monomials must be at most 10,000 to write them down, got 1,000,000,000,000,000,000."
OVERFLOW = "overflow: (1 + offset)^degree is beyond all floats."
MAPS = [
    ("Concatenate(Identity(), Circle()).remainder([1.0, 2.0], [1.0, np.nan])", "Z must hold finite numbers"),
    ("Kronecker(Circle(), Scale(2, Identity())).remainder([1.0, 2.0], [1.0, np.nan])", "Z must hold finite numbers"),
    ("Compose(Monomials(2), Weighted(first, Circle())).remainder([1.0], [np.nan])", "Z must hold finite numbers"),
    ("LinearMap([[1, 1]]).names(3)", "R has 2 columns, but X has 3 features."),
    ("Compose(LinearMap([[1, 1, 1]]), ExponentialSeries(1)).remainder([1, 2], [1, 2])", "LinearMap has no slope(t)."),
    ("OrderedMonomials(10**18)", BEYOND),
    ("Monomials(10**18, 0)([2.0])", BEYOND),
    ("Monomials(10**18, 0).names(1)", BEYOND),
    ("Monomials(2, 1e160)([2.0])", f"The weights of Monomials(2, 1e+160) {OVERFLOW}"),
    ("Monomials(2, 1e160).names(1)", OVERFLOW),
    ("Monomials(1100)([2.0])", OVERFLOW),
    ("Monomials(1100).names(1)", OVERFLOW),
    ("Function(lambda X: [len(x.children) for x in X]).dim(2)", "g fails at the point (1, …, 1)"),
    ("(Gaussian(1.0) * Gaussian(2.0)).feature_map(degree=60).remainder(np.ones(20), np.ones(20))", "features here"),
]

PARTS = [
    *((f"{rule}(3)", "k must be a kernel, got 3.") for rule in ("Normalized", "InverseLength", "Alignments")),
    *(
        (parts, "no point suits both.")
        for parts in (
            "Linear() + Substrings(1)",
            "Subtrees() * Substrings(1)",
            "(Substrings(1) + 1) * (2 * Linear())",
            "Concatenate(Identity(), Substrings(1).feature_map(over='a'))",
            "Kronecker(Orders(), Scale(2, Substrings(1).feature_map(over='a')))",
            "Precomputed() + Linear()",
            "MeanMap(Linear()) + MeanMap(Substrings(2))",
        )
    ),
]

ALL = [*SETS, *STRINGS, *TREES_AND_GRAPHS, *SERIES_AND_RANKINGS, *DISTRIBUTIONS, *STATIONARY, *LANDMARKS, *MAPS, *PARTS]


@pytest.mark.parametrize(("call", "part"), ALL)
def test_bad_input_is_refused_in_one_sentence(call, part):
    with pytest.raises((ValueError, TypeError, NotImplementedError)) as error:
        eval(call, SCOPE.copy())
    said = str(error.value)
    assert part in said and said.endswith(".") and "\n" not in said


def test_walks_that_do_not_fit_are_refused_before_anything_is_built(monkeypatch):
    ring, walks = np.roll(np.eye(20), 1, axis=0) + np.roll(np.eye(20), -1, axis=0), NAMES["Walks"](0.2)
    monkeypatch.setattr(checks, "MAX_BYTES", 10**6)
    with pytest.raises(ValueError, match=r"^The walks of two graphs with 400 pairs of vertices of one label need "):
        walks((ring, 20 * "C"))
    for x, pairs in (((ring, 10 * "CO"), 200), ((ring, range(20)), 20)):  # four matrices of 8 · pairs² bytes
        monkeypatch.setattr(checks, "MAX_BYTES", 32 * pairs**2)
        assert walks(x) > 0
