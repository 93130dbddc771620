"""Theorems about kernels of what is not a vector: the laws, Φ, models on lists of objects, and what is refused."""

import inspect
from itertools import product

import every_kernel
import numpy as np
import pytest
from every_kernel import COLLECTIONS, OBJECTS
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import kernelkit
from kernelkit import KernelRidge, KernelSVM, Normalized, Subsequences, kernels
from kernelkit.features import MarkovScore, Orders
from kernelkit.kernels import Conjugate, InverseLength

pytestmark = pytest.mark.filterwarnings("error")
NAMES = {name: getattr(kernels, name) for name in kernels.__all__} | {"Orders": Orders}
ALL = pytest.mark.parametrize("k", OBJECTS, ids=repr)
MODELS = [
    Model
    for Model in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(Model, "fit") and "kernel" in inspect.signature(Model).parameters
]


def taken(objects, indices):
    """Some of the objects, a list or an array as they are."""
    return objects[list(indices)] if isinstance(objects, np.ndarray) else [objects[i] for i in indices]


@ALL
def test_gram_matrix_is_symmetric_and_positive_semidefinite(k):
    X = COLLECTIONS[k.points]
    twice = taken(X, [0, 1, 2, 3, 4, 4, 0])
    K = k(twice)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K[:5, :5], K[[6, 1, 2, 3, 5]][:, [6, 1, 2, 3, 5]], rtol=1e-12)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.trace(K)
    np.testing.assert_allclose(K.diagonal(), k.diag(k.read(twice)[0]), rtol=1e-12)


