"""The contract that ``Kernel`` declares, held against every kernel, alone and inside every rule."""

from dataclasses import dataclass

import every_kernel
import numpy as np
import pytest
from every_kernel import EXAMPLES
from hypothesis import given
from kernels.random_kernels import finite_with_points

from kernelkit import KernelRidge, KernelSVM, features
from kernelkit.kernels import Conjugate, Constant, Exp, FromFeatures, Kernel, Linear, Normalized, Precomputed, Pullback

pytestmark = pytest.mark.filterwarnings("error")


def ones(X):
    return np.ones(len(X))


RULES = {
    "k": lambda k: k,
    "k + 1": lambda k: k + 1,
    "2 * k": lambda k: 2 * k,
    "k * k": lambda k: k * k,
    "k ** 2": lambda k: k**2,
    "exp(k / 1000)": lambda k: Exp(1e-3 * k),
    "f k f": lambda k: Conjugate(ones, k),
}


NO_FEATURES = "{} has no known finite features; k(x, z) itself needs none."
NO_SERIES = (
    "{} has infinitely many features and no series of them to cut: k.waves(D, d) draws D random features for x ∈ ℝ^d, "
    "and k(x, z) itself needs none."
)


def refusal(call):
    """The sentence with which a kernel refuses, None if it does not."""
    try:
        call()
    except (ValueError, NotImplementedError) as error:
        assert "\n" not in str(error) and str(error).endswith(".")
        return str(error)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_every_kernel_keeps_the_contract(example, rule, cloud):
    k, raw = rule(example), every_kernel.points(example, cloud)
    X, one = k.read(raw, "X")
    n = len(raw)
    assert len(X) == n and one is False and k.points == rule(k).points
    if not k.pairwise:  # of a table only the rows of all points together can be compared
        x, one = k.read(raw[0], "X")
        assert len(x) == 1 and one is True
        np.testing.assert_allclose(k.gram(x, X)[0], k.gram(X, X)[0], rtol=1e-13)

    assert "=" not in repr(k)  # arguments stand in their order, without names
    K = k.gram(X, X)
    assert K.shape == (n, n) and K.dtype == np.float64
    assert not isinstance(X, np.ndarray) or not np.shares_memory(K, X)
    np.testing.assert_array_equal(K, K.T)
    assert k.gram(X[:2], X).shape == (2, n)
    if not k.pairwise:
        assert k.gram(X, X[:0]).shape == (n, 0)  # a model without support asks for this
    diagonal = k.diagonal(X)
    assert diagonal.shape == (n,) and not (isinstance(X, np.ndarray) and np.shares_memory(diagonal, X))
    np.testing.assert_allclose(diagonal, K.diagonal(), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(k.diag(raw), diagonal)
    np.testing.assert_array_equal(k.diag(X), diagonal)  # what was read may be read again
    if not k.pairwise:
        assert type(k.diag(raw[0])) is float and k.diag(raw[0]) == pytest.approx(diagonal[0], rel=1e-12)
    cosines = k.normalized_gram(X, X)
    size = np.sqrt(np.where(diagonal > 0, diagonal, np.inf))
    np.testing.assert_allclose(cosines, K / np.outer(size, size), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(cosines, cosines.T)
    np.testing.assert_array_equal(cosines.diagonal(), diagonal > 0)
    if not k.pairwise:
        np.testing.assert_allclose(k.normalized_gram(X[:2], X), cosines[:2], rtol=1e-12, atol=1e-12)
    assert isinstance(k.latex("x", "z"), str)

    world = every_kernel.world(k)
    if said := refusal(lambda: k.feature_map(**world)):
        assert said == refusal(lambda: example.feature_map(**world)) == refusal(lambda: k.dim(3, **world))
        assert said in (NO_FEATURES.format(repr(example)), NO_SERIES.format(repr(example)))
        return
    phi = k.feature_map(**world)
    assert k.dim(3, **world) == phi.dim(3) and isinstance(phi._repr_latex_(), str)
    Phi = phi(raw)
    d = every_kernel.width(k, X)
    assert Phi.shape == (n, phi.dim(d)) and len(phi.names(d)) == phi.dim(d) and phi.points == k.points
    left = phi.remainder(X, X)
    assert (np.abs(Phi @ Phi.T - K) <= left + 1e-9 * np.sqrt(np.outer(diagonal, diagonal))).all()
    np.testing.assert_allclose(phi.remainder(X[:2], X[1:]), left[:2, 1:], rtol=1e-9, atol=1e-12)


def assert_finite_at_zero(k, X):
    """k(0, x), k(0, 0) and Φ(0) are finite, and equal in every call; or k refuses 0 in one sentence."""
    zeros = np.zeros((2, X.shape[1]))
    both = np.vstack([X, zeros])
    if said := refusal(lambda: k(zeros)):
        assert "gives NaN" not in said, f"{k!r} is NaN at 0"
        assert said == refusal(lambda: k(zeros, both)) or "in Z" in refusal(lambda: k(X, both))
        return
    K = k(both)
    for finite in (K, k(zeros[0], X), k(zeros[0]), k(zeros), k.diag(zeros), k.squared_distance(both)):
        assert np.isfinite(finite).all(), f"{k!r} is {finite} at 0"
    alike = np.allclose(k(zeros), k(zeros[0], zeros[0]), rtol=1e-12, atol=0)
    assert alike, f"{k!r} of two points that are both 0 is {k(zeros).tolist()}, but k(0, 0) is one number"
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(k(zeros[0], X), K[-1, : len(X)], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(k.diag(zeros), K.diagonal()[-2:], rtol=1e-12)
    if refusal(lambda: k.feature_map(**every_kernel.world(k))) is None:
        assert np.isfinite(k.feature_map(**every_kernel.world(k))(both)).all()


VECTORS = [k for k in EXAMPLES if k.points in ("vectors", "anything", "permutations")]


@pytest.mark.parametrize("rule", [*RULES.values(), Normalized], ids=[*RULES, "normalised"])
@pytest.mark.parametrize("example", VECTORS, ids=repr)
def test_every_kernel_is_finite_at_zero_or_refuses_it(example, rule, cloud):
    k = rule(example)
    assert_finite_at_zero(k, np.asarray(k.read(every_kernel.points(example, cloud))[0]))


@given(finite_with_points())
def test_every_composition_is_finite_at_zero(case):
    k, X, _ = case
    assert_finite_at_zero(k, X)


@dataclass(frozen=True, repr=False)
class Careless(Kernel):
    """The cosine, written without a thought of 0."""

    def gram(self, X, Z):
        with np.errstate(invalid="ignore"):
            return X @ Z.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_law_of_zero_catches_a_kernel_that_forgot_it(rule, cloud):
    with pytest.raises(AssertionError, match="at 0"):
        assert_finite_at_zero(rule(Careless()), cloud(4, 3))


class Unfinished(Kernel):
    """A kernel of which nothing is written yet."""

    def __repr__(self):
        return "Unfinished()"


class UnfinishedMap(features.FeatureMap):
    """A feature map of which nothing is written yet."""


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_what_a_kernel_does_not_have_is_refused_in_one_sentence(rule, cloud):
    k, X = rule(Unfinished()), cloud(3, 2)
    assert refusal(lambda: k(X)) == refusal(lambda: k.gram(X, X)) == "Unfinished has no gram(X, Z)."
    assert refusal(lambda: k.diag(X)) == refusal(lambda: k.diagonal(X)) == "Unfinished has no gram(X, Z)."
    assert refusal(lambda: k.normalized_gram(X, X)) == "Unfinished has no gram(X, Z)."
    assert refusal(lambda: k.squared_distance(X)) == "Unfinished has no gram(X, Z)."
    assert refusal(lambda: k.latex("x", "z")) == "Unfinished has no latex(x, z)."
    assert refusal(lambda: k.feature_map(degree=2)) == NO_FEATURES.format("Unfinished()")
    assert k.read(X)[0].shape == (3, 2)


@pytest.mark.parametrize(
    "phi",
    [
        UnfinishedMap(),
        features.Scale(2, UnfinishedMap()),
        features.Weighted(ones, UnfinishedMap()),
        features.Concatenate(UnfinishedMap(), features.Ones()),
        features.Kronecker(features.Identity(), UnfinishedMap()),
        features.Compose(features.Monomials(2), UnfinishedMap()),
    ],
    ids=lambda phi: type(phi).__name__,
)
def test_what_a_feature_map_does_not_have_is_refused_in_one_sentence(phi, cloud):
    X = cloud(3, 2)
    assert refusal(lambda: phi(X)) == refusal(lambda: phi.dim(2)) == "UnfinishedMap has no dim(d)."
    assert refusal(lambda: phi.matrix(list(X))) == "UnfinishedMap has no matrix(X)."
    assert refusal(lambda: phi.names_from(["x"])) in (
        "UnfinishedMap has no names_from(symbols).",
        "UnfinishedMap has no dim(d).",
    )
    assert refusal(lambda: phi.latex("x")) == "UnfinishedMap has no latex(x)."
    assert phi.points == "vectors" and phi.read(X)[0].shape == (3, 2)


# ---- points that are not vectors: kernels on strings, trees and series, for these tests -------


@dataclass(frozen=True, repr=False)
class Objects(Kernel):
    """Σ_j g_j(x) g_j(z) for a function g, a list of n objects → (n, D), where ``one`` tells an object from a list."""

    g: object
    one: object
    points: str

    def read(self, X, name="X"):
        return ([X], True) if self.one(X) else (list(X), False)

    def gram(self, X, Z):
        return self.g(X) @ self.g(Z).T

    def feature_map(self, degree=None, over=None):
        return ObjectFeatures(self)

    def latex(self, x, z):
        return f"k({x}, {z})"


@dataclass(frozen=True, repr=False)
class ObjectFeatures(features.FeatureMap):
    """The g of an ``Objects``."""

    k: Objects

    @property
    def points(self):
        return self.k.points

    def read(self, X, name="X"):
        return self.k.read(X, name)

    def matrix(self, X):
        return self.k.g(X)

    def latex(self, x):
        return f"g({x})"


def letters(words):
    return np.array([[word.count(letter) for letter in "abc"] for word in words], float)


def labels(tree):
    """The labels of a nested tuple (label, child, …); a child without children is its label."""
    return [tree] if isinstance(tree, str) else [tree[0], *(label for child in tree[1:] for label in labels(child))]


def words(trees):
    return np.array([[labels(tree).count(label) for label in ("S", "she", "ran", "far")] for tree in trees], float)


def moments(series):
    return np.array([[len(x), *x.sum(axis=0)] for x in series])


def sizes(sets):
    return np.array([[len(s), 1.0 * ("a" in s)] for s in sets])


def draws(seed, *lengths):
    return [np.random.default_rng(seed + n).standard_normal((n, 2)) for n in lengths]


STRINGS = Objects(letters, lambda X: isinstance(X, str), "strings")
TREES = Objects(words, lambda X: isinstance(X, tuple), "trees")
SERIES = Objects(moments, lambda X: getattr(X, "ndim", 0) == 2, "series")
SETS = Objects(sizes, lambda X: isinstance(X, (set, frozenset)), "sets")
COLLECTIONS = {  # of three objects each
    "strings": (STRINGS, ["abc", "aab", "c"]),
    "an array of strings": (STRINGS, np.array(["abc", "aab", "c"])),
    "an array of objects": (STRINGS, np.array(["abc", "aab", "c"], object)),
    "trees": (TREES, [("S", "she", ("ran", "far")), ("S", "she", "ran"), ("S", ("she", ("ran", "ran")))]),
    "trees of one shape": (TREES, [("S", "she"), ("ran", "far"), ("S", "ran")]),
    "trees of one node": (TREES, [("S",), ("ran",), ("far",)]),
    "series": (SERIES, draws(0, 4, 3, 5)),
    "series of one length": (SERIES, draws(0, 3, 3, 3)),
    "series in one array": (SERIES, np.array(draws(0, 3, 3, 3))),
    "sets": (SETS, [{"a", "b"}, set(), frozenset("c")]),
}
OBJECTS = pytest.mark.parametrize(("k", "raw"), COLLECTIONS.values(), ids=COLLECTIONS)


def compositions(k):
    """Every rule applied to k, alone and beside parts that take anything, on both sides."""
    for other in (FromFeatures(lambda X: np.full((len(X), 2), 0.7)), Constant(3), Pullback(Linear(), k.g)):
        yield from (k + other, other + k, k * other, other * k)
    yield from (k, 2 * k, k * 2, k + 1, 1 + k, k**3, (k + 1) ** 2, k + k, k * k, Exp(0.01 * k), Conjugate(ones, k))


@OBJECTS
def test_every_rule_reads_objects_as_the_part_that_knows_them(k, raw):
    X = [raw[i] for i in range(3)]
    for composed in compositions(k):
        assert composed.points == k.points
        K = composed(raw)
        assert K.shape == (3, 3)
        np.testing.assert_array_equal(K, K.T)
        for i, x in enumerate(X):  # one object is one point
            assert type(composed(x, X[0])) is float and composed.read(x)[1] is True
            assert composed(x, X[0]) == pytest.approx(K[i, 0], rel=1e-12)
            np.testing.assert_allclose(composed(x, raw), K[i], rtol=1e-12)
        phi = composed.feature_map(degree=12)
        assert phi.points == k.points
        np.testing.assert_allclose(phi(raw) @ phi(raw).T, K, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(phi(X[1]) @ phi(X[2]), K[1, 2], rtol=1e-9, atol=1e-9)
        assert composed.squared_distance(raw).shape == (3, 3)


@OBJECTS
def test_a_function_is_a_kernel_on_objects_of_any_kind(k, raw):
    by_function = FromFeatures(k.g)
    np.testing.assert_allclose(by_function(raw), k(raw), rtol=1e-13)
    np.testing.assert_allclose((by_function + 1)(raw) ** 2, ((k + 1) ** 2)(raw), rtol=1e-13)
    np.testing.assert_array_equal(Constant(2)(raw), np.full((3, 3), 2.0))
    np.testing.assert_allclose(Pullback(Linear(), k.g)(raw), k(raw), rtol=1e-13)


@OBJECTS
def test_kernel_models_take_objects_of_any_kind(k, raw):
    X, y = [raw[i] for i in range(3)], [0.0, 1.0, 3.0]
    for composed in (k + 1, 2 * k**2, FromFeatures(k.g)):
        K = composed(raw)
        model = KernelRidge(composed, lam=0.1).fit(raw, y)
        np.testing.assert_allclose(model.predict(X), K @ np.linalg.solve(K + 0.1 * np.eye(3), y), rtol=1e-8, atol=1e-8)
        assert KernelSVM(composed).fit(raw, [0, 1, 0]).predict(X).shape == (3,)


def test_without_a_part_that_knows_an_object_is_a_point_and_a_list_many():
    k = Constant(1)
    assert k("abc") == k(("S", ("NP", "she"))) == k({1, 2}) == k({"a": 1}) == k(np.str_("abc")) == 1.0
    assert k(["abc"]).shape == k([("S", "she")]).shape == k([{1}]).shape == k(np.array(["a"])).shape == (1, 1)
    assert k([np.ones(3), np.ones(2)]).shape == k([[1, 2], [3]]).shape == (2, 2)  # ragged
    assert k([1, 2, 3]) == k((1, 2, 3)) == k(5) == k(True) == 1.0  # numbers are still vectors
    assert k([[1, 2, 3], [4, 5, 6]]).shape == k(((1, 2, 3), (4, 5, 6))).shape == (2, 2)
    assert k(np.array([[1.0], [2.0]], object)).shape == (2, 2)
    deep = "leaf"
    for _ in range(200):
        deep = ("S", deep)
    assert k(deep) == 1.0 and k([deep, deep]).shape == (2, 2)


@pytest.mark.parametrize(
    "write",
    [
        lambda: Linear() + STRINGS,
        lambda: TREES * STRINGS,
        lambda: (STRINGS + 1) * (2 * Linear()),
        lambda: features.Concatenate(features.Identity(), STRINGS.feature_map()),
        lambda: features.Kronecker(TREES.feature_map(), features.Scale(2, STRINGS.feature_map())),
        lambda: Precomputed() + Linear(),
    ],
)
def test_parts_that_take_different_points_are_refused_when_written(write):
    with pytest.raises(TypeError, match=r" takes .*, but .* takes .*: no point suits both\.$"):
        write()
