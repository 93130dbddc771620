"""Theorems about kernels of what is not a vector: the laws, Φ, models on lists of objects, and what is refused."""

import inspect
from decimal import Decimal
from fractions import Fraction
from itertools import product

import every_kernel
import numpy as np
import pandas as pd
import pytest
from every_kernel import COLLECTIONS, OBJECTS
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import kernelkit
from kernelkit import KernelRidge, KernelSVM, Normalized, Subsequences, features, kernels
from kernelkit.features import MarkovScore, Orders
from kernelkit.kernels import Conjugate, InverseLength
from kernelkit.study.two_samples import mmd

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
        "X is an empty list, but at least one object is needed.",
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
        "The adjacency of X must be a square matrix, got shape (1, 2).",
    ),
    "a graph with too few labels": (
        lambda: kernels.WeisfeilerLehman(1)([([[0, 1], [1, 0]], "C")]),
        "X[0] must have a label for each of its 2 vertices, as a list, a string or a dict {0: …}, got 'C'.",
    ),
    "labels that are lists": (
        lambda: kernels.WeisfeilerLehman(1)(([[0]], [["C"]])),
        "The labels of X must be hashable, such as numbers and texts, but one is ['C'].",
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
    "a column": (lambda: kernels.Kendall()([[2], [1]]), "A permutation must rank at least 2 items, got 1 in X."),
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
        "X must be a list or an array of vectors, or a list of these, got array(0.).",
    ),
    "an empty bag": (
        lambda: kernels.MeanMap(kernels.Linear())([]),
        "X is an empty list, but at least one object is needed.",
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
        "X must hold states, whole numbers 0 … 1, got [0, 2].",
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
    "a negative edge": (
        lambda: kernels.Walks(0.1)(([[0, -1], [1, 0]], "CO")),
        "The adjacency of X must hold numbers ≥ 0, got -1.",
    ),
    "a start that is a row": (
        lambda: kernels.ChainProduct(2)(([[0.5, 0.5]], [[1, 0], [0, 1]])),
        "The start of X must be a vector of numbers, got shape (1, 2).",
    ),
    "series of numbers": (
        lambda: kernels.Alignments(kernels.Gaussian(1))([[1.0, 2.0], [1.0, 2.0, 3.0]]),
        "All of X must have the same number of features, got 2 and 3: X[0] is a single point, so X is read as one "
        "collection and not as series of vectors; numbers are written as a column, [[1.0], [2.0]].",
    ),
    "a set of letters in an order": (
        lambda: kernels.ChainProduct(1).feature_map(over={"a"}),
        "over must be a list, the letters in the order of the emissions, got {'a'}.",
    ),
    "a missing element of a world": (
        lambda: kernels.Overlap().feature_map(over=[1, np.nan]),
        "The elements of over must not be missing, because two missing ones are neither equal nor different, but one "
        "is nan.",
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


T, EDGE, UNIT = [[0.5, 0.5], [0.25, 0.75]], [[0, 1], [1, 0]], [[1.0, 0.0], [0.0, 1.0]]
ENTRIES = {  # by what a kernel takes: an object for each of its fields, of which e is a part
    "sets": [lambda e: {1, e}, lambda e: {(1, e)}],
    "strings": [lambda e: ["cat", e]],
    "trees": [lambda e: ("S", e), lambda e: ("S", ("NP", e)), lambda e: (e, "she")],
    "series of vectors": [lambda e: [[0.0], [e]], lambda e: [[[0.0]], [[1.0], [e]]]],
    "bags of vectors": [lambda e: [[0.0], [e]], lambda e: [[[0.0]], [[1.0], [e]]]],
    "chains": [
        lambda e: ([0.5, e], T),
        lambda e: ([0.5, 0.5], [[0.5, e], [0.25, 0.75]]),
        lambda e: ([0.5, 0.5], T, [[0.5, e], [0.25, 0.75]]),
    ],
    "sequences": [lambda e: [0, e, 1], lambda e: [[0, 1], [e, 1]]],
    "permutations": [lambda e: [1, e, 3]],
    "graphs": [lambda e: ([[0, e], [1, 0]], "CO"), lambda e: (EDGE, ["C", e]), lambda e: (EDGE, {0: "C", 1: (1, e)})],
    "Gaussians": [lambda e: ([0, e], UNIT), lambda e: ([0, 0], [[1, e], [e, 1]])],
    "mixtures": [
        lambda e: ([0.5, e], [[0.0], [1.0]], 1.0),
        lambda e: ([1.0], [[0.0, e]], 1.0),
        lambda e: ([1.0], [[0.0]], e),
    ],
}
MISSING = [None, np.nan, float("nan"), Decimal("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), np.timedelta64("NaT", "D")]
FIELDS = {  # an object for each field that has an order, and what is in it
    "series of vectors": [(lambda v: v, [(0.0,), (1.0,)])],
    "bags of vectors": [(lambda v: v, [(0.0,), (1.0,)])],
    "chains": [
        (lambda v: (v, T), [0.25, 0.75]),
        (lambda v: ([0.5, 0.5], v), [(0.5, 0.5), (0.25, 0.75)]),
        (lambda v: ([0.5, 0.5], T, v), [(0.5, 0.5), (0.25, 0.75)]),
    ],
    "sequences": [(lambda v: v, [1, 0])],
    "permutations": [(lambda v: v, [2, 1])],
    "graphs": [(lambda v: (v, "CO"), [(0, 1), (1, 0)]), (lambda v: (EDGE, v), ["O", "C"])],
    "Gaussians": [(lambda v: (v, UNIT), [1.0, 0.5]), (lambda v: ([0, 0], v), [(1.0, 0.5), (0.5, 2.0)])],
    "mixtures": [(lambda v: (v, [[0.0], [1.0]], 1.0), [0.75, 0.25]), (lambda v: ([1.0], v, 1.0), [(1.0, 0.5)])],
}
IN_ORDER = [tuple, np.array, lambda v: np.array(v, object), lambda v: np.ma.masked_array(v, mask=False)]
WITHOUT_ORDER = {  # or with another meaning
    "set": set,
    "frozenset": frozenset,
    "names": lambda v: {x: x for x in v},
    "keys": lambda v: dict.fromkeys(v).keys(),
    "items": lambda v: dict.fromkeys(v).items(),
    "generator": iter,
    "bytes": lambda v: bytes(len(v)),
    "hidden": lambda v: np.ma.masked_array(v, mask=True),
    "nothing": lambda v: np.array(None),
}


def assert_refused(call, why):
    """In one sentence about X."""
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    said = str(error.value)
    assert "X" in said and said.endswith(".") and "\n" not in said, why


@ALL
def test_a_missing_value_is_refused_wherever_it_stands(k):
    for (number, make), missing in product(enumerate(ENTRIES[k.points]), MISSING):
        assert_refused(lambda make=make, missing=missing: k(make(missing)), (number, missing))
    for missing in (*MISSING, np.ma.masked):
        X = [*COLLECTIONS[k.points], missing]
        assert_refused(lambda X=X: k(X), missing)


@pytest.mark.parametrize("k", [k for k in OBJECTS if k.points not in ("sets", "trees", "strings", "graphs")], ids=repr)
def test_what_is_no_number_is_refused_wherever_it_stands(k):
    for (number, make), other in product(
        enumerate(ENTRIES[k.points]),
        [np.datetime64("1970-01-02"), pd.Timestamp(1), np.array([1.0]), {1}, "1", b"1", np.complex64(1)],
    ):
        assert_refused(lambda make=make, other=other: k(make(other)), (number, other))


@pytest.mark.parametrize("k", [k for k in OBJECTS if k.points in FIELDS], ids=repr)
def test_what_has_no_order_is_refused_where_the_order_counts(k):
    for number, (make, values) in enumerate(FIELDS[k.points]):
        x = make(values)
        assert k(x) > 0
        for wrap in IN_ORDER:
            assert k(make(wrap(values)), x) == k(x), number
        for name, wrap in WITHOUT_ORDER.items():
            assert_refused(lambda make=make, wrap=wrap, values=values: k(make(wrap(values))), (number, name))


@ALL
def test_a_collection_of_objects_has_an_order(k):
    X = list(COLLECTIONS[k.points])
    for wrap in (iter, lambda X: dict(enumerate(X)), lambda X: dict(enumerate(X)).values(), lambda X: np.array(None)):
        assert_refused(lambda wrap=wrap: k(wrap(X)), wrap)
    if k.points != "permutations":  # a vector in a column is no number
        np.testing.assert_array_equal(k(pd.Series(X, index=range(5, 0, -1))), k(X))


@pytest.mark.parametrize("k", [k for k in OBJECTS if isinstance(COLLECTIONS[k.points][0], tuple)], ids=repr)
def test_a_tuple_of_objects_is_either_a_list_of_them_or_refused(k):
    for size in (2, 3):
        several = tuple(COLLECTIONS[k.points][:size])
        try:
            K = k(several)
        except TypeError as error:
            assert f"holds {size} of them: write a list" in str(error)
        else:
            np.testing.assert_array_equal(K, k(list(several)))


@pytest.mark.parametrize("k", [kernels.WeisfeilerLehman(1), kernels.Walks(0.1)], ids=repr)
def test_a_dictionary_labels_each_vertex(k):
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    label = {0: "C", 1: "O", 2: "N"}
    assert k((path, label), (path, "CON")) == k((path, "CON")) > k((path, "CON"), (path, "OCN"))
    assert k((path, pd.Series(label)), (path, "CON")) == k((path, "CON"))
    turned = {v: label[v] for v in (2, 0, 1)}  # the rows may be in this order too, as those of networkx are
    for labels in (turned, pd.Series(turned)):
        with pytest.raises(ValueError, match=r"\[2, 0, 1\].* as a list in the order of the rows.*\.$"):
            k((path, labels))
    assert k((EDGE, {0: "C", 1: "O"}), (EDGE, {0: "N", 1: "F"})) == 0 and k(([], {})) == 0
    table = pd.DataFrame([[0, 0]], columns=["C", "O"])
    for labels in ({1: "C", 2: "O"}, {"a": "C", "b": "O"}, {0: "C"}, {0: "C", 1: "O", 2: "N"}, table, table.T):
        assert_refused(lambda labels=labels: k((EDGE, labels)), labels)


@pytest.mark.parametrize("k", [kernels.WeisfeilerLehman(1), kernels.Walks(0.1)], ids=repr)
@pytest.mark.parametrize("names", [[2, 0, 1], [1, 2, 3], [*"bca"]], ids=str)
def test_a_table_of_a_graph_names_its_vertices_for_a_dictionary_of_labels(k, names):
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    table, label = pd.DataFrame(path, names, names), dict(zip(names, "CON", strict=True))
    turned = {name: label[name] for name in sorted(names)}
    for labels in (label, turned, pd.Series(turned), "CON", pd.Series([*"CON"], names)):
        assert k((table, labels), (path, "CON")) == k((path, "CON"))
    twice = table.set_axis(2 * names[:1] + names[1:2]).set_axis(2 * names[:1] + names[1:2], axis=1)
    for graph in ((table, {7: "C", 8: "O", 9: "N"}), (twice, {v: "C" for v in names[:2]})):
        with pytest.raises(ValueError, match="a label for each of its 3 vertices"):
            k(graph)
    with pytest.raises(ValueError, match="in one order"):
        k((table[names[::-1]], "CON"))


@pytest.mark.parametrize("k", [kernels.Gaussian(1.0), kernels.Linear(), kernels.Kendall()], ids=repr)
def test_points_that_are_columns_of_a_table_have_their_names_in_one_order(k):
    a = pd.Series({"milk": 1.0, "egg": 2.0, "tea": 3.0})
    turned = a[["tea", "egg", "milk"]]
    assert k(a, a.copy()) == k([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    for left, right in ((a, turned), (pd.DataFrame([a, a]), turned), (turned, pd.DataFrame([a]))):
        with pytest.raises(ValueError, match="in one order"):
            k(left, right)


@pytest.mark.parametrize("names", [["milk", "egg"], [0, 1]], ids=str)
def test_a_list_of_columns_of_a_table_has_their_names_in_one_order(names):
    a = pd.Series([1.0, 2.0], names)
    X, y = [a, a[::-1]], [0.0, 1.0]
    for call in (
        lambda: kernels.Gaussian(1.0)(X),
        lambda: kernels.Kendall()(X),
        lambda: kernels.MeanMap(kernels.Linear())([tuple(X)]),
        lambda: features.Monomials(2)(X),
        lambda: KernelRidge().fit(X, y),
        lambda: KernelRidge().fit([a, a + 1], y).predict(X),
    ):
        with pytest.raises(ValueError, match="in one order"):
            call()
    np.testing.assert_array_equal(kernels.Linear()([a, 2 * a]), [[5, 10], [10, 20]])
    np.testing.assert_array_equal(kernels.Linear()([a, a.set_axis(["tea", "oil"])]), [[5, 5], [5, 5]])


def test_a_column_of_objects_may_be_in_any_order():
    words = pd.Series(["cat", "act", "tact"])
    assert (kernels.Substrings(1)(words[::-1], words) == kernels.Substrings(1)([*words[::-1]], [*words])).all()


def test_parts_of_an_object_that_name_the_same_things_have_them_in_one_order():
    half, square = pd.Series([0.25, 0.75], ["a", "b"]), pd.DataFrame(np.eye(2), ["a", "b"], ["a", "b"])
    rows = pd.DataFrame([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], ["a", "b"])
    chain = kernels.ChainProduct(2)
    for make in (
        lambda half, rows, square: kernels.Bhattacharyya()((half, square)),
        lambda half, rows, square: kernels.MixtureProduct()((half, rows, 1.0)),
        lambda half, rows, square: kernels.FisherMixture(half, rows),
        lambda half, rows, square: kernels.FisherMarkov(half, square),
        lambda half, rows, square: chain((half, square)),
        lambda half, rows, square: chain((half, square, rows)),
    ):
        make(half, rows, square)
        with pytest.raises(ValueError, match="in one order"):
            make(half[::-1], rows, square)
    for wrong in ((half, square[["b", "a"]]), (half, square, rows[::-1]), (half.to_numpy(), square, rows[::-1])):
        with pytest.raises(ValueError, match="in one order"):
            chain(wrong)


def test_tables_whose_columns_are_in_different_orders_are_refused():
    table = pd.DataFrame([[0.0, 1.0], [2.0, 5.0]], columns=["time", "place"])
    turned = table[["place", "time"]]
    k = kernels.Gaussian(1.0)
    for call in (
        lambda: k(table, turned),
        lambda: k.squared_distance(table, turned),
        lambda: kernels.Alignments(k)([table, turned]),
        lambda: kernels.MeanMap(k)(table, turned),
        lambda: mmd(k, table, turned),
        lambda: kernels.Walks(0.1)((table.set_axis(["place", "time"]), "CO")),
    ):
        with pytest.raises(ValueError, match="in one order"):
            call()
    assert k(table, table).shape == kernels.MeanMap(k)([table, table]).shape == (2, 2)


def test_numbers_of_any_kind_are_numbers():
    X = np.array([[1, Fraction(1, 2)], [Decimal("0.25"), np.float32(2)], [True, np.array(3)]], object)
    np.testing.assert_array_equal(kernels.Linear()(X), kernels.Linear()(np.array([[1, 0.5], [0.25, 2], [1, 3]])))


def test_a_set_is_a_world_in_one_order():
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert kernels.Overlap().feature_map(over=set(letters)).world == tuple(letters)
    assert kernels.Substrings(1).feature_map(over=frozenset(letters)).world == tuple(letters)