@ALL
def test_number_vector_and_matrix_agree(k):
    X = COLLECTIONS[k.points]
    K = k(X)
    for i in range(5):
        np.testing.assert_allclose(k(X[i], X), K[i], rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(k(X, X[i]), K[i], rtol=1e-12, atol=1e-15)
        assert type(k(X[i], X[0])) is float and k(X[i], X[0]) == pytest.approx(K[i, 0], rel=1e-12)
    part = k(taken(X, [3, 1]), taken(X, [0, 4, 2]))
    np.testing.assert_allclose(part, K[[3, 1]][:, [0, 4, 2]], rtol=1e-12, atol=1e-15)
    D = k.squared_distance(X)
    np.testing.assert_allclose(D, np.add.outer(k.diag(k.read(X)[0]), k.diag(k.read(X)[0])) - 2 * K, atol=1e-10)


@ALL
def test_normalised_objects_are_one_long_or_nothing(k):
    X, normal = COLLECTIONS[k.points], Normalized(k)
    K, lengths = normal(X), k.diag(k.read(X)[0]) > 0
    np.testing.assert_array_equal(K.diagonal(), lengths)
    assert np.abs(K).max() <= 1 + 1e-12 and not K[~lengths].any() and not K[:, ~lengths].any()
    np.testing.assert_allclose(K, Conjugate(InverseLength(k), k)(X), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(normal(taken(X, [1, 4]), X), K[[1, 4]], rtol=1e-12, atol=1e-15)


@ALL
def test_the_factor_that_normalises_takes_one_object_many_or_none(k):
    X, f = COLLECTIONS[k.points], InverseLength(k)
    factors = f(X)
    assert factors.shape == (5,) and [f(x) for x in X] == pytest.approx(factors, rel=1e-12) and np.ndim(f(X[0])) == 0
    objects = k.read(X)[0]
    assert Conjugate(f, k).gram(objects, objects[:0]).shape == (5, 0)


@ALL
def test_rules_over_objects_have_the_features_that_the_rules_say(k):
    X = COLLECTIONS[k.points]
    composed = 2 * Normalized(k) ** 2 + k * k + 1
    K, by_hand = k(X), Normalized(k)(X)
    np.testing.assert_allclose(composed(X), 2 * by_hand**2 + K**2 + 1, rtol=1e-12)
    try:
        phi = composed.feature_map(**every_kernel.world(k))
    except ValueError as error:
        assert "no known finite features" in str(error)
        return
    size = np.sqrt(np.outer(*2 * [composed(X).diagonal()]))
    assert (np.abs(phi(X) @ phi(X).T - composed(X)) <= phi.remainder(X, X) + 1e-12 * size).all()


@ALL
def test_repr_can_be_pasted_back(k):
    for composed in (k, 2 * k + 1, Normalized(k) ** 2):
        assert eval(repr(composed), NAMES) == composed


@pytest.mark.parametrize(
    ("Model", "k"),
    [*product((KernelRidge, KernelSVM), OBJECTS), *product(MODELS, (Subsequences(1), kernels.WeisfeilerLehman(1)))],
    ids=lambda value: value.__name__ if isinstance(value, type) else repr(value),
)
def test_every_kernel_model_takes_lists_of_objects(Model, k):
    X = taken(COLLECTIONS[k.points], 5 * [0, 1, 2, 3])
    y = np.array(5 * [1, 1, 0, 0])
    kernel = Normalized(k) + 0.1
    model = clone(Model(kernel=kernel)).fit(X, y)
    if not hasattr(model, "score"):  # what learns without labels
        found = [getattr(model, name)(X) for name in ("predict", "transform") if hasattr(model, name)]
        assert {len(part) for part in (*found, getattr(model, "labels_", X))} == {20}
        return
    assert model.predict(X).shape == (20,)
    table = Model(kernel=kernels.Precomputed()).fit(kernel(X), y)
    np.testing.assert_allclose(model.predict(taken(X, [3, 0, 1])), table.predict(kernel(X)[[3, 0, 1]]), rtol=1e-5)
    assert len(cross_val_score(Model(kernel=kernel), X, y, cv=2)) == 2


def test_grids_reach_into_kernels_of_objects():
    words = ["cat", "cart", "tact", "attract", "dog", "dodge", "good", "gold"]
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    search = GridSearchCV(KernelSVM(Normalized(Subsequences(2, 0.5))), {"kernel__k__decay": [0.1, 0.5, 1.0]}, cv=2)
    search.fit(words, y)
    assert search.best_score_ == 1 and search.predict(["tacit", "dog gold"]).tolist() == [0, 1]
    assert KernelRidge(2 * Subsequences(2)).set_params(kernel__k__length=3).kernel == 2 * Subsequences(3)


@pytest.mark.parametrize("example", [kernels.Kendall(), kernels.FisherMarkov([0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]])])
def test_the_features_of_points_among_themselves_are_computed_once(example, monkeypatch):
    kind, X, asked = MarkovScore if example.points == "sequences" else Orders, COLLECTIONS[example.points], []
    compute = kind.matrix
    monkeypatch.setattr(kind, "matrix", lambda phi, X: asked.append(len(X)) or compute(phi, X))
    example(X)
    assert asked == [5]


def test_a_model_asks_for_a_list():
    for X, kernel, kind in (("cat", Subsequences(2), "strings"), ({1, 2}, kernels.Overlap(), "sets")):
        with pytest.raises(ValueError, match=rf"^Expected a list of {kind}, got a single point instead: write \[x\]"):
            KernelSVM(kernel).fit(X, [1])


# ---- what is refused, in one sentence ------------------------------------------------------------

REFUSED = {
    "a number among strings": (
        lambda: Subsequences(2)(["cat", 3]),
        "X must hold a string at each place, such as 'cat', but X[1] is 3.",
    ),
    "no string": (lambda: kernels.Substrings(2)(3), "X must be a string, such as 'cat', or a list of them, got 3."),
    "no strings at all": (
        lambda: kernels.Substrings(2)([]),
        "Found array with 0 sample(s) while a minimum of 1 is required in X: the list is empty.",
    ),
    "an unknown letter": (
        lambda: Subsequences(2).feature_map(over="ac")(["ca", "cat"]),
        "'t' in 'cat' is not in the world over=('a', 'c').",
    ),
    "no alphabet": (
        lambda: Subsequences(2, 0.5).feature_map(),
        "Subsequences(2) has its features over a given world; give it, as in k.feature_map(over='act').",
    ),
    "too large a world": (
        lambda: Subsequences(9).feature_map(over="abcdefghijklmnopqrstuvwxyz"),
        "Φ has D = 5,429,503,678,976 features here: too many to list, at most 1,000,000 are; the kernel k(x, z) needs "
        "none of them.",
    ),
    "a decay of 0": (lambda: Subsequences(2, 0), "decay must be a finite number > 0, got 0."),
    "a decay above 1": (lambda: Subsequences(2, 1.5), "decay must be a number in (0, 1], got 1.5."),
    "words without letters": (lambda: kernels.Substrings(0), "length must be a whole number ≥ 1, got 0."),
    "lists instead of sets": (
        lambda: kernels.Overlap()([[1, 2], [2]]),
        "X must hold a set at each place, such as {1, 2}, but X[0] is [1, 2].",
    ),
    "a graph that is not square": (
        lambda: kernels.Walks(0.1)(([[0, 1]], "CO")),
        "The adjacency of X must be a square matrix of numbers ≥ 0, got shape (1, 2).",
    ),
    "a graph with too few labels": (
        lambda: kernels.WeisfeilerLehman(1)([([[0, 1], [1, 0]], "C")]),
        "X[0] must have a label for each of its 2 vertices, got 'C'.",
    ),
    "labels that are lists": (
        lambda: kernels.WeisfeilerLehman(1)(([[0]], [["C"]])),
        "X must have a label for each of its 1 vertices, got [['C']].",
    ),
    "no labels at all": (
        lambda: kernels.Walks(0.1)(([[0]], None)),
        "X must have a label for each of its 1 vertices, got None.",
    ),
    "a graph without labels": (
        lambda: kernels.WeisfeilerLehman(1)([[[0, 1], [1, 0]]]),
        "X must hold a graph (adjacency, labels) at each place, such as ([[0, 1], [1, 0]], 'CO'), but X[0] is "
        "[[0, 1], [1, 0]].",
    ),
    "a decay for whom a graph is too dense": (
        lambda: kernels.Walks(0.25)(([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "CCC")),
        "Walks(0.25) needs decay × (largest degree)² < 1, or walks without end are counted, but X has degree 2; "
        "a decay below 0.25 does.",
    ),
    "a rank twice": (
        lambda: kernels.Kendall()([1, 2, 2]),
        "A permutation must hold each of the ranks 1 … 3 once, got [1.0, 2.0, 2.0] in X.",
    ),
    "an order of one item": (lambda: kernels.Mallows(1)([1]), "A permutation must rank at least 2 items, got 1 in X."),
    "a tree of lists": (
        lambda: kernels.Subtrees()([["S", "she"]]),
        'X must hold a tree (label, child, …) at each place, such as ("S", ("NP", "she"), ("VP", "ran")), but X[0] is '
        "['S', 'she'].",
    ),
    "a tree with a number": (
        lambda: kernels.Subtrees()(("S", ("NP", 3))),
        "X must be a tree whose labels are strings and whose children are trees or words, but one child is 3.",
    ),
    "a series that is a number": (
        lambda: kernels.Alignments(kernels.Gaussian(1))([1.0, 2.0]),
        "X must hold series of vectors: each a collection of vectors, but one is a single point.",
    ),
    "series of different widths": (
        lambda: kernels.Alignments(kernels.Gaussian(1))([[[1.0]], [[1.0, 2.0]]]),
        "All of X must have the same number of features, got 1 and 2.",
    ),
    "alignments of a kernel above 1": (
        lambda: kernels.Alignments(kernels.Linear())([[1.0], [2.0]]),
        "Alignments needs a kernel with 0 ≤ k ≤ 1, such as Gaussian(1.0), but Linear() is 1 … 4 here.",
    ),
    "a bag that is a number": (
        lambda: kernels.MeanMap(kernels.Linear())(np.array(0.0)),
        "X must be one of bags of vectors or a list of them, each with at least one of vectors.",
    ),
    "an empty bag": (
        lambda: kernels.MeanMap(kernels.Linear())([]),
        "X must be one of bags of vectors or a list of them, each with at least one of vectors.",
    ),
    "a chain that does not sum to 1": (
        lambda: kernels.ChainProduct(2)(([0.5, 0.6], [[1, 0], [0, 1]])),
        "The start of X must hold numbers ≥ 0 with the sum 1, got [0.5, 0.6].",
    ),
    "chains of different letters": (
        lambda: kernels.ChainProduct(2)([([1.0], [[1.0]]), (2 * [0.5], 2 * [2 * [0.5]])]),
        "The chains must write the same letters, but one writes 1 and the other 2.",
    ),
    "a state that the chain has not": (
        lambda: kernels.FisherMarkov([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])([0, 2]),
        "X must hold states 0 … 1, got [0, 2].",
    ),
    "a covariance that is none": (
        lambda: kernels.Bhattacharyya()(([0, 0], [[1, 2], [2, 1]])),
        "The covariance of X must be a symmetric, positive definite (2, 2) matrix, got [[1, 2], [2, 1]].",
    ),
    "Gaussians of different dimensions": (
        lambda: kernels.Bhattacharyya()([(0, 1), ([0, 0], [[1, 0], [0, 1]])]),
        "All of X must have the same number of features, got 1 and 2.",
    ),
    "a Gaussian beside one of another dimension": (
        lambda: kernels.Bhattacharyya()((0, 1), ([0, 0], np.eye(2))),
        "X and Z must have the same number of features, got 1 and 2.",
    ),
    "mixtures of different dimensions": (
        lambda: kernels.MixtureProduct()(([1], [[0]], 1), [([1], [[0, 0]], 1), ([1], [[0, 0, 0]], 1)]),
        "All of Z must have the same number of features, got 2 and 3.",
    ),
    "a mean that is a row": (
        lambda: kernels.Bhattacharyya()(([[0.0, 0.0]], np.eye(2))),
        "The mean of X must be a vector (d,), got shape (1, 2).",
    ),
    "no mean at all": (
        lambda: kernels.Bhattacharyya()(([], [[1.0]])),
        "The mean of X must be a vector (d,), got shape (0,).",
    ),
    "a mixture without means": (
        lambda: kernels.MixtureProduct()(([1.0], [0.0], 1.0)),
        "The means of X must be 1 rows (c, d), got shape (1,).",
    ),
    "a Fisher kernel of unequal parts": (
        lambda: kernels.FisherMixture([1.0], [[0.0], [1.0]]),
        "means must hold one row for each of the 1 weights, got ((0.0,), (1.0,)).",
    ),
    "an unknown element": (
        lambda: kernels.Subsets().feature_map(over={1, 2})([{3}]),
        "3 in {3} is not in the world over=(1, 2).",
    ),
}


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == sentence
