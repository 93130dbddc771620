"""Theorems about kernels of what is not a vector: models on lists of objects, and what is read at the door."""

import inspect
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from every_kernel import COLLECTIONS, OBJECTS
from kernels.random_kernels import NAMES
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import kernelkit
from kernelkit import KernelRidge, KernelSVM, Normalized, Subsequences, kernels
from kernelkit.features import MarkovScore, Orders
from kernelkit.study.two_samples import mmd

pytestmark = pytest.mark.filterwarnings("error")
ALL = pytest.mark.parametrize("k", OBJECTS, ids=repr)
GRAPHS = pytest.mark.parametrize("k", [kernels.WeisfeilerLehman(1), kernels.Walks(0.1)], ids=repr)
MODELS = [
    Model
    for Model in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(Model, "fit") and "kernel" in inspect.signature(Model).parameters
]


def taken(objects, indices):
    """Some of the objects, a list or an array as they are."""
    return objects[list(indices)] if isinstance(objects, np.ndarray) else [objects[i] for i in indices]


@pytest.mark.parametrize(
    ("Model", "k"),
    [*((KernelRidge, k) for k in OBJECTS), *((Model, Subsequences(1)) for Model in MODELS)],
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


@pytest.mark.parametrize("k", [kernels.Kendall(), kernels.FisherMarkov([0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]])])
def test_the_features_of_points_among_themselves_are_computed_once(k, monkeypatch):
    kind, X, asked = MarkovScore if k.points == "sequences" else Orders, COLLECTIONS[k.points], []
    compute = kind.matrix
    monkeypatch.setattr(kind, "matrix", lambda phi, X: asked.append(len(X)) or compute(phi, X))
    k(X)
    assert asked == [5]


# ---- what an object is made of -----------------------------------------------------------------------

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
NO_NUMBERS = [np.datetime64("1970-01-02"), pd.Timestamp(1), np.array([1.0]), {1}, "1", b"1", np.complex64(1)]
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
def test_what_is_missing_or_no_number_is_refused_wherever_it_stands(k):
    labelled = k.points in ("sets", "trees", "strings", "graphs")
    for (number, make), wrong in product(enumerate(ENTRIES[k.points]), MISSING if labelled else MISSING + NO_NUMBERS):
        assert_refused(lambda make=make, wrong=wrong: k(make(wrong)), (number, wrong))
    for missing in (*MISSING, np.ma.masked):
        X = [*COLLECTIONS[k.points], missing]
        assert_refused(lambda X=X: k(X), missing)


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


@GRAPHS
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


@GRAPHS
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


# ---- columns of tables, in one order -----------------------------------------------------------------

TABLE = pd.DataFrame([[0.0, 1.0], [2.0, 5.0]], columns=["time", "place"])
PRICES = pd.Series({"milk": 1.0, "egg": 2.0, "tea": 3.0})
NAMED, NUMBERED = pd.Series([1.0, 2.0], ["milk", "egg"]), pd.Series([1.0, 2.0])
HALF, SQUARE = pd.Series([0.25, 0.75], ["a", "b"]), pd.DataFrame(np.eye(2), ["a", "b"], ["a", "b"])
ROWS = pd.DataFrame([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], ["a", "b"])
SCOPE = NAMES | {"KernelRidge": KernelRidge, "mmd": mmd, "pd": pd}
SCOPE |= {"k": kernels.Gaussian(1.0), "chain": kernels.ChainProduct(2), "half": HALF, "square": SQUARE, "rows": ROWS}
SCOPE |= {"table": TABLE, "turned": TABLE[["place", "time"]], "a": PRICES, "b": PRICES[["tea", "egg", "milk"]]}


@pytest.mark.parametrize(
    "call",
    [
        *(f"{k}({points})" for k in ("k", "Linear()", "Kendall()") for points in ("a, b", "pd.DataFrame([a, a]), b")),
        "k(b, pd.DataFrame([a]))",
        "k(table, turned)",
        "k.squared_distance(table, turned)",
        "Alignments(k)([table, turned])",
        "MeanMap(k)(table, turned)",
        "mmd(k, table, turned)",
        "Walks(0.1)((table.set_axis(['place', 'time']), 'CO'))",
        "Bhattacharyya()((half[::-1], square))",
        "MixtureProduct()((half[::-1], rows, 1.0))",
        "FisherMixture(half[::-1], rows)",
        "FisherMarkov(half[::-1], square)",
        "chain((half[::-1], square))",
        "chain((half[::-1], square, rows))",
        "chain((half, square[['b', 'a']]))",
        "chain((half, square, rows[::-1]))",
        "chain((half.to_numpy(), square, rows[::-1]))",
    ],
)
def test_names_in_different_orders_are_refused(call):
    with pytest.raises(ValueError, match="in one order"):
        eval(call, SCOPE.copy())


@pytest.mark.parametrize("a", [NAMED, NUMBERED], ids=["names", "numbers"])
@pytest.mark.parametrize(
    "call",
    [
        "k([a, a[::-1]])",
        "Kendall()([a, a[::-1]])",
        "MeanMap(Linear())([(a, a[::-1])])",
        "Monomials(2)([a, a[::-1]])",
        "KernelRidge().fit([a, a[::-1]], [0.0, 1.0])",
        "KernelRidge().fit([a, a + 1], [0.0, 1.0]).predict([a, a[::-1]])",
    ],
)
def test_a_list_of_columns_has_their_names_in_one_order(call, a):
    with pytest.raises(ValueError, match="in one order"):
        eval(call, SCOPE | {"a": a})


def test_names_in_one_order_and_columns_of_objects_are_taken():
    k, chain, words = kernels.Gaussian(1.0), kernels.ChainProduct(2), pd.Series(["cat", "act", "tact"])
    assert k(PRICES, PRICES.copy()) == k([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert k(TABLE, TABLE).shape == kernels.MeanMap(k)([TABLE, TABLE]).shape == (2, 2)
    for a in (NAMED, NUMBERED):
        np.testing.assert_array_equal(kernels.Linear()([a, 2 * a]), [[5, 10], [10, 20]])
        np.testing.assert_array_equal(kernels.Linear()([a, a.set_axis(["tea", "oil"])]), [[5, 5], [5, 5]])
    assert (
        chain((HALF, SQUARE)) == chain((HALF, SQUARE, ROWS)) == 0.625 and kernels.Bhattacharyya()((HALF, SQUARE)) == 1
    )
    assert kernels.FisherMixture(HALF, ROWS).weights == kernels.FisherMarkov(HALF, SQUARE).start == (0.25, 0.75)
    assert kernels.MixtureProduct()((HALF, ROWS, 1.0)) > 0
    assert (kernels.Substrings(1)(words[::-1], words) == kernels.Substrings(1)([*words[::-1]], [*words])).all()


def test_numbers_of_any_kind_are_numbers():
    X = np.array([[1, Fraction(1, 2)], [Decimal("0.25"), np.float32(2)], [True, np.array(3)]], object)
    np.testing.assert_array_equal(kernels.Linear()(X), kernels.Linear()(np.array([[1, 0.5], [0.25, 2], [1, 3]])))


@pytest.mark.parametrize("k", [kernels.Overlap(), kernels.Substrings(1)], ids=repr)
def test_a_set_is_a_world_in_one_order(k):
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert k.feature_map(over=set(letters)).world == k.feature_map(over=frozenset(letters)).world == tuple(letters)
